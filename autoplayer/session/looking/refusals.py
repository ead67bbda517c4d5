"""Signs that a window does not accept a level as solved: red around the board, red words beside it, a life lost. Works
on pixels; no text is read."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, Mask
from autoplayer.session.looking.controls import CHANGED, changed

Bools = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

RED, PURE = 80, 0.55
"""How far (of 255) the red of a sign exceeds its other two channels, and the least share of the red that this must be:
orange, pink and brown do not count."""

LEAST = 0.005
"""The least area of red signs, as a share of a cell's: a short word in small letters, or a small heart, is larger."""

MOSTLY = 0.5
"""The least share of red in what changed beside the board: a dialog or confetti has other colours as well."""

A_PART = 0.3
"""As ``MOSTLY``, where the level's number changes beside the life that is lost."""

THICK = 0.12
"""The largest thickness of a stroke of a word, as a share of a cell's side: a sign or button that lights up in red is
thicker."""

BALANCED = 0.5
"""Of the red that vanished (or appeared), the largest share that may have appeared (or vanished): a red counter changes
its digits."""


def reddened(start: Image, now: Image, board: Box) -> bool:
    """Whether most of the picture around the ``board`` has turned red since ``start``."""
    if start.shape != now.shape:
        return False
    red = [_redness(part) for part in (start, now)]
    turned = cv2.subtract(red[1], red[0]) > CHANGED
    board.crop(turned)[...] = False
    height, width = turned.shape
    beside = height * width - board.crop(turned).size
    return bool(beside > 0 and 2 * np.count_nonzero(turned) > beside)


def red_came(before: Image, now: Image, board: Box, cell: int) -> bool:
    """Whether red words, and hardly anything else, have appeared beside the ``board`` since ``before``: they may refuse
    the solution. ``cell``: the side of a cell, in pixels."""
    came, gone, all_of_it = _red_signs(before, now, board)
    few = np.count_nonzero(came) < max(LEAST * cell**2, MOSTLY * all_of_it)
    if few or np.count_nonzero(gone) > BALANCED * np.count_nonzero(came):
        return False
    thick = max(round(THICK * cell), 2)
    return not cv2.erode(came.astype(np.uint8), np.ones((thick, thick), np.uint8)).any()


def red_gone(start: Image, next_start: Image, board: Box, cell: int) -> bool:
    """Whether something red beside the ``board`` at a level's beginning is gone at the beginning of the next one, with
    hardly any other change: a life. ``cell``: the side of a cell, in pixels."""
    came, gone, all_of_it = _red_signs(start, next_start, board)
    went = np.count_nonzero(gone)
    return bool(went >= max(LEAST * cell**2, A_PART * all_of_it) and np.count_nonzero(came) <= BALANCED * went)


def _red_signs(before: Image, now: Image, board: Box) -> tuple[Bools, Bools, int]:
    """Masks of the pixels beside the ``board`` that have turned red since ``before``, and of those that were red then
    and no longer are; and how many pixels changed at all."""
    if before.shape != now.shape:
        none = np.zeros(now.shape[:2], bool)
        return none, none, 0
    differ: Mask = changed(before, now).copy()
    board.crop(differ)[...] = 0
    beside = differ > 0
    if not beside.any():
        return beside, beside, 0
    then, since = (_redness(part) > cv2.LUT(part, _LEAST_RED)[..., 2] for part in (before, now))
    return since & ~then & beside, then & ~since & beside, int(np.count_nonzero(beside))


_LEAST_RED = np.maximum(RED, PURE * np.arange(256)).astype(np.uint8)
"""What a red sign's redness exceeds, by its red channel."""


def _redness(image: Image) -> Mask:
    """How far the red of each pixel (BGR) exceeds its other channels; 0 where it does not."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.subtract(red, cv2.max(blue, green)), np.uint8)
