"""Finds the way to a level where none is visible: through a title screen, a page of help, a list of levels. It presses
what a person would press, a limited number of times, and repeats nothing that had no effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic

from autoplayer.core.frame import Box, Frame, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Keys
from autoplayer.games.base import Move, P, S
from autoplayer.session import limits
from autoplayer.session.looking.boxes import Control, controls, text_lines
from autoplayer.session.looking.level_lists import LevelList, levels_shown, page_turn, short_list
from autoplayer.session.looking.menus import leafed, moved_on, on_a_banner, on_a_dialog, stands_at, ways_in
from autoplayer.session.window import INTERRUPTIONS, GameWindow, Unread

BEGIN_KEYS = ("enter", "space")
"""Keys for a title screen that does not react to clicks; either also serves for "press any key"."""


MOST_KEPT = 8
"""The most pages of lists that are remembered, with the level that was chosen last on each."""


def _in_one_line(places: Sequence[Box]) -> bool:
    """Whether the boxes taken for cells form a single row, as the letters of a line of text do, but not a board."""
    return max(box.y for box in places) < min(box.y + box.height for box in places)


@dataclass(frozen=True)
class _Way:
    """What is pressed: a point, or a key; ``to``: the end point of a drag from that point. ``box``: the control at the
    point; ``number``: the index of the level in the list ``among``, from 0."""

    at: Point | None = None
    to: Point | None = None
    key: str | None = None
    box: Box | None = None
    among: LevelList | None = None
    number: int = 0


class Entrance(Generic[P, S]):
    """Finds the way in ``window``. For the whole session it remembers which level of a list was chosen last, and which
    presses led on from which picture."""

    def __init__(self, window: GameWindow[P, S]) -> None:
        self.window = window
        self._taken: list[tuple[LevelList, int]] = []
        """For each list the level that was chosen last."""
        self._openers: list[tuple[Frame, _Way]] = []
        self.begin(everything=True)

    def begin(self, *, everything: bool) -> None:
        """Start looking for a way in: with ``everything`` on any screen, otherwise (after a level) only in lists of
        levels, and on screens from which a press has led on before."""
        self._everything = everything
        self._page: Frame | None = None
        self._ways: list[_Way] = []
        self._last: _Way | None = None
        self._presses = self._vain = 0
        self._seen: list[Frame] = []

    @property
    def lists(self) -> list[LevelList]:
        """The lists from which levels were chosen."""
        return [known for known, _ in self._taken]

    def arrived(self) -> None:
        """A level is visible: the last press has led to it."""
        if self._last is not None:
            self._led_on(self._last)
        self._last = self._page = None

    def knock(self, frame: Frame, unread: Unread) -> bool:
        """Press what may lead on from the still picture ``frame``, which shows no level. False where nothing is left to
        press."""
        if self._page is None or self._last is None:
            self._enter(frame, unread)
        elif moved_on(self._page.image, frame.image, self._last.box):
            self._led_on(self._last)
            self._enter(frame, unread)
        elif self._presses < limits.MOST_LEAVES and leafed(self._page.image, frame.image, self._last.box):
            # Another page of the same help: what turned the page is pressed again, and on the last page it starts the
            # game.
            self._page, self._ways = frame, [self._last, *self._ways]
        else:
            self._vain += 1
        if not self._ways or self._presses >= limits.MOST_PRESSES or self._vain >= limits.MOST_IN_VAIN:
            return False
        way = self._ways.pop(0)
        self._last = way
        self._presses += 1
        self._press(way, frame)
        return True

    def leads_on(self, frame: Frame) -> bool:
        """Whether something in ``frame``, which shows no level, might be pressed. Presses nothing."""
        found = controls(frame.image)
        return levels_shown(frame.image, found) is not None or bool(ways_in(frame.image, found))

    def _led_on(self, way: _Way) -> None:
        if way.among is not None:
            self._taken = [each for each in self._taken if not each[0].alike(way.among)]
            self._taken = [*self._taken[1 - MOST_KEPT :], (way.among, way.number)]
        elif self._page is not None:
            self._openers.append((self._page, way))

    def _enter(self, frame: Frame, unread: Unread) -> None:
        """Another screen has appeared: determine what might be pressed on it."""
        self._page = frame
        at = self._last.box if self._last is not None else None
        again = any(
            not moved_on(seen.image, frame.image, None) and not leafed(seen.image, frame.image, at)
            for seen in self._seen
        )
        self._seen.append(frame)
        self._ways = [] if again or not unread.refused else self._ways_from(frame, unread)

    def _ways_from(self, frame: Frame, unread: Unread) -> list[_Way]:
        found = controls(frame.image)
        listed = levels_shown(frame.image, found) or self._short_list(found)
        led_on = [way for page, way in self._openers if not moved_on(page.image, frame.image, None)]
        keys = [_Way(key=key) for key in BEGIN_KEYS] if self._everything else []
        if listed is not None:
            return [*led_on[:1], *(self._levels(listed) or self._pages(frame, listed)), *keys]
        if (len(unread.places) > limits.FEW_CELLS and not _in_one_line(unread.places)) or any(
            stands_at(each, unread.places) for each in found
        ):
            # The boxes with content that were read as cells are a board; something that covers it may be put away.
            if not self._everything:
                return []
            over = on_a_dialog(frame.image, found, unread.places) or on_a_banner(frame.image, found, unread.places)
            return [_Way(each.box.centre, box=each.box) for each in over[:1]]
        if led_on:
            return led_on[:1]
        if not self._everything or not (found or text_lines(frame.image)):
            return []
        points = ways_in(frame.image, found)
        before_all = [each.box.centre for each in on_a_dialog(frame.image, found, ())]
        if before_all and not any(at in before_all for at in points):  # it covers what is not taken for a board
            points = [*before_all, *points]
        pressed = [
            _Way(at, box=next((each.box for each in found if each.box.contains(at)), None))
            for at in dict.fromkeys(points)
        ]
        return [*pressed, *keys] if pressed else []

    def _short_list(self, found: Sequence[Control]) -> LevelList | None:
        """A list of a few levels among ``found``: one from which a level was chosen before, whatever its boxes show
        now; or, before the first level, anything that looks like one. (Two signs beside a board may look like one,
        too.)"""
        for known, _ in reversed(self._taken):
            listed = known.again(found)
            if listed is not None:
                return listed
        return short_list(found) if self._everything else None

    def _levels(self, listed: LevelList) -> list[_Way]:
        """The level of ``listed`` after the one that was chosen last; if none was, the first one to be played; none
        where the last visible one was chosen."""
        numbers: Sequence[int] | None = None
        for known, number in reversed(self._taken):
            numbers = listed.after(known, number)
            if numbers or listed.alike(known):
                break
        else:
            numbers = listed.first(some_done=not self._everything)
        return [_Way(listed.boxes[k].box.centre, box=listed.boxes[k].box, among=listed, number=k) for k in numbers]

    def _pages(self, frame: Frame, listed: LevelList) -> list[_Way]:
        """Ways to the parts of a list of levels that are not visible: a control that turns pages, or a drag by the
        visible height less one box, as a finger would do."""
        first, last = listed.boxes[0].box.centre, listed.boxes[-1].box.centre
        column = abs(first[0] - last[0]) < listed.boxes[0].box.width
        rightmost = max(each.box.centre[0] for each in listed.boxes)
        drag = _Way(last, first) if column else _Way((rightmost, first[1]), first)
        turns = [_Way(at) for at in page_turn(frame.image, listed)]
        return [drag, *turns] if column else [*turns, drag]

    def _press(self, way: _Way, frame: Frame) -> None:
        gesture: Gesture
        if way.at is None:
            gesture, text = Keys((way.key or BEGIN_KEYS[0],)), f"pressing {way.key} on a screen without a level"
        elif way.to is not None:
            gesture, text = Drag((way.at, way.to)), f"dragging a list of levels from {way.at} to {way.to}"
        elif way.among is not None:
            gesture, text = Click(way.at), f"taking box {way.number + 1} of {len(way.among.boxes)} in a list of levels"
        else:
            gesture, text = Click(way.at), f"pressing the control at {way.at} on a screen without a level"
        self.window.say("next", text, frame)
        pace = replace(self.window.pacing.pace, press=limits.CONTROL_PRESS)
        try:
            self.window.perform(Move("way in", (gesture,)), frame, pace)
            self.window.park(frame, ())
        except INTERRUPTIONS as fault:  # nothing was pressed; the window is examined again
            if way.at is not None:
                self.window.clear([Box(*way.at, 1, 1)], fault)
