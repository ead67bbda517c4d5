"""What stands in places that cannot be read for sure: under a pointer, a line, the edge of a veil. Compares what
shows of a glyph with the board's own glyphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.cardinal_chains import tokens
from autoplayer.games.cardinal_chains.board import Board, Place
from autoplayer.vision import ink
from autoplayer.vision.views import smoothed

GLYPH_LEFT = 0.15
"""Of a glyph's usual ink, the part that is left to see where a pointer lies over it; in the bench's development windows
it was never less than 0.24, and none at all where the place was a hole or a start in a colour of its own."""

PALE = 0.38
"""Ink of less contrast than this, as a share of the glyphs', is the edge of a shadow or veil: in all 12 windows of the
development side whose holes were smudged it was, and in none of 9 with a start that could not be read."""

SURE_HOLE, START_OR_HOLE, PERHAPS_HOLE, NO_HOLE = 0.97, 0.35, 0.3, 0.06
"""How probable it is that an illegible place is a hole: with pale ink; with strong ink of no glyph's colour (always a
start in those windows, but holes may be decorated); with ink of the glyphs' colour where there are no walls; and where
there are."""

PERHAPS_START = 0.25
"""How probable it is that an illegible place is a start: starts look like nothing in particular in some windows."""

WALLED = 0.2
"""How likely a glyph within walls of its own is none, against what the network and its face say: holes are bare."""

SAME_COLOUR, MOST_COLOURS = 32, 4
"""Grey levels in a channel up to which two glyphs have one colour; and how many colours are looked for."""

OPEN = 0.98
"""A place with a token more probable than this is compared with no examples."""

MOST_EXAMPLES = 6
"""Examples of one token that are averaged."""

SIDE = 48
"""Pixels: a place is compared at this size at most."""

SOFTNESS = 0.8
"""Pixels, the standard deviation of the blur of what is compared: edges fall on other pixels in every cell."""

UNLIKE = 0.35
"""A pixel that differs by more than this share of the glyphs' contrast from what a token would show is not explained by
it: something covers it, or it is another token. This and the next four were fitted to 169 places in doubt of 2800
windows of the development side: of them 46 were sure and right without the comparison, 91 with it, none wrong."""

WEIGHT = 8.0
"""How much it counts what a token leaves unexplained: a tenth of a glyph's ink makes it e^0.8 times less likely."""

COVERED = 0.02
"""How probable it is that the network read the cover, not the glyph: then it is any of the board's, by their number."""

LARGEST_COVER = 4.0
"""A cover of more ink than so many glyphs leaves nothing to compare: a veil over all of the place."""

UNKNOWN_LOOK, KINDS, NEW = 1.5, 5, 0.5
"""What is held against a token that the board has no example of, because its look is not known; and besides, as many
tokens are new as stand on the board but once (Good and Turing's estimate; Good 1953), shared among so many kinds, the
logarithm weighed by this."""

MOST_AGAINST = 8.0
"""More than this, as a logarithm, is not held against a token: glyphs waver."""

CLOSEST = 6
"""Tokens that are compared with a place a pixel to every side as well, the likest first."""

MOST_COMPARED = 16
"""Places in doubt of which what shows is compared: with more of them the picture is spoiled, not covered."""


def lifted(image: Image, board: Board) -> dict[Cell, Place]:
    """The places of which more is known once the whole board is, with what they may hold."""
    result = _judged(image, board)
    return result | _by_what_shows(image, board, board.places | result)


def _by_what_shows(image: Image, board: Board, places: Mapping[Cell, Place]) -> dict[Cell, Place]:
    """Single places in doubt, explained by the board's own glyphs: how much of what is seen there would each of them
    leave unexplained? A cover is left by all of them, but the strokes that show beside it by the others only."""
    often = Counter(place.cluster for place in places.values())
    doubted = {
        cell: place
        for cell, place in places.items()
        if often[place.cluster] == 1 and not place.told and not place.content.bare and place.candidates[0][1] < OPEN
    }
    clear = [p for p in places.values() if p.candidates[0][0] and p.candidates[0][1] > OPEN and not p.content.bare]
    if not clear or not 0 < len(doubted) <= MOST_COMPARED:
        return {}
    image, _ = smoothed(image)
    looks = _looks(image, clear)
    mass = float(np.median([look.ink.sum() for look in looks.values()]))
    counts = Counter(place.candidates[0][0] for place in clear)
    once = sum(count == 1 for count in counts.values()) + 0.5
    rare = NEW * max(float(np.log(KINDS * len(clear) / len(counts) / once)), 0.0)
    result = {}
    for cell, place in doubted.items():
        if place.candidates[0][0] == "X" and "X" not in looks:
            continue  # a start that is known by its mark alone
        left = _unexplained(image, place, looks, dict(board.places[cell].candidates).get("X", 0.0) > LIKE_AN_X)
        if not left:
            continue
        cover = min(largest for _, largest in left.values())
        if cover > LARGEST_COVER * mass:
            continue
        chances = {token: (1 - COVERED) * p for token, p in place.candidates}
        for token in left:
            chances[token] = chances.get(token, 0.0) + COVERED * counts[token] / len(clear)
        for token, p in chances.items():
            more = WEIGHT * (left[token][0] - cover) / max(mass, 1.0) if token in left else UNKNOWN_LOOK + rare
            chances[token] = p * float(np.exp(-min(more, MOST_AGAINST)))
        result[cell] = replace(place, candidates=_weighed(chances))
    return result


@dataclass(frozen=True)
class _Look:
    """What a token looks like on this board: how much ink each pixel of its place holds, shape ``(h, w)``, and the
    colours that it has been seen in."""

    ink: Floats
    colours: tuple[Floats, ...]


def _looks(image: Image, clear: Sequence[Place]) -> dict[str, _Look]:
    examples: dict[str, list[Place]] = {}
    for place in clear:
        if len(examples.setdefault(place.candidates[0][0], [])) < MOST_EXAMPLES:
            examples[place.candidates[0][0]].append(place)
    looks = {}
    for token, seen in examples.items():
        sheets = []
        for place in seen:
            away = ink.distance_from_ground(_patch(image, place), place.content.ground)
            sheets.append(np.clip(away / max(place.content.contrast, 1.0), 0, 1))
        same = [sheet for sheet in sheets if sheet.shape == sheets[0].shape]
        looks[token] = _Look(_blurred(np.mean(same, axis=0)), tuple(_colours(seen)))
    return looks


def _patch(image: Image, place: Place) -> Image:
    patch = place.content.place.crop(image)
    scale = SIDE / max(patch.shape[:2])
    if scale >= 1:
        return patch
    size = max(round(patch.shape[1] * scale), 1), max(round(patch.shape[0] * scale), 1)
    return np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.uint8)


def _blurred(sheet: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(np.asarray(sheet, np.float32), (0, 0), SOFTNESS), np.float32)


LIKE_AN_X = 0.1
"""How probable the network must find a start for it to have a colour that no other start has."""


def _unexplained(
    image: Image, place: Place, looks: Mapping[str, _Look], any_colour: bool
) -> dict[str, tuple[int, int]]:
    """For each token, and for none, how many pixels of a place it would not explain, and how many of those hang
    together at most. ``any_colour``: whether a start there may have a colour of its own."""
    patch, ground = _patch(image, place), place.content.ground
    away = _blurred(patch.astype(np.float32) - ground)
    fits = {token: look for token, look in looks.items() if look.ink.shape == patch.shape[:2]}
    if "X" in fits and any_colour:
        fits["X"] = replace(fits["X"], colours=(*fits["X"].colours, place.content.colour))
    contrast = float(np.median([np.abs(look.colours[0] - ground).max() for look in looks.values()]))
    unlike = UNLIKE * max(contrast, ink.FAINTEST)
    found = {"": np.abs(away).max(axis=2) > unlike}
    for token, look in fits.items():
        found[token] = _rest(away, look, ground, unlike, STRAIGHT)
    for token in sorted(fits, key=lambda token: int(found[token].sum()))[:CLOSEST]:
        found[token] = _rest(away, fits[token], ground, unlike, AROUND)
    result = {}
    for token, rest in found.items():
        count, _, stats, _ = cv2.connectedComponentsWithStats(rest.astype(np.uint8), connectivity=8)
        result[token] = int(rest.sum()), int(stats[1:, 4].max()) if count > 1 else 0
    return result


STRAIGHT = ((0, 0),)
AROUND = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))
"""By how many pixels to the right and down glyphs may stand elsewhere in their cells than their like."""


def _rest(
    away: Floats, look: _Look, ground: Floats, unlike: float, shifts: Sequence[tuple[int, int]]
) -> NDArray[np.bool_]:
    """The pixels of a place that a token does not explain in the best of some places and of its colours; ``away``: how
    far each pixel is from the ground's colour, shape ``(h, w, 3)``; ``unlike``: grey levels."""
    best: NDArray[np.bool_] = np.ones(away.shape[:2], np.bool_)
    for colour in look.colours:
        way = colour - ground
        for right, down in shifts:
            shown = np.roll(look.ink, (down, right), (0, 1))
            rest = np.abs(away - shown[..., None] * way).max(axis=2) > unlike
            if rest.sum() < best.sum():
                best = rest
    return best


def _judged(image: Image, board: Board) -> dict[Cell, Place]:
    """The places whose ink is nothing that can be read, judged by what there is of the glyphs' own colour: a pointer or
    a hint may lie over any of the board's numbers, of which some is left to see; a start may have a colour of its own;
    a shadow's edge in a hole is pale. What stays open the rules decide."""
    clear = [p for p in board.places.values() if p.candidates[0][0] and p.candidates[0][1] > tokens.LEGIBLE]
    legible = Counter(place.candidates[0][0] for place in clear)
    if not clear:
        return {}
    contrast = float(np.median([place.content.contrast for place in clear]))
    mass = float(np.median([_mass(place.content) for place in clear]))
    colours = _colours(clear)
    result = {}
    alone = 1 + max(place.cluster for place in board.places.values())
    for number, (cell, place) in enumerate(board.places.items(), alone):
        chances = dict(place.candidates)
        nothing = chances.pop("", 0.0)
        pale = place.content.contrast < PALE * contrast
        if place.content.bare or place.told or not (nothing or pale):
            continue
        foreign = min(float(np.abs(colour - place.content.colour).max()) for colour in colours) > SAME_COLOUR
        if pale and foreign and place.candidates[0][0] not in ("", "X"):
            # What is pale and of no glyph's colour resembles a number by accident: a veil's rim.
            found = {token: (1 - SURE_HOLE) * p for token, p in chances.items()}
            result[cell] = replace(place, candidates=_weighed(found | {"": SURE_HOLE}), cluster=number)
            continue
        if not nothing:
            continue
        left = max(_mass(ink.content_in_colour(image, place.content.place, colour)) for colour in colours)
        if place.candidates[0][0]:
            if left > GLYPH_LEFT * mass and board.walled and cell in board.lattice.cells:
                result[cell] = replace(place, candidates=_weighed({**chances, "": nothing * WALLED}))
            continue
        if left > GLYPH_LEFT * mass:
            hole = NO_HOLE if cell in board.lattice.cells else PERHAPS_HOLE
            share = (1 - PERHAPS_START) * nothing / sum(legible.values())
            rest = {"X": PERHAPS_START * nothing} | {token: share * n for token, n in legible.items() if token != "X"}
        else:
            hole = SURE_HOLE if pale else START_OR_HOLE
            chances, rest = {}, {"X": 1.0}
        for token, p in rest.items():
            chances[token] = chances.get(token, 0.0) + p
        whole = sum(chances.values()) / (1 - hole)
        options = _weighed({"": hole} | {token: p / whole for token, p in chances.items()})
        result[cell] = replace(place, candidates=options, cluster=number)  # two covers may hide two numbers
    return result


def _weighed(chances: Mapping[str, float]) -> tokens.Candidates:
    """What a place may hold, the likeliest first, adding up to 1, without what is not worth a solver's time."""
    total = sum(chances.values())
    ranked = sorted(((token, p / total) for token, p in chances.items()), key=lambda pair: -pair[1])
    return tuple(pair for pair in ranked if pair[1] >= tokens.NEGLIGIBLE)


def _mass(here: ink.Content) -> float:
    """How much ink there is, in square pixels."""
    return 0.0 if here.bare else float(here.ink.sum()) * (here.box.height / here.ink.shape[0]) ** 2


def _colours(places: Sequence[Place]) -> list[Floats]:
    """The colours in which glyphs are drawn, those of most of them first; a few where there are many."""
    found: list[tuple[int, Floats]] = []
    for place in places:
        for i, (count, colour) in enumerate(found):
            if float(np.abs(colour - place.content.colour).max()) < SAME_COLOUR:
                found[i] = count + 1, colour
                break
        else:
            found.append((1, place.content.colour))
    return [colour for _, colour in sorted(found, key=lambda one: -one[0])[:MOST_COLOURS]]
