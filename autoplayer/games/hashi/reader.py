"""Reads a board of Hashi from a picture of any window: the puzzle, the places, the doubts, the bridges that stand.

The islands are found first (``islands``), then what lies between them (``bridges``). A board that the window cuts off
is refused (``cut``). What is not certain leaves here as a doubt; the rules decide it in ``settle``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.hashi import covers, numbers, outline, sizes, solver
from autoplayer.games.hashi.bridges import (
    SEVERAL_LOOSE,
    Before,
    Drawn,
    behind_the_board,
    by_lines,
    loose_ends,
    read_links,
)
from autoplayer.games.hashi.chart import Chart, on_grid, weighed
from autoplayer.games.hashi.complete import without_numbers
from autoplayer.games.hashi.cut import cut_off
from autoplayer.games.hashi.islands import find
from autoplayer.games.hashi.keyboard import Keyboard
from autoplayer.games.hashi.numbers import INSIDE, LEGIBLE, NUMBERS, Island
from autoplayer.games.hashi.others import (
    FAINTLY_LIKE,
    LESS,
    VERY_LIKE,
    hidden,
    led_to,
    neighbours,
    unread,
    without_headings,
)
from autoplayer.games.hashi.outline import View, presence
from autoplayer.games.hashi.puzzle import Puzzle, faults
from autoplayer.games.hashi.remaining import MOST, Left, counts_down
from autoplayer.layout import Layout, templates_folder
from autoplayer.vision import alike, ink, templates

CERTAIN = 0.95
"""A number less probable than this is a doubt."""

MOSTLY = 0.7
"""The part of the islands that must be legible for their numbers to be numbers."""

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""


Options = tuple[tuple[str, float], ...]
"""What an island may hold: (number, probability), the most probable first."""


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """What stands in ``image`` (BGR). ``Reading.places`` has the rectangle of every island; ``Reading.extra``: the
    ``chart`` of the islands, ``before``, what later pictures are compared with, and ``bridges``, the links that stand
    already, by bridge; ``keys``, what comes to be known of the window's keys.

    Raises UnreadableError with the reason where no board is seen, or only a part of one; NotFoundError or LayoutError
    where the layout's templates cannot be used.
    """
    found = _find(image, layout)
    try:
        return _read(image, layout, found)
    except UnreadableError:
        if layout.board is not None or not _large(image):
            raise
        grown = _grown(found[0][0] if found else outline.view(image))
        if grown is None:
            raise
        return _read(image, layout, [grown])


def _grown(seen: View) -> tuple[View, Chart] | None:
    """A board whose islands grow with their numbers, if one is seen that has a solution."""
    chart = sizes.find(seen)
    if chart is None:
        return None
    whole = on_grid(seen, weighed(replace(chart, scale=seen.scale)))
    return (seen, whole) if _has_solution(_puzzle(whole, _options(seen, whole))) else None


PART_OF_SIZES = 12
"""Islands of one size: more hardly have a solution where those of other sizes are left out."""


def _read(image: Image, layout: Layout, found: Sequence[tuple[View, Chart]]) -> Reading[Puzzle]:
    """As :func:`read`, with the charts that were ``found``."""
    if not found:
        raise UnreadableError(
            "no board of Hashi is seen: there are no numbers from 1 to 8 in discs or boxes of one size"
        )
    seen, chart = found[0]
    if layout.board is None:
        _refuse_letters(seen, chart)
        _refuse_half_a_board(seen, chart)
    legible = sum(one.probability > LEGIBLE for one in chart.islands.values())
    if legible < min(MOSTLY * len(chart.islands), len(chart.islands) - 1):
        raise UnreadableError(
            f"no board of Hashi is seen: of {len(chart.islands)} discs or boxes of one size only {legible} hold a"
            " number from 1 to 8"
        )
    options: Mapping[Cell, Options] = _options(seen, chart)
    solvable = layout.board is not None or _has_solution(_puzzle(chart, options))
    if not solvable:
        fewer = without_headings(seen, chart, LESS)
        numbers = _options(seen, fewer)
        if len(fewer.islands) < len(chart.islands) and _has_solution(_puzzle(fewer, numbers)):
            chart, options, solvable = fewer, numbers, True
    # The few islands of one size may have a solution without the others, too.
    if layout.board is None and chart.outline.drawn and (not solvable or len(chart.islands) <= PART_OF_SIZES):
        grown = _grown(seen)
        if grown is not None and (not solvable or len(grown[1].islands) > len(chart.islands)):
            return _read(image, layout, [grown])
    if not solvable and (left := counts_down(seen, chart)) is not None:
        return _as_it_began(image, seen, left)
    if not solvable:
        if not chart.outline.drawn:
            raise UnreadableError(
                f"no board of Hashi is seen: {len(chart.islands)} numbers stand alone, with nothing like an island"
                " around them, and there is no solution with which they would be a board"
            )
        first = chart
        seen, chart, options = _second_thought(found, options)
        if (counted := _counted(first)) and not _has_solution(_puzzle(chart, options)):
            raise UnreadableError(
                f"no board of Hashi is seen: the numbers count from 1 to {counted} in the order of reading, as a list"
                " of levels does; choose a level first"
            )
    drawn = None
    if layout.board is None and chart.outline.drawn:
        first, drawn = chart, _drawn(seen, chart, options)
        ends = loose_ends(seen.window, chart.in_window(), drawn, seen.noise)
        # What is left may have a solution, too.
        unclear = ends or any(one.probability <= LEGIBLE for one in chart.islands.values())
        if unclear and (left := counts_down(seen, chart)) is not None:
            return _as_it_began(image, seen, left)
        if ends:
            chart, options, drawn = _followed(seen, chart, options, ends)
        wider, there = unread(seen, chart)
        if there:  # they may be complete, with a tick in each
            if not unclear and (left := counts_down(seen, first)) is not None:
                return _as_it_began(image, seen, left)
            _refuse_what_counts_down(seen, chart)
            seen, chart, options = _uncovered(seen, chart, wider, there, options)
            drawn = _drawn(seen, chart, options)
    elif layout.board is None:
        drawn = _drawn(seen, chart, options)
        _refuse_overlooked(seen, chart, drawn)
    doubts: dict[Options, list[Cell]] = {}
    for cell, some in options.items():
        if some[0][1] < CERTAIN:
            doubts.setdefault(_probable(some), []).append(cell)
    if not doubts and layout.board is None:
        if len(without_numbers(seen, chart)[1]) >= FEWEST_COMPLETE and (left := counts_down(seen, chart)) is not None:
            return _as_it_began(image, seen, left)
        _refuse_what_counts_down(seen, chart)
        _refuse_what_ends_at_an_edge(seen.image, chart, _puzzle(chart, options))
    return _reading(image, seen, chart, options, [Doubt(tuple(cells), some) for some, cells in doubts.items()], drawn)


def _probable(some: Options) -> Options:
    """``some`` without what is improbable: where only that gives a board with a solution, something else was misread,
    perhaps overlooked, and the solution is one by chance."""
    return tuple((number, p) for number, p in some if p >= IMPROBABLE * some[0][1])


IMPROBABLE = 0.025
"""Of the likeliest number's probability. Of five boards of the bench that were silently wrong three were so by a number
less probable than that."""


def _has_solution(puzzle: Puzzle) -> bool:
    """Whether a board has a solution, or may have one that is hard to find."""
    return not faults(puzzle) and solver.solve(puzzle, time_limit=SOLVE_LIMIT, most=1).status != "no-solution"


def _options(seen: View, chart: Chart) -> dict[Cell, Options]:
    """What each island may hold. What is no clear number may be no island: hardly where it has the islands' outline,
    probably where it has nothing of it."""
    found = {cell: _candidates(one) for cell, one in chart.islands.items()}
    hardly = [cell for cell, some in found.items() if some[0][1] < HARDLY_SURE]
    resembling = covers.resembling(chart, hardly) if hardly else {}
    for cell, fit in resembling.items():
        if found[cell][0][1] >= CERTAIN:
            found[cell] = _refined(found[cell], fit)
    doubted = [cell for cell, some in found.items() if some[0][1] < CERTAIN]
    if not doubted:
        return found
    like = presence(seen, chart.outline, np.array([one.centre for one in chart.islands.values()]))
    like = like / max(float(np.median(like)), 1e-6)
    for (cell, one), here in zip(chart.islands.items(), like, strict=True):
        if cell not in doubted:
            continue
        between = neighbours(one, chart)
        if between > (1 if one.probability <= LEGIBLE else 2):
            # Between islands that touch, their sides make an outline where there is no island.
            found[cell] = _with_none(found[cell], BETWEEN if between > 2 and one.probability <= LEGIBLE else BARE)
        elif len(chart.islands) <= FEW_ISLANDS and here >= VERY_LIKE:
            found[cell] = _with_none(found[cell], 0.0)  # what is left without it would have a solution all too easily
        elif one.probability <= LEGIBLE or here < FAINTLY_LIKE:
            found[cell] = _with_none(found[cell], max(BARE, dict(found[cell]).get(".", 0.0)))
        elif here >= VERY_LIKE:
            found[cell] = _with_none(found[cell], 0.0)
    for cell, fit in resembling.items():
        if chart.islands[cell].probability < CERTAIN:
            found[cell] = _refined(found[cell], fit)
    return _explained(seen, chart, found, [cell for cell in doubted if found[cell][0][1] < CERTAIN])


def _explained(
    seen: View, chart: Chart, options: Mapping[Cell, Options], doubted: Sequence[Cell], *, covered: bool = False
) -> dict[Cell, Options]:
    """``options`` with what shows in those of the ``doubted`` islands that something covers compared with the board's
    own numbers; ``covered``: whether it is known to. Where there are many the picture is spoiled, and not covered."""
    known = covers.examples(chart) if 0 < len(doubted) <= MOST_EXPLAINED else None
    if known is None:
        return dict(options)
    result = dict(options)
    for cell in doubted:
        if not covered and not covers.is_covered(seen, known, chart.islands[cell].centre):
            continue
        fit = covers.chances(seen, known, chart.islands[cell].centre)
        result[cell] = _refined(tuple((number, max(p, HARDLY)) for number, p in options[cell]), fit)
    return result


def _refined(some: Options, fit: Mapping[str, float]) -> Options:
    """``some`` with how well each number fits besides; how probable it is that there is none stays."""
    none = sum(p for number, p in some if number == ".") / sum(p for _, p in some)
    weighed = tuple((number, p * fit[number]) for number, p in some if number != ".")
    return _with_none(weighed, none) if weighed else some


MOST_EXPLAINED = 4

HARDLY = 0.02
"""How improbable at most the network's word makes a number that explains what shows."""


def _with_none(some: Options, none: float) -> Options:
    """The same numbers, and no island with the probability ``none``."""
    numbers = [(number, p) for number, p in some if number != "."]
    total = sum(p for _, p in numbers)
    ranked = [(number, (1 - none) * p / total) for number, p in numbers] + ([(".", none)] if none else [])
    return tuple(sorted(ranked, key=lambda pair: -pair[1]))


def _second_thought(
    found: Sequence[tuple[View, Chart]], options: Mapping[Cell, Options]
) -> tuple[View, Chart, Mapping[Cell, Options]]:
    """What else may stand there where a board as it was read has no solution: islands that something covers; or another
    chart that has one; or numbers that were hardly sure. Else what was read."""
    seen, chart = found[0]
    wider, covered = hidden(seen, chart)
    if covered and len(covered) < len(chart.islands):
        return _uncovered(seen, chart, wider, covered, options)
    doubted = sum(some[0][1] < CERTAIN for some in options.values())
    if 0 < doubted <= FEW_DOUBTS:
        return seen, chart, options  # they are the likelier reason
    for view, other in found[1:]:
        theirs = _options(view, other)
        if not cut_off(view, other) and _has_solution(_puzzle(other, theirs)):
            return view, other, theirs
    weak = sorted((some[0][1], cell) for cell, some in options.items() if some[0][1] < HARDLY_SURE)[:MOST_EXPLAINED]
    if weak and not doubted:
        weaker = {cell: _with_none(_tempered(options[cell]), 0.0) for _, cell in weak}
        return seen, chart, _explained(seen, chart, dict(options) | weaker, list(weaker), covered=True)
    return seen, chart, options


def _uncovered(
    seen: View, chart: Chart, wider: Chart, covered: Mapping[Cell, float], options: Mapping[Cell, Options]
) -> tuple[View, Chart, Mapping[Cell, Options]]:
    """``chart`` with islands at the places of ``wider`` that are covered, and what they may hold; ``covered``: how much
    they look like islands."""
    centres = np.array([(wider.xs[c], wider.ys[r]) for r, c in covered])
    islands = dict(zip(covered, numbers.read(seen, centres, chart.core, chart.outline.round), strict=True))
    moved = zip(wider.islands, options.values(), strict=True)
    more = dict(moved) | {cell: _candidates(one, COVER) for cell, one in islands.items()}
    whole = replace(wider, islands=dict(sorted((wider.islands | islands).items())))
    ranked = _explained(seen, whole, more, list(islands), covered=True)
    for cell, like in covered.items():
        ranked[cell] = _with_none(ranked[cell], NO_ISLAND if like >= MOSTLY else BARE)
    return seen, whole, {cell: ranked[cell] for cell in whole.islands}


def _followed(
    seen: View, chart: Chart, options: Mapping[Cell, Options], ends: Sequence[tuple[Cell, tuple[int, int]]]
) -> tuple[Chart, Mapping[Cell, Options], Drawn]:
    """With the islands that bridges lead to by their loose ``ends``, where none were seen and something looks like one;
    and the lines. Raises UnreadableError where so many ends stay loose that they cannot all be something else."""
    drawn = _drawn(seen, chart, options)
    for _ in range(MOST_FOLLOWED):
        wider, there = led_to(seen, chart, ends) if ends else (chart, {})
        if not there:
            break
        seen, chart, options = _uncovered(seen, chart, wider, there, options)
        options = {cell: _with_none(some, 0.0) if cell in there else some for cell, some in options.items()}
        drawn = _drawn(seen, chart, options)
        ends = loose_ends(seen.window, chart.in_window(), drawn, seen.noise)
    many = len(ends) > max(MOST_LOOSE, LOOSE * len(chart.islands))
    stray = len(ends) >= max(SEVERAL_LOOSE, STRAY * sum(number > 0 for number in drawn.links.values()))
    if (many or stray) and _all_seen(chart, options):
        behind = behind_the_board(seen.window, chart.in_window(), drawn, seen.noise)
        drawn = by_lines(seen.window, chart.in_window(), _puzzle(chart, options), seen.noise, behind)
    elif many:
        raise UnreadableError(f"{len(ends)} bridges lead to where no island is seen: some were not made out")
    return chart, options, drawn


def _all_seen(chart: Chart, options: Mapping[Cell, Options]) -> bool:
    """Whether a board is whole by its numbers: they are all sure, and have a solution."""
    sure = all(some[0][1] >= CERTAIN for some in options.values())
    return sure and len(chart.islands) >= MANY_ISLANDS and _has_solution(_puzzle(chart, options))


MANY_ISLANDS = 12
"""Islands: of 1560 boards of 5x5 to 12x12 that had lost two islands or more ten had a solution, and one of the 720 that
had lost three or more."""


def _drawn(seen: View, chart: Chart, options: Mapping[Cell, Options]) -> Drawn:
    return by_lines(seen.window, chart.in_window(), _puzzle(chart, options), seen.noise)


MOST_FOLLOWED = 4
"""How often bridges are followed from islands to which bridges led."""

MOST_LOOSE, LOOSE, STRAY = 5, 0.1, 0.5
"""So many ends of bridges at most may be something else, a pointer or counts on others: this number, or this share of
the islands. More than this share of the bridges that stand makes them none, where all islands are seen."""


def _tempered(some: Options) -> Options:
    """``some``, less sure: as it is known that something was misread."""
    return tuple((number, math.sqrt(p)) for number, p in some)


FEW_DOUBTS = 2

PART = 0.5
"""Of the islands that show any sign: where no more than these show numbers, the others are no ornaments."""

HARDLY_SURE = 0.99
"""A number less probable than this may be the misread one of a board without a solution."""

COVER = 0.5
"""How probable it is that what is read of an island under a cover is the cover."""

BARE, BETWEEN = 0.5, 0.95
"""How probable it is that what has the islands' outline, and no number that can be read, is no island: anywhere, and
between three or four islands that touch it."""

NO_ISLAND = 0.1
"""How probable it is that there is no island where nothing can be read of its number."""


def examine(image: Image, layout: Layout) -> Reading[Puzzle]:
    """As :func:`read`, for a person who can be asked: islands may hold signs that nobody knows. Every cluster of equal
    glyphs that is not known is one doubt, which may be any number. Raises as :func:`read` does, but for numbers."""
    found = _find(image, layout)
    # A few letters and shapes look like numbers: a board of them alone would be a part of the one that is shown, and
    # has hardly a solution.
    sure = bool(found) and all(one.probability > LEGIBLE for one in found[0][1].islands.values())
    sure = sure and _has_solution(_puzzle(found[0][1], _options(*found[0])))
    symbols = _find(image, layout, symbols=True)
    more = (_beside(found[0][1], symbols[0][1]) if symbols else 1) / (PART if sure else 1) if found else 0
    if symbols and len(symbols[0][1].islands) >= more:
        seen, chart = symbols[0]
        centres = np.array([one.centre for one in chart.islands.values()])
        again = numbers.read(replace(seen, symbols=False), centres, INSIDE * chart.outline.inner, chart.outline.round)
        found = [(seen, replace(chart, islands=dict(zip(chart.islands, again, strict=True))))]
    if not found:
        raise UnreadableError("no board of Hashi is seen: there are no discs or boxes of one size with signs in them")
    seen, chart = found[0]
    options = {cell: _candidates(one) for cell, one in chart.islands.items()}
    marked = [cell for cell, one in chart.islands.items() if not one.content.bare]
    signs = {cell for cell in marked if templates.match(chart.islands[cell].content.ink, seen.known) is None}
    # In a window of signs that nobody knows, what looks like a number is none.
    strange = sum(chart.islands[cell].probability > LEGIBLE for cell in signs) < MOSTLY * len(signs)
    cluster = alike.clusters([chart.islands[cell].content.ink for cell in marked])
    doubts = []
    for number in dict.fromkeys(cluster):
        cells = [cell for cell, other in zip(marked, cluster, strict=True) if other == number]
        asked = [cell for cell in cells if options[cell][0][1] < CERTAIN or (strange and cell in signs)]
        if asked:
            ranked = dict(options[asked[0]])
            every = tuple(sorted(((n, ranked.get(n, 0.0)) for n in NUMBERS), key=lambda pair: -pair[1]))
            doubts.append(Doubt(tuple(asked), every))
    doubts += [Doubt((cell,), options[cell]) for cell, one in chart.islands.items() if one.content.bare]
    return _reading(image, seen, chart, options, doubts)


def _beside(chart: Chart, symbols: Chart) -> int:
    """How many islands a board of numbers explains where one of ``symbols`` is seen as well: pieces of a sign or of a
    rim, of which several lie in one of those islands, are none, nor is what stands in a single line, as a text does."""
    if 1 in (len(chart.xs), len(chart.ys)):
        return 0
    spots = [chart.box(cell).centre for cell in chart.islands]
    within = [sum(symbols.box(cell).contains(spot) for spot in spots) for cell in symbols.islands]
    return len(spots) - sum(number for number in within if number > 1)


def _find(image: Image, layout: Layout, *, symbols: bool = False) -> Sequence[tuple[View, Chart]]:
    if not _large(image):
        return []
    known = tuple(templates.load(templates_folder(layout.templates))) if layout.templates else ()
    return find(image, known, layout.board, symbols=symbols)


def _large(image: Image) -> bool:
    """Whether a picture in colour has room for a board."""
    return image.ndim == 3 and min(image.shape[:2]) >= outline.LEAST_PICTURE


def _puzzle(chart: Chart, options: Mapping[Cell, Options]) -> Puzzle:
    """The likeliest number in each island."""
    grid = [[0] * len(chart.xs) for _ in chart.ys]
    for (r, c), some in options.items():
        grid[r][c] = int(some[0][0].replace(".", "0"))
    return Puzzle(tuple(map(tuple, grid)))


def _reading(
    image: Image,
    seen: View,
    chart: Chart,
    options: Mapping[Cell, Options],
    doubts: Sequence[Doubt],
    drawn: Drawn | None = None,
) -> Reading[Puzzle]:
    puzzle = _puzzle(chart, options)
    links, _ = read_links(seen.window, chart.in_window(), puzzle, seen.noise, drawn)
    return Reading(
        puzzle=puzzle,
        places={cell: chart.box(cell) for cell in chart.islands},
        doubts=tuple(doubts),
        confidence=math.prod(some[0][1] for some in set(options.values())),
        image=image,
        glyphs={cell: chart.glyph(cell) for cell in chart.islands},
        extra={
            "chart": chart,
            "before": Before(seen, chart),
            "bridges": {bridge: number for bridge, number in links.items() if number},
            "keys": Keyboard(),
        },
    )


def _refuse_overlooked(seen: View, chart: Chart, drawn: Drawn) -> None:
    """Raises UnreadableError where bridges lead to where no number is seen: where nothing is around the numbers,
    nothing tells where one may stand that is hidden."""
    ends = loose_ends(seen.window, chart.in_window(), drawn, seen.noise)
    if ends:
        raise UnreadableError(f"a bridge leads from the number at {ends[0][0]} to where no other one is seen")


def _as_it_began(image: Image, seen: View, left: Left) -> Reading[Puzzle]:
    """A board that counts down as it was before play began: every island asks for what it shows and for the links that
    it has. ``Reading.extra`` says that by ``counts_down``."""
    options: dict[Cell, Options] = {}
    for cell, one in left.chart.islands.items():
        has = left.links[cell]
        if cell in left.complete:
            options[cell] = ((str(has), 1.0),)
        else:
            more = [(int(number) + has, p) for number, p in _candidates(one) if number != "."]
            options[cell] = tuple((str(number), p) for number, p in more if number <= MOST)
    reading = _reading(image, seen, left.chart, options, [], left.drawn)
    return replace(reading, extra={**reading.extra, "counts_down": True})


def _refuse_what_counts_down(seen: View, chart: Chart) -> None:
    """Raises UnreadableError where islands show no number, as complete ones do where numbers say what remains."""
    if chart.outline.drawn and (count := len(without_numbers(seen, chart)[1])) >= FEWEST_COMPLETE:
        raise UnreadableError(
            f"{count} islands with bridges show no number: the other numbers may say what remains, and not what the"
            " level asks for; take all bridges away, or begin the level anew"
        )


FEWEST_COMPLETE = 2
"""Islands without a number: a single one may be hidden."""


def _counted(chart: Chart) -> int:
    """How far the numbers count from 1 in the order of reading, where that is as far as a list of levels does; else
    0."""
    in_order = [one.candidates[0][0] for _, one in sorted(chart.islands.items())]
    counted = next((k for k, number in enumerate(in_order) if number != str(k + 1)), len(in_order))
    return counted if counted >= min(SURELY_LISTED, max(len(in_order), LEAST_LISTED)) else 0


LEAST_LISTED, SURELY_LISTED = 3, 5
"""How many numbers are a list where they are all, and where others follow that may have two digits."""


def _refuse_letters(seen: View, chart: Chart) -> None:
    """Raises UnreadableError where a few signs fill what stands around them, and stand close to others: two equal
    letters of a word are no islands."""
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
    """How much of what is just around the islands, where no bridge leads from them, has edges; the usual share."""
    angles = np.radians([base + step for base in (0, 90, 180, 270) for step in range(25, 66, 5)])
    reach = 0.5 * chart.size * np.array([[1.25], [1.5], [1.75]])
    height, width = seen.strength.shape[:2]
    shares = []
    for one in chart.islands.values():
        x = np.clip(np.rint(one.centre[0] + reach * np.cos(angles)).astype(int), 0, width - 1)
        y = np.clip(np.rint(one.centre[1] + reach * np.sin(angles)).astype(int), 0, height - 1)
        shares.append((seen.strength[y, x] > ink.FAINTEST + 3 * seen.noise).mean())
    return float(np.median(shares))


FEW_ISLANDS = 4
"""Islands: with so few anything is a board that has a solution."""

LEAST_FILLED, MOST_FILLED = 0.2, 0.82
"""Of an island's inside, the height of its number: on boards of two to four islands it was 0.24 to 0.79, but for two of
140, of letters 0.84 to 1."""

LEAST_HIGH, LOST = 5.0, 0.035
"""The window's pixels that a number is high at least: fewer show no digit, but a serif or a stroke's end; and of the
longer pitch, how large an island is at least."""

CROWDED, VERY_CROWDED = 0.08, 0.3
"""The part of an island's surroundings that has edges: those of islands whose numbers fill them had 0.02 at most,
letters 0.19 and more, letters of a heading 0.6."""


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


def _candidates(one: Island, cover: float = 0.0) -> Options:
    """The numbers that an island may hold. One that nothing can be read of may hold any, or be none. ``cover``: how
    probable it is that what was read is something that covers it."""
    chances = {number: (1 - cover) * p for number, p in one.candidates if number}
    rest = max(1.0 - sum(chances.values()), 0.0)
    share = (1 - NO_ISLAND) * rest / len(NUMBERS)
    spread = {number: chances.get(number, 0.0) + share for number in NUMBERS} | {".": NO_ISLAND * rest}
    total = sum(spread.values())
    ranked = sorted(((number, p / total) for number, p in spread.items()), key=lambda pair: -pair[1])
    return tuple(pair for pair in ranked if pair[1] >= NEGLIGIBLE)
