"""What a picture shows of a level that is done: whether it is covered, undone in part, or gone, and what stands there
in its place. Nothing is pressed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from autoplayer.core.frame import Frame, Point, around
from autoplayer.games.base import P, Progress, S
from autoplayer.session import limits
from autoplayer.session.controls import (
    between,
    changed,
    controls_on_cover,
    controls_that_changed,
    dialog_over,
    old_board_remains,
    shaded_buttons,
    shaded_dialog,
)
from autoplayer.session.events import Sight
from autoplayer.session.level_lists import levels_shown
from autoplayer.session.menus import controls_that_came
from autoplayer.session.shade import shades_the_rest
from autoplayer.session.window import GameWindow, Unread


class Aftermath(Generic[P, S]):
    """Looks at the pictures of ``window``."""

    def __init__(self, window: GameWindow[P, S]) -> None:
        self.window = window

    def covers(self, board: Sight[P, S], before: Frame, now: Frame) -> bool:
        """Whether a dialog has come over the board since ``before``, or all was darkened for words that may lie over
        it: what is seen of the cells then says little."""
        places = board.reading.places.values()
        shaded = self.shaded(board, before, now) or self.darkened(board, before, now)
        return shaded or dialog_over(before.image, now.image, places)

    def darkened(self, board: Sight[P, S], before: Frame, now: Frame) -> bool:
        """Whether a shade has come over all of the game since ``before``, and the old board is seen behind it."""
        shaded = shades_the_rest(before.image, now.image, board.reading.places.values())
        return shaded and self.remains(board, (board.frame, before), now)

    def shaded(self, board: Sight[P, S], before: Frame, now: Frame) -> bool:
        """Whether a dialog, or its buttons alone, have come before a shade over the game. Buttons alone tell that only
        where the old board is seen behind them: the next level's starts may come out of a flash like them."""
        asked = before.image, now.image, board.reading.places.values()
        if shaded_dialog(*asked) is not None:
            return True
        return bool(shaded_buttons(*asked)) and self.remains(board, (board.frame, before), now)

    def covered(
        self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame, progress: Progress | None = None
    ) -> bool:
        """Whether something lies over the old board, part of which still stands as it was drawn between the two
        pictures ``drawn``. ``progress``: that of ``now``, where it is known already."""
        places = board.reading.places
        if self.shaded(board, drawn[1], now):
            return True
        present = (progress or self.window.progress(board, now)).present
        if present and not dialog_over(drawn[1].image, now.image, places.values()):
            return False
        return self.remains(board, drawn, now)

    def partly_undone(self, board: Sight[P, S], first: Frame, done: Frame, now: Frame) -> bool:
        """Whether the board, which was ``done``, is it no more in ``now``: every pixel of it shows what it showed then,
        or ``first``. What is drawn over it for joy shows neither."""
        if not first.size == done.size == now.size or self.window.progress(board, now).complete:
            return False
        box = around(board.reading.places.values())
        undone, other = (changed(box.crop(then.image), box.crop(now.image)) > 0 for then in (done, first))
        return bool(undone.any()) and not (undone & other).any()

    def remains(self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame) -> bool:
        """Whether part of the old board still stands in ``now`` as it was drawn between the two pictures ``drawn``."""
        places = board.reading.places
        parts = [*places.values(), *between(places)]
        return old_board_remains(drawn[0].image, drawn[1].image, now.image, parts)

    def changed_controls(self, board: Sight[P, S], first: Frame, before: Frame, after: Frame) -> list[Point]:
        pointer = self.window.spot[0] if self.window.spot and self.window.spot[1] == after.size else None
        return controls_that_changed(first.image, before.image, after.image, board.reading.places, pointer)

    def levels_listed(self, now: Frame | None = None) -> bool:
        """Whether ``now``, by default what was seen last, shows a list of levels."""
        frame = now or self.window.last
        return frame is not None and levels_shown(frame.image) is not None

    def scene(self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame) -> list[Point]:
        """The controls of a scene that came in place of the board. None where a level can be seen in it, even a
        doubtful one, and where there is more to press than a scene of congratulation has: nothing is pressed then."""
        found = self.window.read(now)
        if not isinstance(found, Unread) or not found.refused or found.places or self.levels_listed(now):
            return []
        points = controls_on_cover(drawn[1].image, now.image, board.reading.places.values())
        if len(points) <= limits.MOST_ON_SCENE:
            return self.boxes_first(board, drawn, now, points)
        # The letters of large words are many, but of buttons there are few.
        buttons = self.boxes_first(board, drawn, now, ())
        return buttons if len(buttons) <= limits.MOST_CONTROLS else []

    def boxes_first(
        self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame, points: Sequence[Point]
    ) -> list[Point]:
        """``points`` that may lead on in ``now``: those in boxes that came since the level's end, then such boxes that
        hold none of them, then all others. ``drawn``: pictures of the level's beginning and end."""
        places = board.reading.places.values()
        boxes = controls_that_came(drawn[0].image, drawn[1].image, now.image, places)
        return [*(box.centre for box in boxes), *(at for at in points if not any(box.contains(at) for box in boxes))]

    def on_board(self, board: Sight[P, S], at: Point) -> bool:
        """Whether a point lies within the smallest box around the board, or so near that what is looked at around it
        reaches there: moves change the picture in it."""
        places = board.reading.places.values()
        reach = max(max(box.width, box.height) for box in places) // 2 + 1
        return around(places, reach).contains(at)
