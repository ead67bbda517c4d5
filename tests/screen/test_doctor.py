"""`autoplayer doctor` on machines that lack something: each problem is named with its cause and its remedy."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from autoplayer.cli import doctor, main
from autoplayer.core.errors import MachineError
from autoplayer.core.frame import Box
from autoplayer.screen import claim, keeper, macos, stopkey
from autoplayer.screen.display import DisplayFacts, VirtualDisplay
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow

pytestmark = pytest.mark.usefixtures("own_runtime", "no_wayland")

Found = dict[str, dict[str, Any]]


@pytest.fixture
def no_wayland(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "GDK_SCALE", "QT_SCALE_FACTOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")


@pytest.fixture
def look(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `autoplayer doctor --json`; returns the exit code and the findings by their names."""

    def run() -> tuple[int, Found]:
        code = main(["doctor", "--json"])
        return code, {each["what"]: each for each in map(json.loads, capsys.readouterr().out.splitlines())}

    return run


def programs(folder: Path, **texts: str) -> str:
    """A PATH with these shell scripts as its only programs."""
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return str(folder)


# Machines that have what they need


def test_a_machine_with_everything(display: VirtualDisplay, look: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = look()
    assert code == 0
    assert {each["state"] for each in found.values()} <= {"ok", "optional"}
    expected = {
        "display": f"X11 {display.name}, played through XTEST",
        "monitors": "1280x1024",
        "pictures": "can be taken of the screen",
        "scaling": "100%",
        "stop key": "Esc twice",
        "running bots": "none",
        "letting go": "also when the bot is killed",
    }
    for what, text in expected.items():
        assert (found[what]["state"], found[what]["found"]) == ("ok", text)
    if display.window_manager:
        assert found["window manager"]["found"] == "Openbox"
    assert main(["doctor"]) == 0
    assert "This machine is ready" in capsys.readouterr().out


def test_the_bot_that_has_the_display_is_named(open_window: OpenWindow, open_screen: OpenScreen, look: Any) -> None:
    open_screen(open_window("Bridges"), game="hashi")
    code, found = look()
    assert code == 0
    assert f"process {os.getpid()}), which plays hashi in 'Bridges'" in found["running bots"]["found"]


def test_larger_texts_and_several_monitors_are_said(
    bare_display: VirtualDisplay, look: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", bare_display.name)
    monkeypatch.setenv("GDK_SCALE", "2")
    system = X11(bare_display.name)
    assert system.text_scale() is None
    atoms = [system.display.intern_atom(name) for name in ("RESOURCE_MANAGER", "STRING")]
    try:
        for text in (b"Xft.dpi:\t192\nXcursor.size:\t24\n", b"*x: 1\nXft.dpi: 192.0\n"):
            system.root.change_property(*atoms, 8, text)
            system.display.sync()
            assert system.text_scale() == 2.0
        assert look()[1]["scaling"]["found"] == "texts at 200%, GDK_SCALE=2 (taken into account)"
        system.root.change_property(*atoms, 8, b"Xft.dpi: none\n")
        assert system.text_scale() is None
    finally:
        system.root.delete_property(atoms[0])
        system.close()
    monkeypatch.delenv("GDK_SCALE")
    two = (Box(0, 0, 1440, 900), Box(1440, 0, 1920, 1080))
    facts = DisplayFacts("macOS", None, True, None, two, None, "pyautogui", scales=(2.0, 1.0))
    seen = {each.what: each for each in doctor._seen(facts)}
    assert seen["monitors"].found == "1440x900, 1920x1080 at 1440,0"
    assert seen["scaling"].found == "pictures at 200%, 100%"
    assert "wholly on one monitor" in seen["scaling"].remedy


# Machines that lack something


def test_without_a_window_manager_it_says_what_follows(
    bare_display: VirtualDisplay, look: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DISPLAY", bare_display.name)
    monkeypatch.setenv("PATH", programs(tmp_path / "bin"))
    code, found = look()
    assert code == 0  # it plays all the same
    finding = found["window manager"]
    assert (finding["state"], finding["package"]) == ("optional", "openbox")
    assert "put the game on top yourself" in finding["remedy"]
    assert "apt-get install openbox" in finding["remedy"]
    monkeypatch.setenv("PATH", programs(tmp_path / "other", openbox=""))
    finding = look()[1]["window manager"]
    assert finding["remedy"].endswith("for example `openbox &`.")


@pytest.mark.usefixtures("no_display")
@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("none", "apt-get install xvfb tesseract-ocr"),
        ("apt-get", "apt-get install xvfb tesseract-ocr"),
        ("dnf", "dnf install xorg-x11-server-Xvfb tesseract"),
        ("pacman", "pacman -S xorg-server-xvfb tesseract tesseract-data-eng"),
        ("zypper", "zypper install xorg-x11-server-Xvfb tesseract-ocr"),
        ("apk", "apk add xvfb tesseract-ocr"),
    ],
)
def test_without_display_and_tesseract_it_says_how_to_install_them(
    manager: str,
    command: str,
    look: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", programs(tmp_path / "bin", **{manager: ""}))
    code, found = look()
    assert code == 5
    assert (found["display"]["state"], found["display"]["found"]) == ("missing", "none, and no Xvfb to start one")
    assert "start autoplayer in a terminal on that desktop" in found["display"]["remedy"]
    assert (found["tesseract"]["state"], found["tesseract"]["found"]) == ("optional", "not found")
    assert "window manager" not in found  # nothing is said of what nobody can know
    assert main(["doctor"]) == 5
    said = capsys.readouterr().out
    assert "ready" not in said
    assert f"{command}\n" in said
    assert ("sudo" in said) is (os.geteuid() != 0)


@pytest.mark.usefixtures("no_display")
def test_without_a_display_xvfb_is_enough_for_the_demo(
    look: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", programs(tmp_path / "bin", Xvfb="", tesseract="echo tesseract 5; echo eng"))
    code, found = look()
    assert code == 0
    assert found["display"]["state"] == "optional"
    assert "DISPLAY is not set here: over ssh" in found["display"]["remedy"]
    assert found["openbox"]["state"] == "optional"
    assert found["tesseract"]["state"] == "ok"


def test_a_display_that_may_not_be_opened(look: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", ":987")
    code, found = look()
    assert code == 5
    assert found["display"]["found"] == "X11 :987 cannot be used"
    assert "xhost" in found["display"]["remedy"]
    assert "monitors" not in found


@pytest.mark.usefixtures("no_display")
def test_displays_that_answer_are_named_to_who_came_over_ssh(
    look: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    short = Path(tempfile.mkdtemp(prefix="x11-"))  # the name of a socket may not be long
    monkeypatch.setattr(doctor, "SOCKETS", short)
    remedy = look()[1]["display"]["remedy"]
    assert "On this machine" not in remedy
    with socket.socket(socket.AF_UNIX) as seven, socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(short / "X5"))  # nobody listens there
        seven.bind(str(short / "X7"))
        seven.listen()
        assert "the display :7 is running; to try :7: DISPLAY=:7 autoplayer doctor" in look()[1]["display"]["remedy"]
        monkeypatch.setenv("DISPLAY", ":7.0")
        assert doctor._others() == ""  # it is the one that was tried
    shutil.rmtree(short)


def test_what_is_missing_is_named_last_with_what_works_all_the_same(
    look: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", ":987")
    assert main(["doctor"]) == 5
    *_, missing, works = capsys.readouterr().out.splitlines()
    assert missing.endswith("mended: display.")
    assert "`autoplayer solve`" in works
    monkeypatch.setitem(sys.modules, "pysat", None)
    assert main(["doctor"]) == 5
    assert capsys.readouterr().out.splitlines()[-1].endswith("mended: python-sat, display.")


def test_a_folder_in_which_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path / "new"))
    assert doctor._own_folder().state == "ok"
    assert not (tmp_path / "new").exists()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 5_000_000))  # type: ignore[attr-defined]
    finding = doctor._own_folder()
    assert (finding.state, "5 MB free" in finding.found) == ("optional", True)
    assert "Make room" in finding.remedy
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path / "file" / "below"))
    finding = doctor._own_folder()
    assert (finding.state, "cannot be written to" in finding.found) == ("optional", True)
    assert "AUTOPLAYER_HOME" in finding.remedy


@pytest.mark.parametrize(
    ("script", "text", "remedy"),
    [
        ("exit 127", "does not run", "Install it anew"),
        ("echo tesseract 5.3.0; echo osd", "tesseract 5.3.0, no language", "tesseract-ocr-eng"),
    ],
)
def test_a_tesseract_that_reads_nothing(
    script: str, text: str, remedy: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", programs(tmp_path / "bin", tesseract=script))
    finding = doctor._tesseract()
    assert finding.state == "optional"
    assert text in finding.found
    assert remedy in finding.remedy


# Wayland


@pytest.mark.usefixtures("no_display")
def test_wayland_without_xwayland(look: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    code, found = look()
    assert code == 5
    assert "runs no XWayland" in found["display"]["remedy"]
    assert "X11 session" in found["Wayland"]["remedy"]


def test_a_wayland_desktop_that_shows_nothing_is_noticed(
    bare_display: VirtualDisplay, look: Any, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bare display stands for XWayland's: black, as many of them are; and then with a window that can be seen."""
    monkeypatch.setenv("DISPLAY", bare_display.name)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    code, found = look()
    assert code == 5
    assert found["pictures"]["state"] == "missing"
    assert "black" in found["pictures"]["found"]
    assert "X11 session" in found["pictures"]["remedy"]
    open_window(box=(10, 10, 50, 50), on=bare_display.name)
    code, found = look()
    assert code == 0
    assert found["pictures"]["state"] == "ok"
    assert found["stop key"]["found"] == "Esc twice, in some windows only"


# Trust


def test_a_stop_key_that_cannot_be_watched(display: VirtualDisplay, look: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise MachineError("The display has no XInput extension, so it tells no keys.")

    monkeypatch.setattr(stopkey, "watch_key", none)
    code, found = look()
    assert code == 0
    assert found["stop key"]["state"] == "optional"
    assert "no XInput" in found["stop key"]["found"]
    assert "`autoplayer stop`" in found["stop key"]["remedy"]


def test_a_machine_on_which_nothing_would_be_played(look: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def folder() -> Path:
        raise MachineError("The folder in which running programs are noted cannot be used.")

    monkeypatch.setattr(claim, "_folder", folder)
    monkeypatch.setattr(keeper.sys, "executable", "/nowhere/python")
    code, found = look()
    assert code == 5
    assert found["running bots"]["state"] == "missing"
    assert "cannot be used" in found["running bots"]["remedy"]
    assert found["letting go"]["state"] == "missing"
    assert "No such file" in found["letting go"]["found"]


def test_permissions_of_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(macos, "permissions", lambda: {"Screen Recording": True, "Accessibility": False})
    seen = {each.what: each for each in doctor._permissions()}
    assert seen["Screen Recording"].state == "ok"
    assert seen["Accessibility"].state == "missing"
    assert "System Settings, Privacy & Security, Accessibility" in seen["Accessibility"].remedy
    assert "not able to move the mouse" in seen["Accessibility"].remedy

    def broken() -> dict[str, bool]:
        raise ImportError("No module named 'Quartz'")

    monkeypatch.setattr(macos, "permissions", broken)
    (finding,) = doctor._permissions()
    assert finding.state == "missing"
    assert "pip install pyobjc-framework-Quartz" in finding.remedy
