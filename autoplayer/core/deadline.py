"""Time limits of searches: in seconds of wall-clock time (:class:`Deadline`), or of processor time
(:class:`Allowance`)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class OutOfTime(Exception):  # noqa: N818 - it ends a search, it is no fault
    """The deadline passed before the search could say more."""


class Deadline:
    """``seconds`` from now, on a clock that never jumps; infinity is allowed.

    >>> Deadline(0).passed
    True
    """

    def __init__(self, seconds: float) -> None:
        self._began = time.perf_counter()
        self._end = self._began + seconds

    @property
    def spent(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._began

    @property
    def left(self) -> float:
        """Seconds that remain; negative when it has passed."""
        return self._end - time.perf_counter()

    @property
    def passed(self) -> bool:
        return self.left <= 0

    def check(self) -> None:
        """Raise OutOfTime when it has passed."""
        if self.passed:
            raise OutOfTime

    def shorten(self, seconds: float) -> None:
        """Bring the deadline forward to ``seconds`` from now, if it is later than that."""
        self._end = min(self._end, time.perf_counter() + seconds)


SLOWEST = 10.0
"""An :class:`Allowance` ends after this many times its processor time in wall-clock time at the latest, so that a
caller does not wait for ever where other programs keep the processor busy."""


class Allowance(Deadline):
    """A limit of ``seconds`` of this thread's processor time, so that the load of the machine does not change an
    answer; ``SLOWEST`` times as much wall-clock time ends it in any case.

    >>> Allowance(0).passed
    True
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(SLOWEST * seconds)
        self._work = time.thread_time() + seconds

    @property
    def left(self) -> float:
        """Seconds of processor time that remain; negative when there are none."""
        return min(self._work - time.thread_time(), super().left)


_patience: ContextVar[Deadline | None] = ContextVar("patience", default=None)


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """While this context lasts, :func:`heed` raises OutOfTime after ``seconds`` of this thread's processor time. For
    work that a caller may give up, such as reading a picture that may show another game."""
    token = _patience.set(Allowance(seconds))
    try:
        yield
    finally:
        _patience.reset(token)


def heed() -> None:
    """Raise OutOfTime where the caller's :func:`patience` is at an end. Long work calls this now and then."""
    limit = _patience.get()
    if limit is not None:
        limit.check()
