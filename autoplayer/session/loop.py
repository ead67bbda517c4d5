"""The session: one game, one screen, one layout, level after level. Every decision rests on a frame and on the screen's
own clock, so a session runs from a recording as it runs live."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NoReturn

import numpy as np

from autoplayer.core.errors import AutoplayerError, NotFoundError, StoppedError, UnreadableError
from autoplayer.core.frame import Box, Frame, Json, Point
from autoplayer.core.gestures import Click, Gesture, Keys, Pace
from autoplayer.games.base import Game, Move, P, Progress, Reading, S, same_level
from autoplayer.layout import Layout, NextTable, PaceTable
from autoplayer.screen.base import Screen, lies_over
from autoplayer.screen.guard import ChangedError, CoveredError, RefusedError
from autoplayer.screen.pulse import LateError
from autoplayer.screen.windows import AwayError
from autoplayer.session import piloted
from autoplayer.session.controls import between, controls_on_cover, controls_that_changed, lit, old_board_remains
from autoplayer.session.marks import complaint, marks
from autoplayer.session.pace import Pacing
from autoplayer.settle import Settled, settle

Kind = Literal["level", "read", "move", "moved", "done", "next", "wait", "steered", "result"]
Status = Literal["won", "played", "failed", "stopped"]

MOST_REPAIRS = 3
"""How often one move is repeated without bringing the board any further, before the person gets it back."""

MOST_TIDYINGS = 2
"""How often a board that is done is tidied up."""

READ_LIMIT = 8.0
"""Seconds to wait for a readable board, beside the time that reading takes: longer than a title fades or a hint moves
away."""

MOVE_LIMIT = 1.0
"""Seconds to wait for a move to show; a window that draws later than this is not followed by eye either, and is met
with more patience from then on."""

LATE_LIMIT = 4.0
"""Seconds to wait, where nothing at all has happened, before a move is called lost: a window may answer late."""

MOTION_LIMIT = 10.0
"""Seconds to wait for a picture that is still moving: what is done again meanwhile would be done twice."""

IN_VAIN = 2
"""Long waits that may bring nothing: then this window loses moves, or is never still, and is waited for shortly."""

AWAY_LIMIT = 30.0
"""Seconds to wait for a window that is hidden, covered, half outside the screen, or that hangs."""

REOPEN_LIMIT = 5.0
"""Seconds to wait for a window that is gone to be opened again."""

STUCK_AFTER = 120.0
"""Seconds without progress after which the person gets the game back: longer than the slowest gesture takes."""

MOST_CHANGES = 3
"""How often the level may be changed by somebody else while it is played."""

RIM = 0.3
"""Of a cell at the board's rim, how far something may reach over it: what is drawn there is seen all the same."""

INTERRUPTIONS = (ChangedError, CoveredError, LateError, NotFoundError, RefusedError)
"""What may keep a gesture from being made, and pass."""

QUICK, PATIENT = 0.05, 0.25
"""Seconds of stillness: after a move that seems to have arrived, and before one is said to have been lost. An
animation may rest for a frame or two, never for a quarter of a second."""

FLASH_LIMIT = 6.0
"""Seconds that a win may be celebrated until the next level shows by itself."""

LIT_LIMIT = 1.5
"""Seconds to wait for that where a control lit up and the picture is still: then the control is tried."""

PRESS_LIMIT = 3.0
"""Seconds from pressing a control to the next level."""

CONTROL_PRESS = 0.2
"""Seconds that a control is held: one web build wants 0.15."""

MOST_CONTROLS = 3
"""How many controls that changed are tried."""

MOST_ON_SCENE = 8
"""How many separate things a scene of congratulation shows: words, stars, a button or two. A board has more."""


@dataclass(frozen=True)
class LevelResult:
    """What became of one level. ``seconds``: ``read``, ``solve``, ``play``, ``total``. ``frame``: the last picture of
    a level that ended otherwise than by being played or by the person's wish; None where there was none. ``note``: what
    happened on the way, in words; None where there is nothing to be said."""

    level: int
    status: Status
    puzzle: str | None
    solution: Json
    gestures: int
    seconds: Mapping[str, float]
    error: str | None = None
    frame: Frame | None = field(default=None, repr=False, compare=False)
    note: str | None = None

    def to_json(self) -> dict[str, Json]:
        return {
            "level": self.level,
            "status": self.status,
            "puzzle": self.puzzle,
            "solution": self.solution,
            "gestures": self.gestures,
            "seconds": {name: round(value, 4) for name, value in self.seconds.items()},
            "error": self.error,
            **({"note": self.note} if self.note else {}),
        }


@dataclass(frozen=True)
class Event:
    """Something happened. ``kind``: ``level`` (a level begins), ``read`` (frame, reading, settled), ``move`` (before
    it: frame, move, pace), ``moved`` (after it: frame, progress), ``done`` (the level is done and its picture still:
    frame; first, before: the frames of its beginning and of before the last move; covered: whether something lies over
    the board), ``next`` (how the next level is looked for), ``wait`` (something keeps it from playing on that may
    pass), ``steered`` (what a pilot does), ``result`` (result). ``text`` says it in a sentence."""

    kind: Kind
    level: int
    text: str
    time: float
    frame: Frame | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


Listener = Callable[[Event], object]


@dataclass(frozen=True)
class Sight(Generic[P, S]):
    """A level as it was seen: the frame, what it says, and how long reading and solving took."""

    frame: Frame
    reading: Reading[P]
    settled: Settled[P, S]
    solution: S
    read_seconds: float
    solve_seconds: float


class _FailedError(Exception):
    """A level cannot be played on; the message goes to the person."""

    def __init__(self, message: str, frame: Frame | None = None) -> None:
        super().__init__(message)
        self.frame = frame


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
        stuck_after: float = STUCK_AFTER,
    ) -> None:
        """``solve_limit``: seconds for solving a level; ``stuck_after``: seconds without progress in a level after
        which it is given up."""
        self.game = game
        self.screen = screen
        self.layout = self._kept = layout
        self.stop: AutoplayerError | None = None
        self.ended: str | None = None
        self._listeners = listeners
        self._remember = remember
        self._solve_limit = solve_limit
        self._marks = marks(layout)
        self._pacing = Pacing(layout.pace.pace(), layout.slowest_lost)
        self._spot: tuple[Point, tuple[int, int]] | None = None
        self._stuck_after = stuck_after
        self._progressed = 0.0
        """When the level last came further."""
        self._interrupted: float | None = None
        """Since when no gesture could be made."""
        self._last: Frame | None = None
        self._lateness = 0.0
        """Seconds by which the window was seen to answer late."""
        self._in_vain: Counter[str] = Counter()
        """Long waits that brought nothing, for a window that is late and for one that moves."""
        self.number = 0
        """Of the level that is played, from 1."""
        self._gestures = 0
        self._clean = True
        self._unwon: Frame | None = None
        self._sign_seen = False
        self._unfinished: Sight[P, S] | None = None
        """The level in which the person stopped the bot, as it was read before anything was drawn."""
        self._left: tuple[Sight[P, S], tuple[Frame, Frame]] | None = None
        """The level that a control led away from, and its pictures: at its beginning, and drawn."""

    def play(self, levels: int | None = None) -> Iterator[LevelResult]:
        """Play up to ``levels`` levels, or until the person stops it or no next level comes; one result a level."""
        flyer = piloted.pilot(self.game, self.screen, self.layout, lambda text: self._say("steered", text))
        if flyer is not None:
            means = piloted.Means(self._say, self._learn, self._press_next, self._uncovered)
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

    # --- one level ---------------------------------------------------------------------------------------------------

    def _level(self, board: Sight[P, S] | None) -> tuple[LevelResult | None, Sight[P, S] | None, bool]:
        """Play one level. Returns its result, the next level's board where it was met, and whether to go on. No result:
        there was no level, but an end screen."""
        began = self.screen.now()
        self._gestures = 0
        self._clean = True
        after: Sight[P, S] | None = None
        goes_on = False
        error: str | None = None
        frame: Frame | None = None
        played = 0.0
        status: Status
        try:
            self._say("level", f"level {self.number}: looking for the board")
            if board is None:
                board = self._again() or self._find()
            self._left = None
            self._say_read(board)
            played = self.screen.now()
            changes = 0
            while True:
                try:
                    status, after, goes_on = self._play(board)
                    break
                except _OtherLevelError as other:
                    changes += 1
                    if changes > MOST_CHANGES:
                        raise _FailedError(
                            f"the level was changed {changes} times while it was played", other.sight.frame
                        ) from None
                    board = other.sight
                    self._say_read(board)
            if self._clean and self._gestures:
                self._pacing = self._pacing.after_clean_level()
            self._learn()
        except _FailedError as fault:
            if board is None and self._left and fault.frame and self._scene(*self._left, fault.frame):
                return None, None, False
            status, error, frame = "failed", str(fault), fault.frame
        except AutoplayerError as fault:
            status, error, self.stop = "stopped", str(fault), fault
            self._unfinished = board
            if not isinstance(fault, StoppedError) or isinstance(fault, CoveredError):
                frame = self._last
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
                self._gestures,
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
        frame = self._still(MOVE_LIMIT)
        same = frame.size == board.frame.size and self._progress(board, frame).present
        return replace(board, frame=frame) if same else None

    def look(self) -> Sight[P, S]:
        """The level that the window shows now, once it can be read. Moves nothing, not even the pointer. Raises
        UnreadableError with the reason where there is none."""
        try:
            return self._find(park=False)
        except _FailedError as fault:
            raise UnreadableError(str(fault)) from None

    def first_moves(self, sight: Sight[P, S]) -> Sequence[Move]:
        """What would be done about ``sight``."""
        return self._moves(sight, self._progress(sight, sight.frame))

    def _find(self, park: bool = True) -> Sight[P, S]:
        """Wait for a board that can be read and settled, and over which nothing lies. Nothing is pressed."""
        if park:
            self._park_somewhere()
        began = self.screen.now()
        deadline = began + READ_LIMIT
        unlike: Frame | None = None
        over: str | None = None
        reason = f"no {self.game.title} level could be read: nothing was seen"
        while True:
            left = max(deadline - self.screen.now(), 0.1)
            frame = self._still(left if over is None else min(left, MOVE_LIMIT), unlike=unlike)
            if unlike is None or over is not None or not _same(frame, unlike):
                over = lies_over(self.screen, [_whole(frame)])
                found = self._read(frame)
                if isinstance(found, Sight) and self._shows_all(found, over):
                    return found
                if over is not None:
                    deadline = began + AWAY_LIMIT
                    self._say("wait", f"{over} lies over the game's window")
                    if isinstance(found, Sight):
                        found = f"{over} lies over the board"
                else:
                    deadline += max(self.screen.now() - frame.time, 0.0)
                stale = complaint(self.layout, self._marks, frame.image)
                reason = stale or f"no {self.game.title} level could be read: {found}"
            unlike = frame
            if self.screen.now() >= deadline:
                raise _FailedError(reason, frame)

    def _read(self, frame: Frame) -> Sight[P, S] | str:
        """The level in ``frame``, ready to be played; or why there is none."""
        begin = time.perf_counter()
        stale = complaint(self.layout, self._marks, frame.image)
        if stale:
            return stale
        try:
            reading = self.game.read(frame.image, self.layout)
        except UnreadableError as error:
            return str(error)
        read = time.perf_counter()
        settled = settle(self.game, reading, time_limit=self._solve_limit)
        if not settled.playable or settled.solution is None:
            return settled.reason
        faults = self.game.check(settled.puzzle, settled.solution)
        if faults:  # never seen; but nothing moves on an unchecked answer
            return f"the solver's answer is wrong: {faults[0]}"
        done = time.perf_counter()
        return Sight(frame, reading, settled, settled.solution, read - begin, done - read)

    def _play(self, board: Sight[P, S]) -> tuple[Status, Sight[P, S] | None, bool]:
        """From a board that was read to the level's end."""
        first = previous = before = board.frame
        progress = self._progress(board, before)
        self._progressed = self.screen.now()
        tried: Counter[str] = Counter()  # without any effect, by what is to be done
        fruitless: Counter[str] = Counter()  # without the board ever having come further, by what was done
        best = progress.done - progress.wrong
        final = False  # whether the last move of a plan has been made
        tidied = 0
        while True:
            if self.screen.now() - self._progressed > self._stuck_after:
                raise _FailedError(
                    f"nothing came further for {self._stuck_after:g} seconds: {_standing(progress)}", before
                )
            moves = self._moves(board, progress)
            if progress.complete:  # what is left to do now is to tidy up after moves that went astray
                if not moves or tidied == MOST_TIDYINGS:
                    break
                tidied += 1
                frame = self._still(MOVE_LIMIT, quiet=PATIENT)  # the win may be celebrated
                seen = self._progress(board, frame)
                if not seen.complete:
                    break
                progress, previous, before = seen, before, frame
                moves = self._moves(board, progress)
            if not moves:
                raise _FailedError(f"{_standing(progress)}, but no move is left that would help", before)
            aim = moves[0].name
            attempt = tried[aim]
            if attempt:
                moves = self._moves(board, progress, attempt)
            if not moves:
                if progress.complete:
                    break
                raise _FailedError(f"nothing that was tried had any effect, and {_standing(progress)}", before)
            move = moves[0]
            if fruitless[move.name] > MOST_REPAIRS:
                raise _FailedError(_stuck(move, fruitless[move.name], progress), before)
            fruitless[move.name] += 1
            final = len(moves) == 1
            try:
                self._perform(move, before, self._pacing.for_attempt(attempt))
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
                previous, progress = before, self._progress(board, before)
                continue
            try:
                self._park(before, board.reading.places.values())
            except INTERRUPTIONS as fault:
                self._clear(board.reading.places.values(), fault)
            frame, seen = self._look(board, before, move, progress)
            self._say("moved", _standing(seen), frame, progress=seen, move=move)
            if not seen.present:
                now = self._read(frame)
                if not isinstance(now, Sight) or (final and not self._same_level(now, board)):
                    if final and frame.size == board.frame.size:  # the win is being shown, or the next level comes
                        return self._finish(board, first, before, frame, complete=False)
                    now = self._find()
                if not self._same_level(now, board):
                    self._other_level(now, board)
                if final and frame.size == board.frame.size and self._is_fresh(now, board):
                    return "won", now, True  # the window shows the same level again, from its beginning
                # The window was resized, or shows its board elsewhere.
                board = now
                first = previous = before = now.frame
                progress = self._progress(board, before)
                continue
            arrived = self._arrived(board, move, progress, seen)
            gained = seen.done > progress.done or seen.wrong < progress.wrong
            trial = move.controls is not None and move.controls != self.layout.controls
            if trial and gained:
                if self.layout.controls != "unknown":  # what is known of the pace is known of other controls
                    self._pacing = Pacing(PaceTable().pace())
                self._learn(controls=move.controls)
            if gained or not trial:  # what the window does not understand says nothing about its pace
                if not arrived:
                    self._clean = False
                self._pacing = self._pacing.after_move(len(move.cells), lost=not arrived, gained=gained)
            met = all(other.name != aim for other in self._moves(board, seen))
            tried[aim] = 0 if gained or met else attempt + 1
            if seen.done - seen.wrong > best:
                best = seen.done - seen.wrong
                self._progressed = self.screen.now()
                tried.clear()
                fruitless.clear()
            elif seen.done == 0 and progress.done > 0:
                other = self._read(frame)  # everything is gone: perhaps this is another level
                if isinstance(other, Sight):
                    same = self._same_level(other, board)
                    if final and (not same or self._is_fresh(other, board)):
                        return "won", other, True
                    if not same:
                        self._other_level(other, board)
            progress, previous, before = seen, before, frame
        return self._finish(board, first, previous, before, complete=True)

    def _same_again(self, board: Sight[P, S]) -> Sight[P, S]:
        """The same level, read anew: the window has another size, or shows its board elsewhere."""
        now = self._find()
        if not self._same_level(now, board):
            self._other_level(now, board)
        return now

    def _other_level(self, now: Sight[P, S], board: Sight[P, S]) -> NoReturn:
        """Another level stands there than the one that is being played. It is played instead where it looks like a
        level that was put up, and not like the old one misread."""
        if self._is_fresh(now, board) or self._is_begun(now, board):
            raise _OtherLevelError(now)
        raise _FailedError("another level appeared before this one was done", now.frame)

    # --- what may come between ---------------------------------------------------------------------------------------

    def _still(self, limit: float, *, unlike: Frame | None = None, quiet: float | None = None) -> Frame:
        """As ``Screen.still``, with more patience for a window that is not to be seen."""
        how = {} if quiet is None else {"quiet": quiet}
        since: float | None = None
        while True:
            try:
                self._last = self.screen.still(limit, unlike=unlike, **how)
                return self._last
            except NotFoundError as fault:
                now = self.screen.now()
                if since is None:
                    since = now - limit
                    self._say("wait", str(fault))
                if now - since >= (AWAY_LIMIT if isinstance(fault, AwayError) else REOPEN_LIMIT):
                    raise

    def _over(self, places: Iterable[Box], *, near: bool = False) -> str | None:
        """What lies over the smallest box around ``places``, by more than the rim of a cell; with ``near``, within a
        cell of it too, where it may hide more of a board."""
        boxes = list(places)
        reach = max((max(box.width, box.height) for box in boxes), default=0)
        grown = reach if near else -round(RIM * reach)
        return lies_over(
            self.screen,
            [Box(b.x - grown, b.y - grown, max(b.width + 2 * grown, 1), max(b.height + 2 * grown, 1)) for b in boxes],
        )

    def _shows_all(self, sight: Sight[P, S], over: str | None) -> bool:
        """Whether a board was read in a picture that showed all of it. ``over``: what lay over the window then."""
        if over is None:
            return True
        # What is gone by now may have been anywhere.
        near = self._over(sight.reading.places.values(), near=True)
        return near is None and lies_over(self.screen, [_whole(sight.frame)]) is not None

    def _uncovered(self, places: Iterable[Box], frame: Frame | None = None) -> Frame:
        """``frame``, which has just been taken; where there is none, or something lies over ``places``, the picture
        once nothing does: what lies over a cell looks like something that is drawn in it. Raises CoveredError."""
        boxes = list(places)
        over = self._over(boxes)
        if frame is not None and over is None:
            return frame
        if over is not None:
            self._say("wait", f"{over} lies over the board")
        end = self.screen.now() + AWAY_LIMIT
        while self.screen.now() <= end:
            before = over
            frame = self._still(MOVE_LIMIT, quiet=PATIENT)
            over = self._over(boxes)
            if over is None and before is None:
                return frame
        raise CoveredError(f"Nothing was pressed: {over} lies over the board. Bring the game's window to the front.")

    def _clear(self, boxes: Iterable[Box], fault: AutoplayerError) -> Frame:
        """After a gesture that could not be made: wait until the window is there again and nothing lies over ``boxes``.
        Raises ``fault`` where that takes too long, or where it happens again and again without a gesture between."""
        now = self.screen.now()
        if self._interrupted is None:
            self._interrupted = now
        self._say("wait", str(fault))
        # A gesture that is refused may be a plan's fault, which no waiting mends.
        limit = REOPEN_LIMIT if isinstance(fault, RefusedError) else AWAY_LIMIT
        if now - self._interrupted <= limit:
            return self._uncovered(boxes)
        if isinstance(fault, LateError):
            raise _FailedError(str(fault), self._last)
        raise fault

    def _resume(self, board: Sight[P, S], fault: AutoplayerError) -> tuple[Sight[P, S], Frame]:
        """The board, and its picture, when the game can be played on: read anew where it is not as it was."""
        frame = self._clear(board.reading.places.values(), fault)
        if frame.size == board.frame.size and self._progress(board, frame).present:
            return board, frame
        board = self._same_again(board)
        return board, board.frame

    def _park_somewhere(self) -> None:
        """Put the pointer to the rim of a window of which nothing is known yet."""
        while True:
            try:
                self._park(self.screen.grab(), ())
            except INTERRUPTIONS as fault:
                self._clear((), fault)
            else:
                return

    def _progress(self, board: Sight[P, S], frame: Frame) -> Progress:
        return self.game.progress(board.reading, board.settled.puzzle, board.solution, frame.image)

    def _moves(self, board: Sight[P, S], progress: Progress, attempt: int = 0) -> Sequence[Move]:
        puzzle, solution = board.settled.puzzle, board.solution
        return self.game.plan(board.reading, puzzle, solution, progress, self.layout, attempt)

    def _look(self, board: Sight[P, S], before: Frame, move: Move, progress: Progress) -> tuple[Frame, Progress]:
        """What stands there after a move: at once where it has arrived, and patiently before it is called lost."""
        limit = max(MOVE_LIMIT, 1.5 * self._lateness)
        places = board.reading.places.values()
        frame = self._uncovered(places, self._still(limit, unlike=before, quiet=QUICK))
        seen = self._progress(board, frame)
        if seen.present and self._arrived(board, move, progress, seen):
            return frame, seen
        # What was drawn step by step, and shows late, comes step by step.
        quiet = max(PATIENT, 1.5 * self._pacing.pace.step)
        if seen.present and (seen.done, seen.wrong) == (progress.done, progress.wrong):
            # Nothing has happened: the window may lose moves, or be late.
            why, patience, unlike = "late", LATE_LIMIT, before
        else:
            why, patience, unlike = "moving", MOTION_LIMIT, None
        if self._in_vain[why] >= IN_VAIN:
            patience, unlike = limit + quiet, None
        asked = self.screen.now()
        frame = self._uncovered(places, self._still(patience, unlike=unlike, quiet=quiet))
        seen = self._progress(board, frame)
        waited = self.screen.now() - asked
        if waited >= patience:
            self._in_vain[why] += 1
        elif why == "late" and (seen.done, seen.wrong) != (progress.done, progress.wrong):
            self._in_vain[why] = 0
            self._lateness = max(self._lateness, min(limit + waited, LATE_LIMIT))
        return frame, seen

    def _arrived(self, board: Sight[P, S], move: Move, before: Progress, now: Progress) -> bool:
        """Whether a move did what it was made for: the plan has gone on to other moves."""
        if now.complete or (now.done - before.done >= len(move.cells) and now.wrong <= before.wrong):
            return True
        return all(other.name != move.name for other in self._moves(board, now))

    # --- the next level ----------------------------------------------------------------------------------------------

    def _finish(
        self, board: Sight[P, S], first: Frame, before: Frame, after: Frame, complete: bool
    ) -> tuple[Status, Sight[P, S] | None, bool]:
        """The last move is made. ``before``, ``after``: the pictures around it; ``complete``: whether the board was
        seen complete (it may have been celebrated away at once)."""
        self._unwon = first
        self._sign_seen = False
        self._look_for_sign(after)
        status, found, goes_on = self._go_on(board, first, before, after, complete)
        return ("won" if self._sign_seen else status), found, goes_on

    def _look_for_sign(self, frame: Frame) -> None:
        """Note where ``frame`` shows the layout's sign of a win, and the level's beginning did not."""
        if not self._sign_seen and self._marks.won(frame.image):
            self._sign_seen = self._unwon is not None and not self._marks.won(self._unwon.image)

    def _go_on(
        self, board: Sight[P, S], first: Frame, before: Frame, after: Frame, complete: bool
    ) -> tuple[Status, Sight[P, S] | None, bool]:
        """The level is done: find the next one."""
        places = board.reading.places.values()
        known = self.layout.next
        drawn = first, after if complete else before
        if (complete or self._covered(board, drawn, after)) and known.kind in ("click", "key"):
            shown = self._await_control(board, known, before, after, complete)
            self._say_done(shown, first, before, not complete or self._covered(board, drawn, shown))
            self._press_next(known, shown)
            found, gone = self._await_other(board, shown, PRESS_LIMIT, drawn)
            if found:
                return "won", found, True
            at = _at(known.place, shown.size) if known.place else None
            lit_up = at and not self._on_board(board, at) and lit(before.image, shown.image, at, places)
            if gone:
                self._left = board, drawn
                return "won" if lit_up else "played", None, True
            if lit_up:
                return "won", None, False  # it lit up for the win, but leads nowhere: this was the last level
        self._say("next", "waiting for the next level")
        lighting = None if known.kind == "auto" else (first, before)
        found, gone = self._await_other(board, after if complete else None, FLASH_LIMIT, drawn, lighting)
        if found:
            if known.kind != "auto":
                self._learn(NextTable(kind="auto"))
            return "won", found, True
        now = self._still(MOVE_LIMIT)
        scene = self._scene(board, drawn, now) if gone else []
        covered = gone or self._covered(board, drawn, now)
        self._say_done(now, first, before, covered)
        if gone and not scene:  # the next level does not look like one yet; the next turn says why, if it never does
            return "played", None, True
        if not complete and not covered and not self._progress(board, now).complete:
            raise _FailedError(f"after the last move {_standing(self._progress(board, now))}", now)
        if known.kind == "auto":
            # Levels come by themselves here: where none comes this was the last one, and there is nothing to press.
            return "played", None, False
        points = scene or (controls_on_cover(drawn[1].image, now.image, places) if covered else [])
        lighting_up = not points
        points = points or self._changed_controls(board, first, before, now)
        for at in points[:MOST_CONTROLS]:
            if not lighting_up:
                # Looking for controls takes a while. What covered the board may have gone by itself meanwhile, and a
                # press would be one on the next level.
                looked_at, now = now, self._still(MOVE_LIMIT)
                if lit(looked_at.image, now.image, at, places):
                    found, gone = self._await_other(board, None, PRESS_LIMIT, drawn)
                    if found:
                        return "won", found, True
                    continue
            place = at[0] / now.size[0], at[1] / now.size[1]
            way = NextTable(kind="click", place=place)
            self._press_next(way, now)
            found, gone = self._await_other(board, now, PRESS_LIMIT, drawn)
            if found:
                if not self._same_level(found, board):  # else it may be the way to begin anew
                    self._learn(way)
                return "won", found, True
            if gone and not scene:
                self._left = board, drawn
                return "won" if lighting_up else "played", None, True
        return "played", None, bool(scene)

    def _covered(
        self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame, progress: Progress | None = None
    ) -> bool:
        """Whether something lies over the old board, part of which still stands as it was drawn between the two
        pictures ``drawn``. ``progress``: that of ``now``, where it is known already."""
        if (progress or self._progress(board, now)).present:
            return False
        places = board.reading.places
        parts = [*places.values(), *between(places)]
        return old_board_remains(drawn[0].image, drawn[1].image, now.image, parts)

    def _changed_controls(self, board: Sight[P, S], first: Frame, before: Frame, after: Frame) -> list[Point]:
        pointer = self._spot[0] if self._spot and self._spot[1] == after.size else None
        return controls_that_changed(first.image, before.image, after.image, board.reading.places, pointer)

    def _scene(self, board: Sight[P, S], drawn: tuple[Frame, Frame], now: Frame) -> list[Point]:
        """The controls of a scene that came in place of the board. None where a level can be seen in it, even a
        doubtful one, and where there is more to press than a scene of congratulation has: nothing is pressed then."""
        try:
            self.game.read(now.image, self.layout)
        except UnreadableError:
            points = controls_on_cover(drawn[1].image, now.image, board.reading.places.values())
            return points if len(points) <= MOST_ON_SCENE else []
        return []

    def _on_board(self, board: Sight[P, S], at: Point) -> bool:
        return any(box.contains(at) for box in board.reading.places.values())

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
        unlit = after if complete and self._on_board(board, at) else before
        deadline = self.screen.now() + LIT_LIMIT
        frame = after
        while not lit(unlit.image, frame.image, at, board.reading.places.values()):
            left = deadline - self.screen.now()
            if left <= 0 or frame.size != after.size:
                break
            frame = self._still(left, unlike=frame, quiet=PATIENT)  # a dialog that still moves hears nothing
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
        began = self.screen.now()
        deadline = began + limit
        unlike = since
        gone = covered = False
        while True:
            left = deadline - self.screen.now()
            if lighting and not gone:
                left = min(left, began + LIT_LIMIT - self.screen.now())
            frame = self._still(max(left, 0.05), unlike=unlike, quiet=PATIENT)
            over = lies_over(self.screen, [_whole(frame)])
            if over is not None and self._over(board.reading.places.values()) is not None:
                frame, over = self._uncovered(board.reading.places.values()), None
                deadline = max(deadline, self.screen.now() + LIT_LIMIT)
            if unlike is None or not _same(frame, unlike):
                self._look_for_sign(frame)
                progress = self._progress(board, frame)
                covered = self._covered(board, drawn, frame, progress)
                gone = not progress.present and not covered
                found = None if progress.complete or covered else self._read(frame)
                if (
                    isinstance(found, Sight)
                    and (self._is_fresh(found, board) or self._is_begun(found, board))
                    and self._shows_all(found, over)
                ):
                    return found, True
            unlike = frame
            now = self.screen.now()
            if now >= deadline:
                return None, gone
            if lighting and not gone and now >= began + LIT_LIMIT:
                first, before = lighting
                if covered or self._changed_controls(board, first, before, frame):
                    return None, False
                lighting = None

    def _same_level(self, one: Sight[P, S], other: Sight[P, S]) -> bool:
        return same_level(self.game, one.settled.puzzle, other.settled.puzzle)

    def _is_fresh(self, found: Sight[P, S], old: Sight[P, S]) -> bool:
        """Whether nothing is drawn yet: a solved board that is celebrated must not be taken for a level, nor the old
        level for a new one because it reads otherwise since it was played."""
        progress = self._progress(found, found.frame)
        begins = not self._same_level(found, old) or found.settled.puzzle == old.settled.puzzle
        return begins and progress.present and progress.done == 0 and progress.wrong == 0

    def _is_begun(self, found: Sight[P, S], old: Sight[P, S]) -> bool:
        """Whether it is another level that was played in part before. A celebrated board, misread, is mostly drawn."""
        progress = self._progress(found, found.frame)
        held = progress.done + progress.wrong
        return progress.present and not self._same_level(found, old) and 2 * held <= progress.total

    def _press_next(self, way: NextTable, frame: Frame) -> None:
        gesture: Gesture
        if way.kind == "key" and way.key is not None:
            gesture, text = Keys((way.key,)), f"pressing {way.key} for the next level"
        else:
            at = _at(way.place or (0.5, 0.5), frame.size)
            gesture, text = Click(at), f"pressing the control at {at} for the next level"
        self._say("next", text, frame)
        around = [Box(*gesture.at, 1, 1)] if isinstance(gesture, Click) else []
        while True:
            try:
                # Once a level a slow press costs nothing, and a lost one costs the whole wait for the next level.
                self._perform(Move("next level", (gesture,)), frame, replace(self._pacing.pace, press=CONTROL_PRESS))
                self._park(frame, ())
            except INTERRUPTIONS as fault:
                if self._clear(around, fault).size == frame.size:
                    continue
            return  # pressed; or in a window of another size, and who knows where it is there

    # --- doing and telling -------------------------------------------------------------------------------------------

    def _perform(self, move: Move, frame: Frame, pace: Pace | None = None) -> None:
        pace = pace or self._pacing.pace
        self._say("move", move.name, frame, move=move, pace=pace)
        self.screen.perform(move.gestures, pace)
        self._gestures += len(move.gestures)
        self._interrupted = None

    def _park(self, frame: Frame, places: Any) -> None:
        """Put the pointer where it covers no cell: the point at the window's rim that is farthest from all of them."""
        if self._spot is None or self._spot[1] != frame.size or any(box.contains(self._spot[0]) for box in places):
            self._spot = _rim_point(frame.size, list(places)), frame.size
        self.screen.park(self._spot[0])
        self._interrupted = None

    def _learn(self, way: NextTable | None = None, controls: str | None = None) -> None:
        """Keep the pace, and the way to the next level and the controls where they were found, for this layout."""
        pace = self._pacing.pace
        learned = self.layout.model_copy(
            update={
                "pace": PaceTable(press=round(pace.press, 4), step=round(pace.step, 4), release=round(pace.release, 4)),
                "slowest_lost": self._pacing.slowest_lost,
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
            f"level {self.number}: read and solved{how}",
            board.frame,
            reading=board.reading,
            settled=board.settled,
            solution=board.solution,
        )

    def _say_done(self, frame: Frame, first: Frame, before: Frame, covered: bool) -> None:
        self._look_for_sign(frame)
        text = f"level {self.number}: nothing is left to do"
        self._say("done", text, frame, first=first, before=before, covered=covered)

    def _say(
        self,
        kind: Kind,
        text: str,
        frame: Frame | None = None,
        **data: Any,
    ) -> None:
        event = Event(kind, self.number, text, self.screen.now(), frame, data)
        for listener in self._listeners:
            listener(event)


def _whole(frame: Frame) -> Box:
    return Box(0, 0, *frame.size)


def _same(a: Frame, b: Frame) -> bool:
    return a is b or (a.image.shape == b.image.shape and np.array_equal(a.image, b.image))


def _at(place: tuple[float, float], size: tuple[int, int]) -> Point:
    """The point of a window of ``size`` (width, height) that the fractions ``place`` mean."""
    return min(round(place[0] * size[0]), size[0] - 1), min(round(place[1] * size[1]), size[1] - 1)


def _rim_point(size: tuple[int, int], places: Sequence[Box]) -> Point:
    """Of the corners and the middles of the sides, a little inside, the one that is farthest from every cell."""
    width, height = size
    dx, dy = max(width // 50, 2), max(height // 50, 2)
    xs, ys = (dx, width // 2, width - 1 - dx), (dy, height // 2, height - 1 - dy)
    rim = [(x, y) for y in reversed(ys) for x in xs if (x, y) != (width // 2, height // 2)]
    if not places:
        return rim[0]

    def room(point: Point) -> float:
        return min(
            math.hypot(
                max(box.x - point[0], 0, point[0] - box.x - box.width),
                max(box.y - point[1], 0, point[1] - box.y - box.height),
            )
            for box in places
        )

    return max(rim, key=room)


def _standing(progress: Progress) -> str:
    wrong = f", {progress.wrong} wrong" if progress.wrong else ""
    return (
        f"the board shows {progress.done} of {progress.total} done{wrong}"
        if progress.present
        else "the board is not seen"
    )


def _stuck(move: Move, tries: int, progress: Progress) -> str:
    cells = ", ".join(str(cell) for cell in move.cells[:6]) + (" …" if len(move.cells) > 6 else "")
    return (
        f"'{move.name}' was tried {tries} times and brought nothing: "
        f"expected {cells} to change, and {_standing(progress)}"
    )
