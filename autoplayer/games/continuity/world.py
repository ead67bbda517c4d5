"""What the planner works on: tiles with places in them, links inside a tile, crossings over the sides of adjacent
tiles, keys, and a board on which the tiles slide. Plain data; every form of a level is converted into it, and so are
links that were measured in a window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

SIDES = ("left", "right", "top", "bottom")
"""The sides of a tile, in the order of the level files; a side's number is its index here."""
LEFT, RIGHT, TOP, BOTTOM = range(4)
DIRECTIONS = ("left", "right", "up", "down")
"""Where a tile slides to, by the number of the side that it moves towards."""
OPPOSITE = (RIGHT, LEFT, BOTTOM, TOP)
STEP = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""``(rows, columns)`` from a cell to the one beside it, by the side's number."""

BLANK = -1


class Press(NamedTuple):
    """Keys held down together for ``seconds``; no keys: nothing is held for so long."""

    keys: tuple[str, ...]
    seconds: float


class Link(NamedTuple):
    """A connection from one place to another inside a tile, in this direction only. ``risk``: the probability that a
    person's hand fails; whoever makes the links also adds it to the cost, if it is to count."""

    a: int
    b: int
    cost: int
    presses: tuple[Press, ...] = ()
    risk: float = 0.0


class Crossing(NamedTuple):
    """A connection from a place in one tile to a place in another, open while that tile lies at ``side`` of the first;
    with no board, always."""

    a: int
    b: int
    side: int
    cost: int
    presses: tuple[Press, ...] = ()
    risk: float = 0.0


@dataclass(frozen=True)
class Board:
    """Where the tiles lie: row by row the number of the tile in each cell, ``BLANK`` in exactly one. ``slide``: what
    moving a tile into the empty cell costs."""

    rows: int
    columns: int
    cells: tuple[int, ...]
    slide: int = 1

    @cached_property
    def beside(self) -> tuple[tuple[int, ...], ...]:
        """For each cell and side the cell there; -1 past the edge."""
        found = []
        for cell in range(self.rows * self.columns):
            r, c = divmod(cell, self.columns)
            near = ((r + dr, c + dc) for dr, dc in STEP)
            found.append(
                tuple(x * self.columns + y if 0 <= x < self.rows and 0 <= y < self.columns else -1 for x, y in near)
            )
        return tuple(found)


@dataclass(frozen=True)
class World:
    """A level as the planner sees it. Places and tiles are numbers from 0, costs whole numbers from 0 in any unit.

    ``tiles``: the tiles' names. ``places``: for each place the tile it is in and its name there. ``keys``: for each key
    the places that touch it; ``finish``: the places that touch the door, which counts once all keys are held. A figure
    rests at any place, in the air too, as the sliding view freezes it; so tiles may slide wherever it is.
    """

    tiles: tuple[str, ...]
    places: tuple[tuple[int, str], ...]
    links: tuple[Link, ...]
    crossings: tuple[Crossing, ...]
    start: int
    keys: tuple[tuple[int, ...], ...]
    key_names: tuple[str, ...]
    finish: tuple[int, ...]
    board: Board | None = None

    @cached_property
    def links_from(self) -> Mapping[int, Sequence[Link]]:
        found: dict[int, list[Link]] = {}
        for link in self.links:
            found.setdefault(link.a, []).append(link)
        return found

    @cached_property
    def crossings_from(self) -> Mapping[int, Sequence[Crossing]]:
        found: dict[int, list[Crossing]] = {}
        for crossing in self.crossings:
            found.setdefault(crossing.a, []).append(crossing)
        return found

    @cached_property
    def keys_at(self) -> Mapping[int, int]:
        """For each place where there are keys, their bits."""
        found: dict[int, int] = {}
        for number, places in enumerate(self.keys):
            for place in places:
                found[place] = found.get(place, 0) | 1 << number
        return found

    @property
    def all_keys(self) -> int:
        """The bits of all keys."""
        return (1 << len(self.keys)) - 1

    def named(self, tile: str, place: str) -> int | None:
        """The number of a place, by the names of its tile and its own; None where there is none."""
        return self._numbers.get((tile, place))

    @cached_property
    def _numbers(self) -> Mapping[tuple[str, str], int]:
        return {(self.tiles[tile], name): number for number, (tile, name) in enumerate(self.places)}
