"""Judges glyphs by the window's own typeface. All glyphs of a window come from one face, so a glyph that looks like a
certain 4 of this window is a 4, and one that looks like none of its certain 1s is not a 1. Knows no game.

The network classifies each glyph by itself. Here the clusters of equal glyphs (``alike.clusters``) are compared with
one another: clusters that are certain serve as examples of their token, and the others weight their candidates by
similarity to these examples. The constants are a conditional logit (McFadden 1974) of the true token among a cluster's
candidates, fitted to 1200 doubtful clusters of 250 windows of the bench's development side, half of them with typefaces
distorted at random, which no network had been trained on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from statistics import median

import cv2
import numpy as np

from autoplayer.core.frame import Floats

Chances = Mapping[str, float]
"""A distribution: token to probability; the token "" means no glyph at all."""

Expectation = Callable[[str, AbstractSet[str]], float]
"""A game's prior: the factor by which a token becomes more or less probable, given the set of tokens of which the
window has certain examples."""

SURE = 0.9
"""A cluster with a token more probable than this is an example of it. One in two hundred of these is wrong; a wrong
example makes other errors a little more probable, never certain by itself."""

ROUNDS = 2
"""How many passes are made: clusters that became certain serve as examples in the next pass."""

SIDE = 20
"""Pixels: glyphs are scaled to a square of this side, whatever their proportions, and slightly blurred before they are
compared. The edges of small glyphs fall on different pixels in every cell; without the blur, or with proportions kept,
the similarity is less informative."""

BLUR = 1.0
"""The blur's standard deviation, in pixels of the scaled glyph."""

REACH = 4
"""Radius of the blur's kernel, in standard deviations."""

SHARPNESS = 1.8
"""Weight of dissimilarity: a correlation lower by 0.1 divides a token's odds by 1.2. That is little, because glyphs in
doubt are mostly damaged, and then similar to nothing."""

SLIMNESS = 4.0
"""The same for the difference in the logarithm of width over height, as far as it exceeds ``SLACK``."""

SLACK = 0.1

SPLIT = 0.24
"""The odds that a glyph shows a token although it was not found equal to that token's example, relative to a token
without any example, in a window that draws equal glyphs alike. In a noisy window this is no evidence."""

TYPICAL = 30
"""The percentile of the similarities within a window that defines its usual similarity."""

FEW = 3
"""In a window with fewer clusters than this the usual similarity cannot be measured …"""
USUAL = 0.97
"""… and is taken to be this correlation."""

MOST_MEMBERS = 4
"""Members of a cluster that are averaged: more do not make the mean clearer."""


def compare(
    inks: Sequence[Floats],
    cluster: Sequence[int],
    chances: Mapping[int, Chances],
    expected: Expectation = lambda token, sure: 1.0,
) -> dict[int, dict[str, float]]:
    """Improved distributions for each cluster, over the tokens that it had before.

    ``inks``: shape ``(h, w)`` each, 0 to 1, cut to the bounding box; ``cluster``: the cluster's number of each ink;
    ``chances``: the network's distribution of each cluster, by its number.
    """
    members: dict[int, list[int]] = {}
    for i, number in enumerate(cluster):
        members.setdefault(number, []).append(i)
    numbers = list(chances)
    first = {number: {t: float(p) for t, p in chances[number].items() if p > 0} for number in numbers}
    if not numbers:
        return {}
    vectors = _vectors([[inks[i] for i in members[number][:MOST_MEMBERS]] for number in numbers])
    likeness = vectors @ vectors.T
    slim = np.log([median(_proportion(inks[i]) for i in members[number]) for number in numbers])
    usual = _usual(likeness, [len(members[number]) for number in numbers])
    now = first
    for _ in range(ROUNDS):
        examples = _examples(numbers, now)
        sure = examples.keys()
        split = _split(examples, [len(members[number]) for number in numbers])
        after = {}
        prior = {token: expected(token, sure) for token in {token for known in first.values() for token in known}}
        for at, number in enumerate(numbers):
            weighed = {
                token: p * prior[token] * _fits(at, examples.get(token, []), likeness, slim, usual, split)
                for token, p in first[number].items()
            }
            total = sum(weighed.values())
            after[number] = {t: p / total for t, p in weighed.items()} if total > 0 else dict(first[number])
        now = after
    return now


def _examples(numbers: Sequence[int], chances: Mapping[int, Chances]) -> dict[str, list[int]]:
    """For each token, the indices into ``numbers`` of the clusters that are certain examples of it."""
    found: dict[str, list[int]] = {}
    for at, number in enumerate(numbers):
        token = max(chances[number], key=lambda t: chances[number][t], default="")
        if token and chances[number][token] > SURE:
            found.setdefault(token, []).append(at)
    return found


def _split(examples: Mapping[str, Sequence[int]], sizes: Sequence[int]) -> float:
    """The odds that a glyph shows a token although it was not found equal to that token's example, relative to a token
    without example: higher in windows where equal glyphs often fall into several clusters."""
    glyphs = sum(sizes[at] for found in examples.values() for at in found)
    apart = sum(len(found) - 1 for found in examples.values())
    return min(max(SPLIT, 2 * apart / max(glyphs - len(examples), 1)), 1.0)


def _fits(at: int, examples: Sequence[int], likeness: Floats, slim: Floats, usual: float, split: float) -> float:
    """How well a cluster fits the examples of a token, relative to a token without examples (1)."""
    others = [one for one in examples if one != at]
    if not others:
        return 1.0
    best = max(others, key=lambda one: float(likeness[at, one]))
    lack = max(usual - float(likeness[at, best]), 0.0)
    slimmer = max(abs(float(slim[at] - slim[best])) - SLACK, 0.0)
    return split * float(np.exp(-SHARPNESS * lack - SLIMNESS * slimmer))


def _usual(likeness: Floats, sizes: Sequence[int]) -> float:
    """The usual similarity between equal glyphs of this window; 1 where most clusters have several members."""
    if len(sizes) < FEW:
        return USUAL
    nearest = (likeness - 2 * np.eye(len(sizes), dtype=np.float32)).max(axis=1)
    best = np.repeat(np.where(np.array(sizes) > 1, 1.0, nearest), sizes)
    return float(np.percentile(best, TYPICAL))


def _vectors(groups: Sequence[Sequence[Floats]]) -> Floats:
    """The mean image of each group of glyphs, all of one group equal, as a unit vector a group."""
    sizes = [len(group) for group in groups]
    small = np.empty((sum(sizes), SIDE, SIDE), np.float32)
    for one, place in zip((ink for group in groups for ink in group), small, strict=True):
        cv2.resize(np.asarray(one, np.float32), (SIDE, SIDE), dst=place, interpolation=cv2.INTER_AREA)
    blur = _blur()
    units = _units((blur @ small @ blur.T).reshape(len(small), -1), centred=True)
    return _units(np.add.reduceat(units, np.cumsum([0, *sizes[:-1]]), axis=0), centred=False)


def _units(flat: Floats, *, centred: bool) -> Floats:
    """Each row as a unit vector; ``centred``: after subtraction of its mean."""
    if centred:
        flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


@functools.cache
def _blur() -> Floats:
    """The matrix that blurs a picture of ``SIDE`` by ``SIDE`` pixels: multiplied from the left its columns, transposed
    from the right its rows."""
    weights = cv2.getGaussianKernel(2 * round(REACH * BLUR) + 1, BLUR, cv2.CV_32F)
    one, all_rows = np.ones((1, 1), np.float32), np.eye(SIDE, dtype=np.float32)
    return np.asarray(cv2.sepFilter2D(all_rows, -1, one, weights), np.float32)


def _proportion(ink: Floats) -> float:
    return float(ink.shape[1] / ink.shape[0])
