"""The ways to look for a board's lattice in a picture: at several edge thresholds, by walls and by glyphs alone. A game
tries the lattices that are offered, the most probable first, until one of them holds its board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from autoplayer.core.frame import Image, Mask
from autoplayer.vision import lattice, rooms

MOST_OBLONG = 2.2
"""The largest ratio of height to width (or reverse) of a cell: cells are square, or, on a text screen, one character
that is twice as high as wide."""

COARSE_SIDE = 300
"""Pixels: a picture whose smaller side is at least twice this is first searched at half its size."""

COARSE_PITCH = 48
"""Pixels of the whole picture: smaller cells lose too much of their walls at half its size."""

FAINT, FAINTEST = 12.0, 5.0
"""Grey levels: the edges of walls are mostly stronger than the first, and hardly ever weaker than the second."""

NOISY = 3.0
"""Grey levels of noise from which on a picture is smoothed first; windows are cleaner, except in photos and video of
them."""


@dataclass(frozen=True)
class View:
    """A picture and one way to look for a lattice in it: the strength of its edges, its noise, the strength from which
    on an edge is a wall, and whether cells are recognised by their walls or by their glyphs alone. ``coarse``: whether
    the edges are those of the picture at half its size, in which walls of a single pixel may be lost."""

    image: Image
    edges: Mask
    noise: float
    threshold: float
    walled: bool
    coarse: bool = False

    @cached_property
    def strength(self) -> Mask:
        """The edges at the size of the picture."""
        if not self.coarse:
            return self.edges
        size = self.image.shape[1], self.image.shape[0]
        return np.asarray(cv2.resize(self.edges, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _marks(gray: Mask) -> Iterator[lattice.Boxes]:
    """Candidates for glyphs, found in several ways; first each mark by itself, then digits side by side as one
    number."""
    numbers = []
    for reach in (3, 7, 1):
        loose = lattice.marks(gray, reach)
        yield loose
        whole = lattice.side_by_side(loose)
        if len(whole) < MOSTLY_ALONE * len(loose):
            numbers.append(whole)
    yield from numbers


MARK_SLACK = 0.25
"""The largest relative difference between the heights of marks of one kind; also the largest distance of a mark from
its place, as a share of the pitch."""

ALMOST_SQUARE = 1.12
"""Below this ratio of its sides a place's sides are measured separately."""

FEWEST_MARKS = 3
"""Where a lattice leaves out at least this many marks, these are searched for a lattice of their own."""

MOSTLY_ALONE = 0.9
"""Where merging marks that stand side by side leaves fewer than this share of them, they may be digits."""

CROWDED_SIDES = 2
"""The number of sides along which the rim of a cell is empty, where its glyph comes close to the others or touches
them."""

SHARP = 60.0
"""Grey levels: edges of walls and glyphs that are this strong are narrow enough to be separated at a distance of a few
pixels."""

SMALL_CELL = 40
"""Pixels: larger cells are not searched for in the enlarged picture."""

MOST_ENLARGED = 1_500_000
"""The most pixels of a picture that is enlarged."""


def smoothed(image: Image) -> tuple[Image, float]:
    """``image`` (BGR), smoothed where it is noisy, and the remaining noise in grey levels."""
    level = lattice.noise(image)
    if level > NOISY:
        image = np.asarray(cv2.bilateralFilter(image, 5, 5 * level, 1.5), np.uint8)
        level = lattice.noise(image)
    return image, level


def stages(
    image: Image,
    most_cells: int,
    *,
    by_marks: bool = True,
    longest: float = lattice.LONGEST,
    bare: int = 4,
    joined: bool = False,
    noise: float | None = None,
) -> Iterator[tuple[View, list[lattice.Lattice]]]:
    """Candidate lattices of at most ``most_cells`` cells, stage by stage, the most probable first. A later stage is
    only needed where none of an earlier one convinces. ``by_marks``: whether glyphs without walls are searched for,
    after all else. ``longest``: the largest ratio of a cell's longer to its shorter inner side. ``bare``: as in
    :func:`lattice.regions`, the number of sides along which the rim must be empty. ``joined``: whether walls between
    cells may be missing, so that areas of several cells are searched for as well (:mod:`rooms`). ``noise``: of an image
    that was :func:`smoothed` before, its remaining noise together with compression artefacts beside edges; in grey
    levels."""
    if image.ndim != 3 or image.shape[0] < 24 or image.shape[1] < 24:
        return
    image, level = smoothed(image) if noise is None else (image, noise)
    tried: set[tuple[int, ...]] = set()

    def fresh(found: lattice.Lattice) -> bool:
        key = (round(found.pitch_x), round(found.pitch_y), len(found.cells), round(found.x), round(found.y))
        new = key not in tried and len(found.cells) <= most_cells
        tried.add(key)
        return new

    def walled(strength: Mask, threshold: float, scale: int) -> list[lattice.Lattice]:
        fits = [found.scaled(scale) for found in _by_walls(strength, threshold, longest, bare, joined)]
        return _finer([found for found in fits if fresh(found)], longest)

    height, width = image.shape[:2]
    if min(height, width) >= 2 * COARSE_SIDE:
        # Large cells are found in a quarter of the pixels.
        coarse, thresholds = _halved(image, level)
        for threshold in thresholds:
            large = [one for one in walled(coarse, threshold, 2) if one.pitch >= COARSE_PITCH]
            yield View(image, coarse, level, threshold, True, coarse=True), large
        tried.clear()
    strength = lattice.edge_strength(image)
    for threshold in (max(FAINT, 5 * level), max(FAINTEST, 3 * level), max(30.0, 8 * level)):
        yield View(image, strength, level, threshold, True), walled(strength, threshold, 1)
    if not by_marks:
        return
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    for seen in _marks(gray):
        hypotheses = [
            one
            for group in lattice.groups(seen, MARK_SLACK, by_width=False)
            for found in _by_marks(group)
            if fresh(found)
            for one in lattice.finer(found, 1.25)
            if one.pitch < 5 * one.height and one.oblong < MOST_OBLONG
        ]
        hypotheses.sort(key=lambda one: -len(one.cells))
        yield View(image, strength, level, max(FAINT, 5 * level), False), hypotheses[:3]


def _halved(image: Image, level: float) -> tuple[Mask, tuple[float, ...]]:
    """The edge strength in a picture of half the width and height, and the thresholds to try one after the other.
    Halving reduces noise, in which the walls of large pale cells would be lost; smoothing once more reduces it further,
    so that fainter edges can be used there."""
    size = image.shape[1] // 2, image.shape[0] // 2
    half = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    if 5 * level <= FAINT:
        return lattice.edge_strength(half), (FAINT,)
    half = np.asarray(cv2.bilateralFilter(half, 5, 5 * lattice.noise(half), 1.5), np.uint8)
    left = 5 * lattice.noise(half)
    return lattice.edge_strength(half), (5 * level, max(FAINT, left), max(FAINTEST, left))


def crowded(image: Image, most_cells: int) -> Iterator[tuple[View, list[lattice.Lattice]]]:
    """As :func:`stages`, for cells whose glyphs fill them and touch the walls' edges on some sides: a picture in which
    nothing else was found is searched by its strongest edges, and enlarged, smoothly and by whole pixels, where two
    edges a pixel or two apart leave an empty line between them."""
    if image.ndim != 3 or image.shape[0] < 24 or image.shape[1] < 24:
        return
    image, level = smoothed(image)
    strength = lattice.edge_strength(image)
    twice: list[Mask] = []
    if image.shape[0] * image.shape[1] <= MOST_ENLARGED:
        large = (cv2.resize(image, None, fx=2, fy=2, interpolation=how) for how in (cv2.INTER_CUBIC, cv2.INTER_NEAREST))
        twice = [lattice.edge_strength(np.asarray(one, np.uint8)) for one in large]
    for threshold in (max(30.0, 8 * level), max(FAINT, 5 * level), SHARP):
        view = View(image, strength, level, threshold, True)
        fits = _by_walls(strength, threshold, lattice.LONGEST, CROWDED_SIDES, True)
        yield view, _finer([found for found in fits if len(found.cells) <= most_cells])
        for enlarged in twice:
            fits = [found.halved() for found in _by_walls(enlarged, threshold, lattice.LONGEST, CROWDED_SIDES, True)]
            yield view, _finer([one for one in fits if len(one.cells) <= most_cells and one.pitch <= SMALL_CELL])


def _by_marks(marks: lattice.Boxes) -> list[lattice.Lattice]:
    """The lattices on which marks of one height stand. A row or column of buttons as high as the glyphs may have a
    smaller pitch and lead to an oblong lattice, or one of their own: so square lattices are tried as well, and one
    formed by the marks that a lattice leaves out."""
    found = lattice.fit(marks, MARK_SLACK)
    if found is None:
        return []
    result = [found]
    if found.oblong >= ALMOST_SQUARE:
        square = (lattice.fit(marks, MARK_SLACK, pitch) for pitch in (found.pitch_x, found.pitch_y))
        # Dashed walls consist of many marks, most of which are left out.
        result += [one for one in square if one is not None and 2 * len(one.cells) >= len(marks)]
    rest = lattice.left_out(marks, found)
    if len(rest) >= max(len(found.cells), FEWEST_MARKS):
        other = lattice.fit(rest, MARK_SLACK)
        result += [other] if other is not None else []
    return result


def _by_walls(strength: Mask, threshold: float, longest: float, bare: int, joined: bool) -> list[lattice.Lattice]:
    areas = lattice.areas(strength, threshold)
    boxes = lattice.regions(areas, longest, bare)
    fits = [found for group in lattice.groups(boxes) if (found := lattice.fit(group, 0.12)) is not None]
    if not joined:
        return fits
    fits = [rooms.with_rooms(areas, boxes, found) for found in fits]
    return fits + rooms.beside(areas, boxes)


def _finer(fits: list[lattice.Lattice], longest: float = lattice.LONGEST) -> list[lattice.Lattice]:
    """These lattices of walled cells and their finer ones (see :func:`lattice.finer`), the few most probable.
    ``longest``: as in :func:`stages`."""
    hypotheses = [
        one
        for found in fits
        for one in lattice.finer(found, 1.0)
        if one.pitch < 2 * max(one.width, one.height) and one.oblong < max(MOST_OBLONG, longest)
    ]
    return sorted(hypotheses, key=lambda one: -len(one.cells) * one.pitch)[:5]
