"""Cardinal Chains: from every start a chain, its numbers never descending; together the chains cover every cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Cell, Image, Json
from autoplayer.games.base import Deduction, Move, Outcome, Progress, Reading
from autoplayer.games.cardinal_chains import puzzle as model
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution

if TYPE_CHECKING:
    from autoplayer.layout import Layout


class CardinalChains:
    """The game's abilities, each in a room of its own; rooms that need OpenCV or a SAT engine load when used."""

    name = "cardinal-chains"
    title = "Cardinal Chains"
    promises_one_solution = True

    def parse(self, text: str) -> Puzzle:
        return model.parse(text)

    def format(self, puzzle: Puzzle) -> str:
        return model.format_puzzle(puzzle)

    def show(self, puzzle: Puzzle, solution: Solution) -> str:
        return model.show(puzzle, solution)

    def faults(self, puzzle: Puzzle) -> list[str]:
        return model.faults(puzzle)

    def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
        from autoplayer.games.cardinal_chains import solver

        return solver.solve(puzzle, time_limit=time_limit, most=most)

    def explain(self, puzzle: Puzzle) -> list[Deduction]:
        from autoplayer.games.cardinal_chains import rules

        return rules.explain(puzzle)

    def check(self, puzzle: Puzzle, solution: Solution) -> list[str]:
        return model.check(puzzle, solution)

    def solution_to_json(self, solution: Solution) -> Json:
        return model.solution_to_json(solution)

    def solution_from_json(self, data: Json) -> Solution:
        return model.solution_from_json(data)

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        from autoplayer.games.cardinal_chains import reader

        return reader.read(image, layout)

    def examine(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        from autoplayer.games.cardinal_chains import reader

        return reader.examine(image, layout)

    def replace(self, puzzle: Puzzle, tokens: Mapping[Cell, str]) -> Puzzle:
        rows = [model.format_puzzle(Puzzle((row,))).split() for row in puzzle.rows]
        for (r, c), token in tokens.items():
            if not (0 <= r < puzzle.height and 0 <= c < puzzle.width):
                raise PuzzleError(f"the board has no place ({r}, {c})")
            rows[r][c] = token
        return model.parse("\n".join(map(" ".join, rows)), starts_needed=False)

    def progress(self, reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
        from autoplayer.games.cardinal_chains import player

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
        from autoplayer.games.cardinal_chains import player

        return player.plan(reading, puzzle, solution, progress, layout, attempt)

    def draw(self, puzzle: Puzzle, solution: Solution | None = None) -> Image:
        from autoplayer.games.cardinal_chains import picture

        return picture.draw(puzzle, solution)

    def generate(self, rows: int, columns: int, seed: int) -> Puzzle:
        from autoplayer.games.cardinal_chains import generator

        return generator.generate(rows, columns, seed)


GAME = CardinalChains()
