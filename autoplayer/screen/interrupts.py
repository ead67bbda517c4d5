"""Delays signal handlers that raise an exception (Ctrl-C, SIGTERM) until an open request to the window system is
answered. An exception in the midst of one would leave half of an answer unread, which the next request would take for
its own.

Python runs signal handlers in the main thread, so only requests of that thread are protected here.
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
    """Whether the main thread has a request open, and what waits for its end."""

    question = False
    waiting: tuple[Handler, int] | None = None


def whole(method: Callable[A, R]) -> Callable[A, R]:
    """``method``, which makes requests to the window system, runs to its end before a signal handler (one made with
    :func:`after_questions`) does. An exception of the handler is raised here afterwards."""

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
    """``handler`` for :func:`signal.signal`, delayed while a request is open. A second signal is not delayed: the
    window system may never answer."""

    def on_signal(number: int, frame: FrameType | None) -> None:
        if _Open.question and _Open.waiting is None:
            _Open.waiting = handler, number
            return
        _Open.question, _Open.waiting = False, None
        handler(number, frame)

    return on_signal
