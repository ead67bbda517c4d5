"""A level of Continuity as a match sees it: the engine, and setting it back. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autoplayer.arcade.continuity.engine import ZOOM, Engine
from autoplayer.arcade.live import Event
from autoplayer.arcade.play import MIDDLE, Happening, Spot
from autoplayer.core.frame import Cell
from autoplayer.games.continuity.puzzle import Level, format_puzzle


class Rooms:
    """One level being played; its cells are the tiles' places on the board. The mouse does nothing."""

    def __init__(self, level: Level, zoom: float = ZOOM) -> None:
        self.level = level
        self._zoom = zoom
        self.reset()

    @property
    def rows(self) -> int:
        return len(self.level.grid)

    @property
    def columns(self) -> int:
        return len(self.level.grid[0])

    @property
    def won(self) -> bool:
        return self.engine.won

    def text(self) -> str:
        return format_puzzle(self.level)

    def holds(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def press(self, cell: Cell, spot: Spot = MIDDLE) -> list[Happening]:
        return []

    def move(self, cell: Cell) -> list[Happening]:
        return []

    def release(self) -> list[Happening]:
        return []

    def key(self, key: str) -> list[Happening]:
        return []

    def reset(self) -> None:
        self.engine = Engine(self.level, self._zoom)

    def turn(self, clockwise: bool) -> None:
        raise NotImplementedError("rooms are never turned")

    def step(self, held: Collection[str]) -> Sequence[Event]:
        return self.engine.step(held)

    def tap(self, key: str) -> Sequence[Event]:
        return self.engine.press(key)
