"""Reads a board of Hashi from a picture of any window: the puzzle, the places, the doubts, the bridges that stand.

The islands are found first (``islands``), then what lies between them (``bridges``). A board that the window cuts off
is refused (``cut``). What is not certain leaves here as a doubt; the rules decide it in ``settle``.
"""

from __future__ import annotations

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.hashi import outline, solver
from autoplayer.games.hashi.bridges import Before, read_links
from autoplayer.games.hashi.chart import Chart
from autoplayer.games.hashi.cut import cut_off
from autoplayer.games.hashi.islands import find
from autoplayer.games.hashi.numbers import LEGIBLE, NUMBERS, Island
from autoplayer.games.hashi.outline import View
from autoplayer.games.hashi.puzzle import Puzzle
from autoplayer.layout import Layout, templates_folder
from autoplayer.vision import templates

CERTAIN = 0.95
"""A number less probable than this is a doubt."""

KNOWN = 0.995
"""How probable a number is whose template of the layout looks like the glyph."""

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """What stands in ``image`` (BGR). ``Reading.places`` has the rectangle of every island; ``Reading.extra``: the
    ``chart`` of the islands, ``before``, what later pictures are compared with, and ``bridges``, the links that stand
    already, by bridge.

    Raises UnreadableError with the reason where no board is seen, or only a part of one; NotFoundError or LayoutError
    where the layout's templates cannot be used.
    """
    known = templates.load(templates_folder(layout.templates)) if layout.templates else []
    large = image.ndim == 3 and min(image.shape[:2]) >= outline.LEAST_PICTURE
    found = find(image) if large else None
    if found is None:
        raise UnreadableError(
            "no board of Hashi is seen: there are no numbers from 1 to 8 in discs or boxes of one size"
        )
    seen, chart = found
    _refuse_half_a_board(seen, chart)
    legible = sum(one.probability > LEGIBLE for one in chart.islands.values())
    if legible < 0.7 * len(chart.islands):
        raise UnreadableError(
            f"no board of Hashi is seen: of {len(chart.islands)} discs or boxes of one size only {legible} hold a"
            " number from 1 to 8"
        )
    candidates = {cell: _candidates(one, known) for cell, one in chart.islands.items()}
    grid = [[0] * len(chart.xs) for _ in chart.ys]
    doubts: dict[tuple[tuple[str, float], ...], list[Cell]] = {}
    for (r, c), options in candidates.items():
        grid[r][c] = int(options[0][0])
        if options[0][1] < CERTAIN:
            doubts.setdefault(options, []).append((r, c))
    confidence = 1.0
    for options in set(candidates.values()):
        confidence *= options[0][1]
    puzzle = Puzzle(tuple(map(tuple, grid)))
    if not doubts:
        _refuse_what_ends_at_an_edge(seen.image, chart, puzzle)
    links, _ = read_links(seen.window, chart.in_window(), puzzle, seen.noise)
    return Reading(
        puzzle=puzzle,
        places={cell: chart.box(cell) for cell in chart.islands},
        doubts=tuple(Doubt(tuple(cells), options) for options, cells in doubts.items()),
        confidence=confidence,
        image=image,
        glyphs={cell: chart.glyph(cell) for cell in chart.islands},
        extra={
            "chart": chart,
            "before": Before(seen, chart),
            "bridges": {bridge: number for bridge, number in links.items() if number},
        },
    )


def _refuse_half_a_board(seen: View, chart: Chart) -> None:
    """Raises UnreadableError where the window cuts islands off, with how much seems to be missing."""
    for side, count in cut_off(seen, chart).items():
        lines = "rows" if side in ("top", "bottom") else "columns"
        here, other = (len(chart.ys), len(chart.xs))[:: 1 if lines == "rows" else -1]
        guess = f", {other - here} if it is as high as it is wide" if other - here > 1 else ""
        raise UnreadableError(
            f"the board is cut off at the {side} of the window, through {count} island{'s' * (count > 1)}: at least one"
            f" of its {lines} is missing{guess}; make the window larger, or scroll, so that the whole board is seen"
        )


def _refuse_what_ends_at_an_edge(image: Image, chart: Chart, puzzle: Puzzle) -> None:
    """Raises UnreadableError where a board without a solution comes so close to an edge that it may go on behind it."""
    height, width = image.shape[:2]
    room = {
        "top": chart.ys[0] / chart.pitch_y,
        "bottom": (height - chart.ys[-1]) / chart.pitch_y,
        "left": chart.xs[0] / chart.pitch_x,
        "right": (width - chart.xs[-1]) / chart.pitch_x,
    }
    opposite = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
    close = [side for side in room if room[side] < min(CLOSE, room[opposite[side]] - UNEVEN)]
    if close and solver.solve(puzzle, time_limit=SOLVE_LIMIT, most=1).status == "no-solution":
        raise UnreadableError(
            f"as it was read, the board has no solution, and it reaches the {' and the '.join(close)} of the window:"
            " either it is cut off there (make the window larger, or scroll), or a number was misread"
        )


CLOSE = 1.25
"""Places of the lattice between the last island and the window's edge: with more room another row would be seen."""

UNEVEN = 0.3
"""Places by which the room at two opposite sides differs where a board is cut off; a window that fits its board leaves
the same at both."""

SOLVE_LIMIT = 0.5
"""Seconds; a board of 400 islands takes a tenth of that."""


def _candidates(one: Island, known: list[templates.Template]) -> tuple[tuple[str, float], ...]:
    """The numbers that an island may hold. One that nothing can be read of may hold any."""
    token = templates.match(one.content.ink, known) if known else None
    chances = {number: p for number, p in one.candidates if number}
    if token in NUMBERS:
        chances = {number: (1 - KNOWN) * chances.get(number, 0.0) for number in NUMBERS} | {token: KNOWN}
    illegible = max(1.0 - sum(chances.values()), 0.0)
    share = illegible / len(NUMBERS)
    spread = {number: chances.get(number, 0.0) + share for number in NUMBERS}
    total = sum(spread.values())
    ranked = sorted(((number, p / total) for number, p in spread.items()), key=lambda pair: -pair[1])
    return tuple(pair for pair in ranked if pair[1] >= NEGLIGIBLE)
