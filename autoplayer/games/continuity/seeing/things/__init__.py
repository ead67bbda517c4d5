"""The small things that stand in the air of the tiles: figure, keys, door, spikes."""
