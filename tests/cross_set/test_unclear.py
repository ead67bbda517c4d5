"""What is not clear at first in a cell of Cross Set: digits close to walls, digits in one piece with something else,
and ink that nothing explains."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cross_set import GAME, reader
from autoplayer.games.cross_set import board as boards
from autoplayer.games.cross_set.own_face import own_face
from autoplayer.games.cross_set.tracing import traced
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision import lattice, pieces
from autoplayer.vision.views import View
from bench.reading import cross_set as strange
from bench.reading.faces import SEGMENT_FACES
from bench.reading.strange import stream

LAYOUT = Layout(game="cross-set")
WINDOW = (700, 700)


def glyphs_of(look=None, size=5, seed=5):
    sample, _ = strange.everyday(strange.made(stream(seed, "test"), size, 4), WINDOW, look)
    return GAME.read(sample.image, LAYOUT).extra["board"].sheet.glyphs


def test_a_cells_inside_reaches_up_to_its_walls():
    image = np.full((80, 90, 3), 200, np.uint8)
    image[8:72, 10:12] = image[8:72, 70:72] = 30  # walls at the left and right
    image[8:10, 10:72] = 30  # and above; none below
    image[30:50, 12:16] = 90  # a digit's stroke at the left wall
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, True)
    found = boards._to_the_walls(view, {(0, 0): Box(16, 14, 50, 50)})[0, 0]
    assert (found.x, found.y, found.x + found.width, found.y + found.height) == (12, 10, 70, 64)


def test_where_no_walls_are_known_a_cell_stays_as_it_is():
    image = np.full((80, 90, 3), 200, np.uint8)
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, False)
    assert boards._to_the_walls(view, {(0, 0): Box(16, 14, 50, 50)}) == {(0, 0): Box(16, 14, 50, 50)}


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
    found = dict(reader._more(row, 5, 1))
    first, second = (g.token for g in row)
    third = next(t for t in "12345" if t not in (first, second))
    assert max(found, key=found.__getitem__) == first + second
    assert {third + first + second, first + third + second, first + second + third} <= set(found)
    assert sum(found.values()) == pytest.approx(1, abs=0.02)
    assert not any(len(text) > 3 for text in found)
    assert any(len(text) == 4 for text, _ in reader._more(row, 5, 2))


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
