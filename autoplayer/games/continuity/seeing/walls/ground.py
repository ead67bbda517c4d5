"""Finds possible grounds around the tiles of a board: a mask of the picture for each candidate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools

TOLERANCE = 3.0
"""Grey levels by which a flat ground may vary in a clean picture."""
PRESSED = 8.0
"""Additional grey levels for a compressed picture (JPEG)."""
CALM = 1.0
"""Grey levels of noise up to which a picture is used as it is; above, it is smoothed."""
COMMON = 0.02
"""The least share of the picture that a ground covers: the empty place alone is more."""
MOST_GROUNDS = 4
RIMS = 40, 200
"""The width of the rim that shows the colours of a textured ground, as one part in so many of the picture's shorter
side: a board may be near the sides of the picture."""
RARE = 0.001
"""The least share of the rim that a colour of a textured ground covers."""
SMOOTH, ALONG_RIM = 6.0, 0.1
"""The most grey levels by which neighbouring pixels of a smooth ground differ, and the least share of the rim that it
has."""
VARIED = 24.0
"""The least variation of the colours along the rim, in grey levels, for a smooth ground to be searched."""
LARGEST = 16_000_000
"""Pixels: in larger pictures no ground is searched whose search takes dozens of bytes per pixel."""
BAND = 256
"""Rows of the picture that are compared with a surface at a time."""
ENCLOSED = 0.1
"""The least share of the picture with the ground's colour inside lines, if those are tiles."""
GRAIN = 0.004
"""The greatest size of a speck, as a share of the picture's shorter side."""


@dataclass(frozen=True, eq=False)
class Ground:
    """``mask``: shape ``(height, width)``, True where the picture may show it."""

    mask: Bools
    kind: str
    """``flat``, ``shaded``, ``textured``, ``smooth``, ``around``; ``pressed``: one that is not certain to the pixel, in
    a compressed picture."""


def noise(image: Image) -> float:
    """The variation of flat areas of a picture from pixel to pixel, grey levels."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return _middle(cv2.absdiff(gray[:, 1:], gray[:, :-1])) + _middle(cv2.absdiff(gray[1:], gray[:-1]))


def _middle(levels: cv2.typing.MatLike) -> float:
    """The median of bytes: with a histogram it takes a fraction of the time of a sort."""
    most = np.cumsum(cv2.calcHist([levels], [0], None, [256], [0, 256]))
    return float(np.searchsorted(most, [(levels.size + 1) // 2, levels.size // 2 + 1]).mean())


def grounds(image: Image, *, few: bool = False) -> Iterator[Ground]:
    """The grounds that ``image`` may have, the most common ones at its rim first. ``few``: the likeliest flat one and,
    where the picture is not too large, those that change slowly."""
    rough = noise(image)
    if rough > CALM:
        image = cv2.medianBlur(image, 5).astype(np.uint8, copy=False)
    tolerance = TOLERANCE + (1.5 * rough if rough > CALM else 3 * rough)
    for number, colour in enumerate(flat_colours(image)[: 1 if few else None]):
        yield Ground(_like(image, colour, tolerance), "flat")
        if number < 2:  # what was pressed has shadows round its edges
            yield Ground(_calm(_like(image, colour, tolerance + PRESSED)), "pressed")
    if few and image.shape[0] * image.shape[1] > LARGEST:
        return
    off = _off_shaded(image)
    yield Ground(off <= tolerance + 1, "shaded")
    yield Ground(_calm(off <= tolerance + PRESSED), "pressed")
    if few:
        return
    for rim in RIMS:
        yield Ground(_textured(image, rim), "textured")
    smooth = _smooth(image, SMOOTH + 3 * rough)
    if smooth is not None:
        yield Ground(smooth, "smooth")
    for colour in flat_colours(image)[:1]:
        around = _around(_like(image, colour, tolerance))
        if around is not None:
            yield Ground(around, "around")


def _like(image: Image, colour: Floats, tolerance: float) -> Bools:
    """Which pixels differ from a colour by at most so much in each channel."""
    found: Bools = cv2.inRange(image, np.ceil(colour - tolerance), np.floor(colour + tolerance)) > 0
    return found


def _calm(mask: Bools) -> Bools:
    """A mask without specks."""
    found: Bools = cv2.medianBlur(mask.astype(np.uint8), 5) > 0
    return found


def _off_shaded(image: Image) -> NDArray[np.float32]:
    """The distance of each pixel from the smooth surface that extrapolates the rim of the picture, if its colours
    change slowly along it; shape ``(height, width)``, grey levels."""
    height, width = image.shape[:2]
    rim = max(min(height, width) // 60, 2)
    inside = np.ones((height, width), np.bool_)
    inside[rim:-rim, rim:-rim] = False
    rows, columns = np.nonzero(inside)
    some = slice(None, None, max(len(rows) // 4000, 1))
    rows, columns = rows[some], columns[some]

    def terms(r: Floats, c: Floats) -> Floats:
        return np.stack([np.ones_like(r), r, c, r * r, c * c], axis=-1)

    known = terms(rows / height, columns / width)
    seen = image[rows, columns].astype(np.float64)
    keep = np.ones(len(rows), np.bool_)
    factors: Floats = np.zeros((5, 3))
    for _ in range(4):
        factors = np.linalg.lstsq(known[keep], seen[keep], rcond=None)[0]
        off = np.abs(known @ factors - seen).max(axis=1)
        keep = off <= max(float(np.quantile(off, 0.75)), 1.0)
    down, across = np.arange(height) / height, np.arange(width) / width
    along = (terms(down, np.zeros(height)) @ factors).astype(np.float32)
    beside = (terms(np.zeros(width), across) @ factors - factors[0]).astype(np.float32)
    away = np.zeros((height, width), np.float32)
    for top in range(0, height, BAND):  # of a whole large screen each surface takes 130 MB
        band = slice(top, top + BAND)
        for channel in range(3):
            surface = along[band, channel, None] + beside[:, channel]
            off_surface = np.abs(image[band, :, channel].astype(np.float32) - surface)
            np.maximum(away[band], off_surface, out=away[band])
    return away


def _textured(image: Image, part: int) -> Bools:
    """The mask of colours that occur at the rim of the picture, which is one ``part`` of its side; specks of others are
    ignored."""
    height, width = image.shape[:2]
    rim = max(min(height, width) // part, 3)
    codes = (
        (image[..., 0].astype(np.int32) >> 3 << 10) + (image[..., 1].astype(np.int32) >> 3 << 5) + (image[..., 2] >> 3)
    )
    edge = np.concatenate([part.ravel() for part in (codes[:rim], codes[-rim:], codes[:, :rim], codes[:, -rim:])])
    counts = np.bincount(edge, minlength=32**3).reshape(32, 32, 32)
    known = (counts >= RARE * edge.size).astype(np.uint8)
    for axis in range(3):  # and the colours beside them
        line = np.moveaxis(known, axis, 0)
        one = line.copy()
        one[1:] |= line[:-1]
        one[:-1] |= line[1:]
        line[:] = one
    shown = known.ravel()[codes]
    size = max(round(min(height, width) * GRAIN), 1) * 2 + 1
    found: Bools = cv2.medianBlur(shown, size) > 0
    return found


def _smooth(image: Image, most: float) -> Bools | None:
    """The region connected with the rim of the picture without crossing an edge, as of a blurred picture behind the
    board: colours change by ``most`` grey levels from pixel to pixel. None if the rim has nearly one colour, and for
    pictures of more than ``LARGEST`` pixels."""
    if image.shape[0] * image.shape[1] > LARGEST:
        return None
    rim = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    if np.ptp(np.quantile(rim, (0.1, 0.9), axis=0), axis=0).max() < VARIED:
        return None
    edge = np.zeros(image.shape[:2], np.bool_)
    edge[:, 1:] = largest_channel(cv2.absdiff(image[:, 1:], image[:, :-1])) > most
    edge[1:] |= largest_channel(cv2.absdiff(image[1:], image[:-1])) > most
    _, labels = cv2.connectedComponents((~edge).astype(np.uint8), connectivity=4)
    ends = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    shown = np.bincount(ends, minlength=int(labels.max()) + 1) >= ALONG_RIM * ends.size
    shown[0] = False
    found: Bools = shown[labels]
    return found


def _around(like: Bools) -> Bools | None:
    """The region connected with the rim of the picture: if lines go round tiles, the same colour inside them is no
    ground. None if little else has that colour."""
    _, labels = cv2.connectedComponents(like.astype(np.uint8), connectivity=4)
    ends = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    found: Bools = np.isin(labels, ends[ends > 0])
    return found if np.count_nonzero(like) - np.count_nonzero(found) >= ENCLOSED * like.size else None


def flat_colours(image: Image) -> list[Floats]:
    """The colours (BGR) that cover much of a picture; those at its rim first."""
    step, parts = 8, [32, 32, 32]
    span = [0.0, 256.0] * 3
    counts = cv2.calcHist([image], [0, 1, 2], None, parts, span).ravel() / (image.shape[0] * image.shape[1])
    rim = max(min(image.shape[:2]) // 50, 2)
    edge = np.concatenate([
        part.reshape(-1, 1, 3) for part in (image[:rim], image[-rim:], image[:, :rim], image[:, -rim:])
    ])  # fmt: skip
    at_rim = cv2.calcHist([edge], [0, 1, 2], None, parts, span).ravel() / len(edge)
    found: list[Floats] = []
    for code in np.argsort(counts + 2 * at_rim)[::-1][: 3 * MOST_GROUNDS]:
        if counts[code] < COMMON or len(found) == MOST_GROUNDS:
            break
        least = np.array([code // 1024, code // 32 % 32, code % 32], np.float64) * step
        inside = cv2.inRange(image, least, least + step - 1)
        colour = np.array([_median(image, channel, inside) for channel in range(3)], np.float64)
        if all(np.abs(colour - other).max() > step for other in found):
            found.append(colour)
    return found


def _median(image: Image, channel: int, inside: NDArray[Any]) -> float:
    """The median of a channel where ``inside`` is not 0."""
    counts = cv2.calcHist([image], [channel], inside, [256], [0.0, 256.0]).ravel().cumsum()
    return float(np.searchsorted(counts, counts[-1] / 2))
