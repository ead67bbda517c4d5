"""Boards on text screens: their lines, their characters, and the board made of these."""
