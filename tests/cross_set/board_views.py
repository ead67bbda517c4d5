"""Views of a board of which only some fields are known, as far as a test needs them."""

from __future__ import annotations

from autoplayer.games.cross_set.seeing.one_cell import weighing


def view_of(kind: type[weighing.BoardView] = weighing.BoardView, **known: object) -> weighing.BoardView:
    """A view with the ``known`` fields; ``least`` is 0 by default, and every other one is None. ``kind``: a class in
    which some methods are replaced."""
    made = kind.__new__(kind)
    for name, value in (dict.fromkeys(weighing.BoardView.__dataclass_fields__) | {"least": 0.0} | known).items():
        object.__setattr__(made, name, value)
    return made
