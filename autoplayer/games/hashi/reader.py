"""Reads a board of Hashi from a picture of any window: the puzzle, the places, the doubts, the bridges that stand.

The islands are found first (``islands``), then the bridges between them (``bridges``). A board that the window cuts off
is refused (``cut``), and so are pictures that only look like a board (``refusals``). Uncertain numbers (``options``)
are returned as doubts; the rules decide them in ``settle``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.errors import PartialError, UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.hashi.playing.keyboard import Keyboard
from autoplayer.games.hashi.puzzle import Puzzle
from autoplayer.games.hashi.seeing.between.bridges import Drawn, by_lines, read_links
from autoplayer.games.hashi.seeing.between.ends import SEVERAL_LOOSE, End, behind_the_board, loose_ends
from autoplayer.games.hashi.seeing.between.remaining import MOST, Left, blank_among, counts_down, in_line
from autoplayer.games.hashi.seeing.between.standing import Before
from autoplayer.games.hashi.seeing.places import numbers, outline, sizes
from autoplayer.games.hashi.seeing.places.badges import beside_nodes
from autoplayer.games.hashi.seeing.places.chart import Chart, on_grid, weighed
from autoplayer.games.hashi.seeing.places.complete import leads_away, without_numbers
from autoplayer.games.hashi.seeing.places.cut import cut_off
from autoplayer.games.hashi.seeing.places.hidden import hidden, led_to, unread
from autoplayer.games.hashi.seeing.places.islands import find
from autoplayer.games.hashi.seeing.places.numbers import INSIDE, LEGIBLE, NUMBERS
from autoplayer.games.hashi.seeing.places.options import (
    BARE,
    CERTAIN,
    COVER,
    FEW_ISLANDS,
    HARDLY_SURE,
    MOST_EXPLAINED,
    NO_ISLAND,
    Options,
    candidates,
    explained,
    likeliest,
    may_hold,
    probable,
    tempered,
    with_none,
)
from autoplayer.games.hashi.seeing.places.others import LESS, without_headings
from autoplayer.games.hashi.seeing.places.outline import View
from autoplayer.games.hashi.seeing.places.plain import with_plain
from autoplayer.games.hashi.seeing.refusals import (
    FEWEST_COMPLETE,
    counted,
    refuse_blank,
    refuse_half_a_board,
    refuse_letters,
    refuse_overlooked,
    refuse_strewn,
    refuse_what_counts_down,
    refuse_what_ends_at_an_edge,
    refuse_what_is_led_out,
    refuse_what_may_remain,
)
from autoplayer.games.hashi.solver import has_solution
from autoplayer.layout import Layout, templates_folder
from autoplayer.vision import alike, signs, templates

MOSTLY = 0.7
"""The part of the islands that must be legible for their numbers to be numbers."""


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """The board in ``image`` (BGR). ``Reading.places`` has the rectangle of every island; ``Reading.extra``: the
    ``chart`` of the islands, ``before``, with which later pictures are compared, ``bridges``, the links that stand
    already, by bridge, and ``keys``, what is learned of the window's keys.

    Raises UnreadableError with the reason if no board is found, or only a part of one; NotFoundError or LayoutError if
    the layout's templates cannot be used.
    """
    found = _of_signs(image, layout)
    if found:
        return _read(image, layout, found, of_signs=True)
    found = _find(image, layout)
    try:
        return _read(image, layout, found)
    except PartialError:
        raise
    except UnreadableError:
        if layout.board is not None or not _large(image):
            raise
        grown = _grown(found[0][0] if found else outline.view(image))
        if grown is None:
            raise
        return _read(image, layout, [grown])


def _grown(seen: View) -> tuple[View, Chart] | None:
    """A board whose islands grow with their numbers, if one is found that has a solution."""
    chart = sizes.find(seen)
    if chart is None:
        return None
    whole = on_grid(seen, weighed(replace(chart, scale=seen.scale)))
    return (seen, whole) if has_solution(likeliest(whole, may_hold(seen, whole))) else None


PART_OF_SIZES = 12
"""Islands of one size: if islands of other sizes are left out, more than this hardly have a solution."""


MOSTLY_KNOWN = 0.5
"""The share of islands that hold one of the layout's pictures, on a board of signs at least."""


def _of_signs(image: Image, layout: Layout) -> Sequence[tuple[View, Chart]]:
    """The board of a window whose numbers are signs for which the layout has templates; nothing if they are digits, or
    not found."""
    known = _known(layout)
    found = _find(image, layout, symbols=True) if signs.are_signs(known) else []
    if not found:
        return []
    seen, chart = _named(*found[0])
    told = [templates.match(one.content.ink, known) for one in chart.islands.values() if not one.content.bare]
    return [(seen, chart)] if sum(map(bool, told)) >= MOSTLY_KNOWN * len(chart.islands) else []


def _named(seen: View, chart: Chart) -> tuple[View, Chart]:
    """A chart of symbols, with the candidates of each."""
    seen = replace(seen, symbols=False, foreign=signs.are_signs(seen.known))
    centres = np.array([one.centre for one in chart.islands.values()])
    again = numbers.read(seen, centres, INSIDE * chart.outline.inner, chart.outline.round)
    return seen, replace(chart, islands=dict(zip(chart.islands, again, strict=True)))


def _read(
    image: Image, layout: Layout, found: Sequence[tuple[View, Chart]], *, of_signs: bool = False
) -> Reading[Puzzle]:
    """As :func:`read`, with the charts that were ``found``. ``of_signs``: whether most of their numbers are signs for
    which the layout has templates; then the others may be signs as well."""
    if not found:
        raise UnreadableError(
            "no board of Hashi is seen: there are no numbers from 1 to 8 in discs or boxes of one size"
        )
    seen, chart = found[0]
    if layout.board is None:
        refuse_letters(seen, chart)
        refuse_half_a_board(seen, chart)
    if not of_signs:
        _refuse_illegible(chart)
    options: Mapping[Cell, Options] = may_hold(seen, chart)
    if layout.board is None:
        refuse_strewn(chart, sum(some[0][1] < CERTAIN for some in options.values()))
    solvable = layout.board is not None or has_solution(likeliest(chart, options))
    if not solvable:
        fewer = without_headings(seen, chart, LESS)
        others = may_hold(seen, fewer)
        if len(fewer.islands) < len(chart.islands) and has_solution(likeliest(fewer, others)):
            chart, options, solvable = fewer, others, True
    if not solvable and len((more := with_plain(seen, chart)).islands) > len(chart.islands):
        chart, solvable = weighed(more), True
        options = may_hold(seen, chart)
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
        if (listed := counted(first)) and not has_solution(likeliest(chart, options)):
            raise UnreadableError(
                f"no board of Hashi is seen: the numbers count from 1 to {listed} in the order of reading, as a list"
                " of levels does; choose a level first"
            )
    drawn, chart = None, beside_nodes(seen, chart)
    if layout.board is None and chart.outline.drawn:
        connected = _connected(seen, chart, options)
        if isinstance(connected, Left):
            return _as_it_began(image, seen, connected)
        seen, chart, options, drawn = connected
        if not of_signs:
            _refuse_illegible(chart)
    elif layout.board is None:
        drawn = _drawn(seen, chart, options)
        refuse_overlooked(seen, chart, drawn)
    if drawn is not None:
        refuse_what_is_led_out(seen, chart, drawn)
    return _judged(image, seen, chart, options, drawn, known=layout.board is not None)


def _legible(chart: Chart) -> int:
    """The number of islands that hold a number, or show a 0: those are complete if numbers say what remains."""
    return sum(one.probability > LEGIBLE for one in chart.islands.values()) + _zeros(chart)


def _is_legible(chart: Chart) -> bool:
    """Whether enough islands hold a number."""
    return _legible(chart) >= min(MOSTLY * len(chart.islands), len(chart.islands) - 1)


def _refuse_illegible(chart: Chart) -> None:
    """Raises UnreadableError if too few islands hold a number: the rules would find numbers for the others by
    chance."""
    if not _is_legible(chart):
        raise UnreadableError(
            f"no board of Hashi is seen: of {len(chart.islands)} discs or boxes of one size only {_legible(chart)} hold"
            " a number from 1 to 8"
        )


def _connected(
    seen: View, chart: Chart, options: Mapping[Cell, Options]
) -> Left | tuple[View, Chart, Mapping[Cell, Options], Drawn]:
    """The bridges that stand, the islands to which they lead or that were seen without a number, and the candidates of
    these; or the board that counts down, if the bridges prove that."""
    first, drawn = chart, _drawn(seen, chart, options)
    ends = loose_ends(seen.window, chart.in_window(), drawn, seen.noise)
    # What is left may have a solution, too.
    led = led_to(seen, chart, ends, drawn.links)
    unclear = ends or led[1] or any(one.probability <= LEGIBLE for one in chart.islands.values())
    if unclear and (left := counts_down(seen, chart)) is not None:
        return left
    if ends or led[1]:
        chart, options, drawn = _followed(seen, chart, options, ends)
    wider, there = unread(seen, chart)
    if there:  # they may be complete, with a tick in each
        if not unclear and (left := counts_down(seen, first)) is not None:
            return left
        refuse_what_counts_down(seen, chart)
        seen, chart, options = _uncovered(seen, chart, wider, there, options)
        drawn = _drawn(seen, chart, options)
    return seen, chart, options, drawn


def _judged(
    image: Image, seen: View, chart: Chart, options: Mapping[Cell, Options], drawn: Drawn | None, *, known: bool
) -> Reading[Puzzle]:
    """The reading with uncertain numbers as doubts; if there are none, the links that stand are used to decide what the
    numbers mean. ``known``: whether a person has said where the board is."""
    if not known and not seen.foreign and (complete := _zeros(chart)) >= FEWEST_COMPLETE:
        refuse_blank(complete)
    doubts: dict[Options, list[Cell]] = {}
    for cell, some in options.items():
        if some[0][1] < CERTAIN:
            doubts.setdefault(probable(some), []).append(cell)
    if not doubts and not known:
        few = len(chart.islands) <= FEW_ISLANDS
        asked = few or (drawn and drawn.kinds) or leads_away(seen, chart)
        blank = in_line(seen, chart) if chart.outline.drawn and asked else 0
        blank = blank or len(without_numbers(seen, chart)[1]) >= FEWEST_COMPLETE
        if blank and (left := counts_down(seen, chart)) is not None:
            return _as_it_began(image, seen, left)
        refuse_what_counts_down(seen, chart)
        refuse_blank(blank if few else 0)
        if chart.outline.drawn and (among := blank_among(seen, chart)) >= FEWEST_COMPLETE:
            refuse_blank(among)
    reading = _reading(image, seen, chart, options, [Doubt(tuple(each), some) for some, each in doubts.items()], drawn)
    if not known:
        refuse_what_ends_at_an_edge(seen.image, chart, reading)
    if not doubts:
        refuse_what_may_remain(reading)
    return reading


def _zeros(chart: Chart) -> int:
    """How many islands show a 0."""
    return sum(numbers.zeros(list(chart.islands.values())))


def _second_thought(
    found: Sequence[tuple[View, Chart]], options: Mapping[Cell, Options]
) -> tuple[View, Chart, Mapping[Cell, Options]]:
    """Alternatives for a board that has no solution as it was read: islands that something covers; or another chart
    that has a solution; or doubts about numbers that were hardly sure. Else what was read."""
    seen, chart = found[0]
    wider, covered = hidden(seen, chart)
    if covered and len(covered) < len(chart.islands):
        return _uncovered(seen, chart, wider, covered, options)
    doubted = sum(some[0][1] < CERTAIN for some in options.values())
    if 0 < doubted <= FEW_DOUBTS:
        return seen, chart, options  # they are the likelier reason
    for view, other in found[1:]:
        theirs = may_hold(view, other)
        if _is_legible(other) and not cut_off(view, other) and has_solution(likeliest(other, theirs)):
            return view, other, theirs
    weak = sorted((some[0][1], cell) for cell, some in options.items() if some[0][1] < HARDLY_SURE)[:MOST_EXPLAINED]
    if weak and not doubted:
        weaker = {cell: with_none(tempered(options[cell]), 0.0) for _, cell in weak}
        return seen, chart, explained(seen, chart, dict(options) | weaker, list(weaker), covered=True)
    return seen, chart, options


def _uncovered(
    seen: View, chart: Chart, wider: Chart, covered: Mapping[Cell, float], options: Mapping[Cell, Options]
) -> tuple[View, Chart, Mapping[Cell, Options]]:
    """``chart`` with islands at the covered places of ``wider``, and their candidates; ``covered``: how similar each
    place is to an island."""
    centres = np.array([(wider.xs[c], wider.ys[r]) for r, c in covered])
    islands = dict(zip(covered, numbers.read(seen, centres, chart.core, chart.outline.round), strict=True))
    moved = zip(wider.islands, options.values(), strict=True)
    more = dict(moved) | {cell: candidates(one, COVER) for cell, one in islands.items()}
    whole = replace(wider, islands=dict(sorted((wider.islands | islands).items())))
    ranked = explained(seen, whole, more, list(islands), covered=True)
    for cell, like in covered.items():
        ranked[cell] = with_none(ranked[cell], NO_ISLAND if like >= MOSTLY else BARE)
    return seen, whole, {cell: ranked[cell] for cell in whole.islands}


def _followed(
    seen: View, chart: Chart, options: Mapping[Cell, Options], ends: Sequence[End]
) -> tuple[Chart, Mapping[Cell, Options], Drawn]:
    """The chart with the islands to which bridges lead by their loose ``ends``, where no island was known and something
    looks like one; and the lines. Raises UnreadableError if so many ends stay loose that they cannot all be something
    else."""
    drawn = _drawn(seen, chart, options)
    for _ in range(MOST_FOLLOWED):
        if met := _met(chart, options, ends):
            options = {cell: with_none(some, 0.0) if cell in met else some for cell, some in options.items()}
            drawn = _drawn(seen, chart, options)
            ends = loose_ends(seen.window, chart.in_window(), drawn, seen.noise)
            continue
        wider, there = led_to(seen, chart, ends, drawn.links)
        if not there:
            break
        seen, chart, options = _uncovered(seen, chart, wider, there, options)
        refuse_blank(sum(chart.islands[cell].content.bare for cell in there))
        options = {cell: with_none(some, 0.0) if cell in there else some for cell, some in options.items()}
        drawn = _drawn(seen, chart, options)
        ends = loose_ends(seen.window, chart.in_window(), drawn, seen.noise)
    many = len(ends) > max(MOST_LOOSE, LOOSE * len(chart.islands))
    stray = len(ends) >= max(SEVERAL_LOOSE, STRAY * sum(number > 0 for number in drawn.links.values()))
    if (many or stray) and _all_seen(chart, options):
        behind = behind_the_board(seen.window, chart.in_window(), drawn, seen.noise)
        drawn = by_lines(seen.window, chart.in_window(), likeliest(chart, options), seen.noise, behind)
    elif many:
        raise UnreadableError(f"{len(ends)} bridges lead to where no island is seen: some were not made out")
    return chart, options, drawn


def _met(chart: Chart, options: Mapping[Cell, Options], ends: Sequence[End]) -> set[Cell]:
    """The places that may or may not hold an island, to which bridges lead by their loose ``ends``."""
    found: set[Cell] = set()
    for (r, c), (down, right) in ends:
        cell = r + down, c + right
        while 0 <= cell[0] < len(chart.ys) and 0 <= cell[1] < len(chart.xs) and cell not in options:
            cell = cell[0] + down, cell[1] + right
        if cell in options and options[cell][0][0] == ".":
            found.add(cell)
    return found


def _all_seen(chart: Chart, options: Mapping[Cell, Options]) -> bool:
    """Whether the numbers show that a board is complete: they are all sure, and have a solution."""
    sure = all(some[0][1] >= CERTAIN for some in options.values())
    return sure and len(chart.islands) >= MANY_ISLANDS and has_solution(likeliest(chart, options))


MANY_ISLANDS = 12
"""Islands: of 1560 boards of 5x5 to 12x12 that had lost two islands or more ten had a solution, and one of the 720 that
had lost three or more."""


def _drawn(seen: View, chart: Chart, options: Mapping[Cell, Options]) -> Drawn:
    return by_lines(seen.window, chart.in_window(), likeliest(chart, options), seen.noise)


MOST_FOLLOWED = 4
"""How often bridges are followed from islands to which bridges led."""

MOST_LOOSE, LOOSE, STRAY = 5, 0.1, 0.5
"""The number of loose ends that may be something else, a pointer or counts on other bridges: this number, or this share
of the islands. If loose ends are more than this share of the bridges that stand, they are no bridges, provided all
islands are seen."""


FEW_DOUBTS = 2

PART = 0.5
"""Of the islands that show any sign: if no more than this share show numbers, the others are not ornaments."""


def examine(image: Image, layout: Layout) -> Reading[Puzzle]:
    """As :func:`read`, for a person who can be asked: islands may hold unknown signs. Every cluster of equal unknown
    glyphs is one doubt, which may be any number. Raises as :func:`read` does, except for numbers."""
    found = _find(image, layout)
    # A few letters and shapes look like numbers: a board of them alone would be a part of the one that is shown, and
    # has hardly a solution.
    sure = bool(found) and all(one.probability > LEGIBLE for one in found[0][1].islands.values())
    sure = sure and has_solution(likeliest(found[0][1], may_hold(*found[0])))
    symbols = _find(image, layout, symbols=True)
    more = (_beside(found[0][1], symbols[0][1]) if symbols else 1) / (PART if sure else 1) if found else 0
    if symbols and len(symbols[0][1].islands) >= more:
        found = [(symbols[0][0], _named(*symbols[0])[1])]
    if not found:
        raise UnreadableError("no board of Hashi is seen: there are no discs or boxes of one size with signs in them")
    seen, chart = found[0]
    options = {cell: candidates(one) for cell, one in chart.islands.items()}
    marked = [cell for cell, one in chart.islands.items() if not one.content.bare]
    strangers = {cell for cell in marked if templates.match(chart.islands[cell].content.ink, seen.known) is None}
    # In a window of unknown signs, a sign that looks like a number is not one.
    strange = sum(chart.islands[cell].probability > LEGIBLE for cell in strangers) < MOSTLY * len(strangers)
    cluster = alike.clusters([chart.islands[cell].content.ink for cell in marked])
    doubts = []
    for number in dict.fromkeys(cluster):
        cells = [cell for cell, other in zip(marked, cluster, strict=True) if other == number]
        asked = [cell for cell in cells if options[cell][0][1] < CERTAIN or (strange and cell in strangers)]
        if asked:
            ranked = dict(options[asked[0]])
            every = tuple(sorted(((n, ranked.get(n, 0.0)) for n in NUMBERS), key=lambda pair: -pair[1]))
            doubts.append(Doubt(tuple(asked), every))
    doubts += [Doubt((cell,), options[cell]) for cell, one in chart.islands.items() if one.content.bare]
    return _reading(image, seen, chart, options, doubts)


def _beside(chart: Chart, symbols: Chart) -> int:
    """How many islands a board of numbers explains where a board of ``symbols`` is found as well. Pieces of a sign or
    of a rim, several of which lie in one island of that board, do not count, and neither does a single line, as a text
    has."""
    if 1 in (len(chart.xs), len(chart.ys)):
        return 0
    spots = [chart.box(cell).centre for cell in chart.islands]
    within = [sum(symbols.box(cell).contains(spot) for spot in spots) for cell in symbols.islands]
    return len(spots) - sum(number for number in within if number > 1)


def _find(image: Image, layout: Layout, *, symbols: bool = False) -> Sequence[tuple[View, Chart]]:
    if not _large(image):
        return []
    return find(image, _known(layout), layout.board, symbols=symbols)


def _known(layout: Layout) -> tuple[templates.Template, ...]:
    """The layout's own glyphs."""
    return tuple(templates.load(templates_folder(layout.templates))) if layout.templates else ()


def _large(image: Image) -> bool:
    """Whether a picture in colour is large enough for a board."""
    return image.ndim == 3 and min(image.shape[:2]) >= outline.LEAST_PICTURE


def _reading(
    image: Image,
    seen: View,
    chart: Chart,
    options: Mapping[Cell, Options],
    doubts: Sequence[Doubt],
    drawn: Drawn | None = None,
) -> Reading[Puzzle]:
    puzzle = likeliest(chart, options)
    links, _ = read_links(seen.window, chart.in_window(), puzzle, seen.noise, drawn)
    return Reading(
        puzzle=puzzle,
        places={cell: chart.box(cell) for cell in chart.islands},
        doubts=tuple(doubts),
        confidence=math.prod(some[0][1] for some in dict.fromkeys(options.values())),
        image=image,
        glyphs={cell: chart.glyph(cell) for cell in chart.islands},
        extra={
            "chart": chart,
            "before": Before(seen, chart),
            "bridges": {bridge: number for bridge, number in links.items() if number},
            "keys": Keyboard(),
        },
    )


def _as_it_began(image: Image, seen: View, left: Left) -> Reading[Puzzle]:
    """A board that counts down as it was before play began: every island needs the links that it shows plus those that
    it has. ``counts_down`` in ``Reading.extra`` says so."""
    options: dict[Cell, Options] = {}
    for cell, one in left.chart.islands.items():
        has = left.links[cell]
        if cell in left.complete:
            options[cell] = ((str(has), 1.0),)
        else:
            more = [(int(number) + has, p) for number, p in candidates(one) if number != "."]
            options[cell] = tuple((str(number), p) for number, p in more if number <= MOST)
    reading = _reading(image, seen, left.chart, options, [], left.drawn)
    return replace(reading, extra={**reading.extra, "counts_down": True})
