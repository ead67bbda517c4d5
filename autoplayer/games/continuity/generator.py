"""Generates levels in the room form, each proven by the planner to have a plan. The same arguments give the same level.

A tile is drawn around its four sides, each one of a few profiles, so that many of them match; then start, keys and door
are placed on ground that the figure can stand on.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np

from autoplayer.core.errors import UsageError
from autoplayer.games.continuity import solver
from autoplayer.games.continuity.blocks import DOOR, EMPTY, KEY, SOLID, START, Block, Level
from autoplayer.games.continuity.rooms import matches
from autoplayer.games.continuity.routes import cheapest, routes

SMALLEST, LARGEST, MOST_TILES = 2, 4, 12
"""Rows and columns of a board, and its cells; on a single row of tiles nothing can be exchanged."""
WIDTH, HEIGHT = 12, 8
"""Characters of a tile."""
LEDGE = 4
"""The row of the ground under a high opening; the lower one is the tile's own ground."""
HIGH, LOW, SHUT, BOTH = "high", "low", "shut", "both"
UPRIGHT = (HIGH, LOW, LOW, SHUT, BOTH)
"""What left and right sides are like; an opening that is drawn twice comes twice as often."""
HOLES = ((), (), (2, 3), (8, 9))
"""The columns of the hole in a top or bottom side."""
FEWEST_SLIDES = 2
TRIES = 2000
EFFORT = 100_000
"""The most states that the planner may expand; a level that needs more is rejected."""


def generate(rows: int, columns: int, seed: int) -> Level:
    """A level with at least ``FEWEST_SLIDES`` slides in its cheapest plan. Raises UsageError for a size that cannot be
    made."""
    if not (SMALLEST <= rows <= LARGEST and SMALLEST <= columns <= LARGEST and rows * columns <= MOST_TILES):
        raise UsageError(
            f"a board of Continuity has {SMALLEST} to {LARGEST} rows and columns of tiles and at most {MOST_TILES} "
            f"places, but {columns}x{rows} was asked for"
        )
    random = Random(f"continuity {columns}x{rows} {seed}")
    for _ in range(TRIES):
        level = drawn(rows, columns, random)
        if not _hangs_together(level) or cheapest(routes(level.world)) is None:
            continue
        made = solver.plan(level.world, math.inf, EFFORT)
        slides = sum(isinstance(doing, solver.Slide) for doing in made.doings)
        if made.status == "solved" and slides >= FEWEST_SLIDES:
            return level
    raise UsageError(f"no level of {columns}x{rows} was found for seed {seed}; try another seed")


def _hangs_together(level: Level) -> bool:
    """Whether sides that match could lead from the start's tile to those of all keys and the door: a cheap check before
    computing what the figure can reach."""
    match = matches(np.array([[[mark == SOLID for mark in row] for row in block] for block in level.blocks]))
    found = [next(level.found(START))[0]]
    for tile in found:
        found += {other for side in range(4) for other in match[tile, side]} - set(found)
    return all(tile in found for mark in (KEY, DOOR) for tile, _, _ in level.found(mark))


def drawn(rows: int, columns: int, random: Random) -> Level:
    """A level that may or may not have a plan."""
    count = rows * columns - 1
    blocks = [_tile(random) for _ in range(count)]
    things = [START, DOOR, *[KEY] * random.randint(1, 1 + count // 3)]
    homes = random.sample(range(count), min(count, len(things)))
    for number, thing in enumerate(things):
        tile = homes[number % len(homes)]
        blocks[tile] = _put(blocks[tile], thing, random)
    places: list[Block | None] = [*blocks, None]
    random.shuffle(places)
    return Level(tuple(tuple(places[r * columns : (r + 1) * columns]) for r in range(rows)))


def _tile(random: Random) -> Block:
    left, right = random.choice(UPRIGHT), random.choice(UPRIGHT)
    if left == right == SHUT:
        left = random.choice(UPRIGHT[:-2])
    top, bottom = random.choice(HOLES), random.choice(HOLES)
    cells = [[EMPTY] * WIDTH for _ in range(HEIGHT)]
    for row, hole in ((0, top), (HEIGHT - 1, bottom)):
        for c in range(WIDTH):
            cells[row][c] = EMPTY if c in hole else SOLID
    for _ in range(random.randint(0, 3)):
        row, length = random.randint(2, HEIGHT - 3), random.randint(2, 4)
        at = random.randint(1, WIDTH - 1 - length)
        for c in range(at, at + length):
            cells[row][c] = SOLID
    if random.random() < 0.5:
        at, high = random.randint(3, WIDTH - 4), random.randint(1, 2)
        for r in range(HEIGHT - 1 - high, HEIGHT - 1):
            if at not in bottom:
                cells[r][at] = SOLID
    for column, inward, profile in ((0, 1, left), (WIDTH - 1, -1, right)):
        _side(cells, column, inward, profile, random)
    return tuple("".join(row) for row in cells)


def _side(cells: list[list[str]], column: int, inward: int, profile: str, random: Random) -> None:
    """Draw the profile of a left or right side, free ground before its openings."""
    for r in range(HEIGHT):
        cells[r][column] = SOLID
    length = random.randint(2, 4)
    for lowest, opened in ((LEDGE - 1, profile in (HIGH, BOTH)), (HEIGHT - 2, profile in (LOW, BOTH))):
        if not opened:
            continue
        for step in range(length + 1):
            c = column + step * inward
            for r in (lowest - 1, lowest):
                cells[r][c] = EMPTY
            if lowest == LEDGE - 1 and (step < length or random.random() < 0.5):
                cells[LEDGE][c] = SOLID


def _put(block: Block, thing: str, random: Random) -> Block:
    """The tile with a thing somewhere on its ground; as it was where there is no room for it."""
    free = [
        (r, c)
        for r in range(1, HEIGHT - 1)
        for c in range(1, WIDTH - 1)
        if block[r][c] == EMPTY and block[r + 1][c] == SOLID and block[r - 1][c] == EMPTY
    ]
    r, c = random.choice(free or [(r, c) for r in range(1, HEIGHT) for c in range(1, WIDTH) if block[r][c] == EMPTY])
    return tuple(row[:c] + thing + row[c + 1 :] if at == r else row for at, row in enumerate(block))
