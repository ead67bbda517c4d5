"""The room form of a level: a grid of tiles drawn with characters, each a block of one width and height, in frames.

    physics walk=5 jump=1.6
    +------+------+
    |......|______|
    |.S..K.|______|
    |######|______|
    +------+------+
    |......|......|
    |......|..D...|
    |######|######|
    +------+------+

The first line is left out where the physics are the usual ones.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Cell
from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.rooms import world_of
from autoplayer.games.continuity.simulation import LONGEST, Rooms, Start, Thing, tick_of
from autoplayer.games.continuity.world import BLANK, Board, World

SOLID, EMPTY, START, KEY, DOOR, SPIKES, NO_TILE = "#", ".", "S", "K", "D", "^", "_"
MEANINGS = {
    SOLID: "solid",
    EMPTY: "empty",
    START: "the figure's feet",
    KEY: "a key",
    DOOR: "the door",
    SPIKES: "spikes",
    NO_TILE: "no tile",
}
MOST_TILES = 5
"""Rows and columns of tiles."""
MOST_CELLS = 64
"""Rows and columns of a tile."""
MOST_KEYS = 8
MOST_WORK = 2_100_000_000
"""The most work for simulating all jumps: characters, times the ways to steer a flight across a tile, times the ticks
of the longest flight. Eight tiles of 64x64 with the default physics have this much, which takes some three seconds and
700 MB."""

Block = tuple[str, ...]
"""The rows of a tile."""


USUAL = Physics()


@dataclass(frozen=True)
class Level:
    """A level in the room form. ``grid``: rows of blocks, ``None`` in exactly one place."""

    grid: tuple[tuple[Block | None, ...], ...]
    physics: Physics = USUAL
    others: tuple[Physics, ...] = field(default=(), compare=False)
    """Alternative physics, if the level was read from a picture; not part of the text."""

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The tiles row by row, without the empty place; a tile's number, from 1, is its name."""
        return tuple(block for row in self.grid for block in row if block is not None)

    @property
    def size(self) -> tuple[int, int]:
        """``(rows, columns)`` of characters in a tile."""
        return len(self.blocks[0]), len(self.blocks[0][0])

    @cached_property
    def board(self) -> Board:
        numbers = iter(range(len(self.blocks)))
        cells = tuple(BLANK if block is None else next(numbers) for row in self.grid for block in row)
        return Board(len(self.grid), len(self.grid[0]), cells, self.physics.slide_cost)

    def found(self, mark: str) -> Iterator[tuple[int, int, int]]:
        """``(tile, row, column)`` of every such character, tile by tile and row by row."""
        for tile, block in enumerate(self.blocks):
            for r, row in enumerate(block):
                for c, character in enumerate(row):
                    if character == mark:
                        yield tile, r, c

    @property
    def rooms(self) -> Rooms:
        """The level as masks, a character a cell."""
        marks = np.array([[list(row) for row in block] for block in self.blocks])
        (tile, row, column), (door,) = next(self.found(START)), map(_thing, self.found(DOOR))
        keys = tuple(map(_thing, self.found(KEY)))
        start = Start(tile, column + 0.5, row + 1.0)
        return Rooms(marks == SOLID, marks == SPIKES, start, keys, door, self.board, self.physics)

    @cached_property
    def world(self) -> World:
        """The level as the planner sees it: what the figure can reach with its physics. Costs are twentieths of a
        second."""
        return world_of(self.rooms)

    def otherwise(self) -> Iterator[Level]:
        """The level with each of its alternative physics, as far as that can be worked out."""
        for physics in self.others:
            other = dataclasses.replace(self, physics=physics, others=())
            if _work(other) <= MOST_WORK:
                yield other

    def where(self, tile: int, place: str) -> tuple[float, float]:
        """Where a place is in its tile, for drawing: shares of its width and height, from the top left."""
        rows, columns = self.size
        if match := re.fullmatch(r"r(\d+)c(\d+)", place):
            return (int(match[2]) - 0.5) / columns, (int(match[1]) - 0.5) / rows
        if match := re.fullmatch(r"(?:in )?(left|right|top|bottom) (\S+) at \S+", place):
            along = float(match[2])
            edge = 0.0 if match[1] in ("left", "top") else 1.0
            return (edge, (along - 0.5) / rows) if match[1] in ("left", "right") else (along / columns, edge)
        mark, number = START, 0
        if match := re.match(r"key(\d+)|door", place):
            mark, number = (KEY, int(match[1]) - 1) if match[1] else (DOOR, 0)
        _, r, c = list(self.found(mark))[number]
        return (c + 0.5) / columns, (r + 0.5) / rows

    def words(self, tile: str, place: str) -> str:
        """A place in words."""
        match = re.fullmatch(r"r(\d+)c(\d+)", place)
        return f"tile {tile} row {match[1]} column {match[2]}" if match else f"tile {tile} {place}"


def _thing(found: tuple[int, int, int]) -> Thing:
    tile, row, column = found
    return Thing(tile, column, row, 1.0, 1.0)


def parse(text: str) -> Level:
    """The level that ``text`` draws. Raises PuzzleError with the row and column of the first fault."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    physics = USUAL
    if lines and lines[0][1].startswith("physics"):
        physics = _physics(*lines.pop(0))
    if not lines:
        raise PuzzleError("expected a level, but the text is empty")
    number, frame = lines[0]
    if not re.fullmatch(r"(\+-+)+\+", frame):
        raise PuzzleError("expected a frame such as +-----+-----+ above the first tiles, or JSON", number, 1)
    widths = {len(part) for part in frame[1:-1].split("+")}
    if len(widths) > 1:
        raise PuzzleError("expected tiles of equal width, but the frame has different ones", number)
    width, columns = widths.pop(), frame.count("+") - 1
    if columns > MOST_TILES or width > MOST_CELLS:
        raise PuzzleError(f"expected at most {MOST_TILES} tiles of {MOST_CELLS} characters in a row", number)
    grid: list[tuple[Block | None, ...]] = []
    band: list[tuple[int, list[str]]] = []
    height = 0
    for number, line in lines[1:]:
        if line.startswith("+"):
            if line != frame:
                raise PuzzleError(f"expected the frame {_short(frame)} as above, but found {_short(line)}", number)
            if not band or (height and len(band) != height):
                wanted = f"{height} rows" if height else "rows"
                raise PuzzleError(f"expected {wanted} of tiles above this frame, but there are {len(band)}", number)
            height = len(band)
            grid.append(tuple(_block(band, column, width) for column in range(columns)))
            band = []
        else:
            band.append((number, _row(line, number, width, columns)))
            if len(band) > MOST_CELLS:
                raise PuzzleError(f"expected at most {MOST_CELLS} rows in a tile", number)
        if len(grid) > MOST_TILES:
            raise PuzzleError(f"expected at most {MOST_TILES} rows of tiles", number)
    if band or not grid:
        raise PuzzleError("expected a frame below the last tiles, but the text ends", lines[-1][0])
    for mark, what in ((START, "start"), (DOOR, "door")):
        marks = [(number, at) for number, line in lines for at, character in enumerate(line, 1) if character == mark]
        for number, at in marks[1:]:
            said = f"expected exactly one {what}, drawn with {mark}, but after row {marks[0][0]}, column {marks[0][1]}"
            raise PuzzleError(f"{said}, here is another", number, at)
    level = Level(tuple(grid), physics)
    _check(level)
    return level


def _physics(number: int, line: str) -> Physics:
    known = {field.name for field in fields(Physics)}
    values: dict[str, float] = {}
    for match in re.finditer(r"\S+", line[len("physics") :]):
        column = match.start() + len("physics") + 1
        name, _, value = match[0].partition("=")
        if name not in known:
            raise PuzzleError(
                f"expected name=number with one of {', '.join(sorted(known))}, but found '{_short(match[0])}'",
                number,
                column,
            )
        if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", value):
            raise PuzzleError(f"expected {name} as a number, but found '{_short(value)}'", number, column)
        values[name] = float(value)
    physics = Physics(**values)
    if problem := physics.problem():
        raise PuzzleError(problem, number)
    return physics


def _row(line: str, number: int, width: int, columns: int) -> list[str]:
    """The parts of a row, one a tile."""
    wanted = columns * (width + 1) + 1
    if len(line) != wanted and line.count("|") == columns + 1 and line.startswith("|") and line.endswith("|"):
        at = 1
        for part in line[1:-1].split("|"):
            if len(part) != width:
                said = f"expected {width} characters of a tile here, as in the frame, but found {len(part)}"
                raise PuzzleError(said, number, at + 1)
            at += width + 1
    for at, character in enumerate(line[:wanted]):
        border = at % (width + 1) == 0
        if border and character != "|":
            raise PuzzleError(f"expected | between the tiles, but found '{_shown(character)}'", number, at + 1)
        if not border and character not in MEANINGS:
            told = ", ".join(f"{mark} {meaning}" for mark, meaning in MEANINGS.items())
            raise PuzzleError(f"expected one of {told}, but found '{_shown(character)}'", number, at + 1)
    if len(line) != wanted:
        raise PuzzleError(f"expected {wanted} characters, as in the frame, but found {len(line)}", number)
    return line[1:-1].split("|")


def _shown(character: str) -> str:
    return character if character.isprintable() else "something that is no text"


def _short(text: str) -> str:
    text = "".join(ch if ch.isprintable() else "?" for ch in text)
    return text if len(text) <= 30 else text[:27] + "..."


def _block(band: Sequence[tuple[int, list[str]]], column: int, width: int) -> Block | None:
    rows = tuple(parts[column] for _, parts in band)
    marks = set("".join(rows))
    if NO_TILE not in marks:
        return rows
    for number, parts in band:
        at = re.search(f"[^{NO_TILE}]", parts[column])
        if at:
            raise PuzzleError(
                f"expected {NO_TILE} in all of the empty place, but found '{at[0]}'",
                number,
                column * (width + 1) + at.start() + 2,
            )
    return None


def _check(level: Level) -> None:
    empty = sum(block is None for row in level.grid for block in row)
    if empty != 1:
        raise PuzzleError(f"expected exactly one empty place, drawn with {NO_TILE}, but there are {empty}")
    if not level.blocks:
        raise PuzzleError("expected at least one tile beside the empty place")
    for mark, what in ((START, "start"), (DOOR, "door")):
        if not any(level.found(mark)):
            raise PuzzleError(f"expected exactly one {what}, drawn with {mark}, but there is none")
    if (count := len(list(level.found(KEY)))) > MOST_KEYS:
        raise PuzzleError(f"expected at most {MOST_KEYS} keys, but there are {count}")
    if (work := _work(level)) > MOST_WORK:
        raise PuzzleError(
            f"the tiles are too many and too large to try every jump in them: {work / MOST_WORK:.1f} times what can be "
            "done in time; draw them smaller, or make the figure slower or larger"
        )


def _work(level: Level) -> float:
    """The work for simulating all jumps, as ``MOST_WORK`` counts it."""
    height, width = level.size
    return len(level.blocks) * height * width * 4 * width * LONGEST / tick_of(level.physics)


def format_level(level: Level) -> str:
    """The text of a level, without a newline at its end; :func:`parse` turns it back."""
    height, width = level.size
    frame = "+" + ("-" * width + "+") * len(level.grid[0])
    lines = []
    changed = [
        f"{field.name}={value:.6f}".rstrip("0").rstrip(".")
        for field in fields(Physics)
        if (value := getattr(level.physics, field.name)) != field.default
    ]
    if changed:
        lines.append(" ".join(["physics", *changed]))
    lines.append(frame)
    for row in level.grid:
        for r in range(height):
            parts = (NO_TILE * width if block is None else block[r] for block in row)
            lines.append("|" + "|".join(parts) + "|")
        lines.append(frame)
    return "\n".join(lines)


def replace(level: Level, tokens: Mapping[Cell, str]) -> Level:
    """``level`` with other characters in its text, and the same physics; a cell is the row and column of a character,
    from 0. Raises PuzzleError where that gives no level."""
    rows = [list(line) for line in format_level(level).splitlines()]
    for (r, c), token in tokens.items():
        if not (0 <= r < len(rows) and 0 <= c < len(rows[r])):
            raise PuzzleError(f"the level's text has no row {r + 1} with a column {c + 1}")
        if len(token) != 1:
            raise PuzzleError(f"expected one character, but found '{_short(token)}'", r + 1, c + 1)
        rows[r][c] = token
    return dataclasses.replace(parse("\n".join("".join(row) for row in rows)), others=level.others)
