"""The state of play in a later picture of a window: whether its board is still there, which bridges stand, and how the
islands look compared with the level's beginning. Bridges are read by ``bridges``."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.base import Reading
from autoplayer.games.hashi.puzzle import Bridge, Puzzle
from autoplayer.games.hashi.seeing.between.bridges import by_lines, read_links
from autoplayer.games.hashi.seeing.between.lines import FAINTEST, Line
from autoplayer.games.hashi.seeing.places import numbers, outline
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.games.hashi.seeing.places.outline import View, pixels
from autoplayer.vision import alike, ink

SAME_GLYPH = 0.75
"""The least correlation of a glyph with itself in another colour; the digits of one font reach 0.6."""

STILL_THERE = 0.6
"""The least share of the islands that must be seen again for the board to be there; a pointer or a hint hides a few."""

CROSSED = 0.35
"""Of the usual match of an island with the common outline, or of its own before: the least for an island through which
bridges run."""


RIMS = tuple(np.linspace(0.75, 1.15, 17).tolist())
"""The positions at which the rim of an island is examined, in its radii: some windows draw a ring around a pressed
island."""

CORNERS = np.concatenate([corner + np.linspace(-0.3, 0.3, 7) for corner in np.pi * np.array([0.25, 0.75, 1.25, 1.75])])
"""In which directions from its middle, radians."""

BEYOND, LEAST_FREE = (1.25, 1.35), 0.25
"""The positions, in an island's radii, at which a change is that of a bridge; and the least share of the directions
that must be without one: a ring around a pressed island may be as wide."""

WITHIN = tuple(np.linspace(0.35, 1.1, 12).tolist())
"""The positions at which an island is examined for what is still there, in its radii."""

BESIDE_NUMBER = tuple(np.linspace(0.6, 0.85, 6).tolist())
"""The positions at which an island's colour is seen beside its number and inside its rim, in its radii."""

STILL, MOSTLY_STILL = 12.0, 0.9
"""The largest difference in grey levels, in any channel, of an unchanged colour; and the least share of an island,
apart from the directions of bridges, that must be unchanged."""

VEILED = 0.4
"""The largest share of its contrast that a number keeps under a veil. Finished islands grey their numbers, but hardly
that far."""


@dataclass(frozen=True)
class Standing:
    """The state of play in a picture. ``present``: whether the board is there and is the same one. ``links``: for every
    bridge of the puzzle, 0, 1 or 2. ``unsure``: bridges of which too little is visible. ``looks``: for each island the
    colour of its inside beside its number, BGR, and the change of its rim, shape ``(6,)``. ``lines``: the line along
    each visible bridge. ``shown``: the numbers that islands show, where they are legible. ``covered``: islands of which
    nothing is seen again."""

    present: bool
    links: Mapping[Bridge, int] = field(default_factory=dict)
    unsure: frozenset[Bridge] = frozenset()
    looks: Mapping[Cell, Floats] = field(default_factory=dict)
    lines: Mapping[Bridge, Line] = field(default_factory=dict)
    shown: Mapping[Cell, int] = field(default_factory=dict)
    covered: frozenset[Cell] = frozenset()


@dataclass(frozen=True)
class Before:
    """What a picture showed, for comparison with later ones; computed when it is first needed."""

    seen: View
    chart: Chart

    @functools.cached_property
    def centres(self) -> Floats:
        return np.array([one.centre for one in self.chart.islands.values()])

    @functools.cached_property
    def like(self) -> Floats:
        """How well each island matches the common outline, at most as well as is usual. Where the rows of a table are
        not quite evenly spaced, some do much less."""
        like = outline.presence(self.seen, self.chart.outline, self.centres)
        usual = max(float(np.median(like)), 1e-6)
        return np.asarray(np.clip(like, CROSSED * usual, usual), np.float64)

    @functools.cached_property
    def islands(self) -> list[numbers.Island]:
        """The islands, in the chart's order, without anything around their numbers."""
        return numbers.read(self.seen, self.centres, self.chart.core, self.chart.outline.round)


def standing(
    image: Image,
    reading: Reading[Puzzle],
    puzzle: Puzzle,
    offered: Sequence[Line] = (),
    pens: Sequence[tuple[Line, int]] = (),
) -> Standing:
    """The state of play in ``image``, a later picture of the window from which ``reading`` was made. ``offered``: lines
    that are known to show only where bridges may be built; ``pens``: lines that are known to mean so many links."""
    before: Before = reading.extra["before"]
    chart = before.chart
    if image.shape != reading.image.shape:
        return Standing(False)
    first = before.seen
    seen = outline.view(image, chart.scale, first.known, first.symbols)
    seen = replace(seen, foreign=first.foreign, faint=first.faint)
    like = outline.presence(seen, chart.outline, before.centres) / before.like
    # A finished island may be a ring where it was a disc: only what is around the number is looked at.
    now = numbers.read(seen, before.centres, chart.core, chart.outline.round)
    same = [_same(one.content, other.content) for one, other in zip(before.islands, now, strict=True)]
    like = like if chart.outline.drawn else np.array(same, np.float64)
    places = [reading.places[cell] for cell in chart.islands]
    rims = _rims(reading.image, image, places)
    looks = {
        cell: np.concatenate([one.content.ground, rim]) for cell, one, rim in zip(chart.islands, now, rims, strict=True)
    }
    changed = np.array(same) | (like >= CROSSED) | _unchanged(reading.image, image, places)
    if changed.mean() < STILL_THERE:
        return Standing(False, looks=looks)
    placed = chart.in_window()
    if _is_veiled(before.islands, now, same):
        placed = replace(placed, islands=dict(zip(placed.islands, _paler(placed.islands.values(), now), strict=True)))
    drawn = by_lines(seen.window, placed, puzzle, seen.noise, offered, pens)
    links, unsure = read_links(seen.window, placed, puzzle, seen.noise, drawn)
    # Bridges run through the islands of some windows, and finished ones are filled, or count what is left.
    played = {cell for bridge, number in links.items() if number for cell in (bridge.a, bridge.b)}
    beside = _beside_bridges(before, reading.image, image, places)
    for cell, colour, rim in zip(chart.islands, beside, rims, strict=True):
        if colour is not None and cell in played:
            looks[cell] = np.concatenate([colour, rim])
    shown = {
        cell: int(one.candidates[0][0])
        for cell, one in zip(chart.islands, now, strict=True)
        if one.candidates[0][0] and one.probability > numbers.LEGIBLE
    }
    # Numbers that a drag has selected as text have a box behind them, and are still legible.
    kept = np.array(same) | [shown.get(cell) == puzzle.islands[cell] for cell in chart.islands]
    again = np.where([cell in played for cell in chart.islands], changed, kept & (like >= outline.LIKE))
    if again.mean() < STILL_THERE:
        return Standing(False, looks=looks)
    covered = frozenset(cell for cell, seen_again in zip(chart.islands, changed, strict=True) if not seen_again)
    return Standing(True, links, unsure, looks, dict(zip(drawn.bridges, drawn.lines, strict=True)), shown, covered)


def _at_corners(image: Image, places: Sequence[Box], radii: Sequence[float]) -> Floats:
    """The colours of each island at its corners, which no bridge reaches, at so many radii from its middle. Shape
    ``(islands, radii, directions, 3)``, BGR."""
    centres = np.array([place.centre for place in places])[:, None, None]
    sizes = np.array([(place.width, place.height) for place in places])[:, None, None]
    ways = np.stack([np.cos(CORNERS), np.sin(CORNERS)], axis=-1)
    spots = pixels(centres + np.array(radii)[:, None, None] * sizes / 2 * ways)
    across, down = spots[..., 0].clip(0, image.shape[1] - 1), spots[..., 1].clip(0, image.shape[0] - 1)
    return np.asarray(image[down, across], np.float32)


def _rims(before: Image, now: Image, places: Sequence[Box]) -> Floats:
    """How much the rim of each island has changed since ``before`` (both BGR, of one size), as far as it also differs
    from that of most others, shape ``(N, 3)``: of the rings inside, on and just outside its outline, the one that
    changed most, at its corners. An island that changed only as the others did was not pressed."""
    then, since = (_at_corners(each, places, RIMS) for each in (before, now))
    # The two lines of a double bridge may be so far apart that they end at the corners.
    was, beyond = (_at_corners(each, places, BEYOND) for each in (before, now))
    free = (np.abs(beyond - was) <= STILL).all(axis=(1, 3))
    free |= (free.mean(axis=1) < LEAST_FREE)[:, None]
    usual = np.median(since, axis=0)
    since = np.where(free[:, None, :, None], since, np.nan)
    change, apart = (np.nanmedian(since - other, axis=2) for other in (then, usual))
    both = np.where(np.sign(change) == np.sign(apart), np.sign(change), 0) * np.minimum(np.abs(change), np.abs(apart))
    most: Floats = both[np.arange(len(both)), np.abs(both).max(axis=2).argmax(axis=1)]
    return most


def _unchanged(before: Image, now: Image, places: Sequence[Box]) -> NDArray[np.bool_]:
    """Whether each island still shows at directions without bridges what it did ``before``, though bridges are drawn
    over it: its outline, or the edge of its own colour."""
    then, since = (_at_corners(each, places, WITHIN) for each in (before, now))
    still = (largest_channel(np.abs(since - then)) <= STILL).mean(axis=(1, 2)) >= MOSTLY_STILL
    drawn = np.ptp(np.median(then, axis=2), axis=1).max(axis=1) > 2 * FAINTEST
    return np.asarray(still & drawn, np.bool_)


def _beside_bridges(before: Before, first: Image, now: Image, places: Sequence[Box]) -> list[Floats | None]:
    """The colour of each island where neither its number nor a bridge is: in some windows bridges run as far as the
    islands' middles, and most of what is around a number is their ink. None where the picture of the level's beginning
    (``first``) does not show the island's colour there."""
    then, since = (np.median(_at_corners(each, places, BESIDE_NUMBER), axis=(1, 2)) for each in (first, now))
    shown = [np.abs(was - one.content.ground).max() <= STILL for was, one in zip(then, before.islands, strict=True)]
    return [colour if clear else None for colour, clear in zip(since, shown, strict=True)]


def _is_veiled(before: Sequence[numbers.Island], now: Sequence[numbers.Island], same: Sequence[bool]) -> bool:
    """Whether the numbers that are seen again are far paler than they were: something translucent lies over the
    board, as a message about its end does, and bridges are as pale."""
    strength = [
        b.content.contrast / a.content.contrast
        for a, b, again in zip(before, now, same, strict=True)
        if again and not a.content.bare and not b.content.bare
    ]
    return bool(strength) and float(np.median(strength)) < VEILED


def _paler(islands: Iterable[numbers.Island], now: Sequence[numbers.Island]) -> list[numbers.Island]:
    """``islands`` with what they hold ``now``."""
    return [replace(one, content=other.content) for one, other in zip(islands, now, strict=True)]


def _same(before: ink.Content, now: ink.Content) -> bool:
    if before.bare or now.bare:
        # A filled disc for a number may leave nothing that is not the island's own colour.
        return before.bare and now.bare and bool(np.abs(before.ground - now.ground).max() <= STILL)
    first, second = alike.clusters([before.ink, now.ink])
    if first == second:
        return True
    # Of another colour, a glyph is a little thinner or broader.
    return float(alike.vector(before.ink) @ alike.vector(now.ink)) > SAME_GLYPH
