"""Opening a window, and ``pygame`` made quiet before it is first imported. What is drawn is the loop's business."""

from __future__ import annotations

import locale
import os
import sys

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# A plain window drawn by the processor: no graphics card is needed, and none is woken.
os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
os.environ.setdefault("SDL_VIDEO_ALLOW_SCREENSAVER", "1")
os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "autoplayer-arcade")

import pygame

from autoplayer.core.errors import MachineError

__all__ = ["open_window", "pygame"]


def open_window(title: str, size: tuple[int, int]) -> pygame.Surface:
    """A window that can be resized. Raises MachineError where there is no screen."""
    # SDL would draw into memory where there is no screen, and nobody would see the window.
    if sys.platform.startswith("linux") and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    ):
        raise MachineError("there is no screen to open a window on; start it on a desktop, or under xvfb-run")
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
