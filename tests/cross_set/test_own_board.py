"""What a board of Cross Set says about its own glyphs: their sizes, places and tones, and the signs between them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, JUNK, Glyph
from autoplayer.games.cross_set.seeing.glyphs.own_face import OWN, compared, own_face, vector
from autoplayer.games.cross_set.seeing.glyphs.signs import swallowed_signs, without
from autoplayer.games.cross_set.seeing.lattice import insides
from autoplayer.games.cross_set.seeing.one_cell import choosing, judging
from autoplayer.games.cross_set.seeing.one_cell.assembly import shapes_of
from autoplayer.games.cross_set.seeing.ordering.active import active
from autoplayer.games.cross_set.seeing.ordering.slots import by_place
from autoplayer.vision import lattice, pieces
from autoplayer.vision.pieces import Piece
from autoplayer.vision.views import View

PITCH = 100

Colour = tuple[int, int, int]


def piece(x: int, y: int, width: int, height: int, contrast: float = 200.0, colour: Colour = (0, 0, 0)) -> Piece:
    ink = np.ones((height, width), np.float32)
    return Piece(Box(x, y, width, height), ink, np.array(colour, np.float32), contrast)


def glyph(token: str, place: Piece, chance: float = 0.99) -> Glyph:
    return Glyph(place, {token: chance, JUNK: 1 - chance}, int(token))


def seven(width: int, height: int, bar: int) -> Glyph:
    """A 7 of two strokes, the upper one ``bar`` pixels thick."""
    ink = np.zeros((height, width), np.float32)
    ink[:bar] = ink[:, -1] = 1
    return glyph("7", replace(piece(0, 0, width, height), ink=ink))


def test_a_small_digit_that_is_a_pixel_lower_is_alike():
    """The bare ground that a slim one is given at both sides is not one pixel at one of them."""
    assert float(vector(seven(4, 9, 1)) @ vector(seven(4, 10, 1))) > 0.9


def test_a_digit_is_compared_with_those_of_its_own_size_where_there_are_such():
    seen = {(0, c): [seven(6, 13, 3)] for c in range(8)}
    tall = seven(7, 15, 1)
    alone = own_face(seen)
    assert alone is not None
    assert alone.lack((2, 0), tall) > 0.05
    both = own_face({**seen, (1, 0): [tall]})
    assert both is not None
    assert both.lack((2, 0), tall) < 0.01


def test_what_is_all_but_sure_is_compared_as_well():
    """Incident: noise left half a dozen glyphs of a board at 0.98, each just like its number elsewhere, in doubt."""
    sevens = {(0, c): [seven(6, 13, 3)] for c in range(8)}
    told = compared(sevens | {(1, 0): [replace(seven(6, 13, 3), chances={"7": 0.98, "1": 0.02}, cluster=70)]})
    assert told[1, 0][0].chance > CERTAIN


def test_a_number_in_a_size_that_no_other_has_is_known_by_its_proportions():
    """The only active number may be a 2; a bar says nothing, for a part of one is one."""
    face = own_face({(0, c): [seven(6, 12, 2)] for c in range(8)})
    assert face is not None
    assert face.is_enlarged((1, 0), seven(10, 20, 3))
    assert not face.is_enlarged((1, 0), seven(10, 30, 3))
    assert not face.is_enlarged((1, 0), seven(10, 20, 14))
    assert not face.is_enlarged((1, 0), seven(6, 12, 2))
    bars = own_face({(0, c): [glyph("1", piece(0, 0, 4, 12))] for c in range(8)})
    assert bars is not None
    assert not bars.is_enlarged((1, 0), glyph("1", piece(0, 0, 8, 24)))


def test_a_number_that_the_board_has_in_another_size_only_is_known_by_its_shape():
    """Incident: a 1 of segments is lower than all other numbers; it might have been a 6 of a size that no 6 had."""
    ring = np.zeros((30, 18), np.float32)
    ring[:4] = ring[-4:] = ring[13:17] = ring[:, :4] = ring[13:, -4:] = 1
    six = replace(glyph("6", piece(0, 0, 18, 30)), piece=replace(piece(0, 0, 18, 30), ink=ring))
    ones = {(1, c): [glyph("1", piece(0, 0, 5, 23))] for c in range(4)}
    doubted = replace(glyph("1", piece(0, 0, 5, 23)), chances={"1": 0.7, "6": 0.28, JUNK: 0.02}, cluster=99)
    told = compared({**{(0, c): [six] for c in range(6)}, **ones, (2, 0): [doubted]})
    assert told[2, 0][0].chances["6"] < 0.01


def test_a_small_number_that_the_raster_draws_in_two_ways_is_known_in_both():
    often = {(0, c): [seven(5, 9, 3)] for c in range(9)}
    face = own_face({**often, **{(1, c): [seven(5, 9, 1)] for c in range(3)}})
    other = own_face({**often, (1, 0): [seven(5, 9, 1)]})
    assert face is not None
    assert other is not None
    assert face.lack((2, 0), seven(5, 9, 1)) < 0.01
    assert other.lack((2, 0), seven(5, 9, 1)) > 0.05


def test_a_one_of_segments_is_lower_than_the_others_of_its_size():
    """It lacks their outer segments. What is met as one other number only may be two digits in one piece; a bar is
    none."""
    seen = {(0, c): [glyph(t, piece(0, 0, 14, 27))] for c, t in enumerate("2352352")}
    ones = {(1, c): [glyph("1", piece(0, 0, 3, 22))] for c in range(4)}
    assert shapes_of({**seen, **ones})["1"] == [(22.0, 3.0)]
    active = {(1, c): [glyph("1", piece(0, 0, 5, 40))] for c in range(4)}
    assert shapes_of({**seen, **active})["1"] == [(40.0, 5.0)]
    for token in "46":
        broad = {(1, c): [glyph(token, piece(0, 0, 14, 22))] for c in range(4)}
        assert (token in shapes_of({**seen, **broad})) is (token == "4"), "a 4 lacks them as well"
    low = {(1, c): [glyph("1", piece(0, 0, 3, 14)), glyph("4", piece(20, 0, 14, 18))] for c in range(4)}
    assert not {"1", "4"} & set(shapes_of({**seen, **low}))


@pytest.mark.parametrize("chance", [0.92, 0.99])
def test_a_number_that_is_just_legible_says_nothing_of_its_shape(chance: float):
    """Incident: the hairline of an italic 3 vanished in every cell, so that its foot stood apart; the whole 3 was too
    broad then, and the rest became a 1 by comparison."""
    seen = {(0, c): [glyph(t, piece(0, 0, 13, 22))] for c, t in enumerate("2452452")}
    broken = {(1, c): [glyph("3", piece(0, 0, 8, 20), chance)] for c in range(6)}
    assert ("3" in shapes_of({**seen, **broken})) is (chance > OWN)


def segments(x: int, sign: bool) -> list[Piece]:
    """A digit of two bars and, if there is one, a full stop behind it."""
    parts = [piece(x, 20, 10, 4), piece(x, 40, 10, 4)]
    return [*parts, piece(x + 14, 40, 4, 4)] if sign else parts


def test_signs_that_went_into_numbers_are_found():
    atoms: dict[Cell, list[Piece]] = {}
    for c in range(6):
        atoms[0, c] = [*segments(PITCH * c + 10, True), *segments(PITCH * c + 50, False)]
    seen = {
        cell: [glyph("2", pieces.joined(parts[:3])), glyph("3", pieces.joined(parts[3:]))]
        for cell, parts in atoms.items()
    }
    boxes = {(0, c): Box(PITCH * c, 0, PITCH, PITCH) for c in range(6)}
    found = swallowed_signs(seen, atoms, boxes)
    assert {cell: [box.x % PITCH for box in signs] for cell, signs in found.items()} == {cell: [24] for cell in atoms}
    assert [p.box for p in without(atoms[0, 0], found[0, 0])] == [p.box for p in atoms[0, 0] if p.box.x != 24]
    # Where the last number has one as well it is a part of the numbers.
    more = {cell: [*parts, piece(64 + PITCH * cell[1], 40, 4, 4)] for cell, parts in atoms.items()}
    after = {c: [row[0], glyph("3", pieces.joined(more[c][3:]))] for c, row in seen.items()}
    assert swallowed_signs(after, more, boxes) == {}


def pencil_marks() -> tuple[dict[Cell, list[Glyph]], dict[Cell, Box]]:
    """Six cells with 1, 2 and 3, each in its place."""
    boxes = {(0, c): Box(PITCH * c, 0, PITCH, PITCH) for c in range(6)}
    seen = {cell: [glyph(str(n), piece(box.x + 25 * n, 40, 8, 12)) for n in (1, 2, 3)] for cell, box in boxes.items()}
    return seen, boxes


def test_a_number_in_the_place_of_another_is_that_one_unless_it_looks_quite_otherwise():
    seen, boxes = pencil_marks()
    first, second, third = seen[0, 0]
    seen[0, 0] = [first, replace(second, chances={"3": 0.7, "2": 0.2, JUNK: 0.1}), third]
    seen[0, 1] = [replace(g, chances={"3": 0.999, JUNK: 0.001}) if g.token == "2" else g for g in seen[0, 1]]
    weighed = by_place(seen, boxes)
    assert weighed[0, 0][1].token == "2"
    assert weighed[0, 0][1].chance > 0.85
    assert weighed[0, 0][1].chances[JUNK] == pytest.approx(0.1)
    sure = weighed[0, 1][1]
    assert sure.chances["2"] == pytest.approx(sure.chances["3"], rel=0.1)
    assert sure.cluster != weighed[0, 1][2].cluster
    assert [g.chances for g in weighed[0, 2]] == [pytest.approx(g.chances, abs=0.02) for g in seen[0, 2]]


def test_where_numbers_have_no_places_of_their_own_places_say_nothing():
    seen, boxes = pencil_marks()

    def moved(cell: Cell, i: int, g: Glyph) -> Glyph:
        box = replace(g.piece.box, x=boxes[cell].x + 25 * (1 + (i + cell[1]) % 3))
        return replace(g, piece=replace(g.piece, box=box))

    turned = {cell: [moved(cell, i, g) for i, g in enumerate(row)] for cell, row in seen.items()}
    assert by_place(turned, boxes) == turned


def test_what_number_a_glyph_is_makes_no_other_way_to_part_a_cell():
    seen, _ = pencil_marks()
    cell, row = (0, 0), seen[0, 0]
    misread = [row[0], replace(row[1], chances={"7": 0.6, "2": 0.4}), row[2]]
    assert choosing.rivals_of({cell: row}, {cell: [(0.5, list(misread)), (0.5, list(row))]}) == {}
    joined = [glyph("7", pieces.joined([row[0].piece, row[1].piece])), row[2]]
    assert choosing.rivals_of({cell: row}, {cell: [(0.5, joined), (0.5, list(row))]}) == {cell: joined}


def test_numbers_that_went_into_larger_ones_count_against_a_way_to_put_pieces_together():
    """A large 5 with two small numbers below it looks like a 5."""
    small = {(0, c): [glyph("5", piece(0, 0, 20, 30)), glyph(t, piece(4, 34, 7, 10))] for c, t in enumerate("2353")}
    whole = {cell: [glyph("5", pieces.joined([g.piece for g in row]))] for cell, row in small.items()}
    assert choosing.not_swallowed(small, whole) == 0
    assert choosing.not_swallowed(small, small) == 1
    commas = {cell: [row[0], replace(row[1], chances={"2": 1.0})] for cell, row in small.items()}
    assert choosing.not_swallowed(commas, whole) == 1


def test_what_is_as_low_as_a_comma_is_no_two_digits():
    digits = {(0, c): [glyph(t, piece(0, 0, 14, 26))] for c, t in enumerate("2352")}
    low = glyph("4", piece(0, 30, 10, 4), chance=0.1)
    assert judging._parted({**digits, (1, 0): [low]}) == {}


def pairs(first: tuple[float, Colour], second: tuple[float, Colour]) -> dict[Cell, list[Glyph]]:
    """Cells of two numbers; ``first``, ``second``: contrast and colour, the first one's now at the left, now not."""
    rows: dict[Cell, list[Glyph]] = {}
    for i, (a, b) in enumerate(("12", "23", "34", "41", "24", "31", "12", "43")):
        one = glyph(a, piece(10, 10, 8, 12, *first))
        other = glyph(b, piece(40, 10, 8, 12, *second))
        rows[0, i] = [one, other] if i % 2 else [other, one]
    return rows


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param((280.0, (250, 250, 250)), (205.0, (180, 180, 180)), id="the stronger one"),
        pytest.param((150.0, (66, 214, 122)), (80.0, (149, 144, 154)), id="the stronger and coloured one"),
    ],
)
def test_the_active_one_without_a_place(first: tuple[float, Colour], second: tuple[float, Colour]):
    """The other way round each of these windows has an explanation as well, a worse one."""
    rows = pairs(first, second)
    found = active(rows, dict.fromkeys(rows, np.full(3, 75, np.float32)), (), {})
    assert found is not None
    assert not found.unsure
    assert all(g.piece.contrast == first[0] for g in found.choice.values())


def test_a_neighbours_wall_is_not_a_cells_own():
    """Round corners leave too little of the own one; another cell's cursor is drawn farther out."""
    image = np.full((60, 240, 3), 230, np.uint8)
    for c in range(3):
        image[:, 60 * c + 42 : 60 * c + 44] = 110
    image[:22, 162:164] = image[38:, 162:164] = 230  # the last cell's wall is short
    image[:, 165:167] = 60
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, True)
    found = insides.to_the_walls(view, {(r, 0): Box(60 * r + 6, 12, 34, 34) for r in range(3)})
    assert [found[r, 0].x + found[r, 0].width - 60 * r for r in range(3)] == [42, 42, 42]
