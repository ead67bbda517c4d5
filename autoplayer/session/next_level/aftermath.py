"""What a picture shows of a finished level: whether it is covered, partly undone or gone, and what has taken its place.
Nothing is pressed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from autoplayer.core.frame import Frame, Point, around
from autoplayer.core.shade import shades_the_rest
from autoplayer.games.base import P, Progress, S
from autoplayer.session import limits
from autoplayer.session.events import Sight
from autoplayer.session.looking.boxes import controls, moved
from autoplayer.session.looking.controls import between, changed, controls_that_changed, old_board_remains
from autoplayer.session.looking.dialogs import (
    controls_on_cover,
    dialog_over,
    shaded_buttons,
    shaded_dialog,
    stands_beside,
)
from autoplayer.session.looking.level_lists import LevelList, levels_shown
from autoplayer.session.looking.menus import controls_that_came
from autoplayer.session.window import GameWindow, Unread


class Aftermath(Generic[P, S]):
    """Examines pictures of ``window``."""

    def __init__(self, window: GameWindow[P, S]) -> None:
        self.window = window
        self.lists: Sequence[LevelList] = ()
        """Lists from which levels were chosen in this session; those of a few boxes are only known by that."""

    def covers(self, board: Sight[P, S], before: Frame, now: Frame) -> bool:
        """Whether a dialog has appeared over the board since ``before``, or the whole picture was darkened for a
        message that may cover it: then little can be concluded from the cells."""
        places = board.reading.places.values()
        shaded = self.shaded(board, before, now) or self.darkened(board, before, now)
        return shaded or dialog_over(before.image, now.image, places) is not None

    def darkened(self, board: Sight[P, S], before: Frame, now: Frame) -> bool:
        """Whether a shade has come over the whole game since ``before``, with the old board visible behind it."""
        shaded = shades_the_rest(before.image, now.image, board.reading.places.values())
        return shaded and self.remains(board, (board.frame, before), now)

    def shaded(self, board: Sight[P, S], before: Frame, now: Frame) -> bool:
        """Whether a dialog, or its buttons alone, have appeared in front of a shade over the game. Buttons alone count
        only where the old board is visible behind them: the next level's starts may appear like them after a flash."""
        asked = before.image, now.image, board.reading.places.values()
        if shaded_dialog(*asked) is not None:
            return True
        return bool(shaded_buttons(*asked)) and self.remains(board, (board.frame, before), now)

    def covered(
        self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame, progress: Progress | None = None
    ) -> bool:
        """Whether something covers the old board, part of which still looks as it was drawn between the two pictures
        ``drawn``, or all of whose signs beside a dialog are as they were. ``progress``: that of ``now``, where it is
        known already."""
        places = board.reading.places.values()
        if self.shaded(board, drawn[1], now):
            return True
        present = (progress or self.window.progress(board, now)).present
        dialog = dialog_over(drawn[1].image, now.image, places)
        if present and dialog is None:
            return False
        if self.remains(board, drawn, now):
            return True
        return dialog is not None and stands_beside(dialog, drawn[1].image, now.image, places)

    def partly_undone(self, board: Sight[P, S], first: Frame, done: Frame, now: Frame) -> bool:
        """Whether the board, which was complete in ``done``, no longer is in ``now``: every pixel of it is as in
        ``done`` or as in ``first``. The animation of a win shows neither."""
        if not first.size == done.size == now.size or self.window.progress(board, now).complete:
            return False
        box = around(board.reading.places.values())
        undone, other = (changed(box.crop(then.image), box.crop(now.image)) > 0 for then in (done, first))
        return bool(undone.any()) and not (undone & other).any()

    def remains(self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame) -> bool:
        """Whether part of the old board still looks in ``now`` as it was drawn between the two pictures ``drawn``."""
        places = board.reading.places
        parts = [*places.values(), *between(places)]
        return old_board_remains(drawn[0].image, drawn[1].image, now.image, parts)

    def changed_controls(self, board: Sight[P, S], first: Frame, before: Frame, after: Frame) -> list[Point]:
        pointer = self.window.spot[0] if self.window.spot and self.window.spot[1] == after.size else None
        points = controls_that_changed(first.image, before.image, after.image, board.reading.places, pointer)
        elsewhere = moved(before.image, after.image)
        return [at for at in points if not any(box.contains(at) for box in elsewhere)]

    def levels_listed(self, now: Frame | None = None) -> bool:
        """Whether ``now``, by default the last picture, shows a list of levels."""
        frame = now or self.window.last
        if frame is None:
            return False
        found = controls(frame.image)
        return levels_shown(frame.image, found) is not None or any(known.again(found) for known in self.lists)

    def scene(self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame) -> list[Point]:
        """The controls of a screen that has replaced the board. None where it may show a level, even a doubtful one,
        and where it has more controls than a screen of congratulation: nothing is pressed then."""
        found = self.window.read(now)
        if not isinstance(found, Unread) or not found.refused or found.places or self.levels_listed(now):
            return []
        points = controls_on_cover(drawn[1].image, now.image, board.reading.places.values())
        if len(points) <= limits.MOST_ON_SCENE:
            return self.boxes_first(board, drawn, now, points)
        # The letters of large words are many, but buttons are few.
        buttons = self.boxes_first(board, drawn, now, ())
        return buttons if len(buttons) <= limits.MOST_CONTROLS else []

    def boxes_first(
        self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame, points: Sequence[Point]
    ) -> list[Point]:
        """``points`` that may lead on in ``now``, sorted: those in boxes that appeared since the level's end, then such
        boxes that contain none of them, then all others. ``drawn``: pictures of the level's beginning and end."""
        places = board.reading.places.values()
        boxes = controls_that_came(drawn[0].image, drawn[1].image, now.image, places)
        return [*(box.centre for box in boxes), *(at for at in points if not any(box.contains(at) for box in boxes))]

    def on_board(self, board: Sight[P, S], at: Point) -> bool:
        """Whether a point lies in the bounding box of the board, or within the margin around it in which moves change
        the picture."""
        places = board.reading.places.values()
        reach = max(max(box.width, box.height) for box in places) // 2 + 1
        return around(places, reach).contains(at)
