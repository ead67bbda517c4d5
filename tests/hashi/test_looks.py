"""What colours and lines say where an island's outline does not: islands that were overlooked, what is none, numbers
under a cover. A chart that is right is spoiled, and must be mended."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Link, Puzzle, parse
from autoplayer.games.hashi.seeing.between.bridges import by_lines
from autoplayer.games.hashi.seeing.between.ends import loose_ends
from autoplayer.games.hashi.seeing.places import covers, looks, numbers
from autoplayer.games.hashi.seeing.places.chart import Chart, trimmed
from autoplayer.games.hashi.seeing.places.hidden import hidden, led_to
from autoplayer.games.hashi.seeing.places.islands import find
from autoplayer.games.hashi.seeing.places.options import probable
from autoplayer.games.hashi.seeing.places.others import (
    FAINT,
    HALF_LIKE,
    PALE,
    _is_another,
    by_looks,
    has_outline,
    neighbours,
)
from autoplayer.games.hashi.seeing.places.outline import View
from autoplayer.layout import Layout
from autoplayer.settle import settle

BOARD = parse("3.5.3\n.....\n6.8.3\n.....\n2.2..")
BEGUN = (Link((0, 0), (0, 2), 2), Link((0, 2), (2, 2), 1), Link((2, 0), (4, 0), 1))
"""No island is finished: one that looks unlike all others is an example of nothing."""
LAYOUT = Layout(game="hashi")


def solved(puzzle: Puzzle) -> Sequence[Link]:
    return GAME.solve(puzzle, time_limit=10).solution or ()


def seen(image: Image) -> tuple[View, Chart]:
    return find(image)[0]


def without(chart: Chart, *cells: Cell) -> Chart:
    return replace(chart, islands={cell: one for cell, one in chart.islands.items() if cell not in cells})


def puzzle_of(chart: Chart) -> Puzzle:
    grid = [[0] * len(chart.xs) for _ in chart.ys]
    for (r, c), one in chart.islands.items():
        grid[r][c] = int(one.candidates[0][0])
    return Puzzle(tuple(map(tuple, grid)))


def loose(view: View, chart: Chart) -> list[tuple[Cell, tuple[int, int]]]:
    here = chart.in_window()
    return loose_ends(view.window, here, by_lines(view.window, here, puzzle_of(chart), view.noise), view.noise)


@pytest.mark.parametrize("cell", sorted(BOARD.islands))
def test_an_island_that_was_overlooked_is_seen_by_its_colours(cell: Cell) -> None:
    view, chart = seen(GAME.draw(BOARD, BEGUN))
    assert set(chart.islands) == set(BOARD.islands)
    whole = by_looks(view, without(chart, cell))
    assert whole.islands[cell].candidates[0][0] == str(BOARD.islands[cell])
    assert set(whole.islands) == set(chart.islands)
    wider, found = hidden(view, without(chart, cell))
    assert len(found) == 1
    ((r, c),) = found
    assert abs(wider.xs[c] - chart.islands[cell].centre[0]) < 3
    assert abs(wider.ys[r] - chart.islands[cell].centre[1]) < 3


def test_free_places_look_like_water_and_islands_do_not() -> None:
    view, chart = seen(GAME.draw(BOARD))
    known = looks.learn(view, chart)
    assert known is not None
    islands = np.array([one.centre for one in chart.islands.values()])
    free = np.array([(chart.xs[c], chart.ys[r]) for r, c in looks.free_cells(chart)])
    assert len(free) == 25 - 8
    assert looks.likeness(view, known, islands).min() > 0.9
    assert looks.likeness(view, known, free).max() < 0.3
    assert looks.emptiness(view, known, free).min() > 0.9
    few = without(chart, *sorted(chart.islands)[3:])
    assert looks.learn(view, few) is None, "three islands are too few"


def test_lines_and_crossings_between_islands_are_bare_and_islands_are_not() -> None:
    """Incident: the crossings of a grid between islands that nearly touch were read as 4s, pieces of bridges as 1s."""
    view, chart = seen(GAME.draw(BOARD, BEGUN))
    known = looks.learn(view, chart)
    assert known is not None
    islands = np.array([one.centre for one in chart.islands.values()])
    free = np.array([(chart.xs[c], chart.ys[r]) for r, c in looks.free_cells(chart)])
    assert looks.is_bare(view, known, free, islands, chart.width).all(), "bridges run through some of them"
    assert not looks.is_bare(view, known, islands, islands, chart.width).any()


def test_an_island_beyond_all_others_is_found() -> None:
    """Incident: an island stood alone in its column, some columns beside all others; without it the board had a
    solution, too, and a wrong board was read without a doubt."""
    rows = "1...4.5...3", "....6...8..", "......3...4", "....2.2...."
    view, chart = seen(GAME.draw(parse("\n...........\n".join(rows))))
    less = trimmed(without(chart, (0, 0)))
    assert (len(chart.xs), len(less.xs)) == (11, 7)
    whole = by_looks(view, less)
    assert whole.islands.keys() == chart.islands.keys()
    assert whole.islands[0, 0].candidates[0][0] == "1"


def between(image: Image, chart: Chart, a: Cell, b: Cell, *, aside: float) -> None:
    """Draws two lines so far (in an island's size) beside the way between two islands of a row, or one."""
    (x0, y), (x1, _) = chart.islands[a].centre, chart.islands[b].centre
    for off in {round(-aside * chart.size), round(aside * chart.size)}:
        begin, end = round(x0 + chart.width / 2), round(x1 - chart.width / 2)
        cv2.line(image, (begin, round(y) + off), (end, round(y) + off), (20, 20, 20), 2)


@pytest.mark.parametrize("aside", [0.15, 0.25, 0.32])
def test_the_two_lines_of_a_bridge_may_stand_far_apart(aside: float) -> None:
    image = GAME.draw(BOARD).copy()
    _, chart = seen(image)
    between(image, chart, (0, 0), (0, 2), aside=aside)
    between(image, chart, (2, 0), (2, 2), aside=0.0)
    reading = GAME.read(image, LAYOUT)
    assert reading.puzzle == BOARD
    assert {(b.a, b.b): n for b, n in reading.extra["bridges"].items()} == {
        ((0, 0), (0, 2)): 2,
        ((2, 0), (2, 2)): 1,
    }


def test_a_bridge_to_an_island_that_was_overlooked_is_followed() -> None:
    view, chart = seen(GAME.draw(BOARD, BEGUN))
    less = without(chart, (4, 0))
    ends = loose(view, less)
    assert ends == [((2, 0), (1, 0))]
    assert loose(view, chart) == []
    _, there = led_to(view, less, ends, {})
    assert list(there) == [(4, 0)]
    assert there[4, 0] > 0.9


def test_many_bridges_to_where_no_island_is_seen_are_no_board() -> None:
    """Islands that cannot be made out at all: what is left of the board may have a solution, too."""
    board = GAME.generate(11, 11, 1)
    image = GAME.draw(board, GAME.solve(board, time_limit=10).solution).copy()
    _, chart = seen(image)
    for cell in sorted(chart.islands)[::6]:
        (x, y), far = chart.islands[cell].centre, 0.75 * chart.size
        paper = image[2, 2].tolist()
        cv2.rectangle(image, (round(x - far), round(y - far)), (round(x + far), round(y + far)), paper, -1)
    with pytest.raises(UnreadableError, match="lead to where no island is seen"):
        GAME.read(image, LAYOUT)


def test_rims_of_islands_that_nearly_touch_are_no_bridges_that_lead_away() -> None:
    """Where rows are nearer than an island is high, the next island but one stands where a bridge would begin."""
    board, across, down = GAME.generate(20, 20, 1), 20, 16
    image = np.full((20 * down + 80, 20 * across + 80, 3), 255, np.uint8)

    def at(cell: Cell) -> tuple[int, int]:
        return 50 + cell[1] * across, 48 + cell[0] * down

    for k in range(20):
        cv2.line(image, (at((0, k))[0], 40), (at((0, k))[0], 40 + 20 * down), (128, 128, 128), 1)
        cv2.line(image, (40, at((k, 0))[1]), (40 + 20 * across, at((k, 0))[1]), (128, 128, 128), 1)
    for link in list(GAME.solve(board, time_limit=10).solution)[::2]:
        (x, y), (u, v) = at(link.a), at(link.b)
        for off in (0,) if link.count == 1 else (-3, 3):
            dx, dy = (off, 0) if x == u else (0, off)
            cv2.line(image, (x + dx, y + dy), (u + dx, v + dy), (0, 0, 0), 3)
    for cell in board.islands:
        number = str(board.rows[cell[0]][cell[1]])
        cv2.circle(image, at(cell), 10, (255, 255, 255), -1)
        cv2.circle(image, at(cell), 10, (0, 0, 0), 2, cv2.LINE_AA)
        (w, h), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_SIMPLEX, 0.4, 1)
        spot = at(cell)[0] - w // 2, at(cell)[1] + h // 2
        cv2.putText(image, number, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    assert settle(GAME, GAME.read(image, LAYOUT)).puzzle == board


@pytest.mark.parametrize("far", [(0, 4), (2, 0), (4, 0)])
def test_a_bridge_leads_away_in_any_direction(far: Cell) -> None:
    """Incident: those to the left and up were never seen."""
    begun = (Link((0, 2), (0, 4), 1), Link((2, 0), (2, 2), 1), Link((0, 2), (2, 2), 1), Link((2, 0), (4, 0), 1))
    view, chart = seen(GAME.draw(BOARD, begun))
    others = {(0, 4): [((0, 2), (0, 1))], (2, 0): [((2, 2), (0, -1)), ((4, 0), (-1, 0))], (4, 0): [((2, 0), (1, 0))]}
    assert sorted(loose(view, without(chart, far))) == others[far]


def touching(middle: bool) -> Image:
    """Squares of 60 pixels side by side around a place with a cross, as a grid draws it; the board has one solution."""
    image = np.full((420, 420, 3), 225, np.uint8)
    numbers = {(0, 2): 1, (1, 1): 1, (1, 3): 2, (2, 0): 1, (2, 2): 4, (3, 1): 2, (3, 3): 3, (4, 2): 2}
    for r in range(5):
        for c in range(5):
            x, y = 90 + 60 * c, 90 + 60 * r
            cv2.line(image, (x - 6, y), (x + 6, y), (150, 150, 150), 1)
            cv2.line(image, (x, y - 6), (x, y + 6), (150, 150, 150), 1)
    for (r, c), n in numbers.items():
        if (r, c) == (2, 2) and not middle:
            continue
        x, y = 90 + 60 * c, 90 + 60 * r
        cv2.rectangle(image, (x - 29, y - 29), (x + 29, y + 29), (225, 225, 225), -1)
        cv2.rectangle(image, (x - 29, y - 29), (x + 29, y + 29), (60, 60, 60), 3)
        cv2.putText(image, str(n), (x - 11, y + 11), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (40, 40, 40), 2, cv2.LINE_AA)
    return image


def test_between_islands_that_touch_is_no_island() -> None:
    """Incident: the sides of three islands made an outline around a crossing of the grid, and the rules found a number
    for it: a wrong board was played."""
    try:
        reading = GAME.read(touching(False), LAYOUT)
    except UnreadableError:
        return
    settled = settle(GAME, reading)
    assert not settled.playable or len(settled.puzzle.islands) == 7
    _, chart = seen(touching(True))
    middle = chart.islands[2, 2]
    assert neighbours(middle, chart) == 0, "beside it are empty places"
    for cell in ((1, 2), (2, 1)):
        assert cell not in chart.islands


def test_what_only_an_improbable_number_explains_stays_in_doubt() -> None:
    """Incident: one island was overlooked; with the most improbable number of another one the rest had a solution."""
    assert probable((("3", 0.8), ("7", 0.15), ("1", 0.017), (".", 0.03))) == (("3", 0.8), ("7", 0.15), (".", 0.03))


def test_a_cover_hides_ink_but_shows_no_ground_where_ink_would_be() -> None:
    board = parse("2.6.4\n.....\n6.8.3\n.....\n4.3.2")
    image = GAME.draw(board)
    view, chart = seen(image)
    known = covers.examples(chart)
    assert known is not None
    x, y = chart.islands[2, 0].centre
    assert not covers.is_covered(view, known, (x, y))
    side = round(chart.core)
    spoiled = image.copy()
    spoiled[round(y) - side // 2 : round(y) - 1, round(x) - side // 2 : round(x) + side // 2] = (200, 60, 30)
    view = replace(view, image=spoiled, window=spoiled)
    assert covers.is_covered(view, known, (x, y))
    chances = covers.chances(view, known, (x, y))
    assert chances["6"] == max(chances.values())
    assert chances["4"] < 0.3 * chances["6"]
    assert chances["2"] < 0.3 * chances["6"]


def test_ends_of_bridges_inside_of_islands_are_no_part_of_numbers() -> None:
    """Incident: bridges were drawn a little into rings, and numbers with such ends beside them could not be read."""
    numbers = {(0, 0): 4, (0, 1): 5, (0, 2): 3, (1, 0): 4, (1, 1): 6, (1, 2): 4, (2, 0): 2, (2, 1): 4, (2, 2): 2}
    image = np.full((480, 480, 3), 240, np.uint8)
    for (r, c), n in numbers.items():
        x, y = 100 + 140 * c, 100 + 140 * r
        cv2.circle(image, (x, y), 30, (60, 60, 60), 3, cv2.LINE_AA)
        cv2.putText(image, str(n), (x - 8, y + 9), cv2.FONT_HERSHEY_DUPLEX, 0.8, (40, 40, 40), 2, cv2.LINE_AA)
        if (r, c) in ((0, 0), (0, 1), (1, 0), (1, 1)):
            cv2.line(image, (x + 22, y), (x + 118, y), (60, 60, 60), 8)
        if (r, c) in ((1, 1), (1, 2)):
            cv2.line(image, (x, y + 22), (x, y + 118), (60, 60, 60), 8)
    _, chart = seen(image)
    assert {cell: one.candidates[0][0] for cell, one in chart.islands.items()} == {
        cell: str(n) for cell, n in numbers.items()
    }


@pytest.mark.parametrize("wider", [1.0, 1.04, 1.08])
def test_a_number_is_not_read_together_with_its_rim(wider: float) -> None:
    """As where an outline is blurred, so that the room inside it is thought to be larger than it is."""
    view, chart = seen(GAME.draw(BOARD, BEGUN))
    centres = np.array([one.centre for one in chart.islands.values()])
    found = numbers.read(view, centres, wider * chart.outline.inner, chart.outline.round)
    assert [one.candidates[0][0] for one in found] == [str(number) for number in BOARD.islands.values()]
    assert min(one.probability for one in found) > numbers.KNOWN - 0.05


def test_digits_that_are_strewn_all_over_a_page_are_no_islands() -> None:
    """Incident: hundreds of a table's digits were taken for islands, and looked at for seconds."""
    rng = np.random.default_rng(3)
    image = np.full((900, 900, 3), 240, np.uint8)
    for k in range(225):
        x, y = 30 + 57 * (k % 15) + int(rng.integers(0, 16)) + k // 15 % 4 * 11, 30 + 60 * (k // 15)
        cv2.circle(image, (x, y), 17, (60, 60, 60), 2, cv2.LINE_AA)
        cv2.putText(image, str(1 + k % 8), (x - 7, y + 7), cv2.FONT_HERSHEY_SIMPLEX, 0.65, (40, 40, 40), 2)
    assert all(len(chart.islands) < 150 for _, chart in find(image))


@pytest.mark.parametrize("size", [36, 44])
def test_an_island_of_hardly_another_colour_than_the_water_is_not_lost_beside_a_bridge(size: int) -> None:
    """Finished islands are filled; the outline of another one is broken by a double bridge."""
    rows = [".1.2..2", "4.5..2.", ".......", "..2...4", "4....2.", "......2", "3.2..1."]
    pitch, done = round(1.8 * size), {(0, 1), (0, 3), (0, 6), (1, 5)}
    image = np.full((8 * pitch, 8 * pitch, 3), (202, 233, 229), np.uint8)

    def at(cell: Cell) -> tuple[int, int]:
        return pitch * (cell[1] + 1), pitch * (cell[0] + 1)

    for a, b, apart in (((0, 1), (0, 6), 0), ((0, 6), (3, 6), 0), ((4, 0), (4, 5), 0), ((1, 2), (1, 5), 4)):
        for off in {-apart, apart}:
            (x, y), (u, v) = at(a), at(b)
            cv2.line(image, (x, y + off), (u, v + off), (58, 82, 72), 4)
    for r, row in enumerate(rows):
        for c, number in enumerate(row):
            if number == ".":
                continue
            (x, y), ink = at((r, c)), (255, 255, 255) if (r, c) in done else (58, 82, 72)
            corners = [
                (x + round(size * 0.57 * np.cos(a)), y + round(size * 0.5 * np.sin(a)))
                for a in np.arange(6) * np.pi / 3
            ]
            cv2.fillPoly(image, [np.array(corners, np.int32)], (88, 210, 72) if (r, c) in done else (212, 238, 240))
            (w, h), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_DUPLEX, size / 55, 1)
            cv2.putText(
                image, number, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, size / 55, ink, 1, cv2.LINE_AA
            )
    assert settle(GAME, GAME.read(image, LAYOUT)).puzzle == parse("\n".join(rows))


def test_what_is_pale_and_has_hardly_any_outline_is_no_island_in_another_state() -> None:
    """Incidents: where grid lines met beside an island that reached into the next place, a pale 4 was read, and the
    board had a solution with it; so did a board with a 3 that compression had left on the water between two islands."""
    view, chart = seen(GAME.draw(BOARD))
    whole = chart.islands[(0, 0)]

    def another(number: str, strength: float, like: float) -> bool:
        content = replace(whole.content, contrast=strength * chart.contrast)
        return _is_another(view, replace(whole, content=content, candidates=((number, 0.98),)), like, chart)

    assert not another("4", PALE - 0.05, HALF_LIKE - 0.05)
    assert another("4", PALE + 0.05, HALF_LIKE - 0.05)
    assert another("4", PALE - 0.05, HALF_LIKE + 0.05)
    assert another("5", FAINT + 0.05, HALF_LIKE - 0.05), "no lines look like that"
    assert not another("5", FAINT - 0.05, HALF_LIKE - 0.05)
    assert another("5", FAINT - 0.05, HALF_LIKE + 0.05)


def test_a_lattice_may_be_full_of_islands() -> None:
    """Incident: where no place was free, an average of nothing was compared with."""
    view, chart = seen(GAME.draw(parse("353\n584\n353")))
    assert len(chart.islands) == len(chart.xs) * len(chart.ys)
    centres = np.array([one.centre for one in chart.islands.values()])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert has_outline(view, chart, centres).all()


def test_signs_that_cannot_be_read_stand_in_islands_where_bridges_lead_to_them() -> None:
    """Incident: each 3 of a handwriting was hardly one; it might have been no island, and its bridges led to where none
    is seen."""
    puzzle = GAME.generate(8, 8, 3)
    links = GAME.solve(puzzle, time_limit=5).solution
    assert links is not None
    image = GAME.draw(puzzle, links)
    places = GAME.read(image, LAYOUT).places
    for cell, box in places.items():
        if puzzle.islands.get(cell) == 3:
            x, y = box.centre
            ground = image[y, box.x + box.width // 5].tolist()
            reach = box.width // 5
            cv2.rectangle(image, (x - reach, y - reach), (x + reach, y + reach), ground, -1)
            for aside in (-4, 4):
                cv2.line(image, (x - 7, y + aside), (x + 7, y + aside), (0, 0, 0), 2)
                cv2.line(image, (x + aside, y - 8), (x + aside, y + 8), (0, 0, 0), 2)
    settled = settle(GAME, GAME.read(image, LAYOUT))
    assert settled.certain
    assert settled.puzzle == puzzle


def test_a_ring_on_water_with_a_one_in_it_is_an_island() -> None:
    """Incident: complete islands were rings on the water's colour, the others discs. A 1 in a ring was taken for a
    piece of a line, for nothing but its ring told it from water."""
    board = parse("2.3.1.2\n.1.....\n4.6.1.3\n.......\n2.5.4.1\n.....1.\n1...2.3")
    picture = np.full((480, 480, 3), (33, 21, 13), np.uint8)
    for (r, c), number in board.islands.items():
        exact = round(16 * (60 + 50.37 * c)), round(16 * (60 + 50.37 * r))
        fill = (33, 21, 13) if number == 1 else (69, 43, 28)
        cv2.circle(picture, exact, 320, fill, -1, cv2.LINE_AA, 4)
        cv2.circle(picture, exact, 320, (216, 160, 106), 1, cv2.LINE_AA, 4)
        place = exact[0] // 16 - 6, exact[1] // 16 + 6
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_DUPLEX, 0.55, (245, 235, 225), 1, cv2.LINE_AA)
    _, chart = seen(picture)
    assert puzzle_of(chart) == board


def test_gaps_of_five_and_two_columns_are_told_from_gaps_of_three_and_one() -> None:
    """Incident: half of the islands were drawn in another way. The others stood in columns 0, 5, 7 and 9, which are
    nearly three and one apart, and the columns between were not looked at."""
    board = parse("3....4.3.2\n..........\n4....6.5.3\n..........\n..........\n..........\n..........\n3....4.4.3")
    picture = np.full((560, 640, 3), (250, 250, 250), np.uint8)
    for (r, c), number in board.islands.items():
        x, y = 50 + 60 * c, 50 + 60 * r
        cv2.rectangle(picture, (x - 18, y - 18), (x + 18, y + 18), (90, 60, 40), 2)
        cv2.putText(picture, str(number), (x - 8, y + 9), cv2.FONT_HERSHEY_DUPLEX, 0.8, (30, 20, 10), 2, cv2.LINE_AA)
    _, chart = seen(picture)
    assert set(chart.islands) == set(board.islands)
    assert len(chart.xs) == 10


def test_between_two_islands_that_leave_no_room_is_none() -> None:
    """Incident: the sides of two squares, with a double bridge between them, looked like a covered third one."""
    board = parse("3...3.\n......\n4..3.2\n......\n.2.6..\n3.2.2.\n.2.6.4")
    colours = {2: (120, 88, 34), 3: (154, 44, 115), 4: (76, 103, 32), 6: (24, 92, 66)}
    picture = np.full((760, 700, 3), (16, 6, 4), np.uint8)
    for (r, c), (down, right), links in solved(board):
        for aside in ((-7, 7) if links == 2 else (0,)) * ((r, c) != (2, 5)):
            x, y = 110 + 66 * c + aside * (c == right), 80 + 86 * r + aside * (r == down)
            picture[y - 4 : y + 4 + 86 * (down - r), x - 4 : x + 4 + 66 * (right - c)] = (220, 44, 90)
    for (row, column), number in board.islands.items():
        x, y = 110 + 66 * column, 80 + 86 * row
        picture[y - 43 : y + 43, x - 43 : x + 43] = colours[number]
        cv2.putText(picture, str(number), (x - 12, y + 14), cv2.FONT_HERSHEY_DUPLEX, 1.2, (220, 220, 220), 2)
    reading = GAME.read(picture, Layout(game="hashi"))
    assert reading.doubts == ()
    assert reading.puzzle == board
