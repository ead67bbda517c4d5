"""How rooms look: for each look its colours, and pictures of a tile, the figure, a key, the door. Pictures only; where
they stand is the painter's business."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin

import pygame

from autoplayer.arcade.glyphs import FINE
from autoplayer.arcade.themes import Colour, Theme, ink_on, mix
from autoplayer.games.continuity.puzzle import SOLID, SPIKES, Block

COURSES = 2
"""Rows of bricks in a cell."""
BRICK = 0.85
"""The length of a brick, in cells."""


@dataclass(frozen=True)
class Palette:
    """``ground`` is the window, ``back`` a tile's empty cells, ``solid`` its walls, ``edge`` their lines or mortar."""

    ground: Colour
    back: Colour
    solid: Colour
    edge: Colour
    ink: Colour
    figure: Colour
    dress: Colour
    key: Colour
    door: Colour
    spikes: Colour


PLAIN = {
    "light": ((222, 220, 212), (246, 245, 240), (18, 18, 20), (208, 34, 42)),
    "dark": ((22, 24, 28), (44, 47, 54), (226, 228, 232), (255, 92, 80)),
    "colour-blind": ((255, 255, 255), (232, 235, 240), (0, 44, 108), (213, 94, 0)),
}
"""By theme: ground, empty, solid, key and door."""
BRICKS = {
    "light": ((20, 7, 7), (40, 16, 13), (200, 134, 116), (98, 52, 46)),
    "dark": ((10, 12, 18), (24, 28, 40), (112, 128, 156), (52, 60, 80)),
    "colour-blind": ((14, 14, 18), (34, 34, 44), (186, 180, 160), (92, 88, 78)),
}
"""By theme: ground, empty, bricks, mortar."""
SKIN: Colour = (240, 206, 160)
ROBE: Colour = (244, 240, 230)
HAIR: Colour = (74, 44, 30)
FLAME: Colour = (255, 176, 40)
TEAL: Colour = (52, 150, 138)
STEEL: Colour = (196, 200, 210)
GOLD: Colour = (226, 158, 0)
WHITE: Colour = (255, 255, 255)


def palette(look: str, theme: Theme, tile: int = 0) -> Palette:
    """The colours of a tile; only the look ``colours`` has others for each."""
    if look == "plain":
        ground, back, solid, red = PLAIN[theme.name]
        spikes = mix(solid, back, 0.35)
        return Palette(ground, back, solid, solid, solid, solid, solid, key=red, door=red, spikes=spikes)
    if look == "bricks":
        ground, back, brick, mortar = BRICKS[theme.name]
        ink = mix(brick, WHITE, 0.3)
        return Palette(ground, back, brick, mortar, ink, SKIN, ROBE, key=FLAME, door=TEAL, spikes=STEEL)
    ink, ground = theme.ink, theme.ground
    if look == "outlines":
        solid = mix(theme.tile, ink, 0.07)
        return Palette(ground, theme.tile, solid, ink, ink, ink, ink, key=theme.accent, door=ink, spikes=theme.wrong)
    hue, dark = theme.chain(tile), ink_on(ground)
    back, solid = mix(theme.tile, hue, 0.22), mix(hue, dark, 0.3)
    body, door = ink_on(back), mix(ink_on(back), hue, 0.25)
    edge = mix(solid, dark, 0.35)
    return Palette(ground, back, solid, edge, ink, body, theme.accent, key=GOLD, door=door, spikes=theme.wrong)


class Lines:
    """The pixels of a tile's cells: cell ``i`` of ``count`` in ``length`` pixels from ``at(i)`` to ``at(i + 1)``."""

    def __init__(self, count: int, length: int) -> None:
        self.count, self.length = count, length

    def at(self, place: float) -> int:
        return round(place * self.length / self.count)


def tile(look: str, theme: Theme, number: int, block: Block, width: int, height: int) -> pygame.Surface:
    """A tile with nothing in it but walls and spikes."""
    colours = palette(look, theme, number)
    picture = pygame.Surface((width, height), depth=32)
    picture.fill(colours.back)
    across, down = Lines(len(block[0]), width), Lines(len(block), height)
    if look == "bricks":
        _bricks(picture, picture.get_rect(), across, down, mix(colours.back, colours.edge, 0.22), colours.back, 0.5)
    _spikes(picture, block, colours, across, down)
    for r, row in enumerate(block):
        for c, character in enumerate(row):
            if character == SOLID:
                cell = pygame.Rect(across.at(c), down.at(r), 0, 0)
                cell.size = across.at(c + 1) - cell.x, down.at(r + 1) - cell.y
                if look == "bricks":
                    _bricks(picture, cell, across, down, colours.solid, colours.edge, 1.0)
                else:
                    picture.fill(colours.solid, cell)
    _edges(look, picture, block, colours, across, down)
    return picture


def _bricks(
    picture: pygame.Surface,
    part: pygame.Rect,
    across: Lines,
    down: Lines,
    brick: Colour,
    mortar: Colour,
    light: float,
) -> None:
    """Fill a part of a tile with bricks that run on from cell to cell; ``light``: how much their upper edges shine."""
    picture.set_clip(part)
    picture.fill(mortar, part)
    pitch = down.length / down.count
    line = max(round(pitch * 0.06), 1)
    bright, dim = mix(brick, WHITE, 0.22 * light), mix(brick, mortar, 0.35)
    for course in range(down.count * COURSES):
        y0, y1 = down.at(course / COURSES), down.at((course + 1) / COURSES)
        if y1 <= part.top or y0 >= part.bottom:
            continue
        for number in range(-1, int(across.count / BRICK) + 2):
            start = (number + (course % 2) / 2) * BRICK
            x0, x1 = across.at(start), across.at(start + BRICK)
            if x1 <= part.left or x0 >= part.right:
                continue
            # Bricks differ a little, always in the same way.
            shade = ((number * 7 + course * 13) % 5) / 5 * 0.16
            body = pygame.Rect(x0, y0, x1 - x0 - line, y1 - y0 - line)
            picture.fill(mix(brick, mortar, shade), body)
            picture.fill(mix(bright, mortar, shade), (body.x, body.y, body.width, line))
            picture.fill(mix(dim, mortar, shade), (body.x, body.bottom - line, body.width, line))
    picture.set_clip(None)


def _edges(look: str, picture: pygame.Surface, block: Block, colours: Palette, across: Lines, down: Lines) -> None:
    """What marks the border of walls: lines round them, or a kerb on which the figure walks."""
    pitch = min(across.length / across.count, down.length / down.count)
    thick = max(round(pitch * 0.09), 1)
    rows, columns = len(block), len(block[0])

    def solid(r: int, c: int) -> bool:
        return 0 <= r < rows and 0 <= c < columns and block[r][c] == SOLID

    for r in range(rows):
        for c in range(columns):
            if not solid(r, c):
                continue
            x0, x1, y0, y1 = across.at(c), across.at(c + 1), down.at(r), down.at(r + 1)
            if look == "outlines":
                for other, line in (
                    ((r - 1, c), (x0, y0, x1 - x0, thick)),
                    ((r + 1, c), (x0, y1 - thick, x1 - x0, thick)),
                    ((r, c - 1), (x0, y0, thick, y1 - y0)),
                    ((r, c + 1), (x1 - thick, y0, thick, y1 - y0)),
                ):
                    if not solid(*other):
                        picture.fill(colours.edge, line)
                for dr, dc, x, y in ((-1, -1, x0, y0), (-1, 1, x1 - thick, y0), (1, -1, x0, y1 - thick),
                                     (1, 1, x1 - thick, y1 - thick)):  # fmt: skip
                    if solid(r + dr, c) and solid(r, c + dc) and not solid(r + dr, c + dc):
                        picture.fill(colours.edge, (x, y, thick, thick))
            elif look == "bricks" and r and not solid(r - 1, c):
                picture.fill(mix(colours.solid, WHITE, 0.35), (x0, y0, x1 - x0, thick))
                picture.fill(colours.edge, (x0, y0 + thick, x1 - x0, thick))
            elif look == "colours" and r and not solid(r - 1, c):
                picture.fill(colours.edge, (x0, y0, x1 - x0, 2 * thick))


def _spikes(picture: pygame.Surface, block: Block, colours: Palette, across: Lines, down: Lines) -> None:
    for r, row in enumerate(block):
        for c, character in enumerate(row):
            if character != SPIKES:
                continue
            top, foot = down.at(r + 0.12), down.at(r + 1)
            for part in range(3):
                a, b = across.at(c + part / 3), across.at(c + (part + 1) / 3)
                pygame.draw.polygon(picture, colours.spikes, [(a, foot), ((a + b) // 2, top), (b - 1, foot)])


Points = list[tuple[float, float]]


class _Fine:
    """A canvas of a few times the size, drawn on in shares of its width and height."""

    def __init__(self, width: int, height: int, under: Colour) -> None:
        self.size = max(width, 1), max(height, 1)
        self.canvas = pygame.Surface((self.size[0] * FINE, self.size[1] * FINE), pygame.SRCALPHA, 32)
        self.canvas.fill((*under, 0))  # the colour under transparent pixels must be the same, or edges darken

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * self.canvas.get_width(), y * self.canvas.get_height()

    def polygon(self, colour: Colour, points: Points) -> None:
        pygame.draw.polygon(self.canvas, colour, [self._at(x, y) for x, y in points])

    def box(self, colour: Colour, x0: float, y0: float, x1: float, y1: float, bend: float = 0.0) -> None:
        (a, b), (c, d) = self._at(x0, y0), self._at(x1, y1)
        radius = round(bend * self.canvas.get_width())
        pygame.draw.rect(self.canvas, colour, (round(a), round(b), round(c - a), round(d - b)), border_radius=radius)

    def disc(self, colour: Colour, x: float, y: float, radius: float) -> None:
        pygame.draw.circle(self.canvas, colour, self._at(x, y), radius * self.canvas.get_width())

    def line(self, colour: Colour, points: Points, thick: float) -> None:
        thick *= self.canvas.get_width()
        ends = [self._at(x, y) for x, y in points]
        for (x0, y0), (x1, y1) in pairwise(ends):
            steps = max(int(max(abs(x1 - x0), abs(y1 - y0)) / max(thick / 4, 1)), 1)
            for i in range(steps + 1):
                share = i / steps
                pygame.draw.circle(self.canvas, colour, (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), thick / 2)

    def done(self) -> pygame.Surface:
        return pygame.transform.smoothscale(self.canvas, self.size)


POSES = 8
"""Pictures of a walk."""


@lru_cache(maxsize=256)
def figure(
    look: str, colours: Palette, width: int, height: int, right: bool, pose: int, flying: bool
) -> pygame.Surface:
    """The figure in its box, ``pose`` of its walk from 0, which is standing."""
    fine = _Fine(width, height, colours.figure)
    swing = sin(2 * pi * pose / POSES) if pose else 0.0
    if look == "colours":
        squash = 0.06 * abs(swing)
        fine.box(colours.figure, 0.04, 0.08 + squash, 0.96, 0.92, 0.34)
        for foot, lift in ((0.3, swing), (0.7, -swing)):
            fine.box(colours.figure, foot - 0.16, 0.8, foot + 0.16, 1.0 - 0.08 * max(lift, 0), 0.08)
        white, pupil = ink_on(colours.figure), colours.figure
        for eye in (0.52, 0.8):
            fine.disc(white, eye, 0.36, 0.13)
            fine.disc(pupil, eye + 0.04, 0.36, 0.06)
    else:
        robe = look == "bricks"
        leg, hand = 0.22 * swing, 0.2 * swing
        legs = [(0.5, 0.62), (0.36 + leg, 0.98)], [(0.5, 0.62), (0.64 - leg, 0.98)]
        if flying:
            legs = [(0.5, 0.62), (0.24, 0.86), (0.1, 0.94)], [(0.5, 0.62), (0.74, 0.8), (0.72, 0.96)]
        thick = 0.2 if not robe else 0.18
        for each in legs:
            fine.line(colours.figure, each, thick)
        if robe:
            fine.polygon(colours.dress, [(0.34, 0.3), (0.66, 0.3), (0.84 + leg / 2, 0.84), (0.16 + leg / 2, 0.84)])
            fine.line(mix(colours.dress, colours.edge, 0.5), [(0.5, 0.4), (0.5 + leg / 2, 0.8)], 0.05)
        else:
            fine.line(colours.figure, [(0.5, 0.34), (0.5, 0.62)], 0.26)
        arms = [(0.5, 0.38), (0.5 + hand * 1.5 + 0.1, 0.62)], [(0.5, 0.38), (0.5 - hand * 1.5 - 0.1, 0.62)]
        if flying:
            arms = [(0.5, 0.38), (0.88, 0.26)], [(0.5, 0.38), (0.12, 0.26)]
        for each in arms:
            fine.line(colours.figure, each, 0.13)
        fine.disc(colours.figure, 0.54, 0.16, 0.22)
        if robe:
            fine.box(HAIR, 0.3, 0.02, 0.74, 0.12, 0.1)
            fine.box(HAIR, 0.3, 0.06, 0.42, 0.26, 0.04)
    picture = fine.done()
    return picture if right else pygame.transform.flip(picture, True, False)


@lru_cache(maxsize=64)
def key(look: str, colours: Palette, width: int, height: int, flicker: int) -> pygame.Surface:
    """A key in its cell."""
    fine = _Fine(width, height, colours.key)
    if look == "plain":
        fine.box(colours.key, 0.45, 0.2, 0.55, 0.95)
    elif look == "bricks":
        wave = (0.0, 0.06, -0.05)[flicker % 3]
        fine.polygon((120, 130, 140), [(0.4, 0.5), (0.6, 0.5), (0.54, 0.92), (0.46, 0.92)])
        fine.polygon((226, 98, 24), [(0.32, 0.42), (0.5 + wave, 0.02), (0.68, 0.42), (0.5, 0.6)])
        fine.polygon(colours.key, [(0.38, 0.42), (0.5 - wave, 0.16), (0.62, 0.42), (0.5, 0.56)])
        fine.polygon((255, 236, 150), [(0.44, 0.44), (0.5, 0.28), (0.56, 0.44), (0.5, 0.52)])
    else:
        thick = 0.09 if look == "outlines" else 0.15
        ring = [(0.28 + 0.15 * cos(angle * pi / 12), 0.5 + 0.15 * sin(angle * pi / 12)) for angle in range(25)]
        fine.line(colours.key, ring, thick)
        fine.line(colours.key, [(0.43, 0.5), (0.88, 0.5), (0.88, 0.66)], thick)
        fine.line(colours.key, [(0.7, 0.5), (0.7, 0.62)], thick)
    return fine.done()


@lru_cache(maxsize=64)
def door(look: str, colours: Palette, width: int, height: int, is_open: bool) -> pygame.Surface:
    """The door in its cell."""
    fine = _Fine(width, height, colours.door)
    if look == "plain":
        fine.box(colours.door, 0.14, 0.04, 0.86, 1.0)
        if is_open:
            fine.box(colours.back, 0.26, 0.16, 0.74, 1.0)
    elif look == "bricks":
        fine.box(colours.door, 0.02, 0.02, 0.98, 1.0)
        fine.box(mix(colours.door, WHITE, 0.3), 0.02, 0.02, 0.98, 0.1)
        fine.box((8, 8, 12), 0.2, 0.22, 0.8, 1.0)
        if is_open:
            for step in range(4):
                fine.box((110, 126, 176), 0.32 + 0.12 * step, 0.86 - 0.13 * step, 0.8, 0.96 - 0.13 * step)
        else:
            for bar in (0.34, 0.5, 0.66):
                fine.box((120, 124, 130), bar - 0.03, 0.22, bar + 0.03, 1.0)
    else:
        thick = 0.08 if look == "outlines" else 0.12
        fine.box(colours.door, 0.12, 0.0, 0.88, 1.0, 0.3 if look == "colours" else 0.0)
        inner = colours.back if look == "outlines" or is_open else mix(colours.door, colours.key, 0.45)
        fine.box(inner, 0.12 + thick, thick, 0.88 - thick, 1.0 if look == "colours" else 1.0 - thick, 0.22)
        if not is_open:
            fine.disc(colours.door, 0.68, 0.56, 0.07)
        elif look == "outlines":
            fine.line(colours.door, [(0.2, 0.04), (0.52, 0.2), (0.52, 0.94), (0.2, 0.96)], thick)
    return fine.done()
