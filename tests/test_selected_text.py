"""A page without care for selections: a drag selects its text, and the board is not known again until a press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Pace
from autoplayer.games.base import Progress, Reading
from autoplayer.games.cardinal_chains.player import Solution
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.layout import Layout
from autoplayer.session import Session
from autoplayer.session.looking.controls import shines_through
from tests.simulated import GAME, SeeingGame, Simulated, won

BLUE, WHITE = (170, 60, 0), (255, 255, 255)


def selected_text(picture: Image, places: Sequence[Box]) -> Image:
    """The picture with the text in ``places`` selected: white on blue."""
    picture = picture.copy()
    for box in places:
        part = box.crop(picture)
        ink = (part < 128).all(axis=2)
        part[:] = BLUE
        part[ink] = WHITE
    return picture


class Selecting(Simulated):
    """A drag selects all until the next gesture; a click does nothing else then."""

    selected = False

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            before, self.selected = self.selected, isinstance(gesture, Drag)
            if self.selected or (before and isinstance(gesture, Click)):
                self.gestures.append(gesture)
            else:
                super().perform([gesture], pace)

    def image(self) -> Image:
        return selected_text(super().image(), list(self.places.values())) if self.selected else super().image()


class Unknown(SeeingGame):
    """Does not know the board while its text is selected."""

    window: Selecting

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        if self.window.selected:
            raise UnreadableError("half of the numbers have another colour")
        return super().read(image, layout)

    def progress(self, reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
        found = super().progress(reading, puzzle, solution, image)
        return replace(found, present=False, done=0) if self.window.selected else found


@pytest.mark.parametrize("keys", [False, True])
def test_where_a_drag_only_selects_text_other_controls_are_tried(keys: bool) -> None:
    """Incident: the page of a small board was not known again after the first drag. The level was said to be played,
    though nothing of it was done."""
    window = Selecting(["X 1\n3 2"], keys=keys, clicks=not keys, advance="button")
    session = Session(Unknown(window), window, Layout(game=GAME))
    results = list(session.play(1))
    assert won(window) == [0]
    assert [one.status for one in results] == ["played"]
    assert session.layout.controls == ("keys" if keys else "click")


class Held(Selecting):
    """What a drag has selected stays so until a click: keys are understood meanwhile, and what they do is not seen."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if self.selected and isinstance(gesture, Keys):
                Simulated.perform(self, [gesture], pace)
            else:
                super().perform([gesture], pace)


def test_a_click_ends_the_selection_before_other_controls_are_tried() -> None:
    """Incident: the selection that was left by the drags was read as a part of the board after the first key, and
    Enter was pressed for the next level meanwhile."""
    window = Held(["X 1\n3 2"], keys=True, advance="button")
    session = Session(Unknown(window), window, Layout(game=GAME))
    results = list(session.play(1))
    assert won(window) == [0]
    assert [one.status for one in results] == ["played"]
    assert session.layout.controls == "keys"
    first = window.gestures.index(Keys(("right",)))
    assert all(not isinstance(one, Keys) for one in window.gestures[:first])
    for one, after in pairwise(window.gestures[:first]):
        assert not isinstance(one, Drag) or after == Click(one.path[0])


def test_a_dialog_is_told_from_selected_text_by_what_shines_through() -> None:
    window = Simulated(["X 1\n3 2"])
    picture, places = window.image(), list(window.places.values())
    assert shines_through(picture, selected_text(picture, places), places)
    dialog = picture.copy()
    Box(110, 50, 140, 100).crop(dialog)[:] = 230
    assert not shines_through(picture, dialog, places)
    assert not shines_through(picture, np.full_like(picture, 40), places)
