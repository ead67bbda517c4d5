"""Strange windows: how a window looks that nobody here has drawn, whatever game stands in it. Here are a sample and its
truth, and what is drawn by lot for every window: its size, where the board stands, the face of the digits.

Everything is drawn from a seed. Colours are in ``palette``, grounds in ``grounds``, what is around a board in
``surroundings``, what happens to a picture in ``damage``, typefaces in ``faces``; all is drawn on a ``canvas``. Where a
game's board goes, its own module draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from autoplayer.core.frame import Box, Cell, Image
from bench.reading.face import Face
from bench.reading.faces import OldStyle, Side, fraction, pick

if TYPE_CHECKING:
    from bench.reading.palette import Theme

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255. Only the finished picture is BGR."""

Random = np.random.Generator
T = TypeVar("T")
Area = tuple[float, float, float, float]
"""Left, top, right, bottom in window pixels."""


@dataclass(frozen=True)
class Sample:
    """A picture with its truth.

    ``image`` BGR. ``text``: the puzzle in its text format as it was before play began; empty where there is no board.
    ``conditions``: tags of what is special about the look. ``places``: where each cell stands, in pixels of ``image``.
    ``owners``: for a board in the middle of play, the start of the chain that covers a cell. ``content``: where the
    puzzle came from. ``face``: the family of its digits. ``name``: the side, kind and seed. ``links``: for a game of
    bridges, how many links stand between two islands; None where it is not known.
    """

    image: Image
    text: str
    conditions: frozenset[str]
    places: Mapping[Cell, Box]
    owners: Mapping[Cell, Cell] = field(default_factory=dict)
    content: str = ""
    face: str = ""
    name: str = ""
    links: Mapping[tuple[Cell, Cell], int] | None = None


@dataclass(frozen=True)
class Series:
    """Further pictures of a game beside its boards, with a table of their own.

    ``draw``: a sample from a seed and a side. ``part``: how many there are for each board. ``prefix``: which conditions
    get a row of their own, those that begin so; None: no condition does.
    """

    name: str
    title: str
    draw: Callable[[int, Side], Sample]
    part: float
    prefix: str | None = None


def stream(seed: int, *purpose: str) -> Random:
    """A random stream of its own for each purpose, so that a change in one leaves the others as they were."""
    return np.random.default_rng([seed, *(int(fraction(word) * 2**32) for word in purpose)])


def choose(rng: Random, weights: Mapping[T, float]) -> T:
    """One key, by its weight."""
    total = sum(weights.values())
    point = rng.random() * total
    for key, weight in weights.items():
        point -= weight
        if point < 0:
            return key
    return next(reversed(list(weights)))


def within(rng: Random, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


OLD_STYLE = 0.07
"""The share of the windows in an installed face whose digits are old-style numerals."""


def face_for(rng: Random, seed: int, side: Side, crisp: bool) -> Face:
    """The face of a window's digits: installed ones mostly; on crisp windows mostly pixel digits."""
    kinds = (
        {"pixel": 5.0, "installed": 2.0} if crisp else {"installed": 7.0, "segment": 1.8, "stroke": 0.8, "pixel": 0.4}
    )
    kind = choose(rng, kinds)
    try:
        face = pick(side, kind, seed)
        drawn = kind != "installed" or face.family.startswith("DSEG")  # segments do not hang
        text = not drawn and not crisp and fraction("old style", side, seed) < OLD_STYLE
        return OldStyle(face) if text else face
    except LookupError:  # a machine without any font of this side still has the drawn ones
        return pick(side, "segment", seed)


def least_ink(face: Face, crisp: bool, colours: Theme, wavering: float) -> float:
    """How high an 8 must be at least, in pixels, for a person to read it. ``wavering``: how much the ground differs
    from place to place."""
    needed = max(face.least, 6 if crisp else 7) + (2 if colours.name == "low-contrast" or wavering else 0)
    return max(needed, 9) if crisp and face.kind != "pixel" else needed


def standing(rng: Random) -> tuple[float, float]:
    """Where a board stands in its window: the shares of the room beside it that are at its left and above it."""
    place = choose(rng, {"centre": 5.0, "anywhere": 4.0, "edge": 1.0})
    x, y = (0.5, 0.5) if place == "centre" else (rng.random(), rng.random())
    return [(0.0, y), (1.0, y), (x, 0.0), (x, 1.0)][int(rng.integers(4))] if place == "edge" else (x, y)


WINDOWS = (
    (320, 240), (400, 300), (480, 320), (640, 360), (640, 480), (720, 720), (800, 450), (800, 600), (1024, 768),
    (1280, 720), (1280, 900), (1366, 768), (1600, 900), (1920, 1080),
    (360, 640), (390, 844), (540, 960), (768, 1024), (900, 1280),
)  # fmt: skip
"""Window sizes: width, height in pixels; landscape first, then portrait."""
