"""Reads a person's input: puzzle files, sizes, limits. Knows no game."""

from __future__ import annotations

import codecs
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from autoplayer.core.errors import NotFoundError, PuzzleError, UsageError, cause

MAX_BYTES = 16_000_000
"""The largest text file that is read: far larger than any pack of levels. Split into words it takes thirty times as
much memory."""

PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM")
"""What the files of pictures begin with: PNG, JPEG, GIF, WebP and BMP."""

CHUNK = 1_000_000
"""The most bytes that are read from the standard input at once."""


@dataclass(frozen=True)
class Block:
    """The text of one puzzle: its name, its file, and the number of lines before it in the file."""

    name: str
    file: str
    text: str
    line: int

    def sentence(self, error: PuzzleError) -> str:
        """What is wrong with the puzzle and where in the file, with rows and columns counted from 1."""
        place = f", row {error.row + self.line}" if error.row else f", row {self.line + 1}"
        if error.column:
            place += f", column {error.column}"
        return f"{self.file}{place}: {error.message}"


def check_files(files: Sequence[str]) -> None:
    """Raises NotFoundError for the first of ``files`` that does not exist; ``-`` is the standard input."""
    for name in files:
        if not name:
            raise NotFoundError("expected the name of a file, but it is empty")
        if name != "-" and not Path(name).exists():
            raise NotFoundError(f"{name}: there is no such file")


def read_text(name: str, whole: Callable[[str], bool] | None = None) -> str:
    """The text of a file, or of the standard input where ``name`` is ``-``. Raises UsageError where it is no text.

    ``whole`` tells whether the part of the standard input that has come so far is complete: the writer may leave it
    open.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1) if whole is None else _until(whole)
        else:
            if Path(name).is_dir():
                raise UsageError(f"{name}: expected a text file, but this is a folder")
            with open(name, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{shown(name)}: cannot be read: {cause(error)}") from error
    if len(data) > MAX_BYTES:
        raise UsageError(f"{shown(name)}: expected a text of at most {MAX_BYTES // 1_000_000} MB, but it is longer")
    if data.startswith(PICTURES):
        raise UsageError(f"{shown(name)}: expected a text, but this is a picture: `autoplayer read` reads pictures")
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))  # what Windows PowerShell writes with `>`
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        said = f"expected a text in UTF-{16 if wide else 8}, but byte {error.start + 1} does not belong to one"
        raise UsageError(f"{shown(name)}: {said}") from error
    if "\x00" in text:
        raise UsageError(f"{shown(name)}: expected a text, but found a zero byte at character {text.index(chr(0)) + 1}")
    return text


def _until(whole: Callable[[str], bool]) -> bytes:
    """The standard input up to where it is ``whole``, or to its end. Bytes that arrive together with the last needed
    ones are kept as well, so that surplus rows can be reported."""
    data, stream = bytearray(), cast(io.BufferedReader, sys.stdin.buffer)
    while len(data) <= MAX_BYTES and (more := stream.read1(CHUNK)):
        data += more
        if whole(data.decode("utf-8-sig", errors="ignore")):
            break
    return bytes(data)


def shown(name: str) -> str:
    """The name of a file in messages."""
    return "standard input" if name == "-" else name


def blocks(name: str) -> Iterator[Block]:
    """The puzzles in a file, separated by blank lines; a line ``# name`` before one names it. A name that stands alone
    between blank lines belongs to the next puzzle. A puzzle without a name gets that of its file.

    Raises UsageError where the file is no text or contains no puzzle.
    """
    lines = re.split(r"\r\n|\r|\n", read_text(name))
    stem = "standard input" if name == "-" else Path(name).stem
    pending, number, at = "", 0, 0
    while at < len(lines):
        line = lines[at].strip()
        if not line:
            at += 1
        elif line.startswith("#"):
            pending, at = line.lstrip("#").strip(), at + 1
        else:
            end = at
            while end < len(lines) and lines[end].strip():
                end += 1
            number += 1
            default = stem if number == 1 else f"{stem} {number}"
            yield Block(pending or default, shown(name), "\n".join(lines[at:end]), at)
            pending, at = "", end
    if not number:
        raise UsageError(f"{shown(name)}: expected at least one puzzle, but there is none in it")


def size(text: str) -> tuple[int, int]:
    """``(rows, columns)`` from ``WxH``, columns first as in a window's size. Raises UsageError."""
    match = re.fullmatch(r"(\d{1,4})[xX×](\d{1,4})", text.strip())
    if not match or "0" in (match[1].lstrip("0") or "0", match[2].lstrip("0") or "0"):
        raise UsageError(f"--size: expected columns x rows such as 7x7, but found '{text[:40]}'")
    return int(match[2]), int(match[1])


def seconds(value: float, option: str) -> float:
    """``value`` if it is a number of seconds above 0. Raises UsageError naming the option."""
    if not 0 < value < 1e9:
        raise UsageError(f"{option}: expected a number of seconds above 0, but found {value:g}")
    return value
