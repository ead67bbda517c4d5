"""Draws a level of Continuity: tiles, things, the figure, the line above them, the sign of a win."""

from __future__ import annotations

from typing import Any

import pygame

from autoplayer.arcade.continuity import looks
from autoplayer.arcade.continuity.camera import Camera, View, caption, where
from autoplayer.arcade.continuity.engine import BLANK, DYING, Thing
from autoplayer.arcade.continuity.play import Rooms
from autoplayer.arcade.furniture import paint_end
from autoplayer.arcade.glyphs import caption as write
from autoplayer.arcade.options import Options
from autoplayer.arcade.stage import Stage
from autoplayer.arcade.themes import Theme
from autoplayer.core.frame import Box

STRIDE = 0.16
"""Cells that the figure walks from one picture of its walk to the next."""
FLICKER = 8
"""Steps from one picture of a flame to the next."""
MOST_PICTURES = 8
"""Of a tile, in different sizes."""
VEIL = 150
"""How much a won level is covered under its sign, of 255."""
BEFORE_SIGN = 0.25
"""Seconds from the win to its sign."""


class RoomsPainter:
    """Draws one :class:`Rooms`. It keeps pictures of the tiles, and where the camera is."""

    def __init__(self, play: Rooms, theme: Theme, options: Options) -> None:
        self._play, self._theme, self._look = play, theme, options.look
        self._near = options.extra["camera"] == "tile"
        self._gaps = options.extra["gap"] / 100, options.extra["slide_gap"] / 100
        self._colours = looks.palette(self._look, theme)
        self._pictures: dict[tuple[int, int, int], pygame.Surface] = {}
        self.settle()

    def settle(self) -> None:
        self._camera = Camera(self._play.engine, self._near, *self._gaps)

    def busy(self, now: float) -> float:
        return 60

    def paint(self, surface: pygame.Surface, stage: Stage, now: float, won_for: float | None) -> None:
        engine = self._play.engine
        surface.fill(self._colours.ground)
        view = self._camera.view(stage.size)
        tiles = [tile for row in engine.cells for tile in row if tile != BLANK]
        for tile in tiles:
            box = view.tile(*where(engine, tile))
            surface.blit(self._tile(tile, box), (box.x, box.y))
        for tile in tiles:
            box = view.tile(*where(engine, tile))
            for number, thing in enumerate(engine.keys):
                if thing.tile == tile and number not in engine.taken:
                    flicker = (engine.steps // FLICKER + number) % 3
                    self._put(surface, box, thing, looks.key, flicker)
            if engine.door.tile == tile:
                self._put(surface, box, engine.door, looks.door, engine.open)
        if not engine.won:
            self._figure(surface, view)
        if won_for is not None and won_for >= BEFORE_SIGN:
            veil = pygame.Surface(stage.size)
            veil.fill(self._colours.ground)
            veil.set_alpha(VEIL)
            surface.blit(veil, (0, 0))
            paint_end(surface, stage, self._theme)

    def _tile(self, tile: int, box: Box) -> pygame.Surface:
        """A tile's picture; while the view changes, one of another size that is made to fit."""
        size = tile, box.width, box.height
        if size in self._pictures:
            return self._pictures[size]
        known = [each for each in self._pictures if each[0] == tile]
        if known and self._play.engine.zoom not in (0.0, 1.0):
            return pygame.transform.smoothscale(self._pictures[max(known)], (box.width, box.height))
        if len(known) >= MOST_PICTURES:
            for each in known:  # the window has had other sizes
                del self._pictures[each]
        block = self._play.level.blocks[tile]
        self._pictures[size] = looks.tile(self._look, self._theme, tile, block, box.width, box.height)
        return self._pictures[size]

    def _put(self, surface: pygame.Surface, box: Box, thing: Thing, picture: Any, state: int) -> None:
        engine = self._play.engine
        x0, x1 = (box.x + round((thing.column + d) * box.width / engine.width) for d in (0, 1))
        y0, y1 = (box.y + round((thing.row + d) * box.height / engine.height) for d in (0, 1))
        colours = looks.palette(self._look, self._theme, thing.tile)
        surface.blit(picture(self._look, colours, x1 - x0, y1 - y0, state), (x0, y0))

    def _figure_box(self, view: View) -> Box:
        engine, physics = self._play.engine, self._play.level.physics
        box = view.tile(*where(engine, engine.tile))
        across, down = box.width / engine.width, box.height / engine.height
        width = min(max(round(physics.width * across), 2), box.width)
        height = min(max(round(physics.height * down), 2), box.height)
        left, foot = box.x + round(engine.x * across - width / 2), box.y + round(engine.y * down)
        return Box(left, foot - height, width, height)

    def _figure(self, surface: pygame.Surface, view: View) -> None:
        engine = self._play.engine
        box = self._figure_box(view)
        pose = 0
        if engine.walking and engine.grounded:
            pose = 1 + int(engine.x / STRIDE) % (looks.POSES - 1)
        flying = not engine.grounded
        picture = looks.figure(
            self._look, looks.palette(self._look, self._theme, engine.tile), box.width, box.height,
            engine.facing > 0, pose, flying,
        )  # fmt: skip
        if engine.dead:
            picture = picture.copy()
            picture.set_alpha(round(255 * engine.dying / DYING))
        surface.blit(picture, (box.x, box.y))

    def caption(self, surface: pygame.Surface, stage: Stage, level: str) -> None:
        engine, line = self._play.engine, caption(stage.size)
        surface.fill(self._colours.ground, (line.x, line.y, line.width, line.height))  # tiles may come up to here
        half, size = line.width // 2, round(line.height * 0.5)
        text = f"keys {len(engine.taken)}/{len(engine.keys)}    deaths {engine.deaths}"
        write(surface, level, Box(0, 0, half, line.height), size, self._colours.ink)
        write(surface, text, Box(half, 0, half, line.height), size, self._colours.ink)

    def geometry(self, stage: Stage) -> dict[str, Any]:
        """Look, camera, and for each tile its place on the board and its pixels in both views."""
        engine = self._play.engine
        walking, sliding = self._camera.walking(stage.size), self._camera.sliding(stage.size)
        places = [(r, c) for r, row in enumerate(engine.cells) for c in range(len(row))]
        boxes = [
            {"cell": [r, c], "tile": engine.numbers()[r][c], "walk": _list(walking.tile(r, c)),
             "slide": _list(sliding.tile(r, c))}
            for r, c in places
        ]  # fmt: skip
        return {
            "look": self._look,
            "camera": "tile" if self._near else "whole",
            "cells": boxes,
            "figure": _list(self._figure_box(walking)),
        }

    def frame(self, stage: Stage) -> dict[str, Any]:
        """The figure: its place in its tile, in cells, and its pixels; the view and how far its change has come."""
        engine = self._play.engine
        box = self._figure_box(self._camera.view(stage.size))
        return {
            "step": engine.steps, "view": engine.view, "zoom": engine.zoom, **engine.where(),
            "grounded": engine.grounded, "dead": engine.dead, "figure": _list(box),
        }  # fmt: skip


def _list(box: Box) -> list[int]:
    return [box.x, box.y, box.width, box.height]
