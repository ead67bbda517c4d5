"""Shared by the drawings of all games. They imitate no particular window: they are for people. Each is drawn with
Pillow at a larger size and scaled down, so that lines and digits are smooth; Pillow's built-in font needs no file on
the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Image

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

Colour = tuple[int, int, int]
"""RGB; the finished picture is BGR like all others."""

PAPER: Colour = (255, 255, 255)
INK: Colour = (24, 24, 24)

MOST_PIXELS = 100_000_000
"""The most pixels of a picture while it is drawn at the larger size; each takes four bytes, and half as much again at
the end."""
GOOD_SIDE = 960
"""The preferred length of a board's longer side, in pixels: it fits a screen and a page."""


def fitting_pitch(cells: int, smallest: int, largest: int) -> int:
    """The pitch in pixels at which a board with ``cells`` along its longer side comes close to ``GOOD_SIDE``."""
    return max(smallest, min(largest, GOOD_SIDE // cells))


def sheet(width: int, height: int, ground: Colour = PAPER) -> tuple[Picture, ImageDraw]:
    """A blank picture of ``width`` x ``height`` pixels, and a pen that draws on it. Raises UsageError where a puzzle is
    too large for a picture."""
    from PIL import Image as Pictures
    from PIL import ImageDraw as Drawing

    if width * height > MOST_PIXELS:
        raise UsageError(
            f"this puzzle is too large to be drawn: expected at most {MOST_PIXELS // 1_000_000} megapixels, but its "
            f"picture would have {width * height // 1_000_000}"
        )
    picture = Pictures.new("RGB", (width, height), ground)
    return picture, Drawing.Draw(picture)


def shrunk(picture: Picture, times: int) -> Image:
    """``picture`` at 1/``times`` of its size. Shape ``(height, width, 3)``, BGR."""
    from PIL import Image as Pictures

    small = picture.resize((picture.width // times, picture.height // times), Pictures.Resampling.LANCZOS)
    return cast(Image, np.ascontiguousarray(np.asarray(small)[:, :, ::-1]))


def font(size: int) -> FreeTypeFont:
    """The built-in font at ``size`` pixels."""
    from PIL import ImageFont

    return cast("FreeTypeFont", ImageFont.load_default(size))


def fitting_font(pen: ImageDraw, text: str, size: int, room: float) -> FreeTypeFont:
    """The built-in font at ``size`` pixels, or smaller where ``text`` would be wider than ``room``."""
    wide = pen.textlength(text, font=font(size))
    return font(size) if wide <= room else font(max(1, int(size * room / wide)))
