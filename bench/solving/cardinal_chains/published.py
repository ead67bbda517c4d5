"""A rival: the published search for Cardinal Chains.

From each start all paths are listed breadth first; then the starts are gone through with backtracking, each with its
longest paths first, until the paths cover the board without meeting.
"""

from __future__ import annotations

import time
from typing import Any

from autoplayer.games.base import Outcome
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution

MOST_PATHS = 4_000_000
"""Listed paths take about 200 bytes each: beyond this the method is out of memory before it is out of time."""

Path = tuple[int, int, Any]
"""Last cell, the set of cells as bits, and the path before the last step."""


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 1) -> Outcome[Solution]:
    """The first solution; the method does not look for a second one whatever ``most`` says."""
    began = time.perf_counter()
    end = began + time_limit
    number = {cell: place for place, cell in enumerate(puzzle.cells)}
    cells = list(puzzle.cells)
    steps = [[number[target] for target in puzzle.steps[cell]] for cell in cells]
    everything = (1 << len(cells)) - 1

    def outcome(status: Any, solution: Solution | None = None) -> Outcome[Solution]:
        return Outcome(status, solution, None, time.perf_counter() - began, int(solution is not None))

    paths_of: list[list[Path]] = []
    count = 0
    for start in puzzle.starts:
        level: list[Path] = [(number[start], 1 << number[start], None)]
        levels = [level]
        while level:
            longer: list[Path] = []
            for path in level:
                cell, used, _ = path
                longer.extend((step, used | 1 << step, path) for step in steps[cell] if not used >> step & 1)
                if len(longer) & 1023 < 4 and time.perf_counter() > end:
                    return outcome("timeout")
            count += len(longer)
            if count > MOST_PATHS:
                return outcome("timeout")
            levels.append(longer)
            level = longer
        paths_of.append([path for one in reversed(levels) for path in one])

    chosen: list[Path] = []
    tried = 0

    def choose(place: int, used: int) -> bool | None:
        nonlocal tried
        if place == len(paths_of):
            return used == everything
        for path in paths_of[place]:
            tried += 1
            if not tried & 4095 and time.perf_counter() > end:
                return None
            if path[1] & used:
                continue
            chosen.append(path)
            answer = choose(place + 1, used | path[1])
            if answer is not False:
                return answer
            chosen.pop()
        return False

    answer = choose(0, 0)
    if answer is None:
        return outcome("timeout")
    if not answer:
        return outcome("no-solution")
    chains = []
    for path in chosen:
        chain = []
        back: Any = path
        while back is not None:
            chain.append(cells[back[0]])
            back = back[2]
        chains.append(tuple(reversed(chain)))
    return outcome("solved", tuple(chains))
