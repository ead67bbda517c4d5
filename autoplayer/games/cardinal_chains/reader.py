"""Reads a board of Cardinal Chains from a picture of any window: the puzzle, the places, the doubts, what is drawn.

The board is found first (``board``), then the content of each cell (``tokens``). Uncertain glyphs are returned as
doubts (``judging``); the rules decide them in ``settle``. Text screens are read in another way (``terminal``).
"""

from __future__ import annotations

from collections.abc import Collection

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.games.cardinal_chains.seeing.glyphs import tokens
from autoplayer.games.cardinal_chains.seeing.judging import (
    find_board,
    opened,
    reading_of,
    refuse_what_is_no_board,
    refuse_what_may_stand_apart,
)
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Board
from autoplayer.games.cardinal_chains.seeing.text.terminal import on_a_text_screen, refuse_what_leaves_lines_over
from autoplayer.layout import Layout
from autoplayer.vision import glyphs


@glyphs.remembering()
def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """The board in ``image`` (BGR). Raises UnreadableError with the reason if no board is found, NotFoundError or
    LayoutError if the layout's templates cannot be used."""
    typed: list[Reading[Puzzle]] = []
    best: Board | None = None

    def on_a_terminal() -> bool:
        alone = on_a_text_screen(image, layout, typed_only=True)
        typed.extend([alone] if alone else [])
        return bool(typed)

    try:
        best = find_board(image, layout, asking=False, elsewhere=on_a_terminal)
        refuse_what_is_no_board(best)
        refuse_what_may_stand_apart(best)
        reading = reading_of(image, opened(best))
        if not best.walled and not layout.board:
            refuse_what_leaves_lines_over(image, reading)
        if best.walled or not reading.doubts:
            return reading
    except UnreadableError as reason:
        alone = typed[0] if typed else on_a_text_screen(image, layout)
        # Of closed cells that cannot all be read, those that can are no board.
        if alone is None or (best is not None and best.walled and _is_a_part(alone, best.places)):
            raise reason from None
        return alone
    alone = on_a_text_screen(image, layout)
    # Words in the same typeface around it prove that it is the board of a text screen, whatever else is found.
    if alone is None or (_is_a_part(alone, reading.places) and not on_a_terminal()):
        return reading
    return alone


def _is_a_part(alone: Reading[Puzzle], seen: Collection[Cell]) -> bool:
    """Whether the board that was cut out of a text screen is only a small part of the places ``seen`` in the whole
    picture."""
    return len(seen) > MOST_BEYOND * len(alone.places)


MOST_BEYOND = 1.3
"""How many times as many places as the board of a text screen may be found in the whole picture."""


def examine(image: Image, layout: Layout) -> Reading[Puzzle]:
    """As :func:`read`, for a person who can be asked: each cluster of equal unknown symbols is a doubt, and may be a
    start or any number of one digit."""
    try:
        return read(image, layout)
    except UnreadableError:
        best = find_board(image, layout, asking=True)
        if not any(place.candidates[0][0] == tokens.UNKNOWN for place in best.places.values()):
            raise
    return reading_of(image, opened(best))
