"""What is seen of a level: the board, walls, things, and the figure from picture to picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games.continuity import GAME
from autoplayer.games.continuity.puzzle import Level
from autoplayer.games.continuity.seeing.board.boards import find_board
from autoplayer.games.continuity.seeing.sight import Bools, Tiles
from autoplayer.games.continuity.seeing.things.things import read_things
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.moving import moved
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker
from tests.continuity.seeing_window import Shown

ARCADE = find("continuity")
LEVELS: list[Level] = [each.puzzle for each in load(ARCADE.levels, ARCADE.parse)]
SCREENS = Path(__file__).resolve().parents[3] / "shared/screens"


def sliding(shown: Shown) -> Image:
    shown.step(times=5)
    shown.tap("space")
    return shown.image()


def kinds(tiles: Tiles, level: Level) -> list[tuple[str, int, int, int]]:
    """Each thing with its tile, row and column of cells."""
    rows, columns = level.size
    _, height, width = tiles.solid.shape
    return sorted(
        (
            thing.kind,
            thing.tile,
            int((thing.y + thing.height / 2) * rows / height),
            int((thing.x + thing.width / 2) * columns / width),
        )
        for thing in tiles.things
    )


def true_kinds(level: Level) -> list[tuple[str, int, int, int]]:
    names = {"S": "figure", "K": "key", "D": "door"}
    return sorted((names[mark], *found) for mark in names for found in level.found(mark))


@pytest.mark.parametrize(
    ("look", "theme", "size", "gap"),
    [
        ("plain", "light", "800x600", "14"),
        ("plain", "dark", "640x480", "5"),
        ("bricks", "light", "1000x700", "14"),
        ("bricks", "colour-blind", "1280x900", "14"),
        ("outlines", "light", "900x900", "10"),
        ("outlines", "dark", "800x600", "14"),
        ("colours", "colour-blind", "1100x640", "8"),
    ],
)
@pytest.mark.parametrize("number", [3, 16])
def test_bundled_windows_are_read_to_the_cell(look: str, theme: str, size: str, gap: str, number: int) -> None:
    level = LEVELS[number]
    shown = Shown(level, "--look", look, "--theme", theme, "--size", size, "--slide-gap", gap)
    tiles = read_tiles(sliding(shown))
    assert tiles.boxes == shown.boxes()
    assert tiles.cells == shown.cells
    _, height, width = tiles.solid.shape
    assert (tiles.solid != shown.solid(width, height)).mean() < 0.002
    assert kinds(tiles, level) == true_kinds(level)


@pytest.mark.parametrize("look", ["plain", "bricks", "colours"])
def test_tiles_that_touch_are_told_apart_by_the_empty_place(look: str) -> None:
    shown = Shown(LEVELS[10], "--look", look, "--size", "800x600")
    shown.step(times=5)
    tiles = read_tiles(shown.image())
    assert tiles.boxes == shown.boxes()
    assert tiles.cells == shown.cells


@pytest.mark.parametrize("view", ["sliding", "walking"])
def test_a_pressed_picture_shows_its_board_to_the_pixel(view: str) -> None:
    """What was pressed has shades round the tiles that are no ground."""
    shown = Shown(LEVELS[10], "--look", "colours", "--size", "800x600")
    image = sliding(shown)
    if view == "walking":
        shown.tap("space")
        image = shown.image()
    pressed = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1], cv2.IMREAD_COLOR)
    assert find_board(np.asarray(pressed, np.uint8)).boxes == shown.boxes()


def test_spikes_are_seen() -> None:
    level = LEVELS[6]
    shown = Shown(level, "--size", "800x600")
    tiles = read_tiles(sliding(shown))
    _, height, width = tiles.spikes.shape
    truth = shown.solid(width, height, "^")
    assert truth.any()
    assert tiles.spikes[truth].mean() > 0.15
    assert not tiles.spikes[~truth].any()


def test_spikes_over_a_notch_in_an_inexact_wall_are_no_key() -> None:
    """Walls may be seen a pixel too low beside teeth, and a corner of these below their foot."""
    solid = np.zeros((2, 160, 240), np.bool_)
    solid[:, 140:] = True
    solid[0, 140, 115:] = False
    room, empty = np.where(solid[..., None], (190, 200, 185), (235, 245, 250)).astype(np.uint8)
    teeth = np.zeros(solid.shape[1:], np.bool_)
    for tooth in range(6):
        for row in range(11):
            half = max(row - 1, 0) * 4 // 10
            middle = 74 + 9 * tooth
            teeth[130 + row, middle - half : middle + half + 1] = True
    teeth &= ~solid[0]
    room[teeth] = (60, 70, 200)
    things, spikes, _ = read_things([room, empty], solid)
    assert not things
    assert spikes[0][teeth].mean() > 0.8


def follow(shown: Shown, tracker: Tracker, keys: tuple[str, ...], times: int) -> list[float]:
    """Steps with the figure's true and seen feet compared, in tile pixels."""
    rows, columns = shown.level.size
    _, height, width = tracker.tiles.solid.shape
    off = []
    for _ in range(times):
        shown.step(keys)
        seen = tracker.see(shown.image())
        assert (seen.view, seen.tile) == ("walking", shown.engine.tile)
        x, y = shown.engine.x * width / columns, shown.engine.y * height / rows
        off.append(max(abs(seen.x - x), abs(seen.y - y)))
    return off


@pytest.mark.parametrize(
    ("look", "camera", "size"),
    [("plain", "whole", "800x600"), ("bricks", "whole", "640x480"), ("colours", "whole", "1000x800"),
     ("outlines", "whole", "800x600"), ("plain", "tile", "800x600"), ("bricks", "tile", "800x600")],
)  # fmt: skip
def test_the_figure_is_followed(look: str, camera: str, size: str) -> None:
    shown = Shown(LEVELS[0], "--look", look, "--camera", camera, "--size", size)
    tiles = read_tiles(sliding(shown))
    tracker = Tracker(tiles)
    seen = tracker.see(shown.image())
    assert (seen.view, seen.tile, seen.cells) == ("sliding", shown.engine.tile, shown.cells)
    shown.play.tap("space")
    shown.step(times=9)
    assert tracker.see(shown.image()).view == "changing"
    shown.step(times=40)
    for _ in range(3):
        shown.step()
        seen = tracker.see(shown.image())
    assert seen.view == "walking"
    off = follow(shown, tracker, ("right",), 20)
    off += follow(shown, tracker, ("right", "up"), 30)
    off += follow(shown, tracker, ("left",), 30)
    assert max(off) < 3


def test_a_moved_tile_is_seen() -> None:
    shown = Shown(LEVELS[0], "--size", "800x600")
    tracker = Tracker(read_tiles(sliding(shown)))
    before = tracker.see(shown.image()).cells
    for way in ("left", "up", "right", "down"):
        shown.tap(way)
    after = tracker.see(shown.image()).cells
    assert before != after == shown.cells


def test_a_taken_key_is_gone() -> None:
    level = LEVELS[1]
    shown = Shown(level, "--size", "800x600")
    tiles = read_tiles(sliding(shown))
    tracker = Tracker(tiles)
    tracker.see(shown.image())
    shown.tap("space")
    for _ in range(4):
        shown.step()
        assert not tracker.see(shown.image()).gone
    key = next(n for n, thing in enumerate(tiles.things) if thing.kind == "key")
    shown.engine.taken.add(0)
    shown.step()
    assert tracker.see(shown.image()).gone == {key}


def test_what_moves_is_found() -> None:
    shown = Shown(LEVELS[0], "--look", "bricks", "--size", "800x600")
    tiles = read_tiles(sliding(shown))
    shown.tap("space")
    before = shown.image()
    shown.step(("right",), times=25)
    number = moved(before, shown.image(), tiles)
    assert number is not None
    assert tiles.things[number].kind == "figure"


def test_what_covers_the_board_is_no_view() -> None:
    shown = Shown(LEVELS[0], "--size", "800x600")
    image = sliding(shown)
    tracker = Tracker(read_tiles(image))
    assert tracker.see(image).view == "sliding"
    cover = np.full_like(image, 90)
    assert [tracker.see(cover).view for _ in range(20)][-1] == "gone"
    assert tracker.see(image).view == "sliding"


@pytest.mark.parametrize("name", ["swing_level1_play", "swing_level2_slide", "swing_level6_play"])
def test_a_real_remake_is_read(name: str) -> None:
    path = SCREENS / f"continuity/{name}.png"
    if not path.exists():
        pytest.skip("the real pictures are not beside the project")
    tiles = read_tiles(cv2.imread(str(path)))
    assert sorted(thing.kind for thing in tiles.things) == ["door", "figure", "figure", "key"]
    assert any("two things look like the figure" in doubt for doubt in tiles.doubts)
    size = (257, 170) if name.endswith("slide") else (285, 190)
    box = tiles.boxes[0]
    assert max(abs(box.width - size[0]), abs(box.height - size[1])) <= 1


def drawn(*, slopes: bool = False, shaded: bool = False) -> tuple[Image, Bools]:
    """Three rooms and an empty place as another author may draw them, and their walls, a pixel each. A post stands in
    each room; in one a figure, in one a key, in one a door."""
    height, width, cell = 160, 240, 20
    picture = np.full((450, 610, 3), (214, 220, 224), np.uint8)
    solid = np.zeros((3, height, width), np.bool_)
    places = [(40, 40), (330, 40), (40, 240)]
    for n, (x, y) in enumerate(places):
        wall = np.zeros((height, width), np.uint8)
        wall[:cell] = wall[-cell:] = wall[:, :cell] = wall[:, -cell:] = 1
        wall[80:140, (n % 2) * (width - cell) :][:, :cell] = 0
        wall[120:140, 100 + 20 * n : 120 + 20 * n] = 1
        if slopes:
            cv2.fillPoly(wall, [np.array([(80 + 20 * n, 140), (100 + 20 * n, 120), (100 + 20 * n, 140)], np.int32)], 1)
        solid[n] = wall > 0
        tile = np.full((height, width, 3), (244, 246, 248), np.uint8)
        tone = 90 - np.arange(height)[:, None, None] * 0.45 if shaded else np.full((height, 1, 1), 70.0)
        tile = np.where(solid[n][..., None], tone + np.array([20, 10, 0]), tile).astype(np.uint8)
        if n == 0:
            cv2.rectangle(tile, (52, 122), (59, 139), (40, 60, 220), -1)
            cv2.circle(tile, (55, 119), 5, (40, 60, 220), -1)
        elif n == 1:
            cv2.circle(tile, (170, 128), 4, (30, 190, 240), -1)
        else:
            cv2.rectangle(tile, (180, 112), (197, 139), (60, 150, 40), -1)
        picture[y : y + height, x : x + width] = tile
    return picture, solid


@pytest.mark.parametrize("how", ["slopes", "shaded"])
def test_rooms_as_others_draw_them_are_read(how: str) -> None:
    picture, solid = drawn(**{how: True})
    tiles = read_tiles(picture)
    assert tiles.cells == (0, 1, 2, -1)
    assert [(box.x, box.y, box.width, box.height) for box in tiles.boxes[:2]] == [
        (40, 40, 240, 160),
        (330, 40, 240, 160),
    ]
    wrong = np.stack([cv2.erode(each.astype(np.uint8), np.ones((3, 3), np.uint8)) for each in tiles.solid != solid])
    assert not wrong.any(), "more than a pixel beside an edge"
    assert [(thing.kind, thing.tile) for thing in tiles.things] == [("figure", 0), ("key", 1), ("door", 2)]


def test_other_pictures_hold_no_board() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (400, 500, 3)).astype(np.uint8)
    for image in (np.full((300, 400, 3), 200, np.uint8), noise):
        with pytest.raises(UnreadableError, match="no board of Continuity"):
            find_board(image)


@pytest.mark.parametrize("look", ["plain", "bricks"])
@pytest.mark.parametrize("number", [2, 16])
def test_a_tile_from_near_is_no_board_of_its_pieces(number: int, look: str) -> None:
    """Where the ground is the colour of the wall, any part of the picture that is all wall seems to be empty."""
    for size in ("700x560", "1000x760"):
        shown = Shown(LEVELS[number], "--look", look, "--theme", "dark", "--size", size, "--camera", "tile")
        shown.step(times=5)
        with pytest.raises(UnreadableError, match="no board of Continuity"):
            find_board(shown.image())


def test_its_own_picture_is_read() -> None:
    from autoplayer.layout import Layout

    puzzle = GAME.generate(3, 2, 1)
    assert GAME.read(GAME.draw(puzzle), Layout(game="continuity")).puzzle == puzzle
