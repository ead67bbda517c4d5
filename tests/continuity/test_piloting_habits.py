"""Windows with other habits than the bundled one: figures drawn like walls, views of one size, jumps that are cut short
where the key is let go of, other keys, tiles that move the other way or are clicked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.continuity.engine import SLIDE, WAYS
from autoplayer.arcade.levels import load
from autoplayer.core.frame import Box, Image, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Pace
from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.piloting.executing import WHOLLY, Executor
from autoplayer.games.continuity.piloting.finding import found_moving, trimmed
from autoplayer.games.continuity.piloting.hands import SlidesBy
from autoplayer.games.continuity.piloting.legs import Entry, Fly
from autoplayer.games.continuity.piloting.level import rooms_of
from autoplayer.games.continuity.piloting.marks import marks_between, restless
from autoplayer.games.continuity.piloting.measuring import Measuring, free_ground
from autoplayer.games.continuity.piloting.pilot import Pilot, Size
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.seeing.sight import Sighting
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.near import find_tile
from autoplayer.games.continuity.seeing.tracking.sized import sized
from autoplayer.games.continuity.solver import Slide
from autoplayer.games.continuity.world import BOTTOM, LEFT, TOP
from autoplayer.layout import Layout
from tests.continuity.steered import CELL, Seeing, Steered, measured

LEVELS = load(find("continuity").levels, find("continuity").parse)
WALL, AIR, GROUND, FIGURE = (25, 20, 20), (255, 255, 255), (230, 235, 235), (25, 20, 20)

ROOMS = (
    ("##########", "##########", "__________"),
    ("#........#", "#........#", "__________"),
    ("#..##....#", "#.....#..#", "__________"),
    ("#........#", "#....##..#", "__________"),
    ("##########", "##########", "__________"),
)
"""Rows of two tiles and the empty place; one more row of tiles stands below them."""
LOWER = (
    ("##########", "##########", "##########"),
    ("#...##...#", "#........#", "##......##"),
    ("#........#", "#...#....#", "#...##...#"),
    ("#..#.....#", "#...#..#.#", "#........#"),
    ("##########", "##########", "##########"),
)
CELL_PIXELS, GAP = 28, 20


def board(figure: float, mark: bool = False) -> Image:
    """A window of six places whose figure is a box of the walls' colour, ``figure`` cells from its tile's left side."""
    picture = np.full((420, 960, 3), GROUND, np.uint8)
    for r, rows in enumerate((ROOMS, LOWER)):
        for c in range(3):
            left, top = 30 + c * (10 * CELL_PIXELS + GAP), 40 + r * (5 * CELL_PIXELS + GAP)
            for y, row in enumerate(rows):
                for x, character in enumerate(row[c]):
                    if character != "_":
                        cell = Box(left + x * CELL_PIXELS, top + y * CELL_PIXELS, CELL_PIXELS, CELL_PIXELS)
                        cell.crop(picture)[:] = WALL if character == "#" else AIR
    stand = 40 + 4 * CELL_PIXELS
    Box(30 + round(figure * CELL_PIXELS), stand - 24, 14, 24).crop(picture)[:] = FIGURE
    Box(30 + 300 + 2 * CELL_PIXELS, stand - 26, 18, 26).crop(picture)[:] = (60, 160, 60)
    Box(30 + 300 + 5 * CELL_PIXELS, stand - 3 * CELL_PIXELS + 16, 14, 10).crop(picture)[:] = (40, 40, 220)
    if mark:
        Box(920, 8, 10, 30).crop(picture)[:] = (220, 90, 60)
    return picture


def test_a_figure_that_looks_like_a_wall_is_found_by_its_walk() -> None:
    before, after = board(1.4), board(2.6)
    tiles = read_tiles(before)
    assert (tiles.rows, tiles.columns) == (2, 3)
    found = found_moving(tiles, before, after, 1)
    assert found is not None
    (figure,) = [thing for thing in found.things if thing.kind == "figure"]
    assert tiles.box(figure).x == pytest.approx(30 + 1.4 * CELL_PIXELS, abs=2)
    assert figure.height == pytest.approx(24, abs=2)
    assert not found.solid[figure.tile, round(figure.y) + 2, round(figure.x) + 4]
    assert sum(thing.kind == "door" for thing in found.things) <= 1


@pytest.mark.parametrize("cells", [0.04, 0.2, 0.4])
def test_a_figure_that_has_not_left_its_place_whole_is_not_found_yet(cells: float) -> None:
    before = board(1.4)
    assert found_moving(read_tiles(before), before, board(1.4 + cells), 1) is None


@pytest.mark.parametrize("way", [-1, 1])
def test_nothing_is_found_where_nothing_walks_that_way(way: int) -> None:
    before = board(1.4)
    tiles = read_tiles(before)
    flame = before.copy()
    Box(600, 300, 10, 24).crop(flame)[:] = (0, 120, 250)
    assert found_moving(tiles, before, before, way) is None
    assert found_moving(tiles, before, flame, way) is None


def test_what_does_not_move_with_a_figure_is_no_part_of_it() -> None:
    before, after = board(1.4), board(2.6)
    tiles = found_moving(read_tiles(before), before, after, 1)
    assert tiles is not None
    (figure,) = [thing for thing in tiles.things if thing.kind == "figure"]
    others = [thing for thing in tiles.things if thing is not figure]
    wide = figure._replace(x=figure.x - 3, width=figure.width + 40, y=figure.y - 4, height=figure.height + 4)
    found = trimmed(replace(tiles, things=(*others, wide)), before, board(4.5))
    assert found.things[-1][2:6] == pytest.approx(figure[2:6], abs=2)
    same = replace(tiles, things=(*others, figure))
    assert trimmed(same, before, after) is same


def test_what_moves_by_itself_is_no_mark_of_a_view() -> None:
    poses = [board(figure) for figure in (1.4, 1.5, 1.6, 1.5)]
    assert marks_between(poses[0], poses[1]) is not None
    idle = restless(poses)
    assert marks_between(poses[0], poses[2], idle) is None
    marks = marks_between(poses[0], board(1.6, mark=True), idle)
    assert marks is not None
    assert marks.columns.min() >= 920


def test_views_of_one_size_are_told_by_their_mark() -> None:
    walking, sliding = board(1.4), board(1.4, mark=True)
    marks = marks_between(walking, sliding)
    assert marks is not None
    assert [marks.view(board(x, mark)) for x in (2.0, 3.1) for mark in (False, True)] == ["walking", "sliding"] * 2
    seen = Sighting("sliding", 0, 1.0, 1.0, None, None)
    assert marks.told(seen, walking).view == "walking"
    assert marks.told(seen._replace(view="gone"), walking).view == "gone"
    assert marks.view(walking[:-1]) is None
    assert marks_between(walking, walking) is None


def test_the_size_of_a_tile_from_near_is_found_to_the_pixel() -> None:
    picture = np.full((93, 132, 3), AIR, np.uint8)
    for x, y, width, height in ((0, 0, 132, 10), (0, 80, 132, 13), (0, 0, 11, 93), (60, 40, 37, 12), (100, 60, 12, 25)):
        Box(x, y, width, height).crop(picture)[:] = WALL
    large = picture.repeat(4, axis=0).repeat(4, axis=1)
    window = np.full((500, 700, 3), GROUND, np.uint8)
    Box(90, 60, 528, 372).crop(window)[:] = large
    spot = find_tile(window, [picture])
    assert spot is not None
    for wrong in (-10, 0, 7):
        box = Box(spot.box.x, spot.box.y, 528 + wrong, round((528 + wrong) * 93 / 132))
        found = sized(window, picture, box)
        assert (found.x, found.y, found.width, found.height) == pytest.approx((90, 60, 528, 372), abs=1)


def test_ground_beside_a_pit_is_kept_away_from() -> None:
    mask = np.zeros((60, 100), np.bool_)
    mask[50:, 20:80] = True
    mask[:, 20:24] = True  # a wall at the left, a pit at the right
    low, high = free_ground(mask, np.zeros_like(mask), (50.0, 50.0), (10.0, 20.0))
    assert low == pytest.approx(29, abs=1)
    assert high < 75


class CutShort(Steered):
    """A window in which a jump goes on only as long as its key is held."""

    def _frame(self) -> None:
        super()._frame()
        engine = self.engine
        if engine.falling < 0 and self.jump_key not in self._held:
            engine.falling *= 0.5

    jump_key = "up"


class OtherKey(CutShort):
    """The same, with another key for jumps."""

    jump_key = "z"

    def hold(self, keys: Collection[str]) -> None:
        super().hold([key for key in keys if key != "up"])

    def _frame(self) -> None:
        renamed = self._held
        self._queue = [(at, "up" if key == "z" else key, down) for at, key, down in self._queue]
        Steered._frame(self)
        if self.engine.falling < 0 and "up" not in renamed:
            self.engine.falling *= 0.5


@pytest.mark.parametrize(("window", "key"), [(CutShort, "up"), (OtherKey, "z")])
def test_a_jump_that_its_key_cuts_short_is_measured_whole(window: type[CutShort], key: str) -> None:
    level = LEVELS[0].puzzle
    steered = window(level)
    eyes = Seeing(steered)
    tiles = eyes.board()
    watch = Watch(steered, eyes, Controls(), 0.0)
    wide, high = level.physics.width * CELL, level.physics.height * CELL
    found = Measuring(watch, tiles.solid, tiles.spikes, wide, high, ("up", "w", "z")).measure()
    assert watch.controls.up == key
    assert found.jump == pytest.approx(level.physics.jump * CELL, rel=0.12)


AGAINST = {"left": "right", "right": "left", "up": "down", "down": "up"}
ARROWS = {"a": "left", "d": "right", "w": "up", "s": "down"}


class Otherwise(Steered):
    """A window in which tiles move as ``by`` says."""

    by: SlidesBy = "empty"

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        found: list[Gesture] = []
        for gesture in gestures:
            if isinstance(gesture, Click):
                if self.by == "click":
                    self._to_empty(gesture.at)
            elif isinstance(gesture, Drag):
                if self.by == "drag" and _place(gesture.path[-1]) == self.engine.place(-1):
                    self._to_empty(gesture.path[0])
            elif isinstance(gesture, Keys) and self.engine.view == "slide" and gesture.keys != ("space",):
                keys = gesture.keys
                if self.by in ("wasd", "wasd-empty"):
                    keys = tuple(ARROWS.get(key, "f1") for key in keys)
                if self.by in ("empty", "wasd-empty"):
                    keys = tuple(AGAINST.get(key, key) for key in keys)
                if self.by not in ("click", "drag"):
                    found.append(Keys(keys))
            else:
                found.append(gesture)
        super().perform(found, pace)

    def _to_empty(self, at: Point) -> None:
        way = self._way(at)
        if way is not None:
            super().perform((Keys((way,)),), Pace(0.05, 0.02, 0.02))

    def _way(self, at: Point) -> str | None:
        """The way to the empty place from a place beside it."""
        (r, c), (er, ec) = _place(at), self.engine.place(-1)
        return {(0, 1): "right", (0, -1): "left", (1, 0): "down", (-1, 0): "up"}.get((er - r, ec - c))


class InOneView(Otherwise):
    """A window in which tiles are clicked while the figure walks, and no key shows another view."""

    by: SlidesBy = "click"

    def hold(self, keys: Collection[str]) -> None:
        super().hold(set(keys) - {"space"})

    def _to_empty(self, at: Point) -> None:
        way = self._way(at)
        if way is not None and self.engine.still:
            self._note([self.engine._slide(way)])
            self._pass(0.05)


def _place(at: Point) -> tuple[int, int]:
    """Row and column of a place of the board."""
    return at[1] // 100, at[0] // 100


class Placed(Seeing):
    """Eyes that say where tiles lie: a hundred pixels from one to the next."""

    def where(self, tile: int) -> Box | None:
        row, column = self.window.engine.place(tile)
        return Box(100 * column, 100 * row, 100, 100)


@pytest.mark.parametrize("by", ["empty", "click", "drag", "wasd", "wasd-empty"])
def test_how_tiles_are_moved_is_found_out(by: SlidesBy) -> None:
    level = LEVELS[4].puzzle
    window = Otherwise(level)
    window.by = by
    eyes = Placed(window)
    pilot = Executor(Watch(window, eyes, Controls(), 0.02), Reach(rooms_of(eyes.board(), measured(level))))
    pilot.play()
    assert window.engine.won
    assert pilot.slides_by == by


@pytest.mark.parametrize("number", [5, 10])
def test_a_level_is_won_in_a_window_with_one_view(number: int) -> None:
    level = LEVELS[number - 1].puzzle
    window = InOneView(level)
    eyes = Placed(window)
    rooms = rooms_of(eyes.board(), measured(level))
    pilot = Executor(Watch(window, eyes, Controls(), 0.02), Reach(rooms), one_view=True)
    pilot.play()
    assert window.engine.won
    assert any(event == "slide" for event, _ in window.log)
    assert not any(event == "view" for event, _ in window.log)


class Hidden(Otherwise):
    """A window in which Enter makes the arrows move tiles, and nothing is seen of that."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            keys = gesture.keys if isinstance(gesture, Keys) else ()
            if keys == ("enter",):
                super().perform([Keys(("space",))], pace)
            elif keys != ("space",):
                super().perform([gesture], pace)

    def _sighting(self) -> Sighting:
        seen = super()._sighting()
        return seen._replace(view="walking") if seen.view == "sliding" else seen


@pytest.mark.parametrize("by", ["tile", "wasd-empty"])
def test_a_key_is_found_that_changes_nothing_but_what_the_arrows_mean(by: SlidesBy) -> None:
    level = LEVELS[4].puzzle
    window = Hidden(level)
    window.by = by
    eyes = Placed(window)
    rooms = rooms_of(eyes.board(), measured(level))
    pilot = Executor(Watch(window, eyes, Controls(view="tab"), 0.02), Reach(rooms), one_view=True)
    pilot.play()
    assert window.engine.won
    assert pilot.slides_by == f"{by} behind enter"


PIT = """+------------+------------+
|############|____________|
|#..........#|____________|
|#..........#|____________|
|#S.....^..D#|____________|
|############|____________|
+------------+------------+
|############|############|
|#..........#|#..........#|
|#..........#|#..........#|
|#..........#|#..........#|
|############|############|
+------------+------------+
"""


def test_a_death_is_counted_where_the_figure_stands_far_off_for_as_long_as_a_walk_there() -> None:
    away = 6
    pilot_level = parse(PIT.strip())
    assert isinstance(pilot_level, Level)
    window = Steered(pilot_level)
    eyes = Seeing(window)
    watch = Watch(window, eyes, Controls(), 0.02)
    pilot = Executor(watch, Reach(rooms_of(eyes.board(), measured(pilot_level))))
    assert pilot.settle() is not None
    window.engine.x = 7.5 - away
    window.engine._safe = (window.engine.tile, 7.5 - away, 4.0)
    watch.samples.clear()
    assert pilot.settle() is not None
    watch.hold("right")
    while not window.deaths:
        watch.look(0.01)
    watch.hold()
    until = window.now() + 3.0
    while window.now() < until:
        watch.look(0.01)
    assert (window.deaths, watch.losses) == (1, 1)


class Gliding(Steered):
    """A window on whose floors the figure glides on for a while after its key was let go of."""

    speed, glides = 0.0, 0.85

    def _frame(self) -> None:
        before = self.engine.x
        super()._frame()
        if self._held & {"left", "right"}:
            self.speed = self.engine.x - before
        else:
            self.speed *= self.glides
            self.engine.x += self.speed


FLOOR = PIT.replace("^", ".").strip()


@pytest.mark.parametrize("glides", [0.7, 0.85])
def test_a_figure_that_glides_is_stopped_where_it_should_stand_with_few_presses(glides: float) -> None:
    level = parse(FLOOR)
    assert isinstance(level, Level)
    window = Gliding(level)
    window.glides = glides
    eyes = Seeing(window)
    watch = Watch(window, eyes, Controls(), 0.02)
    pilot = Executor(watch, Reach(rooms_of(eyes.board(), measured(level))))
    assert pilot.settle() is not None
    places = [7.0, 3.0, 6.0, 2.5, 4.0, 7.5, 3.5, 4.5, 6.5, 2.0]
    for place in places:
        assert pilot._go((0,), place * CELL, 0.1 * CELL, 4 * CELL)
        assert abs(window.engine.x - place) <= 0.3
    assert window.presses <= 4 * len(places)


class Lost(Seeing):
    """Eyes that see no figure any more after ``until``."""

    until = 0.3

    def see(self, image: Image) -> Sighting:
        seen = super().see(image)
        if self.window.clock < self.until:
            return seen
        self.held.append((self.window.clock, set(self.window.down)))
        return seen._replace(tile=None)

    def __init__(self, window: Steered) -> None:
        super().__init__(window)
        self.held: list[tuple[float, set[str]]] = []


def test_no_key_is_held_for_a_figure_that_was_lost_in_its_flight() -> None:
    level = parse(FLOOR)
    assert isinstance(level, Level)
    window = Steered(level)
    eyes = Lost(window)
    watch = Watch(window, eyes, Controls(), 0.02)
    pilot = Executor(watch, Reach(rooms_of(eyes.board(), measured(level))))
    assert pilot.settle() is not None
    eyes.until = window.clock + 0.2
    window.hold({"right", "up"})
    watch.hold("right", "up")
    watch.launched(True)
    leg = Fly(0, 4 * CELL, None, True, 1.0, "land", 0, (), frozenset(), 0.0, 4 * CELL, 6.0 * CELL, 8.0 * CELL)
    pilot._steer(leg, flying=True, begun=1.0)
    assert eyes.held[0][1]
    assert not any(held for at, held in eyes.held if at > eyes.until + 0.4)
    assert eyes.held[-1][0] > eyes.until + 0.8


def hands(level: Level, window: Steered) -> Executor:
    """What plays a level in a window whose physics are known."""
    eyes = Seeing(window)
    watch = Watch(window, eyes, Controls(), 0.02)
    return Executor(watch, Reach(rooms_of(eyes.board(), measured(level))))


SIDES = """+----------+----------+
|##########|##########|
|#.........|.........#|
|#.........|.........#|
|#.S.......|......D..#|
|##########|##########|
+----------+----------+
|__________|##########|
|__________|#........#|
|__________|#........#|
|__________|#........#|
|__________|##########|
+----------+----------+
"""


class Refusing(Steered):
    """A window that moves no tile while the figure stands over a side."""

    refused = 0

    def _frame(self) -> None:
        engine, half = self.engine, self.level.physics.width / 2
        if engine.view == SLIDE and not half <= engine.x <= self.level.size[1] - half:
            moves = [each for each in self._queue if each[0] <= self.clock and each[1] in WAYS]
            self.refused += len(moves)
            self._queue = [each for each in self._queue if each not in moves]
        super()._frame()


@pytest.mark.parametrize("over", [0.1, -0.2])
def test_a_figure_that_stands_over_a_side_comes_away_from_it_before_tiles_are_moved(over: float) -> None:
    """Where a window waits for the figure to be in one tile, no tile was moved until the level was given up."""
    level = parse(SIDES.strip())
    assert isinstance(level, Level)
    window = Refusing(level)
    tile, x = (1, -over) if over < 0 else (0, 10 - over)
    window.engine.tile, window.engine.x, window.engine.y = tile, x, 4.0
    pilot = hands(level, window)
    assert pilot.slide((Slide(0, BOTTOM), Slide(1, LEFT)))
    assert window.refused == 0
    assert window.engine.numbers() == [[2, 0], [1, 3]]


class Narrow(Steered):
    """A window in which the figure must stand before the middle of the door."""

    def _frame(self) -> None:
        super()._frame()
        _, _, column = next(self.level.found("D"))
        if self.engine.won and abs(self.engine.x - column - 0.5) > 0.2:
            self.engine.won, self.won_at = False, None


def test_a_figure_at_the_rim_of_the_door_goes_on_into_it() -> None:
    """Walks ended as soon as the door was touched, that to its middle as well: the level was given up there."""
    level = parse(FLOOR)
    assert isinstance(level, Level)
    window = Narrow(level)
    hands(level, window).play()
    assert window.engine.won


BROAD = """+----------------+----------------+
|################|________________|
|#..............#|________________|
|#..............#|________________|
|#.S..........D.#|________________|
|#####.....######|________________|
|#####.....######|________________|
|#####.....######|________________|
|################|________________|
+----------------+----------------+
"""


class Fleet(Steered):
    """A window whose figure runs while Shift is held."""

    def _frame(self) -> None:
        usual = self.level.physics
        self.engine.physics = replace(usual, walk=usual.walk * (1.7 if "shift" in self._held else 1.0))
        super()._frame()


def test_a_key_is_found_that_makes_the_figure_run_where_no_walk_leads_on() -> None:
    level = parse(BROAD.strip())
    assert isinstance(level, Level)
    window = Fleet(level)
    eyes = Seeing(window)
    found, tiles = measured(level, 0.02), eyes.board()
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    pilot._found = found, Controls(), Size(level.physics.height * CELL, 16 * CELL)
    walking = pilot._executor(tiles, Watch(window, eyes, Controls(), 0.02), found)
    assert not walking.hopeful()
    running = pilot._running(walking)
    assert running is not None
    running.play()
    assert window.engine.won
    pilot._kept(running)
    assert pilot.layout.continuity is not None
    assert pilot.layout.continuity.run == "shift"
    assert pilot.layout.continuity.walk == pytest.approx(1.7 * level.physics.walk / level.physics.height, rel=0.05)


HOLE = """+----------+----------+
|##########|__________|
|#........#|__________|
|#S.......#|__________|
|####..####|__________|
+----------+----------+
|####..####|##########|
|#........#|#........#|
|#.D......#|#........#|
|##########|##########|
+----------+----------+
"""


@pytest.mark.parametrize("deep", [False, True])
def test_a_figure_is_frozen_all_inside_a_tile_where_it_would_hang_in_a_wall_else(deep: bool) -> None:
    """Where its head was still in the tile above, and that was moved away, it stuck there, again and again."""
    level = parse(HOLE.strip())
    assert isinstance(level, Level)
    window = Steered(level)
    pilot = hands(level, window)
    pilot.deep = deep
    entry = Entry(1, TOP, 4.6 * CELL, 5.0 * CELL)
    leg = Fly(0, 3 * CELL, 3.2 * CELL, False, 0.3, "enter", 1, (entry,), frozenset(), 0.0)
    assert pilot.fly(leg)
    assert window.engine.tile == 1
    assert (window.engine.y > level.physics.height) == deep


def test_what_came_to_nothing_is_left_out_when_a_level_is_begun_anew() -> None:
    """The same flight was frozen where nothing went on in each of three attempts."""
    level = parse(HOLE.strip())
    assert isinstance(level, Level)
    pilot = hands(level, Steered(level))
    grounds = pilot.legs.ground_of
    link = next(each for each in pilot.reach.links if grounds(each[0]) != grounds(each[1]))
    pilot._failed[link] = WHOLLY
    again = Executor(pilot.watch, pilot.reach, failed=pilot.failed())
    assert link in again._wholly()
    assert link not in hands(level, Steered(level))._wholly()
