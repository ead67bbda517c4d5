"""Lists of levels beside the board: presses the next entry where a control has restarted the level that was just won,
and chooses it in drop-down lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic

from autoplayer.core.frame import Box, Frame, Point
from autoplayer.games.base import P, S
from autoplayer.layout import NextTable
from autoplayer.session import limits
from autoplayer.session.ending import Ended, Ending
from autoplayer.session.events import Sight
from autoplayer.session.looking.boxes import controls
from autoplayer.session.looking.lists_beside import entry_after, entry_after_marked, tab_after
from autoplayer.session.looking.menus import stands_at
from autoplayer.session.next_level.aftermath import Aftermath
from autoplayer.session.next_level.arrivals import Arrivals
from autoplayer.session.next_level.presses import Presses


class Entries(Generic[P, S]):
    """Presses entries. ``learn`` is told where the known way to the next level turns out to be wrong."""

    def __init__(
        self,
        seen: Aftermath[P, S],
        arrivals: Arrivals[P, S],
        presses: Presses[P, S],
        learn: Callable[[NextTable], None],
    ) -> None:
        self.window = seen.window
        self._seen, self._arrivals, self._presses, self._learn = seen, arrivals, presses, learn
        self.last: Point | None = None
        """The position of the entry that started the present level."""
        self._pressed: tuple[Point, Frame] | None = None
        """The control beside the board that led on to the present level, and the picture in which it was pressed."""

    def led_on(self, at: Point, then: Frame) -> None:
        """The control beside the board at ``at`` has led on, pressed in ``then``: it may be one of several tabs."""
        self._pressed = at, then

    def tab_after(self, now: Frame) -> Point | None:
        """The tab after the highlighted one in ``now``, where a tab has led on to the present level."""
        if self._pressed is None or self._pressed[1].size != now.size:
            return None
        at, then = self._pressed
        return tab_after(then.image, now.image, at)

    def press_after(self, end: Ending[P, S], at: Point, now: Frame) -> Sight[P, S] | None:
        """Press the entry after the one at ``at``, in a list of levels beside the board in ``now``. Returns the level
        that this started; None where there is no such list, or no level came."""
        after = self._after(end, at, now)
        return None if after is None else self._started(end, after, now)

    def _after(self, end: Ending[P, S], at: Point, now: Frame) -> Point | None:
        after = entry_after(now.image, at)
        return None if after is None or self._seen.on_board(end.board, after) else after

    def _started(self, end: Ending[P, S], after: Point, now: Frame) -> Sight[P, S] | None:
        found = self._brought(end, after, now)
        if found is not None:
            self.last = after
        return found

    def further(self, end: Ending[P, S], found: Sight[P, S], at: Point | None, *, beside: bool) -> Sight[P, S] | None:
        """After a press at ``at`` (None: of a key) led to ``found``: where that is the level just won, restarted, the
        press is not repeated; where the pressed entry was ``beside`` the board, in a list of levels, the next entry is
        pressed. Returns the level that this started, else ``found``; None where ``found`` is not shown any more: the
        next entry may have started a level that cannot be read."""
        if not self.window.same_level(found, end.board) or at is None:
            return found
        if self.window.layout.next.kind == "click":
            self._learn(NextTable())
        self._presses.leads_back.append(at)
        after = self._after(end, at, found.frame) if beside else None
        if after is None:
            return found
        other = self._started(end, after, found.frame)
        if other is None and self.window.progress(found, self.window.still(limits.MOVE_LIMIT)).present:
            return found
        return other

    def instead_of_again(self, end: Ending[P, S], again: Sight[P, S]) -> Ended[P, S] | None:
        """Where the level ``end`` has restarted by itself, as ``again``, press what may lead to another one and has not
        failed before: the next entry in a list beside the board, or a control there. None where there is nothing of
        that kind, or all of it has failed: there is only one level."""
        places = again.reading.places.values()
        entry = self._after_marked(again.frame, places)
        likely = self._presses.beside(again.frame, places, likely=True)
        points = [box.centre for box in likely] if entry is None else [entry]
        ways = [at for at in points if not self._presses.led_back(at)][: limits.MOST_CONTROLS]
        for at in ways:
            other = self._brought(end, at, self.window.still(limits.MOVE_LIMIT))
            if other is not None:
                return "won", other, True
            self._presses.leads_back.append(at)
        return ("played", None, True) if ways else None  # the window is then examined again

    def after_highlighted(self, end: Ending[P, S]) -> Ended[P, S] | None:
        """Where nothing in the window has changed for the level ``end``, press the entry after the highlighted one in a
        list beside the board. None where there is no such list, or no other level came."""
        now = self.window.still(limits.MOVE_LIMIT)
        if not self.window.progress(end.board, now).complete or self._seen.covered(end.board, end.drawn, now):
            return None
        tab = self.tab_after(now)
        at = tab or self._after_marked(now, end.places)
        if at is None or self._presses.spared(end.board, at):
            return None
        found = self._brought(end, at, now)
        if found is None:
            self._presses.leads_back.append(at)
            return None
        if tab is not None:
            self.led_on(at, now)
        self.last = at
        return "won", found, True

    def in_drop_down(self, end: Ending[P, S], *, menus: bool) -> Ended[P, S] | None:
        """Where the level ``end`` is still shown, choose the next entry of a drop-down list beside the board, of those
        that name a level; with ``menus`` of any. None where there is none, or no other level came."""
        now = self.window.still(limits.MOVE_LIMIT)
        if not self.window.progress(end.board, now).complete or self._seen.covered(end.board, end.drawn, now):
            return None
        for at in self._presses.drop_downs(now, end.places, menus=menus)[: limits.MOST_CONTROLS]:
            way = self._presses.choose(at, now)
            found, _ = self._arrivals.wait(end, now, limits.PRESS_LIMIT)
            if found is not None and not self.window.same_level(found, end.board):
                self._learn(way)
                return "won", found, True
            self._presses.leads_back.append(at)
            now = self.window.still(limits.MOVE_LIMIT)
        return None

    @staticmethod
    def _after_marked(now: Frame, places: Iterable[Box]) -> Point | None:
        """The entry after the highlighted one in a list of levels in ``now``, outside the board's ``places``."""
        board = [*places]
        return entry_after_marked([each for each in controls(now.image) if not stands_at(each, board)])

    def _brought(self, end: Ending[P, S], at: Point, now: Frame) -> Sight[P, S] | None:
        """The level other than ``end`` that a press at ``at`` in ``now`` leads to."""
        self._presses.click(at, now)
        found, _ = self._arrivals.wait(end, now, limits.PRESS_LIMIT)
        return None if found is None or self.window.same_level(found, end.board) else found
