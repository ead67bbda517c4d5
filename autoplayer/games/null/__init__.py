"""The smallest game that runs: a row of lamps; press every lit one. Copy this folder to start a new game.

Each room holds one thing: ``puzzle`` the model, ``rules`` the deductions, ``solver`` the search, ``reader`` pixels,
``player`` gestures, ``generator`` new puzzles, ``picture`` a drawing. This file only gathers them into the one object
that the program knows.
"""

from __future__ import annotations

from autoplayer.games.base import Game
from autoplayer.games.gathered import Gathered
from autoplayer.games.null import puzzle as model
from autoplayer.games.null.puzzle import Puzzle, Solution


class NullGame(Gathered[Puzzle, Solution]):
    """See :class:`autoplayer.games.base.Game`. The rooms besides the model are loaded when they are first used."""

    name = "null"
    title = "Null"
    promises_one_solution = True
    model = model
    usual_size = (1, 7)


GAME: Game[Puzzle, Solution] = NullGame()
