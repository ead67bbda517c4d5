"""Hashi: habits of windows that are found out in play, in simulated windows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from autoplayer.arcade.hashi.play import Islands
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.core.gestures import Click, Drag, Gesture, Pace
from autoplayer.games.base import Progress
from autoplayer.games.hashi import GAME, player
from autoplayer.games.hashi.player import Stands
from autoplayer.games.hashi.playing import habits
from autoplayer.games.hashi.puzzle import Bridge, Puzzle, check, parse
from autoplayer.games.hashi.seeing.between.lines import Line
from autoplayer.session import Session
from tests.hashi.test_player import PUZZLE, UNKNOWN, UNWANTED, StayingWindow, Window, known, reading, session, solved


@dataclass
class OfferingWindow(StayingWindow):
    """A press on an island selects it, and offers every bridge that may lead from it as a broad pale line; a press on
    a neighbour of the selected one adds a link and lets go, any other lets go."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            self.clock += pace.press + pace.step + pace.release
            if isinstance(gesture, Click | Drag) and gesture.button == "left":
                before, again = list(self.islands.links), set(self.locked)
                self._click(self._spot(gesture.at if isinstance(gesture, Click) else gesture.path[0])[0])
                if before != self.islands.links or again == self.locked:
                    self.locked.clear()

    def _draw(self) -> Image:
        picture = super()._draw()
        offer = picture.copy()
        for bridge in self.puzzle.bridges:
            if self.locked & {bridge.a, bridge.b}:
                a, b = ((self.pitch * (c + 1), self.pitch * (r + 1)) for r, c in bridge)
                cv2.line(offer, a, b, (230, 190, 150), self.pitch // 6)
        free = picture.min(axis=2) > 250
        for r, c in self.puzzle.islands:
            reach = round(0.4 * self.pitch)
            x, y = (c + 1) * self.pitch, (r + 1) * self.pitch
            free[y - reach : y + reach, x - reach : x + reach] = False
        picture[free] = offer[free]
        return picture


def test_what_a_selected_island_offers_is_no_bridge() -> None:
    """Incident: a drag selected an island, and the lines to all its neighbours were taken for what the drag had
    built."""
    window = OfferingWindow(PUZZLE)
    status, error, learned = session(window)
    assert (status, error, learned.controls) == ("played", None, "pair")
    assert check(PUZZLE, window.islands.solution) == []


def test_the_first_link_that_is_tried_begins_where_more_than_one_bridge_may() -> None:
    """What is offered from an island with a single way looks like the bridge that was tried."""
    puzzle = parse("1....2\n......\n...1.2")
    places = {(r, c): Box(40 * c + 5, 40 * r + 5, 30, 30) for r, c in puzzle.islands}
    nothing = Progress(True, 0, 3, 0, Stands(dict.fromkeys(puzzle.bridges, 0)))
    tried = player.plan(reading(puzzle, places), puzzle, solved(puzzle), nothing, UNKNOWN)[0]
    assert [len(puzzle.at[cell]) for cell in tried.cells] == [2]


THIN, BROAD = Line(1, 3.0, (90.0, 90.0, 90.0)), Line(1, 9.0, (40.0, 40.0, 40.0))


def test_lines_are_offers_only_where_more_came_than_was_pressed_all_alike_and_from_one_island() -> None:
    ways = {cell: [PUZZLE.bridges[k] for k in ks] for cell, ks in PUZZLE.at.items()}
    some = next(cell for cell, found in ways.items() if len(found) > 2)
    apart = [PUZZLE.bridges[0], next(b for b in PUZZLE.bridges if not {b.a, b.b} & set(PUZZLE.bridges[0]))]
    nothing = dict.fromkeys(PUZZLE.bridges, 0)

    def offered(come: Sequence[Bridge], presses: int, lines: Sequence[Line]) -> bool:
        noted = {"tried": (presses, nothing)}
        return habits.note_offered(noted, nothing | dict.fromkeys(come, 1), dict(zip(come, lines, strict=False)))

    assert offered(ways[some][:2], 1, [BROAD] * 2)
    assert not offered(ways[some][:1], 1, [BROAD])
    assert not offered(ways[some][:2], 2, [BROAD] * 2), "two presses may have built both"
    assert not offered(ways[some][:2], 1, [BROAD, THIN])
    assert not offered(apart, 1, [BROAD] * 2)
    assert not offered(ways[some][:2], 0, [BROAD] * 2), "nothing was pressed"


@dataclass
class LosingWindow(StayingWindow):
    """As its parent, but nothing is selected after a link was added or two far islands were clicked. The clicks with
    the numbers ``lost``, from 1 on, have no effect. A long press is a click as well."""

    longest: float = 60.0
    lost: Collection[int] = ()
    clicks: int = 0

    def _click(self, cell: Cell) -> None:
        self.clicks += 1
        if self.clicks in self.lost:
            return
        selected = bool(self.locked)
        super()._click(cell)
        if selected:
            self.locked.clear()


@pytest.mark.parametrize(
    ("lost", "most", "why"),
    [
        ({1}, 3, "the island on which the second click was is let go of, and both clicks are made again"),
        ({3}, 12, "an island that a pair out of step has left selected would not have stayed so"),
        ({1, *range(7, 200, 7)}, 45, "every seventh"),
    ],
)
def test_a_pair_of_which_a_click_is_lost_is_made_again(lost: Collection[int], most: int, why: str) -> None:
    window = LosingWindow(PUZZLE, lost=lost)
    status, error, learned = session(window, known("pair"))
    assert (status, error, learned.controls) == ("played", None, "pair"), why
    assert check(PUZZLE, window.islands.solution) == []
    more = len(window.gestures) - 2 * sum(link.links for link in solved(PUZZLE))
    assert more <= most, why


@dataclass
class CelebratingWindow(Window):
    """Over a level that is done the window darkens and says so in large letters; two seconds later the ``further`` one
    comes. ``won``: when this one was."""

    further: Puzzle | None = None
    won: float | None = None

    def image(self) -> Image:
        if self.won is None and not check(self.puzzle, self.islands.solution):
            self.won = self.clock
        if self.won is not None and self.clock > self.won + 2 and self.further is not None:
            self.puzzle, self.further, self.won = self.further, None, None
            self.islands = Islands(self.puzzle, controls=self.controls)
        picture = super().image()
        if self.won is None:
            return picture
        picture = np.asarray(np.rint(picture * 0.4), np.uint8)
        x, y = self.pitch, self.pitch * self.puzzle.height + self.pitch // 5
        cv2.putText(picture, "Level complete", (x, y), cv2.FONT_HERSHEY_DUPLEX, self.pitch / 45, (120, 230, 255), 6)
        return picture


def test_large_words_over_a_darkened_board_are_no_bridges_that_make_all_others_pale() -> None:
    """Incident: the letters between two islands were taken for a wrong bridge, by far the strongest of all, and the
    others for hints beside it; it was to be taken away, and was pressed in the next level, which had come."""
    window = CelebratingWindow(PUZZLE, further=GAME.generate(7, 7, 5))
    running = Session(GAME, window, known("drag"))
    first, second = running.play(2)
    assert (first.status, first.error) == ("won", None)
    assert second.status in ("won", "played")
    links = sum(links for *_, links in solved(PUZZLE)) + sum(links for *_, links in solved(window.puzzle))
    assert len([gesture for gesture in window.gestures if isinstance(gesture, Drag)]) == links


@dataclass
class KeepingWindow(Window):
    """A drag adds a link, up to two; a click with the right button upon a bridge takes all of it away."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            self.clock += pace.press + pace.step + pace.release
            self.gestures.append(gesture)
            if isinstance(gesture, Drag):
                ends = sorted(self._spot(at)[0] for at in (gesture.path[0], gesture.path[-1]))
                self._dragged(Bridge(*ends))
            elif isinstance(gesture, Click):
                self._clicked(gesture)

    def _dragged(self, bridge: Bridge) -> None:
        if bridge in self.puzzle.bridges:
            k = self.puzzle.bridges.index(bridge)
            if not any(self.islands.links[other] for other in self.puzzle.crossings[k]):
                self.islands.links[k] = min(self.islands.links[k] + 1, 2)

    def _clicked(self, click: Click) -> None:
        for k in self._upon(click.at):
            if click.button == "right":
                self.islands.links[k] = 0

    def _upon(self, at: tuple[int, int]) -> list[int]:
        """The bridges that stand there."""
        row, column = (round(each / self.pitch * 4 - 4) / 4 for each in at[::-1])
        found = []
        for k, ((top, left), (bottom, right)) in enumerate(self.puzzle.bridges):
            within = top < row < bottom and column == left if left == right else left < column < right and row == top
            if within and self.islands.links[k]:
                found.append(k)
        return found


def test_a_click_with_the_right_button_upon_a_bridge_is_remembered_to_take_it_away() -> None:
    """Incident: the second of two wrong bridges was left standing, since drags were tried first for each; and these,
    which were to add links until there were too many, doubled both of them at once."""
    window = KeepingWindow(PUZZLE)
    wanted = dict.fromkeys(PUZZLE.bridges, 0) | {Bridge(a, b): n for a, b, n in solved(PUZZLE)}
    some = {bridge: n for bridge, n in list(wanted.items())[::2] if n}
    window.set(some | dict.fromkeys(UNWANTED[:2], 1))
    assert session(window, known("drag"))[:2] == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []
    right = [gesture for gesture in window.gestures if isinstance(gesture, Click) and gesture.button == "right"]
    doubled = [gesture for gesture in window.gestures[:-1] if isinstance(gesture, Drag)]
    assert len(right) <= 4
    assert len(doubled) <= 4 + sum(wanted.values())


@dataclass
class DoublingWindow(KeepingWindow):
    """A drag builds a single bridge, or takes away the one that stands; a click upon one makes it double, or single."""

    def _dragged(self, bridge: Bridge) -> None:
        if bridge in self.puzzle.bridges:
            k = self.puzzle.bridges.index(bridge)
            if not any(self.islands.links[other] for other in self.puzzle.crossings[k]):
                self.islands.links[k] = int(not self.islands.links[k])

    def _clicked(self, click: Click) -> None:
        for k in self._upon(click.at):
            if click.button == "left":
                self.islands.links[k] = 3 - self.islands.links[k]


def test_a_bridge_is_clicked_where_a_second_drag_takes_it_away() -> None:
    window = DoublingWindow(PUZZLE)
    status, error, learned = session(window)
    assert (status, error, learned.controls) == ("played", None, "drag")
    assert check(PUZZLE, window.islands.solution) == []


class SecondByRightWindow(Window):
    """A click beside an island builds a single bridge or takes it away; one with the right button builds a double one
    or takes that away."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            self.clock += pace.press + pace.step + pace.release
            if isinstance(gesture, Click):
                links = list(self.islands.links)
                self.islands.links = [min(n, 1) for n in links]
                self.islands.press(*self._spot(gesture.at))
                for k, (before, now) in enumerate(zip(links, self.islands.links, strict=True)):
                    if now != min(before, 1):
                        wanted = 2 if gesture.button == "right" else 1
                        links[k] = 0 if before == wanted else wanted
                self.islands.links = links


def test_one_click_with_the_right_button_takes_a_wrong_double_bridge_away() -> None:
    """Incident: two clicks, one for each link, took it away and built it again."""
    window = SecondByRightWindow(PUZZLE, "side")
    window.set({Bridge(a, b): n for a, b, n in solved(PUZZLE)} | {UNWANTED[0]: 2})
    assert session(window, known("side"))[:2] == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []


def test_the_right_button_builds_double_bridges_where_a_second_click_takes_the_first_away() -> None:
    for layout in (UNKNOWN, known("side")):
        window = SecondByRightWindow(PUZZLE, "side")
        status, error, learned = session(window, layout)
        assert (status, error, learned.controls) == ("played", None, "side")
        assert check(PUZZLE, window.islands.solution) == []
