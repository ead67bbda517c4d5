"""The number in an island: its ink, and what it may be. Knows no lattice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats
from autoplayer.games.hashi.outline import View
from autoplayer.vision import alike, glyphs, ink, templates

NUMBERS = tuple("12345678")

SPOKESMEN = 3
"""How many of a cluster of equal glyphs the network looks at: more say nothing new and cost time."""

KNOWN = 0.995
"""How probable a number is whose template of the layout looks like the glyph."""

SYMBOL = "?"
"""What stands in an island where any sign counts as a number."""

LEGIBLE = 0.5
"""A number at least this probable counts as read when guesses are compared."""


@dataclass(frozen=True)
class Island:
    """``centre``: ``(x, y)`` in window pixels. ``content``: the number's ink. ``candidates``: ``(number,
    probability)``, the likeliest first; the number "" for nothing that can be read."""

    centre: tuple[float, float]
    content: ink.Content
    candidates: tuple[tuple[str, float], ...]

    @property
    def probability(self) -> float:
        return max((p for number, p in self.candidates if number), default=0.0)


def read(
    seen: View, centres: Sequence[tuple[float, float]] | Floats, size: float, is_round: bool = True
) -> list[Island]:
    """What stands around each of ``centres``, inside a disc or square of the width ``size``. What cannot be read there
    is looked at again by what the others tell: how large numbers are, and what all islands have beside them."""
    where = np.asarray(centres, np.float64).reshape(-1, 2)
    contents = _contents(seen, where, size, is_round)
    found = [
        Island((float(cx), float(cy)), here, options)
        for (cx, cy), here, options in zip(where, contents, _said(seen, contents), strict=True)
    ]
    sure = [one for one in found if one.probability > SURE]
    weak = [k for k, one in enumerate(found) if one.probability <= SURE and not one.content.bare]
    if seen.symbols or len(sure) < max(FEWEST_SURE, SURE_PART * len(weak)) or not weak:
        return found
    tries: list[tuple[float, bool, NDArray[np.bool_] | None]] = []
    if (room := _room(sure)) < SMALLER * size:
        tries.append((room, True, None))
    if (beside := _shared(sure, size)).any():
        tries.append((size, is_round, beside))
    for width, in_disc, left_out in tries:
        again = _contents(seen, where[weak], width, in_disc, left_out)
        for k, here, options in zip(weak, again, _said(seen, again), strict=True):
            other = replace(found[k], content=here, candidates=options)
            if other.probability > max(found[k].probability, LEGIBLE):
                found[k] = other
    return found


SURE, FEWEST_SURE, SURE_PART = 0.9, 4, 0.25
"""From which probability on a number tells how the others look; how many such are needed; as a part of those that are
looked at again."""

SMALLER = 0.93
"""Of the width in which numbers are looked for: a room that is hardly smaller shows nothing else."""


def _room(sure: Sequence[Island]) -> float:
    """The width of a disc in which the numbers stand that were read for ``sure``: ends of bridges reach into some
    islands, but not so far."""
    reach = [
        2
        * max(
            math.hypot(x - one.centre[0], y - one.centre[1])
            for x in (box.x, box.x + box.width - 1)
            for y in (box.y, box.y + box.height - 1)
        )
        for one in sure
        for box in (one.content.box,)
    ]
    return float(np.percentile(reach, 80)) + 2


def _shared(sure: Sequence[Island], size: float) -> NDArray[np.bool_]:
    """What has ink in most islands far from their centres is a part of what is around the numbers, not of them: the
    corners of a hexagon, a thick ring's inner edge. Shape as the places that ``_contents`` looks at."""
    side = math.ceil(size) + 1
    often = np.zeros((side, side), np.float32)
    for one in sure:
        place, box = one.content.place, one.content.box
        if place.width == place.height == side:
            scaled = cv2.resize(one.content.ink, (box.width, box.height), interpolation=cv2.INTER_LINEAR)
            y, x = box.y - max(place.y, 0), box.x - max(place.x, 0)
            part = often[y : y + box.height, x : x + box.width]
            part += scaled[: part.shape[0], : part.shape[1]] > INKED
    far = np.hypot(*(np.mgrid[0:side, 0:side] - (side - 1) / 2)) > FAR * size
    return np.asarray((often > SHARED * len(sure)) & far, np.bool_)


INKED, SHARED, FAR = 0.3, 0.4, 0.36
"""Ink from which on a pixel counts as drawn; the part of the islands that must have some there; and how far from the
centre, as a share of an island's inside, no stroke of a number is that so many have."""


def _said(seen: View, contents: Sequence[ink.Content]) -> list[tuple[tuple[str, float], ...]]:
    """What each ink may be, by the window's own glyphs first."""
    any_sign: list[tuple[tuple[str, float], ...]] = [(("" if here.bare else SYMBOL, 1.0),) for here in contents]
    result = any_sign if seen.symbols else classify(contents)
    for k, here in enumerate(contents):
        token = templates.match(here.ink, seen.known) if seen.known else None
        if token == "":
            result[k] = (("", 1.0),)
        elif token in NUMBERS:
            rest = [(number, (1 - KNOWN) * p) for number, p in result[k] if number not in (token, SYMBOL)]
            result[k] = ((token, KNOWN), *rest)
    return result


INSIDE = 0.94
"""Of the width between an island's outlines: what is surely inside them."""


def _contents(
    seen: View, centres: Floats, size: float, is_round: bool, beside: NDArray[np.bool_] | None = None
) -> list[ink.Content]:
    """What stands on the ground inside islands whose insides are ``size`` pixels wide; ``centres``: ``(N, 2)``.
    ``beside``: what is no part of them besides, shape ``(side, side)``."""
    half, side = size / 2, math.ceil(size) + 1
    boxes = [Box(math.floor(cx - half), math.floor(cy - half), side, side) for cx, cy in centres]
    patches = [box.crop(seen.image) for box in boxes]
    found: dict[int, ink.Content] = {}
    for height, width in {patch.shape[:2] for patch in patches}:  # those at the picture's edge are smaller
        chosen = [k for k, patch in enumerate(patches) if patch.shape[:2] == (height, width)]
        outside = None
        if is_round:  # the corners around a disc are no part of it
            corners = np.array([(max(boxes[k].x, 0), max(boxes[k].y, 0)) for k in chosen])
            dx, dy = ((corners - centres[chosen])[:, i, None] + np.arange((width, height)[i]) for i in (0, 1))
            outside = dx[:, None, :] ** 2 + dy[:, :, None] ** 2 > half**2
        if beside is not None and (height, width) == beside.shape:
            outside = np.repeat(beside[None], len(chosen), axis=0) if outside is None else outside | beside
        stack = np.stack([patches[k] for k in chosen])
        found |= zip(chosen, ink.stacked(stack, [boxes[k] for k in chosen], seen.noise, outside), strict=True)
    return [found[k] for k in range(len(boxes))]


def classify(contents: Sequence[ink.Content]) -> list[tuple[tuple[str, float], ...]]:
    """What number each ink may be; equal glyphs are judged together, with the evidence of all of them."""
    marked = [k for k, here in enumerate(contents) if not here.bare]
    inks = [contents[k].ink for k in marked]
    cluster = alike.clusters(inks)
    # A few of each cluster speak for all of it.
    chosen = [i for i, number in enumerate(cluster) if cluster[:i].count(number) < SPOKESMEN]
    said = glyphs.classify([inks[i] for i in chosen])
    chances = [_possible(dict(zip(glyphs.CLASSES, map(float, row), strict=True))) for row in said]
    joint = alike.joint([cluster[i] for i in chosen], chances)
    result: list[tuple[tuple[str, float], ...]] = [(("", 1.0),)] * len(contents)
    for k, number in zip(marked, cluster, strict=True):
        result[k] = tuple(sorted(joint[number].items(), key=lambda pair: -pair[1]))
    return result


def _possible(options: dict[str, float]) -> dict[str, float]:
    """Only what an island may show; what looks like anything else is nothing that can be read."""
    kept = {number: options[number] for number in NUMBERS}
    return kept | {"": max(1.0 - sum(kept.values()), 0.0)}
