"""The window that a command is about: the options that name one, and how it is found."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from autoplayer.screen.windows import Window, WindowSystem

WindowOption = Annotated[
    str | None, typer.Option("--window", metavar="TITLE", help="A part of the window's title, or a pattern.")
]
PickOption = Annotated[bool, typer.Option("--pick", help="Show the window by clicking it.")]
RegionOption = Annotated[
    str | None, typer.Option("--region", metavar="X,Y,W,H", help="A part of the screen instead of a window.")
]

ONE_WINDOW = "--window, --pick and --region each name a window; give one of them"


def named(system: WindowSystem, title: str | None, pick: bool) -> Window | None:
    """The window that the person clicks, or whose title is given; None where neither is specified. Raises NotFoundError
    or UsageError where not exactly one window has that title."""
    from autoplayer.screen.windows import choose_window

    if pick:
        print("Click the game's window.", file=sys.stderr)
        return system.pick()
    return None if title is None else choose_window(title, system.windows())
