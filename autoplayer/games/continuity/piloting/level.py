"""Converts a level as it was read into what the planner needs: its rooms, the things in it, and the corrections to
them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.piloting.clearance import raised
from autoplayer.games.continuity.piloting.hands import LostError
from autoplayer.games.continuity.piloting.measuring import Measured, free_ground
from autoplayer.games.continuity.reader import text
from autoplayer.games.continuity.seeing.sight import Kind, Tiles
from autoplayer.games.continuity.seeing.sight import Thing as SeenThing
from autoplayer.games.continuity.simulation import Rooms, Start, Thing
from autoplayer.games.continuity.world import Board

SLIMMEST = 0.6
"""The least width of a figure, as a share of its height."""
SLACK = 0.012
"""The tolerance between the walls of two matching sides, as a share of a tile's height."""
SLIDE_SECONDS, STILL_SECONDS = 0.5, 0.4
"""The time of a slide and of a jump for a hand under visual feedback."""


def rooms_of(tiles: Tiles, measured: Measured) -> Rooms:
    """The rooms for the planner, a pixel a cell. Raises LostError if no figure or no door is seen."""
    figure, door = surest(tiles, "figure"), surest(tiles, "door")
    if figure is None:
        raise LostError("no figure is found in any tile")
    if door is None:
        raise LostError("no door is found in any tile")
    physics = Physics(
        measured.walk,
        measured.jump,
        measured.gravity,
        measured.fall,
        breadth(figure),
        figure.height,
        SLIDE_SECONDS,
        STILL_SECONDS,
    )
    keys = tuple(_box(thing) for thing in tiles.things if thing.kind == "key")
    start = Start(figure.tile, figure.x + figure.width / 2, figure.y + figure.height)
    board = Board(tiles.rows, tiles.columns, tiles.cells, physics.slide_cost)
    slack = max(round(SLACK * tiles.solid.shape[1]), 1)
    solid = raised(tiles.solid, figure.height)
    return Rooms(solid, tiles.spikes, start, keys, _box(door), board, physics, physics.width, True, slack)


def ways(tiles: Tiles) -> tuple[int, int]:
    """The walking directions, -1 left and 1 right: first the one with more ground in front of the supposed figure."""
    figure = surest(tiles, "figure")
    if figure is None:
        return 1, -1
    x, foot = figure.x + figure.width / 2, figure.y + figure.height
    masks = tiles.solid[figure.tile], tiles.spikes[figure.tile]
    low, high = free_ground(*masks, (x, foot), (breadth(figure), figure.height))
    return (1, -1) if high - x >= x - low else (-1, 1)


def breadth(figure: SeenThing) -> float:
    """The width of a figure's collision box: a thin one is wider than it is drawn."""
    return max(figure.width, SLIMMEST * figure.height)


def as_text(first: Tiles, found: Tiles) -> str | None:
    """The level of the picture ``first`` as text, with its things as they are in ``found``, where it was won; None if
    that picture shows another board, or not all of them."""
    if (first.rows, first.columns, first.cells) != (found.rows, found.columns, found.cells):
        return None
    kinds: dict[int, Kind] = {}
    for thing, kind in zip(found.things, kinds_of(found), strict=True):
        at = _at(thing, found, first) if kind == thing.kind else None
        if at is not None and thing.kind != "unknown":
            kinds[at] = thing.kind
    if len(kinds) < sum(kind in ("figure", "key", "door") for kind in kinds_of(found)):
        return None
    things = [each._replace(kind=kinds.get(n, "unknown"), sure=1.0) for n, each in enumerate(first.things)]
    return text(replace(first, things=tuple(things), doubts=()))


def agreed(found: Tiles, boards: Sequence[Tiles]) -> Tiles:
    """The level in which one figure moves, with its other figures as keys if any of its views shows them so."""
    figure = surest(found, "figure")
    things = [
        thing._replace(kind="key")
        if thing.kind == "figure"
        and thing is not figure
        and any(_shown(thing, found, each) == "key" for each in boards)
        else thing
        for thing in found.things
    ]
    return found if things == list(found.things) else replace(found, things=tuple(things))


def more_keys(tiles: Tiles) -> Tiles | None:
    """The level with everything else that stands in it as keys; None if there is nothing else."""
    kinds = kinds_of(tiles)
    if not {"another figure", "unknown"} & set(kinds):
        return None
    things = [
        thing._replace(kind="key") if kind in ("another figure", "unknown") else thing
        for thing, kind in zip(tiles.things, kinds, strict=True)
    ]
    return replace(tiles, things=tuple(things))


def without_keys(tiles: Tiles, numbers: Collection[int]) -> Tiles:
    """The level without some of its keys, which are counted from 0: these are scenery."""
    keys = [n for n, thing in enumerate(tiles.things) if thing.kind == "key"]
    left_out = {keys[number] for number in numbers}
    things = tuple(t._replace(kind="unknown") if n in left_out else t for n, t in enumerate(tiles.things))
    return replace(tiles, things=things)


def _shown(thing: SeenThing, tiles: Tiles, board: Tiles) -> Kind | None:
    """What stands in a view of ``tiles`` where one of their things does."""
    at = _at(thing, tiles, board)
    return None if at is None else board.things[at].kind


def _at(thing: SeenThing, tiles: Tiles, board: Tiles) -> int | None:
    """The number of the thing of a view of ``tiles`` that stands where one of theirs does; None where there is none."""
    size = board.boxes[0].height / tiles.boxes[0].height
    x, y = size * (thing.x + thing.width / 2), size * (thing.y + thing.height / 2)
    near = [
        (abs(other.x + other.width / 2 - x) + abs(other.y + other.height / 2 - y), n)
        for n, other in enumerate(board.things)
        if other.tile == thing.tile
    ]
    far, n = min(near, default=(np.inf, -1))
    return n if far <= size * thing.height / 2 else None


def kinds_of(tiles: Tiles) -> list[str]:
    """The kinds of the things of a level; of several figures only the likeliest is the one that moves."""
    figure = surest(tiles, "figure")
    return [thing.kind if thing.kind != "figure" or thing is figure else "another figure" for thing in tiles.things]


def places_of(tiles: Tiles) -> list[tuple[int, float, float, float, float]]:
    """Where the things of a level are."""
    return [(thing.tile, thing.x, thing.y, thing.width, thing.height) for thing in tiles.things]


def alike(one: Tiles, other: Tiles) -> bool:
    """Whether two pictures were read as the same rooms in one size, with the same things in them."""
    if one.solid.shape != other.solid.shape or kinds_of(one) != kinds_of(other):
        return False
    pairs = zip(places_of(one), places_of(other), strict=True)
    return all(max(abs(a - b) for a, b in zip(mine, its, strict=True)) <= 1 for mine, its in pairs)


def surest(tiles: Tiles, kind: str) -> SeenThing | None:
    """The surest thing of a kind; None where there is none."""
    found = [thing for thing in tiles.things if thing.kind == kind]
    return max(found, key=lambda thing: thing.sure) if found else None


def _box(thing: SeenThing) -> Thing:
    return Thing(thing.tile, thing.x, thing.y, thing.width, thing.height)
