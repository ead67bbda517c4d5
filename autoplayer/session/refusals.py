"""What tells that a window does not take a level for solved: red around the board, words in red beside it, a life that
is lost. Pixels only, and no text is read."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, Mask
from autoplayer.session.controls import CHANGED, changed

Bools = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

RED, PURE = 80, 0.55
"""How far (of 255) the red of a sign is above its other two channels, and what part of the red that is: orange, pink
and brown are none."""

LEAST = 0.005
"""Of a cell's area, what red signs take up at least: a short word in small letters does, and a small heart."""

MOSTLY = 0.5
"""The part of what changed beside the board that is red, at least: a dialog or confetti bring other colours."""

A_PART = 0.3
"""As ``MOSTLY``, where the level's number changes beside the life that is lost."""

THICK = 0.12
"""Of a cell's side, how thick a stroke of a word is at most: a sign or a button that lights up in red is thicker."""

BALANCED = 0.5
"""Of the red that went (or came), how much may have come (or gone): a counter in red changes its digits."""


def reddened(start: Image, now: Image, board: Box) -> bool:
    """Whether most of the picture around the ``board`` has turned red since ``start``."""
    if start.shape != now.shape:
        return False
    red = [_redness(part) for part in (start, now)]
    turned = (red[1] > CHANGED) & (red[1] - red[0] > CHANGED)
    board.crop(turned)[...] = False
    height, width = turned.shape
    beside = height * width - board.crop(turned).size
    return bool(beside > 0 and 2 * np.count_nonzero(turned) > beside)


def red_came(before: Image, now: Image, board: Box, cell: int) -> bool:
    """Whether words in red, and hardly anything else, came beside the ``board`` since ``before``: they may refuse what
    was played. ``cell``: the side of a cell, in pixels."""
    came, gone, all_of_it = _red_signs(before, now, board)
    few = np.count_nonzero(came) < max(LEAST * cell**2, MOSTLY * all_of_it)
    if few or np.count_nonzero(gone) > BALANCED * np.count_nonzero(came):
        return False
    thick = max(round(THICK * cell), 2)
    return not cv2.erode(came.astype(np.uint8), np.ones((thick, thick), np.uint8)).any()


def red_gone(start: Image, next_start: Image, board: Box, cell: int) -> bool:
    """Whether something red that stood beside the ``board`` at a level's beginning is gone at that of the next one, and
    little else is otherwise: a life. ``cell``: the side of a cell, in pixels."""
    came, gone, all_of_it = _red_signs(start, next_start, board)
    went = np.count_nonzero(gone)
    return bool(went >= max(LEAST * cell**2, A_PART * all_of_it) and np.count_nonzero(came) <= BALANCED * went)


def _red_signs(before: Image, now: Image, board: Box) -> tuple[Bools, Bools, int]:
    """Which pixels beside the ``board`` became red since ``before``, which were red then and are no more, and how many
    changed at all."""
    if before.shape != now.shape:
        none = np.zeros(now.shape[:2], bool)
        return none, none, 0
    differ: Mask = changed(before, now).copy()
    board.crop(differ)[...] = 0
    then, since = (_redness(part) > np.maximum(RED, PURE * part[..., 2]) for part in (before, now))
    beside = differ > 0
    return since & ~then & beside, then & ~since & beside, int(np.count_nonzero(beside))


def _redness(image: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """By how much the red of each pixel (BGR) is above its other channels."""
    return np.asarray(image[..., 2].astype(np.int16) - np.maximum(image[..., 0], image[..., 1]), np.int16)
