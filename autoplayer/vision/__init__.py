"""Pixels to shapes, shared by the readers. Knows no game: what a shape means is for the game to say."""
