"""The deductions of Cross Set that look at one line, or at one number: elimination, hidden single, tuples and fish.

In the three views of a board (see ``state``), a naked tuple, a hidden tuple and a fish are the same argument (Hall's,
1935) in three directions: a set of things with exactly as many places as things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.puzzle import lines_of, listed, name
from autoplayer.games.cross_set.state import (
    Contradiction,
    Finding,
    Ground,
    Rule,
    State,
    bits,
    fires,  # noqa: F401 - the examples call it
)

TUPLES = {2: "pair", 3: "triple", 4: "quad"}
FISH = {2: "x-wing", 3: "swordfish", 4: "jellyfish"}


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
    """A row or a column: its cells, and for every number its possible places among them, which are in ``view`` from
    ``first`` on."""

    name: str
    cells: tuple[Cell, ...]
    places: list[int]
    view: str
    first: int


@cache
def _named(size: int) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
    return tuple(lines_of(size))


def _lines(state: State) -> Iterator[_Line]:
    size = state.size
    for at, (line, cells) in enumerate(_named(size)):
        view, first = ("columns", at * size) if at < size else ("rows", (at - size) * size)
        places: list[int] = getattr(state, view)[first : first + size]
        yield _Line(line, cells, places, view, first)


@dataclass(frozen=True)
class Tight:
    """A set of things with exactly as many places as things: bits of both. ``shared`` is set if there are fewer places
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
    taken = 0
    for thing, mask in enumerate(masks):
        if own := mask & ~taken:  # most find a place at once
            own &= -own
            taken |= own
            held[thing] = own.bit_length() - 1
            holder[held[thing]] = thing
            continue
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
        taken |= 1 << free
        while True:
            at = came[free]
            holder[free] = at
            free, held[at] = held.get(at, -1), free
            if at == thing:
                break
    found: dict[int, Tight] = {}
    met = {(1 << len(masks)) - 1}  # of all places nothing is taken away
    for place in sorted(holder):
        things, places, todo = 0, 1 << place, 1 << place
        while todo:
            if places == taken:
                things = (1 << len(masks)) - 1
                break
            low = todo & -todo
            todo ^= low
            own = holder[low.bit_length() - 1]
            things |= 1 << own
            todo |= masks[own] & ~places
            places |= masks[own]
        if things not in met and any(mask & places for at, mask in enumerate(masks) if not things >> at & 1):
            found[things] = Tight(things, places)
        met.add(things)
    yield from sorted(found.values(), key=lambda tight: (tight.things.bit_count(), tight.things))


def _tuples(masks: Sequence[int]) -> Iterator[Tight]:
    """Tight sets of at least two things, and of at most half of the unsettled ones: the complement of a larger one is a
    smaller set of the places, which is easier to explain."""
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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


SIMPLE: tuple[Rule, ...] = (elimination, hidden_single, naked_tuple, hidden_tuple, fish)
"""The rules that a forcing net may use."""
