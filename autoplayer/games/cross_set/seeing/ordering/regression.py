"""Least-squares fit of the effect of being active on the looks of the glyphs of Cross Set, and how well it explains
them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from autoplayer.core.frame import Floats

LEAST = {"height": 0.045, "contrast": 0.08, "bold": 0.06, "colour": 0.12}
"""The least effect of being active: heights and contrasts as logarithms, how full of ink a glyph is, and the direction
of its colour from the ground. Smaller differences come from the typeface or from rasterisation."""

OF_ANY_SIZE = 0.25
"""If the heights (logarithms) of glyphs that should look alike differ by more, connected numbers are taken for a larger
one: then sizes are no evidence."""

NO_AXIS = 1e-6
"""Eigenvalues below this are 0: those of informative columns are larger by orders of magnitude."""


@dataclass(frozen=True)
class Measure:
    name: str
    values: Floats
    noise: float


@dataclass(frozen=True)
class Fitted:
    """``change``: the effect of being active, for each kind of cell. ``rest``: the residual of each glyph, and ``left``
    its sum of squares. ``spread``: the spread of glyphs that look alike. ``gain``: nats by which the roles explain the
    measure, 0 if active ones differ too little. ``less``: whether active ones have a lower value."""

    change: Floats
    rest: Floats
    left: float
    spread: float
    gain: float
    less: bool


class Fit:
    """Least squares on shared properties of glyphs; ``design``: a row for each glyph, a column for each number and
    cell. ``prior``: further rows with expected value 0 (ridge regression, after Hoerl and Kennard 1970)."""

    def __init__(self, design: Floats, measures: Sequence[Measure], prior: Floats | None = None) -> None:
        self.count = len(design)
        self.rows = design if prior is None else np.vstack([design, prior])
        # By what its columns have in common, of which there are far fewer than rows: nearly all are whole numbers.
        values, axes = np.linalg.eigh(self.rows.T @ self.rows)
        kept = values > NO_AXIS
        self.base = self.rows @ (axes[:, kept] / np.sqrt(values[kept]))
        self.rank = self.base.shape[1]
        self.measures = measures
        self._left = [self._rest(one.values) for one in measures]
        self.rests = [left[: self.count] for left in self._left]

    def _rest(self, values: Floats) -> Floats:
        """The residual of ``values``, a row for each glyph, in all rows."""
        whole = np.zeros((len(self.rows), *values.shape[1:]))
        whole[: self.count] = values
        return np.asarray(whole - self.base @ (self.base.T @ whole))

    def fitted(self, roles: Floats) -> list[Fitted]:
        """``roles``: a column for each kind of cell, 1 where a glyph is active."""
        own = self._rest(roles)
        inverse = np.linalg.pinv(own, rcond=1e-6)
        weights = roles.sum(axis=0) / max(roles.sum(), 1.0)
        free = max(len(self.rows) - self.rank - roles.shape[1], 1)
        result = []
        for one, values in zip(self.measures, self._left, strict=True):
            change = inverse @ values
            rest = values - own @ change
            left = float(rest @ rest)
            floor = one.noise**2 * self.count
            usual = float(change @ weights)
            gain = 0.5 * free * float(np.log((float(values @ values) + floor) / (left + floor)))
            spread = max(float(np.sqrt(left / free)), one.noise)
            loose = one.name == "height" and spread > OF_ANY_SIZE
            gain = gain if abs(usual) >= LEAST[one.name] and not loose else 0.0
            result.append(Fitted(change, rest[: self.count], left, spread, gain, usual < 0))
        return result
