"""Finds the islands in a picture of any window: what is drawn around each number, equal in size everywhere, and the
rows and columns on which they stand. Reads the numbers. Knows nothing of bridges.

Two ways to a first guess, each alone enough: *insides* (what is closed off around a number by a ring or by its own
colour) and *glyphs* (numbers of one size, where insides run together with bridges). Whatever was guessed, the islands'
common outline is learned from it and looked for at every place of the lattice, so that an island that is drawn
differently (finished, wrong, chosen) is found as well.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image, Mask
from autoplayer.vision import alike, glyphs, ink, lattice

NUMBERS = tuple("12345678")

SMALLEST = 9
"""Pixels: in a smaller island no number can be read."""

LARGEST = 0.4
"""Of the picture's smaller side: a larger island leaves no room for a second one and water."""

SPOKESMEN = 3
"""How many of a cluster of equal glyphs the network looks at: more say nothing new and cost time."""

LEGIBLE = 0.5
"""A number at least this probable counts as read when guesses are compared."""

FEWEST = 2

SAME_LINE = 0.25
"""Of an island's size: centres of one row differ by less (glyphs' centres by more than rings')."""

CLOSEST = 0.78
"""Of an island's size: the least distance of two rows. The largest islands known have a radius of 0.6 of the pitch."""

MOST_LINES = 120

OFF_LATTICE = 0.16
"""Of the pitch: how far a row may lie from its place on the lattice."""


@dataclass(frozen=True)
class Island:
    """``centre``: ``(x, y)`` in window pixels. ``content``: the number's ink. ``candidates``: ``(number,
    probability)``, the likeliest first; the number "" for nothing that can be read."""

    centre: tuple[float, float]
    content: ink.Content
    candidates: tuple[tuple[str, float], ...]

    @property
    def probability(self) -> float:
        return max((p for number, p in self.candidates if number), default=0.0)


@dataclass(frozen=True)
class Chart:
    """The islands of one board by their place in the lattice. ``width, height``: of one island with its outline, in
    pixels. ``xs, ys``: where each column and row lies."""

    islands: dict[Cell, Island]
    width: float
    height: float
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    pitch_x: float
    pitch_y: float
    outline: Outline
    score: float = 0.0

    @property
    def pitch(self) -> float:
        return min(self.pitch_x, self.pitch_y)

    @property
    def size(self) -> float:
        return min(self.width, self.height)

    @property
    def number_height(self) -> float:
        """The usual height of a number, in pixels."""
        heights = [one.content.box.height for one in self.islands.values() if not one.content.bare]
        return float(np.median(heights or [0]))

    @property
    def core(self) -> float:
        """The width of a disc that holds the number, and no outline in whatever state an island is."""
        return min(INSIDE * self.outline.inner, max(GLYPH_ROOM * self.number_height, SMALLEST))

    def box(self, cell: Cell) -> Box:
        """The rectangle around an island, with its outline."""
        x, y = self.islands[cell].centre
        left, top = round(x - self.width / 2), round(y - self.height / 2)
        return Box(left, top, round(self.width), round(self.height))


@dataclass(frozen=True)
class View:
    """A picture, how strong its edges are, and its noise in grey levels."""

    image: Image
    gray: Mask
    strength: Mask
    noise: float


@dataclass(frozen=True)
class Guess:
    """Boxes of equal size that may be islands' insides, or their glyphs."""

    boxes: lattice.Boxes
    inside: bool
    round: bool


def view(image: Image) -> View:
    """``image`` (BGR, at least ``LEAST_PICTURE`` on each side) prepared for looking; a noisy one is smoothed."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    level = lattice.noise(gray)
    if level > NOISY:
        image = np.asarray(cv2.bilateralFilter(image, 5, 5 * level, 1.5), np.uint8)
        gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        level = lattice.noise(gray)
    return View(image, gray, lattice.edge_strength(image), level)


LEAST_PICTURE = 24
"""Pixels: a smaller picture holds no board."""

NOISY = 3.0
"""Grey levels: from here on a picture is smoothed first."""


def find(seen: View) -> Chart | None:
    """The islands of a picture; None where nothing looks like some."""
    best: Chart | None = None
    for guesses in _stages(seen):
        for guess in guesses:
            chart = _look(seen, guess)
            if chart is not None and (best is None or chart.score > best.score):
                best = chart
        if best is not None and _convincing(best):
            break
    return None if best is None else weighed(_with_others(seen, _on_grid(seen, best)))


def _stages(seen: View) -> Iterator[Iterator[Guess]]:
    """Guesses, stage by stage; a later stage is only needed where none of an earlier one convinces."""
    level = seen.noise
    for threshold in (max(12.0, 5 * level), max(5.0, 3 * level), max(30.0, 8 * level)):
        yield _insides(seen.strength, threshold)
    for reach in (1, 2, 4):
        yield _marks(seen.gray, reach)


def _marks(gray: Mask, reach: int) -> Iterator[Guess]:
    """Groups of marks of one height: numbers; or whole islands, where a number and its disc or ring are one mark."""
    boxes = lattice.marks(gray, reach)
    square = (boxes[:, 2] < 1.3 * boxes[:, 3]) & (boxes[:, 3] < 1.3 * boxes[:, 2])
    for group in lattice.groups(boxes[square & (boxes[:, 3] >= SMALLEST)], 0.13):
        rim = np.maximum(group[:, 2:] // 8, 1)
        yield Guess(np.concatenate([group[:, :2] + rim, group[:, 2:] - 2 * rim], axis=1), True, True)
    for group in lattice.groups(boxes, 0.2, by_width=False):
        yield Guess(group, False, True)


def _insides(strength: Mask, threshold: float) -> Iterator[Guess]:
    """Groups of even areas of one size that are as wide as high and have something in their middle."""
    even = np.asarray(strength <= threshold, np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(even, connectivity=4)
    if count <= 1:
        return
    x, y, w, h, area = (stats[:, i] for i in range(5))
    height, width = strength.shape
    largest = LARGEST * min(height, width)
    fair = (w >= SMALLEST - 4) & (h >= SMALLEST - 4) & (w < 1.4 * h) & (h < 1.4 * w) & (area > 0.25 * w * h)
    fair &= (np.maximum(w, h) < largest) & (x > 0) & (y > 0) & (x + w < width) & (y + h < height)
    fair[0] = False
    kept, disc = [], []
    for i in np.flatnonzero(fair):
        patch = labels[y[i] : y[i] + h[i], x[i] : x[i] + w[i]] == i
        middle = patch[h[i] // 4 : h[i] - h[i] // 4, w[i] // 4 : w[i] - w[i] // 4]
        if middle.all():
            continue  # nothing stands in it
        outline, _ = cv2.findContours(patch.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        full = max(cv2.contourArea(one) for one in outline) / ((w[i] - 1) * (h[i] - 1))
        if full < 0.66:
            continue  # no disc (0.79), no square
        kept.append((x[i] - 1, y[i] - 1, w[i] + 2, h[i] + 2))
        disc.append(full < 0.88)
    boxes = np.array(kept, np.int32).reshape(-1, 4)
    for is_round in (True, False):
        for group in lattice.groups(boxes[np.array(disc, bool) == is_round], 0.1):
            yield Guess(group, True, is_round)


def _on_grid(seen: View, chart: Chart) -> Chart:
    """``chart`` with the rows and columns in which no island stands, where grid lines show that there are more of them
    than the islands' distances say."""
    edges = np.asarray(seen.strength > max(6.0, 3 * seen.noise), np.float32)
    rows, columns = _water(chart.ys, 0.55 * chart.height), _water(chart.xs, 0.55 * chart.width)
    parts_x = _parts(edges[rows].mean(axis=0), chart.xs) if len(rows) else 1
    parts_y = _parts(edges[:, columns].mean(axis=1), chart.ys) if len(columns) else 1
    if (parts_x, parts_y) == (1, 1):
        return chart
    xs = np.interp(np.arange((len(chart.xs) - 1) * parts_x + 1) / parts_x, np.arange(len(chart.xs)), chart.xs)
    ys = np.interp(np.arange((len(chart.ys) - 1) * parts_y + 1) / parts_y, np.arange(len(chart.ys)), chart.ys)
    return replace(
        chart,
        islands={(r * parts_y, c * parts_x): one for (r, c), one in chart.islands.items()},
        xs=tuple(map(float, xs)),
        ys=tuple(map(float, ys)),
        pitch_x=chart.pitch_x / parts_x,
        pitch_y=chart.pitch_y / parts_y,
    )


def _water(lines: Sequence[float], reach: float) -> NDArray[np.intp]:
    """The pixels along between the first and the last of ``lines`` that are farther than ``reach`` from all of them."""
    along = np.arange(round(lines[0]), round(lines[-1]) + 1)
    return np.asarray(along[np.abs(along[:, None] - np.array(lines)).min(axis=1) > reach], np.intp)


def _parts(share: Floats, lines: Sequence[float]) -> int:
    """Into how many parts grid lines divide the steps between ``lines``; 1 where there are none. ``share``: for each
    pixel along, which part of the board has an edge there across. Grid lines go through the places, or between them."""
    if len(lines) < 2:
        return 1
    drawn = share > GRID
    near = np.convolve(drawn, np.ones(3), mode="same") > 0  # a place is known to a pixel
    whole = np.arange(len(lines))
    for parts in range(MOST_PARTS, 1, -1):
        step = float(np.diff(lines).min()) / parts
        if step < 2 * FINEST_GRID:
            continue
        for shift in (0.0, 0.5):
            places = np.interp((np.arange((len(lines) - 1) * parts) + shift) / parts, whole, lines)
            middles = np.interp((np.arange((len(lines) - 1) * parts) + shift + 0.5) / parts, whole, lines)
            at = np.clip(np.rint(places).astype(int), 0, len(share) - 1)
            beside = np.clip(np.rint(middles).astype(int), 0, len(share) - 1)
            # Lines at all these places, and none between them: what has an edge everywhere is a texture.
            if near[at].mean() > 0.9 and drawn[beside].mean() < 0.35:
                return parts
    return 1


GRID = 0.4
"""The part of a board that a grid line crosses visibly; islands and bridges cover the rest of it."""

MOST_PARTS = 6
FINEST_GRID = 4
"""Pixels: grid lines closer than twice this are a texture."""


# --- from a guess to a chart -----------------------------------------------------------------------------------------


def _look(seen: View, guess: Guess) -> Chart | None:
    """Reads what a guess holds, learns the islands' outline from it, and looks for the others."""
    if not FEWEST <= len(guess.boxes) <= lattice.MOST:
        return None
    centres: Floats = guess.boxes[:, :2] + (guess.boxes[:, 2:] - 1) / 2
    width, height = (float(v) for v in np.median(guess.boxes[:, 2:], axis=0))
    inside = INSIDE * min(width, height) if guess.inside else GLYPH_ROOM * height
    seeds = [one for one in read(seen, centres, inside, guess.round) if one.probability > LEGIBLE]
    if len(seeds) < FEWEST or (guess.inside and not guess.round and 2 * len(seeds) < len(guess.boxes)):
        return None
    if guess.inside:
        outline = _outline(seen, [one.centre for one in seeds], SMALLEST / 2, max(width, height), guess.round)
    else:
        outline = _outline_of_glyphs(seen, [one.centre for one in seeds], height)
    if outline is None:
        return None
    if guess.inside:  # what was seen whole is known better than what all have in common
        inner = min(width, height)
        outline = replace(outline, inner=inner, width=max(outline.width, inner), height=max(outline.height, inner))
    else:
        # A glyph's centre is not its island's: a 1 is narrow, and a 2 may hang low.
        for _ in range(2):
            begin = np.array([one.centre for one in seeds])
            step = max(1, round(height / 12))
            centres, _ = _climbed(seen, outline, begin, (2 * step, 2 * step, step, step, 1, 1))
            better = _outline(seen, [(float(cx), float(cy)) for cx, cy in centres], height)
            outline = outline if better is None or better.likeness < outline.likeness else better
        seeds = read(seen, centres, INSIDE * outline.inner, outline.round)
        seeds = [one for one in seeds if one.probability > LEGIBLE]
        if len(seeds) < FEWEST:
            return None
    chart = _chart(seeds, outline)
    if chart is None:
        return None
    whole = _completed(seen, chart, outline)
    if len(whole.islands) >= 1.5 * len(seeds):
        # The outline was learned from a few that look alike; now it is known what they all have in common.
        all_of_them = [one.centre for one in whole.islands.values()]
        better = _outline(seen, all_of_them, SMALLEST / 2, outline.inner, outline.round)
        again = None if better is None else _completed(seen, whole, replace(better, inner=outline.inner))
        if again is not None and again.score > whole.score:
            return again
    return whole


GLYPH_ROOM = 1.5
"""Of a glyph's height: the square around its centre in which it stands whole, and its island's outline does not."""


def read(
    seen: View, centres: Sequence[tuple[float, float]] | Floats, size: float, is_round: bool = True
) -> list[Island]:
    """What stands around each of ``centres``, inside a disc or square of the width ``size``."""
    contents = [_content(seen, (float(cx), float(cy)), size, is_round) for cx, cy in centres]
    return [
        Island((float(cx), float(cy)), here, options)
        for (cx, cy), here, options in zip(centres, contents, classify(contents), strict=True)
    ]


INSIDE = 0.94
"""Of the width between an island's outlines: what is surely inside them."""


@dataclass(frozen=True)
class Outline:
    """What all islands have around their numbers: how strong the edges usually are around a centre, at the offsets
    ``(dx, dy)`` of a belt from inside the outline to outside it. ``offsets``: shape ``(N, 2)``; ``edges``: shape
    ``(N,)``, of mean 0 and length 1. ``inner``: how wide the inside is, ``width`` and ``height``: the whole, in pixels.
    ``likeness``: the part of the islands that have an edge on the outline, where it is clearest. ``strongest``: no
    edge of an outline is stronger."""

    offsets: NDArray[np.int32]
    edges: Floats
    inner: float
    width: float
    height: float
    round: bool
    likeness: float
    strongest: float


COMMON = 0.6
"""The part of the islands that must have an edge at a place of their common outline; bridges cover the same few places
of some only, and glyphs differ."""


def _outline(
    seen: View,
    centres: Sequence[tuple[float, float]],
    least: float,
    inside: float | None = None,
    is_disc: bool | None = None,
) -> Outline | None:
    """The outline that is common to what stands around ``centres``; None where there is none.

    ``least``: no outline is narrower, in pixels. ``inside``: the width of the islands' insides where it is known; the
    outline is then looked for there and up to a third further out. ``is_disc``: whether they are round, where that is
    known.
    """
    threshold = max(12.0, 5 * seen.noise)
    half = round(0.72 * inside if inside else 3.0 * least) + 2
    edges = np.pad(np.asarray(seen.strength > threshold, np.uint8), half)
    edges = np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8)
    side = 2 * half + 1
    shared: Floats = np.zeros((side, side), np.float32)
    for cx, cy in centres:
        x, y = min(round(cx), seen.strength.shape[1] - 1), min(round(cy), seen.strength.shape[0] - 1)
        shared += edges[y : y + side, x : x + side]
    shared = shared / len(centres)
    dy, dx = np.mgrid[-half : half + 1, -half : half + 1]
    best: tuple[float, bool, Floats, NDArray[np.intp]] | None = None
    distance: Floats
    for is_round, distance in ((True, np.hypot(dx, dy)), (False, np.maximum(np.abs(dx), np.abs(dy)).astype(float))):
        if is_round != is_disc is not None:
            continue
        ring = np.rint(distance).astype(int)
        count = np.bincount(ring.ravel(), minlength=half + 1)[: half + 1]
        mean = np.bincount(ring.ravel(), weights=shared.ravel(), minlength=half + 1)[: half + 1] / np.maximum(count, 1)
        low = (0.42 * inside) if inside else 0.6 * least
        high = (0.68 * inside) if inside else half - 1
        inside_range = np.flatnonzero((np.arange(half + 1) >= low) & (np.arange(half + 1) <= high))
        if not len(inside_range):
            continue
        peak = float(mean[inside_range].max())
        if best is None or peak > best[0] + 0.05:
            best = peak, is_round, np.asarray(mean), inside_range
    if best is None or best[0] < COMMON:
        return None
    peak, is_round, shares, where = best
    strong = where[shares[where] >= max(COMMON, 0.75 * peak)]
    # From the innermost strong ring outwards: a gap means another thing (a neighbour's outline, a shadow).
    breaks = np.flatnonzero(np.diff(strong) > max(2, 0.12 * strong[0]))
    strong = strong[: breaks[0] + 1] if len(breaks) else strong
    distance = np.hypot(dx, dy) if is_round else np.maximum(np.abs(dx), np.abs(dy)).astype(float)
    belt = (distance >= 0.85 * strong[0] - 1) & (distance <= 1.1 * strong[-1] + 1)
    offsets = np.stack([dx[belt], dy[belt]], axis=1).astype(np.int32)
    usual: Floats = np.median(_around(seen.strength, offsets, np.array(centres)), axis=0)
    # An edge is two pixels wide, and was made two wider.
    inner, outer = 2.0 * float(strong[0]) + 2, 2.0 * float(strong[-1]) - 2
    # A hexagon is broader than high: how far it reaches towards its neighbours is seen beside its axes.
    near = max(1, round(0.08 * inner))
    across, down = (
        float(np.abs(far[(shared >= COMMON) & (np.abs(other) <= near) & (np.abs(far) <= strong[-1])]).max(initial=0))
        for far, other in ((dx, dy), (dy, dx))
    )
    width, height = (min(max(2 * reach - 2, inner), outer) for reach in (across, down))
    offsets, usual = _thinned(offsets, usual)
    strongest = 1.5 * float(usual.max())
    return Outline(offsets, _normalised(usual), inner, max(width, inner), max(height, inner), is_round, peak, strongest)


MOST_OFFSETS = 300
"""Places of an outline that are compared: those of a large one are more alike than different."""


def _thinned(offsets: NDArray[np.int32], usual: Floats) -> tuple[NDArray[np.int32], Floats]:
    """At most ``MOST_OFFSETS`` of the offsets, spread evenly but without an order that lines could follow."""
    if len(offsets) <= MOST_OFFSETS:
        return offsets, usual
    chosen = np.sort(np.random.default_rng(0).permutation(len(offsets))[:MOST_OFFSETS])
    return offsets[chosen], usual[chosen]


def _outline_of_glyphs(seen: View, centres: Sequence[tuple[float, float]], height: float) -> Outline | None:
    """The outline around glyphs that all stand at the same place in their islands, perhaps not in the middle."""
    steps = sorted({0, *(round(height * part) for part in (-0.25, -0.12, 0.12, 0.25))}, key=abs)
    best: tuple[float, float, float] | None = None
    for dx in steps:
        for dy in steps:
            found = _outline(seen, [(x + dx, y + dy) for x, y in centres], height)
            if found is not None and (best is None or found.likeness > best[0]):
                best = found.likeness, dx, dy
    if best is None:
        return None
    return _outline(seen, [(x + best[1], y + best[2]) for x, y in centres], height)


def _around(strength: Mask, offsets: NDArray[np.int32], centres: Floats) -> Floats:
    """The edge strength at each offset from each centre, shape ``(centres, offsets)``; 0 outside the picture."""
    height, width = strength.shape
    spots = np.rint(centres).astype(int)[:, None, :] + offsets[None]
    x, y = spots[..., 0], spots[..., 1]
    within = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    found: Floats = np.where(within, strength[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)], 0).astype(
        np.float32
    )
    return found


def _normalised(edges: Floats) -> Floats:
    """``edges`` along the last axis with mean 0 and length 1: however strong they are, only their shape counts."""
    centred: Floats = edges - edges.mean(axis=-1, keepdims=True)
    length = np.linalg.norm(centred, axis=-1, keepdims=True)
    result: Floats = centred / np.maximum(length, FLAT * np.sqrt(edges.shape[-1]))
    return result


FLAT = 4.0
"""Grey levels: edges whose strengths scatter less than this are the grain of an even area."""


def presence(seen: View, outline: Outline, centres: Floats) -> Floats:
    """For each of ``centres``, shape ``(N, 2)``, the correlation of the edges around it with the outline's."""
    # However strong the edges of a pointer are, they hide no more than they cover.
    strength = np.minimum(seen.strength, np.uint8(min(outline.strongest, 255)))
    parts = [
        _normalised(_around(strength, outline.offsets, some)) @ outline.edges
        for some in np.array_split(centres, max(1, centres.shape[0] * len(outline.edges) // 1_000_000))
    ]
    return np.asarray(np.concatenate(parts), np.float64)


def _climbed(seen: View, outline: Outline, centres: Floats, steps: Sequence[int]) -> tuple[Floats, Floats]:
    """``centres``, shape ``(N, 2)``, each moved to where the outline is met better as long as that goes on, by so many
    pixels at a time; and how well it is met there."""
    at: Floats = np.rint(centres)
    found = presence(seen, outline, at)
    moves: Floats = np.array([(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy])
    for step in steps:
        tries = np.stack([presence(seen, outline, at + step * move) for move in moves])
        best = tries.argmax(axis=0)
        value = tries[best, np.arange(len(at))]
        better = value > found
        at[better] += step * moves[best[better]]
        found[better] = value[better]
    return at, found


LIKE = 0.6
"""Of the usual likeness of an island to the common outline: what has more is one, though bridges, a neighbour or a
pointer cover a part of it; lines that cross have less."""

VERY_LIKE = 0.8
"""The same where nothing else speaks for an island: its number cannot be read, or it stands beside the lattice."""

HALF_LIKE = 0.5
"""The least correlation of such an island: on a texture even the usual one is low."""

COARSE = 20
"""Pixels: a picture is made smaller until its islands are about this wide before it is searched for others."""

PROMISING = 0.3
"""The least correlation with the outline, in the smaller picture, that is looked at closely."""

MOST_PROMISING = 1500


def _everywhere(seen: View, outline: Outline, known: Floats) -> Floats:
    """The places all over the picture, shape ``(N, 2)``, that have the outline of those at ``known``."""
    outer = max(outline.width, outline.height)
    half = math.ceil(0.55 * outer) + 1
    dy, dx = (v.ravel() for v in np.mgrid[-half : half + 1, -half : half + 1])
    usual = np.median(_around(seen.strength, np.stack([dx, dy], axis=1), known[:MOST_MODELS]), axis=0)
    model = usual.reshape(2 * half + 1, 2 * half + 1).astype(np.float32)
    scale = max(outer / COARSE, 1.0)
    size = round(seen.strength.shape[1] / scale), round(seen.strength.shape[0] / scale)
    small = cv2.resize(seen.strength, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    side = max(round(model.shape[0] / scale), 5)
    model = cv2.resize(model, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    if min(small.shape) <= side or float(model.std()) < 1e-3:
        return np.zeros((0, 2))
    # An island may stand close to the window's edge.
    rim = side // 2
    small = cv2.copyMakeBorder(small, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0).astype(np.float32)
    like = cv2.matchTemplate(small, model, cv2.TM_CCOEFF_NORMED)
    reach = max(3, round(0.5 * outer / scale)) | 1
    top = (like >= cv2.dilate(like, np.ones((reach, reach), np.uint8))) & (like > PROMISING)
    ys, xs = np.nonzero(top)
    order = np.argsort(-like[ys, xs])[:MOST_PROMISING]
    ratio = np.array([seen.strength.shape[1] / size[0], seen.strength.shape[0] / size[1]])
    centres = (np.stack([xs[order], ys[order]], axis=1) + (side - 1) / 2 - rim + 0.5) * ratio - 0.5
    centres = np.asarray(centres)[[np.abs(known - at).max(axis=1).min() > 0.4 * outline.inner for at in centres]]
    if not len(centres):
        return np.zeros((0, 2))
    coarse = max(1, round(scale / 2))
    places, found = _climbed(seen, outline, centres, (coarse, max(1, coarse // 2), 1, 1))
    places = places[found >= LIKE * float(np.median(presence(seen, outline, known)))]
    apart = [k for k, at in enumerate(places) if np.abs(known - at).max(axis=1).min() > 0.5 * outline.inner]
    return places[apart]


MOST_HIDDEN = 0.6
"""Of the islands that can be read: more that cannot be are no islands, but what crossing lines look like."""

MOST_MODELS = 60
"""Islands from which the outline's picture is made: more say nothing new."""


def _completed(seen: View, chart: Chart, outline: Outline) -> Chart:
    """``chart`` with the islands that the guess did not hold. Something must stand in them; one whose number cannot be
    read must stand on the lattice of the others, so that a check box is none."""
    known = np.array([one.centre for one in chart.islands.values()])
    places = _everywhere(seen, outline, known)
    added = [one for one in read(seen, places, INSIDE * outline.inner, outline.round) if not one.content.bare]
    usual = float(np.median(presence(seen, outline, known)))
    like = presence(seen, outline, np.array([one.centre for one in added]).reshape(-1, 2)) >= max(
        VERY_LIKE * usual, HALF_LIKE
    )
    # What is less like the others must stand where their lattice has a place: the digits of a clock do not.
    legible = [
        one
        for one, clear in zip(added, like, strict=True)
        if one.probability > LEGIBLE and (clear or (_on_lattice(one, chart) and _is_number(one, chart.number_height)))
    ]
    whole = _chart([*chart.islands.values(), *legible], outline)
    if whole is None or len(whole.islands) <= len(chart.islands):
        whole = chart
    others = [
        one
        for one, clear in zip(added, like, strict=True)
        if one.probability <= LEGIBLE
        and clear
        and _on_lattice(one, whole)
        and _has_room(one, whole.islands.values(), outline)
    ]
    if not others or len(others) > MOST_HIDDEN * len(whole.islands):
        return whole
    return _chart([*whole.islands.values(), *others], outline) or whole


def _with_others(seen: View, chart: Chart) -> Chart:
    """``chart`` with the islands that are drawn in another way than most: at a place of the lattice stands a number as
    high as the others', and something of the outline around it."""
    free = [cell for cell in itertools.product(range(len(chart.ys)), range(len(chart.xs))) if cell not in chart.islands]
    if not free:
        return chart
    height, outline = chart.number_height, chart.outline
    places, like = _climbed(seen, outline, np.array([(chart.xs[c], chart.ys[r]) for r, c in free]), (1, 1))
    chosen = np.flatnonzero(like >= FAINTLY_LIKE)[:MOST_PROMISING]
    found: dict[Cell, Island] = {}
    for k, one in zip(chosen, read(seen, places[chosen], chart.core, outline.round), strict=True):
        x, y = one.content.box.centre
        central = max(abs(x - one.centre[0]), abs(y - one.centre[1])) < 0.2 * outline.inner
        alike_high = abs(one.content.box.height - height) <= max(1.0, SAME_HEIGHT * height)
        if one.probability > CLEARLY and central and alike_high and _has_room(one, chart.islands.values(), outline):
            found[free[k]] = one
    return replace(chart, islands=dict(sorted((chart.islands | found).items()))) if found else chart


FAINTLY_LIKE = 0.25
"""The correlation with the outline that an island in another state has at least: where its rim was, it still is."""

SAME_HEIGHT = 0.12
"""How much the heights of two numbers of one window may differ; the count on a bridge is smaller than that."""

CLEARLY = 0.9
"""How probable a number must be that makes an island without the islands' own outline."""


def _is_number(one: Island, height: float) -> bool:
    """Whether what stands in an island is about as high as the other numbers: a line that runs through it is higher."""
    return NUMBER[0] * height <= one.content.box.height <= NUMBER[1] * height


NUMBER = (0.7, 1.35)
"""The least and the greatest height of a number, in the usual one's: old-style numerals differ that much."""


def _has_room(one: Island, islands: Iterable[Island], outline: Outline) -> bool:
    """Whether no island beside it in its row or column covers a part of it: between islands that touch at their
    corners their sides make a box of the same size."""
    for other in islands:
        across, down = abs(one.centre[0] - other.centre[0]), abs(one.centre[1] - other.centre[1])
        if min(across, down) < SAME_LINE * outline.inner and max(across, down) < 0.95 * outline.inner:
            return False
    return True


def _on_lattice(one: Island, chart: Chart) -> bool:
    """Whether an island stands in a row and a column of the lattice, or of what the lattice goes on to."""
    for value, lines, pitch in ((one.centre[0], chart.xs, chart.pitch_x), (one.centre[1], chart.ys, chart.pitch_y)):
        nearest = min(lines, key=lambda line: abs(value - line))
        steps = (value - nearest) / pitch
        if abs(steps - round(steps)) > OFF_LATTICE or (lines[0] <= value <= lines[-1] and round(steps)):
            return False
    return True


def _content(seen: View, centre: tuple[float, float], size: float, is_round: bool) -> ink.Content:
    """What stands on the ground inside an island whose inside is ``size`` pixels wide."""
    half = size / 2
    left, top = math.floor(centre[0] - half), math.floor(centre[1] - half)
    box = Box(left, top, math.ceil(size) + 1, math.ceil(size) + 1)
    patch = box.crop(seen.image)
    if not is_round or min(patch.shape[:2]) < 4:
        return ink.content(seen.image, box, seen.noise)
    # The corners around a disc are no part of it: they get its ground.
    left, top = max(left, 0), max(top, 0)
    dx = np.arange(patch.shape[1]) + left - centre[0]
    dy = np.arange(patch.shape[0]) + top - centre[1]
    outside = dx[None, :] ** 2 + dy[:, None] ** 2 > half**2
    if outside.all():
        return ink.content(seen.image, box, seen.noise)
    patch = patch.copy()
    patch[outside] = np.rint(ink.ground_colour(patch[~outside]))
    here = ink.content(patch, Box(0, 0, patch.shape[1], patch.shape[0]), seen.noise)
    inner = Box(here.box.x + left, here.box.y + top, here.box.width, here.box.height)
    return replace(here, box=inner, place=box)


def classify(contents: Sequence[ink.Content]) -> list[tuple[tuple[str, float], ...]]:
    """What number each ink may be; equal glyphs are judged together, with the evidence of all of them."""
    marked = [k for k, here in enumerate(contents) if not here.bare]
    inks = [contents[k].ink for k in marked]
    cluster = alike.clusters(inks)
    # A few of each cluster speak for all of it.
    chosen = [i for i, number in enumerate(cluster) if cluster[:i].count(number) < SPOKESMEN]
    said = glyphs.classify([inks[i] for i in chosen])
    chances = [_possible(dict(zip(glyphs.CLASSES, map(float, row), strict=True))) for row in said]
    joint = alike.joint([cluster[i] for i in chosen], chances)
    result: list[tuple[tuple[str, float], ...]] = [(("", 1.0),)] * len(contents)
    for k, number in zip(marked, cluster, strict=True):
        result[k] = tuple(sorted(joint[number].items(), key=lambda pair: -pair[1]))
    return result


def _possible(options: dict[str, float]) -> dict[str, float]:
    """Only what an island may show; what looks like anything else is nothing that can be read."""
    kept = {number: options[number] for number in NUMBERS}
    return kept | {"": max(1.0 - sum(kept.values()), 0.0)}


def weighed(chart: Chart) -> Chart:
    """``chart`` with what is known once it is believed: ink of the numbers' own height is a number."""
    usual = chart.number_height
    result: dict[Cell, Island] = {}
    for cell, one in chart.islands.items():
        result[cell] = one
        if not one.content.bare and 0.7 * usual <= one.content.box.height <= 1.4 * usual:
            chances = {number: p * (1.0 if number else NO_NUMBER) for number, p in one.candidates}
            total = sum(chances.values())
            ranked = sorted(((number, p / total) for number, p in chances.items()), key=lambda pair: -pair[1])
            result[cell] = replace(one, candidates=tuple(ranked))
    return replace(chart, islands=result)


NO_NUMBER = 0.1
"""How likely ink of the numbers' own height in an island is to be no number, against what the network says of any."""


def _chart(islands: Sequence[Island], outline: Outline) -> Chart | None:
    """The lattice on which ``islands`` stand; None where they stand on none."""
    width, height = outline.width, outline.height
    least = CLOSEST * outline.inner
    centres = np.array([one.centre for one in islands])
    rows = _lines(centres[:, 1], SAME_LINE * height)
    columns = _lines(centres[:, 0], SAME_LINE * width)
    if max(len(rows), len(columns)) > MOST_LINES:
        return None
    pitch_y, pitch_x = _pitch(rows, least), _pitch(columns, least)
    if pitch_x is None and pitch_y is None:
        return None
    pitch_x, pitch_y = _agreed(pitch_x, pitch_y, rows, columns, least)
    row_of, ys = _places(rows, pitch_y)
    column_of, xs = _places(columns, pitch_x)
    found: dict[Cell, Island] = {}
    for one in islands:
        r = row_of[int(np.abs(rows - one.centre[1]).argmin())]
        c = column_of[int(np.abs(columns - one.centre[0]).argmin())]
        if (r, c) in found and found[r, c].probability >= one.probability:
            continue
        found[r, c] = one
    ordered = {cell: found[cell] for cell in sorted(found)}
    # Larger numbers count for more, so that the specks of a text do not beat the few islands of a small board; but not
    # by much, since a number that is seen together with what is around it is larger, too.
    glyph = float(np.median([one.content.box.height for one in ordered.values() if not one.content.bare] or [0]))
    score = sum(2 * one.probability - 1 for one in ordered.values()) * math.sqrt(glyph)
    numbers = Counter(one.candidates[0][0] for one in ordered.values())
    if len(ordered) >= MANY and max(numbers.values()) > MONOTONOUS * len(ordered):
        score *= 0.5
    return Chart(ordered, width, height, xs, ys, pitch_x, pitch_y, outline, score)


MANY = 8
MONOTONOUS = 0.7
"""The part of a board's islands that have the same number at most; the dashes of a line, or its ends, are all 1s."""


def _lines(along: Floats, slack: float) -> Floats:
    """The distinct coordinates among ``along``, each the mean of those within ``slack`` of one another; ascending."""
    ordered = np.sort(along)
    breaks = np.flatnonzero(np.diff(ordered) > slack) + 1
    return np.array([part.mean() for part in np.split(ordered, breaks)])


def _fits(lines: Floats, pitch: float) -> float:
    """How well ``lines`` stand on a lattice of this pitch: the largest distance from a place, in pitches, the lattice
    adjusted from gap to gap, since rounding adds up over a board."""
    gaps = np.diff(lines) / pitch
    return float(np.abs(gaps - np.rint(gaps)).max()) if len(gaps) else 0.0


def _pitch(lines: Floats, least: float) -> float | None:
    """The largest distance, at least ``least``, of which all gaps between ``lines`` are multiples; None for one line.

    Where islands leave gaps of two and three pitches only, the pitch is met in no gap, but divides all of them.
    """
    gaps = np.diff(lines)
    if not len(gaps):
        return None
    for parts in range(1, 5):
        pitch = float(gaps.min()) / parts
        if pitch < least:
            break
        # The other gaps know the pitch better than one alone does.
        whole = np.maximum(np.rint(gaps / pitch), 1)
        better = float((gaps * whole).sum() / (whole * whole).sum())
        if _fits(lines, better) <= OFF_LATTICE:
            return better
    return max(float(gaps.min()), least)


def _agreed(
    pitch_x: float | None, pitch_y: float | None, rows: Floats, columns: Floats, least: float
) -> tuple[float, float]:
    """Both pitches. A direction in which only every second place is met follows the other one; otherwise each keeps its
    own, since pixels of a lattice need not be square."""
    if pitch_x is None or pitch_y is None:
        only = pitch_x or pitch_y
        assert only is not None
        return only, only
    for parts in (2, 3):
        if abs(pitch_x / parts - pitch_y) < 0.1 * pitch_y and pitch_x / parts >= least:
            return pitch_x / parts, pitch_y
        if abs(pitch_y / parts - pitch_x) < 0.1 * pitch_x and pitch_y / parts >= least:
            return pitch_x, pitch_y / parts
    return pitch_x, pitch_y


def _places(lines: Floats, pitch: float) -> tuple[list[int], tuple[float, ...]]:
    """The place of each line on the lattice, counted from 0, and where every place from the first to the last lies."""
    places = [0]
    for gap in np.diff(lines):
        places.append(places[-1] + max(1, round(float(gap) / pitch)))
    where = np.interp(np.arange(places[-1] + 1), places, lines)
    return places, tuple(float(v) for v in where)


def _convincing(chart: Chart) -> bool:
    """Whether looking on is a waste of time: nearly everything that looks like an island has a number."""
    sure = sum(one.probability > 0.9 for one in chart.islands.values())
    return sure >= 4 and sure >= 0.9 * len(chart.islands)


# --- boards that the window cuts off ---------------------------------------------------------------------------------


def cut_off(seen: View, chart: Chart) -> dict[str, int]:
    """At which sides of the picture islands of the board are cut through, with how many of them:
    ``top bottom left right``."""
    height, width = seen.gray.shape
    usual = float(np.median(presence(seen, chart.outline, np.array([one.centre for one in chart.islands.values()]))))
    half = 0.45 * chart.outline.inner
    beyond: dict[str, Callable[[float, float], bool]] = {
        "top": lambda x, y: y < half,
        "bottom": lambda x, y: y > height - 1 - half,
        "left": lambda x, y: x < half,
        "right": lambda x, y: x > width - 1 - half,
    }
    found: dict[str, int] = {}
    for side, places in {
        "top": [(x, y) for y in _beyond(chart.ys[0], -chart.pitch_y, 0, chart.height) for x in chart.xs],
        "bottom": [(x, y) for y in _beyond(chart.ys[-1], chart.pitch_y, height - 1, chart.height) for x in chart.xs],
        "left": [(x, y) for x in _beyond(chart.xs[0], -chart.pitch_x, 0, chart.width) for y in chart.ys],
        "right": [(x, y) for x in _beyond(chart.xs[-1], chart.pitch_x, width - 1, chart.width) for y in chart.ys],
    }.items():
        cut = sum(_seen_in_part(seen, chart.outline, at) >= VERY_LIKE * usual for at in places)
        # Islands stand at some places only; a frame's line is met at all of them.
        if cut > MOST_CUT * len(places):
            cut = 0
        cut += sum(beyond[side](*one.centre) for one in chart.islands.values())
        if cut:
            found[side] = cut
    return found


def _beyond(last: float, pitch: float, edge: float, size: float) -> list[float]:
    """Where on the lattice, beyond its ``last`` line, islands would be cut by the window's edge."""
    return [at for at in (last + k * pitch for k in range(1, MOST_EMPTY + 2)) if abs(at - edge) < size / 2]


def _seen_in_part(seen: View, outline: Outline, centre: tuple[float, float]) -> float:
    """How well the part of an island's outline that lies inside the picture is met, within a pixel of ``centre``."""
    height, width = seen.strength.shape
    best = 0.0
    for shift in itertools.product((-1, 0, 1), repeat=2):
        x, y = (np.rint(np.array(centre)).astype(int) + shift + outline.offsets).T
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        if inside.mean() < SEEN_OF_CUT:
            continue
        here = np.minimum(seen.strength[y[inside], x[inside]].astype(np.float32), outline.strongest)
        here, edges = here - here.mean(), outline.edges[inside] - outline.edges[inside].mean()
        length = float(np.linalg.norm(edges)) * max(float(np.linalg.norm(here)), FLAT * len(here) ** 0.5)
        best = max(best, float(edges @ here) / max(length, 1e-6))
    return best


MOST_EMPTY = 2
"""Empty rows between the last one that is seen and one that is cut: more are rare, and furniture stands farther off."""

MOST_CUT = 0.6
"""The part of the places along an edge at which islands may be cut."""

SEEN_OF_CUT = 0.35
"""The part of an island that must be seen at the window's edge to be known as one."""
