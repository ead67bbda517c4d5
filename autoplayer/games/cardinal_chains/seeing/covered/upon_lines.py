"""Numbers that are drawn over the lines of chains, as most windows draw them: nothing of them is hidden, and they are
read in their own colour, without the line. Lines over the numbers are in ``under_lines``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats, Image, largest_channel
from autoplayer.games.cardinal_chains.seeing.covered.certain import OPEN, SAME_COLOUR, is_new
from autoplayer.games.cardinal_chains.seeing.glyphs import odds
from autoplayer.games.cardinal_chains.seeing.glyphs.views import touches
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.vision import glyphs, ink

LIKE_A_LINE = "1"
"""What a line may be taken for."""

SHOWS, HALF = 0.08, 0.5
"""The glyphs are drawn over the lines if at least this share of the lines' pixels where glyphs stand, up to the middle
of each place, has at least this share of a glyph's colour."""

DEEPER = 1.0, 1.3, 1.7, 2.2
"""How much farther from the ground than the strongest of its pixels the colour of a thin stroke may be."""


def upon_lines(
    image: Image, places: Mapping[Cell, Place], lines: Mapping[Cell, Floats], tints: Sequence[Floats]
) -> dict[Cell, odds.Candidates]:
    """The numbers that surely stand upon ``lines``, each given by its place and colour, BGR; ``tints``: the colours of
    the glyphs. Empty where the lines run over the numbers, or where that is not known."""
    boxes = [
        p.content.box
        for p in places.values()
        if odds.probability(p.candidates) > odds.LEGIBLE and not touches(p.content)
    ]
    if not boxes:
        return {}
    tints = [_deepest(image, places, lines, tint) for tint in tints]
    size = float(np.median([box.width for box in boxes])), float(np.median([box.height for box in boxes]))
    seen = [_glyph_on(image, places[cell], line, tints, size) for cell, line in lines.items()]
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
        elif token.isdigit() and chances[token] > OPEN and (chance <= OPEN or earlier in (token, LIKE_A_LINE)):
            found[cell] = tuple(sorted(chances.items(), key=lambda pair: -pair[1]))
    return found


def _deepest(image: Image, places: Mapping[Cell, Place], lines: Mapping[Cell, Floats], tint: Floats) -> Floats:
    """A glyphs' colour, ``tint``, as the middle of broad strokes would have it: no part of a thin one with soft edges
    has it in full, and what is short of it upon its ground would be another colour upon a line. It is that of some
    deeper ones by which most of what is drawn upon the lines is a mixture."""
    most, grounds = [], []
    for place in places.values():
        if not (place.content.bare or touches(place.content) or is_new(place.content.colour, [tint])):
            way = tint - place.content.ground
            patch = place.content.box.crop(image).astype(np.float32)
            most.append(float(((patch - place.content.ground) @ way).max() / max(float(way @ way), 1.0)))
            grounds.append(place.content.ground)
    if not most:
        return tint
    ground = np.median(grounds, axis=0)
    depths = np.outer(max(float(np.median(most)), 1.0) * np.array(DEEPER), tint - ground) + ground
    deeper = [np.asarray(np.clip(depth, 0, 255), np.float32) for depth in depths]
    patches = [
        (place.content.place.crop(image), place.content.ground, line)
        for cell, line in lines.items()
        if (place := places[cell])
    ]
    return max(deeper, key=lambda one: sum(_explained(*each, one) for each in patches))


def _explained(patch: Image, ground: Floats, line: Floats, tint: Floats) -> int:
    """How many pixels of a place are a mixture of ``tint`` with its ground or its line."""
    far = np.minimum(*(_mixed(patch, other, tint)[1] for other in (ground, line)))
    return int((far < SAME_COLOUR).sum())


def _glyph_on(
    image: Image, place: Place, line: Floats, tints: Sequence[Floats], size: tuple[float, float]
) -> tuple[int, int]:
    """How many pixels a line has from the side on which it comes in to the middle of its place, within a glyph's
    ``size`` (width and height, pixels), and how many of them have a glyph's colour; 0 and 0 if nothing is left
    of the line without its soft edges."""
    patch = place.content.place.crop(image).astype(np.float32)
    drawn: NDArray[np.bool_] = np.zeros(patch.shape[:2], np.bool_)
    for tint in tints:
        if is_new(tint, [line, place.content.ground]):
            share, beside = _mixed(patch, line, tint)
            drawn |= (share >= HALF) & (beside < SAME_COLOUR)
    (height, width), (x, y) = drawn.shape, (round(length / 2) for length in size)
    within: NDArray[np.bool_] = np.zeros(drawn.shape, np.bool_)
    within[max(height // 2 - y, 0) : height // 2 + y + 1, max(width // 2 - x, 0) : width // 2 + x + 1] = True
    own = largest_channel(np.abs(patch - line)) < SAME_COLOUR
    pixels = shown = 0
    for side, ink_of, inside in zip(_turned(own), _turned(drawn), _turned(within), strict=True):
        at = np.flatnonzero(side[0])
        if 2 < len(at) < side.shape[1] and at[-1] - at[0] == len(at) - 1:
            band = slice(0, side.shape[0] // 2), slice(at[0] + 1, at[-1])
            pixels, shown = pixels + int(inside[band].sum()), shown + int((ink_of & inside)[band].sum())
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


def _mixed(patch: Image | Floats, other: Floats, tint: Floats) -> tuple[Floats, Floats]:
    """Each pixel as a mixture of two colours: the share of ``tint``, and the difference that is left, grey levels."""
    way = tint - other
    share = np.clip((patch - other) @ way / max(float(way @ way), 1.0), 0, 1)
    return share, largest_channel(np.abs(patch - (other + share[..., None] * way)))
