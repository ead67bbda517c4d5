"""Dialogs and scenes over the board of a won level, and the next level behind them, in a simulated window. Results are
taken from the window's log."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image, Point
from autoplayer.core.gestures import Click
from autoplayer.core.shade import unshaded
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains import CardinalChains
from autoplayer.games.cardinal_chains.puzzle import Puzzle, parse
from autoplayer.games.cardinal_chains.solver import solve
from autoplayer.layout import Layout
from autoplayer.session import Session
from autoplayer.session.looking.controls import old_board_remains
from autoplayer.session.looking.dialogs import controls_on_cover
from tests.simulated import DIALOG_LEVELS, GAME, LEVELS, Look, SeeingGame, Simulated, play, won


@pytest.mark.parametrize("late", [0.0, 0.5])
def test_a_button_on_a_dialog_that_covers_the_board_leads_on(late: float) -> None:
    """Incident: a dialog over the solved board was read as the next level, and its text was dragged at."""
    window = Simulated(DIALOG_LEVELS, advance="dialog", late=late)
    results, session = play(window, levels=2)
    assert won(window) == [0, 1]
    assert [r.status for r in results] == ["won", "won"]
    assert session.layout.next.kind == "click"
    assert not window.stray


def test_a_dialog_that_goes_by_itself_while_its_controls_are_looked_for_is_not_pressed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Incident: on a busy machine the sign of a win had gone when its control was pressed, and the press met the next
    level's board."""
    window = Simulated(DIALOG_LEVELS, advance="dialog")

    def looked_for(*asked: object) -> list[Point]:
        found = controls_on_cover(*asked)  # type: ignore[arg-type]
        assert found
        window._begin(window.level + 1)
        return found

    monkeypatch.setattr("autoplayer.session.next_level.onward.controls_on_cover", looked_for)
    results, _ = play(window, levels=2)
    assert won(window) == [0, 1]
    assert [r.status for r in results] == ["won", "won"]
    assert not window.stray
    assert not any(isinstance(gesture, Click) for gesture in window.gestures)


@pytest.mark.parametrize("shade", [0.3, 0.6, 0.8])
def test_a_dialog_that_darkens_the_window_is_answered_by_its_button(shade: float) -> None:
    """Incident: behind "Level complete!" the page was darkened. All of it had changed, so the board was taken for gone,
    and the words, an island and a counter were pressed instead of the button."""
    window = Simulated(DIALOG_LEVELS, advance="dialog", late=0.5, shade=shade)
    results, session = play(window, levels=3)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results] == ["won", "won", "played"]
    assert session.layout.next.kind == "click"
    pressed = [gesture.at for gesture in window.gestures if isinstance(gesture, Click)]
    assert pressed
    assert all(abs(x - window.button[0]) < 20 and abs(y - window.button[1]) < 20 for x, y in pressed[:2])


def test_a_button_that_stands_alone_before_a_darkened_window_is_pressed() -> None:
    """Incident: white words and one button stood on the darkened page itself, and nothing was pressed."""
    window = Simulated(DIALOG_LEVELS, advance="dialog", late=0.5, shade=0.6, boxed=False)
    results, session = play(window, levels=2)
    assert won(window)[:2] == [0, 1]
    assert [r.status for r in results] == ["won", "won"]
    assert session.layout.next.kind == "click"


def test_a_shade_is_taken_away_and_what_came_with_it_stays() -> None:
    rng = np.random.default_rng(3)
    before = np.full((200, 300, 3), (40, 60, 80), np.uint8)
    for x in range(20, 280, 40):
        before[60:90, x : x + 30] = rng.integers(0, 256, 3)
    now = np.rint(before * 0.35 + np.array((200, 220, 240)) * 0.65).astype(np.uint8)
    now[100:180, 80:200] = (255, 255, 255)
    clear = unshaded(before, now, [Box(60, 40, 160, 120)])
    rest = np.ones((200, 300), bool)
    rest[100:180, 80:200] = False
    assert np.abs(clear.astype(int) - before)[rest].max() <= 3
    assert np.abs(clear.astype(int) - before)[~rest].max(axis=1).min() > 100
    other = rng.integers(0, 256, before.shape, dtype=np.uint8)
    assert unshaded(before, other, [Box(60, 40, 160, 120)]) is other
    assert unshaded(before, before, [Box(60, 40, 160, 120)]) is before


def test_cells_that_are_empty_again_are_no_shade() -> None:
    """Incident: after a message box the next level had the same ground, and white cells where the chains had been: a
    pale shade explained both, so the level was taken for what lies behind a dialog."""
    before = np.full((200, 300, 3), 240, np.uint8)
    before[40:160, 60:140], before[40:160, 140:220] = (115, 115, 229), (246, 181, 100)
    now = np.full((200, 300, 3), 240, np.uint8)
    now[40:160, 60:220] = 255
    assert unshaded(before, now, [Box(60, 40, 160, 120)]) is now


@pytest.mark.parametrize("late", [0.0, 0.5])
def test_a_button_on_a_scene_in_place_of_the_board_leads_on(late: float) -> None:
    """Incident: after the win the whole window said "Brilliant!" above a button, and the session gave up."""
    window = Simulated(DIALOG_LEVELS, advance="dialog", late=late, scene=True)
    results, session = play(window, levels=2)
    assert won(window) == [0, 1]
    assert [r.status for r in results] == ["won", "won"]
    assert session.layout.next.kind == "click"
    assert not window.stray


def test_nothing_is_pressed_on_a_scene_full_of_things() -> None:
    class Strewn(Simulated):
        def image(self):
            picture = super().image()
            if self.won_at is not None:
                picture[:] = 250
                for y, x in product(range(20, 460, 44), range(20, 620, 60)):
                    picture[y : y + 20, x : x + 20] = 60
            return picture

    class Blind(SeeingGame):
        def read(self, image, layout):
            if window.won_at is not None:
                raise UnreadableError("this is no board")
            return super().read(image, layout)

    window = Strewn(DIALOG_LEVELS[:1], advance="stay")
    results = list(Session(Blind(window), window, Layout(game=GAME)).play(2))
    assert results[0].status == "played"
    assert won(window) == [0]
    assert not window.stray


def test_a_next_level_that_was_begun_before_is_met_as_the_next_level() -> None:
    """Incident: a window kept what was drawn in each level; its next level was not seen as one, and the session ended
    there."""

    class Begun(Simulated):
        def _begin(self, level):
            super()._begin(level)
            if level == 1:
                chains = solve(self.puzzle, time_limit=5).solution
                self.chains = [list(chains[0][:2]), [chains[1][0]]]
                self.touched = {0}

    window = Begun(DIALOG_LEVELS, advance="auto")
    results, _ = play(window, levels=2)
    assert [r.status for r in results] == ["won", "won"]
    assert won(window) == [0, 1]
    assert results[0].seconds["play"] < 6


def test_a_dialog_that_reads_as_a_level_is_not_played_while_the_old_board_shows_around_it() -> None:
    """Incident: as above; here the reader is made to find a level in the dialog."""

    class Fooled(SeeingGame):
        def read(self, image, layout):
            if window.leads_on:
                return replace(window.reading(), image=image, puzzle=parse("X 1 1\n2 2 1\n3 3 4"), extra={})
            return super().read(image, layout)

    window = Simulated(DIALOG_LEVELS, advance="dialog", late=0.5)
    session = Session(Fooled(window), window, Layout(game=GAME))
    assert [r.status for r in session.play(2)] == ["won", "won"]
    assert won(window) == [0, 1]
    assert not window.stray


@pytest.mark.parametrize("covered", [True, False], ids=["a dialog", "the next level"])
def test_a_smaller_board_is_no_next_level_where_a_dialog_covers_the_rest_of_the_old_one(covered: bool) -> None:
    """Incident: a dialog covered half of a won board before most moves were seen, so little of what play had drawn was
    known; what it left uncovered was played as level 2 behind it. A next level that is as small is played."""

    class Half(Simulated):
        """Its dialog leaves the upper row uncovered, and ends within the cells at its sides."""

        @property
        def dialog(self) -> Box:
            x, y = self.look.origin
            pitch = self.look.pitch
            return Box(x + pitch // 2, y + pitch + pitch // 4, 3 * pitch, 2 * pitch)

    class Fooled(SeeingGame):
        def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
            if covered and window.leads_on and window.level == 0:
                places = {cell: box for cell, box in window.places.items() if cell[0] == 0}
                return Reading(parse("X 1 1 1"), places, (), 1.0, image)
            return super().read(image, layout)

    levels = ["X 1 1 1\n2 2 2 2\n3 3 3 3\n4 4 4 4", DIALOG_LEVELS[0] if covered else "X 1 1 1", DIALOG_LEVELS[1]]
    window = Half(levels, advance="dialog" if covered else "auto")
    session = Session(Fooled(window), window, Layout(game=GAME))
    assert [r.status for r in session.play(2)] == ["won", "won"]
    assert won(window) == [0, 1]
    assert not window.stray


ONE_CHAIN = "1 1 X 1 1\n1 1 1 1 1\n2 2 2 2 1\n2 3 3 3 4\n2 2 3 3 4"


class Middle(Simulated):
    """Its dialog covers the middle of the board, and ends within cells."""

    @property
    def dialog(self) -> Box:
        x, y = self.look.origin
        side = self.look.pitch
        return Box(x + 9 * side // 8, y + 5 * side // 4, 11 * side // 4, 17 * side // 8)


def test_a_board_that_was_won_by_one_move_is_known_beside_a_dialog() -> None:
    """Incident: a single chain won the level, and a dialog came before any of it was seen. What the dialog left
    uncovered was taken for a next level that cannot be read, and its button was never pressed."""
    window = Middle([ONE_CHAIN, DIALOG_LEVELS[0]], advance="dialog")
    session = Session(CardinalChains(), window, Layout(game=GAME))
    assert [r.status for r in session.play(2)] == ["won", "played"]
    assert won(window) == [0, 1]
    assert session.layout.next.kind == "click"


def test_a_larger_cell_in_a_chains_colour_is_not_what_is_left_of_the_old_board() -> None:
    """Incident: the next level had larger cells; its start's cell covered several cells that had been drawn in the same
    colour, so the level was taken for a dialog and its digits were pressed."""
    window = Simulated([LEVELS[1]], Look(pitch=40), advance="stay")
    start, places = window.image(), window.places.values()
    window.chains = [list(chain) for chain in solve(window.puzzle, time_limit=5).solution or ()]
    drawn = window.image()
    window.look = Look(pitch=120)
    window._begin(0)
    larger = window.image()
    assert old_board_remains(start, drawn, drawn, places)
    assert not old_board_remains(start, drawn, larger, places)


def test_other_digits_in_the_same_chains_colours_are_not_what_is_left_of_the_old_board() -> None:
    """Incident: the next level, begun before, had cells of one colour where the old one had them too."""
    window = Simulated(["X 2 3\n5 4 3\n6 7 8", "X 3 5\n8 6 5\n8 9 9"], advance="stay")
    start, places = window.image(), window.places.values()
    window.chains = [list(chain) for chain in solve(window.puzzle, time_limit=5).solution or ()]
    drawn = window.image()
    window.puzzle = parse(window.levels[1])
    assert old_board_remains(start, drawn, drawn, places)
    assert not old_board_remains(start, drawn, window.image(), places)


def tiles(text: str) -> tuple[Image, list[Box]]:
    """Cells with a number each, and where they are."""
    rows = text.splitlines()
    image = np.full((80 * len(rows) + 80, 80 * len(rows) + 80, 3), 230, np.uint8)
    places = [Box(40 + 80 * c, 40 + 80 * r, 72, 72) for r in range(len(rows)) for c in range(len(rows))]
    for box, number in zip(places, "".join(rows), strict=True):
        image[box.y : box.y + box.height, box.x : box.x + box.width] = (160, 190, 206)
        cv2.putText(image, number, (box.x + 22, box.y + 52), cv2.FONT_HERSHEY_DUPLEX, 1.4, (90, 40, 40), 3)
    return image, places


@pytest.mark.parametrize("covered", [False, True], ids=["the next level", "a dialog"])
def test_cells_that_show_the_same_number_in_the_next_level_are_not_left_of_the_old_board(covered: bool) -> None:
    """Incident: four numbers fall together in so many cells that the next level was waited for when it was there."""
    start, places = tiles("1111\n2222\n3333\n4444")
    drawn, _ = tiles("3214\n4321\n1432\n2143")
    now, _ = tiles("1243\n4132\n3421\n2314")
    if covered:
        now = drawn.copy()
        now[130:290, 50:350] = 250
    assert old_board_remains(start, drawn, now, places) is covered


def test_half_of_a_few_cells_may_show_the_same_number_in_the_next_level() -> None:
    """Incident: four cells had to be played in all, two of them showed the same in the next level, and nothing led
    on."""
    start, places = tiles("3212\n4321\n1412\n4243")
    drawn, _ = tiles("3214\n4321\n1432\n2143")
    now, _ = tiles("2143\n1234\n4231\n3114")
    assert not old_board_remains(start, drawn, now, places)
