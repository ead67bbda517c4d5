"""Strange windows: how a window looks that nobody here has drawn, whatever game stands in it.

Colours, canvas, backgrounds, things around a board, things over it, and what happens to a picture on its way to the
reader. Everything is drawn from a seed. Where a game's board goes, its own module draws it; typefaces are in ``faces``.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from PIL import ImageDraw

from autoplayer.core.frame import Box, Cell, Image
from bench.reading.faces import Coverage, Face, Glyph, OldStyle, Side, fraction, pick

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255. Only the finished picture is BGR."""

Random = np.random.Generator
T = TypeVar("T")
Area = tuple[float, float, float, float]
"""Left, top, right, bottom in window pixels."""


@dataclass(frozen=True)
class Sample:
    """A picture with its truth.

    ``image`` BGR. ``text``: the puzzle in its text format as it was before play began; empty where there is no board.
    ``conditions``: tags of what is special about the look. ``places``: where each cell stands, in pixels of ``image``.
    ``owners``: for a board in the middle of play, the start of the chain that covers a cell. ``content``: where the
    puzzle came from. ``face``: the family of its digits. ``name``: the side, kind and seed. ``links``: for a game of
    bridges, how many links stand between two islands; None where it is not known.
    """

    image: Image
    text: str
    conditions: frozenset[str]
    places: Mapping[Cell, Box]
    owners: Mapping[Cell, Cell] = field(default_factory=dict)
    content: str = ""
    face: str = ""
    name: str = ""
    links: Mapping[tuple[Cell, Cell], int] | None = None


@dataclass(frozen=True)
class Series:
    """Further pictures of a game beside its boards, with a table of their own.

    ``draw``: a sample from a seed and a side. ``part``: how many there are for each board. ``prefix``: which conditions
    get a row of their own, those that begin so; None: no condition does.
    """

    name: str
    title: str
    draw: Callable[[int, Side], Sample]
    part: float
    prefix: str | None = None


def stream(seed: int, *purpose: str) -> Random:
    """A random stream of its own for each purpose, so that a change in one leaves the others as they were."""
    return np.random.default_rng([seed, *(int(fraction(word) * 2**32) for word in purpose)])


def choose(rng: Random, weights: Mapping[T, float]) -> T:
    """One key, by its weight."""
    total = sum(weights.values())
    point = rng.random() * total
    for key, weight in weights.items():
        point -= weight
        if point < 0:
            return key
    return next(reversed(list(weights)))


def within(rng: Random, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


# Colours --------------------------------------------------------------------------------------------------------------


def luma(colour: Sequence[float]) -> float:
    """How light a colour looks, 0 to 255 (Rec. 601 weights)."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def toned(hue: float, saturation: float, light: float) -> Colour:
    """The colour of this hue and saturation (0 to 1) whose luma is ``light``."""
    light = min(max(light, 0.0), 255.0)
    pure = [255 * v for v in colorsys.hsv_to_rgb(hue % 1, saturation, 1)]
    here = luma(pure)
    if here >= light:
        mixed = [v * light / here for v in pure]
    else:
        share = (light - here) / (255 - here)
        mixed = [v + (255 - v) * share for v in pure]
    return round(mixed[0]), round(mixed[1]), round(mixed[2])


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """``a`` with ``share`` of ``b`` in it."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


def legible_on(colour: Colour, ink: Colour, least: float) -> Colour:
    """``ink`` where it differs enough from ``colour`` in luma; else black or white, whichever differs more."""
    if abs(luma(colour) - luma(ink)) >= least:
        return ink
    return (16, 16, 16) if luma(colour) > 128 else (245, 245, 245)


@dataclass(frozen=True)
class Theme:
    """The colours of a window. ``wavering``: how far the background's luma strays from ``background`` by itself."""

    name: str
    background: Colour
    fill: Colour
    wall: Colour
    ink: Colour
    accents: tuple[Colour, ...]
    contrast: float
    """The luma between ink and fill."""
    wavering: float = 0.0

    @property
    def dark(self) -> bool:
        return luma(self.background) < 128


THEMES = {"light": 4.0, "dark": 4.0, "coloured": 2.0, "pale": 1.0, "low-contrast": 1.3}
ACCENT_HUES = (0.0, 0.36, 0.5, 0.09, 0.6, 0.82, 0.16, 0.72, 0.28, 0.92)


def theme(rng: Random, *, filled: bool, apart: float = 8.0, wavering: float = 0.0) -> Theme:
    """A set of colours in which a person reads the ink without effort (``low-contrast``: with a little).

    ``filled``: cells have a colour of their own, at least ``apart`` from the background in luma. Where they have none,
    the ink keeps its distance from the whole background, which strays by ``wavering``.
    """
    name = choose(rng, THEMES)
    hue = rng.random()
    if name == "light":
        ground, tint = within(rng, 205, 255), within(rng, 0, 0.15)
    elif name == "dark":
        ground, tint = within(rng, 0, 60), within(rng, 0, 0.6)
    elif name == "coloured":
        ground, tint = within(rng, 40, 215), within(rng, 0.35, 0.9)
    elif name == "pale":
        ground, tint = within(rng, 170, 225), within(rng, 0.1, 0.4)
    else:
        ground, tint = within(rng, 20, 235), within(rng, 0, 0.4)
    ground = min(max(ground, wavering), 255 - wavering)
    up = ground < 128
    fill_luma = ground
    if filled:
        step = apart + within(rng, 0, 42 if name != "low-contrast" else 10)
        towards = 1 if (rng.random() < 0.7) == up else -1
        if not 0 <= ground + towards * step <= 255:
            towards = -towards
        fill_luma = min(max(ground + towards * step, 0), 255)
    background = toned(hue, tint, ground)
    fill = toned(hue + within(rng, -0.04, 0.04), tint, fill_luma) if filled else background
    ink_up = luma(fill) < 128
    room = 255 - luma(fill) if ink_up else luma(fill)
    contrast = within(rng, 38, 62) if name == "low-contrast" else within(rng, 0.72, 1.0) * room
    contrast = min(contrast + (0 if filled else wavering), room)
    ink = toned(
        hue + rng.choice([0.0, 0.5, 0.08]),
        rng.choice([0.0, 0.0, 0.25, 0.6]),
        luma(fill) + contrast * (1 if ink_up else -1),
    )
    clear = within(rng, 0.45, 1.0) if name != "low-contrast" else within(rng, 0.7, 1.0)
    wall = (
        mix(fill, ink, clear)
        if rng.random() < 0.75
        else toned(hue, tint, luma(fill) + (1 if ink_up else -1) * contrast * clear)
    )
    strength, level = within(rng, 0.55, 0.95), within(rng, 85, 190)
    turn = within(rng, 0, 1) if rng.random() < 0.5 else 0.0
    accents = [toned(h + turn, strength, level + within(rng, -25, 25)) for h in ACCENT_HUES]
    if rng.random() < 0.7:
        accents = [accents[int(i)] for i in rng.permutation(len(accents))]
    return Theme(name, background, fill, wall, ink, tuple(accents), contrast, wavering)


# Backgrounds ----------------------------------------------------------------------------------------------------------


def clouds(rng: Random, width: int, height: int, coarse: float, octaves: int = 4) -> NDArray[np.float32]:
    """Smooth noise from -1 to 1, shape ``(height, width)``; the coarsest waves are ``coarse`` pixels long."""
    total = np.zeros((height, width), np.float32)
    for octave in range(octaves):
        length = max(coarse / 2**octave, 1.0)
        seeds = rng.random((int(height / length) + 3, int(width / length) + 3), np.float32) * 2 - 1
        total += cv2.resize(seeds, (width, height), interpolation=cv2.INTER_CUBIC) / 2**octave
    return total / max(float(np.abs(total).max()), 1e-6)


GROUNDS = {"plain": 7.0, "gradient": 1.5, "texture": 1.0, "photo": 0.7}
GROUNDS_HELD = {"stripes": 0.8, "vignette": 0.8}
"""Backgrounds that only the held side knows."""


def ground(rng: Random, kind: str, size: tuple[int, int], colours: Theme) -> NDArray[np.float32]:
    """The empty window, shape ``(height, width, 3)``, RGB; its luma stays within ``wavering`` of the theme's."""
    width, height = size
    sheet = np.empty((height, width, 3), np.float32)
    sheet[:] = colours.background
    reach = colours.wavering
    if kind == "gradient":
        angle = within(rng, 0, 2 * np.pi)
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        ramp = np.cos(angle) * (xs / width - 0.5) + np.sin(angle) * (ys / height - 0.5)
        sheet += (ramp / max(float(np.abs(ramp).max()), 1e-6) * reach)[..., None]
    elif kind == "texture":
        grain = clouds(rng, width, height, within(rng, 3, 12), 3) * reach * 0.7
        sheet += (grain + rng.normal(0, reach / 6, (height, width)).astype(np.float32))[..., None]
    elif kind == "photo":
        coarse = within(rng, 60, 300)
        for channel in range(3):
            sheet[..., channel] += clouds(rng, width, height, coarse, 6) * reach
    elif kind == "stripes":
        period, angle = within(rng, 6, 40), within(rng, 0, np.pi)
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        wave = np.sin((xs * np.cos(angle) + ys * np.sin(angle)) * 2 * np.pi / period)
        sheet += (np.sign(wave) * reach * 0.7)[..., None]
    elif kind == "vignette":
        ys, xs = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        sheet += ((1 - (xs**2 + ys**2)) * reach)[..., None]
    return np.clip(sheet, 0, 255)


# Canvas ---------------------------------------------------------------------------------------------------------------


class Canvas:
    """A window being drawn, in window pixels.

    Shapes are drawn ``zoom`` times larger and averaged down, as antialiasing does; ``crisp``: edges fall on whole
    pixels and nothing is averaged. Glyphs come afterwards in their own pixels (``hinted``), or with the shapes.
    """

    def __init__(self, sheet: NDArray[np.float32], *, crisp: bool, hinted: bool, snap: bool) -> None:
        height, width = sheet.shape[:2]
        self.width, self.height = width, height
        self.crisp, self.hinted, self.snap = crisp, hinted or crisp, snap or crisp
        self.zoom = 1 if crisp else 4 if width * height < 500_000 else 3 if width * height < 1_100_000 else 2
        picture = Picture.fromarray(sheet.round().astype(np.uint8))
        self.picture = picture.resize((width * self.zoom, height * self.zoom), Picture.Resampling.NEAREST)
        self.pen = ImageDraw.Draw(self.picture)
        self.later: list[tuple[Glyph, float, float, Colour]] = []

    def at(self, value: float) -> float:
        """A coordinate as this window's shapes have it: on a whole pixel where the window snaps."""
        return float(round(value)) if self.snap else value

    def _out(self, *values: float) -> list[int]:
        return [round(self.at(v) * self.zoom) for v in values]

    def rectangle(self, area: Area, colour: Colour, radius: float = 0.0) -> None:
        left, top, right, bottom = self._out(*area)
        if right <= left or bottom <= top:
            return
        if radius:
            self.pen.rounded_rectangle((left, top, right - 1, bottom - 1), radius * self.zoom, colour)
        else:
            self.pen.rectangle((left, top, right - 1, bottom - 1), colour)

    def outline(self, area: Area, colour: Colour, thick: float, radius: float = 0.0) -> None:
        """A frame of ``thick`` pixels, inside ``area``."""
        left, top, right, bottom = self._out(*area)
        width = max(round(thick * self.zoom), 1)
        if radius:
            self.pen.rounded_rectangle((left, top, right - 1, bottom - 1), radius * self.zoom, None, colour, width)
        else:
            self.pen.rectangle((left, top, right - 1, bottom - 1), None, colour, width)

    def bar(self, area: Area, colour: Colour, thick: float) -> None:
        """A horizontal or vertical line of ``thick`` pixels along the middle of the (flat) ``area``."""
        left, top, right, bottom = area
        before = (thick - 1) // 2 if self.snap else thick / 2 - 0.0
        x0, y0 = self.at(left) - before, self.at(top) - before
        x1, y1 = self.at(right) - before + thick, self.at(bottom) - before + thick
        box = [round(v * self.zoom) for v in (x0, y0, x1, y1)]
        self.pen.rectangle((box[0], box[1], max(box[2] - 1, box[0]), max(box[3] - 1, box[1])), colour)

    def line(self, points: Sequence[tuple[float, float]], colour: Colour, thick: float) -> None:
        """A line with round joints and ends."""
        spots = [(x * self.zoom, y * self.zoom) for x, y in points]
        width = max(round(thick * self.zoom), 1)
        self.pen.line(spots, colour, width, joint="curve")
        for x, y in spots:
            r = width / 2
            self.pen.ellipse((x - r, y - r, max(x + r - 1, x - r), max(y + r - 1, y - r)), colour)

    def polygon(self, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        self.pen.polygon([(x * self.zoom, y * self.zoom) for x, y in points], colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour, ring: float = 0.0) -> None:
        """A disc, or a ring of thickness ``ring``."""
        box = [round(v * self.zoom) for v in (x - radius, y - radius, x + radius, y + radius)]
        if ring:
            self.pen.ellipse(box, None, colour, max(round(ring * self.zoom), 1))
        else:
            self.pen.ellipse(box, colour)

    def arc(self, x: float, y: float, radius: float, first: float, last: float, colour: Colour, thick: float) -> None:
        """A part of a ring, in degrees clockwise from the right."""
        box = [round(v * self.zoom) for v in (x - radius, y - radius, x + radius, y + radius)]
        self.pen.arc(box, first, last, colour, max(round(thick * self.zoom), 1))

    def glyph(self, face: Face, text: str, x: float, y: float, height: float, colour: Colour, tight: bool) -> None:
        """Digits or X with their middle at ``x, y``; ``tight``: the middle of the ink, not of the line."""
        if self.hinted:
            glyph = face.glyph(text, height, not self.crisp)
            self.later.append((replace(glyph, dx=0.0, dy=0.0) if tight else glyph, x, y, colour))
            return
        glyph = face.glyph(text, height * self.zoom)
        dx, dy = (0.0, 0.0) if tight else (glyph.dx, glyph.dy)
        self._stamp(self.picture, glyph.coverage, x * self.zoom + dx, y * self.zoom + dy, colour)

    @staticmethod
    def _stamp(picture: Picture.Image, coverage: Coverage, x: float, y: float, colour: Colour) -> None:
        height, width = coverage.shape
        picture.paste(colour, (round(x - width / 2), round(y - height / 2)), Picture.fromarray(coverage))

    def words(self, text: str, x: float, y: float, height: float, colour: Colour, anchor: str = "mm") -> None:
        """Ordinary text in the face that Pillow carries; ``anchor`` as Pillow has it."""
        from PIL import ImageFont

        font: ImageFont.FreeTypeFont | ImageFont.ImageFont
        if self.crisp:
            font = ImageFont.load_default_imagefont()
            left, top, right, bottom = font.getbbox(text)
            sheet = Picture.new("L", (max(int(right - left), 1), max(int(bottom - top), 1)))
            ImageDraw.Draw(sheet).text((-left, -top), text, 255, font)
            shift = {"l": 0.0, "m": sheet.width / 2, "r": float(sheet.width)}[anchor[0]]
            self.picture.paste(colour, (round(x - shift), round(y - sheet.height / 2)), sheet)
            return
        font = ImageFont.load_default(height * self.zoom)
        self.pen.text((x * self.zoom, y * self.zoom), text, colour, font, anchor)

    def finish(self) -> NDArray[np.uint8]:
        """The window, shape ``(height, width, 3)``, RGB."""
        picture = self.picture if self.zoom == 1 else self.picture.reduce(self.zoom)
        for glyph, x, y, colour in self.later:
            self._stamp(picture, glyph.coverage, x + glyph.dx, y + glyph.dy, colour)
        return np.array(picture)


# Around a board -------------------------------------------------------------------------------------------------------

Decorator = Callable[[Canvas, Random, Area, Theme, Face, float], None]


def _triangle(canvas: Canvas, x: float, y: float, size: float, colour: Colour, up: bool) -> None:
    s = size if up else -size
    canvas.polygon([(x - size, y + s * 0.8), (x + size, y + s * 0.8), (x, y - s * 0.9)], colour)


def _reload(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    canvas.arc(x, y, size, -150, 130, colour, max(size * 0.3, 1))
    canvas.polygon(
        [(x - size * 1.3, y - size * 0.1), (x - size * 0.3, y - size * 0.35), (x - size * 1.1, y - size)], colour
    )


def _speaker(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    canvas.rectangle((x - size, y - size * 0.35, x - size * 0.4, y + size * 0.35), colour)
    canvas.polygon([(x - size * 0.5, y), (x + size * 0.1, y - size * 0.8), (x + size * 0.1, y + size * 0.8)], colour)
    for radius in (0.5, 0.85):
        canvas.arc(x + size * 0.15, y, size * radius, -45, 45, colour, max(size * 0.16, 1))


def _pause(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    canvas.rectangle((x - size * 0.7, y - size, x - size * 0.2, y + size), colour)
    canvas.rectangle((x + size * 0.2, y - size, x + size * 0.7, y + size), colour)


def buttons(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """A column or row of small signs: next, again, back, sound, pause."""
    left, top, right, bottom = area
    signs: list[Callable[[float, float, float, Colour], None]] = [
        lambda x, y, s, c: _triangle(canvas, x, y, s, c, True),
        lambda x, y, s, c: _reload(canvas, x, y, s, c),
        lambda x, y, s, c: _triangle(canvas, x, y, s, c, False),
        lambda x, y, s, c: _speaker(canvas, x, y, s, c),
        lambda x, y, s, c: _pause(canvas, x, y, s, c),
    ]
    count = int(rng.integers(2, 6))
    tall = bottom - top > right - left
    length, across = (bottom - top, right - left) if tall else (right - left, bottom - top)
    size = min(size, across * 0.3, length / (count * 2.8))
    if size < 2.5:
        return
    boxed = rng.random() < 0.25
    span = min(length / count, size * within(rng, 3.0, 5.0))
    begin = (length - span * count) * rng.random() + span / 2
    for i in range(count):
        along = begin + i * span
        x, y = ((left + right) / 2, top + along) if tall else (left + along, (top + bottom) / 2)
        ink = colours.ink if rng.random() < 0.7 else mix(colours.background, colours.ink, 0.35)
        if boxed:
            canvas.outline((x - size * 1.3, y - size * 1.3, x + size * 1.3, y + size * 1.3), ink, 1, size * 0.4)
        signs[i](x, y, size * (0.75 if boxed else 1), ink)


def level_number(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """The level's number in the board's own face, its digits stacked or side by side."""
    left, top, right, bottom = area
    number = str(rng.integers(1, 400))
    size = min(size, (right - left) * 0.3, (bottom - top) * 0.3)
    if size < face.least:
        return
    tall = bottom - top > right - left
    x, y = (left + right) / 2, (top + bottom) / 2
    if tall and rng.random() < 0.7:
        for i, digit in enumerate(number):
            canvas.glyph(face, digit, x, y + (i - (len(number) - 1) / 2) * size * 1.5, size, colours.ink, True)
    elif len(number) * size < right - left:
        where = x if rng.random() < 0.5 else left + len(number) * size * 0.6 + 2
        canvas.glyph(face, number, where, y, size, colours.ink, False)


TITLES = ("Chains", "LEVEL 12", "Puzzle 4 of 60", "Daily challenge", "Moves: 17   Best: 14", "Score 02480", "Stage 3-7",
          "00:42", "Hint (H)   Undo (U)", "World 2 - Level 31", "How to play", "EASY", "Pack A  9/25")  # fmt: skip


def caption(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """A line of words: title, score, time, help."""
    left, top, right, bottom = area
    size = min(size * within(rng, 0.9, 1.8), (bottom - top) * 0.6, (right - left) * 0.13)
    if size < 8:
        return
    anchor = str(rng.choice(["lm", "mm", "rm"]))
    margin = min(size, (right - left) * 0.05)
    x = {"l": left + margin, "m": (left + right) / 2, "r": right - margin}[anchor[0]]
    text = str(rng.choice(TITLES))
    canvas.words(text, x, (top + bottom) / 2, size, mix(colours.background, colours.ink, within(rng, 0.5, 1)), anchor)


def status_bar(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """A strip of another shade with a few words and numbers."""
    left, top, right, bottom = area
    if bottom - top < 14 or right - left < 120:
        return
    tall = min(max(size * 1.6, 14), bottom - top)
    y0 = top if rng.random() < 0.5 else bottom - tall
    shade = mix(colours.background, colours.ink, within(rng, 0.08, 0.3))
    canvas.rectangle((left, y0, right, y0 + tall), shade)
    ink = legible_on(shade, colours.ink, 60)
    canvas.words(f"Lv {rng.integers(1, 99)}", left + 6, y0 + tall / 2, tall * 0.55, ink, "lm")
    canvas.words(f"{rng.integers(0, 5000)} pts", right - 6, y0 + tall / 2, tall * 0.55, ink, "rm")


def progress_bar(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """A long thin box, partly filled."""
    left, top, right, bottom = area
    if right - left < 60:
        return
    tall = max(min(size * 0.6, (bottom - top) * 0.3), 3)
    y = within(rng, top + tall, max(bottom - tall, top + tall + 1))
    inset = (right - left) * within(rng, 0.05, 0.25)
    area = (left + inset, y - tall / 2, right - inset, y + tall / 2)
    canvas.rectangle(area, mix(colours.background, colours.ink, 0.2), tall / 2 if rng.random() < 0.5 else 0)
    done = (*area[:2], area[0] + (area[2] - area[0]) * within(rng, 0.1, 0.9), area[3])
    canvas.rectangle(done, colours.accents[-1], tall / 2 if rng.random() < 0.5 else 0)


SIDES: Mapping[str, tuple[tuple[str, Decorator], ...]] = {
    "left": (("level-number", level_number), ("buttons", buttons)),
    "right": (("buttons", buttons), ("level-number", level_number)),
    "top": (("caption", caption), ("status-bar", status_bar), ("level-number", level_number), ("buttons", buttons)),
    "bottom": (("buttons", buttons), ("status-bar", status_bar), ("progress-bar", progress_bar), ("caption", caption)),
}


def surround(
    canvas: Canvas, rng: Random, board: Area, clear: float, colours: Theme, face: Face, size: float, share: float
) -> set[str]:
    """Things on up to four sides of the board, each with probability ``share``, at least ``clear`` pixels away from
    it; ``size``: half the height of a button, about that of a letter. Returns the tags of what was drawn."""
    left, top, right, bottom = board
    w, h = canvas.width, canvas.height
    strips: dict[str, Area] = {
        "left": (2, max(top, 4), left - clear, min(bottom, h - 4)),
        "right": (right + clear, 4, w - 2, h - 4),
        "top": (4, 2, w - 4, top - clear),
        "bottom": (4, bottom + clear, right, h - 2),
    }
    tags: set[str] = set()
    for side, (x0, y0, x1, y1) in strips.items():
        if rng.random() > share:
            continue
        area = (x0, y0, x1, y1)
        if side in ("left", "right"):
            deep = min(x1 - x0, size * 6)
            area = (x0, y0, x0 + deep, y1) if side == "left" else (x1 - deep, max(y0, top), x1, min(y1, bottom))
        else:
            deep = min(y1 - y0, size * 5)
            area = (x0, y0, x1, y0 + deep) if side == "top" else (x0, y1 - deep, x1, y1)
        if area[2] - area[0] < 12 or area[3] - area[1] < 12:
            continue
        name, draw = SIDES[side][int(rng.integers(len(SIDES[side])))]
        draw(canvas, rng, area, colours, face, size)
        tags.add(name)
    return tags


def shadow(sheet: NDArray[np.float32], area: Area, reach: float, depth: float) -> None:
    """Darkens the background under and around ``area``, as a drop shadow does."""
    mask = np.zeros(sheet.shape[:2], np.float32)
    x0, y0, x1, y1 = (round(v + reach / 2) for v in area)
    mask[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = depth
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(reach / 2, 0.5)), np.float32)
    sheet *= 1 - soft[..., None]


# Over a board ---------------------------------------------------------------------------------------------------------


def veil(rng: Random, image: NDArray[np.uint8], board: Area, colours: Theme) -> NDArray[np.uint8]:
    """A translucent disc or ring over a part of the board, as hints for beginners are."""
    left, top, right, bottom = board
    x, y = within(rng, left, right), within(rng, top, bottom)
    radius = within(rng, 0.15, 0.5) * max(right - left, bottom - top) + 10
    colour = colours.accents[0] if rng.random() < 0.6 else (255, 255, 255) if colours.dark else (90, 90, 90)
    over = image.copy()
    ring = -1 if rng.random() < 0.7 else max(round(radius * 0.15), 2)
    cv2.circle(over, (round(x * 16), round(y * 16)), round(radius * 16), colour, ring, cv2.LINE_AA, 4)
    return _blend(image, over, within(rng, 0.15, 0.32))


def _blend(image: NDArray[np.uint8], over: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    return cv2.addWeighted(image, 1 - share, over, share, 0).astype(np.uint8)


POINTER = np.array([(0, 0), (0, 16), (3.6, 12.6), (6.2, 18.4), (8.6, 17.3), (6.1, 11.7), (11, 11.7)])
POINTER_SIZE = (11.0, 18.4)


def pointer(rng: Random, image: NDArray[np.uint8], tip: tuple[float, float], scale: float = 1.0) -> None:
    """A mouse pointer, drawn into ``image``."""
    shape = np.round((POINTER * scale + tip) * 16).astype(np.int32)
    dark, light = ((20, 20, 20), (255, 255, 255)) if rng.random() < 0.5 else ((255, 255, 255), (10, 10, 10))
    cv2.fillPoly(image, [shape], dark, cv2.LINE_AA, 4)
    cv2.polylines(image, [shape], True, light, 1, cv2.LINE_AA, 4)


# On its way -----------------------------------------------------------------------------------------------------------

DEGRADATIONS = {"noise": 1.0, "blur": 0.8, "jpeg": 1.2, "scale-125": 0.8, "scale-150": 0.8, "shrunk": 0.5, "gamma": 0.8}
DEGRADATIONS_HELD = {"few-colours": 0.5, "sharpened": 0.5, "scale-175": 0.5}
"""What happens only to pictures of the held side."""
SCALES = {"scale-125": 1.25, "scale-150": 1.5, "scale-175": 1.75, "shrunk": 0.8}


LARGEST = 1920
"""No window is wider or higher than this, pixels, after all scaling."""


def degradations(
    rng: Random,
    side: Side,
    *,
    ink: float,
    pitch: float,
    least: float,
    size: tuple[int, int],
    pitches: tuple[float, float] = (22.0, 120.0),
) -> list[str]:
    """None, one or two degradations, in the order in which they happen to a real picture.

    ``ink``: height of the digits, pixels; ``pitch``: pixels; ``least``: the height at which the digits' face can still
    be read; ``size``: width and height of the window. Only such scalings are chosen that leave cells within
    ``pitches`` (pixels), digits to be read, and a window that fits a screen.
    """
    count = choose(rng, {0: 5.0, 1: 3.5, 2: 1.5})
    weights = dict(DEGRADATIONS) | (DEGRADATIONS_HELD if side == "held" else {})
    chosen: list[str] = []
    for _ in range(count):
        for name, factor in SCALES.items():
            fits = pitches[0] <= pitch * factor <= pitches[1] and ink * min(factor, 1) >= least
            fits = fits and max(size) * factor <= LARGEST
            if name in weights and (not fits or any(c in SCALES for c in chosen)):
                del weights[name]
        if ink < least * 1.4:
            weights.pop("blur", None)
        if not weights:
            break
        name = choose(rng, weights)
        chosen.append(name)
        del weights[name]
    order = ["gamma", *SCALES, "blur", "sharpened", "noise", "few-colours", "jpeg"]
    return sorted(chosen, key=order.index)


def degrade(
    rng: Random, image: NDArray[np.uint8], chosen: Sequence[str], *, ink: float, contrast: float
) -> tuple[NDArray[np.uint8], float]:
    """``image`` (RGB or BGR) after the degradations, and the factor by which it grew.

    How strong they are follows from the digits' height and contrast: a person still reads the result.
    """
    factor = 1.0
    for name in chosen:
        if name in SCALES:
            factor = SCALES[name]
            size = (round(image.shape[1] * factor), round(image.shape[0] * factor))
            way = cv2.INTER_AREA if factor < 1 else int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
            image = cv2.resize(image, size, interpolation=way).astype(np.uint8)
        elif name == "gamma":
            power = float(np.exp(rng.uniform(np.log(0.65), np.log(1.5))))
            table = (255 * (np.arange(256) / 255) ** power).round().astype(np.uint8)
            image = cv2.LUT(image, table).astype(np.uint8)
        elif name == "blur":
            sigma = within(rng, 0.4, min(max(0.055 * ink * factor, 0.5), 2.0))
            image = cv2.GaussianBlur(image, (0, 0), sigma).astype(np.uint8)
        elif name == "sharpened":
            soft = cv2.GaussianBlur(image, (0, 0), 1.0)
            image = cv2.addWeighted(image, 1.7, soft, -0.7, 0).astype(np.uint8)
        elif name == "noise":
            sigma = within(rng, 2, min(max(0.12 * contrast, 3), 14))
            image = np.clip(image + rng.normal(0, sigma, image.shape), 0, 255).round().astype(np.uint8)
        elif name == "few-colours":
            levels = int(rng.choice([8, 16])) if contrast > 80 else 16
            step = 255 / (levels - 1)
            image = (np.round(image / step) * step).round().astype(np.uint8)
        elif name == "jpeg":
            ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
            if not ok:
                raise RuntimeError("the picture could not be packed as JPEG")
            image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image, factor


def enlarge(image: NDArray[np.uint8], factor: float) -> NDArray[np.uint8]:
    """``image`` enlarged without any smoothing, as old games are shown."""
    size = (round(image.shape[1] * factor), round(image.shape[0] * factor))
    return cv2.resize(image, size, interpolation=cv2.INTER_NEAREST).astype(np.uint8)


OLD_STYLE = 0.07
"""The share of the windows in an installed face whose digits are old-style numerals."""


def face_for(rng: Random, seed: int, side: Side, crisp: bool) -> Face:
    """The face of a window's digits: installed ones mostly; on crisp windows mostly pixel digits."""
    kinds = (
        {"pixel": 5.0, "installed": 2.0} if crisp else {"installed": 7.0, "segment": 1.8, "stroke": 0.8, "pixel": 0.4}
    )
    kind = choose(rng, kinds)
    try:
        face = pick(side, kind, seed)
        drawn = kind != "installed" or face.family.startswith("DSEG")  # segments do not hang
        text = not drawn and not crisp and fraction("old style", side, seed) < OLD_STYLE
        return OldStyle(face) if text else face
    except LookupError:  # a machine without any font of this side still has the drawn ones
        return pick(side, "segment", seed)


def least_ink(face: Face, crisp: bool, colours: Theme, wavering: float) -> float:
    """How high an 8 must be at least, in pixels, for a person to read it. ``wavering``: how much the ground differs
    from place to place."""
    needed = max(face.least, 6 if crisp else 7) + (2 if colours.name == "low-contrast" or wavering else 0)
    return max(needed, 9) if crisp and face.kind != "pixel" else needed


def standing(rng: Random) -> tuple[float, float]:
    """Where a board stands in its window: the shares of the room beside it that are at its left and above it."""
    place = choose(rng, {"centre": 5.0, "anywhere": 4.0, "edge": 1.0})
    x, y = (0.5, 0.5) if place == "centre" else (rng.random(), rng.random())
    return [(0.0, y), (1.0, y), (x, 0.0), (x, 1.0)][int(rng.integers(4))] if place == "edge" else (x, y)


WINDOWS = (
    (320, 240), (400, 300), (480, 320), (640, 360), (640, 480), (720, 720), (800, 450), (800, 600), (1024, 768),
    (1280, 720), (1280, 900), (1366, 768), (1600, 900), (1920, 1080),
    (360, 640), (390, 844), (540, 960), (768, 1024), (900, 1280),
)  # fmt: skip
"""Window sizes: width, height in pixels; landscape first, then portrait."""
