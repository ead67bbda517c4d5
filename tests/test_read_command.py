"""``autoplayer read``: all kinds of files as input; for each file an object or an error message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow

from autoplayer import games, layout, which
from autoplayer.cli import main, output, pictures
from autoplayer.cli.read import read as read_command
from autoplayer.cli.solve import solve as solve_command
from autoplayer.core.errors import UsageError
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cardinal_chains import GAME, CardinalChains
from autoplayer.layout import Layout
from autoplayer.screen.display import VirtualDisplay
from tests.simulated import Look, Simulated

LEVEL = "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "board.png"
    cv2.imwrite(str(path), Simulated([LEVEL], Look(pitch=80), advance="stay").image())
    return path


@pytest.fixture
def read(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: Path | str) -> tuple[int, list[dict[str, Any]], str]:
        code = main(["read", "cardinal-chains", "--json", *map(str, arguments)])
        said = capsys.readouterr()
        assert "Traceback" not in said.err + said.out
        return code, [json.loads(line) for line in said.out.splitlines()], said.err

    return call


def test_a_board_is_read(board: Path, read: Any) -> None:
    code, [said], _ = read(board)
    assert code == 0
    assert set(said) == {"file", "status", "puzzle", "confidence", "doubts", "seconds", "error"}
    assert (said["file"], said["status"], said["puzzle"]) == (str(board), "read", LEVEL)
    assert 0.5 < said["confidence"] <= 1
    assert said["error"] is None


def test_for_a_person_it_prints_the_same_text_that_solve_takes(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "cardinal-chains", str(board)]) == 0
    assert capsys.readouterr().out == LEVEL + "\n"


@pytest.mark.parametrize(
    ("name", "mode"),
    [("palette.png", "P"), ("alpha.png", "RGBA"), ("grey.png", "L"), ("cmyk.jpg", "CMYK"), ("grey.webp", "RGB")],
)
def test_pictures_of_every_kind_are_converted(name: str, mode: str, board: Path, tmp_path: Path, read: Any) -> None:
    with Pillow.open(board) as picture:
        made = picture.quantize(32) if mode == "P" else picture.convert(mode)
        made.save(tmp_path / name, quality=95)
    code, [said], _ = read(tmp_path / name)
    assert (code, said["puzzle"]) == (0, LEVEL)


def test_sixteen_bits_a_pixel_and_transparency_are_converted(board: Path, tmp_path: Path, read: Any) -> None:
    grey = cv2.imread(str(board), cv2.IMREAD_GRAYSCALE)
    cv2.imwrite(str(tmp_path / "deep.png"), grey.astype(np.uint16) * 257)
    clear = np.dstack([np.zeros((*grey.shape, 3), np.uint8), 255 - grey])  # black ink on nothing
    cv2.imwrite(str(tmp_path / "clear.png"), clear)
    _, said, _ = read(tmp_path / "deep.png", tmp_path / "clear.png")
    assert [each["puzzle"] for each in said] == [LEVEL, LEVEL]


def test_what_is_no_picture_is_one_sentence_each_and_the_rest_is_read(board: Path, tmp_path: Path, read: Any) -> None:
    (tmp_path / "nothing.png").write_bytes(b"")
    (tmp_path / "fake.png").write_bytes(b"not a picture")
    (tmp_path / "torn.png").write_bytes(board.read_bytes()[:800])
    given = [tmp_path / name for name in ("nothing.png", "fake.png", "torn.png")]
    code, said, _ = read(*given, tmp_path, tmp_path / "nowhere.png", board)
    assert code == 3
    assert [each["status"] for each in said] == ["unreadable"] * 5 + ["read"]
    words = ("the file is empty", "expected a picture", "damaged", "folder", "no such file")
    for word, each in zip(words, said, strict=False):
        assert word in each["error"]
        assert "\n" not in each["error"]
    assert read(given[0])[0] == 2


@pytest.mark.parametrize("size", [(30_000, 4), (4, 30_000), (8_000, 7_000)])
def test_a_picture_far_larger_than_a_screen_is_refused_unopened(size: tuple[int, int], tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    Pillow.new("1", size).save(path)
    with pytest.raises(UsageError, match=f"{size[0]}x{size[1]}"):
        pictures.load(str(path))


@pytest.mark.parametrize("colour", [0, 127, 255])
def test_a_picture_without_a_board_is_unreadable_with_the_reason(colour: int, tmp_path: Path, read: Any) -> None:
    path = tmp_path / "plain.png"
    cv2.imwrite(str(path), np.full((300, 400, 3), colour, np.uint8))
    code, [said], _ = read(path)
    assert code == 1
    assert said["status"] == "unreadable"
    assert said["puzzle"] is None
    assert said["error"]


def test_the_overlay_marks_what_was_read(board: Path, tmp_path: Path, read: Any) -> None:
    out = tmp_path / "seen.png"
    code, _, _ = read(board, board, "--overlay", out)
    assert code == 0
    before, after = cv2.imread(str(board)), cv2.imread(str(out))
    assert before.shape == after.shape
    places = GAME.read(before, Layout(game="cardinal-chains")).places
    for box in places.values():
        assert (box.crop(before) != box.crop(after)).any()
    assert (tmp_path / "seen-2.png").exists()
    assert not list(tmp_path.glob(".*"))


def test_doubts_are_drawn_in_another_colour() -> None:
    window = Simulated([LEVEL], Look(pitch=80), advance="stay")
    plain = pictures.overlay(window.image(), window.places, LEVEL)
    doubt = Doubt(((1, 1),), (("3", 0.6), ("8", 0.4)))
    doubtful = pictures.overlay(window.image(), window.places, LEVEL, (doubt,))
    box = window.places[1, 1]
    assert (box.crop(plain) != box.crop(doubtful)).any()
    assert (np.all(box.crop(doubtful) == pictures.OPEN, axis=2)).any()
    assert not (np.all(box.crop(plain) == pictures.OPEN, axis=2)).any()


def test_an_overlay_that_cannot_be_written_is_said_before_anything_is_read(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for where in (tmp_path / "no" / "out.png", tmp_path, tmp_path / "out.gif"):
        assert main(["read", "cardinal-chains", str(board), "--overlay", str(where)]) in (2, 3)
        said = capsys.readouterr()
        assert said.out == ""
        assert len(said.err.strip().splitlines()) == 1


class Doubting(CardinalChains):
    """A reader that is not certain of one cell, in the way that it is told."""

    doubts: tuple[Doubt, ...] = ()

    def read(self, image: Any, layout: Layout) -> Reading[Any]:
        reading = super().read(image, layout)
        return Reading(reading.puzzle, reading.places, self.doubts, 0.5, reading.image)


def test_what_the_rules_do_not_settle_is_doubtful_and_named(
    tmp_path: Path, read: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ring.png"
    cv2.imwrite(str(path), Simulated(["X 1\n3 2"], Look(pitch=80), advance="stay").image())
    game = Doubting()
    game.doubts = tuple(Doubt((cell,), (("1", 0.5), ("3", 0.5))) for cell in ((0, 1), (1, 0)))
    monkeypatch.setattr("autoplayer.games.load", lambda name: game)
    code, [said], _ = read(path)
    assert code == 1
    assert said["status"] == "doubtful"
    assert {tuple(cell) for doubt in said["doubts"] for cell in doubt["cells"]} == {(0, 1), (1, 0)}
    assert all(token in ("1", "3") for doubt in said["doubts"] for token, _ in doubt["candidates"])
    assert "(0, 1)" in said["error"]


def test_an_unknown_game_and_an_unknown_layout(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "cardinal-chain", str(board)]) == 2
    assert "did you mean 'cardinal-chains'" in capsys.readouterr().err
    assert main(["read", "cardinal-chains", str(board), "--layout", "nowhere"]) == 3


def test_the_picture_is_written_also_where_nobody_reads_the_text_to_its_end(
    board: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: of `autoplayer read … --overlay seen.png | head -3` the picture was missing at times."""

    def closed(fields: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(output, "line", closed)
    seen, solved, text = (tmp_path / name for name in ("seen.png", "solved.png", "level.txt"))
    text.write_text(LEVEL + "\n", encoding="utf-8")
    with pytest.raises(BrokenPipeError):
        read_command(["cardinal-chains", str(board)], json=True, overlay=seen)
    with pytest.raises(BrokenPipeError):
        solve_command("cardinal-chains", [str(text)], json=True, picture=solved)
    assert seen.is_file()
    assert solved.is_file()


def test_without_a_game_the_one_that_explains_the_picture_is_taken(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three games; that each is known among all of them is shown in `test_which.py`."""
    some = [(games.load(name), Layout(game=name)) for name in ("cardinal-chains", "hashi", "null")]
    monkeypatch.setattr(which, "candidates", lambda: list(some))
    lamps, plain, bridges = tmp_path / "lamps.png", tmp_path / "plain.png", tmp_path / "bridges.png"
    null, hashi = games.load("null"), games.load("hashi")
    puzzle = hashi.generate(7, 7, 3)
    cv2.imwrite(str(bridges), hashi.draw(puzzle))
    cv2.imwrite(str(lamps), null.draw(null.parse("1 0 1 1")))
    cv2.imwrite(str(plain), np.full((300, 400, 3), 90, np.uint8))
    code = main(["read", "--json", *map(str, (board, plain, lamps))])
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 1
    assert [(each["game"], each["status"], each["puzzle"]) for each in said] == [
        ("cardinal-chains", "read", LEVEL),
        (None, "unreadable", None),
        (None, "unreadable", None),  # a row of lamps may be anything
    ]
    assert "Cardinal Chains" in said[1]["error"]
    assert main(["read", str(bridges)]) == 0
    out, err = capsys.readouterr()
    assert out == hashi.format(puzzle) + "\n"
    assert err == f"{bridges}: this is Hashi\n"


def test_a_layout_names_the_game(board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = tmp_path / "mine.toml"
    layout.save(Layout(game="cardinal-chains", name="mine"), profile)
    assert main(["read", "--json", "--layout", str(profile), str(board)]) == 0
    assert json.loads(capsys.readouterr().out)["game"] == "cardinal-chains"
    layout.save(Layout(game="hashi", name="mine"), profile)
    assert main(["read", "cardinal-chains", "--layout", str(profile), str(board)]) == 2
    assert "for the game 'hashi'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param(["cardinal-chains"], 2, "expected a picture after the game", id="only a game"),
        pytest.param(["hashy"], 2, "did you mean 'hashi'", id="neither a game nor a picture"),
        pytest.param(["gone.png"], 3, "no such file", id="a picture that is not there"),
        pytest.param(["gone/away"], 3, "no such file", id="a path that is not there"),
        pytest.param(["cardinal-chains", ""], 3, "name of a picture, but it is empty", id="an empty name"),
    ],
)
def test_what_is_neither_a_game_nor_a_picture(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", *arguments]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("named", [True, False])
def test_a_window_is_read_as_a_picture_is(
    named: bool, board: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    image = cv2.imread(str(board))
    monkeypatch.setattr("autoplayer.cli.read._Shown.grabbed", lambda shown: (f"My {shown.title}", image))
    game = ["cardinal-chains"] if named else []
    assert main(["read", *game, "--window", "Chains", "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert (fields["file"], fields["status"], fields["puzzle"]) == ("My Chains", "read", LEVEL)
    assert fields.get("game") == (None if named else "cardinal-chains")


def test_a_part_of_the_screen_is_read_as_a_window_is(
    display: VirtualDisplay, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "hashi", "--region", "0,0,120,90", "--json"]) == 1
    fields = json.loads(capsys.readouterr().out)
    assert (fields["file"], fields["status"]) == ("region 0,0,120,90", "unreadable")
    assert "no board of Hashi is seen" in fields["error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param([], "expected a picture, such as screenshot.png, or a window", id="nothing"),
        pytest.param(["BOARD", "--window", "Chains"], "not both", id="picture and window"),
        pytest.param(["hashi", "BOARD", "--window", "Chains"], "not both", id="game, picture and window"),
        pytest.param(["BOARD", "--region", "0,0,9,9"], "not both", id="picture and region"),
        pytest.param(["hashi", "--pick", "--region", "0,0,9,9"], "give one of them", id="a click and a region"),
        pytest.param(["hashi", "--region", "0,0,9"], "four whole numbers", id="no region"),
        pytest.param(["hash", "--window", "Chains"], "did you mean 'hashi'?", id="no such game"),
    ],
)
def test_a_window_or_pictures(arguments: list[str], said: str, board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", *(str(board) if each == "BOARD" else each for each in arguments)]) == 2
    assert said in capsys.readouterr().err
