"""What a strange window shows where nothing stands: plain, textured, a photo; and shadows on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.reading.palette import Theme
from bench.reading.strange import Area, Random, within


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


def shadow(sheet: NDArray[np.float32], area: Area, reach: float, depth: float) -> None:
    """Darkens the background under and around ``area``, as a drop shadow does."""
    mask = np.zeros(sheet.shape[:2], np.float32)
    x0, y0, x1, y1 = (round(v + reach / 2) for v in area)
    mask[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = depth
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(reach / 2, 0.5)), np.float32)
    sheet *= 1 - soft[..., None]
