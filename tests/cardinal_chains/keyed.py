"""Plays a drawn window by the keys and clicks that the player plans, as a session does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Image, Point
from autoplayer.core.gestures import Click, Keys
from autoplayer.games.base import Progress, Reading
from autoplayer.games.cardinal_chains.player import plan, progress
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle, Solution, parse
from autoplayer.layout import Layout

MOST_MOVES = 120


class Pressable(Protocol):
    """A window that hears keys, and perhaps clicks."""

    def press(self, key: str) -> None: ...

    def click(self, at: Point) -> None:
        """What does nothing in most of these windows."""

    def image(self) -> Image: ...


INKS = ((230, 120, 60), (80, 80, 230), (90, 190, 60))


class Board(Pressable):
    """A window of squares that takes each key at once and knows no way back but to begin anew. ``keys``: for up, down,
    left, right; ``following``: chooses the next chain."""

    def __init__(self, rows: list[str], keys: Sequence[str], following: str) -> None:
        self.rows = [row.split() for row in rows]
        self.cells = parse("\n".join(rows)).cells
        self.ways = dict(zip(keys, ((-1, 0), (1, 0), (0, -1), (0, 1)), strict=True))
        self.following = following
        self.restart()

    def restart(self) -> None:
        self.chains: list[list[Cell]] = [[cell] for cell, value in self.cells.items() if value == START]
        self.active = 0

    def press(self, key: str) -> None:
        if key == "r":
            self.restart()
        elif key == self.following:
            self.active = (self.active + 1) % len(self.chains)
        elif self.following == "number" and key in "123456789"[: len(self.chains)]:
            self.active = int(key) - 1
        elif key in self.ways:
            chain, (down, right) = self.chains[self.active], self.ways[key]
            cell = chain[-1][0] + down, chain[-1][1] + right
            free = cell in self.cells and not any(cell in other for other in self.chains)
            if free and self.cells[cell] >= self.cells[chain[-1]]:
                chain.append(cell)

    def image(self) -> Image:
        pitch, edge = 48, 60
        image = np.full((len(self.rows) * pitch + 2 * edge, len(self.rows[0]) * pitch + 2 * edge, 3), 205, np.uint8)
        held = {cell: colour for chain, colour in zip(self.chains, INKS, strict=False) for cell in chain}
        for (r, c), value in self.cells.items():
            x, y = edge + c * pitch, edge + r * pitch
            cv2.rectangle(image, (x + 2, y + 2), (x + pitch - 3, y + pitch - 3), held.get((r, c), (240, 240, 240)), -1)
            text = "X" if value == START else str(value)
            (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 0.8, 2)
            at = x + (pitch - w) // 2, y + (pitch + h) // 2
            cv2.putText(image, text, at, cv2.FONT_HERSHEY_DUPLEX, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
        return image


def played(window: Pressable, reading: Reading[Puzzle], solution: Solution, layout: Layout) -> tuple[Progress, Layout]:
    """How far the window comes before nothing more is planned, and the layout with the controls that were found out."""
    puzzle = reading.puzzle
    now, attempt = progress(reading, puzzle, solution, window.image()), 0
    for _ in range(MOST_MOVES):
        moves = plan(reading, puzzle, solution, now, layout)
        moves = plan(reading, puzzle, solution, now, layout, attempt) if moves else []  # a session asks twice
        if not moves:
            break
        for gesture in moves[0].gestures:
            for key in gesture.keys if isinstance(gesture, Keys) else ():
                window.press(key)
            if isinstance(gesture, Click):
                window.click(gesture.at)
        after = progress(reading, puzzle, solution, window.image())
        assert after.present
        gained = after.done > now.done or after.wrong < now.wrong
        if gained and moves[0].controls:
            table = layout.keys.model_copy(update=dict(moves[0].keys))
            layout = layout.model_copy(update={"controls": moves[0].controls, "keys": table})
        attempt, now = 0 if gained else attempt + 1, after
    return now, layout
