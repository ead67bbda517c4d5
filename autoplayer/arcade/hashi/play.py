"""Hashi as it is played by hand: drags, clicks, keys. Pure; no pixels and no time.

The habits are those of the windows that people know. ``drag``: from island to island, each adds a link, and the third
takes both away. ``side``: a click beside an island, towards its neighbour, adds one; the right button takes one away.
``pair``: a click on one island, then on the other, as a drag. ``keys``: the arrows go from island to island; while
space holds one, an arrow adds a link that way. A bridge that would cross another is refused; an island may get more
links than its number.
"""

from __future__ import annotations

from collections.abc import Callable

from autoplayer.arcade.play import MIDDLE, RIGHT, Happening, Spot
from autoplayer.core.frame import Cell
from autoplayer.games.hashi.puzzle import MOST_LINKS, Link, Puzzle, Solution, check, format_puzzle

DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

AIM = 0.15
"""So far from an island's middle, as a share of the pitch, a click beside it says in which direction; nearer to the
middle it says none."""


class Islands:
    """One board. ``links`` holds, for each of the puzzle's bridges, how many links stand there.

    ``drops()`` is asked at each link that would be added or taken away, and says whether the window loses it.
    """

    def __init__(self, puzzle: Puzzle, drops: Callable[[], bool] = lambda: False, controls: str = "drag") -> None:
        self.puzzle, self.controls = puzzle, controls
        self._drops = drops
        self.links = [0] * len(puzzle.bridges)
        self.chosen: Cell | None = None
        """The island that a drag began at, that the first of two clicks was on, or that space holds."""
        self.over: Cell | None = None
        """Where the pointer of a drag is."""
        self.cursor: Cell = next(iter(puzzle.islands))
        """The island that the keys speak of."""
        self._won: bool | None = None

    @property
    def rows(self) -> int:
        return self.puzzle.height

    @property
    def columns(self) -> int:
        return self.puzzle.width

    @property
    def solution(self) -> Solution:
        """What stands, in the form that the checker takes."""
        return tuple(
            Link(*bridge, links) for bridge, links in zip(self.puzzle.bridges, self.links, strict=True) if links
        )

    @property
    def won(self) -> bool:
        if self._won is None:
            self._won = not check(self.puzzle, self.solution)
        return self._won

    def has(self, island: Cell) -> int:
        """How many links the island has."""
        return sum(self.links[k] for k in self.puzzle.at[island])

    def text(self) -> str:
        return format_puzzle(self.puzzle)

    def holds(self, cell: Cell) -> bool:
        """Water belongs to the board too: clicks beside an island are on it."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    # The hand

    def press(self, cell: Cell, spot: Spot = MIDDLE) -> list[Happening]:
        if self.controls == "side":
            return self._side(cell, spot)
        if spot.button == RIGHT:
            return []
        if cell not in self.puzzle.islands:
            self.chosen = None
            return [Happening("missed", cell)]
        if self.controls == "pair":
            return self._second(cell)
        self.chosen = self.over = cell
        return []

    def move(self, cell: Cell) -> list[Happening]:
        self.over = cell
        return []

    def release(self) -> list[Happening]:
        if self.controls != "drag":
            return []
        begun, ended = self.chosen, self.over
        self.chosen = self.over = None
        if begun is None or ended is None or ended == begun:
            return []
        return self._between(begun, ended)

    def key(self, key: str) -> list[Happening]:
        if key == "space":
            self.chosen = None if self.chosen == self.cursor else self.cursor
            return [Happening("selected", self.cursor)] if self.chosen else [Happening("deselected", self.cursor)]
        if key == "tab":
            islands = list(self.puzzle.islands)
            self.chosen, self.cursor = None, islands[(islands.index(self.cursor) + 1) % len(islands)]
            return [Happening("selected", self.cursor)]
        if key not in DIRECTIONS:
            return []
        found = self._towards(self.cursor, *DIRECTIONS[key])
        if found is None:
            return [Happening("illegal", self.cursor, by="no neighbour")]
        if self.chosen == self.cursor:
            return self._cycle(found)
        a, b = self.puzzle.bridges[found]
        self.cursor = b if a == self.cursor else a
        return [Happening("selected", self.cursor)]

    def reset(self) -> None:
        self.links = [0] * len(self.links)
        self.chosen = self.over = None
        self._won = None

    def turn(self, clockwise: bool) -> None:
        raise NotImplementedError("a board of islands is never turned")

    # The ways to control it

    def _second(self, cell: Cell) -> list[Happening]:
        """``pair``: a click on an island."""
        first = self.chosen
        if first is None or not self._pair(first, cell):
            self.chosen = None if first == cell else cell
            return [Happening("deselected" if first == cell else "selected", cell)]
        self.chosen = None
        return self._between(first, cell)

    def _side(self, cell: Cell, spot: Spot) -> list[Happening]:
        """``side``: a click beside an island, or anywhere on the way to its neighbour."""
        aimed = self._aimed(cell, spot)
        if aimed is None:
            return [Happening("missed", cell)]
        if spot.button == RIGHT:
            return self._set(aimed, self.links[aimed] - 1)
        return self._set(aimed, self.links[aimed] + 1)

    def _aimed(self, cell: Cell, spot: Spot) -> int | None:
        """The bridge that a click speaks of."""
        if cell in self.puzzle.islands:
            if max(abs(spot.right), abs(spot.down)) < AIM:
                return None
            if abs(spot.right) > abs(spot.down):
                return self._towards(cell, 0, 1 if spot.right > 0 else -1)
            return self._towards(cell, 1 if spot.down > 0 else -1, 0)
        row, column = cell[0] + spot.down, cell[1] + spot.right
        near: list[tuple[float, int]] = []
        for k, (a, b) in enumerate(self.puzzle.bridges):
            if (a[0] == b[0] == cell[0] and a[1] < cell[1] < b[1]) or (
                a[1] == b[1] == cell[1] and a[0] < cell[0] < b[0]
            ):
                near.append((min(abs(row - r) + abs(column - c) for r, c in (a, b)), k))
        return min(near)[1] if near else None

    def _towards(self, island: Cell, down: int, right: int) -> int | None:
        """The bridge that leaves an island in this direction."""
        for k in self.puzzle.at[island]:
            a, b = self.puzzle.bridges[k]
            other = b if a == island else a
            if (other[0] - island[0]) * down > 0 or (other[1] - island[1]) * right > 0:
                return k
        return None

    def _pair(self, a: Cell, b: Cell) -> list[int]:
        """The bridge between two islands, if they are neighbours."""
        return [k for k in self.puzzle.at[a] if {*self.puzzle.bridges[k]} == {a, b}]

    def _between(self, a: Cell, b: Cell) -> list[Happening]:
        """A further link between two places: one, two, none."""
        if b not in self.puzzle.islands:
            return [Happening("missed", b)]
        found = self._pair(a, b)
        if not found:
            return [Happening("illegal", a, to=b, by="no neighbours")]
        return self._cycle(found[0])

    def _cycle(self, k: int) -> list[Happening]:
        return self._set(k, (self.links[k] + 1) % (MOST_LINKS + 1))

    def _set(self, k: int, links: int) -> list[Happening]:
        a, b = self.puzzle.bridges[k]
        if not 0 <= links <= MOST_LINKS:
            return [Happening("illegal", a, to=b, by="no link left" if links < 0 else "two links already")]
        if links and any(self.links[other] for other in self.puzzle.crossings[k]):
            return [Happening("illegal", a, to=b, by="crossing")]
        if self._drops():
            return [Happening("dropped", a, to=b)]
        self.links[k] = links
        self._won = None
        return [Happening("link", a, to=b, links=links)]
