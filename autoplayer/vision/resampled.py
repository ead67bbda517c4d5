"""Recovers the original of pictures that a desktop, a browser or a game shows enlarged (125 %, 150 %, 200 %).

Resampling places new pixels between the original ones at distances that repeat periodically. So the sharpness of a
picture, column by column and row by row, has a period, which tells the scale. A guess is accepted only where it loses
nothing: the recovered picture, enlarged again, must equal the one that is seen to within a grey level. Where there is
detail that does not happen by chance, because the original has far fewer pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.deadline import heed
from autoplayer.core.frame import Floats, Image, largest_channel

Bools = NDArray[np.bool_]
Kernel = Callable[[Floats, float], Floats]
"""An interpolation kernel: the weights of original pixels by their distance from the middle of a pixel of the enlarged
picture. All lengths are in original pixels; the second argument is the width of a pixel of the enlarged picture."""

LEAST, MOST = 1.15, 4.2
"""The range of scales: a picture that is hardly enlarged has hardly more pixels than its original, and any guess
fits."""
USUAL = (1.25, 1.5)
"""The scales that desktops are usually set to. They are always tried, because in flat drawings no period may stand out;
but only smoothed, because edges at every fifth or third pixel would fit an enlargement of pixels as rectangles."""
ALWAYS = (2.0, *USUAL)
"""Twice is always tried as well: all new pixels are alike then, so there is no period."""
PERIODS = 4
"""The number of the strongest periods that are tried."""
STANDS_OUT = 5.0
"""The least strength of a period, as a multiple of the strengths around it, summed over both directions. The bricks of
a picture that was not enlarged come to about as much."""
BANDS = 28
"""The neighbourhood with which a period's strength is compared is one part of the spectrum in this many."""
STEPS = 20
"""The largest number of original pixels after which the distances repeat."""
LARGEST_STEP = 12
"""The largest offset, in pixels, that is tried for the first pixel: above or left of the enlarged picture something
else may be drawn, such as a title bar."""
LINES, SOME_LINES, BROAD = 48, 16, 256
"""A guess is tried on this many rows and columns, those with the most detail, and on this many pixels of each; first on
some of them, which may contradict it alone."""
DETAIL = 8
"""Grey levels: a pixel that differs by more than this from its neighbour is detail."""
LEAST_DETAIL = 0.015
"""The least share of a picture that is detail: in flat drawings all edges may lie on even pixels, and many guesses
fit."""
LOST = 0.02
"""The largest number of pixels that may be wrong after enlarging again, as a share of the pixels with detail: a pointer
or a title may be drawn over the picture."""
MOST_LEVERAGE = 0.98
"""From this leverage on (the weight of a pixel in its own fit, 0 to 1) a pixel fits whatever it shows, and is no
evidence."""
MIDDLE, NEARLY, MOSTLY = 0.5, 1.5, 0.8
"""The largest errors after enlarging again, in grey levels, corrected for leverage: ``MIDDLE`` for the median (each
pixel was rounded once), ``NEARLY`` for the quantile ``MOSTLY`` (a pointer or a title may be drawn over the rest)."""
TINY = 1e-3
"""Added to the weights of pixels at the edge that are hardly visible, so that no division is by 0."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """``image``: the original picture; ``times``: the scales in x and y at which it is shown; ``corner``: the ``(x,
    y)`` of its top left corner in the enlarged picture."""

    image: Image
    times: tuple[float, float]
    corner: tuple[int, int]


def as_drawn(image: Image) -> Drawn | None:
    """The original of ``image``, where that is enlarged; else None."""
    if min(image.shape[:2]) < LINES:
        return None
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    details = _details(grey), _details(grey.T).T
    if np.mean(details) < LEAST_DETAIL:
        return None
    across, down = _most_detailed(grey, details[0]), _most_detailed(grey.T, details[1].T)
    for times in _scales(grey):
        for kernel in SMOOTH if times in USUAL else KERNELS:
            x = _scale_and_offset(*across, image.shape[1], times, kernel)
            y = _scale_and_offset(*down, image.shape[0], times, kernel) if x else None
            if x and y:
                part = tuple(each[y[1] :, x[1] :] for each in details)
                drawn = _original(image[y[1] :, x[1] :], (x[0], y[0]), kernel, sum(int(each.sum()) for each in part))
                if drawn is not None:
                    return Drawn(drawn, (x[0], y[0]), (x[1], y[1]))
    return None


def _details(grey: Image) -> Bools:
    """Where a picture differs from the pixel to the left."""
    found = np.zeros(grey.shape, np.bool_)
    found[:, 1:] = np.abs(np.diff(grey.astype(np.int16), axis=1)) > DETAIL
    return found


def _most_detailed(grey: Image, detail: Bools) -> tuple[Floats, Bools]:
    """The rows of a picture with the most detail, and where their detail is."""
    rows = np.argsort(detail.sum(axis=1), kind="stable")[-LINES:]
    return grey[rows].astype(np.float64), detail[rows]


def _scales(grey: Image) -> list[float]:
    """The scales at which a picture may be shown, the largest first, because one that is shown at twice its size also
    fits other scales."""
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
    guesses = {*ALWAYS}
    for _ in range(PERIODS):
        at = int(power.argmax())
        if power[at] < STANDS_OUT:
            break
        near = frequency[at]
        power[np.abs(frequency - near) < 4 / min(grey.shape)] = 0
        # A frequency above the Nyquist limit appears mirrored (aliasing).
        guesses |= {1 / near, 1 / (1 - near), 2 / (1 - near)}
    return sorted((each for each in guesses if LEAST <= each <= MOST), reverse=True)


def _scale_and_offset(
    lines: Floats, detail: Bools, size: int, times: float, kernel: Kernel
) -> tuple[float, int] | None:
    """The exact scale, near ``times``, and the offset in pixels at which rows of a picture of ``size`` pixels are
    shown, where they fit best. Two scales are tried: a whole number of percent, and one that leads from a whole number
    of pixels to another. None where no such enlargement fits."""
    heed()
    found: dict[tuple[float, int], float] = {}
    for exact in dict.fromkeys((round(float(times), 2), size / round(size / times))):
        steps = min(Fraction(exact).limit_denominator(STEPS).numerator, LARGEST_STEP)
        broad = min(lines.shape[1] - steps, BROAD)
        larger, smaller = (_usual_resampling if exact in ALWAYS else _resampling)(broad, exact, kernel)
        leverage = (larger * smaller).sum(axis=0)
        for n in range(steps):
            part = lines[:, n : n + broad], detail[:, n : n + broad]
            found[exact, n] = _misfit(*part, (larger, smaller), leverage)
    best = min(found, key=lambda each: found[each])
    return best if found[best] <= 1 else None


def _misfit(lines: Floats, detail: Bools, matrices: tuple[Floats, Floats], leverage: Floats) -> float:
    """How badly rows of a picture, those with the most detail last, fit an enlargement by these ``_resampling``
    matrices; 1 is the most that is accepted. ``leverage``: that of each pixel."""
    counted = detail & (leverage < MOST_LEVERAGE)
    total = np.count_nonzero(counted)
    if not total:
        return math.inf
    larger, smaller = matrices
    trust = np.sqrt(np.maximum(1 - leverage, 1 - MOST_LEVERAGE))

    def errors(some: slice) -> Floats:
        off: Floats = (np.abs(lines[some] - lines[some] @ smaller.T @ larger) / trust)[counted[some]]
        return off

    last = errors(slice(-SOME_LINES, None))
    if np.count_nonzero(last > NEARLY) > (1 - MOSTLY) * total + 1:
        return math.inf  # whatever the other rows show
    there = np.concatenate([errors(slice(-SOME_LINES)), last])
    return max(float(np.median(there)) / MIDDLE, float(np.quantile(there, MOSTLY)) / NEARLY)


def _resampling(size: int, times: float, kernel: Kernel) -> tuple[Floats, Floats]:
    """The resampling matrix of ``size`` pixels, and its least-squares inverse, by which the original is recovered:
    shape ``(original, size)`` each."""
    count = math.ceil(size / times - 1e-6)
    middles = (np.arange(size) + 0.5) / times - 0.5
    larger = kernel(middles - np.arange(count)[:, None], 1 / times)
    larger /= np.maximum(larger.sum(axis=0), TINY)
    return larger, np.linalg.solve(larger @ larger.T + TINY * np.eye(count), larger)


_usual_resampling = lru_cache(maxsize=32)(_resampling)
"""For the scales that are ``ALWAYS`` tried, each time with the same matrices: these take most of the time."""


def _original(image: Image, times: tuple[float, float], kernel: Kernel, details: int) -> Image | None:
    """The original of a picture that is shown at the scales ``times``; None where enlarging it again gives another
    picture. ``details``: the number of pixels with detail."""
    wide, high = (_resampling(size, each, kernel) for size, each in zip(image.shape[1::-1], times, strict=True))
    part = np.tensordot(high[1], image, (1, 0))
    drawn = np.tensordot(wide[1], part, (1, 1)).transpose(1, 0, 2).round().clip(0, 255)
    again = np.tensordot(wide[0], np.tensordot(high[0], drawn, (0, 0)), (0, 1)).transpose(1, 0, 2)
    lost = int((largest_channel(np.abs(again - image)) > DETAIL).sum())
    return np.ascontiguousarray(drawn.astype(np.uint8)) if lost <= LOST * details else None


def _nearest(away: Floats, broad: float) -> Floats:
    """Nearest neighbour: the top left corner of an enlarged pixel decides."""
    corner = away - broad / 2 + 1e-6
    return ((corner >= -0.5) & (corner < 0.5)).astype(np.float64)


def _linear(away: Floats, broad: float) -> Floats:
    found: Floats = np.maximum(1 - np.abs(away), 0)
    return found


def _area(away: Floats, broad: float) -> Floats:
    """The share of the original pixel that is covered."""
    found: Floats = np.clip((1 + broad) / 2 - np.abs(away), 0, min(broad, 1.0))
    return found


def _cubic(bend: float) -> Kernel:
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


SMOOTH: tuple[Kernel, ...] = (_linear, _cubic(-0.5), _cubic(-0.75), _lanczos)
KERNELS: tuple[Kernel, ...] = (SMOOTH[0], _nearest, _area, *SMOOTH[1:])
