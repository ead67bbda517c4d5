"""How a board of Hashi looks: islands as rings, discs or squares, their bridges, and what the window tells of them."""

from __future__ import annotations

from functools import lru_cache

import pygame

from autoplayer.arcade import match
from autoplayer.arcade.furniture import flash
from autoplayer.arcade.glyphs import smooth, write
from autoplayer.arcade.hashi.play import Islands
from autoplayer.arcade.options import Options
from autoplayer.arcade.stage import Stage
from autoplayer.arcade.themes import Colour, Theme, ink_on, mix
from autoplayer.core.frame import Box, Cell, Point
from autoplayer.games.hashi.puzzle import MOST_LINKS

DIGIT = 0.5
"""The height of a digit, as a share of an island's width."""
RING = 0.06
"""The thickness of an island's edge, as a share of the pitch."""
LINE = 0.07
"""The thickness of a link, as a share of the pitch."""
APART = 0.11
"""From the middle of a bridge to either of its two links, as a share of the pitch."""
COUNT = 0.3
"""The width of the disc that carries a bridge's count, as a share of the pitch."""


class IslandsPainter:
    """Draws one :class:`Islands`. Nothing moves but the win flash and the line under a drag."""

    def __init__(self, play: Islands, theme: Theme, options: Options) -> None:
        self._play, self._theme, self._options = play, theme, options
        self._won_for: float | None = None

    def paint(self, surface: pygame.Surface, stage: Stage, now: float, won_for: float | None) -> None:
        self._won_for = won_for
        self._grid(surface, stage)
        self._drawn(surface, stage)
        for bridge, links in zip(self._play.puzzle.bridges, self._play.links, strict=True):
            if links:
                self._bridge(surface, stage, *bridge, links)
        for island, number in self._play.puzzle.islands.items():
            self._island(surface, stage, island, number)

    def busy(self, now: float) -> float:
        return 30 if self._flashes and self._won_for is not None and self._won_for < match.FLASH + 0.1 else 0

    def settle(self) -> None:
        pass

    @property
    def _flashes(self) -> bool:
        return bool(self._options.extra["win"] == "flash")

    def _lit(self, colour: Colour) -> Colour:
        """A colour of the board, brightened while a win flashes."""
        return mix(colour, self._theme.accent, 0.8 * flash(self._won_for)) if self._flashes else colour

    def _grid(self, surface: pygame.Surface, stage: Stage) -> None:
        """Lines between the places, lines through them, or dots in the water."""
        grid, board, pitch, colour = self._options.extra["grid"], stage.board, stage.pitch, self._theme.faint
        if grid == "dots":
            for row in range(stage.rows):
                for column in range(stage.columns):
                    pygame.draw.circle(surface, colour, stage.cell((row, column)).centre, max(round(pitch * 0.05), 1))
            return
        if grid == "none":
            return
        # Lines through the places end half a pitch within the board.
        inset = 0 if grid == "cells" else pitch // 2
        x0, y0 = board.x + inset, board.y + inset
        columns, rows = (stage.columns, stage.rows) if grid == "cells" else (stage.columns - 1, stage.rows - 1)
        x1, y1 = x0 + columns * pitch, y0 + rows * pitch
        for k in range(columns + 1):
            pygame.draw.line(surface, colour, (x0 + k * pitch, y0), (x0 + k * pitch, y1))
        for k in range(rows + 1):
            pygame.draw.line(surface, colour, (x0, y0 + k * pitch), (x1, y0 + k * pitch))

    def _drawn(self, surface: pygame.Surface, stage: Stage) -> None:
        """A line from where a drag began to where it is."""
        begun, over = self._play.chosen, self._play.over
        if begun is not None and over is not None and over != begun and self._play.controls == "drag":
            ends = stage.cell(begun).centre, stage.cell(over).centre
            pygame.draw.line(surface, self._theme.accent, *ends, max(round(stage.pitch * LINE / 2), 1))

    def _bridge(self, surface: pygame.Surface, stage: Stage, a: Cell, b: Cell, links: int) -> None:
        """From middle to middle; the islands are drawn over its ends."""
        (x, y), (u, v) = stage.cell(a).centre, stage.cell(b).centre
        thick = max(round(stage.pitch * LINE), 1)
        colour = self._lit(self._colour())
        for side in (-1, 1) if links == MOST_LINKS else (0,):
            # At least so far apart that the ground shows between the two.
            aside = side * max(round(stage.pitch * APART), thick)
            if y == v:
                surface.fill(colour, (x, y + aside - thick // 2, u - x, thick))
            else:
                surface.fill(colour, (x + aside - thick // 2, y, thick, v - y))
        if self._options.extra["counts"]:
            self._count(surface, stage, ((x + u) // 2, (y + v) // 2), links)

    def _colour(self) -> Colour:
        """Of bridges: as the rings, or a colour of their own beside filled islands."""
        return self._theme.wall if self._options.look == "rings" else self._theme.chain(1)

    def _count(self, surface: pygame.Surface, stage: Stage, at: Point, links: int) -> None:
        """The small disc in the middle of a bridge that says how many links it has. It is no island."""
        edge = max(round(stage.pitch * COUNT), 5)
        box = Box(at[0] - edge // 2, at[1] - edge // 2, edge, edge)
        surface.blit(_shape("discs", edge, self._theme.ground, self._colour(), max(edge // 12, 1)), (box.x, box.y))
        write(surface, self._options.glyphs, str(links), box, round(edge * 0.6), self._theme.ink)

    def _island(self, surface: pygame.Surface, stage: Stage, island: Cell, number: int) -> None:
        theme, look = self._theme, self._options.look
        tells = self._options.extra["tell"]
        has = self._play.has(island)
        ground = {"rings": theme.ground, "discs": theme.wall, "squares": theme.tile}[look]
        edge = theme.wall
        if has == number and tells in ("both", "done"):
            ground = theme.done
        elif has > number and tells in ("both", "wrong"):
            ground = edge = theme.wrong
        marked = self._play.chosen == island
        if marked or (self._options.controls == "keys" and self._play.cursor == island):
            edge = theme.accent
        width = max(round(stage.pitch * self._options.extra["island"] / 100), 5)
        middle = stage.cell(island).centre
        box = Box(middle[0] - width // 2, middle[1] - width // 2, width, width)
        thick = max(round(stage.pitch * RING * (2 if edge == theme.accent else 1)), 1)
        surface.blit(_shape(look, width, ground, self._lit(edge), thick), (box.x, box.y))
        ink = theme.ink if ground in (theme.ground, theme.tile) else ink_on(ground)
        write(surface, self._options.glyphs, str(number), box, round(width * DIGIT), ink)


@lru_cache(maxsize=256)
def _shape(look: str, width: int, ground: Colour, edge: Colour, thick: int) -> pygame.Surface:
    """An island without its number."""

    def outer(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        _fill(canvas, look, ink, 0)

    def inner(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        _fill(canvas, look, ink, thick * scale)

    picture = smooth(width, width, edge, outer)
    picture.blit(smooth(width, width, ground, inner), (0, 0))
    return picture


def _fill(canvas: pygame.Surface, look: str, colour: Colour, inset: int) -> None:
    box = canvas.get_rect().inflate(-2 * inset, -2 * inset)
    if look == "squares":
        pygame.draw.rect(canvas, colour, box, border_radius=canvas.get_width() // 10)
    else:
        pygame.draw.circle(canvas, colour, box.center, box.width / 2)
