"""What the player does: the gestures that build and take away a bridge, play by keys, and a window's habits."""
