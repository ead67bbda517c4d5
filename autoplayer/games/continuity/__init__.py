"""Continuity: a platformer inside a sliding puzzle. Tiles slide; a figure walks through the tile it is in, and on into
the next where the sides match. With all keys it goes to the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from autoplayer.core.frame import Cell, Image, Json
from autoplayer.games.base import Deduction, Move, Outcome, Pilot, Progress, Reading, Steerable
from autoplayer.games.continuity import puzzle as model
from autoplayer.games.continuity.puzzle import Puzzle, Solution

if TYPE_CHECKING:
    from autoplayer.layout import Layout


class Continuity:
    """The game's abilities, each in a room of its own; rooms that need the planner or Pillow load when used."""

    name = "continuity"
    title = "Continuity"
    promises_one_solution = False

    def parse(self, text: str) -> Puzzle:
        return model.parse(text)

    def format(self, puzzle: Puzzle) -> str:
        return model.format_puzzle(puzzle)

    def show(self, puzzle: Puzzle, solution: Solution) -> str:
        return model.show(puzzle, solution)

    def faults(self, puzzle: Puzzle) -> list[str]:
        from autoplayer.games.continuity import reasons

        return reasons.faults(puzzle.world)

    def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
        from autoplayer.games.continuity import solver

        return solver.solve(puzzle.world, time_limit=time_limit)

    def explain(self, puzzle: Puzzle) -> list[Deduction]:
        from autoplayer.games.continuity import rules

        return rules.explain(puzzle)

    def check(self, puzzle: Puzzle, solution: Solution) -> list[str]:
        return model.check(puzzle, solution)

    def solution_to_json(self, solution: Solution) -> Json:
        return model.solution_to_json(solution)

    def solution_from_json(self, data: Json) -> Solution:
        return model.solution_from_json(data)

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        from autoplayer.games.continuity import reader

        return reader.read(image, layout)

    def replace(self, puzzle: Puzzle, tokens: Mapping[Cell, str]) -> Puzzle:
        return model.replace(puzzle, tokens)

    def pilot(self, window: Steerable, layout: Layout, tell: Callable[[str], object]) -> Pilot:
        from autoplayer.games.continuity.piloting import pilot

        return pilot.Pilot(window, layout, tell)

    def progress(self, reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
        from autoplayer.games.continuity import player

        return player.progress(reading, puzzle, solution, image)

    def plan(
        self,
        reading: Reading[Puzzle],
        puzzle: Puzzle,
        solution: Solution,
        progress: Progress,
        layout: Layout,
        attempt: int = 0,
    ) -> Sequence[Move]:
        from autoplayer.games.continuity import player

        return player.plan(reading, puzzle, solution, progress, layout, attempt)

    def draw(self, puzzle: Puzzle, solution: Solution | None = None) -> Image:
        from autoplayer.games.continuity import picture

        return picture.draw(puzzle, solution)

    def generate(self, rows: int, columns: int, seed: int) -> Puzzle:
        from autoplayer.games.continuity import generator

        return generator.generate(rows, columns, seed)


GAME = Continuity()
