"""Classifies the ink of each cell: the candidate tokens with their probabilities. Equal glyphs are judged once for all
their cells; unclear ones are looked at in other ways (``looks``). Knows no lattice and no rules of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.cardinal_chains.seeing.glyphs import digits, looks, odds, views
from autoplayer.vision import alike, face, glyphs, ink, templates
from autoplayer.vision.templates import Template

UNKNOWN = "?"
"""The token of an unknown symbol."""

KNOWN = 0.995
"""How probable a token is whose template of the layout looks like the glyph."""

FEW = 8
"""On a board of fewer marks a symbol may stand only once."""

NO_GLYPH = 0.25
"""Factor for the probability that ink of the glyphs' own height is no glyph, relative to the network's opinion on ink
of any size."""

SPOKESMEN = 2
"""How many of a cluster of equal glyphs the network classifies: more add no information and cost time."""

MOST_UNCLEAR, UNCLEAR, SAMPLE = 40, 0.5, 8
"""If more places than this, and this share of them, are unclear, the picture is a text or a table of words, or all
glyphs stand in discs, as a sample of so many shows: the places of a text are not looked at in other ways, which would
take seconds."""

MANY_STARTS, SURE_STARTS = 0.25, 0.99
"""Equal starts that are more than this share of the marks are in doubt if their probability is below this: so frequent
a glyph is rather a number, most of all a 1 of a strange typeface."""

BROADER = 1.15
"""The least ratio of the width of a board's only number of two digits to that of its broadest number of one digit, at
the same height; otherwise it may be one digit of a strange typeface."""

LOW = 0.78
"""Ink in the glyphs' own colour is only a part of a number if it is lower than the lowest clear one, and than this
share of their usual height."""


@dataclass(frozen=True)
class Glyph:
    """The content of a place. ``cluster``: the same number for all places whose glyphs look alike."""

    candidates: odds.Candidates
    cluster: int
    told: bool = False
    """Whether something else than the glyph's look says so, the layout or its colour: it is not read again."""

    @property
    def chance(self) -> float:
        """The probability of the best number or X."""
        return odds.probability(self.candidates)


@dataclass(frozen=True)
class Eyes:
    """How glyphs are classified. ``known``: the layout's own templates, which take precedence over everything.
    ``asking``: whether a person can be asked; then an unknown symbol that occurs in several places, or in a place found
    as a cell, is a glyph as well, with the token ``UNKNOWN``."""

    known: tuple[Template, ...] = ()
    asking: bool = False

    def legible(self, inks: Sequence[Floats]) -> int:
        """How many of some inks are numbers, starts, or may be one of these."""
        if self.asking:
            return len(inks)
        told = [
            bool(self.known and (templates.match(one, self.known) or templates.is_unnamed(one, self.known)))
            for one in inks
        ]
        left = [one for one, known in zip(inks, told, strict=True) if not known]
        return sum(told) + sum(odds.probability(options) > 0.5 for options in glyphs.read_numbers(left))

    def classify(
        self, image: Image, contents: dict[Cell, ink.Content], noise: float, own: AbstractSet[Cell]
    ) -> dict[Cell, Glyph]:
        """The glyph of each place; equal glyphs are judged together, with the evidence of all of them. ``own``: the
        places that were found as equal to one another; the others may be no part of the board."""
        if not contents:
            return {}
        told = {}
        for cell, here in contents.items() if self.known else ():
            token = templates.match(here.ink, self.known)
            if token is not None:
                told[cell] = token
        left = {cell: here for cell, here in contents.items() if cell not in told}
        seen = classify(image, left, noise, own) if left else {}
        first = len(contents)
        numbers = {token: number for number, token in enumerate(dict.fromkeys(told.values()), first)}
        for cell, token in told.items():
            other = "" if token else "X"
            seen[cell] = Glyph(((token, KNOWN), (other, 1 - KNOWN)), numbers[token], True)
        for cell in seen if self.known else ():
            if cell not in told and templates.is_unnamed(contents[cell].ink, self.known):
                seen[cell] = Glyph(((UNKNOWN, 1.0),), seen[cell].cluster)
        symbols = (bool(told) and _of_symbols(contents, seen, told)) or _of_strokes(contents, seen, told)
        return _with_symbols(contents, seen, told, own, symbols) if self.asking or symbols else seen


def _of_symbols(contents: Mapping[Cell, ink.Content], seen: Mapping[Cell, Glyph], told: Mapping[Cell, str]) -> bool:
    """Whether at least half of the window's numbers are symbols, which the network does not know: what it takes for a
    number there is a symbol without a name yet."""
    numbers = {token: cell for cell, token in told.items() if token and token != "X"}
    said = glyphs.read_numbers([contents[cell].ink for cell in numbers.values()])
    strange = sum(dict(options).get(token, 0.0) < NEVER for token, options in zip(numbers, said, strict=True))
    others = {glyph.cluster for cell, glyph in seen.items() if cell not in told and glyph.chance >= odds.LEGIBLE}
    return strange >= FEW_SYMBOLS and 2 * strange >= len(numbers) + len(others)


def _of_strokes(contents: Mapping[Cell, ink.Content], seen: Mapping[Cell, Glyph], told: Mapping[Cell, str]) -> bool:
    """Whether all numbers that the network reads are ones, some of them several in a row: Roman numerals and tally
    marks look like that, and then others of them are taken for starts and holes. A board of digits with an 11 also has
    a lower number other than 1."""
    numbers = {glyph.candidates[0][0] for cell, glyph in seen.items() if cell not in told and glyph.chance > LIKELY}
    named = {token: cell for cell, token in told.items() if token and token != "X"}
    said = glyphs.read_numbers([contents[cell].ink for cell in named.values()])
    # Symbols that have a name already are known.
    numbers |= {odds.likeliest(dict(options)) for token, options in zip(named, said, strict=True) if token != "1"}
    numbers -= {"", "X"}
    if max(map(len, numbers), default=0) < 2 or {*"".join(numbers)} != {"1"}:
        return False
    digits = [dict(options).get(token, 0.0) > LIKELY for token, options in zip(named, said, strict=True)]
    return not any(digit and token != "1" for token, digit in zip(named, digits, strict=True))


LIKELY = 0.5
"""A reading more probable than this is accepted."""

NEVER, FEW_SYMBOLS = 0.1, 3
"""The probability below which the network excludes the number that a symbol stands for; and how many such symbols make
a window one of symbols, and not one of digits of which some are drawn in an odd way."""


def _with_symbols(
    contents: Mapping[Cell, ink.Content],
    seen: Mapping[Cell, Glyph],
    told: Mapping[Cell, str],
    own: AbstractSet[Cell],
    symbols: bool,
) -> dict[Cell, Glyph]:
    """The same glyphs, with ``UNKNOWN`` for those that are not read for sure, but stand in one of the board's ``own``
    places, or occur several times and are as high as most. A board of symbols has no numbers: if half of the glyphs are
    unknown, one that looks like a number is unknown too; likewise if the window is known to be one of ``symbols``."""
    usual = float(np.median([here.box.height for here in contents.values()]))
    often = Counter(glyph.cluster for glyph in seen.values())
    strange = {
        cell
        for cell, glyph in seen.items()
        if cell not in told
        and (
            cell in own
            or (
                0.6 * usual <= contents[cell].box.height <= 1.6 * usual
                and (often[glyph.cluster] > 1 or len(contents) < FEW)
            )
        )
    }
    unread = {seen[cell].cluster for cell in strange if seen[cell].chance < odds.LEGIBLE}
    if not symbols and 2 * len(unread) < len({seen[cell].cluster for cell in strange}):
        strange = {cell for cell in strange if seen[cell].cluster in unread}
    return {cell: Glyph(((UNKNOWN, 1.0),), glyph.cluster) if cell in strange else glyph for cell, glyph in seen.items()}


def classify(
    image: Image, contents: dict[Cell, ink.Content], noise: float, own: AbstractSet[Cell]
) -> dict[Cell, Glyph]:
    """As ``Eyes.classify``, by the network alone."""
    cells = list(contents)
    inks = [contents[cell].ink for cell in cells]
    cluster, joint = _read(inks)
    if _take_out_of_rings(inks, cluster, joint):
        cluster, joint = _read(inks)
    best = [joint[number] for number in cluster]
    top = {number: odds.top(options) for number, options in joint.items()}
    tops = [top[number] for number in cluster]
    clear = [contents[cell].colour for cell, chance in zip(cells, tops, strict=True) if chance >= odds.LEGIBLE]
    usual = views.usual_colour(clear) if clear else None
    said_first = {number: odds.likeliest(options) for number, options in joint.items()}
    first = [said_first[number] for number in cluster]
    heights = np.array([_glyph_height(image, contents[cell], usual, noise) for cell in cells])
    numbers = np.array([p >= odds.LEGIBLE and token != "X" for p, token in zip(tops, first, strict=True)], np.bool_)
    alone = numbers & [not contents[cell].uneven for cell in cells]  # a line would count as a part of its glyph
    tall = heights[alone if alone.any() else numbers]
    lowest = min(LOW * float(np.median(tall)), float(tall.min())) if len(tall) else 0.0
    unclear = [cell for cell, chance in zip(cells, tops, strict=True) if chance < odds.LEGIBLE]
    lost = hopeless(len(unclear), len(cells)) and not _clear_otherwise(image, [contents[c] for c in unclear], noise)
    if not lost:
        disc = views.usual_disc([contents[cell] for cell in unclear]) if len(unclear) >= FEW else None
        drawn = views.different([contents[cell].colour for cell, is_one in zip(cells, numbers, strict=True) if is_one])
        ways = looks.Looks(image, noise, usual, lowest, disc, drawn)
        others = [look for i, cell in enumerate(cells) for look in ways.at(i, contents[cell], tops[i], best)]
        if others:
            looks.weigh(others, best, inks, first)
            cluster = alike.clusters(inks)
    usual_height = float(np.median(heights))
    full = (0.7 * usual_height <= heights) & (heights <= 1.4 * usual_height)
    joint = alike.joint(cluster, _weighed(best, full.tolist()))
    at_home = {number for cell, number in zip(cells, cluster, strict=True) if cell in own}
    worth = _judged(inks, cluster, joint, at_home, lost)
    return {cell: Glyph(worth[number], number) for cell, number in zip(cells, cluster, strict=True)}


def _read(inks: Sequence[Floats]) -> tuple[list[int], dict[int, dict[str, float]]]:
    """The cluster of each ink, and the candidates of each cluster, of which a few members are read."""
    cluster = alike.clusters(inks)
    chosen = [i for i, number in enumerate(cluster) if cluster[:i].count(number) < SPOKESMEN]
    spoken = [odds.possible(options) for options in glyphs.read_numbers([inks[i] for i in chosen])]
    return cluster, alike.joint([cluster[i] for i in chosen], spoken)


def _take_out_of_rings(inks: list[Floats], cluster: Sequence[int], joint: Mapping[int, Mapping[str, float]]) -> bool:
    """Replace what looks like a number of two digits by what stands within its outermost piece, and say whether there
    is any: of two digits neither is around the other, but a 6 in a ring looks like a 60."""
    taken = False
    for number, options in joint.items():
        if len(odds.likeliest(options)) < 2 or views.within_a_ring(inks[cluster.index(number)]) is None:
            continue
        for i, within in [(i, views.within_a_ring(inks[i])) for i, one in enumerate(cluster) if one == number]:
            if within is not None:
                inks[i], taken = within, True
    return taken


def _judged(
    inks: Sequence[Floats],
    cluster: Sequence[int],
    joint: dict[int, dict[str, float]],
    at_home: AbstractSet[int],
    lost: bool,
) -> dict[int, odds.Candidates]:
    """The candidates of each cluster, by the window's own typeface and the numbers of the board. ``at_home``: the
    clusters in places found as cells; ``lost``: whether hardly anything is clear."""
    often = Counter(cluster)
    for number, chances in joint.items():
        # A glyph that occurs in many cells is hardly accidental; outside the cells accidents are frequent.
        less = often[number] if number in at_home else odds.ACCIDENT
        joint[number] = odds.normalised({token: p if token else p / less for token, p in chances.items()})
    judged = face.compare(inks, cluster, joint if lost else digits.compare(inks, cluster, joint), odds.expected)
    ranked = {number: sorted(chances.items(), key=lambda pair: -pair[1]) for number, chances in judged.items()}
    for number in _hardly(inks, cluster, judged):
        ranked[number] = _in_doubt(ranked[number])
    return {
        number: tuple((token, p) for token, p in options if p >= odds.NEGLIGIBLE) or (options[0],)
        for number, options in ranked.items()
    }


def _hardly(inks: Sequence[Floats], cluster: Sequence[int], judged: Mapping[int, dict[str, float]]) -> Iterator[int]:
    """The clusters whose reading is implausible given the rest of the board: too many starts, and a single number of
    two digits that is no broader than one digit is there."""
    often = Counter(cluster)
    broad: dict[int, float] = {}
    for one, number in zip(inks, cluster, strict=True):
        broad.setdefault(number, one.shape[1] / one.shape[0])
    token = {number: odds.likeliest(options) for number, options in judged.items()}
    sure = [n for n, options in judged.items() if odds.top(options) >= odds.LEGIBLE and token[n].isdigit()]
    longer = {token[n] for n in sure if len(token[n]) > 1}
    broadest = max((broad[n] for n in sure if len(token[n]) == 1), default=0.0)
    for number, said in token.items():
        too_many = said == "X" and often[number] > MANY_STARTS * len(inks) and len(inks) >= FEW
        too_slim = longer == {said} and broad[number] <= BROADER * broadest
        if (too_many and judged[number]["X"] < SURE_STARTS) or too_slim:
            yield number


def _in_doubt(ranked: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """The same candidates, the first no likelier than ``LEGIBLE``, so that a person or the rules decide."""
    (token, chance), *others = ranked
    rest = sum(p for _, p in others)
    if chance <= odds.LEGIBLE or not rest:
        return ranked
    return [(token, odds.LEGIBLE), *((other, p / rest * (1 - odds.LEGIBLE)) for other, p in others)]


def _glyph_height(image: Image, here: ink.Content, usual: Floats | None, noise: float) -> int:
    """The height of a glyph, in pixels; if a chain's line is connected with it, the height of the part that has the
    glyphs' own colour."""
    if usual is None or not views.touches(here) or not views.more_than_a_glyph(image, here, usual):
        return here.box.height
    glyph = ink.content_in_colour(image, here.place, usual, noise)
    return here.box.height if glyph.bare else glyph.box.height


def numbers(seen: Mapping[Cell, Glyph]) -> list[Cell]:
    """The places that are more likely a number than anything else."""
    return [cell for cell, glyph in seen.items() if glyph.chance > 0.5 and glyph.candidates[0][0] != "X"]


def hopeless(unclear: int, places: int) -> bool:
    """Whether so many of some places are unclear that they do not form a board."""
    return unclear > max(MOST_UNCLEAR, UNCLEAR * places)


def _clear_otherwise(image: Image, unclear: Sequence[ink.Content], noise: float) -> bool:
    """Whether half of a sample of many unclear places is clear within its disc or ring: large boards of such cells
    exist too."""
    sample = unclear[:: -(-len(unclear) // SAMPLE)]
    inks = [[one for _, one in views.other_inks(image, here, noise)] for here in sample]
    said = iter(glyphs.read_numbers([one for some in inks for one in some]))
    clear = sum(max([odds.top(odds.possible(next(said))) for _ in some], default=0.0) >= odds.LEGIBLE for some in inks)
    return 2 * clear >= len(sample)


def _weighed(chances: Sequence[dict[str, float]], full: Sequence[bool]) -> list[dict[str, float]]:
    """The same candidates, weighted by how many numbers of one and of two digits the board surely has: a digit with a
    pointer beside it must not become the only number of two digits. ``full``: the glyphs that are as high as glyphs are
    here."""
    distinct = {(id(options), high): options for options, high in zip(chances, full, strict=True)}
    for key, options in distinct.items():  # equal glyphs share theirs
        if key[1]:
            distinct[key] = odds.normalised({token: p * (1.0 if token else NO_GLYPH) for token, p in options.items()})
    often = Counter((id(options), high) for options, high in zip(chances, full, strict=True))
    count = {1: 0.5, 2: 0.5}
    for key, options in distinct.items():
        token = odds.likeliest(options)
        if odds.top(options) > odds.LEGIBLE and token not in ("", "X"):
            count[len(token)] += often[key]
    most = max(count.values())
    weighed = {
        key: odds.normalised(
            {token: p * (1.0 if token in ("", "X") else count[len(token)] / most) for token, p in options.items()}
        )
        for key, options in distinct.items()
    }
    return [weighed[id(options), high] for options, high in zip(chances, full, strict=True)]
