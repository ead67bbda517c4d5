"""Draws a board of Cross Set, and its solution.

The active candidate stands large in each cell, the others small below it, in the order in which clicks bring them up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cross_set.puzzle import Candidates, Puzzle, Solution
from autoplayer.games.drawing import INK, Colour, fitting_font, fitting_pitch, sheet, shrunk

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

CELL: Colour = (243, 243, 240)
LINE: Colour = (168, 168, 162)
FAINT: Colour = (96, 96, 96)
CHOSEN: Colour = (197, 225, 240)
"""The ground of cells that a solution fills: Okabe and Ito's blue (2008), lightened."""
WRONG: Colour = (213, 94, 0)

SMOOTH = 3
LARGEST_PITCH = 88
SMALLEST_PITCH = 72
"""Below this the small candidates of a full cell are no longer legible."""

ACTIVE_HEIGHT = 0.46
SMALL_HEIGHT = 0.24
"""Font sizes as shares of the pitch, where one line of small candidates is enough."""
IN_A_LINE = 4
"""Small candidates side by side; more go into further lines. Half as many if they have two digits."""


def pitch_of(puzzle: Puzzle) -> int:
    """Pixels from cell to cell in :func:`draw`'s picture; the margin around the board is half of it."""
    return fitting_pitch(puzzle.size, SMALLEST_PITCH, LARGEST_PITCH)


def draw(puzzle: Puzzle, solution: Solution | None = None) -> Image:
    """The board as it is before play, or, with ``solution``, as it is when every cell has been rotated to its number.

    Shape ``(height, width, 3)``, BGR. Any solution-shaped value is drawn, right or wrong: a number that is no candidate
    of its cell stands there in red. Raises UsageError where it would be too large.
    """
    pitch = pitch_of(puzzle) * SMOOTH
    margin = pitch // 2
    side = puzzle.size * pitch + 2 * margin
    picture, pen = sheet(side, side)
    hand = _hand(puzzle)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            number = _at(solution, (r, c))
            x, y = margin + c * pitch, margin + r * pitch
            ground = CELL if number is None else CHOSEN
            pen.rectangle((x, y, x + pitch, y + pitch), fill=ground, outline=LINE, width=max(1, pitch // 40))
            _cell(pen, (x, y), cell, number, pitch, hand)
    return shrunk(picture, SMOOTH)


def _at(solution: Solution | None, cell: Cell) -> int | None:
    if solution is None or cell[0] >= len(solution) or cell[1] >= len(solution[cell[0]]):
        return None
    return solution[cell[0]][cell[1]]


@dataclass(frozen=True)
class _Hand:
    """The layout of the numbers in the cells of a board, in shares of the pitch: the same in all, as its fullest cell
    needs."""

    across: int
    """Small candidates side by side."""
    digits: int
    active: float
    """Font size, and the height of its middle."""
    middle: float
    small: float
    first: float
    """The height of the middle of the first line of small candidates, and of every further one from the last."""
    apart: float


def _hand(puzzle: Puzzle) -> _Hand:
    digits = len(str(puzzle.size))
    across = IN_A_LINE if digits == 1 else IN_A_LINE // 2
    most = max(len(cell) - 1 for row in puzzle.rows for cell in row)
    lines = -(-most // across)
    if lines <= 1:
        return _Hand(across, digits, ACTIVE_HEIGHT, 0.36, SMALL_HEIGHT, 0.79, 0.0)
    apart = 0.46 / lines
    return _Hand(across, digits, 0.8 * ACTIVE_HEIGHT, 0.27, min(SMALL_HEIGHT, apart), 0.5 + apart / 2, apart)


def _cell(
    pen: ImageDraw, corner: tuple[int, int], cell: Candidates, number: int | None, pitch: int, hand: _Hand
) -> None:
    """The active candidate above the middle, the others in lines below it."""
    colour = INK
    if number is not None and number in cell:
        at = cell.index(number)
        cell = cell[at:] + cell[:at]
    elif number is not None:
        cell, colour = (number, *cell), WRONG
    x, y = corner
    others = [str(n) for n in cell[1:]]
    font = fitting_font(pen, str(cell[0]), round(pitch * hand.active), pitch * 0.8)
    middle = y + pitch * (hand.middle if others else 0.5)
    pen.text((x + pitch // 2, middle), str(cell[0]), fill=colour, font=font, anchor="mm")
    if not others:
        return
    rows = -(-len(others) // hand.across)
    across = -(-len(others) // rows)
    slot = pitch * 0.84 / hand.across
    small = fitting_font(pen, "8" * hand.digits, round(pitch * hand.small), slot * 0.8)
    for k, text in enumerate(others):
        line, place = divmod(k, across)
        beside = min(across, len(others) - line * across)
        left = x + pitch / 2 + (place - (beside - 1) / 2) * slot
        level = y + pitch * (hand.first + hand.apart * line)
        pen.text((left, level), text, fill=FAINT, font=small, anchor="mm")
