"""Small pictures, read enlarged where they show no board as they are: reading, progress and plan in window pixels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.core.gestures import Click, Drag, Keys, Wheel
from autoplayer.games import enlarging
from autoplayer.games.base import Doubt, Move, Reading
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle, parse
from autoplayer.layout import Layout
from autoplayer.settle import settle_trimmed
from tests.cardinal_chains.test_reader import tile_of_pixels

LAYOUT = Layout(game="cardinal-chains", controls="drag")
LEVEL = "2 2 1 1\nX 2 1 1\n2 . X 1\nX 2 2 ."
TILE, LEFT, TOP = 16, 32, 16
COLOURS = ((255, 80, 80), (80, 220, 80), (90, 90, 255))


def window(level: str, drawn: tuple[tuple[Cell, ...], ...] = (), size: tuple[int, int] = (192, 256)) -> Image:
    """A home computer's picture at its own size, its tiles filled where a chain holds them."""
    image = np.full((*size, 3), 205, np.uint8)
    starts = [cell for cell, number in sorted(parse(level).cells.items()) if cell in parse(level).starts]
    held = {cell: COLOURS[starts.index(chain[0])] for chain in drawn for cell in chain}
    for r, row in enumerate(level.splitlines()):
        for c, token in enumerate(row.split()):
            if token != ".":
                cell = image[TOP + TILE * r : TOP + TILE * (r + 1), LEFT + TILE * c : LEFT + TILE * (c + 1)]
                cell[:] = COLOURS[starts.index((r, c))] if token == "X" else held.get((r, c), (205, 205, 205))
                cell[tile_of_pixels(token, 1) > 0] = (0, 0, 0) if token == "X" else (205, 0, 0)
    return image


def place(cell: Cell) -> Box:
    return Box(LEFT + TILE * cell[1], TOP + TILE * cell[0], TILE, TILE)


def test_cells_of_sixteen_pixels_are_read_played_and_followed() -> None:
    image = window(LEVEL)
    reading, settled = settle_trimmed(GAME, GAME.read(image, LAYOUT))
    assert format_puzzle(settled.puzzle) == LEVEL
    assert settled.certain
    assert settled.solution is not None
    assert reading.image is image
    for cell, box in reading.places.items():
        assert place(cell).contains((box.x, box.y)), cell
        assert place(cell).contains((box.x + box.width - 1, box.y + box.height - 1)), cell
    assert all(place(spot[:2]).contains(box.centre) for spot, box in reading.glyphs.items())
    solution = settled.solution
    total = sum(len(chain) - 1 for chain in solution)
    seen = GAME.progress(reading, settled.puzzle, solution, image)
    assert (seen.done, seen.total, seen.wrong) == (0, total, 0)
    [first, *_] = GAME.plan(reading, settled.puzzle, solution, seen, LAYOUT)
    chain = next(chain for chain in solution if len(chain) > 1)
    [drag] = first.gestures
    assert isinstance(drag, Drag)
    assert all(place(cell).contains(point) for cell, point in zip(chain, drag.path, strict=True))
    seen = GAME.progress(reading, settled.puzzle, solution, window(LEVEL, (chain,)))
    assert (seen.done, seen.total, seen.wrong) == (len(chain) - 1, total, 0)
    assert GAME.progress(reading, settled.puzzle, solution, window(LEVEL, tuple(solution))).complete


def reader(seen: list[tuple[int, ...]], least: int) -> Any:
    """What reads a board in pictures that are at least so many pixels high only, and notes what it is given."""

    def look(image: Image) -> Reading[Any]:
        seen.append(image.shape[:2])
        if image.shape[0] < least:
            raise UnreadableError(f"nothing at {image.shape[0]}")
        return Reading(parse("X 1"), {(0, 0): Box(5, 6, 7, 8)}, (), 1.0, image)

    return look


def test_a_picture_that_is_read_at_once_is_not_looked_at_again() -> None:
    seen: list[tuple[int, ...]] = []
    image = np.zeros((100, 120, 3), np.uint8)
    reading = enlarging.read(reader(seen, 100), image)
    assert seen == [(100, 120)]
    assert enlarging.as_read(reading) is reading
    assert enlarging.as_looked_at(image, reading) is image


def test_a_large_picture_is_not_enlarged_and_the_first_reason_is_told() -> None:
    for size, looked_at in (((288, 384), [288, 576]), ((289, 384), [289])):
        seen: list[tuple[int, ...]] = []
        with pytest.raises(UnreadableError, match=f"nothing at {size[0]}"):
            enlarging.read(reader(seen, 1000), np.zeros((*size, 3), np.uint8))
        assert [height for height, _ in seen] == looked_at


def test_gestures_come_back_in_the_windows_own_pixels() -> None:
    image = np.zeros((100, 120, 3), np.uint8)
    reading = enlarging.read(reader([], 200), image)
    assert reading.places == {(0, 0): Box(2, 3, 4, 4)}
    assert enlarging.as_looked_at(image, reading).shape == (200, 240, 3)
    gestures = (Click((10, 21), "right"), Drag(((4, 6), (8, 10))), Wheel((30, 40), -2), Keys(("up",)))
    [move] = enlarging.in_window([Move("all", gestures)], reading)
    assert move.gestures == (Click((5, 10), "right"), Drag(((2, 3), (4, 5))), Wheel((15, 20), -2), Keys(("up",)))


def test_what_is_trimmed_stays_in_both_sizes() -> None:
    """Rows that the rules leave empty are left out of the reading, and of what the game knows of the larger picture."""
    image = window(LEVEL)
    whole = enlarging.as_read(GAME.read(image, LAYOUT))
    cells = {(r + 2, c): box for (r, c), box in whole.places.items()}
    above = Box(cells[2, 0].x, cells[2, 0].y - 4 * TILE, 2 * TILE, 2 * TILE)
    puzzle = parse("5 . . .\n. . . .\n" + LEVEL)  # no chain reaches the 5
    beside = Doubt(((0, 0),), (("5", 0.5), (".", 0.5)))
    larger = replace(whole, puzzle=puzzle, places={(0, 0): above, **cells}, glyphs={}, doubts=(beside,))
    reading, settled = settle_trimmed(GAME, enlarging.as_small(larger, image))
    assert format_puzzle(settled.puzzle) == format_puzzle(reading.puzzle) == LEVEL
    assert all(place(cell).contains(box.centre) for cell, box in reading.places.items())
    assert enlarging.as_read(reading).puzzle == reading.puzzle
    assert enlarging.as_read(reading).places.keys() == reading.places.keys()
