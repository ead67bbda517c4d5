"""Finds the small objects (things) in the air of the tiles: figure, keys, door, spikes."""
