"""What a glyph is, judged by the window's own typeface: all glyphs of a window come from one face, so that what looks
like a sure 4 is a 4, and what looks like no sure 1 is none. Knows no game.

The network reads each glyph by itself. Here the clusters of equal glyphs (``alike.clusters``) are compared with one
another: those that are sure are examples of their token, and the others weigh their candidates by how like these
examples they are. The constants are a conditional logit (McFadden 1974) of the true token among a cluster's
candidates, fitted to 1200 doubtful clusters of 250 windows of the bench's development side, half of them with their
typefaces bent at random, so that no network had seen them.
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
"""What a glyph may be: token to probability; the token "" for no glyph at all."""

Expectation = Callable[[str, AbstractSet[str]], float]
"""How much likelier or less likely a game makes a token, given all tokens of which the window has sure examples."""

SURE = 0.9
"""A cluster with a token more probable than this is an example of it. One in two hundred of these is none; a mistaken
example makes other mistakes a little likelier, never sure by itself."""

ROUNDS = 2
"""How often all are compared: those that became sure are examples for the others."""

SIDE = 20
"""Pixels: glyphs are compared at this size, whatever their proportions, slightly blurred (edges of small glyphs fall on
other pixels in every cell; unblurred, or in their own proportions, likeness says less)."""

BLUR = 1.0
"""The blur's standard deviation, in pixels of ``SIDE``."""

REACH = 4
"""How far the blur reaches, in standard deviations."""

SHARPNESS = 1.8
"""How much a lack of likeness counts: a correlation lower by 0.1 makes a token 1.2 times less likely. That is little,
because what is in doubt is mostly damaged, and then like nothing."""

SLIMNESS = 4.0
"""The same for the proportion of width to height, as its logarithm, beyond ``SLACK``."""

SLACK = 0.1

SPLIT = 0.24
"""How likely a glyph is another copy of an example that it was not found equal to, against a token without example,
in a window that shows equal glyphs alike. In a noisy one nothing follows from it."""

TYPICAL = 30
"""Percent: so many glyphs of a window are less like their like than what counts as usual in this window."""

FEW = 3
"""In a window with fewer clusters than this, what is usual cannot be measured …"""
USUAL = 0.97
"""… and is taken to be this correlation."""

MOST_MEMBERS = 4
"""Glyphs of a cluster that are averaged: more are no clearer."""


def compare(
    inks: Sequence[Floats],
    cluster: Sequence[int],
    chances: Mapping[int, Chances],
    expected: Expectation = lambda token, sure: 1.0,
) -> dict[int, dict[str, float]]:
    """Better chances for each cluster, each a distribution over the tokens that it had before.

    ``inks``: shape ``(h, w)`` each, 0 to 1, cut to the bounding box; ``cluster``: the number of each, equal for equal
    glyphs; ``chances``: what the network says of each cluster, by its number.
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
        for at, number in enumerate(numbers):
            weighed = {
                token: p * expected(token, sure) * _fits(at, examples.get(token, []), likeness, slim, usual, split)
                for token, p in first[number].items()
            }
            total = sum(weighed.values())
            after[number] = {t: p / total for t, p in weighed.items()} if total > 0 else dict(first[number])
        now = after
    return now


def _examples(numbers: Sequence[int], chances: Mapping[int, Chances]) -> dict[str, list[int]]:
    """For each token, the places in ``numbers`` of the clusters that surely are it."""
    found: dict[str, list[int]] = {}
    for at, number in enumerate(numbers):
        token = max(chances[number], key=lambda t: chances[number][t], default="")
        if token and chances[number][token] > SURE:
            found.setdefault(token, []).append(at)
    return found


def _split(examples: Mapping[str, Sequence[int]], sizes: Sequence[int]) -> float:
    """How likely a glyph is another copy of an example that it was not found equal to, against a token without one:
    the more so, the more often that happens in this window."""
    glyphs = sum(sizes[at] for found in examples.values() for at in found)
    apart = sum(len(found) - 1 for found in examples.values())
    return min(max(SPLIT, 2 * apart / max(glyphs - len(examples), 1)), 1.0)


def _fits(at: int, examples: Sequence[int], likeness: Floats, slim: Floats, usual: float, split: float) -> float:
    """How well a cluster goes with the examples of a token, against a token that has none (1)."""
    others = [one for one in examples if one != at]
    if not others:
        return 1.0
    best = max(others, key=lambda one: float(likeness[at, one]))
    lack = max(usual - float(likeness[at, best]), 0.0)
    slimmer = max(abs(float(slim[at] - slim[best])) - SLACK, 0.0)
    return split * float(np.exp(-SHARPNESS * lack - SLIMNESS * slimmer))


def _usual(likeness: Floats, sizes: Sequence[int]) -> float:
    """How like its like a glyph of this window is as a rule; 1 where most have company in their own cluster."""
    if len(sizes) < FEW:
        return USUAL
    nearest = (likeness - 2 * np.eye(len(sizes), dtype=np.float32)).max(axis=1)
    best = np.repeat(np.where(np.array(sizes) > 1, 1.0, nearest), sizes)
    return float(np.percentile(best, TYPICAL))


def _vectors(groups: Sequence[Sequence[Floats]]) -> Floats:
    """The mean look of the glyphs of each of some groups, all of one group equal: a unit vector a group."""
    sizes = [len(group) for group in groups]
    small = np.empty((sum(sizes), SIDE, SIDE), np.float32)
    for one, place in zip((ink for group in groups for ink in group), small, strict=True):
        cv2.resize(np.asarray(one, np.float32), (SIDE, SIDE), dst=place, interpolation=cv2.INTER_AREA)
    blur = _blur()
    units = _units((blur @ small @ blur.T).reshape(len(small), -1), centred=True)
    return _units(np.add.reduceat(units, np.cumsum([0, *sizes[:-1]]), axis=0), centred=False)


def _units(flat: Floats, *, centred: bool) -> Floats:
    """Each row as a unit vector; ``centred``: without its mean."""
    if centred:
        flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


@functools.cache
def _blur() -> Floats:
    """What blurs a picture of ``SIDE`` pixels a side: from the left its columns, transposed from the right its rows."""
    weights = cv2.getGaussianKernel(2 * round(REACH * BLUR) + 1, BLUR, cv2.CV_32F)
    one, all_rows = np.ones((1, 1), np.float32), np.eye(SIDE, dtype=np.float32)
    return np.asarray(cv2.sepFilter2D(all_rows, -1, one, weights), np.float32)


def _proportion(ink: Floats) -> float:
    return float(ink.shape[1] / ink.shape[0])
