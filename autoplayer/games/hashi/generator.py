"""New puzzles of Hashi with exactly one solution, proven by the solver. The same arguments give the same puzzle.

The bridges come first, then the numbers: islands are grown from one another, each joined to an earlier one, some
bridges close cycles, and each carries one link or two. While the numbers allow another solution, the two are compared,
and the wanted one is changed where they differ.
"""

from __future__ import annotations

from itertools import islice
from random import Random

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Cell
from autoplayer.games.hashi.puzzle import WATER, Puzzle, Solution
from autoplayer.games.hashi.solver import solutions

LARGEST = 60
"""Most rows, and most columns."""
ISLANDS = 0.3
"""The share of places that are islands, where the board has room for so many."""
LONG = 0.1
"""The share of bridges that are laid as far as they can reach: with short ones only, the board would look like a
fence."""
NEVER = 60.0
"""Seconds, far more than a single search here takes; if a search exceeds it, it is given up, and another board is
tried."""

DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))
Pair = tuple[Cell, Cell]
Links = dict[Pair, int]


def generate(rows: int, columns: int, seed: int, *, islands: float = ISLANDS, touching: bool = False) -> Puzzle:
    """A puzzle of ``rows`` x ``columns`` places with exactly one solution; its outer rows and columns have islands.

    ``islands``: the share of places that are islands, 0.05 to 0.5, as far as there is room. ``touching``: whether
    islands may stand directly beside each other; on boards of two rows or columns they always may. Raises UsageError
    for a size or a request that cannot be met.
    """
    if not (1 <= rows <= LARGEST and 1 <= columns <= LARGEST):
        raise UsageError(f"a board has 1 to {LARGEST} rows and columns, but {columns}x{rows} was asked for")
    if rows * columns < 2:
        raise UsageError("a board of one place has no room for a bridge; ask for two places or more")
    if not 0.05 <= islands <= 0.5:
        raise UsageError(f"the share of islands is between 0.05 and 0.5, but {islands} was asked for")
    random = Random(f"hashi {rows} {columns} {seed} {islands} {touching}")
    wanted = max(2, round(islands * rows * columns))
    for _ in range(200):
        board = _Board(random, rows, columns, touching or 2 in (rows, columns))
        if not board.grow(wanted):
            continue
        try:
            puzzle = _one_solution(random, board)
        except OutOfTime:
            continue
        if puzzle is not None:
            return puzzle
    raise UsageError(f"no {columns}x{rows} board with one solution was found for these wishes; ask for other ones")


class _Board:
    """Islands and the bridges that join them, while they grow."""

    def __init__(self, random: Random, rows: int, columns: int, touching: bool) -> None:
        self.random = random
        self.rows = rows
        self.columns = columns
        self.touching = touching
        first = (random.randrange(rows), random.randrange(columns))
        self.islands = [first]
        self.joined: set[Pair] = set()
        """The bridges that stand, each island before island."""
        self.painted: dict[Cell, Pair | None] = {first: None}
        """For each place that is no free water its bridge; None for an island."""

    def grow(self, wanted: int) -> bool:
        """Add islands up to ``wanted``, as far as there is room. Returns whether the outer rows and columns have
        one."""
        reach = self.random.choice((3, 4, 6))
        chances = [(self.islands[0], direction) for direction in DIRECTIONS]
        while len(self.islands) < wanted and chances:
            at = self.random.randrange(len(chances))
            if self._sprout(*chances[at], LARGEST if self.random.random() < LONG else reach):
                chances += [(self.islands[-1], direction) for direction in DIRECTIONS]
            else:
                # What has no room now will have none later.
                chances[at] = chances[-1]
                chances.pop()
        for direction in DIRECTIONS:
            if not any(self._at_edge(island, direction) for island in self.islands) and not any(
                self._sprout(island, direction, 0) for island in self.random.sample(self.islands, len(self.islands))
            ):
                return False
        share = self.random.choice((0.1, 0.3, 0.5))
        for pair in _sights(self.islands):
            if pair not in self.joined and self.random.random() < share and self.free(pair):
                self.join(pair)
        return len(self.islands) > 1

    def _at_edge(self, island: Cell, direction: Cell) -> bool:
        """Whether the board ends right beside the island in this direction."""
        r, c = island[0] + direction[0], island[1] + direction[1]
        return not (0 <= r < self.rows and 0 <= c < self.columns)

    def _sprout(self, island: Cell, direction: Cell, reach: int) -> bool:
        """Add an island in sight of ``island``, joined to it: on free water, or on a bridge that lies across. It is at
        one of the ``reach`` nearest places, or for 0 at the board's edge. Returns whether there was room."""
        r, c = island
        places = []
        while True:
            r, c = r + direction[0], c + direction[1]
            if not (0 <= r < self.rows and 0 <= c < self.columns):
                break
            across = (r, c) in self.painted
            if across and (self.painted[r, c] is None or self._along((r, c), direction)):
                break
            if self.touching or not any(self.painted.get((r + y, c + x), WATER) is None for y, x in DIRECTIONS):
                places.append((r, c))
            if across:
                break
        if not places:
            return False
        if not reach and not self._at_edge(places[-1], direction):
            return False
        place = self.random.choice(places[:reach]) if reach else places[-1]
        bridge = self.painted.get(place)
        self.islands.append(place)
        if bridge:
            self._part(bridge)
            self.join((bridge[0], place))
            self.join((place, bridge[1]))
        self.join((min(island, place), max(island, place)))
        return True

    def _along(self, place: Cell, direction: Cell) -> bool:
        """Whether the bridge at ``place`` runs in this direction."""
        bridge = self.painted[place]
        return bridge is not None and (bridge[0][0] == bridge[1][0]) == (direction[0] == 0)

    def free(self, pair: Pair) -> bool:
        return not any(place in self.painted for place in _between(pair))

    def join(self, pair: Pair) -> None:
        self.joined.add(pair)
        self.painted.update(dict.fromkeys(_between(pair), pair))
        self.painted[pair[0]] = self.painted[pair[1]] = None

    def _part(self, pair: Pair) -> None:
        self.joined.discard(pair)
        for place in _between(pair):
            del self.painted[place]

    def connected(self) -> bool:
        near: dict[Cell, list[Cell]] = {island: [] for island in self.islands}
        for a, b in self.joined:
            near[a].append(b)
            near[b].append(a)
        seen = {self.islands[0]}
        stack = [self.islands[0]]
        while stack:
            for other in near[stack.pop()]:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return len(seen) == len(self.islands)

    def leave(self, pair: Pair) -> bool:
        """Remove a bridge, unless that disconnects the islands. Returns whether it was removed."""
        self._part(pair)
        if self.connected():
            return True
        self.join(pair)
        return False


def _between(pair: Pair) -> list[Cell]:
    (r1, c1), (r2, c2) = pair
    if r1 == r2:
        return [(r1, c) for c in range(c1 + 1, c2)]
    return [(r, c1) for r in range(r1 + 1, r2)]


def _sights(islands: list[Cell]) -> list[Pair]:
    """Every two islands with only water between them, in a fixed order."""
    pairs = []
    left: dict[int, Cell] = {}
    above: dict[int, Cell] = {}
    for r, c in sorted(islands):
        if r in left:
            pairs.append((left[r], (r, c)))
        if c in above:
            pairs.append((above[c], (r, c)))
        left[r] = above[c] = (r, c)
    return pairs


def _one_solution(random: Random, board: _Board) -> Puzzle | None:
    """Numbers for which the bridges of ``board``, changed if necessary, are the only solution; None if none were
    found."""
    double = random.choice((0.3, 0.45, 0.6))
    links = {pair: 2 if random.random() < double else 1 for pair in sorted(board.joined)}
    for _ in range(2 * len(board.islands)):
        puzzle = _puzzle(board, links)
        rivals = [found for found in map(_counts, _first(puzzle)) if found != links]
        if not rivals:
            return puzzle
        _change(random, board, links, rivals[0])
    return None


def _first(puzzle: Puzzle) -> list[Solution]:
    """Up to two solutions. Raises OutOfTime."""
    return list(islice(solutions(puzzle, Deadline(NEVER)), 2))


def _counts(solution: Solution) -> Links:
    return {(a, b): links for a, b, links in solution}


def _puzzle(board: _Board, links: Links) -> Puzzle:
    rows = [[WATER] * board.columns for _ in range(board.rows)]
    for pair, count in links.items():
        for r, c in pair:
            rows[r][c] += count
    return Puzzle(tuple(map(tuple, rows)))


def _change(random: Random, board: _Board, links: Links, rival: Links) -> None:
    """Where the two solutions differ, change the links of one bridge of each difference, so that the solutions no
    longer have the same numbers."""
    for place in _differences(links, rival):
        for pair in random.sample(place, len(place)):
            if pair not in links:
                if board.free(pair):
                    board.join(pair)
                    links[pair] = random.choice((1, 2))
                    break
            elif random.random() < 0.2 and board.leave(pair):
                del links[pair]
                break
            else:
                links[pair] = 3 - links[pair]
                break


def _differences(links: Links, rival: Links) -> list[list[Pair]]:
    """The bridges in which the two solutions differ, those that share an island grouped together."""
    differing = sorted(pair for pair in links.keys() | rival.keys() if links.get(pair, 0) != rival.get(pair, 0))
    at: dict[Cell, list[Pair]] = {}
    for pair in differing:
        for island in pair:
            at.setdefault(island, []).append(pair)
    places = []
    seen: set[Pair] = set()
    for first in differing:
        if first in seen:
            continue
        seen.add(first)
        place = [first]
        for pair in place:
            for near in [*at[pair[0]], *at[pair[1]]]:
                if near not in seen:
                    seen.add(near)
                    place.append(near)
        places.append(place)
    return places
