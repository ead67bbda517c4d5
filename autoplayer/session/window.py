"""The game's window as a session uses it: observed with waits, read, and pressed only where nothing covers it."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np

from autoplayer.core.errors import AutoplayerError, NotFoundError, UnreadableError
from autoplayer.core.frame import Box, Cell, Frame, Image, Point, around
from autoplayer.core.gestures import Click, Pace
from autoplayer.games.base import Game, Move, P, Progress, Reading, S, inherit, same_level
from autoplayer.layout import Layout
from autoplayer.screen.base import Screen, answer_dialog, attend, lies_over
from autoplayer.screen.guard import ChangedError, CoveredError, RefusedError
from autoplayer.screen.pulse import LateError
from autoplayer.screen.windows import AwayError
from autoplayer.session import limits
from autoplayer.session.events import Sight
from autoplayer.session.looking.boxes import differing, parts_of_letters
from autoplayer.session.looking.level_lists import is_numbered
from autoplayer.session.looking.marks import complaint, marks, new_sign
from autoplayer.session.looking.menus import behind_a_dialog, moved_on
from autoplayer.session.pace import Pacing
from autoplayer.settle import settle_trimmed

MOST_REMEMBERED = 3
"""How many pictures' readings are cached."""

RIM = 0.3
"""How far something may cover the cells at the board's edge, as a share of a cell: their content is still visible."""

UNCHANGED = 0.02
"""The largest share of a finished board that may differ where it is still shown: a pointer, a line of text."""

INTERRUPTIONS = (ChangedError, CoveredError, LateError, NotFoundError, RefusedError)
"""Temporary obstacles to a gesture."""


@dataclass(frozen=True)
class Unread:
    """Why a picture shows no level that can be played. ``refused``: whether that is certain: nothing in it reads as a
    level that has a solution. ``places``: the boxes that were taken for a level's cells nevertheless."""

    reason: str
    refused: bool = False
    places: tuple[Box, ...] = ()


class FailedError(Exception):
    """A level cannot be continued; the message goes to the person."""

    def __init__(self, message: str, frame: Frame | None = None) -> None:
        super().__init__(message)
        self.frame = frame


class GameWindow(Generic[P, S]):
    """The window in which ``game`` is observed through ``screen``. ``layout`` is what is known of it now, ``pacing``
    the speed of its gestures, ``gestures`` how many were made since the counter was last reset, ``last`` the last still
    picture, ``spot`` where the pointer was parked, with the window's size (width, height) at that time. ``say`` reports
    events, as ``Session`` does to its listeners. Raises NotFoundError or LayoutError where a picture that the layout
    needs cannot be used."""

    def __init__(
        self, game: Game[P, S], screen: Screen, layout: Layout, say: Callable[..., None], solve_limit: float
    ) -> None:
        """``solve_limit``: seconds for solving a level."""
        self.game = game
        self.screen = screen
        self.layout = layout
        self.say = say
        self.marks = marks(layout)
        self.pacing = Pacing(layout.pace.pace(), layout.slowest_lost)
        self.gestures = 0
        self.clicked: set[Point] = set()
        """The points on the board that moves have pressed."""
        self.last: Frame | None = None
        self.spot: tuple[Point, tuple[int, int]] | None = None
        self.lateness = 0.0
        """The largest lag that was observed, in seconds."""
        self.prompt = False
        """Whether a whole move was ever visible as soon as it was made."""
        self.fitting: Callable[[Frame], Layout | None] | None = None
        """Gives the layout that fits a picture, where none was known to fit the window when the session began."""
        self.in_vain: Counter[str] = Counter()
        """Long waits in vain, counted separately for a window that lags and for one that moves."""
        self._read_before: deque[tuple[Frame, Layout, Sight[P, S] | Unread]] = deque(maxlen=MOST_REMEMBERED)
        self._attended: Sight[P, S] | None = None
        self._solve_limit = solve_limit
        self._interrupted: float | None = None
        """Since when no gesture could be made."""

    def still(self, limit: float, *, unlike: Frame | None = None, quiet: float | None = None) -> Frame:
        """As ``Screen.still``, with a longer wait for a window that is not visible."""
        how = {} if quiet is None else {"quiet": quiet}
        since: float | None = None
        while True:
            try:
                self.last = self.screen.still(limit, unlike=unlike, **how)
                return self.last
            except NotFoundError as fault:
                now = self.screen.now()
                if since is None:
                    since = now - limit
                    self.say("wait", str(fault))
                if now - since >= (limits.AWAY_LIMIT if isinstance(fault, AwayError) else limits.REOPEN_LIMIT):
                    raise

    def over(self, places: Iterable[Box], *, near: bool = False) -> str | None:
        """The name of what covers the smallest box around ``places``, by more than the edge of a cell; with ``near``
        also within a cell of it, where it may hide more of a board."""
        boxes = list(places)
        reach = max((max(box.width, box.height) for box in boxes), default=0)
        grown = reach if near else -round(RIM * reach)
        return lies_over(
            self.screen,
            [Box(b.x - grown, b.y - grown, max(b.width + 2 * grown, 1), max(b.height + 2 * grown, 1)) for b in boxes],
        )

    def shows_all(self, sight: Sight[P, S], over: str | None) -> bool:
        """Whether a board was read in a picture that showed all of it. ``over``: what covered the window then."""
        if over is None:
            return True
        # A cover that is gone by now may have been anywhere.
        near = self.over(sight.reading.places.values(), near=True)
        return near is None and lies_over(self.screen, [whole(sight.frame)]) is not None

    def attend(self, board: Sight[P, S]) -> None:
        """From now on the window counts as still when ``board`` and its surroundings are; what was learned of the
        window on the board before it still holds."""
        if self._attended is not None and self._attended.reading is not board.reading:
            inherit(self.game, board.reading, self._attended.reading)
        self._attended = board
        attend(self.screen, around(board.reading.places.values()))

    def answer(self) -> bool:
        """Answer the dialog that the game's own program has opened, if there is one; returns whether there was."""
        what = answer_dialog(self.screen, replace(self.pacing.pace, press=limits.CONTROL_PRESS))
        if what is not None:
            self.say("next", f"answered {what}")
            self.gestures += 1
        return what is not None

    def uncovered(self, places: Iterable[Box], frame: Frame | None = None, *, done: bool = False) -> Frame:
        """``frame``, which has just been taken; where it is None, or something covers ``places``, the picture once
        nothing does: a cover looks like something drawn in the cells. ``done``: the level's last move was made, so that
        a dialog of the game's own program is answered. Raises CoveredError."""
        boxes = list(places)
        over = self.over(boxes)
        if frame is not None and over is None:
            return frame
        if over is not None:
            self.say("wait", f"{over} lies over the board")
        end = self.screen.now() + limits.AWAY_LIMIT
        while self.screen.now() <= end:
            before = over
            frame = self.still(limits.MOVE_LIMIT, quiet=limits.PATIENT)
            over = self.over(boxes)
            if over is None and before is None:
                return frame
            if done and over is not None:
                self.answer()
        raise CoveredError(f"Nothing was pressed: {over} lies over the board. Bring the game's window to the front.")

    def clear(self, boxes: Iterable[Box], fault: AutoplayerError, *, done: bool = False) -> Frame:
        """After a gesture that could not be made: wait until the window is visible again and nothing covers ``boxes``.
        ``done``: this happened at or after the level's last move, so that a dialog of the game's own program is
        answered. Raises ``fault`` where that takes too long, or happens again and again without a gesture in
        between."""
        now = self.screen.now()
        if self._interrupted is None:
            self._interrupted = now
        self.say("wait", str(fault))
        # A refused gesture may be a fault of the plan, which no waiting mends.
        limit = limits.REOPEN_LIMIT if isinstance(fault, RefusedError) else limits.AWAY_LIMIT
        if now - self._interrupted <= limit:
            return self.uncovered(boxes, done=done)
        if isinstance(fault, LateError):
            raise FailedError(str(fault), self.last)
        raise fault

    def park_somewhere(self) -> None:
        """Park the pointer at the edge of a window of which nothing is known yet."""
        while True:
            try:
                self.park(self.screen.grab(), ())
            except INTERRUPTIONS as fault:
                self.clear((), fault)
            else:
                return

    def park(self, frame: Frame, places: Collection[Box]) -> None:
        """Park the pointer where it covers no cell: at the point of the window's edge that is farthest from all of
        them."""
        if self.spot is None or self.spot[1] != frame.size or any(box.contains(self.spot[0]) for box in places):
            self.spot = _rim_point(frame.size, list(places)), frame.size
        self.screen.park(self.spot[0])
        self._interrupted = None

    def perform(self, move: Move, frame: Frame, pace: Pace | None = None) -> None:
        pace = pace or self.pacing.pace
        self.say("move", move.name, frame, move=move, pace=pace)
        self.screen.perform(move.gestures, pace)
        self.made(move)
        self._interrupted = None

    def made(self, move: Move) -> None:
        """Count a move that was made."""
        self.gestures += len(move.gestures)
        if move.cells:  # otherwise it leads to another level
            self.clicked.update(gesture.at for gesture in move.gestures if isinstance(gesture, Click))

    def find(
        self,
        park: bool = True,
        knock: Callable[[Frame, Unread], bool] | None = None,
        ended: Callable[[Frame], bool] | None = None,
    ) -> Sight[P, S]:
        """Wait for a board that can be read and settled, with nothing covering it. Nothing is pressed, except by
        ``knock``: it is called with each still picture without a level, and returns whether it has pressed something.
        Where it has not, ``ended`` tells whether no level will come after that picture. Raises FailedError where no
        level comes."""
        if park:
            self.park_somewhere()
        began = came = self.screen.now()
        deadline = began + limits.READ_LIMIT
        unlike: Frame | None = None
        over: str | None = None
        found: Sight[P, S] | Unread = Unread("nothing was seen")
        while True:
            left = max(deadline - self.screen.now(), 0.1)
            if over is not None:
                left = min(left, limits.MOVE_LIMIT)
            elif knock is not None and unlike is not None:
                left = min(left, max(came + limits.KNOCK_AFTER - self.screen.now(), 0.1))
            frame = self.still(left, unlike=unlike)
            if unlike is not None and moved_on(unlike.image, frame.image, None):
                came = self.screen.now()
            if unlike is None or over is not None or not same_picture(frame, unlike):
                over = lies_over(self.screen, [whole(frame)])
                self._take_fitting(frame)
                found = self.read(frame)
                places = tuple(found.reading.places.values()) if isinstance(found, Sight) else found.places
                if places and behind_a_dialog(frame.image, places):
                    found = Unread("a dialog stands before the board", True, places)
                if isinstance(found, Sight) and self.shows_all(found, over):
                    return found
                if over is not None:
                    deadline = began + limits.AWAY_LIMIT
                    self.say("wait", f"{over} lies over the game's window")
                    if isinstance(found, Sight):
                        found = Unread(f"{over} lies over the board")
                else:
                    deadline += max(self.screen.now() - frame.time, 0.0)
            unlike = frame
            now, shown = self.screen.now(), came + limits.KNOCK_AFTER
            # A page that never stands still is pressed when all has been waited for.
            if knock is not None and over is None and isinstance(found, Unread) and now >= min(shown, deadline):
                if knock(frame, found):
                    began = came = self.screen.now()
                    deadline = began + limits.READ_LIMIT
                else:
                    knock = None
                    if ended is not None and ended(frame):
                        deadline = now
            if now >= deadline:
                stale = complaint(self.layout, self.marks, frame.image)
                why = found.reason if isinstance(found, Unread) else "nothing was seen"
                if isinstance(found, Unread) and found.places and (advice := new_sign(self.layout)):
                    why = f"{why}; {advice}"
                raise FailedError(stale or f"no {self.game.title} level could be read: {why}", frame)

    def _take_fitting(self, frame: Frame) -> None:
        """Use the layout that fits ``frame``, where none was known to fit the window before."""
        layout = self.fitting(frame) if self.fitting is not None else None
        if layout is not None:
            self.fitting = None
            self.layout, self.marks = layout, marks(layout)
            self.say("wait", f"the layout '{layout.name}' fits the window now")

    def read(self, frame: Frame) -> Sight[P, S] | Unread:
        """The level in ``frame``, ready to be played, or why there is none. Readings are cached: a picture without a
        level takes a reader longest."""
        for then, layout, found in self._read_before:
            if layout is self.layout and same_picture(then, frame):
                return replace(found, frame=frame) if isinstance(found, Sight) else found
        stale = complaint(self.layout, self.marks, frame.image)
        found = self._read(frame, frame.image, stale)
        if isinstance(found, Unread):
            found = self._kept(frame) or found
        self._read_before.append((frame, self.layout, found))
        return found

    def _kept(self, frame: Frame) -> Sight[P, S] | None:
        """The board that is being played, where ``frame`` shows it at the same place in a window of another size: a
        line of text beside it has become longer. What play has drawn may make it unreadable."""
        board = self._attended
        if board is None or board.done or frame.size == board.frame.size:
            return None
        width, height = frame.size
        beyond = around(board.reading.places.values())
        if beyond.x + beyond.width > width or beyond.y + beyond.height > height:
            return None
        reading = replace(board.reading, image=_fitted(board.reading.image, frame.size))
        kept = replace(board, frame=frame, reading=reading)
        return kept if self.progress(kept, frame).present else None

    def _read(self, frame: Frame, image: Image, stale: str | None) -> Sight[P, S] | Unread:
        """The level in ``image``, which is ``frame``'s or a part of it; ``stale``: why the picture does not match the
        layout."""
        begin = time.perf_counter()
        try:
            reading = self.game.read(image, self.layout)
        except UnreadableError as error:
            return Unread(stale or str(error), True)
        if stale:
            return Unread(stale)
        read = time.perf_counter()
        if is_numbered(signs_of(self.game.format(reading.puzzle))):
            # A list of levels may stand beside the board.
            besides = self._read(frame, _without(image, around(reading.places.values())), stale)
            if isinstance(besides, Sight):
                return besides
            return Unread("the numbers that are seen go from 1 on, as those of a list of levels do", True)
        found = self.settled(frame, reading, read - begin)
        if isinstance(found, Unread) and found.places and parts_of_letters(image, found.places):
            return Unread("what stands there are words", True)
        return found

    def settled(self, frame: Frame, reading: Reading[P], seconds: float) -> Sight[P, S] | Unread:
        """The level of a ``reading`` that took so many ``seconds``, settled and solved, as ``frame`` shows it; or why
        it cannot be played."""
        read = time.perf_counter()
        reading, settled = settle_trimmed(self.game, reading, time_limit=self._solve_limit)
        if not settled.playable or settled.solution is None:
            refuted = settled.solution is None and (settled.outcome is None or settled.outcome.status == "no-solution")
            return Unread(settled.reason, refuted, tuple(reading.places.values()))
        faults = self.game.check(settled.puzzle, settled.solution)
        if faults:  # never seen; but no unchecked answer is ever played
            return Unread(f"the solver's answer is wrong: {faults[0]}")
        done = time.perf_counter()
        return Sight(frame, reading, settled, settled.solution, seconds, done - read)

    def progress(self, board: Sight[P, S], frame: Frame) -> Progress:
        if board.done:
            box = around(board.reading.places.values())
            then, now = box.crop(board.frame.image), box.crop(frame.image)
            same = frame.size == board.frame.size and float(differing(then, now).mean()) <= UNCHANGED
            total = len(board.reading.places)
            return Progress(same, total * same, total, 0)
        return self.game.progress(board.reading, board.settled.puzzle, board.solution, frame.image)

    def moves(self, board: Sight[P, S], progress: Progress, attempt: int = 0) -> Sequence[Move]:
        """The next moves for ``board``; different ones where the first was made ``attempt`` times without effect."""
        puzzle, solution = board.settled.puzzle, board.solution
        return self.game.plan(board.reading, puzzle, solution, progress, self.layout, attempt)

    def same_level(self, one: Sight[P, S], other: Sight[P, S]) -> bool:
        return same_level(self.game, one.settled.puzzle, other.settled.puzzle)

    def is_fresh(self, found: Sight[P, S], old: Sight[P, S]) -> bool:
        """Whether nothing is drawn yet: a solved board during its celebration must not be taken for a level, nor the
        old level for a new one because it reads differently since it was played."""
        progress = self.progress(found, found.frame)
        if old.done and self.progress(old, found.frame).complete:
            return False
        begins = not self.same_level(found, old) or found.settled.puzzle == old.settled.puzzle
        return begins and progress.present and progress.done == 0 and progress.wrong == 0

    def is_begun(self, found: Sight[P, S], old: Sight[P, S]) -> bool:
        """Whether it is another level that was partly played before. A celebrated board, misread, seems to be mostly
        drawn, and most of its cells show the same signs as before."""
        progress = self.progress(found, found.frame)
        if not progress.present or progress.complete or self.same_level(found, old):
            return False
        return 2 * (progress.done + progress.wrong) <= progress.total or not self._mostly_alike(found, old)

    def _mostly_alike(self, found: Sight[P, S], old: Sight[P, S]) -> bool:
        """Whether at least half of the cells of ``found`` show the signs of ``old``, in the same cells or at the same
        places of the picture; True also where that cannot be compared. In another level fewer do: there are several
        signs, and cells elsewhere."""
        now, then = (self._signs(sight) for sight in (found, old))
        if not now or not then:
            return True
        boxes, places = old.reading.places, found.reading.places
        by_cell = sum(cell in then and _alike(sign, then[cell]) for cell, sign in now.items())
        by_place = sum(
            any(_alike(sign, then[at]) and boxes[at].contains(places[cell].centre) for at in then)
            for cell, sign in now.items()
        )
        return 2 * max(by_cell, by_place) >= len(now)

    def _signs(self, sight: Sight[P, S]) -> dict[Cell, str]:
        """The sign in each cell; empty where the board's text does not have one for each."""
        cells = sorted(sight.reading.places)
        signs = signs_of(self.game.format(sight.settled.puzzle))
        return dict(zip(cells, signs, strict=True)) if len(cells) == len(signs) else {}


def signs_of(text: str) -> list[str]:
    """The symbols in the cells of a board, in reading order, from its text; empty ones are left out."""
    rows = text.splitlines()
    cells = [cell for row in rows for cell in (row.split() if any(" " in each for each in rows) else row)]
    return [cell for cell in cells if cell != "."]


def _alike(one: str, other: str) -> bool:
    """Whether two signs may stand for the same cell: of several candidates some may have been removed in play."""
    return set(one) <= set(other) or set(other) <= set(one)


def _without(image: Image, part: Box) -> Image:
    """``image`` with a ``part`` of it, and a margin around, filled with the commonest colour of its border."""
    reach = max(min(part.width, part.height) // 4, 2)
    box = Box(part.x - reach, part.y - reach, part.width + 2 * reach, part.height + 2 * reach)
    bare = image.copy()
    hidden = box.crop(bare)
    rim = np.concatenate([hidden[0], hidden[-1], hidden[:, 0], hidden[:, -1]])
    colours, counts = np.unique(rim, axis=0, return_counts=True)
    hidden[...] = colours[counts.argmax()]
    return bare


def _fitted(image: Image, size: tuple[int, int]) -> Image:
    """``image`` cut, or continued in the colours of its right and lower edges, to ``size`` (width, height)."""
    right, below = (max(new - old, 0) for new, old in zip(size, image.shape[1::-1], strict=True))
    return np.pad(image[: size[1], : size[0]], ((0, below), (0, right), (0, 0)), mode="edge")


def whole(frame: Frame) -> Box:
    return Box(0, 0, *frame.size)


def same_picture(a: Frame, b: Frame) -> bool:
    return a is b or (a.image.shape == b.image.shape and np.array_equal(a.image, b.image))


def _rim_point(size: tuple[int, int], places: Sequence[Box]) -> Point:
    """Of the corners and the middles of the sides, a little inside, the point that is farthest from every cell."""
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
