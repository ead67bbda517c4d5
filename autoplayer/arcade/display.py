"""The window that both loops run in. What is drawn there is the loop's business."""

from __future__ import annotations

import locale
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pygame

from autoplayer.core.errors import MachineError

__all__ = ["fill_screen", "open_window", "until_closed"]


def open_window(title: str, size: tuple[int, int]) -> pygame.Surface:
    """A window that can be resized. Raises MachineError where there is no screen."""
    # Left to itself SDL draws into memory where the screen cannot be reached, and nobody would see the window.
    if sys.platform.startswith("linux") and not os.environ.get("SDL_VIDEODRIVER"):
        screens = [name for name, at in (("x11", "DISPLAY"), ("wayland", "WAYLAND_DISPLAY")) if os.environ.get(at)]
        if not screens:
            raise MachineError("there is no screen to open a window on; start it on a desktop, or under xvfb-run")
        os.environ["SDL_VIDEODRIVER"] = ",".join(screens)
    # In some UTF-8 locales SDL writes WM_NAME with a type that xdotool and others cannot decode; in this one it is
    # plain. Other letters than ASCII need the person's own locale, or _NET_WM_NAME would be missing.
    if title.isascii():
        locale.setlocale(locale.LC_CTYPE, "C")
    try:
        pygame.display.init()
        pygame.font.init()
        pygame.key.set_repeat()
        pygame.display.set_caption(title)
        return pygame.display.set_mode(size, pygame.RESIZABLE)
    except pygame.error as error:
        pygame.display.quit()
        raise MachineError(
            f"a window cannot be opened here ({error}); start it on a desktop, or under xvfb-run"
        ) from error


@contextmanager
def until_closed(stop: Callable[[], None]) -> Iterator[None]:
    """While a loop runs: Ctrl-C and SIGTERM call ``stop``. In the end the window is closed."""
    before = {number: signal.signal(number, lambda *_: stop()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        pygame.display.quit()


def fill_screen(filled: bool) -> bool:
    """Fill the screen with the window, or where it is ``filled`` go back to the size before; whether it is now."""
    window = pygame.Window.from_display_module()
    if filled:
        window.set_windowed()
    else:
        window.set_fullscreen(desktop=True)
    return not filled
