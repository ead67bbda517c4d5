"""Hashi: what one line is, by the others: beside the islands' middles, in two pixels instead of one, twice as many."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, parse
from autoplayer.games.hashi.seeing.between.bridges import by_lines
from autoplayer.games.hashi.seeing.between.lines import Line, same_kind
from autoplayer.games.hashi.seeing.between.meaning import meaning_of
from autoplayer.games.hashi.seeing.between.strips import SAMPLES, lines_within
from autoplayer.layout import Layout
from tests.hashi.test_lines import INK, LINKS, PUZZLE, RADIUS, at, links_in, pieces, water, with_islands

FEW = dict(sorted(LINKS.items())[: round(0.6 * len(LINKS))])


def flags(picture: Image, cell: Cell, low: int) -> None:
    """A disc of sand, whose middle lies ``low`` pixels below that of the flag which holds the number."""
    x, y = at(cell)
    cv2.ellipse(picture, (x, y + low), (21, 15), 0, 0, 360, (130, 180, 210), -1, cv2.LINE_AA)
    cv2.rectangle(picture, (x - 17, y - 17), (x + 17, y + 11), (245, 250, 255), -1)
    cv2.rectangle(picture, (x - 17, y - 17), (x + 17, y + 11), (70, 60, 40), 2)
    cv2.putText(
        picture, str(PUZZLE.islands[cell]), (x - 8, y + 6), cv2.FONT_HERSHEY_DUPLEX, 0.8, (30, 20, 10), 2, cv2.LINE_AA
    )


@pytest.mark.parametrize("low", [0, 5, 9])
def test_bridges_run_below_the_middles_of_what_holds_the_numbers(low: int) -> None:
    """Incident: of two lines the lower one lay where those of the next row are looked for, and a double bridge was a
    single one."""
    picture = water()
    for which, n in FEW.items():
        for aside in ((low,), (low - 7, low + 7))[n - 1]:
            if which.a[0] == which.b[0]:
                pieces(picture, which, aside, 12, 0, 1)
            else:
                pieces(picture, which, aside - low, 12, 0, 1)
    for cell in PUZZLE.islands:
        flags(picture, cell, low)
    assert links_in(picture) == FEW


def test_links_that_are_two_lines_each_are_two_where_there_are_four() -> None:
    """Incident: bridges with a rim on both sides. One was taken for two."""
    picture = water()
    some = {which: n for wanted in (1, 2) for which, n in [each for each in LINKS.items() if each[1] == wanted][:2]}
    for which, n in some.items():
        for aside in ((-2, 2), (-8, -4, 4, 8))[n - 1]:
            pieces(picture, which, aside, 12, 0, 0)
    assert links_in(with_islands(picture)) == some


def test_a_thin_line_in_two_rows_of_pixels_is_one_that_lies_in_one() -> None:
    """It has as much ink. Incident: two of nine thin lines, which offered bridges, were another kind, and the others
    were bridges because not every place showed one."""
    one, two = Line(1, 1.0, (-49.0, -49.0, -49.0)), Line(1, 2.0, (-24.0, -24.0, -24.0))
    assert same_kind(one, two)
    assert not same_kind(one, replace(two, colour=(-49.0, -49.0, 0.0)))
    assert not same_kind(replace(one, breadth=3.0), replace(two, breadth=4.0)), "broad ones have a row of their own"


def beside(offsets: dict[int, int]) -> list[Line | None]:
    """What runs along a way, with lines of two pixels at these offsets from its middle, so many grey levels darker."""
    samples = np.full((1, SAMPLES, 55, 3), 200, np.uint8)
    for offset, darker in offsets.items():
        samples[:, :, 27 + offset : 29 + offset] -= np.uint8(darker)
    return lines_within(samples, [80.0], 56.0, 0.0)


@pytest.mark.parametrize(
    ("offsets", "count"),
    [
        ({-15: 150, 14: 150}, 2),
        ({-15: 150, 14: 70}, 2),
        ({-15: 150, 14: 30}, 0),
        ({-18: 150, 0: 40}, 1),
        ({-18: 150, 0: 150}, 1),
    ],
    ids=["two", "one-between-rows", "a-strong-one-passes-by", "upon-a-grid-line", "upon-an-equal-one"],
)
def test_two_lines_of_a_bridge_lie_around_its_middle_and_are_alike(offsets: dict[int, int], count: int) -> None:
    """Incident: the frame of a cursor ran along a dashed grid line, and both together were a double bridge."""
    (line,) = beside(offsets)
    assert (line.count if line else 0) == count


@pytest.mark.parametrize(("broad", "links"), [(4.0, 1), (4.6, 2)])
def test_a_broader_line_is_double_where_it_is_another_kind(broad: float, links: int) -> None:
    """Lines of one kind differ less than that. Incident: double bridges were 1.595 times as broad as single ones."""
    thin, other = Line(1, 2.9, (90.0, 90.0, 90.0)), Line(1, broad, (90.0, 90.0, 90.0))
    bridges = [Bridge(a, b) for a, b in PUZZLE.bridges]
    singles = [k for k, which in enumerate(bridges) if LINKS.get(which) == 1]
    doubles = [k for k, which in enumerate(bridges) if LINKS.get(which) == 2]
    meant = meaning_of([thin, other], [singles, doubles], [[], []], bridges, PUZZLE, 50.0, len(bridges))
    assert meant == [1, links]
    assert same_kind(thin, other) == (links == 1)


def test_lines_with_gaps_that_can_all_stand_together_are_bridges_though_paler() -> None:
    """Incident: planks that were a third as strong as the numbers. Possible bridges are shown everywhere, or paler."""
    bridges = [Bridge(a, b) for a, b in PUZZLE.bridges]
    singles = [k for k, which in enumerate(bridges) if LINKS.get(which) == 1]
    every = list(range(len(bridges)))

    def meant(contrast: float, placed: list[int], whole: list[int] | None = None) -> list[int]:
        dashed = Line(1, 6.0, (contrast, contrast, contrast), 0.65)
        kinds, members = [dashed], [placed]
        if whole:
            kinds, members = [dashed, replace(dashed, solid=1.0)], [[k for k in placed if k not in whole], whole]
        return meaning_of(kinds, members, [[], []], bridges, PUZZLE, 80.0, len(bridges))

    assert meant(60.0, singles) == [1]
    assert meant(35.0, singles) == [0], "a hint"
    assert meant(60.0, every) == [0]
    assert meant(60.0, singles[:2]) == [0]
    assert meant(60.0, singles, singles[:1]) == [0, 1], "one of six without gaps is a bridge beside hints"
    doubles = [k for k, which in enumerate(bridges) if LINKS.get(which) == 2]
    assert meant(60.0, [*singles, *doubles], singles[:1]) == [1, 1], "one of many has gaps as well"


def test_mistakes_on_a_board_on_which_every_bridge_stands_make_the_others_no_hints() -> None:
    """Incident: all ways of a small board were taken, and one of them by two links too many: the single bridges were
    hints, as the faintest lines are where every bridge is drawn that may stand."""
    ring = parse("2.2\n...\n2.2")
    thin, thick = Line(1, 4.0, (90.0, 90.0, 90.0)), Line(1, 9.0, (90.0, 90.0, 90.0))
    assert meaning_of([thin, thick], [[0, 1, 2], [3]], [[], []], ring.bridges, ring, 50.0, 4) == [1, 2]
    assert meaning_of([thin, thick], [[1], [0, 2, 3]], [[], []], ring.bridges, ring, 50.0, 4) == [0, 1], "too many"


def test_dashes_of_two_lines_begin_a_pixel_apart() -> None:
    """Incident: half of a dotted line's dots were met by looks at even distances, and the other line was overlooked."""
    picture = water()
    for which, n in LINKS.items():
        for k, aside in enumerate(((0,), (-7, 7))[n - 1]):
            (x1, y1), (x2, y2) = at(which.a), at(which.b)
            for far in range(RADIUS + k, max(x2 - x1, y2 - y1) - RADIUS, 10):
                dx, dy = (far, aside) if y1 == y2 else (aside, far)
                wide, high = (4, 1) if y1 == y2 else (1, 4)
                corner = x1 + dx - (wide == 1), y1 + dy - (high == 1)
                cv2.rectangle(picture, corner, (x1 + dx + wide, y1 + dy + high), INK, -1)
    assert links_in(with_islands(picture)) == LINKS


@pytest.mark.parametrize(("breadth", "links"), [(18, 1), (28, 0)])
def test_a_band_nearly_as_broad_as_an_island_is_no_bridge(breadth: int, links: int) -> None:
    """Incident: slanting stripes behind the board; one of them ran from one island to another."""
    chart = GAME.read(with_islands(water()), Layout(game="hashi")).extra["chart"]
    picture, which = water(), next(iter(LINKS))
    cv2.line(picture, at(which.a), at(which.b), (190, 180, 170), breadth)
    drawn = by_lines(with_islands(picture), chart.in_window(), PUZZLE, 0.0)
    assert drawn.links == dict.fromkeys(PUZZLE.bridges, 0) | {which: links}
