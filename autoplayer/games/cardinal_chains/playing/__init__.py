"""What the player knows of a window: where chains are drawn in a picture, and the keys that draw them."""
