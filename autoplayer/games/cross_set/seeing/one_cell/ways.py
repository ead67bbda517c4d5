"""The parameters by which the content of a cell of Cross Set is divided into glyphs."""

from __future__ import annotations

WAYS = ((0.4, 0.0), (0.28, 0.0), (0.4, 0.13), (0.65, 0.0), (0.4, 0.24), (0.65, 0.13), (0.4, 0.5))
"""The segmentation parameters: the share of a piece's contrast from which on it is a stroke, and the gap up to which
pieces are one glyph, as a share of the larger one's extent. In this order: whole digits; pale ones; digits of segments;
digits that touch by their soft edges; wide gaps; dots."""

GROWN = (0.035, 0.07)
"""By how much of its shorter side a cell is widened if a glyph of it is cut off: digits close to a wall reach into the
wall's soft edge."""

FINE_STROKE = 0.65
"""The share of the contrast at which the segments of a digit, and touching digits, separate."""
