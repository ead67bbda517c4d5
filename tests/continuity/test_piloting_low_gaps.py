"""Gaps that are as high as the figure: it walks through them, though it is drawn a little higher, and it never flies
into them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.piloting.clearance import raised
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.hands import LostError
from autoplayer.games.continuity.piloting.level import rooms_of
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.rooms import Reach
from tests.continuity.steered import Seeing, Steered, measured

TUNNEL = """
+----------+----------+
|##########|__________|
|#...##...#|__________|
|#...##...#|__________|
|#...##...#|__________|
|#S.....KD#|__________|
|##########|__________|
+----------+----------+
"""
BEHIND_A_PIT = """
+----------+----------+
|##########|__________|
|#....##..#|__________|
|#....##..#|__________|
|#....##..#|__________|
|#S.....KD#|__________|
|###..#####|__________|
+----------+----------+
"""


def pilot(text: str, higher: int) -> tuple[Executor, Steered]:
    """A figure as high as a character, drawn so many pixels higher."""
    level = parse(text.strip())
    assert isinstance(level, Level)
    level = replace(level, physics=replace(level.physics, height=1.0))
    window = Steered(level)
    eyes = Seeing(window, noise=1.0)
    board = eyes.board()
    drawn = tuple(
        thing._replace(y=thing.y - higher, height=thing.height + higher) if thing.kind == "figure" else thing
        for thing in board.things
    )
    reach = Reach(rooms_of(replace(board, things=drawn), measured(level)))
    return Executor(Watch(window, eyes, Controls(), 0.0), reach), window


@pytest.mark.parametrize("higher", [0, 2])
def test_a_figure_as_high_as_a_gap_walks_through_it_though_it_is_drawn_higher(higher: int) -> None:
    hands, window = pilot(TUNNEL, higher)
    hands.play()
    assert window.engine.won
    assert window.deaths == 0


@pytest.mark.parametrize(("text", "higher"), [(TUNNEL, 3), (BEHIND_A_PIT, 0), (BEHIND_A_PIT, 2)])
def test_a_gap_that_is_too_low_or_would_have_to_be_flown_into_is_not_tried(text: str, higher: int) -> None:
    hands, window = pilot(text, higher)
    with pytest.raises(LostError, match="key1 cannot be reached"):
        hands.play()
    assert window.deaths == 0


def test_only_the_ceilings_of_gaps_that_are_hardly_too_low_are_raised() -> None:
    solid = np.ones((1, 60, 50), np.bool_)
    for number, free in enumerate((21, 22, 23, 24, 30)):
        solid[0, 50 - free : 50, 10 * number : 10 * number + 10] = False
    found = raised(solid, 24.0)
    assert (~found).sum(axis=1)[0, ::10].tolist() == [21, 24, 24, 24, 30]
    assert found[0, 50:].all()
    solid[0, :50] = False  # no ceiling
    assert (raised(solid, 51.0) == solid).all()
