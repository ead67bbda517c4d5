"""Every solution of a small board by trying all links, and random small boards. Shares nothing with the solver."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

from hypothesis import strategies as st

from autoplayer.games.hashi.puzzle import Link, Puzzle, Solution

LEVELS = Path(__file__).resolve().parents[3] / "shared" / "levels" / "hashi"
"""Level packs that are not part of the project; tests that use them are skipped where they are absent."""

Cell = tuple[int, int]
Pair = tuple[Cell, Cell]


def pairs(islands: dict[Cell, int]) -> list[tuple[Pair, set[Cell]]]:
    """Every two islands in one row or column with no third between, and the places between them."""
    found = []
    for a in sorted(islands):
        for b in sorted(islands):
            if a < b and (a[0] == b[0] or a[1] == b[1]):
                between = {(r, c) for r in range(a[0], b[0] + 1) for c in range(a[1], b[1] + 1)} - {a, b}
                if not between & islands.keys():
                    found.append(((a, b), between))
    return found


@functools.lru_cache(4096)  # hypothesis tries the same boards on rule after rule
def all_solutions(puzzle: Puzzle) -> set[Solution]:
    """Each with its links sorted."""
    islands = {(r, c): n for r, row in enumerate(puzzle.rows) for c, n in enumerate(row) if n}
    open_pairs = pairs(islands)
    last = {end: place for place, (pair, _) in enumerate(open_pairs) for end in pair}

    def extend(place: int, missing: dict[Cell, int], painted: set[Cell], links: list[Link]) -> Iterator[Solution]:
        if any(left < 0 or (left > 0 and last.get(island, -1) < place) for island, left in missing.items()):
            return
        if place == len(open_pairs):
            reached = {next(iter(islands))}
            for _ in islands:
                for a, b, _count in links:
                    if a in reached or b in reached:
                        reached |= {a, b}
            if len(reached) == len(islands):
                yield tuple(sorted(links))
            return
        (a, b), between = open_pairs[place]
        yield from extend(place + 1, missing, painted, links)
        if not between & painted:
            for count in (1, 2):
                less = {**missing, a: missing[a] - count, b: missing[b] - count}
                yield from extend(place + 1, less, painted | between, [*links, Link(a, b, count)])

    return set(extend(0, islands, set(), []))


@st.composite
def boards(draw: st.DrawFn, most_islands: int = 8) -> Puzzle:
    """Boards of up to 5x5: numbers that some links, drawn first, make true (whether they hang together or not); on
    some of the boards one number is then changed."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    places = [(r, c) for r in range(height) for c in range(width)]
    chosen = draw(st.lists(st.sampled_from(places), min_size=1, max_size=most_islands, unique=True))
    numbers = dict.fromkeys(chosen, 0)
    painted: set[Cell] = set()
    for (a, b), between in pairs(numbers):
        count = draw(st.sampled_from((0, 1, 1, 2)))
        if count and not between & painted:
            painted |= between
            numbers[a] += count
            numbers[b] += count
    if draw(st.integers(0, 3)) == 0 or not any(numbers.values()):
        numbers[draw(st.sampled_from(chosen))] = draw(st.integers(1, 8))
    return Puzzle(tuple(tuple(numbers.get((r, c), 0) for c in range(width)) for r in range(height)))


def packs(*names: str) -> Iterator[tuple[str, str]]:
    """Name and text of every level in these packs."""
    for name in names:
        for number, block in enumerate((LEVELS / name).read_text(encoding="utf-8").split("\n\n"), 1):
            if block.strip():
                yield f"{name} {number}", block
