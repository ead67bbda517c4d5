"""Hashi's player: what is planned, how far a picture has come, and whole sessions in simulated windows."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.arcade.hashi.play import Islands
from autoplayer.arcade.play import LEFT, RIGHT, Spot
from autoplayer.core.frame import Box, Cell, Floats, Frame, Image, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Pace
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.hashi import GAME, player
from autoplayer.games.hashi.picture import pitch_of
from autoplayer.games.hashi.player import Stands
from autoplayer.games.hashi.playing import ways
from autoplayer.games.hashi.puzzle import Bridge, Link, Puzzle, Solution, check
from autoplayer.layout import Layout
from autoplayer.session import Session

UNKNOWN = Layout(game="hashi")


def known(controls: str) -> Layout:
    return Layout.model_validate({"game": "hashi", "controls": controls})


def solved(puzzle: Puzzle) -> Solution:
    found = GAME.solve(puzzle, time_limit=10).solution
    assert found is not None
    return found


PUZZLE = GAME.generate(7, 7, 0)
SOLUTION = solved(PUZZLE)
WANTED = dict.fromkeys(PUZZLE.bridges, 0) | {Bridge(a, b): n for a, b, n in SOLUTION}
UNWANTED = [
    bridge
    for k, bridge in enumerate(PUZZLE.bridges)
    if not WANTED[bridge] and not any(WANTED[PUZZLE.bridges[other]] for other in PUZZLE.crossings[k])
]
"""Bridges that a person may have put up beside all the right ones; a window refuses those that cross others."""

PLACES = {(r, c): Box(40 * c + 5, 40 * r + 5, 30, 30) for r, c in PUZZLE.islands}


def reading(puzzle: Puzzle = PUZZLE, places: Mapping[Cell, Box] = PLACES) -> Reading[Puzzle]:
    return Reading(puzzle, places, (), 1.0, np.zeros((1, 1, 3), np.uint8))


def standing(links: Mapping[Bridge, int], odd: tuple[Cell, ...] = ()) -> Progress:
    """The progress of a board on which ``links`` stand; bridges that are left out carry none."""
    state = Stands({**dict.fromkeys(PUZZLE.bridges, 0), **links}, odd=odd)
    done = sum(min(n, WANTED[bridge]) for bridge, n in state.links.items())
    wrong = sum(max(n - WANTED[bridge], 0) for bridge, n in state.links.items())
    return Progress(True, done, sum(WANTED.values()), wrong, state)


def moves(
    links: Mapping[Bridge, int] | None = None, layout: Layout = UNKNOWN, attempt: int = 0, odd: tuple[Cell, ...] = ()
) -> list[Move]:
    return player.plan(reading(), PUZZLE, SOLUTION, standing(links or {}, odd), layout, attempt)


def without(n: int) -> dict[Bridge, int]:
    """The solution without the last of its links, ``n`` of them."""
    links = dict(WANTED)
    for bridge in reversed(PUZZLE.bridges):
        gone = min(n, links[bridge])
        links[bridge] -= gone
        n -= gone
    return links


# --- plans


def test_unknown_controls_are_tried_with_one_wanted_link_at_a_time() -> None:
    tries: list[Move] = []
    while len(tries) < 50 and (found := moves(attempt=len(tries))):
        tries.append(found[0])
    assert {move.controls for move in tries} == set(ways.KINDS)
    kinds = [move.controls for move in tries]
    assert ("drag", "drag") not in set(itertools.pairwise(kinds)), "a second drag carries off what the first selected"
    assert kinds.index("click") < kinds.index("pair"), "the middle of an island may mean any of its sides"
    assert len({move.name for move in tries}) == len(tries), "each is a move of its own, repeated on its own account"
    for move in tries:
        assert len(move.cells) == 1
        buttons = {gesture.button for gesture in move.gestures if isinstance(gesture, Click | Drag)}
        assert buttons == {"left"}, "a right button makes marks and takes links away"


def test_known_controls_that_bring_nothing_are_doubted() -> None:
    tries: list[str | None] = []
    while len(tries) < 50 and (found := moves(layout=known("side"), attempt=len(tries))):
        tries.append(found[0].controls)
    assert tries[: ways.WAYS] == ["side"] * ways.WAYS
    assert set(tries[ways.WAYS : -1]) == {"drag", "pair", "click"}
    assert tries[-1] == "side", "with the right button"
    assert [moves(layout=known("drag"), attempt=attempt)[0].controls for attempt in range(3)] == [
        "drag",
        "drag",
        "side",
    ]


def test_the_right_button_comes_last_where_links_are_added() -> None:
    """Over many windows it opens a menu, and no more can be pressed then. Pairs have no use for it."""
    for kind in ways.KINDS:
        buttons = [
            {gesture.button for gesture in found[0].gestures if isinstance(gesture, Click | Drag)}
            for attempt in range(50)
            if (found := moves(layout=known(kind), attempt=attempt))
        ]
        right = ["right" in some for some in buttons]
        assert right == sorted(right)
        assert any(right) == (kind != "pair")


def test_a_click_on_an_island_is_tried_where_none_beside_it_may_be_selected() -> None:
    """Drags and clicks before it may have selected an island: pressing a neighbour would then join both."""
    tries = [moves(attempt=attempt)[0] for attempt in range(len(ways.TRIALS))]
    at = [move.controls for move in tries].index("click")
    (pressed,) = tries[at].gestures
    assert isinstance(pressed, Click)
    cell = next(cell for cell, box in PLACES.items() if box.contains(pressed.at))
    ends = [cell for move in tries[:at] for cell in PLACES if str(cell) in move.name.split(" by ")[0]]
    assert cell not in ends
    assert not any(WANTED.get(Bridge(*sorted((cell, end))), 0) for end in ends)


def test_nothing_is_left_to_do_on_a_finished_board() -> None:
    for layout in (UNKNOWN, known("drag")):
        assert moves(WANTED, layout) == []


def test_a_move_makes_more_links_the_more_stand() -> None:
    sizes = [len(moves(without(n), known("drag"))[0].cells) for n in (sum(WANTED.values()), 10, 2)]
    assert player.FIRST <= sizes[0] <= player.FIRST + 1
    assert 10 >= sizes[1] > sizes[0]
    assert sizes[2] == 2
    planned = [cell for move in moves(layout=known("drag")) for cell in move.cells]
    assert len(planned) == sum(WANTED.values()), "one cell a link, and every link is in the plan"


def test_wrong_links_go_first() -> None:
    wrong = UNWANTED[0]
    take, *add = moves({wrong: 2}, known("drag"))
    assert take.name == ways.TAKE
    assert {move.name for move in add} == {ways.ADD}
    assert len(take.gestures) == 1, "a third link takes both away"
    assert len(moves({wrong: 1}, known("drag"))[0].gestures) == 2
    once, right = (moves({wrong: 2}, known("side"), attempt)[0].gestures for attempt in (0, 1))
    assert [gesture.button for gesture in once if isinstance(gesture, Click)] == ["left"], "a third one, here too"
    assert [gesture.button for gesture in right if isinstance(gesture, Click)] == ["right"], "it may take both"


def test_the_link_that_is_tried_has_nothing_lying_across_it() -> None:
    crossing = next(k for k, bridge in enumerate(PUZZLE.bridges) if PUZZLE.crossings[k] and not WANTED[bridge])
    for attempt in range(len(ways.TRIALS)):
        move = moves({PUZZLE.bridges[crossing]: 1}, attempt=attempt)[0]
        tried = move.name.split(" by ")[0]
        assert not any(
            str(PUZZLE.bridges[k].a) + " and " + str(PUZZLE.bridges[k].b) in tried for k in PUZZLE.crossings[crossing]
        )


@pytest.mark.parametrize("distance", [1, 2, 5])
@pytest.mark.parametrize("radius", [0.3, 0.48, 0.6])
def test_a_click_beside_an_island_is_nearer_to_it_than_to_its_neighbour(distance: int, radius: float) -> None:
    """Also where the circles overlap."""
    pitch, side = 40, round(80 * radius)
    puzzle = Puzzle(((1, *(0,) * (distance - 1), 1),))
    places = {cell: Box(100 + cell[1] * pitch - side // 2, 100 - side // 2, side, side) for cell in puzzle.islands}
    (bridge,) = puzzle.bridges
    nothing = Progress(True, 0, 1, 0, Stands({bridge: 0}))
    for attempt in range(3):
        move = player.plan(reading(puzzle, places), puzzle, (Link(*bridge, 1),), nothing, known("side"), attempt)[0]
        (click,) = move.gestures
        assert isinstance(click, Click)
        x, y = click.at
        assert 0 < y - places[bridge.a].centre[1] < side / 6, "on the axis a window may know of no side"
        assert places[bridge.a].centre[0] < x < (places[bridge.a].centre[0] + places[bridge.b].centre[0]) / 2


def test_a_click_beside_an_island_falls_where_no_other_bridge_may_cross() -> None:
    """A window may take a cell of water that two bridges share for the other one's."""
    puzzle = Puzzle(((0, 1, 0, 0, 0), (1, 0, 0, 0, 1), (0, 1, 0, 0, 0)))
    places = {(r, c): Box(40 * c + 5, 40 * r + 5, 30, 30) for r, c in puzzle.islands}
    bridge = Bridge((1, 0), (1, 4))
    nothing = Progress(True, 0, 1, 0, Stands(dict.fromkeys(puzzle.bridges, 0)))
    move = player.plan(reading(puzzle, places), puzzle, (Link(*bridge, 1),), nothing, known("side"), 0)[0]
    (click,) = move.gestures
    assert isinstance(click, Click)
    assert 120 < click.at[0] < 165, "in the cell beside the other island"


def test_islands_that_look_touched_are_touched_first_but_not_for_ever() -> None:
    odd = (next(iter(PUZZLE.islands)),)
    names = [moves(without(3), known("drag"), attempt, odd)[0].name for attempt in range(7)]
    touch = player.TOUCH
    assert [name == touch for name in names] == [True, False, True, False, True, False, False]
    assert moves(without(3), known("drag"), 0, odd)[0].gestures == (Click(PLACES[odd[0]].centre),)
    assert moves(WANTED, known("drag"), 0, odd)[0].name == touch, "on a finished board as well"
    assert moves(without(3), known("side"), 0, odd)[0].name == ways.ADD, "where a click on an island means a link"
    trials = {moves(without(3), UNKNOWN, 0, (cell,))[0].name for cell in PUZZLE.islands}
    assert len(trials) == len(PUZZLE.islands), "what a trial has touched is no sign that another one is stuck"


# --- islands that look touched

GREY, WHITE, GREEN = (np.full(3, value, np.float32) for value in (213, 255, 120))


def look(usual: Floats, others: Mapping[Cell, Floats] | None = None) -> dict[Cell, Floats]:
    return {**dict.fromkeys(PUZZLE.islands, usual), **(others or {})}


def state_of(links: Mapping[Bridge, int]) -> dict[Cell, int]:
    has = dict.fromkeys(PUZZLE.islands, 0)
    for bridge, n in links.items():
        has[bridge.a] += n
        has[bridge.b] += n
    return {cell: (has[cell] > n) - (has[cell] < n) for cell, n in PUZZLE.islands.items()}


def odd(links: Mapping[Bridge, int], looks: Mapping[Cell, Floats]) -> tuple[Cell, ...]:
    return player._odd(PUZZLE, {**dict.fromkeys(PUZZLE.bridges, 0), **links}, looks)


def test_a_locked_island_looks_unlike_its_like() -> None:
    some = list(PUZZLE.islands)[2]
    assert odd({}, look(GREY)) == ()
    assert odd({}, look(GREY, {some: WHITE})) == (some,)
    assert odd(WANTED, look(GREY, {some: WHITE})) == (some,)


def test_what_all_islands_of_a_state_share_is_no_lock() -> None:
    links = without(6)
    done = {cell: GREEN for cell, state in state_of(links).items() if state == 0}
    assert 0 < len(done) < len(PUZZLE.islands)
    assert odd(links, look(GREY, done)) == ()
    one = dict(list(WANTED.items())[:3])
    first = {cell: GREEN for cell, state in state_of(one).items() if state == 0}
    assert odd(one, look(GREY, first)) == (), "the first islands that are done may be coloured"


def test_a_colour_for_each_number_is_no_lock() -> None:
    ones = {cell: GREEN for cell, n in PUZZLE.islands.items() if n == 2}
    assert len(ones) > 1
    assert odd({}, look(GREY, ones)) == ()


def test_a_dialog_over_a_finished_board_is_no_touch() -> None:
    """Incident: the islands that it covered were pressed, and with them its button "Cancel"."""
    window = Window(PUZZLE)
    first = GAME.read(window.image(), UNKNOWN)
    window.set(WANTED)
    last = window.image() // 5 * 3
    r, c = next(iter(PUZZLE.islands))
    x, y, far = (c + 1) * window.pitch, (r + 1) * window.pitch, round(0.45 * window.pitch)
    last[y - far : y + far, x - far : x + far] = 250
    seen = GAME.progress(first, PUZZLE, SOLUTION, last)
    assert seen.complete
    assert isinstance(seen.state, Stands)
    assert seen.state.odd == ()


def outlined(pressed: tuple[Cell, ...] = ()) -> Image:
    """A window of discs with thin outlines, of which those that were ``pressed`` are red."""
    image = np.full((420, 420, 3), 255, np.uint8)
    for cell, number in PUZZLE.islands.items():
        x, y = 60 + 50 * cell[1], 60 + 50 * cell[0]
        colour = (60, 76, 231) if cell in pressed else (19, 69, 139)
        cv2.circle(image, (x, y), 18, (180, 229, 255), -1, cv2.LINE_AA)
        cv2.circle(image, (x, y), 18, colour, 2, cv2.LINE_AA)
        cv2.putText(image, str(number), (x - 7, y + 7), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (80, 62, 44), 2, cv2.LINE_AA)
    return image


def test_an_outline_in_another_colour_is_a_touch_and_one_that_turns_back_is_none() -> None:
    """Incident: a window selected the island that was pressed, by its outline alone; and another one showed two islands
    in red from the beginning, which turned black."""
    one, other = list(PUZZLE.islands)[2], list(PUZZLE.islands)[-2]

    def touched(first: Image, then: Image) -> tuple[Cell, ...]:
        seen = GAME.read(first, UNKNOWN)
        assert seen.puzzle == PUZZLE
        state = GAME.progress(seen, PUZZLE, SOLUTION, then).state
        assert isinstance(state, Stands)
        return state.odd

    assert touched(outlined(), outlined()) == ()
    assert touched(outlined(), outlined((one,))) == (one,)
    assert touched(outlined((one, other)), outlined()) == ()


# --- simulated windows


@functools.lru_cache(128)
def drawn(puzzle: Puzzle, solution: Solution) -> Image:
    """The game's own picture: many tests come by the same boards. Not to be drawn upon."""
    return GAME.draw(puzzle, solution)


@dataclass
class Window:
    """A window of Hashi on a clock of its own, drawn as the game draws itself. It may have the habits of sgt-bridges:
    ``locks``: a click on an island locks it; ``lose_every``: so many-th drag loses its moves, and is a click. With the
    controls ``click`` an island is clicked on the side of the neighbour that is meant, and water means nothing."""

    puzzle: Puzzle
    controls: str = "drag"
    locks: bool = False
    lose_every: int = 0
    title: str = "Hashi that is not there"
    locked: set[Cell] = field(default_factory=set)
    gestures: list[Gesture] = field(default_factory=list)
    clock: float = 0.0

    def __post_init__(self) -> None:
        self.islands = Islands(self.puzzle, controls="side" if self.controls == "click" else self.controls)
        self.pitch = pitch_of(self.puzzle)
        self._drags = 0
        self._drawn: dict[Any, Image] = {}

    def set(self, links: Mapping[Bridge, int]) -> None:
        self.islands.links = [links.get(bridge, 0) for bridge in self.puzzle.bridges]

    def image(self) -> Image:
        state = tuple(self.islands.links), frozenset(self.locked)
        if state not in self._drawn:
            self._drawn = {state: self._draw()}
        return self._drawn[state]

    def _draw(self) -> Image:
        picture = drawn(self.puzzle, self.islands.solution).copy()
        # Every island is filled with white here, and a locked one with another colour.
        reach = round(0.3 * self.pitch)
        disc = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
        cv2.circle(disc, (reach, reach), reach, 255, -1)
        for r, c in self.puzzle.islands:
            x, y = (c + 1) * self.pitch - reach, (r + 1) * self.pitch - reach
            around = picture[y : y + len(disc), x : x + len(disc)]
            light = (disc > 0) & (around.min(axis=2) > 120)
            around[light] = (120, 220, 255) if (r, c) in self.locked else (255, 255, 255)
        return picture

    def _spot(self, at: Point, button: str = "left") -> tuple[Cell, Spot]:
        column, row = at[0] / self.pitch - 1, at[1] / self.pitch - 1
        cell = round(row), round(column)
        return cell, Spot(column - cell[1], row - cell[0], RIGHT if button == "right" else LEFT)

    def now(self) -> float:
        return self.clock

    def grab(self) -> Frame:
        return Frame(self.image(), (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        frame = self.grab()
        waits = unlike is not None and np.array_equal(frame.image, unlike.image)
        self.clock += limit if waits else quiet
        return frame

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            self.gestures.append(gesture)
            self.clock += pace.press + pace.step + pace.release
            if isinstance(gesture, Keys):
                self.press(gesture.keys)
                continue
            assert isinstance(gesture, Click | Drag)
            path = [gesture.at] if isinstance(gesture, Click) else list(gesture.path)
            if isinstance(gesture, Drag):
                self._drags += 1
                if self.lose_every and self._drags % self.lose_every == 0:
                    path = path[:1]
            if self.locks and gesture.button == "left" and self._locked(path):
                continue
            if self.controls == "click" and not self._on_island(path[0]):
                continue
            self.islands.press(*self._spot(path[0], gesture.button))
            for at in path[1:]:
                self.islands.move(self._spot(at)[0])
            self.islands.release()

    def press(self, keys: Sequence[str]) -> None:
        """No key means anything here."""

    def _locked(self, path: list[Point]) -> bool:
        """Whether a click locked an island or unlocked it, or a drag met a locked one."""
        ends = {self._spot(at)[0] for at in path}
        if len(path) == 1:
            self.locked ^= ends & set(self.puzzle.islands)
            return True
        return bool(ends & self.locked)

    def _on_island(self, at: Point) -> bool:
        cell, spot = self._spot(at)
        return cell in self.puzzle.islands and max(abs(spot.right), abs(spot.down)) < 0.3

    def park(self, at: Point) -> None: ...

    def close(self) -> None: ...


def session(window: Window, layout: Layout = UNKNOWN) -> tuple[str, str | None, Layout]:
    """Play one level; its status, its error, and the layout as it was learned."""
    running = Session(GAME, window, layout)
    (result,) = running.play(1)
    return result.status, result.error, running.layout


@dataclass
class StayingWindow(Window):
    """A click on an island selects it, one on a neighbour of the selected one adds a link and selects that one, one on
    itself lets go of it. A selected island has the colour of locked ones. A press of ``longest`` seconds or more is no
    click."""

    longest: float = 0.35

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            self.gestures.append(gesture)
            self.clock += pace.press + pace.step + pace.release
            if isinstance(gesture, Click) and gesture.button == "left" and pace.press < self.longest:
                self._click(self._spot(gesture.at)[0])

    def _click(self, cell: Cell) -> None:
        if cell not in self.puzzle.islands or cell in self.locked:
            self.locked.clear()
            return
        for selected in self.locked:
            bridge = Bridge(min(selected, cell), max(selected, cell))
            if bridge in self.puzzle.bridges:
                k = self.puzzle.bridges.index(bridge)
                links = self.islands.links[k]
                if not any(self.islands.links[other] for other in self.puzzle.crossings[k]):
                    self.islands.links[k] = (links + 1) % 3
        self.locked = {cell}


def test_an_island_that_stays_selected_after_a_pair_of_clicks_is_let_go_of() -> None:
    for layout in (UNKNOWN, known("pair")):
        window = StayingWindow(PUZZLE)
        status, error, learned = session(window, layout)
        assert (status, error, learned.controls) == ("played", None, "pair")
        assert check(PUZZLE, window.islands.solution) == []
        assert window.locked == set()


@dataclass
class ColouringWindow(StayingWindow):
    """A click on an island selects it, one on a neighbour of the selected one adds a link and lets go of it. The island
    on which the last link ended has a colour of its own, around its number, and a selected one has that of selected
    ones as well."""

    last: Cell | None = None

    def _click(self, cell: Cell) -> None:
        before = list(self.islands.links)
        again = cell in self.locked
        super()._click(cell)
        if before != self.islands.links:
            self.last = cell
        if again or before != self.islands.links:
            self.locked.clear()

    def _draw(self) -> Image:
        picture = super()._draw()
        if self.last is not None:
            x, y = (self.last[1] + 1) * self.pitch, (self.last[0] + 1) * self.pitch
            around = picture[y - self.pitch // 4 : y + self.pitch // 4, x - self.pitch // 4 : x + self.pitch // 4]
            around[around.min(axis=2) > 110] = (200, 150, 150) if self.last in self.locked else (200, 255, 200)
        return picture


def test_an_island_that_looks_as_if_it_had_stayed_selected_is_let_go_of_again() -> None:
    """Incident: a window coloured the last island, and every pair of clicks after that began with a wrong one."""
    for layout in (UNKNOWN, known("pair")):
        window = ColouringWindow(PUZZLE)
        status, error, learned = session(window, layout)
        assert (status, error, learned.controls) == ("played", None, "pair")
        assert check(PUZZLE, window.islands.solution) == []


@dataclass
class PressingWindow(Window):
    """A press adds a link to the bridge at which it is, wherever the button is let go; on an island to the longest one
    that may lead from it."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            self.clock += pace.press + pace.step + pace.release
            if isinstance(gesture, Keys) or gesture.button != "left":
                continue
            x, y = gesture.at if isinstance(gesture, Click) else gesture.path[0]
            column, row = x / self.pitch - 1, y / self.pitch - 1
            near = [k for k, bridge in enumerate(self.puzzle.bridges) if self._beside(bridge, row, column)]
            if near:
                k = max(near, key=lambda k: math.dist(*self.puzzle.bridges[k]))
                if not any(self.islands.links[other] for other in self.puzzle.crossings[k]):
                    self.islands.links[k] = (self.islands.links[k] + 1) % 3

    def _beside(self, bridge: Bridge, row: float, column: float) -> bool:
        (top, left), (bottom, right) = bridge
        near = min(max(row, top), bottom), min(max(column, left), right)
        return math.dist(near, (row, column)) < 0.3


def test_a_drag_that_came_to_the_right_link_by_chance_is_given_up() -> None:
    """Incident: a window took the press for a click on the bridge, and drags made the same one again and again."""
    window = PressingWindow(PUZZLE)
    status, error, learned = session(window)
    assert (status, error, learned.controls) == ("played", None, "side")
    assert check(PUZZLE, window.islands.solution) == []


@dataclass
class LateWindow(Window):
    """What is done there takes effect ``late`` seconds later, and every third gesture, with all after it, ``more``
    seconds later still: it is busy."""

    late: float = 1.0
    more: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        self._due: list[tuple[float, Gesture]] = []
        self._count = 0

    def grab(self) -> Frame:
        while self._due and self._due[0][0] <= self.clock:
            _, gesture = self._due.pop(0)
            super().perform([gesture], Pace(0, 0, 0))
        return super().grab()

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        end, since, frame = self.clock + limit, self.clock, self.grab()
        while self.clock < end:
            same = unlike is not None and np.array_equal(frame.image, unlike.image)
            if not same and self.clock >= since + quiet:
                break
            self.clock += 0.02
            after = self.grab()
            if not np.array_equal(after.image, frame.image):
                since = self.clock
            frame = after
        return frame

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            self.clock += pace.press + pace.step + pace.release
            self._count += 1
            busy = self.more if self._count % 3 == 0 else 0.0
            due = max(self.clock + self.late, self._due[-1][0] if self._due else 0.0) + busy
            self._due.append((due, gesture))


@pytest.mark.parametrize("late", [0.6, 1.0, 1.5])
def test_links_that_come_late_one_after_the_other_are_not_made_again(late: float) -> None:
    window = LateWindow(PUZZLE, late=late, more=late / 2)
    status, error, _ = session(window, known("drag"))
    assert (status, error) == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []
    assert len(window.gestures) == sum(WANTED.values())


@pytest.mark.parametrize("controls", ways.KINDS)
def test_the_controls_are_found_out_and_remembered(controls: str) -> None:
    window = Window(PUZZLE, controls)
    status, error, learned = session(window)
    assert (status, error) == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []
    assert learned.controls == controls
    assert learned.slowest_lost is None, "what the window does not understand says nothing about its pace"


@pytest.mark.parametrize("controls", ways.KINDS)
def test_a_half_done_board_with_wrong_links_is_put_right(controls: str) -> None:
    window = Window(PUZZLE, controls)
    window.set({**without(5), UNWANTED[0]: 2, UNWANTED[1]: 1})
    assert session(window)[:2] == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []


@pytest.mark.parametrize(("named", "true"), [("drag", "side"), ("side", "drag"), ("pair", "side"), ("pair", "drag")])
def test_a_layout_that_names_other_controls_is_put_right(named: str, true: str) -> None:
    window = Window(PUZZLE, true, locks=true == "drag")
    status, _, learned = session(window, known(named))
    assert status == "played"
    assert learned.controls == true
    assert learned.slowest_lost is None
    assert window.locked == set()


def test_locks_by_lost_drags_are_taken_off() -> None:
    window = Window(PUZZLE, locks=True, lose_every=4)
    assert session(window)[:2] == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []
    assert window.locked == set()


def test_islands_that_were_locked_before_are_unlocked_even_on_a_finished_board() -> None:
    some = list(PUZZLE.islands)[1]
    for links in ({}, without(4), WANTED):
        window = Window(PUZZLE, locks=True, locked={some})
        window.set(links)
        assert session(window)[:2] == ("played", None)
        assert check(PUZZLE, window.islands.solution) == []
        assert window.locked == set()


def test_a_window_that_hears_nothing_is_given_back_after_every_kind_was_tried() -> None:
    window = Window(PUZZLE, "keys")
    status, error, learned = session(window)
    assert status == "failed"
    assert error is not None
    assert "no move is left" in error
    assert error.endswith("tried in vain: drag, side, click, pair, keys")
    assert learned.controls == "unknown"
    assert len(window.gestures) < 40


def test_a_link_that_never_comes_is_named() -> None:
    """Its place is on a bridge that the window refuses; everything else is done."""
    window = Window(PUZZLE)
    stubborn = next(bridge for bridge, n in WANTED.items() if n == 1)
    index = PUZZLE.bridges.index(stubborn)
    put = window.islands._set
    window.islands._set = lambda k, links: [] if k == index else put(k, links)  # type: ignore[method-assign]
    status, error, _ = session(window)
    assert status == "failed"
    total = sum(WANTED.values())
    assert error is not None
    assert f"{total - 1} of {total} done" in error


def test_progress_counts_links_in_a_picture() -> None:
    seen = GAME.read(GAME.draw(PUZZLE, ()), UNKNOWN)
    total = sum(WANTED.values())
    for links, done, wrong in [
        ({}, 0, 0),
        (WANTED, total, 0),
        (without(3), total - 3, 0),
        ({**without(3), UNWANTED[0]: 1}, total - 3, 1),
    ]:
        drawn = tuple(Link(b.a, b.b, n) for b, n in links.items() if n)
        progress = GAME.progress(seen, PUZZLE, SOLUTION, GAME.draw(PUZZLE, drawn))
        assert (progress.present, progress.done, progress.wrong, progress.total) == (True, done, wrong, total)


def test_another_board_is_not_this_one() -> None:
    seen = GAME.read(GAME.draw(PUZZLE, ()), UNKNOWN)
    other = GAME.draw(GAME.generate(7, 7, 4), ())
    assert not GAME.progress(seen, PUZZLE, SOLUTION, other).present


# --- boards that look different once they are played


@pytest.mark.parametrize(
    "look", ["bridges run over the numbers", "finished islands are filled", "what is left is shown"]
)
def test_a_board_is_the_same_one_though_play_has_changed_its_islands(look: str) -> None:
    seen = GAME.read(_islands({}, look), UNKNOWN)
    assert seen.puzzle == PUZZLE
    for links in (without(8), WANTED):
        progress = GAME.progress(seen, PUZZLE, SOLUTION, _islands(links, look))
        assert (progress.present, progress.done, progress.wrong) == (True, sum(links.values()), 0)
    fresh = GAME.generate(7, 7, 4)
    assert not GAME.progress(seen, PUZZLE, SOLUTION, _islands({}, look, fresh)).present


def _islands(links: Mapping[Bridge, int], look: str, puzzle: Puzzle = PUZZLE) -> Image:
    """A window whose islands are rings that change as they are played."""
    pitch, radius = 60, 21
    picture = np.full((pitch * 8, pitch * 8, 3), (42, 30, 24), np.uint8)

    def at(cell: Cell) -> Point:
        return pitch * (cell[1] + 1), pitch * (cell[0] + 1)

    def lines() -> None:
        for bridge, n in links.items():
            (x1, y1), (x2, y2) = at(bridge.a), at(bridge.b)
            for aside in ((), (0,), (-5, 5))[n]:
                dx, dy = (0, aside) if y1 == y2 else (aside, 0)
                cv2.line(picture, (x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (240, 230, 220), 4)

    over = look == "bridges run over the numbers"
    if not over:
        lines()
    for cell, number in puzzle.islands.items():
        left = number - sum(n for bridge, n in links.items() if cell in bridge)
        filled = left == 0 and look == "finished islands are filled"
        cv2.circle(picture, at(cell), radius, (90, 200, 60) if filled else (70, 52, 40), -1, cv2.LINE_AA)
        cv2.circle(picture, at(cell), radius, (90, 200, 60) if filled else (200, 180, 60), 2, cv2.LINE_AA)
        text = str(left if look == "what is left is shown" else number)
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
        x, y = at(cell)
        ink = (30, 30, 30) if filled else (235, 235, 235)
        cv2.putText(
            picture, text, (x - width // 2, y + height // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.8, ink, 2, cv2.LINE_AA
        )
    if over:
        lines()
    return picture
