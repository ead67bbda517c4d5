"""What is pressed for the next level, and what is not pressed again because it did not lead to one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Generic, Literal

from autoplayer.core.frame import Box, Frame, Point
from autoplayer.core.gestures import Click, Gesture, Keys
from autoplayer.games.base import Move, P, S
from autoplayer.layout import NextTable
from autoplayer.session import limits
from autoplayer.session.ending import Drawn, Ending
from autoplayer.session.events import Sight
from autoplayer.session.looking.boxes import controls
from autoplayer.session.looking.menus import controls_beside, stands_at
from autoplayer.session.looking.signs import drops_down
from autoplayer.session.looking.words import Words
from autoplayer.session.next_level.aftermath import Aftermath
from autoplayer.session.window import INTERRUPTIONS

NEXT_KEYS = ("enter", "space", "n")
"""Keys for which a window may wait before it goes on, the most usual one first."""

FURTHER = ("down", "enter")
"""The keys that choose the next entry of an open drop-down list."""

SAME_SPOT = 0.015
"""The largest distance between the middles of a control in two pictures, with different texts on it, as a share of the
window's smaller side."""


class Presses(Generic[P, S]):
    """Presses controls and keys in the window of ``seen``. ``left``: the level that a press led away from, and its
    pictures at its beginning and drawn; None where the next level came in another way, or not at all. ``leads_back``:
    positions of controls that restarted the level just won."""

    def __init__(self, seen: Aftermath[P, S]) -> None:
        self.window = seen.window
        self._seen = seen
        self._words = Words()
        self.left: tuple[Sight[P, S], Drawn] | None = None
        self.leads_back: list[Point] = []

    def press(self, way: NextTable, frame: Frame) -> None:
        """Press the key or the control of ``frame`` that ``way`` names."""
        at = point_at(way.place or (0.5, 0.5), frame.size)
        gestures: tuple[Gesture, ...] = (Click(at),)
        text = f"pressing the control at {at} for the next level"
        if way.kind == "key" and way.key is not None:
            gestures, text = (Keys((way.key,)),), f"pressing {way.key} for the next level"
        elif way.kind == "list":
            gestures, text = (Click(at), Keys(FURTHER)), f"choosing the next level in the list that opens at {at}"
        self.window.say("next", text, frame, way=way)
        places = [Box(*gesture.at, 1, 1) for gesture in gestures if isinstance(gesture, Click)]
        while True:
            try:
                # Once a level a slow press costs nothing, and a lost one costs the whole wait for the next level.
                self.window.perform(
                    Move("next level", gestures), frame, replace(self.window.pacing.pace, press=limits.CONTROL_PRESS)
                )
                self.window.park(frame, ())
            except INTERRUPTIONS as fault:
                if self.window.clear(places, fault).size == frame.size:
                    continue
            return  # pressed; or the window was resized, and the place is unknown

    def click(self, at: Point, now: Frame) -> NextTable:
        """Press the control at ``at`` of ``now``; returns the way that this is."""
        return self._taken("click", at, now)

    def choose(self, at: Point, now: Frame) -> NextTable:
        """Choose the next entry of the drop-down list at ``at`` of ``now``; returns the way that this is."""
        return self._taken("list", at, now)

    def _taken(self, kind: Literal["click", "list"], at: Point, now: Frame) -> NextTable:
        way = NextTable(kind=kind, place=(at[0] / now.size[0], at[1] / now.size[1]))
        self.press(way, now)
        return way

    def led_away(self, end: Ending[P, S]) -> None:
        """A press has led away from the level ``end``, to something that is not examined here."""
        self.left = end.board, end.drawn

    def led_back(self, at: Point) -> bool:
        """Whether a control there has restarted the level just won."""
        return self._close_to(at, self.leads_back)

    def plays(self, board: Sight[P, S], at: Point) -> bool:
        """Whether a move has pressed a control beside the board there."""
        return not self._seen.on_board(board, at) and self._close_to(at, self.window.clicked)

    def worth(self, board: Sight[P, S], points: Sequence[Point], now: Frame) -> list[Point]:
        """``points`` of ``now`` that may be pressed on the way to another level, in the order in which they are tried;
        sorted by the words on them, where these can be read."""
        return self._words.sorted(now.image, [at for at in points if not self.spared(board, at)])

    def offered(self, points: Sequence[Point], now: Frame) -> bool:
        """Whether, by the words at its ``points``, ``now`` offers something that costs money, and nothing that leads
        on."""
        return self._words.offer(now.image, points)

    def spared(self, board: Sight[P, S], at: Point) -> bool:
        """Whether nothing may be pressed there on the way to another level."""
        return self.led_back(at) or self.plays(board, at)

    def beside(self, frame: Frame, places: Collection[Box], *, likely: bool = False) -> list[Box]:
        """The controls beside the board, except those used in play, and the texts there that lead on. With ``likely``
        those that lead on by the words on them, and then those that probably do by their position."""
        some = controls_beside(frame.image, places, likely=likely, played=self.window.clicked)
        if not likely:
            return [*self._words.onward_without_box(frame.image, places), *some]
        every = controls_beside(frame.image, places, played=self.window.clicked)
        named = self._named(frame, every, places)
        return [*named, *(box for box in some if box not in named)]

    def named(self, frame: Frame) -> list[Box]:
        """The controls and texts of ``frame`` that lead on by the words on them."""
        return self._named(frame, [each.box for each in controls(frame.image)], ())

    def _named(self, frame: Frame, boxes: Sequence[Box], places: Collection[Box]) -> list[Box]:
        """Those of ``boxes``, and of the texts beside ``places``, that lead on by the words on them."""
        onward = self._words.onward(frame.image, [box.centre for box in boxes])
        texts = self._words.onward_without_box(frame.image, places)
        return [*(box for box in boxes if box.centre in onward), *texts]

    def drop_downs(self, frame: Frame, places: Collection[Box], *, menus: bool) -> list[Point]:
        """The drop-down lists beside the board that have not failed before: first those that name a level, by the words
        on them; with ``menus`` then all others."""
        beside = [each for each in controls(frame.image) if drops_down(each) and not stands_at(each, [*places])]
        points = [each.box.centre for each in beside if not self.led_back(each.box.centre)]
        named = self._words.levels(frame.image, points)
        return [*named, *(at for at in points if menus and at not in named)]

    def _close_to(self, at: Point, points: Collection[Point]) -> bool:
        reach = SAME_SPOT * min(self.window.last.size) if self.window.last is not None else 0.0
        return any(max(abs(at[0] - x), abs(at[1] - y)) <= reach for x, y in points)


def point_at(place: tuple[float, float], size: tuple[int, int]) -> Point:
    """The point (x, y) in a window of ``size`` (width, height) for the fractions ``place``."""
    return min(round(place[0] * size[0]), size[0] - 1), min(round(place[1] * size[1]), size[1] - 1)
