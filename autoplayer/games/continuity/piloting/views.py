"""Finds the views of the levels that a window shows, and the way from one view to the other. Whether a level is over is
told in ``ending``."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Frame, Image
from autoplayer.core.gestures import Hold, Keys, Pace, Wheel
from autoplayer.games.base import Steerable
from autoplayer.games.continuity.piloting.buttons import buttons
from autoplayer.games.continuity.piloting.calming import LOOKS, WATCHED, Calming, watched
from autoplayer.games.continuity.piloting.comparing import (
    apart,
    clearer,
    in_place,
    likely,
    one_board,
    scrolled,
    slid,
    unfolds,
)
from autoplayer.games.continuity.piloting.hands import LostError
from autoplayer.games.continuity.piloting.looking import Looking
from autoplayer.games.continuity.piloting.marks import Marks, marks_between, restless
from autoplayer.games.continuity.reader import pictures
from autoplayer.games.continuity.seeing.sight import Bools, Tiles
from autoplayer.games.continuity.seeing.things.named import named
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.layout import CLICK, CLICKS, WHEELS, Layout, clicked

STILL = 2.5
"""Seconds within which the window comes to rest."""
SLUGGISH = 0.4
"""Seconds for which a window stands still that was found to draw seldom."""
ANSWERS = 1.2
"""Seconds within which a window shows that a key was pressed."""
SOON, SEVERAL, LATE = 0.25, 4, 3
"""Seconds after which it is looked whether a key may have changed the view, where at least so many are left to be
tried; and how many of the last keys may have changed it then."""
CHANGED = 0.02
"""The least share of the picture that changes with the view."""
UNALIKE, BOARDLESS = 0.5, 0.1
"""The share of the changes in the other view that may remain when the first one has returned; and the same if the other
view shows no board: it may have been a title, and a small map differs from a near level by less than that."""
VIEW_KEYS = (
    *("space", "enter", "x", "z", "c", "m", "e", "v", "q", "f", "shift", "ctrl", "o", "t", "g", "b"),
    *WHEELS,
    "tab",
)
"""Candidate keys for changing the view, the most common first; in a browser Tab leads away from the game."""
DOUBLE, RIGHT = (name for name in CLICKS if name != CLICK)
"""Clicks in the middle that are tried last."""
WALK_KEYS = (("left", "right"), ("a", "d"))
"""The same for walking."""
NO_KEY = "tab"
"""The value if no key changes the view: a key that neither walks nor jumps."""
MORE_PRESSES = 4
"""How often a key that changes only a mark is pressed again to confirm that."""
STEP = 0.2
"""Seconds of a walk that shows that there is a figure."""
MOVES = 0.25
"""The least change when the figure moves, in units of its size."""
TAP = Pace(0.08, 0.02, 0.02)


class AnotherError(LostError):
    """The window shows another level than a moment ago."""


@dataclass
class Trial:
    """What was found out about the candidate ways to change the view, since the picture ``first``. ``idle``: what
    changes by itself, if that was observed; ``answers``: whether any of them changed anything; ``reasons``: why each
    was rejected, in words."""

    first: Frame
    idle: Bools | None = None
    answers: bool = False
    reasons: list[str] = field(default_factory=list)

    def rests(self, later: Frame) -> None:
        """Whether everything that differs in ``later`` also changes by itself."""
        if self.idle is not None and later.image.shape == self.first.image.shape:
            self.idle |= restless([self.first.image, later.image])


class Views:
    """Finds and opens levels in a window, in both of their views."""

    def __init__(self, window: Steerable, layout: Layout) -> None:
        """``layout``: what is known of the window. Raises NotFoundError or LayoutError where its pictures cannot be
        used."""
        self.window = window if isinstance(window, Calming) else Calming(window)
        self.layout = layout
        self._pictures = pictures(layout)
        self._view_key = VIEW_KEYS[0]
        """The way to change the view: a key, or the direction of the wheel that leads to the view in which tiles are
        moved."""
        self._turns = 0
        """How often the wheel was turned since a level was searched: every second turn is in the other direction."""
        self._marks: Marks | None = None
        """The mark that tells the views apart if they have the same size."""
        self._one_view: bool | None = None
        """Whether tiles are moved in the view in which the figure walks; None before a level was seen."""
        self._doubted = False
        """Whether no tile moved in the only view that is known, and buttons were not yet tried for another one."""
        self._risked = False
        """Whether a right click was tried."""
        self._boards: list[Tiles] = []
        """The level in the views in which it could be read."""
        self._met: Tiles | None = None
        """The level as the first picture of the current search showed it."""
        self._shown: tuple[Frame, ...] = ()
        """The pictures in which it was found: one of each view, or of the only one."""

    def _open(self) -> tuple[Tiles, Looking]:
        """The level's tiles, with the walking view on. Raises LostError, UnreadableError."""
        known, trial = self.layout.continuity, self._tried()
        ways: Sequence[str] = VIEW_KEYS
        if self._one_view:
            ways = self._lasts(trial) if self._doubted else ()
            self._doubted = False
        elif known and known.view:
            ways = (known.view, *(WHEELS if known.view in WHEELS else ()))
        opened = self._opened_by(ways, trial)
        if opened is None and ways is VIEW_KEYS:
            stirs = self.stirs()
            heard = trial.answers or stirs
            trial = self._tried(trial.reasons)
            opened = self._opened_by((CLICK,), trial)
            if opened is None and not heard:  # some windows hear no key before they are clicked
                trial = self._tried()
                opened = self._opened_by((*ways, CLICK), trial)
            if opened is None:
                trial = self._tried(trial.reasons)
                if not (stirs and self._level(trial.first)):
                    opened = self._opened_by(self._lasts(trial), trial)
        if opened is None and self._one_view is not False:
            opened = self._in_one_view()
        if opened is None:
            raise LostError(f"no level is seen: {'; '.join(trial.reasons)}")
        return opened

    def _lasts(self, trial: Trial) -> list[str]:
        """What is tried last: a double click, what looks like buttons, and a right click, once, because that may open a
        menu over the window."""
        return [DOUBLE, *buttons(trial.first.image), *((RIGHT,) if not self._risked else ())]

    def _tried(self, reasons: Sequence[str] = ()) -> Trial:
        """A trial that begins with the window as it is now."""
        first = self.window.still(STILL)
        return Trial(first, self.window.moving(first), reasons=list(reasons))

    def _apart(self, one: Frame, other: Frame) -> float:
        """The share of the picture in which two frames differ, besides what always moves."""
        return apart(one, other, self.window.moving(one))

    def _opened_by(self, ways: Sequence[str], trial: Trial) -> tuple[Tiles, Looking] | None:
        """The level's tiles, with the walking view shown, by the first of ``ways`` that changes the view; None if none
        does. Raises AnotherError."""
        known = self.layout.continuity is not None
        self._turns = 0
        left, sought = list(dict.fromkeys(ways)), False
        while left:
            key = left.pop(0)
            first, other = trial.first, self._answer(key, trial)
            if other is None:
                trial.reasons.append(f"{key} changes nothing")
                self._turns = 0
                if not known and key not in WHEELS:
                    self._press(key)  # it may have changed what is not seen
                if len(left) >= SEVERAL and not sought:
                    left, sought = self._likeliest(left, trial), True
                continue
            trial.answers = True
            if key in WHEELS and scrolled(first, other):
                trial.reasons.append(f"{key} scrolls")
                self._press(key)
                self._turns = 0
                continue
            if key == RIGHT and unfolds(first, other, trial.idle):
                trial.reasons.append(f"a {key} opens a menu")
                self._press("escape")
                continue
            board, other = self._board(first.image), self._rested(other)
            little = apart(first, other, trial.idle) < CHANGED
            seen = [None, None] if little else [board, self._board(other.image)]
            if clicked(key) and slid(*seen):
                trial.reasons.append(f"{key} moves a tile")
                return None
            if little or in_place(*seen):
                opened = self._marked(board, (first, other), key, trial.idle)
                if opened is not None:
                    self._met, self._boards, self._one_view = opened[0], [opened[0]], False
                    return opened
                back = self.window.glance()
                if min(apart(first, back, trial.idle), self._apart(first, back)) >= CHANGED:
                    raise AnotherError("presses led on from what was looked at, as from a title over a level's name")
                trial.rests(back)  # after two presses what differs still is no answer either
                trial.reasons.append(f"{key} changes next to nothing")
            elif seen == [None, None]:
                trial.reasons.append(f"after {key} no board is seen either")
                self._press(key)
                self._back(first, other)
            else:
                return self._in_two_views(key, (first, other), seen)
        return None

    def _likeliest(self, keys: Sequence[str], trial: Trial) -> list[str]:
        """``keys``, first those of which one has soon changed much of the picture: all are pressed, one shortly after
        the other, until that happens. Then ``trial`` begins with what is shown by then. If it does not happen, only
        those are left that may have changed a small mark, if a board is seen."""
        pressed: list[str] = []
        small: list[str] = []
        for key in (each for each in keys if each not in WHEELS):
            pressed.insert(0, key)
            for times in range(2):  # what is not seen is changed back
                self._press(key)
                now = self.window.glance(SOON)
                away = apart(trial.first, now, trial.idle)
                if away > 0:
                    small = [*pressed[:LATE], *small]
                if away >= CHANGED:
                    before, trial.first = trial.first, self.window.still(STILL)
                    if self._apart(before, trial.first) >= CHANGED:
                        return list(dict.fromkeys((*pressed[:LATE], *keys)))
                    trial.idle = self.window.moving(trial.first)  # clouds have drifted on
                elif times:
                    trial.rests(now)  # a key that bobs up and down
        if self._apart(trial.first, self.window.still(ANSWERS, unlike=trial.first)) > 0:
            small = [*pressed[:LATE], *small]
        left = small if self._board(trial.first.image) is not None else []
        trial.reasons += [f"{key} changes nothing" for key in reversed(pressed) if key not in left]
        return [*dict.fromkeys(left), *(key for key in keys if key not in pressed)]

    def _answer(self, key: str, trial: Trial) -> Frame | None:
        """The still picture after ``key`` is pressed, if the window responds; otherwise None."""
        end = self.window.now() + ANSWERS
        self._press(key)
        other = self._answered(trial.first, self.window.still(ANSWERS, unlike=trial.first), trial.idle, end)
        if other is not None and trial.idle is None and apart(trial.first, other) < CHANGED:
            trial.idle = self._restless(other)  # a clock that runs is no answer to a key
            other = self._answered(trial.first, other, trial.idle, self.window.now() + ANSWERS)
        return other

    def _in_two_views(
        self, key: str, frames: tuple[Frame, Frame], seen: Sequence[Tiles | None]
    ) -> tuple[Tiles, Looking]:
        """The level of a window in which ``key`` leads from the first of two ``frames`` to the other; ``seen``: the
        boards in them, at least one; with the walking view shown. Raises AnotherError."""
        self._marks, self._shown = None, frames
        first, other = frames
        boards = [(board, n) for n, board in enumerate(seen) if board is not None]
        if len(boards) == 2 and not one_board(*(board for board, _ in boards)):
            boards = [max(boards, key=lambda each: likely(each[0]))]  # one shows a part of it, and was misread
        self._boards = [board for board, _ in boards]
        self._met = seen[0]
        # Tiles are smaller in the view in which they are moved.
        _, sliding = min(boards, key=lambda each: each[0].boxes[0].width)
        read: list[Tiles | None] = [None, None]
        for board, n in boards:
            read[n] = board
        chosen, tiles = clearer(sliding, read)
        self._view_key = key
        eyes = Looking(tiles)
        eyes.see(frames[chosen].image)
        self._press(key)
        back = walking = self._back(first, other, UNALIKE if seen[0] else BOARDLESS)
        if sliding == 0:
            self._press(key)
            walking = self.window.still(STILL, unlike=back, quiet=SLUGGISH)
            if key in WHEELS:
                self._view_key = next(other for other in WHEELS if other != key)
        eyes.meet(walking.image)
        self._turns, self._one_view = 0, False
        return tiles, eyes

    def _back(self, first: Frame, other: Frame, most: float = UNALIKE) -> Frame:
        """The still picture after the second press. ``most``: the share of the differences that may remain. Raises
        AnotherError if that press did not lead from ``other`` back to ``first``."""
        back = self.window.still(STILL, unlike=other)
        if self._apart(first, back) > most * self._apart(first, other):
            back = self.window.still(STILL, unlike=back, quiet=SLUGGISH)
            if self._apart(first, back) > most * self._apart(first, other):
                raise AnotherError("another level came while this one was looked at")
        return back

    def _rested(self, still: Frame) -> Frame:
        """``still``, or the still picture that has followed it: a window that draws seldom seems to stand still while
        its view changes."""
        return still if self._apart(still, self.window.glance()) < CHANGED else self.window.still(STILL, quiet=SLUGGISH)

    def stirs(self) -> bool:
        """Whether anything changes when a walking key is held, besides what changes by itself. That is observed only
        where something changes at all."""
        last, idle = self.window.still(STILL), None
        for key in itertools.chain(*WALK_KEYS):
            self._hold(key)
            if idle is None and apart(last, self.window.glance(SOON)) > 0:
                last = self.window.still(STILL)
                idle = self._restless(last)
                self._hold(key)
            if idle is not None and apart(last, self.window.still(ANSWERS, unlike=last), idle) > 0:
                return True
        return False

    def _hold(self, key: str) -> None:
        """Hold a walking key for a short step."""
        self.window.perform((Hold((key,), STEP),), TAP)

    def _in_one_view(self) -> tuple[Tiles, Looking] | None:
        """The level of a window in which no key changes the view; None if no level is seen."""
        still = self.window.still(STILL)
        tiles = self._level(still)
        if tiles is None:
            return None
        tiles = replace(tiles, view="walking")
        self._view_key, self._one_view, self._marks = NO_KEY, True, None
        self._met, self._boards, self._shown = tiles, [tiles], (still,)
        eyes = Looking(tiles)
        eyes.meet(still.image)
        return tiles, eyes

    def _answered(self, first: Frame, other: Frame, idle: Bools | None, end: float) -> Frame | None:
        """The still picture, ``other`` or a later one until ``end``, that differs from ``first`` by more than what
        changes by itself (``idle``); None if there is none."""
        while other.image.shape == first.image.shape and apart(first, other, idle) == 0:
            if idle is None or self.window.now() > end:
                return None
            other = self.window.glance(WATCHED / LOOKS)
            if apart(first, other, idle) > 0:
                other = self.window.still(ANSWERS, unlike=first)
        return other if other.image.shape == first.image.shape else None

    def _marked(
        self, tiles: Tiles | None, frames: tuple[Frame, Frame], key: str, idle: Bools | None
    ) -> tuple[Tiles, Looking] | None:
        """The level in a window whose views have the same size and differ by a mark, with the walking view shown; None
        if the ``frames`` before and after ``key`` differ by something else. ``tiles``: the board in the first one."""
        first, other = frames
        marks = self._marks or marks_between(first.image, other.image, idle)
        self._press(key)
        back = self.window.still(STILL, unlike=other)
        if tiles is None or marks is None or 2 * self._apart(first, back) > self._apart(first, other):
            return None
        views = [marks.view(frame.image) for frame in (first, other, back)]
        for _ in range(MORE_PRESSES if self._marks is None else 0):  # what runs by itself may have come round just then
            if views[-1] != views[-3]:
                break
            self._press(key)
            back = self.window.still(STILL, unlike=back)
            views.append(marks.view(back.image))
        if set(views) != {"walking", "sliding"} or any(one != two for one, two in zip(views, views[2:], strict=False)):
            return None
        self._view_key, self._marks, self._shown = key, marks, (first,)
        eyes = Looking(tiles, marks)
        eyes.meet(first.image)
        if views[0] == "sliding":
            self._press(key)
            eyes.meet(self.window.still(STILL, unlike=back).image)
        return tiles, eyes

    def _restless(self, frame: Frame) -> Bools:
        """The mask of what changes by itself in the view of ``frame``, shape ``(height, width)``."""
        return restless([each.image for each in watched(self.window, frame)])

    def _press(self, key: str) -> None:
        """Press a key, click, or turn the wheel (alternating the direction)."""
        if key in WHEELS:
            width, height = self.window.glance().size
            notches = -WHEELS[key] if self._turns % 2 else WHEELS[key]
            self.window.perform((Wheel((width // 2, height // 2), notches),), TAP)
            self._turns += 1
        elif click := clicked(key):
            self._risked |= key == RIGHT
            self.window.perform((click.within(self.window.glance().size),), TAP)
        else:
            self.window.perform((Keys((key,)),), TAP)

    def _board(self, image: Image) -> Tiles | None:
        try:
            return named(read_tiles(image), image, self._pictures)
        except UnreadableError:
            return None

    def _level(self, frame: Frame) -> Tiles | None:
        """The board in a picture; None if there is none with a figure and a door."""
        tiles = self._board(frame.image)
        return tiles if tiles is not None and {"figure", "door"} <= {thing.kind for thing in tiles.things} else None
