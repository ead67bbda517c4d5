"""The smallest game that runs: a row of lamps; press every lit one. Copy this folder to start a new game.

Each room holds one thing: ``puzzle`` the model, ``rules`` the deductions, ``solver`` the search, ``reader`` pixels,
``player`` gestures. This file only gathers them into the one object that the program knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from autoplayer.core.frame import Cell, Image, Json
from autoplayer.games.base import Deduction, Game, Move, Outcome, Progress, Reading
from autoplayer.games.null import puzzle as model
from autoplayer.games.null.puzzle import Puzzle, Solution

if TYPE_CHECKING:
    from autoplayer.layout import Layout


class NullGame:
    """See :class:`autoplayer.games.base.Game`. The rooms that need OpenCV are imported when they are first used."""

    name = "null"
    title = "Null"
    promises_one_solution = True

    def parse(self, text: str) -> Puzzle:
        return model.parse(text)

    def format(self, puzzle: Puzzle) -> str:
        return model.format_puzzle(puzzle)

    def show(self, puzzle: Puzzle, solution: Solution) -> str:
        return model.show(puzzle, solution)

    def faults(self, puzzle: Puzzle) -> list[str]:
        return []

    def replace(self, puzzle: Puzzle, tokens: Mapping[Cell, str]) -> Puzzle:
        return model.replace(puzzle, tokens)

    def check(self, puzzle: Puzzle, solution: Solution) -> list[str]:
        return model.check(puzzle, solution)

    def solution_to_json(self, solution: Solution) -> Json:
        return model.solution_to_json(solution)

    def solution_from_json(self, data: Json) -> Solution:
        return model.solution_from_json(data)

    def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
        from autoplayer.games.null import solver

        return solver.solve(puzzle, time_limit=time_limit, most=most)

    def generate(self, rows: int, columns: int, seed: int) -> Puzzle:
        from autoplayer.games.null import solver

        return solver.generate(rows, columns, seed)

    def explain(self, puzzle: Puzzle) -> list[Deduction]:
        from autoplayer.games.null import rules

        return rules.explain(puzzle)

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        from autoplayer.games.null import reader

        return reader.read(image, layout)

    def draw(self, puzzle: Puzzle, solution: Solution | None = None) -> Image:
        from autoplayer.games.null import reader

        return reader.draw(puzzle, solution)

    def progress(self, reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
        from autoplayer.games.null import player

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
        from autoplayer.games.null import player

        return player.plan(reading, puzzle, solution, progress, layout, attempt)


GAME: Game[Puzzle, Solution] = NullGame()
