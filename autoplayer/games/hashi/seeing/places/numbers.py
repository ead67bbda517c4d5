"""The number in an island: its ink and its candidates. Knows no lattice."""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats
from autoplayer.games.hashi.seeing.places import parts
from autoplayer.games.hashi.seeing.places.outline import View
from autoplayer.games.hashi.seeing.places.parts import INKED
from autoplayer.games.hashi.seeing.places.through import without_bridges
from autoplayer.vision import alike, glyphs, ink, signs, templates

NUMBERS = tuple("12345678")

SPOKESMEN = 3
"""How many of a cluster of equal glyphs the network classifies: more add no information and cost time."""

KNOWN = 0.995
"""How probable a number is whose template of the layout looks like the glyph."""

SYMBOL = "?"
"""The content of an island if any sign counts as a number."""

LEGIBLE = 0.5
"""A number at least this probable counts as read when guesses are compared."""


@dataclass(frozen=True)
class Island:
    """``centre``: ``(x, y)`` in window pixels. ``content``: the number's ink. ``candidates``: ``(number,
    probability)``, the likeliest first; the number "" for nothing that can be read."""

    centre: tuple[float, float]
    content: ink.Content
    candidates: tuple[tuple[str, float], ...]

    @functools.cached_property
    def probability(self) -> float:
        return max((p for number, p in self.candidates if number), default=0.0)


@dataclass(frozen=True)
class _Way:
    """How numbers are looked for: in a disc or a square of the width ``size``; ``beside``: further pixels that belong
    to no number, shape ``(side, side)``; ``flat``: whether everything broader than a stroke is removed; ``through``:
    whether bridges that show through are removed."""

    size: float
    is_round: bool
    beside: NDArray[np.bool_] | None = None
    flat: bool = False
    through: bool = False


def read(
    seen: View,
    centres: Sequence[tuple[float, float]] | Floats,
    size: float,
    is_round: bool = True,
    company: Collection[Island] = (),
) -> list[Island]:
    """The content of a disc or square of the width ``size`` around each of ``centres``. Illegible ones are looked at
    again with what the others, and a ``company`` of islands that were read before, tell: how large numbers are, and
    what all islands have beside them."""
    where = np.asarray(centres, np.float64).reshape(-1, 2)
    if not len(where):
        return []
    found = _read_once(seen, where, _Way(size, is_round))
    if seen.symbols:
        return found
    touching = sum(_touches(one, size) for one in found)
    if touching >= max(FEWEST_SURE, MANY_TOUCHING * len(found)):
        # Either the numbers are that large, or their surroundings begin nearer.
        narrower = _read_once(seen, where, _Way(NARROWER * size, is_round))
        better = sum(one.probability for one in narrower) > sum(one.probability for one in found)
        if better and 2 * sum(_touches(one, NARROWER * size) for one in narrower) <= touching:
            found, size = narrower, NARROWER * size
    if sum(one.probability for one in found) < SURE * len(found):
        found = _without_company(seen, _without_links(seen, found))
    known, filling, most = _examples([*found, *company], size, is_round)
    filling = {k for k in filling if k < len(found)}
    weak = [k for k, one in enumerate(found) if (one.probability <= SURE or k in filling) and not one.content.bare]
    tries: list[_Way] = []
    if weak and len(known) >= max(FEWEST_SURE, SURE_PART * len(weak)):
        # In less room, or without what is broader than a stroke, the hole of a 0 would be a 1.
        zero = zeros(found, SURE)
        weak = [k for k in weak if not zero[k]]
    if weak and len(known) >= max(FEWEST_SURE, SURE_PART * len(weak)):
        if (room := _room(known)) < SMALLER * size:
            tries.append(_Way(room, True))
        if (beside := _shared(known, size)).any():
            tries.append(_Way(size, is_round, beside))
        tries.append(_Way(size, is_round, flat=True))
    full = set(filling)
    hardly = [k for k, one in enumerate(found) if one.probability < HARDLY_SURE and not one.content.bare]
    through = _Way(size, is_round, through=True)
    for way, asked in [*((way, weak) for way in tries), (through, _crossed(seen, where, hardly, through))]:
        again = _contents(seen, where[asked], way)
        for k, here, options in zip(asked, again, _said(seen, again), strict=True):
            other = replace(found[k], content=here, candidates=options)
            if here.bare or (k in filling and _reach(other) > most):
                continue
            if other.probability > max(0.0 if k in full else found[k].probability, LEGIBLE):
                found[k] = other
                full.discard(k)
    for k in full:
        found[k] = replace(found[k], candidates=_less_sure(found[k].candidates))
    return found


def _read_once(seen: View, where: Floats, way: _Way) -> list[Island]:
    contents = _contents(seen, where, way)
    return [
        Island((float(cx), float(cy)), here, options)
        for (cx, cy), here, options in zip(where, contents, _said(seen, contents), strict=True)
    ]


def _without_links(seen: View, found: list[Island]) -> list[Island]:
    """``found``, where islands show beside the links that they need those that they have, with a slash between: read by
    the side whose numbers are larger in all."""
    both = parts.beside_slashes([one.content for one in found])
    sides = [
        [replace(found[k], content=part, candidates=some) for k, part, some in zip(both, side, said, strict=True)]
        for side in zip(*both.values(), strict=True)
        for said in [_said(seen, side)]
    ]
    if not sides:
        return found
    chosen = max(reversed(sides), key=lambda side: sum(map(_legible_number, side)))
    again = dict(zip(both, chosen, strict=True))
    return [again.get(k, one) for k, one in enumerate(found)]


def _legible_number(one: Island) -> int:
    """The number of an island; 0 if it is illegible."""
    return int(one.candidates[0][0] or 0) if one.probability > LEGIBLE else 0


def _without_company(seen: View, found: list[Island]) -> list[Island]:
    """``found``; if many islands show more than their number (the links they have, a picture's decorations), read by
    the ink in their middle alone, if that can be read better."""
    side = max((one.content.place.width for one in found), default=1)
    usual = np.asarray(cv2.dilate(_inked_share(found, side), np.ones((3, 3), np.uint8)), np.float32)
    alone = [parts.in_the_middle(one.content, one.centre, usual) for one in found]
    others = [k for k, (one, only) in enumerate(zip(found, alone, strict=True)) if only is not one.content]
    if len(others) < max(FEWEST_SURE, MANY_TOUCHING * len(found)):
        return found
    said = _said(seen, [alone[k] for k in others])
    again = [replace(found[k], content=alone[k], candidates=some) for k, some in zip(others, said, strict=True)]
    better = {k: one for k, one in zip(others, again, strict=True) if one.probability > found[k].probability}
    if sum(one.probability - found[k].probability for k, one in better.items()) < LEAST_GAIN * len(found):
        return found
    result = [better.get(k, one) for k, one in enumerate(found)]
    # In places that only resemble islands, a piece in the middle may happen to look like a number.
    legible = sum(one.probability > LEGIBLE for one in result)
    return result if legible >= MOSTLY_LEGIBLE * len(found) else found


LEAST_GAIN, MOSTLY_LEGIBLE = 0.1, 0.75
"""The least gain by leaving out what stands beside the numbers: in the mean probability of the numbers, and the share
of the islands that must be legible then. So many are legible if islands are examined in the right area."""


def _touches(one: Island, size: float) -> bool:
    """Whether ink reaches the edge of the disc of the width ``size`` in which it was looked for."""
    if one.content.bare or _reach(one) < FULL * size:
        return False
    box, (x, y) = one.content.box, one.centre
    ys, xs = np.nonzero(one.content.ink > INKED)
    height, width = one.content.ink.shape
    across = box.x - x + (xs + 0.5) * box.width / width - 0.5
    down = box.y - y + (ys + 0.5) * box.height / height - 0.5
    return 2 * math.sqrt(float((across**2 + down**2).max(initial=0.0))) >= size - 2


def _examples(found: Sequence[Island], size: float, is_round: bool) -> tuple[list[Island], set[int], float]:
    """The islands that serve as examples for the others, the indices of those that show a number together with a piece
    of the rim (they are filled though most are not), and how far a number extends at most."""
    sure = [k for k, one in enumerate(found) if one.probability > SURE]
    reach = {k: _reach(found[k]) for k in sure}
    alone = [k for k in sure if reach[k] < FULL * size]
    if len(alone) < max(FEWEST_SURE, len(sure) / 2):
        alone = sure
    most = max(LARGER * float(np.median([reach[k] for k in alone])), FULL * size) if alone else size
    filling = {k for k in sure if reach[k] > most or (is_round and _corner_to_corner(found[k]) > WIDER * size)}
    filling -= _as_large(found, sure, filling, size)
    return [found[k] for k in (alone if filling else sure) if k not in filling], filling, most


def _as_large(found: Sequence[Island], sure: Sequence[int], filling: set[int], size: float) -> set[int]:
    """Those of the ``filling`` islands whose numbers really are that large, as old-style numerals with descenders are:
    every island that is ``sure`` of the same number is filled in the same way, whereas a piece of a rim would differ in
    each."""
    result: set[int] = set()
    if len(sure) < MOSTLY_LEGIBLE * len(found):
        return result  # the area is too small, or these are no islands
    for number in {found[k].candidates[0][0] for k in filling}:
        equal = [k for k in sure if found[k].candidates[0][0] == number]
        boxes = np.array(
            [
                (box.x - x, box.y - y, box.x + box.width - x, box.y + box.height - y)
                for box, (x, y) in ((found[k].content.box, found[k].centre) for k in equal)
            ]
        )
        if len(equal) > 1 and filling.issuperset(equal) and np.ptp(boxes, axis=0).max() <= max(2, SAME_PLACE * size):
            result.update(equal)
    return result


SAME_PLACE = 0.06
"""Of the width in which numbers are looked for: the largest difference in position between equal numbers in their
islands."""


def _corner_to_corner(one: Island) -> float:
    """The diagonal of the box around the ink that was read."""
    return math.hypot(one.content.box.width, one.content.box.height)


def _less_sure(candidates: tuple[tuple[str, float], ...]) -> tuple[tuple[str, float], ...]:
    """``candidates`` with less confidence, for a number that was read together with something else."""
    return tuple((number, p * TRUSTED + (0.0 if number else 1 - TRUSTED)) for number, p in candidates)


TRUSTED = 0.8
"""The weight of a number that fills its island, though others do not."""


SURE, FEWEST_SURE, SURE_PART = 0.9, 4, 0.25
"""The probability from which a number is an example for the others; how many examples are needed; and their least ratio
to those that are looked at again."""

HARDLY_SURE = 0.99
"""A number less probable than this may have been read together with a bridge that shows through."""

LARGER, FULL = 1.35, 0.88
"""How many times as far from its centre as usual a number must extend, and the share of the examined width that it must
fill, to include more than a number."""

MANY_TOUCHING, NARROWER = 0.3, 0.9
"""The share of the islands whose ink must reach the edge for all to be examined in a smaller area, and how much
smaller."""

WIDER = 1.2
"""Of a disc's width: the diagonal of the box around a number that stands in it, at most."""

SMALLER = 0.93
"""Of the width in which numbers are looked for: an area that is hardly smaller shows nothing else."""


def _reach(one: Island) -> float:
    """The width of the smallest disc around an island's centre that holds its ink."""
    box, (x, y) = one.content.box, one.centre
    across = max(abs(box.x - x), abs(box.x + box.width - 1 - x))
    return 2 * math.hypot(across, max(abs(box.y - y), abs(box.y + box.height - 1 - y)))


def _room(sure: Sequence[Island]) -> float:
    """The width of a disc that holds the numbers that were read for ``sure``: ends of bridges extend into some islands,
    but not so far."""
    return float(np.percentile([_reach(one) for one in sure], 80)) + 2


def _shared(sure: Sequence[Island], size: float) -> NDArray[np.bool_]:
    """The pixels far from the centre that have ink in most islands belong to the outline, not to the numbers: the
    corners of a hexagon, the inner edge of a thick ring. Shape as the areas that ``_contents`` looks at."""
    side = math.ceil(size) + 1
    far = np.hypot(*(np.mgrid[0:side, 0:side] - (side - 1) / 2)) > FAR * size
    return np.asarray((_inked_share(sure, side) > SHARED) & far, np.bool_)


def _inked_share(islands: Sequence[Island], side: int) -> Floats:
    """The share of the islands that have ink at each pixel of the area of ``side`` pixels in which it was looked for,
    shape ``(side, side)``."""
    often = np.zeros((side, side), np.float32)
    for one in islands:
        place, box = one.content.place, one.content.box
        if place.width == place.height == side and not one.content.bare:
            scaled = cv2.resize(one.content.ink, (box.width, box.height), interpolation=cv2.INTER_LINEAR)
            y, x = box.y - max(place.y, 0), box.x - max(place.x, 0)
            part = often[y : y + box.height, x : x + box.width]
            part += scaled[: part.shape[0], : part.shape[1]] > INKED
    return np.asarray(often / max(len(islands), 1), np.float32)


SHARED, FAR = 0.4, 0.36
"""The share of the islands that must have ink at a pixel; and the distance from the centre, as a share of an island's
inside, at which so many numbers never share a stroke."""


def _said(seen: View, contents: Sequence[ink.Content]) -> list[tuple[tuple[str, float], ...]]:
    """The candidates of each ink, by the window's own glyphs first."""
    any_sign: list[tuple[tuple[str, float], ...]] = [(("" if here.bare else SYMBOL, 1.0),) for here in contents]
    result = any_sign if seen.symbols else classify(contents)
    for k, here in enumerate(contents):
        token = templates.match(here.ink, seen.known) if seen.known else None
        if token == "":
            result[k] = (("", 1.0),)
        elif token in NUMBERS:
            rest = [(number, (1 - KNOWN) * p) for number, p in result[k] if number not in (token, SYMBOL)]
            result[k] = ((token, KNOWN), *rest)
        elif seen.foreign and not here.bare:
            said = signs.chances(here.ink, seen.known, NUMBERS)
            result[k] = tuple(sorted(said.items(), key=lambda pair: -pair[1]))
    return result


INSIDE = 0.94
"""Of the width between an island's outlines: the part that is surely inside."""


def _contents(seen: View, centres: Floats, way: _Way) -> list[ink.Content]:
    """The ink on the ground inside islands; ``centres``: ``(N, 2)``."""
    half, side = way.size / 2, math.ceil(way.size) + 1
    boxes = [Box(math.floor(cx - half), math.floor(cy - half), side, side) for cx, cy in centres]
    patches = [box.crop(seen.image) for box in boxes]
    found: dict[int, ink.Content] = {}
    for height, width in {patch.shape[:2] for patch in patches}:  # those at the picture's edge are smaller
        chosen = [k for k, patch in enumerate(patches) if patch.shape[:2] == (height, width)]
        outside = None
        if way.is_round:  # the corners around a disc are no part of it
            corners = np.array([(max(boxes[k].x, 0), max(boxes[k].y, 0)) for k in chosen])
            dx, dy = ((corners - centres[chosen])[:, i, None] + np.arange((width, height)[i]) for i in (0, 1))
            outside = dx[:, None, :] ** 2 + dy[:, :, None] ** 2 > half**2
        beside = way.beside
        if beside is not None and (height, width) == beside.shape:
            outside = np.repeat(beside[None], len(chosen), axis=0) if outside is None else outside | beside
        stack = np.stack([patches[k] for k in chosen])
        shaded = list(range(len(stack))) if way.flat else _shaded(stack)
        stack = _laid_flat(stack, shaded) if shaded else stack
        stack = without_bridges(stack, way.is_round) if way.through else stack
        found |= zip(chosen, ink.stacked(stack, [boxes[k] for k in chosen], seen.noise, outside), strict=True)
    return ink.inside_outlines(seen.image, [found[k] for k in range(len(boxes))])


def _crossed(seen: View, centres: Floats, asked: Sequence[int], way: _Way) -> list[int]:
    """Those of the islands ``asked`` through which a bridge shows; ``centres``: of all, ``(N, 2)``."""
    half, side = way.size / 2, math.ceil(way.size) + 1
    corners = np.floor(centres[list(asked)] - half).astype(int)
    patches = [Box(x, y, side, side).crop(seen.image) for x, y in corners.tolist()]
    whole = [(k, patch) for k, patch in zip(asked, patches, strict=True) if patch.shape[:2] == (side, side)]
    if not whole:
        return []
    stack = np.stack([patch for _, patch in whole])
    changed = (without_bridges(stack, way.is_round) != stack).any(axis=(1, 2, 3))
    return [k for (k, _), here in zip(whole, changed, strict=True) if here]


def _shaded(patches: NDArray[np.uint8]) -> list[int]:
    """Which of ``patches``, shape ``(N, h, w, 3)``, BGR, are shaded like balls: around their numbers, all have the same
    shades, which change slowly."""
    height, width = patches.shape[1:3]
    if min(height, width) < SMALLEST_SHADED:
        return []
    angles = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
    xs = np.rint((width - 1) / 2 + AROUND * width * np.cos(angles)).astype(int)
    ys = np.rint((height - 1) / 2 + AROUND * height * np.sin(angles)).astype(int)
    ring = patches[:, ys, xs].astype(np.float32)
    ring -= np.median(ring, axis=1, keepdims=True)
    usual = np.median(ring, axis=0)
    differ = float(np.ptp(usual, axis=0).max())
    if differ < SHADED or float(np.abs(usual - np.roll(usual, 1, axis=0)).max()) > STEEPEST * differ:
        return []
    length = np.linalg.norm(ring, axis=(1, 2)) * np.linalg.norm(usual)
    alike = (ring * usual).sum(axis=(1, 2)) >= SAME_SHADE * np.maximum(length, 1e-6)
    return [int(k) for k in np.flatnonzero((np.ptp(ring, axis=1).max(axis=1) >= SHADED) & alike)]


def _laid_flat(patches: NDArray[np.uint8], chosen: Sequence[int]) -> NDArray[np.uint8]:
    """``patches``, with the ground of the ``chosen`` ones made even: the ground is estimated by removing everything as
    narrow as a stroke (as a top-hat transform does)."""
    height, width = patches.shape[1:3]
    if min(height, width) < SMALLEST_SHADED:
        return patches
    side = 2 * round(NARROW * min(height, width) / 2) + 1
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    result = patches.copy()
    core = slice(height // 4, height - height // 4), slice(width // 4, width - width // 4)
    for k in chosen:
        # Ink is either lighter or darker than its ground: the result with fewer edges is the ground.
        ways = [cv2.morphologyEx(patches[k], way, brush) for way in (cv2.MORPH_OPEN, cv2.MORPH_CLOSE)]
        ground = min(ways, key=lambda way: float(np.abs(cv2.Laplacian(way[core], cv2.CV_32F)).mean()))
        middle = np.rint(np.median(ground[core].reshape(-1, 3), axis=0)).astype(np.int16)
        result[k] = np.clip(patches[k].astype(np.int16) - ground + middle, 0, 255).astype(np.uint8)
    return result


SMALLEST_SHADED = 12
"""Pixels: in a smaller island no shade is to be told from a stroke."""

ROUND, AROUND = 24, 0.42
"""The number of positions around a number at which an island's shade is sampled, and their distance from its middle, as
a share of the examined area: outside most numbers, and inside the outline."""

SHADED = 28.0
"""Grey levels by which an island's shades differ at least, around its number, for it not to be an even one: what has
less is found in ``ink``."""

STEEPEST = 0.3
"""Of the difference between all of an island's shades: how much those of two places next to each other differ at most;
what has an edge there is something else."""

SAME_SHADE = 0.7
"""The correlation of an island's shades with the usual ones, at least."""

NARROW = 0.27
"""Of the width of an island's inside: strokes are narrower than this."""


def classify(contents: Sequence[ink.Content]) -> list[tuple[tuple[str, float], ...]]:
    """The candidates of each ink; equal glyphs are judged together, with the evidence of all of them."""
    marked = [k for k, here in enumerate(contents) if not here.bare]
    inks = [contents[k].ink for k in marked]
    cluster = alike.clusters(inks)
    # A few members of each cluster represent it.
    chosen = [i for i, number in enumerate(cluster) if cluster[:i].count(number) < SPOKESMEN]
    said = glyphs.classify([inks[i] for i in chosen])
    chances = [_possible(dict(zip(glyphs.CLASSES, map(float, row), strict=True))) for row in said]
    joint = alike.joint([cluster[i] for i in chosen], chances)
    result: list[tuple[tuple[str, float], ...]] = [(("", 1.0),)] * len(contents)
    for k, number in zip(marked, cluster, strict=True):
        result[k] = tuple(sorted(joint[number].items(), key=lambda pair: -pair[1]))
    return result


def zeros(islands: Sequence[Island], least: float = LEGIBLE) -> list[bool]:
    """Which of ``islands`` show a 0, more probably than ``least``, as none does before play begins. What is larger than
    all their numbers is a rim."""
    sizes = [one.content.ink.shape for one in islands if one.probability > LEGIBLE and not one.content.bare]
    most = LARGER_ZERO * np.max(sizes, axis=0) if sizes else np.inf
    asked = [
        k
        for k, one in enumerate(islands)
        if one.probability <= LEGIBLE and not one.content.bare and np.all(np.array(one.content.ink.shape) <= most)
    ]
    said = glyphs.classify([islands[k].content.ink for k in asked])
    shown = {k for k, row in zip(asked, said, strict=True) if row[glyphs.CLASSES.index("0")] > least}
    return [k in shown for k in range(len(islands))]


LARGER_ZERO = 1.5
"""Of the largest number's height and width: the most that a 0 has."""


def _possible(options: dict[str, float]) -> dict[str, float]:
    """Only the numbers that an island may show; everything else counts as illegible."""
    kept = {number: options[number] for number in NUMBERS}
    return kept | {"": max(1.0 - sum(kept.values()), 0.0)}
