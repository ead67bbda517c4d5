"""Which of a cell's candidates is active, from their sizes and places alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell
from autoplayer.games.base import Doubt, Reading, indifferent
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.ordering.order import Ordered, ordered
from autoplayer.settle import settle
from autoplayer.vision.pieces import Piece

ROWS = ("12 21 34 43", "65 56 12 31", "46 64 16 61", "13 31 26 62")
"""The active one first. Every number is met in both sizes."""

OLD_STYLE = {"1": 0.7, "2": 0.7, "6": 1.1}
"""The heights of numerals that are not as high as the others."""

PITCH = 100

Places = tuple[tuple[int, int, int], ...]


def glyph(token: str, x: int, y: int, height: float, breadth: float = 0.6, contrast: float = 200.0) -> Glyph:
    box = Box(x, y - round(height), round(breadth * height), round(height))
    ink = np.ones((box.height, box.width), np.float32)
    return Glyph(Piece(box, ink, np.zeros(3, np.float32), contrast), {token: 0.99, "": 0.01}, int(token))


def found_in(seen: dict[Cell, list[Glyph]]) -> Ordered:
    boxes = {(r, c): Box(PITCH * c, PITCH * r, PITCH, PITCH) for r, c in seen}
    return ordered(seen, boxes, dict.fromkeys(seen, np.zeros(3, np.float32)))


def in_order(seen: dict[Cell, list[Glyph]]) -> tuple[list[list[str]], bool, frozenset[Cell]]:
    """The texts of the cells in the order that is found, whether it is that of slots, and the cells in doubt."""
    found, slots, unsure, open_order = found_in(seen)
    texts: list[list[str]] = []
    for r, c in sorted(seen):
        if not c:
            texts.append([])
        texts[-1].append("".join(g.token for g in found[r, c] if g.chance > 0.5))
    return texts, slots, unsure | open_order


def cells_of(text: str) -> list[list[str]]:
    return [row.split() for row in text.split(";")]


@pytest.mark.parametrize(
    ("faces", "places"),
    [
        pytest.param({}, (10, 55), id="lining, the active one at the left"),
        pytest.param({}, (55, 10), id="lining, the active one at the right"),
        pytest.param(OLD_STYLE, (10, 55), id="old-style, the active one at the left"),
    ],
)
def test_the_larger_one_is_active(faces: dict[str, float], places: tuple[int, int]) -> None:
    seen: dict[Cell, list[Glyph]] = {}
    for r, row in enumerate(ROWS):
        for c, cell in enumerate(row.split()):
            seen[r, c] = [
                glyph(token, PITCH * c + x, PITCH * r + 80, size * faces.get(token, 1.0))
                for token, x, size in zip(cell, places, (48, 36), strict=True)
            ]
    texts, slots, unsure = in_order(seen)
    assert not slots
    assert not unsure
    assert texts == [row.split() for row in ROWS]


def test_a_number_in_a_box_that_is_not_the_active_one_by_its_looks_is_a_doubt() -> None:
    """Incident: boxes were seen around numbers of two cells only; in all others the active number had a colour."""
    seen: dict[Cell, list[Glyph]] = {}
    for r, row in enumerate(ROWS):
        for c, cell in enumerate(row.split()):
            places = zip(cell, (10, 55), (48, 36), strict=True)
            seen[r, c] = [glyph(token, PITCH * c + x, PITCH * r + 80, size) for token, x, size in places]
    for at, k in (((1, 2), 1), ((2, 0), 0)):
        seen[at][k] = replace(seen[at][k], piece=replace(seen[at][k].piece, ringed=True))
    assert in_order(seen)[2] == {(1, 2)}


@pytest.mark.parametrize("told", [True, False], ids=["before a number", "behind all"])
def test_a_glyph_that_is_hardly_a_number_leaves_the_order_open_where_it_stands_before_one(told: bool) -> None:
    """A fourteen-segment 8 was seen by its core alone, came last, and was then settled as an 8 of a sure order."""
    seen: dict[Cell, list[Glyph]] = {}
    for r, row in enumerate(ROWS):
        for c, cell in enumerate(row.split()):
            seen[r, c] = [
                glyph(token, PITCH * c + x, PITCH * r + 80, 40) for token, x in zip(cell, (10, 55), strict=True)
            ]
    at = 0 if told else 1
    half = seen[1, 2][at]
    seen[1, 2][at] = replace(half, chances={"8": 0.4, "": 0.6})
    texts, _, unsure = in_order(seen)
    assert unsure == ({(1, 2)} if told else frozenset())
    assert [row for r, row in enumerate(texts) if r != 1] == [row.split() for r, row in enumerate(ROWS) if r != 1]


BESIDE = ((15, 60, 48), (46, 56, 30), (38, 95, 30))
LEFT = (*BESIDE[:2], (30, 95, 30))
"""``(x, foot, height)``: the second in the active one's line, the third below both; ``LEFT`` has it further left."""

DOWN = ((5, 76, 48), (40, 58, 24), (40, 92, 24), (58, 58, 24), (58, 92, 24), (76, 58, 24), (76, 92, 24))
"""The others in columns of two behind the active one."""


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        pytest.param(("346 743 642", "532"), (BESIDE, LEFT), id="lines that begin with the active one"),
        pytest.param(
            ("516 3715246 416", "3617245 6523174 143", "5712436 2437615 326"),
            (DOWN,) * 3,
            id="columns behind the active one",
        ),
    ],
)
def test_the_others_follow_as_they_stand(rows: tuple[str, ...], places: tuple[Places, ...]) -> None:
    seen: dict[Cell, list[Glyph]] = {}
    texts = [row.split() for row in rows]
    for r, row in enumerate(texts):
        for c, cell in enumerate(row):
            seen[r, c] = [
                glyph(token, PITCH * c + x, PITCH * r + foot, height)
                for token, (x, foot, height) in zip(cell, places[r][: len(cell)], strict=True)
            ]
    found, slots, _ = in_order(seen)
    assert not slots
    assert found == texts


def test_old_style_numerals_above_one_another() -> None:
    """A small 9 is higher than a large 1 or 2, and those hardly larger than small ones: the raster makes it so. All
    cells together say that the upper one is active."""
    heights = {"1": (20, 18), "2": (20, 18), **dict.fromkeys("3456789", (28, 22))}
    rows = cells_of("83 69 58 48 38 68 71 23 1;35 17 6 18 19 92 28 24 38;71 83 82 5 6 94 1 3 9")
    rows += cells_of("71 86 93 23 84 54 91 73 8;78 51 21 7 24 35 67 98 24;42 15 34 65 9 82 36 5 7")
    rows += cells_of("6 27 9 21 3 71 64 38 54;93 48 79 23 5 2 84 1 6;47 37 8 29 7 19 52 68 2")
    seen = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            feet = (45, 75) if len(cell) > 1 else (60,)
            seen[r, c] = [
                glyph(n, PITCH * c + 40 + 2 * i, PITCH * r + foot, heights[n][i])
                for i, (n, foot) in enumerate(zip(cell, feet, strict=True))
            ]
    finer = {cell: [replace(g, piece=replace(g.piece, scale=3)) for g in row] for cell, row in seen.items()}
    assert in_order(finer) == (rows, False, frozenset())


def test_pale_ones_in_lines() -> None:
    """All are of one size, some numbers have fuller strokes, and splinters of strokes look like small numbers."""
    full = {"2": 1.15, "6": 1.25}
    spots = {2: ((20, 60), (50, 60)), 3: ((20, 45), (50, 45), (35, 80)), 4: ((20, 45), (50, 45), (20, 80), (50, 80))}
    rows = cells_of("31 142 65 23;345 6124 5342 15;61 35 4362 164;2156 64 316 5243")
    seen = {
        (r, c): [
            glyph(n, PITCH * c + x, PITCH * r + y, 20, contrast=full.get(n, 1.0) * (150 if i else 200))
            for i, (n, (x, y)) in enumerate(zip(cell, spots[len(cell)], strict=True))
        ]
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    }
    for (r, c), row in seen.items():
        if len(row) > 2:
            token = row[-1].token
            splinter = glyph(token, PITCH * c + 22, PITCH * r + 28, 3, contrast=200)
            row.append(replace(splinter, chances={token: 0.2, "": 0.8}))
    assert in_order(seen) == (rows, False, frozenset())


def test_a_slim_one_at_the_edge_of_its_column() -> None:
    """A 1 of segments stands where an 8 has its right edge, beside whatever is above and below it."""
    rows = cells_of("6157 7162 6153;4125 5713 2631;3 415 726")
    spots = {1: (), 3: ((35, 54), (35, 74)), 4: ((35, 54), (35, 74), (52, 64))}
    seen = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            seen[r, c] = [glyph(cell[0], PITCH * c + 5, PITCH * r + 76, 40)]
            for n, (x, y) in zip(cell[1:], spots[len(cell)], strict=True):
                slim = n == "1"
                seen[r, c].append(glyph(n, PITCH * c + x + 10 * slim, PITCH * r + y, 16, 0.06 if slim else 0.6))
    assert in_order(seen) == (rows, False, frozenset())


@pytest.mark.parametrize(
    ("rows", "sure"),
    [
        pytest.param("423 32 214 4;324 41 13 412;432 241 2 31;1 342 123 21", True, id="different counts"),
        pytest.param("423 321 214 243;324 413 132 412;432 241 214 312;143 342 123 214", False, id="always three"),
    ],
)
def test_all_alike_with_one_below_the_others(rows: str, sure: bool) -> None:
    """The one that is always at the same place, however many there are, is active; with always three, either may be."""
    texts = cells_of(rows)
    above = {1: (), 2: (44,), 3: (30, 58)}
    seen = {}
    for r, row in enumerate(texts):
        for c, cell in enumerate(row):
            seen[r, c] = [glyph(cell[0], PITCH * c + 44, PITCH * r + 80, 20)]
            seen[r, c] += [
                glyph(n, PITCH * c + x, PITCH * r + 40, 20) for n, x in zip(cell[1:], above[len(cell)], strict=True)
            ]
    found, _, unsure = in_order(seen)
    assert (found == texts) == sure
    assert unsure == (frozenset() if sure else frozenset(seen))


def test_a_larger_one_is_active_though_it_is_weaker() -> None:
    """Some windows draw it in a darker colour of its own; nobody draws what is not active larger."""
    seen = {}
    for r, row in enumerate(ROWS):
        for c, tokens in enumerate(row.split()):
            x, y = PITCH * c + 30, PITCH * r + 40
            large = glyph(tokens[0], x, y, 25, contrast=60.0)
            seen[r, c] = [large, glyph(tokens[1], x, y + 40, 20, contrast=200.0)]
    texts, _, unsure = in_order(seen)
    assert texts == [row.split() for row in ROWS]
    assert not unsure


@pytest.mark.parametrize(
    ("step", "few"),
    [
        pytest.param((0, 24), False, id="one below the other"),
        pytest.param((22, 0), True, id="beside one another, moved in a few cells"),
    ],
)
def test_a_mark_that_moves_along_the_numbers(step: tuple[int, int], few: bool) -> None:
    """The marked one is stronger; the numbers stay where they are, so those behind it come next and then the first."""
    rows = ("312 13 241 42", "21 4321 34 132", "413 24 123 31", "142 314 42 243")
    seen: dict[Cell, list[Glyph]] = {}
    expected: list[list[str]] = []
    for r, row in enumerate(rows):
        expected.append([])
        for c, cell in enumerate(row.split()):
            at = 0 if few and (r + c) % 4 else (r + 2 * c + 1) % len(cell)
            x, y = PITCH * c + 5, PITCH * r + 25
            seen[r, c] = [
                glyph(
                    token, x + i * step[0] * 3 // 4, y + i * step[1] * 3 // 4, 18, contrast=220.0 if i == at else 90.0
                )
                for i, token in enumerate(cell)
            ]
            expected[-1].append(cell[at:] + cell[:at])
    assert in_order(seen) == (expected, False, frozenset())


FANNED = {2: (10, 10), 3: (13, 10, 13), 4: (33, 10, 10, 33), 5: (36, 13, 10, 13, 36)}
STAIRS = {2: (10, 10), 3: (10, 42, 10), 4: (10, 42, 10, 42), 5: (10, 42, 10, 42, 10)}
ARCHED = {2: (10, 10), 3: (42, 10, 42), 4: (74, 42, 10, 42), 5: (74, 42, 10, 42, 74)}


@pytest.mark.parametrize(
    ("feet", "rows", "way"),
    [
        pytest.param(FANNED, ("312 43 2413 42531", "21 4321 534 13425", "42531 24 1523 3"), "beside", id="a fan"),
        pytest.param(STAIRS, ("312 43 2413 42531", "21 4321 534 13425", "42531 24 1523 3"), "lines", id="two lines"),
        pytest.param(ARCHED, ("312 43 2413 42531", "21 4321 534 13425", "42531 24 1523 3"), "open", id="steep"),
        pytest.param(ARCHED, ("231 34 2341 34512", "21 1234 453 45123", "51234 24 1235 3"), "beside", id="sorted"),
    ],
)
def test_numbers_that_stand_beside_each_other_at_several_heights(
    feet: dict[int, tuple[int, ...]], rows: tuple[str, ...], way: str
) -> None:
    """The mark moves along them. A bent line was read as lines, from above. Each number is 20 pixels high, and its foot
    is 20 more than what is given below the top of its cell."""
    seen: dict[Cell, list[Glyph]] = {}
    expected: list[list[str]] = []
    for r, row in enumerate(rows):
        expected.append([])
        for c, cell in enumerate(row.split()):
            at = (r + 2 * c + 1) % len(cell)
            ups = feet.get(len(cell), (10,))
            seen[r, c] = [
                glyph(n, PITCH * c + 2 + 20 * i, PITCH * r + 20 + up, 20, contrast=220.0 if i == at else 90.0)
                for i, (n, up) in enumerate(zip(cell, ups, strict=True))
            ]
            lines = [n for high in sorted(set(ups)) for n, up in zip(cell, ups, strict=True) if up == high]
            text = "".join(lines) if way == "lines" else cell
            begin = text.index(cell[at])
            expected[-1].append(text[begin:] + text[:begin])
    texts, _, unsure = in_order(seen)
    if way == "open":
        assert unsure == {cell for cell, row in seen.items() if len(row) > 2}
    else:
        assert (texts, unsure) == (expected, frozenset())


def test_a_low_number_beside_two_others_has_not_moved() -> None:
    """Incident: on a large board of segments a 1, of which the ends are bars that it lacks, stood between the lines of
    the two others beside it, and the others were read from the last one to the first."""
    rows = ("312 13 241 123", "214 43 342 132", "143 241 123 31", "142 314 421 243")
    seen = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row.split()):
            low = cell[0] == "1"
            right = [(26, 46), (26, 78)] if len(cell) > 2 else [(26, 62)]
            sizes = [(26, 62) if low else (34, 66), *right]
            seen[r, c] = [
                glyph(n, PITCH * c + 50 * (i > 0), PITCH * r + foot, height)
                for i, (n, (height, foot)) in enumerate(zip(cell, sizes, strict=True))
            ]
    assert in_order(seen) == ([row.split() for row in rows], False, frozenset())


def test_thin_strokes_between_two_pixels_are_as_strong_as_others() -> None:
    """Their ink is spread over both, so that the strongest pixel of each is weaker; together it is as much."""
    rng = np.random.default_rng(2)
    seen = {}
    for r in range(6):
        for c in range(6):
            lead, *others = rng.permutation(6)[:4] + 1
            row = []
            for n in (lead, *others):
                spread = float(rng.choice([1.0, 0.7]))
                contrast = (200.0 if n == lead else 145.0) * spread
                x, y = PITCH * c + 10 + 30 * ((n - 1) % 3), PITCH * r + 40 + 40 * ((n - 1) // 3)
                g = glyph(str(n), x, y, 20, contrast=contrast)
                ink = np.full(g.piece.ink.shape, 0.6 / spread, np.float32)
                row.append(replace(g, piece=replace(g.piece, ink=ink)))
            seen[r, c] = row
    boxes = {(r, c): Box(PITCH * c, PITCH * r, PITCH, PITCH) for r, c in seen}
    found, hidden, unsure, _ = ordered(seen, boxes, dict.fromkeys(seen, np.zeros(3, np.float32)))
    assert hidden
    assert {cell: row[0].token for cell, row in found.items()} == {cell: row[0].token for cell, row in seen.items()}
    assert not unsure


TWO_BY_TWO = {"lines": ((0, 0), (1, 0), (0, 1), (1, 1)), "columns": ((0, 0), (0, 1), (1, 0), (1, 1))}
"""The places that are filled one after the other: ``(column, line)``."""


def two_by_two(
    rows: tuple[str, ...], way: str, moves: bool, larger: int = 0
) -> tuple[dict[Cell, list[Glyph]], list[list[str]]]:
    """Cells that are filled in a way of ``TWO_BY_TWO``, and what they hold in the order of the clicks. ``moves``: the
    numbers stay, and each click marks another one; else they move up, and the first one is marked. ``larger``: by how
    much the marked one is."""
    seen: dict[Cell, list[Glyph]] = {}
    expected: list[list[str]] = []
    for r, row in enumerate(rows):
        expected.append([])
        for c, cell in enumerate(row.split()):
            at = (r + c) % len(cell) if moves else 0
            seen[r, c] = [
                glyph(
                    n,
                    PITCH * c + 15 + 45 * x,
                    PITCH * r + 35 + 45 * y + larger * (i == at) // 2,
                    20 + larger * (i == at),
                    contrast=200.0 if i == at else 120.0,
                )
                for i, (n, (x, y)) in enumerate(zip(cell, TWO_BY_TWO[way], strict=False))
            ]
            expected[-1].append(cell[at:] + cell[:at])
    return seen, expected


@pytest.mark.parametrize(
    ("moves", "larger"),
    [
        pytest.param(False, 0, id="the first is marked"),
        pytest.param(True, 0, id="the mark moves"),
        pytest.param(True, 6, id="the larger one moves"),
    ],
)
@pytest.mark.parametrize("way", ["lines", "columns"])
def test_cells_of_two_say_whether_a_text_goes_on_beside_or_below(way: str, moves: bool, larger: int) -> None:
    """Three in two lines look like three in two columns; two stand side by side, or one below the other."""
    rows = ("312 13 2413 42", "21 4321 34 132", "413 24 123 1", "142 314 42 2431")
    seen, expected = two_by_two(rows, way, moves, larger)
    assert in_order(seen) == (expected, False, frozenset())


@pytest.mark.parametrize("moves", [False, True], ids=["the first is marked", "the mark moves"])
def test_a_text_that_may_be_lines_or_columns_is_a_doubt(moves: bool) -> None:
    seen, expected = two_by_two(
        ("312 3 2413 423", "214 4321 342 132", "413 241 123 1", "142 314 421 2431"), "lines", moves
    )
    texts, _, unsure = in_order(seen)
    assert unsure == {cell for cell, row in seen.items() if len(row) > 2}
    assert [[cell[0] for cell in row] for row in texts] == [[cell[0] for cell in row] for row in expected]


SORTED = ("341 612 4512 6", "4561 1234 561 2346", "134 5612 345 1346", "2345 612 1 3451")
"""Every cell is sorted, from some number on and around."""


@pytest.mark.parametrize(
    ("rows", "open_cells"),
    [
        pytest.param(SORTED, frozenset(), id="all sorted"),
        pytest.param((*SORTED[:3], "2435 612 1 3451"), None, id="one is not"),
        pytest.param((*SORTED[:3], "2435 612 1 3451", *SORTED), {(3, 0)}, id="one of many is not, and in doubt"),
        pytest.param(("3 6 4512 6", "4 2 5612 2", "1 6 4 1", "2 6 1 3451"), None, id="too few to tell"),
    ],
)
@pytest.mark.parametrize("way", ["lines", "columns"])
def test_numbers_that_are_sorted_in_one_way_follow_in_that_way(
    way: str, rows: tuple[str, ...], open_cells: set[Cell] | None
) -> None:
    """Incident: all 81 cells held four numbers, which were sorted line after line, and the order was in doubt."""
    seen, expected = two_by_two(rows, way, False, 6)
    texts, _, unsure = in_order(seen)
    assert len(unsure) > 1 if open_cells is None else (texts, unsure) == (expected, open_cells)


@pytest.mark.parametrize("rows", [("312 13 2413 42", "2314 4321 34 132", "413 24 1234 1", "1423 314 42 2431"),
                                  ("312 13 243 42", "214 31 34 132", "413 24 123 1", "142 314 42 243")],
                         ids=["four at most", "three at most"])  # fmt: skip
@pytest.mark.parametrize("wide", [1.0, 1.3])
def test_numbers_on_a_ring_turn_either_way(rows: tuple[str, ...], wide: float) -> None:
    """Incident: the active one is at the top, and the others were read line by line, without a doubt."""
    seen = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row.split()):
            turns = [2 * np.pi * i / len(cell) for i in range(len(cell))]
            radius = 34 * (wide if len(cell) > 3 else 1.0), 34
            seen[r, c] = [
                glyph(
                    n, round(PITCH * c + 60 + radius[0] * np.sin(t)), round(PITCH * r + 60 - radius[1] * np.cos(t)), 18
                )
                for n, t in zip(cell, turns, strict=True)
            ]
    boxes = {(r, c): Box(PITCH * c, PITCH * r, PITCH, PITCH) for r, c in seen}
    found, _, unsure, open_order = ordered(seen, boxes, dict.fromkeys(seen, np.zeros(3, np.float32)))
    assert not unsure
    assert open_order == {cell for cell, row in seen.items() if len(row) > 2}
    assert {cell: [g.token for g in row] for cell, row in found.items()} == {
        (r, c): list(cell) for r, row in enumerate(rows) for c, cell in enumerate(row.split())
    }


def test_two_below_the_active_one_are_no_ring_where_one_stands_in_their_line() -> None:
    """Incident: with three candidates at most, the active one and the two below it were the corners of a triangle with
    equal sides, and six of thirty large boards had their others in the order of a ring."""
    rows = ("312 13 243 42", "214 31 34 132", "413 24 123 1", "142 314 42 243")
    seen = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row.split()):
            below = [(-26, 77), (26, 77)] if len(cell) == 3 else [(0, 77)]
            spots = [(0, 32 if len(cell) > 1 else 54), *below[: len(cell) - 1]]
            seen[r, c] = [
                glyph(n, PITCH * c + 60 + x, PITCH * r + y, 18) for n, (x, y) in zip(cell, spots, strict=True)
            ]
    texts, hidden, unsure = in_order(seen)
    assert not hidden
    assert not unsure
    assert texts == [row.split() for row in rows]


@pytest.mark.parametrize("down", [False, True], ids=["clockwise", "counter-clockwise"])
def test_a_last_line_below_the_end_of_the_first_may_turn_back(down: bool) -> None:
    """Four that go around were read as two lines."""
    rows = ("312 13 2413 42", "21 4321 34 132", "413 24 123 1", "142 314 42 2431")
    around = ((0, 0), (1, 0), (1, 1), (0, 1))
    seen = {
        (r, c): [
            glyph(n, PITCH * c + 15 + 45 * (y if down else x), PITCH * r + 35 + 45 * (x if down else y), 20)
            for n, (x, y) in zip(cell, around, strict=False)
        ]
        for r, row in enumerate(rows)
        for c, cell in enumerate(row.split())
    }
    texts, _, unsure = in_order(seen)
    assert unsure == {cell for cell, row in seen.items() if len(row) == 4}
    told = [(r, c) for r, c in seen if (r, c) not in unsure]
    assert [texts[r][c] for r, c in told] == [rows[r].split()[c] for r, c in told]


def test_a_last_line_in_the_middle_is_none_of_a_column() -> None:
    seen, expected = two_by_two(
        ("312 3 2413 423", "214 4321 342 132", "413 241 123 1", "142 314 421 2431"), "lines", False
    )
    for cell, row in seen.items():
        if len(row) == 3:
            box = row[2].piece.box
            seen[cell][2] = replace(row[2], piece=replace(row[2].piece, box=replace(box, x=box.x + 22)))
    assert in_order(seen) == (expected, False, frozenset())


@pytest.mark.parametrize(
    ("rows", "hidden", "sure"),
    [
        pytest.param(
            ("312 134 2134 423", "213 4123 324 134", "413 213 123 1", "124 413 412 2134"), True, False, id="many"
        ),
        pytest.param(("312 13 2134 42", "21 423 34 413", "4 24 23 1", "1 3 42 21"), True, False, id="few"),
        pytest.param(("312 13 2134 42", "21 423 34 413", "4 24 23 1", "1 342 42 243"), False, True, id="one is not"),
        pytest.param(
            ("312 1 123 423", "134 423 34 124", "412 124 123 1", "134 3 42 423"), False, True, id="in a circle"
        ),
    ],
)
def test_others_that_are_sorted_hide_the_order(rows: tuple[str, ...], hidden: bool, sure: bool) -> None:
    """Which one is active tells numbers in a circle from others that are sorted behind it; then all cells count."""
    seen = {
        (r, c): [
            glyph(n, PITCH * c + 5 + 24 * i, PITCH * r + 60, 20, contrast=120.0 if i else 200.0)
            for i, n in enumerate(cell)
        ]
        for r, row in enumerate(rows)
        for c, cell in enumerate(row.split())
    }
    seen[4, 0] = []  # covered in a later picture
    texts, orderless, unsure = in_order(seen)
    texts.pop()
    assert orderless == hidden
    assert (not unsure) is sure
    if not hidden:
        assert texts == [row.split() for row in rows]


@pytest.mark.parametrize("middle", [(60, 58), (43, 58)], ids=["at the right", "in the middle"])
def test_a_place_of_its_own_tells_what_looks_hardly_differ_in(middle: tuple[int, int]) -> None:
    """In a face whose bold digits are hardly bold: a choice for every cell costs more than these explain."""
    pair, one = (((30, 30), (30, 86)), (30, 58)) if middle[0] > 50 else (((43, 20), (43, 96)), (43, 20))
    rng = np.random.default_rng(3)
    seen: dict[Cell, list[Glyph]] = {}
    expected: list[list[str]] = []
    for r in range(5):
        expected.append([])
        for c in range(5):
            numbers = [str(n) for n in rng.permutation(5)[: 2 + (r + c) % 2] + 1]
            spots = (middle, *(pair if len(numbers) > 2 else (one,)))
            seen[r, c] = []
            for i, (n, (x, y)) in enumerate(zip(numbers, spots, strict=True)):
                g = glyph(n, PITCH * c + x, PITCH * r + y, 22)
                ink = np.full(g.piece.ink.shape, rng.normal(0.50 + 0.075 * (i == 0), 0.015), np.float32)
                seen[r, c].append(replace(g, piece=replace(g.piece, ink=ink)))
            expected[-1].append(numbers[0])
    texts, _, _ = in_order(seen)
    assert [[text[0] for text in row] for row in texts] == expected
    assert not found_in(seen).unsure


def test_others_in_the_corners_may_come_next_in_any_order() -> None:
    """They were read around the active one without a doubt, and may as well follow one another in lines."""
    seen: dict[Cell, list[Glyph]] = {}
    corners = (20, 30), (80, 30), (20, 90), (80, 90)
    for r, row in enumerate(("312 13 2413 42135", "23145 4321 34 132", "413 24 12345 1", "14235 314 42 2431")):
        for c, cell in enumerate(row.split()):
            x, y = PITCH * c, PITCH * r
            seen[r, c] = [glyph(cell[0], x + 45, y + 70, 36)]
            seen[r, c] += [glyph(n, x + dx, y + dy, 18) for n, (dx, dy) in zip(cell[1:], corners, strict=False)]
    found = found_in(seen)
    assert found.open_order == {cell for cell, row in seen.items() if len(row) > 2}
    assert not found.unsure


def test_glyphs_of_any_height_say_nothing_by_their_size() -> None:
    """Small numbers in a column hung together, and were taken for the larger ones: in cells with one of them, which no
    doubt told, it was active."""
    rng = np.random.default_rng(4)
    seen: dict[Cell, list[Glyph]] = {}
    for r in range(5):
        for c in range(5):
            lead, other = (str(n) for n in rng.permutation(5)[:2] + 1)
            height = (18, 40, 62)[(r + c) % 3]
            glyphs = (
                glyph(lead, PITCH * c + 15, PITCH * r + 60, 22),
                glyph(other, PITCH * c + 60, PITCH * r + 80, height),
            )
            shares = 0.7, 0.45
            seen[r, c] = [
                replace(g, piece=replace(g.piece, ink=np.full(g.piece.ink.shape, share, np.float32)))
                for g, share in zip(glyphs, shares, strict=True)
            ]
    texts, _, _ = in_order(seen)
    assert texts == [["".join(g.token for g in seen[r, c]) for c in range(5)] for r in range(5)]


def test_an_order_that_is_not_seen_keeps_nobody_from_playing() -> None:
    """A level has the same solution whichever number comes next; the player looks after every click. There are too many
    such levels to solve each."""
    puzzle = GAME.generate(6, 6, 4)
    doubts = []
    for r, row in enumerate(puzzle.rows):
        for c, (lead, *rest) in enumerate(row):
            texts = {format_cell((lead, *each), 6) for each in (rest, rest[::-1])}
            doubts += [Doubt(((r, c),), tuple((text, 1 / len(texts)) for text in sorted(texts)))] * (len(texts) > 1)
    assert len(doubts) > 9
    image = np.zeros((9, 9, 3), np.uint8)
    settled = settle(GAME, Reading(puzzle, {}, tuple(doubts), 0.9, image))
    assert settled.playable
    assert not settled.certain
    assert settled.solution is not None
    assert GAME.check(puzzle, settled.solution) == []
    active = Doubt(((0, 0),), (("123", 0.5), ("231", 0.5)))
    assert not indifferent(GAME, active)


@pytest.mark.parametrize(
    ("rows", "marked", "sure"),
    [
        pytest.param(
            ("23 123 13", "123 12 23", "12 123 3"), {(0, 1): 1, (1, 0): 2, (2, 1): 1}, False, id="one of three"
        ),
        pytest.param(("23 123 13", "123 12 23", "12 123 3"), {(0, 1): 1, (1, 0): 1, (2, 1): 1}, True, id="none"),
    ],
)
def test_one_mark_that_stands_elsewhere_leaves_the_order_open(
    rows: tuple[str, ...], marked: dict[Cell, int], sure: bool
) -> None:
    """The numbers may stay where they are while the mark moves on; one cell of a small board may be chance as well."""
    seen: dict[Cell, list[Glyph]] = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row.split()):
            at = marked.get((r, c), len(cell) - 1)
            seen[r, c] = [
                glyph(token, PITCH * c + 5 + 22 * i, PITCH * r + 25, 18, contrast=220.0 if i == at else 90.0)
                for i, token in enumerate(cell)
            ]
    assert in_order(seen)[2] == frozenset(() if sure else [(0, 1), (2, 1)])
