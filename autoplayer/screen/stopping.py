"""Requests to stop the bot: by the program itself, and by the signals of a person at a terminal. The guard checks for
them before every event (:class:`autoplayer.screen.guard.Guard`)."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from autoplayer.core.errors import StoppedError
from autoplayer.screen.interrupts import after_questions

SIGNALS = {
    "SIGINT": "Ctrl-C was pressed",
    "SIGTERM": "the program was asked to end (SIGTERM)",
    "SIGHUP": "the terminal was closed",
    "SIGTSTP": "Ctrl-Z was pressed in the middle of a gesture, and a suspended program could not let go of the mouse",
}
"""The signals that stop a gesture, and what the person did to send them."""


class ByHandError(StoppedError):
    """The person took the mouse or pressed the stop key: they may want the bot to go on later, and say so then."""


class Stop:
    """Whether the bot is to stop, and why. A request stays in force until :meth:`resume`."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.by_hand = False

    def request(self, reason: str, *, by_hand: bool = False) -> None:
        """Ask the bot to stop; the first reason is kept. May be called from any thread and from a signal handler.
        ``by_hand``: the person did it with the mouse or the stop key, and may ask the bot to go on."""
        if self.reason is None:
            self.reason, self.by_hand = reason, by_hand

    def resume(self) -> None:
        self.reason, self.by_hand = None, False

    def check(self) -> None:
        """Raises StoppedError (ByHandError where it was by hand) where a stop was asked for."""
        if self.reason is not None:
            raise (ByHandError if self.by_hand else StoppedError)(self.reason)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While gestures are made, the signals of a person at a terminal become stop requests, so that no event is cut
        in the middle and a suspended program holds nothing; a second Ctrl-C interrupts as usual. Works in the main
        thread only; elsewhere nothing changes."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before: dict[int, Any] = {}

        def on_signal(number: int, frame: FrameType | None) -> None:
            if number == signal.SIGINT and self.reason is not None:
                raise KeyboardInterrupt
            self.request(f"Stopped: {SIGNALS[signal.Signals(number).name]}.")

        for name in SIGNALS:
            number = getattr(signal, name, None)  # Windows has only two of them
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, on_signal)
        try:
            yield
        finally:
            for caught, handler in before.items():
                signal.signal(caught, handler if handler is not None else signal.SIG_DFL)
        self.check()


@contextmanager
def sigterm_stops() -> Iterator[None]:
    """For a whole session: SIGTERM raises StoppedError wherever the program is, as Ctrl-C raises KeyboardInterrupt;
    during a request to the window system both wait for the answer. Works in the main thread only; elsewhere nothing
    changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_signal(number: int, frame: FrameType | None) -> None:
        raise StoppedError("Stopped: the program was asked to end (SIGTERM).")

    before = {signal.SIGTERM: signal.signal(signal.SIGTERM, after_questions(on_signal))}
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        before[signal.SIGINT] = signal.signal(signal.SIGINT, after_questions(signal.default_int_handler))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
