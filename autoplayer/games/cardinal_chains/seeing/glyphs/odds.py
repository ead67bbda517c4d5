"""How likely the tokens of a cell are: their probabilities, and what the rest of a board says about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

Candidates = tuple[tuple[str, float], ...]
"""What a place may hold, ``(token, probability)``, the likeliest first; the token "" for nothing that can be read."""

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""

POSSIBLE = 0.05
"""A start at least this probable may be one of the board's starts; without any, no chain begins."""

LEGIBLE = 0.9
"""A glyph less probable than this is looked at in other ways before it becomes a doubt."""

ACCIDENT = 0.1
"""Factor for the probability that the ink of a place is no number and no start, relative to the network's opinion and
to a number that no other cell shows. This and the next four were fitted together with the constants of ``face``."""

START_FIRST, START_AGAIN = 1.6, 6.0
"""The same for a start, if no other is sure, and if one is: starts have colours of their own, so that equal ones are
seldom recognised as equal."""

MISSING, BEYOND = 2.2, 1.9
"""If all numbers from 1 up to the highest sure one occur on the board except one, this one is e^2.2 times as likely as
any other, and each step beyond the highest makes a number e^1.9 times less likely."""

DENSE = 0.5
"""How completely the numbers up to the highest occur on a board on which only a 1 is known."""

LARGE = 0.5
"""Where no number is sure, each step above 1 makes a number e^0.5 times less likely: levels begin with 1."""


def expected(token: str, sure: AbstractSet[str]) -> float:
    """The prior of a token on a board on which the tokens ``sure`` stand: levels usually count from 1 on without
    leaving numbers out."""
    if token == "":
        return ACCIDENT
    if token == "X":
        return START_AGAIN if "X" in sure else START_FIRST
    numbers = {int(one) for one in sure if one != "X"}
    highest = max(numbers, default=0)
    if not highest:
        return float(np.exp(-LARGE * min(int(token) - 1, 5)))
    if token in sure:
        return 1.0
    dense = (len(numbers) - 1) / (highest - 1) if highest > 1 else DENSE
    # A single number says little about gaps: yet a 7 above a 2 is less likely than a 1 below it.
    dense = max(dense, (len(numbers) - 1 + DENSE) / highest)
    above = int(token) - highest
    return float(np.exp(MISSING * dense if above < 0 else -BEYOND * dense * min(above, 5)))


def possible(options: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Only tokens that a cell can hold: no zero, and no number of three digits."""
    kept = {token: p for token, p in options if len(token) < 3 and not token.startswith("0")}
    return normalised(kept) if sum(kept.values()) > 0.01 else {"": 1.0}


def normalised(chances: Mapping[str, float]) -> dict[str, float]:
    """The same candidates, with probabilities that add up to 1."""
    total = sum(chances.values())
    return {token: p / total for token, p in chances.items()}


def likeliest(options: Mapping[str, float]) -> str:
    """The token with the highest probability."""
    return max(options, key=lambda token: options[token])


def top(options: dict[str, float]) -> float:
    """The probability of the likeliest number or X."""
    return max((p for token, p in options.items() if token), default=0.0)


def clarity(candidates: Sequence[tuple[str, float]]) -> float:
    """As :func:`probability`, for the question whether something is a number at all: a 1 with a flag and no foot is the
    7 of many other typefaces, and no less clear for that."""
    chances = dict(candidates)
    both = chances.get("1", 0.0) + chances.get("7", 0.0)
    return max(probability(candidates), both if candidates[0][0] in ("1", "7") else 0.0)


def probability(candidates: Sequence[tuple[str, float]]) -> float:
    """The probability of the best number or X; 0 if "nothing legible" is likelier."""
    token, probability = candidates[0]
    return probability if token else 0.0
