"""A picture of a board of Hashi, and of its solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autoplayer.core.frame import Cell, Image
from autoplayer.games.drawing import INK, PAPER, Colour, fitting_pitch, font, sheet, shrunk
from autoplayer.games.hashi.puzzle import MOST_LINKS, Puzzle, Solution

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

GRID: Colour = (232, 232, 228)
"""Lines between the places: an empty row or column shows too."""
BRIDGE: Colour = (0, 114, 178)
"""Okabe and Ito's blue (2008), which people with any colour vision tell from black and from the done islands."""
DONE: Colour = (222, 236, 247)
"""The ground of an island that has all its links."""
WRONG: Colour = (246, 196, 156)
"""The ground of an island that has other links than its number says."""

SMOOTH = 3
LARGEST_PITCH = 64
SMALLEST_PITCH = 24

RADIUS = 0.36
"""Of an island, as a share of the pitch: between two that touch, a bridge is still seen."""
LINE = 0.06
"""The thickness of a ring and of a link, as a share of the pitch."""
APART = 0.1
"""From the middle of a bridge to either of its two links, as a share of the pitch."""


def pitch_of(puzzle: Puzzle) -> int:
    """The distance between neighbouring places in :func:`draw`'s picture, pixels; the margin around the board is half
    of it."""
    return fitting_pitch(max(puzzle.height, puzzle.width), SMALLEST_PITCH, LARGEST_PITCH)


def draw(puzzle: Puzzle, solution: Solution | None = None) -> Image:
    """The board with its islands as rings, and the bridges of ``solution`` between them.

    Shape ``(height, width, 3)``, BGR. Any solution-shaped value is drawn, right or wrong; bridges that are neither
    horizontal nor vertical, or leave the board, are left out. Raises UsageError if it would be too large.
    """
    pitch = pitch_of(puzzle) * SMOOTH
    picture, pen = sheet((puzzle.width + 1) * pitch, (puzzle.height + 1) * pitch)
    _grid(pen, puzzle, pitch)
    has = dict.fromkeys(puzzle.islands, 0)
    for a, b, links in solution or ():
        if a != b and 0 in (a[0] - b[0], a[1] - b[1]) and all(_on_board(puzzle, cell) for cell in (a, b)):
            _bridge(pen, a, b, links, pitch)
            for end in (a, b):
                has[end] = has.get(end, 0) + links
    for cell, number in puzzle.islands.items():
        ground = PAPER if solution is None else DONE if has[cell] == number else WRONG
        _island(pen, cell, number, ground, pitch)
    return shrunk(picture, SMOOTH)


def _on_board(puzzle: Puzzle, cell: Cell) -> bool:
    return 0 <= cell[0] < puzzle.height and 0 <= cell[1] < puzzle.width


def _centre(cell: Cell, pitch: int) -> tuple[int, int]:
    return (cell[1] + 1) * pitch, (cell[0] + 1) * pitch


def _grid(pen: ImageDraw, puzzle: Puzzle, pitch: int) -> None:
    half, width = pitch // 2, max(1, pitch // 40)
    right, bottom = half + puzzle.width * pitch, half + puzzle.height * pitch
    for x in range(half, right + 1, pitch):
        pen.line((x, half, x, bottom), fill=GRID, width=width)
    for y in range(half, bottom + 1, pitch):
        pen.line((half, y, right, y), fill=GRID, width=width)


def _bridge(pen: ImageDraw, a: Cell, b: Cell, links: int, pitch: int) -> None:
    """One line, or two side by side, from centre to centre; the islands are drawn over its ends."""
    (x, y), (u, v) = sorted((_centre(a, pitch), _centre(b, pitch)))
    thick = max(2, round(pitch * LINE))
    for side in (-1, 1) if links == MOST_LINKS else (0,):
        aside = round(side * pitch * APART)
        left, top = (x, y + aside) if y == v else (x + aside, y)
        right, bottom = (u, v + aside) if y == v else (u + aside, v)
        pen.line((left, top, right, bottom), fill=BRIDGE, width=thick)


def _island(pen: ImageDraw, cell: Cell, number: int, ground: Colour, pitch: int) -> None:
    x, y = _centre(cell, pitch)
    radius = round(pitch * RADIUS)
    box = (x - radius, y - radius, x + radius, y + radius)
    pen.ellipse(box, fill=ground, outline=INK, width=max(2, round(pitch * LINE)))
    pen.text((x, y), str(number), fill=INK, font=font(round(pitch * 0.42)), anchor="mm")
