"""Cross Set: choose one of the candidates of every cell so that each row and each column holds every number once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autoplayer.core.frame import Image, Json
from autoplayer.games.base import Deduction, Move, Outcome, Progress, Reading, Spot
from autoplayer.games.cross_set import puzzle as model
from autoplayer.games.cross_set.puzzle import Puzzle, Solution
from autoplayer.layout import Layout


class CrossSet:
    """The game's abilities, each in a room of its own; rooms that need OpenCV or a SAT engine load when used."""

    name = "cross-set"
    title = "Cross Set"
    promises_one_solution = True

    def parse(self, text: str) -> Puzzle:
        return model.parse(text)

    def format(self, puzzle: Puzzle) -> str:
        return model.format_puzzle(puzzle)

    def show(self, puzzle: Puzzle, solution: Solution) -> str:
        return model.show(puzzle, solution)

    def faults(self, puzzle: Puzzle) -> list[str]:
        if found := model.faults(puzzle):
            return found
        from autoplayer.games.cross_set import rules

        reason = rules.contradiction(puzzle)
        return [f"once the rules have ruled out what they can, {reason}"] if reason else []

    def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
        from autoplayer.games.cross_set import solver

        return solver.solve(puzzle, time_limit=time_limit, most=most)

    def explain(self, puzzle: Puzzle) -> list[Deduction]:
        from autoplayer.games.cross_set import rules

        return rules.explain(puzzle)

    def check(self, puzzle: Puzzle, solution: Solution) -> list[str]:
        return model.check(puzzle, solution)

    def solution_to_json(self, solution: Solution) -> Json:
        return model.solution_to_json(solution)

    def solution_from_json(self, data: Json) -> Solution:
        return model.solution_from_json(data)

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        from autoplayer.games.cross_set import reader

        return reader.read(image, layout)

    def examine(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        from autoplayer.games.cross_set import reader

        return reader.examine(image, layout)

    def replace(self, puzzle: Puzzle, tokens: Mapping[Spot, str]) -> Puzzle:
        return model.replace(puzzle, tokens)

    def progress(self, reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
        from autoplayer.games.cross_set import player

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
        from autoplayer.games.cross_set import player

        return player.plan(reading, puzzle, solution, progress, layout, attempt)

    def same_level(self, one: Puzzle, other: Puzzle) -> bool:
        return model.same_level(one, other)

    def draw(self, puzzle: Puzzle, solution: Solution | None = None) -> Image:
        from autoplayer.games.cross_set import picture

        return picture.draw(puzzle, solution)

    def generate(self, rows: int, columns: int, seed: int) -> Puzzle:
        from autoplayer.games.cross_set import generator

        return generator.generate(rows, columns, seed)


GAME = CrossSet()
