"""Which thing is the figure, by what moves when a key is pressed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.puzzle import Level, parse
from autoplayer.games.continuity.seeing.sight import Kind, Tiles
from autoplayer.games.continuity.seeing.things.things import SECOND
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.moving import corrected, moved
from tests.continuity.seeing_window import Shown
from tests.continuity.test_seeing import LEVELS, kinds, sliding, true_kinds

OTHERS: dict[Kind, Kind] = {"figure": "key", "key": "door", "door": "figure"}


def pressed(shown: Shown, key: str, times: int = 15) -> tuple[Image, Image]:
    """The walking view before and after a key was held for so many steps."""
    shown.tap("space")
    before = shown.image()
    shown.step((key,), times=times)
    shown.step(times=8)
    return before, shown.image()


def misread(tiles: Tiles) -> Tiles:
    """The same things, every kind wrong."""
    return replace(tiles, things=tuple(thing._replace(kind=OTHERS[thing.kind]) for thing in tiles.things))


@pytest.mark.parametrize(
    ("number", "look", "theme", "size", "camera"),
    [(0, "bricks", "dark", "1000x760", "whole"), (4, "bricks", "dark", "1000x760", "whole"),
     (1, "bricks", "light", "800x600", "whole"), (4, "plain", "dark", "700x560", "whole"),
     (0, "outlines", "light", "900x700", "whole"), (1, "outlines", "light", "900x700", "whole"),
     (1, "plain", "light", "900x700", "tile"), (4, "plain", "light", "900x700", "tile")],
)  # fmt: skip
def test_whatever_the_things_were_taken_for_what_moved_is_the_figure(
    number: int, look: str, theme: str, size: str, camera: str
) -> None:
    shown = Shown(LEVELS[number], "--look", look, "--theme", theme, "--size", size, "--camera", camera)
    tiles = misread(read_tiles(sliding(shown)))
    found = corrected(tiles, *pressed(shown, "right"))
    assert found is not None
    assert kinds(found, shown.level) == true_kinds(shown.level)
    assert [thing.sure for thing in found.things if thing.kind == "figure"] == [1.0]
    assert not any("figure" in doubt for doubt in found.doubts)


def test_nothing_is_corrected_where_nothing_moved() -> None:
    shown = Shown(LEVELS[0], "--look", "bricks", "--size", "800x600")
    tiles = read_tiles(sliding(shown))
    shown.tap("space")
    before = shown.image()
    shown.step(times=20)  # the torches flicker
    assert corrected(tiles, before, shown.image()) is None


def key_beside_figure() -> Level:
    """A level whose figure takes a key within a step."""
    text = "+----------+----------+\n" + "\n".join(
        f"|{left}|{right}|"
        for left, right in [
            ("##########", "__________"), ("#........#", "__________"), ("#........#", "__________"),
            ("#..SK..D.#", "__________"), ("##########", "__________"),
        ]
    )  # fmt: skip
    lower = "\n".join(["|##########|##########|", *["|#........#|#........#|"] * 3, "|##########|##########|"])
    edge = "+----------+----------+"
    level = parse(f"{text}\n{edge}\n{lower}\n{edge}")
    assert isinstance(level, Level)
    return level


def test_a_key_that_was_taken_on_the_way_is_not_what_moved() -> None:
    shown = Shown(key_beside_figure(), "--look", "bricks", "--size", "800x600")
    tiles = read_tiles(sliding(shown))
    before, after = pressed(shown, "right", times=17)
    assert shown.engine.taken
    number = moved(before, after, tiles)
    assert number is not None
    thing, pitch = tiles.things[number], tiles.boxes[0].width / 10
    assert (thing.x + thing.width / 2) / pitch == pytest.approx(3.5, abs=0.2)


def doubled(image: Image, figure: Box, beside: int) -> Image:
    """``image`` with a copy of what is in ``figure`` so many pixels beside it."""
    found = image.copy()
    found[figure.y : figure.y + figure.height, figure.x + beside : figure.x + beside + figure.width] = figure.crop(
        image
    )
    return found


@pytest.mark.parametrize("way", [-1, 1])
def test_of_two_figures_the_one_that_the_key_moves_is_it(way: int) -> None:
    shown = Shown(LEVELS[1], "--look", "plain", "--size", "800x600")
    small = sliding(shown)
    figure = shown.figure()
    beside = way * round(1.6 * figure.width)
    tiles = read_tiles(doubled(small, figure, beside))
    assert sum(thing.kind == "figure" for thing in tiles.things) == 2
    place = shown.boxes()[shown.cells.index(shown.engine.tile)]
    shown.tap("space")
    before, still = shown.image(), shown.figure()
    beside = way * round(1.6 * still.width)
    other = Box(still.x + beside, still.y, still.width, still.height)
    shown.step(("right" if way < 0 else "left",), times=15)
    after = shown.image()
    other.crop(after)[:] = still.crop(before)
    found = corrected(tiles, doubled(before, still, beside), after)
    assert found is not None
    played = max((thing for thing in found.things if thing.kind == "figure"), key=lambda each: each.sure)
    assert played.sure == 1.0
    assert abs(played.x + played.width / 2 - (figure.x + figure.width / 2 - place.x)) <= 2
    second = [thing for thing in found.things if thing.kind == "figure" and thing is not played]
    assert [thing.sure <= SECOND for thing in second] == [True]


def test_pictures_of_different_sizes_show_nothing() -> None:
    shown = Shown(LEVELS[0], "--size", "800x600")
    image = sliding(shown)
    assert moved(image, np.ascontiguousarray(image[:-2]), read_tiles(image)) is None
