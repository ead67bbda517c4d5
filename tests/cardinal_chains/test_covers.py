"""What is read where something lies over a board: a pointer over a number, a smudge in a hole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Cell, Image, Point
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.games.cardinal_chains.seeing import judging
from autoplayer.games.cardinal_chains.seeing.covered import covers
from autoplayer.layout import Layout
from tests.cardinal_chains.test_without_a_doubt import cells, played

LAYOUT = Layout(game=GAME.name)
BOARD = GAME.parse("X 1 1 2 3\n1 1 2 2 3\n4 4 2 . 3\n3 4 4 X 3\n3 3 4 4 3")
ARROW = np.array([(0, 0), (0, 17), (4, 13), (7, 19), (9, 18), (6, 12), (12, 12)], np.float64)
"""A mouse pointer's outline, its tip first."""


def with_pointer(puzzle: Puzzle, cell: Cell, by: tuple[float, float], scale: float) -> Image:
    """The game's picture with a pointer whose tip stands ``by`` cell sides from the middle of a cell."""
    picture = GAME.draw(puzzle).copy()
    box = GAME.read(picture, LAYOUT).places[cell]
    tip = np.array(box.centre) + np.array(by) * box.width
    corners = np.round((ARROW * scale * box.width / 60 + tip) * 16).astype(np.int32)
    cv2.fillPoly(picture, [corners], (255, 255, 255), cv2.LINE_AA, 4)
    cv2.polylines(picture, [corners], True, (0, 0, 0), 1, cv2.LINE_AA, 4)
    return picture


@pytest.mark.parametrize("cell", [(0, 2), (1, 2), (2, 0), (3, 1), (4, 0), (4, 3)])
@pytest.mark.parametrize("by", [(0.03, 0.02), (0.0, -0.12), (-0.3, 0.03)])
def test_a_number_under_a_pointer_is_read_or_doubted(cell: Cell, by: tuple[float, float]) -> None:
    reading = GAME.read(with_pointer(BOARD, cell, by, 1.0), LAYOUT)
    doubted = {spot for doubt in reading.doubts for spot in doubt.cells}
    for spot, value in BOARD.cells.items():
        if spot not in doubted:
            assert reading.puzzle.cells[spot] == value
    for doubt in reading.doubts:
        assert doubt.cells == (cell,)
        assert str(BOARD.cells[cell]) in {token for token, _ in doubt.candidates}


def test_most_numbers_under_a_pointer_are_read_right() -> None:
    cells = [cell for cell, value in BOARD.cells.items() if value][::2]
    readings = [GAME.read(with_pointer(BOARD, cell, (0.03, 0.02), 1.0), LAYOUT) for cell in cells]
    assert sum(reading.puzzle == BOARD for reading in readings) >= 0.8 * len(cells)


@pytest.mark.parametrize(
    ("rows", "cell", "by", "scale"),
    [
        ("1 1 2 2 X\nX 1 . 2 1\n2 1 2 2 1\n2 3 2 X 2\n2 2 1 1 3", (4, 2), (-0.3, -0.43), 1.14),  # 1, sure to be a 4
        (". 1 1 X 3\n1 1 3 3 3\n1 1 2 . X\n1 1 2 3 1\n2 2 2 2 1", (4, 3), (-0.23, -0.22), 1.63),  # 2, cut apart
        ("3 X 4 4 4\n3 2 3 X 4\n2 2 2 2 2\n3 X 1 1 2\n3 3 4 1 1", (4, 0), (-0.3, -0.23), 1.24),  # 3, sure to be an X
    ],
)
def test_a_number_that_a_large_pointer_hides_in_part_is_no_other_number(
    rows: str, cell: Cell, by: tuple[float, float], scale: float
) -> None:
    """Incident: a pointer's white inside was taken for the cell's ground, where each stroke that it hides counted
    against the number; and what the network was sure of was compared with no other number."""
    board = GAME.parse(rows)
    reading = GAME.read(with_pointer(board, cell, by, scale), LAYOUT)
    doubted = {spot: dict(doubt.candidates) for doubt in reading.doubts for spot in doubt.cells}
    assert str(board.cells[cell]) in doubted.get(cell, {str(reading.puzzle.cells[cell])})
    assert all(reading.puzzle.cells[spot] == value for spot, value in board.cells.items() if spot != cell)


def test_what_a_pointer_hides_counts_for_no_number() -> None:
    """The 1 was in doubt, with a 4 and a 2: less is hidden of these if the pointer's inside is ground."""
    board = GAME.parse("3 2 2 2 2\n3 . 3 4 2\nX 1 X X 2\n1 1 2 3 4\n1 2 X 3 3")
    reading = GAME.read(with_pointer(board, (2, 1), (-0.06, -0.07), 1.3), LAYOUT)
    assert reading.puzzle == board
    assert not reading.doubts


def test_a_pale_smudge_in_a_hole_makes_no_doubt() -> None:
    picture = GAME.draw(BOARD).copy()
    places = GAME.read(picture, LAYOUT).places
    left, right, above = places[2, 2], places[2, 4], places[1, 3]
    x, y = (left.centre[0] + right.centre[0]) // 2, left.centre[1]
    ground = picture[y, x].astype(int)
    colour = tuple(int(v) - 25 if v > 128 else int(v) + 25 for v in ground)
    half = above.width // 4
    cv2.line(picture, (x - half, y + half), (x + half, y - half), colour, 5, cv2.LINE_AA)
    reading = GAME.read(picture, LAYOUT)
    assert reading.puzzle == BOARD
    assert not reading.doubts


@pytest.mark.parametrize(("share", "thick"), [(0.45, -1), (0.3, -1), (0.35, 7)], ids=["large", "small", "ring"])
def test_numbers_under_a_veils_rim_are_read(share: float, thick: int) -> None:
    """Incident: where the rim of a translucent hint ran through a cell, its number was in doubt, or taken for none."""
    picture = GAME.draw(BOARD)
    over = picture.copy()
    middle = GAME.read(picture, LAYOUT).places[1, 2].centre
    radius = round(share * min(picture.shape[:2]))
    cv2.circle(over, middle, radius, (200, 120, 60), thick, cv2.LINE_AA)
    reading = GAME.read(np.asarray(cv2.addWeighted(picture, 0.75, over, 0.25, 0), np.uint8), LAYOUT)
    assert reading.puzzle == BOARD
    assert not reading.doubts


@pytest.mark.parametrize(("radius", "angle", "thick"), [(1.2, 20, 0.4), (1.8, 20, 0.4), (1.8, 110, 0.6)])
def test_a_hole_that_a_ring_crosses_makes_no_doubt(radius: float, angle: float, thick: float) -> None:
    """Incident: the two edges of a translucent ring in a hole were taken for an X, and the ring beside it for a chain
    that led there: a hole was a start without a doubt."""
    reading = GAME.read(crossed_by_a_ring(GAME.draw(BOARD), (2, 3), radius, angle, thick), LAYOUT)
    assert reading.puzzle == BOARD
    assert not reading.doubts


def test_a_ring_through_two_holes_is_no_chain_that_leads_from_one_to_the_other() -> None:
    board = GAME.parse("X 1 1 2 3 3\n1 1 2 2 3 4\n4 4 2 . . 4\n3 4 4 X 3 4\n3 3 4 4 3 4")
    reading = GAME.read(crossed_by_a_ring(GAME.draw(board), (2, 3), 3.5, 70, 0.6), LAYOUT)
    assert reading.puzzle == board
    assert not reading.doubts


def test_a_start_of_its_own_colour_under_a_ring_is_rather_a_start() -> None:
    """Incident: the mark of a start was not legible under a ring, and any number was more probable, though no number
    had that ground."""
    picture = crossed_by_a_ring(GAME.draw(BOARD), (2, 3), 1.8, 20, 0.6, (255, 255, 255), 0.4)
    assert GAME.read(picture, LAYOUT).puzzle == BOARD


def crossed_by_a_ring(
    picture: Image,
    hole: Cell,
    radius: float,
    angle: float,
    thick: float,
    colour: tuple[int, int, int] = (200, 120, 60),
    strength: float = 0.25,
) -> Image:
    """A translucent ring over a board, one point of which is the middle of a hole; ``radius`` and ``thick`` in sides of
    a cell, ``angle`` in degrees, ``colour`` BGR."""
    places = GAME.read(picture, LAYOUT).places
    above, beside = places[hole[0] - 1, hole[1]], places[hole[0], hole[1] - 1]
    side, turn = above.width, np.radians(angle)
    x, y = above.centre[0] - radius * side * np.cos(turn), beside.centre[1] - radius * side * np.sin(turn)
    over = picture.copy()
    cv2.circle(over, (round(x), round(y)), round(radius * side), colour, round(thick * side), cv2.LINE_AA)
    return np.asarray(cv2.addWeighted(picture, 1 - strength, over, strength, 0), np.uint8)


def test_any_number_may_stand_where_a_start_is_in_doubt() -> None:
    """Incident: a 2 under a pointer may have been a start, a 3 or a 4; with a start more every level has a solution, so
    that it was settled, and wrong."""
    cell = 1, 2
    picture = with_pointer(BOARD, cell, (0.0, -0.12), 1.0)
    board = judging.find_board(picture, LAYOUT, asking=False)
    doubted = replace(board.places[cell], candidates=(("X", 0.6), ("3", 0.2), ("4", 0.2)), cluster=1000)
    board.places[cell] = doubted
    chances = dict(covers._by_what_shows(picture, board, board.places)[cell].candidates)
    assert 0.1 < chances["X"] < 0.95
    assert all(chances[str(number)] > 0.05 * chances["X"] for number in (1, 2, 3, 4))


@pytest.mark.parametrize("cell", [(2, 0), (2, 1), (4, 2), (4, 3)])
def test_a_number_under_a_pointer_is_hardly_a_start_without_a_starts_ground(cell: Cell) -> None:
    """Incident: half of a 4 under a large pointer was rather a start, though all starts stood on grounds of their
    own."""
    reading = GAME.read(with_pointer(BOARD, cell, (0.0, -0.12), 1.5), LAYOUT)
    assert reading.puzzle == BOARD


@pytest.mark.parametrize(
    ("outlined", "cell", "by", "axes", "angle", "size"),
    [
        pytest.param(False, (3, 3), (4, -8), (20, 18), 113, 0.8, id="tile"),
        pytest.param(False, (1, 1), (0, -14), (18, 12), 78, 1.0, id="tile, at its edge"),
        pytest.param(True, (0, 3), (-13, -3), (20, 15), 25, 1.0, id="closed cell, at its left"),
        pytest.param(True, (3, 3), (-14, 5), (19, 11), 15, 1.0, id="closed cell, below"),
    ],
)
def test_a_number_under_a_blot_is_not_surely_a_hole(
    outlined: bool, cell: Cell, by: Point, axes: tuple[int, int], angle: int, size: float
) -> None:
    """No number explains the blot; without a limit for holes the place was one without a doubt."""
    rows, ink = ["3332", "33.1", "44X1", "5511"], (30, 30, 30)
    picture = np.full((340, 360, 3), 250, np.uint8)
    for r, c in np.ndindex(4, 4):
        x, y, gap = 60 + 60 * c, 50 + 60 * r, 0 if outlined else 4
        if rows[r][c] == ".":
            continue
        cv2.rectangle(picture, (x + gap // 2, y + gap // 2), (x + 60 - gap, y + 60 - gap), (205, 222, 232), -1)
        if outlined:
            cv2.rectangle(picture, (x, y), (x + 60, y + 60), ink, 1)
        (w, h), _ = cv2.getTextSize(rows[r][c], cv2.FONT_HERSHEY_DUPLEX, size, 1)
        at = x + 30 - w // 2, y + 30 + h // 2
        cv2.putText(picture, rows[r][c], at, cv2.FONT_HERSHEY_DUPLEX, size, ink, 1 if size < 0.9 else 2, cv2.LINE_AA)
    spot = 90 + 60 * cell[1] + by[0], 80 + 60 * cell[0] + by[1]
    cv2.ellipse(picture, spot, axes, angle, 0, 360, (150, 40, 180), -1, cv2.LINE_AA)
    reading = GAME.read(picture, LAYOUT)
    doubted = {one for doubt in reading.doubts for one in doubt.cells}
    assert cell in doubted or str(reading.puzzle.cells.get(cell)) == rows[cell[0]][cell[1]]


@pytest.mark.parametrize(
    ("larger", "chance", "compared"),
    [(1.1, 0.99, False), (1.25, 0.99, True), (1.25, 0.9985, True), (1.25, 0.9995, False)],
)
def test_only_what_is_larger_than_equal_numbers_and_not_quite_sure_is_compared(
    larger: float, chance: float, compared: bool
) -> None:
    board, cell = judging.find_board(GAME.draw(BOARD), LAYOUT, asking=False), (2, 0)
    place = board.places[cell]
    box = place.content.box
    content = replace(place.content, box=replace(box, height=round(larger * box.height)))
    candidates = ("4", chance), ("1", 1 - chance)
    board.places[cell] = replace(place, content=content, cluster=1000, candidates=candidates)
    assert (cell in covers._odd(board.places)) is compared


PITCH, MARGIN = 48, 50
"""Pixels: a cell's side and the margin of ``dark``."""


def dark(rows: Sequence[str], font: int, lines: Sequence[tuple[Cell, Cell, int]] = ()) -> Image:
    """Pale numbers of thin strokes in cells with walls on a dark page, starts on discs; ``lines``, each of so many
    pixels, lie below the numbers."""
    size = PITCH * len(rows) + 2 * MARGIN, PITCH * len(rows[0].split()) + 2 * MARGIN
    image = np.full((*size, 3), (40, 34, 30), np.uint8)
    cells = {(r, c): token for r, row in enumerate(rows) for c, token in enumerate(row.split()) if token != "."}
    for (r, c), token in cells.items():
        x, y = MARGIN + c * PITCH, MARGIN + r * PITCH
        cv2.rectangle(image, (x, y), (x + PITCH, y + PITCH), (150, 150, 150), 1)
        if token == "X":
            colour = (60, 60, 220) if (r + c) % 2 else (200, 120, 40)
            cv2.circle(image, _middle((r, c)), PITCH // 2 - 4, colour, -1, cv2.LINE_AA)
    for one, other, thick in lines:
        cv2.line(image, _middle(one), _middle(other), (30, 150, 30), thick, cv2.LINE_AA)
    for cell, token in cells.items():
        (w, h), _ = cv2.getTextSize(token, font, 0.7, 1)
        x, y = _middle(cell)
        cv2.putText(image, token, (x - w // 2, y + h // 2), font, 0.7, (230, 230, 230), 1, cv2.LINE_AA)
    return image


def _middle(cell: Cell) -> Point:
    return MARGIN + cell[1] * PITCH + PITCH // 2, MARGIN + cell[0] * PITCH + PITCH // 2


def dark_pointer(image: Image, cell: Cell, by: tuple[float, float], scale: float) -> Image:
    """The picture with a dark pointer, outlined in the numbers' own shade, ``by`` cell sides from a cell's middle."""
    corners = np.round((ARROW * scale + np.array(_middle(cell)) + np.array(by) * PITCH) * 16).astype(np.int32)
    cv2.fillPoly(image, [corners], (20, 20, 20), cv2.LINE_AA, 4)
    cv2.polylines(image, [corners], True, (240, 240, 240), 1, cv2.LINE_AA, 4)
    return image


@pytest.mark.parametrize(
    ("rows", "font", "cell", "by", "scale"),
    [
        ("X 14 19 23/45 34 29 28/47 57 62 63", cv2.FONT_HERSHEY_COMPLEX, (1, 1), (0.03, 0.02), 1.0),
        ("X 12 18 23/66 56 39 35/80 82 90 95", cv2.FONT_HERSHEY_COMPLEX, (1, 2), (-0.19, 0.01), 1.6),
        ("X 1 2 3/3 3 3 3/3 4 4 6", cv2.FONT_HERSHEY_COMPLEX, (2, 3), (0.1, 0.07), 1.3),
        ("X 1 1 1/2 2 1 1/3 3 4 4/6 4 4 4", cv2.FONT_HERSHEY_SIMPLEX, (3, 0), (0.02, -0.03), 1.0),
    ],
)
def test_a_number_that_stands_nowhere_else_is_doubted_under_a_pointer(
    rows: str, font: int, cell: Cell, by: tuple[float, float], scale: float
) -> None:
    """Incident: one of the board's other numbers had to be there, without a doubt, or what the network read of the
    number and a pointer of its colour together."""
    board = GAME.parse(rows.replace("/", "\n"))
    reading = GAME.read(dark_pointer(dark(rows.split("/"), font), cell, by, scale), LAYOUT)
    assert all(reading.puzzle.cells[spot] == value for spot, value in board.cells.items() if spot != cell)
    assert reading.puzzle == board or cell in {spot for doubt in reading.doubts for spot in doubt.cells}


@pytest.mark.parametrize(
    ("font", "by", "scale", "thick"),
    [
        (cv2.FONT_HERSHEY_DUPLEX, (0.16, 0.03), 1.0, 6),
        (cv2.FONT_HERSHEY_SIMPLEX, (0.16, -0.05), 1.3, 14),
        (cv2.FONT_HERSHEY_COMPLEX, (0.2, 0.11), 1.6, 6),
    ],
)
def test_a_number_on_a_chains_line_is_no_example_of_its_look(
    font: int, by: tuple[float, float], scale: float, thick: int
) -> None:
    """Incident: the only other 2 stood on a line; compared with both, a 2 that a pointer touches was sure to be a 3."""
    rows = ["3 3 4 3", "2 . . X", "1 3 3 .", "X 3 2 X"]
    column = [((r, 0), (r - 1, 0), thick) for r in (3, 2, 1)]
    picture = dark(rows, font, [*column, ((0, 0), (0, 1), thick), ((1, 3), (0, 3), thick)])
    reading = GAME.read(dark_pointer(picture, (3, 2), by, scale), LAYOUT)
    board = GAME.parse("\n".join(rows))
    assert all(reading.puzzle.cells[spot] == value for spot, value in board.cells.items() if spot != (3, 2))
    assert reading.puzzle == board or (3, 2) in {spot for doubt in reading.doubts for spot in doubt.cells}


def test_a_thin_number_seen_once_is_not_covered() -> None:
    """Most of a thin glyph's ink is the soft edge of its strokes; a 1 was in doubt, as part of a covered 4."""
    rows = ["4 8 .", "1 . 8", "X X 2"]
    page = Picture.new("RGB", (640, 560), (228, 199, 221))
    draw, face = ImageDraw.Draw(page), ImageFont.load_default(64)
    for cell, token in cells(rows).items():
        x, y = 160 + 108 * cell[1], 120 + 108 * cell[0]
        draw.rectangle((x, y, x + 108, y + 108), (45, 180, 120) if cell > (2, 0) else None, (172, 182, 184), 4)
        draw.text((x + 55, y + 46), token, (28, 18, 24), face, anchor="mm")
    small = cv2.resize(np.asarray(page)[:, :, ::-1], (160, 140), interpolation=cv2.INTER_AREA)
    assert played(np.ascontiguousarray(small)) == rows
