"""Loose ends: bridges that lead from an island to a place where no island is known, because it was not found or lies
outside the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Cell, Image
from autoplayer.games.hashi.puzzle import Bridge
from autoplayer.games.hashi.seeing.between.bridges import LANE, Drawn, moved, with_halo
from autoplayer.games.hashi.seeing.between.lines import Line, same_kind, same_pen
from autoplayer.games.hashi.seeing.between.meaning import CLEAR_LINE
from autoplayer.games.hashi.seeing.between.strips import BREADTH, Strip, lines_along, sampled
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.games.hashi.seeing.places.numbers import Island

End = tuple[Cell, tuple[int, int]]
"""What may be a bridge to where no island is known: the island that it leads from, and the step ``(row, column)``."""


def loose_ends(image: Image, chart: Chart, drawn: Drawn, noise: float, begin: float = 0.0) -> list[End]:
    """Possible bridges that lead from an island to where none is known. ``drawn``: the lines between known islands. A
    pointer, or a count on a crossing bridge, may look like the beginning of one. ``begin``: the least distance from an
    island's centre at which lines are looked for, in pitches: islands may be larger than the outline that all of them
    share."""
    return [where for where, _ in _loose_lines(image, chart, drawn, noise, begin)]


def behind_the_board(image: Image, chart: Chart, drawn: Drawn, noise: float) -> list[Line]:
    """The lines of ``drawn`` that lead from several islands to where none is: on a board whose islands are all known,
    bridges do not, so these are waves or stripes."""
    loose = [line for _, line in _loose_lines(image, chart, drawn, noise)]
    return [kind for kind in drawn.kinds if sum(same_kind(kind, line) for line in loose) >= SEVERAL_LOOSE]


SEVERAL_LOOSE = 3
"""Loose ends of one kind of line: a kind with so many does not consist of bridges."""


def led_out(image: Image, chart: Chart, drawn: Drawn, noise: float) -> list[End]:
    """The bridges, and hints at bridges, that lead from an island out of the picture: no pointer and no count extends
    from an island to the picture's edge. A line with their look must run along each part of the way, and not beside it
    as well, as stripes behind a board do."""
    drawn = replace(drawn, kinds=[*drawn.kinds, *drawn.hints])
    chart = moved(with_halo(image, chart), drawn.aside)
    begun: list[tuple[End, Strip]] = []
    ways: dict[End, float] = {}
    for end, one in _open_sides(chart, drawn, beyond_all=True):
        (_, (dr, dc)), (x, y) = end, one.centre
        far = {(0, 1): image.shape[1] - 1 - x, (0, -1): x, (1, 0): image.shape[0] - 1 - y, (-1, 0): y}[dr, dc]
        begun += _asked(chart, end, min(BEFORE * (chart.pitch_y if dr else chart.pitch_x), far))
        ways[end] = far
    # Where nothing begins at the island, the rest need not be looked at.
    first = [end for end, line in _of_kinds(image, chart, drawn, begun, noise) if line.whole]
    parts = {end: way.parts(chart.pitch) for end in first for _, way in _asked(chart, end, ways[end])}
    asked = [(end, part) for end, some in parts.items() for part in some]
    lines = _of_kinds(image, chart, drawn, asked, noise)
    there = Counter(end for end, line in lines if line.whole)
    led = [end for end, some in parts.items() if there[end] == len(some)]
    lanes = [(end, part.beside(k * LANE * chart.pitch)) for end in led for part in parts[end] for k in (-1, 1)]
    behind = {end for end, _ in _of_kinds(image, chart, drawn, lanes, noise)}
    return [end for end in led if end not in behind]


def _loose_lines(image: Image, chart: Chart, drawn: Drawn, noise: float, begin: float = 0.0) -> list[tuple[End, Line]]:
    """The :func:`loose_ends`, each with what runs along it."""
    chart = moved(with_halo(image, chart), drawn.aside)
    asked: list[tuple[End, Strip]] = []
    for end, one in _open_sides(chart, drawn):
        (_, (dr, dc)), (x, y) = end, one.centre
        if 0 <= x + dc * chart.pitch_x < image.shape[1] and 0 <= y + dr * chart.pitch_y < image.shape[0]:
            pitch = chart.pitch_y if dr else chart.pitch_x
            asked += _asked(chart, end, BEFORE * pitch, begin * pitch)
    return _of_kinds(image, chart, drawn, asked, noise)


def _open_sides(chart: Chart, drawn: Drawn, *, beyond_all: bool = False) -> Iterator[tuple[End, Island]]:
    """The sides of islands at which a bridge to an unknown island may begin. ``beyond_all``: only sides beyond which no
    island stands."""
    nearest = {(b.a, (int(b.a[0] != b.b[0]), int(b.a[1] != b.b[1]))): b for b in drawn.bridges}
    nearest |= {(b.b, (-int(b.a[0] != b.b[0]), -int(b.a[1] != b.b[1]))): b for b in drawn.bridges}
    # A line that continues to the next known island, and means no link, leads to no unknown one.
    through = {b for b, line in zip(drawn.bridges, drawn.lines, strict=True) if line.count and line.whole}
    for cell, one in chart.islands.items():
        for dr, dc in STEPS:
            bridge = nearest.get((cell, (dr, dc)))
            if bridge is not None and (beyond_all or drawn.links[bridge] or bridge in through or _steps(bridge) < 2):
                continue
            room = chart.pitch_x - chart.width if dr else chart.pitch_y - chart.height
            beside = [(cell[0] + dr + side * dc, cell[1] + dc + side * dr) for side in (-1, 1)]
            # If islands are closer than that, their rims are where the bridge would begin.
            if room >= 0 or not any(near in chart.islands for near in beside):
                yield (cell, (dr, dc)), one


def _asked(chart: Chart, end: End, far: float, begin: float = 0.0) -> list[tuple[End, Strip]]:
    """The way from an island's rim, or from ``begin`` pixels from its centre, to ``far`` pixels from it, if enough of
    it would be visible."""
    (cell, (dr, dc)) = end
    x, y = chart.islands[cell].centre
    size = chart.height if dr else chart.width
    unseen = 0.0 if chart.outline.drawn else UNSEEN * (chart.pitch_y if dr else chart.pitch_x)
    begin = max(begin, 0.5 * size, unseen)
    if far - begin < max(LONG_ENOUGH * size, LEAST_END):
        return []
    # A strip runs to the right or down, whichever way the bridge leads.
    near, far = (begin, far) if dr + dc > 0 else (-far, -begin)
    return [(end, Strip(x + abs(dc) * near, y + abs(dr) * near, x + abs(dc) * far, y + abs(dr) * far))]


def _of_kinds(
    image: Image, chart: Chart, drawn: Drawn, asked: Sequence[tuple[End, Strip]], noise: float
) -> list[tuple[End, Line]]:
    """Those of the ways ``asked`` along which a line with the pen of a bridge runs, each with that line. If no bridge
    stands between known islands, a line as clear as a bridge, that does not run between most of them, may be one."""
    least = 0.0 if drawn.kinds else CLEAR_LINE * chart.contrast
    if least:
        # If a line runs along a way, there is more than one colour across the middle of the way.
        across = sampled(image, [strip for _, strip in asked], round(BREADTH * chart.size), MIDST)
        across = np.ascontiguousarray(across.swapaxes(2, 3))  # several times faster
        clear = (np.ptp(across, axis=3).max(axis=(1, 2), initial=0) >= least).tolist()
        asked = [each for each, some in zip(asked, clear, strict=True) if some]
    lines = lines_along(image, [strip for _, strip in asked], chart, noise) if asked else []
    found = [(end, line) for (end, _), line in zip(asked, lines, strict=True) if line.count]
    if drawn.kinds:
        return [(end, line) for end, line in found if any(same_pen(kind, line) for kind in drawn.kinds)]
    found = [(end, line) for end, line in found if line.whole and line.contrast >= least]
    most = MOSTLY_DRAWN * len(drawn.lines)
    return [(end, line) for end, line in found if sum(same_pen(other, line) for other in drawn.lines) <= most]


def _steps(bridge: Bridge) -> int:
    """The distance between a bridge's islands in places of the lattice."""
    return max(abs(bridge.a[0] - bridge.b[0]), abs(bridge.a[1] - bridge.b[1]))


MIDST = np.array([0.4, 0.5, 0.6])
"""The positions at which a way is examined, in shares of its length: one of them may fall between two dashes."""

MOSTLY_DRAWN = 0.5
"""The least share of the ways between islands along which hints at possible bridges, or a grid, run."""

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))

BEFORE = 0.88
"""Of the pitch: the distance from an island's centre within which a continuing bridge is looked for; farther out other
bridges cross."""

UNSEEN = 0.45
"""Of the pitch: the distance to which the invisible part of an island may extend from its number."""

LONG_ENOUGH, LEAST_END = 0.15, 5
"""Of an island's size, and in pixels: the least visible length of such a bridge."""
