"""What a person does with mouse and keyboard, in window pixels. A game plans gestures; only a screen performs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from autoplayer.core.frame import Point

Button = Literal["left", "right", "middle"]

MODIFIERS = ("shift", "ctrl")
"""Keys that modify another key. Alt and the system's own keys are left out: the desktop takes such combinations for
itself, to close a window or to switch to another one."""

KEY_NAMES = (
    *("up", "down", "left", "right", "tab", "space", "enter", "escape", "backspace"),
    *(f"f{n}" for n in range(1, 13)),
)
"""Names of the keys that are not characters; a character is its own name."""


def key_parts(name: str) -> tuple[str, ...]:
    """The keys that ``name`` stands for, in the order in which they go down: one of :data:`KEY_NAMES`, one printable
    character, or one of :data:`MODIFIERS`; with modifiers and ``+`` before it, these first. Raises ValueError for
    anything else, with what was expected.

    >>> key_parts("ctrl+shift+left")
    ('ctrl', 'shift', 'left')
    >>> key_parts("ctrl++")
    ('ctrl', '+')
    """
    parts: list[str] = []
    rest = name
    while (modifier := rest.partition("+")[0]) in MODIFIERS and len(rest) > len(modifier):
        parts.append(modifier)
        rest = rest[len(modifier) + 1 :]
    known = rest in KEY_NAMES or rest in MODIFIERS or (len(rest) == 1 and rest.isprintable() and rest != " ")
    if not known or rest in parts or len(set(parts)) < len(parts):
        raise ValueError(
            f"expected {', '.join(n for n in KEY_NAMES if not n[1:].isdigit())}, f1 to f12, {', '.join(MODIFIERS)}, or "
            "one character, also with a modifier before it (ctrl+left)"
        )
    return (*parts, rest)


@dataclass(frozen=True)
class Click:
    """Press and release at one point; ``times``: 2 for a double click, quick whatever the pace is."""

    at: Point
    button: Button = "left"
    times: Literal[1, 2] = 1


@dataclass(frozen=True)
class Drag:
    """Press at the first point, pass through every further point in order along straight lines, release at the last."""

    path: tuple[Point, ...]
    button: Button = "left"


@dataclass(frozen=True)
class Keys:
    """Press and release these keys one after another, by the names of :func:`key_parts`."""

    keys: tuple[str, ...]


@dataclass(frozen=True)
class Hold:
    """Hold these keys down together for ``seconds``."""

    keys: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Wheel:
    """Turn the wheel by ``notches`` with the pointer at one point: upwards (away from the person) where positive,
    downwards where negative."""

    at: Point
    notches: int


Gesture = Click | Drag | Keys | Hold | Wheel


@dataclass(frozen=True)
class Pace:
    """How fast gestures are made; all values in seconds. It belongs to a layout, because games sample the pointer once
    a frame and miss what comes faster.

    ``press``: from the press to the first move; also how long a click or a key is held (a key never so long that the
    game repeats it). ``step``: for each segment of a drag, and between two keys or two notches of the wheel.
    ``release``: from the last move to the release, and after a gesture.
    """

    press: float = 0.10
    step: float = 0.05
    release: float = 0.05

    def slower(self, factor: float = 2.0) -> Pace:
        return Pace(*(min(max(t, 0.005) * factor, 0.4) for t in (self.press, self.step, self.release)))

    def quicker(self) -> Pace:
        return Pace(max(self.press * 0.7, 0.02), max(self.step * 0.7, 0.01), max(self.release * 0.7, 0.01))
