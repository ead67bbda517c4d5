"""Plans the gestures for a solution, and tells from a later picture of the window how far they have come. The state of
the cells in a picture is read in ``turning``; this module compares it with the solution and chooses the next move.

Windows are played in one of thirteen ways, and a picture hardly shows in which:

- ``click``: the left button turns a cell, the right one locks it
- ``pick``: a click on a candidate makes it the active one
- ``type``: a click chooses a cell, and a number key its candidate
- ``keys``: arrows move a cursor, one key turns, one locks; or a number key chooses the candidate
- ``pair``: a click chooses a cell, and one on a number beside the board its candidate
- ``palette``: a click chooses a number beside the board, and one on a cell assigns it to the cell
- ``carry``: a number beside the board is dragged onto a cell
- ``popup``: a click on a cell opens a list of its numbers, and one on a number assigns it to the cell
- ``drag``: a cell is dragged up or down like a reel
- ``swipe``: a cell is dragged to the side
- ``wheel``: the mouse wheel turns a cell
- ``double``: a double click turns a cell
- ``right``: the right button turns a cell

Until the way is known, a single cell is turned by each of them in turn, and by the usual keys. Drags, the wheel and
double clicks are tried in one move, each on a cell of its own. The right button comes last, because it may open a menu.
Numbers that a click opens are only detected once they appear. A turn moves the first candidate of a cell to the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Cell, Image, Point
from autoplayer.core.remembered import Same, remembered
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.cross_set.playing import turning
from autoplayer.games.cross_set.playing.moves import (
    KINDS,
    REELS,
    SAMPLES,
    WAYS,
    Kind,
    Task,
    away,
    by_clicks,
    by_keys,
    by_number,
    by_reels,
    choice,
    remaining,
    sampled,
    tried,
)
from autoplayer.games.cross_set.playing.turning import State
from autoplayer.games.cross_set.puzzle import Puzzle, Solution
from autoplayer.games.cross_set.seeing import pad
from autoplayer.layout import NUMBER, Layout

TRIALS: tuple[tuple[Kind | Literal["samples"], int], ...] = (
    ("click", 0),
    ("click", 1),
    ("pick", 0),
    ("keys", 0),
    ("keys", 1),
    ("samples", 0),
    ("keys", 2),
    ("type", 0),
    ("keys", 3),
    ("keys", 4),
    ("keys", 5),
    ("keys", 6),
    ("click", 2),
    ("right", 0),
)
"""What is tried while the controls are not known: the kind and the try. Clicks come first, twice because one may be
lost. Of the tries with keys the first shows a cursor that hides until a key is pressed, the third goes to the corner
first, in case that what was taken for the cursor is none, and the last ones use other keys. The samples come as often
as it takes to try each of ``SAMPLES`` on a cell of its own."""


AT_PAD: tuple[Kind, ...] = ("pair", "palette", "carry")
"""What is tried after the first click where numbers stand beside the board like buttons."""

LETTERS = {"up": "w", "left": "a", "down": "s", "right": "d"}
"""The keys that move the cursor in windows that do not use the arrows."""

USUAL_KEYS: tuple[Mapping[str, str], ...] = (
    {"rotate": "space", "lock": "x"},
    {"rotate": NUMBER, "lock": "x"},
    {"rotate": "enter", "lock": "space"},
    {"rotate": "space", "lock": "x", **LETTERS},
    {"rotate": NUMBER, "lock": "x", **LETTERS},
)
"""The keys of windows that are played by keys but do not use the layout's keys, the likeliest first. In many windows
Enter does more than turn a cell, so it comes last among the sets with arrows. Letters come after all of these, because
they are commands in windows that have arrows."""

KEYS_UNPROVEN, KEYS_OF_TRY = (0, 0, 1, 2, 3, 4), (0, 0, 0, 1, 2, 3, 4)
"""Which keys (0: the layout's, from 1: those that are usual and others) a window is played with that is known to be
played by keys, at first on a board; and which each try uses while nothing is known."""


NOTED = "keys"
"""The key under which a reading keeps what was learned while playing:

- ``known``: which keys were seen to turn cells of its board
- ``tried``: which keys were tried last, and at what ``progress``
- ``astray``: the progress whenever cells had gone too far
- ``asked``: the cell that looked locked and was turned all the same; ``open``: whether it could be turned
- ``right``: the cells that were seen to show their numbers
- ``aimed``: the cell that a click was to turn, and the number under it; ``picks``: whether such a click picked that
- ``turning``: the cells that the next move turns; ``turned``: those turned that could not be read since
- ``pad``: the positions of the number buttons beside the board
- ``sampled``: for cells, which of ``REELS`` was tried on them last, whether in the other direction, and their
  candidates before
- ``reel``: which of ``REELS`` was seen to move candidates; ``down``: whether it moves them in the other direction
- ``called``: the cell a click on which may open its numbers; ``plain``: the picture and the progress before it;
  ``popped``: the positions at which the numbers appeared
"""


UNPROVEN: Mapping[Kind, int] = WAYS | {"keys": 6}
"""How often known controls are tried where they have not done anything yet on this board: the layout may speak of
another window."""


FIRST, GROWTH = 4, 2
"""The first move makes up to ``FIRST`` turns; each later move up to ``GROWTH`` for each turn made already: what has
worked is done in larger batches. A single turn of every cell that needs one at least is done at once."""


ASTRAY = 2
"""After clicks have brought cells past their numbers this often, the order of the candidates is taken to differ from
the one that was read: from then on every cell is looked at after each of its turns."""

LOOKS = 2
"""How often the cursor is moved away from the last cell, to see what stands there."""

MOST_BY_KEYS = 16
"""Turns that a move by keys makes at most: where one arrow is lost, all that comes after it turns other cells."""


# --- how far a picture has come --------------------------------------------------------------------------------------


def progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """The unit is a turn: ``done`` counts the turns made of those that were wanted when the board was read. ``wrong``:
    turns by which cells are farther from their number than they were then, because they went past it or had been right;
    so every turn raises ``done - wrong`` by one. Where the window does not show the order of the candidates, a cell
    counts as one turn, however many it takes. A board that was right when it was read is done, cell by cell; but not
    while the cursor hides a cell that was not yet seen. Cells covered by words count as right if they were right before
    or were turned last. While numbers that a click has opened hide the board, the progress stays as it was before."""
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    called, popped, (plain, before) = noted.get("called"), noted.pop("popped", None), noted.get("plain", (image, None))
    if called is not None and before is not None and plain.shape == image.shape:
        at = pad.popped(image, plain, reading.places[called], puzzle.rows[called[0]][called[1]], puzzle.size)
        if at:
            noted["popped"] = at
            return cast(Progress, before)
    found = _progress(reading, puzzle, solution, image)
    if found.present and (called is None or popped):
        noted["plain"] = image, found
    return found


@remembered
def _seen(image: Image, reading: Same[Reading[Puzzle]], puzzle: Puzzle) -> State:
    return turning.state(image, reading.value, puzzle)


def _progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """The progress that a picture shows in which nothing lies over the board but words."""
    once = _hides_order(reading)
    first = _turns(puzzle.rows, solution, once)
    total = sum(first.values())
    seen = _seen(image, Same(reading), puzzle)
    if not seen.present:
        return Progress(False, 0, total or puzzle.size**2, 0)
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    right: set[Cell] = noted.setdefault("right", set())
    left = _left(seen, solution, first, once, noted)
    if not seen.covered:
        right ^= {cell for cell, n in left.items() if cell not in seen.doubtful and (n == 0) != (cell in right)}
        turned: set[Cell] = noted.setdefault("turned", set())
        turned |= noted.get("turning", set())
        turned &= seen.doubtful
    done = sum(n - left[cell] for cell, n in first.items() if left[cell] <= n) if total else puzzle.size**2
    if total and done == total and _hidden(seen, puzzle) is not None:
        done -= 1
    return Progress(True, done, total or puzzle.size**2, sum(_too_far(first, left).values()), seen)


def _hidden(seen: State, puzzle: Puzzle) -> Cell | None:
    """The cell under the cursor, where the cursor's frame covers the numbers so that the active one cannot be told."""
    at = seen.cursor
    return at if at is not None and at in seen.doubtful and len(puzzle.rows[at[0]][at[1]]) > 1 else None


def _turns(rows: Sequence[Sequence[Sequence[int]]], solution: Solution, once: bool) -> dict[Cell, int]:
    """How many turns each cell is from its number; ``once``: no more than one is known of."""
    found = {(r, c): cell.index(solution[r][c]) for r, row in enumerate(rows) for c, cell in enumerate(row)}
    return {cell: min(n, 1) for cell, n in found.items()} if once else found


def _left(
    seen: State, solution: Solution, first: Mapping[Cell, int], once: bool, noted: Mapping[str, Any]
) -> dict[Cell, int]:
    """How many turns each cell is from its number now. A cell that was right when the board was read and cannot be read
    now (a message about a win may cover it) is taken to be unchanged; so is what was turned last."""
    left = _turns(seen.rows, solution, once)
    left |= {cell: 0 for cell in seen.doubtful if not first[cell] and cell != seen.cursor}
    told = noted.get("right", set()) | noted.get("turning", set()) | noted.get("turned", set())
    under = seen.covered if seen.covered <= told else ()
    return left | dict.fromkeys(under, 0)


def _too_far(first: Mapping[Cell, int], left: Mapping[Cell, int]) -> dict[Cell, int]:
    """For cells that went past their number, the turns until they stand again as they did at first. What went too far
    counts for nothing else: its wanted turns are done anew."""
    return {cell: left[cell] - n for cell, n in first.items() if left[cell] > n}


def _hides_order(reading: Reading[Puzzle]) -> bool:
    """Whether the order of the turns cannot be seen, as where every number keeps a fixed position in its cell."""
    board = reading.extra.get("board")
    return board is not None and bool(board.sheet.orderless or board.sheet.open_order)


# --- what to do next -------------------------------------------------------------------------------------------------


def plan(
    reading: Reading[Puzzle],
    puzzle: Puzzle,
    solution: Solution,
    progress: Progress,
    layout: Layout,
    attempt: int = 0,
) -> list[Move]:
    """First, cells that went too far are turned around; then free cells are turned; then locked ones are unlocked. A
    cell that shows its number is left alone, locked or not. Empty when all cells do, and when every way was tried in
    vain.

    Raises UsageError where the layout names controls that Cross Set does not have.
    """
    if layout.controls not in ("unknown", *KINDS):
        raise UsageError(f"Cross Set is played by {', '.join(KINDS)}, not by '{layout.controls}': change the layout")
    if not isinstance(progress.state, State):
        return []
    moves = _planned(reading, puzzle, solution, progress, layout, attempt)
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    if "popped" not in noted:
        noted["called"] = moves[0].cells[0] if moves and _may_call(moves[0]) else None
    if moves and not progress.state.covered:
        noted["turning"] = set(moves[0].cells)
    single = moves and moves[0].controls == "click" and len(set(moves[0].cells)) == 1
    noted["aimed"] = _aimed(reading, progress.state, moves[0].cells[0]) if single else None
    return moves


def _aimed(reading: Reading[Puzzle], state: State, cell: Cell) -> tuple[Cell, int] | None:
    """The cell that a click on it is about to turn, and the number that stands under that click, if it is another than
    the active one; None where none is seen there, or the order of the turns is not known."""
    at = reading.places[cell].centre
    under = [number for (of, number), place in state.places.items() if of == cell and place.contains(at)]
    seen = len(under) == 1 and under[0] != state.active(cell) and not _hides_order(reading)
    return (cell, under[0]) if seen else None


def _may_call(move: Move) -> bool:
    """Whether this move may open the numbers of its cell: after clicks on a single one."""
    return move.controls in ("click", "popup") and len(set(move.cells)) == 1


def _planned(
    reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, progress: Progress, layout: Layout, attempt: int
) -> list[Move]:
    known = None if layout.controls == "unknown" else cast(Kind, layout.controls)
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    _note_keys(noted, progress)
    _note_astray(noted, progress)
    _note_open(noted, progress.state, solution)
    _note_reel(noted, progress.state)
    _note_picked(noted, progress.state, solution)
    if known is None or known in REELS:  # of several that were tried at once the session knows the first
        known = noted.get("reel", known)
    if known is None and "known" in noted:
        known = "keys"
    known = "pick" if known is None and noted["picks"] else known

    def task(kind: Kind, keys: Mapping[str, str] | None = None) -> Task:
        return _task(reading, puzzle, solution, progress, layout, kind, keys, noted)

    if not task("click").left:
        hidden = _hidden(progress.state, puzzle)
        return [] if hidden is None or attempt >= LOOKS else [away(task("keys"), puzzle, hidden)]
    if "popped" in noted:
        called = noted["called"]
        rest = {cell: n for cell, n in task("popup").left.items() if cell != called}
        return [choice(task("popup"), called, noted["popped"]), *remaining(rest, task("popup"), "popup")]
    ways = 0 if known is None else WAYS[known] if progress.done or progress.wrong else UNPROVEN[known]
    if known in AT_PAD and not _pad(reading, puzzle):
        known, ways = None, 0  # the layout speaks of buttons that are not there
    if known is not None and attempt < ways:
        if known == "click":
            return by_clicks(task(known), attempt, noted)
        if known in REELS:
            return by_reels(task(known), known, attempt, noted)
        if known == "popup":
            return remaining(task(known).left, task(known), known)
        if known != "keys":
            return by_number(task(known), known, attempt)
        at_keys = task(known, _keys_to_try(noted, progress, layout, attempt))
        return _naming_keys(by_keys(at_keys, attempt), at_keys)
    samples = [way for way in SAMPLES if way[0] != known]
    together = len(task("drag").free or task("drag").held)
    trials = _trials(bool(_pad(reading, puzzle)), -(-len(samples) // together))
    trials = [trial for trial in trials if trial[0] != known]
    at = attempt - ways
    if at >= len(trials):
        return []
    if at:
        noted.pop("sampled", None)  # what turns from now on turns by something else
    kind, again = trials[at]
    if kind == "samples":
        moves, cells = sampled(task("drag"), samples[again * together :], at)
        noted["sampled"] = {cell: (*way, progress.state.rows[cell[0]][cell[1]]) for cell, way in cells.items()}
        return moves
    keys = _keys(layout, KEYS_OF_TRY[again]) if kind == "keys" else None
    if kind == "keys":
        noted |= {"tried": keys, "progress": progress.done}
    trying = task(kind, keys)
    return _naming_keys(tried(trying, kind, again, at), trying)


def _trials(at_pad: bool, samples: int) -> list[tuple[Kind | Literal["samples"], int]]:
    """What is tried one after another while the controls are not known; ``samples``: how many moves the samples
    take."""
    found = [*TRIALS[:1], *((kind, 0) for kind in AT_PAD if at_pad), *TRIALS[1:]]
    at = found.index(("samples", 0))
    return [*found[:at], *(("samples", k) for k in range(samples)), *found[at + 1 :]]


def _pad(reading: Reading[Puzzle], puzzle: Puzzle) -> Mapping[int, Point]:
    """The number buttons beside the board, in the picture in which it was read: searched once."""
    noted: dict[str, Any] = reading.extra.get(NOTED, {})
    if "pad" not in noted:
        noted["pad"] = pad.find(reading.image, reading.places.values(), puzzle.size)
    found: Mapping[int, Point] = noted["pad"]
    return found


def _naming_keys(moves: list[Move], task: Task) -> list[Move]:
    """The moves, with the keys that key moves try: a key that turns a cell is not pressed to reach the next level."""
    keys = {key: getattr(task.keys, key) for key in ("rotate", "lock", *LETTERS)}
    return [replace(move, keys=keys) if move.controls == "keys" else move for move in moves]


def _keys(layout: Layout, which: int) -> Mapping[str, str]:
    """The keys that turn and lock a cell, and those that move the cursor where the layout's keys do not. ``0``: the
    layout's, from ``1``: the other usual ones; the last ones again where these are fewer."""
    own = {"rotate": layout.keys.rotate, "lock": layout.keys.lock}
    ways = {key: getattr(layout.keys, key) for key in LETTERS}
    others = [keys for keys in USUAL_KEYS if {**ways, **keys, "lock": ""} != {**ways, **own, "lock": ""}]
    return [own, *others][min(which, len(others))]


def _note_keys(noted: dict[str, Any], progress: Progress) -> None:
    """Remember the keys that were tried last, if cells have come nearer to their numbers since."""
    if progress.done > noted.get("progress", progress.done):
        noted["known"] = noted["tried"]


def _note_reel(noted: dict[str, Any], state: State) -> None:
    """Remember what moved the candidates of a cell when several ways were tried; the other way, where it came to
    another number than the next one."""
    for (r, c), (kind, down, before) in noted.get("sampled", {}).items():
        active = state.rows[r][c][0]
        if active != before[0] and (r, c) not in state.doubtful | state.covered:
            noted |= {"reel": kind, "down": down != (active != before[1])}
            del noted["sampled"]
            return


def _note_astray(noted: dict[str, Any], progress: Progress) -> None:
    """Remember how often cells were seen to be farther from their numbers than at first, or than before: in a window
    that turns in the other direction, a cell of three candidates returns to its start after the turns that were
    left."""
    astray: frozenset[tuple[int, ...]] = noted.get("astray", frozenset())
    if progress.wrong:
        astray |= {(progress.done, progress.wrong)}
    if progress.done < noted.get("stood", 0):
        astray |= {(progress.done, progress.wrong, len(astray))}
    noted |= {"astray": astray, "stood": progress.done}


def _note_picked(noted: dict[str, Any], state: State, solution: Solution) -> None:
    """Remember that a cell which a click was to turn shows another number than expected, the one under the click: a
    click picks a number."""
    (r, c), under = noted.get("aimed") or ((0, 0), 0)
    noted["picks"] = noted.get("picks", False) or under == state.active((r, c)) != solution[r][c]


def _note_open(noted: dict[str, Any], state: State, solution: Solution) -> None:
    """Remember that a cell which looked locked could be turned: then no cell is locked."""
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
) -> Task:
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
    return Task(
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


# --- by clicks -------------------------------------------------------------------------------------------------------


# --- by keys ---------------------------------------------------------------------------------------------------------


# --- amounts and ways ------------------------------------------------------------------------------------------------
