"""Hashi: numbers that may say what remains, where no island is complete or only few are seen."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.hashi import GAME, reader
from autoplayer.games.hashi.puzzle import Bridge, Puzzle, parse
from autoplayer.games.hashi.seeing.between import remaining
from autoplayer.games.hashi.seeing.between.bridges import Drawn
from autoplayer.games.hashi.seeing.between.lines import Line
from autoplayer.games.hashi.seeing.between.remaining import may_remain
from autoplayer.games.hashi.seeing.places import islands, numbers, options, outline
from autoplayer.games.hashi.solver import has_solution
from tests.hashi.test_ends import BEGAN, FILL, INK, LAYOUT, LEFT, SPANS, at, counting_down, sheet, write

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


def test_several_islands_that_show_a_0_say_that_the_others_count_down() -> None:
    """Incident: no bridge was made out, so that nothing proved it, and the rules gave the 0s the only numbers with
    which the board had a solution."""
    image = counting_down(parse("1..\n21.\n.42\n251"), {(1, 2): FILL, (2, 0): FILL}, [])
    write(image, (1, 2), "0")
    write(image, (2, 0), "0")
    with pytest.raises(UnreadableError, match="2 islands show no number"):
        GAME.read(image, LAYOUT)


FRAMED = parse(".1.2.3\n....1.\n.3.2..\n......\n.2..2.\n1.2..3")


def framed(blank: Sequence[Cell], fill: tuple[int, int, int] = FILL) -> Image:
    """A board of discs with an outline, some of which show no number."""
    image = counting_down(FRAMED, dict.fromkeys(blank, fill), [])
    for cell in [*FRAMED.islands, *blank]:
        cv2.circle(image, at(cell), 27, INK, 3)
    return image


def test_islands_without_a_number_among_the_others_are_complete() -> None:
    """Incident: the bridges ran beside the discs that the numbers stood in, so that none seemed to lead to those that
    showed none; the others had a solution. A single one may be hidden by something."""
    blank = [(1, 0), (1, 5)]
    assert GAME.read(framed(blank[:1]), LAYOUT).puzzle == FRAMED
    with pytest.raises(UnreadableError, match="2 islands show no number"):
        GAME.read(framed(blank), LAYOUT)
    water = framed(blank, (255, 255, 255))
    assert GAME.read(water, LAYOUT).puzzle == FRAMED, "rings upon the water are no islands"


def test_where_most_places_look_like_islands_these_are_the_squares_of_a_grid() -> None:
    places = itertools.product(range(FRAMED.height), range(FRAMED.width))
    image = framed([cell for cell in places if cell not in FRAMED.islands])
    assert remaining.blank_among(*islands.find(image)[0]) == 0
    assert GAME.read(image, LAYOUT).puzzle == FRAMED


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


@pytest.mark.parametrize("size", [22.0, 30.0, 60.0])
def test_a_bridge_to_an_overlooked_island_is_seen_where_islands_are_larger_than_their_outline(size: float) -> None:
    """Incident: what scalloped discs had in common was half as large as they; the bridge from one to a tick began in
    the second third of the way on which it was looked for, and the rest had a solution."""
    image = counting_down(parse("22.1\n2..1\n...."), {}, [((0, 1), (0, 3), 1)])
    chart = islands.find(image)[0][1]
    known = {cell: one for cell, one in chart.islands.items() if cell != (0, 3)}
    _, ends = remaining._standing(outline.view(image), replace(chart, width=size, height=size, islands=known))
    assert ends == [((0, 1), (0, 1))]


def test_islands_that_show_several_signs_are_not_complete() -> None:
    """Incident: bridges ran through translucent islands up to their numbers, of which six of ten could not be read; as
    complete ones they would have belonged to a board with one solution, by their links."""
    chart = islands.find(counting_down(FRAMED, {}, []))[0][1]
    one, other, two = (chart.islands[cell] for cell in ((0, 1), (1, 4), (0, 3)))
    assert {one.candidates[0][0], other.candidates[0][0], two.candidates[0][0]} == {"1", "2"}
    assert remaining._signed_alike([])
    assert remaining._signed_alike([one, other, two])
    assert not remaining._signed_alike([one, two])


TOTALS = parse("3..1.\n.....\n6.3.2\n.....\n4.2.1")
MISTAKEN = [((2, 2), (2, 4), 1), ((2, 4), (4, 4), 1), ((2, 2), (4, 2), 1)]
"""One of these links is wrong; all would be part of a solution if the numbers said what remains."""


def mistaken(also: Sequence[Cell] = (), but: Sequence[Cell] = ()) -> Image:
    """The board with its wrong link, in which those islands are of another colour that have all their links, and
    ``also`` some others, ``but`` some not."""
    image = counting_down(TOTALS, {}, MISTAKEN)
    for cell in {(2, 4), (4, 4), *also}.difference(but):
        cv2.circle(image, at(cell), 27, (150, 220, 150), -1)
        write(image, cell, str(TOTALS.islands[cell]))
    return image


def test_a_colour_of_the_islands_that_have_all_their_links_says_that_numbers_are_totals() -> None:
    """Incident: a level that had been begun with mistakes was refused, for its numbers might have said what remains."""
    assert GAME.read(mistaken(), LAYOUT).puzzle == parse("3..1.\n.....\n6.3.2\n.....\n4.2.1")
    for image in (mistaken(also=[(0, 0)]), mistaken(but=[(2, 4)]), mistaken(but=[(2, 4), (4, 4)])):
        with pytest.raises(UnreadableError, match="may count down"):
            GAME.read(image, LAYOUT)


def test_colours_may_say_the_number_and_not_what_is_complete() -> None:
    chart = islands.find(counting_down(parse("1.2.3\n.....\n1.3.2"), {}, []))[0][1]
    links = {Bridge((0, 0), (0, 1)): 1, Bridge((1, 0), (1, 1)): 1}
    green, white, red = ((150.0, 220.0, 150.0), (255.0, 255.0, 255.0), (80.0, 80.0, 250.0))

    def marked(*colours: tuple[float, float, float]) -> bool:
        """In the order of reading."""
        each = {
            cell: replace(one, content=replace(one.content, ground=np.array(colour, np.float32)))
            for (cell, one), colour in zip(sorted(chart.islands.items()), colours, strict=True)
        }
        return remaining.marks_complete(replace(chart, islands=each), links)

    assert marked(green, white, white, green, white, white)
    assert not marked(green, white, red, green, red, white), "one colour for each number"
    assert not marked(green, white, white, white, white, white)
    assert not marked(green, white, green, green, white, white)


def test_another_chart_of_which_most_cannot_be_read_is_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: bridges showed through complete islands; of six that were made out three held a number, and the rules
    gave the others the only ones with which they had a solution."""
    view, first = islands.find(counting_down(parse("2.1\n...\n2.2"), {}, []))[0]
    _, other = islands.find(counting_down(FRAMED, {}, []))[0]
    monkeypatch.setattr(reader, "hidden", lambda *asked: (first, {}))
    monkeypatch.setattr(reader, "cut_off", lambda *asked: {})

    def chosen(illegible: int) -> bool:
        unknown = {cell: replace(other.islands[cell], candidates=(("", 1.0),)) for cell in sorted(other.islands)}
        some = other.islands | dict(list(unknown.items())[:illegible])
        found = [(view, first), (view, replace(other, islands=some))]
        monkeypatch.setattr(reader, "has_solution", lambda *asked: True)
        return len(reader._second_thought(found, options.may_hold(view, first))[1].islands) == len(other.islands)

    assert chosen(2)
    assert not chosen(5)


def test_islands_that_bridges_lead_to_must_be_legible_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: bridges of three islands led to three others, of which no number could be read; the rules found some
    with which all six had one solution."""
    connected = reader._connected

    def without_numbers(*asked: Any) -> Any:
        seen, chart, held, drawn = connected(*asked)  # type: ignore[misc]
        unknown = {cell: replace(one, candidates=(("", 1.0),)) for cell, one in list(chart.islands.items())[:5]}
        return seen, replace(chart, islands=chart.islands | unknown), held, drawn

    monkeypatch.setattr(reader, "_connected", without_numbers)
    with pytest.raises(UnreadableError, match="only 6 hold a number"):
        GAME.read(counting_down(FRAMED, {}, []), LAYOUT)


def tick(image: Image, cell: Cell) -> None:
    x, y = at(cell)
    cv2.polylines(image, [np.array([(x - 9, y), (x - 3, y + 8), (x + 9, y - 9)])], False, INK, 2, cv2.LINE_AA)


def test_counts_on_bridges_say_how_many_links_complete_islands_have() -> None:
    """Two links were drawn as one line with a 2 on it: as single ones they made another level, which had a solution."""
    complete = {(3, 0): FILL, (5, 0): FILL}
    image = counting_down(LEFT, complete, [(first, second, 1) for first, second, _ in SPANS])
    for (row, column), (to_row, to_column), links in SPANS:
        middle = (row + to_row) // 2, (column + to_column) // 2
        cv2.circle(image, at(middle), 13, (190, 120, 90), -1)
        x, y = at(middle)
        cv2.putText(image, str(links), (x - 6, y + 7), cv2.FONT_HERSHEY_DUPLEX, 0.6, (255, 255, 255), 1, cv2.LINE_AA)
    assert GAME.read(image, LAYOUT).puzzle == BEGAN


@pytest.mark.parametrize("rim", [INK, FILL])
def test_a_complete_island_between_the_rows_of_the_others_is_looked_for_though_no_bridge_is_known(
    rim: tuple[int, int, int],
) -> None:
    """The only bridge led to it, and the others, which stood farther apart, had a solution of their own. Where rims are
    paler than the numbers, a tick is like the others only around it."""
    image = counting_down(parse("..3.1\n.....\n1.4.1"), {(1, 0): FILL}, [((1, 0), (2, 0), 1)])
    for cell in ((0, 2), (0, 4), (1, 0), (2, 0), (2, 2), (2, 4)):
        cv2.circle(image, at(cell), 27, rim, 3)
    tick(image, (1, 0))
    reading = GAME.read(image, LAYOUT)
    assert reading.puzzle == parse("..3.1\n1....\n2.4.1")
    assert reading.extra["counts_down"]
