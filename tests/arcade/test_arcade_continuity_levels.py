"""The bundled levels of Continuity: each has a plan, and the plan's key presses win it in the window's engine."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.continuity.engine import SLIDE, WALK, Engine
from autoplayer.arcade.levels import load
from autoplayer.arcade.live import STEP, STEPS_A_SECOND
from autoplayer.arcade.log import Log
from autoplayer.arcade.match import FLASH
from autoplayer.arcade.options import read
from autoplayer.games.continuity import solver
from autoplayer.games.continuity.puzzle import Level
from autoplayer.games.continuity.world import BLANK, DIRECTIONS, Crossing, Link

CLOSE = 0.55
"""Steps of the walk from the middle of a spot: nobody comes nearer for certain."""
PATIENCE = 300
"""Steps that walking to the middle of a spot, or landing, may take."""

LEVELS = load(find("continuity").levels, find("continuity").parse)


class Hand:
    """Follows a plan with keys only. On the ground it goes to the middle of the spots that the plan names, because a
    plan counts from there; in the air it presses what the plan says, and looks at nothing but which tile the figure is
    in and which keys it has."""

    def __init__(self, level: Level, engine: Any = None) -> None:
        self.engine, self.world = engine or Engine(level), level.world
        self.left: list[Collection[str]] = []
        """What is to be held in the next steps of a flight."""

    def follow(self, plan: solver.Plan) -> None:
        for doing in plan.doings:
            if self.engine.won:
                return
            if isinstance(doing, solver.Slide):
                self.turn(SLIDE)
                self.engine.press(DIRECTIONS[doing.side])
                self.settle()
            else:
                self.go(doing)
        self.turn(WALK)
        for _ in range(STEPS_A_SECOND):
            self.engine.step()

    def settle(self) -> None:
        while not self.engine.still:
            self.engine.step()

    def turn(self, view: str) -> None:
        if self.engine.view != view:
            self.engine.press("space")
        self.settle()

    def go(self, way: Link | Crossing) -> None:
        (tile, name), (_, to) = self.world.places[way.a], self.world.places[way.b]
        engine = self.engine
        if way.presses:
            assert engine.tile == tile, f"in tile {engine.tile + 1}, but {name} of tile {tile + 1} was meant"
            self.turn(WALK)
            self.stand(name)
            self.left = [each.keys for each in way.presses for _ in range(round(each.seconds * STEPS_A_SECOND))]
        taken = len(engine.taken)
        if self.left:
            self.turn(WALK)
        while self.left and engine.tile == tile and not (" in flight " in to and len(engine.taken) > taken):
            engine.step(self.left.pop(0))
        if isinstance(way, Crossing):
            self.turn(WALK)
            for _ in range(PATIENCE):
                if engine.tile != tile or engine.won:
                    break
                engine.step({DIRECTIONS[way.side]} if way.side < 2 else ())
            self.left = []
        elif not self.left:
            self.stand(to)

    def stand(self, place: str) -> None:
        """Go to the middle of a spot on the ground that the figure stands on, or is about to; nothing elsewhere."""
        engine, spot = self.engine, re.fullmatch(r"r(\d+)c(\d+)", place)
        if spot is None or engine.won:
            return
        row, x = int(spot[1]), int(spot[2]) - 0.5
        close = CLOSE * engine.physics.walk * STEP
        for _ in range(PATIENCE):
            if engine.won or (engine.grounded and abs(engine.x - x) < close):
                break
            engine.step(() if not engine.grounded else {"left"} if engine.x > x else {"right"})
        assert engine.won or (round(engine.y), engine.x) == (row, pytest.approx(x, abs=close))


@pytest.mark.parametrize("number", range(1, len(LEVELS) + 1))
def test_a_level_has_a_plan_and_its_presses_win_it(number: int) -> None:
    level = LEVELS[number - 1].puzzle
    plan = solver.plan(level.world, 120.0)
    assert plan.status == "solved"
    assert plan.cost <= 1.1 * plan.bound
    hand = Hand(level)
    hand.follow(plan)
    assert hand.engine.won
    assert hand.engine.deaths == 0


class Keys:
    """The engine of an open window, moved by the window's own key events, a frame a step."""

    def __init__(self, window: Any) -> None:
        self._window, self._held = window, set[str]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._window._play.engine, name)

    def _event(self, kind: str, key: str) -> None:
        import pygame

        code = getattr(pygame, f"K_{key.upper()}")
        pygame.event.post(pygame.event.Event(getattr(pygame, kind), key=code))

    def step(self, held: Collection[str] = ()) -> None:
        for key in self._held - set(held):
            self._event("KEYUP", key)
        for key in set(held) - self._held:
            self._event("KEYDOWN", key)
        self._held = set(held)
        self._window.turn(0.0, STEP)

    def press(self, key: str) -> None:
        self.step()
        self._event("KEYDOWN", key)
        self._event("KEYUP", key)
        self._window.turn(0.0, STEP)


def test_levels_are_won_in_a_row_in_the_window_by_its_log(no_screen: None, tmp_path: Path) -> None:
    """Some of the levels; that each can be won is tested without a window."""
    from autoplayer.arcade.live_window import LiveWindow

    log, game = tmp_path / "log.jsonl", find("continuity")
    argv = ["--size", "400x300", "--look", "outlines", "--theme", "alternate", "--close-after-last", "--log", str(log)]
    levels = LEVELS[::8]
    window = LiveWindow(game, levels, read(game, argv), Log(log))
    for level in levels:
        hand = Hand(level.puzzle, Keys(window))
        hand.follow(solver.plan(level.puzzle.world, 120.0))
        hand.engine.step()
        window.turn(FLASH + 1.0, STEP)
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [event["name"] for event in events if event["event"] == "won"] == [level.name for level in levels]
    assert not [event for event in events if event["event"] == "died"]
    assert events[-1]["event"] == "finished"


@pytest.mark.parametrize("number", range(1, len(LEVELS) + 1, 4))
def test_every_jump_and_step_down_that_plans_count_on_ends_where_they_say(number: int) -> None:
    level = LEVELS[number - 1].puzzle
    flown = 0
    for link in level.world.links:
        (tile, place), (_, to) = level.world.places[link.a], level.world.places[link.b]
        start, end = re.fullmatch(r"r(\d+)c(\d+)", place), re.fullmatch(r"r(\d+)c(\d+)", to)
        falls = any(not press.keys or "up" in press.keys for press in link.presses)
        if start is None or end is None or link.risk > 0 or not falls:
            continue
        engine = Engine(level)
        engine.tile, engine.x, engine.y, engine.grounded = tile, int(start[2]) - 0.5, float(start[1]), True
        for press in link.presses:
            for _ in range(round(press.seconds * STEPS_A_SECOND)):
                engine.step(press.keys)
        engine.step()
        assert engine.won or (engine.tile, round(engine.y), engine.grounded) == (tile, int(end[1]), True), (place, to)
        assert engine.won or abs(engine.x - int(end[2]) + 0.5) <= 0.9, (place, to)
        flown += 1
    assert flown > 20


def test_the_levels_grow_from_four_places_to_nine() -> None:
    places = [len(level.puzzle.board.cells) for level in LEVELS]
    assert len(LEVELS) >= 24
    assert places == sorted(places)
    assert (places[0], places[-1]) == (4, 9)
    assert {len(level.puzzle.world.keys) for level in LEVELS} == {1, 2, 3}


def won(level: Level, *, in_the_air: bool = True, after: tuple[int, int] | None = None) -> bool:
    """Whether a level can be won at all, every arrangement and place tried: with slides while the figure is in the air
    or without, and, with ``after=(a, b)``, never taking key b before key a."""
    world = level.world
    board, allowed = world.board, world.all_keys
    assert board is not None
    start = (board.cells, world.start, world.keys_at.get(world.start, 0))
    seen, waiting = {start}, deque([start])
    while waiting:
        cells, place, keys = waiting.popleft()
        tile, name = world.places[place]
        if keys == allowed and place in world.finish:
            return True
        at, blank = cells.index(tile), cells.index(BLANK)
        after_this = [(cells, link.b) for link in world.links_from.get(place, ())]
        for crossing in world.crossings_from.get(place, ()):
            cell = board.beside[at][crossing.side]
            if cell >= 0 and cells[cell] == world.places[crossing.b][0]:
                after_this.append((cells, crossing.b))
        if in_the_air or re.fullmatch(r"r\d+c\d+|start", name):
            for cell in board.beside[blank]:
                if cell >= 0:
                    moved = list(cells)
                    moved[blank], moved[cell] = moved[cell], BLANK
                    after_this.append((tuple(moved), place))
        for new, to in after_this:
            held = keys | world.keys_at.get(to, 0)
            state = new, to, held
            early = after is not None and held >> after[1] & 1 and not held >> after[0] & 1
            if not early and state not in seen:
                seen.add(state)
                waiting.append(state)
    return False


def named(name: str) -> Level:
    found: Level = next(level.puzzle for level in LEVELS if level.name == name)
    return found


@pytest.mark.parametrize("name", ["Before you land", "Through the shaft", "Halfway down", "Catch me"])
def test_some_levels_need_a_slide_while_the_figure_is_in_the_air(name: str) -> None:
    assert won(named(name))
    assert not won(named(name), in_the_air=False)


@pytest.mark.parametrize(
    ("name", "order"), [("Stairs and a niche", (1, 0)), ("First one, then the other", (1, 0)), ("Corridors", (0, 2))]
)
def test_some_levels_force_an_order_of_the_keys(name: str, order: tuple[int, int]) -> None:
    assert won(named(name), after=order)
    assert not won(named(name), after=(order[1], order[0]))
