"""Places over which the line of a drawn chain runs: the visible part of the glyph beside the line is compared with the
board's own glyphs. The line's own pixels carry no information and are no part of a glyph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image, Point, around, largest_channel
from autoplayer.games.cardinal_chains.seeing.covered.certain import (
    OPEN,
    SAME_COLOUR,
    colours,
    is_new,
    weighed,
)
from autoplayer.games.cardinal_chains.seeing.covered.upon_lines import upon_lines
from autoplayer.games.cardinal_chains.seeing.glyphs import odds, views
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Board, Place, groups
from autoplayer.vision import ink

NO_HOLE = 0.01
"""Factor for the probability that a place into which a chain leads is empty."""

NO_START = 0.02
"""The same for a start in a place through which a chain leads: a chain that begins there would leave on one side
only."""

MARK = 0.15
"""Ink in a line's colour beside its end is a start's mark if it is at least this share of a glyph's ink."""

OTHERWISE = 0.02
"""The probability that none of the two ends of a line is a start, or both are: a part of the line may be invisible."""

BRANCHING = 2
"""The largest number of sides from which a chain enters a place."""

COVERED, DISTRUST = 0.02, 0.6
"""The probability that the network read the line, not the glyph: then it may be any of the board's tokens, by
frequency. The network's probabilities are raised to the power of ``DISTRUST``, because it saw both together."""

WEIGHT, WAVERING, UNKNOWN, MOST_AGAINST = 25.0, 0.05, 3.0, 10.0
"""The penalty for a token, as a logarithm, for the visible ink that it leaves unexplained, as a share of a glyph's ink:
a tenth makes it e^2.5 times less likely; the share that sure glyphs leave as well is free. The penalty for a token
without an example on the board; and the largest penalty."""

STRANGE, PERHAPS_START, PERHAPS_ANOTHER = 0.1, 0.3, 0.1
"""If each of the board's numbers leaves at least this much of the visible ink unexplained, something else stands there;
the probability that this is a start, at the end of a line, and that it is a certain number of unknown look."""

MUCH = 1.0
"""If all tokens leave more than a glyph's ink unexplained, the place holds something unknown, such as a disc."""

MOST_EXAMPLES = 6
"""Examples of one number that are averaged."""

OF_A_LINE = 0.3
"""A pixel belongs to a line, and carries no information, if it has at least this share of the line's colour, mixed with
its ground or glyph."""

SOFT = 0.8
"""Pixels, the standard deviation of the blur of what is compared: edges fall on other pixels in every cell."""

UNLIKE = 0.35
"""A pixel that differs by more than this share of the glyphs' contrast from what a token would show is not explained by
it."""

MARGIN = 2
"""The margin in pixels around the area of all glyphs: their soft edges, and their deviation in position."""

STRAY = (-1, 0, 1)
"""Offsets of a glyph in its cell, relative to equal glyphs, that are tried: pixels to the right and down."""


LinesInto = Callable[[Cell], Mapping[Cell, Floats]]
"""The places from which lines lead into one, with their colours, BGR."""

_Example = tuple[Place, Floats | None]
"""A place in which a number surely stands, and the colour of the line over it."""


@dataclass(frozen=True)
class _Look:
    """The appearance of a number on this board: how much ink each pixel of its place holds, and where that is ``known``
    (1; 0 where a line covers all of its examples), both of the shape ``(h, w)``."""

    ink: Floats
    known: Floats


def under_lines(image: Image, board: Board, places: Mapping[Cell, Place]) -> dict[Cell, Place]:
    """The places over which a chain's line runs, with their candidates by what is visible beside the line."""
    into = _lines(board, places)
    if not into:
        return {}
    apart = [place for place in places.values() if not (place.content.bare or views.touches(place.content))]
    tints = colours([p for p in apart if p.candidates[0][0].isdigit() and p.candidates[0][1] > OPEN])
    tints = tints or colours([p for p in apart if odds.probability(p.candidates) > odds.LEGIBLE])  # of starts as well
    lines = {cell: next(iter(sides.values())) for cell, sides in into.items()}
    lines = {cell: colour for cell, colour in lines.items() if is_new(colour, tints)}  # else in the numbers' own ink
    if not (lines and tints):
        return {}
    upon = upon_lines(image, places, lines, tints)
    sure: dict[str, list[_Example]] = {}
    for cell, place in places.items():
        token, chance = place.candidates[0]
        whole = cell in lines or not views.touches(place.content)  # else the surroundings of a line would count as ink
        if token and chance > OPEN and not (place.content.bare or is_new(place.content.colour, tints)) and whole:
            sure.setdefault(token, []).append((place, lines.get(cell)))
    part = _part([place for some in sure.values() for place, line in some if line is None])
    often = {token: len(some) for token, some in sure.items()}
    looks = {token: _look(image, some, tints, part) for token, some in sure.items() if _are_enough(some)}
    result: dict[Cell, Place] = {}
    patches = {cell: _patch(image, places[cell], part).astype(np.float32) for cell in lines}
    middle = -part.x, -part.y  # glyphs may extend farther to one side: not the patch's middle
    passed = [(line, patches[cell]) for cell, line in lines.items() if len(into[cell]) == BRANCHING]
    for cell, colour in lines.items():
        place, patch = places[cell], patches[cell]
        if cell in upon:
            result[cell] = replace(place, candidates=upon[cell])
            continue
        left = _unexplained(patch, place.content.ground, looks, colour, tints)
        if min(left.values(), default=0.0) > MUCH:
            continue  # there is more than a glyph and a line
        begins = len(into[cell]) == 1 and not _goes_on(patch, colour)
        if begins:
            same = [(line, other) for line, other in passed if not is_new(line, [colour])]
            mark = _mark(patch, colour, middle, _dots(same or passed)) / _mass(looks)
            left = {token: share + mark for token, share in left.items()}
            if mark > MARK:
                left["X"] = 0.0
        shown = _shows(patch, place.content.ground, colour, tints) / _mass(looks)
        chances = _compared(dict(place.candidates), left, often, begins, shown)
        token, chance = place.candidates[0]
        if not (token in left and chance > OPEN and max(chances, key=lambda one: chances[one]) == token):
            result[cell] = replace(place, candidates=weighed(chances), crossed=True)
    return result | _begun_once(into, places, result, board.lines_into)


def _lines(board: Board, places: Mapping[Cell, Place]) -> dict[Cell, Mapping[Cell, Floats]]:
    """The places over which chains' lines run, each with the neighbours from which they come and their colours, which
    differ from the place's own. Chains never branch: a colour that enters a place from three sides is not a chain, but
    lies between all places. Neither is one that runs through a place without a glyph, from a neighbour or to one where
    no cell is, as a veil's rim does."""
    into: dict[Cell, dict[Cell, Floats]] = {}
    none: set[Cell] = set()
    for cell, place in places.items():
        if views.touches(place.content) and not (place.told or place.content.bare):
            sides = board.lines_into(cell)
            into[cell] = {near: line for near, line in sides.items() if is_new(line, [place.content.ground])}
            token, chance = place.candidates[0]
            if not token and chance > OPEN and _runs_on(cell, place.content, into[cell].keys(), places.keys()):
                none.add(cell)
    into = {
        cell: {near: line for near, line in sides.items() if near not in none}
        for cell, sides in into.items()
        if cell not in none
    }
    branching = [line for sides in into.values() if len(sides) > BRANCHING for line in sides.values()]
    return {
        cell: sides for cell, sides in into.items() if sides and all(is_new(line, branching) for line in sides.values())
    }


def _runs_on(cell: Cell, here: ink.Content, into: AbstractSet[Cell], places: AbstractSet[Cell]) -> bool:
    """Whether what comes ``into`` a place runs on to where no cell is, as no chain's line does. The end of a broad line
    may reach both sides beside its way, but not only one of them."""
    if not into <= places:
        return views.goes_through(here)
    if len(into) != 1:
        return False
    ((r, c),) = into
    came = r - cell[0], c - cell[1]
    beyond = views.sides_reached(here) - {came}
    return (-came[0], -came[1]) in beyond or len(beyond) == 1


def _goes_on(patch: Floats, line: Floats) -> bool:
    """Whether a line reaches two sides of a place, ``patch``, equally broad, and no other: it passes through, though
    the way on is covered. The mark of a start reaches no side, or all."""
    broad = [len(side) for side in _reached(patch, line)[1] if len(side) > 1]
    return len(broad) == BRANCHING and max(broad) <= min(broad) + MARGIN


def _mark(patch: Floats, line: Floats, middle: Point, dots: NDArray[np.bool_] | None = None) -> int:
    """How many pixels of a line's colour are seen beside its end in a place, ``patch``, whose ``middle`` is ``(x, y)``,
    apart from the ``dots`` that lines have elsewhere: a start's mark may have its chain's colour. If the colour reaches
    one more side, the line goes on there; a large mark reaches all sides. The end itself may be round, and twice as
    wide as the line."""
    own, sides = _reached(patch, line)
    at = max(range(4), key=lambda k: len(sides[k]))
    if not len(sides[at]) or sum(len(side) > 1 for side in sides) == BRANCHING:
        return 0
    left, (x, y), (height, width) = own if dots is None else own & ~dots, middle, own.shape
    turned = (left, left[::-1], left.T, left[:, ::-1].T)[at]  # views in which the line comes in from above
    breadth, centre, half = len(sides[at]), float(sides[at].mean()), (y, height - y, x, width - x)[at]
    if breadth == turned.shape[1]:
        return 0  # the line is broader than what is looked at, and its round end as well
    along, across = np.ogrid[: turned.shape[0], : turned.shape[1]]
    beside = np.abs(across - centre)
    is_line = ((beside <= breadth / 2 + 1) & (along <= half)) | (np.hypot(along - half, beside) <= breadth + 1)
    return int((turned & ~is_line).sum())


def _dots(passed: Sequence[tuple[Floats, Floats]]) -> NDArray[np.bool_] | None:
    """The pixels that have the line's colour in most places that lines pass through: a dot, or a joint, may stand
    wherever a line does."""
    reached = [_reached(patch, line) for line, patch in passed]
    owns = [own for own, sides in reached if sum(len(side) > 1 for side in sides) == BRANCHING]
    if not owns:
        return None
    most = (np.mean(owns, axis=0) > 0.5).astype(np.uint8)
    return np.asarray(cv2.dilate(most, np.ones((3, 3), np.uint8)) > 0)  # edges fall on other pixels in every cell


def _reached(patch: Floats, line: Floats) -> tuple[NDArray[np.bool_], list[NDArray[np.intp]]]:
    """Where a patch has a line's colour, and where its upper, lower, left and right side have it."""
    own = np.asarray(largest_channel(np.abs(patch - line)) < SAME_COLOUR)
    return own, [np.flatnonzero(side) for side in (own[0], own[-1], own[:, 0], own[:, -1])]


def _shows(patch: Floats, ground: Floats, line: Floats, tints: Sequence[Floats]) -> int:
    """How many pixels beside a line show that something is drawn in a place, ``patch``."""
    unlike = UNLIKE * max(min(float(np.abs(tint - ground).max()) for tint in tints), ink.FAINTEST)
    drawn = largest_channel(np.abs(patch - ground)) > unlike
    return int(drawn[_of_a_line(patch, line, [ground, *tints]) == 0].sum())


def _mass(looks: Mapping[str, _Look]) -> float:
    """The number of ink pixels of a glyph."""
    return max(float(np.median([look.ink.sum() for look in looks.values()])), 1.0) if looks else 1.0


def _joined(into: Mapping[Cell, Mapping[Cell, Floats]], lines_into: LinesInto) -> dict[Cell, set[Cell]]:
    """The places that lines join, each with its neighbours along them. A line that is broader than a number forms the
    ground of the places that it passes through, and continues there all the same."""
    beside: dict[Cell, set[Cell]] = {}
    todo = dict(into)
    while todo:
        cell, sides = todo.popitem()
        for near, line in sides.items():
            beside.setdefault(cell, set()).add(near)
            beside.setdefault(near, set()).add(cell)
            if near not in into and near not in todo and len(beside[near]) == 1:
                todo[near] = {c: own for c, own in lines_into(near).items() if not is_new(own, [line])}
    return beside


def _begun_once(
    into: Mapping[Cell, Mapping[Cell, Floats]],
    places: Mapping[Cell, Place],
    known: Mapping[Cell, Place],
    lines_into: LinesInto,
) -> dict[Cell, Place]:
    """Of the two ends of a line exactly one is a start: each end is the likelier to be one, the less likely the other
    is."""
    beside = _joined(into, lines_into)
    result: dict[Cell, Place] = {}
    for piece in groups(beside, beside.__getitem__):
        ends = [cell for cell in piece if len(beside[cell]) == 1]
        if len(ends) != BRANCHING or max(len(beside[cell]) for cell in piece) > BRANCHING:
            continue
        if not all(cell in places for cell in ends):
            continue
        chances = [dict((known.get(cell) or places[cell]).candidates) for cell in ends]
        first, second = (one.get("X", 0.0) for one in chances)
        ways = first * (1 - second), second * (1 - first), OTHERWISE * (1 - first) * (1 - second)
        total = sum(ways) + OTHERWISE * first * second
        for cell, one, way in zip(ends, chances, ways, strict=False):
            before, now = one.get("X", 0.0), (way + OTHERWISE * first * second) / max(total, 1e-9)
            if 0 < before < 1 and not places[cell].told:
                rest = {token: p * (1 - now) / (1 - before) for token, p in one.items() if token != "X"}
                result[cell] = replace(known.get(cell, places[cell]), candidates=weighed({**rest, "X": now}))
    return result


def _compared(
    chances: Mapping[str, float], left: Mapping[str, float], often: Mapping[str, int], begins: bool, shown: float
) -> dict[str, float]:
    """``chances`` weighted by how much each token has ``left`` unexplained, as a share of a glyph's ink; ``often``: in
    how many places each token surely stands. ``begins``: whether the line may begin in the place; ``shown``: how much
    is visible beside the line, as a share of a glyph's ink."""
    prior = odds.normalised({token: p**DISTRUST for token, p in chances.items()})
    prior = {token: (1 - COVERED) * p for token, p in prior.items()}
    strange = min(left.values(), default=0.0) > STRANGE
    # That the network reads nothing does not count against the numbers, provided one of them explains the ink.
    any_of_them = COVERED + (0.0 if strange else prior.get("", 0.0))
    for token in left:
        prior[token] = prior.get(token, 0.0) + any_of_them * often.get(token, 1) / sum(often.values())
    hidden = begins and shown < STRANGE
    if hidden or (begins and strange):
        prior["X"] = max(prior.get("X", 0.0), PERHAPS_START)
    elif begins:
        prior["X"] = prior.get("X", 0.0) + any_of_them  # one end of each line is a start, the other one a number
    if strange:
        highest = max((int(token) for token in (*often, *prior) if token.isdigit()), default=0)
        for token in {str(n) for n in range(1, highest + 1)} - left.keys():
            prior[token] = max(prior.get(token, 0.0), PERHAPS_ANOTHER)
    unknown = dict.fromkeys(prior, UNKNOWN)
    if begins and not strange:
        unknown["X"] = 0.0 if hidden else UNKNOWN * min(shown, 1.0)  # the less shows, the less speaks against a start
    against = unknown | {token: min(WEIGHT * max(share - WAVERING, 0.0), MOST_AGAINST) for token, share in left.items()}
    less = {"": NO_HOLE, "X": 1.0 if begins else NO_START}
    return {t: p * less.get(t, 1.0) * float(np.exp(-against.get(t, 0.0))) for t, p in prior.items()}


def _part(clear: Sequence[Place]) -> Box:
    """The area that the glyphs of ``clear`` places take, relative to the middle of each place, with a small margin: the
    page may be visible in the corners of a place."""
    boxes = []
    for place in clear:
        (x, y), box = place.content.place.centre, place.content.box
        boxes.append(Box(box.x - x, box.y - y, box.width, box.height))
    return around(boxes, MARGIN)


def _patch(image: Image, place: Place, part: Box) -> Image:
    """The pixels of a ``part`` of a place."""
    x, y = place.content.place.centre
    box = Box(max(x + part.x, 0), max(y + part.y, 0), part.width, part.height)
    patch = np.asarray(box.crop(image), np.uint8)
    if patch.shape[:2] == (part.height, part.width):
        return patch
    return np.asarray(cv2.resize(patch, (part.width, part.height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _are_enough(some: Sequence[_Example]) -> bool:
    """Whether some places suffice as examples of a number: one without a line, or several, because a single one under a
    line would be compared with itself."""
    return len(some) > 1 or some[0][1] is None


def _look(image: Image, some: Sequence[_Example], tints: Sequence[Floats], part: Box) -> _Look:
    """The appearance of the number that stands in ``some`` places."""
    inks, seen = [], []
    for place, line in sorted(some, key=lambda one: one[1] is not None)[:MOST_EXAMPLES]:
        patch = _patch(image, place, part).astype(np.float32)
        away = largest_channel(np.abs(patch - place.content.ground)) / max(place.content.contrast, 1.0)
        shows = (
            np.ones(patch.shape[:2]) if line is None else 1 - _of_a_line(patch, line, [place.content.ground, *tints])
        )
        inks.append(np.clip(away, 0, 1) * shows)
        seen.append(shows)
    shown = np.sum(seen, axis=0)
    return _Look(_blurred(np.sum(inks, axis=0) / np.maximum(shown, 1)), np.asarray(shown > 0, np.float32))


def _blurred(sheet: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(np.asarray(sheet, np.float32), (0, 0), SOFT), np.float32)


def _unexplained(
    patch: Floats, ground: Floats, looks: Mapping[str, _Look], line: Floats, tints: Sequence[Floats]
) -> dict[str, float]:
    """The share of the ink visible beside a ``line`` in a place, ``patch``, that each token would leave unexplained, in
    the best of the glyphs' colours, ``tints``, relative to a glyph's ink."""
    left: dict[str, float] = {}
    seen = 1 - _of_a_line(patch, line, [ground, *tints])
    away = np.dstack([_blurred(seen * (patch[..., k] - ground[k])) for k in range(3)])
    away = away / np.maximum(_blurred(seen), 1e-3)[..., None]
    for token, look in looks.items():
        found = []
        for colour, right, down in product(tints, STRAY, STRAY):
            unlike = UNLIKE * max(float(np.abs(colour - ground).max()), ink.FAINTEST)
            shown, known = (np.roll(one, (down, right), (0, 1)) for one in (look.ink, look.known))
            rest = largest_channel(np.abs(away - shown[..., None] * (colour - ground))) > unlike
            found.append(int(rest[(known > 0) & (seen > 0)].sum()))
        left[token] = min(found) / _mass(looks)
    return left


def _of_a_line(patch: Floats, line: Floats, others: Sequence[Floats]) -> Floats:
    """1 for the pixels that have a line's colour, or a mixture of it with one of the ``others``, and for their
    neighbours."""
    own: NDArray[np.bool_] = np.zeros(patch.shape[:2], np.bool_)
    for other in others:
        way = line - other
        share = np.clip((patch - other) @ way / max(float(way @ way), 1.0), 0, 1)
        beside = largest_channel(np.abs(patch - (other + share[..., None] * way)))
        own |= (share > OF_A_LINE) & (beside < SAME_COLOUR)
    return np.asarray(cv2.dilate(own.astype(np.float32), np.ones((3, 3), np.uint8)), np.float32)
