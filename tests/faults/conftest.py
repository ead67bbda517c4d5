"""Shared by the tests of faults: a game to play, another user of the desktop, and windows that cover the game."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from autoplayer.screen.display import VirtualDisplay
from autoplayer.session import limits
from tests.bundled import Bundled, bundled, play_json
from tests.faults.person import Person, meanwhile
from tests.screen.panes import Pane, buttons, until

CHAINS = """\
X 3 4 4
2 3 2 3
2 3 X 3
2 3 4 3

3 3 2
1 1 2
2 X X
"""
ISLANDS = """\
2.1..
.3..4
.....
.2.1.
2...3

.3..3
2....
.2.3.
....1
3..3.
"""
LEVELS = {"cardinal-chains": CHAINS, "hashi": ISLANDS}
TITLE = "A game in trouble"


class Played:
    """What `autoplayer play` returned, said, and did to the window."""

    def __init__(self, window: Bundled, code: int, results: list[dict[str, Any]], said: str) -> None:
        self.window, self.code, self.results, self.said = window, code, results, said

    @property
    def statuses(self) -> list[str]:
        return [result["status"] for result in self.results]

    @property
    def reason(self) -> str:
        """Why the last level ended, in one sentence."""
        reason = self.results[-1]["error"]
        assert reason
        assert "Traceback" not in self.said
        return str(reason)


class Trouble:
    """A game that is played while something happens to it."""

    def __init__(self, folder: Path, person: Person, play: Callable[..., Any], stack: ExitStack) -> None:
        self.folder, self.person, self._play, self._stack = folder, person, play, stack
        self.game = ""
        self.window: Bundled
        self.panes: list[Pane] = []

    def open(self, game: str, *options: str, levels: str = "") -> Bundled:
        """The bundled window, with two small levels where no others are given."""
        self.game = game
        path = self.folder / "levels.txt"
        path.write_text(levels or LEVELS[game], encoding="utf-8")
        self.window = self.open_again(*options, folder=self.folder)
        return self.window

    def open_again(self, *options: str, folder: Path | None = None) -> Bundled:
        """Another window of the same title, with a log of its own."""
        folder = folder or self.folder / "again"
        folder.mkdir(exist_ok=True)
        opened = bundled(folder, "--levels", str(self.folder / "levels.txt"), *options, game=self.game, title=TITLE)
        return self._stack.enter_context(opened)

    @property
    def id(self) -> int:
        return self.window.window.id

    def pane(self, title: str, box: tuple[int, int, int, int], kind: str = "window") -> Pane:
        """Another program's window; ``popup``: without the window manager (override-redirect)."""
        pane = Pane(self.person.display, title, box, "c0c8d0", kind)
        self.panes.append(pane)
        self._stack.callback(lambda: pane.process.poll() is None and pane.close())
        return pane

    def over_the_board(self, title: str, kind: str = "window") -> Pane:
        """A window over the lower right of the board, and more."""
        area = self.person.x11.area(self.id)
        assert area is not None
        x, y = area.centre
        return self.pane(title, (x - 20, y - 20, 320, 300), kind)

    def play(self, *options: str, act: Callable[[], object] | None = None, after: int = 1) -> Played:
        """Play the window here, and ``act`` once it has heard of ``after`` presses. However that ends, nothing is
        pressed outside the board and its buttons, nor in another window, and nothing stays down."""
        arguments = ("--window", TITLE, *options)
        if act is None:
            code, results, said = self._play(self.game, *arguments)
        else:
            with meanwhile(self.window, act, after):
                code, results, said = self._play(self.game, *arguments)
        assert not buttons(self.person.x11)
        assert not self.window.stray
        for pane in self.panes:
            if pane.process.poll() is None:
                assert not {"press", "key down"} & set(pane.names())
        return Played(self.window, code, results, said)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the waits, for games that react at once and show a win only briefly."""
    monkeypatch.setattr(limits, "LATE_LIMIT", 1.5)
    monkeypatch.setattr(limits, "FLASH_LIMIT", 3.0)


@pytest.fixture
def person(display: VirtualDisplay) -> Iterator[Person]:
    somebody = Person(os.environ["DISPLAY"])
    yield somebody
    somebody.close()


@pytest.fixture
def trouble(
    tmp_path: Path,
    person: Person,
    own_home: None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Trouble]:
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    with ExitStack() as stack:
        made = Trouble(tmp_path, person, lambda *arguments: play_json(capsys, *arguments), stack)
        yield made
    # The next test finds an empty desktop.
    until(lambda: not person.x11.windows(), "the windows to go")
