"""The cells of a board in two pictures of its window, the reading's and a later one, as a few samples per cell; and
what was seen at first: fills, inks, and the distance between their colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.puzzle import Puzzle

Bools = NDArray[np.bool_]

SIDE = 20
"""Every cell is looked at as SIDE x SIDE samples: enough for a line of a tenth of the pitch, few enough to be quick."""

INSET = 0.08
"""The part of a cell's box that is left out on each side: walls take up to about this much of the pitch."""

BAND = slice(3, 17), slice(6, 14)
"""The fill is the median of the samples inside the first and outside the second, in both directions: between a mark
around a cell (the active one, in a window that is played by keys) and the middle of its glyph. A digit's strokes and a
line's two arms cover less than half of that area."""

ONE_COLOUR, LEAST_FILL = 8.0, 0.4
"""The largest distance in CIE Lab between two samples of one colour; and the least share of a cell that has its
fill."""

EVEN = 0.7
"""The least share of the samples beside a glyph that has one colour if that is the fill of a disc: it may cover less of
its cell than the page around it. Even a glyph as broad as its cell leaves more of the ground there."""

USUAL_CONTRAST = 60.0
"""How far (CIE Lab) numbers are from their cells' fill, where no cell shows it."""

ARM, ACROSS = slice(4, 7), slice(8, 12)
"""Where a cell is looked at above, below, left and right of its glyph's middle: in a diamond or a disc that leaves more
of the page than it covers."""

_BAND = np.zeros((SIDE, SIDE), bool)
_BAND[BAND[0], BAND[0]] = True
_BAND[BAND[1], BAND[1]] = False


@dataclass(frozen=True, eq=False)
class Compared:
    """The cells of a board before and now. Colours are CIE Lab, L from 0 to 100."""

    cells: Sequence[Cell]
    index: Mapping[Cell, int]
    """Where each cell is in the arrays."""
    starts: Sequence[int]
    leftover: Mapping[Cell, int]
    """Cells that a chain held before the reading was made, and which chain."""
    plain: Sequence[int]
    """All other cells but the starts."""
    before: Floats
    """Shape ``(cells, SIDE, SIDE, 3)``."""
    now: Floats
    fill_before: Floats
    """Shape ``(cells, 3)``: each cell's colour beside its glyph; that of an empty cell where a chain was drawn."""
    fill_now: Floats
    typical: Floats
    """Shape ``(3,)``: the fill of an empty cell."""
    ink: Floats
    """Shape ``(cells, 3)``: what was farthest from the fill before."""
    contrast: float
    """How far a number is from an empty cell's fill."""
    shift: Floats
    """Shape ``(cells,)``: how far each fill has moved."""
    noise: float
    """How far fills move where nothing was drawn, as a theme breathes."""


def compared(reading: Reading[Puzzle], puzzle: Puzzle, image: Image) -> Compared:
    """The cells of ``puzzle`` in the picture of ``reading`` and in ``image`` (BGR), its window at a later time."""
    cells = [cell for cell in puzzle.cells if cell in reading.places]
    index = {cell: k for k, cell in enumerate(cells)}
    boxes = [reading.places[cell] for cell in cells]
    before, now = samples_of(reading.image, boxes), samples_of(image, boxes)
    starts = [index[cell] for cell in puzzle.starts]
    leftover: Mapping[Cell, int] = reading.extra.get("drawn", {})
    plain = [k for k, cell in enumerate(cells) if cell not in leftover and k not in starts]
    if not plain:  # all cells are as plain as the start: nothing there tells a full board from an untouched one
        leftover, plain = {}, [k for k in range(len(cells)) if k not in starts]
    fill_before, fill_now = _fills(before), _fills(now)
    typical = np.median(fill_before[plain] if plain else fill_before, axis=0)
    for cell in leftover:
        if cell in index:
            fill_before[index[cell]] = typical
    ink = _inks(before, fill_before)
    contrast = float(np.median(np.linalg.norm(ink[plain] - typical, axis=1))) if plain else USUAL_CONTRAST
    shift = np.linalg.norm(fill_now - fill_before, axis=1)
    noise = float(np.percentile(shift, 10))
    return Compared(
        cells, index, starts, leftover, plain, before, now, fill_before, fill_now, typical, ink, contrast, shift, noise
    )


def samples_of(image: Image, boxes: Sequence[Box]) -> Floats:
    """Shape ``(cells, SIDE, SIDE, 3)``, CIE Lab (L 0 to 100): the inside of each box."""
    stack = np.empty((len(boxes), SIDE, SIDE, 3), np.uint8)
    for k, box in enumerate(boxes):
        dx, dy = round(box.width * INSET), round(box.height * INSET)
        inner = Box(box.x + dx, box.y + dy, max(box.width - 2 * dx, 1), max(box.height - 2 * dy, 1))
        crop = inner.crop(image)
        stack[k] = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA) if crop.size else 0
    flat = stack.reshape(-1, SIDE, 3).astype(np.float32) / 255
    return cv2.cvtColor(flat, cv2.COLOR_BGR2Lab).reshape(-1, SIDE, SIDE, 3).astype(np.float32)


def lab(colour: Floats) -> Floats:
    """A colour, BGR, as :func:`samples_of` has it."""
    return np.asarray(cv2.cvtColor(colour.reshape(1, 1, 3).astype(np.float32) / 255, cv2.COLOR_BGR2Lab)[0, 0])


def _fills(samples: Floats) -> Floats:
    """Shape ``(cells, 3)``: each cell's colour beside its glyph; if a broad glyph leaves too little of that, the
    commonest colour, and if a tile around the glyph leaves more of the page, the tile's."""
    fills: Floats = np.median(samples[:, _BAND], axis=1).astype(np.float32)
    alike_to = np.linalg.norm(samples - fills[:, None, None], axis=3) < ONE_COLOUR
    shares = alike_to.mean(axis=(1, 2))
    for k in np.flatnonzero((shares < LEAST_FILL) & (alike_to[:, _BAND].mean(axis=1) < EVEN)):
        some = samples[k, ::2, ::2].reshape(-1, 3)
        alike = np.linalg.norm(some[:, None] - some[None], axis=2) < ONE_COLOUR
        most = alike.sum(axis=1).argmax()
        if alike[most].mean() > shares[k]:
            fills[k] = some[alike[most]].mean(axis=0)
    arms, inks = _arms(samples), _inks(samples, fills)
    tiles = np.median(arms, axis=2)
    for cell, around in enumerate(tiles):
        tile = np.median(around, axis=0)
        # A line covers two sides at most; only a glyph as large as its cell covers more, and that is its ink.
        even = (np.linalg.norm(arms[cell] - tile, axis=2) < ONE_COLOUR).mean(axis=1) >= EVEN
        away = min(float(np.linalg.norm(tile - colour)) for colour in (fills[cell], inks[cell]))
        if 2 * even.sum() > len(even) and away > 2 * ONE_COLOUR:
            fills[cell] = tile
    return fills


def _arms(samples: Floats) -> Floats:
    """Shape ``(cells, 4, samples, 3)``: what is above, below, left and right of the middle of each cell's glyph."""
    back = slice(-ARM.stop, -ARM.start)
    sides = (ARM, ACROSS), (back, ACROSS), (ACROSS, ARM), (ACROSS, back)
    return np.stack([samples[:, down, along].reshape(len(samples), -1, 3) for down, along in sides], axis=1)


def _inks(samples: Floats, fills: Floats) -> Floats:
    """Shape ``(cells, 3)``: the colour in each cell that is farthest from its fill, but for its rim, where a cursor's
    outline may be."""
    flat = samples[:, BAND[0], BAND[0]].reshape(len(samples), -1, 3)
    far = np.linalg.norm(flat - fills[:, None], axis=2).argmax(axis=1)
    inks: Floats = flat[np.arange(len(flat)), far]
    return inks
