"""Windows in which something always moves: the rest of the picture is waited for, and no longer than that takes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Frame, Image
from autoplayer.core.gestures import Gesture, Hold, Pace
from autoplayer.games.continuity.piloting.calming import Calming
from autoplayer.games.continuity.piloting.views import Views
from autoplayer.layout import Layout

ALWAYS = ("clouds", "grass", "lamps", "breath")
SKY = np.full((480, 640, 3), (205, 160, 110), np.uint8)
ROOM = np.full((320, 440, 3), (58, 52, 44), np.uint8)
ROOM[260:] = (62, 84, 112)


class Stirring:
    """A window with a room in which a figure walks for half a second, or jumps, when a key is held, and moves on
    by itself what is in ``always``. Two views: the key ``m`` zooms for 0.4 s."""

    def __init__(self, *always: str) -> None:
        self.clock, self.always = 0.0, always
        self.walks = self.zooms = self.jumps = -9.0
        self.small, self.steps = False, 0

    def now(self) -> float:
        return self.clock

    def glance(self, pause: float = 0.0) -> Frame:
        self.clock += pause + 0.02
        return Frame(self.image(), (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        end, since, last = self.clock + limit, self.clock, self.glance()
        while self.clock < end:
            frame = self.glance(0.03)
            if not np.array_equal(frame.image, last.image):
                last, since = frame, self.clock
            elif self.clock - since > quiet and (unlike is None or not np.array_equal(frame.image, unlike.image)):
                break
        return last

    def hold(self, keys: Collection[str]) -> None: ...

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            assert isinstance(gesture, Hold)
            if "right" in gesture.keys:
                self.walks, self.steps = self.clock, self.steps + 1
            elif "up" in gesture.keys:
                self.jumps = self.clock
            else:
                self.zooms, self.small = self.clock, not self.small
            self.clock += gesture.seconds

    @property
    def rests(self) -> bool:
        return self.clock >= max(self.walks + 0.5, self.zooms + 0.4, self.jumps + 0.9)

    def image(self) -> Image:
        image = SKY.copy()
        if "clouds" in self.always:
            for x, y in ((40, 40), (360, 60), (180, 450), (500, 430), (240, 20)):
                cv2.ellipse(image, (round(x + 20 * self.clock) % 640, y), (52, 18), 0, 0, 360, (245, 240, 235), -1)
        zoom = min((self.clock - self.zooms) / 0.4, 1.0)
        share = 1 - 0.5 * (zoom if self.small else 1 - zoom)
        room = ROOM.copy()
        x = 20 + 60 * self.steps + round(120 * min(max(self.clock - self.walks, 0.0), 0.5))
        since = self.clock - self.jumps
        lift = round(max(200 * since * (0.9 - since), 0.0))
        lift += round(1 + np.sin(2.5 * self.clock)) if "breath" in self.always else 0
        room[208 - lift : 260, x : x + 28] = (70, 60, 210)
        if "lamps" in self.always:
            for n in (120, 300):
                room[40:56, n : n + 16] = (90, 220, 250) if (self.clock + n) % 1.0 < 0.5 else (40, 60, 90)
        if "grass" in self.always:
            for n in range(8, 440, 16):
                cv2.line(room, (n, 266), (round(n + 6 * np.sin(3 * self.clock + n)), 252), (86, 190, 106), 2)
        size = round(440 * share), round(320 * share)
        left, top = (640 - size[0]) // 2, (480 - size[1]) // 2
        image[top : top + size[1], left : left + size[0]] = cv2.resize(room, size, interpolation=cv2.INTER_AREA)
        return image


@pytest.mark.parametrize("always", ["clouds", "all"])
def test_what_always_moves_is_waited_for_only_until_it_is_known(always: str) -> None:
    window = Stirring(*(ALWAYS if always == "all" else (always,)))
    calming = Calming(window)
    calming.still(2.5)
    assert window.now() > 2.5, "the window's own wait ends at its limit"
    took = []
    for key in ("m", "m", "right") * 2:
        before = calming.still(2.5)
        began = window.now()
        window.perform((Hold((key,), 0.1),), Pace(0.05, 0.0, 0.0))
        calming.still(2.5, unlike=before)
        assert window.rests, f"{key} still acts"
        took.append(window.now() - began)
    assert max(took[3:5]) < 1.6, took
    assert always == "all" or took[-1] < 1.6, took


def test_a_figure_at_the_height_of_its_jump_is_not_at_rest() -> None:
    window = Stirring("clouds")
    calming = Calming(window)
    before = [calming.still(2.5) for _ in range(2)][-1]
    window.perform((Hold(("up",), 0.1),), Pace(0.05, 0.0, 0.0))
    calming.still(2.5, unlike=before)
    assert window.rests


def test_a_key_without_an_answer_is_not_waited_for_longer_than_its_limit() -> None:
    """Where nothing moves, nothing is learned either."""
    for window in (Stirring(), Stirring("grass")):
        calming = Calming(window)
        first = [calming.still(2.5) for _ in range(3)][-1]
        began = window.now()
        calming.still(1.2, unlike=first)
        assert 1.2 <= window.now() - began < 1.4


class Storm(Stirring):
    """A window that moves all over."""

    def image(self) -> Image:
        stripes = np.zeros((120, 160, 3), np.uint8)
        stripes[:, ::8] = 255
        return np.roll(stripes, round(40 * self.clock), axis=1)


def test_where_all_of_a_picture_moves_each_wait_ends_at_its_limit() -> None:
    """It is no picture at rest, and looking for what moves makes no wait longer in the end."""
    window = Storm()
    calming = Calming(window)
    took = []
    for _ in range(8):
        began = window.now()
        calming.still(1.0)
        took.append(window.now() - began)
    assert min(took) >= 1.0, took
    assert max(took[6:]) < 1.2, took


class Deaf(Stirring):
    """A window with many clouds that answers nothing."""

    def __init__(self) -> None:
        super().__init__("clouds")

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self.clock += pace.press


def test_drifting_clouds_are_no_answer_to_a_key() -> None:
    """They seemed to be another level."""
    views = Views(Deaf(), Layout(game="continuity"))
    trial = views._tried()
    assert views._opened_by(("space",), trial) is None
    assert len(trial.reasons) == 1


def test_clouds_that_drift_on_while_keys_are_tried_quickly_are_no_answer_to_one_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each key was then tried again for itself, with a long wait."""
    views = Views(Deaf(), Layout(game="continuity"))
    monkeypatch.setattr(views, "_board", lambda _: None)
    assert views._likeliest(["x", "z", "c", "wheel down", "m", "e", "v"], views._tried()) == ["wheel down"]
