"""Reads a board of Cross Set from a picture of any window: every candidate of every cell in order, the places, the
doubts, which cells are locked, where the cursor of a window played by keys stands; and, in later pictures of the same
window, how the cells have been turned.

The board is found first (``board``), then what each cell holds (``cells``). What is not certain leaves here as a doubt;
the rules decide it in ``settle``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import LayoutError, UnreadableError
from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.base import Doubt, Reading, Spot
from autoplayer.games.cross_set import cells
from autoplayer.games.cross_set.active import OTHER_GROUND
from autoplayer.games.cross_set.board import Board, find, find_at, find_symbols
from autoplayer.games.cross_set.glyph import CERTAIN, JUNK, Glyph
from autoplayer.games.cross_set.judging import chosen
from autoplayer.games.cross_set.lettering import plainly_drawn
from autoplayer.games.cross_set.puzzle import Candidates, Puzzle, format_cell
from autoplayer.layout import Layout, templates_folder
from autoplayer.vision import alike, templates
from autoplayer.vision.signs import are_signs

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""

LEGIBLE = 0.7
"""The worth of a board at least: below this it is some other table of numbers."""

CHANGED = 40
"""Grey levels: a pixel that differs by more shows something else than before; noise and shading stay below."""

UNLIKE = 0.03
"""A number less probable than this is not the one that should stand there."""

HIDES = 0.4
"""How likely something as large as a digit in a cell, which is none, hides or is one that cannot be read."""

MOST_READINGS = 8
"""Readings of a cell that are weighed where something in it is not explained …"""

LIKELY = 0.1
"""… and how probable one of them is at least that something is added to."""

AS_GOOD = 0.1
"""How probable the second of two ways to see a cell is that are about equally good; of some dozens that were looked at,
about one in ten was right."""

MOSTLY_KNOWN = 0.5
"""The share of glyphs that are like the layout's pictures, on a board of signs at least."""

HUGE = 1.8
"""What is no number and this many times as large as one is usually may hide several."""

WEARING, LOW, WORN = 2.0, 9, 0.05
"""Grey levels of noise from which on faint strokes are lost; pixels of the window, for the lines of lower digits are
hardly one of them broad; and how likely a 1 is each of those that lose all but an upright stroke."""

JOINED, SOLID = 0.1, 0.2
"""Shares of a cell's side: what came over cells is joined over as much, for words stand on it, and is at least as broad
as the other, for numbers that changed are not."""

TOUCHED, WHOLE = 0.03, 0.8
"""The share of a cell that something which lies over it covers at least; less than this share of its height or width
lies under what ends in its middle."""

ALONG = 33
"""Pixels along a cell's side of which the middle colour is taken."""

ABSENT = 0.5
"""Where more than this share of the cells shows none of its candidates, the board is not there."""


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """What stands in ``image`` (BGR). Raises UnreadableError with the reason where no board is seen; LayoutError or
    NotFoundError where the layout's templates, or its board, cannot be used."""
    known = _known(layout)
    signs = _of_signs(image, layout, known)
    if signs is not None:
        return _reading(image, _of_kinds(signs))
    if layout.board is None:
        board = find(image, known)
        where = "no square lattice of cells with numbers in them"
    else:
        board = find_at(image, layout.board, known)
        where = "what stands where the layout says that the board stands cannot be read"
    if board is None or (layout.board is not None and board.worth < LEGIBLE):
        raise UnreadableError(f"no board of Cross Set is seen: {where}")
    if board.worth < LEGIBLE:
        raise UnreadableError(
            f"no board of Cross Set is seen: a lattice of {board.size} by {board.size} cells, but what stands in them"
            f" is not every number from 1 to {board.size} in every row and column"
        )
    return _reading(image, board)


def examine(image: Image, layout: Layout) -> Reading[Puzzle]:
    """As :func:`read`, for a person who can be asked: a glyph in doubt may be any number of the board, or none; and
    where the numbers are symbols that nobody knows, each cluster of equal ones is a doubt."""
    known = _known(layout)
    try:
        board = _of_signs(image, layout, known) or read(image, layout).extra["board"]
        reading = _reading(image, board, asked=True)
    except UnreadableError:
        board = find_symbols(image, layout.board, known)
        if board is None:
            raise
        return _reading(image, board, asked=True)
    numbers = [str(n) for n in range(1, reading.puzzle.size + 1)]
    doubts = []
    for doubt in reading.doubts:
        ranked = dict(doubt.candidates)
        if len(doubt.cells[0]) == 3:
            ranked |= {token: NEGLIGIBLE for token in (*numbers, JUNK) if token not in ranked}
        doubts.append(Doubt(doubt.cells, tuple(ranked.items())))
    return replace(reading, doubts=tuple(doubts))


def _of_signs(image: Image, layout: Layout, known: Sequence[templates.Template]) -> Board | None:
    """The board of a window whose numbers are signs that the layout has pictures of; None where they are digits, or not
    seen."""
    board = find_symbols(image, layout.board, known) if are_signs(known) else None
    return board if board is not None and board.worth >= MOSTLY_KNOWN else None


def _of_kinds(board: Board) -> Board:
    """``board``, with the signs of which there is no picture taken for one where they are alike at a rough look: small
    ones stand at parts of a pixel, and the rules say the more, the fewer different ones there are."""
    glyphs = {g.cluster: g for row in board.sheet.glyphs.values() for g in row if g.chance < CERTAIN}
    kinds = dict(zip(glyphs, templates.kinds([g.piece.ink for g in glyphs.values()]), strict=True))
    first = {kind: number for number, kind in reversed(kinds.items())}
    joined = alike.joint(list(kinds.values()), [g.chances for g in glyphs.values()])
    rows = {
        cell: tuple(
            replace(g, chances=joined[kinds[g.cluster]], cluster=first[kinds[g.cluster]]) if g.cluster in kinds else g
            for g in row
        )
        for cell, row in board.sheet.glyphs.items()
    }
    return replace(board, sheet=replace(board.sheet, glyphs=rows))


def _known(layout: Layout) -> list[templates.Template]:
    """The layout's own glyphs. Raises LayoutError also where its board is none of this game's."""
    if layout.board is not None and layout.board.rows != layout.board.columns:
        raise LayoutError(
            f"expected a layout whose board has as many rows as columns, but it has {layout.board.rows} rows and"
            f" {layout.board.columns} columns"
        )
    return templates.load(templates_folder(layout.templates)) if layout.templates else []


def _reading(image: Image, board: Board, asked: bool = False) -> Reading[Puzzle]:
    """``asked``: a person looks at each glyph in doubt, and sees what else stands beside it."""
    rows: list[list[tuple[int, ...]]] = [[() for _ in range(board.size)] for _ in range(board.size)]
    spots: dict[int, list[Spot]] = {}
    clusters: dict[int, Glyph] = {}
    doubts: list[Doubt] = []
    boxes: dict[Spot, Box] = {}
    heights = [g.height for each in board.sheet.glyphs.values() for g in each if g.chance > CERTAIN]
    usual = float(np.median(heights)) if heights else 0.0
    for (r, c), seen in sorted(board.sheet.glyphs.items()):
        huge = [g for g in seen if g.chances.get(JUNK, 0.0) > 0.5 and g.piece.extent > HUGE * usual]
        glyphs = _hiding([_worn(g, board) for g in seen if g not in huge], board, usual)
        kept = [g for g in glyphs if g.chances.get(JUNK, 0.0) < CERTAIN]
        said = chosen(kept)
        if not said:
            rows[r][c] = (1,)
            doubts.append(Doubt(((r, c),), _anything(board.size)))
            continue
        whole = [g for g, token in said if token == g.token or g.chance < CERTAIN]
        if len(whole) < sum(g.token != JUNK for g in kept):  # a number surely stands there twice: one is none
            said = chosen(whole)
            rows[r][c] = tuple(int(token) for _, token in said) or (1,)
            doubts.append(Doubt(((r, c),), _more([g for g, _ in said], board.size, 1)))
            continue
        rows[r][c] = tuple(int(token) for _, token in said)
        sure = all(g.chance >= CERTAIN for g, _ in said)
        rival = board.sheet.rivals.get((r, c), ())
        ways = board.sheet.parted.get((r, c), ())
        if (r, c) in board.sheet.unsure and (sure or not asked):
            doubts.append(Doubt(((r, c),), _turns(ways or [(1.0, [g for g, _ in said])], board.size)))
            if not sure or ways:
                continue
        elif (r, c) in board.sheet.open_order and sure and not ways and len(said) > 2:
            doubts.append(Doubt(((r, c),), _orders(rows[r][c], board.size)))
        elif ways and (sure or not asked):
            doubts.append(Doubt(((r, c),), _otherwise(ways, board.size)))
            continue
        elif huge or ((r, c) in board.sheet.hiding and (sure or not asked)):
            doubts.append(Doubt(((r, c),), _more([g for g, _ in said], board.size, 2 if huge else 1)))
            continue
        elif rival and sure:
            other = tuple(int(token) for _, token in chosen(rival))
            if other and other != rows[r][c]:
                texts = format_cell(rows[r][c], board.size), format_cell(other, board.size)
                doubts.append(Doubt(((r, c),), ((texts[0], 1 - AS_GOOD), (texts[1], AS_GOOD))))
        for index, (g, _) in enumerate(said):
            spots.setdefault(g.cluster, []).append((r, c, index))
            clusters[g.cluster] = g
            boxes[r, c, index] = g.piece.place
    confidence = 1.0
    for number, g in clusters.items():
        top = max(g.chances.values())
        confidence *= top
        if g.chance < CERTAIN:
            ranked = sorted(((t, p) for t, p in g.chances.items() if p >= NEGLIGIBLE), key=lambda pair: -pair[1])
            doubts.append(Doubt(tuple(spots[number]), tuple(ranked)))
    puzzle = Puzzle(tuple(map(tuple, rows)))
    free, held = _locking(board, puzzle)
    return Reading(
        puzzle=puzzle,
        places=dict(board.places),
        doubts=tuple(doubts),
        confidence=confidence,
        image=image,
        glyphs=boxes,
        extra={
            "board": board,
            "free": free,
            "locked": held,
            "cursor": _cursor(image, board, board.sheet.grounds),
            "keys": {},
        },
    )


@dataclass(frozen=True)
class State:
    """What a later picture of a window shows. ``present``: whether it is the same board. ``rows``: the candidates of
    each cell in the order that is seen now, the active one first. ``locked``: the cells that look locked. ``cursor``:
    the cell with a cursor, None where none is seen. ``doubtful``: cells whose order is not certain. ``lone``: the one
    cell of a colour that no other has, None where there is none or several: the cursor may look like that. ``places``:
    where each number of a cell stands, window pixels, as far as it is seen. ``covered``: doubtful cells over which
    something has come that lies over several, as words that tell of a win do."""

    present: bool
    rows: tuple[tuple[Candidates, ...], ...] = ()
    locked: frozenset[Cell] = frozenset()
    cursor: Cell | None = None
    doubtful: frozenset[Cell] = frozenset()
    lone: Cell | None = None
    places: Mapping[tuple[Cell, int], Box] = field(default_factory=dict)
    covered: frozenset[Cell] = frozenset()

    def active(self, cell: Cell) -> int:
        return self.rows[cell[0]][cell[1]][0]


def state(image: Image, reading: Reading[Puzzle], puzzle: Puzzle) -> State:
    """How the cells stand in ``image``, a later picture of the window that ``reading`` was made from; ``puzzle``: its
    board as it was settled. Only the cells' insides that differ from the reading's picture are read."""
    board: Board = reading.extra["board"]
    if image.shape != reading.image.shape:
        return State(False)
    boxes = board.sheet.boxes
    changed = {cell for cell, box in boxes.items() if _differs(box.crop(image), box.crop(reading.image))}
    rows = [list(row) for row in puzzle.rows]
    doubtful: set[Cell] = set()
    grounds = dict(board.sheet.grounds)
    glyphs = dict(board.sheet.glyphs)
    if changed:
        plainer = plainly_drawn(image, boxes, board.noise) if board.outlined else None
        shown = image if plainer is None else plainer
        sheet = cells.read_again(shown, {cell: boxes[cell] for cell in changed}, board.sheet, board.noise)
        lost = 0
        mixes = _tells_by_numbers(puzzle)
        for cell in sorted(changed):
            r, c = cell
            grounds[cell] = sheet.grounds[cell]
            glyphs[cell] = sheet.glyphs[cell]
            known = puzzle.rows[r][c]
            seen = [g.chances for g in sheet.glyphs[cell]]
            turned, sure = _turned(known, seen, sheet.orderless or cell in sheet.open_order)
            if not sure and mixes and (mixed := _mixed(known, seen)):
                turned, sure = mixed, True
            rows[r][c] = turned
            if not sure:
                doubtful.add(cell)
                lost += 1
        if lost > ABSENT * board.size**2:
            return State(False)
    held = _locked(grounds, reading.extra["free"], rows)
    now = tuple(map(tuple, rows))
    places = _number_places(glyphs, now)
    covered = _covered(image, reading.image, board) & doubtful if len(doubtful) > 1 else frozenset[Cell]()
    return State(
        present=True,
        rows=now,
        locked=held,
        cursor=_cursor(image, board, grounds),
        doubtful=frozenset(doubtful),
        lone=_lone(grounds),
        places=places,
        covered=covered,
    )


def _covered(now: Image, then: Image, board: Board) -> frozenset[Cell]:
    """The cells over which a part of ``now`` lies that has come since ``then``, over several of them, and ends in the
    middle of some: a row that changed its colour does not."""
    side = min(min(box.width, box.height) for box in board.inside.values())
    strong = (largest_channel(cv2.absdiff(now, then)) > CHANGED).astype(np.uint8)
    for how, share in ((cv2.MORPH_CLOSE, JOINED), (cv2.MORPH_OPEN, SOLID)):
        strong = np.asarray(cv2.morphologyEx(strong, how, np.ones((max(round(share * side), 1),) * 2, np.uint8)))
    count, labels = cv2.connectedComponents(strong)
    found: set[Cell] = set()
    for number in range(1, count):
        under: set[Cell] = set()
        ends = False
        for cell, box in board.inside.items():
            part = box.crop(labels) == number
            if part.mean() > TOUCHED:
                under.add(cell)
                ends |= min(np.ptp(np.flatnonzero(part.any(axis=k))) / part.shape[1 - k] for k in (0, 1)) < WHOLE
        if len(under) > 1 and ends:
            found |= under
    return frozenset(found)


def _number_places(
    glyphs: Mapping[Cell, Sequence[Glyph]], rows: Sequence[Sequence[Candidates]]
) -> dict[tuple[Cell, int], Box]:
    """Where each number of each cell stands; without those that nothing in their cell looks like."""
    found = {}
    for (r, c), seen in glyphs.items():
        for n in rows[r][c]:
            best = max(seen, key=lambda g: g.chances.get(str(n), 0.0), default=None)
            if best is not None and best.chances.get(str(n), 0.0) > UNLIKE:
                found[(r, c), n] = best.piece.place
    return found


def _differs(now: Image, then: Image) -> bool:
    """Whether a cell looks otherwise than before; a changed glyph changes some pixels by much."""
    if now.shape != then.shape or not now.size:
        return True
    strong = largest_channel(cv2.absdiff(now, then)) > CHANGED
    return bool(np.count_nonzero(strong) > max(3, 0.003 * strong.size))


def _turned(known: Candidates, seen: Sequence[Mapping[str, float]], orderless: bool = False) -> tuple[Candidates, bool]:
    """``known`` turned so that it fits best what is seen, glyph by glyph in the order of the clicks; and whether that
    is sure. ``orderless``: that order cannot be seen, so only the first one must be the right one."""
    if len(known) == 1:
        return known, len(seen) == 1 and seen[0].get(str(known[0]), 0.0) > 0.05
    seen = [chances for chances in seen if chances.get(JUNK, 0.0) < CERTAIN]
    fits = []
    for turn in range(len(known)):
        order = known[turn:] + known[:turn]
        if orderless and len(seen) == len(known):
            likely = [max(c.get(str(n), 0.0) for c in seen[1:]) for n in order[1:]]
            fits.append((float(np.prod([seen[0].get(str(order[0]), 0.0), *likely])) + 0.002 ** len(known), order))
        elif len(seen) == len(known):
            # Where the order is none that it can have, the cell is still turning: then the first one says most.
            floors = [0.002, *[0.01] * (len(known) - 1)]
            pairs = list(zip(order, seen, floors, strict=True))
            fits.append((float(np.prod([chances.get(str(n), 0.0) + low for n, chances, low in pairs])), order))
        else:
            fits.append(((seen[0].get(str(order[0]), 0.0) if seen else 0.0) + 0.002, order))
    fits.sort(key=lambda fit: -fit[0])
    total = sum(worth for worth, _ in fits)
    worth, best = fits[0]
    if len(seen) != len(known):
        return best, False
    # Every number must be possible where it stands: another level's cell may share all but one.
    least = min(
        max(each.get(str(n), 0.0) for each in (seen if orderless else [chances]))
        for n, chances in zip(best, seen, strict=True)
    )
    return best, worth / total > 0.9 and worth > 0.1 ** len(known) and least > UNLIKE


def _tells_by_numbers(puzzle: Puzzle) -> bool:
    """Whether cells hold so many different sets of candidates that these tell one level from another."""
    sets = Counter(frozenset(cell) for row in puzzle.rows for cell in row)
    return max(sets.values()) <= ABSENT * puzzle.size**2


def _mixed(known: Candidates, seen: Sequence[Mapping[str, float]]) -> Candidates | None:
    """``known`` turned to the number that is seen first, where the others stand behind it in an order that turning does
    not bring: in some windows a number changes places with the active one, or the others are sorted anew. None where
    that is not all of them, each once, beyond doubt."""
    first = max(known, key=lambda n: seen[0].get(str(n), 0.0)) if seen else 0
    others = {str(n) for n in known if n != first}
    told = {max(chances, key=lambda token: chances[token]) for chances in seen[1:]}
    sure = all(max(chances.values(), default=0.0) > CERTAIN for chances in seen)
    if len(seen) != len(known) or not sure or seen[0].get(str(first), 0.0) <= CERTAIN or told != others:
        return None
    at = known.index(first)
    return known[at:] + known[:at]


def _locking(board: Board, puzzle: Puzzle) -> tuple[Floats, frozenset[Cell]]:
    """The colour of the cells that can be turned, and the cells that have another: the locked ones."""
    grounds = board.sheet.grounds
    kinds = _kinds(grounds)

    def several(kind: tuple[Floats, list[Cell]]) -> int:
        return sum(len(puzzle.rows[r][c]) > 1 for r, c in kind[1])

    # A cell with a single candidate has nothing to turn: where colours differ, the free ones are the others' colour.
    # But most of the rows may be right already, and show it.
    open_kinds = [kind for kind in kinds if several(kind) and not _shows_lines(set(kind[1]), puzzle.rows)] or kinds
    _, members = max(open_kinds, key=lambda kind: (several(kind), len(kind[1])))
    colour = np.asarray(np.median([grounds[cell] for cell in members], axis=0), np.float32)
    return colour, _locked(grounds, colour, puzzle.rows)


def _locked(grounds: Mapping[Cell, Floats], free: Floats, rows: Sequence[Sequence[Candidates]]) -> frozenset[Cell]:
    """The cells that look locked: of another colour than ``free``, and not for standing in a row or column that is
    right. ``rows``: the candidates of each cell, the active one first."""
    every = np.stack(list(grounds.values()))
    unlike = np.abs(every - free).max(axis=1) > OTHER_GROUND
    other = {cell for cell, one in zip(grounds, unlike.tolist(), strict=True) if one}
    kinds = [set(members) for _, members in _kinds({cell: grounds[cell] for cell in other})]
    shown = [members for members in kinds if _shows_lines(members, rows, other)]
    return frozenset(other.difference(*shown))


def _kinds(grounds: Mapping[Cell, Floats]) -> list[tuple[Floats, list[Cell]]]:
    """The cells of each colour, row by row, with the colour of the first of them."""
    left = sorted(grounds)
    kinds = []
    while left:
        colour = grounds[left[0]]
        alike = (np.abs(np.stack([grounds[cell] for cell in left]) - colour).max(axis=1) <= OTHER_GROUND).tolist()
        kinds.append((colour, [cell for cell, one in zip(left, alike, strict=True) if one]))
        left = [cell for cell, one in zip(left, alike, strict=True) if not one]
    return kinds


def _alike(one: Floats, other: Floats) -> bool:
    """Whether two colours, BGR, are of one kind of cells."""
    return float(np.abs(one - other).max()) <= OTHER_GROUND


def _lone(grounds: Mapping[Cell, Floats]) -> Cell | None:
    """The only cell of a colour that no other has; None where there is none, or several."""
    found = [c for c, own in grounds.items() if not any(_alike(own, other) for d, other in grounds.items() if d != c)]
    return found[0] if len(found) == 1 else None


def _shows_lines(
    members: set[Cell], rows: Sequence[Sequence[Candidates]], with_others: set[Cell] | None = None
) -> bool:
    """Whether some cells of one colour are all that can be turned in their rows and columns, whose active numbers are
    all different: many windows colour lines that are right. ``with_others``: cells that may fill up those lines."""
    coloured = members | (with_others or set())
    turning = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if len(cell) > 1}
    n = len(rows)
    lines = [[(r, c) for c in range(n)] for r in range(n)] + [[(r, c) for r in range(n)] for c in range(n)]
    right = [line for line in lines if len({rows[r][c][0] for r, c in line}) == n]
    explained = set().union(*(line for line in right if turning.intersection(line) <= coloured))
    return len(members & turning) > 1 and members & turning <= explained


def _cursor(image: Image, board: Board, grounds: Mapping[Cell, Floats]) -> Cell | None:
    """The one cell around which something is drawn that is around no other, at its border or just outside of it."""
    every, cells_ = _rings(image, board, grounds), list(board.inside)
    # Locked cells may look otherwise as well, but like one another; the cursor's cell looks like no other.
    left = list(range(len(cells_)))
    alone = []
    while left:
        near = _unlike(every[left[0]], every[left]) < OTHER_GROUND
        alone += left[:1] if near.sum() == 1 else []
        left = [k for k, one in zip(left, near.tolist(), strict=True) if not one]
    alone = [k for k in alone if np.count_nonzero(_unlike(every[k], every) < OTHER_GROUND) == 1]
    if not alone:
        return None
    unlike = np.stack([_unlike(ring, every) for ring in every])
    np.fill_diagonal(unlike, np.inf)
    marks = dict(zip(cells_, unlike.min(axis=1).tolist(), strict=True))
    usual = np.median(np.stack(list(grounds.values())), axis=0)
    # A lone locked cell is like no other as well, so the others are looked at by themselves first.
    plain = {cell: mark for cell, mark in marks.items() if np.abs(grounds[cell] - usual).max() <= OTHER_GROUND}
    return _standing_out(plain) or _standing_out(marks)


def _rings(image: Image, board: Board, grounds: Mapping[Cell, Floats]) -> Floats:
    """The colours along each cell's border: at each step from outside of it inwards, for each side, its middle colour;
    inside of the cell, its difference from the cell's own. Shape ``(cells, steps, 4, 3)``."""
    side = min(board.places[0, 0].width, board.places[0, 0].height)
    depth = max(2, round(0.08 * side))
    stride = max(1, round(0.018 * side))  # a thin line is not stepped over
    away = np.arange(-depth, depth + 1, stride)
    every = np.array([(b.x, b.y, b.x + b.width, b.y + b.height) for b in board.inside.values()])
    x0, y0 = (np.maximum(every[:, k, None] + away, 0) for k in (0, 1))
    x1, y1 = (np.minimum(every[:, k + 2, None] - 1 - away, image.shape[1 - k] - 1) for k in (0, 1))
    # The middle half of each side: corners may be round, and belong to the neighbours' frames too.
    across, down = (
        np.maximum(every[:, k, None], 0)
        + np.rint(np.linspace(0.25, 0.75, ALONG) * (every[:, k + 2] - every[:, k])[:, None])
        for k in (0, 1)
    )
    # A fraction of the time that it takes to ask the picture for rows and columns, or for three bytes each.
    part = np.ascontiguousarray(cv2.cvtColor(image[: int(y1.max()) + 1], cv2.COLOR_BGR2BGRA))
    along, wide = part.view(np.uint32).ravel(), image.shape[1]
    flat = [y[:, :, None] * wide + across.astype(int)[:, None, :] for y in (y0, y1)]
    upright = [down.astype(int)[:, None, :] * wide + x[:, :, None] for x in (x0, x1)]
    strips = np.take(along, np.stack([*flat, *upright], axis=2))
    rings = _channels(strips[:, :, :, 0]).astype(np.float32)
    various = (strips != strips[:, :, :, :1]).any(axis=3)
    rings[various] = np.median(_channels(strips[various]), axis=1)
    # Inside, a ring is compared with the cell's own colour, for locked cells have another.
    own = np.stack([grounds[cell] for cell in board.inside])
    rings[:, away >= 0] -= own[:, None, None]
    return np.asarray(rings, np.float32)


def _channels(pixels: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Blue, green and red of pixels of four bytes, shape ``(..., 3)``."""
    return np.ascontiguousarray(pixels)[..., None].view(np.uint8)[..., :3]


def _unlike(ring: Floats, others: Floats) -> Floats:
    """How unlike some cells' rings are to one: a frame is on all four sides, at the step where it shows best, or at one
    beside it, for a thin line may stand a few pixels farther out on one side; a neighbour's frame touches one side."""
    away = largest_channel(np.abs(others - ring))
    away = np.maximum(np.maximum(away[:, :-2], away[:, 1:-1]), away[:, 2:])
    near, far = np.minimum(away[..., :2], away[..., 2:]), np.maximum(away[..., :2], away[..., 2:])
    # The second of the four sides that are least unlike.
    second = np.minimum(np.maximum(near[..., 0], near[..., 1]), np.minimum(far[..., 0], far[..., 1]))
    return np.asarray(second.max(axis=1), np.float32)


def _standing_out(marks: Mapping[Cell, float]) -> Cell | None:
    """The cell whose mark is far above all others."""
    order = sorted(marks, key=lambda cell: -marks[cell])
    if len(order) < 2 or marks[order[0]] < OTHER_GROUND or marks[order[1]] > 0.5 * marks[order[0]]:
        return None
    return order[0]


def _worn(g: Glyph, board: Board) -> Glyph:
    """A glyph; where noise, or the waves of compression, are as strong as faint strokes, a low 1 may be what is left of
    a digit with an upright one."""
    if board.noise < WEARING or g.token != "1" or g.parts or g.height >= LOW * g.piece.scale or g.chance < CERTAIN:
        return g
    others = [token for token in ("4", "7") if int(token) <= board.size]
    return replace(g, chances={"1": 1 - WORN * len(others), **dict.fromkeys(others, WORN)})


def _hiding(row: Sequence[Glyph], board: Board, usual: float) -> list[Glyph]:
    """The glyphs of a cell; something large that is no number may hide any number that does not stand beside it.
    ``usual``: how high numbers are."""
    if all(g.chances.get(JUNK, 0.0) <= 0.5 for g in row):
        return list(row)
    beside = {g.token for g in row if g.chance > 0.5}
    free = [str(n) for n in range(1, board.size + 1) if str(n) not in beside]
    result = []
    for g in row:
        box = g.piece.box
        wide = min(box.width, box.height) > (0.2 if g.piece.cut else 0.5) * usual
        if g.chances.get(JUNK, 0.0) > 0.5 and free and wide and g.piece.extent > 0.6 * usual:
            chances = {JUNK: 1 - HIDES, **dict.fromkeys(free, HIDES / len(free))}
            result.append(replace(g, chances=chances, cluster=-id(g.piece)))
        else:
            result.append(g)
    return result


def _turns(ways: Sequence[tuple[float, Sequence[Glyph]]], size: int) -> tuple[tuple[str, float], ...]:
    """What a cell may hold of which nobody sees which number is the active one. ``ways``: what its numbers may be."""
    found: dict[str, float] = {}
    for share, row in ways:
        for numbers, p in _readings(row):
            for k in range(len(numbers)):
                text = format_cell(numbers[k:] + numbers[:k], size)
                found[text] = found.get(text, 0.0) + share * p / len(numbers)
    return tuple(sorted(found.items(), key=lambda one: -one[1])) or _anything(size)


def _orders(numbers: Candidates, size: int) -> tuple[tuple[str, float], ...]:
    """What a cell may hold of which the active number is known, and nobody sees which one comes next: the others as
    they were read, from the last to the first, and sorted."""
    lead, rest = numbers[:1], numbers[1:]
    found = dict.fromkeys(format_cell(lead + tuple(each), size) for each in (rest, rest[::-1], sorted(rest)))
    return tuple((text, 1 / len(found)) for text in found)


def _otherwise(ways: Sequence[tuple[float, Sequence[Glyph]]], size: int) -> tuple[tuple[str, float], ...]:
    """What a cell may hold whose digits may be put together to numbers in several ways."""
    found: dict[str, float] = {}
    for share, row in ways:
        for numbers, p in _readings(row):
            if numbers:
                text = format_cell(numbers, size)
                found[text] = found.get(text, 0.0) + share * p
    return tuple(sorted(found.items(), key=lambda one: -one[1])) or _anything(size)


def _readings(row: Sequence[Glyph]) -> list[tuple[Candidates, float]]:
    """The likeliest numbers of a cell's glyphs, with their probabilities."""
    read: list[tuple[Candidates, float]] = [((), 1.0)]
    for g in row:
        options = [(t, p) for t, p in g.chances.items() if p >= NEGLIGIBLE]
        read = [
            ((*before, int(t)) if t else before, q * p)
            for before, q in read
            for t, p in options
            if not t or int(t) not in before
        ]
        read = sorted(read, key=lambda one: -one[1])[:MOST_READINGS]
    return read


def _more(row: Sequence[Glyph], size: int, most: int) -> tuple[tuple[str, float], ...]:
    """What a cell may hold in which something is not explained: what is read, up to ``most`` more numbers anywhere in
    it, or another number in the place of one."""
    found: dict[str, float] = {}
    for numbers, p in _readings(row):
        kinds = [[numbers]] if numbers else []
        last = [numbers]
        for _ in range(most if p >= LIKELY else 0):
            last = [
                (*one[:i], n, *one[i:])
                for one in last
                for n in range(1, size + 1)
                if n not in one
                for i in range(len(one) + 1)
            ]
            # What is not explained may as well be a part of a number that is read as another one without it.
            others = [
                (*numbers[:i], n, *numbers[i + 1 :])
                for n in range(1, size + 1)
                if n not in numbers and len(kinds) == 1
                for i in range(len(numbers))
            ]
            kinds += [last + others] if last or others else []
        for i, kind in enumerate(kinds):
            share = HIDES**i * (1 - HIDES if i + 1 < len(kinds) else 1) / len(kind)
            for each in kind:
                text = format_cell(each, size)
                found[text] = found.get(text, 0.0) + p * share
    return tuple(sorted(found.items(), key=lambda one: -one[1])) or _anything(size)


def _anything(size: int) -> tuple[tuple[str, float], ...]:
    """What a cell may hold in which nothing can be read: any number, or two."""
    between = "," if size > 9 else ""
    numbers = [str(n) for n in range(1, size + 1)]
    texts = numbers + [between.join(pair) for pair in itertools.permutations(numbers, 2)]
    return tuple((text, 1 / len(texts)) for text in texts)
