"""Numbers of two digits, compared digit by digit with the window's own typeface: the 7 of 78 is the 7 of 47 and not a
1, because the board's 1s look different. Whole numbers (``face``) seldom occur twice, their digits often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from autoplayer.core.frame import Floats
from autoplayer.vision import alike, face, glyphs

DIGITS = glyphs.CLASSES[:10]

SURELY_TWO = 0.8
"""How probable it must be that an ink is two digits, whichever they are."""

SPOKESMEN = 2
"""How many of a cluster of equal numbers are split into digits."""

LEAST = 1e-5
"""Digits less probable than this are left out."""


def compare(
    inks: Sequence[Floats], cluster: Sequence[int], chances: Mapping[int, Mapping[str, float]]
) -> dict[int, dict[str, float]]:
    """Better probabilities for each cluster of numbers, with the arguments of ``face.compare``: candidates with the
    number of digits that the cluster surely has share their probability anew. Unchanged if no cluster has two
    digits."""
    result = {number: dict(options) for number, options in chances.items()}
    length = {number: _length(options) for number, options in chances.items()}
    if 2 not in length.values():
        return result
    members: dict[int, list[int]] = {}
    for i, number in enumerate(cluster):
        members.setdefault(number, []).append(i)
    parted = [(n, i) for n in chances if length[n] == 2 for i in members[n][:SPOKESMEN]]
    pieces: list[Floats] = []
    owner: list[tuple[int, int]] = []  # the number of a cluster, and which of its digits
    for (number, _), pair in zip(parted, glyphs.in_two([inks[i] for _, i in parted]), strict=True):
        if pair is not None:
            pieces += pair
            owner += [(number, 0), (number, 1)]
    said = [_only_digits(dict(zip(glyphs.CLASSES, map(float, row), strict=True))) for row in glyphs.classify(pieces)]
    for number in chances:
        if length[number] == 1:
            pieces.append(inks[members[number][0]])
            owner.append((number, 0))
            said.append(_only_digits(result[number]))
    same = alike.clusters(pieces)
    judged = face.compare(pieces, same, alike.joint(same, said))
    for number, options in result.items():
        digits = [
            [judged[k] for k, whose in zip(same, owner, strict=True) if whose == (number, place)]
            for place in range(length[number])
        ]
        if digits and all(digits):
            result[number] = _shared(options, [_mean(some) for some in digits])
    return result


def _length(options: Mapping[str, float]) -> int:
    """How many digits a number surely has, 1 or 2; 0 if that is not sure, or if it is no number."""
    for length in (1, 2):
        if sum(p for token, p in options.items() if token.isdigit() and len(token) == length) > SURELY_TWO:
            return length
    return 0


def _only_digits(options: Mapping[str, float]) -> dict[str, float]:
    kept = {digit: options.get(digit, 0.0) for digit in DIGITS if options.get(digit, 0.0) > LEAST}
    total = sum(kept.values())
    return {digit: p / total for digit, p in kept.items()} if total else dict.fromkeys(DIGITS, 0.1)


def _mean(some: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {digit: float(np.mean([one.get(digit, 0.0) for one in some])) for digit in DIGITS}


def _shared(options: Mapping[str, float], digits: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """``options`` with the probability of its numbers with so many digits divided anew by the probabilities of each
    digit."""
    numbers = {"": 1.0}
    for chances in digits:
        numbers = {
            before + digit: p * q for before, p in numbers.items() for digit, q in chances.items() if p * q > LEAST
        }
    numbers = {token: p for token, p in numbers.items() if not token.startswith("0")}
    total = sum(numbers.values())
    kept = {token: p for token, p in options.items() if not (token.isdigit() and len(token) == len(digits))}
    if not total:
        return dict(options)
    mass = sum(options.values()) - sum(kept.values())
    return kept | {token: mass * p / total for token, p in numbers.items()}
