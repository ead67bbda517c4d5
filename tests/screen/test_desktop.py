"""The desktop as a screen: which part is captured, its position, and when it counts as still."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import AutoplayerError, NotFoundError
from autoplayer.core.frame import Box, Image
from autoplayer.core.gestures import Click, Pace
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import display_facts, start_xvfb
from autoplayer.screen.stillness import Stillness, changed_tiles
from autoplayer.screen.windows import Region
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, on_top, until

BLUE = (0x80, 0x40, 0x20)
"""The windows' colour 204080 as BGR."""
RED = (0, 0, 255)
QUICK = Pace(0.02, 0.02, 0.01)


def test_the_client_area_is_grabbed_and_nothing_else(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window(box=(200, 150, 400, 300))
    pane.tell("fill ff0000 0 0 10 10")
    pane.tell("fill ff0000 390 290 10 10")
    pane.log()
    frame = open_screen(pane).grab()
    assert frame.size == (400, 300)
    expected = np.full((300, 400, 3), BLUE, np.uint8)
    expected[:10, :10] = expected[-10:, -10:] = RED
    np.testing.assert_array_equal(frame.image, expected)


def test_the_window_is_followed_when_it_moves_and_grows(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window(box=(200, 150, 400, 300))
    screen = open_screen(pane)
    first = screen.grab()
    pane.tell("move 500 400")
    until(lambda: screen.grab().origin != first.origin, "the window to move")
    pane.tell("grow 500 350")
    until(lambda: screen.grab().size == (500, 350), "the window to grow")
    frame = screen.still()
    area = x11.area(pane.id)
    assert area is not None
    assert frame.origin == (area.x, area.y)
    assert (frame.image == BLUE).all()
    screen.perform([Click((499, 349))], QUICK)
    press = next(e for e in pane.log() if e["event"] == "press")
    assert press["at"] == [499, 349]


def test_a_window_that_is_gone_or_hidden_says_so(open_window: OpenWindow, open_screen: OpenScreen, x11: X11) -> None:
    pane = open_window("a lost game")
    screen = open_screen(pane)
    pane.tell("hide")
    until(lambda: x11.area(pane.id) is None, "the window to hide")
    with pytest.raises(NotFoundError, match="'a lost game' is minimised"):
        screen.grab()
    pane.close()
    until(lambda: x11.window(pane.id) is None, "the window to go")
    for call in (
        screen.grab,
        screen.still,
        lambda: screen.perform([Click((1, 1))], QUICK),
        lambda: screen.park((1, 1)),
    ):
        with pytest.raises(NotFoundError, match="'a lost game' is gone"):
            call()


def test_a_window_half_outside_the_screen_is_refused(
    open_window: OpenWindow, open_screen: OpenScreen, x11: X11
) -> None:
    pane = open_window(box=(200, 150, 400, 300), kind="popup")
    screen = open_screen(pane)
    pane.tell("move 1100 200")
    until(lambda: (x11.area(pane.id) or Box(0, 0, 0, 0)).x == 1100, "the window to move")
    with pytest.raises(AutoplayerError, match="reaches outside the screen: it covers 1100,200 to 1500,500"):
        screen.grab()
    # A sliver, as of a maximised window, is let pass and is black.
    pane.tell("move -2 200")
    until(lambda: (x11.area(pane.id) or Box(0, 0, 0, 0)).x == -2, "the window to move")
    pane.log()
    image = screen.grab().image
    assert (image[:, :2] == 0).all()
    assert (image[:, 2:] == BLUE).all()
    with pytest.raises(AutoplayerError, match="outside the screen"):
        screen.perform([Click((0, 10))], QUICK)


def test_a_region_is_a_screen_too(open_window: OpenWindow, x11: X11) -> None:
    pane = open_window(box=(200, 150, 400, 300))
    area = x11.area(pane.id)
    assert area is not None
    with DesktopScreen(Region(area.x + 50, area.y + 60, 100, 80), system=x11, patience=0.5) as screen:
        frame = screen.grab()
        assert frame.size == (100, 80)
        assert (frame.image == BLUE).all()
        screen.perform([Click((7, 8))], QUICK)
        assert next(e for e in pane.log() if e["event"] == "press")["at"] == [57, 68]
        other = open_window("another", (area.x, area.y, 300, 250))
        on_top(x11, other, pane, (57, 68))
        with pytest.raises(AutoplayerError, match="'another' lies over"):
            screen.perform([Click((7, 8))], QUICK)
    with pytest.raises(NotFoundError, match="not on the screen"):
        DesktopScreen(Region(5000, 0, 10, 10), system=x11)


def test_waiting_ends_when_the_picture_differs_and_is_still(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    screen = open_screen(pane)
    before = screen.still()
    assert screen.still(0.2, unlike=before).image.tobytes() == before.image.tobytes()  # the limit ends it
    pane.tell("fill ff0000 100 100 30 30")
    after = screen.still(120, unlike=before)
    assert (after.image[100:130, 100:130] == RED).all()
    assert after.time > before.time


def test_a_blinking_cursor_does_not_keep_it_waiting(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    pane.tell("blink ffffff 60 60 4 18 0.03")
    pane.log()
    screen = open_screen(pane)
    frame = screen.still(30)
    assert screen.now() < 25
    # Nor is its blinking a change.
    limit = screen.now() + 0.5
    screen.still(0.5, unlike=frame)
    assert screen.now() >= limit
    pane.tell("fill ff0000 200 200 30 30")
    assert (screen.still(30, unlike=frame).image[200:230, 200:230] == RED).all()


# Stillness itself, without a screen


def board(marks: int = 0) -> Image:
    image = np.zeros((300, 400, 3), np.uint8)
    for n in range(marks):
        image[10 + 20 * n : 20 + 20 * n, 10:20] = 200
    return image


def test_a_change_sets_the_calm_back() -> None:
    watch = Stillness()
    watch.begin(10.0)
    for time, marks, calm in ((10.0, 0, 0.0), (10.1, 0, 0.1), (10.2, 1, 0.0), (10.4, 1, 0.2), (10.5, 2, 0.0)):
        watch.see(board(marks), time)
        assert watch.calm_for() == pytest.approx(calm)
    assert watch.differs(board(1))
    assert not watch.differs(board(2))
    watch.begin(20.0)  # what was not watched says nothing
    watch.see(board(2), 20.0)
    assert watch.calm_for() == 0.0


def test_a_short_animation_in_a_small_place_is_waited_for() -> None:
    """The filling of one cell is small and moves, but ends: it must not pass for a cursor."""
    watch = Stillness()
    watch.begin(0.0)
    for n in range(60):
        image = board()
        image[100:110, 100:110] = min(n, 40) * 2
        watch.see(image, n * 0.02)
        if 2 < n <= 40:  # each step is under the noise of a single look for itself
            assert watch.calm_for() < 0.06


def test_a_big_animation_is_never_still() -> None:
    """Without a screen, because a busy machine stops an animation in a real window now and then."""
    watch = Stillness()
    watch.begin(0.0)
    for n in range(300):
        image = board()
        image[60:150, 60:180] = 250 * (n % 2)
        watch.see(image, n * 0.03)
        assert watch.calm_for() == 0.0
        assert watch.looks <= 1


def test_a_big_animation_far_from_the_board_is_excused_where_the_board_is_known() -> None:
    """Incident: beside a game in a browser's tab an advertisement moved without end, and every look took its whole
    limit."""
    for box, excused in ((Box(250, 60, 120, 120), True), (Box(100, 40, 120, 120), False), (None, False)):
        watch = Stillness()
        watch.attend(box)
        watch.begin(0.0)
        for n in range(100):
            image = board()
            image[40:260, 20:120] = 250 * (n % 2)
            watch.see(image, n * 0.03)
        assert (watch.calm_for() > 1.0) is excused
        if excused:
            image[100:110, 300:310] = 200
            watch.see(image, 3.03)
            assert watch.calm_for() == 0.0


def test_a_restless_place_that_rests_counts_again() -> None:
    watch = Stillness()
    watch.begin(0.0)
    for n in range(100):
        watch.see(board(n % 2), n * 0.02)
    assert watch.calm_for() > 1.0
    assert not watch.differs(board(0))
    watch.unchanged(5.0)
    watch.see(board(0), 5.1)
    assert watch.calm_for() == pytest.approx(0.0)


def drifting(time: float, board: int = 0, faint: int = 14) -> Image:
    """A page with a dot that blinks, on whose background pale circles drift, and a board in front of it, whose colour
    differs from the page's by ``board``. ``faint``: by how much the circles' colour does."""
    image = np.full((300, 400, 3), 230, np.uint8)
    for n in range(6):
        cv2.circle(image, (int(60 * n + 25 * time * (1 + n % 3)) % 460 - 30, 25 + 50 * n), 24, (230 - faint,) * 3, -1)
    image[110:190, 150:250] = 230 - board
    image[5:15, 5:15] = 200 * (int(time) % 2)
    return image


def calm_after(watch: Stillness, picture: Callable[[float], Image], begun: float, limit: float = 10.0) -> float:
    """After how many seconds a wait that began at ``begun`` finds that ``picture`` was still for a quarter of a
    second; ``limit`` where it does not."""
    watch.begin(begun)
    for n in range(round(limit / 0.03)):
        watch.see(picture(begun + n * 0.03), begun + n * 0.03)
        if watch.calm_for() >= 0.25 and watch.looks >= 4:
            return n * 0.03
    return limit


def test_a_faint_background_that_moves_is_waited_for_only_once() -> None:
    """Incident: pale circles drifted behind a board and its dialogs, and every wait took its whole limit of 3 to 10
    seconds."""
    watch = Stillness()
    assert calm_after(watch, drifting, 0.0) < 3.2
    waits = [calm_after(watch, lambda time: drifting(time, board=100), begun) for begun in (5.0, 12.0, 40.0)]
    assert max(waits) < 0.4
    assert not watch.differs(drifting(0.0, board=100))
    assert watch.differs(drifting(0.0))  # what the game itself draws is seen
    # A fade of half a second is waited for.
    assert 0.5 < calm_after(watch, lambda time: drifting(time, board=round(200 * min(time - 50, 0.5))), 50.0) < 1.0


def test_only_a_background_that_is_faint_and_keeps_moving_is_ignored() -> None:
    assert calm_after(Stillness(), lambda time: drifting(time, faint=40), 0.0, 5.0) == 5.0
    watch = Stillness()  # a slow fade moves less within a second
    assert 6.0 < calm_after(watch, lambda time: np.full_like(board(), round(15 * min(time, 6.0))), 0.0) < 7.0
    watch = Stillness()  # after a rest, a pale change is a change
    calm_after(watch, drifting, 0.0)
    calm_after(watch, drifting, 5.0)
    watch.unchanged(7.0)
    assert watch.differs(drifting(5.0, board=14))
    watch = Stillness()  # a cursor that blinks slowly is no background either
    watch.begin(0.0)
    for n in range(135):
        watch.see(board(n // 43 % 2), n * 0.03)
    assert watch.differs(board(1) + 14)
    watch = Stillness()  # something pale that comes after a long rest is no background
    watch.begin(0.0)
    for n in range(100):
        watch.see(drifting(0.0, board=14 * (5 <= n < 99)), n * 0.03)
    assert watch.differs(drifting(0.0, board=14))


def test_faint_noise_is_no_change_and_one_pixel_is() -> None:
    image = np.full((301, 407, 3), 100, np.uint8)
    assert not changed_tiles(image, image + 2).any()
    dot = image.copy()
    dot[300, 406, 1] = 120
    assert changed_tiles(image, dot).sum() == 1
    assert changed_tiles(image[:5, :3], dot[-5:, -3:]).sum() == 1  # smaller than the tiles are many


@pytest.mark.parametrize("size", [(64, 96), (101, 75)], ids=["tiles of one size", "tiles of several sizes"])
def test_a_tile_has_changed_where_one_of_its_pixels_has(size: tuple[int, int]) -> None:
    image = np.random.default_rng(9).integers(0, 240, (*size, 3)).astype(np.uint8)
    for y, x in ((0, 0), (size[0] - 1, size[1] - 1), (size[0] // 2, 40), (31, size[1] // 3)):
        other = image.copy()
        other[y, x, 1] += 9
        row, column = (max(n for n in range(32) if n * side // 32 <= at) for at, side in ((y, size[0]), (x, size[1])))
        assert np.argwhere(changed_tiles(image, other)).tolist() == [[row, column]]


# The display


def test_the_facts_of_a_display_and_of_none(x11: X11, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    facts = display_facts()
    assert (facts.server, facts.reachable, facts.hand) == ("X11", True, "XTEST")
    assert facts.monitors == (Box(0, 0, 1280, 1024),)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert display_facts().server == "Wayland"
    assert "XWayland" in display_facts().notes[0]
    monkeypatch.delenv("WAYLAND_DISPLAY")
    monkeypatch.delenv("DISPLAY")
    facts = display_facts()
    assert (facts.server, facts.reachable) == ("none", False)
    assert "DISPLAY is not set" in (facts.problem or "")


def test_without_xvfb_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(AutoplayerError, match="apt-get install xvfb"), start_xvfb():
        pass
