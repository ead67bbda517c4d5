"""What every game's drawing of a puzzle minds: that the picture finds room."""

from __future__ import annotations

from autoplayer.core.errors import UsageError

MOST_PIXELS = 100_000_000
"""Of a picture while it is drawn, larger than it will be; each takes four bytes, and half as much again at the end."""


def check_canvas(width: int, height: int) -> None:
    """Raises UsageError where a puzzle is too large for a picture of so many pixels."""
    if width * height > MOST_PIXELS:
        raise UsageError(
            f"this puzzle is too large to be drawn: expected at most {MOST_PIXELS // 1_000_000} megapixels, but its "
            f"picture would have {width * height // 1_000_000}"
        )
