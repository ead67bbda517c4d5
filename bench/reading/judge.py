"""How well a reading agrees with the truth: one verdict a picture, counted per condition. Prints nothing."""

from __future__ import annotations

import operator
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell
from autoplayer.games.base import Game, Reading
from autoplayer.layout import Layout
from autoplayer.settle import settle_trimmed
from bench.reading.strange import Sample

SETTLE_SECONDS = 2.0
HAS_SOLUTION = ("chains", "generated", "grown", "level")
"""Where the content is from one of these, the rules may be asked; random numbers have no solution to be found."""

Links = Mapping[tuple[Cell, Cell], int]
Kind = Literal["exact", "doubtful", "wrong", "unreadable"]


@dataclass(frozen=True)
class Verdict:
    """What came of one picture.

    ``kind``: ``exact``: the bot would play the right board. ``doubtful``: it is not certain of every cell, and asks, or
    plays where the solution is the same in any case. ``wrong``: it would play a wrong board without a word.
    ``unreadable``: it sees no board; right where there is none.
    ``as_read``: whether the reading was right before the rules were asked. ``right``, ``cells``: cells read right, and
    cells there are. ``seconds``: for the reading alone. ``links``: for a game of bridges, how many links were seen to
    stand, by the truth's cells; None where nothing says what stands, or nothing was read.
    """

    sample: Sample
    kind: Kind
    as_read: bool
    right: int
    cells: int
    seconds: float
    read: str
    note: str = ""
    places: dict[Cell, Box] = field(default_factory=dict)
    tokens: dict[Cell, str] = field(default_factory=dict)
    doubted: frozenset[Cell] = frozenset()
    links: Links | None = None
    pairs: frozenset[tuple[Cell, Cell]] = frozenset()
    """Where links may stand, by the truth."""

    @property
    def links_right(self) -> int:
        """Of ``pairs``, how many have the right number of links; a link anywhere else counts against them."""
        if self.links is None or self.sample.links is None:
            return 0
        truth, stray = self.sample.links, sum(pair not in self.pairs for pair in self.links)
        return max(sum(self.links.get(pair, 0) == truth.get(pair, 0) for pair in self.pairs) - stray, 0)

    @property
    def fine(self) -> bool:
        """Whether there is nothing to look at: the right board and the right links, or rightly none."""
        if not self.sample.text:
            return self.kind == "unreadable"
        return self.kind == "exact" and (self.sample.links is None or self.links_right == len(self.pairs))


def tokens_of(text: str) -> dict[Cell, str]:
    """Each cell of a puzzle's text that is no hole, with its token."""
    rows = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {(r, c): token for r, row in enumerate(rows) for c, token in enumerate(row) if token != "."}


@dataclass(frozen=True)
class Form:
    """How a game's text is taken apart and compared.

    ``tokens``: each cell that holds something, with its token. ``same``: whether two texts are one board.
    ``pairs``: where links may stand in the board of a text. ``links``: those that a reading saw, by the truth's cells.
    """

    tokens: Callable[[str], dict[Cell, str]] = tokens_of
    same: Callable[[str, str], bool] = operator.eq
    pairs: Callable[[str], frozenset[tuple[Cell, Cell]]] = lambda text: frozenset()
    links: Callable[[Reading[Any], Sample], Links] | None = None


WORDS = Form()
"""Tokens with spaces between, and no two texts of one board."""


def _by_place(reading: Reading[Any], read: dict[Cell, str], truths: Mapping[Cell, str], sample: Sample) -> int:
    """The truth's cells in whose middle a cell with the same token was read."""
    spots = [(box, read.get(cell)) for cell, box in reading.places.items()]
    return sum(
        any(token == truth and box.contains(sample.places[cell].centre) for box, token in spots)
        for cell, truth in truths.items()
        if cell in sample.places
    )


def judge(game: Game[Any, Any], sample: Sample, form: Form = WORDS) -> Verdict:
    """Read ``sample`` as the bot would, and compare."""
    layout = Layout(game=game.name)
    truth = form.tokens(sample.text)
    pairs: frozenset[tuple[Cell, Cell]] = (
        form.pairs(sample.text) if sample.text and sample.links is not None else frozenset()
    )
    began = time.perf_counter()
    try:
        reading = game.read(sample.image, layout)
    except UnreadableError as error:
        seconds = time.perf_counter() - began
        return Verdict(sample, "unreadable", False, 0, len(truth), seconds, "", str(error), pairs=pairs)
    except Exception as error:
        error.add_note(f"while reading the window {sample.name or 'without a name'}")
        raise
    seconds = time.perf_counter() - began
    plain = game.format(reading.puzzle)
    puzzle, certain, note = reading.puzzle, not reading.doubts, ""
    if not sample.text or sample.content in HAS_SOLUTION:
        reading, settled = settle_trimmed(game, reading, time_limit=SETTLE_SECONDS)
        # What was read without doubt and has no solution is not played: the bot says that something was misread.
        impossible = settled.certain and (settled.outcome is None or settled.outcome.status == "no-solution")
        puzzle, certain, note = settled.puzzle, settled.certain and not impossible, settled.reason
    text = game.format(puzzle)
    same = bool(sample.text) and form.same(text, sample.text)
    read = form.tokens(text)
    right = _by_place(reading, read, truth, sample) if sample.places else (len(truth) if same else 0)
    kind: Kind = ("exact" if same else "wrong") if certain else "doubtful"
    doubted = frozenset((spot[0], spot[1]) for doubt in reading.doubts for spot in doubt.cells)
    links = form.links(reading, sample) if form.links and sample.text and sample.links is not None else None
    as_read = bool(sample.text) and form.same(plain, sample.text)
    places = dict(reading.places)
    return Verdict(
        sample, kind, as_read, right, len(truth), seconds, text, note, places, read, doubted, links, pairs
    )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """The counts of one condition; shares in percent."""

    name: str
    boards: int
    exact: float
    as_read: float
    cells: float
    doubtful: int
    wrong: int
    unreadable: int
    milliseconds: float
    links: float | None = None
    """Boards with exactly the links that stand."""
    pairs: float | None = None
    """Pairs of neighbours with the right number of links."""


def row(name: str, verdicts: Sequence[Verdict]) -> Row:
    """What these verdicts, at least one, come to."""
    kinds = Counter(v.kind for v in verdicts)
    cells = sum(v.cells for v in verdicts)
    linked = [v for v in verdicts if v.sample.links is not None and v.sample.text]
    pairs = sum(len(v.pairs) for v in linked)
    return Row(
        name,
        len(verdicts),
        100 * kinds["exact"] / len(verdicts),
        100 * sum(v.as_read for v in verdicts) / len(verdicts),
        100 * sum(v.right for v in verdicts) / cells if cells else 0.0,
        kinds["doubtful"],
        kinds["wrong"],
        kinds["unreadable"],
        1000 * statistics.median(v.seconds for v in verdicts),
        100 * sum(v.links_right == len(v.pairs) for v in linked) / len(linked) if linked else None,
        100 * sum(v.links_right for v in linked) / pairs if pairs else None,
    )


def by_condition(verdicts: Iterable[Verdict]) -> list[Row]:
    """A row for each tag, in alphabetical order, which keeps tags of a kind together."""
    groups: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        for tag in verdict.sample.conditions:
            groups[tag].append(verdict)
    return [row(tag, group) for tag, group in sorted(groups.items())]


def worst_faces(verdicts: Iterable[Verdict], most: int = 10) -> list[Row]:
    """The typefaces with the most boards that were not exact."""
    groups: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        groups[verdict.sample.face].append(verdict)
    rows = [row(face, group) for face, group in groups.items() if any(v.kind != "exact" for v in group)]
    return sorted(rows, key=lambda r: (-r.boards * (100 - r.exact), r.name))[:most]
