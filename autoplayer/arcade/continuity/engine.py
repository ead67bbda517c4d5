"""Continuity as it is played by hand: the figure's walk, jumps and falls, tiles that slide, keys, the door, death and
return. It advances in fixed steps and knows neither pixels nor a clock.

The physics are this room's own. They keep to the constants of the level (``Physics``), and nothing else of the planner.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from math import ceil, floor
from typing import Any, NamedTuple

from autoplayer.arcade.live import STEP, Event
from autoplayer.games.continuity.puzzle import DOOR, KEY, SOLID, SPIKES, START, Level

ZOOM = 0.3
"""Seconds from one view to the other."""
REACH = 0.15
"""Keys, door and spikes count from this share of a cell inside their edge."""
DYING = 30
"""Steps from a death to the return."""
PATIENCE = 6
"""Steps for which a press of the jump key before a landing still counts."""
MOST_WAITING = 8
"""Presses that are remembered while tiles or views are moving."""
FARTHEST = 0.4
"""Cells that the figure moves between two looks at the walls."""
THIN = 1e-6

BLANK = -1
SIDES = ("left", "right", "top", "bottom")
WAYS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
"""``(rows, columns)`` that a tile moves by, or where the tile beyond a side lies."""
BEYOND = {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}
WALK, SLIDE = "walk", "slide"

Grid = tuple[tuple[bool, ...], ...]
"""Rows of cells of a tile."""


class Thing(NamedTuple):
    """A key or the door, in a cell of a tile."""

    tile: int
    row: int
    column: int


class Sliding(NamedTuple):
    """A tile on its way into the empty place: it already counts as there. ``left``: the share of the way that is left,
    1 to 0."""

    tile: int
    way: str
    left: float


class Engine:
    """One level being played.

    ``tile``, ``x``, ``y``: the figure; the middle of its feet in cells from the top left corner of its tile.
    ``falling``: cells a second downwards. ``cells``: rows of tile numbers from 0, ``BLANK`` for the empty place.
    ``zoom``: 0 in the walking view, 1 in the sliding view. ``taken``: the numbers of the keys that it has.
    ``dying``: steps until it returns, 0 while it lives.
    """

    def __init__(self, level: Level, zoom: float = ZOOM) -> None:
        """``zoom``: seconds that the change of views takes; 0 also lets tiles jump into their places."""
        self.level, self.physics = level, level.physics
        self.height, self.width = level.size
        self._zoom_step = STEP / zoom if zoom else 1.0
        slide = level.physics.slide if zoom else 0.0
        self._slide_step = STEP / slide if slide else 1.0
        self._solid = [_grid(block, SOLID) for block in level.blocks]
        self._spikes = [_grid(block, SPIKES) for block in level.blocks]
        columns = level.board.columns
        flat = level.board.cells
        self.cells = [list(flat[at : at + columns]) for at in range(0, len(flat), columns)]
        self.keys = [Thing(*found) for found in level.found(KEY)]
        (self.door,) = (Thing(*found) for found in level.found(DOOR))
        self.taken: set[int] = set()
        self.view, self.zoom = WALK, 0.0
        self.sliding: Sliding | None = None
        self._waiting: deque[str] = deque()
        tile, row, column = next(level.found(START))
        self.tile, self.x, self.y = tile, column + 0.5, row + 1.0
        self.falling = 0.0
        self.grounded = False
        self.facing = 1
        self.walking = False
        self._safe = (self.tile, self.x, self.y)
        self._new_here = True
        self._up_was_held = False
        self._wish = 0
        self.dying = 0
        self.deaths = 0
        self.won = False
        self.steps = 0
        self._meet()

    # What may be asked

    @property
    def dead(self) -> bool:
        """Whether it has died and not yet returned."""
        return self.dying > 0

    @property
    def open(self) -> bool:
        """Whether the door is open."""
        return len(self.taken) == len(self.keys)

    @property
    def still(self) -> bool:
        """Whether no tile and no view is on its way."""
        return self.sliding is None and not self._waiting and self.zoom == (self.view == SLIDE)

    def place(self, tile: int) -> tuple[int, int]:
        """``(row, column)`` of a tile on the board."""
        return next((r, c) for r, row in enumerate(self.cells) for c, each in enumerate(row) if each == tile)

    def beyond(self, tile: int, side: str) -> int | None:
        """The tile at a side, where the two sides match; None where nobody passes."""
        return self._beyond[tile, side]

    # What a person does

    def press(self, key: str) -> list[Event]:
        """Space, or an arrow in the sliding view. It is obeyed at once, or after what is on its way."""
        if (key != "space" and self._last_view == WALK) or self.won:
            return []
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(key)
        return self._obey()

    @property
    def _last_view(self) -> str:
        """The view after all presses that wait."""
        spaces = self._waiting.count("space")
        return self.view if spaces % 2 == 0 else WALK if self.view == SLIDE else SLIDE

    def _obey(self) -> list[Event]:
        found = []
        while self._waiting and self.sliding is None and not self.dead:
            key = self._waiting[0]
            if key == "space":
                self.view = WALK if self.view == SLIDE else SLIDE
                found.append(Event("view", {"view": self.view}))
            elif self.zoom < 1:
                break
            else:
                found.append(self._slide(key))
            self._waiting.popleft()
        return found

    def _slide(self, way: str) -> Event:
        row, column = self.place(BLANK)
        dr, dc = WAYS[way]
        r, c = row - dr, column - dc
        if not (0 <= r < len(self.cells) and 0 <= c < len(self.cells[0])):
            return Event("illegal", {"slide": way})
        tile = self.cells[r][c]
        self.cells[row][column], self.cells[r][c] = tile, BLANK
        self.sliding = Sliding(tile, way, 1.0)
        self._meet()
        return Event(
            "slide",
            {"tile": str(tile + 1), "to": way, "from_cell": [r, c], "cell": [row, column], "board": self.numbers()},
        )

    def numbers(self) -> list[list[int]]:
        """The board as tiles' numbers from 1, 0 for the empty place."""
        return [[tile + 1 for tile in row] for row in self.cells]

    # What time does

    def step(self, held: Collection[str] = ()) -> list[Event]:
        """Advance by one step with these of the keys ``left``, ``right`` and ``up`` held."""
        if self.won:
            return []
        self.steps += 1
        free = self._free
        self._animate()
        found = self._obey()
        up = "up" in held
        if not free:
            self._wish = 0
        else:
            self._wish = PATIENCE if up and not self._up_was_held else max(self._wish - 1, 0)
        self._up_was_held = up
        if self.dead:
            self.dying -= 1
            return found if self.dead else [*found, self._return()]
        if free and self._free:
            found += self._move(held)
        return found

    @property
    def _free(self) -> bool:
        """Whether the figure may move."""
        return self.view == WALK and self.zoom == 0 and self.sliding is None

    def _animate(self) -> None:
        target = 1.0 if self.view == SLIDE else 0.0
        change = min(abs(target - self.zoom), self._zoom_step)
        self.zoom = round(self.zoom + (change if target > self.zoom else -change), 9)
        if self.sliding is not None:
            left = self.sliding.left - self._slide_step
            self.sliding = self.sliding._replace(left=left) if left > THIN else None

    def _move(self, held: Collection[str]) -> list[Event]:
        found: list[Event] = []
        way = ("right" in held) - ("left" in held)
        self.walking = way != 0
        self.facing = way or self.facing
        if self._wish and self.grounded:
            self._wish = 0
            self.falling = -self.physics.jump_speed
            self.grounded = False
            found.append(Event("jumped", self.where()))
        fastest = max(self.physics.walk, self.physics.fall, self.physics.jump_speed)
        pieces = ceil(fastest * STEP / FARTHEST)
        for _ in range(pieces):
            self._piece(way * self.physics.walk, STEP / pieces, found)
            if self.dead or self.won:
                break
        return found

    def where(self) -> dict[str, Any]:
        """The figure, for the log: its tile's number, and the middle of its feet in cells."""
        return {"tile": str(self.tile + 1), "x": round(self.x, 3), "y": round(self.y, 3)}

    def _piece(self, speed: float, seconds: float, found: list[Event]) -> None:
        """A piece of a step: along, then down or up, then what it meets."""
        before = self.falling
        self.falling = min(before + self.physics.gravity * seconds, self.physics.fall)
        if speed:
            self._along(speed * seconds)
        was = self.grounded
        fallen = self.falling
        # The mean of the speeds before and after makes jumps as high as they should be.
        self._upright((before + self.falling) / 2 * seconds)
        if self.grounded and not was:
            found.append(Event("landed", {**self.where(), "falling": round(fallen, 3)}))
        left = self.tile
        if not self._cross():
            found.append(self._die("fell"))
            return
        if self.tile != left:
            self._new_here = True
            found.append(Event("entered", self.where()))
        if self.grounded and self._new_here:
            self._new_here = False
            self._safe = (self.tile, self.x, self.y)
        if self._any(self._spikes, self.x, self.y, REACH):
            found.append(self._die("spikes"))
            return
        self._take(found)

    def _along(self, by: float) -> None:
        half = self.physics.width / 2
        to = self.x + by
        if self._any(self._solid, to, self.y):
            wall = floor(to + half - THIN) - half if by > 0 else floor(to - half + THIN) + 1 + half
            # Up to the wall, where nothing else is in the way there.
            nearer = self.x <= wall <= to if by > 0 else to <= wall <= self.x
            to = wall if nearer and not self._any(self._solid, wall, self.y) else self.x
        self.x = to

    def _upright(self, by: float) -> None:
        to = self.y + by
        self.grounded = False
        if self._any(self._solid, self.x, to):
            if by >= 0:
                self.grounded = True
                to = max(float(floor(to)), self.y)
            else:
                to = min(floor(to - self.physics.height + THIN) + 1 + self.physics.height, self.y)
            self.falling = 0.0
        self.y = to

    def _cross(self) -> bool:
        """Go over to the next tile where the figure's middle has left its own; False where it falls out below."""
        middle = self.y - self.physics.height / 2
        if middle < 0 and self.beyond(self.tile, "top") is None:
            # Its head may look out of a tile, the figure does not leave it.
            self.y, self.falling = self.physics.height / 2, max(self.falling, 0.0)
            middle = 0.0
        for side, out, dx, dy in (
            ("left", self.x < 0, self.width, 0),
            ("right", self.x > self.width, -self.width, 0),
            ("top", middle < 0, 0, self.height),
            ("bottom", middle > self.height, 0, -self.height),
        ):
            if not out:
                continue
            other = self.beyond(self.tile, side)
            if other is None:
                return False
            self.tile, self.x, self.y = other, self.x + dx, self.y + dy
            break
        return True

    def _take(self, found: list[Event]) -> None:
        for number, key in enumerate(self.keys):
            if number not in self.taken and self._touches(key):
                self.taken.add(number)
                held = len(self.taken)
                found.append(Event("key", {"key": f"key{number + 1}", "held": held, "of": len(self.keys)}))
        if self.open and self._touches(self.door):
            self.won = True

    def _touches(self, thing: Thing) -> bool:
        half = self.physics.width / 2
        across = self.x + half > thing.column + REACH and self.x - half < thing.column + 1 - REACH
        upright = self.y > thing.row + REACH and self.y - self.physics.height < thing.row + 1 - REACH
        return thing.tile == self.tile and across and upright

    def _die(self, reason: str) -> Event:
        self.deaths += 1
        self.dying = DYING
        self._waiting.clear()
        return Event("died", {"reason": reason, "deaths": self.deaths, **self.where()})

    def _return(self) -> Event:
        self.tile, self.x, self.y = self._safe
        self.falling, self.grounded, self._wish = 0.0, False, 0
        self._fit()
        return Event("returned", self.where())

    # What is where

    def _meet(self) -> None:
        """Which sides match, now that tiles have moved: equal cell for cell, and not all wall."""
        self._beyond: dict[tuple[int, str], int | None] = {}
        rows, columns = len(self.cells), len(self.cells[0])
        for r, row in enumerate(self.cells):
            for c, tile in enumerate(row):
                for side, opposite in zip(SIDES, ("right", "left", "bottom", "top"), strict=True):
                    y, x = r + BEYOND[side][0], c + BEYOND[side][1]
                    other = self.cells[y][x] if 0 <= y < rows and 0 <= x < columns else BLANK
                    matches = BLANK not in (tile, other)
                    if matches:
                        edge = _edge(self._solid[tile], side)
                        matches = edge == _edge(self._solid[other], opposite) and not all(edge)
                    self._beyond[tile, side] = other if matches else None
        self._fit()

    def _fit(self) -> None:
        """A figure that stood across a side stands before it when the next tile has gone."""
        half = self.physics.width / 2
        if self.beyond(self.tile, "left") is None:
            self.x = max(self.x, half)
        if self.beyond(self.tile, "right") is None:
            self.x = min(self.x, self.width - half)

    def _any(self, grids: list[Grid], x: float, y: float, inner: float = THIN) -> bool:
        """Whether solid cells, or spikes, are in the figure's box, made smaller by ``inner`` on each side."""
        half, tall = self.physics.width / 2, self.physics.height
        columns = range(floor(x - half + inner), ceil(x + half - inner))
        rows = range(floor(y - tall + inner), ceil(y - inner))
        return any(self._filled(grids, r, c) for r in rows for c in columns)

    def _filled(self, grids: list[Grid], row: int, column: int) -> bool:
        """A cell of the figure's tile, or beyond its sides. Left and right sides that do not match are walls; above and
        below such a side all is as in the last row."""
        tile, height, width = self.tile, self.height, self.width
        if 0 <= row < height and 0 <= column < width:
            return grids[tile][row][column]
        if not 0 <= column < width:
            beside = self.beyond(tile, "left" if column < 0 else "right")
            if beside is None:
                return grids is self._solid
            if 0 <= row < height:
                return grids[beside][row][min(max(column - (width if column > 0 else -width), 0), width - 1)]
            column = min(max(column, 0), width - 1)
        other = self.beyond(tile, "top" if row < 0 else "bottom")
        if other is None:
            return grids[tile][min(max(row, 0), height - 1)][column]
        return grids[other][min(max(row + (height if row < 0 else -height), 0), height - 1)][column]


def _grid(block: tuple[str, ...], mark: str) -> Grid:
    return tuple(tuple(character == mark for character in row) for row in block)


def _edge(grid: Grid, side: str) -> tuple[bool, ...]:
    if side in ("top", "bottom"):
        return grid[0 if side == "top" else -1]
    return tuple(row[0 if side == "left" else -1] for row in grid)
