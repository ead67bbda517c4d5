"""Turns a board that was found into a reading: refuses what is not a board, leaves out holes and isolated groups, and
declares uncertain glyphs as doubts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle
from autoplayer.games.cardinal_chains.seeing.board import find, find_at
from autoplayer.games.cardinal_chains.seeing.covered import covers
from autoplayer.games.cardinal_chains.seeing.covered.under_lines import under_lines
from autoplayer.games.cardinal_chains.seeing.covered.value_colours import by_value_colours
from autoplayer.games.cardinal_chains.seeing.glyphs import odds, tokens
from autoplayer.games.cardinal_chains.seeing.glyphs.views import touches
from autoplayer.games.cardinal_chains.seeing.lattice.level_lists import counts_on, has_one_chosen, is_keypad, is_strip
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Board, Place, around, groups, is_number
from autoplayer.layout import Layout, templates_folder
from autoplayer.vision import ocr, templates

CERTAIN = 0.95
"""A glyph less probable than this is a doubt. Measured on the bench's development side: of the glyph clusters above
it one in eight hundred was wrong, of those between 0.9 and 0.95 one in fifteen."""

ASKED = ("X", *"123456789")
"""The tokens that an unknown symbol may stand for."""

MOST_VOTES = 4
"""How many glyphs in doubt a board puts before the slow voter."""


def opened(best: Board) -> Board:
    """The board with each unknown symbol as a doubt: it may be a start or any number of one digit."""
    often = Counter(place.cluster for place in best.places.values())
    names: dict[int, int] = {}
    for cell, place in best.places.items():
        if place.candidates[0][0] == tokens.UNKNOWN:
            # The commonest symbol is hardly the start; nothing else is known about which symbol is which.
            rank = names.setdefault(place.cluster, len(names))
            first = ASKED[1 + rank % 9] if often[place.cluster] > 1 else "X"
            order = (first, *(token for token in ASKED if token != first))
            options = tuple((token, 1 / len(ASKED)) for token in order)
            best.places[cell] = replace(place, candidates=options)
    return best


def find_board(image: Image, layout: Layout, *, asking: bool, elsewhere: Callable[[], bool] | None = None) -> Board:
    """The board at the position that the layout gives, or wherever it is found; ``elsewhere``: as in
    :func:`board.find`. Raises UnreadableError if there is none."""
    known = templates.load(templates_folder(layout.templates)) if layout.templates else []
    eyes = tokens.Eyes(tuple(known), asking)
    best = find_at(image, layout.board, eyes) if layout.board else find(image, eyes, elsewhere)
    if best is None:
        where = "where the layout says that the board stands there are no" if layout.board else "no lattice of equal"
        raise UnreadableError(f"no board of Cardinal Chains is seen: {where} cells with something in them")
    if not asking:
        best.places.update(under_lines(image, best, best.places))
        best.places.update(by_value_colours(best.places))
    return best


FEW, MOSTLY_CLEAR, MOSTLY = 8, 0.6, 0.7
"""On a lattice of fewer glyphs than this without walls, the share of them that must be clear; and on any lattice, the
share that must be more likely a number or a start than anything else."""


def _may_start(place: Place) -> bool:
    return dict(place.candidates).get("X", 0.0) >= odds.POSSIBLE


MOST_SPOILED = 0.1
"""A board that leaves over more glyphs than this share of those that it reads counts as not found."""


def refuse_what_is_no_board(board: Board) -> None:
    unknown = sum(place.candidates[0][0] == tokens.UNKNOWN for place in board.places.values())
    if 2 * unknown > len(board.places):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen that can be read: {unknown} of {len(board.places)} signs on a lattice"
            " are no digits, as Roman numerals and tally marks are none; `autoplayer calibrate` learns what they say"
        )
    chances = [odds.clarity(place.candidates) for place in board.places.values()]
    legible, clear = sum(p > 0.5 for p in chances), sum(p > odds.LEGIBLE for p in chances)
    if clear < min(max(2, len(chances) / 3), len(chances) / 2):  # lines and corners resemble digits, never clearly
        legible = clear
    if not board.walled and len(chances) < FEW and clear < MOSTLY_CLEAR * len(chances):
        legible = clear  # a few letters of a text stand in a row anywhere
    if legible < 2 or legible < MOSTLY * len(chances):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: of {len(chances)} marks on a lattice only {legible} look like"
            " a number or an X"
        )
    if board.spoiled > MOST_SPOILED:
        raise UnreadableError(
            f"no board of Cardinal Chains is seen clearly: beside the {legible} numbers and starts on a lattice there"
            " are others that it cuts through or leaves over"
        )
    if is_keypad(board.places):
        raise UnreadableError("no board of Cardinal Chains is seen: the numbers on a lattice are those of a keypad")
    if has_one_chosen(board.places):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: {len(board.places)} numbers in a line count on, one of them marked,"
            " as in a list of levels; choose a level first"
        )
    if not any(_may_start(place) for place in board.places.values()):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: there are {legible} numbers on a lattice, but no start with an X"
        )
    if listed := counts_on(board.places):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: {listed} numbers count on in the order of reading, as in a"
            " calendar or a list of levels; choose a level first"
        )


EXACTLY = 0.03
"""The largest relative error of a measured pitch, over a few cells."""


def refuse_what_may_stand_apart(board: Board) -> None:
    """Without walls only distances tell where cells are. If places are exactly twice or three times as long as broad,
    the cells may be oblong, or squares with empty rows between them. If each row then has a start, as a board of its
    own would, nothing tells which, and UnreadableError is raised."""
    long, short = max(board.lattice.pitch_x, board.lattice.pitch_y), min(board.lattice.pitch_x, board.lattice.pitch_y)
    times = round(long / short)
    if board.walled or times < 2 or abs(long / short / times - 1) > EXACTLY:
        return
    down, across = (1, times) if board.lattice.pitch_x == long else (times, 1)
    apart = {(r * down, c * across): place for (r, c), place in board.places.items()}
    lines = groups(apart)
    if len(lines) > 1 and all(any(_may_start(apart[cell]) for cell in line) for line in lines):
        raise UnreadableError(
            "no board of Cardinal Chains is seen clearly: its cells have no walls, and may be"
            f" {times} times as long one way as the other, or squares with empty rows or columns between them"
        )


def _refuse_what_no_chain_reaches(places: Mapping[Cell, Place]) -> None:
    """Raises UnreadableError if a connected part of the board has no start: then some of the board was overlooked, or
    that part is not a board."""
    for group in groups(places):
        if not any(_may_start(places[cell]) for cell in group):
            raise UnreadableError(
                f"no board of Cardinal Chains is seen: {len(group)} of {len(places)} marks on a lattice stand apart"
                " from every start, where no chain can reach them"
            )


def reading_of(image: Image, board: Board) -> Reading[Puzzle]:
    board.places.update(covers.lifted(image, board))
    holes = [
        cell
        for cell, place in board.places.items()
        if place.candidates[0][0] == "" and place.candidates[0][1] >= CERTAIN
    ]
    for cell in holes:
        del board.places[cell]
    for cell in _apart(board):
        del board.places[cell]
    _refuse_what_no_chain_reaches(board.places)
    put_to_vote(board.places)
    doubt_what_is_illegible(board.places)
    top, left = min(r for r, _ in board.places), min(c for _, c in board.places)
    places = {(r - top, c - left): place for (r, c), place in sorted(board.places.items())}
    rows, columns = 1 + max(r for r, _ in places), 1 + max(c for _, c in places)
    grid: list[list[int | None]] = [[None] * columns for _ in range(rows)]
    doubts: dict[tuple[int, odds.Candidates], list[Cell]] = {}
    for (r, c), place in places.items():
        options = tuple((token or ".", p) for token, p in place.candidates)
        token = options[0][0]
        grid[r][c] = START if token == "X" else None if token == "." else int(token)
        if options[0][1] < CERTAIN:
            doubts.setdefault((place.cluster, options), []).append((r, c))
    confidence = 1.0
    for _, options in dict.fromkeys((place.cluster, place.candidates) for place in places.values()):
        confidence *= options[0][1]
    puzzle = Puzzle(tuple(map(tuple, grid)))
    return Reading(
        puzzle=puzzle,
        places={cell: place.box for cell, place in places.items()},
        doubts=tuple(Doubt(tuple(cells), options) for (_, options), cells in doubts.items()),
        confidence=confidence,
        image=image,
        glyphs={cell: place.content.box for cell, place in places.items() if not place.content.bare},
        extra={
            "drawn": _drawn(puzzle, {cell: place.content.ground for cell, place in places.items()}),
            LINES: {(r - top, c - left): line for (r, c), line in _lines_out(board).items()},
        },
    )


ILLEGIBLE, UNLISTED = 0.35, 0.5
"""Something drawn whose likeliest number is less probable than the first is illegible, as where the edge of a veil
parts a number. With the second probability it is none of the numbers that it looks like: the rules, which leave room
for few of these, must not decide among them."""


def doubt_what_is_illegible(places: dict[Cell, Place]) -> None:
    """Let each illegible place be any number up to the highest on the board."""
    highest = max((int(place.candidates[0][0]) for place in places.values() if is_number(place)), default=0)
    for cell, place in places.items():
        if place.content.bare or place.told or highest == 0 or place.candidates[0][1] >= ILLEGIBLE:
            continue
        chances = {token: (1 - UNLISTED) * p for token, p in place.candidates}
        for number in map(str, range(1, highest + 1)):
            chances[number] = chances.get(number, 0.0) + UNLISTED / highest
        ranked = sorted(chances.items(), key=lambda pair: -pair[1])
        places[cell] = replace(place, candidates=tuple(ranked))


LINES = "lines"
"""The key under which a reading keeps the places that may be starts and from which a line leads, with its colour,
BGR."""


def _lines_out(board: Board) -> dict[Cell, Floats]:
    found = {}
    for cell, place in board.places.items():
        if dict(place.candidates).get("X", 0.0) >= odds.POSSIBLE and touches(place.content):
            lines = list(board.lines_into(cell).values())
            if len(lines) == 1:
                found[cell] = lines[0]
    return found


def trimmed(reading: Reading[Puzzle], puzzle: Puzzle) -> tuple[Cell, Reading[Puzzle]] | None:
    """See :func:`autoplayer.games.base.trimmed`: a board's outer rows and columns hold cells."""
    (top, bottom), (left, right) = ((min(line), max(line)) for line in zip(*puzzle.cells, strict=True))
    rest = Puzzle(tuple(row[left : right + 1] for row in puzzle.rows[top : bottom + 1]))
    if rest == puzzle:
        return None

    def within(cell: tuple[int, ...]) -> bool:
        return bool(top <= cell[0] <= bottom and left <= cell[1] <= right)

    def moved(cell: Cell) -> Cell:
        return cell[0] - top, cell[1] - left

    doubts = [(tuple(moved((r, c)) for r, c in doubt.cells if within((r, c))), doubt) for doubt in reading.doubts]
    drawn: Mapping[Cell, int] = reading.extra.get("drawn", {})
    return (top, left), replace(
        reading,
        puzzle=rest,
        places={moved(cell): box for cell, box in reading.places.items() if within(cell)},
        doubts=tuple(Doubt(cells, doubt.candidates) for cells, doubt in doubts if cells),
        glyphs={moved((spot[0], spot[1])): box for spot, box in reading.glyphs.items() if within(spot)},
        extra={
            **reading.extra,
            "drawn": {moved(cell): which for cell, which in drawn.items() if within(cell)},
            LINES: {moved(cell): line for cell, line in reading.extra.get(LINES, {}).items() if within(cell)},
        },
    )


LEAST_MAIN, MAIN = 6, 0.8
"""If fewer cells than this, or a smaller share of them, are connected, the lattice is wrong, not the isolated cells."""


def _apart(board: Board) -> list[Cell]:
    """The places that are disconnected from all others and not part of the board: a doubtful mark without neighbours,
    and a group beyond an empty row or column that has no start (no chain could reach it) or is a single mark. A row or
    column of levels may have as many places as a small board."""
    found = groups(board.places)
    starts = {cell for cell, place in board.places.items() if place.candidates[0][0] == "X"}
    listed = [group for group in found if not starts & set(group) and is_strip({c: board.places[c] for c in group})]
    main = max((group for group in found if group not in listed), key=len, default=found[0])
    (top, bottom), (first, last) = ((min(line), max(line)) for line in zip(*main, strict=True))
    apart: list[Cell] = []
    whole = len(main) >= max(LEAST_MAIN, MAIN * len(board.places))
    for group in found:
        if group is main or len(board.places) < 3:
            continue
        beyond = all(r < top - 1 or r > bottom + 1 or c < first - 1 or c > last + 1 for r, c in group)
        doubted = len(group) == 1 and all(board.places[cell].candidates[0][1] < CERTAIN for cell in group)
        alone = len(group) == 1 and not board.walled  # a start by itself needs no chain, and is rather none
        if doubted or (beyond and (group in listed or (whole and (alone or not starts & set(group))))):
            apart += group
    return apart


def put_to_vote(places: dict[Cell, Place]) -> None:
    """Asks the slow voter about the doubtful glyphs that its vote would make certain, each once for all its cells."""
    clusters: dict[tuple[int, odds.Candidates], list[Cell]] = {}
    for cell, place in places.items():
        chance = odds.probability(place.candidates)
        if chance < odds.LEGIBLE and ocr.WEIGHT * chance / (1 + (ocr.WEIGHT - 1) * chance) >= CERTAIN:
            clusters.setdefault((place.cluster, place.candidates), []).append(cell)
    often = Counter((place.cluster, place.candidates[0]) for place in places.values())
    clear = {token for (_, (token, chance)), cells in often.items() if cells >= SEVERAL and chance >= CERTAIN}
    clusters = {key: cells for key, cells in clusters.items() if len(cells) < SEVERAL or key[1][0][0] not in clear}
    for (_, candidates), cells in list(clusters.items())[:MOST_VOTES]:
        chances = ocr.vote(places[cells[0]].content.ink, dict(candidates))
        ranked = tuple(sorted(chances.items(), key=lambda pair: -pair[1]))
        for cell in cells:
            places[cell] = replace(places[cell], candidates=ranked)


SEVERAL = 4
"""If so many cells show one look, and as many others another look, both are hardly the same number."""

SAME_GROUND = 16
"""Grey levels in a channel: the largest difference between the ground of a cell that a chain holds and that of its
start."""


def _drawn(puzzle: Puzzle, grounds: dict[Cell, Floats]) -> dict[Cell, int]:
    """Which cells are filled with the colour of a start, by the start's index: the remains of a game in progress.

    Only cells connected with their start count. A start without a colour of its own (it may get one when it is touched)
    has the plain cells' colour: that of another start as well, or of most cells.
    """
    cells = list(grounds)
    stacked = np.stack([grounds[cell] for cell in cells])
    is_start = np.array([cell in puzzle.starts for cell in cells])
    drawn: dict[Cell, int] = {}
    for index, start in enumerate(puzzle.starts):
        alike = np.abs(stacked - grounds[start]).max(axis=1) < SAME_GROUND
        share = float(alike[~is_start].mean()) if not is_start.all() else 0.0
        shared = int(alike[is_start].sum()) > 1
        if shared or share == 1 or (share > 0.5 and len(puzzle.starts) > 1):
            continue
        left = {cell for cell, like, first in zip(cells, alike, is_start, strict=True) if like and not first}
        reached, todo = set(), [start]
        while todo:
            for near in around(todo.pop()):
                if near in left and near not in reached:
                    reached.add(near)
                    todo.append(near)
        drawn.update(dict.fromkeys(reached, index))
    return drawn
