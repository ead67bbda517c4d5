"""A match: level after level, what is won, how the next one comes, and the record of it all. No window, no pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autoplayer.arcade.levels import Level
from autoplayer.arcade.options import Options
from autoplayer.arcade.play import MIDDLE, ArcadeGame, Happening, Play, Spot
from autoplayer.core.frame import Cell

FLASH = 1.0
"""Seconds that a won board flashes before anything else happens."""

Emit = Callable[..., None]


class Match:
    """The state of a window that outlives a level. All times are seconds of one clock."""

    def __init__(
        self,
        game: ArcadeGame,
        levels: Sequence[Level[Any]],
        options: Options,
        emit: Emit,
        drops: Callable[[], bool],
    ) -> None:
        self._game, self._levels, self._options, self._emit, self._drops = game, levels, options, emit, drops
        self._won_levels: set[int] = set()
        self.wins = 0
        self.index = options.start - 1
        self.finished = False
        self.over = False
        """The window should close."""
        self.serial = 0
        """Counts the boards that were put up: a new number means a new board."""
        self.play: Play
        self._put_up()

    @property
    def number(self) -> int:
        """The level's number in its file, from 1."""
        return self.index + 1

    @property
    def level(self) -> Level[Any]:
        return self._levels[self.index]

    def _put_up(self) -> None:
        self.play = self._game.new_play(self.level.puzzle, self._drops, self._options)
        self.gestures = 0
        self.won_at: float | None = None
        self.serial += 1

    def lit(self) -> set[str]:
        """The buttons that do something now."""
        lit = {"reset"}
        if self.finished:
            return {"reset", "previous"}
        if self.index > 0:
            lit.add("previous")
        won = self.index in self._won_levels
        if won and (self._options.advance == "button" or (self._options.advance == "auto" and self.won_at is None)):
            lit.add("next")
        return lit

    # What the person does

    def press(self, cell: Cell, now: float, spot: Spot = MIDDLE) -> None:
        self.gestures += self.won_at is None
        if self.won_at is None:
            self._record(self.play.press(cell, spot), now)

    def move(self, cell: Cell, now: float) -> None:
        if self.won_at is None:
            self._record(self.play.move(cell), now)

    def release(self, now: float) -> None:
        self._record(self.play.release(), now)

    def key(self, key: str, now: float) -> None:
        """A key that plays the board."""
        if self.won_at is None:
            self.gestures += 1
            self._record(self.play.key(key), now)

    def button(self, name: str, now: float, by: str = "button") -> None:
        """``next``, ``reset`` or ``previous``; nothing happens where the button is not lit."""
        if name not in self.lit():
            return
        if name == "next":
            self._next(by)
        elif name == "previous":
            if not self.finished:
                self.index -= 1
            self.finished = False
            self._emit("previous", by=by)
            self._put_up()
        else:
            self._emit("reset", by=by)
            self.finished = False
            self.play.reset()
            self.won_at = None
            self.serial += 1
            self._look(now)

    def shortcut(self, letter: str, now: float) -> bool:
        """Whether ``letter`` stands for a button: R to reset, P for the previous level, N for the next one, where this
        one is won, whatever ``--advance`` says."""
        if letter == "r":
            self.button("reset", now, by="key")
        elif letter == "p":
            self.button("previous", now, by="key")
        elif letter != "n":
            return False
        elif self.index in self._won_levels and not self.finished:
            self._next("key")
        return True

    # What time does

    def tick(self, now: float) -> None:
        """To be called every frame: the next level comes, or the window closes, when the flash is over."""
        self._look(now)
        if self.won_at is None or self.finished or now < self.won_at + self._flash:
            return
        if self._options.levels_limit and self.wins >= self._options.levels_limit:
            self._emit("finished", wins=self.wins)
            self.finished = self.over = True
        elif self._options.advance == "auto":
            self._next("auto")
        elif self._options.close_after_last and self.index + 1 == len(self._levels):
            self._finish()

    @property
    def deadline(self) -> float | None:
        """When ``tick`` has something to do next."""
        return None if self.won_at is None or self.finished else self.won_at + self._flash

    def won_for(self, now: float) -> float | None:
        """Seconds since the win, stretched or squeezed so that its celebration takes ``FLASH``; None before it."""
        return None if self.won_at is None else (now - self.won_at) * FLASH / self._flash

    @property
    def _flash(self) -> float:
        return FLASH if self._options.flash is None else self._options.flash

    def _record(self, happenings: Sequence[Happening], now: float) -> None:
        for happening in happenings:
            self._emit(happening.event, **happening.record())
        self._look(now)

    def _look(self, now: float) -> None:
        if self.won_at is None and self.play.won:
            self.won_at = now
            self.wins += 1
            self._won_levels.add(self.index)
            self._emit("won", index=self.number, name=self.level.name, gestures=self.gestures)

    def _next(self, by: str) -> None:
        if self.index + 1 == len(self._levels):
            self._finish()
            return
        self._emit("next", by=by)
        self.index += 1
        self._put_up()

    def _finish(self) -> None:
        self._emit("finished", wins=self.wins)
        self.finished = True
        self.serial += 1
        self.over = self._options.close_after_last
