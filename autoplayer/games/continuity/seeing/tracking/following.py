"""Follows spots that differ from the background from picture to picture: of several, the one that moves is the figure;
one that never moved is a place where something stood when the background was taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from autoplayer.core.frame import Box
from autoplayer.games.continuity.seeing.tracking.parts import Found

RESTS = 3.0
"""The most pixels by which a resting spot may move."""
FOLLOWED = 6
"""The number of pictures for which a spot is followed until it may be the figure after all."""


@dataclass(eq=False)
class _Track:
    """A spot from picture to picture: its box; its middle now and when the figure last moved, window pixels from the
    first tile's corner; how far it has moved since then; and in how many pictures it was seen."""

    box: Box
    first: tuple[float, float]
    now: tuple[float, float]
    far: float = 0.0
    pictures: int = 1

    def away(self, at: tuple[float, float]) -> float:
        return float(np.hypot(at[0] - self.now[0], at[1] - self.now[1]))


class Spots:
    """The candidate spots for the figure in one view."""

    def __init__(self) -> None:
        self._tracks: list[_Track] = []

    def clear(self) -> None:
        """Forget them: another view is shown."""
        self._tracks.clear()

    def follow(self, spots: Sequence[Found], corner: Box, stride: float) -> None:
        """Follow the spots of this picture from those of the last one; ``corner``: the first tile; ``stride``: pixels
        that they may have moved."""
        before, self._tracks = self._tracks, []
        for spot in spots:
            x, y = spot.box.centre
            at = float(x - corner.x), float(y - corner.y)
            track = min(before, key=lambda each: each.away(at), default=None)
            if track is None or track.away(at) > stride:
                self._tracks.append(_Track(spot.box, at, at))
                continue
            before.remove(track)
            track.box, track.now, track.pictures = spot.box, at, track.pictures + 1
            track.far = max(track.far, float(np.hypot(at[0] - track.first[0], at[1] - track.first[1])))
            self._tracks.append(track)

    def moving(self, likely: Box, height: float) -> Box:
        """The likeliest spot among those followed last, or another one that has moved by a figure's ``height`` while
        that one never did."""
        chosen = next(track for track in self._tracks if track.box == likely)
        other = max(self._tracks, key=lambda track: track.far if track.pictures >= FOLLOWED else 0.0)
        if chosen.far > RESTS:
            for track in self._tracks:
                track.first, track.far = track.now, 0.0
        if other.far < height or other.pictures < FOLLOWED:
            return likely
        return other.box  # what never moved meanwhile is where it was when the background was taken
