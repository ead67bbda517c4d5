"""Turns a solution into gestures, and measures in a later picture how far the board has come. The state of play in
a picture is read by ``standing``; here it is compared with the solution, and the next moves are planned.

There are four kinds of mouse controls (``ways``), and nothing in a picture tells which a window has: ``drag`` from
island to island, ``side`` (a click beside an island, towards its neighbour), ``pair`` (a click on one island, then on
the other), ``click`` (on the side of an island that faces its neighbour). Until the kind is known, a single link that
the solution wants is tried with each of them, and then with ``keys`` (see ``keyboard``). Each gesture adds a link; most
windows remove both links when a third is added, so surplus links are removed in this way, or by the right button.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.core.gestures import Click, Gesture, Keys
from autoplayer.core.remembered import Same, remembered
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.hashi.playing import dropping, habits, keyboard, ways
from autoplayer.games.hashi.playing.ways import ADD, KINDS, TAKE, WORDS, Kind
from autoplayer.games.hashi.puzzle import Bridge, Puzzle, Solution
from autoplayer.games.hashi.seeing.between import standing
from autoplayer.layout import Layout

KEYS = "keys"

TOUCHES = (0, 2, 4)
"""The attempts at which islands that look pressed are pressed again. They may look so for the window's own reasons:
then the attempts in between go on without that. If this is known, each comes one attempt later."""

TOUCH = "touch islands that look touched"

FIRST, GROWTH = 4, 2
"""The number of links that a move makes at first, and for each one that stands already: once the controls are known to
work, links are made by the dozen. Pairs of clicks begin with one link: in a window with other controls they lock
islands."""

ODD_LOOK = 18.0
"""How far (of 255, in any channel) an island's inside must differ from that of comparable islands to count as pressed.
A lock in sgt-bridges is 40 away; compression changes a flat colour by at most 8."""

LIKE = 0.8
"""Of the islands in the same state, the share that must look alike before a different look among them is evidence."""

TWO_LINES = 4.0
"""Of the height of digits: the largest distance of two lines of text, between which one is empty; with a usual spacing
it is 3.3 to 3.8."""

SCROLLED = "scrolled"
"""The key under which the habits of a window keep that its board was read anew after keys that had built nothing: they
may have scrolled the page on which the numbers stand."""

FEWEST_ALIKE = 3
"""The least number of islands that must look alike."""


@dataclass(frozen=True)
class Stands:
    """The state of a progress. ``links``: the links that stand, for every bridge of the puzzle. ``odd``: islands that
    look as if they had been pressed (a lock, a selection) without any effect on the links."""

    links: Mapping[Bridge, int]
    unsure: frozenset[Bridge] = frozenset()
    odd: tuple[Cell, ...] = ()
    picture: Image | None = field(default=None, compare=False, repr=False)
    """What showed it."""


# --- how far a picture has come --------------------------------------------------------------------------------------


def progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """The number of links that stand as in the solution, of all links of the solution; ``wrong``: links that are not in
    it.

    Islands that were locked or selected by mistake are in the state, but do not count as wrong: a window may colour an
    island for reasons of its own, and a board whose links are right is done. ``instead``: the board as it began, where
    numbers that were read as what the level asks for turn out to say what remains.
    """
    wanted = _wanted(puzzle, solution)
    total = sum(wanted.values())
    noted = _noted(reading)
    seen = _standing(image, reading, puzzle)
    if seen.present and (habits.note_offered(noted, seen.links, seen.lines) or habits.note_pens(noted, seen.lines)):
        seen = _standing(image, reading, puzzle)
    if not seen.present:
        return Progress(False, 0, total, 0)
    habits.note_single(noted, seen)
    done = sum(min(seen.links[bridge], links) for bridge, links in wanted.items())
    wrong = sum(max(seen.links[bridge] - links, 0) for bridge, links in wanted.items())
    odd = _odd(puzzle, seen.links, seen.looks)
    if done == total and not wrong and seen.covered.intersection(odd):
        odd = ()  # something lies over the board, as the win's dialog, and would be pressed
    state = Stands(seen.links, seen.unsure, odd, image)
    return Progress(True, done, total, wrong, state, dropping.as_it_began(reading, puzzle, seen))


def _standing(image: Image, reading: Reading[Puzzle], puzzle: Puzzle) -> standing.Standing:
    """The state of play in ``image``, with what is known of the window's lines."""
    noted = _noted(reading)
    single = ((noted["single"], 1),) if "single" in noted else ()
    known = tuple(noted.get("offered", ())), noted.get("pens", single)
    return _seen(image, Same(reading), puzzle, *known)


@remembered
def _seen(image: Image, reading: Same[Reading[Puzzle]], puzzle: Puzzle, *known: Any) -> standing.Standing:
    return standing.standing(image, reading.value, puzzle, *known)


def inherit(reading: Reading[Puzzle], before: Reading[Puzzle]) -> None:
    """Keep the window's habits that were learned in the level ``before``."""
    growth = reading.extra["chart"].size / before.extra["chart"].size
    habits.inherit(_noted(reading), _noted(before), growth)
    board: keyboard.Keyboard | None = before.extra.get(KEYS)
    if board is not None and board.known is not None and not board.known.proven:
        _noted(reading)[SCROLLED] = True


def _noted(reading: Reading[Puzzle]) -> MutableMapping[str, Any]:
    """What is known of the window's habits (see ``habits``)."""
    return cast(MutableMapping[str, Any], cast(MutableMapping[str, Any], reading.extra).setdefault(habits.NOTED, {}))


def _wanted(puzzle: Puzzle, solution: Solution) -> dict[Bridge, int]:
    """For every bridge, in order, its number of links in the solution."""
    found = dict.fromkeys(puzzle.bridges, 0)
    for a, b, links in solution:
        found[Bridge(a, b)] = links
    return found


def _odd(puzzle: Puzzle, links: Mapping[Bridge, int], looks: Mapping[Cell, Floats]) -> tuple[Cell, ...]:
    """The islands that look different from comparable islands.

    Windows colour islands by their state (too few links, enough, too many), so islands are compared with those in the
    same state; some windows colour them by their number, so a look that most islands of a number share belongs to that
    number.
    """
    cells = [cell for cell in puzzle.islands if cell in looks]
    if not cells:
        return ()
    colours = np.array([looks[cell] for cell in cells], dtype=np.float64).reshape(len(cells), -1)
    has: Counter[Cell] = Counter()
    for bridge, n in links.items():
        has[bridge.a] += n
        has[bridge.b] += n
    states: dict[int, list[int]] = defaultdict(list)
    numbers: dict[int, list[int]] = defaultdict(list)
    for k, cell in enumerate(cells):
        number = puzzle.islands[cell]
        states[(has[cell] > number) - (has[cell] < number)].append(k)
        numbers[number].append(k)

    def like(k: int, others: Sequence[int]) -> int:
        return int((np.abs(colours[others] - colours[k]).max(axis=1) <= ODD_LOOK).sum())

    common = _common(colours)
    found: list[Cell] = []
    for group in states.values():
        usual = _common(colours[group])
        if usual is None and common is not None and bool((_apart(colours[group], common) <= ODD_LOOK).any()):
            usual = common  # too few to say, but one of them looks as the whole board does
        if usual is None:
            continue
        for k in np.array(group)[_apart(colours[group], usual) > ODD_LOOK].tolist():
            mates = numbers[puzzle.islands[cells[k]]]
            if len(mates) < 2 or 2 * like(k, mates) <= len(mates):
                found.append(cells[k])
    return tuple(sorted(found))


def _apart(colours: Floats, from_: Floats) -> Floats:
    """Shape ``(n,)``: how far each of ``colours``, shape ``(n, 3)``, is from one colour, in the channel that differs
    most."""
    far: Floats = np.abs(colours - from_).max(axis=1)
    return far


def _common(colours: Floats) -> Floats | None:
    """The colour that nearly all of ``colours``, shape ``(n, 3)``, share; None if there is none."""
    usual: Floats = np.median(colours, axis=0)
    alike = int((_apart(colours, usual) <= ODD_LOOK).sum())
    return usual if alike >= max(FEWEST_ALIKE, LIKE * len(colours)) else None


# --- what to do next -------------------------------------------------------------------------------------------------


def plan(
    reading: Reading[Puzzle],
    puzzle: Puzzle,
    solution: Solution,
    progress: Progress,
    layout: Layout,
    attempt: int = 0,
) -> list[Move]:
    """First, islands that were pressed by mistake are pressed again; then surplus links are removed (they may lie
    across wanted ones); then missing links are added. Empty when all wanted links stand, and when all ways were tried
    in vain."""
    if not isinstance(progress.state, Stands):
        return []
    moves = _planned(reading, puzzle, solution, progress, progress.state, layout, attempt)
    if moves:
        presses = sum(len(each.keys) if isinstance(each, Keys) else 1 for each in moves[0].gestures)
        _noted(reading)["tried"] = presses, progress.state.links
    return moves


@dataclass(frozen=True)
class _Task:
    """What is left to do on a visible board. ``wanted``: the links of the solution, for every bridge; ``extra`` and
    ``missing``: how many links are to be removed and added. ``known``: the kind of mouse controls, None if it is not
    known. ``noted``: the window's habits."""

    reading: Reading[Puzzle]
    puzzle: Puzzle
    progress: Progress
    state: Stands
    layout: Layout
    wanted: Mapping[Bridge, int]
    extra: Mapping[Bridge, int]
    missing: Mapping[Bridge, int]
    known: Kind | None
    noted: MutableMapping[str, Any]

    @property
    def size(self) -> int:
        """How many links one move makes."""
        if self.known == "pair":  # pairs after a lost click are out of step
            return max(GROWTH * self.progress.done >> int(self.noted.get("lost", 0)), 1)
        return max(GROWTH * self.progress.done, FIRST)

    @property
    def stays(self) -> bool:
        """Whether the second island of a pair of clicks stays selected."""
        return self.noted.get("stays") or False

    def gestures(self, job: str, kind: Kind, way: int, each: Mapping[Bridge, int]) -> tuple[Gesture, ...]:
        """Those that add so many links to ``each`` bridge, or remove them."""
        turned = ways.turned(self.puzzle, kind, each)
        return ways.gestures(job, kind, way, turned, self.state.links, self.reading.places, stays=self.stays)


def _planned(
    reading: Reading[Puzzle],
    puzzle: Puzzle,
    solution: Solution,
    progress: Progress,
    state: Stands,
    layout: Layout,
    attempt: int,
) -> list[Move]:
    """As :func:`plan`, for a board that is visible."""
    stands, wanted, noted = state.links, _wanted(puzzle, solution), _noted(reading)
    habits.note_held(noted, progress.done, state.odd, state.picture)
    habits.note_dragged(noted, stands, state.picture)
    habits.note_made(noted, progress)
    extra = {bridge: stands[bridge] - n for bridge, n in wanted.items() if stands[bridge] > n}
    missing = {bridge: n - stands[bridge] for bridge, n in wanted.items() if stands[bridge] < n}
    known = None if layout.controls in ("unknown", KEYS) else cast(Kind, layout.controls)
    task = _Task(reading, puzzle, progress, state, layout, wanted, extra, missing, known, noted)
    by_keys = _by_keys(reading, layout)
    pressed = _pressed(task) if by_keys else []
    if pressed or (by_keys and not extra and not missing):
        return pressed
    if by_keys and layout.controls != KEYS and not _first_by_keys(reading):
        return []  # the mouse was tried before
    cell, picture = noted.get("let_go", (None, None))
    if cell is not None and picture is state.picture:
        return [Move(f"let go of {cell}", (Click(reading.places[cell].centre),), (cell,)), Move(ADD, (), ())]
    touches, attempt = _touches(task, attempt)
    if not extra and not missing:
        return touches
    tries = _tries(task)
    if attempt >= len(tries):
        return touches if by_keys else _pressed(task) or touches
    move, each = _tried(task, tries, attempt)
    return [*touches, move, *_rest(task, each)]


def _by_keys(reading: Reading[Puzzle], layout: Layout) -> bool:
    """Whether the next move is made by keys, if any of them works."""
    board: keyboard.Keyboard | None = reading.extra.get(KEYS)
    begun = board is not None and board.known is not None
    return layout.controls == KEYS or (layout.controls == "unknown" and (begun or _first_by_keys(reading)))


def _touches(task: _Task, attempt: int) -> tuple[list[Move], int]:
    """The move that presses islands again which look pressed, if it is time for that; and the ``attempt``, counted
    without such moves. Where a click beside an island or on its edge adds a link, one on its middle locks and selects
    nothing."""
    odd = task.state.odd
    if not odd or task.known in ("side", "click"):
        return [], attempt
    moves: list[Move] = []
    rounds = tuple(n + (task.noted.get("stays") is False) for n in TOUCHES)
    if attempt in rounds:
        # Each by itself: in a window that selects what was pressed, many a trial ends with an island selected.
        which = "" if task.known else ": " + ", ".join(map(str, odd))
        clicks = tuple(Click(task.reading.places[cell].centre) for cell in odd)
        moves.append(Move(TOUCH + which, clicks, odd, guess=True))
    return moves, attempt - sum(n < attempt for n in rounds)


def _tries(task: _Task) -> list[tuple[Kind, int, int | None]]:
    """What is tried, in order (see :func:`ways.tries`)."""
    known, noted = task.known, task.noted
    kind, way = noted.get("takes", (None, 0))
    # Where the same gesture again takes the first link away, another one may add the second.
    another = (known, ways.doubling(known)) if known and "toggles" in noted else (None, 0)
    added_by, last = noted.get("adds", another)
    return ways.tries(
        TAKE if task.extra else ADD,
        known,
        refuted=known == "drag" and bool(noted.get("no_drags")),
        proven=known is not None and noted.get("works") == known,
        takes=way if known and kind == known else None,
        adds=last if known and added_by == known else None,
    )


def _tried(
    task: _Task, tries: Sequence[tuple[Kind, int, int | None]], attempt: int
) -> tuple[Move, Mapping[Bridge, int]]:
    """The move of an ``attempt``, and how many links it is to add to each bridge, or to remove. It is noted, so that
    its effect can be compared with what was planned."""
    kind, way, choice = tries[attempt]
    noted, progress, state = task.noted, task.progress, task.state
    if choice is None:
        job, each = _known_job(task, kind, way, attempt)
        name = ways.named(job, kind, way)
    else:
        job, each = _trial(task, tries, attempt)
        bridge = next(iter(each))
        name = f"{job} between {bridge.a} and {bridge.b} by {WORDS[kind]}, try {attempt + 1}"
    if kind == "pair" and job == ADD:
        # What was selected before may have become the first island of the first pair, and the last that of another.
        noted["last"] = None if state.odd else (list(each)[-1].b, progress.done, sum(each.values()))
        if way == 1 and noted.get("shows") and not state.odd:
            way = 0  # the second island is not selected, as that would be seen
    noted["made"] = job == TAKE, kind, way, progress.done, progress.wrong, state.picture
    if job == ADD:
        noted["asked"] = each, state.links
        aimed = noted.setdefault("aimed", {})
        aimed.update({bridge: max(aimed.get(bridge, 0), state.links[bridge] + n) for bridge, n in each.items()})
    if kind == "drag" and job == ADD:
        noted["dragged"] = tuple(each), state.links, state.picture
    return Move(name, task.gestures(job, kind, way, each), _cells(each), kind), each


def _known_job(task: _Task, kind: Kind, way: int, attempt: int) -> tuple[str, dict[Bridge, int]]:
    """What a move of the known controls does: a part of what is left, and little while the way is not proven."""
    extra = task.extra
    unproven = attempt or (extra and "takes" not in task.noted)
    job, each = (TAKE if extra else ADD), _batch(extra or task.missing, 1 if unproven else task.size)
    if job == ADD and kind == "pair" and task.size == 1:
        each = dict.fromkeys(each, 1)  # whether an island stays selected is seen by a single link
    known = "toggles" in task.noted or task.noted.get("adds", (kind,))[0] is None
    if job == ADD and attempt and way != ways.doubling(kind) and not known:
        each = dict.fromkeys(each, 1)  # a second click may take the first link away, or make its line thicker
    return job, each


def _trial(task: _Task, tries: Sequence[tuple[Kind, int, int | None]], attempt: int) -> tuple[str, dict[Bridge, int]]:
    """What a move of unknown controls does: one link at a place where its effect is clear."""
    puzzle, extra, missing = task.puzzle, task.extra, task.missing
    # If an island has several possible bridges, lines that the window only offers are told from built ones.
    clear = _clear(puzzle, task.state.links, missing, task.reading.places)
    sure = sorted(clear, key=lambda bridge: len(puzzle.at[bridge.a]) < 2)
    job = TAKE if extra and not sure else ADD
    sure = sure or list(extra or missing)
    kind, _, choice = tries[attempt]
    bridge = sure[(choice or 0) % len(sure)]
    if kind == "click":
        tried = [sure[c % len(sure)] for *_, c in tries[:attempt] if c is not None]
        bridge = _apart_from(tried, bridge, sure, task.wanted)
    return job, {bridge: 1 if job == ADD else extra.get(bridge, 1)}


def _rest(task: _Task, each: Mapping[Bridge, int]) -> list[Move]:
    """The moves that are left after one that concerns ``each`` bridge."""
    moves: list[Move] = []
    for job, amounts in ((TAKE, task.extra), (ADD, task.missing)):
        left = {bridge: n - each.get(bridge, 0) for bridge, n in amounts.items() if n > each.get(bridge, 0)}
        while left:
            part = _batch(left, task.size)
            moves.append(Move(job, task.gestures(job, task.known or KINDS[0], 0, part), _cells(part), task.known))
            left = {bridge: n for bridge, n in left.items() if bridge not in part}
    return moves


def _first_by_keys(reading: Reading[Puzzle]) -> bool:
    """Whether keys are tried before the mouse is: on a text screen, where a drag only selects text. Its numbers have
    nothing around them, and its rows are a line or two of text apart."""
    chart = reading.extra.get("chart")
    if chart is None or SCROLLED in _noted(reading):
        return False
    return not chart.outline.drawn and bool(chart.pitch_y <= TWO_LINES * chart.number_height)


def _pressed(task: _Task) -> list[Move]:
    """The next move by keys, and a word for what is left after it; empty if keys were tried in vain."""
    reading, puzzle, state, extra, missing = task.reading, task.puzzle, task.state, task.extra, task.missing
    board: keyboard.Keyboard | None = reading.extra.get(KEYS)
    if board is None or state.picture is None:
        return []
    clear = dict.fromkeys(_clear(puzzle, state.links, missing, reading.places))
    jobs = keyboard.around(extra) if extra else [(bridge, missing[bridge]) for bridge in clear or missing]
    size = max(GROWTH * task.progress.done, FIRST)
    press = board.next(puzzle, reading.extra["chart"], state, state.picture, state.links, jobs, task.layout.keys, size)
    if press is None:
        return []
    cells = tuple(bridge.a for bridge in press.builds) if not extra else ()
    move = Move(press.name, (Keys(press.keys),), cells, KEYS, board.found if press.builds else {})
    left = sum(missing.values()) + sum(extra.values()) - len(press.builds)
    return [move, Move(ADD, (), (), KEYS)] if left > 0 or extra else [move]


def _apart_from(
    touched: Sequence[Bridge], bridge: Bridge, others: Sequence[Bridge], wanted: Mapping[Bridge, int]
) -> Bridge:
    """``bridge``, or the first of ``others`` that is safer: one whose first island is not joined by a wanted bridge to
    an island of those ``touched`` before. One of these may be selected, and a press on its neighbour would join the
    two, which would look as if the press alone had built the bridge."""
    cells = {cell for one in touched for cell in (one.a, one.b)}
    near = cells.union(*((one.a, one.b) for one, n in wanted.items() if n and (one.a in cells or one.b in cells)))
    return next((one for one in (bridge, *others) if one.a not in near), bridge)


def _batch(amounts: Mapping[Bridge, int], size: int) -> dict[Bridge, int]:
    """The first bridges, with about ``size`` links in all."""
    found: dict[Bridge, int] = {}
    for bridge, n in amounts.items():
        if sum(found.values()) >= size:
            break
        found[bridge] = n
    return found


def _cells(each: Mapping[Bridge, int]) -> tuple[Cell, ...]:
    """An island for each link."""
    return tuple(bridge.a for bridge, n in each.items() for _ in range(n))


def _clear(
    puzzle: Puzzle, stands: Mapping[Bridge, int], missing: Mapping[Bridge, int], places: Mapping[Cell, Box]
) -> list[Bridge]:
    """Those of ``missing`` that no other bridge crosses, the longest first: their ends can be seen most clearly."""
    free = [
        bridge
        for k, bridge in enumerate(puzzle.bridges)
        if bridge in missing and not any(stands[puzzle.bridges[other]] for other in puzzle.crossings[k])
    ]
    return sorted(free, key=lambda bridge: -math.dist(places[bridge.a].centre, places[bridge.b].centre))
