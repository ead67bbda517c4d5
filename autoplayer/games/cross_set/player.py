"""A solution becomes gestures, and a later picture of the window says how far they have come. How the cells stand in a
picture is ``reader``'s business; here is what that means for the solution, and what to do about it.

There are nine ways in which windows are played, and little in a picture tells which: ``click`` (the left button turns
a cell, the right one locks it), ``pick`` (a click on a candidate makes it the active one), ``type`` (a click chooses a
cell, and the key of a number its candidate), ``keys`` (arrows move a cursor, one key turns, one locks; or the key of
a number chooses it), ``pair`` (a click chooses a cell, and one on a number beside the board its candidate), ``palette``
(a click chooses a number beside the board, and one on a cell gives it to the cell), ``popup`` (a click on a cell calls
its numbers, and one on a number gives it to the cell), ``drag`` (a cell is drawn up or down like a reel) and ``wheel``
(the mouse's wheel does so). Until one is known, a single cell is turned by each of them, and by the keys that are usual
one after another; only numbers that a click calls are seen when they come. A turn moves the first candidate of a cell
to the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Box, Cell, Image, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Wheel
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.cross_set import pad, reader
from autoplayer.games.cross_set.puzzle import Puzzle, Solution, name
from autoplayer.games.cross_set.reader import State
from autoplayer.games.cross_set.tour import tour
from autoplayer.layout import NUMBER, KeyTable, Layout

Kind = Literal["click", "pick", "type", "keys", "pair", "palette", "popup", "drag", "wheel"]
KINDS: tuple[Kind, ...] = ("click", "pick", "type", "keys", "pair", "palette", "popup", "drag", "wheel")

TRIALS: tuple[tuple[Kind, int], ...] = (
    ("click", 0),
    ("click", 1),
    ("pick", 0),
    ("keys", 0),
    ("keys", 1),
    ("keys", 2),
    ("type", 0),
    ("drag", 0),
    ("drag", 1),
    ("keys", 3),
    ("keys", 4),
    ("keys", 5),
    ("keys", 6),
    ("wheel", 0),
    ("wheel", 1),
    ("click", 2),
)
"""What is tried while the controls are not known: the kind and the try. Clicks come first, twice because one may be
lost. Of the tries with keys the first shows a cursor that hides until a key is pressed, the third goes to the corner
first, in case that what was taken for the cursor is none, and the last ones use other keys. The first drag goes up,
the second down; so does what is under the wheel, which comes late, because it moves whole pages as well."""

REELS: tuple[Kind, ...] = ("drag", "wheel")
"""What moves the candidates of a cell up or down."""

AT_PAD: tuple[Kind, ...] = ("pair", "palette")
"""What is tried after the first click where numbers stand beside the board as on buttons."""

LETTERS = {"up": "w", "left": "a", "down": "s", "right": "d"}
"""What moves the cursor in windows in which the arrows do not."""

USUAL_KEYS: tuple[Mapping[str, str], ...] = (
    {"rotate": "space", "lock": "x"},
    {"rotate": NUMBER, "lock": "x"},
    {"rotate": "enter", "lock": "space"},
    {"rotate": "space", "lock": "x", **LETTERS},
    {"rotate": NUMBER, "lock": "x", **LETTERS},
)
"""What windows that are played by keys have where they have not the layout's keys, the likeliest first: in many Enter
does more than turn a cell, so it comes last of those with arrows. Letters come after all of these, because they are
names of commands in windows that have arrows."""

KEYS_UNPROVEN, KEYS_OF_TRY = (0, 0, 1, 2, 3, 4), (0, 0, 0, 1, 2, 3, 4)
"""Which keys (0: the layout's, from 1: those that are usual and others) a window is played with that is known to be
played by keys, at first on a board; and which each try uses while nothing is known."""

FROM_CORNER = 2
"""The try at which the cursor is not believed to be where it seems to be."""

NOTED = "keys"
"""Under this a reading keeps, as ``known``, which keys were seen to turn cells of its board, as ``tried``, which were
tried last and at what ``progress``, and as ``astray`` how far the board had come whenever cells had gone too far; as
``asked`` the cell that looked locked and was turned all the same, and as ``open`` whether it was; as ``right`` the
cells that were seen to show their numbers, and as ``turning`` those that the next move turns; as ``pad`` where the
buttons of numbers beside the board are; as ``moved`` which of ``REELS`` was tried last, and at what progress, as
``reel`` which of them was seen to move candidates, and as ``down`` whether it moves them down, and not up; as
``called`` the cell a click on which may call its numbers, as ``plain`` the picture and the progress before it, and as
``popped`` where the numbers have come."""

WAYS: dict[Kind, int] = dict.fromkeys(KINDS, 2) | {"click": 3, "keys": 8}
"""How often known controls are tried in one way or another before others are …"""

DISTRUST = 3
"""The try with keys at which a cell of another colour is no longer taken for the cursor; a frame is until the last."""

UNPROVEN: Mapping[Kind, int] = WAYS | {"keys": 6}
"""… and how often where they have not done anything yet on this board: the layout may speak of another window."""

TURN, BACK, UNLOCK = "turn cells", "turn cells around that went too far", "unlock cells"

FIRST, GROWTH = 4, 2
"""A move makes up to so many turns at first, and so many for each one made already: what was seen to work is done by
the dozen. A single turn of every cell that needs one at least is done at once."""

APART = 8
"""A cell is not clicked again before so many others were, as far as there are others: windows lose clicks on a cell
that still turns, and turning takes up to a third of a second."""

DRAWN = 0.4
"""Of a cell's height, how far it is drawn up or down: short of the next cell."""

ASTRAY = 2
"""Clicks that brought cells past their numbers so often were right, and the order of the candidates is another one than
it seems: from then on every cell is looked at after each of its turns."""

LOOKS = 2
"""How often the cursor is brought away from the last cell, to see what stands there."""

MOST_BY_KEYS = 16
"""Turns that a move by keys makes at most: where one arrow is lost, all that comes after it turns other cells."""


# --- how far a picture has come --------------------------------------------------------------------------------------


def progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """The unit is a turn: of those that were wanted when the board was read, how many have been made. ``wrong``: turns
    by which cells are farther from their number than they were then, because they went past it or were right; so every
    turn brings ``done - wrong`` up by one. Where the window does not show the order of the candidates, a cell counts as
    one turn, however many it takes. A board that was right when it was read is done, cell by cell; one of which the
    cursor hides a cell is not, until that was seen. Of what words lie over, cells count as right that were right before
    or were turned last. Numbers that a click has called hide the board: it is as it was before.
    """
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    called, popped, (plain, before) = noted.get("called"), noted.pop("popped", None), noted.get("plain", (image, None))
    if called is not None and before is not None and plain.shape == image.shape:
        at = pad.popped(image, plain, reading.places[called], puzzle.rows[called[0]][called[1]])
        if at:
            noted["popped"] = at
            return cast(Progress, before)
    found = _progress(reading, puzzle, solution, image)
    if found.present and (called is None or popped):
        noted["plain"] = image, found
    return found


def _progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """The progress that a picture shows in which nothing lies over the board but words."""
    once = _hides_order(reading)
    first = _turns(puzzle.rows, solution, once)
    total = sum(first.values())
    seen = reader.state(image, reading, puzzle)
    if not seen.present:
        return Progress(False, 0, total or puzzle.size**2, 0)
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    right: set[Cell] = noted.setdefault("right", set())
    left = _left(seen, solution, first, once, noted)
    if not seen.covered:
        right ^= {cell for cell, n in left.items() if cell not in seen.doubtful and (n == 0) != (cell in right)}
    done = sum(n - left[cell] for cell, n in first.items() if left[cell] <= n) if total else puzzle.size**2
    if total and done == total and _hidden(seen, puzzle) is not None:
        done -= 1
    return Progress(True, done, total or puzzle.size**2, sum(_too_far(first, left).values()), seen)


def _hidden(seen: State, puzzle: Puzzle) -> Cell | None:
    """The cell under the cursor, where its frame lies over the numbers so that nobody sees which one is active."""
    at = seen.cursor
    return at if at is not None and at in seen.doubtful and len(puzzle.rows[at[0]][at[1]]) > 1 else None


def _turns(rows: Sequence[Sequence[Sequence[int]]], solution: Solution, once: bool) -> dict[Cell, int]:
    """How many turns each cell is from its number; ``once``: no more than one is known of."""
    found = {(r, c): cell.index(solution[r][c]) for r, row in enumerate(rows) for c, cell in enumerate(row)}
    return {cell: min(n, 1) for cell, n in found.items()} if once else found


def _left(
    seen: State, solution: Solution, first: Mapping[Cell, int], once: bool, noted: Mapping[str, Any]
) -> dict[Cell, int]:
    """How many turns each cell is from its number now. One that was right when the board was read and is not to be made
    out now is taken to be as it was: words that tell of a win may lie over it; and so is what was turned last."""
    left = _turns(seen.rows, solution, once)
    left |= {cell: 0 for cell in seen.doubtful if not first[cell] and cell != seen.cursor}
    under = seen.covered if seen.covered <= noted.get("right", set()) | noted.get("turning", set()) else ()
    return left | dict.fromkeys(under, 0)


def _too_far(first: Mapping[Cell, int], left: Mapping[Cell, int]) -> dict[Cell, int]:
    """For cells that went past their number, the turns until they stand again as they did at first. What went too far
    counts for nothing else: its wanted turns are done anew."""
    return {cell: left[cell] - n for cell, n in first.items() if left[cell] > n}


def _hides_order(reading: Reading[Puzzle]) -> bool:
    """Whether the order of the turns is not to be seen: every number keeps a place of its own in its cell, say."""
    board = reading.extra.get("board")
    return board is not None and bool(board.sheet.orderless)


# --- what to do next -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """What is left to do. ``left``: the turns of every cell that does not show its number. ``back``: of these, cells
    that went too far, and the turns to where they were at first. ``free``, ``held``: all of them, by whether they look
    locked. ``size``: how many turns a move may make. ``begun``: whether any was made. ``astray``: whether some were
    made that were not wanted. ``cursor``: where keys would turn a cell. ``pad``: the buttons of the numbers.
    ``down``: which way candidates are moved."""

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
        """Whether the number that a cell is to show is near its middle."""
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
        return Click(self.places[cell].centre), Keys(tuple(str(self.wanted(cell))))

    def choosing_all(self, cells: Sequence[Cell], kind: Kind) -> tuple[Gesture, ...]:
        """What makes cells show their numbers; a number that was chosen before is not chosen again."""
        if kind != "palette":
            return tuple(gesture for cell in cells for gesture in self.choosing(cell, kind))
        chosen = sorted(cells, key=self.wanted)
        again = [k > 0 and self.wanted(cell) == self.wanted(chosen[k - 1]) for k, cell in enumerate(chosen)]
        return tuple(g for cell, same in zip(chosen, again, strict=True) for g in self.choosing(cell, kind)[same:])

    def moving(self, cell: Cell, kind: Kind) -> Gesture:
        """What moves the candidates of a cell by one, up or down."""
        box = self.places[cell]
        (x, y), far = box.centre, max(round(DRAWN * box.height), 1)
        if kind == "wheel":  # turned towards the person, it moves up what is under the pointer
            return Wheel((x, y), 1 if self.down else -1)
        return Drag(((x, y), (x, y + far if self.down else y - far)))

    def turning(self, cell: Cell, n: int) -> list[str]:
        """The keys that turn the cell in which the cursor stands by ``n``, or choose its number."""
        return list(str(self.wanted(cell))) if self.keys.rotate == NUMBER else [self.keys.rotate] * n


def plan(
    reading: Reading[Puzzle],
    puzzle: Puzzle,
    solution: Solution,
    progress: Progress,
    layout: Layout,
    attempt: int = 0,
) -> list[Move]:
    """First what went too far is turned around, then what is free is turned, then what is locked is unlocked. A cell
    that shows its number is left alone, locked or not. Empty when all do, and when every way was tried in vain.

    Raises UsageError where the layout names controls that Cross Set does not have.
    """
    if layout.controls not in ("unknown", *KINDS):
        raise UsageError(f"Cross Set is played by {', '.join(KINDS)}, not by '{layout.controls}': change the layout")
    if not isinstance(progress.state, State):
        return []
    moves = _planned(reading, puzzle, solution, progress, layout, attempt)
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    if "popped" not in noted:
        noted["called"] = moves[0].cells[0] if moves and _may_call(moves[0], layout) else None
    if moves and not progress.state.covered:
        noted["turning"] = set(moves[0].cells)
    return moves


def _may_call(move: Move, layout: Layout) -> bool:
    """Whether numbers may come after this move, for its cell: clicks on a single one, while no other way is known."""
    kinds = ("click", "popup") if layout.controls in ("unknown", "popup") else ()
    return move.controls in kinds and len(set(move.cells)) == 1


def _planned(
    reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, progress: Progress, layout: Layout, attempt: int
) -> list[Move]:
    known = None if layout.controls == "unknown" else cast(Kind, layout.controls)
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    _note_keys(noted, progress)
    _note_astray(noted, progress)
    _note_open(noted, progress.state, solution)
    _note_reel(noted, progress)
    if known is None:
        known = "keys" if "known" in noted else noted.get("reel")

    def task(kind: Kind, keys: Mapping[str, str] | None = None) -> _Task:
        return _task(reading, puzzle, solution, progress, layout, kind, keys, noted)

    if not task("click").left:
        hidden = _hidden(progress.state, puzzle)
        return [] if hidden is None or attempt >= LOOKS else [_away(task("keys"), puzzle, hidden)]
    if "popped" in noted:
        called = noted["called"]
        rest = {cell: n for cell, n in task("popup").left.items() if cell != called}
        return [_choice(task("popup"), called, noted["popped"]), *_rest(rest, task("popup"), "popup")]
    ways = 0 if known is None else WAYS[known] if progress.done or progress.wrong else UNPROVEN[known]
    if known in AT_PAD and not _pad(reading, puzzle):
        known, ways = None, 0  # the layout speaks of buttons that are not there
    if known is not None and attempt < ways:
        if known == "click":
            return _by_clicks(task(known), attempt, noted)
        if known in REELS:
            return _by_reels(task(known), known, attempt, noted)
        if known == "popup":
            return _rest(task(known).left, task(known), known)
        if known != "keys":
            return _by_number(task(known), known, attempt)
        at_keys = task(known, _keys_to_try(noted, progress, layout, attempt))
        return _naming_keys(_by_keys(at_keys, attempt), at_keys)
    trials = [trial for trial in _trials(bool(_pad(reading, puzzle))) if trial[0] != known]
    at = attempt - ways
    if at >= len(trials):
        return []
    kind, again = trials[at]
    keys = _keys(layout, KEYS_OF_TRY[again]) if kind == "keys" else None
    if kind == "keys":
        noted |= {"tried": keys, "progress": progress.done}
    if kind in REELS:
        noted |= {"down": bool(again), "moved": (kind, progress.done, progress.wrong)}
    trying = task(kind, keys)
    return _naming_keys(_tried(trying, kind, again, at), trying)


def _trials(at_pad: bool) -> tuple[tuple[Kind, int], ...]:
    """What is tried one after another while the controls are not known."""
    return (*TRIALS[:1], *((kind, 0) for kind in AT_PAD if at_pad), *TRIALS[1:])


def _pad(reading: Reading[Puzzle], puzzle: Puzzle) -> Mapping[int, Point]:
    """The buttons of numbers beside the board, in the picture in which it was read: looked for once."""
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    if "pad" not in noted:
        noted["pad"] = pad.find(reading.image, reading.places.values(), puzzle.size)
    found: Mapping[int, Point] = noted["pad"]
    return found


def _naming_keys(moves: list[Move], task: _Task) -> list[Move]:
    """The moves, with the keys that those by keys try: what turns a cell is not pressed for the next level."""
    keys = {key: getattr(task.keys, key) for key in ("rotate", "lock", *LETTERS)}
    return [replace(move, keys=keys) if move.controls == "keys" else move for move in moves]


def _keys(layout: Layout, which: int) -> Mapping[str, str]:
    """The keys that turn and lock a cell, and what moves the cursor where the layout's keys do not: 0: the layout's,
    from 1: the others that are usual; the last ones again where these are fewer."""
    own = {"rotate": layout.keys.rotate, "lock": layout.keys.lock}
    ways = {key: getattr(layout.keys, key) for key in LETTERS}
    others = [keys for keys in USUAL_KEYS if {**ways, **keys, "lock": ""} != {**ways, **own, "lock": ""}]
    return [own, *others][min(which, len(others))]


def _note_keys(noted: dict[str, Any], progress: Progress) -> None:
    """Remember the keys that were tried last, if cells have come nearer to their numbers since."""
    if progress.done > noted.get("progress", progress.done):
        noted["known"] = noted["tried"]


def _note_reel(noted: dict[str, Any], progress: Progress) -> None:
    """Remember what moved the candidates of a cell when it was tried last; the other way, where they moved too far."""
    kind, done, wrong = noted.pop("moved", (None, progress.done, progress.wrong))
    if (progress.done, progress.wrong) != (done, wrong):
        noted |= {"reel": kind, "down": noted["down"] != (progress.wrong > wrong)}


def _note_astray(noted: dict[str, Any], progress: Progress) -> None:
    """Remember how often cells were seen to stand farther from their numbers than at first."""
    if progress.wrong:
        noted["astray"] = noted.get("astray", frozenset()) | {(progress.done, progress.wrong)}


def _note_open(noted: dict[str, Any], state: State, solution: Solution) -> None:
    """Remember that a cell which looked locked was turned as it stood: then none is."""
    r, c = noted.get("asked", (0, 0))
    noted["open"] = noted.get("open", False) or ("asked" in noted and state.rows[r][c][0] == solution[r][c])


def _keys_to_try(noted: dict[str, Any], progress: Progress, layout: Layout, attempt: int) -> Mapping[str, str]:
    """Which keys a window is played with that is known to be played by keys: those that turned cells of this board, or,
    where nothing has turned any yet, one after another."""
    begun = "known" in noted or progress.done or progress.wrong
    keys: Mapping[str, str] = noted.get("known", _keys(layout, 0)) if begun else _keys(layout, KEYS_UNPROVEN[attempt])
    noted |= {"tried": keys, "progress": progress.done}
    return keys


def _task(
    reading: Reading[Puzzle],
    puzzle: Puzzle,
    solution: Solution,
    progress: Progress,
    layout: Layout,
    kind: Kind,
    keys: Mapping[str, str] | None,
    noted: Mapping[str, Any],
) -> _Task:
    state: State = progress.state
    once = _hides_order(reading) or (kind in ("click", *REELS) and len(noted.get("astray", ())) >= ASTRAY)
    first = _turns(puzzle.rows, solution, once)
    now = _left(state, solution, first, once, noted)
    left = {cell: n for cell, n in now.items() if n}
    locked, cursor = state.locked, state.cursor
    single = {(r, c) for r, row in enumerate(puzzle.rows) for c, cell in enumerate(row) if len(cell) == 1}
    lone = frozenset({state.lone}) if state.lone else locked
    if kind == "keys" and cursor is None and len(lone) == 1 and lone != single:
        # A cursor may be a cell of another colour, and then looks like a lock; but some windows lock single candidates.
        cursor, locked = next(iter(lone)), locked - lone
    if kind != "keys":
        # Nothing was locked since: windows colour lines that are right, and the cell that was clicked last.
        locked &= reading.extra.get("locked", locked)
    if noted.get("open"):
        locked = frozenset()
    free = {cell: n for cell, n in left.items() if cell not in locked}
    size = len(left) if once and progress.done else max(GROWTH * progress.done, FIRST)
    return _Task(
        state=state,
        solution=solution,
        places=reading.places,
        keys=layout.keys.model_copy(update=keys),
        once=once,
        size=min(size, MOST_BY_KEYS) if kind == "keys" else size,
        begun=bool(progress.done or progress.wrong),
        astray=bool(progress.wrong),
        left=left,
        back={cell: n for cell, n in _too_far(first, now).items() if cell in free} if not once else {},
        free=free,
        held={cell: n for cell, n in left.items() if cell in locked},
        cursor=cursor,
        pad=_pad(reading, puzzle) if kind in AT_PAD else {},
        down=noted.get("down", False),
    )


def _tried(task: _Task, kind: Kind, again: int, at: int) -> list[Move]:
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
        if kind in REELS:  # the other way around it would come to another number than the one that is wanted
            cell = min(nearest, key=lambda each: len(task.state.rows[each[0]][each[1]]) == 2)
        if kind == "type":  # far from where a cursor may be, in which the key would choose the number without the click
            cell = max(pool, key=lambda each: (min(_steps(each, at) for at in {(0, 0), task.cursor or (0, 0)}), each))
        n = pool[cell]
        gestures: tuple[Gesture, ...]
        if kind == "click":
            unlock = [Click(task.places[cell].centre, "right")] * (again > 1 and cell in task.held)
            gestures = (*unlock, *[Click(task.places[cell].centre)] * n)
        elif kind in REELS:
            gestures = (task.moving(cell, kind),) * n
        elif kind == "keys":
            gestures = (Keys((*_way(task, start, cell), *task.turning(cell, n))),)
        else:
            gestures = task.choosing(cell, kind)
        how = {
            "click": "a click",
            "pick": "a click on the number",
            "type": "a click and the number's key",
            "pair": "a click and the number's button",
            "palette": "the number's button and a click",
            "drag": f"a drag {'down' if task.down else 'up'}",
            "wheel": f"the wheel, {'away from' if task.down else 'towards'} the person",
            "keys": f"the {'number' * (keys.rotate == NUMBER)}key{f' {keys.rotate}' * (keys.rotate != NUMBER)}",
        }[kind]
        move = Move(f"{task.name(cell)} by {how}, try {at + 1}", gestures, (cell,) * n, kind)
        done = {cell: n}
    rest = {cell: n for cell, n in task.left.items() if cell not in done}
    return [move, *_rest(rest, task, kind)]


def _rest(turns: Mapping[Cell, int], task: _Task, kind: Kind) -> list[Move]:
    """The moves that are left after the next one, as far as can be said now."""
    if kind == "popup":
        return [move for cell in turns for move in (_call(task, cell), _choice(task, cell))]
    moves = []
    left = dict(turns)
    while left:
        batch = _batch(list(left.items()), task.size)
        if kind == "click":
            gestures = _clicks(batch, task.places)
        elif kind in REELS:
            gestures = _by_turns(batch, lambda cell: task.moving(cell, kind))
        elif kind == "keys":
            gestures = _key_presses(batch, task, None)
        else:
            gestures = task.choosing_all(list(batch), kind)
        moves.append(Move(TURN, gestures, _cells(batch), kind))
        left = {cell: n for cell, n in left.items() if cell not in batch}
    return moves


# --- by clicks -------------------------------------------------------------------------------------------------------


def _by_clicks(task: _Task, attempt: int, noted: dict[str, Any]) -> list[Move]:
    """Many cells at once; then a single one; then a single one that is unlocked first, for it may be locked without
    looking so. What looks locked is turned first, a single one, then all of it unlocked: colours mean other things in
    some windows, and the right button does more in them than to unlock."""
    pool = task.back or task.free or task.held
    order = tour(tuple(pool), tuple(task.places[cell].centre for cell in pool), None, False)
    move: Move
    if attempt == 0 and pool == task.held:
        noted["asked"] = order[0]
    if attempt == 1 and pool == task.held:
        clicks = tuple(Click(task.places[cell].centre, "right") for cell in order)
        return [Move(_job(UNLOCK, order, task), clicks, order, "click"), *_rest(task.held, task, "click")]
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
    return [move, *_rest({cell: n for cell, n in after.items() if n}, task, "click")]


def _job(job: str, cells: Sequence[Cell], task: _Task) -> str:
    """What a move with many cells is called. Where the order is not seen, nor that cells came nearer to their numbers,
    the name is another one once they have turned: so it shows that something was done."""
    if not task.once:
        return job
    shown = ", ".join(f"{name(cell)} shows {task.state.active(cell)}" for cell in cells[:4])
    return f"{job} ({len(cells)}, where {shown}{' …' * (len(cells) > 4)})"


def _clicks(turns: Mapping[Cell, int], places: Mapping[Cell, Box]) -> tuple[Gesture, ...]:
    """Clicks on cells, as often as it says."""
    return _by_turns(turns, lambda cell: Click(places[cell].centre))


def _by_turns(turns: Mapping[Cell, int], turn: Callable[[Cell], Gesture]) -> tuple[Gesture, ...]:
    """Cell after cell, a few taking turns: see ``APART``."""
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


def _by_reels(task: _Task, kind: Kind, attempt: int, noted: dict[str, Any]) -> list[Move]:
    """Many cells at once, moved the way that was seen to turn them, up where none was; then a single one, and the other
    way where nothing has turned yet."""
    if attempt and not task.begun:
        noted["down"] = not task.down
        task = replace(task, down=not task.down)
    pool = task.back or task.left
    order = tour(tuple(pool), tuple(task.places[cell].centre for cell in pool), None, False)
    batch = _batch([(cell, pool[cell]) for cell in order], 1 if attempt else task.size)
    job = task.name(order[0]) if attempt else _job(BACK if task.back else TURN, tuple(batch), task)
    after = {cell: n - batch.get(cell, 0) for cell, n in task.left.items()}
    move = Move(job, _by_turns(batch, lambda cell: task.moving(cell, kind)), _cells(batch), kind)
    return [move, *_rest({cell: n for cell, n in after.items() if n}, task, kind)]


def _by_number(task: _Task, kind: Kind, attempt: int) -> list[Move]:
    """Many cells at once, each by its number; then a single one. Nothing is locked in such windows."""
    order = tour(tuple(task.left), tuple(task.places[cell].centre for cell in task.left), None, False)
    turns = [(cell, task.left[cell]) for cell in order]
    batch = _batch(turns, 1 if attempt else task.size)
    job = task.name(order[0]) if attempt else _job(TURN, tuple(batch), task)
    gestures = task.choosing_all(list(batch), kind)
    rest = {cell: n for cell, n in turns if cell not in batch}
    return [Move(job, gestures, _cells(batch), kind), *_rest(rest, task, kind)]


def _call(task: _Task, cell: Cell) -> Move:
    """A click that makes the numbers of a cell come up."""
    return Move(f"call the numbers of {name(cell)}", (Click(task.places[cell].centre),), (cell,), "popup")


def _choice(task: _Task, cell: Cell, at: Mapping[int, Point] | None = None) -> Move:
    """A click on the number that is wanted; ``at``: where the numbers that were called stand, None as long as none have
    come."""
    gestures = (Click(at[task.wanted(cell)]),) if at else ()
    return Move(f"choose {task.wanted(cell)} for {name(cell)}", gestures, (cell,), "popup")


# --- by keys ---------------------------------------------------------------------------------------------------------


def _by_keys(task: _Task, attempt: int) -> list[Move]:
    """Many cells in a move, which begins where the cursor is seen. When keys got lost other cells are turned: then the
    cursor is brought to a single cell, looked at, and only then the cell is turned. In the end it is not trusted that
    the cursor is where it seems to be, nor that a cell is free that looks so."""
    if task.cursor is None and not attempt and not task.begun:
        return [_show_cursor(task), *_rest(task.left, task, "keys")]
    pool = task.back or task.free or task.held
    guessed = task.state.cursor is None
    start = None if attempt == WAYS["keys"] - 1 or (guessed and attempt == DISTRUST) else task.cursor
    order = tour(tuple(pool), tuple(pool), start or (0, 0), True)
    move: Move
    if not attempt and not task.astray:
        if pool == task.held:
            presses = _key_presses(dict.fromkeys(order, 1), task, start, task.keys.lock)
            return [Move(_job(UNLOCK, order, task), presses, order, "keys"), *_rest(task.held, task, "keys")]
        batch = _batch([(cell, pool[cell]) for cell in order], task.size)
        job = _job(TURN, tuple(batch), task)
        move = Move(job, _key_presses(batch, task, start), _cells(batch), "keys")
    else:
        cell = min(pool, key=lambda each: (_steps(start or (0, 0), each), each))
        if start not in (None, cell):
            way = Keys(tuple(_way(task, start, cell)))
            return [Move(f"bring the cursor to {name(cell)}", (way,), (cell,), "keys"), *_rest(task.left, task, "keys")]
        batch = {cell: pool[cell]}
        unlock = [task.keys.lock] if (attempt == WAYS["keys"] - 2) != (cell in task.held) else []
        presses = (Keys((*_way(task, start, cell), *unlock, *task.turning(cell, batch[cell]))),)
        job = f"{'unlock and ' * bool(unlock)}{task.name(cell)}{f', try {attempt + 1}' * (attempt > 1)}"
        move = Move(job, presses, _cells(batch), "keys")
    after = {cell: n - batch.get(cell, 0) for cell, n in task.left.items()}
    return [move, *_rest({cell: n for cell, n in after.items() if n}, task, "keys")]


def _away(task: _Task, puzzle: Puzzle, cell: Cell) -> Move:
    """The cursor goes where it can hide nothing, or least."""

    def worth(other: Cell) -> tuple[int, int]:
        return len(puzzle.rows[other[0]][other[1]]), _steps(cell, other)

    to = min((other for other in task.places if other != cell), key=worth)
    return Move(f"bring the cursor away from {name(cell)}", (Keys(tuple(_way(task, cell, to))),), (cell,), "keys")


def _show_cursor(task: _Task) -> Move:
    """Some windows show their cursor only once an arrow was pressed."""
    return Move("show the cursor", (Keys((task.keys.right,)),), ((0, 0),), "keys")


def _key_presses(
    turns: Mapping[Cell, int], task: _Task, start: Cell | None, key: str | None = None
) -> tuple[Gesture, ...]:
    """From cell to cell, each turned (or ``key`` pressed) as often as it says."""
    found: list[Gesture] = []
    for cell, n in turns.items():
        found.append(Keys((*_way(task, start, cell), *([key] * n if key else task.turning(cell, n)))))
        start = cell
    return tuple(found)


def _way(task: _Task, start: Cell | None, to: Cell) -> list[str]:
    """The arrows from cell to cell, never over the board's edge, beyond which the cursor may come in again. Where it
    starts is not known, it goes to the first corner before that: this works where edges stop it."""
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


# --- amounts and ways ------------------------------------------------------------------------------------------------


def _batch(turns: Sequence[tuple[Cell, int]], size: int) -> dict[Cell, int]:
    """The first cells, with about ``size`` turns in all."""
    found: dict[Cell, int] = {}
    for cell, n in turns:
        if sum(found.values()) >= size:
            break
        found[cell] = n
    return found


def _cells(turns: Mapping[Cell, int]) -> tuple[Cell, ...]:
    """A cell for each turn."""
    return tuple(cell for cell, n in turns.items() for _ in range(n))
