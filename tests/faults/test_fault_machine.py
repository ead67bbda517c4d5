"""Faults of the machine during a session: no space for its recording, no permission to write it, no display any
more."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autoplayer.screen.display import VirtualDisplay, start_xvfb
from autoplayer.screen.recording import load_recording
from tests.faults.conftest import Trouble
from tests.screen.panes import until

ROOM = 25_000
"""Bytes that are left on the disk: for some frames of a small window, not for all."""


def test_the_disk_is_full_while_recording(trouble: Trouble, monkeypatch: pytest.MonkeyPatch) -> None:
    window = trouble.open("cardinal-chains", "--size", "400x300")
    folder = trouble.folder / "recording"
    write, write_bytes = os.write, Path.write_bytes

    def room_for(data: bytes) -> None:
        used = sum(path.stat().st_size for path in folder.glob("*"))
        if used + len(data) > ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def into_file(file: int, data: bytes) -> int:
        if Path(f"/proc/self/fd/{file}").resolve().parent == folder:
            room_for(data)
        return write(file, data)

    def whole(path: Path, data: bytes) -> int:
        if path.parent == folder:
            room_for(data)
        return write_bytes(path, data)

    monkeypatch.setattr(os, "write", into_file)
    monkeypatch.setattr(Path, "write_bytes", whole)
    played = trouble.play("--levels", "2", "--record", str(folder))
    monkeypatch.undo()
    assert played.code == 5
    assert "No space left on device" in played.said
    assert "Traceback" not in played.said
    assert window.all_released()
    recording = load_recording(folder)  # what was written before is whole
    assert all(recording.image(step) is not None for step in recording.steps if step.frame)


def test_the_folder_of_the_recording_cannot_be_written(trouble: Trouble) -> None:
    window = trouble.open("cardinal-chains")
    folder = trouble.folder / "read-only"
    folder.mkdir()
    folder.chmod(0o500)
    # Root may write there all the same; where nothing can be made is below a file.
    target = folder / "recording" if os.geteuid() else trouble.folder / "levels.txt" / "recording"
    played = trouble.play("--levels", "1", "--record", str(target))
    assert (played.code, played.results) == (2, [])
    assert "Nothing can be recorded in" in played.said
    assert "Traceback" not in played.said
    assert not window.events("press")


@pytest.fixture
def own_display() -> Iterator[VirtualDisplay]:
    with start_xvfb((1024, 768)) as running:
        yield running


def test_the_display_goes_away(
    own_display: VirtualDisplay, tmp_path: Path, own_home: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Played in a process of its own: an error there must not end the tests."""
    from tests.bundled import bundled

    (tmp_path / "runtime").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))
    levels = tmp_path / "levels.txt"
    levels.write_text("X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3\n", encoding="utf-8")
    with bundled(tmp_path, "--levels", str(levels)) as window:
        command = [sys.executable, "-m", "autoplayer", "play", "cardinal-chains", "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            until(lambda: window.events("press") or process.poll() is not None, "the first press")
            os.kill(own_display.pid, 9)
            out, said = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 5
    (result,) = map(json.loads, out.splitlines())
    assert result["status"] == "stopped"
    assert "display went away" in result["error"] or "cannot be grabbed" in result["error"]
    assert "Traceback" not in said
    assert "fault of its own" not in said
