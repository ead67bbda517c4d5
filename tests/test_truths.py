"""``autoplayer replay`` of pictures with their truth beside them, and the HTML report."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer import games, layout
from autoplayer.cli import main, report, truths
from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Box, Image
from autoplayer.games.base import Doubt
from autoplayer.screen.recording import LINES, Recorder
from tests.simulated import Look, Simulated

CHAINS = "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3"
LAMPS = "1 0 1 1"

Replay = Callable[..., tuple[int, list[dict[str, Any]], str]]


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str]) -> Replay:
    """Runs the command with --json; the exit code, the objects and what was said on the standard error."""

    def call(*arguments: Path | str) -> tuple[int, list[dict[str, Any]], str]:
        code = main(["replay", "--json", *map(str, arguments)])
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return code, [json.loads(line) for line in said.out.splitlines()], said.err

    return call


def put(path: Path, image: Image, text: str | None) -> Path:
    """A picture, and its truth beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), image)
    if text is not None:
        path.with_suffix(".txt").write_text(text + "\n", encoding="utf-8")
    return path


def chains() -> Image:
    return Simulated([CHAINS], Look(pitch=80), advance="stay").image()


def lamps(text: str = LAMPS) -> Image:
    null = games.load("null")
    return null.draw(null.parse(text))


# What is said of a picture


def test_a_picture_that_is_read_as_its_truth_is_exact(replay: Replay, tmp_path: Path) -> None:
    put(tmp_path / "cardinal-chains" / "a.png", chains(), f"# a note\n{CHAINS}")
    code, [said], err = replay(tmp_path)
    assert (code, err) == (0, "")
    assert set(said) == {
        *("picture", "game", "named", "status", "checked", "truth", "puzzle", "cells", "differences", "doubts"),
        *("confidence", "seconds", "error"),
    }
    assert (said["status"], said["truth"], said["puzzle"], said["cells"]) == ("exact", CHAINS, CHAINS, 16)
    assert said["differences"] == []
    assert said["error"] is None


def test_a_truth_in_which_nothing_is_right_may_be_another_pictures(replay: Replay, tmp_path: Path) -> None:
    put(tmp_path / "null" / "a.png", lamps("1 1 0 1 0 0 1"), "0 0 1 0 1 1 0")
    put(tmp_path / "null" / "b.png", lamps("1 1 0 1 0 0 1"), "0 0 1 1 0 0 1")
    _, [first, second], _ = replay(tmp_path)
    assert first["error"] == "7 of 7 cells differ (the truth may be of another picture), and the reader had no doubt"
    assert second["error"] == "3 of 7 cells differ, and the reader had no doubt"


def test_cells_that_the_truth_has_not_count_as_well(replay: Replay, tmp_path: Path) -> None:
    put(tmp_path / "null" / "a.png", lamps("1 1 0 1"), "1 1")
    _, [said], _ = replay(tmp_path)
    assert said["error"] == "2 of 4 cells differ, and the reader had no doubt"


def test_a_cell_that_differs_is_named(replay: Replay, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path / "null" / "a.png", lamps("1 1 0 1"), LAMPS)
    code, [said], _ = replay(tmp_path)
    assert (code, said["status"]) == (1, "wrong")
    assert said["differences"] == [
        {"cell": [0, 1], "truth": "0", "read": "1"},
        {"cell": [0, 2], "truth": "1", "read": "0"},
    ]
    assert main(["replay", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert re.search(r"^null +\S+ +1 +0 +0 +1 +0 +0$", out, re.MULTILINE)
    assert f"{path}: wrong: 2 of 4 cells differ, and the reader had no doubt" in out
    assert "  cell (0, 1) is 0, and was read as 1" in out


def test_no_board_and_a_board_that_is_none_of_the_truths(replay: Replay, tmp_path: Path) -> None:
    put(tmp_path / "null" / "a.png", np.full((100, 300, 3), 90, np.uint8), LAMPS)
    put(tmp_path / "null" / "b.png", lamps("1 0 1 1 1 0"), LAMPS)
    code, said, _ = replay(tmp_path)
    assert code == 1
    assert [each["status"] for each in said] == ["unreadable", "wrong"]
    assert said[0]["error"]
    assert {each["truth"] for each in said[1]["differences"]} == {None}


def test_what_the_rules_do_not_settle_is_doubtful(replay: Replay, tmp_path: Path) -> None:
    """The board has no solution, so something was misread; the best guess is the truth all the same."""
    put(tmp_path / "a.png", Simulated(["X 5 1\n5 5 5"], Look(pitch=80), advance="stay").image(), "X 5 1\n5 5 5")
    code, [said], _ = replay(tmp_path, "--game", "cardinal-chains")
    assert (code, said["status"], said["differences"]) == (1, "doubtful", [])
    assert said["error"].startswith("the best guess is right; ")


# Which game it is


@pytest.mark.parametrize(
    ("folder", "text", "option", "named"),
    [
        pytest.param("null", f"# game: hashi\n{LAMPS}", "null", "option", id="the option before all"),
        pytest.param("hashi", f"# game: null\n{LAMPS}", None, "text", id="the text before the folder"),
        pytest.param("null/dark", LAMPS, None, "folder", id="a folder above"),
        pytest.param("stills", LAMPS, None, "tried", id="nothing, so it is tried"),
    ],
)
def test_the_game_is_named_in_turn_by(
    folder: str, text: str, option: str | None, named: str, replay: Replay, tmp_path: Path
) -> None:
    put(tmp_path / folder / "a.png", lamps(), text)
    code, [said], err = replay(tmp_path, *(["--game", option] if option else []))
    assert (code, said["game"], said["named"], said["status"]) == (0, "null", named, "exact")
    assert err == ""


def test_a_layout_is_heard_in_the_text_and_as_an_option(replay: Replay, tmp_path: Path) -> None:
    """A board that a layout places elsewhere is not seen; so the layout was used."""
    image = chains()
    height, width = image.shape[:2]
    table = layout.BoardTable(place=(120 / width, 40 / height, 320 / width, 320 / height), rows=4, columns=4)
    off = layout.BoardTable(place=(0.8, 0.8, 0.1, 0.1), rows=4, columns=4)
    for name, board in (("right", table), ("off", off)):
        layout.save(layout.Layout(game="cardinal-chains", name=name, board=board), tmp_path / f"{name}.toml")
        put(tmp_path / "cardinal-chains" / f"{name}.png", image, f"# layout: {name}.toml\n{CHAINS}")
        shutil.copy(tmp_path / f"{name}.toml", tmp_path / "cardinal-chains")
    _, said, _ = replay(tmp_path / "cardinal-chains")
    assert [each["status"] == "exact" for each in said] == [False, True]
    _, said, _ = replay(tmp_path / "cardinal-chains", "--layout", tmp_path / "right.toml")
    assert [(each["status"], each["named"]) for each in said] == [("exact", "option")] * 2
    _, said, _ = replay(tmp_path / "cardinal-chains" / "off.png", "--layout", tmp_path / "off.toml")
    assert said[0]["status"] != "exact"
    put(tmp_path / "gone" / "a.png", image, f"# game: cardinal-chains\n# layout: nowhere\n{CHAINS}")
    code, [each], _ = replay(tmp_path / "gone")
    assert (code, each["status"]) == (3, "invalid")
    assert "there is no layout 'nowhere'" in each["error"]


def test_among_games_whose_format_fits_the_picture_decides(
    replay: Replay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``1 0 1 1`` is a level of Cardinal Chains as well, with 0 for a start."""
    put(tmp_path / "a.png", lamps(), LAMPS)
    put(tmp_path / "b.png", chains(), CHAINS)
    code, said, _ = replay(tmp_path)
    assert code == 0
    assert [each["game"] for each in said] == ["null", "cardinal-chains"]
    assert main(["replay", str(tmp_path)]) == 0
    err = capsys.readouterr().err
    assert "nothing names the game of 1 picture; text and picture fit null\n" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("# game: hashy\n1 0", "did you mean 'hashi'", id="no such game"),
        pytest.param("what is this?", "no game's format fits", id="no game's text"),
        pytest.param("# only\n# comments", "there is none in it", id="no puzzle"),
        pytest.param("# game: null\n1 0 x", "row 1 of the board", id="a fault in the text"),
        pytest.param("# game: null\n1 0\x00", "zero byte", id="no text"),
        pytest.param("# game: null\n1 0\n \n1 0", "one puzzle, but a blank line divides it", id="two puzzles"),
    ],
)
def test_a_truth_that_is_none_is_named(text: str, said: str, replay: Replay, tmp_path: Path) -> None:
    path = put(tmp_path / "a.png", lamps(), text)
    code, [each], _ = replay(tmp_path)
    assert (code, each["status"]) == (2, "invalid")
    assert said in each["error"]
    assert each["error"].startswith(str(path.with_suffix(".txt")))


# Folders


def test_folders_in_folders_recordings_and_pictures_together(replay: Replay, tmp_path: Path) -> None:
    put(tmp_path / "null" / "b.png", lamps(), LAMPS)
    put(tmp_path / "null" / "deep" / "a.JPG".lower(), lamps(), LAMPS)
    put(tmp_path / "null" / "alone.png", lamps(), None)
    Recorder(Simulated([CHAINS]), tmp_path / "session").close()
    put(tmp_path / "session" / "frame-000001.png", lamps(), LAMPS)
    code, said, _ = replay(tmp_path)
    assert code == 2  # the session has no facts
    assert [Path(each.get("picture") or each["recording"]).name for each in said] == ["b.png", "a.jpg", "session"]
    assert [each["status"] for each in said] == ["exact", "exact", "invalid"]


def test_one_picture_can_be_named(replay: Replay, tmp_path: Path) -> None:
    path = put(tmp_path / "null" / "a.png", lamps(), LAMPS)
    put(tmp_path / "null" / "b.png", lamps(), "0 0 1 1")
    assert replay(path)[0] == 0


def test_a_folder_with_nothing_to_replay_is_bad_input(
    replay: Replay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "a.png", lamps(), None)
    code, [said], _ = replay(tmp_path)
    assert (code, said["status"]) == (2, "invalid")
    assert "found 1 picture without a truth" in said["error"]
    assert main(["replay", str(tmp_path / "nowhere")]) == 3
    assert main(["replay", str(tmp_path), "--game", "nul"]) == 2
    assert "did you mean 'null'" in capsys.readouterr().err


def test_a_damaged_picture_does_not_stop_the_others(replay: Replay, tmp_path: Path) -> None:
    path = put(tmp_path / "null" / "a.png", lamps(), LAMPS)
    put(tmp_path / "null" / "b.png", lamps(), LAMPS)
    path.write_bytes(path.read_bytes()[:120])
    code, said, _ = replay(tmp_path)
    assert code == 2
    assert [each["status"] for each in said] == ["invalid", "exact"]
    assert "damaged" in said[0]["error"]


def test_what_was_read_is_told_where_it_is_interrupted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of pictures take minutes; whoever stops in the middle sees what came of those before."""
    for name in ("first", "second"):
        put(tmp_path / f"{name}.png", chains(), CHAINS)
    judge = truths.judge

    def stopped(path: Path, *rest: Any) -> Any:
        if path.stem == "second":
            raise KeyboardInterrupt
        return judge(path, *rest)

    monkeypatch.setattr(truths, "judge", stopped)
    assert main(["replay", str(tmp_path)]) == 4
    assert re.search(r"cardinal-chains\s+\S+\s+1\s+1\s", capsys.readouterr().out)


def test_the_page_counts_what_is_invalid(tmp_path: Path) -> None:
    put(tmp_path / "good.png", chains(), CHAINS)
    put(tmp_path / "bad.png", chains(), CHAINS).write_bytes(b"no picture")
    page = tmp_path / "page.html"
    assert main(["replay", str(tmp_path), "--report", str(page)]) == 2
    assert "<th class=n>invalid" in page.read_text(encoding="utf-8")


def test_the_readers_own_word_is_no_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = truths.unchecked(games.load("null"), LAMPS, "cell (0, 1) may be 0 or 1").strip()
    path = put(tmp_path / "a.png", lamps(), text)
    assert truths.load(path.with_suffix(".txt")) == truths.Truth(LAMPS, "null", False)
    assert main(["replay", str(tmp_path)]) == 0
    assert "checked yet: 1 of the 1 truths" in capsys.readouterr().err
    out = tmp_path / "report.html"
    assert main(["replay", str(tmp_path), "--report", str(out)]) == 0
    assert "Nothing differs, but 1 of 1 truth nobody has checked yet" in out.read_text(encoding="utf-8")


# Comparing


@pytest.mark.parametrize(
    ("truth", "read", "differences"),
    [
        pytest.param("1 2\n3 4", "1 2\n3 4", [], id="the same"),
        pytest.param("1 2\n3 4", "1 2\n3 5", [((1, 1), "4", "5")], id="a token"),
        pytest.param("1 2\n3 4", "1 2\n3 .", [((1, 1), "4", None)], id="a cell that was not seen"),
        pytest.param("1 2\n3 .", "1 2\n3 4", [((1, 1), None, "4")], id="a cell that is none"),
        pytest.param("12\n34\n56", "34\n56", [((0, 0), "1", None), ((0, 1), "2", None)], id="a row too few"),
        pytest.param("12\n34", "712\n834", [((0, 0), None, "7"), ((1, 0), None, "8")], id="a column too many"),
        pytest.param("123\n456\n789", "999\n456\n789", [((0, 0), "1", "9"), ((0, 1), "2", "9"), ((0, 2), "3", "9")],
                     id="a row that is all wrong"),
        pytest.param("2..2\n....\n1..1", "2.2\n1.1", [], id="water between islands"),
        pytest.param("2..2\n....\n1..1", "2.2\n1..", [((2, 3), "1", None)], id="an island was not seen"),
    ],
)  # fmt: skip
def test_cells_that_differ(truth: str, read: str, differences: list[Any]) -> None:
    assert [(each.cell, each.truth, each.read) for each in truths.compare(truth, read, {})] == differences


def test_where_a_cell_that_was_not_seen_must_stand() -> None:
    places = {(0, 0): Box(10, 10, 8, 8), (0, 1): Box(30, 12, 8, 8), (1, 0): Box(10, 30, 8, 8)}
    [missed] = truths.compare("1 2\n3 4", "1 2\n3 .", places)
    assert missed.place == Box(30, 30, 8, 8)


# The page


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and the text outside of tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.fixture
def stills(tmp_path: Path) -> Path:
    """One picture of each kind."""
    folder = tmp_path / "null"
    put(folder / "exact.png", lamps(), LAMPS)
    put(folder / "half.png", lamps("1 1 0 1"), LAMPS)
    put(folder / "more.png", lamps("0 1 0 1"), LAMPS)
    put(folder / "blank <b>.png", np.full((100, 300, 3), 90, np.uint8), LAMPS)
    put(folder / "bad.png", lamps(), "1 0 x")
    return folder


def page_of(folder: Path) -> str:
    out = folder.parent / "report.html"
    main(["replay", str(folder), "--report", str(out)])
    assert sorted(path.name for path in out.parent.iterdir() if path.is_file()) == ["report.html"]
    return out.read_text(encoding="utf-8")


def test_the_page_shows_the_worst_first_and_needs_nothing_else(stills: Path) -> None:
    page = page_of(stills)
    order = [page.index(f"<span class=name>{name}") for name in ("more", "half", "blank", "bad", "exact")]
    assert order == sorted(order)
    assert "2 of 5 pictures read wrong without a doubt" in page
    assert "The worst is" in page
    assert "blank &lt;b&gt;.png" in page
    tags = Tags(page).tags
    addresses = [value for _, attrs in tags for key, value in attrs.items() if key in ("src", "href", "xlink:href")]
    assert addresses
    assert all(value is not None and value.startswith(("data:image/png;base64,", "#")) for value in addresses)
    assert not {"script", "link", "iframe", "object", "embed", "base"} & {tag for tag, _ in tags}
    assert not [key for _, attrs in tags for key in attrs if key.startswith("on")]
    assert not re.search(r"url\(|@import|https?://", page)
    linked = {value for _, attrs in tags for key, value in attrs.items() if key == "href" and (value or "")[0] == "#"}
    assert {value[1:] for value in linked if value} <= {attrs["id"] for _, attrs in tags if "id" in attrs}


def test_the_page_says_of_each_cell_what_it_may_be() -> None:
    doubt = Doubt(((0, 0),), (("1", 0.6), ("7", 0.3), ("4", 0.1)))
    place = Box(10, 10, 20, 20)
    judged = truths.Judged(
        "a.png", "doubtful", "in doubt", "cardinal-chains", "option", True, "7 2", "1 2", 2,
        (truths.Difference((0, 0), "7", "1", place),), (doubt,), {}, {(0, 0): place, (0, 1): Box(30, 10, 20, 20)}, 0.6,
    )  # fmt: skip
    page = report.Page()
    page.picture(judged, np.full((40, 60, 3), 200, np.uint8))
    html = page.html()
    assert "cell (0, 0) is 7, and was read as 1" in html
    assert "1 (60%) or 7 (30%) or 4 (10%)" in html
    assert ">1≠7<" in html
    assert html.count("data:image/png") == 1
    assert html.count("<use href='#p1'/>") == 1


def test_recordings_are_in_the_page(tmp_path: Path) -> None:
    Recorder(Simulated([CHAINS]), tmp_path / "in" / "session").close()
    page = page_of(tmp_path / "in")
    assert "Recorded sessions" in page
    assert "play --record" in page
    recording = next(Path("screenshots").rglob(LINES), None)
    assert recording is not None
    shown = (truths.Judged("frame-1.png", "wrong", "cell (0, 0) was 1, is now 7", "null"), lamps())
    made = report.Page()
    fields = {"recording": "monday", "status": "different", "frames": 3, "levels": 1, "differences": ["one"]}
    made.recording({**fields, "error": None}, [shown])
    html = made.html()
    assert "1 of 1 recorded session not as recorded" in html
    assert "3 frames, 1 levels: 1 difference" in html
    assert html.count("data:image/png") == 1


def test_a_page_that_cannot_be_written_is_said_first(stills: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for where, code in ((stills, 2), (stills / "no" / "r.html", 3), (stills / "r.txt", 2)):
        assert main(["replay", str(stills), "--report", str(where)]) == code
        said = capsys.readouterr()
        assert said.out == ""
        assert len(said.err.splitlines()) == 1


def test_a_page_appears_whole_or_not_at_all(stills: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = stills.parent / "report.html"
    out.write_text("the last one", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main(["replay", str(stills), "--report", str(out)]) == 5
    assert out.read_text(encoding="utf-8") == "the last one"
    assert [path.name for path in stills.parent.iterdir() if path.is_file()] == ["report.html"]


@pytest.fixture
def browser(tmp_path: Path) -> Callable[[Path, int, int], Image]:
    """Opens a page in Chromium, a new one each time, and takes its picture at a size."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium is installed (apt-get install chromium), so the page cannot be opened in a browser")

    def shoot(page: Path, width: int, height: int) -> Image:
        out = tmp_path / f"{page.stem}-{width}.png"
        quiet = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
            *("--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars"),
        ]
        subprocess.run(
            [program, *quiet, f"--user-data-dir={tmp_path / 'profile'}-{out.stem}", f"--screenshot={out}",
             f"--window-size={width},{height}", page.as_uri()],
            check=True, capture_output=True, timeout=180,
        )  # fmt: skip
        image = cv2.imread(str(out))
        assert image is not None
        return np.asarray(image, np.uint8)

    return shoot


@pytest.mark.parametrize("width", [1280, 500])
def test_in_a_browser_the_pictures_and_what_was_read_are_seen(
    width: int, stills: Path, browser: Callable[[Path, int, int], Image]
) -> None:
    page_of(stills)
    image = browser(stills.parent / "report.html", width, 3000)
    lit, mark = lamps()[10 + lamps().shape[0] // 2 - 10, :], (28, 19, 224)
    # the lamps of the pictures, and the frame around the cells that differ
    colours = {tuple(int(v) for v in pixel) for pixel in lit}
    assert sum(bool((image == np.array(colour)).all(axis=2).any()) for colour in colours) >= 2
    assert (image == np.array(mark)).all(axis=2).sum() > 50
    # nothing sticks out at the right
    edge = image[:, -4:]
    assert (edge == image[4, -4]).all(axis=2).mean() > 0.99


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A place that a page could fetch from: its address, and what was asked of it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{found.server_port}", asked
    found.shutdown()
    found.server_close()


def test_in_a_browser_nothing_is_fetched_even_if_something_slipped_in(
    stills: Path, browser: Callable[[Path, int, int], Image], server: tuple[str, list[str]]
) -> None:
    """A foreign address in the page is not followed, by its own policy; without that it would be, as is seen here."""
    address, asked = server
    page = page_of(stills).replace("</main>", f"<img src='{address}/slipped-in.png'></main>")
    guarded, open_ = stills.parent / "guarded.html", stills.parent / "open.html"
    guarded.write_text(page, encoding="utf-8")
    open_.write_text(re.sub(r"<meta http-equiv=[^>]*>", "", page), encoding="utf-8")
    browser(guarded, 800, 600)
    assert asked == []
    browser(open_, 800, 600)
    assert asked == ["/slipped-in.png"]


def test_the_truth_of_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("# game: null\n\n", encoding="utf-8")
    with pytest.raises(UsageError, match="expected a puzzle's text"):
        truths.load(path)
