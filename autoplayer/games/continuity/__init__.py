"""Continuity: a platformer inside a sliding puzzle. Tiles slide; a figure walks through the tile it is in, and on into
the next where the sides match. With all keys it goes to the door."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from autoplayer.games.base import Game, Outcome, Pilot, Reading, Steerable
from autoplayer.games.continuity import puzzle as model
from autoplayer.games.continuity.puzzle import Puzzle, Solution
from autoplayer.games.gathered import Gathered

if TYPE_CHECKING:
    from autoplayer.layout import Layout


class Continuity(Gathered[Puzzle, Solution]):
    name = "continuity"
    title = "Continuity"
    promises_one_solution = False
    model = model

    def faults(self, puzzle: Puzzle) -> list[str]:
        from autoplayer.games.continuity import reasons

        return reasons.faults(puzzle.world)

    def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
        from autoplayer.games.continuity import solver

        return solver.solve(puzzle.world, time_limit=time_limit)

    def shows(self, reading: Reading[Puzzle]) -> bool:
        """Whether a picture can be nothing else than a level of this game."""
        from autoplayer.games.continuity import reader

        return reader.shows(reading)

    def pilot(self, window: Steerable, layout: Layout, tell: Callable[[str], object]) -> Pilot:
        from autoplayer.games.continuity.piloting import pilot

        return pilot.Pilot(window, layout, tell)


GAME: Game[Puzzle, Solution] = Continuity()
