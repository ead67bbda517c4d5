"""A picture of a window, and the boxes in it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""Shape ``(height, width, 3)``, BGR, 0 to 255. Every picture inside the program is one of these."""

Mask = NDArray[np.uint8]
"""Shape ``(height, width)``, 0 or 255."""

Floats = NDArray[np.floating[Any]]
Level = TypeVar("Level", bound=np.number[Any])

Cell = tuple[int, int]
"""``(row, column)`` in a puzzle, from 0 at the top left."""

Point = tuple[int, int]
"""``(x, y)`` in window pixels, from 0 at the top left of the client area."""

Json = Any
"""Whatever ``json.dumps`` takes."""


@dataclass(frozen=True)
class Box:
    """A rectangle in window pixels: left, top, width, height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self) -> Point:
        return self.x + self.width // 2, self.y + self.height // 2

    def contains(self, point: Point) -> bool:
        return self.x <= point[0] < self.x + self.width and self.y <= point[1] < self.y + self.height

    def crop(self, image: NDArray[Any]) -> NDArray[Any]:
        """The part of ``image`` inside the box, cut off at the picture's edges."""
        return image[max(self.y, 0) : max(self.y + self.height, 0), max(self.x, 0) : max(self.x + self.width, 0)]


def around(boxes: Collection[Box], margin: int = 0) -> Box:
    """The smallest box around ``boxes``, at least one, and ``margin`` pixels more on each side."""
    left, top = min(box.x for box in boxes) - margin, min(box.y for box in boxes) - margin
    right = max(box.x + box.width for box in boxes) + margin
    bottom = max(box.y + box.height for box in boxes) + margin
    return Box(left, top, right - left, bottom - top)


def largest_channel(channels: NDArray[Level]) -> NDArray[Level]:
    """The largest of the three channels of each pixel: shape ``(..., 3)`` in, ``(...)`` out. NumPy's own ``max`` along
    so short an axis takes twenty times as long."""
    found: NDArray[Level] = np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2])
    return found


def unlike(one: Floats, other: Floats) -> float:
    """The largest difference between two colours in a channel, shape ``(3,)`` each; a fraction of the time that NumPy's
    functions take for so few numbers."""
    apart: list[float] = (one - other).tolist()
    return max(map(abs, apart))


@dataclass(frozen=True)
class Frame:
    """What a window showed: ``image``, where its client area stood on the screen (``x, y``), and when (seconds)."""

    image: Image
    origin: Point
    time: float

    @property
    def size(self) -> tuple[int, int]:
        """``(width, height)`` in pixels."""
        return self.image.shape[1], self.image.shape[0]
