"""Separates the characters of a text screen's board: in a terminal they stand in narrow places, with a space between or
none, so the neighbours of a character would disturb its reading. Knows no digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cardinal_chains.seeing.text.screens import APART, Cutting
from autoplayer.vision import lattice

POINT = 0.45
"""Of a capital letter's height: what is lower is a point or a dash, which stands for a hole."""

ROOM = 2.4
"""The size of each character's own place, as a multiple of the width and height of the largest character."""

EASY = 16.0
"""Pixels: capital letters lower than this are enlarged twice."""

NARROWER, WIDER, TRIED = 0.85, 1.2, 141
"""The distance between columns, as shares of the smallest distance seen, and how many values are tried: characters
differ in width, and few are exactly in the middle of their places."""

OFF = 0.3
"""The largest distance of a character's middle from its column, as a share of the distance between columns."""


WHOLE = 0.06
"""The tolerance in pixels for columns to be a whole number of pixels apart, as a terminal's are: then all characters
have the same position in their columns."""


@dataclass(frozen=True)
class SetApart:
    """``image``: the characters in places of ``side`` pixels; ``boxes``: the box of each in the cutting."""

    image: Image
    rows: int
    columns: int
    side: int
    boxes: dict[Cell, Box]
    first: tuple[float, float]
    """The middle ``(x, y)`` of place ``(0, 0)`` in the cutting, pixels."""
    pitch: tuple[float, float]
    """How far the columns are apart there, and the rows, pixels."""

    def cell(self, at: tuple[int, int]) -> Cell:
        """The place ``(row, column)`` in which the point ``(x, y)`` of the image lies."""
        return at[1] // self.side, at[0] // self.side

    def place(self, cell: Cell) -> Box:
        """The place of a cell in the cutting."""
        left, top = (round(at - pitch / 2) for at, pitch in zip(self.first, self.pitch, strict=True))
        across, down = self.pitch
        return Box(left + round(cell[1] * across), top + round(cell[0] * down), round(across), round(down))


def set_apart(cut: Cutting, *, close: bool = False) -> SetApart | None:
    """The characters of a ``cut`` in a picture of their own, in equal places; those side by side are one number, or
    with ``close`` one cell each. None if they stand in no columns, or if there are none."""
    tokens = [_tokens(boxes, cut.height, close) for boxes in cut.lines]
    tokens = [line[line[:, 3] > POINT * cut.height] for line in tokens]
    if not any(map(len, tokens)):
        return None  # nothing but points and dashes
    bases = np.array([float(np.median(boxes[:, 1] + boxes[:, 3])) for boxes in cut.lines])
    rows = np.rint((bases - bases[0]) / cut.step).astype(int)
    middles = [line[:, 0] + line[:, 2] / 2 for line in tokens]
    columns = _columns(middles, cut.height)
    if columns is None:
        return None
    spots, left, across = columns
    boxes = {
        (int(row), int(column)): Box(*box)
        for row, line, places in zip(rows, tokens, spots, strict=True)
        for column, box in zip(places.tolist(), line.tolist(), strict=True)
    }
    if len(boxes) < sum(map(len, tokens)):
        return None
    scale = 2 if cut.height < EASY else 1
    side = round(scale * ROOM * max(max(box.width, box.height) for box in boxes.values()))
    height, width = 1 + max(r for r, _ in boxes), 1 + max(c for _, c in boxes)
    image = np.empty((height * side, width * side, 3), np.uint8)
    image[:] = np.rint(cut.ground).astype(np.uint8)
    soft = 0 if close else 1  # pixels around a character that are hardly drawn
    for (r, c), box in boxes.items():
        patch = Box(box.x - soft, box.y - 1, box.width + 2 * soft, box.height + 2).crop(cut.image)
        patch = cv2.resize(patch, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        y, x = r * side + (side - patch.shape[0]) // 2, c * side + (side - patch.shape[1]) // 2
        image[y : y + patch.shape[0], x : x + patch.shape[1]] = patch
    if abs(across - round(across)) < WHOLE:
        across = round(across)
    top = cut.foot + cut.shift[1] - rows[-1] * cut.step - cut.height / 2
    return SetApart(image, height, width, side, boxes, (left, top), (across, cut.step))


def _tokens(boxes: NDArray[np.int32], height: float, close: bool) -> NDArray[np.int32]:
    """The boxes of the contents of each cell, from left to right: adjacent characters together, unless ``close`` is
    set."""
    tokens: list[list[int]] = []
    for x, y, w, h in boxes.tolist():
        last = tokens[-1] if tokens else None
        if last is not None and not close and x + w / 2 - (last[4] + last[5] / 2) < APART * height:
            right = max(last[0] + last[2], x + w)
            top, bottom = min(last[1], y), max(last[1] + last[3], y + h)
            last[:] = [last[0], top, right - last[0], bottom - top, x, w]
        else:
            tokens.append([x, y, w, h, x, w])
    return np.array(tokens, np.int32).reshape(-1, 6)[:, :4]


def _columns(middles: Sequence[Floats], height: float) -> tuple[list[NDArray[np.int_]], float, float] | None:
    """The column of each of the ``middles`` of a line's characters, pixels, line by line, the middle of the first
    column, and the distance between columns; None if no columns fit."""
    along = np.concatenate(middles)
    nearest = min((float(b - a) for line in middles for a, b in pairwise(line)), default=ROOM * height)
    if nearest <= 0:
        return None  # one stands upon the other
    pitches = np.linspace(NARROWER, WIDER, TRIED) * nearest
    turns = np.exp(2j * np.pi * along[None] / pitches[:, None]).mean(axis=1)
    pitch = float(pitches[np.abs(turns).argmax()])
    first = float(along.min())
    for _ in range(2):
        spots = np.rint((along - first) / pitch).astype(int)
        first, pitch = lattice.line(spots, along, pitch)
    spots = np.rint((along - first) / pitch).astype(int)
    if float(np.abs(along - first - pitch * spots).max()) > OFF * pitch:
        return None
    ends = np.cumsum([len(line) for line in middles])[:-1]
    return np.split(spots - spots.min(), ends), first + float(spots.min()) * pitch, pitch
