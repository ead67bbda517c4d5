"""The reader against real pixels: every cell is compared with the truth, and where it stands. Three kinds of windows:
third parties' (where that folder is present), strange ones drawn by the bench, and the game's own picture."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle, parse
from autoplayer.games.cardinal_chains.seeing.glyphs.views import usual_colour
from autoplayer.layout import BoardTable, Layout
from autoplayer.settle import settle
from autoplayer.vision import templates
from bench.reading import cardinal_chains as strange
from bench.reading.judge import HAS_SOLUTION

LAYOUT = Layout(game="cardinal-chains")
REAL = Path(__file__).resolve().parents[3] / "shared" / "screens" / "cardinal-chains"
STILLS = sorted(REAL.glob("*.png")) if REAL.is_dir() else []


def tokens(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]


@pytest.mark.skipif(not STILLS, reason="the folder of real screenshots is not beside the project")
@pytest.mark.parametrize("path", STILLS, ids=[path.stem for path in STILLS])
def test_real_windows_are_read_without_a_layout(path):
    image = cv2.imread(str(path))
    reading = GAME.read(image, LAYOUT)
    assert tokens(format_puzzle(reading.puzzle)) == tokens(path.with_suffix(".txt").read_text(encoding="utf-8"))
    assert not reading.doubts or settle(GAME, reading).certain
    assert not reading.extra["drawn"], "nothing is drawn in these windows yet"
    for box in reading.places.values():
        assert 0 <= box.x < image.shape[1] - box.width // 2
        assert 0 <= box.y < image.shape[0] - box.height // 2


def test_strange_windows_are_read_or_doubted_but_not_wrong():
    """Ten windows of the bench's development side: at least nine of them exact after settling, none silently wrong."""
    exact, silent = 0, []
    for seed in range(10):
        sample = strange.picture(seed)
        try:
            reading = GAME.read(sample.image, LAYOUT)
        except UnreadableError:
            continue
        # Random numbers have no solution: there the rules may not be asked.
        solvable = sample.content in HAS_SOLUTION
        settled = settle(GAME, reading if solvable else replace(reading, doubts=()))
        right = tokens(format_puzzle(settled.puzzle)) == tokens(sample.text)
        exact += right
        if right:
            for cell, box in sample.places.items():
                assert box.contains(reading.places[cell].centre), f"seed {seed}: {cell} stands elsewhere"
        elif settled.solution is not None if solvable and settled.certain else not (solvable or reading.doubts):
            silent.append(seed)
    assert exact >= 9
    assert silent == []


def test_what_is_drawn_already_is_told_from_the_puzzle():
    """Half-played windows in which chains fill their cells: the puzzle is the one at the start, and each drawn cell
    belongs to the right start."""
    right = told = 0
    for seed in range(10):
        sample = strange.halfway(seed)
        if "covered-by-fill" not in sample.conditions or "value-colours" in sample.conditions:
            continue
        try:
            reading = GAME.read(sample.image, LAYOUT)
        except UnreadableError:
            continue
        if tokens(format_puzzle(reading.puzzle)) != tokens(sample.text):
            continue
        right += 1
        starts = parse(sample.text).starts
        truth = {cell: starts.index(owner) for cell, owner in sample.owners.items() if cell not in starts}
        told += reading.extra["drawn"] == truth
    assert right >= 3
    assert told >= 0.8 * right


@pytest.mark.parametrize("seed", range(12))
def test_the_games_own_picture_is_read(seed):
    puzzle = GAME.generate(3 + seed % 6, 3 + seed % 5, seed)
    reading = GAME.read(GAME.draw(puzzle), LAYOUT)
    assert settle(GAME, reading).puzzle == puzzle


def test_cells_that_touch_without_walls_are_not_every_second_one():
    """Incident: only the two coloured starts stood apart from the rest, and the lattice was drawn through them at
    twice its pitch: a third of the board was read, and nothing was doubted."""
    rows = ["X 1 2 2 2 2", ". 1 1 1 2 2", "2 2 2 1 2 1", ". 2 2 1 1 1", "X 1 1 1 1 1"]
    image = np.zeros((420, 560, 3), np.uint8)
    fills = {(0, 0): (0, 0, 215), (4, 0): (215, 0, 0)}
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            if token != ".":
                x, y = 120 + 48 * c, 90 + 48 * r
                ink = (215, 215, 215) if token == "X" else (0, 0, 0)
                cv2.rectangle(image, (x, y), (x + 47, y + 47), fills.get((r, c), (215, 215, 215)), -1)
                cv2.putText(image, token, (x + 14, y + 34), cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 2, cv2.LINE_AA)
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows


@pytest.mark.parametrize(
    ("image", "why"),
    [
        (np.zeros((900, 1280, 3), np.uint8), "all black"),
        (np.full((300, 300, 3), 255, np.uint8), "all white"),
        (np.random.default_rng(0).integers(0, 256, (400, 600, 3), dtype=np.uint8), "noise"),
        (np.zeros((3, 3, 3), np.uint8), "a few pixels"),
    ],
    ids=["black", "white", "noise", "tiny"],
)
def test_a_picture_without_a_board_is_unreadable_with_a_reason(image, why):
    with pytest.raises(UnreadableError, match="no board of Cardinal Chains is seen"):
        GAME.read(image, LAYOUT)


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        *(("not-sudoku", seed) for seed in (4, 46)),
        *(("not-menu", seed) for seed in (3, 22)),
        *(("not-text", seed) for seed in (0, 35)),
        *(("not-level-select", seed) for seed in (18, 31)),
        *(("not-photo", seed) for seed in (2, 59)),
    ],
)
def test_another_program_is_never_played(kind, seed):
    """Menus, texts and other games: unreadable, or so doubtful that nothing would be clicked."""
    sample = strange.not_a_board(seed)
    assert kind in sample.conditions
    try:
        settled = settle(GAME, GAME.read(sample.image, LAYOUT))
    except UnreadableError:
        return
    assert not settled.playable, f"it would be played as:\n{format_puzzle(settled.puzzle)}"


SHAPES = {
    "1": [(0.5, 0.1), (0.9, 0.5), (0.5, 0.9), (0.1, 0.5)],
    "2": [(0.5, 0.1), (0.95, 0.9), (0.05, 0.9)],
    "3": [(0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88)],
    "X": [(0.5, 0.0), (0.7, 0.3), (1.0, 0.5), (0.7, 0.7), (0.5, 1.0), (0.3, 0.7), (0.0, 0.5), (0.3, 0.3)],
}
"""Symbols instead of numbers: corners as fractions of a square."""


def symbols(text: str, side: int = 60, at: tuple[int, int] = (90, 70)) -> np.ndarray:
    """A window that shows a board in symbols, in black walls on a light ground."""
    rows = tokens(text)
    image = np.full((2 * at[1] + side * len(rows), 2 * at[0] + side * len(rows[0]), 3), (235, 240, 240), np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row):
            if token == ".":
                continue
            x, y = at[0] + c * side, at[1] + r * side
            cv2.rectangle(image, (x, y), (x + side, y + side), (40, 40, 40), 2)
            corners = np.array(SHAPES[token]) * 0.5 * side + (x + 0.25 * side, y + 0.25 * side)
            cv2.fillPoly(image, [np.round(corners * 16).astype(np.int32)], (150, 60, 20), cv2.LINE_AA, 4)
    return image


IN_SYMBOLS = "X 1 1 2\n1 1 2 2\n. 3 3 X\n3 3 2 1"


def test_symbols_that_nobody_knows_are_asked_about_once_each():
    image = symbols(IN_SYMBOLS)
    with pytest.raises(UnreadableError):
        GAME.read(image, LAYOUT)
    reading = GAME.examine(image, LAYOUT)
    truth = parse(IN_SYMBOLS).cells
    assert reading.places.keys() == truth.keys()
    asked = {cell for doubt in reading.doubts for cell in doubt.cells}
    assert asked == truth.keys()
    assert len(reading.doubts) == 4
    for doubt in reading.doubts:
        assert len({truth[cell] for cell in doubt.cells}) == 1
        assert {token for token, _ in doubt.candidates} == {"X", *"123456789"}
    for cell, box in reading.glyphs.items():
        place = reading.places[cell]
        assert place.contains((box.x, box.y))
        assert 0.4 * place.width < box.width < 0.6 * place.width


def test_symbols_are_read_with_the_layouts_pictures_of_them(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path))
    image = symbols(IN_SYMBOLS)
    seen = GAME.examine(image, LAYOUT)
    folder = tmp_path / "templates" / "shapes"
    folder.mkdir(parents=True)
    for cell, value in parse(IN_SYMBOLS).cells.items():
        if not (folder / f"{value or 'X'}.png").exists():
            templates.save(folder, str(value or "X"), templates.around(image, seen.glyphs[cell]))
    told = Layout(game=GAME.name, templates="shapes")
    for picture in (image, symbols("1 2 3\nX 2 3\nX 1 1", 44, (31, 47))):
        reading = GAME.read(picture, told)
        assert not reading.doubts
    assert GAME.format(GAME.read(image, told).puzzle) == IN_SYMBOLS
    assert format_puzzle(reading.puzzle) == "1 2 3\nX 2 3\nX 1 1"


def test_a_board_stands_where_the_layout_says():
    """Beside the board stands a larger table of numbers, which would be taken for it."""
    puzzle = parse("X 1 1\n2 2 1\n3 3 4")
    board = GAME.draw(puzzle)
    other = GAME.draw(parse("X 5 5 6 7 8\n5 6 6 7 8 9\n5 6 6 7 8 9\n7 7 7 7 8 9\n7 7 7 7 8 9\n7 7 7 7 8 9"))
    image = np.full((max(len(board), len(other)) + 80, board.shape[1] + other.shape[1] + 120, 3), 250, np.uint8)
    image[40 : 40 + len(other), 40 : 40 + other.shape[1]] = other
    x, y = other.shape[1] + 80, 40
    image[y : y + len(board), x : x + board.shape[1]] = board
    alone = GAME.read(board, LAYOUT)
    left = x + min(box.x for box in alone.places.values())
    top = y + min(box.y for box in alone.places.values())
    width, height = (3 * alone.places[0, 0].width, 3 * alone.places[0, 0].height)
    place = (left / image.shape[1], top / image.shape[0], width / image.shape[1], height / image.shape[0])
    assert GAME.read(image, LAYOUT).puzzle != puzzle
    reading = GAME.read(image, Layout(game=GAME.name, board=BoardTable(place=place, rows=3, columns=3)))
    assert reading.puzzle == puzzle
    for (row, column), box in reading.places.items():
        spot = left + (column + 0.5) * width / 3, top + (row + 0.5) * height / 3
        assert abs(box.centre[0] - spot[0]) <= 2
        assert abs(box.centre[1] - spot[1]) <= 2
    empty = Layout(game=GAME.name, board=BoardTable(place=(0, 0, 0.02, 0.02), rows=3, columns=3))
    with pytest.raises(UnreadableError, match="layout"):
        GAME.read(image, empty)


def small_window(cells: dict[tuple[int, int], str], beside: dict[tuple[int, int], str], pitch: int = 100) -> np.ndarray:
    """Cells with walls, and beside them text without: where its middle stands (x, y), in pixels from the board."""
    image = np.full((460, 640, 3), 235, np.uint8)

    def write(text: str, x: int, y: int) -> None:
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.6, 4)
        cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (30, 30, 30), 4, cv2.LINE_AA)

    for (r, c), token in cells.items():
        x, y = 220 + c * pitch, 130 + r * pitch
        cv2.rectangle(image, (x, y), (x + pitch, y + pitch), (60, 60, 60), 3)
        if token != ".":
            write(token, x + pitch // 2, y + pitch // 2)
    for (x, y), text in beside.items():
        write(text, 220 + x, 130 + y)
    return image


@pytest.mark.parametrize(
    "beside",
    [{(250, 50): "3"}, {(-50, 50): "7", (-50, 150): "4"}, {(-140, 50): "12"}, {(50, 255): "5", (150, 255): "5"}],
    ids=["to the right", "two to the left", "farther away", "below"],
)
def test_numbers_beside_a_small_board_without_walls_of_their_own_are_no_silent_cells(beside):
    cells = {(0, 0): "X", (0, 1): "2", (1, 0): "2", (1, 1): "3"}
    reading = GAME.read(small_window(cells, beside), LAYOUT)
    told = {spot[:2] for doubt in reading.doubts for spot in doubt.cells}
    top = min(r for r, c in reading.places if (r, c) not in told)
    left = min(c for r, c in reading.places if (r, c) not in told)
    sure = {(r - top, c - left): reading.puzzle.cells[r, c] for r, c in reading.puzzle.cells if (r, c) not in told}
    assert sure == {(0, 0): 0, (0, 1): 2, (1, 0): 2, (1, 1): 3}


@pytest.mark.parametrize("y", [50, 62, 70])
def test_a_heading_over_a_small_board_is_no_row_of_starts(y):
    """Large letters stand above the cells, and the start's cross is smaller than the numbers."""
    image = np.full((420, 700, 3), (216, 203, 232), np.uint8)
    rows = ("111", "3.1", "7.X")
    for (r, c), token in ((cell, rows[cell[0]][cell[1]]) for cell in np.ndindex(3, 3)):
        x, y0 = 24 + 57 * c, 84 + 57 * r
        if token == ".":
            continue
        cv2.rectangle(image, (x, y0), (x + 55, y0 + 55), (84, 80, 224) if token == "X" else (66, 138, 174), cv2.FILLED)
        if token == "X":
            for sign in (-1, 1):
                ends = [(x + 28 - 4, y0 + 28 - 4 * sign), (x + 28 + 4, y0 + 28 + 4 * sign)]
                cv2.line(image, *ends, (255, 255, 255), 4, cv2.LINE_AA)
        else:
            (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_SIMPLEX, 0.9, 3)
            at = x + (56 - w) // 2, y0 + (56 + h) // 2
            cv2.putText(image, token, at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (255, 255, 255), 3, cv2.LINE_AA)
    cv2.putText(image, "Cardinal Chains", (24, y), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (255, 255, 255), 3, cv2.LINE_AA)
    reading = GAME.read(image, LAYOUT)
    assert not reading.doubts
    assert format_puzzle(reading.puzzle) == "\n".join(" ".join(row) for row in rows)


def test_an_x_in_a_ring_that_touches_its_walls_is_no_hole():
    image = small_window({(r, c): "2" for r in range(3) for c in range(3)} | {(0, 0): "X", (1, 1): "."}, {})
    centre = (220 + 150, 130 + 150)
    cv2.circle(image, centre, 47, (200, 60, 60), 4, cv2.LINE_AA)
    for sign in (-1, 1):
        ends = [(centre[0] - 13, centre[1] - sign * 13), (centre[0] + 13, centre[1] + sign * 13)]
        cv2.line(image, *ends, (30, 30, 30), 4, cv2.LINE_AA)
    reading = GAME.read(image, LAYOUT)
    assert reading.puzzle.rows[1][1] == 0
    assert format_puzzle(reading.puzzle).split() == ["X", "2", "2", "2", "X", "2", "2", "2", "2"]


def test_lines_and_corners_without_glyphs_are_no_board():
    """A finished level whose numbers have vanished: walls of the drawn chains are left."""
    image = np.full((480, 640, 3), 255, np.uint8)
    cv2.rectangle(image, (113, 33), (527, 447), (230, 180, 86), -1)
    for line in (((113, 135), (320, 135)), ((320, 33), (320, 135)), ((424, 135), (527, 135)), ((424, 135), (424, 347)),
                 ((215, 240), (424, 240)), ((215, 240), (215, 347)), ((320, 342), (320, 447))):  # fmt: skip
        cv2.line(image, *line, (255, 255, 255), 6)
    for y in (175, 305):
        cv2.fillPoly(image, [np.array([(575, y + 13), (615, y + 13), (595, y - 16)], np.int32)], (20, 20, 20))
    cv2.circle(image, (595, 240), 15, (20, 20, 20), 5)
    cv2.putText(image, "6", (32, 257), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 4)
    with pytest.raises(UnreadableError):
        GAME.read(image, LAYOUT)


def text_board(rows: list[str], pitch: int, size: float) -> np.ndarray:
    """A light window with tokens and nothing around them; ``_`` leaves a place empty."""
    image = np.full((pitch * (len(rows) + 1), pitch * (len(rows[0].split()) + 1), 3), 245, np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
            x, y = round((c + 1) * pitch - w / 2), round((r + 1) * pitch + h / 2)
            if token != "_":
                cv2.putText(image, token, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, (20, 20, 20), 2, cv2.LINE_AA)
    return image


def test_numbers_of_two_digits_without_walls_are_one_cell_each():
    """Incident: no lattice was found where every number has two digits and nothing is drawn around them."""
    rows = ["X 11 12 25", "13 X 31 26", "14 23 24 27", "15 16 22 21"]
    reading = GAME.read(text_board(rows, 76, 0.8), LAYOUT)
    assert tokens(format_puzzle(reading.puzzle)) == [row.split() for row in rows]


def test_every_second_cell_of_a_board_without_walls_is_not_the_board():
    """Incident: a lattice through the corners and every second cell explained more of the picture's area, and was
    played."""
    rows = ["X 1 2 1 X", "2 2 3 1 1", "1 4 3 4 2", "1 2 3 2 1", "X 2 2 2 X"]
    reading = GAME.read(text_board(rows, 60, 0.8), LAYOUT)
    assert tokens(format_puzzle(reading.puzzle)) == [row.split() for row in rows]


def test_marks_that_no_chain_can_reach_are_no_board():
    """Incident: a score beside a small board was read as a cell of it, several empty places away from the start."""
    with pytest.raises(UnreadableError):
        GAME.read(text_board(["X _ _ _ _ 1"], 60, 0.8), LAYOUT)


@pytest.mark.parametrize("pitch", [26, 30])
def test_glyphs_that_touch_the_edges_of_their_cells_are_read(pitch):
    """Incident: no cell was found where large glyphs stand a pixel or two from their walls."""
    rows = ["X 1 2 3", "4 3 2 X", "3 4 2 1"]
    image = np.full((pitch * 5, pitch * 6, 3), 238, np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = pitch * (c + 1), pitch * (r + 1)
            cv2.rectangle(image, (x + 1, y + 1), (x + pitch - 2, y + pitch - 2), (40, 40, 40), 1)
            size = 0.98 * (pitch - 9) / 22
            (w, _), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
            at = (x + (pitch - w) // 2, y + pitch - 4)
            cv2.putText(image, token, at, cv2.FONT_HERSHEY_SIMPLEX, size, (20, 20, 20), 2, cv2.LINE_AA)
    reading = GAME.read(image, LAYOUT)
    assert tokens(format_puzzle(reading.puzzle)) == [row.split() for row in rows]


def tiled_window(chain: list[tuple[int, int]], hovered: tuple[int, int] | None) -> tuple[np.ndarray, str]:
    """A dark window of rounded tiles as web pages draw them: a score above the board, a row of buttons with the
    levels' numbers below it, a chain drawn as a line with dark numbers upon it, a ring around the tile under the
    pointer. With the board's text."""
    rows = [["X", "1", "2", "2"], ["1", "1", "3", "4"], ["2", "3", "X", "1"], ["4", "4", "2", "1"]]
    image = np.full((480, 520, 3), (42, 23, 15), np.uint8)

    def write(text: str, x: int, y: int, size: float, colour: tuple[int, int, int]) -> None:
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
        cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 2, cv2.LINE_AA)

    cv2.rectangle(image, (110, 20), (190, 66), (85, 65, 51), -1)
    write("8135", 150, 52, 0.6, (249, 245, 241))
    middles = {(r, c): (134 + 64 * c, 114 + 64 * r) for r in range(4) for c in range(4)}
    for (r, c), (x, y) in middles.items():
        fill = (200, 180, 60) if rows[r][c] == "X" else (80, 62, 48)
        cv2.rectangle(image, (x - 28, y - 28), (x + 27, y + 27), fill, -1)
        if (r, c) == hovered:
            cv2.rectangle(image, (x - 26, y - 26), (x + 25, y + 25), (120, 220, 120), 2)
    for one, other in pairwise(chain):
        cv2.line(image, middles[one], middles[other], (200, 180, 60), 30, cv2.LINE_AA)
    for (r, c), spot in middles.items():
        dark = rows[r][c] == "X" or (r, c) in chain
        write(rows[r][c], *spot, 0.9, (20, 20, 20) if dark else (249, 245, 241))
    for number in range(1, 10):
        x = 60 + 42 * number
        cv2.rectangle(image, (x - 16, 356), (x + 16, 388), (110, 90, 75), 1)
        write(str(number), x, 372, 0.55, (249, 245, 241))
    return image, "\n".join(" ".join(row) for row in rows)


@pytest.mark.parametrize("hovered", [None, (3, 1)], ids=["", "hovered"])
@pytest.mark.parametrize("chain", [[], [(0, 0), (1, 0), (1, 1)], [(2, 2), (2, 3), (3, 3), (3, 2)]], ids=len)
def test_a_score_and_a_row_of_buttons_are_no_rows_of_cells_and_a_line_hides_none(chain, hovered):
    image, text = tiled_window(chain, hovered)
    reading = GAME.read(image, LAYOUT)
    assert tokens(format_puzzle(reading.puzzle)) == tokens(text)
    assert not reading.doubts or all(doubt.candidates[0][1] > 0.5 for doubt in reading.doubts)


def test_the_usual_colour_of_glyphs_is_one_that_a_glyph_has():
    """Incident: in the middle of play half the glyphs were dark on chains, half light on the ground. Nothing was drawn
    in the grey between, but the soft left edge of a white 9, and that was read as a 1."""
    dark, light = (np.full(3, level, np.float32) for level in (20, 250))
    for colours in ([dark, light], [light, dark, dark, light], [dark, light, light], [dark] * 3):
        assert any(np.array_equal(usual_colour(colours), one) for one in colours)
    assert np.array_equal(usual_colour([light, dark, light]), light)


def drawn_window(
    rows: list[str], chains: list[list[tuple[int, int]]], pitch: int, size: float, line: bool
) -> np.ndarray:
    """Cells in thin walls. Chains are lines, or areas of one colour in which the walls vanish."""
    tall, wide = len(rows), len(rows[0].split())
    image = np.full((110 + pitch * tall, 130 + pitch * wide, 3), (52, 36, 40), np.uint8)
    texts = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row.split()) if text != "."}
    for r, c in texts:
        x, y = 60 + pitch * c, 50 + pitch * r
        cv2.rectangle(image, (x, y), (x + pitch, y + pitch), (200, 190, 200), 1)
    for colour, chain in zip(((190, 190, 90), (120, 200, 90)), chains, strict=False):
        for one, other in [*pairwise(chain), (chain[0], chain[0])]:
            (r, c), (p, q) = min(one, other), max(one, other)
            if line and one != other:
                ends = [(60 + pitch * x + pitch // 2, 50 + pitch * y + pitch // 2) for y, x in (one, other)]
                cv2.line(image, *ends, colour, int(0.3 * pitch), cv2.LINE_AA)
            else:
                first, last = (61 + pitch * c, 51 + pitch * r), (59 + pitch * (q + 1), 49 + pitch * (p + 1))
                cv2.rectangle(image, first, last, colour, -1)
    thick, drawn = max(1, round(pitch / 26)), {cell for chain in chains for cell in chain}
    for (r, c), text in texts.items():
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
        spot = 60 + pitch * c + pitch // 2 - w // 2, 50 + pitch * r + pitch // 2 + h // 2
        ink = (10, 10, 10) if (r, c) in drawn else (240, 240, 240)
        cv2.putText(image, text, spot, cv2.FONT_HERSHEY_SIMPLEX, size, ink, thick, cv2.LINE_AA)
    return image


ROW = ["X 76 67 X"], [[(0, 0), (0, 1)], [(0, 3), (0, 2)]]
COLUMNS = ["1 X", "2 2", "1 1", "X ."], [[(0, 1), (0, 0), (1, 0)], [(3, 0), (2, 0), (2, 1)]]
OUTER = ["X 3 3 4", "1 1 4 3", "1 X 2 2", "1 3 2 4", "2 4 4 4"], [[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1)]]


@pytest.mark.parametrize(
    ("board", "pitch", "size", "line"),
    [
        pytest.param(ROW, 36, 0.61, False, id="a lattice through every second number of a row"),
        pytest.param(ROW, 84, 1.82, False, id="the same, large"),
        pytest.param(COLUMNS, 64, 1.6, False, id="four cells taken for one number"),
        pytest.param(OUTER, 44, 1.1, True, id="a line along the whole of an outer column"),
        pytest.param(OUTER, 64, 1.6, True, id="the same, large"),
    ],
)
def test_chains_hide_no_cells_and_join_none_to_one(board, pitch, size, line):
    """Incident: where chains make the walls between cells vanish, lattices through several cells, or through the middle
    of numbers, explained more of the picture than the board's; and cells of which each holds a piece of a line, from
    edge to edge, were taken for buttons beside the board."""
    rows, chains = board
    reading = GAME.read(drawn_window(rows, chains, pitch, size, line), LAYOUT)
    assert tokens(format_puzzle(reading.puzzle)) == tokens("\n".join(rows))
    assert not reading.doubts


def test_many_empty_tiles_are_no_starts():
    image = np.full((420, 420, 3), (160, 173, 187), np.uint8)
    for k in range(16):
        x, y, empty = 30 + 92 * (k % 4), 30 + 92 * (k // 4), k % 5 in (1, 3)
        cv2.rectangle(image, (x, y), (x + 80, y + 80), (180, 193, 205) if empty else (218, 228, 238), -1)
        if not empty:
            text = str(2 ** (1 + k % 3))
            cv2.putText(image, text, (x + 28, y + 54), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (101, 110, 119), 3, cv2.LINE_AA)
    with pytest.raises(UnreadableError, match=r"no start|from every start"):
        GAME.read(image, LAYOUT)


@pytest.mark.parametrize("shape", ["disc", "ring", "tile"])
def test_starts_at_the_rim_that_only_a_colour_marks(shape):
    """Of other makers' windows: coloured discs among white ones, and rings, at the end of rows, without an X."""
    rows = ["X 2 2 2", "1 2 3 3", "X 1 1 1", "2 2 2 1"]
    colours = iter([(94, 89, 255), (200, 130, 30)])
    image = np.full((420, 560, 3), (255, 244, 238), np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = 140 + 84 * c, 84 + 84 * r
            fill = next(colours) if token == "X" else (255, 255, 255)
            if shape == "tile":
                cv2.rectangle(image, (x - 37, y - 37), (x + 37, y + 37), fill, -1)
            elif shape == "disc":
                cv2.circle(image, (x, y), 37, fill, -1, cv2.LINE_AA)
            else:
                cv2.circle(image, (x, y), 37, (255, 255, 255), -1, cv2.LINE_AA)
                if token == "X":
                    cv2.circle(image, (x, y), 22, fill, 6, cv2.LINE_AA)
            if token != "X":
                cv2.putText(image, token, (x - 10, y + 11), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (51, 51, 51), 2, cv2.LINE_AA)
    settled = settle(GAME, GAME.read(image, LAYOUT))
    assert settled.playable, settled.reason
    assert format_puzzle(settled.puzzle).splitlines() == rows


SEGMENTS = {"1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd"}
"""The strokes of each digit on a display of seven segments: a above, then clockwise to f, and g in the middle."""


def tile_of_pixels(token: str, size: int) -> np.ndarray:
    """A tile of 16x16 large pixels, 255 where its frame and its glyph are: there is one of them between both."""
    tile = np.zeros((16, 16), np.uint8)
    tile[0] = tile[-1] = tile[:, 0] = tile[:, -1] = 255
    strokes = {"a": (2, 4, 4, 12), "b": (2, 9, 10, 12), "c": (7, 14, 10, 12), "d": (12, 14, 4, 12)}
    strokes |= {"e": (7, 14, 4, 6), "f": (2, 9, 4, 6), "g": (7, 9, 4, 12)}
    if token == "X":
        for k in range(2, 14):
            tile[k, max(k - 1, 2) : k + 2] = tile[k, 14 - k : min(17 - k, 14)] = 255
    for one in SEGMENTS.get(token, ""):
        top, bottom, left, right = strokes[one]
        tile[top:bottom, left:right] = 255
    return np.repeat(np.repeat(tile, size, axis=0), size, axis=1)


def window_of_tiles(rows: list[str], size: int) -> np.ndarray:
    """Starts are black on blue, numbers blue on grey."""
    image = np.full((160 * size, 176 * size, 3), 205, np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            if token != ".":
                x, y = (32 + 16 * c) * size, (16 + 16 * r) * size
                cell = image[y : y + 16 * size, x : x + 16 * size]
                cell[:] = (255, 0, 0) if token == "X" else 205
                cell[tile_of_pixels(token, size) > 0] = (0, 0, 0) if token == "X" else (205, 0, 0)
    return image


@pytest.mark.parametrize("size", [2, 3, 4])
def test_glyphs_one_large_pixel_from_their_walls(size):
    """Of a home computer's window: between a wall and a digit no pixel was left that is not beside an edge, and a digit
    as close to its wall was taken for the rim of something that covers its cell."""
    rows = ["3 1 X . 2 1", "3 4 2 . 2 5", "1 X 1 2 2 4", ". . 1 5 3 ."]
    reading = GAME.read(window_of_tiles(rows, size), LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert not reading.doubts


def test_gaps_with_a_cell_in_one_corner_are_no_cells():
    """Incident: four gaps between cells, each with another cell in one of its corners, were read as a board of 2x2."""
    rows = ["2 1 1 1 1 1 1", "2 . . 2 . . 1", "2 . X 2 2 . 1", "2 1 1 X 1 1 1", "2 . 1 1 2 . 3"]
    rows += ["2 . . 1 . . 3", "2 2 1 1 1 1 3"]
    reading = GAME.read(window_of_tiles(rows, 2), LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert not reading.doubts


def test_a_calendar_is_no_board_though_its_heading_reads_as_starts() -> None:
    """Incident: of seven weekdays every one was read as an X, and the days below each are a chain."""
    weeks = [" ".join(map(str, range(k, k + 7))) for k in (1, 8, 15, 22)]
    month = parse("\n".join(["X X X X X X X", *weeks, "29 30 31 . . . ."]))
    with pytest.raises(UnreadableError, match="count on in the order of reading"):
        GAME.read(GAME.draw(month), Layout(game="cardinal-chains"))
    level = parse("X 1 2 3\n4 3 2 1\n1 2 3 4\n4 3 X 1")
    assert GAME.read(GAME.draw(level), Layout(game="cardinal-chains")).puzzle == level


def test_a_board_beside_the_buttons_of_more_levels_than_it_has_cells_is_read() -> None:
    """Incident: a list of levels was the larger board, and it was refused with all that stood beside it."""
    level = parse("3 1 X .\n3 1 3 5\n1 X 1 X\n3 1 1 .")
    rows = ["X 1 2 3 4", *(" ".join(map(str, range(k, k + 5))) for k in range(5, 30, 5))]
    buttons = cv2.resize(GAME.draw(parse("\n".join(rows))), None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
    pictures = GAME.draw(level), np.asarray(buttons, np.uint8)
    height = max(picture.shape[0] for picture in pictures)
    padded = [
        cv2.copyMakeBorder(picture, 0, height - picture.shape[0], 0, 30, cv2.BORDER_REPLICATE) for picture in pictures
    ]
    reading = GAME.read(np.asarray(np.hstack(padded), np.uint8), Layout(game="cardinal-chains"))
    assert reading.puzzle == level
    assert not reading.doubts


@pytest.mark.parametrize(
    ("pitch", "font"), [(60, cv2.FONT_HERSHEY_SIMPLEX), (60, cv2.FONT_HERSHEY_DUPLEX), (64, cv2.FONT_HERSHEY_SIMPLEX)]
)
def test_the_cells_behind_which_chains_run_are_cells_where_nothing_is_drawn_around_them(pitch: int, font: int) -> None:
    """Incident: of a board without walls only the part was read, and played, that no chain ran through."""
    rows = ["X 1 1 1 1 X", "X 1 1 2 1 1", *["1 1 1 2 2 1"] * 3, "1 1 1 1 1 X"]
    blue = [(0, 5), (1, 5), (1, 4), (0, 4), (0, 2), (5, 2), (5, 4), (3, 4), (3, 3), (4, 3)]
    chains = [
        ([(0, 0), (0, 1), (5, 1)], (57, 40, 214)),
        ([(1, 0), (5, 0)], (67, 160, 46)),
        (blue, (255, 132, 38)),
        ([(5, 5), (4, 5)], (0, 166, 255)),
    ]
    image = np.zeros((9 * pitch, 9 * pitch, 3), np.uint8)
    for chain, colour in chains:
        for (r, c), (p, q) in pairwise(chain):
            cv2.line(image, ((c + 2) * pitch, (r + 2) * pitch), ((q + 2) * pitch, (p + 2) * pitch), colour, 14)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            (w, h), _ = cv2.getTextSize(token, font, pitch / 80, 2)
            spot = (c + 2) * pitch - w // 2, (r + 2) * pitch + h // 2
            cv2.putText(image, token, spot, font, pitch / 80, (255, 255, 255), 2, cv2.LINE_AA)
    reading = GAME.read(image, LAYOUT)
    assert tokens(format_puzzle(reading.puzzle)) == [row.split() for row in rows]
