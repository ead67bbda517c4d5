"""Cuts a plan into legs, each of which is executed under continuous observation: a sequence of slides, a walk on one
ground in one direction, or a flight up to where the figure lands or is to be frozen."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.solver import Doing, Slide
from autoplayer.games.continuity.world import LEFT, RIGHT, SIDES, Crossing, Link, World


@dataclass(frozen=True)
class Slides:
    """Tiles to move, one after the other."""

    slides: tuple[Slide, ...]


@dataclass(frozen=True)
class Walk:
    """To the spot at ``x`` of the last of ``tiles``, through them in this order, where it touches ``things``; ``way``:
    -1 left, 1 right, 0 where it may be there already."""

    tiles: tuple[int, ...]
    row: int
    x: float
    way: int
    things: frozenset[int] = frozenset()


class Entry(NamedTuple):
    """How a tile is entered: over which of its sides, at which position along it, and how fast downwards."""

    tile: int
    side: int
    along: float
    falling: float


@dataclass(frozen=True)
class Fly:
    """A jump, or a step over an edge, from the spot at ``x`` and ``row`` of ``tile``, or, where ``x`` is None, on from
    where the figure is in the air. ``steer``: the seconds that it is steered, negative to the left.

    ``entries``: the tiles that it comes into, one after the other. ``end``: ``land`` on the ground from ``low`` to
    ``high`` at ``at`` (the row of the feet) of the tile ``into``; ``enter`` that tile, the last of the entries, and be
    frozen there; ``touch`` the ``things`` and nothing more. ``things``: the keys (and the door, the last number) that
    are touched on the way, each with the number of the entries before it.
    """

    tile: int
    row: int
    x: float | None
    jump: bool
    steer: float
    end: Literal["land", "enter", "touch"]
    into: int
    entries: tuple[Entry, ...]
    things: frozenset[tuple[int, int]]
    risk: float
    at: float = 0.0
    low: float = 0.0
    high: float = 0.0
    onward: Fly | None = None
    """The flight that follows after the figure was frozen."""
    links: tuple[tuple[int, int], ...] = ()
    """The places that the plan's links led between."""

    @property
    def leans(self) -> bool:
        """Whether it only leans over the rim of its ground, for a key beside it."""
        return (
            self.end == "land" and not (self.jump or self.x is None) and (self.tile, self.row) == (self.into, self.at)
        )


Leg = Slides | Walk | Fly

ENTRY = re.compile(r"in (left|right|top|bottom) (\S+) at (\S+)")


class Legs:
    """Cuts the plans of one level."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self.spots = {place: spot for spot, place in reach.spots.items()}
        self._grounds: dict[int, Hashable] = {}

    def of(self, world: World, doings: Sequence[Doing]) -> list[Leg]:
        """The legs of a plan for ``world``, whose places are this level's."""
        found: list[Leg] = []
        rest = self._slides_first(doings)
        at = 0
        while at < len(rest):
            doing = rest[at]
            if isinstance(doing, Slide):
                end = at
                while end < len(rest) and isinstance(rest[end], Slide):
                    end += 1
                found.append(Slides(tuple(each for each in rest[at:end] if isinstance(each, Slide))))
            elif self._way(doing):
                end = at
                way = self._way(doing)
                tiles = [world.places[doing.a][0]]
                last = doing
                while end < len(rest):
                    each = rest[end]
                    if isinstance(each, Slide) or self._way(each) != way:
                        break
                    if world.places[each.b][0] != tiles[-1]:
                        tiles.append(world.places[each.b][0])
                    last, end = each, end + 1
                    if world.keys_at.get(each.b) or (each.b in world.finish):
                        break
                found.append(self._walk(last.b, tuple(tiles), way))
            else:
                end = at + 1
                while end < len(rest) and not isinstance(rest[end], Slide) and not self._rests(rest[end - 1]):
                    end += 1
                ways = [each for each in rest[at:end] if not isinstance(each, Slide)]
                links = tuple((each.a, each.b) for each in ways if isinstance(each, Link))
                found.append(replace(self._fly(ways), links=links))
                last = ways[-1]
                if last.b in self.spots and (world.keys_at.get(last.b) or last.b in world.finish):
                    found.append(self._walk(last.b, (world.places[last.b][0],), 0))
            at = end
        for number, leg in enumerate(found):
            if isinstance(leg, Fly) and leg.end == "enter":
                after = next((each for each in found[number + 1 :] if not isinstance(each, Slides)), None)
                found[number] = replace(leg, onward=after if isinstance(after, Fly) else None)
        return found

    def _walk(self, place: int, tiles: tuple[int, ...], way: int) -> Walk:
        _, row, column = self.spots[place]
        things = frozenset(thing for thing, at in enumerate(self.reach.touching) if place in at)
        return Walk(tiles, row, (column + 0.5) * self.reach.rooms.pitch, way, things)

    def _slides_first(self, doings: Sequence[Doing]) -> list[Doing]:
        """Moves slides before the flight in whose middle they come: they change nothing inside a tile, and before a
        jump, or as soon as the figure is in the tile, there is time."""
        found: list[Doing] = []
        for doing in doings:
            at = len(found)
            if isinstance(doing, Slide):
                while at:
                    last = found[at - 1]
                    if not isinstance(last, Link) or last.b in self.spots:
                        break
                    at -= 1
            found.insert(at, doing)
        return found

    def _rests(self, doing: Doing) -> bool:
        return not isinstance(doing, Slide) and doing.b in self.spots

    def _way(self, doing: Doing) -> int:
        """-1 or 1 where this is a walk to the next spot on the same ground, else 0."""
        if isinstance(doing, Slide) or doing.a not in self.spots or doing.b not in self.spots:
            return 0
        (_, row, column), (_, other, to) = self.spots[doing.a], self.spots[doing.b]
        keys = [press.keys for press in doing.presses]
        if row != other or keys not in ([(SIDES[LEFT],)], [(SIDES[RIGHT],)]):
            return 0
        way = -1 if keys == [(SIDES[LEFT],)] else 1
        return way if isinstance(doing, Crossing) or to == column + way else 0

    def _fly(self, ways: Sequence[Link | Crossing]) -> Fly:
        places, reach = self.reach.places, self.reach
        first, last = ways[0], ways[-1]
        tile = places[first.a][0]
        spot = self.spots.get(first.a)
        things: set[tuple[int, int]] = set()
        entries: list[Entry] = []
        for way in ways:
            entry = ENTRY.fullmatch(places[way.b][1]) if isinstance(way, Crossing) else None
            if entry:
                side, along, falling = SIDES.index(entry[1]), float(entry[2]), float(entry[3])
                entries.append(Entry(places[way.b][0], side, along, falling))
            if way.b not in self.spots:
                things |= {(thing, len(entries)) for thing, at in enumerate(reach.touching) if way.b in at}
        steer = sum(
            press.seconds * (("right" in press.keys) - ("left" in press.keys)) for way in ways for press in way.presses
        )
        jump = spot is not None and any("up" in press.keys for press in first.presses)
        x = None if spot is None else (spot[2] + 0.5) * reach.rooms.pitch
        row = 0 if spot is None else spot[1]
        risk = max(way.risk for way in ways)
        into = places[last.b][0]
        common = tile, row, x, jump, steer
        more = into, tuple(entries), frozenset(things), risk
        if last.b in self.spots:
            _, ground, column = self.spots[last.b]
            return Fly(*common, "land", *more, ground, *self.ground(into, ground, column))
        return Fly(*common, "enter" if isinstance(last, Crossing) else "touch", *more)

    def ground_of(self, place: int) -> Hashable:
        """An identifier shared by all places on one ground, or by all at which one side of a tile is crossed."""
        if place not in self._grounds:
            spot, (tile, name) = self.spots.get(place), self.reach.places[place]
            entry = ENTRY.fullmatch(name)
            if spot is not None:
                self._grounds[place] = tile, spot[1], self.ground(*spot)
            else:
                self._grounds[place] = tile, entry[1] if entry else name
        return self._grounds[place]

    def ground(self, tile: int, row: int, column: int) -> tuple[float, float]:
        """The interval of walkable ground around a spot, in the spot's tile."""
        low = high = column
        while (tile, row, low - 1) in self.reach.spots:
            low -= 1
        while (tile, row, high + 1) in self.reach.spots:
            high += 1
        pitch = self.reach.rooms.pitch
        return (low + 0.2) * pitch, (high + 0.8) * pitch
