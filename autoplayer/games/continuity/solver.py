"""The planner: the cheapest slides, walks and crossings from the start over all keys to the door.

Without a board it is a shortest path over stops (``routes.py``). With one, A* over arrangements times stops
(``sliding.py``) as far as all arrangements can be held, 3x3 and 5x2; beyond that ``macros.py``.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from autoplayer.games.base import Outcome
from autoplayer.games.continuity.routes import Hop, Routes, cheapest, routes
from autoplayer.games.continuity.steps import Solution, Step
from autoplayer.games.continuity.world import DIRECTIONS, SIDES, Board, Crossing, Link, World
from autoplayer.search.astar import FAR, shortest
from autoplayer.search.deadline import Deadline, OutOfTime

MOST_ARRANGEMENTS = 2_000_000
"""Boards with more arrangements are planned without listing them: 5x2 has 1.8 million."""
MOST_STATES = 400_000_000
"""Arrangements times stops: four bytes of address space for each, touched as far as the search comes."""


class Slide(NamedTuple):
    """A tile moves to a side, into the empty cell."""

    tile: int
    side: int


Doing = Slide | Link | Crossing
"""What a plan is made of."""


@dataclass(frozen=True)
class Plan:
    """What the planner came to. ``bound``: no plan costs less; where ``status`` is "solved" and it equals ``cost``, the
    plan is a cheapest one. ``expanded``: the states whose moves were looked at."""

    status: Literal["solved", "no-solution", "timeout"]
    doings: tuple[Doing, ...] = ()
    cost: int = 0
    bound: int = 0
    seconds: float = 0.0
    expanded: int = 0


def plan(world: World, time_limit: float) -> Plan:
    """The cheapest plan for a level, or what is known when the time is over."""
    deadline = Deadline(time_limit)
    ways = routes(world)
    free = cheapest(ways)
    if free is None:
        return Plan("no-solution", bound=FAR, seconds=deadline.spent)
    cost, hops = free
    if world.board is None:
        return Plan(
            "solved", tuple(way for hop in hops for way in hop.ways), cost, cost, deadline.spent, len(ways.stops)
        )
    try:
        return _slid(ways, world.board, deadline)
    except OutOfTime:
        return Plan("timeout", bound=cost, seconds=deadline.spent)


def _slid(ways: Routes, board: Board, deadline: Deadline) -> Plan:
    from autoplayer.games.continuity.sliding import Arrangements, Sliding

    arranged = Arrangements(board, deadline)
    space = Sliding(ways, arranged, ())
    found = shortest(space, 0, deadline)
    if found.cost is None:
        status: Literal["no-solution", "timeout"] = "no-solution" if found.bound >= FAR else "timeout"
        return Plan(status, bound=found.bound, seconds=deadline.spent, expanded=found.expanded)
    doings: list[Doing] = []
    for one, other in itertools.pairwise(found.path):
        move = space.move(one, other)
        doings += move.ways if isinstance(move, Hop) else (Slide(*move),)
    return Plan("solved", tuple(doings), found.cost, found.bound, deadline.spent, found.expanded)


def solution_of(world: World, made: Plan) -> Solution:
    """The steps of a plan by the names of tiles and places."""
    steps: list[Step] = []
    held = world.keys_at.get(world.start, 0)
    place, total, leg = world.start, 0, 0
    for doing in made.doings:
        tile = world.tiles[world.places[place][0]]
        start = world.places[place][1]
        if isinstance(doing, Slide):
            cost = world.board.slide if world.board else 0
            step = Step("slide", world.tiles[doing.tile], DIRECTIONS[doing.side])
        else:
            cost, place = doing.cost, doing.b
            to = world.places[place][1]
            if isinstance(doing, Crossing):
                into = world.tiles[world.places[place][0]]
                step = Step("cross", tile, to, start=start, side=SIDES[doing.side], into=into)
            else:
                step = Step("walk", tile, to, start=start)
        total, leg = total + cost, leg + cost
        new = world.keys_at.get(place, 0) & ~held
        takes = tuple(name for number, name in enumerate(world.key_names) if new >> number & 1)
        steps.append(replace(step, cost=cost, total=total, takes=takes, leg=leg if takes else None))
        held, leg = held | new, 0 if takes else leg
    end, to = world.places[place]
    return (*steps, Step("finish", world.tiles[end], to, total=total, leg=leg, bound=made.bound))


def solve(world: World, *, time_limit: float) -> Outcome[Solution]:
    """The cheapest plan as a solution. Its last step says how far it is proven to be the cheapest.

    With a board there is always another one, since a tile can be moved to and fro; without one that is not known.
    """
    made = plan(world, time_limit)
    if made.status != "solved":
        return Outcome(made.status, None, None, made.seconds, 0, made.status == "no-solution")
    unique = False if world.board is not None else None
    return Outcome("solved", solution_of(world, made), unique, made.seconds, 1)
