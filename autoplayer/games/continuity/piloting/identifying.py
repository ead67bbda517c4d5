"""Identifies the figure among the things of a level by moving it: the figure is what a walking key moves."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from autoplayer.core.frame import Frame
from autoplayer.core.gestures import Hold
from autoplayer.games.base import Steerable
from autoplayer.games.continuity.piloting.comparing import apart
from autoplayer.games.continuity.piloting.ending import Ending
from autoplayer.games.continuity.piloting.finding import found_moving, trimmed, with_legs
from autoplayer.games.continuity.piloting.level import agreed, alike, kinds_of, places_of, surest, ways
from autoplayer.games.continuity.piloting.looking import Looking
from autoplayer.games.continuity.piloting.views import MOVES, STILL, TAP, WALK_KEYS
from autoplayer.games.continuity.seeing.sight import Bools, Tiles
from autoplayer.games.continuity.seeing.tracking.moving import corrected, laid_flat
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker
from autoplayer.layout import ContinuityTable, Layout

CERTAIN = 0.9
"""The least probability from which on a thing is taken to be what it seems to be."""
STEPS = (0.05, 0.07, 0.1, 0.2)
"""Seconds of test walks, one after the other until the figure has left its place: it may stand beside a pit."""
FOLLOWED = 8.0
"""If the change is at least so many times the figure's size, the whole picture moves with the figure."""
MOST_LOOKS = 3
"""How often a level is looked at from the beginning if its window's picture is no longer recognised."""


class Identifying(Ending):
    """Levels in a window, read and with the figure identified by moving it. ``tell`` receives sentences about what is
    done."""

    def __init__(self, window: Steerable, layout: Layout, tell: Callable[[str], object]) -> None:
        """As of ``Views``."""
        super().__init__(window, layout)
        self._tell = tell
        self._figure_size: tuple[float, float] | None = None
        """Of the figure that was found by moving it, in the pixels in which it was read; None until it was."""
        self._told: tuple[Tiles, Tiles] | None = None
        """The tiles of this level as they were read, and with the identified figure."""
        self._walk_keys: tuple[str, str] | None = None
        """The keys that were found to move the figure."""

    def _made_sure(self, tiles: Tiles, eyes: Looking, known: ContinuityTable | None) -> tuple[Tiles, Looking]:
        """The tiles with what moves when a key is held as the figure, if the figure was not certain, or was not
        confirmed in this window before. Raises LostError, UnreadableError."""
        pairs = [(known.left, known.right)] if known else WALK_KEYS
        for _ in range(MOST_LOOKS):
            figures = sum(thing.kind == "figure" for thing in tiles.things)
            sure = figures == 1 and all(thing.sure >= CERTAIN for thing in tiles.things)
            if sure and self._figure_size in {
                (thing.width, thing.height) for thing in tiles.things if thing.kind == "figure"
            }:
                break  # a door may look like a surer figure, but it has not the size of the one that was moved
            first = self.window.still(STILL)
            idle = self._restless(first)
            strange = False
            for way, pair in itertools.product(ways(tiles), pairs):
                found, strange = self._stirred(tiles, eyes, first, idle, pair[way > 0], way)
                if strange:
                    break
                if found is None:
                    continue
                found = agreed(found, self._boards)
                self._walk_keys = pair
                if kinds_of(found) == kinds_of(tiles) and places_of(found) == places_of(tiles):
                    self._figure_size = next((t.width, t.height) for t in tiles.things if t.kind == "figure")
                    return tiles, eyes
                self._tell("what moved when a key was held was not what had been taken for the figure")
                self._told = tiles, found
                eyes = eyes.otherwise(found)
                eyes.meet(first.image)
                return found, eyes
            if not strange:
                break
            tiles, eyes = self._open()  # what moved is none of the things: it may be told better where it is now
        return tiles, eyes

    def _as_before(self, tiles: Tiles, eyes: Looking) -> tuple[Tiles, Looking] | None:
        """The tiles with the figure that was identified before, if they are read as before; otherwise None. The figure
        is not moved again: it might not be able to return from where it moves to."""
        if self._told is None:
            return None
        read, found = self._told
        if not alike(tiles, read):
            return None
        found = replace(tiles, things=found.things, solid=found.solid)
        eyes = eyes.otherwise(found)
        eyes.meet(self.window.still(STILL).image)
        return found, eyes

    def _stirred(
        self, tiles: Tiles, eyes: Looking, first: Frame, idle: Bools, key: str, way: int
    ) -> tuple[Tiles | None, bool]:
        """The tiles with what moves when a walking key is held as the figure, None if nothing does; and whether
        something changed that cannot be attributed to the key, besides what changes by itself (``idle``)."""
        after, stirs = first, False
        figure = surest(tiles, "figure")
        least = 0.0 if figure is None else MOVES * figure.width * figure.height / idle.size
        best: Tiles | None = None
        for seconds in STEPS:
            self.window.perform((Hold((key,), seconds),), TAP)
            before, after = after, self.window.still(STILL)
            if apart(before, after, idle) == 0 or apart(first, after, idle) <= least:
                continue
            stirs = True
            pictures = first.image, after.image
            if self._followed(tiles, first, after):
                flat = laid_flat(tiles, eyes.tracker, *pictures)
                if flat is None:
                    return None, False
                pictures = flat[0], flat[1]
            try:
                found = corrected(tiles, *pictures)
            except ValueError:  # not all of these things were read in these pictures
                found = None
            if found is not None:
                best = trimmed(found, *pictures)
                if best is found:
                    return with_legs(found, *pictures, way), False
                continue  # it may have left a part of its place only
            if best is not None:
                break
            found = found_moving(tiles, *pictures, way)
            if found is not None:
                return found, False
        return best, best is None and stirs

    @staticmethod
    def _followed(tiles: Tiles, first: Frame, after: Frame) -> bool:
        """Whether the tiles stand elsewhere in ``after`` than in ``first``: the picture moves with the figure, so its
        changes are no evidence."""
        figure = surest(tiles, "figure")
        size = (figure.width * figure.height) if figure is not None else 0.0
        if apart(first, after) * first.image[..., 0].size <= FOLLOWED * size:
            return False
        places = [Tracker(tiles).stands(frame.image) for frame in (first, after)]
        if places[0] is None or places[1] is None:
            return True
        return any(max(abs(a.x - b.x), abs(a.y - b.y)) > 1 for a, b in zip(places[0][1], places[1][1], strict=True))
