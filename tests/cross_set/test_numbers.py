"""Boards larger than 9x9: how digits are put together to numbers, by what stands between them and by how far apart they
stand; and every cell of such boards as the project draws them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing import turning
from autoplayer.games.cross_set.puzzle import Puzzle, format_puzzle, parse
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph
from autoplayer.games.cross_set.seeing.glyphs.numbers import digits_of, numbers_of, spacing_of
from autoplayer.games.cross_set.seeing.glyphs.parting import is_unparted, like_signs, parting_signs
from autoplayer.games.cross_set.seeing.one_cell import choosing
from autoplayer.games.cross_set.seeing.ordering.slots import placed
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision.pieces import Piece
from bench.reading import cross_set as strange
from bench.reading.drawn_faces import STROKE_FACES
from bench.reading.strange import stream

LAYOUT = Layout(game="cross-set")
WINDOW = (1100, 1100)
WIDE, HIGH = 12, 20
WITHIN, BETWEEN = 3, 12
"""Pixels: a digit, and the gaps of a window."""

ARRANGEMENTS = {
    "two-rows": {"arrangement": "two-rows"},
    "row": {"arrangement": "row", "ink": 20.0, "small": 14.0, "spread": 0.5},
    "row with commas": {"arrangement": "row", "ink": 14.0, "small": 14.0, "dim": 0.4, "between": "comma"},
    "row with slashes": {"arrangement": "row", "ink": 14.0, "small": 14.0, "dim": 0.4, "between": "slash"},
    "row with middle dots": {"arrangement": "row", "ink": 14.0, "small": 14.0, "dim": 0.4, "between": "middle-dot"},
    "lines with commas": {"arrangement": "two-rows", "between": "comma", "face": STROKE_FACES[0]},
    "column": {"arrangement": "column", "ink": 28.0, "small": 15.0},
    "corner": {"arrangement": "corner", "ink": 28.0, "small": 14.0},
    "slots": {"arrangement": "slots", "ink": 13.0, "small": 13.0, "dim": 0.45},
    "tiles": {"arrangement": "two-rows", "walls": "walls-rounded", "gap": 8.0, "radius": 8.0},
}


def piece(x: int, y: int, width: int, height: int) -> Piece:
    return Piece(Box(x, y, width, height), np.ones((height, width), np.float32), np.zeros(3, np.float32), 200.0)


def digit(token: str, x: int, y: int = 0, chance: float = 0.999) -> Glyph:
    return Glyph(piece(x, y, WIDE, HIGH), {token: chance, JUNK: 1 - chance}, int(token))


def line(text: str, within: int = WITHIN, between: int = BETWEEN) -> list[Glyph]:
    """Numbers as a window sets them; ``text``: spaces between."""
    row, x = [], 0
    for number in text.split():
        for token in number:
            row.append(digit(token, x))
            x += WIDE + within
        x += between - within
    return row


def said(row: Sequence[Glyph]) -> str:
    return " ".join(g.token for g in sorted(row, key=lambda g: g.piece.box.x))


def ways(text: str, others: str = "10 7 3", size: int = 12, gap: int | None = None) -> list[tuple[float, str]]:
    """What the digits of a line may be beside other cells of the board; ``gap``: between the first two digits."""
    seen: dict[Cell, list[Glyph]] = {(1, c): line(others) for c in range(8)}
    row = line(text)
    if gap is not None:
        row = [row[0], *(digit(g.token, g.piece.box.x + gap - WITHIN) for g in row[1:])]
    seen[0, 0] = row
    found = numbers_of(seen, size, spacing_of(seen, size, False), {})
    return [(p, said(row)) for p, row in found[0, 0]]


@pytest.mark.parametrize("text", ["12 5", "1 2 5", "10 1 2", "1 12 11", "11 1", "1 11", "3 10 2", "12", "10 11 12 1 2"])
def test_gaps_as_elsewhere_on_the_board_say_where_numbers_end(text: str) -> None:
    ((p, found),) = ways(text)
    assert found == text
    assert p > 0.99


def test_a_gap_that_is_neither_is_a_doubt_with_both() -> None:
    found = ways("12 5", gap=(WITHIN + BETWEEN) // 2)
    assert {text for _, text in found} == {"12 5", "1 2 5"}
    assert max(p for p, _ in found) < 0.95


@pytest.mark.parametrize(("gap", "text"), [(0, "10 5"), (6, "10 5"), (9, "10 5")])
def test_a_zero_belongs_to_what_stands_before_it_whatever_the_gap(gap: int, text: str) -> None:
    assert ways("10 5", gap=gap)[0][1] == text


@pytest.mark.parametrize(("text", "found"), [("13 5", "1 3 5"), ("25 4", "2 5 4"), ("31 2", "3 1 2")])
def test_what_would_be_too_large_a_number_is_two(text: str, found: str) -> None:
    assert ways(text) == [(pytest.approx(1.0, abs=0.01), found)]


def test_no_number_stands_twice_in_a_cell() -> None:
    (p, found), *_ = ways("11 5", gap=(WITHIN + BETWEEN) // 2)
    assert (found, p > 0.99) == ("11 5", True)


def test_digits_of_two_sizes_or_lines_are_two_numbers() -> None:
    seen = {(1, c): line("10 7 3") for c in range(8)}
    large = Glyph(piece(0, 0, 20, 36), {"1": 1.0}, 1)
    below = digit("2", 0, HIGH + 4)
    for other in (digit("2", 23, 16), digit("2", 23, 40)):
        seen[0, 0] = [large, other]
        assert said(numbers_of(seen, 12, spacing_of(seen, 12, False), {})[0, 0][0][1]) == "1 2"
    seen[0, 0] = [digit("1", 0), below]
    assert len(numbers_of(seen, 12, spacing_of(seen, 12, False), {})[0, 0][0][1]) == 2


def test_a_number_is_made_of_its_digits() -> None:
    seen = {(0, c): line("10 12 3") for c in range(8)}
    ((_, row), *_) = numbers_of(seen, 12, spacing_of(seen, 12, False), {})[0, 0]
    ten, twelve, three = row if row[0].token == "10" else (row[1], row[2], row[0])
    assert (ten.token, twelve.token, three.token) == ("10", "12", "3")
    assert ten.piece.box == Box(0, 0, 2 * WIDE + WITHIN, HIGH)
    assert [g.token for g in digits_of([ten, three])] == ["1", "0", "3"]
    assert ten.cluster != twelve.cluster
    assert sum(ten.chances.values()) == pytest.approx(1.0)


def test_what_may_be_two_digits_makes_the_numbers_that_there_are() -> None:
    seen = {(0, c): line("10 7 3") for c in range(8)}
    seen[0, 0] = [Glyph(piece(0, 0, WIDE, HIGH), {"1": 0.6, "7": 0.4}, 1), digit("2", WIDE + WITHIN)]
    ((p, row), *_) = numbers_of(seen, 12, spacing_of(seen, 12, False), {})[0, 0]
    assert said(row) == "12"
    assert p > 0.9
    assert "72" not in row[0].chances


def sign(x: int, y: int = 16) -> Piece:
    return piece(x, y, 4, 6)


def with_signs(text: str) -> tuple[list[Glyph], list[Piece]]:
    """A line with a comma between its numbers, and all its pieces."""
    row = line(text, between=16)
    gaps = [(a.piece.right, b.piece.box.x) for a, b in itertools.pairwise(row)]
    signs = [sign((left + right) // 2 - 2) for left, right in gaps if right - left > WITHIN]
    return row, [g.piece for g in row] + signs


def test_signs_between_numbers_are_found_and_part_them() -> None:
    lines = {(0, c): with_signs(text) for c, text in enumerate(["10 7 3", "1 2 9", "12 4", "8 11 5", "6", "3 10 2"])}
    seen, atoms = {c: row for c, (row, _) in lines.items()}, {c: parts for c, (_, parts) in lines.items()}
    signs = parting_signs(seen, atoms, 12)
    assert {cell: len(row) for cell, row in signs.items()} == {(0, 0): 2, (0, 1): 2, (0, 2): 1, (0, 3): 2, (0, 5): 2}
    boxes = {cell: [p.box for p in row] for cell, row in signs.items()}
    found = numbers_of(seen, 12, spacing_of(seen, 12, True), boxes)
    assert [said(found[0, c][0][1]) for c in range(6)] == ["10 7 3", "1 2 9", "12 4", "8 11 5", "6", "3 10 2"]
    assert not is_unparted(found[0, 0][0][1], boxes[0, 0])
    assert is_unparted(found[0, 0][0][1], boxes[0, 0][:1]), "a sign went into a number"
    later = with_signs("7 3 10")[1]
    assert len(like_signs(later, signs[0, 0])) == 2


def test_a_digit_that_stands_between_others_is_no_sign() -> None:
    """All 1s look alike, and may stand between any two: but also at the ends, and within 11."""
    rows = {(0, c): line(text) for c, text in enumerate(["10 1 3", "7 1 9", "1 4", "11 5", "6 1 8", "3 1 2"])}
    assert parting_signs(rows, {c: [g.piece for g in row] for c, row in rows.items()}, 12) == {}


def test_the_place_of_a_number_tells_it_from_two() -> None:
    """Pencil marks: 12 stands where 12 always stands."""
    boxes = {(0, c): Box(0, 0, 200, 100) for c in range(6)}

    def marks(*numbers: int) -> list[Glyph]:
        row = []
        for n in numbers:
            x, y = 50 * ((n - 1) % 4), 33 * ((n - 1) // 4)
            row += [digit(token, x + i * (WIDE + 4), y) for i, token in enumerate(str(n))]
        return row

    several = [(1, 2, 12), (2, 12, 7), (1, 7, 12), (1, 2, 7), (2, 7, 12), (1, 2, 12)]
    seen = {(0, c): marks(*numbers) for c, numbers in enumerate(several)}
    found = numbers_of(seen, 12, spacing_of(seen, 12, False), {})
    together, apart = found[0, 1][0][1], marks(2, 12, 7)
    assert sorted(g.token for g in together) == ["12", "2", "7"]
    (first, _), (second, _) = placed({**found, (0, 1): [(0.5, together), (0.5, apart)]}, boxes)[0, 1]
    assert first > 100 * second


def test_a_digit_that_lost_strokes_in_one_way_to_see_it_may_be_the_one_that_has_them() -> None:
    whole, thin = digit("8", 0), digit("3", 0)
    thin = replace(thin, piece=replace(thin.piece, ink=np.asarray(thin.piece.ink * 0.8, np.float32)))
    five = digit("5", 40)
    (doubted, other) = choosing.thinned({(0, 0): [thin, five]}, {(0, 0): [(0.2, [whole, five])]})[0, 0]
    assert doubted.chances == {"3": 0.5, "8": 0.5}
    assert other is five
    assert choosing.thinned({(0, 0): [whole, five]}, {(0, 0): [(0.2, [thin, five])]})[0, 0] == [whole, five]


def board(size: int, most: int = 3, seed: int = 1) -> Puzzle:
    return strange.made(stream(seed, "large"), size, most)


@pytest.mark.parametrize("look", ARRANGEMENTS)
def test_numbers_of_two_digits_are_read_in_every_arrangement(look: str) -> None:
    sample, _ = strange.everyday(board(12), WINDOW, ARRANGEMENTS[look])
    reading = GAME.read(sample.image, LAYOUT)
    assert format_puzzle(reading.puzzle) == sample.text
    assert settle(GAME, reading).certain
    for cell, box in reading.places.items():
        assert sample.places[cell].contains(box.centre)


@pytest.mark.parametrize("size", [10, 13, 16])
def test_boards_of_all_sizes(size: int) -> None:
    sample, _ = strange.everyday(board(size), (1300, 1300))
    assert format_puzzle(GAME.read(sample.image, LAYOUT).puzzle) == sample.text


@pytest.mark.parametrize("seed", [1, 2])
def test_the_games_own_picture_is_read_without_a_doubt(seed: int) -> None:
    """Its soft edges reach two pixels out of a strong number that stands between two pixels, as 10 does."""
    puzzle = GAME.generate(10, 10, seed)
    reading = GAME.read(GAME.draw(puzzle), LAYOUT)
    assert reading.puzzle == puzzle
    assert not reading.doubts


@pytest.mark.parametrize("look", ["two-rows", "row with commas", "slots"])
def test_a_later_picture_says_how_cells_are_turned(look: str) -> None:
    puzzle = board(11)
    rng = np.random.default_rng(5)
    clicks = rng.integers(0, 3, (11, 11)).tolist()
    turned = Puzzle(
        tuple(
            tuple(cell[k % len(cell) :] + cell[: k % len(cell)] for cell, k in zip(row, line, strict=True))
            for row, line in zip(puzzle.rows, clicks, strict=True)
        )
    )
    first, _ = strange.everyday(puzzle, WINDOW, ARRANGEMENTS[look])
    second, _ = strange.everyday(turned, WINDOW, ARRANGEMENTS[look])
    reading = GAME.read(first.image, LAYOUT)
    now = turning.state(second.image, reading, reading.puzzle)
    assert now.present
    assert now.rows == parse(second.text).rows != reading.puzzle.rows
    assert not now.doubtful


@pytest.mark.parametrize("seed", range(3))
def test_strange_windows_are_never_misread_silently(seed: int) -> None:
    sample = strange.large(9000 + seed)
    try:
        reading = GAME.read(sample.image, LAYOUT)
    except UnreadableError:
        return
    settled = settle(GAME, reading)
    assert not settled.certain or not settled.solution or format_puzzle(settled.puzzle) == sample.text
