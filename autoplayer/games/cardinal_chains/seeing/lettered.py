"""Starts that show a letter, which looks like a digit: an S like a 5, a B like an 8."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from autoplayer.core.frame import Cell, Floats, unlike
from autoplayer.games.cardinal_chains.seeing.covered.certain import is_new
from autoplayer.games.cardinal_chains.seeing.glyphs import marks, odds, tokens
from autoplayer.games.cardinal_chains.seeing.lattice.outside import Look
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import around, beside
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

LIKE_LETTERS = frozenset([*"124568", "13"])
"""Numbers that letters look like: I, Z, A, S, G and B, which may be a 13 too."""

LETTER = 0.9
"""The probability that the only glyphs of their kind, on colours of their own, are starts if no other start is seen."""

SAME_HUE = 0.95
"""The cosine of the angle between two colours, as seen from the tiles', from which they have the same hue."""

STRANGE_INK = 0.97
"""The probability that signs are starts if at least three of them have a colour each."""

LIKELY_LETTER, UNLIKE, TWIN, HIGHEST_LETTER, HARDLY_LETTER = 0.8, 2.0, 0.4, 0.3, 0.02
"""The probability that a digit is really a letter: if it looks less like the digit than another glyph does, by this
factor of the evidence against it, or about as much; if it would be the highest number of the board; and for any other,
if something else may be the start."""

CLEAR_DIGIT = 0.98
"""The probability from which a glyph counts as a digit at least as clear as an even likelier one."""

HOLE, STRANGE_LETTER = 0.97, 0.6
"""The probability that grey places are holes if something looks like a letter, and that they are starts if anything
else may be one; so may a disc that hides its letter."""

FAR_HIGHER = 1.5
"""The least ratio of the height of a disc around a letter to that of the numbers."""

SOLID = 0.77
"""The share of its box that a disc or a block fills at least: a disc fills pi / 4, and less with a letter in it."""

FAINT = 0.5
"""The least contrast of a sign, as a share of the numbers': the specks of a texture have hues of their own."""

SMALL, LARGE = 3, 6
"""The largest board, in numbers, on which one of them may be a letter: if it looks like one, and if it does not."""


def take_letters(
    view: View,
    seen: dict[Cell, tokens.Glyph],
    contents: dict[Cell, ink.Content],
    numbers: Sequence[Cell],
    found: lattice.Lattice,
    *,
    in_own_ink: bool = False,
) -> bool:
    """Take letters for starts; returns whether there were any. If most numbers stand on one ground, and a few equal
    ones on other grounds, or in other colours on the same ground, these may be starts that show a letter: an S looks
    like a 5. If chains are drawn, other numbers stand on the starts' colours as well; then the letters have an ink that
    no number has; ``in_own_ink``: only such letters count."""
    # The ground of one number is its disc, that of another one what is around the disc.
    grounds = np.stack([marks.setting(view, contents[cell]) for cell in numbers])
    inks = np.stack([contents[cell].colour for cell in numbers])
    alike = np.abs(grounds[:, None] - grounds).max(axis=2) <= marks.OTHER_GROUND
    other = np.abs(inks - np.median(inks, axis=0)).max(axis=1) > marks.OTHER_INK
    apart = {cell for cell, share in zip(numbers, alike.mean(axis=1), strict=True) if share < 0.5}
    if not apart and all(here.bare or cell in numbers for cell, here in contents.items()):
        # All on one ground: letters in colours among numbers in one ink. What a line runs through reaches its border.
        apart = {
            cell for cell, own in zip(numbers, other, strict=True) if own and marks.colourful(contents[cell].colour)
        }
        if any(marks.reaches_out(contents[cell]) for cell in apart):
            return False
    letters = apart
    said = {seen[cell].candidates[0][0] for cell in apart}
    if in_own_ink or len(said) > 1:
        letters = {cell for cell, differs in zip(numbers, other, strict=True) if differs and cell in apart}
        said = {seen[cell].candidates[0][0] for cell in letters}
    if len(said) != 1 or not said <= LIKE_LETTERS or len(letters) > marks.MOST_STARTS * len(numbers):
        return False
    if {seen[cell].cluster for cell in letters} & {seen[cell].cluster for cell in numbers if cell not in letters}:
        return False  # a chain may be drawn there
    if _begin_beside(view, found, contents, letters, numbers):
        return False
    number = 1 + max(glyph.cluster for glyph in seen.values())
    for cell in letters:
        seen[cell] = tokens.Glyph((("X", LETTER), (min(said), 1 - LETTER)), number)
    return True


def _begin_beside(
    view: View,
    found: lattice.Lattice,
    contents: Mapping[Cell, ink.Content],
    letters: Collection[Cell],
    numbers: Collection[Cell],
) -> bool:
    """Whether a place without a number beside what may be letters, on a colour of their own, is filled with exactly
    that colour: then these are numbers, in a chain that begins there."""
    grounds = [contents[cell].ground for cell in numbers if cell not in letters] + [marks.page(view)]
    own = [cell for cell in letters if is_new(contents[cell].ground, grounds)]
    spots = {near: contents[cell].ground for cell in own for near in around(cell) if near not in numbers}
    return any(
        (colour := marks.filling(view, found, near)) is not None and not is_new(colour, [ground])
        for near, ground in spots.items()
    )


def _has_the_hue_of(cell: Cell, others: Collection[Cell], colours: Mapping[Cell, Floats], tile: Floats) -> bool:
    """Whether the colour of a cell has the hue of another one's, as seen from the tiles' colour; ``colours``: BGR."""
    own = colours[cell] - tile
    away = [colours[other] - tile for other in others if other != cell]
    return any(
        float(own @ other) > SAME_HUE * float(np.linalg.norm(own) * np.linalg.norm(other))
        for other in away
        if float(np.abs(other).max()) > marks.OTHER_GROUND
    )


def doubt_letters_beside_starts(seen: dict[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content]) -> None:
    """If all starts that were seen stand on colours, what looks like a digit may be another one's letter: it stands on
    a colour that neither a number nor a start has, in an ink that no number has, or leaves a gap to all numbers,
    unless other numbers have colours too. A chain's cells have its start's hue. The rules decide."""
    starts = [cell for cell, glyph in seen.items() if glyph.candidates[0][0] == "X" and glyph.chance > 0.5]
    numbers = [cell for cell, glyph in seen.items() if glyph.candidates[0][0].isdigit() and glyph.chance > 0.5]
    if len(numbers) < marks.LEAST_NUMBERS or not starts:
        return
    grounds = {cell: contents[cell].ground for cell in numbers + starts}
    tile = np.median([grounds[cell] for cell in numbers], axis=0)
    if not all(marks.colourful(grounds[cell]) for cell in starts):
        return

    alone = {
        cell
        for cell in numbers
        if unlike(grounds[cell], tile) > marks.OTHER_GROUND
        and marks.colourful(grounds[cell])
        and not _has_the_hue_of(cell, grounds, grounds, tile)
    }
    if not alone:
        return
    perhaps = {cell for cell in alone if seen[cell].candidates[0][0] in LIKE_LETTERS}
    others = [cell for cell in numbers if cell not in perhaps and not _has_the_hue_of(cell, starts, grounds, tile)]
    inks = [contents[cell].colour for cell in others]
    coloured = any(unlike(grounds[cell], tile) > marks.OTHER_GROUND for cell in others)  # by numbers, as it seems
    highest = max((int(seen[cell].candidates[0][0]) for cell in numbers if cell not in alone), default=0)
    letters = [
        cell
        for cell in numbers
        if cell in perhaps
        and (
            (int(seen[cell].candidates[0][0]) > highest + 1 and not coloured)
            or all(float(np.abs(contents[cell].colour - other).max()) > marks.OTHER_INK for other in inks)
        )
    ]
    if len(letters) > marks.MOST_STARTS * len(numbers):
        return
    first = 1 + max(glyph.cluster for glyph in seen.values())
    for number, cell in enumerate(letters, first):
        said = seen[cell].candidates[0][0]
        seen[cell] = tokens.Glyph((("X", LETTER), (said, 1 - LETTER)), number)


def _mark_colour(view: View, here: ink.Content, high: float) -> Floats:
    """The colour, BGR, of what is drawn in a place: of the disc where that is far higher than a glyph, ``high``. A
    chain's line reaches the place's border."""
    if here.bare or here.box.height < FAR_HIGHER * high or marks.reaches_out(here):
        return here.colour
    return np.asarray(np.median(here.box.crop(view.image).reshape(-1, 3), axis=0), np.float32)


def take_inks_of_their_own(view: View, seen: dict[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content]) -> None:
    """If a start that was seen is a sign in a colour among numbers that all have one ink, other signs as high as those,
    or as large as the start, each in a further colour, are starts too: a D looks like an X, but an A like nothing, and
    a B like an 8. Where chains have begun, a colour stands in several cells."""
    starts = [cell for cell, glyph in seen.items() if glyph.candidates[0][0] == "X" and glyph.chance > odds.LEGIBLE]
    numbers = [cell for cell, glyph in seen.items() if glyph.candidates[0][0].isdigit() and glyph.chance > 0.5]
    if len(numbers) < marks.LEAST_NUMBERS or not starts:
        return
    usual = np.median([contents[cell].colour for cell in numbers], axis=0)
    tile = np.median([contents[cell].ground for cell in numbers], axis=0)
    high = float(np.median([contents[cell].box.height for cell in numbers]))
    colours = {cell: _mark_colour(view, contents[cell], high) for cell in seen}

    def is_odd(cell: Cell) -> bool:
        return not contents[cell].bare and marks.colourful(colours[cell]) and is_new(colours[cell], [usual])

    odd = [cell for cell in seen if is_odd(cell)]
    plain = [contents[cell].colour for cell in numbers if cell not in odd]
    if not set(starts) <= set(odd) or any(is_new(colour, [usual]) for colour in plain):
        return
    inks = {cell: colours[cell] for cell in odd}
    clear = FAINT * float(np.median([contents[cell].contrast for cell in numbers]))
    high = float(np.median([contents[cell].box.height for cell in numbers if cell not in odd] or [0]))
    letters = [
        cell
        for cell in odd
        if cell not in starts
        and contents[cell].contrast >= clear
        and is_new(inks[cell], plain)  # thin strokes of one ink differ
        and not _has_the_hue_of(cell, odd, inks, tile)
        and unlike(contents[cell].ground, tile) <= marks.OTHER_GROUND
        and (
            abs(contents[cell].box.height - high) <= marks.AS_LARGE * high
            or (
                not marks.reaches_out(contents[cell])
                and any(_is_one_kind(contents[cell], contents[one]) for one in starts)
            )
        )
        and seen[cell].candidates[0][0] in LIKE_LETTERS | {""}
    ]
    first = 1 + max(glyph.cluster for glyph in seen.values())
    sure = STRANGE_INK if len(starts) + len(letters) > 2 else LETTER
    for number, cell in enumerate(letters, first):
        options = ("X", sure), (seen[cell].candidates[0][0], 1 - sure)
        seen[cell] = tokens.Glyph(options, number, told=True)


def _is_one_kind(one: ink.Content, other: ink.Content) -> bool:
    """Whether two marks are as large as one another, and both or neither of them full: a disc shows no letter, and a
    number beside discs is none."""
    solid = [float(here.ink.mean()) > SOLID for here in (one, other) if not here.bare]
    return marks.as_large(one, other) and len(set(solid)) < 2


def doubt_hidden_in_ink(
    view: View, seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content], look: Look
) -> None:
    """If all starts that were seen stand on colours, a disc or a block in the numbers' own ink may be one whose X has
    that ink too: it leaves some of the cell's ground visible, as no hole in that colour does. ``look``: at places
    beside those of ``contents``."""
    starts = [cell for cell, glyph in seen.items() if glyph.candidates[0][0] == "X" and glyph.chance > 0.5]
    numbers = [cell for cell, glyph in seen.items() if glyph.candidates[0][0].isdigit() and glyph.chance > odds.LEGIBLE]
    if not starts or len(numbers) < marks.LEAST_NUMBERS:
        return
    grounds = np.stack([contents[cell].ground for cell in numbers])
    usual, tile = np.median([contents[cell].colour for cell in numbers], axis=0), np.median(grounds, axis=0)
    high = float(np.median([contents[cell].box.height for cell in numbers]))
    for here in (contents[cell] for cell in starts):
        if unlike(here.ground, tile) <= marks.OTHER_GROUND and here.box.height < FAR_HIGHER * high:
            return
    on_page = unlike(marks.page(view), tile) <= marks.OTHER_GROUND  # which shows around a hole too
    number = 1 + max(glyph.cluster for glyph in seen.values())
    for cell, here in (contents | look(beside(contents))).items():
        if (
            here.bare
            and unlike(here.ground, usual) <= marks.OTHER_GROUND
            and marks.shows_a_ring(view, here, grounds)
            and (marks.is_disc(view, here) or not on_page)
        ):
            contents[cell] = here
            seen[cell] = tokens.Glyph((("X", STRANGE_LETTER), ("", 1 - STRANGE_LETTER)), number)


def doubt_letters(seen: dict[Cell, tokens.Glyph], holes: Collection[Cell] = ()) -> None:
    """If no start is seen, or only grey places that are ``holes`` in many windows, a token that looks like a letter and
    stands in few cells may be a start: an S was taken for a 5, a B for an 8. The rules decide; on a small board these
    are not enough, so there it must look like a letter too."""
    numbers = [cell for cell, glyph in seen.items() if glyph.chance > odds.LEGIBLE]
    clusters: dict[int, list[Cell]] = {}
    for cell, glyph in seen.items():
        if glyph.candidates[0][0] not in ("", "X"):
            clusters.setdefault(glyph.cluster, []).append(cell)
    first = {number: seen[cells[0]].candidates[0] for number, cells in clusters.items()}
    chances = {
        number: _like_a_letter(number, first)
        for number, cells in clusters.items()
        if first[number][0] in LIKE_LETTERS and len(cells) <= max(marks.MOST_STARTS * len(numbers), 1)
    }
    likely = {number for number, chance in chances.items() if chance >= TWIN}
    least = HARDLY_LETTER if len(holes) > 0 or any(chances.values()) else odds.POSSIBLE
    for number in likely or chances:
        cells, chance = clusters[number], max(chances[number], least)
        if len(numbers) - len(cells) < (SMALL if likely else LARGE):
            continue
        options = (("X", chance), (first[number][0], 1 - chance))
        for cell in cells:
            seen[cell] = tokens.Glyph(options if chance > 0.5 else options[::-1], number)
    for cell in holes if chances else ():
        least = HOLE if likely else 1 - STRANGE_LETTER
        options = (("", least), ("X", 1 - least))
        seen[cell] = tokens.Glyph(options if least > 0.5 else options[::-1], seen[cell].cluster)


def _like_a_letter(number: int, first: Mapping[int, tuple[str, float]]) -> float:
    """The probability that one of several clusters is a letter rather than the digit that it was taken for, by the
    likeliest token of each cluster and its probability. Evidence: another cluster that is the same digit, that the
    cluster is unclear, or that it would be the highest number, above all with a gap below it. 0 without such
    evidence."""
    said, sure = first[number]
    others = [(token, chance) for other, (token, chance) in first.items() if other != number]
    twins = [chance for token, chance in others if token == said]
    if sure < odds.LEGIBLE or (sure < CLEAR_DIGIT and any(1 - sure > UNLIKE * (1 - chance) for chance in twins)):
        return LIKELY_LETTER
    if any(chance > CLEAR_DIGIT or 1 - chance < UNLIKE * (1 - sure) for chance in twins):
        return TWIN  # either may be the letter
    highest = max((int(token) for token, _ in others if token.isdigit()), default=0)
    if 0 < highest < int(said) - 1:
        return TWIN  # the numbers between are missed
    return HIGHEST_LETTER if highest < int(said) else 0.0
