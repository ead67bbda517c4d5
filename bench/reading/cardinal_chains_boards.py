"""What stands on a board of Cardinal Chains: numbers, chains and starts, and how far it is played. Draws nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains.generator import generate
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle, parse
from bench.reading import strange
from bench.reading.faces import Side
from bench.reading.strange import Random, choose

LEVELS = Path(__file__).resolve().parents[3] / "shared/levels/cardinal-chains/zx.txt"
"""Levels of another remake, beside the project on some machines; boards made here take their place elsewhere."""

Chains = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Content:
    """``chains``: a solution where the board was made from one, else empty."""

    puzzle: Puzzle
    origin: str
    chains: Chains = ()


@lru_cache(maxsize=1)
def _levels() -> tuple[Puzzle, ...]:
    if not LEVELS.is_file():
        return ()
    puzzles = []
    for block in LEVELS.read_text(encoding="utf-8").split("\n\n"):
        try:
            puzzle = parse(block)
        except PuzzleError:
            continue
        if max(puzzle.height, puzzle.width) <= 15 and len(puzzle.cells) > 1:
            puzzles.append(trimmed(puzzle.cells))
    return tuple(puzzles)


def trimmed(cells: Mapping[Cell, int]) -> Puzzle:
    """The board of these cells without empty rows and columns at its edges, which no window can show."""
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    bottom, right = max(r for r, _ in cells), max(c for _, c in cells)
    return Puzzle(tuple(tuple(cells.get((r, c)) for c in range(left, right + 1)) for r in range(top, bottom + 1)))


def _size(rng: Random) -> tuple[int, int]:
    """Rows and columns, 1x2 to 15x15, mostly 3 to 9."""
    if rng.random() < 0.06:
        rows, columns = [(1, 2), (1, 4), (2, 1), (2, 2), (1, 6), (5, 1)][int(rng.integers(6))]
    elif rng.random() < 0.15:
        rows, columns = int(rng.integers(9, 16)), int(rng.integers(9, 16))
    else:
        rows, columns = int(rng.integers(2, 10)), int(rng.integers(2, 10))
    return rows, columns


def _top(rng: Random, digits: int) -> int:
    top = choose(rng, {2: 2.0, 4: 5.0, 9: 4.0, 25: 1.0, 99: 1.2})
    return top if top < 10**digits else 9


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    r, c = cell
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def _connected(cells: set[Cell]) -> bool:
    reached, frontier = set(), [next(iter(cells))]
    while frontier:
        cell = frontier.pop()
        if cell not in reached:
            reached.add(cell)
            frontier += [n for n in neighbours(cell) if n in cells]
    return len(reached) == len(cells)


def _shape(rng: Random, rows: int, columns: int) -> set[Cell]:
    """A connected set of cells with some holes, enclosed ones among them."""
    cells = {(r, c) for r in range(rows) for c in range(columns)}
    share = choose(rng, {0.0: 3.0, 0.06: 3.0, 0.15: 3.0, 0.3: 1.0})
    for cell in sorted(cells):
        if rng.random() < share and len(cells) > 2 and _connected(cells - {cell}):
            cells.discard(cell)
    return cells


def numbers(rng: Random, digits: int = 2) -> Content:
    """Random numbers and starts; the rules are not asked."""
    cells = sorted(_shape(rng, *_size(rng)))
    top = _top(rng, digits)
    starts = min(int(rng.integers(1, 11)), max(len(cells) // 4, 1))
    values = {cell: int(rng.integers(1, top + 1)) for cell in cells}
    for i in rng.choice(len(cells), starts, replace=False):
        values[cells[int(i)]] = START
    return Content(trimmed(values), "numbers")


def chained(rng: Random, digits: int = 2) -> Content:
    """A board that has a solution: chains are laid first, then numbers that do not descend along them."""
    for _ in range(60):
        rows, columns = _size(rng)
        free = _shape(rng, rows, columns)
        most = int(rng.integers(1, 11))
        chains: list[tuple[Cell, ...]] = []
        while free and len(chains) < most:
            # Begin where there is least room, so that few cells are left over.
            cell = min(sorted(free), key=lambda c: (sum(n in free for n in neighbours(c)), rng.random()))
            laid = [cell]
            free.discard(cell)
            length = len(free) // (most - len(chains)) + int(rng.integers(2, 6))
            while len(laid) < length:
                ways = [n for n in neighbours(laid[-1]) if n in free]
                if not ways:
                    break
                step = min(ways, key=lambda c: (sum(n in free for n in neighbours(c)), rng.random()))
                laid.append(step)
                free.discard(step)
            if len(laid) > 1:
                chains.append(tuple(laid))
        cells = {cell for chain in chains for cell in chain}
        if not cells or not _connected(cells) or len(cells) < 0.6 * rows * columns:
            continue
        top = _top(rng, digits)
        values: dict[Cell, int] = {}
        for chain in chains:
            rising = np.sort(rng.integers(1, top + 1, len(chain) - 1))
            values |= {chain[0]: START} | {cell: int(v) for cell, v in zip(chain[1:], rising, strict=True)}
        puzzle = trimmed(values)
        up, left = min(r for r, _ in values), min(c for _, c in values)
        return Content(puzzle, "chains", tuple(tuple((r - up, c - left) for r, c in chain) for chain in chains))
    # No luck with these sizes: the smallest board that is more than a line.
    return Content(Puzzle(((START, 1), (2, 1))), "chains", (((0, 0), (0, 1), (1, 1), (1, 0)),))


def generated(rng: Random, digits: int = 2) -> Content:
    """A board of the project's own generator: exactly one solution."""
    rows, columns = _size(rng)
    rows, columns = min(max(rows, 2), 9), min(max(columns, 2), 9)
    return Content(trimmed(generate(rows, columns, int(rng.integers(2**31))).cells), "generated")


def level(rng: Random, digits: int = 2) -> Content:
    """A level of a real remake, where there are any; else one of the project's own."""
    fitting = [p for p in _levels() if max(p.cells.values()) < 10**digits]
    if not fitting:
        return generated(rng, digits)
    return Content(fitting[int(rng.integers(len(fitting)))], "level")


def content_for(seed: int, side: Side, kind: str, digits: int) -> Content:
    """What stands on the board of a seed. ``kind``: one of the ways above; ``digits``: of a number, at most."""
    rng = strange.stream(seed, "content", side, str(digits))
    maker = {"numbers": numbers, "chains": chained, "generated": generated, "level": level}[kind]
    return maker(rng, digits)


def partly(rng: Random, chains: Chains) -> Chains:
    """Some of the chains, each up to some cell; at least one of two cells."""
    drawn = [chain[: int(rng.integers(2, len(chain) + 1))] for chain in chains if rng.random() < 0.6]
    return tuple(drawn or [chains[0][:2]])
