"""Numbers that are drawn over the lines of chains, as most windows draw them: nothing of them is hidden, and they are
read in their own colour, without the line. Lines over the numbers are in ``under_lines``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats, Image, largest_channel
from autoplayer.games.cardinal_chains.seeing.covered.certain import OPEN, SAME_COLOUR, is_new
from autoplayer.games.cardinal_chains.seeing.glyphs import odds
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.vision import glyphs, ink

SHOWS, NARROWEST = 0.04, 3
"""The glyphs are drawn over the lines if at least this share of the lines' pixels, up to the middle of each place, has
a glyph's colour; and the breadth in pixels of the narrowest line of which that can be said."""


def upon_lines(
    image: Image, places: Mapping[Cell, Place], lines: Mapping[Cell, Floats], tints: Sequence[Floats]
) -> dict[Cell, odds.Candidates]:
    """The numbers that surely stand upon ``lines``, each given by its place and colour, BGR; ``tints``: the colours of
    the glyphs. Empty where the lines run over the numbers, or where that is not known."""
    seen = [_glyph_on(image, places[cell], line, tints) for cell, line in lines.items()]
    pixels, shown = (sum(counts) for counts in zip(*seen, strict=True))
    if not pixels or shown < SHOWS * pixels:
        return {}
    alone = {cell: _without(image, places[cell], line, tints) for cell, line in lines.items()}
    alone = {cell: one for cell, one in alone.items() if not one.bare}
    said = glyphs.read_numbers([one.ink for one in alone.values()])
    found = {}
    for cell, options in zip(alone, said, strict=True):
        chances = odds.possible(options)
        token = max(chances, key=lambda one: chances[one])
        earlier, chance = places[cell].candidates[0]
        if token.isdigit() and token == earlier and chance > OPEN and chances[token] > odds.LEGIBLE:
            found[cell] = places[cell].candidates
        elif token.isdigit() and chances[token] > OPEN and (token == earlier or chance <= OPEN):
            found[cell] = tuple(sorted(chances.items(), key=lambda pair: -pair[1]))
    return found


def _glyph_on(image: Image, place: Place, line: Floats, tints: Sequence[Floats]) -> tuple[int, int]:
    """How many pixels a line has from the side on which it comes in to the middle of its place, and how many of them
    have a glyph's colour; 0 and 0 if the line is too narrow."""
    patch = place.content.place.crop(image).astype(np.float32)
    drawn: NDArray[np.bool_] = np.zeros(patch.shape[:2], np.bool_)
    for tint in tints:
        if is_new(tint, [line, place.content.ground]):
            drawn |= largest_channel(np.abs(patch - tint)) < SAME_COLOUR
    own = largest_channel(np.abs(patch - line)) < SAME_COLOUR
    pixels = shown = 0
    for turned, ink_of in zip(_turned(own), _turned(drawn), strict=True):
        at = np.flatnonzero(turned[0])
        breadth = int(at[-1] - at[0]) + 1 if len(at) else 0
        if NARROWEST <= breadth < turned.shape[1] and len(at) == breadth:
            band = ink_of[: turned.shape[0] // 2, at[0] + 1 : at[-1]]  # without its soft edges
            pixels, shown = pixels + band.size, shown + int(band.sum())
    return pixels, shown


def _turned(mask: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], ...]:
    """Views in which each side in turn is the upper one."""
    return mask, mask[::-1], mask.T, mask[:, ::-1].T


def _without(image: Image, place: Place, line: Floats, tints: Sequence[Floats]) -> ink.Content:
    """The ink of a place's glyph, with its line as a second ground: how near each pixel is to the glyph's colour, in a
    mixture with the nearer of the two."""
    box = place.content.place
    patch, scale = ink.shrunk(image, box)
    ground = place.content.ground
    best: Floats = np.zeros(patch.shape[:2], np.float32)
    for tint in tints:
        if is_new(tint, [line, ground]):
            (of_ground, far), (of_line, farther) = (_mixed(patch, other, tint) for other in (ground, line))
            share = np.where(far < farther, of_ground, of_line) * (np.minimum(far, farther) < SAME_COLOUR)
            away = np.asarray(share * float(np.abs(tint - ground).max()), np.float32)
            best = away if away.sum() > best.sum() else best
    return ink.separated(patch[None], scale, best[None], ground[None], [box], 0.0)[0]


def _mixed(patch: Image, other: Floats, tint: Floats) -> tuple[Floats, Floats]:
    """Each pixel as a mixture of two colours: the share of ``tint``, and the difference that is left, grey levels."""
    way = tint - other
    share = np.clip((patch - other) @ way / max(float(way @ way), 1.0), 0, 1)
    return share, largest_channel(np.abs(patch - (other + share[..., None] * way)))
