"""Whether a level is over: another one has come, or the window no longer responds to its keys; or it is still there."""

from __future__ import annotations

from collections.abc import Sequence

from autoplayer.core.frame import Frame
from autoplayer.games.continuity.piloting.comparing import (
    apart,
    begins,
    begins_or_differs,
    has_other_rooms,
    is_other,
    likely,
)
from autoplayer.games.continuity.piloting.level import surest
from autoplayer.games.continuity.piloting.views import (
    ANSWERS,
    CHANGED,
    MOVES,
    SOON,
    STILL,
    Views,
)
from autoplayer.games.continuity.piloting.watching import Controls
from autoplayer.games.continuity.seeing.sight import Tiles

OTHERWISE = 0.08
"""By which share of their width the tiles of another level must differ if they are taken for it by their size: a mat
round each room, read as a part of it, makes them a little larger."""


class Ending(Views):
    """Tells whether a level in a window is over."""

    def _another(self, tiles: Tiles) -> bool:
        """Whether the window shows another level than ``tiles``. Changes the view, and back if it is the same level.
        Tiles of another size count if the view has changed: a part of the level may be shown from near, and a dialog
        over it hears no key. The other view of that level may show no board."""
        changes, others = [], 0
        frame = self.window.still(STILL)
        if self._one_view:
            board = self._board(frame.image)
            return board is not None and is_other(board, tiles)
        for _ in range(2):
            self._press(self._view_key)
            before, frame = frame, self.window.still(ANSWERS, unlike=frame)
            board = self._board(frame.image)
            changes.append(self._changes(before, frame))
            if board is None:
                continue
            wide, known = board.boxes[0].width, tiles.boxes[0].width
            if abs(wide - known) <= OTHERWISE * known:
                # Levels may share rooms.
                return has_other_rooms(board, tiles)
            # A part of this level that is read as a board of its own mostly lacks the figure or the door.
            others += 2 if likely(board)[0] and is_other(board, tiles) else 1
        return all(changes) and others >= 2

    def _changes(self, before: Frame, after: Frame) -> bool:
        """Whether two pictures may show different views."""
        away = self._apart(before, after)
        return away >= CHANGED if self._marks is None else away > 0

    def _deaf(self, tiles: Tiles, controls: Controls) -> bool:
        """Whether neither the view key nor the walking keys change anything, besides what changes by itself."""
        figure = surest(tiles, "figure")
        if figure is None:
            return False
        view = () if self._one_view else (self._view_key,)
        if self._silent((*view, controls.left, controls.right, *view)):
            return True
        last = self.window.still(STILL)
        idle = self._restless(last)
        step = MOVES * figure.width * figure.height / idle.size
        viewed = CHANGED if self._marks is None else step
        for key in (*view, *view, controls.left, controls.right):
            least = viewed if key in view else step
            self._use(key)
            before, last = last, self.window.still(ANSWERS, unlike=last)
            if apart(before, last, idle) > least:
                return False
        return True

    def _silent(self, keys: Sequence[str]) -> bool:
        """Whether nothing changes when these keys are used one shortly after the other."""
        first = self.window.still(STILL)
        for key in keys:
            self._use(key)
            if self._apart(first, self.window.glance(SOON)) > 0:
                return False
        return self._apart(first, self.window.still(ANSWERS, unlike=first)) == 0

    def _use(self, key: str) -> None:
        """Press the key that changes the view, hold one that walks."""
        if key == self._view_key:
            self._press(key)
        else:
            self._hold(key)

    def _here(self, tiles: Tiles, controls: Controls) -> bool:
        """Whether the window still shows the level of ``tiles``, not in its initial state, the views change, and
        something moves when a walking key is held: then the level is not over. Changes the view, and back."""
        frame = self.window.still(STILL)
        figure = surest(tiles, "figure")
        if self._one_view:
            board = self._board(frame.image)
            if board is None or figure is None or begins_or_differs(board, tiles):
                return False
            return self._walks(frame, controls, figure.width * figure.height)
        for _ in range(2):
            self._press(self._view_key)
            before, frame = frame, self.window.still(ANSWERS, unlike=frame)
            board = self._board(frame.image) if self._changes(before, frame) else None
            if board is None or figure is None:
                continue  # it may be the view that is not read, or a key that was not heard
            wide, known = board.boxes[0].width, tiles.boxes[0].width
            if abs(wide - known) > 0.03 * known:
                continue
            if has_other_rooms(board, tiles) or begins(board, tiles):
                return False
            self._press(self._view_key)
            return self._walks(self.window.still(STILL, unlike=frame), controls, figure.width * figure.height)
        return False

    def _walks(self, still: Frame, controls: Controls, size: float) -> bool:
        """Whether something as large as the figure (``size``: pixels) moves when a walking key is held."""
        idle = self._restless(still) if self.window.moving(still) is not None else None
        for key in (controls.left, controls.right):
            self._hold(key)
            after = self.window.still(STILL)
            if apart(still, after, idle) * still.image[..., 0].size > MOVES * size:
                return True
        return False
