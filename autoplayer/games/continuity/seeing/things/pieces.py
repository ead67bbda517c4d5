"""A small object in the air of a tile, before its role is known: its position, its pixels, and its features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.things.details import NOTHING, Details
from autoplayer.games.continuity.seeing.things.outlines import Outline, outlined

SOFT_FROM, ALL = 8, 0.98
"""Things at least so many pixels across are examined without their rim; and the share that a thing that fills all of
its box fills then."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A thing before it is known what: its tile, box and pixels there. ``colour``: its mean one. ``faint``: whether it
    may be none, or a part of one: it stands out from the air far less than others, is a sliver, or is in every room.
    ``details``: what is drawn inside it."""

    tile: int
    x: int
    y: int
    mask: Bools
    colour: NDArray[np.float64]
    grounded: bool
    faint: bool = False
    details: Details = NOTHING

    @property
    def width(self) -> int:
        return int(self.mask.shape[1])

    @property
    def height(self) -> int:
        return int(self.mask.shape[0])

    @property
    def box(self) -> Box:
        return Box(self.x, self.y, self.width, self.height)

    @property
    def area(self) -> int:
        return self.width * self.height

    @cached_property
    def full(self) -> float:
        """The share of its box that it fills, including its holes; 1 if only its soft edges are missing."""
        outline, _ = cv2.findContours(self.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        drawn = cv2.drawContours(np.zeros(self.mask.shape, np.uint8), outline, -1, 1, cv2.FILLED)
        inner = drawn[1:-1, 1:-1] if min(drawn.shape) >= SOFT_FROM else drawn
        return 1.0 if inner.mean() >= ALL else float(drawn.mean())

    @cached_property
    def outline(self) -> Outline:
        return outlined(self.mask)
