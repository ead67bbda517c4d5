"""What a level that was won tells a calibration: what it took for something else is known by its name afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.calibrate import Calibration
from autoplayer.calibrate.answers import Answers
from autoplayer.calibrate.trial import Trial
from autoplayer.cli.talk import Talk
from autoplayer.core.frame import Image
from autoplayer.games.continuity import GAME, reader
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from tests.continuity.seeing_window import Shown

pytest.importorskip("pygame")
LEVELS = load(find("continuity").levels, find("continuity").parse)
OTHERWISE = {"figure": "key", "key": "figure"}


@pytest.mark.parametrize("level", [True, False])
def test_a_level_that_was_won_tells_what_stands_in_it(level: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(image: Image) -> Tiles:
        tiles = read_tiles(image)
        things = tuple(thing._replace(kind=OTHERWISE.get(thing.kind, thing.kind), sure=0.5) for thing in tiles.things)
        return replace(tiles, things=things)  # type: ignore[arg-type]

    image = Shown(LEVELS[0].puzzle, "--size", "900x700").image()
    truth = reader.text(read_tiles(image))
    assert truth is not None
    monkeypatch.setattr(reader, "read_tiles", mistaken)
    talk = Talk(Answers(game=GAME.name), True, True, None, None)
    with Calibration(GAME, "mine") as learning:
        look = learning.look(image)
        assert GAME.format(look.puzzle) != truth
        after = talk.taught(learning, look, Trial(learning.layout, level=truth if level else None))
        assert talk.trial_told == level
        if level:
            assert after is not None
            assert GAME.format(after.puzzle) == truth
            assert after.known
        else:
            assert after is None
