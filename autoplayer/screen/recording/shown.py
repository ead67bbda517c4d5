"""Replays a recording as a screen: it shows what was seen, and compares what the session does now."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

from autoplayer.core.errors import AutoplayerError, StoppedError
from autoplayer.core.frame import Box, Frame, Image, Json, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Hold, Keys, Pace, Wheel
from autoplayer.screen.recording.lines import ASIDE, ERRORS, LINES, Step, plain
from autoplayer.screen.recording.loading import Recording, load_recording

MOST_DIFFERENCES = 1000
"""The most differences that are kept; a session that has diverged from its record differs in everything."""
UNCOMPARED = frozenset({"seconds", "time"})
"""Keys in the data of notes that differ from run to run."""
ROUNDING = 1
"""Pixels by which a place may differ from the recorded one: a centre at half a pixel may be rounded to either side on
another processor or with another version of a library."""


class RecordedScreen:
    """A screen that replays a recording. Nothing is pressed and nothing waits; ``differences`` says, in sentences,
    where the session now acts differently."""

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
        # The recorded times, each with the call before which the session was told it.
        self._clock: dict[int, list[float]] = {}
        calls = 0
        for step in self.recording.steps:
            self._clock.setdefault(calls, []).extend(step.clock)
            calls += step.kind not in ASIDE

    def now(self) -> float:
        """The time that the session was told at this point when it was recorded."""
        answers = self._clock.get(self._next_call)
        if answers:
            self._time = max(self._time, answers.pop(0))
        elif self._next_call < len(self._calls):
            # Asked more often than then: the time at which the next call began is close.
            self._time = max(self._time, self._calls[self._next_call].start)
        return self._time

    def grab(self) -> Frame:
        return self._look("grab")

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self._look("still")

    def glance(self, pause: float = 0.0) -> Frame:
        """The picture of that moment, or, where it was not kept, the last one before it."""
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
        if not _same(step.gestures, gestures):
            self._differ(step, f"recorded was {_say_gestures(step.gestures)}, now it is {_say_gestures(gestures)}")
        self._fail(step)

    def park(self, at: Point) -> None:
        step = self._take(("park",), f"to park the pointer at {_say_point(at)}")
        if step.at is not None and not _close(step.at, at):
            self._differ(step, f"the pointer was parked at {_say_point(step.at)}, now at {_say_point(at)}")
        self._fail(step)

    def lies_over(self, boxes: Sequence[Box]) -> str | None:
        """What covered the board at this point when it was recorded."""
        return self._aside("over", "what lies over the board")

    def answer_dialog(self, pace: Pace) -> str | None:
        """The dialog that was answered at this point when it was recorded."""
        return self._aside("answer", "for a dialog to be answered")

    def _aside(self, kind: str, asked: str) -> str | None:
        self._asks += 1
        step = self._calls[self._next_call] if self._next_call < len(self._calls) else None
        if step is not None and (step.kind, step.ask) == (kind, self._asks):
            return self._take((kind,), asked).what
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
        """Whether a recording that was cut short has been replayed to its end: what comes now was not recorded."""
        return self.recording.limit is not None and self._next_call >= len(self._calls)

    def close(self) -> None:
        """There is nothing to close."""

    def finish(self) -> list[str]:
        """All differences, including those that only show at the end: what was recorded and has not happened now."""
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
        """The next call of one of these kinds; skipped calls of other kinds are differences."""
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
        if kinds not in (("over",), ("answer",)):
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


def _same(then: Sequence[Gesture], now: Sequence[Gesture]) -> bool:
    """Whether gestures are equal, with places that differ by at most :data:`ROUNDING`."""
    return len(then) == len(now) and all(map(_alike, then, now))


def _alike(then: Gesture, now: Gesture) -> bool:
    match then, now:
        case Click(), Click():
            return (then.button, then.times) == (now.button, now.times) and _close(then.at, now.at)
        case Wheel(), Wheel():
            return then.notches == now.notches and _close(then.at, now.at)
        case Drag(), Drag():
            return (
                then.button == now.button and len(then.path) == len(now.path) and all(map(_close, then.path, now.path))
            )
        case _:
            return then == now


def _close(then: Sequence[int], now: Sequence[int]) -> bool:
    return all(abs(a - b) <= ROUNDING for a, b in zip(then, now, strict=True))


def _comparable(data: Json) -> Json:
    """``data`` after a round trip through JSON, without what differs from run to run."""
    return _without(json.loads(json.dumps(data, default=plain)))


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
            case Click(at, button, times):
                said.append(f"a {button} {'double ' * (times == 2)}click at {_say_point(at)}")
            case Drag(path, button):
                said.append(f"a {button} drag through " + " ".join(_say_point(p) for p in path))
            case Keys(keys):
                said.append("the keys " + " ".join(keys))
            case Hold(keys, seconds):
                said.append("holding " + " ".join(keys) + f" for {seconds:g} s")
            case Wheel(at, notches):
                way = "up" if notches > 0 else "down"
                said.append(f"{abs(notches)} notches of the wheel {way} at {_say_point(at)}")
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
        case "answer":
            return f"that {step.what} was answered"
        case "over":
            return f"that {step.what} lay over the board"
        case _:
            return "a look at the window"
