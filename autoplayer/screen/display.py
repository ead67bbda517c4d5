"""Facts about this machine's display, and a virtual display for machines without one. Changes nothing that exists."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from autoplayer.core.errors import AutoplayerError, MachineError
from autoplayer.core.frame import Box

if TYPE_CHECKING:
    from autoplayer.screen.windows import WindowSystem
    from autoplayer.screen.x11 import X11

Server = Literal["X11", "Wayland", "Windows", "macOS", "none"]

START_LIMIT = 60.0
"""Seconds that a virtual display may take to start on a busy machine."""


@dataclass(frozen=True)
class DisplayFacts:
    """Facts about a display. ``reachable``: whether its windows can be listed and played; where not, ``problem`` is a
    sentence that says why. ``hand``: which hand would play. ``scales``: picture pixels per screen unit, one for each
    monitor; ``text_scale``: the desktop's scaling of texts and windows, None where it does not say. ``no_pictures``,
    ``no_stop_key``: why pictures of the screen cannot be taken or the stop key cannot be watched; None where they
    can."""

    server: Server
    display: str | None
    reachable: bool
    problem: str | None
    monitors: tuple[Box, ...]
    window_manager: str | None
    hand: str | None
    notes: tuple[str, ...] = ()
    """Consequences of these facts, a sentence each."""
    scales: tuple[float, ...] = ()
    text_scale: float | None = None
    no_pictures: str | None = None
    no_stop_key: str | None = None


def display_facts() -> DisplayFacts:
    """The facts about this machine; never raises."""
    from autoplayer.screen.hands import best_hand
    from autoplayer.screen.windows import window_system
    from autoplayer.screen.x11 import X11

    server = _server()
    display = os.environ.get("DISPLAY") if server in ("X11", "Wayland", "none") else None
    notes: list[str] = []
    if server == "Wayland":
        notes.append(
            "This is a Wayland session: only windows that run through XWayland can be found and played, and many "
            'desktops give no pictures of them. Log in to an X11 session (at the login screen, often "Xorg"); where '
            "there is none, start the game with SDL_VIDEODRIVER=x11, QT_QPA_PLATFORM=xcb or GDK_BACKEND=x11."
        )
    try:
        system = window_system()
    except AutoplayerError as fault:
        return DisplayFacts(server, display, False, str(fault), (), None, None, tuple(notes))
    try:
        manager = system.window_manager() if isinstance(system, X11) else None
        if manager == "":
            notes.append("There is no window manager: windows are found all the same, but none can be raised by it.")
        hand: str | None = None
        problem: str | None = None
        try:
            found = best_hand(system)
            hand = found.name
            found.close()
        except AutoplayerError as fault:
            problem = str(fault)
        monitors = tuple(system.monitors())
        scales, no_pictures = _pictures(server, system, monitors)
        return DisplayFacts(
            server,
            display,
            problem is None,
            problem,
            monitors,
            manager or None,
            hand,
            tuple(notes),
            scales,
            system.text_scale() if isinstance(system, X11) else None,
            no_pictures,
            _no_stop_key(system),
        )
    except AutoplayerError as fault:
        return DisplayFacts(server, display, False, str(fault), (), None, None, tuple(notes))
    finally:
        system.close()


def _pictures(server: Server, system: WindowSystem, monitors: tuple[Box, ...]) -> tuple[tuple[float, ...], str | None]:
    """The picture pixels per screen unit of each monitor, and why no picture of them can be taken. A desktop that shows
    nothing but black is really black under X11, but hidden from this program under Wayland."""
    import mss

    from autoplayer.screen.shots import shots_of

    scales: list[float] = []
    lit = server != "Wayland"
    try:
        with closing(shots_of(system)) as shots:
            for box in monitors:
                shot = shots.grab({"left": box.x, "top": box.y, "width": box.width, "height": box.height})
                scales.append(shot.size.width / box.width)
                # Every fourth byte is not a colour.
                lit = lit or any(any(shot.raw[colour::4]) for colour in range(3))
    except mss.ScreenShotError as fault:
        return (), f"no picture of the screen can be taken: {fault}"
    if not lit:
        return tuple(scales), "pictures of the screen are black: this Wayland desktop shows this program nothing"
    return tuple(scales), None


def _no_stop_key(system: WindowSystem) -> str | None:
    from autoplayer.screen.stopkey import watch_key

    try:
        watch_key(system).close()
    except AutoplayerError as fault:
        return str(fault)
    return None


def monitors_by_mss() -> list[Box]:
    """The monitors as mss sees them, for systems without a better way to ask."""
    import mss

    with mss.MSS() as shots:
        found = shots.monitors
    return [Box(m["left"], m["top"], m["width"], m["height"]) for m in found[1:] or found]


@dataclass(frozen=True)
class VirtualDisplay:
    """A running Xvfb. ``name``: the value for DISPLAY. ``window_manager``: whether one runs in it."""

    name: str
    pid: int
    size: tuple[int, int]
    window_manager: bool


@contextmanager
def start_xvfb(
    size: tuple[int, int] = (1280, 1024),
    *,
    depth: int = 24,
    window_manager: bool = True,
    set_environment: bool = True,
) -> Iterator[VirtualDisplay]:
    """A virtual display of ``size`` (width, height) and ``depth`` (bits a pixel) on a free number, stopped at the end.

    ``window_manager``: start openbox in it, where that is installed. ``set_environment``: set DISPLAY to it meanwhile.
    Raises MachineError where Xvfb is missing or does not start.
    """
    program = shutil.which("Xvfb")
    if program is None:
        raise MachineError("Xvfb, the virtual display, is not installed: `apt-get install xvfb` (Debian, Ubuntu).")
    reader, writer = os.pipe()
    # Xvfb finds a free display number itself and writes it to the pipe when it is ready: no race, no guessed wait.
    command = [program, "-displayfd", str(writer), "-screen", "0", f"{size[0]}x{size[1]}x{depth}", "-nolisten", "tcp"]
    command += ["-noreset", "-dpi", "96"]
    try:
        server = subprocess.Popen(
            command,
            pass_fds=(writer,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            # Ctrl-C in the terminal must reach only the bot, which still has buttons to release on this display.
            start_new_session=True,
        )
    finally:
        os.close(writer)
    before = {name: os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")}
    manager: subprocess.Popen[bytes] | None = None
    try:
        name = f":{_number(server, reader)}"
        if set_environment:
            os.environ["DISPLAY"] = name
            os.environ.pop("WAYLAND_DISPLAY", None)
        if window_manager:
            manager = _start_openbox(name)
        yield VirtualDisplay(name, server.pid, size, manager is not None)
    finally:
        os.close(reader)
        if set_environment:
            for key, value in before.items():
                if value is None:
                    os.environ.pop(key, None)
                else:
                    os.environ[key] = value
        for process in (manager, server):
            if process is not None:
                end_process(process)
        if server.stderr is not None:
            server.stderr.close()


def _number(server: subprocess.Popen[bytes], reader: int) -> int:
    """The display number that Xvfb writes when it is ready."""
    end = time.monotonic() + START_LIMIT
    text = b""
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([reader], [], [], max(0.0, end - time.monotonic()))
        part = os.read(reader, 16) if ready else b""
        if not part:
            end_process(server)
            said = server.stderr.read().decode("utf-8", "replace").strip() if server.stderr is not None else ""
            last = said.splitlines()[-1] if said else "it gave no reason"
            raise MachineError(f"Xvfb, the virtual display, did not start: {last}.")
        text += part
    return int(text)


def _start_openbox(name: str) -> subprocess.Popen[bytes] | None:
    """openbox on the display ``name``, once it manages windows; None where it is not installed or does not start."""
    from autoplayer.screen.x11 import X11

    program = shutil.which("openbox")
    if program is None:
        return None
    process = subprocess.Popen(
        [program, "--sm-disable"],
        env={**os.environ, "DISPLAY": name},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    system = X11(name)
    end = time.monotonic() + START_LIMIT
    patience = 0.3
    try:
        while process.poll() is None and time.monotonic() < end:
            if system.has_window_manager():
                if _shows_windows(system, patience):
                    return process
                patience *= 2  # it may only be slow
            time.sleep(0.02)
    finally:
        system.close()
    end_process(process)
    return None


def _shows_windows(system: X11, patience: float) -> bool:
    """Whether the window manager shows a newly opened window within ``patience`` seconds. One that has only just
    announced itself may lose the request, and the window would stay invisible."""
    probe = system.root.create_window(0, 0, 1, 1, 0, system.display.screen().root_depth)
    probe.map()
    end = time.monotonic() + patience
    shown = False
    while not shown and time.monotonic() < end:
        shown = system.area(probe.id) is not None
        time.sleep(0.005)
    probe.destroy()
    system.display.sync()
    # The probe must not appear in a list of windows.
    while shown and probe.id in system.client_ids() and time.monotonic() < end + 1.0:
        time.sleep(0.005)
    return shown


def end_process(process: subprocess.Popen[Any]) -> None:
    """End a program that was started here; it is killed if it does not end within a few seconds."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


def _server() -> Server:
    if sys.platform == "win32":
        return "Windows"
    if sys.platform == "darwin":
        return "macOS"
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return "Wayland"
    return "X11" if os.environ.get("DISPLAY") else "none"
