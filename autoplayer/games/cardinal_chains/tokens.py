"""What the ink of each cell says: the tokens it may be, with their probabilities. Equal glyphs are judged once for all
their cells; what is not clear is looked at in other ways. Knows no lattice and no rules of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cardinal_chains import digits
from autoplayer.vision import alike, face, glyphs, ink, rims, templates
from autoplayer.vision.templates import Template

Candidates = tuple[tuple[str, float], ...]
"""What a place may hold, ``(token, probability)``, the likeliest first; the token "" for nothing that can be read."""

UNKNOWN = "?"
"""The token of a symbol that nobody knows."""

KNOWN = 0.995
"""How probable a token is whose template of the layout looks like the glyph."""

FEW = 8
"""On a board of fewer marks a symbol may stand only once."""

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""

LEGIBLE = 0.9
"""A glyph less probable than this is looked at in other ways before it becomes a doubt."""

NO_GLYPH = 0.25
"""How likely ink of the glyphs' own height is to be no glyph, against what the network says of ink of any size."""

SPOKESMEN = 2
"""How many of a cluster of equal glyphs the network looks at: more say nothing new and cost time."""

MOST_UNCLEAR, UNCLEAR, SAMPLE = 40, 0.5, 8
"""Where more places than this, and this share of them, are not clear, it is a text or a table of words, or all glyphs
stand in discs, as so many of them show: those of a text are not looked at in other ways, which takes seconds."""

INSTEAD = 0.7
"""A glyph this probable in the board's own ink colour counts more than ink of another colour, however sure; and one
this probable upon two grounds more than one together with the rim between them."""

ACCIDENT = 0.1
"""How likely what stands in a place is no number and no start, against what the network says and against a number that
no other cell shows. This and the next four were fitted together with the constants of ``face``."""

START_FIRST, START_AGAIN = 1.6, 6.0
"""The same for a start, where no other is sure, and where one is: starts have colours of their own, so that equal ones
are seldom found equal."""

MISSING, BEYOND = 2.2, 1.9
"""Where all numbers from 1 up to the highest sure one stand on the board, one that is missing among them is e^2.2 times
as likely as any other, and each step beyond the highest makes a number e^1.9 times less likely."""

DENSE = 0.5
"""How completely the numbers up to the highest stand on a board that is known to have a 1 only."""

LARGE = 0.5
"""Where no number is sure, each step above 1 makes a number e^0.5 times less likely: levels begin with 1."""

MANY_STARTS, SURE_STARTS = 0.25, 0.99
"""Equal starts that are more than this share of the marks are in doubt where they are less probable than this: what
stands so often is rather a number, most of all a 1 of a strange typeface."""

BROADER = 1.15
"""The only number of two digits on a board is broader than its broadest number of one digit by this factor at least, at
the same height; else it may be one digit of a strange typeface."""

OTHER_COLOUR = 40
"""Grey levels in a channel: ink that differs by more is another colour, not the same one in another light."""


FULL = 0.65
"""A glyph in the usual colour has pixels at least this near to it; a fainter ink of another colour has none."""

LOW = 0.78
"""What has the glyphs' own colour is a part of a number where it is lower than the lowest clear one, and than this
share of their usual height."""

DRAWN, THINNER, MOST_LOST = 0.3, 0.08, 0.25
"""A pixel with more ink than this belongs to a glyph; and where only one colour is looked at, what loses no more than
this share of its height on any side, and less than this share of its pixels, is the same glyph with thinner strokes."""

TRACE, FOREIGN = 0.1, 0.1
"""A pixel with more ink than this is drawn on; and where this part of those has another colour than the mixtures of the
glyphs' and the ground's, something else than a glyph is drawn as well."""


@dataclass(frozen=True)
class Glyph:
    """What stands in a place. ``cluster``: the same number for all places whose glyphs look alike."""

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
    """How glyphs are seen. ``known``: the layout's own pictures of them, which nothing knows better. ``asking``:
    whether a person can be asked, so that a symbol that nobody knows, but that stands in several places or in a cell
    that was found as one, is a glyph as well, with the token ``UNKNOWN``."""

    known: tuple[Template, ...] = ()
    asking: bool = False

    def legible(self, inks: Sequence[Floats]) -> int:
        """How many of some inks are numbers, starts, or anything that may be one."""
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
        places that were found as equal to one another; what stands beside them may be no part of the board."""
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
    """Whether at least half of the window's numbers are symbols, of which the network knows none: what it takes for a
    number there is a symbol that has not been named yet."""
    numbers = {token: cell for cell, token in told.items() if token and token != "X"}
    said = glyphs.read_numbers([contents[cell].ink for cell in numbers.values()])
    strange = sum(dict(options).get(token, 0.0) < NEVER for token, options in zip(numbers, said, strict=True))
    others = {glyph.cluster for cell, glyph in seen.items() if cell not in told and glyph.chance >= LEGIBLE}
    return strange >= FEW_SYMBOLS and 2 * strange >= len(numbers) + len(others)


def _of_strokes(contents: Mapping[Cell, ink.Content], seen: Mapping[Cell, Glyph], told: Mapping[Cell, str]) -> bool:
    """Whether all that the network takes for numbers are ones, some of them several in a row: Roman numerals and tally
    marks look like that, and then others of them are taken for starts and holes. A board of digits that has an 11 has
    a number below it that is no 1 as well."""
    numbers = {glyph.candidates[0][0] for cell, glyph in seen.items() if cell not in told and glyph.chance > LIKELY}
    numbers -= {"X"}
    if max(map(len, numbers), default=0) < 2 or {*"".join(numbers)} != {"1"}:
        return False
    named = {token: cell for cell, token in told.items() if token and token != "X"}
    said = glyphs.read_numbers([contents[cell].ink for cell in named.values()])
    digits = [dict(options).get(token, 0.0) > LIKELY for token, options in zip(named, said, strict=True)]
    return not any(digit and token != "1" for token, digit in zip(named, digits, strict=True))


LIKELY = 0.5
"""What is more probable than this is what a glyph is taken for."""

NEVER, FEW_SYMBOLS = 0.1, 3
"""How improbable the number is to the network that a symbol stands for; and how many such symbols make a window one of
symbols, and not one of digits of which some are drawn in an odd way."""


def _with_symbols(
    contents: Mapping[Cell, ink.Content],
    seen: Mapping[Cell, Glyph],
    told: Mapping[Cell, str],
    own: AbstractSet[Cell],
    symbols: bool,
) -> dict[Cell, Glyph]:
    """The same, with ``UNKNOWN`` for what is not read for sure, but stands in one of the board's ``own`` places, or in
    several and is as high as most. A board of symbols has no numbers: where half of the glyphs are strange, one that
    looks like a number is strange too; and so it is where the window is known to be one of ``symbols``."""
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
    # A few of each cluster speak for all of it.
    chosen = [i for i, number in enumerate(cluster) if cluster[:i].count(number) < SPOKESMEN]
    spoken = [possible(options) for options in glyphs.read_numbers([inks[i] for i in chosen])]
    joint = alike.joint([cluster[i] for i in chosen], spoken)
    best = [joint[number] for number in cluster]
    top = {number: _top(options) for number, options in joint.items()}
    tops = [top[number] for number in cluster]
    clear = [contents[cell].colour for cell, chance in zip(cells, tops, strict=True) if chance >= LEGIBLE]
    usual = usual_colour(clear) if clear else None
    others: list[tuple[int, float | None, bool, Floats]] = []  # place, what is enough to count, whether cut, ink
    thinned: set[int] = set()  # which of them are the place's own ink without its paler pixels
    lines: set[int] = set()  # which of them have the line taken away upon which a glyph stands
    settled: set[int] = set()  # places whose glyph was clear then: what else may be seen there is a part of it
    rim: set[int] = set()  # which of them are seen upon two grounds
    upon_two: set[int] = set()  # places whose glyph was clear there: a disc or a ring around it is the rim's
    said_first = {number: _likeliest(options) for number, options in joint.items()}
    first = [said_first[number] for number in cluster]
    odd: set[int] = set()  # which of them have another colour than the glyphs
    coloured: dict[int, int] = {}  # which of them shows what has the glyphs' own colour, by its place
    heights = np.array([_glyph_height(image, contents[cell], usual, noise) for cell in cells])
    numbers = np.array([p >= LEGIBLE and token != "X" for p, token in zip(tops, first, strict=True)], np.bool_)
    alone = numbers & [not contents[cell].uneven for cell in cells]  # a line would count as a part of its glyph
    tall = heights[alone if alone.any() else numbers]
    lowest = min(LOW * float(np.median(tall)), float(tall.min())) if len(tall) else 0.0
    unclear = [cell for cell, chance in zip(cells, tops, strict=True) if chance < LEGIBLE]
    lost = hopeless(len(unclear), len(cells)) and not _clear_otherwise(image, [contents[c] for c in unclear], noise)
    disc = usual_disc([contents[cell] for cell in unclear]) if len(unclear) >= FEW and not lost else None
    for i, cell in enumerate([] if lost else cells):
        here, chance = contents[cell], tops[i]
        if disc is not None and (chance < LEGIBLE or touches(here)):
            # A line that runs into a disc makes one piece of both; the glyph is where it is in the others.
            (x, y), side = here.place.centre, disc[2]
            within = ink.content(image, Box(round(x + disc[0] - side / 2), round(y + disc[1] - side / 2), side, side))
            if not within.bare:
                others.append((i, INSTEAD, False, within.ink))
        beside_a_rim = rims.content(image, here.place, noise) if here.uneven else None
        strange = usual is not None and (
            min(_unlike(here.colour, usual), _unlike(here.ground, usual)) > OTHER_COLOUR
            or (touches(here) and more_than_a_glyph(image, here, usual))
        )
        if usual is not None and (strange or beside_a_rim is not None):
            # A chain's line may look like a 1; what stands there in the glyphs' own colour counts for more.
            glyph = ink.content_in_colour(image, here.place, usual, noise)
            faint = glyph.bare or glyph.contrast <= FULL * float(np.abs(usual - here.ground).max())
            if not faint:
                coloured[i] = len(others)
                if _is_the_same(here, glyph):
                    thinned.add(len(others))
                others.append((i, INSTEAD if strange else 1.0, glyph.box.height <= lowest, glyph.ink))
        if beside_a_rim is not None:
            if beside_a_rim.bare:
                best[i] = {"": 1.0}
                continue
            if usual is not None and _unlike(beside_a_rim.colour, usual) > OTHER_COLOUR:
                odd.add(len(others))
            rim.add(len(others))
            others.append((i, INSTEAD, False, beside_a_rim.ink))
        upon_a_line = rims.upon_a_line(image, here.place, noise) if here.uneven else None
        if upon_a_line is not None and not upon_a_line.bare:
            lines.add(len(others))
            if usual is not None and _unlike(upon_a_line.colour, usual) > OTHER_COLOUR:
                odd.add(len(others))
            # A line that goes through its cell may look like a sure 1.
            enough = INSTEAD if chance < LEGIBLE or (_likeliest(best[i]) == "1" and touches(here)) else None
            others.append((i, enough, False, upon_a_line.ink))
        if chance < LEGIBLE:
            # Of a glyph in one colour the part in the others' very colour is no more than its thick strokes.
            plain = usual is not None and chance > INSTEAD and not more_than_a_glyph(image, here, usual)
            for seen_through, same, other in other_inks(image, here, None if plain else usual, noise, lowest):
                if same:
                    thinned.add(len(others))
                others.append((i, None, seen_through, other))
    said = glyphs.read_numbers([one for *_, one in others])
    for k, ((i, enough, cut, other), options) in enumerate(zip(others, said, strict=True)):
        chances = possible(options)
        if i in settled or (cut and _likeliest(chances) != "X") or (i in upon_two and enough is None):
            continue
        in_colour = possible(said[coloured[i]]) if i in coloured else {"": 1.0}
        if i in coloured and others[coloured[i]][2] and _likeliest(in_colour) != "X":
            in_colour = {"": 1.0}
        before, now = _likeliest(best[i]), _likeliest(chances)
        if k in thinned and now and before and (now != before or enough is None):
            # The same pixels seen in two ways: neither is surer than the other.
            best[i] = {t: (best[i].get(t, 0.0) + chances.get(t, 0.0)) / 2 for t in best[i].keys() | chances.keys()}
            continue
        spoken_for = _top(in_colour) >= LEGIBLE and _likeliest(in_colour) == before != now
        if spoken_for and (before == first[i] or k in odd or _top(chances) < _top(in_colour)):
            continue  # what has the glyphs' own colour speaks for what was seen before
        if now == before and _top(chances) < _top(best[i]):
            continue
        if k in lines and _top(chances) >= LEGIBLE:
            settled.add(i)
        if k in rim and _top(chances) >= LEGIBLE:
            upon_two.add(i)
        if _top(chances) > (_top(best[i]) if enough is None else enough):
            best[i] = chances
            inks[i] = other
    if others:
        cluster = alike.clusters(inks)
    usual_height = float(np.median(heights))
    full = (0.7 * usual_height <= heights) & (heights <= 1.4 * usual_height)
    joint = alike.joint(cluster, _weighed(best, full.tolist()))
    often = Counter(cluster)
    at_home = {number for cell, number in zip(cells, cluster, strict=True) if cell in own}
    for number, chances in joint.items():
        # What stands in many cells in the same way is hardly there by accident; beside them much is.
        less = often[number] if number in at_home else ACCIDENT
        joint[number] = _normalised({token: p if token else p / less for token, p in chances.items()})
    judged = face.compare(inks, cluster, joint if lost else digits.compare(inks, cluster, joint), expected)
    ranked = {number: sorted(chances.items(), key=lambda pair: -pair[1]) for number, chances in judged.items()}
    for number in _hardly(inks, cluster, judged):
        ranked[number] = _in_doubt(ranked[number])
    worth = {
        number: tuple((token, p) for token, p in options if p >= NEGLIGIBLE) or (options[0],)
        for number, options in ranked.items()
    }
    return {cell: Glyph(worth[number], number) for cell, number in zip(cells, cluster, strict=True)}


def _hardly(inks: Sequence[Floats], cluster: Sequence[int], judged: Mapping[int, dict[str, float]]) -> Iterator[int]:
    """The clusters that are hardly what they look like, by what else stands on the board: starts that are too many, and
    the only number of two digits where it is no broader than one digit is there."""
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
    """How high a glyph is, in pixels: of what a chain's line makes one piece with it, that of its own colour."""
    if usual is None or not touches(here) or not more_than_a_glyph(image, here, usual):
        return here.box.height
    glyph = ink.content_in_colour(image, here.place, usual, noise)
    return here.box.height if glyph.bare else glyph.box.height


def usual_colour(colours: Sequence[Floats]) -> Floats:
    """The colour of most glyphs, one that a glyph has: between dark and light ones, where chains are drawn, lies a grey
    that is no glyph's."""
    stacked = np.stack(colours)
    away = np.abs(stacked - np.median(stacked, axis=0)).max(axis=1)
    return np.asarray(stacked[int(away.argmin())])


def _unlike(one: Floats, other: Floats) -> float:
    return float(np.abs(one - other).max())


def hopeless(unclear: int, places: int) -> bool:
    """Whether so many of some places are not clear that they are no board's."""
    return unclear > max(MOST_UNCLEAR, UNCLEAR * places)


def _clear_otherwise(image: Image, unclear: Sequence[ink.Content], noise: float) -> bool:
    """Whether half of a sample of many unclear places is clear within its disc or ring: such boards are large too."""
    sample = unclear[:: -(-len(unclear) // SAMPLE)]
    inks = [[one for *_, one in other_inks(image, here, None, noise)] for here in sample]
    said = iter(glyphs.read_numbers([one for some in inks for one in some]))
    clear = sum(max([_top(possible(next(said))) for _ in some], default=0.0) >= LEGIBLE for some in inks)
    return 2 * clear >= len(sample)


def more_than_a_glyph(image: Image, here: ink.Content, usual: Floats) -> bool:
    """Whether some of a place's ink has a colour that is no mixture of its ground and the glyphs' usual colour, or most
    of it one that is far from that."""
    h, w = here.ink.shape
    patch = cv2.resize(here.box.crop(image), (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    drawn = patch[here.ink > TRACE] - here.ground
    way = usual - here.ground
    share = np.clip(drawn @ way / max(float(way @ way), 1.0), 0, 1)
    beside = np.abs(drawn - share[:, None] * way).max(axis=1, initial=0)
    return bool((beside > OTHER_COLOUR).sum() > FOREIGN * len(drawn) or 2 * (share < FULL).sum() > len(drawn))


def expected(token: str, sure: AbstractSet[str]) -> float:
    """How likely a token is on a board on which ``sure`` stand, whatever it looks like: levels count from 1 on without
    leaving numbers out, as a rule."""
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
    above = int(token) - highest
    return float(np.exp(MISSING * dense if above < 0 else -BEYOND * dense * min(above, 5)))


def possible(options: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Only what can stand in a cell: no zero, no number of three digits, whatever the ink looks like."""
    kept = {token: p for token, p in options if len(token) < 3 and not token.startswith("0")}
    return _normalised(kept) if sum(kept.values()) > 0.01 else {"": 1.0}


def _normalised(chances: dict[str, float]) -> dict[str, float]:
    total = sum(chances.values())
    return {token: p / total for token, p in chances.items()}


def _weighed(chances: Sequence[dict[str, float]], full: Sequence[bool]) -> list[dict[str, float]]:
    """The same, weighed by how many numbers of one and of two digits the board is sure to have: a pointer beside a
    digit does not make the only number of two digits. ``full``: which are as high as glyphs are here."""
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


def _is_the_same(here: ink.Content, in_colour: ink.Content) -> bool:
    """Whether what has one colour of a place's ink is all of it but its paler pixels: nothing foreign drops out, which
    would have reached beyond the glyph."""
    scale = here.box.height / here.ink.shape[0]
    h, w = here.ink.shape
    left, top = (round((a - b) / scale) for a, b in ((in_colour.box.x, here.box.x), (in_colour.box.y, here.box.y)))
    right, bottom = w - left - in_colour.ink.shape[1], h - top - in_colour.ink.shape[0]
    if min(left, top, right, bottom) < 0 or max(left, top, right, bottom) > max(THINNER * h, 1):
        return False
    part: Floats = np.zeros((h, w), np.float32)
    part[top : h - bottom, left : w - right] = in_colour.ink
    near = cv2.dilate(np.asarray(part > DRAWN, np.uint8), np.ones((3, 3), np.uint8)) > 0
    drawn = here.ink > DRAWN
    return bool((drawn & ~near).sum() < MOST_LOST * drawn.sum())


def other_inks(
    image: Image, here: ink.Content, usual: Floats | None, noise: float, lowest: float = 0.0
) -> Iterator[tuple[bool, bool, Floats]]:
    """Other ways to see the ink of a place whose glyph is not clear: what stands inside its disc; what its ring
    encloses; what has the colour of the other glyphs (so that a pointer, a line or a veil drops out). Each with whether
    it was cut through: in a start's ring the arms of an X may be, but of a 3 there would be left a 4; and whether
    nothing but paler pixels dropped out. What has the glyphs' colour, but is no higher than ``lowest`` pixels, was cut,
    or is the lower X of a start."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(here.ink > 0.3, np.uint8), connectivity=8)
    h, w = here.ink.shape
    for i in sorted(range(1, count), key=lambda i: -stats[i, 4])[:2]:
        middle = _inside_a_disc(here, stats[i, :4].tolist())
        if middle is not None:
            within = ink.content(image, middle, noise)
            if not within.bare:
                yield touches(within), False, within.ink
            inner = _inside_a_ring(here.ink, stats[i, :4].tolist())
            if inner is not None:
                yield True, False, inner
    rings = [i for i in range(1, count) if stats[i, 2] > 0.95 * w and stats[i, 3] > 0.95 * h]
    if count > 2 and len(rings) == 1:
        rest = np.where(
            cv2.dilate(np.asarray(labels == rings[0], np.uint8), np.ones((3, 3), np.uint8)) > 0, 0, here.ink
        )
        ys, xs = np.nonzero(rest > 0.3)
        if len(ys):
            yield False, False, rest[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.float32)
    if usual is None:
        return
    in_colour = ink.content_in_colour(image, here.place, usual, noise)
    if not in_colour.bare:
        yield in_colour.box.height <= lowest, _is_the_same(here, in_colour), in_colour.ink


def _inside_a_disc(here: ink.Content, box: Sequence[int]) -> Box | None:
    """The square inside a piece of ink with the bounding box ``(x, y, width, height)``, where that may be a disc."""
    x, y, w, h = box
    scale = here.box.height / here.ink.shape[0]  # the ink may have been made smaller
    size = min(w, h)
    side = round(size * WITHIN_DISC * scale)
    if max(w, h) >= ROUND * size or side < LEAST_WITHIN:
        return None
    middle = here.box.x + (x + w / 2) * scale, here.box.y + (y + h / 2) * scale
    return Box(round(middle[0] - side / 2), round(middle[1] - side / 2), side, side)


def usual_disc(contents: Sequence[ink.Content]) -> tuple[float, float, int] | None:
    """Where the square inside of discs of one size is, which stand in a quarter of some places at least: how far its
    middle is to the right and below that of its place, and its side, in pixels; None where there are no such discs."""
    found = []
    for here in contents:
        stats = cv2.connectedComponentsWithStats(np.asarray(here.ink > 0.3, np.uint8), connectivity=8)[2]
        largest = stats[1 + int(stats[1:, 4].argmax())] if len(stats) > 1 else None
        filled = largest is not None and largest[4] > DISC * largest[2] * largest[3]
        middle = _inside_a_disc(here, largest[:4].tolist()) if filled and largest is not None else None
        if middle is not None:
            (x, y), (u, v) = middle.centre, here.place.centre
            found.append((x - u, y - v, middle.width))
    if len(found) < FEW:
        return None
    each = np.array(found, np.float32)
    alike = np.abs(each[:, None] - each[None]).max(axis=2) <= np.maximum(SAME_DISC * each[:, 2], 1)
    most = int(alike.sum(axis=0).argmax())  # what a line makes of others may look round as well
    if 4 * alike[:, most].sum() < max(len(contents), 4 * FEW):
        return None
    right, down, side = np.median(each[alike[:, most]], axis=0)
    return float(right), float(down), round(float(side))


def touches(within: ink.Content) -> bool:
    """Whether ink reaches the border of the place that was looked at."""
    box, place = within.box, within.place
    right, bottom = box.x + box.width >= place.x + place.width, box.y + box.height >= place.y + place.height
    return box.x <= place.x or box.y <= place.y or right or bottom


WITHIN_DISC, LEAST_WITHIN, ROUND = 0.68, 6, 1.33
"""The side of a square inside a disc, 1 / sqrt(2) of its diameter and a little less; its pixels, at least; and by what
a disc is longer than broad, at most."""

DISC, SAME_DISC = 0.5, 0.15
"""The part of the square around it that a disc with a number in it fills at least; and the share of the side of the
square inside by which discs of one size differ at most."""

WITHIN_RING = 0.84
"""The part of a ring's outer radius that is inside of it, its soft edge left out."""


def _inside_a_ring(drawn: Floats, box: Sequence[int]) -> Floats | None:
    """What lies in the circle inside a piece of ink with the bounding box ``(x, y, width, height)``, where that piece
    may be a ring that touches the glyph; None where nothing does."""
    x, y, w, h = box
    part = drawn[y : y + h, x : x + w]
    across, down = (np.arange(w) + 0.5) / w - 0.5, (np.arange(h) + 0.5) / h - 0.5
    inside = across[None, :] ** 2 + down[:, None] ** 2 < (WITHIN_RING / 2) ** 2
    ys, xs = np.nonzero((part > 0.3) & inside)
    if not len(ys):
        return None
    cut = slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1)
    return np.asarray(np.where(inside, part, 0)[cut], np.float32)


def probability(candidates: Sequence[tuple[str, float]]) -> float:
    """The probability of the best number or X; 0 where nothing of the kind is likelier than something else."""
    token, probability = candidates[0]
    return probability if token else 0.0
