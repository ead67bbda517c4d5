"""What every game has: round the board the level's number and name, the buttons, and the sign of the end; on it the
frame of a cursor, the rhythm of the win flash, rounded tiles."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import cos, pi, radians, sin

import pygame

from autoplayer.arcade import match
from autoplayer.arcade.glyphs import caption, smooth, stack, write
from autoplayer.arcade.stage import Stage
from autoplayer.arcade.themes import Colour, Theme, ink_on
from autoplayer.core.frame import Box, Cell

FLASHES = 2
"""How often a won board brightens during its flash."""


def flash(won_for: float | None) -> float:
    """How bright a board is in its win flash, 0 to 1, so many seconds after the win."""
    lasts = match.FLASH
    return sin(pi * FLASHES * won_for / lasts) ** 2 if won_for is not None and won_for < lasts else 0.0


@lru_cache(maxsize=256)
def rounded(width: int, height: int, radius: int, colour: Colour) -> pygame.Surface:
    """A tile with round corners."""

    def draw(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        pygame.draw.rect(canvas, ink, canvas.get_rect(), border_radius=radius * scale)

    return smooth(width, height, colour, draw)


def paint_cursor(surface: pygame.Surface, stage: Stage, theme: Theme, cell: Cell) -> None:
    """A bright frame round the cell that the keys speak of, with a dark edge so that it shows on any colour."""
    box = stage.cell(cell)
    thick = max(round(stage.pitch * 0.07), 2)
    frame = pygame.Rect(box.x, box.y, box.width, box.height).inflate(-thick, -thick)
    pygame.draw.rect(surface, ink_on(theme.accent), frame.inflate(2, 2), thick + 2)
    pygame.draw.rect(surface, theme.accent, frame, thick)


@lru_cache(maxsize=64)
def _button(name: str, edge: int, colour: Colour) -> pygame.Surface:
    def draw(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        e = edge * scale
        if name == "reset":
            ring = pygame.Rect(0, 0, round(e * 0.78), round(e * 0.78))
            ring.center = (e // 2, e // 2)
            thick = max(round(e * 0.12), 1)
            # Drawn as a run of discs: pygame's own arcs leave holes.
            radius = ring.width / 2 - thick / 2
            for degree in range(-40, 250, 2):
                x, y = e / 2 + radius * cos(radians(degree)), e / 2 + radius * sin(radians(degree))
                pygame.draw.circle(canvas, ink, (x, y), thick / 2)
            x, y = e / 2 + radius * cos(radians(-40)), e / 2 + radius * sin(radians(-40))
            head = e * 0.19
            pygame.draw.polygon(
                canvas,
                ink,
                [
                    (x - head * 1.15, y - head * 0.25),
                    (x + head * 0.75, y + head * 0.55),
                    (x + head * 0.6, y - head * 1.3),
                ],
            )
            return
        points = [(0.5, 0.14), (0.94, 0.82), (0.06, 0.82)]
        if name == "previous":
            points = [(x, 1 - y) for x, y in points]
        pygame.draw.polygon(canvas, ink, [(x * e, y * e) for x, y in points])

    return smooth(edge, edge, colour, draw)


def paint_furniture(
    surface: pygame.Surface, stage: Stage, theme: Theme, style: str, number: int, name: str, lit: set[str]
) -> None:
    """Number, name and buttons; ``lit`` are the buttons that do something (``next`` in the accent colour)."""
    digits = str(number)
    if stage.portrait:
        write(surface, style, digits, stage.number, round(stage.number.height * 0.55), theme.ink)
    else:
        stack(surface, style, digits, stage.number, round(min(stage.size) * 0.075), theme.ink)
    if name != digits:
        caption(surface, name, stage.name, round(min(stage.size) * 0.028), theme.ink)
    for button, box in stage.buttons.items():
        colour = theme.faint if button not in lit else theme.accent if button == "next" else theme.ink
        surface.blit(_button(button, box.width, colour), (box.x, box.y))


def paint_end(surface: pygame.Surface, stage: Stage, theme: Theme) -> None:
    """The sign that all levels are won: a large tick in the middle of the window."""
    edge = round(min(stage.size) * 0.4)

    def draw(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        e = edge * scale
        points = [(0.12 * e, 0.55 * e), (0.4 * e, 0.82 * e), (0.9 * e, 0.22 * e)]
        for a, b in pairwise(points):
            steps = 120
            for i in range(steps + 1):
                at = (a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps)
                pygame.draw.circle(canvas, ink, at, e * 0.065)

    box = Box((stage.size[0] - edge) // 2, (stage.size[1] - edge) // 2, edge, edge)
    surface.blit(smooth(edge, edge, theme.accent, draw), (box.x, box.y))
