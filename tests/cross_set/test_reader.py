"""The reader against real pixels: third parties' windows (where that folder is present), and strange ones that the
bench draws; every candidate in order, what is locked, where the cursor stands; and later pictures of a window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import PuzzleError, UnreadableError
from autoplayer.core.frame import Box
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing.turning import state
from autoplayer.games.cross_set.puzzle import Puzzle, format_puzzle, parse
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision import pieces
from bench.reading import cross_set as strange
from bench.reading import cross_set_boards
from bench.reading.strange import stream

LAYOUT = Layout(game="cross-set")


@pytest.fixture(autouse=True)
def own_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same windows on every machine: levels of remakes stand beside the project on some only."""
    monkeypatch.setattr(cross_set_boards, "_levels", tuple)


REAL = Path(__file__).resolve().parents[3] / "shared" / "screens" / "cross-set"
STILLS = sorted(REAL.glob("*.png")) if REAL.is_dir() else []
WINDOW = (700, 700)
ARRANGEMENTS = {
    "two-rows": {"arrangement": "two-rows"},
    "row": {"arrangement": "row", "ink": 26.0, "small": 17.0},
    "row with commas": {"arrangement": "row", "ink": 20.0, "small": 20.0, "dim": 0.4, "between": "comma"},
    "column": {"arrangement": "column"},
    "corner": {"arrangement": "corner"},
    "slots": {"arrangement": "slots", "ink": 20.0, "small": 20.0, "dim": 0.45},
    "tiny others": {"arrangement": "two-rows", "ink": 44.0, "small": 11.0},
    "tiles": {"arrangement": "two-rows", "walls": "walls-rounded", "gap": 12.0, "radius": 10.0},
}


def board(size: int = 5, seed: int = 1) -> Puzzle:
    return strange.made(stream(seed, "test"), size, 4)


def turned(puzzle: Puzzle, seed: int = 1) -> Puzzle:
    """The board after some clicks."""
    rng = np.random.default_rng(seed)
    rows = []
    for row in puzzle.rows:
        clicks = [int(rng.integers(0, len(cell))) for cell in row]
        rows.append(tuple(cell[k:] + cell[:k] for cell, k in zip(row, clicks, strict=True)))
    return Puzzle(tuple(rows))


@pytest.mark.skipif(not STILLS, reason="the folder of real screenshots is not beside the project")
@pytest.mark.parametrize("path", STILLS, ids=[path.stem for path in STILLS])
def test_real_windows_are_read_without_a_layout(path):
    reading = GAME.read(np.asarray(cv2.imread(str(path)), np.uint8), LAYOUT)
    truth = [line for line in path.with_suffix(".txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert format_puzzle(reading.puzzle).splitlines() == truth
    assert settle(GAME, reading).certain
    given = {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert reading.extra["locked"] == given | ({(0, 1)} if "after" in path.stem else set())
    assert state(reading.image, reading, reading.puzzle).cursor is None
    (x, y), step = reading.places[0, 0].centre, reading.places[1, 2].centre
    assert (x, step[0] - x, step[1] - y) == pytest.approx((132, 320, 126), abs=4)


@pytest.mark.skipif(len(STILLS) < 2, reason="the folder of real screenshots is not beside the project")
def test_a_later_picture_of_a_real_window_shows_what_was_clicked():
    before, after = (np.asarray(cv2.imread(str(path)), np.uint8) for path in reversed(STILLS))
    # The notice at the top is gone in the second picture, and the page has moved up by its height.
    after = np.vstack([before[:56], after])[: before.shape[0]]
    reading = GAME.read(before, LAYOUT)
    now = state(after, reading, reading.puzzle)
    assert now.present
    assert now.active((0, 0)) == 4
    assert (0, 1) in now.locked
    assert [row[1:] for row in now.rows] == [row[1:] for row in reading.puzzle.rows]
    assert not now.doubtful


@pytest.mark.parametrize("look", ARRANGEMENTS)
def test_candidates_are_read_in_the_order_of_the_clicks(look):
    sample, _ = strange.everyday(board(), WINDOW, ARRANGEMENTS[look])
    reading = GAME.read(sample.image, LAYOUT)
    assert format_puzzle(reading.puzzle) == sample.text
    for cell, box in reading.places.items():
        assert sample.places[cell].contains(box.centre)


@pytest.mark.parametrize("look", ARRANGEMENTS)
def test_a_later_picture_says_how_cells_are_turned(look):
    puzzle = board()
    first, _ = strange.everyday(puzzle, WINDOW, ARRANGEMENTS[look])
    second, _ = strange.everyday(turned(puzzle), WINDOW, ARRANGEMENTS[look])
    reading = GAME.read(first.image, LAYOUT)
    now = state(second.image, reading, reading.puzzle)
    assert now.present
    assert now.rows == parse(second.text).rows
    assert now.rows != reading.puzzle.rows
    same = state(first.image, reading, reading.puzzle)
    assert same.rows == reading.puzzle.rows
    assert not same.doubtful


def test_another_board_or_window_is_not_the_same():
    first, _ = strange.everyday(board(), WINDOW)
    reading = GAME.read(first.image, LAYOUT)
    for other in (np.full_like(first.image, 240), first.image[:-10]):
        assert not state(np.ascontiguousarray(other), reading, reading.puzzle).present


@pytest.mark.parametrize("size", range(4, 10))
def test_boards_of_all_sizes(size):
    sample, _ = strange.everyday(board(size), (900, 900))
    assert format_puzzle(GAME.read(sample.image, LAYOUT).puzzle) == sample.text


def test_locked_cells_and_the_cursor_are_seen():
    locked_somewhere = 0
    for seed in range(4):
        puzzle = board(5, seed)
        sample, drawn = strange.everyday(puzzle, WINDOW, {"cursor": True, "walls": "walls-rounded", "gap": 10.0})
        reading = GAME.read(sample.image, LAYOUT)
        assert reading.extra["locked"] == frozenset(drawn.locked)
        assert state(sample.image, reading, reading.puzzle).cursor == drawn.cursor
        locked_somewhere += len(drawn.locked)
        without, _ = strange.everyday(puzzle, WINDOW, {"walls": "walls-rounded", "gap": 10.0})
        reading = GAME.read(without.image, LAYOUT)
        assert state(without.image, reading, reading.puzzle).cursor is None
    assert locked_somewhere


@pytest.mark.parametrize("seed", range(4))
def test_strange_windows_are_never_misread_silently(seed):
    sample = strange.picture(9000 + seed)
    try:
        reading = GAME.read(sample.image, LAYOUT)
    except UnreadableError:
        return
    settled = settle(GAME, reading)
    assert format_puzzle(settled.puzzle) == sample.text or not settled.certain or settled.solution is None


@pytest.mark.parametrize(
    ("look", "why"),
    [
        ({"ink": 20.0, "small": 20.0, "dim": 0.4, "between": "comma", "spread": 0.3}, "commas blurred in many ways"),
        ({"ink": 46.0, "small": 20.0, "spread": 0.13, "dim": 0.5}, "small pale digits close to the active one"),
    ],
)
def test_digits_close_to_other_things_are_whole_and_apart(look, why):
    sample, _ = strange.everyday(
        board(5, 4), WINDOW, {"arrangement": "row", "hinted": False, "snap": False, "active_tint": False, **look}
    )
    reading = GAME.read(sample.image, LAYOUT)
    settled = settle(GAME, reading)
    assert settled.certain, why
    assert format_puzzle(settled.puzzle) == sample.text, why


def test_digits_that_run_into_the_walls_are_not_lost_silently():
    look = {"arrangement": "row", "hinted": False, "snap": False, "ink": 46.0, "small": 28.0, "spread": 0.4}
    sample, _ = strange.everyday(board(5, 4), WINDOW, look)
    settled = settle(GAME, GAME.read(sample.image, LAYOUT))
    assert format_puzzle(settled.puzzle) == sample.text or not settled.certain


def test_parts_of_other_contrast_are_other_glyphs():
    image = np.zeros((60, 80, 3), np.uint8)
    image[10:50, 10:16] = 255  # a strong stroke, beside it two halves of a pale one
    image[10:28, 18:24] = image[31:50, 18:24] = 110
    found = pieces.find(image, Box(0, 0, 80, 60)).pieces
    assert len(found) == 3
    widths = sorted(piece.box.width / piece.scale for piece in pieces.together(found, 0.24))
    assert widths == pytest.approx([6, 6], abs=1.5)


@pytest.mark.parametrize("seed", [3, 7])
def test_ordinary_windows_that_were_misread(seed):
    """3: where strokes lie between the pixels was taken for what is active; 7: commas were taken for parts of
    numbers."""
    sample = strange.ordinary(seed)
    settled = settle(GAME, GAME.read(sample.image, LAYOUT))
    assert settled.certain
    assert format_puzzle(settled.puzzle) == sample.text


@pytest.mark.parametrize("seed", range(6))
def test_other_pictures_are_no_board(seed):
    with pytest.raises(UnreadableError, match="no board of Cross Set"):
        GAME.read(strange.not_a_board(seed).image, LAYOUT)


def test_a_number_in_doubt_is_settled_by_the_rules_wherever_it_stands():
    puzzle = board(6, 3)
    spots = [
        (r, c, i)
        for r, row in enumerate(puzzle.rows)
        for c, cell in enumerate(row)
        for i, n in enumerate(cell)
        if n == 2
    ]
    empty = np.zeros((8, 8, 3), np.uint8)
    doubt = Doubt(tuple(spots), (("1", 0.6), ("2", 0.4)))
    with pytest.raises(PuzzleError, match="twice"):
        GAME.replace(puzzle, dict.fromkeys(spots, "1"))
    wrong = tuple(tuple(tuple(n for n in cell) for cell in row) for row in puzzle.rows)
    reading = Reading(Puzzle(wrong), {}, (doubt,), 0.6, empty)
    settled = settle(GAME, reading)
    assert settled.certain
    assert settled.puzzle == puzzle
    assert set(settled.changed) == set(spots)
    assert (
        "number in cell"
        in settle(GAME, replace(reading, doubts=(replace(doubt, candidates=(("9", 0.6), ("8", 0.4))),))).reason
    )
