"""Reads a board of Cardinal Chains from a picture of any window: the puzzle, the places, the doubts, what is drawn.

The board is found first (``board``), then what each cell holds (``tokens``). What is not certain leaves here as a
doubt; the rules decide it in ``settle``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cardinal_chains import tokens
from autoplayer.games.cardinal_chains.board import Board, Place, around, find, find_at
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle
from autoplayer.layout import Layout, templates_folder
from autoplayer.vision import ink, ocr, templates

CERTAIN = 0.95
"""A glyph less probable than this is a doubt. Measured on the bench's development side: of the glyph clusters above
it one in eight hundred was wrong, of those between 0.9 and 0.95 one in fifteen."""

GLYPH_LEFT = 0.15
"""Of a glyph's usual ink, the part that is left to see where a pointer lies over it; in the bench's development windows
it was never less than 0.24, and none at all where the place was a hole or a start in a colour of its own."""

PALE = 0.38
"""Ink of less contrast than this, as a share of the glyphs', is the edge of a shadow or veil: in all 12 windows of the
development side whose holes were smudged it was, and in none of 9 with a start that could not be read."""

SURE_HOLE, START_OR_HOLE, PERHAPS_HOLE, NO_HOLE = 0.97, 0.35, 0.3, 0.06
"""How probable it is that an illegible place is a hole: with pale ink; with strong ink of no glyph's colour (always a
start in those windows, but holes may be decorated); with ink of the glyphs' colour where there are no walls; and where
there are."""

PERHAPS_START = 0.25
"""How probable it is that an illegible place is a start: starts look like nothing in particular in some windows."""

WALLED = 0.2
"""How likely a glyph within walls of its own is none, against what the network and its face say: holes are bare."""

SAME_COLOUR, MOST_COLOURS = 32, 4
"""Grey levels in a channel up to which two glyphs have one colour; and how many colours are looked for."""

ASKED = ("X", *"123456789")
"""What a symbol that nobody knows may be."""

MOST_VOTES = 4
"""How many glyphs in doubt a board puts before the slow voter."""


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """What stands in ``image`` (BGR). Raises UnreadableError with the reason where no board is seen,
    NotFoundError or LayoutError where the layout's templates cannot be used."""
    best = _find(image, layout, asking=False)
    _refuse_what_is_no_board(best)
    return _reading(image, best)


def examine(image: Image, layout: Layout) -> Reading[Puzzle]:
    """As :func:`read`, for a person who can be asked: each cluster of equal symbols that nobody knows is a doubt, and
    may be a start or any number of one digit."""
    try:
        return read(image, layout)
    except UnreadableError:
        best = _find(image, layout, asking=True)
        if not any(place.candidates[0][0] == tokens.UNKNOWN for place in best.places.values()):
            raise
    often = Counter(place.cluster for place in best.places.values())
    names: dict[int, int] = {}
    for cell, place in best.places.items():
        if place.candidates[0][0] == tokens.UNKNOWN:
            # The commonest symbol is hardly the start; beyond that nobody knows, and the order is that of the sizes.
            rank = names.setdefault(place.cluster, len(names))
            first = ASKED[1 + rank % 9] if often[place.cluster] > 1 else "X"
            order = (first, *(token for token in ASKED if token != first))
            options = tuple((token, 1 / len(ASKED)) for token in order)
            best.places[cell] = replace(place, candidates=options)
    return _reading(image, best)


def _find(image: Image, layout: Layout, *, asking: bool) -> Board:
    """The board where it stands, or where the layout says that it stands. Raises UnreadableError where none is."""
    known = templates.load(templates_folder(layout.templates)) if layout.templates else []
    eyes = tokens.Eyes(tuple(known), asking)
    best = find_at(image, layout.board, eyes) if layout.board else find(image, eyes)
    if best is None:
        where = "where the layout says that the board stands there are no" if layout.board else "no lattice of equal"
        raise UnreadableError(f"no board of Cardinal Chains is seen: {where} cells with something in them")
    return best


def _covered(image: Image, board: Board) -> dict[Cell, Place]:
    """The places whose ink is nothing that can be read, judged by what there is of the glyphs' own colour: a pointer or
    a hint may lie over any of the board's numbers, of which some is left to see; a start may have a colour of its own;
    a shadow's edge in a hole is pale. What stays open the rules decide."""
    clear = [p for p in board.places.values() if p.candidates[0][0] and p.candidates[0][1] > tokens.LEGIBLE]
    legible = Counter(place.candidates[0][0] for place in clear)
    if not clear:
        return {}
    contrast = float(np.median([place.content.contrast for place in clear]))
    mass = float(np.median([_mass(place.content) for place in clear]))
    colours = _colours(clear)
    result = {}
    alone = 1 + max(place.cluster for place in board.places.values())
    for number, (cell, place) in enumerate(board.places.items(), alone):
        chances = dict(place.candidates)
        nothing = chances.pop("", 0.0)
        if place.content.bare or place.told or not nothing:
            continue
        left = max(_mass(ink.content_in_colour(image, place.content.place, colour)) for colour in colours)
        if place.candidates[0][0]:
            if left > GLYPH_LEFT * mass and board.walled and cell in board.lattice.cells:
                result[cell] = replace(place, candidates=_weighed({**chances, "": nothing * WALLED}))
            continue
        if left > GLYPH_LEFT * mass:
            hole = NO_HOLE if cell in board.lattice.cells else PERHAPS_HOLE
            share = (1 - PERHAPS_START) * nothing / sum(legible.values())
            rest = {"X": PERHAPS_START * nothing} | {token: share * n for token, n in legible.items() if token != "X"}
        else:
            hole = SURE_HOLE if place.content.contrast < PALE * contrast else START_OR_HOLE
            chances, rest = {}, {"X": 1.0}
        for token, p in rest.items():
            chances[token] = chances.get(token, 0.0) + p
        whole = sum(chances.values()) / (1 - hole)
        options = _weighed({"": hole} | {token: p / whole for token, p in chances.items()})
        result[cell] = replace(place, candidates=options, cluster=number)  # two covers may hide two numbers
    return result


def _weighed(chances: Mapping[str, float]) -> tokens.Candidates:
    """What a place may hold, the likeliest first, adding up to 1, without what is not worth a solver's time."""
    total = sum(chances.values())
    ranked = sorted(((token, p / total) for token, p in chances.items()), key=lambda pair: -pair[1])
    return tuple(pair for pair in ranked if pair[1] >= tokens.NEGLIGIBLE)


def _mass(here: ink.Content) -> float:
    """How much ink there is, in square pixels."""
    return 0.0 if here.bare else float(here.ink.sum()) * (here.box.height / here.ink.shape[0]) ** 2


def _colours(places: Sequence[Place]) -> list[Floats]:
    """The colours in which glyphs are drawn, those of most of them first; a few where there are many."""
    found: list[tuple[int, Floats]] = []
    for place in places:
        for i, (count, colour) in enumerate(found):
            if float(np.abs(colour - place.content.colour).max()) < SAME_COLOUR:
                found[i] = count + 1, colour
                break
        else:
            found.append((1, place.content.colour))
    return [colour for _, colour in sorted(found, key=lambda one: -one[0])[:MOST_COLOURS]]


def _refuse_what_is_no_board(board: Board) -> None:
    legible = sum(tokens.probability(place.candidates) > 0.5 for place in board.places.values())
    if legible < 2 or legible < 0.7 * len(board.places):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: of {len(board.places)} marks on a lattice only {legible} look like"
            " a number or an X"
        )
    if not any(token == "X" and p > 0.05 for place in board.places.values() for token, p in place.candidates):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: there are {legible} numbers on a lattice, but no start with an X"
        )


def _reading(image: Image, board: Board) -> Reading[Puzzle]:
    board.places.update(_covered(image, board))
    holes = [
        cell
        for cell, place in board.places.items()
        if place.candidates[0][0] == "" and place.candidates[0][1] >= CERTAIN
    ]
    for cell in holes:
        del board.places[cell]
    for cell in [one for one in board.places if not any(near in board.places for near in around(one))]:
        if board.places[cell].candidates[0][1] < CERTAIN and len(board.places) > 2:
            del board.places[cell]  # a mark apart from all cells
    _put_to_vote(board.places)
    top, left = min(r for r, _ in board.places), min(c for _, c in board.places)
    places = {(r - top, c - left): place for (r, c), place in sorted(board.places.items())}
    rows, columns = 1 + max(r for r, _ in places), 1 + max(c for _, c in places)
    grid: list[list[int | None]] = [[None] * columns for _ in range(rows)]
    doubts: dict[tuple[int, tokens.Candidates], list[Cell]] = {}
    for (r, c), place in places.items():
        options = tuple((token or ".", p) for token, p in place.candidates)
        token = options[0][0]
        grid[r][c] = START if token == "X" else None if token == "." else int(token)
        if options[0][1] < CERTAIN:
            doubts.setdefault((place.cluster, options), []).append((r, c))
    confidence = 1.0
    for _, options in {(place.cluster, place.candidates) for place in places.values()}:
        confidence *= options[0][1]
    puzzle = Puzzle(tuple(map(tuple, grid)))
    return Reading(
        puzzle=puzzle,
        places={cell: place.box for cell, place in places.items()},
        doubts=tuple(Doubt(tuple(cells), options) for (_, options), cells in doubts.items()),
        confidence=confidence,
        image=image,
        glyphs={cell: place.content.box for cell, place in places.items() if not place.content.bare},
        extra={"drawn": _drawn(puzzle, {cell: place.content.ground for cell, place in places.items()})},
    )


def _put_to_vote(places: dict[Cell, Place]) -> None:
    """Asks the slow voter about the glyphs that stayed in doubt, each once for all its cells."""
    clusters: dict[tuple[int, tokens.Candidates], list[Cell]] = {}
    for cell, place in places.items():
        if 0.2 < tokens.probability(place.candidates) < tokens.LEGIBLE:
            clusters.setdefault((place.cluster, place.candidates), []).append(cell)
    for (_, candidates), cells in list(clusters.items())[:MOST_VOTES]:
        chances = ocr.vote(places[cells[0]].content.ink, dict(candidates))
        ranked = tuple(sorted(chances.items(), key=lambda pair: -pair[1]))
        for cell in cells:
            places[cell] = replace(places[cell], candidates=ranked)


def _drawn(puzzle: Puzzle, grounds: dict[Cell, Floats]) -> dict[Cell, int]:
    """Which cells are filled with the colour of a start, by the start's index: what is left of a game in progress.

    Only cells that hang together with their start count. A start without a colour of its own (it may get one when it
    is touched) has the plain cells' colour: that of another start as well, or of most cells.
    """
    numbers = [cell for cell in grounds if cell not in puzzle.starts]

    def alike(cell: Cell, colour: Floats) -> bool:
        return float(np.abs(grounds[cell] - colour).max()) < 16

    drawn: dict[Cell, int] = {}
    for index, start in enumerate(puzzle.starts):
        colour = grounds[start]
        share = sum(alike(cell, colour) for cell in numbers) / max(len(numbers), 1)
        shared = any(alike(other, colour) for other in puzzle.starts if other != start)
        if shared or share == 1 or (share > 0.5 and len(puzzle.starts) > 1):
            continue
        reached, todo = set(), [start]
        while todo:
            for near in around(todo.pop()):
                if near in grounds and near not in puzzle.starts and near not in reached and alike(near, colour):
                    reached.add(near)
                    todo.append(near)
        drawn.update(dict.fromkeys(reached, index))
    return drawn
