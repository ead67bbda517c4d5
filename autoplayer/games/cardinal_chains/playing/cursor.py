"""Windows in which keys move a cursor over the board, and another key picks up the chain under the cursor; the chain
then follows the cursor until it is put down. None of these keys is known in advance: they are tried, and pictures show
the effect. Plans presses; ``player`` says which chains are wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from statistics import median
from typing import Literal

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cardinal_chains.playing.drawn import neighbours
from autoplayer.games.cursor import (
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
from autoplayer.layout import KeyTable

Style = Literal["toggle", "each", "held"]

STYLES: tuple[tuple[str, Style], ...] = (
    ("space", "toggle"), ("enter", "toggle"), ("space", "each"), ("enter", "each"), ("shift", "held"), ("ctrl", "held"),
)  # fmt: skip
"""Ways to draw a chain, each with its key, the likeliest first. ``toggle``: the key picks up a chain, which follows the
cursor, and puts it down. ``each``: it is pressed in each cell of the chain. ``held``: it is held down while the cursor
moves."""

Path = tuple[Cell, ...]
"""What is still to be drawn of a chain, from the last cell that stands."""

Shown = tuple[Image, frozenset[Cell]]
"""A picture, and the cells that chains hold in it."""


@dataclass(frozen=True)
class Press:
    """Keys that are pressed together. ``way``: the direction in which a single one moves the cursor. ``to``: the
    cursor's place after them. ``draws``: the cells that a chain should hold then; ``lays``: whether a chain that was
    held is put down first."""

    name: str
    keys: tuple[str, ...]
    way: Way
    to: Cell | None = None
    draws: tuple[Cell, ...] = ()
    lays: bool = False


@dataclass(frozen=True)
class Known:
    """What is known of the keys: the remaining ``families`` and ``styles``, the likeliest first. ``at``: the cursor's
    place; ``probes``: presses since an effect was last seen. The first style is ``proven`` once a chain has grown by
    it; ``tried``: how often it had no effect. ``holds``: whether a chain is held; ``lays``: whether a complete chain
    stays held until it is put down."""

    families: tuple[tuple[str, ...], ...]
    styles: tuple[tuple[str, Style], ...] = STYLES
    at: Cell | None = None
    probes: int = 0
    seen: bool = False
    proven: bool = False
    tried: int = 0
    holds: bool = False
    lays: bool = True


@dataclass(eq=False)
class Board:
    """The keys of one window, as far as they were discovered while its board was played."""

    _trail: Trail[Known, Press, Shown] | None = None

    @property
    def proven(self) -> bool:
        return self._trail is not None and self._trail.known.proven

    @property
    def found(self) -> Mapping[str, str]:
        """The keys, by their names in a layout."""
        if self._trail is None or not self._trail.known.families or not self._trail.known.styles:
            return {}
        known = self._trail.known
        return {
            **dict(zip(("right", "down", "left", "up"), known.families[0], strict=True)),
            "take": known.styles[0][0],
        }

    def look(self, places: Mapping[Cell, Box], sight: object, shown: Shown) -> None:
        """Learn from what is ``shown`` in this ``sight``. To be called for each sight, also if no keys were pressed:
        something seen only once was captured too early."""
        if self._trail is not None:
            self._trail.look(sight, shown, partial(_judged, places=_every(places)))

    def begin(self, keys: KeyTable) -> bool:
        """Start to discover the keys if a layout says ``keys``; returns whether this is new."""
        if self._trail is not None:
            return False
        own = (keys.right, keys.down, keys.left, keys.up)
        styles = sorted(STYLES, key=lambda style: style[0] != keys.take)
        self._trail = Trail(Known((own, *(family for family in FAMILIES if family != own)), tuple(styles)))
        return True

    def next(self, cells: Collection[Cell], paths: Sequence[Path]) -> Press | None:
        """What to press next for these wanted ``paths``; None if nothing is left to try."""
        if self._trail is None:
            return None
        press = _next(self._trail.known, cells, paths)
        return self._trail.plan(press and replace(press, name=f"{press.name}, press {self._trail.count + 1}"))


def _every(places: Mapping[Cell, Box]) -> dict[Cell, Box]:
    """All places of the board, including holes: a cursor may move over these."""
    rows, columns = sorted({r for r, _ in places}), sorted({c for _, c in places})
    down = {r: median(box.y for (row, _), box in places.items() if row == r) for r in rows}
    across = {c: median(box.x for (_, column), box in places.items() if column == c) for c in columns}
    some = next(iter(places.values()))
    every = {(r, c): Box(round(across[c]), round(down[r]), some.width, some.height) for r in rows for c in columns}
    return every | dict(places)


def _judged(base: Known, press: Press, before: Shown, after: Shown, *, places: Mapping[Cell, Box]) -> Known:
    """What is known after ``press``, given the changes in the picture."""
    (picture, held), (now, holding) = before, after
    changed, other = changes(places, picture, now), held ^ holding
    if press.draws and holding.issuperset(press.draws):
        holds = base.styles[0][1] == "toggle"
        return replace(base, proven=True, tried=0, at=press.draws[-1], probes=0, holds=holds)
    went = moved(changed, press.way, base.at, lambda a, b: not any(cell in held for cell in _between(a, b)))
    if press.draws and base.proven:
        # A style that has worked before stays, and the cursor is elsewhere; or a complete chain was no longer held.
        lays = base.lays != press.lays
        return replace(base, at=None, probes=0, tried=base.tried + 1, holds=bool(other) and base.holds, lays=lays)
    if press.draws:
        left = base.styles if base.tried + 1 < TWICE else base.styles[1:]
        at = went[1] if went else None if other or any(has_changed(changed, cell) for cell in places) else base.at
        return replace(base, at=at, probes=0, styles=left, tried=(base.tried + 1) % TWICE)
    if other:  # the cursor leads a chain along
        grown = holding - held
        return replace(base, at=next(iter(grown)) if len(grown) == 1 else None, probes=0, holds=True, seen=True)
    if press.to is not None:
        return replace(base, at=press.to if has_changed(changed, press.to) else None, probes=0)
    if went is not None:
        return replace(base, at=went[1], probes=0, seen=True)
    probes = base.probes + 1
    if not base.seen and probes >= len(WAYS):
        return replace(base, families=base.families[1:], probes=0)
    return replace(base, probes=probes)


def _between(a: Cell, b: Cell) -> list[Cell]:
    steps = max(abs(b[0] - a[0]), abs(b[1] - a[1]))
    return [(a[0] + (b[0] - a[0]) * k // steps, a[1] + (b[1] - a[1]) * k // steps) for k in range(1, steps)]


def _next(known: Known, cells: Collection[Cell], paths: Sequence[Path]) -> Press | None:
    if not known.families or not known.styles or not paths or known.tried > MOST_PROBES:
        return None
    keys = dict(zip(WAYS, known.families[0], strict=True))
    if known.at is None:
        if known.probes >= MOST_PROBES:
            return None
        way = WAYS[known.probes % len(WAYS)]
        return Press(f"look for the cursor by the key {keys[way]}", (keys[way],), way)
    key, style = known.styles[0]
    for goes_on in (True, False):
        led = {path: _way(known.at, path[0], cells) for path in paths if path[0] == known.at or not goes_on}
        reached = [(len(to), path) for path, to in led.items() if to is not None]
        if not reached:
            continue
        path = min(reached)[1]
        there = [keys[step] for step in led[path] or ()]
        lays = known.holds and not goes_on and known.lays
        take = [] if known.holds and goes_on else [key] if style != "held" else []
        if there and not known.proven:
            return Press(f"bring the cursor to {path[0]}", tuple(there), (0, 0), path[0])
        room = max((MOST_PRESSES - len(there)) // (2 if style == "each" else 1), 1) if known.proven else 1
        drawn = path[: room + 1]
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(drawn)]
        drawing = [pressed for step in steps for pressed in _led(key, style, keys[step])]
        pressed = (*([key] if lays else []), *there, *take, *drawing)
        name = f"draw {len(drawn) - 1} cells from {path[0]} by the key {key}"
        return Press(name, pressed, steps[-1], drawn[-1], drawn[1:], lays)
    return None


def _led(key: str, style: Style, arrow: str) -> tuple[str, ...]:
    """The keys that extend a chain by one cell."""
    return (f"{key}+{arrow}",) if style == "held" else (arrow, key) if style == "each" else (arrow,)


def _way(a: Cell, b: Cell, cells: Collection[Cell]) -> list[Way] | None:
    """The steps from one cell to another over cells only; None if holes block all ways."""
    came: dict[Cell, tuple[Cell, Way]] = {a: (a, (0, 0))}
    waiting = deque([a])
    while waiting and b not in came:
        cell = waiting.popleft()
        for near in neighbours(cell):
            if near in cells and near not in came:
                came[near] = cell, (near[0] - cell[0], near[1] - cell[1])
                waiting.append(near)
    if b not in came:
        return None
    steps: list[Way] = []
    while b != a:
        b, step = came[b]
        steps.append(step)
    return steps[::-1]
