"""How a strange window of Hashi looks: one style, drawn by lot, in which a person can read the board. Draws nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from autoplayer.games.hashi.puzzle import Puzzle
from bench.reading import grounds, palette, strange
from bench.reading.face import Face
from bench.reading.faces import Side
from bench.reading.hashi_boards import Content, Links
from bench.reading.palette import Theme, legible_on, luma, mix
from bench.reading.strange import Colour, Random, choose, within

SMALLEST, LARGEST = 14.0, 120.0
"""The pitch, in pixels, that a window's lattice has at least and at most."""

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


def difference(a: Colour, b: Colour) -> float:
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
    return colour if difference(colour, ground) >= least else colours.ink


@dataclass(frozen=True)
class _Kind:
    """What islands, links and the ground are drawn as."""

    shape: str
    paint: str
    grid: str
    double: str
    done: str
    ground: str
    crisp: bool
    enlarged: float

    @property
    def filled(self) -> bool:
        """Whether islands have a colour that stands out from the ground."""
        return self.paint.startswith("disc")


def _kind(rng: Random, held: bool, links: Links) -> _Kind:
    crisp = rng.random() < 0.12
    shape = choose(rng, SHAPES | (SHAPES_HELD if held else {}))
    paint = choose(rng, PAINTS | (PAINTS_HELD if held else {}))
    grid = choose(rng, GRIDS | (GRIDS_HELD if held else {}))
    double = choose(rng, DOUBLES | (DOUBLES_HELD if held else {}))
    done = choose(rng, DONE | (DONE_HELD if held else {}))
    ground = choose(rng, grounds.GROUNDS | (grounds.GROUNDS_HELD if held else {})) if not crisp else "plain"
    if ground in ("texture", "photo", "stripes") and grid != "grid-none":
        ground = "plain"
    if paint == "ring" and grid in ("grid-centres", "grid-dots", "grid-crosses", "grid-dashed"):
        paint = "ring-filled"  # what goes through the middles would go through the digits
    # Where only doubles stand, nobody can tell one thick line from another.
    if double == "double-thick" and set(links.values()) != {1, 2}:
        double = "double-lines"
    enlarged = choose(rng, {1.0: 3.0, 2.0: 3.0, 3.0: 1.5, 1.5: 0.5}) if crisp else 1.0
    return _Kind(shape, paint, grid, double, done, ground, crisp, enlarged)


@dataclass(frozen=True)
class _Lattice:
    """Where the board stands in the unscaled window: fields as in :class:`Look`."""

    size: tuple[int, int]
    across: float
    down: float
    left: float
    top: float
    margin: float

    @property
    def near(self) -> float:
        """The smaller pitch."""
        return min(self.across, self.down)


def _lattice(rng: Random, kind: _Kind, puzzle: Puzzle, part: float) -> _Lattice | None:
    """``part``: the radius of an island, in pitches. None where no window has room for the board."""
    room = max(part * 1.2, 0.5) + within(rng, 0.02, 0.6)  # from the outermost middles to the board's edge, in pitches
    aspect = within(rng, 0.85, 1.18) if rng.random() < 0.3 else 1.0
    columns, rows = (puzzle.width - 1 + 2 * room) * aspect, (puzzle.height - 1 + 2 * room) / aspect
    enlarged = kind.enlarged
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
    if kind.crisp or rng.random() < 0.4:
        across, down = float(max(int(across), 1)), float(max(int(down), 1))
        if min(across, down) * enlarged < SMALLEST:
            return None
    margin = room * min(across, down)
    wide, tall = (puzzle.width - 1) * across + 2 * margin, (puzzle.height - 1) * down + 2 * margin
    if wide > size[0] or tall > size[1]:
        return None
    fx, fy = strange.standing(rng)
    left, top = (size[0] - wide) * fx + margin, (size[1] - tall) * fy + margin
    if kind.crisp:
        left, top = float(round(left)), float(round(top))
    return _Lattice(size, across, down, left, top, margin)


@dataclass(frozen=True)
class _Colouring:
    """The colours of a window and of its islands. ``wavering``: how much its ground differs from place to place."""

    theme: Theme
    fill: Colour
    ring: Colour
    wavering: float


def _colouring(rng: Random, kind: _Kind) -> _Colouring | None:
    """None where islands would not stand out."""
    wavering = 0.0 if kind.ground == "plain" else within(rng, 8, 30)
    apart = (26 if kind.filled else 3) + wavering
    colours = palette.theme(rng, filled=kind.paint != "ring", apart=apart, wavering=wavering)
    if kind.paint in ("ring-filled", "ring-double") and rng.random() < 0.45:
        colours = replace(colours, fill=colours.background)
        if wavering and abs(luma(colours.ink) - luma(colours.fill)) < 60:
            return None
    fill = colours.fill
    if kind.filled and rng.random() < 0.55:
        fill = colours.accents[int(rng.integers(len(colours.accents)))]
        if difference(fill, colours.background) < 40 + wavering:
            fill = colours.fill
    ring = colours.ink if wavering or rng.random() < 0.4 else colours.wall
    if kind.paint == "disc-outlined" and rng.random() < 0.5:
        ring = mix(fill, (0, 0, 0) if luma(fill) > 90 else (255, 255, 255), within(rng, 0.35, 0.8))
    if not kind.filled and difference(ring, colours.background) < 0.4 * colours.contrast + wavering:
        ring = colours.ink
    if not kind.filled and difference(ring, colours.background) < 30 + wavering:
        return None
    return _Colouring(colours, fill, ring, wavering)


def _ink(
    rng: Random, kind: _Kind, colouring: _Colouring, face: Face, puzzle: Puzzle, radius: float, ring: float
) -> float:
    """The height of an 8: at least as high as a person needs, at most what the island leaves room for; 0 where that is
    not enough."""
    inner = radius - ring - (2 * ring if kind.paint == "ring-double" else 0)
    inner *= 0.72 if kind.shape == "diamond" else 1.0
    tokens = sorted({str(n) for n in puzzle.islands.values()})
    widest = max(face.glyph(token, 40.0).coverage.shape[1] for token in tokens) / 40
    tallest = max(face.glyph(token, 40.0).coverage.shape[0] for token in tokens) / 40
    most = 1.84 * inner / hypot(widest, tallest)
    ink = min(radius * within(rng, 0.55, 1.3), most)
    ink = max(ink, strange.least_ink(face, kind.crisp, colouring.theme, colouring.wavering) + 0.5)
    if face.kind == "pixel":
        ink = float(face.glyph("8", ink).coverage.shape[0])
    return 0.0 if ink > most else ink


@dataclass(frozen=True)
class _Bridges:
    """How links are drawn: fields as in :class:`Look`."""

    candidates: str
    colour: Colour
    double: str
    thick: float
    gap: float
    short: float
    snap: bool
    grid_thick: float


def _bridges(
    rng: Random,
    kind: _Kind,
    colouring: _Colouring,
    face: Face,
    lattice: _Lattice,
    radius: float,
    ring: float,
    links: Links,
) -> _Bridges:
    """As strong as a person needs to see them beside grid and candidate lines."""
    colours, wavering, near = colouring.theme, colouring.wavering, lattice.near
    candidates = choose(rng, {"": 7.0, "thin": 1.0, "dashed": 0.8, "pale": 0.8})
    if wavering:
        candidates = ""
    if candidates == "pale" and not links:
        candidates = "dashed"
    contrast = difference(colours.ink, colours.background) if not kind.filled else max(colours.contrast, 60)
    least_apart = (0.55 if candidates or kind.grid not in ("grid-none", "grid-dots") else 0.35) * contrast
    colour = colouring.ring if rng.random() < 0.35 and ring else _stroke(rng, colours, colours.background, 0)
    if difference(colour, colours.background) < max(least_apart, 28 + 1.3 * wavering):
        colour = colours.ink
    if difference(colour, colours.background) < 30 + 1.3 * wavering:
        colour = legible_on(colours.background, colours.ink, 60 + wavering)
    grid_thick = 1.0 if near < 50 or rng.random() < 0.7 else 2.0
    thick = max(near * within(rng, 0.03, 0.12), 1.0)
    if kind.grid not in ("grid-none", "grid-dots"):
        thick = max(thick, grid_thick + 1.0)
    gap = max(near * within(rng, 0.04, 0.12), 1.6)
    double = kind.double
    if double == "double-wide":
        gap = max(1.5 * radius * within(rng, 0.6, 0.9) - 2 * thick, gap)
    if double.startswith("double-label") and (radius * 1.1 < face.least + 3 or near < 30):
        double = "double-lines"
    if double == "double-cased":
        thick, gap = max(0.5 * thick, 1.0), max(near * within(rng, 0.12, 0.2), 3.0)
    if snap := rng.random() < 0.6:
        thick, gap = float(max(round(thick), 1)), float(max(round(gap), 2))
    short = choose(rng, {-1.0: 5.0, 0.0: 2.0, 1.0: 1.5}) * near * within(rng, 0.03, 0.12)
    if short < 0 and kind.paint == "ring":
        short = -ring / 2  # a bridge under a ring without a filling would run through its number
    return _Bridges(candidates, colour, double, thick, gap, short, snap, grid_thick)


def _shortest(bridges: _Bridges, lattice: _Lattice, radius: float, links: Links) -> float:
    """How much is seen of the shortest link, in pixels."""
    hidden = 2 * radius + 2 * max(bridges.short, 0.0)
    return min(abs(a[0] - b[0]) * lattice.down + abs(a[1] - b[1]) * lattice.across - hidden for a, b in links)


def look_for(rng: Random, seed: int, side: Side, content: Content, links: Links) -> Look | None:
    """A style in which the board can be shown legibly; None where this draw has none."""
    puzzle = content.puzzle
    touching = any(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in puzzle.bridges)
    kind = _kind(rng, side == "held", links)
    face = strange.face_for(rng, seed, side, kind.crisp)
    # The size of an island, as a share of the pitch.
    most_radius = (0.36 if links else 0.48) if touching else 0.62
    part = within(rng, 0.25, most_radius)
    if not touching:
        special = rng.random()
        part = within(rng, 0.58, 0.62) if special < 0.15 else within(rng, 0.63, 0.7) if special < 0.18 else part
    ring_part = choose(rng, {0.05: 2.0, 0.1: 3.0, 0.16: 2.0, 0.24: 1.0}) * within(rng, 0.8, 1.2)
    frame = choose(rng, {"": 6.0, "frame": 1.2, "panel": 1.0})
    lattice = _lattice(rng, kind, puzzle, part)
    if lattice is None:
        return None
    near = lattice.near
    radius = part * near
    ring = max(ring_part * radius, 1.0) if kind.paint != "disc" else 0.0
    if kind.shape == "diamond":
        radius = min(radius * 1.15, (0.46 if touching else 0.75) * near)
    colouring = _colouring(rng, kind)
    if colouring is None:
        return None
    ink = _ink(rng, kind, colouring, face, puzzle, radius, ring)
    if not ink:
        return None
    bridges = _bridges(rng, kind, colouring, face, lattice, radius, ring, links)
    if _shortest(bridges, lattice, radius, links or content.links) < max(3.0, 0.12 * near):
        return None
    colours = colouring.theme
    strength = within(rng, 0.08, 0.3)
    return Look(
        side=side, size=lattice.size, across=lattice.across, down=lattice.down, left=lattice.left, top=lattice.top,
        margin=lattice.margin, shape=kind.shape, paint=kind.paint, grid=kind.grid,
        grid_colour=mix(colours.background, colours.ink, strength), grid_thick=bridges.grid_thick,
        double=bridges.double, done=kind.done, errors=rng.random() < 0.4, radius=radius, ring=ring,
        fill=colouring.fill, ring_colour=colouring.ring, value_colours=kind.filled and rng.random() < 0.15,
        bridge_colour=bridges.colour, bridge_thick=bridges.thick, bridge_gap=bridges.gap, short=bridges.short,
        candidates=bridges.candidates, crosses=rng.random() < 0.08 and near > 22,
        cursor=choose(rng, {"": 8.0, "cursor-frame": 1.0, "cursor-corners": 0.5, "locked": 0.6}), ground=kind.ground,
        ink=ink, tight=rng.random() < 0.5, frame=frame, crisp=kind.crisp, hinted=rng.random() < 0.55,
        snap=bridges.snap, enlarged=kind.enlarged, share=choose(rng, {0.0: 1.0, 0.35: 2.0, 0.8: 2.0}),
        colours=colours, face=face,
    )  # fmt: skip
