"""Hashi: what an island may hold, told by comparison with the board's own numbers."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.games.hashi import GAME, covers, options
from autoplayer.games.hashi.islands import find
from autoplayer.games.hashi.puzzle import parse


def test_a_number_without_an_example_on_the_board_is_not_ruled_out_by_comparison(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Incident: the only 6 of a board was compared with its other numbers, as if something covered it, and left out for
    want of an example; a 2, of which the network had said that it was hardly one, gave the board a solution."""
    seen, chart = find(GAME.draw(parse("3.5.3\n.....\n6.8.3\n.....\n2.2..")))[0]
    none = np.zeros((9, 9), np.float32)
    monkeypatch.setattr(covers, "examples", lambda chart: covers.Examples(9, dict.fromkeys("1234578", none), ()))
    monkeypatch.setattr(covers, "is_covered", lambda *asked: True)
    monkeypatch.setattr(covers, "chances", lambda *asked: {n: 0.05 if n == "6" else 0.5 for n in "12345678"})
    cell = next(iter(chart.islands))
    told = (("3", 0.86), ("5", 0.05), ("6", 0.05), ("2", 0.002))
    found = options.explained(seen, chart, {cell: told}, [cell])[cell]
    assert "6" in dict(options.probable(found))
