"""A window being drawn: lines, shapes, glyphs and words on its ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from PIL import ImageDraw

from bench.reading.face import Coverage, Face, Glyph
from bench.reading.strange import Area, Colour


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
