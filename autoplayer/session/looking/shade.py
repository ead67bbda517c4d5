"""What is behind a shade: a window that opens a dialog often darkens, or fades, all the rest of itself, so that the
whole picture changes and not only the dialog. Works on pixels only."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import numpy as np

from autoplayer.core.frame import Box, Floats, Image, Mask, around, largest_channel

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

LEAST_PART = 0.3
"""The least share of the sampled pixels that must have changed: a shade covers the whole game."""

EXPLAINED = 0.5
"""The least share of the changed pixels that a shade must explain: a dialog takes up less than the other half."""

ALONG = 0.1
"""The least share of a row or column of the picture that is seen through the shade where the shade covers it."""

FEWEST = 3
"""The least number of colours that it must explain. Any two colours that changed into two others fit some shade, as
those of cells and chains may from one level to the next; a third one is evidence."""


def unshaded(before: Image, now: Image, places: Collection[Box]) -> Image:
    """``now`` without the shade that has appeared since the picture ``before`` (both BGR, of equal shape), in which the
    board is at ``places``. A shade mixes every pixel with one and the same colour in one proportion. Other changes (the
    dialog) stay. ``now`` itself where no such shade has appeared."""
    found = _shade(before, now, places)
    if found is None:
        return now
    left, added = found
    behind = before.astype(np.float32)
    away = largest_channel(np.abs(now - (left * behind + added))) <= EXACT
    away |= largest_channel(np.abs(now - behind)) <= EXACT  # beside the shade: the page around the game's part of it
    clear = np.clip((now - added) / left, 0, 255)
    clear[away] = behind[away]
    return np.rint(clear).astype(np.uint8)


def before_the_shade(before: Image, now: Image, places: Collection[Box]) -> Mask | None:
    """Shape ``(height, width)``: 255 where ``now`` shows what a shade cannot leave of any colour, because it is lighter
    or darker: the dialog. None where no shade has appeared since the picture ``before``."""
    found = _shade(before, now, places)
    if found is None:
        return None
    left, added = found
    behind = before.astype(np.float32)
    outside = np.asarray((now > 255 * left + added + CLEARLY).any(axis=2) | (now < added - CLEARLY).any(axis=2))
    same = largest_channel(np.abs(now - behind)) <= CLEARLY
    # Pixels beside the shade that did not change are the page around the game; inside the shade they are a dialog in
    # the colour of what it covers.
    shade = left * behind + added
    shaded = ~same & (largest_channel(np.abs(now - shade)) <= EXACT)
    columns, rows = (np.flatnonzero(shaded.mean(axis=axis) > ALONG) for axis in (0, 1))
    if columns.size and rows.size:
        amid = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        if _lies_around(behind, now, shade, places):
            outside[amid] |= same[amid] & (largest_channel(np.abs(now - shade))[amid] > CLEARLY)
        same[amid] = False
    return np.asarray((outside & ~same) * np.uint8(255), np.uint8)


def shades_the_rest(before: Image, now: Image, places: Collection[Box]) -> bool:
    """Whether the shade that has appeared since the picture ``before`` covers the surroundings of the board, too: the
    colours of the next level's board may equal those of the old one behind a shade."""
    found = _shade(before, now, places)
    if found is None:
        return False
    left, added = found
    behind = before.astype(np.float32)
    return _lies_around(behind, now, left * behind + added, places)


def _lies_around(behind: Floats, now: Image, shade: Floats, places: Collection[Box]) -> bool:
    """Whether enough of the board's surroundings was ``behind`` before and is ``shade`` now."""
    rest = np.ones(now.shape[:2], np.bool_)
    around(places).crop(rest)[...] = False
    shaded = (largest_channel(np.abs(now - shade)) <= EXACT) & (largest_channel(np.abs(now - behind)) > EXACT)
    return bool(rest.any()) and float(shaded[rest].mean()) >= LEAST_PART


def _shade(before: Image, now: Image, places: Collection[Box]) -> tuple[float, Floats] | None:
    """A shade: the share of the colours that remains, and the added colour, shape ``(3,)``; None where there is
    none."""
    if before.shape != now.shape or not places:
        return None
    board = around(places)
    out_x, out_y = round(AROUND * board.width), round(AROUND * board.height)
    step = max(-(-max(board.width + 2 * out_x, board.height + 2 * out_y) // SAMPLES), 1)
    right, bottom = board.x + board.width + out_x, board.y + board.height + out_y
    near = np.s_[max(board.y - out_y, 0) : bottom : step, max(board.x - out_x, 0) : right : step]
    first = before[near].reshape(-1, 3).astype(np.int32)
    second = now[near].reshape(-1, 3).astype(np.float32)
    changed = np.abs(second - first).max(axis=1) > EXACT
    if not changed.size or changed.mean() < LEAST_PART:
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
        share = float((np.abs(second - (left * first + added)).max(axis=1) <= EXACT).mean())
        if best is None or share > best[0]:
            best = share, left, added
    if best is None or best[0] < EXPLAINED:
        return None
    return best[1], best[2]


def _codes(colours: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """A number for each colour, shape ``(n, 3)``, the same for similar ones."""
    coarse = colours // 8
    return np.asarray(coarse[:, 0] * 1024 + coarse[:, 1] * 32 + coarse[:, 2], np.int32)
