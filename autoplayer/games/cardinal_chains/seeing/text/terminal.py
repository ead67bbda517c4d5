"""Reads boards on text screens: in a terminal character by character, each separated from the others; elsewhere the
lines that hold no words, as a picture of their own."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.games.cardinal_chains.seeing.board import find_at
from autoplayer.games.cardinal_chains.seeing.glyphs import odds, tokens
from autoplayer.games.cardinal_chains.seeing.judging import find_board, opened, reading_of, refuse_what_is_no_board
from autoplayer.games.cardinal_chains.seeing.text.characters import SetApart, set_apart
from autoplayer.games.cardinal_chains.seeing.text.screens import Cutting, board_alone, boards_in_words
from autoplayer.layout import BoardTable, Layout, templates_folder
from autoplayer.vision import glyphs, ink, templates


def on_a_text_screen(image: Image, layout: Layout, *, typed_only: bool = False) -> Reading[Puzzle] | None:
    """The reading of ``image`` if it is a text screen on which some of the lines are a board; None if no board is found
    there beyond doubt. ``typed_only``: only if words stand around it in the same typeface."""
    if layout.board:
        return None
    loose: Reading[Puzzle] | None = None
    cut = board_alone(image)
    if cut is not None and (cut.typed or not typed_only):
        loose = _of_lines(cut, image, layout)
        for before, behind in PROMPTS if cut.typed else ():
            taken = [*cut.lines[:before], *cut.lines[len(cut.lines) - behind :]]
            if loose is not None or not all(_may_be_a_prompt(line, cut) for line in taken):
                continue
            if (rest := board_alone(image, before, behind)) is not None:
                loose = _of_lines(rest, image, layout)
    return _in_words(image, layout, loose) or loose


def _may_be_a_prompt(line: NDArray[np.int32], cut: Cutting) -> bool:
    """Whether a line with these boxes is shorter than most of the board's: a prompt, or the answer to one."""
    return len(line) <= LONGEST_PROMPT and len(line) < float(np.median([len(one) for one in cut.lines]))


LONGEST_PROMPT = 3
"""Characters of a prompt with the answer to it."""


def _in_words(image: Image, layout: Layout, loose: Reading[Puzzle] | None) -> Reading[Puzzle] | None:
    """The reading of ``image`` if it is a terminal's window, with a board whose characters have no space between them;
    None if none is found beyond doubt, or none that continues the ``loose`` lines that were read."""
    more_than = len(loose.places) if loose else 0
    for cut_out in boards_in_words(image):
        cut = cut_out(0, 0)
        if cut is None or sum(map(len, cut.lines)) <= more_than:
            continue
        apart = set_apart(cut, close=True)
        if apart is None:
            continue
        shares = _shares_of_numbers(apart)
        for first, last in _stretches([row for row, share in enumerate(shares) if share == 1]):
            if any(share > HALF for share in (*shares[max(first - 1, 0) : first], *shares[last + 1 : last + 2])):
                continue  # more of the board stands there
            part = cut_out(first, apart.rows - 1 - last)
            if part is None or not part.typed or (loose and part.foot < loose.extra["text"].foot - part.step / 2):
                continue
            reading = _of_characters(part, image, layout, close=True)
            if reading is not None and len(reading.places) > more_than:
                return reading
    return None


LOWER = 0.85
"""Of a capital letter's height: a lower character is a small letter, and no digit."""

BROADER = 1.4
"""The least ratio of the width of a number of two digits to that of the broadest digit."""

HALF = 0.5
"""The largest share of the characters of a line of words that look like digits or an X."""


def _shares_of_numbers(apart: SetApart) -> list[float]:
    """Of the characters in each row, the share that are digits or an X."""
    said = _said(apart)
    count, alike = Counter(row for row, _ in said), Counter(row for (row, _), token in said.items() if len(token) == 1)
    return [alike[row] / max(count[row], 1) for row in range(apart.rows)]


def _said(apart: SetApart) -> dict[Cell, str]:
    """The token of each character, read alone: a number, an X, or nothing if it is not clear."""
    side = apart.side
    boxes = {cell: Box(cell[1] * side, cell[0] * side, side, side) for cell in apart.boxes}
    drawn = {cell: here.ink for cell, box in boxes.items() if not (here := ink.content(apart.image, box)).bare}
    read_as = glyphs.read_numbers(list(drawn.values())) if drawn else []
    clear = {
        cell: token
        for cell, options in zip(drawn, read_as, strict=True)
        for token, chance in options
        if chance > odds.LEGIBLE
    }
    return {cell: clear.get(cell, "") for cell in apart.boxes}


def _stretches(rows: list[int]) -> list[tuple[int, int]]:
    """The first and the last one of each stretch of rows that follow one another, the longest stretch first."""
    found: list[list[int]] = []
    for row in rows:
        if found and row == found[-1][1] + 1:
            found[-1][1] = row
        else:
            found.append([row, row])
    return sorted(((first, last) for first, last in found), key=lambda ends: ends[0] - ends[1])


PROMPTS = ((1, 0), (0, 1), (1, 1))
"""The number of lines right before and behind a text screen's board in which the answer to a prompt, or a prompt, may
be."""


def _of_lines(cut: Cutting, image: Image, layout: Layout) -> Reading[Puzzle] | None:
    """The board formed by the lines of a text screen, of which none may be left over; None if they are none."""
    if cut.typed:
        return _of_characters(cut, image, layout)
    try:
        best = find_board(cut.image, layout, asking=False)
        refuse_what_is_no_board(best)
        reading = reading_of(cut.image, opened(best))
    except UnreadableError:
        return None
    left_over = [mark for mark in cut.marks if not any(box.contains(mark) for box in reading.places.values())]
    if reading.doubts or left_over:
        return None
    places = {cell: cut.back(box, image) for cell, box in reading.places.items()}
    marks = {spot: cut.back(box, image) for spot, box in reading.glyphs.items()}
    extra = {**reading.extra, "text": cut.text}
    return replace(reading, image=image, places=places, glyphs=marks, extra=extra)


def _of_characters(cut: Cutting, image: Image, layout: Layout, *, close: bool = False) -> Reading[Puzzle] | None:
    """As :func:`_of_lines`, in a terminal, whose characters stand in columns."""
    apart = set_apart(cut, close=close)
    if apart is None or {"0", "X"} <= set(_said(apart).values()):
        return None  # beside starts a zero may be a hole, or the end of a chain
    table = BoardTable(place=(0.0, 0.0, 1.0, 1.0), rows=apart.rows, columns=apart.columns)
    known = templates.load(templates_folder(layout.templates)) if layout.templates else []
    try:
        best = find_at(apart.image, table, tokens.Eyes(tuple(known), asking=False))
        if best is None:
            return None
        refuse_what_is_no_board(best)
        reading = reading_of(apart.image, opened(best))
    except UnreadableError:
        return None
    spots = {cell: apart.cell(box.centre) for cell, box in reading.places.items()}
    if reading.doubts or apart.boxes.keys() - set(spots.values()):
        return None
    digits = {cell: apart.boxes[spots[cell]] for cell in reading.puzzle.cells if cell not in reading.puzzle.starts}
    if min(box.height for box in digits.values()) < LOWER * cut.height:
        return None  # a small letter, as the answer to a prompt
    single = max((box.width for cell, box in digits.items() if reading.puzzle.cells[cell] < 10), default=0)
    if any(box.width < BROADER * single for cell, box in digits.items() if reading.puzzle.cells[cell] >= 10):
        return None  # a sign that looks like two digits
    places = {cell: cut.back(apart.place(spot), image) for cell, spot in spots.items()}
    marks: dict[tuple[int, ...], Box] = {cell: cut.back(apart.boxes[spot], image) for cell, spot in spots.items()}
    extra = {**reading.extra, "text": cut.text}
    return replace(reading, image=image, places=places, glyphs=marks, extra=extra)


def refuse_what_leaves_lines_over(image: Image, reading: Reading[Puzzle]) -> None:
    """Raises UnreadableError if some characters of a terminal's board lie in no cell: the board must consist of all of
    its lines."""
    cut = board_alone(image)
    if cut is None or not cut.typed:
        return
    left_over = [
        (x - cut.shift[0], y - cut.shift[1])
        for x, y in cut.marks
        if not any(box.contains((x - cut.shift[0], y - cut.shift[1])) for box in reading.places.values())
    ]
    if left_over:
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: beside the {len(reading.places)} cells on a lattice {len(left_over)}"
            " characters in the same lines stand in none"
        )
