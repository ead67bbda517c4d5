"""Hashi: every island gets as many links as its number says, at most two to a neighbour; bridges do not cross, and all
islands are connected."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from autoplayer.games import enlarging
from autoplayer.games.base import Game, Reading, TextFormat
from autoplayer.games.gathered import Gathered
from autoplayer.games.hashi import puzzle as model
from autoplayer.games.hashi.puzzle import Puzzle, Solution


class Hashi(Gathered[Puzzle, Solution]):
    name = "hashi"
    title = "Hashi"
    promises_one_solution = True
    model = model
    formats: Mapping[str, TextFormat[Puzzle, Solution]] = MappingProxyType(
        {"codingame": TextFormat(model.codingame_is_whole, model.parse_codingame, model.solution_to_codingame)}
    )

    def faults(self, puzzle: Puzzle) -> list[str]:
        return model.faults(puzzle)

    def inherit(self, reading: Reading[Puzzle], before: Reading[Puzzle]) -> None:
        self._room("player").inherit(enlarging.as_read(reading), enlarging.as_read(before))


GAME: Game[Puzzle, Solution] = Hashi()
