"""A solution becomes gestures, and a later picture of the window says how far they have come. Reads no numbers: what
stands in a cell is the reader's business; here only what has changed since the reading counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Literal, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.core.gestures import Click, Drag, Gesture, Keys
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.cardinal_chains import letters, screens
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution
from autoplayer.layout import KeyTable, Layout

UNKNOWN = -1
"""The owner of a cell that was drawn by a chain whose start could not be told."""

SIDE = 20
"""Every cell is looked at as SIDE x SIDE samples: enough for a line of a tenth of the pitch, few enough to be quick."""

INSET = 0.08
"""The part of a cell's box that is left out on each side: walls take up to about this much of the pitch."""

BAND = slice(3, 17), slice(6, 14)
"""The fill is the median of the samples inside the first and outside the second, in both directions: between a mark
around a cell (the active one, where a window is played by keys) and the middle of its glyph. A digit's strokes and a
line's two arms cover less than half of that."""

ONE_COLOUR, LEAST_FILL = 8.0, 0.4
"""The distance in CIE Lab up to which two samples have one colour; and the part of a cell that has its fill, at
least."""

FILL_CHANGE = 0.15
"""A fill has changed when it moved by this part of the way from an empty cell's colour to a chain's: chains may be
drawn translucent, and a theme's slow breathing stays well below it."""

INK_CHANGE = 0.3
"""A sample has changed when it moved by this part of the way from fill to ink: more than smoothing does at an edge
when a theme breathes, less than a segment that comes or goes."""

PALE = 0.15
"""How far, as a part of the way from fill to ink, the colour of a pale line is from that way at least."""

AREA_CHANGE = 0.03
"""A cell's inside has changed when this part of its samples has: a segment of a digit is about 0.04 of the cell."""

BLOCK = 0.9
"""The part of a block around selected text that has changed, at least."""

NEAR = 0.35
"""A colour belongs to a chain when it is within this part of the distance between an empty cell and that chain."""

CLEARLY = 0.6
"""The nearest chain's colour wins alone when its distance is below this part of the next one's."""

LINE_PLACE = slice(6, 14)
"""The samples of a side through which a line from centre to centre leaves the cell."""

REACHES_IN, WHOLE_SIDE = 4, 0.8
"""Samples of a cell into which a filled neighbour may reach, along this part of a side at least."""

WALL = 0.65
"""The part of a side from which its colour is a wall's: lines are at most half as wide as a cell."""

FAINTEST = 0.4
"""A start that pulses may be seen as faint as this part of its chain's colour; fainter ones are hardly seen at all."""

SAME_COLOUR, RIM, OTHER_CHARACTER, LOST, INVERSE = 14.0, 1, 0.06, 0.02, 0.2
"""On a text screen: the distance in CIE Lab up to which two characters have one colour; the row of samples, from above
and below, that only a filled block reaches; the mean difference of the shapes of two characters from which on they are
not the same, and of that what a bold one has lost at most; and how far, as a part of the way to its block, the colour
of a character is from the screen when the two have changed places, besides: thin strokes are not seen in full."""

GROUND_SAMPLES = 80
"""How many points across the board and what is around it the ground is taken from."""

GROUND_REACH = 1.5
"""How far around the board, in cells, its ground is looked at."""

OTHER_GROUND = 12.0
"""The distance in CIE Lab (100 from black to white) from which two grounds are not the same one: a theme's breathing
stays below half of it, light and dark themes are 50 and more apart."""

FOREIGN = 0.1
"""The part of the cells that may hold something unexplained (a hint, a hand) before it is another board."""


Kind = Literal["drag", "click", "keys"]
KINDS: tuple[Kind, ...] = ("drag", "click", "keys")
WORDS: Mapping[Kind, str] = {"drag": "a drag", "click": "clicks", "keys": "keys"}

WAYS = 4
"""How many ways there are in which a chain is drawn by drags, and by clicks."""

KEY_WAYS = 2
"""How many there are by keys, beside one for each chain that may be the active one."""

TRIALS: tuple[tuple[Kind, int], ...] = (("drag", 0), ("click", 0), ("drag", 3), ("click", 2), ("drag", 1), ("keys", 0))
"""What is tried while the controls are not known, the kind and the way; after it keys for one chain after the other.
Dragging comes again, and slower each time: some windows lose what is quick."""


@dataclass(frozen=True)
class Drawn:
    """The state of a progress: which chain (its index in ``Puzzle.starts``) holds which cell; starts are left out."""

    owner: Mapping[Cell, int]
    foreign: tuple[Cell, ...] = ()
    """Cells that changed and that no chain explains."""


# --- how far a picture has come --------------------------------------------------------------------------------------


def progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """Cells that chains hold from their starts onwards as they should, of all cells but the starts; ``wrong``: other
    cells that a chain holds (its own ones too, where the way to them is not drawn yet)."""
    total = len(puzzle.cells) - len(puzzle.starts)
    if image.shape != reading.image.shape:
        return Progress(False, 0, total, 0)
    if image is reading.image and not reading.extra.get("drawn"):
        return Progress(
            True, 0, total, 0, Drawn({})
        )  # nothing has changed since itself; the first press is not delayed
    see = _drawn_in_characters if reading.extra.get("text") else _drawn
    drawn = see(reading, puzzle, solution, image)
    done = sum(_Chain(index, chain, drawn.owner).length - 1 for index, chain in enumerate(solution))
    present = len(drawn.foreign) <= FOREIGN * len(puzzle.cells) and not _other_ground(reading, image)
    return Progress(present, done, total, len(drawn.owner) - done, drawn)


def _drawn(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Drawn:
    cells = [cell for cell in puzzle.cells if cell in reading.places]
    index = {cell: k for k, cell in enumerate(cells)}
    boxes = [reading.places[cell] for cell in cells]
    before, now = _samples(reading.image, boxes), _samples(image, boxes)
    starts = [index[cell] for cell in puzzle.starts]
    leftover: Mapping[Cell, int] = reading.extra.get("drawn", {})
    plain = [k for k, cell in enumerate(cells) if cell not in leftover and k not in set(starts)]
    if not plain:  # all cells are as plain as the start: nothing there tells a full board from an untouched one
        leftover, plain = {}, [k for k in range(len(cells)) if k not in set(starts)]

    fill_before, fill_now = _fills(before), _fills(now)
    typical = np.median(fill_before[plain] if plain else fill_before, axis=0)
    for cell in leftover:  # these were drawn before the reading was made: compare them with an empty cell
        if cell in index:
            fill_before[index[cell]] = typical
    ink = _inks(before, fill_before)
    contrast = float(np.median(np.linalg.norm(ink[plain] - typical, axis=1))) if plain else 60.0
    shift = np.linalg.norm(fill_now - fill_before, axis=1)
    noise = float(np.percentile(shift, 10))

    colours = [
        _chain_colour(k, before, now, fill_before, fill_now, typical, ink, contrast, noise, plain) for k in starts
    ]
    moved = FILL_CHANGE * contrast
    for n, (k, first) in enumerate(zip(starts, colours, strict=True)):
        beside = [index[cell] for cell in _neighbours(cells[k]) if index.get(cell, k) not in starts]
        begun = [fill_now[i] for i in beside if shift[i] > moved]
        if first is not None and begun:
            others = [fill_now[k]] if shift[k] > moved else []
            if not _on_segment(ink[k], typical, np.median(ink[plain], axis=0) if plain else typical, moved):
                others.append(ink[k])
            colours[n] = _shown_beside(begun, first, others, typical)
    reach = [float(np.linalg.norm(colour - typical)) for colour in colours if colour is not None]
    # A breathing theme may move every cell; but never so far that a chain's fill would drown in it.
    least = FILL_CHANGE * (min(reach) if reach else contrast)
    filled = shift > max(least, min(3 * noise, 2 * least))

    candidates: dict[Cell, frozenset[int]] = {}
    foreign: list[Cell] = []
    fresh: dict[int, Floats] = {}  # the colours of what is new
    redrawn: set[int] = set()
    for k, cell in enumerate(cells):
        if k in starts:
            continue
        if filled[k]:
            colour = fill_now[k]
        else:
            if cell in leftover:
                continue  # cleared since: it looks like an empty cell now, whatever its digit looked like when drawn
            if _lines(before[k], colours, typical):
                # A line was there before the reading was made: not what changed since counts, but what lies there.
                if lines := _lines(now[k], colours, typical):
                    candidates[cell] = lines
                continue
            around = [index.get(near, k) for near in _neighbours(cell)]
            fills = [fill_now[i] if filled[i] or i in starts else None for i in around]
            inside = _without_neighbours(before[k], now[k], fills)
            mark = _mark(before[k], inside, INK_CHANGE * contrast + 3 * min(noise, contrast / 10))
            if mark is None:
                continue
            off = _off_segment(mark, fill_before[k], ink[k])
            chains = [_off_segment(mark, fill_before[k], own) for own in colours if own is not None]
            # A pale line lies near the way from a cell's fill to its digit, but on the way to its chain's colour.
            pale = off > PALE * contrast and min(chains, default=off) < CLEARLY * off
            if off <= INK_CHANGE * contrast and not pale:
                foreign.append(cell)  # another digit than before: only another board, or selected text, shows that
                redrawn.add(k)
                continue
            colour = mark
        fresh[k] = colour
        # A broad line that turns under a disc leaves neither its own colour nor the ground's beside the digit.
        near = _nearest(colour, colours, fill_before[k]) or _lines(now[k], colours, typical)
        if near:
            candidates[cell] = near
        else:
            foreign.append(cell)
    unlike = [fresh[index[cell]] for cell in foreign if index[cell] in fresh]
    if unlike:
        line = np.median(np.stack(unlike), axis=0).astype(np.float32)
        alike = [k for k, colour in fresh.items() if float(np.linalg.norm(colour - line)) < ONE_COLOUR]
        own = _nearest(line, colours, typical)
        begun = [n for n, k in enumerate(starts) if _has_new_line(before[k], now[k], line, fill_before[k])]
        if begun and not own.intersection(begun):  # all chains are drawn in one colour, which is no start's
            drawn = [cells[k] for k in alike if _has_new_line(before[k], now[k], line, fill_before[k])]
            candidates |= dict.fromkeys(drawn, frozenset(range(len(starts))))
            foreign = [cell for cell in foreign if cell not in drawn]
    foreign = [
        cell
        for cell in foreign
        if (k := index[cell]) not in fresh.keys() | redrawn or filled[k] or not _is_selected(before[k], now[k], moved)
    ]
    return Drawn(_owners(candidates, puzzle, solution), tuple(foreign))


def _is_selected(before: Floats, now: Floats, changed: float) -> bool:
    """Whether all of a block around a cell's glyph has changed, and nothing to both sides of it: so looks text over
    which a page's visitor has drawn the mouse."""
    new = np.linalg.norm(now - before, axis=2) > changed
    down, across = np.flatnonzero(new.any(axis=1)), np.flatnonzero(new.any(axis=0))
    if not len(down) or across[0] < 2 or across[-1] > SIDE - 3:
        return False
    block = new[down[0] : down[-1] + 1, across[0] : across[-1] + 1]
    return len(block) > SIDE // 3 and float(block.mean()) > BLOCK


def _has_new_line(before: Floats, now: Floats, colour: Floats, empty: Floats) -> bool:
    """Whether a line in ``colour`` leaves a cell that did not before."""
    return bool(_lines(now, [colour], empty)) and not _lines(before, [colour], empty)


def _drawn_in_characters(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Drawn:
    """As :func:`_drawn`, on a text screen: chains colour their characters, and one of these may stand in a block. Such
    colours are exact, and do not depend on what a cell looked like before."""
    cells = [cell for cell in puzzle.cells if cell in reading.places]
    boxes = [reading.places[cell] for cell in cells]
    foot, step = reading.extra["text"]
    down = screens.moved(foot, step, puzzle.height, image)
    moved = [replace(box, y=box.y + down) for box in boxes]
    before, now = (_characters(_samples(picture, at)) for picture, at in ((reading.image, boxes), (image, moved)))
    comparable = ~(before.blocked | now.blocked)
    gained = now.shapes - before.shapes
    changed = comparable & (np.abs(gained).mean(axis=(1, 2)) > OTHER_CHARACTER)
    bold = np.clip(-gained, 0, None).mean(axis=(1, 2)) < LOST
    numbers = [k for k, cell in enumerate(cells) if cell not in puzzle.starts]
    usual = np.median(before.colours[numbers], axis=0) if numbers else np.zeros(3, np.float32)
    own = [now.colours[cells.index(start)] for start in puzzle.starts if start in reading.places]
    candidates: dict[Cell, frozenset[int]] = {}
    for k in numbers:
        coloured = float(np.linalg.norm(now.colours[k] - usual)) > SAME_COLOUR
        changed[k] &= not (coloured and bold[k])
        if changed[k]:
            continue
        if coloured:
            apart = [float(np.linalg.norm(colour - now.colours[k])) for colour in own]
            candidates[cells[k]] = frozenset(n for n, off in enumerate(apart) if off < max(SAME_COLOUR, min(apart) + 1))
        elif now.blocked[k] and not before.blocked[k]:
            candidates[cells[k]] = frozenset(range(len(own)))  # an end that does not show whose it is
    return Drawn(_owners(candidates, puzzle, solution), tuple(cell for k, cell in enumerate(cells) if changed[k]))


@dataclass(frozen=True)
class _Characters:
    """What cells of a text screen show. ``shapes``: how much of its character a sample holds, 0 to 1, shape ``(cells,
    SIDE, SIDE)``; ``colours``: the characters', or the blocks' where they have changed theirs with the screen's, CIE
    Lab, shape ``(cells, 3)``; ``blocked``: which of them stand in a filled block, shape ``(cells,)``."""

    shapes: Floats
    colours: Floats
    blocked: NDArray[np.bool_]


def _characters(samples: Floats) -> _Characters:
    count = len(samples)
    screen = np.median(samples[:, :, [0, -1]].reshape(-1, 3), axis=0)
    away = np.linalg.norm(samples - screen, axis=3)
    # A block reaches farther up and down than its character.
    filled = (away[:, RIM] > SAME_COLOUR) & (away[:, -1 - RIM] > SAME_COLOUR)
    filled &= np.roll(filled, 1, axis=1) & np.roll(filled, -1, axis=1)  # its outermost columns are half the screen's
    blocked = filled.sum(axis=1) > 1
    blocks = {k: np.median(samples[k][:, filled[k]].reshape(-1, 3), axis=0) for k in np.flatnonzero(blocked)}
    for k, block in blocks.items():
        away[k] = np.where(filled[k], np.linalg.norm(samples[k] - block, axis=2), 0)
    flat = away.reshape(count, -1)
    colours = samples.reshape(count, -1, 3)[np.arange(count), flat.argmax(axis=1)]
    for k, block in blocks.items():
        if float(np.linalg.norm(colours[k] - screen)) < SAME_COLOUR + INVERSE * float(np.linalg.norm(block - screen)):
            colours[k] = block
    shapes = away / np.maximum(flat.max(axis=1), 1)[:, None, None]
    return _Characters(np.asarray(shapes, np.float32), np.asarray(colours, np.float32), np.asarray(blocked, np.bool_))


def _other_ground(reading: Reading[Puzzle], image: Image) -> bool:
    """Whether most of what is around the board has another colour than it had: another level in another theme, a flash.
    Only what is near counts, for the window may be a whole page with things that move."""
    boxes = list(reading.places.values())
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    reach = round(GROUND_REACH * float(np.median([max(box.width, box.height) for box in boxes])))
    height, width = image.shape[:2]
    step = max(max(right - left, bottom - top) + 2 * reach, GROUND_SAMPLES) // GROUND_SAMPLES
    ys, xs = np.mgrid[
        max(top - reach, 0) : min(bottom + reach, height) : step,
        max(left - reach, 0) : min(right + reach, width) : step,
    ]
    outside = (ys < top) | (ys >= bottom) | (xs < left) | (xs >= right)
    if not outside.any():
        return False

    def ground(picture: Image) -> Floats:
        colours = picture[ys[outside], xs[outside]].astype(np.float32) / 255
        lab: Floats = cv2.cvtColor(colours.reshape(1, -1, 3), cv2.COLOR_BGR2Lab).reshape(-1, 3).astype(np.float32)
        return lab

    return float(np.median(np.linalg.norm(ground(image) - ground(reading.image), axis=1))) > OTHER_GROUND


def _samples(image: Image, boxes: Sequence[Box]) -> Floats:
    """Shape ``(cells, SIDE, SIDE, 3)``, CIE Lab (L 0 to 100): the inside of each box."""
    stack = np.empty((len(boxes), SIDE, SIDE, 3), np.uint8)
    for k, box in enumerate(boxes):
        dx, dy = round(box.width * INSET), round(box.height * INSET)
        inner = Box(box.x + dx, box.y + dy, max(box.width - 2 * dx, 1), max(box.height - 2 * dy, 1))
        crop = inner.crop(image)
        stack[k] = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA) if crop.size else 0
    flat = stack.reshape(-1, SIDE, 3).astype(np.float32) / 255
    return cv2.cvtColor(flat, cv2.COLOR_BGR2Lab).reshape(-1, SIDE, SIDE, 3).astype(np.float32)


_BAND = np.zeros((SIDE, SIDE), bool)
_BAND[BAND[0], BAND[0]] = True
_BAND[BAND[1], BAND[1]] = False


def _fills(samples: Floats) -> Floats:
    """Shape ``(cells, 3)``: each cell's colour beside its glyph; where too little of the cell has that, because a broad
    glyph fills it, the commonest one."""
    fills: Floats = np.median(samples[:, _BAND], axis=1).astype(np.float32)
    shares = (np.linalg.norm(samples - fills[:, None, None], axis=3) < ONE_COLOUR).mean(axis=(1, 2))
    for k in np.flatnonzero(shares < LEAST_FILL):
        some = samples[k, ::2, ::2].reshape(-1, 3)
        alike = np.linalg.norm(some[:, None] - some[None], axis=2) < ONE_COLOUR
        most = alike.sum(axis=1).argmax()
        if alike[most].mean() > shares[k]:
            fills[k] = some[alike[most]].mean(axis=0)
    return fills


def _inks(samples: Floats, fills: Floats) -> Floats:
    """Shape ``(cells, 3)``: the colour in each cell that is farthest from its fill."""
    flat = samples.reshape(len(samples), -1, 3)
    far = np.linalg.norm(flat - fills[:, None], axis=2).argmax(axis=1)
    inks: Floats = flat[np.arange(len(flat)), far]
    return inks


def _mark(before: Floats, now: Floats, threshold: float) -> Floats | None:
    """The colour of what is new inside a cell; None where nothing is."""
    moved = np.linalg.norm(now - before, axis=2)
    changed = moved > threshold
    if changed.mean() < AREA_CHANGE:
        return None
    # The rim of a new mark is a blend of old and new; the half that moved most is the mark itself.
    core = changed & (moved >= np.median(moved[changed]))
    colour: Floats = np.median(now[core], axis=0).astype(np.float32)
    return colour


def _without_neighbours(before: Floats, now: Floats, fills: Sequence[Floats | None]) -> Floats:
    """What a cell shows without what reaches in from its upper, left, right and lower neighbour, where that is filled
    with one of ``fills``: glyphs that stand beside the middle of their cells shift all places."""
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


def _chain_colour(
    k: int,
    before: Floats,
    now: Floats,
    fill_before: Floats,
    fill_now: Floats,
    typical: Floats,
    ink: Floats,
    contrast: float,
    noise: float,
    plain: Sequence[int],
) -> Floats | None:
    """The colour in which the chain of the start ``k`` is drawn; None while its start shows none.

    A start that was coloured from the beginning keeps its colour, whatever marks come and go around it. Another one is
    filled when it is touched, or a line begins in it: then its clearest new colour counts. Or its X is coloured.
    """
    clear = FILL_CHANGE * contrast + 3 * min(noise, contrast / 10)
    if np.linalg.norm(fill_before[k] - typical) > clear:
        first: Floats = fill_before[k]
        return first
    usual = np.median(ink[plain], axis=0) if plain else ink[k]
    shown: list[Floats] = [fill_now[k]] if np.linalg.norm(fill_now[k] - typical) > clear else []
    mark = _mark(before[k], now[k], INK_CHANGE * contrast)
    if mark is not None and not _on_segment(mark, typical, usual, INK_CHANGE * contrast):
        shown.append(mark)
    if not shown and not _on_segment(ink[k], typical, usual, INK_CHANGE * contrast):
        shown.append(ink[k])
    return max(shown, key=lambda colour: float(np.linalg.norm(colour - typical)), default=None)


def _shown_beside(begun: Sequence[Floats], first: Floats, others: Sequence[Floats], typical: Floats) -> Floats:
    """A start's colour: ``first``, which it had from the beginning, or that of ``others``, its present fill or its X,
    that cells beside it have now (``begun``): while it was not the active one, it may have looked another way."""

    def off(colour: Floats) -> float:
        length = max(float(np.linalg.norm(colour - typical)), 1e-6)
        return min(float(np.linalg.norm(fill - colour)) for fill in begun) / length

    best = min(others, key=off, default=first)
    return best if off(best) < NEAR * CLEARLY and off(best) < CLEARLY * off(first) else first


def _lines(sample: Floats, colours: Sequence[Floats | None], empty: Floats) -> frozenset[int]:
    """The chains of which a line leaves this cell: their colour lies in the middle of one side, where no digit reaches,
    and does not take up the whole side, as a wall does."""
    sides = np.stack([sample[0], sample[-1], sample[:, 0], sample[:, -1]])
    found = set()
    for index, own in enumerate(colours):
        if own is None:
            continue
        near = np.linalg.norm(sides - own, axis=2) <= NEAR * np.linalg.norm(own - empty)
        if (near[:, LINE_PLACE].any(axis=1) & (near.mean(axis=1) < WALL)).any():
            found.add(index)
    return frozenset(found)


def _nearest(colour: Floats, colours: Sequence[Floats | None], empty: Floats) -> frozenset[int]:
    """The chains that ``colour`` may belong to: several where their colours are too alike, none where none is near."""
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
                # Another chain's own colour, met exactly, is the better explanation of what is stronger than this one.
                exact = NEAR * (blend if t <= 1 else max(blend, 0.5))
        apart.append((exact, index))
    apart.sort()
    if not apart or apart[0][0] > NEAR:
        return frozenset(index for index, own in enumerate(colours) if own is None)
    return frozenset(index for distance, index in apart if distance * CLEARLY <= apart[0][0] and distance <= NEAR)


def _owners(candidates: Mapping[Cell, frozenset[int]], puzzle: Puzzle, solution: Solution) -> dict[Cell, int]:
    """One chain for each drawn cell. Where colours leave several, the start that the cells hang together with
    decides, and where several starts do, the solution's own chain is taken: nothing on the screen speaks against it."""
    owners: dict[Cell, int] = {cell: next(iter(who)) for cell, who in candidates.items() if len(who) == 1}
    wanted = {cell: index for index, chain in enumerate(solution) for cell in chain[1:]}
    open_cells = {cell for cell, who in candidates.items() if len(who) > 1}
    while open_cells:
        part, queue = set(), [open_cells.pop()]
        who = candidates[queue[0]]
        touching: set[int] = set()
        while queue:
            cell = queue.pop()
            part.add(cell)
            for near in _neighbours(cell):
                if near in puzzle.starts and puzzle.starts.index(near) in who:
                    touching.add(puzzle.starts.index(near))
                if near in open_cells and candidates[near] == who:
                    open_cells.discard(near)
                    queue.append(near)
        for cell in part:
            if len(touching) == 1:
                owners[cell] = next(iter(touching))
            else:
                owners[cell] = wanted[cell] if wanted[cell] in (touching or who) else UNKNOWN
    return owners


def _neighbours(cell: Cell) -> tuple[Cell, ...]:
    r, c = cell
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


# --- what to do next -------------------------------------------------------------------------------------------------


def plan(
    reading: Reading[Puzzle],
    puzzle: Puzzle,
    solution: Solution,
    progress: Progress,
    layout: Layout,
    attempt: int = 0,
) -> list[Move]:
    """One move a chain, each legal on the board as it stands when its turn comes; empty when all chains are drawn, and
    when every way was tried in vain.

    Raises UsageError where the layout names controls that Cardinal Chains does not have.
    """
    if layout.controls not in ("unknown", *KINDS):
        raise UsageError(
            f"Cardinal Chains is played by {', '.join(KINDS)}, not by '{layout.controls}': change the layout"
        )
    owner: Mapping[Cell, int] = progress.state.owner if isinstance(progress.state, Drawn) else {}
    chains = [_Chain(index, chain, owner) for index, chain in enumerate(solution)]
    known = None if layout.controls == "unknown" else cast(Kind, layout.controls)
    typed = bool(reading.extra.get("text")) and layout.keys == KeyTable()
    if typed and known in (None, "keys"):  # nothing else reaches what runs in a terminal, as a rule
        moves, ways = _plan_letters(chains, len(owner), reading, attempt)
        if attempt < ways or not ways:
            return moves if known else [replace(move, controls="keys") for move in moves]
        attempt -= ways
    own = {None: 0, "keys": len(chains) + KEY_WAYS}.get(known, WAYS)
    if known is not None and attempt < own:
        kind, way, tried = known, attempt, 0
    else:  # the layout may speak of another window
        trials = [trial for trial in TRIALS if trial[0] != known]
        trials += [("keys", way) for way in range(1, len(chains) + 1) if known != "keys"]
        tried = attempt - own
        if tried >= len(trials):
            return []
        kind, way = trials[tried]
        if kind == "keys" and way and any(chain.held and not chain.complete for chain in chains):
            way -= 1  # the last try moved another chain: that one is the active one
    by_keys = kind == "keys"
    moves = _plan_keys(chains, owner, layout, way) if by_keys else _plan_mouse(kind, chains, reading.places, way)
    if kind == known:
        return moves
    name = f", by {WORDS[kind]}, try {tried + 1}" if tried else ""
    return [replace(move, name=f"{move.name}{name if k == 0 else ''}", controls=kind) for k, move in enumerate(moves)]


class _Chain:
    """A wanted chain beside what is drawn of it."""

    def __init__(self, index: int, wanted: tuple[Cell, ...], owner: Mapping[Cell, int]) -> None:
        self.index = index
        self.wanted = wanted
        self.held = {cell for cell, who in owner.items() if who == index}
        self.length = 1
        while self.length < len(wanted) and wanted[self.length] in self.held:
            self.length += 1
        self.wrong = len(self.held) >= self.length
        """Whether it holds cells that are not the wanted chain's beginning."""

    @property
    def complete(self) -> bool:
        return self.length == len(self.wanted) and not self.wrong

    @property
    def rest(self) -> tuple[Cell, ...]:
        """What is still to be drawn, from the last cell that stands."""
        return self.wanted[self.length - 1 :]


def _plan_mouse(kind: Kind, chains: Sequence[_Chain], places: Mapping[Cell, Box], attempt: int) -> list[Move]:
    moves: list[Move] = []
    held = {chain.index: set(chain.held) for chain in chains}
    waiting = [chain for chain in chains if not chain.complete]
    while waiting:
        # A drag across another chain steals its cells, or is refused. Only a wrong chain can lie in the way; its own
        # drag begins with a press that cuts off what is wrong, so whoever is free goes first.
        free = next((c for c in waiting if not any(set(c.rest) & held[o.index] for o in chains if o is not c)), None)
        if free is None:
            way = set(waiting[0].rest)
            other = next(o for o in chains if o is not waiting[0] and way & held[o.index])
            moves.append(Move(f"cut chain {other.index + 1}", _cut(other, places, attempt), tuple(held[other.index])))
            held[other.index] = set(other.wanted[1 : other.length])
        else:
            draw = _draw if kind == "drag" else _point
            gestures, cells = draw(free, places, attempt)
            moves.append(Move(f"draw chain {free.index + 1}", gestures, cells))
            held[free.index] = set(free.wanted[1:])
            waiting.remove(free)
        attempt = 0  # the other ways are for the move that comes first
    return moves


def _draw(chain: _Chain, places: Mapping[Cell, Box], attempt: int) -> tuple[tuple[Gesture, ...], tuple[Cell, ...]]:
    """The gestures that draw what is missing, and the cells that they change.

    First a drag from the last cell that is right through all the others: a press there continues the chain, or cuts off
    what is wrong behind it. Then a shorter drag: a window that loses steps leads a long one astray where the chain
    turns back beside itself. Then the chain is cleared by a press on its start and begun with one step; then it is
    pulled back, for windows in which a press does not clear.
    """
    start = Click(places[chain.wanted[0]].centre)
    if len(chain.rest) == 1:  # nothing is missing, something is too much
        return _cut(chain, places, attempt), ()
    if attempt % 4 == 0:
        return (_along(chain.rest, places),), chain.rest[1:]
    if attempt % 4 == 1:
        half = chain.rest[: len(chain.rest) // 2 + 1]
        return (_along(half, places),), half[1:]
    if attempt % 4 == 2:
        return (start, _along(chain.wanted[:2], places)), chain.wanted[1:2]
    return (*(_pull(chain, places) if chain.held else (start,)), _along(chain.wanted, places)), chain.wanted[1:]


def _point(chain: _Chain, places: Mapping[Cell, Box], attempt: int) -> tuple[tuple[Gesture, ...], tuple[Cell, ...]]:
    """As :func:`_draw`, by clicks on cell after cell: the first one, on the last cell that is right, chooses the chain.
    It may be chosen already, and a click lets go of it: then without that one. Then from the start, where a click
    chooses the chain as well, and may clear it; then step by step."""
    if len(chain.rest) == 1:
        return _cut(chain, places, attempt), ()
    paths = chain.rest, chain.rest[1:], chain.wanted, chain.rest[:2]
    path = paths[attempt % len(paths)]
    return tuple(Click(places[cell].centre) for cell in path), chain.rest[1:]


def _along(path: Sequence[Cell], places: Mapping[Cell, Box]) -> Drag:
    return Drag(tuple(places[cell].centre for cell in path))


def _cut(chain: _Chain, places: Mapping[Cell, Box], attempt: int) -> tuple[Gesture, ...]:
    """Take from a chain what is not its own: by a press on its last right cell, by one on its start, by pulling, or by
    the right button on one cell after the other, from the end."""
    if attempt % 4 == 2:
        return _pull(chain, places)
    if attempt % 4 == 3:
        path = _walk(chain.wanted[0], chain.held)
        return tuple(Click(places[cell].centre, "right") for cell in path[:0:-1][: len(path) - chain.length])
    return (Click(places[chain.wanted[0 if attempt % 4 else chain.length - 1]].centre),)


def _pull(chain: _Chain, places: Mapping[Cell, Box]) -> tuple[Gesture, ...]:
    """Drag a chain back from its end to its start."""
    return (_along(_walk(chain.wanted[0], chain.held)[::-1], places),)


def _walk(start: Cell, held: set[Cell]) -> list[Cell]:
    """A path from ``start`` through as many of ``held`` as a walk without turning back meets: how the chain lies,
    where it does not touch itself."""
    path, left = [start], set(held)
    while True:
        near = [cell for cell in _neighbours(path[-1]) if cell in left]
        if not near:
            return path
        # The neighbour with the fewest ways on is the one that would be cut off otherwise.
        step = min(near, key=lambda cell: sum(n in left for n in _neighbours(cell)))
        path.append(step)
        left.discard(step)


# --- by keys ---------------------------------------------------------------------------------------------------------


def _plan_keys(chains: Sequence[_Chain], owner: Mapping[Cell, int], layout: Layout, attempt: int) -> list[Move]:
    """Which chain the keys move is not asked of the picture but seen by effect: the chain that grows is the active one.

    A chain that has begun and is not finished was moved last, so it is taken for the active one; so is one that grew
    where it should not have, and it is pulled back by the opposite keys and drawn on. When nothing grows, each further
    attempt goes on to the next chain. Once chains are finished, the active one is taken to be the last of them in the
    windows' own order, which is the order of the starts. A board on which several chains are half drawn says nothing
    about which is active, and keys for one could spoil another: it is reset.

    What has to follow the first move is planned again after it. It is named all the same, so that nobody takes that
    move for the last one, and what comes of it (an empty board, after a reset) for the next level.
    """
    keys = layout.keys
    key = partial(_key, keys)
    unfinished = [chain for chain in chains if not chain.complete]
    if not unfinished:
        return []
    begun = [chain for chain in unfinished if chain.held]
    drawn = [k for k, chain in enumerate(chains) if chain.length > 1]
    back: list[str] = []
    if begun:
        chain, tabs = begun[0], 0
        if len(begun) > 1 or attempt >= max(len(chains), 2):
            left = [(one, one.rest) for one in unfinished]
            return [Move("reset the board", (Keys((keys.reset,)),), tuple(owner)), *_afterwards(left, key)]
        path = _walk(chain.wanted[0], chain.held)
        back = [key(b, a) for a, b in pairwise(path)][chain.length - 1 :][::-1]
    elif drawn:
        last = next(k for k in drawn if not chains[(k + 1) % len(chains)].complete or k == drawn[-1])
        tabs = next(k for k in range(1, len(chains) + 1) if not chains[(last + k) % len(chains)].complete)
        chain = chains[(last + tabs) % len(chains)]
    else:
        chain, tabs = unfinished[0], 0
    if attempt:
        tabs = 1
    steps = [key(a, b) for a, b in pairwise(chain.rest)]
    # Until a chain is seen to grow, one step is enough to learn which one is active, and the least to take back.
    sent = steps if begun and not attempt else steps[:1]
    # Each chain may be the active one, so each try counts on its own until all have had their turn.
    name = f"draw chain {chain.index + 1}" + (f", try {attempt + 1}" if 0 < attempt < len(chains) else "")
    move = Move(name, (Keys((*(keys.next_chain,) * tabs, *back, *sent)),), chain.rest[1 : 1 + len(sent)])
    left = [(chain, chain.rest[len(sent) :]), *((one, one.rest) for one in unfinished if one is not chain)]
    return [move, *_afterwards(left, key)]


def _plan_letters(
    chains: Sequence[_Chain], held: int, reading: Reading[Puzzle], attempt: int
) -> tuple[list[Move], int]:
    """As :func:`_plan_keys`, in a window of which nobody has said by which letters it is played; and how many ways
    there are to do what is to be done. ``held``: how many cells chains hold."""
    unfinished = [chain for chain in chains if not chain.complete]
    if not unfinished:
        return [], 0
    begun = [chain for chain in unfinished if chain.held]
    drawn = [k for k, chain in enumerate(chains) if chain.complete and chain.held]
    if begun:
        chain, turn = begun[0], letters.Turn.OWN
    elif drawn:
        last = next(k for k in drawn if not chains[(k + 1) % len(chains)].complete or k == drawn[-1])
        following = (chains[(last + k) % len(chains)] for k in range(1, len(chains) + 1))
        chain, turn = next(one for one in following if not one.complete), letters.Turn.OTHER
    else:
        chain, turn = unfinished[0], letters.Turn.UNKNOWN
    found = cast(MutableMapping[str, letters.Found], reading.extra).setdefault(letters.NOTED, letters.Found())
    found.note(held)
    waiting = [one for one in unfinished if one is not chain]
    if chain.wrong:
        options, path, name = letters.back(), chain.wanted[:1], f"take back chain {chain.index + 1}"
    else:
        options, path, name = found.options(chain.rest, turn), chain.rest, f"draw chain {chain.index + 1}"
    if attempt >= len(options):
        return [], len(options)
    keys, sent = found.pressed(options[attempt], path, held, attempt)
    first = Move(f"{name}, try {attempt + 1}" if attempt else name, (Keys(keys),), path[1 : 1 + sent])
    left = [(chain, chain.rest if chain.wrong else chain.rest[sent:]), *((one, one.rest) for one in waiting)]
    return [first, *_afterwards(left, found.guess)], len(options)


def _afterwards(paths: Iterable[tuple[_Chain, Sequence[Cell]]], key: Callable[[Cell, Cell], str]) -> list[Move]:
    """The moves by keys that draw these paths, what is left of each chain, once it is the active one; ``key`` gives the
    key from a cell to its neighbour."""
    return [
        Move(
            f"then draw chain {chain.index + 1}", (Keys(tuple(key(*step) for step in pairwise(path))),), tuple(path[1:])
        )
        for chain, path in paths
        if len(path) > 1
    ]


def _key(keys: KeyTable, a: Cell, b: Cell) -> str:
    """The key that moves a chain's end from ``a`` to its neighbour ``b``."""
    return {(-1, 0): keys.up, (1, 0): keys.down, (0, -1): keys.left, (0, 1): keys.right}[b[0] - a[0], b[1] - a[1]]
