"""Pictures with more pixels than a large screen has: they are read in a smaller one, and said in their own pixels."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.games.continuity.seeing import tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls import enlarged
from tests.continuity.seeing_window import Shown

pytest.importorskip("pygame")
LEVELS = load(find("continuity").levels, find("continuity").parse)


def test_a_large_picture_is_read_in_a_smaller_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of 7680x5240 took 2.4 GB and 40 seconds."""
    shown = Shown(LEVELS[2].puzzle, "--size", "800x600")
    shown.tap("space")
    image = shown.image()
    plain = read_tiles(image)
    sizes: list[int] = []
    read_rooms = tiles._read_rooms

    def measured(picture: np.ndarray, flat: np.ndarray, view: str) -> object:
        sizes.append(picture.shape[0] * picture.shape[1])
        return read_rooms(picture, flat, view)  # type: ignore[arg-type]

    monkeypatch.setattr(tiles, "_read_rooms", measured)
    monkeypatch.setattr(enlarged, "LARGEST", 800 * 600)
    large = np.asarray(image.repeat(3, axis=0).repeat(3, axis=1))
    found = read_tiles(large)
    assert max(sizes) <= 800 * 600
    assert (found.cells, found.view, found.doubts) == (plain.cells, plain.view, plain.doubts)
    assert [(box.x, box.y, box.width) for box in found.boxes] == [(3 * b.x, 3 * b.y, 3 * b.width) for b in plain.boxes]
    assert (found.solid == plain.solid.repeat(3, axis=1).repeat(3, axis=2)).all()
    assert [(each.kind, each.tile, each.x) for each in found.things] == [
        (each.kind, each.tile, 3 * each.x) for each in plain.things
    ]
    place = found.boxes[found.cells.index(0)]
    assert (found.pictures[0] == place.crop(large)).all()
