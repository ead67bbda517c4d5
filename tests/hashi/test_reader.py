"""The reader against real pixels: every number is compared with the truth, where it stands, and which bridges do. Third
parties' windows (where that folder is present), strange ones drawn by the bench, and the game's own picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, Link, parse
from autoplayer.games.hashi.seeing.between.standing import standing
from autoplayer.layout import Layout
from autoplayer.settle import settle
from bench.reading import cardinal_chains as drawn_elsewhere
from bench.reading import hashi as strange

LAYOUT = Layout(game="hashi")
REAL = Path(__file__).resolve().parents[3] / "shared" / "screens" / "hashi"
STILLS = sorted(REAL.glob("*.png")) if REAL.is_dir() else []
STANDING = {
    "ailurust_puzzlebridges13": 22,
    "ailurust_puzzlebridges14": 23,
    "ailurust_puzzlebridges5": 5,
    "arkareem_bridges_solved": 40,
    "lukalambrecht_example": 0,
    "lukalambrecht_unsolved": 0,
    "matejgerek_game2": 19,
    "taleroangel_game": 8,
    "varaujo_small1": 0,
    "varaujo_small2": 8,
    "varaujo_small3": 12,
}
"""How many bridges stand in the real pictures, counted by eye; in the largest one they are too many to count."""

SOLVED = ("arkareem_bridges_solved", "matejgerek_game2", "varaujo_small3")

BOARD = parse("3.5.3\n.....\n6.8.3\n.....\n2.2..")
HALF = (Link((0, 0), (0, 2), 2), Link((0, 2), (2, 2), 1), Link((2, 0), (4, 0), 2))


def packed(text: str) -> list[str]:
    """The board without its empty rows and columns: where nothing is drawn, nobody can say how many there are."""
    rows = [line for line in text.splitlines() if line.strip(".") and not line.startswith("#")]
    columns = [column for column in zip(*rows, strict=True) if set(column) != {"."}]
    return ["".join(row) for row in zip(*columns, strict=True)]


def bridges(reading) -> dict[Bridge, int]:
    return dict(reading.extra["bridges"])


@pytest.mark.skipif(not STILLS, reason="the folder of real screenshots is not beside the project")
@pytest.mark.parametrize("path", STILLS, ids=[path.stem for path in STILLS])
def test_real_windows_are_read_without_a_layout(path):
    image = cv2.imread(str(path))
    reading = GAME.read(image, LAYOUT)
    assert packed(GAME.format(reading.puzzle)) == packed(path.with_suffix(".txt").read_text(encoding="utf-8"))
    settled = settle(GAME, reading)
    assert settled.certain
    assert settled.solution is not None
    stand = bridges(reading)
    assert len(stand) == STANDING.get(path.stem, len(stand))
    solution = {Bridge(link.a, link.b): link.links for link in settled.solution}
    # In these windows nobody has made a mistake, but one person: what stands there is a part of the solution.
    if path.stem in SOLVED:
        assert stand == solution
    for cell, box in reading.places.items():
        assert box.contains(box.centre)
        assert reading.puzzle.islands[cell]
        assert 0 <= box.centre[0] < image.shape[1]
        assert 0 <= box.centre[1] < image.shape[0]


def test_strange_windows_are_read_or_doubted_but_not_wrong():
    """Ten windows of the bench's development side: all but one exact after settling, none silently wrong; of the boards
    that were read, nearly all bridges."""
    exact, silent, right_links = 0, [], 0
    for seed in range(10):
        sample = strange.picture(seed)
        try:
            reading = GAME.read(sample.image, LAYOUT)
        except UnreadableError:
            continue
        settled = settle(GAME, reading)
        right = packed(GAME.format(settled.puzzle)) == packed(sample.text)
        exact += right
        if right:
            right_links += strange.standing(reading, sample) == dict(sample.links)
        elif settled.certain and settled.solution is not None:
            silent.append(seed)
    assert exact >= 9
    assert not silent
    assert right_links >= 0.8 * exact


@pytest.mark.parametrize("share", [0.45, 0.35, 0.3], ids=["20 pixels", "16 pixels", "14 pixels"])
def test_islands_so_small_that_rims_and_numbers_run_together_are_read(share):
    small = cv2.resize(GAME.draw(BOARD, HALF), None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    image = np.pad(small, ((40, 40), (40, 40), (0, 0)), mode="edge")
    reading = GAME.read(image, LAYOUT)
    assert packed(GAME.format(reading.puzzle)) == packed(GAME.format(BOARD))
    assert not reading.doubts
    for (r, c), box in zip(
        sorted(BOARD.islands), (reading.places[cell] for cell in sorted(reading.places)), strict=True
    ):
        x, y = (40 + share * 64 * (v + 1) for v in (c, r))
        assert abs(box.centre[0] - x) <= 2
        assert abs(box.centre[1] - y) <= 2
    solved = standing(image, reading, reading.puzzle)
    assert solved.present
    assert len([links for links in solved.links.values() if links]) == len(HALF)


def _counted(numbers: dict[tuple[int, int], int], counts: dict[tuple[int, int], int]) -> np.ndarray:
    """Islands as squares, and counts on dark discs, their figures as large as the islands'; from row to row and from
    column to column 60 pixels."""
    image = np.full((420, 420, 3), 220, np.uint8)
    for (r, c), n in counts.items():
        x, y = 90 + 60 * c, 90 + 60 * r
        across, down = (0, 50) if r % 2 else (50, 0)
        cv2.line(image, (x - across, y - down), (x + across, y + down), (70, 90, 60), 2)
        cv2.circle(image, (x, y), 17, (70, 90, 60), -1, cv2.LINE_AA)
        cv2.putText(image, str(n), (x - 9, y + 9), cv2.FONT_HERSHEY_SIMPLEX, 0.85, (240, 240, 240), 2, cv2.LINE_AA)
    for (r, c), n in numbers.items():
        x, y = 90 + 60 * c, 90 + 60 * r
        cv2.rectangle(image, (x - 29, y - 29), (x + 29, y + 29), (235, 238, 235), -1)
        cv2.rectangle(image, (x - 29, y - 29), (x + 29, y + 29), (70, 90, 60), 3)
        cv2.putText(image, str(n), (x - 9, y + 9), cv2.FONT_HERSHEY_SIMPLEX, 0.85, (40, 60, 30), 2, cv2.LINE_AA)
    return image


def test_counts_on_bridges_are_no_islands():
    """Solved, so that a count stands on every bridge: there are as many counts as islands, and they look much alike."""
    numbers = {(0, 0): 3, (0, 2): 4, (0, 4): 2, (2, 0): 3, (2, 2): 4, (2, 4): 1, (4, 0): 2, (4, 2): 3}
    counts = {(0, 1): 1, (0, 3): 1, (1, 0): 2, (1, 2): 2, (1, 4): 1, (3, 0): 1, (3, 2): 2, (4, 1): 1}
    reading = GAME.read(_counted(numbers, counts), LAYOUT)
    seen = sorted(reading.puzzle.islands.items())
    assert [number for _, number in seen] == [number for _, number in sorted(numbers.items())]
    assert sorted(bridges(reading).values()) == sorted(counts.values())


def _window(pitch: int, *, shaded: bool, pens: tuple[int, int]) -> Image:
    """The board ``BOARD`` as a page draws it: discs, flat or shaded as balls with light numbers; a single bridge drawn
    with the first of the ``pens``, a double one with the second, both as one line."""
    radius = round(0.38 * pitch)
    height, width = BOARD.height * pitch + pitch, BOARD.width * pitch + pitch
    image = np.full((height, width, 3), (30, 24, 20), np.uint8)
    at = {(r, c): (pitch + c * pitch, pitch + r * pitch) for r, c in BOARD.islands}
    for link in HALF:
        cv2.line(image, at[link.a], at[link.b], (90, 200, 120), pens[link.links - 1])
    ys, xs = np.mgrid[0:height, 0:width]
    for (r, c), (x, y) in at.items():
        inside = np.hypot(xs - x, ys - y) <= radius
        far = np.hypot(xs - x + 0.35 * radius, ys - y + 0.45 * radius) / (1.6 * radius)
        light, dark = np.array((190, 150, 235.0)), np.array((140, 120, 30.0))
        colour = (
            light + np.clip(far, 0, 1)[..., None] * (dark - light) if shaded else np.broadcast_to(dark, image.shape)
        )
        image[inside] = colour[inside].astype(np.uint8)
        text = str(BOARD.islands[r, c])
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.022 * radius, 2)
        cv2.putText(
            image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.022 * radius, (255,) * 3, 2, cv2.LINE_AA
        )
    return image


@pytest.mark.parametrize("shaded", [False, True])
@pytest.mark.parametrize("pitch", [48, 72])
def test_numbers_on_balls_and_thick_double_bridges_are_read(pitch: int, shaded: bool) -> None:
    reading = GAME.read(_window(pitch, shaded=shaded, pens=(2, 6)), LAYOUT)
    assert packed(GAME.format(reading.puzzle)) == packed(GAME.format(BOARD))
    assert not reading.doubts
    assert sorted(bridges(reading).values()) == sorted(link.links for link in HALF)


def test_where_every_bridge_that_can_stand_does_it_is_seen() -> None:
    """A few islands, all joined: the lines are as clear as the numbers, and no island has too many of them."""
    board, links = parse("2.2\n...\n3.3"), {((0, 0), (0, 2)), ((0, 0), (2, 0)), ((0, 2), (2, 2)), ((2, 0), (2, 2))}
    image = GAME.draw(board, [Link(a, b, 1) for a, b in links])
    image = cv2.copyMakeBorder(image, 60, 60, 60, 60, cv2.BORDER_REPLICATE)
    stand = bridges(GAME.read(image, LAYOUT))
    assert sorted(stand.values()) == [1, 1, 1, 1]


def test_its_own_picture_is_read_with_the_bridges_that_stand():
    image = GAME.draw(BOARD, HALF)
    reading = GAME.read(image, LAYOUT)
    assert reading.puzzle == BOARD
    assert bridges(reading) == {Bridge(link.a, link.b): link.links for link in HALF}
    assert not reading.doubts


def test_a_later_picture_shows_what_was_drawn_since():
    reading = GAME.read(GAME.draw(BOARD), LAYOUT)
    now = standing(GAME.draw(BOARD, HALF), reading, BOARD)
    assert now.present
    assert {bridge: links for bridge, links in now.links.items() if links} == {
        Bridge(link.a, link.b): link.links for link in HALF
    }
    assert not now.unsure
    assert not standing(GAME.draw(parse("1...2\n.....\n....1")), reading, BOARD).present
    assert not standing(np.full_like(reading.image, 255), reading, BOARD).present


def test_a_board_that_is_cut_through_says_so():
    image = GAME.draw(BOARD)
    box = GAME.read(image, LAYOUT).places[4, 0]
    with pytest.raises(UnreadableError, match="cut off at the bottom of the window, through 2 islands"):
        GAME.read(np.ascontiguousarray(image[: box.y + box.height // 2]), LAYOUT)
    with pytest.raises(UnreadableError, match="cut off at the left of the window"):
        GAME.read(np.ascontiguousarray(image[:, box.x + box.width // 2 :]), LAYOUT)


def test_a_fifth_of_an_island_at_the_edge_tells_that_the_board_is_cut_off():
    """Incident: so little was seen of the last row, and the rest had a solution."""
    puzzle = GAME.generate(8, 8, 3)
    image = GAME.draw(puzzle)
    places = GAME.read(image, LAYOUT).places
    last = [box for (row, _), box in places.items() if row == max(row for row, _ in places)]
    cut = image[: last[0].y + last[0].height // 5]
    with pytest.raises(UnreadableError, match=rf"cut off at the bottom of the window, through {len(last)} island"):
        GAME.read(np.ascontiguousarray(cut), LAYOUT)


def test_islands_that_touch_the_edge_and_one_another_are_not_cut_off():
    puzzle, pitch = GAME.generate(8, 8, 3), 24
    image = np.full((pitch * 8, pitch * 8, 3), 38, np.uint8)
    for (row, column), number in puzzle.islands.items():
        x, y = pitch * column + pitch // 2, pitch * row + pitch // 2
        cv2.circle(image, (x, y), pitch // 2, (250, 250, 250), 1, cv2.LINE_AA)
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, 0.6, 1)
        place = x - width // 2, y + height // 2
        cv2.putText(image, str(number), place, cv2.FONT_HERSHEY_DUPLEX, 0.6, (250, 250, 250), 1, cv2.LINE_AA)
    assert packed(GAME.format(GAME.read(image, LAYOUT).puzzle)) == packed(GAME.format(puzzle))


def test_a_board_that_ends_between_two_rows_says_so():
    image = GAME.draw(BOARD)
    places = GAME.read(image, LAYOUT).places
    edge = places[2, 0].y + places[2, 0].height + 4
    with pytest.raises(UnreadableError, match=r"reaches the .*bottom.* of the window"):
        GAME.read(np.ascontiguousarray(image[:edge]), LAYOUT)


@pytest.mark.parametrize(
    "image",
    [
        np.full((300, 400, 3), 230, np.uint8),
        np.zeros((10, 10, 3), np.uint8),
    ],
    ids=["empty", "tiny"],
)
def test_what_is_no_board_is_not_read(image):
    with pytest.raises(UnreadableError, match="no board of Hashi is seen"):
        GAME.read(image, LAYOUT)


@pytest.mark.parametrize("text", ["1.1", "1\n.\n1", "2..2", "1.2.1", "1..\n...\n2.1", "3.3\n...\n1.1"])
def test_the_smallest_boards_are_read(text):
    puzzle = parse(text)
    reading = GAME.read(GAME.draw(puzzle), LAYOUT)
    assert [reading.puzzle.rows[r][c] for r, c in sorted(reading.places)] == [int(n) for n in text if n.isdigit()]
    assert settle(GAME, reading).playable


def test_equal_letters_of_a_word_are_no_islands():
    image = np.full((300, 600, 3), 230, np.uint8)
    cv2.putText(image, "Again Moves", (60, 170), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (40, 60, 40), 3, cv2.LINE_AA)
    menu = drawn_elsewhere.not_a_board(3)  # the two letters e of "Open" and "Number" were read as islands with a 1
    for text in (image, menu.image):
        with pytest.raises(UnreadableError, match="no board of Hashi is seen"):
            GAME.read(text, LAYOUT)


@pytest.mark.parametrize(
    ("word", "font", "size", "thick"), [("8008", 2, 0.6, 1), ("8008", 0, 1.2, 2), ("gadget", 1, 0.8, 2)]
)
def test_two_equal_pairs_of_letters_in_two_lines_are_no_islands(word, font, size, thick):
    image = np.full((240, 420, 3), (54, 54, 254), np.uint8)
    for text, y in ((f"undo {word} is", 60), (f"again {word} and", 170)):
        cv2.putText(image, text, (20, y), font, size, (230, 220, 250), thick, cv2.LINE_AA)
    with pytest.raises(UnreadableError, match="no board of Hashi is seen"):
        GAME.read(image, LAYOUT)


def blot(image: Image, box: Box) -> None:
    """Hide the number of the island at ``box`` under noise."""
    x, y = box.centre
    reach = round(0.2 * box.width)
    noise = np.random.default_rng(1).integers(0, 2, (2 * reach, reach, 1), dtype=np.uint8) * 255
    image[y - reach : y + reach, x - reach // 2 : x - reach // 2 + reach] = noise


def test_one_of_three_numbers_may_be_hidden():
    puzzle = parse("1.2.1")
    image = GAME.draw(puzzle)
    blot(image, Box(39, 41, 47, 47))
    settled = settle(GAME, GAME.read(image, LAYOUT))
    assert settled.playable
    assert [n for n in settled.puzzle.rows[0] if n] == [1, 2, 1]


def test_an_illegible_number_is_a_doubt_that_the_rules_decide():
    image = GAME.draw(BOARD)
    blot(image, GAME.read(image, LAYOUT).places[2, 2])
    reading = GAME.read(image, LAYOUT)
    assert any((2, 2) in doubt.cells for doubt in reading.doubts) or reading.puzzle == BOARD
    assert settle(GAME, reading).puzzle == BOARD


def with_cover(cell: Cell, colour: tuple[int, int, int]) -> Image:
    """The game's picture with something dark that hides an island's number and a part of its outline."""
    picture = GAME.draw(BOARD).copy()
    x, y = GAME.read(picture, LAYOUT).places[cell].centre
    side = GAME.read(picture, LAYOUT).places[cell].width
    corners = np.array([(x - side // 5, y - side // 4), (x + side // 2, y + side // 3), (x - side // 5, y + side // 2)])
    cv2.fillPoly(picture, [corners], colour)
    cv2.polylines(picture, [corners], True, (255, 255, 255), 2)
    return picture


@pytest.mark.parametrize("cell", [(0, 0), (0, 2), (2, 0), (2, 2), (4, 2)])
def test_an_island_under_a_cover_is_found_by_the_rules_or_doubted(cell: Cell) -> None:
    """Incident: an island under the pointer was overlooked, and a board without it was played or refused."""
    try:
        settled = settle(GAME, GAME.read(with_cover(cell, (30, 30, 30)), LAYOUT))
    except UnreadableError:
        return
    if settled.playable:
        assert packed(GAME.format(settled.puzzle)) == packed(GAME.format(BOARD))


def test_a_covered_island_without_which_the_board_has_a_solution_is_no_sure_reading() -> None:
    """Incident: a pointer over an island through which bridges run straight; the rest has one solution without it."""
    sample = strange.picture(993019)
    settled = settle(GAME, GAME.read(sample.image, LAYOUT))
    assert not settled.certain or packed(GAME.format(settled.puzzle)) == packed(sample.text)
