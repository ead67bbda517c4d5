"""Pictures that are not a board of Hashi though they look like one, or only a part of one: each function raises
UnreadableError with the reason if that is so."""

from __future__ import annotations

import numpy as np

from autoplayer.core.errors import PartialError, UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games.base import Reading
from autoplayer.games.hashi.puzzle import Puzzle
from autoplayer.games.hashi.seeing.between.bridges import Drawn
from autoplayer.games.hashi.seeing.between.ends import led_out, loose_ends
from autoplayer.games.hashi.seeing.between.remaining import marks_complete, may_remain
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.games.hashi.seeing.places.complete import without_numbers
from autoplayer.games.hashi.seeing.places.cut import cut_off
from autoplayer.games.hashi.seeing.places.options import FEW_ISLANDS
from autoplayer.games.hashi.seeing.places.outline import View
from autoplayer.games.hashi.solver import has_solution
from autoplayer.vision import ink


def refuse_overlooked(seen: View, chart: Chart, drawn: Drawn) -> None:
    """Raises UnreadableError if bridges lead to places without a number: on a board without outlines nothing tells
    where a hidden number may be."""
    ends = loose_ends(seen.window, chart.in_window(), drawn, seen.noise)
    if ends:
        raise UnreadableError(f"a bridge leads from the number at {ends[0][0]} to where no other one is seen")


def refuse_what_is_led_out(seen: View, chart: Chart, drawn: Drawn) -> None:
    """Raises PartialError if a bridge leads out of the picture: the island at its other end is not in it."""
    for cell, step in led_out(seen.window, chart.in_window(), drawn, seen.noise):
        side = {(0, 1): "right", (0, -1): "left", (1, 0): "bottom", (-1, 0): "top"}[step]
        raise PartialError(
            f"the board is cut off at the {side} of the window: a bridge leads out of it from the island at {cell};"
            " make the window larger, or scroll, so that the whole board is seen"
        )


def refuse_what_counts_down(seen: View, chart: Chart) -> None:
    """Raises UnreadableError if several islands show no number, as complete ones do if numbers say what remains: a
    single one may be hidden."""
    if chart.outline.drawn and (count := len(without_numbers(seen, chart)[1])) >= FEWEST_COMPLETE:
        refuse_blank(count)


def refuse_blank(count: int) -> None:
    """Raises UnreadableError if any islands, ``count``, show a 0, or nothing."""
    if count:
        raise UnreadableError(
            f"{count} island{'s' * (count > 1)} show{'s' * (count == 1)} no number: the other numbers may say what"
            " remains, and not what the level asks for; take all bridges away, or begin the level anew"
        )


def refuse_what_may_remain(reading: Reading[Puzzle]) -> None:
    """Raises UnreadableError if the bridges that stand suggest that the numbers say what remains, and no colours
    contradict it."""
    links = reading.extra["bridges"]
    if may_remain(reading.puzzle, links) and not marks_complete(reading.extra["chart"], links):
        raise UnreadableError(
            "the bridges that stand belong to no solution of the level as its numbers are shown, but to one if these"
            " say what remains: the window may count down, or some bridges are wrong; take all bridges away, or begin"
            " the level anew"
        )


FEWEST_COMPLETE = 2
"""Islands with a 0, or no number: fewer may be misread, or hidden by something."""


def counted(chart: Chart) -> int:
    """How far the numbers count from 1 in reading order, if that is as far as in a list of levels; else 0."""
    in_order = [one.candidates[0][0] for _, one in sorted(chart.islands.items())]
    counted = next((k for k, number in enumerate(in_order) if number != str(k + 1)), len(in_order))
    return counted if counted >= min(SURELY_LISTED, max(len(in_order), LEAST_LISTED)) else 0


LEAST_LISTED, SURELY_LISTED = 3, 5
"""How many consecutive numbers are a list if there are no others, and if others follow that may have two digits."""


def refuse_letters(seen: View, chart: Chart) -> None:
    """Raises UnreadableError if a few signs fill their surroundings, and stand close to others: two equal letters of a
    word are not islands."""
    if len(chart.islands) > FEW_ISLANDS:
        return
    filled = chart.number_height / max(chart.outline.inner, 1.0)
    tiny = chart.number_height < LEAST_HIGH * seen.scale or chart.size < LOST * max(chart.pitch_x, chart.pitch_y)
    tiny |= len(chart.islands) == 2 and _crowded(seen, chart) > VERY_CROWDED  # two are hardly ever a board
    if tiny or filled < LEAST_FILLED or (filled > MOST_FILLED and _crowded(seen, chart) > CROWDED):
        raise UnreadableError(
            f"no board of Hashi is seen: {len(chart.islands)} signs alone, and nothing like an island around them"
        )


def _crowded(seen: View, chart: Chart) -> float:
    """The share of the immediate surroundings of the islands, without directions of bridges, that has edges; the usual
    value."""
    angles = np.radians([base + step for base in (0, 90, 180, 270) for step in range(25, 66, 5)])
    reach = 0.5 * chart.size * np.array([[1.25], [1.5], [1.75]])
    height, width = seen.strength.shape[:2]
    shares = []
    for one in chart.islands.values():
        x = np.clip(np.rint(one.centre[0] + reach * np.cos(angles)).astype(int), 0, width - 1)
        y = np.clip(np.rint(one.centre[1] + reach * np.sin(angles)).astype(int), 0, height - 1)
        shares.append((seen.strength[y, x] > ink.FAINTEST + 3 * seen.noise).mean())
    return float(np.median(shares))


LEAST_FILLED, MOST_FILLED = 0.2, 0.82
"""The height of the number as a share of an island's inside: on boards of two to four islands it was 0.24 to 0.79,
except for two of 140; for letters 0.84 to 1."""

LEAST_HIGH, LOST = 5.0, 0.035
"""The least height of a number in the window's pixels: smaller marks are no digit, but a serif or a stroke's end; and
of the longer pitch, the least size of an island."""

CROWDED, VERY_CROWDED = 0.08, 0.3
"""The part of an island's surroundings that has edges: those of islands whose numbers fill them had 0.02 at most,
letters 0.19 and more, letters of a heading 0.6."""


def refuse_strewn(chart: Chart, doubted: int) -> None:
    """Raises UnreadableError if islands stand on no lattice, or are sparse on one, and many are in doubt. All of 220
    boards of the bench stood on one, and filled at least a twentieth of it."""
    lost = len(chart.islands) < SPARSE * len(chart.xs) * len(chart.ys)
    if (lost or not chart.regular) and doubted > MOST_DOUBTED * len(chart.islands):
        raise UnreadableError(
            f"no board of Hashi is seen: {len(chart.islands)} signs stand in no rows and columns, and {doubted} of them"
            " may be other than numbers"
        )


MOST_DOUBTED, SPARSE = 0.1, 0.05
"""The share of the islands that may be in doubt if they stand on no lattice; and the least share of a lattice's places
that they occupy."""


def refuse_half_a_board(seen: View, chart: Chart) -> None:
    """Raises PartialError if the window cuts islands off, and says how much seems to be missing."""
    for side, count in cut_off(seen, chart).items():
        lines = "rows" if side in ("top", "bottom") else "columns"
        here, other = (len(chart.ys), len(chart.xs))[:: 1 if lines == "rows" else -1]
        guess = f", {other - here} if it is as high as it is wide" if other - here > 1 else ""
        raise PartialError(
            f"the board is cut off at the {side} of the window, through {count} island{'s' * (count > 1)}: at least one"
            f" of its {lines} is missing{guess}; make the window larger, or scroll, so that the whole board is seen"
        )


def refuse_what_ends_at_an_edge(image: Image, chart: Chart, reading: Reading[Puzzle]) -> None:
    """Raises UnreadableError if a board without a solution comes so close to an edge that it may continue beyond it,
    unless one of its numbers is in serious doubt."""
    height, width = image.shape[:2]
    room = {
        "top": chart.ys[0] / chart.pitch_y,
        "bottom": (height - chart.ys[-1]) / chart.pitch_y,
        "left": chart.xs[0] / chart.pitch_x,
        "right": (width - chart.xs[-1]) / chart.pitch_x,
    }
    opposite = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
    close = [side for side in room if room[side] < min(CLOSE, room[opposite[side]] - UNEVEN)]
    doubted = any(doubt.candidates[0][1] < HARDLY_IN_DOUBT for doubt in reading.doubts)
    if close and not doubted and not has_solution(reading.puzzle):
        raise UnreadableError(
            f"as it was read, the board has no solution, and it reaches the {' and the '.join(close)} of the window:"
            " either it is cut off there (make the window larger, or scroll), or a number was misread"
        )


HARDLY_IN_DOUBT = 0.9
"""The probability of the least sure number from which a missing part of the board is the likelier reason for the
missing solution."""

CLOSE = 1.25
"""Places of the lattice between the last island and the window's edge: with more room another row would be seen."""

UNEVEN = 0.3
"""The difference in places between the margins at two opposite sides of a board that is cut off; a window that fits its
board has the same margin at both."""
