"""Reads a board of Cardinal Chains from a picture of any window: where its cells are, and what stands in them.

A cell is a place of the lattice in which a number or an X stands; everything else is a hole. So the lattice is found
first (``vision.lattice``), then what each place shows (``vision.ink``), then which glyph it is (``vision.glyphs``),
equal glyphs once for all their cells. What is not certain leaves here as a doubt; the rules decide it in ``settle``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell, Floats, Image, Mask
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle
from autoplayer.layout import Layout
from autoplayer.vision import glyphs, ink, lattice, ocr

CERTAIN = 0.95
"""A glyph less probable than this is a doubt. Measured on the bench's development side: of the glyph clusters above
it one in eight hundred was wrong, of those between 0.9 and 0.95 one in fifteen."""

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""

LEGIBLE = 0.9
"""A glyph less probable than this is looked at in other ways before it becomes a doubt."""

SAME_GLYPH = 0.985
"""Correlation of two inks above which they are the same glyph; different digits of one font stay below 0.95."""

MOST_CELLS = 40 * 40
MOST_OBLONG = 2.2
"""Cells are square, or, in a text screen, one character of twice the height of its width."""

NOISY = 3.0
"""Grey levels: from here on a picture is smoothed first; windows are cleaner, but for photos and video of them."""

UNMARKED = 0.9
"""How probable it is that a place of another colour, without a number, is a start, where no X is seen at all."""

COVERED = 1.0
"""How likely it is that an illegible place hides one of the board's numbers, against its being no cell at all."""

NO_GLYPH = 0.25
"""How likely ink of the glyphs' own height is to be no glyph, against what the network says of ink of any size."""

SPOKESMEN = 3
"""How many of a cluster of equal glyphs the network looks at: more say nothing new and cost time."""

MOST_VOTES = 4
"""How many glyphs in doubt a board puts before the slow voter."""

OTHER_COLOUR = 40
"""Grey levels in a channel: ink that differs by more is another colour, not the same one in another light."""

SAMPLE = 16
"""How many places are read before a lattice is believed to be worth reading whole."""


@dataclass(frozen=True)
class _Place:
    """A place of the lattice that holds something, with what it may be: ``(token, probability)``, best first."""

    content: ink.Content
    box: Box
    candidates: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class _View:
    """A picture and one way to look for a lattice in it: how strong its edges are, its noise, the edge strength from
    which on something is a wall, and whether cells are known by their walls or by their glyphs alone."""

    image: Image
    strength: Mask
    noise: float
    threshold: float
    walled: bool


@dataclass(frozen=True)
class _Board:
    lattice: lattice.Lattice
    walled: bool
    places: dict[Cell, _Place]
    score: float
    whole: bool
    """Whether nothing that might be a cell stands beside it."""


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """What stands in ``image`` (BGR). Raises UnreadableError with the reason where no board is seen."""
    best: _Board | None = None
    for view, hypotheses in _stages(image):
        for found in hypotheses:
            if best is not None and _convincing(best) and _covers(best, found):
                continue
            board = _look(view, found)
            if board is not None and (best is None or board.score > best.score):
                best = board
        if best is not None and _convincing(best):
            break
    if best is None:
        raise UnreadableError("no board of Cardinal Chains is seen: no lattice of equal cells with something in them")
    _refuse_what_is_no_board(best)
    return _reading(image, best)


def _stages(image: Image) -> Iterator[tuple[_View, list[lattice.Lattice]]]:
    """Lattices worth a look, stage by stage, the likeliest first. A later stage is only needed where none of an
    earlier one convinces."""
    if image.ndim != 3 or image.shape[0] < 24 or image.shape[1] < 24:
        return
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    level = lattice.noise(gray)
    if level > NOISY:
        image = np.asarray(cv2.bilateralFilter(image, 5, 5 * level, 1.5), np.uint8)
        gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        level = lattice.noise(gray)
    strength = lattice.edge_strength(image)
    tried: set[tuple[int, ...]] = set()

    def fresh(found: lattice.Lattice) -> bool:
        key = (round(found.pitch_x), round(found.pitch_y), len(found.cells), round(found.x), round(found.y))
        new = key not in tried and len(found.cells) <= MOST_CELLS
        tried.add(key)
        return new

    for threshold in (max(12.0, 5 * level), max(5.0, 3 * level), max(30.0, 8 * level)):
        fits = [lattice.fit(group, 0.12) for group in lattice.groups(lattice.regions(strength, threshold))]
        hypotheses = [
            one
            for found in fits
            if found is not None and fresh(found)
            for one in lattice.finer(found, 1.0)
            if one.pitch < 2 * max(one.width, one.height) and one.oblong < MOST_OBLONG
        ]
        hypotheses.sort(key=lambda one: -len(one.cells) * one.pitch)
        yield _View(image, strength, level, threshold, True), hypotheses[:5]
    for reach in (3, 7, 1):
        fits = [lattice.fit(group, 0.25) for group in lattice.groups(lattice.marks(gray, reach), 0.25, by_width=False)]
        hypotheses = [
            one
            for found in fits
            if found is not None and fresh(found)
            for one in lattice.finer(found, 1.25)
            if one.pitch < 5 * one.height and one.oblong < MOST_OBLONG
        ]
        hypotheses.sort(key=lambda one: -len(one.cells))
        yield _View(image, strength, level, max(12.0, 5 * level), False), hypotheses[:3]


def _look(view: _View, found: lattice.Lattice) -> _Board | None:
    """Reads every place of a lattice and grows it as long as its neighbours are cells of the same kind."""
    growth = _Growth(view, found)
    if not growth.promising():
        return None
    growth.grow(lambda cell, here: _walls(view, found, cell, here) >= 3)
    growth.learn()
    growth.grow(
        lambda cell, here: (
            growth.is_glyph(cell, here) and max(growth.neighbours(cell), _walls(view, found, cell, here)) > 1
        )
    )
    growth.grow(lambda cell, here: growth.neighbours(cell) > 2)  # something covers it, a pointer perhaps
    growth.grow(growth.continues_chain)
    if growth.endless or len(growth.contents) < 2 or not growth.marked():
        return None
    candidates = _classify(view, growth.marked())
    _find_unmarked_starts(view, candidates, growth.contents)
    # What stands beside the board and is no number is no cell, whatever lines there are around it. Inside the board it
    # is one that something covers: a doubt.
    sure = found.cells | {cell for cell, options in candidates.items() if options[0][0]}
    places = {
        cell: _Place(growth.contents[cell], found.box(cell), options)
        for cell, options in sorted(candidates.items())
        if cell in sure or sum(near in sure for near in _around(cell)) > 1
    }
    if not places:
        return None
    return _Board(found, view.walled, places, _score(found, places, view.walled), not growth.loose_glyphs())


class _Growth:
    """The places of a lattice that are known to be cells, and those beside them that are not yet."""

    def __init__(self, view: _View, found: lattice.Lattice) -> None:
        self._view = view
        self._found = found
        self.contents: dict[Cell, ink.Content] = {}
        self._beside: dict[Cell, ink.Content | None] = {}
        for cell in sorted(found.cells):
            here = _content(view, found, cell)
            if here is not None:
                self.contents[cell] = here

    def promising(self) -> bool:
        """Whether a few of the places, spread over the lattice, hold something legible. Reading them all costs far
        more; it is asked where a lattice is large, or made of marks that may be letters of a text."""
        places = list(self.contents.values())
        if len(places) <= (4 * SAMPLE if self._view.walled else SAMPLE):
            return True
        inks = [here.ink for here in places[:: -(-len(places) // SAMPLE)] if not here.bare]
        legible = sum(_probability(options) > 0.5 for options in glyphs.read_numbers(inks))
        return 2 * legible >= len(inks) > 0

    def marked(self) -> dict[Cell, ink.Content]:
        """The cells in which something stands."""
        return {cell: here for cell, here in sorted(self.contents.items()) if not here.bare}

    def learn(self) -> None:
        """What the glyphs of this board look like, from those that are known to stand in cells: their usual height in
        pixels and colour, and the cells' usual ground."""
        marked = list(self.marked().values())
        self._height = float(np.median([here.box.height for here in marked] or [0]))
        self._colour = np.median([here.colour for here in marked] or [np.zeros(3)], axis=0)
        self._ground = np.median([here.ground for here in self.contents.values()] or [np.zeros(3)], axis=0)

    def is_glyph(self, cell: Cell, here: ink.Content) -> bool:
        """Whether something of the glyphs' height stands in the middle of a place, perhaps upon a line of another
        colour."""
        if self._like_a_glyph(cell, here):
            return True
        return self._like_a_glyph(
            cell, ink.content_in_colour(self._view.image, here.place, self._colour, self._view.noise)
        )

    def _like_a_glyph(self, cell: Cell, here: ink.Content) -> bool:
        (x, y), (u, v) = self._found.box(cell).centre, here.box.centre
        central = abs(x - u) < 0.25 * self._found.pitch_x and abs(y - v) < 0.25 * self._found.pitch_y
        return not here.bare and central and 0.7 * self._height <= here.box.height <= 1.4 * self._height

    def continues_chain(self, cell: Cell, here: ink.Content) -> bool:
        """Whether a place has the colour of a cell beside it, which most cells do not have: a drawn chain swallows the
        walls between its cells, and only its colour says that they are cells."""
        return float(np.abs(here.ground - self._ground).max()) > 24 and any(
            float(np.abs(here.ground - self.contents[near].ground).max()) < 12
            for near in _around(cell)
            if near in self.contents
        )

    @property
    def endless(self) -> bool:
        """Whether this grows as no board does: glyphs without walls of which not one in six was seen at first."""
        return len(self.contents) > (MOST_CELLS if self._view.walled else max(60, 6 * len(self._found.cells)))

    def loose_glyphs(self) -> dict[Cell, ink.Content]:
        """The places beside the cells that hold something like a glyph, in the middle: cells without walls, perhaps."""
        result = {}
        for cell in sorted({near for known in self.contents for near in _around(known)} - self.contents.keys()):
            here = self._beside.get(cell)
            if here is not None and not here.bare and self.is_glyph(cell, here):
                result[cell] = here
        return result

    def neighbours(self, cell: Cell) -> int:
        """How many of a place's four neighbours are cells."""
        return sum(near in self.contents for near in _around(cell))

    def grow(self, belongs: Callable[[Cell, ink.Content], bool]) -> set[Cell]:
        """Add neighbouring places in which something stands and which belong, and theirs; the places added."""
        added: set[Cell] = set()
        while not self.endless:
            border = {near for cell in self.contents for near in _around(cell)} - self.contents.keys()
            for cell in border - self._beside.keys():
                self._beside[cell] = _content(self._view, self._found, cell)
            new = {
                cell: here
                for cell in sorted(border)
                if (here := self._beside[cell]) is not None and not here.bare and belongs(cell, here)
            }
            if not new:
                break
            self.contents |= new
            added |= new.keys()
        return added


def _around(cell: Cell) -> tuple[Cell, ...]:
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def _content(view: _View, found: lattice.Lattice, cell: Cell) -> ink.Content | None:
    """What a place of the lattice shows; None where it is not wholly in the picture."""
    height, width = view.image.shape[:2]
    # Inside its walls, where there are some.
    w = round(min(found.width, 0.98 * found.pitch_x) if view.walled else 0.96 * found.pitch_x)
    h = round(min(found.height, 0.98 * found.pitch_y) if view.walled else 0.96 * found.pitch_y)
    x, y = found.box(cell).centre
    inner = Box(x - w // 2, y - h // 2, w, h)
    if inner.x < -0.1 * w or inner.y < -0.1 * h or inner.x + w > width + 0.1 * w or inner.y + h > height + 0.1 * h:
        return None
    return ink.content(view.image, inner, view.noise)


def _score(found: lattice.Lattice, places: dict[Cell, _Place], walled: bool) -> float:
    """How much of the picture a board explains: the area of its legible cells, less that of the others.

    By area, not by number: two digits read as a cell each must not beat the one cell that they stand in. A walled
    cell's area is its own, and a glyph's not much larger than the glyph, so that a lattice through two boxes far
    apart explains no more than those.
    """
    legible = sum(1 if _probability(place.candidates) > 0.5 else -1 for place in places.values())
    most = (1.6 * found.width, 1.6 * found.height) if walled else (3.5 * found.height,) * 2
    across, down = min(found.pitch_x, most[0]), min(found.pitch_y, most[1])
    # Where few cells have walls of their own, those may be the starts' colours on a board without walls.
    trust = 1.0 if walled and 2 * len(found.cells & places.keys()) > len(places) else 0.8
    return legible * across * down * trust * (1.0 if found.oblong < 1.25 else 0.6)


def _walls(view: _View, found: lattice.Lattice, cell: Cell, here: ink.Content) -> int:
    """On how many of its sides a place that was not among the lattice's equal boxes has a wall. Where cells have none,
    a mark of about the same height stands for all four (a start's ring or disc may be as large as its place)."""
    if not view.walled:
        return 4 * (0.7 * found.height <= here.box.height <= max(1.4 * found.height, 0.93 * found.pitch_y))
    box = found.box(cell)
    band = max(2, round(0.14 * found.pitch))
    above = Box(box.x + band, box.y - band, box.width - 2 * band, 2 * band)
    below = Box(above.x, above.y + box.height, above.width, above.height)
    before = Box(box.x - band, box.y + band, 2 * band, box.height - 2 * band)
    behind = Box(before.x + box.width, before.y, before.width, before.height)
    strips = [above.crop(view.strength), below.crop(view.strength)]
    strips += [before.crop(view.strength).T, behind.crop(view.strength).T]
    return sum(_has_line(strip, view.threshold) for strip in strips)


def _has_line(strip: Mask, threshold: float) -> bool:
    """Whether one straight edge, not scattered ones, runs along most of a strip; shape ``(across, along)``."""
    if strip.size == 0:
        return False
    edges = cv2.dilate(np.asarray(strip > threshold, np.uint8), np.ones((3, 1), np.uint8))
    return bool(edges.mean(axis=1).max() > 0.75)


def _classify(view: _View, contents: dict[Cell, ink.Content]) -> dict[Cell, tuple[tuple[str, float], ...]]:
    """The candidates of each place; equal glyphs are judged together, with the evidence of all of them."""
    cells = list(contents)
    inks = [contents[cell].ink for cell in cells]
    cluster = _clusters(inks)
    # A few of each cluster speak for all of it.
    chosen = [i for i, number in enumerate(cluster) if cluster[:i].count(number) < SPOKESMEN]
    spoken = [_possible(options) for options in glyphs.read_numbers([inks[i] for i in chosen])]
    joint = _joint([cluster[i] for i in chosen], spoken)
    best = [joint[number] for number in cluster]
    clear = [contents[cell].colour for cell, options in zip(cells, best, strict=True) if _top(options) >= LEGIBLE]
    usual = np.median(np.stack(clear), axis=0) if clear else None
    others: list[tuple[int, float, Floats]] = []
    for i, cell in enumerate(cells):
        here, chance = contents[cell], _top(best[i])
        if usual is not None and float(np.abs(here.colour - usual).max()) > OTHER_COLOUR:
            # A chain's line may look like a 1; what stands there in the glyphs' own colour counts for more.
            glyph = ink.content_in_colour(view.image, here.place, usual, view.noise)
            if not glyph.bare:
                others.append((i, 0.7, glyph.ink))
        if chance < LEGIBLE:
            others += [(i, chance, other) for other in _other_inks(view, here, usual)]
    for (i, least, other), options in zip(others, glyphs.read_numbers([other for *_, other in others]), strict=True):
        chances = _possible(options)
        if _top(chances) > max(least, _top(best[i]) if least != 0.7 else 0.0):
            best[i] = chances
            inks[i] = other
    if others:
        cluster = _clusters(inks)
    usual_height = float(np.median([here.box.height for here in contents.values()]))
    for i, cell in enumerate(cells):
        if 0.7 * usual_height <= contents[cell].box.height <= 1.4 * usual_height:
            best[i] = _normalised({token: p * (1.0 if token else NO_GLYPH) for token, p in best[i].items()})
    joint = _joint(cluster, _weighed_by_length(best))
    ranked = {number: sorted(chances.items(), key=lambda pair: -pair[1]) for number, chances in joint.items()}
    return {
        cell: tuple((token, p) for token, p in ranked[number] if p >= NEGLIGIBLE) or (ranked[number][0],)
        for cell, number in zip(cells, cluster, strict=True)
    }


def _joint(cluster: Sequence[int], chances: Sequence[dict[str, float]]) -> dict[int, dict[str, float]]:
    """The mean of what is said for each cluster, by the cluster's number."""
    joint: dict[int, dict[str, float]] = {}
    size = Counter(cluster)
    for number, options in zip(cluster, chances, strict=True):
        sums = joint.setdefault(number, {})
        for token, probability in options.items():
            sums[token] = sums.get(token, 0.0) + probability / size[number]
    return joint


def _possible(options: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Only what can stand in a cell: no zero, no number of three digits, whatever the ink looks like."""
    kept = {token: p for token, p in options if len(token) < 3 and not token.startswith("0")}
    return _normalised(kept) if sum(kept.values()) > 0.01 else {"": 1.0}


def _normalised(chances: dict[str, float]) -> dict[str, float]:
    total = sum(chances.values())
    return {token: p / total for token, p in chances.items()}


def _weighed_by_length(chances: list[dict[str, float]]) -> list[dict[str, float]]:
    """The same, weighed by how many numbers of one and of two digits the board is sure to have: a pointer beside a
    digit does not make the only number of two digits."""
    sure = [max(options, key=lambda token: options[token]) for options in chances if _top(options) > LEGIBLE]
    count = {length: sum(len(token) == length and token != "X" for token in sure) + 0.5 for length in (1, 2)}
    most = max(count.values())
    result = []
    for options in chances:
        weighed = {token: p * (1.0 if token in ("", "X") else count[len(token)] / most) for token, p in options.items()}
        result.append(_normalised(weighed))
    return result


def _top(options: dict[str, float]) -> float:
    """The probability of the likeliest number or X."""
    return max((p for token, p in options.items() if token), default=0.0)


def _other_inks(view: _View, here: ink.Content, usual: Floats | None) -> Iterator[Floats]:
    """Other ways to see the ink of a place whose glyph is not clear: what stands inside its disc; what its ring
    encloses; what has the colour of the other glyphs (so that a pointer, a line or a veil drops out)."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(here.ink > 0.3, np.uint8), connectivity=8)
    h, w = here.ink.shape
    scale = here.box.height / h  # the ink may have been made smaller
    for i in sorted(range(1, count), key=lambda i: -stats[i, 4])[:2]:
        size = min(stats[i, 2], stats[i, 3])
        share = 0.68  # a square inside the disc: 1 / sqrt(2), and a little less
        side = round(size * share * scale)
        if max(stats[i, 2], stats[i, 3]) < 1.33 * size and side >= 6:
            x, y = (
                here.box.x + (stats[i, 0] + stats[i, 2] / 2) * scale,
                here.box.y + (stats[i, 1] + stats[i, 3] / 2) * scale,
            )
            within = ink.content(view.image, Box(round(x - side / 2), round(y - side / 2), side, side), view.noise)
            if not within.bare:
                yield within.ink
    rings = [i for i in range(1, count) if stats[i, 2] > 0.95 * w and stats[i, 3] > 0.95 * h]
    if count > 2 and len(rings) == 1:
        rest = np.where(
            cv2.dilate(np.asarray(labels == rings[0], np.uint8), np.ones((3, 3), np.uint8)) > 0, 0, here.ink
        )
        ys, xs = np.nonzero(rest > 0.3)
        if len(ys):
            yield rest[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.float32)
    if usual is None:
        return
    in_colour = ink.content_in_colour(view.image, here.place, usual, view.noise)
    if not in_colour.bare:
        yield in_colour.ink


def _covered(places: dict[Cell, _Place]) -> dict[Cell, _Place]:
    """The places whose ink is nothing that can be read: a pointer or a hint may lie over any of the board's numbers,
    or something that is no number stands in a hole. The rules decide."""
    legible = Counter(place.candidates[0][0] for place in places.values() if place.candidates[0][0])
    total = sum(legible.values())
    result = {}
    for cell, place in places.items():
        chances = dict(place.candidates)
        if total and chances.get("", 0.0) > 0.5:
            for token, count in legible.items():
                chances[token] = chances.get(token, 0.0) + COVERED * count / total
            whole = sum(chances.values())
            ranked = sorted(((token, p / whole) for token, p in chances.items()), key=lambda pair: -pair[1])
            result[cell] = _Place(place.content, place.box, tuple(pair for pair in ranked if pair[1] >= NEGLIGIBLE))
    return result


def _find_unmarked_starts(
    view: _View, candidates: dict[Cell, tuple[tuple[str, float], ...]], contents: dict[Cell, ink.Content]
) -> None:
    """Where no X is seen, starts are looked for in other ways: an X that its ring or disc hid; then the places whose
    colour is none of the others' (a start may be marked by colour alone, or by a dot or ring). The latter stay
    doubtful; the rules must agree."""
    if any(options[0][0] == "X" and options[0][1] > 0.5 for options in candidates.values()):
        return
    usual_ink = np.median(np.stack([contents[cell].colour for cell in candidates]), axis=0)
    others = [(cell, other) for cell in candidates for other in _other_inks(view, contents[cell], usual_ink)]
    hidden = {
        cell: chance
        for (cell, _), options in zip(others, glyphs.read_numbers([other for _, other in others]), strict=True)
        if (chance := _possible(options).get("X", 0.0)) > 0.7
    }
    if hidden and 2 * len(hidden) <= len(candidates):
        for cell, chance in hidden.items():
            rest = [(token, (1 - chance) * p) for token, p in candidates[cell] if token != "X"]
            candidates[cell] = (("X", chance), *rest)
        return
    numbers = [cell for cell, options in candidates.items() if _probability(options) > LEGIBLE]
    if not numbers or 2 * len(numbers) < len(contents):
        return  # a table, a crossword: too little of it is numbers
    grounds = np.stack([contents[cell].ground for cell in numbers])
    inks = np.stack([contents[cell].colour for cell in numbers])
    odd = [
        cell
        for cell, here in contents.items()
        if cell not in numbers
        and (
            float(np.abs(grounds - here.ground).max(axis=1).min()) > 24
            or (not here.bare and float(np.abs(inks - here.colour).max(axis=1).min()) > 48)
        )
    ]
    for cell in odd:
        candidates[cell] = (("X", UNMARKED), ("", 1 - UNMARKED))


def _clusters(inks: Sequence[Floats]) -> list[int]:
    """A number for each ink, the same for inks that show the same glyph."""
    size = 20
    vectors, shapes = [], []
    for one in inks:
        small = cv2.resize(one, (size, size), interpolation=cv2.INTER_AREA).ravel()
        small = small - small.mean()
        vectors.append(small / max(float(np.linalg.norm(small)), 1e-6))
        shapes.append(one.shape)
    alike = np.stack(vectors) @ np.stack(vectors).T
    h, w = np.array(shapes, float).T
    alike[
        (np.abs(h[:, None] - h) > np.maximum(1.5, 0.08 * h)) | (np.abs(w[:, None] - w) > np.maximum(1.5, 0.08 * w))
    ] = 0
    cluster = [-1] * len(inks)
    for i in range(len(inks)):
        if cluster[i] < 0:
            # Only against the first of a cluster: chains of small changes must not join two glyphs.
            for j in np.flatnonzero(alike[i] > SAME_GLYPH):
                if cluster[j] < 0:
                    cluster[j] = i
            cluster[i] = i
    return cluster


def _probability(candidates: Sequence[tuple[str, float]]) -> float:
    """The probability of the best number or X; 0 where nothing of the kind is likelier than something else."""
    token, probability = candidates[0]
    return probability if token else 0.0


def _convincing(board: _Board) -> bool:
    """Whether looking for a better lattice is a waste of time: enough walled cells with something legible in most, or
    enough glyphs that are beyond doubt."""
    chances = [_probability(place.candidates) for place in board.places.values()]
    legible, sure = sum(p > 0.5 for p in chances), sum(p > LEGIBLE for p in chances)
    walled = board.walled and len(board.lattice.cells) >= 6 and legible >= 0.85 * len(chances)
    return board.whole and _has_start(board) and (walled or (sure >= 8 and sure >= 0.95 * len(chances)))


def _covers(board: _Board, other: lattice.Lattice) -> bool:
    """Whether a lattice has nothing to add to a board: it is much smaller, or the same one."""
    mine, pitch = board.lattice, board.lattice.pitch
    if other.area < 0.4 * board.score and mine.oblong < 1.25:
        return True
    column, row = (other.x - mine.x) / pitch, (other.y - mine.y) / pitch
    same = abs(other.pitch_x / mine.pitch_x - 1) < 0.05 and abs(other.pitch_y / mine.pitch_y - 1) < 0.05
    return same and abs(column - round(column)) < 0.15 and abs(row - round(row)) < 0.15


def _has_start(board: _Board) -> bool:
    return any(place.candidates[0][0] == "X" for place in board.places.values())


def _refuse_what_is_no_board(board: _Board) -> None:
    legible = sum(_probability(place.candidates) > 0.5 for place in board.places.values())
    if legible < 2 or legible < 0.7 * len(board.places):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: of {len(board.places)} marks on a lattice only {legible} look like"
            " a number or an X"
        )
    if not any(token == "X" and p > 0.05 for place in board.places.values() for token, p in place.candidates):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: there are {legible} numbers on a lattice, but no start with an X"
        )


def _reading(image: Image, board: _Board) -> Reading[Puzzle]:
    board.places.update(_covered(board.places))
    holes = [
        cell
        for cell, place in board.places.items()
        if place.candidates[0][0] == "" and place.candidates[0][1] >= CERTAIN
    ]
    for cell in holes:
        del board.places[cell]
    for cell in [one for one in board.places if not any(near in board.places for near in _around(one))]:
        if board.places[cell].candidates[0][1] < CERTAIN and len(board.places) > 2:
            del board.places[cell]  # a mark apart from all cells
    _put_to_vote(board.places)
    top, left = min(r for r, _ in board.places), min(c for _, c in board.places)
    places = {(r - top, c - left): place for (r, c), place in sorted(board.places.items())}
    rows, columns = 1 + max(r for r, _ in places), 1 + max(c for _, c in places)
    grid: list[list[int | None]] = [[None] * columns for _ in range(rows)]
    doubts: dict[tuple[tuple[str, float], ...], list[Cell]] = {}
    for (r, c), place in places.items():
        options = tuple((token or ".", p) for token, p in place.candidates)
        token = options[0][0]
        grid[r][c] = START if token == "X" else None if token == "." else int(token)
        if options[0][1] < CERTAIN:
            doubts.setdefault(options, []).append((r, c))
    confidence = 1.0
    for options in {place.candidates for place in places.values()}:
        confidence *= options[0][1]
    puzzle = Puzzle(tuple(map(tuple, grid)))
    return Reading(
        puzzle=puzzle,
        places={cell: place.box for cell, place in places.items()},
        doubts=tuple(Doubt(tuple(cells), options) for options, cells in doubts.items()),
        confidence=confidence,
        image=image,
        extra={"drawn": _drawn(puzzle, {cell: place.content.ground for cell, place in places.items()})},
    )


def _put_to_vote(places: dict[Cell, _Place]) -> None:
    """Asks the slow voter about the glyphs that stayed in doubt, each once for all its cells."""
    clusters: dict[tuple[tuple[str, float], ...], list[Cell]] = {}
    for cell, place in places.items():
        if 0.2 < _probability(place.candidates) < LEGIBLE:
            clusters.setdefault(place.candidates, []).append(cell)
    for candidates, cells in list(clusters.items())[:MOST_VOTES]:
        chances = ocr.vote(places[cells[0]].content.ink, dict(candidates))
        ranked = tuple(sorted(chances.items(), key=lambda pair: -pair[1]))
        for cell in cells:
            places[cell] = _Place(places[cell].content, places[cell].box, ranked)


def _drawn(puzzle: Puzzle, grounds: dict[Cell, Floats]) -> dict[Cell, int]:
    """Which cells are filled with the colour of a start, by the start's index: what is left of a game in progress.

    Only cells that hang together with their start count. A start without a colour of its own (it may get one when it
    is touched) has the plain cells' colour: that of another start as well, or of most cells.
    """
    numbers = [cell for cell in grounds if cell not in puzzle.starts]

    def alike(cell: Cell, colour: Floats) -> bool:
        return float(np.abs(grounds[cell] - colour).max()) < 16

    drawn: dict[Cell, int] = {}
    for index, start in enumerate(puzzle.starts):
        colour = grounds[start]
        share = sum(alike(cell, colour) for cell in numbers) / max(len(numbers), 1)
        shared = any(alike(other, colour) for other in puzzle.starts if other != start)
        if shared or share == 1 or (share > 0.5 and len(puzzle.starts) > 1):
            continue
        reached, todo = set(), [start]
        while todo:
            for near in _around(todo.pop()):
                if near in grounds and near not in puzzle.starts and near not in reached and alike(near, colour):
                    reached.add(near)
                    todo.append(near)
        drawn.update(dict.fromkeys(reached, index))
    return drawn
