"""The state on which the named deductions of Cross Set work: the candidates that are left, the findings of the rules,
and how these are put in words.

The board is a cube of possibilities (row, column, number). Three views of it are kept: the numbers of a cell, the
columns in which a number can stand in a row, the rows in which it can stand in a column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.puzzle import Puzzle, format_cell, listed, name, parse

Candidate = tuple[int, int, int]
"""Row, column and number, all from 0."""


@dataclass(frozen=True)
class Ground:
    """What an argument rests on: in some files of a view (an attribute of :class:`State`, and indices in its list)
    nothing is left but ``allowed``."""

    view: str
    files: tuple[int, ...]
    allowed: int

    def missing(self, size: int) -> Iterator[Candidate]:
        """Every candidate that must be gone for this to hold."""
        for file in self.files:
            for bit in bits((1 << size) - 1 & ~self.allowed):
                yield candidate_at(self.view, file, bit, size)


def candidate_at(view: str, file: int, bit: int, size: int) -> Candidate:
    """The candidate that a bit in a view of :class:`State` stands for."""
    a, b = divmod(file, size)
    return (a, b, bit) if view == "numbers" else (a, bit, b) if view == "columns" else (bit, a, b)


class Contradiction(Exception):  # noqa: N818 - a finding, not a fault of the program
    """The board has no solution; the message says why, ``cells`` where, ``ground`` from what premises."""

    def __init__(self, reason: str, cells: Iterable[Cell], ground: Ground) -> None:
        super().__init__(reason)
        self.cells = tuple(cells)
        self.ground = ground


@dataclass(frozen=True)
class Finding:
    """A rule's finding: its name, the sentence up to its conclusion, the cells that it mentions, and the candidates
    that no solution has. ``ground``: its premises, for rules that look at one line or number. ``holds``: the candidate
    that it shows to hold."""

    rule: str
    text: str
    cells: tuple[Cell, ...]
    removed: tuple[Candidate, ...]
    ground: Ground | None = None
    holds: Candidate | None = None


@dataclass
class State:
    """The candidates that are left, in three views; bits in each."""

    puzzle: Puzzle
    size: int = field(init=False)
    numbers: list[int] = field(init=False)
    """At ``row * size + column``, the numbers that the cell can be."""
    columns: list[int] = field(init=False)
    """At ``row * size + number``, the columns in which the row can hold the number."""
    rows: list[int] = field(init=False)
    """At ``column * size + number``, the rows in which the column can hold the number."""

    def __post_init__(self) -> None:
        size = self.size = self.puzzle.size
        self.numbers, self.columns, self.rows = ([0] * size**2 for _ in range(3))
        for r, row in enumerate(self.puzzle.rows):
            for c, cell in enumerate(row):
                for n in cell:
                    self.numbers[r * size + c] |= 1 << (n - 1)
                    self.columns[r * size + n - 1] |= 1 << c
                    self.rows[c * size + n - 1] |= 1 << r

    def copy(self) -> State:
        other = copy(self)
        other.numbers, other.columns, other.rows = self.numbers.copy(), self.columns.copy(), self.rows.copy()
        return other

    def has(self, candidate: Candidate) -> bool:
        r, c, n = candidate
        return bool(self.numbers[r * self.size + c] >> n & 1)

    def solved(self, r: int, c: int) -> bool:
        mask = self.numbers[r * self.size + c]
        return not mask & (mask - 1)

    @property
    def open_cells(self) -> int:
        return sum(mask & (mask - 1) != 0 for mask in self.numbers)

    def candidates(self) -> list[Candidate]:
        """Those of cells that are not settled."""
        size = self.size
        return [
            (i // size, i % size, n) for i, mask in enumerate(self.numbers) if mask & (mask - 1) for n in bits(mask)
        ]

    def apply(self, finding: Finding) -> tuple[Candidate, ...]:
        """Take the candidates away and return those that were still there. Raises Contradiction when the board is seen
        to have no solution."""
        size = self.size
        gone = tuple(filter(self.has, finding.removed))
        for r, c, n in gone:
            self.numbers[r * size + c] &= ~(1 << n)
            self.columns[r * size + n] &= ~(1 << c)
            self.rows[c * size + n] &= ~(1 << r)
        for r, c, n in gone:
            self.check(r, c, n)
        return gone

    def check(self, r: int, c: int, n: int) -> None:
        """Raises Contradiction where a cell has no number left, or a row or column no place for one."""
        if not self.numbers[r * self.size + c]:
            raise Contradiction(
                f"{name((r, c))} has no candidate left", [(r, c)], Ground("numbers", (r * self.size + c,), 0)
            )
        if not self.columns[r * self.size + n]:
            raise Contradiction(
                f"no cell of row {r + 1} can be {n + 1}",
                [(r, k) for k in range(self.size)],
                Ground("columns", (r * self.size + n,), 0),
            )
        if not self.rows[c * self.size + n]:
            raise Contradiction(
                f"no cell of column {c + 1} can be {n + 1}",
                [(k, c) for k in range(self.size)],
                Ground("rows", (c * self.size + n,), 0),
            )

    def check_all(self) -> None:
        """:meth:`check` for every cell, row and column."""
        for at in range(self.size):
            for n in range(self.size):
                self.check(at, at, n)

    def grid(self) -> str:
        """What is left, in the text format, in the window's order; columns aligned."""
        size = self.size
        texts = [
            [format_cell([n for n in cell if self.has((r, c, n - 1))], size) or "." for c, cell in enumerate(row)]
            for r, row in enumerate(self.puzzle.rows)
        ]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        return "\n".join(
            " ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in texts
        )


Rule = Callable[[State], Iterator[Finding]]


def bits(mask: int) -> Iterator[int]:
    """The places of the set bits, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def fires(rule: Rule, board: str, after: Sequence[Rule] = ()) -> list[str]:
    """What a rule says on a board (rows parted by ``/``) once the rules in ``after`` have said all they can."""
    state = State(parse(board.replace("/", "\n")))
    while [gone for each in after for finding in list(each(state)) if (gone := state.apply(finding))]:
        pass
    return [sentence(finding, finding.removed) for finding in rule(state)]


def sentence(finding: Finding, gone: Sequence[Candidate]) -> str:
    if finding.rule == "hidden-single" and finding.holds:
        return f"{finding.text}, so it is {finding.holds[2] + 1}."
    return f"{finding.text}, so {without(gone)}."


def without(gone: Sequence[Candidate]) -> str:
    """Which cells are no longer what, cells that lose the same told together.

    >>> without([(0, 0, 1), (0, 1, 1), (2, 0, 4), (2, 0, 3)])
    'r1c1 and r1c2 are not 2, and r3c1 is not 4 or 5'
    """
    lost: dict[Cell, list[int]] = {}
    for r, c, n in gone:
        lost.setdefault((r, c), []).append(n + 1)
    alike: dict[tuple[int, ...], list[Cell]] = {}
    for cell, numbers in lost.items():
        alike.setdefault(tuple(sorted(numbers)), []).append(cell)
    return ", and ".join(
        f"{listed([name(cell) for cell in sorted(cells)])} {'is' if len(cells) == 1 else 'are'} not "
        + (", ".join(map(str, numbers[:-1])) + " or " if len(numbers) > 1 else "")
        + str(numbers[-1])
        for numbers, cells in alike.items()
    )
