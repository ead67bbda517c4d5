"""Dialogs and menus that the game's own program opens in separate windows: which ones opened since the last gesture,
and what is pressed in them. Only X11 tells to which window a dialog belongs; elsewhere none are found."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress

from autoplayer.core.errors import NotFoundError
from autoplayer.core.gestures import Keys, Pace
from autoplayer.screen.guard import CoveredError, Guard
from autoplayer.screen.targets import Target, WindowTarget
from autoplayer.screen.windows import WindowSystem
from autoplayer.screen.x11 import X11

ANSWERS: tuple[tuple[str, ...], ...] = (("enter",), ("enter",), ("space",), ("space",), ("tab", "space"))
"""What is pressed in a dialog that stays open: some react to Space only, and in some no button has the focus at first.
A focused button is not left with Tab before Space was tried, because the next one may be another answer."""

ANSWERS_APART = 1.5
"""Seconds between two answers: a dialog may be slow to close."""


class Dialogs:
    """Dialogs of the program whose window is ``target``, answered through ``guard``. ``now``: seconds on the screen's
    clock."""

    def __init__(self, system: WindowSystem, target: Target, guard: Guard, now: Callable[[], float]) -> None:
        self._system, self._target, self._guard, self._now = system, target, guard, now
        self._dialogs: list[int] = []
        """The dialogs that were open before the last gesture."""
        self._popups: list[int] = []
        """The menus that were open before it, and those for which Escape was pressed."""
        self._answered: tuple[int, int, float] = 0, 0, -math.inf
        """The dialog that was answered last, how often, and when last."""

    def note(self) -> None:
        """Call before a gesture: what is open now was not caused by it."""
        self._dialogs, self._popups = self._open_dialogs(), self._open_popups()

    def answer(self, pace: Pace) -> str | None:
        """As :func:`autoplayer.screen.base.answer_dialog`."""
        came = [found for found in self._open_dialogs() if found not in self._dialogs]
        window = self._system.window(came[0]) if came else None
        if window is None:
            return self._fold_up(pace)
        dialog, times, when = self._answered
        if dialog != window.id:
            times, when = 0, -math.inf
        if times == len(ANSWERS) or self._now() - when < ANSWERS_APART:
            return None  # it ignores all keys, so a person has to answer; or it is closing
        self._answered = window.id, times + 1, self._now()
        try:
            self._guard.answer(WindowTarget(self._system, window), ANSWERS[times], pace)
        except CoveredError:  # it does not take the keyboard: a person has to answer
            return None
        except NotFoundError:
            pass  # it closed under the key
        return f"the dialog {window.title!r}"

    def _fold_up(self, pace: Pace) -> str | None:
        """Press Escape where the last gesture has opened a list or a menu, once for each."""
        came = [found for found in self._open_popups() if found not in self._popups]
        if not came:
            return None
        self._popups = [*self._popups, *came]
        with suppress(CoveredError):  # the window does not get the keyboard back: a person has to close it
            self._guard.perform((Keys(("escape",)),), pace)
            return "a menu that had unfolded"
        return None

    def _open_popups(self) -> list[int]:
        return self._system.popups(self._target.id) if isinstance(self._system, X11) and self._target.id else []

    def _open_dialogs(self) -> list[int]:
        return self._system.dialogs(self._target.id) if isinstance(self._system, X11) and self._target.id else []
