"""Boards on text screens: their lines, their characters, and the board that they spell."""
