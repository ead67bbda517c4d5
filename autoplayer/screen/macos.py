"""The windows of macOS, through Quartz (pyobjc, which pyautogui brings along there).

Written from the documented interface and not yet tried on a Mac: the tests of this project run on X11. Coordinates are
points, as the mouse uses them; on a Retina screen a picture has more pixels than that (see ``desktop``).
"""

from __future__ import annotations

import sys
from typing import Any

from autoplayer.core.errors import MachineError
from autoplayer.core.frame import Box, Point
from autoplayer.screen.win32 import pick_by_resting
from autoplayer.screen.windows import Window

TITLE_BAR = 28
"""Points. Quartz knows a window's outline only; the standard title bar is cut off its top. A full-screen window has
none, which shows in its outline being a monitor's."""

PERMISSION = (
    "allow it under System Settings, Privacy & Security, Screen Recording (to see) and Accessibility (to play), "
    "for the terminal from which this program is started, and start that terminal again"
)


def permissions() -> dict[str, bool]:
    """The permissions of macOS that are needed, by the name they have in its settings, and whether each is given."""
    import ctypes

    import Quartz  # type: ignore[import-not-found]

    quartz: Any = Quartz
    services = ctypes.CDLL("/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices")
    services.AXIsProcessTrusted.restype = ctypes.c_bool
    return {
        "Screen Recording": bool(quartz.CGPreflightScreenCaptureAccess()),
        "Accessibility": bool(services.AXIsProcessTrusted()),
    }


class MacOS:
    """The windows of this login's desktop."""

    name = "macOS"

    def __init__(self) -> None:
        if sys.platform != "darwin":
            raise MachineError("The macOS backend works on macOS only.")
        try:
            import AppKit  # type: ignore[import-not-found]
            import Quartz
        except ImportError:
            raise MachineError(
                "The library pyobjc is missing: install it with `pip install pyobjc-framework-Quartz`."
            ) from None
        self._quartz: Any = Quartz
        self._appkit: Any = AppKit
        if not Quartz.CGPreflightScreenCaptureAccess():
            Quartz.CGRequestScreenCaptureAccess()
            raise MachineError(f"macOS does not let this program see other windows: {PERMISSION}.")

    def close(self) -> None:
        """There is nothing to close."""

    def windows(self) -> list[Window]:
        return [window for info in self._all() if (window := self._window(info)).title]

    def window(self, window_id: int) -> Window | None:
        return next((self._window(info) for info in self._all() if self._id(info) == window_id), None)

    def area(self, window_id: int) -> Box | None:
        window = self.window(window_id)
        return window.area if window is not None and window.visible else None

    def covering(self, window_id: int, at: Point) -> str | None:
        info = self._top(at)
        if info is None:
            return None if not window_id else "the bare desktop (the window is not there)"
        if self._id(info) == window_id:
            return None
        title = self._window(info).title or str(info.get("kCGWindowOwnerName", ""))
        return f"the window {title!r}" if title else "a window without a title"

    def window_at(self, at: Point) -> Window | None:
        info = self._top(at)
        return None if info is None else self._window(info)

    def activate(self, window_id: int) -> None:
        window = self.window(window_id)
        if window is None or window.pid is None:
            return
        app = self._appkit.NSRunningApplication.runningApplicationWithProcessIdentifier_(window.pid)
        if app is not None:
            app.activateWithOptions_(self._appkit.NSApplicationActivateIgnoringOtherApps)

    def has_focus(self, window_id: int) -> bool:
        window = self.window(window_id)
        app = self._appkit.NSWorkspace.sharedWorkspace().frontmostApplication()
        return window is not None and app is not None and app.processIdentifier() == window.pid

    def monitors(self) -> list[Box]:
        from autoplayer.screen.display import monitors_by_mss

        return monitors_by_mss()

    def bounds(self) -> Box:
        boxes = self.monitors()
        left, top = min(b.x for b in boxes), min(b.y for b in boxes)
        return Box(left, top, max(b.x + b.width for b in boxes) - left, max(b.y + b.height for b in boxes) - top)

    def pick(self, limit: float = 60.0) -> Window:
        return self.pick_at(limit)[0]

    def pick_at(self, limit: float = 60.0) -> tuple[Window, Point]:
        """The window under the pointer once the pointer has rested for three seconds, and where it rested."""
        return pick_by_resting(self, limit, self._pointer)

    def _pointer(self) -> Point:
        at = self._quartz.CGEventGetLocation(self._quartz.CGEventCreate(None))
        return round(at.x), round(at.y)

    def _all(self) -> list[Any]:
        """On-screen windows of the normal layer and above, the topmost first."""
        quartz = self._quartz
        options = quartz.kCGWindowListOptionOnScreenOnly | quartz.kCGWindowListExcludeDesktopElements
        return list(quartz.CGWindowListCopyWindowInfo(options, quartz.kCGNullWindowID) or ())

    def _top(self, at: Point) -> Any:
        return next((info for info in self._all() if self._outline(info).contains(at)), None)

    @staticmethod
    def _id(info: Any) -> int:
        return int(info["kCGWindowNumber"])

    @staticmethod
    def _outline(info: Any) -> Box:
        bounds = info["kCGWindowBounds"]
        return Box(int(bounds["X"]), int(bounds["Y"]), int(bounds["Width"]), int(bounds["Height"]))

    def _window(self, info: Any) -> Window:
        box = self._outline(info)
        if box not in self.monitors() and box.height > TITLE_BAR:
            box = Box(box.x, box.y + TITLE_BAR, box.width, box.height - TITLE_BAR)
        return Window(
            self._id(info), str(info.get("kCGWindowName") or "").strip(), box, True, int(info["kCGWindowOwnerPID"])
        )
