"""Assumed physics for a level that a still picture shows: no picture shows how the figure moves, so several
alternatives are kept, and no rule may rest on one guess.

The figure's size is known. Figures walk and fall in proportion to it; the height of jumps varies.
"""

from __future__ import annotations

from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.seeing.sight import Thing

JUMPS = (1.0, 1.5, 2.5)
"""Factors on the default jump, both in heights of the figure."""
BODY = (0.8, 0.95)
"""The shares of its drawn width and height that a figure's collision box has: arms, hats and soft edges do not
count."""
LEAST_CELL = 0.1
"""The least size of a figure, in cells."""


def assumed(figure: Thing, cell: tuple[float, float]) -> tuple[Physics, ...]:
    """The possible physics of a figure. ``cell``: width and height of a cell, in pixels as the figure's."""
    usual = Physics()
    wide, high = cell
    width, height = max(BODY[0] * figure.width / wide, LEAST_CELL), max(BODY[1] * figure.height / high, LEAST_CELL)
    grown = figure.height / usual.height
    found = []
    for jump in JUMPS:
        physics = Physics(
            walk=usual.walk * grown / wide,
            jump=usual.jump * jump * grown / high,
            gravity=usual.gravity * grown / high,
            fall=usual.fall * grown / high,
            width=width,
            height=height,
        )
        if physics.problem() is None:
            found.append(physics)
    return tuple(found)
