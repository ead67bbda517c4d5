"""Windows of vector graphics: nothing ends on a whole pixel, walls are thin, and the view changes by zooming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.rooms import matches
from autoplayer.games.continuity.seeing.sight import Bools, Thing, Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker
from autoplayer.games.continuity.seeing.tracking.views import View

ROWS, COLUMNS = 20, 32
WALL, AIR, PAGE, RED = (34, 34, 36), (244, 245, 246), (150, 150, 150), (40, 36, 200)
WINDOW = 800, 600
FINE = 16
"""Parts of a pixel."""


def thin(*ledges: tuple[int, int, int], opened: str = "") -> Bools:
    """A room with walls of one cell round it and ledges (row, first and last column) in it, opened at sides."""
    room = np.zeros((ROWS, COLUMNS), np.bool_)
    room[[0, -1]] = room[:, [0, -1]] = True
    for row, first, last in ledges:
        room[row, first:last] = True
    for side, part in (
        ("left", np.s_[12:19, 0]), ("right", np.s_[12:19, -1]), ("top", np.s_[0, 4:10]), ("bottom", np.s_[-1, 4:10]),
    ):  # fmt: skip
        if side in opened:
            room[part] = False
    return room


ROOMS = (
    thin((8, 6, 14), (13, 18, 26), opened="right bottom"),
    thin((10, 3, 9), (6, 20, 28), opened="left top"),
    thin((12, 12, 20), opened="top right"),
)
CELLS = (0, 1, 2, -1)


def boards(scale: float, left: float, top: float, gap: float) -> list[tuple[float, float]]:
    """Where the places of the board begin when a cell has ``scale`` pixels."""
    wide, high = (COLUMNS + gap) * scale, (ROWS + gap) * scale
    return [(left + n % 2 * wide, top + n // 2 * high) for n in range(4)]


def drawn(scale: float, left: float, top: float, gap: float = 0.0) -> Image:
    """The board with a figure (a block, in the first room), a key and a door, its edges within pixels."""
    image = np.full((WINDOW[1], WINDOW[0], 3), PAGE, np.uint8)

    def block(x: float, y: float, wide: float, high: float, colour: Sequence[int]) -> None:
        corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
        points = np.round((np.array(corners) - 0.5) * FINE).astype(np.int32)
        cv2.fillPoly(image, [points], tuple(colour), cv2.LINE_AA, 4)

    for tile, (x, y) in zip(CELLS, boards(scale, left, top, gap), strict=True):
        if tile < 0:
            continue
        block(x, y, COLUMNS * scale, ROWS * scale, AIR)
        for down, across in np.argwhere(ROOMS[tile]).tolist():
            block(x + across * scale, y + down * scale, scale, scale, WALL)
    for n, (column, row, wide, high, colour) in enumerate(
        ((24.0, 16.0, 1.6, 3.0, (120, 60, 20)), (14.0, 17.0, 2.0, 1.0, RED), (24.0, 15.5, 2.4, 3.5, RED))
    ):
        x, y = boards(scale, left, top, gap)[n]
        block(x + column * scale, y + row * scale, wide * scale, high * scale, colour)
    return image


def tiles(scale: float, left: float, top: float, gap: float) -> Tiles:
    """What is read of such a picture, to the nearest pixel."""
    image = drawn(scale, left, top, gap)
    wide, high = round(COLUMNS * scale), round(ROWS * scale)
    boxes = tuple(Box(round(x), round(y), wide, high) for x, y in boards(scale, left, top, gap))
    solid = np.stack([
        cv2.resize(room.astype(np.uint8), (wide, high), interpolation=cv2.INTER_NEAREST) > 0 for room in ROOMS
    ])  # fmt: skip
    things = (
        Thing("figure", 0, 24 * scale, 16 * scale, 1.6 * scale, 3 * scale),
        Thing("key", 1, 14 * scale, 17 * scale, 2 * scale, scale),
        Thing("door", 2, 24 * scale, 15.5 * scale, 2.4 * scale, 3.5 * scale),
    )
    pictures = tuple(boxes[CELLS.index(n)].crop(image).copy() for n in range(3))
    return Tiles(2, 2, CELLS, boxes, pictures, solid, np.zeros_like(solid), things)


def test_of_an_edge_within_a_pixel_air_takes_its_part() -> None:
    """Walls had been a pixel broader at each of their sides, and lain on no lattice."""
    found = read_tiles(drawn(7.258, 30.5, 40.5, 1.2))
    assert matches(found.solid) == matches(np.stack(ROOMS))
    assert not found.doubts


def test_the_way_from_one_view_to_the_other_is_no_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few edges of thin walls look right in many places: the figure had been seen in another tile, and a key been gone,
    where hardly anything else was as it should be."""
    far, near = (7.3, 60.0, 120.0, 1.6), (20.6, 70.0, 94.0, 0.0)
    tracker = Tracker(tiles(*far))
    for view, pictures in ((far, 3), (near, 12), (far, 3)):
        for _ in range(pictures):
            seen = tracker.see(drawn(*view))
        assert seen.tile == 0
        assert seen.view == ("walking" if view is near else "sliding")

    def beside(view: View, cells: tuple[int, ...], image: Image, stood: bool, ground: int) -> tuple[int, ...]:
        view.put(cells, 0, Box(-303, 286, *view.size))
        return cells

    monkeypatch.setattr(View, "near_cells", beside)
    seen = tracker.see(drawn(11.0, 63.0, 112.0, 1.1))
    assert seen.view == "changing"


def test_the_gap_below_a_tile_from_near_is_measured_when_it_comes_into_view() -> None:
    """It had been derived from the gap beside the tile and the shape of tiles, and never measured: the tile below was
    supposed elsewhere, and its view not recognised."""
    far, gap = (10.0, 30.0, 60.0, 2.0), 4.0
    tracker = Tracker(tiles(*far))
    for _ in range(3):
        tracker.see(drawn(*far))
    for left, top in ((-20.0, 140.0), (100.0, 140.0), (-20.0, -200.0)):  # beside the second one nothing is seen
        for _ in range(3):
            seen = tracker.see(drawn(20.0, left, top, gap))
        assert (seen.view, seen.tile) == ("walking", 0)
        beside = tracker.where(1)
        assert beside is not None
        assert beside.x == pytest.approx(left + 20 * (COLUMNS + gap), abs=5)
    below = tracker.where(2)
    assert below is not None
    assert below.y == pytest.approx(-200 + 20 * (ROWS + gap), abs=2)


def test_a_tile_from_near_is_recognised_without_the_frame_that_it_has_on_the_map() -> None:
    """At its edges it differs much from its picture, and in its areas not at all: it had not been recognised."""
    far = (7.3, 60.0, 120.0, 1.6)
    read, image = tiles(*far), drawn(*far)
    for box in read.boxes[:3]:
        cv2.rectangle(image, (box.x, box.y), (box.x + box.width - 1, box.y + box.height - 1), (0, 220, 255), 2)
    tracker = Tracker(replace(read, pictures=tuple(box.crop(image).copy() for box in read.boxes[:3])))
    for view, name in ((image, "sliding"), (drawn(20.6, 70.0, 94.0, 1.6), "walking")):
        for _ in range(3):
            seen = tracker.see(view)
        assert (seen.view, seen.tile) == (name, 0)
    for _ in range(3):
        seen = tracker.see(drawn(20.6, 70.0, -380.0, 1.6))
    assert seen.view == "walking"
    place = tracker.where(2)
    assert place is not None
    assert abs(place.y - (-380 + 20.6 * (ROWS + 1.6))) <= 4


def test_a_picture_in_which_no_board_is_found_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message over a window with one view had been searched for tiles of another size at every look, which takes one
    or two seconds each time."""
    searched: list[Image] = []
    monkeypatch.setattr(Tracker, "_new_view", lambda self, image: searched.append(image))
    board = drawn(7.3, 60.0, 120.0, 1.6)
    message = board.copy()
    message[100:500, 100:700] = 90
    tracker = Tracker(tiles(7.3, 60.0, 120.0, 1.6))
    for image in (board, message, board, message):
        for _ in range(30):
            seen = tracker.see(image)
        assert seen.view == ("gone" if image is message else "sliding")
    assert len(searched) == 2  # it is searched once more when the board was seen meanwhile
