"""The window loop of games that wait for the person: events in, the match asked, the picture drawn when something has
changed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import pygame

from autoplayer.arcade import furniture
from autoplayer.arcade.display import fill_screen, open_window, until_closed
from autoplayer.arcade.levels import Level
from autoplayer.arcade.log import Log
from autoplayer.arcade.match import Match
from autoplayer.arcade.options import Options
from autoplayer.arcade.play import LEFT, ArcadeGame, Play, Spot
from autoplayer.arcade.pointer import Action, Dropper, InstantFilter, Sampler
from autoplayer.arcade.roughness import Bubble, Late
from autoplayer.arcade.stage import arrange, is_portrait
from autoplayer.arcade.themes import theme_of
from autoplayer.core.frame import Cell, Point

LONGEST_WAIT = 0.25
"""Seconds that the loop sleeps at most when nothing happens, so that a signal is noticed."""

PLAY_KEYS = {
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_TAB: "tab",
    pygame.K_SPACE: "space",
    pygame.K_RETURN: "enter",
    pygame.K_KP_ENTER: "enter",
    pygame.K_x: "x",
}


class Window:
    """One open window and the match in it. ``run`` returns when it is closed."""

    def __init__(self, game: ArcadeGame, levels: Sequence[Level[Any]], options: Options, log: Log) -> None:
        self._game, self._options, self._log = game, options, log
        self._levels = levels
        self._surface = open_window(options.title, options.size)
        self._match = Match(game, levels, options, log, Dropper(options.drop_every))
        self._sampler = Sampler()
        self._filter = InstantFilter() if options.lose_instant_clicks else None
        self._late = Late(options.late)
        self._bubble = Bubble(options.bubble)
        self._loses = Dropper(options.lose_every)
        self._deaf = False
        """Whether the button went down without effect."""
        self._held = False
        self._down = 0
        """The button that is down, as the events say; 0 for none."""
        self._at: Point = (0, 0)
        self._cell: Cell | None = None
        self._serial = 0
        self._fills_screen = False
        self._stage = arrange(self._surface.get_size(), self._match.play.rows, self._match.play.columns)
        self._painted: Play | None = None
        self._clockwise = False
        """Whether the board is shown turned by 90 degrees, clockwise."""
        self._announce_window = self._announce_level = False
        self._stopped = False
        self._dirty = True
        self._put_up()

    # The picture

    def _put_up(self) -> None:
        """A board has come, or the window another size: arrange everything anew."""
        match, play = self._match, self._match.play
        if self._serial != match.serial:
            self._serial = match.serial
            if self._painted is not play:
                self._painted = play
                self._held = False
                self._clockwise = False
                self._theme = theme_of(self._options.theme, match.number)
                self._painter = self._game.new_painter(
                    play, self._theme, self._options, self._options.hint and match.number == 1
                )
                self._announce_level = True
                self._bubble.level_came(time.monotonic())
            else:
                self._painter.settle()
        size = self._surface.get_size()
        turned = self._game.turns and is_portrait(size) and self._file_columns() > self._file_rows()
        if turned != self._clockwise:
            play.turn(clockwise=turned)
            self._clockwise = turned
            self._painter.settle()
        stage = arrange(size, play.rows, play.columns)
        self._announce_window |= self._announce_level or stage != self._stage
        self._stage = stage
        self._dirty = True

    def _file_rows(self) -> int:
        return self._match.play.columns if self._clockwise else self._match.play.rows

    def _file_columns(self) -> int:
        return self._match.play.rows if self._clockwise else self._match.play.columns

    def _busy(self, now: float) -> float:
        """Frames a second that are needed while nobody does anything."""
        return 0 if self._match.finished else self._painter.busy(now)

    def _draw(self, now: float) -> None:
        match = self._match
        self._surface.fill(self._theme.ground)
        furniture.paint_furniture(
            self._surface, self._stage, self._theme, self._options.glyphs, match.number, match.level.name, match.lit()
        )
        if match.finished:
            furniture.paint_end(self._surface, self._stage, self._theme)
        else:
            self._painter.paint(self._surface, self._stage, now, match.won_for(now))
            self._bubble.paint(self._surface, self._stage)
        pygame.display.flip()
        self._dirty = False
        self._announce()

    def _announce(self) -> None:
        """Log what has come, after it can be seen: first where everything stands, then which level it is."""
        stage, play = self._stage, self._match.play
        if self._announce_window:
            self._announce_window = False
            board = stage.board
            cells = [(r, c) for r in range(play.rows) for c in range(play.columns) if play.holds((r, c))]
            boxes = [stage.cell(cell) for cell in cells]
            self._log(
                "window",
                size=list(stage.size),
                title=self._options.title,
                turned=self._clockwise,
                board=[board.x, board.y, board.width, board.height],
                cells=[
                    {"cell": list(cell), "box": [box.x, box.y, box.width, box.height]}
                    for cell, box in zip(cells, boxes, strict=True)
                ],
                buttons={name: [box.x, box.y, box.width, box.height] for name, box in stage.buttons.items()},
                puzzle=play.text(),
            )
        if self._announce_level:
            self._announce_level = False
            self._log(
                "level",
                index=self._match.number,
                name=self._match.level.name,
                of=len(self._levels),
                theme=self._theme.name,
                puzzle=play.text(),
            )

    # The loop

    def run(self) -> None:
        """Play until the window is closed or the match is over."""
        clock = pygame.time.Clock()
        with until_closed(self._stop):
            self._draw(time.monotonic())
            while not self._stopped and not self._match.over:
                for event in self._events(clock):
                    self._take(event)
                now = time.monotonic()
                if self._options.sample:
                    down = next((b for b in self._game.buttons if pygame.mouse.get_pressed()[b - 1]), 0)
                    for action in self._sampler.sample(pygame.mouse.get_pos(), bool(down), down or LEFT):
                        self._act(action, now)
                elif self._filter:
                    for action in self._filter.tick(now):
                        self._late.put(partial(self._do, action), now)
                self._late.tick(now)
                self._match.tick(now)
                self._dirty |= self._bubble.tick(now)
                if self._match.serial != self._serial:
                    self._put_up()
                if self._dirty or self._busy(now):
                    self._draw(now)
        self._log("closed", wins=self._match.wins)

    def _stop(self) -> None:
        self._stopped = True

    def _events(self, clock: pygame.time.Clock) -> list[pygame.Event]:
        """What has happened; sleeps until something does, or until the next frame is due."""
        now = time.monotonic()
        rate = self._options.fps if self._options.sample else min(self._busy(now), self._options.fps)
        if rate:
            clock.tick(rate)
            return pygame.event.get()
        clock.tick(self._options.fps)  # never more frames than asked for, however many events come
        waits = [LONGEST_WAIT]
        held = self._filter.deadline if self._filter else None
        for deadline in (self._match.deadline, held, self._late.deadline, self._bubble.deadline):
            if deadline is not None:
                waits.append(deadline - now)
        event = pygame.event.wait(max(round(min(waits) * 1000), 1))
        return [event, *pygame.event.get()] if event.type != pygame.NOEVENT else []

    def _take(self, event: pygame.Event) -> None:
        now = time.monotonic()
        if event.type == pygame.QUIT:
            self._stopped = True
        elif event.type == pygame.KEYDOWN:
            self._key(event.key, getattr(event, "mod", 0), now)
        elif event.type in (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED):
            self._resized(now)
        elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWSHOWN, pygame.WINDOWRESTORED):
            self._dirty = True
        elif self._options.sample:
            return
        elif (
            event.type == pygame.MOUSEBUTTONDOWN
            and event.button in self._game.buttons
            and self._down in (0, event.button)
        ):
            self._down = event.button  # one button at a time
            self._act(Action("press", event.pos, event.button), now)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == self._down:
            self._down = 0
            self._act(Action("release", event.pos, event.button), now)
        elif event.type == pygame.MOUSEMOTION and self._down:
            self._act(Action("move", event.pos, self._down), now)

    def _resized(self, now: float) -> None:
        surface = pygame.display.get_surface()
        if surface is None or surface.get_size() == self._stage.size:
            return
        self._surface = surface
        if self._held:  # the cells move away under the pointer: the drag ends here
            self._match.release(now)
            self._held = False
        self._put_up()

    def _fill_screen(self, now: float) -> None:
        """Fill the screen, or go back to the size before."""
        self._fills_screen = fill_screen(self._fills_screen)
        self._resized(now)

    def _key(self, key: int, modifiers: int, now: float) -> None:
        # Escape does nothing: pressed twice it stops a bot, and the person is to find their game as it was.
        if key == pygame.K_q and modifiers & pygame.KMOD_CTRL:
            self._stopped = True
        elif key == pygame.K_F11:
            self._fill_screen(now)
        elif (
            not self._match.shortcut(pygame.key.name(key), now)
            and key in PLAY_KEYS
            and self._options.controls == "keys"
            and not self._loses()
        ):
            self._late.put(lambda due: self._play_key(PLAY_KEYS[key], due), now)
        self._dirty = True

    def _play_key(self, name: str, now: float) -> None:
        self._match.key(name, now)
        self._bubble.gestures(self._match.gestures, now)
        self._dirty = True

    def _act(self, action: Action, now: float) -> None:
        for one in self._filter.feed(action, now) if self._filter else [action]:
            self._late.put(partial(self._do, one), now)

    def _do(self, action: Action, now: float) -> None:
        x, y = action.at
        if action.kind == "press":
            self._press(action.at, now, action.button)
        elif action.kind == "lost":
            self._log("lost", x=x, y=y)
        elif action.kind == "move":
            if self._held:
                self._follow(action.at, now)
            return
        else:
            if not self._deaf:
                self._log("release", x=x, y=y)
            if self._held:
                self._follow(action.at, now)
                self._match.release(now)
                self._held = False
            self._bubble.gestures(self._match.gestures, now)
        self._dirty = True

    def _press(self, at: Point, now: float, button: int = LEFT) -> None:
        place = self._stage.hit(at)
        sign = self._stage.button(at)
        plays = self._options.controls != "keys"
        mouse = {} if button == LEFT else {"mouse": button}
        if self._match.finished:
            place = None
        self._deaf = self._loses()
        if self._deaf:
            self._log("lost", x=at[0], y=at[1])
        elif self._bubble.take(at, self._stage):
            self._log("press", x=at[0], y=at[1], on="hint", **mouse)
        elif place is not None and self._match.play.holds(place):
            self._log("press", x=at[0], y=at[1], on="cell", cell=list(place), **mouse)
            if plays:
                self._held, self._at, self._cell = True, at, place
                box, pitch = self._stage.cell(place), self._stage.pitch
                self._match.press(
                    place, now, Spot((at[0] - box.x + 0.5) / pitch - 0.5, (at[1] - box.y + 0.5) / pitch - 0.5, button)
                )
        elif sign is not None:
            self._log("press", x=at[0], y=at[1], on="button", button=sign, **mouse)
            if plays and button == LEFT:
                self._match.button(sign, now)
        else:
            self._log("press", x=at[0], y=at[1], on="outside", **mouse)

    def _follow(self, at: Point, now: float) -> None:
        """The held pointer has come to ``at``. By events it has crossed all that lies between; sampled, it is only
        where it is."""
        if self._options.sample:
            place = self._stage.hit(at)
            places = [place] if place != self._cell else []
        else:
            places = self._stage.crossed(self._at, at)
        for place in places:
            if place is not None:
                self._match.move(place, now)
                self._dirty = True
            self._cell = place
        self._at = at
