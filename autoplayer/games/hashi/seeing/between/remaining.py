"""Boards that count down: the number in an island says how many links it still needs, and an island that has all of
them shows 0, or no number at all.

A single picture proves this by its complete islands. The level is then the sum of the shown numbers and the links that
stand; if the hypothesis is right, this board has a solution that contains all links that stand.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.hashi import solver
from autoplayer.games.hashi.puzzle import WATER, Bridge, Puzzle, faults
from autoplayer.games.hashi.seeing.between.bridges import Drawn, by_lines, read_links
from autoplayer.games.hashi.seeing.between.ends import UNSEEN, End, loose_ends
from autoplayer.games.hashi.seeing.between.lines import same_pen
from autoplayer.games.hashi.seeing.between.meaning import SOLID
from autoplayer.games.hashi.seeing.places import numbers
from autoplayer.games.hashi.seeing.places.chart import SAME_LINE, Chart, charted, on_grid
from autoplayer.games.hashi.seeing.places.complete import THE_SAME, without_numbers
from autoplayer.games.hashi.seeing.places.hidden import fitted, led_to
from autoplayer.games.hashi.seeing.places.looks import free_cells, learn, likeness
from autoplayer.games.hashi.seeing.places.numbers import LEGIBLE
from autoplayer.games.hashi.seeing.places.others import LOOKS_LIKE, is_number
from autoplayer.games.hashi.seeing.places.outline import View, everywhere, presence
from autoplayer.games.hashi.solver import has_solution
from autoplayer.vision import alike

SOLVE_LIMIT = 0.5
"""Seconds; a board of 400 islands takes a tenth of that."""

MOST = 8
"""Links that an island has at most."""


DOUBLE = 2.2
"""The least ratio of the width of double bridges to that of single ones, if these differ by width: from 1.5 to 3."""

MOST_FOLLOWED = 4
"""How many times islands without a number are looked for beyond those found last."""


@dataclass(frozen=True)
class Left:
    """A board that counts down. ``chart``: including its complete islands. ``links``: how many each island has already.
    ``complete``: the islands that show no number, or 0."""

    chart: Chart
    drawn: Drawn
    links: Mapping[Cell, int]
    complete: frozenset[Cell]


def counts_down(seen: View, chart: Chart) -> Left | None:
    """The board of ``chart`` under the hypothesis that its numbers say what remains; None if its islands do not prove
    that."""
    if not chart.outline.drawn:
        return None
    whole = _with_complete(seen, chart)
    complete = {cell for cell, one in whole.islands.items() if one.probability <= LEGIBLE}
    for _ in range(MOST_FOLLOWED):
        wider, blank = without_numbers(seen, whole)
        if not blank:
            break
        whole, complete, new = _added(seen, whole, complete, *fitted(wider, dict.fromkeys(blank, 1.0)))
        complete |= new
    led = False
    for _ in range(MOST_FOLLOWED):
        drawn, ends = _standing(seen, whole)
        wider, there = led_to(seen, whole, ends, drawn.links)
        if not there:
            break
        whole, complete, new = _added(seen, whole, complete, wider, there)
        if any(whole.islands[cell].probability > LEGIBLE for cell in new):
            return None  # it is not complete
        complete, led = complete | new, True
    if ends or not complete or len(complete) == len(whole.islands) or _is_broken(drawn):
        return None
    if not _signed_alike([whole.islands[cell] for cell in complete]):
        return None
    links = links_of(drawn.links)
    if not all(links[cell] for cell in complete):
        return None
    shown = {cell: 0 if cell in complete else int(one.candidates[0][0]) for cell, one in whole.islands.items()}
    wanted = {cell: number + links[cell] for cell, number in shown.items()}
    if max(wanted.values()) > MOST or not _is_part(drawn, _board(len(whole.ys), len(whole.xs), wanted), only=led):
        return None
    return Left(whole, drawn, links, frozenset(complete))


def _signed_alike(complete: Sequence[numbers.Island]) -> bool:
    """Whether most of the complete islands that show a sign other than 0 show the same one, such as a tick, or none
    shows any: signs of several kinds are illegible numbers."""
    zeros = numbers.zeros(complete)
    signs = [one.content.ink for one, zero in zip(complete, zeros, strict=True) if not (zero or one.content.bare)]
    return not signs or 2 * max(Counter(alike.clusters(signs)).values()) > len(signs)


def may_remain(puzzle: Puzzle, links: Mapping[Bridge, int]) -> bool:
    """Whether the ``links`` that stand are not part of a solution of ``puzzle``, but would be if its numbers said what
    remains. Then these count down, or somebody made mistakes, and nothing else tells which. Without mistakes, the links
    that stand are part of the solution if numbers say what the level asks for, and hardly ever if they count down."""
    if not any(links.values()) or has_solution(puzzle, links):
        return False
    wanted = Counter(puzzle.islands) + links_of(links)
    return max(wanted.values()) <= MOST and has_solution(_board(puzzle.height, puzzle.width, wanted), links)


def marks_complete(chart: Chart, links: Mapping[Bridge, int]) -> bool:
    """Whether the islands that have as many links as they show are drawn in colours that no other island has: then the
    window marks complete islands, and numbers say what the level asks for. Colours that depend on the number would look
    similar, but not if islands of one colour show several numbers, or those of one number have several colours."""
    has = links_of(links)
    shown = {cell: int(one.candidates[0][0] or 0) for cell, one in chart.islands.items()}
    colours = {cell: np.concatenate([one.content.ground, one.content.colour]) for cell, one in chart.islands.items()}
    complete = [cell for cell in shown if shown[cell] and has[cell] == shown[cell]]
    others = [cell for cell in shown if has[cell] != shown[cell]]

    def apart(a: Cell, b: Cell) -> bool:
        return float(np.abs(colours[a] - colours[b]).max()) > OTHER_COLOUR

    if len(complete) < FEWEST_MARKED or not all(apart(a, b) for a in complete for b in others):
        return False
    both = any(shown[a] == shown[b] for a in complete for b in others)
    return both or any(shown[a] != shown[b] and not apart(a, b) for a, b in itertools.combinations(others, 2))


FEWEST_MARKED, OTHER_COLOUR = 2, 20.0
"""The least number of complete islands that prove the meaning of their colour: a single one may be chosen or hovered
over; and the difference in grey levels from which a colour is another one, in some channel."""


def links_of(links: Mapping[Bridge, int]) -> Counter[Cell]:
    """How many links each island has."""
    found: Counter[Cell] = Counter()
    for bridge, number in links.items():
        found[bridge.a] += number
        found[bridge.b] += number
    return found


def _standing(seen: View, whole: Chart) -> tuple[Drawn, Sequence[End]]:
    """The lines between the islands of ``whole``, and those that lead to no known one. As it is not known yet how many
    links each island may have, no line is taken for a hint because there would be too many links."""
    most = _board(len(whole.ys), len(whole.xs), dict.fromkeys(whole.islands, MOST))
    drawn = by_lines(seen.window, whole.in_window(), most, seen.noise)
    counted, _ = read_links(seen.window, whole.in_window(), most, seen.noise, drawn)
    drawn = replace(drawn, links=counted)
    # All double bridges may lead to complete islands, so that only thinner single ones are known.
    broad = [replace(kind, breadth=DOUBLE * kind.breadth) for kind in drawn.kinds if kind.count == 1]
    pens = replace(drawn, kinds=[*drawn.kinds, *broad])
    found = [loose_ends(seen.window, whole.in_window(), pens, seen.noise, begin) for begin in (0.0, UNSEEN)]
    return drawn, list(dict.fromkeys(found[0] + found[1]))


def _is_broken(drawn: Drawn) -> bool:
    """Whether a line with the pen of a bridge runs on a part of its way only, as if an island on it had been
    overlooked."""
    parts = [line for b, line in zip(drawn.bridges, drawn.lines, strict=True) if line.count and not drawn.links[b]]
    return any(
        line.solid < SOLID and same_pen(kind, line) for line in parts for kind in drawn.kinds if kind.solid >= SOLID
    )


def _added(
    seen: View, chart: Chart, complete: AbstractSet[Cell], wider: Chart, places: Mapping[Cell, float]
) -> tuple[Chart, set[Cell], set[Cell]]:
    """``chart`` on the lattice of ``wider`` with islands at ``places``; and, by their cells on that lattice, the
    ``complete`` islands and the new ones."""
    top, left = (min(cell[k] for cell in wider.islands) - min(cell[k] for cell in chart.islands) for k in (0, 1))
    centres = np.array([(wider.xs[c], wider.ys[r]) for r, c in places])
    found = dict(zip(places, numbers.read(seen, centres, chart.core, chart.outline.round), strict=True))
    whole = replace(wider, islands=dict(sorted((wider.islands | found).items())))
    return whole, {(r + top, c + left) for r, c in complete}, set(found)


def in_line(seen: View, chart: Chart) -> int:
    """How many places in line with the islands show a 0, or look like them and show no number."""
    xs, ys = np.array([one.centre for one in chart.islands.values()]).T
    near = SAME_LINE * chart.size
    spots = [one.centre for one in _complete(seen, chart)]
    return sum(bool(np.abs(xs - x).min() <= near or np.abs(ys - y).min() <= near) for x, y in spots)


def blank_among(seen: View, chart: Chart) -> int:
    """How many free places of the lattice have the islands' colours and outline, and show no number."""
    looks = learn(seen, chart)
    if looks is None:
        return 0
    free = np.array([(chart.xs[c], chart.ys[r]) for r, c in free_cells(chart)]).reshape(-1, 2)
    there = free[likeness(seen, looks, free) >= LOOKS_LIKE]
    if not 0 < len(there) <= len(chart.islands):  # where the squares of a grid look like islands, most places do
        return 0
    usual = float(np.median(presence(seen, chart.outline, np.array([one.centre for one in chart.islands.values()]))))
    there = there[presence(seen, chart.outline, there) >= THE_SAME * usual]
    return sum(one.probability <= LEGIBLE for one in numbers.read(seen, there, chart.core, chart.outline.round))


def _complete(seen: View, chart: Chart) -> list[numbers.Island]:
    """The places anywhere in the picture that show a 0, or look like the islands and show no number."""
    centres = np.array([one.centre for one in chart.islands.values()])
    # A sign is no number, so what is common to the islands is their outline, however pale it is beside the numbers.
    limited = np.minimum(seen.strength, np.uint8(min(chart.outline.strongest, 255)))
    places = everywhere(replace(seen, strength=limited), chart.outline, centres)
    there = numbers.read(seen, places, chart.core, chart.outline.round)
    like = presence(seen, chart.outline, places) >= THE_SAME * float(np.median(presence(seen, chart.outline, centres)))
    return [
        one
        for one, zero, alike in zip(there, numbers.zeros(there), like, strict=True)
        if (zero and is_number(one, chart.number_height)) or (alike and one.probability <= LEGIBLE)
    ]


def _with_complete(seen: View, chart: Chart) -> Chart:
    """``chart`` with the islands that show a 0 or no number: no guess contained them, and they may stand between the
    known places of the lattice."""
    more = _complete(seen, chart)
    found = charted([*chart.islands.values(), *more], chart.outline) if more else None
    return chart if found is None or not found.regular else replace(on_grid(seen, found), scale=chart.scale)


def _is_part(drawn: Drawn, puzzle: Puzzle, *, only: bool) -> bool:
    """Whether a board has a solution and, if that is the only one, all links that stand are part of it. ``only``:
    whether it must be the only one, because islands that were hardly seen suggest that others were overlooked."""
    if faults(puzzle):
        return False
    outcome = solver.solve(puzzle, time_limit=SOLVE_LIMIT, most=2)
    if outcome.solution is None or not outcome.unique:
        return outcome.solution is not None and not only
    wanted = {(a, b): links for a, b, links in outcome.solution}
    return all(number <= wanted.get((b.a, b.b), 0) for b, number in drawn.links.items())


def _board(height: int, width: int, wanted: Mapping[Cell, int]) -> Puzzle:
    grid = [[WATER] * width for _ in range(height)]
    for (r, c), number in wanted.items():
        grid[r][c] = number
    return Puzzle(tuple(map(tuple, grid)))
