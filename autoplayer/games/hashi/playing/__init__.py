"""What the player uses: the gestures that add and remove links, play by keys, and the habits of a window."""
