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
        """Wait until the picture has been still for ``quiet`` seconds, and, where ``unlike`` is given, differs from it;
        after ``limit`` seconds the last picture is returned in any case (the caller has to compare). Small endless
        animations, such as a blinking cursor, are ignored: see ``desktop``."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        """Carry the gestures out, through the guard: inside the client area, window on top. Raises StoppedError when
        the person stops it; whatever happens, buttons and keys are released."""

    def park(self, at: Point) -> None:
        """Move the pointer, without a press, to a point where it covers nothing of interest."""

    def close(self) -> None: ...


class SteeredScreen(Screen, Protocol):
    """A screen that can hold keys down while its window is observed many times a second."""

    def glance(self, pause: float = 0.0) -> Frame:
        """The client area after ``pause`` seconds, as fast as possible. A recording keeps only a few of these pictures.
        Raises as :meth:`grab` and :meth:`hold`; held keys are then released."""

    def hold(self, keys: Collection[str]) -> None:
        """Hold exactly these keys until the next call; all others are released. Goes through the guard: the window must
        have the keyboard, and whatever happens (a stop, an error, the end of this program), the keys are released.
        Raises as :meth:`perform`, with all keys up."""


def steered(screen: Screen) -> SteeredScreen:
    """``screen``, if it can hold keys. Raises MachineError where it cannot."""
    if not callable(getattr(screen, "hold", None)) or not callable(getattr(screen, "glance", None)):
        raise MachineError(f"the screen of {screen.title!r} cannot hold keys while it is looked at")
    return cast(SteeredScreen, screen)


def attend(screen: Screen, box: Box | None) -> None:
    """Tell ``screen`` where the board is (window pixels; None: unknown), so that it does not wait for endless
    animations elsewhere. Screens that make use of it have a method ``attend``."""
    own: Callable[[Box | None], None] | None = getattr(screen, "attend", None)
    if own is not None:
        own(box)


def answer_dialog(screen: Screen, pace: Pace) -> str | None:
    """Press Enter, and if that does not help other keys, in a dialog that the window's own program has opened in a
    separate window since the last gesture; Escape, if that gesture has opened a menu. Returns the dialog's name; None
    where nothing was pressed: there is no dialog, it was answered just now or too often, or the screen cannot tell.
    Raises StoppedError when the person stops it."""
    own: Callable[[Pace], str | None] | None = getattr(screen, "answer_dialog", None)
    return own(pace) if own is not None else None


def lies_over(screen: Screen, boxes: Sequence[Box]) -> str | None:
    """The name of a window that now covers a part of ``boxes`` (window pixels); None where none does. Screens that can
    tell have a method ``lies_over``."""
    own: Callable[[Sequence[Box]], str | None] | None = getattr(screen, "lies_over", None)
    return own(boxes) if own is not None and boxes else None
