"""How far down a figure goes whose legs are drawn like the walls: what moves with it belongs to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pytest

from autoplayer.core.frame import Box, Frame, Image
from autoplayer.core.gestures import Gesture, Hold, Pace
from autoplayer.games.continuity.piloting.identifying import Identifying
from autoplayer.games.continuity.piloting.looking import Looking
from autoplayer.games.continuity.seeing.sight import Thing, Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.layout import Layout
from tests.continuity.test_piloting_habits import CELL_PIXELS, board

BODY, LEGS, HIGH = (60, 150, 240), (25, 20, 20), 30
"""The colours of a figure's body and of its legs, which is that of the walls; how high it is, in pixels."""
STAND = 40 + 4 * CELL_PIXELS
"""Where the ground begins that it stands on."""


def legged(at: float, shadow: bool = False) -> Image:
    """A window with a figure on two legs, ``at`` cells from its tile's left side; or with a body as high as that, and a
    shadow on the ground below it."""
    picture = board(-9)  # its own figure is out of the picture
    x = 30 + round(at * CELL_PIXELS)
    if shadow:
        Box(x, STAND - HIGH, 16, HIGH).crop(picture)[:] = BODY
        Box(x - 1, STAND, 18, 5).crop(picture)[:] = (70, 62, 62)
        return picture
    Box(x, STAND - HIGH, 16, HIGH - 8).crop(picture)[:] = BODY
    for leg in (3, 10):
        Box(x + leg, STAND - 8, 3, 8).crop(picture)[:] = LEGS
    return picture


class Stepping:
    """A window in which a figure takes a step to the right when a key is held."""

    title = "stepping"

    def __init__(self, shadow: bool) -> None:
        self.at, self.shadow, self.clock = 1.4, shadow, 0.0

    def now(self) -> float:
        return self.clock

    def glance(self, pause: float = 0.0) -> Frame:
        self.clock += pause + 0.01
        return Frame(legged(self.at, self.shadow), (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self.glance(quiet)

    def hold(self, keys: Collection[str]) -> None: ...

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Hold):
                self.at += 12 * gesture.seconds


def figure_of(tiles: Tiles) -> Thing:
    return max((thing for thing in tiles.things if thing.kind == "figure"), key=lambda thing: thing.sure)


def without_legs(tiles: Tiles) -> Tiles:
    """The level with the figure's legs read as a wall."""
    figure, solid = figure_of(tiles), tiles.solid.copy()
    top, left = round(figure.y + figure.height), round(figure.x)
    solid[figure.tile, top - 8 : top, left : left + 16] = True
    short = figure._replace(height=figure.height - 8)
    return replace(tiles, solid=solid, things=tuple(short if each is figure else each for each in tiles.things))


def moved(window: Stepping, first: Frame, tiles: Tiles) -> Tiles:
    """``tiles`` with the figure that moved."""
    pilot = Identifying(window, Layout(game="continuity"), lambda _: None)
    found, _ = pilot._stirred(tiles, Looking(tiles), first, np.zeros(first.image.shape[:2], np.bool_), "right", 1)
    assert found is not None
    return found


def test_legs_of_the_walls_colour_belong_to_the_figure() -> None:
    """They were read as a wall below it, which stayed when it had left, and its feet were 8 of 30 pixels too high."""
    window = Stepping(shadow=False)
    first = window.glance()
    tiles = read_tiles(first.image)
    found = moved(window, first, without_legs(tiles))
    assert figure_of(found)[1:6] == pytest.approx(figure_of(tiles)[1:6], abs=1)
    assert (found.solid == tiles.solid).all()


def test_a_shadow_on_the_ground_is_no_part_of_the_figure() -> None:
    window = Stepping(shadow=True)
    first = window.glance()
    tiles = read_tiles(first.image)
    found = moved(window, first, tiles)
    assert figure_of(found).height == pytest.approx(HIGH, abs=1)
    assert (found.solid == tiles.solid).all()
