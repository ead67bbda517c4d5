"""Hashi: bridges that are no straight, whole lines (dashes, planks, dots, lines drawn by hand, a "x2" upon one), and
what looks like lines and is none."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image, Point
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge
from autoplayer.games.hashi.seeing.between.strips import SAMPLES, lines_within
from autoplayer.games.hashi.seeing.places import islands
from autoplayer.games.hashi.seeing.places.chart import charted
from autoplayer.games.hashi.seeing.refusals import refuse_strewn
from autoplayer.layout import Layout

PUZZLE = GAME.generate(7, 7, 0)
LINKS = {Bridge(a, b): n for a, b, n in GAME.solve(PUZZLE, time_limit=5).solution or ()}
PITCH, RADIUS = 60, 20
INK = (60, 40, 150)


def at(cell: Cell) -> Point:
    return PITCH * (cell[1] + 1), PITCH * (cell[0] + 1)


def with_islands(picture: Image) -> Image:
    for cell, wanted in PUZZLE.islands.items():
        cv2.circle(picture, at(cell), RADIUS, (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(picture, at(cell), RADIUS, (70, 60, 40), 2, cv2.LINE_AA)
        x, y = at(cell)
        cv2.putText(picture, str(wanted), (x - 8, y + 9), cv2.FONT_HERSHEY_DUPLEX, 0.8, (30, 20, 10), 2, cv2.LINE_AA)
    return picture


def water() -> Image:
    return np.full((PITCH * 8, PITCH * 8, 3), (245, 240, 235), np.uint8)


def pieces(picture: Image, which: Bridge, aside: int, drawn: int, gap: int, half: int) -> None:
    """Pieces of a line, ``drawn`` pixels each, from rim to rim."""
    (x1, y1), (x2, y2) = at(which.a), at(which.b)
    for k in range(RADIUS, max(x2 - x1, y2 - y1) - RADIUS, drawn + gap):
        if y1 == y2:
            cv2.rectangle(picture, (x1 + k, y1 + aside - half), (x1 + k + drawn - 1, y1 + aside + half), INK, -1)
        else:
            cv2.rectangle(picture, (x1 + aside - half, y1 + k), (x1 + aside + half, y1 + k + drawn - 1), INK, -1)


def links_in(picture: Image) -> dict[Bridge, int]:
    reading = GAME.read(picture, Layout(game="hashi"))
    assert reading.puzzle == PUZZLE
    return {which: n for which, n in reading.extra["bridges"].items() if n}


@pytest.mark.parametrize(("drawn", "gap", "half"), [(7, 5, 1), (5, 3, 4), (2, 4, 1)], ids=["dashes", "planks", "dots"])
@pytest.mark.parametrize("part", [0.4, 1.0])
def test_lines_with_gaps_are_bridges_where_all_have_some(drawn: int, gap: int, half: int, part: float) -> None:
    links = dict(sorted(LINKS.items())[: round(part * len(LINKS))])
    picture = water()
    for which, n in links.items():
        for aside in ((0,), (-7, 7))[n - 1]:
            pieces(picture, which, aside, drawn, gap, half)
    assert links_in(with_islands(picture)) == links


def test_planks_on_rails_are_one_bridge_however_many_are_seen() -> None:
    """Incident: where the planks covered more than half of the way, the line was as broad as they are long, and seemed
    to be a double bridge beside those of which the rails were seen."""
    links = dict.fromkeys(sorted(LINKS)[:8], 1)
    picture = water()
    for k, which in enumerate(links):
        pieces(picture, which, 0, *((6, 4), (4, 6))[k % 2], 7)
        cv2.line(picture, at(which.a), at(which.b), INK, 3)
    assert links_in(with_islands(picture)) == links


def crossed(*shares: float) -> NDArray[np.uint8]:
    """The colours along a way, in whose middle there are rows of pixels with ink at these shares of the steps."""
    samples = np.full((SAMPLES, 41, 3), 220, np.uint8)
    for row, share in enumerate(shares, 20 - len(shares) // 2):
        samples[np.arange(SAMPLES) % 10 < 10 * share, row] = 60
    return samples


@pytest.mark.parametrize(
    ("shares", "breadth"),
    [
        ((0.6,) * 4 + (1.0,) * 3 + (0.6,) * 4, 3),
        ((0.6,) * 11, 11),  # planks without rails
        ((0.6,) * 4 + (0.9,) * 3 + (0.6,) * 4, 11),  # dashes in the middle of dashes
        ((0.9,) * 4 + (1.0,) * 3 + (0.9,) * 4, 11),  # hardly any gaps
        ((0.6,) * 2 + (1.0,) * 6 + (0.6,) * 2, 10),  # a broad line that bends
        ((0.6, 1.0, 0.6), 3),  # dashes upon a thin grid line
        ((0.6, 1.0), 2),  # Incident: dashed hints half beside thin grid lines of their colour were eight bridges
        ((0.6,) * 4 + (1.0,), 5),
    ],
)
def test_only_what_is_seen_all_along_is_a_line_with_planks(shares: tuple[float, ...], breadth: int) -> None:
    (line,) = lines_within(crossed(*shares)[None], [200], 40, 0)
    assert line is not None
    assert (line.count, line.breadth) == (1, breadth)


def test_islands_at_the_ends_of_a_line_are_no_rope() -> None:
    """Incident: islands were broader than their outlines, and a grid line between two of them swung like a rope, and
    had the islands' colour."""
    samples = np.full((1, SAMPLES, 41, 3), 220, np.uint8)
    samples[:, :, 20:22] = 200
    samples[:, :4, 4:34], samples[:, -4:, 8:40] = 60, 60
    (line,) = lines_within(samples, [500], 60, 0)
    assert line is not None
    assert line.contrast == 20


@pytest.mark.parametrize(("period", "part"), [(6.5, 0.4), (6.5, 1.0), (7.3, 1.0)])
def test_planks_with_dark_edges_are_bridges(period: float, part: float) -> None:
    """Incident: it depended on where a line was looked at whether it had gaps, and those with gaps were hints; and they
    were a third as strong as the numbers."""
    links = dict(sorted(LINKS.items())[: round(part * len(LINKS))])
    picture = np.full((PITCH * 8, PITCH * 8, 3), (51, 90, 138), np.uint8)
    for which, n in links.items():
        (x1, y1), (x2, y2) = at(which.a), at(which.b)
        long = max(x2 - x1, y2 - y1) - 2 * RADIUS
        for aside, k in itertools.product(((0,), (-6, 6))[n - 1], range(round(long / period))):
            begin, end = RADIUS + round(k * period), RADIUS + round((k + 1) * period - 1.5)
            level = (x1 + begin, y1 + aside - 3), (x1 + end, y1 + aside + 3)
            upright = (x1 + aside - 3, y1 + begin), (x1 + aside + 3, y1 + end)
            for colour, thick in (((94, 154, 199), -1), ((20, 45, 74), 1)):
                cv2.rectangle(picture, *(level if y1 == y2 else upright), colour, thick)
    assert links_in(with_islands(picture)) == links


@pytest.mark.parametrize("size", [1.05, 1.15, 1.25])
def test_the_shores_of_islands_are_no_lines_upon_a_grid(size: float) -> None:
    """Incident: islands with uneven shores, of which the round middles were known. Grid lines between close ones had
    the shores' colours, and were bridges."""
    random = np.random.default_rng(1)
    picture = np.full((PITCH * 8, PITCH * 8, 3), (176, 127, 46), np.uint8)
    for k in range(8):
        cv2.line(picture, (30, PITCH * k), (PITCH * 7 + 30, PITCH * k), (184, 140, 68), 1)
        cv2.line(picture, (PITCH * k, 30), (PITCH * k, PITCH * 7 + 30), (184, 140, 68), 1)
    links = dict(sorted(LINKS.items())[:6])
    for which, n in links.items():
        for aside in ((0,), (-7, 7))[n - 1]:
            pieces(picture, which, aside, 12, 0, 2)
    for cell, wanted in PUZZLE.islands.items():
        (x, y), angles = at(cell), np.arange(16) * np.pi / 8
        far = RADIUS * size * (1 + random.uniform(-0.12, 0.12, (16, 1)))
        shore = np.array([x, y]) + far * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        cv2.fillPoly(picture, [np.rint(shore).astype(np.int32)], (122, 194, 217), cv2.LINE_AA)
        cv2.circle(picture, (x, y), 15, (79, 171, 108), -1, cv2.LINE_AA)
        cv2.putText(picture, str(wanted), (x - 8, y + 9), cv2.FONT_HERSHEY_DUPLEX, 0.8, (255, 255, 255), 2, cv2.LINE_AA)
    assert links_in(picture) == links


def test_dashes_from_one_island_to_others_are_only_offered() -> None:
    picture = water()
    for which in PUZZLE.bridges:
        if (0, 0) in which or which.a == min(PUZZLE.islands):
            pieces(picture, which, 0, 7, 5, 1)
    assert links_in(with_islands(picture)) == {}


def test_dashes_beside_whole_lines_are_hints() -> None:
    """Also where they are drawn with the pen of the bridges."""
    links = dict(sorted(LINKS.items())[::2])
    picture = water()
    for which in PUZZLE.bridges:
        if which not in links:
            pieces(picture, which, 0, 7, 5, 1)
    for which, n in links.items():
        for aside in ((0,), (-7, 7))[n - 1]:
            pieces(picture, which, aside, 12, 0, 1)
    assert links_in(with_islands(picture)) == links


def test_lines_drawn_by_hand_bend_once_and_are_bridges() -> None:
    picture = water()
    for which, n in LINKS.items():
        (x1, y1), (x2, y2) = at(which.a), at(which.b)
        along = np.arange(max(x2 - x1, y2 - y1) + 1)
        bent = 3.5 * np.sin(along / 17)
        for aside in ((0,), (-7, 7))[n - 1]:
            x, y = (x1 + along, y1 + aside + bent) if y1 == y2 else (x1 + aside + bent, y1 + along)
            path = np.rint(16 * np.stack([x, y], axis=1)).astype(np.int32)
            cv2.polylines(picture, [path], False, INK, 2, cv2.LINE_AA, 4)
    assert links_in(with_islands(picture)) == LINKS


def test_times_two_upon_a_bridge_is_a_double_one() -> None:
    picture = water()
    for which, n in LINKS.items():
        cv2.line(picture, at(which.a), at(which.b), INK, 4)
        if n == 2:
            x, y = (np.array(at(which.a)) + at(which.b)) // 2
            cv2.rectangle(picture, (x - 14, y - 9), (x + 14, y + 9), INK, -1)
            cv2.putText(picture, "x2", (x - 11, y + 5), cv2.FONT_HERSHEY_DUPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    assert links_in(with_islands(picture)) == LINKS


def test_what_is_far_paler_than_the_numbers_is_the_waters_own_pattern() -> None:
    """The ways along the fields of a chessboard, where blur makes bands of the edges between them."""
    picture = water()
    for row in range(8):
        cv2.rectangle(picture, (0, PITCH * row + 24), (PITCH * 8, PITCH * row + 36), (230, 224, 218), -1)
        for column in range(7):
            cv2.rectangle(
                picture,
                (PITCH * column + 50, PITCH * row),
                (PITCH * column + 70, PITCH * row + 60),
                (245, 240, 235),
                -1,
            )
    for which in list(LINKS)[:4]:
        cv2.line(picture, at(which.a), at(which.b), (225, 218, 212), 11)
    assert links_in(with_islands(picture)) == {}


def test_the_last_bridge_is_lit_up_by_a_broader_line_behind_it() -> None:
    """It is no double one, though no double one is met."""
    picture = water()
    links = [which for which, n in LINKS.items() if n == 1]
    cv2.line(picture, at(links[-1].a), at(links[-1].b), (0, 200, 200), 11)
    for which in links:
        cv2.line(picture, at(which.a), at(which.b), (0, 0, 0), 3)
    assert links_in(with_islands(picture)) == dict.fromkeys(links, 1)


@pytest.mark.parametrize("side", [-1, 1])
def test_counts_stand_beside_single_lines(side: int) -> None:
    picture = water()
    for which, n in LINKS.items():
        cv2.line(picture, at(which.a), at(which.b), INK, 3)
        x, y = (np.array(at(which.a)) + at(which.b)) // 2
        x, y = (x, y + 12 * side) if which.a[0] == which.b[0] else (x + 14 * side, y)
        cv2.putText(picture, str(n), (x - 5, y + 6), cv2.FONT_HERSHEY_DUPLEX, 0.55, INK, 1, cv2.LINE_AA)
    assert links_in(with_islands(picture)) == LINKS


def test_pieces_of_what_is_written_across_grid_lines_are_no_islands() -> None:
    """They stand at the right and at the left in the grid's squares, which numbers in islands do not."""
    picture = water()
    for k in range(9):
        middle = PITCH * k + PITCH // 2
        cv2.line(picture, (middle, 0), (middle, PITCH * 8), (60, 90, 140), 1)
        cv2.line(picture, (0, middle), (PITCH * 8, middle), (60, 90, 140), 1)
    for k, (cell, n) in enumerate(PUZZLE.islands.items()):
        x, y = at(cell)
        x += 14 if k % 3 else -14
        cv2.putText(picture, str(n), (x - 7, y + 8), cv2.FONT_HERSHEY_DUPLEX, 0.7, (0, 60, 0), 1, cv2.LINE_AA)
    with pytest.raises(UnreadableError):
        GAME.read(picture, Layout(game="hashi"))


def test_many_signs_that_are_all_the_same_convince_nobody() -> None:
    """Incident: the corners of boxes that bridges ran into were taken for sevens, and nothing else was looked for."""
    chart = GAME.read(with_islands(water()), Layout(game="hashi")).extra["chart"]
    sevens = [replace(one, candidates=(("7", 0.99), ("1", 0.01))) for one in chart.islands.values()]
    same = charted(sevens, chart.outline)
    assert same is not None
    assert [islands._convincing(one) for one in (chart, same)] == [True, False]


def test_signs_in_no_rows_of_which_many_are_in_doubt_are_no_board() -> None:
    chart = GAME.read(with_islands(water()), Layout(game="hashi")).extra["chart"]
    refuse_strewn(chart, 5)
    refuse_strewn(replace(chart, regular=False), 1)
    with pytest.raises(UnreadableError, match="no rows and columns"):
        refuse_strewn(replace(chart, regular=False), 5)


@pytest.mark.parametrize("way", [slice(None, None), slice(0, 4)], ids=["all", "a-few"])
def test_a_mark_in_the_middle_of_a_short_bridge_is_no_gap(way: slice) -> None:
    """Incident: a count hid the middle third of each bridge between islands close by. Both halves were bridges that
    lead nowhere, and no bridge was believed."""
    picture = water()
    drawn = sorted(LINKS)[way]
    for which in drawn:
        (x1, y1), (x2, y2) = at(which.a), at(which.b)
        cv2.line(picture, (x1, y1), (x2, y2), INK, 2)
        cv2.circle(picture, ((x1 + x2) // 2, (y1 + y2) // 2), 11, (245, 240, 235), -1)
    assert links_in(with_islands(picture)) == dict.fromkeys(drawn, 1)


@pytest.mark.parametrize("part", [0.1, 0.6, 1.0])
def test_bridges_upon_grid_lines_that_look_much_like_them_are_told_from_these(part: float) -> None:
    """Incident: grid lines ran through the islands, and bridges were drawn upon them, a pixel broader and in another
    dark colour. A single bridge was taken for its grid line, so that none of the clicks seemed to do anything."""
    picture = water()
    for k in range(8):
        cv2.line(picture, (30, PITCH * k), (PITCH * 7 + 30, PITCH * k), (19, 69, 139), 1)
        cv2.line(picture, (PITCH * k, 30), (PITCH * k, PITCH * 7 + 30), (19, 69, 139), 1)
    drawn = dict(sorted(LINKS.items())[: max(1, round(part * len(LINKS)))])
    for which, number in drawn.items():
        (x1, y1), (x2, y2) = at(which.a), at(which.b)
        for aside in (0,) if number == 1 else (-5, 5):
            dx, dy = (aside, 0) if x1 == x2 else (0, aside)
            wide, high = (1, 0) if x1 == x2 else (0, 1)
            cv2.rectangle(picture, (x1 + dx, y1 + dy), (x2 + dx + wide, y2 + dy + high), (85, 51, 170), -1)
    assert links_in(with_islands(picture)) == drawn
