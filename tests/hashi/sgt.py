"""The real program `sgt-bridges` for tests: started with a known game, and judged from its window by means that share
nothing with the reader. What is known here of its drawing was measured on the program's own window."""

from __future__ import annotations

import os
import shutil
import string
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import mss
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image, Point
from autoplayer.games.hashi.puzzle import Bridge, Link, Puzzle, Solution
from autoplayer.screen.windows import Window, list_windows
from autoplayer.screen.x11 import X11

PROGRAM = shutil.which("sgt-bridges") or shutil.which("sgt-bridges", path="/usr/games")
"""Debian puts games into a folder that is not on every PATH."""

OPEN_LIMIT = 120.0
"""Seconds in which the program shows its window; a machine that also runs other tests is slow."""

DARK = 60
"""Grey levels by which a channel of a line lies below the ground: black and red lines do, the white around a locked
island's lines does not."""

LIGHT = 12
"""Grey levels by which every channel of a locked island's inside lies above the ground."""

PAST_RING = 0.7
"""Of the pitch, from an island's middle: the rings end at 0.62, a double bridge that crosses begins at 0.77."""

needs_program = pytest.mark.skipif(
    PROGRAM is None, reason="sgt-bridges is not installed (apt-get install sgt-puzzles), so it cannot be played"
)


def describe(seed: str) -> str:
    """The game that the program makes of ``params#seed``, as ``params:description``."""
    assert PROGRAM is not None
    done = subprocess.run([PROGRAM, "--generate", "1", seed], capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.strip()


def decode(game: str) -> Puzzle:
    """The puzzle of ``WxH…:description``: digits are islands, a letter is so much water, row after row.

    >>> decode("3x2m2:2a2c").rows
    ((2, 0, 2), (0, 0, 0))
    """
    size, _, description = game.partition(":")
    width = int(size.partition("x")[0])
    height = int("".join(c for c in size.partition("x")[2].partition("m")[0] if c.isdigit()))
    flat: list[int] = []
    for character in description:
        flat += [int(character)] if character.isdigit() else [0] * (string.ascii_lowercase.index(character) + 1)
    assert len(flat) == width * height, f"{game} does not fill {width} by {height}"
    return Puzzle(tuple(tuple(flat[r * width : (r + 1) * width]) for r in range(height)))


@dataclass
class Bridges:
    """A running window of the program, and the puzzle that it was started with."""

    window: Window
    process: subprocess.Popen[bytes]
    puzzle: Puzzle
    tile: int
    """Pixels from place to place when the window opened."""

    def now(self) -> Window:
        """The window as it is now."""
        return next(w for w in list_windows() if w.id == self.window.id)

    def resize(self, factor: int) -> None:
        """Make the window so many times as wide and high, as a hand at its corner would; the board grows with it."""
        system = X11()
        try:
            wide, high = factor * self.window.area.width, factor * self.window.area.height
            system.display.create_resource_object("window", self.window.id).configure(width=wide, height=high)
            system.display.sync()
        finally:
            system.close()
        end = time.monotonic() + OPEN_LIMIT
        while self.now().area.width != wide:
            assert time.monotonic() < end, "the window was not resized"
            time.sleep(0.02)

    def geometry(self) -> tuple[int, Point]:
        """The pitch in pixels, and the middle of the place (0, 0) in window pixels ``(x, y)``.

        Below the menu the program draws as large as whole pixels allow, in the middle, with half a place around.
        """
        columns, rows = self.puzzle.width + 1, self.puzzle.height + 1
        menu = self.window.area.height - rows * self.tile
        area = self.now().area
        tile = min(area.width // columns, (area.height - menu) // rows)
        left = (area.width - columns * tile) // 2
        top = menu + (area.height - menu - rows * tile) // 2
        return tile, (left + tile, top + tile)

    def middle(self, cell: Cell) -> Point:
        """Where the island ``cell`` has its middle, in window pixels."""
        return place(cell, self.geometry())

    def grab(self) -> Image:
        area = self.now().area
        with mss.MSS() as screen:
            shot = screen.grab({"left": area.x, "top": area.y, "width": area.width, "height": area.height})
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(area.height, area.width, 4)
        return np.ascontiguousarray(pixels[:, :, :3])

    def links(self) -> Mapping[Bridge, int]:
        """How many lines cross a cut through each bridge's place, just outside each of its islands: away from where
        other bridges cross."""
        image, geometry = self.grab().astype(int), self.geometry()  # once: the window system is slow to ask
        ground, tile = np.median(image.reshape(-1, 3), axis=0), geometry[0]
        reach, past = tile * 3 // 10, round(PAST_RING * tile)
        found: dict[Bridge, int] = {}
        for bridge in self.puzzle.bridges:
            (x1, y1), (x2, y2) = place(bridge.a, geometry), place(bridge.b, geometry)
            if y1 == y2:
                cuts = [image[y1 - reach : y1 + reach + 1, x] for x in (x1 + past, x2 - past)]
            else:
                cuts = [image[y, x1 - reach : x1 + reach + 1] for y in (y1 + past, y2 - past)]
            dark = [(ground - cut).max(axis=1) > DARK for cut in cuts]
            found[bridge] = min(int((line[1:] & ~line[:-1]).sum() + line[0]) for line in dark)
        return found

    def locked(self) -> list[Cell]:
        """The islands that are marked as finished: they are filled with white, which is lighter than the ground."""
        image, geometry = self.grab().astype(int), self.geometry()
        ground, reach = np.median(image.reshape(-1, 3), axis=0), geometry[0] * 3 // 10
        found = []
        for cell in self.puzzle.islands:
            x, y = place(cell, geometry)
            inside = image[y - reach : y + reach + 1, x - reach : x + reach + 1].reshape(-1, 3)
            if ((inside - ground).min(axis=1) > LIGHT).mean() > 0.3:
                found.append(cell)
        return found

    def solution(self) -> Solution:
        """What stands in the window, for the checker."""
        return tuple(Link(bridge.a, bridge.b, n) for bridge, n in self.links().items() if n)


def place(cell: Cell, geometry: tuple[int, Point]) -> Point:
    """Where ``cell`` has its middle in a window of such a :meth:`Bridges.geometry`, in window pixels ``(x, y)``."""
    tile, (x, y) = geometry
    return x + cell[1] * tile, y + cell[0] * tile


@contextmanager
def bridges(game: str, tile: int = 32) -> Iterator[Bridges]:
    """The program with ``game`` (``params:description``, or ``params#seed``) on the display that DISPLAY names."""
    if PROGRAM is None:
        pytest.skip("sgt-bridges is not installed (apt-get install sgt-puzzles)")
    game = game if ":" in game else describe(game)
    puzzle = decode(game)
    environment = {**os.environ, "BRIDGES_TILESIZE": str(tile), "NO_AT_BRIDGE": "1"}
    process = subprocess.Popen([PROGRAM, game], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + OPEN_LIMIT
        while True:
            found = [w for w in list_windows() if w.title == "Bridges" and w.visible and w.pid == process.pid]
            if found and found[0].area.width == (puzzle.width + 1) * tile:
                opened = Bridges(found[0], process, puzzle, tile)
                if opened.grab().std() > 1:  # it has drawn itself
                    yield opened
                    return
            assert process.poll() is None, "sgt-bridges ended before it showed"
            assert time.monotonic() < end, "sgt-bridges did not show"
            time.sleep(0.02)
    finally:
        process.terminate()
        process.wait(OPEN_LIMIT)
