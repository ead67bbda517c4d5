"""The wait for another level after one that is done, and what is seen meanwhile of a win or a mistake. Nothing is
pressed here."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic

from autoplayer.core.frame import Frame
from autoplayer.games.base import P, S
from autoplayer.screen.base import lies_over
from autoplayer.session import limits
from autoplayer.session.aftermath import Aftermath
from autoplayer.session.ending import Ending, ResizedError
from autoplayer.session.events import Sight
from autoplayer.session.refusals import red_came, reddened
from autoplayer.session.window import Unread, same_picture, whole


class Arrivals(Generic[P, S]):
    """Waits for the levels that come to the window of ``seen``."""

    def __init__(self, seen: Aftermath[P, S]) -> None:
        self.window = seen.window
        self._seen = seen
        self.won = False
        """Whether the layout's sign of a win has come since the level ended."""
        self.refused = False
        """Whether all that is around the board has turned red since, or words in red have come there."""
        self.met: Frame | None = None
        """What stood there first in place of the level that ended."""

    def begin(self, end: Ending[P, S]) -> None:
        """A level has ended: only what comes from now on counts."""
        self.won = self.refused = False
        self.met = None
        self._look_for_sign(end, end.after)

    def say_done(self, end: Ending[P, S], frame: Frame, covered: bool) -> None:
        """Tell that nothing is left to do in ``frame``. ``covered``: whether something lies over the board."""
        self._look_for_sign(end, frame)
        self.window.say("done", "nothing is left to do", frame, first=end.first, before=end.before, covered=covered)

    def _look_for_sign(self, end: Ending[P, S], frame: Frame) -> None:
        """Note where ``frame`` shows the layout's sign of a win, and the level's beginning did not; and where all that
        is around the board has turned red since, or words in red have come there, as for a mistake."""
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
        """Wait up to ``limit`` seconds until another level can be read (or the same one, begun anew), in a picture
        unlike ``since``. Where ``lighting``, the wait is short if a control has lit up since the last move, or a box
        covers the board, and the picture is still. Returns the level, and whether the old board is gone. Raises
        ResizedError where the window takes another size meanwhile, and the old board is seen in it."""
        board = end.board
        began = self.window.screen.now()
        deadline = began + limit
        unlike = since
        gone = covered = False
        while True:
            left = deadline - self.window.screen.now()
            if lighting and not gone:
                left = min(left, began + limits.ALONE_LIMIT - self.window.screen.now())
            frame = self.window.still(max(left, 0.05), unlike=unlike, quiet=limits.PATIENT)
            if self.window.answer():
                deadline = max(deadline, self.window.screen.now() + limits.PRESS_LIMIT)
            over = lies_over(self.window.screen, [whole(frame)])
            if over is not None and self.window.over(end.places) is not None:
                frame, over = self.window.uncovered(end.places, done=True), None
                deadline = max(deadline, self.window.screen.now() + limits.LIT_LIMIT)
            if unlike is None or not same_picture(frame, unlike):
                self._look_for_sign(end, frame)
                progress = self.window.progress(board, frame)
                covered = self._seen.covered(board, end.drawn, frame, progress)
                found = None if progress.complete or covered else self.window.read(frame)
                if isinstance(found, Sight) and self._resized(end, found):
                    raise ResizedError(replace(found, done=True))
                nothing = isinstance(found, Unread) and found.refused and not found.places
                # What was drawn on the board may seem to be met again on a screen that shows none.
                gone = not covered and (not progress.present or (nothing and 2 * progress.done <= progress.total))
                if gone and self.met is None:
                    self.met = frame
                if (
                    isinstance(found, Sight)
                    and (self.window.is_fresh(found, board) or self.window.is_begun(found, board))
                    and self.window.shows_all(found, over)
                ):
                    if not _hasty(found, board) or same_picture(
                        self.window.still(limits.CELEBRATED, unlike=frame, quiet=limits.PATIENT), frame
                    ):
                        return found, True
                    unlike = None
                    continue
            unlike = frame
            now = self.window.screen.now()
            if now >= deadline:
                return None, gone
            if lighting and not gone and now >= began + limits.ALONE_LIMIT:
                if covered or self._seen.changed_controls(board, end.first, end.before, frame):
                    return None, False
                lighting = False

    def _resized(self, end: Ending[P, S], found: Sight[P, S]) -> bool:
        """Whether ``found`` is the level of ``end``, which was seen done, in a window of another size. All of it is
        drawn, or nothing, for a full board may be read like an untouched one."""
        if not end.complete or found.frame.size == end.after.size or not self.window.same_level(found, end.board):
            return False
        progress = self.window.progress(found, found.frame)
        return progress.complete or not (progress.done or progress.wrong)


def _hasty(found: Sight[P, S], board: Sight[P, S]) -> bool:
    """Whether ``found`` is so much smaller than ``board`` that it may be what stands beside a level that still comes
    (dots that count the levels), and is looked at once more."""
    few, many = (len(sight.reading.places) for sight in (found, board))
    return few <= limits.FEW_CELLS and 2 * few <= many
