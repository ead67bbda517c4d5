"""What others would use to read islands: Tesseract in each circle, with the circles' places given or found by OpenCV's
Hough transform. Bridges they do not read."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Image
from bench.reading.rivals import HEIGHT, Gray, Reader, tesseract

INSIDE = 0.68
"""The side of the square that is looked at, as a share of the circle's diameter: a little less than the largest that
has no ring in it."""


def _inside(image: Image, x: float, y: float, radius: float) -> Gray:
    """The middle of a circle, dark on light, ``HEIGHT`` pixels high, black and white by Otsu's threshold."""
    half = INSIDE * radius
    box = Box(round(x - half), round(y - half), max(round(2 * half), 1), max(round(2 * half), 1))
    inner = box.crop(image)
    if not inner.size:
        return np.full((HEIGHT, HEIGHT), 255, np.uint8)
    gray = cv2.cvtColor(inner, cv2.COLOR_BGR2GRAY)
    gray = cv2.resize(gray, (HEIGHT, HEIGHT), interpolation=cv2.INTER_CUBIC)
    _, binary = cv2.threshold(gray, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    border = np.concatenate([binary[0], binary[-1], binary[:, 0], binary[:, -1]])
    if np.median(border) < 128:
        binary = 255 - binary
    return np.pad(binary, 16, constant_values=255).astype(np.uint8)


def _digit(image: Image, x: float, y: float, radius: float) -> str:
    config = "--psm 10 -c tessedit_char_whitelist=12345678"
    return str(tesseract().image_to_string(_inside(image, x, y, radius), config=config)).strip()


def given(image: Image, places: Mapping[Cell, Box]) -> dict[Cell, str]:
    """One call of Tesseract an island, whose circle is given."""
    return {cell: _digit(image, *box.centre, box.width / 2) for cell, box in places.items()}


def hough(image: Image, places: Mapping[Cell, Box]) -> dict[Cell, str]:
    """Circles by OpenCV's Hough transform, one call of Tesseract a circle. ``places`` only names what was found; a
    circle with a digit where no island is gets a negative number."""
    gray = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    most = min(gray.shape) // 8
    circles = cv2.HoughCircles(
        gray, cv2.HOUGH_GRADIENT, 1.2, 12, param1=100, param2=28, minRadius=5, maxRadius=max(most, 12)
    )
    read: dict[Cell, str] = {}
    for i, (x, y, radius) in enumerate(circles.reshape(-1, circles.shape[-1])[:, :3] if circles is not None else ()):
        digit = _digit(image, float(x), float(y), float(radius))
        spot = (round(float(x)), round(float(y)))
        cell = next((cell for cell, box in places.items() if box.contains(spot)), (-1, -1 - i))
        if digit:
            read[cell] = digit
    return read


RIVALS: Mapping[str, Reader] = {
    "circles given, Tesseract": given,
    "Hough circles, Tesseract": hough,
}
