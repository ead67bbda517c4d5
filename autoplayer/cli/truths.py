"""Pictures with their truth beside them: ``NAME.png``, ``NAME.txt``. Finds, reads and compares them; prints nothing.

A truth is a puzzle in its game's text format, as it was before play began; lines that begin with ``#`` are comments.
Three of them have a meaning: ``# game: NAME`` names the game, ``# layout: NAME`` the layout profile of its window (or
``# layout: FILE.toml`` one that lies beside the picture), and ``# unchecked`` says that nobody has compared the text
with the picture yet.
"""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from autoplayer import games, layout, which
from autoplayer.cli import input, pictures
from autoplayer.core.errors import AutoplayerError, PuzzleError, UnreadableError, UsageError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.text import tokens

if TYPE_CHECKING:
    from autoplayer.games.base import Doubt, Game, Spot

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")
GAME, LAYOUT, UNCHECKED = "game:", "layout:", "unchecked"
"""The beginnings of comments that have a meaning."""

NOTHING = "."
"""The token of a hole, and of water."""

MOST_NOTED = 1_000_000
"""The most characters of a puzzle's text in a recording; a longer one is not a board of a window."""

MOST_PAIRS = 250_000
"""The most pairs of lines that are matched; larger boards, with far more rows than any window shows, are compared by
position."""

PAIRED = 0.01
"""The score of matching two rows that have nothing in common: less than that of any equal cell."""

TRIED_LIMIT = 2.0
"""Seconds for settling a reading of a picture that may show another game."""

Kind = Literal["exact", "doubtful", "wrong", "unreadable", "invalid"]
KINDS: tuple[Kind, ...] = ("wrong", "unreadable", "doubtful", "invalid", "exact")
"""The worst first: a board that would be played wrongly without any warning, one that is not found, one about which a
person is asked, one that cannot be compared."""


@dataclass(frozen=True)
class Truth:
    """The content of ``NAME.txt``. ``game``, ``layout``: the names in its comments, or None."""

    text: str
    game: str | None = None
    checked: bool = True
    layout: str | None = None


@dataclass(frozen=True)
class Difference:
    """A cell of the truth that was read as something else. None where there is no such cell: it was not seen, or it was
    seen where there is none. ``place``: its box in the picture, window pixels, where that is known."""

    cell: Cell
    truth: str | None
    read: str | None
    place: Box | None = None

    def __str__(self) -> str:
        if self.read is None:
            return f"cell {self.cell} is {self.truth}, and was not seen"
        if self.truth is None:
            return f"a cell {self.cell} with {self.read} was seen, and there is none"
        return f"cell {self.cell} is {self.truth}, and was read as {self.read}"


@dataclass(frozen=True)
class Judged:
    """The result for one picture. ``named``: how its game was determined. ``why``: what is wrong, in a sentence; empty
    where nothing is."""

    picture: str
    kind: Kind
    why: str = ""
    game: str | None = None
    named: Literal["option", "text", "folder", "tried"] | None = None
    checked: bool = True
    truth: str | None = None
    read: str | None = None
    cells: int = 0
    differences: tuple[Difference, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    changed: Mapping[Spot, str] = field(default_factory=dict)
    places: Mapping[Cell, Box] = field(default_factory=dict)
    confidence: float = 0.0
    seconds: float = 0.0
    code: int = 0
    """The resulting exit code."""

    @property
    def folder(self) -> str:
        return str(Path(self.picture).parent)

    @property
    def badness(self) -> tuple[int, float, str]:
        """Sorts the worst first: by kind, then by the share of cells that differ."""
        return KINDS.index(self.kind), -len(self.differences) / max(self.cells, 1), self.picture


# Finding


def truth_of(picture: Path) -> Path:
    """The file of a picture's truth, whether or not it is there. Its ending may be in capitals."""
    capitals = picture.with_suffix(".TXT")
    plain = picture.with_suffix(".txt")
    return capitals if capitals.is_file() and not plain.is_file() else plain


def find(folder: Path, apart: str) -> Iterator[Path]:
    """The pictures in ``folder`` and its subfolders, and the folders that contain a file called ``apart`` (which are
    not searched), in alphabetical order. Hidden files and folders are left out."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if apart in files:
            folders.clear()
            yield Path(place)
            continue
        for name in sorted(files):
            if Path(name).suffix.lower() in PICTURES and not name.startswith("."):
                yield Path(place) / name


def load(path: Path) -> Truth:
    """The truth in a file. Raises UsageError where it is no text or does not hold exactly one puzzle."""
    rows: list[str] = []
    said: dict[str, str] = {}
    checked = True
    for line in input.read_text(str(path)).splitlines():
        if not line.lstrip().startswith("#"):
            rows.append(line.rstrip())
            continue
        comment = line.lstrip().lstrip("#").strip()
        said |= {key: comment[len(key) :].strip() for key in (GAME, LAYOUT) if comment.lower().startswith(key)}
        checked = checked and not comment.lower().startswith(UNCHECKED)
    text = "\n".join(rows).strip("\n")
    if not text.strip():
        raise UsageError(f"{path}: expected a puzzle's text, but there is none in it")
    if "" in map(str.strip, text.split("\n")):
        raise UsageError(
            f"{path}: expected the text of one puzzle, but a blank line divides it, as it does two puzzles"
        )
    return Truth(text, said.get(GAME), checked, said.get(LAYOUT))


def unchecked(game: Game[Any, Any], puzzle: str, doubt: str = "", profile: str | None = None) -> str:
    """The text of a truth that is only a reading. ``doubt``: the reason to doubt it, in a sentence; ``profile``: the
    layout with which it was read."""
    lines = [
        f"# {GAME} {game.name}",
        *([f"# {LAYOUT} {profile}"] if profile else []),
        f"# {UNCHECKED}: this is what autoplayer read. Compare it with the picture by eye, then delete this line.",
    ]
    return "\n".join([*lines, *([f"# in doubt: {doubt}"] if doubt else []), puzzle, ""])


# Judging


def judge(picture: Path, root: Path, option: str | None, known: layout.Layout | None) -> tuple[Judged, Image | None]:
    """Read ``picture`` and compare it with the truth beside it; returns the result, and the picture itself, if it is
    one. ``root``: the folder in which it was found; ``option``, ``known``: the game and the layout that the person
    named."""
    name = str(picture)
    image = None
    try:
        truth = load(truth_of(picture))
        image = pictures.load(name)
        game, named, seen = _game(picture, root, option, truth, image)
        if known is None and truth.layout is not None:
            known = layout.load(_profile(picture, truth.layout), game.name)
        try:
            text = game.format(game.parse(truth.text))
        except PuzzleError as error:
            place = f", row {error.row} of the board" if error.row else ""
            raise UsageError(f"{truth_of(picture)}{place}: {error.message}") from None
    except AutoplayerError as error:
        return Judged(name, "invalid", str(error), code=error.exit_code), image
    if seen is None or known is not None:
        seen = which.look(game, image, known or layout.Layout(game=game.name))
    return _compared(name, game, named, truth, text, seen), image


def _profile(picture: Path, said: str) -> str:
    """The layout that a truth names, as :func:`layout.load` takes it. The text may come from a stranger, so its path
    must not lead out of the picture's folder. Raises UsageError."""
    if not said.endswith(".toml") and not {"/", "\\", os.sep} & set(said):
        return said
    beside = picture.parent / said
    inside = os.path.dirname(os.path.realpath(beside)) == os.path.realpath(picture.parent)
    if not (inside and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}", said)):
        raise UsageError(
            f"{truth_of(picture)}: expected the name of a layout, or of a file beside the picture, but found "
            f"{said[:80]!r}; with --layout any file can be named"
        )
    return str(beside)


def _game(
    picture: Path, root: Path, option: str | None, truth: Truth, image: Image
) -> tuple[Game[Any, Any], Literal["option", "text", "folder", "tried"], which.Seen[Any, Any] | None]:
    """The picture's game, how it was determined, and what it sees where that was needed. Raises UsageError."""
    if option is not None:
        return games.load(option), "option", None
    if truth.game is not None:
        try:
            return games.load(truth.game), "text", None
        except UsageError as error:
            raise UsageError(f"{truth_of(picture)}: {error}") from None
    known = games.names()
    whole = picture.resolve().parent
    for folder in (whole, *whole.parents):
        if folder.name in known:
            return games.load(folder.name), "folder", None
        if folder == root.resolve():
            break
    fitting = [each for each in which.candidates() if _fits(each[0], truth.text)]
    if len(fitting) == 1:
        return fitting[0][0], "tried", None
    ask = "name it with --game, or with a line such as '# game: hashi' in the text"
    if not fitting:
        raise UsageError(f"{truth_of(picture)}: expected the text of a puzzle, but no game's format fits it; {ask}")
    looks = [which.look(each, image, known, time_limit=TRIED_LIMIT) for each, known in fitting]
    agreeing = [
        seen for seen in looks if seen.settled and not compare(truth.text, seen.game.format(seen.settled.puzzle), {})
    ]
    if len(agreeing) == 1:
        return agreeing[0].game, "tried", agreeing[0]
    choice = which.choose([image], fitting)
    if choice.game is None:
        titles = " and ".join(each.title for each, _ in fitting)
        raise UsageError(f"{picture}: the text fits {titles}, and the picture does not tell which; {ask}")
    return choice.game, "tried", choice.seen[0]


def _fits(game: Game[Any, Any], text: str) -> bool:
    try:
        game.parse(text)
    except PuzzleError:
        return False
    return True


def _compared(
    picture: str,
    game: Game[Any, Any],
    named: Literal["option", "text", "folder", "tried"],
    truth: Truth,
    text: str,
    seen: which.Seen[Any, Any],
) -> Judged:
    cells = sum(token != NOTHING for token in tokens(text).values())
    if seen.reading is None or seen.settled is None:
        return Judged(
            picture, "unreadable", seen.reason, game.name, named, truth.checked, text, cells=cells,
            seconds=seen.seconds, code=1,
        )  # fmt: skip
    read = game.format(seen.settled.puzzle)
    differences = compare(text, read, seen.reading.places)
    kind: Kind = "doubtful" if seen.status == "doubtful" else "wrong" if differences else "exact"
    return Judged(
        picture, kind, "" if kind == "exact" else _why(kind, differences, cells, seen), game.name, named, truth.checked,
        text, read, cells, differences, seen.settled.doubts, seen.settled.changed, seen.reading.places,
        seen.settled.confidence, seen.seconds, int(kind != "exact"),
    )  # fmt: skip


MOSTLY, FEW = 0.6, 6
"""Where at least this share of a board's cells differs, and at least this many, the truth is probably another
board's."""


def _why(kind: Kind, differences: Sequence[Difference], cells: int, seen: which.Seen[Any, Any]) -> str:
    cells += sum(each.truth is None for each in differences)  # cells that were seen, but are not in the truth
    count = f"{len(differences)} of {cells} cells {'differs' if len(differences) == 1 else 'differ'}"
    if len(differences) >= max(MOSTLY * cells, FEW):
        count += " (the truth may be of another picture)"
    if kind == "wrong":
        return f"{count}, and the reader had no doubt"
    return f"{count if differences else 'the best guess is right'}; {seen.reason}"


def noted(
    picture: str, game: Game[Any, Any], known: layout.Layout, image: Image, note: Mapping[str, Any], why: str
) -> Judged:
    """A recorded frame that is now read differently, as a picture whose truth is the record."""
    truth = note.get("puzzle")
    text = truth if isinstance(truth, str) and len(truth) <= MOST_NOTED else None
    try:
        reading = game.read(image, known)
    except UnreadableError:
        return Judged(picture, "unreadable", why, game.name, truth=text)
    read, places = game.format(reading.puzzle), reading.places
    differences = compare(text, read, places) if text else ()
    cells = sum(token != NOTHING for token in tokens(text or read).values())
    return Judged(
        picture, "wrong", why, game.name, None, True, text, read, cells, differences, reading.doubts,
        places=places, confidence=reading.confidence,
    )  # fmt: skip


# Comparing


def compare(truth: str, read: str, places: Mapping[Cell, Box]) -> tuple[Difference, ...]:
    """The differences between two texts of one game's boards, row by row. ``places``: the box of each cell that was
    read.

    Empty rows and columns are left out of both: they only show where a grid is drawn, and change nothing. Where the
    boards do not have the same cells, or hardly one agrees, rows and columns are aligned by their content, so that one
    that was missed, or one too many, does not make all the others differ.

    >>> [str(each) for each in compare("1 2\\n3 4", "1 2\\n8 4", {})]
    ['cell (1, 0) is 3, and was read as 8']
    """
    true, said = _held(truth), _held(read)
    found = _laid_over(true, said, places)
    if tokens(truth).keys() == tokens(read).keys():
        cell_by_cell = [
            Difference(cell, true.get(cell), said.get(cell), places.get(cell) or _crossing(cell, said, places))
            for cell in {*true, *said}
            if true.get(cell) != said.get(cell)
        ]
        if len(cell_by_cell) <= 2 * len(found):
            found = cell_by_cell
    return tuple(sorted(found, key=lambda each: each.cell))


def _laid_over(true: Mapping[Cell, str], said: Mapping[Cell, str], places: Mapping[Cell, Box]) -> list[Difference]:
    """The differences of two boards whose rows and columns are aligned by their content."""
    by_row, read_by_row = _lines(true, 0), _lines(said, 0)
    rows = _matched(by_row, read_by_row, lambda one, other: (Counter(one.values()) & Counter(other.values())).total())
    columns = _matched(
        _lines(true, 1),
        _lines(said, 1),
        lambda one, other: sum(r in rows and other.get(rows[r]) == token for r, token in one.items()),
    )
    seen = {(r, c): (rows[r], columns[c]) for r, c in itertools.product(rows, columns)}
    found = [
        Difference(cell, true.get(cell), said.get(there), places.get(there) or _crossing(there, said, places))
        for cell, there in seen.items()
        if true.get(cell) != said.get(there)
    ]
    found += [Difference(cell, token, None) for cell, token in true.items() if cell not in seen]
    matched = set(seen.values())
    found += [Difference(at, None, token, places.get(at)) for at, token in said.items() if at not in matched]
    return found


def _held(text: str) -> dict[Cell, str]:
    return {cell: token for cell, token in tokens(text).items() if token != NOTHING}


_Line = dict[int, str]
"""The tokens of a row by column, or of a column by row."""


def _lines(cells: Mapping[Cell, str], axis: Literal[0, 1]) -> dict[int, _Line]:
    """The rows (axis 0) or columns (axis 1) that are not empty, in order."""
    lines: dict[int, _Line] = {}
    for cell, token in sorted(cells.items(), key=lambda item: item[0][axis]):
        lines.setdefault(cell[axis], {})[cell[1 - axis]] = token
    return lines


def _matched(
    one: Mapping[int, _Line], other: Mapping[int, _Line], alike: Callable[[_Line, _Line], int]
) -> dict[int, int]:
    """The alignment of the lines of ``one`` with those of ``other``, in order, with the largest total similarity
    (Needleman and Wunsch, 1970, with free gaps). Lines that have nothing in common are matched where that costs no
    similarity."""
    ours, theirs = list(one), list(other)
    if len(ours) * len(theirs) > MOST_PAIRS:
        return dict(zip(ours, theirs, strict=False))
    best = np.zeros((len(ours) + 1, len(theirs) + 1))
    likeness = np.array([[alike(one[a], other[b]) + PAIRED for b in theirs] for a in ours])
    for i, j in itertools.product(range(len(ours)), range(len(theirs))):
        best[i + 1, j + 1] = max(best[i, j] + likeness[i, j], best[i, j + 1], best[i + 1, j])
    pairs: dict[int, int] = {}
    i, j = len(ours), len(theirs)
    while i and j:
        if best[i, j] == best[i - 1, j - 1] + likeness[i - 1, j - 1]:
            i, j = i - 1, j - 1
            pairs[ours[i]] = theirs[j]
        elif best[i, j] == best[i - 1, j]:
            i -= 1
        else:
            j -= 1
    return dict(sorted(pairs.items()))


def _crossing(cell: Cell, said: Mapping[Cell, str], places: Mapping[Cell, Box]) -> Box | None:
    """The box in which a cell that was missed must be: in the column and row of others that were seen."""
    beside = next((places[at] for at in said if at[0] == cell[0] and at in places), None)
    above = next((places[at] for at in said if at[1] == cell[1] and at in places), None)
    return Box(above.x, beside.y, above.width, beside.height) if beside and above else None
