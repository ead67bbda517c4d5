"""Finds the board of Cross Set in a picture of any window: a square lattice of cells, with as many rows as columns, in
which every number can stand in every row and column. ``cells`` reads the content of the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from math import isqrt

import numpy as np

from autoplayer.core.deadline import Allowance
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set.seeing import cells, pad, plain, sighting, symbols
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, ONE_DIGIT
from autoplayer.games.cross_set.seeing.glyphs.sheet import Sheet
from autoplayer.games.cross_set.seeing.lattice.insides import (
    FAINTEST,
    FULL,
    Walled,
    along_the_walls,
    boxes_of,
    to_the_walls,
)
from autoplayer.games.cross_set.seeing.lattice.lattices import LARGEST, SEEN, SMALLEST, cleaned, hypotheses
from autoplayer.games.cross_set.seeing.lattice.lettering import plainly_drawn
from autoplayer.games.cross_set.seeing.lattice.remembered import remembering
from autoplayer.games.cross_set.seeing.lattice.uneven import cells_of_rows
from autoplayer.games.cross_set.seeing.one_cell.contents import scale_of
from autoplayer.games.cross_set.seeing.one_cell.judging import shown
from autoplayer.layout import BoardTable
from autoplayer.vision import glyphs, lattice
from autoplayer.vision.templates import Template
from autoplayer.vision.views import View

INSIDE = 0.8
"""The least share of a cell within its walls, where the layout gives the position of the board."""

PART = 0.4
"""The score of a block with more numbered cells between its own, relative to a whole board."""

ALONE = 0.9
"""If all cells of a block that were found by their walls are at least this share of it, nothing without walls is a
cell."""

ROOM = 1.7
"""Cells whose distance is this multiple of their size have room for others between them."""

WORTH = 0.55
"""A lattice whose glyphs are explained less well than this is not the board."""

HARDLY_LESS = 0.05
"""Numbers that are redrawn are less legible by less than this, or they were plain."""

GOOD = 0.75
"""If a board with this score was found, other ways to find lattices are not tried."""

SHOWN = 0.8
"""As soon as a board's glyphs are visible, at least this share of the numbers that every row and column must hold is
seen."""

POOR, FEW_POOR = 0.42, 3
"""Blocks whose glyphs are explained less than ``POOR`` at first sight are only looked at again while at most
``FEW_POOR`` came to nothing, and not if they are large: crowded or slanted digits on a board score like that, and so do
the letters of any text."""

MOST_POOR, POOR_CELLS = 6, 150
"""After this many refused blocks that do contain digits, with this many cells in all of them, there is no board: in
windows with a board there were at most four, and some small ones where active numbers are in dark boxes."""

SAME = 3
"""Blocks whose corners differ by at most about this many pixels are the same."""

EXPLAINED = 0.97
"""A block with this score is not part of a board with more cells between its own: half of that board's numbers would be
larger than the block has rows."""

ENOUGH = 0.9
"""After a board with this score the search ends."""


MOST_LOOKS = 60
"""The most blocks of lattices that are looked at: windows with a board needed 16 at most, a page of text offers
hundreds."""

MOST_READ = 12
"""The most blocks that are read completely; in windows with a board none needed more than 9."""

PATIENCE = 15.0
"""After so many seconds of work no further block is begun. A board mostly takes less than one second. Crowded and
damaged cells take long, and what is that hard to segment is no clearer on a less likely lattice."""


@dataclass
class _Met:
    """The outcome for the blocks that were looked at, by their size and corners; a picture without a board yields the
    same blocks again and again. ``parts``: how often a block was met that has more cells beside it."""

    boards: dict[tuple[int, ...], Board | None] = field(default_factory=dict)
    parts: int = 0

    @property
    def refused(self) -> list[int]:
        """How many cells each block has that was read and rejected."""
        return [key[0] ** 2 for key, one in self.boards.items() if one is None]


@dataclass(frozen=True)
class Board:
    """``places``: the box of each cell as a person would click it, window pixels; ``inside``: the part in which its
    candidates stand. ``worth``: how well everything is explained, 0 to 1."""

    size: int
    places: dict[Cell, Box]
    inside: dict[Cell, Box]
    sheet: Sheet
    noise: float
    worth: float
    outlined: bool = False
    """Whether its numbers have outlines, shadows or boxes that were removed (see ``lettering``)."""


def find(image: Image, known: Sequence[Template] = ()) -> Board | None:
    """The board that explains most of ``image`` (BGR); None where no lattice is one. ``known``: the layout's own
    pictures of glyphs."""
    image, noise = cleaned(image)
    with remembering(image), glyphs.remembering():
        return _find(image, noise, known)


def _find(image: Image, noise: float, known: Sequence[Template]) -> Board | None:
    looks = hypotheses(image, noise)
    first = next(looks, None)
    if not known and first is not None and (board := _plain(*first)) is not None:
        return board
    best = _of_uneven_cells(image, noise, known)
    if best is not None and best.worth >= GOOD:
        return best
    before: View | None = None
    read = 0
    met = _Met()
    allowance = Allowance(PATIENCE)
    every = looks if first is None else chain([first], looks)
    for view, found, size in islice(every, MOST_LOOKS):
        if best is not None and best.worth >= GOOD and view is not before:
            break
        if allowance.passed:
            break
        before = view
        board = _look(view, found, size, known, met)
        read += board is not None
        poor = met.refused
        if best is None and board is None and not met.parts and len(poor) >= MOST_POOR and sum(poor) >= POOR_CELLS:
            break
        if board is not None and (best is None or board.worth > best.worth):
            best = board
        if (best is not None and best.worth >= ENOUGH) or read + met.parts >= MOST_READ:
            break
    return best


def _plain(view: View, found: lattice.Lattice, size: int) -> Board | None:
    """The board on a square block of a lattice, if it can be read at first sight and nothing about it is unusual; else
    None."""
    if not view.walled or len(found.cells) < SEEN * size**2:
        return None
    found = along_the_walls(view, found, size)
    inside = boxes_of(view, found, size)
    if inside is None or min(found.pitch_x, found.pitch_y) < 2 * lattice.SMALLEST:
        return None
    if (sheet := _plain_sheet(view, inside, size)) is None:
        return None
    if any(_beyond(view, found, inside, size, ())):
        return None
    return Board(size, {cell: found.box(cell) for cell in inside}, inside, sheet, view.noise, sheet.quality)


def _plain_sheet(view: View, inside: Mapping[Cell, Box], size: int) -> Sheet | None:
    """The glyphs of a board on which nothing is unusual, by the fastest method first; else None."""
    sheet = plain.read(view.image, inside, size, view.noise, 1)
    if sheet is not None:
        return replace(sheet, boxes=Walled(view, inside, sheet.grounds))
    walled = to_the_walls(view, inside)
    ways = [(walled, 1), (inside, 0), (walled, 0)][: 3 if scale_of(inside) > 1 else 1]
    found = (plain.read(view.image, boxes, size, view.noise, scale) for boxes, scale in ways)
    sheet = next((sheet for sheet in found if sheet is not None), None)
    return None if sheet is None else replace(sheet, boxes=walled)


def _of_uneven_cells(image: Image, noise: float, known: Sequence[Template]) -> Board | None:
    """The board whose cells differ in breadth, None if there is none: the best-fitting lattice would cut off their
    outermost candidates."""
    if image.ndim != 3 or min(image.shape[:2]) < SMALLEST * lattice.SMALLEST:
        return None
    view = View(image, lattice.edge_strength(image), noise, max(FAINTEST, 5 * noise), True)
    for inside in cells_of_rows(view.strength, view.threshold, SMALLEST, LARGEST):
        size = isqrt(len(inside))
        if _promising(view, inside, size, known):
            sheet = cells.read(image, to_the_walls(view, inside), size, noise, known, shows=SHOWN)
            if sheet is not None:
                return Board(size, inside, inside, sheet, noise, sheet.quality * _complete(sheet, size))
    return None


def find_at(image: Image, table: BoardTable, known: Sequence[Template] = ()) -> Board | None:
    """The board at the position that a person has given, with as many rows as columns; None if nothing legible stands
    there."""
    place = _placed(image, table)
    if place is None:
        return None
    view, inside, size = place
    sheet = cells.read(view.image, to_the_walls(view, inside), size, view.noise, known)
    if sheet is None:
        return None
    places = {cell: table.cell(*cell, (image.shape[1], image.shape[0])) for cell in inside}
    return Board(size, places, inside, sheet, view.noise, sheet.quality * _complete(sheet, size))


def find_symbols(image: Image, table: BoardTable | None, known: Sequence[Template] = ()) -> Board | None:
    """A board between walls whose numbers are unknown symbols; ``table``: its position, if a person has given it. None
    if there is none."""
    if table is not None:
        place = _placed(image, table)
        options = [] if place is None else [place]
        places = {} if place is None else {c: table.cell(*c, (image.shape[1], image.shape[0])) for c in place[1]}
    else:
        options, places = [], {}
        for view, found, size in islice(hypotheses(image), MOST_LOOKS):
            inside = boxes_of(view, found, size) if view.walled else None
            if inside is not None and min(found.pitch_x, found.pitch_y) >= 2 * lattice.SMALLEST:
                sheet = symbols.symbols(view.image, inside, size, view.noise, known)
                if sheet is not None:
                    return Board(size, {c: found.box(c) for c in inside}, inside, sheet, view.noise, sheet.quality)
    for view, inside, size in options:
        sheet = symbols.symbols(view.image, inside, size, view.noise, known)
        if sheet is not None:
            return Board(size, places, inside, sheet, view.noise, sheet.quality)
    return None


def _placed(image: Image, table: BoardTable) -> tuple[View, dict[Cell, Box], int] | None:
    """The inside of each cell at the position that a person has given for the board; None if that is too small."""
    size = table.rows
    height, width = image.shape[:2]
    image, noise = cleaned(image)
    left, top, across, down = table.place
    pitch_x, pitch_y = across * width / size, down * height / size
    if min(pitch_x, pitch_y) < lattice.SMALLEST:
        return None
    middle = left * width + pitch_x / 2, top * height + pitch_y / 2
    whole = frozenset((r, c) for r in range(size) for c in range(size))
    found = lattice.Lattice(*middle, pitch_x, pitch_y, INSIDE * pitch_x, INSIDE * pitch_y, whole)
    view = View(image, lattice.edge_strength(image), noise, max(12.0, 5 * noise), True)
    inside = boxes_of(view, found, size)
    return None if inside is None else (view, inside, size)


def _look(
    view: View,
    found: lattice.Lattice,
    size: int,
    known: Sequence[Template],
    met: _Met,
    *,
    grow: bool = True,
) -> Board | None:
    """The board on a square block of a lattice; if more cells stand beside it, the complete board if that is a square,
    and else None."""
    found = along_the_walls(view, found, size)
    inside = boxes_of(view, found, size)
    if inside is None or min(found.pitch_x, found.pitch_y) < 2 * lattice.SMALLEST:
        return None
    plainer = _redrawn(view, inside, size, known) if view.walled else None
    if plainer is not None:
        view = replace(view, image=plainer, edges=lattice.edge_strength(plainer), coarse=False)
    if not _promising(view, inside, size, known):
        return None
    above, below, left, right = _beyond(view, found, inside, size, known)
    if grow and above + below == left + right > 0:
        whole = lattice.Lattice(
            found.x - left * found.pitch_x,
            found.y - above * found.pitch_y,
            found.pitch_x,
            found.pitch_y,
            found.width,
            found.height,
            frozenset((r + above, c + left) for r, c in found.cells),
        )
        return _look(view, whole, size + above + below, known, met, grow=False)
    if above + below + left + right and not _stands_alone(view, found, size):
        met.parts += 1
        return None
    within = to_the_walls(view, inside)
    ends = (within[0, 0], within[size - 1, size - 1])
    key = (size, *(round(v / SAME) for box in ends for v in (box.x, box.y, box.width, box.height)))
    if key not in met.boards:
        hopeless = len(met.refused) >= FEW_POOR or size > ONE_DIGIT
        met.boards[key] = None
        sheet = cells.read(view.image, within, size, view.noise, known, shows=SHOWN, explains=POOR * hopeless)
        if sheet is not None and sheet.quality >= WORTH:
            share = 1.0 if view.walled else 0.96
            places = {cell: found.box(cell, share) for cell in inside}
            worth = sheet.quality * _complete(sheet, size)
            if worth < EXPLAINED and _between(view, sheet, found, inside, size, known):
                worth *= PART
            met.boards[key] = Board(size, places, inside, sheet, view.noise, worth, plainer is not None)
    return met.boards[key]


def _beyond(
    view: View, found: lattice.Lattice, inside: dict[Cell, Box], size: int, known: Sequence[Template]
) -> tuple[int, int, int, int]:
    """How many rows or columns of further cells lie beside a block, above, below, left and right of it: positions on
    its lattice, most of which hold digits."""
    height, width = view.image.shape[:2]
    counts = []
    for rows, sign in ((True, -1), (True, 1), (False, -1), (False, 1)):
        count = 0
        while size + count < LARGEST:
            line = -1 - count if sign < 0 else size + count
            boxes = {}
            for k in range(size):
                r, c = (line, k) if rows else (k, line)
                near = inside[min(max(r, 0), size - 1), min(max(c, 0), size - 1)]
                x = near.x + round((c - min(max(c, 0), size - 1)) * found.pitch_x)
                y = near.y + round((r - min(max(r, 0), size - 1)) * found.pitch_y)
                if x >= 0 and y >= 0 and x + near.width <= width and y + near.height <= height:
                    boxes[r, c] = Box(x, y, near.width, near.height)
            if (
                len(boxes) < size
                or _mostly_bare(view, boxes)
                or sighting.glance(_plainer(view, boxes), boxes, view.noise, known, max(size, ONE_DIGIT)) <= WORTH
                or pad.counts_on(view.image, list(boxes.values()))
            ):
                break
            count += 1
        counts.append(count)
    return counts[0], counts[1], counts[2], counts[3]


def _plainer(view: View, boxes: Mapping[Cell, Box]) -> Image:
    plainer = plainly_drawn(view.image, boxes, view.noise)
    return view.image if plainer is None else plainer


def _mostly_bare(view: View, boxes: Mapping[Cell, Box]) -> bool:
    """Whether so many positions are empty that digits in the others are not a line of a board."""
    patches = [box.crop(view.image) for box in boxes.values()]
    bare = sum(int(np.ptp(patch)) < FAINTEST or int(np.ptp(patch, axis=(0, 1)).max()) < FAINTEST for patch in patches)
    return bare > (1 - WORTH) * len(boxes)


def _stands_alone(view: View, found: lattice.Lattice, size: int) -> bool:
    """Whether nearly each cell of a block was found by its walls, and no position beside it was: then digits beside it
    are counters at the ends of its lines."""
    within = sum(0 <= r < size and 0 <= c < size for r, c in found.cells)
    return view.walled and within == len(found.cells) and within >= ALONE * size**2


def _between(
    view: View, sheet: Sheet, found: lattice.Lattice, inside: dict[Cell, Box], size: int, known: Sequence[Template]
) -> bool:
    """Whether more cells with numbers stand between those of a lattice: then it holds only every second cell of a
    board."""
    image = _without(view.image, sheet)
    for pitch, own, across in ((found.pitch_x, found.width, True), (found.pitch_y, found.height, False)):
        if pitch < ROOM * own:
            continue
        boxes = {
            (r, c): _halfway(box if view.walled else found.box((r, c), 2 * FULL), pitch, own, across)
            for (r, c), box in inside.items()
            if (c if across else r) < size - 1
        }
        if sighting.glance(image, boxes, view.noise, known, max(size, ONE_DIGIT)) > WORTH:
            return True
    return False


def _without(image: Image, sheet: Sheet) -> Image:
    """A picture without the numbers that are known: without walls, a cell's own ones may also stand half way to the
    next cell. If a lattice holds every second cell of a board, the larger half of the numbers remains."""
    rest = image.copy()
    for cell, row in sheet.glyphs.items():
        for own in (g.piece.place for g in row if g.chance > CERTAIN):
            left, top = max(own.x - 1, 0), max(own.y - 1, 0)
            rest[top : own.y + own.height + 1, left : own.x + own.width + 1] = sheet.grounds[cell]
    return rest


def _halfway(box: Box, pitch: float, own: float, across: bool) -> Box:
    """What lies between a cell and the next one, without the content of both: without walls, their places extend
    equally far, and the end of one row of digits with the beginning of the next would be read as a number."""
    x, y = box.centre
    if across:
        width = min(box.width, round(pitch - own))
        return Box(round(x + (pitch - width) / 2), box.y, width, box.height)
    height = min(box.height, round(pitch - own))
    return Box(box.x, round(y + (pitch - height) / 2), box.width, height)


def _redrawn(view: View, inside: dict[Cell, Box], size: int, known: Sequence[Template]) -> Image | None:
    """The picture with plain numbers in some cells; None if they are plain already, or if that makes them less legible:
    compression blurs colours, and numbers seem to have an outline."""
    plainer = plainly_drawn(view.image, inside, view.noise)
    if plainer is None:
        return None
    before, after = (_legible(image, view, inside, size, known) for image in (view.image, plainer))
    return plainer if after > before - HARDLY_LESS else None


def _promising(view: View, inside: dict[Cell, Box], size: int, known: Sequence[Template]) -> bool:
    """Whether a sample of cells holds any digits; reading all of them costs far more."""
    return _legible(view.image, view, inside, size, known) > 0.5 * WORTH


def _legible(image: Image, view: View, inside: dict[Cell, Box], size: int, known: Sequence[Template]) -> float:
    """How well digits explain a sample of cells, one in each row, 0 to 1; ``image``: the view's, or redrawn."""
    some = {(i, (i * 2 + i // 2) % size): inside[i, (i * 2 + i // 2) % size] for i in range(size)}
    return sighting.glance(image, some, view.noise, known, max(size, ONE_DIGIT))


def _complete(sheet: Sheet, size: int) -> float:
    """The share of (row, number) and (column, number) pairs for which some cell may be that number: 1 on a board."""
    return shown(sheet.glyphs, size) ** 2
