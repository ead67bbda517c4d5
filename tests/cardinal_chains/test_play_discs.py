"""Chains over numbers on discs that fill less of their cells than the page does; and drags that select text."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.core.gestures import Click, Drag
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.playing.samples import compared, lab
from autoplayer.layout import Layout
from tests.cardinal_chains.test_level_lists import DISCS, discs

CHAINS: tuple[tuple[Cell, ...], ...] = (
    ((2, 0), (2, 1), (1, 1), (1, 0), (0, 0), (0, 1), (0, 2)),
    ((3, 0), (3, 1), (3, 2)),
)
COLOURS = (125, 182, 44), (6, 137, 255)


def spot(cell: Cell) -> tuple[int, int]:
    return 160 + 78 * cell[1], 140 + 78 * cell[0]


def drawn(radius: int, thick: int) -> tuple[Image, Image]:
    """The board before and after its chains were drawn, as lines and filled discs; the numbers stay on top."""
    before = discs(DISCS, radius)
    after = before.copy()
    for chain, colour in zip(CHAINS, COLOURS, strict=True):
        for a, b in pairwise(chain):
            cv2.line(after, spot(a), spot(b), colour, 12, cv2.LINE_AA)
        for cell in chain[1:]:
            cv2.circle(after, spot(cell), radius, colour, -1, cv2.LINE_AA)
            for image in (before, after):
                at = spot(cell)[0] - 10, spot(cell)[1] + 12
                cv2.putText(image, "1", at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (255, 255, 255), thick, cv2.LINE_AA)
        cv2.circle(after, spot(chain[0]), radius, before[5, 5].tolist(), -1, cv2.LINE_AA)
        cv2.circle(after, spot(chain[0]), radius, colour, 6, cv2.LINE_AA)
    return before, after


@pytest.mark.parametrize("radius", [25, 26])
def test_a_disc_at_the_end_of_a_chain_is_held_by_it(radius: int) -> None:
    """Incident: the page around the disc was taken for the fill of the last cell, into which one line leads only. The
    last clicks were made again and again, though the level was won."""
    before, after = drawn(radius, 4)
    reading = GAME.read(before, Layout(game="cardinal-chains"))
    seen = compared(reading, reading.puzzle, after)
    for chain, colour in zip(CHAINS, COLOURS, strict=True):
        fill = seen.fill_now[seen.index[chain[-1]]]
        assert np.linalg.norm(fill - lab(np.array(colour, np.float32))) < 2
    assert GAME.progress(reading, reading.puzzle, CHAINS, after).complete


def test_where_a_drag_selects_text_clicks_are_tried() -> None:
    """Incident: a drag over a page selected its text. The blue behind some numbers was taken for chains, and nothing
    but drags was tried from then on."""
    before = discs(DISCS)
    layout = Layout(game="cardinal-chains")
    reading = GAME.read(before, layout)
    progress = GAME.progress(reading, reading.puzzle, CHAINS, before)
    first = GAME.plan(reading, reading.puzzle, CHAINS, progress, layout, 0)[0]
    assert isinstance(first.gestures[0], Drag)
    selected = before.copy()
    for cell in [(1, 0), (1, 1), (0, 2)]:
        x, y = spot(cell)
        block = selected[y - 16 : y + 14, x - 5 : x + 5]
        block[np.abs(block.astype(int) - 66).max(axis=2) < 40] = (170, 60, 0)
    after = GAME.progress(reading, reading.puzzle, CHAINS, selected)
    assert after.done == 0
    second = GAME.plan(reading, reading.puzzle, CHAINS, after, layout, 1)[0]
    assert second.controls == "click"
    assert isinstance(second.gestures[0], Click)
