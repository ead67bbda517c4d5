"""Finds the board in a picture of any window: the lattice on which its cells stand, and which places of it are cells.

A cell is a place of the lattice in which a number or an X stands; everything else is a hole. Several lattices are
tried; the one that explains most of the picture wins. What a glyph is, ``tokens`` says.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image, Mask
from autoplayer.games.cardinal_chains import tokens
from autoplayer.vision import glyphs, ink, lattice
from autoplayer.vision.views import View, crowded, smoothed, stages

if TYPE_CHECKING:
    from autoplayer.layout import BoardTable

MOST_CELLS = 40 * 40

UNMARKED = 0.9
"""How probable it is that a place of another colour, without a number, is a start, where no X is seen at all."""

MARKED = 0.94
"""The same, where some of the places of another colour have a mark in their middle: for those; the others are holes."""

LEAST_NUMBERS = 2
"""So many numbers make a board whose start has no X that can be seen; a number and a pointer beside it are none."""

INSIDE = 0.88
"""The part of a cell's side that is inside its walls, where a person has said where the board stands."""

LOWEST = 0.6
"""The height of a low old-style numeral, as a share of the usual one, at least."""

NEAR_MIDDLE = 0.18
"""The part of the pitch to the side that a glyph stands from where the others stand in their cells, at most."""

RING = 0.62
"""The part of a cell's side that is inside of any ring around its glyph."""

STRANGE = 0.45
"""How probable it is that what looks like a number, but has no walls where all others have, is no part of the board."""

KNOWN_LOOKS = 8
"""Of so many glyphs it is known how they look and where they stand."""

STRAY = np.array((0.05, 0.08, 0.05))
"""How much higher and farther from the middle others are at most than nearly all of them, as shares of the pitch."""

REFITS, INEXACT = 2, 0.01
"""How often a lattice that is known from a few boxes is fitted to its glyphs; and the share by which its pitch is wrong
at least."""

SAME_GROUND, MOST_OURS = 10.0, 0.7
"""Grey levels up to which two places have one ground; and the share of a board's places at least that have one."""

SMALLER = 0.8
"""What is less high than this share of the lowest glyph is no glyph of the same board."""

EDGE_BAND = 0.02
"""Shares of the pitch by which an edge of a cell stands elsewhere than those of others, at most."""

EDGE, LEAST_EDGE = 0.75, 0.3
"""A side is a cell's side where the share of it that is an edge is at least so much of what it is as a rule; cells of
which even that is less are round, or have no edges of their own."""

BETWEEN = 0.3
"""The part of the way between two cells' middles at both ends that glyphs may stand on."""

EVEN = 8.0
"""Grey levels by which pixels of one colour differ at most, above twice the noise."""

BESIDE, GOES_ON = 0.75, 0.9
"""So much of the pitch to both sides of a link is looked at; what has its colour on so much of it is no chain."""

SAMPLE = 16
"""How many places are read before a lattice is believed to be worth reading whole."""


@dataclass(frozen=True)
class Place:
    """A place of the lattice that holds something, with what it may be: ``(token, probability)``, best first.
    ``cluster``: the same number for places that hold the same token, whichever it is."""

    content: ink.Content
    box: Box
    candidates: tokens.Candidates
    cluster: int
    told: bool
    """Whether the layout's own pictures say so."""


@dataclass(frozen=True)
class Board:
    lattice: lattice.Lattice
    walled: bool
    places: dict[Cell, Place]
    score: float
    whole: bool
    """Whether nothing that might be a cell stands beside it."""

    @property
    def full(self) -> bool:
        """Whether it has many cells that hang together, nearly all of them legible."""
        legible = sum(tokens.probability(place.candidates) > 0.5 for place in self.places.values())
        beside = sum(any(near in self.places for near in around(cell)) for cell in self.places)
        return legible >= MANY and min(legible, beside) >= 0.9 * len(self.places) and _has_start(self)


def find(image: Image, eyes: tokens.Eyes) -> Board | None:
    """The board that explains most of ``image`` (BGR), with what each of its cells may hold, as ``eyes`` see it; None
    where no lattice holds anything."""
    best: Board | None = None
    closed: Board | None = None
    for view, hypotheses in itertools.chain(stages(image, MOST_CELLS), crowded(image, MOST_CELLS)):
        for found in hypotheses:
            if best is not None and _convincing(best) and _covers(best, found):
                continue
            board = _look(view, found, eyes)
            if board is not None and not board.walled and closed is not None and _stands_in(board, closed):
                board = None if closed.whole else _doubted_beside(board, closed)
            if board is None:
                continue
            if best is None or _beats(board, best):
                best = board
            if _is_closed(board) and (closed is None or board.score > closed.score):
                closed = board
        if best is not None and _convincing(best):
            break
    return best


def find_at(image: Image, table: BoardTable, eyes: tokens.Eyes) -> Board | None:
    """The board where a person has said that it stands; None where nothing stands there."""
    height, width = image.shape[:2]
    image, noise = smoothed(image)
    left, top, across, down = table.place
    pitch_x, pitch_y = across * width / table.columns, down * height / table.rows
    cells = frozenset((r, c) for r in range(table.rows) for c in range(table.columns))
    middle = left * width + pitch_x / 2, top * height + pitch_y / 2
    found = lattice.Lattice(*middle, pitch_x, pitch_y, INSIDE * pitch_x, INSIDE * pitch_y, cells)
    view = View(image, lattice.edge_strength(image), noise, max(12.0, 5 * noise), True)
    growth = _Growth(view, found)
    growth.learn()
    return _read(view, found, growth, eyes)


def _look(view: View, found: lattice.Lattice, eyes: tokens.Eyes, *, again: int = REFITS) -> Board | None:
    """Reads every place of a lattice and grows it as long as its neighbours are cells of the same kind. A lattice that
    is known from a few boxes only is fitted to all its glyphs, ``again`` so often at most."""
    growth = _Growth(view, found)
    if not growth.promising(eyes):
        return None
    growth.grow(growth.is_walled)
    growth.learn()
    growth.grow(
        lambda cell, here: (
            growth.is_glyph(cell, here) and max(growth.neighbours(cell), _walls(view, found, cell, here)) > 1
        )
    )
    growth.grow(lambda cell, here: growth.neighbours(cell) > 2)  # something covers it, a pointer perhaps
    while growth.grow(growth.continues_chain) and growth.grow(growth.is_walled):
        pass  # what a chain hid from the other cells
    if growth.endless:
        return None
    board = _read(view, found, growth, eyes)
    exact = growth.fitted() if again and board is not None else None
    other = _look(view, exact, eyes, again=again - 1) if exact is not None else None
    if board is None or other is None:
        return board
    before, after = (_legible(one.places, one.places.keys()) for one in (board, other))
    return other if after >= before else board


def _read(view: View, found: lattice.Lattice, growth: _Growth, eyes: tokens.Eyes) -> Board | None:
    """The board that stands in the places of a lattice."""
    growth.drop_strangers()
    growth.drop_other_grounds()
    if len(growth.contents) < 2 or not growth.marked():
        return None
    seen = eyes.classify(view.image, growth.marked(), view.noise, found.cells)
    if not _numbers(seen):
        return None  # starts alone are no level
    _find_unmarked_starts(view, seen, growth.contents, found.cells)
    # What stands beside the board and is no number is no cell, whatever lines there are around it. Inside the board it
    # is one that something covers: a doubt.
    sure = found.cells | {cell for cell, glyph in seen.items() if glyph.candidates[0][0]}
    places = {
        cell: Place(growth.contents[cell], found.box(cell), glyph.candidates, glyph.cluster, glyph.told)
        for cell, glyph in sorted(seen.items())
        if cell in sure or sum(near in sure for near in around(cell)) > (0 if growth.has_walls(cell) else 1)
    }
    _judge_beyond(growth, places)
    # A start may look like nothing else on its board.
    aside = eyes.classify(view.image, growth.set_aside, view.noise, frozenset()) if growth.set_aside else {}
    for cell, glyph in aside.items():
        if glyph.candidates[0][0] == "X" and glyph.chance > tokens.LEGIBLE and not growth.in_a_text(cell):
            number = 1 + max(place.cluster for place in places.values()) if places else 0
            place = Place(growth.set_aside[cell], found.box(cell), glyph.candidates, number, glyph.told)
            places[cell] = _perhaps_none(place)
    for cell in growth.unwalled() & places.keys():
        if not growth.is_in_line(cell, places[cell].content):
            places[cell] = _perhaps_none(places[cell])
    if not places or (not view.walled and 2 * _legible(places, found.cells) < len(found.cells)):
        return None  # what brought this lattice about is no glyph for the most part
    return Board(found, view.walled, places, _score(found, places, view.walled), not growth.loose_glyphs())


def _judge_beyond(growth: _Growth, places: dict[Cell, Place]) -> None:
    """Take back, or doubt, what stands outside the rows and columns of closed cells and is no part of the board."""
    beyond = growth.beyond() & places.keys() - growth.reached()
    foreign = {cell for cell in beyond if _is_number(places[cell]) and growth.is_foreign(cell, places[cell])}
    for cell in beyond:
        line = {one for one in beyond if one[growth.way(cell)] == cell[growth.way(cell)]}
        if cell in foreign and 2 * len(line & foreign) > len(line):
            del places[cell]  # of a row of buttons, or a heading; a single one among cells is only odd
        elif not growth.is_known(cell, places[cell]):
            places[cell] = _perhaps_none(places[cell])
    # What cannot be read may be a covered cell, but not where no cell is seen in its line.
    read = {cell for cell in beyond & places.keys() if tokens.probability(places[cell].candidates) > STRANGE}
    for cell in beyond & places.keys() - read:
        if not growth.is_closed(cell) and not any(one[growth.way(cell)] == cell[growth.way(cell)] for one in read):
            del places[cell]


class _Growth:
    """The places of a lattice that are known to be cells, and those beside them that are not yet."""

    def __init__(self, view: View, found: lattice.Lattice) -> None:
        self._view = view
        self._found = found
        self.contents: dict[Cell, ink.Content] = {}
        self._beside: dict[Cell, ink.Content | None] = {}
        self.set_aside: dict[Cell, ink.Content] = {}
        self.contents |= _contents(view, found, sorted(found.cells))

    def promising(self, eyes: tokens.Eyes) -> bool:
        """Whether a few of the places, spread over the lattice, hold something legible. Reading them all costs far
        more; it is asked where a lattice is large, or made of marks that may be letters of a text."""
        places = list(self.contents.values())
        if len(places) <= (8 * SAMPLE if self._view.walled else SAMPLE):
            return True
        inks = [here.ink for here in places[:: -(-len(places) // SAMPLE)] if not here.bare]
        legible = eyes.legible(inks)
        return 2 * legible >= len(inks) > 0

    def marked(self) -> dict[Cell, ink.Content]:
        """The cells in which something stands."""
        return {cell: here for cell, here in sorted(self.contents.items()) if not here.bare}

    def learn(self) -> None:
        """What the glyphs of this board look like, from those that are known to stand in cells: their usual height in
        pixels and colour, and the cells' usual ground."""
        marked = list(self.marked().values())
        self._height = float(np.median([here.box.height for here in marked] or [0]))
        offsets = [self._offset(cell, here) for cell, here in self.marked().items()]
        self._shift = float(np.median(offsets or [0]))
        self._lean = max(NEAR_MIDDLE, 2 * float(np.median(np.abs(np.array(offsets or [0]) - self._shift))))
        drops = [self._drop(cell, here) for cell, here in self.marked().items()]
        self._level = float(np.median(drops or [0]))
        self._colour = np.median([here.colour for here in marked] or [np.zeros(3)], axis=0)
        self._ground = np.median([here.ground for here in self.contents.values()] or [np.zeros(3)], axis=0)

    @cached_property
    def _own(self) -> dict[Cell, ink.Content]:
        """What stands in the places that were found as equal to one another, where something does."""
        return {cell: here for cell, here in self.marked().items() if cell in self._found.cells}

    @cached_property
    def _lowest(self) -> float:
        """The height of the lowest glyph in them, pixels; 0 where there is none."""
        return float(min((here.box.height for here in self._own.values()), default=0))

    @cached_property
    def _looks(self) -> Floats | None:
        """How nearly all glyphs in them look, from and to, shape ``(2, 3)``; None where there are too few."""
        looks = [self._look(cell, here) for cell, here in self._own.items()]
        return np.asarray(np.percentile(looks, (5, 95), axis=0), np.float32) if len(looks) >= KNOWN_LOOKS else None

    @cached_property
    def _edge(self) -> float:
        """How much of a side of theirs is an edge as a rule, 0 to 1."""
        some = sorted(self._found.cells)
        shares = [_edge_shares(self._view, self._found, cell) for cell in some[:: -(-len(some) // SAMPLE)]]
        return float(np.median(shares))

    @cached_property
    def _span(self) -> tuple[int, int, int, int]:
        """The first and last row, and the first and last column, of the places that were found."""
        rows, columns = zip(*self._found.cells, strict=True)
        return min(rows), max(rows), min(columns), max(columns)

    def is_walled(self, cell: Cell, here: ink.Content) -> bool:
        return _walls(self._view, self._found, cell, here) >= 3

    def is_glyph(self, cell: Cell, here: ink.Content) -> bool:
        """Whether something of the glyphs' height stands in the middle of a place, perhaps upon a line of another
        colour."""
        if self._like_a_glyph(cell, here):
            return True
        return self._like_a_glyph(
            cell, ink.content_in_colour(self._view.image, here.place, self._colour, self._view.noise)
        )

    def _look(self, cell: Cell, here: ink.Content) -> tuple[float, float, float]:
        """The height of a glyph and how far it stands to the right of its place's middle and below it, as shares of the
        pitch."""
        return here.box.height / self._found.pitch_y, self._offset(cell, here), self._drop(cell, here)

    def is_like_ours(self, cell: Cell, here: ink.Content) -> bool:
        """Whether what stands in a place looks like this board's glyphs as those look like one another: as high, and as
        far from the middle."""
        if here.bare or self._looks is None:
            return not here.bare
        (least, most), look = self._looks, np.array(self._look(cell, here))
        stray = STRAY + 1 / self._found.pitch  # places begin at whole pixels
        return bool(((least - stray <= look) & (look <= most + stray)).all())

    def is_closed(self, cell: Cell) -> bool:
        """Whether a place has the edges of this board's cells, exactly where those have theirs, on all sides but
        those on which a chain leads to another cell, or on most where its glyph is like theirs."""
        enough = 3 if self.is_like_ours(cell, self.contents[cell]) else 4
        closed = 0
        for near, edge in zip(around(cell), self._edges(cell), strict=True):
            linked = not edge and near in self.contents and self._has_link(cell, near)
            if near in self._found.cells and not (edge or linked):
                return False
            closed += edge or linked
        return closed >= enough

    def _edges(self, cell: Cell) -> list[bool]:
        """Whether an edge is along a place's upper, lower, left and right side, as it is along those of the cells."""
        shares = _edge_shares(self._view, self._found, cell)
        return [self._edge <= LEAST_EDGE or share >= EDGE * self._edge for share in shares]

    def linked(self, cell: Cell) -> bool:
        """Whether a drawn chain leads from a known cell to a place: between their middles there is no wall or gap, but
        one even colour that is not the cells' own."""
        return self.closed_in and any(near in self.contents and self._has_link(cell, near) for near in around(cell))

    def _has_link(self, one: Cell, other: Cell) -> bool:
        (x, y), (u, v) = self._found.box(one).centre, self._found.box(other).centre
        along = self._pixels((x, y), (u, v), np.linspace(BETWEEN, 1 - BETWEEN, SAMPLE))
        # Of a chain there is an end to both sides; a panel's or the window's own ground goes on.
        (p, q), (a, b) = ((x + u) / 2, (y + v) / 2), (v - y, u - x)
        across = self._pixels((p, q), (p + a, q + b), np.linspace(-BESIDE, BESIDE, SAMPLE))
        if along is None or across is None:
            return False
        colour, slack = np.median(along, axis=0), EVEN + 2 * self._view.noise
        even = float(np.abs(along - colour).max()) < slack and float(np.abs(colour - self._ground).max()) > 24
        return even and float((np.abs(across - colour).max(axis=1) < slack).mean()) < GOES_ON

    def _pixels(self, start: tuple[float, float], end: tuple[float, float], shares: Floats) -> Floats | None:
        """The colours on the way from ``start`` to ``end`` as ``(x, y)``, BGR, shape ``(N, 3)``; None where it leaves
        the picture."""
        x, y = (np.rint(a + shares * (b - a)).astype(int) for a, b in zip(start, end, strict=True))
        height, width = self._view.image.shape[:2]
        if min(x.min(), y.min()) < 0 or x.max() >= width or y.max() >= height:
            return None
        return np.asarray(self._view.image[y, x], np.float32)

    def _like_a_glyph(self, cell: Cell, here: ink.Content) -> bool:
        across, down = self._offset(cell, here), self._drop(cell, here)
        central = max(abs(across), abs(across - self._shift) * 0.25 / self._lean) < 0.25
        central &= abs(down) < 0.25 and abs(down - self._level) < NEAR_MIDDLE
        return not here.bare and central and LOWEST * self._height <= here.box.height <= 1.4 * self._height

    def _offset(self, cell: Cell, here: ink.Content) -> float:
        """How far to the right of its place's middle a glyph stands, as a share of the pitch."""
        return (here.box.centre[0] - self._found.box(cell).centre[0]) / self._found.pitch_x

    def _drop(self, cell: Cell, here: ink.Content) -> float:
        """How far below its place's middle a glyph stands, as a share of the pitch."""
        return (here.box.centre[1] - self._found.box(cell).centre[1]) / self._found.pitch_y

    def has_walls(self, cell: Cell) -> bool:
        """Whether a place of a board of closed cells has walls on three sides at least."""
        return self.closed_in and sum(_walled_sides(self._view, self._found, cell)) >= 3

    def beyond(self) -> set[Cell]:
        """The places outside the rows and columns of a board of closed cells."""
        return {cell for cell in self.contents if self._is_beyond(cell)} if self.closed_in else set()

    @property
    def closed_in(self) -> bool:
        """Whether this board's cells have walls or a colour of their own, on all sides, so that the most of them were
        found by that."""
        if not self._view.walled:
            return False
        found = len(self._found.cells)
        among = [cell for cell in self.contents if found < KNOWN_LOOKS or not self._is_beyond(cell)]
        return 2 * found > len(among)

    def open_sides(self, cell: Cell, cells: AbstractSet[Cell]) -> int:
        """On how many sides of a place there is neither an edge, nor the picture's border, nor one of ``cells``."""
        box, band = self._found.box(cell), max(2, round(0.14 * self._found.pitch))
        height, width = self._view.strength.shape
        ends = box.y < band, box.y + box.height > height - band, box.x < band, box.x + box.width > width - band
        sides = zip(around(cell), _walled_sides(self._view, self._found, cell), ends, strict=True)
        return sum(not (wall or end or near in cells) for near, wall, end in sides)

    def unwalled(self) -> set[Cell]:
        """The places beside a board of closed cells that have no edge on two sides on which nothing closed stands."""
        if not self.closed_in:
            return set()
        closed = set(self._found.cells)
        beside = self.contents.keys() - closed
        while True:  # what is closed by closed cells is closed as well
            more = {cell for cell in beside if self.open_sides(cell, closed) < 2}
            if not more:
                (top, bottom), (left, right) = ((min(line), max(line)) for line in zip(*closed, strict=True))
                return {(r, c) for r, c in beside if not (top <= r <= bottom and left <= c <= right)}
            closed |= more
            beside -= more

    def fitted(self) -> lattice.Lattice | None:
        """The lattice that goes through the glyphs of all cells, where it was known from a few of them only and is more
        than a little wrong; else None. A pitch that is a few per cent wrong cuts through glyphs far from those few."""
        spots = [cell for cell, here in self.marked().items() if self.is_glyph(cell, here)]
        found = self._found
        if len(spots) < KNOWN_LOOKS or len(found.cells) >= KNOWN_LOOKS or 2 * len(found.cells) > len(self.contents):
            return None
        centres = np.array([self.contents[cell].box.centre for cell in spots], float)
        x, pitch_x = lattice.line([c for _, c in spots], centres[:, 0], found.pitch_x)
        y, pitch_y = lattice.line([r for r, _ in spots], centres[:, 1], found.pitch_y)
        change = max(abs(pitch_x / found.pitch_x - 1), abs(pitch_y / found.pitch_y - 1))
        return replace(found, x=x, y=y, pitch_x=pitch_x, pitch_y=pitch_y) if change > INEXACT else None

    def drop_strangers(self) -> None:
        """Take back places without walls of their own that hold nothing like this board's glyphs: what stands beside
        a board may have its cells' colour, where those are transparent."""
        for cell in self.unwalled():
            if not self.linked(cell) and not self.is_glyph(cell, self.contents[cell]):
                self.set_aside[cell] = self.contents.pop(cell)
        # A row of buttons beside the board, or a line of text, may stand near to where a row of cells would.
        beyond = self.beyond()
        strange = {cell for cell in beyond - self.reached() if self._is_strange(cell)}
        for cell in strange:
            self.set_aside[cell] = self.contents.pop(cell)
        self.set_aside = {cell: here for cell, here in sorted(self.set_aside.items()) if not here.bare}

    def drop_other_grounds(self) -> None:
        """Take back outer rows and columns of a board without walls that stand on another ground than nearly all of
        it, and all on the same one: they are headings or buttons beside the board's panel."""
        if self._view.walled:
            return
        while len(self.contents) >= KNOWN_LOOKS:
            grounds = {cell: here.ground for cell, here in self.contents.items()}
            usual = np.median(list(grounds.values()), axis=0)
            ours = {cell for cell, ground in grounds.items() if float(np.abs(ground - usual).max()) < SAME_GROUND}
            if len(ours) < MOST_OURS * len(grounds):
                return
            ends = [(by, end(cell[by] for cell in grounds)) for by in (0, 1) for end in (min, max)]
            outer = [{cell for cell in grounds if cell[by] == end} for by, end in ends]
            strange = next((line for line in outer if not line & ours and self._goes_on(line)), None)
            if strange is None:
                return
            for cell in strange:
                del self.contents[cell]

    def _goes_on(self, line: AbstractSet[Cell]) -> bool:
        """Whether the places of an outer row or column stand on one ground, that of the places farther out as well:
        not on colours of their own, as starts do."""
        farther = sorted({near for cell in line for near in around(cell)} - line - self.contents.keys())
        beside = _contents(self._view, self._found, farther)
        grounds = [here.ground for here in beside.values()] + [self.contents[cell].ground for cell in line]
        return bool(beside) and float(np.ptp(grounds, axis=0).max()) < SAME_GROUND

    def reached(self) -> set[Cell]:
        """The places outside the rows and columns of closed cells to which drawn chains lead from those inside."""
        left = self.beyond()
        reached: set[Cell] = set()
        while True:
            more = {
                cell
                for cell in left
                if any(
                    near in self.contents and near not in left and self._has_link(cell, near) for near in around(cell)
                )
            }
            if not more:
                return reached
            reached |= more
            left -= more

    def _is_strange(self, cell: Cell) -> bool:
        """Whether a place outside the rows and columns of closed cells has neither their edges nor a glyph like
        theirs."""
        if self.is_like_ours(cell, self.contents[cell]):
            return False
        edges = self._edges(cell)
        closed = zip(around(cell), edges, strict=True)
        return sum(edges) < 2 or any(near in self._found.cells and not edge for near, edge in closed)

    def is_foreign(self, cell: Cell, place: Place) -> bool:
        """Whether a number outside the rows and columns of closed cells is clear, but none of this board's numbers."""
        if self.is_closed(cell):
            return place.content.box.height < SMALLER * self._lowest
        return place.candidates[0][1] > tokens.LEGIBLE and not self.is_like_ours(cell, place.content)

    def is_in_line(self, cell: Cell, here: ink.Content) -> bool:
        """Whether a place outside the rows and columns of closed cells looks like one of them but for its edges, and
        all that stands in its line as well: the window's ground may have the cells' colour there."""
        return self._looks is not None and self.is_like_ours(cell, here) and not self.in_a_text(cell)

    def is_known(self, cell: Cell, place: Place) -> bool:
        """Whether there is no doubt that a place outside the rows and columns of closed cells is a cell."""
        if self.is_closed(cell):
            return True
        if self.is_in_line(cell, place.content):
            return True
        edges = sum(self._edges(cell))
        return edges >= 3 if place.candidates[0][0] == "X" else edges >= 2 and self.is_glyph(cell, place.content)

    def continues_chain(self, cell: Cell, here: ink.Content) -> bool:
        """Whether a place has the colour of a cell beside it, which most cells do not have: a drawn chain swallows the
        walls between its cells, and only its colour says that they are cells."""
        coloured = float(np.abs(here.ground - self._ground).max()) > 24 and any(
            float(np.abs(here.ground - self.contents[near].ground).max()) < 12
            for near in around(cell)
            if near in self.contents
        )
        return coloured or self.linked(cell)

    @property
    def endless(self) -> bool:
        """Whether this grows as no board does: glyphs without walls of which not one in six was seen at first."""
        return len(self.contents) > (MOST_CELLS if self._view.walled else max(60, 6 * len(self._found.cells)))

    def loose_glyphs(self) -> dict[Cell, ink.Content]:
        """The places beside the cells that hold something like a glyph, in the middle: cells without walls, perhaps."""
        result = {}
        for cell in sorted({near for known in self.contents for near in around(known)} - self.contents.keys()):
            here = self._beside.get(cell)
            if here is None or here.bare or not self.is_glyph(cell, here):
                continue
            if not self.closed_in or self.is_like_ours(cell, here):
                result[cell] = here
        return {cell: here for cell, here in result.items() if not (self.closed_in and self.in_a_text(cell))}

    def _is_beyond(self, cell: Cell) -> bool:
        top, bottom, left, right = self._span
        return not (top <= cell[0] <= bottom and left <= cell[1] <= right)

    def way(self, cell: Cell) -> int:
        """Whether a place outside the rows and columns of closed cells stands in another row, 0, or column, 1."""
        return 1 if self._span[0] <= cell[0] <= self._span[1] else 0

    def in_a_text(self, cell: Cell) -> bool:
        """Whether what stands in line with a place outside the rows and columns of closed cells is mostly unlike this
        board's glyphs: some letter of a heading always stands where a cell would."""
        if not self._is_beyond(cell):
            return False
        by = self.way(cell)
        first, last = self._span[2:] if by == 0 else self._span[:2]
        line = [
            (c, here)
            for c, here in self._beside.items()
            if c[by] == cell[by] and first <= c[1 - by] <= last and here and not here.bare
        ]
        return 2 * sum(self.is_like_ours(c, here) and not self._runs_on(c, here) for c, here in line) < len(line)

    def _runs_on(self, cell: Cell, here: ink.Content) -> bool:
        """Whether something is drawn at the left or right border of a place, as high as its glyph: a word goes on."""
        box, band = self._found.box(cell), max(1, round(EDGE_BAND * self._found.pitch))
        ends = box.x, box.x + box.width
        strips = [Box(x - band, here.box.y, 2 * band + 1, here.box.height).crop(self._view.strength) for x in ends]
        return any(strip.size > 0 and bool((strip > self._view.threshold).any()) for strip in strips)

    def neighbours(self, cell: Cell) -> int:
        """How many of a place's four neighbours are cells."""
        return sum(near in self.contents for near in around(cell))

    def grow(self, belongs: Callable[[Cell, ink.Content], bool]) -> set[Cell]:
        """Add neighbouring places in which something stands and which belong, and theirs; the places added."""
        added: set[Cell] = set()
        while not self.endless:
            border = {near for cell in self.contents for near in around(cell)} - self.contents.keys()
            fresh = sorted(border - self._beside.keys())
            self._beside |= dict.fromkeys(fresh) | _contents(self._view, self._found, fresh)
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


def around(cell: Cell) -> tuple[Cell, ...]:
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def _contents(view: View, found: lattice.Lattice, cells: Sequence[Cell]) -> dict[Cell, ink.Content]:
    """What places of the lattice show; without those that are not wholly in the picture."""
    height, width = view.image.shape[:2]
    # Inside its walls, where there are some.
    w = round(min(found.width - 2, 0.98 * found.pitch_x) if view.walled else 0.96 * found.pitch_x)
    h = round(min(found.height - 2, 0.98 * found.pitch_y) if view.walled else 0.96 * found.pitch_y)
    boxes = {}
    for cell in cells:
        x, y = found.box(cell).centre
        inner = Box(x - w // 2, y - h // 2, w, h)
        if -0.1 * w <= inner.x <= width - 0.9 * w and -0.1 * h <= inner.y <= height - 0.9 * h:
            boxes[cell] = inner
    result = dict(zip(boxes, ink.contents(view.image, list(boxes.values()), view.noise, discs=True), strict=True))
    for cell in [one for one, here in result.items() if here.bare and view.walled]:
        # A ring that touches its cell's walls is left out as those are, and may hold a start.
        x, y = boxes[cell].centre
        within = Box(round(x - RING * w / 2), round(y - RING * h / 2), round(RING * w), round(RING * h))
        if (within.crop(view.strength) > view.threshold).any():
            here = ink.content(view.image, within, view.noise)
            result[cell] = result[cell] if here.bare else here
    return result


def _score(found: lattice.Lattice, places: dict[Cell, Place], walled: bool) -> float:
    """How much of the picture a board explains: the area of its legible cells, less that of the others.

    By area, not by number: two digits read as a cell each must not beat the one cell that they stand in. A walled
    cell's area is its own, and a glyph's not much larger than the glyph, so that a lattice through two boxes far
    apart explains no more than those.
    """
    legible = sum(1 if tokens.probability(place.candidates) > 0.5 else -1 for place in places.values())
    most = (1.6 * found.width, 1.6 * found.height) if walled else (3.5 * found.height,) * 2
    across, down = min(found.pitch_x, most[0]), min(found.pitch_y, most[1])
    # Where few cells have walls of their own, those may be the starts' colours on a board without walls.
    trust = 1.0 if walled and 2 * len(found.cells & places.keys()) > len(places) else 0.8
    return legible * across * down * trust * (1.0 if found.oblong < 1.25 else 0.6)


def _perhaps_none(place: Place) -> Place:
    """The same, in doubt whether it is any part of the board, unless the layout says so."""
    if place.told:
        return place
    rest = [(token, (1 - STRANGE) * p) for token, p in place.candidates if token]
    nothing = 1 - sum(p for _, p in rest)
    return replace(place, candidates=tuple(sorted([*rest, ("", nothing)], key=lambda pair: -pair[1])))


def _walls(view: View, found: lattice.Lattice, cell: Cell, here: ink.Content) -> int:
    """On how many of its sides a place that was not among the lattice's equal boxes has a wall. Where cells have none,
    a mark of about the same height stands for all four (a start's ring or disc may be as large as its place)."""
    if not view.walled:
        return 4 * (0.7 * found.height <= here.box.height <= max(1.4 * found.height, 0.93 * found.pitch_y))
    return sum(_walled_sides(view, found, cell))


def _walled_sides(view: View, found: lattice.Lattice, cell: Cell) -> list[bool]:
    """Whether a place has an edge along its upper, lower, left and right side, the order of ``around``."""
    box = found.box(cell)
    band = max(2, round(0.14 * found.pitch))
    above = Box(box.x + band, box.y - band, box.width - 2 * band, 2 * band)
    below = Box(above.x, above.y + box.height, above.width, above.height)
    before = Box(box.x - band, box.y + band, 2 * band, box.height - 2 * band)
    behind = Box(before.x + box.width, before.y, before.width, before.height)
    strips = [above.crop(view.strength), below.crop(view.strength)]
    strips += [before.crop(view.strength).T, behind.crop(view.strength).T]
    return [_has_line(strip, view.threshold) for strip in strips]


def _edge_shares(view: View, found: lattice.Lattice, cell: Cell) -> list[float]:
    """How much of a place's upper, lower, left and right side is an edge, 0 to 1, exactly where the equal boxes have
    theirs."""
    x, y = found.box(cell).centre
    band, trim = max(1, round(EDGE_BAND * found.pitch)), round(0.14 * found.pitch)
    w, h = round(found.width), round(found.height)
    left, top = x - w // 2, y - h // 2
    strips = [
        Box(left + trim, edge - band, w - 2 * trim, 2 * band + 1).crop(view.strength) for edge in (top, top + h - 1)
    ]
    strips += [
        Box(edge - band, top + trim, 2 * band + 1, h - 2 * trim).crop(view.strength).T for edge in (left, left + w - 1)
    ]
    return [float((strip > view.threshold).mean(axis=1).max()) if strip.size else 0.0 for strip in strips]


def _has_line(strip: Mask, threshold: float) -> bool:
    """Whether one straight edge, not scattered ones, runs along most of a strip; shape ``(across, along)``."""
    if strip.size == 0:
        return False
    edges = cv2.dilate(np.asarray(strip > threshold, np.uint8), np.ones((3, 1), np.uint8))
    return bool(edges.mean(axis=1).max() > 0.75)


def _legible(places: Mapping[Cell, Place], cells: AbstractSet[Cell]) -> int:
    """In how many of some cells there is something that is more likely a number or a start than anything else."""
    return sum(tokens.probability(places[cell].candidates) > 0.5 for cell in cells & places.keys())


def _is_number(place: Place) -> bool:
    return tokens.probability(place.candidates) > 0.5 and place.candidates[0][0] != "X"


def _numbers(seen: dict[Cell, tokens.Glyph]) -> list[Cell]:
    """The places that are more likely a number than anything else."""
    return [cell for cell, glyph in seen.items() if glyph.chance > 0.5 and glyph.candidates[0][0] != "X"]


def _find_unmarked_starts(
    view: View, seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content], found: frozenset[Cell]
) -> None:
    """Where no X is seen, starts are looked for in other ways: an X that its ring or disc hid; then the places that
    differ from all others (a start may be marked by colour alone, or by a dot or ring). The latter stay doubtful; the
    rules must agree."""
    if any(glyph.candidates[0][0] in ("X", tokens.UNKNOWN) and glyph.chance > 0.5 for glyph in seen.values()):
        return
    usual_ink = np.median(np.stack([contents[cell].colour for cell in seen]), axis=0)
    unclear = [cell for cell, glyph in seen.items() if glyph.chance < tokens.LEGIBLE]
    if tokens.hopeless(len(unclear), len(seen)):
        return
    others = [
        (cell, other)
        for cell in (seen if len(seen) <= tokens.MOST_UNCLEAR else unclear)
        for _, other in tokens.other_inks(view.image, contents[cell], usual_ink, view.noise)
    ]
    hidden = {
        cell: chance
        for (cell, _), options in zip(others, glyphs.read_numbers([other for _, other in others]), strict=True)
        if (chance := tokens.possible(options).get("X", 0.0)) > 0.7
    }
    if hidden and 2 * len(hidden) <= len(seen):
        for cell, chance in hidden.items():
            rest = [(token, (1 - chance) * p) for token, p in seen[cell].candidates if token != "X"]
            seen[cell] = tokens.Glyph((("X", chance), *rest), seen[cell].cluster)
        return
    numbers = [cell for cell, glyph in seen.items() if glyph.chance > tokens.LEGIBLE]
    if len(numbers) < LEAST_NUMBERS or 2 * len(numbers) < len(contents):
        return  # a table, a crossword: too little of it is numbers
    grounds = np.stack([contents[cell].ground for cell in numbers])
    inks = np.stack([contents[cell].colour for cell in numbers])
    odd = [
        cell
        for cell, here in contents.items()
        if cell not in numbers
        and (cell in found or sum(near in contents for near in around(cell)) > 1)
        and (
            float(np.abs(grounds - here.ground).max(axis=1).min()) > 24
            or (not here.bare and float(np.abs(inks - here.colour).max(axis=1).min()) > 48)
        )
    ]
    # A mark in the middle makes a start of a place that without one is a hole in another colour than the cells.
    marked = [cell for cell in odd if not contents[cell].bare and _central(contents[cell])]
    groups: list[list[Cell]] = []
    for cell in odd:
        like = next((group for group in groups if _same_look(contents[cell], contents[group[0]])), None)
        if like is None:
            groups.append([cell])
        else:
            like.append(cell)
    first = 1 + max((glyph.cluster for glyph in seen.values()), default=0)
    for number, group in enumerate(groups, first):
        chance = UNMARKED if not marked else MARKED if group[0] in marked else 1 - MARKED
        options = (("X", chance), ("", 1 - chance))
        for cell in group:
            seen[cell] = tokens.Glyph(options if chance > 0.5 else options[::-1], number)


def _central(here: ink.Content) -> bool:
    """Whether what stands in a place stands about its middle and is no mere remnant."""
    (x, y), (u, v) = here.place.centre, here.box.centre
    size = min(here.place.width, here.place.height)
    return max(abs(x - u), abs(y - v)) < 0.2 * size and min(here.box.width, here.box.height) > 0.15 * size


def _same_look(one: ink.Content, other: ink.Content) -> bool:
    """Whether two places without a number have one colour, and both or neither a mark."""
    return one.bare == other.bare and float(np.abs(one.ground - other.ground).max()) < 12


def _convincing(board: Board) -> bool:
    """Whether looking for a better lattice is a waste of time: enough walled cells with something legible in most, or
    enough glyphs that are beyond doubt."""
    chances = [tokens.probability(place.candidates) for place in board.places.values()]
    legible, sure = sum(p > 0.5 for p in chances), sum(p > tokens.LEGIBLE for p in chances)
    if not board.whole or not any(
        p >= UNMARKED for place in board.places.values() for t, p in place.candidates if t == "X"
    ):
        return False
    own = len(board.lattice.cells & board.places.keys())
    if not board.walled:
        # A few discs of starts give a lattice as well, but glyphs are not as high as those, and are overlooked.
        return 3 * own >= len(chances) and board.lattice.oblong < 1.25 and sure >= 8 and sure >= 0.95 * len(chances)
    if len(board.lattice.cells) >= 6 and legible >= 0.85 * len(chances):
        return True
    # Few boxes among many glyphs are every second cell, perhaps.
    many = sure >= 8 and sure >= 0.95 * len(chances) and 8 * len(board.lattice.cells) > len(chances)
    # Where only starts have a colour, the cells between them have none.
    numbers = any(board.places[cell].candidates[0][0] != "X" for cell in board.lattice.cells & board.places.keys())
    return many or (numbers and sure == len(chances) and 2 * own > len(chances))


def _is_closed(board: Board) -> bool:
    """Whether cells are known by walls or a colour of their own on all sides, as all are then. Where only starts have a
    colour, other cells stand beside them."""
    if not board.walled or not _has_start(board):
        return False
    own = [place.candidates for cell, place in board.places.items() if cell in board.lattice.cells]
    if 2 * len(own) <= len(board.places) or any(tokens.probability(options) < 0.5 for options in own):
        return False
    return any(options[0][0] != "X" for options in own)


def _stands_in(board: Board, closed: Board) -> bool:
    """Whether a board found by its glyphs alone has some in the cells of a closed one."""
    spots = [place.content.box.centre for place in board.places.values()]
    return any(place.box.contains(spot) for place in closed.places.values() for spot in spots)


def _doubted_beside(board: Board, closed: Board) -> Board:
    """A board found by its glyphs alone, in doubt about those that stand beside the cells of a closed one."""
    places = {
        cell: place
        if any(other.box.contains(place.content.box.centre) for other in closed.places.values())
        else _perhaps_none(place)
        for cell, place in board.places.items()
    }
    return replace(board, places=places)


MANY, FEWER = 8, 3
"""A board with so many cells, nearly all legible, is not left for one with less than a third of them, and not at all
for one whose glyphs are some of its own (as every second cell of a board without walls is)."""

MARGIN = 1.25
"""How much more of the picture a board without walls explains than a full one with walls, beside which nothing stands,
to be preferred."""

SAME_MARK = 0.15
"""Two boards see the same glyph where its box differs by no more than this share of its height."""


def _beats(board: Board, best: Board) -> bool:
    """Whether a board explains the picture better than the best one so far."""
    for one, other, result in ((best, board, False), (board, best, True)):
        if one.walled and _is_closed(one) and (not _has_start(other) or (_sees_start(one) and not _sees_start(other))):
            return result
    here, there = (sum(tokens.probability(p.candidates) > 0.5 for p in one.places.values()) for one in (board, best))
    if best.full and (FEWER * here < there or (here < there and _part_of(board, best))):
        return False
    if board.full and (FEWER * there < here or (there < here and _part_of(best, board))):
        return True
    closer = MARGIN if best.walled and best.full and best.whole and not board.walled else 1.0
    return board.score > closer * best.score


def _part_of(board: Board, other: Board) -> bool:
    """Whether all glyphs of a board without walls are glyphs of another one."""
    if board.walled or other.walled:
        return False
    mine, theirs = (
        np.array(
            [(box.x, box.y, box.width, box.height) for box in (place.content.box for place in one.places.values())]
        )
        for one in (board, other)
    )
    off = np.abs(mine[:, None] - theirs[None]).max(axis=2).min(axis=1)
    return bool((off <= np.maximum(SAME_MARK * mine[:, 3], 2)).all())


def _covers(board: Board, other: lattice.Lattice) -> bool:
    """Whether a lattice has nothing to add to a board: it is the same one, or much smaller. One with the board's cells
    and others between them is neither: the board may be every second cell only."""
    mine = board.lattice
    steps = mine.pitch_x / other.pitch_x, mine.pitch_y / other.pitch_y
    shift = (mine.x - other.x) / other.pitch_x, (mine.y - other.y) / other.pitch_y
    aligned = all(abs(v - round(v)) < 0.15 for v in (*steps, *shift)) and min(steps) > 0.5
    if aligned:
        return max(map(round, steps)) == 1
    return other.area < 0.4 * board.score and mine.oblong < 1.25


def _sees_start(board: Board) -> bool:
    """Whether an X is read somewhere, and no start only guessed from its colour or a mark."""
    return any(token == "X" and p > MARKED for place in board.places.values() for token, p in place.candidates[:1])


def _has_start(board: Board) -> bool:
    return any(place.candidates[0][0] == "X" for place in board.places.values())
