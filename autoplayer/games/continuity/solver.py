"""The planner: the cheapest slides, walks and crossings from the start over all keys to the door.

Without a board it is a shortest path over stops (``routes.py``). With one, A* over the positions of those tiles that
matter (``known.py``): first only of the figure's tile, then also of every tile that the plan so far enters, until a
cheapest plan enters known tiles only (counterexample-guided abstraction refinement: Clarke et al. 2000).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.games.base import Outcome
from autoplayer.games.continuity.known import Known, fits
from autoplayer.games.continuity.routes import Routes, cheapest, routes
from autoplayer.games.continuity.sketch import SLIDES_AT_ONCE, Sketch
from autoplayer.games.continuity.steps import Solution, Step
from autoplayer.games.continuity.world import BLANK, DIRECTIONS, OPPOSITE, SIDES, Board, Crossing, Link, World
from autoplayer.search.astar import FAR, MOST_REACHED, shortest

EASY, MEDIUM, HARD = 20_000, 300_000, 600_000
"""A search of up to ``EASY`` states always counts as easy, one of more than ``MEDIUM`` never; beyond ``HARD`` states
any plan at all is searched first."""
SKETCHED_FOR_ONE = 4
"""How many states of a sketch are computed in the time that one state is searched in."""
HOPEFUL_SECONDS, HOPEFUL_SHARE = 7.0, 0.7
"""The time limit for searching a cheapest plan before any plan: seconds, and the share of the time allowed."""
WEIGHTS = (3.0, 2.0, 1.5)
"""The successive weights of estimates in the search for any plan."""
MOST_SKETCHED = 3_000_000
"""The most states of a problem from which estimates are made; more would take longer than they save."""
CLOSE = 1.1
"""If a cheapest plan takes long, a plan of at most so many times its bound is good enough."""


class Slide(NamedTuple):
    """A tile moves to a side, into the empty cell."""

    tile: int
    side: int


Doing = Slide | Link | Crossing
"""What a plan is made of."""


@dataclass(frozen=True)
class Plan:
    """The planner's result. ``bound``: no plan costs less; if ``status`` is "solved" and it equals ``cost``, the plan
    is a cheapest one. ``expanded``: the number of states whose moves were examined."""

    status: Literal["solved", "no-solution", "timeout"]
    doings: tuple[Doing, ...] = ()
    cost: int = 0
    bound: int = 0
    seconds: float = 0.0
    expanded: int = 0


def plan(world: World, time_limit: float, effort: int | None = None) -> Plan:
    """The cheapest plan for a level, or what is known when the time is over.

    ``effort``: at most ``HARD``; search for a cheapest plan only, in so many states at a time. The result is then the
    same on every machine with enough time.
    """
    deadline = Deadline(time_limit)
    try:
        ways = routes(world, deadline)
    except OutOfTime:
        return Plan("timeout", seconds=deadline.spent)
    if not ways.goals:
        return Plan("no-solution", bound=FAR, seconds=deadline.spent)
    if world.board is not None:
        return _slid(ways, world.board, deadline, effort)
    free = cheapest(ways)
    assert free is not None
    cost, hops = free
    doings = tuple(way for hop in hops for way in ways.ways(hop))
    return Plan("solved", doings, cost, cost, deadline.spent, len(ways.stops))


def _slid(ways: Routes, board: Board, deadline: Deadline, effort: int | None) -> Plan:
    search = _Search(ways, deadline)
    effort = effort or MOST_REACHED
    search.hope(deadline.left, min(search.easy, effort))
    if not search.settled:
        if search.easy == MEDIUM and effort > HARD:
            search.beware(WEIGHTS[0])  # better estimates will take a while
        search.sharpen()
        search.hope(deadline.left / 3, min(HARD, effort))
    if not search.settled and effort > HARD:
        if search.cost >= FAR:
            search.beware(WEIGHTS[0])
        search.hope(min(HOPEFUL_SECONDS, HOPEFUL_SHARE * deadline.left))
        for weight in WEIGHTS[1:]:
            if search.cost > CLOSE * search.bound:
                search.beware(weight)
        if search.cost > CLOSE * search.bound:
            search.hope(deadline.left)
    if search.bound >= FAR:
        return Plan("no-solution", bound=FAR, seconds=deadline.spent, expanded=search.expanded)
    if search.cost >= FAR:
        return Plan("timeout", bound=search.bound, seconds=deadline.spent, expanded=search.expanded)
    return Plan("solved", search.doings(board), search.cost, search.bound, deadline.spent, search.expanded)


class _Search:
    """The search for a plan with slides: the best plan so far, and what every plan costs at least.

    ``known``: the tiles whose places are looked at. ``bound`` is ``FAR`` where there is no plan, ``cost`` where there
    is none yet.
    """

    def __init__(self, ways: Routes, deadline: Deadline) -> None:
        self.ways = ways
        self.deadline = deadline
        self.known = [ways.tile(0)]
        self.sketches = [Sketch(ways, None)]
        self.width = max(SLIDES_AT_ONCE * self.sketches[0].slide, 1)
        self.bound, self.cost, self.expanded = 0, FAR, 0
        self._moves: list[tuple[int, int]] = []

    @property
    def settled(self) -> bool:
        """Whether the plan is a cheapest one, or there is none."""
        return self.bound >= self.cost

    @property
    def _goals(self) -> list[int]:
        """The tiles with the door and the keys."""
        world = self.ways.world
        places = itertools.chain(world.finish, *world.keys)
        return list(dict.fromkeys(world.places[place][0] for place in places))

    @property
    def easy(self) -> int:
        """The number of states in which a search takes no longer than better estimates would."""
        states = sum(Sketch.states(self.ways, tile) for tile in self._goals)
        return min(max(states // SKETCHED_FOR_ONE, EASY), MEDIUM)

    def _room(self, known: Sequence[int], tiles: Iterable[int]) -> list[int]:
        """``known`` tiles and further ones, as many as there is room for."""
        found = list(known)
        for tile in tiles:
            if tile not in found and fits(self.ways, len(found) + 1):
                found.append(tile)
        return found

    def hope(self, seconds: float, most: int = MOST_REACHED) -> None:
        """Search a cheapest plan for so long, in so many states at a time (optimistic abstraction)."""
        until = Deadline(min(seconds, self.deadline.left))
        while not self.settled:
            space = Known(self.ways, self.known, self.sketches, wary=False)
            found = shortest(space, space.start, until, most=most, width=self.width)
            self.expanded += found.expanded
            self.bound = max(self.bound, found.bound)
            if found.cost is None or found.cost > found.bound:
                return
            visited = space.visited(found.path)
            if set(visited) <= set(self.known):
                self.cost, self._moves = found.cost, list(space.moves(found.path))
                return
            more = self._room(self.known, visited)
            if len(more) == len(self.known):
                return
            self.known = more

    def sharpen(self) -> None:
        """Better estimates, from the positions of the tiles with the door and the keys; a third of the time at most."""
        until = Deadline(self.deadline.left / 3)
        self.known = self._room(self.known, self._goals)
        for tile in self._goals:
            if not until.passed and tile in self.known and Sketch.states(self.ways, tile) <= MOST_SKETCHED:
                self.sketches.append(Sketch(self.ways, tile))

    def beware(self, weight: float) -> None:
        """Search any plan that enters known tiles only (pessimistic abstraction): all tiles, as far as there is room
        for them."""
        every = dict.fromkeys(self.ways.tile(stop) for stop in range(len(self.ways.stops)))
        known = self._room(self.known, every)
        space = Known(self.ways, known, self.sketches, wary=True)
        found = shortest(space, space.start, self.deadline, weight=weight, most=MOST_REACHED, width=self.width)
        self.expanded += found.expanded
        if found.cost is not None and found.cost < self.cost:
            self.cost, self._moves = found.cost, list(space.moves(found.path))
        elif found.cost is None and found.bound >= FAR and set(every) <= set(known):
            self.bound = FAR

    def doings(self, board: Board) -> tuple[Doing, ...]:
        """The plan, on the board as it is at first."""
        return performed(self.ways, board, self._moves)


def performed(ways: Routes, board: Board, moves: Iterable[tuple[int, int]]) -> tuple[Doing, ...]:
    """The actions for moves of the empty cell (by side numbers) and hops of the figure, starting from a board."""
    cells = list(board.cells)
    made: list[Doing] = []
    for move, hop in moves:
        if hop >= 0:
            made += ways.ways(hop)
            continue
        empty = cells.index(BLANK)
        new = board.beside[empty][move]
        made.append(Slide(cells[new], OPPOSITE[move]))
        cells[empty], cells[new] = cells[new], BLANK
    return tuple(made)


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
