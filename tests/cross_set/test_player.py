"""Cross Set's player: what is planned, how far a picture has come, and whole sessions in simulated windows."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import LayoutError, UsageError
from autoplayer.core.frame import Box, Cell, Frame, Image, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Pace, Wheel
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.cross_set import GAME, player
from autoplayer.games.cross_set.picture import pitch_of
from autoplayer.games.cross_set.playing import moves as how
from autoplayer.games.cross_set.playing.tour import tour
from autoplayer.games.cross_set.playing.turning import State
from autoplayer.games.cross_set.puzzle import Puzzle, Solution, check, parse
from autoplayer.layout import KeyTable, Layout, load, save
from autoplayer.screen.guard import ChangedError
from autoplayer.session import Session
from bench.reading import cross_set as strange
from bench.reading.strange import stream

UNKNOWN = Layout(game="cross-set")


def known(controls: str) -> Layout:
    return Layout.model_validate({"game": "cross-set", "controls": controls})


def solved(puzzle: Puzzle) -> Solution:
    found = GAME.solve(puzzle, time_limit=10).solution
    assert found is not None
    return found


PUZZLE = parse("134 31 421 41\n4231 1342 312 34\n4312 43 12 312\n3 1 4132 4231")
SOLUTION = solved(PUZZLE)
WANTED = {(r, c): cell.index(SOLUTION[r][c]) for r, row in enumerate(PUZZLE.rows) for c, cell in enumerate(row)}
"""Clicks for every cell."""

NEAR = (0, 2)
"""A cell with three candidates that is one click from its number."""

PLACES = {(r, c): Box(40 * c + 5, 40 * r + 5, 30, 30) for r in range(4) for c in range(4)}
AT = {box.centre: cell for cell, box in PLACES.items()}
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def turned(clicks: Mapping[Cell, int], puzzle: Puzzle = PUZZLE) -> Puzzle:
    """The board after so many clicks on some cells."""

    def around(cell: Cell, order: tuple[int, ...]) -> tuple[int, ...]:
        k = clicks.get(cell, 0) % len(order)
        return order[k:] + order[:k]

    return Puzzle(tuple(tuple(around((r, c), cell) for c, cell in enumerate(row)) for r, row in enumerate(puzzle.rows)))


def standing(clicks: Mapping[Cell, int], locked: Sequence[Cell] = (), cursor: Cell | None = None) -> Progress:
    """The progress of a board after some clicks, as :func:`player.progress` counts it."""
    state = State(True, turned(clicks).rows, frozenset(locked), cursor)
    left = {(r, c): cell.index(SOLUTION[r][c]) for r, row in enumerate(state.rows) for c, cell in enumerate(row)}
    done = sum(n - left[cell] for cell, n in WANTED.items() if left[cell] <= n)
    wrong = sum(max(left[cell] - n, 0) for cell, n in WANTED.items())
    return Progress(True, done, sum(WANTED.values()), wrong, state)


def moves(progress: Progress, layout: Layout = UNKNOWN, attempt: int = 0) -> list[Move]:
    reading = Reading(PUZZLE, PLACES, (), 1.0, np.zeros((1, 1, 3), np.uint8))
    return player.plan(reading, PUZZLE, SOLUTION, progress, layout, attempt)


def clicked(move: Move) -> Counter[Cell]:
    return Counter(AT[each.at] for each in move.gestures if isinstance(each, Click) and each.button == "left")


def pressed(move: Move) -> list[str]:
    return [key for each in move.gestures if isinstance(each, Keys) for key in each.keys]


def all_but(n: int) -> dict[Cell, int]:
    """The clicks that the solution wants without the last ``n``."""
    clicks = dict(WANTED)
    for cell in reversed(list(clicks)):
        gone = min(n, clicks[cell])
        clicks[cell] -= gone
        n -= gone
    return clicks


# --- plans


def test_a_single_cell_that_is_nearly_right_is_tried_while_the_controls_are_unknown() -> None:
    tries: list[Move] = []
    while len(tries) < 50 and (found := moves(standing({}, cursor=(0, 0)), attempt=len(tries))):
        tries.append(found[0])
    assert [move.controls for move in tries[:4]] == ["click", "click", "pick", "keys"]
    assert len({move.name for move in tries}) == len(tries), "each is a move of its own, repeated on its own account"
    assert clicked(tries[0]).total() == min(n for n in WANTED.values() if n)
    assert clicked(tries[0]) != clicked(tries[1]), "one cell may be special"
    (several,) = (move for move in tries if len(set(move.cells)) > 1)
    assert {type(each) for each in several.gestures} == {Click, Drag, Wheel}
    assert len(several.cells) == len(set(several.cells)) == len(how.SAMPLES), "each way on a cell of its own"


def test_ways_that_are_tried_together_take_several_moves_where_few_cells_are_left() -> None:
    """None is left out, and what is named is not tried again."""
    reels = [(kind, down) for kind, down in how.SAMPLES if kind != "wheel"]
    sampled = {kind for kind, _ in how.SAMPLES}
    for layout, ways in ((UNKNOWN, len(how.SAMPLES)), (known("wheel"), len(reels))):
        found: list[Move] = []
        attempt = 0
        while planned := moves(standing(all_but(2), cursor=(0, 0)), layout, attempt):
            found += planned[:1] * (planned[0].controls in sampled and planned[0].controls != layout.controls)
            attempt += 1
        assert len({move.name for move in found}) == len(found)
        assert sum(len(move.cells) for move in found) == ways


def test_known_controls_that_bring_nothing_are_doubted() -> None:
    pairs: tuple[tuple[player.Kind, str], ...] = (("click", "keys"), ("pick", "click"), ("type", "click"))
    for controls, other in (*pairs, ("keys", "click")):
        tries: list[str | None] = []
        while len(tries) < 50 and (found := moves(standing({}, cursor=(0, 0)), known(controls), len(tries))):
            tries.append(found[0].controls)
        assert set(tries[: player.UNPROVEN[controls]]) - {None} == {controls}
        assert other in tries[player.UNPROVEN[controls] :]


def test_a_plan_has_exactly_the_clicks_that_are_missing() -> None:
    for n in (sum(WANTED.values()), 7, 1):
        planned = moves(standing(all_but(n)), known("click"))
        total = sum((clicked(move) for move in planned), Counter())
        assert total == Counter(WANTED) - Counter(all_but(n))
        assert sum(len(move.cells) for move in planned) == n, "a cell for each unit of progress"


def test_a_move_makes_more_turns_the_more_were_made() -> None:
    total = sum(WANTED.values())
    sizes = [len(moves(standing(all_but(n)), known("click"))[0].cells) for n in (total, total - 3, 2)]
    assert player.FIRST <= sizes[0] <= player.FIRST + 2
    assert sizes[1] > sizes[0]
    assert sizes[2] == 2


def test_nothing_is_left_to_do_on_a_finished_board() -> None:
    for layout in (UNKNOWN, known("click"), known("keys")):
        assert moves(standing(WANTED, locked=[(0, 0), (1, 2)]), layout) == []


def test_a_cell_is_not_clicked_again_at_once_while_there_are_others() -> None:
    move = moves(standing(all_but(12)), known("click"))[0]
    path = [each.at for each in move.gestures if isinstance(each, Click)]
    assert any(clicked(move)[cell] > 1 for cell in clicked(move))
    several = len(set(path))
    assert all(a != b for a, b in pairwise(path[: several + 1]))


def test_a_cell_that_went_too_far_is_turned_around_first() -> None:
    cell = NEAR
    progress = standing({**all_but(5), cell: 2})
    assert progress.wrong == 1
    back, *rest = moves(progress, known("click"))
    assert (back.name, clicked(back)) == (how.BACK, Counter({cell: 1}))
    assert sum((clicked(move) for move in rest), Counter())[cell] == 1


def test_a_turn_brings_the_board_further_by_one() -> None:
    cell = NEAR
    worth = [(p := standing({**WANTED, cell: n})).done - p.wrong for n in range(4)]
    assert worth == [worth[0], worth[0] + 1, worth[0] - 1, worth[0]], "on, past it, around"


def test_locked_cells_come_last_and_are_unlocked_once_one_was_not_to_be_turned() -> None:
    """Colours mean other things in some windows, and the right button does more in them than to unlock."""
    cell = next(cell for cell, n in WANTED.items() if n)
    right = next(cell for cell, n in WANTED.items() if not n)
    progress = standing({}, locked=[cell, right])
    assert clicked(moves(progress, known("click"))[0])[cell] == 0
    lone = standing({**WANTED, cell: 0}, locked=[cell, right])
    first, then = moves(lone, known("click"), 1)
    assert first == Move(how.UNLOCK, (Click(PLACES[cell].centre, "right"),), (cell,), "click")
    assert clicked(then) == Counter({cell: WANTED[cell]})
    assert moves(lone, known("click"))[0].gestures == then.gestures, "what looks locked may be free"
    assert moves(lone, known("click"), 2)[0].gestures == first.gestures + then.gestures
    keys = moves(standing({**WANTED, cell: 0}, locked=[cell, right], cursor=right), known("keys"))[0]
    assert (keys.name, pressed(keys)[-1]) == (how.UNLOCK, "x")


def test_a_cell_that_looks_free_may_be_locked_all_the_same() -> None:
    third = moves(standing(all_but(1)), known("click"), 2)[0]
    assert [each.button for each in third.gestures if isinstance(each, Click)] == ["right", "left"]


def walked(start: Cell, keys: Sequence[str]) -> tuple[Counter[Cell], Cell]:
    """Which cells the keys turn, beginning at ``start``, on a board whose edges nothing may cross."""
    steps = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    found: Counter[Cell] = Counter()
    r, c = start
    for key in keys:
        if key == "space":
            found[r, c] += 1
        else:
            r, c = r + steps[key][0], c + steps[key][1]
            assert 0 <= r < 4
            assert 0 <= c < 4
    return found, (r, c)


@pytest.mark.parametrize("start", [(0, 0), (2, 3)])
def test_keys_go_from_the_cursor_and_never_over_the_edge(start: Cell) -> None:
    for n in (sum(WANTED.values()), 9):
        progress = standing(all_but(n), cursor=start)
        move = moves(progress, known("keys"))[0]
        found, _ = walked(start, pressed(move))
        assert sorted(found.elements()) == sorted(move.cells)
        assert not found - (Counter(WANTED) - Counter(all_but(n)))


def test_a_cursor_that_is_not_seen_is_shown_by_an_arrow_or_sent_to_a_corner() -> None:
    first = moves(standing({}), known("keys"))[0]
    assert pressed(first) == ["right"]
    later = moves(standing({}), known("keys"), 1)[0]
    assert pressed(later)[:6] == ["up"] * 3 + ["left"] * 3
    assert set(pressed(later)[6:]) <= {"down", "right", "space"}


def test_after_keys_went_astray_the_cursor_is_looked_at_before_a_cell_is_turned() -> None:
    cell = NEAR
    clicks = {**all_but(5), cell: 2}
    bring = moves(standing(clicks, cursor=(1, 1)), known("keys"))[0]
    assert (bring.name, pressed(bring)) == ("bring the cursor to r1c3", ["up", "right"])
    turn = moves(standing(clicks, cursor=cell), known("keys"))[0]
    assert (pressed(turn), turn.cells) == (["space"], (cell,))


def test_a_cursor_that_fills_its_cell_is_no_lock() -> None:
    cell = next(cell for cell, n in WANTED.items() if n)
    move = moves(standing({**WANTED, cell: 0}, locked=[cell]), known("keys"))[0]
    assert pressed(move) == (["space"] * WANTED[cell])


def test_a_cursor_that_fills_its_cell_is_seen_beside_locked_ones() -> None:
    """Locked cells have one colour, and the cursor one that no other cell has."""
    window = Window(PUZZLE, "keys", fills_cursor=True, wraps=True, locked={(3, 0), (2, 1)})
    status, error, _ = session(window, known("keys"))
    assert (status, error, is_solved(window)) == ("played", None, True)
    assert window.turns.total() == window.fewest


def test_a_cell_of_another_colour_is_not_taken_for_the_cursor_for_ever() -> None:
    odd = next(cell for cell, n in WANTED.items() if not n and len(PUZZLE.rows[cell[0]][cell[1]]) > 1)
    progress = standing(all_but(3), locked=[odd])
    assert pressed(moves(progress, known("keys"), how.DISTRUST)[0])[:6] == ["up"] * 3 + ["left"] * 3


def test_a_cell_that_the_cursor_hides_is_seen_before_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a crowded cell the cursor's frame may lie over numbers: what is then taken for the active one may be wrong."""
    reading = Reading(PUZZLE, PLACES, (), 1.0, np.zeros((1, 1, 3), np.uint8))
    pictures = itertools.count()

    def shown(doubtful: frozenset[Cell], cursor: Cell) -> Progress:
        state = State(True, turned(WANTED).rows, frozenset(), cursor, doubtful)
        monkeypatch.setattr(player.turning, "state", lambda *_: state)
        return player.progress(reading, PUZZLE, SOLUTION, np.full((1, 1, 3), next(pictures), np.uint8))

    hidden = shown(frozenset({NEAR}), NEAR)
    assert not hidden.complete
    (away,) = moves(hidden, known("keys"))
    assert Counter(pressed(away)) == Counter({"down": 3, "left": 1}), "to the nearest cell with one candidate"
    assert moves(hidden, known("keys"), player.LOOKS) == []
    for doubtful, cursor in ((frozenset(), NEAR), (frozenset({NEAR}), (3, 1)), (frozenset({(3, 1)}), (3, 1))):
        assert shown(doubtful, cursor).complete


def test_a_lone_cell_with_one_candidate_that_looks_locked_is_not_taken_for_the_cursor() -> None:
    """Some windows lock such cells; where the cursor is, is not known then."""
    puzzle = parse("134 3124 4231 1\n41 321 231 2134\n1243 1423 32 431\n134 123 2341 214")
    state = State(True, puzzle.rows, frozenset({(0, 3)}))
    reading = Reading(puzzle, PLACES, (), 1.0, np.zeros((1, 1, 3), np.uint8))
    (move, *_) = player.plan(reading, puzzle, solved(puzzle), Progress(True, 0, 14, 0, state), known("keys"))
    assert move.name == "show the cursor"


def test_controls_that_cross_set_does_not_have_are_refused() -> None:
    with pytest.raises(
        UsageError, match="pair, palette, carry, popup, drag, swipe, wheel, double, right, not by 'side'"
    ):
        moves(standing({}), known("side"))


@pytest.mark.parametrize("by_steps", [False, True])
def test_the_way_between_the_cells_is_short(by_steps: bool) -> None:
    rng = np.random.default_rng(3)
    every = [(r, c) for r in range(9) for c in range(9)]
    for count in (1, 2, 3, 30, 81):
        cells = tuple(every[k] for k in rng.permutation(81)[:count])
        order = tour(cells, (0, 0), by_steps)
        assert sorted(order) == sorted(cells)
        if count == 81:
            steps = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(order)]
            assert sum(steps) <= 1.15 * 80


def test_the_way_does_not_hang_on_how_the_middles_of_cells_are_rounded() -> None:
    """Incident: another processor put a row one pixel lower, and other cells were turned first."""
    puzzle = parse("15 15 3 541 425\n243 52 2 51 24\n41 25 13 53 352\n153 4 2543 52 253\n42 3 254 4215 1")
    progress = Progress(True, 0, 19, 0, State(True, puzzle.rows, frozenset()))
    orders = set()
    for lower in range(6):
        places = {(r, c): Box(83 * c, 83 * r + (r == lower), 76, 76) for r in range(5) for c in range(5)}
        reading = Reading(puzzle, places, (), 1.0, np.zeros((1, 1, 3), np.uint8))
        orders.add(tuple(move.cells for move in player.plan(reading, puzzle, solved(puzzle), progress, known("click"))))
    assert len(orders) == 1


# --- simulated windows

LOCKED, FRAME = (190, 220, 250), (40, 60, 220)


@functools.lru_cache(128)
def drawn(puzzle: Puzzle) -> Image:
    """The game's own picture: many tests come by the same boards. Not to be drawn upon."""
    return GAME.draw(puzzle)


@dataclass
class Window:
    """A window of Cross Set on a clock of its own. ``lose_every``: so many-th click or key is lost. ``rests``: seconds
    for which a cell hears nothing after it was turned. ``reading_order``: where numbers keep their places, ``look`` is
    ``slots`` and the order of the turns is none that could be seen."""

    puzzle: Puzzle
    controls: str = "click"
    look: str = "large"
    lose_every: int = 0
    rests: float = 0.0
    wraps: bool = False
    backwards: bool = False
    """Whether a click brings up the last candidate, not the next one."""
    turned_by: str = "space"
    says_won: bool = False
    """Whether words lie over the middle of the board once it is solved."""
    resized_after: int = 0
    """So many moves after which the person makes the window larger, between a look and a press."""
    shows_cursor: str = "always"
    fills_cursor: bool = False
    title: str = "Cross Set that is not there"
    locked: set[Cell] = field(default_factory=set)
    unlockable: bool = True
    gestures: list[Gesture] = field(default_factory=list)
    clock: float = 0.0

    def __post_init__(self) -> None:
        self.turns: Counter[Cell] = Counter()
        self.useless = 0
        self.cursor: Cell = (0, 0)
        self.keyed = False
        self.looks = 0
        self.scale = 1.0
        self._moves = 0
        self._heard = 0
        self._since: dict[Cell, float] = {}
        self._drawn: dict[Any, Image] = {}

    @property
    def now_shown(self) -> Puzzle:
        return turned(self.turns, self.puzzle)

    @property
    def active(self) -> Solution:
        return tuple(tuple(cell[0] for cell in row) for row in self.now_shown.rows)

    @property
    def fewest(self) -> int:
        solution = solved(self.puzzle)
        return sum(cell.index(solution[r][c]) for r, row in enumerate(self.puzzle.rows) for c, cell in enumerate(row))

    @property
    def places(self) -> dict[Cell, Box]:
        if self.look == "slots":
            return dict(strange.everyday(self.puzzle, (700, 700), SLOTS)[0].places)
        pitch = pitch_of(self.puzzle)
        return {
            (r, c): Box(pitch // 2 + c * pitch, pitch // 2 + r * pitch, pitch, pitch)
            for r in range(self.puzzle.size)
            for c in range(self.puzzle.size)
        }

    def image(self) -> Image:
        cursor = self.controls == "keys" and (self.keyed or self.shows_cursor == "always") and self.cursor
        state = self.now_shown, frozenset(self.locked), cursor, self.scale
        if state not in self._drawn:
            picture = self._draw(cursor or None)
            larger = cv2.resize(picture, None, fx=self.scale, fy=self.scale, interpolation=cv2.INTER_LINEAR)
            self._drawn = {state: np.asarray(larger, np.uint8)}
        return self._drawn[state]

    def _draw(self, cursor: Cell | None) -> Image:
        if self.look == "slots":
            # The picture depends on the active numbers alone.
            rows = [[(cell[0], *sorted(cell[1:])) for cell in row] for row in self.now_shown.rows]
            return strange.everyday(Puzzle(tuple(map(tuple, rows))), (700, 700), SLOTS)[0].image
        picture = drawn(self.now_shown).copy()
        fills = dict.fromkeys(self.locked, LOCKED)
        if cursor is not None and self.fills_cursor:
            fills[cursor] = FRAME
        for cell, colour in fills.items():
            box = self.places[cell]
            part = picture[box.y + 2 : box.y + box.height - 2, box.x + 2 : box.x + box.width - 2]
            part[:] = (part.astype(float) / 243 * colour).clip(0, 255).astype(np.uint8)
        if cursor is not None and not self.fills_cursor and self.shows_cursor != "never":
            box = self.places[cursor]
            corner = box.x + box.width - 4, box.y + box.height - 4
            cv2.rectangle(picture, (box.x + 4, box.y + 4), corner, FRAME, 3)
        if self.says_won and not check(self.puzzle, self.active):
            middle = picture.shape[0] // 2
            cv2.putText(picture, "YOU WIN", (middle // 2, middle), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (0, 0, 0), 5)
        return picture

    def _turn(self, cell: Cell) -> None:
        resting = self.clock - self._since.get(cell, -9.0) < self.rests
        if cell in self.locked or resting:
            self.useless += 1
            return
        self._since[cell] = self.clock
        self.turns[cell] += len(self.puzzle.rows[cell[0]][cell[1]]) - 1 if self.backwards else 1

    def _lost(self) -> bool:
        self._heard += 1
        return bool(self.lose_every) and self._heard % self.lose_every == 0

    def now(self) -> float:
        return self.clock

    def grab(self) -> Frame:
        return Frame(self.image(), (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        self.looks += 1
        frame = self.grab()
        waits = unlike is not None and np.array_equal(frame.image, unlike.image)
        self.clock += limit if waits else max(quiet, self.rests)
        return frame

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self._moves += 1
        if self.resized_after and self._moves == self.resized_after + 1:
            self.scale = 1.25
            raise ChangedError("the window has another size")
        for gesture in gestures:
            self.gestures.append(gesture)
            if isinstance(gesture, Click):
                self.clock += pace.press + pace.release
                cell = next(cell for cell, box in self.places.items() if box.contains(self._unscaled(gesture.at)))
                if self.controls == "click" and not self._lost():
                    if gesture.button == "left":
                        self._turn(cell)
                    elif self.unlockable:
                        self.locked ^= {cell}
            elif isinstance(gesture, Drag | Wheel):  # nothing is moved so here
                self.clock += pace.press + pace.step
            else:
                assert isinstance(gesture, Keys)
                for key in gesture.keys:
                    self.clock += pace.press + pace.step
                    if self.controls == "keys" and not self._lost():
                        self._key(key)

    def _unscaled(self, at: Point) -> Point:
        return round(at[0] / self.scale), round(at[1] / self.scale)

    def _key(self, key: str) -> None:
        self.keyed = True
        if key == self.turned_by:
            self._turn(self.cursor)
        elif key == "x":
            self.locked ^= {self.cursor}
        elif key in ARROWS:
            down, right = ARROWS[key]
            r, c = self.cursor[0] + down, self.cursor[1] + right
            n = self.puzzle.size
            self.cursor = (r % n, c % n) if self.wraps else (min(max(r, 0), n - 1), min(max(c, 0), n - 1))

    def park(self, at: Point) -> None: ...

    def close(self) -> None: ...


SLOTS = {"arrangement": "slots", "ink": 20.0, "small": 20.0, "dim": 0.45, "locked": ""}


def session(window: Window, layout: Layout = UNKNOWN) -> tuple[str, str | None, Layout]:
    """Play one level; its status, its error, and the layout as it was learned."""
    running = Session(GAME, window, layout)
    (result,) = running.play(1)
    return result.status, result.error, running.layout


def is_solved(window: Window) -> bool:
    return check(window.puzzle, window.active) == []


@pytest.mark.parametrize("wraps", [False, True])
@pytest.mark.parametrize("controls", ["click", "keys"])
def test_the_controls_are_found_out_and_the_fewest_turns_made(controls: str, wraps: bool) -> None:
    window = Window(PUZZLE, controls, wraps=wraps)
    status, error, learned = session(window)
    assert (status, error) == ("played", None)
    assert is_solved(window)
    assert learned.controls == controls
    assert learned.slowest_lost is None, "what the window does not understand says nothing about its pace"
    assert window.turns.total() == window.fewest
    assert window.useless == 0
    assert window.looks < 20


@pytest.mark.parametrize(
    ("controls", "lose_every"), [("click", 2), ("click", 3), ("click", 7), ("keys", 3), ("keys", 7)]
)
def test_lost_clicks_and_keys_are_made_again(controls: str, lose_every: int) -> None:
    window = Window(PUZZLE, controls, lose_every=lose_every)
    assert session(window)[:2] == ("played", None)
    assert is_solved(window)
    if controls == "click":
        assert window.turns.total() == window.fewest


def test_a_window_that_is_deaf_while_a_cell_turns_is_played_with_hardly_a_click_lost() -> None:
    window = Window(GAME.generate(6, 6, 2), rests=0.35)
    assert session(window, known("click"))[:2] == ("played", None)
    assert is_solved(window)
    assert window.useless <= 0.1 * window.fewest


@pytest.mark.parametrize(("named", "true"), [("click", "keys"), ("keys", "click")])
def test_a_layout_that_names_other_controls_is_put_right(named: str, true: str) -> None:
    window = Window(PUZZLE, true)
    status, error, learned = session(window, known(named))
    assert (status, error) == ("played", None)
    assert is_solved(window)
    assert learned.controls == true


def test_another_key_that_is_usual_is_found() -> None:
    """Once Enter has turned a cell the rest of the board is played by it."""
    window = Window(PUZZLE, "keys", turned_by="enter")
    status, error, learned = session(window)
    assert (status, error, is_solved(window)) == ("played", None, True)
    assert window.turns.total() == window.fewest
    assert (learned.controls, learned.keys.rotate, learned.keys.lock) == ("keys", "enter", "space")
    for layout in (learned, known("keys")):
        again = Window(GAME.generate(4, 4, 3), "keys", turned_by="enter")
        status, error, after = session(again, layout)
        assert (status, error, is_solved(again)) == ("played", None, True), "Enter is not pressed for the next level"
        assert after.keys == learned.keys
        first = [each for each in again.gestures if isinstance(each, Keys) and "space" in each.keys]
        assert not (first and layout is learned), "what is known is not tried again"


def test_keys_that_were_found_out_are_kept_with_the_layout(tmp_path: Path) -> None:
    """As the controls are: in a file that reads back as it was, and that is refused where it names no key."""
    learned = session(Window(PUZZLE, "keys", turned_by="enter"))[2]
    path = tmp_path / "found.toml"
    save(learned.model_copy(update={"name": "found"}), path)
    assert load(str(path), "cross-set").keys == learned.keys
    path.write_text(path.read_text(encoding="utf-8").replace('rotate = "enter"', 'rotate = "return"'), encoding="utf-8")
    with pytest.raises(LayoutError, match=r"keys\.rotate"):
        load(str(path), "cross-set")


def test_keys_of_a_layout_that_turn_nothing_are_put_right() -> None:
    """Those that are usual are tried once the layout's own have done nothing."""
    wrong = known("keys").model_copy(update={"keys": KeyTable(rotate="enter", lock="space")})
    window = Window(PUZZLE, "keys", turned_by="space")
    status, error, learned = session(window, wrong)
    assert (status, error, is_solved(window)) == ("played", None, True)
    assert (learned.controls, learned.keys) == ("keys", KeyTable())


def test_words_that_tell_of_the_win_do_not_turn_cells() -> None:
    """They cover cells that were right from the beginning: nothing is turned any more."""
    window = Window(PUZZLE, "click", says_won=True)
    status, error, _ = session(window)
    assert (status, error, is_solved(window)) == ("played", None, True)
    assert window.turns.total() == window.fewest


@pytest.mark.parametrize("controls", ["click", "keys"])
def test_wrongly_locked_cells_are_unlocked_and_the_others_left_alone(controls: str) -> None:
    wrong = [cell for cell, n in WANTED.items() if n][1:3]
    right = [cell for cell, n in WANTED.items() if not n and len(PUZZLE.rows[cell[0]][cell[1]]) > 1][:2]
    window = Window(PUZZLE, controls, locked={*wrong, *right})
    assert session(window, known(controls))[:2] == ("played", None)
    assert is_solved(window)
    assert window.locked == set(right)
    assert window.useless <= 1, "what looks locked may be free"


def test_cells_of_another_colour_that_are_not_locked_are_turned_all_the_same() -> None:
    """A window may colour cells for reasons of its own; the right button does nothing in it."""
    window = Window(PUZZLE, unlockable=False)
    colours = {cell for cell, n in WANTED.items() if n}
    window._draw = lambda cursor: _coloured(window, colours)  # type: ignore[method-assign]
    assert session(window, known("click"))[:2] == ("played", None)
    assert is_solved(window)


def _coloured(window: Window, cells: set[Cell]) -> Image:
    window.locked, own = cells, window.locked
    picture = Window._draw(window, None)
    window.locked = own
    return picture


def test_a_half_played_board_is_finished() -> None:
    window = Window(PUZZLE)
    window.turns.update(dict.fromkeys(WANTED, 1))
    before = window.turns.total()
    again = Window(window.now_shown)
    assert session(window)[:2] == ("played", None)
    assert is_solved(window)
    assert window.turns.total() - before == again.fewest


@pytest.mark.parametrize("moves_made", [1, 2])
def test_a_window_that_is_resized_half_way_shows_the_same_level(moves_made: int) -> None:
    """Its board reads otherwise than at first, for some cells were turned."""
    window = Window(PUZZLE, resized_after=moves_made)
    assert session(window)[:2] == ("played", None)
    assert window.scale > 1
    assert is_solved(window)
    assert window.turns.total() == window.fewest


def test_a_finished_board_is_left_as_it_is() -> None:
    window = Window(PUZZLE)
    window.turns.update(WANTED)
    assert session(window)[:2] == ("played", None)
    assert window.gestures == []


def test_numbers_in_places_of_their_own_come_in_an_order_that_is_not_seen() -> None:
    """The window's order is neither that of the numbers nor its reverse."""
    puzzle = strange.made(stream(1, "test"), 5, 4)
    window = Window(puzzle, look="slots")
    assert session(window)[:2] == ("played", None)
    assert is_solved(window)
    assert window.turns.total() == window.fewest


@pytest.mark.parametrize("habit", [{"shows_cursor": "after a key"}, {"shows_cursor": "never"}, {"fills_cursor": True}])
def test_cursors_that_are_hard_to_see(habit: dict[str, Any]) -> None:
    window = Window(PUZZLE, "keys", **habit)
    assert session(window)[:2] == ("played", None)
    assert is_solved(window)
    assert window.turns.total() == window.fewest


def test_clicks_that_turn_the_other_way_around_are_looked_at_one_by_one() -> None:
    """The order in which the candidates stand is not that of the clicks: after some that went astray each is looked at,
    or a cell with four would be turned past its number for ever."""
    window = Window(PUZZLE, "click", backwards=True)
    status, error, _ = session(window)
    assert (status, error, is_solved(window)) == ("played", None, True)


@pytest.mark.parametrize(
    "level",
    [
        "214 41 213 31\n24 34 341 312\n3142 3421 243 423\n431 21 41 32",
        "41 2 142 23\n321 34 431 42\n314 1 12 42\n2 14 13 41",
    ],
)
def test_a_cell_of_three_that_turns_the_other_way_around_is_not_turned_to_and_fro_for_ever(level: str) -> None:
    """Two turns backwards are one forwards, and one more brings it back: it is never farther than at first."""
    window = Window(parse(level), "click", backwards=True)
    status, error, _ = session(window)
    assert (status, error, is_solved(window)) == ("played", None, True)


def test_a_window_that_hears_nothing_is_given_back() -> None:
    window = Window(PUZZLE, "voice")
    status, error, learned = session(window)
    assert status == "failed"
    assert error is not None
    assert "was tried in 14 ways and none had any effect" in error
    assert learned.controls == "unknown"
    assert len(window.gestures) <= 21


# --- how far a picture has come


def test_progress_counts_turns_in_a_picture() -> None:
    seen = GAME.read(GAME.draw(PUZZLE), UNKNOWN)
    total = sum(WANTED.values())
    for clicks in ({}, WANTED, all_but(3), {**all_but(3), NEAR: 2}):
        progress = GAME.progress(seen, PUZZLE, SOLUTION, GAME.draw(turned(clicks)))
        expected = standing(clicks)
        assert progress.total == total
        assert (progress.present, progress.done, progress.wrong) == (True, expected.done, expected.wrong)


def test_words_over_a_cell_that_was_turned_without_being_made_out_do_not_undo_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Incident: a picture of a win lay over a cell whose numbers run over its wall; it was turned until it was given
    up, in a window that had long been won."""
    puzzle, first, last = parse("21 2 3\n32 3 1\n3 1 2"), (0, 0), (1, 0)
    seen = GAME.read(GAME.draw(puzzle), UNKNOWN)
    over, none = frozenset({first, last}), frozenset[Cell]()
    shown = [(none, none, set[Cell]()), (frozenset({first}), none, {first}), (over, over, {last})]
    found = []
    for number, (doubtful, covered, turning) in enumerate(shown):
        picture = seen.image.copy()
        picture[0, 0] = number
        state = State(True, puzzle.rows, doubtful=doubtful, covered=covered)
        monkeypatch.setattr(player.turning, "state", lambda *_, now=state: now)
        seen.extra[player.NOTED]["turning"] = turning
        found.append(GAME.progress(seen, puzzle, solved(puzzle), picture))
    assert [progress.complete for progress in found] == [False, False, True]


def test_a_board_that_was_right_from_the_beginning_is_done() -> None:
    """It is not a fresh level either: a session must not take a celebrated board for the next one."""
    right = turned(WANTED)
    seen = GAME.read(GAME.draw(right), UNKNOWN)
    progress = GAME.progress(seen, right, SOLUTION, seen.image)
    assert progress.complete
    assert progress.done == 16


def test_another_board_is_not_this_one() -> None:
    seen = GAME.read(GAME.draw(PUZZLE), UNKNOWN)
    for seed in range(2, 12):
        assert not GAME.progress(seen, PUZZLE, SOLUTION, GAME.draw(GAME.generate(4, 4, seed))).present
    assert not GAME.progress(seen, PUZZLE, SOLUTION, GAME.draw(GAME.generate(5, 5, 1))).present


def test_a_board_is_the_same_level_however_it_is_turned() -> None:
    assert GAME.same_level(PUZZLE, turned({(0, 0): 1, (1, 3): 2}))
    assert not GAME.same_level(PUZZLE, GAME.generate(4, 4, 7))
