"""A level whose last move has been made, and how it ended. Nothing is observed or pressed here."""

from __future__ import annotations

import functools
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Generic

from autoplayer.core.frame import Box, Frame, around
from autoplayer.core.shade import before_the_shade
from autoplayer.games.base import P, S
from autoplayer.session.events import Sight, Status


class OtherBoardError(Exception):
    """The window shows another board than the one being played (``sight``): another level, or the same one with some of
    its moves taken back."""

    def __init__(self, sight: Sight[Any, Any]) -> None:
        super().__init__()
        self.sight = sight


class ResizedError(Exception):
    """The window's size has changed since its level was finished: ``sight`` is that level as it now stands."""

    def __init__(self, sight: Sight[Any, Any]) -> None:
        super().__init__()
        self.sight = sight


Drawn = tuple[Frame, Frame]
"""The pictures of a level at its beginning and when drawn."""

Ended = tuple[Status, Sight[P, S] | None, bool]
"""How a level ended, the next level's board if it was seen, and whether to go on."""


@dataclass(frozen=True)
class Ending(Generic[P, S]):
    """A level whose last move has been made. ``first``: the picture of its beginning; ``before``, ``after``: the
    pictures before and after the last move; ``complete``: whether the board was seen complete (it may have been
    replaced at once)."""

    board: Sight[P, S]
    first: Frame
    before: Frame
    after: Frame
    complete: bool

    @functools.cached_property
    def drawn(self) -> Drawn:
        """The pictures of the level's beginning, and of it drawn: the last one before anything could cover it. A board
        may be seen complete through the shade of a message."""
        clear = self.complete and before_the_shade(self.before.image, self.after.image, self.places) is None
        return self.first, self.after if clear else self.before

    @property
    def places(self) -> Collection[Box]:
        """The boxes of the board's cells."""
        return self.board.reading.places.values()

    @property
    def side(self) -> int:
        """The longest side of a cell, in pixels."""
        return max(max(box.width, box.height) for box in self.places)

    @property
    def around(self) -> Box:
        """The board with a small margin."""
        return around(self.places, self.side // 8)
