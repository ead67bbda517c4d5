"""The model of Hashi: islands, the bridges that may join them, its two text formats and its checker. No solving, no
pixels."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Cell, Json

WATER = 0
MOST_LINKS = 2
"""Links that one bridge carries at most."""

MAX_CELLS = 250_000


class Bridge(NamedTuple):
    """A place for links: two islands in one row or column with only water between them, ``a`` before ``b``."""

    a: Cell
    b: Cell


class Link(NamedTuple):
    """A bridge that stands: its two islands, ``a`` before ``b``, and how many links it carries, 1 or 2."""

    a: Cell
    b: Cell
    links: int


Solution = tuple[Link, ...]
"""Every bridge that stands, in the order of ``Puzzle.bridges``."""


@dataclass(frozen=True)
class Puzzle:
    """A board: rows of equal length; ``WATER``, or an island's number."""

    rows: tuple[tuple[int, ...], ...]

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @cached_property
    def islands(self) -> Mapping[Cell, int]:
        """Every island with its number, row by row."""
        return {(r, c): n for r, row in enumerate(self.rows) for c, n in enumerate(row) if n != WATER}

    @cached_property
    def bridges(self) -> tuple[Bridge, ...]:
        """Every place for links, in the order of ``a`` and then ``b``."""
        return _ways(tuple(self.islands))[0]

    @cached_property
    def at(self) -> Mapping[Cell, tuple[int, ...]]:
        """For each island, the indices in ``bridges`` of those that end there."""
        ends: dict[Cell, list[int]] = {island: [] for island in self.islands}
        for k, bridge in enumerate(self.bridges):
            ends[bridge.a].append(k)
            ends[bridge.b].append(k)
        return {island: tuple(each) for island, each in ends.items()}

    @cached_property
    def neighbours(self) -> Mapping[Cell, tuple[Cell, ...]]:
        """For each island, the islands to which links may lead."""
        return _ways(tuple(self.islands))[1]

    @cached_property
    def crossings(self) -> tuple[tuple[int, ...], ...]:
        """For each bridge, the indices of the bridges that it crosses; only one of two crossing bridges may stand."""
        upright: dict[int, list[tuple[int, int, int]]] = defaultdict(list)  # column -> (bottom row, top row, index)
        for k, ((top, column), (bottom, other)) in enumerate(self.bridges):
            if column == other and bottom - top > 1:
                upright[column].append((bottom, top, k))
        for each in upright.values():
            each.sort()
        across: list[list[int]] = [[] for _ in self.bridges]
        for k, ((row, first), (other, last)) in enumerate(self.bridges):
            if row != other:
                continue
            for column in range(first + 1, last):
                # Upright bridges of one column lie one below the other: at most one of them spans this row.
                spans = upright.get(column, ())
                at = bisect_left(spans, (row + 1,))
                if at < len(spans) and spans[at][1] < row:
                    across[k].append(spans[at][2])
                    across[spans[at][2]].append(k)
        return tuple(map(tuple, across))


@lru_cache(maxsize=256)
def _ways(islands: tuple[Cell, ...]) -> tuple[tuple[Bridge, ...], Mapping[Cell, tuple[Cell, ...]]]:
    """The bridges between ``islands``, which come row by row, and the neighbours of each: many boards with other
    numbers are tried where some are in doubt."""
    found: list[Bridge] = []
    beside: dict[Cell, list[Cell]] = {island: [] for island in islands}
    left: dict[int, Cell] = {}
    above: dict[int, Cell] = {}
    for r, c in islands:
        for other in (left.get(r), above.get(c)):
            if other is not None:
                found.append(Bridge(other, (r, c)))
                beside[other].append((r, c))
                beside[r, c].append(other)
        left[r] = above[c] = (r, c)
    return tuple(sorted(found)), {island: tuple(each) for island, each in beside.items()}


def parse(text: str) -> Puzzle:
    """The board that ``text`` describes: a character a place, ``1`` to ``8`` an island, ``.`` or ``0`` water; or the
    CodinGame form, in which the width and the height stand on lines of their own before the rows.

    >>> parse("2.2\\n...\\n1.1").islands
    {(0, 0): 2, (0, 2): 2, (2, 0): 1, (2, 2): 1}

    Raises PuzzleError with the row and column of the first fault.
    """
    lines = _lines(text)
    if _has_size(lines):
        return parse_codingame(text)
    return _board(lines)


def parse_codingame(text: str) -> Puzzle:
    """The board in the form of CodinGame's "There Is No Spoon - Episode 2": a line with the width, one with the height,
    then the rows. Raises PuzzleError with the row and column of the first fault."""
    lines = _lines(text)
    sizes: list[int] = []
    for what, (number, line) in zip(("width", "height"), lines, strict=False):
        if not (line.isascii() and line.isdigit()) or len(line) > 6 or int(line) == 0:
            raise PuzzleError(f"expected the {what} as a number above 0, but found '{_shown(line)}'", number)
        sizes.append(int(line))
    if len(sizes) < 2:
        raise PuzzleError("expected a width, a height and the rows of a board, but the text ends before that")
    width, height = sizes
    rows = lines[2:]
    for number, line in rows[:height]:
        if len(line) != width:
            raise PuzzleError(
                f"expected {width} characters in this row, as the width says, but it has {len(line)}", number
            )
    if len(rows) != height:
        where = rows[height][0] if len(rows) > height else lines[-1][0]
        raise PuzzleError(f"expected {height} rows, as the height says, but there are {len(rows)}", where)
    return _board(rows)


def codingame_is_whole(text: str) -> bool:
    """Whether ``text`` holds as many rows as its height says, the last to its end; also where it is no such text, and
    nothing that follows can mend it.

    >>> [codingame_is_whole("2\\n2\\n1.\\n" + last) for last in ("", "1", "1.", "1\\n")]
    [False, False, True, True]
    """
    ended = text.endswith(("\n", "\r"))
    lines = [line for _, line in _lines(text)]
    said = lines if ended else lines[:-1]
    if not all(line.isascii() and line.isdigit() and len(line) <= 6 for line in said[:2]):
        return True
    if len(said) < 2:
        return False
    width, height = int(said[0]), int(said[1])
    if width * height > MAX_CELLS:
        return True
    rows = lines[2:]
    return len(said) >= 2 + height or (len(rows) == height and len(rows[-1]) >= width)


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that are not blank, with their line numbers."""
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def _has_size(lines: Sequence[tuple[int, str]]) -> bool:
    """Whether the first two lines are a size: numbers of another length than the rows below, or of the right value."""
    texts = [line for _, line in lines]
    if len(texts) < 3 or not all(line.isascii() and line.isdigit() for line in texts[:2]):
        return False
    if len({len(line) for line in texts}) > 1:
        # A row of digits alone is as long as the rows below it.
        return {len(texts[0]), len(texts[1])} != {len(line) for line in texts[2:]}
    return False


def _board(lines: Sequence[tuple[int, str]]) -> Puzzle:
    rows: list[tuple[int, ...]] = []
    for number, line in lines:
        if rows and len(line) != len(rows[0]):
            raise PuzzleError(
                f"expected {len(rows[0])} characters in this row, as in the rows above it, but it has {len(line)}",
                number,
            )
        if (len(rows) + 1) * len(line) > MAX_CELLS:
            raise PuzzleError(f"the board has more than {MAX_CELLS} places", number)
        rows.append(tuple(_island(character, number, column) for column, character in enumerate(line, 1)))
    if not rows:
        raise PuzzleError("expected a board, but the text is empty")
    puzzle = Puzzle(tuple(rows))
    if not puzzle.islands:
        raise PuzzleError("the board has no island; write its number, 1 to 8, where one stands")
    return puzzle


def _island(character: str, row: int, column: int) -> int:
    if character in ".0":
        return WATER
    if character in "12345678":
        return int(character)
    if character == "9":
        raise PuzzleError(
            "expected an island of 1 to 8, but found 9: four neighbours with two links make 8", row, column
        )
    if character.isspace():
        raise PuzzleError("expected a row without spaces, one character a place, but found a space", row, column)
    found = f"'{character}'" if character.isprintable() else "something that is no text"
    raise PuzzleError(f"expected 1 to 8, or '.' for water, but found {found}", row, column)


def _shown(text: str) -> str:
    text = text if len(text) <= 20 else text[:17] + "..."
    return "".join(character if character.isprintable() else "?" for character in text)


def format_puzzle(puzzle: Puzzle) -> str:
    """The text of a board, without a newline at its end; :func:`parse` turns it back."""
    return "\n".join("".join(str(n) if n else "." for n in row) for row in puzzle.rows)


def replace(puzzle: Puzzle, tokens: Mapping[Cell, str]) -> Puzzle:
    """``puzzle`` with other characters in some places. Raises PuzzleError for a place or a character that does not
    exist."""
    rows = [list(row) for row in puzzle.rows]
    for (r, c), token in tokens.items():
        if not (0 <= r < puzzle.height and 0 <= c < puzzle.width):
            raise PuzzleError(f"the board has no place ({r}, {c})")
        if len(token) != 1:
            raise PuzzleError(f"expected one character, but found '{_shown(token)}'", r + 1, c + 1)
        rows[r][c] = _island(token, r + 1, c + 1)
    return Puzzle(tuple(map(tuple, rows)))


def faults(puzzle: Puzzle) -> list[str]:
    """Obvious reasons why a board has no solution, in sentences: an island with more links than its neighbours can
    take, islands that nothing can join, an odd sum."""
    found = []
    islands = puzzle.islands
    for (r, c), number in islands.items():
        ends = puzzle.neighbours[r, c]
        most = sum(min(islands[other], MOST_LINKS) for other in ends)
        if number > most:
            near = (
                f"its {len(ends)} neighbour{'s' * (len(ends) != 1)} can take {most} at most" if ends else "it has none"
            )
            found.append(f"the island at ({r}, {c}) needs {number} links, but {near}")
    if sum(islands.values()) % 2:
        found.append(f"the numbers add up to {sum(islands.values())}, which is odd, and every link counts twice")
    return found


def show(puzzle: Puzzle, solution: Solution) -> str:
    """The board with its bridges between the places, for a person to read.

    >>> print(show(parse("3.2\\n...\\n1.."), (Link((0, 0), (0, 2), 2), Link((0, 0), (2, 0), 1))))
    3═══2
    │
    │
    │
    1
    """
    canvas = [[" "] * (2 * puzzle.width - 1) for _ in range(2 * puzzle.height - 1)]
    for (r, c), number in puzzle.islands.items():
        canvas[2 * r][2 * c] = str(number)
    for (r1, c1), (r2, c2), links in solution:
        if r1 == r2:
            for c in range(2 * c1 + 1, 2 * c2):
                canvas[2 * r1][c] = "═" if links == MOST_LINKS else "─"
        else:
            for r in range(2 * r1 + 1, 2 * r2):
                canvas[r][2 * c1] = "║" if links == MOST_LINKS else "│"
    return "\n".join("".join(line).rstrip() for line in canvas)


def check(puzzle: Puzzle, solution: Solution) -> list[str]:
    """Every fault of ``solution``, in sentences; empty where it solves ``puzzle``.

    Written from the rules alone, with painted squares; shares nothing with the solver, not even ``Puzzle.bridges``.
    """
    found: list[str] = []
    height, width = len(puzzle.rows), len(puzzle.rows[0])
    numbers = {(r, c): puzzle.rows[r][c] for r in range(height) for c in range(width) if puzzle.rows[r][c]}
    has = dict.fromkeys(numbers, 0)
    joined: dict[Cell, set[Cell]] = {island: set() for island in numbers}
    painted: dict[Cell, tuple[Cell, Cell]] = {}
    pairs: set[frozenset[Cell]] = set()
    for first, second, links in solution:
        name = f"the bridge from {tuple(first)} to {tuple(second)}"
        if missing := [tuple(end) for end in (first, second) if end not in numbers]:
            found.append(f"{name} ends at {missing[0]}, where no island is")
            continue
        if first == second or (first[0] != second[0] and first[1] != second[1]):
            found.append(f"{name} runs neither along a row nor along a column")
            continue
        if links not in (1, 2):
            found.append(f"{name} carries {links} links, and 1 or 2 are allowed")
        if frozenset((first, second)) in pairs:
            found.append(f"{name} is there twice")
        pairs.add(frozenset((first, second)))
        rows = range(min(first[0], second[0]), max(first[0], second[0]) + 1)
        columns = range(min(first[1], second[1]), max(first[1], second[1]) + 1)
        for place in [(r, c) for r in rows for c in columns if (r, c) not in (first, second)]:
            if place in numbers:
                found.append(f"{name} runs through the island at {place}")
            elif place in painted and set(painted[place]) != {first, second}:
                found.append(f"{name} crosses the one from {painted[place][0]} to {painted[place][1]}")
            painted[place] = (first, second)
        has[first] += links
        has[second] += links
        joined[first].add(second)
        joined[second].add(first)
    found += [
        f"the island at {island} has {has[island]} links instead of {number}"
        for island, number in numbers.items()
        if has[island] != number
    ]
    reached: set[Cell] = set()
    queue = [next(iter(numbers))] if numbers else []
    while queue:
        island = queue.pop()
        if island not in reached:
            reached.add(island)
            queue += joined[island]
    if apart := [island for island in numbers if island not in reached]:
        found.append(
            f"{len(apart)} islands, {apart[0]} among them, are not connected with the one at {next(iter(numbers))}"
        )
    return found


def solution_to_json(solution: Solution) -> Json:
    """A list of ``[row, column, row, column, links]``."""
    return [[*a, *b, links] for a, b, links in solution]


def solution_from_json(data: Json) -> Solution:
    """Raises PuzzleError where ``data`` is not a list of ``[row, column, row, column, links]``."""
    found = []
    for link in data if isinstance(data, list) else [data]:
        if not isinstance(link, list) or len(link) != 5 or any(type(number) is not int for number in link):
            raise PuzzleError("expected a solution as a list of [row, column, row, column, links], all whole numbers")
        r1, c1, r2, c2, links = link
        a, b = sorted(((r1, c1), (r2, c2)))
        found.append(Link(a, b, links))
    return tuple(sorted(found))


def solution_to_codingame(solution: Solution) -> str:
    """Lines of ``x1 y1 x2 y2 links``, x a column and y a row, as the contest wants them."""
    return "\n".join(f"{a[1]} {a[0]} {b[1]} {b[0]} {links}" for a, b, links in solution)
