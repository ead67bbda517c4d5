"""The Screen interface: one window (or region) that can be looked at and played. The desktop and a recording are both
screens, so whatever runs live runs from a recording."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, cast

from autoplayer.core.errors import MachineError
from autoplayer.core.frame import Box, Frame, Point
from autoplayer.core.gestures import Gesture, Pace


class Screen(Protocol):
    """All coordinates that pass through here are window pixels; only inside ``screen/`` are there screen pixels."""

    title: str
    """The window's title, or the region's description."""

    def now(self) -> float:
        """Seconds on this screen's own clock (a recording's clock is the recorded one)."""

    def grab(self) -> Frame:
        """The client area as it is now. Raises NotFoundError when the window is gone."""

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        """Wait until the picture has been still for ``quiet`` seconds, and, where ``unlike`` is given, differs from
        it; at most ``limit`` seconds in all, then the last picture is returned as it is (compare it yourself).
        Small, endless animations (a blinking cursor) do not keep it waiting: see ``desktop``."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        """Carry the gestures out, through the guard: inside the client area, window on top. Raises StoppedError when
        the person stops it; whatever happens, buttons and keys are released."""

    def park(self, at: Point) -> None:
        """Move the pointer (no press) to a point where it covers nothing."""

    def close(self) -> None: ...


class SteeredScreen(Screen, Protocol):
    """A screen whose window can be steered: keys are held while it is looked at, many times a second."""

    def glance(self, pause: float = 0.0) -> Frame:
        """The client area after ``pause`` seconds, as quickly as that goes; a recording keeps a few of these pictures.
        Raises as :meth:`grab` and :meth:`hold`; keys that are held are up then."""

    def hold(self, keys: Collection[str]) -> None:
        """Hold exactly these keys from now on, until told otherwise; what else was held goes up. They go through the
        guard: the window has the keyboard, and whatever happens (a stop, an error, the end of this program), they are
        released. Raises as :meth:`perform`, with all keys up."""


def steered(screen: Screen) -> SteeredScreen:
    """``screen``, where it can be steered. Raises MachineError where it cannot."""
    if not callable(getattr(screen, "hold", None)) or not callable(getattr(screen, "glance", None)):
        raise MachineError(f"the screen of {screen.title!r} cannot hold keys while it is looked at")
    return cast(SteeredScreen, screen)


def attend(screen: Screen, box: Box | None) -> None:
    """Tell ``screen`` where the board is (window pixels; None: not known), so that what moves for ever elsewhere does
    not keep it waiting. A screen that can make use of it holds an ``attend`` of its own."""
    own: Callable[[Box | None], None] | None = getattr(screen, "attend", None)
    if own is not None:
        own(box)


def answer_dialog(screen: Screen, pace: Pace) -> str | None:
    """Press Enter, and if it stays other keys, in the dialog that the window's own program has put up since the last
    gesture, in a window of its own; Escape, where that gesture has unfolded a menu. The name of that dialog; None where
    nothing was pressed: there is none, it was answered just now or too often, or the screen cannot tell. Raises
    StoppedError when the person stops it."""
    own: Callable[[Pace], str | None] | None = getattr(screen, "answer_dialog", None)
    return own(pace) if own is not None else None


def lies_over(screen: Screen, boxes: Sequence[Box]) -> str | None:
    """The name of what lies over a part of ``boxes`` (window pixels) now; None where nothing does. A screen that can
    tell holds a ``lies_over`` of its own, with the boxes."""
    own: Callable[[Sequence[Box]], str | None] | None = getattr(screen, "lies_over", None)
    return own(boxes) if own is not None and boxes else None
