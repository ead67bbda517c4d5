"""Which chain holds which cell in a picture: what has changed in each cell since the reading, and which chain's colour
the change has. Reads no numbers, and plans nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.playing.between import marked
from autoplayer.games.cardinal_chains.playing.borders import bordered, keep_their_middles
from autoplayer.games.cardinal_chains.playing.presence import has_gone
from autoplayer.games.cardinal_chains.playing.rooms import rooms
from autoplayer.games.cardinal_chains.playing.samples import (
    ONE_COLOUR,
    SIDE,
    Bools,
    Compared,
    compared,
    lab,
)
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution

UNKNOWN = -1
"""The owner of a cell that was drawn by a chain whose start could not be determined."""

FILL_CHANGE = 0.15
"""A fill has changed when it moved by this part of the way from an empty cell's colour to a chain's: chains may be
drawn translucent, and a theme's slow breathing stays well below it."""

INK_CHANGE = 0.3
"""A sample has changed when it moved by this share of the distance from fill to ink: more than antialiasing changes at
an edge when a theme breathes, less than a segment that appears or disappears."""

PALE = 0.15
"""The least distance of a pale line's colour from the mixtures of fill and ink, as a share of the distance from fill to
ink."""

AREA_CHANGE = 0.03
"""A cell's inside has changed when this part of its samples has: a segment of a digit is about 0.04 of the cell."""

KEPT = 0.6
"""The least share of a glyph's samples that still have its colour if nothing covers it."""

TAKEN = 0.3
"""The least share of a glyph that has its chain's colour, if the glyph has taken it: the rest are its soft edges."""

LOST_GLYPH, LEAST_INK = 0.2, 25.0
"""The same for a glyph that disappeared, at most; and the least distance (CIE Lab) of its colour from its fill."""

BLOCK = 0.9
"""The part of a block around selected text that has changed, at least."""

NEAR = 0.35
"""A colour belongs to a chain when it is within this part of the distance between an empty cell and that chain."""

CLEARLY = 0.6
"""The nearest chain's colour wins alone if its distance is below this share of the next one's."""

LEAST_TINT, SAME_HUE, OTHER_HUE = 8.0, 0.94, 0.1
"""The least distance, in CIE Lab's plane of hues, of a tint from an empty cell; the cosine of the angle in that plane
from which two tints have the same hue; and by how much less another chain's cosine must be."""

LINE_PLACE = slice(6, 14)
"""The samples of a side through which a line from centre to centre leaves the cell."""

REACHES_IN, WHOLE_SIDE = 4, 0.8
"""Samples of a cell into which a filled neighbour may extend, along at least this share of a side."""

WALL = 0.65
"""The part of a side from which its colour is a wall's: lines are at most half as wide as a cell."""

FAINTEST = 0.4
"""A start that pulses may appear as faint as this share of its chain's colour; fainter ones are hardly visible."""

FEWEST_CALM = 3
"""From fewer cells that no chain fills it is not told whether the page breathes: the end of a line moves the fill of
its own cell, too."""

OUTLINE = 4
"""How many samples from a cell's sides an outline within it reaches, at most: a fifth of it, where no digit stands."""


@dataclass(frozen=True)
class Drawn:
    """The state of a progress: which chain (its index in ``Puzzle.starts``) holds which cell; starts are left out."""

    owner: Mapping[Cell, int]
    foreign: tuple[Cell, ...] = ()
    """Cells that changed and that no chain explains."""
    picture: Image | None = field(default=None, compare=False)
    """What it was seen in."""


@dataclass(frozen=True, eq=False)
class _Change:
    """What is new in a cell: its colour (None if only the glyph changed), and the chains to which it may belong; empty
    if no chain explains it."""

    colour: Floats | None
    chains: frozenset[int]


def in_cells(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Drawn:
    """Which chain holds which cell in ``image`` (BGR), the window of ``reading`` at a later time."""
    seen = compared(reading, puzzle, image)
    cells = seen.cells
    another = Drawn({}, tuple(cell for cell in cells if cell not in puzzle.starts))
    if has_gone(seen, reading, puzzle, image):
        return another
    colours = _colours(seen, puzzle, {cell: lab(line) for cell, line in reading.extra.get("lines", {}).items()})
    filled = _filled(seen, colours)
    # On a board that is nearly full most fills have moved because chains hold them, not because the page breathes.
    calm = seen.shift[~filled]
    seen = replace(seen, noise=float(np.percentile(calm, 10)) if len(calm) >= FEWEST_CALM else 0.0)
    changes = {
        k: change
        for k in range(len(cells))
        if k not in seen.starts and (change := _changed(seen, k, colours, filled)) is not None
    }
    candidates = {cells[k]: change.chains for k, change in changes.items() if change.chains}
    candidates |= _in_one_colour(seen, changes, colours)
    foreign = [cells[k] for k in changes if cells[k] not in candidates and (filled[k] or not _is_selected(seen, k))]
    changed = {*candidates, *foreign}
    if not changed:
        linked = rooms(reading.places, puzzle, reading.image, image)
        if linked is None:
            return another
        linked = linked or marked(reading.places, puzzle, reading.image, image) or {}
        linked = linked or bordered(reading.places, puzzle, reading.image, image)
        candidates = {cell: frozenset((index,)) for cell, index in linked.items()}
    elif keep_their_middles(seen):
        if within := bordered(reading.places, puzzle, reading.image, image):
            return Drawn(within)
    else:
        # A line in the numbers' own ink looks like other numbers, and a glow around it is mixed with all that is there.
        # Nothing but a chain crosses the cells' sides, and a line leads to its start.
        for lines in (True, False) if foreign else (True,):
            crossed = marked(reading.places, puzzle, reading.image, image, lines=lines, needed=changed) or {}
            if crossed.keys() >= changed:
                return Drawn(crossed)
    return Drawn(owners(candidates, puzzle, solution), tuple(foreign))


def _colours(seen: Compared, puzzle: Puzzle, lines: Mapping[Cell, Floats]) -> list[Floats | None]:
    """The colour of each chain, None if its start shows none; ``lines``: the colours of lines that left the starts
    already before the reading."""
    starts, moved = seen.starts, FILL_CHANGE * seen.contrast
    colours = [lines.get(cell, _chain_colour(seen, k)) for cell, k in zip(puzzle.starts, starts, strict=True)]
    for n, (k, first) in enumerate(zip(starts, colours, strict=True)):
        beside = [seen.index[cell] for cell in neighbours(seen.cells[k]) if seen.index.get(cell, k) not in starts]
        begun = [seen.fill_now[i] for i in beside if seen.shift[i] > moved]
        if first is not None and begun:
            others = [seen.fill_now[k]] if seen.shift[k] > moved else []
            usual = np.median(seen.ink[seen.plain], axis=0) if seen.plain else seen.typical
            parts = [seen.ink[k], *_own_parts(seen, k, begun)]
            others += [part for part in parts if not _on_segment(part, seen.typical, usual, moved)]
            colours[n] = _shown_beside(begun, first, others, seen.typical)
    return colours


def _own_parts(seen: Compared, k: int, begun: Sequence[Floats]) -> list[Floats]:
    """The colours that the start ``k`` alone had anywhere in it, as in a ring, nearest to each of those ``begun``
    beside it: of a start that is drawn in several colours the one that it shares with no other may be its chain's."""
    own = seen.before[k].reshape(-1, 3)
    rest = seen.before[[other for other in seen.starts if other != k]].reshape(-1, 3)
    parts: list[Floats] = [own[np.linalg.norm(own - fill, axis=1).argmin()] for fill in begun]
    return [part for part in parts if not (np.linalg.norm(rest - part, axis=1) < ONE_COLOUR).any()]


def _filled(seen: Compared, colours: Sequence[Floats | None]) -> Bools:
    """Shape ``(cells,)``: which cells have a fill different from before."""
    reach = [float(np.linalg.norm(colour - seen.typical)) for colour in colours if colour is not None]
    # A breathing theme may move every cell; but never so far that a chain's fill would drown in it.
    least = FILL_CHANGE * (min(reach) if reach else seen.contrast)
    usual = seen.shift[~_tinted(seen, colours)]
    noise = float(np.percentile(usual, 10)) if len(usual) else 0.0
    return np.asarray(seen.shift > max(least, min(3 * noise, 2 * least)))


def _tinted(seen: Compared, colours: Sequence[Floats | None]) -> Bools:
    """Shape ``(cells,)``: which fills have moved towards the hue of a chain, as a translucent one moves nearly all of
    them where it is drawn whole."""
    tints = (seen.fill_now - seen.fill_before)[:, 1:]
    lengths = np.linalg.norm(tints, axis=1)
    found = np.zeros(len(tints), bool)
    for full in [(own - seen.typical)[1:] for own in colours if own is not None]:
        found |= (lengths > LEAST_TINT) & (tints @ full > SAME_HUE * lengths * np.linalg.norm(full))
    return found


def _changed(seen: Compared, k: int, colours: Sequence[Floats | None], filled: Bools) -> _Change | None:
    """What is new in the cell ``k``, which is no start; None if nothing is."""
    before, now, fill, ink = seen.before[k], seen.now[k], seen.fill_before[k], seen.ink[k]
    if filled[k]:
        colour = seen.fill_now[k]
    else:
        if seen.cells[k] in seen.leftover:
            return None  # cleared since: it looks like an empty cell now, whatever its digit looked like when drawn
        if _lines(before, colours, seen.typical):
            # The line was there before the reading was made: the line itself counts, not what changed since.
            lines = _lines(now, colours, seen.typical)
            return _Change(None, lines) if lines else None
        around = [seen.index.get(near, k) for near in neighbours(seen.cells[k])]
        fills = [seen.fill_now[i] if filled[i] or i in seen.starts else None for i in around]
        inside = _without_neighbours(before, now, fills)
        mark = _mark(before, inside, INK_CHANGE * seen.contrast + 3 * min(seen.noise, seen.contrast / 10))
        if mark is None:
            # A small glyph that went changes little of its cell.
            went = np.linalg.norm(ink - fill) > LEAST_INK and not _keeps_its_glyph(before, now, fill, ink, LOST_GLYPH)
            return _Change(None, frozenset()) if went else None
        off = _off_segment(mark, fill, ink)
        chains = [_off_segment(mark, fill, own) for own in colours if own is not None]
        # A pale line lies near the way from a cell's fill to its digit, but on the way to its chain's colour.
        pale = off > PALE * seen.contrast and min(chains, default=off) < CLEARLY * off
        if off <= INK_CHANGE * seen.contrast and not pale:
            # Another digit: only another board, or selected text, shows that. Else the cell where a chain ends may be
            # outlined in the digits' ink.
            if not _keeps_its_glyph(before, now, fill, ink):
                among = _among_others(seen, k, colours)
                return _Change(mark if among else None, among)
            led = (_lines(now, colours, seen.typical, within) for within in range(OUTLINE))
            return _Change(None, next(filter(None, led), frozenset()))
        colour = mark
    near = _nearest(colour, colours, fill) or _among_others(seen, k, colours)
    if not near and _keeps_its_glyph(before, now, fill, ink):
        # A broad line that turns under a disc leaves neither its own colour nor the ground's beside the digit.
        near = _lines(now, colours, seen.typical) or _of_one_hue(colour, colours, fill)
    return _Change(colour, near)


def _among_others(seen: Compared, k: int, colours: Sequence[Floats | None]) -> frozenset[int]:
    """The chain whose colour the glyph of the cell ``k`` has taken, beside something else that is new: the outline of a
    cursor may be stronger than a number that has its chain's colour."""
    before, now = seen.before[k], seen.now[k]
    glyph = np.linalg.norm(before - seen.fill_before[k], axis=2) > ONE_COLOUR
    shares = {}
    for index, own in enumerate(colours):
        if own is not None and glyph.any():
            near = NEAR * float(np.linalg.norm(own - seen.typical))
            fresh = (np.linalg.norm(now - own, axis=2) < near) & (np.linalg.norm(before - own, axis=2) > near)
            shares[index] = float(fresh[glyph].mean())
    best = max(shares, key=lambda index: shares[index], default=None)
    return frozenset() if best is None or shares[best] < TAKEN else frozenset((best,))


def _in_one_colour(
    seen: Compared, changes: Mapping[int, _Change], colours: Sequence[Floats | None]
) -> dict[Cell, frozenset[int]]:
    """The cells that chains hold if all chains are drawn in one colour that no start has: each may belong to any
    chain."""
    fresh = {k: change.colour for k, change in changes.items() if change.colour is not None}
    unlike = [colour for k, colour in fresh.items() if not changes[k].chains]
    if not unlike:
        return {}
    line = np.median(np.stack(unlike), axis=0).astype(np.float32)
    own = _nearest(line, colours, seen.typical)
    begun = [n for n, k in enumerate(seen.starts) if _has_new_line(seen, k, line)]
    if not begun or own.intersection(begun):
        return {}
    alike = [k for k, colour in fresh.items() if float(np.linalg.norm(colour - line)) < ONE_COLOUR]
    return {seen.cells[k]: frozenset(range(len(seen.starts))) for k in alike if _has_new_line(seen, k, line)}


def _is_selected(seen: Compared, k: int) -> bool:
    """Whether all of a block around a cell's glyph has changed, and nothing on both sides of it: this is what text
    looks like when a person has selected it with the mouse."""
    new = np.linalg.norm(seen.now[k] - seen.before[k], axis=2) > FILL_CHANGE * seen.contrast
    down, across = np.flatnonzero(new.any(axis=1)), np.flatnonzero(new.any(axis=0))
    if not len(down) or across[0] < 2 or across[-1] > SIDE - 3:
        return False
    block = new[down[0] : down[-1] + 1, across[0] : across[-1] + 1]
    return len(block) > SIDE // 3 and float(block.mean()) > BLOCK


def _keeps_its_glyph(before: Floats, now: Floats, fill: Floats, ink: Floats, least: float = KEPT) -> bool:
    """Whether a cell still shows its glyph at its place, as it would not if something covered it: ``least``, the share
    of its samples that must be unchanged."""
    near = 0.5 * float(np.linalg.norm(ink - fill))
    glyph = np.linalg.norm(before - ink, axis=2) < near
    return bool(glyph.any()) and float((np.linalg.norm(now - ink, axis=2) < near)[glyph].mean()) > least


def _has_new_line(seen: Compared, k: int, colour: Floats) -> bool:
    """Whether a line in ``colour`` leaves a cell and did not before."""
    empty = seen.fill_before[k]
    return bool(_lines(seen.now[k], [colour], empty)) and not _lines(seen.before[k], [colour], empty)


def _mark(before: Floats, now: Floats, threshold: float) -> Floats | None:
    """The colour of what is new inside a cell; None where nothing is."""
    moved = np.linalg.norm(now - before, axis=2)
    changed = moved > threshold
    if changed.mean() < AREA_CHANGE:
        return None
    # The rim of a new mark is a blend of old and new colour; the half that changed most is the mark itself.
    core = changed & (moved >= np.median(moved[changed]))
    colour: Floats = np.median(now[core], axis=0).astype(np.float32)
    return colour


def _without_neighbours(before: Floats, now: Floats, fills: Sequence[Floats | None]) -> Floats:
    """What a cell shows without what extends into it from its upper, left, right and lower neighbour, if that is filled
    with one of ``fills``: if glyphs do not stand in the middle of their cells, all places are shifted."""
    result = now.copy()
    views = (0, 1), (1, 1), (1, -1), (0, -1)  # the axis across the side, and the way inwards
    for fill, (axis, way) in zip(fills, views, strict=True):
        if fill is None:
            continue
        inwards, old = (np.moveaxis(some, axis, 0)[::way] for some in (result, before))
        for k in range(REACHES_IN):
            way_to, moved = fill - old[k], inwards[k] - old[k]
            share = np.clip((moved * way_to).sum(axis=1) / np.maximum((way_to**2).sum(axis=1), 1), 0, 1)[:, None]
            off = np.linalg.norm(moved - share * way_to, axis=1)
            blended = (share[:, 0] > 0) & (off < NEAR * np.linalg.norm(moved, axis=1))
            if blended.mean() < WHOLE_SIDE:
                break
            inwards[k] = old[k]
    return result


def _on_segment(colour: Floats, a: Floats, b: Floats, within: float) -> bool:
    """Whether ``colour`` is a blend of ``a`` and ``b``."""
    return _off_segment(colour, a, b) <= within


def _off_segment(colour: Floats, a: Floats, b: Floats) -> float:
    """How far ``colour`` is from the nearest blend of ``a`` and ``b``."""
    along = b - a
    length = float(along @ along)
    t = float(np.clip((colour - a) @ along / length, 0, 1)) if length else 0.0
    return float(np.linalg.norm(colour - a - t * along))


def _chain_colour(seen: Compared, k: int) -> Floats | None:
    """The colour in which the chain of the start ``k`` is drawn; None while its start shows none.

    A start that was coloured from the beginning keeps its colour, whatever marks appear and disappear around it.
    Another start is filled when it is touched, or a line begins in it: then its clearest new colour counts. Or its X is
    coloured.
    """
    typical, contrast, ink = seen.typical, seen.contrast, seen.ink[k]
    if np.linalg.norm(seen.fill_before[k] - typical) > FILL_CHANGE * contrast:  # of one picture: nothing moves in it
        first: Floats = seen.fill_before[k]
        return first
    clear = FILL_CHANGE * contrast + 3 * min(seen.noise, contrast / 10)
    usual = np.median(seen.ink[seen.plain], axis=0) if seen.plain else ink
    shown: list[Floats] = [seen.fill_now[k]] if np.linalg.norm(seen.fill_now[k] - typical) > clear else []
    mark = _mark(seen.before[k], seen.now[k], INK_CHANGE * contrast)
    if mark is not None:
        # A pale line is not far from the way from the cells' fill to the digits, but no blend of these leaves the cell.
        tint = float(np.linalg.norm((mark - typical)[1:]))
        pale = tint > LEAST_TINT and _has_new_line(seen, k, mark)
        if not _on_segment(mark, typical, usual, (PALE if pale else INK_CHANGE) * contrast):
            shown.append(mark)
    if not shown and not _on_segment(ink, typical, usual, INK_CHANGE * contrast):
        shown.append(ink)
    return max(shown, key=lambda colour: float(np.linalg.norm(colour - typical)), default=None)


def _shown_beside(begun: Sequence[Floats], first: Floats, others: Sequence[Floats], typical: Floats) -> Floats:
    """A start's colour: ``first``, which it had from the beginning, or one of ``others`` (its present fill or the
    colour of its X), if cells beside it have this now (``begun``): while its chain was not active, the start may have
    looked different."""

    def off(colour: Floats) -> float:
        length = max(float(np.linalg.norm(colour - typical)), 1e-6)
        return min(float(np.linalg.norm(fill - colour)) for fill in begun) / length

    best = min(others, key=off, default=first)
    return best if off(best) < NEAR * CLEARLY and off(best) < CLEARLY * off(first) else first


def _lines(sample: Floats, colours: Sequence[Floats | None], empty: Floats, within: int = 0) -> frozenset[int]:
    """The chains whose line leaves this cell: their colour is found in the middle of one side, or ``within`` samples
    from it, where no digit reaches, and does not fill the whole side, as a wall does."""
    sides = np.stack([sample[within], sample[-1 - within], sample[:, within], sample[:, -1 - within]])
    found = set()
    for index, own in enumerate(colours):
        if own is None:
            continue
        near = np.linalg.norm(sides - own, axis=2) <= NEAR * np.linalg.norm(own - empty)
        if (near[:, LINE_PLACE].any(axis=1) & (near.mean(axis=1) < WALL)).any():
            found.add(index)
    return frozenset(found)


def _nearest(colour: Floats, colours: Sequence[Floats | None], empty: Floats) -> frozenset[int]:
    """The chains to which ``colour`` may belong: several if their colours are too similar, none if no colour is
    near."""
    apart: list[tuple[float, int]] = []
    for index, own in enumerate(colours):
        if own is None:
            continue
        reach = own - empty
        length = max(float(np.linalg.norm(reach)), 1e-6)
        exact = float(np.linalg.norm(colour - own)) / length
        if exact > NEAR:  # drawn translucent: a blend of the empty cell and the chain; or the start was, for a moment
            t = float(np.clip((colour - empty) @ reach / length**2, 0, 1 / FAINTEST))
            blend = float(np.linalg.norm(colour - empty - t * reach)) / (t * length) if t > FILL_CHANGE else 1.0
            if blend < NEAR:
                # An exact match with another chain's colour explains a colour stronger than this one better.
                exact = NEAR * (blend if t <= 1 else max(blend, 0.5))
        apart.append((exact, index))
    apart.sort()
    if not apart or apart[0][0] > NEAR:
        return frozenset(index for index, own in enumerate(colours) if own is None)
    return frozenset(index for distance, index in apart if distance * CLEARLY <= apart[0][0] and distance <= NEAR)


def _of_one_hue(colour: Floats, colours: Sequence[Floats | None], empty: Floats) -> frozenset[int]:
    """The chain whose start has the hue of ``colour``: cells may be tinted with a paler or darker variant of it."""
    tint = (colour - empty)[1:]
    alike: list[tuple[float, int]] = []
    for index, own in enumerate(colours):
        if own is None:
            continue
        full = (own - empty)[1:]
        if min(float(np.linalg.norm(tint)), float(np.linalg.norm(full))) > LEAST_TINT:
            angle = float(tint @ full) / float(np.linalg.norm(tint) * np.linalg.norm(full))
            alike.append((angle, index))
    best = max(alike, default=(0.0, 0))[0]
    found = frozenset(index for angle, index in alike if angle > best - OTHER_HUE)
    return found if best > SAME_HUE and len(found) == 1 else frozenset()


def owners(candidates: Mapping[Cell, frozenset[int]], puzzle: Puzzle, solution: Solution) -> dict[Cell, int]:
    """One chain for each drawn cell. If colours leave several, the start or chain to which the cells are connected
    decides; if several are connected, the solution's own chain is taken, as nothing on the screen contradicts it."""
    owners: dict[Cell, int] = {cell: next(iter(who)) for cell, who in candidates.items() if len(who) == 1}
    told = {**owners, **{start: index for index, start in enumerate(puzzle.starts)}}
    wanted = {cell: index for index, chain in enumerate(solution) for cell in chain[1:]}
    open_cells = {cell for cell, who in candidates.items() if len(who) > 1}
    while open_cells:
        part, queue = set(), [open_cells.pop()]
        who = candidates[queue[0]]
        touching: set[int] = set()
        while queue:
            cell = queue.pop()
            part.add(cell)
            for near in neighbours(cell):
                if told.get(near) in who:
                    touching.add(told[near])
                if near in open_cells and candidates[near] == who:
                    open_cells.discard(near)
                    queue.append(near)
        for cell in part:
            if len(touching) == 1:
                owners[cell] = next(iter(touching))
            else:
                owners[cell] = wanted[cell] if wanted[cell] in (touching or who) else UNKNOWN
    return owners


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The four places around a cell: above, left, right, below."""
    r, c = cell
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)
