"""From raw mouse input to the presses, moves and releases that a window takes notice of; here live the roughnesses.

Pure: time and positions come in, actions go out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from autoplayer.arcade.play import LEFT
from autoplayer.core.frame import Point

INSTANT = 0.1
"""Seconds; a shorter press is lost by a window that loses instant clicks (seen in a web build of the game)."""


@dataclass(frozen=True)
class Action:
    """What the pointer did, and where."""

    kind: Literal["press", "move", "release", "lost"]
    at: Point
    button: int = LEFT


@dataclass
class Sampler:
    """Looks at the pointer once a frame: what happens between two frames never happened."""

    _down: bool = False
    _at: Point | None = None

    def sample(self, at: Point, down: bool, button: int = LEFT) -> list[Action]:
        """The actions that follow from the pointer's state now; ``button`` is the one that is down."""
        actions: list[Action] = []
        if down and not self._down:
            actions.append(Action("press", at, button))
        elif self._down and not down:
            if at != self._at:
                actions.append(Action("move", at))
            actions.append(Action("release", at))
        elif down and at != self._at:
            actions.append(Action("move", at))
        self._down, self._at = down, at
        return actions


@dataclass
class InstantFilter:
    """Holds a press back until it has lasted; one that ends sooner is lost with all its moves."""

    _since: float | None = None
    _held: list[Action] = field(default_factory=list)

    def feed(self, action: Action, now: float) -> list[Action]:
        """What may pass at time ``now`` (seconds), given one more action."""
        if action.kind == "press":
            self._since, self._held = now, [action]
            return []
        passed = self.tick(now)
        if self._since is None:
            return [*passed, action]
        if action.kind == "move":
            self._held.append(action)
            return passed
        lost, self._since, self._held = self._held[0], None, []
        return [*passed, Action("lost", lost.at)]

    def tick(self, now: float) -> list[Action]:
        """What may pass because enough time has gone by."""
        if self._since is None or now < self._since + INSTANT:
            return []
        passed, self._since, self._held = self._held, None, []
        return passed

    @property
    def deadline(self) -> float | None:
        """When ``tick`` is due; None where nothing waits."""
        return None if self._since is None else self._since + INSTANT


@dataclass
class Dropper:
    """Says yes to every ``every``-th question; 0: never."""

    every: int
    _count: int = 0

    def __call__(self) -> bool:
        self._count += 1
        return self.every > 0 and self._count % self.every == 0
