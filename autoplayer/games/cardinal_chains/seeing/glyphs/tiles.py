"""Tiles on which numbers stand: on some boards each number has tiles of a colour of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from autoplayer.core.frame import Floats, unlike

SAME = 6.0
"""Grey levels in a channel: tiles of one number differ by no more than this, those of two numbers by more than twice as
much."""

FEWEST = 3
"""The least number of numbers with several tiles each: a veil gives tiles two colours."""


def tiles_by_number(shown: Mapping[str, Sequence[Floats]]) -> dict[str, Floats]:
    """The colour, BGR, of each number's tiles, of which all that are ``shown`` are given by number; empty if two
    numbers share one, one number has several, or too few are seen more than once."""
    tiles = {token: np.median(grounds, axis=0) for token, grounds in shown.items()}
    even = all(unlike(ground, tile) <= SAME for token, tile in tiles.items() for ground in shown[token])
    apart = all(unlike(one, other) > 2 * SAME for one, other in combinations(tiles.values(), 2))
    several = sum(len(grounds) > 1 for grounds in shown.values())
    return tiles if even and apart and several >= FEWEST else {}
