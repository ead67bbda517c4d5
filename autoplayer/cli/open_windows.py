"""Finds the open window of a game: the one that is named, or the only one that shows the game."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autoplayer.cli.choosing import SETTLED_WITHIN, Choice, Wanted, choose
from autoplayer.cli.target import named
from autoplayer.core.errors import AutoplayerError, NotFoundError, UnreadableError, UsageError

if TYPE_CHECKING:
    from autoplayer.screen.windows import Window, WindowSystem


OPENING_LIMIT, BLANK = 5.0, 8
"""Seconds to wait for a window that is still blank because it was just opened, and the largest difference (of 255)
between the pixels of a blank one."""


def find(wanted: Wanted, system: WindowSystem, title: str | None, pick: bool) -> tuple[Window, Choice | None]:
    """The window of that ``title``, or the one that the person clicks (``pick``); without either, the only one that
    shows the game, and what it shows. Raises NotFoundError or UsageError where it is not exactly one."""
    try:
        window = named(system, title, pick)
    except UsageError:  # several match, perhaps, of which one may show the game
        alike = [each for each in system.windows() if (title or "").strip() and _titled(each, title or "")]
        if len(alike) < 2:
            raise
        try:
            return _readable(wanted, alike, system)
        except (NotFoundError, UsageError):
            pass
        raise
    return _readable(wanted, system.windows(), system) if window is None else (window, None)


def _titled(window: Window, title: str) -> bool:
    return title.casefold() in window.title.casefold()


def _readable(wanted: Wanted, windows: Sequence[Window], system: WindowSystem) -> tuple[Window, Choice]:
    """The only one of ``windows`` that can be read as the game. Raises NotFoundError where none can, UsageError where
    several can."""
    found: list[tuple[Window, Choice]] = []
    seen: list[str] = []
    for window in windows:
        if not window.visible:
            seen.append(f"  {window.title!r}: hidden")
            continue
        try:
            choice = shown_in(wanted, system, window)
        except AutoplayerError as error:
            seen.append(f"  {window.title!r}: {error}")
            continue
        seen.append(f"  {window.title!r}: shows {choice.game.title}")
        found.append((window, choice))
    if len(found) == 1:
        window, choice = found[0]
        print(f"{window.title!r} shows {choice.game.title}: playing it", file=sys.stderr)
        return found[0]
    listing = "\n".join(seen) if seen else "  there is no window with a title"
    if found:
        raise UsageError(
            f"{len(found)} windows show {wanted.title}; "
            f"name one with --window TITLE, or show it with --pick:\n{listing}"
        )
    raise NotFoundError(
        f"no open window shows {wanted.title}; bring it to the front, or name it with --window TITLE, and with --menus "
        f"where no level is open yet:\n{listing}"
    )


def shown_in(wanted: Wanted, system: WindowSystem, window: Window) -> Choice:
    """What ``window`` shows. Raises AutoplayerError with the reason where it is none of the games. Nothing is raised or
    moved."""
    from autoplayer import which
    from autoplayer.screen.desktop import DesktopScreen

    screen = DesktopScreen(window, system=system, bring_to_front=False)
    try:
        frame = screen.still(SETTLED_WITHIN)
        end = screen.now() + OPENING_LIMIT
        while int(frame.image.max()) - int(frame.image.min()) <= BLANK and screen.now() < end:
            frame = screen.still(max(end - screen.now(), 0.1), unlike=frame)
    finally:
        screen.close()
    choice = choose(wanted, window.title, frame.image)
    # Nobody has named this window, and letters of any page may be read as a board full of doubts: that is not played.
    seen = which.look(choice.game, frame.image, choice.known, time_limit=which.FIRST_LIMIT)
    if seen.reading is None or seen.settled is None:
        raise UnreadableError(seen.reason)
    if seen.reading.doubts and seen.settled.solution is None and not seen.shown:
        raise UnreadableError(f"this is hardly a level of {choice.game.title}: {seen.reason}")
    # The picture shows the topmost window there; the board belongs to the window that a press on it would reach.
    boxes = list(seen.reading.places.values())
    for box in boxes[:: max(len(boxes) // 4, 1)]:
        x, y = box.centre
        over = system.covering(window.id, (frame.origin[0] + x, frame.origin[1] + y))
        if over is not None:
            raise UnreadableError(f"covered by {over}")
    return choice
