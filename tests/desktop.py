"""What a person does beside the bot: moves and resizes windows, moves and clicks the mouse."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest


@contextmanager
def _display() -> Iterator[Any]:
    display = Display(os.environ["DISPLAY"])
    try:
        yield display
        display.sync()
    finally:
        display.close()


def configure(window: int, **sides: int) -> None:
    """Give a window, named by its id, another ``x`` and ``y``, or ``width`` and ``height``, in screen pixels; the
    window manager may take a moment."""
    with _display() as display:
        display.create_resource_object("window", window).configure(**sides)


def point(x: int, y: int, *, click: bool = False) -> None:
    """Move the mouse to a place of the screen, and click its left button there."""
    with _display() as display:
        xtest.fake_input(display, X.MotionNotify, x=x, y=y)
        for event in (X.ButtonPress, X.ButtonRelease) if click else ():
            xtest.fake_input(display, event, 1)
