"""The constants of a figure's motion, as given by a level, the bundled window, or a measurement. Plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

COSTS_A_SECOND = 20
"""A plan's costs are twentieths of a second where physics make them."""


@dataclass(frozen=True)
class Physics:
    """Lengths in cells (a character of the room form; a pixel where a mask is one of pixels), times in seconds.

    The figure is a box; it walks, on the ground and in the air, at one speed or not at all, and cannot change the
    height of a jump once it has begun.
    """

    walk: float = 5.0
    """Cells a second."""
    jump: float = 1.6
    """How high the feet come."""
    gravity: float = 30.0
    """Cells a second, each second."""
    fall: float = 14.0
    """The greatest speed of a fall, cells a second."""
    width: float = 0.6
    height: float = 0.9
    """The figure's box."""
    slide: float = 0.3
    """Seconds that moving a tile takes."""
    still: float = 0.25
    """Seconds that a person's hand needs between two walks or jumps: makes few long flights cheaper than many short
    ones."""

    @property
    def jump_speed(self) -> float:
        """Upwards at the beginning of a jump, cells a second."""
        return math.sqrt(2 * self.gravity * self.jump)

    @property
    def slide_cost(self) -> int:
        return self.cost(self.slide)

    @staticmethod
    def cost(seconds: float) -> int:
        """A time as a cost."""
        return round(seconds * COSTS_A_SECOND)

    def problem(self) -> str | None:
        """What makes these no physics, in a sentence; None where nothing does."""
        for field in fields(self):
            value = getattr(self, field.name)
            least, most = LIMITS.get(field.name, (0.0, 10_000.0))
            if not least <= value <= most:
                return f"expected {field.name} between {least:g} and {most:g}, but found {value:g}"
        return None


LIMITS = {"walk": (0.1, 1000.0), "gravity": (0.1, 10_000.0), "fall": (0.1, 5000.0), "width": (0.1, 100.0)}
LIMITS |= {"height": (0.1, 100.0), "jump": (0.0, 1000.0), "slide": (0.0, 60.0), "still": (0.0, 60.0)}
"""The least and the most that each constant may be."""
