"""Finds the tiles of a board in a picture, the boundaries of their rooms, and the empty place."""
