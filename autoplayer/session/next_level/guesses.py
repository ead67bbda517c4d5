"""What is pressed where the window gives no hint how to go on from a finished level: keys, and controls that stood
beside the board all along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from autoplayer.core.frame import Frame, Point
from autoplayer.games.base import P, S
from autoplayer.layout import NextTable
from autoplayer.session import limits
from autoplayer.session.ending import Ended, Ending, OtherBoardError
from autoplayer.session.events import Sight
from autoplayer.session.looking.dialogs import controls_on_cover
from autoplayer.session.looking.menus import moved_on
from autoplayer.session.next_level.aftermath import Aftermath
from autoplayer.session.next_level.arrivals import Arrivals
from autoplayer.session.next_level.known_way import KnownWay
from autoplayer.session.next_level.presses import NEXT_KEYS, Presses
from autoplayer.session.next_level.scrolling import Scrolling


class Guesses(Generic[P, S]):
    """Presses them. ``known`` is told the way once it is known; ``menus``: whether any control beside the board may be
    pressed, even after the last level that is wanted. ``spared``: whether a control beside the board that may lead on
    was not pressed for lack of permission."""

    def __init__(
        self,
        seen: Aftermath[P, S],
        arrivals: Arrivals[P, S],
        presses: Presses[P, S],
        known: KnownWay[P, S],
        scrolling: Scrolling[P, S],
        *,
        menus: bool,
    ) -> None:
        self.window = seen.window
        self._seen, self._arrivals, self._presses, self._known = seen, arrivals, presses, known
        self._scrolling = scrolling
        self._menus = menus
        self.spared = False

    def lead_on(self, end: Ending[P, S], *, more: bool) -> Ended[P, S] | None:
        """Press them in turn. ``more``: whether a further level is wanted. None where none leads on."""
        by_keys = self.window.layout.controls == "keys"
        if not by_keys:  # most keys would scroll a web page, so they come last
            return (
                (self._try_keys(end, NEXT_KEYS[:1]) if more else None)
                or self._press_beside(end, more=more)
                or (self._try_keys(end, NEXT_KEYS[1:]) if more else None)
            )
        return (
            self._try_keys(end, NEXT_KEYS)
            or self._press_beside(end, more=more)
            # Last, because it might undo what was played.
            or (self._try_keys(end, NEXT_KEYS, playing=True) if more else None)
        )

    def _try_keys(self, end: Ending[P, S], keys: Sequence[str], *, playing: bool = False) -> Ended[P, S] | None:
        """Try ``keys`` for going on, except those used in play, which would undo what was done; with ``playing`` only
        those. None where none leads on."""
        layout = self.window.layout
        play = set(layout.keys.model_dump().values()) if layout.controls == "keys" else set()
        if play and len(layout.keys.bridge) == 1:  # letters build there, one for each direction
            play |= {key for key in keys if len(key) == 1}
        for key in (key for key in keys if (key in play) == playing):
            now = self.window.still(limits.MOVE_LIMIT)
            way = NextTable(kind="key", key=key)
            self._presses.press(way, now)
            found, gone = self._scrolling.wait(end, now)
            if found:
                if not self.window.same_level(found, end.board):
                    self._known.learn(way)
                return "won", found, True
            if gone:
                self._presses.led_away(end)
                return "played", None, True
            if playing:
                self._undo(end.board, way)
        return None

    def _undo(self, board: Sight[P, S], way: NextTable) -> None:
        """A key used in play did not lead on: where it has changed the board, press it until the board is as before,
        because its effects are cyclic; once for each row at most."""
        for _ in range(max(map(max, board.reading.places))):
            now = self.window.still(limits.MOVE_LIMIT)
            seen = self.window.progress(board, now)
            if seen.complete or not seen.present:
                return
            self._presses.press(way, now)

    def _press_beside(self, end: Ending[P, S], *, more: bool) -> Ended[P, S] | None:
        """Where a level is finished and nothing in the window has changed for that, press what stood beside the board
        all along, if a further level is wanted: many games want to be told ("Done"), or start the next level by such a
        control. Without permission to press anything, only the most probable controls. None where no level comes."""
        if not (self._menus or more):
            return None
        board, drawn, places = end.board, end.drawn, end.places
        now = self.window.still(limits.MOVE_LIMIT)
        if not self.window.progress(board, now).complete or self._seen.covered(board, drawn, now):
            return None
        if not self._seen.remains(board, drawn, now) and moved_on(drawn[1].image, now.image, None):
            return None  # it only seems to be recognised on another kind of screen
        beside = [box.centre for box in self._presses.beside(now, places, likely=not self._menus)]
        self.spared = not self._menus and len(self._presses.beside(now, places)) > len(beside)
        for at in self._presses.worth(board, beside, now)[: limits.MOST_CONTROLS]:
            before = now
            way = self._presses.click(at, now)
            found, gone = self._arrivals.wait(end, now, limits.FLASH_LIMIT)
            now = self.window.still(limits.MOVE_LIMIT)
            if found is None:
                answers = controls_on_cover(before.image, now.image, places)
                found = self._answered(end, self._seen.boxes_first(board, (before, before), now, answers), now)
            elif not self.window.same_level(found, board):
                self._known.found(way, at, before, places)
            if found is not None:
                if self.window.same_level(found, board):
                    self._presses.leads_back.append(at)
                return "won", found, True
            if gone:  # to a menu, or to a list of levels
                self._presses.led_away(end)
                return "played", None, True
            if not self.window.progress(board, now).complete:
                self.taken_back(board, at, now)
                return None
        return None

    def _answered(self, end: Ending[P, S], points: Sequence[Point], now: Frame) -> Sight[P, S] | None:
        """The level that a press on one of the first of ``points`` in ``now`` leads to; None where none does."""
        for at in points[: limits.MOST_CONTROLS]:
            self._presses.click(at, now)
            found, _ = self._arrivals.wait(end, now, limits.PRESS_LIMIT)
            if found is not None:
                return found
            now = self.window.still(limits.MOVE_LIMIT)
        return None

    def taken_back(self, board: Sight[P, S], at: Point, now: Frame) -> None:
        """A press at ``at`` has undone some of what was played, or removed the board: that control is not pressed
        again. Raises OtherBoardError where the level is still visible: it is then played to its end again."""
        self._presses.leads_back.append(at)
        again = self.window.read(now)
        if isinstance(again, Sight) and self.window.same_level(again, board):
            raise OtherBoardError(again)
