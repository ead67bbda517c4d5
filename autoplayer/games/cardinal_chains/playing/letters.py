"""The keys of a window that is played by letters, as games in a terminal and some others are. Which letter moves a
chain in which direction is unknown, so letters are tried, the likeliest first, and the effect on the chains tells.
Plans no moves; ``player`` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from autoplayer.core.frame import Cell
from autoplayer.layout import CLICK, NUMBER

Way = tuple[int, int]
"""A step as ``(rows, columns)``."""

WAYS: tuple[Way, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Up, down, left, right."""

NAMES = ("up", "down", "left", "right")
"""What those are called in a layout's table of keys."""

FAMILIES: tuple[tuple[str, ...], ...] = (
    tuple("wsad"), tuple("zsqd"), tuple("nswe"), tuple("udlr"), tuple("kjhl"), tuple("nsoe"),
    tuple("NSWE"), tuple("WSAD"), tuple("ZSQD"), tuple("UDLR"), tuple("NSOE"), ("up", "down", "left", "right"),
)  # fmt: skip
"""Groups of keys for these directions: by their position on keyboards, and by the names of directions in English and
French. Most games understand lower-case letters. Arrow keys come last: to a program that reads letters each is several
characters, the last of them A, B, C or D, which may go back or choose another chain."""

LAID = tuple("wsad"), tuple("zsqd"), tuple("qaop"), tuple("ikjl"), tuple("kjhl")
"""Groups of keys that form a cross or a row on a keyboard, for a window that handles each key at once."""

CHOOSING = ("space", "c", "m", "n", "e")
"""Keys that may select another chain there, after the usual key, the likeliest first."""

NEXT_CHAIN = ("c", "tab", "n", "C", "a")
"""Keys that may select another chain, the likeliest first; the word is "chain" in English and "chaîne" in French."""

BACK = ("b", "u", "B", "backspace")
"""Keys that may take back a step, the likeliest first. Where lines are typed, Backspace edits the line and is no
character, and a program that reads two characters a step then takes the Enter for a key."""

AGAIN = 2
"""How often a key that is known to work is tried: one press may be lost."""

FEW = 4
"""After each key that may select another chain, at most so many keys are tried for its first step."""

NOTED, NOTED_LAID, NOTED_CHOOSING = "letters", "laid", "choosing"
"""The keys under which a reading keeps what was discovered about its window: a :class:`Found`, a :class:`Laid`, and a
:class:`Choosing`."""


class Turn(Enum):
    """Whether the chain to be drawn is the one that the keys move now."""

    OWN = "own"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Option:
    """A trial: a key for a step in the direction ``way``, perhaps after another key; without a direction it takes back
    a step."""

    key: str
    way: Way | None = None
    before: str = ""


def back() -> list[Option]:
    """The ways to take back a step, the likeliest first."""
    return [Option(key) for key in BACK]


@dataclass
class Found:
    """What was discovered about the letters of one window: ``steps``, the key for each direction in which a chain was
    seen to grow, and ``next_chain``, the key after which another chain grew."""

    steps: dict[Way, str] = field(default_factory=dict)
    next_chain: str = ""
    _tried: tuple[Option, int, int] | None = None
    """What is on its way: the option, which one it was, and how many cells chains held before."""

    def note(self, held: int) -> None:
        """Learn from the number of cells that chains hold now."""
        if self._tried is None or held == self._tried[2]:
            return
        option = self._tried[0]
        if held > self._tried[2] and option.way is not None:
            self.steps[option.way] = option.key
            self.next_chain = option.before or self.next_chain
        self._tried = None

    def options(self, path: Sequence[Cell], turn: Turn, chains: int) -> list[Option]:
        """The ways to make the first step of a chain's ``path``, the likeliest first, on a board with so many
        ``chains``: a window may have moved on to the next one by itself, and then has to cycle through all of them."""
        way = _way(path[0], path[1])
        keys = self._candidates(way)
        here = [Option(key, way) for key in keys]
        around = chains - 1
        choosing = (
            [self.next_chain] * max(AGAIN, around) if self.next_chain else [*NEXT_CHAIN, *NEXT_CHAIN[:1] * around]
        )
        there = [Option(key, way, before) for before in choosing for key in dict.fromkeys(keys[:FEW])]
        return {Turn.OWN: here, Turn.OTHER: there + here, Turn.UNKNOWN: here + there[:FEW]}[turn]

    def pressed(self, option: Option, path: Sequence[Cell], held: int, attempt: int) -> tuple[tuple[str, ...], int]:
        """The keys to press for an option at try number ``attempt``, and how many steps of ``path`` they make while
        chains hold ``held`` cells: after the first step only those whose keys are known. Each key is followed by Enter,
        because most terminals deliver whole lines; windows that do not wait for Enter ignore it."""
        if self._tried is None or attempt > self._tried[1]:  # the next move is also planned without being made
            self._tried = option, attempt, held
        keys = [option.before, option.key] if option.before else [option.key]
        ways = [_way(a, b) for a, b in pairwise(path)]
        if option.key == self.steps.get(option.way or (0, 0)):
            known = next((k for k, way in enumerate(ways) if way not in self.steps), len(ways))
            keys += [self.steps[way] for way in ways[1:known]]
        steps = len(keys) - bool(option.before) if option.way else 0
        return tuple(one for key in keys for one in (key, "enter")), steps

    def guess(self, a: Cell, b: Cell) -> str:
        """The likeliest key from a cell to its neighbour."""
        return self._candidates(_way(a, b))[0]

    def _candidates(self, way: Way) -> list[str]:
        """The keys that may move a chain in a direction, the likeliest first: those consistent with what is known."""
        if way in self.steps:
            return [self.steps[way]] * AGAIN
        fitting = [
            family for family in FAMILIES if all(family[WAYS.index(one)] == key for one, key in self.steps.items())
        ]
        return list(dict.fromkeys(family[WAYS.index(way)] for family in fitting or FAMILIES))


@dataclass
class Laid:
    """What was discovered about the letters of one window that handles each key at once: ``steps``, the key for each
    direction in which a chain was seen to grow. A letter may have another meaning than expected: the ``a`` of ``wasd``
    goes left, that of ``qaop`` down."""

    steps: dict[Way, str] = field(default_factory=dict)
    since: int = 0
    """From which try on that has been known: those before it were of something else."""
    _pressed: tuple[str, frozenset[Cell], int] | None = None
    """What is on its way: the key, the cells that chains held before, and which try it is."""

    def note(self, held: Mapping[Cell, int], starts: Sequence[Cell]) -> None:
        """Learn from which cells chains hold now, each by the index of its start in ``starts``."""
        if self._pressed is None or held.keys() == self._pressed[1]:
            return
        new = held.keys() - self._pressed[1]
        if len(new) == 1:
            cell = next(iter(new))
            way = _way(starts[held[cell]], cell)
            if way in WAYS:
                self.steps[way], self.since = self._pressed[0], self._pressed[2] + 1
        self._pressed = None

    def press(self, key: str, held: Mapping[Cell, int], attempt: int) -> None:
        """Remember that a ``key`` will be pressed while chains hold these cells, at try number ``attempt``."""
        if self._pressed is None or attempt > self._pressed[2]:  # the next move is also planned without being made
            self._pressed = key, frozenset(held), attempt

    def keys(self) -> dict[str, str]:
        """The keys of the directions, by their names in the layout's table of keys: the group that is consistent with
        what was seen, or only the keys that were seen; empty if nothing was seen."""
        seen = self.steps.items()
        fitting = [family for family in LAID if all(family[WAYS.index(way)] == key for way, key in seen)]
        known = dict(zip(WAYS, fitting[0], strict=True)) if fitting else self.steps
        return {name: known[way] for name, way in zip(NAMES, WAYS, strict=True) if way in known} if seen else {}


@dataclass
class Choosing:
    """What does not select another chain in one window: after it, keys moved the chain that they had moved before."""

    useless: set[str] = field(default_factory=set)
    _pressed: str = ""
    """What is on its way."""
    _held: Mapping[Cell, int] = field(default_factory=dict)
    _moved: int | None = None
    """Which chain has changed last."""

    def note(self, held: Mapping[Cell, int]) -> None:
        """Learn from which cells chains hold now, each by its chain's index."""
        changed = {who for _, who in self._held.items() ^ held.items()}
        if len(changed) == 1:
            if self._pressed and changed == {self._moved}:
                self.useless.add(self._pressed)
            self._moved = next(iter(changed))
        if changed:
            self._pressed, self._held = "", dict(held)

    def press(self, key: str) -> None:
        """Remember that a ``key`` will be pressed that may select another chain than the one that has changed last."""
        self._pressed = key

    def instead(self, key: str) -> str:
        """``key``, or what to try where it is known to select no chain; itself where all else is useless too."""
        return next((one for one in (key, CLICK, NUMBER, *CHOOSING) if one not in self.useless), key)


def apart(a: Cell, b: Cell) -> list[tuple[str, ...]]:
    """Those groups of :data:`LAID` that have different keys for the step from ``a`` to its neighbour ``b``: if ``d`` of
    ``wasd`` did nothing, that of ``zqsd`` does not either."""
    way = WAYS.index(_way(a, b))
    return list({family[way]: family for family in reversed(LAID)}.values())[::-1]


def _way(a: Cell, b: Cell) -> Way:
    return b[0] - a[0], b[1] - a[1]
