"""The way between two places of a lattice: whether a drawn chain leads from one to the other."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Floats
from autoplayer.vision.views import View

EVEN = 8.0
"""Grey levels by which pixels of one colour differ at most, above twice the noise."""

LINK = 20.0
"""Grey levels by which the colour of a drawn chain differs from the cells' own at least, above twice the noise."""

BESIDE, GOES_ON = 0.75, 0.9
"""The part of the pitch on both sides of a link that is examined; if so much of it has the link's colour, it is not a
chain."""

THROUGH, NARROW = 0.06, 0.7
"""The part of the way between two cells' middles, on either side of which a wall is seen through a pale line; and the
largest share of a cell's width that a line takes."""

Spot = tuple[float, float]

INTO = (0.6, 0.63)
"""Positions on the way between two middles that are in the second place, before most glyphs begin."""

LOOKS, END_LOOKS = 16, 2
"""The number of samples along a way and across it; and how many of them, at each end of a way, may fall on a glyph that
extends farther from its cell's middle than most do."""


def link(view: View, start: Spot, end: Spot, between: float, ground: Floats) -> Floats | None:
    """The colour, BGR, of the chain that leads from ``start`` to ``end``, the middles of two places as ``(x, y)``:
    between the glyphs, which take the share ``between`` of the way at each end, there is one even colour, which is not
    the cells' ``ground``. None if there is no chain."""
    (x, y), (u, v) = start, end
    along = _pixels(view, start, end, np.linspace(between, 1 - between, LOOKS))
    # A chain ends on both sides; the ground of a panel or of the window continues.
    (p, q), (a, b) = ((x + u) / 2, (y + v) / 2), (v - y, u - x)
    across = _pixels(view, (p, q), (p + a, q + b), np.linspace(-BESIDE, BESIDE, LOOKS))
    if along is None or across is None:
        return None
    colour, rough = np.median(along, axis=0), 2 * view.noise
    slack = EVEN + rough
    off = np.abs(along - colour).max(axis=1) >= slack
    inked = off & (np.abs(along - ground).max(axis=1) > LINK + rough)
    first, last = (int(np.cumprod(end[:END_LOOKS]).sum()) for end in (inked, inked[::-1]))
    even = not off[first : len(off) - last].any() and float(np.abs(colour - ground).max()) > LINK + rough
    leads = even and float((np.abs(across - colour).max(axis=1) < slack).mean()) < GOES_ON
    return np.asarray(colour, np.float32) if leads else None


def reaches(view: View, start: Spot, end: Spot, colour: Floats) -> bool:
    """Whether the ``colour`` of a chain that leads from one place to another goes on well into that one. The fill of a
    cell in which the glyph is not central may end a little beyond the glyph's place."""
    spots = _pixels(view, start, end, np.array(INTO))
    return spots is not None and float(np.abs(spots - colour).max()) < EVEN + 2 * view.noise


def has_pale_line(view: View, start: Spot, end: Spot, between: float, ground: Floats) -> bool:
    """Whether a line of one colour, narrower than a place, leads from one place to the other; the wall between them may
    show through it. As :func:`link`."""
    (x, y), (u, v) = start, end
    shares = np.linspace(between, 1 - between, LOOKS)
    along = _pixels(view, start, end, shares[np.abs(shares - 0.5) > THROUGH])
    if along is None or not len(along):
        return False
    colour, slack = np.median(along, axis=0), EVEN + 2 * view.noise
    if float(np.abs(along - colour).max()) > slack or float(np.abs(colour - ground).max()) <= LINK:
        return False
    for share in (0.5 - 1.5 * THROUGH, 0.5 + 1.5 * THROUGH):
        p, q = x + share * (u - x), y + share * (v - y)
        across = _pixels(view, (p, q), (p + v - y, q + u - x), np.linspace(-0.4, 0.4, LOOKS))
        if across is None or float((np.abs(across - colour).max(axis=1) < slack).mean()) > NARROW:
            return False
    return True


def _pixels(view: View, start: Spot, end: Spot, shares: Floats) -> Floats | None:
    """The colours on the way from ``start`` to ``end``, BGR, shape ``(N, 3)``; None where it leaves the picture."""
    x, y = (np.rint(a + shares * (b - a)).astype(int) for a, b in zip(start, end, strict=True))
    height, width = view.image.shape[:2]
    if min(x.min(), y.min()) < 0 or x.max() >= width or y.max() >= height:
        return None
    return np.asarray(view.image[y, x], np.float32)
