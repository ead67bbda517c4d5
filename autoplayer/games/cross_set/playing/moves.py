"""Builds the gestures that bring cells to their numbers, for each way in which windows are played, from what is known
of the board and what is left to do. ``player`` decides which way is tried when."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from autoplayer.core.frame import Box, Cell, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Wheel
from autoplayer.games.base import Move
from autoplayer.games.cross_set.playing.tour import tour
from autoplayer.games.cross_set.playing.turning import State
from autoplayer.games.cross_set.puzzle import Puzzle, Solution, name
from autoplayer.layout import NUMBER, KeyTable

Kind = Literal[
    "click",
    "pick",
    "type",
    "keys",
    "pair",
    "palette",
    "carry",
    "popup",
    "drag",
    "swipe",
    "wheel",
    "double",
    "right",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

REELS: tuple[Kind, ...] = ("drag", "swipe", "wheel", "double", "right")
"""What moves the candidates of a cell by one; the first three work in both directions."""

SAMPLES: tuple[tuple[Kind, bool], ...] = (
    *(("drag", False), ("drag", True), ("swipe", False), ("swipe", True)),
    *(("double", False), ("wheel", False), ("wheel", True)),
)
"""What is tried in one move, each on a cell of its own, and whether in the other direction: the cell that has turned
shows which way works. The wheel is last, because it also scrolls whole pages; in the other direction it scrolls them
back."""

WAYS: dict[Kind, int] = dict.fromkeys(KINDS, 2) | {"click": 3, "keys": 8}
"""How often known controls are tried in one way or another before others are."""

FROM_CORNER = 2
"""The try at which the cursor's apparent position is not trusted."""

DISTRUST = 3
"""The try with keys at which a cell of another colour is no longer taken for the cursor; a frame is until the last."""

TURN, BACK, UNLOCK = "turn cells", "turn cells around that went too far", "unlock cells"

APART = 8
"""A cell is not clicked again before this many others were, as far as there are others: windows lose clicks on a cell
that is still turning, and turning takes up to a third of a second."""

DRAWN = 0.4
"""How far a cell is dragged up or down, as a share of its height, or to the side, of its width: short of the next
cell."""


@dataclass(frozen=True)
class Task:
    """What is left to do. ``left``: the turns of every cell that does not show its number. ``back``: of these, cells
    that went too far, and the turns to where they were at first. ``free``, ``held``: all of them, by whether they look
    locked. ``size``: how many turns a move may make. ``begun``: whether any was made. ``astray``: whether some were
    made that were not wanted. ``cursor``: where keys would turn a cell. ``pad``: the buttons of the numbers.
    ``down``: which way candidates are moved: down, or to the right, and not up, or to the left."""

    state: State
    solution: Solution
    places: Mapping[Cell, Box]
    keys: KeyTable
    once: bool
    size: int
    begun: bool
    astray: bool
    left: Mapping[Cell, int]
    back: Mapping[Cell, int]
    free: Mapping[Cell, int]
    held: Mapping[Cell, int]
    cursor: Cell | None
    pad: Mapping[int, Point]
    down: bool

    def name(self, cell: Cell) -> str:
        """What turning this cell is called."""
        return f"turn {name(cell)} from {self.state.active(cell)} to {self.wanted(cell)}"

    def wanted(self, cell: Cell) -> int:
        return self.solution[cell[0]][cell[1]]

    def place(self, cell: Cell) -> Box:
        """Where the number that a cell is to show stands; the whole cell where it is not seen."""
        return self.state.places.get((cell, self.wanted(cell)), self.places[cell])

    def stands_in_the_middle(self, cell: Cell) -> bool:
        """Whether the wanted number is near the middle of the cell."""
        box, place = self.places[cell], self.place(cell)
        (x, y), (u, v) = box.centre, place.centre
        return abs(x - u) <= max(place.width, box.width / 6) and abs(y - v) <= max(place.height, box.height / 6)

    def choosing(self, cell: Cell, kind: Kind) -> tuple[Gesture, ...]:
        """What makes a cell show its number at once."""
        if kind == "pick":
            return (Click(self.place(cell).centre),)
        if kind == "pair":
            return Click(self.places[cell].centre), Click(self.pad[self.wanted(cell)])
        if kind == "palette":
            return Click(self.pad[self.wanted(cell)]), Click(self.places[cell].centre)
        if kind == "carry":
            return (Drag((self.pad[self.wanted(cell)], self.places[cell].centre)),)
        return Click(self.places[cell].centre), Keys(tuple(str(self.wanted(cell))))

    def choosing_all(self, cells: Sequence[Cell], kind: Kind) -> tuple[Gesture, ...]:
        """What makes cells show their numbers; a number that was chosen before is not chosen again."""
        if kind != "palette":
            return tuple(gesture for cell in cells for gesture in self.choosing(cell, kind))
        chosen = sorted(cells, key=self.wanted)
        again = [k > 0 and self.wanted(cell) == self.wanted(chosen[k - 1]) for k, cell in enumerate(chosen)]
        return tuple(g for cell, same in zip(chosen, again, strict=True) for g in self.choosing(cell, kind)[same:])

    def moving(self, cell: Cell, kind: Kind) -> Gesture:
        """What moves the candidates of a cell by one, one way or the other."""
        box, way = self.places[cell], 1 if self.down else -1
        x, y = box.centre
        if kind == "double":
            return Click((x, y), times=2)
        if kind == "right":
            return Click((x, y), "right")
        if kind == "wheel":  # turned towards the person, it moves up what is under the pointer
            return Wheel((x, y), way)
        if kind == "swipe":  # from beside the middle, so that all of it is inside the cell
            far = max(round(DRAWN * box.width), 1)
            start = x - way * (far // 2)
            return Drag(((start, y), (start + way * far, y)))
        return Drag(((x, y), (x, y + way * max(round(DRAWN * box.height), 1))))

    def turning(self, cell: Cell, n: int) -> list[str]:
        """The keys that turn the cell under the cursor by ``n``, or choose its number."""
        return list(str(self.wanted(cell))) if self.keys.rotate == NUMBER else [self.keys.rotate] * n


def tried(task: Task, kind: Kind, again: int, at: int) -> list[Move]:
    """One cell, as near to its number as possible, by controls of which nothing is known yet; then all the others."""
    pool = task.free or task.held
    keys = task.keys
    if kind == "keys" and task.cursor is None and not again:
        move = _show_cursor(task)
        done: dict[Cell, int] = {}
    else:
        start = task.cursor if again != FROM_CORNER else None
        near = {cell: n + (_steps(start or (0, 0), cell) if kind == "keys" else 0) for cell, n in pool.items()}
        nearest = sorted(pool, key=lambda cell: (near[cell], cell))
        if kind == "click":
            # A click on the number that is wanted would not tell whether it turns the cell or picks the number.
            nearest = [cell for cell in nearest if not task.stands_in_the_middle(cell)] or nearest
        cell = nearest[again % len(nearest)] if kind == "click" else nearest[0]
        if kind == "type":  # far from where a cursor may be, in which the key would choose the number without the click
            cell = max(pool, key=lambda each: (min(_steps(each, at) for at in {(0, 0), task.cursor or (0, 0)}), each))
        n = pool[cell]
        gestures: tuple[Gesture, ...]
        if kind == "click":
            unlock = [Click(task.places[cell].centre, "right")] * (again > 1 and cell in task.held)
            gestures = (*unlock, *[Click(task.places[cell].centre)] * n)
        elif kind == "keys":
            gestures = (Keys((*_way(task, start, cell), *task.turning(cell, n))),)
        elif kind == "right":
            gestures = (task.moving(cell, kind),) * n
        else:
            gestures = task.choosing(cell, kind)
        how = {
            "click": "a click",
            "right": "a click of the right button",
            "pick": "a click on the number",
            "type": "a click and the number's key",
            "pair": "a click and the number's button",
            "palette": "the number's button and a click",
            "carry": "a drag of the number",
            "keys": f"the {'number' * (keys.rotate == NUMBER)}key{f' {keys.rotate}' * (keys.rotate != NUMBER)}",
        }[kind]
        move = Move(f"{task.name(cell)} by {how}, try {at + 1}", gestures, (cell,) * n, kind)
        done = {cell: n}
    rest = {cell: n for cell, n in task.left.items() if cell not in done}
    return [move, *remaining(rest, task, kind)]


def sampled(task: Task, ways: Sequence[tuple[Kind, bool]], at: int) -> tuple[list[Move], dict[Cell, tuple[Kind, bool]]]:
    """A single move in which each of these ways is tried on a cell of its own, as far as there are cells, and which of
    them was tried where. A way that comes first is best tried on a cell of three candidates: in the other direction
    that comes to a number other than the wanted one. The other direction is best tried on a cell of two, which comes
    nearer either way."""
    pool = dict(task.free or task.held)
    found: dict[Cell, tuple[Kind, bool]] = {}
    gestures: list[Gesture] = []
    for kind, down in ways[: len(pool)]:

        def worth(cell: Cell, down: bool = down) -> tuple[int, bool, Cell]:
            return pool[cell], (len(task.state.rows[cell[0]][cell[1]]) == 2) != (down or task.once), cell

        cell = min(pool, key=worth)
        del pool[cell]
        found[cell] = kind, down
        gestures.append(replace(task, down=down).moving(cell, kind))
    kinds = list(dict.fromkeys(kind for kind, _ in found.values()))
    move = Move(f"turn {len(found)} cells by {', '.join(kinds)}, try {at + 1}", tuple(gestures), tuple(found), kinds[0])
    rest = {cell: n for cell, n in task.left.items() if cell not in found}
    return [move, *remaining(rest, task, kinds[0])], found


def remaining(turns: Mapping[Cell, int], task: Task, kind: Kind) -> list[Move]:
    """The moves that are left after the next one, as far as can be said now."""
    if kind == "popup":
        return [move for cell in turns for move in (call(task, cell), choice(task, cell))]
    moves = []
    left = dict(turns)
    while left:
        batch = _batch(_at_once(kind, list(left.items())), task.size)
        if kind == "click":
            gestures = _clicks(batch, task.places)
        elif kind in REELS:
            gestures = _by_turns(batch, lambda cell: task.moving(cell, kind))
        elif kind == "keys":
            gestures = _key_presses(batch, task, None)
        else:
            gestures = task.choosing_all(list(batch), kind)
        moves.append(Move(TURN, gestures, _cells(batch), kind))
        left = {cell: n - batch.get(cell, 0) for cell, n in left.items() if n > batch.get(cell, 0)}
    return moves


# --- by clicks --------------------------------------------------------------------------------------------------------


def by_clicks(task: Task, attempt: int, noted: dict[str, Any]) -> list[Move]:
    """Many cells at once; then a single one; then a single one that is unlocked first, because it may be locked without
    looking so. What looks locked is turned first, a single cell, then all locked ones are unlocked: colours mean other
    things in some windows, and there the right button does more than unlock."""
    pool = task.back or task.free or task.held
    order = tour(tuple(pool), None, by_steps=False)
    move: Move
    if attempt == 0 and pool == task.held:
        noted["asked"] = order[0]
    if attempt == 1 and pool == task.held:
        clicks = tuple(Click(task.places[cell].centre, "right") for cell in order)
        return [Move(_job(UNLOCK, order, task), clicks, order, "click"), *remaining(task.held, task, "click")]
    if attempt == 0 and pool != task.held:
        batch = _batch([(cell, pool[cell]) for cell in order], task.size)
        job = _job(BACK if task.back else TURN, tuple(batch), task)
        move = Move(job, _clicks(batch, task.places), _cells(batch), "click")
    else:
        cell = order[0]
        batch = {cell: pool[cell]}
        gestures = _clicks(batch, task.places)
        if attempt > 1:
            gestures = (Click(task.places[cell].centre, "right"), *gestures)
        move = Move(f"{'unlock and ' * (attempt > 1)}{task.name(cell)}", gestures, _cells(batch), "click")
    after = {cell: n - batch.get(cell, 0) for cell, n in task.left.items()}
    return [move, *remaining({cell: n for cell, n in after.items() if n}, task, "click")]


def _job(job: str, cells: Sequence[Cell], task: Task) -> str:
    """The name of a move with many cells. Where neither the order nor the progress of cells is seen, the name changes
    once they have turned, so that the session sees that something was done."""
    if not task.once:
        return job
    shown = ", ".join(f"{name(cell)} shows {task.state.active(cell)}" for cell in cells[:4])
    return f"{job} ({len(cells)}, where {shown}{' …' * (len(cells) > 4)})"


def _clicks(turns: Mapping[Cell, int], places: Mapping[Cell, Box]) -> tuple[Gesture, ...]:
    """Clicks on cells, as often as it says."""
    return _by_turns(turns, lambda cell: Click(places[cell].centre))


def _by_turns(turns: Mapping[Cell, int], turn: Callable[[Cell], Gesture]) -> tuple[Gesture, ...]:
    """Clicks on cells, a few in rotation: see ``APART``."""
    waiting = deque(turns.items())
    around: deque[tuple[Cell, int]] = deque()
    found: list[Gesture] = []
    while waiting or around:
        while waiting and len(around) < APART:
            around.append(waiting.popleft())
        cell, n = around.popleft()
        found.append(turn(cell))
        if n > 1:
            around.append((cell, n - 1))
    return tuple(found)


def by_reels(task: Task, kind: Kind, attempt: int, noted: dict[str, Any]) -> list[Move]:
    """Many cells at once, moved in the direction that was seen to turn them (by default up, or to the left); then a
    single one, and the other direction where nothing has turned yet."""
    if attempt and not task.begun:
        noted["down"] = not task.down
        task = replace(task, down=not task.down)
    pool = task.back or task.left
    order = tour(tuple(pool), None, by_steps=False)
    batch = _batch(_at_once(kind, [(cell, pool[cell]) for cell in order]), 1 if attempt else task.size)
    job = task.name(order[0]) if attempt else _job(BACK if task.back else TURN, tuple(batch), task)
    after = {cell: n - batch.get(cell, 0) for cell, n in task.left.items()}
    move = Move(job, _by_turns(batch, lambda cell: task.moving(cell, kind)), _cells(batch), kind)
    return [move, *remaining({cell: n for cell, n in after.items() if n}, task, kind)]


def by_number(task: Task, kind: Kind, attempt: int) -> list[Move]:
    """Many cells at once, each by its number; then a single one. Nothing is locked in such windows."""
    order = tour(tuple(task.left), None, by_steps=False)
    turns = [(cell, task.left[cell]) for cell in order]
    batch = _batch(turns, 1 if attempt else task.size)
    job = task.name(order[0]) if attempt else _job(TURN, tuple(batch), task)
    gestures = task.choosing_all(list(batch), kind)
    rest = {cell: n for cell, n in turns if cell not in batch}
    return [Move(job, gestures, _cells(batch), kind), *remaining(rest, task, kind)]


def call(task: Task, cell: Cell) -> Move:
    """A click that opens the numbers of a cell."""
    return Move(f"call the numbers of {name(cell)}", (Click(task.places[cell].centre),), (cell,), "popup")


def choice(task: Task, cell: Cell, at: Mapping[int, Point] | None = None) -> Move:
    """A click on the wanted number; ``at``: the positions of the opened numbers, None as long as none have appeared."""
    gestures = (Click(at[task.wanted(cell)]),) if at else ()
    return Move(f"choose {task.wanted(cell)} for {name(cell)}", gestures, (cell,), "popup")


# --- by keys ----------------------------------------------------------------------------------------------------------


def by_keys(task: Task, attempt: int) -> list[Move]:
    """Many cells in a move that begins where the cursor is seen. If keys got lost, other cells are turned: then the
    cursor is brought to a single cell, checked, and only then the cell is turned. In the end neither the cursor's
    apparent position nor that a cell looks free is trusted."""
    if task.cursor is None and not attempt and not task.begun:
        return [_show_cursor(task), *remaining(task.left, task, "keys")]
    pool = task.back or task.free or task.held
    guessed = task.state.cursor is None
    start = None if attempt == WAYS["keys"] - 1 or (guessed and attempt == DISTRUST) else task.cursor
    order = tour(tuple(pool), start or (0, 0), by_steps=True)
    move: Move
    if not attempt and not task.astray:
        if pool == task.held:
            presses = _key_presses(dict.fromkeys(order, 1), task, start, task.keys.lock)
            return [Move(_job(UNLOCK, order, task), presses, order, "keys"), *remaining(task.held, task, "keys")]
        batch = _batch([(cell, pool[cell]) for cell in order], task.size)
        job = _job(TURN, tuple(batch), task)
        move = Move(job, _key_presses(batch, task, start), _cells(batch), "keys")
    else:
        cell = min(pool, key=lambda each: (_steps(start or (0, 0), each), each))
        if start not in (None, cell):
            way = Keys(tuple(_way(task, start, cell)))
            return [
                Move(f"bring the cursor to {name(cell)}", (way,), (cell,), "keys"),
                *remaining(task.left, task, "keys"),
            ]
        batch = {cell: pool[cell]}
        unlock = [task.keys.lock] if (attempt == WAYS["keys"] - 2) != (cell in task.held) else []
        presses = (Keys((*_way(task, start, cell), *unlock, *task.turning(cell, batch[cell]))),)
        job = f"{'unlock and ' * bool(unlock)}{task.name(cell)}{f', try {attempt + 1}' * (attempt > 1)}"
        move = Move(job, presses, _cells(batch), "keys")
    after = {cell: n - batch.get(cell, 0) for cell, n in task.left.items()}
    return [move, *remaining({cell: n for cell, n in after.items() if n}, task, "keys")]


def away(task: Task, puzzle: Puzzle, cell: Cell) -> Move:
    """Moves the cursor to where it hides nothing, or as little as possible."""

    def worth(other: Cell) -> tuple[int, int]:
        return len(puzzle.rows[other[0]][other[1]]), _steps(cell, other)

    to = min((other for other in task.places if other != cell), key=worth)
    return Move(f"bring the cursor away from {name(cell)}", (Keys(tuple(_way(task, cell, to))),), (cell,), "keys")


def _show_cursor(task: Task) -> Move:
    """Some windows show their cursor only once an arrow was pressed."""
    return Move("show the cursor", (Keys((task.keys.right,)),), ((0, 0),), "keys")


def _key_presses(
    turns: Mapping[Cell, int], task: Task, start: Cell | None, key: str | None = None
) -> tuple[Gesture, ...]:
    """From cell to cell, each turned (or ``key`` pressed) as often as it says."""
    found: list[Gesture] = []
    for cell, n in turns.items():
        found.append(Keys((*_way(task, start, cell), *([key] * n if key else task.turning(cell, n)))))
        start = cell
    return tuple(found)


def _way(task: Task, start: Cell | None, to: Cell) -> list[str]:
    """The arrow keys from cell to cell, never over the board's edge, where the cursor may wrap around. If the start is
    not known, it first goes to the first corner; this works where edges stop it."""
    keys = task.keys
    home: list[str] = []
    if start is None:
        size = len(task.solution)
        home, start = [keys.up] * (size - 1) + [keys.left] * (size - 1), (0, 0)
    down, right = to[0] - start[0], to[1] - start[1]
    return [
        *home,
        *[keys.down if down > 0 else keys.up] * abs(down),
        *[keys.right if right > 0 else keys.left] * abs(right),
    ]


def _steps(a: Cell, b: Cell) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


# --- amounts ----------------------------------------------------------------------------------------------------------


def _batch(turns: Sequence[tuple[Cell, int]], size: int) -> dict[Cell, int]:
    """The first cells, with about ``size`` turns in all."""
    found: dict[Cell, int] = {}
    for cell, n in turns:
        if sum(found.values()) >= size:
            break
        found[cell] = n
    return found


def _at_once(kind: Kind, turns: Sequence[tuple[Cell, int]]) -> Sequence[tuple[Cell, int]]:
    """The turns that one move may make. Two double clicks on a cell are three clicks to some windows: then each cell is
    turned once."""
    return [(cell, 1) for cell, _ in turns] if kind == "double" else turns


def _cells(turns: Mapping[Cell, int]) -> tuple[Cell, ...]:
    """A cell for each turn."""
    return tuple(cell for cell, n in turns.items() for _ in range(n))
