"""Plays one level, from the board that was read to its last move: look, press, look again, and compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NoReturn

from autoplayer.core.errors import AutoplayerError, NotFoundError
from autoplayer.core.frame import Frame
from autoplayer.core.gestures import Click, Drag, Pace
from autoplayer.games.base import Move, P, Progress, Reading, S
from autoplayer.layout import PaceTable
from autoplayer.screen.guard import ChangedError
from autoplayer.screen.windows import AwayError
from autoplayer.session import limits
from autoplayer.session.ending import Ended, Ending, OtherBoardError
from autoplayer.session.events import Sight, standing
from autoplayer.session.looking.controls import recoloured, shines_through, shows_again
from autoplayer.session.looking.moved import as_moved, shift
from autoplayer.session.next_level.onward import Onward
from autoplayer.session.pace import Pacing
from autoplayer.session.window import INTERRUPTIONS, FailedError, GameWindow

RESIZED = "the window was resized at the level's last move, which may have won it"
"""The first reason that is given for failures from then on: a full board may look like none, or like one to be
played."""


CLOSED = "This was at the level's last move, which may have won it: some games close themselves then."
"""What is added where a window is gone from then on."""


@dataclass(frozen=True)
class _Choice:
    """The next move. ``aim``: the name of what it is to achieve, ``attempt``: how often that was tried without
    effect."""

    move: Move
    aim: str
    attempt: int


class Playing(Generic[P, S]):
    """Plays ``board`` in ``window``. ``clean``: whether every move has arrived at the first attempt."""

    def __init__(
        self,
        window: GameWindow[P, S],
        onward: Onward[P, S],
        learn: Callable[..., None],
        board: Sight[P, S],
        stuck_after: float,
    ) -> None:
        """``learn`` is told the controls, and the keys, once a move with them has arrived. ``stuck_after``: seconds
        without progress after which the level is given up."""
        self.window = window
        self.clean = True
        self._onward = onward
        self._learn = learn
        self._stuck_after = stuck_after
        self._take(board)
        self._progressed = window.screen.now()
        """When the level last made progress."""
        self._best = self._progress.done - self._progress.wrong
        self._tried: Counter[str] = Counter()
        """Attempts without any effect, by their aim."""
        self._fruitless: Counter[str] = Counter()
        """Attempts after which the board has never made progress, by what was done."""
        self._in_vain: Counter[str] = Counter()
        """Attempts with unknown controls since the board's last progress, by the controls."""
        self._interrupted: Counter[str] = Counter()
        """Moves that were prevented by something since the board's last progress, by their aim."""
        self._tidied = 0
        self._final = False
        """Whether the last move of a plan has been made."""
        self._begun_anew = False
        """Whether the level has restarted at its last move, without a win being shown."""
        self._resized = False
        """Whether the window's size changed at the level's last move, and it has shown nothing of the level since."""

    def play(self) -> Ended[P, S]:
        """Play to the level's end. Raises FailedError where the level cannot be continued, OtherBoardError where
        another level was started before it was finished, or a press meant to go on has undone some of it, NotFoundError
        where the window is gone."""
        try:
            return self._to_its_end()
        except NotFoundError as gone:
            if not self._final or isinstance(gone, AwayError):  # it is hidden, not gone
                raise
            raise NotFoundError(f"{gone} {CLOSED}") from gone
        except FailedError as fault:
            if not self._resized:
                raise
            raise FailedError(f"{RESIZED}: {fault}", fault.frame) from fault

    def _to_its_end(self) -> Ended[P, S]:
        while True:
            choice = self._choose()
            if choice is None:
                return self._onward.finish(
                    Ending(self._board, self._first, self._previous, self._before, complete=True)
                )
            ended = self._turn(choice)
            if ended is not None:
                return ended

    def _take(self, board: Sight[P, S], first: Frame | None = None) -> None:
        """Play ``board`` from now on, as its picture shows it. ``first``: the picture of the level's beginning, if that
        was seen before."""
        self._board = board
        self.window.attend(board)
        self._previous = self._before = board.frame
        self._first = first or board.frame
        self._progress = self.window.progress(board, board.frame)

    def _choose(self) -> _Choice | None:
        """The next move; None where the level is finished."""
        if self.window.screen.now() - self._progressed > self._stuck_after:
            raise FailedError(
                f"nothing came further for {self._stuck_after:g} seconds: {standing(self._progress)}{self._trials()}",
                self._before,
            )
        moves = self.window.moves(self._board, self._progress)
        if self._progress.complete:  # what is left to do is to clean up after moves that went astray
            if not moves or self._tidied == limits.MOST_TIDYINGS:
                return None
            self._tidied += 1
            frame = self.window.still(limits.MOVE_LIMIT, quiet=limits.PATIENT)  # the win may be being celebrated
            seen = self.window.progress(self._board, frame)
            if not seen.complete:
                return None
            self._progress, self._previous, self._before = seen, self._before, frame
            moves = self.window.moves(self._board, self._progress)
            if not moves:
                return None  # what looked wrong was still being drawn
        if not moves:
            raise FailedError(
                f"{standing(self._progress)}, but no move is left that would help{self._trials()}", self._before
            )
        wanted = moves[0]
        aim = wanted.name
        attempt = self._tried[aim]
        if attempt:
            moves = self.window.moves(self._board, self._progress, attempt)
        if not moves:
            if self._progress.complete:
                return None
            raise FailedError(
                f"'{aim}' was tried in {attempt} ways and none had any effect: {_expected(wanted, self._progress)}"
                f"{self._trials()}",
                self._before,
            )
        move = moves[0]
        if self._fruitless[move.name] > limits.MOST_REPAIRS:
            raise FailedError(
                f"{_stuck(move, self._fruitless[move.name], self._progress)}{self._trials()}", self._before
            )
        self._fruitless[move.name] += 1
        self._final = len(moves) == 1
        return _Choice(move, aim, attempt)

    def _turn(self, choice: _Choice) -> Ended[P, S] | None:
        """Make the move and look at the result. Returns the level's end, if it has ended."""
        move, places = choice.move, self._board.reading.places.values()
        begun = self.window.screen.now()
        try:
            self.window.perform(move, self._before, self._pace(choice))
        except INTERRUPTIONS as fault:  # nothing was pressed at a wrong place
            self._interrupted[choice.aim] += 1
            if self._interrupted[choice.aim] <= limits.MOST_INTERRUPTIONS:
                self._fruitless[move.name] -= 1
            else:  # if it is prevented each time, the gesture itself may be the cause; another one may work
                self._tried[choice.aim] = choice.attempt + 1
            before = self._progress.done
            met = self._taken_up(fault)
            if met is not None or self._progress.done > before:  # it was made, at least in part
                self.window.made(move)
            return met
        pressed = self.window.screen.now()  # what appears from now on may be the sign of a win
        try:
            self.window.park(self._before, places)
        except INTERRUPTIONS as fault:
            self.window.clear(places, fault, done=self._final)
        frame, seen = self._look(move, begun, pressed)
        selection = self._selection(choice, frame, seen)
        if selection is not None:
            frame, seen = self._deselected(selection, frame)
        self.window.say("moved", standing(seen), frame, progress=seen, move=move)
        if self._final and frame.time - pressed < limits.CELEBRATED and self._begins_anew(frame, seen):
            return None
        if self._final and not seen.complete and self._covered(frame) and not self._has_moved(frame, seen):
            end = Ending(self._board, self._first, self._before, frame, complete=False)
            ended: Ended[P, S] | None = self._onward.finish(end)
        elif seen.present:
            return self._compared(choice, frame, seen)
        else:
            ended = self._found_again(frame)
        if ended is not None and self._is_undone(ended, choice, frame):
            return None
        if ended is not None and ended[0] == "won" and self._is_trial(move):
            # The move with which the controls were tried was the level's last one.
            self._learn(controls=move.controls, keys=move.keys)
        return ended

    def _selection(self, choice: _Choice, frame: Frame, seen: Progress) -> Drag | None:
        """The drag that tried unknown controls and, as ``frame`` shows, did no more than recolour the board: it has
        selected a page's text. None where the last move was none of that kind."""
        before, places = self._before.image, self._board.reading.places.values()
        drag = next((gesture for gesture in choice.move.gestures if isinstance(gesture, Drag)), None)
        if drag is None or not self._is_trial(choice.move) or self._progress.done or seen.done:
            return None
        if frame.image.shape != before.shape or not shines_through(before, frame.image, places):
            return None
        return drag if recoloured(before, frame.image, places) else None

    def _deselected(self, drag: Drag, frame: Frame) -> tuple[Frame, Progress]:
        """What is seen after a click where ``drag`` began, which ends a selection: that hides the board, and the next
        drag would carry it along."""
        places = self._board.reading.places.values()
        try:
            self.window.perform(Move("clear the selection", (Click(drag.path[0]),)), frame)
            self.window.park(frame, places)
        except INTERRUPTIONS as fault:
            self.window.clear(places, fault, done=self._final)
        return self._seen(limits.MOVE_LIMIT, limits.QUICK, unlike=frame)

    def _is_undone(self, ended: Ended[P, S], choice: _Choice, frame: Frame) -> bool:
        """Whether a gesture that tried unknown controls did no more than recolour the board, as ``frame`` shows it, at
        most until something else was pressed: a drag selects a page's text. Then the level, of which nothing was seen
        to be done, goes on with other controls."""
        (status, found, _), first = ended, self._first
        if status != "played" or self._progress.done or not self._is_trial(choice.move) or frame.size != first.size:
            return False
        places = self._board.reading.places
        if not shines_through(first.image, frame.image, places.values()):
            return False  # a dialog: the level may have been won, and begun again
        if found is None:
            now = self.window.still(limits.MOVE_LIMIT)
            if now.size != first.size or not shines_through(first.image, now.image, places.values()):
                return False
            self._previous = self._before = now
        elif self.window.same_level(found, self._board) and found.frame.size == first.size:
            if not shows_again(first.image, places, found.frame.image, found.reading.places):
                return False
            self._take(found)
        else:
            return False
        self._in_vain[str(choice.move.controls)] += 1
        self._tried[choice.aim] = choice.attempt + 1
        return True

    def _pace(self, choice: _Choice) -> Pace:
        """Unknown controls are tried at the usual pace first, and much more slowly each time they are tried again: some
        windows lose fast gestures, others slow ones."""
        move = choice.move
        trials = 2 * self._in_vain[move.controls] if move.controls and self._is_trial(move) else choice.attempt
        return self.window.pacing.for_attempt(trials)

    def _trials(self) -> str:
        """A few words about the controls that were tried without success."""
        return f"; tried in vain: {', '.join(self._in_vain)}" if self._in_vain else ""

    def _covered(self, now: Frame) -> bool:
        """Whether a dialog covers the board: it appeared since the last move, or since the level's beginning."""
        return any(self._onward.seen.covers(self._board, then, now) for then in (self._before, self._first))

    def _has_moved(self, frame: Frame, seen: Progress) -> bool:
        """Whether the board stands elsewhere in ``frame``, and nothing covers it."""
        now = None if seen.present or frame.size != self._board.frame.size else self.window.read(frame)
        if not isinstance(now, Sight) or not self.window.same_level(now, self._board):
            return False
        return shift(self._board.reading.places, now.reading.places) is not None

    def _taken_up(self, fault: AutoplayerError) -> Ended[P, S] | None:
        """After a move that could not be made: continue with the board, read again where it has changed."""
        board = self._board
        self._resized = self._resized or (self._final and isinstance(fault, ChangedError))
        frame = self.window.clear(board.reading.places.values(), fault, done=self._final)
        if frame.size == board.frame.size:
            progress = self.window.progress(board, frame)
            if progress.present:
                self._progress, self._previous, self._before = progress, frame, frame
                return None
        now = self.window.find()
        if not self.window.same_level(now, board):
            return self._instead(now)
        self._take(now)
        return None

    def _found_again(self, frame: Frame) -> Ended[P, S] | None:
        """After a move the board is not found in ``frame``: look for it, or for what has replaced it."""
        board, same_size = self._board, frame.size == self._board.frame.size
        now = self.window.read(frame)
        if not isinstance(now, Sight) or (self._final and not self.window.same_level(now, board)):
            end = Ending(board, self._first, self._before, frame, complete=False)
            if self._final and same_size:  # the win is being shown, or the next level comes
                return self._onward.finish(end)
            if self._onward.listed_instead(end):
                return "played", None, True
            now = self.window.find()
        if not self.window.same_level(now, board):
            return self._instead(now)
        if self._final and same_size and self._progress.done > 0 and self.window.is_fresh(now, board):
            return "played", now, True  # after a win, or a refusal, the window has restarted it
        # The window was resized, or shows its board elsewhere, or in other colours.
        by = shift(board.reading.places, now.reading.places) if same_size else None
        earlier = self._first, self._before
        self._take(now, self._first if same_size else None)
        if by is not None:
            self._first, self._previous = as_moved(earlier, by, now.frame.image)
        return None

    def _begins_anew(self, frame: Frame, seen: Progress) -> bool:
        """Whether ``frame``, with the progress ``seen``, shows the level restarted immediately after the last move: no
        win was shown, so its time may be up, or the move was refused, or a page was laid out again. It is played once
        more then. Raises FailedError the second time."""
        board = self._board
        if seen.complete or (seen.present and seen.done + seen.wrong) or not self._progress.done:
            return False  # it is where it was, or only shows late what was done
        now = self.window.read(frame) if frame.size == board.frame.size else None
        if not isinstance(now, Sight) or not self.window.same_level(now, board):
            return False
        places = board.reading.places, now.reading.places
        if not self.window.is_fresh(now, board) or not shows_again(
            board.frame.image, places[0], now.frame.image, places[1]
        ):
            return False
        if self._begun_anew:
            raise FailedError(
                "twice the level began anew at its last move, without a win being shown: it cannot be told whether it"
                " was won",
                frame,
            )
        self._begun_anew = True
        self._take(now)
        return True

    def _compared(self, choice: _Choice, frame: Frame, seen: Progress) -> Ended[P, S] | None:
        """After a move ``frame`` shows the board with the progress ``seen``: learn from it."""
        move, before = choice.move, self._progress
        arrived = self._arrived(move, seen)
        gained = seen.done > before.done or seen.wrong < before.wrong
        self._resized = self._resized and not seen.done
        controls = self.window.layout.controls
        trial = self._is_trial(move)
        if trial and gained:
            self._fruitless.clear()  # these counts were of other controls, too
            if controls not in ("unknown", move.controls):  # what is known of the pace belongs to other controls
                self.window.pacing = Pacing(PaceTable().pace())
            self._learn(controls=move.controls, keys=move.keys)
        # Where a gesture is not understood, or nothing was to be done, that it had no effect says nothing of the pace.
        if gained or not (trial or move.guess):
            self.clean = self.clean and arrived
            self.window.pacing = self.window.pacing.after_move(len(move.cells), lost=not arrived, gained=gained)
        elif trial and move.controls:
            self._in_vain[move.controls] += 1
        met = all(other.name != choice.aim for other in self.window.moves(self._board, seen))
        self._tried[choice.aim] = 0 if gained or met else choice.attempt + 1
        if seen.instead is not None:
            self._disproved(frame, seen.instead)
        if seen.done - seen.wrong > self._best:
            self._best = seen.done - seen.wrong
            self._progressed = self.window.screen.now()
            for counts in (self._tried, self._fruitless, self._in_vain, self._interrupted):
                counts.clear()
        elif seen.done == 0 and before.done > 0:
            other = self.window.read(frame)  # everything is gone: perhaps this is another level
            if isinstance(other, Sight):
                same = self.window.same_level(other, self._board)
                if self._final and (not same or self.window.is_fresh(other, self._board)):
                    return "played" if same else "won", other, True
                if not same:
                    self._other_level(other)
        self._progress, self._previous, self._before = seen, self._before, frame
        return None

    def _is_trial(self, move: Move) -> bool:
        """Whether a move tries other controls, or other keys, than those known to the layout."""
        layout = self.window.layout
        known = layout.keys.model_dump()
        return move.controls is not None and (
            move.controls != layout.controls or any(known[what] != key for what, key in move.keys.items())
        )

    def _is_other_level(self, now: Sight[P, S]) -> bool:
        """Whether ``now`` looks like a newly started level, and not like the old one misread."""
        return self.window.is_fresh(now, self._board) or self.window.is_begun(now, self._board)

    def _instead(self, now: Sight[P, S]) -> Ended[P, S]:
        """The win, where another level came after the last move that counted, perhaps in a window of another size."""
        if not (self._final and self._is_other_level(now)):
            self._other_level(now)
        return "won", now, True

    def _other_level(self, now: Sight[P, S]) -> NoReturn:
        """Raises OtherBoardError: another level is shown than the one being played."""
        if self._is_other_level(now):
            raise OtherBoardError(now)
        raise FailedError("another level appeared before this one was done", now.frame)

    def _disproved(self, frame: Frame, reading: Reading[P]) -> NoReturn:
        """Raises OtherBoardError with what should have been read instead of the board being played, or FailedError
        where that cannot be played."""
        board = self.window.settled(frame, reading, self._board.read_seconds)
        if isinstance(board, Sight):
            raise OtherBoardError(board)
        raise FailedError(f"what the moves have done shows that the level was misread: {board.reason}", frame)

    def _look(self, move: Move, begun: float, pressed: float) -> tuple[Frame, Progress]:
        """The picture after a move that was made from ``begun`` to ``pressed``: at once where it has arrived, and after
        a longer wait before it counts as lost."""
        limit = max(limits.MOVE_LIMIT, 1.5 * self.window.lateness)
        progress = self._progress
        frame, seen = self._seen(limit, limits.QUICK, unlike=self._before)
        if seen.present and self._arrived(move, seen):
            self.window.prompt = self.window.prompt or frame.time - pressed < limits.PATIENT
            return frame, seen
        late = self.window.lateness
        if not self.window.prompt:
            # The first part of the move that has not arrived was made that long ago: the window may lag by as much.
            come = min(max((seen.done - progress.done) / max(len(move.cells), 1), 0.0), 1.0)
            late = max(late, frame.time - begun - come * (pressed - begun))
        # What was drawn step by step, and shows late, appears step by step.
        quiet = max(limits.PATIENT, 1.5 * self.window.pacing.pace.step)
        if seen.present and not self._changed(seen):
            # Nothing has happened: the window may lose moves, or lag.
            why, patience, unlike = "late", limits.LATE_LIMIT, self._before
        else:
            why, patience, unlike = "moving", limits.MOTION_LIMIT, None
        if self.window.in_vain[why] >= limits.IN_VAIN:
            patience, unlike = limit + quiet, None
        asked = self.window.screen.now()
        frame, seen = self._seen(patience, quiet, unlike=unlike)
        waited = self.window.screen.now() - asked
        if waited >= patience:
            self.window.in_vain[why] += 1
        elif why == "late" and self._changed(seen):
            self.window.in_vain[why] = 0
            late = self.window.lateness = max(self.window.lateness, min(limit + waited, limits.LATE_LIMIT))
        return self._to_the_last(move, min(late, limits.LATE_LIMIT), frame, seen)

    def _to_the_last(self, move: Move, late: float, frame: Frame, seen: Progress) -> tuple[Frame, Progress]:
        """The picture when nothing more arrives of a move of which a part has arrived (``frame``, ``seen``), in a
        window with the observed lag ``late``: the rest may lag by as much again, and a move repeated meanwhile would
        take effect twice."""
        now = self.window.screen.now()
        last, until = now + limits.MOTION_LIMIT, now + late
        while seen.present and self._changed(seen) and not self._arrived(move, seen) and now < min(until, last):
            before = seen
            frame, seen = self._seen(min(until, last) - now, limits.QUICK, unlike=frame)
            now = self.window.screen.now()
            if (seen.done, seen.wrong) != (before.done, before.wrong):
                until = now + late
                self.window.lateness = max(self.window.lateness, late)
        return frame, seen

    def _seen(self, limit: float, quiet: float, unlike: Frame | None) -> tuple[Frame, Progress]:
        """The board once it has been still for ``quiet`` seconds with nothing covering it, and its progress."""
        frame = self.window.still(limit, unlike=unlike, quiet=quiet)
        frame = self.window.uncovered(self._board.reading.places.values(), frame, done=self._final)
        return frame, self.window.progress(self._board, frame)

    def _changed(self, seen: Progress) -> bool:
        return (seen.done, seen.wrong) != (self._progress.done, self._progress.wrong)

    def _arrived(self, move: Move, now: Progress) -> bool:
        """Whether a move had its intended effect: the plan has gone on to other moves."""
        if now.complete or (now.done - self._progress.done >= len(move.cells) and now.wrong <= self._progress.wrong):
            return True
        return all(other.name != move.name for other in self.window.moves(self._board, now))


def _stuck(move: Move, tries: int, progress: Progress) -> str:
    return f"'{move.name}' was tried {tries} times and brought nothing: {_expected(move, progress)}"


def _expected(move: Move, progress: Progress) -> str:
    cells = ", ".join(str(cell) for cell in move.cells[:6]) + (" …" if len(move.cells) > 6 else "")
    return f"expected {cells or 'the board'} to change, and {standing(progress)}"
