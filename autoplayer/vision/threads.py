"""Runs OpenCV in a single thread. OpenCV distributes its work among threads; for pictures as small as cells, waking
these costs more processor time than the work itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import cv2


@contextmanager
def alone() -> Iterator[None]:
    """While this context lasts, OpenCV works in the calling thread only. Can be used as a decorator as well."""
    before = cv2.getNumThreads()
    if before == 1:  # setting the number ends the existing threads
        yield
        return
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)
