"""What compression leaves beside the numbers of Cross Set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.seeing.one_cell import weighing
from autoplayer.layout import Layout
from bench.reading import cross_set as strange
from bench.reading.strange import stream


@pytest.mark.parametrize(("share", "are_signs"), [(0.25, False), (1.0, True)])
def test_specks_far_paler_than_the_numbers_are_no_signs_between_them(share: float, are_signs: bool) -> None:
    """Incident: in a JPEG picture specks stood at the feet of most numbers; where one was missing, a pair was in doubt
    for the lack of a sign."""
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), (700, 700))
    seen = GAME.read(sample.image, Layout(game="cross-set")).extra["board"].sheet.glyphs
    palest = min(g.piece.contrast for row in seen.values() for g in row)
    parts = {}
    for cell, row in seen.items():
        feet = [Box(g.piece.right + 1, g.piece.bottom - g.height // 5, g.height // 6, g.height // 6) for g in row]
        specks = [replace(g.piece, box=box, contrast=share * palest) for g, box in zip(row, feet, strict=True)]
        parts[cell] = [*(g.piece for g in row), *specks]
    view = weighing.BoardView.__new__(weighing.BoardView)
    fields = dict.fromkeys(weighing.BoardView.__dataclass_fields__)
    for name, value in (fields | {"seen": seen, "split": parts, "atoms": parts, "noise": 3.0}).items():
        object.__setattr__(view, name, value)
    assert view.signs == view.signs_last == are_signs
