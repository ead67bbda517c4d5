"""Typefaces of the strange windows: those installed on this machine and those of ``drawn_faces``, in two sides by
family.

The development side may be looked at while a reader is built; the held side may not. A family belongs wholly to one
side. Nothing here knows a game, a theme or a window.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from bench.reading.drawn_faces import DRAWN
from bench.reading.face import TOKENS, Coverage, Face, Glyph, crop

Side = Literal["development", "held"]
HELD_SHARE = 0.35
"""The share of families whose hash puts them on the held side, where no list of the training says otherwise."""

LISTS = Path(__file__).resolve().parents[2] / "training"
"""Where the training keeps ``*held*.txt``, one family a line: the families that no classifier was trained on."""


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
