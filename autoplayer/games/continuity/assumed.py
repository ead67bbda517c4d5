"""How the figure may move in a level that a still picture shows: no picture tells it, so no rule may rest on one guess.

What is known is how large the figure is. Figures walk and fall in proportion to that, and jump more or less high.
"""

from __future__ import annotations

from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.seeing.sight import Thing

JUMPS = (1.0, 1.5, 2.5)
"""How many times higher than with the usual physics it may jump, both in heights of the figure."""
BODY = (0.8, 0.95)
"""The shares of its drawn width and height that a figure has where it meets walls: arms, hats, soft edges are less."""
LEAST_CELL = 0.1
"""Of a cell, how large a figure is at least."""


def assumed(figure: Thing, cell: tuple[float, float]) -> tuple[Physics, ...]:
    """The physics that a figure may have. ``cell``: width and height of a cell, in pixels as the figure's."""
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
