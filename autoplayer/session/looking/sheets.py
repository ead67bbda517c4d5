"""Boxes of nearly the window's own colour that have appeared over the board: where one lies upon the ground, little has
changed but its rim."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image, Mask, largest_channel

RECTANGLE = 0.9
"""The least share of its bounding box that a box fills: corners may be round."""

GONE = 0.5
"""The largest correlation of a place with itself before, if what was drawn in it is covered: a number in another colour
keeps more."""

DRAWN = 10.0
"""The least deviation of grey levels in a place where something is drawn."""

ONE_COLOUR = 2
"""The largest difference of neighbouring pixels on a box, in grey levels of a channel."""

RIM, RIM_CHANGED, NEW_RIM = 5, 6, 0.3
"""The width in pixels of a box's rim; the least change of a channel there; and the least share of the rim that must
have changed so much. A panel that was there before has none."""


def sheet_over(drawn: Image, now: Image, places: Collection[Box], least: float) -> Mask | None:
    """Shape ``(height, width)``, 255 in the box of one colour that has appeared since ``drawn`` and hides ``places``
    wholly; None if there is none. ``least``: the least width and height of such a box in pixels."""
    filled = [box for box in places if has_sign(box, drawn)]
    gone = [box for box in filled if _is_gone(box, drawn, now)]
    seen = np.zeros(now.shape[:2], np.uint8)
    for box in gone:
        spot = _ground(box, now)
        if seen[spot[1], spot[0]]:
            continue
        sheet = _sheet(now, spot)
        seen |= sheet
        outlines = cv2.findContours(sheet, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
        outline = np.asarray(max(outlines, key=cv2.contourArea), np.int32)
        x, y, width, height = cv2.boundingRect(outline)
        if min(width, height) < least or cv2.contourArea(outline) < RECTANGLE * width * height:
            continue
        hidden = [box for box in filled if Box(x, y, width, height).contains(box.centre)]
        if all(box in gone for box in hidden) and _is_new(outline, drawn, now):
            return _filled(outline, sheet)
    return None


def _grey(box: Box, image: Image) -> Image:
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(box.crop(image)), cv2.COLOR_BGR2GRAY), np.uint8)


def has_sign(box: Box, image: Image) -> bool:
    """Whether something is drawn in a place."""
    return float(np.std(_grey(box, image))) >= DRAWN


def likeness(box: Box, drawn: Image, now: Image) -> float:
    """How far a place shows the same sign in both pictures, in whichever colours: their correlation without its sign,
    from 0 to 1; 0 where nothing is drawn there now."""
    if not has_sign(box, now):
        return 0.0
    return abs(float(cv2.matchTemplate(_grey(box, now), _grey(box, drawn), cv2.TM_CCOEFF_NORMED)[0, 0]))


def _is_gone(box: Box, drawn: Image, now: Image) -> bool:
    """Whether what was drawn in a place is no longer seen there, in whichever colours."""
    return likeness(box, drawn, now) <= GONE


def _ground(box: Box, image: Image) -> tuple[int, int]:
    """A pixel ``(x, y)`` of a place that has its commonest colour, coarsely quantised."""
    coarse = box.crop(image).astype(np.int32) // 16
    codes = (coarse[..., 0] * 256 + coarse[..., 1] * 16 + coarse[..., 2]).ravel()
    first = int((codes == np.bincount(codes).argmax()).argmax())
    return max(box.x, 0) + first % coarse.shape[1], max(box.y, 0) + first // coarse.shape[1]


def _sheet(image: Image, spot: tuple[int, int]) -> Mask:
    """Shape ``(height, width)``, 255 where a connected area of one colour around ``spot`` is."""
    height, width = image.shape[:2]
    mask = np.zeros((height + 2, width + 2), np.uint8)
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | (255 << 8)
    cv2.floodFill(image.copy(), mask, spot, 0, (ONE_COLOUR,) * 3, (ONE_COLOUR,) * 3, flags)
    return mask[1:-1, 1:-1]


def _is_new(outline: NDArray[np.int32], drawn: Image, now: Image) -> bool:
    rim = np.zeros(now.shape[:2], np.uint8)
    cv2.drawContours(rim, [outline], -1, 255, RIM)
    return float((largest_channel(cv2.absdiff(drawn, now)[rim > 0]) > RIM_CHANGED).mean()) >= NEW_RIM


def _filled(outline: NDArray[np.int32], sheet: Mask) -> Mask:
    return np.asarray(cv2.drawContours(np.zeros_like(sheet), [outline], -1, 255, cv2.FILLED), np.uint8)
