"""What is not clear at first in a cell of Cross Set: digits close to walls, digits in one piece with something else,
and ink that nothing explains."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME, reader
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing import cells, doubts
from autoplayer.games.cross_set.seeing.glyphs import crossing
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Eyes, Glyph
from autoplayer.games.cross_set.seeing.glyphs.own_face import own_face
from autoplayer.games.cross_set.seeing.glyphs.signs import above_signs, left_over
from autoplayer.games.cross_set.seeing.glyphs.tracing import traced
from autoplayer.games.cross_set.seeing.lattice import insides
from autoplayer.games.cross_set.seeing.one_cell import choosing, contents, judging, neighbours, weighing
from autoplayer.games.cross_set.seeing.one_cell.assembly import shapes_of
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision import lattice, pieces
from autoplayer.vision.views import View
from bench.reading import cross_set as strange
from bench.reading.drawn_faces import SEGMENT_FACES
from bench.reading.strange import stream
from tests.cross_set.board_views import view_of

LAYOUT = Layout(game="cross-set")
WINDOW = (700, 700)


def missing(glyphs, cell, size):
    """The glyph, from another cell, of the number that a cell has not."""
    number = next(str(n) for n in range(1, size + 1) if str(n) not in {g.token for g in glyphs[cell]})
    return next(g for row in glyphs.values() for g in row if g.token == number)


def glyphs_of(look=None, size=5, seed=5):
    sample, _ = strange.everyday(strange.made(stream(seed, "test"), size, 4), WINDOW, look)
    return GAME.read(sample.image, LAYOUT).extra["board"].sheet.glyphs


def test_a_cells_inside_reaches_up_to_its_walls():
    image = np.full((80, 90, 3), 200, np.uint8)
    image[8:72, 10:12] = image[8:72, 70:72] = 30  # walls at the left and right
    image[8:10, 10:72] = 30  # and above; none below
    image[30:50, 12:16] = 90  # a digit's stroke at the left wall
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, True)
    found = insides.to_the_walls(view, {(0, 0): Box(16, 14, 50, 50)})[0, 0]
    assert (found.x, found.y, found.x + found.width, found.y + found.height) == (12, 10, 70, 64)


def test_a_digit_beyond_what_cells_have_in_common_is_not_lost():
    """A 1 between the inside and the wall, which is farther away in this cell than in others."""
    image = np.full((60, 60, 3), 230, np.uint8)
    image[:, 45:47] = 110
    image[24:36, 42] = 110
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, True)
    found = insides.to_the_walls(view, {(0, 0): Box(6, 12, 34, 34)})[0, 0]
    assert found.x + found.width == 45


def test_where_no_walls_are_known_a_cell_stays_as_it_is():
    image = np.full((80, 90, 3), 200, np.uint8)
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, False)
    assert insides.to_the_walls(view, {(0, 0): Box(16, 14, 50, 50)}) == {(0, 0): Box(16, 14, 50, 50)}


def test_two_digits_in_one_piece_are_unlike_the_boards_own():
    seen = glyphs_of()
    face = own_face(seen)
    cell, row = next((cell, row) for cell, row in seen.items() if len(row) > 2)
    both = replace(row[1], piece=pieces.joined([row[1].piece, row[2].piece]))
    assert max(face.lack(cell, g) for g in row) < 0.1
    assert face.lack(cell, both) > 0.15


def test_digits_in_one_piece_are_told_apart_by_the_boards_own():
    seen = glyphs_of()
    cell, row = next((cell, row) for cell, row in seen.items() if len(row) > 2)
    whole = pieces.joined([g.piece for g in row])
    found = traced({cell: [whole]}, {c: r for c, r in seen.items() if c != cell})[cell]
    boxes = sorted((p.place.x, p.place.y) for p in found)
    assert len(found) == len(row)
    assert np.allclose(boxes, sorted((g.piece.place.x, g.piece.place.y) for g in row), atol=1.5)


def test_what_the_boards_own_digits_do_not_explain_is_left_over():
    seen = glyphs_of()
    cell, row = next((cell, row) for cell, row in seen.items() if len(row) == 2)
    box = row[0].piece.box
    blot = replace(
        row[0].piece,
        box=Box(box.x, box.y - 2 * box.height, box.height, box.height),
        ink=np.ones((box.height, box.height), np.float32),
    )
    found = traced({cell: [blot, *(g.piece for g in row)]}, {c: r for c, r in seen.items() if c != cell})[cell]
    assert len(found) == len(row) + 1


def test_ink_that_nothing_explains_may_be_one_more_number_anywhere():
    row = next(row for row in glyphs_of().values() if len(row) == 2)
    found = dict(doubts.more(row, 5, 1))
    first, second = (g.token for g in row)
    third = next(t for t in "12345" if t not in (first, second))
    assert max(found, key=found.__getitem__) == first + second
    assert {third + first + second, first + third + second, first + second + third} <= set(found)
    assert sum(found.values()) == pytest.approx(1, abs=0.02)
    assert not any(len(text) > 3 for text in found)
    assert any(len(text) == 4 for text, _ in doubts.more(row, 5, 2))


@pytest.mark.parametrize("face", [face for face in SEGMENT_FACES if face.gap >= 0.1], ids=lambda face: face.family)
def test_segment_digits_with_wide_gaps_are_read(face):
    """Strokes of one digit stand as far apart as digits do elsewhere."""
    puzzle = strange.made(stream(7, "test"), 5, 3)
    look = {
        "arrangement": "row",
        "face": face,
        "ink": 34.0,
        "small": 34.0,
        "spread": 0.5,
        "walls": "walls-framed-tiles",
    }
    sample, _ = strange.everyday(puzzle, WINDOW, look)
    settled = settle(GAME, GAME.read(sample.image, LAYOUT))
    assert settled.certain
    assert GAME.format(settled.puzzle) == sample.text


def test_full_rectangles_are_like_one_another_and_like_nothing_else():
    """A layout's symbols may be squares, whose ink has no contrast of its own."""
    seen = glyphs_of()
    square = np.ones_like(next(g for row in seen.values() for g in row).piece.ink)
    token = next(g.token for row in seen.values() for g in row)

    def as_square(g):
        return replace(g, piece=replace(g.piece, ink=square)) if g.token == token else g

    squares = {cell: [as_square(g) for g in row] for cell, row in seen.items()}
    face = own_face(squares)
    cell, one = next((cell, g) for cell, row in squares.items() for g in row if g.token == token)
    other = next(g for row in seen.values() for g in row if g.token != token)
    assert face.lack(cell, one) < 0.05
    assert face.lack(cell, replace(other, chances={token: 1.0})) > 0.5


def tile_board(pitch: float, size: int) -> tuple[Image, float]:
    """Framed tiles, 40 pixels wide inside, and where the middle of the first one is."""
    image = np.full((500, 500, 3), 225, np.uint8)
    first = 50.0
    for r in range(size):
        for c in range(size):
            x, y = round(first + c * pitch), round(first + r * pitch)
            image[y - 21 : y + 21, x - 21 : x + 21] = 90
            image[y - 20 : y + 20, x - 20 : x + 20] = 190
    return image, first


def test_a_lattice_is_stretched_to_walls_far_from_where_it_was_found():
    """Half a pixel for each cell is half a digit at the other end of the board."""
    image, first = tile_board(50.5, 8)
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, True)
    found = lattice.Lattice(first + 1, first - 1, 50.0, 51.0, 40.0, 40.0, frozenset({(1, 1), (1, 2), (3, 2)}))
    fitted = insides.along_the_walls(view, found, 8)
    for start, pitch in ((fitted.x, fitted.pitch_x), (fitted.y, fitted.pitch_y)):
        assert start == pytest.approx(first, abs=1.2)
        assert start + 7 * pitch == pytest.approx(first + 7 * 50.5, abs=1.2)
    everywhere = replace(found, cells=frozenset((r, c) for r in range(8) for c in range(8)))
    assert insides.along_the_walls(view, everywhere, 8) == everywhere


def test_a_digit_far_paler_than_its_neighbour_is_seen():
    image = np.full((40, 60, 3), 40, np.uint8)
    image[8:32, 10:14] = 240
    image[18:32, 30:33] = 62  # less than a fifth of the other one's contrast
    image[18:20, 26:33] = 62
    box = Box(0, 0, 60, 40)
    assert len(pieces.find(image, box, 0.0, 0.4).pieces) == 1
    found = contents.pieces_in(image, box, 0.0, 0.4)
    assert [(p.place.x, p.place.y, p.place.width, p.place.height) for p in found.pieces] == [
        (10, 8, 4, 24),
        (26, 18, 7, 14),
    ]
    image[18:32, 26:33] = 40
    assert len(contents.pieces_in(image, box, 0.0, 0.4).pieces) == 1


def test_a_finer_stroke_does_not_hide_what_it_does_not_see():
    """The stem of a pale 4 is a 1, if nobody asks where its other strokes went; what a round corner leaves is none."""
    glyph = next(row for row in glyphs_of().values() if len(row) == 2)[0]
    box = glyph.piece.box
    stem = replace(glyph.piece, box=Box(box.x + 60, box.y, 6, box.height))
    stroke = replace(glyph.piece, box=Box(stem.box.x - 12, box.y + box.height // 2, 9, 9))
    view = weighing.BoardView.__new__(weighing.BoardView)
    cell = Box(stem.place.x - 40, stem.place.y - 20, 80, stem.place.height + 40)
    corner = replace(stroke, box=Box((cell.x + 1) * stroke.scale, (cell.y + 1) * stroke.scale, 6, 6))
    atoms = {(0, 0): (stem, stroke, corner)}
    known = {"atoms": atoms, "signs": False, "lowest": float(box.height), "boxes": {(0, 0): cell}}
    known["upon_walls"] = {(0, 0): crossing.Beyond()}
    for name, value in known.items():
        object.__setattr__(view, name, value)
    finer = weighing.Parting((stem,), 0)
    assert view.lost((0, 0), [replace(glyph, piece=stem)], finer) == [stroke]
    assert not view.lost((0, 0), [replace(glyph, piece=stem), replace(glyph, piece=stroke)], finer)


def test_a_number_that_ends_where_its_cell_does_is_whole():
    """Incident: numbers that touch the inner edge of a wall were in doubt, for they might go on upon it."""
    row = next(row for row in glyphs_of().values() if len(row) == 2)
    g = replace(row[0], piece=replace(row[0].piece, cut=True))
    longer = replace(g.piece, box=replace(g.piece.box, height=g.piece.box.height + 4 * g.piece.scale))
    for upon, whole in (((), False), ((longer,), False), ((replace(g.piece, cut=False),), True)):
        view = weighing.BoardView.__new__(weighing.BoardView)
        known = {"upon_walls": {(0, 0): crossing.Beyond(upon)}, "palest": g.piece.contrast, "face": None}
        for name, value in known.items():
            object.__setattr__(view, name, value)
        assert view.is_whole((0, 0), g) is whole
        assert view.goes_on((0, 0), [g]) is (whole or not upon)


def test_what_is_far_paler_than_all_numbers_counts_as_nothing_lost():
    """Incident: specks of compression beside three clear numbers made one blob of them the better way to see them."""
    row = next(row for row in glyphs_of().values() if len(row) == 2)
    speck = replace(row[0].piece, box=replace(row[0].piece.box, x=row[0].piece.right + 9), contrast=8.0)
    for pale, lost in ((speck, False), (replace(speck, contrast=row[0].piece.contrast), True)):
        view = weighing.BoardView.__new__(weighing.BoardView)
        known = {"shapes": shapes_of(glyphs_of()), "face": None, "signs": False, "noise": 3.0, "lowest": 1.0}
        known |= {"palest": row[0].piece.contrast, "eyes": Eyes(5), "boxes": {(0, 0): Box(-999, -999, 9999, 9999)}}
        known |= {"atoms": {(0, 0): [g.piece for g in row]}, "grounds": {(0, 0): np.full(3, 250, np.float32)}}
        for name, value in known.items():
            object.__setattr__(view, name, value)
        clean, beside = (weighing.Parting((*(g.piece for g in row), *more), 0) for more in ((), (pale,)))
        object.__setattr__(view, "upon_walls", {(0, 0): crossing.Beyond()})
        assert (view.worth((0, 0), row, beside) < view.worth((0, 0), row, clean)) is lost


def test_specks_that_look_like_numbers_are_none_beside_far_stronger_ones():
    """Incident: a hundred specks of compression looked like 1s, and the palest numbers were taken to be so pale."""
    seen = glyphs_of()
    some = next(g for row in seen.values() for g in row)
    small = replace(some.piece, box=Box(0, 0, 1, 3), ink=np.ones((3, 1), np.float32), contrast=25.0)
    speck = replace(some, piece=small, chances={"1": 0.99, JUNK: 0.01})
    known = {"seen": {(r, c): [*row, *[speck] * (r == c)] for (r, c), row in seen.items()}, "noise": 3.0}
    known["split"] = known["atoms"] = {cell: [g.piece for g in row] for cell, row in known["seen"].items()}
    known["boxes"] = dict.fromkeys(seen, Box(-9, -9, 900, 900))
    view = view_of(**known)
    high, low = max(height for height, _ in view.sizes), view.lowest
    for width, height, drawn in (
        (1.4 * high, 0.2 * low, False),
        (1.2 * high, 0.2 * low, True),
        (1.4 * high, low, True),
    ):
        ink = np.ones((round(height), round(width)), np.float32)
        line = replace(some.piece, box=Box(0, 0, round(width), round(height)), ink=ink)
        assert view.is_drawn((0, 0), line) is drawn, "a line longer than any stroke of a number is no part of one"
    assert view.palest == min(g.piece.contrast for row in seen.values() for g in row)
    plain = view.without_specks()
    assert plain.seen == {cell: list(row) for cell, row in seen.items()}
    assert plain.atoms == plain.split == {cell: [g.piece for g in row] for cell, row in seen.items()}


def test_what_is_slanted_reaches_no_farther_than_its_ink():
    """Incident: the rim of a veil has a box as large as a half of its cell."""
    number = pieces.Piece(Box(20, 25, 9, 14), np.ones((14, 9), np.float32), np.zeros(3), 200.0)
    rim = pieces.Piece(Box(30, 0, 40, 40), np.eye(40, dtype=np.float32), np.zeros(3), 60.0)
    assert not neighbours.reaches(rim, number, 0.8)
    assert neighbours.reaches(replace(rim, ink=np.ascontiguousarray(rim.ink[::-1])), number, 0.8)


def test_of_a_piece_that_was_parted_only_what_its_numbers_leave_is_left_over():
    """Wide gaps join the digits of a line: its middle may lie between two of them."""
    row = next(row for row in glyphs_of({"arrangement": "row", "ink": 24.0, "small": 24.0}).values() if len(row) == 2)
    both = pieces.joined([g.piece for g in row])
    assert left_over(row, [both], False) == []
    assert [p.box for p in left_over(row[:1], [both], False)] == [row[1].piece.box]
    assert left_over([], [both], False) == [both]


def test_a_size_that_only_one_number_has_is_none():
    """Two digits in one piece, time and again, look like one of a size of their own."""
    seen = glyphs_of(size=6)
    token = next(g.token for row in seen.values() for g in row)
    tall = []
    for cell, row in seen.items():
        for g in row:
            if g.token == token and len(tall) < 4:
                box = g.piece.box
                tall.append(
                    (cell, replace(g, piece=replace(g.piece, box=replace(box, height=round(2.3 * box.height)))))
                )
    wrong = {cell: [*row, *(g for c, g in tall if c == cell)] for cell, row in seen.items()}
    height = tall[0][1].height
    assert not any(abs(h - height) < 0.1 * height for h, _ in shapes_of(wrong)[token])
    assert {round(h) for h, _ in shapes_of(wrong)[token]} == {round(h) for h, _ in shapes_of(seen)[token]}


def in_row(*spans: tuple[int, int, int, int]) -> list[Glyph]:
    """Glyphs in boxes ``(x, y, width, height)``."""
    row = next(iter(glyphs_of().values()))
    return [replace(row[0], piece=replace(row[0].piece, box=Box(*span), scale=1)) for span in spans]


def test_commas_are_known_by_where_they_stand():
    """They need not be far lower than the numbers, and a number may have lost a splinter."""
    two = in_row((0, 0, 20, 36), (26, 30, 6, 14), (40, 16, 12, 20))
    three = in_row((0, 0, 20, 36), (26, 30, 6, 13), (40, 16, 12, 20), (56, 30, 6, 14), (70, 16, 12, 20), (64, 33, 4, 3))
    one = in_row((0, 0, 20, 36))
    seen = {(0, 0): two, (0, 1): three, (0, 2): one, (1, 0): two, (1, 1): three, (1, 2): three}
    assert 14 < above_signs(seen) <= 20
    beside = in_row((0, 0, 20, 36), (26, 22, 9, 14), (40, 22, 9, 14))  # small numbers, at the foot of a large one
    assert not above_signs(dict.fromkeys(seen, beside))


def test_ink_that_nothing_explains_may_be_a_part_of_a_number():
    """Without it a 4 is read as a 1: then another number stands in its place."""
    row = next(row for row in glyphs_of().values() if len(row) == 2)
    first, second = (g.token for g in row)
    third = next(t for t in "12345" if t not in (first, second))
    assert {third + second, first + third} <= set(dict(doubts.more(row, 5, 1)))


@pytest.mark.parametrize(("times", "anywhere"), [(1.0, False), (1.6, True)])
def test_of_what_a_pointer_hides_nobody_sees_where_in_the_order_it_is(times, anywhere):
    """What is as large as a number stands where one would; a pointer's middle is far from its tip."""
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), WINDOW)
    board = GAME.read(sample.image, LAYOUT).extra["board"]
    cell, row = next((cell, row) for cell, row in board.sheet.glyphs.items() if len(row) == 2)
    box = row[1].piece.box
    side = round(times * max(box.width, box.height))
    over = replace(row[1].piece, box=Box(box.x + 2 * side, box.y, side, side), ink=np.ones((side, side), np.float32))
    pointer = Glyph(over, {JUNK: 0.9, "5": 0.1}, 99)
    usual = max(box.width, box.height)
    found = dict(doubts.seen_in(cell, [*row, pointer], board, usual, False).options)
    first, second = (g.token for g in row)
    third = next(t for t in "12345" if t not in (first, second))
    assert ({third + first + second, first + third + second, first + second + third} <= set(found)) is anywhere
    assert not anywhere or sum(found.values()) == pytest.approx(1)


def test_a_cell_that_shows_every_number_hides_none():
    """It was a doubt with a single candidate, and counted as one."""
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), WINDOW)
    board = GAME.read(sample.image, LAYOUT).extra["board"]
    full, other = (next(c for c, row in board.sheet.glyphs.items() if len(row) == n) for n in (4, 2))
    rows = dict(board.sheet.glyphs) | {full: (*board.sheet.glyphs[full], missing(board.sheet.glyphs, full, 5))}
    asked = replace(board, sheet=replace(board.sheet, glyphs=rows, hiding=frozenset({full, other})))
    found = {doubt.cells[0] for doubt in reader._reading(sample.image, asked).doubts}
    assert found == {other}


def test_where_nobody_sees_the_active_number_another_one_may_be_hidden_all_the_same():
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), WINDOW)
    board = GAME.read(sample.image, LAYOUT).extra["board"]
    cell, row = next((cell, row) for cell, row in board.sheet.glyphs.items() if len(row) == 2)
    asked = replace(board, sheet=replace(board.sheet, unsure=frozenset({cell}), hiding=frozenset({cell})))
    found = dict(doubts.seen_in(cell, row, asked, row[0].height, False).options)
    first, second = (g.token for g in row)
    third = next(t for t in "12345" if t not in (first, second))
    assert {first + second, second + first, second + first + third, third + first + second} <= set(found)
    assert found[first + second] == pytest.approx(found[second + first])
    assert sum(found.values()) == pytest.approx(1, abs=0.02)


def test_two_ways_to_see_a_cell_that_are_about_equally_good_are_a_doubt():
    seen = glyphs_of()
    cell, row = next((cell, row) for cell, row in seen.items() if len(row) == 3)
    fewer = list(row[:2])
    ways = {cell: [(0.9, list(row)), (0.85, fewer)]}
    assert choosing.rivals_of({cell: row}, ways) == {}
    assert choosing.rivals_of({cell: fewer}, ways) == {cell: list(row)}
    near = {cell: [(0.9, list(row)), (0.89, fewer)]}
    assert choosing.rivals_of({cell: row}, near) == {cell: fewer}
    # Judged among the others a digit may be known that was in doubt alone: then the other way is no rival any more.
    assert choosing.rivals_of({cell: row}, near, {cell: 0.99}) == {}


def test_a_way_that_joins_the_numbers_of_two_lines_is_no_rival(monkeypatch: pytest.MonkeyPatch):
    """Incident: an 8 below a 3 was one 3 in it, higher than any number; clear cells were in doubt then."""
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), WINDOW)
    board = GAME.read(sample.image, LAYOUT).extra["board"]
    cell = next(cell for cell, row in board.sheet.glyphs.items() if len(row) == 3)
    high = []

    def rivals_of(seen, ways, worth):
        whole, *others = seen[cell]
        box, ink = whole.piece.box, whole.piece.ink.repeat(factor, axis=0)
        piece = replace(whole.piece, box=replace(box, height=factor * box.height), ink=ink)
        high.append(replace(whole, piece=piece))
        return {cell: [high[-1], *others]}

    monkeypatch.setattr(cells, "rivals_of", rivals_of)
    for factor in (1, 3):
        sheet = cells.read(sample.image, board.sheet.boxes, 5, 0.0)
        assert sheet is not None
        assert (cell in sheet.rivals) is (factor == 1)
    assert len(high) == 2


def test_what_is_unclear_is_parted_again_once_the_numbers_are_known(monkeypatch: pytest.MonkeyPatch):
    """Incident: the first time all cells were unclear, for the board's own sizes were not known yet."""
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), WINDOW)
    sheet = GAME.read(sample.image, LAYOUT).extra["board"].sheet
    upper, lower = next(tuple(g.piece.place for g in row[:2]) for row in sheet.glyphs.values() if len(row) == 3)
    image, x = sample.image.copy(), max(upper.x, lower.x) + 2
    image[upper.y + upper.height - 3 : lower.y + 4, x : x + 3] = 130  # a pale bar between two numbers
    tried, rounds = cells._tried, []

    def in_vain(view, *others):
        rounds.append(view)
        odd = [cell for cell in view.boxes if view.is_odd(cell)]
        plain = {c: [(weighing.Parting(view.split[c], view.swallowed[c]), view.seen[c])] for c in odd}
        return tried(view, *others) if len(rounds) > 1 else (view.seen, {}, plain)

    monkeypatch.setattr(cells, "_tried", in_vain)
    reading = GAME.read(image, LAYOUT)
    assert not reading.doubts
    assert GAME.format(reading.puzzle) == sample.text


def test_a_way_that_leaves_out_a_known_number_is_no_rival(monkeypatch: pytest.MonkeyPatch):
    """Incident: beside a piece of a cursor's frame, which no way to see a cell explains, the number read alone was as
    good as both."""
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), WINDOW)
    board = GAME.read(sample.image, LAYOUT).extra["board"]
    cell = next(cell for cell, row in board.sheet.glyphs.items() if len(row) == 3)

    kept: list[int] = []

    def rivals_of(seen, ways, worth):
        first, *others = seen[cell]
        illegible = [replace(g, chances={JUNK: 0.99, g.token: 0.01}) for g in others]
        return {cell: [first, *illegible[: kept[-1]]]}

    monkeypatch.setattr(cells, "rivals_of", rivals_of)
    monkeypatch.setattr(choosing, "PLAIN", 1.0)  # as if something else in the cell were in doubt
    for count in (0, 2):
        kept.append(count)
        sheet = cells.read(sample.image, board.sheet.boxes, 5, 0.0)
        assert sheet is not None
        assert cell not in sheet.rivals


def test_of_two_ways_that_are_about_equally_good_the_one_with_more_digits_is_chosen():
    row = next(row for row in glyphs_of().values() if len(row) == 3)
    assert choosing.best_of([(0.9, row), (0.91, row[:2])]) == 0
    assert choosing.best_of([(0.8, row[:2]), (0.91, row)]) == 1
    assert choosing.best_of([(0.91, row[:2]), (0.8, row)]) == 1  # none gets lost
    # The one that was found last, where nothing speaks against it.
    assert choosing.best_of([(0.91, row), (0.9, row)]) == 1
    assert choosing.best_of([(0.91, row), (0.7, row)]) == 0


def test_a_glyph_of_another_size_than_its_number_has_is_the_less_likely_one():
    """A 1 above a 4 makes a large 4."""
    seen = glyphs_of()
    row = next(row for row in seen.values() if len(row) == 2)
    view = weighing.BoardView.__new__(weighing.BoardView)
    known = {"shapes": shapes_of(seen), "face": None}
    for name, value in known.items():
        object.__setattr__(view, name, value)
    box = row[0].piece.box
    larger = replace(row[0], piece=replace(row[0].piece, box=replace(box, height=box.height + 4 * row[0].piece.scale)))
    assert view.astray(row[0]) <= 1.5
    assert view.astray(larger) >= 3


@pytest.mark.parametrize("known", [True, False])
def test_the_sign_that_stands_between_others_may_be_a_part_of_an_unknown_number_only(
    known: bool, monkeypatch: pytest.MonkeyPatch
):
    """A comma under a stroke looks like a 1. Where both numbers look as they do elsewhere, a faint comma was lost."""
    look = {"arrangement": "row", "ink": 20.0, "small": 20.0, "dim": 0.4, "between": "comma"}
    sample, _ = strange.everyday(strange.made(stream(1, "test"), 5, 4), WINDOW, look)
    reading = GAME.read(sample.image, LAYOUT)
    assert not reading.doubts
    cell, row = next((c, row) for c, row in reading.extra["board"].sheet.glyphs.items() if len(row) == 2)
    left, right = sorted((g.piece.place for g in row), key=lambda box: box.x)
    image = sample.image.copy()
    image[left.y : left.y + 2 * left.height, left.x + left.width + 1 : right.x - 1] = image[left.y - 2, left.x - 2]
    if not known:
        monkeypatch.setattr(weighing, "FEWEST_LIKE", 100)
    assert [doubt.cells for doubt in GAME.read(image, LAYOUT).doubts] == [(cell,)] * (not known)


def test_what_is_in_doubt_and_as_high_as_two_numbers_may_be_two():
    """The rules would else choose one of them, and the other one would be lost."""
    seen = glyphs_of({"arrangement": "slots", "ink": 20.0, "small": 20.0, "dim": 0.45})
    cell, row = next((cell, row) for cell, row in seen.items() if len(row) == 2)
    view = weighing.BoardView.__new__(weighing.BoardView)
    for name, value in {"shapes": shapes_of(seen), "face": own_face(seen)}.items():
        object.__setattr__(view, name, value)
    unsure = replace(row[0], chances={row[0].token: 0.5, "": 0.2})
    box = unsure.piece.box
    both = replace(unsure, piece=replace(unsure.piece, box=replace(box, height=2 * box.height + 4)))
    assert not view.is_strange(cell, unsure)
    assert view.is_strange(cell, both)
    assert not view.is_strange(cell, replace(both, chances={row[0].token: 0.2, "": 0.8}))


@pytest.mark.parametrize(
    ("apart", "narrower", "close"),
    [
        pytest.param(0, 0, False, id="always"),
        pytest.param(1, 0, True, id="but once"),
        pytest.param(1, 8, False, id="but once, where it is narrower"),
    ],
)
def test_what_always_has_a_bar_below_it_is_the_half_of_a_digit(apart: int, narrower: int, close: bool):
    """The upper part of a 7 that has a gap looks like a 7 on the whole board; that does not make it a known one.
    Incident: small ones without a gap were as high as that part, and each large 7 was read as a 7 and a 1."""
    template = glyphs_of()[0, 0][0]

    def part(token: str, x: int, y: int, width: int, height: int) -> Glyph:
        ink = np.ones((height, width), np.float32)
        return Glyph(replace(template.piece, box=Box(x, y, width, height), ink=ink), {token: 1.0}, int(token))

    whole, bar = part("7", 0, 0, 19, 26), part("1", 12, 29, 7, 24)
    small = part("7", 0, 0, 19 - narrower, 26)
    seen = {(0, c): [small] if c < apart else [whole, bar] for c in range(6)}
    view = weighing.BoardView.__new__(weighing.BoardView)
    for name, value in {"seen": seen, "shapes": shapes_of(seen), "face": own_face(seen)}.items():
        object.__setattr__(view, name, value)
    assert view.is_known((0, 3), whole)
    assert view.may_stand_close((0, 3), seen[0, 3]) == close


def test_a_dot_that_is_lost_between_the_pixels_makes_no_doubt():
    """Full stops of a pixel and a half between small numbers are not seen everywhere."""
    look = {"arrangement": "row", "ink": 13.0, "small": 8.0, "between": "dot", "snap": False, "hinted": False}
    place = {"left": 40.3, "top": 37.4, "across": 66.4, "down": 66.4}
    sample, _ = strange.everyday(strange.made(stream(1, "test"), 6, 4), (500, 500), {**look, **place})
    reading = GAME.read(sample.image, LAYOUT)
    assert format_puzzle(reading.puzzle) == sample.text
    assert not reading.doubts


def test_a_digit_of_which_the_ends_alone_are_seen_is_a_doubt():
    """Incident: the hairline of pale 1s went below what counts as ink; these candidates were lost without a word."""
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), WINDOW, None)
    whole = GAME.read(sample.image, LAYOUT)
    cell, row = next((cell, row) for cell, row in whole.extra["board"].sheet.glyphs.items() if len(row) > 2)
    place = row[-1].piece.place
    image = sample.image.copy()
    part = image[place.y - 1 : place.y + place.height + 1, place.x - 1 : place.x + place.width + 1]
    part[:] = whole.extra["board"].sheet.grounds[cell].round()
    end = place.height // 4
    for y in (place.y, place.y + place.height - end):
        image[y : y + end, place.x + end : place.x + 2 * end] = row[-1].piece.colour.round()
    seen = GAME.read(image, LAYOUT)
    assert not whole.doubts
    assert {spot[:2] for doubt in seen.doubts for spot in doubt.cells} == {cell}


def test_a_large_number_on_which_a_small_one_hangs_is_higher_and_hardly_broader():
    """Incident: a 2 in the corner ran into a 3, and was gone without a doubt; and so in every such cell alike."""

    def seen(token, width, height, hanging=0):
        rough = np.random.default_rng(int(token)).random((6, 5)).astype(np.float32)
        ink = cv2.resize(rough, (width, height - hanging), interpolation=cv2.INTER_AREA)
        small = cv2.resize(rough[::-1], (width // 2, hanging)) if hanging else ink[:0, : width // 2]
        ink = np.vstack([np.pad(small, ((0, 0), (0, width - width // 2))), ink])
        return Glyph(pieces.Piece(Box(5, 5, width, height), ink, np.zeros(3, np.float32), 200.0), {token: 0.999}, 1)

    board = {(0, k): [seen(token, 42, 56), seen(str(k + 3), 21, 28)] for k, token in enumerate("3344")}
    face = own_face(board | {(1, k): [seen("3", 44, 76, hanging=20)] for k in range(2)})
    assert face.is_grown((1, 0), seen("3", 44, 76, hanging=20))
    assert not face.is_grown((1, 0), seen("3", 57, 76, hanging=20)), "another size"
    assert not face.is_grown((1, 0), seen("3", 44, 76)), "incident: drawn taller all over, by whole pixels"
    assert not face.is_grown((0, 0), board[0, 0][0])
    alike = own_face({(r, c): board[0, c][:1] for r in range(3) for c in range(4)})
    assert not alike.is_grown((1, 0), seen("3", 44, 76, hanging=20)), "nothing small is there that could hang on it"


def test_a_number_that_seems_none_at_first_sight_hides_no_other(monkeypatch: pytest.MonkeyPatch):
    """Incident: the 1 of an uncommon typeface looked like no number to the network, and stood as high as the others in
    many cells; it was read, and each of its cells was in doubt all the same, as if something else stood there."""
    possible = judging.possible

    def unsure_of_fours(row, size, of_height):
        chances = possible(row, size, of_height)
        return {"4": 0.38, "1": 0.01, "": 0.61} if chances["4"] > 0.5 else chances

    monkeypatch.setattr(judging, "possible", unsure_of_fours)
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), WINDOW, None)
    reading = GAME.read(sample.image, LAYOUT)
    assert format_puzzle(reading.puzzle) == sample.text
    assert not reading.doubts


def test_a_larger_1_of_the_same_proportions_is_one():
    """Incident: where a number alone in its cell is larger, the 1 was in doubt, for a part of a bar looks like it: not
    of one with a flag."""

    def seen(token, width, height, bar=False):
        rough = np.random.default_rng(int(token)).random((8, 4)).astype(np.float32) > 0.5
        ink = cv2.resize(rough.astype(np.float32), (width, height), interpolation=cv2.INTER_NEAREST)
        ink = np.ones_like(ink) if bar else ink
        return Glyph(pieces.Piece(Box(5, 5, width, height), ink, np.zeros(3, np.float32), 200.0), {token: 0.999}, 1)

    def enlarged(bar):
        board = {(0, k): [seen(token, 12, 24, bar and token == "1")] for k, token in enumerate("11223344")}
        return own_face(board).is_enlarged((1, 0), seen("1", 17, 34, bar))

    assert enlarged(bar=False)
    assert not enlarged(bar=True)
