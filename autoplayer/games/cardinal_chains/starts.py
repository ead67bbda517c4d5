"""Starts that show no X: one hidden by its ring or disc, or marked by a colour, a dot or a ring alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from autoplayer.core.frame import Cell, Floats, largest_channel
from autoplayer.games.cardinal_chains import seeing, tokens
from autoplayer.games.cardinal_chains.outside import Look
from autoplayer.games.cardinal_chains.ranking import MARKED, UNMARKED, around, groups
from autoplayer.vision import glyphs, ink, lattice
from autoplayer.vision.views import View

LEAST_NUMBERS = 2
"""So many numbers make a board whose start has no X that can be seen; a number and a pointer beside it are none."""

MOST_STARTS = 1 / 3
"""Of places that look alike and hold no number, more than this share of the numbers are no starts but empty tiles: a
chain has more than its start."""


LIKE_LETTERS = frozenset("124568")
"""Digits that letters look like: I, Z, A, S, G and B."""

LETTER = 0.9
"""How likely the only glyphs of their kind, which stand on colours of their own, are starts where no other is seen."""


def numbers(seen: dict[Cell, tokens.Glyph]) -> list[Cell]:
    """The places that are more likely a number than anything else."""
    return [cell for cell, glyph in seen.items() if glyph.chance > 0.5 and glyph.candidates[0][0] != "X"]


def coloured(
    view: View, found: lattice.Lattice, contents: dict[Cell, ink.Content], look: Look
) -> dict[Cell, ink.Content]:
    """What the places beside those of ``contents`` show that may be starts by their colour: they are filled with one
    that neither the others nor the window around have, or have a mark of another colour than all glyphs in the
    middle, or are outlined in a colour of their own."""
    if not contents:
        return {}
    grounds = np.stack([here.ground for here in contents.values()])
    inks = np.stack([here.colour for here in contents.values() if not here.bare] or [np.full(3, np.inf)])
    tile = np.median(grounds, axis=0)[None]
    result: dict[Cell, ink.Content] = {}
    while True:  # a start may stand beside another one only
        known = contents | result
        beside_them = look(sorted({near for cell in known for near in around(cell)} - known.keys()))
        near = _beside(known)
        more = {
            cell: here
            for cell, here in beside_them.items()
            if (result or cell not in near)
            and (_is_on_a_tile(view, here, tile) or (not view.walled and _is_a_block(view, found, cell)))
        }
        within = {cell: beside_them[cell] for cell in near if cell in beside_them and not result}
        outlined = framed(view, found, within, known)
        for cell, here in within.items():
            marked = (
                not here.bare and _central(here) and float(np.abs(inks - here.colour).max(axis=1).min()) > OTHER_INK
            )
            if marked or cell in outlined or _is_filled(view, found, cell, grounds):
                more[cell] = here
        if not more:
            return result
        result |= more


def _beside(contents: Mapping[Cell, ink.Content]) -> list[Cell]:
    """The places beside some others that are within their rows and columns, or have two of them beside them."""
    rows, columns = zip(*contents, strict=True)
    inside = {(r, c) for r in range(min(rows), max(rows) + 1) for c in range(min(columns), max(columns) + 1)}
    beside = sorted({near for cell in contents for near in around(cell)} - contents.keys())
    return [cell for cell in beside if cell in inside or sum(one in contents for one in around(cell)) > 1]


def framed(view: View, found: lattice.Lattice, cells: Iterable[Cell], others: Mapping[Cell, ink.Content]) -> set[Cell]:
    """Which of some ``cells`` of a board with walls are outlined, each in one colour on all four sides, which none of
    the ``others`` has there or in its middle."""
    frames = {cell: some for cell in cells if view.walled and (some := _frames(view, found, cell))}
    if not frames:
        return set()
    known = [frame for cell in others if cell not in frames for frame in _frames(view, found, cell)]
    known += [here.ground for cell, here in others.items() if cell not in frames]
    return {
        cell
        for cell, some in frames.items()
        if any(all(float(np.abs(frame - other).max()) > OTHER_INK for other in known) for frame in some)
    }


def _frames(view: View, found: lattice.Lattice, cell: Cell) -> list[Floats]:
    """The colours, BGR, that are along all four sides of a place, just within them, and not in its middle: that of its
    outline, and that between the cells."""
    (x, y), (height, width) = found.box(cell).centre, view.image.shape[:2]
    half_x, half_y = round(FRAME_REACH * found.pitch_x), round(FRAME_REACH * found.pitch_y)
    if min(half_x, half_y) < SMALLEST or x < half_x or y < half_y or x + half_x >= width or y + half_y >= height:
        return []
    place = view.image[y - half_y : y + half_y + 1, x - half_x : x + half_x + 1].astype(np.float32)
    middle = np.median(place[half_y // 2 : -half_y // 2, half_x // 2 : -half_x // 2], axis=(0, 1))
    sides = []
    for side in (place, place[::-1], place.transpose(1, 0, 2), place[:, ::-1].transpose(1, 0, 2)):
        trim = side.shape[1] // 4
        lines = side[: max(side.shape[0] // 6, 1), trim:-trim]  # from the side inwards, shape (across, along, 3)
        line = np.median(lines, axis=1)
        even = (np.abs(lines - line[:, None]).max(axis=2) < OTHER_GROUND).mean(axis=1) > MOST_OF_A_SIDE
        away = np.where(even, np.abs(line - middle).max(axis=1), 0)
        broad = np.abs(np.diff(line, axis=0)).max(axis=1) < EVEN  # the soft edge between two colours is none
        sides.append([line[int(away.argmax())]] * bool(away.max() > OTHER_INK))
        sides[-1] += list(line[:-1][(away[:-1] > OTHER_INK) & (away[1:] > OTHER_INK) & broad])
    return [
        colour
        for colour in sides[0]
        if all(any(float(np.abs(colour - one).max()) <= OTHER_GROUND for one in side) for side in sides[1:])
    ]


def _is_a_block(view: View, found: lattice.Lattice, cell: Cell) -> bool:
    """Whether a place is filled in one colour that is no grey and ends about at its sides, on the page."""
    box = found.box(cell, AROUND_A_BLOCK)
    place = box.crop(view.image).astype(np.float32)
    height, width = place.shape[:2]
    if (width, height) != (box.width, box.height) or min(width, height) < SMALLEST:
        return False
    colour = np.median(place[height // 4 : -(height // 4), width // 4 : -(width // 4)], axis=(0, 1))
    filled = np.abs(place - colour).max(axis=2) < EVEN + 3 * view.noise
    sides = (filled[0], filled[-1], filled[:, 0], filled[:, -1])
    page = float(np.abs(_page(view) - colour).max()) > OTHER_INK
    return page and colourful(colour) and float(filled.mean()) > LEAST_BLOCK and not any(side.any() for side in sides)


def _is_filled(view: View, found: lattice.Lattice, cell: Cell, grounds: Floats) -> bool:
    """Whether the middle of a place has one colour, which is none of ``grounds``, shape ``(N, 3)``, and is not met
    where the place's corners meet others."""
    (x, y), height, width = found.box(cell).centre, *view.image.shape[:2]
    reach_x, reach_y = round(MIDDLE * found.width / 2), round(MIDDLE * found.height / 2)
    middle = view.image[max(y - reach_y, 0) : y + reach_y + 1, max(x - reach_x, 0) : x + reach_x + 1].reshape(-1, 3)
    if not len(middle):
        return False
    colour = np.median(middle, axis=0)
    even = float(np.abs(middle - colour).max(axis=1).mean()) < EVEN + 3 * view.noise
    corners = [
        view.image[
            min(max(round(y + dy * found.pitch_y / 2), 0), height - 1),
            min(max(round(x + dx * found.pitch_x / 2), 0), width - 1),
        ]
        for dy in (-1, 1)
        for dx in (-1, 1)
    ]
    others = np.concatenate([grounds, np.array(corners, np.float32)])
    return even and float(np.abs(others - colour).max(axis=1).min()) > OTHER_GROUND


FRAME_REACH, SMALLEST, MOST_OF_A_SIDE = 0.47, 4, 0.9
"""How far from its middle a place is looked at for an outline, as a share of the pitch, and in pixels at least; and how
much of a side it is on at least."""

AROUND_A_BLOCK, LEAST_BLOCK = 1.2, 0.35
"""The box around a start that is a block of colour, as a multiple of the pitch, and the part of it that is filled at
least: glyphs do not stand in the very middles of their places."""

WHOLE = 0.95
"""Ink of more than this part of its place's width or height goes on beyond it."""

LEAST_PART = 0.25
"""The part of a cell's side that a coloured corner takes at least."""

PALE, CROSSED = 0.5, 0.97
"""Of the contrast of the numbers, crosses through what is no cell have less than this share; and how likely they are
that where starts are marked otherwise."""

BEFORE, STEPS = 0.36, 9
"""The part of the way between two cells' middles at both ends on which a glyph may stand; and how many pixels between
are looked at."""

MIDDLE = 0.5
"""The part of a cell's width and height that is filled whatever shape stands in it."""

EVEN = 6.0
"""Grey levels by which the pixels of one colour differ."""

OTHER_GROUND, OTHER_INK = 24.0, 48.0
"""Grey levels, in one channel, from which on a ground and an ink are of another colour."""


def has_start(seen: dict[Cell, tokens.Glyph]) -> bool:
    """Whether there is what is, or may be, an X."""
    return any(glyph.candidates[0][0] in ("X", tokens.UNKNOWN) and glyph.chance > 0.5 for glyph in seen.values())


def find_unmarked_starts(
    view: View, seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content], found: lattice.Lattice
) -> None:
    """Where no X is seen, starts are looked for in other ways: an X that its ring or disc hid; then the places that
    differ from all others (a start may be marked by colour alone, or by a dot or ring). The latter stay doubtful; the
    rules must agree."""
    for cell in seen.keys() - found.cells if view.walled else ():
        # A hatching all over a place may look like an X, not clearly.
        if seen[cell].candidates[0][0] == "X" and seen[cell].chance < tokens.LEGIBLE and _fills(contents[cell]):
            seen[cell] = tokens.Glyph((("", 1.0),), seen[cell].cluster)
    if has_start(seen):
        _take_crosses_for_holes(seen, contents)
        return
    usual_ink = np.median(np.stack([contents[cell].colour for cell in seen]), axis=0)
    unclear = [cell for cell, glyph in seen.items() if glyph.chance < tokens.LEGIBLE]
    if tokens.hopeless(len(unclear), len(seen)):
        return
    others = [
        (cell, other)
        for cell in (seen if len(seen) <= tokens.MOST_UNCLEAR else unclear)
        for *_, other in seeing.other_inks(view.image, contents[cell], usual_ink, view.noise)
    ]
    hidden = {
        cell: chance
        for (cell, _), options in zip(others, glyphs.read_numbers([other for _, other in others]), strict=True)
        if (chance := tokens.possible(options).get("X", 0.0)) > 0.7
    }
    if hidden and 2 * len(hidden) <= len(seen):
        for cell, chance in hidden.items():
            rest = [(token, (1 - chance) * p) for token, p in seen[cell].candidates if token != "X"]
            seen[cell] = tokens.Glyph((("X", chance), *rest), seen[cell].cluster)
        return
    numbers = [cell for cell, glyph in seen.items() if glyph.chance > tokens.LEGIBLE]
    if len(numbers) < LEAST_NUMBERS:
        return
    if _take_zeros(seen, contents, numbers):
        return
    grounds = np.stack([contents[cell].ground for cell in numbers])
    closed = found.cells if view.walled and 2 * len(found.cells) > len(contents) else frozenset()
    holes = sum(_is_hole(here, grounds) for here in contents.values()) if closed else 0
    if 2 * len(numbers) < len(contents) - holes:
        return  # a table, a crossword: too little of it is numbers
    inks = np.stack([contents[cell].colour for cell in numbers])
    outlined = framed(
        view, found, [cell for cell in contents if cell not in numbers], {cell: contents[cell] for cell in numbers}
    )
    strange = [
        cell
        for cell, here in contents.items()
        if cell not in numbers
        and (
            float(np.abs(grounds - here.ground).max(axis=1).min()) > OTHER_GROUND
            or (not here.bare and float(np.abs(inks - here.colour).max(axis=1).min()) > OTHER_INK)
            or cell in outlined
        )
    ]
    on_tiles = {
        cell
        for cell in strange
        if _is_on_a_tile(view, contents[cell], grounds) or (not view.walled and _is_a_block(view, found, cell))
    }
    odd = [
        cell
        for cell in strange
        if cell in found.cells or sum(near in contents for near in around(cell)) > 1 or cell in on_tiles
    ]
    marks = [contents[cell] for cell in odd if _is_marked(contents[cell])]
    odd += [cell for cell in strange if cell not in odd and any(_as_large(contents[cell], mark) for mark in marks)]
    for cell in set(odd) - set(_within_or_alike(odd, numbers, contents, on_tiles)) - closed:
        odd.remove(cell)
        if cell in seen:
            seen[cell] = tokens.Glyph((("", 1.0),), seen[cell].cluster)
    if not odd and float(np.ptp(grounds, axis=0).max()) > OTHER_GROUND:
        # A chain may have its start's colour already. A word on the colour of the window around is a heading.
        page = _page(view)
        odd = [
            cell
            for cell, here in contents.items()
            if (cell in found.cells or sum(near in contents for near in around(cell)) > 1)
            and cell not in numbers
            and _is_marked(here)
            and float(np.abs(here.ground - page).max()) > OTHER_GROUND
        ]
    signs = _signs(seen, contents, numbers, closed)
    if signs and not any(colourful(contents[cell].ground) or colourful(contents[cell].colour) for cell in odd):
        odd = [cell for cell in odd if cell not in signs] + signs
    if not odd:
        _take_letters(seen, contents, numbers)
        return
    # A mark in the middle makes a start of a place that without one is a hole in another colour than the cells.
    marked = [cell for cell in odd if (_is_marked(contents[cell]) and not _fills(contents[cell])) or cell in outlined]
    discs = [cell for cell in odd if cell not in marked and contents[cell].bare and _is_disc(view, contents[cell])]
    if 2 * sum(_is_disc(view, contents[cell]) for cell in numbers) >= len(numbers):
        # Upon discs as large as theirs a smaller one is a mark, and one that hides all of them is a hole.
        within = [cell for cell in discs if _shows(view, contents[cell], grounds)]
        discs = within or discs
    marked += discs
    if not marked and view.walled:  # a corner may be coloured instead
        marked = [cell for cell in odd if _is_coloured_in_part(contents[cell], grounds, inks)]
    if not marked and _take_letters(seen, contents, numbers, in_own_ink=True):
        return  # the others are holes
    if view.walled and any(cell in found.cells and not _fills_its_place(contents[cell]) for cell in marked):
        # Where closed cells are marked, what shines through between them is no start: a picture, a hatching.
        strays = {cell for cell in odd if cell not in found.cells and cell not in outlined}
        strays -= {cell for cell in marked if not _fills_its_place(contents[cell])}
        odd = [cell for cell in odd if cell not in strays]
        for cell in strays & seen.keys():
            if _fills(contents[cell]) and seen[cell].chance < tokens.LEGIBLE:
                seen[cell] = tokens.Glyph((("", 1.0),), seen[cell].cluster)
    looks: list[list[Cell]] = []
    for cell in odd:
        like = next((look for look in looks if _same_look(contents[cell], contents[look[0]])), None)
        if like is None:
            looks.append([cell])
        else:
            like.append(cell)
    first = 1 + max((glyph.cluster for glyph in seen.values()), default=0)

    def most(look: Sequence[Cell]) -> float:
        """How many starts of one look there are at most; a colour of its own for each tells more."""
        if look[0] in marked and _each_vivid([contents[cell] for cell in look], inks):
            return len(numbers)
        return MOST_SIGNS * len(numbers) if look[0] in signs else max(MOST_STARTS * len(numbers), 1)

    looks = [look for look in looks if len(look) <= most(look)]
    vivid = [look for look in looks if look[0] in marked and _vivid(contents[look[0]], inks)]
    several = len(vivid) > 1 or any(_of_several_colours([contents[cell] for cell in look]) for look in vivid)
    if several:  # marks in several colours are starts all, or none
        looks = [[cell for look in vivid for cell in look], *(look for look in looks if look not in vivid)]
    other = 0.0 if several else 1 - MARKED
    filled = [] if marked else [look for look in looks if colourful(contents[look[0]].ground)]
    if len(filled) > 1:  # so are places filled with several
        looks = [[cell for look in filled for cell in look], *(look for look in looks if look not in filled)]
        filled = looks[:1]
    for number, look in enumerate(looks, first):
        chance = (
            (MARKED if len(look) > 1 and look in filled else UNMARKED)
            if not marked
            else MARKED
            if look[0] in marked
            else other
        )
        if filled and look not in filled:
            chance = other  # starts have colours, and what is grey beside them is a hole
        options = (("X", chance), ("", 1 - chance))
        for cell in look:
            seen[cell] = tokens.Glyph(options if chance > 0.5 else options[::-1], number)
    if not marked and not any(colourful(contents[cell].ground) for cell in odd):
        doubt_letters(seen, [cell for look in looks for cell in look])


def doubt_letters(seen: dict[Cell, tokens.Glyph], holes: Collection[Cell] = ()) -> None:
    """Where no start is seen, or only grey places that are ``holes`` in many windows, what looks like a letter and
    stands in few cells may be one: an S was taken for a 5, a B for an 8. The rules tell which, on a small board not
    alone, so that there it must look like one."""
    numbers = [cell for cell, glyph in seen.items() if glyph.chance > tokens.LEGIBLE]
    clusters: dict[int, list[Cell]] = {}
    for cell, glyph in seen.items():
        if glyph.candidates[0][0] not in ("", "X"):
            clusters.setdefault(glyph.cluster, []).append(cell)
    first = {number: seen[cells[0]].candidates[0] for number, cells in clusters.items()}
    chances = {
        number: _like_a_letter(number, first)
        for number, cells in clusters.items()
        if first[number][0] in LIKE_LETTERS and len(cells) <= max(MOST_STARTS * len(numbers), 1)
    }
    likely = {number for number, chance in chances.items() if chance >= TWIN}
    least = HARDLY_LETTER if len(holes) > 0 or any(chances.values()) else tokens.POSSIBLE
    for number in likely or chances:
        cells, chance = clusters[number], max(chances[number], least)
        if len(numbers) - len(cells) < (SMALL if likely else LARGE):
            continue
        options = (("X", chance), (first[number][0], 1 - chance))
        for cell in cells:
            seen[cell] = tokens.Glyph(options if chance > 0.5 else options[::-1], number)
    for cell in holes if chances else ():
        least = CROSSED if likely else 1 - STRANGE_LETTER
        options = (("", least), ("X", 1 - least))
        seen[cell] = tokens.Glyph(options if least > 0.5 else options[::-1], seen[cell].cluster)


def _like_a_letter(number: int, first: Mapping[int, tuple[str, float]]) -> float:
    """How likely one of several clusters is rather a letter than the digit it was taken for, by the likeliest token of
    each and its probability: it looks less like that than another one does, or is not clear; or it would be the
    highest number, of which none is missed. 0 where nothing tells so."""
    said, sure = first[number]
    others = [(token, chance) for other, (token, chance) in first.items() if other != number]
    twins = [chance for token, chance in others if token == said]
    if sure < tokens.LEGIBLE or any(1 - sure > UNLIKE * (1 - chance) for chance in twins):
        return LIKELY_LETTER
    if any(1 - chance < UNLIKE * (1 - sure) for chance in twins):
        return TWIN  # neither looks less like it than the other
    return HIGHEST_LETTER if all(int(token) < int(said) for token, _ in others if token.isdigit()) else 0.0


LIKELY_LETTER, UNLIKE, TWIN, HIGHEST_LETTER, HARDLY_LETTER = 0.8, 2.0, 0.4, 0.3, 0.02
"""How likely what is taken for a digit is a letter that looks less like it than another glyph does, by this factor of
what speaks against it, or about as much; what would be the highest number of the board; and any other, where
something else may be the start."""

STRANGE_LETTER = 0.6
"""How likely grey places are starts, where letters may be as well."""

SMALL, LARGE = 3, 6
"""On a board of so many numbers one of them may be a letter, if it looks like one, and if it does not."""


def _is_hole(here: ink.Content, grounds: Floats) -> bool:
    """Whether nothing stands in a place, and its ground is none of ``grounds``, shape ``(N, 3)``."""
    return here.bare and float(np.abs(grounds - here.ground).max(axis=1).min()) > OTHER_GROUND


def _page(view: View) -> Floats:
    """The colour, BGR, of most of the window's edge."""
    rim = np.concatenate([view.image[0], view.image[-1], view.image[:, 0], view.image[:, -1]])
    return np.asarray(np.median(rim, axis=0))


def _is_on_a_tile(view: View, here: ink.Content, grounds: Floats) -> bool:
    """Whether a place shows a vivid mark in its middle on the very ground of the numbers, ``grounds``, which is not the
    page's, or a disc that leaves a ring of it: however few cells stand beside it, as at a board's end, it is one."""
    if float(np.abs(_page(view) - np.median(grounds, axis=0)).max()) <= 2 * EVEN + 3 * view.noise:
        return False
    if here.bare:
        return colourful(here.ground) and _is_disc(view, here) and _shows(view, here, grounds)
    same = float(np.abs(grounds - here.ground).max(axis=1).min()) <= EVEN
    return same and _is_marked(here) and colourful(here.colour)


def _within_or_alike(
    odd: Sequence[Cell], numbers: Sequence[Cell], contents: Mapping[Cell, ink.Content], on_tiles: AbstractSet[Cell]
) -> Sequence[Cell]:
    """Those of some places that stand within the rows and columns of the ``numbers``, or ``on_tiles`` of the board, and
    beyond them those with a mark as large as one within: the words of a heading, or of links below the board, are of
    other sizes."""
    (top, left), (bottom, right) = np.min(numbers, axis=0), np.max(numbers, axis=0)
    within = [cell for cell in odd if cell in on_tiles or (top <= cell[0] <= bottom and left <= cell[1] <= right)]
    if not within:
        return odd
    return [cell for cell in odd if cell in within or any(_as_large(contents[cell], contents[one]) for one in within)]


def _as_large(one: ink.Content, other: ink.Content) -> bool:
    """Whether two places show marks of one size, or none."""
    if one.bare or other.bare:
        return one.bare and other.bare
    sides = (one.box.width, other.box.width), (one.box.height, other.box.height)
    return all(abs(a - b) <= max(AS_LARGE * max(a, b), 2) for a, b in sides)


AS_LARGE = 0.2
"""Of the larger one, how much the sides of two marks of one kind differ at most."""


def _take_crosses_for_holes(seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content]) -> None:
    """Where all that looks like an X is pale, on one grey ground that no number has, and other marks that are no number
    stand out on colours: then these are the starts, and places are crossed out that are none."""
    crosses = [cell for cell, glyph in seen.items() if glyph.candidates[0][0] == "X" and glyph.chance > 0.5]
    numbers = [cell for cell, glyph in seen.items() if glyph.chance > tokens.LEGIBLE and cell not in crosses]
    unread = [cell for cell, glyph in seen.items() if glyph.chance < tokens.LEGIBLE and _is_marked(contents[cell])]
    if not (crosses and numbers and unread):
        return
    usual = float(np.median([contents[cell].contrast for cell in numbers]))
    # A chain that is drawn already may be as colourful as the starts, but its numbers can be read.
    starts = [cell for cell in unread if colourful(contents[cell].ground) and contents[cell].contrast > PALE * usual]
    grounds = np.stack([contents[cell].ground for cell in numbers])
    if len(starts) != len(unread) or len(starts) > max(MOST_STARTS * len(numbers), 1):
        return
    for cell in crosses:
        here = contents[cell]
        alone = float(np.abs(grounds - here.ground).max(axis=1).min()) > EVEN
        if not alone or colourful(here.ground) or colourful(here.colour) or here.contrast > PALE * usual:
            return
    first = 1 + max(glyph.cluster for glyph in seen.values())
    for cell in crosses:
        seen[cell] = tokens.Glyph((("", CROSSED), ("X", 1 - CROSSED)), first)
    for cell in starts:
        seen[cell] = tokens.Glyph((("X", CROSSED), ("", 1 - CROSSED)), first + 1)


def colourful(colour: Floats) -> bool:
    """Whether a colour, BGR, is no grey."""
    return float(np.ptp(colour)) > OTHER_GROUND


def take_where_chains_begin(
    view: View,
    found: lattice.Lattice,
    seen: dict[Cell, tokens.Glyph],
    contents: dict[Cell, ink.Content],
    look: Look,
) -> None:
    """Places without a number, in one colour that leads into a number's place beside them, are where a drawn chain
    begins, unless another start has that colour. They stay doubtful."""
    if any(glyph.candidates[0][0] == "X" and glyph.chance > MARKED for glyph in seen.values()):
        return  # starts show an X here, and all of them do
    read = {cell for cell, glyph in seen.items() if glyph.chance > tokens.LEGIBLE and glyph.candidates[0][0] != "X"}
    empty = {cell: here for cell, here in contents.items() if cell not in seen or not seen[cell].candidates[0][0]}
    if len(read) < LEAST_NUMBERS or tokens.hopeless(len(empty), len(contents)):
        return
    empty |= look(_beside(contents))
    taken = [
        colour
        for cell, glyph in seen.items()
        if glyph.candidates[0][0] == "X" and glyph.chance > 0.5
        for colour in (contents[cell].ground, contents[cell].colour)
    ]
    begun: list[tuple[Cell, Floats]] = []
    for cell, here in empty.items():
        colour = _only_colour(view, here)
        if colour is None or any(float(np.abs(colour - other).max()) < OTHER_GROUND for other in taken):
            continue
        ways = {near for near in around(cell) if _leads(view, found, cell, near, colour)}
        if not ways <= read or sum(_leads(view, found, cell, near, colour, whole=True) for near in ways) != 1:
            continue
        filled = {one for one in read if float(np.abs(contents[one].ground - colour).max()) < OTHER_GROUND}
        plain = any(2 * float(np.ptp(contents[one].ground)) < float(np.ptp(colour)) for one in read - filled)
        drawn = 2 * len(filled) <= len(read) or (colourful(colour) and plain)
        if drawn and len(groups(filled | {cell})) == 1:  # else it is the colour of plain cells
            begun.append((cell, colour))
    first = 1 + max((glyph.cluster for glyph in seen.values()), default=0)
    for number, (cell, colour) in enumerate(begun, first):
        if sum(float(np.abs(colour - other).max()) < OTHER_GROUND for _, other in begun) == 1:
            seen[cell] = tokens.Glyph((("X", MARKED), ("", 1 - MARKED)), number)
            contents[cell] = empty[cell]


def _only_colour(view: View, here: ink.Content) -> Floats | None:
    """The colour, BGR, in which the middle of a place is filled, or of all that is drawn there; None where that is
    more than one."""
    (x, y), reach = here.place.centre, max(round(MIDDLE * min(here.place.width, here.place.height) / 3), 1)
    middle = view.image[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1].reshape(-1, 3)
    if not len(middle):
        return None
    colour = np.asarray(np.median(middle, axis=0), np.float32)
    if float(np.abs(middle - colour).max(axis=1).mean()) < EVEN + 3 * view.noise:
        return colour
    if here.bare or seeing.more_than_a_glyph(view.image, here, here.colour):
        return None
    return here.colour


def _leads(view: View, found: lattice.Lattice, cell: Cell, near: Cell, colour: Floats, *, whole: bool = False) -> bool:
    """Whether ``colour`` is between one place and the next one; ``whole``: on all of the way from glyph to glyph."""
    (x, y), (u, v) = found.box(cell).centre, found.box(near).centre
    way = np.linspace(BEFORE, 1 - BEFORE, STEPS) if whole else np.array([0.5])
    height, width = view.image.shape[:2]
    across, down = np.rint(x + way * (u - x)).astype(int), np.rint(y + way * (v - y)).astype(int)
    if min(across.min(), down.min()) < 0 or across.max() >= width or down.max() >= height:
        return False
    pixels = view.image[down, across].astype(np.float32)
    return float(np.abs(pixels - colour).max()) < OTHER_GROUND + 3 * view.noise


def _take_zeros(seen: dict[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content], numbers: Sequence[Cell]) -> bool:
    """Whether zeros are taken for starts: no chain holds one, and levels are written so as well, with a 0 where a chain
    begins. Zeros that are too many for that stand for holes, or for nothing yet."""
    others = [cell for cell in seen if cell not in numbers and not contents[cell].bare]
    read = glyphs.read_numbers([contents[cell].ink for cell in others])
    zeros = {
        cell: chance
        for cell, options in zip(others, read, strict=True)
        if (chance := dict(options).get("0", 0.0)) > LIKE_A_ZERO
    }
    if not zeros or len(zeros) > max(MOST_STARTS * len(numbers), 1):
        return False
    for cell, chance in zeros.items():
        seen[cell] = tokens.Glyph((("X", chance), ("", 1 - chance)), seen[cell].cluster)
    return True


LIKE_A_ZERO = 0.7
"""How likely a glyph is a zero, or a ring drawn like one, that is taken for a start."""


def _take_letters(
    seen: dict[Cell, tokens.Glyph],
    contents: dict[Cell, ink.Content],
    numbers: Sequence[Cell],
    *,
    in_own_ink: bool = False,
) -> bool:
    """Whether letters are taken for starts. Where most numbers stand on one ground, and a few that are all the same on
    others, or in colours on the same one, these may be starts that show a letter: an S looks like a 5. Where chains are
    drawn other numbers stand on the starts' colours as well; then the letters have an ink that no number has;
    ``in_own_ink``: no others count."""
    grounds = np.stack([contents[cell].ground for cell in numbers])
    inks = np.stack([contents[cell].colour for cell in numbers])
    alike = np.abs(grounds[:, None] - grounds).max(axis=2) <= OTHER_GROUND
    other = np.abs(inks - np.median(inks, axis=0)).max(axis=1) > OTHER_INK
    apart = {cell for cell, share in zip(numbers, alike.mean(axis=1), strict=True) if share < 0.5}
    if not apart and all(here.bare or cell in numbers for cell, here in contents.items()):
        # All on one ground: letters in colours among numbers in one ink. What a line runs through reaches its border.
        apart = {cell for cell, own in zip(numbers, other, strict=True) if own and colourful(contents[cell].colour)}
        if any(_reaches_out(contents[cell]) for cell in apart):
            return False
    letters = apart
    said = {seen[cell].candidates[0][0] for cell in apart}
    if in_own_ink or len(said) > 1:
        letters = {cell for cell, differs in zip(numbers, other, strict=True) if differs and cell in apart}
        said = {seen[cell].candidates[0][0] for cell in letters}
    if len(said) != 1 or not said <= LIKE_LETTERS or len(letters) > MOST_STARTS * len(numbers):
        return False
    if {seen[cell].cluster for cell in letters} & {seen[cell].cluster for cell in numbers if cell not in letters}:
        return False  # a chain may be drawn there
    number = 1 + max(glyph.cluster for glyph in seen.values())
    for cell in letters:
        seen[cell] = tokens.Glyph((("X", LETTER), (min(said), 1 - LETTER)), number)
    return True


def _signs(
    seen: Mapping[Cell, tokens.Glyph],
    contents: Mapping[Cell, ink.Content],
    numbers: Sequence[Cell],
    closed: AbstractSet[Cell],
) -> list[Cell]:
    """What is drawn as the numbers are, in their ink on their ground, and is none of them: it may be starts where all
    else on the board is a number, for a chain begins somewhere. All of it is one sign, in places among the numbers;
    empty where it is not."""
    grounds = np.stack([contents[cell].ground for cell in numbers])
    signs = [
        cell
        for cell, here in contents.items()
        if cell in seen and cell not in numbers and not here.bare
        if float(np.abs(grounds - here.ground).max(axis=1).min()) <= EVEN
    ]
    if len(signs) > MOST_SIGNS * len(numbers) or len({seen[cell].cluster for cell in signs}) > 1:
        return []
    (top, left), (bottom, right) = np.min(numbers, axis=0), np.max(numbers, axis=0)
    if not any(cell in closed or sum(near in contents for near in around(cell)) > 1 for cell in signs):
        return []
    for r, c in signs:
        chances = dict(seen[r, c].candidates)
        within = top <= r <= bottom and left <= c <= right
        if not (
            ((r, c) in closed or (within and any(near in contents for near in around((r, c)))))
            and _is_marked(contents[r, c])
            and chances.get("", 0.0) + chances.get("X", 0.0) > NO_NUMBER
        ):
            return []
    return signs


MOST_SIGNS, NO_NUMBER = 2 / 3, 0.55
"""How many signs that may be starts there are to a number at most; and how likely one of them is no number: a diamond
looks a little like a 4."""


def _vivid(here: ink.Content, inks: Floats) -> bool:
    """Whether a mark or a disc has a colour that is no grey and that no number has."""
    colour = here.ground if here.bare else here.colour
    return colourful(colour) and float(np.abs(inks - colour).max(axis=1).min()) > OTHER_INK


def _each_vivid(marks: Sequence[ink.Content], inks: Floats) -> bool:
    """Whether each of some marks or discs has a colour that no number has, and no two of them the same one."""
    colours = np.stack([here.ground if here.bare else here.colour for here in marks])
    apart = np.abs(colours[:, None] - colours[None]).max(axis=2) + 256 * np.eye(len(marks))
    return all(_vivid(here, inks) for here in marks) and float(apart.min()) > OTHER_INK


def _of_several_colours(marks: Sequence[ink.Content]) -> bool:
    colours = np.stack([here.ground if here.bare else here.colour for here in marks])
    return float(np.abs(colours[:, None] - colours[None]).max()) > OTHER_INK


def _is_disc(view: View, here: ink.Content) -> bool:
    """Whether the colour of a place's ground is not in its corners: that of a disc was taken for it."""
    place, by = here.place, round(CORNER * min(here.place.width, here.place.height))
    rows, columns = (place.y + by, place.y + place.height - 1 - by), (place.x + by, place.x + place.width - 1 - by)
    height, width = view.image.shape[:2]
    corners = [
        view.image[min(max(y, 0), height - 1), min(max(x, 0), width - 1)].astype(np.float32)
        for y in rows
        for x in columns
    ]
    return min(float(np.abs(corner - here.ground).max()) for corner in corners) > OTHER_GROUND


def _shows(view: View, here: ink.Content, grounds: Floats) -> bool:
    """Whether a ring of the numbers' ``grounds``, shape ``(N, 3)``, is seen around what stands in a place."""
    usual = np.median(grounds, axis=0)
    away = largest_channel(np.abs(here.place.crop(view.image).astype(np.float32) - usual))
    return float((away <= EVEN + 2 * view.noise).mean()) >= RING


RING = 0.04
"""The part of a place that a ring around a smaller disc takes at least."""

CORNER = 0.1
"""How far from its place's sides a disc leaves the corners free, as a share of the shorter side."""


def _is_marked(here: ink.Content) -> bool:
    return not here.bare and _central(here)


def _is_coloured_in_part(here: ink.Content, grounds: Floats, inks: Floats) -> bool:
    """Whether a place is one of the numbers' cells with something else in it than a number, in another colour."""
    if here.bare or min(here.box.width, here.box.height) < LEAST_PART * min(here.place.width, here.place.height):
        return False
    like = float(np.abs(grounds - here.ground).max(axis=1).min()) < EVEN
    return like and float(np.abs(inks - here.colour).max(axis=1).min()) > OTHER_INK


def _fills_its_place(here: ink.Content) -> bool:
    """Whether ink reaches from one side of a place to the other."""
    return here.box.width > WHOLE * here.place.width or here.box.height > WHOLE * here.place.height


def _reaches_out(here: ink.Content) -> bool:
    """Whether ink reaches one side of a place or more."""
    box, place = here.box, here.place
    free = box.x > place.x, box.y > place.y
    return not (all(free) and box.x + box.width < place.x + place.width and box.y + box.height < place.y + place.height)


def _fills(here: ink.Content) -> bool:
    """Whether ink reaches from side to side both ways."""
    return here.box.width > WHOLE * here.place.width and here.box.height > WHOLE * here.place.height


def _central(here: ink.Content) -> bool:
    """Whether what stands in a place stands about its middle and is no mere remnant."""
    (x, y), (u, v) = here.place.centre, here.box.centre
    size = min(here.place.width, here.place.height)
    return max(abs(x - u), abs(y - v)) < 0.2 * size and min(here.box.width, here.box.height) > 0.15 * size


def _same_look(one: ink.Content, other: ink.Content) -> bool:
    """Whether two places without a number have one colour, and both or neither a mark."""
    return one.bare == other.bare and float(np.abs(one.ground - other.ground).max()) < 12
