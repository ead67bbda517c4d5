"""A view of the window: one size of tiles, their positions in it, and the look of each tile without the figure.

The view in which tiles are moved shows the whole board; the one in which the figure walks may show a part of it, from
near, and follow the figure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.sight import View as Name
from autoplayer.games.continuity.seeing.tracking.board_part import ROUGH, find_part, find_part_nearly
from autoplayer.games.continuity.seeing.tracking.near import COARSE, Points, edges, settle
from autoplayer.games.continuity.seeing.tracking.parts import (
    DIFFERS,
    DIFFERS_GUESSED,
    FITS,
    LIKE,
    NUDGE,
    THIN,
    area_of,
    common_box,
    differing,
    grouped,
    grown_box,
    odd_share,
    overlap,
    rough_limits,
    seen_part,
    steep_edges,
    unlike,
)
from autoplayer.games.continuity.seeing.tracking.stature import Stature
from autoplayer.games.continuity.world import BLANK

THUMB = (16, 12)
"""Width and height of the thumbnails by which tiles are distinguished."""
SAME = 14.0
"""The greatest mean difference, in grey levels, between the thumbnails of one tile."""
FARTHEST = 0.2
"""The greatest gap between tiles, as a share of a tile. Every smaller one is tried: edges that are a pixel wide look no
more right two pixels beside their place than anywhere."""
SURE, MORE = 1.2, 1.6
"""Factors on the usual difference: below the first, a tile has not moved and need not be searched elsewhere; below the
second, it is there at all."""
LEAST_LIKE, SOMEWHAT = 0.8, 0.7
"""The least correlation of a part of the board with the picture that shows it; and the same if its edges are surely
there: in a pale room a dark figure may outweigh all that the picture shows besides."""
PART = 0.5
"""The least visible area of a tile by which the others are placed, relative to the most visible tile."""
SURELY = 0.8
"""By what factor a tile from near must differ less at a position farther away, to stand there."""
SEEN_OF = 0.08
"""The least share of a tile that must be visible to measure its distance from the next."""
SPACED = 1.2
"""The factor on the difference that is accepted if the distances of tiles are those of the first view instead of the
measured ones: few pixels of a tile look right in many places."""
FAR, LESS = 14, 1.5
"""Pixels by which a tile may be off the position that the board implies; and the factor on its usual difference if the
board was found by nearly all of the picture."""
ABSENT, SOME = 0.5, 4
"""If at least this share of a neighbouring tile looks different from what is known, in a view from near, it is not
there: the window shows one room alone, or the others dimmed. One row and column in so many is examined."""
UNLIKE = 0.3
"""The same below this correlation: the ground of a window may differ little from the air of its rooms."""
SEAM = 3
"""Pixels at the sides of a tile seen from near in which the next one may show."""


@dataclass(eq=False)
class Patch:
    """A key in a view: its box in its tile's picture there, its look, and its background."""

    thing: int
    tile: int
    box: Box
    shown: Image
    bare: Image
    ink: Bools


@dataclass(eq=False)
class View:
    """``places``: the positions of the cells, all of one size. ``backgrounds``: for each tile its picture without the
    figure, None before it was seen; ``guessed``: where that is not certain."""

    name: Name
    columns: int
    places: tuple[Box, ...]
    backgrounds: list[Image]
    guessed: list[Bools]
    thumbs: NDArray[np.float32]
    keys: list[Patch] = field(default_factory=list)
    near: bool = False
    """Whether the picture shows a part of the board, from near, and follows the figure."""
    gap: tuple[float, float] | None = None
    """The gaps between tiles, across and down, pixels; None if the view is near and two tiles were not yet seen."""
    joined: tuple[bool, bool] = (False, False)
    """Whether the gaps across and down were measured in this view, or derived from one another."""
    anchor: int = 0
    """The tile relative to which the others were found."""
    usual: float = LIKE
    """The mean difference, in grey levels, between a tile from near where it stands and its picture in the other
    view."""
    odd: float = 0.0
    """The largest share of a picture from near that differed from the tiles while the view stood still."""
    seen: int = 0
    """Pictures in which this view was met."""
    met: int = 0
    """The number of the picture in which it was met last."""
    amiss: int = 0
    """The number of consecutive still pictures in which the view seemed to be there and too much was different."""
    cells: tuple[int, ...] = ()
    whole: Image = field(default_factory=lambda: np.zeros((0, 0, 3), np.uint8))
    """The backgrounds in the present arrangement, with their surroundings; the size of the window."""
    limits: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    """The least difference of each pixel from the background; 255 outside the tiles."""
    home: tuple[int, ...] = ()
    """The arrangement of the tiles when their backgrounds were taken."""
    loose: Bools = field(default_factory=lambda: np.zeros((0, 0), np.bool_))
    """Pixels where a tile that has moved may show its edges off by one from those of its background, by rounding."""

    stature: Stature = field(default_factory=Stature)
    homes: tuple[tuple[Box, Image], ...] = ()
    """For each thing its box in its tile's picture, and what is probably behind it there."""
    spaces: tuple[float, float] | None = None
    """The gaps between tiles in pixels, across and down, if they scale as in the view in which the level was read; None
    if that is not known."""
    points: dict[int, Points] = field(default_factory=dict)
    limited: dict[int, NDArray[np.uint8]] = field(default_factory=dict)

    def rough(self, tile: int) -> NDArray[np.uint8]:
        """The tolerance between a tile and its picture of another size; unlimited where the next tile begins."""
        if tile not in self.limited:
            limits = rough_limits(self.backgrounds[tile])
            limits[:SEAM] = limits[-SEAM:] = limits[:, :SEAM] = limits[:, -SEAM:] = 255
            self.limited[tile] = limits
        return self.limited[tile]

    def edges(self, tile: int) -> Points:
        """The pixels that reveal a shift of a tile."""
        if tile not in self.points:
            self.points[tile] = edges(self.backgrounds[tile])
        return self.points[tile]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a tile."""
        return self.places[0].width, self.places[0].height

    def put(self, cells: Sequence[int], tile: int, box: Box) -> None:
        """The positions of all tiles if one is at ``box``."""
        self.anchor = tile
        across, down = self.gap or (0.0, 0.0)
        r0, c0 = divmod(cells.index(tile), self.columns)
        places = []
        for n in range(len(cells)):
            r, c = divmod(n, self.columns)
            places.append(
                Box(
                    box.x + round((c - c0) * (box.width + across)),
                    box.y + round((r - r0) * (box.height + down)),
                    box.width,
                    box.height,
                )
            )
        self.places = tuple(places)

    def join(self, cells: Sequence[int], image: Image) -> None:
        """Find the distances of the neighbours from the anchor, if enough of one is in the picture: as in the first
        view, as long as that is nearly as good as the measured distances for each of them."""
        before = self.joined
        self._measure(cells, image)
        if self.gap is None or self.spaces is None or self.joined == before:
            return
        found, away, odd = self.gap, self._misplaced(cells, image), self._odd_beside(cells, image)
        across, down = (gap if once else space for gap, space, once in zip(found, self.spaces, before, strict=True))
        self.gap = across, down
        self.put(cells, self.anchor, self.places[cells.index(self.anchor)])
        worse = any(now > SPACED * then for now, then in zip(self._misplaced(cells, image), away, strict=True))
        if worse or self._odd_beside(cells, image) > max(FITS, odd):
            self.gap = found
            self.put(cells, self.anchor, self.places[cells.index(self.anchor)])

    def _misplaced(self, cells: Sequence[int], image: Image) -> list[float]:
        """The difference of each tile beside the anchor from the picture at its supposed position."""
        return [
            settle(image, self.backgrounds[tile], place, self.edges(tile), 1)[1] for tile, place in self._beside(cells)
        ]

    def _odd_beside(self, cells: Sequence[int], image: Image) -> float:
        """The share in which a tile beside the anchor differs from the picture at its supposed position; of several,
        the least."""
        return min((odd_share(image, self.backgrounds[tile], place) for tile, place in self._beside(cells)), default=1)

    def _beside(self, cells: Sequence[int]) -> list[tuple[int, Box]]:
        """The tiles beside the anchor, and their supposed positions."""
        row, column = divmod(cells.index(self.anchor), self.columns)
        return [
            (tile, place)
            for n, (tile, place) in enumerate(zip(cells, self.places, strict=True))
            if tile != BLANK and abs(n // self.columns - row) + abs(n % self.columns - column) == 1
        ]

    def _measure(self, cells: Sequence[int], image: Image) -> None:
        """The measured distances of the tiles beside the anchor."""
        here = cells.index(self.anchor)
        known = [self.gap[axis] if self.gap is not None and self.joined[axis] else None for axis in (0, 1)]
        gaps = list(known)
        for n, tile in enumerate(cells):
            (r, c), (r0, c0) = divmod(n, self.columns), divmod(here, self.columns)
            if tile == BLANK or abs(r - r0) + abs(c - c0) != 1:
                continue
            axis = 0 if r == r0 else 1
            if known[axis] is not None:
                continue
            best = self._apart(image, tile, self.places[here], axis, (c - c0) + (r - r0))
            if best is not None and best[0] < max(LIKE, MORE * self.usual):
                gaps[axis] = best[1]
        if gaps[0] is None and gaps[1] is None:
            return
        wide, high = self.spaces if self.spaces is not None and min(self.spaces) > 0 else self.size
        across = gaps[0] if gaps[0] is not None else (gaps[1] or 0.0) * wide / high
        down = gaps[1] if gaps[1] is not None else across * high / wide
        self.gap, self.joined = (across, down), (gaps[0] is not None, gaps[1] is not None)
        self.put(cells, self.anchor, self.places[here])

    def _apart(self, image: Image, tile: int, place: Box, axis: int, way: int) -> tuple[float, float] | None:
        """The difference of a tile from the picture, in grey levels, at the distance at which it looks most like it,
        and this distance from the tile at ``place``, pixels; None if too little of it is seen. ``axis``: 0 across, 1
        down; ``way``: 1 to the right or down, -1 otherwise."""
        window = Box(0, 0, image.shape[1], image.shape[0])
        found: dict[int, tuple[float, Box]] = {}
        for apart in range(round(FARTHEST * self.size[axis]) + 1):
            x = place.x + (way * (place.width + apart) if axis == 0 else 0)
            y = place.y + (way * (place.height + apart) if axis == 1 else 0)
            part = common_box(Box(x, y, *self.size), window)
            if min(part.width, part.height) < max(5 * NUDGE, SEEN_OF * min(self.size)):
                continue
            box, away = settle(image, self.backgrounds[tile], Box(x, y, *self.size), self.edges(tile), 1)
            at = way * (box.x - place.x) - place.width if axis == 0 else way * (box.y - place.y) - place.height
            if at not in found or away < found[at][0]:
                found[at] = away, box
        # Its edges may lie on those of another tile.
        both = {at: (away + unlike(image, self.backgrounds[tile], box)) / 2 for at, (away, box) in found.items()}
        best: tuple[bool, float, float] | None = None
        for at, away in sorted(both.items()):
            if away > min(both.get(at + d, math.inf) for d in range(-NUDGE, NUDGE + 1)):
                continue
            # Few pixels of a tile may look right anywhere: near is more probable.
            odd = odd_share(image, self.backgrounds[tile], found[at][1]) > FITS
            if best is None or odd < best[0] or (odd == best[0] and away < SURELY * best[1]):
                best = odd, away, float(at)
        return None if best is None else best[1:]

    def near_cells(self, cells: tuple[int, ...], image: Image, stood: int, ground: int) -> tuple[int, ...] | None:
        """The positions of the tiles in a picture from near; None if it shows something else. The arrangement is the
        one in which all of them were last seen: they do not move in this view. ``stood``: how many pictures before this
        one, in which this view was recognised, showed the same."""
        spot = self._where(cells, image, stood, ground)
        if spot is None:
            return None
        self.anchor, box = spot
        self.put(cells, self.anchor, box)
        if self.gap is None or (stood == 1 and not all(self.joined)):
            self.join(cells, image)
        window = Box(0, 0, image.shape[1], image.shape[0])
        areas = []
        for n, tile in enumerate(cells):
            part = common_box(self.places[n], window)
            areas.append(area_of(part) if tile != BLANK else 0)
            if tile not in (BLANK, self.anchor) and min(part.width, part.height) > 5 * NUDGE and self.gap is not None:
                found, _ = settle(image, self.backgrounds[tile], self.places[n], self.edges(tile), 2)
                self.places = (*self.places[:n], found, *self.places[n + 1 :])
        self.anchor = cells[int(np.argmax(areas))]
        return cells

    def _where(self, cells: Sequence[int], image: Image, stood: int, ground: int) -> tuple[int, Box] | None:
        """A tile of a picture from near, and its position; None if the picture shows something else. If the camera has
        just come to rest, it is searched once more, because moving pictures are examined in a hurry."""
        best: tuple[float, int, Box] | None = None
        if stood:  # long edges look right along a way that the camera may have gone
            box = self.places[cells.index(self.anchor)]
            box, away = settle(image, self.backgrounds[self.anchor], box, self.edges(self.anchor), NUDGE)
            if self._surely(away) and stood > 1:
                return self.anchor, box
            best = away, self.anchor, box
        pictures = [None if tile == BLANK else self.backgrounds[tile] for tile in cells]
        for tiles_only in (False, True):  # what is round the tiles may look otherwise where the camera is elsewhere
            part = find_part(image, pictures, self.places, ground, tiles_only=tiles_only)
            if part is not None and part[2] >= SOMEWHAT:
                found = self._settled(cells, image, part[:2])
                if (part[2] >= LEAST_LIKE or self._surely(found[0])) and (best is None or found[0] < best[0]):
                    best = found
            if best is not None and self._shows(image, *best):
                return best[1:]
        return self._where_nearly(cells, image, pictures, ground)

    def _surely(self, away: float) -> bool:
        """Whether a tile stands where it differs so much from its picture at its edges, in whatever view."""
        return away <= SURE * self.usual + 1

    def _shows(self, image: Image, away: float, tile: int, box: Box) -> bool:
        """Whether a tile stands at ``box``, where it differs so much (``away``) from its picture at its edges. In a
        view in which edges are drawn otherwise, its areas tell."""
        if self.usual <= MORE * LIKE:
            return away <= max(LIKE, MORE * self.usual)
        return odd_share(image, self.backgrounds[tile], box) <= FITS

    def _settled(self, cells: Sequence[int], image: Image, beside: tuple[int, int]) -> tuple[float, int, Box]:
        """Of the tiles, with their approximate offset ``beside`` their places, the one that differs least from its
        picture: by how much, which tile, and its position."""
        window = Box(0, 0, image.shape[1], image.shape[0])
        far = round(1.5 * max(window.width, window.height) / COARSE)
        boxes = [Box(place.x + beside[0], place.y + beside[1], place.width, place.height) for place in self.places]
        shown = [area_of(common_box(box, window)) * (tile != BLANK) for box, tile in zip(boxes, cells, strict=True)]
        best = math.inf, self.anchor, boxes[cells.index(self.anchor)]
        for box, area, tile in zip(boxes, shown, cells, strict=True):
            if area >= PART * max(shown) and area > 0:  # a tile of which little is seen may look right anywhere
                found, away = settle(image, self.backgrounds[tile], box, self.edges(tile), NUDGE, far)
                best = min(best, (away, tile, found), key=lambda each: each[0])
        return best

    def _where_nearly(
        self, cells: Sequence[int], image: Image, pictures: Sequence[Image | None], ground: int
    ) -> tuple[int, Box] | None:
        """As ``_where``, by nearly all of the picture: its middle may be mostly air."""
        beside = find_part_nearly(image, pictures, self.places, ground)
        if beside is None:
            return None
        window = Box(0, 0, image.shape[1], image.shape[0])
        boxes = [Box(place.x + beside[0], place.y + beside[1], place.width, place.height) for place in self.places]
        n = max(
            (n for n, tile in enumerate(cells) if tile != BLANK), key=lambda n: area_of(common_box(boxes[n], window))
        )
        far = round(1.5 * max(across.width + across.x for across in boxes) / ROUGH)
        box, away = settle(image, self.backgrounds[cells[n]], boxes[n], self.edges(cells[n]), NUDGE, min(far, FAR))
        return (cells[n], box) if self._shows(image, away / LESS, cells[n], box) else None

    def arrangement(self, image: Image) -> tuple[int, ...] | None:
        """The arrangement of the tiles, if ``image`` shows this view and nothing moves."""
        height, width = image.shape[:2]
        last = self.places[-1]
        if last.x + last.width > width or last.y + last.height > height:
            return None
        thumbs = np.stack([thumb_of(box.crop(image)) for box in self.places])
        return assigned(thumbs, self.thumbs)

    def lay(self, cells: tuple[int, ...], image: Image) -> None:
        """Place the backgrounds in the present arrangement of the tiles."""
        self.cells = cells
        self.home = self.home or cells
        self.whole = image.copy()
        self.limits = np.full(image.shape[:2], 255, np.uint8)
        self.loose = np.zeros(image.shape[:2], np.bool_)
        for place, tile in enumerate(cells):
            if tile != BLANK:
                box = self.places[place]
                part, inside = seen_part(box, image)
                if self.near and tile != self.anchor and self._absent(tile, part, inside, image):
                    continue
                part.crop(self.whole)[:] = inside.crop(self.backgrounds[tile])
                limits = np.where(inside.crop(self.guessed[tile]), DIFFERS_GUESSED, DIFFERS)
                if self.near:
                    limits = inside.crop(self.rough(tile))
                elif self.home[place] != tile:
                    edges = steep_edges(inside.crop(self.backgrounds[tile]), 3)
                    part.crop(self.loose)[:] = edges
                    limits = np.where(edges, 255, limits)
                part.crop(self.limits)[:] = limits

    def _absent(self, tile: int, part: Box, inside: Box, image: Image) -> bool:
        """Whether a tile is not shown from near in the ``part`` of the window in which it should be; ``inside``: the
        corresponding part of its picture."""
        if min(part.width, part.height) <= 0:
            return True
        shown, known, limits = (
            np.ascontiguousarray(box.crop(each)[::SOME, ::SOME])
            for box, each in ((part, image), (inside, self.backgrounds[tile]), (inside, self.rough(tile)))
        )
        odd = float((largest_channel(cv2.absdiff(shown, known)) > limits).mean())
        return odd > ABSENT or (odd > FITS and correlation(shown, known) < UNLIKE)

    def fasten(self, image: Image, figure: Box) -> None:
        """The edges of tiles are known in the present arrangement, except near the figure."""
        part, _ = seen_part(grown_box(figure, figure.width, figure.height // 2), image)
        square = np.ones((3, 3), np.uint8)
        away = cv2.max(
            cv2.subtract(image, cv2.dilate(self.whole, square)), cv2.subtract(cv2.erode(self.whole, square), image)
        )
        known = self.loose & (largest_channel(away) <= DIFFERS)
        part.crop(known)[:] = False
        self.whole[known] = image[known]
        self.limits[known] = DIFFERS
        self.loose &= ~known

    def drawn_box(self, image: Image, figure: Box) -> Box:
        """The tight box of a figure that is seen from near: with backgrounds of another size, parts of it near their
        edges, such as its feet, are not seen at first. Thin lines beside it are edges that are drawn otherwise there:
        a short ledge has them at both of its ends."""
        part, _ = seen_part(grown_box(figure, figure.width // 2, figure.height // 4), image)
        behind = part.crop(self.whole)
        limits = np.where(steep_edges(behind, 3), 255, DIFFERS_GUESSED).astype(np.uint8)
        changed = differing(part.crop(image), behind, limits)
        inside = Box(figure.x - part.x, figure.y - part.y, figure.width, figure.height)
        thick = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((THIN, THIN), np.uint8))
        changed[:, : inside.x] = thick[:, : inside.x]
        changed[:, inside.x + inside.width :] = thick[:, inside.x + inside.width :]
        found = [spot.box for spot in grouped(changed, 2) if overlap(spot.box, inside)]
        if not found:
            return figure
        x0, y0 = min(box.x for box in found), min(box.y for box in found)
        x1, y1 = max(box.x + box.width for box in found), max(box.y + box.height for box in found)
        if y1 - y0 > 1.3 * figure.height or x1 - x0 > 2 * figure.width:
            return figure
        return Box(part.x + x0, part.y + y0, x1 - x0, y1 - y0)

    def keep(self, tile: int, place: Box, part: Box, image: Image) -> None:
        """``part`` of the window shows a tile's background."""
        part, _ = seen_part(part, image)
        inside = Box(part.x - place.x, part.y - place.y, part.width, part.height)
        now = part.crop(image)
        inside.crop(self.backgrounds[tile])[:] = now
        inside.crop(self.guessed[tile])[:] = False
        part.crop(self.whole)[:] = now
        part.crop(self.limits)[:] = DIFFERS
        self.limited.pop(tile, None)


def correlation(one: Image, other: Image) -> float:
    """Of two pictures of one size, in their brightness; 0 if one of them is of one colour."""
    mine, its = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (one, other))
    mine, its = mine - mine.mean(), its - its.mean()
    spread = float(np.sqrt((mine**2).sum() * (its**2).sum()))
    return float((mine * its).sum()) / spread if spread > 0 else 0.0


def thumb_of(picture: Image) -> NDArray[np.float32]:
    """A small picture of a tile."""
    return cv2.resize(picture, THUMB, interpolation=cv2.INTER_AREA).astype(np.float32)


def far_off(thumbs: NDArray[np.float32], tiles: NDArray[np.float32], cells: Sequence[int]) -> float:
    """The mean difference, in grey levels, between the thumbnails of places and those of the tiles in them."""
    return float(np.mean([np.abs(thumbs[at] - tiles[tile]).mean() for at, tile in enumerate(cells) if tile != BLANK]))


def assigned(thumbs: NDArray[np.float32], tiles: NDArray[np.float32]) -> tuple[int, ...] | None:
    """The tile that each place shows; exactly one shows none. None if that is not so."""
    away = np.abs(thumbs[:, None] - tiles[None]).mean(axis=(2, 3, 4))
    best = away.min(axis=1)
    blank = int(best.argmax())
    chosen = away.argmin(axis=1)
    others = [place for place in range(len(thumbs)) if place != blank]
    if best[others].max(initial=0.0) > SAME or best[blank] < 0.5 * SAME:
        return None
    if len({int(chosen[place]) for place in others}) != len(others):
        return None
    return tuple(BLANK if place == blank else int(chosen[place]) for place in range(len(thumbs)))
