"""Tracks, in each picture after the first one, the figure's position, the arrangement of the tiles, and the keys that
are gone.

A *view* of the window is one size of tiles: the one in which they are moved, and the one in which the figure walks. In
each view every tile has a background: its picture without the figure. What differs from the backgrounds, at their
present positions, is the figure, whatever its sprite looks like. Behind the figure a background is a guess until the
figure has moved away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Sighting, Tiles
from autoplayer.games.continuity.seeing.sight import View as Name
from autoplayer.games.continuity.seeing.tracking.following import Spots
from autoplayer.games.continuity.seeing.tracking.made import made_view
from autoplayer.games.continuity.seeing.tracking.near_place import find_place, in_size
from autoplayer.games.continuity.seeing.tracking.parts import (
    THIN,
    Found,
    clear_box,
    common_box,
    cut_out,
    differing,
    distance_from,
    grouped,
    grown_box,
    moved_box,
    overlap,
    rough_limits,
    same_picture,
    scaled_box,
    seen_part,
)
from autoplayer.games.continuity.seeing.tracking.turned import Turned, floats
from autoplayer.games.continuity.seeing.tracking.views import View
from autoplayer.games.continuity.seeing.tracking.whole import find_whole
from autoplayer.games.continuity.world import BLANK

MUCH = 4.0
"""How many times the figure's size may change in addition to the figure."""
LASTING = 12
"""The number of pictures after which a still picture is not part of a change of views."""
NEW = 4
"""The number of pictures for which a view counts as new."""
STRIDE = 1.5
"""The most heights of the figure by which it moves from one picture to the next."""
THINNEST = 0.35
"""The least share of a figure's width that is seen of it."""
RIM = 0.06
"""The width of the strips along the window's sides in which text may cover the tiles, as a share of its height."""
SEEN_WELL = 8
"""The number of pictures after which a view is confirmed."""
MOST_VIEWS = 4
"""The number of views that are kept besides the first one and a new one: the most recent."""
JOINED = 0.02
"""The greatest distance between the parts of a figure, as a share of a tile's height."""
LONG = 40
"""The number of pictures after which a lasting change belongs to the background."""
ODD, ODDER = 0.15, 1.5
"""The share of a picture from near that may differ from the known tiles, including a line of text over them; and the
factor on the share that differed when the view first stood still, because tiles may be drawn darker there."""


class Tracker:
    """Tracks one level from picture to picture. ``figure``: the index of the thing that moves, once that is known."""

    def __init__(self, tiles: Tiles) -> None:
        self.tiles = tiles
        self.figure: int | None = None
        self._views: list[View] = []
        self._last: Image | None = None
        self._pictures = 0
        """How many were seen."""
        self._stood = 0
        """The number of consecutive pictures that show the same."""
        self._box: Box | None = None
        """The figure's, in the last picture in which it was seen, and the view of that."""
        self._in: View | None = None
        self._gone: set[int] = set()
        self._searched: Image | None = None
        self._searches_from = 0
        """The last picture in which a view was searched in an additional size, and none was found; and the number of
        the picture from which on the next may be searched."""
        self._cells = tiles.cells
        """The arrangement of the tiles when all of them were last seen."""
        self._ground = 0
        """The brightness around the tiles."""
        self._stays: dict[tuple[int, int, int, int], int] = {}
        self._spots = Spots()
        self._turned = Turned()
        self._figures = [n for n, thing in enumerate(tiles.things) if thing.kind == "figure"]
        if len(self._figures) == 1:
            self.figure = self._figures[0]
        self._views.append(made_view(tiles, tiles.view, tiles.boxes, tiles.pictures))

    def taught(self, other: Tracker) -> None:
        """Take over what was learned about the window before its level was read again."""
        self._ground = other._ground

    def see(self, image: Image) -> Sighting:
        """What ``image``, a later picture of the same window, shows."""
        still = self._last is not None and same_picture(self._last, image)
        self._last = image
        self._pictures += 1
        self._stood = self._stood + 1 if still else 0
        # A copy, as one may be dropped; those that show the whole board first, as they are surely told.
        for view in sorted(self._views, key=lambda each: (each.near, each is not self._in)):
            cells = (
                view.near_cells(self._cells, image, self._stood if view is self._in else 0, self._ground)
                if view.near
                else view.arrangement(image)
            )
            seen = None if cells is None else self._seen(view, cells, image)
            if seen is not None:
                self._searched, self._searches_from = None, 0
                return seen
        if still and self._may_show_another(image):
            found = self._new_view(image)
            if found is not None:
                seen = self._seen(*found, image)
                if seen is not None:
                    self._searches_from = 0
                    return seen
        self._in = None
        return self._nothing()

    def homes(self, image: Image) -> tuple[tuple[Box, Image], ...] | None:
        """For each of the tiles' things its initial position, in window pixels of ``image``, a still picture, and the
        probable background there; None if no view is recognised."""
        self.see(image)
        self.see(image)
        view = self._in
        if view is None:
            return None
        cells = self._cells
        return tuple(
            (moved_box(box, view.places[cells.index(thing.tile)]), bare)
            for thing, (box, bare) in zip(self.tiles.things, view.homes, strict=True)
        )

    def stands(self, image: Image) -> tuple[tuple[int, ...], tuple[Box, ...]] | None:
        """The tile in each cell, and the positions of the cells, in window pixels of ``image``, a still picture; None
        if no view is recognised."""
        self.see(image)
        self.see(image)
        return None if self._in is None else (self._cells, self._in.places)

    def where(self, tile: int) -> Box | None:
        """The position of a tile in the last picture, window pixels; None if no view was recognised in it."""
        return None if self._in is None or tile not in self._cells else self._in.places[self._cells.index(tile)]

    # Views

    def expect(self, box: Box) -> None:
        """The figure is near ``box`` (window pixels of the last picture), whatever was taken for it since."""
        self._box = box

    def _may_show_another(self, image: Image) -> bool:
        """Whether a view is to be searched in an additional size, in a still picture: it takes seconds, and is not done
        twice in the same picture, nor soon again: a banner may come slowly, before stars that drift."""
        same = self._searched is not None and same_picture(self._searched, image)
        if same or self._pictures < self._searches_from:
            return False
        if self._stood % LASTING and any(view.seen > SEEN_WELL for view in self._views[1:]):
            return False  # a moment of a change stands in two pictures of a slow window
        self._searched, self._searches_from = image, self._pictures + LASTING
        return True

    def _new_view(self, image: Image) -> tuple[View, tuple[int, ...]] | None:
        """The board in a size in which it was not seen before; None if it is not there."""
        found = find_whole(image, self.tiles, self._views[0].thumbs)
        if found is None:
            return self._near_view(image)
        boxes, cells = found
        pictures = [boxes[cells.index(tile)].crop(image) for tile in range(len(self.tiles.pictures))]
        name: Name = "walking" if self._views[0].name == "sliding" else "sliding"
        return self._added(made_view(self.tiles, name, boxes, pictures, self._strange(pictures))), cells

    def _strange(self, pictures: Sequence[Image]) -> list[tuple[int, Box]]:
        """What may be the figure in the tiles' pictures of another size, away from its initial position: the tile, and
        the box there."""
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
            changed = differing(picture, known, rough_limits(known))
            for thing in self.tiles.things:
                if thing.tile == tile:
                    clear_box(changed, scaled_box(thing, across, down, 4, width, height))
            for spot in grouped(changed, max(round(0.02 * height), 2)):
                if 0.3 * tall <= spot.box.height <= 1.8 * tall and spot.box.width <= 2.5 * tall:
                    grown = grown_box(spot.box, spot.box.width // 2 + 2, spot.box.height // 3 + 2)
                    found.append((tile, common_box(grown, Box(0, 0, width, height))))
        return found

    def _added(self, view: View) -> View:
        # A view that was met in one moment only was a moment of a change. Where the board never comes back to the same
        # place, others are never met again.
        others = [each for each in self._views[1:] if each.seen > SEEN_WELL]
        self._views[1:] = [*sorted(others, key=lambda each: each.met)[-MOST_VIEWS:], view]
        view.met = self._pictures
        return view

    def _near_view(self, image: Image) -> tuple[View, tuple[int, ...]] | None:
        """The view that shows a part of the board from near; None where nothing of it is seen."""
        found = find_place(image, self.tiles, self._cells, self._views[0].backgrounds, self._ground)
        return None if found is None else self._nearer(image, *found)

    def _nearer(self, image: Image, tile: int, box: Box, usual: float) -> tuple[View, tuple[int, ...]]:
        """The view from near in which a tile stands at ``box`` with this difference from its picture."""
        pictures = [in_size(each, (box.width, box.height)) for each in self.tiles.pictures]
        view = made_view(self.tiles, "walking", [box] * len(self._cells), pictures)
        view.near, view.anchor, view.usual = True, tile, usual
        for patch in view.keys:
            if patch.thing in self._gone:
                patch.box.crop(view.backgrounds[patch.tile])[:] = patch.bare
        view.put(self._cells, tile, box)
        view.join(self._cells, image)
        return self._added(view), self._cells

    # The figure

    def _seen(self, view: View, cells: tuple[int, ...], image: Image) -> Sighting | None:
        """What a view shows; None if the picture shows another view after all."""
        if view.near or view.cells != cells or view.whole.shape != image.shape:
            view.lay(cells, image)
            if not view.near:
                self._stays.clear()
        if not view.near:
            self._cells = cells
            empty = view.places[cells.index(BLANK)].crop(image)
            self._ground = round(float(np.median(cv2.cvtColor(empty[::4, ::4], cv2.COLOR_BGR2GRAY))))
        view.seen += 1
        view.met = self._pictures
        met = self._in
        if view is not met:
            self._box = None
            self._spots.clear()
        self._in = view
        changed = differing(image, view.whole, view.limits)
        for patch in view.keys:
            box = moved_box(patch.box, view.places[cells.index(patch.tile)])
            if patch.thing not in self._gone:
                clear_box(changed, box)
        if view.near and self._too_odd(view, changed, view is not met):
            return None  # few edges look right on the way from one view to the other
        spots = grouped(changed, max(round(0.02 * view.size[1]), 2))
        figure = self._figure_among(view, cells, spots)
        if figure is None and spots:
            # A line that is drawn a pixel beside its place (a browser does that where one thing comes over another)
            # is connected with a figure that stands on it.
            thick = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((THIN, THIN), np.uint8)), np.uint8)
            figure = self._figure_among(view, cells, grouped(thick, max(round(JOINED * view.size[1]), 2)))
        if self._amiss(view, spots, figure):
            # The picture is one of a change; or the size of the view was taken while it was still changing.
            view.amiss += self._stood > 0
            if view is not self._views[0] and (view.seen <= NEW or view.amiss > LASTING):
                self._views.remove(view)
            return None
        for each in self._views:
            each.amiss = 0
        if self._stood and self._stood % LASTING == 0 and figure is not None and view.loose.any():
            view.fasten(image, figure)
        self._look_at_keys(view, cells, image, figure)
        if view.near and figure is not None:
            figure = view.drawn_box(image, figure)
        if figure is not None:
            figure = self._whole(view, cells, image, figure)
        self._learn(view, cells, image, figure, spots)
        self._box = figure
        shown = None if view.near else cells
        if figure is None:
            return Sighting(view.name, None, 0.0, 0.0, None, shown, frozenset(self._gone))
        tile, x, y = self._in_tile(view, cells, figure)
        return Sighting(view.name, tile, x, y, figure, shown, frozenset(self._gone))

    def _amiss(self, view: View, spots: Sequence[Found], figure: Box | None) -> bool:
        """Whether so much differs from the backgrounds that the picture does not show the supposed view."""
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
            and not (view.near and (common_box(spot.box, sides[0]) != spot.box or not overlap(spot.box, sides[1])))
        ]
        off = sum(spot.area for spot in counted)
        tiles = {
            place
            for place, tile in enumerate(view.cells)
            for spot in spots
            if tile != BLANK and overlap(spot.box, view.places[place])
        }
        new = view is not self._views[0] and view.seen <= NEW and not view.near
        return off > MUCH * one or (new and len(tiles) > max(2, (len(view.places) - 1) * 0.6))

    def _too_odd(self, view: View, changed: NDArray[np.uint8], new: bool) -> bool:
        """Whether far more of a moving picture from near, in which another view was left (``new``), differs from the
        tiles than ever did while this view stood still; ``changed``: the mask of differences."""
        odd = cv2.countNonZero(changed) / max(int((view.limits < 255).sum()), 1)
        if self._stood:
            view.odd = max(view.odd, odd)
        return new and not self._stood and odd > max(ODD, ODDER * view.odd)

    def _nothing(self) -> Sighting:
        """No view is recognised. A picture that stands still for long is no change of views."""
        name: Name = "gone" if self._stood > LASTING else "changing"
        return Sighting(name, None, 0.0, 0.0, None, None, frozenset(self._gone))

    @property
    def _likely(self) -> int:
        """The likeliest of the things that may be the figure."""
        if self.figure is not None:
            return self.figure
        return max(self._figures, key=lambda n: self.tiles.things[n].sure)

    def _expected(self, view: View) -> tuple[float, float] | None:
        """The figure's width and height in a view, from the first picture."""
        if not self._figures:
            return None
        thing = self.tiles.things[self._likely]
        first = self.tiles.boxes[0]
        return thing.width * view.size[0] / first.width, thing.height * view.size[1] / first.height

    def _figure_among(self, view: View, cells: tuple[int, ...], spots: Sequence[Found]) -> Box | None:
        """Which of the changed spots is the figure: one of its size, near its last position."""
        expected = self._expected(view)
        if expected is None:
            return max(spots, key=lambda spot: spot.area).box if spots else None
        width, height = expected
        best: tuple[float, Box] | None = None
        doors = [self._home(view, cells, n) for n, thing in enumerate(self.tiles.things) if thing.kind == "door"]
        if self._box is not None:  # a figure that is there may stand before it
            near = grown_box(self._box, self._box.width, self._box.height)
            doors = [door for door in doors if not overlap(door, near)]
        tall, wide = view.whole.shape[:2]
        inner = Box(2, 2, wide - 4, tall - 4)
        sized = [
            spot
            for spot in spots
            if 0.45 * height <= spot.box.height <= 1.8 * height
            and THINNEST * width <= spot.box.width <= 2.5 * max(width, height)
            and not any(common_box(spot.box, grown_box(door, 3, 3)) == spot.box for door in doors)
            # What is written at the side of the window may cover tiles that are seen from near.
            and (not view.near or common_box(spot.box, inner) == spot.box or self._was_near(spot.box))
        ]
        self._spots.follow(sized, view.places[0], STRIDE * height)
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
        return self._spots.moving(best[1], height)

    def _was_near(self, box: Box) -> bool:
        """Whether the figure was seen close to a position in the last picture."""
        return self._box is not None and overlap(box, grown_box(self._box, self._box.width, self._box.height))

    def _at_home(self, view: View, cells: tuple[int, ...], box: Box) -> bool:
        """Whether a spot is at the initial position of a thing that may be the figure, and is not the likeliest one."""
        homes = [self._home(view, cells, n) for n in self._figures]
        return any(
            n != self._likely and abs(home.x - box.x) <= 3 and abs(home.y - box.y) <= 3
            for n, home in zip(self._figures, homes, strict=True)
        )

    def _home(self, view: View, cells: tuple[int, ...], number: int) -> Box:
        """The initial position of a thing, in window pixels of a view."""
        thing, first = self.tiles.things[number], self.tiles.boxes[0]
        width, height = view.size
        return moved_box(
            scaled_box(thing, width / first.width, height / first.height, 0, width, height),
            view.places[cells.index(thing.tile)],
        )

    def _in_tile(self, view: View, cells: tuple[int, ...], figure: Box) -> tuple[int, float, float]:
        """The tile of the figure's feet, and their middle there, in tile pixels."""
        x, y = figure.x + figure.width / 2, float(figure.y + figure.height)
        full = [place for place, tile in enumerate(cells) if tile != BLANK]
        place = min(full, key=lambda p: distance_from(view.places[p], x, y - 0.5))
        box, first = view.places[place], self.tiles.boxes[0]
        return cells[place], (x - box.x) * first.width / box.width, (y - box.y) * first.height / box.height

    def _whole(self, view: View, cells: tuple[int, ...], image: Image, figure: Box) -> Box:
        """``figure`` with its lower part, down to the ground, where only the upper one is seen."""
        expected = self._expected(view)
        if expected is not None and figure == self._box:
            view.stature.rests(image, view.whole, figure, expected[1])
        whole = view.stature.whole(image, view.whole, figure)
        if whole == figure:
            return figure
        tile, x, y = self._in_tile(view, cells, figure)
        below = self.tiles.solid[tile, max(round(y), 0) :, min(max(int(x), 0), self.tiles.solid.shape[2] - 1)]
        room = int(below.argmax() * view.size[1] / self.tiles.boxes[0].height) if below.any() else whole.height
        return replace(whole, height=min(whole.height, figure.height + room))

    # What is learnt on the way

    def _look_at_keys(self, view: View, cells: tuple[int, ...], image: Image, figure: Box | None) -> None:
        for patch in view.keys:
            box = moved_box(patch.box, view.places[cells.index(patch.tile)])
            ink = patch.ink.copy()
            if figure is not None:
                cut_out(ink, box, figure)
                self._turned.met(patch.thing, overlap(box, figure))
            if ink.sum() < 0.4 * max(patch.ink.sum(), 1) or seen_part(box, image)[0] != box:
                continue
            now = box.crop(image).astype(np.int16)
            there = float(largest_channel(np.abs(now - patch.shown))[ink].mean())
            bare = float(largest_channel(np.abs(now - patch.bare))[ink].mean())
            if bare < 0.5 * there and patch.thing not in self._gone:
                if floats(image, box, patch.shown, patch.bare, ink):
                    continue
                self._gone.add(patch.thing)
            elif there < 0.5 * bare and patch.thing in self._gone:
                self._gone.discard(patch.thing)
            elif patch.thing not in self._gone and self._turned.turned(patch.thing, now, ink, there):
                self._gone.add(patch.thing)
                for each in self._views:
                    each.keys[:] = [
                        replace(other, bare=in_size(box.crop(image), (other.box.width, other.box.height)))
                        if other.thing == patch.thing
                        else other
                        for other in each.keys
                    ]
            else:
                continue
            self._laid_again(patch.thing)

    def _laid_again(self, thing: int) -> None:
        """Put a key's look, or what is behind it if it is gone, into all views."""
        gone = thing in self._gone
        for view in self._views:
            for patch in view.keys:
                if patch.thing == thing:
                    patch.box.crop(view.backgrounds[patch.tile])[:] = patch.bare if gone else patch.shown
                    patch.box.crop(view.guessed[patch.tile])[:] = gone
                    view.cells = ()  # to be laid anew
                    view.limited.pop(patch.tile, None)

    def _learn(
        self, view: View, cells: tuple[int, ...], image: Image, figure: Box | None, spots: Sequence[Found]
    ) -> None:
        """Where the figure is not, the picture shows the background, which replaces guesses. Doors open, and what has
        changed for long has changed permanently."""
        if figure is None or view.name == "gone":
            return
        margin = max(figure.height // 4, 3)
        wide = Box(figure.x - margin, figure.y - margin, figure.width + 2 * margin, figure.height + 2 * margin)
        for number in (*self._figures, *(n for n, t in enumerate(self.tiles.things) if t.kind == "door")):
            home = self._home(view, cells, number)
            if overlap(home, wide):
                continue
            thing = self.tiles.things[number]
            place = view.places[cells.index(thing.tile)]
            grown = common_box(Box(home.x - 3, home.y - 3, home.width + 6, home.height + 6), place)
            if number not in self._figures:
                view.keep(thing.tile, place, grown, image)
            elif self._box is not None and not overlap(grown, self._box):
                inside = Box(grown.x - place.x, grown.y - place.y, grown.width, grown.height)
                if inside.crop(view.guessed[thing.tile]).any():
                    if self.figure is None and not any(overlap(home, spot.box) for spot in spots):
                        self.figure = number
                    view.keep(thing.tile, place, grown, image)
        now: dict[tuple[int, int, int, int], int] = {}
        for spot in spots:
            if spot.box == figure or view.near:  # the camera may move
                continue
            at = (spot.box.x, spot.box.y, spot.box.width, spot.box.height)
            now[at] = self._stays.get(at, 0) + 1
            if now[at] > LONG and not overlap(spot.box, wide):
                for each, tile in zip(view.places, cells, strict=True):
                    part = common_box(spot.box, each)
                    if tile != BLANK and part.width > 0 and part.height > 0:
                        view.keep(tile, each, part, image)
        self._stays = now
