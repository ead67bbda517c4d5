"""What a glyph is, judged by the window's own typeface: all glyphs of a window come from one face, so that what looks
like a sure 4 is a 4, and what looks like no sure 1 is none. Knows no game.

The network reads each glyph by itself. Here the clusters of equal glyphs (``alike.clusters``) are compared with one
another: those that are sure are examples of their token, and the others weigh their candidates by how like these
examples they are. The constants are a conditional logit (McFadden 1974) of the true token among a cluster's
candidates, fitted to 1200 doubtful clusters of 250 windows of the bench's development side, half of them with their
typefaces bent at random, so that no network had seen them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

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
    vectors = np.stack([_vector([inks[i] for i in members[number][:MOST_MEMBERS]]) for number in numbers])
    likeness = vectors @ vectors.T
    slim = np.log([float(np.median([_proportion(inks[i]) for i in members[number]])) for number in numbers])
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


def _vector(inks: Sequence[Floats]) -> Floats:
    """The mean look of some equal glyphs, a unit vector."""
    total = np.zeros(SIDE * SIDE, np.float32)
    for one in inks:
        small = cv2.resize(np.asarray(one, np.float32), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        flat = cv2.GaussianBlur(small, (0, 0), BLUR).ravel()
        flat = flat - flat.mean()
        total += flat / max(float(np.linalg.norm(flat)), 1e-6)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-6), np.float32)


def _proportion(ink: Floats) -> float:
    return float(ink.shape[1] / ink.shape[0])
