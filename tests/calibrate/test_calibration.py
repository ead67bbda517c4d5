"""Calibration without a screen: each unknown glyph is asked about once and known afterwards, and a layout is saved
completely or not at all."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from autoplayer import layout
from autoplayer.calibrate import Calibration, boards, questions
from autoplayer.core.errors import LayoutError, MachineError, UsageError
from autoplayer.core.frame import Image
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cardinal_chains import CardinalChains
from autoplayer.games.cardinal_chains.puzzle import Puzzle, parse
from autoplayer.games.continuity import GAME as CONTINUITY
from autoplayer.layout import Layout
from autoplayer.session.looking.marks import marks
from tests.calibrate.window import Painted, SymbolGame
from tests.continuity.seeing_window import Shown
from tests.continuity.test_seeing import LEVELS

FIRST = "X 1 1 2\n3 3 2 2\n3 4 4 4"
SECOND = "X 1 2\n4 3 3"
MEANT = {"X", "1", "2", "3", "4"}

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def answer_all(learning: Calibration[Any, Any], look: questions.Look[Any, Any], text: str) -> list[str]:
    """Answer every question as ``text``, the truth, says; returns what was answered."""
    said = questions.tokens_at(text)
    given = []
    for question in look.questions:
        (token,) = {said[spot] for spot in question.spots}
        learning.answer(look, question, token)
        given.append(token)
    return given


def calibrated(name: str = "mine", *, pictures: bool = True) -> layout.Layout:
    """The symbols' window, learned and kept."""
    painted = Painted(FIRST)
    with Calibration(SymbolGame(painted), name, "^Symbols$") as learning:
        look = learning.look(painted.image())
        answer_all(learning, look, FIRST)
        if pictures:
            learning.seen(look)
            learning.seen(learning.look(Painted(FIRST, number=2).image()))
            learning.anchor()
        return learning.save().layout


@pytest.mark.parametrize(
    ("unknown", "likeliest", "asked"), [("X", 0.2, "X"), ("X3", 0.2, "X123"), ("X3", 0.45, "X123"), ("X3", 0.6, "X3")]
)
def test_what_looks_like_a_digit_among_signs_that_nobody_knows_is_asked_about_too(
    unknown: str, likeliest: float, asked: str
) -> None:
    """Incident: of Greek letters two were read as numbers, and with the answers about the others the rest of the board
    was lost. One strange sign alone may be that of a start, beside ordinary digits, and what is probably a digit is
    none."""
    text = "X 1 1 2\n3 3 2 2\n3 1 1 1"
    painted, said = Painted(text), questions.tokens_at(text)
    reading = SymbolGame(painted).examine(painted.image(), Layout(game="cardinal-chains"))
    candidates = (("3", likeliest), *((token, (1 - likeliest) / 4) for token in "X124"))
    doubts = tuple(Doubt(doubt.cells, candidates) for doubt in reading.doubts if said[doubt.cells[0]] in unknown)
    look = questions.look(SymbolGame(painted), replace(reading, doubts=doubts), [])
    assert [len({said[spot] for spot in question.spots}) for question in look.questions] == [1] * len(asked)
    assert {said[question.spots[0]] for question in look.questions} == {*asked}
    sure = [question for question in look.questions if said[question.spots[0]] not in unknown]
    assert all((question.believed, question.read) == (None, "1") for question in sure), "as what the reader saw it"


def test_each_symbol_is_asked_once_and_known_afterwards() -> None:
    painted = Painted(FIRST)
    game = SymbolGame(painted)
    with Calibration(game, "mine") as learning:
        look = learning.look(painted.image())
        assert len(look.questions) == len(MEANT), "one question for each symbol, however many clusters there are"
        assert sorted(spot for question in look.questions for spot in question.spots) == sorted(painted.places)
        assert set(answer_all(learning, look, FIRST)) == MEANT
        look = learning.look(painted.image())
        assert look.known
        assert not look.unheard
        assert game.format(look.puzzle) == FIRST
        saved = learning.save()
    known = layout.load("mine", game.name)
    assert known.templates == "mine"
    assert saved.folder is not None
    assert {path.stem for path in saved.folder.glob("*.png")} == MEANT
    for other in (Painted(SECOND), Painted(SECOND, scale=1.5), Painted(SECOND, scale=0.7)):
        assert game.format(SymbolGame(other).read(other.image(), known).puzzle) == SECOND


def test_a_question_shows_its_glyph_and_says_where_it_stands() -> None:
    painted = Painted(FIRST)
    with Calibration(SymbolGame(painted), "mine") as learning:
        look = learning.look(painted.image())
    squares = next(question for question in look.questions if (1, 0) in question.spots)
    assert "these 3 look alike" in squares.text
    assert "(1, 0)" in squares.text
    assert squares.text.endswith("which is it, X or 1 or 2 or 3 or 4?")
    grey = cv2.cvtColor(squares.picture, cv2.COLOR_BGR2GRAY)
    assert grey[grey.shape[0] // 2, grey.shape[1] // 2] < 60, "the square is in the middle"
    assert grey[0, grey.shape[1] // 2] > 180 or grey[3, grey.shape[1] // 2] > 180, "with its ground around it"


def test_only_what_is_new_is_asked_when_a_layout_is_gone_on_with(home: Path) -> None:
    painted = Painted("X 1 2\n2 1 1")
    with Calibration(SymbolGame(painted), "mine") as learning:
        answer_all(learning, learning.look(painted.image()), painted.text)
        learning.save()
    more = Painted(FIRST)
    with Calibration(SymbolGame(more), "mine") as learning:
        assert learning.begun_from is not None
        look = learning.look(more.image())
        assert set(answer_all(learning, look, FIRST)) == {"3", "4"}
        learning.save()
    assert {path.stem for path in (home / "templates" / "mine").glob("*.png")} == MEANT
    with Calibration(SymbolGame(more), "mine", fresh=True) as learning:
        assert len(learning.look(more.image()).questions) == len(MEANT)


def test_the_rules_answer_what_they_can() -> None:
    """The last symbol can only be one number: with any other the board has no solution."""
    painted = Painted("X 1 2\n4 3 3")
    with Calibration(SymbolGame(painted), "mine") as learning:
        look = learning.look(painted.image())
        for question in look.questions:
            token = questions.tokens_at(painted.text)[question.spots[0]]
            if token != "X":
                learning.answer(look, question, token)
        (left,) = learning.look(painted.image()).questions
        assert left.believed == "X"


def test_a_wrong_reading_is_corrected() -> None:
    painted = Painted("X 1 2\n2 1 1")
    game = SymbolGame(painted)
    with Calibration(game, "mine") as learning:
        look = learning.look(painted.image())
        assert learning.tell(look, {(0, 0): "X", (0, 1): "1", (0, 2): "3"}) == 3
        assert game.format(learning.look(painted.image()).puzzle) == "X 1 3\n3 1 1"
        with pytest.raises(UsageError, match="answers for another window"):
            learning.correct(look, (7, 7), "1")
        with pytest.raises(UsageError, match="cannot be 'Q'"):
            learning.correct(look, (0, 1), "Q")
        with pytest.raises(UsageError, match="as ROW,COLUMN, but found 0,1,0"):
            learning.correct(look, (0, 1, 0), "1")


def test_a_place_inside_the_board_without_a_cell() -> None:
    """Incident: the message called (1, 1) outside a board that ends at (2, 3)."""
    painted = Painted("X 1 2 2\n1 . 3 3\n1 1 4 4")
    with Calibration(SymbolGame(painted), "mine") as learning:
        look = learning.look(painted.image())
        with pytest.raises(UsageError, match=r"at 1,1 no cell is seen .* say where the board stands"):
            learning.correct(look, (1, 1), "2")
        learning.correct(look, (1, 1), ".")
        with pytest.raises(UsageError, match="has 3 rows and 4 columns, counted from 0, but found 7,7;"):
            learning.correct(look, (7, 7), "2")


def test_a_correction_that_the_reader_does_not_follow_is_said() -> None:
    """Incident: the reader was sure of a part of a sign, and ignored the correction without a message."""

    class Stubborn(SymbolGame):
        def examine(self, image: Image, layout: Layout) -> Reading[Puzzle]:
            reading = super().examine(image, layout)
            doubts = tuple(doubt for doubt in reading.doubts if (0, 1) not in doubt.cells)
            return replace(reading, puzzle=self.replace(reading.puzzle, {(0, 1): "3"}), doubts=doubts)

    painted = Painted("X 1 2\n2 2 2")
    with Calibration(Stubborn(painted), "mine") as learning:
        learning.correct(learning.look(painted.image()), (0, 1), "1")
        assert learning.look(painted.image()).unheard == ((0, 1),)


def test_a_correction_may_be_corrected() -> None:
    """The last answer about a glyph counts; two equal pictures with different answers would cancel each other."""
    painted = Painted(FIRST)
    game = SymbolGame(painted)
    with Calibration(game, "mine") as learning:
        answer_all(learning, learning.look(painted.image()), FIRST)
        for token, read in (("1", "X 1 1 1\n3 3 1 1\n3 4 4 4"), ("2", FIRST)):
            learning.correct(learning.look(painted.image()), (0, 3), token)
            look = learning.look(painted.image())
            assert look.known
            assert game.format(look.puzzle) == read


@pytest.mark.parametrize("open_one", [True, False], ids=["left open", "never seen before"])
def test_a_symbol_without_a_name_is_no_other_symbol(open_one: bool) -> None:
    """A disc that nobody has named was read as the square that had a name, and as sure: by the real reader, in a window
    of symbols."""
    painted = Painted(FIRST)
    game = CardinalChains()
    with Calibration(game, "mine") as learning:
        look = learning.look(painted.image())
        for question, token in zip(look.questions, "X1234", strict=True):
            if token != "1":
                learning.answer(look, question, token)
            elif open_one:
                learning.leave_open(question)
        (doubt,) = learning.look(painted.image()).reading.doubts
        assert doubt.cells == ((0, 1), (0, 2))
        assert {token for token, _ in doubt.candidates} == {"X", *"123456789"}
        (doubt,) = game.read(painted.image(), learning.layout).doubts
        assert doubt.cells == ((0, 1), (0, 2))
        learning.correct(learning.look(painted.image()), (0, 1), "1")
        assert game.format(game.read(painted.image(), learning.layout).puzzle) == FIRST


def test_a_whole_board_answers_everything() -> None:
    painted = Painted(FIRST)
    with Calibration(SymbolGame(painted), "mine") as learning:
        look = learning.look(painted.image())
        assert learning.tell_puzzle(look, FIRST) == len(MEANT)
        assert learning.look(painted.image()).known
        with pytest.raises(UsageError, match=r"2 rows and 3 columns with .* 6 cells, but .* 3 rows and 4 columns"):
            learning.tell_puzzle(look, SECOND)


def test_answers_that_part_what_looks_alike_are_refused() -> None:
    painted = Painted(FIRST)
    with Calibration(SymbolGame(painted), "mine") as learning:
        look = learning.look(painted.image())
        with pytest.raises(UsageError, match="look alike, but the answers say 1 and 2"):
            learning.tell(look, {(0, 1): "1", (0, 2): "2"})


def test_an_answer_that_cannot_be_is_refused() -> None:
    painted = Painted(FIRST)
    with Calibration(SymbolGame(painted), "mine") as learning:
        look = learning.look(painted.image())
        with pytest.raises(UsageError, match="glyph-1: it cannot be 'Q'"):
            learning.answer(look, look.questions[0], "Q")


def test_an_answer_need_not_be_one_that_was_thought_of() -> None:
    painted = Painted("X 1 2\n4 3 3")
    game = SymbolGame(painted)
    with Calibration(game, "mine") as learning:
        look = learning.look(painted.image())
        assert learning.tell_puzzle(look, "X 1 2\n9 3 3") == 5
        assert game.format(learning.look(painted.image()).puzzle) == "X 1 2\n9 3 3"


def test_what_is_not_saved_leaves_nothing(home: Path) -> None:
    painted = Painted(FIRST)
    with Calibration(SymbolGame(painted), "mine") as learning:
        answer_all(learning, learning.look(painted.image()), FIRST)
        assert list((home / "templates").rglob("X.png"))
    assert not [path for path in home.rglob("*") if path.is_file()]
    assert list((home / "templates").iterdir()) == []


@pytest.mark.parametrize("moment", ["profile", "folder"])
def test_a_full_disk_leaves_the_old_layout_as_it_was(home: Path, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    calibrated()
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    painted = Painted(SECOND)
    real = os.rename
    renamed: list[str] = []

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    def second_fails(source: Any, target: Any) -> None:
        renamed.append(str(target))
        if len(renamed) == 2:
            full()
        real(source, target)

    with Calibration(SymbolGame(painted), "mine", fresh=True) as learning:
        answer_all(learning, learning.look(painted.image()), SECOND)
        with monkeypatch.context() as patch:
            if moment == "profile":
                patch.setattr(os, "fsync", full)
            else:
                patch.setattr(os, "rename", second_fails)
            with pytest.raises(MachineError, match="No space left"):
                learning.save()
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["", "..", "a/b", "x" * 61, "none", "-a", "a.b", "calibrating-1"])
def test_a_name_that_cannot_be_one_is_refused(name: str, home: Path) -> None:
    with pytest.raises(UsageError, match="expected a name for the layout"):
        Calibration(SymbolGame(Painted(FIRST)), name)
    assert not home.exists()


def test_another_games_layout_is_not_gone_on_with() -> None:
    layout.save(Layout(game="hashi", name="mine"), layout.own_file("mine"))
    with pytest.raises(UsageError, match="is for the game 'hashi'"):
        Calibration(SymbolGame(Painted(FIRST)), "mine")


def test_what_was_learned_with_an_older_layout_of_the_name_is_forgotten() -> None:
    known = Layout(game="cardinal-chains", name="mine", title="^Symbols$", controls="keys")
    layout.remember(known)
    layout.remember(known.model_copy(update={"name": "mine-too"}))
    calibrated()
    assert layout.recall("cardinal-chains", "Symbols", "mine") is None
    assert layout.recall("cardinal-chains", "Symbols", "mine-too") is not None


# --- what is remembered of the window --------------------------------------------------------------------------------


def test_anchors_are_what_stays_the_same(home: Path) -> None:
    known = calibrated()
    assert known.size == (560, 420)
    boxes = [area.box(known.size) for area in known.anchors]
    assert any(box.contains((500, 350)) for box in boxes), "the button"
    assert not any(box.contains((45, 210)) for box in boxes), "the level's number is another one in the next level"
    painted = Painted(FIRST)
    for area in boxes:
        assert not any(area.contains(place.centre) for place in painted.places.values())
    for area in known.anchors:
        assert (home / "templates" / "mine" / layout.PICTURES / area.picture).is_file()


@pytest.mark.parametrize("scale", [0.75, 1.0, 1.25, 1.5])
def test_the_layout_fits_its_window_in_every_size_and_no_other_window(scale: float) -> None:
    known = calibrated()
    areas = marks(known)
    own = Painted(SECOND, number=7, scale=scale)
    assert areas.seen(own.image()) == len(known.anchors) >= 2
    assert areas.fit(own.image())
    assert not areas.fit(Painted(SECOND, number=7, scale=scale, strange=True).image())
    assert not areas.fit(255 - 0 * own.image())


@pytest.mark.parametrize(("scale", "dark"), [(1.5, False), (1.0, True), (1.5, True)])
def test_what_moved_with_the_boards_size_is_known_in_another_size_and_theme(scale: float, dark: bool) -> None:
    """Incident: at 150 %, and in the dark theme, a level with more rows moved all buttons, and the layout was stale."""
    known = marks(calibrated())
    word = known.anchors[0]
    x, y, width, height = word.area.place
    half = word.picture.shape[1] // 2
    places = (x, y + 0.25, width / 2, height), (x + width / 2, y + 0.25, width / 2, height)
    lower = tuple(
        replace(word, area=word.area.model_copy(update={"place": place}), picture=picture)
        for place, picture in zip(places, (word.picture[:, :half], word.picture[:, half:]), strict=True)
    )
    page = cv2.resize(Painted(FIRST).image(), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    assert replace(known, anchors=lower).fit(255 - page if dark else page)


def test_a_button_that_keeps_its_size_is_found_in_a_larger_window() -> None:
    known = calibrated()
    small = Painted(FIRST).image()
    large = cv2.copyMakeBorder(small, 0, 200, 300, 0, cv2.BORDER_REPLICATE)  # what was at the right stays at the right
    large[: small.shape[0], -small.shape[1] :] = small
    assert marks(known).seen(large) >= 1


def test_one_picture_does_not_say_what_stays_the_same() -> None:
    painted = Painted(FIRST)
    with Calibration(SymbolGame(painted), "mine") as learning:
        learning.seen(learning.look(painted.image()))
        assert learning.anchor() == 0


def test_pictures_of_areas_must_be_there_and_be_pictures(home: Path) -> None:
    known = calibrated()
    path = home / "templates" / "mine" / layout.PICTURES / known.anchors[0].picture
    path.write_bytes(b"no picture")
    with pytest.raises(LayoutError, match=path.name):
        marks(known)
    path.unlink()
    with pytest.raises(Exception, match="not there"):
        marks(known)


# --- where the board is ----------------------------------------------------------------------------------------------


def test_a_board_by_two_cells_and_in_numbers_is_the_same() -> None:
    pointed = boards.by_cells((160, 100), (340, 220), 3, 4, (560, 420))
    assert (
        pointed == boards.in_numbers("3x4 130,70 60", (560, 420)) == boards.in_numbers("3x4 130,70,240,180", (560, 420))
    )
    painted = Painted(FIRST)
    assert {cell: pointed.cell(*cell, (560, 420)) for cell in painted.places} == painted.places
    assert boards.by_cells((340, 220), (160, 100), 3, 4, (560, 420)) == pointed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected the board's place as"),
        ("3x4", "expected the board's place as"),
        ("0x4 1,1 20", "but found 0 rows"),
        ("3x4 130,70 600", "inside the window"),
        ("3x4 1,1 2", "at least 4 pixels"),
        ("300x4 1,1 9", "at most 200"),
    ],
)
def test_a_board_that_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        boards.in_numbers(text, (560, 420))


def test_one_point_is_no_board() -> None:
    with pytest.raises(UsageError, match="one and the same"):
        boards.by_cells((5, 5), (5, 5), 3, 3, (100, 100))


def test_the_painted_boards_are_levels() -> None:
    """The tests above assume that the painted boards are levels with a solution."""
    for text in (FIRST, SECOND):
        game = SymbolGame(Painted(text))
        assert game.solve(parse(text), time_limit=5).status == "solved"


def test_what_a_killed_program_left_is_cleared_away(home: Path) -> None:
    old, new = home / "templates" / "calibrating-old", home / "templates" / "calibrating-new"
    for folder in (old, new):
        folder.mkdir(parents=True)
        (folder / "1.png").write_bytes(b"")
    os.utime(old, (1e9, 1e9))
    calibrated(pictures=False)
    assert not old.exists()
    assert new.exists(), "somebody else may be calibrating just now"


def test_a_figure_and_a_door_of_one_shape_are_asked_apart() -> None:
    """Both are filled rectangles that differ only in colour; a level has one of each."""
    shown = Shown(LEVELS[0], "--look", "colours", "--theme", "colour-blind", "--size", "1000x760")
    shown.step(times=5)
    with Calibration(CONTINUITY, "rooms") as learning:
        look = learning.look(shown.image())
    assert len(look.questions) == 2
    assert [len(question.spots) for question in look.questions] == [1, 1]
    assert {question.candidates[0][0] for question in look.questions} == {"S", "D"}
