"""The session: one game, one screen, one layout, level after level. Every decision depends only on frames and on the
screen's own clock, so a session runs from a recording as it runs live."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic

from autoplayer.core.errors import AutoplayerError, InterruptError, StoppedError, UnreadableError
from autoplayer.core.frame import Frame
from autoplayer.games.base import Game, Move, P, S, same_level
from autoplayer.layout import Layout, NextTable, PaceTable
from autoplayer.screen.base import Screen
from autoplayer.screen.guard import CoveredError
from autoplayer.session import limits, piloted
from autoplayer.session.ending import OtherBoardError
from autoplayer.session.events import Event, Kind, LevelResult, Listener, Sight, Status
from autoplayer.session.next_level.entrance import Entrance
from autoplayer.session.next_level.onward import Onward
from autoplayer.session.playing import Playing
from autoplayer.session.window import FailedError, GameWindow, signs_of

OF_A_LEVEL = ("level", "read", "done")
"""Events whose sentences begin with the level's number."""


STANDS_DONE = "the level that was played stands there still, with nothing left to do"
FIRST_AGAIN = "the first one came again, so all of them have been played"
"""Why there is no further level."""


NO_CHANCE, MOST_FIRST = 9, 8
"""The least number of symbols in successive restarted levels that cannot repeat by chance; and how many of a session's
first levels are remembered for that comparison."""


LOST = ": the window does not take this one for won, red came beside the board or went, like words or a life"
HINT = "; with --menus whatever stands beside the board is pressed, too"


class Session(Generic[P, S]):
    """Plays ``game`` on ``screen``. ``listeners`` receive every :class:`Event`; ``remember`` is called with the layout
    whenever something was learned about the window. ``layout`` is what is known now; ``stop`` the error that ended the
    session, ``ended`` a sentence where it ended without one. A window in which the layout's anchors are not found is
    not played. Raises NotFoundError or LayoutError where a picture that the layout needs cannot be used."""

    def __init__(
        self,
        game: Game[P, S],
        screen: Screen,
        layout: Layout,
        *,
        listeners: Sequence[Listener] = (),
        remember: Callable[[Layout], object] | None = None,
        solve_limit: float = 30.0,
        stuck_after: float = limits.STUCK_AFTER,
        menus: bool = False,
        fitting: Callable[[Frame], Layout | None] | None = None,
    ) -> None:
        """``solve_limit``: seconds for solving a level; ``stuck_after``: seconds without progress in a level after
        which it is given up; ``menus``: whether controls may be pressed before the first level, on a title screen or in
        a list of levels, and, where nothing else leads on from a level, those that stood beside its board all along;
        ``fitting``: gives the layout that fits a picture, where ``layout`` is the default one."""
        self.window = GameWindow(game, screen, layout, self._say, solve_limit)
        self.number = 0
        """The number of the present level, from 1."""
        self.stop: AutoplayerError | None = None
        self.ended: str | None = None
        self.window.fitting = fitting
        self._instead = ""
        """What the window shows instead of a further level."""
        self._onward = Onward(self.window, self._learn, menus=menus)
        self._entrance = Entrance(self.window)
        self._menus = menus
        self._listeners = listeners
        self._remember = remember
        self._kept = layout
        self._stuck_after = stuck_after
        self._done: Sight[P, S] | None = None
        """The last level that was finished, as it was read before anything was drawn."""
        self._opening: list[P] = []
        """The first levels that were finished, some of them, with no equal ones in succession."""
        self._all = False
        """Whether all levels of the window are to be played, not a requested number of them."""
        self._repeated = 0
        """How many of these have been seen again in succession."""
        self._unfinished: Sight[P, S] | None = None
        """The level in which the person stopped the bot, as it was read before anything was drawn."""

    @property
    def game(self) -> Game[P, S]:
        return self.window.game

    @property
    def screen(self) -> Screen:
        return self.window.screen

    @property
    def layout(self) -> Layout:
        return self.window.layout

    @layout.setter
    def layout(self, layout: Layout) -> None:
        self.window.layout = layout

    def play(self, levels: int | None = None) -> Iterator[LevelResult]:
        """Play up to ``levels`` levels, or until the person stops it or no next level comes; yields one result a
        level."""
        flyer = piloted.pilot(self.game, self.screen, self.layout, lambda text: self._say("steered", text))
        if flyer is not None:
            means = piloted.Means(
                self._say,
                self._learn,
                self._onward.presses.press,
                self.window.uncovered,
                self.enter if self._menus else None,
            )
            yield from piloted.levels(self, means, flyer, levels)
            return
        self._all = levels is None
        board: Sight[P, S] | None = None
        before: LevelResult | None = None
        while levels is None or self.number < levels:
            self.number += 1
            self._onward.more = levels is None or self.number < levels
            result, board, goes_on = self._level(board)
            if result is None:
                self.number -= 1
                self.ended = f"after level {self.number} no next level came: {self._instead}"
                return
            self._say("result", result.error or f"level {self.number}: {result.status}", result.frame, result=result)
            yield result
            if result.status in ("failed", "stopped"):
                return
            more = levels is None or self.number < levels
            if more and (refused := self._refused(before, result)):
                self.ended = f"after level {self.number} it was played no further: {refused}"
                return
            before = result
            if not goes_on:
                if more:
                    why = LOST if self._onward.lost else HINT if self._onward.spared else ""
                    self.ended = f"after level {self.number} no next level came{why}"
                return

    def _refused(self, before: LevelResult | None, now: LevelResult) -> str:
        """Why it does not go on, after two results of levels that do not count as won; empty where it does."""
        if before is None or before.status != "played" or now.status != "played":
            return ""
        if before.puzzle == now.puzzle:
            return (
                "the window put the same level up again each time that it was done, so it does not take it for solved,"
                " or it has no other"
            )
        if self._onward.lives_lost > 1:
            return "after each of the last two levels something red beside the board was gone, like a lost life"
        return ""

    def _level(self, board: Sight[P, S] | None) -> tuple[LevelResult | None, Sight[P, S] | None, bool]:
        """Play one level. Returns its result, the next level's board if it was seen, and whether to go on. No result:
        there was no further level, and ``_instead`` says what the window shows."""
        began = self.screen.now()
        self.window.gestures = 0
        after: Sight[P, S] | None = None
        goes_on = False
        error: str | None = None
        frame: Frame | None = None
        played = 0.0
        status: Status
        try:
            self._say("level", "looking for the board")
            came = board
            board = board or self._again() or self._find()
            self._instead = self._no_further(board, looked_for=came is None)
            if self._instead:
                return None, None, False
            self._onward.presses.left = None
            self._say_read(board)
            played = self.screen.now()
            changes, clean = 0, True
            while True:
                playing = Playing(self.window, self._onward, self._learn, board, self._stuck_after)
                try:
                    status, after, goes_on = playing.play()
                    break
                except OtherBoardError as other:
                    changes += 1
                    if changes > limits.MOST_CHANGES:
                        raise FailedError(
                            f"the level was changed {changes} times while it was played", other.sight.frame
                        ) from None
                    board = other.sight
                    self._say_read(board)
                finally:
                    clean = clean and playing.clean
            if clean and self.window.gestures:
                self.window.pacing = self.window.pacing.after_clean_level()
            self._learn()
            self._note_done(board)
        except FailedError as fault:
            if board is None and fault.frame and self._onward.is_end(fault.frame):
                self._instead = "the control led to a picture without a board"
                return None, None, False
            status, error, frame = "failed", str(fault), fault.frame
        except AutoplayerError as fault:
            status, error, self.stop = "stopped", str(fault), fault
            self._unfinished = board
            if not isinstance(fault, StoppedError) or isinstance(fault, CoveredError):
                frame = self.window.last
        except KeyboardInterrupt:
            self.stop = InterruptError("stopped by Ctrl-C")
            status, error = "stopped", str(self.stop)
            self._unfinished = board
        now = self.screen.now()
        seconds = {"play": now - played if played else 0.0, "total": now - began}
        return self._result(status, board, seconds, error, frame), after, goes_on

    def _result(
        self,
        status: Status,
        board: Sight[P, S] | None,
        seconds: Mapping[str, float],
        error: str | None,
        frame: Frame | None,
    ) -> LevelResult:
        """The result of the level that was played, as far as its ``board`` was seen."""
        return LevelResult(
            self.number,
            status,
            self.game.format(board.settled.puzzle) if board else None,
            self.game.solution_to_json(board.solution) if board else None,
            self.window.gestures,
            {
                "read": board.read_seconds if board else 0.0,
                "solve": board.solve_seconds if board else 0.0,
                **seconds,
            },
            error,
            frame,
        )

    def _no_further(self, board: Sight[P, S], *, looked_for: bool) -> str:
        """What ``board`` is instead of a further level, in a phrase; empty where it is one. ``looked_for``: it did not
        come by itself after the last level."""
        if looked_for and self._stands_done(board):
            return STANDS_DONE
        return FIRST_AGAIN if self._around_again(board) else ""

    def _stands_done(self, board: Sight[P, S]) -> bool:
        """Whether ``board`` is the last level as play left it: something that covered it was closed."""
        done = self._done
        if done is None or not self.window.same_level(board, done):
            return False
        same_size = done.frame.size == board.frame.size
        return any(
            self.window.progress(each, board.frame).complete for each in ([board, done] if same_size else [board])
        )

    def _note_done(self, board: Sight[P, S]) -> None:
        """Remember the finished level."""
        self._done = board
        if len(self._opening) < MOST_FIRST and not (self._opening and self._same(self._opening[-1], board)):
            self._opening.append(board.settled.puzzle)

    def _around_again(self, board: Sight[P, S]) -> bool:
        """Whether all levels were to be played, and ``board`` is the first one again, as after "play again" at the end.
        With small levels two or three must repeat: a random one may occur twice."""
        if not self._all or len(self._opening) < 2:
            return False
        again = self._repeated < len(self._opening) and self._same(self._opening[self._repeated], board)
        self._repeated = self._repeated + 1 if again else int(self._same(self._opening[0], board))
        signs = sum(len(signs_of(self.game.format(puzzle))) for puzzle in self._opening[: self._repeated])
        return signs >= NO_CHANCE

    def _same(self, puzzle: P, board: Sight[P, S]) -> bool:
        return same_level(self.game, puzzle, board.settled.puzzle)

    def _find(self) -> Sight[P, S]:
        """The level that the window shows, or that can be reached from what it shows. Until the first one has proven
        that this is the game, nothing is pressed without permission: it may be any other program."""
        if self.number == 1 and not self._menus:
            return self._first()
        return self._enter(everything=self.number == 1)

    def _enter(self, *, everything: bool) -> Sight[P, S]:
        """The level that the window shows, or that presses lead to: with ``everything`` on any screen."""
        self._entrance.begin(everything=everything)
        found = self.window.find(knock=self._entrance.knock, ended=self._onward.is_end)
        self._entrance.arrived()
        self._onward.seen.lists = self._entrance.lists
        return found

    def _first(self) -> Sight[P, S]:
        """The level that the window shows; nothing is pressed."""
        try:
            return self.window.find()
        except FailedError as fault:
            if fault.frame is None or not self._entrance.leads_on(fault.frame):
                raise
            hint = "if this is a title screen or a list of levels, open a level, or try again with --menus"
            raise FailedError(f"{fault}; {hint}", fault.frame) from fault

    def _again(self) -> Sight[P, S] | None:
        """The level in which the person stopped the bot, if the window still shows it. What has been drawn since is
        recognised by comparison with the reading from before."""
        board, self._unfinished = self._unfinished, None
        if board is None:
            return None
        frame = self.window.still(limits.MOVE_LIMIT)
        same = frame.size == board.frame.size and self.window.progress(board, frame).present
        return replace(board, frame=frame) if same else None

    def look(self) -> Sight[P, S]:
        """The level that the window shows now, once it can be read. Moves nothing, not even the pointer. Raises
        UnreadableError with the reason where there is none."""
        try:
            return self.window.find(park=False)
        except FailedError as fault:
            raise UnreadableError(str(fault)) from None

    def enter(self) -> None:
        """Press what leads to the first level, on a title screen or in a list of levels; nothing where one is visible.
        Raises UnreadableError with the reason where none comes."""
        try:
            self._enter(everything=True)
        except FailedError as fault:
            raise UnreadableError(str(fault)) from None

    def first_moves(self, sight: Sight[P, S]) -> Sequence[Move]:
        """The first moves that would be made in ``sight``."""
        return self.window.moves(sight, self.window.progress(sight, sight.frame))

    def _learn(
        self, way: NextTable | None = None, controls: str | None = None, keys: Mapping[str, str] | None = None
    ) -> None:
        """Store in the layout what was found out: the pace, the way to the next level, the controls and the keys."""
        pace = self.window.pacing.pace
        learned = self.layout.model_copy(
            update={
                "pace": PaceTable(press=round(pace.press, 4), step=round(pace.step, 4), release=round(pace.release, 4)),
                "slowest_lost": self.window.pacing.slowest_lost,
                "next": way or self.layout.next,
                "controls": controls or self.layout.controls,
                "keys": self.layout.keys.model_copy(update=keys or {}),
            }
        )
        self.layout = learned
        if learned != self._kept:
            self._kept = learned
            if self._remember:
                self._remember(learned)

    def _say_read(self, board: Sight[P, S]) -> None:
        changed = board.settled.changed
        how = f"; the rules settled {len(changed)} cell{'s' * (len(changed) != 1)}" if changed else ""
        self._say(
            "read",
            f"read and solved{how}",
            board.frame,
            reading=board.reading,
            settled=board.settled,
            solution=board.solution,
        )

    def _say(
        self,
        kind: Kind,
        text: str,
        frame: Frame | None = None,
        **data: Any,
    ) -> None:
        if kind in OF_A_LEVEL:
            text = f"level {self.number}: {text}"
        event = Event(kind, self.number, text, self.screen.now(), frame, data)
        for listener in self._listeners:
            listener(event)
