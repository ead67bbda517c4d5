"""Windows that draw little in the cells of a chain: marks between two cells, or numbers in the chain's colour beside
the outline of a cursor; and the page that is left when a board has gone. The windows are drawn here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.player import progress
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution, parse
from autoplayer.games.cardinal_chains.reader import read
from autoplayer.games.cardinal_chains.solver import solve
from autoplayer.layout import Layout

SIDE, LEFT, TOP = 60, 60, 50
PUZZLE = parse("3 3 1 X 2\n3 2 1 1 1\n3 2 X 2 2\n3 2 2 2 2\n3 3 3 2 2")
ALONE = parse("X 1 1\n. 2 2\n. 2 3")
"""The start has a single neighbour."""

PAPER, TILE, BLACK = (234, 241, 244), (203, 220, 226), (51, 51, 51)
COLOURS = (75, 25, 230), (216, 120, 60)

Window = Callable[..., Image]


def _middle(cell: Cell) -> tuple[int, int]:
    return LEFT + SIDE * cell[1] + SIDE // 2, TOP + SIDE * cell[0] + SIDE // 2


def _write(image: Image, cell: Cell, text: str, colour: tuple[int, int, int], thick: int) -> None:
    x, y = _middle(cell)
    cv2.putText(image, text, (x - 9, y + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.9, colour, thick, cv2.LINE_AA)


def tiles(puzzle: Puzzle, marks: Sequence[tuple[Cell, Cell, int]] = (), size: int = 7) -> Image:
    """Numbers and diamonds on tiles, and between some pairs of cells a mark ``size`` pixels to each side of their
    border: a diamond in the colour of the chain with this index."""
    image = np.full((400, 420, 3), PAPER, np.uint8)
    for cell, value in puzzle.cells.items():
        x, y = _middle(cell)
        cv2.rectangle(image, (x - 27, y - 27), (x + 26, y + 26), TILE, -1)
        if value:
            _write(image, cell, str(value), BLACK, 2)
        else:
            cv2.fillConvexPoly(image, np.array([(x - 15, y), (x, y - 15), (x + 15, y), (x, y + 15)]), BLACK)
    for one, other, index in marks:
        x, y = ((a + b) // 2 for a, b in zip(_middle(one), _middle(other), strict=True))
        corners = np.array([(x - size, y), (x, y - size), (x + size, y), (x, y + size)])
        cv2.fillConvexPoly(image, corners, COLOURS[index], cv2.LINE_AA)
    return image


def recoloured(puzzle: Puzzle, chains: Sequence[Sequence[Cell]] = (), cursor: Cell | None = None) -> Image:
    """Grey numbers on black; a chain's numbers are bold and have its colour, and a white outline stands around the cell
    of the cursor."""
    image = np.full((400, 420, 3), 17, np.uint8)
    owner = {cell: index for index, chain in enumerate(chains) for cell in chain}
    for cell, value in puzzle.cells.items():
        x, y = _middle(cell)
        if value:
            colour = COLOURS[owner[cell]] if cell in owner else (153, 153, 153)
            _write(image, cell, str(value), colour, 3 if cell in owner else 2)
        else:
            cv2.circle(image, (x, y), 13, COLOURS[puzzle.starts.index(cell)], -1, cv2.LINE_AA)
        if cell == cursor:
            cv2.rectangle(image, (x - 24, y - 24), (x + 24, y + 24), (255, 255, 255), 2)
    return image


def page(words: bool = True) -> Image:
    """What is left when the board has gone: a page from a pale blue to a pale pink, perhaps with some words."""
    ramp = np.linspace(0, 1, 400)[:, None, None]
    image = np.broadcast_to(ramp * (225, 200, 255) + (1 - ramp) * (255, 225, 200), (400, 420, 3)).astype(np.uint8)
    image = np.ascontiguousarray(image)
    if words:
        cv2.putText(image, "Done!", (80, 200), cv2.FONT_HERSHEY_SIMPLEX, 1.1, BLACK, 2, cv2.LINE_AA)
    return image


def discs(puzzle: Puzzle, chains: Sequence[Sequence[Cell]] = ()) -> Image:
    """Numbers in white discs on that page; a chain gives its discs a ring, and starts have one from the beginning."""
    image = page(words=False)
    owner = {cell: index for index, chain in enumerate(chains) for cell in chain}
    owner |= {start: index for index, start in enumerate(puzzle.starts)}
    for cell, value in puzzle.cells.items():
        cv2.circle(image, _middle(cell), 24, (255, 255, 255), -1, cv2.LINE_AA)
        ring = COLOURS[owner[cell]] if cell in owner else (170, 170, 140)
        cv2.circle(image, _middle(cell), 24, ring, 5 if cell in owner else 1, cv2.LINE_AA)
        _write(image, cell, str(value or "X"), BLACK, 2)
    return image


def _begun(image: Image, puzzle: Puzzle) -> tuple[Reading[Puzzle], Solution]:
    reading = read(image, Layout(game="cardinal-chains"))
    assert reading.puzzle == puzzle
    solution = solve(puzzle, time_limit=10.0).solution
    assert solution is not None
    return reading, solution


@pytest.mark.parametrize("drawn", [1, 3, 5])
@pytest.mark.parametrize("size", [7, 5])
def test_marks_between_cells_link_them(drawn: int, size: int) -> None:
    """Incident: a page drew an arrow from each cell to the next, which hardly reached into them, and nothing was
    seen."""
    reading, solution = _begun(tiles(PUZZLE), PUZZLE)
    marks = [(*pair, 0) for pair in pairwise(solution[0][: drawn + 1])]
    found = progress(reading, PUZZLE, solution, tiles(PUZZLE, marks, size))
    assert (found.present, found.done, found.wrong) == (True, drawn, 0)
    marks += [(*pair, 1) for pair in pairwise(solution[1])]
    found = progress(reading, PUZZLE, solution, tiles(PUZZLE, marks, size))
    assert (found.present, found.done, found.wrong) == (True, drawn + len(solution[1]) - 1, 0)


def test_the_outline_of_a_start_is_no_mark_between_cells() -> None:
    """It stands also at those sides at which there is no cell."""
    reading, solution = _begun(tiles(ALONE), ALONE)
    marks = [((0, 0), near, 0) for near in ((-1, 0), (0, -1), (1, 0), (0, 1))]
    assert progress(reading, ALONE, solution, tiles(ALONE, marks)).done == 0
    assert progress(reading, ALONE, solution, tiles(ALONE, marks[3:])).done == 1


def test_a_colour_that_only_breathes_between_cells_is_no_mark() -> None:
    reading, solution = _begun(tiles(PUZZLE), PUZZLE)
    paler = tiles(PUZZLE)
    paler[(paler == PAPER).all(axis=2)] = [min(v + 30, 255) for v in PAPER]
    assert progress(reading, PUZZLE, solution, paler).done == 0


@pytest.mark.parametrize("drawn", [1, 2, 5])
def test_a_number_in_its_chains_colour_belongs_to_it_within_a_cursor(drawn: int) -> None:
    """Incident: the outline was stronger than the number, and the chain's last cell was not seen."""
    reading, solution = _begun(recoloured(PUZZLE, cursor=PUZZLE.starts[0]), PUZZLE)
    chain = solution[0][: drawn + 1]
    found = progress(reading, PUZZLE, solution, recoloured(PUZZLE, [chain], chain[-1]))
    assert (found.present, found.done, found.wrong) == (True, drawn, 0)
    # The outline alone draws nothing.
    found = progress(reading, PUZZLE, solution, recoloured(PUZZLE, [chain], (4, 0)))
    assert (found.present, found.done, found.wrong) == (True, drawn, 0)


def test_a_page_in_pale_colours_is_no_board_full_of_chains() -> None:
    """Incident: of the page that came after the last level, half of the board was said to be drawn wrongly, and the bot
    pressed where no board was."""
    reading, solution = _begun(discs(PUZZLE), PUZZLE)
    assert not progress(reading, PUZZLE, solution, page()).present
    assert not progress(reading, PUZZLE, solution, page(words=False)).present
    found = progress(reading, PUZZLE, solution, discs(PUZZLE, solution))
    assert (found.present, found.done, found.wrong) == (True, 23, 0)


def test_chains_that_hide_all_numbers_are_no_empty_page() -> None:
    """Incident: a board that was full was not seen any more, so that its level was not won."""
    reading, solution = _begun(tiles(PUZZLE), PUZZLE)
    full = np.full((400, 420, 3), PAPER, np.uint8)
    for chain, colour in zip(solution, COLOURS, strict=True):
        for x, y in map(_middle, chain):
            cv2.rectangle(full, (x - 27, y - 27), (x + 26, y + 26), colour, -1)
    found = progress(reading, PUZZLE, solution, full)
    assert (found.present, found.wrong) == (True, 0)


def pressed(puzzle: Puzzle, chains: Sequence[Sequence[Cell]] = ()) -> Image:
    """Black numbers on raised grey buttons; those of a chain are pressed, a little darker, and their numbers have its
    colour."""
    image = np.full((400, 420, 3), 192, np.uint8)
    owner = {cell: index for index, chain in enumerate(chains) for cell in chain[1:]}
    for cell, value in puzzle.cells.items():
        x, y = _middle(cell)
        down = cell in owner
        cv2.rectangle(image, (x - 30, y - 30), (x + 29, y + 29), (128, 128, 128) if down else (255, 255, 255), -1)
        cv2.rectangle(image, (x - 27, y - 27), (x + 29, y + 29), (255, 255, 255) if down else (128, 128, 128), -1)
        cv2.rectangle(image, (x - 27, y - 27), (x + 26, y + 26), (184, 168, 168) if down else (192, 192, 192), -1)
        if value:
            _write(image, cell, str(value), COLOURS[owner[cell]] if down else (0, 0, 0), 3)
        else:
            cv2.rectangle(image, (x - 12, y - 12), (x + 12, y + 12), COLOURS[puzzle.starts.index(cell)], -1)
    return image


def white_lines(puzzle: Puzzle, chains: Sequence[Sequence[Cell]] = (), width: int = 6) -> Image:
    """White numbers, and gold starts, on diamonds; a chain is a white line over its numbers."""
    image = np.full((400, 420, 3), (40, 20, 20), np.uint8)
    for cell, value in puzzle.cells.items():
        x, y = _middle(cell)
        corners = np.array([(x - 29, y), (x, y - 29), (x + 29, y), (x, y + 29)])
        cv2.fillConvexPoly(image, corners, (106, 52, 52) if value else (26, 178, 232), cv2.LINE_AA)
        if value:
            _write(image, cell, str(value), (255, 255, 255), 2)
    for chain in chains:
        for one, other in pairwise(chain):
            cv2.line(image, _middle(one), _middle(other), (255, 255, 255), width, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("window", [pressed, white_lines])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_chain_without_a_colour_of_its_own_around_its_numbers_is_seen(window: Window, count: int) -> None:
    """Pressed buttons have no chain's colour, but their numbers do; a line in the numbers' own ink has none either, but
    it crosses the cells' sides."""
    solution = solve(PUZZLE, time_limit=10.0).solution
    assert solution is not None
    reading = read(window(PUZZLE), Layout(game="cardinal-chains"))
    assert reading.puzzle == PUZZLE
    now = progress(reading, PUZZLE, solution, window(PUZZLE, solution[:count]))
    assert (now.present, now.done, now.wrong) == (True, sum(len(chain) - 1 for chain in solution[:count]), 0)


def test_other_white_numbers_are_another_board() -> None:
    solution = solve(PUZZLE, time_limit=10.0).solution
    assert solution is not None
    reading = read(white_lines(PUZZLE), Layout(game="cardinal-chains"))
    other = Puzzle(tuple(tuple(8 if value else value for value in row) for row in PUZZLE.rows))
    assert not progress(reading, PUZZLE, solution, white_lines(other)).present
