"""Finds a tile in a picture that shows a part of the board from near, in a size in which it was not seen before. Later
pictures are handled in ``near.py``."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.games.continuity.seeing.tracking.board_part import ALIKE, Part, find_part_sized, middle_corner
from autoplayer.games.continuity.seeing.tracking.near import edges, find_tile, settle
from autoplayer.games.continuity.seeing.tracking.parts import FITS, LIKE, area_of, common_box, odd_share
from autoplayer.games.continuity.seeing.tracking.sized import sized
from autoplayer.games.continuity.seeing.tracking.views import MORE
from autoplayer.games.continuity.world import BLANK

APART = (1.0, 0.6, 0.2)
"""Which shares of the gaps between tiles are tried, compared with their size: seen from near they may be narrower than
on a map, whose tiles must not seem to be one."""


def find_place(
    image: Image, tiles: Tiles, cells: Sequence[int], backgrounds: Sequence[Image], ground: int
) -> tuple[int, Box, float] | None:
    """A tile that a picture shows from near, its position and its difference there; None if none is seen. ``cells``:
    the arrangement of the tiles; ``backgrounds``: their pictures without the figure; ``ground``: the brightness around
    them."""
    spot = find_tile(image, tiles.pictures)
    if spot is not None and spot.tile in cells:
        box = sized(image, tiles.pictures[spot.tile], spot.box)
        shown = in_size(tiles.pictures[spot.tile], (box.width, box.height))
        box, usual = settle(image, shown, box, edges(shown), 1)
        if usual <= MORE * LIKE or odd_share(image, shown, box) <= FITS:
            return spot.tile, box, usual
    return _of_part(image, tiles, cells, backgrounds, ground)


def _of_part(
    image: Image, tiles: Tiles, cells: Sequence[int], backgrounds: Sequence[Image], ground: int
) -> tuple[int, Box, float] | None:
    """The tile that is most visible in a picture that shows a part of the board and no whole tile: its position, and
    its difference there; None if there is no such part."""
    pictures = [None if tile == BLANK else backgrounds[tile] for tile in cells]
    for share in APART:
        places = _closer(tiles, share)
        part = find_part_sized(image, pictures, places, ground)
        found = None if part is None else _most_visible(image, tiles, cells, places, part)
        if found is not None:
            return found
    return None


def _closer(tiles: Tiles, share: float) -> tuple[Box, ...]:
    """The places of a board with this share of the gaps between its tiles."""
    first = tiles.boxes[0]
    return tuple(
        Box(
            round(box.x - (1 - share) * (box.x - first.x - n % tiles.columns * first.width)),
            round(box.y - (1 - share) * (box.y - first.y - n // tiles.columns * first.height)),
            box.width, box.height,
        )
        for n, box in enumerate(tiles.boxes)
    )  # fmt: skip


def _most_visible(
    image: Image, tiles: Tiles, cells: Sequence[int], places: Sequence[Box], part: Part
) -> tuple[int, Box, float] | None:
    """The tile that is most visible where a picture shows this part of a board with its tiles at ``places``: its
    position, and its difference there; None if it differs too much."""
    left, top = middle_corner(image)
    window = Box(0, 0, image.shape[1], image.shape[0])
    shown = []
    for place, tile in zip(places, cells, strict=True):
        x, y = left + (place.x - part.x) * part.larger, top + (place.y - part.y) * part.larger
        box = Box(round(x), round(y), round(place.width * part.larger), round(place.height * part.larger))
        seen = common_box(box, window)
        if tile != BLANK and min(seen.width, seen.height) > 0:
            shown.append((area_of(seen), tile, box))
    if not shown:
        return None
    _, tile, about = max(shown, key=lambda each: each[0])
    box = sized(image, tiles.pictures[tile], about)
    picture = in_size(tiles.pictures[tile], (box.width, box.height))
    box, usual = settle(image, picture, box, edges(picture), 1)
    surely = part.likeness >= ALIKE or odd_share(image, picture, box) <= FITS
    return (tile, box, usual) if usual <= MORE * LIKE and surely else None


def in_size(picture: Image, size: tuple[int, int]) -> Image:
    """A picture in another size, width before height."""
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
