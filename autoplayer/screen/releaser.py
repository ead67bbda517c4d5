"""The process that releases buttons and keys for a bot that was killed: a separate program, started by its path, which
imports next to nothing. ``keeper`` starts it and tells it, before each press, what would have to be released; it does
that only when the pipe from the bot breaks while something is held, that is, when the bot died with a button or key
down.

On its standard input it receives messages, called wills, each with its length in four bytes (little-endian) first: for
``x11 FD`` requests to be written to the display's socket FD, for ``windows`` and ``macos`` lines ``button NAME`` and
``key CODE``. An empty will means that there is nothing to do. Windows and macOS are written from the documented
interfaces and not yet tried there.
"""

from __future__ import annotations

import os
import select
import sys

SYNC = 43
"""X's request GetInputFocus: its reply proves that everything before it has been processed."""
UNIT = 32
"""Bytes of an event, an error and that reply."""


def last_will(display: int | None) -> bytes:
    """The last message that came before the pipe broke; empty where there is nothing to release."""
    will, buffer = b"", b""
    while True:
        if display is not None:
            ready, _, _ = select.select([0, display], [], [])
            if display in ready and not os.read(display, 65536):
                return b""  # the display is gone, and what was held with it
            if 0 not in ready:
                continue
        part = os.read(0, 65536)
        if not part:
            return will
        buffer += part
        while len(buffer) >= 4 and len(buffer) >= (end := 4 + int.from_bytes(buffer[:4], "little")):
            will, buffer = buffer[4:end], buffer[end:]


def release_x11(display: int, will: bytes) -> None:
    requests = will + bytes([SYNC, 0]) + (1).to_bytes(2, sys.byteorder)
    while requests:
        requests = requests[os.write(display, requests) :]
    said = b""
    while part := os.read(display, 65536):
        said += part
        while len(said) >= UNIT:
            if said[0] == 1:  # a reply; only one was requested
                return
            said = said[UNIT:]


def release_windows(will: bytes) -> None:
    import ctypes

    user = ctypes.WinDLL("user32")  # type: ignore[attr-defined,unused-ignore]
    for line in will.decode().splitlines():
        kind, what = line.split()
        if kind == "button":
            user.mouse_event({"left": 0x0004, "right": 0x0010, "middle": 0x0040}[what], 0, 0, 0, 0)
        else:
            user.keybd_event(int(what), 0, 2, 0)


def release_macos(will: bytes) -> None:
    import ctypes

    class Point(ctypes.Structure):
        _fields_ = (("x", ctypes.c_double), ("y", ctypes.c_double))

    quartz = ctypes.CDLL("/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices")
    for function in ("CGEventCreate", "CGEventCreateMouseEvent", "CGEventCreateKeyboardEvent"):
        getattr(quartz, function).restype = ctypes.c_void_p
    quartz.CGEventCreate.argtypes = [ctypes.c_void_p]
    quartz.CGEventGetLocation.argtypes = [ctypes.c_void_p]
    quartz.CGEventGetLocation.restype = Point
    quartz.CGEventCreateMouseEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint32, Point, ctypes.c_uint32]
    quartz.CGEventCreateKeyboardEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint16, ctypes.c_bool]
    quartz.CGEventPost.argtypes = [ctypes.c_uint32, ctypes.c_void_p]
    at = quartz.CGEventGetLocation(quartz.CGEventCreate(None))
    for line in will.decode().splitlines():
        kind, what = line.split()
        if kind == "button":
            event, button = {"left": (2, 0), "right": (4, 1), "middle": (26, 2)}[what]
            quartz.CGEventPost(0, quartz.CGEventCreateMouseEvent(None, event, at, button))
        else:
            quartz.CGEventPost(0, quartz.CGEventCreateKeyboardEvent(None, int(what), False))


def main() -> None:
    system = sys.argv[1]
    display = int(sys.argv[2]) if system == "x11" else None
    will = last_will(display)
    if not will:
        return
    if display is not None:
        release_x11(display, will)
    elif system == "windows":
        release_windows(will)
    else:
        release_macos(will)


if __name__ == "__main__":
    main()
