"""Hashi: bridges that lead to islands which show no number, or look otherwise than the others do."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle, parse
from autoplayer.games.hashi.seeing.between import remaining
from autoplayer.games.hashi.seeing.between.bridges import Drawn
from autoplayer.games.hashi.seeing.places import hidden, islands, others
from autoplayer.games.hashi.seeing.places.outline import Outline, View, presence
from autoplayer.games.hashi.solver import has_solution
from autoplayer.layout import Layout
from autoplayer.settle import settle

LAYOUT = Layout(game="hashi")
WATER, INK, FILL = (255, 255, 255), (110, 60, 40), (245, 232, 225)
PITCH = 76
Span = tuple[Cell, Cell, int]


def sheet(shape: tuple[int, int]) -> Image:
    return np.full((PITCH * (shape[0] + 1), PITCH * (shape[1] + 1), 3), WATER, np.uint8)


def at(cell: Cell) -> tuple[int, int]:
    return PITCH * (cell[1] + 1), PITCH * (cell[0] + 1)


def span(image: Image, first: Cell, second: Cell, links: int) -> None:
    for off in (0,) if links == 1 else (-8, 8):
        (x1, y1), (x2, y2) = at(first), at(second)
        dx, dy = (off, 0) if x1 == x2 else (0, off)
        cv2.line(image, (x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (190, 120, 90), 4)


def write(image: Image, cell: Cell, word: str) -> None:
    (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, 1, 2)
    place = at(cell)[0] - width // 2, at(cell)[1] + height // 2
    cv2.putText(image, word, place, cv2.FONT_HERSHEY_DUPLEX, 1, INK, 2, cv2.LINE_AA)


def test_a_bridge_from_a_plain_number_to_a_tick_tells_that_an_island_is_overlooked() -> None:
    """Incident: numbers alone, of which the complete ones were ticks; no bridge led from number to number, so none was
    known, and what was left had a solution."""
    puzzle = parse("1.2.1.\n...2.4\n2.3...\n......\n..5..5\n......\n..2..1")
    image = sheet((7, 6))
    for tick, numbers in {(4, 0): ((2, 0), (4, 2)), (6, 0): ((6, 2),)}.items():
        for number in numbers:
            span(image, tick, number, 2)
        cv2.rectangle(image, (at(tick)[0] - 32, at(tick)[1] - 32), (at(tick)[0] + 32, at(tick)[1] + 32), WATER, -1)
        x, y = at(tick)
        cv2.polylines(image, [np.array([(x - 9, y), (x - 3, y + 8), (x + 9, y - 9)])], False, INK, 2, cv2.LINE_AA)
    for cell, number in puzzle.islands.items():
        cv2.rectangle(image, (at(cell)[0] - 32, at(cell)[1] - 32), (at(cell)[0] + 32, at(cell)[1] + 32), WATER, -1)
        write(image, cell, str(number))
    with pytest.raises(UnreadableError, match="to where no other one is seen"):
        GAME.read(image, LAYOUT)


LEFT = parse("1.4..4\n....1.\n......\n..4.5.\n.....4\n..3.4.\n.2...4")
"""What the islands of a board that counts down show; two more are complete."""
BEGAN = parse("1.4..4\n....1.\n......\n2.5.5.\n.....4\n4.6.4.\n.2...4")


def counting_down(left: Puzzle, complete: dict[Cell, tuple[int, int, int]], spans: list[Span]) -> Image:
    """A board of discs with a rim of their own colour. ``complete``: the fill of those that show no number."""
    image = sheet((left.height, left.width))
    for each in spans:
        span(image, *each)
    for cell in [*left.islands, *complete]:
        cv2.circle(image, at(cell), 27, complete.get(cell, FILL), -1)
        cv2.circle(image, at(cell), 27, FILL, 4)
    for cell, number in left.islands.items():
        write(image, cell, str(number))
    return image


SPANS = [((3, 0), (5, 0), 2), ((5, 0), (5, 2), 2), ((3, 2), (5, 2), 1)]


def test_complete_islands_that_are_pale_are_found_at_the_ends_of_bridges() -> None:
    """Incident: they show no number and hardly a colour, and a double bridge led to them where only a single one stood
    between known islands; the rest had a solution."""
    pale = (252, 248, 246)
    settled = settle(GAME, GAME.read(counting_down(LEFT, {(3, 0): pale, (5, 0): pale}, SPANS), LAYOUT))
    assert settled.certain
    assert settled.puzzle == BEGAN


def test_a_blank_island_to_which_a_bridge_leads_is_never_given_a_number() -> None:
    """What the board would be that counts down has no solution: so it is not told what stands there."""
    pale = (252, 248, 246)
    wrong = parse(GAME.format(LEFT).replace("3.4.", "5.4."))
    with pytest.raises(UnreadableError, match="no number"):
        GAME.read(counting_down(wrong, {(3, 0): pale, (5, 0): pale}, SPANS), LAYOUT)


def test_a_complete_island_upon_the_way_of_a_bridge_is_not_taken_for_a_piece_of_it() -> None:
    """Incident: two bridges that meet in an island of another colour, with nothing in it, were a single one that runs
    through; the rest had a solution."""
    puzzle = parse("2....2\n.3..4.\n......\n1...2.\n.3...3")
    image = sheet((5, 6))
    span(image, (0, 0), (0, 5), 1)
    for cell in [*puzzle.islands, (0, 3)]:
        (x, y), fill = at(cell), (150, 176, 140) if cell == (0, 3) else (92, 120, 60)
        cv2.rectangle(image, (x - 28, y - 28), (x + 28, y + 28), fill, -1)
        cv2.rectangle(image, (x - 28, y - 28), (x + 28, y + 28), (92, 120, 60), 2)
        if cell in puzzle.islands:
            write(image, cell, str(puzzle.islands[cell]))
    assert has_solution(puzzle)
    with pytest.raises(UnreadableError, match="no number"):
        GAME.read(image, LAYOUT)


def test_where_islands_were_hardly_seen_the_board_that_counts_down_must_have_one_solution() -> None:
    """Incident: of eight complete islands three stayed overlooked, and the rest had some solutions."""
    nothing = Drawn((), (), (), {}, ())
    several = parse("3.3\n...\n3.3")
    assert remaining._is_part(nothing, several, only=False)
    assert not remaining._is_part(nothing, several, only=True)
    assert remaining._is_part(nothing, parse("1.1"), only=True)


def test_a_place_that_shows_the_water_is_no_island_for_the_edges_of_a_bridge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: half of the islands' outline was met upon a bridge that led to a tick; the rest had a solution."""
    image = counting_down(parse("2..2.\n.....\n2.2..\n.2..2"), {}, [((0, 0), (2, 0), 1)])
    view, chart = islands.find(image)[0]
    known = replace(chart, islands={cell: one for cell, one in chart.islands.items() if cell != (0, 0)})
    upon = np.array(at((1, 0)))

    def half(seen: View, outline: Outline, places: Floats) -> Floats:
        like = presence(seen, outline, places)
        like[np.abs(places - upon).max(axis=1) < 3] = 0.6
        return like

    monkeypatch.setattr(others, "presence", half)
    _, found = hidden.led_to(view, known, [((2, 0), (-1, 0))], {})
    assert list(found) == [(0, 0)]
