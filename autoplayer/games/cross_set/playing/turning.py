"""Reads the state of the cells of a board of Cross Set in a later picture of the window that it was read from. Only
what has changed since is read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Image, Mask, largest_channel
from autoplayer.games.base import Reading
from autoplayer.games.cross_set.playing.again import read_again
from autoplayer.games.cross_set.playing.cursor import cursor_of
from autoplayer.games.cross_set.puzzle import Candidates, Puzzle
from autoplayer.games.cross_set.seeing.board import Board
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, JUNK, Glyph
from autoplayer.games.cross_set.seeing.lattice.lettering import plainly_drawn
from autoplayer.games.cross_set.seeing.locking import locked, lone
from autoplayer.vision import threads

CHANGED = 40
"""Grey levels: a pixel that differs by more shows something else than before; noise and shading stay below."""

UNLIKE = 0.03
"""A number less probable than this is not the one that should stand there."""

JOINED, SOLID = 0.1, 0.2
"""Shares of a cell's side. In an overlay across several cells gaps up to ``JOINED`` are closed, because it holds words;
and it is at least ``SOLID`` broad in each direction, unlike changed numbers."""

TOUCHED, WHOLE = 0.03, 0.8
"""The least share of a cell that an overlay covers; an overlay that ends in a cell's middle covers less than the share
``WHOLE`` of its height or width."""

HIDDEN = 0.5
"""An overlay hides more than this share of the wall between two cells that it lies over."""

ABSENT = 0.5
"""If more than this share of the cells shows none of its candidates, the board is not there."""


@dataclass(frozen=True)
class State:
    """What a later picture of a window shows.

    - ``present``: whether it is the same board
    - ``rows``: the candidates of each cell in the order that is seen now, the active one first
    - ``locked``: the cells that look locked
    - ``cursor``: the cell with a cursor, None where none is seen
    - ``doubtful``: cells whose order is not certain
    - ``lone``: the only cell of its colour, None where there is none or several: the cursor may look like that
    - ``places``: where each number of a cell stands, window pixels, as far as it is seen
    - ``covered``: doubtful cells under an overlay across several cells, such as a message about a win
    """

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


@threads.alone()
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
        sheet = read_again(shown, {cell: boxes[cell] for cell in changed}, board.sheet, board.noise)
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
    held = locked(grounds, reading.extra["free"], rows)
    now = tuple(map(tuple, rows))
    places = _number_places(glyphs, now)
    covered = _covered(image, reading.image, board, doubtful)
    return State(
        present=True,
        rows=now,
        locked=held,
        cursor=cursor_of(image, board, grounds),
        doubtful=frozenset(doubtful),
        lone=lone(grounds),
        places=places,
        covered=covered,
    )


def _covered(now: Image, then: Image, board: Board, doubtful: AbstractSet[Cell]) -> frozenset[Cell]:
    """Of the ``doubtful`` cells, those under a part of ``now`` that was not there in ``then``: it lies over several
    cells and ends in the middle of some, unlike a row that changed its colour; or it hides the wall between two."""
    if len(doubtful) < 2:
        return frozenset()
    changed = (largest_channel(cv2.absdiff(now, then)) > CHANGED).astype(np.uint8)
    return (_under(changed, board) | _behind_walls(changed, board, doubtful)) & doubtful


def _behind_walls(changed: Mask, board: Board, doubtful: AbstractSet[Cell]) -> frozenset[Cell]:
    """The doubtful cells between which the wall has ``changed`` along most of its length: an overlay may have the
    colour of the cells, and only its words, the walls and the numbers below it tell where it lies."""
    found: set[Cell] = set()
    for r, c in doubtful:
        own = board.inside[r, c]
        for other in {(r, c + 1), (r + 1, c)} & doubtful:
            across, its = other[0] == r, board.inside[other]
            begin, end = (own.x + own.width, its.x) if across else (own.y + own.height, its.y)
            along = (own.y, own.y + own.height) if across else (own.x, own.x + own.width)
            rows, columns = (along, (begin, end)) if across else ((begin, end), along)
            wall = changed[slice(*rows), slice(*columns)]
            if wall.size and wall.any(axis=int(across)).mean() > HIDDEN:
                found |= {(r, c), other}
    return frozenset(found)


def _under(changed: Mask, board: Board) -> frozenset[Cell]:
    """The cells under something that has ``changed``, lies over several of them, and ends in the middle of some."""
    side = min(min(box.width, box.height) for box in board.inside.values())
    strong = changed
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
    """The position of each number of each cell; without the numbers that nothing in their cell looks like."""
    found = {}
    for (r, c), seen in glyphs.items():
        for n in rows[r][c]:
            best = max(seen, key=lambda g: g.chances.get(str(n), 0.0), default=None)
            if best is not None and best.chances.get(str(n), 0.0) > UNLIKE:
                found[(r, c), n] = best.piece.place
    return found


def _differs(now: Image, then: Image) -> bool:
    """Whether a cell looks different from before; a changed glyph changes some pixels strongly."""
    if now.shape != then.shape or not now.size:
        return True
    strong = largest_channel(cv2.absdiff(now, then)) > CHANGED
    return bool(np.count_nonzero(strong) > max(3, 0.003 * strong.size))


def _turned(known: Candidates, seen: Sequence[Mapping[str, float]], orderless: bool = False) -> tuple[Candidates, bool]:
    """``known`` rotated to the best match with what is seen, glyph by glyph in the order of the clicks; and whether
    that is certain. ``orderless``: that order cannot be seen, so only the first one has to match."""
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
            # If the order is not a possible one, the cell is still turning: then the first number is the best evidence.
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
    # Every number must be possible where it stands: a cell of another level may share all but one.
    least = min(
        max(each.get(str(n), 0.0) for each in (seen if orderless else [chances]))
        for n, chances in zip(best, seen, strict=True)
    )
    return best, worth / total > 0.9 and worth > 0.1 ** len(known) and least > UNLIKE


def _tells_by_numbers(puzzle: Puzzle) -> bool:
    """Whether cells hold so many different sets of candidates that these identify the level."""
    sets = Counter(frozenset(cell) for row in puzzle.rows for cell in row)
    return max(sets.values()) <= ABSENT * puzzle.size**2


def _mixed(known: Candidates, seen: Sequence[Mapping[str, float]]) -> Candidates | None:
    """``known`` rotated to the number that is seen first, where the order of the others is not a rotation: in some
    windows a number changes places with the active one, or the others are sorted anew. None unless all of them are
    seen, each once, beyond doubt; a single one in doubt is the one that is left over, if it may be that number."""
    told = [max(chances, key=lambda token: chances[token], default="") for chances in seen]
    unclear = [k for k, chances in enumerate(seen) if max(chances.values(), default=0.0) <= CERTAIN]
    left = set(map(str, known)) - {token for k, token in enumerate(told) if k not in unclear}
    if len(seen) != len(known) or len(left) != len(unclear) or len(unclear) > 1:
        return None
    for k, token in zip(unclear, left, strict=True):
        if seen[k].get(token, 0.0) <= UNLIKE:
            return None
        told[k] = token
    at = known.index(int(told[0]))
    return known[at:] + known[:at]
