"""The ways to add and remove links by the mouse, and the order in which they are tried. Knows only where the islands of
a window are; pictures are judged, and moves planned, by ``player``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from autoplayer.core.frame import Box, Cell, Point
from autoplayer.core.gestures import Click, Drag, Gesture
from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Puzzle

Kind = Literal["drag", "side", "pair", "click"]
KINDS: tuple[Kind, ...] = ("drag", "side", "pair", "click")

ASIDE = 1.25
"""The distance of a click beside an island from its middle, in its radii: on the water, beyond a thick ring."""

NEXT_CELL = 0.75
"""The distance from an island's middle, in pitches, of a click on the next cell of water: well inside that cell, for a
window may count whole cells, and in its half towards the island, because another bridge may cross there."""

FAR_SIDE = 0.45
"""If that does not work: nearly half the way to the neighbour (of the distance)."""

ON_ISLAND = 0.7, 0.5
"""The distance from its middle, in its radii, of a click on an island that means the neighbour on that side: near its
edge, and deeper inside, for a window may use a smaller disc than it draws."""

OFF_AXIS, FEWEST_ASIDE = 0.12, 2.0
"""The offset of a click from the axis to the neighbour, in the island's radii, and at least in pixels: a window may
test on which side of an island's middle the click is in both directions, and find none for a click on an axis."""

HALF_WAY = 0.45
"""Of the distance between two islands, the limit for a click beside one of them: beyond the middle it would refer to
the other island, and farther on to that island's own number."""

WAYS = 4
"""How many ways there are in which a kind of controls adds a link, or takes one away. There is one more to add links;
beside an island it is a click with the right button for the second link, where the left one takes the first away."""

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
    ("pair", 0, 2),
    ("pair", 1, 2),
)
"""What is tried while the controls are not known: the kind, the way, and which of the sure links. Dragging is tried
again, because most windows have it and some lose fast events; but a click comes before, because in a browser a drag
selects numbers, a second drag would move the selection, and a click clears it. An island is clicked on one side before
pairs are, because in windows where that adds a link, a click on its middle may add any; a pair of clicks comes twice on
the same islands, because one may have been selected before. Pairs come last as well, at a slower pace: some windows,
terminals among them, take two quick clicks for a double click."""

ADD, TAKE = "add links", "take links away"
WORDS: Mapping[Kind, str] = {
    "drag": "a drag",
    "side": "a click beside the island",
    "pair": "a click on each",
    "click": "a click on one side of the island",
}


def tries(
    job: str,
    known: Kind | None,
    *,
    refuted: bool = False,
    proven: bool = False,
    takes: int | None = None,
    adds: int | None = None,
) -> list[tuple[Kind, int, int | None]]:
    """What is tried for ``job``, in order: the kind of controls, the way, and, for a trial of unknown controls, which
    of the sure links. The layout may describe another window, and of the known controls the ways that need the right
    button come last, since it opens a menu over many windows that do not use it. If the known controls only seemed to
    work, and are ``refuted``, all of them come last. If they are ``proven``, more of them come before the trials, as of
    pairs, of which one click may have been lost; and the way that ``takes`` links away, or ``adds`` them, comes
    first."""
    trials: list[tuple[Kind, int, int | None]] = [trial for trial in TRIALS if trial[0] != known]
    if known is None:
        return trials
    beside = known in ("side", "click")
    own: list[tuple[Kind, int, int | None]] = [(known, way, None) for way in range(WAYS + (job == ADD))]
    best = takes if job == TAKE else adds
    if best is not None:
        return [own.pop(best), *own, *trials]
    more = (proven and not (beside and job == TAKE)) or (known == "pair" and job == ADD)
    first = 0 if refuted else BEFORE_TRIALS[job, beside] + more
    return own[:first] + trials + own[first:]


BEFORE_TRIALS = {(ADD, False): 2, (ADD, True): WAYS, (TAKE, False): 3, (TAKE, True): 2}
"""How many of the known ways to add or remove links come before trials, for clicks beside or on one side of islands,
and for others. In many windows the right button removes what a click beside an island has added."""

UPON = 2
"""The way in which the standing bridge itself is clicked, if clicks fall on islands or drags begin there."""


def doubling(kind: Kind) -> int:
    """The way that adds a second link where the same gesture again takes the first one away: a click with the right
    button, or one upon the bridge."""
    return WAYS if kind in ("side", "click") else UPON


def named(job: str, kind: Kind, way: int) -> str:
    """The name of a move: ways that have little in common have different names, so that their attempts are counted
    separately."""
    if kind in ("side", "click"):
        return f"{job} by the right button" if (job == TAKE and way) or way == WAYS else job
    if way == UPON:
        return f"{job} by clicks on the bridges"
    return f"{job} by the right button" if job == TAKE and way > UPON else job


def turned(puzzle: Puzzle, kind: Kind | None, each: Mapping[Bridge, int]) -> dict[Bridge, int]:
    """``each`` from their other ends, if a click beside the first island may mean a crossing bridge, and one beside the
    second island cannot."""
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
    """Whether a bridge passes right beside a cell."""
    upright = bridge.a[1] == bridge.b[1]
    return abs(cell[upright] - bridge.a[upright]) == 1


def gestures(
    job: str,
    kind: Kind,
    way: int,
    each: Mapping[Bridge, int],
    stands: Mapping[Bridge, int],
    places: Mapping[Cell, Box],
    *,
    stays: bool,
) -> tuple[Gesture, ...]:
    """The gestures that add the given number of links to each bridge, or remove them, in the ``way``-th way of this
    kind. ``stands``: how many links each has."""
    found: list[Gesture] = []
    for bridge, n in each.items():
        if job == TAKE:
            found += _take(kind, way, bridge, n, places, stays)
        elif (way == UPON and kind in ("drag", "pair")) or (way == WAYS and kind in ("side", "click")):
            first = 0 if stands.get(Bridge(*sorted(bridge))) else 1
            again = Click(_middle(bridge, places)) if way == UPON else Click(_beside(kind, 0, bridge, places), "right")
            found += [*_add(kind, 0, bridge, first, places, stays), *[again] * (n - first)]
        else:
            found += _add(kind, way, bridge, n, places, stays)
    return tuple(found)


def _middle(bridge: Bridge, places: Mapping[Cell, Box]) -> Point:
    (x1, y1), (x2, y2) = places[bridge.a].centre, places[bridge.b].centre
    return (x1 + x2) // 2, (y1 + y2) // 2


def _add(kind: Kind, way: int, bridge: Bridge, n: int, places: Mapping[Cell, Box], stays: bool) -> Sequence[Gesture]:
    """Later ways begin at the other end, or farther from the island. Some windows remove with a second drag what the
    first one has built, and double a bridge that is clicked (``UPON``).

    If the second island of a pair ``stays`` selected, each further click adds a link, and one more on the last island
    deselects it.

    A pair of clicks may begin while another island is selected: then its second island is the selected one now, and one
    click on the first is enough. A window may have marks that say "no bridge here", which a right drag sets and
    removes: so the fourth way of dragging begins with one, and the fifth undoes that if it was in vain.
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
    marks: list[Gesture] = [Drag((a, b), "right")] if way > UPON else []
    return marks + [Drag((a, b))] * n


def _take(kind: Kind, way: int, bridge: Bridge, n: int, places: Mapping[Cell, Box], stays: bool) -> Sequence[Gesture]:
    """Links are added until there are too many, which removes all, and then as many as should stay are added again. If
    that has no effect, and clicks fall beside islands, the right button is clicked once, which removes a link, or both;
    else the bridge itself is clicked, by the right button last."""
    around = _add(kind, 0, bridge, MOST_LINKS + 1 - n, places, stays)
    if kind in ("side", "click"):
        # At the same places as links are added, but for the first way, which is that of the left button.
        return [Click(_beside(kind, max(way - 1, 0), bridge, places), "right")] if way else around
    if way < UPON:
        return around
    return [Click(_middle(bridge, places), "left" if way == UPON else "right")] * n


def _beside(kind: Kind, way: int, bridge: Bridge, places: Mapping[Cell, Box]) -> Point:
    """A point towards ``b`` beside the island ``a`` (in the next cell of water, far out on the water, or just outside
    its rim), or on ``a`` if the ``kind`` says so; the last way is at the other end. Never beyond half the way from the
    island that is meant."""
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
