"""Other looks at the places of a board whose glyphs are not clear (``views``), and how they are weighed against the
first one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from autoplayer.core.frame import Box, Floats, Image, unlike
from autoplayer.games.cardinal_chains.seeing.glyphs import odds, views
from autoplayer.vision import glyphs, ink, rims

INSTEAD = 0.7
"""A glyph this probable in the board's own ink colour counts more than ink of another colour, however sure; and one
this probable with two grounds counts more than one read together with the rim between them."""

A_STROKE = "1"
"""What a single stroke of any glyph looks like."""


@dataclass(frozen=True)
class Other:
    """A place looked at in another way. ``enough``: the probability from which this look counts more than the earlier
    ones; None if it must be more probable than they are. ``cut``: whether it is lower than all glyphs."""

    place: int
    enough: float | None
    cut: bool
    ink: Floats
    thinned: bool = False
    """Whether it is the place's own ink without paler pixels."""
    upon_line: bool = False
    """Whether the line on which a glyph stands is removed."""
    rim: bool = False
    """Whether it is seen with two grounds."""
    odd: bool = False
    """Whether it has another colour than the glyphs."""
    part: bool = False
    """Whether it is what of unclear ink has the glyphs' own colour: a single stroke may be a part of any glyph."""
    coloured: bool = False
    """Whether it shows the ink in the glyphs' own colour."""


@dataclass(frozen=True)
class Looks:
    """The other ways to look at the places of a board. ``usual``: the glyphs' colour, ``lowest``: the height of the
    lowest glyph, ``disc``: the position of discs around the glyphs, as far as these are known. ``inks``: the
    different colours of the clear numbers."""

    image: Image
    noise: float
    usual: Floats | None
    lowest: float
    disc: tuple[float, float, int] | None
    inks: Sequence[Floats] = ()

    def at(self, i: int, here: ink.Content, chance: float, best: list[dict[str, float]]) -> list[Other]:
        """The other looks at the ``i``-th place, in which something was read with a probability of ``chance``; a place
        that shows only a veil's rim is taken for empty."""
        looks = list(self._in_a_disc(i, here, chance))
        beside_a_rim = rims.content(self.image, here.place, self.noise) if here.uneven else None
        looks += self._in_the_glyphs_colour(i, here, beside_a_rim is not None)
        if beside_a_rim is not None:
            if beside_a_rim.bare:
                best[i] = {"": 1.0}
                return looks
            looks.append(Other(i, INSTEAD, False, beside_a_rim.ink, rim=True, odd=self._is_odd(beside_a_rim)))
        # A line that goes through its cell, or ends in it, may look like a sure 1.
        a_stroke = odds.likeliest(best[i]) == A_STROKE
        upon_a_line = rims.upon_a_line(self.image, here.place, self.noise) if here.uneven or a_stroke else None
        if upon_a_line is not None and not upon_a_line.bare:
            enough = INSTEAD if chance < odds.LEGIBLE or a_stroke else None
            looks.append(Other(i, enough, False, upon_a_line.ink, upon_line=True, odd=self._is_odd(upon_a_line)))
        return looks + list(self._in_other_inks(i, here, chance))

    def _in_a_disc(self, i: int, here: ink.Content, chance: float) -> Iterator[Other]:
        """A line that runs into a disc is connected with it; the glyph is then looked for where it is in the other
        discs."""
        if self.disc is None or not (chance < odds.LEGIBLE or views.touches(here)):
            return
        (x, y), (right, below, side) = here.place.centre, self.disc
        box = Box(round(x + right - side / 2), round(y + below - side / 2), side, side)
        within = ink.content(self.image, box)
        if not within.bare:
            yield Other(i, INSTEAD, False, within.ink)

    def _in_the_glyphs_colour(self, i: int, here: ink.Content, has_rim: bool) -> Iterator[Other]:
        """A chain's line may look like a 1; ink in the glyphs' own colour counts for more."""
        line = views.crossing(self.image, here) if views.touches(here) else None
        usual = self.usual if line is None else self._usual_beside(here, line)
        if usual is None:
            return
        strange = min(unlike(here.colour, usual), unlike(here.ground, usual))
        is_strange = strange > views.OTHER_COLOUR or (
            views.touches(here) and views.more_than_a_glyph(self.image, here, usual)
        )
        if not is_strange and not has_rim:
            return
        line = None if line is None or unlike(line, usual) <= views.OTHER_COLOUR else line
        glyph = ink.content_in_colour(self.image, here.place, usual, self.noise, line)
        if not glyph.bare and glyph.contrast > views.FULL * float(np.abs(usual - here.ground).max()):
            same, low = views.is_the_same(here, glyph), glyph.box.height <= self.lowest
            yield Other(i, INSTEAD if is_strange else 1.0, low, glyph.ink, thinned=same, coloured=True)

    def _usual_beside(self, here: ink.Content, line: Floats) -> Floats | None:
        """The glyphs' colour in a place that a ``line`` of some colour crosses. If each number has a colour of its own,
        that is the only one of these that is drawn there, or else the place's own, unless it is the line's."""
        if len(self.inks) < 2:
            return self.usual
        drawn = [one for one in views.shown(self.image, here, self.inks) if unlike(one, line) > views.OTHER_COLOUR]
        if len(drawn) == 1:
            return drawn[0]
        return here.colour if not drawn and unlike(here.colour, line) > views.OTHER_COLOUR else self.usual

    def _in_other_inks(self, i: int, here: ink.Content, chance: float) -> Iterator[Other]:
        if chance >= odds.LEGIBLE:
            return
        # If a glyph has one colour, its part in exactly the others' colour is no more than its thick strokes.
        usual = self.usual
        if usual is not None and chance > INSTEAD and not views.more_than_a_glyph(self.image, here, usual):
            usual = None
        for cut, other in views.other_inks(self.image, here, self.noise):
            yield Other(i, None, cut, other)
        # Without what has another colour: a pointer, a line or a veil.
        in_colour = None if usual is None else ink.content_in_colour(self.image, here.place, usual, self.noise)
        if in_colour is not None and not in_colour.bare:
            same, low = views.is_the_same(here, in_colour), in_colour.box.height <= self.lowest
            yield Other(i, None, low, in_colour.ink, thinned=same, part=True)

    def _is_odd(self, here: ink.Content) -> bool:
        return self.usual is not None and unlike(here.colour, self.usual) > views.OTHER_COLOUR


def weigh(others: Sequence[Other], best: list[dict[str, float]], inks: list[Floats], first: Sequence[str]) -> None:
    """Update the candidates of each place, ``best``, and the ink by which it is compared, if another look is clearer
    than the ``first``."""
    said = [odds.possible(options) for options in glyphs.read_numbers([other.ink for other in others])]
    coloured = {other.place: k for k, other in enumerate(others) if other.coloured}
    settled: set[int] = set()  # places whose glyph was clear then: what else may be seen there is a part of it
    upon_two: set[int] = set()  # places whose glyph was clear with two grounds: a ring around it is the rim's
    for other, chances in zip(others, said, strict=True):
        i = other.place
        if i in settled or (other.cut and odds.likeliest(chances) != "X") or (i in upon_two and other.enough is None):
            continue
        in_colour = said[coloured[i]] if i in coloured else {"": 1.0}
        if i in coloured and others[coloured[i]].cut and odds.likeliest(in_colour) != "X":
            in_colour = {"": 1.0}
        before, now = odds.likeliest(best[i]), odds.likeliest(chances)
        a_stroke = other.part and now == A_STROKE and not before
        if a_stroke or (other.thinned and now and before and (now != before or other.enough is None)):
            # The same pixels seen in two ways: neither is surer than the other.
            best[i] = {t: (best[i].get(t, 0.0) + chances.get(t, 0.0)) / 2 for t in best[i].keys() | chances.keys()}
            continue
        spoken_for = odds.top(in_colour) >= odds.LEGIBLE and odds.likeliest(in_colour) == before != now
        if spoken_for and (before == first[i] or other.odd or odds.top(chances) < odds.top(in_colour)):
            continue  # ink in the glyphs' own colour confirms the earlier reading
        if now == before and odds.top(chances) < odds.top(best[i]):
            continue
        if other.upon_line and odds.top(chances) >= odds.LEGIBLE:
            settled.add(i)
        if other.rim and odds.top(chances) >= odds.LEGIBLE:
            upon_two.add(i)
        if odds.top(chances) > (odds.top(best[i]) if other.enough is None else other.enough):
            best[i] = chances
            inks[i] = other.ink
