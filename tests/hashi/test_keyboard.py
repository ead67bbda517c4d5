"""Hashi by keys that must be found out: simulated windows with a cursor, each with its own way to build bridges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, check
from autoplayer.games.hashi.seeing.between.remaining import may_remain
from autoplayer.layout import Layout
from tests.hashi.test_player import PUZZLE, Window, known, session

ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
COMPASS = {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}


@dataclass
class KeyWindow(Window):
    """``hops``: the cursor goes from island to island, else from place to place. ``style``: how a bridge is built.
    ``ways``: the keys that move. ``hidden``: no cursor shows before a key was pressed."""

    hops: bool = False
    style: str = "shift"
    hidden: bool = False

    def __post_init__(self) -> None:
        self.controls = "none"
        super().__post_init__()
        self.ways = ARROWS
        self.at: Cell = next(iter(self.puzzle.islands)) if self.hops else (0, 0)
        self.held: Cell | None = None
        self.shown = not self.hidden

    def image(self) -> Image:
        picture = super().image().copy()
        if self.shown:
            (r, c), half = self.at, round(0.47 * self.pitch)
            middle = (c + 1) * self.pitch, (r + 1) * self.pitch
            colour = (40, 160, 40) if self.held else (40, 40, 220)
            corners = (middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half)
            cv2.rectangle(picture, *corners, colour, 3)
        return picture

    def press(self, keys: Sequence[str]) -> None:
        for key in keys:
            self.shown = True
            *held, last = key.split("+")
            self._pressed("+".join(held), last)

    def _pressed(self, modifier: str, key: str) -> None:
        way = self.ways.get(key)
        if self.style in ("shift", "ctrl"):
            if way and modifier == self.style:
                self._build(self.at, way)
            elif way and not modifier:
                self._move(way)
        elif modifier:
            return
        elif self.style == "compass":
            if key in COMPASS:
                self._build(self.at, COMPASS[key])
            elif way:
                self._move(way)
        elif key == self.style.split()[0]:
            if self.style.endswith("both"):
                self._join()
            else:
                self.held = None if self.held else self.at
        elif way and self.held and not self.style.endswith("both"):
            self._build(self.held, way)
            self.held = None if self.style.endswith("once") else self.held
        elif way:
            self._move(way)

    def _join(self) -> None:
        """The second of two islands is pressed."""
        if self.at not in self.puzzle.islands:
            return
        one, self.held = (None, self.at) if self.held is None else (self.held, None)
        pair = tuple(sorted((one, self.at))) if one else ()
        if pair in self.puzzle.bridges:
            self._add(Bridge(*pair))

    def _move(self, way: Cell) -> None:
        to = self._next(self.at, way) if self.hops else (self.at[0] + way[0], self.at[1] + way[1])
        if to is not None and 0 <= to[0] < self.puzzle.height and 0 <= to[1] < self.puzzle.width:
            self.at = to

    def _next(self, cell: Cell, way: Cell) -> Cell | None:
        r, c = cell[0] + way[0], cell[1] + way[1]
        while 0 <= r < self.puzzle.height and 0 <= c < self.puzzle.width:
            if (r, c) in self.puzzle.islands:
                return r, c
            r, c = r + way[0], c + way[1]
        return None

    def _build(self, cell: Cell, way: Cell) -> None:
        to = self._next(cell, way)
        if cell in self.puzzle.islands and to is not None:
            self._add(Bridge(*sorted((cell, to))))

    def _add(self, bridge: Bridge) -> None:
        k = self.puzzle.bridges.index(bridge)
        links = list(self.islands.links)
        if not any(links[other] for other in self.puzzle.crossings[k]):
            links[k] = (links[k] + 1) % 3
            self.islands.links = links


@pytest.mark.parametrize(
    ("style", "hops", "hidden"),
    [
        ("shift", False, False),
        ("ctrl", True, True),
        ("compass", False, False),
        ("enter", True, False),  # holds on until it is pressed again
        ("space once", True, False),
        ("space both", False, False),
        ("space both", True, False),
    ],
)
def test_the_keys_that_build_are_found_out_and_remembered(style: str, hops: bool, hidden: bool) -> None:
    """Of terminals, and of games for keyboards: nothing but the mouse was tried."""
    window = KeyWindow(PUZZLE, hops=hops, style=style, hidden=hidden)
    status, error, learned = session(window)
    assert (status, error) == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []
    assert learned.controls == "keys"
    assert learned.keys.bridge == {"compass": "e"}.get(style, style.split(maxsplit=1)[0])


def test_a_layout_may_say_that_keys_are_pressed() -> None:
    window = KeyWindow(PUZZLE, hops=True, style="shift")
    assert session(window, known("keys"))[:2] == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []
    assert all(type(gesture).__name__ == "Keys" for gesture in window.gestures)


def test_links_that_are_too_much_are_taken_away_by_keys() -> None:
    window = KeyWindow(PUZZLE, style="shift")
    solution = GAME.solve(PUZZLE, time_limit=5).solution
    assert solution is not None
    singles = [Bridge(a, b) for a, b, n in solution if n == 1]
    # A single bridge that is wrong may also tell that the numbers count down.
    window.set({next(one for one in singles if not may_remain(PUZZLE, {one: 2})): 2})
    assert session(window, Layout(game="hashi"))[:2] == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []
