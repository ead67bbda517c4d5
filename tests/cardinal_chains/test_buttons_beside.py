"""Rows and columns of numbered buttons exactly where the next cells of a board would stand."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from tests.cardinal_chains.test_first_levels import middle, read

PITCH = 60
PAGE, TILE, INK, BLUE, GREEN = (238, 234, 233), (252, 250, 246), (40, 40, 40), (200, 120, 40), (90, 190, 90)
BOARD = ["4322", "43X1", "2111", "2221"]


@dataclass(frozen=True)
class Drawn:
    """How a cell is drawn: its fill and border, BGR, half its side and its corners' radius, pixels, the size of its
    number, and how far it stands from its place, to the right and down."""

    fill: tuple[int, int, int] = TILE
    border: tuple[int, int, int] | None = None
    half: int = 28
    radius: int = 0
    size: float = 1.0
    off: tuple[int, int] = (0, 0)


def tile(image: Image, at: tuple[int, int], text: str, how: Drawn) -> None:
    x, y = middle(at, PITCH)[0] + how.off[0], middle(at, PITCH)[1] + how.off[1]
    for half, colour in ((how.half, how.border or how.fill), (how.half - 2, how.fill)):
        r = min(how.radius, half)
        cv2.rectangle(image, (x - half + r, y - half), (x + half - r, y + half), colour, -1)
        cv2.rectangle(image, (x - half, y - half + r), (x + half, y + half - r), colour, -1)
        for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            cv2.circle(image, (x + dx * (half - r), y + dy * (half - r)), r, colour, -1, cv2.LINE_AA)
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, how.size, 2)
    cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, how.size, INK, 2, cv2.LINE_AA)


@dataclass(frozen=True)
class Window:
    rows: list[str] = field(default_factory=lambda: list(BOARD))
    cell: Drawn = Drawn()
    button: Drawn = Drawn()
    first: int = 1
    shades: tuple[int, ...] = ()
    """By how many grey levels each row is darker than the first."""

    def drawn(self) -> Image:
        image = np.full((520, 480, 3), PAGE, np.uint8)
        for row, line in enumerate(self.rows):
            darker = self.shades[row] if self.shades else 0
            for column, text in enumerate(line):
                how = Drawn(fill=(TILE[0] - darker, TILE[1] - darker, TILE[2] - darker)) if darker else self.cell
                tile(image, (row, column), text, how)
        for column in range(len(self.rows[0])):
            tile(image, (len(self.rows), column), str(self.first + column), self.button)
        return image


@pytest.mark.parametrize("first", [1, 5])
@pytest.mark.parametrize(
    "button",
    [
        Drawn(fill=(222, 220, 216)),
        Drawn(fill=BLUE),
        Drawn(border=(120, 120, 120)),
        Drawn(radius=28),
        Drawn(half=25),
        Drawn(size=0.85),
        Drawn(off=(0, 7)),
    ],
    ids=["fill", "colour", "border", "disc", "smaller", "type", "gap"],
)
def test_buttons_that_look_unlike_all_cells_are_none_of_the_board(button: Drawn, first: int) -> None:
    assert read(Window(button=button, first=first).drawn()) == ([" ".join(row) for row in BOARD], True)


def test_consecutive_numbers_that_look_like_all_others_are_cells() -> None:
    assert read(Window().drawn())[0] == [" ".join(row) for row in [*BOARD, "1234"]]


def test_a_chain_in_a_colour_of_its_own_holds_cells() -> None:
    rows = ["4322", "4321", "2111", "X221"]
    assert read(Window(rows=rows, button=Drawn(fill=GREEN)).drawn())[0] == [" ".join(row) for row in [*rows, "1234"]]


def test_rows_that_are_darker_and_darker_are_cells() -> None:
    image = Window(button=Drawn(fill=(172, 170, 166)), shades=(0, 20, 40, 60)).drawn()
    assert read(image)[0] == [" ".join(row) for row in [*BOARD, "1234"]]


def test_an_outer_row_at_the_rim_of_a_panel_is_one_of_the_board() -> None:
    image = np.full((520, 480, 3), PAGE, np.uint8)
    (x, y), (u, v) = middle((0, 0), PITCH), middle((4, 3), PITCH)
    cv2.rectangle(image, (x - 36, y - 36), (u + 36, v + 30), (120, 90, 60), -1)
    for row, line in enumerate([*BOARD, "1234"]):
        for column, text in enumerate(line):
            tile(image, (row, column), text, Drawn())
    assert read(image)[0] == [" ".join(row) for row in [*BOARD, "1234"]]


@pytest.mark.parametrize("first", [1, 5])
def test_a_row_on_tiles_coloured_by_number_is_one_of_the_board(first: int) -> None:
    """Each of 6 to 9 stands only once, so that no tile was like theirs, and the row was dropped."""
    rows = ["X1122", "1X213", "32233"]
    colours = dict(
        zip(
            "123456789",
            [
                (255, 187, 255),
                (219, 182, 255),
                (255, 218, 218),
                (200, 230, 200),
                (255, 255, 110),
                (200, 255, 140),
                (207, 207, 255),
                (160, 220, 250),
                (230, 230, 160),
            ],
            strict=True,
        )
    )
    last = [str(first + k) for k in range(5)]
    image = np.full((520, 480, 3), PAGE, np.uint8)
    for row, line in enumerate([*rows, last]):
        for column, text in enumerate(line):
            tile(image, (row, column), text, Drawn(fill=colours.get(text, (36, 154 - 40 * row, 255)), half=29))
    assert read(image)[0] == [" ".join(line) for line in [*rows, last]]
