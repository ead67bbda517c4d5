"""What is looked at and played: a window that is followed, or a fixed region of the screen."""

from __future__ import annotations

from typing import Protocol

from autoplayer.core.errors import NotFoundError
from autoplayer.core.frame import Box, Point
from autoplayer.screen.windows import Region, Window, WindowSystem


class Target(Protocol):
    """All places are screen pixels, asked for anew at each call."""

    title: str

    def area(self) -> Box:
        """Where it is now. Raises NotFoundError when it is not there."""

    def covering(self, at: Point) -> str | None:
        """What would get a press at ``at`` instead; None where nothing lies over it."""

    def activate(self) -> None:
        """Ask for it to be raised and given the keyboard."""

    def has_focus(self) -> bool:
        """Whether keys go there now."""


class WindowTarget:
    """A window, followed where it goes."""

    def __init__(self, system: WindowSystem, window: Window) -> None:
        self._system = system
        self._id = window.id
        self.title = window.title

    def area(self) -> Box:
        area = self._system.area(self._id)
        if area is not None:
            return area
        if self._system.window(self._id) is None:
            raise NotFoundError(f"The window {self.title!r} is gone: it was closed, or its program ended.")
        raise NotFoundError(
            f"The window {self.title!r} is minimised or on another workspace: bring it back to the screen."
        )

    def covering(self, at: Point) -> str | None:
        return self._system.covering(self._id, at)

    def activate(self) -> None:
        self._system.activate(self._id)

    def has_focus(self) -> bool:
        return self._system.has_focus(self._id)


class RegionTarget:
    """A fixed region. It belongs to the window that lay at its centre in the beginning: a press that would reach
    another window is covered, so that a region is as safe as a window."""

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
        self._id = owner.id if owner is not None else 0

    def area(self) -> Box:
        if self._id and self._system.area(self._id) is None:
            raise NotFoundError(f"The window in the {self.title} is gone or hidden.")
        return self._box

    def covering(self, at: Point) -> str | None:
        return self._system.covering(self._id, at)

    def activate(self) -> None:
        if self._id:
            self._system.activate(self._id)

    def has_focus(self) -> bool:
        return bool(self._id) and self._system.has_focus(self._id)
