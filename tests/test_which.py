"""Which game a picture shows: decided by the rules of the games, not by the readers' confidence."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer import games, which
from autoplayer.cli.choosing import say_other_game
from autoplayer.core import deadline
from autoplayer.core.errors import MachineError, UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.base import Doubt, Outcome, Reading
from autoplayer.games.continuity import GAME as CONTINUITY
from autoplayer.games.continuity.seeing.board.boards import find_board
from autoplayer.games.text import replaced, tokens
from autoplayer.layout import Layout
from tests.continuity.seeing_window import Shown as SeenWindow
from tests.continuity.test_seeing import LEVELS, SCREENS, sliding

PICTURE = np.zeros((90, 90, 3), np.uint8)
MENU = np.ones((90, 90, 3), np.uint8)

PAIR = ("hashi", "cardinal-chains")
SQUARE = "1 2 3\n4 5 6\n7 8 9"


@dataclass
class Told:
    """A game that sees what it is told, and whose solvable boards are those in ``solved``, or all."""

    title: str
    text: str | None = SQUARE
    solved: tuple[str, ...] | None = (SQUARE,)
    confidence: float = 0.99
    doubts: tuple[Doubt, ...] = ()
    unique: bool | None = True
    asked: list[Image] = field(default_factory=list)
    promises_one_solution: bool = True

    @property
    def name(self) -> str:
        return self.title.lower()

    def parse(self, text: str) -> str:
        return text

    def format(self, puzzle: str) -> str:
        return puzzle

    def faults(self, puzzle: str) -> list[str]:
        return []

    def replace(self, puzzle: str, changes: Any) -> str:
        return replaced(puzzle, changes)

    def read(self, image: Image, layout: Layout) -> Reading[str]:
        self.asked.append(image)
        if self.text is None or image is MENU:
            raise UnreadableError(f"no board of {self.title}")
        places = {(r, c): Box(c * 10, r * 10, 10, 10) for (r, c), token in tokens(self.text).items() if token != "."}
        return Reading(self.text, places, self.doubts, self.confidence, image)

    def solve(self, puzzle: str, *, time_limit: float, most: int = 2) -> Outcome[str]:
        if self.solved is None or puzzle in self.solved:
            return Outcome("solved", puzzle, self.unique if most > 1 else None, 0.0, 1, True)
        return Outcome("no-solution", None, None, 0.0)


def choose(*told: Told, images: tuple[Image, ...] = (PICTURE,), title: str | None = None) -> which.Choice:
    candidates: list[Any] = [(game, Layout(game=game.name)) for game in told]
    return which.choose(images, candidates, title=title)


def test_a_board_with_a_solution_beats_a_reader_that_is_surer_of_itself() -> None:
    choice = choose(Told("Sure", solved=(), confidence=1.0), Told("Solved", confidence=0.6))
    assert choice.game is not None
    assert choice.game.name == "solved"
    assert choice.seen[0].status == "read"


def test_what_has_no_solution_is_not_taken_however_sure_the_reader_is() -> None:
    choice = choose(Told("Sure", solved=(), confidence=1.0), Told("Blind", text=None))
    assert choice.game is None
    assert "Sure" in choice.reason
    assert "name the game" in choice.reason


def test_two_boards_with_a_solution_are_not_decided_by_confidence() -> None:
    """Both are small, so that either may have been read by accident."""
    small = ("1 2\n3 4",)
    choice = choose(Told("One", small[0], small, 0.99), Told("Two", small[0], small, 0.6))
    assert choice.game is None
    assert "One and as Two" in choice.reason


@pytest.mark.parametrize("order", [1, -1])
def test_a_board_that_was_seen_whole_is_taken_before_one_that_the_rules_made(order: int) -> None:
    """The cross of a start is no number: Hashi has a heap of doubts there, of which one happens to have a solution."""
    small = ("1 2\n3 4",)
    doubt = Doubt(((0, 0),), tuple((str(n), 0.1) for n in range(1, 9)))
    seen = Told("Seen", small[0], small, 0.99)
    made = Told("Made", small[0], small, 0.1, doubts=(doubt,))
    choice = choose(*(seen, made)[::order])
    assert choice.game is not None
    assert choice.game.name == "seen"


def test_a_probable_doubt_that_the_rules_settle_makes_no_board_worse() -> None:
    small = ("1 2\n3 4",)
    doubt = Doubt(((0, 0),), (("1", 0.6), ("7", 0.3)))
    choice = choose(Told("One", small[0], small, 0.99), Told("Two", small[0], small, 0.6, doubts=(doubt,)))
    assert choice.game is None
    assert "One and as Two" in choice.reason


def test_of_two_solved_boards_the_one_that_fills_its_rectangle_is_taken() -> None:
    """A board of Hashi has been read as the stems of its numbers: pairs of cells, far apart."""
    sparse = "1 2 . . . .\n. . . . . .\n. . . . . .\n. . . . 3 4"
    choice = choose(Told("Sparse", sparse, (sparse,), 1.0), Told("Full", "1 2\n3 4", ("1 2\n3 4",), 0.9))
    assert choice.game is not None
    assert choice.game.name == "full"


ISLANDS, CORNER = "1 2 . . . .\n3 4 . . . .\n. . . . . .\n5 . . 6 . 7", "1 2\n3 4"


@pytest.mark.parametrize("order", [1, -1])
def test_a_board_that_lies_within_another_one_is_a_part_of_it(order: int) -> None:
    """Islands that stand close to each other have been read as chains: a small board, of which each cell is filled."""
    whole, part = Told("Whole", ISLANDS, (ISLANDS,)), Told("Part", CORNER, (CORNER,), 1.0)
    choice = choose(*(whole, part)[::order])
    assert choice.game is not None
    assert choice.game.name == "whole"


@pytest.mark.parametrize("order", [1, -1])
def test_a_board_with_a_doubt_does_not_make_what_is_within_it_a_part(order: int) -> None:
    doubt = Doubt(((0, 0),), (("1", 0.6), ("7", 0.3)))
    whole, part = Told("Whole", ISLANDS, (ISLANDS,), doubts=(doubt,)), Told("Part", CORNER, (CORNER,), 1.0)
    choice = choose(*(whole, part)[::order])
    assert choice.game is not None
    assert choice.game.name == "part"


def test_a_board_beside_another_one_is_no_part_of_it() -> None:
    beside = ". . . . . 8 9\n. . . . . 8 9"
    choice = choose(Told("Sparse", ISLANDS, (ISLANDS,), 1.0), Told("Beside", beside, (beside,), 0.9))
    assert choice.game is not None
    assert choice.game.name == "beside"


def test_a_solution_proves_nothing_where_every_board_has_one() -> None:
    idle = Told("Idle", solved=None)
    assert choose(idle, Told("Solved")).game.name == "solved"  # type: ignore[union-attr]
    assert choose(idle, Told("Sure", solved=()), title="Idle").game is None
    blind = Told("Blind", text=None)
    assert choose(idle, blind, title="my idle game").game.name == "idle"  # type: ignore[union-attr]
    for title in (None, "Idleness", "Another window"):
        alone = choose(idle, blind, title=title)
        assert alone.game is None
        assert "only Idle sees a board" in alone.reason
        assert "Blind: " in alone.reason  # the person sees why it was not the game that they meant


def test_a_large_board_that_is_certain_spares_the_other_games_the_work() -> None:
    last = Told("Last")
    assert choose(Told("First"), last).game.name == "first"  # type: ignore[union-attr]
    assert not last.asked


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(Told("First", "1 2\n3 4", ("1 2\n3 4",)), id="small"),
        pytest.param(Told("First", confidence=0.9), id="not sure"),
        pytest.param(Told("First", unique=False), id="several solutions"),
    ],
)
def test_otherwise_the_other_games_are_asked(first: Told) -> None:
    last = Told("Last", text=None)
    assert choose(first, last).game.name == "first"  # type: ignore[union-attr]
    assert last.asked


@dataclass
class Slow(Told):
    """A game whose reader takes ``seconds`` of processor time. ``read_whole``: how often it has come to the end."""

    seconds: float = 10.0
    read_whole: int = 0

    def read(self, image: Image, layout: Layout) -> Reading[str]:
        for _ in range(round(self.seconds / STEP)):
            deadline.time.work += STEP  # type: ignore[attr-defined]
            deadline.heed()
        self.read_whole += 1
        return super().read(image, layout)


STEP = 0.125


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processor time that passes only where a reader is ``Slow``."""
    clocks = SimpleNamespace(perf_counter=lambda: 0.0, work=0.0)
    clocks.thread_time = lambda: clocks.work
    monkeypatch.setattr(deadline, "time", clocks)


SCATTERED = "1 2 . . . .\n3 4 . . . .\n. . . . . .\n5 1 . 6 2 7"


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    "certain",
    [
        pytest.param(Told("Certain"), id="clear"),
        pytest.param(Told("Certain", SCATTERED, (SCATTERED,)), id="few places filled"),
        pytest.param(Told("Certain", unique=False), id="several solutions"),
        pytest.param(Told("Certain", confidence=0.9), id="not sure"),
    ],
)
def test_a_slow_reader_is_not_waited_for_where_another_game_is_certain(certain: Told, order: int) -> None:
    slow = Slow("Slow")
    choice = choose(*(slow, certain)[::order])
    assert choice.game.name == "certain"  # type: ignore[union-attr]
    assert not slow.read_whole


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    "other",
    [
        pytest.param(Told("Other", text=None), id="none"),
        pytest.param(Told("Other", solved=()), id="without a solution"),
        pytest.param(Told("Other", CORNER, (CORNER,)), id="small"),
        pytest.param(Told("Other", solved=None), id="which proves nothing"),
    ],
)
def test_a_slow_reader_is_waited_for_where_no_other_game_is_certain(other: Told, order: int) -> None:
    slow = Slow("Slow", ISLANDS, (ISLANDS,))
    choice = choose(*(slow, other)[::order])
    assert choice.game.name == "slow"  # type: ignore[union-attr]
    assert slow.read_whole == 1


@pytest.mark.usefixtures("clock")
def test_what_was_read_before_the_time_was_up_is_not_read_again() -> None:
    """The time of the second round is enough for one of two pictures."""
    slow = Slow("Slow", seconds=2.0)
    assert choose(slow, Told("Other", text=None), images=(PICTURE, PICTURE)).game.name == "slow"  # type: ignore[union-attr]
    assert slow.read_whole == 2


@pytest.mark.parametrize("name", ["cardinal-chains", "continuity", "cross-set", "hashi"])
def test_every_reader_can_be_given_up(name: str) -> None:
    game = games.load(name)
    size = (2, 2) if name == "continuity" else (4, 4)
    picture = game.draw(game.generate(*size, 3))
    with pytest.raises(deadline.OutOfTime), deadline.patience(0.0):
        game.read(picture, Layout(game=name))
    game.read(picture, Layout(game=name))  # what was given up left nothing behind


@pytest.mark.usefixtures("clock")
def test_a_reader_of_ordinary_speed_is_compared_with_a_game_that_is_certain() -> None:
    """Its board is as certain, and fills its rectangle."""
    other = Told("Other", SCATTERED, (SCATTERED,))
    assert choose(other, Slow("Slow", seconds=2.0)).game.name == "slow"  # type: ignore[union-attr]


def test_an_open_doubt_is_less_than_a_settled_board_and_more_than_none() -> None:
    doubt = Doubt(((0, 0),), (("1", 0.6), ("5", 0.4)))
    other = replaced(SQUARE, {(0, 0): "5"})
    both = (SQUARE, other)
    open_ = Told("Open", solved=both, doubts=(doubt,), confidence=0.6)
    found = choose(open_, Told("Sure", solved=(), confidence=1.0))
    assert found.game is not None
    assert found.game.name == "open"
    assert found.seen[0].status == "doubtful"
    small = Told("Solved", "1 2\n3 4", ("1 2\n3 4",))
    assert choose(open_, small).game.name == "solved"  # type: ignore[union-attr]


def test_a_heap_of_doubts_in_which_some_level_has_a_solution_is_not_taken() -> None:
    """Three digits of which each may be anything: one of the 27 boards has a solution, and many more may."""
    spots = ((0, 0), (1, 1), (2, 2))
    doubts = tuple(Doubt((spot,), (("1", 0.4), ("5", 0.3), ("9", 0.3))) for spot in spots)
    boards = [replaced(SQUARE, dict(zip(spots, digits, strict=True))) for digits in itertools.product("159", repeat=3)]
    heap = Told("Heap", solved=tuple(boards[::3]), doubts=doubts, confidence=0.064)
    choice = choose(heap, Told("Sure", solved=(), confidence=0.98))
    assert choice.game is None
    assert "Sure and as Heap" in choice.reason


@dataclass
class Shown(Told):
    """A game that knows for certain what pictures it is seen in, whatever the rules say."""

    sure: bool = True

    def shows(self, reading: Reading[str]) -> bool:
        return self.sure


def test_a_game_that_the_picture_alone_shows_is_asked_first_and_taken_without_a_solution() -> None:
    other = Told("Other")
    choice = choose(other, Shown("Shown", solved=()), images=(MENU, PICTURE))
    assert choice.game is not None
    assert choice.game.name == "shown"
    assert choice.seen[1].status == "read"
    assert choice.reason == "the picture can be nothing else"
    assert not other.asked


def test_a_game_that_is_not_sure_of_the_picture_is_nothing_special() -> None:
    assert choose(Told("Other"), Shown("Shown", solved=(), sure=False)).game.name == "other"  # type: ignore[union-attr]


def test_the_rules_of_a_game_that_is_not_shown_are_not_asked_where_another_one_is_certain() -> None:
    """Incident: nine of ten seconds went into the routes of a level of Continuity that a board of numbers was none."""

    class Unasked(Shown):
        def faults(self, puzzle: str) -> list[str]:
            raise AssertionError("its rules were asked")

    choice = choose(Unasked("Shown", sure=False), Told("Other"))
    assert choice.game is not None
    assert choice.game.name == "other"


def test_a_picture_between_two_levels_does_not_count() -> None:
    choice = choose(Told("One"), Told("Two", solved=()), images=(MENU, PICTURE))
    assert choice.game is not None
    assert [seen.status for seen in choice.seen] == ["unreadable", "read"]


def test_where_no_game_sees_a_board_each_says_why() -> None:
    choice = choose(Told("One", text=None), Told("Two", text=None))
    assert choice.game is None
    assert choice.layout is None
    assert "One: no board of One" in choice.reason
    assert "Two: no board of Two" in choice.reason


def test_that_no_board_is_seen_is_said_once_for_all_games(run: Any, tmp_path: Path) -> None:
    """It was said five times in one sentence."""
    file = str(tmp_path / "white.png")
    cv2.imwrite(file, np.full((60, 80, 3), 255, np.uint8))
    code, _, said = run("read", file)
    assert code == 1
    assert said.count("is seen") == 1, said
    assert all(f"{games.load(name).title}: " in said for name in games.names())


def test_without_a_picture_there_is_no_game() -> None:
    assert choose(Told("One"), images=()).game is None


def test_a_game_that_cannot_be_loaded_costs_the_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    load = games.load

    def broken(name: str) -> Any:
        if name == "hashi":
            raise MachineError("the game 'hashi' cannot be loaded")
        return load(name)

    monkeypatch.setattr(games, "load", broken)
    found = [game.name for game, _ in which.candidates()]
    assert found == [name for name in games.names() if name != "hashi"]


@pytest.mark.parametrize(
    ("name", "size"), [("cardinal-chains", (5, 5)), ("hashi", (7, 7)), ("cross-set", (4, 4)), ("null", (1, 5))]
)
def test_a_drawn_board_is_known_among_all_games(name: str, size: tuple[int, int]) -> None:
    game = games.load(name)
    puzzle = game.generate(*size, 3)
    choice = which.choose([game.draw(puzzle)], which.candidates(), title=f"a window of {game.title}")
    assert choice.game is game
    settled = choice.seen[0].settled
    assert settled is not None
    assert settled.puzzle == puzzle


@pytest.mark.parametrize(("named", "said"), [("hashi", True), ("cardinal-chains", False)])
def test_where_no_level_of_a_named_game_is_seen_the_other_game_is_said(
    named: str, said: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.load("cardinal-chains")
    monkeypatch.setattr(which, "candidates", lambda: [(games.load(name), Layout(game=name)) for name in PAIR])
    picture = game.draw(game.parse("X 1 1 3\n2 2 1 3\nX 3 3 4"))
    say_other_game(games.load(named), None, picture)
    assert ("try `autoplayer play cardinal-chains`" in capsys.readouterr().err) == said


@pytest.mark.parametrize(
    ("look", "theme", "number", "view"),
    [
        ("plain", "light", 4, "walking"),
        ("bricks", "dark", 9, "sliding"),
        ("outlines", "colour-blind", 12, "sliding"),
        ("colours", "light", 20, "walking"),
    ],
)
def test_a_window_of_continuity_is_known_in_both_views(look: str, theme: str, number: int, view: str) -> None:
    shown = SeenWindow(LEVELS[number], "--look", look, "--theme", theme, "--size", "800x600")
    image = sliding(shown)
    if view == "walking":
        shown.tap("space")
        image = shown.image()
    choice = which.choose([image], which.candidates())
    assert choice.game is CONTINUITY
    assert choice.reason == "the picture can be nothing else"


@pytest.mark.parametrize("name", ["swing_level2_slide", "swing_level6_play"])
def test_a_real_remake_of_continuity_is_known(name: str) -> None:
    path = SCREENS / f"continuity/{name}.png"
    if not path.exists():
        pytest.skip("the real pictures are not beside the project")
    assert which.choose([cv2.imread(str(path))], which.candidates()).game is CONTINUITY


def test_a_board_of_another_game_is_no_window_of_continuity() -> None:
    """Nine equal tiles of which one is empty, as in Continuity; but no rooms are in them."""
    image = np.full((420, 420, 3), 235, np.uint8)
    for place in range(8):
        row, column = divmod(place, 3)
        x, y = 20 + column * 130, 20 + row * 130
        cv2.rectangle(image, (x, y), (x + 120, y + 120), (190, 150, 110), -1)
        cv2.putText(image, str(place + 1), (x + 35, y + 85), cv2.FONT_HERSHEY_SIMPLEX, 2.5, (30, 30, 30), 6)
    assert find_board(image).rows == 3
    assert not which.look(CONTINUITY, image, Layout(game="continuity")).shown
