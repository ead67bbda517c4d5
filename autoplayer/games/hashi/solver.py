"""The complete search of Hashi: solved, no solution, or out of time, and whether there is another solution.

Every bridge has a least and a most number of links. These bounds are narrowed by simple arguments: what an island still
needs, crossings, groups of islands that would become closed, bridges without which the board is disconnected, and sums
that must be even. That alone settles most boards that promise one solution. The rest goes to a SAT solver, in order
encoding ("at least one", "at least two"). Connectedness is enforced lazily: a model with several components gets a cut
for each, namely that a link must leave it.

The named deductions are not used here, and live in ``rules.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from types import MappingProxyType

from autoplayer.core.deadline import Deadline
from autoplayer.games.base import Outcome
from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Link, Puzzle, Solution, faults
from autoplayer.games.solving import outcome
from autoplayer.search.sat import Clause, Model, Sat, Verdict, enumerate_solutions


class NoSolution(Exception):  # noqa: N818 - a finding, not a fault of the program
    """The bounds contradict each other."""


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 2, second_limit: float | None = None) -> Outcome[Solution]:
    """Up to ``most`` different solutions, as :func:`autoplayer.games.solving.outcome` finds and counts them."""
    return outcome(partial(solutions, puzzle), time_limit=time_limit, most=most, second_limit=second_limit)


NOTHING: Mapping[Bridge, int] = MappingProxyType({})


def has_solution(puzzle: Puzzle, standing: Mapping[Bridge, int] = NOTHING) -> bool:
    """Whether a board has a solution that contains the links that are ``standing``, or may have one that is hard to
    find."""
    search = partial(solutions, puzzle, standing=standing)
    return not faults(puzzle) and outcome(search, time_limit=LOOK, most=1).status != "no-solution"


LOOK = 0.5
"""Seconds; a board of 400 islands takes a tenth of that."""


def solutions(puzzle: Puzzle, deadline: Deadline, standing: Mapping[Bridge, int] = NOTHING) -> Iterator[Solution]:
    """Every solution that contains the links that are ``standing``, once, in no particular order. Raises OutOfTime when
    the deadline passes."""
    deadline.check()
    if not puzzle.islands:  # as where a person says of every sign that it is nothing
        return
    bounds = Bounds(puzzle, deadline)
    try:
        bounds.hold(standing)
        bounds.narrow()
    except NoSolution:
        return
    if bounds.settled:
        yield bounds.solution(bounds.least)
        return
    yield from _Search(bounds).solutions()


class Bounds:
    """The least and the most links of each bridge, and the groups of islands that are certainly connected.

    Islands and bridges are numbered as in ``Puzzle.islands`` and ``Puzzle.bridges``. A group's slack is how many links
    its islands still need in all; a group without slack that is not the whole board can never be joined to the rest.
    """

    def __init__(self, puzzle: Puzzle, deadline: Deadline) -> None:
        """Raises OutOfTime, as :meth:`narrow` does: on a board of 50,000 islands even this takes a second."""
        self.puzzle = puzzle
        self.deadline = deadline
        number = {island: i for i, island in enumerate(puzzle.islands)}
        self.needs = list(puzzle.islands.values())
        self.at = list(puzzle.at.values())
        self.ends = [(number[a], number[b]) for a, b in puzzle.bridges]
        deadline.check()
        self.crossings = puzzle.crossings
        self.least = [0] * len(self.ends)
        self.most = [MOST_LINKS] * len(self.ends)
        self._group = list(range(len(self.needs)))
        self._slack = self.needs.copy()
        self._groups = len(self.needs)
        self._waiting = list(range(len(self.needs)))
        self._waits = [True] * len(self.needs)

    @property
    def settled(self) -> bool:
        """Whether the links of every bridge are known; after :meth:`narrow` this is then the only solution."""
        return self.least == self.most

    def solution(self, links: Sequence[int]) -> Solution:
        """The solution in which each bridge carries the ``links`` given for it."""
        return tuple(Link(a, b, count) for (a, b), count in zip(self.puzzle.bridges, links, strict=True) if count)

    def group(self, island: int) -> int:
        """The representative island of this island's group."""
        group = self._group
        while group[island] != island:
            group[island] = island = group[group[island]]
        return island

    def hold(self, links: Mapping[Bridge, int]) -> None:
        """Every bridge carries at least these ``links``. Raises NoSolution."""
        for k, bridge in enumerate(self.puzzle.bridges):
            if links.get(bridge, 0) > self.least[k]:
                self._raise(k, links[bridge])

    def narrow(self) -> None:
        """Narrow the bounds until no argument narrows them further. Raises NoSolution, OutOfTime."""
        while True:
            self.deadline.check()
            self._count()
            if self._keep_open() or self._keep_whole():
                continue
            if not self.settled:
                self._balance()
            return

    def _count(self) -> None:
        """Every island gets exactly its number: what the other bridges cannot take, this one carries, and so on."""
        needs, at, least, most = self.needs, self.at, self.least, self.most
        waiting, waits = self._waiting, self._waits
        while waiting:
            island = waiting.pop()
            waits[island] = False
            here = at[island]
            low = high = 0
            for k in here:
                low += least[k]
                high += most[k]
            room = needs[island] - low
            spare = high - needs[island]
            if room < 0 or spare < 0:
                raise NoSolution
            if low == high:
                continue
            for k in here:
                gap = most[k] - least[k]
                if gap > room:
                    self._lower(k, least[k] + room)
                    gap = room
                if gap > spare:
                    self._raise(k, most[k] - spare)

    def _wake(self, k: int) -> None:
        for island in self.ends[k]:
            if not self._waits[island]:
                self._waits[island] = True
                self._waiting.append(island)

    def _lower(self, k: int, most: int) -> None:
        """Bridge ``k`` carries at most so many links, fewer than was known."""
        if most < self.least[k]:
            raise NoSolution
        self.most[k] = most
        self._wake(k)

    def _raise(self, k: int, least: int) -> None:
        """Bridge ``k`` carries at least so many links, more than was known."""
        before = self.least[k]
        if least > self.most[k]:
            raise NoSolution
        self.least[k] = least
        self._wake(k)
        a, b = self.ends[k]
        one = self.group(a)
        if before == 0:
            for other in self.crossings[k]:
                if self.most[other]:
                    self._lower(other, 0)
            two = self.group(b)
            if one != two:
                self._group[two] = one
                self._slack[one] += self._slack[two]
                self._groups -= 1
        self._slack[one] -= 2 * (least - before)

    def _keep_open(self) -> bool:
        """No bridge may use up the last slack of the groups that it joins, unless they are the whole board.

        Returns whether that narrowed anything.
        """
        slack, least, most = self._slack, self.least, self.most
        narrowed = False
        for k, (a, b) in enumerate(self.ends):
            high = most[k]
            if high == least[k]:
                continue
            one, two = self.group(a), self.group(b)
            left = slack[one] if one == two else slack[one] + slack[two]
            if left == 2 * (high - least[k]) and self._groups > 1 + (one != two):
                self._lower(k, high - 1)
                narrowed = True
        return narrowed

    def _keep_whole(self) -> bool:
        """A bridge without which the board is disconnected carries a link (such bridges are found as by Tarjan, 1974).
        It carries one if the numbers on either side of it have an odd sum, else two.

        Returns whether that narrowed anything. Raises NoSolution if the board is disconnected.
        """
        at, ends, most, least = self.at, self.ends, self.most, self.least
        order = [0] * len(self.needs)
        """When each island was reached, from 1; 0 for not yet."""
        low = order.copy()
        order[0] = low[0] = count = 1
        total = self.needs.copy()
        """The sum of the numbers of each island and of those below it in the search tree."""
        path = [(0, -1, iter(at[0]))]
        needed: list[tuple[int, int]] = []
        while path:
            island, via, rest = path[-1]
            for k in rest:
                if k == via or not most[k]:
                    continue
                a, b = ends[k]
                other = b if a == island else a
                if order[other]:
                    low[island] = min(low[island], order[other])
                else:
                    count += 1
                    order[other] = low[other] = count
                    path.append((other, k, iter(at[other])))
                    break
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    total[above] += total[island]
                    if low[island] > order[above]:
                        if least[via] < most[via]:
                            needed.append((via, 2 - total[island] % 2))
                    elif low[island] < low[above]:
                        low[above] = low[island]
        if count < len(order):
            raise NoSolution
        for k, links in needed:
            # If one of them crosses another, there is no solution.
            if least[k] < links:
                self._raise(k, links)
            if most[k] > links:
                self._lower(k, links)
        return len(needed) > 0

    def _balance(self) -> None:
        """In every component of islands connected by open bridges, the missing links have an even sum; and if these
        bridges join only islands of two kinds, as the squares of a chessboard, both kinds miss the same number.

        Clause learning does not find that: without it, one misread digit can cost hours. Raises NoSolution.
        """
        at, ends, least, most = self.at, self.ends, self.least, self.most
        missing = [number - sum(least[k] for k in here) for number, here in zip(self.needs, at, strict=True)]
        kind = [0] * len(missing)
        """1 or -1; 0 for not yet."""
        for start in range(len(missing)):
            if kind[start]:
                continue
            kind[start] = 1
            part = [start]
            two_kinds = True
            for island in part:
                for k in at[island]:
                    if least[k] < most[k]:
                        a, b = ends[k]
                        other = b if a == island else a
                        if not kind[other]:
                            kind[other] = -kind[island]
                            part.append(other)
                        elif kind[other] == kind[island]:
                            two_kinds = False
            if sum(missing[island] for island in part) % 2 == 1:
                raise NoSolution
            if two_kinds and sum(kind[island] * missing[island] for island in part) != 0:
                raise NoSolution


class _Search:
    """The variables that the bounds left open, and what was found so far."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        least, most = bounds.least, bounds.most
        self.open = [k for k in range(len(least)) if least[k] < most[k]]
        self.first = [0] * len(least)
        """For each open bridge the variable that says that it carries more than the least it must; else 0."""
        self.steps: list[tuple[int, int]] = []
        """For each variable its bridge, and the links that it stands for."""
        for k in self.open:
            self.first[k] = len(self.steps) + 1
            self.steps += [(k, links) for links in range(least[k] + 1, most[k] + 1)]

    def solutions(self) -> Iterator[Solution]:
        bounds = self.bounds
        with Sat(self._clauses()) as sat:
            # A link wherever one may be, and few double ones: such models seldom fall apart.
            sat.prefer([n if links == 1 else -n for n, (_, links) in enumerate(self.steps, 1)])
            yield from enumerate_solutions(sat, self._examine, bounds.deadline)

    def _clauses(self) -> Iterator[Clause]:
        bounds, first = self.bounds, self.first
        least, most = bounds.least, bounds.most
        for k in self.open:
            if most[k] - least[k] == 2:
                yield [-first[k] - 1, first[k]]
            if not least[k]:
                for other in bounds.crossings[k]:
                    if other > k and most[other]:
                        yield [-first[k], -first[other]]
        for island, here in enumerate(bounds.at):
            if island % 1024 == 0:
                bounds.deadline.check()
            free = [k for k in here if least[k] < most[k]]
            if free:
                need = bounds.needs[island] - sum(least[k] for k in here)
                for pattern in _exactly(need, tuple(most[k] - least[k] for k in free)):
                    yield [first[free[at]] + step if step >= 0 else -first[free[at]] + step + 1 for at, step in pattern]

    def _examine(self, model: Model) -> Verdict[Solution]:
        bounds = self.bounds
        links = bounds.least.copy()
        for literal in model:
            if literal > 0:
                links[self.steps[literal - 1][0]] += 1
        parts = self._parts(links)
        if len(parts) > 1:
            # With two parts the largest one's cut would be the other one's; with more it tells little.
            return Verdict((), [self._cut(part) for part in sorted(parts, key=len)[:-1]])
        other = [-literal for literal in model]
        return Verdict((bounds.solution(links),), [other])

    def _parts(self, links: Sequence[int]) -> list[list[int]]:
        """The connected components of the islands under these ``links``."""
        at, ends = self.bounds.at, self.bounds.ends
        seen = [False] * len(at)
        parts = []
        for start in range(len(at)):
            if seen[start]:
                continue
            seen[start] = True
            part = [start]
            for island in part:
                for k in at[island]:
                    if links[k]:
                        a, b = ends[k]
                        other = b if a == island else a
                        if not seen[other]:
                            seen[other] = True
                            part.append(other)
            parts.append(part)
        return parts

    def _cut(self, part: Sequence[int]) -> list[int]:
        """A link must leave these islands."""
        bounds = self.bounds
        inside = set(part)
        out = []
        for island in part:
            for k in bounds.at[island]:
                a, b = bounds.ends[k]
                if bounds.most[k] and (a in inside) != (b in inside):
                    out.append(self.first[k])
        return out


@lru_cache(maxsize=4096)
def _exactly(need: int, gaps: tuple[int, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Clauses that say that bridges which may carry up to ``gaps`` further links carry ``need`` in all.

    Each literal is the bridge's place in ``gaps`` and the step ``s`` of its order encoding: ``s`` for "more than s",
    ``-s - 1`` for its opposite. All prime implicates, so unit propagation sees all that follows from the island alone.
    """
    clauses: list[tuple[tuple[int, int], ...]] = []
    for counts in product(*(range(gap + 1) for gap in gaps)):
        if sum(counts) == need - 1:
            # Not at most these: one of them carries more.
            clauses.append(tuple((at, count) for at, count in enumerate(counts) if count < gaps[at]))
        elif sum(counts) == need + 1:
            clauses.append(tuple((at, -count) for at, count in enumerate(counts) if count))
    return tuple(clauses)
