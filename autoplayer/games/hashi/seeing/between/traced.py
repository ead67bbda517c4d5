"""Lines that are not straight or not continuous, so that no position across the strip shows them all along: ropes and
hand-drawn lines, which bend, and dotted lines. They are followed step by step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, largest_channel
from autoplayer.games.hashi.puzzle import MOST_LINKS
from autoplayer.games.hashi.seeing.between.lines import HALF, Line


def ropes(samples: NDArray[np.uint8], waters: Floats, near: int, far: int, least: float) -> dict[int, Line]:
    """Lines that bend or swing across their strips, as ropes do, by strip: each is located at every step, because a
    single position along most of the strip shows only a part of it, or something like two lines. ``samples``: shape
    ``(strips, steps, offsets, 3)``; ``waters``: shape ``(strips, 3)``; ``near``, ``far``: how far from the middle a
    single line lies, and a double one."""
    away = largest_channel(np.abs(samples.astype(np.float32) - waters[:, None, None]))
    reach = away.shape[2] // 2
    strongest = np.median(away[:, :, max(reach - far, 0) : reach + far + 1].max(axis=2), axis=1)
    inked = away > np.maximum(HALF * strongest, least)[:, None, None]
    begins = np.diff(inked.astype(np.int8), axis=2, prepend=0) > 0
    counts = begins.sum(axis=2)
    offsets = np.arange(-reach, reach + 1)
    ink = inked.sum(axis=2)
    middles = (inked * offsets).sum(axis=2) / np.maximum(ink, 1)
    found: dict[int, Line] = {}
    inside = slice(1, -1)  # there is an island's rim at the ends
    for i in np.flatnonzero((strongest >= least) & (np.ptp(middles[:, inside], axis=1) >= SWING)):
        count = int(np.median(counts[i, inside]))
        breadth = float(np.median(ink[i, inside][counts[i, inside] == count])) if count else 0.0
        # Where far more is drawn, an island or something that crosses is seen.
        like = (counts[i, inside] == count) & (ink[i, inside] <= BROADER * breadth + 1)
        if not 1 <= count <= MOST_LINKS or like.mean() < STEADY:
            continue
        where = middles[i, inside][like]
        if np.ptp(where) < SWING or not (_swings(where, near if count == 1 else far) or _bends(where, like, near)):
            continue
        drawn = inked[i, inside][like]
        colour = np.median(samples[i, inside][like][drawn], axis=0) - waters[i]
        found[int(i)] = Line(count, breadth, (float(colour[0]), float(colour[1]), float(colour[2])))
    return found


def _swings(where: Floats, reach: int) -> bool:
    """Whether a line, located at ``where`` at each step, swings around one position, no farther than ``reach`` from the
    middle."""
    sides = np.sign(where - np.median(where))
    turns = np.count_nonzero(np.diff(sides[sides != 0]))
    thirds = [float(part.mean()) for part in np.array_split(where, 3)]
    return bool(turns >= LEAST_TURNS and np.ptp(thirds) <= SWING and max(map(abs, thirds)) <= reach)


def _bends(where: Floats, like: NDArray[np.bool_], near: int) -> bool:
    """Whether a line is drawn without a gap all the way, near the middle of the strip: ``like``, the steps that show
    it."""
    unbroken = float(like.mean()) >= UNBROKEN and float(np.abs(np.diff(where)).max()) <= NEXT
    return unbroken and float(np.abs(where).max()) <= near


BROADER = 2.0
"""Of the usual breadth of a rope: more at one step is not the rope alone."""

STEADY, SWING, LEAST_TURNS = 0.7, 2.0, 3
"""The least share of a rope's steps that show the usual number of lines; the least width of its swing and the largest
bend of its way, in pixels; and how often it must cross its own middle."""

UNBROKEN, NEXT = 0.95, 3.0
"""The least share of its steps at which a bent line is seen, and its largest displacement from one step to the next, in
pixels."""


def perhaps_dotted(samples: NDArray[np.uint8], least: float) -> list[int]:
    """The strips that show something in their middle, but not all along, and not from one side to the other as crossing
    lines do; ``samples``: as in :func:`ropes`."""
    reach = samples.shape[2] // 2
    inside = samples[:, 1:-1].astype(np.int16)
    away = largest_channel(np.abs(inside - np.median(inside, axis=1, keepdims=True)))
    middle = away[:, :, reach // 2 : reach + reach // 2 + 1].max(axis=2)
    shown = middle > np.maximum(HALF * middle.max(axis=1), least)[:, None]
    shown &= away[:, :, [0, -1]].min(axis=2) < least
    return np.flatnonzero(shown.mean(axis=1) >= DOTS[0] / 2).tolist()


def dots(samples: NDArray[np.uint8], water: Floats, far: int, least: float) -> NDArray[np.intp]:
    """The steps of a way, looked at pixel by pixel, that show pieces of a dotted line: ink that recurs. Empty if there
    is none. ``samples``: shape ``(steps, offsets, 3)``; ``far``: how far from the middle the line may lie."""
    away = largest_channel(np.abs(samples.astype(np.float32) - water))
    reach = away.shape[1] // 2
    most = away[:, max(reach - far, 0) : reach + far + 1].max(axis=1)
    shown = most > max(HALF * float(np.percentile(most, 90)), least)
    steps = np.flatnonzero(shown)
    gaps = np.diff(np.concatenate([[-1], steps, [len(shown)]])) - 1
    many = np.count_nonzero(gaps) > LEAST_PIECES and gaps.max() <= LONGEST_GAP * len(shown)
    return steps if many and DOTS[0] <= shown.mean() <= DOTS[1] else steps[:0]


DOTS, LEAST_PIECES, LONGEST_GAP = (0.2, 0.7), 4, 0.2
"""The least share of its way on which a dotted line is drawn, the least number of its pieces, and the largest gap
between two of them, as a share of its way."""
