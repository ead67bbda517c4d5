"""Changes of views as slow windows show them: moments of them stand in several pictures."""

from __future__ import annotations

import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.games.continuity.piloting.views import Looking
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracker import Tracker
from tests.continuity.seeing_window import Shown

pytest.importorskip("pygame")
LEVELS = load(find("continuity").levels, find("continuity").parse)


@pytest.mark.parametrize(("number", "size"), [(14, "900x700"), (14, "760x600")])
def test_a_view_is_known_by_its_size_where_the_pattern_of_moved_walls_looks_new(number: int, size: str) -> None:
    shown = Shown(LEVELS[number - 1].puzzle, "--look", "bricks", "--size", size, number=number)
    shown.tap("space")
    eyes = Looking(read_tiles(shown.image()))
    for _ in range(2):
        eyes.meet(shown.image())
        shown.tap("space")
    for _ in range(2):
        shown.tap("down")
        shown.step(times=40)
        seen = [eyes.see(shown.image()) for _ in range(4)]
        assert {each.view for each in seen} <= {"sliding", "changing"}
        assert (seen[-1].view, seen[-1].cells) == ("sliding", shown.cells)


@pytest.mark.parametrize("look", ["colours", "outlines"])
def test_a_moment_of_a_change_that_stands_in_several_pictures_is_no_view(look: str) -> None:
    shown = Shown(LEVELS[2].puzzle, "--look", look, "--size", "760x600")
    shown.tap("space")
    tracker = Tracker(read_tiles(shown.image()))
    tracker.see(shown.image())
    shown.tap("space")
    for _ in range(15):
        shown.step()
        tracker.see(shown.image())
    for _ in range(4):
        shown.play.tap("space")
        for _ in range(4):
            shown.step(times=3)
            assert {tracker.see(shown.image()).view for _ in range(4)} == {"changing"}
        shown.step(times=30)
        rests = "sliding" if shown.engine.view == "slide" else "walking"
        assert tracker.see(shown.image()).view == rests
