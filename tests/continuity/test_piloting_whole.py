"""The whole pilot, with pictures of a simulated window."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.frame import Frame, Image
from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.piloting import executing, views
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.hands import LostError
from autoplayer.games.continuity.piloting.level import agreed, more_keys
from autoplayer.games.continuity.piloting.pilot import Pilot
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.seeing.sight import Kind, Thing, Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.layout import Layout
from tests.continuity.steered import Painted

pytest.importorskip("pygame")
LEVELS = load(find("continuity").levels, find("continuity").parse)
OTHERWISE = {"figure": "key", "key": "figure"}


class Staying(Painted):
    """A window that shows the level on, with the figure at its door, when it is won, and hears nothing any more."""

    def glance(self, pause: float = 0.0) -> Frame:
        over = self.engine.won
        frame = super().glance(pause)
        if over or self.engine.won:
            return replace(frame, image=self._last)
        self._last = frame.image
        return frame


def test_a_level_is_over_where_its_window_shows_it_on_and_hears_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other level comes: the view from near is not to be taken for one, as it was here, so that the keys decide."""
    monkeypatch.setattr(Pilot, "_another", lambda *_: False)
    window = Staying(LEVELS[0].puzzle, "--size", "560x430")
    done = Pilot(window, Layout(game="continuity"), lambda _: None).play()
    assert window.engine.won, done.reason
    assert (done.won, done.note) == (True, "no deaths")
    assert window.won_at is not None
    assert window.clock - window.won_at < 9.0, "each key was waited for, then the level looked at once more"
    assert done.puzzle is not None
    level = parse(done.puzzle)
    assert isinstance(level, Level)
    assert level.blocks == LEVELS[0].puzzle.blocks


def test_a_figure_that_was_taken_for_a_key_is_told_by_moving_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(image: Image) -> Tiles:
        tiles = read_tiles(image)
        things = tuple(thing._replace(kind=OTHERWISE.get(thing.kind, thing.kind), sure=0.5) for thing in tiles.things)
        return replace(tiles, things=things)  # type: ignore[arg-type]

    monkeypatch.setattr(views, "read_tiles", mistaken)
    window = Painted(LEVELS[0].puzzle, "--size", "560x430")
    told: list[str] = []
    done = Pilot(window, Layout(game="continuity"), told.append).play()
    assert any("was not what had been taken for the figure" in text for text in told)
    assert window.engine.won, done.reason


def test_what_looks_like_a_key_and_cannot_be_reached_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a level was given up at once."""

    def hinted(image: Image) -> Tiles:
        tiles = read_tiles(image)
        corner = Thing("key", 0, 3.0, 3.0, 6.0, 6.0, 0.9)  # in the wall
        return replace(tiles, things=(*tiles.things, corner))

    monkeypatch.setattr(views, "read_tiles", hinted)
    window = Painted(LEVELS[0].puzzle, "--size", "560x430")
    told: list[str] = []
    done = Pilot(window, Layout(game="continuity"), told.append).play()
    assert window.engine.won, done.reason
    assert "1 of what was taken for keys cannot be reached, and is left out" in told


def test_keys_that_are_taken_are_no_unreached_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of those that were left had been named as if it were the first of all."""
    monkeypatch.setattr(executing.reasons, "barred_keys", lambda world: (0,))
    played: Any = SimpleNamespace(
        settle=lambda: "here",
        plan=lambda state: (None, None),
        taken=frozenset({0}),
        reach=SimpleNamespace(rooms=SimpleNamespace(keys=("one", "two", "three"))),
    )
    assert Executor.unreached(played) == (1,)


def test_what_was_taken_for_another_figure_may_be_a_key() -> None:
    tiles = read_tiles(Painted(LEVELS[0].puzzle, "--size", "560x430").glance().image)
    assert more_keys(tiles) is None
    kinds: dict[str, Kind] = {"key": "figure", "figure": "figure", "door": "door"}
    sure = {"key": 0.2, "figure": 0.8, "door": 1.0}
    things = tuple(thing._replace(kind=kinds[thing.kind], sure=sure[thing.kind]) for thing in tiles.things)
    strange = replace(tiles, things=things)
    for found in (more_keys(strange), agreed(strange, [strange, tiles])):
        assert found is not None
        assert [thing.kind for thing in found.things] == [thing.kind for thing in tiles.things]
    assert agreed(strange, [strange]) is strange


def test_a_level_is_won_from_its_pictures_and_looked_at_again_where_its_views_are_not_recognised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view, blind = Executor.view, [True]

    def once_blind(self: Executor, wanted: str, *held: str) -> bool:
        if wanted == "sliding" and blind:
            return not blind.pop()
        return view(self, wanted, *held)

    monkeypatch.setattr(Executor, "view", once_blind)
    window = Painted(LEVELS[1].puzzle, "--size", "560x430")
    told: list[str] = []
    player = Pilot(window, Layout(game="continuity"), told.append)
    done = player.play()
    assert not blind
    assert any("looked at again" in text for text in told)
    assert window.engine.won, done.reason
    assert (done.won, done.note) == (True, "no deaths")
    assert done.gestures == window.presses
    assert isinstance(done.solution, list)
    assert set(done.solution) <= set(told)
    assert player.layout.continuity is not None


def test_a_level_that_only_seems_to_be_over_is_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    play, deceived = Executor._play, [True]

    def too_soon(self: Executor) -> None:
        if deceived:
            self.watch.tap("right", 0.4)  # away from where the level begins
            self.settle()
            deceived.pop()
        else:
            play(self)

    monkeypatch.setattr(Executor, "_play", too_soon)
    window = Painted(LEVELS[0].puzzle, "--size", "560x430")
    told: list[str] = []
    done = Pilot(window, Layout(game="continuity"), told.append).play()
    assert any("seemed to be over" in text for text in told)
    assert window.engine.won, done.reason
    assert done.won


def test_a_level_has_one_limit_however_often_it_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time that it was begun anew it had all of its seconds again."""
    begun: list[float] = []

    def vainly(self: Executor) -> None:
        begun.append(window.clock)
        while True:
            self._look(1.0)
            if window.clock > begun[-1] + 100:
                raise LostError("it came to nothing", True)

    monkeypatch.setattr(Executor, "play", vainly)
    window = Painted(LEVELS[0].puzzle, "--size", "560x430")
    done = Pilot(window, Layout(game="continuity"), lambda _: None, limit=150.0).play()
    assert len(begun) == 2
    assert not done.won
    assert window.clock < 200


def test_a_figure_that_was_found_by_moving_it_is_not_moved_again_where_a_level_is_begun_anew() -> None:
    """It had walked off the ledge on which it stood, each time, and could not come back."""
    window = Painted(LEVELS[0].puzzle, "--size", "560x430")
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    tiles, eyes = pilot._open()
    assert pilot._as_before(tiles, eyes) is None
    slim = [thing._replace(width=thing.width - 4) if thing.kind == "figure" else thing for thing in tiles.things]
    found = replace(tiles, things=tuple(slim))
    pilot._told = tiles, found
    presses = pilot.window.presses
    again = pilot._as_before(replace(tiles, cells=tiles.cells[::-1]), eyes)
    assert again is not None
    assert (again[0].things, again[0].cells) == (found.things, tiles.cells[::-1])
    assert pilot._as_before(replace(tiles, things=tiles.things[:-1]), eyes) is None
    assert pilot.window.presses == presses
