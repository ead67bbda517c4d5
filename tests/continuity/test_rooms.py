"""What a figure reaches in rooms: walks, jumps, falls, sides; and that a link's presses do what it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autoplayer.games.continuity import solver
from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.flights import LANDED
from autoplayer.games.continuity.generator import generate
from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.simulation import Flights, Rooms, Simulation, Start, Thing, throws
from autoplayer.games.continuity.world import BLANK, BOTTOM, LEFT, RIGHT, Board, World
from bench.solving.continuity.flown import OneByOne

SOLID = Physics()


def world_of(*tiles: str, physics: Physics = SOLID) -> World:
    """The world of tiles that are drawn with rows, one below the other; an empty place comes after the last."""
    blocks = [tuple(tile.split()) for tile in tiles]
    level = Level((*((block,) for block in blocks), (None,)), physics)
    return level.world


def reached(world: World, start: int) -> set[str]:
    """The names of the places in the start's tile that links lead to."""
    found, stack = {start}, [start]
    while stack:
        for link in world.links_from.get(stack.pop(), ()):
            if link.b not in found:
                found.add(link.b)
                stack.append(link.b)
    return {world.places[place][1] for place in found}


def place(world: World, name: str, tile: str = "1") -> int:
    number = world.named(tile, name)
    assert number is not None, name
    return number


FLAT = "######## #......# #......# #S....D# ########"


def test_a_walk_is_as_long_as_it_looks() -> None:
    world = world_of(FLAT)
    assert world.places[world.start] == (0, "r4c2")
    made = solver.plan(replace(world, board=None), 10)
    # From column 2 the door in column 7 is touched from column 6 or 7 on; a cell takes a fifth of a second.
    assert made.cost in (4 * world.links_from[world.start][0].cost, 5 * world.links_from[world.start][0].cost)


@pytest.mark.parametrize(
    ("high", "jump", "can"),
    [(1, 1.6, True), (2, 1.6, False), (2, 2.2, True), (3, 2.2, False), (3, 3.2, True), (1, 0.5, False)],
)
def test_a_step_is_climbed_when_the_jump_is_high_enough(high: int, jump: float, can: bool) -> None:
    rows = ["..........", "..........", "..........", "..........", ".S......D.", "##########"]
    for row in range(5 - high, 5):
        rows[row] = rows[row][:4] + "###" + rows[row][7:]
    world = world_of(" ".join(rows), physics=replace(SOLID, jump=jump))
    names = reached(world, world.start)
    assert (f"r{5 - high}c6" in names) == can
    assert ("r5c8" in names) == can


@pytest.mark.parametrize(
    ("gap", "walk", "can"), [(2, 5.0, True), (3, 5.0, True), (5, 5.0, False), (5, 9.0, True), (1, 1.0, False)]
)
def test_a_pit_is_jumped_when_the_figure_is_fast_enough(gap: int, walk: float, can: bool) -> None:
    """A jump of 1.6 takes 0.65 s; the figure's box may hang over both edges by half its width."""
    ground = "###" + "." * gap + "###"
    empty = "." * len(ground)
    start = ".S." + "." * gap + ".D."
    world = world_of(f"{empty} {empty} {start} {ground}", physics=replace(SOLID, walk=walk))
    names = reached(world, world.start)
    assert (f"r3c{gap + 4}" in names) == can


def test_what_is_fallen_down_is_not_climbed_again() -> None:
    world = world_of(".......... .S........ ####...... .......... .......... ........D. ##########")
    assert "r6c8" in reached(world, world.start)
    assert "r2c2" not in reached(world, place(world, "r6c8"))


def test_under_a_low_ceiling_nobody_jumps_far() -> None:
    pit = ["###...######"] * 3
    high = world_of(" ".join(["............", "............", ".S.......D..", *pit]))
    low = world_of(" ".join(["............", "############", ".S.......D..", *pit]))
    assert "r3c7" in reached(high, high.start)
    assert "r3c7" not in reached(low, low.start)


def test_spikes_are_no_ground_and_no_way() -> None:
    rows = ["..........", "..........", "..........", ".S.^^^^.D.", "##########"]
    names = reached(world_of(" ".join(rows)), world_of(" ".join(rows)).start)
    assert not names & {"r4c4", "r4c5", "r4c6", "r4c7"}
    wide = [".............", ".............", ".............", ".S.^^^^^^^.D.", "#############"]
    world = world_of(" ".join(wide))
    assert "r4c11" not in reached(world, world.start)


def test_sides_match_by_their_profile() -> None:
    """Openings of equal height match; one a cell higher does not; a side that is all wall matches nothing."""
    left = "######## #....... #....... #S.....D ########"
    equal = "######## .......# .......# .......# ########"
    higher = "######## .......# .......# #######.# ########".replace("#######.#", "########")
    world = world_of(left, equal, higher)
    ways = {(world.places[way.a][0], world.places[way.b][0], way.side) for way in world.crossings}
    assert {(0, 1, RIGHT), (1, 0, LEFT)} <= ways
    assert not any(2 in way[:2] for way in ways)


def test_who_falls_out_of_the_bottom_comes_in_at_the_top() -> None:
    upper = "######## #......# #S.....# ####..##"
    lower = "####..## #......# #.....D# ########"
    world = world_of(upper, lower)
    down = [way for way in world.crossings if way.side == BOTTOM]
    assert down
    entry = world.places[down[0].b]
    assert entry[0] == 1
    assert "r3c7" in reached(world, down[0].b)
    assert not any(world.places[way.a][0] == 1 for way in world.crossings), "the way back is too high"
    assert solver.plan(replace(world, board=Board(3, 1, (0, 1, BLANK))), 10).status == "solved"


def test_a_key_in_the_air_is_taken_by_a_jump() -> None:
    world = world_of("........ ........ ...K.... .S.....D ########", physics=replace(SOLID, jump=1.6))
    assert solver.plan(world, 10).status == "solved"
    lame = world_of("........ ........ ...K.... .S.....D ########", physics=replace(SOLID, jump=0.1))
    assert solver.plan(lame, 10).status == "no-solution"


def test_a_start_in_the_air_falls_first() -> None:
    world = world_of(".S...... ........ ........ ......D. ########")
    assert world.places[world.start] == (0, "start")
    assert solver.plan(world, 10).status == "solved"


def test_physics_leave_margins_at_edges() -> None:
    """A link that a hand only just makes is riskier, and dearer, than one of the same length that it cannot miss."""
    world = world_of("............ ............ ............ .S........D. #####..##### ############")
    jumps = [link for link in world.links if any("up" in press.keys for press in link.presses)]
    assert jumps
    assert {0.0} < {link.risk for link in jumps}
    assert all(0 <= link.risk <= 1 for link in jumps)


def test_presses_take_as_long_as_the_link_says() -> None:
    """Walks: exactly. Flights: the presses last as long as the flight, and the cost has the pauses and the risk too."""
    world = world_of("######## #......# #...#..# #S..#.D# ########")
    for link in world.links:
        if any("in flight" in world.places[end][1] for end in link[:2]):
            continue  # the first link of a flight in parts has the presses of all
        seconds = sum(press.seconds for press in link.presses)
        assert Physics.cost(seconds) <= link.cost + 1


def test_the_same_holds_where_a_cell_is_a_pixel() -> None:
    """A mask of pixels, ten for a cell: spots are a figure's width apart, and the pit and the step are the same."""
    rows = ["............", "............", "............", "............", ".....#......", "####.##..###"]
    cells = np.array([[mark == "#" for mark in row] for row in rows])
    solid = cells.repeat(10, axis=0).repeat(10, axis=1)[None]
    physics = replace(SOLID, walk=50.0, jump=16.0, gravity=300.0, fall=140.0, width=6.0, height=9.0)
    door = Thing(0, 105.0, 42.0, 6.0, 8.0)
    rooms = Rooms(solid, np.zeros_like(solid), Start(0, 15.0, 50.0), (), door, Board(1, 2, (0, BLANK)), physics, 10.0)
    up = physics.jump_speed
    begun = throws([(0, 0, 15.0, 50.0, up, 0), (0, 0, 35.0, 50.0, up, 1)])
    (ends,) = Simulation(rooms).fly(begun, Flights(np.array([0, 1]), np.array([0.0, 0.5])))
    assert ends.how.tolist() == [LANDED, LANDED]
    assert ends.y.tolist() == [50.0, 40.0]
    assert 2 * physics.jump_speed / physics.gravity == pytest.approx(ends.seconds[0], abs=0.05)


def test_a_jump_comes_as_high_as_its_physics_say() -> None:
    """Just under a ceiling that is out of reach, and not under one that is not."""
    for jump, lands in ((1.5, 0.653), (2.5, 0.816)):
        world_physics = replace(SOLID, jump=jump)
        solid = np.zeros((1, 8, 5), np.bool_)
        solid[0, 7] = True
        rooms = Rooms(
            solid,
            np.zeros_like(solid),
            Start(0, 2.5, 7.0),
            (),
            Thing(0, 0.0, 0.0, 1.0, 1.0),
            Board(1, 2, (0, BLANK)),
            world_physics,
        )
        begun = throws([(0, 0, 2.5, 7.0, world_physics.jump_speed, 0)])
        (ends,) = Simulation(rooms).fly(begun, Flights(np.array([0]), np.array([0.0])))
        expected = 2 * np.sqrt(2 * jump / world_physics.gravity)
        assert ends.seconds[0] == pytest.approx(expected, abs=0.04)
        assert lands == pytest.approx(expected, abs=0.03)


def test_a_level_with_other_physics_has_other_plans() -> None:
    text = """+----------+----------+
|..........|__________|
|..........|__________|
|.S....#.D.|__________|
|##########|__________|
+----------+----------+"""
    assert solver.plan(parse(text).world, 10).status == "solved"
    assert solver.plan(parse("physics jump=0.3\n" + text).world, 10).status == "no-solution"


THORNY = """physics walk=7.3 jump=2.7 gravity=41 fall=17 width=1.3 height=1.7
+------------+------------+
|............|____________|
|.....D......|____________|
|....####...^|____________|
|.S........##|____________|
|####.....###|____________|
|######.K####|____________|
+------------+------------+
|############|............|
|............|............|
|.......##...|..^.........|
|.K......#..#|.###...##.^.|
|###..^..####|####...#####|
|######.#####|######.#####|
+------------+------------+"""


@pytest.mark.parametrize(
    ("level", "cell"),
    [(generate(2, 2, 3), 0), (parse(THORNY), 0), (parse(THORNY), 7)],
    ids=["generated", "spikes and odd physics", "pixels with spikes"],
)
def test_places_and_links_are_those_of_flights_one_by_one(level: Level, cell: int) -> None:
    """Shared beginnings, walls that are looked up, and few flights that other hands try come to the same as each flight
    by itself."""
    rooms = level.rooms
    if cell:
        p = level.physics
        lengths = {n: getattr(p, n) * cell for n in ("walk", "jump", "gravity", "fall", "width", "height")}
        larger = [mask.repeat(cell, axis=1).repeat(cell, axis=2) for mask in (rooms.solid, rooms.spikes)]
        things = [Thing(t.tile, *(cell * v for v in t[1:])) for t in (*rooms.keys, rooms.door)]
        start = rooms.start._replace(x=rooms.start.x * cell, y=rooms.start.y * cell)
        physics = replace(p, **lengths)
        rooms = Rooms(
            *larger, start, tuple(things[:-1]), things[-1], rooms.board, physics, physics.width, careful=True, slack=1
        )
    ours, plain = Reach(rooms).world(), Reach(rooms, OneByOne).world()
    assert ours.links
    assert (ours.places, ours.keys, ours.finish) == (plain.places, plain.keys, plain.finish)
    assert set(ours.links) == set(plain.links)
    assert set(ours.crossings) == set(plain.crossings)
