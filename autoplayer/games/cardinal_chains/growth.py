"""How a board grows on a lattice from the places that were found as equal: which of their neighbours are cells as well,
and what stands beside the board and is none. What a glyph is, ``tokens`` says; which board wins, ``ranking``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, largest_channel
from autoplayer.games.cardinal_chains import links, tokens
from autoplayer.games.cardinal_chains.outside import KNOWN_LOOKS, SAME_GROUND
from autoplayer.games.cardinal_chains.ranking import Place, around
from autoplayer.games.cardinal_chains.ringed import inside_of_rings
from autoplayer.games.cardinal_chains.sides import (
    EDGE_BAND,
    OPEN_PLACE,
    at_corners,
    contents_of,
    edge_shares,
    walled_sides,
    walls,
)
from autoplayer.vision import alike, ink, lattice, rims
from autoplayer.vision.views import View

MOST_CELLS = 40 * 40

LOWEST = 0.6
"""The height of a low old-style numeral, as a share of the usual one, at least."""

NEAR_MIDDLE = 0.18
"""The part of the pitch to the side that a glyph stands from where the others stand in their cells, at most."""

STRAY = np.array((0.05, 0.08, 0.05))
"""How much higher and farther from the middle others are at most than nearly all of them, as shares of the pitch."""

INEXACT = 0.01
"""The share by which the pitch of a lattice is wrong at least that is fitted to its glyphs."""

SCATTERED, MOST_SCATTERED = 0.18, 1 / 3
"""The share of the height of a cell's inside that a glyph is above or below where the others stand at most, and the
share of the cells in which it may be more. To the side a 1 of segments is farther than that from the others."""

STRANGE_COLOUR, LEAST_EVEN = 24.0, 0.65
"""Grey levels in a channel by which a colour differs from all others on a board that is none of its own; and the part
of a cell beside its glyph, at least, that has its colour."""

SMALLER = 0.8
"""What is less high than this share of the lowest glyph is no glyph of the same board."""

RINGED = 1.4
"""How many times as high as the glyphs that were found a ring around one is at least."""

AS_WIDE = 0.15
"""The share of a mark's width by which another one like it is wider or narrower at most."""

EDGE, LEAST_EDGE = 0.75, 0.3
"""A side is a cell's side where the share of it that is an edge is at least so much of what it is as a rule; cells of
which even that is less are round, or have no edges of their own."""

BETWEEN, MOST_BETWEEN, SOFT_EDGE = 0.3, 0.42, 0.04
"""The part of the way between two cells' middles at both ends that glyphs may stand on, at least and at most; and how
much farther than its box a glyph's soft edge reaches."""

CALM = 1.5
"""Grey levels of noise up to which a short way between two glyphs shows whether a chain leads there."""

SAMPLE = 16
"""How many places are read before a lattice is believed to be worth reading whole."""


class Growth:
    """The places of a lattice that are known to be cells, and those beside them that are not yet."""

    def __init__(self, view: View, found: lattice.Lattice) -> None:
        self._view = view
        self._found = found
        self.contents: dict[Cell, ink.Content] = {}
        self._beside: dict[Cell, ink.Content | None] = {}
        self.set_aside: dict[Cell, ink.Content] = {}
        self.hidden: set[Cell] = set()
        """Closed cells of which a chain's line hides all that stands there."""
        self._middles: dict[Cell, tuple[int, int]] = {}
        self._inner = OPEN_PLACE
        self.contents |= self.contents_at(sorted(found.cells))

    def promising(self, eyes: tokens.Eyes) -> bool:
        """Whether a few of the places, spread over the lattice, hold something legible. Reading them all costs far
        more; it is asked where a lattice is large, or made of marks that may be letters of a text."""
        places = list(self.contents.values())
        if len(places) <= (8 * SAMPLE if self._view.walled else SAMPLE):
            return True
        some = [here for here in places[:: -(-len(places) // SAMPLE)] if not here.bare]
        legible = eyes.legible([here.ink for here in some])
        if 2 * legible < len(some) <= 4 * legible and not self._view.walled:  # lines are drawn over the others, perhaps
            upon = [rims.upon_a_line(self._view.image, here.place, self._view.noise) for here in some if here.uneven]
            legible += eyes.legible([seen.ink for seen in upon if seen is not None and not seen.bare])
        return 2 * legible >= len(some) > 0

    @property
    def ringed(self) -> bool:
        """Whether what stands in most places is far larger than the glyphs by which a board without walls was found:
        rings are taken for ink as well."""
        heights = [here.box.height for here in self.contents.values() if not here.bare]
        return not self._view.walled and bool(heights) and float(np.median(heights)) > RINGED * self._found.height

    def look_within(self) -> bool:
        """Look at no more of each place from now on than what is inside of the ring around its glyph, which lines may
        join to others; whether most places have such a ring. For boards that are known by their glyphs alone."""
        inner = None if self._view.walled else inside_of_rings(self._view, self._found)
        if inner is None:
            return False
        self._inner = inner
        self.contents = self.contents_at(sorted(self._found.cells))
        self._beside.clear()
        return True

    def contents_at(self, cells: Sequence[Cell]) -> dict[Cell, ink.Content]:
        """What places of the lattice show; without those that are not wholly in the picture."""
        result = contents_of(self._view, self._found, cells, self._inner)
        if self._inner != OPEN_PLACE:  # the ring itself may say what a place is that holds no glyph
            result |= contents_of(self._view, self._found, [cell for cell, here in result.items() if here.bare])
        return result

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
    def _reach(self) -> tuple[float, float]:
        """How far from its place's middle a glyph reaches, across and down, as shares of the pitch."""
        boxes = [(self._middle(cell), here.box) for cell, here in self._own.items()]
        pitch = self._found.pitch_x, self._found.pitch_y
        across = [max(x - box.x, box.x + box.width - x) / pitch[0] for (x, _), box in boxes]
        down = [max(y - box.y, box.y + box.height - y) / pitch[1] for (_, y), box in boxes]
        far = [float(np.percentile(some or [0], 90)) + SOFT_EDGE for some in (across, down)]
        return min(max(far[0], BETWEEN), MOST_BETWEEN), min(max(far[1], BETWEEN), MOST_BETWEEN)

    @cached_property
    def _edge(self) -> float:
        """How much of a side of theirs is an edge as a rule, 0 to 1."""
        some = sorted(self._found.cells)
        shares = [edge_shares(self._view, self._found, cell) for cell in some[:: -(-len(some) // SAMPLE)]]
        return float(np.median(shares))

    @cached_property
    def _span(self) -> tuple[int, int, int, int]:
        """The first and last row, and the first and last column, of the places that were found."""
        rows, columns = zip(*self._found.cells, strict=True)
        return min(rows), max(rows), min(columns), max(columns)

    def is_walled(self, cell: Cell, here: ink.Content) -> bool:
        return walls(self._view, self._found, cell, here) >= 3

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
        return self._is_usual(cell, here) or self._is_upon_a_line(cell, here)

    def _is_upon_a_line(self, cell: Cell, here: ink.Content) -> bool:
        """Whether a glyph like this board's stands in a place upon the line of a drawn chain."""
        upon_a_line = rims.upon_a_line(self._view.image, here.place, self._view.noise) if here.uneven else None
        return upon_a_line is not None and not upon_a_line.bare and self._is_usual(cell, upon_a_line)

    def _is_usual(self, cell: Cell, here: ink.Content) -> bool:
        if self._looks is None:
            return False
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
        shares = edge_shares(self._view, self._found, cell)
        return [self._edge <= LEAST_EDGE or share >= EDGE * self._edge for share in shares]

    def linked(self, cell: Cell) -> bool:
        """Whether a drawn chain leads from a known cell to a place where that makes it a cell: on a board whose cells
        are closed, or have no walls."""
        return (self.closed_in or not self._view.walled) and self.joined(cell)

    def joined(self, cell: Cell) -> bool:
        """Whether a drawn chain leads from a known cell to a place: between their middles there is no wall or gap, but
        one even colour that is not the cells' own. Among glyphs without walls a line leads there as well."""
        return any(
            near in self.contents and (self._has_link(cell, near) or self._has_pale_line(cell, near))
            for near in around(cell)
        )

    def _has_link(self, one: Cell, other: Cell) -> bool:
        """Whether a drawn chain leads from one place to another, by what lies between their glyphs."""
        calm = self._view.noise < CALM  # where it is not, a short way says little
        between = self._reach[0 if one[0] == other[0] else 1] if calm else BETWEEN
        return links.has_link(self._view, self._middle(one), self._middle(other), between, self._ground)

    def _has_pale_line(self, one: Cell, other: Cell) -> bool:
        between = self._reach[0 if one[0] == other[0] else 1]
        return links.has_pale_line(self._view, self._middle(one), self._middle(other), between, self._ground)

    def _like_a_glyph(self, cell: Cell, here: ink.Content) -> bool:
        across, down = self._offset(cell, here), self._drop(cell, here)
        central = max(abs(across), abs(across - self._shift) * 0.25 / self._lean) < 0.25
        central &= abs(down) < 0.25 and abs(down - self._level) < NEAR_MIDDLE
        return not here.bare and central and LOWEST * self._height <= here.box.height <= 1.4 * self._height

    def is_scattered(self) -> bool:
        """Whether the glyphs of a board with walls stand high in some cells and low in others: then these are no cells,
        but gaps between some, with a cell in one corner or another."""
        if not self._view.walled or not self._own:
            return False
        drops = np.array([self._drop(cell, here) for cell, here in self._own.items()])
        away = np.abs(drops - np.median(drops)) * self._found.pitch_y / self._found.height
        return float((away > SCATTERED).mean()) > MOST_SCATTERED

    def is_like_another(self, cell: Cell, here: ink.Content) -> bool:
        """Whether the mark in a place beside two cells of a board without walls, or on a tile like theirs, is as large,
        and stands as, that in one of its cells, or beside one cell is the same: starts beside each other, or at the end
        of a row, have too few cells around them to be known otherwise."""
        if self._view.walled:
            return False
        look, slack = np.array(self._look(cell, here)), STRAY + 1 / self._found.pitch
        known = [(one, other) for one, other in self.marked().items() if _as_wide(here, other)]
        if self.neighbours(cell) < 2 and not self._is_on_a_tile(here):
            # Then it must be the very same sign, as starts in the numbers' ink are.
            known = [(one, other) for one, other in known if len(set(alike.clusters([here.ink, other.ink]))) == 1]
        return any(bool((np.abs(look - self._look(one, other)) <= slack).all()) for one, other in known)

    def fills_a_tile(self, cell: Cell, here: ink.Content) -> bool:
        """Whether something stands on a tile like the cells' within the rows and columns of a board without walls: a
        chain's line may hide what it is."""
        cells = self._found.cells
        close = 2 * sum(any(near in cells for near in around(one)) for one in cells) > len(cells)
        if self._view.walled or not close or not self._is_on_a_tile(here):
            return False  # where cells stand in every second place only, discs reach into those between
        ends = [(min(line), max(line)) for line in zip(*self.contents, strict=True)]
        return all(low <= at <= high for at, (low, high) in zip(cell, ends, strict=True))

    def _is_on_a_tile(self, here: ink.Content) -> bool:
        """Whether a place has the ground of the cells, where most places without anything beside them have another."""
        empty = [one.ground for one in self._beside.values() if one is not None and one.bare]
        if not empty or float(np.abs(np.median(empty, axis=0) - self._ground).max()) < STRANGE_COLOUR:
            return False
        return float(np.abs(here.ground - self._ground).max()) < SAME_GROUND

    def look_under_lines(self) -> None:
        """Take what has the glyphs' colour in cells in which nothing was seen, but through which a drawn chain leads:
        all that is drawn there hangs together, and was taken for what goes on outside."""
        cells = dict(self.contents)
        if self.closed_in:
            near = {cell: here for cell, here in self._beside.items() if here and not self._is_beyond(cell)}
            cells = near | cells
        for cell, here in cells.items():
            led_through = here.bare and self.linked(cell)
            if led_through or (here.bare and not self._view.walled and cell in self._found.cells):
                below = ink.content_in_colour(self._view.image, here.place, self._colour, self._view.noise)
                self.contents[cell] = below
                if led_through and below.bare and self.closed_in:
                    self.hidden.add(cell)

    def _offset(self, cell: Cell, here: ink.Content) -> float:
        """How far to the right of its place's middle a glyph stands, as a share of the pitch."""
        return (here.box.centre[0] - self._middle(cell)[0]) / self._found.pitch_x

    def _drop(self, cell: Cell, here: ink.Content) -> float:
        """How far below its place's middle a glyph stands, as a share of the pitch."""
        return (here.box.centre[1] - self._middle(cell)[1]) / self._found.pitch_y

    def _middle(self, cell: Cell) -> tuple[int, int]:
        """The middle of a place, ``(x, y)`` in pixels; asked for again and again."""
        if cell not in self._middles:
            self._middles[cell] = self._found.box(cell).centre
        return self._middles[cell]

    def has_walls(self, cell: Cell) -> bool:
        """Whether a place of a board of closed cells has walls on three sides at least."""
        return self.closed_in and sum(walled_sides(self._view, self._found, cell)) >= 3

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
        sides = zip(around(cell), walled_sides(self._view, self._found, cell), ends, strict=True)
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
            here = self.contents[cell]
            if not self.linked(cell) and not self.is_glyph(cell, here):
                self.set_aside[cell] = self.contents.pop(cell)
        # A row of buttons beside the board, or a line of text, may stand near to where a row of cells would.
        beyond = self.beyond() - self.reached()
        strange = {cell for cell in beyond if self._is_strange(cell)}
        for cell in beyond - strange:
            if self._is_on_the_page(cell):
                del self.contents[cell]
        for cell in strange:
            self.set_aside[cell] = self.contents.pop(cell)
        self.set_aside |= self._at_one_cell()
        self.set_aside = {cell: here for cell, here in sorted(self.set_aside.items()) if not here.bare}

    def _at_one_cell(self) -> dict[Cell, ink.Content]:
        """What stands beside a single cell of the board, which was not enough to belong: within its rows and columns,
        or on a ground of its own, as a start."""
        rows, columns = ({cell[by] for cell in self.contents} for by in (0, 1))
        grounds = np.array([here.ground for here in self.contents.values()])

        def may_belong(cell: Cell, here: ink.Content) -> bool:
            if min(rows) <= cell[0] <= max(rows) and min(columns) <= cell[1] <= max(columns):
                return True
            return float(np.abs(grounds - here.ground).max(axis=1).min()) > STRANGE_COLOUR

        return {
            cell: here
            for cell, here in self._beside.items()
            if here is not None
            and not here.bare
            and cell not in self.contents
            and self.neighbours(cell) == 1
            and may_belong(cell, here)
            and self.is_glyph(cell, here)
        }

    def strangers(self) -> set[Cell]:
        """The places among closed cells that were not found as equal to them, and of which neither the ground, which is
        uneven, nor the ink has a colour that is met elsewhere on the board: a picture may shine through a hole there.
        """
        if not self.closed_in:
            return set()
        others = sorted(self.contents.keys() - self._found.cells)
        colours = {
            cell: np.stack([here.ground] if here.bare else [here.ground, here.colour])
            for cell, here in self.contents.items()
        }
        result = set()
        for cell in others:
            known = np.concatenate([own for one, own in colours.items() if one != cell])
            apart = [float(np.abs(known - colour).max(axis=1).min()) for colour in colours[cell]]
            if min(apart) > STRANGE_COLOUR and self._is_uneven(self.contents[cell]):
                result.add(cell)
        return result

    def _is_uneven(self, here: ink.Content) -> bool:
        """Whether much of a place has another colour than its ground, more than a glyph takes."""
        away = largest_channel(np.abs(here.place.crop(self._view.image).astype(np.float32) - here.ground))
        return float((away < links.EVEN + 2 * self._view.noise).mean()) < LEAST_EVEN

    def reached(self) -> set[Cell]:
        """The places outside the rows and columns of closed cells to which drawn chains lead from those inside, or from
        those that look like them."""
        beyond = self.beyond()
        left = {cell for cell in beyond if not self.is_like_ours(cell, self.contents[cell])}
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

    def _is_on_the_page(self, cell: Cell) -> bool:
        """Whether what stands in a place outside the rows and columns of closed cells is drawn as numbers are, but on
        the ground around the cells, of which none within those has it: a heading, a score."""
        here, own = self.contents[cell], [self.contents[one] for one in self._found.cells & self.contents.keys()]
        inks = [one.colour for one in own if not one.bare]
        if here.bare or not inks or min(float(np.abs(ink - here.colour).max()) for ink in inks) > STRANGE_COLOUR:
            return False
        page = self._page()
        slack = SAME_GROUND + 2 * self._view.noise
        # Cells may have a ground of their own only once a chain holds them: the others within have the page's then.
        own += [one for at, one in self.contents.items() if not self._is_beyond(at) and self.is_glyph(at, one)]
        if any(float(np.abs(one.ground - page).max()) <= slack for one in own):
            return False
        return float(np.abs(here.ground - page).max()) <= slack

    def _page(self) -> Floats:
        """The colour, BGR, of what lies around the cells: of places outside their rows and columns in which nothing
        stands, or else of the spots at which four cells meet."""
        empty = [here.ground for cell, here in self._beside.items() if here and here.bare and self._is_beyond(cell)]
        if empty:
            return np.asarray(np.median(empty, axis=0), np.float32)
        spots = at_corners(self._view, self._found)
        return np.asarray(np.median(spots, axis=0), np.float32) if len(spots) else np.asarray(self._ground, np.float32)

    def is_foreign(self, cell: Cell, place: Place) -> bool:
        """Whether a number outside the rows and columns of closed cells is clear, but none of this board's numbers."""
        if self.is_closed(cell):
            return place.content.box.height < SMALLER * self._lowest
        return place.candidates[0][1] > tokens.LEGIBLE and not self.is_like_ours(cell, place.content)

    def is_odd(self, cell: Cell, here: ink.Content) -> bool:
        """Whether what stands in a place outside the rows and columns of closed cells is far lower than the glyphs."""
        return self._view.walled and self._is_beyond(cell) and here.box.height < LOWEST * self._height

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

    def goes_on(self) -> bool:
        """Whether glyphs like those of the cells stand where more cells would."""
        return any(
            here is not None
            and cell not in self.contents
            and self.is_like_ours(cell, here)  # which nothing is where nothing stands, and costs less
            and self.is_glyph(cell, here)
            for cell, here in self._beside.items()
        )

    def _is_beyond(self, cell: Cell) -> bool:
        top, bottom, left, right = self._span
        return not (top <= cell[0] <= bottom and left <= cell[1] <= right)

    def way(self, cell: Cell) -> int:
        """Whether a place outside the rows and columns of closed cells stands in another row, 0, or column, 1."""
        return 1 if self._span[0] <= cell[0] <= self._span[1] else 0

    def in_a_text(self, cell: Cell) -> bool:
        """Whether what else stands in line with a place outside the rows and columns of closed cells is mostly unlike
        this board's glyphs: some letter of a heading always stands where a cell would."""
        if not self._is_beyond(cell):
            return False
        by = self.way(cell)
        first, last = self._span[2:] if by == 0 else self._span[:2]
        line = [
            (c, here)
            for c, here in self._beside.items()
            if c != cell and c[by] == cell[by] and first <= c[1 - by] <= last and here and not here.bare
        ]
        return 2 * sum(self.is_like_ours(c, here) and not self._runs_on(c, here) for c, here in line) < len(line)

    def _runs_on(self, cell: Cell, here: ink.Content) -> bool:
        """Whether something is drawn at the left or right border of a place, as high as its glyph: a word goes on."""
        box, band = self._found.box(cell), max(1, round(EDGE_BAND * self._found.pitch))
        ends = box.x, box.x + box.width
        strips = [Box(x - band, here.box.y, 2 * band + 1, here.box.height).crop(self._view.strength) for x in ends]
        return any(strip.size > 0 and bool((strip > self._view.threshold).any()) for strip in strips)

    def leap(self) -> None:
        """Add the closed cells that stand at most two rows and columns from known ones, as equal boxes may: a part of a
        board that only a chain's cells join, of which the line runs over their walls."""
        if not self.closed_in:
            return
        steps = range(-lattice.FARTHEST, lattice.FARTHEST + 1)
        apart = {(r + down, c + across) for r, c in self.contents for down in steps for across in steps}
        apart -= self.contents.keys() | self._beside.keys()
        for cell, here in self.contents_at(sorted(cell for cell in apart if self._is_closed_off(cell))).items():
            if not here.bare and self.is_like_ours(cell, here) and self.is_glyph(cell, here):
                self.contents[cell] = here

    def _is_closed_off(self, cell: Cell) -> bool:
        """Whether a place has edges on three sides, exactly where this board's cells have theirs."""
        part = self._found.box(cell).crop(self._view.strength)
        if not part.size or int(part.max()) <= self._view.threshold:
            return False
        return (
            sum(share >= EDGE * self._edge > LEAST_EDGE * EDGE for share in edge_shares(self._view, self._found, cell))
            >= 3
        )

    def neighbours(self, cell: Cell) -> int:
        """How many of a place's four neighbours are cells."""
        return sum(near in self.contents for near in around(cell))

    def grow(self, belongs: Callable[[Cell, ink.Content], bool]) -> set[Cell]:
        """Add neighbouring places in which something stands and which belong, and theirs; the places added."""
        added: set[Cell] = set()
        while not self.endless:
            border = {near for cell in self.contents for near in around(cell)} - self.contents.keys()
            fresh = sorted(border - self._beside.keys())
            self._beside |= dict.fromkeys(fresh) | self.contents_at(fresh)
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


def _as_wide(one: ink.Content, other: ink.Content) -> bool:
    return abs(one.box.width - other.box.width) <= max(AS_WIDE * other.box.width, 2)
