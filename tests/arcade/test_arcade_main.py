"""The arcade's command line: what it refuses, in which words, and what it reads from level files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from autoplayer.arcade.__main__ import GAMES, find, main
from autoplayer.arcade.levels import blocks, load
from autoplayer.arcade.log import Log
from autoplayer.arcade.options import read
from autoplayer.cli import main as cli_main
from autoplayer.games.cardinal_chains.puzzle import parse


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        ([], 2, ["name of a game", "--help"]),
        (["cardinal-chain"], 2, ["cardinal-chain", "did you mean cardinal-chains?"]),
        (["zzz"], 2, ["zzz", "cardinal-chains", "null"]),
        (["cardinal-chains", "--size", "800"], 2, ["--size", "800x600", "'800'"]),
        (["cardinal-chains", "--size", "10x10"], 2, ["160x120", "10x10"]),
        (["cardinal-chains", "--size", "99999x99999"], 2, ["99999"]),
        (["cardinal-chains", "--theme", "pink"], 2, ["--theme", "pink", "colour-blind"]),
        (["cardinal-chains", "--fps", "0"], 2, ["--fps", "from 1", "'0'"]),
        (["cardinal-chains", "--start", "-1"], 2, ["--start"]),
        (["cardinal-chains", "--start", "100000"], 2, ["--start 100000", "levels"]),
        (["cardinal-chains", "--drop-every", "x"], 2, ["--drop-every", "'x'"]),
        (["cardinal-chains", "--nonsense"], 2, ["--nonsense"]),
        (["null", "--uncoloured"], 2, ["--uncoloured"]),
        (["cardinal-chains", "--levels", "no/such/file.txt"], 3, ["no/such/file.txt"]),
        (["cardinal-chains", "--levels", "."], 3, ["level file"]),
    ],
)
def test_a_wrong_argument_is_one_sentence_and_a_code(
    argv: list[str], code: int, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == code
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("autoplayer arcade: ")
    assert err.count("\n") == 1
    for word in words:
        assert word in err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", ["holds no puzzle"]),
        (b"# only a comment\n\n# and another\n", ["holds no puzzle"]),
        (b"# good\nX 1\n\n# bad\nX 1\n1 q\n", ["row 6, column 2", "'q'"]),
        (b"X 1\n1 1 1\n", ["row 2", "expected 2 cells"]),
        (b"\n\nX 1\n\n1 1\n", ["row 5", "no start"]),
        (b"X " + b"9" * 300 + b"\n", ["row 1, column 2", "300 digits"]),
        (b"X 1 \xff\xfe\n", ["no text file", "byte 5"]),
    ],
)
def test_a_malformed_level_file_is_named_with_its_row(
    text: bytes, words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pack.txt"
    path.write_bytes(text)
    assert main(["cardinal-chains", "--levels", str(path)]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    for word in [str(path), *words]:
        assert word in err


def test_a_log_that_cannot_be_written_is_a_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["cardinal-chains", "--log", str(tmp_path / "no" / "log.jsonl")]) == 2
    assert "log cannot be written" in capfd.readouterr().err


def test_help_has_examples_and_costs_no_pygame(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "examples:" in capfd.readouterr().out
    for game in GAMES:
        with pytest.raises(SystemExit) as left:
            main([game, "--help"])
        assert left.value.code == 0
        assert "examples:" in capfd.readouterr().out
    code = (
        "import sys; from autoplayer.arcade.__main__ import main\n"
        "try: main(['cardinal-chains', '--help'])\n"
        "except SystemExit: pass\n"
        "print('pygame' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].split()[0] == "False"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only here a screen can be taken away")
@pytest.mark.parametrize(
    "screen",
    [
        pytest.param({}, id="none"),
        pytest.param({"SDL_VIDEODRIVER": "x11"}, id="none for the driver that is asked for"),
        pytest.param({"DISPLAY": ":9876"}, id="one that does not answer"),
    ],
)
def test_without_a_screen_the_machine_is_to_blame_in_a_sentence(screen: dict[str, str]) -> None:
    taken = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    env = {key: value for key, value in os.environ.items() if key not in taken}
    done = subprocess.run(
        [sys.executable, "-m", "autoplayer.arcade", "cardinal-chains"],
        env={**env, **screen},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 5
    assert "autoplayer arcade: " in done.stderr
    assert "window" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups")
def test_whoever_ends_the_command_ends_the_window(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    command = [sys.executable, "-m", "autoplayer", "arcade", "null", "--log", str(log)]
    environment = os.environ | {"SDL_VIDEODRIVER": "dummy"}
    with subprocess.Popen(command, start_new_session=True, env=environment) as started:
        deadline = time.monotonic() + 120
        while not (log.exists() and log.read_text("utf-8")) and time.monotonic() < deadline:
            time.sleep(0.05)
        started.terminate()
        started.wait(120)
    with pytest.raises(ProcessLookupError):
        os.killpg(started.pid, 0)


def test_whoever_ends_the_command_while_it_opens_the_window_ends_that_too(monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen

    def started(command: list[str]) -> Any:
        window = start([sys.executable, "-c", "import time; time.sleep(20)"])
        os.kill(os.getpid(), signal.SIGTERM)
        return window

    def unheard(*_: object) -> None: ...

    monkeypatch.setattr(subprocess, "Popen", started)
    before = signal.signal(signal.SIGTERM, unheard)
    try:
        assert cli_main(["arcade", "null"]) == -signal.SIGTERM
        assert signal.getsignal(signal.SIGTERM) is unheard
    finally:
        signal.signal(signal.SIGTERM, before)


def test_names_come_from_the_comment_just_before_a_puzzle() -> None:
    text = "# about the file\n\n# first\nX 1\n\nX 2\n# third\n# really third\nX 3\n"
    assert list(blocks(text)) == [(4, "first", "X 1"), (6, "", "X 2"), (9, "really third", "X 3")]


@pytest.mark.parametrize("name", GAMES)
def test_the_bundled_levels_load(name: str) -> None:
    game = find(name)
    levels = load(game.levels, game.parse)
    assert len(levels) >= 4
    assert len({level.name for level in levels}) == len(levels)


def test_options_have_the_promised_defaults() -> None:
    options = read(find("cardinal-chains"), [])
    assert (options.size, options.theme, options.advance, options.controls) == ((800, 600), "light", "auto", "mouse")
    assert (options.fps, options.animate, options.title) == (60, 0.12, "Cardinal Chains")


def test_every_log_line_is_there_at_once_and_is_json(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = Log(path, clock=lambda: 12.5)
    log("step", cell=[0, 1], chain=0)
    assert json.loads(path.read_text(encoding="utf-8")) == {"event": "step", "time": 12.5, "cell": [0, 1], "chain": 0}
    log.close()
    log("closed")
    Log(None)("nothing")


def test_the_bundled_chains_grow_and_have_exactly_one_solution() -> None:
    from autoplayer.games.cardinal_chains import GAME

    path = find("cardinal-chains").levels
    assert "made by scripts/make_levels.py" in path.read_text(encoding="utf-8").splitlines()[0].lower()
    puzzles = [level.puzzle for level in load(path, parse)]
    assert len(puzzles) == 30
    sizes = [len(puzzle.rows) * len(puzzle.rows[0]) for puzzle in puzzles]
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (6, 81)
    assert max(len(puzzle.starts) for puzzle in puzzles) == 10
    for puzzle in puzzles:
        assert GAME.solve(puzzle, time_limit=60).unique is True
