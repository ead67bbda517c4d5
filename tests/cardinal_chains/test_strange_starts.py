"""Starts and holes as other makers mark them, and chains that a person has begun: pictures drawn here."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout
from autoplayer.settle import settle

LAYOUT = Layout(game="cardinal-chains")
PITCH, EDGE = 64, 80
RED, BLUE, GREEN, DARK, WHITE, PAPER = (
    (60, 50, 205),
    (190, 110, 40),
    (90, 150, 40),
    (40, 40, 40),
    (255,) * 3,
    (240,) * 3,
)
COLOURS = RED, BLUE, GREEN

HOLED = ["2 3 3 3 3", "2 X . 2 2", "2 2 1 1 2", "2 2 X . 2"]
FULL = ["2 3 3 3 3", "2 2 1 X 3", "X 2 1 1 2", "2 2 1 1 2"]

Draw = Callable[[Image, int, int, str, tuple[int, ...]], None]
"""Draws a token into the place with a middle, in a start's colour."""


def picture(
    rows: Sequence[str],
    draw: Draw,
    page: tuple[int, ...],
    chains: Sequence[Sequence[Cell]] = (),
    walls: tuple[int, ...] = (),
    lines: tuple[int, ...] = (),
) -> Image:
    """A board, each place drawn by ``draw``. Beneath, in this order: ``walls`` in a colour; ``lines`` from each place
    to the next; ``chains``, one for each start, from middle to middle."""
    down, across = len(rows), len(rows[0].split())
    image = np.full((down * PITCH + 2 * EDGE, across * PITCH + 2 * EDGE, 3), page, np.uint8)
    for cell in np.ndindex(down, across):
        x, y = middle(cell)
        if walls:
            box(image, x, y, PITCH // 2, walls, 1)
        for near in ((cell[0] + 1, cell[1]), (cell[0], cell[1] + 1)):
            if lines and near[0] < down and near[1] < across:
                cv2.line(image, (x, y), middle(near), lines, 2)
    for colour, chain in zip(COLOURS, chains, strict=False):
        for one, other in itertools.pairwise(chain):
            cv2.line(image, middle(one), middle(other), colour, PITCH // 3)
    starts = 0
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            draw(image, *middle((r, c)), token, COLOURS[starts % 3])
            starts += token == "X"
    return image


def middle(cell: Cell) -> tuple[int, int]:
    return EDGE + cell[1] * PITCH + PITCH // 2, EDGE + cell[0] * PITCH + PITCH // 2


def number(image: Image, x: int, y: int, token: str, colour: tuple[int, ...] = DARK, scale: float = 1.0) -> None:
    thick = round(2 * scale)
    (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
    cv2.putText(image, token, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, scale, colour, thick, cv2.LINE_AA)


def box(image: Image, x: int, y: int, half: int, colour: tuple[int, ...], width: int = -1) -> None:
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), colour, width)


def settled(image: Image) -> list[str]:
    result = settle(GAME, GAME.read(image, LAYOUT))
    assert result.playable, result.reason
    return format_puzzle(result.puzzle).splitlines()


def outlined(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
    if token == "X":
        box(image, x, y, 26, colour, 4)
    elif token != ".":
        box(image, x, y, 27, (239, 236, 233))
        number(image, x, y, token)


def cornered(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
    box(image, x, y, PITCH // 2, DARK)
    box(image, x, y, PITCH // 2 - 1, DARK if token == "." else (246, 253, 255))
    if token == "X":
        corner = (x - 31, y - 31)
        cv2.fillPoly(image, [np.array([corner, (x + 5, y - 31), (x - 31, y + 5)], np.int32)], colour)
    elif token != ".":
        number(image, x, y, token)


def crossed(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
    box(image, x, y, 30, {".": (233, 222, 216), "X": colour}.get(token, WHITE))
    if token == ".":
        for way in (-1, 1):
            cv2.line(image, (x - 16, y - 16 * way), (x + 16, y + 16 * way), (212, 200, 192), 3, cv2.LINE_AA)
    elif token == "X":
        cv2.line(image, (x - 16, y), (x + 16, y), WHITE, 6)
        cv2.line(image, (x, y - 16), (x, y + 16), WHITE, 6)
    else:
        number(image, x, y, token)


@pytest.mark.parametrize(
    ("draw", "page"),
    [(outlined, WHITE), (cornered, (225, 239, 244)), (crossed, (244, 239, 236))],
    ids=["outlined", "a coloured corner, holes black", "a plus, holes crossed out"],
)
def test_starts_that_show_no_x_are_found_and_holes_are_none(draw: Draw, page: tuple[int, ...]) -> None:
    assert settled(picture(HOLED, draw, page)) == HOLED


def triangle(image: Image, x: int, y: int, colour: tuple[int, ...]) -> None:
    cv2.fillPoly(image, [np.array([(x, y - 22), (x + 22, y + 18), (x - 22, y + 18)], np.int32)], colour, cv2.LINE_AA)


def a_small_x(image: Image, x: int, y: int, colour: tuple[int, ...]) -> None:
    box(image, x, y, 29, colour)
    number(image, x, y, "X", WHITE, 0.8)


@pytest.mark.parametrize(
    ("mark", "walled", "scale"),
    [
        (triangle, True, 0.8),
        (triangle, True, 2.0),
        (triangle, False, 0.8),
        (a_small_x, True, 0.8),
        (a_small_x, False, 0.8),
    ],
)
def test_places_that_are_crossed_out_from_corner_to_corner_are_holes(
    mark: Callable[[Image, int, int, tuple[int, ...]], None], walled: bool, scale: float
) -> None:
    """Incident: each cross was played as a start, though starts had an X of the numbers' size, or a triangle."""

    half = 29 if scale < 1 else 31

    def struck(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
        if token != "." and walled:
            box(image, x, y, 29, WHITE)
        if token == ".":
            for way in (-1, 1):
                cv2.line(image, (x - half, y - half * way), (x + half, y + half * way), (190, 190, 190), 1, cv2.LINE_AA)
        elif token == "X":
            mark(image, x, y, colour)
        else:
            number(image, x, y, token, scale=scale)

    assert settled(picture(HOLED, struck, PAPER)) == HOLED


def joined(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
    if token == ".":
        return
    cv2.circle(image, (x, y), 19, (213, 232, 238), -1, cv2.LINE_AA)
    cv2.circle(image, (x, y), 19, colour if token == "X" else (117, 110, 88), 2, cv2.LINE_AA)
    if token == "X":
        cv2.circle(image, (x, y), 11, colour, 3, cv2.LINE_AA)
    else:
        number(image, x, y, token, scale=0.7)


def test_numbers_in_rings_that_lines_join_are_read() -> None:
    """Drawn as a graph: rings and lines are one piece, and no place alone looked like a number."""
    image = picture(FULL, joined, (227, 246, 253), lines=(161, 161, 147))
    assert settled(image) == FULL


def discs(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
    if token == "X":
        cv2.circle(image, (x, y), 16, colour, -1, cv2.LINE_AA)
    else:
        number(image, x, y, token, (30, 30, 30))


def test_a_start_in_its_chains_colour_is_found_where_the_chain_begins() -> None:
    """Disc and line are one figure that looked like a 1, or like nothing."""
    chains = [[(1, 3), (1, 2), (2, 2), (3, 2)], [(2, 0), (3, 0), (3, 1)]]
    image = picture(FULL, discs, (215, 220, 220), chains, walls=(150, 150, 150))
    assert settled(image) == FULL


def test_a_wall_that_is_seen_through_a_pale_line_does_not_end_it() -> None:
    """A column that is a chain had walls on two sides only, and was taken for holes."""
    rows = ["X X 1 1", "1 1 1 1", "1 2 2 2", "1 2 2 2", "2 3 3 3", "2 3 3 3"]
    chains = [[(r, 0) for r in range(6)]]
    bare = picture(rows, lambda *_: None, WHITE, walls=(204, 204, 204))
    full = picture(rows, lambda *_: None, WHITE, chains, walls=(204, 204, 204))
    image = np.rint(0.55 * bare + 0.45 * full).astype(np.uint8)
    glyphs = picture(rows, discs, WHITE)
    stands = (glyphs != 255).any(axis=2)
    image[stands] = glyphs[stands]
    assert settled(image) == rows


def disc(image: Image, x: int, y: int) -> None:
    cv2.circle(image, (x, y), 13, DARK, -1, cv2.LINE_AA)


def diamond(image: Image, x: int, y: int) -> None:
    cv2.fillPoly(image, [np.array([(x - 16, y), (x, y - 16), (x + 16, y), (x, y + 16)], np.int32)], DARK, cv2.LINE_AA)


def letter(image: Image, x: int, y: int) -> None:
    number(image, x, y, "A")


@pytest.mark.parametrize("sign", [disc, diamond, letter])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_signs_in_the_numbers_own_ink_are_starts_where_all_else_is_a_number(
    sign: Callable[[Image, int, int], None], dark: bool
) -> None:
    """Incident: tiles, digits and discs in two colours altogether, as a page in one colour has them: no start was
    seen."""

    def signed(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
        if token == ".":
            return
        box(image, x, y, 29, WHITE, -1)
        if token == "X":
            sign(image, x, y)
        else:
            number(image, x, y, token)

    image = picture(HOLED, signed, PAPER)
    assert settled(255 - image if dark else image) == HOLED


def test_signs_are_starts_and_grey_places_beside_them_are_holes() -> None:
    """Incident: the holes, which differ in colour, were looked at alone."""

    def filled(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
        box(image, x, y, 29, (180, 180, 180) if token == "." else WHITE, -1)
        if token == "X":
            disc(image, x, y)
        elif token != ".":
            number(image, x, y, token)

    assert settled(picture(HOLED, filled, PAPER)) == HOLED


def test_cells_filled_with_colours_are_starts_and_grey_ones_are_holes() -> None:
    def filled(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
        box(image, x, y, 31, {".": (190, 190, 190), "X": colour}.get(token, (0, 0, 0)))
        if token not in ".X":
            number(image, x, y, token, WHITE)

    reading = GAME.read(picture(HOLED, filled, (0, 0, 0), walls=WHITE), LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == HOLED  # before any rule has spoken


def test_coloured_letters_among_numbers_in_one_ink_are_starts() -> None:
    """An S in its chain's colour was read as a 5."""

    def lettered(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
        box(image, x, y, 29, WHITE if token != "." else PAPER, -1)
        if token == "X":
            number(image, x, y, "S", colour)
        elif token != ".":
            number(image, x, y, token)

    assert settled(picture(HOLED, lettered, PAPER)) == HOLED


def test_dark_places_are_holes_where_a_letter_is_the_start() -> None:
    """Incident: on a small board with dark holes one of them was taken for the start, and the S for a 5, for only so it
    had a solution."""

    def lettered(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
        box(image, x, y, 31, {".": (60, 60, 60)}.get(token, WHITE), -1)
        if token != ".":
            number(image, x, y, "S" if token == "X" else token)

    rows = ["2 1 1 1", "2 1 . 1", "1 1 1 1", "X . 1 1"]
    assert settled(picture(rows, lettered, PAPER, walls=(150, 150, 150))) == rows


def zeros(image: Image, x: int, y: int, token: str, colour: tuple[int, ...]) -> None:
    box(image, x, y, 28, WHITE, -1)
    number(image, x, y, "0" if token == "X" else token, (30, 30, 30))


@pytest.mark.parametrize("walls", [(), (60, 60, 60)], ids=["tiles", "walls"])
def test_zeros_are_starts_where_there_is_no_x(walls: tuple[int, ...]) -> None:
    """As levels are written, with a 0 where a chain begins: it was taken for nothing, and no start was seen."""
    assert settled(picture(FULL, zeros, PAPER, walls=walls)) == FULL


def test_many_zeros_are_no_starts() -> None:
    """A table of numbers, with a 0 where nothing was counted."""
    rows = ["X 3 X 3 X", "2 X 1 X 2", "X 2 X 2 X", "2 X 2 X 2"]
    with pytest.raises(UnreadableError, match="no board"):
        GAME.read(picture(rows, zeros, PAPER), LAYOUT)
