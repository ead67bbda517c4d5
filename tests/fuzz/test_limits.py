"""Enormous inputs, and inputs that claim to be: each is answered with the right exit code in less than 1 GB of memory,
most in a second. The program runs in a process of its own with that limit."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autoplayer.screen.recording import LINES
from fuzz import judge
from fuzz.targets import small

ROOT = Path(__file__).parents[2]

PROGRAM = f"""
import json, os, signal, sys, traceback
import cv2, numpy, pydantic, PIL.Image, pysat.solvers
from autoplayer.cli import main, play, read, replay, solve
from fuzz import judge
cv2.setNumThreads(1)
for line in sys.stdin:
    arguments, home, said = json.loads(line)
    child = os.fork()
    if not child:
        signal.alarm(300)
        os.environ["AUTOPLAYER_HOME"] = home
        for number, file in enumerate((os.devnull, os.devnull, said)):
            os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), number)
        judge.limit_memory({judge.MEGABYTES})
        code = 70
        try:
            code = main(arguments)
        except BaseException:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""What is slow to load is loaded once; each line that comes in is then run by a process of its own."""

Program = Callable[[list[str], Path], tuple[int, str]]


@pytest.fixture(scope="module")
def program() -> Iterator[Program]:
    """Runs the program with the memory limit: takes its arguments and a folder, which is the person's too; returns its
    exit code and what it said."""
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    command, paths = [sys.executable, "-c", PROGRAM], {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=ROOT, env=os.environ | paths, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None

        def run(arguments: list[str], folder: Path) -> tuple[int, str]:
            said = folder / "said.txt"
            print(json.dumps([arguments, str(folder), str(said)]), file=running.stdin, flush=True)
            code = int(running.stdout.readline())  # type: ignore[union-attr]
            return code, said.read_text("utf-8")

        yield run
        running.stdin.close()


HEAD = b'{"kind":"session","version":1,"title":"x","facts":{"game":"null","levels":1,"layout":{"game":"null"}}}\n'


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int, height: int, data: bytes, *more: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"".join((small.SIGNATURE, head, *more, chunk(b"IDAT", data), chunk(b"IEND", b"")))


def zeros(count: int) -> bytes:
    squeeze = zlib.compressobj(9)
    return b"".join(squeeze.compress(bytes(1_000_000)) for _ in range(count // 1_000_000)) + squeeze.flush()


def note(data: str) -> bytes:
    return b'{"kind":"note","start":0,"end":0,"name":"seen","data":%s}\n' % data.encode()


def full(size: int) -> bytes:
    """A board of Cross Set with every candidate in every cell."""
    row = " ".join([",".join(map(str, range(1, size + 1)))] * size)
    return "\n".join([row] * size).encode()


def squares(count: int) -> bytes:
    """A level of Continuity in which every square matches every other, with keys in eight of them."""
    names = [str(n) for n in range(1, count + 1)]
    level = {
        "squares": dict.fromkeys(names, "aAbB"),
        "openings": {"a": 1, "b": 1},
        "links": {name: [["a1", "A1"], ["A1", "B1"], ["B1", "b1"], ["b1", "a1"]] for name in names},
        "start": {"square": "1", "at": "a1"},
        "finish": {"square": "2", "at": "a1"},
        "keys": {f"k{n}": {"square": str(n + 3), "at": "a1"} for n in range(8)},
    }
    return json.dumps(level).encode()


def tiles(count: int, side: int) -> bytes:
    frame = "+" + ("-" * side + "+") * count
    rows = [frame]
    for r in range(count):
        for y in range(side):
            cells = ["_" if (r, c) == (0, 1) else "S" + "." * (side - 1) if not r + c + y else "#." * (side // 2)
                     for c in range(count)]  # fmt: skip
            rows.append("|" + "|".join(cell if set(cell) != {"_"} else "_" * side for cell in cells) + "|")
        rows.append(frame)
    return "\n".join(rows).replace("#", "D", 1).encode()


@pytest.mark.parametrize(
    ("arguments", "content", "code", "word"),
    [
        pytest.param("read null", lambda: png(30_000, 30_000, b""), 2, "larger than any window", id="30,000 pixels"),
        pytest.param("read null", lambda: png(19_000, 1_900, b""), 2, "megapixels", id="too many pixels"),
        pytest.param("read continuity", lambda: png(5120, 2880, zlib.compress((b"\0" + bytes(range(256)) * 60) * 2880)),
                     1, "no board", id="a screen of 5120x2880"),
        pytest.param("read null", lambda: png(5_000, 5_000, zeros(76_000_000)), 1, "no lamps", id="unpacks to 75 MB"),
        pytest.param(
            "read null",
            lambda: png(4, 4, zlib.compress(bytes(52)), chunk(b"zTXt", b"a\0\0" + zeros(300_000_000))),
            2,
            "damaged",
            id="a text that unpacks to 300 MB",
        ),
        pytest.param(
            "read null x.png --layout", lambda: b"a." * 30_000 + b"a = 1", 2, "parts", id="a key of 30,000 parts"
        ),
        pytest.param("solve cardinal-chains", lambda: b"11 " * 5_000_000, 2, "places", id="5 million cells"),
        pytest.param("solve hashi", lambda: b"4" * 15_000_000, 2, "places", id="a line of 15 MB"),
        pytest.param("solve hashi", lambda: b"\n" * 17_000_000, 2, "at most 16 MB", id="a text of 17 MB"),
        pytest.param("solve cross-set", lambda: full(99), 2, "candidates", id="99x99, all candidates"),
        pytest.param("solve cross-set --time-limit 1", lambda: full(45), 1, "not settled", id="45x45, all candidates"),
        pytest.param("solve continuity --time-limit 1", lambda: squares(99), 1, "not settled", id="99 squares, 8 keys"),
        pytest.param("solve continuity", lambda: tiles(5, 64), 2, "too many and too large", id="24 tiles of 64x64"),
        pytest.param("solve continuity", lambda: b'{"squares":' + b"[" * 100_000, 2, "no JSON", id="100,000 brackets"),
        pytest.param("replay", lambda: HEAD + b'{"kind":"end","start":0,"end":0}\n' * 10 + b" " * 90_000_000, 2,
                     "the line has more than", id="a line of 90 MB"),
        pytest.param("replay", lambda: HEAD + note(f"[{'[],' * 500_000}0]") * 40, 2, "values", id="20 million lists"),
        pytest.param("replay", lambda: HEAD + note("[" * 500 + "]" * 500), 2, "deep", id="500 lists in one another"),
    ],
)  # fmt: skip
def test_what_is_enormous_is_answered(
    arguments: str, content: Callable[[], bytes], code: int, word: str, tmp_path: Path, program: Program
) -> None:
    file = tmp_path / (LINES if arguments == "replay" else "given.png")
    file.write_bytes(content())
    given = tmp_path if arguments == "replay" else file
    answered, said = program([*arguments.split(), str(given)], tmp_path)
    assert answered == code, said[-500:]
    assert word in said
    assert "Traceback" not in said
    assert "fault of its own" not in said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("name", [LINES, "frame.png", "given.toml", "given.zip", "given.png"])
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    if name == "frame.png":
        look = b'{"kind":"grab","start":0,"end":1,"frame":"frame.png","origin":[0,0],"time":1}\n'
        seen = note('{"frame":"frame.png","puzzle":null,"unreadable":""}')
        (tmp_path / LINES).write_bytes(HEAD + look + seen)
    arguments = {"given.toml": ["read", "null", "x.png", "--layout"], "given.zip": ["layouts", "import"]}
    arguments |= {"given.png": ["read", "null"]}
    words = [*arguments[name], str(tmp_path / name)] if name in arguments else ["replay", str(tmp_path)]
    with judge.watched(tmp_path):
        code, _, said = judge.command(*words, home=tmp_path / "home")
    assert code == 2
    assert name in said


def test_a_link_beside_a_recording_leads_nowhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(HEAD)
    place = tmp_path / "recording"
    place.mkdir()
    (place / LINES).symlink_to(outside)
    code, _, said = judge.command("replay", str(place), home=tmp_path / "home")
    assert code == 2
    assert "lies outside the recording's folder" in said


@pytest.mark.parametrize("said", ["../outside.toml", "/etc/passwd", "link.toml", "..\\outside.toml"])
def test_a_truth_names_no_layout_outside_its_folder(said: str, tmp_path: Path) -> None:
    stills = tmp_path / "stills"
    stills.mkdir()
    (tmp_path / "outside.toml").write_text('game = "null"\n', encoding="utf-8")
    (stills / "link.toml").symlink_to(tmp_path / "outside.toml")
    (stills / "board.png").write_bytes(small.png(small.board("null", "1 0 1")))
    (stills / "board.txt").write_text(f"# game: null\n# layout: {said}\n1 0 1\n", encoding="utf-8")
    code, said_now, _ = judge.command("replay", str(stills), "--json", home=tmp_path / "home")
    assert code == 2
    assert "expected the name of a layout" in json.loads(said_now)["error"]


def test_no_other_program_is_started_for_a_picture(tmp_path: Path) -> None:
    """Pillow hands PostScript to Ghostscript, which is a language with files."""
    (tmp_path / "given.png").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EOF\n")
    with judge.watched(tmp_path):
        code, _, said = judge.command("read", "null", str(tmp_path / "given.png"), home=tmp_path)
    assert code == 2
    assert "expected a picture" in said


def test_the_watch_sees_what_leaves_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(inside))
    with judge.watched(inside):
        (inside / "written").write_bytes(b"")
    with pytest.raises(judge.Broken, match="outside its folder"), judge.watched(inside):
        (tmp_path / "written").write_bytes(b"")
    with pytest.raises(judge.Broken, match="outside its folder"), judge.watched(inside):
        subprocess.run([sys.executable, "-c", ""], check=True)
