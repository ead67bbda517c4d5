"""The command line as another program sees it: output, errors and exit codes of DESIGN's contract."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import pytest

from autoplayer import games, layout
from autoplayer.cli import COMMANDS
from autoplayer.games.null import GAME as NULL


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder for layouts, empty."""
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / "calibration"
    folder.mkdir(parents=True)
    return folder


# Help


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], [], ["help"]])
def test_help_lists_every_command(run: Any, arguments: list[str]) -> None:
    code, out, _ = run(*arguments)
    assert code == 0
    for name, line in COMMANDS.items():
        assert f"  {name} " in out
        assert line in " ".join(out.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_an_example(run: Any, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert run("help", command) == (0, out, "")
    assert "Example" in out
    assert f"autoplayer {command}" in out


def test_help_loads_nothing_heavy() -> None:
    """The help is quick because it imports little; the time itself depends on the machine."""
    code = (
        "import sys; from autoplayer.cli import main; main(['--help']); "
        "print([m for m in ('numpy', 'cv2', 'pydantic', 'rich', 'pysat', 'pygame', 'mss', 'PIL', 'Xlib', 'pyautogui',"
        " 'pytesseract', 'autoplayer.games') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("game", "size"), [("hashi", (7, 7)), ("cardinal-chains", (6, 6)), ("cross-set", (5, 5)), ("continuity", (2, 2))]
)
def test_explaining_ends_when_the_time_is_over(game: str, size: tuple[int, int]) -> None:
    """Incident: `--explain` named deductions for 11 s on a large board, whatever `--time-limit` said."""
    player = games.load(game)
    puzzle = player.generate(*size, 1)
    whole = player.explain(puzzle)
    assert len(whole) > 2
    assert player.explain(puzzle, 1e9) == whole
    cut = player.explain(puzzle, 0.0)
    assert cut[0] == whole[0]
    assert [step.rule for step in cut[1:]] == ["out-of-time"]
    assert cut[1].text == "The time of 0 s was over after 1 deduction; more may follow."


def test_solve_hands_its_time_limit_to_the_explanation(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    player = games.load("hashi")
    real = player.explain
    monkeypatch.setattr(
        type(player), "explain", lambda self, puzzle, limit: (given.append(limit), real(puzzle, 0.0))[1]
    )
    level = tmp_path / "level.txt"
    level.write_text("2.2\n...\n2.2\n", encoding="utf-8")
    code, out, _ = run("solve", "hashi", str(level), "--explain", "--time-limit", "7")
    assert (code, given) == (0, [7.0])
    assert "out-of-time: The time of 0 s was over after 1 deduction; more may follow." in out


def test_version(run: Any) -> None:
    code, out, _ = run("--version")
    assert (code, out.split()[0]) == (0, "autoplayer")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["solv"], "Did you mean 'solve'?", id="unknown command"),
        pytest.param(["solve"], "game", id="missing argument"),
        pytest.param(["solve", "null", "--jsn"], "--json", id="unknown option"),
        pytest.param(["solve", "nul"], "did you mean 'null'?", id="unknown game"),
        pytest.param(["solve", "null", "--time-limit", "0"], "above 0", id="no time"),
        pytest.param(["solve", "null", "--time-limit", "nan"], "above 0", id="time is no number"),
        pytest.param(["solve", "null", "--time-limit", "soon"], "--time-limit", id="time in words"),
        pytest.param(["solve", "null", "--picture", "x.bmp"], ".png", id="picture of another kind"),
        pytest.param(["generate", "null", "--size", "6"], "found '6'", id="half a size"),
        pytest.param(["generate", "null", "--size", "6x0"], "found '6x0'", id="an empty size"),
        pytest.param(["generate", "null", "--size", "6x6"], "found 6x6", id="a size the game does not have"),
        pytest.param(["generate", "null", "--count", "0"], "count", id="none"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_2(run: Any, arguments: list[str], said: str) -> None:
    code, out, err = run(*arguments, stdin="1 0")
    assert code == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert said in err


# solve


def test_solves_what_is_typed(run: Any) -> None:
    code, out, err = run("solve", "null", "--json", stdin="# mine\n1 0 1\n")
    assert (code, err) == (0, "")
    (answer,) = objects(out)
    assert list(answer) == ["name", "status", "solution", "unique", "seconds", "error"]
    assert answer["seconds"] >= 0
    assert answer | {"seconds": 0} == {
        "name": "mine",
        "status": "solved",
        "solution": [0, 2],
        "unique": True,
        "seconds": 0,
        "error": None,
    }


def test_one_wrong_puzzle_does_not_stop_the_others(run: Any, tmp_path: Path) -> None:
    """The message gives the place in the file: the error is in row 6, third token."""
    file = tmp_path / "pack.txt"
    file.write_text("# first\n1 0\n\n\n# second\n0 1 x\n\n\n0 0 1\n\n# alone\n\n1 1\n", encoding="utf-8")
    code, out, err = run("solve", "null", str(file), "--json")
    answers = objects(out)
    assert code == 2
    assert err == ""
    assert [answer["name"] for answer in answers] == ["first", "second", "pack 3", "alone"]
    assert [answer["status"] for answer in answers] == ["solved", "invalid", "solved", "solved"]
    assert answers[1]["error"].startswith(f"{file}, row 6, column 3: ")
    assert answers[1]["solution"] is None


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])  # both with a mark; Windows PowerShell writes UTF-16
def test_windows_line_ends_and_byte_order_marks(run: Any, encoding: str) -> None:
    code, out, _ = run("solve", "null", "-", "--json", stdin="# a\r\n1 0\r\n\r\n# b\r\n0 1\r\n".encode(encoding))
    assert code == 0
    assert [(each["name"], each["solution"]) for each in objects(out)] == [("a", [0]), ("b", [1])]


def test_several_files_in_order(run: Any, tmp_path: Path) -> None:
    for name, text in {"b": "1 0", "a": "0 1"}.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    code, out, _ = run("solve", "null", str(tmp_path / "b.txt"), str(tmp_path / "a.txt"), "--json")
    assert code == 0
    assert [(each["name"], each["solution"]) for each in objects(out)] == [("b", [0]), ("a", [1])]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param(b"", "there is none", id="empty"),
        pytest.param(b"\n \n", "there is none", id="blank"),
        pytest.param(b"# only\n\n# names\n", "there is none", id="only comments"),
        pytest.param(bytes(range(256)), "UTF-8", id="binary"),
        pytest.param(b"\xff\xfe1\x00 ", "UTF-16", id="half a character"),
        pytest.param(b"1 0\x00", "zero byte", id="a zero byte"),
        pytest.param(b"a b c\nd e f\n", "row 1, column 1", id="letters"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00", "`autoplayer read` reads pictures", id="a picture"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_file_that_is_no_puzzle_is_named(run: Any, tmp_path: Path, body: bytes, said: str, form: list[str]) -> None:
    file = tmp_path / "pack.txt"
    file.write_bytes(body)
    code, out, err = run("solve", "null", str(file), *form)
    assert code == 2
    if form:
        (answer,) = objects(out)
        assert (answer["status"], err) == ("invalid", "")
        assert said in answer["error"]
    else:
        assert out == ""
        assert said in err
        assert str(file) in err


def test_a_missing_file_is_exit_3_and_nothing_is_solved(run: Any, tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("1 0", encoding="utf-8")
    code, out, err = run("solve", "null", str(tmp_path / "there.txt"), str(tmp_path / "gone.txt"))
    assert (code, out) == (3, "")
    assert "gone.txt" in err


def test_a_missing_file_is_one_line_of_json_among_the_others(run: Any, tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("1 0", encoding="utf-8")
    code, out, err = run("solve", "null", str(tmp_path / "gone.txt"), str(tmp_path / "there.txt"), "--json")
    assert (code, err) == (3, "")
    assert [(each["status"], bool(each["error"])) for each in objects(out)] == [("invalid", True), ("solved", False)]


@pytest.mark.parametrize(
    ("name", "expected"), [pytest.param("", 3, id="empty name"), pytest.param("x" * 5000, 2, id="name too long")]
)
def test_a_name_that_no_file_can_have(run: Any, name: str, expected: int) -> None:
    code, out, err = run("solve", "null", name)
    assert (code, out) == (expected, "")
    assert len(err.splitlines()) == 1


def test_a_file_without_a_game_before_it_is_said(run: Any, tmp_path: Path) -> None:
    """The file's name was taken for that of an unknown game."""
    file = tmp_path / "hashi.txt"
    file.write_text("1 0", encoding="utf-8")
    code, out, err = run("solve", str(file))
    assert (code, out) == (2, "")
    assert "expected a game before the file" in err


def test_a_folder_is_no_file(run: Any, tmp_path: Path) -> None:
    code, _, err = run("solve", "null", str(tmp_path))
    assert code == 2
    assert "folder" in err


def test_a_puzzle_without_solution_is_exit_1(run: Any) -> None:
    """The 1 cannot be reached a second time: X 1 leaves the 1 behind the 2."""
    code, out, _ = run("solve", "cardinal-chains", "--json", stdin="X 2 1\n\nX 1 2\n")
    assert code == 1
    assert [each["status"] for each in objects(out)] == ["no-solution", "solved"]
    assert objects(out)[0]["unique"] is None or objects(out)[0]["unique"] is False


def test_counts(run: Any) -> None:
    """A 2x2 board of ones: the chain runs clockwise or the other way."""
    code, out, _ = run("solve", "cardinal-chains", "--count", "--json", stdin="X 1\n1 1\n")
    assert code == 0
    (answer,) = objects(out)
    assert (answer["count"], answer["exhausted"], answer["unique"]) == (2, True, False)
    _, out, _ = run("solve", "cardinal-chains", "--count", stdin="X 1\n1 1\n")
    assert "\n2 solutions," in out
    _, out, _ = run("solve", "cardinal-chains", "--count", "--most", "3", stdin="X 1 1 1\n1 1 1 1\n1 1 1 1\n")
    assert "at least 3 solutions" in out


def test_explains_for_people_and_programs(run: Any) -> None:
    _, out, _ = run("solve", "null", "--explain", "--json", stdin="0 1")
    assert objects(out)[0]["deductions"] == [
        {"rule": "lit lamp", "text": "lamp 2 is lit, so it is pressed", "cells": [[0, 1]]}
    ]
    _, out, _ = run("solve", "null", "--explain", stdin="0 1")
    assert "  1. lit lamp: lamp 2 is lit, so it is pressed" in out
    assert "0 *" in out
    assert "the only solution" in out


def test_pictures_of_several_puzzles(run: Any, tmp_path: Path) -> None:
    target = tmp_path / "out.png"
    code, _, _ = run("solve", "null", "--picture", str(target), stdin="1 0\n\nx\n\n1 1 0\n")
    assert code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out-3.png", "out.png"]
    picture = cv2.imread(str(tmp_path / "out-3.png"))
    assert picture is not None
    assert (picture == NULL.draw(NULL.parse("1 1 0"), (0, 1))).all()


def test_a_picture_that_cannot_be_written_is_said_first(run: Any, tmp_path: Path) -> None:
    code, out, err = run("solve", "null", "--picture", str(tmp_path / "no" / "out.png"), stdin="1 0")
    assert (code, out) == (3, "")
    assert "there is no folder" in err
    code, out, err = run("solve", "null", "--picture", f"{tmp_path}/dir.png/", stdin="1 0")
    assert code == 0  # the slash is not part of the name; no such folder stands there
    (tmp_path / "folder.png").mkdir()
    code, out, err = run("solve", "null", "--picture", str(tmp_path / "folder.png"), stdin="1 0")
    assert (code, out) == (2, "")
    assert "folder" in err


def test_json_lines_come_as_soon_as_they_are_known() -> None:
    """The first answer can be read while the second puzzle has not been handed in yet… by a file that is a pipe."""
    with subprocess.Popen(
        [sys.executable, "-m", "autoplayer", "solve", "null", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("1 0\n\n0 1\n")
        process.stdin.close()
        assert json.loads(process.stdout.readline())["solution"] == [0]
        assert json.loads(process.stdout.readline())["solution"] == [1]
        assert process.wait() == 0


# generate


def test_generates_what_solve_reads(run: Any) -> None:
    code, text, _ = run("generate", "null", "--size", "6x1", "--seed", "3", "--count", "2")
    assert code == 0
    assert text.startswith("# null 6x1 seed 3\n")
    code, out, _ = run("solve", "null", "--json", stdin=text)
    assert code == 0
    assert [(each["name"], each["unique"]) for each in objects(out)] == [
        ("null 6x1 seed 3", True),
        ("null 6x1 seed 4", True),
    ]
    _, again, _ = run("generate", "null", "--size", "6x1", "--seed", "3", "--count", "2")
    assert again == text
    _, out, _ = run("generate", "null", "--size", "6x1", "--seed", "3", "--json")
    assert objects(out)[0]["puzzle"] == text.splitlines()[1]


def test_size_is_columns_by_rows(run: Any) -> None:
    code, out, _ = run("generate", "null", "--json")
    assert code == 0
    assert objects(out)[0]["rows"] == 1, "without a size, the game's usual one"
    _, out, _ = run("generate", "cardinal-chains", "--size", "6x4", "--json")
    rows = objects(out)[0]["puzzle"].splitlines()
    assert (len(rows), {len(row.split()) for row in rows}) == (4, {6})


# games, layouts, doctor


def test_lists_games(run: Any) -> None:
    _, out, _ = run("games", "--json")
    assert {"name": "null", "title": "Null", "error": None} in objects(out)
    _, out, _ = run("games")
    assert any(line.split() == ["cardinal-chains", "Cardinal", "Chains"] for line in out.splitlines())


def test_lists_and_checks_layouts(run: Any, own: Path) -> None:
    layout.save(layout.Layout(game="null", name="mine", title="^Lamps$"), own / "mine.toml")
    code, out, _ = run("layouts")
    assert code == 0
    assert "cardinal-chains-keys" in out
    assert "^Lamps$" in out
    assert str(own) in out
    (own / "wrong.toml").write_text('game = "null"\n[pace]\npres = 1\n', encoding="utf-8")
    code, out, err = run("layouts")
    assert code == 2
    assert "mine" in out
    assert f"{own / 'wrong.toml'}: unknown key 'pace.pres'; did you mean 'press'?" in err
    code, out, _ = run("layouts", "--json")
    assert code == 2
    bundled = {path.stem: False for path in (Path(__file__).parents[1] / "calibration").glob("*.toml")}
    assert "cardinal-chains-keys" in bundled
    assert {each["name"]: bool(each["error"]) for each in objects(out)} == {**bundled, "mine": False, "wrong": True}


def test_doctor_names_what_is_missing_and_the_remedy(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    code, out, _ = run("doctor", "--json")
    found = {each["what"]: each for each in objects(out)}
    assert code == 5
    assert found["display"]["state"] == "missing"
    assert "apt-get install xvfb" in found["display"]["remedy"]
    assert found["tesseract"]["state"] == "optional"
    assert found["numpy"]["state"] == "ok"
    code, out, _ = run("doctor")
    assert code == 5
    assert "apt-get install xvfb" in out


def test_doctor_says_why_a_display_cannot_be_opened(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", ":9876")
    code, out, _ = run("doctor", "--json")
    assert code == 5
    assert any(each["what"] == "display" and ":9876" in each["found"] and each["remedy"] for each in objects(out))
