"""Loads recordings from disk and validates them: they may come from a stranger."""

from __future__ import annotations

import json
import os
import re
import stat
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from pydantic import ValidationError

from autoplayer.core.errors import NotFoundError, UsageError, cause
from autoplayer.core.frame import Image, Json
from autoplayer.screen.recording.lines import LINES, Step, read_head, read_step

MOST_PIXELS = 34_000_000
"""Larger frames are not decoded: no window is that large, but the header of a hostile file may claim it."""
MOST_LINE = 2_000_000
"""The most bytes of a line."""
MOST_BYTES, MOST_VALUES, DEEPEST = 100_000_000, 4_000_000, 50
"""The most bytes and JSON values of all lines together, and the deepest nesting of values: a thousand levels have a
tenth of that, and larger files may be meant to exhaust a machine's memory."""
MOST_FRAME = 200_000_000
"""The most bytes of a frame's file: more than the largest picture has uncompressed."""


@dataclass(frozen=True)
class Recording:
    """A recorded session: its folder, the window's title, facts about the session, and its steps in order."""

    folder: Path
    title: str
    steps: tuple[Step, ...]
    facts: Mapping[str, Json] = field(default_factory=dict)

    @property
    def limit(self) -> int | None:
        """The size limit in bytes at which it was cut short: what happened afterwards is not in it. None where it is
        complete."""
        return next((step.bytes for step in reversed(self.steps) if step.kind == "limit"), None)

    def image(self, step: Step) -> Image:
        """The frame of a ``grab`` or ``still``. Raises NotFoundError where its file is missing, UsageError where it is
        not a picture; both name the line."""
        return load_png(self.folder, step)


def load_recording(folder: Path | str) -> Recording:
    """The recording in ``folder``, every line checked (pictures are read when they are asked for).

    Raises NotFoundError where there is none, UsageError with file and line where it is not what it should be.
    """
    folder = Path(folder)
    path = folder / LINES
    title, facts, values, number = "", {}, 0, 0
    steps: list[Step] = []
    for number, line in enumerate(_lines(path), 1):
        try:
            if len(line) > MOST_LINE:
                raise ValueError(f"the line has more than {MOST_LINE} bytes, which is the most")
            values += 1 + sum(map(line.count, (b",", b"[", b"{")))
            if values > MOST_VALUES:
                raise ValueError(f"the lines up to here hold more than {MOST_VALUES} values, which is the most")
            data = json.loads(line)
            if line.count(b"[") + line.count(b"{") > DEEPEST and _deep(data):
                raise ValueError(f"the values in it are more than {DEEPEST} deep inside one another")
            if number == 1:
                first = read_head(data)
                title, facts = first.title, first.facts
            else:
                steps.append(read_step(number, data))
        except ValidationError as fault:
            wrong = fault.errors()[0]
            place = ".".join(str(part) for part in wrong["loc"])
            found = repr(wrong["input"])
            found = found if len(found) <= 60 else found[:57] + "…"
            raise UsageError(f"{path}:{number}: {place or 'the line'}: {wrong['msg']}; found {found}.") from None
        except (ValueError, RecursionError) as fault:
            text = str(fault) or type(fault).__name__
            raise UsageError(f"{path}:{number}: a JSON object was expected: {text}.") from None
    if not number:
        raise UsageError(f"{path}: the file is empty; a recording begins with a line of kind 'session'.")
    return Recording(folder, title, tuple(steps), facts)


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a recording; a line that is too long is cut off one byte after ``MOST_LINE``. Raises as
    :func:`load_recording`."""
    if not path.parent.is_dir() or not os.path.lexists(path):
        raise NotFoundError(f"There is no recording in {str(path.parent)!r}: {LINES} is missing.")
    try:
        _check_file(path, MOST_BYTES, str(path))
        with open(path, "rb") as file:
            while line := file.readline(MOST_LINE + 2):
                yield line.removesuffix(b"\n")
    except OSError as fault:
        raise NotFoundError(f"The recording {str(path)!r} cannot be read: {cause(fault)}.") from None


def _check_file(path: Path, most: int, where: str) -> None:
    """Raises UsageError where ``path`` is not a file of at most ``most`` bytes in its own folder: a name may be a link
    that leads elsewhere, or a pipe that never ends. ``where`` begins the message. Raises OSError where it does not
    exist."""
    if os.path.dirname(os.path.realpath(path)) != os.path.realpath(path.parent):
        raise UsageError(f"{where}: {path.name!r} lies outside the recording's folder.")
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise UsageError(f"{where}: {path.name!r} is not a file.")
    if status.st_size > most:
        raise UsageError(f"{where}: {path.name!r} has {status.st_size} bytes, and {most} is the most.")


def _deep(data: Json) -> bool:
    """Whether values are nested deeper than ``DEEPEST``."""
    level = [data]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return bool(level)


def load_png(folder: Path, step: Step) -> Image:
    """The frame that a step names. Raises as :meth:`Recording.image`."""
    where = f"{folder / LINES}:{step.line}"
    if step.frame is None or not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*\.png", step.frame):
        raise UsageError(f"{where}: a frame's file name was expected, not {step.frame!r}.")
    path = folder / step.frame
    try:
        _check_file(path, MOST_FRAME, where)
        raw = path.read_bytes()
    except FileNotFoundError:
        raise NotFoundError(f"{where}: the frame {step.frame!r} is missing.") from None
    except OSError as fault:
        raise NotFoundError(f"{where}: the frame {step.frame!r} cannot be read: {cause(fault)}.") from None
    # The size is in the first chunk: a picture that only claims to be huge must not be decompressed.
    if len(raw) < 33 or raw[:8] != b"\x89PNG\r\n\x1a\n" or raw[12:16] != b"IHDR":
        raise UsageError(f"{where}: the frame {step.frame!r} is not a PNG picture.")
    width, height = struct.unpack(">II", raw[16:24])
    if not 0 < width * height <= MOST_PIXELS:
        raise UsageError(
            f"{where}: the frame {step.frame!r} says that it is {width}x{height} pixels, which no window is."
        )
    try:
        image = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None or image.shape[:2] != (height, width):
        raise UsageError(f"{where}: the frame {step.frame!r} is a broken PNG picture.")
    return np.asarray(image, dtype=np.uint8)
