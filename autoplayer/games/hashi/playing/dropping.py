"""Numbers that drop while the level is played: they say what remains, though they were read as what the level asks for.

On a board that was begun a single picture need not tell which of the two is right: both may have a solution of which
the bridges that stand are a part. The first bridge that is added tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from autoplayer.games.base import Reading
from autoplayer.games.hashi.puzzle import WATER, Bridge, Puzzle
from autoplayer.games.hashi.seeing.between.remaining import links_of
from autoplayer.games.hashi.seeing.between.standing import Standing

FEWEST_DROPPED = 2
"""Islands: a bridge has two ends, and a single number may be misread."""


def as_it_began(reading: Reading[Puzzle], puzzle: Puzzle, seen: Standing) -> Reading[Puzzle] | None:
    """The board of ``reading`` as it was before play began, if ``seen`` shows that the numbers of ``puzzle`` were not
    what the level asks for, but what remained; None otherwise, and where no bridge stood at first, so that both were
    the same."""
    stood: Mapping[Bridge, int] = reading.extra.get("bridges", {})
    if not stood or reading.extra.get("counts_down") or not _dropped(puzzle, links_of(stood), seen):
        return None
    wanted = Counter(puzzle.islands) + links_of(stood)
    began = Puzzle(
        tuple(
            tuple(wanted[r, c] if (r, c) in puzzle.islands else WATER for c in range(puzzle.width))
            for r in range(puzzle.height)
        )
    )
    return replace(reading, puzzle=began, doubts=(), extra={**reading.extra, "counts_down": True})


def _dropped(puzzle: Puzzle, had: Mapping[tuple[int, int], int], seen: Standing) -> bool:
    """Whether the islands of ``puzzle`` that have more links than they ``had`` show that many less, and all others the
    same numbers. Islands whose number cannot be read, as complete ones may have none, say nothing."""
    has = links_of(seen.links)
    changed = {cell: seen.shown[cell] - number for cell, number in puzzle.islands.items() if cell in seen.shown}
    added = {cell: has[cell] - had.get(cell, 0) for cell in changed}
    dropped = sum(change < 0 for change in changed.values())
    return dropped >= FEWEST_DROPPED and all(change == -added[cell] for cell, change in changed.items())
