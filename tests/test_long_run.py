"""A short version of the long run (all games in turn in their windows, played by one bot, checked by the windows' logs
and the X server), and the errors that the long run must report."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest
from Xlib import X
from Xlib.ext.xtest import fake_input

from autoplayer.core.gestures import Click, Pace
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import VirtualDisplay
from autoplayer.screen.recording import load_recording
from autoplayer.screen.windows import Region
from autoplayer.screen.x11 import X11
from bench.playing import long
from bench.playing.long import Offer, Run, Size, Stint
from tests.screen.panes import Pane, until

LEVELS = 7


def test_all_games_are_played_in_turn_by_one_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed (apt-get install xvfb)")
    monkeypatch.setattr(long, "ALL", ("--size", "640x500", "--theme", "alternate", "--animate", "40"))
    found = long.run(LEVELS, tmp_path)
    assert long.faults(found) == [], found.said
    assert found.won == LEVELS
    assert found.outside == 0
    assert found.presses == sum(found.clicked(game) for game in found.events) > LEVELS
    assert found.keys == found.keyed("continuity") > 1
    assert {*found.events} == {*long.OFFERS}
    assert min(found.count(game, "won") for game in found.events) >= 1
    assert [result["status"] for stint in found.stints for result in stint.results] == ["won"] * LEVELS
    assert [size.level for size in found.sizes] == [*range(1, LEVELS + 1)]
    assert len({stint.files for stint in found.stints[len(long.OFFERS) :]}) == 1  # what a call opened it closed
    assert not (tmp_path / "home" / "evidence").exists()
    recordings = sorted(tmp_path.glob("recording-*"))
    assert len(recordings) == len(found.stints)
    assert sum(note.name == "result" for each in recordings for note in load_recording(each).steps) == LEVELS
    page = long.page(found)
    assert f"| all | {LEVELS} | {LEVELS} |" in page
    assert "Nothing was amiss." in page


KEY = [{"event": "press", "key": "left"}, {"event": "release", "key": "left"}]


def press(on: str) -> dict[str, str]:
    return {"event": "press", "on": on}


def good() -> Run:
    """A run of two levels in which nothing is amiss."""
    results = [{"level": 1, "status": "won", "error": None, "seconds": {"total": 1.0}} for _ in range(2)]
    run = Run(
        2, [Stint("hashi", 2, results, 0, 1000)], [Size(1, 100_000, 80_000, 9, 0), Size(2, 100_000, 80_000, 9, 0)]
    )
    run.events = {"hashi": [press("cell"), {"event": "won"}, press("button"), {"event": "won"}]}
    run.presses = 2
    return run


def test_nothing_is_amiss_in_a_good_run() -> None:
    assert long.faults(good()) == []


@pytest.mark.parametrize(
    ("run", "said"),
    [
        pytest.param(replace(good(), presses=3), "1 presses", id="a press elsewhere on the display"),
        pytest.param(replace(good(), keys=1), "1 presses", id="a key that no window was given"),
        pytest.param(
            replace(good(), events={"hashi": [*good().events["hashi"], press("outside")]}, presses=3),
            "1 presses",
            id="a press beside the board",
        ),
        pytest.param(replace(good(), events={"hashi": good().events["hashi"][:3]}), "1 of 2 levels", id="not won"),
        pytest.param(
            replace(good(), stints=[replace(good().stints[0], recorded=long.LIMIT + 1)]), "its limit", id="too large"
        ),
        pytest.param(replace(good(), stints=[replace(good().stints[0], code=4)]), "exit code 4", id="it stopped"),
    ],
)
def test_what_is_amiss_is_said(run: Run, said: str) -> None:
    assert said in long.faults(run)[0]
    assert "Nothing was amiss" not in long.page(run)


def test_a_process_that_grows_is_told_from_one_that_warms_up() -> None:
    def sizes(*megabytes: int) -> list[Size]:
        return [Size(n, 1000 * each, 800 * each, 9, 0) for n, each in enumerate(megabytes, 1)]

    run = replace(good(), levels=100)
    run.events = {"hashi": [{"event": "won"}] * 100}
    run.presses = 0
    run.sizes = sizes(*range(100, 149), *[150] * 51)
    assert long.faults(run) == []
    run.sizes = sizes(*[150] * 99, 165)
    assert "grew by 10.0%" in long.faults(run)[0]
    run.sizes = sizes(*[150] * 60, 170, *[150] * 39)  # and back again: it needed the room all the same
    assert "grew by 13.3%" in long.faults(run)[0]


def test_every_game_gets_as_many_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long, "OFFERS", {name: Offer(()) for name in "abc"} | {"slow": Offer((), most=8)})
    for names in ("abc", ("a", "slow", "b", "c")):
        for levels in (12, 50, 100, 1000):
            stints = long.stints(levels, names)
            assert sum(stint.levels for stint in stints) == levels
            each = [sum(stint.levels for stint in stints if stint.game == name) for name in "abc"]
            assert max(each) - min(each) <= 2
            slow = [stint.levels for stint in stints if stint.game == "slow"]
            assert max(slow, default=0) <= 8
            assert bool(slow) == ("slow" in names)
        first = long.stints(1000, names)[: len(names)]
        assert [stint.game for stint in first] == [*names]
        assert sum(stint.levels for stint in first) == long.WARM


def test_keys_are_no_presses_of_the_mouse() -> None:
    run = replace(good(), events={"hashi": [*good().events["hashi"], *KEY]}, keys=1)
    assert long.faults(run) == []
    assert (run.clicked("hashi"), run.keyed("hashi")) == (2, 1)
    assert "| all | 2 | 2 | 2 | 1 | 0 |" in long.page(run)


def test_presses_are_counted_wherever_they_go(display: VirtualDisplay) -> None:
    counter = long.Presses(display.name)
    system = X11(display.name)
    try:
        screen = DesktopScreen(Region(500, 500, 100, 100), bring_to_front=False)
        try:
            for at in ((10, 10), (50, 50), (90, 20)):
                screen.perform([Click(at)], Pace())
        finally:
            screen.close()
        shift = system.display.keysym_to_keycode(0xFFE1)  # nobody's: there is no window to take it
        for kind in (X.KeyPress, X.KeyRelease) * 2:
            fake_input(system.display, kind, shift)
        system.display.sync()
    finally:
        system.close()
        found = counter.close()
    assert found == (3, 2)


def manager_of(display: VirtualDisplay) -> int:
    """The process of the display's window manager."""
    wanted = f"DISPLAY={display.name}".encode()
    for folder in Path("/proc").iterdir():
        try:
            if (folder / "comm").read_text(encoding="utf-8").strip() == "openbox" and wanted in (
                folder / "environ"
            ).read_bytes().split(b"\0"):
                return int(folder.name)
        except (OSError, ValueError):
            continue
    pytest.skip("no openbox runs on the tests' display, so nothing holds the pointer back")


def test_a_window_manager_that_must_wait_for_its_turn_is_no_hand_on_the_mouse(display: VirtualDisplay) -> None:
    """The incident of the first long run, once in 16,000 presses: the window manager looks at every press first, and
    until it does, the display holds all that comes after it back. It had no turn for a quarter of a second, and the bot
    took the pointer that did not stir for one that a hand holds."""
    manager = manager_of(display)
    pane = Pane(display.name, "A game", (200, 150, 400, 300), "204080", "window")
    system = X11(display.name)
    try:
        until(lambda: system.area(pane.id), "the window on the screen")
        window = system.window(pane.id)
        assert window is not None
        screen = DesktopScreen(window, system=system)
        os.kill(manager, signal.SIGSTOP)
        again = Timer(1.0, os.kill, (manager, signal.SIGCONT))
        again.start()
        try:
            screen.perform([Click((50, 50)), Click((150, 150)), Click((250, 50))], Pace(0.02, 0.01, 0.01))
        finally:
            again.join()
            screen.close()
        assert [tuple(each["at"]) for each in pane.log() if each["event"] == "press"] == [
            (50, 50),
            (150, 150),
            (250, 50),
        ]
    finally:
        os.kill(manager, signal.SIGCONT)
        pane.close()
        until(lambda: system.window(pane.id) is None, "the window to go")
        system.close()


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another C library than that of most Linuxes")
def test_memory_that_is_free_goes_back_to_the_system() -> None:
    """Incident: after the first levels of Continuity the process had 43 MB more, all of it free, and kept it."""
    code = (
        "from autoplayer.cli import sessions\n"
        "def rss(): return int(open('/proc/self/statm').read().split()[1])\n"
        "blocks = [bytearray(60_000) for _ in range(1500)]\n"
        "blocks[:-1] = []\n"
        "before = rss()\n"
        "sessions.give_back()\n"
        "print(before - rss())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) * os.sysconf("SC_PAGE_SIZE") > 60_000_000
