"""An assumption about one bridge, whose consequences are followed over a few islands by counting."""

from __future__ import annotations

from collections.abc import Mapping

from autoplayer.core.frame import Cell
from autoplayer.games.hashi.state import State, links, name, names


class Trial:
    """The consequences, by counting, of an assumption about one bridge, on top of a state."""

    def __init__(self, state: State, slack: Mapping[int, int]) -> None:
        self.state = state
        self.slack = slack
        self.least: dict[int, int] = {}
        self.most: dict[int, int] = {}

    def reason(self, k: int, low: int, high: int, looks: int) -> str:
        """Why bridge ``k`` cannot carry ``low`` to ``high`` links, looking at no more than ``looks`` islands; else
        empty."""
        puzzle = self.state.puzzle
        waiting: list[Cell] = []
        news = [(k, low, high)]
        while True:
            for j, few, many in news:
                stood = self._least(j)
                self.least[j], self.most[j] = few, many
                waiting += (end for end in puzzle.bridges[j] if end not in waiting)
                if few and not stood:
                    for other in puzzle.crossings[j]:
                        if self._least(other):
                            c, d = puzzle.bridges[other]
                            return f"nothing could join {name(c)} and {name(d)}"
                        if self._most(other):
                            self.most[other] = 0
                            waiting += (end for end in puzzle.bridges[other] if end not in waiting)
            if not waiting or not looks:
                return self._cut_off()
            looks -= 1
            island = waiting.pop(0)
            here = puzzle.at[island]
            number = puzzle.islands[island]
            few, many = sum(map(self._least, here)), sum(map(self._most, here))
            if few > number:
                return f"{name(island)} would get {links(few)} at least and needs {number}"
            if many < number:
                return f"{name(island)} would get {links(many)} at most and needs {number}"
            news = []
            for j in here:
                old = self._least(j), self._most(j)
                new = max(old[0], old[1] - (many - number)), min(old[1], old[0] + (number - few))
                if new != old:
                    news.append((j, *new))

    def _least(self, k: int) -> int:
        return self.least.get(k, self.state.least[k])

    def _most(self, k: int) -> int:
        return self.most.get(k, self.state.most[k])

    def _cut_off(self) -> str:
        """A sentence if groups, with the links that the trial added, have no way on to the others; else empty."""
        state = self.state
        joined: dict[int, set[int]] = {}
        added: dict[int, int] = {}
        for k, few in self.least.items():
            if few > state.least[k]:
                one, two = (state.group[end] for end in state.puzzle.bridges[k])
                joined.setdefault(one, set()).add(two)
                joined.setdefault(two, set()).add(one)
                added[one] = added.get(one, 0) + few - state.least[k]
                added[two] = added.get(two, 0) + few - state.least[k]
        seen: set[int] = set()
        for first in joined:
            if first in seen:
                continue
            part = [first]
            seen.add(first)
            for number in part:
                for other in joined[number] - seen:
                    seen.add(other)
                    part.append(other)
            if len(part) < len(state.groups) and all(self.slack[number] == added[number] for number in part):
                islands = [island for number in part for island in state.groups[number]]
                return f"{names(islands)} would have no way to the other islands"
        return ""
