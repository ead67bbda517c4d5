"""The way to a level where none is seen: a title screen, a page of help, a list of levels. What a person would press
there is pressed, a few times at most, and what leads nowhere not again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic

from autoplayer.core.frame import Box, Frame, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Keys
from autoplayer.games.base import Move, P, S
from autoplayer.session import limits
from autoplayer.session.boxes import Control, controls, text_lines
from autoplayer.session.level_lists import LevelList, levels_shown, page_turn, short_list
from autoplayer.session.menus import leafed, moved_on, on_a_banner, on_a_dialog, stands_at, ways_in
from autoplayer.session.window import INTERRUPTIONS, GameWindow, Unread

BEGIN_KEYS = ("enter", "space")
"""What a title screen that hears no press may want to hear; "any key" is one of them as well."""


MOST_KEPT = 8
"""How many pages of lists are remembered, with the level that was taken last on each."""


def _in_one_line(places: Sequence[Box]) -> bool:
    """Whether what was taken for cells stands in a single row: letters of a line of text do, no board."""
    return max(box.y for box in places) < min(box.y + box.height for box in places)


@dataclass(frozen=True)
class _Way:
    """What is pressed: a point, or a key; ``to``: where a drag from that point ends. ``box``: the control there;
    ``number``: of the level in the list ``among``, from 0."""

    at: Point | None = None
    to: Point | None = None
    key: str | None = None
    box: Box | None = None
    among: LevelList | None = None
    number: int = 0


class Entrance(Generic[P, S]):
    """Finds the way in ``window``. It remembers for the whole session which level of a list was taken last, and which
    presses led on from which picture."""

    def __init__(self, window: GameWindow[P, S]) -> None:
        self.window = window
        self._taken: list[tuple[LevelList, int]] = []
        """Of each list the level that was taken last."""
        self._openers: list[tuple[Frame, _Way]] = []
        self.begin(everything=True)

    def begin(self, *, everything: bool) -> None:
        """Look for a way in from now on: with ``everything`` on any screen, else (after a level) only in lists of
        levels, and on screens from which a press has led on before."""
        self._everything = everything
        self._page: Frame | None = None
        self._ways: list[_Way] = []
        self._last: _Way | None = None
        self._presses = self._vain = 0
        self._seen: list[Frame] = []

    def arrived(self) -> None:
        """A level is seen: what was pressed last has led to it."""
        if self._last is not None:
            self._led_on(self._last)
        self._last = self._page = None

    def knock(self, frame: Frame, unread: Unread) -> bool:
        """Press what may lead on from the still picture ``frame``, in which there is no level. False where nothing is
        left to be pressed."""
        if self._page is None or self._last is None:
            self._enter(frame, unread)
        elif moved_on(self._page.image, frame.image, self._last.box):
            self._led_on(self._last)
            self._enter(frame, unread)
        elif self._presses < limits.MOST_LEAVES and leafed(self._page.image, frame.image, self._last.box):
            # Another page of the same help: what turned it is pressed again, and is the way in on the last one.
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
        """Whether something in ``frame``, in which there is no level, might be pressed. Nothing is."""
        found = controls(frame.image)
        return levels_shown(frame.image, found) is not None or bool(ways_in(frame.image, found))

    def _led_on(self, way: _Way) -> None:
        if way.among is not None:
            self._taken = [each for each in self._taken if not each[0].alike(way.among)]
            self._taken = [*self._taken[1 - MOST_KEPT :], (way.among, way.number)]
        elif self._page is not None:
            self._openers.append((self._page, way))

    def _enter(self, frame: Frame, unread: Unread) -> None:
        """Another screen has come: what might be pressed on it."""
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
            # What was read as cells are boxes with something on them: a board. What lies over it may be put away.
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
        if before_all and not any(at in before_all for at in points):  # it lies over something that is not read for it
            points = [*before_all, *points]
        pressed = [
            _Way(at, box=next((each.box for each in found if each.box.contains(at)), None))
            for at in dict.fromkeys(points)
        ]
        return [*pressed, *keys] if pressed else []

    def _short_list(self, found: Sequence[Control]) -> LevelList | None:
        """A list of a few levels among ``found``: one in which a level was taken before, whatever its boxes show by
        now; or else, before the first level, what looks like one, as two signs beside a board may."""
        for known, _ in reversed(self._taken):
            listed = known.again(found)
            if listed is not None:
                return listed
        return short_list(found) if self._everything else None

    def _levels(self, listed: LevelList) -> list[_Way]:
        """The level of ``listed`` after the one that was taken last; where none was, the first one to be played; none
        where that one was the last that is seen."""
        numbers: Sequence[int] | None = None
        for known, number in reversed(self._taken):
            numbers = listed.after(known, number)
            if numbers or listed.alike(known):
                break
        else:
            numbers = listed.first(some_done=not self._everything)
        return [_Way(listed.boxes[k].box.centre, box=listed.boxes[k].box, among=listed, number=k) for k in numbers]

    def _pages(self, frame: Frame, listed: LevelList) -> list[_Way]:
        """Ways to what of a list of levels is not seen: a sign that turns its pages, a drag by all that is seen but a
        box, as a finger would."""
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
        except INTERRUPTIONS as fault:  # nothing was pressed; what is there by then is looked at anew
            if way.at is not None:
                self.window.clear([Box(*way.at, 1, 1)], fault)
