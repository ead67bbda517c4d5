"""Cardinal Chains: from every start a chain, its numbers never descending; together the chains cover every cell."""

from __future__ import annotations

from autoplayer.games.base import Game
from autoplayer.games.cardinal_chains import puzzle as model
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution
from autoplayer.games.gathered import Gathered


class CardinalChains(Gathered[Puzzle, Solution]):
    name = "cardinal-chains"
    title = "Cardinal Chains"
    promises_one_solution = True
    model = model

    def faults(self, puzzle: Puzzle) -> list[str]:
        return model.faults(puzzle)


GAME: Game[Puzzle, Solution] = CardinalChains()
