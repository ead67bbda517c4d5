"""Small pictures that show no board as they are, looked at once more enlarged: where a glyph stands a pixel from its
wall, nothing is left between the two that is beside no edge, and a larger picture of the same has room there.

What the game knows of such a picture is that of the enlarged one; what leaves here stands in the window's own pixels.
Knows no game.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.errors import PartialError, UnreadableError
from autoplayer.core.frame import Box, Image, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Wheel
from autoplayer.games.base import Move, P, Reading

TIMES = 2
"""How many times as wide and as high a picture is looked at. Whole pixels stay whole: no colour comes in between."""

SMALL = 384 * 288
"""Pixels of the largest picture that is looked at again: a home computer's screen with its border, as large as these
were. A larger window has room for larger cells, and takes too long where it shows no board."""

LARGER = "enlarged"
"""Under this the reading of a small picture keeps that of the enlarged one."""


def read(look: Callable[[Image], Reading[P]], image: Image) -> Reading[P]:
    """What ``look`` sees in ``image`` (BGR), enlarged where it sees nothing otherwise. Raises its UnreadableError."""
    try:
        return look(image)
    except PartialError:
        raise
    except UnreadableError:
        if image.shape[0] * image.shape[1] > SMALL:
            raise
        with contextlib.suppress(UnreadableError):
            return as_small(look(_enlarged(image)), image)
        raise


def as_small(larger: Reading[P], image: Image) -> Reading[P]:
    """The reading of the enlarged ``image`` in ``image``'s own pixels."""
    return replace(
        larger,
        places={cell: _small(box) for cell, box in larger.places.items()},
        glyphs={spot: _small(box) for spot, box in larger.glyphs.items()},
        image=image,
        extra={LARGER: larger},
    )


def as_read(reading: Reading[P]) -> Reading[P]:
    """``reading`` as the game made it: of the enlarged picture where it was that in which a board was seen."""
    larger: Reading[P] = reading.extra.get(LARGER, reading)
    return larger


def as_looked_at(image: Image, reading: Reading[P]) -> Image:
    """``image``, a picture of the window that ``reading`` was made from, as the game looked at that one."""
    larger = as_read(reading)
    if larger is reading:
        return image
    return larger.image if image is reading.image else _enlarged(image)


def in_window(moves: Sequence[Move], reading: Reading[P]) -> Sequence[Move]:
    """``moves`` on the board as the game saw it, in the window's own pixels."""
    if as_read(reading) is reading:
        return moves
    return [replace(move, gestures=tuple(map(_gesture, move.gestures))) for move in moves]


def _enlarged(image: Image) -> Image:
    return np.ascontiguousarray(np.repeat(np.repeat(image, TIMES, axis=0), TIMES, axis=1))


def _small(box: Box) -> Box:
    x, y = box.x // TIMES, box.y // TIMES
    return Box(x, y, -(-(box.x + box.width) // TIMES) - x, -(-(box.y + box.height) // TIMES) - y)


def _point(at: Point) -> Point:
    return at[0] // TIMES, at[1] // TIMES


def _gesture(gesture: Gesture) -> Gesture:
    if isinstance(gesture, Click | Wheel):
        return replace(gesture, at=_point(gesture.at))
    if isinstance(gesture, Drag):
        return replace(gesture, path=tuple(map(_point, gesture.path)))
    return gesture
