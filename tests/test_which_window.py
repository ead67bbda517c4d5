"""Which window is played, and which part of it is the board: several windows with one title, a window that was just
opened, a row of numbers beside a board."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer import games, layout
from autoplayer.cli import choosing, open_windows
from autoplayer.core.errors import UnreadableError, UsageError
from autoplayer.core.frame import Box, Frame, Image
from autoplayer.layout import Layout
from autoplayer.screen import desktop
from autoplayer.screen.windows import Window
from autoplayer.session.events import Sight
from autoplayer.session.looking.marks import fitting
from autoplayer.session.window import GameWindow, Unread
from tests.simulated import Look, Simulated

LEVEL = "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3"
CHAINS: Any = games.load("cardinal-chains")
WANTED = choosing.Wanted((CHAINS,), None, bare=True)


class System:
    """A desktop with windows of these titles."""

    def __init__(self, titles: Sequence[str]) -> None:
        self._windows = [Window(k, title, Box(0, 0, 640, 480), visible=True) for k, title in enumerate(titles)]

    def windows(self) -> list[Window]:
        return self._windows

    def covering(self, *_: object) -> None:
        return None


def target(titles: Sequence[str], shows: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The title of the window that is chosen by a part of it; ``shows``: the titles of those that show the game."""

    def shown(_wanted: object, _system: object, window: Window) -> choosing.Choice:
        if window.title not in shows:
            raise UnreadableError("no board")
        return choosing.Choice(CHAINS, Layout(game=CHAINS.name), "")

    monkeypatch.setattr(open_windows, "shown_in", shown)
    system: Any = System(titles)
    return open_windows.find(WANTED, system, "chains", pick=False)[0].title


def test_of_several_windows_of_a_title_the_one_that_shows_the_game_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: the game had put up a second window with its scores."""
    titles = ["Level 1 - Chains", "Chains - scores", "Editor"]
    assert target(titles, ["Level 1 - Chains", "Editor"], monkeypatch) == "Level 1 - Chains"


@pytest.mark.parametrize("shows", [[], ["Level 1 - Chains", "Chains - scores"]])
def test_where_none_or_several_of_them_do_the_person_is_asked(
    shows: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="2 windows match 'chains'"):
        target(["Level 1 - Chains", "Chains - scores"], shows, monkeypatch)


@pytest.mark.parametrize(("opens", "seen"), [(3.0, True), (1000.0, False)])
def test_a_window_that_shows_nothing_yet_is_waited_for(
    opens: float, seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: a game was looked at while it was being opened, and called no game. The clock is the window's own."""

    class Opening(Simulated):
        def image(self) -> Image:
            return super().image() if self.clock > opens else np.full((480, 640, 3), 30, np.uint8)

    window = Opening([LEVEL], Look(pitch=80, origin=(120, 60)))
    monkeypatch.setattr(desktop, "DesktopScreen", lambda *_, **__: window)
    system: Any = System(["Chains"])
    if seen:
        assert open_windows.shown_in(WANTED, system, system.windows()[0]).game is CHAINS
    else:
        with pytest.raises(UnreadableError):
            open_windows.shown_in(WANTED, system, system.windows()[0])
        assert window.clock < 60


def test_a_page_of_words_that_nobody_has_named_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: the letters of a page that was no game were read as islands in doubt, and with leave to press what
    leads to a level its button was pressed."""
    font = cv2.FONT_HERSHEY_DUPLEX
    page = np.full((600, 720, 3), 255, np.uint8)
    for text, y, tall in (("Transfer", 150, 1.7), ("Send 250 to Bob?", 230, 0.8)):
        width = cv2.getTextSize(text, font, tall, 2)[0][0]
        cv2.putText(page, text, ((720 - width) // 2, y), font, tall, (0, 0, 0), 2, cv2.LINE_AA)
    cv2.rectangle(page, (250, 280), (470, 335), (232, 115, 26), -1)
    cv2.putText(page, "Confirm", (295, 316), font, 0.9, (255, 255, 255), 2, cv2.LINE_AA)

    class Page(Simulated):
        def image(self) -> Image:
            return page

    hashi: Any = games.load("hashi")
    monkeypatch.setattr(desktop, "DesktopScreen", lambda *_, **__: Page([LEVEL]))
    system: Any = System(["Inbox"])
    with pytest.raises(UnreadableError):
        open_windows.shown_in(choosing.Wanted((hashi,), None, bare=True), system, system.windows()[0])


def with_strip(board: bool) -> Image:
    """A strip of numbers from 1 to 10, with a board below it or without one."""
    page = Simulated([LEVEL], Look(pitch=70, origin=(180, 150), ground=(245, 245, 245))).image()
    if not board:
        page[:] = 245
    for k in range(10):
        box = Box(60 + 52 * k, 20, 44, 44)
        ink = (255, 255, 255) if k == 0 else (40, 40, 40)
        cv2.rectangle(page, (box.x, box.y), (box.x + 43, box.y + 43), (220, 120, 0) if k == 0 else (215,) * 3, -1)
        cv2.putText(page, str(k + 1), (box.x + 12, box.y + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 2, cv2.LINE_AA)
    return page


@pytest.mark.parametrize("board", [True, False])
def test_a_strip_of_numbers_is_no_board_and_hides_none(board: bool) -> None:
    """Incident: a list of levels above the board was read in place of it."""
    image = with_strip(board)
    screen: Any = Simulated([LEVEL])
    window = GameWindow(CHAINS, screen, Layout(game=CHAINS.name), lambda *_, **__: None, 30.0)
    found = window.read(Frame(image, (0, 0), 0.0))
    if board:
        assert isinstance(found, Sight)
        assert CHAINS.format(found.settled.puzzle) == LEVEL
    else:
        assert isinstance(found, Unread)


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize(("controls", "its_own"), [("drag", True), ("pair", False)])
def test_a_layout_that_was_taken_for_a_title_alone_learns_nothing_of_another_game(controls: str, its_own: bool) -> None:
    """Incident: a page that is called "Bridges" was played with the layout of a program of that name, and what was
    learned of the page would have been tried on the program."""
    image = np.full((480, 640, 3), 90, np.uint8)
    known = fitting("hashi", "Bridges", image)
    assert known is not None
    assert known.name == "sgt-bridges"
    _, keep = choosing.with_learned(known, "Bridges", guessed=True)
    keep(known.model_copy(update={"controls": controls}))
    assert (layout.recall("hashi", "Bridges", known.name) is not None) is its_own
    again = fitting("hashi", "Bridges", image)
    assert (again is not None) is its_own


def test_what_cannot_be_kept_of_a_window_ends_no_game_and_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Incident: where the person's own folder could not be written, the game stopped after the first gesture."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path / "file" / "home"))
    known, keep = choosing.with_learned(layout.Layout(game="hashi"), "Bridges", guessed=False)
    keep(known)
    keep(known.model_copy(update={"controls": "drag"}))
    said = capsys.readouterr().err
    assert said.count("is not kept") == 1
    assert "Not a directory" in said
