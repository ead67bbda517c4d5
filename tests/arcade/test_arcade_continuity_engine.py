"""The rules of play of the bundled Continuity: how the figure moves, what tiles do, what ends a life and a level."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoplayer.arcade.continuity.engine import DYING, PATIENCE, SLIDE, WALK, Engine
from autoplayer.arcade.live import STEPS_A_SECOND, Event
from autoplayer.games.continuity.puzzle import Level, parse

HALL = """\
+--------+--------+
|........|________|
|........|________|
|...S....|________|
|########|________|
+--------+--------+
|........|........|
|........|........|
|.......K|.......D|
|########|########|
+--------+--------+"""

PIT = """\
physics fall=10
+------+------+
|......|______|
|S.....|______|
|###...|______|
+------+------+
|###...|.K....|
|###...|......|
|###...|D.....|
+------+------+"""

STAIRS = """\
+------+------+
|......|......|
|.S...#|#.....|
|######|######|
+------+------+
|______|D.....|
|______|######|
|______|######|
+------+------+"""


def level(text: str) -> Level:
    found = parse(text)
    assert isinstance(found, Level)
    return found


def engine(text: str, zoom: float = 0.3) -> Engine:
    """On the ground, as after the first moments of a level."""
    made = Engine(level(text), zoom)
    made.step()
    return made


def run(it: Engine, seconds: float, *held: str) -> list[Event]:
    return [event for _ in range(round(seconds * STEPS_A_SECOND)) for event in it.step(held)]


def names(events: list[Event]) -> list[str]:
    return [event.event for event in events]


def settle(it: Engine) -> list[Event]:
    found = []
    while not it.still:
        found += it.step()
    return found


def slide(it: Engine, *ways: str) -> list[Event]:
    """Change to the sliding view, move tiles, and change back."""
    found = it.press("space")
    for way in ways:
        found += it.press(way)
    found += it.press("space")
    return found + settle(it)


def test_it_walks_at_the_speed_of_the_level() -> None:
    it = engine(HALL)
    run(it, 0.5, "right")
    assert it.x == pytest.approx(3.5 + 2.5)
    run(it, 0.25, "left")
    assert it.x == pytest.approx(6.0 - 1.25)
    run(it, 0.5)
    assert it.x == pytest.approx(4.75)
    run(it, 0.5, "left", "right")
    assert it.x == pytest.approx(4.75)


@pytest.mark.parametrize("held", [0.02, 0.12, 2.0])
def test_a_jump_is_as_high_as_the_level_says_however_long_the_key_is_held(held: float) -> None:
    it = engine(
        HALL.replace("+--------+--------+\n|........|__", "physics jump=1.2\n+--------+--------+\n|........|__", 1)
    )
    heights, found = [], []
    for step in range(90):
        found += it.step({"up"} if step < held * STEPS_A_SECOND else ())
        heights.append(3.0 - it.y)
    assert max(heights) == pytest.approx(1.2, abs=0.02)
    assert names(found) == ["jumped", "landed"]
    aloft = 2 * (2 * 1.2 / it.physics.gravity) ** 0.5
    assert sum(height > 0 for height in heights) / STEPS_A_SECOND == pytest.approx(aloft, abs=0.04)


def test_it_jumps_from_the_ground_only_and_a_press_just_before_landing_counts() -> None:
    it = engine(HALL)
    assert names(run(it, 0.05, "up")) == ["jumped"]
    run(it, 0.2)
    assert names(run(it, 0.05, "up")) == []
    while not it.grounded:
        late = it.y > 2.7 and it.falling > 0
        found = it.step({"up"} if late else ())
        if late:
            break
    found = [event for _ in range(PATIENCE) for event in it.step({"up"})]
    assert names(found) == ["landed", "jumped"]


def test_it_stops_at_a_wall_and_at_a_side_that_does_not_match() -> None:
    it = engine(STAIRS)
    run(it, 2.0, "right")
    assert it.x == pytest.approx(5 - 0.3)
    run(it, 2.0, "left")
    assert (it.tile, it.x) == (0, pytest.approx(0.3))


def test_it_passes_where_the_sides_match_cell_for_cell_and_nowhere_else() -> None:
    it = engine(HALL)
    assert it.beyond(0, "bottom") is None  # all wall above, air below
    assert it.beyond(1, "right") == 2
    assert it.beyond(2, "left") == 1
    assert it.beyond(0, "right") is None  # no tile
    it = engine(STAIRS)
    assert it.beyond(0, "right") == 1
    run(it, 1.0, "right")
    assert it.tile == 0
    found = [event for _ in range(80) for event in it.step({"right", "up"})]
    assert names(found)[:3] == ["jumped", "entered", "landed"]
    assert it.tile == 1


def test_a_tile_slides_into_the_empty_place_with_the_figure_in_it() -> None:
    it = engine(HALL)
    found = slide(it, "right")
    assert names(found) == ["view", "slide", "view"]
    assert found[1].data == {
        "tile": "1", "to": "right", "from_cell": [0, 0], "cell": [0, 1], "board": [[0, 1], [2, 3]],
    }  # fmt: skip
    assert it.place(it.tile) == (0, 1)
    assert (it.x, it.y) == (3.5, 3.0)


def test_an_arrow_with_no_tile_to_move_is_reported_and_walking_keys_slide_nothing() -> None:
    it = engine(HALL)
    assert it.press("right") == []
    assert names(slide(it, "left", "down")) == ["view", "illegal", "illegal", "view"]
    assert it.numbers() == [[1, 0], [2, 3]]


def test_the_sliding_view_freezes_a_flight_with_its_speed() -> None:
    it, other = engine(HALL), engine(HALL)
    for each in (it, other):
        run(each, 0.2, "up", "right")
    at = it.x, it.y, it.falling
    slide(it, "right", "left")
    assert (it.x, it.y, it.falling) == at
    run(it, 0.3, "right")
    run(other, 0.3, "right")
    assert (it.x, it.y, it.falling) == (other.x, other.y, other.falling)


def test_views_and_slides_take_their_time_and_keys_wait_for_them() -> None:
    it = engine(HALL)
    it.press("space")
    assert (it.view, it.zoom) == (SLIDE, 0.0)
    it.press("right")
    assert it.sliding is None
    run(it, 0.15)
    assert 0.4 < it.zoom < 0.6
    run(it, 0.2)
    assert it.sliding is not None
    assert it.zoom == 1
    it.press("space")
    assert it.view == SLIDE
    settle(it)
    assert (it.view, it.zoom, it.sliding) == (WALK, 0.0, None)
    quick = engine(HALL, zoom=0.0)
    slide(quick, "right")
    assert quick.steps < 10


def test_it_falls_through_sides_that_match_and_out_of_the_board_where_none_does() -> None:
    it = engine(PIT)
    found = run(it, 0.7, "right") + run(it, 1.5)
    assert names(found) == ["entered", "died", "returned", "landed"]
    assert found[0].data["tile"] == "2"
    assert found[1].data["reason"] == "fell"
    assert (it.tile, it.x, it.y) == (0, 0.5, 2.0)
    assert it.deaths == 1


def test_a_death_takes_a_while_and_ends_at_the_last_ground_reached_in_a_tile() -> None:
    it = engine(
        PIT.replace(
            "|###...|.K....|\n|###...|......|\n|###...|D.....|", "|###...|.K....|\n|....^^|......|\n|#####.|D.....|"
        )
    )
    run(it, 0.35, "right")
    assert not it.dead
    while not it.dead:
        found = it.step({"right"})
    assert found[-1].data["reason"] == "spikes"
    assert names([event for _ in range(DYING) for event in it.step({"right"})]) == ["returned"]
    assert (it.tile, it.x, it.y) == (0, 0.5, 2.0)


def test_keys_are_taken_on_touch_and_the_door_opens_with_all() -> None:
    text = """\
    +--------+--------+
    |........|________|
    |.K.S.D..|________|
    |########|________|
    +--------+--------+
    |........|........|
    |........|........|
    |########|########|
    +--------+--------+"""
    it = engine(text)
    assert names(run(it, 0.5, "right")) == []
    assert (it.won, it.open) == (False, False)
    found = run(it, 1.0, "left")
    assert [event.data for event in found if event.event == "key"] == [{"key": "key1", "held": 1, "of": 1}]
    assert it.open
    run(it, 2.0, "right")
    assert it.won
    assert it.step({"left"}) == []
    assert it.press("space") == []


def test_who_stands_across_a_side_stands_before_it_when_the_next_tile_goes() -> None:
    it = engine(HALL.replace("...S....", "........").replace(".......K", "..K....S"))
    run(it, 0.06, "right")
    assert it.x > 7.7
    slide(it, "up")
    assert (it.tile, it.x) == (1, pytest.approx(7.7))


def test_nothing_is_so_fast_that_it_skips_a_wall() -> None:
    it = engine("physics walk=200 fall=5000 gravity=9000\n" + HALL)
    run(it, 1.0, "right")
    assert it.x == pytest.approx(7.7)
    assert it.y == 3.0


def test_the_head_may_look_out_of_a_tile_but_the_figure_does_not_leave_it() -> None:
    it = engine("physics jump=6\n" + HALL)
    tops = []
    for _ in range(90):
        it.step({"up"})
        tops.append(it.y)
    assert min(tops) == pytest.approx(0.45)
    assert it.tile == 0


def test_a_jump_leads_into_the_tile_above() -> None:
    text = """\
    physics jump=3.2
    +------+------+
    |......|______|
    |.....D|______|
    |###..#|______|
    +------+------+
    |###..#|......|
    |...S..|...K..|
    |######|######|
    +------+------+"""
    it = engine(text)
    found = [event for _ in range(60) for event in it.step({"up", "left"} if it.tile == 0 else {"up"})]
    assert names(found)[:2] == ["jumped", "entered"]
    assert it.tile == 0
    assert it.y == 2.0


@pytest.mark.parametrize(
    "physics", ["width=100", "height=100", "jump=1000 gravity=10000", "walk=1000", "gravity=0.1 fall=0.1", "slide=0"]
)
def test_any_physics_that_a_level_may_have_can_be_played(physics: str) -> None:
    it = engine(f"physics {physics}\n" + HALL)
    for held in ({"right"}, {"up", "left"}, {"up"}, set()):
        for _ in range(60):
            it.step(held)
        slide(it, "right")
    assert it.steps >= 240


ARROWS = ("left", "right", "up", "down")


@given(st.lists(st.tuples(st.sampled_from([*ARROWS, "space", ""]), st.integers(1, 30)), max_size=40))
@settings(max_examples=60, deadline=None)
def test_whatever_is_pressed_the_figure_is_never_in_a_wall(keys: list[tuple[str, int]]) -> None:
    it = engine(PIT, zoom=0.05)
    for key, steps in keys:
        if key == "space" or (key and it.view == SLIDE):
            it.press(key)
        held: Collection[str] = {key} if it.view == WALK else ()
        for _ in range(steps):
            it.step(held)
            block = it.level.blocks[it.tile]
            row, column = int(it.y - 0.45), int(it.x)
            assert 0 <= it.x <= it.width
            assert it.dead or not (row < len(block) and block[row][min(column, it.width - 1)] == "#")
            flat = sorted(number for line in it.numbers() for number in line)
            assert flat == [0, 1, 2, 3]
