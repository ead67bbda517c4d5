"""What is known of a lattice's places while a board grows on them: their contents, how this board's glyphs and cells
look, where drawn chains lead, and what stands beside the board. Which places belong to the board is decided in
``growth``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cardinal_chains.seeing.lattice import links
from autoplayer.games.cardinal_chains.seeing.lattice.outside import KNOWN_LOOKS
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import around
from autoplayer.games.cardinal_chains.seeing.lattice.sides import (
    EDGE_BAND,
    OPEN_PLACE,
    at_corners,
    contents_of,
    edge_shares,
    walled_sides,
    walls,
)
from autoplayer.vision import ink, lattice, rims
from autoplayer.vision.views import View

LOWEST = 0.6
"""The least height of a low old-style numeral, as a share of the usual height."""

NEAR_MIDDLE = 0.18
"""The largest horizontal deviation of a glyph from the usual position in its cell, as a share of the pitch."""

STRAY = np.array((0.05, 0.08, 0.05))
"""How far the height and position of further glyphs may lie outside the range of nearly all, as shares of the pitch."""

SCATTERED, MOST_SCATTERED = 0.18, 1 / 3
"""The largest vertical deviation of a glyph from the usual position, as a share of the height of a cell's inside, and
the share of the cells in which it may be larger. Horizontally, a 1 of segments deviates more than that."""

EDGE, LEAST_EDGE = 0.75, 0.3
"""A side has a cell's edge if the share of it that is an edge is at least this part of the usual share; cells whose
usual share is even below this are round, or have no edges of their own."""

BETWEEN, MOST_BETWEEN, SOFT_EDGE = 0.3, 0.42, 0.04
"""The share of the way between two cells' middles, at each end, that glyphs may cover, at least and at most; and how
far a glyph's soft edge extends beyond its box."""

LIKE_PAGE = 24.0
"""Grey levels in a channel: the largest difference between two spots of one page; paper and wood have a grain."""

A_WALL = 0.2
"""What is drawn at a place's border beside its glyph is a wall if it is also drawn along at least this share of the
border above and below; letters are hardly higher than a line of text."""

CALM = 1.5
"""Grey levels of noise up to which a short way between two glyphs shows whether a chain leads there."""

SAMPLE = 16
"""How many places are read to decide whether a lattice is worth reading completely."""


class Known:
    """The places of a lattice that are known to be cells, and how this board's glyphs and cells look."""

    def __init__(self, view: View, found: lattice.Lattice) -> None:
        self._view = view
        self._found = found
        self.contents: dict[Cell, ink.Content] = {}
        self._beside: dict[Cell, ink.Content | None] = {}
        self.set_aside: dict[Cell, ink.Content] = {}
        self.hidden: set[Cell] = set()
        """Closed cells of which a chain's line hides all that stands there."""
        self.on_the_page: set[Cell] = set()
        """Places beside the others with glyphs just like theirs, but on the ground around them, as none of them."""
        self.left_out: set[Cell] = set()
        """Places with glyphs that are known to be no part of the board."""
        self._middles: dict[Cell, tuple[int, int]] = {}
        self._inner = OPEN_PLACE
        self.contents |= self.contents_at(sorted(found.cells))

    def contents_at(self, cells: Sequence[Cell]) -> dict[Cell, ink.Content]:
        """The contents of places of the lattice; without those that are not wholly in the picture."""
        result = contents_of(self._view, self._found, cells, self._inner)
        if self._inner != OPEN_PLACE:  # the ring itself may say what a place is that holds no glyph
            result |= contents_of(self._view, self._found, [cell for cell, here in result.items() if here.bare])
        return result

    def marked(self) -> dict[Cell, ink.Content]:
        """The cells in which something stands."""
        return {cell: here for cell, here in sorted(self.contents.items()) if not here.bare}

    def learn(self) -> None:
        """Learn the look of this board's glyphs from the known cells: their usual height in pixels, their colour, and
        the cells' usual ground."""
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
        """The contents of the places that were found as equal to one another, if not empty."""
        return {cell: here for cell, here in self.marked().items() if cell in self._found.cells}

    @cached_property
    def _lowest(self) -> float:
        """The height of the lowest glyph in them, pixels; 0 where there is none."""
        return float(min((here.box.height for here in self._own.values()), default=0))

    @cached_property
    def _looks(self) -> Floats | None:
        """The range in which nearly all glyphs in them lie, from and to, shape ``(2, 3)``; None if there are too
        few."""
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
        """Whether something as high as the glyphs stands in the middle of a place, perhaps on a line of another colour,
        or amid paler ink, as the corners around a disc are."""
        if self._like_a_glyph(cell, here):
            return True
        image, noise = self._view.image, self._view.noise
        if self._like_a_glyph(cell, ink.content_in_colour(image, here.place, self._colour, noise)):
            return True
        strong = ink.strong_part(here) if here.uneven else None
        return strong is not None and self._like_a_glyph(cell, replace(here, box=strong))

    def _look(self, cell: Cell, here: ink.Content) -> tuple[float, float, float]:
        """The height of a glyph, and its offset to the right of and below its place's middle, as shares of the
        pitch."""
        return here.box.height / self._found.pitch_y, self._offset(cell, here), self._drop(cell, here)

    def is_like_ours(self, cell: Cell, here: ink.Content) -> bool:
        """Whether the glyph of a place resembles this board's glyphs as much as those resemble one another: in height,
        and in its offset from the middle."""
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
        """Whether a place has edges exactly where this board's cells have theirs: on all sides but those on which a
        chain leads to another cell, or on most sides if its glyph is like theirs."""
        enough = 3 if self.is_like_ours(cell, self.contents[cell]) else 4
        closed = 0
        for near, edge in zip(around(cell), self._edges(cell), strict=True):
            linked = not edge and near in self.contents and self._has_link(cell, near)
            if near in self._found.cells and not (edge or linked):
                return False
            closed += edge or linked
        return closed >= enough

    def _edges(self, cell: Cell) -> list[bool]:
        """Whether a place has an edge along its upper, lower, left and right side, at the position where the cells have
        theirs."""
        shares = edge_shares(self._view, self._found, cell)
        return [self._edge <= LEAST_EDGE or share >= EDGE * self._edge for share in shares]

    def linked(self, cell: Cell) -> bool:
        """Whether a drawn chain leads from a known cell to a place, provided that this makes it a cell: on a board
        whose cells are closed, or have no walls."""
        return (self.closed_in or not self._view.walled) and self.joined(cell)

    def joined(self, cell: Cell) -> bool:
        """Whether a drawn chain leads from a known cell to a place: between their middles there is no wall or gap, but
        one even colour that is not the cells' own. Among glyphs without walls this may be a line."""
        return any(
            near in self.contents and (self._has_link(cell, near) or self._has_pale_line(cell, near))
            for near in around(cell)
        )

    def continues_ground(self, cell: Cell) -> bool:
        """Whether the colour of most cells' ground, which is not the page's, leads from one of them into a place: all
        of them lie upon a chain's line, which is broader than their glyphs and ends there."""
        page, middle = self._page(), self._middle(cell)
        if float(np.abs(self._ground - page).max()) <= links.LINK:
            return False
        for near in around(cell):
            if near in self.contents:
                between = self._reach[0 if near[0] == cell[0] else 1]
                line = links.link(self._view, middle, self._middle(near), between, page)
                if line is not None and float(np.abs(line - self._ground).max()) < links.LINK:
                    return True
        return False

    def led_into(self, cell: Cell) -> bool:
        """Whether a drawn chain leads from a known cell into a place, in a colour other than that of the
        surroundings."""
        page = self._page()
        return any(float(np.abs(line - page).max()) > LIKE_PAGE for line in self.lines_into(cell).values())

    def led_out_to(self, cells: Collection[Cell], starts: Collection[Cell] = ()) -> set[Cell]:
        """The places beside some ``cells`` to which a chain leads from one of these that it passes, or from one of the
        ``starts``. A chain's colour differs from that around the cells, which may also be between them and may be
        uneven."""
        page = self._page()
        return {
            near
            for cell in cells
            for near in around(cell)
            if near not in cells
            and (colour := self._link(cell, near, MOST_BETWEEN)) is not None
            and float(np.abs(colour - page).max()) > LIKE_PAGE
            and links.reaches(self._view, self._middle(cell), self._middle(near), colour)
            and (
                cell in starts
                or any(other in cells and self._has_link(cell, other, MOST_BETWEEN) for other in around(cell))
            )
        }

    def lines_into(self, cell: Cell) -> dict[Cell, Floats]:
        """The neighbours from which drawn chains lead into a cell, with the chains' colours, BGR. A line of two pixels
        has its middle between two pixels, so both are tried."""
        ways = [(near, aside) for near in around(cell) if near in self.contents for aside in (1, -1, 0)]
        return {near: colour for near, aside in ways if (colour := self._link(cell, near, 0.0, aside)) is not None}

    def _has_link(self, one: Cell, other: Cell, between: float = 0.0) -> bool:
        return self._link(one, other, between) is not None

    def _link(self, one: Cell, other: Cell, between: float = 0.0, aside: int = 0) -> Floats | None:
        """The colour, BGR, of the chain that leads from one place to another, by the pixels between their glyphs, which
        take at least the share ``between`` of the way at each end; None if none does. ``aside``: offset of the line
        from the places' middles, in pixels."""
        calm = self._view.noise < CALM  # where it is not, a short way says little
        between = max(self._reach[0 if one[0] == other[0] else 1], between) if calm else BETWEEN
        middles = self._middle(one), self._middle(other)
        spots = [(x + aside * (one[1] == other[1]), y + aside * (one[0] == other[0])) for x, y in middles]
        return links.link(self._view, spots[0], spots[1], between, self._ground)

    def _has_pale_line(self, one: Cell, other: Cell) -> bool:
        between = self._reach[0 if one[0] == other[0] else 1]
        return links.has_pale_line(self._view, self._middle(one), self._middle(other), between, self._ground)

    def _like_a_glyph(self, cell: Cell, here: ink.Content) -> bool:
        across, down = self._offset(cell, here), self._drop(cell, here)
        central = max(abs(across), abs(across - self._shift) * 0.25 / self._lean) < 0.25
        central &= abs(down) < 0.25 and abs(down - self._level) < NEAR_MIDDLE
        return not here.bare and central and LOWEST * self._height <= here.box.height <= 1.4 * self._height

    def is_scattered(self) -> bool:
        """Whether the glyphs of a board with walls stand high in some cells and low in others: then these are not
        cells, but gaps between cells that reach into their corners."""
        if not self._view.walled or not self._own:
            return False
        drops = np.array([self._drop(cell, here) for cell, here in self._own.items()])
        away = np.abs(drops - np.median(drops)) * self._found.pitch_y / self._found.height
        return float((away > SCATTERED).mean()) > MOST_SCATTERED

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
        """Whether this board's cells have walls or a colour of their own on all sides, so that most of them were found
        by these."""
        if not self._view.walled:
            return False
        found = len(self._found.cells)
        among = [cell for cell in self.contents if found < KNOWN_LOOKS or not self._is_beyond(cell)]
        return 2 * found > len(among)

    def open_sides(self, cell: Cell, cells: AbstractSet[Cell]) -> int:
        """The number of sides of a place with neither an edge, nor the picture's border, nor one of ``cells``."""
        box, band = self._found.box(cell), max(2, round(0.14 * self._found.pitch))
        height, width = self._view.strength.shape
        ends = box.y < band, box.y + box.height > height - band, box.x < band, box.x + box.width > width - band
        sides = zip(around(cell), walled_sides(self._view, self._found, cell), ends, strict=True)
        return sum(not (wall or end or near in cells) for near, wall, end in sides)

    def unwalled(self) -> set[Cell]:
        """The places beside a board of closed cells that have no edge on two sides, not counting sides next to closed
        places."""
        if not self.closed_in:
            return set()
        closed = set(self._found.cells)
        beside = self.contents.keys() - closed
        while True:  # a place enclosed by closed cells is closed as well
            more = {cell for cell in beside if self.open_sides(cell, closed) < 2}
            if not more:
                (top, bottom), (left, right) = ((min(line), max(line)) for line in zip(*closed, strict=True))
                return {(r, c) for r, c in beside if not (top <= r <= bottom and left <= c <= right)}
            closed |= more
            beside -= more

    def _page(self) -> Floats:
        """The colour, BGR, around the cells: that of empty places outside their rows and columns, or else of the points
        at which four cells meet."""
        empty = [here.ground for cell, here in self._beside.items() if here and here.bare and self._is_beyond(cell)]
        if empty:
            return np.asarray(np.median(empty, axis=0), np.float32)
        spots = at_corners(self._view, self._found)
        return np.asarray(np.median(spots, axis=0), np.float32) if len(spots) else np.asarray(self._ground, np.float32)

    def _is_beyond(self, cell: Cell) -> bool:
        top, bottom, left, right = self._span
        return not (top <= cell[0] <= bottom and left <= cell[1] <= right)

    def way(self, cell: Cell) -> int:
        """Whether a place outside the rows and columns of closed cells lies in another row, 0, or column, 1."""
        return 1 if self._span[0] <= cell[0] <= self._span[1] else 0

    def in_a_text(self, cell: Cell) -> bool:
        """Whether most other things in line with a place outside the rows and columns of closed cells differ from this
        board's glyphs: some letter of a heading always stands where a cell would."""
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
        """Whether something as high as the glyph is drawn at the left or right border of its place: a word continues
        there. What is drawn above and below as well is a wall, though a faint one."""
        box, band = self._found.box(cell), max(1, round(EDGE_BAND * self._found.pitch))
        for x in (box.x, box.x + box.width):
            strip = Box(x - band, box.y, 2 * band + 1, box.height).crop(self._view.strength)
            drawn = np.asarray((strip > self._view.threshold).any(axis=1))
            level = np.zeros(len(drawn), np.bool_)
            level[max(here.box.y - max(box.y, 0), 0) :][: here.box.height] = True
            if drawn[level].any() and (level.all() or drawn[~level].mean() < A_WALL):
                return True
        return False

    def neighbours(self, cell: Cell) -> int:
        """How many of a place's four neighbours are cells."""
        return sum(near in self.contents for near in around(cell))
