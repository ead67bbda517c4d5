"""Pictures that a desktop, a browser or a game shows larger than they were drawn (125 %, 150 %, twice), and how they
were drawn.

Enlarging puts pixels between those that were drawn, at distances that come again and again. So how sharp a picture is,
column by column and row by row, has a period, which tells how many times larger it is shown. A guess is believed only
where nothing is lost by it: enlarged again, the smaller picture must be the one that is seen, to a grey level. By
chance it is not where there is detail, for the smaller one has far fewer pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, Image

Bools = NDArray[np.bool_]
Weights = Callable[[Floats, float], Floats]
"""What pixels as they were drawn add to those that are seen so far from their middles, measured in the former; the
second is how broad those that are seen are."""

LEAST, MOST = 1.15, 4.2
"""How many times larger a picture may be shown: one that is hardly larger has hardly more pixels, and any fits."""
PERIODS, STANDS_OUT = 4, 5.0
"""So many of the strongest periods are looked at, and how many times as strong as those about it one is at least, in
both directions together: bricks of a picture as it was drawn come to about as much."""
BANDS = 28
"""Into so many parts all periods are divided to see how strong they are about one."""
STEPS, LARGEST_STEP = 20, 12
"""The largest number of pixels as they were drawn after which the distances come again, and of those that are seen
where the picture begins with something else, as a title, to be looked past."""
LINES, BROAD = 48, 256
"""So many rows and columns of a picture, those with the most detail, are looked at to try a guess, and so many pixels
of each at most."""
DETAIL, LEAST_DETAIL = 8, 0.015
"""Grey levels by which a pixel differs from the one beside it, to be detail; and the share of a picture that is such at
least, in either direction: flat drawings, in which all edges may lie on even pixels, fit many guesses."""
LOST = 0.02
"""How many pixels may be others, as where a pointer or a title is drawn over a picture, beside all its details."""
FREE = 0.98
"""How far a pixel may be what it is whatever the others are, 0 to 1, from which on it says nothing."""
MIDDLE, NEARLY, MOSTLY = 0.5, 1.5, 0.8
"""Grey levels by which detail differs from what is enlarged again, beside how far it is free to: in the middle one, for
all were rounded once, and at most in the share ``MOSTLY`` of it, for a pointer and a title may be drawn over it."""
TINY = 1e-3
"""What is added to the weights of pixels of which hardly a part is seen, at the rim."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """``image``: the picture as it was drawn; ``times``: how many times broader and higher it is shown; ``corner``:
    where its left upper corner is there, x before y."""

    image: Image
    times: tuple[float, float]
    corner: tuple[int, int]


def as_drawn(image: Image) -> Drawn | None:
    """The picture as it was drawn, where ``image`` shows it enlarged; else None."""
    if min(image.shape[:2]) < LINES:
        return None
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    details = _details(grey), _details(grey.T).T
    if np.mean(details) < LEAST_DETAIL:
        return None
    across, down = _most(grey, details[0]), _most(grey.T, details[1].T)
    for times in _guesses(grey):
        for way in WAYS:
            x = _begin(*across, image.shape[1], times, way)
            y = _begin(*down, image.shape[0], times, way) if x else None
            if x and y:
                part = tuple(each[y[1] :, x[1] :] for each in details)
                drawn = _shrunk(image[y[1] :, x[1] :], (x[0], y[0]), way, sum(int(each.sum()) for each in part))
                if drawn is not None:
                    return Drawn(drawn, (x[0], y[0]), (x[1], y[1]))
    return None


def _details(grey: Image) -> Bools:
    """Where a picture differs from what is to the left of it."""
    found = np.zeros(grey.shape, np.bool_)
    found[:, 1:] = np.abs(np.diff(grey.astype(np.int16), axis=1)) > DETAIL
    return found


def _most(grey: Image, detail: Bools) -> tuple[Floats, Bools]:
    """Those of the rows of a picture in which there is most detail, and where it is in them."""
    rows = np.argsort(detail.sum(axis=1), kind="stable")[-LINES:]
    return grey[rows].astype(np.float64), detail[rows]


def _guesses(grey: Image) -> list[float]:
    """How many times larger a picture may be shown; the most first, for what is shown twice larger was enlarged by
    more and by less as well. Twice is always one: its new pixels are all alike, and so is each part of its period."""
    size = 1 << (4 * max(grey.shape) - 1).bit_length()
    power = np.zeros(size // 2 + 1)
    for each in (grey, grey.T):
        lines = each.astype(np.float32)
        sharp = np.abs(2 * lines[:, 1:-1] - lines[:, :-2] - lines[:, 2:]).mean(axis=0)
        found = np.abs(np.fft.rfft((sharp - sharp.mean()) * np.hanning(len(sharp)), size))
        about = cv2.blur(found[None], (size // (2 * BANDS), 1), borderType=cv2.BORDER_REFLECT)[0]
        power += found / np.maximum(about, 1e-6)
    frequency = np.arange(len(power)) / size
    power[frequency < 1 - 1 / LEAST] = 0
    guesses = {2.0}
    for _ in range(PERIODS):
        at = int(power.argmax())
        if power[at] < STANDS_OUT:
            break
        near = frequency[at]
        power[np.abs(frequency - near) < 4 / min(grey.shape)] = 0
        # A frequency beyond that of every second pixel is seen as what it lacks to that of every pixel.
        guesses |= {1 / near, 1 / (1 - near), 2 / (1 - near)}
    return sorted((each for each in guesses if LEAST <= each <= MOST), reverse=True)


def _begin(lines: Floats, detail: Bools, size: int, times: float, way: Weights) -> tuple[float, int] | None:
    """How many times larger, nearly ``times``, rows of a picture of so many pixels are shown, and after how many pixels
    that begins, where it fits best: by so many percent, or from one whole number of pixels to another. None where they
    are not enlarged so."""
    found: dict[tuple[float, int], float] = {}
    for exact in (round(float(times), 2), size / round(size / times)):
        steps = min(Fraction(exact).limit_denominator(STEPS).numerator, LARGEST_STEP)
        broad = min(lines.shape[1] - steps, BROAD)
        changes = _changes(broad, exact, way)
        for n in range(steps):
            found[exact, n] = _unlike(lines[:, n : n + broad], detail[:, n : n + broad], changes)
    best = min(found, key=lambda each: found[each])
    return best if found[best] <= 1 else None


def _unlike(lines: Floats, detail: Bools, changes: tuple[Floats, Floats]) -> float:
    """How much rows of a picture differ from what is enlarged by such ``_changes``; 1 is as much as they may."""
    larger, smaller = changes
    free = (larger * smaller).sum(axis=0)
    off = np.abs(lines - lines @ smaller.T @ larger) / np.sqrt(np.maximum(1 - free, 1 - FREE))
    there = off[detail & (free < FREE)]
    if not len(there):
        return math.inf
    return max(float(np.median(there)) / MIDDLE, float(np.quantile(there, MOSTLY)) / NEARLY)


def _changes(size: int, times: float, way: Weights) -> tuple[Floats, Floats]:
    """What each pixel, as it was drawn, adds to each of so many that are seen, and each of these to it, where it is
    chosen so that they differ least from what is seen: shape ``(drawn, size)`` each."""
    count = math.ceil(size / times - 1e-6)
    middles = (np.arange(size) + 0.5) / times - 0.5
    larger = way(middles - np.arange(count)[:, None], 1 / times)
    larger /= np.maximum(larger.sum(axis=0), TINY)
    return larger, np.linalg.solve(larger @ larger.T + TINY * np.eye(count), larger)


def _shrunk(image: Image, times: tuple[float, float], way: Weights, details: int) -> Image | None:
    """A picture as it was drawn that is shown so many times broader and higher; None where that is another one.
    ``details``: how many pixels differ from one beside them."""
    wide, high = (_changes(size, each, way) for size, each in zip(image.shape[1::-1], times, strict=True))
    part = np.tensordot(high[1], image, (1, 0))
    drawn = np.tensordot(wide[1], part, (1, 1)).transpose(1, 0, 2).round().clip(0, 255)
    again = np.tensordot(wide[0], np.tensordot(high[0], drawn, (0, 0)), (0, 1)).transpose(1, 0, 2)
    lost = int((np.abs(again - image).max(axis=2) > DETAIL).sum())
    return np.ascontiguousarray(drawn.astype(np.uint8)) if lost <= LOST * details else None


def _nearest(away: Floats, broad: float) -> Floats:
    """The left upper corner of a pixel that is seen lies in the one that is taken."""
    corner = away - broad / 2 + 1e-6
    return ((corner >= -0.5) & (corner < 0.5)).astype(np.float64)


def _linear(away: Floats, broad: float) -> Floats:
    found: Floats = np.maximum(1 - np.abs(away), 0)
    return found


def _area(away: Floats, broad: float) -> Floats:
    """As much as what is seen of it."""
    found: Floats = np.clip((1 + broad) / 2 - np.abs(away), 0, min(broad, 1.0))
    return found


def _cubic(bend: float) -> Weights:
    def weights(away: Floats, broad: float) -> Floats:
        far = np.abs(away)
        near = ((bend + 2) * far - (bend + 3)) * far * far + 1
        beyond = bend * (((far - 5) * far + 8) * far - 4)
        found: Floats = np.where(far <= 1, near, np.where(far < 2, beyond, 0.0))
        return found

    return weights


def _lanczos(away: Floats, broad: float) -> Floats:
    found: Floats = np.where(np.abs(away) < 3, np.sinc(away) * np.sinc(away / 3), 0.0)
    return found


WAYS: tuple[Weights, ...] = (_linear, _nearest, _area, _cubic(-0.5), _cubic(-0.75), _lanczos)
