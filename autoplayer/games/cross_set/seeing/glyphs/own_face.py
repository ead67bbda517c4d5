"""The digits of a board of Cross Set in its own typeface: how similar a glyph is to the same number elsewhere on the
board, as evidence for a doubtful glyph."""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, JUNK, Chances, Glyph
from autoplayer.vision import alike
from autoplayer.vision.pieces import Piece

OWN = 0.97
"""A glyph more probable than this is an example of its digit in the window's typeface."""

JUNK_LIKE = 0.05
"""A glyph whose probability to be any digit is lower than this is not compared with the examples."""

ROUNDS = 2
"""How often doubtful glyphs are compared: those that became clear are examples for the others."""

UNSEEN = 0.08
"""The lack of likeness that a number without an example is assigned."""

SHARPNESS = 25.0
"""The weight of a difference of correlation: 0.1 makes a digit twelve times less likely."""

MOST_EXAMPLES = 12
"""Examples of one digit that are averaged."""

FEWEST = 5
"""The least number of comparisons from which the likeness within a typeface's digits can be estimated."""

ONE_SIZE = 0.05
"""Examples that differ in height by a smaller share, or by a pixel, are of one size."""

FEWEST_ALIKE = 3
"""A number that is drawn in several ways occurs at least so often in each: chance connections do not."""

TALLER, AS_BROAD, FEWEST_LOWER = 0.15, 0.03, 2
"""A glyph that is higher by more than the first share than the same number in so many cells, and not narrower by more
than the second share, nor broader by nearly as much, is connected with something above or below it."""

INKED = 0.3
"""What has more ink than this is drawn on, and not a soft edge."""

ROUNDED = 0.25
"""A glyph is as large as its number elsewhere if it is smaller by no more than so many fine pixels."""

UNEVEN, UNLIKE = 0.12, 0.15
"""By how much the proportions of a number in two sizes differ, and its likeness."""

BAR = 0.7
"""The least share of its bounding box that a 1 fills which is only a bar."""

SLIMMEST = 0.5
"""A glyph narrower than this share of its height is compared with empty ground on both sides."""

PARTS = 4
"""Subdivision of a pixel for adding empty ground."""

BLUR = 1.0
"""The standard deviation, in pixels of ``alike.SIDE``, by which glyphs are blurred before they are compared: the edges
of small ones fall on other pixels in every cell."""

FULL = 0.08
"""A glyph whose ink varies less than this is a full rectangle, as symbols are: all of those are alike, and nothing else
is like them."""


@dataclass(frozen=True)
class Example:
    cell: Cell
    height: int
    breadth: float
    """The width as a share of the height."""
    vector: Floats


@dataclass
class _Memory:
    """Cached results: the segmentations of a crowded cell share most of their pieces."""

    ranked: dict[tuple[int, str], list[Example]] = field(default_factory=dict)
    of_size: dict[tuple[int, float, str], list[Example]] = field(default_factory=dict)
    lower: dict[tuple[int, int, str], list[Example]] = field(default_factory=dict)
    lacks: dict[tuple[Cell, str, int], tuple[Piece, float]] = field(default_factory=dict)
    """By the piece's identity; the piece is kept, so that no other one gets the same identity."""


@dataclass(frozen=True)
class OwnFace:
    """Examples of each number, and the usual correlation of an example with the others."""

    examples: Mapping[str, Sequence[Example]]
    usual: float

    @cached_property
    def _memory(self) -> _Memory:
        return _Memory()

    def near(self, cell: Cell, height: int, token: str) -> list[Example]:
        """Examples of a number in other cells, of about one height; those with the most similar height first."""
        ranked = self._memory.ranked.get((height, token))
        if ranked is None:
            slack = _slack(height)
            found = (e for e in self.examples.get(token, ()) if abs(e.height - height) <= slack)
            ranked = self._memory.ranked[height, token] = sorted(found, key=lambda e: abs(e.height - height))
        return list(islice((e for e in ranked if e.cell != cell), MOST_EXAMPLES))

    def of_next_size(self, cell: Cell, height: int, token: str) -> list[Example]:
        """Examples of a number in other cells, of any height, those with the most similar height first: a number has
        the same proportions in another size."""
        found = (e for e in self.examples.get(token, ()) if e.cell != cell)
        return sorted(found, key=lambda e: abs(np.log(e.height / height)))[:MOST_EXAMPLES]

    def of_size(self, cell: Cell, g: Glyph) -> list[Example]:
        """All examples of a glyph's number in other cells that are as high."""
        slack = ONE_SIZE * g.height + g.piece.scale
        key = g.height, g.piece.scale, g.token
        found = self._memory.of_size.get(key)
        if found is None:
            found = [e for e in self.examples.get(g.token, ()) if abs(e.height - g.height) <= slack]
            self._memory.of_size[key] = found
        return [e for e in found if e.cell != cell]

    def is_enlarged(self, cell: Cell, g: Glyph) -> bool:
        """Whether a glyph looks like its number in another size, with the same proportions. A part of a bar does as
        well."""
        slack = ONE_SIZE * g.height + g.piece.scale
        found = [e for e in self.examples.get(g.token, ()) if e.cell != cell and abs(e.height - g.height) > slack]
        near = found[:MOST_EXAMPLES]
        if not near or (g.token == "1" and float(g.piece.ink.mean()) > BAR):
            return False
        breadth = np.log(g.piece.box.width / g.height / float(np.median([e.breadth for e in near])))
        uneven = UNEVEN + 1.5 * g.piece.scale / g.piece.box.width
        return bool(abs(breadth) < uneven and self.usual - _likeness(vector(g), near) < UNLIKE)

    def is_grown(self, cell: Cell, g: Glyph) -> bool:
        """Whether a glyph is higher than its number is elsewhere and hardly broader, on a board that has smaller
        numbers than those, and a part of it as high as those is more similar to them than the whole: then another
        number is connected with it. In another size a number would be broader as well."""
        key = g.height, g.piece.box.width, g.token
        found = self._memory.lower.get(key)
        if found is None:
            wide = g.piece.box.width
            found = [
                e
                for e in self.examples.get(g.token, ())
                if e.height < (1 - TALLER) * g.height
                and (e.height / g.height) ** 0.5 * wide <= e.breadth * e.height
                and (1 - AS_BROAD) * e.breadth * e.height <= wide + 0.5 * g.piece.scale
            ]
            self._memory.lower[key] = found
        lower = [e for e in found if e.cell != cell]
        if len(lower) < FEWEST_LOWER or g.piece.box.width < SLIMMEST * min(e.height for e in lower):
            return False
        least = (1 - TALLER) * min(e.height for e in lower)
        if not any(e.height < least for each in self.examples.values() for e in each):
            return False
        # A bar is like each of its parts.
        return g.token == "1" or _holds_one(g, lower[:MOST_EXAMPLES])

    def as_large(self, cell: Cell, g: Glyph) -> tuple[bool, bool]:
        """Whether a glyph is as high, and as broad, as its number usually is at about this height."""
        near = self.near(cell, g.height, g.token)
        high, broad = (float(np.median(of)) for of in ([e.height for e in near], [e.breadth * e.height for e in near]))
        return g.height >= high - ROUNDED, g.piece.box.width >= broad - ROUNDED

    def lack(self, cell: Cell, g: Glyph) -> float:
        """By how much less similar to its number's examples a glyph is than usual; 0 if there is no example."""
        key = cell, g.token, id(g.piece)
        if key not in self._memory.lacks:
            self._memory.lacks[key] = g.piece, self._lack(cell, g)
        return self._memory.lacks[key][1]

    def _lack(self, cell: Cell, g: Glyph) -> float:
        near = self.near(cell, g.height, g.token)
        if not near:
            return 0.0
        own = vector(g)
        # Of another size a number may look otherwise: strokes fall on other pixels.
        of_size = self.of_size(cell, g)
        like = [_likeness(own, each) for each in (near, of_size[:MOST_EXAMPLES]) if each]
        # The raster draws a small number in several ways: it is enough to be like some of them.
        if len(of_size) >= FEWEST_ALIKE:
            like.append(float(np.sort(np.stack([e.vector for e in of_size]) @ own)[-FEWEST_ALIKE]))
        return max(self.usual - max(like), 0.0)


def own_face(seen: Mapping[Cell, Sequence[Glyph]]) -> OwnFace | None:
    """The typeface of the digits that are clearly legible; None if there are too few."""
    examples: dict[str, list[Example]] = defaultdict(list)
    for cell, row in seen.items():
        for g in row:
            if g.chance > OWN:
                examples[g.token].append(Example(cell, g.height, g.piece.box.width / g.height, vector(g)))
    face = OwnFace(examples, 0.0)
    found = []
    for token, members in examples.items():
        for one in members[:MOST_EXAMPLES]:
            near = face.near(one.cell, one.height, token)
            if near:
                found.append(_likeness(one.vector, near))
    return OwnFace(examples, float(np.percentile(found, 30))) if len(found) >= FEWEST else None


def compared(seen: Mapping[Cell, Sequence[Glyph]], doubted: float = CERTAIN) -> dict[Cell, list[Glyph]]:
    """Glyphs no likelier than ``doubted``, compared with the board's clearly legible digits of about their size: a
    digit is as similar to its examples as those are to each other."""
    now = {cell: list(row) for cell, row in seen.items()}
    first = {id(g.piece): g.chances for row in seen.values() for g in row}
    for _ in range(ROUNDS):
        face = own_face(now)
        if face is None:
            break
        weighed: dict[int, Chances] = {}
        for cell, row in now.items():
            for g in row:
                said = first[id(g.piece)]
                best = max(p for token, p in said.items() if token)
                if JUNK_LIKE < best <= doubted and g.cluster not in weighed:
                    weighed[g.cluster] = _compared(cell, g, said, face)
        now = {cell: [replace(g, chances=weighed.get(g.cluster, g.chances)) for g in row] for cell, row in now.items()}
    return now


def _compared(cell: Cell, g: Glyph, said: Chances, face: OwnFace) -> Chances:
    """The chances of a glyph by the network's opinion and its likeness to the examples of each number."""
    own, breadth = vector(g), g.piece.box.width / g.height
    lacking = {}
    for token in said:
        near = face.near(cell, g.height, token) if token else []
        others = near or (face.of_next_size(cell, g.height, token) if token else [])
        lacking[token] = 0.0 if near else UNSEEN  # a number of which there is no example may be it, or not
        if others:
            shape = abs(np.log(breadth / np.median([e.breadth for e in others])))
            unlike = max(face.usual - _likeness(own, others), 0.0) + 0.3 * max(float(shape) - 0.15, 0.0)
            lacking[token] = max(lacking[token], unlike)
    # What is unlike all numbers is damaged, or connected with something: that makes it no likelier to be no number.
    likeliest = max((token for token in said if token), key=lambda token: said[token])
    lacking[JUNK] = max(UNSEEN, lacking[likeliest])
    chances = {token: p * float(np.exp(-SHARPNESS * lacking[token])) for token, p in said.items()}
    total = sum(chances.values())
    return {token: p / total for token, p in chances.items()} if total > 1e-9 else said


_VECTORS: dict[int, tuple[weakref.ref[Floats], Floats]] = {}
"""Cached feature vectors of the ink of pieces still in use, by identity: each is looked at in many segmentations."""


def vector(g: Glyph) -> Floats:
    """The feature vector of a glyph, of unit length; independent of its proportions, except that a thin bar stays
    one."""
    key = id(g.piece.ink)
    known = _VECTORS.get(key)
    if known is None or known[0]() is not g.piece.ink:
        known = weakref.ref(g.piece.ink, lambda _: _VECTORS.pop(key, None)), _vector(g.piece.ink)
        _VECTORS[key] = known
    return known[1]


def _vector(of: Floats) -> Floats:
    ink = np.asarray(of, np.float32)
    missing = SLIMMEST * ink.shape[0] - ink.shape[1]
    if missing > 0:
        # In parts of a pixel: a small glyph that is one pixel higher than another would else stand elsewhere.
        beside, own = round(missing * PARTS / 2), ink.shape[1] * PARTS
        wide = np.zeros((ink.shape[0], own + 2 * beside), np.float32)
        wide[:, beside : beside + own] = np.repeat(ink, PARTS, axis=1)
        ink = wide
    small = cv2.resize(ink, (alike.SIDE, alike.SIDE), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), BLUR).ravel()
    mean, deviation = (float(v[0, 0]) for v in cv2.meanStdDev(small))
    if deviation < FULL:
        return np.full(small.size, 1 / alike.SIDE, np.float32)
    return np.asarray((small - mean) / (deviation * alike.SIDE), np.float32)


def _likeness(own: Floats, near: Sequence[Example]) -> float:
    mean = np.mean([e.vector for e in near], axis=0)
    return float(own @ mean) / max(float(np.linalg.norm(mean)), 1e-6)


def _holds_one(g: Glyph, lower: Sequence[Example]) -> bool:
    """Whether the upper or the lower part of a glyph, as high as the ``lower`` examples, is more similar to them than
    the whole."""
    whole = _likeness(vector(g), lower)
    for height in {e.height for e in lower}:
        near = [e for e in lower if e.height == height]
        for part in (g.piece.ink[:height], g.piece.ink[-height:]):
            inked = np.flatnonzero((part > INKED).any(axis=0))
            if len(inked) and _likeness(_vector(part[:, inked[0] : inked[-1] + 1]), near) > whole:
                return True
    return False


def _slack(height: int) -> float:
    return 0.2 * height + 1
