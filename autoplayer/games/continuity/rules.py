"""Explains a level by named rules: which sides match, which order of the keys is cheapest, and the route itself, in
words. If the plan of the level has to be searched, this searches too, for ``EXPLAIN_SECONDS`` at most."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.games.base import Deduction
from autoplayer.games.continuity import reasons, solver
from autoplayer.games.continuity.puzzle import Puzzle, stretches, turns
from autoplayer.games.continuity.routes import cheapest, routes
from autoplayer.games.continuity.steps import Step
from autoplayer.games.continuity.world import SIDES, World
from autoplayer.games.deducing import within

EXPLAIN_SECONDS = 20.0
MOST_ORDERED = 5
"""The most keys of which all orders are compared; of six there are 720."""
ORDER_SECONDS = 10.0
"""The time limit of that comparison; unknown results are omitted."""


def explain(puzzle: Puzzle, time_limit: float = math.inf) -> list[Deduction]:
    """The rules in order, as far as they come in ``time_limit`` seconds. Where there is no plan, ``reasons.py`` says
    why."""
    world = puzzle.world

    def rules() -> Iterator[Deduction]:
        yield from matching_sides(world)
        yield from key_orders(world)
        yield from route(puzzle, solver.plan(world, min(EXPLAIN_SECONDS, time_limit)))

    return list(within(rules(), time_limit))


def matching_sides(world: World) -> Iterator[Deduction]:
    """Two tiles can be passed between only where their touching sides match, so these are all the ways that slides can
    open."""
    for tile, name in enumerate(world.tiles):
        found = []
        for side in range(4):
            into = {
                world.places[way.b][0] for way in world.crossings if world.places[way.a][0] == tile and way.side == side
            }
            if into:
                found.append(f"by the {SIDES[side]} into {', '.join(world.tiles[other] for other in sorted(into))}")
        text = f"tile {name} can be left {'; '.join(found)}" if found else f"no side of tile {name} leads out of it"
        yield Deduction("matching-sides", text)


def key_orders(world: World) -> Iterator[Deduction]:
    """The cost of the cheapest way for each order of the keys if every two tiles with matching sides were adjacent: a
    lower bound, because slides can only add cost."""
    if not 2 <= len(world.keys) <= MOST_ORDERED:
        return
    deadline = Deadline(ORDER_SECONDS)
    try:
        ways = routes(world, deadline)
    except OutOfTime:
        return
    found = []
    for order in itertools.permutations(range(len(world.keys))):
        if deadline.passed:
            return
        best = cheapest(ways, order)
        if best:
            found.append((best[0], ", ".join(world.key_names[key] for key in order)))
    found.sort()
    free = "" if world.board is None else " if every two tiles lay side by side"
    for number, (cost, names) in enumerate(found):
        place = "cheapest" if not number else f"number {number + 1}"
        yield Deduction("key-order", f"the order {names} is {place} with {cost}{free}")


def route(puzzle: Puzzle, made: solver.Plan) -> Iterator[Deduction]:
    """The plan leg by leg, from one key to the next, each place with its tile; without a plan, why there is none."""
    world = puzzle.world
    if made.status == "no-solution":
        yield from (Deduction("unreachable", reason) for reason in reasons.faults(world))
    if made.status != "solved":
        return
    solution = solver.solution_of(world, made)
    leg: list[Step] = []
    start = f"the start, {puzzle.words(*_named(world, world.start))}"
    for step in solution:
        leg.append(step)
        if step.takes or step.do == "finish":
            goal = " and ".join(step.takes) if step.takes else "the door"
            end = puzzle.words(step.into or step.tile, step.to)
            rest = "; ".join(_told(puzzle, leg))
            yield Deduction("route", f"from {start} to {goal}, {end}, costs {step.leg}" + (f": {rest}" if rest else ""))
            start, leg = f"{goal}, {end}", []
    legs = [step.leg for step in solution if step.leg is not None]
    proven = "no plan costs less" if made.bound == made.cost else f"no plan costs less than {made.bound}"
    yield Deduction("total", f"{' + '.join(map(str, legs))} = {made.cost}; {proven}")


def _named(world: World, place: int) -> tuple[str, str]:
    tile, name = world.places[place]
    return world.tiles[tile], name


def _told(puzzle: Puzzle, leg: Sequence[Step]) -> Iterator[str]:
    """The steps of a leg in words, slides in a row as one."""
    for group in stretches(leg):
        step, cost = group[-1], sum(each.cost for each in group)
        if step.do == "slide":
            yield f"slide {', '.join(f'{each.tile} {each.to}' for each in group)} ({cost})"
        elif step.do == "walk":
            yield f"go to {', to '.join(puzzle.words(step.tile, to) for to in turns(group))} ({cost})"
        elif step.do == "cross":
            yield f"cross to {puzzle.words(step.into, step.to)} ({cost})"
