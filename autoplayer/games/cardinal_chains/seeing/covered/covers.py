"""Places that cannot be read for sure, because a pointer, a line or the edge of a veil covers the glyph: the visible
part of the glyph is compared with the board's own glyphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains.seeing.covered import in_chains
from autoplayer.games.cardinal_chains.seeing.covered.certain import (
    OPEN,
    SAME_COLOUR,
    colours,
    is_new,
    sure_numbers,
    sure_starts,
    weighed,
)
from autoplayer.games.cardinal_chains.seeing.covered.compared import (
    CLOSEST,
    Look,
    beside_all_of,
    looks_of,
    unexplained,
)
from autoplayer.games.cardinal_chains.seeing.glyphs import odds, views
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Board, Place
from autoplayer.vision import ink, rims
from autoplayer.vision.views import smoothed

GLYPH_LEFT = 0.15
"""The share of a glyph's usual ink that stays visible under a pointer; in the bench's development windows it was never
less than 0.24, and zero if the place was a hole or a start in a colour of its own."""

PALE = 0.38
"""Ink of less contrast than this, as a share of the glyphs', is the edge of a shadow or veil: so it was in all 12
windows of the development side with smudged holes, and in none of 9 with an illegible start."""

MOSTLY = 0.5
"""If the probability that a place is empty is less than this, it is not a hole with a veil's rim in it."""

SURE_HOLE, START_OR_HOLE, PERHAPS_HOLE, NO_HOLE = 0.97, 0.35, 0.3, 0.06
"""The probability that an illegible place is a hole: with pale ink; with strong ink in a colour that no glyph has
(always a start in those windows, but holes may be decorated); with ink in the glyphs' colour on a board without walls;
and on one with walls."""

PERHAPS_START, START_ON_A_COLOUR = 0.25, 0.75
"""The probability that an illegible place is a start: in some windows starts resemble nothing in particular; and that
it is one where it has a ground that no clear number has."""

WALLED = 0.2
"""Factor for the probability that a glyph within walls of its own is none, on top of the network and the typeface:
holes are empty."""

COMPANY, LIKELY = 3, 0.8
"""At least so many equal glyphs are examples of their token already at this lower probability: the look of frequent
tokens is known, and a glyph unlike every known look is hardly one of them."""

WEIGHT, APART = 12.0, 20.0
"""The weight of what a token leaves unexplained beyond what the best one leaves: a tenth of a glyph's ink makes it
e^1.2 times less likely, and e^3.2 times if that is not connected with the largest piece, because a cover is one piece.
Less if sure glyphs do not explain their own places either."""

EMPTY = 10.0
"""The additional penalty for an empty place: the ink beside a cover is a glyph of which nothing else is known."""

BLURRED = 0.3
"""The share of its ink that a sure glyph leaves unexplained by other examples of its token, at which the weight is
halved."""

ALL_LEAVE = 4.0
"""The weight of the ink beside a cover that even the best token leaves unexplained."""

COVERED = 0.02
"""The probability that the network read the cover, not the glyph: then it may be any of the board's tokens, by
frequency."""

DISTRUST, LARGE_COVER = 0.6, 0.3
"""If a cover has at least this share of a glyph's ink, the network's opinion of both together counts less: its
probabilities are raised to the power of ``DISTRUST``."""

LARGEST_COVER = 6.0
"""A cover with more ink than so many glyphs leaves nothing to compare: a veil over the whole place."""

UNKNOWN_LOOK, KINDS, NEW = 1.5, 5, 0.5
"""The penalty for a token without an example on the board, because its look is not known. In addition, the probability
of a new token is estimated by the number of tokens that occur only once (Good and Turing's estimate; Good 1953), shared
among so many kinds, its logarithm multiplied by this weight."""

EXPLAINED, LOOSE = 4.0, 0.2
"""A further penalty for unknown tokens, up to so much, if one of the board's tokens leaves nothing but one piece, the
cover: another token would hardly fit so well. The penalty is smaller, the more is left beside that piece, up to this
share of a glyph's ink."""

PERHAPS_ANOTHER = 0.1
"""The least probability of a token that was only seen where something lies over it; and of each number up to one more
than the highest seen, where nothing was read that a cover hides, and no token with an example leaves nothing but one
piece."""

MOST_AGAINST, MOST_AGAINST_NEW = 8.0, 12.0
"""The largest penalty, as a logarithm, for a token with examples, and for one without: glyphs vary."""

NEGLIGIBLE_START, OPEN_START, INSTEAD_OF_A_START = 0.1, 0.95, 0.06
"""Between the first two probabilities a start is in doubt, and the best of the board's numbers get at least the third,
relative to it: most levels still have a solution with one more start, so the rules say little about it."""

UNLIKELY, MOST_NOTHING, MOST_NOTHING_CLOSED = 0.4, 0.9, 0.6
"""If the probability of an empty place was below the first, this comparison raises it to the second at most, and to the
third if the place has walls or a colour of its own."""

MOST_CHECKED = 8
"""Sure glyphs that are compared with other examples of their token."""

BEYOND_DOUBT = 0.999
"""What is surer than this is hardly covered: numbers that a pointer changed into others had at most 0.998."""

LARGER = 1.15
"""Ink that is so many times as high or as broad as that of equal numbers elsewhere is more than a number."""

LIKE_AN_X = 0.1
"""The least probability of a start by the network for it to have a colour that no other start has, if not every start
has a colour of its own."""

MOST_COMPARED = 16
"""The largest number of doubtful places whose visible part is compared: with more, the picture is damaged, not
covered."""


def lifted(image: Image, board: Board) -> dict[Cell, Place]:
    """The places of which more is known once the whole board is read, with their new candidates."""
    result = _judged(image, board)
    result |= _by_what_shows(image, board, board.places | result)
    result |= in_chains.in_chains(image, board.places | result)
    return result | in_chains.on_plain_ground(board.places | result)


def _coloured_starts(places: Mapping[Cell, Place]) -> Callable[[Place], bool]:
    """Whether a place may be a start because of its colour: the board has several starts, each with a colour of its own
    that no number has, and the place has such a colour too."""
    starts = [place.content.colour for place in sure_starts(places)]
    # The commonest colour of each number: the other colours belong to chains on top of them.
    numbers = [colours(alike)[0] for alike in sure_numbers(places).values()]
    if len(starts) < 2 or not all(is_new(one, [*numbers, *starts[:n]]) for n, one in enumerate(starts)):
        return lambda _: False
    return lambda place: not place.content.bare and is_new(place.content.colour, numbers)


def _by_what_shows(image: Image, board: Board, places: Mapping[Cell, Place]) -> dict[Cell, Place]:
    """Isolated doubtful places, explained by the board's own glyphs: how much of the visible ink would each token leave
    unexplained? Every token leaves the cover unexplained, but only the wrong ones also the strokes that are visible
    beside it."""
    doubted, odd = _doubted(places), _odd(places)
    result = _compared(image, board, places, doubted, seemingly_sure=False)
    if len(doubted) + len(odd) <= MOST_COMPARED:
        result |= _compared(image, board, places, odd, seemingly_sure=True)
    return result


def _compared(
    image: Image, board: Board, places: Mapping[Cell, Place], doubted: Mapping[Cell, Place], *, seemingly_sure: bool
) -> dict[Cell, Place]:
    """The ``doubted`` places, compared with all clear ones. What is ``seemingly_sure`` is no example for itself, and
    was read without what has another colour."""
    clear = _clear({cell: place for cell, place in places.items() if not seemingly_sure or cell not in doubted})
    if not clear or not 0 < len(doubted) <= MOST_COMPARED:
        return {}
    image, noise = smoothed(image)
    sure = {place.candidates[0][0] for place in clear}
    clear = [place for place in clear if not views.touches(place.content)] or clear  # else a line would be ink
    looks = looks_of(image, clear)
    beside_all = beside_all_of(image, clear, looks)
    mass = float(np.median([look.ink.sum() for look in looks.values()]))
    counts = Counter(place.candidates[0][0] for place in clear)
    once = sum(count == 1 for count in counts.values()) + 0.5
    rare = NEW * max(float(np.log(KINDS * len(clear) / len(counts) / once)), 0.0)
    clearness = 1 / (1 + _blurredness(image, clear, looks, beside_all, noise) / (BLURRED * max(mass, 1.0)))
    tints, own = colours(clear), _coloured_starts(places)
    grounds = [place.content.ground for place in clear]
    result = {}
    for cell, place in doubted.items():
        if place.candidates[0][0] == "X" and ("X" not in looks or is_new(place.content.ground, grounds)):
            continue  # a start that is known by its mark alone, or by its colour: each may show a letter of its own
        any_colour = dict(board.places[cell].candidates).get("X", 0.0) > LIKE_AN_X or own(place)
        left = unexplained(image, place, looks, beside_all, any_colour, noise)
        if not left:
            continue
        cover = min(largest for _, largest in left.values())
        if cover > LARGEST_COVER * mass:
            continue
        best, piece = min(found for token, found in left.items() if token) if len(left) > 1 else left[""]
        covered = all(views.more_than_a_glyph(image, place.content, colour) for colour in tints)
        if covered and seemingly_sure:
            continue
        # A cover in the glyphs' own colour was read as a part of the number.
        unknown = place.candidates[0][0].isdigit() and place.candidates[0][0] not in looks
        beyond = unknown and views.touches(place.content) and _is_larger(place, clear)
        trust = 1 - (1 - DISTRUST) * min(best / (LARGE_COVER * max(mass, 1.0)), 1.0) if covered or beyond else 1.0
        beside = (best - piece) / max(mass, 1.0)
        chances = odds.normalised({token: p**trust for token, p in place.candidates})
        chances = {token: (1 - COVERED) * p for token, p in chances.items()}
        for token in left:
            chances[token] = chances.get(token, 0.0) + COVERED * counts[token] / len(clear)
        chances |= {token: max(chances.get(token, 0.0), PERHAPS_ANOTHER) for token in sure - left.keys()}
        if beside > LOOSE:
            chances = _perhaps_another(dict(board.places[cell].candidates).get("", 0.0), left) | chances
        strange = {token: (WEIGHT * n + APART * (n - one)) / max(mass, 1.0) for token, (n, one) in left.items()}
        strange[""] += EMPTY * (left[""][0] - left[""][1]) / max(mass, 1.0)
        least = min(strange.values())
        every = ALL_LEAVE * (min(left.values())[0] - cover) / max(mass, 1.0)
        new = UNKNOWN_LOOK + rare + (EXPLAINED * max(1 - beside / LOOSE, 0.0) if covered else 0.0)
        against = {
            token: min(clearness * (strange[token] - least) + every, MOST_AGAINST)
            if token in left
            else min(new, MOST_AGAINST_NEW)
            for token in chances
        }
        chances = {token: p * float(np.exp(-against[token])) for token, p in chances.items()}
        chances = _with_numbers(odds.normalised(chances), left)
        closed = board.walled and cell in board.lattice.cells
        if dict(place.candidates).get("", 0.0) < UNLIKELY:
            chances = _hardly_nothing(chances, MOST_NOTHING_CLOSED if closed else MOST_NOTHING)
        result[cell] = replace(place, candidates=weighed(chances))
    return result


def _doubted(places: Mapping[Cell, Place]) -> dict[Cell, Place]:
    """The isolated places with ink that are in doubt."""
    often = Counter(place.cluster for place in places.values())
    return {
        cell: place
        for cell, place in places.items()
        if (often[place.cluster] == 1 or views.touches(place.content))
        and not (place.told or place.apart or place.crossed or place.content.bare)
        and place.candidates[0][1] < OPEN
    }


def _odd(places: Mapping[Cell, Place]) -> dict[Cell, Place]:
    """The isolated places that seem sure, but show more than equal numbers elsewhere (or than all, if there are none),
    or the only start on a ground of numbers: something may cover another number there. What reaches the border of its
    place is rather a line."""
    often = Counter(place.cluster for place in places.values())
    alone = {
        cell: place
        for cell, place in places.items()
        if often[place.cluster] == 1 and place.candidates[0][0] and OPEN <= place.candidates[0][1] < BEYOND_DOUBT
        if not (place.told or place.apart or place.crossed or place.content.bare or views.touches(place.content))
    }
    numbers = sure_numbers(places) if alone else {}
    odd = {}
    for cell, place in alone.items():
        token = place.candidates[0][0]
        equal = [other for other in numbers.get(token, ()) if other is not place]
        others = equal or [other for alike in numbers.values() for other in alike if other is not place]
        if token.isdigit() and others and _is_larger(place, others):
            odd[cell] = place
    starts = sure_starts(places) if numbers else []
    if len(starts) > 1:
        grounds = np.stack([place.content.ground for alike in numbers.values() for place in alike])
        plain = [one for one in starts if np.abs(grounds - one.content.ground).max(axis=1).min() <= SAME_COLOUR]
        if len(plain) == 1:
            odd |= {cell: place for cell, place in alone.items() if place is plain[0]}
    return odd


def _is_larger(place: Place, others: Sequence[Place]) -> bool:
    """Whether a place's ink is higher or broader than that of all ``others``."""
    boxes, own = [other.content.box for other in others], place.content.box
    return own.height > LARGER * max(b.height for b in boxes) or own.width > LARGER * max(b.width for b in boxes)


def _clear(places: Mapping[Cell, Place]) -> list[Place]:
    """The places that surely hold a glyph."""
    often = Counter(place.cluster for place in places.values())
    return [
        place
        for place in places.values()
        if place.candidates[0][0]
        and place.candidates[0][1] > (OPEN if often[place.cluster] < COMPANY else LIKELY)
        and not place.content.bare
    ]


def _perhaps_another(nothing: float, seen: Iterable[str]) -> dict[str, float]:
    """Candidates for a glyph of which the network saw ``nothing``, with this probability, if the tokens that were
    ``seen`` elsewhere do not explain it."""
    highest = max((int(token) for token in seen if token.isdigit()), default=0)
    return {str(number): PERHAPS_ANOTHER * nothing for number in range(1, highest + 2)}


def _hardly_nothing(chances: dict[str, float], most: float) -> dict[str, float]:
    """The same candidates, with at most this probability for a hole: that no token explains the ink does not prove
    one."""
    if chances.get("", 0.0) <= most:
        return chances
    others = sum(p for token, p in chances.items() if token)
    return {t: p * (1 - most) / others for t, p in chances.items() if t} | {"": most}


def _with_numbers(chances: dict[str, float], left: Mapping[str, tuple[int, int]]) -> dict[str, float]:
    """The same candidates; where a start is in doubt, with the numbers that leave the fewest pixels unexplained."""
    start = chances.get("X", 0.0)
    if not NEGLIGIBLE_START < start < OPEN_START:
        return chances
    for token in sorted((one for one in left if one not in ("", "X")), key=lambda one: left[one])[:CLOSEST]:
        chances[token] = max(chances.get(token, 0.0), INSTEAD_OF_A_START * start)
    return odds.normalised(chances)


def _blurredness(
    image: Image, clear: Sequence[Place], looks: Mapping[str, Look], beside_all: NDArray[np.bool_], noise: float
) -> float:
    """How many pixels a sure glyph usually leaves unexplained when compared with other examples of the same token."""
    counts = Counter(place.candidates[0][0] for place in clear)
    several = [place for place in clear if counts[place.candidates[0][0]] > 1 and place.candidates[0][0] in looks]
    left = []
    for place in several[:: max(len(several) // MOST_CHECKED, 1)][:MOST_CHECKED]:
        token = place.candidates[0][0]
        found = unexplained(image, place, {token: looks[token]}, beside_all, False, noise)
        left.append(found.get(token, (0, 0))[0])
    return float(np.median(left or [0]))


def _judged(image: Image, board: Board) -> dict[Cell, Place]:
    """The places with illegible ink, judged by how much of the ink has the glyphs' own colour: under a pointer or a
    hint, which may lie on any of the board's numbers, some of the number stays visible; a start may have a colour of
    its own; the edge of a shadow in a hole is pale. What stays open is decided by the rules."""
    clear = [p for p in board.places.values() if p.candidates[0][0] and p.candidates[0][1] > odds.LEGIBLE]
    legible = Counter(place.candidates[0][0] for place in clear)
    if not clear:
        return {}
    calm: tuple[Image, float] | None = None
    contrast = float(np.median([place.content.contrast for place in clear]))
    mass = float(np.median([_mass(place.content) for place in clear]))
    tints = colours(clear)
    grounds = [place.content.ground for place in clear if place.candidates[0][0] != "X"]
    result = {}
    alone = 1 + max(place.cluster for place in board.places.values())
    for number, (cell, place) in enumerate(board.places.items(), alone):
        chances = dict(place.candidates)
        nothing = chances.pop("", 0.0)
        pale = place.content.contrast < PALE * contrast
        if place.content.bare or place.told or place.crossed or not (nothing or pale):
            continue
        upon_two, weak = None, pale
        if nothing > MOSTLY or pale:
            calm = calm or smoothed(image)
            upon_two = rims.content(calm[0], place.content.place, calm[1])
        if upon_two is not None and (views.goes_through(place.content) or not upon_two.bare):
            pale = upon_two.bare  # a line that ends in the place is not a rim, but a chain that may hide a start
        foreign = min(float(np.abs(colour - place.content.colour).max()) for colour in tints) > SAME_COLOUR
        if pale and foreign and place.candidates[0][0] not in ("", "X"):
            # Pale ink in a colour that no glyph has, such as a veil's rim, resembles a number by accident.
            found = {token: (1 - SURE_HOLE) * p for token, p in chances.items()}
            result[cell] = replace(place, candidates=weighed(found | {"": SURE_HOLE}), cluster=number)
            continue
        rim_alone = weak and pale and upon_two is not None and upon_two.bare
        if not nothing or (rim_alone and not chances):
            continue  # upon both grounds beside a rim nothing is left, whatever shades the rim itself has
        left = max(_mass(ink.content_in_colour(image, place.content.place, colour)) for colour in tints)
        left = left if upon_two is None else max(left, _mass(upon_two))
        if place.candidates[0][0]:
            if left > GLYPH_LEFT * mass and board.walled and cell in board.lattice.cells:
                result[cell] = replace(place, candidates=weighed({**chances, "": nothing * WALLED}))
            continue
        if left > GLYPH_LEFT * mass:
            hole = NO_HOLE if cell in board.lattice.cells else PERHAPS_HOLE
            start = START_ON_A_COLOUR if is_new(place.content.ground, grounds) else PERHAPS_START
            share = (1 - start) * nothing / sum(legible.values())
            rest = {"X": start * nothing} | {token: share * n for token, n in legible.items() if token != "X"}
        else:
            hole = SURE_HOLE if pale else START_OR_HOLE
            chances, rest = {}, {"X": 1.0}
        for token, p in rest.items():
            chances[token] = chances.get(token, 0.0) + p
        whole = sum(chances.values()) / (1 - hole)
        options = weighed({"": hole} | {token: p / whole for token, p in chances.items()})
        result[cell] = replace(place, candidates=options, cluster=number)  # two covers may hide two numbers
    return result


def _mass(here: ink.Content) -> float:
    """The amount of ink, in square pixels."""
    return 0.0 if here.bare else float(here.ink.sum()) * (here.box.height / here.ink.shape[0]) ** 2
