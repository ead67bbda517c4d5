"""What a person tells the reader of Cross Set: symbols in the place of numbers, pictures of them, where the board is;
and where each glyph stands."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import LayoutError, UnreadableError
from autoplayer.core.frame import Box
from autoplayer.games.base import examine
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import Puzzle, format_puzzle, parse
from autoplayer.games.cross_set.seeing.glyphs.glyph import Eyes
from autoplayer.games.cross_set.seeing.one_cell.judging import judged
from autoplayer.layout import BoardTable, Layout
from autoplayer.vision import templates
from autoplayer.vision.pieces import Piece
from bench.reading import cross_set as strange
from bench.reading.strange import stream

LAYOUT = Layout(game="cross-set")
BOARD = parse("12 31 24 43\n24 43 31 12\n31 2 1 4\n43 21 2 13")
SIGNS = {
    1: [(0, -1), (0.9, 0.8), (-0.9, 0.8)],
    2: [(-0.85, -0.9), (0.85, -0.9), (0.85, 0.9), (-0.85, 0.9)],
    3: [(0, -1), (0.35, 0), (1, 0.1), (0.3, 0.35), (0, 1), (-0.3, 0.35), (-1, 0.1), (-0.35, 0)],
    4: [(-0.9, -0.9), (-0.3, -0.9), (-0.3, 0.3), (0.9, 0.3), (0.9, 0.9), (-0.9, 0.9)],
}
"""The symbols of a window that nobody knows, as polygons within -1 to 1."""


def symbols(puzzle: Puzzle, pitch: int = 80) -> np.ndarray:
    """A window with symbols: the active one of a cell at its left, the next one smaller beside it; BGR."""
    size = pitch * puzzle.size
    image = np.full((size + 60, size + 90, 3), (236, 232, 226), np.uint8)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            x, y = 40 + c * pitch, 30 + r * pitch
            cv2.rectangle(image, (x, y), (x + pitch, y + pitch), (90, 80, 70), 2)
            for i, number in enumerate(cell):
                radius = (0.17, 0.11)[i] * pitch
                middle = np.array([x + (0.32, 0.72)[i] * pitch, y + 0.5 * pitch])
                points = np.rint((middle + np.array(SIGNS[number]) * radius) * 16).astype(np.int32)
                cv2.fillPoly(image, [points], (30, 20, 60), cv2.LINE_AA, 4)
    return image


def test_symbols_that_nobody_knows_are_asked_about_once_for_each_size():
    image = symbols(BOARD)
    with pytest.raises(UnreadableError):
        GAME.read(image, LAYOUT)
    reading = examine(GAME, image, LAYOUT)
    spots = {(r, c, i): n for r, row in enumerate(BOARD.rows) for c, cell in enumerate(row) for i, n in enumerate(cell)}
    assert {spot for doubt in reading.doubts for spot in doubt.cells} == set(spots)
    for doubt in reading.doubts:
        assert len({spots[spot] for spot in doubt.cells}) == 1
        assert {token for token, _ in doubt.candidates} >= set("1234")
    assert len(reading.doubts) <= 2 * len(SIGNS)
    assert set(reading.glyphs) == set(spots)


def test_symbols_are_read_with_the_layouts_pictures_of_them(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path))
    folder = tmp_path / "templates" / "signs"
    folder.mkdir(parents=True)
    image = symbols(BOARD)
    seen = examine(GAME, image, LAYOUT)
    for doubt in seen.doubts:
        r, c, index = doubt.cells[0]
        glyph = templates.around(image, seen.glyphs[r, c, index])
        templates.save(folder, str(BOARD.rows[r][c][index]), glyph)
    told = Layout(game=GAME.name, templates="signs")
    assert GAME.read(image, told).puzzle == BOARD
    other = parse("21 13 42 34\n24 43 31 12\n13 2 1 4\n43 21 2 31")
    reading = GAME.read(symbols(other), told)
    assert reading.puzzle == other
    assert not reading.doubts


def test_a_number_larger_than_the_board_is_none_of_it():
    ink = np.zeros((24, 20), np.float32)
    ink[:4] = ink[:, :5] = ink[14:18, 3:] = 1
    piece = Piece(Box(5, 5, 20, 24), ink, np.zeros(3, np.float32), 200.0)
    known = [templates.of(ink, "4")]
    (small,), (large,) = (judged({(0, 0): [piece]}, Eyes(size, known))[0, 0] for size in (3, 4))
    assert large.token == "4"
    assert small.chance < 0.1


def test_a_board_stands_where_the_layout_says():
    puzzle = strange.made(stream(4, "told"), 4, 3)
    sample, _ = strange.everyday(puzzle, (700, 500))
    height, width = sample.image.shape[:2]
    first, last = sample.places[0, 0], sample.places[3, 3]
    right, bottom = last.x + last.width, last.y + last.height
    place = (first.x / width, first.y / height, (right - first.x) / width, (bottom - first.y) / height)
    told = Layout(game=GAME.name, board=BoardTable(place=place, rows=4, columns=4))
    reading = GAME.read(sample.image, told)
    assert format_puzzle(reading.puzzle) == sample.text
    for cell, box in reading.places.items():
        assert sample.places[cell].contains(box.centre)
    elsewhere = Layout(game=GAME.name, board=BoardTable(place=(0, 0, 0.1, 0.1), rows=4, columns=4))
    with pytest.raises(UnreadableError, match="layout"):
        GAME.read(sample.image, elsewhere)
    oblong = Layout(game=GAME.name, board=BoardTable(place=place, rows=4, columns=5))
    with pytest.raises(LayoutError, match="5 columns"):
        GAME.read(sample.image, oblong)


def test_every_glyph_has_its_place():
    sample, _ = strange.everyday(strange.made(stream(5, "told"), 5, 4), (700, 700))
    reading = GAME.read(sample.image, LAYOUT)
    spots = {
        (r, c, i) for r, row in enumerate(reading.puzzle.rows) for c, cell in enumerate(row) for i in range(len(cell))
    }
    assert set(reading.glyphs) == spots
    for (r, c, index), box in reading.glyphs.items():
        assert reading.places[r, c].contains(box.centre)
        if index:  # the active one is the largest
            assert box.height < reading.glyphs[r, c, 0].height


def test_a_glyph_in_doubt_may_be_any_number_where_a_person_is_asked():
    sample, _ = strange.everyday(strange.made(stream(6, "told"), 5, 3), (700, 700))
    reading = GAME.read(sample.image, LAYOUT)
    (r, c, index), box = next(iter(reading.glyphs.items()))
    spoiled = sample.image.copy()
    spoiled[box.y + box.height // 3 : box.y + 2 * box.height // 3, box.x - 2 : box.x + box.width + 2] = 20
    seen = examine(GAME, spoiled, LAYOUT)
    mine = [doubt for doubt in seen.doubts if (r, c, index) in doubt.cells]
    assert mine
    assert {token for token, _ in mine[0].candidates} >= set("12345")
