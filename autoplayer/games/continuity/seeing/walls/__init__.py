"""Separates wall from air, by edges, colours, lines and whole cells; and finds the ground around the tiles."""
