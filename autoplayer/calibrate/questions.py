"""The doubts about a picture as questions for a person: one for each distinct glyph."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.base import Doubt, Game, P, Reading, S, Spot
from autoplayer.games.text import tokens
from autoplayer.settle import Settled, settle
from autoplayer.vision import ink, templates

SAME_MARK = 0.985
"""Correlation above which two clusters of a reading are one glyph: in one window, at one size, equal glyphs have 0.99;
an 8 and a 9 of square pixels have 0.94, two letters that differ by half a stroke 0.973. If different glyphs were
merged, nobody could separate them; if equal ones are kept apart, one more question is asked."""

HEARD = 0.5
"""If a reader gives a glyph's answered token less than this probability, the answer has had no effect: the rules would
have to correct the reading in each level."""

SETTLE_LIMIT = 2.0
"""Seconds for the rules to answer what they can: where every glyph is unknown they cannot answer much."""

MIDDLE = 0.16
"""The margin of a cell, on each side, that is left out where only the cell's place is known and not its glyph's."""

SHOWN_AROUND = 0.35
"""The margin around a glyph in its picture, as a share of the glyph."""


SMALL = 0.75
"""An open glyph with less than this share of the highest one's height may be a smaller rendition of another, and known
once that is answered."""


UNDECIDED = 2.0
"""Where the most probable token is less than this many times as probable as the least probable, there is no
preference."""


STRANGE, EXPLAINED = 2, 0.5
"""A window writes with signs of its own where this many of its glyphs are not explained by any token with this
probability: one alone may be the sign of a start. A glyph that looks like a digit there may do so by chance."""


@dataclass(frozen=True)
class Question:
    """One unknown glyph. ``name``: ``glyph-1`` and so on. ``spots``: where it occurs in the picture. ``picture``: how
    it looks there (BGR), with a margin. ``glyph``: its ink, shape ``(h, w)``. ``candidates``: its possible tokens, the
    most probable first; ``believed``: the one that the rules of the game leave, or None."""

    name: str
    spots: tuple[Spot, ...]
    picture: Image
    glyph: Floats
    candidates: tuple[tuple[str, float], ...]
    believed: str | None = None

    @property
    def read(self) -> str | None:
        """What it was read as, where that was not in doubt."""
        return self.candidates[0][0] if len(self.candidates) == 1 else None

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(dict.fromkeys((spot[0], spot[1]) for spot in self.spots))

    def among(self, others: Sequence[Question]) -> bool:
        """Whether it is about the same cells, or the same glyph, as one of ``others``."""
        return any(
            self.spots == other.spots
            or (
                min(self.glyph.size, other.glyph.size) > 0
                and templates.alike(templates.of(self.glyph), templates.of(other.glyph)) > SAME_MARK
            )
            for other in others
        )

    @property
    def text(self) -> str:
        """The question, in a sentence."""
        cells = ", ".join(str(spot) for spot in self.spots[:8]) + (" …" if len(self.spots) > 8 else "")
        number = len(self.spots)
        alike = f"these {number} look alike, in the cells {cells}" if number > 1 else f"this stands in the cell {cells}"
        return f"{alike}: which is it, {' or '.join(self._named)}?"

    @property
    def _named(self) -> list[str]:
        """Its candidates, the most probable first; in numerical order where there is no preference."""
        tokens = [token or NOTHING for token, _ in self.candidates]
        chances = [chance for _, chance in self.candidates]
        if chances and max(chances) < UNDECIDED * min(chances):
            tokens.sort(key=lambda token: (token.isdecimal(), len(token), token))
        return tokens


NOTHING = "."
"""What a person types for a mark that means nothing."""


@dataclass(frozen=True)
class Look(Generic[P, S]):
    """What is known of one picture. ``puzzle``: with all answers so far. ``settled``: the result of applying the rules.
    ``questions``: those still open. ``unheard``: spots whose answer has no effect on the game's reader."""

    image: Image
    reading: Reading[P]
    puzzle: P
    settled: Settled[P, S]
    questions: tuple[Question, ...]
    unheard: tuple[Spot, ...] = ()

    @property
    def known(self) -> bool:
        """Whether nothing is in doubt and every answer has had an effect."""
        return not self.questions


def look(game: Game[P, S], reading: Reading[P], told: Sequence[templates.Template]) -> Look[P, S]:
    """``reading`` with a person's answers (``told``) about its glyphs, and the questions about the others."""
    known: dict[Spot, str] = {}
    unheard: list[Spot] = []
    open_doubts: list[tuple[Doubt, Floats]] = []
    for doubt in reading.doubts:
        glyph = glyph_at(reading, doubt.cells[0])
        token = templates.match(glyph, told)
        if token is not None:
            nothing = NOTHING if any(each == NOTHING for each, _ in doubt.candidates) else ""
            known |= dict.fromkeys(doubt.cells, token or nothing)
            likeliest, chance = doubt.candidates[0]
            if likeliest != (token or nothing) or chance < HEARD:
                unheard += doubt.cells
        else:
            open_doubts.append((doubt, glyph))
    said = tokens_at(game.format(reading.puzzle))
    doubted = {spot for doubt in reading.doubts for spot in doubt.cells}
    for spot in reading.glyphs.keys() - doubted if told else ():
        token = templates.match(glyph_at(reading, spot), told)
        if token and spot in said and token != said[spot]:
            unheard.append(spot)
    try:
        puzzle = game.replace(reading.puzzle, _with_room(said, known)) if known else reading.puzzle
    except PuzzleError:  # wrong answers, which leave no puzzle; the rules will say so
        puzzle = reading.puzzle
    groups = [
        (Doubt(tuple(spot for doubt in doubts for spot in doubt.cells), _joint(doubts)), glyph)
        for alike, glyph in _merged(open_doubts)
        for doubts in ([alike] if _may_be_equal(game, puzzle, alike) else [[doubt] for doubt in alike])
    ]
    left = tuple(doubt for doubt, _ in groups)
    settled = settle(game, replace(reading, puzzle=puzzle, doubts=left), time_limit=SETTLE_LIMIT)
    strange = sum(doubt.candidates[0][1] < EXPLAINED for doubt in left)
    sure = _read_ones(reading, said, doubted, told) if strange >= STRANGE else []
    found = []
    for number, (doubt, glyph) in enumerate([*groups, *sure], start=1):
        first = doubt.cells[0]
        believed = settled.changed.get(first, doubt.candidates[0][0]) if settled.certain and doubt in left else None
        found.append(
            Question(f"glyph-{number}", doubt.cells, _shown(reading, first), glyph, doubt.candidates, believed)
        )
    return Look(reading.image, reading, puzzle, settled, tuple(found), tuple(sorted(unheard)))


def _read_ones(
    reading: Reading[P], said: Mapping[Spot, str], doubted: Collection[Spot], told: Sequence[templates.Template]
) -> list[tuple[Doubt, Floats]]:
    """The glyphs that were read without a doubt (``said``, except ``doubted``), equal ones together, without those that
    a person has named (``told``)."""
    each: list[tuple[Doubt, Floats]] = []
    for spot in sorted(reading.glyphs.keys() - doubted):
        glyph = glyph_at(reading, spot)
        if spot in said and glyph.size and templates.match(glyph, told) is None:
            each.append((Doubt((spot,), ((said[spot], 1.0),)), glyph))
    return [
        (Doubt(tuple(spot for doubt in doubts for spot in doubt.cells), _joint(doubts)), glyph)
        for doubts, glyph in _merged(each)
    ]


def in_turn(questions: Sequence[Question]) -> tuple[list[Question], list[Question]]:
    """The questions to ask first, and those to ask only if they are still open then: those about glyphs much lower than
    the highest."""
    highest = max((question.glyph.shape[0] for question in questions), default=0)
    first = [question for question in questions if question.glyph.shape[0] >= SMALL * highest]
    return first, [question for question in questions if question.glyph.shape[0] < SMALL * highest]


def glyph_at(reading: Reading[P], spot: Spot) -> Floats:
    """The ink of the glyph at a spot, shape ``(h, w)``; empty where there is none."""
    box = reading.glyphs.get(spot)
    if box is not None:
        return templates.around(reading.image, box)
    place = _place(reading, spot)
    dx, dy = round(MIDDLE * place.width), round(MIDDLE * place.height)
    inner = Box(place.x + dx, place.y + dy, place.width - 2 * dx, place.height - 2 * dy)
    return ink.content(reading.image, inner).ink


def tokens_at(text: str) -> Mapping[Spot, str]:
    """The tokens of a puzzle's text by spot: each row's tokens (characters, where it has no spaces), and each part of a
    token that lists several.

    >>> tokens_at("12 3")[0, 0], tokens_at("12 3")[0, 0, 1], tokens_at("4.")[0, 1]
    ('12', '2', '.')
    """
    found: dict[Spot, str] = {}
    for cell, token in tokens(text).items():
        found[cell] = token
        for index, part in enumerate(token.split(",") if "," in token else token):
            found[(*cell, index)] = part
    return found


def paired(said: Mapping[Spot, str], read: Mapping[Spot, str]) -> dict[Cell, Cell] | None:
    """For each cell of a board that was ``read``, the corresponding cell of a known puzzle (``said``): the same one
    where both have the same size; otherwise empty rows and columns are left out first. None where they do not match in
    either way.

    >>> paired(tokens_at("2..1\\n....\\n..3."), tokens_at("2.1\\n.3."))
    {(0, 0): (0, 0), (0, 2): (0, 3), (1, 1): (2, 2)}
    """
    cells = {(spot[0], spot[1]) for spot in read}
    if cells == {(spot[0], spot[1]) for spot in said}:
        return {cell: cell for cell in sorted(cells)}
    meant, seen = _squeezed(said), _squeezed(read)
    return {seen[key]: meant[key] for key in seen} if meant.keys() == seen.keys() else None


def size(said: Mapping[Spot, str]) -> str:
    """The size of a board without its empty rows and columns, in words."""
    cells = _squeezed(said)
    rows, columns = len({row for row, _ in cells}), len({column for _, column in cells})
    return f"{rows} rows and {columns} columns with something in {len(cells)} cells"


def _squeezed(said: Mapping[Spot, str]) -> dict[Cell, Cell]:
    """The non-empty cells, by their row and column among the non-empty rows and columns."""
    cells = sorted((spot[0], spot[1]) for spot, token in said.items() if len(spot) == 2 and token != NOTHING)
    rows = {row: k for k, row in enumerate(sorted({row for row, _ in cells}))}
    columns = {column: k for k, column in enumerate(sorted({column for _, column in cells}))}
    return {(rows[row], columns[column]): (row, column) for row, column in cells}


def _place(reading: Reading[P], spot: Spot) -> Box:
    return reading.places.get((spot[0], spot[1]), Box(0, 0, reading.image.shape[1], reading.image.shape[0]))


def _shown(reading: Reading[P], spot: Spot) -> Image:
    box = reading.glyphs.get(spot)
    if box is None:
        return np.ascontiguousarray(_place(reading, spot).crop(reading.image))
    rim = max(round(SHOWN_AROUND * max(box.width, box.height)), 2)
    grown = Box(box.x - rim, box.y - rim, box.width + 2 * rim, box.height + 2 * rim)
    return np.ascontiguousarray(grown.crop(reading.image))


def _merged(doubts: Sequence[tuple[Doubt, Floats]]) -> list[tuple[list[Doubt], Floats]]:
    """Merges clusters that are one glyph: a cautious reader separates glyphs that differ slightly."""
    groups: list[tuple[list[tuple[Doubt, Floats]], templates.Template | None]] = []
    for doubt, glyph in doubts:
        here = templates.of(glyph) if glyph.size else None
        for members, first in groups:
            alike = here is not None and first is not None and templates.alike(here, first) > SAME_MARK
            if alike and len(members[0][0].cells[0]) == len(doubt.cells[0]):
                members.append((doubt, glyph))
                break
        else:
            groups.append(([(doubt, glyph)], here))
    found = []
    for members, _ in groups:
        largest = sorted(members, key=lambda member: -member[1].shape[0])  # the largest one shows most
        found.append(([doubt for doubt, _ in largest], largest[0][1]))
    return found


def _may_be_equal(game: Game[P, S], puzzle: P, doubts: Sequence[Doubt]) -> bool:
    """Whether there is a token that all of them could be at once. Of tokens that occur once in a level, such as a
    figure and a door, glyphs that look alike without their colours are not equal."""
    if len(doubts) == 1:
        return True
    spots = [spot for doubt in doubts for spot in doubt.cells]
    said = tokens_at(game.format(puzzle))
    for token, _ in _joint(doubts):
        try:
            game.replace(puzzle, _with_room(said, dict.fromkeys(spots, token)))
        except PuzzleError:
            continue
        return True
    return False


def _with_room(said: Mapping[Spot, str], told: Mapping[Spot, str]) -> dict[Spot, str]:
    """``told``, with other spots of the same cells (in ``said``) renamed where necessary: the token of an open spot is
    only provisional, and is replaced where another spot turns out to have it.

    >>> _with_room(tokens_at("231 1"), {(0, 0, 0): "3"})
    {(0, 0, 0): '3', (0, 0, 1): '2'}
    """
    result = dict(told)
    for cell in dict.fromkeys(spot[:2] for spot in told if len(spot) > 2):
        listed = {spot: token for spot, token in said.items() if len(spot) > 2 and spot[:2] == cell}
        taken = {told[spot] for spot in listed if spot in told}
        free = [token for spot, token in listed.items() if spot in told and token not in taken]
        for spot, token in listed.items():
            if spot not in told and token in taken and free:
                result[spot] = free.pop(0)
    return result


def _joint(doubts: Sequence[Doubt]) -> tuple[tuple[str, float], ...]:
    """The candidates of several clusters that are one glyph, weighted by their sizes, the most probable first."""
    sums: dict[str, float] = {}
    for doubt in doubts:
        for token, probability in doubt.candidates:
            sums[token] = sums.get(token, 0.0) + probability * len(doubt.cells)
    total = sum(sums.values()) or 1.0
    return tuple(sorted(((token, value / total) for token, value in sums.items()), key=lambda pair: -pair[1]))
