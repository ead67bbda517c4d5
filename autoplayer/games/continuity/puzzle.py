"""The model of Continuity: a level in one of its two text forms, the checker, and what a solution looks like as text.
No planning, no pixels.

The forms are in rooms of their own: ``graph.py``, squares and links as JSON; ``blocks.py``, tiles drawn with characters.
Either becomes a ``World`` (``world.py``), which is all that the planner knows; ``steps.py`` holds solutions.
"""

from __future__ import annotations

from collections.abc import Mapping

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Cell
from autoplayer.games.continuity import blocks, graph, steps
from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.graph import Graph
from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.steps import Solution, Step, solution_from_json, solution_to_json
from autoplayer.games.continuity.world import World

__all__ = [
    "Graph",
    "Level",
    "Physics",
    "Puzzle",
    "Solution",
    "Step",
    "World",
    "solution_from_json",
    "solution_to_json",
]

Puzzle = Graph | Level
"""A level in either form; ``world`` is what the planner sees of it, ``words`` names a place for people."""


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


def show(puzzle: Puzzle, solution: Solution) -> str:
    """The steps for a person to read, slides in a row on one line, with what each comes to."""
    lines: list[str] = []
    row: list[str] = []
    for number, step in enumerate(solution):
        following = solution[number + 1] if number + 1 < len(solution) else None
        if step.do == "slide":
            row.append(f"{step.tile} {step.to}")
            if following is None or following.do != "slide":
                lines.append(f"{step.total:>5}  slide {', '.join(row)}")
                row = []
            continue
        taken = f", take {' and '.join(step.takes)} ({step.leg} since the last)" if step.takes else ""
        if step.do == "walk":
            lines.append(f"{step.total:>5}  in {step.tile} go from {step.start} to {step.to}{taken}")
        elif step.do == "cross":
            lines.append(
                f"{step.total:>5}  leave {step.tile} by the {step.side} at {step.start}, into {step.into} at "
                f"{step.to}{taken}"
            )
        else:
            lines.append(f"{step.total:>5}  at the door in {step.tile} ({step.leg} since the last)")
    if solution and (bound := solution[-1].bound) is not None:
        total = solution[-1].total
        proven = "no plan costs less" if bound == total else f"no plan costs less than {bound}"
        lines.append(f"cost {total}; {proven}")
    return "\n".join(lines)
