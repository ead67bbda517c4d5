"""Layout profiles: saved profiles are loaded unchanged, errors are named, and what was learned about a window is found
again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoplayer import layout
from autoplayer.core.errors import LayoutError, MachineError, NotFoundError
from autoplayer.layout import AreaTable, BoardTable, KeyTable, Layout, NextTable, PaceTable

SECONDS = st.floats(0, 2)
KEYS = st.sampled_from(["up", "down", "tab", "f1", "f12", "a", "#", '"', "\\", "ü", "shift", "ctrl+left", "ctrl++"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
PLACES = st.tuples(*[st.floats(0, 1)] * 4).map(
    lambda place: (*place[:2], place[2] * (1 - place[0]), place[3] * (1 - place[1]))
)
AREAS = st.builds(AreaTable, place=PLACES, picture=st.sampled_from(["anchor-1.png", "win.png"]))
LAYOUTS = st.builds(
    Layout,
    game=TEXTS,
    name=TEXTS,
    title=st.none() | TEXTS.map(lambda text: "".join(f"[{c}]" if c.isalnum() else "." for c in text)),
    controls=st.sampled_from(["unknown", "drag", "side", "pair", "click", "keys"]),
    keys=st.builds(KeyTable, up=KEYS, next_chain=KEYS),
    pace=st.builds(PaceTable, press=SECONDS, step=SECONDS),
    slowest_lost=st.none() | SECONDS,
    next=st.builds(NextTable, kind=st.just("click"), place=st.tuples(st.floats(0, 1), st.floats(0, 1)))
    | st.builds(NextTable, kind=st.just("key"), key=KEYS)
    | st.builds(NextTable, kind=st.sampled_from(["auto", "unknown"])),
    templates=st.none() | st.just("segments"),
    board=st.none() | st.builds(BoardTable, place=PLACES, rows=st.integers(1, 70), columns=st.integers(1, 70)),
)
MARKED = st.builds(
    lambda profile, anchors, win: profile.model_copy(
        update={"templates": "mine", "size": (800, 600), "anchors": tuple(anchors), "win": win}
    ),
    LAYOUTS,
    st.lists(AREAS, max_size=4),
    st.none() | AREAS,
)


AREA = """\
game = 'null'
templates = 'mine'
size = [800, 600]
[[anchors]]
place = [0, 0, 0.1, 0.1]
picture = 'a.png'
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@given(profile=LAYOUTS | MARKED)
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, profile: Layout) -> None:
    path = tmp_path_factory.getbasetemp() / "round.toml"
    layout.save(profile, path)
    assert layout.load(str(path), profile.game) == profile


def test_is_written_with_notes_for_people() -> None:
    text = layout.dumps(Layout(game="null"))
    assert text.startswith("# autoplayer layout")
    for key in ("version", "game", "controls"):
        (at,) = [n for n, line in enumerate(text.splitlines()) if line.startswith(f"{key} =")]
        assert text.splitlines()[at - 1].startswith("# ")


@pytest.mark.parametrize("each", layout.available(), ids=lambda each: str(each.name))
def test_every_bundled_profile_is_in_order(each: layout.Available) -> None:
    assert each.error is None
    assert each.layout is not None
    assert each.layout.name == each.name
    assert layout.load(each.name, each.layout.game) == each.layout


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param("game = 'null'\n[pace]\npres = 1", "unknown key 'pace.pres'; did you mean 'press'?", id="key"),
        pytest.param("gane = 'null'", "unknown key 'gane'; did you mean 'game'?", id="key that was needed"),
        pytest.param("game = 'null'\nxyz = 1", "known keys here: version, game", id="key like no other"),
        pytest.param("name = 'x'", "'game', but it is missing", id="no game"),
        pytest.param("game = 'null'\n[pace]\npress = 'x'", "'pace.press': expected a number, but found 'x'", id="type"),
        pytest.param("game = 'null'\n[pace]\npress = true", "expected a number, but found true", id="no number"),
        pytest.param('game = "null"\n"a\\nb" = 1', r"unknown key 'a\nb';", id="a line break in a key"),
        pytest.param("game = 'null'\nsize = [1, 2.5]", "'size.1': expected a whole number, but found 2.5", id="half"),
        pytest.param("game = 'null'\nsize = [1]", "'size.1': expected one more number", id="one short"),
        pytest.param("game = 'null'\nsize = [1, 2, 3]", "'size': expected at most 2 of them", id="one too many"),
        pytest.param("game = 'null'\n[pace]\npress = 3", "expected a number of at most 2, but found 3", id="too slow"),
        pytest.param("game = 'null'\n[pace]\npress = nan", "'pace.press'", id="not a number"),
        pytest.param("game = 'null'\nanchors = 5", "'anchors': expected a list in square brackets", id="no list"),
        pytest.param("game = 'null'\npace = 3", "'pace': expected a table, but found 3", id="no table"),
        pytest.param(
            "game = 'null'\ncontrols = 'mouse'",
            "expected 'unknown', 'drag', 'side', 'pair', 'click', 'pick', 'type', 'palette', 'carry', 'popup', "
            "'swipe', 'wheel', 'double', 'right' or 'keys', but found 'mouse'",
            id="choice",
        ),
        pytest.param("game = 'null'\ntitle = '('", "expected a regular expression", id="title"),
        pytest.param("game = 'null'\n[keys]\nup = 'upp'", "'keys.up': expected up, down", id="no such key"),
        pytest.param("game = 'null'\ntemplates = '../x'", "expected a folder name", id="leaves its folder"),
        pytest.param("game = 'null'\n[next]\nkind = 'click'", "needs a 'place'", id="click where"),
        pytest.param("game = 'null'\n[next]\nplace = [1, 2]", "'next.place.1'", id="outside the window"),
        pytest.param(
            "game = 'null'\n[board]\nplace = [0.5, 0, 0.6, 1]\nrows = 2\ncolumns = 2",
            "key 'board.place': expected left, top, width and height of an area inside the window",
            id="a board that leaves the window",
        ),
        pytest.param(
            "game = 'null'\nsize = [800, 600]\n[[anchors]]\nplace = [0, 0.9, 0.1, 0.2]\npicture = 'a.png'",
            "key 'anchors.0.place': expected left, top, width and height of an area inside the window",
            id="an area that leaves the window",
        ),
        pytest.param("game = 'null'\nversion = 7\nnew = 1", "version 7, and this autoplayer knows 2", id="newer"),
        pytest.param(
            "game = 'null'\n[board]\nplace = [0, 0, 1, 1]\nrows = 2\ncolumns = 2\nrow = 3",
            "unknown key 'board.row'; did you mean 'rows'?",
            id="key of a table that may be left out",
        ),
        pytest.param(AREA + "colour = 1", "unknown key 'anchors.0.colour'; known keys here: place, picture", id="area"),
        pytest.param(
            AREA.replace("a.png", "../../a.png"), "'anchors.0.picture': expected a file name", id="picture elsewhere"
        ),
        pytest.param(AREA.replace("templates = 'mine'", ""), "need 'templates'", id="pictures nowhere"),
        pytest.param("game = 'null'\nsize = [0, 4]", "'size.0'", id="no width"),
        pytest.param("game = \nname = 'x'", "line 1, column 8", id="no TOML"),
        pytest.param("game = 'null'\n" + "#" * 70_000, "at most 65536 bytes", id="too large"),
        pytest.param("game = 'hashi'", "is for the game 'hashi', not for 'null'", id="another game"),
        pytest.param(b"game = '\xff'", "not UTF-8", id="no text"),
    ],
)
def test_a_wrong_file_is_named_with_key_and_reason(tmp_path: Path, body: str | bytes, said: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_bytes(body if isinstance(body, bytes) else body.encode())
    with pytest.raises(LayoutError) as caught:
        layout.load(str(path), "null")
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("shift", "shift"),
        ("Ctrl+Right", "ctrl+right"),
        ("SHIFT+ctrl+F2", "shift+ctrl+f2"),
        ("R", "R"),
        ("Ctrl+Z", "ctrl+Z"),
    ],
)
def test_keys_with_modifiers_have_one_spelling(tmp_path: Path, written: str, key: str) -> None:
    path = tmp_path / "modifiers.toml"
    path.write_text(f'game = "null"\n[keys]\nup = "{written}"\n')
    assert layout.load(str(path), "null").keys.up == key


@pytest.mark.parametrize("wrong", ["ctrl+", "ctrl+ctrl", "ctrl+ctrl+a", "alt+f4", "left+ctrl", "ctrl+upp"])
def test_what_is_no_key_with_a_modifier_is_refused(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "modifiers.toml"
    path.write_text(f'game = "null"\n[keys]\nup = "{wrong}"\n')
    with pytest.raises(LayoutError, match=r"'keys.up': expected up, down.* \(ctrl\+left\)"):
        layout.load(str(path), "null")


def test_profiles_of_the_first_version_still_load(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text('version = 1\ngame = "null"\ncontrols = "click"\n', encoding="utf-8")
    old = layout.load(str(path), "null")
    assert (old.controls, old.anchors, old.win) == ("click", (), None)


def test_names_and_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="did you mean 'cardinal-chains-keys'"):
        layout.load("cardinal-chain-keys", "cardinal-chains")
    with pytest.raises(NotFoundError, match="no such file"):
        layout.load(str(tmp_path / "gone.toml"), "null")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(LayoutError, match="not a file"):
        layout.load(str(tmp_path / "folder.toml"), "null")
    with pytest.raises(LayoutError, match="expected a layout's name"):
        layout.load("..", "null")


def test_your_own_profile_wins(home: Path) -> None:
    own = Layout(game="cardinal-chains", name="cardinal-chains-keys", controls="drag")
    layout.save(own, home / "calibration" / "cardinal-chains-keys.toml")
    assert layout.load("cardinal-chains-keys", "cardinal-chains") == own


def test_what_was_learned_is_found_by_title() -> None:
    learned = Layout(game="null", title="Lamps", pace=PaceTable(step=0.2), next=NextTable(kind="auto"))
    other = Layout(game="null", title="^Other", pace=PaceTable(step=0.3))
    layout.remember(learned)
    layout.remember(other)
    assert layout.recall("null", "Lamps - level 4") == learned
    assert layout.recall("null", "Other Lamps") in (learned, other)
    assert layout.recall("null", "something else") is None
    assert layout.recall("cardinal-chains", "Lamps") is None
    assert layout.recall("null", "Lamps", name="mine") is None
    slower = learned.model_copy(update={"pace": PaceTable(step=0.4)})
    layout.remember(slower)
    assert layout.recall("null", "Lamps") == slower


def test_nothing_half_written_is_left(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home / "calibration" / "mine.toml"
    layout.save(Layout(game="null"), path)
    before = path.read_bytes()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MachineError, match="No space left"):
        layout.save(Layout(game="null", name="other"), path)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["mine.toml"]


def test_what_was_learned_about_another_window_and_cannot_be_used_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later version of the program may have kept it."""
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path))
    mine = Layout(game="null", title=layout.pattern_of("Lamps"))
    path = layout.remember(mine)
    other = layout.remember(Layout(game="null", title=layout.pattern_of("Doors")))
    other.write_text(other.read_text(encoding="utf-8") + "\nfrom_later = 1\n", encoding="utf-8")
    assert layout.recall("null", "Lamps") == mine
    assert layout.recall("null", "Windows") is None
    path.write_text("game = 3", encoding="utf-8")
    with pytest.raises(LayoutError):
        layout.recall("null", "Lamps")


def test_the_pattern_of_a_title_can_be_read_and_fits_it_whatever_it_counts() -> None:
    pattern = layout.pattern_of("My hashi - Level 12 (of 30)")
    assert pattern == r"^My hashi - Level \d+ \(of \d+\)$"
    assert layout.title_fits(pattern, "My hashi - Level 7 (of 30)")
    assert layout.title_fits(layout.pattern_of("a\\ b"), "a\\ b")
