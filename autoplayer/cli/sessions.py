"""Shared by the commands that run a session: the notes in a recording, and progress messages for a person."""

from __future__ import annotations

import ctypes
import re
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from autoplayer.core.errors import UnreadableError, UsageError
from autoplayer.core.frame import Image, Json

if TYPE_CHECKING:
    from pathlib import Path

    from autoplayer.games.base import Game
    from autoplayer.layout import Layout
    from autoplayer.screen.recording import Recorder
    from autoplayer.session import Event, Listener

SEEN = "seen"
"""The note that contains the reading of a recorded frame by itself."""

NOTED_WITHIN = 5.0
"""Seconds for these notes: a whole night's recording has thousands of frames, and somebody waits for their terminal."""

UNITS = {"kb": 10**3, "mb": 10**6, "gb": 10**9}


class Notebook(Protocol):
    """A recorder, or a recording that compares."""

    def note(self, name: str, data: Json) -> None: ...


def size(text: str, option: str) -> int | None:
    """The bytes of a size such as ``500MB`` or ``2 GB``; None for ``none``. Raises UsageError for anything else, and
    for a size too small for a recording."""
    from autoplayer.screen.recording import LEAST_LIMIT

    if text.strip().lower() == "none":
        return None
    match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,3})?)\s*(kb|mb|gb)\s*", text, re.IGNORECASE | re.ASCII)
    bytes_ = round(float(match[1]) * UNITS[match[2].lower()]) if match else 0
    if bytes_ < LEAST_LIMIT:
        raise UsageError(f"{option}: expected a size of 1MB or more, such as 500MB or 2GB, or none, not {text[:20]!r}")
    return bytes_


def said_size(number: int) -> str:
    """A number of bytes in words."""
    unit = next(name for name in ("gb", "mb", "kb") if number >= UNITS[name] or name == "kb")
    return f"{number / UNITS[unit]:.3g} {'kB' if unit == 'kb' else unit.upper()}"


class Pictures:
    """The pictures that the layout ``known`` needs, to be stored in the recording ``folder``: another machine may not
    have that layout. ``size``: their bytes; nothing is stored if they take more than a quarter of ``limit`` bytes."""

    def __init__(self, known: Layout, folder: Path, limit: int | None) -> None:
        from autoplayer import layout

        self._from = layout.templates_folder(known.templates) if known.templates is not None else None
        self._to = folder / "templates" / (known.templates or "")
        self._files = sorted(self._from.rglob("*.png")) if self._from is not None and self._from.is_dir() else []
        self.size = sum(path.stat().st_size for path in self._files)
        if limit is not None and 4 * self.size > limit:
            self._files, self.size = [], 0

    def keep(self) -> None:
        """Write them, once the recording exists."""
        for path in self._files:
            assert self._from is not None
            copy = self._to / path.relative_to(self._from)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())


def notes(game: Game[Any, Any], book: Notebook) -> Listener:
    """A listener that notes every decision of a session: readings, solutions, each move and its effect. Values that
    differ from machine to machine (times, the last digits of probabilities) are left out."""

    def listen(event: Event) -> None:
        data = event.data
        if event.kind == "read":
            settled = data["settled"]
            book.note(
                "read",
                {
                    "level": event.level,
                    "puzzle": game.format(settled.puzzle),
                    "changed": {str(cell): token for cell, token in settled.changed.items()},
                    "solution": game.solution_to_json(data["solution"]),
                },
            )
        elif event.kind == "moved":
            progress = data["progress"]
            book.note(
                "moved",
                {
                    "move": data["move"].name,
                    "present": progress.present,
                    "done": progress.done,
                    "total": progress.total,
                    "wrong": progress.wrong,
                },
            )
        elif event.kind == "result":
            result = data["result"]
            book.note("result", {"level": event.level, "status": result.status, "error": result.error})

    return listen


def look(game: Game[Any, Any], layout: Layout, image: Image) -> dict[str, Json]:
    """The reading of a frame by itself, without the rules: the puzzle's text, or why there is none."""
    try:
        reading = game.read(image, layout)
    except UnreadableError as error:
        return {"puzzle": None, "unreadable": str(error)}
    return {"puzzle": game.format(reading.puzzle), "unreadable": None}


def note_frames(game: Game[Any, Any], layout: Layout, recorder: Recorder) -> None:
    """At the end of a recording, add the reading of each frame by itself, so that a replay can name the frame and the
    cell that differ. Not done during play, which it would slow down; for as many frames as ``NOTED_WITHIN`` allows,
    spread over the whole recording."""
    names = recorder.frames()
    end = time.perf_counter() + NOTED_WITHIN
    seen: dict[str, dict[str, Json]] = {}
    for n in spread(len(names)):
        if seen and time.perf_counter() >= end:
            break
        seen[names[n]] = look(game, layout, recorder.image(names[n]))
    for name in names:
        if name in seen:
            recorder.note(SEEN, {"frame": name, **seen[name]}, closing=True)


def spread(count: int) -> list[int]:
    """The numbers below ``count`` in an order of which every prefix is evenly distributed: sorted by their reversed
    bits (van der Corput)."""
    bits = max(count - 1, 1).bit_length()
    return sorted(range(count), key=lambda n: int(f"{n:0{bits}b}"[::-1], 2))


def give_back() -> None:
    """Return free memory to the system. The C library of Linux keeps memory that a level needed for a moment, so that a
    process that plays for a whole night would stay at its peak size."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # other C libraries may lack it
            ctypes.CDLL(None).malloc_trim(0)
