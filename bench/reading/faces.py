"""Typefaces of the strange windows: those installed on this machine and those drawn here, in two sides by family.

The development side may be looked at while a reader is built; the held side may not. A family belongs wholly to one
side. Nothing here knows a game, a theme or a window.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

Side = Literal["development", "held"]
Coverage = NDArray[np.uint8]
"""Shape ``(height, width)``: 0 where nothing of the glyph is, 255 where it covers the pixel."""

TOKENS = "0123456789X"
HELD_SHARE = 0.35
"""The share of families whose hash puts them on the held side, where no list of the training says otherwise."""

LISTS = Path(__file__).resolve().parents[2] / "training"
"""Where the training keeps ``*held*.txt``, one family a line: the families that no classifier was trained on."""


@dataclass(frozen=True)
class Glyph:
    """``coverage`` is cropped to the ink; ``dx, dy`` is how far the ink's centre lies right of and below the middle of
    the line that a window would centre (pixels)."""

    coverage: Coverage
    dx: float
    dy: float


class Face(Protocol):
    """One typeface in one style. ``kind``: ``installed``, ``old-style``, ``segment``, ``pixel``, ``stroke``. ``least``:
    the height in pixels under which a person would not read it."""

    @property
    def family(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def least(self) -> int: ...

    def __hash__(self) -> int: ...

    def glyph(self, text: str, height: float, smooth: bool = True) -> Glyph:
        """``text`` (digits and X) so large that an 8 is ``height`` pixels high; no grey edges if not ``smooth``."""


def crop(coverage: Coverage) -> tuple[Coverage, int, int]:
    """The part that holds ink, and the x and y where it begins; one empty pixel where there is no ink."""
    ys, xs = np.flatnonzero(coverage.any(1)), np.flatnonzero(coverage.any(0))
    if not len(ys):
        return coverage[:1, :1], 0, 0
    return coverage[ys[0] : ys[-1] + 1, xs[0] : xs[-1] + 1], int(xs[0]), int(ys[0])


# Installed faces ------------------------------------------------------------------------------------------------------

UNFIT = re.compile(
    r"symbol|dingbat|emoji|barcode|code ?39|braille|music|chess|icon|awesome|webdings|wingdings|d050000l|keyboard"
    r"|blank|redacted|cursor|esint|stmary|rsfs|wasy|msam|msbm|cmex|cmsy|cmmi|eufm|euex|circled|runic|hieroglyph"
    r"|circuit|ornament|maze|lastresort|unicode bmp",
    re.IGNORECASE,
)
"""Families whose names say that their digits are no digits, or no digits that a person reads."""

UNREADABLE = frozenset(
    line.strip()
    for line in """
    10.15 Saturday Night BRK, 10.15 Saturday Night R BRK, 18 Holes BRK, Aftermath BRK, Bit Blocks TTF BRK,
    BM Euljiro oraeorae, Circulate BRK, Code Of Life BRK, Collective RS BRK, Collective S BRK, DB Layer 1 BRK,
    DB Layer 2 BRK, DB Layer 3 BRK, Double Bogey BRK, Dystorque BRK, Entangled Layer A BRK, Entangled Layer B BRK,
    Faux Snow BRK, Gasping BRK, Grudge 2 BRK, Grudge BRK, Head-Ding Maker BRK, It Lives In The Swamp BRK,
    Jawbreaker OL2 BRK, Line Dings BRK, Loopy BRK, Mishmash 4x4o BRK, Numskull BRK, OCR B, Perfect Dark BRK,
    Quill Experimental O BRK, Quill Experimental S BRK, Ravaged By Years BRK, Sequence BRK, Skull Capz BRK,
    Snailets BRK, Spheroids BRK, Symmetry BRK, UKIJ Kufi Chiwer, Underscore 2 BRK, Underscore BRK, Vertigo 2 BRK,
    Vertigo BRK, Wayward Shadow BRK, Xerox Malfunction BRK, Xtrusion BRK, Zoidal BRK, Zurklez Outline BRK,
    Zurklez Solid BRK, feta26, jsMath-cmbsy10, jsMath-cmsy10
    """.replace("\n", " ").split(",")
)
"""Families that a look at their digits ruled out: lying on their side, inside discs or boxes, ruined on purpose, or no
digits at all."""


def _folders() -> list[Path]:
    home = Path.home()
    if sys.platform == "win32":
        return [Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts"]
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    return [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".fonts", home / ".local/share/fonts"]


@lru_cache(maxsize=1)
def installed() -> dict[str, tuple[Path, ...]]:
    """The font files of this machine by family, both sorted; TrueType and OpenType only."""
    found: dict[tuple[str, str], Path] = {}
    for folder in _folders():
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() not in (".ttf", ".otf"):
                continue
            try:
                family, style = ImageFont.truetype(str(path), 20).getname()
            except (OSError, ValueError):
                continue  # a file that FreeType cannot open is no typeface for anybody
            if family and family not in UNREADABLE and not UNFIT.search(family):
                found.setdefault((family, style or ""), path)
    families: dict[str, list[Path]] = {}
    for (family, _style), path in sorted(found.items()):
        families.setdefault(family, []).append(path)
    return {family: tuple(paths) for family, paths in sorted(families.items())}


@lru_cache(maxsize=64)
def _font(path: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _eight(path: str) -> float:
    """The height of an 8, in em; 0 where there is none."""
    try:
        left, top, right, bottom = _font(path, 200).getbbox("8")
    except OSError:
        return 0.0  # FreeType refuses the outlines of some old fonts
    return (bottom - top) / 200 if right > left else 0.0


@dataclass(frozen=True)
class Installed:
    """A font file."""

    family: str
    path: str
    kind: str = "installed"

    @property
    def least(self) -> int:
        return _least(self.path)

    def glyph(self, text: str, height: float, smooth: bool = True) -> Glyph:
        font = _font(self.path, round(height / _eight(self.path), 2))
        size = (int(font.getlength(text)) + 2 * int(height) + 8, int(4 * height) + 8)
        pad = int(height) + 4
        picture = Picture.new("L", size, 0)
        pen = ImageDraw.Draw(picture)
        pen.fontmode = "L" if smooth else "1"
        pen.text((pad, pad - _line(self.path, height)[0]), text, fill=255, font=font)
        coverage, x, y = crop(np.asarray(picture))
        middle = sum(_line(self.path, height)) / 2 - _line(self.path, height)[0]
        return Glyph(
            coverage,
            x + coverage.shape[1] / 2 - (pad + font.getlength(text) / 2),
            y + coverage.shape[0] / 2 - (pad + middle),
        )


@lru_cache(maxsize=1024)
def _line(path: str, height: float) -> tuple[int, int]:
    """Top and bottom of the ink of all digits together, from the line's origin, at this height of an 8."""
    _, top, _, bottom = _font(path, round(height / _eight(path), 2)).getbbox("0123456789")
    return int(top), int(bottom)


@lru_cache(maxsize=4096)
def _fit(path: str) -> bool:
    """Whether a person could tell this font's digits apart, and read them as such."""
    if not 0.2 < _eight(path) < 1.2:
        return False
    try:
        face = Installed("", path)
        shapes = [_square(face.glyph(c, 40).coverage) for c in TOKENS]
        missing = _square(face.glyph("\uffff", 40).coverage)
        models = [_square(_default().glyph(c, 40).coverage) for c in TOKENS]
    except (OSError, ValueError, ZeroDivisionError):
        return False
    if any(np.abs(shape - missing).mean() < 0.01 for shape in shapes):
        return False
    # Shapes that agree with no plain digit at all are pictures, ciphers of another script, or boxed decoration.
    alike = np.mean([_overlap(shape, model) for shape, model in zip(shapes, models, strict=True)])
    return bool(alike > 0.22) and _least(path) <= HEIGHTS[-1]


HEIGHTS = (7, 8, 9, 10, 11, 12, 14, 16, 18, 20)


@lru_cache(maxsize=4096)
def _least(path: str) -> int:
    """The first height at which no stroke is a mere shade and every two digits differ in a fair part of their ink."""
    face = Installed("", path)
    for height in HEIGHTS:
        sheets = []
        for character in TOKENS:
            coverage = face.glyph(character, height).coverage
            sheet = np.zeros((2 * height, 3 * height), np.float32)
            h, w = min(coverage.shape[0], 2 * height), min(coverage.shape[1], 3 * height)
            y, x = (2 * height - h) // 2, (3 * height - w) // 2
            sheet[y : y + h, x : x + w] = coverage[:h, :w] / 255.0
            sheets.append(sheet)
        # The eye joins neighbouring pixels: what is left after a slight blur is what it sees.
        seen = [cv2.GaussianBlur(sheet, (0, 0), 0.6) for sheet in sheets]
        dark = min(float(np.quantile(sheet[sheet > 0.05], 0.8)) for sheet in sheets)
        apart = min(
            float(np.abs(a - b).sum() / max(min(a.sum(), b.sum()), 1e-6)) for i, a in enumerate(seen) for b in seen[:i]
        )
        if dark >= 0.55 and apart >= 0.1:
            return height
    return 99


@lru_cache(maxsize=4096)
def crosses(face: Face) -> bool:
    """Whether the face's X looks like one: nothing stands half-way up at its left and right, as in an H."""
    shape = _square(face.glyph("X", 40).coverage)
    plain = _square(_default().glyph("X", 40).coverage)
    return float(max(shape[13:19, :4].mean(), shape[13:19, -4:].mean())) < 0.3 and _overlap(shape, plain) > 0.25


def _square(coverage: Coverage) -> NDArray[np.float32]:
    small: NDArray[np.float32] = cv2.resize(coverage, (24, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    return small / np.float32(255)


def _overlap(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    return float(np.minimum(a, b).sum() / max(np.maximum(a, b).sum(), 1e-6))


@dataclass(frozen=True)
class _Default:
    """The outline face that Pillow carries in itself."""

    family: str = "Aileron (Pillow)"
    kind: str = "installed"
    least: int = 7

    def glyph(self, text: str, height: float, smooth: bool = True) -> Glyph:
        font = ImageFont.load_default(height / 0.72)
        width = int(font.getlength(text)) + 2 * int(height) + 8
        picture = Picture.new("L", (width, int(4 * height) + 8), 0)
        pen = ImageDraw.Draw(picture)
        pen.fontmode = "L" if smooth else "1"
        pen.text((width / 2, 1.5 * height), text, fill=255, font=font, anchor="mm")
        coverage, x, _ = crop(np.asarray(picture))
        return Glyph(coverage, x + coverage.shape[1] / 2 - width / 2, 0.0)


def _default() -> _Default:
    return _Default()


# Old-style numerals ---------------------------------------------------------------------------------------------------

LOW, DESCENT = 0.7, 0.22
"""The height of a 0, 1 and 2, and how far a 3, 4, 5, 7 and 9 hang below the line, as shares of an 8's height."""


@dataclass(frozen=True)
class OldStyle:
    """The digits of another face as text numerals: low ones, hanging ones, and a 6 and an 8 that rise. Few installed
    faces have them where programs look for digits, so that they are made here."""

    base: Face
    kind: str = "old-style"

    @property
    def family(self) -> str:
        return f"{self.base.family}, old style"

    @property
    def least(self) -> int:
        return round(self.base.least / LOW) + 1

    def glyph(self, text: str, height: float, smooth: bool = True) -> Glyph:
        parts = []
        for character in text:
            coverage = self.base.glyph(character, height * (LOW if character in "012" else 1.0), smooth).coverage
            parts.append((coverage, round(DESCENT * height) if character in "34579" else 0))
        gap = max(round(0.1 * height), 1)
        above = max(len(coverage) for coverage, _ in parts)
        width = sum(coverage.shape[1] for coverage, _ in parts) + gap * (len(parts) - 1)
        sheet = np.zeros((above + round(DESCENT * height) + 1, width), np.uint8)
        x = 0
        for coverage, down in parts:
            h, w = coverage.shape
            sheet[above + down - h : above + down, x : x + w] = coverage
            x += w + gap
        cut, _, y = crop(sheet)
        middle = above + (DESCENT - 1) * height / 2
        return Glyph(cut, 0.0, y + cut.shape[0] / 2 - middle)


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


# Sides ----------------------------------------------------------------------------------------------------------------


def fraction(*words: object) -> float:
    """A number from 0 to 1 that depends on nothing but the words; the same on every machine."""
    digest = hashlib.sha256("\0".join(map(str, words)).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


@lru_cache(maxsize=1)
def training_held() -> frozenset[str] | None:
    """The families that the training kept apart, or None while there is no such list."""
    if not LISTS.is_dir():
        return None
    files = sorted(path for path in LISTS.glob("*.txt") if "held" in path.stem or "apart" in path.stem)
    lines = [line.strip() for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    names = frozenset(line.split("\t")[0].strip() for line in lines if line and not line.startswith("#"))
    return names or None


def side_of(family: str, drawn: bool = False) -> Side:
    """The side of a family. Faces drawn here go by their hash; installed ones by the training's list, where it is."""
    kept = None if drawn else training_held()
    if kept is not None:
        return "held" if family in kept else "development"
    return "held" if fraction("side", family) < HELD_SHARE else "development"


def families(side: Side, kind: str) -> list[str]:
    """The families of one kind and side on this machine; of the installed, not all need be fit to read."""
    if kind == "installed":
        return [family for family in (*installed(), _Default().family) if side_of(family) == side]
    return [face.family for face in DRAWN[kind] if side_of(face.family, drawn=True) == side]


@lru_cache(maxsize=8)
def _weights(side: Side, kind: str) -> dict[str, float]:
    """How often each family is picked: a hundred faces of one maker together as often as ten that stand alone."""
    names = families(side, kind)
    if kind != "installed":
        return dict.fromkeys(names, 1.0)
    makers = {name: "BRK" if name.endswith("BRK") else name.split()[0] for name in names}
    counts = Counter(makers.values())
    return {name: counts[makers[name]] ** -0.5 for name in names}


def pick(side: Side, kind: str, *words: object) -> Face:
    """The face of this kind and side that belongs to these words (a seed, say).

    Each family draws a number from the words and the highest wins, so that installing further fonts changes only
    those choices that the newcomers win.
    """
    weights = _weights(side, kind)
    for family in sorted(
        weights, key=lambda name: np.log(1 - fraction("family", name, *words)) / weights[name], reverse=True
    ):
        if kind != "installed":
            return next(face for face in DRAWN[kind] if face.family == family)
        if family == _Default().family:
            return _Default()
        for path in sorted(installed()[family], key=lambda p: fraction("file", p.name, *words), reverse=True):
            if _fit(str(path)):
                return Installed(family, str(path))
    raise LookupError(f"no {kind} typeface on the {side} side of this machine")


def every(side: Side) -> Iterator[Face]:
    """One face of every family of a side that is fit to read; for looking at them all."""
    for kind in ("segment", "pixel", "stroke"):
        yield from (face for face in DRAWN[kind] if side_of(face.family, drawn=True) == side)
    for family in families(side, "installed"):
        paths: Iterable[Path] = installed().get(family, ())
        yield from [Installed(family, str(path)) for path in paths if _fit(str(path))][:1]
