"""Windows whose view changes by a double click or a right click, which are tried last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.frame import Frame
from autoplayer.core.gestures import Click, Gesture, Hold, Keys, Pace
from autoplayer.games.continuity.piloting import views as seeking
from autoplayer.games.continuity.piloting.hands import LostError
from autoplayer.games.continuity.piloting.views import Views
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.layout import ContinuityTable, Layout, clicked
from tests.continuity.steered import Painted

pytest.importorskip("pygame")
LEVELS = load(find("continuity").levels, find("continuity").parse)
DOUBLE, RIGHT = Click((260, 210), times=2), Click((260, 210), "right")


@pytest.fixture(autouse=True)
def _few_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """All keys take long to be tried."""
    monkeypatch.setattr(seeking, "VIEW_KEYS", ("space", "tab"))


class Clicked(Painted):
    """A window in which only the click ``way`` in its middle changes the view, and which shows a part of the board from
    near while the figure walks. With ``menu``, a right click opens one, and Escape closes it."""

    way, menu, open = DOUBLE, False, False

    def glance(self, pause: float = 0.0) -> Frame:
        frame = super().glance(pause)
        image = frame.image.copy()
        if self.engine.view == "walk":
            image = np.ascontiguousarray(cv2.resize(image, None, fx=1.6, fy=1.6)[140:560, 170:690])
        if self.open:
            cv2.rectangle(image, (260, 210), (410, 330), (240, 240, 240), -1)
            for y, text in ((235, "Back"), (265, "Reload"), (295, "Save as")):
                cv2.putText(image, text, (275, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)
        return replace(frame, image=image)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if gesture == self.way:
                super().perform([Keys(("space",))], pace)
            elif isinstance(gesture, Hold) and self.engine.view == "walk":
                super().perform([gesture], pace)
            else:
                self.open |= self.menu and gesture == RIGHT
                self.open &= gesture != Keys(("escape",))
                self._pass(0.1)


def window_of(way: Click, menu: bool = False) -> Clicked:
    window = Clicked(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    window.way, window.menu = way, menu
    return window


@pytest.mark.parametrize(("way", "name"), [(DOUBLE, "double click"), (RIGHT, "right click")])
def test_a_double_click_or_a_right_click_changes_the_view(way: Click, name: str) -> None:
    window = window_of(way)
    views = Views(window, Layout(game="continuity"))
    tiles, eyes = views._open()
    assert (views._view_key, tiles.rows, tiles.columns, window.engine.view) == (name, 2, 2, "walk")
    watch = Watch(window, eyes, Controls(view=name), 0.05)
    for wanted, now in (("sliding", "slide"), ("walking", "walk")):
        watch.changes_view(wanted)
        window.still()
        assert window.engine.view == now
    assert ContinuityTable(view=name, walk=5, jump=1.8, gravity=30, fall=14).view == name
    click = clicked(name)
    assert click is not None
    assert click.within((520, 420)) == way


def test_a_menu_that_a_right_click_opens_is_closed_and_not_opened_again() -> None:
    window = window_of(Click((1, 1)), menu=True)
    views = Views(window, Layout(game="continuity"))
    with pytest.raises(LostError, match="a right click opens a menu"):
        views._open()
    assert not window.open
    with pytest.raises(LostError) as fault:
        views._open()
    assert "right click" not in str(fault.value)
