"""How a strange window of Cross Set looks: one style, drawn by lot, in which a person can read the board, and where the
glyphs of a cell stand in it. Draws nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from autoplayer.games.cross_set.puzzle import LARGEST_WITHOUT_COMMAS, Candidates, Puzzle
from bench.reading import grounds, palette, strange
from bench.reading.face import Face
from bench.reading.faces import Side
from bench.reading.palette import Theme, luma
from bench.reading.strange import Random, choose, within

WALLS = {
    "walls-tiles": 3.0, "walls-thick": 2.0, "walls-thin": 2.0, "walls-rounded": 2.5, "walls-hairline": 0.7,
    "walls-framed-tiles": 1.5, "walls-none": 0.5,
}  # fmt: skip
WALLS_HELD = {"walls-bevel": 0.8, "walls-underlined": 0.4}
ARRANGEMENTS = {
    "row": 4.0, "row-middle": 1.0, "two-rows": 2.5, "column": 1.0, "slots": 1.2, "corner": 0.8, "wrapped": 1.2,
}  # fmt: skip
"""``row``: one line, on one baseline (``row-middle``: one middle). ``two-rows``: the active one above, the others in a
line below. ``column``: the active one at the left, the others one below the other. ``slots``: pencil marks, each number
in its own place. ``corner``: the active one in the middle, the others small along the top. ``wrapped``: all of one
size, line after line."""
ARRANGEMENTS_HELD = {"below-wrapped": 0.8}
BETWEEN = {"": 6.0, "comma": 1.0, "dot": 0.4}
BETWEEN_LARGE = {"": 5.0, "comma": 3.0, "slash": 1.2, "middle-dot": 1.0, "dot": 0.3}
"""Where numbers have two digits windows part them more often."""
SIGNS = {"comma": ",", "dot": ".", "middle-dot": "·", "slash": "/"}
SIGN_WIDTHS = {",": 0.25, ".": 0.25, "·": 0.25, "/": 0.38}
"""What a sign takes of a line, as a share of the numbers' height."""
HELD_LOOKS = (*WALLS_HELD, *ARRANGEMENTS_HELD)
"""Looks of boards that only the held side has."""

SLOT_COLUMNS = {2: 2, 3: 2, 4: 2, 5: 3, 6: 3, 7: 3, 8: 3, 9: 3}


@dataclass(frozen=True)
class Mark:
    """One glyph of a cell: where its middle is from the middle of the cell, and how high it is, pixels."""

    text: str
    x: float
    y: float
    height: float
    active: bool


@dataclass(frozen=True)
class Look:
    """One window's style; lengths in pixels of the unscaled window."""

    side: Side
    size: tuple[int, int]
    across: float
    down: float
    left: float
    top: float
    walls: str
    ground: str
    thick: float
    gap: float
    radius: float
    arrangement: str
    between: str
    ink: float
    """The height of an active 8."""
    small: float
    """The height of another 8."""
    spread: float
    """The distance between two glyphs, as a share of their height."""
    dim: float
    """How much of the cell's colour is in the other candidates."""
    active_tint: bool
    locked: str
    dots: bool
    cursor: bool
    crisp: bool
    hinted: bool
    snap: bool
    enlarged: float
    overflow: bool
    share: float
    colours: Theme
    face: Face

    @property
    def pitch(self) -> float:
        return min(self.across, self.down)


@lru_cache(maxsize=1024)
def _proportion(face: Face, text: str) -> float:
    """The width that a line keeps free for ``text``, as a multiple of an 8's height."""
    # Drawn digits, even a 1, are as wide as an 8. A glyph stands in the middle of its line, its ink need not: a 1 of
    # segments at the right of its place would else lie over its neighbour.
    glyph = face.glyph(text if face.kind == "installed" else "8" * len(text), 40.0)
    return float((glyph.coverage.shape[1] + 2 * abs(glyph.dx)) / 40)


def _width(face: Face, text: str, height: float) -> float:
    return _proportion(face, text) * height


def _line(face: Face, parts: Sequence[tuple[str, float, bool]], spread: float, middle: bool) -> list[Mark]:
    """Glyphs side by side around 0, on one baseline (or one middle); ``parts``: text, height, active."""
    marks: list[Mark] = []
    x = 0.0
    tallest = max(height for _, height, _ in parts)
    for i, (text, height, active) in enumerate(parts):
        wide = SIGN_WIDTHS[text] * height if text in SIGN_WIDTHS else _width(face, text, height)
        if i:
            x += spread * (height * 0.5 if text in SIGN_WIDTHS else min(height, parts[i - 1][1]))
        y = 0.0 if middle else (tallest - height) / 2
        marks.append(Mark(text, x + wide / 2, y, height, active))
        x += wide
    return [replace(mark, x=mark.x - x / 2) for mark in marks]


def _parted(line: Sequence[tuple[str, float, bool]], look: Look, size: int = 0) -> list[tuple[str, float, bool]]:
    """The numbers of a line with the window's signs between them; lines of others have some on large boards only."""
    if not look.between or (size and size <= LARGEST_WITHOUT_COMMAS):
        return list(line)
    parts = [line[0]]
    for part in line[1:]:
        parts += [(SIGNS[look.between], look.small, False), part]
    return parts


@lru_cache(maxsize=64)
def _inner_gap(face: Face) -> float:
    """The widest gap within a number of two digits, as a share of their height."""
    widest = 0
    for text in ("10", "11", "12"):
        inked = np.flatnonzero((face.glyph(text, 40.0).coverage > 0.3).any(axis=0))
        widest = max(widest, int(np.diff(inked).max(initial=1)) - 1)
    return widest / 40


def arranged(look: Look, candidates: Candidates, size: int) -> list[Mark]:
    """The glyphs of a cell."""
    face, first, rest = look.face, str(candidates[0]), [str(n) for n in candidates[1:]]
    if look.arrangement == "slots":
        columns = SLOT_COLUMNS.get(size, 4)
        rows = -(-size // columns)
        wide, tall = (look.across - look.gap) * 0.86, (look.down - look.gap) * 0.86
        return [
            Mark(
                str(n),
                ((n - 1) % columns + 0.5) * wide / columns - wide / 2,
                ((n - 1) // columns + 0.5) * tall / rows - tall / 2,
                look.ink if n == candidates[0] else look.small,
                n == candidates[0],
            )
            for n in sorted(candidates)
        ]
    if not rest:
        return [Mark(first, 0.0, 0.0, look.ink, True)]
    small = [(text, look.small, False) for text in rest]
    if look.between and look.arrangement in ("row", "row-middle"):
        parts = _parted([(first, look.ink, True), *small], look)
        return _line(face, parts, look.spread, look.arrangement == "row-middle")
    if look.arrangement in ("row", "row-middle"):
        return _line(face, [(first, look.ink, True), *small], look.spread, look.arrangement == "row-middle")
    lead = look.small * 1.35
    if look.arrangement == "wrapped":
        columns = 2 if len(candidates) <= 4 else 3
        parts = [(first, look.ink, True), *small]
        lines = [_line(face, parts[i : i + columns], look.spread, False) for i in range(0, len(parts), columns)]
        return [
            replace(mark, y=mark.y + (i - (len(lines) - 1) / 2) * look.ink * 1.35)
            for i, line in enumerate(lines)
            for mark in line
        ]
    if look.arrangement in ("two-rows", "below-wrapped"):
        columns = len(small) if look.arrangement == "two-rows" else 3
        lines = [
            _line(face, _parted(small[i : i + columns], look, size), look.spread, False)
            for i in range(0, len(small), columns)
        ]
        high = look.ink + 0.3 * look.small + lead * len(lines)
        marks = [Mark(first, 0.0, look.ink / 2 - high / 2, look.ink, True)]
        for i, line in enumerate(lines):
            y = -high / 2 + look.ink + 0.3 * look.small + lead * (i + 0.5)
            marks += [replace(mark, y=mark.y + y) for mark in line]
        return marks
    if look.arrangement == "corner":
        top = -(look.down - look.gap) * 0.46 + look.small / 2 + look.thick
        low = look.small * 0.6
        return [
            Mark(first, 0.0, low, look.ink, True),
            *(replace(m, y=top) for m in _line(face, small, look.spread, False)),
        ]
    # column: the others below one another, in as many columns as there is room for
    per = max(int((look.down - look.gap - 2 * look.thick) * 0.9 / lead), 1)
    groups = [small[i : i + per] for i in range(0, len(small), per)]
    wide = max(_width(face, text, look.small) for text, _, _ in small)
    own = _width(face, first, look.ink)
    step = wide + look.spread * look.small
    total = own + step * len(groups)
    marks = [Mark(first, own / 2 - total / 2, 0.0, look.ink, True)]
    for j, group in enumerate(groups):
        for i, (text, height, _) in enumerate(group):
            x = own - total / 2 + step * (j + 1) - wide / 2
            marks.append(Mark(text, x, (i - (len(group) - 1) / 2) * lead, height, False))
    return marks


def _extent(look: Look, puzzle: Puzzle) -> tuple[float, float]:
    """How much of the room in its cell the fullest cell takes, across and down; more than 1 is too much."""
    wide = tall = 0.0
    high = look.face.glyph("8", 40.0).coverage.shape[0] / 40
    for row in puzzle.rows:
        for cell in row:
            for mark in arranged(look, cell, puzzle.size):
                own = SIGN_WIDTHS.get(mark.text, 0.0) * mark.height or _width(look.face, mark.text, mark.height)
                wide = max(wide, 2 * abs(mark.x) + own)
                tall = max(tall, 2 * abs(mark.y) + mark.height * max(high, 1.0))
    inner = 2 * look.thick + look.gap
    return wide / (look.across - inner), tall / (look.down - inner)


@dataclass(frozen=True)
class _Lattice:
    """Where the board stands in the unscaled window: fields as in :class:`Look`."""

    size: tuple[int, int]
    across: float
    down: float
    left: float
    top: float
    dots: bool


def _lattice(rng: Random, cells: int, crisp: bool, enlarged: float) -> _Lattice | None:
    """``cells``: of a row. None where no window has room for the board."""
    oblong = choose(rng, {1.0: 6.0, 1.15: 1.0, 1.27: 1.5, 1.4: 1.0})
    least = 34 / enlarged
    fitting = [
        s for s in strange.WINDOWS if min(s[0] / enlarged / cells / oblong, s[1] / enlarged / cells) * 0.8 > least
    ]
    if not fitting:
        return None
    width, height = fitting[int(rng.integers(len(fitting)))]
    size = (round(width / enlarged), round(height / enlarged))
    most = min(size[0] / cells / oblong, size[1] / cells, 160 / enlarged) * 0.86
    down = float(np.exp(rng.uniform(np.log(max(least, 0.45 * most)), np.log(most))))
    if crisp or rng.random() < 0.4:
        down = float(int(down))
    across = down * oblong
    if crisp or rng.random() < 0.4:
        across = float(round(across))
    fx, fy = (0.5, 0.5) if rng.random() < 0.5 else (rng.random(), rng.random())
    dots = rng.random() < 0.3
    margin = 0.35 * down if dots else 4.0
    left = margin + (size[0] - across * cells - 2 * margin) * fx
    top = margin + (size[1] - down * cells - 2 * margin) * fy
    if left < 0 or top < 0:
        return None
    if crisp:
        left, top = float(round(left)), float(round(top))
    return _Lattice(size, across, down, left, top, dots)


@dataclass(frozen=True)
class _Walls:
    """The window's colours, and what stands between two cells: fields as in :class:`Look`. ``wavering``: how much the
    ground differs from place to place."""

    colours: Theme
    wavering: float
    thick: float
    gap: float


def _walls(rng: Random, walls: str, ground: str, pitch: float) -> _Walls:
    tiles = walls in ("walls-tiles", "walls-bevel", "walls-framed-tiles")
    filled = tiles or (walls not in ("walls-none", "walls-underlined") and rng.random() < 0.6)
    wavering = 0.0 if ground == "plain" else within(rng, 8, 34)
    colours = palette.theme(rng, filled=filled, apart=14 + wavering if tiles else 8.0, wavering=wavering)
    thick = {
        "walls-thick": max(pitch * within(rng, 0.03, 0.08), 2.0),
        "walls-rounded": max(1.0, pitch * within(rng, 0.015, 0.05)),
        "walls-framed-tiles": max(1.0, pitch * within(rng, 0.02, 0.05)),
        "walls-bevel": max(1.0, pitch * within(rng, 0.03, 0.06)),
        "walls-tiles": 0.0,
        "walls-none": 0.0,
    }.get(walls, 1.0)
    gap = pitch * within(rng, 0.03, 0.2) if tiles else 0.0
    if walls == "walls-rounded" and rng.random() < 0.5:
        gap = pitch * within(rng, 0.04, 0.15)
    gap = max(gap, 2.0) if gap else 0.0
    if walls == "walls-hairline":
        up = -1 if luma(colours.fill) > 128 else 1
        colours = replace(colours, wall=palette.toned(0, 0, luma(colours.fill) + up * within(rng, 14, 26)))
    return _Walls(colours, wavering, thick, gap)


def look_for(rng: Random, seed: int, side: Side, puzzle: Puzzle) -> Look | None:
    """A style in which ``puzzle`` can be shown legibly; None where this draw has none."""
    held = side == "held"
    most_in_cell = max(len(cell) for row in puzzle.rows for cell in row)
    crisp = rng.random() < 0.1
    walls = choose(rng, WALLS | (WALLS_HELD if held else {}))
    arrangement = choose(rng, ARRANGEMENTS | (ARRANGEMENTS_HELD if held else {}))
    if walls == "walls-none" and arrangement in ("slots", "corner", "column"):
        walls = "walls-thin"
    ground = choose(rng, grounds.GROUNDS | (grounds.GROUNDS_HELD if held else {})) if not crisp else "plain"
    if walls in ("walls-none", "walls-hairline", "walls-underlined") and ground in ("texture", "photo", "stripes"):
        ground = "plain"
    enlarged = choose(rng, {1.0: 3.0, 2.0: 3.0, 3.0: 2.0}) if crisp else 1.0
    face = strange.face_for(rng, seed, side, crisp)
    lattice = _lattice(rng, puzzle.size, crisp, enlarged)
    if lattice is None:
        return None
    pitch = min(lattice.across, lattice.down)
    between = _walls(rng, walls, ground, pitch)
    overflow = arrangement in ("row", "row-middle", "two-rows") and rng.random() < 0.04 and most_in_cell > 2
    ratio = choose(rng, {0.62: 3.0, 0.5: 2.0, 0.75: 2.0, 0.33: 1.0, 1.0: 1.5})
    if arrangement in ("slots", "wrapped"):
        ratio = choose(rng, {1.0: 5.0, 0.8: 2.0})
    elif arrangement in ("column", "corner"):
        ratio = min(ratio, 0.62)
    dim = choose(rng, {0.0: 3.0, 0.25: 2.0, 0.45: 2.0})
    tint = rng.random() < 0.15
    if ratio > 0.9 and arrangement == "slots":
        dim = max(dim, 0.25)
    if between.colours.name == "low-contrast":
        dim = min(dim, 0.25)
    rounded = walls in ("walls-rounded", "walls-tiles") and rng.random() < 0.7
    signs = BETWEEN_LARGE if puzzle.size > LARGEST_WITHOUT_COMMAS else BETWEEN
    look = Look(
        side=side, size=lattice.size, across=lattice.across, down=lattice.down, left=lattice.left, top=lattice.top,
        walls=walls, ground=ground, thick=between.thick, gap=between.gap,
        radius=pitch * within(rng, 0.05, 0.25) if rounded else 0.0,
        arrangement=arrangement, between=choose(rng, signs) if face.kind == "installed" else "", ink=1.0, small=1.0,
        spread=within(rng, 0.22, 0.5), dim=dim, active_tint=tint,
        locked=choose(rng, {"": 3.0, "fill": 4.0, "ink": 0.8, "outline": 0.6}), dots=lattice.dots,
        cursor=rng.random() < 0.25, crisp=crisp, hinted=rng.random() < 0.55, snap=rng.random() < 0.6, enlarged=enlarged,
        overflow=overflow, share=choose(rng, {0.0: 1.0, 0.35: 2.0, 0.8: 2.0}), colours=between.colours, face=face,
    )  # fmt: skip
    if puzzle.size > LARGEST_WITHOUT_COMMAS and not (look.between and arrangement in ("row", "row-middle")):
        # Nobody could tell "1 2" from "12" in a window that parts numbers no more than it parts their digits.
        look = replace(look, spread=look.spread + 1.1 * _inner_gap(face))
    needed = strange.least_ink(face, crisp, between.colours, between.wavering)
    return _sized(look, puzzle, pitch * within(rng, 0.3, 0.6), ratio, needed)


def _sized(look: Look, puzzle: Puzzle, ink: float, ratio: float, needed: float) -> Look | None:
    """``look`` with active numbers ``ink`` pixels high, or with the largest that fit; the others have ``ratio`` of
    that, but at least what is ``needed``. None where nobody could read them."""
    room = 1.12 if look.overflow else 0.94
    for _ in range(14):
        small = max(ink * ratio, needed + 0.5)
        sized = replace(look, ink=max(ink, small), small=small)
        if look.face.kind == "pixel":
            heights = [float(look.face.glyph("8", h).coverage.shape[0]) for h in (sized.ink, small)]
            sized = replace(sized, ink=heights[0], small=heights[1])
        across, down = _extent(sized, puzzle)
        spare = look.overflow and across < 1.0
        if across <= room and down <= 0.96 and not (spare and ink < look.pitch * 0.6) and _in_place(sized, puzzle.size):
            return sized if look.arrangement not in ("slots", "corner") or _active_seen(sized) else None
        if spare:
            return None
        ink *= 0.9
    return None


def _in_place(look: Look, size: int) -> bool:
    """Whether the active number lies over no other, and no number reaches out of its slot."""
    tall, wide = look.down - look.gap, look.across - look.gap
    if look.arrangement == "corner":
        return look.ink / 2 + 2.1 * look.small <= 0.5 * tall + 0.6 * look.small
    if look.arrangement == "slots":
        columns = SLOT_COLUMNS.get(size, 4)
        widest = max(_width(look.face, str(n), look.ink) for n in range(1, size + 1))
        return look.ink * 1.3 <= tall * 0.86 / -(-size // columns) and widest * 1.2 <= wide * 0.86 / columns
    return True


def _active_seen(look: Look) -> bool:
    """Whether anybody could see which number of a cell is the active one where its place does not say: the upper one of
    two equal ones may be the first of two rows, or another one above the active one."""
    colours = look.colours
    tinted = look.active_tint and abs(luma(colours.accents[1]) - luma(colours.fill)) > 60
    return tinted or look.dim > 0.1 or look.small < 0.9 * look.ink
