"""Separates wall from air in the pictures of tiles, pixel by pixel, without colours known beforehand.

1. *Materials*: the common colours of the tiles; for textured surfaces, which colours occur together.
2. In each tile the two materials that cover most of it are wall and air. Which is which is decided for all tiles at
   once: walls run along the sides of tiles, air is what small things stand in.
3. Everything else is a line of a wall, or belongs to a thing in the air.
4. If all edges lie on a lattice of cells, as in most levels, the cells make the mask: exact, and without whatever
   stands in them.
5. At the borders of walls the pictures must have edges. If they do not, the walls are wrong: then they are searched by
   whole cells (``lattice.py``), and the result with more of its borders on edges is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.cells import Cells, find_cells, on_cells, straight_edges, without_bumps
from autoplayer.games.continuity.seeing.walls.ground import noise
from autoplayer.games.continuity.seeing.walls.lattice import find_edges, find_lattice
from autoplayer.games.continuity.seeing.walls.lineart import with_walls_filled
from autoplayer.games.continuity.seeing.walls.materials import Materials, find_materials
from autoplayer.games.continuity.seeing.walls.shades import (
    all_shades,
    blocks,
    lift_shadows,
    usually_walls,
    with_third,
)
from autoplayer.games.continuity.seeing.walls.strangers import HIGH, LONG, THIN, strangers
from autoplayer.games.continuity.seeing.walls.votes import Votes, pair_of, votes_on, with_seconds

AGREED = 0.75
"""The agreement between tiles on which of two surfaces is wall, 0 to 1, from which on it is certain."""
LEDGE = 0.1
"""The least length of a thin wall that can be stood on, as a share of a tile's width."""
RIM = 0.025
"""The greatest thickness of a line along a tile's side, as a share of the shorter side."""
LINED = 0.4
"""The least share of the walls, or of the air, behind such a line that it runs along."""
SUPPORTED, BETTER = 0.99, 0.01
"""If at most this share of the borders of walls lies on edges of the pictures, walls by whole cells are searched; and
by how much more of their borders must lie on edges for them to be taken."""
PARTED = 0.75
"""The least share of the borders of walls by whole cells with another colour on either side, as a share of the same of
the other walls: lines between the cells of one surface are edges as well."""
UNCLEAR, SURE = 0.93, 0.97
"""The same share from which on walls are certain: those on a lattice, and others."""
STRAIGHT = 0.9
"""The share of straight edges of walls from which on a level is built of blocks, as most are."""
OFF_MIXED, EDGING = 0.12, 0.75
"""The tolerance for a colour to be a mixture of two others, relative to their distance; and the least share of it
beside air, if it belongs to soft edges and not to joints in walls."""
HATCHED = 0.1
"""The share of walls with the air's colour, between strokes as close as a line is broad, from which on they are
hatched."""


UNSEEN = "where the walls end is not certain: at some of their borders nothing changes"
"""The doubt if not enough borders of walls are seen."""


@dataclass(frozen=True, eq=False)
class Masks:
    """``solid``: shape ``(tiles, height, width)``; ``plain``: the same before it was put on a lattice. ``cells``: the
    lattice on which all edges lie, if there is one. ``doubts``: in sentences."""

    solid: Bools
    plain: Bools
    cells: Cells | None
    materials: Materials
    doubts: tuple[str, ...]


def read_masks(pictures: Sequence[Image], *, turned: bool = False) -> Masks:
    """The walls in ``pictures``, all of one size. ``turned``: exchange walls and air."""
    stack = np.stack(pictures)
    materials = with_walls_filled(find_materials(stack))
    doubts: list[str] = []
    pairs = with_seconds([pair_of(labels, materials.count) for labels in materials.labels], materials)
    votes = votes_on(materials, pairs)
    if turned:
        votes = Votes(tuple((air, wall) for wall, air in votes.ordered), votes.sure)
    height, width = pictures[0].shape[:2]
    solid: Bools = np.zeros((len(pictures), height, width), np.bool_)
    shades = all_shades(materials, votes.ordered)
    again = with_third(materials, shades, votes.ordered)
    if again != votes.ordered:
        votes = Votes(again, votes.sure)
        shades = all_shades(materials, again)
    lift_shadows(shades, materials.colours, votes.ordered)
    usually = usually_walls(materials, shades, votes.ordered)
    airy = np.zeros(solid.shape, np.bool_)
    for mask, open_, labels, as_one, (wall, air) in zip(
        solid, airy, materials.labels, shades, votes.ordered, strict=True
    ):
        open_[:] = as_one == air
        if wall >= 0 and air >= 0:
            as_one[blocks(usually[labels] & (as_one != wall) & (labels != air), as_one == wall)] = wall
        mask[:] = _mask(as_one, wall, air, materials.colours)
    solid = _hatching_filled(solid)
    solid &= ~strangers(solid, materials.shades)
    for mask in solid:
        _without_rim(mask)
    cells = find_cells(solid)
    plain = solid
    solid = _cleaned(solid) if cells is None else without_bumps(on_cells(solid, cells, airy), cells, materials.shades)
    edges = find_edges(stack, max(noise(each) for each in pictures[:2]))
    support = edges.support(solid)
    if support < SUPPORTED:
        lattice = find_lattice(stack, edges, cells)
        told = lattice.solid(height, width) if lattice else solid
        parted = edges.parted(told) >= PARTED * edges.parted(solid)
        if lattice and parted and lattice.support > max(support + BETTER, UNCLEAR):
            doubts = ["walls were told from air by whole cells only"]
            if votes.sure >= AGREED and (told == solid).mean() < 0.5:
                told = ~told  # a frame round each tile may be like the air
            return Masks(told, plain, lattice.cells, materials, (*doubts, *_unclear(lattice.support)))
    if votes.sure < AGREED:
        doubts.append("what is wall and what is air is not certain")
    if cells is None and straight(solid):
        doubts.append("where tiles begin and end is not certain: their walls are straight, but lie on no lattice")
    return Masks(solid, plain, cells, materials, (*doubts, *_unclear(support, UNCLEAR if cells else SURE)))


def straight(solid: Bools, least: float = STRAIGHT) -> bool:
    """Whether nearly all edges of walls, or a share of ``least``, run straight on along rows or columns."""
    number = int((solid[:, :, 1:] != solid[:, :, :-1]).sum()) + int((solid[:, 1:] != solid[:, :-1]).sum())
    return straight_edges(solid) >= least * number > 0


def _unclear(support: float, least: float = UNCLEAR) -> tuple[str, ...]:
    """The doubt where borders of walls are not seen."""
    return () if support >= least else (UNSEEN,)


def _mask(labels: NDArray[np.uint8], wall: int, air: int, colours: NDArray[np.float64]) -> Bools:
    """The walls of a tile: its wall material, and of the other materials the lines along it, without soft edges."""
    if wall < 0:
        return np.zeros(labels.shape, np.bool_)
    if air < 0:
        return np.ones(labels.shape, np.bool_)
    thin = max(round(THIN * min(labels.shape)), 2)
    _, parts, stats, _ = cv2.connectedComponentsWithStats((labels == wall).astype(np.uint8), connectivity=4)
    large = stats[:, cv2.CC_STAT_AREA] >= thin * thin
    large[0] = False
    solid: Bools = large[parts]
    reach = cv2.dilate(solid.astype(np.uint8), np.ones((2 * thin + 1, 2 * thin + 1), np.uint8)) > 0
    deep, around = np.ones((thin + 2, thin + 2), np.uint8), np.ones((thin + 4, thin + 4), np.uint8)
    pale = _between_colours(colours, colours[wall], colours[air])
    beside_air = cv2.dilate((labels == air).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    for material in np.unique(labels[reach]):
        if material in (wall, air):
            continue
        shown = (labels == material).astype(np.uint8)
        if pale[material] and beside_air[shown > 0].mean() >= EDGING:
            broad = cv2.morphologyEx(shown, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
            if broad.sum() <= (1 - EDGING) * shown.sum():
                continue  # an antialiased edge within one pixel counts as air
        thick = cv2.dilate(cv2.morphologyEx(shown, cv2.MORPH_OPEN, deep), around)
        lines = reach & (shown > 0) & (thick == 0)
        if lines.any() and thick.any():
            lines |= reach & _passing(lines, solid, (shown > 0) & (thick > 0), thin)
        solid |= lines
    return solid | _enclosed(solid, labels == air)


def _between_colours(colours: NDArray[np.float64], wall: NDArray[np.float64], air: NDArray[np.float64]) -> Bools:
    """Which colours are mixtures of those of walls and air, with more of the latter."""
    way = wall - air
    share = (colours - air) @ way / max(float(way @ way), 1.0)
    off = largest_channel(np.abs(colours - air - share[:, None] * way))
    mixed: Bools = (share > 0) & (share < 0.5) & (off <= OFF_MIXED * np.abs(way).max())
    return mixed


def _passing(lines: Bools, solid: Bools, thick: Bools, thin: int) -> Bools:
    """The remainder of ``thick`` where lines pass under a thing of their own colour that stands on them: they continue
    on one side of it, and they or walls on the other."""
    _, parts, stats, _ = cv2.connectedComponentsWithStats(lines.astype(np.uint8), connectivity=8)
    long = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) >= 2 * thin  # a limb is shorter
    long[0] = False
    found = np.zeros(lines.shape, np.bool_)
    for turned in (False, True):
        line, wall, body = (each.T if turned else each for each in (long[parts], solid, thick))
        kernel = np.ones((1, max(round((HIGH if turned else LONG) * line.shape[1]), 1) + 1), np.uint8)
        between = body & _closed(wall | line, kernel) & ~_closed(wall, kernel)
        deep = cv2.morphologyEx(between.astype(np.uint8), cv2.MORPH_OPEN, np.ones((thin + 2, thin + 2), np.uint8))
        between &= cv2.dilate(deep, np.ones((thin + 4, thin + 4), np.uint8)) == 0
        found |= between.T if turned else between
    return found


def _closed(mask: Bools, kernel: NDArray[np.uint8]) -> Bools:
    """A mask in which gaps shorter than the kernel are filled; outside of the picture it is extrapolated."""
    pad = max(kernel.shape)
    wide = cv2.copyMakeBorder(mask.astype(np.uint8), *(pad,) * 4, cv2.BORDER_REPLICATE)
    closed: Bools = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, kernel)[pad:-pad, pad:-pad] > 0
    return closed


def _hatching_filled(solid: Bools) -> Bools:
    """Masks of hatched walls in front of the air's colour, with the gaps between the strokes filled; others unchanged.
    Hatching has gaps everywhere: a level whose walls have few gaps has things close to them, or ledges."""
    kernel = np.ones((max(round(THIN * min(solid.shape[1:])), 2),) * 2, np.uint8)
    filled = np.stack([_closed(mask, kernel) for mask in solid])
    return filled if (filled & ~solid).sum() >= HATCHED * filled.sum() else solid


def _without_rim(solid: Bools) -> None:
    """A line-thin strip along the side of a tile is neither a wall nor a gap in one: it belongs to what is behind it.
    Such a line runs along most of a side; a wall inside that merely ends close to the side leaves a gap."""
    d = max(round(RIM * min(solid.shape)), 1)
    for side in (solid, solid[::-1], solid.T, solid.T[::-1]):
        inner = side[d].copy()
        for line in side[:d]:
            for wall in (False, True):
                behind = inner != wall
                hidden = behind & (line == wall)
                if hidden.sum() >= LINED * behind.sum():
                    line[hidden] = not wall


def _enclosed(solid: Bools, air: Bools) -> Bools:
    """What is neither wall nor air and has walls all round it."""
    rest = (~solid & ~air).astype(np.uint8)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(rest, connectivity=8)
    found = np.zeros(solid.shape, np.bool_)
    for number in range(1, count):
        x, y, w, h, _ = (int(n) for n in stats[number])
        part = np.zeros((h + 2, w + 2), np.uint8)
        part[1:-1, 1:-1] = parts[y : y + h, x : x + w] == number
        ring = (cv2.dilate(part, np.ones((3, 3), np.uint8)) > 0) & (part == 0)
        y0, x0 = max(y - 1, 0), max(x - 1, 0)
        inside = ring[y0 - y + 1 :, x0 - x + 1 :][: solid.shape[0] - y0, : solid.shape[1] - x0]
        around = solid[y0 : y0 + inside.shape[0], x0 : x0 + inside.shape[1]]
        if around[inside].mean() > 0.9:
            found |= parts == number
    return found


def _cleaned(solid: Bools) -> Bools:
    """Masks without specks, and without parts too small to be stood on: a thin ledge is long."""
    size = max(round(0.02 * min(solid.shape[1:])), 1)
    kernel = np.ones((2 * size + 1, 2 * size + 1), np.uint8)
    ledge = np.ones((size, max(round(LEDGE * solid.shape[2]), 2 * size + 1)), np.uint8)
    pad = max(4 * size, ledge.shape[1])
    found = solid.copy()
    for mask in found:
        wide = cv2.copyMakeBorder(mask.astype(np.uint8), *(pad,) * 4, cv2.BORDER_REPLICATE)
        closed = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, kernel)
        opened = cv2.max(
            cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel), cv2.morphologyEx(wide, cv2.MORPH_OPEN, ledge)
        )
        mask[:] = opened[pad:-pad, pad:-pad] > 0
    return found
