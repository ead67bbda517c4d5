"""A picture of a board of Cardinal Chains, and of its solution."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle, Solution
from autoplayer.games.drawing import INK, PAPER, Colour, fitting_font, fitting_pitch, sheet, shrunk

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

PALETTE: tuple[Colour, ...] = (
    (0, 114, 178),
    (230, 159, 0),
    (0, 158, 115),
    (204, 121, 167),
    (86, 180, 233),
    (213, 94, 0),
    (240, 228, 66),
    (110, 110, 110),
)
"""Okabe and Ito's colours (2008), which people with any colour vision tell apart. More chains than these take lighter
shades of them."""
CELL: Colour = (243, 243, 240)
LINE: Colour = (196, 196, 190)

SMOOTH = 3
LARGEST_PITCH = 64
SMALLEST_PITCH = 24


def pitch_of(puzzle: Puzzle) -> int:
    """The distance between neighbouring cells in :func:`draw`'s picture, pixels; the margin around the board is half of
    it."""
    return fitting_pitch(max(puzzle.height, puzzle.width), SMALLEST_PITCH, LARGEST_PITCH)


def draw(puzzle: Puzzle, solution: Solution | None = None) -> Image:
    """The board with its starts in colour, and the chains of ``solution`` under the numbers.

    Shape ``(height, width, 3)``, BGR. Any solution-shaped value is drawn, right or wrong; cells off the board are left
    out. Raises UsageError where it would be too large.
    """
    pitch = pitch_of(puzzle) * SMOOTH
    margin = pitch // 2
    picture, pen = sheet(puzzle.width * pitch + 2 * margin, puzzle.height * pitch + 2 * margin)
    for cell in puzzle.cells:
        x, y = _corner(cell, pitch, margin)
        pen.rectangle((x, y, x + pitch, y + pitch), fill=CELL, outline=LINE, width=max(1, pitch // 40))
    colours = {start: _colour(number) for number, start in enumerate(puzzle.starts)}
    for number, chain in enumerate(solution or ()):
        on_board = [cell for cell in chain if cell in puzzle.cells]
        _chain(pen, on_board, colours.get(chain[0] if chain else (-1, -1), _colour(number)), pitch, margin)
    under = {cell: colours.get(chain[0]) for chain in solution or () for cell in chain if chain}
    for cell, value in puzzle.cells.items():
        if value == START:
            _start(pen, cell, colours[cell], pitch, margin)
        else:
            _number(pen, cell, str(value), under.get(cell), pitch, margin)
    return shrunk(picture, SMOOTH)


def _colour(number: int) -> Colour:
    """The colour of the chain with this number; every round through the palette is lighter."""
    red, green, blue = PALETTE[number % len(PALETTE)]
    keep = (1.0, 0.6, 0.8, 0.45)[number // len(PALETTE) % 4]
    return tuple(round(255 - (255 - part) * keep) for part in (red, green, blue))  # type: ignore[return-value]


def _corner(cell: Cell, pitch: int, margin: int) -> tuple[int, int]:
    return margin + cell[1] * pitch, margin + cell[0] * pitch


def _centre(cell: Cell, pitch: int, margin: int) -> tuple[int, int]:
    x, y = _corner(cell, pitch, margin)
    return x + pitch // 2, y + pitch // 2


def _chain(pen: ImageDraw, chain: list[Cell], colour: Colour, pitch: int, margin: int) -> None:
    """A thick line with round corners and ends."""
    half = round(pitch * 0.3)
    for cell in chain:
        x, y = _centre(cell, pitch, margin)
        pen.ellipse((x - half, y - half, x + half, y + half), fill=colour)
    for a, b in pairwise(chain):
        (x, y), (u, v) = sorted((_centre(a, pitch, margin), _centre(b, pitch, margin)))
        across = (0, half) if y == v else (half, 0)
        pen.rectangle((x - across[0], min(y, v) - across[1], u + across[0], max(y, v) + across[1]), fill=colour)


def _start(pen: ImageDraw, cell: Cell, colour: Colour, pitch: int, margin: int) -> None:
    x, y = _centre(cell, pitch, margin)
    half = round(pitch * 0.38)
    pen.rounded_rectangle((x - half, y - half, x + half, y + half), radius=half // 2, fill=colour)
    arm, width = round(pitch * 0.16), max(2, round(pitch * 0.07))
    ink = _ink(colour)
    pen.line((x - arm, y - arm, x + arm, y + arm), fill=ink, width=width)
    pen.line((x - arm, y + arm, x + arm, y - arm), fill=ink, width=width)


def _number(pen: ImageDraw, cell: Cell, text: str, under: Colour | None, pitch: int, margin: int) -> None:
    font = fitting_font(pen, text, round(pitch * 0.46), pitch * 0.8)
    pen.text(_centre(cell, pitch, margin), text, fill=_ink(under or CELL), font=font, anchor="mm")


def _ink(ground: Colour) -> Colour:
    """Black or white, whichever stands out more (relative luminance as in WCAG 2)."""
    red, green, blue = ((part / 255) ** 2.2 for part in ground)
    return INK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.22 else PAPER
