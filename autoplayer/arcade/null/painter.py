"""How a row of lamps looks: discs, bright where lit."""

from __future__ import annotations

from functools import lru_cache

import pygame

from autoplayer.arcade.glyphs import smooth
from autoplayer.arcade.null.play import Lamps
from autoplayer.arcade.options import Options
from autoplayer.arcade.stage import Stage
from autoplayer.arcade.themes import Colour, Theme

LIT: Colour = (255, 200, 64)
DARK: Colour = (104, 108, 122)
SIZE = 0.66
"""The width of a lamp, as a share of the pitch."""


class LampsPainter:
    """Draws one :class:`Lamps`. Nothing moves, so it remembers nothing."""

    def __init__(self, play: Lamps, theme: Theme, options: Options) -> None:
        self._play, self._theme, self._options = play, theme, options

    def paint(self, surface: pygame.Surface, stage: Stage, now: float, won_for: float | None) -> None:
        size = round(stage.pitch * SIZE)
        for column, lit in enumerate(self._play.lit):
            box = stage.cell((0, column))
            corner = (box.x + (box.width - size) // 2, box.y + (box.height - size) // 2)
            surface.blit(_lamp(size, LIT if lit else DARK), corner)
            if self._options.controls == "keys" and column == self._play.active:
                thick = max(stage.pitch // 20, 2)
                pygame.draw.rect(surface, self._theme.accent, (box.x, box.y, box.width, box.height), thick)

    def busy(self, now: float) -> float:
        return 0

    def settle(self) -> None:
        pass


@lru_cache(maxsize=16)
def _lamp(size: int, colour: Colour) -> pygame.Surface:
    def draw(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        pygame.draw.circle(canvas, ink, (size * scale / 2, size * scale / 2), size * scale / 2)

    return smooth(size, size, colour, draw)
