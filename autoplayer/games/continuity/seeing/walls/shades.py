"""Tells which materials of tiles are further shades of their walls or of their air, and which are shadows."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.materials import Materials
from autoplayer.games.continuity.seeing.walls.strangers import HIGH, LONG, THIN
from autoplayer.games.continuity.seeing.walls.votes import THIRD

BESIDE_WALLS = 0.7
"""The least share of a line round walls that is adjacent to them."""
USUALLY = 0.75
"""If at least this share of a material is wall, small parts of it are walls as well."""
ALONG_WALL = 0.9
"""The least share of its longer side along which another shade of a wall touches the wall."""
RECTANGLE = 0.95
"""The share of its box that a block of a wall fills."""
BROAD = 0.05
"""A material with at least this share of all tiles is more than a few things."""
STONES = 4
"""A surface of stones consists of at least so many pieces in a tile."""
OFF_SHADE, DARKEST = 10.0, 0.45
"""The tolerance in grey levels between a shadow and darkened air, and the least brightness of air in it."""
CAST, BARE = 0.5, 0.85
"""The least share of one kind of sides of walls along which a shadow lies, and of the opposite sides that border on air
directly."""
CAPPED, CAP = 0.9, (2, 0.1)
"""The least share of the tops of walls that a cap of them covers, and of its lower edge that lies on walls; and its
thickness: at least in pixels, because a softly drawn edge is thinner, and at most as a share of a tile's height."""
HARDLY, HELD = 0.2, 0.4
"""A small piece is a shade of the walls if its difference from them is at most this share of its difference from the
air, and it touches them along at least the second share of its rim."""


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


def all_shades(materials: Materials, ordered: Sequence[tuple[int, int]]) -> list[NDArray[np.uint8]]:
    """For each tile its materials with the shades of walls and air merged."""
    common = _common(materials)
    broad = np.bincount(materials.labels.ravel(), minlength=materials.count) >= BROAD * materials.labels.size
    shades = [
        _shades_as_one(labels, materials.colours, wall, air, common, broad)
        for labels, (wall, air) in zip(materials.labels, ordered, strict=True)
    ]
    caps = _caps(materials, ordered)
    for labels, as_one, (wall, air) in zip(materials.labels, shades, ordered, strict=True):
        if min(wall, air) >= 0 and caps.any():
            as_one[_on_top(caps[labels], labels == wall)] = wall
    return shades


def _caps(materials: Materials, ordered: Sequence[tuple[int, int]]) -> Bools:
    """Which materials cap walls, as grass and snow do: they lie on nearly all tops of walls, and on nothing else. They
    belong to the walls, whatever their colour."""
    count = materials.count
    tops, feet, areas, all_tops = (np.zeros(count) for _ in range(4))
    for labels, (wall, air) in zip(materials.labels, ordered, strict=True):
        if min(wall, air) < 0:
            continue
        upper, lower = labels[:-1], labels[1:]
        ends, on_wall = upper != lower, lower == wall
        tops += np.bincount(upper[ends & on_wall], minlength=count)
        feet += np.bincount(upper[ends], minlength=count)
        areas += np.bincount(labels.ravel(), minlength=count)
        all_tops += (ends & on_wall).sum()
    rests = np.maximum(tops, 1)
    found: Bools = (tops >= CAPPED * all_tops) & (tops >= CAPPED * feet) & (all_tops > 0)
    found &= (areas >= CAP[0] * rests) & (areas <= CAP[1] * materials.labels.shape[1] * rests)
    return found


def _on_top(caps: Bools, walls: Bools) -> Bools:
    """Those pixels of caps below which there is nothing but caps, no thicker than one, and then a wall."""
    found = np.zeros(caps.shape, np.bool_)
    below = walls
    for _ in range(round(CAP[1] * len(caps))):
        below = np.roll(below, -1, axis=0)
        below[-1] = False
        below &= caps & ~found
        found |= below
    return found


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


def with_third(
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


def lift_shadows(
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


def usually_walls(
    materials: Materials, shades: Sequence[NDArray[np.uint8]], ordered: Sequence[tuple[int, int]]
) -> Bools:
    """For each material whether nearly all of it, in all tiles, is wall: then small parts of it are, too."""
    total, walls = np.zeros(materials.count), np.zeros(materials.count)
    for labels, as_one, (wall, _) in zip(materials.labels, shades, ordered, strict=True):
        total += np.bincount(labels.ravel(), minlength=materials.count)
        walls += np.bincount(labels[as_one == wall], minlength=materials.count)
    usually: Bools = walls >= USUALLY * np.maximum(total, 1)
    return usually


def blocks(parts: Bools, walls: Bools) -> Bools:
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
