"""``autoplayer doctor``: what this machine has, what it lacks, and what to do about it."""

from __future__ import annotations

import importlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Literal

import typer

from autoplayer import __version__
from autoplayer.cli import output

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
"""Modules that every use needs, and the package that brings each. pyautogui is not among them: importing it needs a
display, and on X11 the program does without it."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. ``missing`` fails the machine, ``optional`` is only said."""

    what: str
    state: Literal["ok", "missing", "optional"]
    found: str
    remedy: str = ""


def doctor(
    json: Annotated[bool, typer.Option("--json", help="One JSON object a finding, a line each.")] = False,
) -> int:
    """Say whether this machine is ready, and if not, what to do.

    What is marked "missing" is needed (exit code 5); what is marked "optional" only adds something.

    \b
    Example: autoplayer doctor
    """
    findings = list(_look())
    if json:
        for finding in findings:
            output.line(asdict(finding))
    else:
        output.columns([(each.state, each.what, each.found) for each in findings])
        for each in findings:
            if each.remedy:
                print(f"\n{each.what}: {each.remedy}")
        if all(each.state == "ok" for each in findings):
            print("\nThis machine is ready.")
        elif all(each.state != "missing" for each in findings):
            print("\nThis machine is ready; what is optional is named above.")
    return 5 if any(each.state == "missing" for each in findings) else 0


def _look() -> Iterator[Finding]:
    yield Finding("autoplayer", "ok", __version__)
    yield Finding("Python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    for module, package in MODULES:
        yield _module(module, package)
    if sys.platform == "linux":
        yield _module("Xlib", "python-xlib")
        yield from _linux_display()
    else:
        yield Finding("display", "ok", "the desktop of this system")
    yield _gestures()
    yield _module("pygame", "pygame-ce", needed=False, why="the bundled window (arcade, demo) needs it")
    yield _tesseract()


def _module(module: str, package: str, needed: bool = True, why: str = "") -> Finding:
    """Whether a module can really be imported: a package may be there while a library that it needs is not."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        importlib.import_module(module)
        return Finding(package, "ok", version(package))
    except PackageNotFoundError:
        return Finding(package, "ok", "version unknown")
    except Exception as error:  # a broken package may raise anything at all while it is imported
        state: Literal["missing", "optional"] = "missing" if needed else "optional"
        remedy = f"{sys.executable} -m pip install {package}" + (f" ({why})" if why else "")
        return Finding(package, state, f"cannot be imported: {error}"[:120], remedy)


def _linux_display() -> Iterator[Finding]:
    name, virtual = os.environ.get("DISPLAY", ""), shutil.which("Xvfb")
    remedy = "sudo apt-get install xvfb (a display without a screen, for the demo and the tests)"
    if name:
        fault = _cannot_open(name)
        if fault is None:
            manager = _window_manager(name)
            yield Finding("display", "ok", name)
            if manager:
                yield Finding("window manager", "ok", manager)
            else:
                why = "without one, windows have no frame and are not raised; for example: sudo apt-get install openbox"
                yield Finding("window manager", "optional", "none is running", why)
        else:
            yield Finding("display", "missing", f"{name} cannot be opened: {fault}", "set DISPLAY to a running display")
    elif os.environ.get("WAYLAND_DISPLAY"):
        why = "windows are found and played through X11; start the game and autoplayer in an X11 (Xorg) session"
        yield Finding("display", "missing", "Wayland without X11", why)
    elif virtual:
        yield Finding("display", "ok", "none; the demo starts one of its own (Xvfb)")
    else:
        yield Finding("display", "missing", "none, and no Xvfb to start one", remedy)
    if virtual:
        yield Finding("Xvfb", "ok", virtual)
    elif name:
        yield Finding("Xvfb", "optional", "not found", remedy)


def _cannot_open(name: str) -> str | None:
    """Why a display cannot be opened; None where it can."""
    try:
        from Xlib import display

        display.Display(name).close()
    except Exception as error:  # python-xlib raises a different class for each way to fail
        return str(error) or type(error).__name__
    return None


def _window_manager(name: str) -> str | None:
    """The name of the window manager that runs on a display (EWMH), or None."""
    from Xlib import X, display
    from Xlib.error import XError

    connection = display.Display(name)
    try:
        check = connection.intern_atom("_NET_SUPPORTING_WM_CHECK")
        title = connection.intern_atom("_NET_WM_NAME")
        owner = connection.screen().root.get_full_property(check, X.AnyPropertyType)
        if owner is None:
            return None
        window = connection.create_resource_object("window", owner.value[0])
        said = window.get_full_property(title, X.AnyPropertyType)
        return bytes(said.value).decode("utf-8", "replace") if said else "unnamed"
    except XError:  # a window manager that has ended leaves its mark behind
        return None
    finally:
        connection.close()


def _gestures() -> Finding:
    """pyautogui is the hand on Windows and macOS; on X11 another one serves (XTEST)."""
    if sys.platform == "linux":
        try:
            return Finding("pyautogui", "ok", version("pyautogui") + " (not needed on X11)")
        except PackageNotFoundError:
            return Finding("pyautogui", "optional", "not installed", "not needed on X11")
    return _module("pyautogui", "pyautogui")


def _tesseract() -> Finding:
    program = shutil.which("tesseract")
    if program is None:
        install = {
            "linux": "sudo apt-get install tesseract-ocr",
            "darwin": "brew install tesseract",
            "win32": "winget install UB-Mannheim.TesseractOCR",
        }.get(sys.platform, "see tesseract-ocr.github.io")
        return Finding("tesseract", "optional", "not found", f"{install} (a further voice in reading glyphs)")
    said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=False)
    return Finding("tesseract", "ok", (said.stdout or said.stderr).partition("\n")[0])
