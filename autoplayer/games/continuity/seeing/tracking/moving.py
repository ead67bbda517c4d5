"""Identifies the figure among the things in the rooms by what moves when a key is pressed: only this distinguishes with
certainty a figure from a key that looks like one, or from a second figure that other keys move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.games.continuity.seeing.board.panels import without_frames
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.games.continuity.seeing.things.things import given_out
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker
from autoplayer.games.continuity.world import BLANK

DIFFERS = 22
"""Grey levels from which on a pixel has changed."""
LEFT = 0.45
"""The least share of a thing's pixels that show its background, if it has moved away; a flickering flame and a
breathing figure keep most of theirs."""
INK = 30
"""Grey levels by which a thing differs from what is behind it."""
THERE = 0.05
"""The least share of its box that a thing fills, if it is there."""
FAR = 4.0
"""How many times its height a thing moves at most during a short key press."""

SIDES = (("x", "width"), ("y", "height"))
BORDER = 12
"""The border, in pixels, around a board that is assembled from pictures."""
LEAST = 16
"""The least size in pixels of the part of a tile that all pictures show, for it to be taken from them."""


class _Left(NamedTuple):
    """A thing that is no longer at its place: its index, its box in the window, the share that is gone."""

    thing: int
    box: Box
    share: float


def moved(before: Image, after: Image, tiles: Tiles) -> int | None:
    """The index of the one of ``tiles.things`` that stands in ``before`` and has moved in ``after``, two still pictures
    of one view between which a key was pressed; None if none has. If several are gone, as when a figure has taken a
    key, it is the one most similar to what has appeared."""
    if before.shape != after.shape:
        return None
    places = Tracker(tiles).homes(before)
    if places is None:
        return None
    changed = largest_channel(cv2.absdiff(before, after)) > DIFFERS
    left = [found for n, (box, bare) in enumerate(places) if (found := _left(n, box, bare, before, after)) is not None]
    if len(left) < 2:
        return left[0].thing if left else None
    come = _come(changed, [box for box, _ in places])
    return min(left, key=lambda each: (_unlike(each, come, before, after), -each.share)).thing


def corrected(tiles: Tiles, before: Image, after: Image) -> Tiles | None:
    """``tiles`` with their things' kinds corrected after a key was pressed between ``before`` and ``after``, two still
    pictures of one view (either of the two) with the figure where it stood in ``tiles`` in the first; None if nothing
    moved.

    What moved is the figure, with probability 1; all other roles are assigned anew. Another thing that looks like a
    figure keeps the kind ``figure`` with a probability below a half: it is the one that other keys move.
    """
    number = moved(before, after, tiles)
    if number is None:
        return None
    things = given_out(without_frames(tiles.pictures), tiles.solid, tiles.things, number)
    doubts = tuple(doubt for doubt in tiles.doubts if "figure" not in doubt and "thing" not in doubt)
    return replace(tiles, things=things, doubts=doubts)


def _left(number: int, box: Box, bare: Image, before: Image, after: Image) -> _Left | None:
    """A thing that was at ``box`` and is there no more."""
    first, now = box.crop(before).astype(np.int16), box.crop(after).astype(np.int16)
    if first.shape != bare.shape or now.shape != bare.shape:
        return None
    ink = largest_channel(np.abs(first - bare)) > INK
    if ink.mean() < THERE:
        return None
    away = largest_channel(np.abs(now - bare)) < largest_channel(np.abs(now - first))
    share = float(away[ink].mean())
    return _Left(number, box, share) if share >= LEFT else None


def _come(changed: NDArray[np.bool_], homes: Sequence[Box]) -> list[Box]:
    """What has appeared in previously empty places: the changes outside the homes of things."""
    rest = changed.astype(np.uint8)
    for box in homes:
        box.crop(rest)[:] = 0
    joined = cv2.dilate(rest, np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    return [Box(*(int(each) for each in row[:4])) for row in stats[1:count] if row[4] > 12]


def _unlike(left: _Left, come: Sequence[Box], before: Image, after: Image) -> float:
    """The least dissimilarity of anything that has appeared to a thing that has left: height, colour, and distance."""
    least = 9.0
    colour = np.median(left.box.crop(before).reshape(-1, 3), axis=0)
    shown = _strange(left.box.crop(before), colour)
    for box in come:
        apart = float(np.hypot(box.x - left.box.x, box.y - left.box.y)) / left.box.height
        if apart > FAR:
            continue
        other = _strange(box.crop(after), colour)
        tones = float(np.abs(shown - other).mean()) / 40
        least = min(least, abs(float(np.log(box.height / left.box.height))) + tones + 0.1 * apart)
    return least


def _strange(picture: Image, ground: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean colour of what is not the ground."""
    pixels = picture.reshape(-1, 3).astype(np.float64)
    off = np.abs(pixels - ground).max(axis=1) > INK
    found: NDArray[np.float64] = (pixels[off] if off.any() else pixels).mean(axis=0)
    return found


def laid_flat(tiles: Tiles, eyes: Tracker, *pictures: Image) -> list[Image] | None:
    """Pictures that show parts of a board, each part copied to its position in the view in which the board was read;
    what not all of them show is as it was read there. None if a picture shows no part."""
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
            Box(box.x + x0, box.y + y0, x1 - x0, y1 - y0).crop(one)[:] = cv2.resize(
                crop, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA
            )
    return flat
