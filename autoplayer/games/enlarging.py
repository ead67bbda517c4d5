"""Reads small pictures in which no board is found once more at twice the size: where a glyph is a pixel from its wall,
every pixel between the two is next to an edge, and only an enlarged picture has a flat area there.

The game's own data about such a picture refer to the enlarged one; everything that leaves this module is in the
window's own pixels. Knows no game.
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
"""The factor of the enlargement. Pixels are repeated, so that no new colours appear."""

SMALL = 384 * 288
"""Pixels of the largest picture that is enlarged: a home computer's screen with its border. A larger window has room
for larger cells, and would take too long where it shows no board."""

LARGER = "enlarged"
"""The key under which the reading of a small picture contains that of the enlarged one."""


def read(look: Callable[[Image], Reading[P]], image: Image) -> Reading[P]:
    """What ``look`` reads in ``image`` (BGR), enlarged where it finds nothing otherwise. Raises its UnreadableError."""
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
    """The reading of the enlarged ``image``, converted to ``image``'s own pixels."""
    return replace(
        larger,
        places={cell: _small(box) for cell, box in larger.places.items()},
        glyphs={spot: _small(box) for spot, box in larger.glyphs.items()},
        image=image,
        extra={LARGER: larger},
    )


def as_read(reading: Reading[P]) -> Reading[P]:
    """``reading`` as the game made it: that of the enlarged picture, where only that one was readable."""
    larger: Reading[P] = reading.extra.get(LARGER, reading)
    return larger


def as_looked_at(image: Image, reading: Reading[P]) -> Image:
    """``image``, a picture of the window from which ``reading`` was made, enlarged as that one was."""
    larger = as_read(reading)
    if larger is reading:
        return image
    return larger.image if image is reading.image else _enlarged(image)


def in_window(moves: Sequence[Move], reading: Reading[P]) -> Sequence[Move]:
    """``moves`` on the board as the game read it, converted to the window's own pixels."""
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
