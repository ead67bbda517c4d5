"""Scores segmentations of the content of a cell of Cross Set into glyphs, by what is known of the whole board and by
what each leaves unexplained. ``choosing`` selects one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cross_set.seeing.glyphs.crossing import (
    Beyond,
    beyond,
    ends_with_wall,
    halves,
    reaches_in,
    rooms,
    tones,
)
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, LEGIBLE, ONE_DIGIT, Eyes, Glyph
from autoplayer.games.cross_set.seeing.glyphs.own_face import OWN, OwnFace
from autoplayer.games.cross_set.seeing.glyphs.parting import is_unparted
from autoplayer.games.cross_set.seeing.glyphs.signs import (
    are_lasting,
    at_a_foot,
    has_signs,
    left_over,
    signs_among,
    within,
    without,
)
from autoplayer.games.cross_set.seeing.one_cell.assembly import (
    LOW_ONE,
    UNEQUAL,
    Shapes,
    fitting,
    sizes_of,
    stacked,
)
from autoplayer.games.cross_set.seeing.one_cell.contents import pieces_in
from autoplayer.games.cross_set.seeing.one_cell.judging import LOWEST, quality_of
from autoplayer.games.cross_set.seeing.one_cell.neighbours import (
    SOFT,
    are_ends,
    cover,
    edges,
    in_corner,
    is_at_edge,
    is_bar_below,
    is_bare_within,
    overlapping,
)
from autoplayer.games.cross_set.seeing.one_cell.ways import WAYS
from autoplayer.vision import pieces, rims
from autoplayer.vision.pieces import Piece

TOO_CLOSE = 0.3
"""The score factor of a cell with a pair that stands closer."""

FEWER = 0.97
"""The score factor for each further digit: a 7 is preferred to a bar and its remainder."""

LACKS, STRAYS, NEARLY = 3.0, 0.5, 1.5
"""The weight, when two segmentations are compared, of a glyph's lack of likeness to the same number elsewhere, and of
each pixel by which it is larger or smaller, beyond the tolerance ``NEARLY``."""

OTHER_SIZE = 0.2
"""A number whose height differs by more has another size."""

LOSS = 0.7
"""The score factor of a cell in which a piece is left out."""

MIXED, ONE_COLOUR, SPLINTER = 0.1, 0.8, 0.25
"""The score factor of a cell with a glyph of several colours; the least cosine between the directions of two colours
from the ground that count as one (thin strokes are paler); and the share of the largest piece's extent from which on a
piece is no splinter."""

PALER, PALER_IN_NOISE, PALER_OUTSIDE, NOISY = 0.25, 0.4, 0.5, 2.0
"""What has less than the first share of the contrast of the board's palest numbers is neither a number nor a part of
one. In a picture with at least ``NOISY`` grey levels of noise the second share applies: compression leaves such specks
beside strong edges, and some of them together are as large as a number. The third applies to what continues outside of
its cell, as a veil and a shadow do, and to what lies in the soft edge of its wall."""

CUT = 0.9
"""The score factor of a cell with a digit that continues outside of it."""

LACKING = 0.15
"""One glyph in a hundred is less similar to its number's examples than usual by this amount."""

SMALL = 1.5
"""The additional tolerance for likeness of a glyph one pixel high; inversely proportional to its height."""

BROADER = 1.15
"""What is broader than the broadest number by this factor, relative to its height, is more than one number."""

DOUBLE = 1.5
"""What is this many times as high as the board's lowest numbers, and has none of their sizes, may be two of them."""

PLAIN = 0.9
"""A glyph less probable than this is doubtful anyway."""

FEWEST_LIKE = 3
"""A glyph is known if it is similar to at least so many others of its number and size."""

STRANGE = 0.7
"""A glyph whose agreement with the board's other ones is lower than this may hide another."""

LONGER, THINNER = 1.3, 0.25
"""A stroke of a number is at most as long as the number is high, except for a slanted one; what hides a number is at
least as broad as a 1, which is broader than this share of its height including the soft edges of its stroke."""

FEW = 0.02
"""The share of the ink of all numbers that is ignored when the palest ones are determined."""


class Parting(NamedTuple):
    """The pieces of a cell, and how many walls with something else on them were removed."""

    pieces: Sequence[Piece]
    swallowed: int


@dataclass(frozen=True)
class BoardView:
    """A board in the segmentation that is right for most cells: the reference for other segmentations."""

    image: Image
    boxes: Mapping[Cell, Box]
    eyes: Eyes
    noise: float
    scale: int
    usual: int
    """How many walls are removed in most cells."""
    reaches: float
    """How many window pixels of its walls lie far within a cell at most, if nothing touches them."""
    way: tuple[float, float]
    seen: dict[Cell, list[Glyph]]
    split: Mapping[Cell, Sequence[Piece]]
    swallowed: Mapping[Cell, int]
    shapes: Shapes
    face: OwnFace | None
    atoms: Mapping[Cell, Sequence[Piece]]
    """The connected components of each cell."""
    grounds: Mapping[Cell, Floats]
    apart: Mapping[Cell, Sequence[Box]] = field(default_factory=dict)
    """The positions of signs between numbers that are removed from what is found; none if they are known otherwise."""
    heads: Mapping[Cell, Glyph] = field(default_factory=dict)
    """The large numbers that are no candidates of their own, which are removed as well."""
    pointers: Mapping[Cell, Sequence[Piece]] = field(default_factory=dict)
    """The signs that point to the active numbers; they are removed, too."""
    least: float = 0.0
    """Grey levels; what has a lower contrast is no candidate."""
    upon_walls: dict[Cell, Beyond] = field(default_factory=dict)
    """What was seen on the walls of cells, cached for all views of one board."""

    def swallowed_in(self, place: pieces.Place) -> int:
        """How many walls that may be, or contain, a number were removed from a cell, more than from most."""
        return max(place.swallowed - self.usual, int(place.reached > self.reaches))

    def candidates(self, cell: Cell, parts: Sequence[Piece]) -> tuple[Piece, ...]:
        """The pieces of a cell without those that are known not to belong to a candidate."""
        heads = [self.heads[cell].piece.box] if cell in self.heads else []
        signs = [p.box for p in self.pointers.get(cell, ())]
        return without([p for p in parts if self.is_drawn(cell, p)], [*self.apart.get(cell, ()), *heads, *signs])

    def without_specks(self) -> BoardView:
        """The board without what is far paler than all of its numbers, and without lines longer than theirs."""
        seen = {cell: [g for g in row if self.is_drawn(cell, g.piece)] for cell, row in self.seen.items()}
        split, atoms = (
            {cell: [p for p in parts if self.is_drawn(cell, p)] for cell, parts in each.items()}
            for each in (self.split, self.atoms)
        )
        return replace(self, seen=seen, split=split, atoms=atoms)

    def beyond(self, cell: Cell) -> Beyond:
        """What stands upon the walls of a cell."""
        if cell not in self.upon_walls:
            place, room = self.found(cell, self.way[0]), rooms(cell, self.boxes, self.half_gaps)
            found = beyond(self.image, place, room, self.inks, self.noise, self.way[0], self.scale)
            # What begins or ends with a wall is a part of it that a veil covers.
            box, scale = self.boxes[cell], self.scale
            own = tuple(p for p in found.own if not ends_with_wall(p.box, box, scale))
            if len(own) < len(found.own) and self.veiled(cell):
                found = replace(found, own=own)
            self.upon_walls[cell] = found
        return self.upon_walls[cell]

    def veiled(self, cell: Cell) -> rims.Parting | None:
        """The two grounds of a cell through which the rim of something translucent runs; None for any other cell."""
        patch = self.boxes[cell].crop(self.image)
        found = rims.parting(patch, self.noise)
        reach = round(2 * max(self.half_gaps)) + SOFT
        return found if found and rims.is_translucent(self.image, self.boxes[cell], found, reach) else None

    @cached_property
    def inks(self) -> list[Floats]:
        return tones(g.piece for row in self.seen.values() for g in row if g.chance > LEGIBLE)

    @cached_property
    def half_gaps(self) -> tuple[float, float]:
        return halves(self.boxes)

    def found(self, cell: Cell, stroke: float, uneven: bool = False) -> pieces.Place:
        place = pieces_in(self.image, self.boxes[cell], self.noise, stroke, uneven, scale=self.scale)
        return replace(place, pieces=self.candidates(cell, place.pieces))

    @cached_property
    def sizes(self) -> list[tuple[float, float]]:
        return sizes_of(self.seen)

    @cached_property
    def signs(self) -> bool:
        """Whether signs stand between numbers: in noise, specks at their feet look like some."""
        strong = {cell: [p for p in parts if self.is_strong(p)] for cell, parts in self.split.items()}
        return has_signs(self.seen, strong)

    def _signs_among(self, cell: Cell, row: Sequence[Glyph]) -> list[Piece]:
        return [p for p in signs_among(row, self.atoms[cell]) if self.is_strong(p)]

    @cached_property
    def signs_last(self) -> bool:
        """Whether signs stand between numbers, and are so large that none is lost between the pixels."""
        return self.signs and are_lasting([p for cell, row in self.seen.items() for p in self._signs_among(cell, row)])

    @cached_property
    def palest(self) -> float:
        """The contrast of the palest numbers of the board, ignoring the share ``FEW`` of all their ink: specks that
        look like a 1 are many, and small."""
        found = sorted(
            (g.piece.contrast, float(g.piece.ink.sum()))
            for cell, row in self.seen.items()
            for g in row
            if g.chance > LEGIBLE and not is_at_edge(g.piece, self.boxes[cell])
        )
        inked = np.cumsum([ink for _, ink in found])
        return found[int(np.searchsorted(inked, FEW * inked[-1]))][0] if found else 0.0

    @cached_property
    def lowest(self) -> float:
        return min((height for height, _ in self.sizes), default=np.inf)

    def count_high(self, parts: Sequence[Piece]) -> int:
        """How many pieces are about as high as the board's lowest numbers, or higher."""
        return sum(p.box.height >= LOW_ONE * self.lowest for p in parts)

    def is_odd(self, cell: Cell) -> bool:
        """Whether a cell holds something that is no digit, is cut off, or has a height that no digit has (half of one,
        or two of them); or something was left out that is no sign between numbers."""
        row = self.seen[cell]
        heights = np.array([height for height, _ in self.sizes], float)

        def of_size(g: Glyph) -> bool:
            return not len(heights) or bool(np.abs(heights - g.height).min() <= UNEQUAL * g.height + g.piece.scale)

        if not row or self.swallowed[cell] or stacked([g.piece for g in row]) or self.beyond(cell).own:
            return True
        if any(g.chance < LEGIBLE or g.piece.cut or not of_size(g) or self.going(cell, g) < STRANGE for g in row):
            return True
        return bool(left_over(row, self.split[cell], self.signs, self.lowest))

    def lost(self, cell: Cell, row: Sequence[Glyph], parts: Parting) -> list[Piece]:
        """The pieces of a cell that are in none of its glyphs; also of those that a finer stroke does not see."""
        finer, usual = (left_over(row, each, self.signs, self.lowest) for each in (parts.pieces, self.atoms[cell]))
        beside = self.beyond(cell).foreign
        usual = [p for p in usual if not in_corner(p, self.boxes[cell]) and not (p.cut and reaches_in(p.box, beside))]
        return max(finer, usual, key=len)

    def likeness(self, cell: Cell, g: Glyph) -> float:
        """The likeness of a glyph to the same number elsewhere, 1 if it is as similar as those are to each other."""
        lack = self.face.lack(cell, g) if self.face else 0.0
        return float(np.exp(-4 * max(lack - LACKING - SMALL * g.piece.scale / g.height, 0.0)))

    def going(self, cell: Cell, g: Glyph) -> float:
        """How well a glyph agrees with the same number elsewhere, in looks, height and width; 1 for well."""
        return fitting(g.piece, g.token, self.shapes) * self.likeness(cell, g)

    def is_known(self, cell: Cell, g: Glyph) -> bool:
        """Whether a glyph is clearly legible and similar to several of the same number and size elsewhere: such glyphs
        are no parts of a digit, however close they stand."""
        near = self.face.near(cell, g.height, g.token) if self.face else []
        return g.chance > OWN and len(near) >= FEWEST_LIKE and self.going(cell, g) > PLAIN

    def may_stand_close(self, cell: Cell, row: Sequence[Glyph]) -> bool:
        """Whether all glyphs of a cell are known ones, which are no parts of a digit, however close they stand.
        Exception: a glyph that always has a bar below it is the upper half of a digit."""
        below = [g for g in row if any(is_bar_below(o, g) for o in row)]
        return all(self.is_known(cell, g) for g in row) and not any(self._has_always_a_bar(g) for g in below)

    def _has_always_a_bar(self, g: Glyph) -> bool:
        """Whether a bar stands close below each glyph of the same number, height and breadth."""
        wide = g.piece.box.width
        met = [
            any(is_bar_below(o, other) for o in row)
            for row in self.seen.values()
            for other in row
            if other.token == g.token
            and abs(other.height - g.height) <= UNEQUAL * g.height
            and abs(other.piece.box.width - wide) <= UNEQUAL * wide + g.piece.scale
        ]
        return all(met) and len(met) >= FEWEST_LIKE

    def is_strange(self, cell: Cell, g: Glyph) -> bool:
        """Whether a clearly legible glyph may be more than one, or a part of one: it is unlike the same number
        elsewhere, of a height that no number has, broader than all, or cut off and of another width. A doubtful glyph
        may be more than one if it is larger than numbers are."""
        slack = 1.5 * g.piece.scale
        heights = [h for h, _ in (*self.shapes[JUNK], *self.shapes.get(g.token, ()))]
        of_size = any(abs(h - g.height) <= UNEQUAL * h + slack for h in heights)
        if g.chance <= PLAIN:
            return bool(heights) and not of_size and g.height > DOUBLE * min(heights) and g.chances.get(JUNK, 0.0) < 0.5
        if g.piece.cut and fitting(g.piece, g.token, self.shapes) < STRANGE:
            return True
        if self.face and self.face.is_grown(cell, g):
            return True
        if not of_size:
            return bool(heights) and not (self.face and self.face.is_enlarged(cell, g))
        broadest = max(b / h for h, b in self.shapes[JUNK] or self.shapes[g.token]) * g.height
        return g.piece.box.width > BROADER * broadest + slack or self.likeness(cell, g) < STRANGE

    def is_unexplained(self, cell: Cell, row: Sequence[Glyph], one: Parting) -> bool:
        """Whether something in a cell is left that no glyph explains, or a glyph may be more or less than one."""
        if not self.goes_on(cell, row):
            return True
        strange = any(self.is_strange(cell, g) for g in row)
        digits = [g.piece for g in row if g.chance > LEGIBLE]
        known = self.may_stand_close(cell, row)
        if strange or one.swallowed or overlapping(digits) or (stacked(digits) and not known):
            return True
        if self.lacks_sign(cell, row):
            return True
        drawn, lost = self.left(cell, row, one)
        height = min((self.lowest, *(g.height for g in row)))
        # A hairline may be too pale to be seen, and leave of a digit what it ends in.
        ends = any(are_ends(p, q, height) for p, q in itertools.combinations(drawn, 2))
        return ends or any(p.extent >= LOWEST * height for p in lost)

    def lacks_sign(self, cell: Cell, row: Sequence[Glyph]) -> bool:
        """Whether no sign stands between two numbers, on a board that has some: it was merged into a number."""
        between = sum(g.chance > LEGIBLE for g in row) - 1 if self.eyes.size <= ONE_DIGIT else 0
        if self.signs_last and len(row) > 1 and len(self._signs_among(cell, row)) < between:
            return True
        signs = self.apart.get(cell, ())
        return bool(self.apart) and len(signs) < between and is_unparted(row, signs)

    def goes_on(self, cell: Cell, row: Sequence[Glyph]) -> bool:
        """Whether all that lies on the walls of a cell is a part of its numbers, or of the next cell's."""
        upon = (p for p in self.beyond(cell).own if p.contrast >= PALER_OUTSIDE * self.palest)
        return all(any(self._is_of(p, g) and self.is_whole(cell, g) for g in row) for p in upon)

    def _is_of(self, p: Piece, g: Glyph) -> bool:
        """Whether what lies on a wall is a glyph that continues there, perhaps with one of the next cell at its end."""
        return within(p, g.piece) or (g.piece.cut and within(g.piece, p))

    def is_whole(self, cell: Cell, g: Glyph) -> bool:
        """Whether all of a glyph is seen: it does not reach the edge of its cell, or what is seen on the wall there is
        no larger; or it is a known number as it is, and seems to go on straight above or below. On a wall of its colour
        that is assumed where a number of the next cell touches the wall from the other side."""
        if not g.piece.cut:
            return True
        slack = g.piece.scale
        upon = [p for p in self.beyond(cell).own if self._is_of(p, g)]
        away = [np.abs(np.subtract(edges(p), edges(g.piece))) for p in upon]
        if any(each.max() <= slack for each in away):
            return True
        if upon and self.is_known(cell, g) and all(self._is_met(cell, p, g) for p in upon):
            return True
        return bool(away) and all(each[::2].max() <= slack for each in away) and self.is_known(cell, g)

    def is_full(self, cell: Cell, g: Glyph) -> bool:
        """Whether a glyph that reaches the edge of its cell is a known number, no smaller towards it than elsewhere."""
        if not self.is_known(cell, g) or self.face is None:
            return False
        box, own = self.boxes[cell], g.piece.place
        beside = own.x <= box.x or own.x + own.width >= box.x + box.width
        above = own.y <= box.y or own.y + own.height >= box.y + box.height
        high, broad = self.face.as_large(cell, g)
        return (high or not above) and (broad or not beside)

    def _is_met(self, cell: Cell, p: Piece, g: Glyph) -> bool:
        """Whether what lies on a wall is nothing but a known glyph that ends there and one of the next cell that meets
        it from the other side, both as they are elsewhere."""
        around = [(cell[0] + r, cell[1] + c) for r, c in ((-1, 0), (1, 0), (0, -1), (0, 1))]
        return any(
            self.is_known(beside, o) and cover(g.piece, o.piece, p)
            for beside in around
            for o in self.seen.get(beside, ())
        )

    def left(self, cell: Cell, row: Sequence[Glyph], one: Parting) -> tuple[list[Piece], list[Piece]]:
        """What no number of a cell explains: the strokes in no glyph, and everything that, joined, may be a number. A
        thin stroke may break off a digit; what is as large as half of one, or falls into halves, is one itself."""
        drawn = [p for p in self.lost(cell, row, one) if self.is_strong(p)]
        numbers = [g for g in row if g.chance > LEGIBLE]
        junk = [g.piece for g in row if g.chances.get(JUNK, 0.0) > 0.5 and self.is_strong(g.piece)]
        kept = [p for p in junk if not in_corner(p, self.boxes[cell]) and not at_a_foot(p, numbers)]
        return drawn, pieces.together(drawn, WAYS[-1][1]) + kept

    def is_drawn(self, cell: Cell, p: Piece) -> bool:
        """Whether a piece may be a number, or a part of one, by its contrast, its shape and its place."""
        remnant = p.contrast < PALER_OUTSIDE * self.palest and is_at_edge(p, self.boxes[cell])
        return p.contrast >= self.least_contrast and not self.is_rule(p) and not remnant

    def is_rule(self, p: Piece) -> bool:
        """Whether a piece is a line longer than any stroke of a number, and too thin to hide one; or several along the
        sides of its box, as a frame or a part of one is."""
        highest = max((height for height, _ in self.sizes), default=np.inf)
        return p.extent > LONGER * highest and is_bare_within(p, math.ceil(THINNER * self.lowest))

    @property
    def least_contrast(self) -> float:
        """The least contrast of what may be a number of the board, or a part of one."""
        return max(self.least, (PALER if self.noise < NOISY else PALER_IN_NOISE) * self.palest)

    def is_strong(self, p: Piece) -> bool:
        """Whether a piece has enough contrast, relative to the board's palest numbers, to be one, or a part of one."""
        return p.contrast >= (PALER_OUTSIDE * self.palest if p.cut else self.least_contrast)

    def is_mixed(self, cell: Cell, g: Glyph) -> bool:
        """Whether a glyph was joined from pieces of several colours; a stroke may be paler because it is thin."""
        parts = [p for p in self.atoms[cell] if within(p, g.piece)]
        largest = max((p.extent for p in parts), default=0)
        away = np.array([p.colour - self.grounds[cell] for p in parts if p.extent > SPLINTER * largest])
        if len(away) < 2:
            return False
        away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0)
        return float((away @ away.T).min()) < ONE_COLOUR

    def worth(self, cell: Cell, row: Sequence[Glyph], parts: Parting) -> float:
        """How well a cell is explained, as a score. What is left out lowers it, and so does what is broader or narrower
        than the same digit elsewhere, and, slightly, every further digit."""
        fit = float(np.prod([self.going(cell, g) for g in row]))
        lost = sum(map(self.is_strong, self.lost(cell, row, parts))) + parts.swallowed
        close = stacked([g.piece for g in row])
        if close and self.may_stand_close(cell, row):
            close = 0
        fit *= FEWER ** len(row) * LOSS**lost * TOO_CLOSE**close
        fit *= CUT ** sum(g.piece.cut for g in row) * MIXED ** sum(self.is_mixed(cell, g) for g in row)
        return quality_of({(0, 0): row}, self.eyes.size) * fit

    def likelihood(self, cell: Cell, row: Sequence[Glyph], parts: Parting) -> float:
        """As ``worth``, for segmentations of one cell that are all nearly as good: independent of the number of digits,
        and lower by the worst disagreement of a glyph with the same number elsewhere, in shape and in size."""
        lacking = [
            LACKS * (self.face.lack(cell, g) if self.face else 0.0) + STRAYS * max(self.astray(g) - NEARLY, 0.0)
            for g in row
            if g.chance > LEGIBLE
        ]
        return self.worth(cell, row, parts) / FEWER ** len(row) * float(np.exp(-max(lacking, default=0.0)))

    def astray(self, g: Glyph) -> float:
        """By how many window pixels a glyph's height or width differs from that of the same number of about its size
        elsewhere; 0 if there is none."""
        near = [(h, w) for h, w in self.shapes.get(g.token, ()) if abs(h - g.height) <= OTHER_SIZE * g.height]
        away = [max(abs(g.height - h), abs(g.piece.box.width - w)) for h, w in near]
        return float(min(away, default=0.0) / g.piece.scale)
