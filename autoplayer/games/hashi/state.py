"""What is known of a board's bridges while rules are applied: the least and the most links of each, which islands are
connected, and how sentences name islands and links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from autoplayer.core.frame import Cell
from autoplayer.games.deducing import Contradiction, listed
from autoplayer.games.hashi.puzzle import MOST_LINKS, Puzzle


@dataclass(frozen=True)
class Finding:
    """What a rule found: the sentence, the islands that it names, and for bridges (by their index in
    ``Puzzle.bridges``) the least and the most links that they carry in every solution."""

    text: str
    cells: tuple[Cell, ...]
    bounds: tuple[tuple[int, int, int], ...]


@dataclass
class State:
    """The least and the most links of each bridge, as far as they are known, and the groups of connected islands."""

    puzzle: Puzzle
    least: list[int] = field(init=False)
    most: list[int] = field(init=False)
    group: dict[Cell, int] = field(init=False)
    """For each island the number of its group: the islands that it is joined to for certain."""
    groups: dict[int, list[Cell]] = field(init=False)

    def __post_init__(self) -> None:
        self.least = [0] * len(self.puzzle.bridges)
        self.most = [MOST_LINKS] * len(self.puzzle.bridges)
        self.group = {island: number for number, island in enumerate(self.puzzle.islands)}
        self.groups = {number: [island] for island, number in self.group.items()}

    @property
    def finished(self) -> bool:
        """Whether the links of every bridge are known."""
        return self.least == self.most

    def other(self, k: int, island: Cell) -> Cell:
        """The island at the other end of bridge ``k``."""
        a, b = self.puzzle.bridges[k]
        return b if island == a else a

    def open(self, island: Cell) -> list[int]:
        """The bridges at an island that may carry more than is known."""
        return [k for k in self.puzzle.at[island] if self.least[k] < self.most[k]]

    def missing(self, island: Cell) -> int:
        """How many links the island still needs."""
        return self.puzzle.islands[island] - sum(self.least[k] for k in self.puzzle.at[island])

    def takes(self, k: int, island: Cell) -> int:
        """The most links that bridge ``k`` can carry besides those that are known, seen from ``island``: no more than
        the neighbour still needs (if the island itself needs less, that is the subject of :func:`small_island`)."""
        return min(self.most[k] - self.least[k], self.missing(self.other(k, island)))

    def slack(self, number: int) -> int:
        """How many links the islands of a group still need in all."""
        return sum(map(self.missing, self.groups[number]))

    def apply(self, finding: Finding) -> bool:
        """Whether it was new. Raises Contradiction if the board turns out to have no solution."""
        new = False
        for k, at_least, at_most in finding.bounds:
            least, most = max(at_least, self.least[k]), min(at_most, self.most[k])
            if (least, most) == (self.least[k], self.most[k]):
                continue
            new = True
            bridge = self.puzzle.bridges[k]
            if least > most:
                reason = f"the bridge between {names(bridge)} would need {links(least)} at least and {most} at most"
                raise Contradiction(reason, bridge)
            if least and not self.least[k]:
                self._join(*bridge)
            self.least[k], self.most[k] = least, most
        return new

    def _join(self, a: Cell, b: Cell) -> None:
        one, two = self.group[a], self.group[b]
        if one != two:
            for island in self.groups[two]:
                self.group[island] = one
            self.groups[one] += self.groups.pop(two)


def name(island: Cell) -> str:
    """``(row, column)``, from 0 at the top left."""
    return f"({island[0]}, {island[1]})"


def names(islands: Iterable[Cell]) -> str:
    """Several islands in a sentence, the first few of many."""
    return listed([name(cell) for cell in sorted(islands)])


def links(count: int) -> str:
    return f"{count} link{'s' * (count != 1)}"
