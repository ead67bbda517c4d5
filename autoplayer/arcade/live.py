"""What a game that goes on by itself brings to the arcade, beside what every game brings (``play.py``)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from autoplayer.arcade.play import ArcadeGame, Painter, Play

if TYPE_CHECKING:
    import pygame

    from autoplayer.arcade.stage import Stage

STEPS_A_SECOND = 60
STEP = 1 / STEPS_A_SECOND
"""Seconds by which a live game advances at once, whatever the window's frame rate."""


class Event(NamedTuple):
    """What a step or a press has caused, as it goes into the log."""

    event: str
    data: dict[str, Any]


class LivePlay(Play, Protocol):
    """A game in progress. Keys are ``up down left right space``."""

    def step(self, held: Collection[str]) -> Sequence[Event]:
        """Advance by one step with these keys held."""

    def tap(self, key: str) -> Sequence[Event]:
        """A key has gone down."""


class LivePainter(Painter, Protocol):
    """Draws a game in progress."""

    def caption(self, surface: pygame.Surface, stage: Stage, level: str) -> None:
        """Write the level's number and name, and how the game stands."""

    def geometry(self, stage: Stage) -> dict[str, Any]:
        """Where everything stands in a window, for the log."""

    def frame(self, stage: Stage) -> dict[str, Any]:
        """What is shown at this moment, for the log."""


@dataclass(frozen=True)
class LiveGame(ArcadeGame):
    """A game whose board moves while nobody touches it: ``new_play`` makes a ``LivePlay``, ``new_painter`` a
    ``LivePainter``, and ``live_window.py`` runs them."""
