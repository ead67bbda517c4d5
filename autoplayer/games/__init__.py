"""The registry of games. They register under the entry-point group ``autoplayer.games``; each is loaded only when
needed, so that a broken or slow game does not affect the others. ``base`` defines what a game must provide."""

from __future__ import annotations

import difflib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from autoplayer.core.errors import MachineError, UsageError

if TYPE_CHECKING:
    from autoplayer.games.base import Game

GROUP = "autoplayer.games"


@cache
def _registered() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP))}


def names() -> list[str]:
    """The names of all registered games, in alphabetical order, without loading any."""
    return list(_registered())


def load(name: str) -> Game[Any, Any]:
    """The game called ``name``. Raises UsageError where there is no such game, MachineError where it cannot be loaded.

    >>> load("null").title
    'Null'
    """
    point = _registered().get(name)
    if point is None:
        close = difflib.get_close_matches(name.lower().replace("_", "-").replace(" ", "-"), names(), 1)
        hint = f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(names()) or 'none'}."
        raise UsageError(f"there is no game '{name[:40]}'; {hint}")
    try:
        game: Game[Any, Any] = point.load()
    except (ImportError, AttributeError) as error:
        raise MachineError(f"the game '{name}' ({point.value}) cannot be loaded: {error}") from error
    return game
