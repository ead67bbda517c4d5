"""Glyphs that something covers, such as a chain or a pointer: what can be told of them from those that are certain."""
