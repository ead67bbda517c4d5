"""The letters of a page: marks that stand close to one another in a line, as the numbers of islands never do. Reads
none of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autoplayer.games.hashi.seeing.places.outline import View
from autoplayer.vision import lattice

PAGE = 90
"""Letters that a page of text, a table or a chat has at least; windows with a board and its menus have fewer."""

LOWEST, WIDEST = 4, 2.0
"""The least height of a letter in pixels, and its largest width as a multiple of its height."""

NEAR, LEVEL = 0.6, 0.35
"""Of a letter's height: the largest distance to the next letter, and the largest difference in their vertical
positions."""

MOST_UNLIKE = 2.2
"""How many times as high as the next one a letter is at most."""

MOST_MARKS = 20_000
"""Marks: more are a texture's grain."""


def in_words(boxes: lattice.Boxes) -> NDArray[np.bool_]:
    """Which of ``boxes``, shape ``(N, 4)``, stand in a line with another one, as close to it as letters."""
    result = np.zeros(len(boxes), np.bool_)
    wide = boxes[:, 2] <= WIDEST * boxes[:, 3]
    some = np.flatnonzero(wide & (boxes[:, 3] >= LOWEST))
    if not 1 < len(some) <= MOST_MARKS:
        return result
    some = some[np.argsort(boxes[some, 0], kind="stable")]
    x, y, w, h = boxes[some].T.astype(np.float64)
    begin, end = np.searchsorted(x, x + 0.9 * w), np.searchsorted(x, x + w + NEAR * h)
    # Each pair of a mark and one that begins just after it.
    count = np.maximum(end - begin, 0)
    left = np.repeat(np.arange(len(some)), count)
    right = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + np.repeat(begin, count)
    taller, lower = np.maximum(h[left], h[right]), np.minimum(h[left], h[right])
    level = np.abs((y + h)[left] - (y + h)[right]) <= LEVEL * taller
    pairs = level & (taller <= MOST_UNLIKE * lower) & (left != right)
    result[some[left[pairs]]] = True
    result[some[right[pairs]]] = True
    return result


def is_page(seen: View) -> bool:
    """Whether there are so many letters in a picture that most of what looks like a number there is a letter."""
    return int(in_words(lattice.marks(seen.gray, 1)).sum()) >= PAGE
