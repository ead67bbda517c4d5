"""Windows that draw so seldom, as on a busy machine, that they seem to stand still before a change of views ends."""

from __future__ import annotations

import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.frame import Image
from autoplayer.games.continuity.piloting.views import Views
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.layout import Layout
from tests.continuity.steered import Painted

pytest.importorskip("pygame")
LEVELS = load(find("continuity").levels, find("continuity").parse)
READS = 1.5
"""Seconds that a board is searched."""


class Slow(Views):
    """Views on a machine on which the search for a board takes its time."""

    def _board(self, image: Image) -> Tiles | None:
        self.window.glance(READS)
        return super()._board(image)


@pytest.mark.parametrize("begins", ["walk", "slide"])
@pytest.mark.parametrize("camera", ["tile", "whole"])
def test_a_change_of_views_that_seemed_to_have_ended_is_looked_at_again(begins: str, camera: str) -> None:
    """Its first picture showed no board, or none of the other view: "another level came"."""
    options = "--camera", camera, "--size", "520x420", "--animate", "1000"
    window = Painted(LEVELS[2].puzzle, *options, frames=(0.2, 0.2))
    if begins == "slide":
        window.engine.press("space")
        window.glance(2.0)
    views = Slow(window, Layout(game="continuity"))
    tiles, _ = views._open()
    assert (views._view_key, views._one_view) == ("space", False)
    assert (tiles.rows, tiles.columns, tiles.view, window.engine.view) == (2, 2, "sliding", "walk")
