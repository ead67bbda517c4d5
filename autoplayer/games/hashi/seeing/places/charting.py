"""Turns a guess into a chart: the legible islands of the guess give the islands' common outline, and this is looked for
at every place of the lattice, so that islands that are drawn differently (finished, wrong, chosen) are found as
well."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from autoplayer.core.frame import Floats
from autoplayer.games.hashi.seeing.places.chart import GLYPH_ROOM, OFF_LATTICE, SMALLEST, Chart, charted, placed
from autoplayer.games.hashi.seeing.places.guesses import Guess
from autoplayer.games.hashi.seeing.places.numbers import INSIDE, LEGIBLE, read
from autoplayer.games.hashi.seeing.places.others import HALF_LIKE, VERY_LIKE, has_room, is_line, is_number
from autoplayer.games.hashi.seeing.places.outline import (
    Outline,
    Stretch,
    View,
    climbed,
    everywhere,
    outline_of_glyphs,
    presence,
    shared_outline,
)
from autoplayer.vision import lattice

if TYPE_CHECKING:
    from autoplayer.layout import BoardTable

FEWEST = 2


def look(seen: View, guess: Guess) -> list[Chart]:
    """Reads the boxes of a guess, learns the islands' outline from them, and looks for the others: returns the chart of
    all islands, and that of the guess's own islands; empty if the guess holds none."""
    if not FEWEST <= len(guess.boxes) <= lattice.MOST:
        return []
    centres: Floats = guess.boxes[:, :2] + (guess.boxes[:, 2:] - 1) / 2
    width, height = (float(v) for v in np.median(guess.boxes[:, 2:], axis=0))
    inside = INSIDE * min(width, height) if guess.inside else GLYPH_ROOM * height
    if _hardly_legible(seen, centres, inside, guess.round):
        return []
    seeds = [one for one in read(seen, centres, inside, guess.round) if one.probability > LEGIBLE]
    if len(seeds) < FEWEST or (guess.inside and not guess.round and 2 * len(seeds) < len(guess.boxes)):
        return []
    if guess.inside:
        where, stretch = [one.centre for one in seeds], _stretch(width, height)
        most = min(width, height) if any(stretch) else max(width, height)
        outline = shared_outline(seen, where, SMALLEST / 2, most, guess.round, stretch)
        if outline is None and seen.noise <= CALM:
            outline = shared_outline(seen.fainter, where, SMALLEST / 2, most, guess.round, stretch)
    else:
        outline = outline_of_glyphs(seen, [one.centre for one in seeds], height)
        if outline is None and seen.noise <= CALM:
            outline = outline_of_glyphs(seen.fainter, [one.centre for one in seeds], height)
    if outline is None:
        return []
    if guess.inside:  # what was seen whole is known better than what all have in common
        inner = min(width, height)
        wide, high = (inner + 2 * more for more in outline.stretch)
        outline = replace(outline, inner=inner, width=max(outline.width, wide), height=max(outline.height, high))
    else:
        # A glyph's centre is not its island's: a 1 is narrow, and a 2 may be low.
        for _ in range(2):
            begin = np.array([one.centre for one in seeds])
            step = max(1, round(height / 12))
            centres, _ = climbed(seen, outline, begin, (2 * step, 2 * step, step, step, 1, 1))
            better = shared_outline(seen, [(float(cx), float(cy)) for cx, cy in centres], height)
            outline = outline if better is None or better.likeness < outline.likeness else better
        seeds = read(seen, centres, INSIDE * outline.inner, outline.round)
        seeds = [one for one in seeds if one.probability > LEGIBLE]
        if len(seeds) < FEWEST:
            return []
    chart = charted(seeds, outline)
    if chart is None or strewn(chart) or _lost(chart) or _scattered(chart):
        return []
    whole = completed(seen, chart, outline)
    if strewn(whole):
        return [chart]
    if len(whole.islands) >= 1.5 * len(seeds):
        # The outline was learned from a few similar islands; now it is learned again from all of them.
        all_of_them = [one.centre for one in whole.islands.values()]
        better = shared_outline(seen, all_of_them, SMALLEST / 2, outline.inner, outline.round, outline.stretch)
        again = None if better is None else completed(seen, whole, replace(better, inner=outline.inner))
        if again is not None and again.score > whole.score:
            return [again, whole, chart]
    return [whole, chart]


CALM = 2.5
"""The noise, in grey levels, up to which an edge that is hardly seen may be drawn there."""


def _stretch(width: float, height: float) -> Stretch:
    """By how much insides of this size are oblong."""
    if max(width, height) < OBLONG * min(width, height):
        return 0, 0
    more = round(abs(width - height) / 2)
    return (more, 0) if width > height else (0, more)


OBLONG = 1.3
"""The least ratio of length to width of an oblong: marks and blobs that are squares have less."""


def strewn(chart: Chart) -> bool:
    """Whether more islands than a board has stand on no lattice, or a few on one finer than that of any board, as the
    letters and digits of a page do."""
    places = len(chart.xs) * len(chart.ys)
    sparse = places >= FINEST and len(chart.islands) < SPARSEST * places
    return sparse or (not chart.regular and len(chart.islands) >= STREWN)


def _lost(chart: Chart) -> bool:
    """Whether islands are so small relative to the distances between them that they are the ends and crossings of grid
    lines."""
    return len(chart.islands) > FEWEST and chart.size < LOST * min(chart.pitch_x, chart.pitch_y)


def _scattered(chart: Chart) -> bool:
    """Whether many numbers are not at the usual position in their islands: the contents of grid squares are then pieces
    of text written across the grid lines."""
    whole = [one for one in chart.islands.values() if not one.content.bare]
    aside = np.array([np.subtract(one.content.box.centre, one.centre) for one in whole]).reshape(-1, 2)
    apart = np.abs(aside - np.median(aside, axis=0)).max(axis=1) > ASIDE * chart.size
    return float(apart.mean()) > MOST_ASIDE


ASIDE, MOST_ASIDE = 0.25, 0.2
"""Of an island's size: the largest deviation of a number from the usual position in its island; and the share of the
islands that may deviate more, because something covers them."""


LOST = 0.07
"""Of the pitch: the least size of a board's islands; three islands of a first level, far apart, had 0.12."""


STREWN = 150
"""Islands: of 240 boards of the bench none had a chart of 100 that stood on no lattice; tables had 280 to 630."""


FINEST, SPARSEST = 2500, 0.01
"""The number of places from which a lattice must have at least this share of them occupied by islands."""


def _hardly_legible(seen: View, centres: Floats, size: float, is_round: bool) -> bool:
    """Whether a large number of ``centres`` with few numbers among them are the letters of a page or the grain of a
    picture: a sample of them is read."""
    if len(centres) <= MANY:
        return False
    some = read(seen, centres[:: math.ceil(len(centres) / SAMPLE)], size, is_round)
    return sum(one.probability > LEGIBLE for one in some) < LEAST_LEGIBLE * len(some)


MANY, SAMPLE, LEAST_LEGIBLE = 40, 24, 0.1
"""The number from which boxes are sampled; how many are read; and the least share of these that are numbers: boards
were found from boxes of which a fifth or more were numbers."""


def look_at(seen: View, board: BoardTable, size: tuple[int, int]) -> Chart | None:
    """The islands on a lattice that a person has given; ``size``: the view's width and height."""
    boxes = [board.cell(r, c, size) for r in range(board.rows) for c in range(board.columns)]
    centres = np.array([(box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2) for box in boxes])
    pitch = min(board.place[2] * size[0] / board.columns, board.place[3] * size[1] / board.rows)
    tries = [read(seen, centres, share * pitch) for share in SHARES]
    seeds = max(([one for one in some if one.probability > LEGIBLE] for some in tries), key=len)
    if len(seeds) < FEWEST:
        return None
    outline = shared_outline(seen, [one.centre for one in seeds], NARROWEST * pitch)
    chart = None if outline is None else charted(seeds, outline)
    if outline is None or chart is None:
        return None
    again = read(seen, np.array([one.centre for one in seeds]), INSIDE * outline.inner, outline.round)
    chart = charted([one for one in again if one.probability > LEGIBLE] or seeds, outline) or chart
    return placed(completed(seen, chart, outline), board, size)


SHARES = (0.45, 0.6, 0.78)
"""Of the pitch: the widths in which a number is looked for at each place of a given lattice."""


NARROWEST = 0.3
"""Of the pitch: no island on a given lattice is narrower."""


def completed(seen: View, chart: Chart, outline: Outline) -> Chart:
    """``chart`` with the islands that the guess did not contain. Something must stand in them; one whose number is
    illegible must stand on the lattice of the others, because it might be a check box."""
    known = np.array([one.centre for one in chart.islands.values()])
    places = everywhere(seen, outline, known)
    if not len(places):
        return chart
    if len(places) > MOST_MORE * len(known) or _hardly_legible(seen, places, INSIDE * outline.inner, outline.round):
        return chart
    usual = float(np.median(presence(seen, outline, known)))
    clear = presence(seen, outline, places) >= max(VERY_LIKE * usual, HALF_LIKE)
    # Less similar ones must stand on a place of the lattice: the digits of a clock do not.
    chosen = np.flatnonzero(clear | np.array([_on_lattice(place, chart) for place in places.tolist()], np.bool_))
    there = read(seen, places[chosen], INSIDE * outline.inner, outline.round, chart.islands.values())
    kept = [(one, k) for one, k in zip(there, chosen, strict=True) if not one.content.bare]
    kept = [(one, k) for one, k in kept if not is_line(seen, one, outline)]
    added, like = [one for one, _ in kept], clear[[k for _, k in kept]]
    legible = [
        one
        for one, sure in zip(added, like, strict=True)
        if one.probability > LEGIBLE and (sure or is_number(one, chart.number_height))
    ]
    whole = charted([*chart.islands.values(), *legible], outline)
    if whole is not None and chart.regular and not whole.regular and len(chart.islands) >= LEAST_OTHER:
        # Drop the numbers of a list beside the board, in discs of the same size.
        whole = charted([*chart.islands.values(), *(one for one in legible if _on_lattice(one.centre, chart))], outline)
    if whole is None or len(whole.islands) <= len(chart.islands):
        whole = chart
    others = [
        one
        for one, clear in zip(added, like, strict=True)
        if one.probability <= LEGIBLE
        and clear
        and _on_lattice(one.centre, whole)
        and has_room(one, whole.islands.values(), outline)
    ]
    if not others or len(others) > MOST_HIDDEN * len(whole.islands):
        return whole
    return charted([*whole.islands.values(), *others], outline) or whole


MOST_HIDDEN = 0.6
"""Of the legible islands: if more than this are illegible, they are not islands, but crossing lines."""


MOST_MORE = 60
"""How many times as many places as known islands may have their outline: an outline shared by a few glyphs by chance
occurs everywhere in a texture or a text."""


LEAST_OTHER = 6
"""Islands of such a chart at least: with fewer anything fits together."""


def _on_lattice(centre: Sequence[float], chart: Chart) -> bool:
    """Whether a ``centre`` lies in a row and a column of the lattice, or of its continuation."""
    for value, lines, pitch in ((centre[0], chart.xs, chart.pitch_x), (centre[1], chart.ys, chart.pitch_y)):
        nearest = min(lines, key=lambda line: abs(value - line))
        steps = (value - nearest) / pitch
        if abs(steps - round(steps)) > OFF_LATTICE or (lines[0] <= value <= lines[-1] and round(steps)):
            return False
    return True
