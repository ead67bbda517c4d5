"""How a strange window of Cardinal Chains looks: one style, drawn by lot, in which a person can read the board. Draws
nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from autoplayer.games.cardinal_chains.puzzle import Puzzle
from bench.reading import grounds, palette, strange
from bench.reading.face import Face
from bench.reading.faces import Side, crosses
from bench.reading.palette import Theme, luma
from bench.reading.strange import Random, choose, within

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


@dataclass(frozen=True)
class _Lattice:
    """Where the board stands in the unscaled window: fields as in :class:`Look`."""

    size: tuple[int, int]
    pitch: float
    left: float
    top: float


def _lattice(rng: Random, puzzle: Puzzle, margin: float, crisp: bool, enlarged: float) -> _Lattice | None:
    """``margin``: around the board, in pitches. None where no window has room for the board."""
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
    fx, fy = strange.standing(rng)
    left = (size[0] - pitch * columns) * fx + margin * pitch
    top = (size[1] - pitch * rows) * fy + margin * pitch
    if crisp:
        left, top = float(round(left)), float(round(top))
    return _Lattice(size, pitch, left, top)


@dataclass(frozen=True)
class _Walls:
    """The window's colours, and what stands between two cells: fields as in :class:`Look`. ``wavering``: how much the
    ground differs from place to place."""

    colours: Theme
    wavering: float
    thick: float
    gap: float


def _walls(rng: Random, walls: str, ground: str, pitch: float) -> _Walls:
    transparent = walls in ("walls-none", "walls-thin", "walls-thick", "walls-hairline", "walls-double", "walls-dashed")
    filled = walls in ("walls-tiles", "walls-bevel") or rng.random() < (0.4 if transparent else 0.7)
    if walls == "walls-none":
        filled = False
    wavering = 0.0 if ground == "plain" else within(rng, 8, 34)
    apart = 12 + wavering if walls in ("walls-tiles", "walls-bevel") else 8.0
    colours = palette.theme(rng, filled=filled, apart=apart, wavering=wavering)
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
        colours = replace(colours, wall=palette.toned(0, 0, luma(colours.fill) + up * step))
    return _Walls(colours, wavering, thick, gap)


def look_for(rng: Random, seed: int, side: Side, puzzle: Puzzle, start: str) -> Look | None:
    """A style in which ``puzzle`` can be shown legibly; None where this draw has none. ``start``: how starts look,
    empty for any way."""
    held = side == "held"
    crisp = rng.random() < 0.15
    walls = choose(rng, WALLS | (WALLS_HELD if held else {}))
    start = start or choose(rng, STARTS | (STARTS_HELD if held else {}))
    hole = choose(rng, HOLES)
    ground = choose(rng, grounds.GROUNDS | (grounds.GROUNDS_HELD if held else {})) if not crisp else "plain"
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
    lattice = _lattice(rng, puzzle, margin, crisp, enlarged)
    if lattice is None:
        return None
    pitch = lattice.pitch
    between = _walls(rng, walls, ground, pitch)

    # Digits: at least as high as a person needs, at most what the widest token leaves room for.
    room = pitch - between.gap - 2 * between.thick
    tokens = sorted({str(v) if v else "X" for v in puzzle.cells.values()})
    widest = max(face.glyph(token, 40.0).coverage.shape[1] for token in tokens) / 40
    tallest = max(face.glyph(token, 40.0).coverage.shape[0] for token in tokens) / 40
    most_ink = min(0.8 * room / widest, 0.8 * room / tallest)
    ink = min(pitch * within(rng, 0.28, 0.62), most_ink)
    needed = strange.least_ink(face, crisp, between.colours, between.wavering)
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
        side=side, size=lattice.size, pitch=pitch, left=lattice.left, top=lattice.top, walls=walls, hole=hole,
        start=start, ground=ground, thick=between.thick, gap=between.gap,
        radius=pitch * within(rng, 0.1, 0.3) if walls == "walls-rounded" else 0.0,
        ink=ink, shift=shift, tight=rng.random() < 0.4, drawn_cross=rng.random() < 0.35 or not crosses(face),
        value_colours=rng.random() < 0.12 and walls != "walls-none", frame=frame, frame_margin=margin * pitch,
        crisp=crisp, hinted=rng.random() < 0.55, snap=rng.random() < 0.6, enlarged=enlarged,
        shadowed=rng.random() < 0.08 and ground == "plain" and not crisp and walls != "walls-none",
        share=choose(rng, {0.0: 1.0, 0.35: 2.0, 0.8: 2.0}), colours=between.colours, face=face,
    )  # fmt: skip
