"""Pixels to a level. Continuity's windows are not read yet; every picture is refused with that sentence."""

from __future__ import annotations

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games.base import Reading
from autoplayer.games.continuity.puzzle import Puzzle
from autoplayer.layout import Layout


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """Raises UnreadableError: Continuity's windows are not read yet."""
    raise UnreadableError("Continuity's windows are not read yet")
