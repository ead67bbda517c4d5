"""What a game brings to the arcade: its rules of play, its painter, and the entry that joins them. No window, no pixels
read, no clock of its own."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from autoplayer.core.frame import Cell

if TYPE_CHECKING:
    import pygame

    from autoplayer.arcade.options import Options
    from autoplayer.arcade.stage import Stage
    from autoplayer.arcade.themes import Theme

LEFT, RIGHT = 1, 3
"""Buttons of the mouse, as pygame counts them."""

LEVELS = Path(__file__).parent / "levels"
"""Where the bundled level files stand."""


@dataclass(frozen=True)
class Happening:
    """One thing that a press, a move or a key has caused; it goes into the log as it is.

    ``event``: ``step``, ``retract``, ``illegal``, ``dropped``, ``cut``, ``cleared``, ``link``, … ``by``: what caused
    it, where that is not clear from the event.
    """

    event: str
    cell: Cell | None = None
    chain: int | None = None
    by: str | None = None
    to: Cell | None = None
    links: int | None = None
    """How many there are afterwards between ``cell`` and ``to``."""
    active: int | None = None
    """The number that stands first in ``cell`` afterwards."""

    def record(self) -> dict[str, Any]:
        """The keys of its log line, without those that say nothing."""
        data: dict[str, Any] = {}
        if self.cell is not None:
            data["cell"] = list(self.cell)
        if self.chain is not None:
            data["chain"] = self.chain
        if self.to is not None:
            data["to"] = list(self.to)
        if self.links is not None:
            data["links"] = self.links
        if self.active is not None:
            data["active"] = self.active
        if self.by is not None:
            data["by"] = self.by
        return data


@dataclass(frozen=True)
class Spot:
    """Where in a cell the pointer is pressed, from its middle in shares of the pitch (-0.5 to 0.5), and with which
    button."""

    right: float = 0.0
    down: float = 0.0
    button: int = LEFT


MIDDLE = Spot()


class Play(Protocol):
    """One board being played. Cells are ``(row, column)`` as shown; ``turn`` changes what is shown."""

    @property
    def rows(self) -> int: ...

    @property
    def columns(self) -> int: ...

    @property
    def won(self) -> bool: ...

    def text(self) -> str:
        """The puzzle as shown, without what was played, in the game's text format."""

    def holds(self, cell: Cell) -> bool:
        """Whether there is a cell (and no hole) at this place."""

    def press(self, cell: Cell, spot: Spot = MIDDLE) -> list[Happening]: ...

    def move(self, cell: Cell) -> list[Happening]:
        """The pointer, held down, has entered ``cell`` (which may be a hole)."""

    def release(self) -> list[Happening]: ...

    def key(self, key: str) -> list[Happening]:
        """One of ``up down left right tab space enter x``; a game knows some of them."""

    def reset(self) -> None: ...

    def turn(self, clockwise: bool) -> None:
        """Turn the board by 90 degrees with all that was played on it."""


class Painter(Protocol):
    """Draws one board. It may keep what it needs to animate; it never changes the play."""

    def paint(self, surface: pygame.Surface, stage: Stage, now: float, won_for: float | None) -> None:
        """Draw the board at time ``now`` (seconds). ``won_for``: seconds since it was won; None before."""

    def busy(self, now: float) -> float:
        """Frames a second that its animation needs; 0 where it stands still."""

    def settle(self) -> None:
        """End all animation: the board was turned or set back."""


@dataclass(frozen=True)
class ArcadeGame:
    """A game of the arcade, as the window loop sees it."""

    name: str
    title: str
    levels: Path
    parse: Callable[[str], Any]
    new_play: Callable[[Any, Callable[[], bool], Options], Play]
    """A fresh board of a puzzle; the second argument says, for each step of a drag, whether the window loses it."""
    new_painter: Callable[[Any, Theme, Options, bool], Painter]
    """A painter of a play; the last argument is whether the level shows a hint."""
    turns: bool
    """Whether a board wider than tall is turned in a portrait window."""
    add_options: Callable[[argparse.ArgumentParser], None]
    examples: str
    controls: tuple[str, ...] = ("mouse", "keys")
    """Ways to play it, the usual one first; ``keys`` is the keyboard, all others are the mouse."""
    looks: tuple[str, ...] = ("walls", "tiles")
    """How its cells can look, the usual look first."""
    glyphs: tuple[str, ...] = ("segments", "font", "pixel", "symbols")
    """How its digits can look, the usual way first."""
    buttons: tuple[int, ...] = (LEFT,)
    """The buttons of the mouse that it takes notice of."""
