"""Finds a short tour through cells. What is done in them is decided in ``player``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from autoplayer.core.frame import Cell, Floats

IMPROVED = 200
"""Up to so many cells the way between them is improved after it was found by going to the nearest: beyond that it
costs more time than it saves."""


@lru_cache(maxsize=16)
def tour(cells: tuple[Cell, ...], start: Cell | None, by_steps: bool) -> tuple[Cell, ...]:
    """``cells`` in the order of a short tour, from ``start`` or from the first: nearest neighbour first, then improved
    by reversing parts of it (2-opt). ``by_steps``: distances along rows and columns. Distances are in cells, not in
    pixels, so that rounded centres do not change the tour."""
    at = np.array(cells, dtype=np.float64)
    ends = np.array([start if start is not None else cells[0]], dtype=np.float64)

    def apart(a: Floats, b: Floats) -> Floats:
        away: Floats = np.abs(a - b)
        return away.sum(axis=-1) if by_steps else np.hypot(away[..., 0], away[..., 1])

    unmet = np.ones(len(cells), dtype=bool)
    order: list[int] = []
    here = ends[0]
    for _ in cells:
        k = int(np.argmin(np.where(unmet, apart(at, here), np.inf)))
        order.append(k)
        unmet[k] = False
        here = at[k]
    if 2 < len(cells) <= IMPROVED:
        order = _shortened(order, apart(at[:, None], at[None]), apart(at, ends[0]))
    return tuple(cells[k] for k in order)


def _shortened(order: Sequence[int], between: Floats, from_start: Floats) -> list[int]:
    """An open path improved until reversing no part of it makes it shorter. ``between``: distances, shape ``(n, n)``,
    ``from_start``: shape ``(n,)``."""
    n = len(order)
    far = np.zeros((n + 2, n + 2))  # the start is n; the end, n + 1, is as near to all
    far[:n, :n] = between
    far[n, :n] = far[:n, n] = from_start
    path = np.array([n, *order, n + 1])
    better = True
    while better:
        better = False
        for i in range(1, n):
            j = np.arange(i + 1, n + 1)
            before, after = path[i - 1], path[j + 1]
            gain = far[before, path[i]] + far[path[j], after] - far[before, path[j]] - far[path[i], after]
            gain = gain.round(9)  # of ways that are equally long, the first
            best = int(np.argmax(gain))
            if gain[best] > 0:
                path[i : j[best] + 1] = path[i : j[best] + 1][::-1].copy()
                better = True
    return [int(k) for k in path[1:-1]]
