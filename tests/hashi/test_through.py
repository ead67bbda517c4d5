"""Hashi: complete islands that are drawn half transparent, on bridges that run as far as their middles."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.seeing.places import through
from autoplayer.layout import Layout
from autoplayer.settle import settle

UNKNOWN = Layout(game="hashi")
PUZZLE = GAME.generate(9, 9, 12)
PITCH, RADIUS = 46, 17
Colours = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
"""Of the water, the islands, their rims and numbers, and the bridges."""
PAPER: Colours = (229, 244, 250), (229, 244, 250), (54, 70, 91), (54, 70, 91)
DARK: Colours = (24, 24, 24), (42, 42, 42), (250, 250, 250), (252, 134, 187)


def played(shape: Literal["disc", "box"], colours: Colours, thick: int, apart: int) -> Image:
    """A solved board: all of its islands are complete, but one in three is drawn as at the beginning."""
    water, fill, ink, bridge = colours
    picture = np.full((PITCH * 9, PITCH * 9, 3), water, np.uint8)
    solution = GAME.solve(PUZZLE, time_limit=10).solution
    assert solution is not None
    for (r1, c1), (r2, c2), links in solution:
        for aside in (0,) if links == 1 else (-apart, apart):
            dx, dy = (0, aside) if r1 == r2 else (aside, 0)
            first, last = ((PITCH * c + PITCH // 2 + dx, PITCH * r + PITCH // 2 + dy) for r, c in ((r1, c1), (r2, c2)))
            cv2.line(picture, first, last, bridge, thick)
    plain, above = picture.copy(), picture
    for k, ((r, c), number) in enumerate(PUZZLE.islands.items()):
        x, y = PITCH * c + PITCH // 2, PITCH * r + PITCH // 2
        for brush, colour in ((-1, fill), (2, ink)):
            if shape == "disc":
                cv2.circle(above, (x, y), RADIUS, colour, brush, cv2.LINE_AA)
            else:
                cv2.rectangle(above, (x - RADIUS, y - RADIUS), (x + RADIUS, y + RADIUS), colour, brush)
        cv2.putText(above, str(number), (x - 6, y + 7), cv2.FONT_HERSHEY_DUPLEX, 0.6, ink, 1, cv2.LINE_AA)
        if k % 3:
            part = slice(y - RADIUS - 2, y + RADIUS + 3), slice(x - RADIUS - 2, x + RADIUS + 3)
            above[part] = cv2.addWeighted(above[part], 0.5, plain[part], 0.5, 0)
    return above


@pytest.mark.parametrize(
    ("shape", "colours", "thick", "apart"),
    [
        ("box", PAPER, 5, 5),  # the numbers have the bridges' colour
        ("disc", DARK, 2, 3),
        ("box", DARK, 6, 6),
    ],
)
def test_numbers_of_islands_through_which_bridges_show_are_read(
    shape: Literal["disc", "box"], colours: Colours, thick: int, apart: int
) -> None:
    """Incident: numbers were read together with the ends of bridges under them, a 1 as a 4."""
    settled = settle(GAME, GAME.read(played(shape, colours, thick, apart), UNKNOWN))
    assert (settled.puzzle, settled.playable) == (PUZZLE, True)


def inside(*lines: tuple[int, int]) -> Image:
    """The inside of an island, 41 pixels wide, with lines of these rows (first, last) from its left edge to its
    middle."""
    patch = np.full((41, 41, 3), 200, np.uint8)
    for first, last in lines:
        patch[first : last + 1, :21] = 90
    return patch


@pytest.mark.parametrize(
    ("patch", "is_round", "changed"),
    [
        (inside((18, 22)), True, True),
        (inside((11, 16), (24, 29)), False, True),
        (inside((7, 34)), False, False),  # as broad as the island: no bridge
        (cv2.ellipse(inside(), (-14, 20), (18, 18), 0, -90, 90, (90, 90, 90), -1), False, False),  # a rim bulges in
    ],
)
def test_what_runs_from_the_edge_to_the_middle_is_removed(patch: Image, is_round: bool, changed: bool) -> None:
    found = through.without_bridges(patch[None], is_round)[0]
    assert bool((found != patch).any()) == changed
    assert not changed or bool((found == 200).all())
