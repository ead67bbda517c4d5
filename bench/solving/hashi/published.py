"""A rival: the published method for Hashi, guess and propagate.

Where N is what an island still needs, S the most that its neighbours can take together and p the most that one of them
can take, N − S + p links to that one are sure. When nothing is sure any more, one link is guessed at an island that has
the fewest neighbours left, and taken back where it leads nowhere. That all islands hang together is looked at last.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from autoplayer.games.base import Outcome
from autoplayer.games.hashi.puzzle import MOST_LINKS, Link, Puzzle, Solution


class _OutOfTime(Exception):  # noqa: N818
    pass


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 1) -> Outcome[Solution]:
    """The first solution; the method does not look for a second one whatever ``most`` says."""
    began = time.perf_counter()
    end = began + time_limit
    number = {island: i for i, island in enumerate(puzzle.islands)}
    ends = [(number[a], number[b]) for a, b in puzzle.bridges]
    at = list(puzzle.at.values())
    crossings = puzzle.crossings

    def takes(k: int, missing: list[int], links: list[int], closed: list[bool]) -> int:
        if closed[k]:
            return 0
        a, b = ends[k]
        return min(missing[a], missing[b], MOST_LINKS - links[k])

    def put(k: int, count: int, missing: list[int], links: list[int], closed: list[bool]) -> None:
        for island in ends[k]:
            missing[island] -= count
        links[k] += count
        for other in crossings[k]:
            closed[other] = True

    def sure(missing: list[int], links: list[int], closed: list[bool]) -> bool:
        """Put all that is sure; False where an island cannot get what it needs."""
        again = True
        while again:
            again = False
            if time.perf_counter() > end:
                raise _OutOfTime
            for island, here in enumerate(at):
                if not missing[island]:
                    continue
                each = [takes(k, missing, links, closed) for k in here]
                spare = sum(each) - missing[island]
                if spare < 0:
                    return False
                for k, can in zip(here, each, strict=True):
                    if can > spare:
                        put(k, can - spare, missing, links, closed)
                        again = True
        return True

    def whole(links: list[int]) -> bool:
        seen = {0}
        stack = [0]
        while stack:
            island = stack.pop()
            for k in at[island]:
                for other in ends[k]:
                    if links[k] and other not in seen:
                        seen.add(other)
                        stack.append(other)
        return len(seen) == len(at)

    def search(missing: list[int], links: list[int], closed: list[bool]) -> list[int] | None:
        if not sure(missing, links, closed):
            return None
        if not any(missing):
            return links if whole(links) else None
        choices = []
        for island, here in enumerate(at):
            if missing[island]:
                ways = [k for k in here if takes(k, missing, links, closed)]
                choices.append((len(ways), island, ways))
        for k in min(choices)[2]:
            guess = missing.copy(), links.copy(), closed.copy()
            put(k, 1, *guess)
            answer = search(*guess)
            if answer:
                return answer
            # No further link here, then.
            closed[k] = True
        return None

    def outcome(status: Any, solution: Solution | None = None) -> Outcome[Solution]:
        return Outcome(status, solution, None, time.perf_counter() - began, int(solution is not None))

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 2 * len(ends) + 1000))
    try:
        answer = search(list(puzzle.islands.values()), [0] * len(ends), [False] * len(ends))
    except _OutOfTime:
        return outcome("timeout")
    if answer is None:
        return outcome("no-solution")
    solution = tuple(Link(a, b, count) for (a, b), count in zip(puzzle.bridges, answer, strict=True) if count)
    return outcome("solved", solution)
