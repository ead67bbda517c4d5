"""Finds glyphs of a cell of Cross Set by template matching with the board's own glyphs: where clearly legible ones
occur again, one by one, so that they are separated from what touches them (a comma, a wall, another digit), or found
though they fall into pieces. Decides nothing: the result is scored like any other segmentation of a cell."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.vision import pieces
from autoplayer.vision.pieces import Piece

MOST_LIKE = 4
"""Examples of one number at one height: edges fall on other pixels in each."""

NEAR_HEIGHT = 0.12
"""Examples that differ in height by a smaller share are of one size."""

ALIKE = 0.7
"""The least correlation of a position with an example for that number to be considered there."""

PLACES = 4
"""The most positions at which one example is tried in a cell."""

COST = 0.2
"""A further glyph has to explain at least this share of what an example of its size has in ink."""

MOST_GLYPHS = 10

AROUND = 0.06
"""The farthest that ink may lie from an example's ink to be explained by it, as a share of its height."""

INKED = 0.4


@dataclass(frozen=True)
class _Example:
    ink: Floats
    """Padded by ``pad`` at each side."""
    pad: int
    energy: float


@dataclass(frozen=True)
class _Spot:
    """An example at a position: its padded left and top, and the contrast with which it is drawn there."""

    example: _Example
    x: int
    y: int
    contrast: float

    def area(self) -> tuple[slice, slice]:
        h, w = self.example.ink.shape
        return slice(self.y, self.y + h), slice(self.x, self.x + w)


def traced(parts: Mapping[Cell, Sequence[Piece]], good: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, list[Piece]]:
    """The ``parts`` of some cells, divided into glyphs like those of the ``good`` cells and the remainder; cells in
    which none is found are left out."""
    examples = _examples(list(good.values()))
    found = {cell: _explained(row, examples) for cell, row in parts.items() if row and examples}
    return {cell: row for cell, row in found.items() if row}


def _examples(rows: Sequence[Sequence[Glyph]]) -> list[_Example]:
    """Some of the glyphs of each number and height; the most frequent first."""
    members: dict[str, list[Glyph]] = defaultdict(list)
    often = Counter(g.cluster for row in rows for g in row)
    met: set[int] = set()
    for row in rows:
        for g in row:
            if g.cluster not in met and not g.piece.cut and g.token:
                met.add(g.cluster)
                members[g.token].append(g)
    sizes: dict[str, dict[int, list[Floats]]] = {}
    for token, glyphs in members.items():
        sizes[token] = {}
        for g in sorted(glyphs, key=lambda g: -often[g.cluster]):
            near = next((h for h in sizes[token] if abs(h - g.height) <= NEAR_HEIGHT * h + 1), g.height)
            inks = sizes[token].setdefault(near, [])
            if len(inks) < MOST_LIKE:
                inks.append(g.piece.ink)
    scale = max((g.piece.scale for row in rows for g in row), default=1)
    pad = 2 * scale
    every = [ink for token in sizes for inks in (*sizes[token].values(), *_other_size(token, sizes)) for ink in inks]
    padded = [_soft(np.asarray(np.pad(ink, pad), np.float32), scale) for ink in every]
    return [_Example(ink, pad, float((ink**2).sum())) for ink in padded]


def _other_size(token: str, sizes: Mapping[str, Mapping[int, Sequence[Floats]]]) -> list[list[Floats]]:
    """Examples of a number at the heights that other numbers have beside its own."""
    own = sizes[token]
    # Numbers that occur both active and not show how much larger active ones are.
    ratios = [max(heights) / min(heights) for heights in sizes.values() if len(heights) > 1]
    if not ratios or len(own) != 1:
        return []
    ratio, (height, inks) = float(np.median(ratios)), next(iter(own.items()))
    heights = [h for t, each in sizes.items() if t != token for h in each]
    result = []
    for factor in (ratio, 1 / ratio):
        if any(abs(h - factor * height) <= NEAR_HEIGHT * h + 1 for h in heights):
            shape = [(max(round(k.shape[1] * factor), 1), max(round(k.shape[0] * factor), 1)) for k in inks]
            result.append([_resized(ink, size) for ink, size in zip(inks, shape, strict=True)])
    return result


def _soft(ink: Floats, scale: int) -> Floats:
    """Blurred by half a pixel of the window: the edges of thin strokes fall on other pixels in every cell."""
    return np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.5 * scale), np.float32)


def _resized(ink: Floats, size: tuple[int, int]) -> Floats:
    way = cv2.INTER_AREA if size[1] < ink.shape[0] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(np.asarray(ink, np.float32), size, interpolation=way), np.float32)


def _explained(parts: Sequence[Piece], examples: Sequence[_Example]) -> list[Piece]:
    """The glyphs that explain most of a cell's content, and the remaining pieces."""
    pad = max(e.pad for e in examples)
    left, top = min(p.box.x for p in parts) - pad, min(p.box.y for p in parts) - pad
    right, bottom = max(p.right for p in parts) + pad, max(p.bottom for p in parts) + pad
    sheet = np.zeros((bottom - top, right - left), np.float32)
    for p in parts:
        under = sheet[p.box.y - top : p.bottom - top, p.box.x - left : p.right - left]
        np.maximum(under, p.ink * np.float32(p.contrast / 255), out=under)
    sheet = _soft(sheet, parts[0].scale)
    spots = _chosen(sheet, _candidates(sheet, examples))
    result = []
    taken = np.zeros(sheet.shape, np.bool_)
    for spot in spots:
        piece, mask = _piece(spot, parts, (left, top), sheet.shape)
        if piece is not None:
            result.append(piece)
            taken |= mask
    if not result:
        return []
    for p in parts:
        result += _rest(p, taken[p.box.y - top : p.bottom - top, p.box.x - left : p.right - left])
    return result


def _candidates(sheet: Floats, examples: Sequence[_Example]) -> list[_Spot]:
    found = []
    for example in examples:
        h, w = example.ink.shape
        if h > sheet.shape[0] or w > sheet.shape[1]:
            continue
        like = cv2.matchTemplate(sheet, example.ink, cv2.TM_CCOEFF_NORMED)
        peaks = (like >= ALIKE) & (like >= cv2.dilate(like, np.ones((5, 5), np.uint8)))
        ys, xs = np.nonzero(peaks)
        for i in np.argsort(-like[ys, xs])[:PLACES]:
            x, y = int(xs[i]), int(ys[i])
            here = sheet[y : y + h, x : x + w]
            contrast = float((here * example.ink).sum()) / example.energy
            found.append(_Spot(example, x, y, contrast))
    return found


def _chosen(sheet: Floats, candidates: Sequence[_Spot]) -> list[_Spot]:
    """The candidates that leave the least ink unexplained: greedily the best first, then each is tested against all
    others."""

    def gain(drawn: Floats, spot: _Spot) -> float:
        area = spot.area()
        now, then = drawn[area], np.maximum(drawn[area], spot.contrast * spot.example.ink)
        there = sheet[area]
        cost = COST * spot.example.energy * spot.contrast**2
        return float(((there - now) ** 2).sum() - ((there - then) ** 2).sum()) - cost

    def draw(spots: Iterable[_Spot]) -> Floats:
        drawn = np.zeros_like(sheet)
        for spot in spots:
            area = spot.area()
            np.maximum(drawn[area], spot.contrast * spot.example.ink, out=drawn[area])
        return drawn

    chosen: list[_Spot] = []
    while len(chosen) < MOST_GLYPHS and candidates:
        drawn = draw(chosen)
        worth = [gain(drawn, spot) for spot in candidates]
        best = int(np.argmax(worth))
        if worth[best] <= 0:
            break
        chosen.append(candidates[best])
    for spot in list(chosen):
        chosen.remove(spot)
        drawn = draw(chosen)
        best_now = max(candidates, key=lambda one: gain(drawn, one))
        # What the others explain as well is no glyph of its own: the bar of a 7 is no 1.
        if gain(drawn, best_now) > 0:
            chosen.append(best_now)
    return chosen


def _piece(
    spot: _Spot, parts: Sequence[Piece], origin: tuple[int, int], shape: tuple[int, ...]
) -> tuple[Piece | None, NDArray[np.bool_]]:
    """The ink at the position of an example and close to its own, as one piece; and its position on the sheet."""
    mask = np.zeros(shape, np.bool_)
    reach = 2 * max(1, round(AROUND * spot.example.ink.shape[0])) + 1
    mask[spot.area()] = cv2.dilate(np.asarray(spot.example.ink > INKED / 2, np.uint8), np.ones((reach, reach))) > 0
    own = []
    for p in parts:
        x, y = p.box.x - origin[0], p.box.y - origin[1]
        inside = mask[y : y + p.box.height, x : x + p.box.width]
        ink = np.where(inside, p.ink, np.float32(0))
        if (ink > INKED).any():  # as numbers of four bytes: what is exactly INKED is no ink, as where it is cut
            cut = _cut(replace(p, ink=np.asarray(ink, np.float32)))
            own.append(cut)
    return (pieces.joined(own) if own else None), mask


def _cut(piece: Piece) -> Piece:
    """A piece cropped to its ink."""
    ys, xs = np.nonzero(piece.ink > INKED)
    x0, x1, y0, y1 = int(xs.min()), int(xs.max()) + 1, int(ys.min()), int(ys.max()) + 1
    box = Box(piece.box.x + x0, piece.box.y + y0, x1 - x0, y1 - y0)
    whole = box.width == piece.box.width and box.height == piece.box.height
    return replace(piece, box=box, ink=np.ascontiguousarray(piece.ink[y0:y1, x0:x1]), cut=piece.cut and whole)


def _rest(piece: Piece, taken: NDArray[np.bool_]) -> list[Piece]:
    """The remainder of a piece of which some is ``taken``, without what is thinner than a window pixel."""
    left = np.asarray((piece.ink > INKED) & ~taken, np.uint8)
    left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((piece.scale, piece.scale), np.uint8)), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(left, connectivity=8)
    least = 2 * piece.scale * piece.scale
    return [
        _cut(replace(piece, ink=np.where(labels == k, piece.ink, np.float32(0))))
        for k in range(1, count)
        if stats[k, cv2.CC_STAT_AREA] >= least
    ]
