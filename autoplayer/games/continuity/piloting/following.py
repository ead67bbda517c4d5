"""A camera that follows the figure: the walking view shows a part of the board, of which no tile need be seen whole.
How much larger it is than in the view in which the level was read is found by the board, not by a tile of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.near import edges, settle
from autoplayer.games.continuity.seeing.parts import LIKE, NUDGE, Found, area_of, common_box, differing, grouped
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.games.continuity.seeing.sight import View as Name
from autoplayer.games.continuity.seeing.tracker import SEEN_WELL, SETTLED, Tracker
from autoplayer.games.continuity.seeing.views import MORE, View
from autoplayer.games.continuity.world import BLANK

ROUGH, FINE, FINEST = 200, 480, 1200
"""Pixels of the small board's longer side in three searches."""
SMALLEST, LARGEST = 0.6, 6.0
"""How many times larger the board may be shown than it was read."""
STEP, FINER, FINEST_STEP = 1.03, 1.01, 1.0015
"""From one size that is tried to the next in each of them."""
NEAR, NEARER, BESIDE = 1.04, 1.02, 0.05
"""How far from the size that was found before the next search looks; and how far from the place, of the part's size."""
ACROSS, DOWN = 0.8, 0.7
"""The middle part of the picture that is looked for on the board: a line of text may stand at its rim."""
ALIKE = 0.9
"""The correlation from which on a part of the board is there."""
WRONG, REACH = 4, 3
"""Pixels by which a tile may be wider or narrower than the board's size tells, and beside its place."""
SPACED = 1.2
"""How much more tiles may differ where their distances are those of the other view, than where they are as measured:
few pixels of a tile look right in many places."""
FAR, LESS = 14, 1.5
"""Pixels by which a tile may be beside where the board was found; and how much more than at other times it may differ
where the board was found by nearly all of the picture."""
THIN, JOINED = 3, 0.02
"""Pixels: what is less is no part of a figure; and how far apart its parts are at most, of a tile's height."""
SIDES = (("x", "width"), ("y", "height"))
BORDER = 12
"""Pixels round a board that is laid flat."""
LEAST = 16
"""Pixels of what is looked for, at least."""
FLAT = 4.0
"""Grey levels that it must vary by."""

Gray = NDArray[Any]


class Part(NamedTuple):
    """How many times larger a picture shows the board, and which place of the board's own picture (pixels there) is the
    left upper corner of its middle part; the correlation."""

    likeness: float
    larger: float
    x: float
    y: float


@dataclass(eq=False)
class Near(View):
    """A view from near. ``spaces``: between tiles, across and down, if they are shown as in the view in which the level
    was read, only larger; pixels."""

    spaces: tuple[float, float] = (0.0, 0.0)

    def join(self, cells: Sequence[int], image: Image) -> None:
        super().join(cells, image)
        if self.gap is None or self.gap == self.spaces:
            return
        found, away = self.gap, self._misplaced(cells, image)
        self.gap = self.spaces
        self.put(cells, self.anchor, self.places[cells.index(self.anchor)])
        if self._misplaced(cells, image) > SPACED * away:
            self.gap = found
            self.put(cells, self.anchor, self.places[cells.index(self.anchor)])

    def _misplaced(self, cells: Sequence[int], image: Image) -> float:
        """How much the tiles beside the anchor differ from the picture where they should stand."""
        row, column = divmod(cells.index(self.anchor), self.columns)
        found = [
            settle(image, self.backgrounds[tile], place, self.edges(tile), 1)[1]
            for n, (tile, place) in enumerate(zip(cells, self.places, strict=True))
            if tile != BLANK and abs(n // self.columns - row) + abs(n % self.columns - column) == 1
        ]
        return min(found, default=math.inf)

    def _where(self, cells: Sequence[int], image: Image, stood: bool, ground: int) -> tuple[int, Box] | None:
        found = super()._where(cells, image, stood, ground)
        if found is not None:
            return found
        # Where little but air is in the middle of the picture, more of it tells.
        pictures = [None if tile == BLANK else self.backgrounds[tile] for tile in cells]
        left, top, wide, tall = _middle(image)
        part = _best(_gray(image)[top : top + tall, left : left + wide], pictures, self.places, ground, ROUGH, (1.0,))
        if part is None or part.likeness < ALIKE:
            return None
        dx, dy = round(left - part.x), round(top - part.y)
        window = Box(0, 0, image.shape[1], image.shape[0])
        boxes = [Box(place.x + dx, place.y + dy, place.width, place.height) for place in self.places]
        n = max(
            (n for n, tile in enumerate(cells) if tile != BLANK), key=lambda n: area_of(common_box(boxes[n], window))
        )
        far = round(1.5 * max(across.width + across.x for across in boxes) / ROUGH)
        box, away = settle(image, self.backgrounds[cells[n]], boxes[n], self.edges(cells[n]), NUDGE, min(far, FAR))
        return (cells[n], box) if away <= LESS * max(LIKE, MORE * self.usual) else None


class Following(Tracker):
    """Eyes that find a part of the board as well, and a figure on a line that has moved by a pixel."""

    def taught(self, other: Following) -> None:
        """Take over what was seen of the window before its level was read otherwise."""
        self._ground = other._ground

    def _near(self, view: View) -> Near:
        """A view with the distances that its tiles have in the view in which the level was read."""
        boxes, columns = self.tiles.boxes, self.tiles.columns
        beside = [boxes[n].x - boxes[n - 1].x - boxes[n].width for n in range(1, min(columns, 2))]
        below = [boxes[n].y - boxes[n - columns].y - boxes[n].height for n in range(columns, len(boxes))]
        larger = view.size[0] / boxes[0].width
        spaces = (larger * max(beside[0] if beside else 0, 0), larger * max(below[0] if below else 0, 0))
        return Near(**{each.name: getattr(view, each.name) for each in fields(view)}, spaces=spaces)

    def _view(self, name: Name, places: Sequence[Box], *args: Any, **more: Any) -> View:
        return self._near(super()._view(name, places, *args, **more))

    def _figure_among(self, view: View, cells: tuple[int, ...], spots: Sequence[Found]) -> Box | None:
        figure = super()._figure_among(view, cells, spots)
        if figure is not None or not spots or self._last is None:
            return figure
        # A line that is drawn a pixel beside its place (a browser does that where one thing comes over another) hangs
        # together with a figure that stands on it.
        changed = differing(self._last, view.whole, view.limits)
        thick = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((THIN, THIN), np.uint8)), np.uint8)
        return super()._figure_among(view, cells, grouped(thick, max(round(JOINED * view.size[1]), 2)))

    def _near_view(self, image: Image) -> tuple[View, tuple[int, ...]] | None:
        found = super()._near_view(image)
        if found is not None or (
            self._stood < SETTLED and any(view.near and view.seen > SEEN_WELL for view in self._views)
        ):
            return found
        first, cells = self._views[0], self._cells
        pictures = [None if tile == BLANK else first.backgrounds[tile] for tile in cells]
        part = find_part_sized(image, pictures, self.tiles.boxes, self._ground)
        if part is None:
            return None
        left, top = _middle(image)[:2]
        window = Box(0, 0, image.shape[1], image.shape[0])
        shown = []
        for place, tile in zip(self.tiles.boxes, cells, strict=True):
            x, y = left + (place.x - part.x) * part.larger, top + (place.y - part.y) * part.larger
            box = Box(round(x), round(y), round(place.width * part.larger), round(place.height * part.larger))
            seen = common_box(box, window)
            if tile != BLANK and min(seen.width, seen.height) > 0:
                shown.append((area_of(seen), tile, box))
        if not shown:
            return None
        _, tile, box = max(shown, key=lambda each: each[0])
        return self._near_at(image, tile, box)

    def _near_at(self, image: Image, tile: int, box: Box) -> tuple[View, tuple[int, ...]] | None:
        """The view in which a tile stands at about ``box``; None where it does not."""
        middle = image.shape[1] / 2, image.shape[0] / 2
        picture = self.tiles.pictures[tile]

        def fit(width: int) -> tuple[Box, float]:
            larger = width / box.width  # what is in the middle of the window stays there
            near = Box(
                round(middle[0] + (box.x - middle[0]) * larger), round(middle[1] + (box.y - middle[1]) * larger),
                width, round(box.height * larger),
            )  # fmt: skip
            shown = _in_size(picture, (near.width, near.height))
            return settle(image, shown, near, edges(shown), REACH)

        widths = range(box.width - WRONG, box.width + WRONG + 1)
        found, usual = min((fit(width) for width in widths), key=lambda each: each[1])
        if usual > MORE * LIKE:
            return None
        sizes = [_in_size(each, (found.width, found.height)) for each in self.tiles.pictures]
        view = self._view("walking", [found] * len(self._cells), sizes)
        view.near, view.anchor, view.usual = True, tile, usual
        for patch in view.keys:
            if patch.thing in self._gone:
                patch.box.crop(view.backgrounds[patch.tile])[:] = patch.bare
        view.put(self._cells, tile, found)
        view.join(self._cells, image)
        return self._added(view), self._cells


def laid_flat(tiles: Tiles, eyes: Tracker, *pictures: Image) -> list[Image] | None:
    """What pictures that show parts of a board in their own places show of it, each as in the view in which it was
    read; what not all of them show is as it was read there. None where a picture shows no part."""
    found = [eyes.stands(picture) for picture in pictures]
    places = [each[1] for each in found if each is not None]
    if len(places) < len(pictures) or any(each is not None and each[0] != tiles.cells for each in found):
        return None
    right, bottom = (max(getattr(box, a) + getattr(box, b) for box in tiles.boxes) for a, b in SIDES)
    ground = 255 - np.mean([picture.reshape(-1, 3).mean(axis=0) for picture in tiles.pictures], axis=0)
    whole = np.full((bottom + BORDER, right + BORDER, 3), ground, np.uint8)
    for box, tile in zip(tiles.boxes, tiles.cells, strict=True):
        if tile != BLANK:
            box.crop(whole)[:] = tiles.pictures[tile][: box.height, : box.width]
    flat = [whole.copy() for _ in pictures]
    for n, tile in enumerate(tiles.cells):
        box = tiles.boxes[n]
        x0 = y0 = 0
        x1, y1 = box.width, box.height
        for each, picture in zip(places, pictures, strict=True):
            part, across, down = each[n], box.width / each[n].width, box.height / each[n].height
            x0, x1 = max(x0, math.ceil(-part.x * across)), min(x1, int((picture.shape[1] - part.x) * across))
            y0, y1 = max(y0, math.ceil(-part.y * down)), min(y1, int((picture.shape[0] - part.y) * down))
        if tile == BLANK or min(x1 - x0, y1 - y0) < LEAST:
            continue
        for each, picture, one in zip(places, pictures, flat, strict=True):
            part, larger = each[n], each[n].width / box.width
            shown = Box(
                round(part.x + x0 * larger), round(part.y + y0 * larger),
                round((x1 - x0) * larger), round((y1 - y0) * larger),
            )  # fmt: skip
            crop = shown.crop(picture)
            Box(box.x + x0, box.y + y0, x1 - x0, y1 - y0).crop(one)[:] = _in_size(crop, (x1 - x0, y1 - y0))
    return flat


def find_part_sized(image: Image, pictures: Sequence[Image | None], places: Sequence[Box], ground: int) -> Part | None:
    """The part of a board that ``image`` shows in an unknown size; None where none is alike. ``pictures``: what each
    of ``places`` shows, None where it is empty; ``ground``: the brightness round them."""
    left, top, wide, tall = _middle(image)
    middle = _gray(image)[top : top + tall, left : left + wide]
    if float(middle.std()) < FLAT:
        return None
    best = _best(middle, pictures, places, ground, ROUGH, _from(SMALLEST, LARGEST, STEP))
    for pixels, near, step in ((FINE, NEAR, FINER), (FINEST, NEARER, FINEST_STEP)):
        if best is None:
            return None
        sizes = _from(best.larger / near, best.larger * near, step)
        best = _best(middle, pictures, places, ground, pixels, sizes, best)
    return best if best is not None and best.likeness >= ALIKE else None


def _best(
    middle: Gray,
    pictures: Sequence[Image | None],
    places: Sequence[Box],
    ground: int,
    pixels: int,
    sizes: Sequence[float],
    about: Part | None = None,
) -> Part | None:
    """The likeliest part of a board that is made so small, of these sizes; ``about``: near which it is."""
    x0, y0 = min(box.x for box in places), min(box.y for box in places)
    across = max(box.x + box.width for box in places) - x0
    down = max(box.y + box.height for box in places) - y0
    factor = pixels / max(across, down)
    pad = pixels // 2
    board = np.full((round(down * factor) + 2 * pad, round(across * factor) + 2 * pad), ground, np.uint8)
    for picture, box in zip(pictures, places, strict=True):
        if picture is not None:
            size = max(round(box.width * factor), 1), max(round(box.height * factor), 1)
            x, y = round((box.x - x0) * factor) + pad, round((box.y - y0) * factor) + pad
            board[y : y + size[1], x : x + size[0]] = cv2.resize(_gray(picture), size, interpolation=cv2.INTER_AREA)
    left = top = 0
    if about is not None:
        width, height = (round(length * factor / about.larger) for length in middle.shape[::-1])
        more = round(BESIDE * max(width, height)) + 4
        left = max(round((about.x - x0) * factor) + pad - more, 0)
        top = max(round((about.y - y0) * factor) + pad - more, 0)
        board = board[top : top + height + 2 * more, left : left + width + 2 * more]
    found = []
    for larger in sizes:
        wide, tall = round(middle.shape[1] * factor / larger), round(middle.shape[0] * factor / larger)
        if min(wide, tall) < LEAST or tall > board.shape[0] or wide > board.shape[1]:
            continue
        small = cv2.resize(middle, (wide, tall), interpolation=cv2.INTER_AREA)
        _, likeness, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(board, small, cv2.TM_CCOEFF_NORMED))
        found.append(Part(likeness, larger, (x + left - pad) / factor + x0, (y + top - pad) / factor + y0))
    return max(found, default=None)


def _middle(image: Image) -> tuple[int, int, int, int]:
    """The middle part of a picture: left, top, width, height."""
    height, width = image.shape[:2]
    wide, tall = round(ACROSS * width), round(DOWN * height)
    return (width - wide) // 2, (height - tall) // 2, wide, tall


def _from(least: float, most: float, step: float) -> list[float]:
    return [least * step**n for n in range(int(np.log(most / least) / np.log(step)) + 1)]


def _in_size(picture: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _gray(picture: Image) -> Gray:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
