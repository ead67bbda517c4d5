"""Recordings with a size limit: the files never exceed it, and what was recorded until then can be replayed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from autoplayer.cli import main, sessions
from autoplayer.cli.record import Keeper
from autoplayer.core.errors import StoppedError, UsageError
from autoplayer.core.frame import Frame
from autoplayer.core.gestures import Click, Pace
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import Layout
from autoplayer.screen.recording import LEAST_LIMIT, LINES, RecordedScreen, Recorder, load_recording
from autoplayer.session import Session
from tests.screen.test_recording import Slides
from tests.simulated import Look, Simulated

LEVELS = ("X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3", "3 3 2\n1 1 2\n2 X X") * 200
LAYOUT = Layout(game="cardinal-chains")
LIMIT = 4_000_000


class Noise(Slides):
    """Pictures of which no two are alike and none can be packed: 120 kB each."""

    def grab(self) -> Frame:
        if self.fault is not None:
            raise self.fault
        picture = np.random.default_rng(round(self.now() * 2)).integers(0, 256, (200, 200, 3), np.uint8)
        return Frame(picture, (5, 6), self.now())


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def test_a_recording_never_grows_beyond_its_limit(tmp_path: Path) -> None:
    screen = Noise()
    recorder = Recorder(screen, tmp_path, {"game": "null"}, LEAST_LIMIT)
    sizes, frames = [], []
    for _ in range(30):
        frames.append(recorder.grab())
        recorder.perform([Click((1, 1))], Pace())
        recorder.note("seen", "x" * 1000)
        sizes.append(size(tmp_path))
    assert recorder.full
    assert max(sizes) <= 0.9 * LEAST_LIMIT  # the rest is for what is noted when the session is over
    assert len({frame.image.tobytes() for frame in frames}) == 30  # the session saw them all
    for n in range(1000):
        recorder.note("seen", {"frame": n, "text": "x" * 1000}, closing=True)
    screen.fault = StoppedError("a hand on the mouse")
    with pytest.raises(StoppedError, match="a hand"):
        recorder.grab()
    recorder.close()
    assert 0.95 * LEAST_LIMIT < size(tmp_path) <= LEAST_LIMIT
    recording = load_recording(tmp_path)
    assert recording.limit == LEAST_LIMIT
    assert recording.steps[-1].kind == "end"
    kinds = [step.kind for step in recording.steps]
    assert set(kinds[kinds.index("limit") + 1 :]) == {"note", "end"}
    named = [step.frame for step in recording.steps if step.frame]
    assert sorted(path.name for path in tmp_path.glob("*.png")) == sorted(named)  # none without a line
    shown = [recording.image(step) for step in recording.steps if step.frame]
    assert all(np.array_equal(a, b.image) for a, b in zip(shown, frames, strict=False))


def test_below_its_limit_a_recording_is_whole(tmp_path: Path) -> None:
    recorder = Recorder(Slides(1, 2), tmp_path, limit=LEAST_LIMIT)
    recorder.grab()
    recorder.note("x", 1)
    recorder.close()
    assert load_recording(tmp_path).limit is None


def test_a_frame_that_has_no_room_for_its_line_is_not_left_behind(tmp_path: Path) -> None:
    recorder = Recorder(Slides(1, 2), tmp_path, limit=LEAST_LIMIT)
    recorder.grab()
    room = int(LEAST_LIMIT * 0.9) - size(tmp_path)
    recorder.note("x", "x" * (room - 250))  # the frame's file fits after this, and its line does not
    recorder.grab()
    assert recorder.full
    recorder.close()
    assert [path.name for path in tmp_path.glob("*.png")] == ["frame-000001.png"]
    assert [step.kind for step in load_recording(tmp_path).steps] == ["grab", "note", "limit", "end"]


def test_a_limit_that_holds_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="limit"):
        Recorder(Slides(), tmp_path / "new", limit=999)
    assert not (tmp_path / "new").exists()


@pytest.fixture(scope="module")
def shortened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Levels played in a simulated window until the recording has long been full; and how many were played."""
    folder = tmp_path_factory.mktemp("recordings") / "long"
    window = Simulated(LEVELS, Look(pitch=60, origin=(80, 50), size=(400, 340)))
    rng = np.random.default_rng(1)

    class Grainy:
        """Adds a grain that no PNG packs away, so that ten frames are a megabyte."""

        title = "grainy"
        now, perform, park, close = window.now, window.perform, window.park, window.close

        def grab(self) -> Frame:
            return self._grain(window.grab())

        def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
            return self._grain(window.still(limit, unlike=unlike, quiet=quiet))

        def _grain(self, frame: Frame) -> Frame:
            noisy = frame.image.astype(np.int16) + rng.integers(-2, 3, frame.image.shape, np.int16)
            return Frame(np.clip(noisy, 0, 255).astype(np.uint8), frame.origin, frame.time)

    facts = {"game": "cardinal-chains", "levels": 4, "layout": LAYOUT.model_dump(mode="json")}
    recorder = Recorder(Grainy(), folder, facts, LIMIT)
    session = Session(GAME, recorder, LAYOUT, listeners=[sessions.notes(GAME, recorder)])
    assert [result.status for result in session.play(4)] == ["won"] * 4
    sessions.note_frames(GAME, LAYOUT, recorder)
    recorder.close()
    assert recorder.full
    return folder, 4


def test_a_shortened_recording_replays_as_far_as_it_goes(
    shortened: tuple[Path, int], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, played = shortened
    assert size(folder) <= LIMIT
    assert main(["replay", "--json", str(folder)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["status"], said["differences"], said["shortened"]) == ("same", [], LIMIT)
    assert 0 < said["levels"] < played


def test_a_shortened_recording_still_tells_what_differs(
    shortened: tuple[Path, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = shortened
    lines = [json.loads(line) for line in (folder / LINES).read_text(encoding="utf-8").splitlines()]
    changed = next(line for line in lines if line["kind"] == "perform")
    changed["gestures"][0]["path"][0][0] += 7
    copy = tmp_path / "copy"
    copy.mkdir()
    for picture in folder.glob("*.png"):
        (copy / picture.name).hardlink_to(picture)
    (copy / LINES).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert main(["replay", str(copy)]) == 1
    out = capsys.readouterr().out
    assert "drag" in out
    assert "shortened" in out
    assert "4 MB" in out


def test_what_was_cut_off_is_no_difference_and_what_is_there_is(tmp_path: Path) -> None:
    recorder = Recorder(Noise(), tmp_path, limit=LEAST_LIMIT)
    while not recorder.full:
        recorder.grab()
    recorder.close()
    screen = RecordedScreen(tmp_path)
    for _ in screen.recording.steps[:-2]:
        screen.grab()
    with pytest.raises(StoppedError, match="limit"):
        screen.grab()
    screen.note("more", 1)
    assert screen.finish() == []
    other = RecordedScreen(tmp_path)
    other.grab()
    assert "did not come" in other.finish()[0]


# The commands


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("500MB", 500_000_000),
        ("2 GB", 2_000_000_000),
        ("1.5gb", 1_500_000_000),
        ("1000 kB", 1_000_000),
        ("none", None),
    ],
)
def test_sizes_are_read_as_a_person_writes_them(text: str, size: int | None) -> None:
    assert sessions.size(text, "--record-limit") == size
    if size is not None:
        assert sessions.size(sessions.said_size(size), "--record-limit") == size


@pytest.mark.parametrize("text", ["", "5", "MB", "999kB", "-5MB", "1e9MB", "5 TB", "0.5 MB", "5MB5", "٥MB"])
def test_other_sizes_are_a_sentence(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--window", "x", "--record-limit", text]
    for start in (["play", "hashi", "--record", "new"], ["record", "new"]):
        assert main([*start, *command]) == 2
        said = capsys.readouterr().err
        assert "--record-limit: expected a size" in said
        assert len(said.splitlines()) == 1


def test_stills_end_before_their_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keeper = Keeper(tmp_path, None, False, 300_000)
    noise = [
        Noise().grab().image,
        *(np.random.default_rng(n).integers(0, 256, (200, 200, 3), np.uint8) for n in (1, 2)),
    ]
    assert [keeper.keep(image) for image in noise] == [True, True, False]
    assert keeper.kept == 2
    assert size(tmp_path) <= 300_000
    assert len(list(tmp_path.iterdir())) == 2
