"""Reads a small picture file that may come from a stranger: its size is checked before it is decompressed."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from autoplayer.core.errors import LayoutError, cause
from autoplayer.core.frame import Image

LARGEST = 1024
"""Pixels a side; a larger picture is neither a glyph nor an area of a window."""


def load(path: Path, what: str) -> Image:
    """The PNG picture in a file. ``what`` names the expected content in error messages. Raises LayoutError where the
    file is no picture or too large."""
    wanted = f"{path}: expected a picture (PNG) of {what}, at most {LARGEST} pixels a side"
    try:
        data = path.read_bytes() if path.is_file() and path.stat().st_size <= 4 * LARGEST**2 else b""
    except OSError as error:
        raise LayoutError(f"{wanted}, but it cannot be read: {cause(error)}") from error
    return decode(data, wanted)


def decode(data: bytes, wanted: str) -> Image:
    """The picture in the bytes of a PNG file. Raises LayoutError with the message ``wanted`` where there is none."""
    sides = [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)]
    if data[:8] != b"\x89PNG\r\n\x1a\n" or not min(sides) > 0 or max(sides) > LARGEST:
        raise LayoutError(wanted)
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise LayoutError(f"{wanted}, but it is damaged")
    return np.asarray(picture, np.uint8)
