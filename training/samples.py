"""Glyph crops as the reader meets them: text drawn into a cell, spoiled as screens and encoders spoil it, and cut
out again by its ink. Every sample follows from its seed.

Labels are indices into ``autoplayer.vision.glyphs.CLASSES``; the last one is junk.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import cv2
import numpy as np
from fonts import SYSTEM_FONTS
from PIL import Image, ImageDraw, ImageFont
from segments import draw_coarse, draw_segments, segment_style

from autoplayer.vision.glyphs import CLASSES, normalise

Rng = np.random.Generator
JUNK = len(CLASSES) - 1
DIGITS = "0123456789"
CROSSES = "XXXXXXxx×✕"
# Letters and signs that nobody takes for a digit or an X in any usual font: no B D G I J O Q S Z b g i l o q s y z,
# and nothing that is a bar or two: no ! / | ( ' : ;
LETTERS = "ACEFHKLMNPRTUVWacdefhkmnprtuvw?&%@#$+=<>*"
SIGNS = "←→↑↓↔↕↖↗↘↙⇐⇒⇑⇓▲▼◀▶△▽◁▷●■□◆◇★☆✓✔♥♦♣♠♪♫☺☼⚑⚐⚙⌂✉✎☁☂☀☾…·•.-–_~{}↺↻⟲⟳"
# Character and the half that is left: l r t b. Only halves that are no digits themselves.
HALVES = ["2l", "3l", "5l", "4t", "2t", "3b", "5b", "7t", "Xl", "Xr", "Xt", "Xb", "2r", "5r", "6r", "5t", "2b"]
SIGN_FONTS = tuple(
    str(SYSTEM_FONTS / "truetype" / name)
    for name in ("dejavu/DejaVuSans.ttf", "ancient-scripts/Symbola_hint.ttf", "freefont/FreeSerif.ttf")
)


@dataclass(frozen=True)
class Conditions:
    """What may happen to a glyph; the defaults are what training uses, the evaluation narrows them."""

    height: tuple[float, float] = (8, 90)
    fonts: float = 0.72
    segments: float = 0.16
    coarse: float = 0.12
    style: float = 0.25
    """Chance of an outline, shadow, gradient, stencil gap, thinner or thicker strokes."""
    turn: float = 0.3
    blur: float = 0.25
    rescale: float = 0.25
    noise: float = 0.3
    jpeg: float = 0.2
    hard: float = 0.15
    """Chance of text without smoothing."""
    foreign: float = 0.12
    contrast: tuple[float, float] = (22, 255)
    tracking: tuple[float, float] = (-0.14, 0.12)
    """Space added between the digits of a number, in digit heights."""
    neighbours: float = 0.12
    """Chance that a digit is cut out of a longer number."""
    junk: float = 0.25


CLEAN = Conditions(
    height=(20, 60),
    style=0,
    turn=0,
    blur=0,
    rescale=0,
    noise=0,
    jpeg=0,
    hard=0,
    foreign=0,
    contrast=(120, 255),
    tracking=(0, 0.1),
    neighbours=0,
    junk=0,
)


@functools.lru_cache(maxsize=4000)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


@functools.lru_cache(maxsize=20000)
def _digit_height(path: str) -> float:
    """Height of the digits of a face as a fraction of its size (the median over the ten)."""
    font = _font(path, 100)
    heights = [box[3] - box[1] for box in (font.getbbox(c) for c in DIGITS)]
    return max(float(np.median(heights)), 5.0) / 100


def draw_text(text: str, path: str, height: float, hard: bool, tracking: float = 0.0) -> list[np.ndarray]:
    """Each character of ``text`` alone on one shared canvas, ink 0..1; ``height`` is the digits' height in pixels."""
    font = _font(path, max(round(height / _digit_height(path)), 4))
    advances = [font.getlength(c) + tracking * height for c in text]
    pad = round(height) + 4
    base = pad + round(1.2 * height)  # the baseline, not the top: some faces claim an ascent of several lines
    size = (int(sum(advances)) + 2 * pad + 8, base + round(0.6 * height) + pad)
    layers, x = [], float(pad)
    for character, advance in zip(text, advances, strict=True):
        canvas = Image.new("L", size)
        pen = ImageDraw.Draw(canvas)
        pen.fontmode = "1" if hard else "L"
        pen.text((x if not hard else round(x), base), character, fill=255, font=font, anchor="ls")
        layers.append(np.asarray(canvas, np.float32) / 255)
        x += advance
    return layers


def _box(ink: np.ndarray, level: float) -> tuple[int, int, int, int] | None:
    rows, columns = np.flatnonzero((ink > level).any(axis=1)), np.flatnonzero((ink > level).any(axis=0))
    if not len(rows):
        return None
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1


def _scaled(layers: list[np.ndarray], height: float) -> list[np.ndarray]:
    """Large drawings brought to ``height`` pixels, with what is around them cut away."""
    box = _box(np.max(layers, axis=0), 0.1)
    assert box is not None
    factor = height / (box[1] - box[0])
    size = (max(round((box[3] - box[2]) * factor), 1), max(round(height), 3))
    pad = round(height * 0.5) + 3
    return [
        np.pad(
            np.clip(cv2.resize(layer[box[0] : box[1], box[2] : box[3]], size, interpolation=cv2.INTER_AREA), 0, 1), pad
        )
        for layer in layers
    ]


@dataclass
class Maker:
    """Makes samples from the faces of one side."""

    names: list[str]
    """The families."""
    faces: list[list[str]]
    """A list of paths for each family."""
    unlike: list[str]
    """For each family the characters that it does not draw readably, often empty."""
    weights: list[float]
    """How often a family is chosen, relative to the others."""
    conditions: Conditions = field(default_factory=Conditions)

    def __post_init__(self) -> None:
        self._bounds = np.cumsum(self.weights)

    # ---- what is drawn -------------------------------------------------------------------------------------------

    def family(self, text: str, rng: Rng) -> list[str]:
        """The faces of a family that can draw ``text``."""
        while True:
            number = int(np.searchsorted(self._bounds, rng.random() * self._bounds[-1], side="right"))
            if not set(text) & set(self.unlike[number]):
                return self.faces[number]

    def letters(self, text: str, rng: Rng) -> list[np.ndarray]:
        """``text`` in a random face or display, one layer a character."""
        c = self.conditions
        low, high = c.height
        height = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        kind = rng.choice(3, p=np.array([c.fonts, c.segments, c.coarse]) / (c.fonts + c.segments + c.coarse))
        drawable = set(text) <= set(DIGITS + "X")
        if kind == 0 or not drawable:
            family = self.family(text, rng)
            path = family[int(rng.integers(len(family)))]
            tracking = float(rng.uniform(*c.tracking)) if len(text) > 1 else 0.0
            hard = bool(rng.random() < c.hard)
            return draw_text(text, path, height, hard, tracking)
        style, seed = segment_style(rng), int(rng.integers(2**32))
        shapes = [draw_segments(t, style) if kind == 1 else draw_coarse(t, np.random.default_rng(seed)) for t in text]
        tall = max(s.shape[0] for s in shapes)
        shapes = [
            cv2.resize(s, (round(s.shape[1] * tall / s.shape[0]), tall), interpolation=cv2.INTER_AREA) for s in shapes
        ]
        boxes = [_box(s, 0.1) for s in shapes]
        cuts = [s[:, b[2] : b[3]] for s, b in zip(shapes, boxes, strict=True) if b]
        space = round(tall * float(rng.uniform(0.06, 0.2)))
        total = sum(s.shape[1] for s in cuts) + space * (len(cuts) - 1)
        layers, x = [], 0
        for cut in cuts:
            layer = np.zeros((tall, total), np.float32)
            layer[:, x : x + cut.shape[1]] = cut
            layers.append(layer)
            x += cut.shape[1] + space
        if kind == 2 and rng.random() < 0.6:  # whole-number enlargement keeps the pixels square
            return [np.pad(layer, 12) for layer in layers] if height > 20 else _scaled(layers, height)
        return _scaled(layers, height)

    def styled(self, layers: list[np.ndarray], rng: Rng) -> list[np.ndarray]:
        """Outline, shadow, gradient, stencil gap, thinner or thicker strokes: the same for every layer."""
        box = _box(np.max(layers, axis=0), 0.3)
        if box is None:
            return layers
        y0, y1, x0, x1 = box
        height = y1 - y0
        kind = int(rng.integers(7))
        reach = max(round(height * 0.04), 1)
        kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
        small = np.ones((2, 2), np.uint8)
        if kind == 0 and height >= 18:
            return [cv2.dilate(i, np.ones((3, 3), np.uint8)) - cv2.erode(i, small) * 0.95 for i in layers]
        if kind == 1:
            dx, dy = (int(v) for v in rng.integers(-reach - 1, reach + 2, 2))
            strength = float(rng.uniform(0.2, 0.6))
            return [np.maximum(i, strength * np.roll(i, (dy, dx), (0, 1))) for i in layers]
        if kind == 2:
            ramp = np.linspace(1, float(rng.uniform(0.4, 0.9)), layers[0].shape[0], dtype=np.float32)[:, None]
            return [i * (ramp if rng.random() < 0.5 else ramp[::-1]) for i in layers]
        if kind == 3:
            keep = np.ones_like(layers[0])
            half = max(height * float(rng.uniform(0.02, 0.05)), 0.6)
            if rng.random() < 0.5:
                middle = y0 + height * float(rng.uniform(0.3, 0.7))
                keep[int(middle - half) : int(middle + half) + 1] = 0
            else:
                middle = (x0 + x1) / 2 + (x1 - x0) * float(rng.uniform(-0.15, 0.15))
                keep[:, int(middle - half) : int(middle + half) + 1] = 0
            done = [i * keep for i in layers]
            # a gap that eats more than a fifth of a thin glyph leaves something nobody can read
            return done if all(d.sum() > 0.8 * i.sum() for d, i in zip(done, layers, strict=True)) else layers
        if kind == 4 and height >= 14:
            done = [cv2.erode(i, small) for i in layers]
            return done if all(d.sum() > 0.35 * i.sum() for d, i in zip(done, layers, strict=True)) else layers
        if kind == 5:
            return [cv2.dilate(i, small if height < 24 else kernel[: reach + 1, : reach + 1]) for i in layers]
        halo = float(rng.uniform(0.15, 0.5))
        return [np.maximum(i, halo * cv2.dilate(i, kernel)) for i in layers]

    def turned(self, layers: list[np.ndarray], rng: Rng) -> list[np.ndarray]:
        """Up to 3 degrees of rotation, shear, a stretch by up to a quarter, and a shift by less than a pixel."""
        room = round(0.3 * max(layers[0].shape))  # or what is turned and stretched loses its ends
        layers = [np.pad(layer, room) for layer in layers]
        height, width = layers[0].shape
        angle = np.deg2rad(rng.uniform(-3, 3))
        shear = float(rng.choice([0, rng.uniform(-0.05, 0.25)]))
        stretch = float(np.exp(rng.uniform(-0.25, 0.25)))
        matrix = np.array([[np.cos(angle) * stretch, -np.sin(angle) - shear], [np.sin(angle) * stretch, np.cos(angle)]])
        centre = np.array([width / 2, height / 2])
        shift = centre - matrix @ centre + rng.uniform(-0.5, 0.5, 2)
        transform = np.hstack([matrix, shift[:, None]]).astype(np.float32)
        return [cv2.warpAffine(i, transform, (width, height)) for i in layers]

    # ---- the cell, and back to ink ----------------------------------------------------------------------------------

    def photographed(self, ink: np.ndarray, rng: Rng) -> np.ndarray | None:
        """The drawing in a cell on a screen, spoiled, and read back as ink cut to its bounding box."""
        c = self.conditions
        box = _box(ink, 0.2)
        if box is None:
            return None
        height = box[1] - box[0]
        ink = ink[max(box[0] - 8, 0) : box[1] + 8, max(box[2] - 8, 0) : box[3] + 8]
        room = round(height * float(rng.uniform(0.15, 0.6))) + 2
        ink = np.pad(ink, room)
        if rng.random() < c.foreign:
            self.add_foreign(ink, rng)
        if rng.random() < c.rescale:
            factor = float(rng.uniform(0.6, 1.7))
            size = (max(round(ink.shape[1] * factor), 8), max(round(ink.shape[0] * factor), 8))
            if size[1] * height / ink.shape[0] >= 7:
                way = rng.choice(
                    [cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_LINEAR, cv2.INTER_AREA, cv2.INTER_CUBIC]
                )
                if way == cv2.INTER_NEAREST and size[0] < ink.shape[1] and height * factor < 16:
                    way = cv2.INTER_AREA  # dropping pixels of a small glyph loses whole strokes
                ink = np.clip(cv2.resize(ink, size, interpolation=int(way)), 0, 1)
        if rng.random() < c.blur:
            sigma = float(rng.uniform(0.3, 0.3 + height * 0.035))
            ink = cv2.GaussianBlur(ink, (0, 0), sigma)
        contrast = float(rng.uniform(*c.contrast))
        paper = float(rng.uniform(0, 255 - contrast))
        if rng.random() < 0.5:
            paper, contrast = paper + contrast, -contrast
        picture = paper + contrast * ink
        if rng.random() < c.noise:
            picture = picture + rng.normal(0, min(float(rng.uniform(0.5, 9)), abs(contrast) * 0.12), picture.shape)
        picture8 = np.clip(np.round(picture), 0, 255).astype(np.uint8)
        if rng.random() < c.jpeg:
            quality = int(rng.integers(35 if abs(contrast) > 80 else 60, 96))
            picture8 = cv2.imdecode(
                cv2.imencode(".jpg", picture8, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_GRAYSCALE
            )
        return self.extracted(picture8, rng)

    def add_foreign(self, ink: np.ndarray, rng: Rng) -> None:
        """A bit of border, a speck, or the tip of a pointer, drawn into ``ink``."""
        height, width = ink.shape
        kind = int(rng.integers(3))
        if kind == 0:  # the remnant of a border
            thick, length = int(rng.integers(1, 3)), int(rng.integers(2, max(height // 4, 3)))
            y0, y1, x0, x1 = _box(ink, 0.2) or (0, height, 0, width)
            reach = (y1 - y0) // 5
            y = int(
                rng.choice(
                    [max(y0 - thick - 1 - int(rng.integers(0, reach + 1)), 0), y1 + int(rng.integers(0, reach + 1))]
                )
            )
            x = int(rng.integers(x0, x1))
            if rng.random() < 0.3:  # an upright one, beside the glyph
                x = int(rng.choice([max(x0 - thick - 1 - reach, 0), min(x1 + reach, width - 1)]))
                thick, length = length, thick
            ink[y : y + thick, x : x + length] = float(rng.uniform(0.4, 1))
        elif kind == 1:
            size = max(round(height * float(rng.uniform(0.02, 0.06))), 1)
            y, x = int(rng.integers(0, height)), int(rng.integers(0, width))
            ink[y : y + size, x : x + size] = float(rng.uniform(0.3, 1))
        else:  # an arrow from a corner, over at most a small part of the glyph
            y0, y1, x0, x1 = _box(ink, 0.2) or (0, height, 0, width)
            a, b = (float(rng.choice([0.05, 0.95])) for _ in "xy")
            corner = np.array([x0 + a * (x1 - x0), y0 + b * (y1 - y0)])
            away = np.sign(np.array([a, b]) - 0.5) * (y1 - y0) * float(rng.uniform(0.1, 0.22))
            side = np.array([-away[1], away[0]]) * 0.4
            tip = np.round(np.array([corner, corner + away + side, corner + away - side])).astype(np.int32)
            cv2.fillConvexPoly(ink, tip, float(rng.uniform(0.5, 1)))

    def extracted(self, picture: np.ndarray, rng: Rng) -> np.ndarray | None:
        """Ink as a reader takes it: distance from the cell's dominant grey over a robust maximum, less its floor."""
        grey = picture.astype(np.float32)
        values, counts = np.unique(picture // 4, return_counts=True)
        ground = float(np.median(grey[picture // 4 == values[counts.argmax()]]))
        distance = np.abs(grey - ground)
        if distance.max() < 6:
            return None
        top = float(np.percentile(distance[distance > distance.max() * 0.3], rng.uniform(50, 100)))
        ink = np.clip(distance / top, 0, 1)
        floor = float(rng.uniform(0.08, 0.35))
        ink = np.where(ink < floor, 0, ink) if rng.random() < 0.6 else np.clip((ink - floor) / (1 - floor), 0, 1)
        count, labels, stats, _ = cv2.connectedComponentsWithStats((ink > 0.3).astype(np.uint8), connectivity=8)
        if count > 1:  # specks are not ink; readers drop them by their size
            areas = stats[:, cv2.CC_STAT_AREA]
            keep = areas >= areas[1:].max() * float(rng.choice([0.005, 0.02, 0.04]))
            keep[0] = False
            near = cv2.dilate(keep[labels].astype(np.uint8), np.ones((3, 3), np.uint8))
            ink = np.where(near > 0, ink, 0)
        box = _box(ink, float(rng.uniform(0.15, 0.5)))
        return None if box is None else ink[box[0] : box[1], box[2] : box[3]].astype(np.float32)

    # ---- one sample -------------------------------------------------------------------------------------------------

    def spoiled(self, layers: list[np.ndarray], rng: Rng) -> list[np.ndarray]:
        if rng.random() < self.conditions.style:
            layers = self.styled(layers, rng)
        if rng.random() < self.conditions.turn:
            layers = self.turned(layers, rng)
        return layers

    def glyph(self, rng: Rng, label: int | None = None) -> tuple[np.ndarray, int] | None:
        """A digit or an X."""
        label = int(rng.integers(JUNK)) if label is None else label
        token = CLASSES[label]
        if token == "X":
            # small x and the multiplication sign are drawn by fonts alone
            token = "X" if rng.random() < 0.5 else CROSSES[int(rng.integers(len(CROSSES)))]
            layers = self.sign(token, rng) if token in "×✕" else self.letters(token, rng)
            ink = self.spoiled(layers, rng)[0]
        elif rng.random() < self.conditions.neighbours:
            ink = self.cut_out(token, rng)
        else:
            ink = self.spoiled(self.letters(token, rng), rng)[0]
        done = None if ink is None else self.photographed(ink, rng)
        return None if done is None else (done, label)

    def cut_out(self, token: str, rng: Rng) -> np.ndarray | None:
        """A digit cut out of a number, with at most slivers of its neighbours."""
        text = [DIGITS[int(rng.integers(10))] for _ in range(int(rng.integers(2, 4)))]
        place = int(rng.integers(len(text)))
        text[place] = token
        layers = self.spoiled(self.letters("".join(text), rng), rng)
        own = _box(layers[place], 0.3)
        if own is None:
            return None
        whole = np.max(layers, axis=0)
        slack = round((own[1] - own[0]) * 0.04)
        left = own[2] - int(rng.integers(0, slack + 2)) if place else 0
        right = own[3] + int(rng.integers(0, slack + 2)) if place < len(text) - 1 else whole.shape[1]
        return whole[:, max(left, 0) : right]

    def sign(self, text: str, rng: Rng) -> list[np.ndarray]:
        low, high = self.conditions.height
        height = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        path = SIGN_FONTS[int(rng.integers(len(SIGN_FONTS)))]
        layers = draw_text(text, path, max(height, 12), False)
        return layers if _box(layers[0], 0.3) and text in _characters(path) else self.sign("■", rng)

    def junk(self, rng: Rng) -> tuple[np.ndarray, int] | None:
        """What stands in cells and is neither one digit nor an X."""
        kind = rng.random()
        if kind < 0.42:
            count = 2 if rng.random() < 0.75 else 3
            digits = DIGITS + ("1147" if rng.random() < 0.4 else "")  # thin pairs look most like one glyph
            text = "".join(digits[int(i)] for i in rng.integers(0, len(digits), count))
            layers = self.spoiled(self.letters(text, rng), rng)
            ink = np.max(layers, axis=0)
            if rng.random() < 0.3:  # one digit and a good part of the next
                first, second = (_box(layer, 0.3) for layer in layers[:2])
                if first and second and second[2] < second[3]:
                    ink = ink[:, : max(int(second[2] + (second[3] - second[2]) * rng.uniform(0.35, 0.8)), first[3])]
        elif kind < 0.50:
            ink = self.half(rng)
        elif kind < 0.68:
            ink = np.max(self.spoiled(self.letters(LETTERS[int(rng.integers(len(LETTERS)))], rng), rng), axis=0)
        elif kind < 0.84:
            ink = self.sign(SIGNS[int(rng.integers(len(SIGNS)))], rng)[0]
        else:
            ink = self.scribble(rng)
        done = None if ink is None else self.photographed(ink, rng)
        return None if done is None else (done, JUNK)

    def half(self, rng: Rng) -> np.ndarray | None:
        """A digit cut in two; only cuts whose halves are not digits themselves."""
        token, side = HALVES[int(rng.integers(len(HALVES)))]
        ink = self.letters(token, rng)[0]
        box = _box(ink, 0.3)
        if box is None:
            return None
        y0, y1, x0, x1 = box
        part = float(rng.uniform(0.3, 0.5))
        if side in "lr":
            x = round(x0 + (x1 - x0) * (part if side == "l" else 1 - part))
            return ink[:, :x] if side == "l" else ink[:, x:]
        y = round(y0 + (y1 - y0) * (part if side == "t" else 1 - part))
        return ink[:y] if side == "t" else ink[y:]

    def scribble(self, rng: Rng) -> np.ndarray:
        """Frames, corners, discs, specks, noise, random strokes."""
        size = int(rng.integers(12, 70))
        ink = np.zeros((size + 16, size + 16), np.float32)
        kind = int(rng.integers(8))
        thick = max(round(size * float(rng.uniform(0.03, 0.15))), 1)
        a, b = 8, size + 8
        if kind == 0:
            ink[a:b, a : a + thick] = 1
            ink[a : a + thick, a:b] = 1
            ink = np.rot90(ink, int(rng.integers(4))).copy()
        elif kind == 1:
            cv2.rectangle(ink, (a, a), (b, b), 1.0, thick)
        elif kind == 2:
            cv2.circle(ink, ((a + b) // 2,) * 2, size // 2, 1.0, -1, cv2.LINE_AA)
        elif kind == 3:
            for _ in range(int(rng.integers(2, 7))):
                y, x = rng.integers(a, b, 2)
                ink[y : y + thick, x : x + thick] = 1
        elif kind == 4:
            ink[a:b, a:b] = rng.random((size, size)) > rng.uniform(0.4, 0.97)
        elif kind == 5:
            points = rng.integers(a, b, (int(rng.integers(3, 7)), 1, 2)).astype(np.int32)
            cv2.polylines(ink, [points], bool(rng.random() < 0.5), 1.0, thick, cv2.LINE_AA)
        elif kind == 6:
            length = int(rng.integers(size // 3, size))
            ink[a : a + max(thick // 2, 1), a : a + length] = 1  # a line across
        else:
            points = rng.integers(a, b, (3, 2)).astype(np.int32)
            cv2.fillConvexPoly(ink, points, 1.0, cv2.LINE_AA)
        return ink

    def sample(self, rng: Rng) -> tuple[np.ndarray, int]:
        while True:
            made = self.junk(rng) if rng.random() < self.conditions.junk else self.glyph(rng)
            if made is not None and min(made[0].shape) >= 1 and max(made[0].shape) >= 5:
                return made

    def batch(self, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """``count`` network inputs, uint8 ``(count, SIZE, SIZE)``, and their labels."""
        rng = np.random.default_rng(seed)
        inputs, labels = [], []
        for _ in range(count):
            ink, label = self.sample(rng)
            inputs.append(np.round(normalise(ink) * 255).astype(np.uint8))
            labels.append(label)
        return np.array(inputs), np.array(labels, np.int64)


@functools.lru_cache(maxsize=16)
def _characters(path: str) -> frozenset[str]:
    from fontTools.ttLib import TTFont

    return frozenset(map(chr, TTFont(path, lazy=True).getBestCmap()))
