"""The lines of a recording: what each kind may contain, read strictly and written compactly."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, FailFast, Field, StringConstraints, TypeAdapter

from autoplayer.core.errors import AutoplayerError, MachineError, NotFoundError, StoppedError, UsageError
from autoplayer.core.frame import Json, Point
from autoplayer.core.gestures import Button, Click, Drag, Gesture, Hold, Keys, Pace, Wheel
from autoplayer.screen.guard import ChangedError, CoveredError, RefusedError
from autoplayer.screen.pulse import LateError
from autoplayer.screen.windows import AwayError

VERSION = 1
LINES = "session.jsonl"
ASIDE = frozenset({"note", "limit", "end"})
"""The kinds of lines that are not calls of the session."""

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
"""The errors of a screen that a recording can replay; another one is stored as its nearest base class."""


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
    times: Literal[1, 2] = 1


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


class _Wheel(_Line):
    do: Literal["wheel"]
    at: tuple[Int, Int]
    notches: Int


_Gesture = Annotated[_Click | _Drag | _Keys | _Hold | _Wheel, Field(discriminator="do")]


class _Pace(_Line):
    press: Seconds
    step: Seconds
    release: Seconds


class _Error(_Line):
    type: Text
    text: Text


class Head(_Line):
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
    kind: Literal["over", "answer"]
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


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a recording. ``line`` counts from 1. Fields that a kind does not have are None or empty."""

    line: int
    kind: Literal["grab", "still", "glance", "held", "perform", "park", "over", "answer", "note", "limit", "end"]
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
    """What covered the board, or which dialog was answered."""
    ask: int = 0
    """How often the session had asked for either since the call before, this time included."""
    name: str = ""
    data: Json = None
    keys: tuple[str, ...] = ()
    """Of ``held``: the keys that are held from then on."""
    error: tuple[str, str] | None = None
    """The error's type and its message, where the call failed."""
    bytes: int = 0
    """Of ``limit``: the size limit of the recording."""


def read_head(data: Any) -> Head:
    """The first line of a recording from its JSON. Raises as :func:`read_step`."""
    if not isinstance(data, dict) or data.get("kind") != "session":
        raise ValueError("the first line of a recording has the kind 'session'")
    if data.get("version") != VERSION:
        raise ValueError(
            f"this program reads recordings of version {VERSION}, and this one has version "
            f"{str(data.get('version'))[:20]!r}"
        )
    return Head.model_validate(data)


def read_step(number: int, data: Any) -> Step:
    """Line ``number`` of a recording from its JSON. Raises ValueError (of which pydantic's ValidationError is a
    subclass) where it is not a valid line."""
    entry = _ENTRY.validate_python(data, strict=False)
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


def _gesture(read: _Click | _Drag | _Keys | _Hold | _Wheel) -> Gesture:
    match read:
        case _Click():
            return Click(read.at, read.button, read.times)
        case _Drag():
            return Drag(read.path, read.button)
        case _Keys():
            return Keys(read.keys)
        case _Hold():
            return Hold(read.keys, read.seconds)
        case _Wheel():
            return Wheel(read.at, read.notches)


def gesture_to_json(gesture: Gesture) -> Json:
    """A gesture as JSON."""
    match gesture:
        case Click(at, button, times):
            several: dict[str, Json] = {"times": times} if times > 1 else {}
            return {"do": "click", "at": list(at), "button": button, **several}
        case Drag(path, button):
            return {"do": "drag", "path": [list(p) for p in path], "button": button}
        case Keys(keys):
            return {"do": "keys", "keys": list(keys)}
        case Hold(keys, seconds):
            return {"do": "hold", "keys": list(keys), "seconds": seconds}
        case Wheel(at, notches):
            return {"do": "wheel", "at": list(at), "notches": notches}


def raw_line(line: Mapping[str, Json]) -> bytes:
    """A line as it is written to the file."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=plain).encode() + b"\n"


def plain(value: object) -> Json:
    """Converts numpy's numbers and other sequences to what JSON has."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} is nothing that JSON can hold")
