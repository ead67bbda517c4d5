"""Cross Set in strange windows: one board in a random style, with its truth. Colours, typefaces and damage come from
``strange`` and ``faces``; here are only the board and the ways in which a cell shows its candidates.

The truth is the order in which clicks bring the candidates up. Where a window keeps each number in a slot of its own,
the order that counts is the active number, those behind it, then those before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.puzzle import (
    LARGEST_WITHOUT_COMMAS,
    Candidates,
    Puzzle,
    faults,
    format_puzzle,
    parse,
)
from autoplayer.games.cross_set.solver import solve
from bench.reading import strange
from bench.reading.faces import STROKE_FACES, Face, Side
from bench.reading.strange import (
    Area,
    Canvas,
    Colour,
    Random,
    Sample,
    Series,
    Theme,
    choose,
    legible_on,
    luma,
    mix,
    within,
)

LEVELS = Path(__file__).resolve().parents[3] / "shared/levels/cross-set"
"""Levels of remakes, beside the project on some machines; boards made here take their place elsewhere."""

SOLVE_SECONDS = 2.0

SIZES_LARGE = {10: 3.0, 11: 1.0, 12: 3.0, 14: 0.6, 16: 0.6}
"""Sizes of boards with numbers of two digits: the larger ones only fit into large windows."""


# What stands on a board -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Content:
    puzzle: Puzzle
    origin: str


@lru_cache(maxsize=1)
def _levels() -> tuple[Puzzle, ...]:
    puzzles = []
    for path in sorted(LEVELS.glob("*.txt")) if LEVELS.is_dir() else []:
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            try:
                puzzle = parse(block)
            except PuzzleError:
                continue
            if 4 <= puzzle.size <= 9 and not faults(puzzle):
                puzzles.append(puzzle)
    return tuple(puzzles)


def _square(rng: Random, size: int) -> list[list[int]]:
    """A Latin square: a cyclic one, shuffled."""
    rows, columns, numbers = (rng.permutation(size) for _ in range(3))
    return [[int(numbers[(r + c) % size]) + 1 for c in columns] for r in rows]


def made(rng: Random, size: int, most: int) -> Puzzle:
    """A board with one solution and up to ``most`` candidates in a cell: a Latin square, and further candidates as long
    as there is no second solution; each cell's in any order."""
    square = _square(rng, size)
    cells: list[list[Candidates]] = [[(n,) for n in row] for row in square]
    places = [(r, c) for r in range(size) for c in range(size)]
    for start in range(0, 3 * size):
        chosen = [places[int(i)] for i in rng.choice(len(places), max(size * most // 4, 2), replace=False)]
        before = [list(row) for row in cells]
        for r, c in chosen:
            free = [n for n in range(1, size + 1) if n not in cells[r][c]]
            if free and len(cells[r][c]) < most:
                cells[r][c] += (int(rng.choice(free)),)
        board = Puzzle(tuple(map(tuple, cells)))
        if solve(board, time_limit=SOLVE_SECONDS).unique is not True:
            cells = before
            if start > size and all(len(cell) > 1 for row in cells for cell in row):
                break
    return Puzzle(tuple(tuple(tuple(int(n) for n in rng.permutation(cell)) for cell in row) for row in cells))


def _content(seed: int, side: Side, most: int, large: bool = False) -> Content:
    rng = strange.stream(seed, "content", side, *(("large",) if large else ()))
    if large:
        size = choose(rng, SIZES_LARGE)
        return Content(made(rng, size, min(choose(rng, {2: 1.0, 3: 3.0, 4: 2.0, 5: 1.0}), most)), "generated")
    levels = [p for p in _levels() if max(len(cell) for row in p.rows for cell in row) <= most]
    if levels and rng.random() < 0.4:
        puzzle = levels[int(rng.integers(len(levels)))]
        # Some clicks were made already: the truth is what stands there now.
        turns = rng.integers(0, 9, (puzzle.size, puzzle.size)) * (rng.random() < 0.5)
        rows = tuple(
            tuple(cell[t % len(cell) :] + cell[: t % len(cell)] for cell, t in zip(row, turn, strict=True))
            for row, turn in zip(puzzle.rows, turns.tolist(), strict=True)
        )
        return Content(Puzzle(rows), "level")
    size = choose(rng, {4: 2.0, 5: 2.0, 6: 2.0, 7: 2.0, 8: 1.5, 9: 2.0})
    return Content(
        made(rng, size, min(choose(rng, {2: 1.0, 3: 3.0, 4: 2.0, 5: 1.5, 7: 0.5, 9: 0.7}), most, size)), "generated"
    )


# How a board looks ----------------------------------------------------------------------------------------------------

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

ORDINARY_HEIGHT = 8.0
"""Pixels: digits at least this high in ordinary windows."""

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


def _look(rng: Random, seed: int, side: Side, puzzle: Puzzle) -> Look | None:
    """A style in which ``puzzle`` can be shown legibly; None where this draw has none."""
    held = side == "held"
    size = puzzle.size
    most_in_cell = max(len(cell) for row in puzzle.rows for cell in row)
    crisp = rng.random() < 0.1
    walls = choose(rng, WALLS | (WALLS_HELD if held else {}))
    arrangement = choose(rng, ARRANGEMENTS | (ARRANGEMENTS_HELD if held else {}))
    if walls == "walls-none" and arrangement in ("slots", "corner", "column"):
        walls = "walls-thin"
    ground = choose(rng, strange.GROUNDS | (strange.GROUNDS_HELD if held else {})) if not crisp else "plain"
    if walls in ("walls-none", "walls-hairline", "walls-underlined") and ground in ("texture", "photo", "stripes"):
        ground = "plain"
    enlarged = choose(rng, {1.0: 3.0, 2.0: 3.0, 3.0: 2.0}) if crisp else 1.0
    face = strange.face_for(rng, seed, side, crisp)
    oblong = choose(rng, {1.0: 6.0, 1.15: 1.0, 1.27: 1.5, 1.4: 1.0})

    least = 34 / enlarged
    fitting = [s for s in strange.WINDOWS if min(s[0] / enlarged / size / oblong, s[1] / enlarged / size) * 0.8 > least]
    if not fitting:
        return None
    width, height = fitting[int(rng.integers(len(fitting)))]
    window = (round(width / enlarged), round(height / enlarged))
    most = min(window[0] / size / oblong, window[1] / size, 160 / enlarged) * 0.86
    down = float(np.exp(rng.uniform(np.log(max(least, 0.45 * most)), np.log(most))))
    if crisp or rng.random() < 0.4:
        down = float(int(down))
    across = down * oblong
    if crisp or rng.random() < 0.4:
        across = float(round(across))
    wide, tall = across * size, down * size
    fx, fy = (0.5, 0.5) if rng.random() < 0.5 else (rng.random(), rng.random())
    dots = rng.random() < 0.3
    margin = 0.35 * down if dots else 4.0
    left, top = margin + (window[0] - wide - 2 * margin) * fx, margin + (window[1] - tall - 2 * margin) * fy
    if left < 0 or top < 0:
        return None
    if crisp:
        left, top = float(round(left)), float(round(top))

    tiles = walls in ("walls-tiles", "walls-bevel", "walls-framed-tiles")
    filled = tiles or (walls not in ("walls-none", "walls-underlined") and rng.random() < 0.6)
    wavering = 0.0 if ground == "plain" else within(rng, 8, 34)
    colours = strange.theme(rng, filled=filled, apart=14 + wavering if tiles else 8.0, wavering=wavering)
    pitch = min(across, down)
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
        shade = strange.toned(0, 0, luma(colours.fill) + up * within(rng, 14, 26))
        colours = replace(colours, wall=shade)
    if walls == "walls-none":
        gap = 0.0
    needed = max(face.least, 6 if crisp else 7)
    needed += 2 if colours.name == "low-contrast" or wavering else 0
    if crisp and face.kind != "pixel":
        needed = max(needed, 9)
    overflow = arrangement in ("row", "row-middle", "two-rows") and rng.random() < 0.04 and most_in_cell > 2
    ratio = choose(rng, {0.62: 3.0, 0.5: 2.0, 0.75: 2.0, 0.33: 1.0, 1.0: 1.5})
    if arrangement in ("slots", "wrapped"):
        ratio = choose(rng, {1.0: 5.0, 0.8: 2.0})
    elif arrangement in ("column", "corner"):
        ratio = min(ratio, 0.62)
    dim = choose(rng, {0.0: 3.0, 0.25: 2.0, 0.45: 2.0})
    tint = rng.random() < 0.15
    if ratio > 0.9 and arrangement in ("slots",):
        dim = max(dim, 0.25)
    if colours.name == "low-contrast":
        dim = min(dim, 0.25)
    rounded = walls in ("walls-rounded", "walls-tiles") and rng.random() < 0.7
    signs = BETWEEN_LARGE if size > LARGEST_WITHOUT_COMMAS else BETWEEN
    look = Look(
        side=side, size=window, across=across, down=down, left=left, top=top, walls=walls, ground=ground, thick=thick,
        gap=gap, radius=pitch * within(rng, 0.05, 0.25) if rounded else 0.0,
        arrangement=arrangement, between=choose(rng, signs) if face.kind == "installed" else "", ink=1.0, small=1.0,
        spread=within(rng, 0.22, 0.5), dim=dim, active_tint=tint,
        locked=choose(rng, {"": 3.0, "fill": 4.0, "ink": 0.8, "outline": 0.6}), dots=dots,
        cursor=rng.random() < 0.25, crisp=crisp, hinted=rng.random() < 0.55, snap=rng.random() < 0.6, enlarged=enlarged,
        overflow=overflow, share=choose(rng, {0.0: 1.0, 0.35: 2.0, 0.8: 2.0}), colours=colours, face=face,
    )  # fmt: skip
    if size > LARGEST_WITHOUT_COMMAS and not (look.between and arrangement in ("row", "row-middle")):
        # Nobody could tell "1 2" from "12" in a window that parts numbers no more than it parts their digits.
        look = replace(look, spread=look.spread + 1.1 * _inner_gap(face))
    # The largest glyphs that fit, or somewhat smaller ones.
    ink = pitch * within(rng, 0.3, 0.6)
    room = 1.12 if overflow else 0.94
    for _ in range(14):
        small = max(ink * ratio, needed + 0.5)
        sized = replace(look, ink=max(ink, small), small=small)
        if face.kind == "pixel":
            heights = [float(face.glyph("8", h).coverage.shape[0]) for h in (sized.ink, small)]
            sized = replace(sized, ink=heights[0], small=heights[1])
        extent = _extent(sized, puzzle)
        if extent[0] <= room and extent[1] <= 0.96 and not (overflow and extent[0] < 1.0 and ink < pitch * 0.6):
            if arrangement == "corner" and sized.ink / 2 + 2.1 * sized.small > 0.5 * (down - gap) + 0.6 * sized.small:
                ink *= 0.9
                continue
            if arrangement == "slots" and (
                sized.ink * 1.3 > (down - gap) * 0.86 / -(-size // SLOT_COLUMNS.get(size, 4))
                or max(_width(face, str(n), sized.ink) for n in range(1, size + 1)) * 1.2
                > (across - gap) * 0.86 / SLOT_COLUMNS.get(size, 4)
            ):
                ink *= 0.9
                continue
            return sized if arrangement not in ("slots", "corner") or _active_seen(sized) else None
        if overflow and extent[0] < 1.0:
            return None
        ink *= 0.9
    return None


def _active_seen(look: Look) -> bool:
    """Whether anybody could see which number of a cell is the active one where its place does not say: the upper one of
    two equal ones may be the first of two rows, or another one above the active one."""
    colours = look.colours
    tinted = look.active_tint and abs(luma(colours.accents[1]) - luma(colours.fill)) > 60
    return tinted or look.dim > 0.1 or look.small < 0.9 * look.ink


class Board:
    """One board being drawn in one look."""

    def __init__(self, canvas: Canvas, look: Look, puzzle: Puzzle, rng: Random) -> None:
        self.canvas, self.look, self.puzzle = canvas, look, puzzle
        singles = [(r, c) for r, row in enumerate(puzzle.rows) for c, cell in enumerate(row) if len(cell) == 1]
        others = [(r, c) for r, row in enumerate(puzzle.rows) for c, cell in enumerate(row) if len(cell) > 1]
        self.locked: set[Cell] = set()
        if look.locked:
            self.locked |= set(singles) if rng.random() < 0.6 else set()
            share = choose(rng, {0.0: 2.0, 0.1: 2.0, 0.35: 1.0})
            self.locked |= {cell for cell in others if rng.random() < share}
            if len(self.locked) == puzzle.size**2:
                self.locked.clear()
        self.cursor = (int(rng.integers(puzzle.size)), int(rng.integers(puzzle.size))) if look.cursor else None
        self.lock_colour = self._apart(look.colours.accents[0])
        self.accent = look.colours.accents[1]
        self.unfinished = (
            {(kind, i) for kind in ("row", "column") for i in range(puzzle.size) if rng.random() < 0.6}
            if look.dots
            else set()
        )

    def _apart(self, tint: Colour) -> Colour:
        """``tint``, or a shade of it, that is plainly another colour than a cell's."""
        fill = self.look.colours.fill
        if max(abs(a - b) for a, b in zip(tint, fill, strict=True)) > 50:
            return tint
        return strange.toned(0.0, 0.8, luma(fill) + (60 if luma(fill) < 128 else -60))

    def area(self, cell: Cell) -> Area:
        """The cell with half of each wall or gap around it."""
        look = self.look
        x, y = look.left + cell[1] * look.across, look.top + cell[0] * look.down
        return x, y, x + look.across, y + look.down

    def tile(self, cell: Cell) -> Area:
        x0, y0, x1, y1 = self.area(cell)
        half = self.look.gap / 2
        return x0 + half, y0 + half, x1 - half, y1 - half

    def lattice(self) -> Area:
        look, size = self.look, self.puzzle.size
        return look.left, look.top, look.left + size * look.across, look.top + size * look.down

    def fill(self, cell: Cell) -> Colour:
        return self.lock_colour if cell in self.locked and self.look.locked == "fill" else self.look.colours.fill

    def draw(self) -> None:
        look, canvas, colours = self.look, self.canvas, self.look.colours
        size = self.puzzle.size
        cells = [(r, c) for r in range(size) for c in range(size)]
        for cell in cells:
            fill = self.fill(cell)
            if fill != colours.background:
                canvas.rectangle(self.tile(cell), fill, look.radius)
        for cell in cells:
            self._wall(cell)
        if look.locked == "outline":
            for cell in self.locked:
                x0, y0, x1, y1 = self.tile(cell)
                inset = look.thick
                canvas.outline(
                    (x0 + inset, y0 + inset, x1 - inset, y1 - inset),
                    self.lock_colour,
                    max(look.pitch * 0.03, 1.0),
                    look.radius,
                )
        if self.cursor:
            thick = max(look.pitch * 0.04, 1.5)
            x0, y0, x1, y1 = self.tile(self.cursor)
            canvas.outline(
                (x0 - thick / 2, y0 - thick / 2, x1 + thick / 2, y1 + thick / 2), self.accent, thick, look.radius
            )
        for cell in cells:
            self._marks(cell)
        radius = 0.1 * look.down
        for kind, i in sorted(self.unfinished):
            x0, y0, x1, y1 = self.area((i, size - 1) if kind == "row" else (size - 1, i))
            x, y = (x1 + 2 * radius, (y0 + y1) / 2) if kind == "row" else ((x0 + x1) / 2, y1 + 2 * radius)
            canvas.disc(x, y, radius, self.accent)

    def _wall(self, cell: Cell) -> None:
        look, canvas, wall = self.look, self.canvas, self.look.colours.wall
        x0, y0, x1, y1 = self.area(cell)
        if look.walls in ("walls-thick", "walls-thin", "walls-hairline"):
            for line in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
                canvas.bar(line, wall, look.thick)
        elif look.walls == "walls-underlined":
            canvas.bar((x0 + 0.1 * look.across, y1, x1 - 0.1 * look.across, y1), wall, look.thick)
        elif look.walls in ("walls-rounded", "walls-framed-tiles"):
            canvas.outline(self.tile(cell), wall, look.thick, look.radius)
        elif look.walls == "walls-bevel":
            x0, y0, x1, y1 = self.tile(cell)
            t, fill = look.thick, self.fill(cell)
            light, dark = mix(fill, (255, 255, 255), 0.55), mix(fill, (0, 0, 0), 0.45)
            for area, shade in (
                ((x0, y0, x1, y0 + t), light), ((x0, y0, x0 + t, y1), light),
                ((x0, y1 - t, x1, y1), dark), ((x1 - t, y0, x1, y1), dark),
            ):  # fmt: skip
                canvas.rectangle(area, shade)

    def middle(self, cell: Cell) -> tuple[float, float]:
        x0, y0, x1, y1 = self.area(cell)
        return (x0 + x1) / 2, (y0 + y1) / 2

    def _marks(self, cell: Cell) -> None:
        look, colours = self.look, self.look.colours
        under = self.fill(cell)
        ink = legible_on(under, colours.ink, min(colours.contrast * 0.8, 80))
        if cell in self.locked and look.locked == "ink" and abs(luma(self.lock_colour) - luma(under)) > 45:
            ink = self.lock_colour
        x, y = self.middle(cell)
        for mark in arranged(look, self.puzzle.rows[cell[0]][cell[1]], self.puzzle.size):
            colour = ink
            if mark.active and look.active_tint and abs(luma(self.accent) - luma(under)) > 60:
                colour = self.accent
            if not mark.active:
                colour = mix(ink, under, look.dim)
            if mark.text in SIGN_WIDTHS:
                self._sign(mark, x, y, colour)
            else:
                self.canvas.glyph(look.face, mark.text, x + mark.x, y + mark.y, mark.height, colour, look.crisp)

    def _sign(self, mark: Mark, x: float, y: float, colour: Colour) -> None:
        """A comma or full stop, its foot at the line's; a dot in the middle of the line, or a slash as high as it."""
        r = max(mark.height * 0.08, 0.6)
        if mark.text == "/":
            x, y, half, lean = x + mark.x, y + mark.y, mark.height / 2, 0.14 * mark.height
            thick = max(0.6 * r, 0.5)
            corners = ((lean - thick, -half), (lean + thick, -half), (thick - lean, half), (-lean - thick, half))
            self.canvas.polygon([(x + dx, y + dy) for dx, dy in corners], colour)
            return
        if mark.text == "·":
            self.canvas.disc(x + mark.x, y + mark.y, r, colour)
            return
        x, y = x + mark.x, y + mark.y + mark.height / 2 - r
        self.canvas.disc(x, y, r, colour)
        if mark.text == ",":
            self.canvas.polygon([(x + r, y), (x - r * 1.4, y + 3 * r), (x - r * 0.3, y)], colour)


def _lines_have_signs(look: Look, puzzle: Puzzle) -> bool:
    return puzzle.size > LARGEST_WITHOUT_COMMAS and look.arrangement in ("two-rows", "below-wrapped")


def _tags(look: Look, puzzle: Puzzle) -> set[str]:
    most = max(len(cell) for row in puzzle.rows for cell in row)
    tags = {
        look.walls, look.arrangement, f"ground-{look.ground}", f"theme-{look.colours.name}", f"face-{look.face.kind}",
        f"size-{puzzle.size}", f"most-{most}",
    }  # fmt: skip
    for name, yes in {
        "crisp": look.crisp,
        "enlarged": look.enlarged != 1,
        "dim-others": look.dim > 0,
        "active-tint": look.active_tint,
        "same-size": look.small > 0.95 * look.ink,
        "tiny-others": look.small < 0.4 * look.ink,
        "oblong": look.across > 1.05 * look.down,
        "dots": look.dots,
        "cursor": look.cursor,
        f"locked-{look.locked}": bool(look.locked),
        f"between-{look.between}": bool(look.between)
        and (look.arrangement in ("row", "row-middle") or _lines_have_signs(look, puzzle))
        and most > 1,
        "overflow": look.overflow,
        "cell-under-45": look.pitch * look.enlarged < 45,
        "cell-over-100": look.pitch * look.enlarged > 100,
    }.items():
        if yes:
            tags.add(name)
    return tags


def _truth(look: Look, puzzle: Puzzle) -> Puzzle:
    """Where every number has its slot, the order behind the active one is that of the slots, around."""
    if look.arrangement != "slots":
        return puzzle
    rows = []
    for row in puzzle.rows:
        turned = []
        for cell in row:
            ordered = sorted(cell)
            at = ordered.index(cell[0])
            turned.append((*ordered[at:], *ordered[:at]))
        rows.append(tuple(turned))
    return Puzzle(tuple(rows))


def _window(rng: Random, look: Look, puzzle: Puzzle) -> tuple[NDArray[np.uint8], Board, set[str]]:
    """The whole window, RGB, before anything lies over it."""
    canvas = Canvas(
        strange.ground(rng, look.ground, look.size, look.colours), crisp=look.crisp, hinted=look.hinted, snap=look.snap
    )
    board = Board(canvas, look, puzzle, rng)
    board.draw()
    clear = look.pitch * (1.2 if look.walls in ("walls-none", "walls-underlined") else 0.4)
    size = look.ink * within(rng, 0.5, 0.8)
    tags = strange.surround(canvas, rng, board.lattice(), clear, look.colours, look.face, size, look.share)
    return canvas.finish(), board, tags


def _ordinary(look: Look) -> bool:
    """Whether a window is drawn as games draw theirs: nothing overflows, nothing is all but invisible or too small."""
    return (
        look.ground == "plain"
        and look.walls not in ("walls-hairline", "walls-none", "walls-underlined")
        and look.colours.name != "low-contrast"
        and not look.overflow
        and look.pitch * look.enlarged >= 40
        and look.small * look.enlarged >= ORDINARY_HEIGHT
    )


def _finish(
    rng: Random, sheet: NDArray[np.uint8], board: Board, tags: set[str], content: Content, damage: bool = True
) -> Sample:
    """Overlays, enlargement and damage; the truth in the pixels of the result."""
    look = board.look
    overlay = choose(rng, {"": 8.0, "veil": 0.5, "pointer": 0.6}) if damage else ""
    if overlay == "veil" and look.colours.contrast > 70 and not look.crisp and look.dim < 0.3:
        sheet = strange.veil(rng, sheet, board.lattice(), look.colours)
        tags.add("veil")
    image = np.ascontiguousarray(sheet[..., ::-1])
    if look.enlarged != 1:
        image = strange.enlarge(image, look.enlarged)
    if overlay == "pointer":
        tip = (within(rng, 0, image.shape[1] - 20), within(rng, 0, image.shape[0] - 20))
        strange.pointer(rng, image, tip)
        tags.add("pointer")
    grown = 1.0
    if damage:
        chosen = strange.degradations(
            rng, look.side, ink=look.small * look.enlarged, pitch=look.pitch * look.enlarged,
            least=look.face.least + 1, size=(image.shape[1], image.shape[0]), pitches=(34.0, 200.0),
        )  # fmt: skip
        contrast = look.colours.contrast * (1 - look.dim)
        image, grown = strange.degrade(rng, image, chosen, ink=look.small * look.enlarged, contrast=contrast)
        tags |= set(chosen)
    scale = look.enlarged * grown
    places = {}
    for r in range(board.puzzle.size):
        for c in range(board.puzzle.size):
            x0, y0, x1, y1 = (v * scale for v in board.area((r, c)))
            places[r, c] = Box(round(x0), round(y0), round(x1) - round(x0), round(y1) - round(y0))
    text = format_puzzle(_truth(look, board.puzzle))
    return Sample(np.ascontiguousarray(image), text, frozenset(tags), places, {}, content.origin, look.face.family)


def window(
    seed: int, side: Side = "development", ordinary: bool = False, large: bool = False
) -> tuple[Sample, frozenset[Cell], Cell | None]:
    """A board in a window that follows from ``seed`` alone (and from the typefaces that there are), the cells that are
    locked in it, and the one with the cursor. ``ordinary``: such a look, and nothing lies over it or
    damages it. ``large``: a board with
    numbers of two digits."""
    for attempt in range(200):
        # A look that cannot show this board legibly is drawn again; after some tries a simpler board takes its place.
        most = 9 if attempt < 12 else 5 if attempt < 40 else 3
        content = _content(seed + 1_000_003 * (attempt // 12), side, most, large)
        look = _look(strange.stream(seed, "look", side, str(attempt)), seed + 7919 * attempt, side, content.puzzle)
        if look is None or (ordinary and not _ordinary(look)):
            continue
        sheet, board, around = _window(strange.stream(seed, "window", side), look, content.puzzle)
        tags = _tags(look, content.puzzle) | around
        sample = _finish(strange.stream(seed, "finish", side), sheet, board, tags, content, damage=not ordinary)
        name = f"{side}-{'large' if large else 'ordinary' if ordinary else 'board'}-{seed}"
        return replace(sample, name=name), frozenset(board.locked), board.cursor
    raise RuntimeError(f"no look was found for the board of seed {seed}")


def picture(seed: int, side: Side = "development") -> Sample:
    """A board in some window; see :func:`window`."""
    return window(seed, side)[0]


def ordinary(seed: int, side: Side = "development") -> Sample:
    """A board in an ordinary window: every arrangement, colour and typeface, without damage."""
    return window(seed, side, ordinary=True)[0]


def large(seed: int, side: Side = "development") -> Sample:
    """A board larger than 9x9 in an ordinary window: its numbers have one and two digits."""
    return window(seed, side, ordinary=True, large=True)[0]


def not_a_board(seed: int, side: Side = "development") -> Sample:
    """Something else than this game: menus, text, photos, other games, nothing at all."""
    from bench.reading import elsewhere

    rng = strange.stream(seed, "elsewhere", side)
    name, image = elsewhere.anything(rng, seed, side)
    return Sample(image, "", frozenset({f"not-{name}"}), {}, name=f"{side}-elsewhere-{seed}")


def everyday(
    puzzle: Puzzle, size: tuple[int, int], changes: Mapping[str, object] | None = None
) -> tuple[Sample, Board]:
    """``puzzle`` in an everyday light window; ``changes``: other values for fields of its ``Look``."""
    rng = strange.stream(puzzle.size, "plain")
    pitch = float(int(0.85 * min(size) / puzzle.size))
    paper, black = (250, 250, 250), (20, 20, 20)
    accents = tuple(strange.toned(hue, 0.8, 130) for hue in strange.ACCENT_HUES)
    look = Look(
        side="development", size=size, across=pitch, down=pitch, left=(size[0] - puzzle.size * pitch) / 2,
        top=(size[1] - puzzle.size * pitch) / 2, walls="walls-thick", ground="plain", thick=max(0.04 * pitch, 1.0),
        gap=0.0, radius=0.0, arrangement="two-rows", between="", ink=0.36 * pitch, small=0.22 * pitch, spread=0.3,
        dim=0.0, active_tint=False, locked="fill", dots=False, cursor=False, crisp=False, hinted=True,
        snap=True, enlarged=1.0, overflow=False, share=0.0,
        colours=Theme("light", paper, paper, black, black, accents, 230.0),
        face=STROKE_FACES[1],  # the same on every machine, whatever fonts it has
    )  # fmt: skip
    look = replace(look, **(changes or {}))  # type: ignore[arg-type]
    sheet, board, tags = _window(rng, look, puzzle)
    sample = _finish(rng, sheet, board, tags, Content(puzzle, "generated"), damage=False)
    return replace(sample, name="plain"), board


def plain(rows: int, columns: int, size: tuple[int, int]) -> Sample:
    """A board of ``rows`` rows and columns in an everyday light window: for timing, not for judging."""
    return everyday(made(strange.stream(rows, "plain"), rows, 3), size)[0]


SERIES = (
    Series("ordinary windows", "ordinary windows, undamaged", ordinary, 3 / 2, None),
    Series("large boards", "boards of 10x10 and more, ordinary windows", large, 1 / 2, None),
    Series("no boards", "no board at all ('unreadable' is right; WRONG would be played)", not_a_board, 1 / 2, ""),
)
