"""Boards whose starts show no X, but a corner in the colour of their chain. The windows are drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains.seeing.glyphs.corners import with_a_corner
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View
from tests.cardinal_chains.test_decorated_holes import (
    CREAM,
    DARK,
    HALF,
    PAGE,
    ROWS,
    Draw,
    colour_of,
    corner,
    nothing,
    read,
    ring,
    tile,
    window,
)


def small(image: Image, at: tuple[int, int], cell: Cell) -> None:
    x, y = at[0] + HALF - 1, at[1] - HALF + 1
    cv2.rectangle(image, (x - 13, y), (x, y + 13), colour_of(cell), -1)


def stub(image: Image, at: tuple[int, int], cell: Cell) -> None:
    corner(image, at, cell)
    cv2.line(image, (at[0] + 2, at[1] - 12), (at[0] + 2, at[1] + 12), colour_of(cell), 4)


def rounded(image: Image, at: tuple[int, int], cell: Cell) -> None:
    """A tile with round corners."""
    mask = np.zeros(image.shape[:2], np.uint8)
    (x, y), half, by = at, HALF, 10
    for dx, dy in ((half, half - by), (half - by, half)):
        cv2.rectangle(mask, (x - dx, y - dy), (x + dx, y + dy), 255, -1)
    for across in (-1, 1):
        for down in (-1, 1):
            cv2.circle(mask, (x + across * (half - by), y + down * (half - by)), by, 255, -1)
    image[mask > 0] = CREAM


def cut_off(image: Image, at: tuple[int, int], cell: Cell) -> None:
    """A corner of a tile with round corners, which ends where the tile does."""
    whole = image.copy()
    corner(whole, at, cell)
    tile_only = np.zeros_like(image)
    rounded(tile_only, at, cell)
    inside = (tile_only > 0).any(axis=2)
    image[inside] = whole[inside]


@pytest.mark.parametrize(
    ("start", "ground", "page"),
    [
        pytest.param(small, tile, DARK, id="small squares"),
        pytest.param(cut_off, rounded, DARK, id="round tiles"),
        pytest.param(stub, tile, PAGE, id="what looks like a 1 beside the corners"),
    ],
)
def test_cells_with_a_coloured_corner_are_starts(start: Draw, ground: Draw, page: tuple[int, int, int]) -> None:
    assert read(window(start, nothing, ground=ground, page=page)) == list(ROWS)


def test_a_corner_beside_a_number_is_no_start() -> None:
    """As hints or marks that a person has set."""

    def marked(image: Image, at: tuple[int, int], cell: Cell) -> None:
        tile(image, at, cell)
        if cell in ((1, 1), (3, 3)):
            corner(image, at, (0, 0))

    assert read(window(ring, nothing, ground=marked)) == list(ROWS)


SIDE, RED, GROUND = 50, (60, 76, 231), (205, 222, 232)


def cell_with(draw: list[tuple[float, tuple[int, int]]], outline: int = 1, colour: tuple[int, ...] = RED) -> bool:
    """Whether a cell counts as one with a coloured corner; ``draw``: the legs of triangles, as shares of its side, and
    the corners in which they are, as (right, below), 0 or 1."""
    image = np.full((80, 80, 3), 255, np.uint8)
    cv2.rectangle(image, (15, 15), (14 + SIDE, 14 + SIDE), GROUND, -1)
    for leg, (right, below) in draw:
        x, y, by = 15 + right * (SIDE - 1), 15 + below * (SIDE - 1), round(leg * SIDE)
        points = [(x, y), (x + (1 - 2 * right) * by, y), (x, y + (1 - 2 * below) * by)]
        cv2.fillPoly(image, [np.array(points)], colour, cv2.LINE_AA)
    cv2.rectangle(image, (15, 15), (14 + SIDE, 14 + SIDE), (90, 90, 90), outline)
    return counts(image, SIDE)


def counts(image: Image, side: int) -> bool:
    found = lattice.Lattice(40, 40, 1.2 * side, 1.2 * side, side, side, frozenset({(0, 0)}))
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, True)
    here = ink.content(image, found.box((0, 0), 0.8))
    return with_a_corner(view, found, (0, 0), here, np.array([GROUND], np.float32)) is not here


@pytest.mark.parametrize(
    ("draw", "outline", "expected"),
    [
        pytest.param([(0.3, (0, 0))], 1, True, id="above left"),
        pytest.param([(0.35, (1, 1))], 1, True, id="below right"),
        pytest.param([(0.4, (1, 0))], 3, True, id="a broad outline"),
        pytest.param([(0.17, (0, 0))], 1, False, id="a speck"),
        pytest.param([(0.35, (0, 0)), (0.35, (1, 1))], 1, False, id="two corners"),
        pytest.param([], 1, False, id="nothing"),
    ],
)
def test_one_corner_in_a_colour(draw: list[tuple[float, tuple[int, int]]], outline: int, expected: bool) -> None:
    assert cell_with(draw, outline) is expected


def test_a_grey_corner_is_no_mark() -> None:
    assert not cell_with([(0.4, (0, 0))], colour=(110, 110, 110))


def test_a_band_across_a_corner_is_no_mark() -> None:
    image = np.full((80, 80, 3), GROUND, np.uint8)
    along, across = np.ogrid[:80, :80]
    image[(along + across >= 40) & (along + across < 60)] = RED
    assert not counts(image, SIDE)


def test_the_corner_of_a_round_cell_shows_what_is_behind() -> None:
    image = np.full((80, 80, 3), GROUND, np.uint8)
    cv2.fillPoly(image, [np.array([(15, 15), (40, 15), (15, 40)])], RED, cv2.LINE_AA)
    mask = np.zeros((80, 80), np.uint8)
    cv2.rectangle(mask, (31, 31), (48, 48), 255, -1)
    image[cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (33, 33))) == 0] = (255, 255, 255)
    assert counts(image, SIDE)


def test_a_cell_of_a_few_pixels_has_no_corners() -> None:
    image = np.full((80, 80, 3), GROUND, np.uint8)
    image[33:37, 33:37] = RED
    assert not counts(image, 15)
    assert counts(image.repeat(2, axis=0).repeat(2, axis=1)[40:120, 40:120].copy(), 30)
