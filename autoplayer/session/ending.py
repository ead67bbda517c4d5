"""A level whose last move is made, and how it ended. Nothing is looked at or pressed here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Generic

from autoplayer.core.frame import Box, Frame, around
from autoplayer.games.base import P, S
from autoplayer.session.events import Sight, Status


class OtherBoardError(Exception):
    """Another board stands there than the one that is being played: ``sight``. It is another level, or this one once
    more, with some of its moves taken back."""

    def __init__(self, sight: Sight[Any, Any]) -> None:
        super().__init__()
        self.sight = sight


class ResizedError(Exception):
    """The window has taken another size since its level was done: ``sight`` is that level, as it stands there now."""

    def __init__(self, sight: Sight[Any, Any]) -> None:
        super().__init__()
        self.sight = sight


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
