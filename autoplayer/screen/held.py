"""The keys that stay held from one look at the window to the next. They are released when nobody looks any more: a stop
is noticed only by looking."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection

from autoplayer.screen.hands import Hand

LOOK = 0.01
"""Seconds between two questions whether the last look was too long ago."""

UNWATCHED = 0.14
"""Seconds without a look after which held keys are released."""


class HeldKeys:
    """The keys that ``hand`` holds. Whoever changes them has the ``lock``."""

    def __init__(self, hand: Hand) -> None:
        self.keys: list[str] = []
        self.lock = threading.RLock()
        self._hand = hand
        self._looked = 0.0
        self.lapsed = False
        """Whether they were released because the last look was too long ago."""

    def looked(self) -> None:
        """Somebody has just looked at the window."""
        self._looked = time.perf_counter()

    def forget(self) -> None:
        """They are up by now."""
        self.keys, self.lapsed = [], False

    def change(self, keys: Collection[str], press: Callable[[str], None]) -> None:
        """Hold exactly these ``keys``: release the others, and ``press`` those that are not held yet."""
        if self.lapsed:
            self._hand.release_all()
            self.forget()
        for key in [key for key in self.keys if key not in keys]:
            self._hand.key_up(key)
            self.keys.remove(key)
        for key in [key for key in keys if key not in self.keys]:
            self.keys.append(key)
            press(key)

    def release_in_time(self) -> threading.Event:
        """Start releasing the keys whenever nobody has looked for too long, until the returned event is set."""
        over = threading.Event()
        let_go: Callable[[], None] | None = getattr(self._hand, "let_go_aside", None)

        def beside() -> None:
            while not over.wait(LOOK):
                # The thread that has the lock is pressing, releasing or looking just now.
                if time.perf_counter() - self._looked >= UNWATCHED and self.lock.acquire(blocking=False):
                    try:
                        if self.keys and not self.lapsed and not over.is_set() and let_go is not None:
                            let_go()
                            self.lapsed = True
                    finally:
                        self.lock.release()

        if let_go is not None:
            threading.Thread(target=beside, daemon=True).start()
        return over
