"""The stop key: pressed twice within half a second, it stops the bot, whichever window has the keyboard focus. The game
receives the key as well, and the bot's own presses of it do not count.

Only the window systems' own interfaces are needed: X11 reports every key through XInput 2 to any program that asks,
without taking it away from others; Windows and macOS tell on request whether a key is down. All other keys are ignored.
"""

from __future__ import annotations

import struct
import sys
import time
from collections.abc import Callable
from typing import Any

from autoplayer.core.errors import MachineError, UsageError
from autoplayer.core.gestures import MODIFIERS
from autoplayer.screen.hands import KEYSYMS, check_key
from autoplayer.screen.interrupts import whole
from autoplayer.screen.windows import WindowSystem
from autoplayer.screen.x11 import X11

WITHIN = 0.5
"""Seconds between the two presses, at most."""

OWN = 1.0
"""Seconds after which a press by the bot itself that was never reported is forgotten."""

RAW_KEY_PRESS, RAW_KEY_RELEASE = 13, 14
ALL_MASTER_DEVICES = 1
REPEATED = 1 << 16
"""The flag of a press that is an automatic repetition of a held key."""

CODES: dict[str, dict[str, int]] = {
    "win32": {"escape": 0x1B, "tab": 0x09, "space": 0x20, "enter": 0x0D, "backspace": 0x08}
    | {f"f{n}": 0x6F + n for n in range(1, 13)},
    "darwin": {"escape": 53, "tab": 48, "space": 49, "enter": 36, "backspace": 51}
    | dict(zip((f"f{n}" for n in range(1, 13)), (122, 120, 99, 118, 96, 97, 98, 100, 101, 109, 103, 111), strict=True)),
}
"""The keys' own codes where a key is asked for by its code."""


class StopKey:
    """Counts the person's presses of one key. A subclass for each window system reports when it goes down and up."""

    def __init__(self, key: str) -> None:
        self.key = key
        self._own: list[float] = []
        """The times of the bot's own presses of this key that have not been reported yet."""
        self._down = False
        self._last: float | None = None

    def pressed(self) -> bool:
        """Whether the person has pressed the key twice within half a second since the last call."""
        twice = False
        for down, when in self._changes():
            if not down:
                self._down = False
            elif not self._down:
                self._down = True
                if self._own:
                    self._own.pop(0)
                elif self._last is not None and when - self._last <= WITHIN:
                    twice, self._last = True, None
                else:
                    self._last = when
        now = time.perf_counter()
        self._own = [when for when in self._own if now - when < OWN]
        return twice

    def own(self) -> None:
        """The bot is about to press the key itself."""
        self._own.append(time.perf_counter())

    def close(self) -> None: ...

    def _changes(self) -> list[tuple[bool, float]]:
        """The events since the last call: whether the key went down (or up), and when, in seconds."""
        raise NotImplementedError


class X11StopKey(StopKey):
    """The key on an X display, through raw events of XInput 2, which a game's grabs do not suppress (from 2.1 on)."""

    def __init__(self, key: str, display_name: str) -> None:
        """Raises MachineError where the server has no XInput 2, UsageError where the keyboard has no such key."""
        super().__init__(key)
        from Xlib.ext import xinput

        self._x11 = X11(display_name)
        self._display: Any = self._x11.display
        try:
            if not self._display.has_extension(xinput.extname):
                raise MachineError(f"The display {display_name!r} has no XInput extension, so it tells no keys.")
            version = xinput.XIQueryVersion(
                display=self._display.display,
                opcode=self._display.display.get_extension_major(xinput.extname),
                major_version=2,
                minor_version=2,
            )
            if (version.major_version, version.minor_version) < (2, 1):
                raise MachineError(
                    f"The display {display_name!r} has XInput {version.major_version}.{version.minor_version}, and 2.1 "
                    "is needed to hear of a key while a game holds the keyboard."
                )
            self._extension = self._display.display.get_extension_major(xinput.extname)
            self._codes = self._keycodes()
            if not self._codes:
                raise UsageError(f"The keyboard of this display has no key {key!r}; choose another stop key.")
            mask = (1 << RAW_KEY_PRESS) | (1 << RAW_KEY_RELEASE)
            self._x11.root.xinput_select_events([(ALL_MASTER_DEVICES, mask)])
            self._display.sync()
        except BaseException:
            self._x11.close()
            raise

    def close(self) -> None:
        self._x11.close()

    @whole
    def _changes(self) -> list[tuple[bool, float]]:
        from Xlib import X, error
        from Xlib.ext import ge

        found: list[tuple[bool, float]] = []
        try:
            while self._display.pending_events():
                event = self._display.next_event()
                if event.type == X.MappingNotify:
                    self._display.refresh_keyboard_mapping(event)
                    self._codes = self._keycodes()
                elif event.type == ge.GenericEventCode and event.extension == self._extension:
                    _, milliseconds, code, _, _, flags = struct.unpack_from("=HIIHHI", event.data)
                    if code in self._codes and not flags & REPEATED:
                        found.append((event.evtype == RAW_KEY_PRESS, milliseconds / 1000))
        except (error.ConnectionClosedError, OSError):
            return []  # the display is gone, which the guard's own requests find out
        return found

    def _keycodes(self) -> set[int]:
        """The codes of the keys that are this one: Caps Lock may be a second Esc."""
        from Xlib import XK

        name = KEYSYMS.get(self.key)
        keysym = XK.string_to_keysym(name) if name else ord(self.key)
        return {code for code, level in self._display.keysym_to_keycodes(keysym) if level == 0}


class PolledStopKey(StopKey):
    """The key on Windows and macOS, which tell on request whether it is down. Written from the documented interfaces
    and not yet tried there."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        codes = CODES.get(sys.platform, {})
        if key not in codes:
            raise UsageError(f"The stop key is one of {', '.join(codes)} on this system, not {key!r}.")
        self._code = codes[key]
        self._was = False
        self._is_down: Callable[[], bool]
        if sys.platform == "win32":
            import ctypes

            user = ctypes.WinDLL("user32")
            self._is_down = lambda: bool(user.GetAsyncKeyState(self._code) & 0x8000)
        else:
            import Quartz  # type: ignore[import-not-found,unused-ignore]

            quartz: Any = Quartz
            source = quartz.kCGEventSourceStateHIDSystemState
            self._is_down = lambda: bool(quartz.CGEventSourceKeyState(source, self._code))

    def _changes(self) -> list[tuple[bool, float]]:
        was, self._was = self._was, self._is_down()
        return [(self._was, time.perf_counter())] if self._was != was else []


def watch_key(system: WindowSystem, key: str = "escape") -> StopKey:
    """The stop key on this system. Raises MachineError where it cannot be watched, UsageError where there is no key of
    this name."""
    if len(check_key(key)) > 1 or key in MODIFIERS:
        raise UsageError(f"The stop key is one key that is no modifier, not {key!r}.")
    return X11StopKey(key, system.display_name) if isinstance(system, X11) else PolledStopKey(key)
