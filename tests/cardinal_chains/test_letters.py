"""Boards in a terminal, played by letters that the player finds out: drawn text screens with a game behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.core.gestures import Keys
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.player import plan, progress
from autoplayer.games.cardinal_chains.puzzle import START, parse
from autoplayer.layout import KeyTable, Layout
from tests.cardinal_chains.keyed import Board, Pressable, played
from tests.cardinal_chains.text_screen import HEIGHT, text_screen

ROWS = ["X 1 1 2", "X 2 2 3", "1 1 3 3"]
COLOURS = ((0, 0, 205), (238, 0, 0))
LAYOUT = Layout(game="cardinal-chains")
MOST_MOVES = 80


class Terminal(Pressable):
    """Reads lines, of which the first character counts, as most such games do. ``keys``: for up, down, left, right;
    ``scrolls``: whether the board is printed anew below the old one; ``planned``: each chain's cells, where it takes no
    others, and the next one comes when it has them all."""

    def __init__(
        self, keys: str, following: str, *, scrolls: bool = False, planned: Sequence[Sequence[Cell]] = ()
    ) -> None:
        self.planned = planned
        self.cells = parse("\n".join(ROWS)).cells
        self.chains: list[list[Cell]] = [[cell] for cell, value in self.cells.items() if value == START]
        self.ways = dict(zip(keys, ((-1, 0), (1, 0), (0, -1), (0, 1)), strict=True))
        self.following, self.scrolls = following, scrolls
        self.active, self.line, self.printed = 0, "", 0

    def press(self, key: str) -> None:
        if key != "enter":
            self.line += key
            return
        command, self.line = self.line[:1] if len(self.line) == 1 else "", ""
        self.printed += 1
        self.do(command)

    def do(self, command: str) -> None:
        if command == self.following:
            self.active = (self.active + 1) % len(self.chains)
        if command not in self.ways:
            return
        chain, (down, right) = self.chains[self.active], self.ways[command]
        cell = chain[-1][0] + down, chain[-1][1] + right
        free = cell in self.cells and not any(cell in other for other in self.chains)
        if self.planned and cell not in self.planned[self.active]:
            return
        if free and self.cells[cell] >= self.cells[chain[-1]]:
            chain.append(cell)
            if self.planned and len(chain) == len(self.planned[self.active]):
                self.active = (self.active + 1) % len(self.chains)

    def image(self) -> Image:
        colours = {cell: colour for chain, colour in zip(self.chains, COLOURS, strict=True) for cell in chain}
        now = text_screen(ROWS, colours, block=self.chains[self.active][-1])
        if not self.scrolls or not self.printed:
            return now
        before = text_screen(ROWS, {}, block=None)[: 8 * HEIGHT]
        return np.vstack([before, now[: len(now) - len(before)]])


class Pairs(Terminal):
    """Reads two characters a step, a command and what ends the line. B takes back a step."""

    sent: ClassVar = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D"}
    typed = left = ""

    def press(self, key: str) -> None:
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key != "enter":
            self.typed += self.sent.get(key, key)
        else:
            self.left, self.typed = self.left + self.typed + "\n", ""
            while len(self.left) > 1:
                self.do(self.left[0])
                self.left = self.left[2:]

    def do(self, command: str) -> None:
        if command == "B":
            self.chains[self.active] = self.chains[self.active][:1] + self.chains[self.active][1:-1]
        else:
            super().do(command)


def test_keys_of_several_characters_are_tried_last() -> None:
    """Incident: the last character of an arrow key chose the other chain, a step went wrong, and Backspace instead of a
    letter left an Enter to be read as the next command."""
    window = Pairs("NSWE", "C")
    reading = GAME.read(window.image(), LAYOUT)
    solution = GAME.solve(reading.puzzle, time_limit=5, most=1).solution
    assert solution is not None
    now, _ = played(window, reading, solution, LAYOUT)
    assert now.complete


@pytest.mark.parametrize(
    ("keys", "following", "scrolls", "planned"),
    [
        ("wsad", "c", False, False),
        ("zsqd", "c", False, False),  # a French keyboard
        ("nswe", "c", True, False),
        ("udlr", "n", False, False),
        ("NSWE", "C", False, False),  # small letters mean nothing there
        ("udlr", "c", False, True),  # it goes on to the next chain by itself, and the letter leads past it
    ],
)
def test_the_letters_of_a_terminal_are_found_out(keys: str, following: str, scrolls: bool, planned: bool) -> None:
    """Of terminals: without a layout of keys the bot dragged there, which selects text, and lost."""
    plans = GAME.solve(parse("\n".join(ROWS)), time_limit=5, most=1).solution if planned else None
    window = Terminal(keys, following, scrolls=scrolls, planned=plans or ())
    reading = GAME.read(window.image(), LAYOUT)
    puzzle = parse("\n".join(ROWS))
    assert reading.puzzle == puzzle
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None
    now, attempt = progress(reading, puzzle, solution, window.image()), 0
    for _ in range(MOST_MOVES):
        moves = plan(reading, puzzle, solution, now, LAYOUT, attempt)
        if not moves:
            break
        gesture = moves[0].gestures[0]
        assert isinstance(gesture, Keys)
        assert moves[0].controls == "keys"
        for key in gesture.keys:
            window.press(key)
        after = progress(reading, puzzle, solution, window.image())
        assert after.present
        attempt = 0 if after.done > now.done else attempt + 1
        now = after
    assert now.complete
    assert [tuple(chain) for chain in window.chains] == list(solution)


def test_letters_are_not_tried_where_a_layout_names_keys_or_the_board_is_no_text() -> None:
    window = Terminal("wsad", "c")
    reading = GAME.read(window.image(), LAYOUT)
    puzzle = parse("\n".join(ROWS))
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None
    now = progress(reading, puzzle, solution, window.image())
    told = Layout(game="cardinal-chains", controls="keys", keys=KeyTable(up="i", down="k", left="j", right="l"))
    (gesture,) = plan(reading, puzzle, solution, now, told)[0].gestures
    assert isinstance(gesture, Keys)
    assert set(gesture.keys) <= {"i", "k", "j", "l"}
    reading.extra.pop("text")  # type: ignore[attr-defined]
    assert plan(reading, puzzle, solution, now, LAYOUT)[0].controls == "drag"


@pytest.mark.parametrize(
    ("keys", "following"),
    [
        ("wsad", "tab"),
        ("qaop", "m"),  # of a home computer; the a that is tried first goes down there, not left
        ("ikjl", "space"),
        (("up", "down", "left", "right"), "number"),  # each chain has its own
    ],
)
def test_letters_that_lie_together_are_found_out_where_mouse_and_arrows_do_nothing(
    keys: Sequence[str], following: str
) -> None:
    """Of a home computer's window: it was left after the arrows."""
    rows = ["2 1 1 X", "2 1 X 1", "5 4 4 3", "X 1 2 3"]
    window = Board(rows, keys, following)
    reading = GAME.read(window.image(), LAYOUT)
    puzzle = parse("\n".join(rows))
    assert reading.puzzle == puzzle
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None
    now, layout = played(window, reading, solution, LAYOUT)
    assert now.complete
    assert [tuple(chain) for chain in window.chains] == list(solution)
    assert [getattr(layout.keys, name) for name in ("up", "down", "left", "right")] == list(keys)
    assert layout.keys.next_chain == following
