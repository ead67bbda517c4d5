"""A level whose last move is made, and how it ended. Nothing is looked at or pressed here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Generic

from autoplayer.core.frame import Box, Frame, around
from autoplayer.games.base import P, S
from autoplayer.session.events import Sight, Status

Drawn = tuple[Frame, Frame]
"""The pictures of a level's beginning, and drawn."""

Ended = tuple[Status, Sight[P, S] | None, bool]
"""How a level ended, the next level's board where it was met, and whether to go on."""


@dataclass(frozen=True)
class Ending(Generic[P, S]):
    """A level whose last move is made. ``first``: the picture of its beginning; ``before``, ``after``: those around the
    last move; ``complete``: whether the board was seen complete (it may have been celebrated away at once)."""

    board: Sight[P, S]
    first: Frame
    before: Frame
    after: Frame
    complete: bool

    @property
    def drawn(self) -> Drawn:
        """The pictures of the level's beginning, and drawn: the last one before anything could cover it."""
        return self.first, self.after if self.complete else self.before

    @property
    def places(self) -> Collection[Box]:
        """The places of the board's cells."""
        return self.board.reading.places.values()

    @property
    def side(self) -> int:
        """The longest side of a cell, in pixels."""
        return max(max(box.width, box.height) for box in self.places)

    @property
    def around(self) -> Box:
        """The board with a little of what is around it."""
        return around(self.places, self.side // 8)
