"""Level files: several puzzles in one text, a blank line between them, ``# name`` before one to name it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from autoplayer.core.errors import NotFoundError, PuzzleError, UsageError, cause

P = TypeVar("P")

MOST_BYTES = 4_000_000
"""A larger file is no level file: refused before it is read into memory."""


@dataclass(frozen=True)
class Level(Generic[P]):
    """One puzzle with its name (its number in the file, where it has none)."""

    name: str
    puzzle: P


def blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """The puzzles of a file as ``(row of the first line, name or "", text)``; rows count from 1.

    A comment names the puzzle that follows it at once; one that stands alone is only a comment.
    """
    name, first, lines = "", 0, list[str]()
    for number, line in enumerate([*text.splitlines(), ""], 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            first = first or number
            lines.append(line)
            continue
        if lines:
            yield first, name, "\n".join(lines)
            name, first, lines = "", 0, []
        name = stripped.lstrip("#").strip()


def load(path: Path, parse: Callable[[str], P]) -> list[Level[P]]:
    """All levels of a file, in order.

    Raises NotFoundError where there is no such file, UsageError with file, row and column where it is no level file.
    """
    try:
        if not path.is_file():
            raise NotFoundError(f"there is no level file {path}; give a file of puzzles to --levels")
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path} is too large for a level file: more than {MOST_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise NotFoundError(f"the level file {path} cannot be read: {cause(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text file: expected puzzles, but byte {error.start + 1} is no UTF-8") from error
    levels: list[Level[P]] = []
    for first, name, block in blocks(text):
        try:
            levels.append(Level(name or str(len(levels) + 1), parse(block)))
        except PuzzleError as error:
            place = f"row {first + max(error.row - 1, 0)}" + (f", column {error.column}" if error.column else "")
            raise UsageError(f"{path}, {place}: {error.message}") from error
    if not levels:
        raise UsageError(f"{path} holds no puzzle; expected rows of a board")
    return levels
