"""Hashi: boards of which the window shows a part only, though what it shows has a solution of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import PartialError, UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games import enlarging
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle, parse
from autoplayer.games.hashi.seeing.between.bridges import by_lines
from autoplayer.games.hashi.seeing.refusals import refuse_what_ends_at_an_edge
from autoplayer.games.hashi.solver import has_solution
from autoplayer.layout import Layout

LAYOUT = Layout(game="hashi")
WATER, INK = (240, 236, 232), (40, 30, 20)
Link = tuple[int, int, int, int]


def drawn(
    puzzle: Puzzle,
    pitch: int,
    radius: int,
    links: Sequence[Link] = (),
    rim: int = 2,
    fill: Callable[[int], tuple[int, int, int]] = lambda number: WATER,
    nudge: int = 0,
    square: bool = False,
) -> Image:
    """A board with one line for each of the ``links`` (row, column, row, column). ``rim``: how broad the islands'
    rims are, pixels; ``nudge``: by how many pixels the last column stands farther to the right than the lattice says,
    as where a window rounds its places."""
    image = np.full((pitch * (puzzle.height + 1), pitch * (puzzle.width + 1), 3), WATER, np.uint8)

    def at(row: int, column: int) -> tuple[int, int]:
        return pitch * (column + 1) + nudge * (column == puzzle.width - 1), pitch * (row + 1)

    for r1, c1, r2, c2 in links:
        cv2.line(image, at(r1, c1), at(r2, c2), INK, 2)
    for cell, number in puzzle.islands.items():
        x, y = at(*cell)
        for colour, thick in ((fill(number), -1), (INK, rim)):
            if square and thick:
                cv2.rectangle(image, (x - radius, y - radius), (x + radius, y + radius), colour, thick)
            elif thick:
                cv2.circle(image, (x, y), radius, colour, thick)
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, pitch / 70, 1)
        place = x - width // 2, y + height // 2
        cv2.putText(image, str(number), place, cv2.FONT_HERSHEY_DUPLEX, pitch / 70, INK, 1, cv2.LINE_AA)
    return image


LEFT = parse("2..2\n....\n3..4\n....\n1..2")
WHOLE = parse("2..2..1\n.......\n3..4..2\n.......\n1..2..1")
"""A board of which the columns at the left, LEFT, have a solution of their own."""


def test_what_is_left_of_the_board_has_a_solution() -> None:
    assert has_solution(LEFT)


def test_a_bridge_that_leads_out_of_the_picture_says_that_the_board_is_cut_off() -> None:
    """Incident: only a sliver of the islands beyond was seen, or nothing, and the rest had a solution."""
    links = [(0, 0, 2, 0), (0, 3, 0, 6), (2, 3, 2, 6)]
    for width in (40 * 5, 40 * 6, 40 * 6 + 28):
        with pytest.raises(UnreadableError, match="cut off at the right of the window"):
            GAME.read(drawn(WHOLE, 40, 14, links)[:, :width].copy(), LAYOUT)


def hinted(grid: bool, pale: tuple[int, int, int] = (170, 190, 200)) -> Image:
    """LEFT with one bridge, and thin ``pale`` lines where others may stand, of which one leads to the right edge; or
    with a ``grid`` of such lines."""
    image = np.full((40 * 6, 40 * 5, 3), WATER, np.uint8)
    width = image.shape[1]
    for row in range(5) if grid else (0, 2, 4):
        end = 40 * 4 if row in (0, 4) and not grid else width
        cv2.line(image, (0 if grid else 40, 40 * (row + 1)), (end, 40 * (row + 1)), pale, 1)
    for column in range(4) if grid else (0, 3):
        cv2.line(image, (40 * (column + 1), 0 if grid else 40), (40 * (column + 1), 40 * (6 if grid else 5)), pale, 1)
    cv2.line(image, (40, 40), (40, 120), INK, 3)
    board = drawn(LEFT, 40, 14)
    for r, c in LEFT.islands:
        x, y = 40 * (c + 1), 40 * (r + 1)
        image[y - 16 : y + 17, x - 16 : x + 17] = board[y - 16 : y + 17, x - 16 : x + 17]
    return image


def test_a_hint_at_a_bridge_that_leads_out_of_the_picture_says_that_the_board_is_cut_off() -> None:
    """Incident: a line showed where a bridge may lead beyond the upper edge; the rules made of the 6 that it came from
    a 5, with which the rest had a solution."""
    with pytest.raises(PartialError, match="cut off at the right of the window: a bridge leads out"):
        GAME.read(hinted(grid=False), LAYOUT)


@pytest.mark.parametrize(("faint", "seen"), [(10, False), (13, True)])
def test_lines_of_a_grid_that_can_hardly_be_seen_are_no_hints(faint: int, seen: bool) -> None:
    """Incident: JPEG left a few lines of a pale grid to be seen, one of them leading out to the right."""
    image = hinted(False, (WATER[0] - faint, WATER[1] - faint, WATER[2] - faint))
    if seen:
        with pytest.raises(PartialError, match="a bridge leads out"):
            GAME.read(image, LAYOUT)
    else:
        assert GAME.read(image, LAYOUT).puzzle.rows == ((2, 2), (3, 4), (1, 2))


def test_grid_lines_that_reach_the_edges_are_no_hints_at_bridges() -> None:
    assert list(GAME.read(hinted(grid=True), LAYOUT).puzzle.islands.values()) == [2, 2, 3, 4, 1, 2]


def test_stripes_that_are_broader_than_bridges_are_no_hints_at_any() -> None:
    """Incident: of slanting stripes some ran between islands, and one to the upper edge, but hardly any where no bridge
    may stand."""
    links = [(0, 0, 2, 0), (0, 0, 0, 3), (0, 3, 2, 3), (2, 0, 2, 3)]
    image = drawn(LEFT, 80, 20)
    reading = GAME.read(image, LAYOUT)
    for breadth, found in ((8, 0), (2, 1)):
        picture = np.full_like(image, WATER)
        for row, column, to_row, to_column in links[1:]:
            ends = [(80 * (c + 1), 80 * (r + 1)) for r, c in ((row, column), (to_row, to_column))]
            cv2.line(picture, *ends, (190, 185, 180), breadth)
        cv2.line(picture, (80, 80), (80, 240), INK, 3)
        free = (image == WATER).all(axis=2)
        picture[~free] = image[~free]
        lines = by_lines(picture, reading.extra["chart"].in_window(), reading.puzzle, 0.0)
        assert len(lines.hints) == found


def test_a_bridge_that_ends_before_the_edge_leads_not_out_of_the_picture() -> None:
    """A pointer, or a count, may look like the beginning of a bridge."""
    image = drawn(LEFT, 40, 14, [(0, 0, 2, 0), (2, 0, 2, 3)])
    cv2.line(image, (40 * 4 + 14, 40), (40 * 4 + 30, 40), INK, 2)
    assert GAME.read(image, LAYOUT).puzzle.rows == ((2, 2), (3, 4), (1, 2))


def test_an_island_whose_inside_reaches_the_edge_is_cut_through() -> None:
    """Incident: a fifth of each island of the first column was missing, and another column stood behind it."""
    board = drawn(WHOLE, 100, 44, rim=10)
    with pytest.raises(UnreadableError, match="cut off at the right of the window, through 3 islands"):
        GAME.read(board[:, : 700 + 37].copy(), LAYOUT)
    # Of the rims only a part is missing.
    assert GAME.read(board[:, : 700 + 42].copy(), LAYOUT).puzzle.rows == ((2, 2, 1), (3, 4, 2), (1, 2, 1))


@pytest.mark.parametrize("nudge", [-1, 0, 1])
@pytest.mark.parametrize("seen", [5, 9])
def test_slivers_of_all_islands_of_a_column_are_no_frame(nudge: int, seen: int) -> None:
    """Incident: they were looked for at places of the lattice only, which three columns do not tell, and what was met
    in every row was taken for a line along the edge."""
    board = drawn(WHOLE, 50, 17, rim=1, nudge=nudge)
    with pytest.raises(UnreadableError, match="cut off at the right of the window, through 3 islands"):
        GAME.read(board[:, : 50 * 7 - 17 + seen].copy(), LAYOUT)


def test_a_line_along_the_edge_is_no_island() -> None:
    """It looks like a side of a square island, as far as that is seen."""
    links = [(0, 0, 2, 0), (0, 0, 0, 3), (0, 3, 2, 3), (2, 0, 2, 3), (2, 0, 4, 0), (2, 3, 4, 3)]
    board = drawn(LEFT, 50, 20, links, rim=3, square=True)
    cv2.line(board, (50 * 5 - 6, 0), (50 * 5 - 6, board.shape[0]), INK, 3)
    assert GAME.read(board, LAYOUT).puzzle.rows == ((2, 2), (3, 4), (1, 2))


def test_stripes_behind_a_board_are_no_bridge_that_leads_out() -> None:
    """Incident: from one island to the edge they looked like what they looked like between some islands."""
    board = drawn(LEFT, 50, 12)
    free, rows = (board == WATER).all(axis=2), np.arange(board.shape[0])[:, None]
    board[free & ((rows + 14) % 20 < 10)] = (212, 206, 200)
    assert list(GAME.read(board, LAYOUT).puzzle.islands.values()) == [2, 2, 3, 4, 1, 2]


def test_what_is_known_to_be_a_part_is_not_looked_at_enlarged() -> None:
    """Incident: a small picture of a board that was cut off was read as a whole board when it was enlarged."""
    looked: list[Image] = []

    def look(image: Image) -> Reading[Puzzle]:
        looked.append(image)
        raise PartialError if len(looked) == 1 else UnreadableError

    with pytest.raises(PartialError):
        enlarging.read(look, drawn(LEFT, 20, 8))
    assert len(looked) == 1


BY_NUMBER = ((240, 96, 96), WATER, (60, 150, 60), (50, 110, 140), (215, 210, 200), (70, 70, 200))
ALIKE = ((50, 110, 140), WATER, (50, 110, 140), (50, 110, 140), (215, 210, 200), (50, 110, 140))


@pytest.mark.parametrize(
    ("text", "colours"),
    [(".1..\n.3..\n.654\n1434", ALIKE), ("..5.\n.1..\n.3..\n.6.4\n1434", BY_NUMBER)],
    ids=["between others", "coloured by number"],
)
def test_an_island_in_a_colour_of_its_own_is_left_out_only_where_a_heading_may_stand(
    text: str, colours: Sequence[tuple[int, int, int]]
) -> None:
    """Incident: on a board that was cut off the only 5 was taken for a number of a heading, for less of its pale
    outline was seen beside the lines that showed where bridges may stand, and the rest had a solution without it."""
    puzzle = parse(text)
    image = drawn(puzzle, 60, 20, fill=lambda number: colours[number - 1], rim=0)
    for r, c in puzzle.islands:
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            x, y = 60 * (c + 1), 60 * (r + 1)
            cv2.line(image, (x + 21 * dx, y + 21 * dy), (x + 30 * dx, y + 30 * dy), (120, 116, 112), 2)
    assert list(GAME.read(image, LAYOUT).puzzle.islands.values()) == list(puzzle.islands.values())


DENSE = parse("1.3.1\n1.4.1\n1.3.1")
"""A board without an empty row."""


def sliver_below(rows: int) -> Image:
    """DENSE, and so many rows below its last one the upper third of an island at the picture's edge."""
    board = drawn(DENSE, 40, 14)
    y = 120 + 40 * rows
    image = np.full((y + 20, board.shape[1], 3), WATER, np.uint8)
    image[: board.shape[0]] = board[: image.shape[0]]
    cv2.circle(image, (120, y), 14, INK, 2)
    return image[: y - 6].copy()


@pytest.mark.parametrize("rows", [1, 2])
def test_a_sliver_of_an_island_in_the_next_rows_says_that_the_board_is_cut_off(rows: int) -> None:
    with pytest.raises(PartialError, match="cut off at the bottom"):
        GAME.read(sliver_below(rows), LAYOUT)


def test_what_resembles_a_sliver_of_an_island_far_below_the_board_is_none() -> None:
    """Incident: noise at the picture's edge, two empty rows below a board that had no empty row."""
    assert GAME.read(sliver_below(3), LAYOUT).puzzle == DENSE


def padded(image: Image) -> Image:
    """A picture with 60 pixels of water more at every side but the lower one."""
    return np.asarray(cv2.copyMakeBorder(image, 60, 0, 60, 60, cv2.BORDER_CONSTANT, value=WATER), np.uint8)


SMALL = parse("22\n34\n12")
"""LEFT without its empty rows and columns."""


@pytest.mark.parametrize(("chance", "refused"), [(0.94, True), (0.7, False)])
def test_a_board_without_a_solution_at_the_edge_is_cut_off_unless_a_number_is_in_serious_doubt(
    chance: float, refused: bool
) -> None:
    """Incident: a number that was hardly in doubt was taken for another one, with which what was left had a
    solution."""
    reading = GAME.read(padded(drawn(LEFT, 40, 14)), LAYOUT)
    numbers = [list(row) for row in SMALL.rows]
    numbers[2][0] = 8
    doubt = Doubt(((2, 0),), (("8", chance), ("1", 1 - chance)))
    unsure = replace(reading, puzzle=Puzzle(tuple(map(tuple, numbers))), doubts=(doubt,))
    with pytest.raises(UnreadableError, match="has no solution") if refused else nullcontext():
        refuse_what_ends_at_an_edge(reading.image[:276], reading.extra["chart"], unsure)
