"""`autoplayer calibrate` with pictures from files: what it prints, which answers it accepts, and that nothing is saved
where something is wrong. Windows are tested in ``test_windows``."""

from __future__ import annotations

import io
import json
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from autoplayer import games, layout
from autoplayer.calibrate.questions import tokens_at
from autoplayer.cli import calibrate, main
from autoplayer.core.errors import AutoplayerError
from autoplayer.core.frame import Box, Image
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.layout import Layout
from autoplayer.screen import windows
from tests.calibrate.conftest import Person
from tests.calibrate.window import Painted, SymbolGame

FIRST = "X 1 1 2\n3 3 2 2\n3 4 4 4"
SECOND = "X 1 2\n4 3 3"

pytestmark = pytest.mark.usefixtures("own_home")


_EXAMINED: dict[tuple[object, ...], Reading[Puzzle]] = {}


@pytest.fixture(autouse=True)
def examined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examines a picture with the same learned glyphs once for all tests, which all use the same two pictures."""
    examine = GAME.examine

    def remembered(image: Image, known: Layout) -> Reading[Puzzle]:
        folder = layout.templates_folder(known.templates) if known.templates else None
        learned = files(folder).items() if folder else ()
        key = image.tobytes(), known.model_dump_json(exclude={"name", "templates"}), *learned
        if key not in _EXAMINED:
            _EXAMINED[key] = examine(image, known)
        return _EXAMINED[key]

    monkeypatch.setattr(GAME, "examine", remembered)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def pictures(tmp_path: Path) -> list[str]:
    """Two pictures of a window with a font of symbols, as arguments."""
    arguments = []
    for number, text in enumerate((FIRST, SECOND), start=1):
        path = tmp_path / f"picture-{number}.png"
        cv2.imwrite(str(path), Painted(text, number).image())
        arguments += ["--image", str(path)]
    return arguments


def truth(prompt: str, text: str = FIRST) -> str:
    """The token of the board ``text`` in the first cell that a prompt names."""
    match = re.search(r"\((\d+), (\d+)\)", prompt)
    assert match, prompt
    return tokens_at(text)[int(match[1]), int(match[2])]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_questions_are_written_filled_in_and_answer_everything(
    tmp_path: Path, home: Path, pictures: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = tmp_path / "asked.toml"
    common = ["calibrate", "cardinal-chains", *pictures, "--name", "symbols"]
    assert main([*common, "--questions", str(asked)]) == 0
    written = capsys.readouterr().out.split()
    assert files(home) == {}
    text = asked.read_text(encoding="utf-8")
    for name in re.findall(r"# (glyph-\d+):", text):
        picture = cv2.imread(str(tmp_path / f"asked-{name}.png"))
        assert picture is not None
        assert min(picture.shape[:2]) >= 96
        assert str(tmp_path / f"asked-{name}.png") in written
    open_ones = re.findall(r'^"(\d+),(\d+)" = ""$', text, re.MULTILINE)
    assert len(open_ones) == 5, "the second picture shows nothing new"
    for row, column in open_ones:
        token = tokens_at(FIRST)[int(row), int(column)]
        text = text.replace(f'"{row},{column}" = ""', f'"{row},{column}" = "{token}"', 1)
    asked.write_text(text, encoding="utf-8")
    assert main([*common, "--answers", str(asked), "--yes", "--json"]) == 0
    learned = json.loads(capsys.readouterr().out)
    assert (learned["status"], learned["cells"], learned["sure"]) == ("saved", 6, 6)
    assert len(learned["questions"]) == 5
    assert learned["anchors"] >= 1
    assert learned["trial"] is None
    assert {path.stem for path in Path(learned["templates"]).glob("*.png")} == {"X", "1", "2", "3", "4"}
    known = layout.load("symbols", "cardinal-chains")
    third = Painted("4 3 3 2\nX 1 2 2", 3, scale=1.4)
    assert GAME.format(GAME.read(third.image(), known).puzzle) == third.text


def test_a_person_is_asked_once_a_symbol(
    home: Path, pictures: list[str], tmp_path: Path, person: Callable[..., Person]
) -> None:
    def answer(prompt: str) -> str | None:
        return truth(prompt) if prompt.startswith("glyph-") else ""

    one = person(answer)
    overlay = tmp_path / "seen.png"
    code = main(["calibrate", "cardinal-chains", *pictures, "--name", "symbols", "--overlay", str(overlay)])
    assert code == 0
    asked = [prompt for prompt in one.prompts if prompt.startswith("glyph-")]
    assert len(asked) == 5
    for prompt in asked:
        match = re.search(r"\((\S+\.png)\)", prompt)
        assert match, "the glyph's picture is named"
        assert cv2.imread(match[1]) is not None
    assert [prompt.split("?")[0] for prompt in one.prompts if prompt not in asked] == [
        "Is this right",
        "Is this right",
        "Keep this as the layout 'symbols'",
    ]
    seen, plain = cv2.imread(str(overlay)), Painted(FIRST).image()
    assert seen is not None
    assert seen.shape == plain.shape
    assert (seen != plain).any()
    assert (tmp_path / "seen-2.png").is_file()
    assert layout.load("symbols", "cardinal-chains").templates == "symbols"
    assert "calibrating-" not in " ".join(files(home))


def test_what_is_believed_can_be_corrected_and_left(
    home: Path, pictures: list[str], person: Callable[..., Person]
) -> None:
    """An answer that is not understood is asked for again; after `q` nothing is saved."""
    said = iter(["hello", "9,9=1", "0,1=Q", "board", "nonsense", "", "q"])

    def answer(prompt: str) -> str | None:
        return truth(prompt) if prompt.startswith("glyph-") else next(said)

    one = person(answer)
    assert main(["calibrate", "cardinal-chains", *pictures, "--name", "symbols"]) == 4
    err = sys.stderr.getvalue()  # type: ignore[attr-defined]
    for sentence in (
        "expected ROW,COLUMN=TOKEN such as 0,3=5",
        "3 rows and 4 columns, counted from 0, but found 9,9;",
        "there cannot be 'Q'",
        "expected the board's place as",
        "nothing was kept",
    ):
        assert sentence in err
    assert "Where is the board?" in " ".join(one.prompts)
    assert files(home) == {}


def test_what_is_left_open_is_said_and_not_kept_by_enter_alone(
    home: Path, pictures: list[str], person: Callable[..., Person]
) -> None:
    """A glyph to which the person knows no answer is asked about once; Enter does not keep what no level was read
    with."""

    def answer(prompt: str) -> str:
        if prompt.startswith("glyph-"):
            return "?" if prompt.startswith("glyph-2:") else truth(prompt)
        return ""

    one = person(answer)
    assert main(["calibrate", "cardinal-chains", *pictures[:2], "--name", "symbols"]) == 1
    asked = [prompt for prompt in one.prompts if prompt.startswith("glyph-")]
    assert len(asked) == 5
    assert "1 glyph is not known yet. Enter: go on without; ROW,COLUMN=TOKEN" in " ".join(one.prompts)
    assert one.prompts[-1].endswith("[y/N]")
    assert files(home) == {}


def test_a_window_whose_answers_are_not_followed_is_not_kept_by_enter_alone(
    home: Path, pictures: list[str], person: Callable[..., Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: cells that a reader took for something else in spite of the answers; the layout was called a success,
    and no level could be read with it."""

    class Deaf(SymbolGame):
        def examine(self, image: Image, layout: Layout) -> Reading[Puzzle]:
            return super().examine(image, Layout(game=GAME.name))

    monkeypatch.setattr(games, "load", lambda name: Deaf(Painted(FIRST)))
    one = person(lambda prompt: truth(prompt) if prompt.startswith("glyph-") else "")
    assert main(["calibrate", "cardinal-chains", *pictures[:2], "--name", "symbols"]) == 1
    assert "12 glyphs are read otherwise than was answered" in " ".join(one.prompts)
    assert one.prompts[-1].endswith("[y/N]")
    assert files(home) == {}


@pytest.mark.parametrize("end", ["", "q", None, KeyboardInterrupt])
def test_pictures_for_the_conversation_are_removed_with_it(
    end: str | type[BaseException] | None,
    tmp_path: Path,
    pictures: list[str],
    person: Callable[..., Person],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether the questions were answered, left, or interrupted with Ctrl-C, or nobody was asked."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    shown: list[int] = []

    def answer(prompt: str) -> str | None:
        if prompt.startswith("glyph-"):
            match = re.search(r"\((\S+\.png)\)", prompt)
            assert match
            picture = cv2.imread(match[1])
            assert picture is not None
            shown.append(picture.size)
            return truth(prompt)
        if isinstance(end, type):
            raise end
        return end

    person(answer)
    assert main(["calibrate", "cardinal-chains", *pictures, "--name", "symbols"]) in (0, 4)
    assert len(shown) == 5
    assert list(folder.iterdir()) == []


def test_where_nobody_answers_nothing_is_kept(
    home: Path, pictures: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    layout.save(Layout(game="cardinal-chains", name="symbols", controls="drag"), layout.own_file("symbols"))
    before = files(home)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(["calibrate", "cardinal-chains", *pictures[:2], "--name", "symbols"]) == 2
    assert "nobody answered, so nothing was kept" in capsys.readouterr().err
    assert files(home) == before


def test_yes_keeps_what_can_be_read_and_says_that_the_rest_is_doubtful(
    pictures: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["calibrate", "cardinal-chains", *pictures[:2], "--name", "symbols", "--yes", "--json"])
    learned = json.loads(capsys.readouterr().out)
    assert (code, learned["status"]) == (1, "doubtful")
    assert learned["sure"] < learned["cells"]
    assert learned["file"] is None, "nothing was learned of the window, for all that is sure was known before"
    assert not layout.own_file("symbols").exists()
    assert main(["calibrate", "cardinal-chains", *pictures[:2], "--name", "symbols", "--yes", "--fresh"]) == 1
    assert "5 glyphs are not known: calibrate again under this name" in capsys.readouterr().out


def test_a_window_that_is_read_without_help_asks_nothing(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plain.png"
    cv2.imwrite(str(path), GAME.draw(GAME.parse("X 1 1\n2 2 1")))
    code = main(["calibrate", "cardinal-chains", "--image", str(path), "--name", "plain", "--yes", "--json"])
    learned = json.loads(capsys.readouterr().out)
    assert (code, learned["questions"], learned["templates"]) == (0, [], None)
    assert list(files(home)) == ["calibration/plain.toml"]


@pytest.mark.parametrize("after", [(), ("X 1 1\n2 2 1",)], ids=["alone", "before a level"])
@pytest.mark.parametrize("yes", [("--yes",), ()], ids=["yes", "nobody to ask"])
def test_what_is_read_without_a_doubt_and_is_no_level_is_not_kept(
    after: tuple[str, ...],
    yes: tuple[str, ...],
    tmp_path: Path,
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Incidents: of a title screen with a few letters a layout was kept, and called a success; and so was one with
    wrong answers about the first of two pictures."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    images = []
    for number, text in enumerate(("X 2 1\n3 2 1", *after)):
        images += ["--image", str(tmp_path / f"plain-{number}.png")]
        cv2.imwrite(images[-1], GAME.draw(GAME.parse(text)))
    assert main(["calibrate", "cardinal-chains", *images, "--name", "plain", *yes]) == 1
    assert re.search(r"plain-0.png: .* no such level has a solution.* nothing was kept$", capsys.readouterr().err)
    assert files(home) == {}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param([], 2, "expected one of --window, --pick, --region and --image", id="nothing"),
        pytest.param(["--image", "a.png", "--window", "x"], 2, "expected one of --window", id="two things"),
        pytest.param(["--image", "gone.png"], 3, "no such file", id="no picture there"),
        pytest.param(["--image", "PLAIN", "--name", "../x"], 2, "expected a name for the layout", id="name"),
        pytest.param(["--image", "PLAIN", "--answers", "gone.toml"], 3, "no such file", id="no answers there"),
        pytest.param(["--image", "PLAIN", "--overlay", "x.jpg"], 2, "ending in .png", id="overlay"),
        pytest.param(["--image", "PLAIN", "--questions", "x.txt"], 2, "ending in .toml", id="questions"),
        pytest.param(["--image", "BLANK"], 1, "BLANK.png: no board of Cardinal Chains is seen", id="no board"),
    ],
)
def test_wrong_usage_is_one_sentence(
    arguments: list[str], code: int, said: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "PLAIN.png"), GAME.draw(GAME.parse("X 1 1\n2 2 1")))
    cv2.imwrite(str(tmp_path / "BLANK.png"), Painted(FIRST).image() * 0 + 200)
    arguments = [str(tmp_path / f"{each}.png") if each.isupper() else each for each in arguments]
    name = [] if "--name" in arguments else ["--name", "mine"]
    assert main(["calibrate", "cardinal-chains", *arguments, *name, "--yes"]) == code
    err = capsys.readouterr().err
    assert said in err
    assert "\n" not in err.rstrip("\n")
    assert files(home) == {}


def test_a_game_that_reads_no_windows_says_so(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAME), "reads_windows", False, raising=False)
    cv2.imwrite(str(tmp_path / "one.png"), Painted(FIRST).image())
    assert main(["calibrate", "cardinal-chains", "--image", str(tmp_path / "one.png"), "--name", "mine"]) == 2
    assert "windows are not read yet" in capsys.readouterr().err
    assert files(home) == {}


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        pytest.param('game = "hashi"', "for the game 'hashi', not for 'cardinal-chains'", id="another game"),
        pytest.param('game = "cardinal-chains"\ntitle = "^Bridges$"', "titled like '^Bridges$'", id="another title"),
    ],
)
def test_answers_for_another_window_are_refused_before_it_is_touched(
    answers: str,
    said: str,
    tmp_path: Path,
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = windows.Window(1, "Chains", Box(0, 0, 640, 480), visible=True)
    monkeypatch.setattr(windows, "window_system", lambda: SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(calibrate, "named", lambda system, title, pick: window)
    (tmp_path / "answers.toml").write_text(f"version = 1\n{answers}\n", encoding="utf-8")
    given = ["--window", "Chains", "--answers", str(tmp_path / "answers.toml")]
    assert main(["calibrate", "cardinal-chains", *given, "--name", "mine", "--yes"]) == 2
    assert said in capsys.readouterr().err
    assert files(home) == {}


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        pytest.param('game = "hashi"', "for the game 'hashi'", id="another game"),
        pytest.param('game = "cardinal-chains"\n[[pictures]]\npuzzle = "X 1"', "1 rows and 2 columns with", id="size"),
        pytest.param('game = "cardinal-chains"\n[[pictures]]\npuzzle = "X Q"', "'Q'", id="no puzzle"),
        pytest.param('game = "cardinal-chains"\n[[pictures]]\nglyphs = {"9,9" = "1"}', "found 9,9;", id="no such cell"),
        pytest.param(
            'game = "cardinal-chains"\n[[pictures]]\nglyphs = {"0,0,1" = "1"}', "ROW,COLUMN", id="no such thing"
        ),
        pytest.param(
            'game = "cardinal-chains"\n[board]\nplace = [0.3, 0.7, 0.3, 0.2]\nrows = 3\ncolumns = 4',
            "no board of Cardinal Chains",
            id="board elsewhere",
        ),
    ],
)
def test_answers_for_another_window_keep_nothing(
    answers: str, said: str, tmp_path: Path, home: Path, pictures: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    layout.save(Layout(game="cardinal-chains", name="symbols", controls="drag"), layout.own_file("symbols"))
    before = files(home)
    path = tmp_path / "answers.toml"
    path.write_text(answers, encoding="utf-8")
    arguments = [*pictures, "--name", "symbols", "--answers", str(path), "--yes"]
    assert main(["calibrate", "cardinal-chains", *arguments]) in (1, 2)
    err = capsys.readouterr().err
    assert said in err
    assert "\n" not in err.rstrip("\n")
    assert files(home) == before


@pytest.mark.parametrize("fresh", [False, True], ids=["gone on with", "fresh"])
def test_a_damaged_layout_is_replaced_only_when_begun_anew(
    fresh: bool, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = layout.own_file("plain")
    path.parent.mkdir(parents=True)
    path.write_text("game = 3", encoding="utf-8")
    cv2.imwrite(str(tmp_path / "plain.png"), GAME.draw(GAME.parse("X 1 1\n2 2 1")))
    arguments = ["--image", str(tmp_path / "plain.png"), "--name", "plain", "--yes", *(["--fresh"] if fresh else [])]
    code = main(["calibrate", "cardinal-chains", *arguments])
    if fresh:
        assert code == 0
        assert layout.load("plain", "cardinal-chains").name == "plain"
    else:
        assert code == 2
        assert "begin anew with --fresh" in capsys.readouterr().err
        assert path.read_text(encoding="utf-8") == "game = 3"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(b"no picture", id="no picture"),
        pytest.param(cv2.imencode(".png", np.zeros((2000, 2000), np.uint8))[1].tobytes(), id="huge"),
    ],
)
def test_a_layout_with_a_damaged_glyph_is_not_gone_on_with(
    damage: bytes, home: Path, pictures: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text(f"game = 'cardinal-chains'\n[[pictures]]\npuzzle = '''\n{FIRST}\n'''\n", encoding="utf-8")
    arguments = [*pictures, "--name", "symbols", "--answers", str(answers), "--yes"]
    assert main(["calibrate", "cardinal-chains", *arguments]) == 0
    glyph = home / "templates" / "symbols" / "2.png"
    glyph.write_bytes(damage)
    before = files(home)
    capsys.readouterr()
    assert main(["calibrate", "cardinal-chains", *arguments]) == 2
    err = capsys.readouterr().err
    assert f"{glyph}: expected a picture (PNG) of one glyph" in err
    assert "begin anew with --fresh" in err
    assert files(home) == before
    assert {path.name for path in (home / "templates").iterdir()} == {"symbols"}, "no unfinished folder is left"
    assert main(["calibrate", "cardinal-chains", *arguments, "--fresh"]) == 0


def test_a_folder_is_no_file_of_answers(
    tmp_path: Path, pictures: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*pictures, "--name", "symbols", "--answers", str(tmp_path), "--yes"]
    assert main(["calibrate", "cardinal-chains", *arguments]) == 2
    assert "expected a file that holds a table of answers, but this is not a file" in capsys.readouterr().err


@pytest.mark.parametrize("now", [(900, 600), (800, 500), (700, 700)])
def test_a_window_whose_size_has_changed_is_named_with_both_sizes(now: tuple[int, int]) -> None:
    with pytest.raises(
        AutoplayerError, match=f"from 800x600 to {now[0]}x{now[1]} while it was learned; nothing was kept"
    ):
        calibrate._same_size((800, 600), now)
    calibrate._same_size(now, now)
