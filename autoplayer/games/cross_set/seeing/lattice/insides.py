"""Measures how far the cells of a lattice extend: to their walls, or half way to the next cells. Knows no digits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from statistics import median

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

WALL = 0.7
"""The least share of a cell's side along which there is an edge, if there is a wall."""

UNBROKEN = 0.85
"""The least share of a line along a cell's side that differs from the cell's colour, if it is a wall: digits leave
gaps."""

FARTHEST = 0.2
"""How far beyond a cell's inside, as a share of its shorter side, its walls are looked for."""

STRAYING = 0.02
"""The penalty per pixel of distance from the lattice as it was found, in units of walls that have to be met instead."""

MET, ASTRAY, NONE = 0.25, 2, -1
"""The least share of the cells of a line that meet a wall at the same side for these to be their own walls; how many
pixels farther one of them may be; and the value for no wall."""

ENDS = 0.06
"""The share of a cell's side at either end where corners are."""

FAINTEST = 12.0
"""Grey levels: a wall differs by more from the colour of a cell."""

NEAR = 4
"""Pixels from a cell's inside within which its walls are looked for first."""

SAMPLED = 16
"""Positions along a cell's side at which its wall is searched when all cells are examined together."""

FULL = 0.49
"""How far a cell without walls extends, as a share of the distance to the next cells."""

TILE, FEWEST_TILES, MOST_TILES = 0.7, 2, 0.8
"""A framed or filled cell takes at least this share of its pitch, because numbers need room in it; if at least
``FEWEST_TILES`` cells, and at most the share ``MOST_TILES``, have one at the same offset, all cells do."""

STRAY = 0.02
"""The share of the gaps between cells in which something may stand all the same, a pointer or a word."""

BESIDE = 0.03
"""The share of the distance between cells that is free on both sides of where one without walls ends: what is between
two digits is narrower, if there are enough of them to come that far."""


def boxes_of(view: View, found: lattice.Lattice, size: int) -> dict[Cell, Box] | None:
    """The inside of each cell; None where one is not in the picture."""
    reach = _reach(view, found, size)
    if reach is None:
        return None
    before, above, behind, below = reach
    result = {}
    for r in range(size):
        for c in range(size):
            x, y = found.x + c * found.pitch_x, found.y + r * found.pitch_y
            left, top = round(x - before), round(y - above)
            result[r, c] = Box(left, top, round(x + behind) - left, round(y + below) - top)
    return result


def _reach(view: View, found: lattice.Lattice, size: int) -> tuple[float, float, float, float] | None:
    """How far a cell's inside extends from its middle: left, up, right, down, in pixels; None if a cell is not in the
    picture. The walls are where most cells agree; their contents differ."""
    height, width = view.image.shape[:2]
    half = found.width / 2, found.height / 2
    xs = found.x + np.arange(size) * found.pitch_x
    ys = found.y + np.arange(size) * found.pitch_y
    for along, most, own in ((xs, width, half[0]), (ys, height, half[1])):
        if along[0] - 0.9 * own < 0 or along[-1] + 0.9 * own > most:
            return None
    if not view.walled:
        if (moved := _of_tiles(view, found)) is not None:
            (x, y), across, down = moved.tolist(), FULL * found.pitch_x, FULL * found.pitch_y
            return across - x, down - y, across + x, down + y
        inked = view.strength > view.threshold
        before, behind = _between_blobs(inked, xs, ys, found.pitch_x, found.pitch_y)
        above, below = _between_blobs(inked.T, ys, xs, found.pitch_y, found.pitch_x)
        return before, above, behind, below
    # A wall runs along all of a side, which a row of digits never does. What is a cell away from the block says nothing
    # of it; an even number of pixels is left out, so that halves are rounded as in the whole picture.
    left, top = (max(int(v[0] - pitch) // 2 * 2 - 2, 0) for v, pitch in ((xs, found.pitch_x), (ys, found.pitch_y)))
    part = slice(top, int(ys[-1] + found.pitch_y) + 3), slice(left, int(xs[-1] + found.pitch_x) + 3)
    edges = lattice.edge_strength(view.image[part]) if view.coarse else view.strength[part]
    xs, ys, (height, width) = xs - left, ys - top, edges.shape
    strength = lattice.stronger(edges, 0.9 * view.threshold)
    reaches: dict[tuple[bool, int], float] = {}
    for across in (True, False):
        own, pitch = (half[0], found.pitch_x) if across else (half[1], found.pitch_y)
        side = 0.7 * (half[1] if across else half[0])
        steps = np.arange(int(0.85 * own), int(0.5 * pitch) + 2)
        along, middles, most = (xs, ys, width) if across else (ys, xs, height)
        bands = [slice(max(round(v - side), 0), round(v + side) + 1) for v in middles.tolist()]
        # The share of each line across a row of cells, or along a column of them, that is an edge.
        shares = np.stack(
            [cv2.reduce(strength[band], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel() for band in bands]
            if across
            else [cv2.reduce(strength[:, band], 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel() for band in bands]
        )
        for sign in (-1, 1):
            at = np.clip(np.rint(along[:, None] + sign * steps).astype(int), 0, most - 1)
            ranked = np.sort(shares[:, at].reshape(-1, len(steps)), axis=0)
            profile = (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2
            walls = profile > WALL
            # Where there seem to be walls from the first step on it is no wall, but noise or a digit's edge.
            strong = np.flatnonzero(walls & (np.cumsum(~walls) > 0))
            inner = float(steps[strong[0]]) - 1.0 if len(strong) else own
            reaches[across, sign] = min(inner, FULL * pitch)
    return reaches[True, -1], reaches[False, -1], reaches[True, 1], reaches[False, 1]


def _of_tiles(view: View, found: lattice.Lattice) -> Floats | None:
    """The offset of the middles of cells without walls from the middles of what was found in them, as shown by some
    framed or filled cells, such as locked ones: x and y, pixels; None if there are none, or their offsets differ."""
    pitch = np.array([found.pitch_x, found.pitch_y])
    boxes = lattice.regions(lattice.areas(view.strength, view.threshold), float(pitch.max() / pitch.min()) / TILE)
    tiles = boxes[((boxes[:, 2:] > TILE * pitch) & (boxes[:, 2:] <= pitch + 1)).all(axis=1)]
    away = (tiles[:, :2] + tiles[:, 2:] / 2 - [found.x, found.y]) / pitch
    at = np.rint(away).astype(int)
    own = ((at >= 0) & (at <= np.max([(c, r) for r, c in found.cells], axis=0))).all(axis=1)
    if not FEWEST_TILES <= np.count_nonzero(own) <= len(found.cells) / 2:  # where most are, cells have walls
        return None
    shifts = (away - at)[own] * pitch
    middle = np.median(shifts, axis=0)
    alike = (np.abs(shifts - middle) <= ASTRAY).all(axis=1)
    return np.asarray(middle, np.float32) if np.mean(alike) >= MOST_TILES else None


def _between_blobs(inked: NDArray[np.bool_], xs: Floats, ys: Floats, pitch: float, other: float) -> tuple[float, float]:
    """How far cells without walls extend from their middles ``xs`` to the left and to the right, in pixels: half way to
    their neighbours, unless something stands there in some row; then to where the least does. Content that is
    left-aligned in all cells is not in their middle."""
    lines = [inked[max(round(y - other / 2), 0) : round(y + other / 2)].any(axis=0) for y in ys.tolist()]
    profile = np.sum(lines, axis=0)
    half = int(FULL * pitch)
    shifts = np.arange(-half, half + 1)
    at = np.rint(np.append(xs - pitch / 2, xs[-1] + pitch / 2)[:, None] + shifts).astype(int)
    met = np.where((at >= 0) & (at < len(profile)), profile[np.clip(at, 0, len(profile) - 1)], 0).sum(axis=0)
    # Between the digits of numbers as broad as the distance to the next cells no cell ends.
    near = max(round(BESIDE * pitch), 1)
    met = sliding_window_view(np.pad(met, near, mode="edge"), 2 * near + 1).max(axis=1)
    # A line that is broader than this distance reaches over both ends of its cell, and elsewhere over one.
    free = met <= 2 * met.min() + STRAY * at.shape[0] * len(lines)
    if free[half]:
        return FULL * pitch, FULL * pitch
    # The middle of the broadest gap, of the nearest where several are.
    starts = np.flatnonzero(np.diff(np.concatenate([[False], free, [False]]).astype(np.int8)))
    gaps = starts.reshape(-1, 2)
    first, last = max(gaps.tolist(), key=lambda gap: (gap[1] - gap[0], -abs((gap[0] + gap[1]) / 2 - half)))
    moved = float(shifts[(first + last - 1) // 2])
    return FULL * pitch - moved, FULL * pitch + moved


def along_the_walls(view: View, found: lattice.Lattice, size: int) -> lattice.Lattice:
    """A lattice whose cells at both ends were not found (locked or crowded ones), shifted and stretched so that its
    lines are on the picture's walls: an error of half a pixel per cell adds up far from where it was measured."""
    if not view.walled:
        return found
    plain: Floats | None = None
    for across in (True, False):
        own = sorted({c if across else r for r, c in found.cells if 0 <= (c if across else r) < size})
        if not own or (own[0] == 0 and own[-1] == size - 1):
            continue
        plain = view.image.astype(np.float32) if plain is None else plain
        # How much the colour changes from a pixel to the next, as far as it makes a wall.
        change = largest_channel(np.abs(np.diff(plain if across else plain.swapaxes(0, 1), axis=1)))
        lines = np.minimum(change / (3 * view.threshold), 1.0)
        start, pitch, width = (
            (found.x, found.pitch_x, found.width) if across else (found.y, found.pitch_y, found.height)
        )
        other, step, deep = (found.y, found.pitch_y, found.height) if across else (found.x, found.pitch_x, found.width)
        bands = []
        for k in range(size):
            low, high = round(other + k * step - 0.35 * deep), round(other + k * step + 0.35 * deep) + 1
            if low >= 0 and high <= lines.shape[0]:
                bands.append(lines[low:high].mean(axis=0))
        if not bands:
            continue
        # Half of the rows at least have a wall there, and most of its length.
        profile = np.convolve(np.median(np.stack(bands), axis=0), (0.25, 0.5, 0.25), "same")
        reach = max(own[0], size - 1 - own[-1]) + 1.0
        shifts = np.arange(-reach, reach + 0.25, 0.5)
        first, last, half = np.meshgrid(shifts, shifts, np.arange(-2.0, 2.5, 0.5) + width / 2, indexing="ij")
        shares = np.arange(size) / (size - 1)
        middles = start + pitch * np.arange(size) + first[..., None] * (1 - shares) + last[..., None] * shares
        worth = np.zeros(first.shape)
        for side in (-half[..., None], half[..., None]):
            at = np.rint(middles + side - 0.5).astype(int)
            inside = (at >= 0) & (at < len(profile))
            worth += np.where(inside, profile[np.clip(at, 0, len(profile) - 1)], 0.0).sum(axis=-1)
        # What is nearest to the lattice as it was found, of what is equally good.
        worth -= STRAYING * (np.abs(first) + np.abs(last) + np.abs(half - width / 2))
        best = np.unravel_index(int(worth.argmax()), worth.shape)
        start, pitch = start + float(first[best]), pitch + float(last[best] - first[best]) / (size - 1)
        found = replace(found, x=start, pitch_x=pitch) if across else replace(found, y=start, pitch_y=pitch)
    return found


def to_the_walls(
    view: View, boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats] | None = None
) -> dict[Cell, Box]:
    """Each cell's inside extended to its own walls: digits may stand close to them, and the lattice is a pixel off here
    and there. A side without a wall stays where it is. All cells of a column (of a row, above and below) have their
    walls at one distance: a wall that is farther is a neighbour's, found because rounded corners leave too little of
    the cell's own."""
    if not view.walled:
        return dict(boxes)
    image, least = view.image, FAINTEST + 3 * view.noise
    reach: dict[Cell, list[int]] = _steps_to_walls(image, boxes, grounds, least) if grounds else {}
    colours = (
        {} if reach else dict(zip(boxes, ink.ground_colours([b.crop(image) for b in boxes.values()]), strict=True))
    )
    for cell, ground in colours.items():
        box = boxes[cell]
        left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
        across = slice(left + int(ENDS * box.width), right - int(ENDS * box.width))
        down = slice(top + int(ENDS * box.height), bottom - int(ENDS * box.height))
        most = max(2, int(FARTHEST * min(box.width, box.height)))
        reach[cell] = []
        for strip in (
            image[down, max(left - most, 0) : left][:, ::-1].swapaxes(0, 1),
            image[max(top - most, 0) : top, across][::-1],
            image[down, right : right + most].swapaxes(0, 1),
            image[bottom : bottom + most, across],
        ):
            differs = largest_channel(np.abs(strip.astype(np.float32) - ground)) > least
            walls = np.flatnonzero(differs.mean(axis=1) > UNBROKEN) if differs.size else np.zeros(0)
            reach[cell].append(int(walls[0]) if len(walls) else NONE)
    usual: dict[tuple[int, int], int] = {}
    for side in range(4):
        lines: dict[int, list[int]] = defaultdict(list)
        for cell, steps in reach.items():
            lines[cell[_line_at(side)]].append(steps[side])
        for number, line in lines.items():
            met = [v for v in line if v != NONE]
            usual[side, number] = int(median(met)) if len(met) > MET * len(line) else 0
    result = {}
    for cell, box in boxes.items():
        more = []
        for side, own in enumerate(reach[cell]):
            most = usual[side, cell[_line_at(side)]]
            more.append(most if own > most + ASTRAY else max(own, 0))
        left, above, right, below = more
        result[cell] = Box(box.x - left, box.y - above, box.width + left + right, box.height + above + below)
    return result


class Walled(Mapping[Cell, Box]):
    """What :func:`to_the_walls` answers, found when the first box is asked for: only later pictures of a board need
    them."""

    def __init__(self, view: View, boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats]) -> None:
        self._asked = view, boxes, grounds

    @cached_property
    def _found(self) -> dict[Cell, Box]:
        return to_the_walls(*self._asked)

    def __getitem__(self, cell: Cell) -> Box:
        return self._found[cell]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._asked[1])

    def __len__(self) -> int:
        return len(self._asked[1])


def _line_at(side: int) -> int:
    """The row or column index of a cell, which determines the cells whose side lies on the same line."""
    return 1 if side % 2 == 0 else 0


def _steps_to_walls(
    image: Image, boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats], least: float
) -> dict[Cell, list[int]]:
    """How many pixels beyond the inside of each cell its walls are: left, above, right, below; for cells of about one
    size at once, at some positions along each side."""
    height, width = image.shape[:2]
    every = np.array([(b.x, b.y, b.x + b.width, b.y + b.height) for b in boxes.values()])
    left, top, right, bottom = every.T[..., None, None]
    ground = np.stack([grounds[cell] for cell in boxes]).T[..., None, None]
    most = max(2, int(FARTHEST * float(min((right - left).min(), (bottom - top).min()))))
    beyond = np.arange(most)[None, :, None]
    places = np.linspace(ENDS, 1 - ENDS, SAMPLED)[None, None, :]
    down, across = np.rint(top + places * (bottom - top)), np.rint(left + places * (right - left))
    result = []
    for x, y in (
        (left - 1 - beyond, down), (across, top - 1 - beyond), (right + beyond, down), (across, bottom + beyond)
    ):  # fmt: skip
        steps = np.full(len(every), NONE)
        # Most walls are met at once.
        for first, last in ((0, NEAR), (NEAR, most)):
            open_ones = np.flatnonzero(steps == NONE)
            if not len(open_ones) or first >= last:
                break
            part = slice(first, last)
            whole_x, whole_y = (v[open_ones][:, part if v.shape[1] > 1 else slice(1)].astype(int) for v in (x, y))
            inside = (whole_x >= 0) & (whole_y >= 0) & (whole_x < width) & (whole_y < height)
            at = np.clip(whole_y, 0, height - 1) * width + np.clip(whole_x, 0, width - 1)
            colours = np.moveaxis(np.take(image.reshape(-1, 3), at, axis=0), 3, 0)
            own = ground[:, open_ones]
            differs = np.logical_or.reduce([np.abs(a - b) > least for a, b in zip(colours, own, strict=True)])
            differs &= inside
            walls = differs.mean(axis=2) > UNBROKEN
            steps[open_ones] = np.where(walls.any(axis=1), first + walls.argmax(axis=1), NONE)
        result.append(steps)
    return dict(zip(boxes, np.stack(result, axis=1).tolist(), strict=True))
