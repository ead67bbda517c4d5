"""Windows whose figure goes a step for each press of a key, however long that is held: what is held to walk is pressed
again and again there, so that it walks as evenly as in other windows, without the pause before a key repeats itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autoplayer.core.frame import Frame
from autoplayer.core.gestures import Gesture, Hold, Pace
from autoplayer.games.base import Steerable

AS_REPEATED = 1 / 30
"""Seconds between two presses: as between those of a key that repeats itself, which such windows are made for."""


class Stepping:
    """``window``, in which each of ``keys`` is pressed every so many ``seconds`` while it is held."""

    def __init__(self, window: Steerable, keys: Collection[str], seconds: float) -> None:
        self._window, self._keys, self._seconds = window, frozenset(keys), seconds
        self._held: frozenset[str] = frozenset()
        self._next = 0.0
        """When what is held to walk is to be pressed again."""
        self.now, self.still = window.now, window.still

    def hold(self, keys: Collection[str]) -> None:
        """Hold exactly these keys; what is new among them is pressed now."""
        if not (frozenset(keys) & self._keys) <= self._held:
            self._next = self.now() + self._seconds
        self._held = frozenset(keys)
        self._window.hold(keys)

    def glance(self, pause: float = 0.0) -> Frame:
        """The window after ``pause`` seconds; then what is held is pressed as often as it should have been by now."""
        frame = self._window.glance(pause)
        while self._held & self._keys and self._next <= self.now():
            self._window.hold(sorted(self._held - self._keys))
            self._window.hold(sorted(self._held))
            self._next += self._seconds
        return frame

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        """As the window's; a walking key that is to be held for a while is pressed as often as in that while."""
        for gesture in gestures:
            if isinstance(gesture, Hold) and not self._keys.isdisjoint(gesture.keys):
                times = max(round(gesture.seconds / self._seconds), 1)
                self._window.perform([Hold(gesture.keys, gesture.seconds / times)] * times, pace)
            else:
                self._window.perform((gesture,), pace)
