"""Hashi: bridges that are signs in the places between two islands, as in the cells of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.hashi import GAME, player
from autoplayer.games.hashi.puzzle import Bridge
from autoplayer.layout import Layout
from tests.hashi.test_lines import LINKS, PITCH, PUZZLE, at, links_in, pieces, water, with_islands

FEW = dict(sorted(LINKS.items())[:5])
BLACK = (20, 20, 20)


def inside(bridge: Bridge) -> list[Cell]:
    (r1, c1), (r2, c2) = bridge
    return [(r, c) for r in range(r1, r2 + 1) for c in range(c1, c2 + 1)][1:-1]


def written(links: Mapping[Bridge, int], long: int = 6) -> Image:
    """Strokes of ``2 * long`` pixels along each bridge, one or two of them in each place; those of one are broader
    upright, as in many typefaces."""
    picture = water()
    for bridge, n in links.items():
        upright = bridge.a[1] == bridge.b[1]
        for x, y in map(at, inside(bridge)):
            for aside in ((0,), (-4, 4))[n - 1]:
                x1, y1 = (x + aside, y - long) if upright else (x - long, y + aside)
                x2, y2 = (x + aside + 1, y + long) if upright else (x + long, y + aside + 1)
                cv2.rectangle(picture, (x1, y1), (x2, y2), BLACK, -1)
    return picture


def with_numbers(picture: Image) -> Image:
    for cell, number in PUZZLE.islands.items():
        x, y = at(cell)
        cv2.putText(picture, str(number), (x - 8, y + 9), cv2.FONT_HERSHEY_DUPLEX, 0.8, BLACK, 2, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("links", [dict(list(FEW.items())[:1]), FEW, LINKS], ids=["one", "few", "all"])
@pytest.mark.parametrize("finish", [with_islands, with_numbers])
def test_signs_in_all_places_between_two_islands_are_a_bridge(
    links: dict[Bridge, int], finish: Callable[[Image], Image]
) -> None:
    assert links_in(finish(written(links))) == links


def test_thin_strokes_with_soft_ends_are_signs() -> None:
    """Incident: a "-" with a paler end on each side, in two rows of pixels of which one is paler."""
    picture = water()
    bridge = next(bridge for bridge, n in LINKS.items() if n == 1 and bridge.a[0] == bridge.b[0])
    for x, y in map(at, inside(bridge)):
        picture[y : y + 2, x - 2 : x + 2] = np.array([[110], [30]])[:, :, None]
        picture[y : y + 2, [x - 3, x + 2]] = np.array([[190], [110]])[:, :, None]
    assert links_in(with_numbers(picture)) == {bridge: 1}


@pytest.mark.parametrize("sign", ["dot", "square", "cross", "one missing", "across", "beside"])
def test_other_marks_between_two_islands_are_no_bridge(sign: str) -> None:
    bridges = [bridge for bridge in FEW if 1 < len(inside(bridge)) < 4]
    assert len(bridges) > 1
    picture = water()
    for bridge in bridges:
        upright = bridge.a[1] == bridge.b[1]
        for k, (x, y) in enumerate(map(at, inside(bridge))):
            if sign == "dot":
                cv2.circle(picture, (x, y), 4, BLACK, -1)
            elif sign == "square":
                cv2.rectangle(picture, (x - 4, y - 4), (x + 4, y + 4), BLACK, -1)
            elif sign == "beside":  # nearer to one of the islands
                dx, dy = (0, 14) if upright else (14, 0)
                along = (0, 5) if upright else (5, 0)
                cv2.rectangle(picture, (x + dx, y + dy), (x + dx + along[0] + 1, y + dy + along[1] + 1), BLACK, -1)
            elif sign == "cross":
                cv2.line(picture, (x - 6, y - 6), (x + 6, y + 6), BLACK, 2)
                cv2.line(picture, (x - 6, y + 6), (x + 6, y - 6), BLACK, 2)
            elif sign == "across" or k:
                along = (0, 6) if upright == (sign != "across") else (6, 0)
                cv2.rectangle(picture, (x - along[0], y - along[1]), (x + along[0], y + along[1] + 1), BLACK, -1)
    assert links_in(with_islands(picture)) == {}


def test_a_sign_among_dashed_bridges_is_none() -> None:
    other = next(bridge for bridge in LINKS if bridge not in FEW and len(inside(bridge)) == 1)
    picture = written({other: 1})
    for bridge, n in FEW.items():
        for aside in ((0,), (-7, 7))[n - 1]:
            pieces(picture, bridge, aside, 7, 5, 1)
    assert links_in(with_islands(picture)) == FEW


def test_islands_that_never_fitted_the_others_outline_are_still_there() -> None:
    """Incident: a table some of whose rows were two pixels higher. There the thin common outline lay beside the
    islands' own, and the board was not seen in the very picture in which it was read."""
    picture = np.full((PITCH * 8, PITCH * 8, 3), 255, np.uint8)
    for r, c in PUZZLE.islands:
        x, y = at((r, c))
        cv2.rectangle(picture, (x - 20, y - 20), (x + 20, y + 20 + 2 * (r > 4)), (120, 100, 80), 1)
    reading = GAME.read(with_numbers(picture), Layout(game="hashi"))
    assert reading.puzzle == PUZZLE
    solution = GAME.solve(PUZZLE, time_limit=5).solution
    assert solution is not None
    assert player.progress(reading, PUZZLE, solution, picture).present
