"""The named deductions of Cross Set, for explanations and hints: small arguments that rule out candidates for good.

The board is seen as a cube of possibilities (row, column, number). Three views of it are kept: the numbers of a cell,
the columns in which a number can stand in a row, the rows in which it can stand in a column. A naked tuple, a hidden
tuple and a fish are then the same argument (Hall's, 1935) in three directions: as many things as places for them.

The published rules (lfowles, "Solving Cross Set") are elimination, hidden single and naked tuple; the others are known
from Sudoku and Latin squares. All hold for any board, none guesses: what a forcing chain rules out, it rules out by the
steps that it lists. The complete search is in ``solver.py`` and shares nothing with this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field

from autoplayer.core.frame import Cell
from autoplayer.games.base import Deduction
from autoplayer.games.cross_set.puzzle import Puzzle, faults, format_cell, lines_of, listed, name, parse
from autoplayer.games.deducing import within

Candidate = tuple[int, int, int]
"""Row, column and number, all from 0."""

MOST_IN_CHAINS = 1200
"""Chains are looked for where no more candidates than these are left: every board that a window shows has fewer, and on
larger ones looking at every chain takes minutes."""

MOST_IN_NETS = 300
"""Forcing nets are looked for where no more candidates than these are left. On boards that are fuller still (9x9 to
which no candidate can be added) each takes long to find, and they do not lead to the end."""

TUPLES = {2: "pair", 3: "triple", 4: "quad"}
FISH = {2: "x-wing", 3: "swordfish", 4: "jellyfish"}


@dataclass(frozen=True)
class Ground:
    """What an argument rests on: that in some files of a view (an attribute of :class:`State`, and places in its list)
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
    """The candidate for which a bit stands in a view of :class:`State`."""
    a, b = divmod(file, size)
    return (a, b, bit) if view == "numbers" else (a, bit, b) if view == "columns" else (bit, a, b)


class Contradiction(Exception):  # noqa: N818 - a finding, not a fault of the program
    """The board has no solution; the message says why, ``cells`` where, ``ground`` from what."""

    def __init__(self, reason: str, cells: Iterable[Cell], ground: Ground) -> None:
        super().__init__(reason)
        self.cells = tuple(cells)
        self.ground = ground


@dataclass(frozen=True)
class Finding:
    """What a rule saw: its name, the sentence up to what follows, the cells it speaks of, and the candidates that no
    solution has. ``ground``: what it rests on, for rules that look at one line or number. ``holds``: the candidate that
    it shows to hold."""

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
    return [_sentence(finding, finding.removed) for finding in rule(state)]


def elimination(state: State) -> Iterator[Finding]:
    """A number that a cell holds for certain stands nowhere else in its row and column.

    >>> fires(elimination, "1 12 13 / 23 3 2 / 23 12 12")[0]
    'r1c1 is 1, so r1c2 and r1c3 are not 1.'
    """
    size = state.size
    for i, mask in enumerate(state.numbers):
        if mask & (mask - 1):
            continue
        r, c = divmod(i, size)
        n = mask.bit_length() - 1
        removed = [(r, k, n) for k in bits(state.columns[r * size + n]) if k != c]
        removed += [(k, c, n) for k in bits(state.rows[c * size + n]) if k != r]
        if removed:
            ground = Ground("numbers", (i,), mask)
            yield Finding("elimination", f"{name((r, c))} is {n + 1}", ((r, c),), tuple(removed), ground, (r, c, n))


def hidden_single(state: State) -> Iterator[Finding]:
    """A number for which a row or column has only one cell is held by that cell.

    >>> fires(hidden_single, "12 12 123 / 13 23 12 / 12 13 23")[0]
    'In row 1 only r1c3 can be 3, so it is 3.'
    """
    size = state.size
    for line in _lines(state):
        for n, places in enumerate(line.places):
            if places and not places & (places - 1):
                r, c = line.cells[places.bit_length() - 1]
                others = state.numbers[r * size + c] & ~(1 << n)
                if others:
                    yield Finding(
                        "hidden-single",
                        f"In {line.name} only {name((r, c))} can be {n + 1}",
                        ((r, c),),
                        tuple((r, c, k) for k in bits(others)),
                        Ground(line.view, (line.first + n,), places),
                        (r, c, n),
                    )


@dataclass(frozen=True)
class _Line:
    """A row or a column: its cells, and for every number the places among them where it can stand, which is what
    ``view`` has from ``first`` on."""

    name: str
    cells: tuple[Cell, ...]
    places: list[int]
    view: str
    first: int


def _lines(state: State) -> Iterator[_Line]:
    size = state.size
    for at, (line, cells) in enumerate(lines_of(size)):
        view, first = ("columns", at * size) if at < size else ("rows", (at - size) * size)
        places: list[int] = getattr(state, view)[first : first + size]
        yield _Line(line, cells, places, view, first)


@dataclass(frozen=True)
class Tight:
    """Things that have just as many places as they are: bits of both. ``shared`` is set where there are fewer places
    than things, which is a contradiction."""

    things: int
    places: int

    @property
    def short(self) -> bool:
        return self.things.bit_count() > self.places.bit_count()


def tight_sets(masks: Sequence[int]) -> Iterator[Tight]:
    """The smallest sets of things that fill all their places, so that the places are closed to every other thing;
    only those that take something away, the smallest first. ``masks``: the places of each thing.

    A largest matching gives every thing a place; from a place, what its holder could also take is followed to the end
    (Régin 1994). Where there is no matching, the one set that is short of places comes instead.

    >>> [(bin(tight.things), bin(tight.places)) for tight in tight_sets([0b011, 0b011, 0b111])]
    [('0b11', '0b11')]
    """
    holder: dict[int, int] = {}
    held: dict[int, int] = {}
    for thing in range(len(masks)):
        came: dict[int, int] = {}
        queue = [thing]
        for at in queue:
            fresh = [place for place in bits(masks[at]) if place not in came]
            came.update(dict.fromkeys(fresh, at))
            free = next((place for place in fresh if place not in holder), None)
            if free is not None:
                break
            queue += [holder[place] for place in fresh]
        else:
            yield Tight(sum(1 << at for at in queue), sum(1 << place for place in came))
            return
        while True:
            at = came[free]
            holder[free] = at
            free, held[at] = held.get(at, -1), free
            if at == thing:
                break
    found: dict[int, Tight] = {}
    for place in sorted(holder):
        things, places, todo = 0, 1 << place, 1 << place
        while todo:
            low = todo & -todo
            todo ^= low
            own = holder[low.bit_length() - 1]
            things |= 1 << own
            todo |= masks[own] & ~places
            places |= masks[own]
        if any(mask & places for at, mask in enumerate(masks) if not things >> at & 1):
            found[things] = Tight(things, places)
    yield from sorted(found.values(), key=lambda tight: (tight.things.bit_count(), tight.things))


def _tuples(masks: Sequence[int]) -> Iterator[Tight]:
    """Tight sets of two things or more, and of at most half of those that are not settled: the larger ones are better
    told from the other side, as a smaller set of the places."""
    unsettled = sum(mask & (mask - 1) != 0 for mask in masks)
    for tight in tight_sets(masks):
        if tight.short or 2 <= tight.things.bit_count() <= unsettled // 2:
            yield tight


def naked_tuple(state: State) -> Iterator[Finding]:
    """Two cells of a line that can only be the same two numbers hold these, three cells three numbers, and so on; the
    other cells of the line are none of them.

    >>> fires(naked_tuple, "12 12 134 234 / 1234 34 12 34 / 34 1234 1234 12 / 34 34 12 1234")[0]
    'In row 1, r1c1 and r1c2 can only be 1 and 2, so r1c3 is not 1, and r1c4 is not 2.'
    """
    size = state.size
    for line in _lines(state):
        masks = [state.numbers[r * size + c] for r, c in line.cells]
        for tight in _tuples(masks):
            own = tuple(line.cells[at] for at in bits(tight.things))
            words = [n + 1 for n in bits(tight.places)]
            text = f"in {line.name}, {listed([name(cell) for cell in own])} can only be {listed(words)}"
            ground = Ground("numbers", tuple(r * size + c for r, c in own), tight.places)
            if tight.short:
                raise Contradiction(f"{text}, fewer numbers than cells", own, ground)
            removed = [
                (*line.cells[at], n)
                for at, mask in enumerate(masks)
                if not tight.things >> at & 1
                for n in bits(mask & tight.places)
            ]
            rule = f"naked-{TUPLES.get(len(own), f'{len(own)}-tuple')}"
            yield Finding(rule, _capital(text), own, tuple(removed), ground)


def hidden_tuple(state: State) -> Iterator[Finding]:
    """Two numbers that only two cells of a line can hold stand in these, three numbers in three cells, and so on;
    these cells are nothing else.

    >>> fires(hidden_tuple, "1234 1234 34 34 / 12 1234 1234 34 / 1234 12 34 1234 / 34 34 12 12")[0]
    'In row 1, 1 and 2 can only stand in r1c1 and r1c2, so r1c1 and r1c2 are not 3 or 4.'
    """
    size = state.size
    for line in _lines(state):
        for tight in _tuples(line.places):
            own = tuple(line.cells[at] for at in bits(tight.places))
            words = [n + 1 for n in bits(tight.things)]
            text = f"in {line.name}, {listed(words)} can only stand in {listed([name(cell) for cell in own])}"
            ground = Ground(line.view, tuple(line.first + n for n in bits(tight.things)), tight.places)
            if tight.short:
                raise Contradiction(f"{text}, fewer cells than numbers", own, ground)
            removed = [(r, c, n) for r, c in own for n in bits(state.numbers[r * size + c] & ~tight.things)]
            rule = f"hidden-{TUPLES.get(len(words), f'{len(words)}-tuple')}"
            yield Finding(rule, _capital(text), own, tuple(removed), ground)


def fish(state: State) -> Iterator[Finding]:
    """Where a number can stand in only two columns of two rows, it stands there once in each of these columns, and so
    nowhere else in them (X-wing); the same for three (swordfish) or more, and with rows and columns swapped.

    >>> fires(fish, "12 13 34 24 / 13 14 234 234 / 1234 234 1234 1234 / 234 234 1234 1234")[0]
    'Rows 1 and 2 can hold 1 only in columns 1 and 2, so r3c1 is not 1.'
    """
    size = state.size
    for n in range(size):
        for what, across, view in (("row", "column", "columns"), ("column", "row", "rows")):
            masks = getattr(state, view)[n::size]
            for tight in _tuples(masks):
                first, second = list(bits(tight.things)), list(bits(tight.places))
                there = f"{across}{'s' * (len(second) != 1)} {listed([at + 1 for at in second])}"
                text = f"{what}s {listed([at + 1 for at in first])} can hold {n + 1} only in {there}"
                own = tuple(_turned(what, at, place) for at in first for place in bits(masks[at]))
                ground = Ground(view, tuple(at * size + n for at in first), tight.places)
                if tight.short:
                    raise Contradiction(f"{text}, fewer {across}s than {what}s", own, ground)
                removed = [
                    (*_turned(what, at, place), n)
                    for at, mask in enumerate(masks)
                    if at not in first
                    for place in bits(mask & tight.places)
                ]
                rule = FISH.get(len(first), f"fish-of-{len(first)}")
                yield Finding(rule, _capital(text), own, tuple(removed), ground)


def _turned(what: str, line: int, place: int) -> Cell:
    """The cell at a place of a row, or of a column."""
    return (line, place) if what == "row" else (place, line)


class _Graph:
    """The candidates as bits, which of them exclude one another, and which pairs leave no third."""

    def __init__(self, state: State) -> None:
        size = state.size
        self.candidates = [(i // size, i % size, n) for i, mask in enumerate(state.numbers) for n in bits(mask)]
        files: dict[tuple[str, int, int], list[int]] = {}
        for at, (r, c, n) in enumerate(self.candidates):
            for key in (("cell", r, c), ("row", r, n), ("column", c, n)):
                files.setdefault(key, []).append(at)
        self.weak = [0] * len(self.candidates)
        self.strong: list[list[tuple[int, str]]] = [[] for _ in self.candidates]
        """For each candidate, those of which one must hold if it does not, with what they share."""
        self.linked = 0
        """The candidates that have such a partner."""
        for (kind, _, _), members in files.items():
            whole = sum(1 << at for at in members)
            for at in members:
                self.weak[at] |= whole & ~(1 << at)
            if len(members) == 2:
                a, b = members
                self.strong[a].append((b, kind))
                self.strong[b].append((a, kind))
                self.linked |= whole

    def shortest(self, start: int, most: int) -> tuple[list[int], list[str], int] | None:
        """The shortest chain of at most ``most`` links between pairs, from "``start`` does not hold" to a candidate
        that then holds, such that one of both ends excludes something: its candidates, the kinds of its links, and
        what goes."""
        on: dict[int, tuple[int, str]] = {}
        """Each candidate that holds, from which one that does not, by which kind of pair."""
        off: dict[int, int] = {}
        """Each candidate that does not hold, from which one that does."""
        frontier = [start]
        seen = 1 << start
        for _ in range(most):
            reached = []
            for at in frontier:
                for other, kind in self.strong[at]:
                    if other not in on:
                        on[other] = (at, kind)
                        reached.append(other)
            for end in reached:
                gone = self.weak[start] & (self.weak[end] if end != start else -1) & ~(1 << start | 1 << end)
                if gone:
                    return *_path(start, end, on, off), gone
            frontier = []
            for at in reached:
                fresh = self.weak[at] & self.linked & ~seen
                seen |= fresh
                for other in bits(fresh):
                    off[other] = at
                    frontier.append(other)
        return None


def _path(start: int, end: int, on: dict[int, tuple[int, str]], off: dict[int, int]) -> tuple[list[int], list[str]]:
    path, kinds = [end], []
    at = end
    while True:
        at, kind = on[at]
        path.append(at)
        kinds.append(kind)
        if at == start:
            return path[::-1], kinds[::-1]
        at = off[at]
        path.append(at)


def alternating_chain(state: State) -> Iterator[Finding]:
    """If one candidate does not hold, another one at the end of a chain does: so one of both holds, and what both
    exclude is out. An X-chain stays with one number, an XY-chain goes through cells of two candidates.

    The links alternate: of a pair that is alone in its cell, row or column one holds if the other does not; and of two
    that share a cell, row or column one does not hold if the other does. The shortest chain is told.

    >>> fires(alternating_chain, "12 23 34 41 / 23 12 41 34 / 34 1234 12 123 / 14 34 23 12")[0]
    'r1c2≠2 → r1c1=2 → r2c1≠2 → r2c2=2: r1c2 is 2 or r2c2 is 2, so r3c2 is not 2.'
    """
    if sum(map(int.bit_count, state.numbers)) > MOST_IN_CHAINS:
        return
    graph = _Graph(state)
    best: tuple[list[int], list[str], int] | None = None
    most = len(graph.candidates)
    for start in range(len(graph.candidates)):
        found = graph.shortest(start, most)
        if found:
            best = found
            most = len(found[1]) - 1
    if best is None:
        return
    path, kinds, gone = best
    steps = [graph.candidates[at] for at in path]
    if len({n for _, _, n in steps}) == 1:
        rule = "x-chain"
    else:
        rule = "xy-chain" if set(kinds) == {"cell"} else "alternating-chain"
    told = " → ".join(f"{name((r, c))}{'=' if at % 2 else '≠'}{n + 1}" for at, (r, c, n) in enumerate(steps))
    (r1, c1, n1), (r2, c2, n2) = steps[0], steps[-1]
    first, last = name((r1, c1)), name((r2, c2))
    either = f"{first} is {n1 + 1}"
    if steps[0] != steps[-1]:
        either += f" or {last} is {n2 + 1}"
    cells = tuple(dict.fromkeys((r, c) for r, c, _ in steps))
    yield Finding(rule, f"{told}: {either}", cells, tuple(graph.candidates[at] for at in bits(gone)))


def forcing_chain(state: State) -> Iterator[Finding]:
    """A candidate whose consequences, by elimination and hidden singles alone, leave a cell without a candidate or a
    line without a place for a number, does not hold. Those with the fewest steps are told, with all their steps."""
    if sum(map(int.bit_count, state.numbers)) > MOST_IN_CHAINS:
        return
    found: list[tuple[list[Candidate], str]] = []
    most = state.size**2
    for candidate in state.candidates():
        refuted = _Trial(state).refute(candidate, most)
        if refuted:
            most = len(refuted[0])
            found.append(refuted)
    for steps, reason in found:
        if len(steps) == most:
            r, c, n = steps[0]
            told = " → ".join(f"{name((x, y))}={k + 1}" for x, y, k in steps)
            text = f"If {name((r, c))} were {n + 1}: {told}, and then {reason}"
            yield Finding("forcing-chain", text, tuple(dict.fromkeys((x, y) for x, y, _ in steps)), ((r, c, n),))


class _Trial:
    """The consequences of one candidate, each with what it rests on, so that a contradiction can be traced back."""

    def __init__(self, state: State) -> None:
        self.size = state.size
        self.numbers, self.columns, self.rows = state.numbers.copy(), state.columns.copy(), state.rows.copy()
        self.before = state
        self.removed: dict[Candidate, Candidate] = {}
        """Each candidate that was ruled out on the way, by the one that holds."""
        self.why: dict[Candidate, Ground | None] = {}
        """Each candidate that then holds, and on what ground."""

    def refute(self, start: Candidate, most: int) -> tuple[list[Candidate], str] | None:
        """The candidates that hold one after the other, ``start`` first, and what is then impossible; None where
        nothing is, or where it takes more than ``most`` of them."""
        size = self.size
        views = {"numbers": self.numbers, "columns": self.columns, "rows": self.rows}
        self.why[start] = None
        queue = [start]
        for at in queue:
            r, c, n = at
            gone = [(r, c, k) for k in bits(self.numbers[r * size + c] & ~(1 << n))]
            gone += [(r, k, n) for k in bits(self.columns[r * size + n] & ~(1 << c))]
            gone += [(k, c, n) for k in bits(self.rows[c * size + n] & ~(1 << r))]
            for x, y, m in gone:
                self.removed[x, y, m] = at
                self.numbers[x * size + y] &= ~(1 << m)
                self.columns[x * size + m] &= ~(1 << y)
                self.rows[y * size + m] &= ~(1 << x)
            for x, y, m in gone:
                for view, file in (("numbers", x * size + y), ("columns", x * size + m), ("rows", y * size + m)):
                    left = views[view][file]
                    if left & (left - 1):
                        continue
                    ground = Ground(view, (file,), left)
                    if not left:
                        steps = self._trace(ground)
                        return (steps, self._reason(x, y, m)) if len(steps) <= most else None
                    holds = candidate_at(view, file, left.bit_length() - 1, size)
                    if holds not in self.why:
                        self.why[holds] = ground
                        queue.append(holds)
        return None

    def _reason(self, r: int, c: int, n: int) -> str:
        if not self.numbers[r * self.size + c]:
            return f"{name((r, c))} has no candidate left"
        if not self.columns[r * self.size + n]:
            return f"no cell of row {r + 1} can be {n + 1}"
        return f"no cell of column {c + 1} can be {n + 1}"

    def _trace(self, ground: Ground) -> list[Candidate]:
        """What a ground rests on, in the order in which it was found."""
        needed: set[Candidate] = set()
        todo: list[Ground | None] = [ground]
        while todo:
            here = todo.pop()
            for each in here.missing(self.size) if here else ():
                at = self.removed.get(each)
                if at is not None and at not in needed:
                    needed.add(at)
                    todo.append(self.why[at])
        return [at for at in self.why if at in needed]


def forcing_net(state: State) -> Iterator[Finding]:
    """A forcing chain in which tuples and fish may be steps too; the first that is met, in the cells with the fewest
    candidates first, with what it rests on."""
    size = state.size
    if len(state.candidates()) > MOST_IN_NETS:
        return
    by_few = sorted(state.candidates(), key=lambda each: (state.numbers[each[0] * size + each[1]].bit_count(), each))
    for candidate in by_few:
        found = _refuted(state, candidate)
        if found is None:
            continue
        steps, contradiction = found
        told = " → ".join(dict.fromkeys(_brief(step) for step in steps))
        r, c, n = candidate
        text = f"If {name((r, c))} were {n + 1}: {told}, and then {contradiction}"
        cells = tuple(dict.fromkeys(cell for step in steps for cell in step.cells))
        yield Finding("forcing-net", text, cells, (candidate,))
        return


def _brief(step: Finding) -> str:
    """A step within a longer argument."""
    if step.holds:
        r, c, n = step.holds
        return f"{name((r, c))}={n + 1}"
    return step.text[:1].lower() + step.text[1:]


def _refuted(state: State, candidate: Candidate) -> tuple[list[Finding], Contradiction] | None:
    """The steps by which simple rules come from ``candidate`` to a contradiction, without those that it does not rest
    on; None where they come to none."""
    trial = state.copy()
    r, c, n = candidate
    others = tuple((r, c, k) for k in bits(trial.numbers[r * trial.size + c] & ~(1 << n)))
    steps = [Finding("assumption", "", ((r, c),), others, holds=candidate)]
    by: dict[Candidate, int] = {}
    """The step that took a candidate away."""
    at = 0
    try:
        while at < len(steps):
            by.update(dict.fromkeys(filter(trial.has, steps[at].removed), at))
            trial.apply(steps[at])
            at += 1
            if at == len(steps):
                steps += next(filter(None, (list(rule(trial)) for rule in SIMPLE)), [])
    except Contradiction as contradiction:
        needed: set[int] = set()
        todo = [by[each] for each in contradiction.ground.missing(state.size) if each in by]
        while todo:
            step = todo.pop()
            if step not in needed:
                needed.add(step)
                ground = steps[step].ground
                todo += [by[each] for each in ground.missing(state.size) if by.get(each, step) < step] if ground else []
        return [steps[step] for step in sorted(needed)], contradiction
    return None


SIMPLE: tuple[Rule, ...] = (elimination, hidden_single, naked_tuple, hidden_tuple, fish)
"""Those that a forcing net may use."""
PUBLISHED: tuple[Rule, ...] = (elimination, hidden_single)
"""Together they are an iteration; the others are asked, one by one, where these two have nothing more to say."""
FURTHER: tuple[Rule, ...] = (naked_tuple, hidden_tuple, fish, alternating_chain, forcing_chain, forcing_net)


def explain(puzzle: Puzzle, time_limit: float = math.inf) -> list[Deduction]:
    """The named deductions, iteration by iteration, each with the board after it, until the board is solved, is seen
    to have no solution, the rules find nothing more (rule ``unfinished``: the board as far as they came), or the time
    is over (``out-of-time``)."""
    if hopeless := faults(puzzle):
        return [Deduction("contradiction", f"{fault}, so the board has no solution.") for fault in hopeless]
    return list(within(_deductions(puzzle), time_limit))


def _deductions(puzzle: Puzzle) -> Iterator[Deduction]:
    state = State(puzzle)
    iteration = 0
    try:
        while state.open_cells or iteration == 0:
            said = False
            for rule in PUBLISHED:
                for step in _say(state, rule):
                    said = True
                    yield step
            for rule in () if said else FURTHER:
                for step in _say(state, rule):
                    said = True
                    yield step
                if said:
                    break
            if not said:
                break
            iteration += 1
            yield Deduction(f"iteration {iteration}", _told(state))
    except Contradiction as contradiction:
        yield Deduction("contradiction", f"{contradiction}, so the board has no solution.", contradiction.cells)
        return
    if state.open_cells:
        grid = "" if iteration else _below(state)
        text = f"The rules end here, with {len(state.candidates())} candidates in {state.open_cells} cells.{grid}"
        yield Deduction("unfinished", text)


def contradiction(puzzle: Puzzle) -> str | None:
    """Why the board has no solution, in a clause, where the rules up to the fish see it; None where they do not."""
    state = State(puzzle)
    try:
        state.check_all()
        while any(sum(bool(state.apply(finding)) for finding in list(rule(state))) for rule in SIMPLE):
            pass
    except Contradiction as found:
        return str(found)
    return None


def _told(state: State) -> str:
    """How far the board is, and the board."""
    cells = state.size**2
    return f"{cells - state.open_cells} of {cells} cells are settled.{_below(state)}"


def _below(state: State) -> str:
    """The board on lines of its own, set in so that it stands apart in a list."""
    return "".join(f"\n      {line}" for line in state.grid().splitlines())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _say(state: State, rule: Rule) -> Iterator[Deduction]:
    """What a rule says about the board as it stands; each thing once."""
    for finding in list(rule(state)):
        gone = state.apply(finding)
        if gone:
            yield Deduction(finding.rule, _sentence(finding, gone), finding.cells)


def _sentence(finding: Finding, gone: Sequence[Candidate]) -> str:
    if finding.rule == "hidden-single" and finding.holds:
        return f"{finding.text}, so it is {finding.holds[2] + 1}."
    return f"{finding.text}, so {_without(gone)}."


def _without(gone: Sequence[Candidate]) -> str:
    """Which cells are no longer what, cells that lose the same told together.

    >>> _without([(0, 0, 1), (0, 1, 1), (2, 0, 4), (2, 0, 3)])
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
