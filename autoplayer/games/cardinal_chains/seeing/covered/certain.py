"""The sure glyphs of a board, their colours, and candidates in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autoplayer.core.frame import Cell, Floats, unlike
from autoplayer.games.cardinal_chains.seeing.glyphs import odds
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place

SAME_COLOUR, MOST_COLOURS = 32, 4
"""The largest difference in grey levels, in a channel, between glyphs of one colour; and how many colours are looked
for."""

OPEN = 0.98
"""A place with a token more probable than this is sure."""


def sure_starts(places: Mapping[Cell, Place]) -> list[Place]:
    return [p for p in places.values() if p.candidates[0][0] == "X" and p.candidates[0][1] > OPEN]


def sure_numbers(places: Mapping[Cell, Place]) -> dict[str, list[Place]]:
    """The places in which a number surely stands, by number."""
    sure: dict[str, list[Place]] = {}
    for place in places.values():
        token, p = place.candidates[0]
        if token.isdigit() and p > OPEN:
            sure.setdefault(token, []).append(place)
    return sure


def is_new(colour: Floats, others: Sequence[Floats]) -> bool:
    return all(unlike(colour, other) > SAME_COLOUR for other in others)


def colours(places: Sequence[Place]) -> list[Floats]:
    """The colours in which glyphs are drawn, the commonest first; a few if there are many."""
    found: list[tuple[int, Floats]] = []
    for place in places:
        for i, (count, colour) in enumerate(found):
            if unlike(colour, place.content.colour) < SAME_COLOUR:
                found[i] = count + 1, colour
                break
        else:
            found.append((1, place.content.colour))
    return [colour for _, colour in sorted(found, key=lambda one: -one[0])[:MOST_COLOURS]]


def weighed(chances: Mapping[str, float]) -> odds.Candidates:
    """The candidates of a place with probabilities that add up to 1, the likeliest first, without those too improbable
    to be worth a solver's time."""
    ranked = sorted(odds.normalised(chances).items(), key=lambda pair: -pair[1])
    return tuple(pair for pair in ranked if pair[1] >= odds.NEGLIGIBLE)
