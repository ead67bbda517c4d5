"""A solution becomes gestures, and a later picture of the window says how far they have come. What stands on the water
is ``bridges``'s business; here is what it means for the solution, and what to do about it.

There are four ways in which windows are played by the mouse, and nothing in a picture tells which: ``drag`` from island
to island, ``side`` (a click beside an island, towards its neighbour), ``pair`` (a click on one island, then on the
other), ``click`` (on the side of an island that faces its neighbour). Until one is known, a single link that the
solution wants is tried in each of them, and then by ``keys`` (see ``keyboard``). Each adds a link, and where two stand
already most windows take both away; so what is too much goes the same way, or by the right button.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Keys
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.hashi import bridges, habits, keyboard
from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Puzzle, Solution
from autoplayer.layout import Layout

Kind = Literal["drag", "side", "pair", "click"]
KINDS: tuple[Kind, ...] = ("drag", "side", "pair", "click")
KEYS = "keys"

ASIDE = 1.25
"""How far from an island's middle, in its radii, a click beside it falls: on the water, past a thick ring."""

NEXT_CELL = 0.75
"""How far from an island's middle, in pitches, the cell of water beside it is clicked: well inside that cell, for a
window may count whole cells, and in its half towards the island, for another bridge may cross there."""

FAR_SIDE = 0.45
"""Where that does not work: nearly half the way to the neighbour (of the distance)."""

ON_ISLAND = 0.7, 0.5
"""How far from its middle, in its radii, an island is clicked to mean the neighbour on that side: near its edge, and
deeper inside, for a window may count a smaller disc than it draws."""

OFF_AXIS, FEWEST_ASIDE = 0.12, 2.0
"""How far beside the way to the neighbour a click falls, in the island's radii, and in pixels at least: a window may
look on which side of an island's middle it is in both directions, and know of none where it is on an axis."""

HALF_WAY = 0.45
"""Of the distance between two islands, what a click beside one of them never passes: beyond the middle it would speak
of the other island, which is the same bridge, but beyond that of the other island's own number."""

WAYS = 4
"""How many ways there are in which a kind of controls adds a link, or takes one away."""

TRIALS: tuple[tuple[Kind, int, int], ...] = (
    ("drag", 0, 0),
    ("side", 0, 0),
    ("drag", 1, 1),
    ("click", 0, 0),
    ("pair", 0, 0),
    ("pair", 1, 0),
    ("side", 1, 1),
    ("drag", 0, 2),
    ("click", 1, 1),
)
"""What is tried while the controls are not known: the kind, the way, and which of the sure links. Dragging comes again,
because most windows have it and some lose what is quick; but a click comes before, because in a browser a drag selects
numbers, a second one would carry them off, and a click lets go of them. An island is clicked on one side before pairs
are, because where that means a link a click on its middle may mean any; a pair of clicks comes twice on the same
islands, because one may have been selected before."""

TOUCHES = (0, 2, 4)
"""The attempts at which islands that look touched are touched. They may look so for the window's own reasons: then the
attempts between go on without. Where that is known, each comes one attempt later."""

ADD, TAKE, TOUCH = "add links", "take links away", "touch islands that look touched"
WORDS: Mapping[Kind, str] = {
    "drag": "a drag",
    "side": "a click beside the island",
    "pair": "a click on each",
    "click": "a click on one side of the island",
}

FIRST, GROWTH = 4, 2
"""A move makes up to so many links at first, and so many for each one that stands already: what was seen to work is
done by the dozen. Pairs of clicks begin with one link: in a window that is not played so they lock islands."""

ODD_LOOK = 18.0
"""How far (of 255, in any channel) an island's inside must be from that of its like to have been touched. A lock in
sgt-bridges is 40 away, what compression does to a flat colour at most 8."""

LIKE = 0.8
"""Of the islands in the same state, the part that must look alike before another look among them says anything."""

FEWEST_ALIKE = 3
"""How many that must be at least."""


@dataclass(frozen=True)
class Stands:
    """The state of a progress. ``links``: what stands, for every bridge of the puzzle. ``odd``: islands that look as if
    they had been touched (a lock, a selection) without anything having come of it."""

    links: Mapping[Bridge, int]
    unsure: frozenset[Bridge] = frozenset()
    odd: tuple[Cell, ...] = ()
    picture: Image | None = field(default=None, compare=False, repr=False)
    """What showed it."""


# --- how far a picture has come --------------------------------------------------------------------------------------


def progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """Links that stand where the solution wants them, of all that it wants; ``wrong``: links that it does not want.

    Islands that were locked or selected by mistake are in the state, but not among what is wrong: a window may colour
    an island for reasons of its own, and a board whose links are right is done.
    """
    wanted = _wanted(puzzle, solution)
    total = sum(wanted.values())
    noted = _noted(reading)
    seen = bridges.standing(image, reading, puzzle, noted.get("offered", ()))
    if seen.present and habits.note_offered(noted, seen.links, seen.lines):
        seen = bridges.standing(image, reading, puzzle, noted["offered"])
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
    """For every bridge, in order, the links that the solution puts there."""
    found = dict.fromkeys(puzzle.bridges, 0)
    for a, b, links in solution:
        found[Bridge(a, b)] = links
    return found


def _odd(puzzle: Puzzle, links: Mapping[Bridge, int], looks: Mapping[Cell, Floats]) -> tuple[Cell, ...]:
    """The islands that look unlike their like.

    Windows colour islands by what they have (too little, enough, too much), so islands are compared with those of their
    own state; and some by their number, so a look that most islands of a number share is that number's.
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
    """Shape ``(n,)``: how far each of ``colours``, shape ``(n, 3)``, is from one, in the channel that differs most."""
    far: Floats = np.abs(colours - from_).max(axis=1)
    return far


def _common(colours: Floats) -> Floats | None:
    """The look that nearly all of ``colours``, shape ``(n, 3)``, share; None where there is none."""
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
    """First what was touched by mistake is touched again, then what is too much is taken away (it may lie across what
    is to come), then what is missing is added. Empty when all stands, and when every way was tried in vain.
    """
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
    """As :func:`plan`, where the board is seen."""
    stands, places, wanted = state.links, reading.places, _wanted(puzzle, solution)
    unknown = layout.controls == "unknown"
    board: keyboard.Keyboard | None = reading.extra.get(KEYS)
    begun = board is not None and board.known is not None
    by_keys = layout.controls == KEYS or (unknown and (begun or _first_by_keys(reading)))
    known = None if layout.controls in ("unknown", KEYS) else cast(Kind, layout.controls)
    noted = _noted(reading)
    habits.note_held(noted, progress.done, state.odd, state.picture)
    habits.note_dragged(noted, state.links, state.picture)
    refuted = known == "drag" and bool(noted.get("no_drags"))
    stays: bool = noted.get("stays") or False
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
            moves.append(Move(TOUCH + which, touches, state.odd))
        attempt -= sum(n < attempt for n in rounds)
    if not extra and not missing:
        return moves
    size = max(GROWTH * progress.done, 1 if known == "pair" else FIRST)
    tries = _tries(TAKE if extra else ADD, known, refuted)
    if attempt >= len(tries):
        return moves if by_keys else _pressed(reading, puzzle, progress, layout, extra, missing) or moves
    kind, way, choice = tries[attempt]
    if choice is None:
        job, each = (TAKE if extra else ADD), _batch(extra or missing, 1 if attempt else size)
        if job == ADD and kind == "pair" and size == 1:  # whether an island stays selected is seen by a single link
            each = dict.fromkeys(each, 1)
        name = job
    else:
        # What a window offers from an island that is pressed is told from a bridge where there is more than one way.
        sure = sorted(_clear(puzzle, stands, missing, places), key=lambda bridge: len(puzzle.at[bridge.a]) < 2)
        job = TAKE if extra and not sure else ADD
        sure = sure or list(extra or missing)
        bridge = sure[choice % len(sure)]
        if kind == "click":
            tried = [sure[c % len(sure)] for *_, c in tries[:attempt] if c is not None]
            bridge = _apart_from(tried, bridge, sure, wanted)
        each = {bridge: 1 if job == ADD else extra.get(bridge, 1)}
        name = f"{job} between {bridge.a} and {bridge.b} by {WORDS[kind]}, try {attempt + 1}"
    gestures = _gestures(job, kind, way, _turned(puzzle, kind, each), places, stays)
    moves.append(Move(name, gestures, _cells(each), kind))
    noted.update({"last": list(each)[-1].b if kind == "pair" and job == ADD else None, "done": progress.done})
    if kind == "drag" and job == ADD:
        noted["dragged"] = tuple(each), stands, state.picture
    for job, amounts in ((TAKE, extra), (ADD, missing)):
        left = {bridge: n - each.get(bridge, 0) for bridge, n in amounts.items() if n > each.get(bridge, 0)}
        while left:
            part = _batch(left, size)
            gestures = _gestures(job, known or KINDS[0], 0, _turned(puzzle, known, part), places, stays)
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
    """The next move by keys, and a word for what is left after it; empty where keys were tried in vain."""
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


def _tries(job: str, known: Kind | None, refuted: bool = False) -> list[tuple[Kind, int, int | None]]:
    """What is tried for ``job``, in order: the kind of controls, the way, and which of the sure links where it is a
    trial of controls that are not known. The layout may speak of another window; and of the known controls the ways
    that need the right button come last, since it opens a menu over many windows that do not understand it. So do all
    of them where they only seemed to work, and are ``refuted``."""
    trials: list[tuple[Kind, int, int | None]] = [trial for trial in TRIALS if trial[0] != known]
    if known is None:
        return trials
    own: list[tuple[Kind, int, int | None]] = [(known, way, None) for way in range(WAYS)]
    first = 0 if refuted else BEFORE_TRIALS[job, known in ("side", "click")]
    return own[:first] + trials + own[first:]


BEFORE_TRIALS = {(ADD, False): 2, (ADD, True): WAYS, (TAKE, False): 3, (TAKE, True): 2}
"""How many of the known ways to add links or take them away, by clicks beside or on one side of islands or otherwise,
come before trials. Clicks with the right button are how many windows take away what was clicked beside an island."""


def _apart_from(
    touched: Sequence[Bridge], bridge: Bridge, others: Sequence[Bridge], wanted: Mapping[Bridge, int]
) -> Bridge:
    """``bridge``, or the first of ``others`` that will do better: whose first island no wanted bridge joins to an
    island of those that were ``touched`` before. One of these may be selected, and a press on its neighbour would join
    both, which would look as if the press alone had done it."""
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
    """Those of ``missing`` that nothing lies across, the longest first: where it begins and ends is clearest there."""
    free = [
        bridge
        for k, bridge in enumerate(puzzle.bridges)
        if bridge in missing and not any(stands[puzzle.bridges[other]] for other in puzzle.crossings[k])
    ]
    return sorted(free, key=lambda bridge: -math.dist(places[bridge.a].centre, places[bridge.b].centre))


# --- the ways --------------------------------------------------------------------------------------------------------


def _turned(puzzle: Puzzle, kind: Kind | None, each: Mapping[Bridge, int]) -> dict[Bridge, int]:
    """``each`` from their other ends, where a click beside the first island may speak of another bridge, which crosses
    there, and one beside the second may not."""
    if kind != "side":
        return dict(each)
    index = {bridge: k for k, bridge in enumerate(puzzle.bridges)}
    result: dict[Bridge, int] = {}
    for bridge, n in each.items():
        crossing = [puzzle.bridges[k] for k in puzzle.crossings[index[bridge]]]
        first, last = (any(_is_next(end, other) for other in crossing) for end in bridge)
        result[Bridge(bridge.b, bridge.a) if first and not last else bridge] = n
    return result


def _is_next(cell: Cell, bridge: Bridge) -> bool:
    """Whether a bridge passes a cell right beside."""
    upright = bridge.a[1] == bridge.b[1]
    return abs(cell[upright] - bridge.a[upright]) == 1


def _gestures(
    job: str, kind: Kind, way: int, each: Mapping[Bridge, int], places: Mapping[Cell, Box], stays: bool
) -> tuple[Gesture, ...]:
    """How so many links are added to each bridge, or taken from it, in the ``way``-th of the ways of this kind."""
    make = _add if job == ADD else _take
    return tuple(gesture for bridge, n in each.items() for gesture in make(kind, way, bridge, n, places, stays))


def _add(kind: Kind, way: int, bridge: Bridge, n: int, places: Mapping[Cell, Box], stays: bool) -> Sequence[Gesture]:
    """Later ways are from the other end, or farther from the island.

    Where the second island of a pair ``stays`` selected, each further click adds a link, and one more on the last
    island lets go of it.

    A pair of clicks may have met an island that was selected before: then its second one is the selected one now, and
    one click on the first is enough. A window may have marks that say "no bridge here", which a right drag makes and
    takes away: so the third way of dragging begins with one, and the fourth takes back what that did in vain.
    """
    if kind in ("side", "click"):
        return [Click(_beside(kind, way, bridge, places))] * n
    a, b = places[bridge.a].centre, places[bridge.b].centre
    if kind == "pair":
        if stays:
            ends = [Click(b if k % 2 else a) for k in range(n + 1)]
            return [*ends, ends[-1]]
        if way == 1:
            return [Click(a)] + [Click(a), Click(b)] * (n - 1)
        return [Click(a), Click(b)] * n
    if way == 1:
        a, b = b, a
    marks: list[Gesture] = [Drag((a, b), "right")] if way >= 2 else []
    return marks + [Drag((a, b))] * n


def _take(kind: Kind, way: int, bridge: Bridge, n: int, places: Mapping[Cell, Box], stays: bool) -> Sequence[Gesture]:
    """Links are added until there are too many, which takes all away, and as many as should stay come again. Where that
    brings nothing, and clicks fall beside islands, the right button takes a link away; else the bridge itself is
    clicked, by the right button last."""
    (x1, y1), (x2, y2) = places[bridge.a].centre, places[bridge.b].centre
    middle = (x1 + x2) // 2, (y1 + y2) // 2
    around = _add(kind, 0, bridge, MOST_LINKS + 1 - n, places, stays)
    if kind in ("side", "click"):
        # At the same places as links are added, but for the first way, which is that of the left button.
        away: Gesture = Click(_beside(kind, max(way - 1, 0), bridge, places), "right")
        return [away] * n if way else around
    if way < 2:
        return around
    return [Click(middle, "left" if way == 2 else "right")] * n


def _beside(kind: Kind, way: int, bridge: Bridge, places: Mapping[Cell, Box]) -> Point:
    """A point towards ``b`` beside the island ``a`` (in the cell of water next to it, far out on the water, or just
    outside its rim), or on ``a`` where that is the ``kind``; the last way is at the other end. Never beyond half the
    way from the island that is meant."""
    box, other = places[bridge.a], places[bridge.b]
    if way % WAYS == 3:
        box, other = other, box
    (x, y), (to_x, to_y) = box.centre, other.centre
    whole = math.hypot(to_x - x, to_y - y)
    radius = (box.width if y == to_y or abs(to_x - x) > abs(to_y - y) else box.height) / 2
    if kind == "click":
        far = ON_ISLAND[way % len(ON_ISLAND)] * radius
    else:
        pitch = whole / max(abs(bridge.b[0] - bridge.a[0]) + abs(bridge.b[1] - bridge.a[1]), 1)
        far = (NEXT_CELL * pitch, FAR_SIDE * whole, ASIDE * radius, ASIDE * radius)[way % WAYS]
    share = min(far / whole, HALF_WAY) if whole else 0.0
    aside = max(OFF_AXIS * radius, FEWEST_ASIDE)
    beside_x, beside_y = (aside, 0.0) if abs(to_y - y) > abs(to_x - x) else (0.0, aside)
    return round(x + (to_x - x) * share + beside_x), round(y + (to_y - y) * share + beside_y)
