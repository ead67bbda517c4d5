"""Glyphs of a board's own kind that extend beyond its places or stand between them. A lattice that cuts through
numbers, or steps over them, is not the board's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cardinal_chains.seeing.covered.certain import colours, is_new
from autoplayer.games.cardinal_chains.seeing.glyphs import odds
from autoplayer.games.cardinal_chains.seeing.glyphs.views import touches
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place, likeliest
from autoplayer.vision import glyphs, ink

GRAIN = 14
"""Pixels: higher glyphs are scaled down to about this height."""

NEARER, LEAST_NEAR, MOST_NEAR = 0.4, 10.0, 60.0
"""The largest difference of a pixel from the glyphs' colour, as a share of their contrast; its lower and upper limit in
grey levels."""

GAP = 0.1
"""The largest gap between the pieces of a glyph, as shares of its height."""

LOWER, HIGHER, NARROWEST, WIDEST = 0.85, 1.15, 0.3, 2.4
"""A piece is a glyph of this board if it is about as high as its glyphs (shares of the lowest and the highest), and
neither a bar nor wider than two digits (shares of its height)."""

OURS = 0.25
"""The least share of a piece's box inside the box of a glyph that was read."""

REACH = 0.05
"""The least distance by which a piece extends beyond the place where a part of it was read, as a share of a glyph's
height; plus one of the pixels that are examined."""

AROUND = 0.15
"""The margin around a piece for reading it, as a share of a glyph's height."""


LinesInto = Callable[[Cell], Mapping[Cell, Floats]]


@dataclass(frozen=True)
class LeftOver:
    """``cut``: the places that hold only a part of a glyph; an X may be larger than the numbers, and its middle is one
    as well, unless it reaches into another place. ``loose``: the boxes of glyphs that stand in no place."""

    cut: frozenset[Cell]
    loose: tuple[Box, ...]

    def __len__(self) -> int:
        return len(self.cut) + len(self.loose)


NOTHING = LeftOver(frozenset(), ())


def left_over(
    image: Image, places: dict[Cell, Place], noise: float, lines_into: LinesInto = lambda cell: {}
) -> LeftOver:
    """The glyphs that a board with these ``places`` cuts or misses in its bounding rectangle; ``noise``: of ``image``
    (BGR), in grey levels; ``lines_into``: the places from which chains lead into one, with their colours."""
    clear = {cell: place for cell, place in places.items() if odds.probability(place.candidates) > odds.LEGIBLE}
    marked = {cell: place for cell, place in clear.items() if not place.content.bare}
    if not marked:
        return NOTHING
    heights = sorted(place.content.box.height for place in marked.values())
    usual = heights[len(heights) // 2]
    low, high = LOWER * max(heights[0], 0.6 * usual), HIGHER * min(heights[-1], 1.5 * usual)
    step = max(int(usual) // GRAIN, 1)
    left, top = (min(getattr(place.box, side) for place in places.values()) for side in ("x", "y"))
    right = max(place.box.x + place.box.width for place in places.values())
    bottom = max(place.box.y + place.box.height for place in places.values())
    margin = 2 * step + round(usual / 2)  # what reaches out of the outer places is seen whole
    rim = (left, top, right, bottom)
    left, top = max(left - margin, 0), max(top - margin, 0)
    part = image[top : bottom + margin : step, left : right + margin : step]
    contrast = float(np.median([place.content.contrast for place in marked.values()]))
    near = min(max(NEARER * contrast, LEAST_NEAR), MOST_NEAR) + noise
    cells = list(places)
    seen = np.array([_corners(places[cell].content.box) for cell in cells], float)
    looked_at = np.array([_corners(places[cell].content.place) for cell in cells], float)
    cut: set[Cell] = set()
    loose: list[Box] = []
    for colour in _own_colours(marked, lines_into):
        for box in _pieces(part, colour, near, round(GAP * usual / step), low / step, high / step):
            x0, y0, x1, y1 = (box * step + (left, top, left, top)).tolist()
            across = np.minimum(seen[:, 2], x1) - np.maximum(seen[:, 0], x0)
            down = np.minimum(seen[:, 3], y1) - np.maximum(seen[:, 1], y0)
            shared = np.clip(across, 0, None) * np.clip(down, 0, None)
            at = int(shared.argmax())
            if shared[at] > OURS * (x1 - x0) * (y1 - y0):
                reach = step + REACH * usual
                bounds = looked_at[at] + (-reach, -reach, reach, reach)
                out = x0 < bounds[0] or y0 < bounds[1] or x1 > bounds[2] or y1 > bounds[3]
                inner = seen[at] + (-step, -step, step, step)
                frame = x0 < inner[0] and y0 < inner[1] and x1 > inner[2] and y1 > inner[3]
                if out and not frame and cells[at] in marked:
                    over = (looked_at[:, 0] < x1) & (x0 < looked_at[:, 2])
                    over &= (looked_at[:, 1] < y1) & (y0 < looked_at[:, 3])
                    if likeliest(marked[cells[at]]) != "X" or over.sum() > 1:
                        cut.add(cells[at])
            elif x1 - x0 > NARROWEST * (y1 - y0) and _within((x0 + x1) / 2, (y0 + y1) / 2, rim):
                loose.append(Box(int(x0), int(y0), int(x1 - x0), int(y1 - y0)))
    return LeftOver(frozenset(cut), tuple(_legible(image, loose, round(AROUND * usual), noise)))


def _own_colours(marked: Mapping[Cell, Place], lines_into: LinesInto) -> list[Floats]:
    """The colours of a board's glyphs, without those of lines that run under them: where a number is drawn over a line,
    most of the ink may be the line's, and pieces of it are as high as a glyph."""
    found = colours(list(marked.values()))
    crossed = {cell for cell, place in marked.items() if touches(place.content)}
    lines = [line for cell in crossed for line in lines_into(cell).values()]
    whole = [place.content.colour for cell, place in marked.items() if cell not in crossed]
    return [colour for colour in found if is_new(colour, lines) or not is_new(colour, whole)]


def _within(x: float, y: float, rim: tuple[int, int, int, int]) -> bool:
    return rim[0] < x < rim[2] and rim[1] < y < rim[3]


def _corners(box: Box) -> tuple[int, int, int, int]:
    return box.x, box.y, box.x + box.width, box.y + box.height


def _pieces(
    part: Image, colour: NDArray[np.float32], near: float, gap: int, low: float, high: float
) -> NDArray[np.int32]:
    """The corners ``(x0, y0, x1, y1)`` of components that are about as high as the glyphs, and have their colour."""
    mask = cv2.inRange(part, np.asarray(colour - near, np.float64), np.asarray(colour + near, np.float64))
    if gap > 1:
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    x, y, w, h = (stats[1:, i] for i in range(4))
    fair = (low <= h + 1) & (h - 1 <= high) & (w <= WIDEST * h)
    return np.stack([x, y, x + w, y + h], axis=1)[fair]


def _legible(image: Image, boxes: Sequence[Box], around: int, noise: float) -> list[Box]:
    """Those of some boxes in which a number or an X can be read."""
    wide = [Box(box.x - around, box.y - around, box.width + 2 * around, box.height + 2 * around) for box in boxes]
    seen = [(box, ink.content(image, place, noise)) for box, place in zip(boxes, wide, strict=True)]
    drawn = [(box, here.ink) for box, here in seen if not here.bare]
    said = [odds.possible(options) for options in glyphs.read_numbers([one for _, one in drawn])]
    chances = [max((p for token, p in options.items() if token), default=0.0) for options in said]
    return [box for (box, _), chance in zip(drawn, chances, strict=True) if chance > odds.LEGIBLE]
