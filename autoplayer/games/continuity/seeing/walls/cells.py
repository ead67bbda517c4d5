"""Finds the lattice of cells on which all edges of the walls lie, as they do in most levels, and cleans masks with
it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.seeing.sight import Bools, Thing

FINEST = 5.0
"""The least size in pixels; smaller cells would fit any edge."""
MOST = 64
FIT = 0.96
"""The least share of all edges that lie on the lattice."""
SQUARE, NEARLY = 1.25, 0.88
"""The least ratio of the sides of a cell that is no square, and the share of all edges on a lattice of squares from
which on that is preferred all the same."""
OBLONG = 1.1
"""The ratio of the sides of cells that are nearly squares."""
EDGES, EXACT = 4, 1.0
"""The least number of edges beside the squares, and their greatest deviation in pixels from the other cells, to be
those of walls on cells that are no squares."""
SLACK, SLACK_SHARE = 1.5, 0.17
"""The tolerance of an edge in pixels, and as a share of a cell: any edge is near a lattice of small cells."""
SHIFT = 3.0
"""Pixels by which all edges of one side may be moved; at most a sixth of a cell."""
FILLED, HALF = 0.6, 0.45
"""The least share of wall in a wall cell, and in one without any air."""
CLEAR = 3.0
"""The least distance in pixels of an edge from the lattice for it to be believed as an exception."""
NOTCH, RECTANGLE = 0.5, 0.9
"""The greatest width and height of a stone that is missing in a wall cell, as shares of the cell's, and the least share
of its bounding box that it takes."""
CONVEX = 0.9
"""The share of its convex hull that a slope in a cell fills at least."""
HELD = 0.3
"""The least share of a cell's side along which a slope continues into the next cell."""
BESIDE, HIDDEN = 2, 0.8
"""Pixels beside a thing within which it may hide a wall, and the least share of what a cell lacks that it hides."""
FEW, FEW_SHARE, STRANGE = 3, 0.01, 0.6
"""A wall cell may contain a thing if only so many cells look like it, itself included (or this share of all, if that is
more), and the others show another colour in at least the share ``STRANGE``."""
SOMEWHAT, OVER = 0.35, 0.05
"""The share of a wall cell with colours that most do not show, from which on it may be a thing; and the least share of
the cell above that a thing higher than a cell takes."""
HIGHEST, MOST_LIKELY = 2, 4
"""The greatest height of such a thing in cells, and how many of them are searched."""
SCRAP = 0.9
"""A component smaller than this share of a cell is less than one."""
OWN = 0.6
"""The least share of a cell's width and height that a thing takes which stands in it on its own."""
SHOWN, SAME = 0.1, 0.5
"""The least share of a cell that one of its colours covers; and the least share of the box of what is above it with
these colours, to be a part of the same thing: the box of a round top is a fifth air."""
INSET = 0.08
"""By how much a thing that stands in a cell is narrower at each side, as a share of the cell's width."""
ROUND_INSET, ROUND_TOP = 2, 0.8
"""Pixels by which a thing with a round top is narrower at each side, and the greatest width of its top as a share of
its width: of its uppermost rows of pixels, one more than these."""
CHUNK = 0.035
"""The least thickness of a wall, which a figure's limbs do not reach, as a share of a tile's height."""


@dataclass(frozen=True)
class Cells:
    """``rows``, ``columns``: of a tile."""

    rows: int
    columns: int

    def edges(self, height: int, width: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where rows and columns begin and end, in a tile of so many pixels."""
        down = np.round(np.arange(self.rows + 1) * height / self.rows).astype(np.int64)
        across = np.round(np.arange(self.columns + 1) * width / self.columns).astype(np.int64)
        return down, across

    def filled(self, mask: Bools) -> NDArray[np.float64]:
        """The share of each cell that a mask fills, shape ``(tiles, rows, columns)``; its outermost pixels do not
        count."""
        height, width = mask.shape[1:]
        down, across = self.edges(height, width)
        sums = np.stack([cv2.integral(tile) for tile in np.ascontiguousarray(mask).view(np.uint8)]).astype(np.int64)
        inner = 1 if min(height / self.rows, width / self.columns) >= 6 else 0
        y0, y1, x0, x1 = down[:-1] + inner, down[1:] - inner, across[:-1] + inner, across[1:] - inner
        found: NDArray[np.float64] = (
            sums[:, y1[:, None], x1] - sums[:, y0[:, None], x1] - sums[:, y1[:, None], x0] + sums[:, y0[:, None], x0]
        ) / np.maximum((y1 - y0)[:, None] * (x1 - x0), 1)  # more cells than pixels: some are empty
        return found

    def touched(self, thing: Thing, height: int, width: int) -> list[tuple[int, int]]:
        """The cells (row, column) that a thing covers or is directly adjacent to, in a tile of so many pixels."""
        down, across = self.edges(height, width)
        x0, y0, x1, y1 = _around(thing)
        rows, columns = (
            range(max(int(np.searchsorted(places, least, "right")) - 1, 0), int(np.searchsorted(places[:-1], most)))
            for places, least, most in ((down, y0, y1), (across, x0, x1))
        )
        return [(r, c) for r in rows for c in columns]

    def drawn(self, cells: Bools, width: int, height: int) -> Bools:
        """Cells as a mask of so many pixels."""
        down, across = self.edges(height, width)
        return cells.repeat(np.diff(down), axis=1).repeat(np.diff(across), axis=2)


def find_cells(solid: Bools) -> Cells | None:
    """The coarsest lattice on which the edges of masks lie; None where there is none."""
    height, width = solid.shape[1:]
    beside, above = edge_weights(solid), edge_weights(solid.transpose(0, 2, 1))
    across, down = _count(beside, width), _count(above, height)
    # A thing of the walls' colour beside a wall adds edges of its own, so that no lattice fits in one direction, or
    # only one that is too fine. Squares are likelier then.
    wide, high = (width / across if across else 0.0), (height / down if down else 0.0)
    if wide > SQUARE * high:
        down = _squarer(above, height, down, wide)
    elif high > SQUARE * wide:
        across = _squarer(beside, width, across, high)
    return Cells(down, across) if down and across else None


def _squarer(weights: NDArray[np.float64], size: int, found: int | None, pitch: float) -> int | None:
    """The number of cells along ``size`` pixels that makes squares of them, or nearly so if none was found; ``found``
    if positions do not lie on it. ``pitch``: the length of cells in the other direction, pixels."""
    counts = [round(size / pitch)]
    if found is None:
        counts += [n for n in range(2, MOST) if pitch / OBLONG <= size / n <= pitch * OBLONG and n not in counts]
    best = max(counts, key=lambda count: _met(weights, size, count))
    return best if _squares(weights, size, found, best) else found


def _squares(weights: NDArray[np.float64], size: int, found: int | None, squares: int) -> bool:
    """Whether positions lie nearly on the divisions that make squares of cells, with no more exceptions than a thing's
    sides: several edges that all lie exactly on the divisions found before belong to walls."""
    if _met(weights, size, squares) < NEARLY:
        return False
    if found is None or size / found < 2 * FINEST:
        return True
    places = np.flatnonzero(weights.sum(axis=0))
    off = [np.abs(places - np.round(places * n / size) * size / n) for n in (squares, found)]
    return int((off[0] > SHIFT).sum()) < EDGES or bool(off[1].max() > EXACT)


def off_lattice(solid: Bools, cells: Cells) -> float:
    """The mean distance in pixels of the edges of masks from a lattice: that of the worse direction."""
    height, width = solid.shape[1:]
    found = []
    ways = (edge_weights(solid), width, cells.columns), (edge_weights(solid.transpose(0, 2, 1)), height, cells.rows)
    for weights, size, count in ways:
        places, pitch = np.arange(weights.shape[1]), size / count
        off = np.abs(places - np.round(places / pitch) * pitch)
        found.append(float((weights @ off).sum()) / max(float(weights.sum()), 1.0))
    return max(found)


def on_cells(solid: Bools, cells: Cells, air: Bools) -> Bools:
    """A mask redrawn with whole cells, so without the figure that stands in some of them. If a straight edge goes
    through a cell, as when the lattice does not hold for all walls, it stays; but where nothing that looks like air is
    beside it, only a stone of the wall was not recognised. ``air``: what has the colour of air, shape as ``solid``."""
    height, width = solid.shape[1:]
    down, across = cells.edges(height, width)
    filled = cells.filled(solid)
    stand = _standing(solid, cells, filled)
    filled[stand] = 0.0
    found = cells.drawn(filled >= FILLED, width, height)
    least = CLEAR / max(height / cells.rows, width / cells.columns)
    if least >= 0.5:
        return found
    kernel = np.ones((max(round(CHUNK * height), 3),) * 2, np.uint8)
    pad = len(kernel)
    for tile in np.unique(np.argwhere((filled > least) & (filled < 1 - least))[:, 0]):
        wide = cv2.copyMakeBorder(solid[tile].astype(np.uint8), *(pad,) * 4, cv2.BORDER_REPLICATE)
        chunks = cv2.morphologyEx(wide, cv2.MORPH_OPEN, kernel)[pad:-pad, pad:-pad] > 0
        for r, c in np.argwhere((filled[tile] > least) & (filled[tile] < 1 - least)):
            cell = slice(down[r], down[r + 1]), slice(across[c], across[c + 1])
            chunk = chunks[cell]
            oblong = chunk.any(axis=0).sum() * chunk.any(axis=1).sum()
            if _notched(solid[tile][cell]) or (filled[tile, r, c] >= FILLED and not _open(solid[tile], cell)):
                continue  # a stone of the wall that was not recognised
            if filled[tile, r, c] >= HALF and not air[tile][cell].any():
                found[tile][cell] = True
                continue
            if chunk.sum() >= 0.85 * max(solid[tile][cell].sum(), oblong):
                found[tile][cell] = chunk
            elif chunk.sum() >= 0.7 * solid[tile][cell].sum() and _slope(solid[tile], cell):
                found[tile][cell] = solid[tile][cell]
    return found


def _around(thing: Thing) -> tuple[int, int, int, int]:
    """A thing's left, top, right and bottom, with the adjacent pixels."""
    x1, y1 = round(thing.x + thing.width) + BESIDE, round(thing.y + thing.height) + BESIDE
    return max(round(thing.x) - BESIDE, 0), max(round(thing.y) - BESIDE, 0), x1, y1


def _box(part: Bools) -> tuple[int, int, int, int]:
    """The bounding box of a non-empty mask: left, top, right, bottom."""
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def filled_up(solid: Bools, cells: Cells, things: Sequence[Thing]) -> Bools:
    """A mask in which those cells are completed of which a thing in front hides a part: nearly all that they lack of a
    wall lies where the thing does."""
    height, width = solid.shape[1:]
    down, across = cells.edges(height, width)
    filled, found = cells.filled(solid), solid.copy()
    for thing in things:
        x0, y0, x1, y1 = _around(thing)
        for r, c in cells.touched(thing, height, width):
            if not FILLED <= filled[thing.tile, r, c] < 1:
                continue
            air = ~solid[thing.tile, down[r] : down[r + 1], across[c] : across[c + 1]]
            air[[0, -1]] = air[:, [0, -1]] = False  # a wall's soft edge
            before = air[max(y0 - down[r], 0) : y1 - down[r], max(x0 - across[c], 0) : x1 - across[c]]
            if before.sum() >= HIDDEN * air.sum():
                found[thing.tile, down[r] : down[r + 1], across[c] : across[c + 1]] = True
    return found


def without_bumps(solid: Bools, cells: Cells, shades: NDArray[np.uint8]) -> Bools:
    """A mask without whole cells that stand alone on walls, with air at their sides and above, and show other colours
    than all but ``FEW`` cells of walls: things stand in them. ``shades``: each pixel's colour, a number."""
    height, width = solid.shape[1:]
    walls = cells.filled(solid) >= FILLED
    wide = np.pad(walls, ((0, 0), (0, 0), (1, 1)), mode="edge")
    alone = walls & ~wide[:, :, :-2] & ~wide[:, :, 2:]
    for r in range(cells.rows):
        alone[:, r] &= (~walls[:, r - 1] | alone[:, r - 1]) if r else False
    if not alone.any():
        return solid
    strange = _strangeness(walls, cells, shades) > STRANGE
    found = solid.copy()
    down, across = cells.edges(height, width)
    for tile, r, c in np.argwhere(alone & strange):
        found[tile, down[r] : down[r + 1], across[c] : across[c + 1]] = False
    return found


def without_one_bump(solid: Bools, plain: Bools, cells: Cells, shades: NDArray[np.uint8]) -> Iterator[Bools]:
    """Masks, each without one stack of cells that may be a thing in the walls' colours: it stands on walls, has air
    above and at one side at least, and differs somewhat from them in colour or ends beside the lattice. The likeliest
    first, ``MOST_LIKELY`` at most; what extends from each into adjacent air cells is removed with it. ``plain``: the
    mask before it was put on the lattice."""
    height, width = solid.shape[1:]
    down, across = cells.edges(height, width)
    walls, share = cells.filled(solid) >= FILLED, cells.filled(plain)
    strange = _strangeness(walls, cells, shades)
    wide = np.pad(walls, ((0, 0), (0, 0), (1, 1)), mode="edge")
    free = walls & ~(wide[:, :, :-2] & wide[:, :, 2:])
    tops = walls[:, 1:] & ~walls[:, :-1]
    over = OVER + (float(np.median(share[:, :-1][tops])) if tops.any() else 0.0)  # a line round all walls
    likely: list[tuple[float, int, int, int, int]] = []
    for tile, above, c in np.argwhere(free[:, 1:-1] & ~walls[:, :-2]):
        top = above + 1
        below = np.flatnonzero(~free[tile, top:, c])
        high = int(below[0]) if len(below) else 0
        if not 0 < high <= HIGHEST or not walls[tile, top + high, c]:
            continue
        beside = over < share[tile, above, c] < FILLED
        odd = float(strange[tile, top : top + high, c].mean())
        if odd > SOMEWHAT or beside:
            likely.append((odd + beside, int(tile), int(top), int(c), high))
    for _, tile, top, c, high in sorted(likely, reverse=True)[:MOST_LIKELY]:
        found = solid.copy()
        for r, column in product(range(top - 1, top + high), range(max(c - 1, 0), min(c + 2, cells.columns))):
            if column == c or not walls[tile, r, column]:
                found[tile, down[r] : down[r + 1], across[column] : across[column + 1]] = False
        yield found


def _strangeness(walls: Bools, cells: Cells, shades: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How much of each wall cell shows other colours than all but ``FEW`` of them, 0 to 1."""
    found = np.zeros(walls.shape)
    if walls.sum() > 2 * FEW:
        shown = np.stack([cells.filled(shades == shade) for shade in range(int(shades.max()) + 1)], axis=-1)
        usual = shown[walls]
        few = max(FEW, round(FEW_SHARE * len(usual)))
        by_shade = np.ascontiguousarray(usual.T)
        apart = [float(np.partition(np.abs(by_shade - each[:, None]).sum(axis=0), few)[few]) / 2 for each in usual]
        found[walls] = apart
    return found


def without_scraps(solid: Bools, cells: Cells, things: Sequence[Thing]) -> Bools:
    """A mask without components that are smaller than a cell, connected with no wall and adjacent to a thing: they are
    parts of the thing, in the walls' colour. What fills its cell as far as the thing does not hide it is a wall. In a
    cell that is not wall, what is adjacent to a thing and no higher is a part of the thing as well, even if it is
    connected with a wall."""
    height, width = solid.shape[1:]
    high, wide = height / cells.rows, width / cells.columns
    down, across = cells.edges(height, width)
    filled, found = cells.filled(solid), solid.copy()
    for thing in things:
        x0, y0, x1, y1 = _around(thing)
        for r, c in cells.touched(thing, height, width):
            part = found[thing.tile, down[r] : down[r + 1], across[c] : across[c + 1]]
            if filled[thing.tile, r, c] < FILLED and part.any():
                left, top, right, bottom = _box(part)
                within = y0 <= down[r] + top and down[r] + bottom <= y1 - BESIDE
                if within and across[c] + left <= x1 and across[c] + right >= x0:
                    part[:] = False
        _, parts, stats, middles = cv2.connectedComponentsWithStats(solid[thing.tile].astype(np.uint8), connectivity=8)
        for number in set(parts[y0:y1, x0:x1].ravel().tolist()) - {0}:
            _, _, w, h, area = (int(n) for n in stats[number])
            left, top = middles[number][0] // wide * wide, middles[number][1] // high * high
            hidden = max(min(left + wide, x1) - max(left, x0), 0.0) * max(min(top + high, y1) - max(top, y0), 0.0)
            if area < SCRAP * (high * wide - hidden) and w <= wide + BESIDE and h <= high + BESIDE:
                found[thing.tile][parts == number] = False
    return found


def without_footholds(solid: Bools, cells: Cells, things: Sequence[Thing], shades: NDArray[np.uint8]) -> Bools:
    """A mask without those cells in which a thing stands: it takes most of the cell, its foot is at the cell's bottom,
    and the cell shows other colours than walls do, or some if the thing is seen all round the cell; with cells so small
    that it stands in several, those of other colours that it touches. Bars and panels of the walls' colour are a
    part of the thing, and so is a cell below it in its colours. ``shades``: each pixel's colour, a number."""
    height, width = solid.shape[1:]
    down, across = cells.edges(height, width)
    high, wide = height / cells.rows, width / cells.columns
    found = solid.copy()
    if not things:
        return found
    walls = cells.filled(solid) >= FILLED
    strangeness = _strangeness(walls, cells, shades)
    strange = strangeness > STRANGE
    for thing in things:
        for tile, r, c in _lower_part(thing, walls, strange, cells, shades):
            found[tile, down[r] : down[r + 1], across[c] : across[c + 1]] = False
        foot, middle = thing.y + thing.height, thing.x + thing.width / 2
        r, c = min(int((foot - BESIDE - 1) / high), cells.rows - 1), min(int(middle / wide), cells.columns - 1)
        part = found[thing.tile, down[r] : down[r + 1], across[c] : across[c + 1]]
        before = min(thing.x + thing.width, across[c + 1]) - max(thing.x, across[c])
        stands = abs(foot - down[r + 1]) <= BESIDE and before >= OWN * wide and thing.height >= OWN * high
        covers = thing.x < across[c] and across[c + 1] < thing.x + thing.width and thing.y < down[r]
        if stands and strangeness[thing.tile, r, c] > (SOMEWHAT if covers else STRANGE):
            part[:] = False
        if 2 * high <= thing.height and 2 * wide <= thing.width:
            y0, y1 = (np.searchsorted(down, y, "right") for y in (thing.y - BESIDE, foot + BESIDE))
            x0, x1 = (np.searchsorted(across, x, "right") for x in (thing.x - BESIDE, thing.x + thing.width + BESIDE))
            limbs = np.zeros(strange.shape, np.bool_)
            some = thing.tile, slice(max(y0 - 1, 0), y1), slice(max(x0 - 1, 0), x1)
            limbs[some] = strange[some]
            found[cells.drawn(limbs, width, height)] = False
    return found


def _lower_part(
    thing: Thing, walls: Bools, strange: Bools, cells: Cells, shades: NDArray[np.uint8]
) -> list[tuple[int, int, int]]:
    """The cell that looks like a wall and is the lower part of the thing right above it, as when only the top of a door
    beside a wall was recognised. The cell has colours that other walls do not have and the thing has, stands on a wall
    and has air at one side; the thing takes most of its width, so it is no stone of a floor."""
    down, across = cells.edges(*shades.shape[1:])
    x0, x1, y0, foot = (round(n) for n in (thing.x, thing.x + thing.width, thing.y, thing.y + thing.height))
    c = min(int(np.searchsorted(across, (x0 + x1) / 2, "right")) - 1, cells.columns - 1)
    r = int(np.abs(down - foot).argmin())
    if not 0 < r < cells.rows - 1 or abs(int(down[r]) - foot) > BESIDE or x1 - x0 < OWN * (across[c + 1] - across[c]):
        return []
    beside = walls[thing.tile, r, max(c - 1, 0)] and walls[thing.tile, r, min(c + 1, cells.columns - 1)]
    if not strange[thing.tile, r, c] or not walls[thing.tile, r + 1, c] or beside:
        return []
    seen = shades[thing.tile]
    cell = seen[down[r] : down[r + 1], across[c] : across[c + 1]]
    its = np.bincount(cell.ravel(), minlength=int(shades.max()) + 1) >= SHOWN * cell.size
    return [(thing.tile, r, c)] if its[seen[y0:foot, x0:x1]].mean() >= SAME else []


def _standing(solid: Bools, cells: Cells, filled: NDArray[np.float64]) -> Bools:
    """In which cells something stands that has the colour of walls and is none: there is air at its sides, within its
    cell, and above it. Shape ``(tiles, rows, columns)``."""
    height, width = solid.shape[1:]
    down, across = cells.edges(height, width)
    pitch = width / cells.columns
    inset = max(round(INSET * pitch), min(round(SLACK) + 1, int(pitch / 5)))
    found = np.zeros(filled.shape, np.bool_)
    if 4 * inset > pitch:
        return found
    walls = np.pad(filled >= FILLED, ((0, 0), (0, 1), (0, 0)), mode="edge")
    for tile, r, c in np.argwhere(filled > 0.02):
        soft = round(SLACK) * bool(walls[tile, r + 1, c])  # what the edge of the wall below reaches up
        cell = solid[tile, down[r] : down[r + 1] - soft, across[c] : across[c + 1]]
        within = min(inset, ROUND_INSET) if _round(cell) else inset
        found[tile, r, c] = not cell[:, :within].any() and not cell[:, -within:].any()
    for r in range(cells.rows):  # what stands reaches up to air
        above = found[:, r - 1] if r else np.zeros_like(found[:, 0])
        found[:, r] &= above | (filled[:, r - 1] < 0.02 if r else False)
    return found


def _notched(part: Bools) -> bool:
    """Whether the content of a cell fills all of it but a rectangle that reaches no farther than ``NOTCH`` of its width
    and height: no straight edge goes through such a cell."""
    if part.all():
        return False
    left, top, right, bottom = _box(~part)
    size = (bottom - top) * (right - left)
    small = right - left <= NOTCH * part.shape[1] and bottom - top <= NOTCH * part.shape[0]
    return small and int((~part).sum()) >= RECTANGLE * size


def _round(part: Bools) -> bool:
    """Whether the content of a cell is much narrower at its top than below, as no wall is."""
    widths = part.sum(axis=1)
    top = np.flatnonzero(widths)
    return bool(len(top)) and widths[top[: ROUND_INSET + 1]].max() <= ROUND_TOP * widths.max()


def _open(solid: Bools, cell: tuple[slice, slice]) -> bool:
    """Whether what a cell lacks of a wall borders on air in another cell of the tile. If not, it was not seen,
    as behind the last stroke of a hatched wall, in a tile's corner."""
    part, closed = solid[cell], np.pad(solid, 1, constant_values=True)
    rows, columns = (slice(each.start + 1, each.stop + 1) for each in cell)
    sides = (
        (part[:, 0], closed[rows, columns.start - 1]),
        (part[0], closed[rows.start - 1, columns]),
        (part[:, -1], closed[rows, columns.stop]),
        (part[-1], closed[rows.stop, columns]),
    )
    return any((~inside & ~beyond).any() for inside, beyond in sides)


def _slope(solid: Bools, cell: tuple[slice, slice]) -> bool:
    """Whether the content of a cell is cut off diagonally and continues into the walls of two cells that meet there."""
    part = solid[cell]
    points = cv2.findNonZero(part.astype(np.uint8))
    if points is None:
        return False
    hull = cv2.fillConvexPoly(np.zeros(part.shape, np.uint8), cv2.convexHull(points), 1)
    if part.sum() < CONVEX * hull.sum():
        return False
    wide = np.pad(solid, 1, mode="edge")
    rows, columns = (slice(each.start + 1, each.stop + 1) for each in cell)
    beside = (
        wide[rows, columns.start - 1] & part[:, 0],
        wide[rows.start - 1, columns] & part[0],
        wide[rows, columns.stop] & part[:, -1],
        wide[rows.stop, columns] & part[-1],
    )
    held = [float(each.mean()) >= HELD for each in beside]
    return any(held[n] and held[(n + 1) % 4] for n in range(4))


def straight_edges(solid: Bools) -> float:
    """The number of pixels of the edges of masks that run straight along rows or columns."""
    return float(edge_weights(solid).sum() + edge_weights(solid.transpose(0, 2, 1)).sum())


def edge_weights(solid: Bools) -> NDArray[np.float64]:
    """The number of edge pixels on each boundary of columns: shape ``(2, width + 1)``, where a wall ends and where one
    begins; short pieces do not count."""
    length = max(solid.shape[1] // 30, 3)
    total = np.zeros((2, solid.shape[2] + 1))
    for begins in (False, True):
        edge = (solid[:, :, 1:] != solid[:, :, :-1]) & (solid[:, :, 1:] == begins)
        sums = np.pad(edge.astype(np.int32).cumsum(axis=1), ((0, 0), (1, 0), (0, 0)))
        whole = sums[:, length:] - sums[:, :-length] == length
        covered = np.zeros(edge.shape, np.bool_)
        for shift in range(length):
            covered[:, shift : shift + whole.shape[1]] |= whole
        total[int(begins), 1:-1] += covered.sum(axis=(0, 1))
    return total


def _count(weights: NDArray[np.float64], size: int) -> int | None:
    """The number of equal parts into which ``size`` pixels are divided so that weighted positions lie on the
    divisions. The edges on one side of walls may all be shifted a little, as when a shadow or mortar was not
    recognised as wall."""
    if not weights.any():
        return None
    counts = range(2, min(MOST, int(size / FINEST)) + 1)
    return next((count for count in counts if _met(weights, size, count) >= FIT), None)


def _met(weights: NDArray[np.float64], size: int, count: int) -> float:
    """The share of weighted positions that lies on the divisions of ``size`` pixels into so many parts."""
    if count < 2:
        return 0.0
    places, pitch = np.arange(weights.shape[1]), size / count
    beside = places - np.round(places / pitch) * pitch
    most = min(SHIFT, pitch / 6)
    shifts = np.arange(-most, most + 0.5) if pitch >= 2 * FINEST else np.zeros(1)
    hits = np.abs(beside[None] - shifts[:, None]) <= min(SLACK, SLACK_SHARE * pitch)
    return sum(float((hits @ side).max()) for side in weights) / max(float(weights.sum()), 1.0)
