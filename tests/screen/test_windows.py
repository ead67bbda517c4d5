"""Windows are found by their titles, with their real positions."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from autoplayer.core.errors import MachineError, NotFoundError, StoppedError, UsageError
from autoplayer.core.frame import Box
from autoplayer.screen.display import VirtualDisplay
from autoplayer.screen.hands import XTestHand
from autoplayer.screen.windows import Region, Window, choose_window, list_windows
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenWindow, Pane, until


def window(title: str, number: int = 1, visible: bool = True) -> Window:
    return Window(number, title, Box(0, 0, 10, 10), visible)


@pytest.mark.parametrize(
    ("pattern", "titles", "chosen"),
    [
        ("chains", ["Cardinal Chains", "Terminal"], "Cardinal Chains"),  # a part, in any case
        ("Chains", ["Chains", "Chains - Help"], "Chains"),  # the exact title wins
        ("chains", ["Chains", "Chains - Help"], "Chains"),  # also where only the case differs
        (r"^Chains \d+$", ["Chains 12", "Chains of x"], "Chains 12"),  # a regular expression
        ("C++ (1)", ["C++ (1)", "C"], "C++ (1)"),  # a title that would be a bad expression
    ],
)
def test_a_window_is_chosen_by_its_title(pattern: str, titles: list[str], chosen: str) -> None:
    assert choose_window(pattern, [window(t, n) for n, t in enumerate(titles)]).title == chosen


def test_the_only_visible_one_of_several_is_chosen() -> None:
    assert choose_window("game", [window("game a", 1, visible=False), window("game b", 2)]).id == 2


def test_what_matches_nothing_or_too_much_lists_titles() -> None:
    windows = [window("Chains 1", 1), window("Chains 2", 2), window("Mail", 3)]
    with pytest.raises(NotFoundError, match=r"'Hashi'.*'Chains 1', 'Chains 2', 'Mail'"):
        choose_window("Hashi", windows)
    with pytest.raises(UsageError, match=r"2 windows match 'chains'.*'Chains 1', 'Chains 2'") as several:
        choose_window("chains", windows)
    assert "Mail" not in str(several.value)
    with pytest.raises(UsageError, match=r"match 'mail'; pick one by a click \(--pick\).*'Mail' at \d+,.*'Mail' at"):
        choose_window("mail", [*windows, window("Mail", 4)])
    with pytest.raises(UsageError, match=r"'\(x'.*regular expression"):
        choose_window("(x", windows)
    with pytest.raises(UsageError, match="empty"):
        choose_window(" ", windows)
    with pytest.raises(NotFoundError, match="There is no window"):
        choose_window("x", [])


def test_a_region_is_four_numbers() -> None:
    assert Region.parse("-5, 10,640,480") == Region(-5, 10, 640, 480)
    for wrong in ("", "1,2,3", "1,2,3,x", "1,2,0,5", "1,2,3,-4", "1.5,2,3,4", "9" * 300 + ",1,1,1"):
        with pytest.raises(UsageError):
            Region.parse(wrong)


def test_windows_are_listed_with_their_client_area(x11: X11, open_window: OpenWindow) -> None:
    pane = open_window("Ünïcode – game", (200, 150, 400, 300))
    found = choose_window("ünïcode", x11.windows())
    assert (found.id, found.title, found.visible) == (pane.id, "Ünïcode – game", True)
    assert (found.area.width, found.area.height) == (400, 300)
    # The frame stands around the client area: the root sees the same place through the window's own eyes.
    corner = x11.root.translate_coords(x11.display.create_resource_object("window", pane.id), 0, 0)
    assert (found.area.x, found.area.y) == (corner.x, corner.y)


def test_a_gtk_shadow_is_no_part_of_the_client_area(x11: X11, open_window: OpenWindow) -> None:
    pane = open_window(box=(300, 200, 400, 300))
    before = x11.area(pane.id)
    assert before is not None
    pane.tell("shadow")
    after = until(lambda: (a := x11.area(pane.id)) != before and a, "the shadow")
    assert after == Box(before.x + 20, before.y + 20, 360, 260)


def test_a_hidden_window_has_no_area_and_a_closed_one_is_none(x11: X11, open_window: OpenWindow) -> None:
    pane = open_window()
    pane.tell("hide")
    until(lambda: x11.area(pane.id) is None, "the window to hide")
    pane.tell("show")
    until(lambda: x11.area(pane.id) is not None, "the window to come back")
    pane.close()
    until(lambda: x11.window(pane.id) is None, "the window to go")
    assert x11.area(pane.id) is None


def test_windows_are_found_without_a_window_manager(bare_display: VirtualDisplay, open_window: OpenWindow) -> None:
    system = X11(bare_display.name)
    try:
        assert not system.has_window_manager()
        low = open_window("lower", (10, 10, 200, 200), on=bare_display.name)
        high = open_window("upper", (50, 50, 200, 200), on=bare_display.name)
        until(lambda: len(system.windows()) == 2, "two windows")
        assert [w.title for w in system.windows()] == ["upper", "lower"]
        assert system.area(low.id) == Box(10, 10, 200, 200)
        assert system.covering(low.id, (20, 20)) is None
        assert system.covering(low.id, (60, 60)) == "the window 'upper'"
        assert system.covering(high.id, (300, 300)) == "the bare desktop (the window is not there)"
        system.activate(low.id)
        assert system.covering(low.id, (60, 60)) is None
        assert system.has_focus(low.id)
        assert not system.has_focus(high.id)
    finally:
        system.close()


def test_what_is_on_top_is_the_same_with_and_without_the_pointer_there(x11: X11, open_window: OpenWindow) -> None:
    below = open_window("below", (200, 150, 400, 300))
    above = open_window("above", (400, 300, 400, 300))
    hand = XTestHand(x11)
    area = x11.area(below.id)
    assert area is not None
    # A window manager may map a window first and raise it afterwards, or not at all.
    x11.activate(above.id)
    until(lambda: x11.covering(below.id, (area.x + 390, area.y + 290)), "the second window on top")
    inside, covered = (area.x + 10, area.y + 10), (area.x + 390, area.y + 290)
    for at, name in ((inside, None), (covered, "the window 'above'")):
        hand.move((5, 700))
        assert x11.covering(below.id, at) == name
        hand.move(at)
        assert x11.covering(below.id, at) == name


def test_a_window_is_picked_by_a_click(x11: X11, display: VirtualDisplay, open_window: OpenWindow) -> None:
    pane = open_window("to be picked")
    assert pick_by_click(x11, display, pane, "left").id == pane.id
    assert "press" not in pane.names()  # the click was for the bot, not for the game
    with pytest.raises(StoppedError, match="cancelled"):
        pick_by_click(x11, display, pane, "right")
    with pytest.raises(StoppedError, match="No window was clicked"):
        x11.pick(limit=0.05)


def test_where_it_was_clicked_is_told_though_the_pointer_has_gone_on(
    x11: X11, display: VirtualDisplay, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = open_window("to be picked")
    area = x11.area(pane.id)
    assert area is not None
    ask = x11.window_at

    def window_at(at: tuple[int, int]) -> Window | None:
        x11.root.warp_pointer(area.x + 5, area.y + 5)
        return ask(at)

    monkeypatch.setattr(x11, "window_at", window_at)
    monkeypatch.setattr(x11, "pick", x11.pick_at)
    assert pick_by_click(x11, display, pane, "left")[1] == area.centre  # type: ignore[index]


def test_a_pointer_that_is_held_for_a_moment_is_waited_for(
    x11: X11, display: VirtualDisplay, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Window managers hold it for each press."""
    pane = open_window("to be picked")
    holder = X11(display.name)
    assert holder.root.grab_pointer(False, 0, 1, 1, 0, 0, 0) == 0
    holder.display.sync()

    def sleep(seconds: float) -> None:
        holder.display.ungrab_pointer(0)
        holder.display.sync()

    with monkeypatch.context() as patched:
        patched.setattr("autoplayer.screen.x11.time", SimpleNamespace(monotonic=lambda: 0.0, sleep=sleep))
        x11._hold_pointer()
    x11.display.ungrab_pointer(0)
    assert pick_by_click(x11, display, pane, "left").id == pane.id
    assert holder.root.grab_pointer(False, 0, 1, 1, 0, 0, 0) == 0
    holder.display.sync()
    monkeypatch.setattr("autoplayer.screen.x11.HELD_WITHIN", 0.0)
    with pytest.raises(MachineError, match="held by another program"):
        x11.pick()
    holder.close()


def test_a_pointer_is_tried_once_more_after_a_machine_that_stood_still(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, taken = [0.0], iter([False, True])

    def take() -> bool:
        clock[0] += 60
        return next(taken)

    monkeypatch.setattr("autoplayer.screen.x11.time", SimpleNamespace(monotonic=lambda: clock[0], sleep=lambda _: None))
    X11._hold_pointer(SimpleNamespace(_take_pointer=take))  # type: ignore[arg-type]
    assert next(taken, None) is None


def pick_by_click(x11: X11, display: VirtualDisplay, pane: Pane, button: str) -> Window:
    area = x11.area(pane.id)
    assert area is not None
    person = X11(display.name)
    hand = XTestHand(person)
    hand.move(area.centre)

    def click() -> None:
        # Once the picker holds the pointer, nobody else can.
        while person.root.grab_pointer(False, 0, 1, 1, 0, 0, 0) == 0:
            person.display.ungrab_pointer(0)
            person.display.sync()
            time.sleep(0.01)
        hand.press(button)  # type: ignore[arg-type]
        hand.release(button)  # type: ignore[arg-type]

    finger = threading.Timer(0.1, click)
    finger.start()
    try:
        return x11.pick(limit=120)
    finally:
        finger.join()
        person.close()


def test_a_display_that_is_not_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MachineError, match="':987' cannot be reached"):
        X11(":987")
    with pytest.raises(MachineError, match="'nonsense' cannot be reached"):
        X11("nonsense")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(MachineError, match="DISPLAY is not set"):
        list_windows()


def test_a_wayland_session_without_x11_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    with pytest.raises(MachineError, match=r"Wayland session without XWayland.*xvfb"):
        list_windows()
