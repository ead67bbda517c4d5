"""The wait for another level after a finished one, and the signs of a win or a mistake that are seen meanwhile. Nothing
is pressed here."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic

from autoplayer.core.frame import Frame
from autoplayer.games.base import P, S
from autoplayer.screen.base import lies_over
from autoplayer.screen.guard import CoveredError
from autoplayer.session import limits
from autoplayer.session.ending import Ending, ResizedError
from autoplayer.session.events import Sight
from autoplayer.session.looking.refusals import red_came, reddened
from autoplayer.session.next_level.aftermath import Aftermath
from autoplayer.session.window import Unread, same_picture, whole


class Arrivals(Generic[P, S]):
    """Waits for the levels that come to the window of ``seen``."""

    def __init__(self, seen: Aftermath[P, S]) -> None:
        self.window = seen.window
        self._seen = seen
        self.won = False
        """Whether the layout's win sign has appeared since the level ended."""
        self.refused = False
        """Whether everything around the board has turned red since, or red words have appeared there."""
        self.met: Frame | None = None
        """The first picture of what replaced the finished level."""

    def begin(self, end: Ending[P, S]) -> None:
        """A level has ended: only what appears from now on counts."""
        self.won = self.refused = False
        self.met = None
        self._look_for_sign(end, end.after)

    def say_done(self, end: Ending[P, S], frame: Frame, covered: bool) -> None:
        """Report that nothing is left to do in ``frame``. ``covered``: whether something covers the board."""
        self._look_for_sign(end, frame)
        self.window.say("done", "nothing is left to do", frame, first=end.first, before=end.before, covered=covered)

    def _look_for_sign(self, end: Ending[P, S], frame: Frame) -> None:
        """Note whether ``frame`` shows the layout's win sign, where the level's beginning did not, and whether since
        then everything around the board has turned red, or red words have appeared there, as for a mistake."""
        first, before = end.first.image, end.before.image
        self.refused = (
            self.refused
            or reddened(first, frame.image, end.around)
            or red_came(before, frame.image, end.around, end.side)
        )
        if not self.won and self.window.marks.won(frame.image):
            self.won = not self.window.marks.won(first)

    def wait(
        self, end: Ending[P, S], since: Frame | None, limit: float, *, lighting: bool = False
    ) -> tuple[Sight[P, S] | None, bool]:
        """Wait up to ``limit`` seconds until another level can be read (or the same one, restarted), in a picture
        unlike ``since``. With ``lighting`` the wait is short if the picture is still and a control has lit up since the
        last move, or a box covers the board. Where the old board is gone and something lies over the window, which may
        hide a part of the next level, it waits until that is gone. Returns the level, and whether the old board is
        gone. Raises ResizedError where the window's size changes meanwhile and the old board is seen in it,
        CoveredError where what lies over the window stays."""
        board = end.board
        began = self.window.screen.now()
        deadline = began + limit
        unlike = since
        gone = covered = False
        over: str | None = None
        small: tuple[Sight[P, S], float] | None = None
        while True:
            left = deadline - self.window.screen.now()
            if over is not None:
                left = min(left, limits.MOVE_LIMIT)
            elif lighting and not gone:
                left = min(left, began + limits.ALONE_LIMIT - self.window.screen.now())
            frame = self.window.still(max(left, 0.05), unlike=unlike, quiet=limits.PATIENT)
            if self.window.answer():
                deadline = max(deadline, self.window.screen.now() + limits.PRESS_LIMIT)
            under, over = over, lies_over(self.window.screen, [whole(frame)])
            if over is not None and self.window.over(end.places) is not None:
                frame, over = self.window.uncovered(end.places, done=True), None
                deadline = max(deadline, self.window.screen.now() + limits.LIT_LIMIT)
            if unlike is None or under is not None or not same_picture(frame, unlike):
                found, gone, covered = self._come(end, frame, over)
                if found is not None:
                    if not _hasty(found, board) or same_picture(
                        self.window.still(limits.CELEBRATED, unlike=frame, quiet=limits.PATIENT), frame
                    ):
                        return found, True
                    if small is None or not self.window.same_level(found, small[0]):
                        small = found, self.window.screen.now()
                    elif self.window.screen.now() >= small[1] + limits.ALONE_LIMIT:
                        return found, True  # it is the background that never rests
                    unlike = None
                    continue
            unlike = frame
            now = self.window.screen.now()
            if gone and over is not None:  # it may hide a part of the next level
                if under is None:
                    self.window.say("wait", f"{over} lies over the game's window")
                if now >= began + limit + limits.AWAY_LIMIT:
                    raise CoveredError(
                        f"Nothing was pressed: {over} lies over the game's window, and may hide a part of the next"
                        " level. Bring the game's window to the front."
                    )
                deadline = max(deadline, now + limits.PRESS_LIMIT)
            if now >= deadline:
                return None, gone
            if lighting and not gone and now >= began + limits.ALONE_LIMIT:
                if covered or self._seen.changed_controls(board, end.first, end.before, frame):
                    return None, False
                lighting = False

    def _come(self, end: Ending[P, S], frame: Frame, over: str | None) -> tuple[Sight[P, S] | None, bool, bool]:
        """The level that has come in ``frame``, over which the window ``over`` lies (None where none does), or None;
        and whether the old board is gone, or covered. Raises ResizedError."""
        board = end.board
        self._look_for_sign(end, frame)
        progress = self.window.progress(board, frame)
        covered = self._seen.covered(board, end.drawn, frame, progress)
        found = None if progress.complete or covered else self.window.read(frame)
        if isinstance(found, Sight) and self._resized(end, found):
            raise ResizedError(replace(found, done=True))
        nothing = isinstance(found, Unread) and found.refused and not found.places
        # The drawn board may seem to be found again on a screen that shows none.
        gone = not covered and (not progress.present or (nothing and 2 * progress.done <= progress.total))
        if gone and over is None and self.met is None:
            self.met = frame
        come = (
            isinstance(found, Sight)
            and (self.window.is_fresh(found, board) or self.window.is_begun(found, board))
            and self.window.shows_all(found, over)
        )
        return (found if isinstance(found, Sight) and come else None), gone, covered

    def _resized(self, end: Ending[P, S], found: Sight[P, S]) -> bool:
        """Whether ``found`` is the level of ``end``, which was seen complete, in a window of another size: all of it is
        drawn, or nothing, because a full board may be read like an untouched one."""
        if not end.complete or found.frame.size == end.after.size or not self.window.same_level(found, end.board):
            return False
        progress = self.window.progress(found, found.frame)
        return progress.complete or not (progress.done or progress.wrong)


def _hasty(found: Sight[P, S], board: Sight[P, S]) -> bool:
    """Whether ``found`` is so much smaller than ``board`` that it may be something else (such as dots that count the
    levels) beside a level that is still to come, so that another look is needed."""
    few, many = (len(sight.reading.places) for sight in (found, board))
    return few <= limits.FEW_CELLS and 2 * few <= many
