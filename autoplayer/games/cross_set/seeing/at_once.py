"""Finds the connected components in all cells of a board of Cross Set at once: the result of ``pieces.find`` for each
cell in a fraction of the time, for boards on which nothing but remnants of walls touches a cell's border."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cross_set.seeing.glyphs.marks import off_chips
from autoplayer.games.cross_set.seeing.glyphs.pairs import Pairs, pairs_of
from autoplayer.games.cross_set.seeing.one_cell.assembly import LINES, SLIM
from autoplayer.games.cross_set.seeing.one_cell.contents import FAINT_PIXELS
from autoplayer.games.cross_set.seeing.one_cell.ways import WAYS
from autoplayer.vision import borders, ink, pieces, thin
from autoplayer.vision.components import components
from autoplayer.vision.grounds import Distances
from autoplayer.vision.pieces import Piece

HALVES = 0.3
"""The two halves of one digit differ in height by less than this share."""

MOST_IN_A_CELL = 40
"""The most connected components in a cell; more are texture."""

Number = TypeVar("Number", bound=np.generic)

UNEVEN = 2
"""The most pixels by which the insides of cells differ in size, because the pitch is no whole number of pixels."""

SOLID = 0.6
"""What fills more than this share of its bounding box may be a chip with a number on it."""

LARGE = 0.8
"""What is broader or higher than this share of a cell is no glyph."""

FINELY, LEVELS = 16, 16 * 512
"""How many steps a grey level has, where distances from the ground are ranked, and how many steps there are: enlarged
distances reach beyond 255."""


@dataclass(frozen=True)
class Parts:
    """The connected components of all cells. ``owner``: the index of the cell; ``box``: x, y, width and height in fine
    pixels, from the same corner in every cell, shape ``(n, 4)``; ``found``: the piece itself. ``grounds``: the colour
    of each cell, BGR, shape ``(N, 3)``."""

    owner: NDArray[np.int64]
    box: NDArray[np.int64]
    found: list[Piece]
    grounds: Floats

    @cached_property
    def pairs(self) -> Pairs:
        return pairs_of(self.owner, self.box)


def parts_of(image: Image, boxes: Mapping[Cell, Box], noise: float, scale: int) -> Parts | None:
    """As :func:`pieces.find` of each cell, all at once; None where a cell is empty, or something touches its border, is
    pale beside something strong, or is as large as the cell."""
    patches = _insides(image, boxes)
    if patches is None:
        return None
    grounds, away = ink.grounds_and_distances(patches)
    least = pieces.FAINTEST + 3 * noise
    _, h, w = away.shape
    drawn = _drawn_in(away, least)
    if drawn is None:
        return None
    patches, away = patches[:, drawn[0], drawn[1]], away[:, drawn[0], drawn[1]]
    if scale > 1:
        patches = np.asarray(_enlarged(patches, scale), np.uint8)
        away = np.asarray(_enlarged(away.astype(np.float32), scale), np.float32)
    frame = _Frame(h * scale, w * scale, drawn[0].start * scale, drawn[1].start * scale)
    count, h, w = away.shape
    peaks = _inner(away, frame).max(axis=(1, 2)).astype(np.float32)
    if peaks.min() < least:
        return None
    lows = np.maximum(pieces.PALEST * peaks, 0.6 * least).astype(np.float32)
    sheet: Distances = np.zeros((count, h + 1, w), away.dtype)  # a free row below each, so that no two are connected
    sheet[:, :h] = away
    whole = _labelled(_above(sheet, lows), frame)
    if len(whole.area) > MOST_IN_A_CELL * count:
        return None
    kept = whole.area >= 2 * scale * scale
    kept[0] = False
    left_over = _left_over(whole, kept, frame, scale)
    if left_over is None:
        return None
    soft, inked, contrast = _soft(sheet, whole, kept & ~left_over, least, noise)
    strokes = _labelled(soft > pieces.STROKE, frame, soft, scale)
    own = np.zeros(len(strokes.area), np.int64)
    own[strokes.labels.ravel()[inked.at]] = inked.label
    chosen = _full(soft, strokes, inked, own, scale)
    owner, box = strokes.owner[chosen], strokes.box[chosen]
    if not len(chosen) or (box[:, 2:] > (LARGE * frame.width, LARGE * frame.height)).any():
        return None
    strengths = contrast[own[chosen]]
    if _pale_beside(sheet, owner, box, strengths, least, frame, scale):
        return None
    parts = Parts(owner, box, [], grounds)
    corners = np.array([(b.x * scale, b.y * scale) for b in boxes.values()])[owner] + box[:, :2]
    places = zip(*corners.T.tolist(), *box[:, 2:].T.tolist(), strict=True)
    # Strokes that are connected by their soft edges have contrasts of their own.
    several = (np.bincount(own[chosen])[own[chosen]] > 1).tolist()
    colours = _colours(patches, inked, strokes, chosen)
    inks = _inks(soft, strokes, chosen, _boxes_meet(parts.pairs), frame)
    for (at, part), place, one_of_several, colour, strength in zip(
        inks, places, several, colours, strengths.tolist(), strict=True
    ):
        own_contrast = pieces.contrast_of(sheet[at][part > 0].astype(np.float32)) if one_of_several else strength
        parts.found.append(Piece(Box(*place), part, colour, own_contrast, False, scale))
    return parts


Spot = tuple[int, slice, slice]


def _inks(
    soft: Floats, strokes: _Labelled, chosen: NDArray[np.int64], tangled: set[int], frame: _Frame
) -> Iterator[tuple[Spot, Floats]]:
    """The position of each of some strokes in the stack, and how much ink each of its pixels holds. ``tangled``:
    strokes whose bounding box another one enters."""
    x, y, wide, high = (strokes.box[chosen] - (frame.left, frame.top, 0, 0)).T
    spots = zip(chosen.tolist(), *(v.tolist() for v in (strokes.owner[chosen], x, y, x + wide, y + high)), strict=True)
    for i, (k, cell, left, top, right, bottom) in enumerate(spots):
        at = cell, slice(top, bottom), slice(left, right)
        part = soft[at].copy()
        if i in tangled:
            labels = strokes.labels[at]
            near = cv2.dilate(np.asarray(labels == k, np.uint8), np.ones((3, 3), np.uint8)) > 0
            part[(labels != k) & ~(near & (labels == 0))] = 0
        yield at, part


def _above(sheet: Distances, levels: Floats) -> NDArray[np.bool_]:
    """Which pixels of a stack exceed the level of their cell. Bytes are compared with bytes: as if they were floats
    that takes ten times as long."""
    if sheet.dtype == np.uint8:
        levels = np.clip(np.floor(levels), 0, 255).astype(np.uint8)
    return np.asarray(sheet > levels[:, None, None], np.bool_)


def _drawn_in(away: Distances, least: float) -> tuple[slice, slice] | None:
    """The rows and the columns in which something may be drawn in any cell; None if nothing is. Enlarging spreads ink
    by two pixels."""
    drawn = away.max(axis=0) > 0.5 * least
    down, across = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    if not len(across):
        return None
    rows, columns = (slice(max(int(at[0]) - 3, 0), int(at[-1]) + 4) for at in (down, across))
    return rows, columns


def _insides(image: Image, boxes: Mapping[Cell, Box]) -> NDArray[np.uint8] | None:
    """The insides of cells, shape ``(N, h, w, 3)``; None if their sizes differ too much, or one is not in the
    picture."""
    every = list(boxes.values())
    wide, tall = min(b.width for b in every), min(b.height for b in every)
    uneven = max(max(b.width for b in every) - wide, max(b.height for b in every) - tall)
    if uneven > UNEVEN or min(wide, tall) < 4 or min(min(b.x, b.y) for b in every) < 0:
        return None
    if max(b.x for b in every) + wide > image.shape[1] or max(b.y for b in every) + tall > image.shape[0]:
        return None
    return sliding_window_view(image, (tall, wide, 3))[[b.y for b in every], [b.x for b in every], 0]


@dataclass(frozen=True)
class _Frame:
    """The inside of a cell, in fine pixels, and where in it the part that is looked at begins."""

    height: int
    width: int
    top: int
    left: int


def _enlarged(stack: NDArray[np.number[Any]], scale: int) -> NDArray[np.number[Any]]:
    """Each picture of a stack enlarged by ``scale``, independently of its neighbours."""
    count, h, w = stack.shape[:3]
    rim = 2  # so far the neighbours count
    padded = np.concatenate([stack[:, :1]] * rim + [stack] + [stack[:, -1:]] * rim, axis=1)
    tall = padded.reshape(count * (h + 2 * rim), *stack.shape[2:])
    size = (w * scale, count * (h + 2 * rim) * scale)
    large = np.asarray(cv2.resize(tall, size, interpolation=cv2.INTER_CUBIC))
    each = large.reshape(count, (h + 2 * rim) * scale, w * scale, *stack.shape[3:])
    return np.ascontiguousarray(each[:, rim * scale : -rim * scale])


@dataclass(frozen=True)
class _Labelled:
    """The connected components of a stack of cells: ``labels``, shape ``(N, h + 1, w)``, and ``mask``, the labelled
    pixels; for each label ``owner``, the index of its cell, ``box``, as in :class:`Parts`, and ``area``."""

    mask: NDArray[np.bool_]
    labels: NDArray[np.int32]
    owner: NDArray[np.int64]
    box: NDArray[np.int64]
    area: NDArray[np.int64]


def _labelled(mask: NDArray[np.bool_], frame: _Frame, soft: Floats | None = None, scale: int = 1) -> _Labelled:
    """``soft``: how much ink each pixel holds, if the connected components are strokes."""
    count, h, w = mask.shape
    labels, stats = components(mask.view(np.uint8).reshape(count * h, w), 8)
    if soft is not None and thin.add(labels, stats, soft.reshape(count * h, w), pieces.STROKE, scale):
        mask = labels.reshape(mask.shape) > 0
    x, y, wide, tall, area = stats.T.astype(np.int64)
    owner, y = np.divmod(y, h)
    box = np.stack([x + frame.left, y + frame.top, wide, tall], axis=1)
    return _Labelled(mask, labels.reshape(mask.shape), owner, box, area)


def _left_over(whole: _Labelled, kept: NDArray[np.bool_], frame: _Frame, scale: int) -> NDArray[np.bool_] | None:
    """Remnants of walls: thin strips along the border, what rounded corners leave there, and a frame around the cell.
    None if anything else touches the border."""
    x, y, cw, ch = whole.box.T
    h, w = frame.height, frame.width
    at_sides = (x == 0) | (x + cw == w), (y == 0) | (y + ch == h)
    touching = kept & (at_sides[0] | at_sides[1])
    result = np.zeros(len(kept), bool)
    for k in np.flatnonzero(touching).tolist():
        across, down = cw[k] / w, ch[k] / h
        at, left = y[k] - frame.top, x[k] - frame.left
        own = whole.labels[whole.owner[k], at : at + ch[k], left : left + cw[k]] == k
        if cw[k] == w and ch[k] == h:
            rim = round(borders.RIM * min(w, h))
            result[k] = not own[rim:-rim, rim:-rim].any()
        elif at_sides[0][k] and at_sides[1][k] and max(across, down) < borders.CORNER:
            result[k] = borders.off_corner(own, x[k] == 0, y[k] == 0, w, h) <= borders.MARKED * scale * scale
        else:
            long = max(across, down)
            result[k] = min(across, down) < borders.THIN and not borders.SHORT[0] < long < borders.SHORT[1]
        if not result[k] and max(across, down) == 1:
            result[k] = borders.is_side_with_corners(own, (x[k], y[k]), w, h, scale)
    return result if np.array_equal(result, touching) else None


@dataclass(frozen=True)
class _Inked:
    """The drawn pixels: ``at``, their indices in the stack; ``label``, their connected component; ``ink``, how much of
    each is drawn, 0 to 1."""

    at: NDArray[np.int64]
    label: NDArray[np.int32]
    ink: Floats


def _inner(stack: NDArray[Number], frame: _Frame) -> NDArray[Number]:
    """The part of each cell without its rim: the inner three quarters, as far as that was looked at."""
    rows, columns = (
        slice(max(side // 8 - start, 0), max(side - side // 8 - start, 0))
        for side, start in ((frame.height, frame.top), (frame.width, frame.left))
    )
    return stack[:, rows, columns]


def _soft(
    sheet: Distances, whole: _Labelled, kept: NDArray[np.bool_], least: float, noise: float
) -> tuple[Floats, _Inked, Floats]:
    """How much of each pixel is ink, relative to the contrast of its connected component; and those contrasts."""
    count = len(whole.area)
    at = np.flatnonzero(whole.mask)
    label = whole.labels.ravel()[at]
    if not kept[1:].all():
        at, label = at[kept[label]], label[kept[label]]
    values = sheet.ravel()[at].astype(np.float32)
    contrast = _ranked(label, np.maximum(values * FINELY, 0).astype(np.int32), count)
    strong = contrast >= least
    floor = np.minimum(0.12 * contrast + 2 * noise, 0.4 * contrast)
    span = np.maximum(0.92 * contrast - floor, 1e-3)
    soft = np.clip((values - floor[label]) / span[label], 0, 1) * strong[label]
    result: Floats = np.zeros(sheet.shape, np.float32)
    result.ravel()[at] = soft
    return result, _Inked(at, label, soft), contrast


def _ranked(label: NDArray[np.int32], steps: NDArray[np.int32], count: int) -> Floats:
    """The distance from the ground that one in twelve pixels of a component reaches, for each of ``count`` labels, grey
    levels; 0 for those without a pixel. ``steps``: of each pixel, ``FINELY`` to a grey level."""
    many = np.bincount(label, minlength=count)
    rank = np.maximum(many // 12, 1)
    # In most components so many pixels have the full colour; only the others need to be sorted.
    highest = np.zeros(count, np.int32)
    np.maximum.at(highest, label, steps)
    open_ones = (np.bincount(label[steps == highest[label]], minlength=count) < rank) & (many > 0)
    if open_ones.any():
        some = open_ones[label]
        keys = np.sort(label[some] * np.int32(LEVELS) + steps[some])
        at = np.cumsum(np.where(open_ones, many, 0))[open_ones] - rank[open_ones]
        highest[open_ones] = keys[at] % LEVELS
    return np.asarray(highest / FINELY, np.float32)


def _full(soft: Floats, strokes: _Labelled, inked: _Inked, own: NDArray[np.int64], scale: int) -> NDArray[np.int64]:
    """Which strokes are more than splinters of their connected component (``own``, for each), as numbers of
    ``strokes``. Pixels that are neither in one of them nor next to one are erased from ``soft``."""
    largest = np.zeros(int(own.max(initial=0)) + 1)
    np.maximum.at(largest, own[1:], strokes.area[1:])
    full = strokes.area >= np.maximum(2 * scale * scale, 0.02 * largest[own])
    full[0] = False
    if not full[1:].all():
        soft[~full[strokes.labels] & strokes.mask] = 0
    reach = cv2.dilate(strokes.mask.view(np.uint8).reshape(-1, soft.shape[2]), np.ones((3, 3), np.uint8))
    soft.ravel()[inked.at[reach.ravel()[inked.at] == 0]] = 0
    return np.flatnonzero(full)


def _pale_beside(
    sheet: Distances,
    owner: NDArray[np.int64],
    box: NDArray[np.int64],
    contrast: Floats,
    least: float,
    frame: _Frame,
    scale: int,
) -> bool:
    """Whether a cell holds something pale beside something strong."""
    count = len(sheet)
    strongest = np.zeros(count)
    np.maximum.at(strongest, owner, contrast)
    pale = _above(sheet, np.full(count, least, np.float32)).view(np.uint8)
    left, top = np.maximum(box[:, :2].T - [[frame.left + scale], [frame.top + scale]], 0)
    right, bottom = (box[:, :2] + box[:, 2:]).T - [[frame.left - scale], [frame.top - scale]]
    for at, x, y, end, foot in zip(*(v.tolist() for v in (owner, left, top, right, bottom)), strict=True):
        pale[at, y:foot, x:end] = 0
    counts = np.count_nonzero(_inner(pale[:, :-1], frame), axis=(1, 2))
    return bool((counts[pieces.PALEST * strongest > least] >= FAINT_PIXELS * scale * scale).any())


def _colours(patches: NDArray[np.uint8], inked: _Inked, strokes: _Labelled, chosen: NDArray[np.int64]) -> list[Floats]:
    """The median colour of each piece, BGR, shape ``(3,)``."""
    _, height, width = strokes.labels.shape
    at = inked.at[inked.ink > 0.8]
    label = strokes.labels.ravel()[at]
    pixels = np.take(patches.reshape(-1, 3), at - at // (height * width) * width, axis=0)
    many = np.bincount(label, minlength=len(strokes.area))
    ends = np.cumsum(many)
    low, high = ends - many + np.maximum(many - 1, 0) // 2, ends - many + many // 2
    result = np.zeros((len(many), 3), np.float32)
    for channel in range(3):
        # For bytes a histogram takes a fraction of the time of a sort.
        most = np.cumsum(np.bincount(label * np.int32(256) + pixels[:, channel], minlength=256 * len(many)))
        middle = (np.searchsorted(most, end, side="right") % 256 for end in (low, high))
        result[:, channel] = sum(middle) / 2
    result[many == 0] = 0
    return list(result[chosen])


def _boxes_meet(pairs: Pairs) -> set[int]:
    """Which pieces have a bounding box that overlaps that of another piece of their cell."""
    return set(pairs.one[(pairs.across > 0) & (pairs.down > 0)].tolist())


def without_chips(image: Image, parts: Parts, noise: float) -> Parts:
    """Replaces chips by what stands on them and by what is seen within them."""
    upon: dict[int, tuple[Piece, ...]] = {}
    for i, piece in enumerate(parts.found):
        if piece.box.height <= SLIM * piece.box.width and cv2.mean(piece.ink)[0] > SOLID:
            found = off_chips(image, [piece], noise, WAYS[0][0])
            if len(found) != 1 or found[0] is not piece:
                upon[i] = found
    if not upon:
        return parts
    pairs = parts.pairs
    w, h = parts.box[pairs.other, 2], parts.box[pairs.other, 3]
    inside = np.isin(pairs.one, list(upon)) & (pairs.across >= w) & (pairs.down >= h)
    held = set(pairs.other[inside].tolist())
    owner: list[int] = []
    every: list[Piece] = []
    for i, (at, piece) in enumerate(zip(parts.owner.tolist(), parts.found, strict=True)):
        some = upon.get(i, () if i in held else (piece,))
        owner += [at] * len(some)
        every += some
    box = np.array([(b.x, b.y, b.width, b.height) for b in (p.box for p in every)], np.int64).reshape(-1, 4)
    return Parts(np.array(owner, np.int64), box, every, parts.grounds)


def are_apart(parts: Parts) -> bool:
    """Whether no piece can be a part of another one's glyph: none lies mostly in another's bounding box, and none
    stands above another one closer than lines of text do, or, if it is a bar, closer than the halves of a digit."""
    pairs = parts.pairs
    across, down = pairs.across, pairs.down
    (w, h), (v, k) = parts.box[pairs.one, 2:].T, parts.box[pairs.other, 2:].T
    if ((across > 0) & (down > 0) & (across * down > pieces.WITHIN * np.minimum(w * h, v * k))).any():
        return False
    over = across > 0.5 * np.minimum(w, v)
    halves = ((h > SLIM * w) | (k > SLIM * v)) & (np.abs(h - k) < HALVES * np.maximum(h, k))
    return not (over & (-down < LINES * np.where(halves, 2, 1) * (h + k))).any()
