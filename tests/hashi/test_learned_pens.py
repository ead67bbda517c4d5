"""Hashi: windows that draw a double bridge as one line, which differs from a single one in its colour or its gaps: what
the lines mean is learned from the first of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.playing.habits import note_pens
from autoplayer.games.hashi.puzzle import Bridge, check
from autoplayer.games.hashi.seeing.between.lines import Line
from tests.hashi.test_player import Window, drawn, known, session

PUZZLE = GAME.generate(6, 6, 4)
BLUE, ORANGE = (178, 114, 0), (0, 114, 230)


class OneLineWindow(Window):
    """``look``: what is different about double bridges."""

    look = "colour"

    def _draw(self) -> Image:
        picture = drawn(self.puzzle, ()).copy()
        for a, b, links in self.islands.solution:
            ends = np.array([(cell[1] + 1, cell[0] + 1) for cell in (a, b)]) * self.pitch
            step = np.sign(ends[1] - ends[0])
            start, end = ends[0] + step * 0.36 * self.pitch, ends[1] - step * 0.36 * self.pitch
            colour, dashed = BLUE, self.look == "gaps" and links == 1
            if self.look == "colour" and links == 2:
                colour = ORANGE
            for at in np.arange(0.0, float(np.abs(end - start).sum()), 16.0 if dashed else 4.0):
                first = start + step * at
                last = np.minimum(np.abs(first + step * 5 - start), np.abs(end - start)) * step + start
                cv2.line(picture, [*map(round, first.tolist())], [*map(round, last.tolist())], colour, 4)
        return picture


@pytest.mark.parametrize("look", ["colour", "gaps"])
def test_one_line_that_became_two_links_is_known_from_then_on(look: str) -> None:
    """Incident: both were single ones, or those with gaps were hints, and their links were added again and again."""
    window = OneLineWindow(PUZZLE)
    window.look = look
    status, error, _ = session(window, known("drag"))
    assert (status, error) == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []
    assert len(window.gestures) <= 2 * sum(links for *_, links in window.islands.solution)


SINGLE, DOUBLE = Line(1, 4.0, (-60.0, -120.0, -200.0)), Line(1, 4.0, (-200.0, -120.0, -20.0))
A, B, C, D = PUZZLE.bridges[:4]


@pytest.mark.parametrize(
    ("aimed", "lines", "why"),
    [
        ({A: 1, B: 2}, {A: SINGLE, B: DOUBLE}, "the last one may be highlighted"),
        ({A: 1, B: 2, C: 2}, {A: SINGLE, B: SINGLE, C: SINGLE}, "the second links may have been lost"),
        ({A: 1, B: 2, C: 2}, {A: SINGLE, B: DOUBLE, C: SINGLE}, "one may have been lost"),
        ({A: 1, B: 2, C: 2, D: 1}, {A: SINGLE, B: DOUBLE, C: DOUBLE, D: DOUBLE}, "the colour says something else"),
        ({A: 1, B: 2, C: 2}, {A: SINGLE, B: Line(2, 8.0, DOUBLE.colour), C: Line(2, 8.0, DOUBLE.colour)}, "two lines"),
        ({B: 2, C: 2}, {B: DOUBLE, C: DOUBLE}, "no single one is known"),
    ],
)
def test_lines_that_may_look_so_for_another_reason_are_not_learned(
    aimed: Mapping[Bridge, int], lines: Mapping[Bridge, Line], why: str
) -> None:
    assert not note_pens({"aimed": aimed}, lines), why


def test_what_is_learned_is_learned_once() -> None:
    noted: dict[str, Any] = {"aimed": {A: 1, B: 2, C: 2}}
    lines = {A: SINGLE, B: DOUBLE, C: DOUBLE}
    assert note_pens(noted, lines)
    assert noted["pens"] == ((SINGLE, 1), (DOUBLE, 2))
    assert not note_pens(noted, lines)


def test_one_double_bridge_is_enough_where_only_single_ones_have_gaps() -> None:
    lines = {A: replace(DOUBLE, solid=0.6), B: DOUBLE}
    assert note_pens({"aimed": {A: 1, B: 2}}, lines)
