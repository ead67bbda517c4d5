"""The model of Cross Set: the candidates of every cell, the text format and the checker. No solving, no pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Cell, Json

LARGEST_WITHOUT_COMMAS = 9
"""The largest board on which every number is one digit, so that a cell's candidates are written without commas."""
MAX_SIZE = 99
MAX_CANDIDATES = 250_000
"""On a board, in all its cells: as many as a full board of 63x63 has."""
EMPTY = (".", "-", "_", "?")
"""How people write a cell in which nothing stands."""

Candidates = tuple[int, ...]
"""The candidates of a cell in the window's order: the active one first, then those that the next clicks bring up."""
Solution = tuple[tuple[int, ...], ...]
"""The number of every cell, row by row."""


@dataclass(frozen=True)
class Puzzle:
    """A square board; every cell has at least one candidate, none twice, all of them in 1..``size``."""

    rows: tuple[tuple[Candidates, ...], ...]

    @property
    def size(self) -> int:
        """How many rows, columns and numbers there are."""
        return len(self.rows)

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])


def parse(text: str) -> Puzzle:
    """The board that ``text`` describes: a token a cell, spaces between; a digit a candidate, the active one first.
    On boards larger than 9x9 the candidates are numbers with commas between (which are understood on all boards).

    >>> parse("21 1\\n1 12").rows
    (((2, 1), (1,)), ((1,), (1, 2)))

    Raises PuzzleError with the row and column of the first fault.
    """
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, tokens) for number, tokens in lines if tokens and not tokens[0].startswith("#")]
    if not lines:
        raise PuzzleError("expected a board, but the text is empty")
    size = len(lines[0][1])
    if size > MAX_SIZE:
        raise PuzzleError(f"the board has {size} columns, and {MAX_SIZE} is the most", lines[0][0])
    commas = size > LARGEST_WITHOUT_COMMAS or any("," in token for _, tokens in lines for token in tokens)
    rows: list[tuple[Candidates, ...]] = []
    total = 0
    for number, tokens in lines:
        if len(rows) == size:
            raise PuzzleError(f"expected {_rows(size)}, as many as columns, but here is one more", number)
        if len(tokens) != size:
            raise PuzzleError(
                f"expected {size} cells in this row, as in the rows above it, but it has {len(tokens)}", number
            )
        rows.append(tuple(_cell(token, size, commas, number, column) for column, token in enumerate(tokens, 1)))
        if (total := total + sum(map(len, rows[-1]))) > MAX_CANDIDATES:
            raise PuzzleError(f"the board has more than {MAX_CANDIDATES} candidates", number)
    if len(rows) != size:
        raise PuzzleError(
            f"expected {_rows(size)}, as many as columns, but there {'is' if len(rows) == 1 else 'are'} {len(rows)}",
            lines[-1][0],
        )
    return Puzzle(tuple(rows))


def _rows(count: int) -> str:
    return f"{count} row{'s' * (count != 1)}"


def _cell(token: str, size: int, commas: bool, row: int, column: int) -> Candidates:
    """The candidates that a token lists. Raises PuzzleError at ``row`` and ``column``, which count from 1."""
    shown = f"'{token if len(token) <= 20 else token[:17] + '...'}'" if token.isprintable() else "what is no text"
    if token in EMPTY:
        raise PuzzleError(f"this cell has no candidate ({shown}); write the numbers that stand in it", row, column)
    parts = token.split(",") if commas else list(token)
    found: list[int] = []
    for part in parts:
        if not (part.isascii() and part.isdigit()):
            wanted = "numbers with commas between" if commas else f"digits from 1 to {size}"
            raise PuzzleError(f"expected {wanted}, but found {shown}", row, column)
        value = int(part[:9])
        if not (1 <= value <= size and len(part) <= 9):
            number = part if len(part) <= 9 else part[:6] + "..."
            hint = ""
            if size > LARGEST_WITHOUT_COMMAS and len(parts) == 1:
                hint = (
                    f"; on boards larger than {LARGEST_WITHOUT_COMMAS}x{LARGEST_WITHOUT_COMMAS} commas part candidates"
                )
            raise PuzzleError(
                f"expected candidates from 1 to {size} on a board with {size} columns, but found {number} in "
                f"{shown}{hint}",
                row,
                column,
            )
        if value in found:
            raise PuzzleError(f"the candidate {value} stands twice in {shown}", row, column)
        found.append(value)
    return tuple(found)


def format_cell(candidates: Sequence[int], size: int) -> str:
    """The token of a cell on a board with ``size`` rows."""
    return ("," if size > LARGEST_WITHOUT_COMMAS else "").join(map(str, candidates))


def format_puzzle(puzzle: Puzzle) -> str:
    """The text of a board, without a newline at its end; :func:`parse` turns it back."""
    return "\n".join(" ".join(format_cell(cell, puzzle.size) for cell in row) for row in puzzle.rows)


def replace(puzzle: Puzzle, tokens: Mapping[tuple[int, ...], str]) -> Puzzle:
    """``puzzle`` with other candidates in some cells: a key is ``(row, column)``, its token all candidates of the cell;
    or ``(row, column, index)``, its token the one candidate at that index, "" to leave it out.

    >>> format_puzzle(replace(parse("21 1\\n1 12"), {(0, 1): "21", (0, 1, 0): "1", (0, 1, 1): "2", (1, 1, 1): ""}))
    '21 12\\n1 1'

    Raises PuzzleError for what is no cell or no token, and where a candidate would stand twice in a cell.
    """
    size = puzzle.size
    commas = size > LARGEST_WITHOUT_COMMAS
    whole: dict[Cell, list[str]] = {}
    for spot, token in sorted(tokens.items(), key=lambda item: len(item[0])):
        r, c = spot[:2]
        if not (0 <= r < size and 0 <= c < size):
            raise PuzzleError(f"the board has no cell ({r}, {c})")
        if len(spot) == 2:
            whole[r, c] = token.split(",") if commas or "," in token else list(token)
            continue
        parts = whole.setdefault((r, c), [str(n) for n in puzzle.rows[r][c]])
        if not 0 <= spot[2] < len(parts):
            raise PuzzleError(f"cell ({r}, {c}) has no candidate {spot[2]}, for it has {len(parts)}")
        parts[spot[2]] = token
    rows = [list(row) for row in puzzle.rows]
    for (r, c), parts in whole.items():
        token = ",".join(filter(None, parts))
        rows[r][c] = _cell(token or ".", size, True, r + 1, c + 1)
    return Puzzle(tuple(map(tuple, rows)))


def same_numbers(cells: Sequence[str]) -> bool:
    """Whether some texts of a cell have the same active number, and the same others in any order: then a level has the
    same solution with each of them.

    >>> same_numbers(["5123", "5321"]), same_numbers(["5123", "1235"]), same_numbers(["10,2,1", "10,1,2"])
    (True, False, True)
    >>> same_numbers(["1", ""])
    False
    """
    found = [text.split(",") if "," in text else list(text) for text in cells]
    return len({(*each[:1], *sorted(each[1:])) for each in found}) == 1


def same_level(one: Puzzle, other: Puzzle) -> bool:
    """Whether the cells of two boards have the same candidates, in whatever order clicks have brought them.

    >>> same_level(parse("21 1\\n1 12"), parse("12 1\\n1 12")), same_level(parse("21 1\\n1 12"), parse("2 1\\n1 12"))
    (True, False)
    """
    return [[set(cell) for cell in row] for row in one.rows] == [[set(cell) for cell in row] for row in other.rows]


def lines_of(size: int) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    """Every row and every column of a board: what a person calls it, and its cells."""
    for r in range(size):
        yield f"row {r + 1}", tuple((r, c) for c in range(size))
    for c in range(size):
        yield f"column {c + 1}", tuple((r, c) for r in range(size))


def name(cell: Cell) -> str:
    """A cell in a sentence, as a person counts: row and column from 1."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def listed(things: Sequence[object]) -> str:
    """
    >>> listed([1, 2, 3]), listed([1])
    ('1, 2 and 3', '1')
    """
    words = [str(thing) for thing in things]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def faults(puzzle: Puzzle) -> list[str]:
    """What makes a board hopeless at first sight, in sentences: a row or column that lacks a number, two cells of it
    with the same only candidate, or more cells than the candidates that they have together.

    >>> faults(parse("12 12 3\\n3 13 13\\n2 13 123"))
    ['no cell of row 2 can be 2']
    """
    found: list[str] = []
    for line, cells in lines_of(puzzle.size):
        candidates = {cell: set(puzzle.rows[cell[0]][cell[1]]) for cell in cells}
        missing = sorted(set(range(1, puzzle.size + 1)) - set().union(*candidates.values()))
        if missing:
            found.append(f"no cell of {line} can be {' or '.join(map(str, missing))}")
        crowd = _too_many(candidates)
        if crowd and not (missing and len(crowd) == puzzle.size > 2):
            numbers = sorted(set().union(*(candidates[cell] for cell in crowd)))
            fewer = f"{listed(numbers)}, fewer numbers than cells" if len(numbers) > 1 else f"{numbers[0]}"
            together = "both" if len(crowd) == 2 else "all"
            found.append(f"{listed([name(cell) for cell in crowd])}, {together} in {line}, can only be {fewer}")
    return found


def _too_many(candidates: Mapping[Cell, set[int]]) -> list[Cell]:
    """Cells that have fewer candidates together than they are (Hall 1935): those that augmenting paths reach from a
    cell that a largest matching leaves out. Empty where every cell of the line finds a number of its own."""
    holder: dict[int, Cell] = {}
    ranked = {cell: sorted(numbers) for cell, numbers in candidates.items()}

    def place(cell: Cell, seen: dict[int, Cell]) -> bool:
        for number in ranked[cell]:
            if number not in seen:
                seen[number] = cell
                if number not in holder or place(holder[number], seen):
                    holder[number] = cell
                    return True
        return False

    for cell in candidates:
        reached: dict[int, Cell] = {}
        if not place(cell, reached):
            return sorted({cell, *(holder[number] for number in reached)})
    return []


def show(puzzle: Puzzle, solution: Solution) -> str:
    """The solved board for a person to read in a terminal: the numbers, and beside them the candidates with the chosen
    one in brackets.

    >>> print(show(parse("21 1\\n1 12"), ((2, 1), (1, 2))))
    2 1    [2]1 [1]
    1 2    [1]  1[2]
    """
    size = puzzle.size
    width = len(str(size))
    between = "," if size > LARGEST_WITHOUT_COMMAS else ""
    marked = [
        [between.join(f"[{n}]" if n == number else str(n) for n in cell) for cell, number in zip(*pair, strict=True)]
        for pair in zip(puzzle.rows, solution, strict=True)
    ]
    room = max(len(text) for row in marked for text in row)
    return "\n".join(
        " ".join(str(number).rjust(width) for number in row)
        + "    "
        + " ".join(text.ljust(room) for text in texts).rstrip()
        for row, texts in zip(solution, marked, strict=True)
    )


def check(puzzle: Puzzle, solution: Solution) -> list[str]:
    """Every fault of ``solution``, in sentences; empty where it solves ``puzzle``. From the rules alone."""
    size = len(puzzle.rows)
    if len(solution) != size:
        return [f"the solution has {len(solution)} rows, and the board has {size}"]
    found = [
        f"row {r} of the solution has {len(row)} numbers, and the board has {size} columns"
        for r, row in enumerate(solution, 1)
        if len(row) != size
    ]
    if found:
        return found
    for r in range(size):
        for c in range(size):
            if solution[r][c] not in puzzle.rows[r][c]:
                found.append(f"r{r + 1}c{c + 1} holds {solution[r][c]}, which is none of its candidates")
    for what, numbers in (("row", solution), ("column", tuple(zip(*solution, strict=True)))):
        for place, line in enumerate(numbers, 1):
            for number in range(1, size + 1):
                if (times := line.count(number)) != 1:
                    how = "does not hold" if times == 0 else f"holds {times} times"
                    found.append(f"{what} {place} {how} {number}")
    return found


def solution_to_json(solution: Solution) -> Json:
    """Rows of numbers."""
    return [list(row) for row in solution]


def solution_from_json(data: Json) -> Solution:
    """Raises PuzzleError where ``data`` is not a list of rows of numbers."""
    if isinstance(data, list) and all(isinstance(row, list) for row in data):
        numbers = tuple(tuple(n for n in row) for row in data if isinstance(row, list))
        if all(isinstance(n, int) and not isinstance(n, bool) for row in numbers for n in row):
            return numbers
    raise PuzzleError("expected a solution as a list of rows, each a list of numbers")
