"""Hashi: kinds of windows that other people's games have, each drawn here: islands that hold more than their number,
bridges that are lit up, waves behind the board."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image, Point
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, Link, Puzzle
from autoplayer.games.hashi.seeing.places import hidden, outline
from autoplayer.games.hashi.seeing.places.chart import trimmed
from autoplayer.layout import Layout
from autoplayer.settle import settle

UNKNOWN = Layout(game="hashi")
PUZZLE = GAME.generate(7, 7, 0)
PITCH = 80

Colour = tuple[int, int, int]
Painter = Callable[[Image, Cell, int], None]


def at(cell: Cell) -> Point:
    return PITCH * (cell[1] + 1), PITCH * (cell[0] + 1)


def number(picture: Image, text: str, middle: Point, size: float, ink: Colour, thick: int = 2) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size, thick)
    place = middle[0] - width // 2, middle[1] + height // 2
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_DUPLEX, size, ink, thick, cv2.LINE_AA)


def disc(picture: Image, cell: Cell, fill: Colour, rim: Colour, radius: int = 30) -> None:
    cv2.circle(picture, at(cell), radius, fill, -1, cv2.LINE_AA)
    cv2.circle(picture, at(cell), radius, rim, 2, cv2.LINE_AA)


def plain(picture: Image, cell: Cell, wanted: int) -> None:
    disc(picture, cell, (200, 210, 215), (90, 90, 90))
    number(picture, str(wanted), at(cell), 1.0, (20, 20, 20))


def small(picture: Image, cell: Cell, wanted: int) -> None:
    disc(picture, cell, (200, 210, 215), (90, 90, 90), 21)
    number(picture, str(wanted), at(cell), 0.8, (20, 20, 20))


def what_it_has_below(picture: Image, cell: Cell, wanted: int) -> None:
    disc(picture, cell, (20, 27, 42), (106, 160, 216), 34)
    number(picture, str(wanted), at(cell), 0.8, (212, 226, 240))
    number(picture, "0", (at(cell)[0], at(cell)[1] + 21), 0.4, (140, 170, 200), 1)


def planted(picture: Image, cell: Cell, wanted: int) -> None:
    """A picture of an island, one of two, with plants all around the number."""
    disc(picture, cell, (150, 210, 240), (100, 128, 166), 36)
    x, y = at(cell)
    for k in range(14):
        turn = 0.45 * k + 0.2 * ((cell[0] + cell[1]) % 2)
        plant = round(x + 27 * math.cos(turn)), round(y + 27 * math.sin(turn))
        cv2.circle(picture, plant, 5, (60, 150 - 30 * (k % 2), 80), -1, cv2.LINE_AA)
    number(picture, str(wanted), (x, y), 1.0, (90, 60, 10))


def window(islands: Painter, water: Colour, under: Callable[[Image], None] = lambda _: None) -> Image:
    picture = np.full((PITCH * 8, PITCH * 8, 3), water, np.uint8)
    under(picture)
    for cell, wanted in PUZZLE.islands.items():
        islands(picture, cell, wanted)
    return picture


def bridge(picture: Image, which: Bridge, links: int, ink: Colour, thick: int) -> None:
    (x1, y1), (x2, y2) = at(which.a), at(which.b)
    for aside in ((), (0,), (-8, 8))[links]:
        dx, dy = (0, aside) if y1 == y2 else (aside, 0)
        cv2.line(picture, (x1 + dx, y1 + dy), (x2 + dx, y2 + dy), ink, thick)


def read(picture: Image) -> tuple[Puzzle, Mapping[Bridge, int]]:
    reading = GAME.read(picture, UNKNOWN)
    assert not reading.doubts
    return reading.puzzle, {which: links for which, links in reading.extra["bridges"].items() if links}


@pytest.mark.parametrize(("islands", "water"), [(what_it_has_below, (12, 15, 26)), (planted, (160, 110, 40))])
def test_what_stands_beside_a_number_in_its_island_is_no_part_of_it(islands: Painter, water: Colour) -> None:
    assert read(window(islands, water)) == (PUZZLE, {})


def test_a_bridge_that_is_lit_up_is_no_double_one_where_those_are_two_lines() -> None:
    links = wanted()
    lit = next(which for which, n in links.items() if n == 1)

    def under(picture: Image) -> None:
        bridge(picture, lit, 1, (0, 204, 204), 10)
        for which, n in links.items():
            bridge(picture, which, n, (0, 0, 0), 2)

    assert read(window(plain, (238, 238, 238), under)) == (PUZZLE, links)


def test_a_bridge_that_is_lit_up_is_no_double_one_where_single_ones_fall_between_two_rows_of_pixels() -> None:
    """They are twice as broad as each of two, and half as dark."""
    links = wanted()
    lit = next(which for which, n in links.items() if n == 1)

    def under(picture: Image) -> None:
        bridge(picture, lit, 1, (0, 204, 204), 5)
        for which, n in links.items():
            if n == 2:
                bridge(picture, which, 2, (30, 30, 30), 1)
                continue
            (x1, y1), (x2, y2) = at(which.a), at(which.b)
            part = picture[y1 : y2 + 2, x1 : x2 + 2]
            part[...] = part // 2

    assert read(window(plain, (238, 238, 238), under)) == (PUZZLE, links)


@pytest.mark.parametrize(("seed", "which"), [(1, Bridge((1, 2), (3, 2))), (2, Bridge((4, 0), (6, 0)))])
def test_the_lines_of_a_bridge_that_show_through_two_islands_are_no_part_of_their_numbers(
    seed: int, which: Bridge
) -> None:
    """They lie aside. The other islands tell how large a number is; a 5 was a 4 without a doubt."""
    puzzle = GAME.generate(7, 7, seed)
    picture = np.full((PITCH * 8, PITCH * 8, 3), (7, 2, 0), np.uint8)
    for cell in puzzle.islands:
        disc(picture, cell, (38, 51, 0), (231, 255, 0))
    (x, top), (_, bottom) = at(which.a), at(which.b)
    for aside, ink in ((4, (140, 150, 0)), (12, (231, 255, 0))):
        cv2.line(picture, (x + aside, top - 30), (x + aside, bottom + 40), ink, 4)
    for cell, value in puzzle.islands.items():
        number(picture, str(value), at(cell), 0.9, (255, 255, 255), 3)
    assert settle(GAME, GAME.read(picture, UNKNOWN)).puzzle == puzzle


def wanted(puzzle: Puzzle = PUZZLE) -> dict[Bridge, int]:
    solution = GAME.solve(puzzle, time_limit=10).solution
    assert solution is not None
    return {Bridge(a, b): n for a, b, n in solution}


@pytest.mark.parametrize("moment", range(3))
@pytest.mark.parametrize("begun", [False, True])
def test_waves_behind_the_board_are_no_bridges(moment: int, *, begun: bool) -> None:
    links = dict(list(wanted().items())[:4]) if begun else {}

    def under(picture: Image) -> None:
        for row, y in enumerate(range(10, picture.shape[0], 31)):
            xs = np.arange(0, picture.shape[1], 8)
            ys = y + 6 * np.sin(xs / 45 + row + 1.3 * moment)
            cv2.polylines(picture, [np.rint(np.stack([xs, ys], axis=1)).astype(np.int32)], False, (122, 84, 28), 2)
        for which, n in links.items():
            bridge(picture, which, n, (90, 130, 170), 5)

    assert read(window(small, (96, 62, 12), under)) == (PUZZLE, links)


def test_frames_around_islands_that_touch_are_no_bridges() -> None:
    """Squares stand on every place, in frames that overlap at their corners: what runs along the places between them is
    made of the frames of others."""
    puzzle, side = GAME.parse(CROWDED), 36

    def draw(links: Mapping[Bridge, int]) -> Image:
        picture = np.zeros((side * 12, side * 12, 3), np.uint8)

        def spot(cell: Cell) -> Point:
            return side * (cell[1] + 2), side * (cell[0] + 2)

        for which, n in links.items():
            for aside in ((), (0,), (-6, 6))[n]:
                (x1, y1), (x2, y2) = spot(which.a), spot(which.b)
                dx, dy = (0, aside) if y1 == y2 else (aside, 0)
                cv2.line(picture, (x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (230, 200, 170), 6)
        for cell, wanted_here in puzzle.islands.items():
            x, y = spot(cell)
            around = picture[y - 24 : y + 24, x - 24 : x + 24]
            around[:] = around // 2 + np.array((15, 15, 60), np.uint8)
            cv2.rectangle(picture, (x - 18, y - 18), (x + 17, y + 17), COLOURS[wanted_here], -1)
            number(picture, str(wanted_here), (x, y), 0.6, (30, 30, 30), 1)
        return picture

    assert read(draw({})) == (puzzle, {})
    some = {which: n for which, n in wanted(puzzle).items() if n == 1}
    assert read(draw(some)) == (puzzle, some)


CROWDED = """.1..2.3
3..3.1.
.......
2...5.5
.......
.......
1...3.1"""

COLOURS = {1: (60, 180, 245), 2: (60, 240, 180), 3: (60, 240, 60), 5: (245, 180, 60)}


def test_small_islands_are_found_in_a_window_as_large_as_a_screen() -> None:
    """They are looked for in the picture enlarged."""
    puzzle = GAME.generate(12, 12, 3)
    board = cv2.resize(GAME.draw(puzzle), None, fx=0.33, fy=0.33, interpolation=cv2.INTER_AREA)
    screen = np.full((1080, 1920, 3), board[2, 2], np.uint8)
    screen[300 : 300 + board.shape[0], 700 : 700 + board.shape[1]] = board
    reading = GAME.read(screen, UNKNOWN)
    assert max(place.width for place in reading.places.values()) < 20
    assert (reading.puzzle, reading.doubts) == (puzzle, ())


def blank(picture: Image, cell: Cell) -> None:
    disc(picture, cell, (90, 130, 0), (90, 90, 90))


def ticked(picture: Image, cell: Cell) -> None:
    disc(picture, cell, (200, 210, 215), (90, 90, 90))
    x, y = at(cell)
    cv2.polylines(
        picture, [np.array([(x - 9, y), (x - 3, y + 8), (x + 11, y - 9)])], False, (60, 140, 40), 4, cv2.LINE_AA
    )


def together(links: Mapping[Bridge, int], count: int) -> list[Bridge]:
    """So many of ``links`` that hang together."""
    found = [next(iter(links))]
    while len(found) < count:
        reached = {cell for which in found for cell in (which.a, which.b)}
        found.append(next(one for one in links if one not in found and reached & {one.a, one.b}))
    return found


def zero(picture: Image, cell: Cell) -> None:
    disc(picture, cell, (150, 200, 150), (90, 90, 90))
    number(picture, "0", at(cell), 1.0, (20, 20, 20))


def counting_down(complete: Callable[[Image, Cell], None], drawn: Mapping[Bridge, int]) -> Image:
    """The board with the bridges that are ``drawn``, and in each island what it still needs."""
    left = dict(PUZZLE.islands)
    for which, n in drawn.items():
        left[which.a] -= n
        left[which.b] -= n
    picture = np.full((PITCH * 8, PITCH * 8, 3), (245, 240, 235), np.uint8)
    for which, n in drawn.items():
        bridge(picture, which, n, (90, 130, 0), 4)
    for cell, rest in left.items():
        if rest > 0:
            plain(picture, cell, rest)
        else:
            complete(picture, cell)
    return picture


@pytest.mark.parametrize(("complete", "count"), [(blank, 6), (blank, 9), (ticked, 3), (ticked, 9), (zero, 6)])
def test_a_board_that_shows_what_remains_is_read_as_it_began(
    complete: Callable[[Image, Cell], None], count: int
) -> None:
    """What is left may be a level of its own, which has a solution. The islands that need nothing more stand in rows
    and columns that have no other one, perhaps, so that they are no part of what is known at first."""
    links = {which: n for which, n in wanted().items() if n}
    missing = together(links, count)
    drawn = {which: n for which, n in links.items() if which not in missing}
    reading = GAME.read(counting_down(complete, drawn), UNKNOWN)
    assert reading.puzzle == PUZZLE
    assert reading.extra["bridges"] == drawn
    assert reading.extra["counts_down"]
    assert not reading.doubts


def test_what_remains_is_no_level_where_the_bridges_are_no_part_of_a_solution() -> None:
    """Then nothing proves that the numbers count down: some may be hidden."""
    drawn = {
        Bridge((0, 6), (3, 6)): 1,
        Bridge((3, 6), (6, 6)): 1,
        Bridge((3, 4), (3, 6)): 1,
        Bridge((5, 1), (5, 3)): 2,
        Bridge((3, 4), (6, 4)): 2,  # one in the solution
    }
    with pytest.raises(UnreadableError, match="show no number"):
        GAME.read(counting_down(blank, drawn), UNKNOWN)


@pytest.mark.parametrize("seed", range(3))
def test_grid_lines_and_crossing_bridges_are_no_islands_without_numbers(seed: int) -> None:
    puzzle = GAME.generate(7, 7, seed)
    links = wanted(puzzle)
    picture = np.full((PITCH * 8, PITCH * 8, 3), (245, 240, 235), np.uint8)
    for k in range(8):
        cv2.line(picture, (PITCH * k + 40, 40), (PITCH * k + 40, PITCH * 7 + 40), (160, 160, 160), 2)
        cv2.line(picture, (40, PITCH * k + 40), (PITCH * 7 + 40, PITCH * k + 40), (160, 160, 160), 2)
    for which, n in links.items():
        bridge(picture, which, n, (90, 130, 0), 4)
    for cell, here in puzzle.islands.items():
        plain(picture, cell, here)
    islands, standing = read(picture)
    assert [*islands.islands.values()] == [*puzzle.islands.values()]
    assert sorted(standing.values()) == sorted(n for n in links.values() if n)


def rope(picture: Image, which: Bridge, links: int) -> None:
    """One or two thin ropes that swing by four pixels to each side, between islands that are ``small``."""
    (x1, y1), (x2, y2) = at(which.a), at(which.b)
    long = max(x2 - x1, y2 - y1) - 42
    along = np.arange(long + 1)
    swing = 4 * np.sin(2 * np.pi * round(long / 24) * along / long)
    for aside in ((), (0,), (-7, 7))[links]:
        x, y = (x1 + 21 + along, y1 + aside + swing) if y1 == y2 else (x1 + aside + swing, y1 + 21 + along)
        path = np.rint(16 * np.stack([x, y], axis=1)).astype(np.int32)
        cv2.polylines(picture, [path], False, (106, 196, 233), 2, cv2.LINE_AA, 4)


@pytest.mark.parametrize("part", [0.4, 0.7])
@pytest.mark.parametrize("seed", range(3))
def test_ropes_that_swing_are_as_many_links_as_there_are_ropes(part: float, seed: int) -> None:
    """One was two lines, and two were four, or nothing at all where they are short."""
    puzzle = GAME.generate(7, 7, seed)
    links = dict(sorted((which, n) for which, n in wanted(puzzle).items() if n))
    links = dict(list(links.items())[: round(part * len(links))])
    picture = np.full((PITCH * 8, PITCH * 8, 3), (160, 125, 44), np.uint8)
    for which, n in links.items():
        rope(picture, which, n)
    for cell, here in puzzle.islands.items():
        small(picture, cell, here)
    assert read(picture) == (puzzle, links)


@pytest.mark.parametrize("radius", [11, 14])
def test_one_line_with_a_two_on_it_is_two_links(radius: int) -> None:
    """Where single bridges carry no count."""
    links = {which: n for which, n in wanted().items() if n}

    def under(picture: Image) -> None:
        for which, n in links.items():
            bridge(picture, which, 1, (85, 68, 51), 4)
            if n == 2:
                (x1, y1), (x2, y2) = at(which.a), at(which.b)
                middle = (x1 + x2) // 2, (y1 + y2) // 2
                cv2.circle(picture, middle, radius, (85, 68, 51), -1, cv2.LINE_AA)
                number(picture, "2", middle, 0.05 * radius, (255, 255, 255), 1)

    assert read(window(plain, (255, 247, 238), under)) == (PUZZLE, links)


def test_islands_of_which_no_number_was_read_are_seen_though_they_fill_a_row() -> None:
    """Of a handwritten 6: all islands with that number were left out without a word, as the rest had a solution."""
    before = GAME.read(window(plain, (180, 150, 110)), UNKNOWN).extra["before"]
    chart = before.chart
    bottom = max(r for r, _ in chart.islands)
    lost = {cell for cell in chart.islands if cell[0] == bottom}
    fewer = {cell: one for cell, one in chart.islands.items() if cell not in lost}
    _, found = hidden.unread(before.seen, trimmed(replace(chart, islands=fewer)))
    assert found.keys() == lost
    assert not hidden.unread(before.seen, chart)[1]


def test_islands_are_still_there_though_bridges_hide_their_outlines_and_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Incident: what was taken for the islands' outline was that of a grid's cells; once bridges ran through most of
    these, and through the numbers, the board was thought to be gone."""
    links = wanted()

    def through(picture: Image) -> Image:
        for which, n in links.items():
            bridge(picture, which, n, (60, 60, 200), 4)
        return picture

    reading = GAME.read(window(plain, (238, 238, 238)), UNKNOWN)
    assert reading.extra["before"].like.min() > 0
    monkeypatch.setattr(outline, "presence", lambda seen, common, centres: np.zeros(len(centres)))
    solution = tuple(Link(which.a, which.b, n) for which, n in links.items())
    over = through(window(plain, (238, 238, 238)))
    assert GAME.progress(reading, PUZZLE, solution, over).complete
    assert not GAME.progress(reading, PUZZLE, solution, np.full_like(over, 238)).present
