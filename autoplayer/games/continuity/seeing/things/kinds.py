"""Assigns roles to the things in the rooms: the figure, the keys, the door.

The evidence is how a thing compares with the others (keys are small and alike, the figure and the door stand on ground,
the door is larger and unique), its outline, and what is drawn inside it. Every assignment of roles to the things is
weighed, so each thing has a probability for its role.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.seeing.sight import Bools, Kind, Thing
from autoplayer.games.continuity.seeing.things.pieces import Piece

MOST_KEYS = 5
"""With more keys than this, and than tiles, some may be part of the background."""
KEYLESS = 3.0
"""The penalty for a level without any key, once the figure is known, relative to one with a key."""
TINY = 6
"""A figure up to so many pixels high shows little of its shape."""
UNLOCKED = 0.85
"""The greatest certainty of figure and door if nothing else is seen: a key, or one of them, may have been missed."""
SMALL_DOOR, UNLIKELY = 0.85, 0.88
"""The least size of a door relative to the largest thing, and the greatest certainty of both if it is smaller."""
DOOR_LIKE, LARGER_DOOR = 0.85, 1.4
"""The least share of its box that a door fills, and the least size, relative to the largest other thing, of a door that
fills less: otherwise it is not certain."""
BEYOND_ARCH = 2.2
"""The least size of a door relative to a figure with the outline of an arch: otherwise either may be the door."""
SPECK = 0.1
"""The least size of a certain key relative to the largest one: a smaller one may be a remnant of the background."""
UPRIGHT, ROUND = 0.75, 0.8
"""The least share of its lower part in which a door has its full width, and the share of its box that a thing counts to
fill at most if that is less."""
FLAG, LEGS = 2.5, 0.8
"""The evidence of a flag on a pole for a door and against a figure; of legs for a figure and against everything
else."""
NECKED, STEMMED = 0.9, 2.0
"""The evidence of a head on a neck for a figure, and of one narrow stem, or the bow of a key, against it; of the bow
against a door as well."""
EYED, KNOBBED, PANELLED, ARCHED, GOLDEN = 1.2, 1.2, 0.8, 0.4, 0.6
"""The evidence of eyes for a figure, of a knob, a panel and a round top for a door, each against the other; and of the
colour of gold for a key and against both."""
LYING, FLAT = 1.0, 1.4
"""The evidence against a figure or a door that is so many times broader than high; it grows with the cube of the
excess."""
SPARSE = 0.5
"""The least share of its box that a certain figure without legs, neck and eyes fills: a gem with the noise of a
compressed picture round it fills less."""
BROAD = 1.15
"""The least ratio of width to height of a figure that is in doubt if a key that stands is higher than broad."""
ROLES: tuple[Kind, ...] = ("figure", "door", "key")
Way = tuple[float, int, int, int]
"""An assignment of roles: its weight, and the numbers of the figure, a second figure (-1 for none), and the door."""


def alike(one: Piece, other: Piece) -> bool:
    """Whether two things look the same."""
    return (
        abs(one.width - other.width) <= max(2, 0.2 * one.width)
        and abs(one.height - other.height) <= max(2, 0.2 * one.height)
        and float(np.abs(one.colour - other.colour).max()) < 40
    )


def roles_of(pieces: Sequence[Piece], known: int | None = None) -> tuple[tuple[Thing, ...], tuple[str, ...]]:
    """The role of each piece. Assignments: one figure or two, one door, all else keys. ``known``: the certain figure; a
    second one is then another figure."""
    if len(pieces) < 2:
        return tuple(_thing(piece, "unknown", 0.5) for piece in pieces), ("too few things stand in the rooms",)
    ways = _ways(pieces, known)
    _, first, second, door = max(ways)
    chances = _with_unlikely(pieces, _chances(ways, len(pieces)), known, first, door)
    keys = [piece for n, piece in enumerate(pieces) if n not in (first, second, door)]
    upright = any(key.grounded and key.height > key.width for key in keys)
    largest_key = max((key.area for key in keys), default=0)
    things: list[Thing] = []
    for n, piece in enumerate(pieces):
        kind: Kind = "figure" if n in (first, second) else "door" if n == door else "key"
        sure = float(chances[n, ROLES.index(kind)])
        # No figure lies: it may be a part of one.
        shapeless = piece.height <= TINY or piece.width > (BROAD if upright else FLAT) * piece.height
        featured = piece.outline.legs or piece.outline.neck or piece.details.eyes
        shapeless |= piece.full < SPARSE and not featured
        if known is None and (len(pieces) == 2 or (kind == "figure" and shapeless)):
            sure = min(sure, UNLOCKED)
        if kind == "key" and (piece.faint or piece.area < SPECK * largest_key):
            sure = min(sure, UNLIKELY)
        things.append(_thing(piece, kind, sure))
    doubts = []
    if second >= 0:
        doubts.append("two things look like the figure: the one that moves when a key is pressed is it")
    if len(keys) > max(MOST_KEYS, len({thing.tile for thing in things})):
        doubts.append(f"{len(keys)} things look like keys: some of them may be a part of what is behind the rooms")
    doubts += [f"whether the thing in tile {t.tile + 1} is a {t.kind} is not certain" for t in things if t.sure < 0.4]
    return tuple(things), tuple(doubts)


def _ways(pieces: Sequence[Piece], known: int | None) -> list[Way]:
    """All assignments of roles, weighed."""
    number = len(pieces)
    same = np.array([[alike(a, b) for b in pieces] for a in pieces])
    alone = same.sum(axis=1) == 1
    largest = max(piece.area for piece in pieces)
    ways: list[Way] = []
    for figure, door in permutations(range(number), 2):
        for second in (-1, *range(number)):
            if second in (figure, door) or (second >= 0 and second < figure and known is None):
                continue
            if known is not None and figure != known:
                continue
            weight = _weight(pieces, same, alone, largest, figure, second, door)
            if known is not None and second >= 0 and number == 3:
                weight -= KEYLESS
            ways.append((weight, figure, second, door))
    return ways


def _chances(ways: Sequence[Way], number: int) -> NDArray[np.float64]:
    """The probabilities of each of ``number`` pieces to have each of the ``ROLES``, shape ``(number, 3)``."""
    top = max(weight for weight, *_ in ways)
    chances = np.zeros((number, 3))
    for weight, figure, second, door in ways:
        chance = math.exp(weight - top)
        chances[:, 2] += chance
        for role, each in ((0, figure), (0, second), (1, door)):
            if each >= 0:
                chances[each, 2] -= chance
                chances[each, role] += chance if second < 0 or role else chance / 2
    total = sum(math.exp(weight - top) for weight, *_ in ways)
    return chances / total


def _with_unlikely(
    pieces: Sequence[Piece], chances: NDArray[np.float64], known: int | None, first: int, door: int
) -> NDArray[np.float64]:
    """The probabilities in which a door that is odd for one is not certain: one that a figure would not fit through,
    whatever else speaks for it; one that has neither the shape nor the size of a door, as where all things are letters
    of one height; and one that may be the figure."""
    chances = chances.copy()
    largest = max(piece.area for piece in pieces)
    larger = pieces[door].area / max(piece.area for n, piece in enumerate(pieces) if n != door)
    shaped = _square(pieces[door]) > DOOR_LIKE or pieces[door].outline.flag
    if larger < SMALL_DOOR or (not shaped and larger < LARGER_DOOR):
        rivals = [door, *(n for n in range(len(pieces)) if pieces[n].area == largest)]
        chances[rivals if known is None else [n for n in rivals if n != known]] *= UNLIKELY
    if known is None and pieces[first].outline.arch and pieces[door].area < BEYOND_ARCH * pieces[first].area:
        chances[[first, door]] *= UNLIKELY  # who has a round top on straight sides may be the door as well
    return chances


def _weight(
    pieces: Sequence[Piece], same: Bools, alone: Bools, largest: int, figure: int, second: int, door: int
) -> float:
    """How well an assignment of roles fits, a logarithm."""
    keys = [n for n in range(len(pieces)) if n not in (figure, second, door)]
    weight = _figure_like(pieces[figure]) + (0.8 if alone[figure] else -1.5)
    way_out = pieces[door]
    weight += (1.2 if way_out.grounded else -1.0) + (1.0 if alone[door] else -2.0)
    larger = math.log(way_out.area / pieces[figure].area)
    square = _square(way_out)
    weight += 1.0 * (square > 0.85) + 1.5 * min(max(larger, -1.2), 1.2)
    weight += 3.0 * (square - max(_square(pieces[figure]), 0.75))
    weight += FLAG * way_out.outline.flag - LEGS * way_out.outline.legs - _lying(way_out)
    weight -= STEMMED * way_out.outline.bow
    weight += _door_drawn(way_out) - _door_drawn(pieces[figure]) - GOLDEN * way_out.details.gold
    if second >= 0:
        one, other = pieces[figure], pieces[second]
        close = abs(one.height - other.height) <= max(2, 0.15 * one.height) and abs(one.width - other.width) <= max(
            3, 0.3 * one.width
        )
        together = one.tile == other.tile and abs(one.y + one.height - other.y - other.height) <= 3
        weight += _figure_like(other) - 3.8 + (1.5 if close else -2.0) + 3.0 * together
    for at, key in enumerate(keys):
        piece = pieces[key]
        weight += 0.4 * (not piece.grounded) + 0.4 * (piece.area < way_out.area) - 1.0 * (piece.area == largest)
        weight += 0.9 * min(max(math.log(pieces[figure].area / piece.area), -1.0), 1.0) - LEGS * piece.outline.legs
        weight += GOLDEN * piece.details.gold
        if at:
            weight += 0.8 if same[key, keys[0]] else -1.2
    if len(keys) == 0 and second >= 0:
        weight -= 1.5
    return weight


def _figure_like(piece: Piece) -> float:
    tall = piece.height / piece.width
    return (
        (1.5 if piece.grounded else -1.0)
        + (0.7 if 1.1 <= tall <= 3.6 else -0.7)
        + (0.6 if _square(piece) < 0.85 else -0.6)
        - (0.8 if piece.full < 0.3 else 0.0)
        + LEGS * piece.outline.legs
        + NECKED * piece.outline.neck
        - max(FLAG * piece.outline.flag, STEMMED * (piece.outline.stem or piece.outline.bow))
        - _lying(piece)
        - GOLDEN * piece.details.gold
    )


def _lying(piece: Piece) -> float:
    """The evidence against a figure or a door from a thing being broader than high."""
    broad = piece.width / piece.height
    return LYING * min(broad / FLAT, 2.0) ** 3 if broad > FLAT else 0.0


def _door_drawn(piece: Piece) -> float:
    """By how much a thing is drawn like doors, and unlike figures."""
    details = piece.details
    drawn = KNOBBED * details.knob + PANELLED * details.panel + ARCHED * piece.outline.arch
    return drawn - EYED * details.eyes


def _square(piece: Piece) -> float:
    """The share of its box that a thing fills; reduced below that of a door if its sides are not vertical."""
    if piece.outline.doorway:
        return 1.0
    return piece.full if piece.outline.upright >= UPRIGHT else min(piece.full, ROUND)


def _thing(piece: Piece, kind: Kind, sure: float) -> Thing:
    return Thing(kind, piece.tile, piece.x, piece.y, piece.width, piece.height, round(sure, 3))
