"""Things beside a board without walls that stand on the same lattice, but are not part of it: headings, buttons,
everything behind the rim of a panel."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Mask, unlike
from autoplayer.games.cardinal_chains.seeing.glyphs import marks, odds, views
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place, around, likeliest, outer_lines, perhaps_none
from autoplayer.games.cardinal_chains.seeing.lattice.sides import walled_sides
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

Look = Callable[[Sequence[Cell]], dict[Cell, ink.Content]]
"""Says what places of a lattice show."""

KNOWN_LOOKS = 8
"""With so many glyphs, their look and position are known."""

WITHIN, ALL_ALONG = 0.3, 0.9
"""How far beyond the middles of the board's outermost cells a panel's rim is straight, as a share of the pitch; and the
least share of that way on which it is visible."""

MOSTLY_ALONG, BROADEST = 0.6, 0.5
"""The least share of that way on which the edge of a chain is visible that ends in the outermost cells and passes below
numbers; and the breadth of such a chain at most, as a share of the pitch."""

CORNER = 0.1
"""The side of a place's corner, as a share of its own, which a disc as broad as the place does not reach (0.146 is the
most), and of which a wall, even a broad one, takes less than half."""

SAME_GROUND, MOST_OURS = 10.0, 0.7
"""The largest difference in grey levels between places with one ground; and the least share of a board's places that
have one."""

MOST_IN_DISCS, LARGER = 0.8, 1.5
"""The least share of a board's marks that stand in discs or on tiles if all should; and the height of a mark that is
itself such a disc, as a multiple of the usual mark's height."""

FEWEST_IN_DISCS = 4
"""The least number of marks from which a small board shows that all of them stand in discs."""

LOWER, FAR_LOWER, ROUNDED = 0.12, 0.2, 2
"""The share of a glyph's height by which it must be lower than all equal ones to be in doubt, and to be removed if
others in its line are lower too; and the least difference in pixels."""

ASIDE, FAR_ASIDE = 0.1, 0.15
"""The same for its horizontal or vertical displacement in its place, as shares of the pitch."""

KNOWN_PLACES = 4
"""With so many glyphs, the position of a number in its place is known, whichever number it is."""

FAR_BEYOND = 8
"""A number that exceeds all others by more than this is not one of the board's, but a score or a level's number."""

SEVERAL = 3
"""If so many glyphs of a line are slightly lower, or displaced, that is no accident."""

INNER = 1.4
"""The side of a square that holds a glyph and little of the disc around it, as a multiple of the usual glyph's
height."""


def drop_other_grounds(view: View, found: lattice.Lattice, contents: dict[Cell, ink.Content], look: Look) -> set[Cell]:
    """Remove outer rows and columns of a board without walls whose ground differs from that of nearly all places and is
    the same all along, or that lie behind the only line between two rows, or have no disc although nearly all others
    do: they are headings or buttons beside the board's panel. Returns the places of those that are kept all the same,
    because their marks have the height and position of the others: chains may have filled all other cells."""
    doubtful = _drop_what_is_behind_a_line(view, found, contents, look)
    _drop_what_has_no_disc(view, contents)
    while len(contents) - len(doubtful) >= KNOWN_LOOKS:
        grounds = {cell: here.ground for cell, here in contents.items() if cell not in doubtful}
        usual = np.median(list(grounds.values()), axis=0)
        ours = {cell for cell, ground in grounds.items() if float(np.abs(ground - usual).max()) < SAME_GROUND}
        if len(ours) < MOST_OURS * len(grounds):
            break
        outer = [set(line) for by in (0, 1) for line in outer_lines(grounds, by)]
        strange = next(
            (
                line
                for line in outer
                if not line & ours and _steps(grounds, line) and _goes_on(view, found, contents, line, look)
            ),
            None,
        )
        if strange is None:
            break
        if _are_of_one_type([contents[cell] for cell in strange], [contents[cell] for cell in ours]):
            doubtful |= strange
            continue
        for cell in strange:
            del contents[cell]
    return doubtful


def _are_of_one_type(some: Sequence[ink.Content], others: Sequence[ink.Content]) -> bool:
    """Whether some marks are as high as ``others``, and stand at the same height in their places."""

    def looks(marks: Sequence[ink.Content]) -> Floats:
        shown = [here for here in marks if not here.bare]
        return np.array([(here.box.height, here.box.centre[1] - here.place.centre[1]) for here in shown], np.float32)

    these, those = looks(some), looks(others)
    if len(these) < len(some) or not len(those):
        return False
    slack = max(ROUNDED, LOWER * float(np.median(those[:, 0])) / 2)
    return bool((these >= those.min(axis=0) - slack).all() and (these <= those.max(axis=0) + slack).all())


def _steps(grounds: Mapping[Cell, Floats], line: AbstractSet[Cell]) -> bool:
    """Whether the ground of an outer row or column differs from that of most places beside it: a panel ends with a
    step, a page may be shaded all along."""
    beside = [(grounds[cell], grounds[near]) for cell in line for near in around(cell) if near in grounds.keys() - line]
    return not beside or float(np.median([unlike(one, other) for one, other in beside])) >= SAME_GROUND


def _drop_what_has_no_disc(view: View, contents: dict[Cell, ink.Content]) -> None:
    """Remove outer rows and columns without any mark in a disc or on a tile, if nearly all other marks have one: a
    level's number above the board."""
    framed = _framed(view, contents)
    while len(framed) >= max(KNOWN_LOOKS, MOST_IN_DISCS * len(contents)):
        outer = [line for by in (0, 1) for line in outer_lines(contents, by)]
        strange = next((line for line in outer if framed.isdisjoint(line)), None)
        if strange is None:
            return
        for cell in strange:
            del contents[cell]


def drop_numbers_without_discs(view: View, places: dict[Cell, Place]) -> None:
    """The same for a small board without walls, if everything clear on it, numbers included, stands in discs or on
    tiles, except for an outer row or column without a start."""
    clear = {cell for cell, place in places.items() if odds.probability(place.candidates) > odds.LEGIBLE}
    starts = {cell for cell, place in places.items() if place.candidates[0][0] == "X"}
    framed = _framed(view, {cell: place.content for cell, place in places.items()})
    for line in [set(line) for by in (0, 1) for line in outer_lines(places, by)]:
        rest = clear - line
        if len(rest) >= FEWEST_IN_DISCS and len(rest - starts) > 1 and rest <= framed and not line & (framed | starts):
            for cell in line & places.keys():  # a corner may be gone
                del places[cell]


def _framed(view: View, contents: Mapping[Cell, ink.Content]) -> set[Cell]:
    """The places whose mark stands in a disc or on a tile, or is one."""
    usual = float(np.median([here.box.height for here in contents.values() if not here.bare] or [0]))
    return {
        cell
        for cell, here in contents.items()
        if here.box.height > LARGER * usual
        or unlike(marks.setting(view, here), _corner(view, here)) > SAME_GROUND + view.noise
    }


def _corner(view: View, here: ink.Content) -> Floats:
    """The colour, BGR, of most corners of a place, which no disc reaches; walls may end, or cross, in all of them."""
    part = here.place.crop(view.image)
    size = max(round(CORNER * min(part.shape[:2])), 1)
    ends = [
        part[rows, columns]
        for rows in (slice(size), slice(-size, None))
        for columns in (slice(size), slice(-size, None))
    ]
    return np.asarray(np.median(np.concatenate([end.reshape(-1, 3) for end in ends]), axis=0), np.float32)


def _drop_what_is_behind_a_line(
    view: View, found: lattice.Lattice, contents: dict[Cell, ink.Content], look: Look
) -> set[Cell]:
    """Remove the outermost rows and columns that are separated from the next one by a line all along the board, a
    panel's rim, if no line separates any others and the ground continues beyond them. Returns the places of those that
    are kept because chains may fill all other cells: several marks, beyond the end of a colour only, or the one at the
    end of a single row, are like the others."""
    doubtful: set[Cell] = set()
    for by in (0, 1):
        numbers = sorted({cell[by] for cell in contents})
        if len(numbers) < 3:
            continue
        gaps = [one for one, other in itertools.pairwise(numbers) if other == one + 1]
        shares = {one: _lined(view, found, contents, one, by) for one in gaps}
        lined, perhaps = ([one for one in gaps if shares[one][k] >= ALL_ALONG] for k in (0, 1))
        first, last = numbers[0], numbers[-1]
        if not lined or set(perhaps) - {first, last - 1} or perhaps == list(range(first, last)):
            continue  # a page may be ruled
        for outer in (end for end, at in ((first, first), (last, last - 1)) if at in lined):
            line = {cell for cell in contents if cell[by] == outer}
            inner = {cell for cell in contents if first < cell[by] < last}
            if _ends_at_chains(contents, line, inner) or _is_crossed(view, found, contents, outer, by):
                continue
            if not _goes_on(view, found, contents, line, look):
                continue
            alike = _are_of_one_type(*([contents[cell] for cell in some] for some in (line, inner)))
            in_a_row = len(inner) == last - first - 1
            if alike and (in_a_row or (len(line) > 1 and _is_a_step(view, found, contents, min(outer, last - 1), by))):
                doubtful |= line
                continue
            for cell in line:
                del contents[cell]
    return doubtful


def _ends_at_chains(contents: Mapping[Cell, ink.Content], line: AbstractSet[Cell], inner: AbstractSet[Cell]) -> bool:
    """Whether all places beside an outer row or column have other grounds than it has, though others of the ``inner``
    ones have its ground: chains that fill their cells make a line where they end."""
    own = np.median([contents[cell].ground for cell in line], axis=0)
    ours = {cell for cell in inner if unlike(contents[cell].ground, own) < SAME_GROUND}
    return bool(ours) and ours.isdisjoint(near for cell in line for near in around(cell))


def _is_boxed(view: View, found: lattice.Lattice, cell: Cell) -> bool:
    """Whether a place has a line on all four sides, half a pitch from its middle."""
    return all(walled_sides(view, replace(found, width=found.pitch_x, height=found.pitch_y), cell))


def _is_crossed(view: View, found: lattice.Lattice, cells: Iterable[Cell], number: int, by: int) -> bool:
    """Whether lines run along the board on both sides of the middles of a row (``by`` 0; a column for 1), closer than
    those of a strip with a heading would: the edges of a chain that passes its numbers."""
    before, behind = (_strip(view, found, cells, at, by) for at in (number - 1, number))
    edges = [np.flatnonzero((strip > view.threshold).mean(axis=1) >= MOSTLY_ALONG) for strip in (before, behind)]
    pitch = (found.pitch_y, found.pitch_x)[by]
    return all(map(len, edges)) and len(before) - edges[0][-1] + edges[1][0] < BROADEST * pitch


def _lined(view: View, found: lattice.Lattice, cells: Iterable[Cell], number: int, by: int) -> tuple[float, float]:
    """The share of its length on which a line runs along the board between a row (``by`` 0; a column for 1) and the
    next one, 0 to 1; and the same for a line half as strong."""
    strip = _strip(view, found, cells, number, by)
    if not strip.size:
        return 0.0, 0.0
    whole, half = (float((strip > least).mean(axis=1).max()) for least in (view.threshold, view.threshold / 2))
    return whole, half


def _is_a_step(view: View, found: lattice.Lattice, cells: Iterable[Cell], number: int, by: int) -> bool:
    """Whether one colour changes into another between a row (``by`` 0; a column for 1) and the next one, without a
    third between them, as a rim has."""
    colours = np.median(_strip(view, found, cells, number, by, view.image), axis=1).astype(np.float32)
    if not len(colours):
        return False
    (start, *_), way = colours, colours[-1] - colours[0]
    share = np.clip((colours - start) @ way / max(float(way @ way), 1.0), 0, 1)
    return float(np.abs(colours - (start + share[:, None] * way)).max()) < 2 * SAME_GROUND


def _strip(
    view: View, found: lattice.Lattice, cells: Iterable[Cell], number: int, by: int, picture: Mask | None = None
) -> Mask:
    """The strengths of edges, or what a ``picture`` shows, between the middles of a row (``by`` 0; a column for 1) and
    of the next one, shape ``(across, along)`` or ``(across, along, 3)``."""
    across = 1 - by
    ends = [cell[across] for cell in cells]
    origin, pitch = ((found.y, found.x), (found.pitch_y, found.pitch_x))
    low, high = (
        round(origin[across] + (end + side) * pitch[across])
        for end, side in ((min(ends), -WITHIN), (max(ends), WITHIN))
    )
    near, far = (round(origin[by] + k * pitch[by]) for k in (number, number + 1))
    shown = view.strength if picture is None else picture
    shown = shown if by == 0 else shown.swapaxes(0, 1)
    return shown[max(near, 0) : max(far, 0), max(low, 0) : max(high, 0)]


def _goes_on(
    view: View, found: lattice.Lattice, contents: dict[Cell, ink.Content], line: AbstractSet[Cell], look: Look
) -> bool:
    """Whether the places of an outer row or column stand on one ground that also continues farther out: not on colours
    of their own, as starts do, not on discs or tiles, and not in boxes: chains may hide the other cells' walls."""
    if all(_is_boxed(view, found, cell) for cell in line):
        return False
    rows, columns = ([cell[by] for cell in contents.keys() - line] for by in (0, 1))
    if not rows:
        return False
    farther = {
        (r, c)
        for r, c in {near for cell in line for near in around(cell)} - line - contents.keys()
        if not (min(rows) <= r <= max(rows) and min(columns) <= c <= max(columns))  # holes of the board
    }
    beside = look(sorted(farther))
    grounds = [here.ground for here in beside.values()]
    grounds += [colour for cell in line for colour in (contents[cell].ground, marks.setting(view, contents[cell]))]
    return bool(beside) and float(np.ptp(grounds, axis=0).max()) < SAME_GROUND


def judge_other_type(view: View, found: lattice.Lattice, places: dict[Cell, Place]) -> None:
    """Remove outer rows and columns of a board without walls, or declare their contents doubtful, if all their glyphs
    that also occur in the rest of the board are lower there or stand elsewhere in their places: buttons with numbers,
    or a word of a heading; or if they are like a score. What has edges on all its sides is rather what no chain has
    filled yet."""
    judged: set[tuple[int, int]] = set()
    while places:
        ends = {(by, end(cell[by] for cell in places)) for by in (0, 1) for end in (min, max)} - judged
        if not ends:
            return
        by, end = min(ends)
        judged.add((by, end))
        line = {cell for cell in places if cell[by] == end}
        closed = all(all(walled_sides(view, found, cell)) for cell in line)
        beyond = 0 if closed else _like_a_score(places, line)
        if beyond > FAR_BEYOND and all(_ground_goes_on(view, found, places, cell) for cell in line):
            for cell in line:
                del places[cell]
            continue
        for cell in line if beyond else ():
            places[cell] = perhaps_none(places[cell])
        reaching = _reaching_out(places, line, by, end)
        strange = _of_other_type(view, found, places, line) or dict.fromkeys(reaching, 1.0)
        certain = len(strange) >= SEVERAL or (len(strange) > 1 and max(strange.values()) >= 1)
        if certain or (reaching and _in_other_inks(places, reaching)):
            for cell in line:
                del places[cell]
        else:
            for cell in line if strange else ():
                places[cell] = perhaps_none(places[cell])


def _like_a_score(places: Mapping[Cell, Place], line: AbstractSet[Cell]) -> int:
    """By how much the numbers of an outer row or column exceed those of the rest of the board, if all of them have two
    digits: levels hardly leave numbers out. It counts at most as ``FAR_BEYOND`` if there is clearly a start among them,
    if others have two digits as well, if the rest has too few numbers to show which ones its level leaves out, or if
    all stand in one line, at whose end the last number of a chain is; 0 if they exceed nothing, if such an end, or such
    a start, is in the type and on the ground of others, or if one of them is filled by a chain that fills another."""
    numbers, rest = (
        [
            int(token)
            for cell, place in places.items()
            if (cell in line) is own and (token := likeliest(place)).isdigit()
        ]
        for own in (True, False)
    )
    between = min(numbers) - max(rest) if numbers and rest else 0
    if not numbers or min(numbers) <= 9 or between <= 1:
        return 0
    starts = any(places[cell].candidates[0][0] == "X" and places[cell].candidates[0][1] > odds.LEGIBLE for cell in line)
    in_line = any(len({cell[by] for cell in places}) == 1 for by in (0, 1))
    own, others = ([places[cell].content for cell in places if (cell in line) is inside] for inside in (True, False))
    same = any(unlike(one.ground, other.ground) < SAME_GROUND for one in own for other in others)
    if (in_line or starts) and same and _are_of_one_type(own, others):
        return 0
    if any(_is_filled_from(places, cell, places.keys() - line) for cell in line):
        return 0
    return min(between, FAR_BEYOND) if starts or in_line or len(rest) < SEVERAL or max(rest) > 9 else between


def _ground_goes_on(view: View, found: lattice.Lattice, places: Mapping[Cell, Place], cell: Cell) -> bool:
    """Whether a place has the ground of an empty one beside it: no tile or panel of the board ends there."""
    beside = [found.box(near).crop(view.image) for near in around(cell) if near not in places]
    ground, slack = places[cell].content.ground, SAME_GROUND + view.noise
    return any(patch.size == 0 or unlike(ink.ground_colour(patch), ground) <= slack for patch in beside)


def _is_filled_from(places: Mapping[Cell, Place], cell: Cell, others: AbstractSet[Cell]) -> bool:
    """Whether a place and one of some ``others`` beside it have the same strong colour as their ground."""
    ground = places[cell].content.ground
    beside = [places[near].content.ground for near in around(cell) if near in others]
    return bool(marks.colourful(ground)) and any(unlike(ground, other) < SAME_GROUND for other in beside)


def _of_other_type(
    view: View, found: lattice.Lattice, places: Mapping[Cell, Place], line: AbstractSet[Cell]
) -> dict[Cell, float]:
    """The clear glyphs of a line that are lower than all equal glyphs in the rest of the board, or stand elsewhere in
    their places, and by how much, 1 or more if it is beyond doubt; none if one of them does not differ. Where ink
    reaches the border, a chain's line may be a part of it, and where the glyph stands is not known."""
    clear = {
        cell: place
        for cell, place in places.items()
        if odds.probability(place.candidates) > odds.LEGIBLE and not views.touches(place.content)
    }
    usual_height = float(np.median([place.content.box.height for place in clear.values()] or [0]))
    rest: dict[str, list[tuple[float, float, float]]] = {}
    for cell in sorted(clear.keys() - line):
        height, x, y = clear[cell].content.box.height, *_offset(found, cell, clear[cell])
        if height > LARGER * usual_height:
            continue  # a start's disc that a chain runs into is no glyph
        rest.setdefault(clear[cell].candidates[0][0], []).append((height, x, y))
    every = [one for some in rest.values() for one in some]
    strange: dict[Cell, float] = {}
    for cell in sorted(line & clear.keys()):
        token, (x, y) = clear[cell].candidates[0][0], _offset(found, cell, clear[cell])
        # In old-style numerals 16 is as high as 6 and higher than 1: a number is as high as the highest of its digits.
        digits = [min(rest[one])[0] for one in token if one in rest]
        if not digits and token not in rest and (token == "X" or len(every) < KNOWN_PLACES):
            continue
        same = rest.get(token) or [(max(digits, default=0), x, y)]
        least, usual = min(same)[0], max(same)[0]
        lower = least - _height(view, clear[cell].content, usual) if usual else 0
        beside = same if token in rest or len(every) < KNOWN_PLACES else every  # where other numbers stand
        (left, right), (top, bottom) = ((min(some), max(some)) for some in list(zip(*beside, strict=True))[1:])
        aside = max(left - x, x - right, top - y, y - bottom)
        shares = (lower / max(least, 1), LOWER, FAR_LOWER), (aside / found.pitch, ASIDE, FAR_ASIDE)
        far = [share / beyond for share, enough, beyond in shares if share >= enough]
        if far and max(lower, aside) >= ROUNDED:
            strange[cell] = max(far)
        elif digits or token in rest:
            return {}
    return strange


def _reaching_out(places: Mapping[Cell, Place], line: AbstractSet[Cell], by: int, end: int) -> set[Cell]:
    """The legible places of an outer row (``by`` 0) or column (1), if the glyphs of all of them are cut off at the
    border away from the board, and no glyph in the rest is cut off there: no chain leads that way."""

    def cut(cell: Cell) -> bool:
        box, place = places[cell].content.box, places[cell].content.place
        start, first = ((box.y, place.y), (box.x, place.x))[by]
        if end == min(one[by] for one in places):
            return start <= first
        return start + (box.height, box.width)[by] >= first + (place.height, place.width)[by]

    legible = {cell for cell, place in places.items() if odds.probability(place.candidates) > odds.LEGIBLE}
    own, rest = legible & line, legible - line
    if len(rest) < KNOWN_PLACES or not all(cut(cell) for cell in own) or any(cut(cell) for cell in rest):
        return set()
    usual = float(np.median([places[cell].content.box.height for cell in rest]))
    # A start's disc may be larger than its place.
    return set() if any(places[cell].content.box.height > LARGER * usual for cell in own) else own


def _in_other_inks(places: Mapping[Cell, Place], cells: AbstractSet[Cell]) -> bool:
    """Whether some glyphs have inks that no other legible glyph of the board has."""
    rest = [
        place.content.colour
        for cell, place in places.items()
        if cell not in cells and odds.probability(place.candidates) > odds.LEGIBLE
    ]
    away = [np.abs(np.stack(rest) - places[cell].content.colour).max(axis=1).min() for cell in cells]
    return float(min(away)) > marks.OTHER_INK


def _offset(found: lattice.Lattice, cell: Cell, place: Place) -> tuple[float, float]:
    """How far the middle of a place's glyph is to the right of the place's own and below it, pixels."""
    box = place.content.box
    x, y = found.x + cell[1] * found.pitch_x, found.y + cell[0] * found.pitch_y
    return box.x + box.width / 2 - x, box.y + box.height / 2 - y


def _height(view: View, here: ink.Content, usual: float) -> float:
    """The height of a place's glyph, pixels; if that exceeds the ``usual`` height, a disc or a button around it was
    taken for ink as well, and the glyph inside is measured."""
    if here.box.height <= usual + ROUNDED:
        return here.box.height
    (x, y), half = here.box.centre, round(INNER * usual / 2)
    inner = ink.content(view.image, Box(x - half, y - half, 2 * half, 2 * half), view.noise)
    return here.box.height if inner.bare or views.touches(inner) else inner.box.height
