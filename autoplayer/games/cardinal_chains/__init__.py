"""Cardinal Chains: from every start a chain, its numbers never descending; together the chains cover every cell."""

from __future__ import annotations

from autoplayer.core.frame import Cell
from autoplayer.games import enlarging
from autoplayer.games.base import Game, Reading
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

    def trimmed(self, reading: Reading[Puzzle], puzzle: Puzzle) -> tuple[Cell, Reading[Puzzle]] | None:
        own = enlarging.as_read(reading)
        found: tuple[Cell, Reading[Puzzle]] | None = self._room("seeing.judging").trimmed(own, puzzle)
        return found if found is None or own is reading else (found[0], enlarging.as_small(found[1], reading.image))


GAME: Game[Puzzle, Solution] = CardinalChains()
