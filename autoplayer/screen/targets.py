"""What is watched and played: a window that is followed, or a fixed region of the screen."""

from __future__ import annotations

import re
from typing import Protocol

from autoplayer.core.errors import NotFoundError
from autoplayer.core.frame import Box, Point
from autoplayer.screen.windows import AwayError, Region, Window, WindowSystem


class Target(Protocol):
    """All coordinates are screen pixels, asked for anew at each call."""

    title: str

    id: int
    """The window's id; 0 for the bare desktop."""

    def area(self) -> Box:
        """Where it is now. Raises NotFoundError when it is not there, AwayError where it may come back."""

    def find_again(self) -> bool:
        """Where the window is gone: whether it was opened again; if so, the new one is followed. Anything that was
        planned for the old one is then invalid: look again."""

    def covering(self, at: Point) -> str | None:
        """The name of the window that would get a press at ``at`` instead; None where this one gets it."""

    def activate(self) -> None:
        """Ask for it to be raised and given the keyboard."""

    def has_focus(self) -> bool:
        """Whether keys go there now."""


class WindowTarget:
    """A window that is followed when it moves."""

    def __init__(self, system: WindowSystem, window: Window) -> None:
        self._system = system
        self.id = window.id
        self.title = window.title

    def area(self) -> Box:
        area = self._system.area(self.id)
        if area is not None:
            return area
        if self._system.window(self.id) is None:
            raise NotFoundError(f"The window {self.title!r} is gone: it was closed, or its program ended.")
        raise AwayError(f"The window {self.title!r} is minimised or on another workspace: bring it back to the screen.")

    def find_again(self) -> bool:
        if self._system.window(self.id) is not None:
            return False
        shown = [window for window in self._system.windows() if window.visible]
        found = [window for window in shown if window.title == self.title]
        if not found:  # the title may name another level now
            found = [window for window in shown if _unnumbered(window.title) == _unnumbered(self.title)]
        if len(found) != 1:  # with two of that name it would be a guess
            return False
        self.id = found[0].id
        return True

    def covering(self, at: Point) -> str | None:
        return self._system.covering(self.id, at)

    def activate(self) -> None:
        self._system.activate(self.id)

    def has_focus(self) -> bool:
        return self._system.has_focus(self.id)


def _unnumbered(title: str) -> str:
    """A title without its numbers, which count levels, moves or seconds."""
    return re.sub(r"\d+", "#", title)


class RegionTarget:
    """A fixed region. It belongs to the window that was at its centre in the beginning: a press that would reach
    another window counts as covered, so that a region is as safe as a window."""

    def __init__(self, system: WindowSystem, region: Region) -> None:
        """Raises NotFoundError where the region is not on the screen."""
        self._system = system
        self._box = region.box
        self.title = f"region {region}"
        bounds = system.bounds()
        if not bounds.contains(self._box.centre):
            raise NotFoundError(
                f"The region {region} is not on the screen, which reaches from {bounds.x},{bounds.y} "
                f"to {bounds.x + bounds.width},{bounds.y + bounds.height}."
            )
        owner = system.window_at(self._box.centre)
        self.id = owner.id if owner is not None else 0

    def area(self) -> Box:
        if self.id and self._system.area(self.id) is None:
            raise NotFoundError(f"The window in the {self.title} is gone or hidden.")
        return self._box

    def find_again(self) -> bool:
        return False  # its title is unknown

    def covering(self, at: Point) -> str | None:
        return self._system.covering(self.id, at)

    def activate(self) -> None:
        if self.id:
            self._system.activate(self.id)

    def has_focus(self) -> bool:
        return bool(self.id) and self._system.has_focus(self.id)
