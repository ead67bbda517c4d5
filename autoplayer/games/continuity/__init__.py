"""Continuity: a platformer inside a sliding puzzle. Tiles slide; a figure walks through the tile it is in, and on into
the next where the sides match. With all keys it goes to the door."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from autoplayer.core.deadline import Deadline
from autoplayer.games.base import Game, Outcome, Pilot, Reading, Steerable
from autoplayer.games.continuity import puzzle as model
from autoplayer.games.continuity.puzzle import Level, Puzzle, Solution
from autoplayer.games.gathered import Gathered

if TYPE_CHECKING:
    from autoplayer.layout import Layout


class Continuity(Gathered[Puzzle, Solution]):
    name = "continuity"
    title = "Continuity"
    promises_one_solution = False
    model = model
    usual_size = (2, 3)
    enlarges = False
    """Tiles are large, and the pilot knows them by the window's own pixels."""

    def faults(self, puzzle: Puzzle) -> list[str]:
        from autoplayer.games.continuity import reasons

        found = reasons.faults(puzzle.world)
        others = list(_otherwise(puzzle)) if found else []
        # What the level allows with one of the physics that it may have is no fault; the last are the most generous.
        return found if all(reasons.faults(other.world) for other in reversed(others)) else []

    def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
        from autoplayer.games.continuity import solver

        deadline = Deadline(time_limit)
        outcome = solver.solve(puzzle.world, time_limit=time_limit)
        for other in _otherwise(puzzle):
            if outcome.status != "no-solution":
                break
            outcome = solver.solve(other.world, time_limit=deadline.left)
        return outcome

    def shows(self, reading: Reading[Puzzle]) -> bool:
        """Whether a picture can only be a level of Continuity."""
        from autoplayer.games.continuity import reader

        return reader.shows(reading)

    def pilot(self, window: Steerable, layout: Layout, tell: Callable[[str], object]) -> Pilot:
        from autoplayer.games.continuity.piloting import pilot

        return pilot.Pilot(window, layout, tell)


def _otherwise(puzzle: Puzzle) -> Iterator[Level]:
    return puzzle.otherwise() if isinstance(puzzle, Level) else iter(())


GAME: Game[Puzzle, Solution] = Continuity()
