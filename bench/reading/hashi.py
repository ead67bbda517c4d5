"""Hashi in strange windows: one board in a random style, with its truth: the numbers, the links that stand, and where
every island is. Colours, typefaces and damage come from ``strange`` and ``faces``; here is only the board.

To look at the windows: ``python -m bench.reading hashi --windows 24 --draw DIR`` writes each picture, its truth beside
it, and contact sheets. From a program: ``picture(seed)`` for a board before, in the middle of or after play;
``cut_off(seed)`` for a board of which some rows or columns lie outside of the window (right is to refuse it);
``not_a_board(seed)``. In a ``Sample``, ``text`` is the puzzle, ``places`` the box of each island, ``links`` the links
that stand. The side ``held`` is not to be looked at while a reader is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import cos, hypot, pi, sin

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Box, Cell
from autoplayer.games.base import Reading
from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Puzzle, faults, format_puzzle, parse
from bench.reading import circles, strange
from bench.reading.faces import Face, Side, pick
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

Links = Mapping[Bridge, int]
"""How many links stand; bridges without any are left out."""

SMALLEST, LARGEST = 14.0, 120.0
"""The pitch, in pixels, that a window's lattice has at least and at most."""


# What stands on a board -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Content:
    """``links``: a solution, the one that the numbers were made from."""

    puzzle: Puzzle
    origin: str
    links: Links


def _size(rng: Random) -> tuple[int, int]:
    """Rows and columns, 4x4 to 25x25, mostly 5 to 12, half of them oblong."""
    low, high = choose(rng, {(4, 7): 3.0, (6, 12): 5.0, (10, 16): 2.0, (15, 26): 1.2})
    rows = int(rng.integers(low, high))
    return rows, rows if rng.random() < 0.5 else int(rng.integers(low, high))


def grown(rng: Random) -> Content:
    """Islands and bridges grow from one island, so that a solution exists; it need not be the only one."""
    rows, columns = _size(rng)
    touching = rng.random() < 0.3
    share = within(rng, 0.15, 0.45 if touching else 0.34)
    best: dict[tuple[Cell, Cell], int] = {}
    covered = 0.0
    for _ in range(6):
        links = _grow(rng, rows, columns, share, 1 if touching else 2)
        ends = [end for pair in links for end in pair]
        height = max(r for r, _ in ends) - min(r for r, _ in ends) + 1
        width = max(c for _, c in ends) - min(c for _, c in ends) + 1
        if height * width > covered:
            best, covered = links, height * width
        if covered >= 0.8 * rows * columns:
            break
    return _content(rng, best)


def _grow(rng: Random, rows: int, columns: int, share: float, least: int) -> dict[tuple[Cell, Cell], int]:
    """Bridges that hang together, with ``share`` of the places islands if all goes well, none nearer than ``least``."""
    wanted = max(round(share * rows * columns), 4)
    first = (int(rng.integers(rows)), int(rng.integers(columns)))
    islands, links, wet = [first], dict[tuple[Cell, Cell], int](), {first}
    for _ in range(40 * wanted):
        if len(islands) >= wanted:
            break
        ways = [_way(rng, islands[int(rng.integers(len(islands)))], share, least) for _ in range(4)]
        free = [
            (start, way)
            for start, way in ways
            if 0 <= way[-1][0] < rows
            and 0 <= way[-1][1] < columns
            and not any(cell in wet for cell in way)
            and (least == 1 or not any(n in islands for n in _beside(way[-1])))
        ]
        if not free:
            continue
        # Where there are fewest islands yet, so that the board fills evenly.
        crowd = [sum(abs(r - way[-1][0]) <= 2 and abs(c - way[-1][1]) <= 2 for r, c in islands) for _, way in free]
        start, way = free[crowd.index(min(crowd))]
        wet.update(way)
        islands.append(way[-1])
        a, b = sorted((start, way[-1]))
        links[a, b] = 1 + (rng.random() < 0.4)
    if not links:  # a board of 4x4 has room for a second island wherever the first one is
        end = (first[0], first[1] + 2 if first[1] + 2 < columns else first[1] - 2)
        a, b = sorted((first, end))
        links[a, b] = 1
    return links


def _way(rng: Random, start: Cell, share: float, least: int) -> tuple[Cell, list[Cell]]:
    """The places from ``start``, without it, to where a new island may stand."""
    dr, dc = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
    far = least + int(rng.geometric(min(1.6 * share + 0.2, 0.9))) - 1
    return start, [(start[0] + i * dr, start[1] + i * dc) for i in range(1, far + 1)]


def _beside(cell: Cell) -> tuple[Cell, ...]:
    r, c = cell
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def _content(rng: Random, links: Mapping[tuple[Cell, Cell], int]) -> Content:
    """The board of these bridges, without empty rows and columns at its edges, and with some further links."""
    ends = {end for pair in links for end in pair}
    top, left = min(r for r, _ in ends), min(c for _, c in ends)
    cells = {(r - top, c - left): 1 for r, c in ends}
    height, width = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
    shape = Puzzle(tuple(tuple(cells.get((r, c), 0) for c in range(width)) for r in range(height)))
    laid = {Bridge((ar - top, ac - left), (br - top, bc - left)): n for ((ar, ac), (br, bc)), n in links.items()}
    # Further links between what is there make loops; which pairs can take one is known only now.
    for k in map(int, rng.permutation(len(shape.bridges))):
        crossed = any(shape.bridges[other] in laid for other in shape.crossings[k])
        if shape.bridges[k] not in laid and not crossed and rng.random() < 0.5:
            laid[shape.bridges[k]] = 1 + (rng.random() < 0.35)
    numbers = dict.fromkeys(cells, 0)
    for (a, b), n in laid.items():
        numbers[a] += n
        numbers[b] += n
    rows = tuple(tuple(numbers.get((r, c), 0) for c in range(width)) for r in range(height))
    return Content(Puzzle(rows), "grown", dict(sorted(laid.items())))


def generated(rng: Random) -> Content:
    """A board of the project's own generator: exactly one solution. A grown one where the wishes cannot be met."""
    from autoplayer.games.hashi import generator, solver

    rows, columns = _size(rng)
    touching = bool(rng.random() < 0.3)
    share = round(within(rng, 0.15, 0.45 if touching else 0.34), 3)
    try:
        puzzle = generator.generate(rows, columns, int(rng.integers(2**31)), islands=share, touching=touching)
    except UsageError:
        return grown(rng)
    solution = solver.solve(puzzle, time_limit=60, most=1).solution
    if solution is None:
        raise RuntimeError("the generator made a board that the solver cannot solve")
    return Content(puzzle, "generated", {Bridge(a, b): n for a, b, n in solution})


def _padded(rng: Random, content: Content) -> Content:
    """The same islands with an empty row or column at some edges, as windows with a grid show them."""
    above, left, below, right = (int(rng.random() < 0.4) for _ in range(4))
    width = content.puzzle.width + left + right
    rows = [(0,) * left + row + (0,) * right for row in content.puzzle.rows]
    puzzle = Puzzle((*[(0,) * width] * above, *rows, *[(0,) * width] * below))
    moved = {Bridge((a[0] + above, a[1] + left), (b[0] + above, b[1] + left)): n for (a, b), n in content.links.items()}
    return replace(content, puzzle=puzzle, links=moved)


def _played(rng: Random, content: Content, play: str) -> Links:
    """What stands when a person has come so far: ``none``, ``partial`` (mistakes among it), ``solved``."""
    if play == "none":
        return {}
    if play == "solved":
        return dict(content.links)
    puzzle, share = content.puzzle, within(rng, 0.1, 0.9)
    standing = {
        bridge: 1 if n == MOST_LINKS and rng.random() < 0.15 else n
        for bridge, n in content.links.items()
        if rng.random() < share
    }
    if rng.random() < 0.4:
        for k in rng.permutation(len(puzzle.bridges))[: int(rng.integers(1, 4))]:
            bridge = puzzle.bridges[int(k)]
            if not any(puzzle.bridges[other] in standing for other in puzzle.crossings[int(k)]):
                standing[bridge] = 1 if bridge in standing else int(rng.integers(1, 3))
    return dict(sorted(standing.items()))


# How a board looks ----------------------------------------------------------------------------------------------------

SHAPES = {"circle": 7.0, "square": 0.8, "rounded": 0.9, "hexagon": 0.8}
SHAPES_HELD = {"octagon": 0.7, "diamond": 0.5}
PAINTS = {"ring": 2.0, "ring-filled": 2.5, "disc": 1.6, "disc-outlined": 1.4}
"""``ring``: nothing inside but the background; ``ring-filled``: inside a shade that is nearly the background's;
``disc``: a colour that stands out, no outline; ``disc-outlined``: the same with one."""
PAINTS_HELD = {"ring-double": 0.6}
GRIDS = {"grid-none": 5.0, "grid-centres": 1.6, "grid-between": 1.4, "grid-dots": 0.9, "grid-crosses": 0.4}
GRIDS_HELD = {"grid-dashed": 0.6}
DOUBLES = {"double-lines": 5.0, "double-thick": 1.2, "double-label": 0.9, "double-wide": 0.8, "double-cased": 0.7}
"""Two links: two lines; one thick line; a label with the number on a single line; two lines far apart; two lines at the
edges of a light band."""
DOUBLES_HELD = {"double-label-box": 0.5}
DONE = {"done-same": 5.0, "done-grey": 2.0, "done-filled": 1.2, "done-faint-ring": 0.8}
DONE_HELD = {"done-tick-colour": 0.8}
HELD_LOOKS = (*SHAPES_HELD, *PAINTS_HELD, *GRIDS_HELD, *DOUBLES_HELD, *DONE_HELD)
"""Looks of boards that only the held side has."""


@dataclass(frozen=True)
class Look:
    """One window's style; lengths in pixels of the unscaled window."""

    side: Side
    size: tuple[int, int]
    across: float
    """The pitch in x."""
    down: float
    """The pitch in y."""
    left: float
    """The middle of the first column."""
    top: float
    """The middle of the first row."""
    margin: float
    """From the middles of the outermost islands to the edge of the board's own area."""
    shape: str
    paint: str
    grid: str
    grid_colour: Colour
    grid_thick: float
    double: str
    done: str
    errors: bool
    radius: float
    """Of an island, its outline included."""
    ring: float
    fill: Colour
    ring_colour: Colour
    value_colours: bool
    bridge_colour: Colour
    bridge_thick: float
    bridge_gap: float
    """Between the two lines of a double bridge."""
    short: float
    """How far from the island's edge a bridge ends; below 0 it ends under the island."""
    candidates: str
    crosses: bool
    cursor: str
    ground: str
    ink: float
    """The height of an 8."""
    tight: bool
    frame: str
    crisp: bool
    hinted: bool
    snap: bool
    enlarged: float
    share: float
    colours: Theme
    face: Face

    @property
    def pitch(self) -> float:
        return min(self.across, self.down)


def _apart(a: Colour, b: Colour) -> float:
    """How different two colours look, about 0 to 255: by lightness first, by colour less."""
    return max(abs(luma(a) - luma(b)), 0.6 * max(abs(x - y) for x, y in zip(a, b, strict=True)))


def _stroke(rng: Random, colours: Theme, ground: Colour, least: float) -> Colour:
    """A colour for bridges at least ``least`` apart from the ground: the ink's or the walls', an accent, a grey."""
    name = choose(rng, {"ink": 3.0, "wall": 2.5, "accent": 2.5, "grey": 1.0})
    colour = {
        "ink": colours.ink,
        "wall": colours.wall,
        "accent": colours.accents[int(rng.integers(len(colours.accents)))],
        "grey": mix(ground, colours.ink, within(rng, 0.5, 0.75)),
    }[name]
    return colour if _apart(colour, ground) >= least else colours.ink


def _look(rng: Random, seed: int, side: Side, content: Content, links: Links) -> Look | None:
    """A style in which the board can be shown legibly; None where this draw has none."""
    held, puzzle = side == "held", content.puzzle
    touching = any(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in puzzle.bridges)
    crisp = rng.random() < 0.12
    shape = choose(rng, SHAPES | (SHAPES_HELD if held else {}))
    paint = choose(rng, PAINTS | (PAINTS_HELD if held else {}))
    grid = choose(rng, GRIDS | (GRIDS_HELD if held else {}))
    double = choose(rng, DOUBLES | (DOUBLES_HELD if held else {}))
    done = choose(rng, DONE | (DONE_HELD if held else {}))
    ground = choose(rng, strange.GROUNDS | (strange.GROUNDS_HELD if held else {})) if not crisp else "plain"
    if ground in ("texture", "photo", "stripes") and grid != "grid-none":
        ground = "plain"
    if paint == "ring" and grid in ("grid-centres", "grid-dots", "grid-crosses", "grid-dashed"):
        paint = "ring-filled"  # what goes through the middles would go through the digits
    # Where only doubles stand, nobody can tell one thick line from another.
    if double == "double-thick" and set(links.values()) != {1, 2}:
        double = "double-lines"
    enlarged = choose(rng, {1.0: 3.0, 2.0: 3.0, 3.0: 1.5, 1.5: 0.5}) if crisp else 1.0
    face = strange.face_for(rng, seed, side, crisp)

    # The size of an island, as a share of the pitch.
    most_radius = (0.36 if links else 0.48) if touching else 0.62
    part = within(rng, 0.25, most_radius)
    if not touching:
        special = rng.random()
        part = within(rng, 0.58, 0.62) if special < 0.15 else within(rng, 0.63, 0.7) if special < 0.18 else part
    ring_part = choose(rng, {0.05: 2.0, 0.1: 3.0, 0.16: 2.0, 0.24: 1.0}) * within(rng, 0.8, 1.2)

    frame = choose(rng, {"": 6.0, "frame": 1.2, "panel": 1.0})
    room = max(part * 1.2, 0.5) + within(rng, 0.02, 0.6)  # from the outermost middles to the board's edge, in pitches
    aspect = within(rng, 0.85, 1.18) if rng.random() < 0.3 else 1.0
    columns, rows = (puzzle.width - 1 + 2 * room) * aspect, (puzzle.height - 1 + 2 * room) / aspect
    least = SMALLEST / enlarged / min(aspect, 1 / aspect)
    fitting = [s for s in strange.WINDOWS if min(s[0] / enlarged / columns, s[1] / enlarged / rows) * 0.98 > least]
    if not fitting:
        return None
    width, height = fitting[int(rng.integers(len(fitting)))]
    size = (round(width / enlarged), round(height / enlarged))
    most = min(size[0] / columns, size[1] / rows, LARGEST / enlarged)
    part_of_room = choose(rng, {0.25: 1.0, 0.6: 2.0, 0.85: 3.0})  # most windows are made for their board
    pitch = float(np.exp(rng.uniform(np.log(max(least, part_of_room * most)), np.log(0.98 * most))))
    across, down = pitch * aspect, pitch / aspect
    if crisp or rng.random() < 0.4:
        across, down = float(max(int(across), 1)), float(max(int(down), 1))
        if min(across, down) * enlarged < SMALLEST:
            return None
    margin = room * min(across, down)
    wide, tall = (puzzle.width - 1) * across + 2 * margin, (puzzle.height - 1) * down + 2 * margin
    if wide > size[0] or tall > size[1]:
        return None
    place = choose(rng, {"centre": 5.0, "anywhere": 4.0, "edge": 1.0})
    fx, fy = (0.5, 0.5) if place == "centre" else (rng.random(), rng.random())
    if place == "edge":
        fx, fy = [(0.0, fy), (1.0, fy), (fx, 0.0), (fx, 1.0)][int(rng.integers(4))]
    left, top = (size[0] - wide) * fx + margin, (size[1] - tall) * fy + margin
    if crisp:
        left, top = float(round(left)), float(round(top))

    near = min(across, down)
    radius = part * near
    ring = max(ring_part * radius, 1.0) if paint != "disc" else 0.0
    if shape == "diamond":
        radius = min(radius * 1.15, (0.46 if touching else 0.75) * near)
    wavering = 0.0 if ground == "plain" else within(rng, 8, 30)
    standing_out = paint.startswith("disc")
    apart = (26 if standing_out else 3) + wavering
    colours = strange.theme(rng, filled=paint != "ring", apart=apart, wavering=wavering)
    if paint in ("ring-filled", "ring-double") and rng.random() < 0.45:
        colours = replace(colours, fill=colours.background)
        if wavering and abs(luma(colours.ink) - luma(colours.fill)) < 60:
            return None
    fill = colours.fill
    if standing_out and rng.random() < 0.55:
        fill = colours.accents[int(rng.integers(len(colours.accents)))]
        if _apart(fill, colours.background) < 40 + wavering:
            fill = colours.fill
    ring_colour = colours.ink if wavering or rng.random() < 0.4 else colours.wall
    if paint == "disc-outlined" and rng.random() < 0.5:
        ring_colour = mix(fill, (0, 0, 0) if luma(fill) > 90 else (255, 255, 255), within(rng, 0.35, 0.8))
    if not standing_out and _apart(ring_colour, colours.background) < 0.4 * colours.contrast + wavering:
        ring_colour = colours.ink
    if not standing_out and _apart(ring_colour, colours.background) < 30 + wavering:
        return None

    # Digits: at least as high as a person needs, at most what the island leaves room for.
    inner = radius - ring - (2 * ring if paint == "ring-double" else 0)
    inner *= 0.72 if shape == "diamond" else 1.0
    tokens = sorted({str(n) for n in puzzle.islands.values()})
    widest = max(face.glyph(token, 40.0).coverage.shape[1] for token in tokens) / 40
    tallest = max(face.glyph(token, 40.0).coverage.shape[0] for token in tokens) / 40
    most_ink = 1.84 * inner / hypot(widest, tallest)
    ink = min(radius * within(rng, 0.55, 1.3), most_ink)
    needed = max(face.least, 6 if crisp else 7) + (2 if colours.name == "low-contrast" or wavering else 0)
    if crisp and face.kind != "pixel":
        needed = max(needed, 9)
    ink = max(ink, needed + 0.5)
    if face.kind == "pixel":
        ink = float(face.glyph("8", ink).coverage.shape[0])
    if ink > most_ink:
        return None

    # Bridges: as strong as a person needs to see them beside grid and candidate lines.
    candidates = choose(rng, {"": 7.0, "thin": 1.0, "dashed": 0.8, "pale": 0.8})
    if wavering:
        candidates = ""
    if candidates == "pale" and not links:
        candidates = "dashed"
    contrast = _apart(colours.ink, colours.background) if not standing_out else max(colours.contrast, 60)
    least_apart = max(0.55 if candidates or grid not in ("grid-none", "grid-dots") else 0.35, 0.0) * contrast
    bridge_colour = ring_colour if rng.random() < 0.35 and ring else _stroke(rng, colours, colours.background, 0)
    if _apart(bridge_colour, colours.background) < max(least_apart, 28 + 1.3 * wavering):
        bridge_colour = colours.ink
    if _apart(bridge_colour, colours.background) < 30 + 1.3 * wavering:
        bridge_colour = legible_on(colours.background, colours.ink, 60 + wavering)
    grid_thick = 1.0 if near < 50 or rng.random() < 0.7 else 2.0
    thick = max(near * within(rng, 0.03, 0.12), 1.0)
    if grid not in ("grid-none", "grid-dots"):
        thick = max(thick, grid_thick + 1.0)
    gap = max(near * within(rng, 0.04, 0.12), 1.6)
    if double == "double-wide":
        gap = max(1.5 * radius * within(rng, 0.6, 0.9) - 2 * thick, gap)
    if double.startswith("double-label") and (radius * 1.1 < face.least + 3 or near < 30):
        double = "double-lines"
    if double == "double-cased":
        thick, gap = max(0.5 * thick, 1.0), max(near * within(rng, 0.12, 0.2), 3.0)
    if snap := rng.random() < 0.6:
        thick, gap = float(max(round(thick), 1)), float(max(round(gap), 2))
    short = choose(rng, {-1.0: 5.0, 0.0: 2.0, 1.0: 1.5}) * near * within(rng, 0.03, 0.12)
    if short < 0 and paint == "ring":
        short = -ring / 2  # a bridge under a ring without a filling would run through its number
    gaps = [
        abs(a[0] - b[0]) * down + abs(a[1] - b[1]) * across - 2 * radius - 2 * max(short, 0.0)
        for a, b in (links or content.links)
    ]
    if min(gaps) < max(3.0, 0.12 * near):
        short = min(short, 0.0)
        if min(gap + 2 * max(short, 0.0) for gap in gaps) < max(3.0, 0.12 * near):
            return None
    strength = within(rng, 0.08, 0.3)
    return Look(
        side=side, size=size, across=across, down=down, left=left, top=top, margin=margin, shape=shape, paint=paint,
        grid=grid, grid_colour=mix(colours.background, colours.ink, strength), grid_thick=grid_thick, double=double,
        done=done, errors=rng.random() < 0.4, radius=radius, ring=ring, fill=fill, ring_colour=ring_colour,
        value_colours=standing_out and rng.random() < 0.15, bridge_colour=bridge_colour, bridge_thick=thick,
        bridge_gap=gap, short=short, candidates=candidates, crosses=rng.random() < 0.08 and near > 22,
        cursor=choose(rng, {"": 8.0, "cursor-frame": 1.0, "cursor-corners": 0.5, "locked": 0.6}), ground=ground,
        ink=ink, tight=rng.random() < 0.5, frame=frame, crisp=crisp, hinted=rng.random() < 0.55, snap=snap,
        enlarged=enlarged, share=choose(rng, {0.0: 1.0, 0.35: 2.0, 0.8: 2.0}), colours=colours, face=face,
    )  # fmt: skip


class Board:
    """One board being drawn in one look."""

    def __init__(self, canvas: Canvas, look: Look, puzzle: Puzzle, links: Links, rng: Random) -> None:
        self.canvas, self.look, self.puzzle, self.links, self.rng = canvas, look, puzzle, links, rng
        self.tags: set[str] = set()
        self.has = dict.fromkeys(puzzle.islands, 0)
        for (a, b), n in links.items():
            self.has[a] += n
            self.has[b] += n
        self.hues = rng.permutation(9)
        self.special = sorted(puzzle.islands)[int(rng.integers(len(puzzle.islands)))]
        self.tint = look.colours.accents[int(rng.integers(len(look.colours.accents)))]

    def middle(self, cell: Cell) -> tuple[float, float]:
        return self.look.left + cell[1] * self.look.across, self.look.top + cell[0] * self.look.down

    def area(self) -> Area:
        """The board with its margin."""
        look = self.look
        x, y = self.middle((self.puzzle.height - 1, self.puzzle.width - 1))
        return look.left - look.margin, look.top - look.margin, x + look.margin, y + look.margin

    def draw(self) -> None:
        self._grid()
        self._candidates()
        for bridge, n in self.links.items():
            self._bridge(bridge, n)
        if self.look.cursor == "cursor-frame":
            self._frame()
        for cell in self.puzzle.islands:
            self._island(cell)
        if self.look.cursor == "cursor-corners":
            self._corners()
        if self.look.double.startswith("double-label"):
            for bridge, n in self.links.items():
                self._label(bridge, n)
                self.tags.add("bridge-labels")
        self._crosses()

    def _grid(self) -> None:
        look, canvas = self.look, self.canvas
        if look.grid == "grid-none":
            return
        rows, columns = self.puzzle.height, self.puzzle.width
        (x0, y0), (x1, y1) = self.middle((0, 0)), self.middle((rows - 1, columns - 1))
        hx, hy = look.across / 2, look.down / 2
        colour, thick = look.grid_colour, look.grid_thick
        if look.grid == "grid-between":
            for c in range(columns + 1):
                x = x0 - hx + c * look.across
                canvas.bar((x, y0 - hy, x, y1 + hy), colour, thick)
            for r in range(rows + 1):
                y = y0 - hy + r * look.down
                canvas.bar((x0 - hx, y, x1 + hx, y), colour, thick)
        elif look.grid in ("grid-centres", "grid-dashed"):
            over = look.margin * 0.8 if look.frame == "frame" else 0.0
            lines = [(x0 + c * look.across, y0 - over, x0 + c * look.across, y1 + over) for c in range(columns)]
            lines += [(x0 - over, y0 + r * look.down, x1 + over, y0 + r * look.down) for r in range(rows)]
            for line in lines:
                if look.grid == "grid-dashed":
                    self._dashes(line, colour, thick, 0.25 * look.pitch)
                else:
                    canvas.bar(line, colour, thick)
        else:
            size = max(0.04 * look.pitch, 1.0)
            for r in range(rows):
                for c in range(columns):
                    x, y = self.middle((r, c))
                    if look.grid == "grid-dots":
                        canvas.disc(x, y, size, mix(look.colours.background, look.colours.ink, 0.4))
                    else:
                        canvas.bar((x - 2 * size, y, x + 2 * size, y), colour, 1)
                        canvas.bar((x, y - 2 * size, x, y + 2 * size), colour, 1)

    def _dashes(self, line: Area, colour: Colour, thick: float, length: float) -> None:
        x0, y0, x1, y1 = line
        count = max(round(hypot(x1 - x0, y1 - y0) / max(length, 3.0)), 3) | 1
        dx, dy = (x1 - x0) / count, (y1 - y0) / count
        for i in range(0, count, 2):
            self.canvas.bar((x0 + i * dx, y0 + i * dy, x0 + (i + 1) * dx, y0 + (i + 1) * dy), colour, thick)

    def _ends(self, bridge: Bridge, short: float) -> Area:
        """Where a line between two islands runs, from edge to edge, shortened."""
        (x0, y0), (x1, y1) = self.middle(bridge.a), self.middle(bridge.b)
        off = self.look.radius + short
        return (x0 + off, y0, x1 - off, y1) if y0 == y1 else (x0, y0 + off, x1, y1 - off)

    def _candidates(self) -> None:
        """Faint lines where a bridge may come."""
        look, rng = self.look, self.rng
        if not look.candidates:
            return
        taken = {
            other for k, b in enumerate(self.puzzle.bridges) if b in self.links for other in self.puzzle.crossings[k]
        }
        # Where nothing stands, only lines along every way, crossing ones among them, show that they are no bridges.
        share = 1.0 if rng.random() < 0.6 or not self.links else within(rng, 0.2, 0.7)
        # Well below the faintest bridge: that of a finished island where those turn grey.
        strength = within(rng, 0.12, 0.22 if look.done == "done-grey" else 0.3)
        colour = mix(look.colours.background, look.colours.ink, strength)
        thick = max(look.bridge_thick, 1.5) if look.candidates == "pale" else 1.0
        for k, bridge in enumerate(self.puzzle.bridges):
            if bridge in self.links or k in taken or rng.random() > share:
                continue
            self.tags.add(f"candidates-{look.candidates}")
            line = self._ends(bridge, 0.0 if look.paint == "ring" else -0.1 * look.radius)
            if look.candidates == "dashed":
                self._dashes(line, colour, max(thick, 1.0), 0.15 * look.pitch)
            else:
                self.canvas.bar(line, colour, thick)

    def _bridge(self, bridge: Bridge, n: int) -> None:
        look = self.look
        line = self._ends(bridge, look.short)
        colour = look.bridge_colour
        ended = [self.has[cell] == self.puzzle.islands[cell] for cell in bridge]
        if look.done == "done-grey" and any(ended):
            colour = mix(look.colours.background, colour, 0.62)
        elif look.errors and any(self.has[cell] > self.puzzle.islands[cell] for cell in bridge):
            colour = self._red(look.colours.background)
        if look.double == "double-thick":
            self.canvas.bar(
                line, colour, look.bridge_thick if n == 1 else max(2.2 * look.bridge_thick, look.bridge_thick + 2)
            )
            return
        if n == 1 or look.double.startswith("double-label"):
            if look.double == "double-cased":
                self._band(line, look.bridge_thick * 3)
            self.canvas.bar(line, colour, look.bridge_thick)
            return
        off = (look.bridge_gap + look.bridge_thick) / 2
        if look.double == "double-cased":
            self._band(line, look.bridge_gap + 2 * look.bridge_thick)
        x0, y0, x1, y1 = line
        for sign in (-off, off):
            shifted = (x0, y0 + sign, x1, y1 + sign) if y0 == y1 else (x0 + sign, y0, x1 + sign, y1)
            self.canvas.bar(shifted, colour, look.bridge_thick)

    def _band(self, line: Area, thick: float) -> None:
        ground = self.look.colours.background
        self.canvas.bar(line, mix(ground, (255, 255, 255) if luma(ground) > 90 else (0, 0, 0), 0.8), thick)

    def _red(self, ground: Colour) -> Colour:
        red = (215, 25, 30)
        return red if _apart(red, ground) > 60 else (255, 150, 140) if luma(ground) < 128 else (120, 0, 10)

    def _shape(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled island."""
        canvas, shape = self.canvas, self.look.shape
        if shape == "circle":
            canvas.disc(x, y, radius, colour)
        elif shape in ("square", "rounded"):
            box = (x - radius, y - radius, x + radius, y + radius)
            canvas.rectangle(box, colour, radius * 0.35 if shape == "rounded" else 0.0)
        else:
            canvas.polygon(self._corners_of(x, y, radius), colour)

    def _outline(self, x: float, y: float, radius: float, colour: Colour, ring: float) -> None:
        canvas, shape = self.canvas, self.look.shape
        if shape == "circle":
            canvas.disc(x, y, radius, colour, ring)
        elif shape in ("square", "rounded"):
            box = (x - radius, y - radius, x + radius, y + radius)
            canvas.outline(box, colour, ring, radius * 0.35 if shape == "rounded" else 0.0)
        else:
            corners = self._corners_of(x, y, radius - ring / 2)
            canvas.line([*corners, corners[0]], colour, ring)

    def _corners_of(self, x: float, y: float, radius: float) -> list[tuple[float, float]]:
        count, turn = {"hexagon": (6, 0.0), "octagon": (8, pi / 8), "diamond": (4, 0.0)}[self.look.shape]
        angles = [turn + 2 * pi * i / count for i in range(count)]
        return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]

    def _island(self, cell: Cell) -> None:
        look, colours = self.look, self.look.colours
        x, y = self.middle(cell)
        number, has = self.puzzle.islands[cell], self.has[cell]
        fill, ring, ink = look.fill, look.ring_colour, colours.ink
        filled = look.paint != "ring"
        if look.value_colours:
            fill = strange.toned(float(self.hues[number]) / 9, 0.6, min(max(luma(fill), 60), 205))
            if _apart(fill, colours.background) < 35:
                fill = look.fill
        if look.cursor == "locked" and cell == self.special:
            self.tags.add("locked")
            shade = (255, 255, 255) if luma(fill) < 225 else (190, 190, 190)
            fill, filled = shade if look.paint != "disc" or _apart(shade, colours.background) > 40 else fill, True
        finished, wrong = bool(self.links) and has == number, bool(self.links) and has > number
        if finished and look.done != "done-same":
            self.tags.add(look.done)
            if look.done == "done-filled":
                fill, filled = mix(fill, self.tint, 0.5), True
            elif look.done == "done-tick-colour":
                ring = self.tint if _apart(self.tint, colours.background) > 60 else ring
        ink = legible_on(fill if filled else colours.background, ink, min(0.8 * colours.contrast, 80))
        if finished and look.done == "done-grey":
            under = fill if filled else colours.background
            ink = mix(under, ink, max(0.5, min(45 / max(_apart(under, ink), 1), 1)))
        if finished and look.done == "done-faint-ring":
            ring = mix(colours.background, ring, max(0.5, min(40 / max(_apart(colours.background, ring), 1), 1)))
        if wrong and look.errors:
            self.tags.add("errors")
            ink, ring = (self._red(fill if filled else colours.background), self._red(colours.background))
        if filled:
            inset = look.ring / 2 if look.ring else 0.0
            self._shape(x, y, look.radius - inset, fill)
        if look.ring:
            self._outline(x, y, look.radius, ring, look.ring)
            if look.paint == "ring-double":
                self._outline(x, y, look.radius - 2 * look.ring, ring, look.ring)
        self.canvas.glyph(look.face, str(number), x, y, look.ink, ink, look.tight)

    def _frame(self) -> None:
        look = self.look
        x, y = self.middle(self.special)
        half = max(look.radius * 1.12 + 1, 0.5 * look.pitch)
        self.tags.add(look.cursor)
        colour = self.tint if _apart(self.tint, look.colours.background) > 50 else look.colours.ink
        self.canvas.outline((x - half, y - half, x + half, y + half), colour, max(1.0, 0.03 * look.pitch))

    def _corners(self) -> None:
        look = self.look
        x, y = self.middle(self.special)
        half = max(look.radius * 1.08 + 1, 0.5 * look.pitch)
        self.tags.add(look.cursor)
        for sx in (-1, 1):
            for sy in (-1, 1):
                cx, cy = x + sx * half, y + sy * half
                across = (min(cx, cx - sx * half * 0.4), cy, max(cx, cx - sx * half * 0.4), cy)
                down = (cx, min(cy, cy - sy * half * 0.4), cx, max(cy, cy - sy * half * 0.4))
                for line in (across, down):
                    self.canvas.bar(line, look.colours.ink, max(1.0, 0.03 * look.pitch))

    def _label(self, bridge: Bridge, n: int) -> None:
        """The number of links in a small disc on the middle of the bridge, which is no island."""
        look = self.look
        (x0, y0), (x1, y1) = self.middle(bridge.a), self.middle(bridge.b)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        fill = mix(look.bridge_colour, look.colours.background, 0.25)
        size = max(look.radius * 0.55, 0.65 * (look.face.least + 2))
        room = (abs(x1 - x0) + abs(y1 - y0)) / 2 - look.radius
        size = min(size, max(room, 4.0))
        if look.double == "double-label":
            self.canvas.disc(x, y, size, fill)
        else:
            self.canvas.rectangle((x - size, y - size, x + size, y + size), fill)
        self.canvas.glyph(look.face, str(n), x, y, size * 1.1, legible_on(fill, look.colours.ink, 70), True)

    def _crosses(self) -> None:
        """Small green crosses between islands: no bridge here."""
        look = self.look
        if not look.crosses:
            return
        standing = {
            other for k, b in enumerate(self.puzzle.bridges) if b in self.links for other in self.puzzle.crossings[k]
        }
        green = (20, 150, 40) if luma(look.colours.background) > 100 else (90, 220, 110)
        for k, bridge in enumerate(self.puzzle.bridges):
            if bridge in self.links or k in standing or self.rng.random() > 0.25:
                continue
            self.tags.add("no-bridge-marks")
            x0, y0, x1, y1 = self._ends(bridge, 0.0)
            x, y, half = (x0 + x1) / 2, (y0 + y1) / 2, 0.1 * look.pitch
            for sign in (-1, 1):
                ends = [(x - half, y - sign * half), (x + half, y + sign * half)]
                self.canvas.line(ends, green, max(0.04 * look.pitch, 1.0))


# Around the board -----------------------------------------------------------------------------------------------------

MENUS = (("File", "Edit", "Help"), ("Game", "Type", "Help"), ("New", "Restart", "Undo", "Redo", "Solve"), ("Puzzle",))


def _furniture(canvas: Canvas, rng: Random, look: Look, area: Area) -> set[str]:
    """A desktop program's title bar, menus, check boxes and status line, where the board leaves room for them."""
    tags: set[str] = set()
    colours, (_, top, right, bottom) = look.colours, area
    width, height = canvas.width, canvas.height
    tall = min(max(0.035 * height, 16.0), 30.0)
    bar = mix(colours.background, colours.ink, within(rng, 0.06, 0.2))
    ink = legible_on(bar, colours.ink, 60)
    y = 0.0
    if top > tall + 2 and rng.random() < 0.7:
        canvas.rectangle((0, 0, width, tall), bar)
        canvas.words(
            str(rng.choice(["Bridges", "Hashi", "Hashiwokakero 12", "Puzzle 4"])), width / 2, tall / 2, tall * 0.55, ink
        )
        for i, accent in enumerate(colours.accents[:3]):
            canvas.disc(width - tall * (0.6 + 0.8 * i), tall / 2, tall * 0.24, accent)
        y = tall
        tags.add("title-bar")
    if top > y + tall + 2 and rng.random() < 0.7:
        canvas.rectangle((0, y, width, y + tall), mix(bar, colours.background, 0.5))
        x = 8.0
        for word in MENUS[int(rng.integers(len(MENUS)))]:
            canvas.words(word, x, y + tall / 2, tall * 0.5, legible_on(colours.background, colours.ink, 60), "lm")
            x += tall * (1.2 + 0.35 * len(word))
        tags.add("menu-bar")
    if width - right > 110 and rng.random() < 0.7:
        x = within(rng, right + 0.3 * look.pitch, max(width - 100, right + 0.3 * look.pitch + 1))
        for i, word in enumerate(("Show errors", "Timer", "Grid", "Hints")[: int(rng.integers(1, 5))]):
            y = max(top, 40.0) + 10 + i * 24
            if y > height - 20 or x > width - 60:
                break
            box = (x, y, x + 12, y + 12)
            text_colour = legible_on(colours.background, colours.ink, 60)
            canvas.outline(box, text_colour, 1)
            if rng.random() < 0.5:
                canvas.line([(x + 2, y + 6), (x + 5, y + 10), (x + 10, y + 2)], text_colour, 1.5)
            canvas.words(word, x + 18, y + 6, 12, text_colour, "lm")
        tags.add("check-boxes")
    if height - bottom > tall + 2 and rng.random() < 0.6:
        text_colour = legible_on(colours.background, colours.ink, 60)
        text = str(rng.choice(["00:42", "Level 7", "3 islands left", "Moves: 12   Time 1:08", "Solved!", "8x8 easy"]))
        canvas.words(text, width * within(rng, 0.2, 0.8), height - tall * 0.55, tall * 0.55, text_colour)
        tags.add("status-line")
    return tags


def _window(rng: Random, look: Look, puzzle: Puzzle, links: Links) -> tuple[NDArray[np.uint8], Board, set[str]]:
    """The whole window, RGB, before anything lies over it."""
    colours = look.colours
    sheet = strange.ground(rng, look.ground, look.size, colours)
    canvas = Canvas(sheet, crisp=look.crisp, hinted=look.hinted, snap=look.snap)
    board = Board(canvas, look, puzzle, links, rng)
    area, tags = board.area(), set[str]()
    if look.frame == "panel" and look.ground == "plain":
        # The board's own ground stays what the colours were chosen for; the window around it is the other shade.
        around = mix(colours.background, colours.ink, within(rng, 0.08, 0.25))
        canvas.rectangle((0, 0, canvas.width, canvas.height), around)
        canvas.rectangle(area, colours.background)
        tags.add("panel")
    elif look.frame == "frame":
        inset = max(1.0, 0.04 * look.pitch)
        strength = within(rng, 0.3, 0.9)
        canvas.outline(area, mix(colours.background, colours.ink, strength), inset)
        tags.add("frame")
    board.draw()
    if rng.random() < 0.5:
        tags |= _furniture(canvas, rng, look, area)
    else:
        size = look.ink * within(rng, 0.7, 1.0)
        tags |= strange.surround(canvas, rng, area, 0.4 * look.pitch, colours, look.face, size, look.share)
    return canvas.finish(), board, tags | board.tags


def _tags(look: Look, content: Content, links: Links, play: str) -> set[str]:
    puzzle = content.puzzle
    tags = {
        f"shape-{look.shape}", f"island-{look.paint}", look.grid, f"ground-{look.ground}",
        f"theme-{look.colours.name}", f"face-{look.face.kind}", f"play-{play}", f"content-{content.origin}",
    }  # fmt: skip
    if 2 in links.values():
        tags.add(look.double)
    filled = len(puzzle.islands) / (puzzle.height * puzzle.width)
    tags.add("sparse" if filled < 0.2 else "dense" if filled > 0.32 else "middling")
    touching = any(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in puzzle.bridges)
    rows, columns = {r for r, _ in puzzle.islands}, {c for _, c in puzzle.islands}
    pitch = look.pitch * look.enlarged
    for name, yes in {
        "crisp": look.crisp,
        "enlarged": look.enlarged != 1,
        "value-colours": look.value_colours,
        "touching-pairs": touching,
        "radius-over-58": look.radius > 0.575 * look.pitch,
        "radius-under-30": look.radius < 0.3 * look.pitch,
        "ring-thick": look.ring > 0.18 * look.radius,
        "ring-thin": 0 < look.ring <= 0.06 * look.radius,
        "bridge-short": bool(links) and look.short > 0,
        "bridge-as-ring": bool(links) and look.bridge_colour == look.ring_colour,
        "oblong-pitch": abs(look.across / look.down - 1) > 0.06,
        "pitch-under-20": pitch < 20,
        "pitch-20-30": 20 <= pitch < 30,
        "pitch-over-80": pitch > 80,
        "small-board": max(puzzle.height, puzzle.width) < 6,
        "large-board": max(puzzle.height, puzzle.width) > 14,
        "empty-rows": len(rows) < puzzle.height or len(columns) < puzzle.width,
        "at-the-edge": min(look.left, look.top) - look.margin < 3,
    }.items():
        if yes:
            tags.add(name)
    return tags


def _finish(
    rng: Random, sheet: NDArray[np.uint8], board: Board, tags: set[str], content: Content, links: Links
) -> Sample:
    """Overlays, enlargement and damage; the truth in the pixels of the result."""
    look = board.look
    image = np.ascontiguousarray(sheet[..., ::-1])
    if look.enlarged != 1:
        image = strange.enlarge(image, look.enlarged)
    if rng.random() < 0.08 and (tip := _tip(rng, board)):
        strange.pointer(rng, image, tip)
        tags.add("pointer")
    size = (image.shape[1], image.shape[0])
    pitch, ink = look.pitch * look.enlarged, look.ink * look.enlarged
    chosen = strange.degradations(
        rng, look.side, ink=ink, pitch=pitch, least=look.face.least + 1, size=size, pitches=(SMALLEST, LARGEST)
    )
    image, grown_by = strange.degrade(rng, image, chosen, ink=ink, contrast=look.colours.contrast)
    tags |= set(chosen)
    scale = look.enlarged * grown_by
    places = {}
    for cell in board.puzzle.islands:
        x, y = (v * scale for v in board.middle(cell))
        half = look.radius * scale
        places[cell] = Box(round(x - half), round(y - half), max(round(2 * half), 1), max(round(2 * half), 1))
    return Sample(
        np.ascontiguousarray(image), format_puzzle(board.puzzle), frozenset(tags), places, content=content.origin,
        face=look.face.family, links={(a, b): n for (a, b), n in links.items()},
    )  # fmt: skip


def _tip(rng: Random, board: Board) -> tuple[float, float] | None:
    """Where the pointer's tip may stand, in the enlarged window: over an island, hiding at most a third of its number
    and of every other."""
    look = board.look
    scale = look.enlarged
    cells = sorted(board.puzzle.islands)
    half, radius = 0.5 * look.ink * scale, look.radius * scale
    for _ in range(20):
        x, y = (v * scale for v in board.middle(cells[int(rng.integers(len(cells)))]))
        tip = (within(rng, x - radius, x + radius), within(rng, y - radius, y + radius))
        for other in cells:
            x, y = (v * scale for v in board.middle(other))
            across = min(tip[0] + strange.POINTER_SIZE[0], x + 0.7 * half) - max(tip[0], x - 0.7 * half)
            down = min(tip[1] + strange.POINTER_SIZE[1], y + half) - max(tip[1], y - half)
            if across > 0 and down > 0 and across * down > 0.33 * 1.4 * half * 2 * half:
                break
        else:
            return tip
    return None


# Samples --------------------------------------------------------------------------------------------------------------

PLAY = {"none": 4.0, "partial": 4.0, "solved": 2.0}


def _sample(seed: int, side: Side, play: str) -> Sample:
    for attempt in range(300):
        # A look that cannot show this board legibly is drawn again; after many tries another board takes its place.
        rng = strange.stream(seed, "islands", side, str(attempt // 10))
        content = generated(rng) if rng.random() < 0.6 else grown(rng)
        if rng.random() < 0.2:
            content = _padded(rng, content)
        if len(content.puzzle.islands) < 5:
            continue
        links = _played(strange.stream(seed, "played", side, str(attempt // 10)), content, play)
        look = _look(strange.stream(seed, "look", side, str(attempt)), seed + 7919 * attempt, side, content, links)
        if look is None:
            continue
        sheet, board, around = _window(strange.stream(seed, "window", side), look, content.puzzle, links)
        tags = _tags(look, content, links, play if links or play == "none" else "none")
        return _finish(strange.stream(seed, "finish", side), sheet, board, tags | around, content, links)
    raise RuntimeError(f"no look was found for the board of seed {seed}")


def picture(seed: int, side: Side = "development") -> Sample:
    """A board before, in the middle of or after play; the window follows from ``seed`` alone (and from the typefaces
    that there are)."""
    play = choose(strange.stream(seed, "play", side), PLAY)
    return replace(_sample(seed, side, play), name=f"{side}-board-{seed}")


# What is no board, or not the whole of one ----------------------------------------------------------------------------


def cut_off(seed: int, side: Side = "development") -> Sample:
    """A board of which some rows or columns, islands among them, lie outside of the window. It is not to be played, so
    its ``text`` is empty."""
    rng = strange.stream(seed, "cut", side)
    for attempt in range(60):
        whole = picture(seed + 611_953 * attempt, side)
        edge = choose(rng, {"right": 3.0, "bottom": 3.0, "left": 1.0, "top": 1.0})
        along = 0 if edge in ("left", "right") else 1
        middles = sorted({box.centre[along] for box in whole.places.values()})
        if len(middles) < 4:
            continue
        gone = int(rng.integers(1, len(middles) // 2 + 1))
        if edge in ("left", "top"):
            at = round(within(rng, middles[gone - 1] + 1, middles[gone]))
            kept = Box(at * (along == 0), at * (along == 1), whole.image.shape[1], whole.image.shape[0])
        else:
            at = round(within(rng, middles[-gone - 1], middles[-gone] - 1))
            kept = Box(0, 0, at if along == 0 else whole.image.shape[1], at if along == 1 else whole.image.shape[0])
        image = np.ascontiguousarray(kept.crop(whole.image))
        if min(image.shape[:2]) < 90:
            continue
        left = {cell: box for cell, box in whole.places.items() if kept.contains(box.centre)}
        spans = [((box.x, box.y)[along], (box.x, box.y)[along] + box.width) for box in whole.places.values()]
        through = any(first + 2 < at < last - 2 for first, last in spans)
        numbers = tokens_of(whole.text)
        # A clean cut through water is seen by what is left alone: it has no solution.
        if len(left) < 4 or (not through and not _hopeless({cell: int(numbers[cell]) for cell in left})):
            continue
        tags = {"cut-through-islands" if through else "cut-between-islands", f"cut-{edge}"}
        tags |= {tag for tag in whole.conditions if tag.startswith("play-")}
        return replace(
            whole, image=image, text="", conditions=frozenset(tags), places={}, links=None, name=f"{side}-cut-{seed}"
        )
    raise RuntimeError(f"no cut was found for the board of seed {seed}")


def _hopeless(numbers: Mapping[Cell, int]) -> bool:
    height, width = max(r for r, _ in numbers) + 1, max(c for _, c in numbers) + 1
    return bool(faults(Puzzle(tuple(tuple(numbers.get((r, c), 0) for c in range(width)) for r in range(height)))))


def not_a_board(seed: int, side: Side = "development") -> Sample:
    """Something else than this game: menus, text, photos, other games, nothing at all."""
    from bench.reading import elsewhere

    rng = strange.stream(seed, "elsewhere", side)
    name, image = elsewhere.anything(rng, seed, side)
    return Sample(image, "", frozenset({f"not-{name}"}), {}, name=f"{side}-elsewhere-{seed}")


def plain(rows: int, columns: int, size: tuple[int, int]) -> Sample:
    """A board of this size before play in an everyday light window, every second place an island: for timing."""
    cells = {(r, c) for r in range(rows) for c in range(columns) if (r + c) % 2 == 0}
    rng = strange.stream(rows * 100 + columns, "plain")
    numbers = tuple(
        tuple(int(rng.integers(1, 9)) if (r, c) in cells else 0 for c in range(columns)) for r in range(rows)
    )
    content = Content(Puzzle(numbers), "numbers", {})
    pitch = float(int(0.85 * min(size[0] / columns, size[1] / rows)))
    paper, black = (250, 250, 250), (20, 20, 20)
    accents = tuple(strange.toned(hue, 0.8, 130) for hue in strange.ACCENT_HUES)
    look = Look(
        side="development", size=size, across=pitch, down=pitch, left=(size[0] - (columns - 1) * pitch) / 2,
        top=(size[1] - (rows - 1) * pitch) / 2, margin=0.6 * pitch, shape="circle", paint="ring", grid="grid-none",
        grid_colour=paper, grid_thick=1.0, double="double-lines", done="done-same", errors=False, radius=0.42 * pitch,
        ring=max(0.05 * pitch, 1.0), fill=paper, ring_colour=black, value_colours=False, bridge_colour=black,
        bridge_thick=2.0, bridge_gap=3.0, short=0.0, candidates="", crosses=False, cursor="", ground="plain",
        ink=0.4 * pitch, tight=False, frame="", crisp=False, hinted=True, snap=True, enlarged=1.0, share=0.0,
        colours=Theme("light", paper, paper, black, black, accents, 230.0),
        face=pick("development", "installed", "plain"),
    )  # fmt: skip
    canvas = Canvas(strange.ground(rng, "plain", size, look.colours), crisp=False, hinted=True, snap=True)
    board = Board(canvas, look, content.puzzle, {}, rng)
    board.draw()
    places = {}
    for cell in content.puzzle.islands:
        x, y = board.middle(cell)
        places[cell] = Box(
            round(x - look.radius), round(y - look.radius), round(2 * look.radius), round(2 * look.radius)
        )
    image = np.ascontiguousarray(canvas.finish()[..., ::-1])
    text = format_puzzle(content.puzzle)
    return Sample(image, text, frozenset(), places, content="numbers", face=look.face.family, name="plain", links={})


def tokens_of(text: str) -> dict[Cell, str]:
    """Each island of a puzzle's text, with its number."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {(r, c): n for r, line in enumerate(lines) for c, n in enumerate(line) if n not in ".0"}


# How boards are compared ----------------------------------------------------------------------------------------------


def _kept(text: str) -> tuple[list[int], list[int], list[str]]:
    """The rows and the columns of a text that hold an island, and the text without the others."""
    lines = [line.strip().replace("0", ".") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rows = [r for r, line in enumerate(lines) if set(line) != {"."}]
    columns = [c for c in range(len(lines[0])) if any(lines[r][c] != "." for r in rows)] if lines else []
    return rows, columns, ["".join(lines[r][c] for c in columns) for r in rows]


def same(a: str, b: str) -> bool:
    """Whether two texts are one board: empty rows and columns carry nothing, for what is neighbour to what does not
    change with them. (That two islands stand directly beside each other changes nothing in play either.)"""
    return _kept(a)[2] == _kept(b)[2]


def pairs(text: str) -> frozenset[tuple[Cell, Cell]]:
    return frozenset((a, b) for a, b in parse(text).bridges)


def standing(reading: Reading[Puzzle], sample: Sample) -> dict[tuple[Cell, Cell], int]:
    """The links of ``reading.extra["bridges"]``, by the truth's cells; an island that is none of the truth's has
    negative numbers."""
    seen: Mapping[Bridge, int] = reading.extra.get("bridges", {})
    names: dict[Cell, Cell] = {}
    if sample.places:
        for cell, box in reading.places.items():
            x, y = box.centre
            found = [c for c, spot in sample.places.items() if spot.contains((x, y))]
            near = min(
                found, key=lambda c: hypot(sample.places[c].centre[0] - x, sample.places[c].centre[1] - y), default=None
            )
            names[cell] = near if near is not None else (-1 - cell[0], -1 - cell[1])
    else:
        # Without places only a board that is right can be compared, by the order of its rows and columns.
        rows, columns, board = _kept(format_puzzle(reading.puzzle))
        true_rows, true_columns, truth = _kept(sample.text)
        if board != truth:
            return {((-1, -1), (-1, -1)): 1}
        for r, c in reading.puzzle.islands:
            names[r, c] = (true_rows[rows.index(r)], true_columns[columns.index(c)])
    lost = (-1, -1)
    ends = ((sorted((names.get(a, lost), names.get(b, lost))), n) for (a, b), n in seen.items() if n)
    return {(a, b): n for (a, b), n in ends}


FORM = Form(tokens_of, same, pairs, standing)
RIVALS = circles.RIVALS
SERIES = (
    Series(
        "cut off",
        "boards cut off by the window's edge ('unreadable' is right; WRONG would be played)",
        cut_off,
        1 / 4,
        "",
    ),
    Series("no boards", "no board at all ('unreadable' is right; WRONG would be played)", not_a_board, 1 / 2, ""),
)
