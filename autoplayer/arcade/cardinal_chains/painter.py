"""How a board of Cardinal Chains looks: walls or tiles, chains that fill their cells, the win flash, the hint."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi

import pygame

from autoplayer.arcade.cardinal_chains.play import Chains
from autoplayer.arcade.furniture import flash, paint_cursor, rounded
from autoplayer.arcade.glyphs import smooth, write
from autoplayer.arcade.match import FLASH
from autoplayer.arcade.options import Options
from autoplayer.arcade.stage import Stage
from autoplayer.arcade.themes import Colour, Theme, ink_on, mix
from autoplayer.core.frame import Box, Cell

WALL = 0.055
"""The thickness of a wall, as a share of the pitch."""
GAP = 0.09
"""The gap between two tiles, as a share of the pitch."""
DIGIT = 0.5
"""The height of a digit, as a share of the pitch."""


class ChainsPainter:
    """Draws one :class:`Chains`. Remembers when each cell was entered, for the fill animation, and nothing else."""

    def __init__(self, play: Chains, theme: Theme, options: Options, hint: bool) -> None:
        self._play, self._theme, self._options = play, theme, options
        self._hint = hint
        self._entered: dict[tuple[int, Cell], float] = {}
        self._seen: set[tuple[int, Cell]] | None = None
        self._won_for: float | None = None

    # The board

    def paint(self, surface: pygame.Surface, stage: Stage, now: float, won_for: float | None) -> None:
        self._watch(now)
        self._won_for = won_for
        solved = won_for is not None and (won_for < FLASH or self._options.advance != "stay")
        if self._options.look == "tiles":
            self._tiles(surface, stage, now, solved)
        else:
            self._walls(surface, stage, now, solved)
        if solved:
            return
        for cell, value in self._play.puzzle.cells.items():
            text = str(value) if value else "X"
            height = round(stage.pitch * (DIGIT if len(text) == 1 else DIGIT * 0.8))
            write(surface, self._options.glyphs, text, stage.cell(cell), height, self._ink(cell, now))
        if self._options.controls == "keys":
            self._mark(surface, stage)
        if self._hint and not self._play.touched:
            self._circle(surface, stage, now)

    def busy(self, now: float) -> float:
        if self._entered:
            return 60
        if self._won_for is not None and self._won_for < FLASH + 0.1:
            return 30
        return 30 if self._hint and not self._play.touched and self._won_for is None else 0

    def settle(self) -> None:
        self._seen = None
        self._entered.clear()

    def _watch(self, now: float) -> None:
        """Note which cells the chains have entered since the last look."""
        covered = {(number, cell) for number, chain in enumerate(self._play.chains) for cell in chain}
        if self._seen is not None:
            for one in covered - self._seen:
                self._entered[one] = now
        fill = self._options.animate
        self._entered = {
            one: entered for one, entered in self._entered.items() if one in covered and now - entered < fill
        }
        self._seen = covered

    def _filled(self, number: int, cell: Cell, now: float) -> float:
        """How far a cell is filled, 0 to 1."""
        entered = self._entered.get((number, cell))
        return 1.0 if entered is None else min(max((now - entered) / self._options.animate, 0.0), 1.0)

    def _shows(self, number: int) -> bool:
        """Whether a chain shows its colour."""
        return number in self._play.touched or not self._options.extra["uncoloured"]

    def _colour(self, number: int, solved: bool) -> Colour:
        colour = self._theme.chain(number)
        return mix(colour, (255, 255, 255), 0.65 * flash(self._won_for)) if solved else colour

    def _ink(self, cell: Cell, now: float) -> Colour:
        """The ink for what stands in a cell."""
        number = self._play.owner(cell)
        if number is None or not self._shows(number) or self._filled(number, cell, now) < 0.5:
            return self._theme.ink
        return ink_on(self._theme.chain(number))

    def _walls(self, surface: pygame.Surface, stage: Stage, now: float, solved: bool) -> None:
        """Cells in the colour of the window with walls round them: an enclosed hole has no wall of its own, and so
        looks like an empty cell."""
        theme = self._theme
        wall = max(round(stage.pitch * WALL), 1)
        before, after = wall // 2, wall - wall // 2
        if not solved:
            for cell in self._play.puzzle.cells:
                box = stage.cell(cell)
                surface.fill(theme.wall, (box.x - before, box.y - before, box.width + wall, box.height + wall))
            for cell in self._play.puzzle.cells:
                surface.fill(theme.ground, self._inside(stage.cell(cell), after, before))
        for number, chain in enumerate(self._play.chains):
            if not self._shows(number):
                continue
            colour = self._colour(number, solved)
            for index, cell in enumerate(chain):
                inside = self._inside(stage.cell(cell), after, before)
                if index == 0:
                    surface.fill(colour, inside)
                    continue
                previous = self._inside(stage.cell(chain[index - 1]), after, before)
                surface.fill(colour, self._grown(inside, previous, self._filled(number, cell, now)))

    @staticmethod
    def _inside(box: Box, left: int, right: int) -> pygame.Rect:
        """A cell without its share of the walls."""
        return pygame.Rect(box.x + left, box.y + left, box.width - left - right, box.height - left - right)

    @staticmethod
    def _grown(inside: pygame.Rect, previous: pygame.Rect, share: float) -> pygame.Rect:
        """What of a cell and the wall before it is filled, growing from the side of the cell before."""
        down, right = inside.y - previous.y, inside.x - previous.x
        if down:
            length = round((abs(down) - previous.height + inside.height) * share)
            return pygame.Rect(inside.x, previous.bottom if down > 0 else previous.top - length, inside.width, length)
        length = round((abs(right) - previous.width + inside.width) * share)
        return pygame.Rect(previous.right if right > 0 else previous.left - length, inside.y, length, inside.height)

    def _tiles(self, surface: pygame.Surface, stage: Stage, now: float, solved: bool) -> None:
        """Rounded tiles with gaps between; a chain bridges the gaps."""
        gap = max(round(stage.pitch * GAP), 1)
        before, after = gap // 2, gap - gap // 2
        radius = round(stage.pitch * 0.16)
        edge = self._inside(stage.cell((0, 0)), before, after).width
        tile = rounded(edge, edge, radius, self._theme.tile)
        for cell in self._play.puzzle.cells:
            surface.blit(tile, self._inside(stage.cell(cell), before, after))
        for number, chain in enumerate(self._play.chains):
            if not self._shows(number):
                continue
            colour = self._colour(number, solved)
            for index, cell in enumerate(chain):
                inside = self._inside(stage.cell(cell), before, after)
                if not index:
                    surface.blit(rounded(inside.width, inside.width, radius, colour), inside)
                    continue
                previous = self._inside(stage.cell(chain[index - 1]), before, after)
                bridge = self._bridge(previous, inside)
                share = self._filled(number, cell, now)
                if share < 1:  # only as far as the filling has come
                    surface.set_clip(self._grown(inside, previous, share).union(bridge.clip(previous)))
                surface.blit(rounded(inside.width, inside.width, radius, colour), inside)
                surface.fill(colour, bridge)
                surface.set_clip(None)

    @staticmethod
    def _bridge(a: pygame.Rect, b: pygame.Rect) -> pygame.Rect:
        """From the middle of one tile to the middle of the next, as wide as a tile: it covers the round corners."""
        if a.x == b.x:
            top, bottom = sorted((a.centery, b.centery))
            return pygame.Rect(a.x, top, a.width, bottom - top)
        left, right = sorted((a.centerx, b.centerx))
        return pygame.Rect(left, a.y, right - left, a.height)

    # Marks

    def _mark(self, surface: pygame.Surface, stage: Stage) -> None:
        """The head of the chain that the keys draw."""
        paint_cursor(surface, stage, self._theme, self._play.chains[self._play.active][-1])

    def _circle(self, surface: pygame.Surface, stage: Stage, now: float) -> None:
        """The hint: a translucent disc that goes from the first start to a neighbour and back."""
        start = self._play.chains[0][0]
        there = next(iter(self._play.puzzle.steps[start]), start)
        share = (1 - cos(now * 2 * pi / 1.8)) / 2
        a, b = stage.cell(start).centre, stage.cell(there).centre
        x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
        size = round(stage.pitch * (0.78 + 0.1 * share))
        disc = _disc(size, self._theme.accent)
        surface.blit(disc, (round(x - size / 2), round(y - size / 2)))


@lru_cache(maxsize=64)
def _disc(size: int, colour: Colour) -> pygame.Surface:
    def draw(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        pygame.draw.circle(canvas, (*ink, 110), (size * scale / 2, size * scale / 2), size * scale / 2)

    return smooth(size, size, colour, draw)
