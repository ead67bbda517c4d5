"""Chains drawn as rooms: the window removes the wall between two cells that a chain links, and draws nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cardinal_chains.playing.between import linked, pairs
from autoplayer.games.cardinal_chains.puzzle import Puzzle

FROM, ALONG = 0.75, (0.3, 0.7)
"""The strip in which a wall is looked for: from this part of one cell across to the next one, along this part of the
side, where no corner's walls are and glyphs seldom reach."""

LEAST_WALL = 20.0
"""How far (of 255) a wall is from the colours at both sides of it, at least."""

GONE = 0.3
"""The largest remaining share of that distance where a wall disappeared: a breathing theme changes less."""


def rooms(places: Mapping[Cell, Box], puzzle: Puzzle, before: Image, now: Image) -> Mapping[Cell, int] | None:
    """To which start (its index in ``puzzle.starts``) each cell is linked by walls that disappeared since ``before``
    (both BGR, of one size); without the starts. None if more disappeared than chains remove: that is another board."""
    walls = {(a, b): _wall(before, places[a], places[b], a[0] == b[0]) for a, b in pairs(places, puzzle)}
    standing = {pair: wall for pair, wall in walls.items() if wall >= LEAST_WALL}
    if not standing or (len(standing) < len(walls) and set.intersection(*map(set, standing))):
        return {}  # nothing parts cells but the outline of one, as of a cursor
    usual = float(np.median(list(standing.values())))
    # Where an outline left a wall of the usual kind, that one has not gone.
    gone = [
        (cell, near)
        for (cell, near), wall in standing.items()
        if _wall(now, places[cell], places[near], cell[0] == near[0]) <= GONE * min(wall, usual)
    ]
    return linked(gone, puzzle)


def _wall(image: Image, one: Box, other: Box, level: bool) -> float:
    """How far the colour of the line between two neighbouring cells is from the colours on both sides of it, 0 to 255;
    ``level``: whether they stand beside each other."""
    if not level:
        image = image.transpose(1, 0, 2)
        one, other = (Box(box.y, box.x, box.height, box.width) for box in (one, other))
    left, right = round(one.x + FROM * one.width), round(other.x + (1 - FROM) * other.width)
    top, bottom = (round(one.y + part * one.height) for part in ALONG)
    strip = image[max(top, 0) : bottom, max(left, 0) : right + 1]
    if min(strip.shape[:2]) < 2:
        return 0.0
    across: Floats = np.median(strip, axis=0).astype(np.float32)
    off = [np.abs(across - end).max(axis=1) for end in (across[0], across[-1])]
    return float(np.minimum(*off).max())
