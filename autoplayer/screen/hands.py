"""Hands: they move the pointer and press buttons and keys. A hand does what it is told; only the guard (``guard``) may
use one."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from autoplayer.core.errors import MachineError, StoppedError, UsageError
from autoplayer.core.frame import Point
from autoplayer.core.gestures import MODIFIERS, Button, key_parts
from autoplayer.screen.interrupts import whole
from autoplayer.screen.keeper import Keeper, start_releaser
from autoplayer.screen.windows import WindowSystem
from autoplayer.screen.x11 import X11

BUTTONS: dict[str, int] = {"left": 1, "middle": 2, "right": 3, "wheel up": 4, "wheel down": 5}
"""X's numbers of the mouse buttons; a notch of the wheel is a button that goes down and up."""

NOTCH = {"win32": 120}
"""The argument for one notch in pyautogui, where it is not 1: on Windows it passes the system's own unit through."""

KEYSYMS = {
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "tab": "Tab",
    "space": "space",
    "enter": "Return",
    "escape": "Escape",
    "backspace": "BackSpace",
    "shift": "Shift_L",
    "ctrl": "Control_L",
} | {f"f{n}": f"F{n}" for n in range(1, 13)}
"""The key names of :mod:`autoplayer.core.gestures` and what X calls them."""


def check_key(name: str) -> tuple[str, ...]:
    """The keys that ``name`` stands for, as :func:`autoplayer.core.gestures.key_parts`. Raises UsageError for an
    unknown name."""
    try:
        return key_parts(name)
    except ValueError as fault:
        raise UsageError(f"There is no key {name!r}: {fault}.") from None


class Hand(Protocol):
    """All points are screen pixels. ``held``: the buttons and keys that are down now, in the order of pressing; should
    this program be killed, a ``keeper`` releases them."""

    name: str

    @property
    def held(self) -> tuple[str, ...]: ...

    def position(self) -> Point:
        """Where the pointer is."""

    def move(self, to: Point) -> None: ...

    def press(self, button: Button) -> None: ...

    def release(self, button: Button) -> None: ...

    def turn(self, up: bool) -> None:
        """One notch of the wheel, away from the person where ``up``."""

    def key_down(self, name: str) -> None:
        """Raises UsageError for a key that this keyboard does not have."""

    def key_up(self, name: str) -> None: ...

    def release_all(self) -> None:
        """Release every button and key that this hand holds; failures of one do not prevent the others."""

    def close(self) -> None:
        """Releases everything, too."""


class XTestHand:
    """The hand of X11, through the XTEST extension: one round trip an event, without delays of its own."""

    name = "XTEST"

    def __init__(self, system: X11) -> None:
        """Uses the connection of ``system``, so that questions and events keep their order. Raises MachineError where
        the server has no XTEST."""
        from Xlib import XK, X, display, error
        from Xlib.ext import xtest

        if not system.display.has_extension("XTEST"):
            raise MachineError(
                f"The display {system.display_name!r} has no XTEST extension, so nothing can be played on it."
            )
        self._display = system.display
        self._root = system.root
        self._x: Any = X
        self._xk: Any = XK
        self._lost: Any = error.ConnectionClosedError
        self._fake_input: Any = xtest.fake_input
        self._held: list[tuple[str, int, int]] = []
        """Name, event type of the release, and code of everything that is down."""
        self._aside: Any = None
        self._connect: Callable[[], Any] = lambda: display.Display(system.display_name)
        self._major: int = system.display.display.get_extension_major(xtest.extname)

        def start() -> subprocess.Popen[bytes]:
            # It inherits an open connection, so it needs no permission to open the display.
            try:
                connection = display.Display(system.display_name).display.socket
            except (error.DisplayError, error.ConnectionClosedError, error.XauthError) as fault:
                raise OSError(f"the display lets no further program in: {str(fault).strip()}") from None
            try:
                return start_releaser("x11", connection.fileno())
            finally:
                connection.close()

        self.keeper = Keeper(start)

    @property
    def held(self) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self._held)

    @whole
    def position(self) -> Point:
        at = self._root.query_pointer()
        return at.root_x, at.root_y

    def move(self, to: Point) -> None:
        self._send(self._x.MotionNotify, x=to[0], y=to[1])

    def press(self, button: Button) -> None:
        self._button_down(button)

    def release(self, button: Button) -> None:
        self._let_go(button)

    @whole
    def turn(self, up: bool) -> None:
        name = "wheel up" if up else "wheel down"
        self._button_down(name)
        self._let_go(name)

    def key_down(self, name: str) -> None:
        *modifiers, key = check_key(name)
        code, shifted = self._code(key)
        if shifted and "shift" not in modifiers:
            modifiers.append("shift")
        for modifier in modifiers:
            self._take(f"{modifier} for {name}", self._x.KeyPress, self._x.KeyRelease, self._code(modifier)[0])
        self._take(f"key {name}", self._x.KeyPress, self._x.KeyRelease, code)

    def key_up(self, name: str) -> None:
        self._let_go(f"key {name}")
        for modifier in MODIFIERS:
            self._let_go(f"{modifier} for {name}")

    @whole
    def release_all(self) -> None:
        while self._held:
            _, event, code = self._held.pop()
            with suppress(MachineError):  # the display is gone, and with it what was held
                self._send(event, code)
        with suppress(MachineError):  # nothing is held any more, so its keeper is not needed
            self._keep()

    def let_go_aside(self) -> None:
        """Release everything from a thread other than the one that plays, over a separate connection: two threads on
        one connection would block each other for ever. What this hand has noted as held stays unchanged."""
        with suppress(OSError, self._lost):
            if self._aside is None:
                self._aside = self._connect()
            for _, event, code in reversed(self._held):
                self._fake_input(self._aside, event, code)
            self._aside.sync()

    def close(self) -> None:
        self.release_all()
        self.keeper.close()
        if self._aside is not None:
            with suppress(OSError, self._lost):
                self._aside.close()
            self._aside = None

    @whole
    def _button_down(self, name: str) -> None:
        # A left-handed mouse has its buttons swapped behind XTEST: find the one that arrives as this button.
        order = list(self._display.get_pointer_mapping())
        number = BUTTONS[name]
        code = order.index(number) + 1 if number in order else number
        self._take(name, self._x.ButtonPress, self._x.ButtonRelease, code)

    @whole
    def _code(self, name: str) -> tuple[int, bool]:
        """The code of one key, and whether it needs Shift."""
        if name in KEYSYMS:
            keysym = self._xk.string_to_keysym(KEYSYMS[name])
        else:
            # Keysyms are Latin-1 up to 255; beyond, X adds 0x01000000 to the Unicode number.
            keysym = ord(name) if ord(name) < 256 else 0x01000000 + ord(name)
        places = {index: code for code, index in reversed(list(self._display.keysym_to_keycodes(keysym)))}
        for index in (0, 1):
            if index in places:
                return places[index], index == 1
        raise UsageError(f"The keyboard of this display has no key {name!r}: choose another one in the layout.")

    @whole
    def _take(self, name: str, press: int, release: int, code: int) -> None:
        held = self._holds(release, code)
        self._held.append((name, release, code))
        self._keep()
        if not held:  # pressed under another name, as Shift is for a capital letter
            self._send(press, code)

    @whole
    def _let_go(self, name: str) -> None:
        for entry in reversed(self._held):
            if entry[0] == name:
                self._held.remove(entry)
                if not self._holds(*entry[1:]):
                    self._send(entry[1], entry[2])
                self._keep()
                return

    def _holds(self, release: int, code: int) -> bool:
        return any(entry[1:] == (release, code) for entry in self._held)

    def _keep(self) -> None:
        """Tell the keeper which requests release what is held."""
        self.keeper.will(b"".join(_release_request(self._major, *entry[1:]) for entry in reversed(self._held)))

    @whole
    def _send(self, event: int, detail: int = 0, x: int = 0, y: int = 0) -> None:
        try:
            self._fake_input(self._display, event, detail, x=x, y=y)
            self._display.sync()
        except (OSError, self._lost) as fault:
            raise MachineError(f"The X display went away ({fault}); start it again, then this program.") from None


def _release_request(major: int, event: int, code: int) -> bytes:
    """XTEST's request FakeInput as the server reads it, in this machine's byte order: opcode, minor opcode, length in
    units of four bytes, event, code, and no delay, root or place."""
    return struct.pack("=BBHBB30x", major, 2, 9, event, code)


class PyAutoGuiHand:
    """The portable hand, through pyautogui. Its screenshot functions are never used; its fail-safe stays on."""

    name = "pyautogui"

    def __init__(self) -> None:
        """Raises MachineError where pyautogui cannot be imported (it opens the display while it is imported)."""
        try:
            import pyautogui
        except SystemExit:
            # mouseinfo, which pyautogui imports, ends the whole program where tkinter is missing.
            raise MachineError(
                "pyautogui needs tkinter: `apt-get install python3-tk` (or your system's like)."
            ) from None
        except Exception as fault:  # it raises whatever the display's library raises
            raise MachineError(
                f"pyautogui cannot be used here ({type(fault).__name__}: {fault}). Where a file .Xauthority is "
                "missing, `touch ~/.Xauthority` helps; where DISPLAY is not set, start this on a desktop."
            ) from None
        pyautogui.PAUSE = 0
        pyautogui.MINIMUM_DURATION = 0
        pyautogui.FAILSAFE = True
        if hasattr(pyautogui, "DARWIN_CATCH_UP_TIME"):
            pyautogui.DARWIN_CATCH_UP_TIME = 0
        self._gui: Any = pyautogui
        self._buttons: list[Button] = []
        self._keys: list[str] = []
        # On X11 another hand is used, with a keeper of its own.
        system = {"win32": "windows", "darwin": "macos"}.get(sys.platform)
        self.keeper = Keeper(lambda: start_releaser(system)) if system else None

    @property
    def held(self) -> tuple[str, ...]:
        return (*self._buttons, *(f"key {name}" for name in self._keys))

    def position(self) -> Point:
        at = self._gui.position()
        return int(at[0]), int(at[1])

    def move(self, to: Point) -> None:
        # On macOS a move with the button down is another event than a move, which only dragTo sends.
        if self._buttons and self._gui.platform.system() == "Darwin":
            self._do("dragTo", *to, duration=0, button=self._buttons[-1], mouseDownUp=False, _pause=False)
        else:
            self._do("moveTo", *to, _pause=False)

    def press(self, button: Button) -> None:
        self._buttons.append(button)
        self._keep()
        self._do("mouseDown", button=button, _pause=False)

    def release(self, button: Button) -> None:
        self._do("mouseUp", button=button, _pause=False)
        if button in self._buttons:
            self._buttons.remove(button)
        self._keep()

    def turn(self, up: bool) -> None:
        notch = NOTCH.get(sys.platform, 1)
        self._do("scroll", notch if up else -notch, _pause=False)

    def key_down(self, name: str) -> None:
        parts = check_key(name)
        for part in parts:
            if not self._gui.isValidKey(part.lower()):
                raise UsageError(f"pyautogui has no key {part!r}: choose another one in the layout.")
        for part in parts:
            held = part in self._keys
            self._keys.append(part)
            self._keep()
            if not held:
                self._do("keyDown", part, _pause=False)

    def key_up(self, name: str) -> None:
        for part in reversed(check_key(name)):
            if self._keys.count(part) <= 1:
                self._do("keyUp", part, _pause=False)
            if part in self._keys:
                self._keys.remove(part)
            self._keep()

    def release_all(self) -> None:
        # pyautogui's fail-safe refuses releases as well while the pointer is in a corner: for these, and only these, it
        # is switched off, or the button would stay down.
        platform = self._gui.platformModule
        while self._keys:
            with suppress(Exception):  # the others must go up all the same
                platform._keyUp(self._keys.pop())
        while self._buttons:
            button = self._buttons.pop()
            with suppress(Exception):
                platform._mouseUp(*self.position(), button)
        with suppress(MachineError):
            self._keep()

    def close(self) -> None:
        self.release_all()
        if self.keeper is not None:
            self.keeper.close()

    def _keep(self) -> None:
        """Tell the keeper what is held, with the system's own key codes (pyautogui encodes Shift above the lowest byte,
        and releases it at once)."""
        if self.keeper is not None:
            codes = (self._gui.platformModule.keyboardMapping[name.lower()] for name in self._keys)
            held = [f"button {button}" for button in self._buttons]
            held += [f"key {code & 0xFF}" for code in codes if code is not None]
            self.keeper.will("\n".join(held).encode())

    def _do(self, function: str, *args: Any, **kwargs: Any) -> None:
        try:
            getattr(self._gui, function)(*args, **kwargs)
        except self._gui.FailSafeException:
            raise StoppedError("The pointer was moved into a corner of the screen, which stops the bot.") from None


def best_hand(system: WindowSystem) -> Hand:
    """The fastest hand that works for ``system``: XTEST on X11, else pyautogui. Raises MachineError where none does."""
    if isinstance(system, X11) and system.display.has_extension("XTEST"):
        return XTestHand(system)
    return PyAutoGuiHand()
