"""Finds details inside a small thing: two eyes, the knob of a door, its panel in a frame; and the colour of gold."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from autoplayer.core.frame import Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools

OTHER = 48
"""The least difference in grey levels between a detail and its surroundings."""
LEAST = 8
"""Pixels across of a thing in which details are looked for."""
OUTLINED = 16
"""Pixels across of a thing whose outermost pixels do not count: they may be a soft edge, or an outline."""
SMALL, EVEN = 0.14, 0.5
"""The greatest share of the box that an eye or a knob takes, and by how much one eye may be smaller than the other."""
EYES, LEVEL = 0.6, 0.1
"""The upper share of its height in which a thing has its eyes, and by how much one is higher at most."""
KNOB, ASIDE = (0.4, 0.8), 0.15
"""The range of heights of a door's knob, and its least horizontal offset, as shares of the door's height and width."""
PANEL, FILLED = (0.35, 0.85), 0.93
"""The share of its box that the panel of a door takes, and how much of its own box it fills at least."""
GOLD, VIVID, LIGHT = (20, 32), 140, 150
"""The hues of gold and yellow (of 180), and how vivid and how light they are at least (of 255)."""


class Details(NamedTuple):
    """The details found inside a thing. ``gold``: whether most of it has the usual colour of keys."""

    eyes: bool = False
    knob: bool = False
    panel: bool = False
    gold: bool = False


NOTHING = Details()


def detailed(picture: Image, mask: Bools) -> Details:
    """The details of a thing whose pixels are ``mask``, shape ``(height, width)``, cut close as ``picture`` is."""
    height, width = mask.shape
    gold = _gold(picture, mask)
    if min(height, width) < LEAST:
        return Details(gold=gold)
    outline, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = cv2.drawContours(np.zeros(mask.shape, np.uint8), outline, -1, 1, cv2.FILLED)
    inside = cv2.erode(filled, np.ones((3, 3), np.uint8), borderValue=0)
    if min(height, width) >= OUTLINED:
        filled, inside = inside, cv2.erode(inside, np.ones((3, 3), np.uint8), borderValue=0)
    rim = filled > inside
    if not rim.any():
        return Details(gold=gold)
    outer = np.median(picture[rim], axis=0)
    away = largest_channel(np.abs(picture.astype(np.float64) - outer)) > OTHER
    count, _, stats, middles = cv2.connectedComponentsWithStats((away & (filled > 0)).astype(np.uint8), connectivity=4)
    spots = [(stats[n], middles[n] + 0.5) for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] > 1]
    small = [each for each in spots if each[0][cv2.CC_STAT_WIDTH] * each[0][cv2.CC_STAT_HEIGHT] <= SMALL * mask.size]
    if len(small) != len(spots):
        return Details(panel=len(spots) == 1 and _is_panel(spots[0][0], mask.size), gold=gold)
    eyes = knob = False
    upper = [each for each in small if each[1][1] <= EYES * height]  # below may be feet, or a mouth
    if len(upper) == 2:
        areas = [int(stat[cv2.CC_STAT_AREA]) for stat, _ in upper]
        (x0, y0), (x1, y1) = (middle for _, middle in upper)
        level = abs(y0 - y1) <= max(LEVEL * height, 1.0) and abs(x0 - x1) > 2 * abs(y0 - y1)
        eyes = level and min(areas) >= EVEN * max(areas)
    elif len(small) == 1:
        x, y = small[0][1]
        knob = KNOB[0] * height <= y <= KNOB[1] * height and abs(x - width / 2) >= ASIDE * width
    return Details(bool(eyes), bool(knob), False, gold)


def _is_panel(stat: np.ndarray[tuple[int], np.dtype[np.int32]], size: int) -> bool:
    """Whether a spot is most of a thing of ``size`` pixels, and straight on all sides."""
    box = int(stat[cv2.CC_STAT_WIDTH] * stat[cv2.CC_STAT_HEIGHT])
    return PANEL[0] * size <= box <= PANEL[1] * size and bool(stat[cv2.CC_STAT_AREA] >= FILLED * box)


def _gold(picture: Image, mask: Bools) -> bool:
    hue, vivid, light = cv2.split(cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2HSV))
    gold = (hue >= GOLD[0]) & (hue <= GOLD[1]) & (vivid >= VIVID) & (light >= LIGHT)
    return bool(gold[mask].mean() > 0.5)
