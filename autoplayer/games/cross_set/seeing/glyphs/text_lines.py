"""Joins signs of several disconnected strokes, such as the Chinese 2 and 3, by the lines of text that all cells of a
board share. Knows no digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from autoplayer.core.frame import Box, Cell
from autoplayer.vision import pieces
from autoplayer.vision.pieces import Piece

Line = tuple[float, float]
"""Top and bottom of a line of text, as shares of a cell's height."""

SPECK = 0.02
"""The least height of a line of text, as a share of a cell's height."""

CLOSE = 0.03
"""Two lines closer than this share of a cell's height are one: in sixteen cells not every height of a sign is covered
by a stroke of some other sign."""

OVER = 0.3
"""Strokes of one line belong to the same sign if they overlap by so much of the narrower one's width."""


def text_lines(split: Mapping[Cell, Sequence[Piece]], boxes: Mapping[Cell, Box]) -> tuple[Line, ...]:
    """The lines of text of the cells, from above, separated by what is empty in all cells. A stroke that lies between
    two others of its sign occurs in some cell or other."""
    found: list[Line] = []
    for top, bottom in sorted(_span(piece, boxes[cell]) for cell, row in split.items() for piece in row):
        if found and top < found[-1][1] + CLOSE:
            found[-1] = found[-1][0], max(found[-1][1], bottom)
        else:
            found.append((top, bottom))
    return tuple(line for line in found if line[1] - line[0] >= SPECK)


def parted(parts: Sequence[Piece], box: Box, way: tuple[float, float], lines: Sequence[Line]) -> list[Piece]:
    """The content of a cell, segmented in one ``way`` into glyphs: along its ``lines`` of text if they are known."""
    return _by_lines(parts, box, lines, way[1]) if lines else pieces.together(parts, way[1])


def _by_lines(row: Sequence[Piece], box: Box, lines: Sequence[Line], share: float) -> list[Piece]:
    """The pieces of a cell; those are joined that stand in one of its ``lines`` and overlap, or are no farther apart
    than ``share`` of its height."""
    result: list[Piece] = []
    for line in (*lines, None):
        here = sorted((p for p in row if _line_of(p, box, lines) == line), key=lambda p: p.box.x)
        reach = share * (line[1] - line[0]) * box.height if line is not None else 0.0
        groups: list[list[Piece]] = []
        for piece in here:
            if groups and line is not None and _belongs(piece, groups[-1], reach):
                groups[-1].append(piece)
            else:
                groups.append([piece])
        result += [pieces.joined(group) for group in groups]
    return result


def _span(piece: Piece, box: Box) -> Line:
    return (piece.box.y / piece.scale - box.y) / box.height, (piece.bottom / piece.scale - box.y) / box.height


def _line_of(piece: Piece, box: Box, lines: Iterable[Line]) -> Line | None:
    top, bottom = _span(piece, box)
    middle = (top + bottom) / 2
    return next((line for line in lines if line[0] <= middle <= line[1]), None)


def _belongs(piece: Piece, group: Sequence[Piece], reach: float) -> bool:
    """Whether a piece is a part of the sign of which ``group`` are the pieces that begin farther left."""
    right = max(each.right for each in group)
    common = right - piece.box.x
    narrow = min(piece.box.width, right - min(each.box.x for each in group))
    return common >= OVER * narrow or (-common <= reach * piece.scale and reach > 0)
