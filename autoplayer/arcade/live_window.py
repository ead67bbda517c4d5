"""The window loop of games that go on by themselves: keys in, fixed steps of the game, a picture a frame."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any, cast

import pygame

from autoplayer.arcade.display import fill_screen, open_window, until_closed
from autoplayer.arcade.furniture import paint_end
from autoplayer.arcade.levels import Level
from autoplayer.arcade.live import STEP, LiveGame, LivePainter, LivePlay
from autoplayer.arcade.log import Log
from autoplayer.arcade.match import Match
from autoplayer.arcade.options import Options
from autoplayer.arcade.pointer import Dropper
from autoplayer.arcade.roughness import Bubble, Late
from autoplayer.arcade.stage import arrange
from autoplayer.arcade.themes import theme_of

KEYS = {
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_SPACE: "space",
}
MOST_STEPS = 15
"""The game stands still for what a frame takes longer than so many steps."""


class LiveWindow:
    """One open window and the match in it. ``run`` returns when it is closed."""

    def __init__(self, game: LiveGame, levels: Sequence[Level[Any]], options: Options, log: Log) -> None:
        self._game, self._options, self._log, self._levels = game, options, log, levels
        self._surface = open_window(options.title, options.size)
        self._match = Match(game, levels, options, log, _never)
        self._late = Late(options.late)
        self._bubble = Bubble(options.bubble)
        self._loses = Dropper(options.lose_every)
        self._slow: tuple[int, int] | None = options.extra["slow"]
        self._random = Random(0)
        self._held: set[str] = set()
        self._tapped: set[str] = set()
        """What went down since the last step: it is held for one step at least."""
        self._deaf: set[str] = set()
        """Keys whose press was lost: their release is not noted either."""
        self._frames = 0
        self._behind = 0.0
        """Seconds that the game is behind the clock."""
        self._stopped = self._fills_screen = False
        self._painted: LivePlay | None = None
        self._painter: LivePainter
        self._put_up()

    @property
    def _play(self) -> LivePlay:
        return cast(LivePlay, self._match.play)

    def _put_up(self) -> None:
        """A level has come, or begun anew, or the last one is over."""
        self._serial = self._match.serial
        self._held.clear()
        self._tapped.clear()
        if self._painted is self._play:
            self._painter.settle()
            return
        self._painted = self._play
        self._theme = theme_of(self._options.theme, self._match.number)
        self._painter = cast(LivePainter, self._game.new_painter(self._play, self._theme, self._options, False))
        self._announce_level = True
        self._bubble.level_came(time.monotonic())
        self._resized()

    def _resized(self) -> None:
        self._surface = pygame.display.get_surface() or self._surface
        self._stage = arrange(self._surface.get_size(), self._play.rows, self._play.columns)
        self._announce_window = True

    def run(self) -> None:
        """Play until the window is closed or the match is over."""
        clock = pygame.time.Clock()
        last = time.monotonic()
        with until_closed(self._stop):
            self._draw(last)
            while not self._stopped and not self._match.over:
                self._wait(clock)
                now = time.monotonic()
                self.turn(now, now - last)
                last = now
        self._log("closed", wins=self._match.wins)

    def _stop(self) -> None:
        self._stopped = True

    def _wait(self, clock: pygame.time.Clock) -> None:
        if self._slow is None:
            clock.tick(self._options.fps)
        else:
            time.sleep(self._random.randint(*self._slow) / 1000)

    def turn(self, now: float, passed: float) -> None:
        """One frame: what the person did, the steps that are due ``passed`` seconds after the last frame, the
        picture."""
        for event in pygame.event.get():
            self._take(event, now)
        self._late.tick(now)
        self._bubble.tick(now)
        self._behind = min(self._behind + passed, MOST_STEPS * STEP)
        while self._behind >= STEP:
            self._behind -= STEP
            if self._match.won_at is None and not self._match.finished:
                for each in self._play.step(self._held | self._tapped):
                    self._log(each.event, **each.data)
                self._tapped.clear()
        self._match.tick(now)
        if self._match.serial != self._serial:
            self._put_up()
        self._draw(now)

    def _take(self, event: pygame.Event, now: float) -> None:
        if event.type == pygame.QUIT:
            self._stopped = True
        elif event.type == pygame.KEYDOWN:
            self._down(event.key, getattr(event, "mod", 0), now)
        elif event.type == pygame.KEYUP and event.key in KEYS:
            self._late.put(partial(self._let_go, KEYS[event.key]), now)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._held.clear()  # its keys may go up where nobody tells
        elif (
            event.type in (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED)
            and (surface := pygame.display.get_surface()) is not None
            and surface.get_size() != self._stage.size
        ):
            self._resized()

    def _down(self, key: int, modifiers: int, now: float) -> None:
        # Escape does nothing: pressed twice it stops a bot, and the person is to find their game as it was.
        if key == pygame.K_q and modifiers & pygame.KMOD_CTRL:
            self._stopped = True
        elif key == pygame.K_F11:
            self._fills_screen = fill_screen(self._fills_screen)
        elif not self._match.shortcut(pygame.key.name(key), now) and key in KEYS:
            self._late.put(partial(self._press, KEYS[key]), now)

    def _press(self, name: str, now: float) -> None:
        if self._loses():
            self._deaf.add(name)
            self._log("lost", key=name)
            return
        self._log("press", key=name)
        if self._match.won_at is not None or self._match.finished:
            return
        self._match.gestures += 1
        self._bubble.gestures(self._match.gestures, now)
        self._held.add(name)
        self._tapped.add(name)
        for each in self._play.tap(name):
            self._log(each.event, **each.data)

    def _let_go(self, name: str, now: float) -> None:
        self._held.discard(name)
        if name in self._deaf:
            self._deaf.discard(name)
        else:
            self._log("release", key=name)

    def _draw(self, now: float) -> None:
        if self._match.finished:
            self._surface.fill(self._theme.ground)
            paint_end(self._surface, self._stage, self._theme)
        else:
            self._painter.paint(self._surface, self._stage, now, self._match.won_for(now))
            self._bubble.paint(self._surface, self._stage)
            self._painter.caption(self._surface, self._stage, f"{self._match.number}   {self._match.level.name}")
        pygame.display.flip()
        self._frames += 1
        self._announce()

    def _announce(self) -> None:
        """Log what has come, after it can be seen: where everything stands, which level it is, what is shown."""
        text = self._play.text()
        if self._announce_window:
            self._announce_window = False
            geometry = self._painter.geometry(self._stage)
            self._log("window", size=list(self._stage.size), title=self._options.title, **geometry, puzzle=text)
        if self._announce_level:
            self._announce_level = False
            self._log(
                "level",
                index=self._match.number,
                name=self._match.level.name,
                of=len(self._levels),
                theme=self._theme.name,
                look=self._options.look,
                puzzle=text,
            )
        if self._options.extra["log_frames"] and not self._match.finished:
            self._log("frame", frame=self._frames, **self._painter.frame(self._stage))


def _never() -> bool:
    return False
