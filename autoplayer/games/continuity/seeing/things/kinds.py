"""Which of the things in the rooms is the figure, which are keys, which is the door.

What a thing is follows from how it stands among the others: keys are small and alike, the figure and the door stand on
ground, the door is larger and there is one of it; and from its outline and what is drawn inside it. Every way to give
out the parts is weighed, so each thing has a probability for what it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np

from autoplayer.games.continuity.seeing.sight import Bools, Kind, Thing
from autoplayer.games.continuity.seeing.things.pieces import Piece

MOST_KEYS = 5
"""Where there are more keys than these, and than tiles, some may be a part of what is behind the rooms."""
KEYLESS = 3.0
"""How much less a level without any key weighs, once the figure is known, than one in which a key stands beside it."""
TINY = 6
"""How many pixels high a figure is at most of which the shape says little."""
UNLOCKED = 0.85
"""How sure figure and door are, at most, where nothing else is seen: a key, or one of them, may not have been seen."""
SMALL_DOOR, UNLIKELY = 0.85, 0.88
"""How large a door is beside the largest thing at least, and how sure it and that are, at most, where it is not."""
DOOR_LIKE, LARGER_DOOR = 0.85, 1.4
"""The share of its box that a door fills at least, and how large one that fills less is beside the largest other thing:
else it is not certain."""
BEYOND_ARCH = 2.2
"""How large a door is beside a figure at least that has the outline of an arch: else either may be the door."""
SPECK = 0.1
"""The share of the largest key that another one takes at least which is certain: a smaller one may be a rest of what is
behind the rooms."""
UPRIGHT, ROUND = 0.75, 0.8
"""The share of its lower part in which a door is as broad as it is anywhere at least, and how much of its box a thing
counts to fill at most where that is less."""
FLAG, LEGS = 2.5, 0.8
"""What a flag on a pole counts for a door and against a figure; what legs count for a figure and against all else."""
NECKED, STEMMED = 0.9, 2.0
"""What a head on a neck counts for a figure, and one narrow stem, or the bow of a key, against it."""
EYED, KNOBBED, PANELLED, ARCHED, GOLDEN = 1.2, 1.2, 0.8, 0.4, 0.6
"""What eyes count for a figure, a knob, a panel and a round top for a door, each against the other; and the colour of
gold for a key and against both."""
LYING, FLAT = 1.0, 1.4
"""What counts against a figure or a door that is so many times broader than high, and with the cube of how much
broader one is than that."""
ROLES: tuple[Kind, ...] = ("figure", "door", "key")


def alike(one: Piece, other: Piece) -> bool:
    """Whether two things look the same."""
    return (
        abs(one.width - other.width) <= max(2, 0.2 * one.width)
        and abs(one.height - other.height) <= max(2, 0.2 * one.height)
        and float(np.abs(one.colour - other.colour).max()) < 40
    )


def roles_of(pieces: Sequence[Piece], known: int | None = None) -> tuple[tuple[Thing, ...], tuple[str, ...]]:
    """What each piece is. Ways: one figure or two, one door, all else keys. ``known``: the one that is the figure for
    certain; a second one is then another."""
    number = len(pieces)
    if number < 2:
        return tuple(_thing(piece, "unknown", 0.5) for piece in pieces), ("too few things stand in the rooms",)
    same = np.array([[alike(a, b) for b in pieces] for a in pieces])
    alone = same.sum(axis=1) == 1
    largest = max(piece.area for piece in pieces)
    ways: list[tuple[float, int, int, int]] = []
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
    chances /= total
    _, first, second, door = max(ways)
    # A door that a figure would not fit through is hardly one, whatever else speaks for it; nor is one that has neither
    # the shape nor the size of a door, as where all things are letters of one height.
    larger = pieces[door].area / max(piece.area for n, piece in enumerate(pieces) if n != door)
    shaped = _square(pieces[door]) > DOOR_LIKE or pieces[door].outline.flag
    if larger < SMALL_DOOR or (not shaped and larger < LARGER_DOOR):
        rivals = [door, *(n for n in range(number) if pieces[n].area == largest)]
        chances[rivals if known is None else [n for n in rivals if n != known]] *= UNLIKELY
    if known is None and pieces[first].outline.arch and pieces[door].area < BEYOND_ARCH * pieces[first].area:
        chances[[first, door]] *= UNLIKELY  # who has a round top on straight sides may be the door as well
    largest_key = max((piece.area for n, piece in enumerate(pieces) if n not in (first, second, door)), default=0)
    things: list[Thing] = []
    for n, piece in enumerate(pieces):
        kind: Kind = "figure" if n in (first, second) else "door" if n == door else "key"
        sure = float(chances[n, ROLES.index(kind)])
        shapeless = piece.height <= TINY or piece.width > FLAT * piece.height  # no figure lies: it may be a part of one
        if known is None and (number == 2 or (kind == "figure" and shapeless)):
            sure = min(sure, UNLOCKED)
        if kind == "key" and (piece.faint or piece.area < SPECK * largest_key):
            sure = min(sure, UNLIKELY)
        things.append(_thing(piece, kind, sure))
    doubts = []
    if second >= 0:
        doubts.append("two things look like the figure: the one that moves when a key is pressed is it")
    keys = sum(thing.kind == "key" for thing in things)
    if keys > max(MOST_KEYS, len({thing.tile for thing in things})):
        doubts.append(f"{keys} things look like keys: some of them may be a part of what is behind the rooms")
    doubts += [f"whether the thing in tile {t.tile + 1} is a {t.kind} is not certain" for t in things if t.sure < 0.4]
    return tuple(things), tuple(doubts)


def _weight(
    pieces: Sequence[Piece], same: Bools, alone: Bools, largest: int, figure: int, second: int, door: int
) -> float:
    """How well a way to give out the parts fits, a logarithm."""
    keys = [n for n in range(len(pieces)) if n not in (figure, second, door)]
    weight = _figure_like(pieces[figure]) + (0.8 if alone[figure] else -1.5)
    way_out = pieces[door]
    weight += (1.2 if way_out.grounded else -1.0) + (1.0 if alone[door] else -2.0)
    larger = math.log(way_out.area / pieces[figure].area)
    square = _square(way_out)
    weight += 1.0 * (square > 0.85) + 1.5 * min(max(larger, -1.2), 1.2)
    weight += 3.0 * (square - max(_square(pieces[figure]), 0.75))
    weight += FLAG * way_out.outline.flag - LEGS * way_out.outline.legs - _lying(way_out)
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
    """How much speaks against a figure or a door in that a thing is broader than high."""
    broad = piece.width / piece.height
    return LYING * min(broad / FLAT, 2.0) ** 3 if broad > FLAT else 0.0


def _door_drawn(piece: Piece) -> float:
    """How much a thing is drawn as doors are, and not as figures are."""
    details = piece.details
    drawn = KNOBBED * details.knob + PANELLED * details.panel + ARCHED * piece.outline.arch
    return drawn - EYED * details.eyes


def _square(piece: Piece) -> float:
    """How much of its box a thing fills; less than a door does where its sides do not go straight down."""
    if piece.outline.doorway:
        return 1.0
    return piece.full if piece.outline.upright >= UPRIGHT else min(piece.full, ROUND)


def _thing(piece: Piece, kind: Kind, sure: float) -> Thing:
    return Thing(kind, piece.tile, piece.x, piece.y, piece.width, piece.height, round(sure, 3))
