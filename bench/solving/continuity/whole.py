"""Searches in the places of all tiles, on the project's own engine: with the walks as estimates, and with none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autoplayer.core.deadline import Deadline
from autoplayer.games.base import Outcome
from autoplayer.games.continuity.known import Known, fits
from autoplayer.games.continuity.routes import routes
from autoplayer.games.continuity.sketch import Sketch
from autoplayer.games.continuity.solver import Plan, performed, solution_of
from autoplayer.games.continuity.steps import Solution
from autoplayer.games.continuity.world import World
from autoplayer.search.astar import FAR, Ints, shortest


class _Blunt(Known):
    """Without estimates: Dijkstra's algorithm."""

    def estimate(self, states: Ints) -> Ints:
        return np.zeros(len(states), np.int64)


def informed(world: World, *, time_limit: float, most: int) -> Outcome[Solution]:
    return _search(world, time_limit, Known)


def uninformed(world: World, *, time_limit: float, most: int) -> Outcome[Solution]:
    return _search(world, time_limit, _Blunt)


def _search(world: World, time_limit: float, kind: type[Known]) -> Outcome[Solution]:
    deadline = Deadline(time_limit)
    ways = routes(world)
    assert world.board is not None
    every = range(len(world.tiles))
    if not ways.goals or not fits(ways, len(every)):
        return Outcome("timeout" if ways.goals else "no-solution", None, None, deadline.spent)
    sketches: Sequence[Sketch] = [Sketch(ways, None)] if kind is Known else []
    space = kind(ways, list(every), sketches, wary=False)
    found = shortest(space, space.start, deadline)
    if found.cost is None or found.cost > found.bound:
        return Outcome("no-solution" if found.bound >= FAR else "timeout", None, None, deadline.spent)
    doings = performed(ways, world.board, space.moves(found.path))
    plan = Plan("solved", doings, found.cost, found.bound, deadline.spent, found.expanded)
    return Outcome("solved", solution_of(world, plan), False, deadline.spent, 1)
