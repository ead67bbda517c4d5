"""Marks that a person sets between two islands, such as a cross for "no bridge here": between islands that nearly touch
they look like lines. Knows nothing of what lines mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autoplayer.core.frame import Image
from autoplayer.games.hashi.seeing.between.lines import FAINTEST, HALF, Line, same_pen
from autoplayer.games.hashi.seeing.between.strips import Strip, sampled
from autoplayer.games.hashi.seeing.places.chart import Chart

SHORT = 0.8
"""Of an island's size: on a shorter way a mark reaches from one island to the other."""

FEWEST = 2
"""The least number of longer ways on which marks of that colour stand: one may be a pointer."""

EXTENT = 0.3
"""Of an island's size, to each side of a way's middle: where a mark lies."""

SAME_HUE = 0.9
"""The least cosine between the colours of two marks of one pen: thin ones are paler, but not of another colour."""


def marks_among(
    image: Image, strips: Sequence[Strip], lines: Sequence[Line], kinds: Sequence[Line], chart: Chart
) -> list[Line]:
    """Those of the ``kinds`` of ``lines``, one for each of the ``strips``, that are marks: all of their lines are on
    short ways, and in the middle of several longer ways, along which nothing runs, there is something of their
    colour."""
    long = [strip.length >= SHORT * chart.size for strip in strips]
    free = [strip for strip, far, line in zip(strips, long, lines, strict=True) if far and not line.count]
    if len(free) < FEWEST:
        return []
    short = [
        kind for kind in kinds if not any(far and same_pen(kind, line) for far, line in zip(long, lines, strict=True))
    ]
    return [kind for kind in short if _marked(image, free, kind, chart) >= FEWEST]


def _marked(image: Image, free: Sequence[Strip], kind: Line, chart: Chart) -> int:
    """How many of the ``free`` ways have something of a kind's colour in their middle, and nothing before and behind
    it."""
    reach = max(round(EXTENT * chart.size), 2)
    parts = [_around_middle(strip, 2.0 * reach) for strip in free]
    colours = sampled(image, parts, reach, np.linspace(0.0, 1.0, 4 * reach + 1)).astype(np.float32)
    away = colours - np.median(colours, axis=(1, 2), keepdims=True)
    ink = np.array(kind.colour, np.float32) / max(kind.contrast, 1.0)
    size = np.linalg.norm(away, axis=3)
    alike = (away @ ink) >= SAME_HUE * size * np.linalg.norm(ink)
    shown = (alike & (size >= HALF * np.linalg.norm(kind.colour)) & (size > FAINTEST)).any(axis=2)
    middle = shown[:, reach : 3 * reach + 1].any(axis=1)
    aside = shown[:, : reach // 2].any(axis=1) | shown[:, -(reach // 2) :].any(axis=1)
    return int((middle & ~aside).sum())


def _around_middle(strip: Strip, length: float) -> Strip:
    """The middle part of a way, so many pixels to each side."""
    x, y = (strip.x0 + strip.x1) / 2, (strip.y0 + strip.y1) / 2
    dx, dy = (0.0, length) if strip.upright else (length, 0.0)
    return Strip(x - dx, y - dy, x + dx, y + dy)
