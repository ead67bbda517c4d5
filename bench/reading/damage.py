"""What lies over a board, and what happens to its picture on the way to the reader."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.reading.faces import Side
from bench.reading.palette import Theme
from bench.reading.strange import Area, Random, choose, within


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
