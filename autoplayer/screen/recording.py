"""Recordings: a folder with ``session.jsonl`` and the frames as PNG. A recorder is a screen that writes down what
passes through it; a recording is a screen that shows it again, and notes where the session now acts differently.

One JSON object a line. The first is ``{"kind": "session", "version": 1, "title": …}``; every further one has ``kind``,
``start`` and ``end`` (when the call began and returned, on the screen's clock) and ``clock`` (the times that the
session was told between the line before and this one), and

- ``grab``, ``still``: ``frame`` (a file in the folder), ``origin``, ``time``; where the call failed, ``error`` instead
- ``glance``: as ``grab``, but without a ``frame`` where the picture was not kept: of those that follow one another
  quickly a few are
- ``perform``: ``gestures``, ``pace``; ``error`` where it failed
- ``held``: ``keys``, those that are held from now on; ``error`` where it failed
- ``park``: ``at``; ``error`` where it failed
- ``over``: ``what``: what lay over the board when the session asked, for the ``ask``-th time since the call before;
  where nothing did, there is no line
- ``note``: ``name``, ``data``: what the session read, solved and decided
- ``limit``: ``bytes``: the recording had reached the size that it may have, and nothing that happened from here on was
  kept; only notes on the frames before it follow
- ``end``: the recording was closed, not cut off; ``clock`` only

A frame's file is complete before the line that names it is written, and a line is written whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import stat
import struct
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict, FailFast, Field, StringConstraints, TypeAdapter, ValidationError

from autoplayer.core.errors import AutoplayerError, MachineError, NotFoundError, StoppedError, UsageError
from autoplayer.core.frame import Box, Frame, Image, Json, Point
from autoplayer.core.gestures import Button, Click, Drag, Gesture, Hold, Keys, Pace
from autoplayer.screen.base import Screen, lies_over, steered
from autoplayer.screen.guard import ChangedError, CoveredError, RefusedError
from autoplayer.screen.pulse import LateError
from autoplayer.screen.windows import AwayError

VERSION = 1
LINES = "session.jsonl"
MOST_PIXELS = 34_000_000
"""A frame with more is not decoded: no window is that large, but a hostile file may say that it is."""
MOST_LINE = 2_000_000
"""Bytes in a line, at most."""
KEPT_EVERY = 0.25
"""Seconds between two pictures of glances that are kept: dozens are taken in a second."""
MOST_BYTES, MOST_VALUES, DEEPEST = 100_000_000, 4_000_000, 50
"""Of all lines together, bytes and JSON values, and how deep these are inside one another: a thousand levels have a
tenth of that, and more may be written by somebody who wants to fill a machine's memory."""
MOST_FRAME = 200_000_000
"""Bytes of a frame's file: more than the largest picture has without any compression."""
MOST_DIFFERENCES = 1000
"""Differences that are kept; a session that has left its record differs in everything."""
CLOSING = 0.1
"""The part of a recording's limit that is left for what is noted when the session is over."""
ENDING = 2000
"""Bytes that the line ``limit`` and the line ``end`` have need of together, and more."""
LEAST_LIMIT = 1_000_000
"""Bytes, the smallest limit: some frames of a large window."""
UNCOMPARED = frozenset({"seconds", "time"})
"""Keys in the data of notes that differ from run to run."""

ASIDE = frozenset({"note", "limit", "end"})
"""The kinds of lines that are no call of the session's."""

R = TypeVar("R")

ERRORS: dict[str, type[AutoplayerError]] = {
    kind.__name__: kind
    for kind in (
        AutoplayerError,
        UsageError,
        NotFoundError,
        StoppedError,
        MachineError,
        RefusedError,
        ChangedError,
        CoveredError,
        AwayError,
        LateError,
    )
}
"""The errors of a screen that a recording shows again; another one is shown as its nearest relative."""


# What a line may be

Int = Annotated[int, Field(ge=-(10**6), le=10**6)]
Seconds = Annotated[float, Field(ge=0, le=10**9, allow_inf_nan=False)]
Text = Annotated[str, StringConstraints(max_length=1000)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Click(_Line):
    do: Literal["click"]
    at: tuple[Int, Int]
    button: Button = "left"


class _Drag(_Line):
    do: Literal["drag"]
    path: Annotated[tuple[tuple[Int, Int], ...], FailFast()]
    button: Button = "left"


class _Keys(_Line):
    do: Literal["keys"]
    keys: Annotated[tuple[Text, ...], FailFast()]


class _Hold(_Line):
    do: Literal["hold"]
    keys: Annotated[tuple[Text, ...], FailFast()]
    seconds: Seconds


_Gesture = Annotated[_Click | _Drag | _Keys | _Hold, Field(discriminator="do")]


class _Pace(_Line):
    press: Seconds
    step: Seconds
    release: Seconds


class _Error(_Line):
    type: Text
    text: Text


class _Session(_Line):
    kind: Literal["session"]
    version: int
    title: Text
    facts: dict[str, Any] = {}


class _Call(_Line):
    start: Seconds
    end: Seconds
    clock: Annotated[tuple[Seconds, ...], FailFast()] = ()
    error: _Error | None = None


class _Look(_Call):
    kind: Literal["grab", "still"]
    frame: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\.png$")] | None = None
    origin: tuple[Int, Int] = (0, 0)
    time: Seconds = 0.0


class _Glance(_Look):
    kind: Literal["glance"]  # type: ignore[assignment]


class _Held(_Call):
    kind: Literal["held"]
    keys: Annotated[tuple[Text, ...], FailFast()]


class _Perform(_Call):
    kind: Literal["perform"]
    gestures: Annotated[tuple[_Gesture, ...], FailFast()]
    pace: _Pace


class _Park(_Call):
    kind: Literal["park"]
    at: tuple[Int, Int]


class _Limit(_Call):
    kind: Literal["limit"]
    bytes: Annotated[int, Field(ge=0, le=10**15)]


class _Over(_Call):
    kind: Literal["over"]
    what: Text
    ask: int = 1


class _End(_Call):
    kind: Literal["end"]


class _Note(_Call):
    kind: Literal["note"]
    name: Text
    data: Any = None


_Entry = _Look | _Glance | _Held | _Perform | _Park | _Over | _Note | _Limit | _End
Entry = Annotated[_Entry, Field(discriminator="kind")]
_ENTRY: TypeAdapter[_Entry] = TypeAdapter(Entry)


# Plain data for those who look through recordings


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a recording. ``line`` counts from 1. What a kind does not have is None or empty."""

    line: int
    kind: Literal["grab", "still", "glance", "held", "perform", "park", "over", "note", "limit", "end"]
    start: float
    end: float
    clock: tuple[float, ...] = ()
    frame: str | None = None
    origin: Point = (0, 0)
    time: float = 0.0
    gestures: tuple[Gesture, ...] = ()
    pace: Pace | None = None
    at: Point | None = None
    what: str = ""
    """What lay over the board."""
    ask: int = 0
    """How often the session had asked for that since the call before, this time included."""
    name: str = ""
    data: Json = None
    keys: tuple[str, ...] = ()
    """Of ``held``: those that are held from then on."""
    error: tuple[str, str] | None = None
    """The error's type and its sentence, where the call failed."""
    bytes: int = 0
    """Of ``limit``: how large the recording was allowed to become."""


@dataclass(frozen=True)
class Recording:
    """A recorded session: its folder, the window's title, facts about the session, and its steps in order."""

    folder: Path
    title: str
    steps: tuple[Step, ...]
    facts: Mapping[str, Json] = field(default_factory=dict)

    @property
    def limit(self) -> int | None:
        """The bytes at which it was shortened: what happened afterwards is not in it. None where all of it is."""
        return next((step.bytes for step in reversed(self.steps) if step.kind == "limit"), None)

    def image(self, step: Step) -> Image:
        """The frame of a ``grab`` or ``still``. Raises NotFoundError where its file is missing, UsageError where it is
        not a picture; both name the line."""
        return _load_png(self.folder, step)


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
                head = _head(data)
                title, facts = head.title, head.facts
            else:
                steps.append(_step(number, _ENTRY.validate_python(data, strict=False)))
        except ValidationError as fault:
            first = fault.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            found = repr(first["input"])
            found = found if len(found) <= 60 else found[:57] + "…"
            raise UsageError(f"{path}:{number}: {place or 'the line'}: {first['msg']}; found {found}.") from None
        except (ValueError, RecursionError) as fault:
            text = str(fault) or type(fault).__name__
            raise UsageError(f"{path}:{number}: a JSON object was expected: {text}.") from None
    if not number:
        raise UsageError(f"{path}: the file is empty; a recording begins with a line of kind 'session'.")
    return Recording(folder, title, tuple(steps), facts)


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a recording; one that is too long is cut off after ``MOST_LINE`` bytes and one more. Raises as
    :func:`load_recording`."""
    if not path.parent.is_dir() or not os.path.lexists(path):
        raise NotFoundError(f"There is no recording in {str(path.parent)!r}: {LINES} is missing.")
    try:
        _check_file(path, MOST_BYTES, str(path))
        with open(path, "rb") as file:
            while line := file.readline(MOST_LINE + 2):
                yield line.removesuffix(b"\n")
    except OSError as fault:
        raise NotFoundError(f"The recording {str(path)!r} cannot be read: {fault.strerror or fault}.") from None


def _check_file(path: Path, most: int, where: str) -> None:
    """Raises UsageError where ``path`` is no file of at most ``most`` bytes in its own folder: a name may be a link
    that leads out of it, or a pipe that never ends. ``where`` begins the sentence. Raises OSError where it is not
    there."""
    if os.path.dirname(os.path.realpath(path)) != os.path.realpath(path.parent):
        raise UsageError(f"{where}: {path.name!r} lies outside the recording's folder.")
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise UsageError(f"{where}: {path.name!r} is not a file.")
    if status.st_size > most:
        raise UsageError(f"{where}: {path.name!r} has {status.st_size} bytes, and {most} is the most.")


def _deep(data: Json) -> bool:
    """Whether values are more than ``DEEPEST`` inside one another."""
    level = [data]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return bool(level)


def _head(data: Any) -> _Session:
    if not isinstance(data, dict) or data.get("kind") != "session":
        raise ValueError("the first line of a recording has the kind 'session'")
    if data.get("version") != VERSION:
        raise ValueError(
            f"this program reads recordings of version {VERSION}, and this one has version "
            f"{str(data.get('version'))[:20]!r}"
        )
    return _Session.model_validate(data)


def _step(number: int, entry: _Entry) -> Step:
    error = (entry.error.type, entry.error.text) if entry.error is not None else None
    common = (number, entry.kind, entry.start, entry.end, entry.clock)
    match entry:
        case _Held():
            return Step(*common, keys=entry.keys, error=error)
        case _Glance():
            return Step(*common, frame=entry.frame, origin=entry.origin, time=entry.time, error=error)
        case _Look():
            if (entry.frame is None) == (error is None):
                raise ValueError("either a frame or an error was expected, and not both")
            return Step(*common, frame=entry.frame, origin=entry.origin, time=entry.time, error=error)
        case _Perform():
            pace = Pace(entry.pace.press, entry.pace.step, entry.pace.release)
            return Step(*common, gestures=tuple(_gesture(g) for g in entry.gestures), pace=pace, error=error)
        case _Park():
            return Step(*common, at=entry.at, error=error)
        case _Over():
            return Step(*common, what=entry.what, ask=entry.ask)
        case _Note():
            return Step(*common, name=entry.name, data=entry.data)
        case _Limit():
            return Step(*common, bytes=entry.bytes)
        case _End():
            return Step(*common)


def _gesture(read: _Click | _Drag | _Keys | _Hold) -> Gesture:
    match read:
        case _Click():
            return Click(read.at, read.button)
        case _Drag():
            return Drag(read.path, read.button)
        case _Keys():
            return Keys(read.keys)
        case _Hold():
            return Hold(read.keys, read.seconds)


def gesture_to_json(gesture: Gesture) -> Json:
    """A gesture as it stands in a recording."""
    match gesture:
        case Click(at, button):
            return {"do": "click", "at": list(at), "button": button}
        case Drag(path, button):
            return {"do": "drag", "path": [list(p) for p in path], "button": button}
        case Keys(keys):
            return {"do": "keys", "keys": list(keys)}
        case Hold(keys, seconds):
            return {"do": "hold", "keys": list(keys), "seconds": seconds}


# Recording


class _FullError(Exception):
    """The next line, or the frame that it names, does not fit into the recording's limit."""


class Recorder:
    """A screen that passes everything on to ``screen`` and writes it down in ``folder``, whose files never grow beyond
    ``limit`` bytes together. Where that is reached it stops keeping, and the session goes on: every decision rests on
    those before it, so what can be replayed is the beginning."""

    def __init__(
        self, screen: Screen, folder: Path | str, facts: Mapping[str, Json] | None = None, limit: int | None = None
    ) -> None:
        """``facts``: what a reader should know of the session (versions, game, layout), as JSON. ``limit``: bytes;
        None for as many as there are. Raises UsageError where the folder holds a recording already or cannot be
        written, or the limit is below LEAST_LIMIT."""
        if limit is not None and limit < LEAST_LIMIT:
            raise UsageError(f"A recording may have a limit of {LEAST_LIMIT} bytes and more, not of {limit}.")
        self._screen = screen
        self._folder = Path(folder)
        self.title = screen.title
        self.full = False
        """Whether the limit was reached."""
        self._limit = limit
        self._size = 0
        self._unnamed: Path | None = None
        """A frame that was written, and that no line names yet."""
        self._clock: list[float] = []
        self._asks = 0
        """How often the session has asked what lies over the board since it last called for anything else."""
        self._glanced = -math.inf
        """When the last picture of a glance was kept."""
        self._frames: dict[bytes, str] = {}
        """The file of every picture so far, by its hash: a picture seen again is not stored again."""
        path = self._folder / LINES
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
        except FileExistsError:
            raise UsageError(
                f"{str(self._folder)!r} holds a recording already, or is a file: choose another folder for this one."
            ) from None
        except OSError as fault:
            raise UsageError(f"Nothing can be recorded in {str(self._folder)!r}: {fault.strerror or fault}.") from None
        self._open = True
        head = {"kind": "session", "version": VERSION, "title": screen.title[:1000], "facts": dict(facts or {})}
        self._write(_raw(head))

    def now(self) -> float:
        time = self._screen.now()
        if not self.full:
            self._clock.append(time)
        return time

    def grab(self) -> Frame:
        return self._look("grab", self._screen.grab)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self._look("still", lambda: self._screen.still(limit, unlike=unlike, quiet=quiet))

    def glance(self, pause: float = 0.0) -> Frame:
        def described(frame: Frame) -> dict[str, Json]:
            data: dict[str, Json] = {"origin": [int(n) for n in frame.origin], "time": frame.time}
            if frame.time - self._glanced >= KEPT_EVERY:
                self._glanced = frame.time
                data["frame"] = self._store(frame.image)
            return data

        return self._call("glance", lambda: steered(self._screen).glance(pause), described, {})

    def hold(self, keys: Collection[str]) -> None:
        data = {"keys": sorted(keys)}
        self._call("held", lambda: steered(self._screen).hold(keys), lambda _: data, data)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        data = {
            "gestures": [gesture_to_json(g) for g in gestures],
            "pace": {"press": pace.press, "step": pace.step, "release": pace.release},
        }
        self._call("perform", lambda: self._screen.perform(gestures, pace), lambda _: data, data)

    def park(self, at: Point) -> None:
        data = {"at": [int(at[0]), int(at[1])]}
        self._call("park", lambda: self._screen.park(at), lambda _: data, data)

    def lies_over(self, boxes: Sequence[Box]) -> str | None:
        start = self._screen.now()
        what = lies_over(self._screen, boxes)
        self._asks += 1
        if what is not None:
            self._line("over", start, self._screen.now(), {"what": what[:1000], "ask": self._asks})
        return what

    def note(self, name: str, data: Json, *, closing: bool = False) -> None:
        """Write down what the session read, solved or decided; ``data`` as ``json.dumps`` takes it. ``closing``: the
        session is over, and this is about what was kept of it; written as long as the limit leaves room."""
        time = self._screen.now()
        self._line("note", time, time, {"name": name, "data": data}, closing)

    def frames(self) -> list[str]:
        """The names of all frames that were kept, in the order in which they came first."""
        return list(self._frames.values())

    def image(self, name: str) -> Image:
        """A frame that was kept. Raises as :meth:`Recording.image`."""
        return _load_png(self._folder, Step(1, "grab", 0.0, 0.0, frame=name))

    def close(self) -> None:
        """Close the recording and the screen."""
        try:
            if self._open:
                time = self._screen.now()
                self._line("end", time, time, {}, closing=True)
        finally:
            if self._open:
                self._open = False
                os.close(self._file)
            self._screen.close()

    def _look(self, kind: str, look: Callable[[], Frame]) -> Frame:
        def described(frame: Frame) -> dict[str, Json]:
            return {
                "frame": self._store(frame.image),
                "origin": [int(frame.origin[0]), int(frame.origin[1])],
                "time": frame.time,
            }

        return self._call(kind, look, described, {})

    def _call(
        self, kind: str, call: Callable[[], R], described: Callable[[R], dict[str, Json]], failed: dict[str, Json]
    ) -> R:
        """Make a call and write it down: ``described`` says what, of its result; ``failed`` where it raised."""
        self._asks = 0
        start = self._screen.now()
        try:
            result = call()
        except (AutoplayerError, KeyboardInterrupt) as fault:
            kind_of = type(fault)
            known = next((c for c in kind_of.__mro__ if c.__name__ in ERRORS), StoppedError)
            error = {"type": known.__name__, "text": str(fault)[:1000] or "Stopped by Ctrl-C."}
            self._line(kind, start, self._screen.now(), {**failed, "error": error})
            raise
        now = self._screen.now()
        if not self.full:
            try:
                data = described(result)
            except _FullError:
                self._fill(now)
            else:
                self._line(kind, start, now, data)
        return result

    def _line(self, kind: str, start: float, end: float, data: dict[str, Json], closing: bool = False) -> None:
        if self.full and not closing:
            return
        line = {"kind": kind, "start": start, "end": end, **data}
        if self._clock:
            line["clock"] = self._clock
        raw = _raw(line)
        if kind in ("limit", "end") or self._fits(len(raw), closing):
            self._write(raw)
            self._clock, self._unnamed = [], None
        elif not closing:
            self._fill(end)

    def _fits(self, size: int, closing: bool = False) -> bool:
        """Whether ``size`` bytes more have room, and the lines after them that end the recording."""
        if self._limit is None:
            return True
        return self._size + size <= (self._limit - ENDING if closing else self._limit * (1 - CLOSING))

    def _fill(self, now: float) -> None:
        """The limit is reached: say so in the recording, and keep nothing more."""
        if self._unnamed is not None:
            self._size -= self._unnamed.stat().st_size
            self._unnamed.unlink()
            self._unnamed = None
        self.full, self._clock = True, []
        self._line("limit", now, now, {"bytes": self._limit}, closing=True)

    def _store(self, image: Image) -> str:
        """The file that holds ``image``; written now where no frame has looked like it yet. Raises _FullError where it
        has no room."""
        digest = hashlib.blake2b(np.ascontiguousarray(image).data, digest_size=16, person=b"frame")
        digest.update(repr(image.shape).encode())
        key = digest.digest()
        if key not in self._frames:
            name = f"frame-{len(self._frames) + 1:06}.png"
            # Level 1 takes a third of the time of the default, for frames a tenth larger.
            done, png = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            if not done:
                raise MachineError(f"The frame {name} could not be turned into a PNG picture.")
            if not self._fits(png.size):
                raise _FullError
            path = self._folder / name
            try:
                path.write_bytes(png.tobytes())
            except OSError as fault:
                path.unlink(missing_ok=True)
                raise self._broken(fault) from None
            self._size += png.size
            self._frames[key], self._unnamed = name, path
        return self._frames[key]

    def _write(self, raw: bytes) -> None:
        if not self._open:
            raise UsageError(f"The recording in {str(self._folder)!r} is closed.")
        whole = os.lseek(self._file, 0, os.SEEK_END)
        try:
            rest = memoryview(raw)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as fault:
            os.ftruncate(self._file, whole)  # no half line stays behind
            raise self._broken(fault) from None
        self._size += len(raw)

    def _broken(self, fault: OSError) -> MachineError:
        return MachineError(
            f"The recording in {str(self._folder)!r} cannot be written any further: {fault.strerror or fault}. "
            "What was recorded so far is whole; make room, or record elsewhere."
        )


def _raw(line: Mapping[str, Json]) -> bytes:
    """A line as it stands in the file."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=_plain).encode() + b"\n"


def _plain(value: object) -> Json:
    """Numpy's numbers and other sequences as JSON has them."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} is nothing that JSON can hold")


# Replaying


class RecordedScreen:
    """A screen that shows a recording. Nothing is pressed and nothing waits; ``differences`` names, in sentences, where
    the session now does something else than it did."""

    def __init__(self, recording: Recording | Path | str) -> None:
        """Raises as :func:`load_recording`."""
        self.recording = recording if isinstance(recording, Recording) else load_recording(recording)
        self.title = self.recording.title
        self.differences: list[str] = []
        self._calls = [s for s in self.recording.steps if s.kind not in ASIDE]
        self._notes = [s for s in self.recording.steps if s.kind == "note"]
        self._next_call = 0
        self._asks = 0
        self._next_note = 0
        self._time = 0.0
        self._glanced: Image | None = None
        # The clock's answers, each with the call before which it was given.
        self._clock: dict[int, list[float]] = {}
        calls = 0
        for step in self.recording.steps:
            self._clock.setdefault(calls, []).extend(step.clock)
            calls += step.kind not in ASIDE

    def now(self) -> float:
        """What the session was told at this point when it was recorded."""
        answers = self._clock.get(self._next_call)
        if answers:
            self._time = max(self._time, answers.pop(0))
        elif self._next_call < len(self._calls):
            # Asked more often than then: the moment at which the next call began is not far.
            self._time = max(self._time, self._calls[self._next_call].start)
        return self._time

    def grab(self) -> Frame:
        return self._look("grab")

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self._look("still")

    def glance(self, pause: float = 0.0) -> Frame:
        """The picture of that moment, or, where it was not kept, the one that was seen before."""
        step = self._take(("glance",), "for a glance")
        self._fail(step)
        if step.frame is not None or self._glanced is None:
            self._glanced = self.recording.image(step)
        return Frame(self._glanced, step.origin, step.time)

    def hold(self, keys: Collection[str]) -> None:
        step = self._take(("held",), f"to hold {_say_keys(keys)}")
        if set(step.keys) != set(keys):
            self._differ(step, f"held was {_say_keys(step.keys)}, now it is {_say_keys(keys)}")
        self._fail(step)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        step = self._take(("perform",), f"to perform {_say_gestures(gestures)}")
        if step.gestures != tuple(gestures):
            self._differ(step, f"recorded was {_say_gestures(step.gestures)}, now it is {_say_gestures(gestures)}")
        self._fail(step)

    def park(self, at: Point) -> None:
        step = self._take(("park",), f"to park the pointer at {_say_point(at)}")
        if step.at is not None and step.at != tuple(at):
            self._differ(step, f"the pointer was parked at {_say_point(step.at)}, now at {_say_point(at)}")
        self._fail(step)

    def lies_over(self, boxes: Sequence[Box]) -> str | None:
        """What lay over the board at this point when it was recorded."""
        self._asks += 1
        step = self._calls[self._next_call] if self._next_call < len(self._calls) else None
        if step is not None and (step.kind, step.ask) == ("over", self._asks):
            return self._take(("over",), "what lies over the board").what
        return None

    def note(self, name: str, data: Json) -> None:
        """Compare what the session now read, solved or decided with what it did then."""
        if self.cut_off and self._next_note >= len(self._notes):
            return
        if self._next_note >= len(self._notes):
            self._add(f"after the recording's last note, now also {name!r}: {_short(_comparable(data))}")
            return
        step = self._notes[self._next_note]
        self._next_note += 1
        then, now = _comparable(step.data), _comparable(data)
        if step.name != name:
            self._differ(step, f"recorded was the note {step.name!r}, now it is {name!r}")
        elif then != now:
            self._differ(step, f"{name}: {_first_difference(then, now)}")

    @property
    def cut_off(self) -> bool:
        """Whether all that a shortened recording holds has been shown: what comes now was not kept."""
        return self.recording.limit is not None and self._next_call >= len(self._calls)

    def close(self) -> None:
        """There is nothing to close."""

    def finish(self) -> list[str]:
        """All differences, those included that show at the end: what was recorded and has not happened now."""
        if left := self._calls[self._next_call :]:
            self._differ(left[0], f"the session ends here now; {len(left)} recorded calls from here on did not come")
            self._next_call = len(self._calls)
        if notes := self._notes[self._next_note :]:
            self._differ(notes[0], f"{len(notes)} notes from here on did not come, the first of them {notes[0].name!r}")
            self._next_note = len(self._notes)
        return self.differences

    def _look(self, kind: Literal["grab", "still"]) -> Frame:
        step = self._take(("grab", "still"), "for a frame")
        self._fail(step)
        return Frame(self.recording.image(step), step.origin, step.time)

    def _take(self, kinds: tuple[str, ...], asked: str) -> Step:
        """The next call of one of these kinds; calls of other kinds before it are differences."""
        at = next((n for n in range(self._next_call, len(self._calls)) if self._calls[n].kind in kinds), None)
        if at is None and self.cut_off:
            raise StoppedError(f"The recording in {str(self.recording.folder)!r} had reached its limit here.")
        if at is None:
            self._add(f"after the recording's last line, the session now asks {asked}")
            raise AutoplayerError(
                f"The recording in {str(self.recording.folder)!r} ends here: the session asks {asked}."
            )
        for skipped in self._calls[self._next_call : at]:
            self._differ(skipped, f"recorded was {_say_step(skipped)}, now the session asks {asked}")
        self._next_call = at + 1
        if kinds != ("over",):
            self._asks = 0
        step = self._calls[at]
        self._time = max(self._time, step.end)
        return step

    @staticmethod
    def _fail(step: Step) -> None:
        """Fail as the recorded call did."""
        if step.error is not None:
            raise ERRORS.get(step.error[0], AutoplayerError)(step.error[1])

    def _differ(self, step: Step, text: str) -> None:
        self._add(f"{self.recording.folder / LINES}:{step.line}: {text}")

    def _add(self, text: str) -> None:
        if len(self.differences) < MOST_DIFFERENCES:
            self.differences.append(text)


def _load_png(folder: Path, step: Step) -> Image:
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
        raise NotFoundError(f"{where}: the frame {step.frame!r} cannot be read: {fault.strerror or fault}.") from None
    # The size stands in the first chunk; a picture that only says to be huge must not be unpacked.
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


def _comparable(data: Json) -> Json:
    """``data`` as JSON would give it back, without what differs from run to run."""
    return _without(json.loads(json.dumps(data, default=_plain)))


def _without(data: Json) -> Json:
    if isinstance(data, dict):
        return {key: _without(value) for key, value in data.items() if key not in UNCOMPARED}
    if isinstance(data, list):
        return [_without(value) for value in data]
    return data


def _first_difference(then: Json, now: Json, place: str = "") -> str:
    """The first place in which two JSON values differ, and both values there."""
    at = f"at {place} " if place else ""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in [*then, *(k for k in now if k not in then)]:
            if key not in now:
                return f"{at}{key!r} was recorded and is missing now"
            if key not in then:
                return f"{at}{key!r} is new: {_short(now[key])}"
            if then[key] != now[key]:
                return _first_difference(then[key], now[key], f"{place}.{key}" if place else key)
    if isinstance(then, list) and isinstance(now, list):
        for n, (a, b) in enumerate(zip(then, now, strict=False)):
            if a != b:
                return _first_difference(a, b, f"{place}[{n}]")
        return f"{at}{len(then)} items were recorded, now there are {len(now)}"
    if isinstance(then, str) and isinstance(now, str) and "\n" in then + now:
        rows = zip(then.splitlines(), now.splitlines(), strict=False)
        for n, (a, b) in enumerate(rows, 1):
            if a != b:
                return f"{at}in row {n} recorded was {a!r}, now it is {b!r}"
    return f"{at}recorded was {_short(then)}, now it is {_short(now)}"


def _short(data: Json) -> str:
    text = json.dumps(data, ensure_ascii=False)
    return text if len(text) <= 120 else text[:119] + "…"


def _say_point(at: Sequence[int]) -> str:
    return f"{at[0]},{at[1]}"


def _say_gestures(gestures: Sequence[Gesture]) -> str:
    said = []
    for gesture in gestures:
        match gesture:
            case Click(at, button):
                said.append(f"a {button} click at {_say_point(at)}")
            case Drag(path, button):
                said.append(f"a {button} drag through " + " ".join(_say_point(p) for p in path))
            case Keys(keys):
                said.append("the keys " + " ".join(keys))
            case Hold(keys, seconds):
                said.append("holding " + " ".join(keys) + f" for {seconds:g} s")
    return ", then ".join(said) or "no gesture"


def _say_keys(keys: Collection[str]) -> str:
    return " ".join(sorted(keys)) or "no key"


def _say_step(step: Step) -> str:
    match step.kind:
        case "held":
            return f"holding {_say_keys(step.keys)}"
        case "perform":
            return _say_gestures(step.gestures)
        case "park":
            return f"parking the pointer at {_say_point(step.at or (0, 0))}"
        case "over":
            return f"that {step.what} lay over the board"
        case _:
            return "a look at the window"
