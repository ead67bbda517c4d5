"""Figures that go over a side from one tile into the next: to a spot right behind it, and unseen between the tiles."""

from __future__ import annotations

import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.level import rooms_of
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.seeing.sight import Sighting
from autoplayer.games.continuity.world import BOTTOM
from tests.continuity.steered import CELL, Seeing, Steered, measured

TWO = """+--------+--------+
|########|########|
|#......#|#......#|
|.......#|#..K....|
|.....D.#|#.S.....|
|########|########|
+--------+--------+
|________|########|
|________|#......#|
|________|#......#|
|________|#......#|
|________|########|
+--------+--------+
"""
"""Its first tile has an opening at its left, its second one at its right; they are exchanged here."""


class Unseen(Seeing):
    """Eyes that do not see the figure while it stands over a side, nor when it has just come over one."""

    def see(self, image: Image) -> Sighting:
        seen = super().see(image)
        wide = self.window.level.physics.width * self.cell
        hidden = min(seen.x, 8 * self.cell - seen.x) < wide / 2
        return seen._replace(tile=None) if hidden else seen


def ready(eyes_of: type[Seeing]) -> tuple[Executor, Steered, float]:
    """The pilot before two tiles that lie side by side, the figure in the left one; and their width, pixels."""
    rows = TWO.splitlines()
    rows[1:6] = ["|" + "|".join(row.strip("|").split("|")[::-1]) + "|" for row in rows[1:6]]
    level = parse("\n".join(rows))
    assert isinstance(level, Level)
    window = Steered(level)
    eyes = eyes_of(window)
    watch = Watch(window, eyes, Controls(), 0.02)
    pilot = Executor(watch, Reach(rooms_of(eyes.board(), measured(level))))
    assert pilot.settle() is not None
    return pilot, window, 8.0 * CELL


@pytest.mark.parametrize("beside", [0.4, 2.0])
def test_a_spot_right_behind_a_side_is_gone_to(beside: float) -> None:
    """A figure that had come to rest a pixel before the side was near enough to the spot behind it, and in the wrong
    tile, for ever."""
    pilot, window, width = ready(Seeing)
    near, row = 0.3 * CELL, 4.0 * CELL
    assert pilot._go((0,), width - 0.5, near, row)
    assert window.engine.tile == 0
    window.engine.x = 8 - beside / CELL
    pilot.watch.samples.clear()
    assert pilot.settle() is not None
    assert pilot._go((0, 1), beside, near, row)
    assert window.engine.tile == 1


def test_a_figure_that_may_reach_over_a_side_comes_inside_before_tiles_are_moved() -> None:
    """The box with which it collides may be broader than what is drawn of it: a figure that seemed to stand just inside
    its tile was left in a wall when the next tile went away."""
    pilot, window, _ = ready(Seeing)
    wide = window.level.physics.width
    window.engine.x = 8 - 0.55 * wide
    pilot.watch.samples.clear()
    assert pilot.settle() is not None
    assert pilot.slide(((window.engine.tile, BOTTOM),))
    assert 8 - window.engine.x >= 0.65 * wide


def test_a_figure_that_is_not_seen_over_a_side_walks_on() -> None:
    """It was let stand there, unseen, for a second, and the walk had failed."""
    pilot, window, _ = ready(Unseen)
    begun = window.now()
    assert pilot._go((0, 1), 2.0 * CELL, 0.3 * CELL, 4.0 * CELL)
    assert window.engine.tile == 1
    assert window.now() - begun < 3.0
