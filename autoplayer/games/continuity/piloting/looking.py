"""The pilot's eyes on one level: which view a picture shows, and where the figure is in it."""

from __future__ import annotations

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.piloting.marks import Marks
from autoplayer.games.continuity.seeing.sight import Sighting, Tiles
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker


class Looking:
    """Tracks one level in pictures, with ``seeing/``. ``marks``: the mark that tells the views apart if both show the
    tiles in one size."""

    def __init__(self, tiles: Tiles, marks: Marks | None = None) -> None:
        self.tiles, self.tracker, self.marks = tiles, Tracker(tiles), marks
        self._learned = False
        """Whether the tracker has recognised anything."""

    def see(self, image: Image) -> Sighting:
        seen = self.tracker.see(image)
        self._learned |= seen.view in ("walking", "sliding")
        if self.marks is not None:
            return self.marks.told(seen, image)
        if seen.view in ("walking", "sliding") and seen.view != self.tiles.view and self._as_read():
            return seen._replace(view=self.tiles.view)  # walls with a pattern look new where a tile was moved
        return seen

    def _as_read(self) -> bool:
        """Whether the tiles have the size in which they were read."""
        now, first = self.tracker.where(0), self.tiles.boxes[0]
        return now is not None and max(abs(now.width - first.width), abs(now.height - first.height)) <= 1

    def meet(self, still: Image) -> None:
        """Learn from a still picture in which the figure is where it was when the tiles were read."""
        for _ in range(2):
            self.see(still)

    def otherwise(self, tiles: Tiles) -> Looking:
        """A tracker for the same level with corrected things."""
        eyes = Looking(tiles, self.marks)
        eyes.tracker.taught(self.tracker)
        return eyes

    def expect(self, box: Box) -> None:
        self.tracker.expect(box)

    def where(self, tile: int) -> Box | None:
        return self.tracker.where(tile)

    def anew(self) -> None:
        if not self._learned:
            return  # what was searched in vain would be searched in vain again
        self._learned = False
        before, self.tracker = self.tracker, Tracker(self.tiles)
        self.tracker.taught(before)
        self.tracker.figure = before.figure if self.tracker.figure is None else self.tracker.figure
