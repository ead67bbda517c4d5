"""The number in an island: its ink, and what it may be. Knows no lattice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from autoplayer.core.frame import Box, Floats
from autoplayer.games.hashi.outline import View
from autoplayer.vision import alike, glyphs, ink

NUMBERS = tuple("12345678")

SPOKESMEN = 3
"""How many of a cluster of equal glyphs the network looks at: more say nothing new and cost time."""

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
    """What stands around each of ``centres``, inside a disc or square of the width ``size``."""
    contents = [_content(seen, (float(cx), float(cy)), size, is_round) for cx, cy in centres]
    return [
        Island((float(cx), float(cy)), here, options)
        for (cx, cy), here, options in zip(centres, contents, classify(contents), strict=True)
    ]


INSIDE = 0.94
"""Of the width between an island's outlines: what is surely inside them."""


def _content(seen: View, centre: tuple[float, float], size: float, is_round: bool) -> ink.Content:
    """What stands on the ground inside an island whose inside is ``size`` pixels wide."""
    half = size / 2
    left, top = math.floor(centre[0] - half), math.floor(centre[1] - half)
    box = Box(left, top, math.ceil(size) + 1, math.ceil(size) + 1)
    patch = box.crop(seen.image)
    if not is_round or min(patch.shape[:2]) < 4:
        return ink.content(seen.image, box, seen.noise)
    # The corners around a disc are no part of it: they get its ground.
    left, top = max(left, 0), max(top, 0)
    dx = np.arange(patch.shape[1]) + left - centre[0]
    dy = np.arange(patch.shape[0]) + top - centre[1]
    outside = dx[None, :] ** 2 + dy[:, None] ** 2 > half**2
    if outside.all():
        return ink.content(seen.image, box, seen.noise)
    patch = patch.copy()
    patch[outside] = np.rint(ink.ground_colour(patch[~outside]))
    here = ink.content(patch, Box(0, 0, patch.shape[1], patch.shape[0]), seen.noise)
    inner = Box(here.box.x + left, here.box.y + top, here.box.width, here.box.height)
    return replace(here, box=inner, place=box)


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
