"""The session: one game, one screen, one layout, level after level. Every decision rests on a frame and on the screen's
own clock, so a session runs from a recording as it runs live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Generic, NoReturn

from autoplayer.core.errors import AutoplayerError, StoppedError, UnreadableError
from autoplayer.core.frame import Frame
from autoplayer.games.base import Game, Move, P, Progress, S
from autoplayer.layout import Layout, NextTable, PaceTable
from autoplayer.screen.base import Screen
from autoplayer.screen.guard import CoveredError
from autoplayer.session import limits, piloted
from autoplayer.session.events import Event, Kind, LevelResult, Listener, Sight, Status, standing
from autoplayer.session.onward import Onward
from autoplayer.session.pace import Pacing
from autoplayer.session.window import INTERRUPTIONS, FailedError, GameWindow

OF_A_LEVEL = ("level", "read", "done")
"""Events whose sentences begin with the level's number."""


class _OtherLevelError(Exception):
    """Somebody else put up another level before this one was done."""

    def __init__(self, sight: Sight[Any, Any]) -> None:
        super().__init__()
        self.sight = sight


class Session(Generic[P, S]):
    """Plays ``game`` on ``screen``. ``listeners`` hear every :class:`Event`; ``remember`` is given the layout whenever
    something was learned about the window. ``layout`` is what is known now; ``stop`` the error that ended the session,
    ``ended`` a sentence where it ended without one. A window in which the layout's anchors are not seen is not played.
    Raises NotFoundError or LayoutError where a picture that the layout remembers cannot be used."""

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
    ) -> None:
        """``solve_limit``: seconds for solving a level; ``stuck_after``: seconds without progress in a level after
        which it is given up."""
        self.window = GameWindow(game, screen, layout, self._say, solve_limit)
        self.number = 0
        """Of the level that is played, from 1."""
        self.stop: AutoplayerError | None = None
        self.ended: str | None = None
        self._onward = Onward(self.window, self._learn)
        self._listeners = listeners
        self._remember = remember
        self._kept = layout
        self._stuck_after = stuck_after
        self._progressed = 0.0
        """When the level last came further."""
        self._lateness = 0.0
        """Seconds by which the window was seen to answer late."""
        self._in_vain: Counter[str] = Counter()
        """Long waits that brought nothing, for a window that is late and for one that moves."""
        self._clean = True
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
        """Play up to ``levels`` levels, or until the person stops it or no next level comes; one result a level."""
        flyer = piloted.pilot(self.game, self.screen, self.layout, lambda text: self._say("steered", text))
        if flyer is not None:
            means = piloted.Means(self._say, self._learn, self._onward.press_next, self.window.uncovered)
            yield from piloted.levels(self, means, flyer, levels)
            return
        board: Sight[P, S] | None = None
        while levels is None or self.number < levels:
            self.number += 1
            result, board, goes_on = self._level(board)
            if result is None:
                self.number -= 1
                self.ended = (
                    f"after level {self.number} no next level came: the control led to a picture without a board"
                )
                return
            self._say("result", result.error or f"level {self.number}: {result.status}", result.frame, result=result)
            yield result
            if result.status in ("failed", "stopped"):
                return
            if not goes_on:
                if levels is None or self.number < levels:
                    self.ended = f"after level {self.number} no next level came"
                return

    def _level(self, board: Sight[P, S] | None) -> tuple[LevelResult | None, Sight[P, S] | None, bool]:
        """Play one level. Returns its result, the next level's board where it was met, and whether to go on. No result:
        there was no level, but an end screen."""
        began = self.screen.now()
        self.window.gestures = 0
        self._clean = True
        after: Sight[P, S] | None = None
        goes_on = False
        error: str | None = None
        frame: Frame | None = None
        played = 0.0
        status: Status
        try:
            self._say("level", "looking for the board")
            if board is None:
                board = self._again() or self.window.find()
            self._onward.left = None
            self._say_read(board)
            played = self.screen.now()
            changes = 0
            while True:
                try:
                    status, after, goes_on = self._play(board)
                    break
                except _OtherLevelError as other:
                    changes += 1
                    if changes > limits.MOST_CHANGES:
                        raise FailedError(
                            f"the level was changed {changes} times while it was played", other.sight.frame
                        ) from None
                    board = other.sight
                    self._say_read(board)
            if self._clean and self.window.gestures:
                self.window.pacing = self.window.pacing.after_clean_level()
            self._learn()
        except FailedError as fault:
            if (
                board is None
                and self._onward.left
                and fault.frame
                and self._onward.scene(*self._onward.left, fault.frame)
            ):
                return None, None, False
            status, error, frame = "failed", str(fault), fault.frame
        except AutoplayerError as fault:
            status, error, self.stop = "stopped", str(fault), fault
            self._unfinished = board
            if not isinstance(fault, StoppedError) or isinstance(fault, CoveredError):
                frame = self.window.last
        except KeyboardInterrupt:
            self.stop = StoppedError("stopped by Ctrl-C")
            status, error = "stopped", str(self.stop)
            self._unfinished = board
        now = self.screen.now()
        seconds = {
            "read": board.read_seconds if board else 0.0,
            "solve": board.solve_seconds if board else 0.0,
            "play": now - played if played else 0.0,
            "total": now - began,
        }
        return (
            LevelResult(
                self.number,
                status,
                self.game.format(board.settled.puzzle) if board else None,
                self.game.solution_to_json(board.solution) if board else None,
                self.window.gestures,
                seconds,
                error,
                frame,
            ),
            after,
            goes_on,
        )

    def _again(self) -> Sight[P, S] | None:
        """The level in which the person stopped the bot, where the window still shows it. What is drawn there by now is
        told from what was there by the reading from before."""
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

    def first_moves(self, sight: Sight[P, S]) -> Sequence[Move]:
        """What would be done about ``sight``."""
        return self._moves(sight, self.window.progress(sight, sight.frame))

    def _play(self, board: Sight[P, S]) -> tuple[Status, Sight[P, S] | None, bool]:
        """From a board that was read to the level's end."""
        first = previous = before = board.frame
        progress = self.window.progress(board, before)
        self._progressed = self.screen.now()
        tried: Counter[str] = Counter()  # without any effect, by what is to be done
        fruitless: Counter[str] = Counter()  # without the board ever having come further, by what was done
        best = progress.done - progress.wrong
        final = False  # whether the last move of a plan has been made
        tidied = 0
        while True:
            if self.screen.now() - self._progressed > self._stuck_after:
                raise FailedError(
                    f"nothing came further for {self._stuck_after:g} seconds: {standing(progress)}", before
                )
            moves = self._moves(board, progress)
            if progress.complete:  # what is left to do now is to tidy up after moves that went astray
                if not moves or tidied == limits.MOST_TIDYINGS:
                    break
                tidied += 1
                frame = self.window.still(limits.MOVE_LIMIT, quiet=limits.PATIENT)  # the win may be celebrated
                seen = self.window.progress(board, frame)
                if not seen.complete:
                    break
                progress, previous, before = seen, before, frame
                moves = self._moves(board, progress)
            if not moves:
                raise FailedError(f"{standing(progress)}, but no move is left that would help", before)
            aim = moves[0].name
            attempt = tried[aim]
            if attempt:
                moves = self._moves(board, progress, attempt)
            if not moves:
                if progress.complete:
                    break
                raise FailedError(f"nothing that was tried had any effect, and {standing(progress)}", before)
            move = moves[0]
            if fruitless[move.name] > limits.MOST_REPAIRS:
                raise FailedError(_stuck(move, fruitless[move.name], progress), before)
            fruitless[move.name] += 1
            final = len(moves) == 1
            try:
                self.window.perform(move, before, self.window.pacing.for_attempt(attempt))
            except INTERRUPTIONS as fault:  # nothing was pressed at a wrong place
                fruitless[move.name] -= 1
                old = board
                try:
                    board, before = self._resume(board, fault)
                except _OtherLevelError as changed:
                    if final:  # it was stopped after what counted
                        return "won", changed.sight, True
                    raise
                if board is not old:
                    first = board.frame
                previous, progress = before, self.window.progress(board, before)
                continue
            try:
                self.window.park(before, board.reading.places.values())
            except INTERRUPTIONS as fault:
                self.window.clear(board.reading.places.values(), fault)
            frame, seen = self._look(board, before, move, progress)
            self._say("moved", standing(seen), frame, progress=seen, move=move)
            if not seen.present:
                now = self.window.read(frame)
                if not isinstance(now, Sight) or (final and not self.window.same_level(now, board)):
                    if final and frame.size == board.frame.size:  # the win is being shown, or the next level comes
                        return self._onward.finish(board, first, before, frame, complete=False)
                    now = self.window.find()
                if not self.window.same_level(now, board):
                    self._other_level(now, board)
                if final and frame.size == board.frame.size and self.window.is_fresh(now, board):
                    return "won", now, True  # the window shows the same level again, from its beginning
                # The window was resized, or shows its board elsewhere.
                board = now
                first = previous = before = now.frame
                progress = self.window.progress(board, before)
                continue
            arrived = self._arrived(board, move, progress, seen)
            gained = seen.done > progress.done or seen.wrong < progress.wrong
            trial = move.controls is not None and move.controls != self.layout.controls
            if trial and gained:
                if self.layout.controls != "unknown":  # what is known of the pace is known of other controls
                    self.window.pacing = Pacing(PaceTable().pace())
                self._learn(controls=move.controls)
            if gained or not trial:  # what the window does not understand says nothing about its pace
                if not arrived:
                    self._clean = False
                self.window.pacing = self.window.pacing.after_move(len(move.cells), lost=not arrived, gained=gained)
            met = all(other.name != aim for other in self._moves(board, seen))
            tried[aim] = 0 if gained or met else attempt + 1
            if seen.done - seen.wrong > best:
                best = seen.done - seen.wrong
                self._progressed = self.screen.now()
                tried.clear()
                fruitless.clear()
            elif seen.done == 0 and progress.done > 0:
                other = self.window.read(frame)  # everything is gone: perhaps this is another level
                if isinstance(other, Sight):
                    same = self.window.same_level(other, board)
                    if final and (not same or self.window.is_fresh(other, board)):
                        return "won", other, True
                    if not same:
                        self._other_level(other, board)
            progress, previous, before = seen, before, frame
        return self._onward.finish(board, first, previous, before, complete=True)

    def _same_again(self, board: Sight[P, S]) -> Sight[P, S]:
        """The same level, read anew: the window has another size, or shows its board elsewhere."""
        now = self.window.find()
        if not self.window.same_level(now, board):
            self._other_level(now, board)
        return now

    def _other_level(self, now: Sight[P, S], board: Sight[P, S]) -> NoReturn:
        """Another level stands there than the one that is being played. It is played instead where it looks like a
        level that was put up, and not like the old one misread."""
        if self.window.is_fresh(now, board) or self.window.is_begun(now, board):
            raise _OtherLevelError(now)
        raise FailedError("another level appeared before this one was done", now.frame)

    def _resume(self, board: Sight[P, S], fault: AutoplayerError) -> tuple[Sight[P, S], Frame]:
        """The board, and its picture, when the game can be played on: read anew where it is not as it was."""
        frame = self.window.clear(board.reading.places.values(), fault)
        if frame.size == board.frame.size and self.window.progress(board, frame).present:
            return board, frame
        board = self._same_again(board)
        return board, board.frame

    def _moves(self, board: Sight[P, S], progress: Progress, attempt: int = 0) -> Sequence[Move]:
        puzzle, solution = board.settled.puzzle, board.solution
        return self.game.plan(board.reading, puzzle, solution, progress, self.layout, attempt)

    def _look(self, board: Sight[P, S], before: Frame, move: Move, progress: Progress) -> tuple[Frame, Progress]:
        """What stands there after a move: at once where it has arrived, and patiently before it is called lost."""
        limit = max(limits.MOVE_LIMIT, 1.5 * self._lateness)
        places = board.reading.places.values()
        frame = self.window.uncovered(places, self.window.still(limit, unlike=before, quiet=limits.QUICK))
        seen = self.window.progress(board, frame)
        if seen.present and self._arrived(board, move, progress, seen):
            return frame, seen
        # What was drawn step by step, and shows late, comes step by step.
        quiet = max(limits.PATIENT, 1.5 * self.window.pacing.pace.step)
        if seen.present and (seen.done, seen.wrong) == (progress.done, progress.wrong):
            # Nothing has happened: the window may lose moves, or be late.
            why, patience, unlike = "late", limits.LATE_LIMIT, before
        else:
            why, patience, unlike = "moving", limits.MOTION_LIMIT, None
        if self._in_vain[why] >= limits.IN_VAIN:
            patience, unlike = limit + quiet, None
        asked = self.screen.now()
        frame = self.window.uncovered(places, self.window.still(patience, unlike=unlike, quiet=quiet))
        seen = self.window.progress(board, frame)
        waited = self.screen.now() - asked
        if waited >= patience:
            self._in_vain[why] += 1
        elif why == "late" and (seen.done, seen.wrong) != (progress.done, progress.wrong):
            self._in_vain[why] = 0
            self._lateness = max(self._lateness, min(limit + waited, limits.LATE_LIMIT))
        return frame, seen

    def _arrived(self, board: Sight[P, S], move: Move, before: Progress, now: Progress) -> bool:
        """Whether a move did what it was made for: the plan has gone on to other moves."""
        if now.complete or (now.done - before.done >= len(move.cells) and now.wrong <= before.wrong):
            return True
        return all(other.name != move.name for other in self._moves(board, now))

    def _learn(self, way: NextTable | None = None, controls: str | None = None) -> None:
        """Keep the pace, and the way to the next level and the controls where they were found, for this layout."""
        pace = self.window.pacing.pace
        learned = self.layout.model_copy(
            update={
                "pace": PaceTable(press=round(pace.press, 4), step=round(pace.step, 4), release=round(pace.release, 4)),
                "slowest_lost": self.window.pacing.slowest_lost,
                "next": way or self.layout.next,
                "controls": controls or self.layout.controls,
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


def _stuck(move: Move, tries: int, progress: Progress) -> str:
    cells = ", ".join(str(cell) for cell in move.cells[:6]) + (" …" if len(move.cells) > 6 else "")
    return (
        f"'{move.name}' was tried {tries} times and brought nothing: "
        f"expected {cells} to change, and {standing(progress)}"
    )
