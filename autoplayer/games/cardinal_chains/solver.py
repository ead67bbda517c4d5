"""The complete search of Cardinal Chains: solved, no solution, or out of time, and whether there is another solution.

SAT with one variable per step, and three additions, each of which alone decides some kind of board:

- closed loops, which can only run through equal numbers, are forbidden lazily: a clause says that something must enter
  them;
- a model with loops is repaired at once if a loop fits between two cells of a chain (as two cycles of a 2-factor are
  joined in the Hamiltonian cycle heuristics for grids), so that large boards with many solutions take a round or two;
- chains alternate between the two colours of a chessboard, so the number of chains that end on each colour follows from
  the board alone: this refutes most large boards without a solution, with which clause learning alone cannot cope.

The named deductions are not used here, and live in ``rules.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress

from autoplayer.core.deadline import Deadline
from autoplayer.core.frame import Cell
from autoplayer.games.base import Outcome
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle, Solution
from autoplayer.games.solving import outcome
from autoplayer.search.encode import at_most_one, exactly
from autoplayer.search.sat import Clause, Model, Sat, Verdict, enumerate_solutions

LARGEST_COUNTER = 20_000
"""Counting the ends among the cells of a colour costs a few times as many clauses as the product of both numbers. Above
this limit the counter is left out: the board is larger than 40x40, or has so many chains that the count is of little
use."""

Links = dict[Cell, Cell]
"""For each cell that has one, the next cell of its chain."""


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 2, second_limit: float | None = None) -> Outcome[Solution]:
    """Up to ``most`` different solutions, as :func:`autoplayer.games.solving.outcome` finds and counts them. The
    solution that is returned gives every start a chain if possible, because many windows want every start begun."""
    found = outcome(partial(solutions, puzzle), time_limit=time_limit, most=most, second_limit=second_limit)
    return found if found.solution is None else replace(found, solution=shared_out(found.solution))


def shared_out(solution: Solution) -> Solution:
    """The same cells divided into other chains, so that a start without a chain takes over the end of a chain that runs
    past it: from a start a chain may go to any number. The other chain keeps at least one cell; if it would not, it
    takes over the end of another one first."""
    chains = [list(chain) for chain in solution]

    def take(bare: int, asked: frozenset[int]) -> bool:
        r, c = chains[bare][0]
        beside = [
            (index, chains[index].index(near))
            for near in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
            for index in range(len(chains))
            if index not in asked and near in chains[index][1:]
        ]
        for index, k in sorted(beside, key=lambda one: one[1] < 2):
            rest = chains[index][k:]
            del chains[index][k:]
            if k >= 2 or take(index, asked | {index}):
                chains[bare] += rest
                return True
            chains[index] += rest
        return False

    for bare in range(len(chains)):
        if len(chains[bare]) == 1:
            take(bare, frozenset({bare}))
    return tuple(map(tuple, chains))


def solutions(puzzle: Puzzle, deadline: Deadline) -> Iterator[Solution]:
    """Every solution once, in no particular order. Raises OutOfTime when the deadline passes."""
    return _Search(puzzle, deadline).solutions()


class _Search:
    """The variables of one board, and what the search has found so far."""

    def __init__(self, puzzle: Puzzle, deadline: Deadline) -> None:
        self.puzzle = puzzle
        self.deadline = deadline
        self.arcs: list[tuple[Cell, Cell]] = []
        """The step of each variable; variable 1 stands at 0."""
        cells = puzzle.cells
        self.entries: dict[Cell, list[int]] = {cell: [] for cell in cells}
        self.exits: dict[Cell, list[int]] = {cell: [] for cell in cells}
        self.there_and_back: list[Clause] = []
        # Straight from the grid: most boards are small, and building the problem takes longer than solving it.
        for cell, value in cells.items():
            r, c = cell
            for near in ((r, c + 1), (r + 1, c)):
                other = cells.get(near)
                if other is None:
                    continue
                if value <= other != START:
                    self._step(cell, near)
                    if value == other:
                        self._step(near, cell)
                        top = len(self.arcs)
                        self.there_and_back.append([1 - top, -top])
                elif value != START:
                    self._step(near, cell)
        self.seen: set[frozenset[tuple[Cell, Cell]]] = set()

    def _step(self, a: Cell, b: Cell) -> None:
        self.arcs.append((a, b))
        number = len(self.arcs)
        self.exits[a].append(number)
        self.entries[b].append(number)

    def solutions(self) -> Iterator[Solution]:
        self.deadline.check()
        if any(not self.entries[cell] for cell, value in self.puzzle.cells.items() if value != START):
            return
        with Sat(self._clauses()) as sat:
            if not self.arcs:
                yield tuple((start,) for start in self.puzzle.starts)
                return
            yield from enumerate_solutions(sat, self._examine, self.deadline, strengthen=self._count_ends)

    def _clauses(self) -> list[Clause]:
        """Exactly one entry a cell, at most one exit, and no step there and back."""
        clauses = self.there_and_back
        for cell, entries in self.entries.items():
            if entries:
                clauses.append(entries)
                if len(entries) > 1:
                    clauses.extend(at_most_one(entries))
            exits = self.exits[cell]
            if len(exits) > 1:
                clauses.extend(at_most_one(exits))
        return clauses

    def _count_ends(self) -> Iterator[Clause]:
        """How many chains end on each colour of the chessboard.

        Every cell of one colour that is no start is entered from a cell of the other colour, so the other colour has
        just as many exits; its remaining cells are ends.
        """
        cells = self.puzzle.cells
        top = len(self.arcs)
        ends: dict[Cell, int] = {}
        for cell, exits in self.exits.items():
            top += 1
            ends[cell] = top
            yield [*exits, top]
            for number in exits:
                yield [-number, -top]
        for colour in (0, 1):
            own = [end for (r, c), end in ends.items() if (r + c) % 2 == colour]
            count = len(own) - sum((r + c) % 2 != colour and value != START for (r, c), value in cells.items())
            if count * len(own) <= LARGEST_COUNTER:
                clauses, top = exactly(count, own, top)
                yield from clauses

    def _examine(self, model: Model) -> Verdict[Solution]:
        links = dict(compress(self.arcs, map((0).__lt__, model)))
        loops = _loops(self.puzzle, links)
        left = loops
        if loops:
            left = mend(self.puzzle, links, loops)
        clauses: list[Clause] = [self._cut(loop) for loop in loops]
        if left is not loops:
            clauses += [self._cut(loop) for loop in left if loop not in loops]
        if left:
            return Verdict((), clauses)
        key = frozenset(links.items())
        if key in self.seen:
            return Verdict((), clauses)
        self.seen.add(key)
        clauses.append([-number for number, (a, b) in enumerate(self.arcs, 1) if links.get(a) == b])
        return Verdict((_chains(self.puzzle, links),), clauses)

    def _cut(self, loop: Sequence[Cell]) -> list[int]:
        """Something must enter these cells, none of which is a start."""
        inside = set(loop)
        return [number for cell in loop for number in self.entries[cell] if self.arcs[number - 1][0] not in inside]


def _chains(puzzle: Puzzle, links: Mapping[Cell, Cell]) -> Solution:
    chains = []
    for start in puzzle.starts:
        chain = [start]
        while chain[-1] in links:
            chain.append(links[chain[-1]])
        chains.append(tuple(chain))
    return tuple(chains)


def _loops(puzzle: Puzzle, links: Mapping[Cell, Cell]) -> list[list[Cell]]:
    """The closed loops among ``links``, in which every cell but the starts is entered once."""
    seen: set[Cell] = set()
    for start in puzzle.starts:
        cell: Cell | None = start
        while cell is not None:
            seen.add(cell)
            cell = links.get(cell)
    loops = []
    for cell in puzzle.cells:
        if cell not in seen:
            loop = [cell]
            while links[loop[-1]] != cell:
                loop.append(links[loop[-1]])
            seen.update(loop)
            loops.append(loop)
    return loops


def mend(puzzle: Puzzle, links: Links, loops: Sequence[list[Cell]]) -> list[list[Cell]]:
    """Join loops into the chains, and into each other, in place; returns the loops that are left.

    A loop, whose cells are all equal, is opened between two neighbours and inserted between two neighbours of a chain
    (or after its end) wherever the numbers allow it. Because its numbers are equal, it can be traversed in either
    direction.
    """
    cells = puzzle.cells
    home: dict[Cell, int] = {cell: number for number, loop in enumerate(loops) for cell in loop}
    open_loops = dict(enumerate(loops))
    again = True
    while again and open_loops:
        again = False
        for number in list(open_loops):
            loop = open_loops[number]
            place = _gap(cells, links, home, number, loop)
            if place is None:
                continue
            before, order = place
            after = links.get(before)
            host = home.get(before)
            for cell in order:
                links[before] = cell
                before = cell
                if host is None:
                    del home[cell]
                else:
                    home[cell] = host
            if after is None:
                del links[before]
            else:
                links[before] = after
            del open_loops[number]
            if host is not None:
                grown = [before]
                while links[grown[-1]] != before:
                    grown.append(links[grown[-1]])
                open_loops[host] = grown
            again = True
    return list(open_loops.values())


def _gap(
    cells: Mapping[Cell, int], links: Links, home: Mapping[Cell, int], number: int, loop: list[Cell]
) -> tuple[Cell, list[Cell]] | None:
    """A cell outside after which ``loop`` can be inserted, and the loop's cells in the order of traversal."""
    value = cells[loop[0]]
    for i, (r, c) in enumerate(loop):
        for outer in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
            if home.get(outer) == number or not START <= cells.get(outer, -1) <= value:
                continue
            after = links.get(outer)
            if after is None:
                return outer, loop[i:] + loop[:i]
            if cells[after] < value:
                continue
            x, y = loop[i - 1]
            if abs(after[0] - x) + abs(after[1] - y) == 1:
                return outer, loop[i:] + loop[:i]
            x, y = loop[(i + 1) % len(loop)]
            if abs(after[0] - x) + abs(after[1] - y) == 1:
                return outer, loop[i::-1] + loop[:i:-1]
    return None
