"""How a board of Cross Set looks: the cells and their candidates, the cursor, the lights, a rotation under way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pygame

from autoplayer.arcade import match
from autoplayer.arcade.cross_set.marks import IN_SLOTS, Mark, Marks, arranged
from autoplayer.arcade.cross_set.play import Cells
from autoplayer.arcade.furniture import flash, paint_cursor, rounded
from autoplayer.arcade.glyphs import number, smooth
from autoplayer.arcade.options import Options
from autoplayer.arcade.stage import Stage
from autoplayer.arcade.themes import Colour, Theme, ink_on, mix
from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.puzzle import Candidates

GAP = {"gaps": 0.08, "grid": 0.03, "framed": 0.12}
"""Between two cells, as a share of the pitch; in a grid it is filled by a line."""
FRAME = 0.035
"""The thickness of the frame of framed cells, as a share of the pitch."""
PADDING = 0.05
"""Between a cell's edge and what stands in it, as a share of the pitch."""
ROUND = {"gaps": 0.1, "grid": 0.0, "framed": 0.05}
"""The radius of a cell's corners, as a share of the pitch."""
DIM = {"bright": 0.5, "slots": 0.5, "patches": 0.3}
"""How far the other candidates fade into the ground where size does not tell them from the active one."""
PATCH = 0.96
"""The patch behind the active number of a slot, as a share of the slot."""
LIGHT = 0.2
"""The width of a light, as a share of the pitch, where there is room for it."""


@dataclass(frozen=True)
class _Rotation:
    """The candidates of a cell as they stood before, and since when (seconds) they go to their new places."""

    before: Candidates
    since: float


class CellsPainter:
    """Draws one :class:`Cells`. Remembers which cells are rotating, and since when."""

    def __init__(self, play: Cells, theme: Theme, options: Options) -> None:
        self._play, self._theme, self._options = play, theme, options
        self._cells: str = options.extra["cells"]
        self._most = max(len(cell) for row in play.puzzle.rows for cell in row)
        self._seen: dict[Cell, Candidates] = {}
        self._rotating: dict[Cell, _Rotation] = {}
        self._won_for: float | None = None

    def paint(self, surface: pygame.Surface, stage: Stage, now: float, won_for: float | None) -> None:
        self._watch(now)
        self._won_for = won_for
        if self._cells == "grid":
            self._lines(surface, stage)
        marks = self._marks(stage)
        for r in range(stage.rows):
            for c in range(stage.columns):
                ground = self._cell(surface, stage, (r, c))
                self._candidates(surface, stage, marks, (r, c), ground, now)
        if self._options.extra["lights"]:
            self._lights(surface, stage)
        if self._options.controls == "keys":
            paint_cursor(surface, stage, self._theme, self._play.cursor)

    def busy(self, now: float) -> float:
        if self._rotating:
            return 60
        return 30 if self._flashes and self._won_for is not None and self._won_for < match.FLASH + 0.1 else 0

    def settle(self) -> None:
        self._seen.clear()
        self._rotating.clear()

    @property
    def _flashes(self) -> bool:
        return bool(self._options.extra["win"] == "flash")

    def _watch(self, now: float) -> None:
        """Note which cells have begun to rotate since the last look, and which have arrived."""
        for r in range(self._play.rows):
            for c in range(self._play.columns):
                order = self._play.order((r, c))
                before = self._seen.get((r, c), order)
                if before != order:
                    self._rotating[r, c] = _Rotation(before, now)
                self._seen[r, c] = order
        self._rotating = {
            cell: rotation for cell, rotation in self._rotating.items() if now - rotation.since < self._options.animate
        }

    # Cells

    def _lines(self, surface: pygame.Surface, stage: Stage) -> None:
        """The ground of a grid, of which the lines between the cells stay."""
        line = self._gap(stage)
        board = stage.board
        surface.fill(
            self._theme.wall, (board.x - line // 2, board.y - line // 2, board.width + line, board.height + line)
        )

    def _gap(self, stage: Stage) -> int:
        return max(round(stage.pitch * GAP[self._cells]), 1)

    def _frame(self, stage: Stage) -> int:
        return max(round(stage.pitch * FRAME), 1) if self._cells == "framed" else 0

    def _cell(self, surface: pygame.Surface, stage: Stage, cell: Cell) -> Colour:
        """Draw a cell without what stands in it; the colour of its ground."""
        theme, gap, frame = self._theme, self._gap(stage), self._frame(stage)
        box, edge = stage.cell(cell), stage.pitch - gap
        at = box.x + gap - gap // 2, box.y + gap - gap // 2
        radius = round(stage.pitch * ROUND[self._cells])
        ground = theme.chain(0) if cell in self._play.locked else theme.chain(1) if frame else theme.tile
        if self._flashes:
            ground = mix(ground, theme.accent, 0.6 * flash(self._won_for))
        if frame:
            surface.blit(rounded(edge, edge, radius, theme.wall if theme.name == "dark" else theme.tile), at)
        inside = edge - 2 * frame
        surface.blit(rounded(inside, inside, max(radius - frame, 0), ground), (at[0] + frame, at[1] + frame))
        return ground

    # Candidates

    def _inner(self, stage: Stage) -> int:
        """How wide the room for candidates is."""
        return stage.pitch - self._gap(stage) - 2 * (self._frame(stage) + max(round(stage.pitch * PADDING), 1))

    def _marks(self, stage: Stage) -> Marks:
        return _marks(
            self._options.look, self._options.glyphs, self._play.rows, self._most, stage.pitch, self._inner(stage)
        )

    def _candidates(
        self, surface: pygame.Surface, stage: Stage, marks: Marks, cell: Cell, ground: Colour, now: float
    ) -> None:
        order = self._play.order(cell)
        gap = self._gap(stage)
        box = stage.cell(cell)
        middle = box.x + gap - gap // 2 + (box.width - gap) / 2, box.y + gap - gap // 2 + (box.height - gap) / 2
        ink = self._theme.ink if ground == self._theme.tile else ink_on(ground)
        dim = mix(ink, ground, DIM.get(self._options.look, 0.0))
        if self._options.look in IN_SLOTS:
            for value in order:
                self._in_slot(surface, value, middle, marks, self._inner(stage), (ink, dim, ground), value == order[0])
            return
        places = marks.of(len(order))
        rotation = self._rotating.get(cell)
        share = min(max((now - rotation.since) / self._options.animate, 0.0), 1.0) if rotation else 1.0
        for index, value in reversed(list(enumerate(order))):
            mark, shade = places[index], 0.0 if index == 0 else 1.0
            if rotation:
                was = rotation.before.index(value)
                mark, shade = _between(places[was], mark, share), shade * share + (was > 0) * (1 - share)
            self._number(surface, value, middle, mark, mix(ink, dim, shade))

    def _in_slot(
        self,
        surface: pygame.Surface,
        value: int,
        middle: tuple[float, float],
        marks: Marks,
        inner: int,
        colours: tuple[Colour, Colour, Colour],
        active: bool,
    ) -> None:
        """A number in the place of its own; ``colours``: ink, that of numbers that are not active, the ground."""
        ink, dim, ground = colours
        mark = marks.slot(value, inner, active=active)
        if active and self._options.look == "patches":
            width, height = round(inner / marks.columns * PATCH), round(inner / marks.lines * PATCH)
            at = round(middle[0] + mark.right - width / 2), round(middle[1] + mark.down - height / 2)
            surface.blit(rounded(width, height, min(width, height) // 5, ink), at)
            ink = ground
        self._number(surface, value, middle, mark, ink if active else dim)

    def _number(
        self, surface: pygame.Surface, value: int, middle: tuple[float, float], mark: Mark, colour: Colour
    ) -> None:
        picture = number(self._options.glyphs, str(value), mark.height, colour)
        x, y = middle[0] + mark.right - picture.get_width() / 2, middle[1] + mark.down - picture.get_height() / 2
        surface.blit(picture, (round(x), round(y)))

    # Lights

    def _lights(self, surface: pygame.Surface, stage: Stage) -> None:
        """At the right of unfinished rows and below unfinished columns, in what room the window leaves there."""
        board, (rows, columns) = stage.board, self._play.unfinished
        ends = board.x + board.width, board.y + board.height
        room = min(stage.size[0] - ends[0], stage.size[1] - ends[1], round(stage.pitch * 0.4))
        width = max(min(round(stage.pitch * LIGHT), room - 4), 4)
        lit = _light(width, self._theme.accent, self._theme.wall)
        for r in rows:
            surface.blit(lit, _corner((ends[0] + room // 2, stage.cell((r, 0)).centre[1]), width))
        for c in columns:
            surface.blit(lit, _corner((stage.cell((0, c)).centre[0], ends[1] + room // 2), width))


def _corner(middle: tuple[int, int], width: int) -> tuple[int, int]:
    return middle[0] - width // 2, middle[1] - width // 2


def _between(a: Mark, b: Mark, share: float) -> Mark:
    def part(x: float, y: float) -> float:
        return x + (y - x) * share

    return Mark(part(a.right, b.right), part(a.down, b.down), round(part(a.height, b.height)))


@lru_cache(maxsize=32)
def _marks(look: str, style: str, size: int, most: int, pitch: int, inner: int) -> Marks:
    def measure(height: int) -> tuple[int, int]:
        return _extent(style, size, height)

    return arranged(look, size, most, pitch, inner, measure)


@lru_cache(maxsize=512)
def _extent(style: str, size: int, height: int) -> tuple[int, int]:
    """The width and the height of the widest and the highest number up to ``size``."""
    pictures = [number(style, str(n), height, (0, 0, 0)) for n in range(1, size + 1)]
    return max(one.get_width() for one in pictures), max(one.get_height() for one in pictures)


@lru_cache(maxsize=16)
def _light(width: int, colour: Colour, edge: Colour) -> pygame.Surface:
    def outer(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        pygame.draw.circle(canvas, ink, canvas.get_rect().center, width * scale / 2)

    def inner(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        pygame.draw.circle(canvas, ink, canvas.get_rect().center, width * scale * 0.38)

    picture = smooth(width, width, edge, outer)
    picture.blit(smooth(width, width, colour, inner), (0, 0))
    return picture
