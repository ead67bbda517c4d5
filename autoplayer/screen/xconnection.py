"""A connection to an X server, through python-xlib: requests about any window, and the handling of a lost
connection."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from autoplayer.core.errors import MachineError
from autoplayer.screen.interrupts import whole

A = ParamSpec("A")
R = TypeVar("R")


def connected(method: Callable[A, R]) -> Callable[A, R]:
    """Turns a lost connection in ``method`` into a MachineError with a sentence. ``method`` must not wait: signals are
    delayed until it returns."""
    method = whole(method)

    @functools.wraps(method)
    def wrapped(*args: A.args, **kwargs: A.kwargs) -> R:
        try:
            from Xlib import error
        except ImportError:  # a system without X
            return method(*args, **kwargs)
        try:
            return method(*args, **kwargs)
        except (error.ConnectionClosedError, BrokenPipeError, ConnectionResetError) as fault:
            raise MachineError(f"The X display went away ({fault}); start it again, then this program.") from None

    return wrapped


def interruptible(connection: Any) -> None:
    """Make a python-xlib display, used by one thread only, survive an exception that a signal raises during a request
    (one that was not delayed: see :mod:`autoplayer.screen.interrupts`). Otherwise the library believes that another
    thread is still reading the replies, and the next request waits for ever."""
    inner = connection.display
    ask = inner.send_and_recv

    def asked(*arguments: Any, **options: Any) -> None:
        try:
            ask(*arguments, **options)
        except BaseException:
            inner.send_active = inner.recv_active = 0
            for name in ("send_recv_lock", "request_queue_lock"):
                setattr(inner, name, threading.Lock())
            raise

    inner.send_and_recv = asked


class XConnection:
    """A connection to the X display ``name`` (default: ``$DISPLAY``). Not to be shared between threads."""

    def __init__(self, name: str | None = None) -> None:
        """Raises MachineError where the display cannot be reached."""
        try:
            from Xlib import X, display, error
        except ImportError:
            raise MachineError(
                "The library python-xlib is missing: install it with `pip install python-xlib`."
            ) from None
        self.display_name = name or os.environ.get("DISPLAY", "")
        if not self.display_name and os.environ.get("WAYLAND_DISPLAY"):
            raise MachineError(
                "This is a Wayland session without XWayland (WAYLAND_DISPLAY is set, DISPLAY is not), in which no "
                "program may look at another one's window. Log in to a session with X11, or start the game and this "
                "under a virtual display (`apt-get install xvfb`, then `xvfb-run …`)."
            )
        if not self.display_name:
            raise MachineError(
                "There is no display: DISPLAY is not set. Start this on a desktop, or under a virtual one "
                "(`apt-get install xvfb`, then `xvfb-run autoplayer …`)."
            )
        try:
            self.display = display.Display(self.display_name)
        except (error.DisplayError, error.ConnectionClosedError, error.XauthError, OSError) as fault:
            raise MachineError(
                f"The display {self.display_name!r} cannot be reached ({str(fault).strip() or type(fault).__name__}): "
                "is it running, and may this user open it?"
            ) from None
        interruptible(self.display)
        self._x: Any = X
        self._error: Any = error
        # python-xlib files the errors of RandR under the numbers of two of the server's own, with classes that cannot
        # be made from an error: any of those two would end in a traceback.
        self.display.display.error_classes.update({1: error.BadRequest, 2: error.BadValue})
        # Requests without a reply report their errors later and elsewhere; a window that vanished is expected.
        self.display.set_error_handler(lambda *_: None)
        self.root: Any = self.display.screen().root
        self._atoms: dict[str, int] = {}

    def close(self) -> None:
        with suppress(self._error.ConnectionClosedError, OSError):  # it may be closed already
            self.display.close()

    def _resource(self, window_id: int) -> Any:
        return self.display.create_resource_object("window", window_id)

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self.display.intern_atom(name)
        return self._atoms[name]

    def _children(self, resource: Any) -> list[Any]:
        """From the bottom to the top."""
        try:
            return list(resource.query_tree().children)
        except self._error.XError:
            return []

    def _numbers(self, resource: Any, name: str) -> list[int]:
        try:
            value = resource.get_full_property(self._atom(name), self._x.AnyPropertyType)
        except self._error.XError:
            return []
        return [int(n) for n in value.value] if value is not None and value.format == 32 else []

    def _number(self, resource: Any, name: str) -> int | None:
        return next(iter(self._numbers(resource, name)), None)

    def _margin(self, resource: Any) -> tuple[int, int, int, int]:
        """Left, right, top, bottom: the invisible shadow that GTK draws inside its windows (none while maximised)."""
        found = self._numbers(resource, "_GTK_FRAME_EXTENTS")
        return (found[0], found[1], found[2], found[3]) if len(found) == 4 else (0, 0, 0, 0)
