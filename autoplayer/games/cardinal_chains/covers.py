"""What stands in places that cannot be read for sure: under a pointer, a line, the edge of a veil. Compares what
shows of a glyph with the board's own glyphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.cardinal_chains import tokens
from autoplayer.games.cardinal_chains.board import Board, Place
from autoplayer.vision import ink

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

BESIDE = 0.02
"""A place that was not found as equal to the others, and is nothing with this chance, may be no part of the board: its
ink is not to be explained by the board's glyphs."""

OPEN = 0.98
"""A place with a token more probable than this is compared with no examples."""

MOST_EXAMPLES = 6
"""Examples of one token that are averaged."""

STROKE, GROUND = 0.6, 0.25
"""An example's ink from here on is expected to be seen; a place's ink up to here is bare ground."""

CONTRADICTION = 8.0
"""How much it counts where a token's stroke is expected and the bare ground is seen, or where ink of the glyphs' colour
is seen and none is expected: a tenth of a glyph's ink makes the token e^0.8 times less likely."""

MOST_AGAINST = 6.0
"""More than this, as a logarithm, is not held against a token: glyphs waver."""


def lifted(image: Image, board: Board) -> dict[Cell, Place]:
    """The places of which more is known once the whole board is, with what they may hold."""
    result = _judged(image, board)
    return result | _by_what_shows(image, board, board.places | result)


def _by_what_shows(image: Image, board: Board, places: Mapping[Cell, Place]) -> dict[Cell, Place]:
    """Single places in doubt, compared with the board's own glyphs at the same spot of their places. A cover hides
    strokes, but shows no bare ground where one should be, and has not the glyphs' colour."""
    often = Counter(place.cluster for place in places.values())
    doubted = {
        cell: place
        for cell, place in places.items()
        if often[place.cluster] == 1
        and not place.told
        and not place.content.bare
        and place.candidates[0][1] < OPEN
        and (cell in board.lattice.cells or dict(place.candidates).get("", 0.0) < BESIDE)
    }
    clear = [p for p in places.values() if p.candidates[0][0] and p.candidates[0][1] > OPEN and not p.content.bare]
    if not doubted or not clear:
        return {}
    contrast = float(np.median([place.content.contrast for place in clear]))
    examples: dict[str, list[Floats]] = {}
    for place in clear:
        token = place.candidates[0][0]
        if len(examples.setdefault(token, [])) < MOST_EXAMPLES:
            examples[token].append(_sheet(image, place, place.content.contrast)[0])
    means = {}
    for token, sheets in examples.items():
        same = [sheet for sheet in sheets if sheet.shape == sheets[0].shape]
        means[token] = np.mean(same, axis=0)
    mass = float(np.median([(mean > STROKE).sum() for mean in means.values()]))
    colour = np.median(np.stack([place.content.colour for place in clear]), axis=0)
    counts = Counter(place.candidates[0][0] for place in clear)
    once = sum(count == 1 for count in counts.values()) + 0.5
    rare = max(float(np.log(KINDS * len(clear) / len(counts) / once)), 0.0)
    result = {}
    for cell, place in doubted.items():
        if place.candidates[0][0] == "X" and "X" not in means:
            continue  # a start that is known by its mark alone
        sheet, patch = _sheet(image, place, contrast)
        bare = cv2.dilate(np.asarray(sheet, np.float32), SOFT) < GROUND
        bare &= ~_enclosed(sheet)
        own = (np.abs(patch.astype(np.float32) - colour).max(axis=2) < SAME_COLOUR) & (sheet > STROKE)
        weighed = {}
        for token, p in place.candidates:
            if token in means and means[token].shape == sheet.shape:
                expected = means[token]
                missing = int((bare & (expected > STROKE)).sum())
                strange = int((own & (cv2.dilate(expected, SOFT) < GROUND)).sum())
                against = min(CONTRADICTION * (missing + strange) / max(mass, 1.0), MOST_AGAINST)
            elif token:
                against = UNKNOWN_LOOK + rare
            else:
                against = min(CONTRADICTION * int(own.sum()) / max(mass, 1.0), MOST_AGAINST)
            weighed[token] = p * float(np.exp(-against))
        result[cell] = replace(place, candidates=_weighed(weighed))
    return result


UNKNOWN_LOOK = 1.5
"""What is held against a token that the board has no example of, because its look is not known; and besides, as many
tokens are new as stand on the board but once (Good and Turing's estimate; Good 1953)."""

KINDS = 5
"""How many tokens share that chance."""

SOFT = np.ones((3, 3), np.uint8)
"""Edges fall on other pixels in every cell."""


def _sheet(image: Image, place: Place, contrast: float) -> tuple[Floats, Image]:
    """How much ink each pixel of a place holds, 0 to 1, shape ``(h, w)``, and the pixels themselves: made smaller where
    the place is far larger than reading needs."""
    patch, _ = ink.shrunk(image, place.content.place)
    away = ink.distance_from_ground(patch, place.content.ground)
    return np.asarray(np.clip(away / max(contrast, 1.0), 0, 1), np.float32), patch


def _enclosed(sheet: Floats) -> NDArray[np.bool_]:
    """What ink encloses: a light pointer's inside may have the ground's colour."""
    contours, _ = cv2.findContours(np.asarray(sheet > GROUND, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros(sheet.shape, np.uint8)
    cv2.drawContours(filled, contours, -1, 1, cv2.FILLED)
    return filled > 0


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
        if place.content.bare or place.told or not nothing:
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
            hole = SURE_HOLE if place.content.contrast < PALE * contrast else START_OR_HOLE
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
