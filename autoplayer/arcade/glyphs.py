"""Digits and the X of a start, drawn in four ways: seven segments with gaps, an ordinary font, square pixels, and
symbols that nobody can read who was not told what they mean.

Every glyph is a picture of one colour with a soft edge, cached by its look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import cos, pi, sin

import pygame

from autoplayer.arcade.themes import Colour
from autoplayer.core.frame import Box

FINE = 4
"""Shapes are drawn this many times larger and then reduced, which softens their edges."""

_SEGMENTS = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
}

_PIXELS = {
    "0": (".####.", "##..##", "##.###", "###.##", "##..##", "##..##", ".####."),
    "1": ("..##..", ".###..", "..##..", "..##..", "..##..", "..##..", ".####."),
    "2": (".####.", "##..##", "....##", "..###.", ".##...", "##....", "######"),
    "3": (".####.", "##..##", "....##", "..###.", "....##", "##..##", ".####."),
    "4": ("...##.", "..###.", ".####.", "##.##.", "######", "...##.", "...##."),
    "5": ("######", "##....", "#####.", "....##", "....##", "##..##", ".####."),
    "6": ("..###.", ".##...", "##....", "#####.", "##..##", "##..##", ".####."),
    "7": ("######", "....##", "...##.", "..##..", "..##..", ".##...", ".##..."),
    "8": (".####.", "##..##", "##..##", ".####.", "##..##", "##..##", ".####."),
    "9": (".####.", "##..##", "##..##", ".#####", "....##", "...##.", ".###.."),
    "X": ("##..##", "##..##", ".####.", "..##..", ".####.", "##..##", "##..##"),
}


_SYMBOLS: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "2": (((0.5, 0.04), (1, 0.96), (0, 0.96)),),
    "3": (((0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88)),),
    "5": (((1, 0.04), (1, 0.96), (0.08, 0.96)),),
    "6": (((0, 0.04), (1, 0.04), (0.5, 0.96)),),
    "7": (
        ((0.34, 0), (0.66, 0), (0.66, 1), (0.34, 1)),
        ((0, 0.34), (1, 0.34), (1, 0.66), (0, 0.66)),
    ),
    "8": (((0, 0), (1, 0), (0.58, 0.5), (1, 1), (0, 1), (0.42, 0.5)),),
    "X": (((0, 0), (0.5, 0.42), (1, 0), (1, 1), (0.5, 0.58), (0, 1)),),
    "9": (((0.02, 0), (0.5, 0.34), (0.98, 0), (0.98, 0.66), (0.5, 1), (0.02, 0.66)),),
}
"""Polygons in a unit square, ``(x, y)``: triangle, square, half of a square, triangle on its head,
cross, hourglass, bow tie, chevron."""


def smooth(
    width: int, height: int, colour: Colour, draw: Callable[[pygame.Surface, int, Colour], None]
) -> pygame.Surface:
    """A picture of what ``draw(canvas, scale, colour)`` draws on a transparent canvas ``scale`` times as large."""
    canvas = pygame.Surface((max(width, 1) * FINE, max(height, 1) * FINE), pygame.SRCALPHA, 32)
    canvas.fill((*colour, 0))  # the colour under transparent pixels must be the same, or edges darken
    draw(canvas, FINE, colour)
    return pygame.transform.smoothscale(canvas, (max(width, 1), max(height, 1)))


def _bar(canvas: pygame.Surface, colour: Colour, a: tuple[float, float], b: tuple[float, float], thick: float) -> None:
    """A segment from ``a`` to ``b`` (upright or level) with pointed ends."""
    half = thick / 2
    if a[0] == b[0]:
        x, top, bottom = a[0], a[1], b[1]
        points = [
            (x, top),
            (x + half, top + half),
            (x + half, bottom - half),
            (x, bottom),
            (x - half, bottom - half),
            (x - half, top + half),
        ]
    else:
        y, left, right = a[1], a[0], b[0]
        points = [
            (left, y),
            (left + half, y - half),
            (right - half, y - half),
            (right, y),
            (right - half, y + half),
            (left + half, y + half),
        ]
    pygame.draw.polygon(canvas, colour, points)


@lru_cache(maxsize=512)
def _segment_glyph(char: str, height: int, colour: Colour) -> pygame.Surface:
    thick = max(height * 0.15, 1.5)
    gap = max(height * 0.022, 0.3)  # what stays open where two segments meet
    width = height * 0.58

    def draw(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        w, h, t, g = width * scale, height * scale, thick * scale, gap * scale
        left, right, top, middle, bottom = t / 2, w - t / 2, t / 2, h / 2, h - t / 2
        if char == "X":
            # Four strokes that leave the middle open, as the segments leave their corners.
            cx, cy, half = w / 2, h / 2, t * 0.42
            for x, y in (
                (t * 0.5, t * 0.5),
                (w - t * 0.5, t * 0.5),
                (t * 0.5, h - t * 0.5),
                (w - t * 0.5, h - t * 0.5),
            ):
                dx, dy = cx - x, cy - y
                length = (dx * dx + dy * dy) ** 0.5
                nx, ny = -dy / length * half, dx / length * half
                ex, ey = x + dx * 0.8, y + dy * 0.8
                pygame.draw.polygon(
                    canvas, ink, [(x + nx, y + ny), (x - nx, y - ny), (ex - nx, ey - ny), (ex + nx, ey + ny)]
                )
                pygame.draw.circle(canvas, ink, (x, y), half)
            return
        ends = {
            "a": ((left + g, top), (right - g, top)),
            "g": ((left + g, middle), (right - g, middle)),
            "d": ((left + g, bottom), (right - g, bottom)),
            "f": ((left, top + g), (left, middle - g)),
            "b": ((right, top + g), (right, middle - g)),
            "e": ((left, middle + g), (left, bottom - g)),
            "c": ((right, middle + g), (right, bottom - g)),
        }
        for name in _SEGMENTS[char]:
            _bar(canvas, ink, *ends[name], t)

    return _trim(smooth(round(width), height, colour, draw))


@lru_cache(maxsize=512)
def _pixel_glyph(char: str, height: int, colour: Colour) -> pygame.Surface:
    rows = _PIXELS[char]
    edge = max(round(height / len(rows)), 1)
    picture = pygame.Surface((len(rows[0]) * edge, len(rows) * edge), pygame.SRCALPHA, 32)
    for r, row in enumerate(rows):
        for c, dot in enumerate(row):
            if dot == "#":
                picture.fill(colour, (c * edge, r * edge, edge, edge))
    return _trim(picture)


@lru_cache(maxsize=512)
def _symbol_glyph(char: str, height: int, colour: Colour) -> pygame.Surface:
    def draw(canvas: pygame.Surface, scale: int, ink: Colour) -> None:
        edge = height * scale
        middle = edge / 2, edge / 2
        for polygon in _SYMBOLS.get(char, ()):
            pygame.draw.polygon(canvas, ink, [(x * edge, y * edge) for x, y in polygon])
        if char in ("0", "1"):
            pygame.draw.circle(canvas, ink, middle, edge * 0.48, 0 if char == "1" else max(round(edge * 0.17), 1))
        elif char == "4":
            corners = []
            for k in range(10):
                away, angle = edge * (0.5 if k % 2 == 0 else 0.2), pi * k / 5 - pi / 2
                corners.append((middle[0] + away * cos(angle), middle[1] + away * sin(angle)))
            pygame.draw.polygon(canvas, ink, corners)

    return _trim(smooth(height, height, colour, draw))


@lru_cache(maxsize=64)
def _font(size: int) -> pygame.font.Font:
    pygame.font.init()
    return pygame.font.Font(None, size)


@lru_cache(maxsize=512)
def _font_glyph(text: str, height: int, colour: Colour) -> pygame.Surface:
    # A digit is about 0.7 of the size that the font is asked for.
    return _trim(_font(max(round(height / 0.7), 4)).render(text, True, colour))


def _trim(picture: pygame.Surface) -> pygame.Surface:
    """The picture without its empty margin, so that what is seen can be centred."""
    seen = picture.get_bounding_rect()
    return picture.subsurface(seen) if seen.width else picture


_STYLES: dict[str, Callable[[str, int, Colour], pygame.Surface]] = {
    "segments": _segment_glyph,
    "pixel": _pixel_glyph,
    "font": _font_glyph,
    "symbols": _symbol_glyph,
}


def glyph(style: str, char: str, height: int, colour: Colour) -> pygame.Surface:
    """The picture of one digit or ``X``, about ``height`` pixels high."""
    return _STYLES[style](char, max(height, 3), colour)


@lru_cache(maxsize=2048)
def number(style: str, text: str, height: int, colour: Colour) -> pygame.Surface:
    """The picture of a whole number, its digits side by side."""
    row = [glyph(style, char, height, colour) for char in text]
    gap = max(round(height * 0.16), 1)
    picture = pygame.Surface((_length(row, gap), max(one.get_height() for one in row)), pygame.SRCALPHA, 32)
    picture.fill((*colour, 0))
    x = 0
    for one in row:
        picture.blit(one, (x, (picture.get_height() - one.get_height()) // 2))
        x += one.get_width() + gap
    return picture


def _length(row: Sequence[pygame.Surface], gap: int) -> int:
    return sum(one.get_width() for one in row) + gap * (len(row) - 1)


def write(surface: pygame.Surface, style: str, text: str, box: Box, height: int, colour: Colour) -> None:
    """Write digits or ``X`` side by side in the middle of ``box``, reduced where they would not fit."""
    room = box.width * 0.72
    for size in range(max(height, 3), 2, -1):
        row = [glyph(style, char, size, colour) for char in text]
        gap = max(round(size * 0.16), 1)
        width = _length(row, gap)
        if width <= room or size == 3:
            _place(surface, row, gap, box, width)
            return


def _place(surface: pygame.Surface, row: Sequence[pygame.Surface], gap: int, box: Box, width: int) -> None:
    x = box.x + (box.width - width) / 2
    for one in row:
        surface.blit(one, (round(x), round(box.y + (box.height - one.get_height()) / 2)))
        x += one.get_width() + gap


def stack(surface: pygame.Surface, style: str, text: str, box: Box, height: int, colour: Colour) -> None:
    """Write digits one below the other in the middle of ``box``."""
    height = min(height, round(box.height / len(text) / 1.35))
    column = [glyph(style, char, height, colour) for char in text]
    gap = max(round(height * 0.3), 1)
    y = box.y + (box.height - sum(one.get_height() for one in column) - gap * (len(column) - 1)) / 2
    for one in column:
        surface.blit(one, (round(box.x + (box.width - one.get_width()) / 2), round(y)))
        y += one.get_height() + gap


def caption(surface: pygame.Surface, text: str, box: Box, height: int, colour: Colour) -> None:
    """A line of ordinary writing in the middle of ``box``, reduced to fit, shortened where it would be too small."""
    text = "".join(char if char.isprintable() else " " for char in text)[:80]
    for size in range(max(round(height / 0.7), 10), 9, -1):
        picture = _font(size).render(text, True, colour)
        if picture.get_width() <= box.width * 0.92:
            break
    while picture.get_width() > box.width * 0.92 and len(text) > 1:
        text = text[:-1]
        picture = _font(10).render(text + "…", True, colour)
    surface.blit(
        picture, (box.x + (box.width - picture.get_width()) // 2, box.y + (box.height - picture.get_height()) // 2)
    )
