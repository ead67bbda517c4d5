"""What happens after a level's last move: whether it was won, and the way to the next level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from autoplayer.core.frame import Frame, Point, around
from autoplayer.games.base import P, S
from autoplayer.layout import Layout, NextTable
from autoplayer.session import limits
from autoplayer.session.ending import Ended, Ending, ResizedError
from autoplayer.session.events import standing
from autoplayer.session.looking.controls import lit
from autoplayer.session.looking.dialogs import controls_on_cover
from autoplayer.session.looking.refusals import red_gone
from autoplayer.session.next_level.aftermath import Aftermath
from autoplayer.session.next_level.arrivals import Arrivals
from autoplayer.session.next_level.entries import Entries
from autoplayer.session.next_level.guesses import Guesses
from autoplayer.session.next_level.interludes import Interludes, another
from autoplayer.session.next_level.known_way import KnownWay
from autoplayer.session.next_level.presses import Presses
from autoplayer.session.next_level.scrolling import Scrolling
from autoplayer.session.window import FailedError, GameWindow


@dataclass(frozen=True)
class _Scene:
    """What the window shows, in ``now``, where no further level has come. ``gone``: whether the old board is gone;
    ``covered``: whether it is gone or covered; ``points``: the controls of a screen that replaced it."""

    now: Frame
    gone: bool
    covered: bool
    points: Sequence[Point]


class Onward(Generic[P, S]):
    """Goes from a finished level to the next one, in ``window``. ``learn`` is told the way once it is known. ``more``:
    whether a further level is wanted after this one; ``lost``: whether the window has shown that it does not take the
    last one for won; ``lives_lost``: how many levels in a row have cost something red beside the board (a life)."""

    def __init__(self, window: GameWindow[P, S], learn: Callable[[NextTable], None], *, menus: bool = False) -> None:
        """``menus``: whether any control may be pressed that stood beside the board all along, even after the last
        level that is wanted."""
        self.window = window
        self.seen = Aftermath(window)
        self.presses = Presses(self.seen)
        self.more = self.lost = False
        self.lives_lost = 0
        self._arrivals = Arrivals(self.seen)
        self._interludes = Interludes(self.seen, self._arrivals, self.presses)
        self._entries = Entries(self.seen, self._arrivals, self.presses, learn)
        self._scrolling = Scrolling(self._arrivals, self.presses)
        self._known = KnownWay(
            self.seen, self._arrivals, self.presses, self._interludes, self._entries, self._scrolling, learn
        )
        self._guesses = Guesses(self.seen, self._arrivals, self.presses, self._known, self._scrolling, menus=menus)
        self._learn = learn
        self._menus = menus
        self._by_itself = False
        """Whether a level has come by itself in this session."""

    @property
    def spared(self) -> bool:
        """Whether a control beside the board that may lead on was not pressed for lack of permission."""
        return self._guesses.spared

    def finish(self, end: Ending[P, S]) -> Ended[P, S]:
        """The last move has been made: determine how the level ended, and go to the next one."""
        self._interludes.begin()
        self._arrivals.begin(end)
        while True:
            try:
                status, found, goes_on = self._go_on(end)
                break
            except ResizedError as resized:  # comparisons so far do not apply to the new picture
                now = resized.sight.frame
                end = Ending(resized.sight, now, now, now, complete=True)
        lost = False
        if found is not None:
            both = around([*end.places, *found.reading.places.values()], end.side // 8)
            lost = red_gone(end.first.image, found.frame.image, both, end.side)
        self.lives_lost = self.lives_lost + 1 if lost else 0
        self.lost = lost or self._arrivals.refused
        if self.lost or (found is not None and self.window.same_level(found, end.board)):
            status = "played"  # it may have been refused, or reset by a press
        return ("won" if self._arrivals.won else status), found, goes_on

    def listed_instead(self, end: Ending[P, S]) -> bool:
        """Whether a list of levels has replaced the board after the last move."""
        if not self.seen.levels_listed(end.after):
            return False
        self.presses.led_away(end)
        return True

    def is_end(self, now: Frame) -> bool:
        """Whether ``now``, which shows no level, is a screen to which a control has led: congratulations, or a list
        without a further level."""
        left = self.presses.left
        return left is not None and (self.seen.levels_listed(now) or bool(self.seen.scene(*left, now)))

    def _go_on(self, end: Ending[P, S]) -> Ended[P, S]:
        """Find the next level: first by the known way, then by waiting for one that comes by itself, then by pressing
        what has appeared, and last by pressing what may lead on for lack of anything else."""
        known = self._known.located(self.window.layout.next, end.after)
        shown = self._known.shown(end, known)
        ended = None if shown is None else self._known.take(end, known, shown)
        if ended is not None:
            return ended
        ended, gone = self._come_by_itself(end, known, pressed=shown is not None)
        if ended is not None:
            return ended
        scene = self._scene(end, gone, pressed=shown is not None)
        if gone and self.seen.levels_listed(scene.now):
            self.presses.led_away(end)
            return "won", None, True
        ended, scene = self._past_what_came_first(end, scene)
        if ended is not None:
            return ended
        if (
            scene.gone and not scene.points
        ):  # the next level cannot be recognised yet; the next turn says why, if it never can
            return "played", None, True
        if not end.complete and not scene.covered:
            progress = self.window.progress(end.board, scene.now)
            if not progress.complete:
                raise FailedError(f"after the last move {standing(progress)}", scene.now)
        named = self.window.layout.name != Layout(game=self.window.layout.game).name
        if known.kind == "auto" and (named or self._by_itself):  # else of a title that many games share
            # Levels come by themselves here: where none comes this was the last one, and there is nothing to press.
            return "won" if scene.covered and self._covers_still(end) else "played", None, False
        ended = self._press_what_came(end, scene)
        if ended is None and shown is not None and self._known.proven and not self._menus:
            # The control that has led on from level to level no longer does: this was the last one, and other controls
            # beside the board mean something else, such as a restart.
            return "played", None, False
        if ended is None and self.more:
            ended = self._entries.after_highlighted(end) or self._entries.in_drop_down(end, menus=self._menus)
        ended = ended or self._guesses.lead_on(end, more=self.more)
        if ended is None and scene.covered and not scene.gone and self._covers_still(end):
            return "won", None, False
        return ended or ("played", None, bool(scene.points))

    def _covers_still(self, end: Ending[P, S]) -> bool:
        """Whether a dialog that came over the board after the last move stays whatever is pressed: it says that this
        was the last level. One that refuses the level can be closed, or the player could not correct it."""
        return self.seen.covers(end.board, end.drawn[1], self.window.still(limits.MOVE_LIMIT))

    def _come_by_itself(self, end: Ending[P, S], known: NextTable, *, pressed: bool) -> tuple[Ended[P, S] | None, bool]:
        """Wait for a level that comes by itself. ``pressed``: whether the known way was tried without success. Returns
        how the level ended (None where no level comes), and whether the old board is gone."""
        self.window.say("next", "waiting for the next level")
        since = end.after if end.complete else None
        found, gone = self._arrivals.wait(end, since, limits.FLASH_LIMIT, lighting=known.kind != "auto")
        if found is None:
            return None, gone
        if self.more and self.window.same_level(found, end.board):
            ended = self._entries.instead_of_again(end, found)
            if ended is not None:
                return ended, True
        self._known.nowhere = 0
        if not pressed:  # otherwise it may have been delayed by a celebration
            if known.kind != "auto":
                self._learn(NextTable(kind="auto"))
            self._by_itself = True
        return ("won", found, True), True

    def _scene(self, end: Ending[P, S], gone: bool, *, pressed: bool) -> _Scene:
        """What the window shows once nothing has come by itself. Raises FailedError where it has taken back the last
        move."""
        now = self.window.still(limits.MOVE_LIMIT)
        if end.complete and not pressed and self.seen.partly_undone(end.board, end.first, end.after, now):
            raise FailedError(
                "the last move was taken back after a while: the window does not take this for solved", now
            )
        now = self._interludes.counted_down(end, now) if gone and not self.seen.levels_listed(now) else now
        points = self.seen.scene(end.board, end.drawn, now) if gone else []
        covered = gone or self.seen.covered(end.board, end.drawn, now)
        covered = covered or self.seen.darkened(end.board, end.before, now)
        self._arrivals.say_done(end, now, covered)
        return _Scene(now, gone, covered, points)

    def _past_what_came_first(self, end: Ending[P, S], scene: _Scene) -> tuple[Ended[P, S] | None, _Scene]:
        """Where a request for a rating or an advertisement has come before the level's own end, get past it. Returns
        how the level ended (None where that is not known yet), and what the window then shows."""
        outs = self._interludes.at_first(end, scene.now, gone=scene.gone) if scene.covered else []
        if not outs or self._interludes.was_pressed(outs[0], scene.now):
            return None, scene
        self.presses.click(outs[0], scene.now)
        found, _ = self._arrivals.wait(end, scene.now, limits.PRESS_LIMIT)
        if found is not None and self.window.same_level(found, end.board):
            self.presses.leads_back.append(outs[0])  # it did not lead past anything
        found = found or self._interludes.past(end, scene.now, outs[0], ended=False)
        if found:
            return ("won", found, True), scene
        now = self.window.still(limits.MOVE_LIMIT)
        gone, covered = self._stands(end, now)
        other = another(scene.now, now, None)
        if other and not gone and not covered:
            # What had covered the level is closed, and only now the level's own end may appear.
            return self._go_on(replace(end, after=now, complete=True)), scene
        if other or gone:
            self.presses.led_away(end)
            return ("played", None, gone), scene
        return None, replace(scene, now=now, gone=gone, covered=covered)

    def _stands(self, end: Ending[P, S], now: Frame) -> tuple[bool, bool]:
        """Whether the old board is gone in ``now``, and whether something covers it."""
        covered = self.seen.covered(end.board, end.drawn, now)
        return not covered and not self.window.progress(end.board, now).complete, covered

    def _press_what_came(self, end: Ending[P, S], scene: _Scene) -> Ended[P, S] | None:
        """Press what has appeared since the level was finished: the controls of a screen, or on what covers the board,
        or what has lit up beside it. None where none of that leads on."""
        points = scene.points
        if scene.covered and not scene.gone:
            on_cover = controls_on_cover(end.drawn[1].image, scene.now.image, end.places)
            points = self.seen.boxes_first(end.board, end.drawn, scene.now, on_cover)
        lighting_up = not points
        if lighting_up:
            changed = self.seen.changed_controls(end.board, end.first, end.before, scene.now)
            points = self.seen.boxes_first(end.board, (end.first, end.before), scene.now, changed)
        points = [at for at in points if not self._interludes.was_pressed(at, scene.now)]
        points = self.presses.worth(end.board, points, scene.now)
        points = self._interludes.known_first(points, scene.now)
        if lighting_up and self._entries.last is not None:
            further = self._entries.press_after(end, self._entries.last, scene.now)
            if further is not None:
                return "won", further, True
        return self._press_in_turn(end, scene, points[: limits.MOST_CONTROLS], lighting_up)

    def _press_in_turn(
        self, end: Ending[P, S], scene: _Scene, points: Sequence[Point], lighting_up: bool
    ) -> Ended[P, S] | None:
        """Press ``points``, which ``scene`` shows, until one leads on. ``lighting_up``: whether they have lit up beside
        the board, which is still visible. None where none leads on."""
        now = scene.now
        for at in points:
            if not lighting_up:
                # Looking for controls takes a while. What covered the board may have vanished by itself meanwhile, and
                # a press would hit the next level.
                looked_at, now = now, self.window.still(limits.MOVE_LIMIT)
                if lit(looked_at.image, now.image, at, end.places):
                    found, _ = self._arrivals.wait(end, None, limits.PRESS_LIMIT)
                    if found:
                        return "won", found, True
                    continue
            way = self.presses.click(at, now)
            found, gone = self._scrolling.wait(end, now)
            if found and self.window.same_level(found, end.board):  # it may be the control that restarts the level
                return "won", self._entries.further(end, found, at, beside=lighting_up), True
            if found:
                self._known.found(way, at, now, end.places)
                return "won", found, True
            listed = self.seen.levels_listed()
            away = listed or (gone and not scene.points)
            if lighting_up and not gone and not listed:  # the level that is shown was chosen again
                found = self._entries.press_after(end, at, self.window.still(limits.MOVE_LIMIT))
            if not found and not listed:
                found = self._interludes.past(end, now, at)
            if found:
                return "won", found, True
            if not listed:
                pressed_in, now = now, self.window.still(limits.MOVE_LIMIT)
                if another(pressed_in, now, None):  # the controls to be pressed are no longer there
                    listed = self.seen.levels_listed(now)
                    gone, covered = self._stands(end, now)
                    if gone and not listed and self.window.progress(end.board, now).present:
                        # Pressed on the board itself, or on a restart.
                        self._guesses.taken_back(end.board, at, now)
                        return "played", None, False
                    away = listed or gone
                    if not away and (covered or not lighting_up):
                        break  # otherwise nothing has changed except the pressed control
            if away:
                self.presses.led_away(end)
                return "won" if lighting_up or listed else "played", None, True
        return None
