"""The deductions of Cross Set that follow implications between candidates over the whole board: chains and forcing
nets."""

from __future__ import annotations

from collections.abc import Iterator

from autoplayer.games.cross_set.puzzle import name
from autoplayer.games.cross_set.sets import SIMPLE
from autoplayer.games.cross_set.state import (
    Candidate,
    Contradiction,
    Finding,
    Ground,
    State,
    bits,
    candidate_at,
    fires,  # noqa: F401 - the examples call it
)

MOST_IN_CHAINS = 1200
"""Chains are searched if no more candidates than these are left: every board that a window shows has fewer, and on
larger ones searching every chain takes minutes."""

MOST_IN_NETS = 300
"""Forcing nets are searched if no more candidates than these are left. On fuller boards (9x9 to which no candidate can
be added) each takes long to find, and they do not lead to the end."""


class _Graph:
    """The candidates as bits, with the pairs that exclude each other (weak links), and the pairs of which one must hold
    (strong links)."""

    def __init__(self, state: State) -> None:
        size = state.size
        self.candidates = [(i // size, i % size, n) for i, mask in enumerate(state.numbers) for n in bits(mask)]
        files: dict[tuple[str, int, int], list[int]] = {}
        for at, (r, c, n) in enumerate(self.candidates):
            for key in (("cell", r, c), ("row", r, n), ("column", c, n)):
                files.setdefault(key, []).append(at)
        self.weak = [0] * len(self.candidates)
        self.strong: list[list[tuple[int, str]]] = [[] for _ in self.candidates]
        """For each candidate, those of which one must hold if it does not, with the unit that they share."""
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
        that then holds, such that each of the two ends excludes the same candidate: its candidates, the kinds of its
        links, and what is excluded."""
        on: dict[int, tuple[int, str]] = {}
        """Each candidate that holds, with the one that does not from which it follows, and the kind of the pair."""
        off: dict[int, int] = {}
        """Each candidate that does not hold, with the one from which that follows."""
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
    line without a place for a number, does not hold. Those with the fewest steps are reported, with all their steps."""
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
    """The consequences of one candidate, each with its ground, so that a contradiction can be traced back."""

    def __init__(self, state: State) -> None:
        self.size = state.size
        self.numbers, self.columns, self.rows = state.numbers.copy(), state.columns.copy(), state.rows.copy()
        self.before = state
        self.removed: dict[Candidate, Candidate] = {}
        """Each candidate that was ruled out on the way, with the candidate that rules it out."""
        self.why: dict[Candidate, Ground | None] = {}
        """Each candidate that then holds, with its ground."""

    def refute(self, start: Candidate, most: int) -> tuple[list[Candidate], str] | None:
        """The candidates that hold one after the other, ``start`` first, and what is then impossible; None if nothing
        is, or if it takes more than ``most`` of them."""
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
        """Everything that a ground depends on, in the order in which it was found."""
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
    """A forcing chain in which tuples and fish may be steps too; the first that is found, in the cells with the fewest
    candidates first, with the steps that it depends on."""
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
    """The steps by which simple rules lead from ``candidate`` to a contradiction, without those that it does not depend
    on; None if they lead to none."""
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
