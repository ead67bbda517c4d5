"""Makes a view of the window from the pictures of the tiles in it: their backgrounds, with a guess of what is behind
the figure, and the keys."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.games.continuity.seeing.sight import View as Name
from autoplayer.games.continuity.seeing.tracking.behind import without
from autoplayer.games.continuity.seeing.tracking.parts import scaled_box
from autoplayer.games.continuity.seeing.tracking.views import Patch, View, thumb_of


def made_view(
    tiles: Tiles,
    name: Name,
    places: Sequence[Box],
    pictures: Sequence[Image],
    strange: Sequence[tuple[int, Box]] = (),
) -> View:
    """A view from the pictures of ``tiles`` in it, which stand at ``places``, window pixels. Whatever may be the figure
    is removed from them, also at ``strange``: tiles, and boxes in their pictures."""
    width, height = places[0].width, places[0].height
    across, down = width / tiles.boxes[0].width, height / tiles.boxes[0].height
    backgrounds = [np.ascontiguousarray(picture[:height, :width]).copy() for picture in pictures]
    guessed = [np.zeros(picture.shape[:2], np.bool_) for picture in backgrounds]
    boxes = [scaled_box(thing, across, down, 2, width, height) for thing in tiles.things]
    solid = [
        cv2.resize(mask.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0 for mask in tiles.solid
    ]
    taken = [np.zeros((height, width), np.bool_) for _ in backgrounds]
    for thing, box in zip(tiles.things, boxes, strict=True):
        box.crop(taken[thing.tile])[:] = True
    bare = [picture.copy() for picture in backgrounds]
    for thing, box in zip(tiles.things, boxes, strict=True):
        if thing.kind != "door":
            bare[thing.tile] = without(bare[thing.tile], box, solid[thing.tile], taken[thing.tile])
        if thing.kind == "figure":
            box.crop(backgrounds[thing.tile])[:] = box.crop(bare[thing.tile])
            box.crop(guessed[thing.tile])[:] = box.crop(~solid[thing.tile])
    for tile, box in strange:
        backgrounds[tile] = without(backgrounds[tile], box, solid[tile], taken[tile])
        box.crop(guessed[tile])[:] = box.crop(~solid[tile])
    keys = []
    for number, thing in enumerate(tiles.things):
        if thing.kind == "key":
            box = boxes[number]
            shown, behind = box.crop(backgrounds[thing.tile]).copy(), box.crop(bare[thing.tile]).copy()
            ink = largest_channel(np.abs(shown.astype(np.int16) - behind)) > 30
            keys.append(Patch(number, thing.tile, box, shown, behind, ink))
    thumbs = np.stack([thumb_of(picture) for picture in backgrounds])
    homes = []
    for thing, box in zip(tiles.things, boxes, strict=True):
        behind = bare[thing.tile]
        if thing.kind == "door":
            behind = without(behind, box, solid[thing.tile], taken[thing.tile])
        homes.append((box, box.crop(behind).copy()))
    return View(
        name, tiles.columns, tuple(places), backgrounds, guessed, thumbs, keys, homes=tuple(homes),
        spaces=_spaces(tiles, across),
    )  # fmt: skip


def _spaces(tiles: Tiles, larger: float) -> tuple[float, float]:
    """The gaps between tiles in pixels, across and down, if they scale with the tiles by these factors."""
    boxes, columns = tiles.boxes, tiles.columns
    beside = boxes[1].x - boxes[0].x - boxes[0].width if columns > 1 else 0
    below = boxes[columns].y - boxes[0].y - boxes[0].height if len(boxes) > columns else 0
    return larger * max(beside, 0), larger * max(below, 0)
