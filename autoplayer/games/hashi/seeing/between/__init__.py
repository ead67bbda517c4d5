"""Bridges: the lines between two islands, their meaning, and which bridges stand."""
