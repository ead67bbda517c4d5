"""Cardinal Chains in strange windows: one board in a random style, with its truth; boards in the middle of play; and
pictures that hold no board. Colours, typefaces and damage come from ``strange`` and ``faces``; here is only the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Box, Cell
from autoplayer.games.cardinal_chains.generator import generate
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle, format_puzzle, parse
from bench.reading import strange
from bench.reading.faces import Face, Side, crosses, pick
from bench.reading.judge import Form
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

LEVELS = Path(__file__).resolve().parents[3] / "shared/levels/cardinal-chains/zx.txt"
"""Levels of another remake, beside the project on some machines; boards made here take their place elsewhere."""

Chains = tuple[tuple[Cell, ...], ...]


# What stands on a board -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Content:
    """``chains``: a solution where the board was made from one, else empty."""

    puzzle: Puzzle
    origin: str
    chains: Chains = ()


@lru_cache(maxsize=1)
def _levels() -> tuple[Puzzle, ...]:
    if not LEVELS.is_file():
        return ()
    puzzles = []
    for block in LEVELS.read_text(encoding="utf-8").split("\n\n"):
        try:
            puzzle = parse(block)
        except PuzzleError:
            continue
        if max(puzzle.height, puzzle.width) <= 15 and len(puzzle.cells) > 1:
            puzzles.append(_trimmed(puzzle.cells))
    return tuple(puzzles)


def _trimmed(cells: Mapping[Cell, int]) -> Puzzle:
    """The board of these cells without empty rows and columns at its edges, which no window can show."""
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    bottom, right = max(r for r, _ in cells), max(c for _, c in cells)
    return Puzzle(tuple(tuple(cells.get((r, c)) for c in range(left, right + 1)) for r in range(top, bottom + 1)))


def _size(rng: Random) -> tuple[int, int]:
    """Rows and columns, 1x2 to 15x15, mostly 3 to 9."""
    if rng.random() < 0.06:
        rows, columns = [(1, 2), (1, 4), (2, 1), (2, 2), (1, 6), (5, 1)][int(rng.integers(6))]
    elif rng.random() < 0.15:
        rows, columns = int(rng.integers(9, 16)), int(rng.integers(9, 16))
    else:
        rows, columns = int(rng.integers(2, 10)), int(rng.integers(2, 10))
    return rows, columns


def _top(rng: Random, digits: int) -> int:
    top = choose(rng, {2: 2.0, 4: 5.0, 9: 4.0, 25: 1.0, 99: 1.2})
    return top if top < 10**digits else 9


def _neighbours(cell: Cell) -> tuple[Cell, ...]:
    r, c = cell
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def _connected(cells: set[Cell]) -> bool:
    reached, frontier = set(), [next(iter(cells))]
    while frontier:
        cell = frontier.pop()
        if cell not in reached:
            reached.add(cell)
            frontier += [n for n in _neighbours(cell) if n in cells]
    return len(reached) == len(cells)


def _shape(rng: Random, rows: int, columns: int) -> set[Cell]:
    """A connected set of cells with some holes, enclosed ones among them."""
    cells = {(r, c) for r in range(rows) for c in range(columns)}
    share = choose(rng, {0.0: 3.0, 0.06: 3.0, 0.15: 3.0, 0.3: 1.0})
    for cell in sorted(cells):
        if rng.random() < share and len(cells) > 2 and _connected(cells - {cell}):
            cells.discard(cell)
    return cells


def numbers(rng: Random, digits: int = 2) -> Content:
    """Random numbers and starts; the rules are not asked."""
    cells = sorted(_shape(rng, *_size(rng)))
    top = _top(rng, digits)
    starts = min(int(rng.integers(1, 11)), max(len(cells) // 4, 1))
    values = {cell: int(rng.integers(1, top + 1)) for cell in cells}
    for i in rng.choice(len(cells), starts, replace=False):
        values[cells[int(i)]] = START
    return Content(_trimmed(values), "numbers")


def chained(rng: Random, digits: int = 2) -> Content:
    """A board that has a solution: chains are laid first, then numbers that do not descend along them."""
    for _ in range(60):
        rows, columns = _size(rng)
        free = _shape(rng, rows, columns)
        most = int(rng.integers(1, 11))
        chains: list[tuple[Cell, ...]] = []
        while free and len(chains) < most:
            # Begin where there is least room, so that few cells are left over.
            cell = min(sorted(free), key=lambda c: (sum(n in free for n in _neighbours(c)), rng.random()))
            laid = [cell]
            free.discard(cell)
            length = len(free) // (most - len(chains)) + int(rng.integers(2, 6))
            while len(laid) < length:
                ways = [n for n in _neighbours(laid[-1]) if n in free]
                if not ways:
                    break
                step = min(ways, key=lambda c: (sum(n in free for n in _neighbours(c)), rng.random()))
                laid.append(step)
                free.discard(step)
            if len(laid) > 1:
                chains.append(tuple(laid))
        cells = {cell for chain in chains for cell in chain}
        if not cells or not _connected(cells) or len(cells) < 0.6 * rows * columns:
            continue
        top = _top(rng, digits)
        values: dict[Cell, int] = {}
        for chain in chains:
            rising = np.sort(rng.integers(1, top + 1, len(chain) - 1))
            values |= {chain[0]: START} | {cell: int(v) for cell, v in zip(chain[1:], rising, strict=True)}
        puzzle = _trimmed(values)
        up, left = min(r for r, _ in values), min(c for _, c in values)
        return Content(puzzle, "chains", tuple(tuple((r - up, c - left) for r, c in chain) for chain in chains))
    # No luck with these sizes: the smallest board that is more than a line.
    return Content(Puzzle(((START, 1), (2, 1))), "chains", (((0, 0), (0, 1), (1, 1), (1, 0)),))


def generated(rng: Random, digits: int = 2) -> Content:
    """A board of the project's own generator: exactly one solution."""
    rows, columns = _size(rng)
    rows, columns = min(max(rows, 2), 9), min(max(columns, 2), 9)
    return Content(_trimmed(generate(rows, columns, int(rng.integers(2**31))).cells), "generated")


def level(rng: Random, digits: int = 2) -> Content:
    """A level of a real remake, where there are any; else one of the project's own."""
    fitting = [p for p in _levels() if max(p.cells.values()) < 10**digits]
    if not fitting:
        return generated(rng, digits)
    return Content(fitting[int(rng.integers(len(fitting)))], "level")


# How a board looks ----------------------------------------------------------------------------------------------------

WALLS = {
    "walls-thick": 3.5, "walls-thin": 2.5, "walls-hairline": 1.0, "walls-double": 0.8, "walls-rounded": 1.2,
    "walls-tiles": 2.0, "walls-none": 1.0,
}  # fmt: skip
WALLS_HELD = {"walls-bevel": 0.8, "walls-dashed": 0.5}
STARTS = {
    "start-cell": 4.0, "start-disc": 1.6, "start-plain": 1.6, "start-tinted": 0.8, "start-ring": 0.8,
}  # fmt: skip
STARTS_HELD = {"start-outlined": 0.8}
HELD_LOOKS = (*WALLS_HELD, *STARTS_HELD)
"""Looks of boards that only the held side has."""

HOLES = {"hole-nothing": 4.5, "hole-block": 1.0, "hole-box": 0.8}


@dataclass(frozen=True)
class Look:
    """One window's style; lengths in pixels of the unscaled window."""

    side: Side
    size: tuple[int, int]
    pitch: float
    left: float
    top: float
    walls: str
    hole: str
    start: str
    ground: str
    thick: float
    gap: float
    radius: float
    ink: float
    """The height of an 8."""
    shift: tuple[float, float]
    tight: bool
    drawn_cross: bool
    value_colours: bool
    frame: str
    frame_margin: float
    crisp: bool
    hinted: bool
    snap: bool
    enlarged: float
    """How many times the window is enlarged without smoothing; 1 for most."""
    shadowed: bool
    share: float
    """The probability of something on each side of the board."""
    colours: Theme
    face: Face


def _look(rng: Random, seed: int, side: Side, puzzle: Puzzle, start: str) -> Look | None:
    """A style in which ``puzzle`` can be shown legibly; None where this draw has none."""
    held = side == "held"
    crisp = rng.random() < 0.15
    walls = choose(rng, WALLS | (WALLS_HELD if held else {}))
    start = start or choose(rng, STARTS | (STARTS_HELD if held else {}))
    hole = choose(rng, HOLES)
    ground = choose(rng, strange.GROUNDS | (strange.GROUNDS_HELD if held else {})) if not crisp else "plain"
    if walls == "walls-none" and min(puzzle.height, puzzle.width) < 3:
        walls = "walls-thin"
    if walls in ("walls-none", "walls-hairline") and ground in ("texture", "photo", "stripes"):
        ground = "plain"
    if crisp and walls in ("walls-rounded", "walls-dashed"):
        walls = "walls-thin"
    enlarged = choose(rng, {1.0: 3.0, 2.0: 3.0, 3.0: 2.0, 4.0: 1.0, 1.5: 0.5, 2.5: 0.5}) if crisp else 1.0
    face = strange.face_for(rng, seed, side, crisp)

    frame = choose(rng, {"": 6.0, "frame": 1.2, "panel": 1.0})
    margin = within(rng, 0.06, 0.6) if frame else 0.0
    rows, columns = puzzle.height + 2 * margin, puzzle.width + 2 * margin
    least = 22 / enlarged
    fitting = [s for s in strange.WINDOWS if min(s[0] / enlarged / columns, s[1] / enlarged / rows) * 0.98 > least]
    if not fitting:
        return None
    width, height = fitting[int(rng.integers(len(fitting)))]
    size = (round(width / enlarged), round(height / enlarged))
    most = min(size[0] / columns, size[1] / rows, 120 / enlarged)
    pitch = float(np.exp(rng.uniform(np.log(max(least, 0.3 * most)), np.log(0.98 * most))))
    if crisp or rng.random() < 0.35:
        pitch = float(int(pitch)) if int(pitch) >= least else pitch
    wide, tall = pitch * columns, pitch * rows
    place = choose(rng, {"centre": 5.0, "anywhere": 4.0, "edge": 1.0})
    fx, fy = (0.5, 0.5) if place == "centre" else (rng.random(), rng.random())
    if place == "edge":
        fx, fy = [(0.0, fy), (1.0, fy), (fx, 0.0), (fx, 1.0)][int(rng.integers(4))]
    left = (size[0] - wide) * fx + margin * pitch
    top = (size[1] - tall) * fy + margin * pitch
    if crisp:
        left, top = float(round(left)), float(round(top))

    transparent = walls in ("walls-none", "walls-thin", "walls-thick", "walls-hairline", "walls-double", "walls-dashed")
    filled = walls in ("walls-tiles", "walls-bevel") or rng.random() < (0.4 if transparent else 0.7)
    if walls == "walls-none":
        filled = False
    wavering = 0.0 if ground == "plain" else within(rng, 8, 34)
    apart = 12 + wavering if walls in ("walls-tiles", "walls-bevel") else 8.0
    colours = strange.theme(rng, filled=filled, apart=apart, wavering=wavering)
    thick = {
        "walls-thick": max(pitch * within(rng, 0.045, 0.11), 2.0),
        "walls-double": max(1.0, pitch * within(rng, 0.02, 0.05)),
        "walls-rounded": max(1.0, pitch * within(rng, 0.02, 0.07)),
        "walls-bevel": max(1.0, pitch * within(rng, 0.04, 0.08)),
    }.get(walls, 1.0)
    gap = pitch * within(rng, 0.03, 0.1) if walls in ("walls-tiles", "walls-double", "walls-bevel") else 0.0
    if walls == "walls-rounded" and rng.random() < 0.5:
        gap = pitch * within(rng, 0.04, 0.12)
    gap = max(gap, 2 * thick + 2) if walls == "walls-double" else max(gap, 2.0) if gap else 0.0
    if walls == "walls-hairline":
        step = within(rng, 14, 26)
        up = -1 if luma(colours.fill) > 128 else 1
        shade = strange.toned(0, 0, luma(colours.fill) + up * step)
        colours = Theme(**{**colours.__dict__, "wall": shade})

    # Digits: at least as high as a person needs, at most what the widest token leaves room for.
    room = pitch - gap - 2 * thick
    tokens = sorted({str(v) if v else "X" for v in puzzle.cells.values()})
    widest = max(face.glyph(token, 40.0).coverage.shape[1] for token in tokens) / 40
    tallest = max(face.glyph(token, 40.0).coverage.shape[0] for token in tokens) / 40
    most_ink = min(0.8 * room / widest, 0.8 * room / tallest)
    ink = min(pitch * within(rng, 0.28, 0.62), most_ink)
    needed = max(face.least, 6 if crisp else 7)
    needed += 2 if colours.name == "low-contrast" or wavering else 0
    if crisp and face.kind != "pixel":
        needed = max(needed, 9)
    if ink < needed:
        ink = needed + 0.5
    if face.kind == "pixel":
        ink = float(face.glyph("8", ink).coverage.shape[0])
    if ink > most_ink:
        return None
    slack = max(0.0, min((room - ink * widest) / 2, (room - ink * tallest) / 2) - 1)
    lean = min(slack * 0.7, 0.08 * pitch)
    shift = (within(rng, -lean, lean), within(rng, -lean, lean)) if rng.random() < 0.4 else (0.0, 0.0)
    return Look(
        side=side, size=size, pitch=pitch, left=left, top=top, walls=walls, hole=hole, start=start, ground=ground,
        thick=thick, gap=gap, radius=pitch * within(rng, 0.1, 0.3) if walls == "walls-rounded" else 0.0,
        ink=ink, shift=shift, tight=rng.random() < 0.4, drawn_cross=rng.random() < 0.35 or not crosses(face),
        value_colours=rng.random() < 0.12 and walls != "walls-none", frame=frame, frame_margin=margin * pitch,
        crisp=crisp, hinted=rng.random() < 0.55, snap=rng.random() < 0.6, enlarged=enlarged,
        shadowed=rng.random() < 0.08 and ground == "plain" and not crisp and walls not in ("walls-none",),
        share=choose(rng, {0.0: 1.0, 0.35: 2.0, 0.8: 2.0}), colours=colours, face=face,
    )  # fmt: skip


class Board:
    """One board being drawn in one look."""

    def __init__(self, canvas: Canvas, look: Look, puzzle: Puzzle, rng: Random) -> None:
        self.canvas, self.look, self.puzzle = canvas, look, puzzle
        self.fills: dict[Cell, Colour] = {}
        hues = rng.permutation(12)
        base = luma(look.colours.fill)
        for cell, value in puzzle.cells.items():
            self.fills[cell] = look.colours.fill
            if look.value_colours and value:
                hue = float(hues[value % 12]) / 12
                self.fills[cell] = strange.toned(hue, 0.55, min(max(base, 50), 215) + 7 * (value % 3 - 1))
        self.tints = {s: look.colours.accents[i % len(look.colours.accents)] for i, s in enumerate(puzzle.starts)}
        self.strokes = {s: self._stroke(tint) for s, tint in self.tints.items()}
        self.cross_thick = within(rng, 0.1, 0.2)
        self.cross_size = within(rng, 0.8, 1.0)
        self.disc_size = within(rng, 0.38, 0.46)
        self.dot_hollow = rng.random() < 0.5

    def _stroke(self, tint: Colour) -> Colour:
        """``tint`` made so light or dark that the digits, which stand half on it and half on their cell, still show."""
        ink, fill = luma(self.look.colours.ink), luma(self.look.colours.fill)
        return tint if abs(luma(tint) - ink) > 0.55 * abs(fill - ink) else mix(tint, self.look.colours.fill, 0.65)

    def area(self, cell: Cell) -> Area:
        """The cell with half of each wall or gap around it."""
        look = self.look
        x, y = look.left + cell[1] * look.pitch, look.top + cell[0] * look.pitch
        return x, y, x + look.pitch, y + look.pitch

    def tile(self, cell: Cell) -> Area:
        """What the cell paints: its area without the gap."""
        x0, y0, x1, y1 = self.area(cell)
        half = self.look.gap / 2
        return x0 + half, y0 + half, x1 - half, y1 - half

    def lattice(self) -> Area:
        look, puzzle = self.look, self.puzzle
        return look.left, look.top, look.left + puzzle.width * look.pitch, look.top + puzzle.height * look.pitch

    def draw(self, chains: Chains = (), covering: str = "") -> None:
        look, canvas, colours = self.look, self.canvas, self.look.colours
        cells = self.puzzle.cells
        filled = colours.fill != colours.background or look.value_colours
        holes = [(r, c) for r in range(self.puzzle.height) for c in range(self.puzzle.width) if (r, c) not in cells]
        owners = {cell: chain[0] for chain in chains for cell in chain}
        if look.hole == "hole-block":
            shade = mix(colours.wall, colours.background, 0.35)
            for cell in holes:
                canvas.rectangle(self.tile(cell), shade, look.radius)
        boxes = [*cells, *holes] if look.hole == "hole-box" else list(cells)
        for cell in boxes:
            start = self.tints.get(cell)
            fill = self.fills.get(cell, colours.fill)
            if start and look.start in ("start-cell", "start-dot"):
                fill = start
            if cell in owners and covering == "fill":
                fill = self.tints[owners[cell]]
            if filled or fill != colours.fill:
                canvas.rectangle(self.tile(cell), fill, look.radius)
            self.fills[cell] = fill
        self._walls(boxes)
        if look.start == "start-outlined":
            for cell, tint in self.tints.items():
                inset = look.thick
                x0, y0, x1, y1 = self.tile(cell)
                area = (x0 + inset, y0 + inset, x1 - inset, y1 - inset)
                canvas.outline(area, tint, max(look.pitch * 0.06, 2), look.radius)
        if covering == "fill":
            self._join(chains, owners)
        for cell, tint in self.tints.items():
            x, y = self.middle(cell)
            if look.start == "start-disc":
                canvas.disc(x, y, look.pitch * self.disc_size - look.gap / 2, tint)
            elif look.start == "start-ring":
                canvas.disc(x, y, look.pitch * self.disc_size - look.gap / 2, tint, max(look.pitch * 0.05, 1.5))
        if covering == "line":
            self._lines(chains)
        for cell, value in cells.items():
            self._token(cell, value, covering, owners)

    def middle(self, cell: Cell) -> tuple[float, float]:
        x0, y0, x1, y1 = self.area(cell)
        return (x0 + x1) / 2, (y0 + y1) / 2

    def _walls(self, boxes: list[Cell]) -> None:
        look, canvas, wall = self.look, self.canvas, self.look.colours.wall
        if look.walls in ("walls-thick", "walls-thin", "walls-hairline", "walls-dashed"):
            for cell in boxes:
                x0, y0, x1, y1 = self.area(cell)
                for line in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
                    if look.walls == "walls-dashed":
                        count = 6
                        dx, dy = (line[2] - line[0]) / count, (line[3] - line[1]) / count
                        for i in range(0, count, 2):
                            at = (line[0] + i * dx, line[1] + i * dy)
                            canvas.bar((*at, at[0] + dx, at[1] + dy), wall, look.thick)
                    else:
                        canvas.bar(line, wall, look.thick)
        elif look.walls in ("walls-double", "walls-rounded"):
            for cell in boxes:
                canvas.outline(self.tile(cell), wall, look.thick, look.radius)
        elif look.walls == "walls-bevel":
            for cell in boxes:
                x0, y0, x1, y1 = self.tile(cell)
                t, fill = look.thick, self.fills[cell]
                light, dark = mix(fill, (255, 255, 255), 0.55), mix(fill, (0, 0, 0), 0.45)
                for area, shade in (
                    ((x0, y0, x1, y0 + t), light), ((x0, y0, x0 + t, y1), light),
                    ((x0, y1 - t, x1, y1), dark), ((x1 - t, y0, x1, y1), dark),
                ):  # fmt: skip
                    canvas.rectangle(area, shade)

    def _join(self, chains: Chains, owners: Mapping[Cell, Cell]) -> None:
        """The walls inside a chain vanish under its colour."""
        look = self.look
        inset = look.gap / 2 + look.thick
        for chain in chains:
            for a, b in pairwise(chain):
                ax, ay, _, _ = self.area(min(a, b))
                _, _, bx, by = self.area(max(a, b))
                area = (ax + inset, ay + inset, bx - inset, by - inset)
                self.canvas.rectangle(area, self.tints[chain[0]])

    def _lines(self, chains: Chains) -> None:
        """A thick line from the start through every cell."""
        thick = self.look.pitch * 0.28
        for chain in chains:
            self.canvas.line([self.middle(cell) for cell in chain], self.strokes[chain[0]], thick)

    def _token(self, cell: Cell, value: int, covering: str, owners: Mapping[Cell, Cell]) -> None:
        look, canvas, colours = self.look, self.canvas, self.look.colours
        x, y = self.middle(cell)
        x, y = x + look.shift[0], y + look.shift[1]
        under = self.fills[cell]
        covered = cell in owners and covering == "line"
        if covered or (value == START and look.start == "start-disc"):
            under = self.strokes[owners[cell]] if covered else self.tints[cell]
        ink = legible_on(under, colours.ink, min(colours.contrast * (0.5 if covered else 0.8), 80))
        height = look.ink
        if value != START:
            canvas.glyph(look.face, str(value), x, y, height, ink, look.tight)
            return
        if look.start == "start-dot":
            radius = look.pitch * 0.16
            canvas.disc(x, y, radius, ink, max(radius * 0.4, 1.2) if self.dot_hollow else 0)
            return
        if look.start in ("start-disc", "start-ring"):
            x, y = self.middle(cell)
            height = min(height, look.pitch * self.disc_size * 1.05)
        if look.start == "start-tinted" and not covered:
            tint = self.tints[cell]
            ink = tint if abs(luma(tint) - luma(under)) >= 45 else ink
        if look.drawn_cross and (not look.crisp or not crosses(look.face)):
            half = height * self.cross_size / 2
            thick = max(height * self.cross_thick, 1.2)
            canvas.line([(x - half, y - half), (x + half, y + half)], ink, thick)
            canvas.line([(x - half, y + half), (x + half, y - half)], ink, thick)
        else:
            if look.face.kind != "pixel":
                height = max(height, look.face.least)
            canvas.glyph(look.face, "X", x, y, height, ink, look.tight or look.start in ("start-disc", "start-ring"))


def _window(
    rng: Random, look: Look, puzzle: Puzzle, chains: Chains, covering: str
) -> tuple[NDArray[np.uint8], Board, set[str]]:
    """The whole window, RGB, before anything lies over it."""
    colours = look.colours
    sheet = strange.ground(rng, look.ground, look.size, colours)
    lattice = (
        look.left, look.top, look.left + puzzle.width * look.pitch, look.top + puzzle.height * look.pitch,
    )  # fmt: skip
    outer = (
        lattice[0] - look.frame_margin, lattice[1] - look.frame_margin,
        lattice[2] + look.frame_margin, lattice[3] + look.frame_margin,
    )  # fmt: skip
    if look.shadowed:
        strange.shadow(sheet, outer, max(look.pitch * 0.15, 3), within(rng, 0.2, 0.45))
    canvas = Canvas(sheet, crisp=look.crisp, hinted=look.hinted, snap=look.snap)
    tags: set[str] = set()
    if look.frame:
        tags.add(look.frame)
        radius = look.pitch * 0.2 if look.walls == "walls-rounded" else 0.0
        if look.frame == "panel":
            canvas.rectangle(outer, mix(colours.background, colours.ink, 0.06), radius)
        else:
            canvas.outline(
                outer, mix(colours.background, colours.ink, within(rng, 0.3, 0.9)), max(1.0, look.thick), radius
            )
    board = Board(canvas, look, puzzle, rng)
    board.draw(chains, covering)
    # Loose glyphs have nothing but their distance to tell them from what stands beside the board.
    clear = look.pitch * (1.2 if look.walls == "walls-none" else 0.4)
    size = look.ink * within(rng, 0.7, 1.0)
    tags |= strange.surround(canvas, rng, outer, clear, colours, look.face, size, look.share)
    return canvas.finish(), board, tags


def _tags(look: Look, puzzle: Puzzle) -> set[str]:
    tags = {look.walls, look.start, f"ground-{look.ground}", f"theme-{look.colours.name}", f"face-{look.face.kind}"}
    if len(puzzle.cells) < puzzle.height * puzzle.width:
        tags.add(look.hole)
        inside = {
            (r, c)
            for r in range(1, puzzle.height - 1)
            for c in range(1, puzzle.width - 1)
            if puzzle.rows[r][c] is None and all(n in puzzle.cells for n in _neighbours((r, c)))
        }
        tags |= {"hole-enclosed"} if inside else set()
    for name, yes in {
        "crisp": look.crisp,
        "enlarged": look.enlarged != 1,
        "value-colours": look.value_colours,
        "shadow": look.shadowed,
        "off-centre-glyphs": look.shift != (0.0, 0.0),
        "two-digit": max(puzzle.cells.values()) > 9,
        "cell-under-30": look.pitch * look.enlarged < 30,
        "cell-over-80": look.pitch * look.enlarged > 80,
        "small-glyphs": look.ink < 0.35 * look.pitch,
        "tiny-board": len(puzzle.cells) <= 4,
        "large-board": max(puzzle.height, puzzle.width) > 9,
        "at-the-edge": min(look.left, look.top) - look.frame_margin < 3,
    }.items():
        if yes:
            tags.add(name)
    return tags


def _finish(
    rng: Random, sheet: NDArray[np.uint8], board: Board, tags: set[str], content: Content, owners: Mapping[Cell, Cell]
) -> Sample:
    """Overlays, enlargement and damage; the truth in the pixels of the result."""
    look = board.look
    overlay = choose(rng, {"": 6.0, "veil": 0.7, "pointer": 0.9})
    if overlay == "veil" and look.colours.contrast > 70 and not look.crisp:
        sheet = strange.veil(rng, sheet, board.lattice(), look.colours)
        tags.add("veil")
    image = np.ascontiguousarray(sheet[..., ::-1])
    if look.enlarged != 1:
        image = strange.enlarge(image, look.enlarged)
    pitch, ink = look.pitch * look.enlarged, look.ink * look.enlarged
    if overlay == "pointer" and (tip := _tip(rng, board)):
        strange.pointer(rng, image, tip)
        tags.add("pointer")
    size = (image.shape[1], image.shape[0])
    chosen = strange.degradations(rng, look.side, ink=ink, pitch=pitch, least=look.face.least + 1, size=size)
    image, grown = strange.degrade(rng, image, chosen, ink=ink, contrast=look.colours.contrast)
    tags |= set(chosen)
    scale = look.enlarged * grown
    places = {}
    for r in range(board.puzzle.height):
        for c in range(board.puzzle.width):
            if (r, c) in board.puzzle.cells:
                x0, y0, x1, y1 = (v * scale for v in board.area((r, c)))
                places[r, c] = Box(round(x0), round(y0), round(x1) - round(x0), round(y1) - round(y0))
    text = format_puzzle(board.puzzle)
    image = np.ascontiguousarray(image)
    return Sample(image, text, frozenset(tags), places, dict(owners), content.origin, look.face.family)


def _tip(rng: Random, board: Board) -> tuple[float, float] | None:
    """Where the pointer's tip may stand, in the enlarged window: in a cell, hiding at most a third of any glyph."""
    look = board.look
    scale = look.enlarged
    cells = sorted(board.puzzle.cells)
    half = 0.5 * look.ink * scale
    for _ in range(20):
        cell = cells[int(rng.integers(len(cells)))]
        x0, y0, x1, y1 = (v * scale for v in board.area(cell))
        tip = (within(rng, x0, x1), within(rng, y0, y1))
        for other in cells:
            x, y = (v * scale for v in board.middle(other))
            across = min(tip[0] + strange.POINTER_SIZE[0], x + 0.7 * half) - max(tip[0], x - 0.7 * half)
            down = min(tip[1] + strange.POINTER_SIZE[1], y + half) - max(tip[1], y - half)
            if across > 0 and down > 0 and across * down > 0.33 * 1.4 * half * 2 * half:
                break
        else:
            return tip
    return None


def _content(seed: int, side: Side, kind: str, digits: int) -> Content:
    rng = strange.stream(seed, "content", side, str(digits))
    maker = {"numbers": numbers, "chains": chained, "generated": generated, "level": level}[kind]
    return maker(rng, digits)


def _sample(seed: int, side: Side, kind: str, covering: str = "", start: str = "") -> Sample:
    for attempt in range(200):
        # A look that cannot show this board legibly is drawn again; after many tries a simpler board takes its place.
        content = _content(seed + 1_000_003 * (attempt // 10), side, kind, 2 if attempt < 5 else 1)
        rng = strange.stream(seed, "look", side, str(attempt))
        look = _look(rng, seed + 7919 * attempt, side, content.puzzle, start)
        if look is None:
            continue
        chains: Chains = ()
        tags = _tags(look, content.puzzle)
        if covering:
            chains = _partly(strange.stream(seed, "play", side), content.chains)
            tags |= {"halfway", f"covered-by-{covering}"}
        sheet, board, around = _window(strange.stream(seed, "window", side), look, content.puzzle, chains, covering)
        owners = {cell: chain[0] for chain in chains for cell in chain}
        sample = _finish(strange.stream(seed, "finish", side), sheet, board, tags | around, content, owners)
        return replace(sample, name=f"{side}-{'halfway' if covering else start or 'board'}-{seed}")
    raise RuntimeError(f"no look was found for the board of seed {seed}")


def _partly(rng: Random, chains: Chains) -> Chains:
    """Some of the chains, each up to some cell; at least one of two cells."""
    drawn = [chain[: int(rng.integers(2, len(chain) + 1))] for chain in chains if rng.random() < 0.6]
    return tuple(drawn or [chains[0][:2]])


def picture(seed: int, side: Side = "development") -> Sample:
    """A board before play, in a window that follows from ``seed`` alone (and from the typefaces that there are)."""
    kind = choose(strange.stream(seed, "kind", side), {"numbers": 3.0, "chains": 1.0, "generated": 1.0, "level": 1.0})
    return _sample(seed, side, kind)


def plain(rows: int, columns: int, size: tuple[int, int]) -> Sample:
    """A full board of this size, with a solution, in an everyday light window: for timing, not for judging."""
    rng = strange.stream(rows * 100 + columns, "plain")
    # One chain to and fro through the upper half, one through the lower one.
    values: dict[Cell, int] = {}
    for first, last in ((0, rows // 2), (rows // 2, rows)):
        path = [(r, c if (r - first) % 2 == 0 else columns - 1 - c) for r in range(first, last) for c in range(columns)]
        rising = np.sort(rng.integers(1, 10, len(path)))
        values |= {cell: int(value) for cell, value in zip(path, rising, strict=True)} | dict.fromkeys(path[:1], START)
    puzzle = _trimmed(values)
    pitch = float(int(0.85 * min(size[0] / columns, size[1] / rows)))
    paper, black = (250, 250, 250), (20, 20, 20)
    accents = tuple(strange.toned(hue, 0.8, 130) for hue in strange.ACCENT_HUES)
    look = Look(
        side="development", size=size, pitch=pitch, left=(size[0] - columns * pitch) / 2,
        top=(size[1] - rows * pitch) / 2, walls="walls-thick", hole="hole-nothing", start="start-cell",
        ground="plain", thick=max(0.06 * pitch, 1.0), gap=0.0, radius=0.0, ink=0.45 * pitch, shift=(0.0, 0.0),
        tight=False, drawn_cross=False, value_colours=False, frame="", frame_margin=0.0, crisp=False, hinted=True,
        snap=True, enlarged=1.0, shadowed=False, share=0.0,
        colours=Theme("light", paper, paper, black, black, accents, 230.0),
        face=pick("development", "installed", "plain"),
    )  # fmt: skip
    sheet, board, _ = _window(rng, look, puzzle, (), "")
    places = {}
    for cell in values:
        x0, y0, x1, y1 = (round(v) for v in board.area(cell))
        places[cell] = Box(x0, y0, x1 - x0, y1 - y0)
    image = np.ascontiguousarray(sheet[..., ::-1])
    return Sample(
        image, format_puzzle(puzzle), frozenset(), places, content="numbers", face=look.face.family, name="plain"
    )


def dotted(seed: int, side: Side = "development") -> Sample:
    """A board whose starts are coloured cells with a dot or ring and no X; not among ``picture``'s, a habit apart."""
    return _sample(seed, side, "generated", start="start-dot")


def halfway(seed: int, side: Side = "development") -> Sample:
    """A board in the middle of play: some chains are drawn; ``owners`` says which cell belongs to which start."""
    covering = choose(strange.stream(seed, "covering", side), {"fill": 3.0, "line": 1.0})
    return _sample(seed, side, "chains", covering)


# What is no board -----------------------------------------------------------------------------------------------------


def not_a_board(seed: int, side: Side = "development") -> Sample:
    """Something else than this game: menus, text, photos, other games, nothing at all."""
    from bench.reading import elsewhere

    rng = strange.stream(seed, "elsewhere", side)
    name, image = elsewhere.anything(rng, seed, side)
    return Sample(image, "", frozenset({f"not-{name}"}), {}, name=f"{side}-elsewhere-{seed}")


def _same(one: str, other: str) -> bool:
    """Whether two texts are one board: rows and columns of holes at its edges are no part of it."""
    cells = [parse(text, starts_needed=False).cells for text in (one, other)]
    return _trimmed(cells[0]) == _trimmed(cells[1]) if all(cells) else not any(cells)


FORM = Form(same=_same)

SERIES = (
    Series("halfway", "boards in the middle of play (the truth is the puzzle at the start)", halfway, 1 / 4, "covered"),
    Series("dotted", "starts with a dot or ring instead of an X", dotted, 1 / 8),
    Series("no boards", "no board at all ('unreadable' is right; WRONG would be played)", not_a_board, 1 / 2, ""),
)
