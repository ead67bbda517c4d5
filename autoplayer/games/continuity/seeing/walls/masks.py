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

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.cells import Cells, find_cells, on_cells, straight_edges, without_bumps
from autoplayer.games.continuity.seeing.walls.ground import noise
from autoplayer.games.continuity.seeing.walls.lattice import find_edges, find_lattice
from autoplayer.games.continuity.seeing.walls.lineart import with_walls_filled
from autoplayer.games.continuity.seeing.walls.materials import Materials, find_materials
from autoplayer.games.continuity.seeing.walls.strangers import HIGH, LONG, THIN, strangers

AGREED = 0.75
"""The agreement between tiles on which of two surfaces is wall, 0 to 1, from which on it is certain."""
GREY = (0.114, 0.587, 0.299)
"""The weights of blue, green and red in brightness."""
LEDGE = 0.1
"""The least length of a thin wall that can be stood on, as a share of a tile's width."""
RIM = 0.025
"""The greatest thickness of a line along a tile's side, as a share of the shorter side."""
LINED = 0.4
"""The least share of the walls, or of the air, behind such a line that it runs along."""
SUPPORTED, BETTER = 0.99, 0.01
"""If at most this share of the borders of walls lies on edges of the pictures, walls by whole cells are searched; and
by how much more of their borders must lie on edges for them to be taken."""
UNCLEAR, SURE = 0.93, 0.97
"""The same share from which on walls are certain: those on a lattice, and others."""
STRAIGHT = 0.9
"""The share of straight edges of walls from which on a level is built of blocks, as most are."""
BESIDE_WALLS = 0.7
"""The least share of a line round walls that is adjacent to them."""
USUALLY = 0.75
"""If at least this share of a material is wall, small parts of it are walls as well."""
ALONG_WALL = 0.9
"""The least share of its longer side along which another shade of a wall touches the wall."""
RECTANGLE = 0.95
"""The share of its box that a block of a wall fills."""
THIRD = 0.02
"""The least share of a tile that its wall surface takes."""
BROAD = 0.05
"""A material with at least this share of all tiles is more than a few things."""
STONES = 4
"""A surface of stones consists of at least so many pieces in a tile."""
MOST_SMALL = 5
"""If a surface of one tile has more small things in it, they are its grain."""
OFF_MIXED, EDGING = 0.12, 0.75
"""The tolerance for a colour to be a mixture of two others, relative to their distance; and the least share of it
beside air, if it belongs to soft edges and not to joints in walls."""
OFF_SHADE, DARKEST = 10.0, 0.45
"""The tolerance in grey levels between a shadow and darkened air, and the least brightness of air in it."""
CAST, BARE = 0.5, 0.85
"""The least share of one kind of sides of walls along which a shadow lies, and of the opposite sides that border on air
directly."""
HATCHED = 0.1
"""The share of walls with the air's colour, between strokes as close as a line is broad, from which on they are
hatched."""
HARDLY, HELD = 0.2, 0.4
"""A small piece is a shade of the walls if its difference from them is at most this share of its difference from the
air, and it touches them along at least the second share of its rim."""


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
    pairs = [_pair(labels, materials.count) for labels in materials.labels]
    votes = _votes(materials, pairs)
    if turned:
        votes = _Votes(tuple((air, wall) for wall, air in votes.ordered), votes.sure)
    height, width = pictures[0].shape[:2]
    solid: Bools = np.zeros((len(pictures), height, width), np.bool_)
    shades = _all_shades(materials, votes.ordered)
    again = _with_third(materials, shades, votes.ordered)
    if again != votes.ordered:
        votes = _Votes(again, votes.sure)
        shades = _all_shades(materials, again)
    _lift_shadows(shades, materials.colours, votes.ordered)
    usually = _usually_walls(materials, shades, votes.ordered)
    for mask, labels, as_one, (wall, air) in zip(solid, materials.labels, shades, votes.ordered, strict=True):
        if wall >= 0 and air >= 0:
            as_one[_blocks(usually[labels] & (as_one != wall) & (labels != air), as_one == wall)] = wall
        mask[:] = _mask(as_one, wall, air, materials.colours)
    solid = _hatching_filled(solid)
    solid &= ~strangers(solid, materials.shades)
    for mask in solid:
        _without_rim(mask)
    cells = find_cells(solid)
    plain = solid
    solid = _cleaned(solid) if cells is None else without_bumps(on_cells(solid, cells), cells, materials.shades)
    edges = find_edges(stack, max(noise(each) for each in pictures[:2]))
    support = edges.support(solid)
    if support < SUPPORTED:
        lattice = find_lattice(stack, edges, cells)
        if lattice is not None and lattice.support > max(support + BETTER, UNCLEAR):
            doubts = ["walls were told from air by whole cells only"]
            told = lattice.solid(height, width)
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


@dataclass(frozen=True)
class _Votes:
    ordered: tuple[tuple[int, int], ...]
    """For each tile its materials that are wall and air; -1 where it has none."""
    sure: float


def _pair(labels: NDArray[np.uint8], count: int) -> tuple[int, int]:
    """The two materials that cover most of a tile; the second may be -1."""
    areas = np.bincount(labels.ravel(), minlength=count)
    first, second = (int(n) for n in np.argsort(areas)[::-1][:2]) if count > 1 else (0, -1)
    return first, second if second >= 0 and areas[second] >= 0.02 * labels.size else -1


def _rim(labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The pixels along the sides of a tile, slightly inside."""
    d = max(min(labels.shape) // 60, 1)
    return np.concatenate([labels[d], labels[-1 - d], labels[:, d], labels[:, -1 - d]])


def _votes(materials: Materials, pairs: Sequence[tuple[int, int]]) -> _Votes:
    """Which of each pair is wall: by how much more of the sides than of the inside it covers; and by what surrounds
    small things. A material has the same role in all tiles; further tiles follow by walls being brighter, or darker,
    than air."""
    count = materials.count
    belief = np.zeros(count)
    weight = np.zeros(count)
    for tile, (one, other) in enumerate(pairs):
        if other < 0:
            continue
        labels = materials.labels[tile]
        rim = _rim(labels)
        for material, rival in ((one, other), (other, one)):
            edge = (rim == material).mean() / max(float(((rim == material) | (rim == rival)).mean()), 1e-6)
            inside = (labels == material).mean() / max(float(((labels == material) | (labels == rival)).mean()), 1e-6)
            belief[material] += edge - inside
            weight[material] += 1
            small = _islands(labels, material)
            belief[material] -= min(0.25 * small, 0.75)
    bright = materials.colours @ GREY
    sign = sum(
        np.sign(bright[one] - bright[other]) * (belief[one] - belief[other]) for one, other in pairs if other >= 0
    )
    total = sum(abs(belief[one] - belief[other]) for one, other in pairs if other >= 0)
    ordered: list[tuple[int, int]] = []
    for one, other in pairs:
        if other < 0:
            ordered.append((one, -1) if belief[one] > 0 else (-1, one))
            continue
        lead = belief[one] - belief[other] + 0.5 * np.sign(bright[one] - bright[other]) * np.sign(sign)
        ordered.append((one, other) if lead > 0 else (other, one))
    return _Votes(tuple(ordered), float(abs(sign) / total) if total else 0.0)


def _islands(labels: NDArray[np.uint8], material: int) -> int:
    """The number of small things of other materials that are surrounded by ``material``, or stand on something in
    it."""
    height, width = labels.shape
    small = 0
    holes = (labels != material).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(holes, connectivity=8)
    for x, y, w, h, area in stats[1:]:
        if not (0.02 * height <= h <= 0.3 * height and w <= 0.2 * width and area >= 0.0003 * labels.size):
            continue
        if x > 0 and y > 0 and x + w < width and y + h < height and area < 0.75 * w * h:
            small += 1
    return small if small <= MOST_SMALL else 0


def _shades_as_one(
    labels: NDArray[np.uint8], colours: NDArray[np.float64], wall: int, air: int, common: Bools, broad: Bools
) -> NDArray[np.uint8]:
    """``labels`` in which other materials that are clearly more similar to a tile's wall or its air are merged with it:
    large parts, and all parts of common ones that resemble walls. For ``broad`` ones, which cover more than things do,
    the criterion is weaker."""
    if wall < 0 or air < 0:
        return labels
    height, width = labels.shape
    away = [np.abs(colours - colours[other]).max(axis=1) for other in (wall, air)]
    clear = np.minimum(*away) <= np.where(broad, 0.75, 0.5) * np.maximum(*away)
    clear[[wall, air]] = False
    # The joints of stones may be like the air: only stones are looked for by their number, each like one of the others.
    stones: Bools = np.arange(len(colours)) == wall
    apart = np.abs(colours[:, None] - colours[None]).max(axis=2)
    for _ in range(len(colours)):
        stones = stones | (common & (apart[:, stones].min(axis=1) <= 0.5 * away[1]))
    stones[[wall, air]] = False
    found = np.where(stones[labels], np.uint8(wall), labels)
    kernel = np.ones((max(round(THIN * min(height, width)), 2),) * 2, np.uint8)
    near_walls = cv2.dilate((found == wall).astype(np.uint8), kernel, iterations=2) > 0
    for material in np.flatnonzero(clear & ~stones).tolist():
        shown = (labels == material).astype(np.uint8)
        count, parts, stats, _ = cv2.connectedComponentsWithStats(shown, connectivity=4)
        large = (stats[:, cv2.CC_STAT_WIDTH] >= LONG * width) | (stats[:, cv2.CC_STAT_HEIGHT] >= HIGH * height)
        # A line goes round a large part of a tile, but is thin wherever it is, and beside walls.
        thick = cv2.morphologyEx(shown, cv2.MORPH_OPEN, kernel)
        area = stats[:, cv2.CC_STAT_AREA]
        large &= (np.bincount(parts[thick > 0], minlength=count) >= 0.5 * area) | (
            np.bincount(parts[near_walls], minlength=count) < BESIDE_WALLS * area
        )
        large[0] = False
        found[large[parts]] = wall if away[0][material] < away[1][material] else air
    like_walls = clear & ~stones & (away[0] <= HARDLY * away[1])
    found[_held(like_walls[labels] & (found != wall), found == wall)] = wall
    return found


def _held(parts: Bools, walls: Bools) -> Bools:
    """Those pieces of a mask that touch walls along much of their rim, as single stones of a wall do; a thing that
    stands on a wall touches it with its foot only."""
    number, labels = cv2.connectedComponents(parts.astype(np.uint8), connectivity=4)
    rim, touching = np.zeros(number), np.zeros(number)
    for one, other in (
        (np.s_[:, 1:], np.s_[:, :-1]), (np.s_[:, :-1], np.s_[:, 1:]), (np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:]),
    ):  # fmt: skip
        at = labels[one][parts[one] & ~parts[other]]
        rim += np.bincount(at, minlength=number)
        touching += np.bincount(labels[one][parts[one] & walls[other]], minlength=number)
    held: Bools = touching >= HELD * np.maximum(rim, 1)
    held[0] = False
    found: Bools = held[labels]
    return found


def _all_shades(materials: Materials, ordered: Sequence[tuple[int, int]]) -> list[NDArray[np.uint8]]:
    """For each tile its materials with the shades of walls and air merged."""
    common = _common(materials)
    broad = np.bincount(materials.labels.ravel(), minlength=materials.count) >= BROAD * materials.labels.size
    return [
        _shades_as_one(labels, materials.colours, wall, air, common, broad)
        for labels, (wall, air) in zip(materials.labels, ordered, strict=True)
    ]


def _common(materials: Materials) -> Bools:
    """For each material whether it occurs in so many pieces, and in such an amount, that it is no thing: the stones of
    a wall."""
    pieces, areas = np.zeros(materials.count, np.int64), np.zeros(materials.count, np.int64)
    least = (THIN * min(materials.labels.shape[1:])) ** 2
    for labels in materials.labels:
        for material in range(materials.count):
            shown = (labels == material).astype(np.uint8)
            _, _, stats, _ = cv2.connectedComponentsWithStats(shown, connectivity=4)
            sizes = stats[1:, cv2.CC_STAT_AREA]
            pieces[material] += int((sizes >= least).sum())
            areas[material] += int(sizes.sum())
    found: Bools = (pieces >= STONES * len(materials.labels)) & (areas >= THIRD * materials.labels.size)
    return found


def _with_third(
    materials: Materials, shades: Sequence[NDArray[np.uint8]], ordered: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """The same pairs of wall and air, except for tiles in which the supposed wall is a second surface of the air in
    more of the others (such as hills behind the rooms) and the wall is a third one that is wall in others."""
    count = materials.count
    walls, airs = np.zeros(count, np.int64), np.zeros(count, np.int64)
    areas = np.stack([np.bincount(labels.ravel(), minlength=count) for labels in materials.labels])
    for labels, as_one, (wall, air), area in zip(materials.labels, shades, ordered, areas, strict=True):
        seen = area >= THIRD * labels.size
        walls += seen & (2 * np.bincount(labels[as_one == wall], minlength=count) > area)
        airs += seen & (2 * np.bincount(labels[as_one == air], minlength=count) > area)
    found = []
    for (wall, air), area in zip(ordered, areas, strict=True):
        others = np.flatnonzero((walls > airs) & (area >= THIRD * shades[0].size))
        third = wall >= 0 and airs[wall] >= walls[wall] and len(others) and walls[others].max() > 1
        found.append((int(max(others, key=lambda n: area[n])) if third else wall, air))
    return tuple(found)


def _lift_shadows(
    shades: Sequence[NDArray[np.uint8]], colours: NDArray[np.float64], ordered: Sequence[tuple[int, int]]
) -> None:
    """Relabel the shadows that walls cast as air: colours of darkened air that lie on one side of walls and never on
    the opposite one. What lies above walls is no shadow: light comes from there, and grass grows there."""
    pairs = [pair for pair in ordered if min(pair) >= 0]
    if not pairs:
        return
    wall, air = max(set(pairs), key=pairs.count)
    usual = colours[air]
    share = colours @ usual / max(float(usual @ usual), 1.0)
    off = np.abs(colours - share[:, None] * usual).max(axis=1)
    dark = (off <= OFF_SHADE) & (share >= DARKEST) & (share < 1)
    dark[[wall, air]] = False
    if not dark.any():
        return
    seen, bare, borders = np.zeros(4), np.zeros(4), np.zeros(4)
    for labels, pair in zip(shades, ordered, strict=True):
        if pair != (wall, air):
            continue
        for n, way in enumerate((labels, labels[:, ::-1], labels.T, labels[::-1].T)):  # right, left, below, above
            solid, shade = way == wall, dark[way]
            edge = solid[:, :-5] & ~solid[:, 1:-4] & ~solid[:, 2:-3]
            borders[n] += edge.sum()
            seen[n] += (edge & (shade[:, 1:-4] | shade[:, 2:-3]) & (shade[:, 2:-3] | shade[:, 3:-2])).sum()
            bare[n] += (edge & (way[:, 2:-3] == air)).sum()  # but for a soft edge
    if any(seen[n] >= CAST * borders[n] > 0 and bare[m] >= BARE * borders[m] > 0 for n, m in ((0, 1), (1, 0), (2, 3))):
        for labels, pair in zip(shades, ordered, strict=True):
            if pair == (wall, air):
                labels[dark[labels]] = air


def _usually_walls(
    materials: Materials, shades: Sequence[NDArray[np.uint8]], ordered: Sequence[tuple[int, int]]
) -> Bools:
    """For each material whether nearly all of it, in all tiles, is wall: then small parts of it are, too."""
    total, walls = np.zeros(materials.count), np.zeros(materials.count)
    for labels, as_one, (wall, _) in zip(materials.labels, shades, ordered, strict=True):
        total += np.bincount(labels.ravel(), minlength=materials.count)
        walls += np.bincount(labels[as_one == wall], minlength=materials.count)
    usually: Bools = walls >= USUALLY * np.maximum(total, 1)
    return usually


def _blocks(parts: Bools, walls: Bools) -> Bools:
    """Those parts of a mask that have the shape of a block of a wall, and are as broad and high as one or adjoin
    ``walls`` along a complete side, as another shade of them does."""
    least = 2 * max(round(THIN * min(parts.shape)), 2)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(parts.astype(np.uint8), connectivity=4)
    wide, high, area = (stats[:, n] for n in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
    along = cv2.dilate(walls.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    touching = np.bincount(labels[along], minlength=len(stats))
    goes_on = touching >= ALONG_WALL * np.maximum(wide, high)
    block: Bools = ((np.minimum(wide, high) >= least) | goes_on) & (area >= RECTANGLE * wide * high)
    block[0] = False
    found: Bools = block[labels]
    return found


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
    off = np.abs(colours - air - share[:, None] * way).max(axis=1)
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
