"""Hashi: what an island may hold, told by comparison with the board's own numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import parse
from autoplayer.games.hashi.seeing.places import covers, options
from autoplayer.games.hashi.seeing.places.islands import find


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


@pytest.mark.parametrize(("times", "sure"), [(1.3, True), (1.45, False)])
def test_what_is_higher_than_all_numbers_is_one_with_something_else(times: float, sure: bool) -> None:
    """Incident: bridges showed through complete islands, which were half transparent: a 3 with a piece of one was a
    4."""
    seen, chart = find(GAME.draw(parse("3.5.3\n.....\n6.8.3\n.....\n2.2..")))[0]

    def doubted(count: int, probability: float = 0.96) -> int:
        higher = dict(chart.islands)
        for cell in sorted(higher)[:count]:
            content = higher[cell].content
            box = replace(content.box, height=round(times * chart.number_height))
            told = ((higher[cell].candidates[0][0], probability), ("", 1 - probability))
            higher[cell] = replace(higher[cell], content=replace(content, box=box), candidates=told)
        found = options.may_hold(seen, replace(chart, islands=higher))
        return sum(some[0][1] < options.CERTAIN for some in found.values())

    assert doubted(1) == (not sure)
    assert doubted(1, 0.995) == 0
    assert doubted(3) == 0, "where several are so high, numbers are of several sizes"
