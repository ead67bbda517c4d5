"""Draws title screens and lists of levels for tests."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image

Colour = tuple[int, int, int]
DONE, OPEN, LOCKED = (120, 190, 110), (60, 160, 240), (170, 170, 170)


def write(picture: Image, text: str, at: tuple[int, int], size: float = 0.7, colour: Colour = (30, 30, 30)) -> None:
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    cv2.putText(
        picture, text, (at[0] - wide // 2, at[1] + high // 2), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 2, cv2.LINE_AA
    )


def button(picture: Image, text: str, box: Box, colour: Colour = (200, 130, 60)) -> None:
    cv2.rectangle(picture, (box.x, box.y), (box.x + box.width - 1, box.y + box.height - 1), colour, -1)
    write(picture, text, box.centre)


def column(texts: Sequence[str], colours: Sequence[Colour] = (), ground: Colour = (240, 240, 240)) -> Image:
    """A title above a column of buttons."""
    picture = np.full((480, 640, 3), ground, np.uint8)
    write(picture, "Chains", (320, 90), 2.0)
    for k, text in enumerate(texts):
        colour = colours[k] if colours else (200, 130, 60)
        button(picture, text, Box(230, 180 + 60 * k, 180, 44), colour)
    return picture


def table(colours: Sequence[Colour], texts: Sequence[str] | None = None, across: int = 4, side: int = 56) -> Image:
    """A list of levels, a box each."""
    picture = np.full((480, 640, 3), 235, np.uint8)
    write(picture, "Choose a level", (320, 50))
    for k, colour in enumerate(colours):
        box = Box(120 + (side + 14) * (k % across), 100 + (side + 14) * (k // across), side, side)
        button(picture, texts[k] if texts else str(k + 1), box, colour)
    return picture
