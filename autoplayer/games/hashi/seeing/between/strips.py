"""Lines along straight ways across the water of a picture: how many side by side, with their widths and colours. Knows
no rules; the meaning of lines is inferred in ``meaning``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats, Image, largest_channel
from autoplayer.games.hashi.puzzle import MOST_LINKS
from autoplayer.games.hashi.seeing.between.lines import FAINTEST, HALF, Line
from autoplayer.games.hashi.seeing.between.traced import DOTS, dots, perhaps_dotted, ropes
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.games.hashi.seeing.places.outline import pixels

SAMPLES = 33
"""The number of positions along a strip that are sampled: something that covers less than half of them crosses the
strip, and does not run along it."""

ALONG = np.linspace(0.0, 1.0, SAMPLES)
ALONG[1:-1] += 0.8 / SAMPLES * ((np.arange(1, SAMPLES - 1) * (math.sqrt(5) - 1) / 2) % 1 - 0.5)
"""Where they lie, as shares of its length: not at even distances, at which pieces of a dashed line may lie."""

BREADTH = 0.5
"""Of an island's size, on each side: the lines of a bridge lie within this distance, those of the next row do not."""

MIDDLE, ASIDE = 0.2, 0.38
"""Of an island's size, on each side: a single line lies within the first distance, the two of a double bridge within
the second."""

RIM = 0.15
"""Of a strip, at each end: anything seen only there is not a line, which runs along most of the strip."""


@dataclass(frozen=True)
class Strip:
    """A straight way across water in window pixels, to the right or down, from ``(x0, y0)`` to ``(x1, y1)``."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def upright(self) -> bool:
        return abs(self.y1 - self.y0) > abs(self.x1 - self.x0)

    @property
    def length(self) -> float:
        return max(abs(self.x1 - self.x0), abs(self.y1 - self.y0))

    def parts(self, length: float) -> list[Strip]:
        """The way in equal parts of about this length."""
        at = np.linspace(0, 1, max(round(self.length / length), 1) + 1)
        xs, ys = (self.x0 + at * (self.x1 - self.x0)).tolist(), (self.y0 + at * (self.y1 - self.y0)).tolist()
        return [Strip(*each) for each in zip(xs, ys, xs[1:], ys[1:], strict=False)]

    def beside(self, away: float) -> Strip:
        """The way shifted by so many pixels to the right, or down."""
        dx, dy = (away, 0.0) if self.upright else (0.0, away)
        return Strip(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy)

    def box(self, reach: int) -> Box:
        """The area within ``reach`` pixels of the way on both sides, without its ends, where islands' rims may be."""
        across, down = (reach, 0) if self.upright else (0, reach)
        dx, dy = RIM * (self.x1 - self.x0), RIM * (self.y1 - self.y0)
        left, top = round(self.x0 + dx) - across, round(self.y0 + dy) - down
        return Box(left, top, round(self.x1 - dx) + across - left + 1, round(self.y1 - dy) + down - top + 1)


def free_length(a: tuple[float, float], b: tuple[float, float], chart: Chart) -> float:
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    return down - chart.height if down > across else across - chart.width


def way_between(a: tuple[float, float], b: tuple[float, float], chart: Chart) -> tuple[float, float, float, float]:
    """The way from island to island without the islands themselves."""
    upright = abs(a[1] - b[1]) > abs(a[0] - b[0])
    if upright:
        x = (a[0] + b[0]) / 2
        return x, a[1] + chart.height / 2, x, b[1] - chart.height / 2
    y = (a[1] + b[1]) / 2
    return a[0] + chart.width / 2, y, b[0] - chart.width / 2, y


def sampled(image: Image, strips: Sequence[Strip], reach: int, along: Floats = ALONG) -> NDArray[np.uint8]:
    """The colours of each strip ``along`` it, in shares of its length, at every whole offset up to ``reach`` on both
    sides. Shape ``(strips, along, 2 * reach + 1, 3)``, BGR."""
    if not strips:
        return np.zeros((0, len(along), 2 * reach + 1, 3), np.uint8)
    across = np.arange(-reach, reach + 1)
    where = np.array([(s.x0, s.y0, s.x1, s.y1) for s in strips])
    upright = np.array([s.upright for s in strips])[:, None, None]
    x = pixels(where[:, 0, None] + along * (where[:, 2] - where[:, 0])[:, None])[:, :, None]
    y = pixels(where[:, 1, None] + along * (where[:, 3] - where[:, 1])[:, None])[:, :, None]
    xs = np.clip(np.where(upright, x + across, x + 0 * across), 0, image.shape[1] - 1)
    ys = np.clip(np.where(upright, y + 0 * across, y + across), 0, image.shape[0] - 1)
    return np.asarray(image.reshape(-1, 3).take(ys * image.shape[1] + xs, axis=0), np.uint8)


def is_even(image: Image, box: Box) -> bool:
    """Whether ``box`` shows a single colour."""
    patch = box.crop(image)
    if not patch.size:
        return True
    blue, green, red = patch[0, 0].tolist()
    near = math.ceil(FAINTEST / 2) - 1
    even = cv2.inRange(patch, (blue - near, green - near, red - near), (blue + near, green + near, red + near))
    return cv2.countNonZero(even) == even.size


def lines_along(image: Image, strips: Sequence[Strip], chart: Chart, noise: float) -> list[Line]:
    found: dict[int, Line] = {}
    rooms = _rooms(strips, chart)
    for upright, pitch in ((False, chart.pitch_y), (True, chart.pitch_x)):
        # Things of the next row are at least half a pitch away.
        reach = max(3, round(min(BREADTH * chart.size, 0.45 * pitch)))
        chosen = [k for k, strip in enumerate(strips) if strip.upright == upright]
        found |= dict.fromkeys(chosen, Line(0))
        chosen = [k for k in chosen if not is_even(image, strips[k].box(reach))]
        samples = sampled(image, [strips[k] for k in chosen], reach)
        # Islands beside a strip are not part of the line along it.
        reaches = np.clip(rooms[chosen], NARROWEST, reach).astype(int)
        for within in np.unique(reaches):
            group = np.flatnonzero(reaches == within)
            long = [strips[chosen[i]].length for i in group]
            here = samples[group, :, reach - within : reach + within + 1]
            lines = lines_within(here, long, chart.size, noise)
            for i in perhaps_dotted(here, FAINTEST + 2 * noise):
                if long[i] >= ROPE * chart.size:
                    lines[i] = _dotted(image, strips[chosen[group[i]]], int(within), chart.size, noise, lines[i])
            found |= {chosen[i]: line for i, line in zip(group, lines, strict=True) if line is not None}
    if any(line.count and line.solid < WHOLE for line in found.values()):
        # Between planks it depends on where a line is looked at whether it seems to have gaps.
        for k, line in found.items():
            if line.count and not math.isnan(line.solid):
                found[k] = replace(line, solid=_drawn_part(image, strips[k], line, chart.size))
    return [found[k] for k in range(len(strips))]


def uneven(image: Image, strips: Sequence[Strip], chart: Chart) -> list[Strip]:
    """Those of ``strips`` along or beside which anything is drawn, up to the next row or column."""
    reach = {upright: round(LANES_BETWEEN * (chart.pitch_x if upright else chart.pitch_y)) for upright in (False, True)}
    return [one for one in strips if not is_even(image, one.box(reach[one.upright]))]


def off_axis(image: Image, strips: Sequence[Strip], chart: Chart, noise: float) -> tuple[float, float]:
    """The offset of the bridges from their islands' middles, if most of them have one: to the right for vertical
    bridges, down for horizontal ones, in pixels. The common outline need not be the whole island, as when its number
    stands on a flag. ``strips``: those that are :func:`uneven`."""
    return _off_axis(image, strips, chart, noise, upright=True), _off_axis(image, strips, chart, noise, upright=False)


def _off_axis(image: Image, strips: Sequence[Strip], chart: Chart, noise: float, *, upright: bool) -> float:
    reach = round(LANES_BETWEEN * (chart.pitch_x if upright else chart.pitch_y))
    chosen = [one for one in strips if one.upright == upright]
    samples = sampled(image, chosen[:: max(1, len(chosen) // MOST_ASIDE)], reach)
    if reach < 2 or not len(samples):
        return 0.0
    profiles = np.partition(samples, SAMPLES // 2, axis=1)[:, SAMPLES // 2].astype(np.float32)
    away = largest_channel(np.abs(profiles - _waters(profiles)[:, None]))
    middles = []
    for row in away[away.max(axis=1) >= FAINTEST + 2 * noise]:
        runs = [(a, b) for a, b in _runs(row > HALF * row.max()) if a > 0 and b < len(row)]
        if runs:
            middles.append((runs[0][0] + runs[-1][1] - 1) / 2 - reach)
    usual = float(np.median(middles)) if middles else 0.0
    alike = sum(abs(one - usual) <= max(1.0, SAME_ASIDE * chart.size) for one in middles)
    believed = alike >= max(FEWEST_ASIDE, MOSTLY_ASIDE * len(middles)) and abs(usual) <= MOST_BESIDE * chart.size
    return usual if believed and abs(usual) >= max(LEAST_ASIDE * chart.size, 1.5) else 0.0


LANES_BETWEEN, MOST_ASIDE = 0.45, 24
"""Of the pitch: how far to each side lines of a row are looked for: grid lines may run half-way between two rows; and
how many ways are examined: more add no information."""

LEAST_ASIDE, MOST_BESIDE, SAME_ASIDE = 0.08, 0.35, 0.06
"""Of an island's size: the least offset of bridges from its middle (smaller ones are found anyhow), and the largest;
and the tolerance between bridges."""

FEWEST_ASIDE, MOSTLY_ASIDE = 2, 0.7
"""The least number and share of lines with the same offset from the middles."""


def _dotted(image: Image, strip: Strip, within: int, size: float, noise: float, other: Line | None) -> Line | None:
    """The dotted line along a strip, looked at pixel by pixel; the ``other`` line if there is none, or if the other is
    not a blurred view of it."""
    samples = sampled(image, [strip], within, np.linspace(0.0, 1.0, max(round(strip.length), 2)))[0]
    water = _waters(np.median(samples, axis=0)[None])[0]
    far = min(max(round(ASIDE * size), 1), within - 1)
    steps = dots(samples, water, far, FAINTEST + 2 * noise)
    if not len(steps):
        return other
    profile = np.median(samples[steps], axis=0).astype(np.float32)
    away = np.abs(profile - water).max(axis=1)
    line = _line(samples, profile, water, away, float(away[within - far : within + far + 1].max()), DOTS[0] / 2)
    if not 0 < line.count <= MOST_LINKS or (
        other and other.count >= line.count and other.contrast > SMEAR * line.contrast
    ):
        return other
    return line


SMEAR = 0.4
"""Of a dotted line's contrast: the blur between its dots has less."""


def _drawn_part(image: Image, strip: Strip, line: Line, size: float) -> float:
    """The share of its way on which a line is drawn, pixel by pixel."""
    reach = max(round(ASIDE * size), 1)
    along = np.linspace(0.0, 1.0, max(round(strip.length), 2))
    colours = sampled(image, [strip], reach, along)[0].astype(np.float32)
    # Along the line's own colour: how far from the water, which the outermost pixels show.
    ink = np.array(line.colour, np.float32) / max(line.contrast, 1.0)
    shown = (colours @ ink) / float(ink @ ink)
    drawn = np.flatnonzero((shown - np.median(shown[:, [0, -1]])).max(axis=1) > HALF * line.contrast)
    return len(drawn) / float(drawn[-1] - drawn[0] + 1) if len(drawn) else line.solid


WHOLE = 0.97
"""The part of its way on which a line is drawn that has no gaps."""


NARROWEST = 3
"""Pixels on each side of a strip that are looked at in any case."""


def lines_within(samples: NDArray[np.uint8], long: Sequence[float], size: float, noise: float) -> list[Line | None]:
    """The line along each strip, by its ``samples``, shape ``(strips, SAMPLES, offsets, 3)``; None if there is none.
    ``long``: the length of each, and ``size``: that of islands, in pixels."""
    profiles = np.partition(samples, SAMPLES // 2, axis=1)[:, SAMPLES // 2].astype(np.float32)
    reach = profiles.shape[1] // 2
    waters = _waters(profiles)
    away = largest_channel(np.abs(profiles - waters[:, None]))
    near, far = (min(max(round(part * size), 1), reach - 1) for part in (MIDDLE, ASIDE))
    middle = away[:, reach - near : reach + near + 1].max(axis=1)
    sides = [away[:, reach - far : reach].max(axis=1), away[:, reach + 1 : reach + far + 1].max(axis=1)]
    aside = np.where(np.minimum(*sides) >= OTHER_LINE * np.maximum(*sides), np.minimum(*sides), 0)
    least = FAINTEST + 2 * noise
    found: list[Line | None] = [None] * len(samples)
    hides = MARK * size / np.maximum(long, 1)
    for i in np.flatnonzero(np.maximum(middle, aside) >= least):
        # Between the two lines of a double bridge there may be a band.
        if aside[i] >= (BAND * middle[i] if middle[i] >= least else least):
            line = _line(samples[i], profiles[i], waters[i], away[i], float(aside[i]), mark=hides[i])
            found[i] = line if line.count == MOST_LINKS else None
        if found[i] is None and middle[i] >= least:
            found[i] = _line(samples[i], profiles[i], waters[i], away[i], float(middle[i]), mark=hides[i])
    room = np.flatnonzero(np.asarray(long) >= ROPE * size)  # beside shorter ones the rims of islands swing
    for k, rope in ropes(samples[room], waters[room], near, far, least).items():
        found[room[k]] = rope
    unknown = set(np.flatnonzero(np.asarray(long) < ROPE * size).tolist())
    for k in np.flatnonzero(np.asarray(long) < LONG * size).tolist():
        short = found[k]
        if short and short.whole and _tapers(samples[k], waters[k], short, size):
            found[k] = replace(short, whole=False)
    return [replace(line, solid=math.nan) if line and k in unknown else line for k, line in enumerate(found)]


LONG = 0.5
"""Of an island's size: between islands that are closer, traces of their rims look like pale lines."""


def _tapers(samples: NDArray[np.uint8], water: Floats, line: Line, size: float) -> bool:
    """Whether what is seen between two islands that are close is broad at both of them, and narrow or nothing half-way:
    then it may be no more than their rims or tips. ``samples``: shape ``(SAMPLES, offsets, 3)``."""
    inked = largest_channel(np.abs(samples.astype(np.float32) - water)) > HALF * line.contrast
    breadths = inked.sum(axis=1)
    first, *_, last = ends = [float(np.median(part)) for part in np.array_split(breadths, SAMPLES // NEAR_END)]
    return min(first, last) >= TAPERED * min(ends) + BROADER_BY * size


NEAR_END, TAPERED, BROADER_BY = 4, 2.0, 0.1
"""How many steps at each end of a strip show the islands; and how many times as broad as half-way, and by how much of
an island's size broader, rims are there."""


ROPE = 0.8
"""Of an island's size: the least length of a line that is followed step by step, or whose gaps can be recognised."""

OTHER_LINE = 0.35
"""Of the contrast of one of two lines: the least contrast of the other one. A line between two rows of pixels has
half."""

BAND = 1.6
"""The least ratio of the contrast of two lines to that of the band between them."""


def _waters(profiles: Floats) -> Floats:
    """The colour of the water beside each strip: the commonest colour at the rims of its profile, shape ``(strips,
    offsets, 3)``. One rim may include a line of a row close by."""
    rim = max(1, profiles.shape[1] // 4)
    return np.asarray(np.median(np.concatenate([profiles[:, :rim], profiles[:, -rim:]], axis=1), axis=1), np.float32)


def _rooms(strips: Sequence[Strip], chart: Chart) -> Floats:
    """The distance from each strip to the islands beside it, in pixels; infinite if these are beside a shorter part of
    it than a line would take."""
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
"""Of an island's size: how far along it, to each side, its border is as near as at its middle; and the least share of a
strip with islands beside it for them to be seen along it."""


ALL_ALONG, IN_THE_MIDDLE = 0.3, 0.9
"""The least share of each third of a line that must be drawn: of a dashed one it is half; and the same for the middle
third of a line that stops short of the islands, if these are so close that little of it is left."""


MARK, BESIDE_MARK = 0.6, 0.9
"""Of an island's size: the largest part of a line's way that a count in its middle hides; and the share of the way on
each side of it on which the line is drawn. A mark as large as an island may be an island."""


def _line(
    samples: NDArray[np.uint8],
    profile: Floats,
    water: Floats,
    away: Floats,
    peak: float,
    drawn_part: float = ALL_ALONG,
    mark: float = 0.0,
) -> Line:
    """The line along one strip. ``samples``: its colours, shape ``(SAMPLES, offsets, 3)``; ``profile``: their medians
    along it; ``away``: their distance from the ``water``, at most ``peak`` where lines are looked for; ``drawn_part``:
    how much of each third of a line must be drawn; ``mark``: the share of its way that something in its middle may
    hide."""
    # A run that reaches the rim belongs to something beside the strip.
    runs = [(a, b) for a, b in _runs(away > HALF * peak) if a > 0 and b < len(profile)]
    if not runs:
        return Line(0)
    # One of two lines may fall between two rows of pixels: it has the same ink, but in twice as many rows.
    ink = max(float(away[max(a - 1, 0) : b + 1].sum()) for a, b in runs)
    for a, b in _runs(away > SPREAD * peak):
        alone = a > 0 and b < len(profile) and not any(a < d and c < b for c, d in runs)
        if alone and float(away[max(a - 1, 0) : b + 1].sum()) >= SAME_INK * ink:
            runs.append((a, b))
    rails = _without_ties(runs, samples, water, HALF * peak)
    if rails != runs:
        away = np.where([any(a <= k < b for a, b in rails) for k in range(len(away))], away, 0)
    runs = _even_sided(rails, len(profile) // 2)
    core = np.concatenate([np.arange(a, b)[away[a:b] >= 0.75 * away[a:b].max()] for a, b in runs])
    drawn = largest_channel(np.abs(samples[:, core].astype(np.float32) - water)) > HALF * peak
    # A line keeps its place across the strip; a mark, such as a cross, is somewhere else at each step along it.
    thirds = [float(part.any(axis=1).mean()) for part in np.array_split(drawn, 3)]
    whole = min(part.mean() for part in np.array_split(drawn, 3)) >= drawn_part
    along = np.flatnonzero(drawn.any(axis=1))
    marked = not whole and _is_marked(drawn, mark)
    if not whole and not marked and thirds[1] < IN_THE_MIDDLE:
        return Line(0)
    colour = np.median(profile[core], axis=0) - water
    return Line(
        len(runs),
        sum(_breadth(away[max(a - 1, 0) : b + 1]) for a, b in runs),
        (float(colour[0]), float(colour[1]), float(colour[2])),
        # Between its ends: some windows' bridges stop short of the islands.
        math.nan if marked else len(along) / float(along[-1] - along[0] + 1),
        whole or marked,
        _inner(profile, water, runs),
    )


def _without_ties(
    runs: Sequence[tuple[int, int]], samples: NDArray[np.uint8], water: Floats, least: float
) -> list[tuple[int, int]]:
    """``runs`` of rows of pixels, without what crosses a line again and again, as planks do that lie on rails: where
    they cover half of the way, their positions decide whether they seem to be the line itself. ``least``: how far from
    the ``water`` ink is."""
    kept = []
    for a, b in runs:
        shares = (largest_channel(np.abs(samples[:, a:b].astype(np.float32) - water)) > least).mean(axis=0)
        through = shares >= THROUGHOUT
        out = not through[:BEYOND].any() and not through[-BEYOND:].any()
        ties = out and 0 < through.sum() <= RAIL * (b - a) and shares[~through].max() <= TIES
        kept += [(a + c, a + d) for c, d in _runs(through)] if ties else [(a, b)]
    return kept


THROUGHOUT, TIES, RAIL, BEYOND = 0.95, 0.8, 0.5, 2
"""The least share of the steps at which a rail is seen, and the largest at which the planks across it are; and the
largest part of the planks' length that the rails take; and how many pixels these reach beyond the rails on both sides:
the edges of a line that bends, and those of dashes upon a grid line, are thinner."""


def _even_sided(runs: Sequence[tuple[int, int]], middle: int) -> list[tuple[int, int]]:
    """``runs`` of rows of pixels without the outer ones that have no counterpart on the other side of the ``middle``:
    the lines of one bridge lie symmetrically around it, and a line that passes by does not."""
    kept = sorted(runs)
    while len(kept) > 1:
        first, last = (sum(kept[k]) / 2 - 0.5 - middle for k in (0, -1))
        if abs(first + last) / 2 <= LOPSIDED * (last - first) + 1:
            break
        kept.pop(0 if first + last < 0 else -1)
    return kept


LOPSIDED = 0.35
"""Of the distance between two lines: the largest offset of the islands' middle from the middle of the two lines; at
half of the lines' distance, one of them runs along the islands' middle, alone."""


def _is_marked(drawn: NDArray[np.bool_], mark: float) -> bool:
    """Whether a line is drawn on its whole way except for its middle, where something hides at most the share ``mark``
    of it. ``drawn``: where it is seen, shape ``(SAMPLES, offsets)``."""
    if not mark:
        return False
    seen, aside = drawn.mean(axis=1) > HALF, ALONG - 0.5
    sides = seen[aside < -mark / 2], seen[aside > mark / 2]
    return all(len(side) >= LEAST_BESIDE and side.mean() >= BESIDE_MARK for side in sides)


LEAST_BESIDE = 6
"""Places along a line on each side of what hides its middle: fewer may be the islands' rims."""


def _inner(profile: Floats, water: Floats, runs: Sequence[tuple[int, int]]) -> Line | None:
    """The lines drawn on broader ones, given as ``runs`` of rows of pixels: the middle of each has another colour than
    both of its sides. ``profile``: the colours across the strip."""
    breadth, colours = 0.0, []
    for a, b in runs:
        middle = profile[(a + b - 1) // 2 : (a + b) // 2 + 1].mean(axis=0)
        sides = profile[[min(a + 1, b - 1), max(b - 2, a)]] if b - a > LEAST_OUTER else profile[[a, b - 1]]
        side, edge = sides.mean(axis=0), max((b - a) // 4, 1)
        apart = middle - side
        if b - a < LEAST_OUTER or np.abs(apart).max() < 2 * FAINTEST or np.ptp(sides, axis=0).max() > 2 * FAINTEST:
            return None
        share = np.clip((profile[a + edge : b - edge] - side) @ apart / float(apart @ apart), 0, 1)
        breadth += float(share.sum())
        colours.append(middle - water)
    if breadth > MOST_INNER * sum(b - a for a, b in runs):
        return None
    blue, green, red = np.median(colours, axis=0).tolist()
    return Line(len(runs), breadth, (blue, green, red))


LEAST_OUTER, MOST_INNER = 4, 0.45
"""Pixels: the least width of a line on which another one is drawn; and the largest share of it that the inner one
covers: the gap between two lines is broader."""


def _runs(inked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The beginning and end of each run of adjacent inked positions."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inked.astype(np.int8), [0]]))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


SPREAD, SAME_INK = 0.35, 0.6
"""Of the strongest line's contrast, and of its ink: the least for a line drawn with the same pen."""


def _breadth(across: Floats) -> float:
    """The width of a line, in pixels, measured by all of its ink: between two rows of pixels, it is spread over more of
    them. ``across``: how far each pixel is from the water."""
    return float(across.sum() / across.max())
