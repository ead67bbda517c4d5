"""Hashi: islands that nearly touch, and what is drawn of a line on so short a way."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from autoplayer.core.frame import Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, parse
from autoplayer.games.hashi.seeing.between.strips import SAMPLES, lines_within
from autoplayer.layout import Layout

PUZZLE = parse(".....1.\n44.4322\n.1.....\n2...3.3\n...411.\n...1164\n.....21")
LINKS = {Bridge(a, b): n for a, b, n in GAME.solve(PUZZLE, time_limit=5).solution or ()}
PITCH = 60
WATER, INK, BRIDGE = (240, 245, 250), (30, 30, 30), (80, 90, 120)


def with_lines(links: dict[Bridge, int], thick: int, apart: int) -> Image:
    picture = np.full((PITCH * 8, PITCH * 8, 3), WATER, np.uint8)
    for which, n in links.items():
        (y1, x1), (y2, x2) = (np.array(cell) * PITCH + PITCH for cell in (which.a, which.b))
        for aside in (0,) if n == 1 else (-apart, apart):
            dx, dy = (0, aside) if y1 == y2 else (aside, 0)
            cv2.line(picture, (int(x1) + dx, int(y1) + dy), (int(x2) + dx, int(y2) + dy), BRIDGE, thick)
    return picture


def numbered(picture: Image) -> None:
    for (r, c), wanted in PUZZLE.islands.items():
        spot = (PITCH * (c + 1) - 8, PITCH * (r + 1) + 9)
        cv2.putText(picture, str(wanted), spot, cv2.FONT_HERSHEY_DUPLEX, 0.8, INK, 2, cv2.LINE_AA)


def found_in(picture: Image) -> dict[Bridge, int]:
    reading = GAME.read(picture, Layout(game="hashi"))
    assert reading.puzzle == PUZZLE
    return {which: n for which, n in reading.extra["bridges"].items() if n}


def test_rims_of_pills_that_nearly_touch_are_no_bridges() -> None:
    """Incident: the free way between two broad islands was measured by their height; and the round ends of two pills,
    with the grey rims of complete ones, were read as a bridge."""
    close = {which for which in PUZZLE.bridges if which.b[1] - which.a[1] == 1}
    links = {which: n for which, n in LINKS.items() if which not in close}
    picture = with_lines(links, 3, 5)
    for k, (r, c) in enumerate(PUZZLE.islands):
        x, y = PITCH * (c + 1), PITCH * (r + 1)
        rim, fill = ((150, 150, 150), (190, 190, 190)) if k % 3 == 0 else ((30, 60, 90), (170, 215, 240))
        for grow, colour in ((0, rim), (-5, fill)):
            for side in (-1, 1):
                cv2.circle(picture, (x + 11 * side, y), 18 + grow, colour, -1, cv2.LINE_AA)
            cv2.rectangle(picture, (x - 11, y - 18 - grow), (x + 11, y + 18 + grow), colour, -1)
    numbered(picture)
    assert found_in(picture) == links


def strip(breadths: NDArray[np.intp]) -> NDArray[np.uint8]:
    """The colours along a way on which ink is so many pixels broad at each step."""
    samples = np.full((SAMPLES, 41, 3), 220, np.uint8)
    for step, breadth in enumerate(breadths):
        samples[step, 20 - breadth // 2 : 20 - breadth // 2 + breadth] = 60
    return samples


@pytest.mark.parametrize(
    ("ends", "between", "long", "whole"),
    [
        (12, 3, 10, False),  # Incident: diamonds tip to tip
        (12, 3, 25, True),  # a longer way shows more than the islands' rims
        (4, 4, 10, True),
        (3, 1, 10, True),  # a thin line between blurred rims
        (17, 12, 10, True),  # a broad line between blurred rims
    ],
)
def test_a_line_on_a_short_way_is_no_broader_at_its_ends(ends: int, between: int, long: int, whole: bool) -> None:
    breadths = np.full(SAMPLES, between)
    breadths[:6] = breadths[-6:] = ends
    (line,) = lines_within(strip(breadths)[None], [long], 40, 0)
    assert line is not None
    assert line.whole == whole
