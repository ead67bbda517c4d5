"""The point in time by which a search must have answered, or the work after which it must."""

from __future__ import annotations

import time


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
        """Not later than ``seconds`` from now."""
        self._end = min(self._end, time.perf_counter() + seconds)


SLOWEST = 10.0
"""How many times longer than it was allowed to work somebody waits at most, where other programs keep the processor
busy."""


class Allowance(Deadline):
    """``seconds`` of this thread's own work from now on: what else the machine does changes no answer, unless it takes
    ``SLOWEST`` times as long.

    >>> Allowance(0).passed
    True
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(SLOWEST * seconds)
        self._work = time.thread_time() + seconds

    @property
    def left(self) -> float:
        """Seconds of work that remain; negative when there are none."""
        return min(self._work - time.thread_time(), super().left)
