"""Generates hypotheses for the position of a board of Cross Set: square blocks of lattices, the likeliest first. Knows
no digits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import cv2
import numpy as np

from autoplayer.core.frame import Image, Mask
from autoplayer.games.cross_set.seeing.lattice.dashes import with_whole_lines
from autoplayer.games.cross_set.seeing.lattice.outlines import outlined
from autoplayer.games.cross_set.seeing.lattice.rounded import round_lattices
from autoplayer.games.cross_set.seeing.lattice.tiles import tiled
from autoplayer.vision import lattice
from autoplayer.vision.ringing import ringing
from autoplayer.vision.views import View, smoothed, stages

SMALLEST, LARGEST = 3, 16
"""Rows: fewer are no puzzle, and more have numbers that nobody could read in a cell."""

LONGEST = 7.0
"""The longer side of a cell's inside at most, as a multiple of the shorter one: candidates in a row need room."""

CROWDED = 2
"""The number of free sides of a cell whose candidates come close to the others."""

SEEN = 0.4
"""At least this share of a board's cells is found as equal boxes; a cell under a cursor or a locked one may look
different."""

SAME_PITCH, DIVIDED = 0.02, 0.06
"""By which share the pitches of the lattices of the two parts of divided cells differ, and the greatest share of the
pitch that the line between the parts takes."""

HALF = 1.4
"""The least ratio of length to breadth of the parts of cells that a line divides in the middle."""

EQUAL, HALVES = 0.13, 0.1
"""Boxes whose sides differ by no more than the first share are equal. Of the boxes that are closer to another one than
most, if each is one of two halves, no more than the second share is that close to two."""

LONG = 2.0
"""Cells at least so many times as wide as high may be the lines within others: they are considered last."""

FILLED = 0.7
"""A box of which a larger share is drawn holds no numbers: these cover about half of theirs, and a disc nearly four
fifths."""


def cleaned(image: Image) -> tuple[Image, float]:
    """``image`` (BGR), denoised if there is much noise, and the remaining noise level, including compression artefacts
    beside edges: numbers stand close to each other."""
    image, level = smoothed(image)
    return image, max(level, ringing(image))


def hypotheses(image: Image, noise: float | None = None) -> Iterator[tuple[View, lattice.Lattice, int]]:
    """Square parts of lattices, the likeliest first. ``noise``: the remaining noise of an image that is ``cleaned``
    already, here and below."""
    tried: set[tuple[int, ...]] = set()
    if noise is None:
        image, noise = cleaned(image)
    for bare in (4, CROWDED):
        for view, lattices in stages(
            image, (LARGEST + 2) ** 2, by_marks=False, longest=LONGEST, bare=bare, noise=noise
        ):
            every = list(lattices)
            for found in (*joined(every), *of_halves(view, every), *every):
                for square, size in squares(found):
                    key = (round(square.x), round(square.y), round(square.pitch_x), round(square.pitch_y), size)
                    if key not in tried:
                        tried.add(key)
                        yield view, square, size
        if bare != CROWDED:
            yield from ruled(image, noise)
            yield from _dashed(image, noise)
            for view, found in round_lattices(image, noise):
                yield from ((view, square, size) for square, size in squares(found))
    for view, found in chain(outlined(image, noise), tiled(image, noise), blobs(image, noise)):
        for square, size in squares(found):
            yield view, square, size


def _dashed(image: Image, noise: float) -> Iterator[tuple[View, lattice.Lattice, int]]:
    """Square parts of the lattices of cells with dashed walls."""
    whole = with_whole_lines(image, noise) if image.ndim == 3 else None
    if whole is not None:
        for view, lattices in stages(whole, (LARGEST + 2) ** 2, by_marks=False, longest=LONGEST, noise=noise):
            yield from ((view, square, size) for found in lattices for square, size in squares(found))


def joined(every: Sequence[lattice.Lattice]) -> Iterator[lattice.Lattice]:
    """Lattices of cells that a line from wall to wall divides, each joined from the two lattices of their parts: these
    have the same pitch, and are close together."""
    for one, other in itertools.permutations(every, 2):
        if max(abs(one.pitch_x / other.pitch_x - 1), abs(one.pitch_y / other.pitch_y - 1)) > SAME_PITCH:
            continue
        for across in (True, False):
            whole = _joined(one, other, across)
            if whole is not None:
                yield whole


def _joined(one: lattice.Lattice, other: lattice.Lattice, across: bool) -> lattice.Lattice | None:
    """``other`` is the right part of each cell, or, unless ``across``, the lower one; None where it is not."""
    ours, theirs = (
        ((f.x, f.pitch_x, f.width), (f.y, f.pitch_y, f.height))[:: 1 if across else -1] for f in (one, other)
    )
    (start, pitch, size), (level, step, breadth) = ours
    (behind, _, more), (beside, _, own) = theirs
    lines = round((beside - level) / step)
    if abs(beside - level - lines * step) > SAME_PITCH * step + 1 or abs(own - breadth) > SAME_PITCH * step + 2:
        return None
    columns = math.floor((behind - start) / pitch)
    apart = behind - start - columns * pitch - (size + more) / 2
    if not 0 <= apart <= DIVIDED * pitch or size + apart + more > pitch:
        return None
    dr, dc = (lines, columns) if across else (columns, lines)
    cells = one.cells | {(r + dr, c + dc) for r, c in other.cells}
    ends = [max(cell[k] for cell in cells) - min(cell[k] for cell in cells) for k in (0, 1)]
    if ends != [max(cell[k] for cell in one.cells) for k in (0, 1)]:
        return None  # the lower part of one cell and the upper one of the next
    middle = start + (apart + more) / 2
    if across:
        return replace(one, x=middle, width=size + apart + more, cells=frozenset(cells))
    return replace(one, y=middle, height=size + apart + more, cells=frozenset(cells))


def of_halves(view: View, every: Sequence[lattice.Lattice]) -> Iterator[lattice.Lattice]:
    """Lattices of cells that a line from wall to wall divides in the middle: all parts are alike, and the two parts
    of a cell are closer to each other than to the next. ``every``: the lattices that are found without considering
    that."""
    if not any(one.oblong >= HALF for one in every):
        return
    boxes = lattice.regions(lattice.areas(view.strength, view.threshold), LONGEST)
    for group in lattice.groups(boxes):
        if len(group) < SMALLEST**2:
            return
        for turn in ([0, 1, 2, 3], [1, 0, 3, 2]):
            whole = _of_two(group[:, turn])[:, turn]
            if len(whole) < SMALLEST:
                continue
            # A cell with a single number may have no line.
            undivided = (np.abs(boxes[:, 2:] / np.median(whole[:, 2:], axis=0) - 1) <= EQUAL).all(axis=1)
            found = lattice.fit(np.concatenate([whole, boxes[undivided]]), EQUAL)
            if found is not None:
                yield found


def _of_two(boxes: lattice.Boxes) -> lattice.Boxes:
    """The union of two neighbouring boxes that are closer than most: ``x, y, width, height`` of each, pixels."""
    x, y, w, h = (boxes[:, k] for k in range(4))
    # The next one in the same row.
    apart = x[None] - (x + w)[:, None]
    beside = (np.abs(y[None] - y[:, None]) <= EQUAL * h[:, None]) & (x[None] > x[:, None])
    apart = np.where(beside, apart, np.iinfo(np.int32).max)
    following, gaps = apart.argmin(axis=1), apart.min(axis=1)
    closest = int(gaps.min())
    close = gaps <= closest + 1
    # One that is as close to the next as to the one before is no half of either, unless there are twice as many as
    # there are rows in each.
    both = np.isin(following[close], np.flatnonzero(close)).mean()
    if closest > 2 * DIVIDED * float(np.median(w)) or (both > HALVES and not _is_twice_as_broad(boxes)):
        return boxes[:0]
    taken: set[int] = set()
    found = []
    for one in np.lexsort((x, y)).tolist():
        other = int(following[one])
        if close[one] and one not in taken and other not in taken:
            taken |= {one, other}
            found.append((x[one], min(y[one], y[other]), x[other] + w[other] - x[one], max(h[one], h[other])))
    return np.array(found, np.int32).reshape(-1, 4)


def _is_twice_as_broad(boxes: lattice.Boxes) -> bool:
    """Whether twice as many boxes stand in a row as in a column."""
    found = lattice.fit(boxes, EQUAL)
    if found is None:
        return False
    rows, columns = (1 + max(cell[k] for cell in found.cells) for k in (0, 1))
    return columns == 2 * rows


def squares(found: lattice.Lattice) -> Iterator[tuple[lattice.Lattice, int]]:
    """The square blocks of a lattice in which most cells were found, the largest and fullest first."""
    rows, columns = 1 + max(r for r, _ in found.cells), 1 + max(c for _, c in found.cells)
    filled = np.zeros((rows, columns), np.int32)
    for r, c in found.cells:
        filled[r, c] = 1
    sums = np.pad(filled.cumsum(0).cumsum(1), ((1, 0), (1, 0))).tolist()
    blocks = []
    # A whole row or column may look otherwise (locked cells): one that is missing may be added at either side.
    for size in range(SMALLEST, min(LARGEST, max(rows, columns)) + 1):
        for top in range(min(0, rows - size), max(rows - size, 0) + 1):
            for left in range(min(0, columns - size), max(columns - size, 0) + 1):
                a, b = max(top, 0), min(top + size, rows)
                c, d = max(left, 0), min(left + size, columns)
                count = sums[b][d] - sums[a][d] - sums[b][c] + sums[a][c]
                if count >= SEEN * size * size:
                    # All that was found, no more and no less, is the likeliest.
                    exact = rows == columns == size
                    blocks.append((exact, count / size, size, top, left))
    blocks.sort(reverse=True)
    for _, _, size, top, left in blocks[:4]:
        square = lattice.Lattice(
            found.x + left * found.pitch_x,
            found.y + top * found.pitch_y,
            found.pitch_x,
            found.pitch_y,
            found.width,
            found.height,
            frozenset((r - top, c - left) for r, c in found.cells),
        )
        yield square, size


def blobs(image: Image, noise: float | None = None) -> Iterator[tuple[View, lattice.Lattice]]:
    """Lattices of cells without walls: the content of a cell merges into one blob if the gaps within cells are closed
    and those between cells are not."""
    if image.ndim != 3 or min(image.shape[:2]) < 24:
        return
    image, level = cleaned(image) if noise is None else (image, noise)
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    reach = 41
    away = cv2.absdiff(gray, np.asarray(cv2.medianBlur(gray, reach), np.uint8))
    inked = np.asarray(away > max(24.0, 6 * level), np.uint8)
    strength = lattice.edge_strength(image)
    view = View(image, strength, level, max(12.0, 5 * level), False)
    lettered: list[lattice.Lattice] = []
    long: list[lattice.Lattice] = []
    for gap in (9, 15, 25, 5, 37):
        closed = cv2.morphologyEx(inked, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(closed, np.uint8), connectivity=8)
        boxes = np.asarray(stats[1:, :4], np.int32)
        fair = (boxes[:, 3] >= 8) & (boxes[:, 2] >= 4) & (boxes[:, 3] < gray.shape[0] / 3)
        for group in lattice.groups(boxes[fair], 0.25, by_width=False):
            if len(group) < SMALLEST**2:
                break
            if (found := _of_blobs(group)) is not None:
                if found.oblong < LONG:
                    yield view, found
                else:
                    long.append(found)
            # Dots at the ends of rows, bars and buttons are as high as numbers by chance.
            numbers = np.array([inked[y : y + h, x : x + w].mean() < FILLED for x, y, w, h in group.tolist()])
            if not numbers.all() and (found := _of_blobs(group[numbers])) is not None:
                lettered.append(found)
    yield from ((view, found) for found in (*lettered, *long))


def _of_blobs(group: lattice.Boxes) -> lattice.Lattice | None:
    """The lattice of the contents of cells; None where they stand on none that a board may have."""
    if len(group) < SMALLEST**2:
        return None
    found = lattice.fit(group, 0.25)
    return found if found is not None and len(found.cells) >= SMALLEST**2 and found.oblong < LONGEST else None


RULE, RULED, UNALIKE, LEAVES = 0.08, 24, 2, 0.15
"""A line between cells is no thicker than ``RULE`` of its length and at least ``RULED`` pixels long; the lines of one
board begin and end within ``UNALIKE`` pixels of each other; and beyond the last of them there is as much room as
between two, to within the share ``LEAVES``."""


def ruled(image: Image, level: float) -> Iterator[tuple[View, lattice.Lattice, int]]:
    """Small boards with lines between their cells but none around them, so that hardly a cell is closed: equally many
    lines in both directions, equally spaced, each as long as the board."""
    if image.ndim != 3 or min(image.shape[:2]) < SMALLEST * lattice.SMALLEST:
        return
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    away = cv2.absdiff(gray, np.asarray(cv2.medianBlur(gray, 41), np.uint8))
    inked = np.asarray(away > max(6.0, 5 * level), np.uint8)
    flat, upright = _rules(inked), _rules(inked.T)
    view = View(image, lattice.edge_strength(image), level, max(12.0, 5 * level), True)
    for left, right, ys in flat:
        for top, bottom, xs in upright:
            size = len(xs) + 1
            if len(xs) != len(ys) or not SMALLEST <= size <= LARGEST:
                continue
            across, down = (right - left) / size, (bottom - top) / size
            if max(across, down) >= LONG * min(across, down):
                continue
            apart = [xs[0] - left, *np.diff(xs), right - xs[-1]], [ys[0] - top, *np.diff(ys), bottom - ys[-1]]
            if any(
                max(abs(v / own - 1) for v in each) > LEAVES for each, own in zip(apart, (across, down), strict=True)
            ):
                continue
            pitch = float(np.mean(np.diff(xs))), float(np.mean(np.diff(ys)))
            every = frozenset((r, c) for r in range(size) for c in range(size))
            x, y = xs[0] - pitch[0] / 2, ys[0] - pitch[1] / 2
            yield view, lattice.Lattice(x, y, *pitch, pitch[0] - 2 * UNALIKE, pitch[1] - 2 * UNALIKE, every), size


def _rules(inked: Mask) -> list[tuple[int, int, list[float]]]:
    """Horizontal lines of equal length, one below the other: where they begin and end, and the height of each."""
    long = cv2.morphologyEx(inked, cv2.MORPH_OPEN, np.ones((1, RULED), np.uint8))
    _, _, stats, middles = cv2.connectedComponentsWithStats(np.asarray(long, np.uint8), connectivity=8)
    lines = sorted(
        (int(x), int(x + w), float(middle))
        for (x, _, w, h, _), (_, middle) in zip(stats[1:].tolist(), middles[1:].tolist(), strict=True)
        if w >= SMALLEST * RULED and h <= max(RULE * w, 2)
    )
    found: list[list[tuple[int, int, float]]] = []
    for line in lines:
        like = [one for one in found if max(abs(one[0][k] - line[k]) for k in (0, 1)) <= UNALIKE]
        if like:
            like[0].append(line)
        else:
            found.append([line])
    return [
        (min(a for a, _, _ in each), max(b for _, b, _ in each), sorted(middle for _, _, middle in each))
        for each in found
        if len(each) >= SMALLEST - 1
    ]
