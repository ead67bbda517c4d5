"""The console form of CodinGame's "There Is No Spoon - Episode 2", through the command line as the contest would."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from autoplayer.cli import main
from autoplayer.games.base import formats
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle, check, codingame_is_whole, format_puzzle, parse, solution_from_json
from autoplayer.games.null import GAME as NULL

CASES = Path(__file__).parents[3] / "shared/levels/hashi/codingame.txt"
SOLVE = ["solve", "hashi", "--format", "codingame"]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        code = main(arguments)
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def form(puzzle: Puzzle) -> str:
    return f"{puzzle.width}\n{puzzle.height}\n{format_puzzle(puzzle)}\n"


def faults(puzzle: Puzzle, answer: str) -> list[str]:
    """What the checker says of an answer. x is a column and y a row."""
    links = [list(map(int, line.split())) for line in answer.splitlines()]
    return check(puzzle, solution_from_json([[y1, x1, y2, x2, n] for x1, y1, x2, y2, n in links]))


def cases() -> list[object]:
    if not CASES.is_file():
        return [pytest.param("", id="absent", marks=pytest.mark.skip(f"{CASES} is not here"))]
    blocks = [block.strip().splitlines() for block in CASES.read_text("utf-8").split("\n\n") if block.strip()]
    return [pytest.param("\n".join(lines[1:]), id=lines[0].lstrip("# ")) for lines in blocks]


@pytest.mark.parametrize("text", cases())
def test_every_published_case_is_answered(text: str, run: Run) -> None:
    puzzle = parse(text)
    code, out, err = run(*SOLVE, stdin=form(puzzle))
    assert (code, err) == (0, "")
    assert faults(puzzle, out) == []


def test_there_are_fourteen_published_cases() -> None:
    if not CASES.is_file():
        pytest.skip(f"{CASES} is not here")
    assert len(cases()) == 14


@pytest.mark.parametrize("seed", range(5))
def test_own_puzzles_come_back_solved(seed: int, run: Run) -> None:
    puzzle = GAME.generate(7 + seed, 9, seed)
    code, out, _ = run(*SOLVE, stdin=form(puzzle))
    assert code == 0
    assert faults(puzzle, out) == []


def test_the_answer_is_in_columns_and_rows(run: Run) -> None:
    """The island in the corner is joined to the right; the third one stands below that."""
    code, out, err = run(*SOLVE, stdin="3\n3\n1.2\n...\n..1\n")
    assert (code, err) == (0, "")
    assert sorted(out.splitlines()) == ["0 0 2 0 1", "2 0 2 2 1"]


@pytest.mark.parametrize("ends", [True, False])
def test_nobody_has_to_close_the_input(ends: bool) -> None:
    """The contest feeds as many rows as the height says, piece by piece, and leaves the pipe open."""
    command = [sys.executable, "-m", "autoplayer", *SOLVE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        for piece in ("2\n", "2\n1", "1\n", "..\n" if ends else ".."):
            process.stdin.write(piece)
            process.stdin.flush()
        assert process.stdout.readline() == "0 0 1 0 1\n"
        assert process.wait(120) == 0
        process.stdin.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "width", id="empty"),
        pytest.param("3\n", "width", id="only a width"),
        pytest.param("wide\n3\n", "the width as a number above 0, but found 'wide'", id="a word for a width"),
        pytest.param("2\n0\n", "the height as a number above 0, but found '0'", id="no height"),
        pytest.param("2\n-1\n", "height", id="a height below zero"),
        pytest.param("9999999\n2\n", "width", id="a width beyond all boards"),
        pytest.param("3\n2\n1.1\n..\n", "row 4: expected 3 characters", id="a short row"),
        pytest.param("3\n2\n1.1\n....\n", "row 4: expected 3 characters", id="a long row"),
        pytest.param("3\n3\n1.1\n...\n", "expected 3 rows", id="a row too few"),
        pytest.param("3\n1\n1.1\n...\n", "row 4: expected 1 rows", id="a row too many"),
        pytest.param("3\n1\n1.9\n", "row 3, column 3: expected an island of 1 to 8, but found 9", id="a nine"),
        pytest.param("3\n1\n1x1\n", "row 3, column 2", id="a letter"),
        pytest.param("3\n1\n...\n", "no island", id="water only"),
    ],
)
def test_bad_input_is_one_sentence_with_its_place(text: str, said: str, run: Run) -> None:
    code, out, err = run(*SOLVE, stdin=text)
    assert (code, out) == (2, "")
    assert err.startswith("autoplayer: standard input, row ")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "hashi", "--format", "codingam"], "hashi has no form 'codingam'; it knows: codingame"),
        (["solve", "null", "--format", "codingame"], "null has no form 'codingame'; it knows none but its own"),
        ([*SOLVE, "--json"], "leave out --json"),
        ([*SOLVE, "--count", "--explain"], "leave out --explain and --count"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: list[str], said: str, run: Run) -> None:
    code, out, err = run(*arguments, stdin="1\n1\n1\n")
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_one_file_is_read_and_two_are_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.txt"
    file.write_text("2\n1\n11\n", encoding="utf-8")
    assert run(*SOLVE, str(file)) == (0, "0 0 1 0 1\n", "")
    code, _, err = run(*SOLVE, str(file), str(file))
    assert code == 2
    assert "one puzzle" in err
    code, _, err = run(*SOLVE, str(tmp_path / "gone.txt"))
    assert code == 3
    file.write_text("2\n1\n11\n..\n", encoding="utf-8")
    code, _, err = run(*SOLVE, str(file))
    assert (code, f"{file}, row 4: expected 1 rows" in err) == (2, True)


def test_a_board_without_solution_is_exit_1_and_says_why(run: Run) -> None:
    code, out, err = run(*SOLVE, stdin="3\n1\n3.3\n")
    assert (code, out) == (1, "")
    assert "no solution" in err
    assert "(0, 0)" in err


def test_a_text_is_whole_when_nothing_can_follow() -> None:
    whole = "4\n2\n1..1\n....\n"
    wholes = [end for end in range(len(whole) + 1) if codingame_is_whole(whole[:end])]
    assert wholes == [len(whole) - 1, len(whole)]
    assert codingame_is_whole(whole.replace("\n", "\r\n"))
    assert codingame_is_whole("no puzzle\n")


def test_games_say_which_forms_they_know() -> None:
    assert list(formats(GAME)) == ["codingame"]
    assert list(formats(NULL)) == []
