"""A witness sits between a session and its screen and remembers the most recent events and frames, for the evidence
that is kept when the session does not end with a win. Parts of the window that other windows cover are blacked out."""

from __future__ import annotations

import math
import traceback
import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autoplayer.core.errors import AutoplayerError, UnreadableError
from autoplayer.core.frame import Box, Frame, Image, Json, Point
from autoplayer.core.gestures import Gesture, Pace
from autoplayer.games.base import Game, Reading
from autoplayer.layout import Layout
from autoplayer.screen.base import Screen, answer_dialog, attend, lies_over, steered
from autoplayer.screen.recording import gesture_to_json
from autoplayer.session.events import Event

MOST_FRAMES = 8
MOST_BYTES = 64_000_000
"""The most bytes of all remembered frames together; at least two are remembered, however large."""
GLANCES_EVERY = 0.5
"""Seconds between two remembered pictures of a window with held keys, of which many are taken."""
MOST_LOGGED = 1000
"""The most events that are remembered."""

Content = Any
"""The content of a file: an image, a text, or what ``json.dumps`` takes."""
Overlay = Callable[..., Image]
"""Draws a reading over a picture: image, places, the puzzle's text, doubts, changed places."""


@dataclass(frozen=True)
class Seen:
    """A frame, and the parts of it (window pixels) that other windows hid when it was taken."""

    frame: Frame
    hidden: tuple[Box, ...]

    @property
    def image(self) -> Image:
        """The picture with those parts blacked out."""
        if not self.hidden:
            return self.frame.image
        image = self.frame.image.copy()
        for box in self.hidden:
            box.crop(image)[:] = 0
        return image


@dataclass
class Witness:
    """A screen that passes everything on to ``screen`` and remembers the most recent part; ``listen`` receives the
    session's events. ``hidden``: gives the parts of the window that others hide now; ``titles``: the titles of all
    windows."""

    screen: Screen
    hidden: Callable[[], Sequence[Box]] = field(default=tuple)
    titles: Callable[[], Iterable[str]] = field(default=tuple)
    game: Game[Any, Any] | None = None
    layout: Layout | None = None

    def __post_init__(self) -> None:
        self.title = self.screen.title
        self._frames: dict[tuple[int, Any], Seen] = {}
        """The last frames, all different, the oldest first, by their identity."""
        self._log: deque[dict[str, Any]] = deque(maxlen=MOST_LOGGED)
        self._read: tuple[Seen, Event] | None = None
        """The level as it was last read."""
        self._moved: Event | None = None
        self._result: Event | None = None
        self._others: set[str] = set()
        self._glanced = -math.inf
        """When a glance was last remembered."""

    # A screen

    def now(self) -> float:
        return self.screen.now()

    def grab(self) -> Frame:
        return self._see(self.screen.grab)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self._see(lambda: self.screen.still(limit, unlike=unlike, quiet=quiet))

    def glance(self, pause: float = 0.0) -> Frame:
        frame: Frame = self._tried(lambda: steered(self.screen).glance(pause))
        if frame.time - self._glanced >= GLANCES_EVERY:
            self._glanced = frame.time
            self._remember(frame)
        return frame

    def hold(self, keys: Collection[str]) -> None:
        self._note("held", keys=sorted(keys))
        self._tried(lambda: steered(self.screen).hold(keys))

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self._note("perform", gestures=tuple(gestures), pace=[pace.press, pace.step, pace.release])
        self._tried(lambda: self.screen.perform(gestures, pace))

    def park(self, at: Point) -> None:
        self._tried(lambda: self.screen.park(at))

    def lies_over(self, boxes: Sequence[Box]) -> str | None:
        return lies_over(self.screen, boxes)

    def attend(self, box: Box | None) -> None:
        attend(self.screen, box)

    def answer_dialog(self, pace: Pace) -> str | None:
        what: str | None = self._tried(lambda: answer_dialog(self.screen, pace))
        if what is not None:
            self._note("answer", what_was=what)
        return what

    def close(self) -> None:
        self.screen.close()

    def _see(self, look: Callable[[], Frame]) -> Frame:
        frame: Frame = self._tried(look)
        self._remember(frame)
        return frame

    def _remember(self, frame: Frame) -> Seen | None:
        """None where it cannot be found out what hides the window: then nothing of the frame is kept."""
        try:
            seen = Seen(frame, tuple(self.hidden()))
        except AutoplayerError:
            return None
        key = zlib.crc32(np.ascontiguousarray(frame.image).data), frame.image.shape
        before = self._frames.pop(key, None)  # it becomes the newest
        if before is not None:  # an equal picture contains what others hid in the first one
            seen = Seen(frame, tuple(dict.fromkeys(before.hidden + seen.hidden)))
        self._frames[key] = seen
        while len(self._frames) > MOST_FRAMES or (
            len(self._frames) > 2 and sum(each.frame.image.nbytes for each in self._frames.values()) > MOST_BYTES
        ):
            del self._frames[next(iter(self._frames))]
        return seen

    def _tried(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except (AutoplayerError, KeyboardInterrupt) as fault:
            with suppress(AutoplayerError):  # they may be gone when the evidence is written
                self._others.update(self.titles())
            self._note("error", type=type(fault).__name__, text=str(fault))
            raise

    def _note(self, what: str, **data: Any) -> None:
        self._log.append({"time": round(self.screen.now(), 3), "what": what, **data})

    # A listener

    def listen(self, event: Event) -> None:
        """Receive an event."""
        more: dict[str, Any] = {}
        progress = event.data.get("progress")
        if progress is not None:
            more = {"done": progress.done, "total": progress.total, "wrong": progress.wrong, "seen": progress.present}
        self._note(event.kind, level=event.level, text=event.text, **more)
        if event.kind == "level":
            self._read = self._moved = None
        elif event.kind == "read" and event.frame is not None:
            held = next((seen for seen in self._frames.values() if seen.frame is event.frame), None)
            held = held or self._remember(event.frame)
            self._read, self._moved = (held, event) if held else None, None
        elif event.kind == "moved":
            self._moved = event
        elif event.kind == "result":
            self._result = event

    # What there is to be kept

    @property
    def frames(self) -> list[Seen]:
        """The last frames, the oldest first."""
        return list(self._frames.values())

    def files(self, draw: Overlay) -> dict[str, Content]:
        """What was seen, read, expected and done, as files by their names."""
        files: dict[str, Content] = {f"frames/frame-{n}.png": seen.image for n, seen in enumerate(self.frames, 1)}
        try:
            reading, picture = self._reading(draw)
            if picture is not None:
                files["overlay.png"] = picture
            files["reading.json"] = reading
            files["progress.json"] = self._progress()
        except Exception as fault:  # a game that cannot read or draw may be the cause
            files["fault.txt"] = "".join(traceback.format_exception(fault))
        files["log.jsonl"] = [_entry(each) for each in self._log]
        if self.layout is not None:
            files["layout.json"] = self.layout.model_dump(mode="json")
        return files

    def _reading(self, draw: Overlay) -> tuple[dict[str, Json], Image | None]:
        """What was read, as JSON, and drawn over its picture."""
        if self._read is not None and self.game is not None:
            seen, event = self._read
            settled, reading = event.data["settled"], event.data["reading"]
            text = self.game.format(settled.puzzle)
            more = {
                "read from": "the picture of the level's beginning",
                "puzzle": text,
                "settled by the rules": {str(cell): token for cell, token in settled.changed.items()},
                "reason": settled.reason,
            }
            picture = draw(seen.image, reading.places, text, settled.doubts, settled.changed)
            return {**more, **_read_json(self.game, reading)}, picture
        said = self._last_read()
        if isinstance(said, str) or self.game is None:
            return {"read from": "the last frame", "puzzle": None, "unreadable": str(said)}, None
        text = self.game.format(said.puzzle)
        picture = draw(self.frames[-1].image, said.places, text, said.doubts)
        return {"read from": "the last frame", "puzzle": text, **_read_json(self.game, said)}, picture

    def _last_read(self) -> Reading[Any] | str:
        """The reading of the last frame by itself, or why there is none. Hidden parts are blacked out, because digits
        of another window could be in them."""
        if self.game is None or self.layout is None:
            return "it was not known which game the window shows"
        if not self._frames:
            return "no picture was taken"
        try:
            return self.game.read(self.frames[-1].image, self.layout)
        except UnreadableError as fault:
            return str(fault)

    def _progress(self) -> dict[str, Json]:
        """What was expected, and what was last seen."""
        expected: dict[str, Json] | None = None
        if self._read is not None and self.game is not None:
            puzzle, solution = self._read[1].data["settled"].puzzle, self._read[1].data["solution"]
            expected = {
                "solution": self.game.solution_to_json(solution),
                "board": self.game.show(puzzle, solution).splitlines(),
            }
        last = None
        if self._moved is not None:
            move, progress = self._moved.data["move"], self._moved.data["progress"]
            last = {
                "move": move.name,
                "gestures": [gesture_to_json(each) for each in move.gestures],
                "cells": [list(cell) for cell in move.cells],
                "then seen": self._moved.text,
                "present": progress.present,
                "done": progress.done,
                "total": progress.total,
                "wrong": progress.wrong,
            }
        said = self._last_read()
        shown = said if isinstance(said, str) or self.game is None else self.game.format(said.puzzle).splitlines()
        return {"expected": expected, "seen after the last move": last, "the last frame on its own": shown}

    def story(self, fault: BaseException | None) -> list[str]:
        """What happened, in lines for a person."""
        result = self._result.data["result"] if self._result is not None else None
        said = str(fault) if fault is not None else result.error if result is not None else None
        lines = [
            f"- what it said: {said or 'no next level came'}",
            f"- game: {self.game.title if self.game else 'not known yet'}",
            f"- window: {self.title!r}"
            + (f", {'x'.join(map(str, self.frames[-1].frame.size))}" if self.frames else ""),
        ]
        if result is not None:
            lines.append(f"- level {result.level} of this session: {result.status}, after {result.gestures} gestures")
        return lines

    def secrets(self) -> set[str]:
        """The titles of other windows."""
        with suppress(AutoplayerError):
            self._others.update(self.titles())
        return {title for title in self._others if title.strip() and title != self.title}


def _read_json(game: Game[Any, Any], reading: Reading[Any]) -> dict[str, Json]:
    return {
        "game": game.name,
        "as first read": game.format(reading.puzzle),
        "confidence": round(reading.confidence, 6),
        "doubts": [
            {
                "cells": [list(cell) for cell in doubt.cells],
                "candidates": [[token, round(p, 4)] for token, p in doubt.candidates],
            }
            for doubt in reading.doubts
        ],
        "places": {
            f"{row},{column}": [box.x, box.y, box.width, box.height]
            for (row, column), box in sorted(reading.places.items())
        },
    }


def _entry(entry: Mapping[str, Any]) -> dict[str, Json]:
    """A line of the log. Gestures are converted only now, because few of them are ever written."""
    data = dict(entry)
    if "gestures" in data:
        data["gestures"] = [gesture_to_json(each) for each in data["gestures"]]
    return data
