"""Signals that raise an exception (Ctrl-C, SIGTERM) wait until an open question to the window system is answered. In
the midst of one they would leave half of an answer behind, which whoever asks next would take for theirs.

Python runs the handlers of signals in the main thread, so only what is asked there is looked after here.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import FrameType
from typing import ParamSpec, TypeVar

A = ParamSpec("A")
R = TypeVar("R")
Handler = Callable[[int, FrameType | None], object]


class _Open:
    """Whether the main thread has a question open, and what waits for its end."""

    question = False
    waiting: tuple[Handler, int] | None = None


def whole(method: Callable[A, R]) -> Callable[A, R]:
    """``method``, which asks the window system, runs to its end before the handler of a signal (one made with
    :func:`after_questions`) does. What that handler raises is raised here then."""

    @functools.wraps(method)
    def wrapped(*args: A.args, **kwargs: A.kwargs) -> R:
        if _Open.question or threading.current_thread() is not threading.main_thread():
            return method(*args, **kwargs)
        _Open.question = True
        try:
            return method(*args, **kwargs)
        finally:
            _Open.question = False
            waiting, _Open.waiting = _Open.waiting, None
            if waiting is not None:
                waiting[0](waiting[1], None)

    return wrapped


def after_questions(handler: Handler) -> Handler:
    """``handler`` for :func:`signal.signal`, which waits until no question is open. A second signal cuts through: the
    window system may never answer."""

    def on_signal(number: int, frame: FrameType | None) -> None:
        if _Open.question and _Open.waiting is None:
            _Open.waiting = handler, number
            return
        _Open.question, _Open.waiting = False, None
        handler(number, frame)

    return on_signal
