"""Pictures of other games whose walls are bricks: a lattice through a few of them goes on over all, and is given up at
a first look at some of its places, before each is looked at closely."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from autoplayer.core.frame import Floats
from autoplayer.games.cardinal_chains.seeing import places


@pytest.mark.parametrize(
    ("number", "walled", "legible", "given_up"),
    [
        (12, False, 0.1, True),  # Incident: rooms of bricks took several seconds each.
        (11, False, 0.1, False),  # A small board under a hint may show little.
        (204, True, 0.1, True),
        (119, True, 0.1, False),  # Walls are evidence, and 10x10 is quick to read.
        (12, False, 0.3, False),
        (204, True, 0.3, False),
    ],
)
def test_many_places_of_which_hardly_any_is_legible_are_given_up(
    number: int, walled: bool, legible: float, given_up: bool
) -> None:
    looked: list[int] = []

    def first_look(inks: Sequence[Floats]) -> int:
        looked.append(len(inks))
        return round(legible * len(inks))

    marked = {(0, k): SimpleNamespace(ink=np.zeros((4, 4), np.float32)) for k in range(number)}
    view, growth, eyes = (
        SimpleNamespace(walled=walled),
        SimpleNamespace(marked=lambda: marked),
        SimpleNamespace(legible=first_look),
    )
    assert places._is_texture(cast(Any, view), cast(Any, growth), cast(Any, eyes)) is given_up
    assert sum(looked) <= 24
