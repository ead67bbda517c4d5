"""Boards on which each number has tiles of a colour of its own: there the tile says which number a chain's line or
something else hides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autoplayer.core.frame import Cell, Floats, unlike
from autoplayer.games.cardinal_chains.seeing.covered.certain import OPEN, sure_numbers, weighed
from autoplayer.games.cardinal_chains.seeing.glyphs.tiles import SAME, tiles_by_number
from autoplayer.games.cardinal_chains.seeing.glyphs.views import touches
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place

PERHAPS, OTHERWISE = 0.05, 0.001
"""The least probability, before the tile is looked at, of the number whose colour it has; and the factor for anything
else."""


def by_value_colours(places: Mapping[Cell, Place]) -> dict[Cell, Place]:
    """The places in doubt, or crossed by something, whose tile has the colour of one number, with their candidates by
    that; empty if the tiles' colours do not tell the numbers apart."""
    tiles = _tiles(places)
    result = {}
    for cell, place in places.items() if tiles else ():
        token, chance = place.candidates[0]
        whole = token and chance > OPEN and not touches(place.content)
        own = [number for number, tile in tiles.items() if unlike(place.content.ground, tile) <= SAME]
        if own and not (whole or place.told or place.content.bare):
            before = dict(place.candidates)
            chances = {each: OTHERWISE * p for each, p in before.items()}
            chances[own[0]] = max(before.get(own[0], 0.0), PERHAPS)
            result[cell] = replace(place, candidates=weighed(chances), crossed=True)
    return result


def _tiles(places: Mapping[Cell, Place]) -> dict[str, Floats]:
    """:func:`tiles_by_number` of the whole numbers among some places."""
    whole = {cell: place for cell, place in places.items() if not (place.content.bare or touches(place.content))}
    return tiles_by_number(
        {token: [place.content.ground for place in some] for token, some in sure_numbers(whole).items()}
    )
