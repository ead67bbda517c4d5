"""What a session reports: events on the way, the result of each level, and a level as it was seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal

from autoplayer.core.frame import Frame, Json
from autoplayer.games.base import P, Progress, Reading, S
from autoplayer.settle import Settled

Kind = Literal["level", "read", "move", "moved", "done", "next", "wait", "steered", "result"]
Status = Literal["won", "played", "failed", "stopped"]


@dataclass(frozen=True)
class LevelResult:
    """The result of one level. ``seconds``: ``read``, ``solve``, ``play``, ``total``. ``frame``: the last picture of a
    level that ended neither played nor stopped by the person; None where there was none. ``note``: what happened on the
    way, in words; None where there is nothing to say."""

    level: int
    status: Status
    puzzle: str | None
    solution: Json
    gestures: int
    seconds: Mapping[str, float]
    error: str | None = None
    frame: Frame | None = field(default=None, repr=False, compare=False)
    note: str | None = None

    def to_json(self) -> dict[str, Json]:
        return {
            "level": self.level,
            "status": self.status,
            "puzzle": self.puzzle,
            "solution": self.solution,
            "gestures": self.gestures,
            "seconds": {name: round(value, 4) for name, value in self.seconds.items()},
            "error": self.error,
            **({"note": self.note} if self.note else {}),
        }


@dataclass(frozen=True)
class Event:
    """An event. ``kind``: ``level`` (a level begins), ``read`` (frame, reading, settled), ``move`` (before a move:
    frame, move, pace), ``moved`` (after it: frame, progress), ``done`` (the level is finished and its picture still:
    frame; first, before: the frames of its beginning and of before the last move; covered: whether something covers the
    board), ``next`` (how the next level is reached; way: the key or control that is pressed, where one is), ``wait`` (a
    possibly temporary obstacle to playing on), ``steered`` (what a pilot does), ``result`` (result). ``text`` says it
    in a sentence."""

    kind: Kind
    level: int
    text: str
    time: float
    frame: Frame | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


Listener = Callable[[Event], object]


@dataclass(frozen=True)
class Sight(Generic[P, S]):
    """A level as it was seen: the frame, its reading, and how long reading and solving took. ``done``: whether it is
    known to have been finished when it was seen; a reader may take a full board for an untouched one."""

    frame: Frame
    reading: Reading[P]
    settled: Settled[P, S]
    solution: S
    read_seconds: float
    solve_seconds: float
    done: bool = False


def standing(progress: Progress) -> str:
    """A board's progress, in words."""
    wrong = f", {progress.wrong} wrong" if progress.wrong else ""
    return (
        f"the board shows {progress.done} of {progress.total} done{wrong}"
        if progress.present
        else "the board is not seen"
    )
