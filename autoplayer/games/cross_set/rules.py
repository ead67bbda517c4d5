"""The named deductions of Cross Set, for explanations and hints: small arguments that rule out candidates for good.

The published rules (lfowles, "Solving Cross Set") are elimination, hidden single and naked tuple; the others are known
from Sudoku and Latin squares. All hold for any board, none guesses: what a forcing chain rules out, it rules out by the
steps that it lists. The complete search is in ``solver.py`` and shares nothing with this file, ``state``, ``sets`` and
``chains``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from autoplayer.games.base import Deduction
from autoplayer.games.cross_set.chains import alternating_chain, forcing_chain, forcing_net
from autoplayer.games.cross_set.puzzle import Puzzle, faults
from autoplayer.games.cross_set.sets import SIMPLE, elimination, fish, hidden_single, hidden_tuple, naked_tuple
from autoplayer.games.cross_set.state import Contradiction, Rule, State, sentence
from autoplayer.games.deducing import within

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
    """The progress of the board, and the board."""
    cells = state.size**2
    return f"{cells - state.open_cells} of {cells} cells are settled.{_below(state)}"


def _below(state: State) -> str:
    """The board on lines of its own, set in so that it stands apart in a list."""
    return "".join(f"\n      {line}" for line in state.grid().splitlines())


def _say(state: State, rule: Rule) -> Iterator[Deduction]:
    """What a rule says about the board as it stands; each thing once."""
    for finding in list(rule(state)):
        gone = state.apply(finding)
        if gone:
            yield Deduction(finding.rule, sentence(finding, gone), finding.cells)
