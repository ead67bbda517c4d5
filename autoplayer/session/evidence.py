"""Evidence: what a session leaves behind when it ends otherwise than won, as one folder that can be attached to a
report. A witness stands between the session and its screen and remembers the last of what passes; nothing is written
as long as all goes well.

Two things never get into it: what other windows show (a picture of a window that another one covers shows the other
one, so that part is made black), and what tells who the person is (home folder, user, host, titles of other windows).
"""

from __future__ import annotations

import ast
import errno
import getpass
import json
import math
import os
import re
import shutil
import socket
import sys
import tempfile
import time
import traceback
import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
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
"""That the remembered frames may have together; two are remembered however large they are."""
GLANCES_EVERY = 0.5
"""Seconds between two that are remembered, of the many pictures of a window that is steered."""
MOST_LOGGED = 1000
"""The last things that happened."""
MOST_KEPT = {"failed": 10, "stopped": 3}
"""Folders that stay: what went wrong is worth more than what the person stopped, and must not be pushed out by it."""
STALE = 3600.0
"""Seconds after which a folder that was never finished (the program was killed) is cleared away."""

NAME = re.compile(r"evidence-\d{8}-\d{6}-(failed|stopped)(-\d+)?")
TAKEN = (errno.EEXIST, errno.ENOTEMPTY)
"""What the system says of a folder's name that another folder has."""
PART = ".evidence-"
REPORT = "report.md"
QUOTED = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
LONG = 6
"""Letters from which on a title is looked for in texts without the marks around it: a shorter one is a common word."""

Content = Any
"""What a file holds: an image, a text, or what ``json.dumps`` takes."""
Overlay = Callable[..., Image]
"""Draws a reading over a picture: image, places, the puzzle's text, doubts, changed spots."""


@dataclass(frozen=True)
class Seen:
    """A frame, and the parts of it (window pixels) that were hidden by something else when it was taken."""

    frame: Frame
    hidden: tuple[Box, ...]

    @property
    def image(self) -> Image:
        """The picture with those parts black."""
        if not self.hidden:
            return self.frame.image
        image = self.frame.image.copy()
        for box in self.hidden:
            box.crop(image)[:] = 0
        return image


@dataclass
class Witness:
    """A screen that passes everything on to ``screen`` and remembers the last of it; ``listen`` hears the session's
    events. ``hidden``: the parts of the window that others hide now; ``titles``: those of all windows."""

    screen: Screen
    hidden: Callable[[], Sequence[Box]] = field(default=tuple)
    titles: Callable[[], Iterable[str]] = field(default=tuple)
    game: Game[Any, Any] | None = None
    layout: Layout | None = None

    def __post_init__(self) -> None:
        self.title = self.screen.title
        self._frames: dict[tuple[int, Any], Seen] = {}
        """The last frames of which no two are alike, the oldest first, by what tells them apart."""
        self._log: deque[dict[str, Any]] = deque(maxlen=MOST_LOGGED)
        self._read: tuple[Seen, Event] | None = None
        """The level as it was read last."""
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
        """None where it cannot be asked what hides the window: then nothing of the frame is kept."""
        try:
            seen = Seen(frame, tuple(self.hidden()))
        except AutoplayerError:
            return None
        key = zlib.crc32(np.ascontiguousarray(frame.image).data), frame.image.shape
        before = self._frames.pop(key, None)  # it is the newest again
        if before is not None:  # the same picture: what it shows of others is still in it
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
        """Hear what happens."""
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
        except Exception as fault:  # a game that cannot read or draw may be what this is about
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
        """What the last frame shows on its own; or why nothing. Read without what others show in it, for that could be
        digits as well."""
        if self.game is None or self.layout is None:
            return "it was not known which game the window shows"
        if not self._frames:
            return "no picture was taken"
        try:
            return self.game.read(self.frames[-1].image, self.layout)
        except UnreadableError as fault:
            return str(fault)

    def _progress(self) -> dict[str, Json]:
        """What was expected, and what was seen last."""
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


# --- writing ---------------------------------------------------------------------------------------------------------


def keep(
    witness: Witness,
    parent: Path,
    *,
    draw: Overlay,
    machine: Callable[[], Json],
    versions: Mapping[str, str],
    by_person: bool = False,
    fault: BaseException | None = None,
) -> Path:
    """Write a new folder in ``parent``, whole or not at all; returns its path. ``machine``: the display's facts;
    ``by_person``: whether the session was stopped by the person, which is worth less; ``fault``: what ended it. Older
    folders than MOST_KEPT allows are removed. Raises OSError where it cannot be written."""
    known = (witness.title, *((witness.game.name, witness.game.title) if witness.game else ()))
    clean = cleaner(witness.secrets(), known)
    kind = "stopped" if by_person else "failed"
    files = witness.files(draw)
    files["versions.json"] = dict(versions)
    try:
        files["doctor.json"] = machine()
    except Exception as broken:  # it looks at a machine of which something may just have gone
        files["doctor.json"] = [{"what": "doctor", "found": f"{type(broken).__name__}: {broken}"}]
    if fault is not None and not isinstance(fault, AutoplayerError | KeyboardInterrupt):
        files["traceback.txt"] = "".join(traceback.format_exception(fault))
    files[REPORT] = _report(witness, fault, sorted(files), versions)
    whole = {name: _bytes(name, content, clean) for name, content in files.items()}

    parent.mkdir(parents=True, exist_ok=True)
    _clear_stale(parent)
    part = Path(tempfile.mkdtemp(prefix=PART, dir=parent))
    try:
        for name, data in whole.items():
            (part / name).parent.mkdir(exist_ok=True)
            (part / name).write_bytes(data)
        folder = _named(part, parent, f"evidence-{time.strftime('%Y%m%d-%H%M%S')}-{kind}")
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    _keep_newest(parent, kind)
    return folder


def _report(witness: Witness, fault: BaseException | None, names: Sequence[str], versions: Mapping[str, str]) -> str:
    covered = [n for n, seen in enumerate(witness.frames, 1) if seen.hidden]
    lines = [
        "# autoplayer: what happened, to be attached to a report",
        "",
        *witness.story(fault),
        f"- {', '.join(f'{name} {version}' for name, version in list(versions.items())[:3])}",
        "",
        "The frames show the inside of the game's window and nothing else. "
        + (
            f"In {', '.join(f'frame-{n}.png' for n in covered)} another window lay over it; that part is black."
            if covered
            else "Nothing lay over it."
        ),
        "Names of the user, the computer and other windows were taken out of the texts. Look through it all the same",
        "before you send it: the window's title and what the game shows are in it.",
        "",
        "| file | what is in it |",
        "|---|---|",
        *(f"| {name} | {what} |" for name, what in WHAT.items() if any(each.startswith(name) for each in names)),
    ]
    return "\n".join(lines) + "\n"


WHAT = {
    "frames": "the last frames of which no two are alike, the newest with the highest number",
    "overlay.png": "what was read, drawn over the picture that it was read from",
    "reading.json": "what was read: puzzle, places (left, top, width, height in window pixels), doubts",
    "progress.json": "what was expected, and what was seen after the last move",
    "log.jsonl": "what happened, a line each, with seconds since the start; gestures in window pixels",
    "layout.json": "what was known of the window",
    "versions.json": "the program, Python, the libraries, the system",
    "doctor.json": "what `autoplayer doctor --json` says of this machine",
    "traceback.txt": "where the program met a fault of its own",
    "fault.txt": "why there is no reading",
}


def _named(part: Path, parent: Path, name: str) -> Path:
    """Give the finished folder its name, or the next one that is free."""
    for number in range(1, 1000):
        folder = parent / (name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            try:
                return part.rename(folder)
            except OSError as fault:
                if fault.errno not in TAKEN:  # another program was quicker
                    raise
    raise FileExistsError(f"there are a thousand folders {name!r}")


def _keep_newest(parent: Path, kind: str) -> None:
    """Remove the oldest of this program's own folders of this kind."""
    own: list[tuple[int, str]] = []
    for each in parent.iterdir():
        if (match := NAME.fullmatch(each.name)) and match[1] == kind and (each / REPORT).is_file():
            with suppress(FileNotFoundError):  # another program removes the oldest, too
                own.append((each.stat().st_mtime_ns, each.name))
    for _, name in sorted(own)[: -MOST_KEPT[kind]]:
        shutil.rmtree(parent / name, ignore_errors=True)


def _clear_stale(parent: Path) -> None:
    for each in parent.glob(PART + "*"):
        with suppress(OSError):
            if time.time() - each.stat().st_mtime > STALE:
                shutil.rmtree(each, ignore_errors=True)


# --- who the person is stays out of it -------------------------------------------------------------------------------


def cleaner(titles: Iterable[str], known: Sequence[str]) -> Callable[[str], str]:
    """A function that takes out of a text what tells who the person is: the home folder, the names of the user and the
    computer, and ``titles`` of other windows. ``known``: the title of the game's window, first, and what else may be
    said."""
    own = known[0]
    places = {os.path.realpath(Path.home()): "~", str(Path.home()): "~"}
    places |= {sys.prefix: "<python>", sys.base_prefix: "<python>", str(Path(__file__).parents[2]): "<autoplayer>"}
    swaps = [(re.escape(path), short) for path, short in places.items() if len(path) > 1]
    # A folder in the home folder goes first, and an empty home (a service's) is no folder.
    swaps.sort(key=lambda swap: -len(swap[0]))
    swaps += [(_word(word), short) for word, short in ((_user(), "<user>"), (socket.gethostname(), "<host>")) if word]
    for title in sorted(titles, key=len, reverse=True):
        if any(title in each for each in known):
            continue
        forms = [re.escape(repr(title)), re.escape(json.dumps(title, ensure_ascii=False))]
        swaps.append(("|".join([*forms, _word(title)] if len(title) >= LONG else forms), "another window"))
    ready = [(re.compile(pattern), short) for pattern, short in swaps]

    def window(match: re.Match[str]) -> str:
        try:
            named = ast.literal_eval(match[1])
        except (SyntaxError, ValueError):
            named = None
        return match[0] if named == own else "another window"

    def clean(text: str) -> str:
        text = re.sub(rf"the window {QUOTED}", window, text, flags=re.IGNORECASE)
        for pattern, short in ready:
            text = pattern.sub(short, text)
        return text

    return clean


def _word(word: str) -> str:
    """A pattern for a word or several that stand on their own."""
    return rf"(?<!\w){re.escape(word)}(?!\w)"


def _user() -> str:
    """The user's name; empty where it tells nothing (the administrator is called the same everywhere), and where it is
    so short that it would be taken for what stands in a puzzle."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):  # a number without a name
        return ""
    return "" if name == "root" or len(name) < 3 else name


# --- the small change ------------------------------------------------------------------------------------------------


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


def _bytes(name: str, content: Content, clean: Callable[[str], str]) -> bytes:
    """A file's content as it is written: a picture, a text, JSON, or JSON lines."""
    if isinstance(content, np.ndarray):
        return bytes(cv2.imencode(".png", content)[1])
    if isinstance(content, str):
        return clean(content).encode()
    plain = _cleaned(content, clean)
    if name.endswith(".jsonl"):
        return "".join(f"{_json(each)}\n" for each in plain).encode()
    if isinstance(plain, dict):  # a line a key, for a person who looks into it
        inside = (f"{_json(str(key))}: {_json(value)}" for key, value in plain.items())
        return ("{\n" + ",\n".join(inside) + "\n}\n").encode()
    return ("[\n" + ",\n".join(map(_json, plain)) + "\n]\n").encode()


def _json(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False, default=str)


def _cleaned(data: Json, clean: Callable[[str], str]) -> Json:
    if isinstance(data, str):
        return clean(data)
    if isinstance(data, Mapping):
        return {key: _cleaned(value, clean) for key, value in data.items()}
    if isinstance(data, Sequence):
        return [_cleaned(each, clean) for each in data]
    return data


def _entry(entry: Mapping[str, Any]) -> dict[str, Json]:
    """A line of the log; gestures were kept as they are, because few of them are ever written."""
    data = dict(entry)
    if "gestures" in data:
        data["gestures"] = [gesture_to_json(each) for each in data["gestures"]]
    return data
