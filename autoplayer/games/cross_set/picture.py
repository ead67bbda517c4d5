"""A picture of a board of Cross Set, and of its solution. It looks like no particular window: it is for people.

The active candidate stands large in each cell, the others small below it, in the order in which clicks bring them up.
Drawn with Pillow at three times the size and shrunk, so that lines and figures are smooth; its built-in font needs no
file on the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cross_set.puzzle import Candidates, Puzzle, Solution

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

Colour = tuple[int, int, int]
"""RGB; the finished picture is BGR like all others."""

PAPER: Colour = (255, 255, 255)
CELL: Colour = (243, 243, 240)
LINE: Colour = (168, 168, 162)
INK: Colour = (24, 24, 24)
FAINT: Colour = (96, 96, 96)
CHOSEN: Colour = (197, 225, 240)
"""The ground of cells that a solution fills: Okabe and Ito's blue (2008), lightened."""
WRONG: Colour = (213, 94, 0)

SMOOTH = 3
LARGEST_PITCH = 88
SMALLEST_PITCH = 56
"""Below this the small candidates of a full cell are no longer legible."""
GOOD_SIDE = 960
"""Pixels that the longer side would like to have: it fits a screen and a page."""

ACTIVE_HEIGHT = 0.46
SMALL_HEIGHT = 0.24
"""Font sizes as shares of the pitch."""
IN_A_LINE = 5
"""Small candidates side by side; more than these go into further lines, and are smaller."""


def pitch_of(puzzle: Puzzle) -> int:
    """Pixels from cell to cell in :func:`draw`'s picture; the margin around the board is half of it."""
    return max(SMALLEST_PITCH, min(LARGEST_PITCH, GOOD_SIDE // puzzle.size))


def draw(puzzle: Puzzle, solution: Solution | None = None) -> Image:
    """The board as it is before play, or, with ``solution``, as it is when every cell has been rotated to its number.

    Shape ``(height, width, 3)``, BGR. Any solution-shaped value is drawn, right or wrong: a number that is no candidate
    of its cell stands there in red.
    """
    from PIL import Image as Pictures
    from PIL import ImageDraw as Drawing

    pitch = pitch_of(puzzle) * SMOOTH
    margin = pitch // 2
    side = puzzle.size * pitch + 2 * margin
    picture = Pictures.new("RGB", (side, side), PAPER)
    pen = Drawing.Draw(picture)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            number = _at(solution, (r, c))
            x, y = margin + c * pitch, margin + r * pitch
            ground = CELL if number is None else CHOSEN
            pen.rectangle((x, y, x + pitch, y + pitch), fill=ground, outline=LINE, width=max(1, pitch // 40))
            _cell(pen, (x, y), cell, number, pitch)
    small = picture.resize((side // SMOOTH, side // SMOOTH), Pictures.Resampling.LANCZOS)
    return cast(Image, np.ascontiguousarray(np.asarray(small)[:, :, ::-1]))


def _at(solution: Solution | None, cell: Cell) -> int | None:
    if solution is None or cell[0] >= len(solution) or cell[1] >= len(solution[cell[0]]):
        return None
    return solution[cell[0]][cell[1]]


def _cell(pen: ImageDraw, corner: tuple[int, int], cell: Candidates, number: int | None, pitch: int) -> None:
    """The active candidate above the middle, the others in lines below it."""
    colour = INK
    if number is not None and number in cell:
        at = cell.index(number)
        cell = cell[at:] + cell[:at]
    elif number is not None:
        cell, colour = (number, *cell), WRONG
    x, y = corner
    others = [str(n) for n in cell[1:]]
    middle = y + pitch * (0.36 if others else 0.5)
    font = _fitting(pen, str(cell[0]), round(pitch * ACTIVE_HEIGHT), pitch * 0.8)
    pen.text((x + pitch // 2, middle), str(cell[0]), fill=colour, font=font, anchor="mm")
    if not others:
        return
    lines = [others[k : k + IN_A_LINE] for k in range(0, len(others), IN_A_LINE)]
    widest = max((max(line, key=len) for line in lines), key=len)
    # Every candidate has a slot of its own, so that neighbours never touch.
    slot = min(pitch * 0.9 / max(map(len, lines)), pitch * 0.2 * max(1, len(widest) * 0.7))
    small = _fitting(pen, widest, round(pitch * SMALL_HEIGHT / max(1, len(lines) * 0.7)), slot * 0.8)
    top, bottom = y + pitch * 0.62, y + pitch * 0.96
    for k, line in enumerate(lines):
        level = top + (bottom - top) * (k + 0.5) / len(lines)
        for place, text in enumerate(line):
            left = x + pitch / 2 + (place - (len(line) - 1) / 2) * slot
            pen.text((left, level), text, fill=FAINT, font=small, anchor="mm")


def _fitting(pen: ImageDraw, text: str, size: int, room: float) -> FreeTypeFont:
    """The built-in font at ``size`` pixels, or smaller where ``text`` would be wider than ``room``."""
    from PIL import ImageFont

    font = cast("FreeTypeFont", ImageFont.load_default(size))
    wide = pen.textlength(text, font=font)
    return font if wide <= room else cast("FreeTypeFont", ImageFont.load_default(max(1, int(size * room / wide))))
