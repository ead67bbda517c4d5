"""Dijkstra's algorithm over whole states, in plain Python with dictionaries and a heap."""

from __future__ import annotations

import heapq
from itertools import count

from autoplayer.core.deadline import Deadline
from autoplayer.games.base import Outcome
from autoplayer.games.continuity.solver import Doing, Plan, Slide, solution_of
from autoplayer.games.continuity.steps import Solution
from autoplayer.games.continuity.world import BLANK, OPPOSITE, World

State = tuple[tuple[int, ...], int, int]
"""The tile in each cell, the figure's place, the bits of its keys."""

MOST_STATES = 8_000_000
"""More would take several gigabytes."""


def solve(world: World, *, time_limit: float, most: int) -> Outcome[Solution]:
    deadline, number = Deadline(time_limit), count()
    board = world.board
    assert board is not None
    first: State = (board.cells, world.start, world.keys_at.get(world.start, 0))
    last: dict[State, tuple[State, Doing] | None] = {first: None}
    best: dict[State, int] = {first: 0}
    queue = [(0, next(number), first)]
    done: set[State] = set()
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        if len(done) % 1000 == 0 and (deadline.passed or len(best) > MOST_STATES):
            return Outcome("timeout", None, None, deadline.spent)
        cells, place, held = state
        if held == world.all_keys and place in world.finish:
            doings: list[Doing] = []
            while (step := last[state]) is not None:
                state = step[0]
                doings.append(step[1])
            plan = Plan("solved", tuple(reversed(doings)), cost, cost, deadline.spent, len(done))
            return Outcome("solved", solution_of(world, plan), False, deadline.spent, 1)
        empty = cells.index(BLANK)
        moves: list[tuple[Doing, int, tuple[int, ...], int]] = []
        for side, near in enumerate(board.beside[empty]):
            if near >= 0:
                moved = list(cells)
                moved[empty], moved[near] = cells[near], BLANK
                moves.append((Slide(cells[near], OPPOSITE[side]), board.slide, tuple(moved), place))
        moves += [(link, link.cost, cells, link.b) for link in world.links_from.get(place, ())]
        for way in world.crossings_from.get(place, ()):
            at = board.beside[cells.index(world.places[place][0])][way.side]
            if at >= 0 and cells[at] == world.places[way.b][0]:
                moves.append((way, way.cost, cells, way.b))
        for doing, extra, arranged, to in moves:
            following = (arranged, to, held | world.keys_at.get(to, 0))
            if following not in best or cost + extra < best[following]:
                best[following] = cost + extra
                last[following] = (state, doing)
                heapq.heappush(queue, (cost + extra, next(number), following))
    return Outcome("no-solution", None, None, deadline.spent, exhausted=True)
