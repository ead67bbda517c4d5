"""Cross Set on cells whose ground is not everywhere the same, as buttons have that are shaded from one colour to
another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cross_set.seeing.one_cell.contents import pieces_in

SIX = ["..####.", ".##....", "##.....", "######.", "##...##", "##...##", "##...##", ".#...##", "..####."]
ONE = ["####..", "..##..", "..##..", "..##..", "..##..", "..##..", "..##..", "..##..", "######"]


@pytest.mark.parametrize(
    ("first", "last", "whitest", "small"),
    [(243, 224, 24, 45), (243, 232, 24, 41), (233, 218, 24, 45), (233, 222, 20, 45)],
)
def test_where_strong_numbers_are_erased_on_a_shaded_cell_nothing_is_seen(
    first: int, last: int, whitest: int, small: int
) -> None:
    """Incident: on buttons shaded from white to blue, patches in the cell's commonest colour stood where a 6 and a 1
    had been, which looked like ones; two cells were read wrong. ``first`` and ``last``: blue of the first and last row;
    ``whitest``: the row that is white; ``small``: where the small numbers begin."""
    ends = (first, last), (first - 11, last - 22), (first - 22, last - 41)
    shades = [np.concatenate([np.linspace(a, 255, whitest), np.linspace(255, b, 70 - whitest)]) for a, b in ends]
    cell = np.stack(shades, axis=1)[:, None].repeat(77, axis=1).astype(np.uint8)
    for rows, left in ((SIX, 25), (ONE, 37)):
        drawn = np.array([[pixel == "#" for pixel in row] for row in rows])
        cell[small : small + len(rows), left : left + len(rows[0])][drawn] = 119
    cv2.putText(cell, "3", (30, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.75, (51, 51, 51), 3)
    assert len(pieces_in(cell, Box(0, 0, 77, 70), 0.0, 0.4, scale=2).pieces) == 3
