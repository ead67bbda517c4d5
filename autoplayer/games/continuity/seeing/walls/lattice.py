"""Finds walls by whole cells: the lattice is found from the edges in the pictures themselves, and each of its cells is
classified as wall or as air.

This is a second method for the same walls. It is robust against textures, because a cell is judged as a whole, and
against gradients across a tile, because both surfaces may be shaded. It cannot represent walls that lie on no lattice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.borders import ALONG, NOISE, WEAKEST, steps
from autoplayer.games.continuity.seeing.walls.cells import Cells

FEWEST, MOST = 4, 48
"""Cells along a side of a tile."""
FINEST = 5.0
"""Pixels of a cell."""
ASIDE = 3
"""Pixels beside a border in which two surfaces differ: a line between cells is thinner."""
TRIED = 3
"""The number of lattices with the most edges that are tried."""
NEARER = 0.01
"""By how much the share of borders on edges must be higher for another lattice to be preferred."""
ROUNDS = 12
FAR = 9.0
"""The cap on squared differences, in units of the usual one: things are unlike everything."""
THING = 0.25
"""The greatest size of a thing, as a share of a tile's cells in each direction."""
SOME = 800
"""The most wall cells with which one is compared."""
FEW, NEARLY = 5, 0.15
"""The least number of wall cells that are similar to each other, and their tolerance as a share of the difference
between walls and air."""
GRAIN = 1.5
"""The weight of a difference in texture relative to one in colour."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges in the pictures of tiles, with a tolerance of a pixel: shape ``(tiles, height, width)`` each, between a
    pixel and the one to its left, and the one above."""

    across: Bools
    down: Bools
    least: float
    stack: NDArray[np.uint8]
    """The pictures, shape ``(tiles, height, width, 3)``."""

    def support(self, solid: Bools) -> float:
        """The share of the borders of walls that lies on edges of the pictures."""
        beside = solid[:, :, 1:] != solid[:, :, :-1]
        above = solid[:, 1:] != solid[:, :-1]
        number = int(beside.sum()) + int(above.sum())
        seen = int((beside & self.across[:, :, 1:]).sum()) + int((above & self.down[:, 1:]).sum())
        return seen / number if number else 0.0

    def parted(self, solid: Bools) -> float:
        """The share of the borders of walls that has another colour ``ASIDE`` pixels away on one side than on the
        other."""
        number = seen = 0
        for stack, walls in ((self.stack, solid), (self.stack.transpose(0, 2, 1, 3), solid.transpose(0, 2, 1))):
            left, right = stack[:, :, : -2 * ASIDE], stack[:, :, 2 * ASIDE :]
            border = walls[:, :, ASIDE - 1 : -ASIDE - 1] != walls[:, :, ASIDE:-ASIDE]
            number += int(border.sum())
            off = np.abs(left[border].astype(np.int16) - right[border]).max(axis=-1, initial=0)
            seen += int((off >= self.least).sum())
        return seen / number if number else 0.0


def find_edges(stack: NDArray[np.uint8], noise: float) -> Edges:
    """The edges in tiles of the shape ``(tiles, height, width, 3)``."""
    least = WEAKEST + NOISE * noise
    tiles, height, width = stack.shape[:3]
    turned = np.ascontiguousarray(stack.transpose(0, 2, 1, 3))
    found = []
    for each, (high, wide) in ((stack, (height, width)), (turned, (width, height))):
        flat = each.reshape(tiles * high, wide, 3)
        calm = np.asarray(cv2.blur(flat, (1, min(ALONG, 5))), np.uint8)
        marks = (steps(calm).T.reshape(tiles, high, wide) >= least).astype(np.uint8)
        marks = np.stack([cv2.dilate(mark, np.ones((1, 3), np.uint8)) for mark in marks])
        found.append(marks > 0)
    return Edges(found[0], np.ascontiguousarray(found[1].transpose(0, 2, 1)), least, stack)


@dataclass(frozen=True, eq=False)
class Lattice:
    """``walls``: which cells are walls, shape ``(tiles, rows, columns)``. ``support``: the share of their borders that
    lies on edges."""

    cells: Cells
    walls: Bools
    support: float

    def solid(self, height: int, width: int) -> Bools:
        return self.cells.drawn(self.walls, width, height)


def find_lattice(stack: NDArray[np.uint8], edges: Edges, known: Cells | None = None) -> Lattice | None:
    """The walls in tiles of the shape ``(tiles, height, width, 3)`` by whole cells; None if no lattice is found.
    ``known``: an additional lattice to try. Of the two surfaces the wall is the one that covers more of the sides of
    tiles."""
    _, height, width = stack.shape[:3]
    across = _counts(edges.across.mean(axis=(0, 1)), width)
    down = _counts(edges.down.mean(axis=(0, 2)), height)
    tried = [Cells(rows, columns) for columns in across for rows in down if _square(width / columns, height / rows)]
    if known is not None and known not in tried and min(known.rows, known.columns) >= FEWEST:
        tried.append(known)
    sums = _Sums(stack)
    best: Lattice | None = None
    for cells in tried[: TRIED * 2]:
        found = _told(cells, sums, edges, height, width)
        if found is not None and (best is None or found.support > best.support + NEARER):
            best = found
    # A texture of broad pixels has edges on all divisions of cells: of lattices that do as well the coarsest is taken.
    for part in range(min(best.cells.rows, best.cells.columns) // FEWEST if best else 0, 1, -1):
        if best and not best.cells.rows % part and not best.cells.columns % part:
            found = _told(Cells(best.cells.rows // part, best.cells.columns // part), sums, edges, height, width)
            if found is not None and found.support >= best.support - NEARER:
                return found
    return best


def _square(wide: float, high: float) -> bool:
    return 0.8 <= wide / high <= 1.25


def _counts(profile: Floats, size: int) -> list[int]:
    """The numbers of parts into which a length may be divided so that its divisions coincide with as many edges as
    possible in excess of chance."""
    total = float(profile[2:-2].sum())
    if not total:
        return []
    worth = {}
    for count in range(FEWEST, min(MOST, int(size / FINEST)) + 1):
        lines = np.round(np.arange(1, count) * size / count).astype(np.int64)
        # Edges are as broad as three pixels: the line itself catches a third of what is there.
        caught = sum(float(profile[np.clip(lines + d, 0, size - 1)].sum()) for d in (-1, 0, 1))
        worth[count] = caught / total - 3 * (count - 1) / size
    return sorted(worth, key=lambda count: -worth[count])[:TRIED]


class _Sums:
    """Integral images of colours and of their squares."""

    def __init__(self, stack: NDArray[np.uint8]) -> None:
        self.sums, self.squares = [], []
        for picture in stack:
            one, two = cv2.integral2(picture, sdepth=cv2.CV_64F, sqdepth=cv2.CV_64F)
            self.sums.append(one)
            self.squares.append(two)

    def cells(self, cells: Cells, height: int, width: int) -> Floats:
        """The mean colour and the graininess of each cell: shape ``(tiles, rows, columns, 4)``."""
        down, across = cells.edges(height, width)
        y0, y1, x0, x1 = down[:-1] + 1, down[1:] - 1, across[:-1] + 1, across[1:] - 1
        area = ((y1 - y0)[:, None] * (x1 - x0))[..., None].astype(np.float64)

        def over(table: NDArray[Any]) -> Floats:
            found: Floats = (
                table[y1[:, None], x1] - table[y0[:, None], x1] - table[y1[:, None], x0] + table[y0[:, None], x0]
            )
            return found

        found = []
        for one, two in zip(self.sums, self.squares, strict=True):
            mean = over(one) / area
            spread = np.sqrt(np.maximum(over(two) / area - mean * mean, 0)).mean(axis=2, keepdims=True)
            found.append(np.concatenate([mean, GRAIN * spread], axis=2))
        return np.stack(found)


def _told(cells: Cells, sums: _Sums, edges: Edges, height: int, width: int) -> Lattice | None:
    """The cells of one lattice, classified into two surfaces."""
    looks = sums.cells(cells, height, width)
    tiles, rows, columns, _ = looks.shape
    flat = looks.reshape(-1, 4)
    row = np.tile(np.repeat(np.arange(rows) / rows, columns), tiles)
    terms = np.stack([np.ones(len(row)), row], axis=1)
    side = np.zeros((tiles, rows, columns), np.bool_)
    side[:, 0] = side[:, -1] = side[:, :, 0] = side[:, :, -1] = True
    best: tuple[float, Bools] | None = None
    for first in _beginnings(flat, side.ravel()):
        found = _two_surfaces(flat, terms, first)
        if found is not None and (best is None or found[0] < best[0]):
            best = found
    if best is None:
        return None
    walls = best[1]
    if walls[side.ravel()].mean() < walls[~side.ravel()].mean():
        walls = ~walls
    odd = _rare(flat, walls)
    walls = _without_things(walls.reshape(tiles, rows, columns), odd.reshape(tiles, rows, columns))
    return Lattice(cells, walls, edges.support(cells.drawn(walls, width, height)))


def _rare(flat: Floats, walls: Bools) -> Bools:
    """Which of the supposed wall cells are similar to only few others."""
    looks = flat[walls]
    apart = float(np.linalg.norm(np.median(looks, axis=0) - np.median(flat[~walls], axis=0)))
    some = looks[:: max(len(looks) // SOME, 1)]
    away = np.maximum((looks**2).sum(axis=1)[:, None] + (some**2).sum(axis=1) - 2 * looks @ some.T, 0)
    few = min(max(FEW * len(some) // len(looks), 1), len(some) - 1)
    nearest = np.sqrt(np.partition(away, few, axis=1)[:, few])
    usual = float(np.median(nearest))
    found = np.zeros(len(flat), np.bool_)
    found[walls] = nearest > max(NEARLY * apart, FAR**0.5 * usual)
    return found


def _without_things(walls: Bools, odd: Bools) -> Bools:
    """Walls without cells that are unlike walls and unlike air and have air above them (they hang on air): things stand
    there."""
    found = walls.copy()
    _, rows, columns = walls.shape
    for tile, strange in zip(found, odd & walls, strict=True):
        count, parts, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8), connectivity=4)
        for n in range(1, count):
            _, _, w, h, _ = (int(each) for each in stats[n])
            if w > max(THING * columns, 1) or h > max(THING * rows, 2):
                continue
            part = parts == n
            wide = np.pad(part, 1)
            beside = (wide[1:-1, 2:] | wide[1:-1, :-2] | wide[2:, 1:-1] | wide[:-2, 1:-1]) & ~part
            above = part[1:].any() and (part[1:] & ~tile[:-1] & ~part[:-1]).any()
            if above and (beside & ~tile).sum() >= 2:
                tile[part] = False
    return found


def _beginnings(flat: Floats, side: Bools) -> list[Bools]:
    """Initial classifications for the clustering: cells at sides; the brighter ones; the grainier ones."""
    bright = flat[:, :3].mean(axis=1)
    return [
        side,
        bright > (bright.min() + bright.max()) / 2,
        bright > np.median(bright),
        flat[:, 3] > flat[:, 3].mean(),
    ]


def _two_surfaces(flat: Floats, terms: Floats, one: Bools) -> tuple[float, Bools] | None:
    """Two surfaces, each with a vertical gradient within a tile, fitted so that cells differ little from the one they
    belong to: Lloyd's algorithm with lines for means. Returns the residual, and which cells belong to the first."""
    away = np.zeros((2, len(flat)))
    for _ in range(ROUNDS):
        if min(one.sum(), (~one).sum()) < max(0.03 * len(one), 4):
            return None
        for n, own in enumerate((one, ~one)):
            factors = np.linalg.lstsq(terms[own], flat[own], rcond=None)[0]
            off = ((flat - terms @ factors) ** 2).sum(axis=1)
            near = own & (off <= FAR * max(float(np.median(off[own])), 4.0))
            if near.sum() >= 4:
                factors = np.linalg.lstsq(terms[near], flat[near], rcond=None)[0]
                off = ((flat - terms @ factors) ** 2).sum(axis=1)
            away[n] = off
        again = away[0] < away[1]
        if (again == one).all():
            break
        one = again
    least = away.min(axis=0)
    usual = max(float(np.median(least)), 4.0)
    return float(np.minimum(least, 40 * usual).sum()), one
