"""What is behind a shade: a window that opens a dialog often darkens, or fades, all the rest of itself, so that the
whole picture changes and not only the dialog. Works on pixels only."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from autoplayer.core.frame import Box, Floats, Image, Mask, around, largest_channel
from autoplayer.core.remembered import remembered

Bools = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

SAMPLES = 120
"""The most sample points along each side."""

AROUND = 0.5
"""How far around the board is looked, as a share of its width and height: the game may be a part of a page."""

COLOURS = 8
"""How many of the commonest colours are used to find the shade: a board has a background, cells and a chain or two."""

FATES, A_FATE = 3, 0.05
"""For each of them at most this many new colours are considered, each of at least this share of its pixels."""

APART = 30.0
"""The least distance (Euclidean, of 255 a channel) of two colours from which a shade's contrast is measured."""

MOST, LEAST = 0.9, 0.1
"""The share of the contrast that remains behind a shade: with more it is none, with less hardly anything is visible."""

EXACT = 4.0
"""Grey levels by which a channel may be off: rounding, twice."""

CLEARLY = 8.0
"""Grey levels beyond the range that a shade can leave: twice the effect of its two roundings."""

LEAST_PART, ON_BOARD = 0.3, 0.7
"""The least share of the sampled pixels that must have changed: a shade covers the whole game. Where the page has the
shade's own colour, so that it cannot change, that of the board's pixels."""

EXPLAINED = 0.5
"""The least share of the changed pixels that a shade must explain: a dialog takes up less than the other half."""

ALONG = 0.1
"""The least share of a row or column of the picture that is seen through the shade where the shade covers it."""

FEWEST = 3
"""The least number of colours that it must explain. Any two colours that changed into two others fit some shade, as
those of cells and chains may from one level to the next; a third one is evidence."""


@dataclass(frozen=True)
class Shade:
    """What remains of a colour behind a shade: ``left`` times the colour, plus ``added``, shape ``(3,)``.

    A channel has 256 values: what is worked out of each of them in floating point is looked up for every pixel.
    """

    left: float
    added: Floats

    def leaves(self, before: Image, now: Image, off: float) -> Mask:
        """Shape ``(height, width)``: 255 where ``now`` is what the shade leaves of ``before``, within ``off``."""
        levels = np.arange(256, dtype=np.float32)
        behind = self.left * levels[:, None] + self.added
        near = np.abs(levels - behind[..., None]) <= off
        least, most = (cv2.LUT(before, table[:, None]) for table in (_least(near), _most(near)))
        return np.asarray(cv2.inRange(now, least, most), np.uint8)

    def possible(self, now: Image, off: float) -> Mask:
        """Shape ``(height, width)``: 255 where ``now`` is what the shade may leave of some colour, within ``off``."""
        levels, added = np.arange(256, dtype=np.float32), self.added[:, None]
        able = (levels <= 255 * self.left + added + off) & (levels >= added - off)
        least, most = (tuple(table.tolist()) for table in (_least(able), _most(able)))
        return np.asarray(cv2.inRange(now, least, most), np.uint8)

    def removed(self, now: Image) -> Image:
        """``now`` as it would be without the shade."""
        levels = np.arange(256, dtype=np.float32)[:, None]
        clear = np.rint(np.clip((levels - self.added) / self.left, 0, 255)).astype(np.uint8)
        return np.asarray(cv2.LUT(now, clear[:, None]), np.uint8)


def _least(able: Bools) -> Mask:
    """The first of the 256 values that is among the ``able``, shape ``(..., 256)``; 255 where none is, and then
    :func:`_most` has 0."""
    return np.asarray(np.where(able.any(axis=-1), able.argmax(axis=-1), 255), np.uint8)


def _most(able: Bools) -> Mask:
    """The last of the ``able`` values, as :func:`_least`."""
    return np.asarray(np.where(able.any(axis=-1), 255 - able[..., ::-1].argmax(axis=-1), 0), np.uint8)


def _near(one: Image, other: Image, off: float) -> Mask:
    """Shape ``(height, width)``: 255 where no channel of the two pictures differs by more than ``off``."""
    return np.asarray(cv2.inRange(cv2.absdiff(one, other), (0, 0, 0, 0), (off,) * 4), np.uint8)


def unshaded(before: Image, now: Image, places: Collection[Box]) -> Image:
    """``now`` without the shade that has appeared since the picture ``before`` (both BGR, of equal shape), in which the
    board is at ``places``. A shade mixes every pixel with one and the same colour in one proportion. Other changes (the
    dialog) stay. ``now`` itself where no such shade has appeared."""
    shade = _shade(before, now, places)
    if shade is None:
        return now
    # Beside the shade nothing changed: the page around the game's part of it.
    away = cv2.bitwise_or(shade.leaves(before, now, EXACT), _near(now, before, EXACT))
    return np.asarray(cv2.copyTo(before, away, shade.removed(now)), np.uint8)


@remembered
def before_the_shade(before: Image, now: Image, places: Collection[Box]) -> Mask | None:
    """Shape ``(height, width)``: 255 where ``now`` shows what a shade cannot leave of any colour, because it is lighter
    or darker: the dialog. None where no shade has appeared since the picture ``before``. Not to be modified."""
    shade = _shade(before, now, places)
    if shade is None:
        return None
    outside = np.asarray(cv2.bitwise_not(shade.possible(now, CLEARLY)), np.uint8)
    same = _near(now, before, CLEARLY)
    # Pixels beside the shade that did not change are the page around the game; inside the shade they are a dialog in
    # the colour of what it covers.
    shaded = cv2.bitwise_and(shade.leaves(before, now, EXACT), cv2.bitwise_not(same))
    height, width = same.shape
    across, down = (cv2.reduce(shaded, axis, cv2.REDUCE_SUM, dtype=cv2.CV_32S).ravel() // 255 for axis in (0, 1))
    columns, rows = np.flatnonzero(across / height > ALONG), np.flatnonzero(down / width > ALONG)
    if columns.size and rows.size:
        amid = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        if _lies_around(before, now, shade, places):
            outside[amid] |= same[amid] & ~shade.leaves(before[amid], now[amid], CLEARLY)
        same[amid] = 0
    return np.asarray(outside & ~same, np.uint8)


def not_behind_the_shade(before: Image, now: Image, places: Collection[Box]) -> Mask | None:
    """Shape ``(height, width)``: 255 where ``now`` shows something else than what the shade that has appeared since the
    picture ``before`` leaves of it, in whatever colour. None where no shade has appeared."""
    shade = _shade(before, now, places)
    if shade is None:
        return None
    return np.asarray(cv2.bitwise_not(cv2.bitwise_or(shade.leaves(before, now, CLEARLY), _near(now, before, CLEARLY))))


def shades_the_rest(before: Image, now: Image, places: Collection[Box]) -> bool:
    """Whether the shade that has appeared since the picture ``before`` covers the surroundings of the board, too: the
    colours of the next level's board may equal those of the old one behind a shade."""
    shade = _shade(before, now, places)
    return shade is not None and _lies_around(before, now, shade, places)


def _lies_around(before: Image, now: Image, shade: Shade, places: Collection[Box]) -> bool:
    """Whether enough of the board's surroundings was as in ``before`` and is behind ``shade`` now."""
    shaded = shade.leaves(before, now, EXACT) & ~_near(now, before, EXACT)
    board = around(places).crop(shaded)
    rest = shaded.size - board.size
    return rest > 0 and bool((np.count_nonzero(shaded) - np.count_nonzero(board)) / rest >= LEAST_PART)


@remembered
def _shade(before: Image, now: Image, places: Collection[Box]) -> Shade | None:
    """The shade that has appeared; None where there is none."""
    if before.shape != now.shape or not places:
        return None
    board = around(places)
    out_x, out_y = round(AROUND * board.width), round(AROUND * board.height)
    step = max(-(-max(board.width + 2 * out_x, board.height + 2 * out_y) // SAMPLES), 1)
    right, bottom = board.x + board.width + out_x, board.y + board.height + out_y
    near = np.s_[max(board.y - out_y, 0) : bottom : step, max(board.x - out_x, 0) : right : step]
    first = before[near].reshape(-1, 3).astype(np.int32)
    second = now[near].reshape(-1, 3).astype(np.float32)
    changed = largest_channel(np.abs(second - first)) > EXACT
    if not changed.size:
        return None
    if changed.mean() < LEAST_PART:
        inside = board.crop(largest_channel(cv2.absdiff(before, now)))[::step, ::step]
        if not inside.size or (inside > EXACT).mean() < ON_BOARD:
            return None
    first, second = first[changed], second[changed]
    codes = _codes(first)
    usual, counts = np.unique(codes, return_counts=True)
    pairs: list[tuple[int, Floats, Floats]] = []
    for code in usual[np.argsort(-counts)][:COLOURS]:
        chosen = codes == code
        into = _codes(second[chosen].astype(np.int32))
        values, times = np.unique(into, return_counts=True)
        # A dialog may hide most of a colour's pixels: the remaining ones then determine the shade.
        for value in values[np.argsort(-times)][:FATES]:
            same = into == value
            if same.mean() >= A_FATE:
                a, b = (np.median(part[chosen][same], axis=0).astype(np.float32) for part in (first, second))
                pairs.append((int(code), a, b))
    best: tuple[float, float, Floats] | None = None
    for (code, a, a_now), (other, b, b_now) in combinations(pairs, 2):
        between = b - a
        length = float(between @ between)
        if code == other or length < APART**2:
            continue
        left = float((b_now - a_now) @ between) / length
        if not LEAST <= left <= MOST:
            continue
        added: Floats = ((a_now - left * a) + (b_now - left * b)) / 2
        told = {which for which, c, c_now in pairs if float(np.abs(c_now - (left * c + added)).max()) <= EXACT}
        if len(told) < FEWEST:
            continue
        share = float((largest_channel(np.abs(second - (left * first + added))) <= EXACT).mean())
        if best is None or share > best[0]:
            best = share, left, added
    if best is None or best[0] < EXPLAINED:
        return None
    return Shade(best[1], best[2])


def _codes(colours: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """A number for each colour, shape ``(n, 3)``, the same for similar ones."""
    coarse = colours // 8
    return np.asarray(coarse[:, 0] * 1024 + coarse[:, 1] * 32 + coarse[:, 2], np.int32)
