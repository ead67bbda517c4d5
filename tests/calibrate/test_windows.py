"""Unattended calibration of real windows on the tests' own display: the bundled ones and `sgt-bridges`. Whether levels
were won is taken from the windows' logs (or the test's own reading), not from the bot."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest

from autoplayer import games, layout, which
from autoplayer.calibrate import Calibration
from autoplayer.calibrate.questions import tokens_at
from autoplayer.cli import main
from autoplayer.core.frame import Box
from autoplayer.games.hashi.puzzle import check
from autoplayer.screen.windows import list_windows
from autoplayer.screen.x11 import X11
from autoplayer.session import limits
from autoplayer.session.next_level import guesses
from tests import desktop
from tests.bundled import Bundled, bundled, play_json
from tests.calibrate.conftest import Person
from tests.hashi import sgt
from tests.screen.panes import until

pytestmark = pytest.mark.usefixtures("display", "own_home")

TITLE = "Window to learn"


def learn(
    capsys: pytest.CaptureFixture[str], game: str, *arguments: str, title: str = TITLE
) -> tuple[int, dict[str, Any], str]:
    """Runs `autoplayer calibrate GAME --yes --json`; returns the exit code, the JSON object, and the errors."""
    code = main(["calibrate", game, "--window", title, "--name", "learned-here", "--yes", "--json", *arguments])
    said = capsys.readouterr()
    lines = said.out.splitlines()
    return code, json.loads(lines[-1]) if lines else {}, said.err


def area(window: Bundled) -> Box:
    return next(one.area for one in list_windows() if one.id == window.window.id)


def move(window: Bundled, x: int, y: int) -> None:
    """Move a window, as a hand at its title would."""
    desktop.configure(window.window.id, x=x, y=y)
    until(lambda: abs(area(window).x - x) < 40 and abs(area(window).y - y) < 60, "the window to be moved")


@pytest.mark.parametrize(
    ("game", "options", "controls", "levels"),
    [
        pytest.param(
            "cardinal-chains", ("--glyphs", "font", "--look", "tiles", "--theme", "dark"), None, 2, id="chains"
        ),
        pytest.param("hashi", ("--controls", "side", "--look", "discs"), "side", 1, id="hashi, by clicks beside"),
        pytest.param("cross-set", ("--look", "below"), "click", 1, id="cross set"),
    ],
)
def test_calibrated_at_100_played_at_150_per_cent_and_elsewhere(
    game: str,
    options: tuple[str, ...],
    controls: str | None,
    levels: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with bundled(tmp_path, *options, "--size", "800x600", title=TITLE, game=game) as window:
        code, learned, err = learn(capsys, game)
        assert (code, learned.get("status"), window.won) == (0, "saved", 1), err
        assert window.stray == []
    assert learned["sure"] == learned["cells"] > 0
    assert learned["questions"] == []
    assert learned["anchors"] >= 1
    assert learned["next"]["kind"] == "auto"
    assert controls in (None, learned["controls"])
    (tmp_path / "large").mkdir()
    large = (*options, "--size", "1200x900", "--start", "2")
    with bundled(tmp_path / "large", *large, title=TITLE, game=game) as window:
        move(window, 50, 80)
        code, results, err = play_json(capsys, game, "--levels", str(levels))
        assert "'learned-here', which fits it" in err
        assert [each["status"] for each in results] == ["won"] * levels, err
        assert (code, window.won, window.stray) == (0, levels, [])


def test_the_sign_of_a_win_and_the_button_to_the_next_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    levels = tmp_path / "levels.txt"
    levels.write_text(
        "2.1..\n.3..4\n.....\n.2.1.\n2...3\n\n1...\n41.1\n3.33\n\n2.1..\n.3..4\n.....\n.2.1.\n2...3\n", encoding="utf-8"
    )
    with bundled(tmp_path, "--levels", str(levels), "--advance", "button", title=TITLE, game="hashi") as window:
        code, learned, err = learn(capsys, "hashi")
        assert (code, learned["next"]["kind"], learned["win"]) == (0, "click", True), err
        code, results, err = play_json(capsys, "hashi", "--levels", "1")
        assert [each["status"] for each in results] == ["won"], err
        assert window.won == 2
    known = layout.load("learned-here", "hashi")
    assert known.win is not None
    assert known.size == (800, 600)
    box = known.win.box(known.size)
    assert box.contains((744, 219)), "the button that lights up"


@pytest.fixture
def short_flash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the wait for the end of a win's animation: this program's is short."""
    monkeypatch.setattr(limits, "FLASH_LIMIT", 1.5)


@sgt.needs_program
@pytest.mark.usefixtures("short_flash")
def test_sgt_bridges_is_learned_and_played_larger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text(
        'version = 1\ngame = "hashi"\ntitle = "^Bridges$"\n[next]\nkind = "key"\nkey = "n"\n', encoding="utf-8"
    )
    with sgt.bridges("7x7m2d0#5", 32) as window:
        code, learned, err = learn(capsys, "hashi", "--answers", str(answers), title="Bridges")
        assert (code, learned.get("status"), learned["controls"]) == (0, "saved", "drag"), err
        assert learned["trial"]["puzzle"] == games.load("hashi").format(window.puzzle)
        assert learned["anchors"] >= 1, "its menu"
    with sgt.bridges("7x7m2d0#6", 48) as window:
        code, results, err = play_json(capsys, "hashi", "--layout", "learned-here", "--levels", "1")
        assert (code, results[0]["status"]) == (0, "won"), err
        solution = games.load("hashi").solution_from_json(results[0]["solution"])
        assert check(window.puzzle, solution) == []


def test_a_window_of_continuity_is_learned_with_how_its_figure_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with bundled(tmp_path, "--size", "700x560", title=TITLE, game="continuity") as window:
        code, learned, err = learn(capsys, "continuity")
        assert (code, learned.get("status"), window.won) == (0, "saved", 1), err
        assert window.all_released()
    assert learned["next"]["kind"] == "auto"
    assert learned["anchors"] >= 1
    known = layout.load("learned-here", "continuity")
    assert known.continuity is not None
    # The bundled figure is 0.9 characters high and walks 5 a second.
    assert known.continuity.walk == pytest.approx(5 / 0.9, rel=0.2), known.continuity
    assert known.continuity.view == "space"


QUICK = "pace = { press = 0.02, step = 0.02, release = 0.01 }\n"
"""The bundled windows lose nothing at this pace; some levels are played with it in good time."""


def signs(text: str) -> set[str]:
    """Every single sign that a level shows."""
    return {token for spot, token in tokens_at(text).items() if len(spot) == 3} - {"."}


def test_a_person_is_told_before_anything_is_pressed(
    tmp_path: Path, person: Callable[..., Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guesses, "NEXT_KEYS", ("enter", "space"))  # else the window's own key is found out
    pressed: list[int] = []
    ways = iter(["key nn", "key n"])
    places = itertools.cycle([(300, 200), (700, 500)])

    def answer(prompt: str) -> str:
        at = next(places)  # the hand goes from the mouse to the keyboard and back, which stops nothing
        desktop.point(*at)
        if "May it?" in prompt:
            pressed.append(len(window.events("press")))
            return "y"
        return next(ways) if prompt.startswith("How does the next level come?") else ""

    with bundled(tmp_path, "--advance", "stay", title=TITLE, game="hashi") as window:
        one = person(answer)
        assert main(["calibrate", "hashi", "--window", TITLE, "--name", "mine"]) == 0
        assert pressed == [0]
        assert window.won == 1
    (leave,) = [prompt for prompt in one.prompts if "May it?" in prompt]
    assert "one level will be played" in leave
    assert "drag from (" in leave
    assert list(ways) == [], "there is no key 'nn', so it was asked again"
    assert one.prompts[-1].startswith("Keep this")
    known = layout.load("mine", "hashi")
    assert (known.next.kind, known.next.key, known.controls) == ("key", "n", "drag")


def test_a_person_may_keep_nothing(tmp_path: Path, person: Callable[..., Person]) -> None:
    with bundled(tmp_path, title=TITLE) as window:
        person(lambda prompt: "n" if prompt.startswith("Keep") else "")
        assert main(["calibrate", "cardinal-chains", "--window", TITLE, "--name", "mine"]) == 1
        assert window.events("press") == [], "Enter is no leave"
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_file()]


def test_the_board_is_shown_by_two_clicks_that_the_window_does_not_get(
    tmp_path: Path, person: Callable[..., Person]
) -> None:
    placed: list[Any] = []
    rights, wheres = iter(["board", "q"]), iter(["4 by 4", "4x4 click"])
    waiting: SimpleQueue[None] = SimpleQueue()
    hold = X11._hold_pointer

    def held(self: X11) -> None:
        hold(self)
        waiting.put(None)

    with bundled(tmp_path, title=TITLE) as window:
        area = window.window.area

        def answer(prompt: str) -> str:
            if prompt.startswith("Is this right?"):
                return next(rights)
            return next(wheres) if prompt.startswith("Where is the board?") else "?"

        def click_twice() -> None:
            for x, y in ((area.x + 250, area.y + 150), (area.x + 550, area.y + 450)):
                waiting.get(timeout=120)  # each time until the program waits for it
                desktop.point(x, y, click=True)

        def place_board(self: Calibration[Any, Any], board: Any) -> None:
            placed.append(board)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Calibration, "place_board", place_board)
            patch.setattr(X11, "_hold_pointer", held)
            person(answer)
            hand = Thread(target=click_twice)
            hand.start()
            code = main(["calibrate", "cardinal-chains", "--window", TITLE, "--name", "mine"])
            hand.join()
        assert window.events("press") == [], "the clicks were taken from the window"
    assert code == 4, "it was left"
    (board,) = placed
    assert (board.rows, board.columns) == (4, 4)
    width, height = area.width, area.height
    assert board.place == pytest.approx((200 / width, 100 / height, 400 / width, 400 / height), abs=2 / height)


def levels_of(game: str, size: int, number: int) -> list[str]:
    """So many levels, of which the first shows every token that any of them shows."""
    player = games.load(game)
    found = [player.format(player.generate(size, size, seed)) for seed in range(1, 4 * number)]
    kinds = [signs(text) for text in found]
    first = max(range(len(found)), key=lambda k: len(kinds[k]))
    return [found[first], *(text for k, text in enumerate(found) if k != first and kinds[k] <= kinds[first])][:number]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        pytest.param("cardinal-chains", (), id="chains"),
        pytest.param("cross-set", ("--look", "bright"), id="cross set"),
        pytest.param("hashi", (), id="hashi"),
    ],
)
def test_symbols_that_nobody_knows_are_asked_once_and_levels_played(
    game: str,
    options: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = levels_of(game, 4, 3)
    assert len(texts) == 3
    known = limits.READ_LIMIT
    levels = tmp_path / "levels.txt"
    levels.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    answers = tmp_path / "answers.toml"
    answers.write_text(f"game = '{game}'\n{QUICK}[[pictures]]\npuzzle = '''\n{texts[0]}\n'''\n", encoding="utf-8")
    symbols = signs(texts[0])
    looks = ("--levels", str(levels), "--glyphs", "symbols", "--flash", "400", *options)
    with bundled(tmp_path, *looks, title=TITLE, game=game) as window:
        monkeypatch.setattr(limits, "READ_LIMIT", 0.5)
        code, _, _ = play_json(capsys, game, "--levels", "1")
        monkeypatch.setattr(limits, "READ_LIMIT", known)
        assert code != 0, "without a layout nobody can read it"
        assert window.events("press") == []
        code, learned, err = learn(capsys, game, "--answers", str(answers))
        assert (code, learned.get("status"), window.won) == (0, "saved", 1), err
        assert len(learned["questions"]) == len(symbols), "each symbol once"
        assert {path.stem for path in Path(learned["templates"]).glob("*.png")} == symbols
        code, results, err = play_json(capsys, game, "--levels", "1")
        assert (code, window.won) == (0, 2), err
        assert window.stray == []
    assert results[0]["status"] == "won"


def test_a_window_in_which_the_anchors_are_not_seen_is_not_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same program in an upright window, in which its buttons have other places."""
    monkeypatch.setattr(limits, "READ_LIMIT", 1.0)
    monkeypatch.setattr(which, "candidates", list)  # whether it is another game is not asked
    with bundled(tmp_path, title=TITLE) as window:
        code, learned, err = learn(capsys, "cardinal-chains")
        assert (code, window.won) == (0, 1), err
        assert learned["anchors"] >= 1
    (tmp_path / "upright").mkdir()
    with bundled(tmp_path / "upright", "--size", "600x900", title=TITLE) as window:
        code, results, err = play_json(capsys, "cardinal-chains", "--layout", "learned-here")
        assert code == 1
        assert results[0]["status"] == "failed"
        assert "'learned-here' no longer fits this window" in results[0]["error"]
        assert "autoplayer calibrate cardinal-chains" in results[0]["error"]
        assert window.events("press") == []
        code, results, err = play_json(capsys, "cardinal-chains", "--levels", "1")
        assert "without a layout, for none fits it" in err
        assert (code, window.won) == (0, 1)


def test_a_window_that_changes_its_size_meanwhile_keeps_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with bundled(tmp_path, title=TITLE) as window:
        looked = Calibration.look

        def resized(self: Calibration[Any, Any], image: Any) -> Any:
            seen = looked(self, image)
            desktop.configure(window.window.id, width=900, height=700)
            until(lambda: area(window).width == 900, "the window to be larger")
            return seen

        monkeypatch.setattr(Calibration, "look", resized)
        code, learned, err = learn(capsys, "cardinal-chains")
        assert code == 1
        assert learned == {}
        assert "changed its size from 800x600 to" in err
        assert "nothing was kept" in err
        assert window.events("press") == []
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_file()]


def test_answers_for_another_window_keep_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text('version = 1\ngame = "cardinal-chains"\ntitle = "^Another"\n', encoding="utf-8")
    with bundled(tmp_path, title=TITLE) as window:
        code, learned, err = learn(capsys, "cardinal-chains", "--answers", str(answers))
        assert (code, learned) == (2, {})
        assert "these answers are for windows titled like '^Another'" in err
        assert window.events("press") == []


def test_without_leave_nothing_is_pressed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text('version = 1\ngame = "cardinal-chains"\npress = false\n', encoding="utf-8")
    with bundled(tmp_path, title=TITLE) as window:
        code, learned, _ = learn(capsys, "cardinal-chains", "--answers", str(answers))
        assert (code, learned.get("status"), learned["trial"]) == (0, "saved", None)
        assert window.events("press", "step") == []
