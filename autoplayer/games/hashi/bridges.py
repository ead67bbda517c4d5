"""Which bridges stand in a picture, and how the islands look: read between the islands, which are known. Knows no
window: what a line means is inferred from all lines of the picture together, and from the rules.

Every place for links is a strip between two islands. What runs along the whole of it is a line: none, one, or several
side by side. Equal-looking strips form a kind, and a kind means 0, 1 or 2 links. One that is met as well where no
bridge can be is a grid line; one that would break the rules at many places at once is a hint, such as a candidate
line.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.base import Reading
from autoplayer.games.hashi import islands
from autoplayer.games.hashi.islands import Chart
from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Puzzle
from autoplayer.vision import alike, ink

SAMPLES = 33
"""How many places along a strip are looked at: what covers less than half of them is crossed, not followed."""

BREADTH = 0.4
"""Of an island's size, on each side: lines of a bridge lie within, what belongs to the next row does not."""

FAINTEST = 10.0
"""Grey levels: a line that differs less from the water is not seen by people either."""

HALF = 0.5
"""Of the strongest line's contrast: what is between two lines lies below, however blurred they are."""

SAME_COLOUR = 48.0
"""Grey levels in a channel: lines that differ by less are drawn alike."""

SAME_BREADTH = 0.35
"""Of the broader one: how much the breadth of lines of one kind may differ; a pixel and a half is allowed always."""

THICK = 1.6
"""How many times broader a line must be than another kind of the same colour to stand for two links."""

EVERYWHERE = 0.5
"""The part of the places where no bridge can be that must show a line of a kind, for the kind to be a grid line."""

MISTAKES = 2.5
"""Breaches of the rules that a kind of line may cause and still be believed: a person makes one or two."""

SHORTEST = 0.08
"""Of an island's size: a shorter strip shows nothing but the islands' outlines."""

STILL_THERE = 0.6
"""The part of the islands that must be seen again for the board to be there; a pointer or a hint hides a few."""


@dataclass(frozen=True)
class Standing:
    """What a picture shows of play. ``present``: whether the board is there and is the same one. ``links``: for every
    bridge of the puzzle, 0, 1 or 2. ``unsure``: bridges of which too little is seen. ``looks``: the colour of each
    island's inside beside its number, BGR, shape ``(3,)``."""

    present: bool
    links: Mapping[Bridge, int] = field(default_factory=dict)
    unsure: frozenset[Bridge] = frozenset()
    looks: Mapping[Cell, Floats] = field(default_factory=dict)


def standing(image: Image, reading: Reading[Puzzle], puzzle: Puzzle) -> Standing:
    """What ``image``, a later picture of the window that ``reading`` was made from, shows of play."""
    chart: Chart = reading.extra["chart"]
    if image.shape != reading.image.shape:
        return Standing(False)
    seen = islands.view(image)
    cells = list(chart.islands)
    centres = np.array([chart.islands[cell].centre for cell in cells])
    usual = float(np.median(islands.presence(islands.view(reading.image), chart.outline, centres)))
    there = islands.presence(seen, chart.outline, centres) >= islands.LIKE * usual
    size = islands.INSIDE * chart.outline.inner
    now = islands.read(seen, centres, size, chart.outline.round)
    same = [_same(chart.islands[cell].content, one.content) for cell, one in zip(cells, now, strict=True)]
    seen_again = np.array(same) & there
    looks = {cell: one.content.ground for cell, one in zip(cells, now, strict=True)}
    if seen_again.mean() < STILL_THERE:
        return Standing(False, looks=looks)
    links, unsure = read_links(image, chart, puzzle, seen.noise)
    return Standing(True, links, unsure, looks)


def _same(before: ink.Content, now: ink.Content) -> bool:
    if before.bare or now.bare:
        return False
    first, second = alike.clusters([before.ink, now.ink])
    if first == second:
        return True
    # Of another colour, a glyph is a little thinner or broader.
    shape = (alike.SIDE, alike.SIDE)
    a, b = (cv2.resize(one.ink, shape, interpolation=cv2.INTER_AREA).ravel() for one in (before, now))
    return float(np.corrcoef(a, b)[0, 1]) > 0.75


def read_links(image: Image, chart: Chart, puzzle: Puzzle, noise: float) -> tuple[dict[Bridge, int], frozenset[Bridge]]:
    """The links of every bridge of ``puzzle``, whose cells are those of ``chart``, and the bridges of which too little
    is seen (their links are 0)."""
    bridges = [b for b in puzzle.bridges if b.a in chart.islands and b.b in chart.islands]
    ends = [(chart.islands[b.a].centre, chart.islands[b.b].centre) for b in bridges]
    clear = [_length(a, b, chart) >= max(SHORTEST * chart.size, 2) for a, b in ends]
    lines = _lines(image, [_Strip(*_between(a, b, chart)) for a, b in ends], chart, noise)
    idle = _lines(image, _idle_strips(chart, puzzle), chart, noise)
    kinds = _kinds([line for line, good in zip(lines, clear, strict=True) if good])
    meaning = _meaning(kinds, lines, clear, idle, bridges, puzzle)
    links = dict.fromkeys(puzzle.bridges, 0)
    unsure = {b for b in puzzle.bridges if b not in set(bridges)}
    for bridge, line, good in zip(bridges, lines, clear, strict=True):
        if not good:
            unsure.add(bridge)
        elif line.count:
            links[bridge] = meaning[_kind_of(line, kinds)]
    for bridge, number in _labels(image, chart, bridges, ends, lines, noise).items():
        if links[bridge]:
            links[bridge] = number
    return links, frozenset(unsure)


# --- strips ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Strip:
    """A straight way across water, from ``(x0, y0)`` to ``(x1, y1)`` in window pixels, along a row or a column."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def upright(self) -> bool:
        return abs(self.y1 - self.y0) > abs(self.x1 - self.x0)


@dataclass(frozen=True)
class _Line:
    """What runs along a strip: ``count`` lines side by side, the sum of their breadths in pixels, their colour (BGR)
    less the water's, and how far their middle lies from the strip's."""

    count: int
    breadth: float = 0.0
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    offset: float = 0.0


def _length(a: tuple[float, float], b: tuple[float, float], chart: Chart) -> float:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) - chart.size


def _between(a: tuple[float, float], b: tuple[float, float], chart: Chart) -> tuple[float, float, float, float]:
    """The way from island to island without the islands themselves."""
    upright = abs(a[1] - b[1]) > abs(a[0] - b[0])
    if upright:
        x = (a[0] + b[0]) / 2
        return x, a[1] + chart.height / 2, x, b[1] - chart.height / 2
    y = (a[1] + b[1]) / 2
    return a[0] + chart.width / 2, y, b[0] - chart.width / 2, y


def _idle_strips(chart: Chart, puzzle: Puzzle) -> list[_Strip]:
    """Ways between neighbouring places of the lattice on which no bridge can lie, up to a number."""
    used: set[tuple[Cell, Cell]] = set()
    for (r1, c1), (r2, c2) in puzzle.bridges:
        path = [(r, c) for r in range(r1, r2 + 1) for c in range(c1, c2 + 1)]
        used.update(itertools.pairwise(path))
    free: list[_Strip] = []
    for r, c in itertools.product(range(len(chart.ys)), range(len(chart.xs))):
        for cell in ((r, c + 1), (r + 1, c)):
            if cell[0] >= len(chart.ys) or cell[1] >= len(chart.xs) or ((r, c), cell) in used:
                continue
            a, b = (chart.xs[c], chart.ys[r]), (chart.xs[cell[1]], chart.ys[cell[0]])
            # Away from islands that stand there, and from lines that cross in the places themselves.
            start = 0.5 * chart.size if (r, c) in chart.islands else 0.15 * chart.pitch
            end = 0.5 * chart.size if cell in chart.islands else 0.15 * chart.pitch
            if cell[0] == r and b[0] - a[0] > start + end + 2:
                free.append(_Strip(a[0] + start, a[1], b[0] - end, b[1]))
            elif cell[0] != r and b[1] - a[1] > start + end + 2:
                free.append(_Strip(a[0], a[1] + start, b[0], b[1] - end))
    return free[:: max(1, len(free) // MOST_IDLE)]


MOST_IDLE = 80
"""Ways without a bridge that are looked at: enough to tell what runs along most of them."""


def _profiles(image: Image, strips: Sequence[_Strip], reach: int) -> Floats:
    """The colours across each strip, at every whole offset up to ``reach`` on both sides: the median along the strip.
    Shape ``(strips, 2 * reach + 1, 3)``, BGR."""
    if not strips:
        return np.zeros((0, 2 * reach + 1, 3), np.float32)
    along = np.linspace(0.0, 1.0, SAMPLES)
    across = np.arange(-reach, reach + 1)
    where = np.array([(s.x0, s.y0, s.x1, s.y1) for s in strips])
    upright = np.array([s.upright for s in strips])[:, None, None]
    x = np.rint(where[:, 0, None] + along * (where[:, 2] - where[:, 0])[:, None]).astype(int)[:, :, None]
    y = np.rint(where[:, 1, None] + along * (where[:, 3] - where[:, 1])[:, None]).astype(int)[:, :, None]
    xs = np.clip(np.where(upright, x + across, x + 0 * across), 0, image.shape[1] - 1)
    ys = np.clip(np.where(upright, y + 0 * across, y + across), 0, image.shape[0] - 1)
    result: Floats = np.median(image[ys, xs], axis=1).astype(np.float32)
    return result


def _lines(image: Image, strips: Sequence[_Strip], chart: Chart, noise: float) -> list[_Line]:
    reach = max(3, round(BREADTH * chart.size))
    profiles = _profiles(image, strips, reach)
    return [_line(profile, noise) for profile in profiles]


def _line(profile: Floats, noise: float) -> _Line:
    """What runs along one strip, by the colours across it, shape ``(offsets, 3)``."""
    reach = len(profile) // 2
    # The water: the commonest colour at the rims. One rim may hold a line of a row close by.
    rims = np.concatenate([profile[: max(1, reach // 2)], profile[-max(1, reach // 2) :]])
    water = np.median(rims, axis=0)
    away = np.abs(profile - water).max(axis=1)
    peak = float(away[reach // 2 : -(reach // 2) or None].max())
    if peak < FAINTEST + 2 * noise:
        return _Line(0)
    inked = away > HALF * peak
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inked.astype(np.int8), [0]])))
    runs = [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    # What reaches the rim belongs to something beside the strip.
    runs = [(a, b) for a, b in runs if a > 0 and b < len(profile)]
    if not runs:
        return _Line(0)
    middle = sum((a + b - 1) / 2 * (b - a) for a, b in runs) / sum(b - a for a, b in runs) - reach
    core = np.concatenate([profile[a:b][away[a:b] >= 0.75 * away[a:b].max()] for a, b in runs])
    colour = np.median(core, axis=0) - water
    return _Line(
        len(runs),
        float(sum(b - a for a, b in runs)),
        (float(colour[0]), float(colour[1]), float(colour[2])),
        float(middle),
    )


# --- what lines mean -------------------------------------------------------------------------------------------------


def _alike(a: _Line, b: _Line) -> bool:
    return (
        a.count == b.count
        and abs(a.breadth - b.breadth) <= max(1.5, SAME_BREADTH * max(a.breadth, b.breadth))
        and max(abs(p - q) for p, q in zip(a.colour, b.colour, strict=True)) <= SAME_COLOUR
    )


def _kinds(lines: Sequence[_Line]) -> list[_Line]:
    """One line of each kind that is met, the commonest first."""
    left = [line for line in lines if line.count]
    found: list[_Line] = []
    while left:
        best = max(left, key=lambda one: sum(_alike(one, other) for other in left))
        found.append(best)
        left = [other for other in left if not _alike(best, other)]
    return found


def _kind_of(line: _Line, kinds: Sequence[_Line]) -> int:
    """The index of the kind that ``line`` is most like."""

    def distance(kind: _Line) -> tuple[bool, float]:
        colour = max(abs(p - q) for p, q in zip(line.colour, kind.colour, strict=True))
        return line.count != kind.count, colour / SAME_COLOUR + abs(line.breadth - kind.breadth)

    return min(range(len(kinds)), key=lambda k: (not _alike(line, kinds[k]), *distance(kinds[k])))


def _meaning(
    kinds: Sequence[_Line],
    lines: Sequence[_Line],
    clear: Sequence[bool],
    idle: Sequence[_Line],
    bridges: Sequence[Bridge],
    puzzle: Puzzle,
) -> list[int]:
    """How many links each kind stands for."""
    usual = [_usual_meaning(kind, kinds) for kind in kinds]
    for k, kind in enumerate(kinds):
        if idle and sum(_alike(kind, line) for line in idle) >= EVERYWHERE * len(idle):
            usual[k] = 0
    members: list[list[int]] = [[] for _ in kinds]
    index = {bridge: k for k, bridge in enumerate(puzzle.bridges)}
    for bridge, line, good in zip(bridges, lines, clear, strict=True):
        if good and line.count:
            members[_kind_of(line, kinds)].append(index[bridge])
    # Which kinds are only hints? The fewest that leave no more breaches than a person makes.
    best: tuple[float, list[int]] | None = None
    choices = [(value, 0) if value else (0,) for value in usual[:MOST_KINDS]]
    for chosen in itertools.product(*choices):
        meaning = [*chosen, *usual[MOST_KINDS:]]
        dropped = sum(m != u for m, u in zip(meaning, usual, strict=True))
        cost = _breaches(meaning, members, puzzle) + MISTAKES * dropped
        if best is None or cost < best[0]:
            best = cost, meaning
    return best[1] if best else []


MOST_KINDS = 6
"""Kinds of lines that are weighed against each other; rarer ones are believed."""


def _usual_meaning(kind: _Line, kinds: Sequence[_Line]) -> int:
    """Two lines are two links, and so is one that is far thicker than another of its colour."""
    if kind.count > 1:
        return MOST_LINKS
    thinner = (
        other.count == 1
        and kind.breadth >= max(THICK * other.breadth, other.breadth + 1.5)
        and max(abs(p - q) for p, q in zip(kind.colour, other.colour, strict=True)) <= 2 * SAME_COLOUR
        for other in kinds
    )
    return MOST_LINKS if any(thinner) else 1


def _breaches(meaning: Sequence[int], members: Sequence[Sequence[int]], puzzle: Puzzle) -> int:
    """How often the rules are broken where each kind of line means so many links: crossings, and islands with more
    links than their number."""
    links = {k: number for number, each in zip(meaning, members, strict=True) for k in each if number}
    crossed = sum(other in links for k in links for other in puzzle.crossings[k]) // 2
    full = sum(sum(links.get(k, 0) for k in puzzle.at[cell]) > number for cell, number in puzzle.islands.items())
    return crossed + full


# --- counts written on bridges ---------------------------------------------------------------------------------------


def _labels(
    image: Image,
    chart: Chart,
    bridges: Sequence[Bridge],
    ends: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    lines: Sequence[_Line],
    noise: float,
) -> dict[Bridge, int]:
    """The counts that stand in the middle of bridges, in a small disc or on the line itself, in windows with counts."""
    asked: list[Bridge] = []
    contents: list[ink.Content] = []
    for bridge, (a, b), line in zip(bridges, ends, lines, strict=True):
        room = _length(a, b, chart)
        if not line.count or room < LABEL_ROOM * chart.size:
            continue
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        side = min(0.5 * chart.size, room)
        around = Box(round(x - side / 2), round(y - side / 2), round(side), round(side))
        if not _differs(image, around, a, b, chart, noise):
            continue
        disc = Box(round(x - side / 3), round(y - side / 3), round(2 * side / 3), round(2 * side / 3))
        asked.append(bridge)
        contents.append(ink.content(image, disc, noise))
    found: dict[Bridge, int] = {}
    for bridge, options in zip(asked, islands.classify(contents), strict=True):
        number, probability = options[0]
        if number in ("1", "2") and probability > islands.LEGIBLE:
            found[bridge] = int(number)
    # A mark on one bridge may look like a 1 by chance; counts stand on all of them.
    return found if len(found) >= 0.8 * max(len([line for line in lines if line.count]), 1) else {}


LABEL_ROOM = 0.25
"""Of an island's size: where two islands are closer, no count that could be read stands between them."""


def _differs(
    image: Image,
    around: Box,
    a: tuple[float, float],
    b: tuple[float, float],
    chart: Chart,
    noise: float,
) -> bool:
    """Whether something stands upon a bridge in ``around``: what lies across it there is not what lies across it
    elsewhere."""
    x0, y0, x1, y1 = _between(a, b, chart)
    reach = max(3, round(around.width / 2))
    ((x, y), w, h) = (around.centre, around.width / 6, around.height / 6)
    upright = y1 - y0 > x1 - x0
    near = _Strip(x, y - h, x, y + h) if upright else _Strip(x - w, y, x + w, y)
    here, whole = _profiles(image, [near, _Strip(x0, y0, x1, y1)], reach)
    return float((np.abs(here - whole).max(axis=1) > FAINTEST + 4 * noise).mean()) > 0.2
