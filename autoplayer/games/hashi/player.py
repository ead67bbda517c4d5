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
from autoplayer.core.gestures import Click, Keys
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.hashi.playing import habits, keyboard, ways
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
    island for reasons of its own, and a board whose links are right is done.
    """
    wanted = _wanted(puzzle, solution)
    total = sum(wanted.values())
    noted = _noted(reading)
    seen = standing.standing(image, reading, puzzle, noted.get("offered", ()))
    if seen.present and habits.note_offered(noted, seen.links, seen.lines):
        seen = standing.standing(image, reading, puzzle, noted["offered"])
    if not seen.present:
        return Progress(False, 0, total, 0)
    done = sum(min(seen.links[bridge], links) for bridge, links in wanted.items())
    wrong = sum(max(seen.links[bridge] - links, 0) for bridge, links in wanted.items())
    odd = _odd(puzzle, seen.links, seen.looks)
    return Progress(True, done, total, wrong, Stands(seen.links, seen.unsure, odd, image))


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
    stands, places, wanted = state.links, reading.places, _wanted(puzzle, solution)
    unknown = layout.controls == "unknown"
    board: keyboard.Keyboard | None = reading.extra.get(KEYS)
    begun = board is not None and board.known is not None
    by_keys = layout.controls == KEYS or (unknown and (begun or _first_by_keys(reading)))
    known = None if layout.controls in ("unknown", KEYS) else cast(Kind, layout.controls)
    noted = _noted(reading)
    habits.note_held(noted, progress.done, state.odd, state.picture)
    habits.note_dragged(noted, state.links, state.picture)
    habits.note_made(noted, progress)
    refuted = known == "drag" and bool(noted.get("no_drags"))
    moves: list[Move] = []
    extra = {bridge: stands[bridge] - n for bridge, n in wanted.items() if stands[bridge] > n}
    missing = {bridge: n - stands[bridge] for bridge, n in wanted.items() if stands[bridge] < n}
    pressed = _pressed(reading, puzzle, progress, layout, extra, missing) if by_keys else []
    if pressed or (by_keys and not extra and not missing):
        return pressed
    if begun and unknown and not _first_by_keys(reading):
        return []  # the mouse was tried before
    cell, picture = noted.get("let_go", (None, None))
    if cell is not None and picture is state.picture:
        return [Move(f"let go of {cell}", (Click(places[cell].centre),), (cell,)), Move(ADD, (), ())]
    # Where a click beside an island or on its edge adds a link, one on its middle locks and selects nothing.
    if state.odd and known not in ("side", "click"):
        rounds = tuple(n + (noted.get("stays") is False) for n in TOUCHES)
        if attempt in rounds:
            touches = tuple(Click(places[cell].centre) for cell in state.odd)
            # Each by itself: in a window that selects what was pressed, many a trial ends with an island selected.
            which = "" if known else ": " + ", ".join(map(str, state.odd))
            moves.append(Move(TOUCH + which, touches, state.odd, guess=True))
        attempt -= sum(n < attempt for n in rounds)
    if not extra and not missing:
        return moves
    size = max(GROWTH * progress.done, 1 if known == "pair" else FIRST)
    takes = next((way for kind, way in [noted.get("takes", (None, 0))] if known and kind == known), None)
    tries = ways.tries(
        TAKE if extra else ADD,
        known,
        refuted=refuted,
        proven=known is not None and noted.get("works") == known,
        takes=takes,
    )
    if attempt >= len(tries):
        return moves if by_keys else _pressed(reading, puzzle, progress, layout, extra, missing) or moves
    kind, way, choice = tries[attempt]
    if choice is None:
        unproven = attempt or (extra and "takes" not in noted)
        job, each = (TAKE if extra else ADD), _batch(extra or missing, 1 if unproven else size)
        if job == ADD and kind == "pair" and size == 1:  # whether an island stays selected is seen by a single link
            each = dict.fromkeys(each, 1)
        name = ways.named(job, kind, way)
    else:
        # If an island has several possible bridges, lines that the window only offers are told from built ones.
        sure = sorted(_clear(puzzle, stands, missing, places), key=lambda bridge: len(puzzle.at[bridge.a]) < 2)
        job = TAKE if extra and not sure else ADD
        sure = sure or list(extra or missing)
        bridge = sure[choice % len(sure)]
        if kind == "click":
            tried = [sure[c % len(sure)] for *_, c in tries[:attempt] if c is not None]
            bridge = _apart_from(tried, bridge, sure, wanted)
        each = {bridge: 1 if job == ADD else extra.get(bridge, 1)}
        name = f"{job} between {bridge.a} and {bridge.b} by {WORDS[kind]}, try {attempt + 1}"
    stays: bool = noted.get("stays") or False
    gestures = ways.gestures(job, kind, way, ways.turned(puzzle, kind, each), stands, places, stays=stays)
    moves.append(Move(name, gestures, _cells(each), kind))
    noted.update({"last": list(each)[-1].b if kind == "pair" and job == ADD else None, "done": progress.done})
    noted["made"] = job == TAKE, kind, way, progress.done, progress.wrong, state.picture
    if kind == "drag" and job == ADD:
        noted["dragged"] = tuple(each), stands, state.picture
    for job, amounts in ((TAKE, extra), (ADD, missing)):
        left = {bridge: n - each.get(bridge, 0) for bridge, n in amounts.items() if n > each.get(bridge, 0)}
        while left:
            part = _batch(left, size)
            gestures = ways.gestures(
                job, known or KINDS[0], 0, ways.turned(puzzle, known, part), stands, places, stays=stays
            )
            moves.append(Move(job, gestures, _cells(part), known))
            left = {bridge: n for bridge, n in left.items() if bridge not in part}
    return moves


def _first_by_keys(reading: Reading[Puzzle]) -> bool:
    """Whether keys are tried before the mouse is: on a text screen, where a drag only selects text."""
    chart = reading.extra.get("chart")
    return chart is not None and not chart.outline.drawn


def _pressed(
    reading: Reading[Puzzle],
    puzzle: Puzzle,
    progress: Progress,
    layout: Layout,
    extra: Mapping[Bridge, int],
    missing: Mapping[Bridge, int],
) -> list[Move]:
    """The next move by keys, and a word for what is left after it; empty if keys were tried in vain."""
    board: keyboard.Keyboard | None = reading.extra.get(KEYS)
    state: Stands = progress.state
    if board is None or state.picture is None:
        return []
    clear = dict.fromkeys(_clear(puzzle, state.links, missing, reading.places))
    jobs = keyboard.around(extra) if extra else [(bridge, missing[bridge]) for bridge in clear or missing]
    size = max(GROWTH * progress.done, FIRST)
    press = board.next(puzzle, reading.extra["chart"], state, state.picture, state.links, jobs, layout.keys, size)
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
