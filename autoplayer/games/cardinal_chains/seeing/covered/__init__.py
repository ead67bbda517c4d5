"""Glyphs that a chain, a pointer or the like covers: what the sure glyphs of the board tell about them."""
