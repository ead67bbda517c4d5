"""A picture of a board that is looked at again is seen once."""

from __future__ import annotations

import numpy as np

from autoplayer.games.base import Reading
from autoplayer.games.lately import MOST, lately


def test_a_picture_is_seen_once_until_others_came() -> None:
    pictures = [np.full((4, 5, 3), value, np.uint8) for value in range(MOST + 1)]
    reading = Reading("", {}, (), 1.0, pictures[0])
    calls: list[int] = []

    def look(at: int, asked: str = "") -> int:
        def seen() -> int:
            calls.append(at)
            return at

        return lately(reading, pictures[at].copy(), asked, seen)

    assert [look(0), look(0), look(1), look(0), look(1)] == [0, 0, 1, 0, 1]
    assert calls == [0, 1]
    look(0, "something else")  # what is asked besides counts too
    assert calls == [0, 1, 0]
    look(MOST)
    look(1)
    assert calls == [0, 1, 0, MOST, 1]


def test_a_picture_that_is_drawn_upon_is_another_one() -> None:
    picture = np.zeros((4, 5, 3), np.uint8)
    reading = Reading("", {}, (), 1.0, picture.copy())
    assert lately(reading, picture, "", lambda: int(picture.sum())) == 0
    picture[0, 0, 0] = 9
    assert lately(reading, picture, "", lambda: int(picture.sum())) == 9
