"""A picture of a level, and of a plan: a sheet of numbered frames, one for each slide and one for each stretch that is
walked in a tile."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autoplayer.core.frame import Image
from autoplayer.games.continuity.blocks import DOOR, KEY, SOLID, SPIKES, Level
from autoplayer.games.continuity.puzzle import Puzzle, Solution, Step
from autoplayer.games.continuity.world import BLANK, DIRECTIONS, STEP, World
from autoplayer.games.drawing import INK, MOST_PIXELS, PAPER, Colour, font, sheet, shrunk

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

Dot = tuple[float, float]

ROOM: Colour = (246, 244, 236)
"""The ground of a tile."""
MOVED: Colour = (252, 226, 190)
"""The ground of a tile that has just been moved."""
WALL: Colour = (96, 92, 100)
KEYS: Colour = (230, 159, 0)
DOORS: Colour = (0, 158, 115)
FIGURE: Colour = (213, 94, 0)
WAY: Colour = (0, 114, 178)
"""Okabe and Ito's orange, green, vermilion and blue (2008), which people with any colour vision tell apart."""
THORNS: Colour = (150, 20, 60)
NOTHING: Colour = (214, 212, 206)
"""The rim of the empty place."""
ARROW: Colour = (222, 164, 84)
"""Which way a tile went."""

SMOOTH = 2
GAP = 0.04
"""Between tiles, as a share of a tile's width."""
TILE = 300
"""The width of a tile of a level alone; pixels."""
FRAME_TILE = 110
"""The width of a tile in a frame of a plan, at least; few frames have larger ones."""
SHEET = 1800
"""The width that a sheet would like to have."""
MOST_FRAMES = 240
"""The most frames of a plan that are drawn; the last one's caption says how many more there are, because a larger sheet
would not be looked at."""


@dataclass(frozen=True)
class _Frame:
    """What a frame shows: the arrangement, the figure's tile and place, the keys held, the places of the way there, a
    tile that moved with the side, and a caption."""

    cells: tuple[int, ...]
    tile: int
    place: str
    held: frozenset[str]
    way: tuple[tuple[int, str], ...] = ()
    moved: tuple[int, int] | None = None
    caption: str = ""


def draw(puzzle: Puzzle, solution: Solution | None = None) -> Image:
    """The level; with ``solution`` the sheet of its frames. Shape ``(height, width, 3)``, BGR. A plan that does not
    fit the level is drawn as far as it does."""
    world = puzzle.world
    rows, columns, cells = _board(world)
    first = _Frame(cells, world.places[world.start][0], world.places[world.start][1], frozenset())
    named = not isinstance(puzzle, Level)  # the places of rooms are seen in the picture
    frames = [first] if not solution else list(_frames(world, solution, first, named=named))
    tile = float(TILE)
    across = 1
    if solution:
        across = max(1, min(len(frames), 4))
        while (SHEET / across) / (columns + 0.3) > 2 * FRAME_TILE and across < len(frames):
            across += 1
        tile = max(FRAME_TILE, SHEET / across / (columns + 0.3))
    tile *= SMOOTH
    high = tile * _ratio(puzzle)
    margin, caption = tile * 0.12, tile * 0.3 if solution else 0.0
    width = columns * tile * (1 + GAP) + 2 * margin
    height = rows * high + rows * tile * GAP + 2 * margin + caption
    fitting = max(1, min(MOST_FRAMES, across * int(MOST_PIXELS / (across * width * height))))
    if len(frames) > fitting:
        more = f"{frames[fitting - 1].caption}; {len(frames) - fitting} more"
        frames = [*frames[: fitting - 1], replace(frames[fitting - 1], caption=more)]
    down = math.ceil(len(frames) / across)
    picture, pen = sheet(round(width * across), round(height * down))
    for number, frame in enumerate(frames):
        left, top = (number % across) * width + margin, (number // across) * height + margin
        if solution:
            pen.text((left, top), f"{number + 1}. {frame.caption}", fill=INK, font=font(round(tile * 0.1)))
        _Painter(pen, puzzle, left, top + caption, tile, high, columns).paint(frame)
    return shrunk(picture, SMOOTH)


def _board(world: World) -> tuple[int, int, tuple[int, ...]]:
    """Rows, columns and the tile in each cell; where there is no board, the tiles in a square, for the eye."""
    if world.board is not None:
        return world.board.rows, world.board.columns, world.board.cells
    columns = math.ceil(math.sqrt(len(world.tiles)))
    rows = math.ceil(len(world.tiles) / columns)
    return rows, columns, tuple(tile if tile < len(world.tiles) else BLANK for tile in range(rows * columns))


def _ratio(puzzle: Puzzle) -> float:
    """A tile's aspect ratio, height by width."""
    return puzzle.size[0] / puzzle.size[1] if isinstance(puzzle, Level) else 1.0


def _frames(world: World, solution: Sequence[Step], first: _Frame, *, named: bool = False) -> Iterator[_Frame]:
    """The frames of a plan, preceded by the start; as far as the steps name existing tiles. ``named``: captions name
    the place in a tile that is walked to."""
    yield _Frame(first.cells, first.tile, first.place, first.held, caption="start")
    columns = _board(world)[1]
    number = {name: at for at, name in enumerate(world.tiles)}
    cells, tile, place, held = list(first.cells), first.tile, first.place, set(first.held)
    way: list[tuple[int, str]] = []
    took: list[str] = []

    def caption(step: Step, after: Step | None) -> str:
        to = f" to {step.to}" if named else ""
        parts = [f"out of {step.tile} by the {step.side}, into {step.into}{to}"] if step.into else []
        parts += [] if step.into else [f"in {step.tile}{to}"]
        parts += [f"take {' and '.join(took)}"] if took else []
        parts += [f"at the door: {after.total} in all"] if after and after.do == "finish" else []
        return ", ".join(parts)

    for at, step in enumerate(solution):
        if step.tile not in number or (step.into and step.into not in number):
            return
        if step.do == "slide":
            moved, side = number[step.tile], DIRECTIONS.index(step.to) if step.to in DIRECTIONS else -1
            source = cells.index(moved) if moved in cells else -1
            target = source + STEP[side][0] * columns + STEP[side][1]
            if side < 0 or source < 0 or not 0 <= target < len(cells):
                return
            cells[source], cells[target] = cells[target], cells[source]
            told = f"slide {step.tile} {step.to}"
            yield _Frame(tuple(cells), tile, place, frozenset(held), moved=(moved, side), caption=told)
        elif step.do == "finish":
            if not at or solution[at - 1].do == "slide":
                yield _Frame(tuple(cells), tile, place, frozenset(held), caption=f"at the door: {step.total} in all")
        else:
            way = way or [(tile, place)]
            tile, place = number[step.into or step.tile], step.to
            way.append((tile, place))
            held.update(step.takes)
            took.extend(step.takes)
            after = solution[at + 1] if at + 1 < len(solution) else None
            if step.do == "cross" or after is None or after.do not in ("walk", "cross"):
                told = caption(step, after)
                yield _Frame(tuple(cells), tile, place, frozenset(held), tuple(way), caption=told)
                way, took = [], []


class _Painter:
    """Draws one board."""

    def __init__(
        self, pen: ImageDraw, puzzle: Puzzle, left: float, top: float, tile: float, high: float, columns: int
    ) -> None:
        self.pen, self.puzzle, self.columns = pen, puzzle, columns
        self.left, self.top, self.tile, self.high = left, top, tile, high
        self.line = max(2, round(tile / 90))

    def corner(self, cell: int) -> Dot:
        r, c = divmod(cell, self.columns)
        gap = self.tile * GAP
        return self.left + c * (self.tile + gap), self.top + r * (self.high + gap)

    def paint(self, frame: _Frame) -> None:
        for cell, tile in enumerate(frame.cells):
            if tile == BLANK:
                if frame.caption:  # a level alone is drawn as windows do
                    self._empty(cell, frame.moved)
                continue
            ground = MOVED if frame.moved and frame.moved[0] == tile else ROOM
            x, y = self.corner(cell)
            self.pen.rectangle((x, y, x + self.tile, y + self.high), fill=ground, outline=INK, width=self.line)
            if isinstance(self.puzzle, Level):
                self._room(self.puzzle, tile, x, y, frame)
            else:
                self._square(tile, x, y)
            name = self.puzzle.world.tiles[tile]
            at = (x + self.tile * 0.03, y + self.tile * 0.02)
            wall = isinstance(self.puzzle, Level) and self.puzzle.blocks[tile][0][0] == SOLID
            rim = self.line if frame.caption else 0  # read on any ground; a level alone is drawn as windows do
            colour = PAPER if wall or rim else INK
            lettering = font(round(self.tile * 0.12))
            self.pen.text(at, name, fill=colour, font=lettering, stroke_width=rim, stroke_fill=INK)
        if not isinstance(self.puzzle, Level):
            self._things(frame)
        dots = [dot for tile, place in frame.way if (dot := self.dot(frame, tile, place))]
        if len(dots) > 1:
            self.pen.line(dots, fill=WAY, width=2 * self.line, joint="curve")
            self._ring(dots[0])
        figure = self.dot(frame, frame.tile, frame.place)
        if figure:
            self._disc(figure, 0.045, FIGURE, slim=0.65)  # upright, as nothing else is

    def _room(self, level: Level, tile: int, x: float, y: float, frame: _Frame) -> None:
        rows, columns = level.size
        pitch_x, pitch_y = self.tile / columns, self.high / rows
        for r, row in enumerate(level.blocks[tile]):
            for c, mark in enumerate(row):
                box = (x + c * pitch_x, y + r * pitch_y, x + (c + 1) * pitch_x, y + (r + 1) * pitch_y)
                if mark == SOLID:
                    self.pen.rectangle(box, fill=WALL)
                elif mark == SPIKES:
                    self.pen.polygon([(box[0], box[3]), ((box[0] + box[2]) / 2, box[1]), (box[2], box[3])], fill=THORNS)
                elif mark == DOOR:
                    self.pen.rectangle(box, fill=DOORS)
                elif mark == KEY and not self._taken(level, tile, r, c, frame):
                    self._disc(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), 0.03, KEYS)

    @staticmethod
    def _taken(level: Level, tile: int, row: int, column: int, frame: _Frame) -> bool:
        keys = list(level.found(KEY))
        return f"key{keys.index((tile, row, column)) + 1}" in frame.held

    def _square(self, tile: int, x: float, y: float) -> None:
        """The letters of a square of the graph form, each at its side."""
        assert not isinstance(self.puzzle, Level)
        letters = self.puzzle.squares[tile][1]
        lettering = font(round(self.tile * 0.1))
        for side, letter in enumerate(letters):
            dr, dc = STEP[side]
            at = (x + self.tile * (0.5 + 0.36 * dc), y + self.high * (0.5 + 0.36 * dr))
            self.pen.text(at, letter, fill=WALL, font=lettering, anchor="mm")

    def _things(self, frame: _Frame) -> None:
        """Openings, keys and door of the graph form."""
        world = self.puzzle.world
        for tile, place in world.places:
            if dot := self.dot(frame, tile, place):
                self._disc(dot, 0.012, WALL)
        for name, places in zip(world.key_names, world.keys, strict=True):
            for at in places:
                if name not in frame.held and (dot := self.dot(frame, *world.places[at])):
                    self._disc(dot, 0.03, KEYS)
        for at in world.finish:
            if dot := self.dot(frame, *world.places[at]):
                size = self.tile * 0.06
                self.pen.rectangle((dot[0] - size, dot[1] - size, dot[0] + size, dot[1] + size), fill=DOORS)

    def _empty(self, cell: int, moved: tuple[int, int] | None) -> None:
        """The empty place, with an arrow where a tile has just left it."""
        x, y = self.corner(cell)
        inset = self.tile * 0.03
        box = (x + inset, y + inset, x + self.tile - inset, y + self.high - inset)
        self.pen.rectangle(box, outline=NOTHING, width=self.line)
        if moved is None:
            return
        down, right = STEP[moved[1]]
        middle, length = (x + self.tile / 2, y + self.high / 2), 0.3 * min(self.tile, self.high)
        tip = (middle[0] + right * length, middle[1] + down * length)
        self.pen.line([(middle[0] - right * length, middle[1] - down * length), tip], fill=ARROW, width=2 * self.line)
        wings = [
            (tip[0] - right * length / 2 + aside * down, tip[1] - down * length / 2 + aside * right)
            for aside in (-length / 2, length / 2)
        ]
        self.pen.line([wings[0], tip, wings[1]], fill=ARROW, width=2 * self.line, joint="curve")

    def _ring(self, at: Dot) -> None:
        """Where a way begins."""
        radius = self.tile * 0.025
        box = (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)
        self.pen.ellipse(box, fill=ROOM, outline=WAY, width=self.line)

    def _disc(self, at: Dot, share: float, colour: Colour, slim: float = 1.0) -> None:
        """``slim``: its width, as a share of its height."""
        radius = self.tile * share
        box = (at[0] - slim * radius, at[1] - radius, at[0] + slim * radius, at[1] + radius)
        self.pen.ellipse(box, fill=colour, outline=INK, width=max(1, self.line // 2))

    def dot(self, frame: _Frame, tile: int, place: str) -> Dot | None:
        """Where a place is in the picture; None where its tile does not lie on the board."""
        if tile not in frame.cells:
            return None
        x, y = self.corner(frame.cells.index(tile))
        inside = self.puzzle.where(tile, place)
        return x + inside[0] * self.tile, y + inside[1] * self.high
