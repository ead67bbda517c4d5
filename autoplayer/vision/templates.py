"""A layout's own glyphs: pictures of them, each named by what it says. A voter that knows the window's very font.

A file ``TOKEN.png`` or ``TOKEN-2.png`` holds one glyph, dark on light or light on dark, with nothing else in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from autoplayer.core.errors import LayoutError, NotFoundError
from autoplayer.core.frame import Box, Floats
from autoplayer.vision import ink

SIDE = 24
"""Pixels to which glyphs are brought before they are compared."""

ALIKE = 0.86
"""Correlation above which a glyph is the template's: at two thirds of the size the same glyph has 0.88 to 0.96."""

APART = 0.05
"""By how much the next token's likeness must be smaller: a 6 and an 8 of seven segments are nearly alike."""

LARGEST = 1024
"""Pixels a side: a larger file is no glyph."""


@dataclass(frozen=True)
class Template:
    """What a glyph says, its unit vector, and its width as a share of its height."""

    token: str
    vector: Floats
    aspect: float


def load(folder: Path) -> list[Template]:
    """The templates in ``folder``. Raises NotFoundError where there is no such folder, LayoutError with the file
    where one is no picture of a glyph."""
    if not folder.is_dir():
        raise NotFoundError(f"the layout's templates are not there: {folder} is no folder")
    templates = []
    for path in sorted(folder.glob("*.png")):
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None or max(picture.shape[:2]) > LARGEST:
            raise LayoutError(f"{path}: expected a picture of one glyph, at most {LARGEST} pixels a side")
        image = np.pad(np.asarray(picture, np.uint8), ((8, 8), (8, 8), (0, 0)), mode="edge")
        seen = ink.content(image, Box(0, 0, image.shape[1], image.shape[0]))
        if seen.bare:
            raise LayoutError(f"{path}: expected a picture of one glyph, but nothing stands in it")
        templates.append(Template(path.stem.split("-")[0], _vector(seen.ink), seen.ink.shape[1] / seen.ink.shape[0]))
    return templates


def match(glyph: Floats, templates: Sequence[Template]) -> str | None:
    """The token of the template that looks like ``glyph`` (ink, shape ``(h, w)``); None where none does."""
    if not glyph.size:
        return None
    vector, aspect = _vector(glyph), glyph.shape[1] / glyph.shape[0]
    likeness = [
        (float(vector @ one.vector), one.token)
        for one in templates
        if abs(one.aspect - aspect) < 0.25 * max(aspect, 0.4)
    ]
    best, token = max(likeness, default=(0.0, ""))
    other = max((value for value, name in likeness if name != token), default=0.0)
    return token if best > ALIKE and best - other > APART else None


def _vector(glyph: Floats) -> Floats:
    small = cv2.resize(np.asarray(glyph, np.float32), (SIDE, SIDE), interpolation=cv2.INTER_AREA).ravel()
    small = small - small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-6), np.float32)
