"""Determines which game a picture shows: every candidate game reads it, and the one that explains it best is chosen.

The readers' confidences are not comparable between games: a reader of another game's board may well be certain of every
digit. The rules decide: a board that was read by accident hardly ever has a solution. So a settled board with a
solution beats all others, provided that a solution is evidence: in a game in which every board has one, it proves
nothing. Next come boards that probably have a solution although something is in doubt, the most probable first. A board
without a solution is never chosen: it was misread, or belongs to another game.

In real-time games the rules say little about a single picture: whether a level can be won depends on how the figure
moves. Such a game itself tells whether a picture can only be one of its levels (``shows``). It is asked first, so that
the other readers are not run in vain.

Reading another game's board can take a hundred times as long as reading an own one, because everything is tried. So
each reader has little time at first, and as much as it takes only where none of them has seen a board of which it is
certain.

Knows no game by name, no pixels and no window.
"""

from __future__ import annotations

import itertools
import math
import random
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal

from autoplayer import games
from autoplayer.core.deadline import OutOfTime, patience
from autoplayer.core.errors import MachineError, PuzzleError, UnreadableError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.base import Game, P, Reading, S
from autoplayer.games.text import replaced, tokens
from autoplayer.layout import Layout
from autoplayer.settle import ENOUGH, Settled, settle_trimmed

SETTLE_LIMIT = 10.0
"""Seconds for settling the doubts of one picture."""

FIRST_LIMIT = 2.0
"""The same while the game is unknown: another game's board, read as many doubts, would use up any time limit."""

HOPELESS = 0.5
"""A reading with less than this probability, none of whose possibilities has a solution, shows something else."""

PATIENCE = (0.6, 2.5, math.inf)
"""Seconds of processor time in which each game must have read a picture, in the first round, the next, and the last."""

EXCHANGES = 12
"""How many similar boards are solved to find out how much evidence a solution is."""

EXCHANGE_LIMIT = 0.5
"""Seconds for each of them; one that takes longer counts as having a solution."""

WORTHLESS = 0.9
"""Where more than this share of the similar boards has exactly one solution, a solution of this one is no evidence: it
would exist whatever the picture shows."""

CLEAR_CELLS = 9
CLEAR_SHARE = 0.5
CLEAR_FILLED = 0.5
"""Such a board was not read by accident, and no further game is asked: at least this many cells that fill at least this
share of their bounding rectangle, all certain, with exactly one solution, while at most this share of the similar
boards has one. Other boards are compared: a few scattered cells may be common to boards of two games. Those that have
so many cells and are certain are not compared with what takes longest to read."""

LIKELY = 0.5
"""The least posterior probability of a level with remaining doubts for it to be chosen."""

SHOWN_LIMIT = 0.5
"""Seconds for the rules where the picture alone shows the game."""

CLEARLY = 2.0
"""How many times better than the next one a board of the same grade must be to be chosen."""

Candidate = tuple[Game[Any, Any], Layout]
"""A game, and a possible layout of its window."""


@dataclass(frozen=True)
class Seen(Generic[P, S]):
    """One game's reading of one picture.

    ``reading``, ``settled``: None where it finds no board of its own. ``reason``: a sentence, empty where the board is
    certain and has a solution. ``seconds``: for reading and settling.
    """

    game: Game[P, S]
    layout: Layout
    reading: Reading[P] | None
    settled: Settled[P, S] | None
    reason: str
    seconds: float
    shown: bool = False
    """Whether the picture can only show this game."""

    @property
    def status(self) -> Literal["read", "doubtful", "unreadable"]:
        if self.settled is None:
            return "unreadable"
        return "read" if self.settled.certain and not self.settled.reason else "doubtful"


@dataclass(frozen=True)
class Choice:
    """The game that was chosen.

    ``seen``: the chosen game's results for each picture, in their order; empty where none was chosen. ``reason``: why
    it is this one, or why none was chosen: a clause without a full stop.
    """

    seen: tuple[Seen[Any, Any], ...]
    reason: str

    @property
    def game(self) -> Game[Any, Any] | None:
        return self.seen[0].game if self.seen else None

    @property
    def layout(self) -> Layout | None:
        return self.seen[0].layout if self.seen else None


def shows(game: Game[P, S], reading: Reading[P]) -> bool:
    """Whether the reading of ``game`` can only be one of its levels, whatever the rules say. A game that can tell has a
    function ``shows`` with a reading as its argument; the others leave it to the rules."""
    own: Callable[[Reading[P]], bool] | None = getattr(game, "shows", None)
    return own is not None and own(reading)


def look(game: Game[P, S], image: Image, layout: Layout, *, time_limit: float = SETTLE_LIMIT) -> Seen[P, S]:
    """The reading of ``image`` by ``game``; doubts are settled within ``time_limit`` seconds."""
    return _settled(_read(game, image, layout), time_limit)


@dataclass(frozen=True)
class _Read(Generic[P, S]):
    """One game's reading of one picture, before the rules are applied. ``shown``: whether it can only show this
    game."""

    game: Game[P, S]
    layout: Layout
    found: Reading[P] | UnreadableError
    shown: bool
    seconds: float


def _read(game: Game[P, S], image: Image, layout: Layout) -> _Read[P, S]:
    begin = time.perf_counter()
    found: Reading[P] | UnreadableError
    try:
        found = game.read(image, layout)
    except UnreadableError as error:
        found = error
    shown = isinstance(found, Reading) and shows(game, found)
    return _Read(game, layout, found, shown, time.perf_counter() - begin)


def _settled(read: _Read[P, S], time_limit: float) -> Seen[P, S]:
    begin = time.perf_counter() - read.seconds
    game, layout, reading, shown = read.game, read.layout, read.found, read.shown
    if isinstance(reading, UnreadableError):
        return Seen(game, layout, None, None, str(reading), read.seconds)
    reading, settled = settle_trimmed(game, reading, time_limit=min(time_limit, SHOWN_LIMIT) if shown else time_limit)
    if shown and settled.solution is None:
        reason = "" if not reading.doubts else settled.reason
        settled = replace(settled, puzzle=reading.puzzle, certain=not reading.doubts, changed={}, reason=reason)
    seconds = time.perf_counter() - begin
    if settled.solution is None and reading.doubts and reading.confidence < HOPELESS and not shown:
        return Seen(game, layout, None, None, f"this is hardly a level of {game.title}: {settled.reason}", seconds)
    return Seen(game, layout, reading, settled, settled.reason, seconds, shown)


def choose(
    images: Sequence[Image],
    candidates: Sequence[Candidate],
    *,
    title: str | None = None,
    time_limit: float = SETTLE_LIMIT,
) -> Choice:
    """Which of ``candidates`` the pictures, all of one window, show. Pictures in which none of them finds a board (a
    menu between two levels) are ignored. Of several layouts of one game the one with the best reading is used.

    ``title``: the window's title, if known. A game in which a solution proves nothing is chosen only for a window whose
    title names it, because anything may look like its board. ``time_limit``: seconds for settling each picture of the
    chosen game.
    """
    looked = _looked_at(images, candidates, min(time_limit, FIRST_LIMIT))
    if isinstance(looked, Choice):
        return looked
    shown = [n for n in range(len(images)) if any(worths[n].grade for worths, _ in looked)]
    found = [(min(worths[n] for n in shown), seen) for worths, seen in looked if shown]
    found = [(worth, seen) for worth, seen in found if worth.grade]
    found.sort(key=lambda each: each[0], reverse=True)
    unread = (f"{each.game.title}: {_why_none(each)}" for _, seen in looked for each in seen if each.reading is None)
    reasons = "; ".join(dict.fromkeys(unread))
    if not found:
        return Choice((), f"no game's board is seen ({reasons})")
    best, seen = found[0]
    if best.grade == _ANYTHING and not _named(seen[0].game, title):
        why = f" ({reasons})" if reasons else ""
        return Choice((), f"only {seen[0].game.title} sees a board, which proves nothing; name the game{why}")
    even = [(worth, other) for worth, other in found if worth.grade == best.grade]
    if best.grade == _UNSOLVED:
        titles = _titles([other for _, other in even])
        return Choice(
            (), f"it can be read as {titles}, but not for certain as a level that has a solution; name the game"
        )
    # Of several layouts of one game the one with the best reading comes first.
    for best, seen in even:
        name = seen[0].game.name
        if all(best.beats(worth) for worth, other in even if other[0].game.name != name):
            break
    else:
        return Choice((), f"it can be read as {_titles([other for _, other in even])}; name the game")
    return Choice(tuple(_longer(each, time_limit) for each in seen), _WHY[best.grade])


def _why_none(seen: Seen[Any, Any]) -> str:
    """Why a game sees no board, without the words that none is seen: the sentence around it says so for all games."""
    return seen.reason.removeprefix(f"no board of {seen.game.title} is seen: ")


_Looked = tuple[list["_Worth"], tuple[Seen[Any, Any], ...]]
"""What one candidate sees in each picture, and how well that explains it."""


def _looked_at(images: Sequence[Image], candidates: Sequence[Candidate], limit: float) -> Choice | list[_Looked]:
    """What each candidate sees, in their order; or the choice, as soon as one is certain. ``limit``: seconds for
    settling each picture."""
    looked: dict[int, _Looked] = {}
    telling: dict[int, _Reads] = {}

    def clearly_seen(number: int, reads: _Reads) -> Choice | None:
        seen = tuple(_settled(each, limit) for each in reads)
        worths = [_worth(each) for each in seen]
        looked[number] = worths, seen
        clear = bool(worths) and all(worth.clear for worth in worths)
        return Choice(seen, "its board has a solution as its levels have") if clear else None

    def is_certain() -> bool:
        return any(worths and all(worth.certain for worth in worths) for worths, _ in looked.values())

    for number, reads in _reads(images, candidates, is_certain):
        if _can_tell(candidates[number]):
            if any(each.shown for each in reads) and all(each.shown or not _is_read(each) for each in reads):
                return Choice(tuple(_settled(each, limit) for each in reads), "the picture can be nothing else")
            telling[number] = reads
        elif (choice := clearly_seen(number, reads)) is not None:
            return choice
    # Where such a game is not certain to be shown, its reading is mostly of another game's board, and its rules take
    # longest.
    for number, reads in telling.items():
        if (choice := clearly_seen(number, reads)) is not None:
            return choice
    return [looked[number] for number in sorted(looked)]


_Reads = tuple[_Read[Any, Any], ...]
"""One candidate's readings of all pictures."""


def _reads(
    images: Sequence[Image], candidates: Sequence[Candidate], is_certain: Callable[[], bool]
) -> Iterator[tuple[int, _Reads]]:
    """The number of each candidate with its readings of the pictures, as soon as it has read them: in rounds with
    ``PATIENCE``, and in each of these first the games that can tell whether they are shown. The last round ends when
    one ``is_certain``."""
    waiting = sorted(range(len(candidates)), key=lambda number: not _can_tell(candidates[number]))
    known: dict[int, list[_Read[Any, Any]]] = {number: [] for number in waiting}
    """What was read in earlier rounds."""
    for seconds in PATIENCE:
        late = []
        for number in waiting:
            if seconds == math.inf and is_certain():
                return
            game, layout = candidates[number]
            try:
                with patience(seconds):
                    for image in images[len(known[number]) :]:
                        known[number].append(_read(game, image, layout))
            except OutOfTime:
                late.append(number)
                continue
            yield number, tuple(known[number])
        waiting = late


def _can_tell(candidate: Candidate) -> bool:
    return hasattr(candidate[0], "shows")


def _is_read(read: _Read[P, S]) -> bool:
    return isinstance(read.found, Reading)


def _named(game: Game[P, S], title: str | None) -> bool:
    return title is not None and re.search(rf"\b{re.escape(game.title)}\b", title, re.IGNORECASE) is not None


def _longer(seen: Seen[P, S], time_limit: float) -> Seen[P, S]:
    """``seen``, settled again where it is in doubt and there is more time than before."""
    if seen.reading is None or seen.status != "doubtful" or time_limit <= FIRST_LIMIT:
        return seen
    begin = time.perf_counter()
    reading, settled = settle_trimmed(seen.game, seen.reading, time_limit=time_limit)
    seconds = seen.seconds + time.perf_counter() - begin
    return replace(seen, reading=reading, settled=settled, reason=settled.reason, seconds=seconds)


def _titles(all_seen: Sequence[Sequence[Seen[Any, Any]]]) -> str:
    return " and as ".join(dict.fromkeys(seen[0].game.title for seen in all_seen))


@dataclass(frozen=True, order=True)
class _Worth:
    """How well a game explains a picture; greater is better.

    ``evidence``: among solved boards, the share of its bounding rectangle that a board fills: a reader that finds cells
    in only a few places of a fine lattice has found parts of something else, while its confidence does not tell which
    of two solved boards was read by accident. Among other boards, the confidence. ``seen``: 2 where every cell was read
    without a doubt, 0 where the rules had to resolve many doubts, 1 otherwise. ``boxes``: its cells, in window pixels.
    """

    grade: int
    evidence: float
    seen: int
    confidence: float
    clear: bool = False
    certain: bool = False
    """Whether it was hardly read by accident: it may have several solutions, or empty places, and readers that take
    long are not waited for."""
    boxes: tuple[Box, ...] = field(default=(), compare=False)

    def beats(self, other: _Worth) -> bool:
        """Whether it is clearly better than another one of the same grade. A board inside one whose cells were all
        certain is a part of it. A few cells have a solution in many games: a game that recognised them all is preferred
        to one that did not recognise any of its own signs in one of them."""
        if self._holds(other) or other._holds(self):
            return self._holds(other)
        if self.evidence >= other.evidence and self.seen == 2 and other.seen == 0:
            return True
        return self.evidence >= CLEARLY * other.evidence

    def _holds(self, other: _Worth) -> bool:
        """Whether the other board has fewer cells, all with their centres inside this one, which was read without a
        doubt. (Centres, because two readers may disagree about the size of cells.)"""
        if self.seen < 2 or len(self.boxes) <= len(other.boxes):
            return False
        left, top = min(box.x for box in self.boxes), min(box.y for box in self.boxes)
        right, bottom = max(box.x + box.width for box in self.boxes), max(box.y + box.height for box in self.boxes)
        area = Box(left, top, right - left, bottom - top)
        return all(area.contains(box.centre) for box in other.boxes)


_NOTHING = _Worth(0, 0.0, 0, 0.0)
_ANYTHING, _UNSOLVED, _OPEN, _SOLVED = 1, 2, 3, 4
"""Grades of boards: of a game in which a solution is no evidence; without a solution, or with an improbable one
(misread, or another game's); with a probable solution that depends on remaining doubts; settled, with a solution."""

_WHY = {
    _ANYTHING: "the window's title names it, and no other game sees a board",
    _OPEN: "its board can have a solution",
    _SOLVED: "its board has a solution",
}


def _worth(seen: Seen[Any, Any]) -> _Worth:
    if seen.reading is None or seen.settled is None:
        return _NOTHING
    settled, sure = seen.settled, seen.reading.confidence
    how = 2 if not seen.reading.doubts else 0 if sure < HOPELESS else 1
    if settled.solution is None:
        return _Worth(_UNSOLVED, sure, how, sure)
    share = _alike(seen.game, settled.puzzle, seen.reading.places)
    if share > WORTHLESS:
        return _Worth(_ANYTHING, sure, how, sure)
    if not settled.playable:
        # with so many doubts some level with a solution exists, whatever the picture shows
        likely = settled.confidence >= LIKELY
        return _Worth(_OPEN if likely else _UNSOLVED, settled.confidence if likely else sure, how, settled.confidence)
    filled = _filled(seen.reading.places)
    certain = settled.certain and len(seen.reading.places) >= CLEAR_CELLS and share <= CLEAR_SHARE
    clear = (
        certain and settled.confidence >= ENOUGH and filled >= CLEAR_FILLED and _as_promised(seen.game, settled.puzzle)
    )
    boxes = tuple(seen.reading.places.values())
    return _Worth(_SOLVED, filled, how, settled.confidence, clear, certain, boxes)


def _alike(game: Game[P, S], puzzle: P, seen: Collection[Cell]) -> float:
    """The share of similar boards (with the tokens of two cells exchanged) that have a solution such as the game's
    levels have; 1 where all cells are equal. The choice of the cells is the same in every run."""
    text = game.format(puzzle)
    cells = {cell: token for cell, token in tokens(text).items() if cell in seen}
    pairs = [(a, b) for a, b in itertools.combinations(sorted(cells), 2) if cells[a] != cells[b]]
    some = random.Random(0).sample(pairs, min(EXCHANGES, len(pairs)))
    changed = (replaced(text, {a: cells[b], b: cells[a]}) for a, b in some)
    return sum(_solvable(game, other) for other in changed) / len(some) if some else 1.0


def _filled(seen: Collection[Cell]) -> float:
    """The share of their bounding rectangle that cells fill."""
    rows, columns = {r for r, _ in seen}, {c for _, c in seen}
    return len(seen) / ((max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1))


def _solvable(game: Game[P, S], text: str) -> bool:
    try:
        puzzle = game.parse(text)
    except PuzzleError:
        return False
    return not game.faults(puzzle) and _as_promised(game, puzzle)


def _as_promised(game: Game[P, S], puzzle: P) -> bool:
    """Whether the puzzle has a solution, and exactly one where the game promises that; True where the time runs out."""
    outcome = game.solve(puzzle, time_limit=EXCHANGE_LIMIT, most=2)
    return outcome.status != "no-solution" and not (game.promises_one_solution and outcome.unique is False)


def candidates() -> list[Candidate]:
    """Every registered game that can be loaded, each with the layout of an unknown window."""
    found: list[Candidate] = []
    for name in games.names():
        try:
            found.append((games.load(name), Layout(game=name)))
        except MachineError:  # a broken game must not affect the others
            continue
    return found
