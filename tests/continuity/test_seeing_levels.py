"""All bundled levels as the bundled window paints them: what is read of each thing and each wall is what is there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.frame import Box
from autoplayer.games.continuity.puzzle import Level
from autoplayer.games.continuity.reader import CERTAIN
from autoplayer.games.continuity.seeing.tiles import read_tiles
from tests.continuity.seeing_window import Shown

ARCADE = find("continuity")
LEVELS: list[Level] = [each.puzzle for each in load(ARCADE.levels, ARCADE.parse)]
KINDS = {"K": "key", "D": "door"}


def painted(shown: Shown) -> Box:
    """Where a picture shows the figure: it is another one without it."""
    image, paint = shown.image(), shown.painter._figure
    shown.painter._figure = lambda *_: None
    bare = shown.image()
    shown.painter._figure = paint
    rows, columns = np.nonzero(np.abs(image.astype(np.int16) - bare).max(axis=2) > 30)
    x, y = int(columns.min()), int(rows.min())
    return Box(x, y, int(columns.max()) + 1 - x, int(rows.max()) + 1 - y)


@pytest.mark.parametrize(
    ("look", "size", "view", "number"),
    [
        *(("colours", "760x600", "walk", number) for number in range(1, len(LEVELS) + 1)),
        *(("outlines", "900x700", "slide", number) for number in range(1, len(LEVELS) + 1, 6)),
    ],
)
def test_all_things_and_walls_are_what_they_are(look: str, size: str, view: str, number: int) -> None:
    """Edges of walls in the colour of a door and a figure that stand on them had been a part of these: of three levels
    the door was the figure, for certain, and of three more the figure was too large."""
    level = LEVELS[number - 1]
    shown = Shown(level, "--look", look, "--size", size)
    shown.step(times=5)
    if view == "slide":
        shown.tap("space")
    tiles = read_tiles(shown.image())
    assert (tiles.cells, tiles.doubts) == (shown.cells, ())
    for seen, true in zip(tiles.boxes, shown.boxes(), strict=True):  # which may be a pixel larger than others
        assert max(abs(seen.x - true.x), abs(seen.y - true.y)) <= 1
        assert max(abs(seen.width - true.width), abs(seen.height - true.height)) <= 1
    _, height, width = tiles.solid.shape
    for mask, walls in zip(tiles.solid, shown.solid(width, height), strict=True):
        assert not cv2.erode((mask != walls).astype(np.uint8), np.ones((3, 3), np.uint8)).any()
    rows, columns = level.size
    things = sorted(
        (t.kind, t.tile, int((t.y + t.height / 2) * rows / height), int((t.x + t.width / 2) * columns / width))
        for t in tiles.things
        if t.kind != "figure"
    )
    assert things == sorted((KINDS[mark], *found) for mark in KINDS for found in level.found(mark))
    (figure,) = (thing for thing in tiles.things if thing.kind == "figure")
    box, body = tiles.box(figure), painted(shown)
    assert max(abs(box.x - body.x), abs(box.y - body.y)) <= 2
    assert max(abs(box.width - body.width), abs(box.height - body.height)) <= 2
    assert all(thing.sure >= CERTAIN / 2 for thing in tiles.things)
