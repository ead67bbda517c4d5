"""Finds the board of Cross Set in a picture of any window: a square lattice of cells, as many rows as columns, in which
every number can stand in every row and column. What stands in the cells, ``cells`` says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from math import isqrt
from statistics import median

import cv2
import numpy as np

from autoplayer.core.deadline import Allowance
from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.cross_set import cells, plain
from autoplayer.games.cross_set.cells import Sheet
from autoplayer.games.cross_set.glyph import ONE_DIGIT
from autoplayer.games.cross_set.judging import shown
from autoplayer.games.cross_set.lettering import plainly_drawn
from autoplayer.games.cross_set.uneven import cells_of_rows
from autoplayer.layout import BoardTable
from autoplayer.vision import ink, lattice
from autoplayer.vision.templates import Template
from autoplayer.vision.views import View, smoothed, stages

SMALLEST, LARGEST = 3, 16
"""Rows: fewer are no puzzle, and more have numbers that nobody could read in a cell."""

LONGEST = 7.0
"""The longer side of a cell's inside at most, as a multiple of the shorter one: candidates in a row need room."""

CROWDED = 2
"""Sides of a cell that are bare where its candidates come close to the others."""

SEEN = 0.4
"""At least this share of a board's cells looks like equal boxes; a cursor or locked cells may look otherwise."""

INSIDE = 0.8
"""The share of a cell within its walls at least, where the layout says where the board stands."""

WALL = 0.7
"""The share of a cell's side along which there is an edge, where a wall is."""

UNBROKEN = 0.85
"""The share of a line along a cell's side that differs from the cell's colour where it is a wall: digits leave gaps."""

FARTHEST = 0.2
"""How far beyond a cell's inside, as a share of its shorter side, its walls are looked for."""

STRAYING = 0.02
"""What a pixel away from where a lattice was found costs, in walls that it has to meet instead."""

MET, ASTRAY, NONE = 0.25, 2, -1
"""The share of the cells of a line that meet a wall at a side, from which on those are their own; how many pixels
farther one of them may be; and no wall."""

ENDS = 0.06
"""The share of a cell's side at either end where corners are."""

FAINTEST = 12.0
"""Grey levels: a wall differs by more from the colour of a cell."""

SAMPLED = 16
"""Places along a cell's side that are looked at for its wall where all cells are looked at together."""

PART = 0.4
"""What a block is worth beside which there are more cells with numbers, against a whole board."""

ALONE = 0.9
"""The share of a block's cells that was found by their walls, at least, where nothing without walls is one of them."""

FULL = 0.49
"""The share of the distance to the next cells up to which one reaches where it has no walls."""

STRAY = 0.02
"""The share of the places between cells at which something may stand all the same, a pointer or a word."""

ROOM = 1.7
"""Where cells are as far apart as this multiple of their size, others have room between them."""

WORTH = 0.55
"""A lattice whose glyphs are explained less than this is not the board."""

GOOD = 0.75
"""Where a board of this worth was found, other ways to look for lattices are not tried."""

SHOWN = 0.8
"""Of the numbers that every row and column has to hold this share at least is seen as soon as a board's glyphs are."""

POOR, FEW_POOR = 0.42, 3
"""Blocks of whose glyphs less than this is explained at first sight are only looked at again while so many at most came
to nothing, and not where they are large: crowded or slanted digits on a board are like that, and the letters of any
text."""

MOST_POOR, POOR_CELLS = 6, 150
"""Blocks that were refused though digits are met in them, and cells in all of these, after which there is no board: of
windows with one, at most four were, and some small ones where active numbers are in dark boxes."""

SAME = 3
"""Pixels: blocks whose corners stand within about so many are one."""

EXPLAINED = 0.97
"""A block of this worth is no part of a board with more cells between its own: of that one's numbers, half would be
larger than the block has rows. What stands half way is the cells' own."""

ENOUGH = 0.9
"""A board with this worth is not looked for any further."""


MOST_LOOKS = 60
"""Blocks of lattices that are looked at: windows with a board needed 16 at most, a page of text offers hundreds."""

MOST_READ = 12
"""Blocks that are read whole; of windows with a board, none needed more than 9."""

PATIENCE = 15.0
"""Seconds of work after which no further block is begun: a board takes less than one mostly. Crowded and damaged cells
take long, and what is that hard to part is no clearer on a lattice that convinces less."""


@dataclass(frozen=True)
class Board:
    """``places``: the box of each cell as a person would click it, window pixels; ``inside``: the part in which its
    candidates stand. ``worth``: how well the whole is explained, 0 to 1."""

    size: int
    places: dict[Cell, Box]
    inside: dict[Cell, Box]
    sheet: Sheet
    noise: float
    worth: float
    outlined: bool = False
    """Whether its numbers have outlines, shadows or boxes that are left out (see ``lettering``)."""


def find(image: Image, known: Sequence[Template] = ()) -> Board | None:
    """The board that explains most of ``image`` (BGR); None where no lattice is one. ``known``: the layout's own
    pictures of glyphs."""
    hypotheses = _hypotheses(image)
    first = next(hypotheses, None)
    if not known and first is not None and (board := _plain(*first)) is not None:
        return board
    best = _of_uneven_cells(image, known)
    if best is not None and best.worth >= GOOD:
        return best
    before: View | None = None
    read = 0
    met: dict[tuple[int, ...], Board | None] = {}
    allowance = Allowance(PATIENCE)
    every = hypotheses if first is None else chain([first], hypotheses)
    for view, found, size in islice(every, MOST_LOOKS):
        if best is not None and best.worth >= GOOD and view is not before:
            break
        if allowance.passed:
            break
        before = view
        board = _look(view, found, size, known, met)
        read += board is not None
        poor = [key[0] ** 2 for key, one in met.items() if one is None]
        if best is None and board is None and len(poor) >= MOST_POOR and sum(poor) >= POOR_CELLS:
            break
        if board is not None and (best is None or board.worth > best.worth):
            best = board
        if best is not None and (best.worth >= ENOUGH or read >= MOST_READ):
            break
    return best


def _plain(view: View, found: lattice.Lattice, size: int) -> Board | None:
    """The board on a square block of a lattice, where it is seen at first sight and nothing is unusual on it; else
    None."""
    if not view.walled or len(found.cells) < SEEN * size**2:
        return None
    found = _along_the_walls(view, found, size)
    inside = _boxes(view, found, size)
    if inside is None or min(found.pitch_x, found.pitch_y) < 2 * lattice.SMALLEST:
        return None
    if (sheet := _plain_sheet(view, inside, size)) is None:
        return None
    if any(_beyond(view, found, inside, size, ())):
        return None
    return Board(size, {cell: found.box(cell) for cell in inside}, inside, sheet, view.noise, sheet.quality)


def _plain_sheet(view: View, inside: Mapping[Cell, Box], size: int) -> Sheet | None:
    """The glyphs of a board on which nothing is unusual, looked at in the quickest way first; else None."""
    sheet = plain.read(view.image, inside, size, view.noise, 1)
    if sheet is not None:
        return replace(sheet, boxes=_to_the_walls(view, inside, sheet.grounds))
    walled = _to_the_walls(view, inside)
    ways = ((walled, 1), (inside, 0), (walled, 0))
    found = (plain.read(view.image, boxes, size, view.noise, scale) for boxes, scale in ways)
    sheet = next((sheet for sheet in found if sheet is not None), None)
    return None if sheet is None else replace(sheet, boxes=walled)


def _of_uneven_cells(image: Image, known: Sequence[Template]) -> Board | None:
    """The board whose cells are of several breadths, None where there is none: on the lattice that fits them best
    their outermost candidates would be cut off."""
    if image.ndim != 3 or min(image.shape[:2]) < SMALLEST * lattice.SMALLEST:
        return None
    image, noise = smoothed(image)
    view = View(image, lattice.edge_strength(image), noise, max(FAINTEST, 5 * noise), True)
    for inside in cells_of_rows(view.strength, view.threshold, SMALLEST, LARGEST):
        size = isqrt(len(inside))
        if _promising(view, inside, size, known):
            sheet = cells.read(image, _to_the_walls(view, inside), size, noise, known, shows=SHOWN)
            if sheet is not None:
                return Board(size, inside, inside, sheet, noise, sheet.quality * _complete(sheet, size))
    return None


def find_at(image: Image, table: BoardTable, known: Sequence[Template] = ()) -> Board | None:
    """The board where a person has said that it stands, one with as many rows as columns; None where nothing that can
    be read stands there."""
    place = _placed(image, table)
    if place is None:
        return None
    view, inside, size = place
    sheet = cells.read(view.image, _to_the_walls(view, inside), size, view.noise, known)
    if sheet is None:
        return None
    places = {cell: table.cell(*cell, (image.shape[1], image.shape[0])) for cell in inside}
    return Board(size, places, inside, sheet, view.noise, sheet.quality * _complete(sheet, size))


def find_symbols(image: Image, table: BoardTable | None, known: Sequence[Template] = ()) -> Board | None:
    """A board whose numbers are symbols that nobody knows, between walls; ``table``: where it stands, if a person has
    said that. None where there is none."""
    if table is not None:
        place = _placed(image, table)
        options = [] if place is None else [place]
        places = {} if place is None else {c: table.cell(*c, (image.shape[1], image.shape[0])) for c in place[1]}
    else:
        options, places = [], {}
        for view, found, size in islice(_hypotheses(image), MOST_LOOKS):
            inside = _boxes(view, found, size) if view.walled else None
            if inside is not None and min(found.pitch_x, found.pitch_y) >= 2 * lattice.SMALLEST:
                sheet = cells.symbols(view.image, inside, size, view.noise, known)
                if sheet is not None:
                    return Board(size, {c: found.box(c) for c in inside}, inside, sheet, view.noise, sheet.quality)
    for view, inside, size in options:
        sheet = cells.symbols(view.image, inside, size, view.noise, known)
        if sheet is not None:
            return Board(size, places, inside, sheet, view.noise, sheet.quality)
    return None


def _placed(image: Image, table: BoardTable) -> tuple[View, dict[Cell, Box], int] | None:
    """The inside of each cell where a person has said that the board stands; None where that is too small."""
    size = table.rows
    height, width = image.shape[:2]
    image, noise = smoothed(image)
    left, top, across, down = table.place
    pitch_x, pitch_y = across * width / size, down * height / size
    if min(pitch_x, pitch_y) < lattice.SMALLEST:
        return None
    middle = left * width + pitch_x / 2, top * height + pitch_y / 2
    whole = frozenset((r, c) for r in range(size) for c in range(size))
    found = lattice.Lattice(*middle, pitch_x, pitch_y, INSIDE * pitch_x, INSIDE * pitch_y, whole)
    view = View(image, lattice.edge_strength(image), noise, max(12.0, 5 * noise), True)
    inside = _boxes(view, found, size)
    return None if inside is None else (view, inside, size)


def _hypotheses(image: Image) -> Iterator[tuple[View, lattice.Lattice, int]]:
    """Square parts of lattices, the likeliest first."""
    tried: set[tuple[int, ...]] = set()
    for bare in (4, CROWDED):
        for view, lattices in stages(image, (LARGEST + 2) ** 2, by_marks=False, longest=LONGEST, bare=bare):
            for found in lattices:
                for square, size in _squares(found):
                    key = (round(square.x), round(square.y), round(square.pitch_x), round(square.pitch_y), size)
                    if key not in tried:
                        tried.add(key)
                        yield view, square, size
    for view, found in _blobs(image):
        for square, size in _squares(found):
            yield view, square, size


def _squares(found: lattice.Lattice) -> Iterator[tuple[lattice.Lattice, int]]:
    """The square blocks of a lattice in which most places were found, the largest and fullest first."""
    rows, columns = 1 + max(r for r, _ in found.cells), 1 + max(c for _, c in found.cells)
    filled = np.zeros((rows, columns), np.int32)
    for r, c in found.cells:
        filled[r, c] = 1
    sums = np.pad(filled.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    blocks = []
    # A whole row or column may look otherwise (locked cells): one that is missing may be added at either side.
    for size in range(SMALLEST, min(LARGEST, max(rows, columns)) + 1):
        for top in range(min(0, rows - size), max(rows - size, 0) + 1):
            for left in range(min(0, columns - size), max(columns - size, 0) + 1):
                a, b = max(top, 0), min(top + size, rows)
                c, d = max(left, 0), min(left + size, columns)
                count = int(sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c])
                if count >= SEEN * size * size:
                    # All that was found, no more and no less, is the likeliest.
                    exact = rows == columns == size
                    blocks.append((exact, count / size, size, top, left))
    blocks.sort(reverse=True)
    for _, _, size, top, left in blocks[:4]:
        square = lattice.Lattice(
            found.x + left * found.pitch_x,
            found.y + top * found.pitch_y,
            found.pitch_x,
            found.pitch_y,
            found.width,
            found.height,
            frozenset((r - top, c - left) for r, c in found.cells),
        )
        yield square, size


def _boxes(view: View, found: lattice.Lattice, size: int) -> dict[Cell, Box] | None:
    """The inside of each cell; None where one is not in the picture."""
    reach = _reach(view, found, size)
    if reach is None:
        return None
    before, above, behind, below = reach
    result = {}
    for r in range(size):
        for c in range(size):
            x, y = found.x + c * found.pitch_x, found.y + r * found.pitch_y
            left, top = round(x - before), round(y - above)
            result[r, c] = Box(left, top, round(x + behind) - left, round(y + below) - top)
    return result


def _reach(view: View, found: lattice.Lattice, size: int) -> tuple[float, float, float, float] | None:
    """How far a cell's inside reaches from its middle: left, up, right, down, in pixels; None where a cell is not in
    the picture. Where the walls are is what most cells agree on; what stands in them is different in each."""
    height, width = view.strength.shape
    half = found.width / 2, found.height / 2
    xs = found.x + np.arange(size) * found.pitch_x
    ys = found.y + np.arange(size) * found.pitch_y
    for along, most, own in ((xs, width, half[0]), (ys, height, half[1])):
        if along[0] - 0.9 * own < 0 or along[-1] + 0.9 * own > most:
            return None
    if not view.walled:
        before, behind = _between_blobs(view, xs, ys, found.pitch_x, found.pitch_y)
        above, below = _between_blobs(replace(view, strength=view.strength.T), ys, xs, found.pitch_y, found.pitch_x)
        return before, above, behind, below
    # A wall runs along all of a side, which a row of digits never does.
    strength = np.asarray(lattice.edge_strength(view.image) > 0.9 * view.threshold, np.uint8)
    reaches: dict[tuple[bool, int], float] = {}
    for across in (True, False):
        own, pitch = (half[0], found.pitch_x) if across else (half[1], found.pitch_y)
        side = 0.7 * (half[1] if across else half[0])
        steps = np.arange(int(0.85 * own), int(0.5 * pitch) + 2)
        along, middles, most = (xs, ys, width) if across else (ys, xs, height)
        bands = [slice(max(round(v - side), 0), round(v + side) + 1) for v in middles.tolist()]
        # The share of each line across a row of cells, or along a column of them, that is an edge.
        shares = np.stack(
            [cv2.reduce(strength[band], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel() for band in bands]
            if across
            else [cv2.reduce(strength[:, band], 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel() for band in bands]
        )
        for sign in (-1, 1):
            at = np.clip(np.rint(along[:, None] + sign * steps).astype(int), 0, most - 1)
            profile = np.median(shares[:, at].reshape(-1, len(steps)), axis=0)
            walls = profile > WALL
            # Where there seem to be walls from the first step on it is no wall, but noise or a digit's edge.
            strong = np.flatnonzero(walls & (np.cumsum(~walls) > 0))
            inner = float(steps[strong[0]]) - 1.0 if len(strong) else own
            reaches[across, sign] = min(inner, FULL * pitch)
    return reaches[True, -1], reaches[False, -1], reaches[True, 1], reaches[False, 1]


def _between_blobs(view: View, xs: Floats, ys: Floats, pitch: float, other: float) -> tuple[float, float]:
    """How far cells without walls reach from their middles ``xs`` to the left and to the right, in pixels: half way to
    their neighbours', unless something stands there in some row; then to where least does. What begins at one line in
    all cells is not in their middle."""
    inked = view.strength > view.threshold
    lines = [inked[max(round(y - other / 2), 0) : round(y + other / 2)].any(axis=0) for y in ys.tolist()]
    profile = np.sum(lines, axis=0)
    half = int(FULL * pitch)
    shifts = np.arange(-half, half + 1)
    at = np.rint(np.append(xs - pitch / 2, xs[-1] + pitch / 2)[:, None] + shifts).astype(int)
    met = np.where((at >= 0) & (at < len(profile)), profile[np.clip(at, 0, len(profile) - 1)], 0).sum(axis=0)
    free = met <= met.min() + STRAY * at.shape[0] * len(lines)
    if free[half]:
        return FULL * pitch, FULL * pitch
    # The middle of the broadest gap, of the nearest where several are.
    starts = np.flatnonzero(np.diff(np.concatenate([[False], free, [False]]).astype(np.int8)))
    gaps = starts.reshape(-1, 2)
    first, last = max(gaps.tolist(), key=lambda gap: (gap[1] - gap[0], -abs((gap[0] + gap[1]) / 2 - half)))
    moved = float(shifts[(first + last - 1) // 2])
    return FULL * pitch - moved, FULL * pitch + moved


def _along_the_walls(view: View, found: lattice.Lattice, size: int) -> lattice.Lattice:
    """A lattice of which cells at both ends were not found (locked ones, crowded ones), moved and stretched so that its
    lines are where the picture has walls: half a pixel for each cell is many, far from where it was measured."""
    if not view.walled:
        return found
    plain = view.image.astype(np.float32)
    for across in (True, False):
        own = sorted({c if across else r for r, c in found.cells if 0 <= (c if across else r) < size})
        if not own or (own[0] == 0 and own[-1] == size - 1):
            continue
        # How much the colour changes from a pixel to the next, as far as it makes a wall.
        change = largest_channel(np.abs(np.diff(plain if across else plain.swapaxes(0, 1), axis=1)))
        lines = np.minimum(change / (3 * view.threshold), 1.0)
        start, pitch, width = (
            (found.x, found.pitch_x, found.width) if across else (found.y, found.pitch_y, found.height)
        )
        other, step, deep = (found.y, found.pitch_y, found.height) if across else (found.x, found.pitch_x, found.width)
        bands = []
        for k in range(size):
            low, high = round(other + k * step - 0.35 * deep), round(other + k * step + 0.35 * deep) + 1
            if low >= 0 and high <= lines.shape[0]:
                bands.append(lines[low:high].mean(axis=0))
        if not bands:
            continue
        # Half of the rows at least have a wall there, and most of its length.
        profile = np.convolve(np.median(np.stack(bands), axis=0), (0.25, 0.5, 0.25), "same")
        reach = max(own[0], size - 1 - own[-1]) + 1.0
        shifts = np.arange(-reach, reach + 0.25, 0.5)
        first, last, half = np.meshgrid(shifts, shifts, np.arange(-2.0, 2.5, 0.5) + width / 2, indexing="ij")
        shares = np.arange(size) / (size - 1)
        middles = start + pitch * np.arange(size) + first[..., None] * (1 - shares) + last[..., None] * shares
        worth = np.zeros(first.shape)
        for side in (-half[..., None], half[..., None]):
            at = np.rint(middles + side - 0.5).astype(int)
            inside = (at >= 0) & (at < len(profile))
            worth += np.where(inside, profile[np.clip(at, 0, len(profile) - 1)], 0.0).sum(axis=-1)
        # What is nearest to the lattice as it was found, of what is equally good.
        worth -= STRAYING * (np.abs(first) + np.abs(last) + np.abs(half - width / 2))
        best = np.unravel_index(int(worth.argmax()), worth.shape)
        start, pitch = start + float(first[best]), pitch + float(last[best] - first[best]) / (size - 1)
        found = replace(found, x=start, pitch_x=pitch) if across else replace(found, y=start, pitch_y=pitch)
    return found


def _to_the_walls(
    view: View, boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats] | None = None
) -> dict[Cell, Box]:
    """Each cell's inside up to its own walls: digits may stand close to them, and the lattice is a pixel off here and
    there. A side beyond which no wall is met stays where it is. All cells of a column (of a row, above and below) have
    their walls at one distance: what is farther is a neighbour's, met where round corners leave too little of the own
    one."""
    if not view.walled:
        return dict(boxes)
    image, least = view.image, FAINTEST + 3 * view.noise
    reach: dict[Cell, list[int]] = _steps_to_walls(image, boxes, grounds, least) if grounds else {}
    for cell, box in boxes.items() if not reach else ():
        left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
        ground = ink.ground_colour(box.crop(image))
        across = slice(left + int(ENDS * box.width), right - int(ENDS * box.width))
        down = slice(top + int(ENDS * box.height), bottom - int(ENDS * box.height))
        most = max(2, int(FARTHEST * min(box.width, box.height)))
        reach[cell] = []
        for strip in (
            image[down, max(left - most, 0) : left][:, ::-1].swapaxes(0, 1),
            image[max(top - most, 0) : top, across][::-1],
            image[down, right : right + most].swapaxes(0, 1),
            image[bottom : bottom + most, across],
        ):
            differs = np.abs(strip.astype(np.float32) - ground).max(axis=2) > least
            walls = np.flatnonzero(differs.mean(axis=1) > UNBROKEN) if differs.size else np.zeros(0)
            reach[cell].append(int(walls[0]) if len(walls) else NONE)
    usual: dict[tuple[int, int], int] = {}
    for side in range(4):
        lines: dict[int, list[int]] = defaultdict(list)
        for cell, steps in reach.items():
            lines[cell[_line_at(side)]].append(steps[side])
        for number, line in lines.items():
            met = [v for v in line if v != NONE]
            usual[side, number] = int(median(met)) if len(met) > MET * len(line) else 0
    result = {}
    for cell, box in boxes.items():
        more = []
        for side, own in enumerate(reach[cell]):
            most = usual[side, cell[_line_at(side)]]
            more.append(most if own > most + ASTRAY else max(own, 0))
        left, above, right, below = more
        result[cell] = Box(box.x - left, box.y - above, box.width + left + right, box.height + above + below)
    return result


def _line_at(side: int) -> int:
    """Which part of a cell, its row or its column, says with which others it has a side in line."""
    return 1 if side % 2 == 0 else 0


def _steps_to_walls(
    image: Image, boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats], least: float
) -> dict[Cell, list[int]]:
    """How many pixels beyond the inside of each cell its walls are met: left, above, right, below; for cells of about
    one size at once, by some places along each side."""
    height, width = image.shape[:2]
    every = np.array([(b.x, b.y, b.x + b.width, b.y + b.height) for b in boxes.values()])
    left, top, right, bottom = every.T[..., None, None]
    ground = np.stack([grounds[cell] for cell in boxes]).T[..., None, None]
    most = max(2, int(FARTHEST * float(min((right - left).min(), (bottom - top).min()))))
    beyond = np.arange(most)[None, :, None]
    places = np.linspace(ENDS, 1 - ENDS, SAMPLED)[None, None, :]
    down, across = np.rint(top + places * (bottom - top)), np.rint(left + places * (right - left))
    result = []
    for x, y in (
        (left - 1 - beyond, down), (across, top - 1 - beyond), (right + beyond, down), (across, bottom + beyond)
    ):  # fmt: skip
        whole_x, whole_y = x.astype(int), y.astype(int)
        inside = (whole_x >= 0) & (whole_y >= 0) & (whole_x < width) & (whole_y < height)
        at = np.clip(whole_y, 0, height - 1) * width + np.clip(whole_x, 0, width - 1)
        colours = np.moveaxis(np.take(image.reshape(-1, 3), at, axis=0), 3, 0)
        differs = np.logical_or.reduce([np.abs(one - own) > least for one, own in zip(colours, ground, strict=True)])
        differs &= inside
        walls = differs.mean(axis=2) > UNBROKEN
        result.append(np.where(walls.any(axis=1), walls.argmax(axis=1), NONE))
    return dict(zip(boxes, np.stack(result, axis=1).tolist(), strict=True))


def _look(
    view: View,
    found: lattice.Lattice,
    size: int,
    known: Sequence[Template],
    met: dict[tuple[int, ...], Board | None],
    *,
    grow: bool = True,
) -> Board | None:
    """The board on a square block of a lattice; where more cells stand beside it, the whole of them if that is a
    square. ``met``: what became of the blocks that were looked at; the same ones are found again and again in a picture
    without a board."""
    found = _along_the_walls(view, found, size)
    inside = _boxes(view, found, size)
    if inside is None or min(found.pitch_x, found.pitch_y) < 2 * lattice.SMALLEST:
        return None
    plainer = plainly_drawn(view.image, inside, view.noise) if view.walled else None
    if plainer is not None:
        view = replace(view, image=plainer)
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
    within = _to_the_walls(view, inside)
    ends = (within[0, 0], within[size - 1, size - 1])
    key = (size, *(round(v / SAME) for box in ends for v in (box.x, box.y, box.width, box.height)))
    if key not in met:
        hopeless = sum(board is None for board in met.values()) >= FEW_POOR or size > ONE_DIGIT
        met[key] = None
        sheet = cells.read(view.image, within, size, view.noise, known, shows=SHOWN, explains=POOR * hopeless)
        if sheet is not None and sheet.quality >= WORTH:
            share = 1.0 if view.walled else 0.96
            places = {cell: found.box(cell, share) for cell in inside}
            worth = sheet.quality * _complete(sheet, size)
            more = above + below + left + right and not _stands_alone(view, found, size)
            if more or (worth < EXPLAINED and _between(view, found, inside, size, known)):
                worth *= PART
            met[key] = Board(size, places, inside, sheet, view.noise, worth, plainer is not None)
    return met[key]


def _beyond(
    view: View, found: lattice.Lattice, inside: dict[Cell, Box], size: int, known: Sequence[Template]
) -> tuple[int, int, int, int]:
    """How many rows or columns of more cells stand beside a block, above, below, left and right of it: places on its
    lattice, most of which hold digits."""
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
                or cells.glance(_plainer(view, boxes), boxes, view.noise, known, max(size, ONE_DIGIT)) <= WORTH
            ):
                break
            count += 1
        counts.append(count)
    return counts[0], counts[1], counts[2], counts[3]


def _plainer(view: View, boxes: Mapping[Cell, Box]) -> Image:
    plainer = plainly_drawn(view.image, boxes, view.noise)
    return view.image if plainer is None else plainer


def _mostly_bare(view: View, boxes: Mapping[Cell, Box]) -> bool:
    """Whether there is nothing at all in so many places that digits in the others are no line of a board."""
    patches = [box.crop(view.image) for box in boxes.values()]
    bare = sum(int(np.ptp(patch)) < FAINTEST or int(np.ptp(patch, axis=(0, 1)).max()) < FAINTEST for patch in patches)
    return bare > (1 - WORTH) * len(boxes)


def _stands_alone(view: View, found: lattice.Lattice, size: int) -> bool:
    """Whether a block is all that has walls: nearly each of its cells was found by them, and no place beside it. What
    stands there are counters at the ends of its lines."""
    within = sum(0 <= r < size and 0 <= c < size for r, c in found.cells)
    return view.walled and within == len(found.cells) and within >= ALONE * size**2


def _between(view: View, found: lattice.Lattice, inside: dict[Cell, Box], size: int, known: Sequence[Template]) -> bool:
    """Whether more cells with numbers stand between those of a lattice: then it is every second one of a board's."""
    for pitch, own, across in ((found.pitch_x, found.width, True), (found.pitch_y, found.height, False)):
        if pitch < ROOM * own:
            continue
        boxes = {
            (r, c): _halfway(box if view.walled else found.box((r, c), 2 * FULL), pitch, own, across)
            for (r, c), box in inside.items()
            if (c if across else r) < size - 1
        }
        if cells.glance(view.image, boxes, view.noise, known, max(size, ONE_DIGIT)) > WORTH:
            return True
    return False


def _halfway(box: Box, pitch: float, own: float, across: bool) -> Box:
    """What lies between a cell and the next one, without what stands in either: where there are no walls, their places
    reach as far as one another, and the end of one row of digits with the beginning of the next would be a number."""
    x, y = box.centre
    if across:
        width = min(box.width, round(pitch - own))
        return Box(round(x + (pitch - width) / 2), box.y, width, box.height)
    height = min(box.height, round(pitch - own))
    return Box(box.x, round(y + (pitch - height) / 2), box.width, height)


def _promising(view: View, inside: dict[Cell, Box], size: int, known: Sequence[Template]) -> bool:
    """Whether some of the cells, one in each row, hold digits at all; reading all of them costs far more."""
    some = {(i, (i * 2 + i // 2) % size): inside[i, (i * 2 + i // 2) % size] for i in range(size)}
    return cells.glance(view.image, some, view.noise, known, max(size, ONE_DIGIT)) > 0.5 * WORTH


def _complete(sheet: Sheet, size: int) -> float:
    """The share of rows and columns, and numbers, of which some cell may be that number: all of them on a board."""
    return shown(sheet.glyphs, size) ** 2


def _blobs(image: Image) -> Iterator[tuple[View, lattice.Lattice]]:
    """Lattices of cells without walls: what stands together in a cell is one blob, if the gaps within cells are closed
    and those between cells are not."""
    if image.ndim != 3 or min(image.shape[:2]) < 24:
        return
    image, level = smoothed(image)
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    reach = 41
    away = cv2.absdiff(gray, np.asarray(cv2.medianBlur(gray, reach), np.uint8))
    inked = np.asarray(away > max(24.0, 6 * level), np.uint8)
    strength = lattice.edge_strength(image)
    view = View(image, strength, level, max(12.0, 5 * level), False)
    long: list[lattice.Lattice] = []
    for gap in (9, 15, 25, 5, 37):
        closed = cv2.morphologyEx(inked, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(closed, np.uint8), connectivity=8)
        boxes = np.asarray(stats[1:, :4], np.int32)
        fair = (boxes[:, 3] >= 8) & (boxes[:, 2] >= 4) & (boxes[:, 3] < gray.shape[0] / 3)
        boxes = boxes[fair]
        for group in lattice.groups(boxes, 0.25, by_width=False):
            if len(group) < SMALLEST**2:
                break
            found = lattice.fit(group, 0.25)
            if found is None or len(found.cells) < SMALLEST**2 or found.oblong >= LONGEST:
                continue
            if found.oblong < LONG:
                yield view, found
            else:
                long.append(found)
    yield from ((view, found) for found in long)


LONG = 2.0
"""Cells that are so many times as wide as high, and more, may be the lines within others: they are looked at last."""
