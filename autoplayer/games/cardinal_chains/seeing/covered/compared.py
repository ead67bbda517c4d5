"""What of a place the board's own glyphs explain: each token is drawn in it, in its colours, and the pixels that differ
are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, Image, largest_channel
from autoplayer.games.cardinal_chains.seeing.covered.certain import SAME_COLOUR, colours
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.vision import ink, rims

MOST_EXAMPLES = 6
"""Examples of one token that are averaged."""

SIDE = 48
"""Pixels: a place is compared at this size at most."""

ROUNDED = 2
"""Pixels by which places of one board differ in size, because they begin at whole ones."""

SOFTNESS = 0.8
"""Pixels, the standard deviation of the blur of what is compared: edges fall on other pixels in every cell."""

UNLIKE = 0.35
"""A pixel that differs from what a token would show by more than this share of the glyphs' contrast is not explained by
it: something covers it, or it is another token. This, and the weights in ``covers``, were fitted to 432 doubtful places
of 3000 windows of the development side."""

MARGIN, INKED, MOST_OF_A_SIDE = 3, 0.1, 0.8
"""Pixels from the border of a place in which its walls may be left, with their soft edges; the least ink of a pixel
there, as a share; and the share of the side along which a wall runs."""

FILLED = 0.5
"""The least share of its hull that something takes which covers a place from side to side."""

CLOSEST = 6
"""Tokens that are compared with a place also at offsets of a pixel, the best first."""


@dataclass(frozen=True)
class Look:
    """The appearance of a token on this board: how much ink each pixel of its place holds, shape ``(h, w)``, and the
    colours in which it was seen."""

    ink: Floats
    colours: tuple[Floats, ...]


def looks_of(image: Image, clear: Sequence[Place]) -> dict[str, Look]:
    examples: dict[str, list[Place]] = {}
    for place in clear:
        if len(examples.setdefault(place.candidates[0][0], [])) < MOST_EXAMPLES:
            examples[place.candidates[0][0]].append(place)
    sheets: dict[str, list[Floats]] = {}
    for token, seen in examples.items():
        for place in seen:
            away = ink.distance_from_ground(_patch(image, place), place.content.ground)
            sheets.setdefault(token, []).append(np.clip(away / max(place.content.contrast, 1.0), 0, 1))
    shape = Counter(sheet.shape for some in sheets.values() for sheet in some).most_common(1)[0][0]
    looks = {}
    for token, some in sheets.items():
        same = [fitted for sheet in some if (fitted := _fitted(sheet, shape)).shape == shape]
        if same:
            looks[token] = Look(_blurred(np.mean(same, axis=0)), tuple(colours(examples[token])))
    return looks


def beside_all_of(image: Image, clear: Sequence[Place], looks: Mapping[str, Look]) -> NDArray[np.bool_]:
    """The pixels of a place that belong to no token, of the looks' shape: walls at the border, which some of the
    ``looks`` show; and what is the same in all places with a ``clear`` glyph, whatever the token, and differs from
    their grounds, as what surrounds their discs."""
    nothing: NDArray[np.bool_] = np.logical_or.reduce([_walls(look.ink) for look in looks.values()])
    shape = nothing.shape
    if len({place.candidates[0][0] for place in clear}) < 2:
        return nothing
    patches = [patch for place in clear if (patch := _fitted(_patch(image, place), shape)).shape[:2] == shape]
    if len(patches) < 2:
        return nothing
    stack = np.stack(patches).astype(np.float32)
    grounds = np.stack([place.content.ground for place in clear])
    even = largest_channel(stack.max(axis=0) - stack.min(axis=0)) < SAME_COLOUR
    apart = np.abs(stack[0][..., None, :] - grounds).max(axis=3).min(axis=2) > SAME_COLOUR
    return np.asarray((even & apart) | nothing, np.bool_)


def _walls(shown: Floats) -> NDArray[np.bool_]:
    """Where walls stand at the border of a place that holds so much ink, shape ``(h, w)``: whole rows and columns."""
    drawn = shown > INKED
    walls = np.zeros(drawn.shape, np.bool_)
    for lines, ink_of in ((walls, drawn), (walls.T, drawn.T)):
        outer = np.r_[:MARGIN, len(lines) - MARGIN : len(lines)]
        lines[outer] |= (ink_of[outer].mean(axis=1) >= MOST_OF_A_SIDE)[:, None]
    return walls


def _patch(image: Image, place: Place) -> Image:
    patch = place.content.place.crop(image)
    scale = SIDE / max(patch.shape[:2])
    if scale >= 1:
        return patch
    size = max(round(patch.shape[1] * scale), 1), max(round(patch.shape[0] * scale), 1)
    return np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.uint8)


def _fitted(pixels: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """``pixels`` in a shape ``(h, w)`` that differs by a pixel or two, because places begin at whole pixels."""
    if pixels.shape[:2] == shape or max(abs(a - b) for a, b in zip(pixels.shape, shape, strict=False)) > ROUNDED:
        return pixels
    return np.asarray(cv2.resize(pixels, shape[::-1], interpolation=cv2.INTER_LINEAR))


def _blurred(sheet: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(np.asarray(sheet, np.float32), (0, 0), SOFTNESS), np.float32)


def unexplained(
    image: Image,
    place: Place,
    looks: Mapping[str, Look],
    beside_all: NDArray[np.bool_],
    any_colour: bool,
    noise: float,
) -> dict[str, tuple[int, int]]:
    """For each token, and for an empty place, how many pixels of a place it would leave unexplained, and the size of
    the largest connected part of these. ``beside_all``: pixels that carry no information. ``any_colour``: whether a
    start there may have a colour of its own. ``noise``: grey levels."""
    patch, ground = _patch(image, place), place.content.ground
    patch = np.asarray(_fitted(patch, next(iter(looks.values())).ink.shape), np.uint8)
    fits = {token: look for token, look in looks.items() if look.ink.shape == patch.shape[:2]}
    if "X" in fits and any_colour:
        fits["X"] = replace(fits["X"], colours=(*fits["X"].colours, place.content.colour))
    contrast = float(np.median([np.abs(look.colours[0] - ground).max() for look in looks.values()]))
    unlike = UNLIKE * max(contrast, ink.FAINTEST)
    ways: list[Floats] = [np.asarray(patch.astype(np.float32) - ground, np.float32)]
    if not any_colour and (parting := rims.parting(patch, noise)) is not None:
        ways.append(parting.away(patch))  # a start's ring may look like a veil's, so the better explained one counts
    seen = [_explained(_blurred(away), fits, ground, unlike) for away in ways]
    found = min(seen, key=lambda one: min((int(rest.sum()) for token, rest in one.items() if token), default=0))
    common = np.asarray(np.logical_and.reduce(list(found.values())), np.bool_)
    hidden = _hull(common)
    more = int((hidden & ~common).sum())
    result = {}
    for token, every in found.items():
        rest = every | hidden
        # Places at the picture's edge are smaller.
        rest = rest & ~beside_all if rest.shape == beside_all.shape else rest
        count, _, stats, _ = cv2.connectedComponentsWithStats(rest.astype(np.uint8), connectivity=8)
        result[token] = int(rest.sum()) - more, max(int(stats[1:, 4].max()) - more, 0) if count > 1 else 0
    return result


def _hull(pixels: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The convex hull of some pixels, shape ``(h, w)``: what no token explains belongs to something that covers the
    place, also where its inside looks like the ground. Those pixels alone where they surround the place, as what is
    around soft cells does."""
    ys, xs = np.nonzero(pixels)
    if not len(ys):
        return pixels
    outline = cv2.convexHull(np.stack([xs, ys], axis=1).astype(np.int32))
    hull = np.asarray(cv2.fillConvexPoly(np.zeros(pixels.shape, np.uint8), outline, 1), np.bool_)
    across = np.array([np.ptp(xs), np.ptp(ys)]) + 1 >= np.array(pixels.shape[::-1])
    return pixels if across.all() and len(ys) < FILLED * hull.sum() else hull


def _explained(away: Floats, looks: Mapping[str, Look], ground: Floats, unlike: float) -> dict[str, NDArray[np.bool_]]:
    """The pixels that each token, and an empty place, leave unexplained; the arguments are those of :func:`_rest`."""
    found: dict[str, NDArray[np.bool_]] = {"": np.asarray(largest_channel(np.abs(away)) > unlike, np.bool_)}
    for token, look in looks.items():
        found[token] = _rest(away, look, ground, unlike, STRAIGHT)
    for token in sorted(looks, key=lambda token: int(found[token].sum()))[:CLOSEST]:
        found[token] = _rest(away, looks[token], ground, unlike, AROUND)
    return found


STRAIGHT = ((0, 0),)
AROUND = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))
"""Offsets of a glyph in its cell, relative to equal glyphs, that are tried: pixels to the right and down."""


def _rest(
    away: Floats, look: Look, ground: Floats, unlike: float, shifts: Sequence[tuple[int, int]]
) -> NDArray[np.bool_]:
    """The pixels of a place that a token does not explain, at the best of some offsets and in the best of its colours;
    ``away``: how far each pixel is from the ground's colour, shape ``(h, w, 3)``; ``unlike``: grey levels."""
    best: NDArray[np.bool_] = np.ones(away.shape[:2], np.bool_)
    for colour in look.colours:
        way = colour - ground
        for right, down in shifts:
            shown = np.roll(look.ink, (down, right), (0, 1))
            rest = largest_channel(np.abs(away - shown[..., None] * way)) > unlike
            if rest.sum() < best.sum():
                best = rest
    return best
