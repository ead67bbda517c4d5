"""A session with a layout's win sign and anchors, in a simulated window: the win sign counts as a win, and nothing is
pressed where the anchors are not found."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer import layout
from autoplayer.calibrate import Calibration
from autoplayer.calibrate.trial import intended
from autoplayer.core.errors import LayoutError, UnreadableError
from autoplayer.core.frame import Image
from autoplayer.layout import PICTURES, AreaTable, Layout
from autoplayer.session import LevelResult, Session, limits
from autoplayer.session.looking.marks import fitting, marks, new_sign
from tests.simulated import SeeingGame, Simulated

LEVELS = ("X 1 1\n2 2 1\nX 1 1", "X 1 2\n2 2 2\n1 1 X", "X 1\n1 1\nX 1")

pytestmark = pytest.mark.usefixtures("own_home")


class Furnished(Simulated):
    """The simulated window with a word and a ring beside its board; ``other``: with other furniture."""

    other = False

    def image(self) -> Image:
        page = super().image()
        if self.won_at is None or self.advance != "auto" or self.clock > self.won_at + self.flash:
            if self.other:
                cv2.rectangle(page, (20, 300), (90, 340), (90, 60, 30), -1)
            else:
                cv2.putText(page, "chains", (10, 330), cv2.FONT_HERSHEY_DUPLEX, 0.8, (90, 60, 30), 2, cv2.LINE_AA)
                cv2.circle(page, (60, 420), 22, (20, 20, 90), 6, cv2.LINE_AA)
        return page


def learned(**more: Any) -> tuple[Layout, LevelResult]:
    """The layout of such a window, after one level of trial."""
    window = Furnished(LEVELS, **more)
    game = SeeingGame(window)
    with Calibration(game, "mine", "^simulated$") as learning:
        learning.seen(learning.look(window.image()))
        made = learning.try_level(window)
        learning.seen(learning.look(window.image()))
        learning.anchor()
        assert made.result is not None
        return learning.save().layout, made.result


def play(known: Layout, window: Simulated, levels: int = 1) -> list[LevelResult]:
    return list(Session(SeeingGame(window), window, known).play(levels))


def test_a_trial_learns_the_way_on_the_sign_and_the_anchors() -> None:
    known, result = learned(advance="button")
    assert result.status == "won"
    assert known.next.kind == "click"
    assert known.size == (640, 480)
    assert known.win is not None
    assert known.win.box(known.size).contains((590, 240)), "the button that turns dark"
    assert len(known.anchors) >= 2
    assert not known.win.picture.startswith("anchor")


class Stranger(SeeingGame):
    """A window whose second level has an unknown sign, about which a person can be asked."""

    def read(self, image: Image, layout: Layout) -> Any:
        if self.window.level:
            raise UnreadableError("cell (0, 1) may be anything")
        return super().read(image, layout)

    def examine(self, image: Image, layout: Layout) -> Any:
        return super().read(image, layout)


@pytest.mark.parametrize("advance", ["auto", "button"])
def test_the_way_to_a_level_with_a_new_sign_is_learned_all_the_same(advance: str) -> None:
    """Incident: the person was asked how the next level comes, and most layouts were saved without an answer."""
    window = Furnished(LEVELS, advance=advance)
    with Calibration(Stranger(window), "mine", "^simulated$") as learning:
        before = learning.look(window.image())
        made = learning.try_level(window)
        assert window.level == 1
        assert learning.layout.next.kind == "unknown"
        assert learning.came(before, learning.look(window.image()), made)
        assert learning.layout.next.kind == ("auto" if advance == "auto" else "click")


@pytest.mark.parametrize(("moves", "fits"), [((60, 60), True), ((0, 0), True), ((60, 110), False), ((60, None), False)])
def test_buttons_below_a_board_that_moved_with_its_size_are_known_again(
    moves: tuple[int | None, ...], fits: bool
) -> None:
    """Incident: the second level was larger, the buttons stood lower, and the layout was called stale."""
    known, _ = learned(advance="button")
    page = np.full((480, 640, 3), 235, np.uint8)
    original = Furnished(LEVELS, advance="button").image()
    for area, down in zip(known.anchors[:2], moves, strict=True):
        box = area.box((640, 480))
        if down is not None:
            replace(box, y=box.y + down - 70).crop(page)[...] = box.crop(original)
    kept = replace(marks(known), anchors=marks(known).anchors[:2])
    lower = tuple(replace(mark, area=moved_up(mark.area, 70)) for mark in kept.anchors)
    assert replace(kept, anchors=lower).fit(page) is fits


def moved_up(area: AreaTable, by: int) -> AreaTable:
    """``area``, ``by`` pixels higher in a window of 480."""
    x, y, width, height = area.place
    return area.model_copy(update={"place": (x, y - by / 480, width, height)})


def test_the_sign_of_a_win_counts_where_no_next_level_comes() -> None:
    known, _ = learned(advance="button")
    unknown = known.model_copy(update={"next": layout.NextTable()})
    last = Furnished(LEVELS[2:], advance="button")
    (result,) = play(unknown, last)
    assert (result.status, [name for name, _ in last.log]) == ("won", ["level", "won"])
    (result,) = play(unknown.model_copy(update={"win": None}), Furnished(LEVELS[2:], advance="button"))
    assert result.status == "played", "without it nothing says so"
    (result,) = play(unknown, Furnished(LEVELS[2:], advance="stay"))
    assert result.status == "played", "and where it does not show it does not count"


def test_a_dialog_over_the_board_is_a_sign() -> None:
    known, result = learned(advance="dialog")
    assert result.status == "won"
    assert known.win is not None
    assert known.size is not None
    window = Furnished(LEVELS, advance="dialog")
    window.won_at = 0.0
    assert known.win.box(known.size).contains(window.button)


def test_a_line_of_text_below_the_board_is_a_sign() -> None:
    """Incident: of four windows that said so in a line of text, none had a sign of a win."""

    class Saying(Furnished):
        def image(self) -> Image:
            page = super().image()
            if self.won_at is not None:
                cv2.putText(page, "Solved!", (520, 300), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (60, 130, 40), 1, cv2.LINE_AA)
            return page

    window = Saying(LEVELS, advance="stay")
    with Calibration(SeeingGame(window), "mine") as learning:
        made = learning.try_level(window)
        assert made.result is not None
        assert learning.layout.win is not None
        assert learning.layout.win.box((640, 480)).contains((545, 296))
        assert marks(learning.layout).won(window.image())
        assert not marks(learning.layout).won(Saying(LEVELS, advance="stay").image())


def test_a_counter_of_moves_is_no_sign() -> None:
    """In a level of one chain the first move is also the last, and what changed then may be a counter."""

    class Counting(Furnished):
        def image(self) -> Image:
            page = super().image()
            moves = str(len(self.gestures))
            cv2.putText(page, moves, (560, 60), cv2.FONT_HERSHEY_DUPLEX, 1.2, (30, 30, 30), 3, cv2.LINE_AA)
            return page

    for levels in (("X 1 1\n2 2 1", LEVELS[1]), (LEVELS[0], LEVELS[1])):
        window = Counting(levels, advance="stay")
        with Calibration(SeeingGame(window), "mine") as learning:
            made = learning.try_level(window)
            assert made.result is not None
            assert made.result.status == "played"
            assert learning.layout.win is None


def test_nothing_is_pressed_in_a_window_that_the_layout_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READ_LIMIT", 1.0)
    known, _ = learned()
    window = Furnished(LEVELS)
    window.other = True
    (result,) = play(known, window)
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.startswith("the layout 'mine' no longer fits this window")
    assert "autoplayer calibrate cardinal-chains --window TITLE --name mine" in result.error
    assert window.gestures == []
    with pytest.raises(UnreadableError, match="no longer fits"):
        intended(SeeingGame(window), window, known)


def test_a_layout_is_waited_for_while_something_lies_over_its_anchors() -> None:
    class Late(Furnished):
        def image(self) -> Image:
            page = super().image()
            if self.clock < 2:
                page[260:] = 128  # a banner that goes away
            return page

    class Patient(SeeingGame):
        def read(self, image: Image, layout: Layout) -> Any:
            return super().read(self.window.image(), layout)

    known, _ = learned()
    window = Late(LEVELS)
    window.look = type(window.look)(breath=1)  # so that a still picture is looked at again
    results = list(Session(Patient(window), window, known).play(1))
    assert [each.status for each in results] == ["won"], results[0].error


def test_a_picture_that_is_missing_is_said_before_anything_is_done(tmp_path: Path) -> None:
    known, _ = learned()
    for path in (tmp_path / "home" / "templates" / "mine" / layout.PICTURES).glob("*.png"):
        path.write_bytes(cv2.imencode(".png", np.full((20, 20, 3), 9, np.uint8))[1].tobytes())
    window = Furnished(LEVELS)
    with pytest.raises(LayoutError, match="nothing stands in it"):
        Session(SeeingGame(window), window, known)


def test_the_layout_that_fits_is_found_by_title_and_looks() -> None:
    known, _ = learned()
    image = Furnished(LEVELS).image()
    strange = Furnished(LEVELS)
    strange.other = True
    assert fitting("cardinal-chains", "simulated", image) == known
    assert fitting("cardinal-chains", None, image) == known, "a part of the screen has no title"
    assert fitting("cardinal-chains", "another", image) is None
    assert fitting("cardinal-chains", "simulated", strange.image()) is None
    assert fitting("hashi", "simulated", image) is None
    plain = Layout(game="cardinal-chains", name="plain")
    layout.save(plain, layout.own_file("plain"))
    assert fitting("cardinal-chains", "another", image) is None, "a layout that says nothing about windows fits none"
    layout.save(plain.model_copy(update={"name": "titled", "title": "^sim"}), layout.own_file("titled"))
    assert fitting("cardinal-chains", "simulated", image) == known, "anchors say more than a title"
    assert fitting("cardinal-chains", "something", strange.image()) is None
    found = fitting("cardinal-chains", "simulated too", strange.image())
    assert found is not None
    assert found.name == "titled"
    broken = Layout(game="cardinal-chains", name="broken", title="^simulated$", templates="gone", size=(5, 5))
    area = known.anchors[0]
    layout.save(broken.model_copy(update={"anchors": (area,)}), layout.own_file("broken"))
    assert fitting("cardinal-chains", "simulated", image) == known, "what is broken is left out"


def test_of_two_layouts_that_fit_alike_the_last_one_is_taken() -> None:
    """Incident: a window was calibrated anew under another name, and the old layout went on being taken."""
    known, _ = learned()
    for name, age in (("later", 0), ("earlier", 60)):
        layout.save(known.model_copy(update={"name": name}), layout.own_file(name))
        made = layout.own_file(name).stat().st_mtime - age
        os.utime(layout.own_file(name), (made, made))
    os.utime(layout.own_file("mine"), (made - 60, made - 60))
    found = fitting("cardinal-chains", "simulated", Furnished(LEVELS).image())
    assert found is not None
    assert found.name == "later"


def test_your_own_layout_hides_the_bundled_one_of_its_name() -> None:
    image = np.full((300, 300, 3), 200, np.uint8)
    bundled = fitting("hashi", "Bridges", image)
    assert bundled is not None
    assert bundled.name == "sgt-bridges"
    layout.save(Layout(game="hashi", name="sgt-bridges", title="^Other$"), layout.own_file("sgt-bridges"))
    assert fitting("hashi", "Bridges", image) is None


def test_where_a_layout_has_pictures_of_signs_it_is_said_how_a_new_one_is_learned() -> None:
    known = Layout(game="cardinal-chains", name="mine", templates="mine")
    folder = layout.home() / "templates" / "mine"
    (folder / PICTURES).mkdir(parents=True)
    assert new_sign(known) is None
    cv2.imwrite(str(folder / "1.png"), np.zeros((20, 20), np.uint8))
    assert "autoplayer calibrate cardinal-chains --window TITLE --name mine" in (new_sign(known) or "")
