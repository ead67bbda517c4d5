"""What a typeface of the strange windows is: something that draws glyphs of a height. Nothing here knows where it comes
from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Coverage = NDArray[np.uint8]
"""Shape ``(height, width)``: 0 where nothing of the glyph is, 255 where it covers the pixel."""

TOKENS = "0123456789X"


@dataclass(frozen=True)
class Glyph:
    """``coverage`` is cropped to the ink; ``dx, dy`` is how far the ink's centre lies right of and below the middle of
    the line that a window would centre (pixels)."""

    coverage: Coverage
    dx: float
    dy: float


class Face(Protocol):
    """One typeface in one style. ``kind``: ``installed``, ``old-style``, ``segment``, ``pixel``, ``stroke``. ``least``:
    the height in pixels under which a person would not read it."""

    @property
    def family(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def least(self) -> int: ...

    def __hash__(self) -> int: ...

    def glyph(self, text: str, height: float, smooth: bool = True) -> Glyph:
        """``text`` (digits and X) so large that an 8 is ``height`` pixels high; no grey edges if not ``smooth``."""


def crop(coverage: Coverage) -> tuple[Coverage, int, int]:
    """The part that holds ink, and the x and y where it begins; one empty pixel where there is no ink."""
    ys, xs = np.flatnonzero(coverage.any(1)), np.flatnonzero(coverage.any(0))
    if not len(ys):
        return coverage[:1, :1], 0, 0
    return coverage[ys[0] : ys[-1] + 1, xs[0] : xs[-1] + 1], int(xs[0]), int(ys[0])
