"""Glyphs that cast a hard shadow of another colour: a copy of themselves, a little aside and behind them. Glyph and
shadow are one component; this separates them. Knows no game and no place, only the pixels of some glyphs of one
window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Floats, Image, largest_channel
from autoplayer.vision.inlay import DIFFERENT, FEWEST, MOSTLY, SAMPLE, Inlay, two_coloured

STRONG, DRAWN = 0.75, 0.4
"""Ink: a pixel with more than the first has the full colour of the glyph or of the shadow; with more than the second it
is a part of either."""

LEAST = 0.15
"""The least share of the ink that each of the two colours has."""

FARTHEST = 0.22
"""The largest offset of a shadow, as a share of the glyphs' height."""

EXPLAINED = 0.62
"""The least overlap (intersection over union) of the second colour with a moved copy of the first one, without the part
that the glyph covers."""

Pixels = tuple[Floats, Floats]
"""A glyph's pixels, BGR, shape ``(h, w, 3)``, and how much of each is drawn, shape ``(h, w)``."""


def without_shadows(
    patch: Callable[[int], Image], inks: Sequence[Floats], grounds: Sequence[Floats]
) -> dict[int, Inlay]:
    """Each glyph without its shadow, by its number, where all cast the same shadow; else nothing. The arguments are
    those of :func:`autoplayer.vision.inlay.inlays`."""
    if len(inks) < FEWEST:
        return {}
    chosen = np.unique(np.linspace(0, len(inks) - 1, SAMPLE).round().astype(int)).tolist()
    few = int((1 - MOSTLY) * len(chosen))
    for k in chosen:
        few -= not two_coloured(patch(k), inks[k], grounds[k])
        if few < 0:
            return {}
    seen = [(patch(k).astype(np.float32), inks[k]) for k in chosen]
    colours = _two_colours(seen)
    if colours is None:
        return {}
    reach = max(round(FARTHEST * float(np.median([len(inks[k]) for k in chosen]))), 2)
    orders = [(_explained(seen, front, behind, reach), front, behind) for front, behind in (colours, colours[::-1])]
    share, front, behind = max(orders, key=lambda one: one[0])
    if share < EXPLAINED:
        return {}
    found = {k: _front(patch(k).astype(np.float32), inks[k], front, behind, grounds[k]) for k in range(len(inks))}
    return {k: one for k, one in found.items() if one is not None}


def _two_colours(seen: Sequence[Pixels]) -> tuple[Floats, Floats] | None:
    """The two colours of the glyphs, BGR; None where they are too similar, or one is too rare."""
    strong = np.concatenate([pixels[ink > STRONG] for pixels, ink in seen])
    if len(strong) < 2:
        return None
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 1.0)
    labels = np.zeros((len(strong), 1), np.int32)
    # The clusters start from the darkest pixel and the pixels far from it, so that equal pixels give equal colours.
    first = strong[strong.sum(axis=1).argmin()]
    labels[:, 0] = np.abs(strong - first).max(axis=1) > np.abs(strong - first).max() / 2
    _, nearer, _ = cv2.kmeans(strong, 2, labels, criteria, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    labels = np.asarray(nearer, np.int32)
    share = float(labels.mean())
    if not LEAST <= share <= 1 - LEAST:
        return None
    second = labels[:, 0] == 1
    one: Floats = np.median(strong[~second], axis=0).astype(np.float32)
    other: Floats = np.median(strong[second], axis=0).astype(np.float32)
    return None if np.abs(one - other).max() < DIFFERENT else (one, other)


def _explained(seen: Sequence[Pixels], front: Floats, behind: Floats, reach: int) -> float:
    """How well the second colour is explained as a moved copy of the first one, with the same offset for all glyphs:
    the best intersection over union."""
    side = 2 * reach + 1
    both, either = np.zeros((side, side)), np.zeros((side, side))
    for pixels, ink in seen:
        nearer = largest_channel(np.abs(pixels - front)) < largest_channel(np.abs(pixels - behind))
        drawn = ink > DRAWN
        own, shade = np.asarray(drawn & nearer, np.float32), np.asarray(drawn & ~nearer, np.float32)
        # For every offset, how many pixels of the copy fall on the second colour, and on the first one.
        on_shade, on_own = (
            np.rint(cv2.matchTemplate(np.pad(where, reach), own, cv2.TM_CCORR)) for where in (shade, own)
        )
        both += on_shade
        either += own.sum() - on_own + shade.sum() - on_shade
    share = both / np.maximum(either, 1)
    share[reach, reach] = 0.0
    return float(share.max())


def _front(pixels: Floats, ink: Floats, front: Floats, behind: Floats, ground: Floats) -> Inlay | None:
    """The part that has the first colour, cut to its bounding box; None where there is none."""
    # Each pixel is a mixture of three colours; this is the share of the glyph's.
    ways = np.stack([front - ground, behind - ground], axis=1)
    share = (pixels - ground) @ np.linalg.pinv(ways)[0]
    own = np.asarray(np.clip(share, 0, 1) * (ink > 0), np.float32)
    rows, columns = np.flatnonzero((own > DRAWN).any(axis=1)), np.flatnonzero((own > DRAWN).any(axis=0))
    if not len(rows):
        return None
    cut = own[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Inlay(np.ascontiguousarray(cut), int(columns[0]), int(rows[0]))
