"""The windows of Microsoft Windows, through ctypes and user32.

Written from the documented interface of user32 and not yet tried on a Windows machine: the tests of this project run
on X11. All coordinates are physical pixels, because the process declares itself aware of each monitor's scaling.
"""

from __future__ import annotations

import ctypes
import sys
import time
from typing import Any

from autoplayer.core.errors import MachineError, StoppedError
from autoplayer.core.frame import Box, Point
from autoplayer.screen.windows import Window

PER_MONITOR_AWARE_V2 = -4
GA_ROOT = 2
DWMWA_CLOAKED = 14
SM_VIRTUAL = (76, 77, 78, 79)
"""Left, top, width, height of the box around all monitors."""
ALT = 0x12
KEY_UP = 2
PICK_SECONDS = 3.0


class _Rect(ctypes.Structure):
    _fields_ = (("left", ctypes.c_long), ("top", ctypes.c_long), ("right", ctypes.c_long), ("bottom", ctypes.c_long))


class _Point(ctypes.Structure):
    _fields_ = (("x", ctypes.c_long), ("y", ctypes.c_long))


class Win32:
    """The windows of this session's desktop."""

    name = "Windows"

    def __init__(self) -> None:
        if sys.platform != "win32":
            raise MachineError("The Windows backend works on Windows only.")
        self._user: Any = ctypes.WinDLL("user32", use_last_error=True)
        self._dwm: Any = ctypes.WinDLL("dwmapi")
        # Handles and pointers are wider than ctypes' default int.
        self._user.WindowFromPoint.argtypes = [_Point]
        self._user.WindowFromPoint.restype = ctypes.c_void_p
        self._user.GetAncestor.argtypes = [ctypes.c_void_p, ctypes.c_uint]
        self._user.GetAncestor.restype = ctypes.c_void_p
        self._user.GetForegroundWindow.restype = ctypes.c_void_p
        self._user.GetDesktopWindow.restype = ctypes.c_void_p
        self._user.GetShellWindow.restype = ctypes.c_void_p
        for function in ("IsWindow", "IsWindowVisible", "IsIconic", "SetForegroundWindow", "GetWindowTextLengthW"):
            getattr(self._user, function).argtypes = [ctypes.c_void_p]
        self._user.GetWindowTextW.argtypes = [ctypes.c_void_p, ctypes.c_wchar_p, ctypes.c_int]
        self._user.GetClientRect.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Rect)]
        self._user.ClientToScreen.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Point)]
        self._user.GetWindowThreadProcessId.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_ulong)]
        self._dwm.DwmGetWindowAttribute.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_uint]
        try:
            self._user.SetProcessDpiAwarenessContext.argtypes = [ctypes.c_void_p]
            self._user.SetProcessDpiAwarenessContext(ctypes.c_void_p(PER_MONITOR_AWARE_V2))
        except AttributeError:  # before Windows 10 1703
            self._user.SetProcessDPIAware()

    def close(self) -> None:
        """There is nothing to close."""

    def windows(self) -> list[Window]:
        found: list[int] = []
        prototype = ctypes.WINFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)  # type: ignore[attr-defined,unused-ignore]

        def visit(handle: int, _: object) -> bool:
            # Cloaked windows are listed as visible, but belong to another desktop or a suspended app.
            if self._user.IsWindowVisible(handle) and not self._cloaked(handle):
                found.append(handle)
            return True

        self._user.EnumWindows(prototype(visit), 0)
        windows = (self.window(handle) for handle in found)
        return [window for window in windows if window is not None and window.title]

    def window(self, window_id: int) -> Window | None:
        if not self._user.IsWindow(window_id):
            return None
        pid = ctypes.c_ulong()
        self._user.GetWindowThreadProcessId(window_id, ctypes.byref(pid))
        area = self.area(window_id)
        return Window(window_id, self._title(window_id), area or Box(0, 0, 0, 0), area is not None, pid.value or None)

    def area(self, window_id: int) -> Box | None:
        user = self._user
        if not user.IsWindow(window_id) or not user.IsWindowVisible(window_id) or user.IsIconic(window_id):
            return None
        if self._cloaked(window_id):
            return None
        rect, corner = _Rect(), _Point(0, 0)
        if not user.GetClientRect(window_id, ctypes.byref(rect)) or not user.ClientToScreen(
            window_id, ctypes.byref(corner)
        ):
            return None
        if rect.right < 1 or rect.bottom < 1:
            return None
        return Box(corner.x, corner.y, rect.right, rect.bottom)

    def covering(self, window_id: int, at: Point) -> str | None:
        handle = self._user.WindowFromPoint(_Point(*at))
        top = self._user.GetAncestor(handle, GA_ROOT) if handle else None
        bare = (None, self._user.GetDesktopWindow(), self._user.GetShellWindow())
        if window_id in (handle, top) or (not window_id and top in bare):
            return None
        title = self._title(top) if top else ""
        return f"the window {title!r}" if title else "a window without a title"

    def window_at(self, at: Point) -> Window | None:
        handle = self._user.WindowFromPoint(_Point(*at))
        top = self._user.GetAncestor(handle, GA_ROOT) if handle else None
        return None if top in (None, self._user.GetDesktopWindow(), self._user.GetShellWindow()) else self.window(top)

    def activate(self, window_id: int) -> None:
        # Windows lets a process take the foreground only after input of its own: a tap on Alt counts as such.
        if not self._user.SetForegroundWindow(window_id):
            self._user.keybd_event(ALT, 0, 0, 0)
            self._user.keybd_event(ALT, 0, KEY_UP, 0)
            self._user.SetForegroundWindow(window_id)

    def has_focus(self, window_id: int) -> bool:
        return bool(self._user.GetForegroundWindow() == window_id)

    def monitors(self) -> list[Box]:
        from autoplayer.screen.display import monitors_by_mss

        return monitors_by_mss()

    def bounds(self) -> Box:
        return Box(*(self._user.GetSystemMetrics(n) for n in SM_VIRTUAL))

    def pick(self, limit: float = 60.0) -> Window:
        return self.pick_at(limit)[0]

    def pick_at(self, limit: float = 60.0) -> tuple[Window, Point]:
        """The window under the pointer once the pointer has rested for three seconds, and where it rested."""
        return pick_by_resting(self, limit, self._pointer)

    def _pointer(self) -> Point:
        at = _Point()
        self._user.GetCursorPos(ctypes.byref(at))
        return at.x, at.y

    def _title(self, handle: int) -> str:
        length = self._user.GetWindowTextLengthW(handle)
        text = ctypes.create_unicode_buffer(length + 1)
        self._user.GetWindowTextW(handle, text, length + 1)
        return text.value.strip()

    def _cloaked(self, handle: int) -> bool:
        cloaked = ctypes.c_int(0)
        self._dwm.DwmGetWindowAttribute(handle, DWMWA_CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked))
        return bool(cloaked.value)


def pick_by_resting(system: Any, limit: float, pointer: Any) -> tuple[Window, Point]:
    """The window over which the pointer rests for ``PICK_SECONDS``, and where: for systems on which a click cannot be
    caught.

    ``pointer`` returns the pointer's place on the screen. Raises StoppedError after ``limit`` seconds."""
    end = time.perf_counter() + limit
    place, since = pointer(), time.perf_counter()
    start, moved = place, False
    while time.perf_counter() < end:
        time.sleep(0.05)
        now = pointer()
        if now != place:
            place, since = now, time.perf_counter()
        moved = moved or place != start
        if moved and time.perf_counter() - since >= PICK_SECONDS:
            window: Window | None = system.window_at(place)
            if window is None:
                raise StoppedError("The pointer rested on the bare desktop, not on a window.")
            return window, place
    raise StoppedError(f"The pointer was not rested on a window within {limit:g} seconds.")
