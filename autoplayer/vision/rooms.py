"""Rooms: areas of several cells with no wall between them. Many windows remove the walls that a drawn chain crosses.
Its cells are then no longer separate boxes of equal size, but the outline of their common area still lies on the
lattice."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell
from autoplayer.vision.lattice import FARTHEST, Areas, Boxes, Lattice, line

ON_LINE, ROUNDED = 0.025, 1.5
"""The largest distance of an outline from the lattice's lines: as a share of the pitch, and in pixels if that is
more."""

CORNER = 0.14
"""A cell belongs to an area where the four pixels near its corners do, which lie this far inside its sides, as a share
of the pitch: no glyph reaches there."""

MIDDLE = 0.6
"""The share of a cell's sides in the middle of which a glyph stands."""

BEYOND = 0.1
"""The largest share of an area outside its cells: the gaps that the removed walls leave."""

WIDEST_WALL = 0.35
"""The largest width of the wall between two cells, as a share of their sides."""

SAME_SIZE = 0.13
"""The largest relative difference in size between two boxes of one kind."""

MOST = 24
"""The most areas, and the most boxes, that are compared where no two boxes are equal."""


def with_rooms(areas: Areas, boxes: Boxes, found: Lattice) -> Lattice:
    """``found``, extended by the cells of all rooms whose outline lies on its lines, and by those of ``boxes`` that
    continue the lattice beside them. The lattice is fitted again after each such step, so that it stays exact farther
    away."""
    spots, ends = np.empty((0, 2), np.int64), np.empty((0, 2))
    left = _large(areas, found.width, found.height)
    while True:
        rooms = {number: room for number in left if (room := _cells(areas, number, found))}
        if not rooms:
            return _from_zero(found) if len(spots) else found
        left = [number for number in left if number not in rooms]
        for number, room in rooms.items():
            x, y, w, h = areas.box(number)
            off = (found.width - 1) / 2, (found.height - 1) / 2
            spots = np.concatenate([spots, [np.min([*room], axis=0)[::-1], np.max([*room], axis=0)[::-1]]])
            ends = np.concatenate([ends, [(x + off[0], y + off[1]), (x + w - 1 - off[0], y + h - 1 - off[1])]])
        more = frozenset().union(*rooms.values())
        found = replace(found, cells=found.cells | more, joined=found.joined | (more - found.cells))
        found = _fitted(found, boxes, spots, ends)


def _fitted(found: Lattice, boxes: Boxes, spots: NDArray[np.int64], ends: NDArray[np.float64]) -> Lattice:
    """``found`` with its origin and pitch fitted to the ``boxes`` that stand on it and to the corner cells of rooms:
    ``spots`` are their places, ``(column, row)``, and ``ends`` their centres in pixels, ``(x, y)``; both ``(N, 2)``.
    Boxes that stand on the lattice beside its cells become cells as well."""
    size, pitch = (found.width, found.height), np.array((found.pitch_x, found.pitch_y))
    alike = (np.abs(boxes[:, 2:] - size) <= np.maximum(SAME_SIZE * np.array(size), 2)).all(axis=1)
    centres = boxes[alike, :2] + (boxes[alike, 2:] - 1) / 2
    places = (centres - (found.x, found.y)) / pitch
    whole = np.rint(places).astype(np.int64)
    on = (np.abs(places - whole) * pitch <= np.maximum(ON_LINE * pitch, ROUNDED)).all(axis=1)
    cells = set(found.cells)
    known: list[int] = []
    free = [int(i) for i in np.flatnonzero(on)]
    while near := [i for i in free if _beside(whole[i].tolist(), cells)]:
        cells |= {(int(whole[i, 1]), int(whole[i, 0])) for i in near}
        known += near
        free = [i for i in free if i not in known]
    all_spots, along = np.concatenate([whole[known], spots]), np.concatenate([centres[known], ends])
    x, pitch_x = line(all_spots[:, 0], along[:, 0], found.pitch_x)
    y, pitch_y = line(all_spots[:, 1], along[:, 1], found.pitch_y)
    return replace(found, x=x, y=y, pitch_x=pitch_x, pitch_y=pitch_y, cells=frozenset(cells))


def _beside(spot: Sequence[int], cells: AbstractSet[Cell]) -> bool:
    """Whether a place ``(column, row)`` is one of ``cells``, or at most ``FARTHEST`` steps from one: a hole may lie
    between."""
    column, row = spot
    steps = range(-FARTHEST, FARTHEST + 1)
    return any((row + down, column + across) in cells for down in steps for across in steps)


def beside(areas: Areas, boxes: Boxes) -> list[Lattice]:
    """The largest lattice that one of ``boxes`` forms together with the rooms beside it, for boards in which no two
    boxes of equal size are left; a list of one, or empty."""
    result = []
    for x, y, w, h in boxes[np.argsort(-boxes[:, 2] * boxes[:, 3])][:MOST].tolist():
        for number in _large(areas, w, h)[:MOST]:
            left, top, width, height = areas.box(number)
            gaps = left - x - w, x - left - width, top - y - h, y - top - height
            gap = max(gaps)
            if not 0 <= gap + 2 <= WIDEST_WALL * min(w, h) + 2 or sorted(gaps)[-2] > 0:
                continue
            pitch_x, pitch_y = w + gap, h + gap
            one = Lattice(x + (w - 1) / 2, y + (h - 1) / 2, pitch_x, pitch_y, w, h, frozenset({(0, 0)}))
            grown = with_rooms(areas, boxes, one)
            if len(grown.cells) > 1:
                result.append(grown)
    return sorted(result, key=lambda one: -len(one.cells))[:1]


def _from_zero(found: Lattice) -> Lattice:
    """The same lattice, with cells counted from 0."""
    row, column = (min(cell[by] for cell in found.cells) for by in (0, 1))
    cells, joined = (frozenset((r - row, c - column) for r, c in some) for some in (found.cells, found.joined))
    x, y = found.x + column * found.pitch_x, found.y + row * found.pitch_y
    return replace(found, x=x, y=y, cells=cells, joined=joined)


def _large(areas: Areas, width: float, height: float) -> list[int]:
    """The areas large enough for two cells, without those that reach the picture's edge, such as the background of a
    board."""
    w, h = areas.stats[:, 2], areas.stats[:, 3]
    fits = (w > 0.8 * width) & (h > 0.8 * height) & ((w > 1.6 * width) | (h > 1.6 * height))
    rows, columns = areas.labels.shape
    x, y = areas.stats[:, 0], areas.stats[:, 1]
    inside = (x > 0) & (y > 0) & (x + w < columns) & (y + h < rows)
    return [int(number) for number in np.flatnonzero(fits & inside) if number]


def _cells(areas: Areas, number: int, found: Lattice) -> set[Cell]:
    """The cells of ``found`` that make up an area; none where its outline does not lie on the lattice's lines. Places
    with nothing drawn in their middle are holes, not cells."""
    left, top, width, height = areas.box(number)
    slack = max(ON_LINE * found.pitch, ROUNDED)
    columns = _span(left, left + width, found.x, found.pitch_x, found.width, slack)
    rows = _span(top, top + height, found.y, found.pitch_y, found.height, slack)
    if columns is None or rows is None:
        return set()
    cells: set[Cell] = set()
    within = count = 0
    for r in range(rows[0], rows[1] + 1):
        for c in range(columns[0], columns[1] + 1):
            x, y = found.x + c * found.pitch_x - areas.left, found.y + r * found.pitch_y - areas.top
            by = found.width / 2 - CORNER * found.pitch_x, found.height / 2 - CORNER * found.pitch_y
            corners = [(round(y + v * by[1]), round(x + u * by[0])) for u in (-1, 1) for v in (-1, 1)]
            same = sum(_within(areas, at) and areas.labels[at] == number for at in corners)
            if same not in (0, 4):
                return set()
            if same:
                part = _around(areas, x, y, found.pitch_x, found.pitch_y)
                within += int((part == number).sum())
                middle = _around(areas, x, y, MIDDLE * found.width, MIDDLE * found.height)
                if (middle != number).any():
                    cells.add((r, c))
                count += 1
    return cells if count > 1 and within >= (1 - BEYOND) * int(areas.stats[number, 4]) else set()


def _within(areas: Areas, at: tuple[int, int]) -> bool:
    """Whether a pixel ``(row, column)`` is in the part of the picture that was segmented into areas."""
    return all(0 <= place < size for place, size in zip(at, areas.labels.shape, strict=True))


def _around(areas: Areas, x: float, y: float, width: float, height: float) -> NDArray[np.int32]:
    """The labels of the rectangle around a point, as far as it is in the segmented part of the picture."""
    (top, bottom), (left, right) = (y - height / 2, y + height / 2), (x - width / 2, x + width / 2)
    return areas.labels[max(round(top), 0) : max(round(bottom), 0), max(round(left), 0) : max(round(right), 0)]


def _span(low: float, high: float, origin: float, pitch: float, size: float, slack: float) -> tuple[int, int] | None:
    """The first and last place of a line of the lattice between two ends of an area; None where the ends do not lie on
    the lattice."""
    first, last = (low + (size - 1) / 2 - origin) / pitch, (high - 1 - (size - 1) / 2 - origin) / pitch
    if max(abs(first - round(first)), abs(last - round(last))) * pitch > slack:
        return None
    return round(first), round(last)
