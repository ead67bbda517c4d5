"""``autoplayer doctor``: what this machine has, what it lacks, and what to do about it."""

from __future__ import annotations

import importlib
import os
import platform
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from autoplayer import __version__, layout
from autoplayer.cli import output, sessions
from autoplayer.core.errors import AutoplayerError

if TYPE_CHECKING:
    from autoplayer.screen.display import DisplayFacts

MODULES = (
    ("numpy", "numpy"),
    ("cv2", "opencv-python-headless"),
    ("mss", "mss"),
    ("PIL", "pillow"),
    ("pysat", "python-sat"),
    ("pydantic", "pydantic"),
    ("typer", "typer"),
    ("rich", "rich"),
    ("platformdirs", "platformdirs"),
)
"""Modules that are always needed, and the package of each. pyautogui is not among them: importing it needs a display,
and on X11 the program works without it."""

MANAGERS = {
    "apt-get": ("apt-get install", {}),
    "dnf": ("dnf install", {"xvfb": "xorg-x11-server-Xvfb", "tesseract-ocr": "tesseract"}),
    "zypper": ("zypper install", {"xvfb": "xorg-x11-server-Xvfb"}),
    "pacman": ("pacman -S", {"xvfb": "xorg-server-xvfb", "tesseract-ocr": "tesseract tesseract-data-eng"}),
    "apk": ("apk add", {}),
}
"""How to install a package on various Linux systems, and the packages whose names differ from Debian's."""

BOTS, NONE = "running bots", "none"

ON_SCREEN = {"display", "pictures", "Wayland", "Screen Recording", "Accessibility", "permissions", BOTS, "letting go"}
"""Findings that matter only for playing."""

SOCKETS = Path("/tmp/.X11-unix")
"""The sockets of X servers: a file ``X`` with its number each."""

MOST_OTHERS = 5
"""The most other displays that are tried."""

LITTLE = 200_000_000
"""Bytes of free space below which a recording soon ends."""

State = Literal["ok", "missing", "optional"]


@dataclass(frozen=True)
class Finding:
    """One thing that was examined: what there is or why it fails (``found``), and what to do (``remedy``). ``missing``:
    the machine is not ready without it; ``optional``: it only adds something. ``package``: the system's package that
    provides it."""

    what: str
    state: State
    found: str
    remedy: str = ""
    package: str = ""


def doctor(
    json: Annotated[bool, typer.Option("--json", help="One JSON object a finding, a line each.")] = False,
) -> int:
    """Say whether this machine is ready, and if not, what to do.

    What is marked "missing" is needed (exit code 5); what is marked "optional" only adds something.

    \b
    Example: autoplayer doctor
    """
    findings = list(look())
    if json:
        for finding in findings:
            output.line(asdict(finding))
    else:
        output.columns([(each.state, each.what, each.found) for each in findings])
        for each in findings:
            if each.remedy:
                print(f"\n{each.what}: {each.remedy}")
        packages = list(dict.fromkeys(each.package for each in findings if each.package))
        if len(packages) > 1:
            print(f"\nAll packages at once: {_install(*packages)}")
        if all(each.state == "ok" for each in findings):
            print("\nThis machine is ready.")
        elif all(each.state != "missing" for each in findings):
            print("\nThis machine is ready; what is optional is named above.")
        else:
            missing = [each.what for each in findings if each.state == "missing"]
            print(f"\nBefore a game can be played, this has to be mended: {', '.join(missing)}.")
            if set(missing) <= ON_SCREEN:
                print("`autoplayer solve`, `read`, `generate` and `replay` do without.")
    return 5 if any(each.state == "missing" for each in findings) else 0


def look() -> Iterator[Finding]:
    """All findings, in order. Nothing is changed, moved or pressed."""
    yield Finding("autoplayer", "ok", __version__)
    yield Finding("Python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    for module, package in MODULES:
        yield _module(module, package)
    if sys.platform == "linux":
        yield _module("Xlib", "python-xlib")
    yield _gestures()
    yield from _screen()
    yield _bot()
    yield _releaser()
    yield _module("pygame", "pygame-ce", needed=False, why="The bundled window (arcade, demo) needs it")
    yield _tesseract()
    yield _own_folder()


def facts() -> list[dict[str, str]]:
    """The findings as JSON for a report that others read: of running bots only the number, because what they play is
    private."""
    found = [asdict(each) for each in look()]
    for each in found:
        if each["what"] == BOTS and each["state"] == "ok" and each["found"] != NONE:
            each["found"] = f"{each['found'].count('; ') + 1} running"
    return found


def versions() -> dict[str, str]:
    """The versions of autoplayer, of Python, and of the libraries."""
    found = {"autoplayer": __version__, "Python": platform.python_version()}
    found["system"] = f"{platform.system()} {platform.release()} {platform.machine()}"
    for _, package in (*MODULES, ("Xlib", "python-xlib"), ("pygame", "pygame-ce")):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _module(module: str, package: str, needed: bool = True, why: str = "") -> Finding:
    """Whether a module can really be imported: a package may be installed while a library that it needs is not."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        importlib.import_module(module)
        return Finding(package, "ok", version(package))
    except PackageNotFoundError:
        return Finding(package, "ok", "version unknown")
    except Exception as error:  # importing a broken package may raise anything
        state: State = "missing" if needed else "optional"
        remedy = f"{why or 'It is needed'}: {sys.executable} -m pip install {package}"
        return Finding(package, state, f"cannot be imported: {error}"[:120], remedy)


def _gestures() -> Finding:
    """pyautogui is the hand on Windows and macOS. On X11 another one is used (XTEST), and importing pyautogui fails
    without a display, so there it is only looked up."""
    if sys.platform == "linux":
        try:
            return Finding("pyautogui", "ok", version("pyautogui") + " (not needed on X11)")
        except PackageNotFoundError:
            return Finding("pyautogui", "optional", "not installed", "not needed on X11")
    return _module("pyautogui", "pyautogui")


# --- the screen ------------------------------------------------------------------------------------------------------


def _screen() -> Iterator[Finding]:
    """The display, what plays on it, and the virtual one that can replace it."""
    from autoplayer.screen.display import display_facts

    if sys.platform == "darwin":
        yield from _permissions()
    facts, virtual = display_facts(), shutil.which("Xvfb")
    yield _display(facts, virtual)
    if facts.server == "Wayland":
        yield Finding("Wayland", "optional", "many windows cannot be found or seen", facts.notes[0])
    if facts.reachable:
        yield from _seen(facts)
        if facts.server in ("X11", "Wayland"):
            yield _window_manager(facts)
    if sys.platform == "linux":
        if virtual:
            yield Finding("Xvfb", "ok", virtual)
        elif facts.reachable:
            yield _no_xvfb("optional", "not found")
        if virtual and not facts.reachable and not shutil.which("openbox"):
            yield Finding(
                "openbox",
                "optional",
                "not found",
                f"With a window manager the tests also move and cover windows: {_install('openbox')}.",
                "openbox",
            )


def _display(facts: DisplayFacts, virtual: str | None) -> Finding:
    called = f"{facts.server} {facts.display or ''}".strip()
    if facts.reachable:
        return Finding("display", "ok", f"{called}, played through {facts.hand}")
    if facts.server == "none" and sys.platform == "linux":
        start = (
            "To play a game that runs on a desktop, start autoplayer in a terminal on that desktop (DISPLAY is not set "
            "here: over ssh, in a container, in a service). "
        ) + _others()
        if virtual:
            return Finding(
                "display", "optional", "none; the demo starts one of its own (Xvfb)", start + "The demo needs none."
            )
        return _no_xvfb("missing", "none, and no Xvfb to start one", "display", start)
    remedy = facts.problem or ""
    if facts.server == "Wayland" and not facts.display:
        remedy = (
            "This Wayland session runs no XWayland (DISPLAY is not set), so no window can be found or played: log in "
            'to an X11 session (at the login screen, often "Xorg"), or install and switch on XWayland.'
        )
    elif facts.display:
        remedy += (
            " Compare `echo $DISPLAY` in a terminal on that desktop; another user's desktop lets you in after "
            "`xhost +si:localuser:NAME` there. "
        ) + _others()
    return Finding("display", "missing", f"{called} cannot be used", remedy.rstrip())


def _others() -> str:
    """A sentence about other displays of this machine that respond, where there are any: a person who connected over
    ssh may mean one of them."""
    found = sorted(
        (path.name for path in SOCKETS.glob("X*") if path.name[1:].isdigit()), key=lambda name: int(name[1:])
    )
    answering = [
        f":{name[1:]}" for name in found[:MOST_OTHERS] if f":{name[1:]}" != _own() and _answers(SOCKETS / name)
    ]
    if not answering:
        return ""
    one = answering[0]
    are = f"the display {one} is" if len(answering) == 1 else f"the displays {', '.join(answering)} are"
    return f"On this machine {are} running; to try {one}: DISPLAY={one} autoplayer doctor. "


def _own() -> str:
    return os.environ.get("DISPLAY", "").partition(".")[0]


def _answers(path: Path) -> bool:
    """Whether a server listens there: one that was killed leaves its file behind."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(0.5)
        try:
            line.connect(str(path))
        except OSError:
            return False
    return True


def _no_xvfb(state: State, found: str, what: str = "Xvfb", start: str = "") -> Finding:
    why = "The demo and the tests need no desktop: a display without a screen is enough for them"
    if state == "optional":
        why = "Not needed to play here. The tests, and a demo without a desktop, run on a display without a screen"
    return Finding(what, state, found, f"{start}{why}: {_install('xvfb')}.", "xvfb")


def _seen(facts: DisplayFacts) -> Iterator[Finding]:
    """Findings about a reachable display: monitors, scaling, pictures, the stop key."""
    places = [f"{box.width}x{box.height}" + (f" at {box.x},{box.y}" * bool(box.x or box.y)) for box in facts.monitors]
    yield Finding("monitors", "ok", ", ".join(places))
    if facts.no_pictures:
        remedy = {
            "Wayland": 'Log in to an X11 session (at the login screen, often "Xorg"): there the screen can be seen.',
            "macOS": "Allow Screen Recording, as said under permissions.",
        }.get(facts.server, "Is the screen locked, or another program's full screen on it? Look, then try again.")
        yield Finding("pictures", "missing", facts.no_pictures, remedy)
    else:
        yield Finding("pictures", "ok", "can be taken of the screen")
    yield _scaling(facts)
    if facts.no_stop_key:
        remedy = "Stop the bot with Ctrl-C, the mouse, a corner of the screen, or `autoplayer stop` instead."
        yield Finding("stop key", "optional", facts.no_stop_key, remedy)
    elif facts.server == "Wayland":
        remedy = (
            "Wayland tells of keys only while a window that runs through XWayland has the keyboard. Everywhere else "
            "stop the bot with the mouse, a corner of the screen, or `autoplayer stop`."
        )
        yield Finding("stop key", "optional", "Esc twice, in some windows only", remedy)
    else:
        yield Finding("stop key", "ok", "Esc twice")


def _scaling(facts: DisplayFacts) -> Finding:
    """Pictures and the mouse must use the same pixels. Larger texts are no problem, but useful to know in a report."""
    said = []
    if facts.text_scale is not None and facts.text_scale != 1:
        said.append(f"texts at {facts.text_scale:.0%}")
    for name in ("GDK_SCALE", "QT_SCALE_FACTOR"):
        if os.environ.get(name):
            said.append(f"{name}={os.environ[name]}")
    if any(scale != 1 for scale in facts.scales):
        said.append("pictures at " + ", ".join(f"{scale:.0%}" for scale in facts.scales))
    if len(set(facts.scales)) > 1:
        remedy = "Keep the game's window wholly on one monitor: they count pixels differently."
        return Finding("scaling", "optional", ", ".join(said), remedy)
    return Finding("scaling", "ok", ", ".join(said) + " (taken into account)" if said else "100%")


def _window_manager(facts: DisplayFacts) -> Finding:
    if facts.window_manager:
        return Finding("window manager", "ok", facts.window_manager)
    installed = shutil.which("openbox")
    return Finding(
        "window manager",
        "optional",
        "none is running",
        "No window can be brought to the front for you: put the game on top yourself, or start a window manager, for "
        f"example `openbox &`{'' if installed else ' after ' + _install('openbox')}.",
        "" if installed else "openbox",
    )


def _permissions() -> Iterator[Finding]:
    try:
        from autoplayer.screen.macos import permissions

        given = permissions()
    except (ImportError, OSError, AttributeError) as error:
        remedy = f"{sys.executable} -m pip install pyobjc-framework-Quartz"
        yield Finding("permissions", "missing", f"cannot be asked for: {error}"[:120], remedy)
        return
    needed = {"Screen Recording": "to see the game", "Accessibility": "to move the mouse"}
    for name, allowed in given.items():
        if allowed:
            yield Finding(name, "ok", "allowed")
            continue
        remedy = (
            f"Without it autoplayer is not able {needed[name]}. Open System Settings, Privacy & Security, {name}, "
            "switch it on for the terminal from which you start autoplayer, and start that terminal again."
        )
        yield Finding(name, "missing", "not allowed for this terminal", remedy)


# --- trust -----------------------------------------------------------------------------------------------------------


def _bot() -> Finding:
    """Whether the display can be claimed, and who has it."""
    from autoplayer.screen.claim import holders

    try:
        running = holders()
    except AutoplayerError as error:
        return Finding(BOTS, "missing", "cannot be noted, so nothing is played", str(error))
    return Finding(BOTS, "ok", "; ".join(str(holder) for holder in running) or NONE)


def _releaser() -> Finding:
    """Whether the process that releases the mouse for a killed bot can run: without it nothing is pressed."""
    from autoplayer.screen.keeper import start_releaser

    try:
        process = start_releaser("windows")  # any system's will do: it is told of nothing to release
        assert process.stdin is not None
        process.stdin.close()
        code = process.wait(20)
    except (OSError, subprocess.TimeoutExpired) as error:
        found: object = error
    else:
        if code == 0:
            return Finding("letting go", "ok", "also when the bot is killed")
        found = f"it ended with code {code}"
    remedy = f"End some programs, then see whether `{sys.executable} -I -S -c pass` works; if not, install Python anew."
    return Finding("letting go", "missing", f"the process that does it for a killed bot does not run: {found}", remedy)


# --- programs --------------------------------------------------------------------------------------------------------


def _install(*packages: str) -> str:
    """The command that installs packages on this Linux system, given their names in Debian."""
    name = next((name for name in MANAGERS if shutil.which(name)), "apt-get")
    command, names = MANAGERS[name]
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return " ".join([*([] if root else ["sudo"]), command, *(names.get(each, each) for each in packages)])


def _tesseract() -> Finding:
    program = shutil.which("tesseract")
    why = "Not needed. It is one more voice where a digit is hard to read"
    if program is None:
        install = {
            "linux": _install("tesseract-ocr"),
            "darwin": "brew install tesseract",
            "win32": "winget install UB-Mannheim.TesseractOCR",
        }.get(sys.platform, "see tesseract-ocr.github.io")
        package = "tesseract-ocr" if sys.platform == "linux" else ""
        return Finding("tesseract", "optional", "not found", f"{why}; to have it: {install}.", package)
    try:
        said, languages = (
            subprocess.run([program, option], capture_output=True, text=True, timeout=20, check=False)
            for option in ("--version", "--list-langs")
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("tesseract", "optional", f"does not run: {error}"[:120], f"{why}. Install it anew.")
    first = (said.stdout or said.stderr).partition("\n")[0]
    if said.returncode != 0:
        return Finding("tesseract", "optional", f"does not run: {first}"[:120], f"{why}. Install it anew.")
    if "eng" not in languages.stdout.split():
        remedy = "Without its English data it reads nothing"
        if sys.platform == "linux":
            return Finding(
                "tesseract", "optional", f"{first}, no language", f"{remedy}: {_install('tesseract-ocr-eng')}"
            )
        return Finding("tesseract", "optional", f"{first}, no language", f"{remedy}; install eng.traineddata.")
    return Finding("tesseract", "ok", first)


def _own_folder() -> Finding:
    """Whether learned data and evidence can be stored. Nothing is created for the test."""
    place = layout.home()
    there = next(each for each in (place, *place.parents) if each.exists())
    remedy = (
        "Without it nothing is remembered of windows, and no evidence is kept. Make it writable, or name another one: "
    )
    remedy += "AUTOPLAYER_HOME=FOLDER."
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return Finding("own folder", "optional", f"{place} cannot be written to", remedy)
    free = shutil.disk_usage(there).free
    if free < LITTLE:
        remedy = "Make room: recordings and evidence end where there is none (`autoplayer play --record-limit`)."
        return Finding("own folder", "optional", f"{place}, {sessions.said_size(free)} free", remedy)
    return Finding("own folder", "ok", f"{place}, {sessions.said_size(free)} free")
