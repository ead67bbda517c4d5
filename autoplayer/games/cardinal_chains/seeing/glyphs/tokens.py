"""Classifies the ink of each cell: the candidate tokens with their probabilities. Equal glyphs are judged once for all
their cells; unclear ones are looked at in other ways (``views``). Knows no lattice and no rules of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cardinal_chains.seeing.glyphs import digits, views
from autoplayer.vision import alike, face, glyphs, ink, rims, templates
from autoplayer.vision.templates import Template

Candidates = tuple[tuple[str, float], ...]
"""What a place may hold, ``(token, probability)``, the likeliest first; the token "" for nothing that can be read."""

UNKNOWN = "?"
"""The token of an unknown symbol."""

KNOWN = 0.995
"""How probable a token is whose template of the layout looks like the glyph."""

FEW = 8
"""On a board of fewer marks a symbol may stand only once."""

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""

POSSIBLE = 0.05
"""A start at least this probable may be one of the board's starts; without any, no chain begins."""

LEGIBLE = 0.9
"""A glyph less probable than this is looked at in other ways before it becomes a doubt."""

NO_GLYPH = 0.25
"""Factor for the probability that ink of the glyphs' own height is no glyph, relative to the network's opinion on ink
of any size."""

SPOKESMEN = 2
"""How many of a cluster of equal glyphs the network classifies: more add no information and cost time."""

MOST_UNCLEAR, UNCLEAR, SAMPLE = 40, 0.5, 8
"""If more places than this, and this share of them, are unclear, the picture is a text or a table of words, or all
glyphs stand in discs, as a sample of so many shows: the places of a text are not looked at in other ways, which would
take seconds."""

INSTEAD = 0.7
"""A glyph this probable in the board's own ink colour counts more than ink of another colour, however sure; and one
this probable with two grounds counts more than one read together with the rim between them."""

ACCIDENT = 0.1
"""Factor for the probability that the ink of a place is no number and no start, relative to the network's opinion and
to a number that no other cell shows. This and the next four were fitted together with the constants of ``face``."""

START_FIRST, START_AGAIN = 1.6, 6.0
"""The same for a start, if no other is sure, and if one is: starts have colours of their own, so that equal ones are
seldom recognised as equal."""

MISSING, BEYOND = 2.2, 1.9
"""If all numbers from 1 up to the highest sure one occur on the board except one, this one is e^2.2 times as likely as
any other, and each step beyond the highest makes a number e^1.9 times less likely."""

DENSE = 0.5
"""How completely the numbers up to the highest occur on a board on which only a 1 is known."""

LARGE = 0.5
"""Where no number is sure, each step above 1 makes a number e^0.5 times less likely: levels begin with 1."""

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

    candidates: Candidates
    cluster: int
    told: bool = False
    """Whether the layout says so."""

    @property
    def chance(self) -> float:
        """The probability of the best number or X."""
        return probability(self.candidates)


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
        return sum(told) + sum(probability(options) > 0.5 for options in glyphs.read_numbers(left))

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
    others = {glyph.cluster for cell, glyph in seen.items() if cell not in told and glyph.chance >= LEGIBLE}
    return strange >= FEW_SYMBOLS and 2 * strange >= len(numbers) + len(others)


def _of_strokes(contents: Mapping[Cell, ink.Content], seen: Mapping[Cell, Glyph], told: Mapping[Cell, str]) -> bool:
    """Whether all numbers that the network reads are ones, some of them several in a row: Roman numerals and tally
    marks look like that, and then others of them are taken for starts and holes. A board of digits with an 11 also has
    a lower number other than 1."""
    numbers = {glyph.candidates[0][0] for cell, glyph in seen.items() if cell not in told and glyph.chance > LIKELY}
    named = {token: cell for cell, token in told.items() if token and token != "X"}
    said = glyphs.read_numbers([contents[cell].ink for cell in named.values()])
    # Symbols that have a name already are known.
    numbers |= {_likeliest(dict(options)) for token, options in zip(named, said, strict=True) if token != "1"}
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
    unread = {seen[cell].cluster for cell in strange if seen[cell].chance < LEGIBLE}
    if not symbols and 2 * len(unread) < len({seen[cell].cluster for cell in strange}):
        strange = {cell for cell in strange if seen[cell].cluster in unread}
    return {cell: Glyph(((UNKNOWN, 1.0),), glyph.cluster) if cell in strange else glyph for cell, glyph in seen.items()}


def classify(
    image: Image, contents: dict[Cell, ink.Content], noise: float, own: AbstractSet[Cell]
) -> dict[Cell, Glyph]:
    """As ``Eyes.classify``, by the network alone."""
    cells = list(contents)
    inks = [contents[cell].ink for cell in cells]
    cluster = alike.clusters(inks)
    # A few members of each cluster represent it.
    chosen = [i for i, number in enumerate(cluster) if cluster[:i].count(number) < SPOKESMEN]
    spoken = [possible(options) for options in glyphs.read_numbers([inks[i] for i in chosen])]
    joint = alike.joint([cluster[i] for i in chosen], spoken)
    best = [joint[number] for number in cluster]
    top = {number: _top(options) for number, options in joint.items()}
    tops = [top[number] for number in cluster]
    clear = [contents[cell].colour for cell, chance in zip(cells, tops, strict=True) if chance >= LEGIBLE]
    usual = views.usual_colour(clear) if clear else None
    said_first = {number: _likeliest(options) for number, options in joint.items()}
    first = [said_first[number] for number in cluster]
    heights = np.array([_glyph_height(image, contents[cell], usual, noise) for cell in cells])
    numbers = np.array([p >= LEGIBLE and token != "X" for p, token in zip(tops, first, strict=True)], np.bool_)
    alone = numbers & [not contents[cell].uneven for cell in cells]  # a line would count as a part of its glyph
    tall = heights[alone if alone.any() else numbers]
    lowest = min(LOW * float(np.median(tall)), float(tall.min())) if len(tall) else 0.0
    unclear = [cell for cell, chance in zip(cells, tops, strict=True) if chance < LEGIBLE]
    lost = hopeless(len(unclear), len(cells)) and not _clear_otherwise(image, [contents[c] for c in unclear], noise)
    if not lost:
        disc = views.usual_disc([contents[cell] for cell in unclear]) if len(unclear) >= FEW else None
        looks = _Looks(image, noise, usual, lowest, disc)
        others = [look for i, cell in enumerate(cells) for look in looks.at(i, contents[cell], tops[i], best)]
        if others:
            _weigh(others, best, inks, first)
            cluster = alike.clusters(inks)
    usual_height = float(np.median(heights))
    full = (0.7 * usual_height <= heights) & (heights <= 1.4 * usual_height)
    joint = alike.joint(cluster, _weighed(best, full.tolist()))
    at_home = {number for cell, number in zip(cells, cluster, strict=True) if cell in own}
    worth = _judged(inks, cluster, joint, at_home, lost)
    return {cell: Glyph(worth[number], number) for cell, number in zip(cells, cluster, strict=True)}


@dataclass(frozen=True)
class _Other:
    """A place looked at in another way. ``enough``: the probability from which this look counts more than the earlier
    ones; None if it must be more probable than they are. ``cut``: whether it is lower than all glyphs."""

    place: int
    enough: float | None
    cut: bool
    ink: Floats
    thinned: bool = False
    """Whether it is the place's own ink without paler pixels."""
    upon_line: bool = False
    """Whether the line on which a glyph stands is removed."""
    rim: bool = False
    """Whether it is seen with two grounds."""
    odd: bool = False
    """Whether it has another colour than the glyphs."""
    coloured: bool = False
    """Whether it shows the ink in the glyphs' own colour."""


@dataclass(frozen=True)
class _Looks:
    """The other ways to look at the places of a board. ``usual``: the glyphs' colour, ``lowest``: the height of the
    lowest glyph, ``disc``: the position of discs around the glyphs, as far as these are known."""

    image: Image
    noise: float
    usual: Floats | None
    lowest: float
    disc: tuple[float, float, int] | None

    def at(self, i: int, here: ink.Content, chance: float, best: list[dict[str, float]]) -> list[_Other]:
        """The other looks at the ``i``-th place, in which something was read with a probability of ``chance``; a place
        that shows only a veil's rim is taken for empty."""
        looks = list(self._in_a_disc(i, here, chance))
        beside_a_rim = rims.content(self.image, here.place, self.noise) if here.uneven else None
        looks += self._in_the_glyphs_colour(i, here, beside_a_rim is not None)
        if beside_a_rim is not None:
            if beside_a_rim.bare:
                best[i] = {"": 1.0}
                return looks
            looks.append(_Other(i, INSTEAD, False, beside_a_rim.ink, rim=True, odd=self._is_odd(beside_a_rim)))
        upon_a_line = rims.upon_a_line(self.image, here.place, self.noise) if here.uneven else None
        if upon_a_line is not None and not upon_a_line.bare:
            # A line that goes through its cell may look like a sure 1.
            enough = INSTEAD if chance < LEGIBLE or (_likeliest(best[i]) == "1" and views.touches(here)) else None
            looks.append(_Other(i, enough, False, upon_a_line.ink, upon_line=True, odd=self._is_odd(upon_a_line)))
        return looks + list(self._in_other_inks(i, here, chance))

    def _in_a_disc(self, i: int, here: ink.Content, chance: float) -> Iterator[_Other]:
        """A line that runs into a disc is connected with it; the glyph is then looked for where it is in the other
        discs."""
        if self.disc is None or not (chance < LEGIBLE or views.touches(here)):
            return
        (x, y), (right, below, side) = here.place.centre, self.disc
        box = Box(round(x + right - side / 2), round(y + below - side / 2), side, side)
        within = ink.content(self.image, box)
        if not within.bare:
            yield _Other(i, INSTEAD, False, within.ink)

    def _in_the_glyphs_colour(self, i: int, here: ink.Content, has_rim: bool) -> Iterator[_Other]:
        """A chain's line may look like a 1; ink in the glyphs' own colour counts for more."""
        if self.usual is None:
            return
        strange = min(views.unlike(here.colour, self.usual), views.unlike(here.ground, self.usual))
        is_strange = strange > views.OTHER_COLOUR or (
            views.touches(here) and views.more_than_a_glyph(self.image, here, self.usual)
        )
        if not is_strange and not has_rim:
            return
        glyph = ink.content_in_colour(self.image, here.place, self.usual, self.noise)
        if not glyph.bare and glyph.contrast > views.FULL * float(np.abs(self.usual - here.ground).max()):
            same, low = views.is_the_same(here, glyph), glyph.box.height <= self.lowest
            yield _Other(i, INSTEAD if is_strange else 1.0, low, glyph.ink, thinned=same, coloured=True)

    def _in_other_inks(self, i: int, here: ink.Content, chance: float) -> Iterator[_Other]:
        if chance >= LEGIBLE:
            return
        # If a glyph has one colour, its part in exactly the others' colour is no more than its thick strokes.
        usual = self.usual
        if usual is not None and chance > INSTEAD and not views.more_than_a_glyph(self.image, here, usual):
            usual = None
        for cut, same, other in views.other_inks(self.image, here, usual, self.noise, self.lowest):
            yield _Other(i, None, cut, other, thinned=same)

    def _is_odd(self, here: ink.Content) -> bool:
        return self.usual is not None and views.unlike(here.colour, self.usual) > views.OTHER_COLOUR


def _weigh(others: Sequence[_Other], best: list[dict[str, float]], inks: list[Floats], first: Sequence[str]) -> None:
    """Update the candidates of each place, ``best``, and the ink by which it is compared, if another look is clearer
    than the ``first``."""
    said = [possible(options) for options in glyphs.read_numbers([other.ink for other in others])]
    coloured = {other.place: k for k, other in enumerate(others) if other.coloured}
    settled: set[int] = set()  # places whose glyph was clear then: what else may be seen there is a part of it
    upon_two: set[int] = set()  # places whose glyph was clear with two grounds: a ring around it is the rim's
    for other, chances in zip(others, said, strict=True):
        i = other.place
        if i in settled or (other.cut and _likeliest(chances) != "X") or (i in upon_two and other.enough is None):
            continue
        in_colour = said[coloured[i]] if i in coloured else {"": 1.0}
        if i in coloured and others[coloured[i]].cut and _likeliest(in_colour) != "X":
            in_colour = {"": 1.0}
        before, now = _likeliest(best[i]), _likeliest(chances)
        if other.thinned and now and before and (now != before or other.enough is None):
            # The same pixels seen in two ways: neither is surer than the other.
            best[i] = {t: (best[i].get(t, 0.0) + chances.get(t, 0.0)) / 2 for t in best[i].keys() | chances.keys()}
            continue
        spoken_for = _top(in_colour) >= LEGIBLE and _likeliest(in_colour) == before != now
        if spoken_for and (before == first[i] or other.odd or _top(chances) < _top(in_colour)):
            continue  # ink in the glyphs' own colour confirms the earlier reading
        if now == before and _top(chances) < _top(best[i]):
            continue
        if other.upon_line and _top(chances) >= LEGIBLE:
            settled.add(i)
        if other.rim and _top(chances) >= LEGIBLE:
            upon_two.add(i)
        if _top(chances) > (_top(best[i]) if other.enough is None else other.enough):
            best[i] = chances
            inks[i] = other.ink


def _judged(
    inks: Sequence[Floats],
    cluster: Sequence[int],
    joint: dict[int, dict[str, float]],
    at_home: AbstractSet[int],
    lost: bool,
) -> dict[int, Candidates]:
    """The candidates of each cluster, by the window's own typeface and the numbers of the board. ``at_home``: the
    clusters in places found as cells; ``lost``: whether hardly anything is clear."""
    often = Counter(cluster)
    for number, chances in joint.items():
        # A glyph that occurs in many cells is hardly accidental; outside the cells accidents are frequent.
        less = often[number] if number in at_home else ACCIDENT
        joint[number] = _normalised({token: p if token else p / less for token, p in chances.items()})
    judged = face.compare(inks, cluster, joint if lost else digits.compare(inks, cluster, joint), expected)
    ranked = {number: sorted(chances.items(), key=lambda pair: -pair[1]) for number, chances in judged.items()}
    for number in _hardly(inks, cluster, judged):
        ranked[number] = _in_doubt(ranked[number])
    return {
        number: tuple((token, p) for token, p in options if p >= NEGLIGIBLE) or (options[0],)
        for number, options in ranked.items()
    }


def _hardly(inks: Sequence[Floats], cluster: Sequence[int], judged: Mapping[int, dict[str, float]]) -> Iterator[int]:
    """The clusters whose reading is implausible given the rest of the board: too many starts, and a single number of
    two digits that is no broader than one digit is there."""
    often = Counter(cluster)
    broad: dict[int, float] = {}
    for one, number in zip(inks, cluster, strict=True):
        broad.setdefault(number, one.shape[1] / one.shape[0])
    token = {number: _likeliest(options) for number, options in judged.items()}
    sure = [n for n, options in judged.items() if _top(options) >= LEGIBLE and token[n].isdigit()]
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
    if chance <= LEGIBLE or not rest:
        return ranked
    return [(token, LEGIBLE), *((other, p / rest * (1 - LEGIBLE)) for other, p in others)]


def _glyph_height(image: Image, here: ink.Content, usual: Floats | None, noise: float) -> int:
    """The height of a glyph, in pixels; if a chain's line is connected with it, the height of the part that has the
    glyphs' own colour."""
    if usual is None or not views.touches(here) or not views.more_than_a_glyph(image, here, usual):
        return here.box.height
    glyph = ink.content_in_colour(image, here.place, usual, noise)
    return here.box.height if glyph.bare else glyph.box.height


def hopeless(unclear: int, places: int) -> bool:
    """Whether so many of some places are unclear that they do not form a board."""
    return unclear > max(MOST_UNCLEAR, UNCLEAR * places)


def _clear_otherwise(image: Image, unclear: Sequence[ink.Content], noise: float) -> bool:
    """Whether half of a sample of many unclear places is clear within its disc or ring: large boards of such cells
    exist too."""
    sample = unclear[:: -(-len(unclear) // SAMPLE)]
    inks = [[one for *_, one in views.other_inks(image, here, None, noise)] for here in sample]
    said = iter(glyphs.read_numbers([one for some in inks for one in some]))
    clear = sum(max([_top(possible(next(said))) for _ in some], default=0.0) >= LEGIBLE for some in inks)
    return 2 * clear >= len(sample)


def expected(token: str, sure: AbstractSet[str]) -> float:
    """The prior of a token on a board on which the tokens ``sure`` stand: levels usually count from 1 on without
    leaving numbers out."""
    if token == "":
        return ACCIDENT
    if token == "X":
        return START_AGAIN if "X" in sure else START_FIRST
    numbers = {int(one) for one in sure if one != "X"}
    highest = max(numbers, default=0)
    if not highest:
        return float(np.exp(-LARGE * min(int(token) - 1, 5)))
    if token in sure:
        return 1.0
    dense = (len(numbers) - 1) / (highest - 1) if highest > 1 else DENSE
    # A single number says little about gaps: yet a 7 above a 2 is less likely than a 1 below it.
    dense = max(dense, (len(numbers) - 1 + DENSE) / highest)
    above = int(token) - highest
    return float(np.exp(MISSING * dense if above < 0 else -BEYOND * dense * min(above, 5)))


def possible(options: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Only tokens that a cell can hold: no zero, and no number of three digits."""
    kept = {token: p for token, p in options if len(token) < 3 and not token.startswith("0")}
    return _normalised(kept) if sum(kept.values()) > 0.01 else {"": 1.0}


def _normalised(chances: dict[str, float]) -> dict[str, float]:
    total = sum(chances.values())
    return {token: p / total for token, p in chances.items()}


def _weighed(chances: Sequence[dict[str, float]], full: Sequence[bool]) -> list[dict[str, float]]:
    """The same candidates, weighted by how many numbers of one and of two digits the board surely has: a digit with a
    pointer beside it must not become the only number of two digits. ``full``: the glyphs that are as high as glyphs are
    here."""
    distinct = {(id(options), high): options for options, high in zip(chances, full, strict=True)}
    for key, options in distinct.items():  # equal glyphs share theirs
        if key[1]:
            distinct[key] = _normalised({token: p * (1.0 if token else NO_GLYPH) for token, p in options.items()})
    often = Counter((id(options), high) for options, high in zip(chances, full, strict=True))
    count = {1: 0.5, 2: 0.5}
    for key, options in distinct.items():
        token = _likeliest(options)
        if _top(options) > LEGIBLE and token not in ("", "X"):
            count[len(token)] += often[key]
    most = max(count.values())
    weighed = {
        key: _normalised(
            {token: p * (1.0 if token in ("", "X") else count[len(token)] / most) for token, p in options.items()}
        )
        for key, options in distinct.items()
    }
    return [weighed[id(options), high] for options, high in zip(chances, full, strict=True)]


def _likeliest(options: Mapping[str, float]) -> str:
    return max(options, key=lambda token: options[token])


def _top(options: dict[str, float]) -> float:
    """The probability of the likeliest number or X."""
    return max((p for token, p in options.items() if token), default=0.0)


def clarity(candidates: Sequence[tuple[str, float]]) -> float:
    """As :func:`probability`, for the question whether something is a number at all: a 1 with a flag and no foot is the
    7 of many other typefaces, and no less clear for that."""
    chances = dict(candidates)
    both = chances.get("1", 0.0) + chances.get("7", 0.0)
    return max(probability(candidates), both if candidates[0][0] in ("1", "7") else 0.0)


def probability(candidates: Sequence[tuple[str, float]]) -> float:
    """The probability of the best number or X; 0 if "nothing legible" is likelier."""
    token, probability = candidates[0]
    return probability if token else 0.0
