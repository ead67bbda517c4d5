"""What the player knows of a window: where chains are drawn in a picture, and which keys draw them."""
