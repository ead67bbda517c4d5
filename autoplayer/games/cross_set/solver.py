"""The complete search of Cross Set: solved, no solution, or out of time, and whether there is another solution.

Candidates are bits. Elimination and hidden singles, run to a fixed point, solve most real boards before a SAT engine is
needed. What remains is SAT: a variable for every cell and remaining candidate, and "exactly one" for every cell, for
every number in a row and in a column (the 3D encoding of quasigroup completion: Kautz, Ruan, Achlioptas, Gomes, Selman
and Stickel 2001).

The named deductions are not used here, and live in ``rules``, ``sets`` and ``chains``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise
from random import Random

from autoplayer.core.deadline import Deadline
from autoplayer.games.base import Outcome
from autoplayer.games.cross_set.puzzle import Puzzle, Solution
from autoplayer.games.solving import outcome
from autoplayer.search.sat import Clause, Model, Sat, Verdict, enumerate_solutions

MANY_VARIABLES = 5000
"""From so many variables on ``LARGE_ENGINE`` is used: below, the usual one is quicker."""
LARGE_ENGINE = "cadical195"
"""Measured on 7 squares of 40x40 with 42 % holes: CaDiCaL 1.9.5 takes 19 s in all and 7 s at most, CaDiCaL 1.5.3 takes
22 s and 7 s, Glucose 4 takes 60 s and 14 s, MiniSat 2.2 takes 72 s and 24 s. On the boards of the real game and on
maximal ones up to 9x9, Glucose 4 takes nine tenths of CaDiCaL's time."""
PAIRWISE = 40
"""In a group larger than this "at most one" is not encoded by a clause for each pair."""
FIRST_CONFLICTS = 5_000
"""How long an attempt at a large square may take before its variables are numbered anew: how long a search takes there
depends on luck more than on the square (heavy tails: Gomes, Selman, Crato and Kautz 2000)."""
LONGER = 1.3
"""How much longer each attempt is than the one before, so that one is long enough for a proof at last."""

Masks = list[int]
"""The candidates of every cell, row by row: bit ``n - 1`` is set where n is one."""


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 2, second_limit: float | None = None) -> Outcome[Solution]:
    """Up to ``most`` different solutions, as :func:`autoplayer.games.solving.outcome` finds and counts them."""
    return outcome(partial(solutions, puzzle), time_limit=time_limit, most=most, second_limit=second_limit)


def solutions(puzzle: Puzzle, deadline: Deadline) -> Iterator[Solution]:
    """Every solution once, in no particular order. Raises OutOfTime when the deadline passes."""
    deadline.check()
    size = puzzle.size
    masks = propagated(_masks(puzzle), size)
    if masks is None:
        return
    if _is_settled(masks):
        yield _solution(masks, size)
    else:
        yield from _by_sat(masks, size, deadline)


def solved_at_once(puzzle: Puzzle) -> bool:
    """Whether elimination and hidden singles lead to a solution."""
    masks = propagated(_masks(puzzle), puzzle.size)
    return masks is not None and _is_settled(masks)


def _masks(puzzle: Puzzle) -> Masks:
    return [sum(1 << (n - 1) for n in cell) for row in puzzle.rows for cell in row]


def _is_settled(masks: Masks) -> bool:
    return all(not mask & (mask - 1) for mask in masks)


def _solution(masks: Masks, size: int) -> Solution:
    numbers = [mask.bit_length() for mask in masks]
    return tuple(tuple(numbers[r * size : (r + 1) * size]) for r in range(size))


def propagated(masks: Masks, size: int) -> Masks | None:
    """What elimination and hidden singles leave of the candidates; None where they show that there is no solution."""
    masks = list(masks)
    full = (1 << size) - 1
    lines = _LINES.get(size) or _LINES.setdefault(size, _lines(size))
    open_lines: Sequence[range] = lines
    changed = True
    while changed:
        changed = False
        still = []
        for line in open_lines:
            solved = once = twice = 0
            for i in line:
                mask = masks[i]
                twice |= once & mask
                once |= mask
                if not mask & (mask - 1):
                    if mask & solved or not mask:
                        return None
                    solved |= mask
            if once != full:
                return None
            if solved == full:
                continue
            still.append(line)
            single = full & ~twice & ~solved
            wide = twice & solved
            if single or wide:
                for i in line:
                    mask = masks[i]
                    if mask & (mask - 1):
                        left = mask & single or mask & ~solved
                        if left != mask:
                            if not left or mask & single & (left - 1) & left:
                                return None
                            masks[i] = left
                            changed = True
        open_lines = still
    return masks


def _lines(size: int) -> list[range]:
    rows = [range(r * size, (r + 1) * size) for r in range(size)]
    return rows + [range(c, size * size, size) for c in range(size)]


_LINES: dict[int, list[range]] = {}


def exactly_once(
    masks: Masks, size: int, order: Sequence[int] | None = None
) -> tuple[list[tuple[int, int]], list[Clause]]:
    """The cell and the bit of every variable (variable 1 has index 0), and the clauses that say that each unsettled
    cell holds one of its candidates, and each row and column every number of them once; auxiliary variables are used
    for that. ``order``: that of the cells in which the variables are numbered."""
    meaning: list[tuple[int, int]] = []
    groups: list[list[int]] = []
    in_row: dict[tuple[int, int], list[int]] = {}
    in_column: dict[tuple[int, int], list[int]] = {}
    for i in order or range(size**2):
        mask = masks[i]
        if not mask & (mask - 1):
            continue
        r, c = divmod(i, size)
        own: list[int] = []
        left = mask
        while left:
            bit = left & -left
            left ^= bit
            meaning.append((i, bit))
            own.append(len(meaning))
            in_row.setdefault((r, bit), []).append(len(meaning))
            in_column.setdefault((c, bit), []).append(len(meaning))
        groups.append(own)
    clauses: list[Clause] = []
    top = len(meaning)
    for group in (*groups, *in_row.values(), *in_column.values()):
        clauses.append(group)
        if len(group) <= PAIRWISE:
            clauses.extend(combinations([-v for v in group], 2))
            continue
        # Sinz's sequential counter (2005): a further variable for each but the last says that one of those up to here
        # holds. Pairs would be shorter to write, and fill gigabytes on the largest boards.
        for v, following in pairwise(group):
            top += 1
            clauses += [(-v, top), (-top, -following)]
            if v != group[0]:
                clauses.append((1 - top, top))
    return meaning, clauses


def _by_sat(masks: Masks, size: int, deadline: Deadline) -> Iterator[Solution]:
    meaning, clauses = exactly_once(masks, size)
    deadline.check()
    if len(meaning) < MANY_VARIABLES:
        with Sat(clauses) as sat:
            yield from _enumerated(sat, meaning, masks, size, deadline)
        return
    random = Random(0)
    conflicts = float(FIRST_CONFLICTS)
    while True:
        with Sat(clauses, engine=LARGE_ENGINE) as sat:
            if sat.solve(deadline, conflicts=round(conflicts)) is not None:
                yield from _enumerated(sat, meaning, masks, size, deadline)
                return
        conflicts *= LONGER
        meaning, clauses = exactly_once(masks, size, random.sample(range(size**2), size**2))


def _enumerated(
    sat: Sat, meaning: Sequence[tuple[int, int]], masks: Masks, size: int, deadline: Deadline
) -> Iterator[Solution]:
    def examine(model: Model) -> Verdict[Solution]:
        solved = list(masks)
        chosen = [v for v in model[: len(meaning)] if v > 0]
        for v in chosen:
            i, bit = meaning[v - 1]
            solved[i] = bit
        return Verdict([_solution(solved, size)], [[-v for v in chosen]])

    yield from enumerate_solutions(sat, examine, deadline)
