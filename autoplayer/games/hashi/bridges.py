"""Which bridges stand in a picture, and how the islands look: read between the islands, which are known. Knows no
window: what a line means is inferred from all lines of the picture together, and from the rules.

Every place for links is a strip between two islands. What runs along the whole of it is a line: none, one, or several
side by side. Equal-looking strips form a kind, and a kind means 0, 1 or 2 links. One that is met as well where no
bridge can be is a grid line; one that would break the rules at many places at once is a hint, such as a candidate
line.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.base import Reading
from autoplayer.games.hashi import numbers, outline
from autoplayer.games.hashi.chart import Chart
from autoplayer.games.hashi.outline import View
from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Puzzle
from autoplayer.vision import alike, ink

SAMPLES = 33
"""How many places along a strip are looked at: what covers less than half of them is crossed, not followed."""

BREADTH = 0.5
"""Of an island's size, on each side: lines of a bridge lie within, what belongs to the next row does not."""

MIDDLE, ASIDE = 0.2, 0.38
"""Of an island's size, on each side: a single line lies within the one, the two of a double bridge within the other."""

FAINTEST = 10.0
"""Grey levels: a line that differs less from the water is not seen by people either."""

HALF = 0.5
"""Of the strongest line's contrast: what is between two lines lies below, however blurred they are."""

SAME_COLOUR = 0.35
"""Of the stronger one's contrast: lines whose colours differ by less, in every channel, are drawn alike."""

SAME_BREADTH = 0.35
"""Of the broader one: how much the breadth of lines of one kind may differ; a pixel is allowed always."""

THICK = 1.6
"""How many times broader a line must be than another kind of the same colour to stand for two links."""

EVERYWHERE = 0.5
"""The part of the places where no bridge can be that must show a line of a kind, for the kind to be a grid line."""

MISTAKES = 2.5
"""Breaches of the rules that a kind of line may cause and still be believed: a person makes one or two."""

MISTAKEN = 0.25
"""The part of a kind's lines at which the rules must be broken for it to mean something else."""

SHORTEST = 0.08
"""Of an island's size: a shorter strip shows nothing but the islands' outlines."""

SHORTEST_KNOWN = 1
"""Pixels: in a shorter strip no line is seen either that is met in longer ones."""

SAME_GLYPH = 0.75
"""The least correlation of a glyph with itself in another colour; the digits of one font reach 0.6."""

STILL_THERE = 0.6
"""The part of the islands that must be seen again for the board to be there; a pointer or a hint hides a few."""

CROSSED = 0.35
"""Of the usual likeness of an island to the common outline: one through which bridges run has so much at least."""


@dataclass(frozen=True)
class Standing:
    """What a picture shows of play. ``present``: whether the board is there and is the same one. ``links``: for every
    bridge of the puzzle, 0, 1 or 2. ``unsure``: bridges of which too little is seen. ``looks``: the colour of each
    island's inside beside its number, BGR, shape ``(3,)``."""

    present: bool
    links: Mapping[Bridge, int] = field(default_factory=dict)
    unsure: frozenset[Bridge] = frozenset()
    looks: Mapping[Cell, Floats] = field(default_factory=dict)


@dataclass(frozen=True)
class Before:
    """What a picture showed, for comparing later ones with it; worked out when it is first asked for."""

    seen: View
    chart: Chart

    @functools.cached_property
    def centres(self) -> Floats:
        return np.array([one.centre for one in self.chart.islands.values()])

    @functools.cached_property
    def usual(self) -> float:
        """How well an island usually meets the common outline."""
        return float(np.median(outline.presence(self.seen, self.chart.outline, self.centres)))

    @functools.cached_property
    def islands(self) -> list[numbers.Island]:
        """The islands, in the chart's order, without whatever may be around their numbers."""
        return numbers.read(self.seen, self.centres, self.chart.core, self.chart.outline.round)


def standing(image: Image, reading: Reading[Puzzle], puzzle: Puzzle) -> Standing:
    """What ``image``, a later picture of the window that ``reading`` was made from, shows of play."""
    before: Before = reading.extra["before"]
    chart = before.chart
    if image.shape != reading.image.shape:
        return Standing(False)
    seen = outline.view(image, chart.scale)
    like = outline.presence(seen, chart.outline, before.centres) / max(before.usual, 1e-6)
    # A finished island may be a ring where it was a disc: only what is around the number is looked at.
    now = numbers.read(seen, before.centres, chart.core, chart.outline.round)
    same = [_same(one.content, other.content) for one, other in zip(before.islands, now, strict=True)]
    like = like if chart.outline.drawn else np.array(same, np.float64)
    looks = {cell: one.content.ground for cell, one in zip(chart.islands, now, strict=True)}
    changed = np.array(same) | (like >= CROSSED)
    if changed.mean() < STILL_THERE:
        return Standing(False, looks=looks)
    links, unsure = read_links(seen.window, chart.in_window(), puzzle, seen.noise)
    # Bridges run through the islands of some windows, and finished ones are filled, or count what is left.
    played = {cell for bridge, number in links.items() if number for cell in (bridge.a, bridge.b)}
    again = np.where([cell in played for cell in chart.islands], changed, np.array(same) & (like >= outline.LIKE))
    if again.mean() < STILL_THERE:
        return Standing(False, looks=looks)
    return Standing(True, links, unsure, looks)


def _same(before: ink.Content, now: ink.Content) -> bool:
    if before.bare or now.bare:
        return False
    first, second = alike.clusters([before.ink, now.ink])
    if first == second:
        return True
    # Of another colour, a glyph is a little thinner or broader.
    return float(alike.vector(before.ink) @ alike.vector(now.ink)) > SAME_GLYPH


def read_links(
    image: Image, chart: Chart, puzzle: Puzzle, noise: float, drawn: Drawn | None = None
) -> tuple[dict[Bridge, int], frozenset[Bridge]]:
    """The links of every bridge of ``puzzle``, whose cells are those of ``chart``, and the bridges of which too little
    is seen (their links are 0). ``drawn``: their lines, where they are known."""
    drawn = drawn or by_lines(image, chart, puzzle, noise)
    bridges, clear, links = drawn.bridges, drawn.clear, dict(drawn.links)
    ends = [(chart.islands[b.a].centre, chart.islands[b.b].centre) for b in bridges]
    unsure = set(puzzle.bridges) - set(bridges)
    labels = _labels(image, chart, bridges, ends, links, noise) if any(links.values()) else {}
    # A mark on one bridge may look like a count by chance; counts stand on all that have room for one.
    if labels and len(labels) >= MOST_LABELLED * len(labels.keys() | {b for b, n in links.items() if n}):
        unsure.update(bridge for bridge, number in links.items() if number and bridge not in labels)
        return links | _uncrossed(labels, links, puzzle), frozenset(unsure)
    unsure.update(bridge for bridge, good in zip(bridges, clear, strict=True) if not good)
    return links, frozenset(unsure)


@dataclass(frozen=True)
class Drawn:
    """The lines of a picture. ``bridges``: those whose islands are both seen; for each of them ``clear``, whether
    enough of it is seen, and ``lines``, what runs along it. ``links``: what that means, by bridge. ``kinds``: the kinds
    of lines that mean links."""

    bridges: Sequence[Bridge]
    clear: Sequence[bool]
    lines: Sequence[_Line]
    links: Mapping[Bridge, int]
    kinds: Sequence[_Line]


def by_lines(image: Image, chart: Chart, puzzle: Puzzle, noise: float) -> Drawn:
    """What runs between the islands of ``chart``, and what it means by the rules of ``puzzle``."""
    chart = _with_halo(image, chart)
    bridges = [b for b in puzzle.bridges if b.a in chart.islands and b.b in chart.islands]
    ends = [(chart.islands[b.a].centre, chart.islands[b.b].centre) for b in bridges]
    long = [_length(a, b, chart) for a, b in ends]
    clear = [length >= max(SHORTEST * chart.size, 2) for length in long]
    lines = _lines(image, [_Strip(*_between(a, b, chart)) for a, b in ends], chart, noise)
    known = [
        line.whole and (length >= LONG * chart.size or line.contrast >= PALE * chart.contrast)
        for line, length in zip(lines, long, strict=True)
    ]
    kinds = _kinds([line for line, good, sure in zip(lines, clear, known, strict=True) if good and sure])
    # What stands in the middle only is a mark, and what is pale between islands that are close a trace of their rims,
    # if it is not drawn as bridges are.
    lines = [
        line if sure or any(_very_alike(kind, line) for kind in kinds) else _Line(0)
        for line, sure in zip(lines, known, strict=True)
    ]
    # What is the same between islands that are farther apart is no part of their outlines.
    clear = [
        good or (length >= SHORTEST_KNOWN and line.count > 0 and any(_very_alike(kind, line) for kind in kinds))
        for good, length, line in zip(clear, long, lines, strict=True)
    ]
    free = _idle_strips(chart, puzzle) if kinds else []
    idle = [_lines(image, [one for one in free if one.upright == upright], chart, noise) for upright in (False, True)]
    asides = _beside(image, _lanes(ends, lines, long, chart), chart, noise) if kinds else []
    waves = [kind for kind in kinds if _is_wave(kind, lines, asides)]
    if waves:
        lines = [_Line(0) if any(_same_pen(wave, line) for wave in waves) else line for line in lines]
        kinds = [kind for kind in kinds if not any(_same_pen(wave, kind) for wave in waves)]
    members = _members(kinds, lines, clear)
    meaning = _meaning(kinds, members, idle, bridges, puzzle, CLEAR_LINE * chart.contrast, sum(clear))
    links = dict.fromkeys(puzzle.bridges, 0)
    for number, each in zip(meaning, members, strict=True):
        links.update((bridges[k], number) for k in each)
    meant = [kind for kind, number in zip(kinds, meaning, strict=True) if number]
    return Drawn(bridges, clear, lines, links, meant)


def _with_halo(image: Image, chart: Chart) -> Chart:
    """``chart`` with islands as large as what is around most of them: a frame, a paler square behind each. That is seen
    at their corners, where no bridge runs."""
    centres = np.array([one.centre for one in chart.islands.values()])
    half = 0.5 * np.array([chart.width, chart.height])
    most = int(MOST_HALO * chart.size)
    if chart.outline.round or most < 1:
        return chart
    beyond = np.arange(most + 1)[:, None, None]
    signs = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    outward = np.array([1.0, 0.0])
    steps = [
        signs * (half * (BESIDE_LINES + (1 - BESIDE_LINES) * way) + beyond * way) for way in (outward, 1 - outward)
    ]
    spots = np.rint(centres[None, :, None] + np.concatenate(steps, axis=1)[:, None]).astype(int)
    xs, ys = np.clip(spots[..., 0], 0, image.shape[1] - 1), np.clip(spots[..., 1], 0, image.shape[0] - 1)
    colours = image[ys, xs].astype(np.float32)
    water = np.median(colours[-1].reshape(-1, 3), axis=0)
    shown = (np.abs(colours - water).max(axis=3) > FAINTEST).mean(axis=(1, 2)) >= HALO_SHOWN
    halo = int(np.argmin(shown)) if not shown.all() else 0
    return replace(chart, width=chart.width + 2 * halo, height=chart.height + 2 * halo) if halo > 1 else chart


MOST_HALO, BESIDE_LINES, HALO_SHOWN = 0.25, 0.9, 0.7
"""Of an island's size: how far what is around it reaches at most; of half of that: how far from its middle no bridge
ends; and the part of the places there that must show something else than water."""


def loose_ends(image: Image, chart: Chart, drawn: Drawn, noise: float) -> list[tuple[Cell, tuple[int, int]]]:
    """What may be bridges that lead from an island to where none is known: the islands, and the steps ``(row, column)``
    in which they lead away. ``drawn``: the lines between those that are known. A pointer, or a count on a bridge that
    crosses, may look like the beginning of one."""
    bridges, links, kinds = drawn.bridges, drawn.links, drawn.kinds
    if not kinds:
        return []
    nearest = {(b.a, (int(b.a[0] != b.b[0]), int(b.a[1] != b.b[1]))): b for b in bridges}
    nearest |= {(b.b, (-int(b.a[0] != b.b[0]), -int(b.a[1] != b.b[1]))): b for b in bridges}
    asked: list[tuple[Cell, tuple[int, int]]] = []
    strips: list[_Strip] = []
    for cell, one in chart.islands.items():
        for dr, dc in STEPS:
            bridge = nearest.get((cell, (dr, dc)))
            if bridge is not None and (links[bridge] or _steps(bridge) < 2):
                continue
            size, pitch = (chart.height, chart.pitch_y) if dr else (chart.width, chart.pitch_x)
            begin, end = 0.5 * size, BEFORE * pitch
            (x, y), far = one.centre, (one.centre[0] + dc * pitch, one.centre[1] + dr * pitch)
            inside = 0 <= far[0] < image.shape[1] and 0 <= far[1] < image.shape[0]
            if inside and end - begin >= max(LONG_ENOUGH * size, LEAST_END):
                asked.append((cell, (dr, dc)))
                strips.append(_Strip(x + dc * begin, y + dr * begin, x + dc * end, y + dr * end))
    found = zip(asked, _lines(image, strips, chart, noise), strict=True)
    return [where for where, line in found if line.count and any(_alike(kind, line) for kind in kinds)]


def _steps(bridge: Bridge) -> int:
    """How many places of the lattice a bridge's islands are apart."""
    return max(abs(bridge.a[0] - bridge.b[0]), abs(bridge.a[1] - bridge.b[1]))


STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))

BEFORE = 0.88
"""Of the pitch: so far from an island's centre a bridge is looked for that leads on; other bridges cross farther on."""

LONG_ENOUGH, LEAST_END = 0.15, 5
"""Of an island's size, and in pixels: what is seen of such a bridge at least."""


LONG = 0.5
"""Of an island's size: between islands that are closer, traces of their rims look like pale lines."""


# --- strips ----------------------------------------------------------------------------------------------------------


RIM = 0.15
"""Of a strip, at each end: what is seen only there is no line, which runs along most of it."""


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

    def box(self, reach: int) -> Box:
        """What is within ``reach`` pixels of the way, on both sides, without its ends, where islands' rims may be."""
        across, down = (reach, 0) if self.upright else (0, reach)
        dx, dy = RIM * (self.x1 - self.x0), RIM * (self.y1 - self.y0)
        left, top = round(self.x0 + dx) - across, round(self.y0 + dy) - down
        return Box(left, top, round(self.x1 - dx) + across - left + 1, round(self.y1 - dy) + down - top + 1)


@dataclass(frozen=True)
class _Line:
    """What runs along a strip: ``count`` lines side by side, the sum of their breadths in pixels, their colour (BGR)
    less the water's, and which part of the way is drawn (less than all of a dashed line). ``whole``: whether it runs
    along all of the strip, and not in its middle only."""

    count: int
    breadth: float = 0.0
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    solid: float = 1.0
    whole: bool = True

    @property
    def contrast(self) -> float:
        return max(map(abs, self.colour))

    @property
    def weight(self) -> float:
        """How much ink one of the lines is."""
        return self.contrast * self.breadth / max(self.count, 1)


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


def _lanes(
    ends: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    lines: Sequence[_Line],
    long: Sequence[float],
    chart: Chart,
) -> list[_Strip]:
    """Ways beside single bridges and beside places for some, up to a number, along which nothing runs that belongs to
    the board: its bridges lie in the middle of a row, and grid lines in the middle or half-way to the next one."""
    found: list[_Strip] = []
    if chart.size > ROOM_FOR_LANES * min(chart.pitch_x, chart.pitch_y):
        return found
    for (a, b), line, length in zip(ends, lines, long, strict=True):
        if line.count > 1 or length < LONG * chart.size:
            continue
        x0, y0, x1, y1 = _between(a, b, chart)
        upright = abs(a[1] - b[1]) > abs(a[0] - b[0])
        dx, dy = (LANE * chart.pitch_x, 0.0) if upright else (0.0, LANE * chart.pitch_y)
        found += [_Strip(x0 + k * dx, y0 + k * dy, x1 + k * dx, y1 + k * dy) for k in (-1, 1)]
    return found[:: max(1, len(found) // MOST_LANES)]


def _beside(image: Image, lanes: Sequence[_Strip], chart: Chart, noise: float) -> list[_Line]:
    """What runs along each of ``lanes``, close to its middle."""
    pitch = min(chart.pitch_x, chart.pitch_y)
    reach = max(NARROWEST, round(min(LANE * pitch - BRIDGE_REACH * chart.size, BEFORE_GRID * pitch)))
    lines = _lines_within(_samples(image, lanes, reach), chart.size, noise) if lanes else []
    return [line or _Line(0) for line in lines]


LANE, BEFORE_GRID, MOST_LANES = 0.35, 0.13, 32
"""Of the pitch: how far beside a bridge's way another one is looked at, and how far to each side of that, since grid
lines may run half-way between two rows; and how many of them are."""

BRIDGE_REACH = 0.42
"""Of an island's size: how far from its middle a double bridge reaches at most."""

ROOM_FOR_LANES = 0.65
"""Of the pitch: islands that are larger have bridges so broad that these reach as far."""


def _is_wave(kind: _Line, lines: Sequence[_Line], asides: Sequence[_Line]) -> bool:
    """Whether a kind of line is met beside the ways of bridges (``asides``) nearly as often as along them (``lines``):
    then it is one of the waves, clouds or threads of what is behind the board."""
    met = sum(_same_pen(kind, line) for line in asides)
    share = sum(_same_pen(kind, line) for line in lines) / max(len(lines), 1)
    return met >= max(FEWEST_WAVES, WAVY * share * len(asides))


def _same_pen(a: _Line, b: _Line) -> bool:
    """Whether lines are drawn with the same pen, however many of them there are."""
    if not (a.count and b.count):
        return False
    broad = a.breadth / a.count, b.breadth / b.count
    return abs(broad[0] - broad[1]) <= max(1.0, SAME_BREADTH * max(broad)) and _same_colour(a, b)


FEWEST_WAVES, WAVY = 2, 0.3
"""How many lines beside the ways of bridges make a kind of them waves at least, and how often they are met there
compared with those along the ways."""


MOST_IDLE = 80
"""Ways without a bridge that are looked at: enough to tell what runs along most of them."""


def _samples(image: Image, strips: Sequence[_Strip], reach: int) -> NDArray[np.uint8]:
    """The colours of each strip at ``SAMPLES`` places along it, at every whole offset up to ``reach`` on both sides.
    Shape ``(strips, SAMPLES, 2 * reach + 1, 3)``, BGR."""
    if not strips:
        return np.zeros((0, SAMPLES, 2 * reach + 1, 3), np.uint8)
    along = np.linspace(0.0, 1.0, SAMPLES)
    across = np.arange(-reach, reach + 1)
    where = np.array([(s.x0, s.y0, s.x1, s.y1) for s in strips])
    upright = np.array([s.upright for s in strips])[:, None, None]
    x = np.rint(where[:, 0, None] + along * (where[:, 2] - where[:, 0])[:, None]).astype(int)[:, :, None]
    y = np.rint(where[:, 1, None] + along * (where[:, 3] - where[:, 1])[:, None]).astype(int)[:, :, None]
    xs = np.clip(np.where(upright, x + across, x + 0 * across), 0, image.shape[1] - 1)
    ys = np.clip(np.where(upright, y + 0 * across, y + across), 0, image.shape[0] - 1)
    return np.asarray(image[ys, xs], np.uint8)


def _is_even(image: Image, box: Box) -> bool:
    """Whether there is nothing but one colour in ``box``."""
    patch = box.crop(image)
    if not patch.size:
        return True
    first, near = patch[0, 0].astype(float), math.ceil(FAINTEST / 2) - 1
    even = cv2.inRange(patch, first - near, first + near)
    return cv2.countNonZero(even) == even.size


def _lines(image: Image, strips: Sequence[_Strip], chart: Chart, noise: float) -> list[_Line]:
    found: dict[int, _Line] = {}
    rooms = _rooms(strips, chart)
    for upright, pitch in ((False, chart.pitch_y), (True, chart.pitch_x)):
        # What belongs to the next row lies at least half a pitch away.
        reach = max(3, round(min(BREADTH * chart.size, 0.45 * pitch)))
        chosen = [k for k, strip in enumerate(strips) if strip.upright == upright]
        found |= dict.fromkeys(chosen, _Line(0))
        chosen = [k for k in chosen if not _is_even(image, strips[k].box(reach))]
        samples = _samples(image, [strips[k] for k in chosen], reach)
        # Islands that stand beside a strip are no part of what is seen along it.
        reaches = np.clip(rooms[chosen], NARROWEST, reach).astype(int)
        for within in np.unique(reaches):
            group = np.flatnonzero(reaches == within)
            lines = _lines_within(samples[group, :, reach - within : reach + within + 1], chart.size, noise)
            found |= {chosen[i]: line for i, line in zip(group, lines, strict=True) if line is not None}
    return [found[k] for k in range(len(strips))]


NARROWEST = 3
"""Pixels on each side of a strip that are looked at in any case."""


def _lines_within(samples: NDArray[np.uint8], size: float, noise: float) -> list[_Line | None]:
    """What runs along each strip, by its ``samples``, shape ``(strips, SAMPLES, offsets, 3)``; None where nothing does.
    ``size``: how large islands are."""
    profiles = np.partition(samples, SAMPLES // 2, axis=1)[:, SAMPLES // 2].astype(np.float32)
    reach = profiles.shape[1] // 2
    # The water: the commonest colour at the rims. One rim may hold a line of a row close by.
    rim = max(1, reach // 2)
    waters = np.median(np.concatenate([profiles[:, :rim], profiles[:, -rim:]], axis=1), axis=1)
    away = np.abs(profiles - waters[:, None]).max(axis=2)
    near, far = (min(max(round(part * size), 1), reach - 1) for part in (MIDDLE, ASIDE))
    middle = away[:, reach - near : reach + near + 1].max(axis=1)
    aside = np.minimum(away[:, reach - far : reach].max(axis=1), away[:, reach + 1 : reach + far + 1].max(axis=1))
    least = FAINTEST + 2 * noise
    found: list[_Line | None] = [None] * len(samples)
    for i in np.flatnonzero(np.maximum(middle, aside) >= least):
        # Between the two lines of a double bridge there may be a band.
        if aside[i] >= (BAND * middle[i] if middle[i] >= least else least):
            line = _line(samples[i], profiles[i], waters[i], away[i], float(aside[i]))
            found[i] = line if line.count == MOST_LINKS else None
        if found[i] is None and middle[i] >= least:
            found[i] = _line(samples[i], profiles[i], waters[i], away[i], float(middle[i]))
    return found


BAND = 1.6
"""How many times the contrast of what is between them two lines have at least."""


def _rooms(strips: Sequence[_Strip], chart: Chart) -> Floats:
    """How far it is from each strip to the islands that stand beside it, in pixels; infinite where they stand beside
    less of it than would be taken for what runs along it."""
    centres = np.array([one.centre for one in chart.islands.values()])
    where = np.array([(s.x0, s.y0, s.x1, s.y1) for s in strips]).reshape(-1, 4)
    upright = np.array([s.upright for s in strips], np.bool_)[:, None]
    (x, y), (x0, y0, x1, y1) = centres.T, where.T[..., None]
    across = np.where(upright, np.abs(x - x0) - 0.5 * chart.width, np.abs(y - y0) - 0.5 * chart.height)
    along, begin, end = np.where(upright, y, x), np.where(upright, y0, x0), np.where(upright, y1, x1)
    near = np.minimum(end, along + BESIDE * chart.size) - np.maximum(begin, along - BESIDE * chart.size)
    # A disc reaches farthest in one place only.
    room = np.where((near > 0) & (across > -1), across + (2 if chart.outline.round else 0), np.inf)
    covered = np.where(room < BREADTH * chart.size, near, 0).sum(axis=1) / np.maximum((end - begin)[:, 0], 1)
    return np.asarray(np.where(covered >= COVERED, room.min(axis=1), np.inf), np.float64)


BESIDE, COVERED = 0.4, 0.4
"""Of an island's size: how far along it is as near as in its middle, to each side; and the part of a strip beside which
islands stand, for them to be seen along it."""


def _line(samples: NDArray[np.uint8], profile: Floats, water: Floats, away: Floats, peak: float) -> _Line:
    """What runs along one strip. ``samples``: its colours, shape ``(SAMPLES, offsets, 3)``; ``profile``: their medians
    along it; ``away``: how far those are from the ``water``, at most ``peak`` where lines are looked for."""
    # What reaches the rim belongs to something beside the strip.
    runs = [(a, b) for a, b in _runs(away > HALF * peak) if a > 0 and b < len(profile)]
    if not runs:
        return _Line(0)
    # One of two lines may fall between two rows of pixels, and have as much ink, but in twice as many of them.
    ink = max(float(away[max(a - 1, 0) : b + 1].sum()) for a, b in runs)
    for a, b in _runs(away > SPREAD * peak):
        alone = a > 0 and b < len(profile) and not any(a < d and c < b for c, d in runs)
        if alone and float(away[max(a - 1, 0) : b + 1].sum()) >= SAME_INK * ink:
            runs.append((a, b))
    core = np.concatenate([np.arange(a, b)[away[a:b] >= 0.75 * away[a:b].max()] for a, b in runs])
    drawn = np.abs(samples[:, core].astype(np.float32) - water).max(axis=2) > HALF * peak
    # A line keeps its place across the strip; a mark, such as a cross, is somewhere else at each step along it.
    thirds = [float(part.any(axis=1).mean()) for part in np.array_split(drawn, 3)]
    if min(part.mean() for part in np.array_split(drawn, 3)) < ALL_ALONG and thirds[1] < IN_THE_MIDDLE:
        return _Line(0)
    along = np.flatnonzero(drawn.any(axis=1))
    colour = np.median(profile[core], axis=0) - water
    return _Line(
        len(runs),
        sum(_breadth(away[max(a - 1, 0) : b + 1]) for a, b in runs),
        (float(colour[0]), float(colour[1]), float(colour[2])),
        # Between its ends: some windows' bridges stop short of the islands.
        len(along) / float(along[-1] - along[0] + 1),
        min(part.mean() for part in np.array_split(drawn, 3)) >= ALL_ALONG,
    )


def _runs(inked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where each row of places without a gap begins and ends."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inked.astype(np.int8), [0]]))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


SPREAD, SAME_INK = 0.35, 0.6
"""Of the strongest line's contrast, and of its ink: what a line that is drawn with the same pen has at least."""


def _breadth(across: Floats) -> float:
    """How broad a line is, in pixels, by all of its ink: where it lies between two rows of pixels, more of them have
    some. ``across``: how far from the water each pixel is."""
    return float(across.sum() / across.max())


ALL_ALONG, IN_THE_MIDDLE = 0.3, 0.9
"""The part of each third of a line that must be drawn: of a dashed one it is half; and that of the middle third of a
line that stops short of the islands, where these are so close that little of it is left."""


# --- what lines mean -------------------------------------------------------------------------------------------------


def _same_colour(a: _Line, b: _Line, times: float = 1.0) -> bool:
    """Whether two lines are drawn in one colour, as far as blur and noise let one say. What is lighter than the water
    is never what is darker."""
    apart = max(abs(p - q) for p, q in zip(a.colour, b.colour, strict=True))
    return apart <= times * max(SAME_COLOUR * max(a.contrast, b.contrast), FAINTEST)


def _alike(a: _Line, b: _Line) -> bool:
    broad = abs(a.breadth - b.breadth) <= max(1.0, SAME_BREADTH * max(a.breadth, b.breadth))
    return a.count == b.count and broad and _same_colour(a, b)


def _very_alike(a: _Line, b: _Line) -> bool:
    """As :func:`_alike`, in a strip so short that islands' rims may be mixed with what is seen there."""
    return _alike(a, b) and _same_colour(a, b, 0.5)


def _kinds(lines: Sequence[_Line]) -> list[_Line]:
    """One line of each kind that is met, the commonest first."""
    left = [line for line in lines if line.count]
    found: list[_Line] = []
    while left:
        best = max(left, key=lambda one: sum(_alike(one, other) for other in left))
        found.append(best)
        left = [other for other in left if not _alike(best, other)]
    return found


def _members(kinds: Sequence[_Line], lines: Sequence[_Line], clear: Sequence[bool]) -> list[list[int]]:
    """For each kind the indices of its lines."""

    def distance(line: _Line, kind: _Line) -> tuple[bool, bool, float]:
        colour = max(abs(p - q) for p, q in zip(line.colour, kind.colour, strict=True))
        apart = colour / max(line.contrast, kind.contrast, 1.0) + abs(line.breadth - kind.breadth) / line.breadth
        return not _alike(line, kind), line.count != kind.count, apart

    found: list[list[int]] = [[] for _ in kinds]
    for k, (line, good) in enumerate(zip(lines, clear, strict=True)):
        if good and line.count and kinds:
            found[min(range(len(kinds)), key=lambda i: distance(line, kinds[i]))].append(k)
    return found


def _meaning(
    kinds: Sequence[_Line],
    members: Sequence[Sequence[int]],
    idle: Sequence[Sequence[_Line]],
    bridges: Sequence[Bridge],
    puzzle: Puzzle,
    least: float,
    among: int,
) -> list[int]:
    """How many links each kind stands for. ``idle``: what runs where no bridge can be, along rows and columns.
    ``least``: the ink of a line that is hardly a hint. ``among``: of how many bridges enough is seen."""
    usual = [MOST_LINKS if kind.count > 1 else 1 for kind in kinds]
    index = {bridge: k for k, bridge in enumerate(puzzle.bridges)}
    placed = [[index[bridges[k]] for k in each] for each in members]
    for k, kind in enumerate(kinds):
        everywhere = any(some and np.mean([_alike(kind, line) for line in some]) >= EVERYWHERE for some in idle)
        if everywhere or kind.solid < SOLID:
            usual[k] = 0
    strongest = max((kind.contrast for kind, value in zip(kinds, usual, strict=True) if value), default=0.0)
    doubles = [kind for kind, value in zip(kinds, usual, strict=True) if value and kind.count > 1]
    single = max(
        (kind.contrast for kind, value in zip(kinds, usual, strict=True) if value and kind.count == 1), default=0
    )
    # What two lines enclose may make them stronger.
    compared = single if single >= PALE_ALONE * strongest else strongest
    for k, kind in enumerate(kinds):
        alone = kind.count == 1 and not any(_same_colour(kind, double) for double in doubles)
        usually = PALE * strongest if kind.count == 1 else PALE_DOUBLE * strongest
        if kind.contrast < (PALE_ALONE * compared if alone else usually):
            usual[k] = 0
    shown = [k for k, value in enumerate(usual) if value]
    faintest = min((kinds[k].weight for k in shown), default=0.0)
    seen = sum(len(placed[k]) for k in shown)
    pale = max((kinds[k].contrast for k in shown), default=0.0) < PALE * least / CLEAR_LINE
    everything = seen >= ALL_SHOWN * len(bridges) or (pale and seen >= MOST_SHOWN * among)
    if shown and everything and (faintest < least or _breaches(_broad(kinds, usual, placed), placed, puzzle)):
        # Every possible bridge is drawn, pale or so that they cannot all stand: the faintest of them are only possible,
        # unless a double one is drawn with the same pen.
        faint = [k for k in shown if kinds[k].weight <= FAINT * faintest]
        if all(kinds[k].count == 1 for k in faint):
            usual = [0 if k in faint else value for k, value in enumerate(usual)]
    usual = _broad(kinds, usual, placed)
    # Which kinds are only hints? The fewest that leave no more breaches than a person makes.
    best: tuple[float, list[int]] | None = None
    # What is drawn twice for two links is drawn once for one.
    singles = {k: double for k, kind in enumerate(kinds) for double, other in enumerate(kinds) if _is_half(kind, other)}
    # One that has a rim looks like two.
    choices = [tuple(range(value, -1, -1)) for value in usual[:MOST_KINDS]]
    for chosen in itertools.product(*choices):
        meaning = [*chosen, *usual[MOST_KINDS:]]
        cost = float(_breaches(meaning, placed, puzzle))
        for k, (m, u) in enumerate(zip(meaning, usual, strict=True)):
            if m != u:
                least = MISTAKES * (2 if k in singles or k in singles.values() else 1)
                cost += max(least, MISTAKEN * len(placed[k]))
        cost += sum(len(placed[k]) for k in singles if not meaning[k] and meaning[singles[k]])
        if best is None or cost < best[0]:
            best = cost, meaning
    return best[1] if best else []


def _is_half(kind: _Line, other: _Line) -> bool:
    """Whether ``other`` is two lines of one pen of which ``kind`` is one."""
    same = kind.count == 1 and other.count == MOST_LINKS and _same_colour(kind, other)
    return same and abs(kind.breadth - other.breadth / 2) <= max(1.0, SAME_BREADTH * kind.breadth)


MOST_KINDS = 6
"""Kinds of lines that are weighed against each other; rarer ones are believed."""

FAINT = 1.6
"""How many times the ink of the faintest kind of line another kind has at most to be only a hint, like that one."""

CLEAR_LINE = 0.5
"""Of the contrast of the numbers: a line of one pixel that has more is as clear as a bridge."""

PALE, PALE_DOUBLE, PALE_ALONE = 0.15, 0.3, 0.42
"""Of the contrast of the strongest kind of line: what has less is the islands' glow, or a grid; two lines with less are
the rims of a mark; and one line in a colour in which nothing is drawn twice may be a hint with more."""

SOLID = 0.8
"""The part of its way on which a bridge is drawn at least: a pointer may cover some; of a dashed line half is water."""

ALL_SHOWN, MOST_SHOWN = 0.95, 0.8
"""The part of all places for links that must show a line, for the faintest to be only possible bridges; and of those of
which enough is seen, where all lines are as pale beside the numbers as glow is beside lines."""


def _broad(kinds: Sequence[_Line], usual: Sequence[int], members: Sequence[Sequence[int]]) -> list[int]:
    """``usual``, where a line that is far thicker than another stands for two links."""
    return [_thick(k, kinds, usual, members) if value == 1 else value for k, value in enumerate(usual)]


def _thick(k: int, kinds: Sequence[_Line], usual: Sequence[int], members: Sequence[Sequence[int]]) -> int:
    """The links of a single line: two where it is far thicker than another kind of bridge. Where that one is drawn
    twice for two links, in another colour, and more often than the thick one is met, this is a single one that is lit
    up; in the same colour, the two lines run together."""
    kind = kinds[k]
    doubles = [
        other
        for other, value, some in zip(kinds, usual, members, strict=True)
        if value == MOST_LINKS and len(some) > len(members[k]) and not _same_colour(kind, other)
    ]
    thinner = (
        value
        and other.count == 1
        and not any(_is_half(other, double) for double in doubles)
        and kind.breadth >= THICK * other.breadth
        and other.contrast >= PALER * kind.contrast
        and _is_thicker(kind, other)
        for other, value in zip(kinds, usual, strict=True)
    )
    return MOST_LINKS if any(thinner) else 1


PALER = 0.5
"""Of a line's contrast: what has less is drawn with another pen."""


def _is_thicker(kind: _Line, other: _Line) -> bool:
    """Whether a line that is broader than another one is drawn with a broader pen: one that falls between two rows of
    pixels is twice as broad and half as strong."""
    return kind.breadth >= other.breadth + 1.5 or kind.weight >= THICK * other.weight


def _breaches(meaning: Sequence[int], members: Sequence[Sequence[int]], puzzle: Puzzle) -> int:
    """How often the rules are broken where each kind of line means so many links: crossings, and islands with more
    links than their number."""
    links = {k: number for number, each in zip(meaning, members, strict=True) for k in each if number}
    crossed = sum(other in links for k in links for other in puzzle.crossings[k]) // 2
    full = sum(sum(links.get(k, 0) for k in puzzle.at[cell]) > number for cell, number in puzzle.islands.items())
    return crossed + full


# --- counts written on bridges ---------------------------------------------------------------------------------------


MOST_LABELLED = 0.75
"""The part of the bridges that must carry a count for the window to be one that writes counts."""


def _labels(
    image: Image,
    chart: Chart,
    bridges: Sequence[Bridge],
    ends: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    links: Mapping[Bridge, int],
    noise: float,
) -> dict[Bridge, int]:
    """The counts that stand in the middle of bridges, in a small disc or on the line itself. ``links``: those that are
    seen by their lines."""
    asked: list[Bridge] = []
    contents: list[ink.Content] = []
    needed: list[float] = []
    for bridge, (a, b) in zip(bridges, ends, strict=True):
        room = _length(a, b, chart)
        side = min(LABEL_SIDE * chart.size, 0.8 * room)
        # Between islands that are close the count covers the line.
        lined = links[bridge] > 0
        if room < LABEL_ROOM * chart.size or (not lined and room > COVERS * side):
            continue
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        box = Box(round(x - side / 2), round(y - side / 2), round(side), round(side))
        if _is_even(image, box):
            continue
        here = ink.content(image, box, noise)
        central = abs(here.box.centre[0] - x) < side / 5 and abs(here.box.centre[1] - y) < side / 5
        if not here.bare and central and here.box.height > 0.4 * side:
            beside = [_colour(image, x + dx, y + dy) for dx, dy in _sides(a, b, 0.45 * chart.size)]
            # What stands on the water itself, and not on a disc of its own, may be a mark or a piece of a line.
            apart = min(float(np.abs(here.ground - one).max()) for one in beside) >= 2 * FAINTEST
            if (apart or (lined and here.box.height >= LEGIBLE_HEIGHT)) and not _goes_on(image, here):
                asked.append(bridge)
                contents.append(here)
                needed.append(numbers.LEGIBLE if apart else CLEARLY)
    found: dict[Bridge, int] = {}
    for bridge, options, enough in zip(asked, numbers.classify(contents), needed, strict=True):
        number, probability = options[0]
        if number in ("1", "2") and probability > enough:
            found[bridge] = int(number)
    return found


def _goes_on(image: Image, here: ink.Content) -> bool:
    """Whether what looks like a count goes on above and below: then it is a piece of a line."""
    box, x = here.box, here.box.centre[0]
    above = [_colour(image, x, box.y - 1 - k) for k in range(BEYOND)]
    below = [_colour(image, x, box.y + box.height + k) for k in range(BEYOND)]
    return all(float(np.abs(one - here.colour).max()) < float(np.abs(one - here.ground).max()) for one in above + below)


BEYOND = 2
"""Pixels beyond a count's top and bottom that show no ink."""


def _sides(a: tuple[float, float], b: tuple[float, float], far: float) -> tuple[tuple[float, float], ...]:
    """The steps to both sides of the way from ``a`` to ``b``."""
    upright = abs(a[1] - b[1]) > abs(a[0] - b[0])
    return ((-far, 0.0), (far, 0.0)) if upright else ((0.0, -far), (0.0, far))


def _colour(image: Image, x: float, y: float) -> Floats:
    """The picture's colour at a place, BGR; the nearest one at its edges."""
    row, column = np.clip((round(y), round(x)), 0, (image.shape[0] - 1, image.shape[1] - 1))
    colour: Floats = image[row, column].astype(np.float32)
    return colour


LEGIBLE_HEIGHT = 7
"""Pixels: in fewer a piece of a line looks like a 1."""

CLEARLY = 0.9
"""How probable a count must be that stands on the water."""

LABEL_ROOM = 0.15
"""Of an island's size: where two islands are closer, no count that could be read stands between them."""

COVERS = 5.0
"""Of a count's side: on a longer bridge more of the line is seen than of the count."""

LABEL_SIDE = 0.42
"""Of an island's size: the square that a count's glyph fills, its disc's rim left out."""


def _uncrossed(labels: Mapping[Bridge, int], links: Mapping[Bridge, int], puzzle: Puzzle) -> dict[Bridge, int]:
    """``labels`` without those that stand in the middle of a bridge that crosses: its line is seen there."""
    index = {bridge: k for k, bridge in enumerate(puzzle.bridges)}
    kept: dict[Bridge, int] = {}
    for bridge, number in labels.items():
        rivals = [puzzle.bridges[k] for k in puzzle.crossings[index[bridge]]]
        if links[bridge] or not any(other in labels and links[other] for other in rivals):
            kept[bridge] = number
    return kept
