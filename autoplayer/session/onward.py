"""What comes after a level's last move: whether it was won, and the way to the next level."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Generic

from autoplayer.core.frame import Box, Frame, Image, Point, around
from autoplayer.core.gestures import Click, Gesture, Keys
from autoplayer.games.base import Move, P, S
from autoplayer.layout import Layout, NextTable
from autoplayer.screen.base import lies_over
from autoplayer.session import limits
from autoplayer.session.aftermath import Aftermath
from autoplayer.session.boxes import controls, differing
from autoplayer.session.controls import (
    controls_on_cover,
    lit,
)
from autoplayer.session.events import Sight, Status, standing
from autoplayer.session.interludes import SAME_SPOT, Interludes, another
from autoplayer.session.level_lists import entry_after, entry_after_marked
from autoplayer.session.menus import controls_beside, moved_on, stands_at
from autoplayer.session.refusals import red_came, red_gone, reddened
from autoplayer.session.window import INTERRUPTIONS, FailedError, GameWindow, Unread, same_picture, whole

Ended = tuple[Status, Sight[P, S] | None, bool]
"""How a level ended, the next level's board where it was met, and whether to go on."""

NEXT_KEYS = ("enter", "space", "n")
"""What a window may want to hear before it goes on, the most usual one first."""


OTHER = 0.5
"""The part of what stands around a known control that looks otherwise where something else stands there."""


class Onward(Generic[P, S]):
    """Goes from a level that is done to the next one, in ``window``. ``learn`` is given the way once it is known.
    ``left``: the level that a control led away from, and its pictures, at its beginning and drawn; None where the
    next level came otherwise, or not."""

    def __init__(self, window: GameWindow[P, S], learn: Callable[[NextTable], None], *, menus: bool = False) -> None:
        """``menus``: whether any control may be pressed that stood beside the board all along, even after the last
        level that is wanted."""
        self.window = window
        self.seen = Aftermath(window)
        self._interludes = Interludes(
            self.seen,
            self._click,
            lambda board, now, drawn: self._await_other(board, now, limits.PRESS_LIMIT, drawn)[0],
            lambda board, at: self._led_back(at) or self._plays(board, at),
        )
        self.more = False
        """Whether a further level is wanted after this one."""
        self.spared = False
        """Whether something beside the board was not pressed that may lead on, for want of leave."""
        self._menus = menus
        self.lives_lost = 0
        """How many levels on end have cost something red that stood beside the board."""
        self.left: tuple[Sight[P, S], tuple[Frame, Frame]] | None = None
        self._learn = learn
        self._nowhere = 0
        """How many levels on end the known way has led nowhere."""
        self._by_itself = False
        """Whether a level has come by itself in this session."""
        self._leads_back: list[Point] = []
        """Where controls are that brought the level which had just been won once more."""
        self._listed: Point | None = None
        """Where the entry is, in a list of levels beside the board, that brought the level which is played."""
        self._ending: tuple[Frame, Frame, Box, int] | None = None
        """Of the level that ends: the pictures of its beginning and of before its last move, the smallest box around
        its board, and the side of a cell in pixels."""
        self._sign_seen = self._reddened = False
        self._met: Frame | None = None
        """What stood there first in place of the level that ended."""
        self._looked: tuple[Point, Image] | None = None
        """Where the control is that was found to lead on in this session, and how it looks."""

    def finish(self, board: Sight[P, S], first: Frame, before: Frame, after: Frame, complete: bool) -> Ended[P, S]:
        """The last move is made. ``before``, ``after``: the pictures around it; ``complete``: whether the board was
        seen complete (it may have been celebrated away at once)."""
        places = board.reading.places.values()
        side = max(max(box.width, box.height) for box in places)
        self._ending = first, before, around(places, side // 8), side
        self._sign_seen = self._reddened = False
        self._met = None
        self._interludes.begin()
        self._look_for_sign(after)
        status, found, goes_on = self._go_on(board, first, before, after, complete)
        lost = False
        if found is not None:
            both = around([*places, *found.reading.places.values()], side // 8)
            lost = red_gone(first.image, found.frame.image, both, side)
        self.lives_lost = self.lives_lost + 1 if lost else 0
        if lost or self._reddened or (found is not None and self.window.same_level(found, board)):
            status = "played"  # it may have been refused, or set back by what was pressed
        return ("won" if self._sign_seen else status), found, goes_on

    def _look_for_sign(self, frame: Frame) -> None:
        """Note where ``frame`` shows the layout's sign of a win, and the level's beginning did not; and where all that
        is around the board has turned red since, or words in red have come there, as for a mistake."""
        if self._ending is None:
            return
        first, before, board, side = self._ending
        self._reddened = (
            self._reddened
            or reddened(first.image, frame.image, board)
            or red_came(before.image, frame.image, board, side)
        )
        if not self._sign_seen and self.window.marks.won(frame.image):
            self._sign_seen = not self.window.marks.won(first.image)

    def _go_on(self, board: Sight[P, S], first: Frame, before: Frame, after: Frame, complete: bool) -> Ended[P, S]:
        """The level is done: find the next one."""
        places = board.reading.places.values()
        known = self.window.layout.next
        drawn = first, after if complete else before
        pressed, shown = False, after
        if (complete or self.seen.covered(board, drawn, after)) and known.kind in ("click", "key"):
            shown = self._await_control(board, known, before, after, complete)
            pressed = not self._is_other(known, shown)
        if pressed:
            self._say_done(shown, first, before, not complete or self.seen.covered(board, drawn, shown))
            self.press_next(known, shown)
            found, gone = self._await_other(board, shown, limits.PRESS_LIMIT, drawn)
            at = _at(known.place, shown.size) if known.place else None
            if found:
                self._nowhere = 0
                return "won", self._further(board, drawn, found, at, beside=True) or found, True
            found = self._past(board, drawn, shown, at)
            if found:
                return "won", found, True
            lit_up = at and not self.seen.on_board(board, at) and lit(before.image, shown.image, at, places)
            now = self.window.still(limits.MOVE_LIMIT) if gone else shown
            if gone and (self.seen.levels_listed(now) or another(shown, now, None)):
                self.left = board, drawn
                return "won" if lit_up or self.seen.levels_listed() else "played", None, True
            if not gone:
                found = self._pressed_late(board, drawn, known, shown)
                if found or lit_up:  # it lit up for the win: where it leads nowhere, this was the last level
                    return "won", found, found is not None
            self._nowhere += 1
            if self._nowhere > 1:  # it may have been learned in another window of that title
                self._learn(NextTable())
        self.window.say("next", "waiting for the next level")
        lighting = None if known.kind == "auto" else (first, before)
        found, gone = self._await_other(board, after if complete else None, limits.FLASH_LIMIT, drawn, lighting)
        if found and self.more and self.window.same_level(found, board):
            ways = self._instead_of_again(found)
            for at in ways:
                other = self._entered(board, drawn, at)
                if other is not None:
                    return "won", other, True
            if ways:
                return "played", None, True  # what stands there now is looked at anew
        if found:
            self._nowhere = 0
            if not pressed:  # else it may have been late, for joy
                if known.kind != "auto":
                    self._learn(NextTable(kind="auto"))
                self._by_itself = True
            return "won", found, True
        now = self.window.still(limits.MOVE_LIMIT)
        if complete and not pressed and self.seen.partly_undone(board, first, after, now):
            raise FailedError(
                "the last move was taken back after a while: the window does not take this for solved", now
            )
        now = self._interludes.counted_down(now) if gone and not self.seen.levels_listed(now) else now
        scene = self.seen.scene(board, drawn, now) if gone else []
        covered = gone or self.seen.covered(board, drawn, now)
        self._say_done(now, first, before, covered)
        if gone and self.seen.levels_listed(now):
            self.left = board, drawn
            return "won", None, True
        outs = self._interludes.at_first(board, drawn, self._met, now) if covered else []
        if outs and not self._interludes.was_pressed(outs[0], now):
            self._click(outs[0], now)
            found, gone = self._await_other(board, now, limits.PRESS_LIMIT, drawn)
            found = found or self._past(board, drawn, now, outs[0], ended=False)
            if found:
                return "won", found, True
            pressed_in, now = now, self.window.still(limits.MOVE_LIMIT)
            covered = self.seen.covered(board, drawn, now)
            gone = not covered and not self.window.progress(board, now).complete
            if not gone and not covered and another(pressed_in, now, None):
                # What had lain over the level is put away, and only now the level's own end may be shown.
                return self._go_on(board, first, before, now, complete=True)
            if gone or another(pressed_in, now, None):
                self.left = board, drawn
                return "played", None, gone
        if gone and not scene:  # the next level does not look like one yet; the next turn says why, if it never does
            return "played", None, True
        if not complete and not covered and not self.window.progress(board, now).complete:
            raise FailedError(f"after the last move {standing(self.window.progress(board, now))}", now)
        named = self.window.layout.name != Layout(game=self.window.layout.game).name
        if known.kind == "auto" and (named or self._by_itself):  # else remembered for a title that many games may have
            # Levels come by themselves here: where none comes this was the last one, and there is nothing to press.
            return "played", None, False
        points = scene
        if covered and not gone:
            points = self.seen.boxes_first(board, drawn, now, controls_on_cover(drawn[1].image, now.image, places))
        lighting_up = not points
        points = points or self.seen.boxes_first(
            board, (first, before), now, self.seen.changed_controls(board, first, before, now)
        )
        points = [at for at in points if not self._led_back(at) and not self._plays(board, at)]
        points = [at for at in points if not self._interludes.was_pressed(at, now)]
        points = self._interludes.known_first(points, now)
        if lighting_up and self._listed is not None:
            further = self._press_entry(board, drawn, self._listed, now)
            if further is not None:
                return "won", further, True
        for at in points[: limits.MOST_CONTROLS]:
            if not lighting_up:
                # Looking for controls takes a while. What covered the board may have gone by itself meanwhile, and a
                # press would be one on the next level.
                looked_at, now = now, self.window.still(limits.MOVE_LIMIT)
                if lit(looked_at.image, now.image, at, places):
                    found, gone = self._await_other(board, None, limits.PRESS_LIMIT, drawn)
                    if found:
                        return "won", found, True
                    continue
            way = self._click(at, now)
            found, gone = self._await_other(board, now, limits.PRESS_LIMIT, drawn)
            if found and self.window.same_level(found, board):  # it may be the way to begin anew
                return "won", self._further(board, drawn, found, at, beside=lighting_up) or found, True
            if found:
                self._looked = at, _around(now, at, places)
                self._learn(way)
                return "won", found, True
            listed = self.seen.levels_listed()
            if lighting_up and not gone and not listed:  # the level that is shown was chosen once more
                further = self._press_entry(board, drawn, at, self.window.still(limits.MOVE_LIMIT))
                if further is not None:
                    return "won", further, True
            if not listed:
                found = self._past(board, drawn, now, at)
                if found is not None:
                    return "won", found, True
                pressed_in, now = now, self.window.still(limits.MOVE_LIMIT)
                if another(pressed_in, now, None):  # what was to be pressed is not there any more
                    listed = self.seen.levels_listed(now)
                    covered = self.seen.covered(board, drawn, now)
                    left = self.window.progress(board, now)
                    gone = not covered and not left.complete
                    if gone and left.present and not listed:  # pressed on the board itself, or to begin anew
                        return self._taken_back(board, at, now) or ("played", None, False)
                    if listed or gone:
                        self.left = board, drawn
                        return "won" if lighting_up or listed else "played", None, True
                    if covered or not lighting_up:  # else all stands there but for how the pressed one looks
                        break
            if listed or (gone and not scene):
                self.left = board, drawn
                return "won" if lighting_up or listed else "played", None, True
        by_keys = self.window.layout.controls == "keys"
        tried = self._try_keys(board, drawn, NEXT_KEYS if by_keys else NEXT_KEYS[:1])
        tried = tried or self._press_beside(board, drawn)
        if tried is None and not by_keys:  # a page would scroll for it, so it comes last
            tried = self._try_keys(board, drawn, NEXT_KEYS[1:])
        if tried is None and by_keys and self.more:  # only now, for it may undo what was done
            tried = self._try_keys(board, drawn, NEXT_KEYS, playing=True)
        return tried or ("played", None, bool(scene))

    def _past(
        self,
        board: Sight[P, S],
        drawn: tuple[Frame, Frame],
        now: Frame,
        at: Point | None,
        *,
        ended: bool = True,
    ) -> Sight[P, S] | None:
        """The level after what came between, where a press at ``at`` in ``now`` (None: of a key) brought such a thing.
        Where it is the same level begun anew, what brought it is not pressed again."""
        found = self._interludes.past(board, drawn, now, at, ended=ended)
        if found is not None and self.window.same_level(found, board):
            self._leads_back.extend(at for _, at in self._interludes.pressed[-1:])
        elif found is not None:
            self._interludes.learn()
        return found

    def _is_other(self, known: NextTable, now: Frame) -> bool:
        """Whether something else stands in ``now`` where the known control was, as it looked when it was found: what
        is pressed there then may be anything."""
        if known.place is None or self._looked is None or self._looked[0] != _at(known.place, now.size):
            return False
        before = self._looked[1]
        part = _around(now, self._looked[0], (), before.shape)
        return part.shape == before.shape and float(differing(before, part).mean()) > OTHER

    def _pressed_late(
        self, board: Sight[P, S], drawn: tuple[Frame, Frame], known: NextTable, pressed: Frame
    ) -> Sight[P, S] | None:
        """The level that the known way brings when it is gone once more: a key may have been pressed too soon, and what
        lit up in ``pressed``, before the first press, may have been joy that flew by where the control was to come.
        None where it brings none, or nothing has come since where the control is."""
        now = self.window.still(limits.MOVE_LIMIT, quiet=limits.PATIENT)
        if not self.window.progress(board, now).complete:
            return None
        if known.place is not None:
            at = _at(known.place, now.size)
            if self.seen.on_board(board, at) or not lit(pressed.image, now.image, at, board.reading.places.values()):
                return None
        self.press_next(known, now)
        found, _ = self._await_other(board, now, limits.PRESS_LIMIT, drawn)
        return found

    def _press_beside(self, board: Sight[P, S], drawn: tuple[Frame, Frame]) -> Ended[P, S] | None:
        """Where a level is done and nothing in the window has changed for it, press what stood beside the board all
        along, if a further level is wanted: many want to be told ("Done"), or begin the next level by such a control.
        Without the person's leave to press anything, only what is likeliest to lead on. None where that brings none."""
        if not (self._menus or self.more):
            return None
        now = self.window.still(limits.MOVE_LIMIT)
        if not self.window.progress(board, now).complete or self.seen.covered(board, drawn, now):
            return None
        if not self.seen.remains(board, drawn, now) and moved_on(drawn[1].image, now.image, None):
            return None  # it only seems to be seen on a screen of another kind
        places = board.reading.places.values()
        beside = [box.centre for box in self._beside(now, places, likely=not self._menus)]
        self.spared = not self._menus and len(self._beside(now, places)) > len(beside)
        for at in [at for at in beside if not self._led_back(at)][: limits.MOST_CONTROLS]:
            before = now
            way = self._click(at, now)
            found, gone = self._await_other(board, now, limits.FLASH_LIMIT, drawn)
            now = self.window.still(limits.MOVE_LIMIT)
            if found is None:
                answers = controls_on_cover(before.image, now.image, places)
                found = self._answered(board, drawn, self.seen.boxes_first(board, (before, before), now, answers), now)
            elif not self.window.same_level(found, board):
                self._learn(way)
            if found is not None:
                if self.window.same_level(found, board):
                    self._leads_back.append(at)
                return "won", found, True
            if gone:  # to a menu, or to a list of levels
                self.left = board, drawn
                return "played", None, True
            if not self.window.progress(board, now).complete:
                return self._taken_back(board, at, now)
        return None

    def _plays(self, board: Sight[P, S], at: Point) -> bool:
        """Whether a move has pressed a control beside the board there."""
        return not self.seen.on_board(board, at) and self._close_to(at, self.window.clicked)

    def _beside(self, frame: Frame, places: Collection[Box], *, likely: bool = False) -> list[Box]:
        """The controls beside the board, but for those by which it is played."""
        return controls_beside(frame.image, places, likely=likely, played=self.window.clicked)

    def _taken_back(self, board: Sight[P, S], at: Point, now: Frame) -> Ended[P, S] | None:
        """After a press at ``at`` some of what was played is gone, or the board is: the level is played once more where
        it is seen as it was, and that control is left alone from then on."""
        self._leads_back.append(at)
        again = self.window.read(now)
        if not isinstance(again, Sight) or not self.window.same_level(again, board):
            return None
        return "won", again, True

    def _answered(
        self, board: Sight[P, S], drawn: tuple[Frame, Frame], points: Sequence[Point], now: Frame
    ) -> Sight[P, S] | None:
        """The level that a press at one of the first of ``points`` in ``now`` brings; None where none does."""
        for at in points[: limits.MOST_CONTROLS]:
            self._click(at, now)
            found, _ = self._await_other(board, now, limits.PRESS_LIMIT, drawn)
            if found is not None:
                return found
            now = self.window.still(limits.MOVE_LIMIT)
        return None

    def _instead_of_again(self, again: Sight[P, S]) -> list[Point]:
        """Where a level that was won began anew by itself, what may be pressed for another one, and was not in vain
        before: the next entry in a list beside the board, or a control there. Where there is none, or all were, there
        is but one level."""
        places, image = again.reading.places.values(), again.frame.image
        entry = entry_after_marked([each for each in controls(image) if not stands_at(each, [*places])])
        points = [box.centre for box in self._beside(again.frame, places, likely=True)] if entry is None else [entry]
        return [at for at in points if not self._led_back(at)][: limits.MOST_CONTROLS]

    def _entered(self, board: Sight[P, S], drawn: tuple[Frame, Frame], at: Point) -> Sight[P, S] | None:
        """The level other than ``board`` that a press at ``at`` brings; where it brings none it is not made again."""
        now = self.window.still(limits.MOVE_LIMIT)
        self._click(at, now)
        found, _ = self._await_other(board, now, limits.PRESS_LIMIT, drawn)
        if found is not None and not self.window.same_level(found, board):
            return found
        self._leads_back.append(at)
        return None

    def _click(self, at: Point, now: Frame) -> NextTable:
        """Press the control at ``at`` of ``now``; returns the way that this is."""
        way = NextTable(kind="click", place=(at[0] / now.size[0], at[1] / now.size[1]))
        self.press_next(way, now)
        return way

    def _further(
        self, board: Sight[P, S], drawn: tuple[Frame, Frame], found: Sight[P, S], at: Point | None, *, beside: bool
    ) -> Sight[P, S] | None:
        """After a press at ``at`` (None: of a key) brought ``found``. Where that is the level which was just won, begun
        anew, the press is not made again; where it was one ``beside`` the board, on a list of levels, the next entry is
        pressed. Returns the level that this brought; None where it brought none, or ``found`` is another level."""
        if not self.window.same_level(found, board) or at is None:
            return None
        if self.window.layout.next.kind == "click":
            self._learn(NextTable())
        self._leads_back.append(at)
        return self._press_entry(board, drawn, at, found.frame) if beside else None

    def _press_entry(self, board: Sight[P, S], drawn: tuple[Frame, Frame], at: Point, now: Frame) -> Sight[P, S] | None:
        """Press what comes after the entry at ``at``, in a list of levels that stands beside the board in ``now``.
        Returns the level that this brought; None where there is no such list, or it brought none."""
        after = entry_after(now.image, at)
        if after is None or self.seen.on_board(board, after):
            return None
        self._click(after, now)
        found, _ = self._await_other(board, now, limits.PRESS_LIMIT, drawn)
        if found is None or self.window.same_level(found, board):
            return None
        self._listed = after
        return found

    def _led_back(self, at: Point) -> bool:
        return self._close_to(at, self._leads_back)

    def _close_to(self, at: Point, points: Collection[Point]) -> bool:
        reach = SAME_SPOT * min(self.window.last.size) if self.window.last is not None else 0.0
        return any(max(abs(at[0] - x), abs(at[1] - y)) <= reach for x, y in points)

    def _try_keys(
        self, board: Sight[P, S], drawn: tuple[Frame, Frame], keys: Sequence[str], *, playing: bool = False
    ) -> Ended[P, S] | None:
        """Try ``keys`` for going on, but for those that play: they would undo what was done; or those alone
        (``playing``). In a window that is played by the mouse, only where a further level is wanted. None where none
        leads on."""
        layout = self.window.layout
        if layout.controls != "keys" and not self.more:
            return None
        play = set(layout.keys.model_dump().values()) if layout.controls == "keys" else set()
        if play and len(layout.keys.bridge) == 1:  # letters build there, one for each way
            play |= {key for key in keys if len(key) == 1}
        for key in (key for key in keys if (key in play) == playing):
            now = self.window.still(limits.MOVE_LIMIT)
            way = NextTable(kind="key", key=key)
            self.press_next(way, now)
            found, gone = self._await_other(board, now, limits.PRESS_LIMIT, drawn)
            if found:
                if not self.window.same_level(found, board):
                    self._learn(way)
                return "won", found, True
            if gone:
                self.left = board, drawn
                return "played", None, True
            if playing:
                self._undo(board, way)
        return None

    def _undo(self, board: Sight[P, S], way: NextTable) -> None:
        """A key that plays did not lead on: where it has changed the board, press it until all is as it was, for what
        it does goes around, once for each row at most."""
        for _ in range(max(map(max, board.reading.places))):
            now = self.window.still(limits.MOVE_LIMIT)
            seen = self.window.progress(board, now)
            if seen.complete or not seen.present:
                return
            self.press_next(way, now)

    def listed_instead(self, board: Sight[P, S], first: Frame, before: Frame, now: Frame) -> bool:
        """Whether ``now`` shows a list of levels in place of ``board``, whose pictures at its beginning and last are
        ``first`` and ``before``."""
        if not self.seen.levels_listed(now):
            return False
        self.left = board, (first, before)
        return True

    def is_end(self, now: Frame) -> bool:
        """Whether ``now``, in which no level is seen, is what a control has led to: a scene of congratulation, or a
        list of which no level is left."""
        return self.left is not None and (self.seen.levels_listed(now) or bool(self.seen.scene(*self.left, now)))

    def _await_control(
        self, board: Sight[P, S], known: NextTable, before: Frame, after: Frame, complete: bool
    ) -> Frame:
        """Wait until the known control shows itself: some appear only a while after the win, and until then a press
        on their place would be a press on something else. A window whose control never changes is not waited for
        long. Returns the last picture."""
        if known.place is None:
            return after
        at = _at(known.place, after.size)
        # On the board, drawing changed the picture there too: only what comes after that is the control.
        unlit = after if complete and self.seen.on_board(board, at) else before
        deadline = self.window.screen.now() + limits.LIT_LIMIT
        frame = after
        while not lit(unlit.image, frame.image, at, board.reading.places.values()):
            left = deadline - self.window.screen.now()
            if left <= 0 or frame.size != after.size:
                break
            # A dialog that still moves hears nothing.
            frame = self.window.still(left, unlike=frame, quiet=limits.PATIENT)
        return frame

    def _await_other(
        self,
        board: Sight[P, S],
        since: Frame | None,
        limit: float,
        drawn: tuple[Frame, Frame],
        lighting: tuple[Frame, Frame] | None = None,
    ) -> tuple[Sight[P, S] | None, bool]:
        """Wait until another level can be read (or the same one, begun anew). ``drawn``: the level's beginning, and
        the last picture before anything could cover it. Where ``lighting`` gives the pictures of
        the level's beginning and of before the last move, the wait is short if a control has lit up since, or a box
        covers the board, and the picture is still. Returns the level, and whether the old board is gone."""
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
            if over is not None and self.window.over(board.reading.places.values()) is not None:
                frame, over = self.window.uncovered(board.reading.places.values(), done=True), None
                deadline = max(deadline, self.window.screen.now() + limits.LIT_LIMIT)
            if unlike is None or not same_picture(frame, unlike):
                self._look_for_sign(frame)
                progress = self.window.progress(board, frame)
                covered = self.seen.covered(board, drawn, frame, progress)
                found = None if progress.complete or covered else self.window.read(frame)
                nothing = isinstance(found, Unread) and found.refused and not found.places
                # What was drawn on the board may seem to be met again on a screen that shows none.
                gone = not covered and (not progress.present or (nothing and 2 * progress.done <= progress.total))
                if gone and self._met is None:
                    self._met = frame
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
                first, before = lighting
                if covered or self.seen.changed_controls(board, first, before, frame):
                    return None, False
                lighting = None

    def press_next(self, way: NextTable, frame: Frame) -> None:
        gesture: Gesture
        if way.kind == "key" and way.key is not None:
            gesture, text = Keys((way.key,)), f"pressing {way.key} for the next level"
        else:
            at = _at(way.place or (0.5, 0.5), frame.size)
            gesture, text = Click(at), f"pressing the control at {at} for the next level"
        self.window.say("next", text, frame)
        places = [Box(*gesture.at, 1, 1)] if isinstance(gesture, Click) else []
        while True:
            try:
                # Once a level a slow press costs nothing, and a lost one costs the whole wait for the next level.
                self.window.perform(
                    Move("next level", (gesture,)), frame, replace(self.window.pacing.pace, press=limits.CONTROL_PRESS)
                )
                self.window.park(frame, ())
            except INTERRUPTIONS as fault:
                if self.window.clear(places, fault).size == frame.size:
                    continue
            return  # pressed; or in a window of another size, and who knows where it is there

    def _say_done(self, frame: Frame, first: Frame, before: Frame, covered: bool) -> None:
        self._look_for_sign(frame)
        self.window.say("done", "nothing is left to do", frame, first=first, before=before, covered=covered)


def _hasty(found: Sight[P, S], board: Sight[P, S]) -> bool:
    """Whether ``found`` is so much smaller than ``board`` that it may be what stands beside a level that still comes
    (dots that count the levels), and is looked at once more."""
    few, many = (len(sight.reading.places) for sight in (found, board))
    return few <= limits.FEW_CELLS and 2 * few <= many


def _around(frame: Frame, at: Point, places: Collection[Box], shape: tuple[int, ...] | None = None) -> Image:
    """What stands around ``at`` in ``frame``: within half a cell, or in a part of that ``shape``."""
    if shape is None:
        side = 2 * (max(max(box.width, box.height) for box in places) // 2)
        shape = (side, side)
    high, wide = shape[:2]
    return Box(at[0] - wide // 2, at[1] - high // 2, wide, high).crop(frame.image).copy()


def _at(place: tuple[float, float], size: tuple[int, int]) -> Point:
    """The point of a window of ``size`` (width, height) that the fractions ``place`` mean."""
    return min(round(place[0] * size[0]), size[0] - 1), min(round(place[1] * size[1]), size[1] - 1)
