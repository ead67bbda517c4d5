"""Places in doubt that are no holes, because a drawn chain leads to them, or hardly starts, because their ground is a
number's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cardinal_chains.seeing.covered.certain import (
    OPEN,
    SAME_COLOUR,
    colours,
    is_new,
    sure_numbers,
    sure_starts,
    weighed,
)
from autoplayer.games.cardinal_chains.seeing.glyphs import odds
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place, around

IN_A_CHAIN = 0.01
"""Factor for the probability that a place to which a chain leads is empty."""

PLAIN_START = 0.05
"""Factor for the probability that a place with the numbers' ground is a start, if starts have other grounds."""


def on_plain_ground(places: Mapping[Cell, Place]) -> dict[Cell, Place]:
    """Doubtful places that are hardly starts: they have the numbers' ground, while each sure start has a ground that no
    number has. A line across a number, or a pointer over it, may make it look like an X."""
    numbers = [place.content.ground for alike in sure_numbers(places).values() for place in alike]
    starts = [place.content.ground for place in sure_starts(places)]
    if not (starts and numbers) or not all(is_new(start, numbers) for start in starts):
        return {}
    result = {}
    for cell, place in places.items():
        chances = dict(place.candidates)
        if len(chances) < 2 or not 0 < chances.get("X", 0.0) < OPEN or place.told:
            continue
        if not is_new(place.content.ground, numbers):
            result[cell] = replace(place, candidates=weighed({**chances, "X": PLAIN_START * chances["X"]}))
    return result


def in_chains(image: Image, places: Mapping[Cell, Place]) -> dict[Cell, Place]:
    """Places that may be empty by their look, but to which a chain leads: no chain goes into a hole. The chain has the
    colour of a start elsewhere, or that of the ink in the place, if no number has that colour and it does not lie
    between all places."""
    result = {}
    sure = sure_numbers(places)
    numbers = Counter({token: len(alike) for token, alike in sure.items()})
    of_numbers = [colours(alike)[0] for alike in sure.values()]
    starts = [place.content.ground for place in sure_starts(places)]
    ways: list[Floats] = []
    for cell, place in places.items() if starts else ():
        chances = dict(place.candidates)
        if not 0 < chances.get("", 0.0) < odds.LEGIBLE or place.told or place.apart:
            continue
        if not ways:
            pairs = ((one, places[(r, c + 1)]) for (r, c), one in places.items() if (r, c + 1) in places)
            ways = [_between(image, one, other) for one, other in pairs]
        own = place.content.colour
        hidden = not place.content.bare and is_new(own, of_numbers)
        hidden &= 2 * sum(not is_new(own, [way]) for way in ways) < len(ways)
        if _led(image, places, cell, [*starts, own] if hidden else starts):
            result[cell] = replace(place, candidates=weighed(_no_hole(chances, numbers, hidden)))
    return result


def _led(image: Image, places: Mapping[Cell, Place], cell: Cell, chains: Sequence[Floats]) -> bool:
    """Whether a chain in one of the colours ``chains`` leads from a neighbouring place to ``cell``."""
    place = places[cell]
    for near in around(cell):
        if near not in places or not places[near].candidates[0][0]:
            continue
        colour = _between(image, place, places[near])
        grounds = place.content.ground, places[near].content.ground
        drawn = any(float(np.abs(colour - ground).max()) > SAME_COLOUR for ground in grounds)
        if place.content.bare and float(np.abs(colour - place.content.ground).max()) > SAME_COLOUR:
            continue  # the colour ends at its border
        if drawn and any(float(np.abs(colour - chain).max()) < SAME_COLOUR / 2 for chain in chains):
            return True
    return False


def _between(image: Image, one: Place, other: Place) -> Floats:
    """The colour, BGR, in the middle between two places."""
    (x, y), (u, v) = one.box.centre, other.box.centre
    size = max(min(one.box.width, one.box.height) // 10, 1)
    between = Box((x + u) // 2 - size, (y + v) // 2 - size, 2 * size + 1, 2 * size + 1).crop(image)
    return np.asarray(np.median(between.reshape(-1, 3), axis=0), np.float32)


def _no_hole(chances: Mapping[str, float], numbers: Mapping[str, int], hidden: bool) -> dict[str, float]:
    """``chances`` of a place that is not empty. If hardly any number was among them, it may be any number on the board,
    weighted by how often it occurs; ``hidden``: it may also be a start whose mark lies under its own chain."""
    nothing = chances[""]
    found = {**chances, "": IN_A_CHAIN * nothing}
    if sum(p for token, p in chances.items() if token.isdigit()) < chances.get("X", 0.0):
        for token, count in numbers.items():
            found[token] = found.get(token, 0.0) + nothing * count / sum(numbers.values())
    if hidden:
        found["X"] = found.get("X", 0.0) + nothing
    return found
