"""A recorded session from a stranger: its lines are the input, its pictures stand beside them, some of them bad."""

from __future__ import annotations

import functools
import os
import struct
import tempfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from autoplayer import games
from autoplayer.cli import sessions
from autoplayer.core.frame import Frame, Point
from autoplayer.core.gestures import Gesture, Pace
from autoplayer.layout import Layout
from autoplayer.screen.recording import LINES, Recorder
from autoplayer.session import Session
from fuzz import judge
from fuzz.targets import small
from fuzz.targets.base import Target

BOARDS = (("null", "1 0 1"), ("hashi", "2.2\n...\n1.1"))


def run(data: bytes, folder: Path) -> None:
    place = folder / "session"
    place.mkdir()
    for name, content in _frames().items():
        (place / name).write_bytes(content)
    (folder / "outside.png").write_bytes(_frames()["frame-000001.png"])
    os.symlink(folder / "outside.png", place / "link.png")
    (place / "folder.png").mkdir()
    (place / LINES).write_bytes(data)
    judge.command("replay", str(place), "--json", home=folder / "home")


@functools.cache
def _frames() -> dict[str, bytes]:
    boards = [small.png(small.board(*each, width=200)) for each in BOARDS]
    huge = b"IHDR" + struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    bomb = small.SIGNATURE + struct.pack(">I", 13) + huge + struct.pack(">I", zlib.crc32(huge)) + boards[0][33:]
    return {
        "frame-000001.png": boards[0],
        "frame-000002.png": boards[1],
        "half.png": boards[0][: len(boards[0]) // 2],
        "text.png": b"this is a text\n",
        "huge.png": bomb,
    }


class _Deaf:
    """A screen on which nothing that is done has any effect."""

    def __init__(self, picture: Frame) -> None:
        self.title = "deaf"
        self.picture = picture
        self.clock = 0.0

    def now(self) -> float:
        self.clock += 0.05
        return self.clock

    def grab(self) -> Frame:
        return Frame(self.picture.image, self.picture.origin, self.now())

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        self.clock += limit if unlike is not None else quiet
        return self.grab()

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self.clock += 1.0

    def park(self, at: Point) -> None:
        self.clock += 0.1

    def close(self) -> None:
        pass


def seeds() -> list[bytes]:
    found = []
    for name, text in BOARDS:
        game, known = games.load(name), Layout(game=name)
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "made"
            screen = _Deaf(Frame(small.board(name, text, width=200), (0, 0), 0.0))
            recorder = Recorder(screen, folder, {"game": name, "levels": 1, "layout": known.model_dump(mode="json")})
            session = Session(game, recorder, known, listeners=[sessions.notes(game, recorder)])
            list(session.play(1))
            sessions.note_frames(game, known, recorder)
            recorder.close()
            lines = (folder / LINES).read_bytes()
        if name == "hashi":
            lines = lines.replace(b"frame-000001", b"frame-000002")
        found += [lines, b"\n".join([*lines.split(b"\n")[:6], b""])]
    head = found[0].split(b"\n")[0] + b"\n"
    look = b'{"kind":"grab","start":0,"end":1,"frame":"%s.png","origin":[0,0],"time":1}\n'
    found += [head + look % name for name in (b"link", b"half", b"text", b"huge", b"folder", b"gone", b"../outside")]
    found.append(
        head + b'{"kind":"note","start":0,"end":0,"name":"seen","data":{"frame":"frame-000001.png","puzzle":""}}\n'
    )
    return found


WORDS = [
    *(f'"{word}"'.encode() for word in ("kind", "start", "end", "clock")),
    *(f'"{word}"'.encode() for word in ("error", "frame", "origin", "time", "gestures")),
    *(f'"{word}"'.encode() for word in ("pace", "at", "name", "data", "do")),
    *(f'"{word}"'.encode() for word in ("path", "keys", "seconds", "button", "type")),
    *(f'"{word}"'.encode() for word in ("grab", "still", "perform", "park", "note")),
    *(f'"{word}"'.encode() for word in ("seen", "moved", "read", "result", "text")),
    *(f'"{word}"'.encode() for word in ("puzzle", "unreadable", "layout", "levels", "game", "facts", "StoppedError")),
    *(f'"{word}.png"'.encode() for word in ("frame-000001", "frame-000002", "half")),
    *(f'"{word}.png"'.encode() for word in ("huge", "link", "../outside", "/etc/x")),
    *(word.encode() for word in ("NaN", "Infinity", "1e999", "-1", "1e18")),
    *(word.encode() for word in ("\\ud800", "\\u0000", "\\u001b[2J", "[[[[", "null")),
    b"\xff", b"\x00", b"\r\n", b"\xef\xbb\xbf",
]  # fmt: skip

TARGET = Target("recordings", "recorded sessions (lines and frames)", run, seeds, WORDS, longest=16_384)
