"""New puzzles of Cardinal Chains with exactly one solution, proven by the solver. The same arguments give the same
puzzle.

The chains come first, then the numbers: random holes and starts are placed, random chains are laid that cover the
board, and numbers are assigned that rise along them. While another solution exists, one of its steps is forbidden by
raising numbers further. Finally, differences between numbers that the solver does not need are removed.
"""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle
from autoplayer.games.cardinal_chains.solver import solutions, solve

LARGEST = 30
"""Most rows, and most columns."""
HIGHEST = 99
"""No number above this: windows show two digits."""
ROUNDS = 40
"""Rounds of raising after which chains are given up: successful ones need 10 to 50 rounds."""
NEVER = 60.0
"""Seconds, far more than a single search here takes; if a search exceeds it, it is given up, and another board is
tried."""

Chains = list[list[Cell]]
Values = dict[Cell, int]
Step = tuple[Cell, Cell]


def generate(
    rows: int,
    columns: int,
    seed: int,
    *,
    starts: int | None = None,
    holes: float | None = None,
    highest: int | None = None,
) -> Puzzle:
    """A puzzle of ``rows`` x ``columns`` places with exactly one solution.

    ``starts``: the number of chains; ``holes``: the share of places that are holes, 0 to 0.5; ``highest``: the largest
    number allowed. Each is chosen at random if it is None. Raises UsageError for a size or a request that cannot be
    met.
    """
    if not (1 <= rows <= LARGEST and 1 <= columns <= LARGEST):
        raise UsageError(f"a board has 1 to {LARGEST} rows and columns, but {columns}x{rows} was asked for")
    if rows * columns < 2:
        raise UsageError("a board of one place holds no chain; ask for two places or more")
    if holes is not None and not 0 <= holes <= 0.5:
        raise UsageError(f"the share of holes is between 0 and 0.5, but {holes} was asked for")
    if highest is not None and not 1 <= highest <= HIGHEST:
        raise UsageError(f"the highest number is between 1 and {HIGHEST}, but {highest} was asked for")
    if starts is not None and not 1 <= starts <= rows * columns // 2:
        raise UsageError(
            f"a {columns}x{rows} board has room for 1 to {rows * columns // 2} starts, but {starts} was asked for"
        )
    random = Random(f"cardinal-chains {rows} {columns} {seed} {starts} {holes} {highest}")
    for _ in range(200):
        chains = _chains(random, rows, columns, starts, holes)
        if chains is None:
            continue
        try:
            values = _unique_values(random, rows, columns, chains, highest or HIGHEST)
        except OutOfTime:
            continue
        if values is not None:
            return _puzzle(rows, columns, values)
    raise UsageError(
        f"no {columns}x{rows} board with one solution was found for these wishes; allow more starts, or higher numbers"
    )


def _puzzle(rows: int, columns: int, values: Values) -> Puzzle:
    return Puzzle(tuple(tuple(values.get((r, c)) for c in range(columns)) for r in range(rows)))


def _chains(random: Random, rows: int, columns: int, starts: int | None, holes: float | None) -> Chains | None:
    """Random chains that cover a board with random holes; None if these random choices allow none."""
    places = [(r, c) for r in range(rows) for c in range(columns)]
    share = random.choice((0.0, 0.05, 0.1, 0.15)) if holes is None else holes
    wanted = len(places) - round(share * len(places))
    cells = _blob(random, places, max(wanted, 2, 2 * (starts or 1)))
    few = max(1, round(math.sqrt(len(cells)) * 0.8))
    count = starts if starts is not None else random.randint(1, few)
    begun = random.sample(sorted(cells), min(count, len(cells) // 2))
    values = {cell: START if cell in begun else 1 for cell in cells}
    outcome = solve(_puzzle(rows, columns, values), time_limit=NEVER, most=1)
    if outcome.solution is None:
        return None
    chains = [list(chain) for chain in outcome.solution]
    _shuffle(random, chains)
    return chains


def _blob(random: Random, places: list[Cell], wanted: int) -> set[Cell]:
    """A random connected set of places: holes are cut out one by one, unless that would disconnect the rest. Every
    outer row and column keeps a cell: a row of holes only would not be visible as part of the board in a picture."""
    cells = set(places)
    last_row, last_column = places[-1]
    for r, c in random.sample(places, len(places)):
        if len(cells) <= wanted:
            break
        if (r in (0, last_row) and sum(row == r for row, _ in cells) == 1) or (
            c in (0, last_column) and sum(column == c for _, column in cells) == 1
        ):
            continue
        around = [(r - 1, c - 1), (r - 1, c), (r - 1, c + 1), (r, c + 1), (r + 1, c + 1), (r + 1, c), (r + 1, c - 1)]
        around.append((r, c - 1))
        ring = [place in cells for place in around]
        # Going around the hole, its side neighbours must be one run, or removing it may part the board.
        runs = sum(ring[i] and not ring[i - 1] for i in range(8))
        if runs <= 1:
            cells.discard((r, c))
    return cells


def _shuffle(random: Random, chains: Chains) -> None:
    """Random chains from any chains, by moves that keep them valid: an end turns back onto its own chain (backbite,
    Oberdorf et al. 2006), or takes over the tail of another chain."""
    home = {cell: number for number, chain in enumerate(chains) for cell in chain}
    for _ in range(12 * len(home)):
        number = random.randrange(len(chains))
        chain = chains[number]
        r, c = chain[-1]
        touched = random.choice(((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)))
        other = home.get(touched)
        if other is None:
            continue
        place = chains[other].index(touched)
        if other == number:
            chain[place + 1 :] = reversed(chain[place + 1 :])
        elif place > 1:  # a start keeps at least one cell
            tail = chains[other][place:]
            del chains[other][place:]
            chain.extend(tail)
            home.update(dict.fromkeys(tail, number))


def _unique_values(random: Random, rows: int, columns: int, chains: Chains, highest: int) -> Values | None:
    """Numbers along the chains that make them the only solution; None if none were found."""
    rise = random.uniform(0.05, 0.35)
    values: Values = {}
    for chain in chains:
        value = random.choice((1, 1, 1, 2, 3))
        values[chain[0]] = START
        for cell in chain[1:]:
            value += random.random() < rise
            values[cell] = value
    wanted = {step for chain in chains for step in pairwise(chain)}
    for _ in range(ROUNDS):
        rivals = _rivals(_puzzle(rows, columns, values), wanted)
        if not rivals:
            values = _levelled(random, rows, columns, _ranked(values), wanted, highest)
            return values if max(values.values()) <= highest else None
        for rival in rivals:
            if not _forbid(random, chains, values, rival - wanted):
                return None
    return None


def _rivals(puzzle: Puzzle, wanted: set[Step], most: int = 8) -> list[set[Step]]:
    """Up to ``most`` solutions other than ``wanted``; empty only if there are none. Raises OutOfTime."""
    found = []
    for solution in solutions(puzzle, Deadline(NEVER)):
        steps = {step for chain in solution for step in pairwise(chain)}
        if steps != wanted:
            found.append(steps)
            if len(found) == most:
                break
    return found


def _forbid(random: Random, chains: Chains, values: Values, strange: set[Step]) -> bool:
    """Raise numbers so that one of the steps in ``strange``, which the chains do not take, descends.

    The number at the step's origin is raised above the one at its target, together with all later numbers of its own
    chain. That does not help if the target is among those, or if the step begins at a start.
    """
    if any(values[a] > values[b] for a, b in strange):
        return True
    place = {cell: (number, index) for number, chain in enumerate(chains) for index, cell in enumerate(chain)}
    choices = []
    for a, b in sorted(strange):
        (chain_a, index_a), (chain_b, index_b) = place[a], place[b]
        if index_a > 0 and (chain_a != chain_b or index_b < index_a):
            choices.append((values[b] + 1 - values[a], random.random(), a))
    if not choices:
        return False
    rise, _, cell = min(choices)
    number, index = place[cell]
    for after in chains[number][index:]:
        values[after] += rise
    return True


def _ranked(values: Values) -> Values:
    """The same order with the smallest possible numbers: 1 for the lowest, 2 for the next."""
    rank = {value: place for place, value in enumerate(sorted({START, *values.values()}))}
    return {cell: rank[value] for cell, value in values.items()}


def _levelled(random: Random, rows: int, columns: int, values: Values, wanted: set[Step], highest: int) -> Values:
    """Fewer different numbers, still with one solution: neighbouring numbers are made equal where possible.

    How far this goes is random, so that there are boards with many numbers and boards with few.
    """
    patience = random.choice((0.3, 0.7, 1.0))
    levels = list(range(1, max(values.values())))
    random.shuffle(levels)
    gone: list[int] = []
    for level in levels:
        now = level - sum(other < level for other in gone)
        if random.random() > patience and max(values.values()) <= min(highest, 9):
            continue
        merged = {cell: value - (value > now) for cell, value in values.items()}
        if not _rivals(_puzzle(rows, columns, merged), wanted, most=1):
            values = merged
            gone.append(level)
    return values
