"""Hashi: the project's solver beside clingo (with its default and with its best preset), CP-SAT and the published
guess-and-propagate method."""

from __future__ import annotations

from functools import partial

from autoplayer.games.hashi import solver as ours
from autoplayer.games.hashi.generator import generate
from autoplayer.games.hashi.puzzle import Puzzle, check, parse
from bench.solving.hashi import clingo_asp, cp_sat, published
from bench.solving.table import Solver, Table

PACKS = ("codingame.txt", "sgt_half.txt", "hcmus.txt", "tonivrbic.txt", "noelhuibers.txt", "clones.txt")

SQUARE = parse("3.3\n...\n3.3")
"""Two solutions: it takes a search, for which the engine is loaded."""


def bench(quick: bool) -> None:
    cap, budget = (2.0, 6.0) if quick else (10.0, 30.0)
    rivals: dict[str, Solver] = {
        "clingo": clingo_asp.solve,
        f"clingo {clingo_asp.BEST}": partial(clingo_asp.solve, preset=clingo_asp.BEST),
        "CP-SAT": cp_sat.solve,
    }
    print(
        f"Each puzzle has {cap:.0f} s, a rival {budget:.0f} s a row. One thread each. Where a rival gave up, its ratio "
        "is a lower bound.\n"
    )
    print("A solution:")
    _compare(Table(parse, check, ours.solve, cap, budget, SQUARE, 1), rivals | {"published": published.solve}, quick)
    print("\nA solution, and whether there is a second one, which the published method does not ask:")
    _compare(Table(parse, check, ours.solve, cap, budget, SQUARE, 2), rivals, quick)


def _compare(table: Table, rivals: dict[str, Solver], quick: bool) -> None:
    table.heading()
    for file in PACKS:
        if puzzles := table.load(f"hashi/{file}"):
            table.compare(file, puzzles, rivals)
    if academic := table.load("hashi/coelho2019_sample.txt"):
        for count in (100, 200, 300, 400):
            puzzles = [puzzle for puzzle in academic if len(puzzle.islands) == count]
            table.compare(f"coelho2019, {count} islands", puzzles[:: 3 if quick else 1], rivals)
    for side, count in ((7, 20), (15, 10), (30, 2)) if quick else ((7, 50), (15, 30), (30, 5), (60, 2)):
        table.compare(f"generated {side}x{side}", _generated(side, count), rivals)


def _generated(side: int, count: int) -> list[Puzzle]:
    return [generate(side, side, seed) for seed in range(count)]
