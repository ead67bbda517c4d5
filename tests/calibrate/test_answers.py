"""Files of answers that are given in advance: errors in them are named, and the file that calibration writes can be
read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoplayer.calibrate import Calibration, answers
from autoplayer.core.errors import LayoutError, NotFoundError, UsageError
from autoplayer.layout import BoardTable, NextTable
from tests.calibrate.window import Painted, SymbolGame

GAME = SymbolGame(Painted("X 1 2\n4 3 3"))
HEAD = 'game = "cardinal-chains"\n'


def written(folder: Path, body: str | bytes) -> Path:
    path = folder / "answers.toml"
    path.write_bytes(body if isinstance(body, bytes) else body.encode())
    return path


def test_everything_that_can_be_answered(tmp_path: Path) -> None:
    body = """\
version = 1
game = "cardinal-chains"
title = "^Chains"
press = true
controls = "drag"
keys = { up = "w", next_chain = "q" }
[next]
kind = "key"
key = "n"
[board]
place = [0.1, 0.2, 0.5, 0.5]
rows = 4
columns = 5
[[pictures]]
puzzle = "X 1"
glyphs = { "0,3" = "5", "1,2,0" = "", "2,2" = "." }
[[pictures]]
"""
    told = answers.load(written(tmp_path, body))
    assert (told.press, told.controls, told.next) == (True, "drag", NextTable(kind="key", key="n"))
    assert told.keys is not None
    assert (told.keys.up, told.keys.next_chain, told.keys.down) == ("w", "q", "down")
    assert told.board == BoardTable(place=(0.1, 0.2, 0.5, 0.5), rows=4, columns=5)
    assert told.picture(0).puzzle == "X 1"
    assert told.picture(0).told() == {(0, 3): "5", (2, 2): "."}
    assert told.picture(1).told() == told.picture(7).told() == {}
    told.check("here", GAME, "Chains, level 3")
    told.check("here", GAME, None)
    with pytest.raises(UsageError, match=r"here: these answers are for windows titled like '\^Chains', but .* 'Mail'"):
        told.check("here", GAME, "Mail")


def test_answers_for_another_game_are_refused(tmp_path: Path) -> None:
    told = answers.load(written(tmp_path, 'game = "hashi"\n'))
    with pytest.raises(UsageError, match="for the game 'hashi', not for 'cardinal-chains'"):
        told.check("here", GAME, None)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param("", "expected the key 'game'", id="nothing"),
        pytest.param(HEAD + "presss = true", "unknown key 'presss'; did you mean 'press'?", id="key"),
        pytest.param(HEAD + "press = 'perhaps'", "'press': expected a boolean", id="type"),
        pytest.param(HEAD + "title = '['", "expected a regular expression", id="title"),
        pytest.param(HEAD + "controls = 'mouse'", "'controls': expected", id="controls"),
        pytest.param(HEAD + "[next]\nkind = 'key'", "needs a 'key'", id="which key"),
        pytest.param(HEAD + "[board]\nrows = 3", "'board.place'", id="where"),
        pytest.param(HEAD + "[[pictures]]\nglyph = 1", "unknown key 'pictures.0.glyph'; did you mean", id="deep key"),
        pytest.param(HEAD + "[pictures]\npuzzle = 'X'", "'pictures'", id="one picture, not a list"),
        pytest.param(HEAD + "[[pictures]]\nglyphs = {'a' = '1'}", 'expected spots such as "0,3"', id="no spot"),
        pytest.param(HEAD + "[[pictures]]\nglyphs = {'0,1' = '../1'}", "what one glyph says", id="no token"),
        pytest.param(HEAD + "[[pictures]]\nglyphs = {'0,1' = 1}", "expected a text in quotes", id="number"),
        pytest.param(HEAD + "version = 2", "version 2, and this autoplayer knows 1", id="newer"),
        pytest.param(HEAD + "x = ", "expected TOML", id="no TOML"),
        pytest.param(b"\xff", "not UTF-8", id="no text"),
        pytest.param("#" * 70_000, "at most 65536 bytes", id="too large"),
    ],
)
def test_a_wrong_file_is_named_with_key_and_reason(tmp_path: Path, body: str | bytes, said: str) -> None:
    path = written(tmp_path, body)
    with pytest.raises(LayoutError) as caught:
        answers.load(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(NotFoundError, match="no such file"):
        answers.load(Path("nowhere.toml"))


@pytest.mark.usefixtures("own_home")
def test_the_example_is_a_file_of_answers_and_filled_in_it_answers_everything(tmp_path: Path) -> None:
    with Calibration(GAME, "mine") as learning:
        look = learning.look(GAME.painted.image())
        text = answers.example(GAME, "^Chains$", [look])
        empty = answers.load(written(tmp_path, text))
        assert (empty.game, empty.title, empty.press) == (GAME.name, "^Chains$", None)
        assert empty.picture(0).told() == {}
        assert len(empty.picture(0).glyphs) == len(look.questions)
        for question in look.questions:
            assert question.text in text
        meant = {"0,0": "X", "0,1": "1", "0,2": "2", "1,0": "4", "1,1": "3"}
        for key, token in meant.items():
            assert f'"{key}" = ""' in text
            text = text.replace(f'"{key}" = ""', f'"{key}" = "{token}"')
        text = text.replace("# press = true", "press = true").replace('# controls = "drag"', 'controls = "drag"')
        filled = answers.load(written(tmp_path, text))
        assert (filled.press, filled.controls) == (True, "drag")
        learning.tell(look, filled.picture(0).told())
        assert GAME.format(learning.look(GAME.painted.image()).puzzle) == "X 1 2\n4 3 3"


def test_the_example_in_the_documents_is_a_file_of_answers(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "calibrating.md").read_text(encoding="utf-8")
    example = text.partition("```toml\n")[2].partition("```")[0]
    told = answers.load(written(tmp_path, example))
    assert told.picture(0).told() == {(0, 3): "5"}
    assert told.picture(1).puzzle == "2.1\n...\n1.2\n"
