"""Writes results: JSON lines, pictures and files (atomically), and lines of text in columns."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autoplayer.core.errors import MachineError, NotFoundError, UsageError, cause

if TYPE_CHECKING:
    from autoplayer.core.frame import Image, Json
    from autoplayer.games.base import Doubt


def line(data: Json) -> None:
    """Print one JSON object on a line of its own, at once."""
    text = json.dumps(data, ensure_ascii=False)
    print("".join(ch if ch.isprintable() else json.dumps(ch)[1:-1] for ch in text), flush=True)


def plain(text: object) -> str:
    """``text`` without characters that control a terminal: a file from a stranger may contain some that move the
    cursor, change colours or reverse the direction of the text."""
    return "".join(ch if ch.isprintable() or ch == "\n" else "?" for ch in str(text))


def doubts(found: Iterable[Doubt]) -> Json:
    """Doubts as they appear in a JSON result."""
    return [
        {
            "cells": [list(cell) for cell in doubt.cells],
            "candidates": [[token, round(p, 4)] for token, p in doubt.candidates],
        }
        for doubt in found
    ]


def columns(rows: Sequence[Sequence[str]], head: Sequence[str] = ()) -> None:
    """Print ``rows`` with their columns aligned, under ``head``; on a terminal as a table that fits it."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table(*head, box=None, show_header=bool(head), pad_edge=False)
        for row in rows:
            table.add_row(*map(plain, row))
        Console(markup=False, highlight=False).print(table)
        return
    rows = [tuple(map(plain, row)) for row in ([head, *rows] if head else rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def check_writable(path: Path, suffixes: Sequence[str] = ()) -> None:
    """Check before the work is done whether a file can be written at ``path``. Raises UsageError or NotFoundError."""
    if suffixes and path.suffix.lower() not in suffixes:
        raise UsageError(f"{path}: expected a file name ending in {' or '.join(suffixes)}")
    if path.is_dir():
        raise UsageError(f"{path}: expected the name of a file to write, but this is a folder")
    if not path.parent.is_dir():
        raise NotFoundError(f"{path}: there is no folder '{path.parent}' to write into")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path}: the folder '{path.parent}' cannot be written to")


def folder(path: Path) -> Path:
    """``path``, created if necessary. Raises UsageError where it is not a folder, or cannot be written to."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UsageError(f"{path}: expected a folder, but this is a file") from None
    except OSError as error:
        raise UsageError(f"{path}: the folder cannot be made: {cause(error)}") from None
    if not os.access(path, os.W_OK):
        raise UsageError(f"{path}: this folder cannot be written to")
    return path


def write(path: Path, data: bytes, *, new: bool = False) -> None:
    """Write a file atomically; if it is to be ``new``, never over an existing one. Raises UsageError where that is
    impossible, MachineError where the disk is full."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=".part", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o644)
            if new:
                _name_new(name, path)
            else:
                os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        kind = MachineError if error.errno in (errno.ENOSPC, errno.EDQUOT) else UsageError
        raise kind(f"{path}: cannot be written: {cause(error)}") from error


def _name_new(name: str, path: Path) -> None:
    """Rename the file ``name`` to ``path``, which must not exist. Raises FileExistsError."""
    try:
        os.link(name, path)  # unlike renaming, this fails where the target exists
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(errno.EEXIST, "there is a file of this name already") from None
        os.replace(name, path)
    else:
        os.unlink(name)


def picture(path: Path, image: Image) -> None:
    """Write a picture as PNG; as :func:`write`."""
    write(path, png(image))


def png(image: Image) -> bytes:
    """A picture as the bytes of a PNG file."""
    import cv2

    _, data = cv2.imencode(".png", image)
    return data.tobytes()


def numbered(path: Path, number: int) -> Path:
    """``path`` for the first of several pictures, then with ``-2``, ``-3``… before its suffix."""
    return path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
