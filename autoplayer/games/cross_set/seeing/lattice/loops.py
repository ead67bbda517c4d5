"""Handles cells of Cross Set in which a thin box or circle around the active number touches the next number. Returns
the picture without these lines, and with the numbers in them in a colour of their own, so that the usual code reads
these cells too. Knows no digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Image, largest_channel
from autoplayer.games.cross_set.seeing.lattice.remembered import remembered
from autoplayer.games.cross_set.seeing.lattice.underlines import OWN_TONE
from autoplayer.vision import ink

INKED, EDGE = 30.0, 2
"""The least difference in grey levels between a line and the cell's ground; and pixels: how far its soft edge reaches,
which is paler."""

LEAST = 0.4
"""The least height of what stands in a loop, as a share of the loop's."""

THIN = 0.2
"""How thick a line is at most, as a share of its loop's height."""

OPEN = 0.6
"""The least share of a line's outer edge at which there is ground."""

SEEN = 0.9
"""The least share of the cells in which there is one loop alone."""


@dataclass(frozen=True)
class _Loop:
    """A line around something. ``inside``: what it encloses; ``line``: its pixels; both with the shape of the cell.
    ``touches``: whether more than the line hangs together with it."""

    inside: NDArray[np.bool_]
    line: NDArray[np.bool_]
    touches: bool


def without_loops(image: Image, boxes: Mapping[Cell, Box], noise: float) -> Image | None:
    """``image`` (BGR) without the lines around one number of each cell, and with that number in another colour; None if
    most cells have none or several, or no line touches anything. ``boxes``: the inside of each cell, window pixels."""
    every = {cell: _loops(image, box, noise) for cell, box in boxes.items()}
    found = {cell: loops[0] for cell, loops in every.items() if len(loops) == 1}
    if len(found) < SEEN * len(boxes) or not any(loop.touches for loop in found.values()):
        return None
    result = image.copy()
    for cell, loop in found.items():
        _erased(result, boxes[cell], loop)
    return result


@remembered
def _loops(image: Image, box: Box, noise: float) -> list[_Loop]:
    """The lines around something in a cell."""
    patch = np.asarray(box.crop(image), np.float32)
    if patch.shape[:2] != (box.height, box.width):
        return []
    away = largest_channel(np.abs(patch - ink.ground_colour(box.crop(image))))
    inked = away > INKED + 3 * noise
    _, parts = cv2.connectedComponents(np.asarray(inked, np.uint8), connectivity=8)
    return list(_around_something(np.asarray(parts, np.int32)))


def _around_something(parts: NDArray[np.int32]) -> Iterator[_Loop]:
    """The loops of a cell with these connected ``parts``, 0 for the ground."""
    height, width = parts.shape
    count, free, stats, _ = cv2.connectedComponentsWithStats(np.asarray(parts == 0, np.uint8), connectivity=4)
    for k in range(1, count):
        x, y, wide, high = (int(v) for v in stats[k, :4])
        if x == 0 or y == 0 or x + wide == width or y + high == height:
            continue  # the ground around everything
        own = np.asarray(free == k, np.uint8)
        outlines, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        inside = cv2.drawContours(np.zeros_like(own), outlines, -1, 1, cv2.FILLED) > 0
        rows = np.flatnonzero((inside & (parts > 0)).any(axis=1))
        if not len(rows) or np.ptp(rows) + 1 < LEAST * high:
            continue
        thick = _thickness(inside, parts > 0, round(THIN * high))
        if thick is None:
            continue
        line = _grown(inside, thick) & ~inside & (parts > 0)
        of_it = np.isin(parts, np.unique(parts[line])) & ~_grown(inside, thick + 1)
        yield _Loop(inside, line, bool(of_it.any()))


def _thickness(inside: NDArray[np.bool_], inked: NDArray[np.bool_], most: int) -> int | None:
    """How thick the line around an area is, pixels; None if it is no thin line."""
    before = inside
    for thick in range(most + 2):
        grown = _grown(inside, thick + 1)
        ring = grown & ~before
        if thick and ring.any() and float((~inked[ring]).mean()) >= OPEN:
            return thick
        before = grown
    return None


def _grown(area: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    near = np.ones((3, 3), np.uint8)
    return cv2.dilate(np.asarray(area, np.uint8), near, iterations=by) > 0 if by else area


def _erased(image: Image, box: Box, loop: _Loop) -> None:
    """Erases the line in a cell of ``image``; what stands in it gets a colour of its own."""
    spot = box.crop(image)
    ground = ink.ground_colour(spot)
    away = largest_channel(np.abs(spot - ground))
    spot[loop.line | (_grown(loop.line, EDGE) & (away <= INKED))] = np.rint(ground)
    tone = ground + np.where(ground > 127, -OWN_TONE, OWN_TONE) * np.array((1, 1, 0))
    number = spot[loop.inside]
    away = largest_channel(np.abs(number - ground))
    share = (away / max(float(away.max()), 1.0))[:, None]
    spot[loop.inside] = np.rint(ground + share * (tone.clip(0, 255) - ground))
