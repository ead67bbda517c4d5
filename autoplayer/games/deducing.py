"""Explanations by named rules: rules produce findings, which are applied to a state, until nothing new is found or the
board turns out to have no solution. The content of a finding is each game's own."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from autoplayer.core.frame import Cell
from autoplayer.games.base import Deduction


class Contradiction(Exception):  # noqa: N818 - a finding, not a fault of the program
    """The board has no solution; the message says why, ``cells`` where."""

    def __init__(self, reason: str, cells: Iterable[Cell]) -> None:
        super().__init__(reason)
        self.cells = tuple(cells)


class Finding(Protocol):
    """A conclusion of a rule: a sentence, and the cells that it is about."""

    @property
    def text(self) -> str: ...

    @property
    def cells(self) -> tuple[Cell, ...]: ...


class State(Protocol):
    """What is known of a board."""

    @property
    def finished(self) -> bool:
        """Whether nothing is left to find."""

    def apply(self, finding: Any) -> bool:
        """Whether a finding contained anything new. Raises Contradiction when the board turns out to have no
        solution."""


AnyState = TypeVar("AnyState", bound=State)


def exhaust(state: AnyState, rules: Sequence[Callable[[AnyState], Iterator[Finding]]]) -> Iterator[Deduction]:
    """Apply rules until none finds anything new; after each success, start from the first again. A deduction has its
    rule's name. Raises Contradiction."""
    again = True
    while again and not state.finished:
        again = False
        for rule in rules:
            for finding in list(rule(state)):
                if state.apply(finding):
                    again = True
                    yield Deduction(rule.__name__.replace("_", "-"), finding.text, finding.cells)
            if again:
                break


def within(deductions: Iterable[Deduction], time_limit: float) -> Iterator[Deduction]:
    """Those of ``deductions`` that are made within ``time_limit`` seconds. Where that may not be all of them, a last
    one of the rule ``out-of-time`` says how far they went."""
    end = time.monotonic() + time_limit
    for count, each in enumerate(deductions, 1):
        yield each
        if time.monotonic() >= end:
            what = "1 deduction" if count == 1 else f"{count} deductions"
            yield Deduction("out-of-time", f"The time of {time_limit:g} s was over after {what}; more may follow.")
            return


def told(deductions: Iterable[Deduction], time_limit: float = math.inf) -> list[Deduction]:
    """All ``deductions`` that are made within ``time_limit`` seconds; where they end in a contradiction, that is the
    last one."""
    found: list[Deduction] = []
    try:
        found.extend(within(deductions, time_limit))
    except Contradiction as contradiction:
        text = f"The board has no solution: {contradiction}."
        found.append(Deduction("contradiction", text, contradiction.cells))
    return found


def listed(names: Sequence[str], most: int = 6) -> str:
    """Several names in a sentence, the first few of many.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    if len(names) > most:
        return ", ".join(names[:most]) + f" and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
