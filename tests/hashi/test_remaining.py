"""Hashi: numbers that may say what remains, where no island is complete or only few are seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell
from autoplayer.games.hashi import GAME, islands, numbers, outline, remaining
from autoplayer.games.hashi.bridges import Drawn
from autoplayer.games.hashi.lines import Line
from autoplayer.games.hashi.puzzle import Bridge, Puzzle, parse
from autoplayer.games.hashi.remaining import may_remain
from autoplayer.games.hashi.solver import has_solution
from tests.hashi.test_ends import FILL, INK, LAYOUT, at, counting_down, sheet, write

SHOWN = parse("3.6.2\n.....\n5.5.2\n.....\n2.3.4")
DRAWN = ((0, 4), (2, 4), 1)
"""What a board shows that counts down, and the only bridge that stands; as totals, its numbers have a solution, in
which that bridge is none."""


def test_bridges_that_belong_only_to_a_solution_of_what_remains_are_refused() -> None:
    """Incident: no island was complete yet, and the numbers, which said what remained, had a solution of their own."""
    assert has_solution(SHOWN)
    with pytest.raises(UnreadableError, match="may count down"):
        GAME.read(counting_down(SHOWN, {}, [DRAWN]), LAYOUT)


def test_bridges_that_are_part_of_the_solution_of_the_numbers_as_shown_say_that_these_do_not_count_down() -> None:
    """Though numbers that say what remains would have a solution as well: at the beginning of play they often do."""
    shown, right = parse("2.3.2\n.....\n3.4.3\n.....\n2.3.2"), Bridge((0, 0), (0, 2))
    assert has_solution(parse("3.4.2\n.....\n3.4.3\n.....\n2.3.2"), {right: 1})
    assert GAME.read(counting_down(shown, {}, [(*right, 1)]), LAYOUT).puzzle == parse("232\n343\n232")


def test_bridges_that_belong_to_no_solution_at_all_are_mistakes() -> None:
    wrong = Bridge((2, 0), (2, 2)), Bridge((0, 0), (2, 0)), Bridge((0, 4), (2, 4))
    links = dict.fromkeys(wrong, 2)
    assert not has_solution(SHOWN, links)
    assert not may_remain(SHOWN, links)


def test_links_that_stand_are_part_of_the_solutions_that_are_looked_for() -> None:
    ring = parse("2.2\n...\n2.2")
    assert has_solution(ring)
    assert has_solution(ring, {Bridge((0, 0), (0, 2)): 1})
    assert not has_solution(ring, {Bridge((0, 0), (0, 2)): 2}), "two islands would be cut off"
    crossing = parse(".1.\n1.1\n.1.")
    assert not has_solution(crossing, dict.fromkeys(crossing.bridges, 1))


@pytest.mark.parametrize("word", ["", "0"])
def test_a_few_islands_beside_equal_ones_without_a_number_are_no_board(word: str) -> None:
    """Incident: of a board that counted down only three islands showed a number; the others were empty discs in line
    with them, to which no bridge led since these ended at what lay beside the discs."""
    image = sheet((4, 4))
    few = parse("1.\n21")

    def disc(cell: Cell, shown: str) -> None:
        cv2.circle(image, at(cell), 27, FILL, -1)
        cv2.circle(image, at(cell), 27, INK, 3)
        write(image, cell, shown)

    for cell, number in few.islands.items():
        disc(cell, str(number))
    assert GAME.read(image, LAYOUT).puzzle == few
    for cell in ((0, 2), (3, 0), (3, 2)):
        disc(cell, word)
    with pytest.raises(UnreadableError, match="show no number"):
        GAME.read(image, LAYOUT)


def test_islands_that_show_a_0_are_as_good_as_others() -> None:
    """Incident: of nine islands of a half-played board only six showed a number from 1 to 8, and these 1s and 2s, as
    counts on bridges are: it was no board, and was looked for in pictures twice and three times as large."""
    began = parse("1....\n.4..3\n2.1..\n.2...\n2.3.2")
    spans = [((1, 1), (1, 4), 2), ((1, 1), (3, 1), 2), ((2, 2), (4, 2), 1)]
    left = dict(began.islands)
    for first, second, links in spans:
        left[first] -= links
        left[second] -= links
    rest = Puzzle(tuple(tuple(left.get((r, c), 0) for c in range(5)) for r in range(5)))
    complete = [cell for cell, number in left.items() if not number]
    image = counting_down(rest, dict.fromkeys(complete, FILL), spans)
    for cell in complete:
        write(image, cell, "0")
    for cell in left:
        cv2.circle(image, at(cell), 27, INK, 3)
    assert len(complete) == 3
    assert islands._convincing(islands.find(image)[0][1])
    reading = GAME.read(image, LAYOUT)
    assert reading.puzzle == began
    assert reading.extra["counts_down"]


def test_of_a_few_islands_one_that_looks_like_a_0_is_as_good_as_none() -> None:
    """Incident: of a board of seven islands four were made out, and of these a 3 was taken for a 0."""
    image = sheet((3, 3))
    for cell, number in {(0, 1): 1, (1, 0): 2, (2, 1): 3, (2, 0): 0}.items():
        cv2.circle(image, at(cell), 27, FILL, -1)
        cv2.circle(image, at(cell), 27, INK, 3)
        write(image, cell, str(number))
    chart = next(chart for _, chart in islands.find(image) if len(chart.islands) == 4)
    assert sum(numbers.zeros(list(chart.islands.values()))) == 1
    assert not islands._convincing(chart)


@pytest.mark.parametrize(("bridge", "part", "broken"), [(1.0, 0.7, True), (1.0, 1.0, False), (0.6, 0.55, False)])
def test_a_line_that_is_interrupted_may_run_over_a_complete_island(bridge: float, part: float, broken: bool) -> None:
    """Incident: one of eight complete islands was overlooked upon a bridge, of which the two halves were a hint; with
    all others the board had one solution. Where all bridges are dashed that tells nothing."""
    pen = Line(1, 13.0, (60.0, 90.0, 160.0), bridge)
    bridges = [Bridge((0, 0), (0, 2)), Bridge((2, 0), (2, 4))]
    drawn = Drawn(
        bridges, [True, True], [pen, replace(pen, solid=part)], dict(zip(bridges, (2, 0), strict=True)), [pen]
    )
    assert remaining._is_broken(drawn) == broken


def test_a_broader_bridge_that_leads_to_no_known_island_is_a_double_one() -> None:
    """Incident: the only double bridges, which were drawn as one broad line, led to complete islands that were
    overlooked; with the others the board had a solution."""
    image = counting_down(parse("2..\n...\n2.2"), {}, [((0, 0), (2, 0), 1)])
    chart = GAME.read(counting_down(parse("2.2\n...\n2.2"), {}, []), LAYOUT).extra["chart"]
    islands_seen = {cell: one for cell, one in chart.islands.items() if cell != (0, 1)}
    seen = outline.view(image)
    for breadth, found in ((4, 1), (9, 1), (16, 0)):
        picture = image.copy()
        cv2.line(picture, (at((0, 0))[0] + 31, at((0, 0))[1]), (at((0, 2))[0], at((0, 0))[1]), (190, 120, 90), breadth)
        _, ends = remaining._standing(replace(seen, window=picture), replace(chart, islands=islands_seen))
        assert len(ends) == found
