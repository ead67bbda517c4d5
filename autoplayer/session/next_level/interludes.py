"""Handles screens between a level's end and the next level, other than the dialog that announces the end: a reward to
be collected, a request for a rating, an offer, an advertisement with a countdown. It presses what leads past them, and
controls that may buy, share or install something only where nothing else is left."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Generic

import cv2
import numpy as np

from autoplayer.core.frame import Box, Frame, Image, Mask, Point
from autoplayer.games.base import P, S
from autoplayer.session import limits
from autoplayer.session.ending import Drawn, Ending
from autoplayer.session.events import Sight
from autoplayer.session.looking.boxes import Control, colourfulness, controls, differing
from autoplayer.session.looking.controls import changed
from autoplayer.session.looking.dialogs import controls_on_cover, shaded_dialog
from autoplayer.session.looking.menus import COLOURLESS, OWN_COLOUR
from autoplayer.session.looking.signs import crosses, rating
from autoplayer.session.next_level.aftermath import Aftermath
from autoplayer.session.next_level.arrivals import Arrivals
from autoplayer.session.next_level.presses import SAME_SPOT, Presses
from autoplayer.session.window import Unread

ANOTHER = 0.004
"""The least share of the window that must change for a new screen: a button or two."""

SPOT, SAME_PART, SAME_INK = 0.04, 0.15, 0.5
"""Whether the same control is at a point: the radius that is compared, as a share of the window's smaller side, and the
largest share that may differ, of all pixels and of those that are not background (a rim marks what was pressed
last)."""

MOST_KNOWN = 8
"""How many controls that led on are remembered by their looks."""

CORNER_WIDE, CORNER_HIGH, TICKS = 0.35, 0.15, 0.3
"""The corner in which an advertisement counts down, as shares of the window's sides, and the largest share of it that
changes: in an animation as a whole more changes."""

ALIKE = 0.65
"""The least correlation of two pictures of a corner that show the same things, perhaps behind a shade. A clock that is
alone there has 0.7 when all its digits have changed; two screens have next to none."""


class Interludes(Generic[P, S]):
    """Gets past interludes, by ``presses`` in the window of ``seen``, until a level appears."""

    def __init__(self, seen: Aftermath[P, S], arrivals: Arrivals[P, S], presses: Presses[P, S]) -> None:
        self.seen = seen
        self._arrivals, self._presses = arrivals, presses
        self.pressed: list[tuple[Frame, Point]] = []
        """What was pressed since the level's end, and in which pictures."""
        self._led: list[tuple[Frame, Point]] = []
        """Those of them that changed the screen."""
        self._known: deque[tuple[Frame, Point]] = deque(maxlen=MOST_KNOWN)
        """Those that changed the screen on the way to another level, in this session."""

    def past(self, end: Ending[P, S], before: Frame, at: Point | None, *, ended: bool = True) -> Sight[P, S] | None:
        """The level that comes after an interlude: after the press at ``at`` in ``before`` (None: of a key), which led
        to no level. None where there was no interlude, or no level comes after it. ``ended``: whether ``before`` was
        the dialog at the level's end; otherwise that may still appear. Where the same level has restarted, what led to
        it is not pressed again."""
        found = self._level_past(end, before, at, ended)
        if found is not None and self.seen.window.same_level(found, end.board):
            self._presses.leads_back.extend(at for _, at in self.pressed[-1:])
        elif found is not None:
            self._learn()
        return found

    def _level_past(self, end: Ending[P, S], before: Frame, at: Point | None, ended: bool) -> Sight[P, S] | None:
        if at is not None:
            self.pressed.append((before, at))
        now = self.seen.window.still(limits.MOVE_LIMIT)
        if not another(before, now, _box_at(before, at)):
            return None
        now = self.counted_down(end, now)
        if at is not None:
            self._led.append((before, at))
        first, last = before if ended else now, before
        fork = None  # the page, and the press on it that led to a page with several ways on
        for _ in range(limits.MOST_INTERLUDES):
            points = self._ways(end.board, end.drawn, now, first, last)
            if not points and fork is not None and not another(fork[0], now, None):
                points, fork = [fork[1]], None  # a way led back here ("Cancel"): the other one has not been tried
            elif len(points) > 1 and self.pressed:
                fork = self.pressed[-1]
            if not points:
                return None
            at, shown = points[0], now
            last = shown
            self._presses.click(at, shown)
            self.pressed.append((shown, at))
            found, _ = self._arrivals.wait(end, shown, limits.PRESS_LIMIT)
            now = shown if found is not None else self.counted_down(end, self.seen.window.still(limits.MOVE_LIMIT))
            if found is not None or another(shown, now, _box_at(shown, at)):
                self._led.append((shown, at))
            if found is not None:
                return found
        return None

    def begin(self) -> None:
        """A level has ended: nothing was pressed since."""
        self.pressed.clear()
        self._led.clear()

    def _learn(self) -> None:
        """The presses have led to another level: remember them."""
        self._known.extend([(then, at) for then, at in self._led if not self._known_at(at, then)])

    def known_first(self, points: Sequence[Point], now: Frame) -> list[Point]:
        """``points`` of ``now``, first those that look like controls that led on after an earlier level."""
        return sorted(points, key=lambda at: not self._known_at(at, now))

    def _known_at(self, at: Point, now: Frame) -> bool:
        return _among(self._known, at, now)

    def _ways(self, board: Sight[P, S], drawn: Drawn, now: Frame, first: Frame, last: Frame) -> list[Point]:
        """What may be pressed to get past what ``now`` shows, the most probable first, without what was already pressed
        there. Empty where it is the board, and where there is a choice between several things. ``first``: the screen
        that appeared at the level's end; ``last``: the one that was pressed on last."""
        places = board.reading.places.values()
        again = not another(first, now, None)
        if last.size == now.size and shaded_dialog(last.image, now.image, places) is not None:
            # In front of the dialog that was pressed on there is another one, and the background is shaded twice.
            points = self.seen.boxes_first(board, (last, last), now, controls_on_cover(last.image, now.image, places))
            points = self.ordered(board, (last, last), now, points)
        elif self.seen.covered(board, drawn, now):
            points = self.seen.boxes_first(board, drawn, now, controls_on_cover(drawn[1].image, now.image, places))
            points = points if again else self.ordered(board, drawn, now, points)
        elif self.seen.levels_listed(now) or self.seen.window.progress(board, now).complete or self._may_be_level(now):
            return []
        else:
            boxes = self.seen.boxes_first(board, drawn, now, ())
            if not again or not boxes:  # of several boxes on an interlude each is a choice
                boxes = self._outs(board, drawn, now) or (boxes if len(boxes) == 1 else [])
            points = boxes
        points = self.known_first(self._presses.worth(board, points, now), now)
        return [at for at in points[: limits.MOST_CONTROLS] if not self.was_pressed(at, now)]

    def _may_be_level(self, now: Frame) -> bool:
        """Whether ``now`` may show a level, even one that cannot be read."""
        read = self.seen.window.read(now)
        return not isinstance(read, Unread) or not read.refused or len(read.places) > limits.FEW_CELLS

    def _outs(self, board: Sight[P, S], drawn: Drawn, now: Frame) -> list[Point]:
        """Controls that certainly lead past a screen that is not a level's end: one that declines a rating, a cross."""
        places = board.reading.places.values()
        return self._unrated(board, drawn, now) or crosses(drawn[1].image, now.image, places)

    def at_first(self, end: Ending[P, S], now: Frame, *, gone: bool) -> list[Point]:
        """What leads past a screen that came instead of the dialog at a level's end: a control that declines a rating;
        a cross that appeared in ``now`` a while after the first picture of the screen, as on an advertisement; or a
        cross on an offer. ``gone``: whether the board is gone. Empty where it is no such screen."""
        met = self._arrivals.met
        late = crosses(met.image, now.image, end.places) if met is not None else []
        return self._unrated(end.board, end.drawn, now) or late or self._declined(end, now, gone)

    def _declined(self, end: Ending[P, S], now: Frame, gone: bool) -> list[Point]:
        """The cross on an offer, which is recognised by its words."""
        then, places = end.drawn[1].image, [] if gone else [*end.places]
        closing = crosses(then, now.image, places)
        if not closing:
            return []
        points = self.seen.scene(end.board, end.drawn, now) if gone else controls_on_cover(then, now.image, places)
        on_it = self.seen.boxes_first(end.board, end.drawn, now, points)
        return closing if self._presses.offered(on_it, now) else []

    def _unrated(self, board: Sight[P, S], drawn: Drawn, now: Frame) -> list[Point]:
        """Controls that may decline a rating, where ``now`` asks for one; else empty."""
        places = board.reading.places.values()
        if rating(drawn[1].image, now.image, places) is None:
            return []
        on_it = self.seen.boxes_first(board, drawn, now, controls_on_cover(drawn[1].image, now.image, places))
        return self.ordered(board, drawn, now, on_it)

    def ordered(self, board: Sight[P, S], drawn: Drawn, now: Frame, points: Sequence[Point]) -> list[Point]:
        """``points`` of an interlude in the order in which they are pressed: a cross that closes it first. Of two
        boxes, or where it asks for a rating, the one in the background's colour ("No thanks") comes before the
        prominent one, and so does a line of text below a single box."""
        places = board.reading.places.values()
        then = drawn[1].image
        found = controls(now.image)
        stars = rating(then, now.image, places)
        on_box = {at: _smallest_at(found, at) for at in points if stars is None or not stars.contains(at)}
        boxes = {at: box for at, box in on_box.items() if box is not None}
        plain = [at for at, box in boxes.items() if not _stands_out(box, now.image)]
        lone = [box.box for at, box in boxes.items() if at not in plain] if not plain else []
        links = [at for at, box in on_box.items() if len(lone) == 1 and box is None and at[1] > lone[0].y]
        first = plain if stars is not None or len(boxes) == 2 else []
        closing = crosses(then, now.image, places)
        return [at for at in dict.fromkeys([*closing, *first, *links, *on_box]) if not self._presses.spared(board, at)]

    def counted_down(self, end: Ending[P, S], now: Frame) -> Frame:
        """The picture once nothing counts down any more in an upper corner of ``now``, or a cross has appeared there.
        The game's own clock, which may never stop, does not count."""
        window = self.seen.window
        visible = self.seen.covered(end.board, end.drawn, now) or window.progress(end.board, now).present
        deadline = window.screen.now() + limits.COUNTDOWN_LIMIT
        while window.screen.now() < deadline:
            later = window.still(limits.TICK, unlike=now, quiet=limits.QUICK)
            if not _ticks(now, later, end.first, visible=visible) or crosses(now.image, later.image, ()):
                return later
            now = later
        return now

    def was_pressed(self, at: Point, now: Frame) -> bool:
        """Whether ``at`` was pressed since the level's end in a picture like ``now``."""
        return _among(self.pressed, at, now)


def another(before: Frame, now: Frame, at: Box | None) -> bool:
    """Whether something has appeared or vanished since ``before``, apart from the pressed control ``at``: one dialog
    may replace another in the same frame."""
    if before.size != now.size:
        return True
    differ = differing(before.image, now.image)
    if at is not None:
        at.crop(differ)[...] = False
    return float(differ.mean()) > ANOTHER


def _among(pressed: Iterable[tuple[Frame, Point]], at: Point, now: Frame) -> bool:
    """Whether one of ``pressed`` is at ``at``, with surroundings that looked as in ``now``."""
    reach = SAME_SPOT * min(now.size)
    return any(max(abs(at[0] - x), abs(at[1] - y)) <= reach and _same_there(then, now, at) for then, (x, y) in pressed)


def _same_there(before: Frame, now: Frame, at: Point) -> bool:
    """Whether the surroundings of ``at`` look as they did ``before``."""
    if before.size != now.size:
        return False
    half = max(round(SPOT * min(now.size)), 8)
    spot = Box(at[0] - half, at[1] - half, 2 * half, 2 * half)
    then, there = spot.crop(before.image), spot.crop(now.image)
    other = differing(then, there)
    # Words on a dialog's background have hardly any ink, so the changed share of the ink is compared as well.
    grounds = [
        np.broadcast_to(np.median(part.reshape(-1, 3), axis=0).astype(np.uint8), part.shape) for part in (then, there)
    ]
    inked = differing(then, grounds[0]) | differing(there, grounds[1])
    return bool(other.mean() <= SAME_PART and np.count_nonzero(other) <= SAME_INK * np.count_nonzero(inked))


def _smallest_at(found: Sequence[Control], at: Point) -> Control | None:
    around_it = [each for each in found if each.box.contains(at)]
    return min(around_it, key=lambda each: each.box.width * each.box.height, default=None)


def _stands_out(control: Control, image: Image) -> bool:
    """Whether a box has another colour than its surroundings."""
    box = control.box
    if colourfulness(control) < COLOURLESS * OWN_COLOUR:
        return False
    reach = max(min(box.width, box.height) // 8, 2)
    rows = Box(box.x, box.y - 2 * reach, box.width, reach), Box(box.x, box.y + box.height + reach, box.width, reach)
    ground = np.median(np.concatenate([row.crop(image).reshape(-1, 3) for row in rows]), axis=0)
    return bool(np.abs(ground - np.array(control.colour)).max() > OWN_COLOUR)


def _box_at(frame: Frame, at: Point | None) -> Box | None:
    if at is None:
        return None
    found = _smallest_at(controls(frame.image), at)
    return found.box if found else None


def _ticks(before: Frame, now: Frame, first: Frame, *, visible: bool) -> bool:
    """Whether a small part of one of the upper corners has changed that is not the game's own clock: see
    :func:`_is_clock`."""
    if before.size != now.size:
        return False
    width, height = now.size
    ticked = changed(before.image, now.image) > 0  # digits do, and pale shapes that drift in the background do not
    wide, high = round(CORNER_WIDE * width), round(CORNER_HIGH * height)
    shares = [0.0]
    for corner in (Box(0, 0, wide, high), Box(width - wide, 0, wide, high)):
        part = corner.crop(ticked)
        known = first.size == now.size and part.any()
        if not known or not _is_clock(part, corner.crop(first.image), corner.crop(now.image), visible):
            shares.append(float(part.mean()))
    return 0 < max(shares) <= TICKS


def _is_clock(ticked: Mask, first: Image, now: Image, visible: bool) -> bool:
    """Whether what ``ticked`` in a corner, which now shows ``now``, belongs to the game: its ``first`` picture showed
    something there, and the level is ``visible`` still, or the corner shows what it did, perhaps behind a shade."""
    ys, xs = np.nonzero(ticked)
    inside = first[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    ground = np.median(inside.reshape(-1, 3), axis=0).astype(np.uint8)
    inked = bool(differing(inside, np.broadcast_to(ground, inside.shape)).any())
    return inked and (visible or float(cv2.matchTemplate(now, first, cv2.TM_CCOEFF_NORMED)[0, 0]) >= ALIKE)
