"""Boards that are played by keys, none of which is known in advance: some keys move a cursor from place to place, or
from island to island, and others build a bridge from the island under it. Keys are tried, and pictures show the effect.
Plans presses; ``player`` says which bridges are wanted.

The cursor's movement is followed by ``games/cursor.py``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cursor import (
    CHANGED,
    FAMILIES,
    MOST_PRESSES,
    MOST_PROBES,
    TWICE,
    WAYS,
    Trail,
    Way,
    changes,
    has_changed,
    moved,
)
from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Puzzle
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.layout import KeyTable

COMPASS, LETTERS = tuple("eswn"), tuple("dsaw")
"""Letters by which a bridge is built at once, where other keys move the cursor."""

Style = Literal["held", "release", "once", "pair", "letters"]

STYLES: Mapping[str, Sequence[Style]] = {
    "ctrl": ("held",),
    "shift": ("held",),
    "space": ("release", "once", "pair"),
    "enter": ("release", "once", "pair"),
    "e": ("letters",),
    "d": ("letters",),
}
"""The ways to build a bridge with a key, the likeliest first, except that Shift sets a mark ("no bridge here") in some
windows where Ctrl builds. ``held``: the key is held down while the direction key is pressed. ``release``: the key grabs
the island, the direction key builds or moves to the other island, and the key again ends that. ``once``: the same, but
the grab ends by itself. ``pair``: the key is pressed on both islands. ``letters``: the first of four letters that build
directly."""

REACH = 3
"""Places beyond the islands that a cursor may stand on."""


@dataclass(frozen=True)
class Press:
    """Keys that are pressed together. ``way``: the direction in which they move the cursor, while it is being located.
    ``to``: the cursor's place after them. ``builds``: the bridges that get links, in the order of the keys."""

    name: str
    keys: tuple[str, ...]
    way: Way | None = None
    to: Cell | None = None
    builds: tuple[Bridge, ...] = ()


@dataclass(frozen=True)
class Known:
    """What is known of the keys. ``hops``: whether the cursor moves from island to island; None if that was not seen.
    ``at``: the cursor's place. ``probes``: presses since an effect was last seen. ``styles``: the remaining ways to
    build, each ``(key, style)``, the likeliest first; the first one is ``proven`` once it has built a link; ``tried``:
    how often it had no effect. ``stays``: whether the cursor stays at the beginning of a bridge."""

    styles: tuple[tuple[str, Style], ...]
    families: tuple[tuple[str, ...], ...]
    hops: bool | None = None
    at: Cell | None = None
    probes: int = 0
    seen: bool = False
    proven: bool = False
    tried: int = 0
    stays: bool = True
    brought: bool = False
    """Whether the cursor was seen to be brought to where it is."""
    sure: bool = False
    """Whether a link was built from an island to which the cursor was brought after the first one."""


_Shown = tuple[Image, Mapping[Bridge, int]]
"""A picture, and the links that stand in it."""


@dataclass(eq=False)
class Keyboard:
    """The keys of one window, as far as they were discovered while its board was played."""

    _trail: Trail[Known, Press, _Shown] | None = None

    @property
    def known(self) -> Known | None:
        return self._trail.known if self._trail else None

    def next(
        self,
        puzzle: Puzzle,
        chart: Chart,
        sight: object,
        image: Image,
        links: Mapping[Bridge, int],
        wanted: Sequence[tuple[Bridge, int]],
        keys: KeyTable,
        size: int,
    ) -> Press | None:
        """What to press next, where ``image`` shows ``links``, seen in this ``sight``; None if nothing is left to try.
        ``wanted``: the bridges to get links, and how many, the clearest first. ``size``: the largest number of links at
        once."""
        if self._trail is None:
            self._trail = Trail(_beginning(keys))
        judged = partial(_judged, places=_places(chart, image), puzzle=puzzle)
        self._trail.look(sight, (image, dict(links)), judged)
        press = _next(self._trail.known, puzzle, wanted, size)
        return self._trail.plan(press and replace(press, name=f"{press.name}, press {self._trail.count + 1}"))

    @property
    def found(self) -> Mapping[str, str]:
        """The keys, by their names in a layout."""
        if self.known is None:
            return {}
        ways = dict(zip(("right", "down", "left", "up"), self.known.families[0], strict=True))
        return ways | ({"bridge": self.known.styles[0][0]} if self.known.styles else {})


def _beginning(keys: KeyTable) -> Known:
    own = (keys.right, keys.down, keys.left, keys.up)
    order = [keys.bridge, *(key for key in STYLES if key != keys.bridge)]
    styles = [(key, style) for key in order for style in STYLES.get(key, ("held", "release", "once", "pair"))]
    ranked = sorted(styles, key=lambda each: each[1] == "once") if keys.bridge not in STYLES else styles
    return Known(tuple(ranked), (own, *(family for family in FAMILIES if family != own)))


# --- what a picture shows --------------------------------------------------------------------------------------------


def _places(chart: Chart, image: Image) -> dict[Cell, Box]:
    """The places where a cursor may be."""
    here = chart.in_window()
    height, width = image.shape[:2]

    def lines(along: Sequence[float], pitch: float, end: int) -> Iterator[tuple[int, int, int]]:
        for k in range(-REACH, len(along) + REACH):
            inner = min(max(k, 0), len(along) - 1)
            middle = along[inner] + (k - inner) * pitch
            if 0 <= middle < end:
                yield k, max(round(middle - pitch / 2), 0), min(round(middle + pitch / 2) + 1, end)

    columns = list(lines(here.xs, here.pitch_x, width))
    return {
        (r, c): Box(left, top, right - left, bottom - top)
        for r, top, bottom in lines(here.ys, here.pitch_y, height)
        for c, left, right in columns
    }


def _judged(
    base: Known, press: Press, before: _Shown, after: _Shown, *, places: Mapping[Cell, Box], puzzle: Puzzle
) -> Known:
    """What is known after ``press``, given the changes in the picture."""
    (picture, stood), (now, links) = before, after
    changed = changes(places, picture, now)

    def step(way: Way) -> tuple[Cell | None, Cell] | None:
        return moved(changed, way, base.at, lambda a, b: a in puzzle.islands and b in puzzle.islands)

    other = {bridge for bridge in links if links[bridge] != stood.get(bridge, 0)}
    if press.builds:
        went = step(press.way) if press.way else None
        most = max(changed.values(), default=0.0)
        return _after_building(base, press, other, went[1] if went else base.at if most < CHANGED else None)
    if other:  # keys that only move have built: something is still held, or is held again
        key, style = base.styles[0]
        other_end: Mapping[Style, Style] = {"release": "once", "once": "release"}
        swapped = other_end.get(style)
        styles = ((key, swapped), *base.styles[1:]) if swapped and base.proven else base.styles
        return replace(base, styles=styles, at=None, probes=0, sure=False, brought=False)
    if press.to is not None:
        if has_changed(changed, press.to):
            return replace(base, at=press.to, probes=0, brought=True)
        return replace(base, brought=False, at=None, probes=0, stays=not base.stays if base.proven else base.stays)
    assert press.way is not None
    return _after_moving(base, step(press.way), puzzle)


def _after_building(base: Known, press: Press, other: Collection[Bridge], at: Cell | None) -> Known:
    """What is known after a ``press`` that should build. ``other``: the bridges that have changed; ``at``: where the
    cursor seems to be if there are none."""
    if set(other) == set(press.builds):
        sure = base.sure or (base.proven and base.brought)
        return replace(base, proven=True, sure=sure, brought=False, tried=0, at=press.to, probes=0)
    if other:  # the cursor was elsewhere
        stays = base.stays != base.proven
        return replace(base, proven=True, sure=False, tried=0, at=None, probes=0, stays=stays)
    if base.proven:
        # A style that has built before stays: the cursor was not where it was believed to be.
        return replace(base, at=None, probes=0, sure=False, stays=not base.stays, tried=base.tried + 1)
    if base.tried + 1 < TWICE:
        return replace(base, at=at, tried=base.tried + 1, probes=0)
    styles = base.styles[1:]
    stays = bool(styles) and styles[0][1] != "pair"
    return replace(base, at=at, tried=0, probes=0, styles=styles, stays=stays)


def _after_moving(base: Known, went: tuple[Cell | None, Cell] | None, puzzle: Puzzle) -> Known:
    """What is known after a key that looks for the cursor. ``went``: from where to where it went, as far as seen."""
    if went is None:
        probes = base.probes + 1
        if not base.seen and probes >= len(WAYS):
            return replace(base, families=base.families[1:], probes=0)
        return replace(base, probes=probes)
    start, end = went
    hops = base.hops
    if start is not None:
        far = abs(end[0] - start[0]) + abs(end[1] - start[1])
        if far > 1:
            hops = True
        elif start not in puzzle.islands or end not in puzzle.islands:
            hops = False
    elif end not in puzzle.islands:
        hops = False
    return replace(base, at=end, hops=hops, probes=0 if hops is not None else base.probes + 1, seen=True)


# --- what to press ---------------------------------------------------------------------------------------------------


def _next(known: Known, puzzle: Puzzle, wanted: Sequence[tuple[Bridge, int]], size: int) -> Press | None:
    if not known.families or not known.styles or not wanted:
        return None
    keys = dict(zip(WAYS, known.families[0], strict=True))
    if known.at is None or (known.hops is None and known.probes < MOST_PROBES):
        if known.probes >= MOST_PROBES or (known.proven and known.tried > MOST_PROBES):
            return None
        way = WAYS[known.probes % len(WAYS)]
        return Press(f"look for the cursor by the key {keys[way]}", (keys[way],), way)
    if known.proven and known.tried > MOST_PROBES:
        return None
    presses: list[str] = []
    builds: list[Bridge] = []
    at, left = known.at, dict(wanted)
    last: Way | None = None
    while left and len(presses) < MOST_PRESSES and len(builds) < size:
        ends = [(bridge, *end) for bridge in left for end in ((bridge.a, bridge.b), (bridge.b, bridge.a))]
        ways = {start: _path(known, puzzle, at, start, keys) for _, start, _ in ends}
        reached = [(len(path), bridge, start, end) for bridge, start, end in ends if (path := ways[start]) is not None]
        if not reached:
            break
        steps, bridge, start, end = min(reached)
        if steps and not known.sure:
            return Press(f"bring the cursor to {start}", tuple(ways[start] or ()), to=start)
        n = left.pop(bridge) if known.sure else 1
        way = _towards(start, end)
        for k in range(n):
            presses += ways[start] or [] if not k else []
            a, b, towards = (start, end, way) if known.stays or not k % 2 else (end, start, (-way[0], -way[1]))
            presses += _building(known, puzzle, a, b, towards, keys)
            builds.append(bridge)
        at = start if known.stays or not n % 2 else end
        last = way
        if not known.sure:
            break
    if not builds:
        return None
    named = known.styles[0][0]
    what = f"add links by the key {named}" if known.styles[0][1] != "letters" else "add links by letters"
    count = f"{len(builds)} from {builds[0].a}"
    return Press(f"{what}: {count}", tuple(presses), last, at, tuple(builds))


def _towards(a: Cell, b: Cell) -> Way:
    down, right = b[0] - a[0], b[1] - a[1]
    return (down > 0) - (down < 0), (right > 0) - (right < 0)


def _building(known: Known, puzzle: Puzzle, a: Cell, b: Cell, way: Way, keys: Mapping[Way, str]) -> list[str]:
    """The keys that build one link from ``a``, where the cursor is, towards ``b``."""
    key, style = known.styles[0]
    if style == "held":
        return [f"{key}+{keys[way]}"]
    if style == "letters":
        return [dict(zip(WAYS, COMPASS if key == COMPASS[0] else LETTERS, strict=True))[way]]
    if style == "pair":  # an island may be held since another way was tried: it is let go first, the second time
        return [*[key] * (known.tried % TWICE), key, *(_path(known, puzzle, a, b, keys) or ()), key]
    return [key, keys[way], *([key] if style == "release" else [])]


def _path(known: Known, puzzle: Puzzle, a: Cell, b: Cell, keys: Mapping[Way, str]) -> list[str] | None:
    """The keys from one place to another; None if there is no way from island to island."""
    if not known.hops:
        down, right = b[0] - a[0], b[1] - a[1]
        upright = [keys[1 if down > 0 else -1, 0]] * abs(down)
        return upright + [keys[0, 1 if right > 0 else -1]] * abs(right)
    came: dict[Cell, tuple[Cell, str]] = {}
    waiting = deque([a])
    while waiting:
        cell = waiting.popleft()
        if cell == b:
            path: list[str] = []
            while cell != a:
                cell, key = came[cell]
                path.append(key)
            return path[::-1]
        for k in puzzle.at.get(cell, ()):
            bridge = puzzle.bridges[k]
            other = bridge.b if bridge.a == cell else bridge.a
            if other != a and other not in came:
                came[other] = cell, keys[_towards(cell, other)]
                waiting.append(other)
    return None


def around(extra: Mapping[Bridge, int]) -> list[tuple[Bridge, int]]:
    """The number of further links that removes surplus ones: one more than the maximum of a bridge makes it empty."""
    return [(bridge, MOST_LINKS + 1 - min(n, MOST_LINKS)) for bridge, n in extra.items()]
