"""Finds cells of Cross Set of which a part has another colour: the half, third or quarter (a *patch*) behind the active
number. Knows no digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph
from autoplayer.games.cross_set.seeing.ordering.looks import OTHER_GROUND
from autoplayer.vision.pieces import Piece

AROUND = 2
"""Pixels around a number in which its ground is seen."""

MOSTLY = 0.8
"""The least share of the cells with several numbers in which one of them stands on a patch, if there are patches."""

BORDER, REACHES = 0.06, 0.1
"""The share of a cell's side that is its border; and the least share of the border that each part of the cell
covers."""

FEWEST = 2
"""The least count of numbers that show the ground beside the patches."""


def patch_of(
    image: Image, seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]
) -> tuple[Floats | None, frozenset[Cell]]:
    """The colour (BGR, shape ``(3,)``) of the patch on which one number of each cell stands, None if most cells have
    none; and the cells with two grounds of which nobody can tell which is the patch. ``boxes``: the inside of each
    cell."""
    grounds = {cell: [ground_of(image, g.piece) for g in _numbers(row)] for cell, row in seen.items()}
    several = {cell: np.stack(each) for cell, each in grounds.items() if len(each) > 1}
    two = frozenset(cell for cell, each in several.items() if _are_parts(image, boxes[cell], each))
    if not two or len(two) < MOSTLY * len(several):
        return None, frozenset()
    # What stands alone in its cell has no patch, and of three one alone does.
    plain = [each[0] for each in grounds.values() if len(each) == 1]
    plain += [np.asarray(np.median(each, axis=0)) for each in several.values() if len(each) > 2]
    if len(plain) < FEWEST:
        return None, two
    usual = np.median(plain, axis=0)
    marked = [each[np.abs(each - usual).max(axis=1) > OTHER_GROUND] for each in several.values()]
    alone = np.array([each[0] for each in marked if len(each) == 1]).reshape(-1, 3)
    patch = np.median(alone, axis=0) if len(alone) else usual
    of_it = np.abs(alone - patch).max(axis=1) <= OTHER_GROUND
    if np.count_nonzero(of_it) < MOSTLY * len(several):
        return None, frozenset()
    return np.asarray(patch, np.float32), frozenset()


def _are_parts(image: Image, box: Box, grounds: Floats) -> bool:
    """Whether the ``grounds`` of a cell's numbers, shape ``(n, 3)``, are two parts of it, not one and a box around a
    number: both extend to the cell's border."""
    if float(np.ptp(grounds, axis=0).max()) <= OTHER_GROUND:
        return False
    inner = box.crop(image).astype(np.float32)
    depth = max(1, round(BORDER * min(inner.shape[:2])))
    sides = inner[:depth], inner[-depth:], inner[:, :depth], inner[:, -depth:]
    ring = np.concatenate([side.reshape(-1, 3) for side in sides])
    shares = [float((np.abs(ring - one).max(axis=1) <= OTHER_GROUND).mean()) for one in grounds]
    return min(shares) >= REACHES


def marked_by(image: Image, seen: Mapping[Cell, Sequence[Glyph]], patch: Floats) -> dict[Cell, list[Glyph]]:
    """The glyphs of each cell; those on a ``patch`` are marked, like glyphs with a line around them."""

    def marked(g: Glyph) -> Glyph:
        upon = float(np.abs(ground_of(image, g.piece) - patch).max()) <= OTHER_GROUND
        return replace(g, piece=replace(g.piece, ringed=upon))

    return {cell: [marked(g) for g in row] if len(row) > 1 else list(row) for cell, row in seen.items()}


def ground_of(image: Image, piece: Piece) -> Floats:
    """The colour around a piece, BGR, shape ``(3,)``."""
    own = piece.place
    left, top = max(own.x - AROUND, 0), max(own.y - AROUND, 0)
    around = Box(left, top, own.x + own.width + AROUND - left, own.y + own.height + AROUND - top)
    pixels = around.crop(image)
    inner = np.zeros(pixels.shape[:2], np.bool_)
    inner[own.y - top : own.y - top + own.height, own.x - left : own.x - left + own.width] = True
    return np.asarray(np.median(pixels[~inner], axis=0), np.float32)


def _numbers(row: Sequence[Glyph]) -> list[Glyph]:
    return [g for g in row if g.chances.get(JUNK, 0.0) <= 0.5]
