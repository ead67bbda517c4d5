"""The bundled window's painter without a window: pictures of any moment of a level, with what is true in them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import cv2
import numpy as np

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.options import read
from autoplayer.arcade.stage import arrange
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.puzzle import Level
from autoplayer.games.continuity.seeing.sight import Bools


class Shown:
    """A level in a painted window. ``options``: as on the command line of the bundled window."""

    def __init__(self, level: Level, *options: str, number: int = 1) -> None:
        import pygame

        from autoplayer.arcade.continuity.engine import Engine
        from autoplayer.arcade.themes import theme_of

        pygame.font.init()
        game = find("continuity")
        self.options = read(game, list(options))
        self.level = level
        self.play: Any = game.new_play(level, lambda: False, self.options)
        theme = theme_of(self.options.theme, number)
        self.painter: Any = game.new_painter(self.play, theme, self.options, False)
        self.stage = arrange(self.options.size, self.play.rows, self.play.columns)
        self.surface = pygame.Surface(self.options.size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))  # as `image` reads it
        self.engine: Engine = self.play.engine

    def step(self, held: Collection[str] = (), times: int = 1) -> None:
        """So many sixtieths of a second."""
        for _ in range(times):
            self.play.step(held)

    def tap(self, key: str) -> None:
        """A key, and all the time that its effect takes."""
        self.play.tap(key)
        self.play.step(())
        for _ in range(600):
            if self.engine.still:
                break
            self.play.step(())

    def image(self) -> Image:
        self.painter.paint(self.surface, self.stage, 0.0, None)
        self.painter.caption(self.surface, self.stage, "3  A level")
        pixels = np.frombuffer(self.surface.get_view("0"), np.uint8).reshape(*self.surface.get_size()[::-1], 4)
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)

    def boxes(self) -> tuple[Box, ...]:
        """Where the cells stand in the view of this moment."""
        which = "slide" if self.engine.view == "slide" else "walk"
        return tuple(Box(*each[which]) for each in self.painter.geometry(self.stage)["cells"])

    @property
    def cells(self) -> tuple[int, ...]:
        """The tiles' numbers from 0, row by row; -1 for the empty place."""
        return tuple(each["tile"] - 1 for each in self.painter.geometry(self.stage)["cells"])

    def figure(self) -> Box:
        """The figure in window pixels, at this moment."""
        return Box(*self.painter.frame(self.stage)["figure"])

    def solid(self, width: int, height: int, mark: str = "#") -> Bools:
        """The walls of all tiles in so many pixels: shape ``(tiles, height, width)``."""
        found = []
        for block in self.level.blocks:
            cells = np.array([[character == mark for character in row] for row in block])
            rows = np.searchsorted(
                [round(r * height / len(block)) for r in range(1, len(block))], range(height), "right"
            )
            across = [round(c * width / len(block[0])) for c in range(1, len(block[0]))]
            found.append(cells[np.ix_(rows, np.searchsorted(across, range(width), "right"))])
        return np.array(found)
