"""The simulated imprecision of the pointer, and which cells a movement crosses."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoplayer.arcade.pointer import INSTANT, Action, Dropper, InstantFilter, Sampler
from autoplayer.arcade.stage import Stage, arrange, is_portrait

PRESS, MOVE, RELEASE = Action("press", (5, 5)), Action("move", (9, 5)), Action("release", (9, 5))


def test_a_sampled_pointer_misses_what_happens_between_two_frames() -> None:
    sampler = Sampler()
    assert sampler.sample((0, 0), False) == []
    assert sampler.sample((5, 5), False) == []  # pressed and released since: never seen
    assert sampler.sample((6, 5), True) == [Action("press", (6, 5))]
    assert sampler.sample((6, 5), True) == []
    assert sampler.sample((40, 5), True) == [Action("move", (40, 5))]
    assert sampler.sample((50, 5), False) == [Action("move", (50, 5)), Action("release", (50, 5))]


def test_an_instant_press_is_lost_with_its_moves() -> None:
    held = InstantFilter()
    assert held.feed(PRESS, 10.0) == []
    assert held.feed(MOVE, 10.02) == []
    assert held.feed(RELEASE, 10.05) == [Action("lost", (5, 5))]
    assert held.tick(11.0) == []
    assert held.deadline is None


def test_a_lasting_press_passes_late_and_in_order() -> None:
    held = InstantFilter()
    held.feed(PRESS, 10.0)
    held.feed(MOVE, 10.02)
    assert held.deadline == 10.0 + INSTANT
    assert held.tick(10.0 + INSTANT) == [PRESS, MOVE]
    assert held.feed(MOVE, 10.3) == [MOVE]
    assert held.feed(RELEASE, 10.4) == [RELEASE]


def test_a_long_press_passes_even_where_no_frame_came_between() -> None:
    held = InstantFilter()
    held.feed(PRESS, 10.0)
    assert held.feed(RELEASE, 10.2) == [PRESS, RELEASE]


def test_the_dropper_says_yes_to_every_nth() -> None:
    assert [Dropper(0)() for _ in range(3)] == [False] * 3
    dropper = Dropper(3)
    assert [dropper() for _ in range(7)] == [False, False, True, False, False, True, False]


def stage() -> Stage:
    return arrange((800, 600), 4, 5)


def test_a_fast_movement_crosses_every_cell_of_its_line() -> None:
    s = stage()
    a, b = s.cell((1, 0)).centre, s.cell((1, 4)).centre
    assert s.crossed(a, b) == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert s.crossed(b, a) == [(1, 3), (1, 2), (1, 1), (1, 0)]
    assert s.crossed(a, a) == []
    outside = (a[0] - s.pitch, a[1])
    assert s.crossed(outside, s.cell((1, 1)).centre) == [(1, 0), (1, 1)]
    assert s.crossed(s.cell((1, 1)).centre, outside) == [(1, 0), None]


points = st.tuples(st.integers(0, 799), st.integers(0, 599))


@given(points, points)
def test_crossed_ends_where_the_pointer_is_and_jumps_nowhere_but_through_corners(
    a: tuple[int, int], b: tuple[int, int]
) -> None:
    s = stage()
    places = [s.hit(a), *s.crossed(a, b)]
    assert places[-1] == s.hit(b)
    for one, two in pairwise(places):
        assert one != two
        if one and two:
            assert max(abs(one[0] - two[0]), abs(one[1] - two[1])) == 1


@pytest.mark.parametrize("size", [(800, 600), (1280, 900), (480, 800), (320, 240), (2000, 500)])
@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (9, 9), (15, 15), (1, 12)])
def test_board_number_and_buttons_do_not_overlap_and_stay_inside(
    size: tuple[int, int], rows: int, columns: int
) -> None:
    s = arrange(size, rows, columns)
    boxes = [s.board, s.number, s.name, *s.buttons.values()]
    for box in boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= size[0]
        assert box.y + box.height <= size[1]
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            apart = a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
            assert apart, (a, b)
    assert s.portrait == is_portrait(size)
    assert s.hit(s.cell((rows - 1, columns - 1)).centre) == (rows - 1, columns - 1)
    assert s.hit((0, 0)) is None
    assert s.button(s.buttons["reset"].centre) == "reset"
