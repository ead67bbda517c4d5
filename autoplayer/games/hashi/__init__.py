"""Hashi: every island gets as many links as its number says, at most two to a neighbour; none cross, all hang
together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from autoplayer.core.frame import Cell, Image, Json
from autoplayer.games.base import Deduction, Move, Outcome, Progress, Reading, TextFormat
from autoplayer.games.hashi import puzzle as model
from autoplayer.games.hashi.puzzle import Puzzle, Solution

if TYPE_CHECKING:
    from autoplayer.layout import Layout


class Hashi:
    """The game's abilities, each in a room of its own; rooms that need OpenCV or a SAT engine load when used."""

    name = "hashi"
    title = "Hashi"
    promises_one_solution = True
    formats: Mapping[str, TextFormat[Puzzle, Solution]] = MappingProxyType(
        {"codingame": TextFormat(model.codingame_is_whole, model.parse_codingame, model.solution_to_codingame)}
    )

    def parse(self, text: str) -> Puzzle:
        return model.parse(text)

    def format(self, puzzle: Puzzle) -> str:
        return model.format_puzzle(puzzle)

    def show(self, puzzle: Puzzle, solution: Solution) -> str:
        return model.show(puzzle, solution)

    def faults(self, puzzle: Puzzle) -> list[str]:
        return model.faults(puzzle)

    def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
        from autoplayer.games.hashi import solver

        return solver.solve(puzzle, time_limit=time_limit, most=most)

    def explain(self, puzzle: Puzzle) -> list[Deduction]:
        from autoplayer.games.hashi import rules

        return rules.explain(puzzle)

    def check(self, puzzle: Puzzle, solution: Solution) -> list[str]:
        return model.check(puzzle, solution)

    def solution_to_json(self, solution: Solution) -> Json:
        return model.solution_to_json(solution)

    def solution_from_json(self, data: Json) -> Solution:
        return model.solution_from_json(data)

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        from autoplayer.games.hashi import reader

        return reader.read(image, layout)

    def examine(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        from autoplayer.games.hashi import reader

        return reader.examine(image, layout)

    def replace(self, puzzle: Puzzle, tokens: Mapping[Cell, str]) -> Puzzle:
        return model.replace(puzzle, tokens)

    def progress(self, reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
        from autoplayer.games.hashi import player

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
        from autoplayer.games.hashi import player

        return player.plan(reading, puzzle, solution, progress, layout, attempt)

    def draw(self, puzzle: Puzzle, solution: Solution | None = None) -> Image:
        from autoplayer.games.hashi import picture

        return picture.draw(puzzle, solution)

    def generate(self, rows: int, columns: int, seed: int) -> Puzzle:
        from autoplayer.games.hashi import generator

        return generator.generate(rows, columns, seed)


GAME = Hashi()
