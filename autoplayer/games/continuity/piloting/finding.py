"""Finds the figure by its motion alone, if no thing in the rooms was taken for it: it may be drawn like the walls, or
stand so that it seems to be a part of something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools, Kind, Thing, Tiles
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker

DIFFERS = 22
"""Grey levels from which on a pixel has changed."""
JOINED = 0.015
"""The greatest distance between the pieces of one figure, as a share of a tile's height."""
LEAST, MOST = 0.03, 0.5
"""The height of a figure, as shares of a tile's height."""
ALIKE = 1.35
"""The greatest ratio between the heights of one figure in two poses."""
LEVEL = 0.25
"""How much lower or higher its feet may be after a step, as a share of its height."""
FARTHEST = 5.0
"""The greatest distance that a figure walks in these moments, in heights of it."""
GONE = 0.7
"""The figure's look before and after its step may differ by at most this share of the change at the place that it
left."""
SLIM = 0.2
"""Of its height, how wide a figure is at least."""
MOSTLY, HALF = 0.85, 0.5
"""A thing was larger than the figure if less than the first share of its width or height has moved; at least the second
share of its height must have moved."""
UNSURE = 0.5
"""The probability of a thing's kind that follows from its size alone."""
LEGS = 2
"""The least height in pixels, and width in each row, of what went away from below a figure."""
TRAILING = 1 / 3
"""The part of a figure's place that it has left for sure, as a share of its width."""
STEADY = 0.3
"""The greatest share of what is beside the figure, on the side that it left, that has changed in such a row."""


def found_moving(tiles: Tiles, before: Image, after: Image, way: int) -> Tiles | None:
    """``tiles`` with a figure where something has left between two still pictures of one view; ``way``: -1 if it went
    to the left, 1 to the right. None if nothing moved like that, or not so far that all of it has left its place.

    The walls that it seemed to be a part of are no walls there; what was taken for the figure is a key.
    """
    if before.shape != after.shape:
        return None
    found = Tracker(tiles).stands(before)
    if found is None:
        return None
    cells, places = found
    tall = places[0].height
    left = _left(before, after, _changes(before, after, max(round(JOINED * tall), 1)), tall, way)
    if left is None:
        return None
    foot = left.x + left.width // 2, left.y + left.height - 1
    at = [n for n, place in enumerate(places) if place.contains(foot) and cells[n] >= 0]
    if not at:
        return None
    place, tile = places[at[0]], cells[at[0]]
    across, down = tiles.boxes[0].width / place.width, tiles.boxes[0].height / place.height
    x, y = (left.x - place.x) * across, (left.y - place.y) * down
    figure = Thing("figure", tile, x, y, left.width * across, left.height * down)
    return replace(
        tiles, solid=_without_walls(tiles, figure), things=(*_others(tiles.things, figure), figure), doubts=()
    )


def trimmed(tiles: Tiles, before: Image, after: Image) -> Tiles:
    """``tiles`` with the likeliest figure reduced to what has changed there between two still pictures of one view:
    what was taken for a part of it and stayed does not belong to it. Unchanged if nearly all of it has changed."""
    seen = _shown(tiles, before, after)
    if seen is None:
        return tiles
    number, box, across, down = seen
    figure = tiles.things[number]
    changed = (largest_channel(cv2.absdiff(box.crop(before), box.crop(after))) > DIFFERS).astype(np.uint8)
    x, y, width, height = cv2.boundingRect(changed)
    if height < HALF * box.height or (width > MOSTLY * box.width and height > MOSTLY * box.height):
        return tiles
    smaller = figure._replace(
        x=figure.x + x / across, y=figure.y + y / down, width=width / across, height=height / down
    )
    return replace(tiles, things=(*tiles.things[:number], smaller, *tiles.things[number + 1 :]))


def with_legs(tiles: Tiles, before: Image, after: Image, way: int) -> Tiles:
    """``tiles`` with the likeliest figure down to where something below it went away with it between two still pictures
    of one view: legs in the walls' colour had been taken for a wall. ``way``: -1 if it went to the left, 1 to the
    right. Unchanged if nothing did: a shadow on the ground leaves a ground there."""
    seen = _shown(tiles, before, after)
    if seen is None:
        return tiles
    number, box, _, down = seen
    part = max(round(TRAILING * box.width), 1)
    left = Box(box.x if way > 0 else box.x + box.width - part, box.y, part, box.height)
    moved = largest_channel(cv2.absdiff(left.crop(before), left.crop(after))) > DIFFERS
    if not moved.any():
        return tiles
    air = np.median(left.crop(after)[moved], axis=0)
    below = Box(box.x, box.y + box.height, box.width, round(HALF * box.height))
    then, now = (np.abs(below.crop(image) - air).max(axis=2) for image in (before, after))
    gone = (largest_channel(cv2.absdiff(below.crop(before), below.crop(after))) > DIFFERS) & (now < then / 2)
    beside = replace(below, x=below.x - way * (below.width + 2))
    stirred = largest_channel(cv2.absdiff(beside.crop(before), beside.crop(after))) > DIFFERS
    rows = (gone.sum(axis=1) >= LEGS) & (stirred.sum(axis=1) <= STEADY * below.width)
    more = len(rows) if rows.all() else int(rows.argmin())
    if more < LEGS:
        return tiles
    figure = tiles.things[number]
    whole = figure._replace(height=figure.height + more / down)
    things = (*tiles.things[:number], whole, *tiles.things[number + 1 :])
    return replace(tiles, solid=_without_walls(tiles, whole), things=things)


def _shown(tiles: Tiles, before: Image, after: Image) -> tuple[int, Box, float, float] | None:
    """The number of the likeliest figure, where it stands in ``before``, window pixels, and how much larger its tile is
    there than in the picture it was read from, across and down; None if that view is not recognised."""
    number = max(range(len(tiles.things)), key=lambda n: (tiles.things[n].kind == "figure", tiles.things[n].sure))
    figure = tiles.things[number]
    found = Tracker(tiles).stands(before)
    if found is None or before.shape != after.shape:
        return None
    cells, places = found
    place, first = places[cells.index(figure.tile)], tiles.boxes[0]
    across, down = place.width / first.width, place.height / first.height
    left, top = place.x + round(figure.x * across), place.y + round(figure.y * down)
    width, height = max(round(figure.width * across), 1), max(round(figure.height * down), 1)
    return number, Box(left, top, width, height), across, down


def _without_walls(tiles: Tiles, figure: Thing) -> Bools:
    """The walls of the tiles without what was taken for a wall where the figure stands."""
    solid = tiles.solid.copy()
    rows = slice(max(round(figure.y) - 1, 0), round(figure.y + figure.height))
    solid[figure.tile, rows, max(round(figure.x) - 1, 0) : round(figure.x + figure.width) + 1] = False
    return solid


def _others(things: Sequence[Thing], figure: Thing) -> list[Thing]:
    """What is not the figure: one door, and keys."""
    rest = [each for each in things if not _same_place(each, figure)]
    if not rest:
        return []
    door = max(rest, key=lambda each: (each.kind == "door", each.sure if each.kind == "door" else each.height))
    kinds: list[Kind] = ["door" if each is door else "key" for each in rest]
    return [
        each if each.kind == kind else each._replace(kind=kind, sure=UNSURE)
        for each, kind in zip(rest, kinds, strict=True)
    ]


def _same_place(one: Thing, other: Thing) -> bool:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    least = min(one.width * one.height, other.width * other.height)
    return one.tile == other.tile and min(across, down) > 0 and across * down > HALF * least


def _changes(before: Image, after: Image, near: int) -> list[Box]:
    """The changed areas, piece by piece."""
    changed = (largest_channel(cv2.absdiff(before, after)) > DIFFERS).astype(np.uint8)
    joined = cv2.dilate(changed, np.ones((2 * near + 1, 2 * near + 1), np.uint8))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    boxes = []
    for number in range(1, count):
        x, y, width, height = cv2.boundingRect(((labels == number) & (changed > 0)).astype(np.uint8))
        boxes.append(Box(x, y, width, height))
    return boxes


def _left(before: Image, after: Image, changes: Sequence[Box], tall: int, way: int) -> Box | None:
    """Where the figure was: of two similar changes the one from which ``way`` leads to the other; the largest such one.
    What was in the first must show in the second now, and no longer in the first: flickering flames do not behave like
    that."""
    sized = [
        box
        for box in changes
        if LEAST * tall <= box.height <= MOST * tall and SLIM * box.height <= box.width <= MOST * tall
    ]
    found = [
        one
        for one, other in permutations(sized, 2)
        if 0 < way * (other.x - one.x) <= FARTHEST * one.height
        and max(one.height, other.height) <= ALIKE * min(one.height, other.height)
        and abs(one.y + one.height - other.y - other.height) <= LEVEL * one.height
        and _unlike(one.crop(before), other.crop(after)) < GONE * _unlike(one.crop(before), one.crop(after))
        and not _joined(before, after, one, other)
    ]
    return max(found, key=lambda box: box.height * box.width) if found else None


def _joined(before: Image, after: Image, one: Box, other: Box) -> bool:
    """Whether the area between two changes belongs to the same figure, which has not left its place completely: then
    they are its two sides."""
    left, right = min(one.x + one.width, other.x + other.width), max(one.x, other.x)
    if right - left < 2:
        return False
    between = Box(left, one.y, right - left, one.height).crop(before)
    shown, behind = (one.crop(image).reshape(-1, 3).mean(axis=0) for image in (before, after))
    colour = between.reshape(-1, 3).mean(axis=0)
    return float(np.abs(colour - shown).max()) < float(np.abs(colour - behind).max())


def _unlike(one: Image, other: Image) -> float:
    """The mean difference of two pictures in grey levels, in one size."""
    size = one.shape[1], one.shape[0]
    return float(cv2.absdiff(one, np.asarray(cv2.resize(other, size), np.uint8)).mean())
