"""Measures the looks of the glyphs of a board of Cross Set, and how well a choice of the active ones explains them:
size, strength, boldness and colour relative to the same number elsewhere, fitted by least squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.ordering.regression import LEAST, Fit, Fitted, Measure

OTHER_GROUND = 24.0
"""Grey levels in a channel: cells whose colours differ by more are of two kinds."""

CLEAR = 6.0
"""The least gain in nats of a hypothesis over none at all."""

MARGIN = 4.0
"""A cell is in doubt if another choice is worse by less than this many nats: a probability of some 2 %."""

CLEARLY_LARGER, MANY_SMALLER = 3.0, 0.25
"""How many times the effect of pixel rasterisation on heights is more than chance; and the share of cells whose active
numbers are smaller than others there, from which on that is no accident of single glyphs."""

A_RULE = 2.0
"""The cost in nats of the first exception to a common position: most windows have such a position, and no
exceptions."""

STRANGE = 3.0, 1.5
"""A cell that is an exception is explained badly if its misfit exceeds so many times the usual one by so many nats."""

NOTHING_LIKE = 12.0
"""The misfit in nats beyond which a cell is taken to be drawn differently or misread."""

MIXED = 8.0
"""The penalty in nats if active glyphs are stronger than the others in some cells, and weaker in those of another
colour."""

OF_OTHER_SCALE = 4.0
"""Cells have individual sizes if these explain this many times as much, per parameter, as chance does."""

LARGER = 0.15
"""Active glyphs that are higher by this (a logarithm) may be weaker than the others, and of any colour."""

NOISE = {"height": 0.02, "contrast": 0.04, "bold": 0.03, "colour": 0.06}
"""The least spread of glyphs that look alike."""

LITTLE = 0.4
"""The spread in tone of glyphs that look alike, as a share of that of all numbers."""

RASTER = 0.35
"""Window pixels by which the heights of glyphs that look alike differ."""

LIKE_ONE, MOST_LIKE, TOLD_BY_THOSE = 0.5, 0.8, 8.0
"""A single candidate of a cell is like the active glyphs, or like the others, if its look is this much nearer to those;
in how many of those cells that has to be so; and the weight of that evidence, in nats."""

FEWEST_ALONE = 2
"""The least number of such cells for them to be evidence."""

OF_ONE_SHADE, MIXED_SHADE, OF_ACTIVE_ONES = 40.0, 0.1, 0.5
"""``OF_ONE_SHADE``: the most grey levels by which colours of one shade differ. Some numbers have a shade whether they
are active or not, such as those that clash with others: then at least the share ``MIXED_SHADE`` of those with the shade
is active, and at least this share is not, and fewer than the share ``OF_ACTIVE_ONES`` of all active ones have it."""

Choice = dict[Cell, Glyph]


class Looks:
    """The looks of the glyphs of some cells, as numbers. A choice is an array with the index of a glyph of each
    cell."""

    def __init__(
        self,
        rows: Mapping[Cell, Sequence[Glyph]],
        grounds: Mapping[Cell, Floats],
        alone: Mapping[Cell, Glyph],
        by_ink: bool = False,
        shade: NDArray[np.int64] | None = None,
    ) -> None:
        """``by_ink``: measure the strength of a glyph by the sum of its ink, not by its strongest pixels. ``shade``:
        for each glyph with a shade of its own its number, from 1 on; 0 for all others."""
        self.cells = list(rows)
        self.rows = [list(rows[cell]) for cell in self.cells]
        self.glyphs = [g for row in self.rows for g in row]
        self.first = np.cumsum([0, *map(len, self.rows)])[:-1]
        self.of_cell = np.repeat(np.arange(len(self.rows)), list(map(len, self.rows)))
        self.within_cell = np.arange(len(self.glyphs)) - self.first[self.of_cell]
        self.options = np.log([len(row) for row in self.rows])
        self.known: dict[bytes, list[Fitted]] = {}
        self.worths: dict[bytes, float] = {}
        tokens = {token: i for i, token in enumerate(sorted({g.token for g in self.glyphs}))}
        numbers = np.eye(len(tokens))[[tokens[g.token] for g in self.glyphs]]
        own = np.eye(len(self.rows))[self.of_cell]
        kinds = _kinds({cell: grounds[cell] for cell in self.cells})
        self.kind = np.array([kinds[self.cells[i]] for i in self.of_cell])
        heights = np.array([g.height for g in self.glyphs], float)
        contrast = np.array([max(g.piece.contrast, 1.0) for g in self.glyphs])
        if by_ink:
            contrast *= np.array([max(float(g.piece.ink.sum()), 1.0) for g in self.glyphs]) / heights**2
        bold = np.array([float(np.mean(g.piece.ink)) for g in self.glyphs])
        blur = RASTER * np.array([g.piece.scale for g in self.glyphs]) / heights
        self.height = Measure("height", np.log(heights), float(np.hypot(np.median(blur), NOISE["height"])))
        self.shade = np.zeros(len(self.glyphs), np.int64) if shade is None else shade
        self.contrast = contrast
        self.colours = np.array([g.piece.colour for g in self.glyphs], float)
        self.chroma = np.ptp(self.colours, axis=1)
        away = self.colours - np.array([grounds[self.cells[i]] for i in self.of_cell])
        hues = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0)
        tones = [Measure("contrast", np.log(contrast), NOISE["contrast"]), Measure("bold", bold, NOISE["bold"])]
        tones += [Measure("colour", hue, NOISE["colour"]) for hue in hues.T]
        self.size = self._sizes(numbers, own)
        # Numbers are drawn in one tone: what differs between them is what thin strokes lose, and little.
        of_shade = np.array([(self.shade == n) & (self.kind == k) for n, k in self._shades_of_kinds()]).T
        of_shade = of_shade.reshape(len(self.glyphs), -1).astype(float)
        prior = np.hstack([LITTLE * np.eye(len(tokens)), np.zeros((len(tokens), len(self.rows) + of_shade.shape[1]))])
        self.tone = Fit(np.hstack([numbers, own, of_shade]), tones, prior)
        self.plain = np.array(
            [_plainly(g, grounds[self.cells[i]]) for g, i in zip(self.glyphs, self.of_cell, strict=True)]
        )
        beside = [grounds[cell] for cell in self.cells]
        self.weights = bold
        token = np.array([g.token for g in self.glyphs])
        self.alone_weights = [(token == g.token, float(np.mean(g.piece.ink))) for g in alone.values()]
        self.alone = np.array(
            [
                _plainly(g, grounds[cell])
                for cell, g in alone.items()
                if any(float(np.abs(grounds[cell] - one).max()) <= OTHER_GROUND for one in beside)
            ]
        )

    def chosen(self, place: Choice) -> NDArray[np.int64]:
        return np.array([next(i for i, g in enumerate(row) if g is place[cell]) for cell, row in self._pairs()])

    def _pairs(self) -> list[tuple[Cell, list[Glyph]]]:
        return list(zip(self.cells, self.rows, strict=True))

    def choice(self, index: NDArray[np.int64]) -> Choice:
        return {cell: row[i] for (cell, row), i in zip(self._pairs(), index.tolist(), strict=True)}

    def _shades_of_kinds(self) -> list[tuple[int, int]]:
        """Each shade of its own on each colour of cells."""
        return sorted({(n, k) for n, k in zip(self.shade.tolist(), self.kind.tolist(), strict=True) if n})

    def shades(self, choice: Choice) -> NDArray[np.int64]:
        """The shades that are no evidence of which glyphs are active, numbered as in the beginning, if ``choice``
        are."""
        chosen = self._roles(self.chosen(choice)) > 0
        result = np.zeros(len(self.glyphs), np.int64)
        # The strongest first: thin strokes are blended with what is around them.
        left = np.argsort(-self.contrast, kind="stable")
        while len(left):
            same = np.abs(self.colours[left] - self.colours[left[0]]).max(axis=1) <= OF_ONE_SHADE
            shade, left = left[same], left[~same]
            many = np.count_nonzero(chosen[shade])
            if MIXED_SHADE * len(shade) <= many <= (1 - MIXED_SHADE) * len(shade) and many < OF_ACTIVE_ONES * len(
                self.rows
            ):
                result[shade] = result.max() + 1
        return result

    def outstanding(self) -> list[NDArray[np.int64]]:
        """The glyph of each cell that stands out most by one measure, in itself and relative to the same number
        elsewhere."""
        result = []
        for fit in (self.size, self.tone):
            for one, beside in zip(fit.measures, fit.rests, strict=True):
                middle = np.bincount(self.of_cell, one.values) / np.bincount(self.of_cell)
                plain = one.values - middle[self.of_cell]
                if one.name == "colour":
                    result.append(self._most(np.abs(plain)))
                else:
                    result += [self._most(plain), self._most(beside), self._most(-beside)]
        return result

    def _most(self, values: Floats) -> NDArray[np.int64]:
        return np.asarray(self._by_cell(values).argmax(axis=1))

    def _by_cell(self, values: Floats) -> Floats:
        """A row for each cell; shorter ones are padded with a value less than all."""
        result = np.full((len(self.rows), self.within_cell.max() + 1), -np.inf)
        result[self.of_cell, self.within_cell] = values
        return result

    def _roles(self, index: NDArray[np.int64]) -> Floats:
        roles = np.zeros(len(self.glyphs), np.float64)
        roles[self.first + index] = 1.0
        return roles

    def _fits(self, index: NDArray[np.int64]) -> list[Fitted]:
        key = index.tobytes()
        if key not in self.known:
            self.known[key] = self._fitted(index)
        return self.known[key]

    def _fitted(self, index: NDArray[np.int64]) -> list[Fitted]:
        roles = self._roles(index)
        # What has a shade of its own has it whether it is active or not.
        plain = roles * (self.shade == 0)
        by_kind = plain[:, None] * (self.kind[:, None] == np.arange(self.kind.max() + 1))
        return self.size.fitted(roles[:, None]) + self.tone.fitted(by_kind)

    def _sizes(self, numbers: Floats, own: Floats) -> Fit:
        """How sizes are compared: a number has one on the whole board, or cells have individual sizes."""
        whole, within = Fit(numbers, [self.height]), Fit(np.hstack([numbers, own]), [self.height])
        most = self._most(self.height.values), self._most(whole.rests[0])
        lefts = [
            min(fit.fitted(self._roles(choice)[:, None])[0].left for choice in (*most, np.zeros_like(most[0])))
            for fit in (whole, within)
        ]
        chance = max(lefts[1] / max(len(self.glyphs) - within.rank, 1), self.height.noise**2)
        differ = (lefts[0] - lefts[1]) / max(within.rank - whole.rank, 1) > OF_OTHER_SCALE * chance
        return within if differ else whole

    def worth(self, index: NDArray[np.int64]) -> float:
        """The gain in nats over all evidence if these are active."""
        key = index.tobytes()
        if key not in self.worths:
            self.worths[key] = self.explained(index) + self.told_alone(index)
        return self.worths[key]

    def explained(self, index: NDArray[np.int64]) -> float:
        """The gain in nats of the looks if these are active. A larger one is active, never a smaller one; a stronger
        one, unless it is coloured, or visibly larger; a bolder one, for active ones are not set in thinner type, unless
        it is that of visibly larger numbers. Bold type may be a pixel lower than the other: then sizes tell nothing."""
        size, contrast, bold, *colours = self._fits(index)
        colour = sum(fit.gain for fit in colours)
        larger = size.gain > CLEAR and float(np.max(size.change)) > LARGER
        weaker = contrast.less and not larger and (colour <= CLEAR or not self._more_coloured(index))
        # Whether a cell is locked, its active number is the stronger one in all cells, or the weaker one.
        told = contrast.change[np.abs(contrast.change) > LEAST["contrast"]] if contrast.gain else contrast.change[:0]
        mixed = len(told) > 1 and float(told.min()) < 0 < float(told.max())
        by_weight = (
            bold.gain > 0 and self._heavier(index, toned=colour > CLEAR) * (-1 if bold.less else 1) > LEAST["contrast"]
        )
        alike = float(np.abs(size.change).max()) <= LARGER
        set_bold = alike and by_weight and bold.gain > CLEAR and size.less != bold.less
        sized = -size.gain if size.less else size.gain
        return (
            (0.0 if set_bold else sized)
            + (-contrast.gain if weaker else contrast.gain)
            + (0.0 if bold.less and by_weight and not larger else bold.gain)
            + colour
            - (MIXED if mixed else 0.0)
        )

    def _heavier(self, index: NDArray[np.int64], *, toned: bool) -> float:
        """By how much more ink there is in active glyphs than in the others, for their size, a logarithm. A thin stroke
        between two pixels seems bolder than others, and as much paler: its ink is the same. ``toned``: whether active
        glyphs have a colour of their own, so that their contrast differs for that reason."""
        chosen = self._roles(index) > 0
        ink = np.log(np.maximum(self.weights, 0.01)) + (0.0 if toned else np.log(self.contrast))
        return float(ink[chosen].mean() - ink[~chosen].mean())

    def told_alone(self, index: NDArray[np.int64]) -> float:
        """The evidence in nats of the single candidates of their cells for these being active: single ones look like
        active ones, unless they are drawn in a way of their own."""
        if len(self.alone) < FEWEST_ALONE:
            return 0.0
        chosen = self._roles(index) > 0
        own = self.shade == 0
        if not ((chosen & own).any() and (~chosen & own).any()):
            return 0.0
        usual = [self.plain[of & own].mean(axis=0) for of in (chosen, ~chosen)]
        near, far = (np.linalg.norm(self.alone - one, axis=1) for one in usual)
        for_it, against = (float(np.mean(a < LIKE_ONE * b)) for a, b in ((near, far), (far, near)))
        # Both groups contain other numbers, at other positions between the pixels. The look of single candidates is
        # evidence only if being active changes the look of the same number.
        _, contrast, bold, *colours = self._fits(index)
        toned = any(fit.gain > 0 for fit in (contrast, *colours))
        told = toned * ((for_it >= MOST_LIKE) - (against >= MOST_LIKE))
        return TOLD_BY_THOSE * (told or (bold.gain > 0) * self._told_by_weight(chosen))

    def _told_by_weight(self, chosen: NDArray[np.bool_]) -> int:
        """1 if single candidates are as bold as the same numbers among the ``chosen`` ones, -1 if as bold as the
        others, 0 if the difference is too small or cannot be determined."""
        votes = []
        for same, weight in self.alone_weights:
            own, other = (self.weights[same & of] for of in (chosen, ~chosen))
            if len(own) and len(other) and abs(own.mean() - other.mean()) >= LEAST["bold"]:
                near, far = (abs(weight - float(each.mean())) for each in (own, other))
                votes.append(int(near < LIKE_ONE * far) - int(far < LIKE_ONE * near))
        if len(votes) < FEWEST_ALONE:
            return 0
        return int(votes.count(1) >= MOST_LIKE * len(votes)) - int(votes.count(-1) >= MOST_LIKE * len(votes))

    def _more_coloured(self, index: NDArray[np.int64]) -> bool:
        """Whether the active glyphs are more saturated than the others beside them."""
        chosen, own = self._roles(index) > 0, self.shade == 0
        active_ones, others = self.chroma[chosen & own], self.chroma[~chosen & own]
        return bool(len(active_ones) and len(others)) and float(active_ones.mean()) > float(others.mean())

    def apart(self, index: NDArray[np.int64]) -> float:
        """The distance of active glyphs from the others by the most distinctive measure, in units of its spread."""
        fits = [fit for fit in self._fits(index) if fit.gain > CLEAR]
        return max((float(np.abs(fit.change).max()) / fit.spread for fit in fits), default=0.0)

    def cost(self, index: NDArray[np.int64], base: NDArray[np.int64] | None) -> float:
        """The description length, in nats, of the choice of active glyphs."""
        if base is None:
            return float(self.options.sum())
        odd = index != base
        return float((self.options[odd] + np.log(len(self.rows))).sum()) + A_RULE * bool(odd.any())

    def _swaps(self, index: NDArray[np.int64], base: NDArray[np.int64] | None) -> Floats:
        """By how many nats each glyph is likelier to be the active one of its cell than the chosen one."""
        at = self.first + index
        strange = np.zeros(len(self.rows))
        change = np.zeros(len(self.glyphs))
        own = self.shade == 0
        for number, fit in enumerate(self._fits(index)):
            if not fit.gain:
                continue
            # One becomes active and the other one ceases to be it; the tone of what has its own shade stays.
            by = fit.change[self.kind] if len(fit.change) > 1 else fit.change[0]
            turns = own if number else np.ones(len(own), bool)
            before = turns[at][self.of_cell]
            more = (
                by * (before * fit.rest[at][self.of_cell] - turns * fit.rest) + by**2 * (before.astype(int) + turns) / 2
            )
            change += more / fit.spread**2
            strange += np.bincount(self.of_cell, fit.rest**2) / (2 * fit.spread**2)
        # A cell that looks like no other, however it is read, is no evidence.
        most = NOTHING_LIKE + 3 * np.bincount(self.of_cell)[self.of_cell]
        now = strange[self.of_cell]
        total = np.asarray(np.logaddexp(-now - change, -most) - np.logaddexp(-now, -most), np.float64)
        total[at] = 0.0
        if base is not None:
            usual = np.zeros(len(self.glyphs), bool)
            usual[self.first + base] = True
            price = self.options[self.of_cell] + np.log(len(self.rows))
            odd = (index != base)[self.of_cell]
            others = np.count_nonzero(index != base) - odd
            total -= np.where(usual, 0.0, price + A_RULE * (others == 0))
            total += np.where(odd, price + A_RULE * (others == 0), 0.0)
            total[at] = 0.0
        return total

    def improved(self, index: NDArray[np.int64], base: NDArray[np.int64] | None) -> NDArray[np.int64]:
        return self._most(self._swaps(index, base))

    def against_sizes(self, index: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The cells in which another number than the active one is clearly larger relative to the same number
        elsewhere, if that is so in many cells and the opposite in others: then sizes are evidence, and were ignored."""
        beside = self.size.rests[0]
        at = self.first + index
        others = beside.copy()
        others[at] = -np.inf
        more = beside[at] - self._by_cell(others).max(axis=1)
        smaller = more < -CLEARLY_LARGER * self.height.noise
        larger = more > CLEARLY_LARGER * self.height.noise
        return smaller if larger.any() and float(smaller.mean()) > MANY_SMALLER else np.zeros(len(self.rows), bool)

    def strange_exceptions(self, index: NDArray[np.int64], base: NDArray[np.int64] | None) -> NDArray[np.bool_]:
        """The cells in which the active glyph is not at the usual position, and which are explained badly all the same:
        what is seen there is probably not the number as it is drawn."""
        strange, count = np.zeros(len(self.rows)), 0
        for fit in self._fits(index):
            if fit.gain:
                strange += np.bincount(self.of_cell, fit.rest**2) / (2 * fit.spread**2)
                count += 1
        usual = count * np.bincount(self.of_cell) / 2
        return np.asarray((index != (index if base is None else base)) & (strange > STRANGE[0] + STRANGE[1] * usual))

    def close(self, index: NDArray[np.int64], base: NDArray[np.int64] | None) -> NDArray[np.bool_]:
        """The cells in which another choice is nearly as good."""
        swaps = self._swaps(index, base)
        swaps[self.first + index] = -np.inf
        return np.asarray(self._by_cell(swaps).max(axis=1) > -MARGIN)


def _plainly(g: Glyph, ground: Floats) -> Floats:
    """The look of a glyph apart from its shape and size: its colour's direction from the ground, and the distance."""
    away = np.asarray(g.piece.colour, float) - ground
    return np.append(away / max(float(np.linalg.norm(away)), 1.0), np.log(max(g.piece.contrast, 1.0)))


def _kinds(grounds: Mapping[Cell, Floats]) -> dict[Cell, int]:
    """A number for the colour of each cell: in locked cells an active number may differ in another way."""
    met: list[Floats] = []
    result = {}
    for cell, ground in grounds.items():
        at = next((i for i, one in enumerate(met) if float(np.abs(one - ground).max()) <= OTHER_GROUND), len(met))
        if at == len(met):
            met.append(ground)
        result[cell] = at
    return result
