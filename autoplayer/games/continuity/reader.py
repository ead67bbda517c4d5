"""Reads pixels into a level in the room form: the observed tiles, drawn with characters.

A character has the size of the lattice cells on which all edges of the walls lie; if there is no such lattice, it is as
small as the room form allows. No still picture shows how the figure moves: ``assumed.py`` lists the alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from autoplayer.core.errors import PuzzleError, UnreadableError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.base import Doubt, Reading, Spot
from autoplayer.games.continuity import puzzle as model
from autoplayer.games.continuity.assumed import assumed
from autoplayer.games.continuity.blocks import DOOR, EMPTY, KEY, MOST_CELLS, NO_TILE, SOLID, SPIKES, START
from autoplayer.games.continuity.puzzle import Level, Puzzle
from autoplayer.games.continuity.rooms import matches
from autoplayer.games.continuity.seeing.sight import Bools, Kind, Thing, Tiles
from autoplayer.games.continuity.seeing.things.named import named
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.cells import Cells, find_cells, straight_edges
from autoplayer.games.continuity.world import BLANK
from autoplayer.layout import Layout, templates_folder
from autoplayer.vision import templates
from autoplayer.vision.templates import Template

MARKS: dict[Kind, str] = {"figure": START, "door": DOOR, "key": KEY}
CERTAIN = 0.9
"""A thing whose kind has at least this probability is no doubt."""
SOLID_SHARE = 0.5
"""The least share of wall pixels in a character that is drawn as wall."""
SPIKES_SHARE = 0.2
"""The same for spikes, which are pointed."""
HALF_FULL, MOST_HALVED = 0.3, 0.75
"""The share of wall from which on a cell counts as half full; and how many cells' worth of walls may be drawn wrongly
in such cells before a level is drawn with half cells."""
FINE = (MOST_CELLS, 48, 36, 28, 20, 14)
"""Cells along the longer side of a tile, where its walls lie on no lattice: the finest of which a level can be made."""
WALLS = (0.1, 0.8)
"""The share of walls in all tiles, for a picture that can only be a level of Continuity."""
WALLED = 0.8
"""The share of its tiles in which both wall and air are seen."""
STRAIGHT = 0.9
"""The share of the edges of its walls that run straight, along rows or columns."""
LIKELY = 0.25
"""The least probability of its figure and its door. A figure that looks like a key has half of it."""
SLACK = 0.02
"""The tolerance between the ends of meeting walls, as a share of a tile's height."""
LARGEST = 0.35
"""The greatest share of a tile's width or height that any of its things takes."""
UNCLEAR = 0.5
"""The probability of a reading with an uncertainty other than the kind of a thing."""


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """The level in ``image``; ``extra["tiles"]`` holds all that was seen as ``Tiles``. Raises UnreadableError where no
    board with exactly one empty place is seen, or no figure or door in it; NotFoundError or LayoutError where the
    layout's pictures cannot be used."""
    tiles = named(read_tiles(image), image, pictures(layout))
    kinds = {thing.kind for thing in tiles.things}
    for kind in ("figure", "door"):
        if kind not in kinds:
            raise UnreadableError(
                f"tiles are seen as in Continuity, {tiles.rows} rows and {tiles.columns} columns, but no {kind} in them"
            )
    puzzle, cells, spots = _level(tiles)
    doubts = tuple(_doubts(tiles, spots))
    sure = float(np.prod([max((p for _, p in doubt.candidates), default=1.0) for doubt in doubts]))
    unclear = len(tiles.doubts) > sum("figure" in doubt or "thing" in doubt for doubt in tiles.doubts)
    places = dict(_places(tiles, cells))
    glyphs: dict[Spot, Box] = {spot: tiles.box(thing) for thing, spot in zip(tiles.things, spots, strict=True)}
    confidence = sure * (UNCLEAR if unclear else 1.0)
    return Reading(puzzle, places, doubts, confidence, image, glyphs, {"tiles": tiles})


def text(tiles: Tiles) -> str | None:
    """The level of ``tiles``, whose things are certain, in the room form; None where it cannot be drawn so."""
    try:
        return model.format_puzzle(_level(tiles)[0])
    except UnreadableError:
        return None


def pictures(layout: Layout) -> list[Template]:
    """The layout's pictures of figure, door and keys. Raises NotFoundError or LayoutError if the layout's folder of
    pictures, or one of them, cannot be used."""
    return templates.load(templates_folder(layout.templates)) if layout.templates else []


def shows(reading: Reading[Puzzle]) -> bool:
    """Whether the observation can only be a level of Continuity: rooms with straight walls and air in tiles with
    matching sides, and small things in them, one on the ground like a door and one like a figure. A board of another
    game may be read as tiles with an empty place, but not with all of that."""
    tiles: Tiles = reading.extra["tiles"]
    solid = tiles.solid
    _, height, width = solid.shape
    shares = solid.mean(axis=(1, 2))
    edges = sum(int((part[..., 1:] != part[..., :-1]).sum()) for part in (solid, solid.transpose(0, 2, 1)))
    figure, door = (
        max((t for t in tiles.things if t.kind == kind), key=lambda t: t.sure) for kind in ("figure", "door")
    )
    return (
        WALLS[0] <= float(shares.mean()) <= WALLS[1]
        and float(((shares > 0.03) & (shares < 0.97)).mean()) >= WALLED
        and straight_edges(solid) >= STRAIGHT * edges > 0
        and min(figure.sure, door.sure) >= LIKELY
        and all(thing.width <= LARGEST * width and thing.height <= LARGEST * height for thing in tiles.things)
        and _stands(door, solid[door.tile])
        and any(matches(solid, max(round(SLACK * height), 1)).values())
    )


def _stands(thing: Thing, solid: Bools) -> bool:
    """Whether there is ground under a thing."""
    feet, left, right = round(thing.y + thing.height), round(thing.x), round(thing.x + thing.width)
    below = solid[feet : feet + max(len(solid) // 40, 3), left:right]
    return not below.size or bool(below.any(axis=0).mean() > SOLID_SHARE)


def _level(tiles: Tiles) -> tuple[Puzzle, Cells, list[Cell]]:
    """The level as far as text can represent it: on the lattice of the walls, or else with the finest cells that can be
    planned with."""
    _, height, width = tiles.solid.shape
    found = []
    if lattice := find_cells(tiles.solid):
        halves = [Cells(lattice.rows * down, lattice.columns * across) for down in (1, 2) for across in (1, 2)]
        fitting = [cells for cells in halves if max(cells.rows, cells.columns) <= MOST_CELLS]
        found = sorted(fitting, key=lambda cells: halved(tiles.solid, cells) > MOST_HALVED)
    for most in FINE:
        pitch = max(height, width) / most
        found.append(Cells(max(round(height / pitch), 2), max(round(width / pitch), 2)))
    reason = ""
    for cells in found:
        text, spots = drawn(tiles, cells)
        try:
            level = model.parse(text)
        except PuzzleError as error:
            reason = reason or str(error)
            continue
        figure, pitch = _figure(tiles), (width / cells.columns, height / cells.rows)
        if isinstance(level, Level) and figure is not None:
            level = replace(level, others=assumed(figure, pitch))
        return level, cells, spots
    raise UnreadableError(f"tiles are seen as in Continuity, but they are no level: {reason}")


def halved(solid: Bools, cells: Cells) -> float:
    """How many cells' worth of walls are drawn amiss in cells that are about half full."""
    share = cells.filled(solid)
    amiss = np.minimum(share, 1 - share)
    return float(amiss[amiss > HALF_FULL].sum())


def _figure(tiles: Tiles) -> Thing | None:
    """The likeliest figure, where there is any."""
    return max((thing for thing in tiles.things if thing.kind == "figure"), key=lambda each: each.sure, default=None)


def drawn(tiles: Tiles, cells: Cells) -> tuple[str, list[Cell]]:
    """The tiles as text, and for each of their things its row and column in that. Of several figures the likeliest is
    drawn."""
    _, height, width = tiles.solid.shape
    marks = np.where(cells.filled(tiles.solid) >= SOLID_SHARE, SOLID, EMPTY)
    marks[(cells.filled(tiles.spikes) >= SPIKES_SHARE) & (marks == EMPTY)] = SPIKES
    figure = _figure(tiles)
    at: list[tuple[int, int, int]] = []
    for thing in tiles.things:
        low = thing.y + (thing.height - 1 if thing.kind == "figure" else thing.height / 2)
        row = min(int(low * cells.rows / height), cells.rows - 1)
        column = min(int((thing.x + thing.width / 2) * cells.columns / width), cells.columns - 1)
        at.append((thing.tile, row, column))
        mark = MARKS.get(thing.kind, EMPTY)
        marks[at[-1]] = EMPTY if mark == START and thing is not figure else mark
    frame = "+" + ("-" * cells.columns + "+") * tiles.columns
    lines = [frame]
    corners: dict[int, Cell] = {}
    for row in range(tiles.rows):
        numbers = tiles.cells[row * tiles.columns : (row + 1) * tiles.columns]
        for column, tile in enumerate(numbers):
            corners[tile] = len(lines), 1 + column * (cells.columns + 1)
        for r in range(cells.rows):
            parts = (NO_TILE * cells.columns if tile == BLANK else "".join(marks[tile, r]) for tile in numbers)
            lines.append("|" + "|".join(parts) + "|")
        lines.append(frame)
    return "\n".join(lines), [(corners[tile][0] + r, corners[tile][1] + c) for tile, r, c in at]


def _places(tiles: Tiles, cells: Cells) -> Iterator[tuple[Cell, Box]]:
    """The window box of each character of a tile, by row and column."""
    _, height, width = tiles.solid.shape
    down, across = (edges.tolist() for edges in cells.edges(height, width))
    for place, (tile, box) in enumerate(zip(tiles.cells, tiles.boxes, strict=True)):
        if tile == BLANK:
            continue
        row, column = divmod(place, tiles.columns)
        for r in range(cells.rows):
            for c in range(cells.columns):
                at = 1 + row * (cells.rows + 1) + r, 1 + column * (cells.columns + 1) + c
                yield at, Box(box.x + across[c], box.y + down[r], across[c + 1] - across[c], down[r + 1] - down[r])


def _doubts(tiles: Tiles, spots: list[Cell]) -> Iterator[Doubt]:
    """The possible kinds of each uncertain thing."""
    figures = [thing for thing in tiles.things if thing.kind == "figure"]
    for thing, spot in zip(tiles.things, spots, strict=True):
        if thing.sure >= CERTAIN or thing.kind == "unknown":
            continue
        mark = MARKS[thing.kind]
        others = [EMPTY] if thing.kind == "figure" and len(figures) > 1 else [m for m in MARKS.values() if m != mark]
        if mark == START and thing is not max(figures, key=lambda each: each.sure):
            mark, others = EMPTY, [START]
        rest = (1 - thing.sure) / len(others)
        candidates = [(mark, thing.sure), *((other, rest) for other in others)]
        yield Doubt((spot,), tuple(sorted(candidates, key=lambda each: -each[1])))
