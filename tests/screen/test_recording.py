"""Recordings: what was recorded is replayed unchanged, differences are named, and a damaged recording gives an error
message."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoplayer.core.errors import AutoplayerError, MachineError, NotFoundError, StoppedError, UsageError
from autoplayer.core.frame import Frame, Json, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Hold, Keys, Pace, Wheel
from autoplayer.screen.base import Screen
from autoplayer.screen.guard import ChangedError, CoveredError
from autoplayer.screen.recording import LINES, RecordedScreen, Recorder, load_recording
from tests.screen.panes import OpenScreen, OpenWindow


class Slides:
    """A screen that shows given pictures in turn and obeys every gesture."""

    title = "Slides – ä"

    def __init__(self, *values: int) -> None:
        self._frames = [np.full((20, 30, 3), v, np.uint8) for v in values]
        for frame in self._frames:
            frame[3, 4] = 7, 8, 9
        self._time = 0.0
        self.fault: BaseException | None = None

    def now(self) -> float:
        self._time += 0.5
        return self._time

    def grab(self) -> Frame:
        if self.fault is not None:
            raise self.fault
        return Frame(self._frames.pop(0), (5, 6), self.now())

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self.grab()

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self.now()
        if self.fault is not None:
            raise self.fault

    def park(self, at: Point) -> None:
        self.now()

    def close(self) -> None: ...


GESTURES: tuple[Gesture, ...] = (
    Click((1, 2), "right"),
    Drag(((1, 2), (3, 4), (5, 6))),
    Keys(("up", "ß")),
    Hold(("left",), 0.5),
    Wheel((3, 4), -2),
    Click((3, 4), times=2),
)


def act(
    screen: Screen,
    note: Callable[[str, Any], None],
    clicks: Point = (4, 4),
    gestures: tuple[Gesture, ...] = GESTURES,
) -> list[Any]:
    """A little session; returns all that it was shown."""
    seen: list[Any] = [screen.now()]
    seen.append(screen.still())
    note("read", {"puzzle": "X 1 2\n1 1 2", "doubts": [], "seconds": seen[0]})
    screen.park((1, 1))
    seen += [screen.now(), screen.now()]
    screen.perform(gestures, Pace())
    seen.append(screen.still(2.0, unlike=seen[1]))
    screen.perform([Click(clicks)], Pace().slower())
    seen += [screen.grab(), screen.now()]
    return seen


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[Path, list[Any]]:
    recorder = Recorder(Slides(10, 20, 10), tmp_path / "session", {"game": "null"})
    seen = act(recorder, recorder.note)
    recorder.close()
    return tmp_path / "session", seen


def same(a: Any, b: Any) -> bool:
    if isinstance(a, Frame):
        return a.origin == b.origin and a.time == b.time and np.array_equal(a.image, b.image)
    return bool(a == b)


def test_a_replay_shows_and_tells_the_same(recorded: tuple[Path, list[Any]]) -> None:
    folder, seen = recorded
    screen = RecordedScreen(folder)
    again = act(screen, screen.note)
    assert screen.title == "Slides – ä"
    assert screen.recording.facts == {"game": "null"}
    assert screen.finish() == []
    assert len(again) == len(seen)
    assert all(same(a, b) for a, b in zip(seen, again, strict=True))
    performed = [s for s in screen.recording.steps if s.kind == "perform"]
    assert performed[0].gestures == GESTURES
    assert performed[1].pace == Pace().slower()


def test_equal_frames_are_stored_once(recorded: tuple[Path, list[Any]]) -> None:
    folder, _ = recorded
    assert sorted(p.name for p in folder.iterdir()) == ["frame-000001.png", "frame-000002.png", LINES]


class Steered(Slides):
    """Its keys can be held."""

    def glance(self, pause: float = 0.0) -> Frame:
        return self.grab()

    def hold(self, keys: Collection[str]) -> None:
        self.now()


def test_other_keys_that_are_held_are_named(tmp_path: Path) -> None:
    recorder = Recorder(Steered(10, 20), tmp_path / "session")
    for keys in (("up", "left"), ()):
        recorder.hold(keys)
        recorder.glance()
    recorder.close()
    same, other = RecordedScreen(tmp_path / "session"), RecordedScreen(tmp_path / "session")
    for screen, keys in ((same, ("left", "up")), (other, ("left", "down"))):
        screen.hold(keys)
        screen.glance()
        screen.hold(())
        screen.glance()
    assert same.finish() == []
    assert other.finish() == [
        f"{tmp_path / 'session' / LINES}:2: held was left up, now it is down left",
    ]


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        ({"moves": [1, 2]}, {"moves": [1, 3]}, "at moves[1] recorded was 2, now it is 3"),
        ({"moves": [1, 2]}, {"moves": [1]}, "at moves 2 items were recorded, now there are 1"),
        ({"puzzle": "X 1\n2 2"}, {"puzzle": "X 1\n2 3"}, "at puzzle in row 2 recorded was '2 2', now it is '2 3'"),
    ],
)
def test_the_first_difference_in_what_was_noted_is_named(then: Json, now: Json, said: str, tmp_path: Path) -> None:
    recorder = Recorder(Slides(10), tmp_path / "session")
    recorder.note("read", then)
    recorder.close()
    screen = RecordedScreen(tmp_path / "session")
    screen.note("read", now)
    assert screen.finish() == [f"{tmp_path / 'session' / LINES}:2: read: {said}"]


def test_another_gesture_is_named(recorded: tuple[Path, list[Any]]) -> None:
    folder, _ = recorded
    screen = RecordedScreen(folder)
    act(screen, screen.note, clicks=(4, 9))
    assert screen.finish() == [
        f"{folder / LINES}:7: recorded was a left click at 4,4, now it is a left click at 4,9",
    ]


@pytest.mark.parametrize(
    ("of", "now", "same"),
    [
        (0, Click((2, 1), "right"), True),
        (0, Click((1, 4), "right"), False),
        (0, Click((1, 2)), False),
        (1, Drag(((2, 2), (3, 4), (5, 7))), True),
        (1, Drag(((1, 2), (3, 4), (5, 8))), False),
        (1, Drag(((1, 2), (3, 4))), False),
        (4, Wheel((3, 5), -2), True),
        (4, Wheel((3, 4), 2), False),
        (5, Click((3, 5), times=2), True),
        (5, Click((3, 4)), False),
        (4, Click((3, 4)), False),
    ],
)
def test_a_place_that_is_rounded_otherwise_is_no_other_place(
    recorded: tuple[Path, list[Any]], of: int, now: Gesture, same: bool
) -> None:
    """Incident: a recording of one machine was "different" on another one, whose numbers' last bits are others."""
    screen = RecordedScreen(recorded[0])
    act(screen, screen.note, gestures=(*GESTURES[:of], now, *GESTURES[of + 1 :]))
    assert (screen.finish() == []) is same


def test_another_reading_is_named_with_its_place(recorded: tuple[Path, list[Any]]) -> None:
    folder, _ = recorded
    screen = RecordedScreen(folder)

    def changed(name: str, data: Any) -> None:
        screen.note(name, {**data, "puzzle": "X 1 2\n1 7 2"})

    act(screen, changed)
    assert screen.finish() == [
        f"{folder / LINES}:3: read: at puzzle in row 2 recorded was '1 1 2', now it is '1 7 2'",
    ]


def test_calls_left_out_and_calls_too_many_are_named(recorded: tuple[Path, list[Any]]) -> None:
    folder, _ = recorded
    screen = RecordedScreen(folder)
    screen.still()
    screen.perform(GESTURES, Pace())
    gestures = "a right click at 1,2, then a left drag through 1,2 3,4 5,6, then the keys up ß, then holding left"
    assert screen.differences == [
        f"{folder / LINES}:4: recorded was parking the pointer at 1,1, "
        f"now the session asks to perform {gestures} for 0.5 s, then 2 notches of the wheel down at 3,4, "
        "then a left double click at 3,4"
    ]
    assert len(screen.finish()) == 3  # the rest, and the note
    again = RecordedScreen(folder)
    act(again, again.note)
    with pytest.raises(AutoplayerError, match="ends here"):
        again.grab()
    again.note("more", 1)
    assert len(again.differences) == 2


@pytest.mark.parametrize("fault", [CoveredError("covered"), ChangedError("changed"), StoppedError("stopped")])
def test_a_failed_call_fails_again(fault: AutoplayerError, tmp_path: Path) -> None:
    slides = Slides(1)
    recorder = Recorder(slides, tmp_path)
    recorder.grab()
    slides.fault = fault
    with pytest.raises(type(fault)):
        recorder.perform([Click((1, 1))], Pace())
    with pytest.raises(type(fault)):
        recorder.still()
    slides.fault = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        recorder.still()
    recorder.close()
    screen = RecordedScreen(tmp_path)
    screen.grab()
    with pytest.raises(type(fault), match=str(fault)):
        screen.perform([Click((1, 1))], Pace())
    with pytest.raises(type(fault), match=str(fault)):
        screen.still()
    with pytest.raises(StoppedError):
        screen.still()
    assert screen.finish() == []


def test_a_live_session_replays_equal(open_window: OpenWindow, open_screen: OpenScreen, tmp_path: Path) -> None:
    pane = open_window()
    pane.tell("fill ff0000 30 40 50 60")
    pane.log()
    recorder = Recorder(open_screen(pane), tmp_path / "live")

    def session(screen: Screen) -> list[Any]:
        seen = [screen.still()]
        screen.park((2, 2))
        screen.perform([Click((50, 60)), Drag(((10, 10), (30, 10)))], Pace(0.02, 0.02, 0.02))
        return [*seen, screen.now(), screen.grab()]

    live = session(recorder)
    recorder.close()
    screen = RecordedScreen(tmp_path / "live")
    assert all(same(a, b) for a, b in zip(live, session(screen), strict=True))
    assert screen.finish() == []


# What is broken


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / LINES).read_text(encoding="utf-8").splitlines()]


def write(folder: Path, entries: list[Any]) -> None:
    (folder / LINES).write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "change", "says"),
    [
        (1, {"version": 2}, "version 1.*'2'"),
        (1, {"kind": "still"}, "'session'"),
        (2, {"kind": "jump"}, "jump"),
        (2, {"frame": "../../secret.png"}, "frame"),
        (2, {"frame": "/etc/passwd"}, "frame"),
        (2, {"frame": None}, "either a frame or an error"),
        (2, {"origin": [1, "x"]}, "origin"),
        (2, {"extra": 1}, "extra"),
        (2, {"end": -1}, "end"),
        (2, {"end": float("nan")}, "end"),
        (4, {"at": [1]}, "at"),
        (5, {"gestures": [{"do": "click", "at": [10**9, 0]}]}, "gestures"),
        (5, {"gestures": [{"do": "shout"}]}, "shout"),
        (5, {"pace": {"press": 1}}, "pace"),
    ],
)
def test_a_wrong_line_is_named(line: int, change: dict[str, Any], says: str, recorded: tuple[Path, list[Any]]) -> None:
    folder, _ = recorded
    entries = lines(folder)
    entries[line - 1] = {**entries[line - 1], **change}
    write(folder, entries)
    with pytest.raises(UsageError, match=rf"session\.jsonl:{line}: .*{says}"):
        load_recording(folder)


def test_what_is_no_recording_is_a_sentence(tmp_path: Path, recorded: tuple[Path, list[Any]]) -> None:
    with pytest.raises(NotFoundError, match="no recording"):
        load_recording(tmp_path / "nowhere")
    with pytest.raises(NotFoundError, match="no recording"):
        load_recording(recorded[0] / "frame-000001.png")
    for content, says in (
        (b"", "empty"),
        (b"\xff\xfe\n", ":1: a JSON object"),
        (b"[1, 2]\n", "'session'"),
        (b"[" * 100_000 + b"\n", ":1:"),
        (b'{"kind": "session", "version": ' + b"1" * 10_000 + b"}\n", ":1:"),
    ):
        (tmp_path / LINES).write_bytes(content)
        with pytest.raises(UsageError, match=says):
            load_recording(tmp_path)


def test_a_frame_that_is_missing_broken_or_elsewhere_is_a_sentence(recorded: tuple[Path, list[Any]]) -> None:
    folder, _ = recorded
    frame = folder / "frame-000001.png"
    whole = frame.read_bytes()
    huge = whole[:16] + (30_000).to_bytes(4, "big") * 2 + whole[24:]
    for content, says in (
        (b"no picture", "not a PNG"),
        (whole[:60], "broken PNG"),
        (huge, "30000x30000"),
    ):
        frame.write_bytes(content)
        with pytest.raises(UsageError, match=rf"session\.jsonl:2: .*{says}"):
            RecordedScreen(folder).still()
    frame.unlink()
    with pytest.raises(NotFoundError, match=r"session\.jsonl:2: .*'frame-000001.png' is missing"):
        RecordedScreen(folder).still()
    outside = folder.parent / "outside.png"
    outside.write_bytes(whole)
    frame.symlink_to(outside)
    with pytest.raises(UsageError, match="outside the recording's folder"):
        RecordedScreen(folder).still()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_recordings_never_end_in_a_traceback(data: st.DataObject, recorded: tuple[Path, list[Any]]) -> None:
    folder, _ = recorded
    original = (folder / LINES).read_bytes()
    try:
        damaged = bytearray(original)
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, len(damaged) - 1))
            damaged[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
        (folder / LINES).write_bytes(bytes(damaged))
        try:
            screen = RecordedScreen(folder)
            act(screen, screen.note)
            screen.finish()
        except AutoplayerError:
            pass  # a sentence; anything else fails the test
    finally:
        (folder / LINES).write_bytes(original)


# Where nothing can be written


def test_a_recording_is_not_written_over(recorded: tuple[Path, list[Any]], tmp_path: Path) -> None:
    folder, _ = recorded
    before = (folder / LINES).read_bytes()
    with pytest.raises(UsageError, match="holds a recording already"):
        Recorder(Slides(), folder)
    assert (folder / LINES).read_bytes() == before
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="is a file"):
        Recorder(Slides(), tmp_path / "file")
    with pytest.raises(UsageError, match="Nothing can be recorded"):
        Recorder(Slides(), tmp_path / "file" / "below")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="Nothing can be recorded"):
        Recorder(Slides(), tmp_path)


def test_a_full_disk_is_a_sentence_and_leaves_whole_lines(tmp_path: Path) -> None:
    """A limit on the size of files stands for the full disk: the write fails half way, as it does there."""
    import signal

    recorder = Recorder(Slides(1, 1, 1), tmp_path)
    recorder.grab()
    whole = (tmp_path / LINES).read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 10, hard))
    try:
        with pytest.raises(MachineError, match="cannot be written any further"):
            recorder.grab()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert (tmp_path / LINES).read_bytes() == whole
    recorder.grab()  # there is room again
    assert len(load_recording(tmp_path).steps) == 2


def test_a_frame_is_whole_before_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(Slides(1, 2), tmp_path)
    seen: list[bool] = []
    write_line = recorder._write

    def checked(line: bytes) -> None:
        seen.append(cv2.imread(str(tmp_path / json.loads(line)["frame"])) is not None)
        write_line(line)

    monkeypatch.setattr(recorder, "_write", checked)
    recorder.grab()
    recorder.still()
    assert seen == [True, True]
