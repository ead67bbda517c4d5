"""Boards whose numbers stand on the water with nothing around them: neither a ring nor a disc nor a cell.

The only property that such numbers have and others do not is that they stand alone: the surroundings of each are empty,
except where a bridge may lead away. Words are not like that, nor are numbers of two digits. This is weak evidence; the
reader believes such a board only if it has a solution.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats
from autoplayer.games.hashi.seeing.places.chart import SAME_LINE, Chart, charted
from autoplayer.games.hashi.seeing.places.numbers import Island, read
from autoplayer.games.hashi.seeing.places.outline import Outline, View
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
        found = read(seen, alone[:, :2] + (alone[:, 2:] - 1) / 2, INNER * height)
        if sum(one.probability > SURE for one in found) < max(FEWEST, SURE * len(found)):
            continue
        chart = _charted(found, height)
        if chart is not None and not _overlooked(chart, boxes[~bare]):
            return chart
    return None


def _in_words(seen: View, boxes: lattice.Boxes) -> NDArray[np.bool_]:
    """Which of ``boxes`` are the numbers of a heading: something of their height stands a space beside them, as letters
    do, and none of the other boxes lies beyond it in their line, as when a bridge leads to one."""
    edges = seen.strength > ink.FAINTEST + 3 * seen.noise
    result = np.zeros(len(boxes), np.bool_)
    for k, (x, y, width, height) in enumerate(boxes.tolist()):
        space, rows = round(SPACE * height), slice(y, y + height)
        line = np.abs(2 * (boxes[:, 1] - y) + boxes[:, 3] - height) < height
        left = edges[rows, max(x - 2 - space, 0) : max(x - 2, 0)], boxes[:, 0] < x
        right = edges[rows, x + width + 2 : x + width + 2 + space], boxes[:, 0] > x
        result[k] = any(
            part.any(axis=1).mean() > LETTER and not (line & beyond).any() for part, beyond in (left, right)
        )
    return result


SPACE, LETTER = 0.9, 0.6
"""Of a number's height: the largest distance of a number from a word in a line of text, and the least height that
letters take up, more than a line that leads away."""


def _overlooked(chart: Chart, others: lattice.Boxes) -> bool:
    """Whether one of the marks that do not stand alone is at a place of the board: a number that something touches."""
    x, y = (others[:, :2] + (others[:, 2:] - 1) / 2).T[:, :, None]
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
    edges = seen.strength > ink.FAINTEST + 3 * seen.noise
    angles = np.radians([base + step for base in (0, 90, 180, 270) for step in range(30, 61, 6)])
    reach = np.linspace(NEAR, FAR, 5)[:, None]
    around: Floats = np.stack([reach * np.cos(angles), reach * np.sin(angles)], axis=-1).reshape(-1, 2)
    centres = boxes[:, :2] + (boxes[:, 2:] - 1) / 2
    spots = np.rint(centres[:, None] + boxes[:, 3, None, None] * around).astype(int)
    height, width = edges.shape
    x, y = np.clip(spots[..., 0], 0, width - 1), np.clip(spots[..., 1], 0, height - 1)
    return np.asarray(edges[y, x].mean(axis=1) <= ALONE, np.bool_)
