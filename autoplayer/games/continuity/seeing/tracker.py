"""Where the figure is in each picture after the first one, how the tiles lie, and which keys are gone.

A *view* of the window is one size of tiles: that in which they are moved, and that in which the figure walks. In each
view every tile has a background: its picture without the figure. What differs from the backgrounds, where they lie, is
the figure, whatever picture of it is shown. Behind the figure a background is a guess until the figure has moved away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.behind import without
from autoplayer.games.continuity.seeing.near import COARSE, Points, edges, find_part, find_tile, settle
from autoplayer.games.continuity.seeing.sight import Bools, Sighting, Thing, Tiles, View
from autoplayer.games.continuity.seeing.sized import sized
from autoplayer.games.continuity.seeing.tiles import find_board
from autoplayer.games.continuity.world import BLANK

THUMB = (16, 12)
"""Width and height of the small pictures by which tiles are told apart."""
SAME = 14.0
"""Grey levels that the small pictures of one tile may differ by, in the mean."""
DIFFERS, DIFFERS_GUESSED = 22, 48
"""Grey levels from which on a pixel is no background: where that is known, and where it is a guess."""
STILL = 12
FEW = 0.0025
"""Grey levels up to which a pixel has not changed; the share of pixels that may change in a view that does not."""
BLOCKS, MOST_BLOCKS = 16, 14
"""Into so many parts a picture is divided each way; in how many of them something changes where it stands: the figure,
flames, a counter."""
MUCH = 4.0
"""How many times the figure's size may change besides it."""
LASTING = 12
"""Pictures after which what stands still is no change of views."""
NEW = 4
"""Pictures for which a view is new."""
GAPS = (0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2)
"""Gaps between tiles that are tried, shares of a tile."""
NUDGE = 4
"""Pixels by which a tile may be beside where it is expected."""
LIKE = 24.0
"""Grey levels in the mean up to which a tile from near is what it should be."""
SURE, MORE = 1.2, 1.6
"""How many times more than usual it differs where it has not moved, so that it need not be looked for elsewhere; and
where it is there at all."""
LEAST_LIKE = 0.8
"""The correlation of a part of the board with the picture that shows it, at least."""
PART = 0.5
"""Of what is seen of the tile that is seen best, how much is seen at least of one by which the others are placed."""
RESTS = 3.0
"""Pixels by which a spot may stir that stays where it is."""
FOLLOWED = 6
"""Pictures for which a spot is followed until it may be the figure after all."""
STRIDE = 1.5
"""Heights of the figure that it may move by from one picture to the next."""
THINNEST = 0.35
"""The share of its breadth that is seen of a figure at least."""
RIM = 0.06
"""The share of the window's height at its sides in which something may be written over the tiles."""
SEEN_WELL = 8
"""Pictures after which a view was met for certain."""
SURELY = 0.8
"""How much less a tile from near must differ at a place farther away, to stand there."""
SEEN_OF = 0.08
"""The share of a tile by which its distance from the next can be told."""
SETTLED = 3
"""How long a picture stands until a view is looked for in a size of which one is known."""
SEAM = 3
"""Pixels at the sides of a tile that is seen from near, in which the next one may show."""
LONG = 40
"""Pictures after which a change that stays belongs to the background."""


class _Found(NamedTuple):
    """A spot of changed pixels: its box in window pixels, and how many they are."""

    box: Box
    area: int


@dataclass(eq=False)
class _Track:
    """A spot from picture to picture: its box; its middle now and when the figure last moved, window pixels from the
    first tile's corner; how far it came since then; and in how many pictures it was seen."""

    box: Box
    first: tuple[float, float]
    now: tuple[float, float]
    far: float = 0.0
    pictures: int = 1

    def away(self, at: tuple[float, float]) -> float:
        return float(np.hypot(at[0] - self.now[0], at[1] - self.now[1]))


@dataclass(eq=False)
class _Patch:
    """A key in a view: its box in its tile's picture there, how it looks, and what is behind it."""

    thing: int
    tile: int
    box: Box
    shown: Image
    bare: Image
    ink: Bools


@dataclass(eq=False)
class _View:
    """``places``: where the cells stand, all of one size. ``backgrounds``: for each tile its picture without the
    figure, None before it was seen; ``guessed``: where that is not certain."""

    name: View
    places: tuple[Box, ...]
    backgrounds: list[Image]
    guessed: list[Bools]
    thumbs: NDArray[np.float32]
    keys: list[_Patch] = field(default_factory=list)
    near: bool = False
    """Whether the picture shows a part of the board, from near, and moves with the figure."""
    gap: tuple[float, float] | None = None
    """Between tiles, across and down, pixels; where the view is near and two tiles were not yet seen, None."""
    anchor: int = 0
    """The tile by which the others were found."""
    usual: float = LIKE
    """How much a tile from near differs from its picture in the other view where it stands, grey levels in the mean."""
    seen: int = 0
    """Pictures in which this view was met."""
    amiss: int = 0
    """Pictures that stood, in a row, in which it seemed to be there and too much was different."""
    cells: tuple[int, ...] = ()
    whole: Image = field(default_factory=lambda: np.zeros((0, 0, 3), np.uint8))
    """The backgrounds as they lie now, and what was around them; the size of the window."""
    limits: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    """How much each pixel must differ to be no background; 255 outside the tiles."""
    home: tuple[int, ...] = ()
    """How the tiles lay when their backgrounds were taken."""
    loose: Bools = field(default_factory=lambda: np.zeros((0, 0), np.bool_))
    """Where a tile that lies elsewhere now may show its edges a pixel beside those of its background: rounding."""

    homes: tuple[tuple[Box, Image], ...] = ()
    """For each thing its box in its tile's picture, and what is probably behind it there."""
    points: dict[int, Points] = field(default_factory=dict)
    limited: dict[int, NDArray[np.uint8]] = field(default_factory=dict)

    def rough(self, tile: int) -> NDArray[np.uint8]:
        """How much a tile may differ from its picture of another size; anyhow where the next one begins."""
        if tile not in self.limited:
            limits = _rough(self.backgrounds[tile])
            limits[:SEAM] = limits[-SEAM:] = limits[:, :SEAM] = limits[:, -SEAM:] = 255
            self.limited[tile] = limits
        return self.limited[tile]

    def edges(self, tile: int) -> Points:
        """Where a shift of a tile shows."""
        if tile not in self.points:
            self.points[tile] = edges(self.backgrounds[tile])
        return self.points[tile]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a tile."""
        return self.places[0].width, self.places[0].height


class Tracker:
    """Follows one level from picture to picture. ``figure``: which of the tiles' things moves, once that is known."""

    def __init__(self, tiles: Tiles) -> None:
        self.tiles = tiles
        self.figure: int | None = None
        self._views: list[_View] = []
        self._last: Image | None = None
        self._stood = 0
        """How many pictures in a row show the same."""
        self._box: Box | None = None
        """The figure's, in the last picture in which it was seen, and the view of that."""
        self._in: _View | None = None
        self._gone: set[int] = set()
        self._cells = tiles.cells
        """As the tiles lay when all of them were last seen."""
        self._ground = 0
        """How bright it is round the tiles."""
        self._stays: dict[tuple[int, int, int, int], int] = {}
        self._tracks: list[_Track] = []
        self._figures = [n for n, thing in enumerate(tiles.things) if thing.kind == "figure"]
        if len(self._figures) == 1:
            self.figure = self._figures[0]
        self._views.append(self._view(tiles.view, tiles.boxes, tiles.pictures))

    def see(self, image: Image) -> Sighting:
        """What ``image``, a later picture of the same window, shows."""
        still = self._last is not None and _same(self._last, image)
        self._last = image
        self._stood = self._stood + 1 if still else 0
        # A copy, as one may be dropped; those that show the whole board first, as they are surely told.
        for view in sorted(self._views, key=lambda each: (each.near, each is not self._in)):
            cells = self._near_cells(view, image) if view.near else self._arrangement(view, image)
            seen = None if cells is None else self._seen(view, cells, image)
            if seen is not None:
                return seen
        if still and (self._stood % LASTING == 0 or not any(view.seen > SEEN_WELL for view in self._views[1:])):
            # Where another view is known already, a moment of a change stands in two pictures of a slow window.
            found = self._new_view(image)
            if found is not None:
                seen = self._seen(*found, image)
                if seen is not None:
                    return seen
        self._in = None
        return self._nothing()

    def homes(self, image: Image) -> tuple[tuple[Box, Image], ...] | None:
        """For each of the tiles' things where it stood at first, in window pixels of ``image``, a still picture, and
        what is probably behind it there; None where no view is recognised."""
        self.see(image)
        self.see(image)
        view = self._in
        if view is None:
            return None
        cells = self._cells
        return tuple(
            (_moved(box, view.places[cells.index(thing.tile)]), bare)
            for thing, (box, bare) in zip(self.tiles.things, view.homes, strict=True)
        )

    def stands(self, image: Image) -> tuple[tuple[int, ...], tuple[Box, ...]] | None:
        """Which tile lies in each cell, and where the cells stand, in window pixels of ``image``, a still picture; None
        where no view is recognised."""
        self.see(image)
        self.see(image)
        return None if self._in is None else (self._cells, self._in.places)

    def where(self, tile: int) -> Box | None:
        """Where a tile lies in the last picture, window pixels; None where no view was recognised in it."""
        return None if self._in is None or tile not in self._cells else self._in.places[self._cells.index(tile)]

    # Views

    def expect(self, box: Box) -> None:
        """The figure is near ``box`` (window pixels of the last picture), whatever was taken for it since."""
        self._box = box

    def _view(
        self, name: View, places: Sequence[Box], pictures: Sequence[Image], strange: Sequence[tuple[int, Box]] = ()
    ) -> _View:
        """A view from the pictures that the tiles have in it; whatever may be the figure is taken out of them, also at
        ``strange``: tiles, and boxes in their pictures."""
        width, height = places[0].width, places[0].height
        across, down = width / self.tiles.boxes[0].width, height / self.tiles.boxes[0].height
        backgrounds = [np.ascontiguousarray(picture[:height, :width]).copy() for picture in pictures]
        guessed = [np.zeros(picture.shape[:2], np.bool_) for picture in backgrounds]
        boxes = [_scaled(thing, across, down, 2, width, height) for thing in self.tiles.things]
        solid = [
            cv2.resize(mask.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
            for mask in self.tiles.solid
        ]
        taken = [np.zeros((height, width), np.bool_) for _ in backgrounds]
        for thing, box in zip(self.tiles.things, boxes, strict=True):
            box.crop(taken[thing.tile])[:] = True
        bare = [picture.copy() for picture in backgrounds]
        for number, (thing, box) in enumerate(zip(self.tiles.things, boxes, strict=True)):
            if thing.kind != "door":
                bare[thing.tile] = without(bare[thing.tile], box, solid[thing.tile], taken[thing.tile])
            if number in self._figures:
                box.crop(backgrounds[thing.tile])[:] = box.crop(bare[thing.tile])
                box.crop(guessed[thing.tile])[:] = box.crop(~solid[thing.tile])
        for tile, box in strange:
            backgrounds[tile] = without(backgrounds[tile], box, solid[tile], taken[tile])
            box.crop(guessed[tile])[:] = box.crop(~solid[tile])
        keys = []
        for number, thing in enumerate(self.tiles.things):
            if thing.kind == "key":
                box = boxes[number]
                shown, behind = box.crop(backgrounds[thing.tile]).copy(), box.crop(bare[thing.tile]).copy()
                ink = np.abs(shown.astype(np.int16) - behind).max(axis=2) > 30
                keys.append(_Patch(number, thing.tile, box, shown, behind, ink))
        thumbs = np.stack([_thumb(picture) for picture in backgrounds])
        homes = []
        for thing, box in zip(self.tiles.things, boxes, strict=True):
            behind = bare[thing.tile]
            if thing.kind == "door":
                behind = without(behind, box, solid[thing.tile], taken[thing.tile])
            homes.append((box, box.crop(behind).copy()))
        return _View(name, tuple(places), backgrounds, guessed, thumbs, keys, homes=tuple(homes))

    def _new_view(self, image: Image) -> tuple[_View, tuple[int, ...]] | None:
        """The board in a size in which it was not seen before; None where it is not there."""
        try:
            board = find_board(image)
        except UnreadableError:
            return self._near_view(image)
        if (board.rows, board.columns) != (self.tiles.rows, self.tiles.columns):
            return self._near_view(image)
        thumbs = np.stack([_thumb(box.crop(image)) for box in board.boxes])
        cells = _assigned(thumbs, self._views[0].thumbs)
        if cells is None:
            return self._near_view(image)
        pictures = [board.boxes[cells.index(tile)].crop(image) for tile in range(len(self.tiles.pictures))]
        first = self._views[0]
        name: View = "walking" if first.name == "sliding" else "sliding"
        return self._added(self._view(name, board.boxes, pictures, self._strange(pictures))), cells

    def _strange(self, pictures: Sequence[Image]) -> list[tuple[int, Box]]:
        """What may be the figure in the tiles' pictures of another size, elsewhere than where it stood at first: the
        tile, and the box there."""
        first, expected = self._views[0], self._expected(self._views[0])
        if expected is None:
            return []
        height, width = pictures[0].shape[:2]
        across, down = width / first.size[0], height / first.size[1]
        tall = expected[1] * down
        found = []
        for tile, picture in enumerate(pictures):
            sized = cv2.resize(first.backgrounds[tile], (width, height), interpolation=cv2.INTER_AREA)
            known = np.asarray(sized, np.uint8)
            changed = _changed(picture, known, _rough(known))
            for thing in self.tiles.things:
                if thing.tile == tile:
                    _clear(changed, _scaled(thing, across, down, 4, width, height))
            for spot in _spots(changed, max(round(0.02 * height), 2)):
                if 0.3 * tall <= spot.box.height <= 1.8 * tall and spot.box.width <= 2.5 * tall:
                    grown = _around(spot.box, spot.box.width // 2 + 2, spot.box.height // 3 + 2)
                    found.append((tile, _within(grown, Box(0, 0, width, height))))
        return found

    def _added(self, view: _View) -> _View:
        # A view that was met in one moment only was a moment of a change.
        self._views = [each for each in self._views if each is self._views[0] or each.seen > SEEN_WELL]
        self._views.append(view)
        return view

    def _near_view(self, image: Image) -> tuple[_View, tuple[int, ...]] | None:
        """The view that shows a part of the board from near; None where no tile is seen."""
        if any(view.near and view.seen > SEEN_WELL for view in self._views) and self._stood < SETTLED:
            return None  # it is on its way to where it was met before
        spot = find_tile(image, self.tiles.pictures)
        if spot is None or spot.tile not in self._cells:
            return None
        box = sized(image, self.tiles.pictures[spot.tile], spot.box)
        size = box.width, box.height
        pictures = [cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in self.tiles.pictures]
        shown = np.asarray(pictures[spot.tile], np.uint8)
        box, usual = settle(image, shown, box, edges(shown), 1)
        if usual > MORE * LIKE:
            return None
        view = self._view("walking", [box] * len(self._cells), [np.asarray(each, np.uint8) for each in pictures])
        view.near, view.anchor, view.usual = True, spot.tile, usual
        for patch in view.keys:
            if patch.thing in self._gone:
                patch.box.crop(view.backgrounds[patch.tile])[:] = patch.bare
        self._place(view, spot.tile, box)
        self._join(view, image)
        return self._added(view), self._cells

    def _place(self, view: _View, tile: int, box: Box) -> None:
        """Where all tiles are if one is at ``box``."""
        view.anchor = tile
        across, down = view.gap or (0.0, 0.0)
        r0, c0 = divmod(self._cells.index(tile), self.tiles.columns)
        places = []
        for n in range(len(self._cells)):
            r, c = divmod(n, self.tiles.columns)
            places.append(
                Box(
                    box.x + round((c - c0) * (box.width + across)),
                    box.y + round((r - r0) * (box.height + down)),
                    box.width,
                    box.height,
                )
            )
        view.places = tuple(places)

    def _join(self, view: _View, image: Image) -> None:
        """Find out how far the tiles beside the anchor are from it, where enough of one is in the picture."""
        here = self._cells.index(view.anchor)
        gaps: list[float | None] = [None, None]
        for n, tile in enumerate(self._cells):
            (r, c), (r0, c0) = divmod(n, self.tiles.columns), divmod(here, self.tiles.columns)
            if tile == BLANK or abs(r - r0) + abs(c - c0) != 1:
                continue
            axis = 0 if r == r0 else 1
            way = (c - c0) + (r - r0)
            best: tuple[float, float] | None = None
            for share in GAPS:
                apart = share * view.size[axis]
                place = view.places[here]
                x = place.x + (way * (place.width + apart) if axis == 0 else 0)
                y = place.y + (way * (place.height + apart) if axis == 1 else 0)
                found, away = settle(
                    image, view.backgrounds[tile], Box(round(x), round(y), *view.size), view.edges(tile), NUDGE
                )
                part = _within(found, Box(0, 0, image.shape[1], image.shape[0]))
                if min(part.width, part.height) < max(5 * NUDGE, SEEN_OF * min(view.size)):
                    continue
                if away < math.inf:  # its edges may lie on those of another tile
                    away = (away + _unlike(image, view.backgrounds[tile], found)) / 2
                at = way * (found.x - place.x) - place.width if axis == 0 else way * (found.y - place.y) - place.height
                # Few pixels of a tile may look right anywhere: near is more probable.
                if best is None or away < SURELY * best[0]:
                    best = away, float(at)
            if best is not None and best[0] < max(LIKE, MORE * view.usual):
                gaps[axis] = best[1]
        if gaps[0] is None and gaps[1] is None:
            return
        across = gaps[0] if gaps[0] is not None else (gaps[1] or 0.0) * view.size[0] / view.size[1]
        down = gaps[1] if gaps[1] is not None else across * view.size[1] / view.size[0]
        view.gap = across, down
        self._place(view, view.anchor, view.places[here])

    def _near_cells(self, view: _View, image: Image) -> tuple[int, ...] | None:
        """Where the tiles are in a picture from near; None where it shows something else. The tiles lie as when all of
        them were last seen: they do not move in this view."""
        spot = self._where(view, image)
        if spot is None:
            return None
        view.anchor, box = spot
        self._place(view, view.anchor, box)
        if view.gap is None:
            self._join(view, image)
        window = Box(0, 0, image.shape[1], image.shape[0])
        areas = []
        for n, tile in enumerate(self._cells):
            part = _within(view.places[n], window)
            areas.append(_area(part) if tile != BLANK else 0)
            if tile not in (BLANK, view.anchor) and min(part.width, part.height) > 5 * NUDGE and view.gap is not None:
                found, _ = settle(image, view.backgrounds[tile], view.places[n], view.edges(tile), 2)
                view.places = (*view.places[:n], found, *view.places[n + 1 :])
        view.anchor = self._cells[int(np.argmax(areas))]
        return self._cells

    def _where(self, view: _View, image: Image) -> tuple[int, Box] | None:
        """A tile of a picture from near, and where it stands; None where it shows something else."""
        best: tuple[float, int, Box] | None = None
        if view is self._in and self._stood:  # long edges look right along a way that the camera may have gone
            box = view.places[self._cells.index(view.anchor)]
            box, away = settle(image, view.backgrounds[view.anchor], box, view.edges(view.anchor), NUDGE)
            if away <= SURE * view.usual + 1:
                return view.anchor, box
            best = away, view.anchor, box
        pictures = [None if tile == BLANK else view.backgrounds[tile] for tile in self._cells]
        part = find_part(image, pictures, view.places, self._ground)
        if part is not None and part[2] >= LEAST_LIKE:
            window = Box(0, 0, image.shape[1], image.shape[0])
            far = round(1.5 * max(window.width, window.height) / COARSE)
            boxes = [Box(place.x + part[0], place.y + part[1], place.width, place.height) for place in view.places]
            shown = [_area(_within(box, window)) for box in boxes]
            most = max(area for area, tile in zip(shown, self._cells, strict=True) if tile != BLANK)
            for box, area, tile in zip(boxes, shown, self._cells, strict=True):
                # A tile of which little is seen may look right anywhere.
                if tile != BLANK and area >= PART * most and area > 0:
                    found, away = settle(image, view.backgrounds[tile], box, view.edges(tile), NUDGE, far)
                    if best is None or away < best[0]:
                        best = away, tile, found
        if best is None or best[0] > max(LIKE, MORE * view.usual):
            return None
        return best[1:]

    def _arrangement(self, view: _View, image: Image) -> tuple[int, ...] | None:
        """How the tiles lie, if ``image`` shows this view and nothing moves."""
        height, width = image.shape[:2]
        last = view.places[-1]
        if last.x + last.width > width or last.y + last.height > height:
            return None
        thumbs = np.stack([_thumb(box.crop(image)) for box in view.places])
        return _assigned(thumbs, view.thumbs)

    # The figure

    def _seen(self, view: _View, cells: tuple[int, ...], image: Image) -> Sighting | None:
        """What a view shows; None where it is another one after all."""
        if view.near or view.cells != cells or view.whole.shape != image.shape:
            self._lay(view, cells, image)
        if not view.near:
            self._cells = cells
            empty = view.places[cells.index(BLANK)].crop(image)
            self._ground = round(float(np.median(cv2.cvtColor(empty[::4, ::4], cv2.COLOR_BGR2GRAY))))
        view.seen += 1
        if view is not self._in:
            self._box = None
            self._tracks.clear()
        self._in = view
        changed = _changed(image, view.whole, view.limits)
        for patch in view.keys:
            box = _moved(patch.box, view.places[cells.index(patch.tile)])
            if patch.thing not in self._gone:
                _clear(changed, box)
        spots = _spots(changed, max(round(0.02 * view.size[1]), 2))
        figure = self._figure_among(view, cells, spots)
        if self._amiss(view, spots, figure):
            # The picture is one of a change; or the size of the view was taken while it was still changing.
            view.amiss += self._stood > 0
            if view is not self._views[0] and (view.seen <= NEW or view.amiss > LASTING):
                self._views.remove(view)
            return None
        for each in self._views:
            each.amiss = 0
        if self._stood and self._stood % LASTING == 0 and figure is not None and view.loose.any():
            self._fasten(view, image, figure)
        self._look_at_keys(view, cells, image, figure)
        if view.near and figure is not None:
            figure = self._drawn_box(view, image, figure)
        self._learn(view, cells, image, figure, spots)
        self._box = figure
        shown = None if view.near else cells
        if figure is None:
            return Sighting(view.name, None, 0.0, 0.0, None, shown, frozenset(self._gone))
        tile, x, y = self._in_tile(view, cells, figure)
        return Sighting(view.name, tile, x, y, figure, shown, frozenset(self._gone))

    def _amiss(self, view: _View, spots: Sequence[_Found], figure: Box | None) -> bool:
        """Whether so much differs from the backgrounds that this is not the view that it seemed to be."""
        size = self._expected(view)
        one = size[0] * size[1] if size else 0.01 * view.size[0] * view.size[1]
        height, width = view.whole.shape[:2]
        rim = round(RIM * height)
        sides = [Box(2, 2, width - 4, height - 4), Box(rim, rim, width - 2 * rim, height - 2 * rim)]
        # A line of text at the side of the window may cover tiles that are seen from near.
        counted = [
            spot
            for spot in spots
            if spot.box != figure
            and not (view.near and (_within(spot.box, sides[0]) != spot.box or not _overlap(spot.box, sides[1])))
        ]
        off = sum(spot.area for spot in counted)
        tiles = {
            place
            for place, tile in enumerate(view.cells)
            for spot in spots
            if tile != BLANK and _overlap(spot.box, view.places[place])
        }
        new = view is not self._views[0] and view.seen <= NEW and not view.near
        return off > MUCH * one or (new and len(tiles) > max(2, (len(view.places) - 1) * 0.6))

    def _nothing(self) -> Sighting:
        """No view is recognised. What stands still for long is no change of views."""
        name: View = "gone" if self._stood > LASTING else "changing"
        return Sighting(name, None, 0.0, 0.0, None, None, frozenset(self._gone))

    def _lay(self, view: _View, cells: tuple[int, ...], image: Image) -> None:
        """Put the backgrounds where the tiles lie now."""
        view.cells = cells
        view.home = view.home or cells
        view.whole = image.copy()
        view.limits = np.full(image.shape[:2], 255, np.uint8)
        view.loose = np.zeros(image.shape[:2], np.bool_)
        for place, tile in enumerate(cells):
            if tile != BLANK:
                box = view.places[place]
                part, inside = _inside(box, image)
                part.crop(view.whole)[:] = inside.crop(view.backgrounds[tile])
                limits = np.where(inside.crop(view.guessed[tile]), DIFFERS_GUESSED, DIFFERS)
                if view.near:
                    limits = inside.crop(view.rough(tile))
                elif view.home[place] != tile:
                    edges = _steep(inside.crop(view.backgrounds[tile]), 3)
                    part.crop(view.loose)[:] = edges
                    limits = np.where(edges, 255, limits)
                part.crop(view.limits)[:] = limits
        if not view.near:
            self._stays.clear()

    @staticmethod
    def _fasten(view: _View, image: Image, figure: Box) -> None:
        """The edges of tiles are known where they lie now, but for those at the figure."""
        part, _ = _inside(_around(figure, figure.width, figure.height // 2), image)
        square = np.ones((3, 3), np.uint8)
        away = cv2.max(
            cv2.subtract(image, cv2.dilate(view.whole, square)), cv2.subtract(cv2.erode(view.whole, square), image)
        )
        known = view.loose & (away.max(axis=2) <= DIFFERS)
        part.crop(known)[:] = False
        view.whole[known] = image[known]
        view.limits[known] = DIFFERS
        view.loose &= ~known

    def _drawn_box(self, view: _View, image: Image, figure: Box) -> Box:
        """A figure that is seen from near, cut close: before backgrounds of another size it is seen without what is
        near their edges, as its feet are."""
        part, _ = _inside(_around(figure, figure.width // 2, figure.height // 4), image)
        behind = part.crop(view.whole)
        limits = np.where(_steep(behind, 3), 255, DIFFERS_GUESSED).astype(np.uint8)
        changed = _changed(part.crop(image), behind, limits)
        inside = Box(figure.x - part.x, figure.y - part.y, figure.width, figure.height)
        found = [spot.box for spot in _spots(changed, 2) if _overlap(spot.box, inside)]
        if not found:
            return figure
        x0, y0 = min(box.x for box in found), min(box.y for box in found)
        x1, y1 = max(box.x + box.width for box in found), max(box.y + box.height for box in found)
        if y1 - y0 > 1.3 * figure.height or x1 - x0 > 2 * figure.width:
            return figure
        return Box(part.x + x0, part.y + y0, x1 - x0, y1 - y0)

    @property
    def _likely(self) -> int:
        """Of the things that may be the figure the likeliest."""
        if self.figure is not None:
            return self.figure
        return max(self._figures, key=lambda n: self.tiles.things[n].sure)

    def _expected(self, view: _View) -> tuple[float, float] | None:
        """The figure's width and height in a view, as it stood in the first picture."""
        if not self._figures:
            return None
        thing = self.tiles.things[self._likely]
        first = self.tiles.boxes[0]
        return thing.width * view.size[0] / first.width, thing.height * view.size[1] / first.height

    def _figure_among(self, view: _View, cells: tuple[int, ...], spots: Sequence[_Found]) -> Box | None:
        """Which of the changed spots is the figure: one of its size, near where it was last."""
        expected = self._expected(view)
        if expected is None:
            return max(spots, key=lambda spot: spot.area).box if spots else None
        width, height = expected
        best: tuple[float, Box] | None = None
        doors = [self._home(view, cells, n) for n, thing in enumerate(self.tiles.things) if thing.kind == "door"]
        if self._box is not None:  # a figure that is there may stand before it
            near = _around(self._box, self._box.width, self._box.height)
            doors = [door for door in doors if not _overlap(door, near)]
        tall, wide = view.whole.shape[:2]
        inner = Box(2, 2, wide - 4, tall - 4)
        sized = [
            spot
            for spot in spots
            if 0.45 * height <= spot.box.height <= 1.8 * height
            and THINNEST * width <= spot.box.width <= 2.5 * max(width, height)
            and not any(_within(spot.box, _around(door, 3, 3)) == spot.box for door in doors)
            # What is written at the side of the window may cover tiles that are seen from near.
            and (not view.near or _within(spot.box, inner) == spot.box or self._was_near(spot.box))
        ]
        self._track(sized, view.places[0], STRIDE * height)
        for spot in sized:
            cost = abs(np.log(spot.box.height / height)) + 0.4 * abs(np.log(spot.box.width / width))
            if self._box is not None:
                dx, dy = spot.box.x - self._box.x, spot.box.y - self._box.y
                cost += min(float(np.hypot(dx, dy)) / (2 * height), 3.0)
            elif self.figure is None:
                cost += 0.5 * self._at_home(view, cells, spot.box)
            if best is None or cost < best[0]:
                best = cost, spot.box
        if best is None:
            return None
        chosen = next(track for track in self._tracks if track.box == best[1])
        other = max(self._tracks, key=lambda track: track.far if track.pictures >= FOLLOWED else 0.0)
        if chosen.far > RESTS:
            for track in self._tracks:
                track.first, track.far = track.now, 0.0
        if other.far < height or other.pictures < FOLLOWED:
            return best[1]
        return other.box  # what never moved meanwhile is where it was when the background was taken

    def _was_near(self, box: Box) -> bool:
        """Whether the figure was seen close to a place in the last picture."""
        return self._box is not None and _overlap(box, _around(self._box, self._box.width, self._box.height))

    def _track(self, spots: Sequence[_Found], corner: Box, stride: float) -> None:
        """Follow the spots of this picture from those of the last one; ``stride``: pixels that they may have moved."""
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

    def _at_home(self, view: _View, cells: tuple[int, ...], box: Box) -> bool:
        """Whether a spot stands where a thing that may be the figure stood at first, and is not the likeliest."""
        homes = [self._home(view, cells, n) for n in self._figures]
        return any(
            n != self._likely and abs(home.x - box.x) <= 3 and abs(home.y - box.y) <= 3
            for n, home in zip(self._figures, homes, strict=True)
        )

    def _home(self, view: _View, cells: tuple[int, ...], number: int) -> Box:
        """Where a thing stood at first, in window pixels of a view."""
        thing, first = self.tiles.things[number], self.tiles.boxes[0]
        width, height = view.size
        return _moved(
            _scaled(thing, width / first.width, height / first.height, 0, width, height),
            view.places[cells.index(thing.tile)],
        )

    def _in_tile(self, view: _View, cells: tuple[int, ...], figure: Box) -> tuple[int, float, float]:
        """The tile of the figure's feet, and their middle there, in tile pixels."""
        x, y = figure.x + figure.width / 2, float(figure.y + figure.height)
        full = [place for place, tile in enumerate(cells) if tile != BLANK]
        place = min(full, key=lambda p: _outside(view.places[p], x, y - 0.5))
        box, first = view.places[place], self.tiles.boxes[0]
        return (
            cells[place],
            (x - box.x) * first.width / box.width,
            (y - box.y) * first.height / box.height,
        )

    # What is learnt on the way

    def _look_at_keys(self, view: _View, cells: tuple[int, ...], image: Image, figure: Box | None) -> None:
        for patch in view.keys:
            box = _moved(patch.box, view.places[cells.index(patch.tile)])
            ink = patch.ink.copy()
            if figure is not None:
                _cut(ink, box, figure)
            if ink.sum() < 0.4 * max(patch.ink.sum(), 1):
                continue
            if _inside(box, image)[0] != box:
                continue
            now = box.crop(image).astype(np.int16)
            there = float(np.abs(now - patch.shown).max(axis=2)[ink].mean())
            bare = float(np.abs(now - patch.bare).max(axis=2)[ink].mean())
            if bare < 0.5 * there and patch.thing not in self._gone:
                self._gone.add(patch.thing)
            elif there < 0.5 * bare and patch.thing in self._gone:
                self._gone.discard(patch.thing)
            else:
                continue
            for each in self._views:
                for other in each.keys:
                    if other.thing == patch.thing:
                        gone = patch.thing in self._gone
                        other.box.crop(each.backgrounds[other.tile])[:] = other.bare if gone else other.shown
                        other.box.crop(each.guessed[other.tile])[:] = gone
                        each.cells = ()  # to be laid anew
                        each.limited.pop(other.tile, None)

    def _learn(
        self, view: _View, cells: tuple[int, ...], image: Image, figure: Box | None, spots: Sequence[_Found]
    ) -> None:
        """Where the figure is not, the picture shows the background: it takes the place of guesses. Doors open, and
        what has changed for long has changed for good."""
        if figure is None or view.name == "gone":
            return
        margin = max(figure.height // 4, 3)
        wide = Box(figure.x - margin, figure.y - margin, figure.width + 2 * margin, figure.height + 2 * margin)
        for number in (*self._figures, *(n for n, t in enumerate(self.tiles.things) if t.kind == "door")):
            home = self._home(view, cells, number)
            if _overlap(home, wide):
                continue
            thing = self.tiles.things[number]
            place = view.places[cells.index(thing.tile)]
            grown = _within(Box(home.x - 3, home.y - 3, home.width + 6, home.height + 6), place)
            if number not in self._figures:
                self._keep(view, thing.tile, place, grown, image)
            elif self._box is not None and not _overlap(grown, self._box):
                inside = Box(grown.x - place.x, grown.y - place.y, grown.width, grown.height)
                if inside.crop(view.guessed[thing.tile]).any():
                    if self.figure is None and not any(_overlap(home, spot.box) for spot in spots):
                        self.figure = number
                    self._keep(view, thing.tile, place, grown, image)
        now: dict[tuple[int, int, int, int], int] = {}
        for spot in spots:
            if spot.box == figure or view.near:  # the camera may move
                continue
            at = (spot.box.x, spot.box.y, spot.box.width, spot.box.height)
            now[at] = self._stays.get(at, 0) + 1
            if now[at] > LONG and not _overlap(spot.box, wide):
                for each, tile in zip(view.places, cells, strict=True):
                    part = _within(spot.box, each)
                    if tile != BLANK and part.width > 0 and part.height > 0:
                        self._keep(view, tile, each, part, image)
        self._stays = now

    def _keep(self, view: _View, tile: int, place: Box, part: Box, image: Image) -> None:
        """``part`` of the window shows a tile's background."""
        part, _ = _inside(part, image)
        inside = Box(part.x - place.x, part.y - place.y, part.width, part.height)
        now = part.crop(image)
        inside.crop(view.backgrounds[tile])[:] = now
        inside.crop(view.guessed[tile])[:] = False
        part.crop(view.whole)[:] = now
        part.crop(view.limits)[:] = DIFFERS
        view.limited.pop(tile, None)


def _unlike(image: Image, background: Image, box: Box) -> float:
    """How much the part of a tile at ``box`` that is in the picture differs from its background, in grey levels in the
    mean, its rim left out."""
    part, inside = _inside(Box(box.x + NUDGE, box.y + NUDGE, box.width - 2 * NUDGE, box.height - 2 * NUDGE), image)
    behind = Box(inside.x + NUDGE, inside.y + NUDGE, inside.width, inside.height).crop(background)
    return float(np.minimum(cv2.absdiff(part.crop(image), behind).max(axis=2), 2 * LIKE).mean())


def _thumb(picture: Image) -> NDArray[np.float32]:
    return cv2.resize(picture, THUMB, interpolation=cv2.INTER_AREA).astype(np.float32)


def _assigned(thumbs: NDArray[np.float32], tiles: NDArray[np.float32]) -> tuple[int, ...] | None:
    """Which tile each place shows; exactly one shows none. None where it is otherwise."""
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


def _same(one: Image, other: Image) -> bool:
    """Whether two pictures show the same, but for something small in a few places: where a view slowly comes to rest,
    little changes too, but all over."""
    if one.shape != other.shape:
        return False
    changed = (cv2.absdiff(one[::2, ::2], other[::2, ::2]) > STILL).any(axis=2)
    if float(changed.mean()) >= FEW:
        return False
    rows, columns = np.nonzero(changed)
    height, width = changed.shape
    places = np.unique(rows * BLOCKS // height * BLOCKS + columns * BLOCKS // width)
    return len(places) <= MOST_BLOCKS


def _changed(image: Image, whole: Image, limits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """255 where a picture differs from another by more than the limits."""
    blue, green, red = cv2.split(cv2.absdiff(image, whole))
    return cv2.compare(cv2.max(cv2.max(blue, green), red), limits, cv2.CMP_GT).astype(np.uint8, copy=False)


def _scaled(thing: Thing, across: float, down: float, margin: int, width: int, height: int) -> Box:
    """A thing's box in a picture of its tile in another size, wider by ``margin``."""
    x0, y0 = int(thing.x * across) - margin, int(thing.y * down) - margin
    x1, y1 = round((thing.x + thing.width) * across) + margin, round((thing.y + thing.height) * down) + margin
    return _within(Box(x0, y0, x1 - x0, y1 - y0), Box(0, 0, width, height))


def _moved(box: Box, place: Box) -> Box:
    return Box(box.x + place.x, box.y + place.y, box.width, box.height)


def _within(box: Box, place: Box) -> Box:
    x0, y0 = max(box.x, place.x), max(box.y, place.y)
    x1, y1 = min(box.x + box.width, place.x + place.width), min(box.y + box.height, place.y + place.height)
    return Box(x0, y0, max(x1 - x0, 0), max(y1 - y0, 0))


def _inside(box: Box, image: Image) -> tuple[Box, Box]:
    """The part of a box that is in the picture, and the same measured from the box's corner."""
    part = _within(box, Box(0, 0, image.shape[1], image.shape[0]))
    return part, Box(part.x - box.x, part.y - box.y, part.width, part.height)


def _clear(mask: NDArray[Any], box: Box) -> None:
    """Nothing is there."""
    part = _within(box, Box(0, 0, mask.shape[1], mask.shape[0]))
    part.crop(mask)[:] = 0


def _rough(picture: Image) -> NDArray[np.uint8]:
    """How much a picture of another size may differ: a good deal, and at edges anything."""
    return np.where(_steep(picture, 7), 255, DIFFERS_GUESSED).astype(np.uint8)


def _steep(picture: Image, size: int) -> Bools:
    """What is so near to an edge."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    found: Bools = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((size, size), np.uint8)) > 30
    return found


def _around(box: Box, across: int, down: int) -> Box:
    return Box(box.x - across, box.y - down, box.width + 2 * across, box.height + 2 * down)


def _overlap(one: Box, other: Box) -> bool:
    both = _within(one, other)
    return both.width > 0 and both.height > 0


def _area(box: Box) -> int:
    return box.width * box.height


def _outside(box: Box, x: float, y: float) -> float:
    """How far a point is from a box."""
    return max(box.x - x, x - box.x - box.width, 0.0) + max(box.y - y, y - box.y - box.height, 0.0)


def _cut(ink: Bools, box: Box, figure: Box) -> None:
    """Take what the figure covers out of a key's pixels."""
    part = _within(figure, box)
    ink[part.y - box.y : part.y - box.y + part.height, part.x - box.x : part.x - box.x + part.width] = False


def _spots(changed: NDArray[np.uint8], near: int) -> list[_Found]:
    """The changed pixels in groups."""
    x, y, w, h = cv2.boundingRect(changed)
    if not w:
        return []
    part = changed[y : y + h, x : x + w]
    count, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.dilate(part, np.ones((2 * near + 1, 2 * near + 1), np.uint8)), connectivity=8
    )
    found = []
    for left, top, width, height, _ in stats[1:count]:
        inside = part[top : top + height, left : left + width]
        bx, by, bw, bh = cv2.boundingRect(inside)
        area = int(cv2.countNonZero(inside))
        # A tile that lies elsewhere may show its edges a pixel higher or lower: rounding.
        if area >= 4 and min(bw, bh) > 1:
            found.append(_Found(Box(int(x + left + bx), int(y + top + by), bw, bh), area))
    return found
