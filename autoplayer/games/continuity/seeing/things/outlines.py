"""Features of the outline of a small thing: whether it stands upright like a door, on two legs, or is a flag."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.seeing.sight import Bools

FOOT = 2
"""Rows at the foot of a thing that may be broader than what is above: the soft edge of the ground."""
LOWER, LEGS, CLOTH = 0.6, (0.08, 0.55), 0.5
"""The shares of a thing's height: its lower part, its legs at least and at most, and the cloth of a flag."""
TEETH = 1.25
"""A thing so many times broader than high stands on the teeth of a key, not on legs."""
APART = 0.1
"""The share of a thing's breadth that its feet are apart at least."""
POLE, BROAD, ASIDE = 0.34, 0.75, 0.36
"""Shares of a flag's width: the greatest width of its pole, the least width of its cloth, and the greatest distance of
the pole from its side."""
STEM, STEM_HIGH = (0.47, 0.62), 0.25
"""The greatest width of a stem, as shares of the thing's width, on average and anywhere; and its least length, as a
share of the height."""
NECK, SHOULDERS = (0.12, 0.5), 0.8
"""The range of heights of a figure's neck, as shares of its height, and the greatest width of the neck relative to the
head and the body."""
RING, BOW, SHAFT = 0.04, 0.12, 0.6
"""The least share of its box that the hole in a key's bow takes, and its least offset from the middle, as a share of
the key's length; and the greatest width of the other half of an upright key, as a share of the bow's: with a visor in
the colour of the air, a figure's head is no broader than its body."""
ARCH, VAULT = 0.65, (0.1, 0.7)
"""The greatest width of an arch's highest row, as a share of its width, and the range of its height over which it
widens."""
SMALLEST = 6
"""Pixels of a thing across and down in which its outline says something."""


class Outline(NamedTuple):
    """``upright``: the share of its lower part in which a thing has its full width. ``doorway``: whether it is a lintel
    on two posts. ``bow``: whether it has a ring at one end, as a key has. ``arch``: whether it stands on a
    flat foot and has a round top."""

    upright: float
    doorway: bool
    legs: bool
    flag: bool
    stem: bool
    neck: bool
    bow: bool
    arch: bool = False


def outlined(mask: Bools) -> Outline:
    """The outline of a thing whose pixels are ``mask``, shape ``(height, width)``, cut close."""
    filled = _without_foot(_filled(mask))
    height, width = filled.shape
    if min(height, width) < SMALLEST:
        return Outline(1.0, doorway=False, legs=False, flag=False, stem=False, neck=False, bow=False)
    spans = np.array([np.ptp(np.flatnonzero(row)) + 1 if row.any() else 0 for row in filled])
    slack = 1 if width < 5 * SMALLEST else 2
    low = spans[height - max(round(LOWER * height), 1) :]
    upright, parted = float((low >= width - slack).mean()), _parted(filled)
    doorway = upright == 1.0 and LEGS[1] < parted < 1
    apart = int(spans[-1]) - int(filled[-1].sum()) >= APART * width
    legs = apart and parted * height >= 2 and LEGS[0] <= parted <= LEGS[1] and width <= TEETH * height
    arch = upright == 1.0 and parted == 0 and _arch(filled, spans)
    return Outline(upright, doorway, legs, _flag(filled, spans), _stem(spans), _neck(spans), _bow(mask), arch)


def _filled(mask: Bools) -> Bools:
    outline, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found: Bools = cv2.drawContours(np.zeros(mask.shape, np.uint8), outline, -1, 1, cv2.FILLED) > 0
    return found


def _without_foot(filled: Bools) -> Bools:
    """A thing without rows at its foot that are broader than all above."""
    for _ in range(FOOT):
        above = filled[:-1]
        if len(above) and above.any() and np.ptp(np.flatnonzero(above.any(axis=0))) + 1 < filled.shape[1]:
            columns = np.flatnonzero(above.any(axis=0))
            filled = above[:, columns[0] : columns[-1] + 1]
        else:
            break
    return filled


def _parted(filled: Bools) -> float:
    """The height, from its foot on, over which a thing consists of separate parts side by side, as a share of its
    height."""
    runs = (np.diff(filled.astype(np.int8), axis=1, prepend=0) == 1).sum(axis=1)
    whole = np.flatnonzero(runs < 2)
    return float(len(runs) - 1 - whole[-1] if len(whole) else len(runs)) / len(runs)


def _flag(filled: Bools, spans: NDArray[np.int64]) -> bool:
    """Whether a thing is broad above and has a pole at one of its sides below."""
    height, width = filled.shape
    above = round(CLOTH * height)
    below = filled[above + 1 :]
    if not len(below) or spans[:above].max() < BROAD * width or not below.any(axis=1).all():
        return False
    pole = np.flatnonzero(below[len(below) // 4 :].any(axis=0))
    if not len(pole) or pole[-1] - pole[0] + 1 > POLE * width:
        return False
    return bool(min(pole[0], width - 1 - pole[-1]) + (pole[-1] - pole[0] + 1) / 2 <= ASIDE * width)


def _arch(filled: Bools, spans: NDArray[np.int64]) -> bool:
    """Whether a thing is at least as high as broad, and widens from its top, symmetrically, until its sides are
    vertical."""
    height, width = filled.shape
    if not spans.all():
        return False
    full = int(np.argmax(spans >= width - 1))
    middles = [float(np.flatnonzero(row).mean()) for row in filled[: full + 1]]
    return bool(
        height >= width - 1
        and spans[0] <= ARCH * width
        and VAULT[0] * height <= full <= VAULT[1] * height
        and (np.diff(spans[: full + 1]) >= 0).all()
        and (filled[: full + 1].sum(axis=1) == spans[: full + 1]).all()
        and max(abs(middle - (width - 1) / 2) for middle in middles) <= 1.0
    )


def _stem(spans: NDArray[np.int64]) -> bool:
    """Whether a thing stands on one narrow stem, as a torch and a sign do, and an upright key."""
    low = spans[len(spans) - max(round(STEM_HIGH * len(spans)), 2) :]
    return bool(low.mean() <= STEM[0] * spans.max() and low.max() <= STEM[1] * spans.max())


def _neck(spans: NDArray[np.int64]) -> bool:
    """Whether a thing has a head on a neck on shoulders."""
    first, last = (round(share * len(spans)) for share in NECK)
    if first < 1 or last <= first:
        return False
    neck = first + int(spans[first:last].argmin())
    return bool(spans[neck] <= SHOULDERS * min(spans[:neck].max(), spans[neck + 1 :].max(initial=0)))


def _bow(mask: Bools) -> bool:
    """Whether a thing that is longer than broad has one large hole, at one of its ends; the other end of one that
    stands is much narrower."""
    upright = mask.shape[0] >= TEETH * mask.shape[1]
    if not upright and mask.shape[1] < TEETH * mask.shape[0]:
        return False
    along = mask.T if upright else mask
    number, _, stats, middles = cv2.connectedComponentsWithStats(
        (_filled(along) & ~along).astype(np.uint8), connectivity=4
    )
    large = [n for n in range(1, number) if stats[n, cv2.CC_STAT_AREA] >= RING * mask.size]
    length = along.shape[1]
    if len(large) != 1 or abs(float(middles[large[0]][0]) + 0.5 - length / 2) < BOW * length:
        return False
    far = along[:, length // 2 :] if middles[large[0]][0] < length / 2 else along[:, : length // 2]
    return not upright or float(np.median(far.sum(axis=0))) <= SHAFT * len(along)
