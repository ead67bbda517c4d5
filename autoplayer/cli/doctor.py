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
    yield _gestures()
    yield from _display()
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


def _display() -> Iterator[Finding]:
    """The display, what plays on it, and the virtual one that stands in for it."""
    from autoplayer.screen.display import display_facts

    facts, virtual = display_facts(), shutil.which("Xvfb")
    called = f"{facts.server} {facts.display or ''}".strip()
    remedy = "sudo apt-get install xvfb (a display without a screen, for the demo and the tests)"
    if facts.reachable:
        sizes = ", ".join(f"{box.width}x{box.height}" for box in facts.monitors)
        yield Finding("display", "ok", f"{called}, {sizes}, played through {facts.hand}")
    elif facts.server == "none" and sys.platform == "linux":
        if virtual:
            yield Finding("display", "ok", "none; the demo starts one of its own (Xvfb)")
        else:
            yield Finding("display", "missing", "none, and no Xvfb to start one", remedy)
    else:
        yield Finding("display", "missing", f"{called} cannot be used", facts.problem or "")
    if facts.reachable and facts.server in ("X11", "Wayland"):
        if facts.window_manager:
            yield Finding("window manager", "ok", facts.window_manager)
        else:
            yield Finding("window manager", "optional", "none is running", "for example: sudo apt-get install openbox")
    for note in facts.notes:
        yield Finding("note", "optional", note)
    if sys.platform == "linux":
        if virtual:
            yield Finding("Xvfb", "ok", virtual)
        elif facts.reachable:
            yield Finding("Xvfb", "optional", "not found", remedy)


def _gestures() -> Finding:
    """pyautogui is the hand on Windows and macOS; on X11 another one serves (XTEST), and importing pyautogui fails
    where there is no display, so there it is only looked up."""
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
