"""Hashi: windows in which a second gesture takes a link away, and something else makes a bridge double. Some of their
clicks are lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from autoplayer.core.frame import Cell
from autoplayer.core.gestures import Click, Gesture, Pace
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, check
from tests.hashi.test_player import Window, session

PUZZLE = GAME.generate(5, 5, 10)
"""Five of its bridges are double, and four single."""


@dataclass
class TogglingWindow(Window):
    """Clicks on two islands, or one beside an island if ``controls`` are ``side``, build a single bridge or take it
    away. A click upon one, or one with the right button, makes it double or single. Every ``lost``-th click has no
    effect, nor has any in the ``busy`` seconds after one that had."""

    lost: int = 0
    busy: float = 0.0
    clicks: int = 0
    until: float = 0.0

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            self.gestures.append(gesture)
            if isinstance(gesture, Click):
                self.clicks += 1
                if self.clock >= self.until and not (self.lost and self.clicks % self.lost == 0):
                    self._click(gesture)
            self.clock += pace.press + pace.step + pace.release

    def _click(self, click: Click) -> None:
        cell, spot = self._spot(click.at)
        upon = self.islands._aimed(cell, spot)
        if self.controls == "side":
            self._change(upon, click.button == "right")
        elif cell not in self.puzzle.islands:
            self._change(upon if upon is not None and self.islands.links[upon] else None, True)
        elif not self.locked:
            self.locked = {cell}
        else:
            (first,) = self.locked
            self.locked = set()
            self._change(self._between(first, cell), False)

    def _between(self, a: Cell, b: Cell) -> int | None:
        bridge = Bridge(min(a, b), max(a, b))
        return self.puzzle.bridges.index(bridge) if bridge in self.puzzle.bridges else None

    def _change(self, k: int | None, doubles: bool) -> None:
        if k is None or any(self.islands.links[other] for other in self.puzzle.crossings[k]):
            return
        stands = self.islands.links[k]
        self.islands.links[k] = (1 if stands == 2 else 2) if doubles else int(not stands)
        self.until = self.clock + self.busy


@pytest.mark.parametrize(
    ("controls", "lost", "busy"), [("pair", 0, 0.0), ("pair", 7, 0.3), ("side", 7, 0.0), ("side", 7, 0.3)]
)
def test_what_doubles_bridges_is_found_though_a_second_gesture_takes_them_away(
    controls: str, lost: int, busy: float
) -> None:
    """Incident: each double bridge was built and taken away again until the level was given up, as soon as a click had
    been lost; and by pairs of clicks in any case."""
    window = TogglingWindow(PUZZLE, controls, lost=lost, busy=busy)
    status, error, learned = session(window)
    assert (status, error, learned.controls) == ("played", None, controls)
    assert check(PUZZLE, window.islands.solution) == []
