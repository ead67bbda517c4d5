"""Numbers and starts that must not be left out, or read otherwise, without a word: pictures drawn here."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing.glyphs import tokens
from autoplayer.games.cardinal_chains.seeing.starts import find_unmarked_starts
from autoplayer.games.cardinal_chains.seeing.text import screens
from autoplayer.layout import Layout
from autoplayer.vision import glyphs, ink
from autoplayer.vision.lattice import Lattice, edge_strength
from autoplayer.vision.views import View
from tests.cardinal_chains.test_chains_over_starts import write
from tests.cardinal_chains.test_without_a_doubt import cells, middle, page

LAYOUT = Layout(game="cardinal-chains")
PITCH, EDGE = 64, 90


def written(image: Image, x: int, y: int, text: str, colour: tuple[int, ...], scale: float = 1.0) -> None:
    """``text`` about the middle ``(x, y)``."""
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
    cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, scale, colour, 2, cv2.LINE_AA)


def read(image: Image) -> list[str]:
    return format_puzzle(GAME.read(image, LAYOUT).puzzle).splitlines()


def test_a_start_beside_one_cell_only_is_known_by_its_own_ground():
    """Nothing else stands in its column, and its mark is lower than a number: it was left out, and the dark discs of
    holes were taken for starts."""
    rows = [". 7 6 3 2 .", "9 8 5 4 1 X", ". 4 4 4 . .", ". 4 . 4 . .", ". 4 4 4 . ."]
    image = np.full((5 * PITCH + 2 * EDGE, 6 * PITCH + 2 * EDGE, 3), (38, 46, 36), np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = EDGE + c * PITCH + PITCH // 2, EDGE + r * PITCH + PITCH // 2
            ground = {"X": (185, 227, 69), ".": (30, 40, 29)}.get(token, (44, 52, 42))
            cv2.circle(image, (x, y), PITCH // 2 - 4, ground, -1, cv2.LINE_AA)
            if token != ".":
                written(image, x, y, token.replace("X", "x"), (255, 255, 255) if token == "X" else (220, 214, 222))
    assert read(image) == rows


def test_starts_between_cells_that_chains_have_filled_are_seen_by_their_marks():
    """Chains swallow the walls between their cells, so that few cells are closed, and give the numbers the starts' ink
    and ground."""
    rows, fill = ["3112", "21X1", "2113"], ["ccmm", "ccmm", "..mm"]
    colours = {"c": (210, 200, 20), "m": (215, 20, 225), ".": (48, 56, 76)}
    image = np.full((3 * PITCH + 2 * EDGE, 4 * PITCH + 2 * EDGE, 3), (36, 42, 50), np.uint8)
    contents, seen = {}, {}
    for cell in np.ndindex(3, 4):
        x, y, token = EDGE + cell[1] * PITCH, EDGE + cell[0] * PITCH, rows[cell[0]][cell[1]]
        cv2.rectangle(image, (x, y), (x + PITCH - 1, y + PITCH - 1), colours[fill[cell[0]][cell[1]]], -1)
        written(image, x + PITCH // 2, y + PITCH // 2, token.replace("X", "*"), (255, 255, 255))
        contents[cell] = ink.content(image, Box(x + 2, y + 2, PITCH - 4, PITCH - 4))
        seen[cell] = tokens.Glyph((("", 0.9), ("7", 0.1)) if token == "X" else ((token, 0.99), ("", 0.01)), len(seen))
    middle = EDGE + PITCH / 2
    closed = Lattice(middle, middle, PITCH, PITCH, PITCH, PITCH, frozenset({(2, 0), (2, 1)}))
    find_unmarked_starts(View(image, edge_strength(image), 0.0, 12.0, True), seen, contents, closed)
    assert [cell for cell, glyph in seen.items() if glyph.candidates[0][0] == "X"] == [(1, 2)]


@pytest.mark.parametrize("above", [84, 40])
def test_a_button_above_a_board_takes_no_row_of_it_along(above):
    """The distance from the button to the first row is not that between the rows."""
    image = np.full((560, 640, 3), (30, 36, 40), np.uint8)
    rows = ["X 1 1 2 2", "2 1 1 2 3", "2 3 3 4 3", "5 4 3 4 4"]
    cv2.rectangle(image, (60, 150 - above), (78, 150 - above + 16), (220, 220, 220), -1)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            written(image, 70 + 60 * c, 160 + 60 * r, token, (220, 220, 220), 0.8)
    cv2.putText(
        image, "Every number is in a chain", (60, 500), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (220, 220, 220), 1, cv2.LINE_AA
    )
    cut = screens.board_alone(image)
    assert cut is not None
    assert len(cut.marks) == 20


def test_a_number_with_a_line_beside_it_is_what_its_own_colour_shows(monkeypatch: pytest.MonkeyPatch):
    """A chain that ends at a 1 may make a clear 4 of both."""
    image = np.full((60, 300, 3), 40, np.uint8)
    contents = {}
    for c in range(5):
        cv2.rectangle(image, (60 * c + 28, 18), (60 * c + 31, 42), (225, 225, 225), -1)
    cv2.line(image, (60 + 20, 34), (60 + 59, 34), (60, 130, 60), 6)
    cv2.line(image, (60 + 22, 0), (60 + 22, 34), (60, 130, 60), 6)
    for c in range(5):
        contents[0, c] = ink.content(image, Box(60 * c, 0, 60, 60))

    def said(inks: Sequence[np.ndarray]) -> list[list[tuple[str, float]]]:
        narrow = [3 * one.shape[1] < one.shape[0] for one in inks]
        return [[("1", 0.96), ("4", 0.04)] if one else [("4", 0.99), ("1", 0.01)] for one in narrow]

    monkeypatch.setattr(glyphs, "read_numbers", said)
    seen = tokens.classify(image, contents, 0.0, set(contents))
    assert [seen[0, c].candidates[0][0] for c in range(5)] == ["1"] * 5


def test_a_chain_that_ends_upon_its_start_is_no_veil_over_a_hole():
    """The mark has its chain's colour and cannot be read; it was taken for a hole, which is dark here."""
    rows = [". X 1 4 . .", ". . 1 4 . 1", ". 2 2 3 . 1", ". 3 . 3 2 2", ". 3 4 3 1 1", "4 4 . 2 2 X"]
    inks = {(0, 1): (38, 223, 68), (5, 5): (69, 112, 222)}
    image = np.full((6 * PITCH + 2 * EDGE, 6 * PITCH + 2 * EDGE, 3), (170, 240, 185), np.uint8)
    middles = {cell: tuple(EDGE + k * PITCH + PITCH // 2 for k in cell[::-1]) for cell in np.ndindex(6, 6)}
    tokens_of = {(r, c): token for r, row in enumerate(rows) for c, token in enumerate(row.split())}
    for cell, (x, y) in middles.items():
        ground = (100, 130, 105) if tokens_of[cell] == "." else (219, 245, 237)
        cv2.rectangle(image, (x - 28, y - 28), (x + 28, y + 28), ground, -1)
    cv2.line(image, middles[5, 5], middles[4, 5], inks[5, 5], 18, cv2.LINE_AA)
    for cell, token in tokens_of.items():
        if token != ".":
            written(image, *middles[cell], token.replace("X", "x"), inks.get(cell, (21, 30, 24)), 0.9)
    reading = GAME.read(image, LAYOUT)
    doubted = {cell: dict(doubt.candidates) for doubt in reading.doubts for cell in doubt.cells}
    row = format_puzzle(reading.puzzle).splitlines()[-1]
    assert row == rows[-1] or (5, 5) in doubted


def test_starts_at_the_end_of_rows_of_tiles_are_like_the_one_within():
    """Nothing else stands in their column, and tiles that touch have no walls: two of four starts were left out."""
    rows = [". 6 7 8 9 .", "X 6 7 8 6 9", ". 8 8 9 X .", "X 6 6 7 8 9", ". X 6 7 8 ."]
    colours = iter([(40, 170, 190), (200, 180, 20), (210, 30, 240), (20, 220, 120)])
    image = np.full((5 * PITCH + 2 * EDGE, 6 * PITCH + 2 * EDGE, 3), (75, 141, 185), np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = EDGE + c * PITCH, EDGE + r * PITCH
            if token != ".":
                cv2.rectangle(image, (x, y), (x + PITCH - 1, y + PITCH - 1), (24, 57, 103), -1)
            if token.isdigit():
                written(image, x + PITCH // 2, y + PITCH // 2, token, (250, 250, 250), 1.4)
            elif token == "X":
                written(image, x + PITCH // 2, y + PITCH // 2, "x", next(colours), 1.1)
    assert read(image) == rows


def test_a_number_at_the_end_of_a_line_that_goes_through_all_the_others_is_its_own():
    """Incident: the heights of all numbers were those of their lines, and what was left of the only 2 without its line
    was taken for a part of a number; so it was held to be a 1 that something covers."""
    rows = ["1 1 2", "1 . .", "1 1 .", ". 1 .", "1 1 .", "X . ."]
    way = [(5, 0), (4, 0), (4, 1), (3, 1), (2, 1), (2, 0), (1, 0), (0, 0), (0, 1), (0, 2)]
    pitch = 146
    image = np.full((6 * pitch + 2 * EDGE, 3 * pitch + 2 * EDGE, 3), (38, 36, 18), np.uint8)
    middles = {cell: (EDGE + cell[1] * pitch + pitch // 2, EDGE + cell[0] * pitch + pitch // 2) for cell in way}
    for x, y in middles.values():
        corners = (x - pitch // 2, y - pitch // 2), (x + pitch // 2 - 1, y + pitch // 2 - 1)
        cv2.rectangle(image, *corners, (48, 55, 21), -1)
        cv2.rectangle(image, *corners, (255, 255, 255), 2)
    line = image.copy()
    for one, other in itertools.pairwise(way):
        cv2.line(line, middles[one], middles[other], (222, 158, 20), 36, cv2.LINE_AA)
    picture = Picture.fromarray(cv2.addWeighted(line, 0.7, image, 0.3, 0))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(92)
    for cell, (x, y) in middles.items():
        token = rows[cell[0]].split()[cell[1]]
        if token == "X":
            pen.rectangle((x - 21, y - 21, x + 21, y + 21), fill=(222, 158, 20))
        else:
            pen.text((x, y), token, fill=(244, 250, 251), font=font, anchor="mm")
    assert read(np.ascontiguousarray(picture)) == rows


def test_cells_under_a_line_that_ends_on_their_discs_are_part_of_a_board_without_walls():
    """Incident: a 1 and the small start before it, under the first step of a chain, were held to be holes; when they
    were not, the start to be a 1, because the page around the discs was taken for a part of all the others."""
    rows = ["1 . 1 1", "1 1 X 1", "1 1 . 1", "1 1 1 X"]
    image = np.full((620, 620, 3), (190, 98, 127), np.uint8)
    picture = Picture.fromarray(image)
    pen, font, small = ImageDraw.Draw(picture), ImageFont.load_default(40), ImageFont.load_default(26)
    middles = {cell: (190 + 72 * cell[1], 190 + 72 * cell[0]) for cell in np.ndindex(4, 4)}
    for cell, (x, y) in middles.items():
        token = rows[cell[0]].split()[cell[1]]
        ground = (102, 55, 70) if token == "." else (78, 28, 31)
        pen.ellipse((x - 34, y - 34, x + 34, y + 34), fill=ground)
        if token == "X":
            pen.text((x, y + 2), "x", fill=(234, 18, 95) if cell[0] == 1 else (30, 160, 190), font=small, anchor="mm")
        if cell == (3, 2):
            pen.line((x, y, x + 72, y), fill=(36, 164, 192), width=16)
            for end in (x, x + 72):
                pen.ellipse((end - 8, y - 8, end + 8, y + 8), fill=(36, 164, 192))
    for cell, (x, y) in middles.items():
        if rows[cell[0]].split()[cell[1]] == "1":
            pen.text((x, y), "1", fill=(255, 255, 255), font=font, anchor="mm")
    x, y = middles[3, 3]
    pen.line((x - 36, y, x, y), fill=(36, 164, 192), width=16)
    pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill=(36, 164, 192))
    reading = GAME.read(np.ascontiguousarray(picture), LAYOUT)
    assert {cell for cell, _ in np.ndenumerate(np.zeros((4, 4)))} - {(0, 1), (2, 2)} == set(reading.places)
    doubted = {cell for doubt in reading.doubts for cell in doubt.cells}
    assert all(reading.puzzle.rows[r][c] == 1 for (r, c) in middles if rows[r].split()[c] == "1")
    assert reading.puzzle.rows[3][3] == 0 or (3, 3) in doubted


def test_what_lies_between_discs_is_no_cell_because_they_reach_into_it():
    """On a lattice of half the pitch the gaps between discs have the discs' colour at their sides."""
    rows = ["3 2 2 1", "3 6 5 1", "4 4 5 X"]
    picture = Picture.new("RGB", (488, 416), (246, 250, 242))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(27)
    pen.rounded_rectangle((80, 80, 408, 336), 20, fill=(230, 248, 224))
    for (r, c), token in np.ndenumerate([row.split() for row in rows]):
        x, y = 136 + 72 * c, 136 + 72 * r
        pen.ellipse((x - 34, y - 34, x + 34, y + 34), fill=(190, 236, 160))
        pen.ellipse((x - 31, y - 31, x + 31, y + 31), fill=(114, 197, 16))
        pen.text((x, y), token, fill=(255, 255, 255), font=font, anchor="mm")
    assert read(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])) == rows


def ringed(rows: list[str], pitch: int, wall: int, ring: tuple[int, int, int, int], share: float) -> Image:
    """Cells with walls, so many pixels broad, and discs as starts, none around holes; over it a half transparent ring:
    its middle, from the board's corner on, its radius and its breadth."""
    image = np.full((600, 900, 3), (238, 254, 224), np.uint8)
    colours = iter([(105, 185, 41), (228, 50, 158), (141, 48, 217)])
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = EDGE + c * pitch, EDGE + r * pitch
            if token == ".":
                continue
            cv2.rectangle(image, (x, y), (x + pitch, y + pitch), (90, 100, 80), wall)
            if token == "X":
                cv2.circle(image, (x + pitch // 2, y + pitch // 2), int(0.45 * pitch), next(colours), -1, cv2.LINE_AA)
            written(image, x + pitch // 2, y + pitch // 2, token, (60, 60, 60), pitch / 72)
    x, y, radius, breadth = ring
    veil = cv2.circle(image.copy(), (EDGE + x, EDGE + y), radius, (120, 200, 100), breadth, cv2.LINE_AA)
    return np.asarray(cv2.addWeighted(image, 1 - share, veil, share, 0), np.uint8)


RINGED = ["3 4 5 .", "3 . 6 8", "3 X . 9", "3 2 . 9"]


@pytest.mark.parametrize(
    ("rows", "pitch", "ring", "share"),
    [
        (["X 1 . 2 2 1 X", ". X 2 2 1 2 2"], 104, (560, 26, 305, 20), 0.3),
        (RINGED, 72, (95, 254, 146, 5), 0.5),
    ],
    ids=["beyond", "ends"],
)
def test_a_ring_behind_the_board_that_runs_through_a_hole_is_no_chain(
    rows: list[str], pitch: int, ring: tuple[int, int, int, int], share: float
) -> None:
    """It leads on to where no cell is, or to no cell at all; the holes were read as a 1 and as a start."""
    assert read(ringed(rows, pitch, 1, ring, share)) == rows


def test_glyphs_that_are_covered_do_not_tell_where_the_other_rows_stand() -> None:
    """The numbers of the first row are consecutive; the second row is covered, and made them seem to stand at another
    distance than the rest, as buttons do."""
    assert read(ringed(RINGED, 72, 2, (95, 250, 146, 5), 0.7)) == RINGED


def test_chains_that_fill_a_whole_row_are_no_rim_of_a_panel() -> None:
    """The row above was dropped as a heading behind the only line (silently wrong)."""
    rows, fill = ["6 5 5", "X 4 4", "6 5 3", "9 8 3", "X 7 X"], ["...", "oob", "..b", ".mb", "mmb"]
    colours = {"o": (47, 124, 190), "b": (253, 139, 62), "m": (223, 55, 210)}
    image = np.full((5 * PITCH + 2 * EDGE, 3 * PITCH + 4 * EDGE, 3), (77, 61, 57), np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y, own = 2 * EDGE + c * PITCH, EDGE + r * PITCH, colours.get(fill[r][c])
            if own:
                cv2.rectangle(image, (x, y), (x + PITCH - 1, y + PITCH - 1), own, -1)
            written(image, x + PITCH // 2, y + PITCH // 2, token, (16, 16, 16) if own else (107, 107, 107))
    assert read(image) == rows


def test_a_column_of_far_higher_numbers_with_a_start_is_no_score() -> None:
    """It was dropped, and the rest had a solution (silently wrong)."""
    rows = ["X X 1", "18 2 1", "19 3 2"]
    image = np.full((3 * PITCH + 2 * EDGE, 3 * PITCH + 2 * EDGE, 3), (60, 140, 70), np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = EDGE + c * PITCH + PITCH // 2, EDGE + r * PITCH + PITCH // 2
            if token == "X":
                cv2.circle(image, (x, y), 26, (30, 90, 215) if c else (160, 60, 150), -1, cv2.LINE_AA)
            written(image, x, y, token, (255, 255, 255))
    assert read(image) == rows


def test_beside_a_single_other_number_none_is_far_higher() -> None:
    """It was dropped as a score, without a doubt: a chain had filled the two cells before it."""
    pitch = 90
    image = np.full((pitch + 4 * EDGE, 3 * pitch + 4 * EDGE, 3), (18, 12, 14), np.uint8)
    for c, token in enumerate(("X", "6", "15")):
        x, y = 2 * EDGE + c * pitch, 2 * EDGE
        if c < 2:
            cv2.rectangle(image, (x, y), (x + pitch - 1, y + pitch - 1), (100, 100, 250), -1)
        written(image, x + pitch // 2, y + pitch // 2, token, (18, 18, 18) if c < 2 else (190, 190, 190))
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == ["X 6 15"]
    assert [doubt.cells for doubt in reading.doubts] == [((0, 2),)]


def test_fills_beside_whose_middle_the_numbers_stand_lead_out_of_no_board() -> None:
    """Chains seemed to go on beyond the last column, and the upper four rows were left out without a doubt."""
    rows = [". 5 5 .", "X . 4 3", "1 8 9 2", "4 5 . X", "9 . 9 4", "5 3 . X", ". 2 1 X"]
    fill = ["....", "o...", "o..p", "oo.p", "..mm", "...m", "...."]
    colours = {"o": (108, 184, 253), "p": (255, 170, 198), "m": (255, 129, 246)}
    image = np.full((7 * PITCH + 2 * EDGE, 4 * PITCH + 2 * EDGE, 3), 247, np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = EDGE + c * PITCH, EDGE + r * PITCH
            if own := colours.get(fill[r][c]):
                cv2.rectangle(image, (x, y), (x + PITCH - 1, y + PITCH - 1), own, -1)
            if token != ".":
                written(image, x + PITCH // 2 - 6, y + PITCH // 2 - 4, token, (72, 26, 26))
    assert read(image) == rows


def test_walls_that_fade_on_a_shaded_page_do_not_take_a_row_for_a_text() -> None:
    """They are drawn at the places' borders, where words run on; four numbers above were dropped (silently wrong)."""
    rows = ["1 1 . . 1 1", "2 1 1 1 1 2", ". 2 X 1 1 .", "X 2 1 1 1 X", "2 2 . . 1 1"]
    pitch, height = 108, 5 * 108 + 2 * EDGE
    shade = np.linspace(196, 228, height)[:, None, None] + np.zeros((1, 6 * pitch + 2 * EDGE, 3))
    image, colours = shade.round().astype(np.uint8), iter([(60, 170, 20), (60, 70, 240), (150, 210, 30)])
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = EDGE + c * pitch, EDGE + r * pitch
            if token == ".":
                continue
            cv2.rectangle(image, (x, y), (x + pitch, y + pitch), (190, 190, 190), 1)
            if token == "X":
                cv2.circle(image, (x + pitch // 2, y + pitch // 2), 46, next(colours), 5, cv2.LINE_AA)
            written(image, x + pitch // 2, y + pitch // 2, token, (30, 30, 30), 1.8)
    assert read(image) == rows


@pytest.mark.parametrize("upright", [True, False])
def test_a_row_along_which_a_chain_runs_is_not_behind_a_rim(upright: bool) -> None:
    """Incident: the edge of the chain's line was taken for the rim of a panel, and all that it passes was left out."""
    rows = ["X . 2 2 4 4", "1 . X . X 3", "4 4 4 2 1 3", "X 2 4 3 . 3", "4 2 4 3 . 1", "X 1 1 . 3 X"]
    rows = rows if upright else [" ".join(line) for line in zip(*(row.split() for row in rows), strict=True)]
    image = np.pad(page(rows, 58, (27, 59, 46)), ((0, 60), (0, 60), (0, 0)), mode="edge")
    for ends, colour in (((0, 5), (5, 5)), (105, 80, 100)), (((0, 0), (2, 0)), (85, 95, 120)):
        cv2.line(image, *(middle(end if upright else end[::-1], 58) for end in ends), colour, 18)
    for cell, token in cells(rows).items():
        write(image, token, middle(cell, 58), 1.1, (90, 255, 180))
    assert read(image) == rows


@pytest.mark.parametrize("tokens", ["19 7 6 4 X", "30 9 5 X", "14 3 2 2 1 X"])
@pytest.mark.parametrize("colour", [(90, 210, 160), (158, 200, 140)], ids=["a colour of its own", "the page's"])
@pytest.mark.parametrize("wall", [(100, 100, 100), None], ids=["walls", "no walls"])
@pytest.mark.parametrize("down", [False, True], ids=["a row", "a column"])
def test_the_last_number_of_a_row_that_a_chain_fills_is_no_score(
    tokens: str, colour: tuple[int, int, int], wall: tuple[int, int, int] | None, down: bool
) -> None:
    """Incident: 19 7 6 4 X was played without the 19; of 216 drawings 44 were, and 43 were refused."""
    pitch, said = 48, tokens.split()
    image = np.full((pitch + 240, pitch * len(said) + 200, 3), (158, 200, 140), np.uint8)
    image = np.ascontiguousarray(image.transpose(1, 0, 2)) if down else image

    def at(k: int) -> tuple[int, int]:
        return (120, 100 + k * pitch) if down else (100 + k * pitch, 120)

    for k in range(len(said)):
        (x, y), fill = at(k), (70, 141, 46) if k else colour
        cv2.rectangle(image, (x, y), (x + pitch - 1, y + pitch - 1), fill, -1)
    (x, y), (right, below) = at(0), at(len(said) - 1)
    if wall is not None:
        cv2.rectangle(image, (x, y), (right + pitch - 1, below + pitch - 1), wall, 1)
        cv2.rectangle(image, (x, y), (x + pitch - 1, y + pitch - 1), wall, 1)
    for k, token in enumerate(said):
        (x, y), ink = at(k), (245, 245, 245) if k else (40, 40, 40)
        (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 1)
        spot = x + (pitch - w) // 2, y + (pitch + h) // 2
        cv2.putText(image, token, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 1, cv2.LINE_AA)
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).split() == said
    assert {doubt.cells for doubt in reading.doubts} <= {((0, 0),)}


def test_a_row_beyond_the_end_of_a_chains_colour_is_in_doubt() -> None:
    """Incident: on a white panel 2 2, X 4, 6 4 was played without its last row; a chain had filled the others."""
    rows, pitch, red = ["2 2", "X 4", "6 4"], 56, (60, 60, 220)
    image = np.full((400, 360, 3), 255, np.uint8)
    cv2.rectangle(image, (84, 64), (84 + 2 * pitch + 32, 64 + 3 * pitch + 32), (245, 245, 245), -1)
    cv2.rectangle(image, (100, 80), (99 + 2 * pitch, 79 + 3 * pitch), (255, 255, 255), -1)
    cv2.rectangle(image, (100, 80), (99 + 2 * pitch, 79 + 2 * pitch), red, -1)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            written(image, 100 + c * pitch + pitch // 2, 80 + r * pitch + pitch // 2, token, (0, 0, 0))
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert {cell for doubt in reading.doubts for cell in doubt.cells} <= {(2, 0), (2, 1)}
