"""The figure in a whole level, played by its plan's key presses: tiles crossed and moved, keys taken, the door opened;
with the camera on one tile from near, and on the whole board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.arcade.continuity.engine import SLIDE, WALK
from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity import solver
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.near import find_tile
from autoplayer.games.continuity.seeing.tracking.parts import Found
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker
from autoplayer.games.continuity.seeing.tracking.views import View
from tests.arcade.test_arcade_continuity_levels import Hand
from tests.continuity.seeing_window import Shown
from tests.continuity.steered import Seeing, Steered
from tests.continuity.test_seeing import LEVELS, sliding

EVERY = 4
"""Steps of the window from one look to the next."""


class Looked:
    """The engine of a level that is looked at every few steps; ``found`` counts how that was right or wrong."""

    def __init__(self, number: int, *options: str) -> None:
        self.shown = Shown(LEVELS[number], *options)
        self.tracker = Tracker(read_tiles(sliding(self.shown)))
        self.found: Counter[str] = Counter()
        self.steps = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.shown.engine, name)

    def press(self, key: str) -> None:
        self.shown.engine.press(key)

    def step(self, held: Collection[str] = ()) -> None:
        self.shown.engine.step(held)
        self.steps += 1
        if self.steps % EVERY == 0 and not self.shown.engine.won:
            self.look()

    def look(self) -> None:
        engine = self.shown.engine
        seen = self.tracker.see(self.shown.image())
        if engine.view == SLIDE or engine.zoom or engine.dead:
            return
        if seen.view != "walking" or seen.tile is None:
            self.found["not seen"] += 1
            return
        rows, columns = self.shown.level.size
        _, height, width = self.tracker.tiles.solid.shape
        # A figure on the border of two tiles is in either of them.
        (r0, c0), (r1, c1) = (self.place(tile) for tile in (engine.tile, seen.tile))
        off = max(
            abs(seen.x + (c1 - c0) * width - engine.x * width / columns),
            abs(seen.y + (r1 - r0) * height - engine.y * height / rows),
        )
        self.found["right" if off <= 3 else "wrong"] += 1
        self.found["keys wrong"] += len(seen.gone) != len(engine.taken)

    def place(self, tile: int) -> tuple[int, int]:
        return divmod(self.shown.cells.index(tile), self.shown.level.board.columns)


@pytest.mark.parametrize(
    ("number", "look", "theme", "size", "camera"),
    [(8, "plain", "dark", "900x700", "tile"), (2, "bricks", "light", "700x560", "tile"),
     (2, "outlines", "light", "760x600", "whole"), (8, "colours", "dark", "1000x760", "whole")],
)  # fmt: skip
def test_the_figure_is_seen_through_a_level(number: int, look: str, theme: str, size: str, camera: str) -> None:
    looked = Looked(number, "--look", look, "--theme", theme, "--size", size, "--camera", camera)
    hand = Hand(looked.shown.level, looked)
    looked.step()
    hand.turn(WALK)
    for _ in range(10 * EVERY):
        looked.step()
    hand.follow(solver.plan(looked.shown.level.world, 60.0))
    assert looked.shown.engine.won
    found = looked.found
    total = found["right"] + found["wrong"] + found["not seen"]
    assert total > 40
    assert found["right"] >= 0.93 * total
    assert found["wrong"] <= 0.03 * total
    assert found["keys wrong"] <= 0.03 * total


@pytest.mark.parametrize("camera", ["whole", "tile"])
def test_a_door_that_opens_is_not_the_figure(camera: str) -> None:
    """Also where the figure was not seen in the picture before."""
    shown = Shown(LEVELS[2], "--size", "900x700", "--camera", camera)
    tracker = Tracker(read_tiles(sliding(shown)))
    shown.tap("space")
    for _ in range(6):
        shown.step()
        tracker.see(shown.image())
    engine = shown.engine
    door = next(thing for thing in tracker.tiles.things if thing.kind == "door")
    engine.taken.update(range(len(engine.keys)))
    shown.step()
    tracker._box = None
    seen = tracker.see(shown.image())
    assert seen.tile == engine.tile
    assert seen.tile != door.tile or abs(seen.x - door.x - door.width / 2) > door.width


def test_a_view_that_is_met_while_the_figure_walks_has_no_figure_in_its_background() -> None:
    shown = Shown(LEVELS[1], "--look", "outlines", "--size", "760x600")
    tracker = Tracker(read_tiles(sliding(shown)))
    tracker.see(shown.image())
    shown.tap("space")
    shown.step(("right",), 14)  # the eyes were closed meanwhile
    shown.step(times=10)
    for _ in range(3):
        shown.step()
        tracker.see(shown.image())
    rows, columns = shown.level.size
    _, height, width = tracker.tiles.solid.shape
    for _ in range(12):
        shown.step(("right",), 3)
        seen = tracker.see(shown.image())
        assert seen.tile == shown.engine.tile
        assert abs(seen.x - shown.engine.x * width / columns) < 3
        assert abs(seen.y - shown.engine.y * height / rows) < 3


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 300, 3), (3, 1, 3), (40, 40, 3)])
@pytest.mark.filterwarnings("error")
def test_a_picture_too_small_for_tiles_is_refused(shape: tuple[int, int, int]) -> None:
    with pytest.raises(UnreadableError, match="no board of Continuity"):
        read_tiles(np.full(shape, 7, np.uint8))


def test_a_tile_from_near_is_not_taken_for_a_small_one_that_is_like_a_part_of_it() -> None:
    """A room of small stones was less like itself, in a size two hundredths beside its own, than a bare room with one
    wall was like its corner."""
    stones = np.random.default_rng(3).integers(90, 200, (45, 64), np.uint8).repeat(5, axis=0).repeat(5, axis=1)
    room, bare = stones.copy(), np.full((225, 320), 60, np.uint8)
    Box(60, 60, 60, 100).crop(room)[:] = 60
    Box(120, 60, 60, 100).crop(room)[:] = 120
    Box(160, 0, 160, 225).crop(bare)[:] = 120
    pictures = [np.repeat(each[..., None], 3, axis=2) for each in (bare, room)]
    window = np.full((672, 896, 3), 40, np.uint8)
    Box(58, 62, 780, 548).crop(window)[:] = cv2.resize(pictures[1], (780, 548), interpolation=cv2.INTER_NEAREST)
    spot = find_tile(window, pictures)
    assert spot is not None
    assert spot.tile == 1
    assert (spot.box.x, spot.box.y, spot.box.width, spot.box.height) == pytest.approx((58, 62, 780, 548), abs=8)


def laid(tiles: Tiles, larger: int, gap: int, beyond: tuple[int, int] = (0, 0)) -> Image:
    """The tiles in their cells, so many times larger, with gaps of so many pixels, on a ground that reaches ``beyond``:
    pixels across and down."""
    pictures = [np.repeat(np.repeat(each, larger, axis=0), larger, axis=1) for each in tiles.pictures]
    high, wide = pictures[0].shape[:2]
    whole = (tiles.rows * (high + gap) + gap + 2 * beyond[1], tiles.columns * (wide + gap) + gap + 2 * beyond[0], 3)
    board = np.full(whole, 20, np.uint8)
    for cell, tile in enumerate(tiles.cells):
        row, column = divmod(cell, tiles.columns)
        if tile >= 0:
            x, y = beyond[0] + gap + column * (wide + gap), beyond[1] + gap + row * (high + gap)
            Box(x, y, wide, high).crop(board)[:] = pictures[tile]
    return board


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_tiles_from_near_may_stand_closer_together(share: float) -> None:
    """A camera follows the figure, a tile is as large as the window, and the gaps between tiles are smaller, compared
    with them, than where all are shown: the board was searched as it stands there only, and no view was recognised."""
    level = read_tiles(sliding(Shown(LEVELS[11], "--size", "520x420")))
    gap, larger = level.boxes[0].width // 8, 3
    shown = laid(level, 1, gap)
    tiles = read_tiles(shown)
    figure = next(thing for thing in tiles.things if thing.kind == "figure")
    wide, high = (larger * length for length in (tiles.boxes[0].width, tiles.boxes[0].height))
    row, column = divmod(tiles.cells.index(figure.tile), tiles.columns)
    nearer = round(share * larger * gap)
    board = laid(tiles, larger, nearer, (wide // 2, high // 2))
    x = nearer + column * (wide + nearer) + round(larger * (figure.x + figure.width / 2))
    y = nearer + row * (high + nearer) + round(larger * (figure.y + figure.height / 2))
    tracker = Tracker(tiles)
    for image in (shown, *[np.ascontiguousarray(Box(x, y, wide, high).crop(board))] * 2):
        seen = tracker.see(image)
    assert (seen.view, seen.tile) == ("walking", figure.tile)
    assert seen.x == pytest.approx(figure.x + figure.width / 2, abs=2)


def test_a_bar_over_a_part_of_a_tile_does_not_change_its_size() -> None:
    """As browsers show above a page; the size was chosen such that less of the tile lay under the bar, and no view was
    recognised."""
    shown = sliding(Shown(LEVELS[11], "--size", "520x420"))
    tiles, larger = read_tiles(shown), 3
    figure = next(thing for thing in tiles.things if thing.kind == "figure")
    wide, high = (larger * length for length in (tiles.boxes[0].width, tiles.boxes[0].height))
    row, column = divmod(tiles.cells.index(figure.tile), tiles.columns)
    board = laid(tiles, larger, 0, (wide, high))
    x, y = wide + column * wide - wide // 4, high + row * high + high // 28
    near = np.ascontiguousarray(Box(x, y, wide * 3 // 2, high * 5 // 4).crop(board))
    near[: high // 8] = 255
    tracker = Tracker(tiles)
    for image in (shown, near, near):
        seen = tracker.see(image)
    assert (seen.view, seen.tile) == ("walking", figure.tile)
    assert seen.x == pytest.approx(figure.x + figure.width / 2, abs=1)
    assert seen.y == pytest.approx(figure.y + figure.height, abs=1)


def test_what_touches_the_side_of_the_window_is_the_figure_only_where_it_was() -> None:
    """From near, a line of text at the side may be as large as a figure; but a figure walks there, too."""
    tiles = Seeing(Steered(LEVELS[0])).board()
    tracker = Tracker(tiles)
    view, cells = tracker._views[0], tiles.cells
    view.near = True
    view.lay(cells, np.zeros((400, 600, 3), np.uint8))
    figure = next(thing for thing in tiles.things if thing.kind == "figure")
    box = Box(0, 200, round(figure.width), round(figure.height))
    assert tracker._figure_among(view, cells, [Found(box, box.width * box.height)]) is None
    tracker.expect(Box(box.x + 3, box.y, box.width, box.height))
    assert tracker._figure_among(view, cells, [Found(box, box.width * box.height)]) == box


def ledge(scale: float, line: int) -> Image:
    """A tile whose ground is a ledge of one cell, outlined by a line of so many pixels, at a scale."""
    image = np.full((round(80 * scale), round(120 * scale), 3), (200, 168, 200), np.uint8)
    x, y, far = (round(each * scale) for each in (34, 60, 120))
    image[y:, :x] = (70, 31, 58)
    cv2.rectangle(image, (-far, y), (x, y + far), (44, 16, 34), line)
    return image


@pytest.mark.parametrize("across", [14, 22, 28])
def test_the_outline_of_a_short_ledge_is_no_part_of_a_figure_on_it(across: int) -> None:
    """It is drawn a pixel beside its place from near. The box had reached to the end of the ledge, so that a walk to
    there was measured at less than half of its speed."""
    known = cv2.resize(ledge(1, 1), (300, 200), interpolation=cv2.INTER_AREA)
    place = Box(0, 0, 300, 200)
    view = View("walking", 1, (place,), [known], [np.zeros((200, 300), np.bool_)], np.zeros(0, np.float32), near=True)
    view.whole = known
    shown = ledge(2.5, 3)
    figure = Box(round(2.5 * across), 120, 20, 30)
    figure.crop(shown)[:] = (190, 240, 255)
    above = Box(figure.x, figure.y, figure.width, 26)
    drawn = view.drawn_box(shown, above)
    assert abs(drawn.x - figure.x) <= 1
    assert abs(drawn.width - figure.width) <= 2
    assert abs(drawn.y + drawn.height - 150) <= 1
