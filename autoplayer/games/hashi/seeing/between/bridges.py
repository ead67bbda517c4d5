"""Which bridges stand in a picture: read between islands whose places are known.

Every place for links is a strip between two islands. Whatever runs along the whole strip (``strips``) is a line: none,
one, or several side by side; ``meaning`` infers what each kind of line means, and ``counts`` reads the numbers on them.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.hashi.puzzle import Bridge, Puzzle
from autoplayer.games.hashi.seeing.between.counts import (
    MOST_LABELLED,
    labels_beside,
    labels_on,
    only_doubles,
    uncrossed,
)
from autoplayer.games.hashi.seeing.between.lines import (
    FAINTEST,
    Line,
    as_solid,
    same_colour,
    same_kind,
    same_pen,
    surely_same_kind,
    unlit,
    upon_grid,
)
from autoplayer.games.hashi.seeing.between.marks import marks_among
from autoplayer.games.hashi.seeing.between.meaning import CLEAR_LINE, PALE, is_wave, kinds_of, meaning_of, members_of
from autoplayer.games.hashi.seeing.between.signs import are_possible, signs_between
from autoplayer.games.hashi.seeing.between.strips import (
    LONG,
    NARROWEST,
    Strip,
    free_length,
    lines_along,
    lines_within,
    off_axis,
    sampled,
    uneven,
    way_between,
)
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.games.hashi.seeing.places.outline import pixels

SHORTEST = 0.08
"""Of an island's size: a shorter strip shows nothing but the islands' outlines."""

SHORTEST_KNOWN = 1
"""Pixels: in a shorter strip, not even lines that occur in longer strips can be recognised."""


def read_links(
    image: Image, chart: Chart, puzzle: Puzzle, noise: float, drawn: Drawn | None = None
) -> tuple[dict[Bridge, int], frozenset[Bridge]]:
    """The links of every bridge of ``puzzle``, whose cells are those of ``chart``, and the bridges of which too little
    is visible (their links are 0). ``drawn``: their lines, if they are known."""
    drawn = drawn or by_lines(image, chart, puzzle, noise)
    bridges, clear, links = drawn.bridges, drawn.clear, dict(drawn.links)
    chart = moved(chart, drawn.aside)
    ends = [(chart.islands[b.a].centre, chart.islands[b.b].centre) for b in bridges]
    unsure = set(puzzle.bridges) - set(bridges)
    labels: dict[Bridge, int] = {}
    if any(links.values()) and not drawn.written:
        labels = labels_on(image, chart, bridges, ends, links, noise)
        labels = labels or labels_beside(image, chart, bridges, ends, links, noise)
    # A mark on one bridge may look like a count by chance; counts stand on all that have room for one.
    if labels and len(labels) >= MOST_LABELLED * len(labels.keys() | {b for b, n in links.items() if n}):
        unsure.update(bridge for bridge, number in links.items() if number and bridge not in labels)
        return links | uncrossed(labels, links, puzzle), frozenset(unsure)
    if only_doubles(labels, links, puzzle):
        links |= labels
    unsure.update(bridge for bridge, good in zip(bridges, clear, strict=True) if not good)
    return links, frozenset(unsure)


@dataclass(frozen=True)
class Drawn:
    """The lines of a picture. ``bridges``: those whose islands are both known; for each of them ``clear``, whether
    enough of it is visible, and ``lines``, the line along it. ``links``: the meaning of that, by bridge. ``kinds``: the
    kinds of lines that mean links. ``aside``: their offset from the islands' middles (see ``strips``). ``hints``: the
    kinds of lines, no broader than bridges, that run between several islands, hardly anywhere else, and mean no
    link. ``written``: whether the bridges are signs."""

    bridges: Sequence[Bridge]
    clear: Sequence[bool]
    lines: Sequence[Line]
    links: Mapping[Bridge, int]
    kinds: Sequence[Line]
    aside: tuple[float, float] = (0.0, 0.0)
    hints: Sequence[Line] = ()
    written: bool = False


def moved(chart: Chart, by: tuple[float, float]) -> Chart:
    """``chart`` with all islands shifted by so many pixels to the right and down."""
    if not any(by):
        return chart
    islands = {
        cell: replace(one, centre=(one.centre[0] + by[0], one.centre[1] + by[1])) for cell, one in chart.islands.items()
    }
    return replace(chart, islands=islands, xs=tuple(x + by[0] for x in chart.xs), ys=tuple(y + by[1] for y in chart.ys))


def by_lines(
    image: Image,
    chart: Chart,
    puzzle: Puzzle,
    noise: float,
    behind: Sequence[Line] = (),
    pens: Sequence[tuple[Line, int]] = (),
) -> Drawn:
    """The lines between the islands of ``chart``, and their meaning by the rules of ``puzzle``. ``behind``: lines that
    are known not to be bridges: waves or stripes behind the board, or offers of a window. ``pens``: lines that are
    known to mean so many links."""
    chart = with_halo(image, chart)
    bridges = [b for b in puzzle.bridges if b.a in chart.islands and b.b in chart.islands]
    between = [Strip(*way_between(chart.islands[b.a].centre, chart.islands[b.b].centre, chart)) for b in bridges]
    drawn_on = uneven(image, between, chart)
    beside = off_axis(image, drawn_on, chart, noise)
    chart = moved(chart, beside)
    ends = [(chart.islands[b.a].centre, chart.islands[b.b].centre) for b in bridges]
    long = [free_length(a, b, chart) for a, b in ends]
    clear = [length >= max(SHORTEST * chart.size, 2) for length in long]
    strips = [Strip(*way_between(a, b, chart)) for a, b in ends]
    lines, written = (
        _drawn_or_written(image, strips, bridges, chart, noise) if drawn_on else ([Line(0)] * len(strips), False)
    )
    if chart.outline.drawn:
        lines = [line if line.breadth <= BROADEST * chart.size else Line(0) for line in lines]
    known = [
        line.whole and (length >= LONG * chart.size or line.contrast >= PALE * chart.contrast)
        for line, length in zip(lines, long, strict=True)
    ]
    kinds = kinds_of([line for line, good, sure in zip(lines, clear, known, strict=True) if good and sure])
    plain = [unlit(line, kinds) for line in lines]
    if 0 < sum(map(operator.is_not, plain, lines)) <= FEW_LIT * sum(line.count > 0 for line in lines):
        lines = plain
        kinds = kinds_of([line for line, good, sure in zip(lines, clear, known, strict=True) if good and sure])
    tapering = [
        line.count > 0 and not line.whole and length < LONG * chart.size
        for line, length in zip(lines, long, strict=True)
    ]
    # A line in the middle only is a mark, and a pale line between islands that are close is a trace of their rims,
    # if it is not drawn as bridges are.
    lines = [
        line if sure or any(surely_same_kind(kind, line) for kind in kinds) else Line(0)
        for line, sure in zip(lines, known, strict=True)
    ]
    # A line that also occurs between islands that are farther apart is not a part of their outlines.
    clear = [
        (good and not (rims and not line.count))
        or (length >= SHORTEST_KNOWN and line.count > 0 and any(surely_same_kind(kind, line) for kind in kinds))
        for good, length, line, rims in zip(clear, long, lines, tapering, strict=True)
    ]
    free = _idle_strips(chart, puzzle) if kinds else []
    idle = [
        lines_along(image, [one for one in free if one.upright == upright], chart, noise) for upright in (False, True)
    ]
    for upright, some in enumerate(idle):
        chosen = [k for k, bridge in enumerate(bridges) if (bridge.a[1] == bridge.b[1]) == bool(upright)]
        for k, line in zip(chosen, upon_grid([lines[k] for k in chosen], some), strict=True):
            lines[k] = line
    if any(line.upon for line in lines):
        kinds = kinds_of([line for line, good, sure in zip(lines, clear, known, strict=True) if good and sure])
    asides = _beside(image, _lanes(ends, lines, long, chart), chart, noise) if kinds else []
    waves = [*behind, *(kind for kind in kinds if is_wave(kind, lines, asides))]
    strange = [*waves, *marks_among(image, strips, lines, kinds, chart)]
    if strange:
        lines = [Line(0) if any(same_pen(other, line) for other in strange) else line for line in lines]
        kinds = [kind for kind in kinds if not any(same_pen(other, kind) for other in strange)]
    members = members_of(kinds, lines, clear)
    # A thick line alone is a double bridge if a thinner single one was seen earlier.
    earlier = [pen for pen, number in pens if number == 1 and not any(same_kind(pen, kind) for kind in kinds)]
    both, places = [*kinds, *earlier], [*members, *([] for _ in earlier)]
    meaning = meaning_of(both, places, idle, bridges, puzzle, CLEAR_LINE * chart.contrast, sum(clear))
    if len(pens) > 1:
        meaning = [_known(kind, pens, number) for kind, number in zip(both, meaning, strict=True)]
    meaning = meaning[: len(kinds)]
    links = dict.fromkeys(puzzle.bridges, 0)
    for number, each in zip(meaning, members, strict=True):
        links.update((bridges[k], number) for k in each)
    meant = [kind for kind, number in zip(kinds, meaning, strict=True) if number]
    hints = _hints(kinds, meaning, members, meant, [line for some in idle for line in some])
    return Drawn(bridges, clear, lines, links, meant, beside, hints, written)


def _drawn_or_written(
    image: Image, strips: Sequence[Strip], bridges: Sequence[Bridge], chart: Chart, noise: float
) -> tuple[list[Line], bool]:
    """The line along each of the ``strips``, one a bridge; and whether they are made of signs."""
    lines = lines_along(image, strips, chart, noise)
    signs = signs_between(image, bridges, chart, noise) if are_possible(lines) else {}
    if len(signs) >= max(1, sum(line.count > 0 and line.whole for line in lines)):
        return [signs.get(k, Line(0)) for k in range(len(lines))], True
    return lines, False


def _known(kind: Line, pens: Sequence[tuple[Line, int]], number: int) -> int:
    """How many links one line of a kind means by the ``pens``, else ``number``. Pens differ in colour or in gaps; a
    short line with gaps may seem to be of any breadth."""
    if kind.count != 1:
        return number
    return next((n for pen, n in pens if same_colour(pen, kind) and as_solid(pen, kind)), number)


def _hints(
    kinds: Sequence[Line],
    meaning: Sequence[int],
    members: Sequence[Sequence[int]],
    meant: Sequence[Line],
    idle: Sequence[Line],
) -> list[Line]:
    """The kinds of lines that are hints (see :class:`Drawn`). ``meant``: those that mean links; ``idle``: the lines
    where no bridge can be."""
    broadest = max((kind.breadth for kind in meant), default=0.0)
    return [
        kind
        for kind, number, each in zip(kinds, meaning, members, strict=True)
        if not number and len(each) >= SEVERAL_HINTS and kind.breadth <= broadest
        if kind.contrast >= CLEARLY_SEEN * FAINTEST
        if sum(same_pen(kind, line) for line in idle) <= SELDOM * len(idle)
    ]


def with_halo(image: Image, chart: Chart) -> Chart:
    """``chart`` with islands as large as whatever surrounds most of them: a frame, a paler square behind each. The
    surroundings are measured at the islands' corners, where no bridge runs."""
    centres = np.array([one.centre for one in chart.islands.values()])
    half = 0.5 * np.array([chart.width, chart.height])
    room = HALO_ENDS * min(chart.pitch_x, chart.pitch_y) - 0.5 * chart.size
    most = int(min(MOST_HALO * chart.size, room))
    if most < 1:
        return chart
    beyond = np.arange(most + 1)[:, None, None]
    signs = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    outward = np.array([1.0, 0.0])
    if chart.outline.round:
        steps = [signs * (half + beyond) * math.sqrt(0.5)]
    else:
        steps = [
            signs * (half * (BESIDE_LINES + (1 - BESIDE_LINES) * way) + beyond * way) for way in (outward, 1 - outward)
        ]
    colours = _colours(image, centres[None, :, None] + np.concatenate(steps, axis=1)[:, None])
    halo = _reach(colours, np.median(colours[-1].reshape(-1, 3), axis=0)[None])
    if halo > 1:  # colours between islands too, as the water's stripes, are no halo
        halves = [(side, far * sign) for side in (-0.5, 0.5) for far in HALFWAY for sign in (-1, 1)]
        between = np.array([*halves, *(pair[::-1] for pair in halves)]) * [chart.pitch_x, chart.pitch_y]
        water = _colours(image, centres[:: max(1, len(centres) // MOST_ASKED)][:, None] + between)
        shades, met = np.unique(water.reshape(-1, 3) // SHADE, axis=0, return_counts=True)
        halo = _reach(colours, shades[met >= COMMON * met.sum()] * SHADE + SHADE / 2)
    return replace(chart, width=chart.width + 2 * halo, height=chart.height + 2 * halo) if halo > 1 else chart


def _colours(image: Image, places: Floats) -> Floats:
    """The colours at ``places``, shape ``(..., 2)`` as ``(x, y)``, or of the nearest pixel of the picture; BGR."""
    spots = pixels(places)
    xs, ys = np.clip(spots[..., 0], 0, image.shape[1] - 1), np.clip(spots[..., 1], 0, image.shape[0] - 1)
    return np.asarray(image[ys, xs], np.float32)


def _reach(colours: Floats, water: Floats) -> int:
    """The distance from the islands, in pixels, up to which something other than water is seen: ``colours`` at each
    distance, shape ``(distances, islands, directions, 3)``; ``water``: shape ``(shades, 3)``."""
    apart = np.abs(colours[..., None, :] - water).max(axis=-1).min(axis=-1, initial=np.inf)
    shown = (apart > FAINTEST).mean(axis=(1, 2)) >= HALO_SHOWN
    return 0 if shown.all() else int(np.argmin(shown))


HALFWAY = np.linspace(0.2, 0.5, 8)
"""Of the pitch: how far beside a row or column the water is looked at half-way to the next column or row, where no
bridge runs."""

MOST_ASKED, SHADE, COMMON = 16, 8, 0.05
"""The number of islands whose surroundings are examined; the difference in grey levels within one shade; and the least
share of those places that shows a shade of the water, as no island's shore does."""


SEVERAL_HINTS, SELDOM = 3, 0.2
"""The least number of lines of one kind without a meaning for it to be a hint: fewer may be marks or rims; and the
largest share of the ways without a possible bridge along which they run: hints lead there only towards islands outside
the picture."""

CLEARLY_SEEN = 1.2
"""Of ``FAINTEST``: the least contrast of a hint. Of a fainter grid, compression leaves only some lines to be seen,
which may be those at the bridges."""

FEW_LIT = 0.34
"""The largest share of the lines that may be highlighted, as the last one is: a broader line under most bridges is part
of the bridges."""

MOST_HALO, HALO_ENDS, BESIDE_LINES, HALO_SHOWN = 0.5, 0.47, 0.9, 0.7
"""Of an island's size: the largest extent of its surroundings; of the pitch, the distance from its middle at which
there is surely water between two islands; of half of its size, the distance from its middle within which no bridge
ends; and the least share of the places there that must show something other than water."""


BROADEST = 0.6
"""Of an island's size: a broader line from one island to another is a stripe or a band behind both. Two links side by
side take half of it."""


def _idle_strips(chart: Chart, puzzle: Puzzle) -> list[Strip]:
    """Strips between neighbouring places of the lattice where no bridge can be, up to a maximum number."""
    used: set[tuple[Cell, Cell]] = set()
    for (r1, c1), (r2, c2) in puzzle.bridges:
        path = [(r, c) for r in range(r1, r2 + 1) for c in range(c1, c2 + 1)]
        used.update(itertools.pairwise(path))
    free: list[Strip] = []
    for r, c in itertools.product(range(len(chart.ys)), range(len(chart.xs))):
        for cell in ((r, c + 1), (r + 1, c)):
            if cell[0] >= len(chart.ys) or cell[1] >= len(chart.xs) or ((r, c), cell) in used:
                continue
            a, b = (chart.xs[c], chart.ys[r]), (chart.xs[cell[1]], chart.ys[cell[0]])
            # Away from islands that stand there, and from lines that cross in the places themselves.
            start = 0.5 * chart.size if (r, c) in chart.islands else 0.15 * chart.pitch
            end = 0.5 * chart.size if cell in chart.islands else 0.15 * chart.pitch
            if cell[0] == r and b[0] - a[0] > start + end + 2:
                free.append(Strip(a[0] + start, a[1], b[0] - end, b[1]))
            elif cell[0] != r and b[1] - a[1] > start + end + 2:
                free.append(Strip(a[0], a[1] + start, b[0], b[1] - end))
    return free[:: max(1, len(free) // MOST_IDLE)]


def _lanes(
    ends: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    lines: Sequence[Line],
    long: Sequence[float],
    chart: Chart,
) -> list[Strip]:
    """Ways beside single bridges and beside empty strips, up to a maximum number, along which nothing runs that belongs
    to the board: its bridges lie in the middle of a row, and grid lines in the middle or half-way to the next one."""
    found: list[Strip] = []
    if chart.size > ROOM_FOR_LANES * min(chart.pitch_x, chart.pitch_y):
        return found
    for (a, b), line, length in zip(ends, lines, long, strict=True):
        if line.count > 1 or length < LONG * chart.size:
            continue
        x0, y0, x1, y1 = way_between(a, b, chart)
        upright = abs(a[1] - b[1]) > abs(a[0] - b[0])
        dx, dy = (LANE * chart.pitch_x, 0.0) if upright else (0.0, LANE * chart.pitch_y)
        found += [Strip(x0 + k * dx, y0 + k * dy, x1 + k * dx, y1 + k * dy) for k in (-1, 1)]
    return found[:: max(1, len(found) // MOST_LANES)]


def _beside(image: Image, lanes: Sequence[Strip], chart: Chart, noise: float) -> list[Line]:
    """The line along each of ``lanes``, close to its middle."""
    pitch = min(chart.pitch_x, chart.pitch_y)
    reach = max(NARROWEST, round(min(LANE * pitch - BRIDGE_REACH * chart.size, BEFORE_GRID * pitch)))
    long = [lane.length for lane in lanes]
    lines = lines_within(sampled(image, lanes, reach), long, chart.size, noise) if lanes else []
    return [line or Line(0) for line in lines]


LANE, BEFORE_GRID, MOST_LANES = 0.35, 0.13, 32
"""Of the pitch: the offset of a parallel way from a bridge's way, and the range around it that is examined, since grid
lines may run half-way between two rows; and the number of such ways."""

BRIDGE_REACH = 0.42
"""Of an island's size: how far from its middle a double bridge reaches at most."""

ROOM_FOR_LANES = 0.65
"""Of the pitch: islands that are larger have bridges so broad that these reach as far."""

MOST_IDLE = 80
"""Ways without a bridge that are looked at: enough to tell what runs along most of them."""
