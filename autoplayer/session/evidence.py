"""Evidence: what a session leaves behind when it does not end with a win, as one folder that can be attached to a
report. A ``witness`` has collected its content; nothing is written as long as all goes well.

Two things never get into it: what other windows show (``witness``), and who the person is (``anonymous``).
"""

from __future__ import annotations

import errno
import json
import re
import shutil
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from autoplayer.core.errors import AutoplayerError
from autoplayer.core.frame import Json
from autoplayer.session.anonymous import cleaner
from autoplayer.session.witness import Content, Overlay, Witness

MOST_KEPT = {"failed": 10, "stopped": 3}
"""The most folders that are kept: failures are more valuable than stops by the person, and must not be displaced by
those."""
STALE = 3600.0
"""Seconds after which an unfinished folder (the program was killed) is deleted."""

NAME = re.compile(r"evidence-\d{8}-\d{6}-(failed|stopped)(-\d+)?")
TAKEN = (errno.EEXIST, errno.ENOTEMPTY)
"""The system's errors when another folder has the same name."""
PART = ".evidence-"
REPORT = "report.md"


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
    """Write a new folder in ``parent``, atomically; returns its path. ``machine``: facts about the display;
    ``by_person``: whether the person stopped the session, which makes it less valuable; ``fault``: what ended it. Older
    folders beyond MOST_KEPT are removed. Raises OSError where it cannot be written."""
    known = (witness.title, *((witness.game.name, witness.game.title) if witness.game else ()))
    clean = cleaner(witness.secrets(), known)
    kind = "stopped" if by_person else "failed"
    files = witness.files(draw)
    files["versions.json"] = dict(versions)
    try:
        files["doctor.json"] = machine()
    except Exception as broken:  # parts of the machine that it examines may just have failed
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
    """Give the finished folder its name, or the next free one."""
    for number in range(1, 1000):
        folder = parent / (name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            try:
                return part.rename(folder)
            except OSError as fault:
                if fault.errno not in TAKEN:  # another program was faster
                    raise
    raise FileExistsError(f"there are a thousand folders {name!r}")


def _keep_newest(parent: Path, kind: str) -> None:
    """Remove the oldest of this program's own folders of this kind."""
    own: list[tuple[int, str]] = []
    for each in parent.iterdir():
        if (match := NAME.fullmatch(each.name)) and match[1] == kind and (each / REPORT).is_file():
            with suppress(FileNotFoundError):  # another program also removes the oldest
                own.append((each.stat().st_mtime_ns, each.name))
    for _, name in sorted(own)[: -MOST_KEPT[kind]]:
        shutil.rmtree(parent / name, ignore_errors=True)


def _clear_stale(parent: Path) -> None:
    for each in parent.glob(PART + "*"):
        with suppress(OSError):
            if time.time() - each.stat().st_mtime > STALE:
                shutil.rmtree(each, ignore_errors=True)


def _bytes(name: str, content: Content, clean: Callable[[str], str]) -> bytes:
    """The bytes of a file: a picture, a text, JSON, or JSON lines."""
    if isinstance(content, np.ndarray):
        return bytes(cv2.imencode(".png", content)[1])
    if isinstance(content, str):
        return clean(content).encode()
    plain = _cleaned(content, clean)
    if name.endswith(".jsonl"):
        return "".join(f"{_json(each)}\n" for each in plain).encode()
    if isinstance(plain, dict):  # one key a line, for people who read it
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
