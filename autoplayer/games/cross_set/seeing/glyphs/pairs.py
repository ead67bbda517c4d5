"""How the pieces of each cell of Cross Set stand to each other, for all cells at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Pairs:
    """All ordered pairs of pieces of one cell: ``one`` and ``other``, their indices, and by how many pixels they
    overlap ``across`` and ``down``, negative where they are apart; each of shape ``(pairs,)``."""

    one: NDArray[np.int64]
    other: NDArray[np.int64]
    across: NDArray[np.int64]
    down: NDArray[np.int64]


def pairs_of(owner: NDArray[np.int64], box: NDArray[np.int64]) -> Pairs:
    """``owner``: the index of the cell of each piece; ``box``: its x, y, width and height in fine pixels, from whatever
    corner, shape ``(n, 4)``."""
    order = np.argsort(owner, kind="stable")
    count = np.bincount(owner)
    first = np.cumsum(count) - count
    # Each piece so often as its cell has pieces, beside each of these.
    many, start = np.repeat(count, count), np.repeat(first, count)
    one = np.repeat(np.arange(len(owner)), many)
    other = np.arange(len(one)) - np.repeat(np.cumsum(many) - many - start, many)
    one, other = order[one[one != other]], order[other[one != other]]
    near, far = box[:, :2], box[:, :2] + box[:, 2:]
    across, down = (np.minimum(far[one], far[other]) - np.maximum(near[one], near[other])).T
    return Pairs(one, other, across, down)
