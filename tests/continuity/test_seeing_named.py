"""What a person said of things that look alike is kept, and read by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.errors import NotFoundError
from autoplayer.games.continuity import GAME
from autoplayer.games.continuity.piloting.pilot import Pilot
from autoplayer.games.continuity.puzzle import Level
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.games.continuity.seeing.things.named import TOLD, named
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.layout import Layout
from autoplayer.vision import templates
from tests.continuity.seeing_window import Shown
from tests.continuity.test_seeing import sliding

ARCADE = find("continuity")
LEVELS: list[Level] = [each.puzzle for each in load(ARCADE.levels, ARCADE.parse)]
OTHERS = {"S": "D", "D": "S", "K": "K"}


def spots(tiles: Tiles) -> dict[str, list[tuple[int, int]]]:
    """Where the things of each kind stand: the middle of their boxes."""
    found: dict[str, list[tuple[int, int]]] = {"S": [], "D": [], "K": []}
    for thing in tiles.things:
        token = {"figure": "S", "door": "D", "key": "K"}[thing.kind]
        found[token].append(tiles.box(thing).centre)
    return found


@pytest.fixture
def pictures(own_home: None, tmp_path: Path) -> Path:
    """The folder of a layout's pictures."""
    folder = tmp_path / "home" / "templates" / "named"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize("look", ["plain", "colours"])
def test_things_are_what_a_person_called_them_in_this_level_and_the_next(look: str, pictures: Path) -> None:
    """The answers are wrong on purpose: who reads by them takes the door for the figure."""
    image = sliding(Shown(LEVELS[12], "--look", look, "--size", "900x700"))
    tiles = read_tiles(image)
    for thing in tiles.things:
        token = {"figure": "D", "door": "S", "key": "K"}[thing.kind]
        templates.save(pictures, token, templates.around(image, tiles.box(thing)))
    layout = Layout(game="continuity", templates="named")
    for number in (12, 3):
        image = sliding(Shown(LEVELS[number], "--look", look, "--size", "900x700"))
        seen, told = read_tiles(image), GAME.read(image, layout).extra["tiles"]
        assert spots(told) == {OTHERS[token]: places for token, places in spots(seen).items()}
        assert all(thing.sure == TOLD for thing in told.things)
        board = Pilot(Mock(**{"now.return_value": 0.0}), layout, str)._board(image)
        assert board is not None
        assert spots(board) == spots(told)


def test_who_is_taken_for_the_figure_is_the_door_where_the_figure_is_known(pictures: Path) -> None:
    image = sliding(Shown(LEVELS[3], "--size", "900x700"))
    tiles = read_tiles(image)
    figure = next(thing for thing in tiles.things if thing.kind == "figure")
    known = [templates.of(templates.around(image, tiles.box(figure)), "S")]
    swapped = {"figure": "door", "door": "figure", "key": "key"}
    mistaken = replace(tiles, things=tuple(t._replace(kind=swapped[t.kind], sure=0.5) for t in tiles.things))
    assert spots(named(mistaken, image, known)) == spots(tiles)
    assert named(mistaken, image, []) is mistaken


def test_a_mark_that_says_nothing_is_no_key(pictures: Path) -> None:
    image = sliding(Shown(LEVELS[3], "--size", "900x700"))
    tiles = read_tiles(image)
    key = next(thing for thing in tiles.things if thing.kind == "key")
    told = named(tiles, image, [templates.of(templates.around(image, tiles.box(key)))])
    assert [thing.kind for thing in told.things if tiles.box(thing) == tiles.box(key)] == ["unknown"]


def test_pictures_that_are_gone_are_missed_in_a_sentence(own_home: None) -> None:
    image = sliding(Shown(LEVELS[0], "--size", "900x700"))
    with pytest.raises(NotFoundError, match="the layout's templates are not there"):
        GAME.read(image, Layout(game="continuity", templates="gone"))
