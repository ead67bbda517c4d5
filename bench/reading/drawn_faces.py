"""Typefaces that are drawn here: segment displays, pixel digits, strokes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bench.reading.face import TOKENS, Coverage, Face, Glyph, crop

# Segment displays -----------------------------------------------------------------------------------------------------

#     a
#   f   b
#     g
#   e   c
#     d
SEGMENTS = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc",
    "5": "afgcd", "6": "afgedc", "7": "abc", "8": "abcdefg", "9": "abcdfg",
}  # fmt: skip


@dataclass(frozen=True)
class Segment:
    """Seven-segment digits, and an X of four diagonal strokes.

    ``gap`` and ``thick`` are fractions of the digit's height; ``ends``: ``flat``, ``round`` or ``pointed`` strokes;
    ``tails``: whether 6, 7 and 9 have their optional stroke; ``narrow_one``: the 1 is two bars in the middle of its
    cell, not at the right edge of an invisible 8.
    """

    family: str
    width: float = 0.5
    gap: float = 0.05
    thick: float = 0.11
    ends: str = "flat"
    slant: float = 0.0
    tails: str = "69"
    narrow_one: bool = True
    hollow_cross: bool = True
    kind: str = "segment"
    least: int = 10

    def glyph(self, text: str, height: float, smooth: bool = True) -> Glyph:
        zoom = 4 if smooth else 1
        tall = max(round(height * zoom), 5)
        step = tall * (self.width + 0.28)
        span = round(step * len(text) + tall * (abs(self.slant) + 0.6))
        sheet = np.zeros((tall + 8 * zoom, span), np.uint8)
        for i, character in enumerate(text):
            narrow = character == "1" and self.narrow_one
            wide = tall * (self.width if character != "X" else max(self.width, 0.75))
            left = tall * 0.3 + i * step + (step - tall * 0.28 - wide) / 2
            self._strokes(sheet, character, left, 4 * zoom, wide, tall, narrow)
        if zoom > 1:
            h, w = sheet.shape
            sheet = sheet[: h // zoom * zoom, : w // zoom * zoom]
            sheet = sheet.reshape(h // zoom, zoom, w // zoom, zoom).mean((1, 3)).round().astype(np.uint8)
        coverage, x, y = crop(sheet)
        middle = (tall * 0.3 + (step * len(text) - tall * 0.28) / 2) / zoom
        dx = 0.0 if text == "1" and self.narrow_one else x + coverage.shape[1] / 2 - middle
        return Glyph(coverage, dx, y + coverage.shape[0] / 2 - (4 + tall / zoom / 2))

    def _strokes(
        self, sheet: Coverage, character: str, x: float, y: float, wide: float, tall: float, narrow: bool
    ) -> None:
        t = max(self.thick * tall, 1.0)
        left, right, top, bottom = x + t / 2, x + wide - t / 2, y + t / 2, y + tall - t / 2
        middle = (top + bottom) / 2
        if character == "X":
            cx, hole = (left + right) / 2, (0.09 * tall if self.hollow_cross else 0.0)
            for ex, ey in ((left, top), (right, top), (left, bottom), (right, bottom)):
                length = max(((ex - cx) ** 2 + (ey - middle) ** 2) ** 0.5, 1e-6)
                near = (cx + (ex - cx) * hole / length, middle + (ey - middle) * hole / length)
                self._bar(sheet, near, (ex, ey), t, 0.0, y, tall)
            return
        if narrow:
            left = right = (left + right) / 2
        a, b, c, d = (left, top), (right, top), (left, bottom), (right, bottom)
        e, f = (left, middle), (right, middle)
        ends = {"a": (a, b), "b": (b, f), "c": (f, d), "d": (c, d), "e": (e, c), "f": (a, e), "g": (e, f)}
        lit = SEGMENTS[character]
        if character == "6" and "6" not in self.tails:
            lit = lit.replace("a", "")
        if character == "9" and "9" not in self.tails:
            lit = lit.replace("d", "")
        if character == "7" and "7" in self.tails:
            lit += "f"
        for name in lit:
            self._bar(sheet, *ends[name], t, self.gap * tall, y, tall)

    def _bar(
        self,
        sheet: Coverage,
        a: tuple[float, float],
        b: tuple[float, float],
        t: float,
        gap: float,
        y: float,
        tall: float,
    ) -> None:
        p, q = np.array(a), np.array(b)
        along = (q - p) / max(float(np.hypot(*(q - p))), 1e-6)
        p, q = p + along * gap / 2, q - along * gap / 2
        across = np.array([-along[1], along[0]]) * t / 2
        if self.ends == "pointed":
            inner = along * t / 2
            shape = [p, p + inner + across, q - inner + across, q, q - inner - across, p + inner - across]
        else:
            shape = [p + across, q + across, q - across, p - across]
        points = np.array([(px - self.slant * (py - y - tall / 2), py) for px, py in shape])
        cv2.fillPoly(sheet, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
        if self.ends == "round":
            for px, py in (p, q):
                centre = (round((px - self.slant * (py - y - tall / 2)) * 16), round(py * 16))
                cv2.circle(sheet, centre, round(t / 2 * 16), 255, -1, cv2.LINE_8, 4)


SEGMENT_FACES: tuple[Segment, ...] = (
    Segment("segment plain"),
    Segment("segment thin", width=0.46, gap=0.08, thick=0.07),
    Segment("segment wide gaps", width=0.5, gap=0.14, thick=0.1, tails="69"),
    Segment("segment round", width=0.52, gap=0.1, thick=0.11, ends="round", tails="69"),
    Segment("segment pointed", width=0.52, gap=0.02, thick=0.13, ends="pointed", tails="679"),
    Segment("segment slanted", width=0.5, gap=0.03, thick=0.1, ends="pointed", slant=0.14, tails="69"),
    Segment("segment no tails", width=0.5, gap=0.06, thick=0.11, tails=""),
    Segment("segment fat", width=0.56, gap=0.05, thick=0.17, ends="pointed", tails="69", hollow_cross=False),
    Segment("segment right one", width=0.5, gap=0.05, thick=0.11, narrow_one=False, tails="69"),
    Segment("segment tight", width=0.42, gap=0.04, thick=0.12, tails="69", hollow_cross=False),
    Segment("segment hair", width=0.55, gap=0.05, thick=0.055, ends="round", tails="679"),
    Segment("segment wide", width=0.68, gap=0.06, thick=0.1, ends="flat", tails="69"),
)


# Pixel digits ---------------------------------------------------------------------------------------------------------

_FIVE_BY_SEVEN = """
.###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###. #...#
#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...# #...#
#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...# .#.#.
#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .#### ..#..
##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....# .#.#.
#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#. #...#
.###. .###. ##### .###. ...#. .###. .###. .#... .###. .##.. #...#
"""
_THREE_BY_FIVE = """
### .#. ### ### #.# ### ### ### ### ### #.#
#.# ##. ..# ..# #.# #.. #.. ..# #.# #.# #.#
#.# .#. ### .## ### ### ### ..# ### ### .#.
#.# .#. #.. ..# ..# ..# #.# ..# #.# ..# #.#
### ### ### ### ..# ### ### ..# ### ### #.#
"""
_BOLD_EIGHT = """
.#####.. ..##.... .#####.. .#####.. ...###.. #######. .#####.. #######. .#####.. .#####.. ##...##.
##...##. .###.... ##...##. ##...##. ..####.. ##...... ##...... ##...##. ##...##. ##...##. ##...##.
##..###. ..##.... .....##. .....##. .##.##.. ######.. ##...... ....##.. ##...##. ##...##. .##.##..
##.####. ..##.... ...###.. ..####.. ##..##.. .....##. ######.. ...##... .#####.. .######. ..###...
####.##. ..##.... ..##.... .....##. #######. .....##. ##...##. ..##.... ##...##. .....##. .##.##..
###..##. ..##.... .##..... ##...##. ....##.. ##...##. ##...##. ..##.... ##...##. ##...##. ##...##.
.#####.. ######.. #######. .#####.. ....##.. .#####.. .#####.. ..##.... .#####.. .#####.. ##...##.
"""
_SPARE_EIGHT = """
.####. ..#... .####. .####. ...#.. ######. .####. ###### .####. .####. #....#
#...## .##... #....# #....# ..##.. #...... #..... .....# #....# #....# .#..#.
#..#.# #.#... .....# ...##. .#.#.. #####.. #####. ....#. .####. #....# ..##..
#.#..# ..#... .####. .....# #..#.. .....#. #....# ...#.. #....# .##### ..##..
##...# ..#... #..... #....# ###### #....#. #....# ..#... #....# .....# .#..#.
.####. #####. ###### .####. ...#.. .####.. .####. ..#... .####. .####. #....#
"""
_SQUARE_SIX = """
###### ...## ###### ###### ##..## ###### ###### ###### ###### ###### ##..##
##..## .#### ....## ....## ##..## ##.... ##.... ....## ##..## ##..## ##..##
##..## ...## ###### ..#### ###### ###### ###### ....## ###### ###### ..##..
##..## ...## ##.... ....## ....## ....## ##..## ....## ##..## ....## ##..##
###### ...## ###### ###### ....## ###### ###### ....## ###### ###### ##..##
"""


def _bitmaps(sheet: str) -> dict[str, Coverage]:
    rows = [line.split() for line in sheet.strip().splitlines()]
    shapes: dict[str, Coverage] = {}
    for i, token in enumerate(TOKENS):
        width = max(len(row[i]) for row in rows)
        bits = [[255 * (dot == "#") for dot in row[i].ljust(width, ".")] for row in rows]
        shapes[token] = np.array(bits, np.uint8)
    return shapes


@dataclass(frozen=True)
class Pixel:
    """Digits on a small raster, each dot a whole number of pixels."""

    family: str
    sheet: str
    kind: str = "pixel"
    least: int = 5

    def glyph(self, text: str, height: float, smooth: bool = True) -> Glyph:
        shapes = _bitmaps(self.sheet)
        tall = len(shapes["8"])
        zoom = max(round(height / tall), 1)
        space = np.zeros((tall, 1), np.uint8)
        parts = [part for c in text for part in (crop(shapes[c])[0] if c == "1" else shapes[c], space)][:-1]
        tallest = [np.pad(p, ((0, tall - len(p)), (0, 0))) for p in parts]
        line = np.kron(np.hstack(tallest), np.ones((zoom, zoom), np.uint8)).astype(np.uint8)
        coverage, x, y = crop(line)
        return Glyph(
            coverage,
            x + coverage.shape[1] / 2 - line.shape[1] / 2,
            y + coverage.shape[0] / 2 - line.shape[0] / 2,
        )


PIXEL_FACES: tuple[Pixel, ...] = (
    Pixel("pixel five by seven", _FIVE_BY_SEVEN),
    Pixel("pixel three by five", _THREE_BY_FIVE),
    Pixel("pixel bold eight", _BOLD_EIGHT),
    Pixel("pixel spare eight", _SPARE_EIGHT),
    Pixel("pixel square six", _SQUARE_SIX),
)


# Strokes --------------------------------------------------------------------------------------------------------------

_ARC = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 33)]


def _oval(x: float, y: float, rx: float, ry: float, first: int = 0, last: int = 32) -> list[tuple[float, float]]:
    """A part of an ellipse, in 32nds of a turn, clockwise on the screen from the right."""
    return [(x + rx * _ARC[i % 32][0], y + ry * _ARC[i % 32][1]) for i in range(first, last + 1)]


_STROKES: dict[str, list[list[tuple[float, float]]]] = {
    "0": [_oval(0.3, 0.5, 0.3, 0.5)],
    "1": [[(0.1, 0.22), (0.32, 0.0), (0.32, 1.0)]],
    "2": [[*_oval(0.3, 0.28, 0.28, 0.28, 17, 34), (0.02, 1.0), (0.6, 1.0)]],
    "3": [[*_oval(0.28, 0.26, 0.26, 0.26, 18, 40), *_oval(0.28, 0.74, 0.3, 0.26, 24, 46)]],
    "4": [[(0.46, 1.0), (0.46, 0.0), (0.0, 0.7), (0.64, 0.7)]],
    "5": [[(0.54, 0.0), (0.1, 0.0), (0.05, 0.45), *_oval(0.28, 0.68, 0.31, 0.32, 22, 44)]],
    "6": [[(0.46, 0.0), (0.14, 0.4), (0.03, 0.62), *_oval(0.3, 0.7, 0.28, 0.3, 16, 48)]],
    "7": [[(0.0, 0.0), (0.58, 0.0), (0.2, 1.0)]],
    "8": [_oval(0.3, 0.25, 0.24, 0.25), _oval(0.3, 0.75, 0.3, 0.25)],
    "9": [[(0.14, 1.0), (0.46, 0.6), (0.57, 0.38), *_oval(0.3, 0.3, 0.28, 0.3, 0, 32)]],
    "X": [[(0.0, 0.0), (0.66, 1.0)], [(0.66, 0.0), (0.0, 1.0)]],
}


@dataclass(frozen=True)
class Stroke:
    """Digits of one line of even width, as plotters and hand-made games draw them."""

    family: str
    thick: float
    wobble: float = 0.0
    slant: float = 0.0
    cut_seven: bool = False
    kind: str = "stroke"
    least: int = 9

    def glyph(self, text: str, height: float, smooth: bool = True) -> Glyph:
        zoom = 4 if smooth else 1
        tall = height * zoom * (1 - self.thick)
        t = max(self.thick * height * zoom, 1.2)
        step = tall * 0.62 + t * 1.8
        pad = int(t + 0.4 * tall) + 2
        sheet = np.zeros((int(tall + 2 * pad), int(step * len(text) + 2 * pad)), np.uint8)
        for i, character in enumerate(text):
            strokes = [*_STROKES[character]]
            if character == "7" and self.cut_seven:
                strokes.append([(0.14, 0.52), (0.56, 0.52)])
            for n, line in enumerate(strokes):
                points = np.array(line) + self.wobble * np.sin(
                    np.array(line) * 7 + [n, ord(character)] + len(self.family)
                )
                points[:, 0] -= self.slant * (points[:, 1] - 0.5)
                where = np.round((points * tall + [pad + i * step, pad]) * 16).astype(np.int32)
                cv2.polylines(sheet, [where], False, 255, max(round(t), 1), cv2.LINE_AA if smooth else cv2.LINE_8, 4)
        if zoom > 1:
            h, w = sheet.shape
            sheet = sheet[: h // zoom * zoom, : w // zoom * zoom]
            sheet = sheet.reshape(h // zoom, zoom, w // zoom, zoom).mean((1, 3)).round().astype(np.uint8)
        coverage, x, y = crop(sheet)
        middle = (pad + (step * len(text) - t * 1.8) / 2) / zoom
        return Glyph(coverage, x + coverage.shape[1] / 2 - middle, y + coverage.shape[0] / 2 - (pad + tall / 2) / zoom)


STROKE_FACES: tuple[Stroke, ...] = (
    Stroke("stroke thin", 0.07),
    Stroke("stroke plain", 0.11),
    Stroke("stroke heavy", 0.19),
    Stroke("stroke wobbly", 0.1, wobble=0.035),
    Stroke("stroke slanted", 0.09, slant=0.2),
    Stroke("stroke cut seven", 0.12, wobble=0.02, slant=0.08, cut_seven=True),
)

DRAWN: dict[str, Sequence[Face]] = {"segment": SEGMENT_FACES, "pixel": PIXEL_FACES, "stroke": STROKE_FACES}
