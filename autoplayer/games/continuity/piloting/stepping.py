"""Handles windows whose figure moves one step for each key press, however long the key is held: a held walking key is
pressed again and again, so that the figure walks as evenly as in other windows, without the initial pause of the key
repeat."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autoplayer.core.frame import Frame
from autoplayer.core.gestures import Gesture, Hold, Pace
from autoplayer.games.base import Steerable

AS_REPEATED = 1 / 30
"""Seconds between two presses: the rate of key repeat, for which such windows are made."""


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
        """The window after ``pause`` seconds; then held keys are pressed as often as is due by now."""
        frame = self._window.glance(pause)
        while self._held & self._keys and self._next <= self.now():
            self._window.hold(sorted(self._held - self._keys))
            self._window.hold(sorted(self._held))
            self._next += self._seconds
        return frame

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        """As the window's; a walking key that is to be held for a while is pressed repeatedly in that time."""
        for gesture in gestures:
            if isinstance(gesture, Hold) and not self._keys.isdisjoint(gesture.keys):
                times = max(round(gesture.seconds / self._seconds), 1)
                self._window.perform([Hold(gesture.keys, gesture.seconds / times)] * times, pace)
            else:
                self._window.perform((gesture,), pace)
