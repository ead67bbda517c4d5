"""A rival: depth-first search over bitmasks, the cell with the fewest candidates first, as most solvers of Sudoku do
it. A chosen number is struck from its row and column, and what then stands alone goes on."""

from __future__ import annotations

from autoplayer.core.deadline import Deadline
from autoplayer.games.base import Outcome
from autoplayer.games.cross_set.puzzle import Puzzle, Solution


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
    """Shares nothing with the project's solver."""
    deadline = Deadline(time_limit)
    size = puzzle.size
    near = [
        [r * size + k for k in range(size) if k != c] + [k * size + c for k in range(size) if k != r]
        for r in range(size)
        for c in range(size)
    ]
    begin: list[int] | None = [sum(1 << n for n in cell) for row in puzzle.rows for cell in row]
    for at in range(size**2):
        if begin is not None and begin[at].bit_count() == 1:
            begin = _struck(begin, near, at)
    stack = [begin] if begin is not None else []
    found: list[Solution] = []
    while stack and len(found) < most and not deadline.passed:
        masks = stack.pop()
        fewest, at = min(
            ((mask.bit_count(), at) for at, mask in enumerate(masks) if mask.bit_count() > 1), default=(0, 0)
        )
        if not fewest:
            numbers = [mask.bit_length() - 1 for mask in masks]
            found.append(tuple(tuple(numbers[r * size : (r + 1) * size]) for r in range(size)))
            continue
        for n in range(1, size + 1):
            if masks[at] >> n & 1:
                branch = _struck([*masks[:at], 1 << n, *masks[at + 1 :]], near, at)
                if branch is not None:
                    stack.append(branch)
    exhausted = not stack and len(found) < most
    unique = False if len(found) > 1 else True if found and exhausted else None
    answer = "solved" if found else "no-solution" if exhausted else "timeout"
    return Outcome(answer, found[0] if found else None, unique, deadline.spent, len(found), exhausted)  # type: ignore[arg-type]


def _struck(masks: list[int], near: list[list[int]], at: int) -> list[int] | None:
    """What is left when the number of a cell goes from its row and column; None where a cell is then empty."""
    masks = list(masks)
    queue = [at]
    for here in queue:
        mask = masks[here]
        for other in near[here]:
            if masks[other] & mask:
                masks[other] &= ~mask
                if not masks[other]:
                    return None
                if masks[other].bit_count() == 1:
                    queue.append(other)
    return masks
