"""A screen that writes down what passes through it."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from autoplayer.core.errors import AutoplayerError, MachineError, StoppedError, UsageError, cause
from autoplayer.core.frame import Box, Frame, Image, Json, Point
from autoplayer.core.gestures import Gesture, Pace
from autoplayer.screen.base import Screen, answer_dialog, attend, lies_over, steered
from autoplayer.screen.recording.lines import ERRORS, LINES, VERSION, Step, gesture_to_json, raw_line
from autoplayer.screen.recording.loading import load_png

KEPT_EVERY = 0.25
"""The least number of seconds between two pictures of glances that are kept: dozens are taken in a second."""
CLOSING = 0.1
"""The share of a recording's size limit that is reserved for notes at the end of the session."""
ENDING = 2000
"""Bytes reserved for the lines ``limit`` and ``end``, with room to spare."""
LEAST_LIMIT = 1_000_000
"""The smallest size limit, in bytes: some frames of a large window."""

R = TypeVar("R")


class _FullError(Exception):
    """The next line, or the frame that it names, does not fit into the recording's limit."""


class Recorder:
    """A screen that passes everything on to ``screen`` and writes it to ``folder``, whose files never exceed ``limit``
    bytes together. When that is reached it stops recording, and the session goes on: every decision depends on those
    before it, so only the beginning can be replayed."""

    def __init__(
        self, screen: Screen, folder: Path | str, facts: Mapping[str, Json] | None = None, limit: int | None = None
    ) -> None:
        """``facts``: what a reader should know of the session (versions, game, layout), as JSON. ``limit``: bytes; None
        for no limit. Raises UsageError where the folder already holds a recording or cannot be written, or the limit is
        below LEAST_LIMIT."""
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
        """A frame that was written, but is not yet named by a line."""
        self._clock: list[float] = []
        self._asks = 0
        """How often the session has asked what covers the board, or whether a dialog is to be answered, since its last
        other call."""
        self._glanced = -math.inf
        """When a picture of a glance was last kept."""
        self._frames: dict[bytes, str] = {}
        """The file of every picture so far, by its hash: equal pictures are stored once."""
        path = self._folder / LINES
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
        except FileExistsError:
            raise UsageError(
                f"{str(self._folder)!r} holds a recording already, or is a file: choose another folder for this one."
            ) from None
        except OSError as fault:
            raise UsageError(f"Nothing can be recorded in {str(self._folder)!r}: {cause(fault)}.") from None
        self._open = True
        head = {"kind": "session", "version": VERSION, "title": screen.title[:1000], "facts": dict(facts or {})}
        self._write(raw_line(head))

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

    def attend(self, box: Box | None) -> None:
        attend(self._screen, box)

    def answer_dialog(self, pace: Pace) -> str | None:
        start = self._screen.now()
        what = answer_dialog(self._screen, pace)
        self._asks += 1
        if what is not None:
            self._line("answer", start, self._screen.now(), {"what": what[:1000], "ask": self._asks})
        return what

    def note(self, name: str, data: Json, *, closing: bool = False) -> None:
        """Write down what the session read, solved or decided; ``data`` as ``json.dumps`` takes it. ``closing``: the
        session is over, and this is about frames that were kept; written as long as the limit leaves room."""
        time = self._screen.now()
        self._line("note", time, time, {"name": name, "data": data}, closing)

    def frames(self) -> list[str]:
        """The names of all frames that were kept, in the order of their first appearance."""
        return list(self._frames.values())

    def image(self, name: str) -> Image:
        """A frame that was kept. Raises as :meth:`Recording.image`."""
        return load_png(self._folder, Step(1, "grab", 0.0, 0.0, frame=name))

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
        """Make a call and write it down: ``described`` gives the fields for its result, ``failed`` those where it
        raised."""
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
        raw = raw_line(line)
        if kind in ("limit", "end") or self._fits(len(raw), closing):
            self._write(raw)
            self._clock, self._unnamed = [], None
        elif not closing:
            self._fill(end)

    def _fits(self, size: int, closing: bool = False) -> bool:
        """Whether ``size`` more bytes fit, together with the lines that end the recording."""
        if self._limit is None:
            return True
        return self._size + size <= (self._limit - ENDING if closing else self._limit * (1 - CLOSING))

    def _fill(self, now: float) -> None:
        """The limit is reached: write that down, and record nothing more."""
        if self._unnamed is not None:
            self._size -= self._unnamed.stat().st_size
            self._unnamed.unlink()
            self._unnamed = None
        self.full, self._clock = True, []
        self._line("limit", now, now, {"bytes": self._limit}, closing=True)

    def _store(self, image: Image) -> str:
        """The file that holds ``image``; written now unless an equal frame was written before. Raises _FullError where
        it does not fit."""
        digest = hashlib.blake2b(np.ascontiguousarray(image).data, digest_size=16, person=b"frame")
        digest.update(repr(image.shape).encode())
        key = digest.digest()
        if key not in self._frames:
            name = f"frame-{len(self._frames) + 1:06}.png"
            # Compression level 1 takes a third of the default's time, for frames a tenth larger.
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
            os.ftruncate(self._file, whole)  # remove an incomplete line
            raise self._broken(fault) from None
        self._size += len(raw)

    def _broken(self, fault: OSError) -> MachineError:
        return MachineError(
            f"The recording in {str(self._folder)!r} cannot be written any further: {cause(fault)}. "
            "What was recorded so far is whole; make room, or record elsewhere."
        )
