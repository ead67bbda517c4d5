"""The named deductions of Cardinal Chains, for explanations and hints: small arguments that remove steps for good.

The board is seen as a graph of the steps that are still possible. A rule looks at it and names steps that no solution
takes, or cells that are left by a step in every solution. The published rules (an end and its entry, the cell that
must be left, and so on) assume a single chain. Here each holds for any number of chains: what rests on "this cell is
no end" is applied only where the number of ends, which equals the number of starts, proves it.

Every rule removes only what no solution has; whether the rules suffice depends on the board. The complete search is in
``solver.py`` and shares nothing with this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from autoplayer.core.frame import Cell
from autoplayer.games.base import Deduction
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle, parse
from autoplayer.games.deducing import Contradiction, exhaust, listed, told

Step = tuple[Cell, Cell]
"""From a cell to a neighbour."""


@dataclass(frozen=True)
class Finding:
    """What a rule found: the sentence, the cells that it names, steps that no solution takes, and cells in which no
    chain ends."""

    text: str
    cells: tuple[Cell, ...]
    removed: tuple[Step, ...] = ()
    left: tuple[Cell, ...] = ()


@dataclass
class State:
    """The steps that are still possible on a board, indexed by origin and by target, and the cells in which no chain
    ends."""

    puzzle: Puzzle
    exits: dict[Cell, set[Cell]] = field(init=False)
    entries: dict[Cell, set[Cell]] = field(init=False)
    left: set[Cell] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self.exits = {cell: set(targets) for cell, targets in self.puzzle.steps.items()}
        self.entries = {cell: set() for cell in self.exits}
        for cell, targets in self.exits.items():
            for target in targets:
                self.entries[target].add(cell)

    def is_start(self, cell: Cell) -> bool:
        return self.puzzle.cells[cell] == START

    @property
    def finished(self) -> bool:
        """Whether every cell but the starts has a single possible entry."""
        return all(len(entries) == 1 for cell, entries in self.entries.items() if not self.is_start(cell))

    def goes_on(self, cell: Cell) -> bool:
        """Whether it is known that no chain ends here."""
        return cell in self.left or any(self.entries[target] == {cell} for target in self.exits[cell])

    def certain(self) -> dict[Cell, Cell]:
        """The certain steps: each is the only one that enters its cell."""
        return {next(iter(entries)): cell for cell, entries in self.entries.items() if len(entries) == 1}

    def apply(self, finding: Finding) -> bool:
        """Whether it was new. Raises Contradiction if the board turns out to have no solution."""
        gone = [(a, b) for a, b in finding.removed if b in self.exits[a]]
        stay = [cell for cell in finding.left if cell not in self.left]
        self.left.update(stay)
        for a, b in gone:
            self.exits[a].discard(b)
            self.entries[b].discard(a)
        for a, b in gone:
            if not self.entries[b]:
                raise Contradiction(f"nothing can enter {name(b)} any more", [b])
            if a in self.left and not self.exits[a]:
                raise Contradiction(f"a chain cannot end at {name(a)}, and has no way on from it", [a])
        return bool(gone or stay)


Rule = Callable[[State], Iterator[Finding]]


def name(cell: Cell) -> str:
    """As a person counts: row and column from 1."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def names(cells: Iterable[Cell]) -> str:
    """Several cells in a sentence, the first few of many."""
    return listed([name(cell) for cell in sorted(cells)])


def fires(rule: Rule, board: str, after: Sequence[Rule] = ()) -> list[str]:
    """What a rule says on a board (rows parted by ``/``) once the rules in ``after`` have said all they can."""
    state = State(parse(board.replace("/", "\n")))
    list(exhaust(state, after))
    return [finding.text for finding in rule(state)]


def dead_end(state: State) -> Iterator[Finding]:
    """A cell with a single neighbour, joined to it both ways, is entered from there, and its chain ends in it.

    >>> fires(dead_end, "X 1 1 / . . 1")
    ['r2c3 has r1c3 as its only neighbour: it is entered from there, and a chain ends in it.']

    (Published as rules 1 and 2.)
    """
    for cell, entries in state.entries.items():
        if len(entries) == 1 and state.exits[cell] == entries:
            (source,) = entries
            text = f"{name(cell)} has {name(source)} as its only neighbour: it is entered from there, and a chain "
            yield Finding(text + "ends in it.", (cell, source), ((cell, source),))


def only_entry(state: State) -> Iterator[Finding]:
    """A cell that a single step enters is entered by it, so no step goes back.

    >>> fires(only_entry, "X 1 1 2")
    ['r1c3 can only be entered from r1c2, so no step goes back there.']

    (Published as rule 3.)
    """
    for cell, entries in state.entries.items():
        if len(entries) == 1:
            (source,) = entries
            if source in state.exits[cell] and len(state.exits[cell]) > 1:
                text = f"{name(cell)} can only be entered from {name(source)}, so no step goes back there."
                yield Finding(text, (cell, source), ((cell, source),))


def entered_end(state: State) -> Iterator[Finding]:
    """The only cell from which an end can be entered goes there and nowhere else.

    >>> fires(entered_end, "X 1 1 / . 2 .")
    ['r2c2 is an end that only r1c2 can enter, so r1c2 goes nowhere else.']

    (Published as rule 5.)
    """
    for cell, entries in state.entries.items():
        if len(entries) == 1 and not state.exits[cell]:
            (source,) = entries
            if len(state.exits[source]) > 1:
                text = (
                    f"{name(cell)} is an end that only {name(source)} can enter, so {name(source)} goes nowhere else."
                )
                yield Finding(text, (cell, source), _other_exits(state, source, cell))


def entered_from_one(state: State) -> Iterator[Finding]:
    """The only cell from which another can be entered goes there and nowhere else.

    >>> fires(entered_from_one, "X 2 / 1 2 / 2 2")
    ['r2c1 can only be entered from r1c1, so r1c1 goes nowhere else.']

    (Published as rule 6.5.)
    """
    for cell, entries in state.entries.items():
        if len(entries) == 1 and state.exits[cell]:
            (source,) = entries
            if len(state.exits[source]) > 1:
                text = f"{name(cell)} can only be entered from {name(source)}, so {name(source)} goes nowhere else."
                yield Finding(text, (cell, source), _other_exits(state, source, cell))


def _other_exits(state: State, source: Cell, target: Cell) -> tuple[Step, ...]:
    return tuple((source, other) for other in sorted(state.exits[source]) if other != target)


def ends_are_known(state: State) -> Iterator[Finding]:
    """When all ends of a chessboard colour are known, a chain goes on from every other cell of the colour.

    Steps change the colour, so the board itself says how many chains end on each: every cell of one colour that is no
    start is entered from a cell of the other, which therefore has as many exits; its remaining cells are ends.

    >>> fires(ends_are_known, "X 1 1 / . 1 1")
    ["No cell of r1c2's chessboard colour is an end, so a chain goes on from r1c2 and r2c3."]
    """
    for own, count in _ends_by_colour(state):
        known = [cell for cell in own if not state.exits[cell]]
        if len(known) > count:
            raise Contradiction(f"{_ends(own, count)}, but {names(known)} cannot be left", known)
        onward = tuple(cell for cell in own if state.exits[cell] and not state.goes_on(cell))
        if len(known) == count and onward:
            which = (
                f", and {names(known)} is known" if count == 1 else f", and {names(known)} are known" if known else ""
            )
            yield Finding(f"{_ends(own, count)}{which}, so a chain goes on from {names(onward)}.", onward, left=onward)


def _ends_by_colour(state: State) -> Iterator[tuple[list[Cell], int]]:
    """The cells of each chessboard colour, and how many of them are ends of chains. Raises Contradiction if that is
    impossible."""
    cells = state.puzzle.cells
    for colour in (0, 1):
        own = [cell for cell in cells if sum(cell) % 2 == colour]
        entered = [cell for cell, value in cells.items() if sum(cell) % 2 != colour and value != START]
        if len(entered) > len(own):
            reason = f"{len(entered)} cells of {name(entered[0])}'s chessboard colour must be entered from "
            raise Contradiction(reason + f"{len(own)} cells of the other", entered)
        if own:
            yield own, len(own) - len(entered)


def _ends(own: list[Cell], count: int) -> str:
    colour = f"of {name(own[0])}'s chessboard colour"
    if count == 0:
        return f"No cell {colour} is an end"
    return f"Just one cell {colour} is an end" if count == 1 else f"Just {count} cells {colour} are ends"


def only_exit(state: State) -> Iterator[Finding]:
    """A cell that is no end and has a single exit owns its target: nothing else enters it, and no step comes back.

    >>> fires(only_exit, "X 2 2")
    ['r1c2 is no end and can only go to r1c3, so nothing else enters r1c3.']

    (Published as rules 4 and 6, which take for granted that the cell is no end. With several chains, or where the end
    is not known, that must have been shown before.)
    """
    for cell, exits in state.exits.items():
        if len(exits) == 1 and state.goes_on(cell):
            (target,) = exits
            removed = [(other, target) for other in sorted(state.entries[target]) if other != cell]
            if cell in state.exits[target]:
                removed.append((target, cell))
            if removed:
                text = (
                    f"{name(cell)} is no end and can only go to {name(target)}, so nothing else enters {name(target)}."
                )
                yield Finding(text, (cell, target), tuple(removed))


def full_cell(state: State) -> Iterator[Finding]:
    """A cell that is joined to two neighbours for certain, in whatever direction, is joined to no other.

    A cell that is no start and no end is joined to two neighbours, so where it has only two, to both.

    >>> fires(full_cell, "1 X 1 / 1 1 1", after=[ends_are_known])
    ['r2c2 is joined to r2c1 and r2c3 for certain, so not to r1c2.']
    """
    for cell, partners in _joined(state).items():
        others = (state.exits[cell] | state.entries[cell]) - partners
        if len(partners) == (1 if state.is_start(cell) else 2) and others:
            text = f"{name(cell)} is joined to {names(partners)} for certain, so not to {names(others)}."
            yield Finding(text, (cell, *sorted(others)), _between(cell, sorted(others)))


def no_loop(state: State) -> Iterator[Finding]:
    """The two ends of a stretch of cells that are joined for certain are not joined to each other.

    >>> fires(no_loop, "1 1 / X 2", after=[ends_are_known])
    ['4 cells are joined for certain from r2c1 to r2c2, and joining these two would close a loop.']
    """
    joined = _joined(state)
    for first, partners in joined.items():
        if len(partners) != 1:
            continue
        before, last, length = first, next(iter(partners)), 2
        while len(joined[last]) == 2:
            (further,) = joined[last] - {before}
            before, last, length = last, further, length + 1
        removed = [step for step in _between(first, [last]) if step[1] in state.exits[step[0]]]
        if length > 2 and first < last and removed:
            text = f"{length} cells are joined for certain from {name(first)} to {name(last)}, and joining these two "
            yield Finding(text + "would close a loop.", (first, last), tuple(removed))


def _between(cell: Cell, others: Iterable[Cell]) -> tuple[Step, ...]:
    return tuple(step for other in others for step in ((cell, other), (other, cell)))


def _joined(state: State) -> dict[Cell, set[Cell]]:
    """For each cell, the neighbours that come just before or after it in every solution. Raises Contradiction where
    they are too many."""
    joined: dict[Cell, set[Cell]] = {cell: set() for cell in state.exits}
    for cell, entries in state.entries.items():
        partners = entries | state.exits[cell]
        if state.goes_on(cell) and len(partners) == (1 if state.is_start(cell) else 2):
            certain = partners
        else:
            certain = entries if len(entries) == 1 else set()
        for other in certain:
            joined[cell].add(other)
            joined[other].add(cell)
    for cell, partners in joined.items():
        if len(partners) > (1 if state.is_start(cell) else 2):
            raise Contradiction(f"{name(cell)} would have to be joined to each of {names(partners)}", [cell])
    return joined


def bottleneck(state: State) -> Iterator[Finding]:
    """A cell through which alone others can be reached leads into them, and a way in that misses some of them is none.

    The one chain through that cell must cover all that lies behind it before it comes to anything else, and no chain
    comes back from there to the cell.

    >>> for text in fires(bottleneck, "1 1 . / X 1 2 / . 2 2"):
    ...     print(text)
    r2c3, r3c2 and r3c3 can only be reached through r2c2, so the chain goes on from there to cover them all, without \
r2c2 to r1c2.
    """
    behind = _behind(state)
    for cell, cells in behind.items():
        wrong = []
        for target in sorted(state.exits[cell]):
            if target not in cells or len(_reached(state, target, cells)) < len(cells):
                wrong.append((cell, target))
        wrong += [(other, cell) for other in sorted(state.entries[cell] & cells)]
        if not wrong and (state.is_start(cell) or state.goes_on(cell)):
            continue
        if all((cell, target) in wrong for target in state.exits[cell]):
            reason = f"{names(cells)} can only be reached through {name(cell)}, and no single chain covers them all"
            raise Contradiction(reason, sorted(cells))
        text = f"{names(cells)} can only be reached through {name(cell)}, so the chain goes on from there"
        if wrong:
            text += " to cover them all, without " + ", ".join(f"{name(a)} to {name(b)}" for a, b in wrong)
        yield Finding(text + ".", (cell, *sorted(cells)), tuple(wrong), (cell,))


def _reached(state: State, first: Cell, within: set[Cell]) -> set[Cell]:
    """The cells of ``within`` that can be reached from ``first`` without leaving them."""
    seen = {first}
    queue = [first]
    while queue:
        for target in state.exits[queue.pop()]:
            if target in within and target not in seen:
                seen.add(target)
                queue.append(target)
    return seen


def _behind(state: State) -> dict[Cell, set[Cell]]:
    """For each cell through which alone others can be reached from the starts: those others.

    They are the cells that it dominates, found as by Cooper, Harvey and Kennedy (2001). Raises Contradiction when a
    cell cannot be reached at all.
    """
    order = _searched(state)
    # The root stands before all starts and has the highest number; a cell's number falls along every search path.
    root = len(order)
    gate = _gates(state, order)
    behind: dict[Cell, set[Cell]] = {}
    for place, cell in enumerate(order):
        above = gate[place]
        while above != root:
            behind.setdefault(order[above], set()).add(cell)
            above = gate[above]
    return behind


def _searched(state: State) -> list[Cell]:
    """The cells in the order in which a depth-first search from the starts leaves them. Raises Contradiction when it
    does not reach all."""
    order: list[Cell] = []
    seen: set[Cell] = set()
    for start in state.puzzle.starts:
        seen.add(start)
        stack = [(start, iter(sorted(state.exits[start])))]
        while stack:
            cell, targets = stack[-1]
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, iter(sorted(state.exits[target]))))
                    break
            else:
                order.append(cell)
                stack.pop()
    missing = [cell for cell in state.exits if cell not in seen]
    if missing:
        raise Contradiction(f"{names(missing)} cannot be reached from any start", missing)
    return order


def _gates(state: State, order: Sequence[Cell]) -> list[int]:
    """For each cell of ``order`` the number of the last one through which every way to it leads, the root's where there
    is none; the root's own at the end."""
    number = {cell: place for place, cell in enumerate(order)}
    root = len(order)
    gate = [-1] * root + [root]
    changed = True
    while changed:
        changed = False
        for place in range(root - 1, -1, -1):
            cell = order[place]
            new = root if state.is_start(cell) else -1
            for source in state.entries[cell]:
                other = number[source]
                if gate[other] < 0:
                    continue
                if new < 0:
                    new = other
                while new != other:
                    while new < other:
                        new = gate[new]
                    while other < new:
                        other = gate[other]
            if gate[place] != new:
                gate[place] = new
                changed = True
    return gate


RULES: tuple[Rule, ...] = (
    dead_end,
    only_entry,
    entered_end,
    entered_from_one,
    only_exit,
    ends_are_known,
    full_cell,
    no_loop,
    bottleneck,
)
"""In the order in which they are tried: after each that told something new, from the first again."""


def explain(puzzle: Puzzle, time_limit: float = math.inf) -> list[Deduction]:
    """The named deductions in order; the last entry says how far they came.

    That entry's rule is ``read-off`` (the solution is found), ``contradiction`` (there is none), ``stuck`` (the rest
    is for the search) or ``out-of-time``. A board whose solution is found by deductions alone has no other.
    """
    return told(_deductions(puzzle), time_limit)


def _deductions(puzzle: Puzzle) -> Iterator[Deduction]:
    """Raises Contradiction."""
    state = State(puzzle)
    for cell, entries in state.entries.items():
        if not entries and not state.is_start(cell):
            raise Contradiction(f"nothing can enter {name(cell)}", [cell])
    yield from exhaust(state, RULES)
    yield _last_entry(state)


def _last_entry(state: State) -> Deduction:
    """How far the deductions came (published as rule 7: the solution is read off). Raises Contradiction."""
    if not state.finished:
        open_cells = [cell for cell, entries in state.entries.items() if len(entries) > 1]
        text = f"The deductions end here: {len(open_cells)} of {len(state.entries)} cells can still be entered in more "
        return Deduction("stuck", text + "than one way, and the search decides.", tuple(open_cells))
    source_of = {cell: next(iter(entries)) for cell, entries in state.entries.items() if entries}
    taken: dict[Cell, Cell] = {}
    for cell, source in source_of.items():
        if source in taken:
            both = (taken[source], cell)
            raise Contradiction(f"{names(both)} can both be entered only from {name(source)}", both)
        taken[source] = cell
    chains = []
    for start in state.puzzle.starts:
        chain = [start]
        while chain[-1] in taken:
            chain.append(taken[chain[-1]])
        chains.append(chain)
    looping = set(state.entries).difference(*chains)
    if looping:
        raise Contradiction(f"{names(looping)} can only be entered from one another, in a loop", sorted(looping))
    text = "Every cell can be entered in one way only, and the solution is read off: "
    text += "; ".join(" ".join(map(name, chain)) for chain in chains) + "."
    return Deduction("read-off", text, tuple(cell for chain in chains for cell in chain))
