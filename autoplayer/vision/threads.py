"""OpenCV shares its work out among threads. For pictures as small as cells are, waking those costs more of the
processors' time than the work itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import cv2


@contextmanager
def alone() -> Iterator[None]:
    """While this lasts, all that OpenCV does is done by the thread that asks for it. Decorates functions as well."""
    before = cv2.getNumThreads()
    if before == 1:  # setting the number takes down the threads that there are
        yield
        return
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)
