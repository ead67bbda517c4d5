"""The result of reading the cells of a board of Cross Set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cross_set.seeing.glyphs.glyph import Eyes, Glyph
from autoplayer.games.cross_set.seeing.glyphs.numbers import Spacing
from autoplayer.games.cross_set.seeing.glyphs.text_lines import Line
from autoplayer.vision.pieces import Piece
from autoplayer.vision.templates import Template

MOST_SIGNS = 12
"""The most signs between numbers that are kept as examples for later pictures."""


@dataclass(frozen=True)
class Sheet:
    """The glyphs of every cell, in the order of the clicks.

    - ``quality``: the share of them, 0 to 1, that is explained
    - ``grounds``: each cell's colour
    - ``orderless``: whether the order of the clicks cannot be seen
    - ``way``: which of ``WAYS`` segmented them
    - ``boxes``: the inside of each cell
    - ``unsure``: the cells of which any number may be the active one
    - ``open_order``: the cells in which the others may follow it in another order
    - ``hiding``: the cells in which something is connected with a wall
    - ``known``: the layout's own glyphs
    - ``foreign``: as in :class:`Eyes`
    - ``rivals``: the glyphs of cells in an alternative segmentation
    - ``parted``: the cells whose digits may form other numbers, with all ordered ways to do so and their probabilities
    - ``space``: the evidence of gaps between digits, on a board with numbers of two digits
    - ``signs``: some of the signs between numbers there
    - ``lines``: the lines of text by which signs were joined, none if they are not
    - ``heads``: the large numbers that tell the active candidate of their cell (see ``heads``)
    - ``pointers``: the signs that point to it; ``bullets``: those beside the other numbers
    - ``least``: the contrast below which what stands in a cell is no candidate, grey levels; 0 if nothing is so pale
    - ``missing``: for cells in which something hides numbers, which those may be, by their index in the order of the
      clicks, and ``()`` if there may be none
    - ``slotted``: the same where every number has a position of its own: the hidden numbers themselves
    """

    glyphs: Mapping[Cell, tuple[Glyph, ...]]
    quality: float
    grounds: Mapping[Cell, Floats]
    boxes: Mapping[Cell, Box]
    orderless: bool
    way: tuple[float, float]
    unsure: frozenset[Cell] = frozenset()
    open_order: frozenset[Cell] = field(default=frozenset(), kw_only=True)
    foreign: bool = field(default=False, kw_only=True)
    lines: Sequence[Line] = field(default=(), kw_only=True)
    hiding: frozenset[Cell] = frozenset()
    known: Sequence[Template] = ()
    rivals: Mapping[Cell, tuple[Glyph, ...]] = field(default_factory=dict)
    parted: Mapping[Cell, Sequence[tuple[float, tuple[Glyph, ...]]]] = field(default_factory=dict)
    space: Spacing | None = None
    signs: tuple[Piece, ...] = ()
    heads: Mapping[Cell, Glyph] = field(default_factory=dict)
    pointers: Mapping[Cell, Sequence[Piece]] = field(default_factory=dict)
    bullets: Mapping[Cell, Sequence[Piece]] = field(default_factory=dict, kw_only=True)
    patch: Floats | None = None
    least: float = field(default=0.0, kw_only=True)
    missing: Mapping[Cell, Sequence[tuple[int, ...]]] = field(default_factory=dict, kw_only=True)
    slotted: Mapping[Cell, Sequence[int]] = field(default_factory=dict, kw_only=True)

    @property
    def eyes(self) -> Eyes:
        """How the glyphs of its cells are classified."""
        return Eyes(round(len(self.boxes) ** 0.5), self.known, self.foreign)
