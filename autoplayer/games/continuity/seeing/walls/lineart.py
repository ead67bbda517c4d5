"""Reads rooms of line art: walls are outlined and not filled, so that wall and air have one colour. Crossing a line
leads from air into a wall or back: so the regions between lines are classified by two-colouring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import largest_channel
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.cells import find_cells
from autoplayer.games.continuity.seeing.walls.materials import Materials

PAPER = 0.75
"""The least share of all tiles with the colour of walls and air."""
THICK, MASSIVE = 0.035, 0.25
"""The greatest thickness of a line, as a share of a tile's shorter side, and the share of all else that may be
thicker."""
PARTS = 2.0
"""The least area of a region between lines, in squares of that thickness."""
SMALL, BESIDE = 0.25, 2
"""A wall up to this share of a tile's height is small and may be a thing; and the tolerance in pixels of its sides
beside the lattice of the others."""
LEDGE = 0.1
"""The least length of a line that is a ledge by itself, as a share of a tile's width."""
OFF = 12
"""Grey levels from which on a pixel differs from the paper."""
WRONG = 0.2
"""The share of lines, by length, that may have air, or wall, on both sides: figures and letters have."""

Parts = NDArray[np.int32]


def with_walls_filled(materials: Materials) -> Materials:
    """The same materials, with walls filled with the colour of lines if they are line art; else unchanged."""
    areas = np.bincount(materials.labels.ravel(), minlength=materials.count)
    paper = int(areas.argmax())
    if areas[paper] < PAPER * materials.labels.size or materials.count < 2:
        return materials
    ink = int(np.argsort(areas)[-2])
    thick = _thickest(materials.labels.shape[1:])
    lines = materials.labels != paper
    if not _thin(lines):
        return materials
    walls = np.zeros(lines.shape, np.bool_)
    broads = np.zeros(thick + 2, np.int64)
    total = wrong = 0
    for mask, wall in zip(lines, walls, strict=True):
        parts = _parts(mask, round(PARTS * thick * thick))
        met, some = _met(parts, mask, thick + 1)
        broads += some
        total += sum(met.values())
        wrong += _told(parts, met, wall)
    if not walls.any() or wrong > WRONG * total:
        return materials
    line = int(np.searchsorted(np.cumsum(broads), np.sum(broads) / 2))
    walls = _without_small(walls, lines, line)
    labels, shades = materials.labels.copy(), materials.shades.copy()
    labels[:] = np.where(walls | _ledges(lines & ~walls, thick), ink, paper)
    shades[walls] = np.bincount(shades[materials.labels == ink]).argmax()
    return replace(materials, labels=labels, shades=shades)


def _without_small(walls: Bools, lines: Bools, line: int) -> Bools:
    """Walls including the lines around them, which are ``line`` pixels thick, without small ones of which a side is not
    on the lattice of the others: doors are drawn like this too."""
    kernel = np.ones((2 * line + 1, 2 * line + 1), np.uint8)
    height, width = walls.shape[1:]
    large, small = np.zeros(walls.shape, np.bool_), []
    for tile, mask in enumerate(walls):
        number, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
        for n in range(1, number):
            lined = cv2.dilate((labels == n).astype(np.uint8), kernel) > 0
            whole = (labels == n) | (lined & lines[tile])
            if max(stats[n, cv2.CC_STAT_WIDTH], stats[n, cv2.CC_STAT_HEIGHT]) <= SMALL * height:
                small.append((tile, whole))
            else:
                large[tile] |= whole
    cells = find_cells(large)
    for tile, whole in small:
        if cells is None or all(
            min(abs(place - at * size / count) for at in range(count + 1)) <= max(line / 2, BESIDE)
            for some, size, count in ((0, width, cells.columns), (1, height, cells.rows))
            for place in _ends(whole.any(axis=some))
        ):
            large[tile] |= whole
    return large


def _ends(shown: Bools) -> tuple[int, int]:
    """Where the non-zero range begins and ends."""
    found = np.flatnonzero(shown)
    return int(found[0]), int(found[-1]) + 1


def _ledges(lines: Bools, thick: int) -> Bools:
    """Lines that separate nothing, but have the length of a ledge and are horizontal."""
    found = np.zeros(lines.shape, np.bool_)
    for mask, ledge in zip(lines, found, strict=True):
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
        wide, high = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
        kept = (wide >= LEDGE * mask.shape[1]) & (high <= thick)
        kept[0] = False
        ledge[:] = kept[labels]
    return found


def on_paper(stack: NDArray[np.uint8], colour: NDArray[np.float64]) -> bool:
    """Whether tiles of the shape ``(tiles, height, width, 3)`` show little else than lines on a colour (BGR)."""
    lines: Bools = largest_channel(np.abs(stack.astype(np.int16) - colour)) > OFF
    return float(lines.mean()) <= 1 - PAPER and _thin(lines)


def _thickest(size: Sequence[int]) -> int:
    """Pixels of the thickest line in a tile of so many rows and columns."""
    return max(round(THICK * min(size)), 3)


def _thin(lines: Bools) -> bool:
    """Whether nearly all of a mask of the shape ``(tiles, height, width)`` is as thin as lines."""
    kernel = np.ones((_thickest(lines.shape[1:]) + 1,) * 2, np.uint8)
    broad = sum(int(cv2.morphologyEx(each.astype(np.uint8), cv2.MORPH_OPEN, kernel).sum()) for each in lines)
    return int(lines.sum()) > 0 and broad <= MASSIVE * int(lines.sum())


def _parts(lines: Bools, least: int) -> Parts:
    """The regions of a tile between lines, numbered from 1; 0 for lines and for smaller regions."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats((~lines).astype(np.uint8), connectivity=4)
    kept = stats[:, cv2.CC_STAT_AREA] >= least
    kept[0] = False
    numbers = np.where(kept, kept.cumsum(), 0)
    found: Parts = numbers[labels].astype(np.int32)
    return found


def _met(parts: Parts, lines: Bools, most: int) -> tuple[dict[tuple[int, int], int], NDArray[np.int64]]:
    """The number of line pixels on which each pair of regions meets, or one meets itself; and the same for each
    thickness of lines, up to ``most`` pixels."""
    found: dict[tuple[int, int], int] = defaultdict(int)
    broads = np.zeros(most + 1, np.int64)
    for way, line in ((parts, lines), (parts.T, lines.T)):
        inked = np.pad(line.astype(np.int32).cumsum(axis=1), ((0, 0), (1, 0)))
        for broad in range(1, most + 1):
            if way.shape[1] <= broad + 1:
                break
            one, other = way[:, : -broad - 1], way[:, broad + 1 :]
            between = inked[:, broad + 1 : -1] - inked[:, 1 : -broad - 1] == broad
            seen = between & (one > 0) & (other > 0)
            pairs, counts = np.unique(np.stack([one[seen], other[seen]], axis=1), axis=0, return_counts=True)
            for (a, b), count in zip(pairs.tolist(), counts.tolist(), strict=True):
                found[min(a, b), max(a, b)] += count
                broads[broad] += count
    return found, broads


def _told(parts: Parts, met: dict[tuple[int, int], int], wall: Bools) -> int:
    """Mark the walls of a tile; the number of line pixels that do not separate wall from air. In each group of regions
    that meet, the colour class that takes more of the tile is air."""
    number = int(parts.max())
    group, turned = list(range(number + 1)), [False] * (number + 1)
    members = {n: [n] for n in range(number + 1)}
    wrong = 0
    for (a, b), count in sorted(met.items(), key=lambda each: -each[1]):
        if group[a] == group[b]:
            wrong += count * (turned[a] == turned[b])
            continue
        flip = turned[a] == turned[b]
        moved = members.pop(group[b])
        for n in moved:
            turned[n] ^= flip
            group[n] = group[a]
        members[group[a]] += moved
    areas = np.bincount(parts.ravel(), minlength=number + 1)
    for some in members.values():
        sides = [[n for n in some if n and turned[n] == side] for side in (False, True)]
        least = min(sides, key=lambda each: int(areas[each].sum()))
        if all(sides):
            wall |= np.isin(parts, least)
    return wrong
