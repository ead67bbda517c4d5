"""Boards whose numbers stand on the water with nothing around them: neither a ring nor a disc nor a cell.

Some games draw a ring around a part of the numbers only (the complete ones, the chosen one): then the others are added.

The only property that such numbers have and others do not is that they stand alone: the surroundings of each are empty,
except where a bridge may lead away. Words are not like that, nor are numbers of two digits. This is weak evidence; the
reader believes such a board only if it has a solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.hashi.seeing.places.chart import SAME_LINE, Chart, charted, extended, trimmed
from autoplayer.games.hashi.seeing.places.looks import free_cells
from autoplayer.games.hashi.seeing.places.numbers import LEGIBLE, Island, read
from autoplayer.games.hashi.seeing.places.options import likeliest, may_hold
from autoplayer.games.hashi.seeing.places.others import FARTHEST_LED, clear_numbers
from autoplayer.games.hashi.seeing.places.outline import Outline, View
from autoplayer.games.hashi.solver import has_solution
from autoplayer.vision import ink, lattice

FEWEST = 6
"""Numbers: with fewer anything has a solution."""

SURE = 0.9
"""The least probability of a sure number, and the least share of the isolated marks of one size that must be sure."""

WIDTH, INNER = 1.3, 1.35
"""Of a number's height: the square that counts as its island, which a bridge may touch, and the disc that is read."""

NEAR, FAR = 0.65, 1.0
"""Of a number's height: the distances from its middle at which its surroundings begin and end."""

ALONE = 0.1
"""The largest share of a number's surroundings, apart from the ways of bridges, that may have edges."""

REACHES = (1, 2, 4)
"""Pixels between pieces of one number: a broad stroke is seen by its two edges."""


def find(seen: View) -> Chart | None:
    """The board of plain numbers in a picture; None if nothing looks like one."""
    groups = [(boxes, _alone(seen, boxes)) for boxes in _groups(seen)]
    # The most numbers first: in one way of looking for marks a digit may be lower than all others.
    for boxes, bare in sorted(groups, key=lambda group: -int(group[1].sum())):
        alone = boxes[bare]
        alone = alone[~_in_words(seen, alone)]
        if not FEWEST <= len(alone) <= lattice.MOST:
            continue
        height = float(np.median(alone[:, 3]))
        found = _among_numbers(read(seen, alone[:, :2] + (alone[:, 2:] - 1) / 2, INNER * height))
        if sum(one.probability > SURE for one in found) < max(FEWEST, SURE * len(found)):
            continue
        chart = _charted(found, height)
        if chart is None:
            continue
        whole = replace(chart, islands=dict(sorted((chart.islands | _not_alone(seen, chart)).items())))
        chart = whole if has_solution(likeliest(whole, may_hold(seen, whole))) else chart
        if not _overlooked(chart, boxes[~bare]):
            return chart
    return None


def _among_numbers(found: list[Island]) -> list[Island]:
    """``found`` without what is no number and stands outside the rectangle of the numbers, such as joined letters."""
    numbers = np.array([one.centre for one in found if one.probability > LEGIBLE]).reshape(-1, 2)
    if len(numbers) == len(found) or not len(numbers):
        return found
    low, high = numbers.min(axis=0), numbers.max(axis=0)
    return [
        one for one in found if one.probability > LEGIBLE or bool(((one.centre >= low) & (one.centre <= high)).all())
    ]


def _not_alone(seen: View, chart: Chart) -> dict[Cell, Island]:
    """The numbers at free places of ``chart`` that do not stand alone, but are as clear as the others: a ring may mark
    a chosen one. The caller makes sure that they belong to a solution, so pieces of lines need not be ruled out."""
    cells = list(free_cells(chart))
    centres = np.array([(chart.xs[c], chart.ys[r]) for r, c in cells]).reshape(-1, 2)
    drawn = np.flatnonzero(_drawn(seen, centres, chart.number_height))
    return clear_numbers(seen, chart, chart, [cells[k] for k in drawn], no_lines=True) if len(drawn) else {}


def with_plain(seen: View, chart: Chart) -> Chart:
    """``chart`` with the numbers on its lattice that stand alone on the water and are as clear as the islands', where
    only some numbers have a ring. Those beyond the islands may be a heading: alone, they belong to a board that has no
    solution without them."""
    if not chart.outline.drawn:
        return chart
    wider = extended(chart, (seen.image.shape[1], seen.image.shape[0]), FARTHEST_LED)
    added = _clear_and_alone(seen, wider)
    for _ in range(MOST_HALVED if added else 0):
        finer = _halved(wider)  # in some rows and columns, no number may have a ring
        more = _clear_and_alone(seen, finer)
        if len(more) <= len(added):
            break
        wider, added = finer, more
    if not added:
        return chart
    rows, columns = {r for r, _ in wider.islands}, {c for _, c in wider.islands}
    inside = {
        (r, c): one
        for (r, c), one in added.items()
        if min(rows) <= r <= max(rows) and min(columns) <= c <= max(columns)
    }
    for more in (added, inside) if inside else ({}, added):
        whole = trimmed(replace(wider, islands=dict(sorted((wider.islands | more).items()))))
        if has_solution(likeliest(whole, may_hold(seen, whole))):
            return whole
    return chart


MOST_HALVED = 2
"""How often another line is put between any two of the lattice: rings may stand in every fourth row alone."""


def _clear_and_alone(seen: View, chart: Chart) -> dict[Cell, Island]:
    """The numbers at free places of ``chart`` that stand alone and are as clear as the islands'."""
    cells, height = list(free_cells(chart)), chart.number_height
    centres = np.array([(chart.xs[c], chart.ys[r]) for r, c in cells]).reshape(-1, 2)
    drawn = np.flatnonzero(_drawn(seen, centres, height))
    alone = drawn[_free(seen, centres[drawn], height)] if len(drawn) else drawn
    return clear_numbers(seen, chart, chart, [cells[k] for k in alone]) if len(alone) else {}


def _drawn(seen: View, centres: Floats, height: float) -> NDArray[np.bool_]:
    """Whether there is an edge in the middle of each place: without one, no number of this height stands there."""
    reach = max(2, round(0.25 * height))
    steps = np.arange(-reach, reach + 1, max(1, reach // 3))
    across, down = np.rint(centres.T[:, :, None]).astype(int) + steps
    rows, columns = seen.strength.shape
    x, y = np.clip(across, 0, columns - 1), np.clip(down, 0, rows - 1)
    most = seen.strength[y[:, :, None], x[:, None, :]].max(axis=(1, 2), initial=0)
    return np.asarray(most > ink.FAINTEST / 2 + 3 * seen.noise, np.bool_)


def _halved(chart: Chart) -> Chart:
    """``chart`` with another row and column in the middle between any two."""
    xs, ys = (
        tuple(np.interp(np.arange(2 * len(lines) - 1) / 2, np.arange(len(lines)), lines).tolist())
        for lines in (chart.xs, chart.ys)
    )
    return replace(chart, islands={(2 * r, 2 * c): one for (r, c), one in chart.islands.items()}, xs=xs, ys=ys)


def _free(seen: View, centres: Floats, height: float) -> NDArray[np.bool_]:
    """Which numbers of this height, with these centres, have empty surroundings, and are not on a line: something may
    lead away to the left or the right, but not to both, and the same up and down."""
    alone = _edges(seen, centres, height, DIAGONALLY)
    right, down, left, up = (_edges(seen, centres, height, [base - 6, base, base + 6]) for base in (0, 90, 180, 270))
    return (alone <= ALONE) & (np.minimum(left, right) <= ALONE) & (np.minimum(up, down) <= ALONE)


def _in_words(seen: View, boxes: lattice.Boxes) -> NDArray[np.bool_]:
    """Which of ``boxes`` are the numbers of a heading: something of their height stands a space beside them, as letters
    do, and none of the other boxes lies beyond it in their line, as when a bridge leads to one. What continues above or
    below is no letter, but the border of a panel."""
    edges = seen.strength > ink.FAINTEST + 3 * seen.noise
    result = np.zeros(len(boxes), np.bool_)
    for k, (x, y, width, height) in enumerate(boxes.tolist()):
        space, top = round(SPACE * height), max(y - height, 0)
        line = np.abs(2 * (boxes[:, 1] - y) + boxes[:, 3] - height) < height
        left = slice(max(x - 2 - space, 0), max(x - 2, 0)), boxes[:, 0] < x
        right = slice(x + width + 2, x + width + 2 + space), boxes[:, 0] > x
        for columns, beyond in (left, right):
            above, here, below = np.split(edges[top : y + 2 * height, columns], [y - top, y - top + height])
            border = np.zeros(here.shape[1], np.bool_)
            for part in (above, below):
                border |= part.mean(axis=0) > LETTER if len(part) else False
            letter = (here & ~border).any(axis=1).mean() > LETTER
            result[k] |= letter and not (line & beyond).any()
    return result


SPACE, LETTER = 0.9, 0.6
"""Of a number's height: the largest distance of a number from a word in a line of text, and the least height that
letters take up, more than a line that leads away."""


def _overlooked(chart: Chart, others: lattice.Boxes) -> bool:
    """Whether one of the marks that do not stand alone is at a free place of the board: a number that something
    touches."""
    centres = others[:, :2] + (others[:, 2:] - 1) / 2
    known = np.array([one.centre for one in chart.islands.values()])
    known = np.abs(centres[:, None] - known).max(axis=2) < SAME_LINE * chart.size
    x, y = centres[~known.any(axis=1)].T[:, :, None]
    across = np.abs(x - np.array(chart.xs)).min(axis=1, initial=np.inf) < SAME_LINE * chart.width
    down = np.abs(y - np.array(chart.ys)).min(axis=1, initial=np.inf) < SAME_LINE * chart.height
    return bool((across & down).any())


def _charted(numbers: list[Island], height: float) -> Chart | None:
    """The lattice of numbers of this height, if they stand on one with several rows and columns."""
    nothing = Outline(
        offsets=np.zeros((0, 2), np.int32),
        edges=np.zeros(0, np.float64),
        inner=INNER * height,
        width=WIDTH * height,
        height=WIDTH * height,
        round=True,
        likeness=0.0,
        strongest=0.0,
    )
    chart = charted(numbers, nothing)
    if chart is None or not chart.regular or len(chart.islands) < len(numbers):
        return None
    return chart if min(len({r for r, _ in chart.islands}), len({c for _, c in chart.islands})) > 1 else None


def _groups(seen: View) -> Iterator[lattice.Boxes]:
    """Marks of one height."""
    for reach in REACHES:
        yield from lattice.groups(lattice.marks(seen.gray, reach), 0.15, by_width=False)


def _alone(seen: View, boxes: lattice.Boxes) -> NDArray[np.bool_]:
    """Which of ``boxes`` have empty surroundings, except where bridges may lead away to the left, right, up and
    down."""
    if not len(boxes):
        return np.zeros(0, np.bool_)
    return _edges(seen, boxes[:, :2] + (boxes[:, 2:] - 1) / 2, boxes[:, 3], DIAGONALLY) <= ALONE


DIAGONALLY = tuple(base + step for base in (0, 90, 180, 270) for step in range(30, 61, 6))
"""Degrees: the directions in which no bridge leads away."""


def _edges(seen: View, centres: Floats, heights: NDArray[np.int32] | float, degrees: Sequence[int]) -> Floats:
    """The share of the surroundings of ``centres``, shape ``(N, 2)``, that has edges in these directions; ``heights``:
    of the numbers there, shape ``(N,)``, or of all."""
    angles = np.radians(degrees)
    reach = np.linspace(NEAR, FAR, 5)[:, None]
    around: Floats = np.stack([reach * np.cos(angles), reach * np.sin(angles)], axis=-1).reshape(-1, 2)
    far = np.broadcast_to(np.asarray(heights, np.float64), len(centres))
    spots = np.rint(centres[:, None] + far[:, None, None] * around).astype(int)
    height, width = seen.strength.shape
    x, y = np.clip(spots[..., 0], 0, width - 1), np.clip(spots[..., 1], 0, height - 1)
    return np.asarray((seen.strength[y, x] > ink.FAINTEST + 3 * seen.noise).mean(axis=1), np.float64)
