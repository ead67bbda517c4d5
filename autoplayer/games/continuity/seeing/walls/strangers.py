"""Finds things that look like walls, by their colours: things of the walls' shades that stand on them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.seeing.sight import Bools

THIN = 0.035
"""The greatest thickness of a line, as a share of a tile's shorter side."""
LONG, HIGH = 0.12, 0.27
"""The shares of a tile's width and height from which on something is long or high: no thing is. A door two cells high
in a room of eight is not."""
NARROW = 0.02
"""The least width of a thing, as a share of a tile's height: less is the rim of a wall."""
SANDWICHED = 0.7
"""If walls adjoin a part on both sides along at least this share of its width, it lies between walls."""
OWN = 4
"""How many times the share of a shade in a thing exceeds that in walls, for the shade to be the thing's own. In walls
whose cells alternate between two or three shades, one cell shows one of these alone, three times the share in all
walls."""
STRANGE = 0.47
"""The difference between the colour distributions of a thing and of walls, 0 to 1."""
SOME, PATCH, LEAST_OWN = 0.05, 3, 0.3
"""The least share of a thing that a shade covers to be considered; the least width of a patch of a shade in walls, as
one part in so many of the thing's width, because stones and cells are patches and bevels are lines; and the least share
of a thing that its own shades cover: one stone in four may have a shade that other walls hardly show, and a door of the
walls' colours has bars or a rim of another shade."""


def strangers(solid: Bools, shades: NDArray[np.uint8]) -> Bools:
    """Parts that look like wall but are things: neither long nor high, nor along a whole side of their tile, nor
    between two walls; with other colours than the walls of their tile, and than those of all tiles in the same rows or
    columns (because shaded walls differ from row to row); and with shades of their own (because a cell of checkered
    walls has only one of the walls' shades)."""
    _, height, width = solid.shape
    pad = max(height, width) // 4
    sure = np.zeros(solid.shape, np.bool_)
    for mask, found in zip(solid, sure, strict=True):
        wide = cv2.copyMakeBorder(mask.astype(np.uint8), *(pad,) * 4, cv2.BORDER_REPLICATE)
        # Kernels of an odd size: others would shift what they find by a pixel.
        along = cv2.morphologyEx(wide, cv2.MORPH_OPEN, np.ones((1, round(LONG * width) | 1), np.uint8))
        upright = cv2.morphologyEx(
            cv2.subtract(wide, along), cv2.MORPH_OPEN, np.ones((round(HIGH * height) | 1, 1), np.uint8)
        )
        found[:] = (cv2.max(along, upright) > 0)[pad:-pad, pad:-pad]
    strange = np.zeros(solid.shape, np.bool_)
    for tile in np.flatnonzero(sure.any(axis=(1, 2))):
        small = (solid[tile] & ~sure[tile]).astype(np.uint8)
        number, parts, stats, _ = cv2.connectedComponentsWithStats(small, connectivity=4)
        for at in range(1, number):
            x, y, w, h, area = (int(n) for n in stats[at])
            if min(w, h) < max(NARROW * height, 2):
                continue
            part = parts == at
            if max(part[:, 0].sum(), part[:, -1].sum()) >= h or max(part[0].sum(), part[-1].sum()) >= w:
                continue  # along the side of a tile there is a wall
            if _between(sure[tile], x, y, w, h) or _between(sure[tile].T, y, x, h, w):
                continue
            here = _mixture(shades[tile][part], shades)
            rows, columns = slice(y, y + h), slice(x, x + w)
            usual = [
                shades[tile][sure[tile]],
                shades[:, rows][sure[:, rows]],
                shades[:, :, columns][sure[:, :, columns]],
            ]
            other = (np.abs(here - _mixture(each, shades)).sum() / 2 > STRANGE for each in usual if len(each) >= area)
            if all(other) and _own(here, shades, sure, max(min(w, h) // PATCH, 2)) > LEAST_OWN:
                strange[tile] |= _all_of(part, solid[tile], shades[tile])
    return strange


def _all_of(part: Bools, solid: Bools, shades: NDArray[np.uint8]) -> Bools:
    """``part`` together with those of a tile's walls that are connected with it, no larger, and show the same shades,
    which other walls show far less: the foot or the head of a thing beside a wall may be in line with the wall."""
    count = int(shades.max()) + 1
    here, rest = (np.bincount(shades[some], minlength=count) for some in (part, solid & ~part))
    own = here * rest.sum() >= OWN * rest * here.sum()
    own &= here > 0
    same = (solid & own[shades]).astype(np.uint8)
    same = cv2.morphologyEx(same, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    _, parts, stats, _ = cv2.connectedComponentsWithStats((same | part).astype(np.uint8), connectivity=4)
    number = int(parts[part][0])
    return parts == number if stats[number, cv2.CC_STAT_AREA] <= 2 * part.sum() else part


def _own(here: NDArray[np.float64], shades: NDArray[np.uint8], sure: Bools, size: int) -> float:
    """The share of a thing with its own shades: those that walls hardly show in patches of ``size`` pixels. ``here``:
    the share of the thing that each shade covers."""
    walls, kernel, share = sure.sum(), np.ones((size, size), np.uint8), 0.0
    for shade in np.flatnonzero(here > SOME):
        shown = ((shades == shade) & sure).astype(np.uint8)
        patches = sum(int(cv2.morphologyEx(each, cv2.MORPH_OPEN, kernel).sum()) for each in shown)
        share += here[shade] * bool(here[shade] * walls > OWN * patches)
    return share


def _between(sure: Bools, x: int, y: int, wide: int, high: int) -> bool:
    """Whether walls are right above and right below most of a low box: what is between them is no thing."""
    if high > THIN * min(sure.shape) or not 0 < y < y + high < len(sure):
        return False
    lines = sure[[y - 1, y + high], x : x + wide]
    return bool(lines.mean(axis=1).min() >= SANDWICHED)


def _mixture(some: NDArray[np.uint8], shades: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The share of each shade in ``some``."""
    return np.bincount(some, minlength=int(shades.max()) + 1) / max(len(some), 1)
