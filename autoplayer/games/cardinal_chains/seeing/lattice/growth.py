"""Grows a board on a lattice from the places that were found as equal: which of their neighbours are cells as well, and
which things beside the board are not. Glyphs are classified by ``tokens``; boards are compared by ``ranking``."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property

import numpy as np

from autoplayer.core.frame import Cell, largest_channel, unlike
from autoplayer.games.cardinal_chains.seeing.glyphs import odds, tokens, views
from autoplayer.games.cardinal_chains.seeing.lattice import links
from autoplayer.games.cardinal_chains.seeing.lattice.known import EDGE, LEAST_EDGE, LOWEST, SAMPLE, STRAY, Known
from autoplayer.games.cardinal_chains.seeing.lattice.outside import KNOWN_LOOKS, SAME_GROUND
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place, around
from autoplayer.games.cardinal_chains.seeing.lattice.ringed import ROOM, inside_of_rings
from autoplayer.games.cardinal_chains.seeing.lattice.sides import OPEN_PLACE, edge_shares
from autoplayer.vision import alike, ink, lattice, rims

MOST_CELLS = 40 * 40

INEXACT = 0.01
"""The least relative error of a lattice's pitch from which the lattice is fitted to its glyphs."""

MOST_STRANGERS = 0.25
"""The largest share of the marks that gave a lattice which may be none of the board's: with more it is hardly one."""

STRANGE_COLOUR, LEAST_EVEN = 24.0, 0.65
"""The difference in grey levels, in a channel, from all other colours of a board from which a colour is foreign to it;
and the least share of a cell beside its glyph that has the cell's colour."""

PICTURE = 0.5
"""A place less even than this share of the least even cell shows a picture: parts of blurred pictures had at most half
as much of one colour as discs with numbers."""

CROSSED = 0.03
"""The least share of a place that a line across it takes."""

SMALLER = 0.8
"""Ink lower than this share of the lowest glyph is no glyph of the same board."""

RINGED = 1.4
"""The least ratio of the height of a ring around a glyph to that of the glyphs."""

AS_WIDE = 0.15
"""The largest difference in width between two marks of one kind, as a share of the width."""


class Growth(Known):
    """The places of a lattice that are known to be cells, and the candidates beside them."""

    def promising(self, eyes: tokens.Eyes) -> bool:
        """Whether a sample of the places, spread over the lattice, holds something legible. Reading all places costs
        far more; this test is made if a lattice is large, or made of marks that may be letters of a text."""
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
        """Whether the ink of most places is far higher than the glyphs by which a board without walls was found: then
        rings are taken for ink as well."""
        return self._exceeds(1)

    @property
    def flanked(self) -> bool:
        """Whether it is far broader, as when the dashes of a wall beside each glyph are taken for ink."""
        return self._exceeds(0)

    def _exceeds(self, by: int) -> bool:
        sizes = [(here.box.width, here.box.height)[by] for here in self.contents.values() if not here.bare]
        usual = (self._found.width, self._found.height)[by]
        return not self._view.walled and bool(sizes) and float(np.median(sizes)) > RINGED * usual

    def look_within(self) -> bool:
        """From now on, look only at the inside of the ring around the glyph of each place, as lines may join the rings;
        returns whether most places have such a ring. For boards that are known by their glyphs alone."""
        most = ROOM if self.ringed or not self.flanked else min(OPEN_PLACE)
        inner = None if self._view.walled else inside_of_rings(self._view, self._found, most)
        if inner is None:
            return False
        self._inner = inner
        self.contents = self.contents_at(sorted(self._found.cells))
        self._beside.clear()
        return True

    def is_like_another(self, cell: Cell, here: ink.Content) -> bool:
        """Whether the mark in a place is as large as that of one of the cells, and in the same position. For places of
        a board without walls that have two cells beside them or stand on a tile like theirs; with a single cell beside
        it, the mark must be identical. Finds starts beside each other, or at the end of a row, which have too few cells
        around them to be recognised otherwise."""
        if self._view.walled:
            return False
        look, slack = np.array(self._look(cell, here)), STRAY + 1 / self._found.pitch
        known = (
            other
            for one, other in self.marked().items()
            if _as_wide(here, other) and bool((np.abs(look - self._look(one, other)) <= slack).all())
        )
        if self.neighbours(cell) > 1 or self._is_on_a_tile(here):
            return any(True for _ in known)
        # Else it must be the very same sign, as starts in the numbers' ink are.
        return any(len(set(alike.clusters([here.ink, other.ink]))) == 1 for other in known)

    def fills_a_tile(self, cell: Cell, here: ink.Content) -> bool:
        """Whether something stands on a tile like the cells' within the rows and columns of a board without walls: a
        chain's line may hide what it is."""
        cells = self._found.cells
        close = 2 * sum(any(near in cells for near in around(one)) for one in cells) > len(cells)
        if self._view.walled or not close or not self._is_on_a_tile(here):
            return False  # where cells stand in every second place only, discs reach into those between
        return self.is_within(cell)

    def _is_on_a_tile(self, here: ink.Content) -> bool:
        """Whether a place has the ground of the cells, provided that most empty places beside the cells have another
        ground."""
        empty = [one.ground for one in self._beside.values() if one is not None and one.bare]
        if not empty or float(np.abs(np.median(empty, axis=0) - self._ground).max()) < STRANGE_COLOUR:
            return False
        return float(np.abs(here.ground - self._ground).max()) < SAME_GROUND

    def look_under_lines(self) -> None:
        """Look for ink in the glyphs' colour in cells that seemed empty, but through which a drawn chain leads:
        everything there is one connected component, and was taken for something that continues outside."""
        cells = dict(self.contents)
        if self.closed_in:
            near = {cell: here for cell, here in self._beside.items() if here and not self._is_beyond(cell)}
            cells = near | cells
        for cell, here in cells.items():
            led_through = here.bare and self.linked(cell)
            if led_through or (here.bare and not self._view.walled and cell in self._found.cells):
                below = ink.content_in_colour(self._view.image, here.place, self._colour, self._view.noise)
                self.contents[cell] = below
                # Two holes side by side may have no wall between them: there the page shows through.
                crossed = led_through and below.bare and self.closed_in and self._is_crossed(here)
                if crossed and self.led_into(cell):
                    self.hidden.add(cell)

    def _is_crossed(self, here: ink.Content) -> bool:
        """Whether something is drawn in a place that is not a hole in one colour of its own."""
        away = largest_channel(np.abs(here.place.crop(self._view.image).astype(np.float32) - here.ground))
        return float((away > links.EVEN + 2 * self._view.noise).mean()) > CROSSED

    def fitted(self) -> lattice.Lattice | None:
        """The lattice fitted to the glyphs of all cells, if it was known from a few of them only, or without walls from
        other things as well, such as the letters of a heading, and is wrong by more than a little; else None. A pitch
        with an error of a few per cent cuts through glyphs far from those few."""
        # Ink that reaches the border of its place is cut off there, or includes a line: its middle is not the glyph's.
        whole = {cell: here for cell, here in self.marked().items() if not views.touches(here)}
        spots = [cell for cell, here in whole.items() if self.is_glyph(cell, here)]
        found = self._found
        few = len(found.cells) < KNOWN_LOOKS and 2 * len(found.cells) <= len(self.contents)
        strangers = len(found.cells - self.contents.keys())
        misled = not self._view.walled and 0 < strangers <= MOST_STRANGERS * len(found.cells)
        if len(spots) < KNOWN_LOOKS or not (few or misled):
            return None
        centres = np.array([whole[cell].box.centre for cell in spots], float)
        x, pitch_x = lattice.line([c for _, c in spots], centres[:, 0], found.pitch_x)
        y, pitch_y = lattice.line([r for r, _ in spots], centres[:, 1], found.pitch_y)
        change = max(abs(pitch_x / found.pitch_x - 1), abs(pitch_y / found.pitch_y - 1))
        return replace(found, x=x, y=y, pitch_x=pitch_x, pitch_y=pitch_y) if change > INEXACT else None

    def drop_strangers(self) -> None:
        """Take back places without walls of their own that hold nothing like this board's glyphs: if cells are
        transparent, things beside the board may have their colour."""
        for cell in self.unwalled():
            here = self.contents[cell]
            if not self.linked(cell) and not self.is_glyph(cell, here):
                self.set_aside[cell] = self.contents.pop(cell)
        # A row of buttons beside the board, or a line of text, may stand near to where a row of cells would.
        beyond = self.beyond() - self.reached()
        strange = {cell for cell in beyond if self._is_strange(cell)}
        drawn = {cell for cell in beyond - strange if self._is_drawn_as_numbers(cell)}
        for cell in drawn & self._without_tiles() if drawn else ():
            if not self.is_like_ours(cell, self.contents[cell]):
                del self.contents[cell]
            elif self._edge <= LEAST_EDGE or not self.is_closed(cell):
                self.on_the_page.add(cell)
        for cell in strange:
            self.set_aside[cell] = self.contents.pop(cell)
        self.set_aside |= self._at_one_cell()
        self.set_aside = {cell: here for cell, here in sorted(self.set_aside.items()) if not here.bare}

    def _at_one_cell(self) -> dict[Cell, ink.Content]:
        """The candidates beside a single cell of the board, which was too little evidence so far: they stand within its
        rows and columns, or on a ground of their own, as starts do."""
        grounds = np.array([here.ground for here in self.contents.values()])

        def may_belong(cell: Cell, here: ink.Content) -> bool:
            if self.is_within(cell):
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

    def is_within(self, cell: Cell) -> bool:
        """Whether a place lies within the board's bounding rectangle of rows and columns."""
        ends = [(min(line), max(line)) for line in zip(*self.contents, strict=True)]
        return all(low <= at <= high for at, (low, high) in zip(cell, ends, strict=True))

    def is_an_end(self, cell: Cell) -> bool:
        """Whether a candidate beside a single cell is surely a cell: it stands within the rows and columns of the
        board, at the same distance as the others, and looks like them, as foreign things hardly do."""
        return self.is_within(cell) and self._looks is not None and self.is_like_ours(cell, self.set_aside[cell])

    def strangers(self) -> set[Cell]:
        """The places among closed cells that were not found as equal to them, whose ground is uneven, and whose ground
        and ink have colours that occur nowhere else on the board: a picture may show through a hole there."""
        if not self.closed_in:
            return set()
        others = sorted(self.contents.keys() - self._found.cells)
        seen = [(cell, here.ground) for cell, here in self.contents.items()]
        seen += [(cell, here.colour) for cell, here in self.contents.items() if not here.bare]
        owners, colours = np.array([cell for cell, _ in seen]), np.stack([colour for _, colour in seen])
        result = set()
        for cell in others:
            own = (owners == cell).all(axis=1)
            apart = [float(np.abs(colours[~own] - colour).max(axis=1).min()) for colour in colours[own]]
            if min(apart) > STRANGE_COLOUR and self._is_uneven(self.contents[cell]):
                result.add(cell)
        return result

    def _is_uneven(self, here: ink.Content) -> bool:
        """Whether more of a place differs from its ground than a glyph would cover."""
        return self._evenness(here) < LEAST_EVEN

    def _evenness(self, here: ink.Content) -> float:
        """The share of a place that has its ground's colour."""
        away = largest_channel(np.abs(here.place.crop(self._view.image).astype(np.float32) - here.ground))
        return float((away < links.EVEN + 2 * self._view.noise).mean())

    @cached_property
    def _least_evenness(self) -> float:
        """That of the least even place of those that were found as equal, on a board without walls; 0 if they are few
        or there are walls."""
        own = [self.contents[cell] for cell in self._found.cells & self.contents.keys()]
        return 0.0 if self._view.walled or len(own) < KNOWN_LOOKS else min(map(self._evenness, own))

    def _shows_a_picture(self, here: ink.Content) -> bool:
        """Whether a place beside even cells is far less even than all of them: the picture on which they stand has
        edges and colours that walls and chains might have."""
        least = self._least_evenness
        return least > 0 and self._evenness(here) < PICTURE * least

    def reached(self) -> set[Cell]:
        """The places outside the rows and columns of closed cells to which drawn chains lead from cells inside, or from
        places that look like them."""
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

    def _is_drawn_as_numbers(self, cell: Cell) -> bool:
        """Whether the glyph of a place has the colour of this board's numbers."""
        here, inks = self.contents[cell], [one.colour for one in self._own.values()]
        return (
            not here.bare
            and bool(inks)
            and min(float(np.abs(ink - here.colour).max()) for ink in inks) <= STRANGE_COLOUR
        )

    def _without_tiles(self) -> set[Cell]:
        """The places with the ground around the cells, as a heading or a score beside the board has; none where cells
        within the rows and columns of closed cells have it too."""
        own = self._found.cells & self.contents.keys()
        # Cells may have a ground of their own only once a chain holds them: the others then have the page's ground.
        own |= {at for at, one in self.contents.items() if not self._is_beyond(at) and self.is_glyph(at, one)}
        on_page = self._on_page()
        return on_page if own.isdisjoint(on_page) else set()

    def _on_page(self) -> set[Cell]:
        """The places with the ground around the cells."""
        page, slack = self._page(), SAME_GROUND + 2 * self._view.noise
        return {cell for cell, here in self.contents.items() if unlike(here.ground, page) <= slack}

    def holes(self, unread: AbstractSet[Cell]) -> set[Cell]:
        """Those of the ``unread`` places within the rows and columns of closed cells that show the mark of a hole: it
        is drawn on the ground around the cells, unlike any cell or number, and in a shade between that and the numbers'
        ink. A cover would leave some of the cell's tile visible, and starts have colours."""
        if not self.closed_in:
            return set()
        on_page = {cell for cell in self._on_page() if not self._is_beyond(cell)}
        if not on_page <= unread - self._found.cells:
            return set()
        page = self._page()
        way = self._colour - page
        result = set()
        for cell in on_page:
            here = self.contents[cell]
            share = float(np.clip((here.colour - page) @ way / max(float(way @ way), 1.0), 0, 1))
            shaded = float(np.abs(page + share * way - here.colour).max()) <= STRANGE_COLOUR
            if shaded and not here.bare and not self.led_into(cell):
                result.add(cell)
        return result

    def is_foreign(self, cell: Cell, place: Place) -> bool:
        """Whether the number in a place outside the rows and columns of closed cells is clear, but does not occur among
        the board's numbers."""
        if self.is_closed(cell):
            return place.content.box.height < SMALLER * self._lowest
        return place.candidates[0][1] > odds.LEGIBLE and not self.is_like_ours(cell, place.content)

    def is_odd(self, cell: Cell, here: ink.Content) -> bool:
        """Whether the ink of a place outside the rows and columns of closed cells is far lower than the glyphs."""
        return self._view.walled and self._is_beyond(cell) and here.box.height < LOWEST * self._height

    def is_in_line(self, cell: Cell, here: ink.Content) -> bool:
        """Whether a place outside the rows and columns of closed cells looks like one of them except for its edges, and
        so do all others in its row or column: the window's ground may have the cells' colour there."""
        return self._looks is not None and self.is_like_ours(cell, here) and not self.in_a_text(cell)

    def is_known(self, cell: Cell, place: Place) -> bool:
        """Whether a place outside the rows and columns of closed cells is a cell beyond doubt."""
        if self.is_closed(cell):
            return True
        if self.is_in_line(cell, place.content):
            return True
        edges = sum(self._edges(cell))
        return edges >= 3 if place.candidates[0][0] == "X" else edges >= 2 and self.is_glyph(cell, place.content)

    def continues_chain(self, cell: Cell, here: ink.Content) -> bool:
        """Whether a place has the colour of a neighbouring cell that most cells do not have: a drawn chain covers the
        walls between its cells, and only its colour shows that they are cells."""
        coloured = float(np.abs(here.ground - self._ground).max()) > 24 and any(
            float(np.abs(here.ground - self.contents[near].ground).max()) < 12
            for near in around(cell)
            if near in self.contents
        )
        return coloured or self.linked(cell) or (not self._view.walled and self.continues_ground(cell))

    @property
    def endless(self) -> bool:
        """Whether the lattice grows as no board does: glyphs without walls of which fewer than one in six were found at
        first."""
        return len(self.contents) > (MOST_CELLS if self._view.walled else max(60, 6 * len(self._found.cells)))

    def loose_glyphs(self) -> dict[Cell, ink.Content]:
        """The places beside the cells with something like a glyph in the middle: perhaps cells without walls."""
        result = {}
        for cell in sorted({near for known in self.contents for near in around(known)} - self.contents.keys()):
            here = None if cell in self.left_out else self._beside.get(cell)
            if here is None or here.bare or not self.is_glyph(cell, here):
                continue
            if not self.closed_in or self.is_like_ours(cell, here):
                result[cell] = here
        return {cell: here for cell, here in result.items() if not (self.closed_in and self.in_a_text(cell))}

    def goes_on(self) -> bool:
        """Whether glyphs like those of the cells stand where the next cells would be."""
        return any(
            here is not None
            and cell not in self.contents
            and cell not in self.left_out
            and self.is_like_ours(cell, here)  # which nothing is where nothing stands, and costs less
            and self.is_glyph(cell, here)
            for cell, here in self._beside.items()
        )

    def leap(self) -> None:
        """Add the closed cells at most two rows and columns away from known ones: parts of a board may be joined only
        by the cells of a chain, whose line covers their walls."""
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

    def grow(self, belongs: Callable[[Cell, ink.Content], bool]) -> set[Cell]:
        """Add neighbouring places that hold something and for which ``belongs`` is true, and repeat with their
        neighbours; returns the places added."""
        added: set[Cell] = set()
        while not self.endless:
            border = {near for cell in self.contents for near in around(cell)} - self.contents.keys()
            fresh = sorted(border - self._beside.keys())
            self._beside |= dict.fromkeys(fresh) | self.contents_at(fresh)
            new = {
                cell: here
                for cell in sorted(border)
                if (here := self._beside[cell]) is not None and not here.bare and belongs(cell, here)
                if not self._shows_a_picture(here)
            }
            if not new:
                break
            self.contents |= new
            added |= new.keys()
        return added


def _as_wide(one: ink.Content, other: ink.Content) -> bool:
    return abs(one.box.width - other.box.width) <= max(AS_WIDE * other.box.width, 2)
