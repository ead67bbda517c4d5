"""Classifies the glyphs of the cells of Cross Set: equal glyphs are classified once for all cells, touching digits are
separated, and the rule that no number stands twice in a cell is used as evidence."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, LEGIBLE, Eyes, Glyph, possible
from autoplayer.games.cross_set.seeing.glyphs.numbers import are_too_many
from autoplayer.games.cross_set.seeing.glyphs.own_face import OWN
from autoplayer.games.cross_set.seeing.glyphs.signs import above_signs
from autoplayer.games.cross_set.seeing.one_cell.assembly import (
    UNEQUAL,
    sizes_of,
)
from autoplayer.vision import alike, glyphs, templates
from autoplayer.vision.pieces import Piece

HARDLY = 0.08
"""The probability that a piece of exactly the digits' height in a cell is none, once the board is known."""

GONE = 0.05
"""The probability that something that looked like a digit, and is as high as one, is none, whatever else speaks against
it."""

IN_LINE = 0.01
"""That probability if it stands in line with a digit of its height."""

LIKE_A_DIGIT = 0.3
"""If it is less likely than this a digit by itself, its height alone does not make it one."""

SPOKESMEN = 3
"""How many of a cluster of equal glyphs the network classifies: more say nothing new and cost time."""

LOWEST = 0.42
"""A comma, a full stop or a speck is smaller than this share of the lowest digit; half a 1 of segments is larger."""

FEW = 0.04
"""If low pieces form more clusters than this share of all pieces, they are not signs between numbers."""

BETWEEN = 0.6
"""The least share of the cells with several numbers in which there is one sign between any two, if there are signs."""

FOOT = 0.9
"""The share of small pieces that stand at the foot of the numbers beside them, if they are commas or full stops."""

CONCEIVABLE = 0.02
"""A glyph that is a number with this probability may be it."""

KNOWN = 0.995
"""The probability of a token whose template of the layout matches the glyph."""

SIGNS = 3
"""If at least one glyph in so many matches a picture of the layout, all are of the kind that it has pictures of."""


def shown(seen: Mapping[Cell, Sequence[Glyph]], size: int) -> float:
    """The share of the numbers of each row and column that some glyph there may be, averaged, 0 to 1: 1 on a board."""
    lines: dict[tuple[str, int], set[str]] = defaultdict(set)
    for (r, c), row in seen.items():
        tokens = {token for g in row for token, p in g.chances.items() if token and p > CONCEIVABLE}
        lines["row", r] |= tokens
        lines["column", c] |= tokens
    return float(np.mean([len(tokens) / size for tokens in lines.values()]))


def bare(seen: Mapping[Cell, Sequence[Glyph]]) -> float:
    """The share of empty cells."""
    return sum(not row for row in seen.values()) / len(seen)


def numbers_in(row: Sequence[Glyph]) -> list[str]:
    return sorted(g.token for g in row if g.chance > LEGIBLE)


def never_silent(
    now: Mapping[Cell, Sequence[Glyph]], first: Mapping[Cell, Sequence[Glyph]], size: int
) -> dict[Cell, list[Glyph]]:
    """What is as high as numbers is hardly none. What looked like a number at ``first`` may be misread, but does not
    vanish: it is one of those that do not stand beside it."""
    looked = {id(g.piece): g.chances for row in first.values() for g in row}
    heights = np.array([height for height, _ in sizes_of(first)], float)
    result = {}
    for cell, row in now.items():
        result[cell] = list(row)
        for i, g in enumerate(row):
            before = looked.get(id(g.piece), {})
            if not len(heights) or np.abs(heights - g.height).min() > UNEQUAL * g.height + g.piece.scale:
                continue
            junk = g.chances.get(JUNK, 0.0)
            if junk < 0.5:
                rest = 1 - HARDLY * junk
                chances = {t: p * rest / (1 - junk) if t else HARDLY * junk for t, p in g.chances.items()}
                result[cell][i] = replace(g, chances=chances)
                continue
            if before.get(JUNK, 1.0) > 0.5:
                continue
            taken = {o.token for o in row if o is not g and o.chance > LEGIBLE}
            free = {t: before.get(t, 0.0) + 0.02 for t in map(str, range(1, size + 1)) if t not in taken}
            if free:
                chances = {t: (1 - GONE) * p / sum(free.values()) for t, p in free.items()} | {JUNK: GONE}
                result[cell][i] = replace(
                    g, chances=chances, cluster=-1_000_000 - len(looked) - id(g.piece) % 1_000_000
                )
    return result


def classified(parts: Mapping[Cell, Sequence[Piece]], eyes: Eyes) -> dict[Cell, list[Glyph]]:
    """Every piece with its chances; signs between numbers and specks are left out, touching digits are separated."""
    seen = judged(parts, eyes)
    lowest = LOWEST * lowest_digit(seen)
    low = [g for row in seen.values() for g in row if g.piece.extent < lowest]
    # Signs and specks look alike or are few; what is low and various may be digits that are not yet seen rightly.
    various = len({g.cluster for g in low}) > max(3, FEW * sum(map(len, seen.values())))
    if various and not _at_the_foot(seen, lowest, eyes.size):
        lowest = 0.0
    lowest = max(lowest, above_signs(seen))
    kept = {cell: [g for g in row if g.piece.extent >= lowest] for cell, row in seen.items()}
    parted = _parted(kept)
    if parted:
        merged = {
            cell: [part for g in row for part in parted.get(id(g.piece), [g.piece])] for cell, row in kept.items()
        }
        again = judged(merged, eyes)
        kept = {cell: again[cell] if any(id(g.piece) in parted for g in row) else row for cell, row in kept.items()}
        kept = _renumbered(kept, again)
    return kept


def _at_the_foot(seen: Mapping[Cell, Sequence[Glyph]], lowest: float, size: int) -> bool:
    """Whether low pieces are commas or full stops, however blurred: they stand at the foot of numbers that are clearly
    legible without them."""
    rest = {cell: [g for g in row if g.piece.extent >= lowest] for cell, row in seen.items()}
    counts = [(len(row) - len(rest[cell]), len(rest[cell])) for cell, row in seen.items() if len(rest[cell]) > 1]
    if not counts:
        return False  # beside single numbers nothing stands between two
    # One between any two numbers, or fewer if numbers are more legible without them.
    between = float(np.mean([low == numbers - 1 for low, numbers in counts])) >= BETWEEN
    if quality_of(rest, size) < (LEGIBLE if between else OWN):
        return False
    at_foot = []
    for cell, row in seen.items():
        for g in row:
            if g.piece.extent < lowest and rest[cell]:
                middle = g.piece.box.x + g.piece.box.width / 2
                near = min(rest[cell], key=lambda o: abs(o.piece.box.x + o.piece.box.width / 2 - middle)).piece
                # Below it, instead of at its foot, stands a further line of numbers.
                at_foot.append(near.box.y + 0.6 * near.box.height < g.piece.box.y < near.bottom)
    return bool(np.mean(at_foot) >= FOOT)


def _renumbered(kept: dict[Cell, list[Glyph]], again: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, list[Glyph]]:
    """The clusters of ``again`` renumbered for all glyphs, so that their numbers are consistent."""
    return {cell: list(again[cell]) for cell in kept}


def judged(parts: Mapping[Cell, Sequence[Piece]], eyes: Eyes, spokesmen: int = SPOKESMEN) -> dict[Cell, list[Glyph]]:
    """Every piece with its chances. ``spokesmen``: how many of a cluster of equal ones the network classifies."""
    flat = [(cell, piece) for cell, row in parts.items() for piece in row]
    inks = [piece.ink for _, piece in flat]
    cluster = alike.clusters(inks)
    count: Counter[int] = Counter()
    chosen = []
    for i, number in enumerate(cluster):
        if count[number] < spokesmen:
            chosen.append(i)
        count[number] += 1
    said = glyphs.classify([inks[i] for i in chosen])
    heights = np.array([piece.box.height for _, piece in flat], float)
    usual = float(np.median(heights)) if flat else 0.0
    spoken = [possible(row, eyes.size, 0.5 * usual < heights[i]) for i, row in zip(chosen, said, strict=True)]
    told = [templates.match(inks[i], eyes.known) if eyes.known else None for i in chosen]
    # A window may show digits again in place of the signs that the layout has pictures of.
    foreign = eyes.foreign or (SIGNS * sum(token is not None for token in told) >= len(told) > 0 and eyes.are_signs)
    for k, (i, token) in enumerate(zip(chosen, told, strict=True)):
        if token is not None:  # the window's own glyph: nothing knows better
            meant = token if token in eyes.tokens else JUNK
            spoken[k] = {meant: KNOWN, ("1" if meant == JUNK else JUNK): 1 - KNOWN}
        elif foreign:
            spoken[k] = eyes.by_looks(inks[i], of_size=False)
    joint = alike.joint([cluster[i] for i in chosen], spoken)
    first = {number: Glyph(flat[number][1], joint[number], number) for number in joint}
    result: dict[Cell, list[Glyph]] = {cell: [] for cell in parts}
    for (cell, piece), number in zip(flat, cluster, strict=True):
        result[cell].append(first[number].seen_in(piece))
    return result


def lowest_digit(seen: Mapping[Cell, Sequence[Glyph]]) -> float:
    """The height of the lowest digits: of the lowest glyphs among which at least two different ones are clearly
    legible. A comma may look like a 1 or a 9, but all commas look alike."""
    clear = sorted({(g.height, g.token) for row in seen.values() for g in row if g.chance > LEGIBLE})
    for height, _ in clear:
        near = {token for h, token in clear if height <= h <= 1.25 * height + 1}
        if len(near - {"1"}) >= 2:
            return float(height)
    return float(clear[0][0]) if clear else 0.0


def _parted(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[int, list[Piece]]:
    """Glyphs that are two or more digits touching side by side, by the id of their piece, with the digits' pieces."""
    shapes = [(g.height, g.piece.box.width) for row in seen.values() for g in row if g.chance > 0.9]
    least = LOWEST * lowest_digit(seen)  # what is as low as a comma is no digits side by side
    every = [g for row in seen.values() for g in row if g.height >= least]
    doubted = [g for g in every if g.chance < LEGIBLE or g.piece.box.width > 1.2 * g.height]
    if not shapes or not doubted:
        return {}
    tries: list[tuple[Glyph, int, list[Piece]]] = []
    met: set[int] = set()
    for g in doubted:
        near = [w for h, w in shapes if abs(h - g.height) <= 0.15 * g.height + 1]
        usual = float(np.percentile(near, 70)) if near else 0.62 * g.height
        for count in range(2, 9):
            if g.cluster not in met and 0.55 * usual <= g.piece.box.width / count <= 1.35 * usual:
                tries.append((g, count, _sliced(g.piece, count)))
        met.add(g.cluster)
    said = glyphs.classify([part.ink for _, _, parts in tries for part in parts])
    best: dict[int, tuple[float, int]] = {}
    at = 0
    for g, count, parts in tries:
        rows = said[at : at + len(parts)]
        at += len(parts)
        worth = float(np.mean(rows[:, :10].max(axis=1))) if len(parts) else 0.0
        if worth > max(best.get(g.cluster, (0.0, 0))[0], LEGIBLE, g.chance):
            best[g.cluster] = worth, count
    result = {}
    for g in doubted:
        if g.cluster in best and (parts := _sliced(g.piece, best[g.cluster][1])):
            result[id(g.piece)] = parts
    return result


def _sliced(piece: Piece, count: int) -> list[Piece]:
    """A piece cut into ``count`` parts side by side, at the columns with least ink near equal divisions."""
    profile = piece.ink.sum(axis=0)
    width = piece.box.width
    step = width / count
    cuts = [0]
    for k in range(1, count):
        low, high = round((k - 0.3) * step), round((k + 0.3) * step) + 1
        low, high = max(low, cuts[-1] + 1), min(high, width - 1)
        if low >= high:
            return []
        cuts.append(low + int(np.argmin(profile[low:high])))
    cuts.append(width)
    result = []
    for a, b in itertools.pairwise(cuts):
        part = piece.ink[:, a:b]
        ys, xs = np.nonzero(part > 0.3)
        if not len(xs):
            return []
        x0, x1, y0, y1 = int(xs.min()), int(xs.max()) + 1, int(ys.min()), int(ys.max()) + 1
        box = Box(piece.box.x + a + x0, piece.box.y + y0, x1 - x0, y1 - y0)
        result.append(replace(piece, box=box, ink=np.ascontiguousarray(part[y0:y1, x0:x1])))
    return result


def quality_of(seen: Mapping[Cell, Sequence[Glyph]], size: int) -> float:
    """How well glyphs explain the cells: the mean over cells of their chances, weighted by height; reduced if a number
    would stand twice, if there are more glyphs than numbers, or none."""
    worths = []
    for row in seen.values():
        if not row:
            worths.append(0.0)
            continue
        weights = [g.height for g in row]
        worth = sum(g.chance * w for g, w in zip(row, weights, strict=True)) / sum(weights)
        tokens = [g.token for g in row if g.chance > LEGIBLE]
        if are_too_many(tokens, size):
            worth *= 0.5
        worths.append(worth)
    return float(np.mean(worths)) if worths else 0.0


def exclusive(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, list[Glyph]]:
    """The chances weighted by the rule that no number stands twice in a cell. Clusters that share a cell exclude each
    other's numbers; a cluster that stands twice in a cell is split."""
    cells = _of_known_height(seen)
    fresh = -1
    twice = {number for row in cells.values() for number, count in Counter(g.cluster for g in row).items() if count > 1}
    for row in cells.values():
        for i, g in enumerate(row):
            if g.cluster in twice:
                row[i] = replace(g, cluster=fresh)
                fresh -= 1
    base = {g.cluster: g.chances for row in cells.values() for g in row}
    beside: dict[int, set[int]] = defaultdict(set)
    for row in cells.values():
        for g in row:
            beside[g.cluster] |= {other.cluster for other in row if other is not g}
    now = dict(base)
    for _ in range(6):
        after = {}
        for number, chances in base.items():
            weighed = {
                token: p
                * (np.prod([1 - 0.98 * now[other].get(token, 0.0) for other in beside[number]]) if token else 1)
                for token, p in chances.items()
            }
            total = float(sum(weighed.values()))
            after[number] = {token: float(p) / total for token, p in weighed.items()} if total > 1e-9 else chances
        now = after
    return {cell: [replace(g, chances=now[g.cluster]) for g in row] for cell, row in cells.items()}


def _of_known_height(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, list[Glyph]]:
    """Once the board is known: a glyph as high as clearly legible ones is hardly anything but a number; even less so if
    it stands in line with one, and if the same stands in several cells."""
    clear = np.array([g.height for row in seen.values() for g in row if g.chance > 0.9], float)
    often = Counter(number for row in seen.values() for number in {g.cluster for g in row})
    factors: dict[int, list[float]] = defaultdict(list)
    for row in seen.values():
        for g in row:
            near = np.count_nonzero(np.abs(clear - g.height) <= 0.12 * g.height + 1)
            factor = 1.0
            if near >= max(3, 0.05 * len(clear)) and not g.piece.cut and g.piece.box.width < 1.2 * g.height:
                if any(o.chance > 0.9 and _in_line(g, o) for o in row if o is not g):
                    factor = IN_LINE
                elif g.chance > LIKE_A_DIGIT:
                    factor = HARDLY
            factors[g.cluster].append(factor)
    weight = {number: float(np.median(found)) for number, found in factors.items()}
    weight = {number: w / often[number] if w < 1 else w for number, w in weight.items()}
    result: dict[Cell, list[Glyph]] = {}
    for cell, row in seen.items():
        result[cell] = []
        for g in row:
            chances = {token: p * (1.0 if token else weight[g.cluster]) for token, p in g.chances.items()}
            total = sum(chances.values())
            result[cell].append(replace(g, chances={token: p / total for token, p in chances.items()}))
    return result


def _in_line(one: Glyph, other: Glyph) -> bool:
    """Whether two glyphs are of one height and stand side by side."""
    slack = 0.12 * other.height + one.piece.scale
    return abs(one.height - other.height) <= slack and abs(one.piece.box.y - other.piece.box.y) <= slack


def chosen(row: Iterable[Glyph]) -> list[tuple[Glyph, str]]:
    """The likeliest assignment of different numbers to a cell's glyphs; what is certainly no number is left out."""
    left = [g for g in row if g.token]
    best: tuple[float, tuple[str, ...]] = (-1.0, ())
    if not left:
        return []
    taken = [
        g.token if g.token != "0" else max((t for t in g.chances if t and t != "0"), key=lambda t: g.chances[t])
        for g in left
    ]
    if len(set(taken)) == len(taken):
        return list(zip(left, taken, strict=True))
    options = [
        sorted((t for t in g.chances if t and t != "0"), key=lambda t: -g.chances[t])[: max(3, len(left))] for g in left
    ]

    def search(i: int, worth: float, tokens: tuple[str, ...]) -> None:
        nonlocal best
        if worth <= best[0]:
            return
        if i == len(left):
            best = worth, tokens
            return
        for token in options[i]:
            if token not in tokens:
                search(i + 1, worth * max(left[i].chances[token], 1e-6), (*tokens, token))

    search(0, 1.0, ())
    return (
        list(zip(left, best[1], strict=True))
        if best[1]
        else [(g, t) for i, (g, t) in enumerate(zip(left, taken, strict=True)) if t not in taken[:i]]
    )
