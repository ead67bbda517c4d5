"""The model of Continuity: a level in one of its two text forms, the checker, and the text of a solution. No planning,
no pixels.

The forms have modules of their own: ``graph.py``, squares and links as JSON; ``blocks.py``, tiles drawn with
characters. Either is converted into a ``World`` (``world.py``), all that the planner knows; ``steps.py`` holds
solutions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Cell
from autoplayer.games.continuity import blocks, graph, steps
from autoplayer.games.continuity.blocks import DOOR, KEY, SOLID, SPIKES, START, Block, Level
from autoplayer.games.continuity.graph import Graph
from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.steps import Solution, Step, solution_from_json, solution_to_json
from autoplayer.games.continuity.world import World

__all__ = [
    "DOOR",
    "KEY",
    "SOLID",
    "SPIKES",
    "START",
    "Block",
    "Graph",
    "Level",
    "Physics",
    "Puzzle",
    "Solution",
    "Step",
    "World",
    "check",
    "format_puzzle",
    "parse",
    "replace",
    "show",
    "solution_from_json",
    "solution_to_json",
    "stretches",
    "turns",
]

Puzzle = Graph | Level
"""A level in either form. ``world``: what the planner sees of it. ``words`` names a place for people, ``where`` says
where it is drawn."""


def parse(text: str) -> Puzzle:
    """The level that ``text`` describes: JSON where it begins with ``{``. Raises PuzzleError with the place of the
    first fault."""
    if not text.strip():
        raise PuzzleError("expected a level, but the text is empty")
    return graph.parse(text) if text.lstrip().startswith("{") else blocks.parse(text)


def format_puzzle(puzzle: Puzzle) -> str:
    """The text of a level, without a newline at its end; :func:`parse` turns it back."""
    return graph.format_graph(puzzle) if isinstance(puzzle, Graph) else blocks.format_level(puzzle)


def replace(puzzle: Puzzle, tokens: Mapping[Cell, str]) -> Puzzle:
    """``puzzle`` with other characters at some rows and columns of its text. Raises PuzzleError where that gives no
    level; the graph form has no such characters."""
    if isinstance(puzzle, Level):
        return blocks.replace(puzzle, tokens)
    if tokens:
        raise PuzzleError("a level in the graph form has no characters to replace")
    return puzzle


def check(puzzle: Puzzle, solution: Solution) -> list[str]:
    """Every fault of a plan, in sentences; empty where it leads over all keys to the door. See ``steps.check``."""
    return steps.check(puzzle.world, solution)


def stretches(solution: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps in groups that are told as one: slides in a row; walks up to the next key; any other step alone."""
    group: list[Step] = []
    for step in solution:
        if group and (step.do != group[-1].do or step.do not in ("slide", "walk") or group[-1].takes):
            yield group
            group = []
        group.append(step)
    if group:
        yield group


def turns(walks: Sequence[Step]) -> list[str]:
    """Where walks lead one after another; of spots on the same ground, one after another, only the last.

    >>> turns([Step("walk", "1", to) for to in ("r3c5", "r3c6", "r3c7", "r5c9")])
    ['r3c7', 'r5c9']
    """
    spots = [re.fullmatch(r"r(\d+)c(\d+)", step.to) for step in walks]
    told = []
    for at, step in enumerate(walks):
        one, other = spots[at], spots[at + 1] if at + 1 < len(walks) else None
        same = one is not None and other is not None and one[1] == other[1]
        if not (same and one and other and abs(int(one[2]) - int(other[2])) == 1):
            told.append(step.to)
    return told


def show(puzzle: Puzzle, solution: Solution) -> str:
    """The steps for a person to read, slides in a row on one line, with the cost up to each."""
    lines: list[str] = []
    for group in stretches(solution):
        step = group[-1]
        if step.do == "slide":
            told = f"slide {', '.join(f'{each.tile} {each.to}' for each in group)}"
        elif step.do == "walk":
            told = f"in {step.tile} go from {' to '.join((group[0].start, *turns(group)))}"
        elif step.do == "cross":
            told = f"leave {step.tile} by the {step.side} at {step.start}, into {step.into} at {step.to}"
        else:
            told = f"at the door in {step.tile} ({step.leg} since the last)"
        taken = f", take {' and '.join(step.takes)} ({step.leg} since the last)" if step.takes else ""
        lines.append(f"{step.total:>5}  {told}{taken}")
    if solution and (bound := solution[-1].bound) is not None:
        total = solution[-1].total
        proven = "no plan costs less" if bound == total else f"no plan costs less than {bound}"
        lines.append(f"cost {total}; {proven}")
    return "\n".join(lines)
