"""Continuity: first what the figure can reach in rooms, beside flights that are simulated one after another; then the
project's planner beside a search in plain Python, one without estimates, and one that knows how far the figure walks
but not how far tiles slide. These rivals look at the place of every tile.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

from autoplayer.games.base import Outcome
from autoplayer.games.continuity import solver
from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.generator import drawn, generate
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.routes import routes
from autoplayer.games.continuity.steps import Solution, check
from autoplayer.games.continuity.world import World
from bench.solving.continuity import flown, plain, whole
from bench.solving.table import LEVELS, Run, Solver, Table

SIZES = ((2, 2), (2, 3), (2, 4), (3, 3))
"""Rows and columns of boards that are made with a proof that there is a plan."""
LARGE = ((3, 4), (4, 4))
"""Of those that are only drawn."""

PUBLISHED = {"last": ("1 2 3 / 4 5 6 / 7 8 _", 180), "first": ("_ 7 8 / 3 1 6 / 5 2 4", 188)}
"""Boards of the published level, and what they cost at least with 1 for a slide and 6 for a link or crossing."""


def bench(quick: bool) -> None:
    cap, budget = (10.0, 10.0) if quick else (30.0, 30.0)
    rivals: dict[str, Solver] = {
        "walks only": whole.informed,
        "no estimates": whole.uninformed,
        "plain Python": plain.solve,
    }
    print(
        f"Each level has {cap:.0f} s, a rival {budget:.0f} s a row. One thread each. Where a rival gave up, its ratio "
        "is a lower bound.\n"
    )
    levels = {size: _generated(size, quick) for size in SIZES} | {
        size: _drawn(*size, 2 if quick else 8) for size in LARGE
    }
    print("What the figure reaches (the same for both, or it would say so):")
    table = Table(parse, flown.check, flown.ours, cap, budget, levels[SIZES[0]][0], 1)
    table.heading()
    for (rows, columns), given in levels.items():
        table.compare(f"{columns}x{rows}", given, {"plain Python": flown.one_by_one})
    print("\nPlans, where that is known:")
    table = Table(lambda text: parse(text).world, check, _ours, cap, budget, levels[SIZES[0]][0].world, 1)
    table.heading()
    for where, (board, cost) in PUBLISHED.items():
        if world := _level31(board):
            run = table.compare(f"level 31, empty {where}", [world], rivals)
            assert [outcome.solution and outcome.solution[-1].total for outcome in run.outcomes] == [cost]
        else:
            print(f"level 31, empty {where}: skipped, it is not there")
    for rows, columns in SIZES:
        worlds = [level.world for level in levels[rows, columns]]
        _gaps(table.compare(f"generated {columns}x{rows}", worlds, rivals))
    print("\nLarge boards, 10 s each:")
    table.heading()
    for rows, columns in LARGE:
        worlds = [level.world for level in levels[rows, columns]]
        _gaps(table.compare(f"drawn {columns}x{rows}", worlds, {"walks only": whole.informed}, cap=10.0))


def _generated(size: tuple[int, int], quick: bool) -> list[Level]:
    return [generate(*size, seed) for seed in range(1, (2 if quick else 5) + 1)]


def _ours(world: World, *, time_limit: float, most: int) -> Outcome[Solution]:
    return solver.solve(world, time_limit=time_limit)


def _level31(board: str) -> World | None:
    path = LEVELS / "continuity" / "level31.json"
    if not path.exists():
        return None
    data = json.loads(path.read_text("utf-8"))
    data |= {"board": board.split(" / "), "cost": {"link": 6, "crossing": 6, "slide": 1}}
    return parse(json.dumps(data)).world


def _drawn(rows: int, columns: int, count: int) -> list[Level]:
    """Levels that have a plan if every tile could lie beside every other."""
    random = Random(f"continuity bench {rows} {columns}")
    levels: list[Level] = []
    while len(levels) < count:
        level = drawn(rows, columns, random)
        if routes(level.world).goals:
            levels.append(level)
    return levels


def _gaps(run: Run) -> None:
    """How far the plans are from what is proven to be the least."""
    ends: Sequence[Solution] = [outcome.solution for outcome in run.outcomes if outcome.solution]
    gaps = [(end[-1].total - (end[-1].bound or 0)) / max(end[-1].bound or 1, 1) for end in ends]
    if gaps:
        exact = sum(gap == 0 for gap in gaps)
        print(f"{'':30} {exact} of {len(run.outcomes)} proven cheapest, else at most {max(gaps):.1%} above the bound")
