"""Windows: what one is, and how a person names one (title, region, a click). The window systems are one file a
platform: ``x11``, ``win32``, ``macos``; each is a :class:`WindowSystem`."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from autoplayer.core.errors import MachineError, NotFoundError, UsageError
from autoplayer.core.frame import Box, Point

MOST_LISTED = 20
"""The most windows that an error message lists."""


class AwayError(NotFoundError):
    """The window exists, but is not visible: minimised, on another workspace, or partly outside the screen. It may come
    back."""


@dataclass(frozen=True)
class Window:
    """A window of the desktop. ``area``: its client area (without frame and title bar) in screen pixels.
    ``visible``: mapped and not minimised (it may still be covered). ``pid``: its process, where the system says."""

    id: int
    title: str
    area: Box
    visible: bool
    pid: int | None = None


@dataclass(frozen=True)
class Region:
    """A fixed part of the screen, in screen pixels, to be played instead of a window."""

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def parse(cls, text: str) -> Region:
        """The region that ``X,Y,W,H`` names. Raises UsageError for anything else."""
        match = re.fullmatch(r"\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*,\s*(\d{1,6})\s*,\s*(\d{1,6})\s*", text)
        if not match:
            raise UsageError(
                f"A region is four whole numbers X,Y,W,H in screen pixels (for example 100,80,640,480), not {text!r}."
            )
        x, y, width, height = (int(part) for part in match.groups())
        if width < 1 or height < 1:
            raise UsageError(f"A region is at least 1 pixel wide and high, but {text!r} is {width} by {height}.")
        return cls(x, y, width, height)

    @property
    def box(self) -> Box:
        return Box(self.x, self.y, self.width, self.height)

    def __str__(self) -> str:
        return f"{self.x},{self.y},{self.width},{self.height}"


class WindowSystem(Protocol):
    """What the program needs from a desktop's window system. Ids are the system's own; points and boxes screen
    pixels."""

    name: str
    """Its usual name: ``X11``, ``Windows``, ``macOS``."""

    def windows(self) -> list[Window]:
        """Every window that has a title, hidden ones included, the topmost first where the system knows."""

    def window(self, window_id: int) -> Window | None:
        """The window as it is now; None when it is gone."""

    def area(self, window_id: int) -> Box | None:
        """The client area as it is now; None when the window is gone, minimised or not on this workspace."""

    def covering(self, window_id: int, at: Point) -> str | None:
        """The name of what would get a press at ``at`` instead of this window; None where the window itself gets it.
        ``window_id`` 0 stands for the bare desktop."""

    def window_at(self, at: Point) -> Window | None:
        """The window that would get a press at ``at``; None for the bare desktop."""

    def activate(self, window_id: int) -> None:
        """Request that the window is raised and gets the keyboard focus. Returns at once; check whether it happened."""

    def has_focus(self, window_id: int) -> bool:
        """Whether keys go to this window now."""

    def monitors(self) -> list[Box]:
        """The monitors; at least one."""

    def bounds(self) -> Box:
        """The box around everything that can be captured."""

    def pick(self, limit: float = 60.0) -> Window:
        """Let the person choose a window with a click. Raises StoppedError when they do not."""

    def pick_at(self, limit: float = 60.0) -> tuple[Window, Point]:
        """The same, with the point of the click: the pointer may be elsewhere by the time it is asked for."""

    def close(self) -> None: ...


def window_system() -> WindowSystem:
    """This machine's window system. Raises MachineError where there is none that can be used."""
    if sys.platform == "win32":
        from autoplayer.screen.win32 import Win32

        return Win32()
    if sys.platform == "darwin":
        from autoplayer.screen.macos import MacOS

        return MacOS()
    if sys.platform.startswith(("linux", "freebsd", "openbsd", "netbsd")):
        from autoplayer.screen.x11 import X11

        return X11()
    raise MachineError(f"This program knows the windows of Linux, Windows and macOS, not those of {sys.platform!r}.")


def list_windows() -> list[Window]:
    """Every window that has a title."""
    system = window_system()
    try:
        return system.windows()
    finally:
        system.close()


def choose_window(pattern: str, windows: Sequence[Window]) -> Window:
    """The one of ``windows`` that ``pattern`` names.

    ``pattern`` is tried as a part of the title (upper and lower case alike), then as a regular expression. Among
    several, an exact title wins, then the only visible one. Raises NotFoundError when none matches and UsageError
    when several do (both list titles), UsageError too for a pattern that is empty or no regular expression.
    """
    if not pattern.strip():
        raise UsageError("The window's title is empty: give a part of it, or a regular expression.")
    found = [w for w in windows if pattern.casefold() in w.title.casefold()]
    if not found:
        try:
            expression = re.compile(pattern, re.IGNORECASE)
        except re.error as error:
            raise UsageError(
                f"No window's title contains {pattern!r}, and it is not a regular expression either: {error}."
            ) from None
        found = [w for w in windows if expression.search(w.title)]
    if not found:
        raise NotFoundError(f"No window's title matches {pattern!r}. {_listing(windows)}")
    for narrower in (
        [w for w in found if w.title == pattern],
        [w for w in found if w.title.casefold() == pattern.casefold()],
        [w for w in found if w.visible],
    ):
        if len(narrower) == 1:
            return narrower[0]
        found = narrower or found
    if len(found) == 1:
        return found[0]
    alike = len({w.title for w in found}) == 1
    way = "" if alike else "give more of the title, or "
    raise UsageError(
        f"{len(found)} windows match {pattern!r}; {way}pick one by a click (--pick), or name its part of the screen "
        "(--region X,Y,W,H). " + _listing(found)
    )


def _listing(windows: Sequence[Window]) -> str:
    if not windows:
        return (
            "There is no window with a title: start the game first; where its window has none, show it with --pick, or "
            "name its part of the screen with --region X,Y,W,H."
        )
    titles = [w.title for w in windows]
    names = []
    for w in windows[:MOST_LISTED]:
        area = ",".join(map(str, (w.area.x, w.area.y, w.area.width, w.area.height)))
        where = f" at {area}" if w.visible and titles.count(w.title) > 1 else ""
        names.append(f"{w.title!r}{where}" + ("" if w.visible else " (hidden)"))
    more = f" and {len(windows) - MOST_LISTED} more" if len(windows) > MOST_LISTED else ""
    return "The windows are: " + ", ".join(names) + more + "."
