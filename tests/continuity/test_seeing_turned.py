"""A key that stays in its place when it is taken, in another colour; a key that floats up and down."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker

ROOMS = (
    ("##########", "#........#", "#....##..#", "#.........", "#.........", "##########"),
    ("##########", "#..##....#", "#........#", "..........", "........D.", "##########"),
    ("##########", "#.....#..#", "#..#......", "#.........", "#.......##", "##########"),
)
CELL, GAP = 16, 12
RED, GREEN, BLUE = (20, 20, 220), (40, 200, 40), (200, 40, 20)
PALER = (70, 75, 225)
"""A red key as it is drawn from near."""


def picture(figure: float, key: tuple[int, int, int], up: int = 0) -> Image:
    """Three rooms and an empty place; the figure stands in the first one at the cell ``figure``, before a key, which is
    so many pixels above its place."""
    high, wide = 6 * CELL, 10 * CELL
    found = np.full((2 * high + 3 * GAP, 2 * wide + 3 * GAP, 3), (90, 80, 70), np.uint8)
    for number, rows in enumerate(ROOMS):
        room = np.full((high, wide, 3), (225, 235, 230), np.uint8)
        for (row, column), mark in np.ndenumerate(np.array([list(each) for each in rows])):
            cell = room[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
            if mark == "#":
                cell[:] = 30
            elif mark == "D":
                cell[:, 1:-1] = (30, 160, 200)
                cell[4:, 4:-4] = (20, 60, 90)
        if number == 0:
            room[5 * CELL - 12 - up : 5 * CELL - 4 - up, 102:110] = key
            left = round(figure * CELL)
            room[5 * CELL - 15 : 5 * CELL, left : left + 7] = BLUE
            room[5 * CELL - 15 : 5 * CELL - 10, left + 1 : left + 6] = (150, 190, 230)
        y, x = GAP + number // 2 * (high + GAP), GAP + number % 2 * (wide + GAP)
        found[y : y + high, x : x + wide] = room
    return found


def walk(keys: list[tuple[int, int, int]], touches: bool, before: tuple[int, int, int] = RED) -> frozenset[int]:
    """The keys that are gone after the figure has walked to the key, or to one cell before it, and back. ``before``:
    the colour of the key after the first picture, ``keys``: from then on, picture by picture."""
    tracker = Tracker(read_tiles(picture(2.0, RED)))
    assert [thing.kind for thing in tracker.tiles.things] == ["figure", "key", "door"]
    ends = 6.4 if touches else 5.0
    for figure in np.arange(2.0, ends, 0.2):
        tracker.see(picture(figure, before))
    tracker.see(picture(ends, keys[0]))
    seen = tracker.see(picture(ends, keys[0]))
    for n, key in enumerate(keys):
        seen = tracker.see(picture(max(ends - 0.2 * (n + 1), 2.0), key))
    return seen.gone


@pytest.mark.parametrize(
    ("keys", "touches", "gone"),
    [
        ([GREEN] * 40, True, True),
        ([RED] * 40, True, False),
        ([GREEN] * 40, False, False),
        ([RED, RED, RED, RED, RED, RED, GREEN, GREEN] * 5, True, False),
        ([GREEN, (200, 200, 40)] * 20, True, False),
    ],
    ids=["turned green", "not taken", "the figure was not at it", "blinks", "flickers"],
)
def test_a_key_that_turns_where_the_figure_touched_it_is_taken(
    keys: list[tuple[int, int, int]], touches: bool, gone: bool
) -> None:
    assert bool(walk(keys, touches)) is gone


@pytest.mark.parametrize(("after", "gone"), [(PALER, False), (GREEN, True)])
def test_a_key_that_was_drawn_otherwise_before_the_figure_was_at_it_has_not_turned(
    after: tuple[int, int, int], gone: bool
) -> None:
    assert bool(walk([after] * 40, True, PALER)) is gone


def test_a_key_that_floats_is_not_gone_until_it_is_taken() -> None:
    tracker = Tracker(read_tiles(picture(2.0, RED)))
    seen = [tracker.see(picture(3.0 + n / 40, RED, up)) for n, up in enumerate((0, 2, 4, 6, 6, 4, 2, 0, -1, -3, -3, 0))]
    assert not any(each.gone for each in seen)
    for figure in np.arange(3.3, 6.4, 0.2):
        tracker.see(picture(figure, RED, 6))
    air = (225, 235, 230)
    for figure in np.arange(6.4, 4.0, -0.2):
        gone = tracker.see(picture(figure, air)).gone
    assert len(gone) == 1
