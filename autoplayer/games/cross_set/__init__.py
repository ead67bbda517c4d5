"""Cross Set: choose one of the candidates of every cell so that each row and each column holds every number once."""

from __future__ import annotations

from autoplayer.games.base import Doubt, Game
from autoplayer.games.cross_set import puzzle as model
from autoplayer.games.cross_set.puzzle import Puzzle, Solution
from autoplayer.games.gathered import Gathered


class CrossSet(Gathered[Puzzle, Solution]):
    name = "cross-set"
    title = "Cross Set"
    promises_one_solution = True
    model = model

    def faults(self, puzzle: Puzzle) -> list[str]:
        from autoplayer.games.cross_set import rules, solver

        if solver.solved_at_once(puzzle):  # as most levels are; the rules say why one is not to be solved
            return []
        if found := model.faults(puzzle):
            return found
        reason = rules.contradiction(puzzle)
        return [f"once the rules have ruled out what they can, {reason}"] if reason else []

    def indifferent(self, doubt: Doubt) -> bool:
        return model.same_numbers([token for token, _ in doubt.candidates]) and len(doubt.cells[0]) == 2

    def same_level(self, one: Puzzle, other: Puzzle) -> bool:
        return model.same_level(one, other)


GAME: Game[Puzzle, Solution] = CrossSet()
