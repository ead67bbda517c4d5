"""Whether a window's picture is still: computed from pictures and times, without waiting or grabbing.

The picture is divided into tiles. It is still when no tile has changed for a while. Tiles in a small area that keep
changing (a blinking cursor, a spinner) are *restless* and ignored. A larger endless animation prevents stillness,
except for one outside the board (an advertisement), where the board's place is known, and for a background of faint
shapes that has been moving for a while.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image, largest_channel

TILES = 32
"""Tiles along each side: a tile is a thousandth of the window's area, about a cell of the largest boards."""

SMALL = 0.02
"""The largest share of the area that may be restless: a cursor or a spinner, but no board and no banner."""

NOISE = 2
"""Grey levels by which a channel may differ without counting as changed: the rounding of a remote desktop. A higher
value would take a slow fade for stillness."""

FAINT, FAINT_AFTER = 24, 2.5
"""Where a picture keeps changing for this many seconds, but small areas aside by no more than this many grey levels (a
tenth of their range), it is the background that moves, and changes up to that level no longer count. A fade has gone
further by then."""

AROUND = 0.15
"""The margin around the board, as a share of its size, in which endless animations are not ignored: the celebration of
a win begins there."""

RESTLESS_AFTER = 1.0
"""Seconds that a tile must keep changing to become restless: longer than a game takes to fill a cell."""
RESTLESS_CHANGES = 4
"""The least number of changes seen in that time."""
CALM_AFTER = 1.5
"""Seconds without a change after which a tile is no longer restless: longer than the period of a slowly blinking
cursor."""


def changed_tiles(before: Image, after: Image, noise: int = NOISE) -> NDArray[np.bool_]:
    """Which tiles differ between two pictures of one shape: shape ``(rows, columns)``, at most 32 each. ``noise``: grey
    levels by which a channel may differ without counting as changed."""
    height, width = after.shape[:2]
    difference = cv2.absdiff(before, after)
    # The largest of the three channels, row by row, without copying into another memory layout. The first row of each
    # tile at once, then the second ones...: NumPy's own function for this takes six times as long.
    rows, columns = _edges(after)
    last = np.append(rows[1:], height) - 1
    lines = difference.reshape(height, -1)
    tall = lines[rows]
    for row in range(1, int((last - rows).max()) + 1):
        np.maximum(tall, lines[np.minimum(rows + row, last)], out=tall)
    worst = np.maximum.reduceat(largest_channel(tall.reshape(len(rows), width, 3)), columns, axis=1)
    return np.asarray(worst > noise)


def _edges(image: Image) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first row of each row of tiles, and the first column of each column."""
    height, width = image.shape[:2]
    rows, columns = min(TILES, height), min(TILES, width)
    return np.arange(rows) * height // rows, np.arange(columns) * width // columns


class Stillness:
    """Follows one window's pictures. Times are seconds on any clock that only goes forward."""

    def __init__(self) -> None:
        self._shape: tuple[int, ...] = ()
        self._box: Box | None = None
        self._last: Image | None = None
        self._reference: Image = np.zeros((0, 0, 3), np.uint8)
        """Each tile as it was when it last changed."""
        self._noise = NOISE
        """Grey levels by which a channel may differ: ``FAINT`` while the background moves."""
        self._first: Image | None = None
        """The picture with which the faint changes of this wait began."""
        self._first_seen = self._stirred = 0.0
        """When that was seen, and when a picture was last unlike the one before."""
        self._changed = np.zeros((0, 0))
        self._run_start = np.zeros((0, 0))
        self._run_changes = np.zeros((0, 0))
        self._restless = np.zeros((0, 0), dtype=np.bool_)
        self._seen = 0.0
        """Total seconds of watching: what happens between two waits is not seen, and does not count."""
        self._time: float | None = None
        self._since = 0.0
        self.looks = 0
        """The number of consecutive looks without a change, restless tiles aside."""

    def attend(self, box: Box | None) -> None:
        """Set the board's place (window pixels), once that is known: outside of it endless animations are ignored."""
        self._box = box

    def begin(self, time: float) -> None:
        """Begin a new wait: nothing is kept from before, except which tiles are restless, and whether the
        background moves."""
        self._time = time
        self._last = self._first = None
        self._since = self._seen
        self.looks = 0

    def unchanged(self, time: float) -> None:
        """At ``time`` the picture was equal to the one before."""
        self._tick(time)
        self._forget_background()
        self.looks += 1

    def see(self, image: Image, time: float) -> None:
        """At ``time`` the picture is ``image``."""
        self._tick(time)
        if image.shape != self._shape:
            self._resize(image)
        self.looks += 1
        if self._last is not None:
            tiles = changed_tiles(self._reference, image, self._noise)
            self._learn_background(tiles, self._last, image)
            self._note(tiles)
            self._follow(tiles, image)
        else:
            self._reference = image.copy()
        self._last = image

    def calm_for(self) -> float:
        """For how many seconds the picture has been still, restless tiles aside."""
        counting = self._changed[~self._restless]
        latest = float(counting.max()) if counting.size else self._since
        return self._seen - max(latest, self._since)

    def differs(self, other: Image) -> bool:
        """Whether the last picture differs from ``other``, restless tiles aside."""
        if self._last is None or other.shape != self._last.shape:
            return True
        return bool((changed_tiles(other, self._last, self._noise) & ~self._restless).any())

    def _tick(self, time: float) -> None:
        if self._time is not None:
            self._seen += max(0.0, time - self._time)
        self._time = time
        if self._restless.any():
            self._restless &= self._seen - self._changed < CALM_AFTER

    def _resize(self, image: Image) -> None:
        self._shape = image.shape
        tiles = changed_tiles(image, image).shape
        self._changed = np.full(tiles, -math.inf)
        self._run_start = np.zeros(tiles)
        self._run_changes = np.zeros(tiles)
        self._restless = np.zeros(tiles, dtype=np.bool_)
        self._last = self._first = None
        self._noise = NOISE
        self._since = self._seen

    def _learn_background(self, tiles: NDArray[np.bool_], before: Image, image: Image) -> None:
        """Ignore faint changes from now on, if ``image`` is one of many with faint changes in much of the window.
        ``tiles``: which have changed, by more than what is ignored now; ``before``: the picture before it."""
        if self._noise == FAINT:
            tiles = changed_tiles(before, image)
        if not (tiles & ~self._restless).any():
            self._forget_background()
            return
        paused = self._seen - self._stirred >= CALM_AFTER
        self._stirred = self._seen
        if self._noise == FAINT:
            return
        if self._first is None or paused or self._share(self._first, image, FAINT) > SMALL:
            self._first, self._first_seen = image, self._seen
        elif self._seen - self._first_seen >= FAINT_AFTER and self._share(self._first, image, NOISE) > SMALL:
            self._noise = FAINT

    def _forget_background(self) -> None:
        if self._seen - self._stirred >= CALM_AFTER:
            self._noise = NOISE

    def _share(self, before: Image, image: Image, noise: int) -> float:
        """The share of the tiles that have changed by more than ``noise``, restless tiles aside."""
        return float((changed_tiles(before, image, noise) & ~self._restless).mean())

    def _follow(self, tiles: NDArray[np.bool_], image: Image) -> None:
        """Copy the changed tiles into the reference picture. Unchanged tiles keep the state of their last change:
        compared from look to look, a slow fade would never count as a change."""
        if tiles.mean() > 0.25:
            np.copyto(self._reference, image)
            return
        rows, columns = (np.append(edges, side) for edges, side in zip(_edges(image), image.shape[:2], strict=True))
        for r, c in zip(*tiles.nonzero(), strict=True):
            place = np.s_[rows[r] : rows[r + 1], columns[c] : columns[c + 1]]
            self._reference[place] = image[place]

    def _attended(self) -> NDArray[np.bool_]:
        """The tiles that must be still: those at and around the board, and all where its place is unknown."""
        mask = np.ones(self._changed.shape, dtype=np.bool_)
        if self._box is not None:
            rows, columns = mask.shape
            (height, width), box = self._shape[:2], self._box
            across = (np.arange(columns) + 0.5) * width / columns
            down = (np.arange(rows) + 0.5) * height / rows
            reach_x, reach_y = AROUND * box.width, AROUND * box.height
            mask &= ((across >= box.x - reach_x) & (across <= box.x + box.width + reach_x))[None, :]
            mask &= ((down >= box.y - reach_y) & (down <= box.y + box.height + reach_y))[:, None]
        return mask

    def _note(self, tiles: NDArray[np.bool_]) -> None:
        if not tiles.any():
            return
        fresh = tiles & (self._seen - self._changed >= CALM_AFTER)
        self._run_start[fresh] = self._seen
        self._run_changes[fresh] = 0
        self._run_changes[tiles] += 1
        self._changed[tiles] = self._seen
        restless = (
            (self._run_changes >= RESTLESS_CHANGES)
            & (self._seen - self._run_start >= RESTLESS_AFTER)
            & (self._seen - self._changed < CALM_AFTER)
        )
        # If too large an area is restless, none of it is ignored: that is an animation, not a cursor.
        here = restless & self._attended()
        self._restless = restless if here.mean() <= SMALL else restless & ~here
        if (tiles & ~self._restless).any():
            self.looks = 0
