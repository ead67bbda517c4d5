"""Windows of pixel art that the desktop enlarges: they are read as they were drawn."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.sight import Kind, Thing, Tiles
from autoplayer.games.continuity.seeing.tiles import _on_edges, _on_stump, _within, read_tiles
from autoplayer.games.continuity.seeing.walls import enlarged
from autoplayer.games.continuity.seeing.walls.borders import Axis, Borders
from autoplayer.games.continuity.seeing.walls.enlarged import clearer
from autoplayer.vision.resampled import Drawn, as_drawn
from tests.continuity.test_reading import HIGH, ROOMS, WIDE

STONE, DARK = (66, 88, 142), (8, 14, 38)
SKIN, HAIR, DRESS = (62, 84, 138), (40, 120, 190), (24, 14, 96)


def bricks(height: int, width: int, colour: tuple[int, int, int], high: int, wide: int, seed: int) -> Image:
    """Rows of bricks of several shades, light above and dark at their joints."""
    r = np.random.default_rng(seed)
    shades = r.choice((0.8, 0.9, 1.0, 1.1), (height // high + 1, width // wide + 2))
    ys, xs = np.mgrid[:height, :width]
    xs = xs + ys // high % 2 * (wide // 2)
    light = shades[ys // high, xs // wide]
    light = np.where(ys % high == 1, light * 1.3, light)
    light = np.where((ys % high == 0) | (xs % wide == 0), 0.25, light)
    return (light[..., None] * np.array(colour)).clip(0, 255).astype(np.uint8)


def window() -> Image:
    """Three rooms of stone in which two men stand, one of them in the colours of the walls and of what is behind."""
    picture = bricks(420, 620, DARK, 8, 12, 1) // 2
    for n, (mask, (x, y)) in enumerate(zip(ROOMS, ((20, 20), (320, 20), (320, 220)), strict=True)):
        walls, air = bricks(HIGH, WIDE, STONE, 12, 20, n + 5), bricks(HIGH, WIDE, DARK, 12, 17, n + 9)
        picture[y : y + HIGH, x : x + WIDE] = np.where(mask[..., None], walls, air)
    for x, skin, dress in ((80, SKIN, DRESS), (110, (120, 150, 200), (225, 235, 235))):
        cv2.rectangle(picture, (20 + x + 2, 139), (20 + x + 7, 141), HAIR, -1)
        cv2.rectangle(picture, (20 + x + 2, 142), (20 + x + 7, 145), skin, -1)
        cv2.rectangle(picture, (20 + x, 146), (20 + x + 9, 157), dress, -1)
        cv2.rectangle(picture, (20 + x, 149), (20 + x + 1, 154), skin, -1)
        cv2.rectangle(picture, (20 + x + 8, 149), (20 + x + 9, 154), skin, -1)
        for foot in (2, 6):
            cv2.rectangle(picture, (20 + x + foot, 158), (20 + x + foot + 1, 163), skin, -1)
    cv2.circle(picture, (164, 110), 6, (20, 190, 230), -1)
    cv2.rectangle(picture, (540, 338), (561, 363), (120, 160, 40), -1)
    cv2.rectangle(picture, (544, 342), (557, 363), (10, 20, 10), -1)
    return picture


@cache
def drawn() -> Tiles:
    """The window as it is read in its own size."""
    return read_tiles(window())


def seen(tiles: Tiles) -> list[tuple[str, int, float, float]]:
    """Its things: where their feet are, as shares of a tile."""
    height, width = tiles.solid.shape[1:]
    return [(t.kind, t.tile, (t.x + t.width / 2) / width, (t.y + t.height) / height) for t in tiles.things]


@cache
def found_larger() -> tuple[Image, Drawn | None]:
    """The window in 1.25 times its size, and how it was drawn."""
    image = np.asarray(cv2.resize(window(), None, fx=1.25, fy=1.25, interpolation=cv2.INTER_LINEAR), np.uint8)
    return image, as_drawn(image)


@pytest.fixture
def larger(monkeypatch: pytest.MonkeyPatch) -> Image:
    """The window in 1.25 times its size, of which it is found only once how it was drawn: that takes seconds."""
    image, found = found_larger()
    monkeypatch.setattr(enlarged, "as_drawn", lambda _: found)
    return image


@pytest.mark.parametrize("kind", ["door", "key"])
def test_where_both_sizes_are_clear_the_original_has_the_sides_of_the_tiles(kind: Kind, larger: Image) -> None:
    """Soft edges of frames lay inside of what was read enlarged: tiles were two pixels too small without a doubt."""
    small, seen = (flat(wide, kind if wide == 142 else "door") for wide in (142, 176))
    found = clearer(larger, lambda picture: seen if picture.shape == larger.shape else small)
    assert found.boxes[0].width == (178 if kind == "door" else 176)  # where the things differ, the picture counts


@pytest.mark.parametrize("unclear", ["a doubt about walls", "slopes", "no cells"])
def test_where_the_walls_of_the_original_are_unclear_the_enlarged_picture_counts(unclear: str, larger: Image) -> None:
    small, seen = flat(142, "door"), flat(176, "door")
    if unclear == "a doubt about walls":
        small = replace(small, doubts=("what is wall and what is air is not certain",))
    elif unclear == "slopes":
        small.solid[:, 44:50, 30:36] = np.flip(np.tri(6, dtype=np.bool_), axis=1).T
    else:
        small.solid[:, 5:48, 13:90] = small.solid[:, 31:70, 107:119] = True
    found = clearer(larger, lambda picture: seen if picture.shape == larger.shape else small)
    assert found.boxes[0].width == 176


def flat(wide: int, kind: Kind) -> Tiles:
    """Two rooms of so many pixels, and 88 high, on cells that divide them, with a thing."""
    solid = np.zeros((2, 88, wide), np.bool_)
    solid[:, :44, : wide // 2] = True
    boxes = tuple(Box(8, y, wide, 88) for y in (8, 100, 192))
    picture = np.zeros((88, wide, 3), np.uint8)
    return Tiles(
        3, 1, (0, 1, -1), boxes, (picture, picture), solid, np.zeros_like(solid), (Thing(kind, 0, 90, 50, 8, 8),)
    )


@pytest.mark.parametrize(
    ("times", "way"),
    [(1.25, cv2.INTER_CUBIC), (2, cv2.INTER_NEAREST)],  # the others: tests/vision/test_resampled.py
)
def test_an_enlarged_window_is_read_as_it_was_drawn(times: float, way: int) -> None:
    once = drawn()
    assert [each.kind for each in once.things] == ["key", "figure", "figure", "door"]
    image = cv2.resize(window(), None, fx=times, fy=times, interpolation=way)
    found = read_tiles(np.asarray(image))
    assert found.doubts == once.doubts
    assert [each[:2] for each in seen(found)] == [each[:2] for each in seen(once)]
    for one, other in zip(seen(found), seen(once), strict=True):
        assert one[2:] == pytest.approx(other[2:], abs=0.01)
    for box, before in zip(found.boxes, once.boxes, strict=True):
        assert (box.x, box.y) == pytest.approx((before.x * times, before.y * times), abs=1)
    for mask, before in zip(found.solid, once.solid, strict=True):
        small = cv2.resize(mask.astype(np.uint8), (WIDE, HIGH), interpolation=cv2.INTER_NEAREST) > 0
        same = cv2.resize(before.astype(np.uint8), (WIDE, HIGH), interpolation=cv2.INTER_NEAREST) > 0
        assert (small != same).mean() < 0.01


def test_what_stands_on_a_stump_that_tapers_may_be_a_part_of_it() -> None:
    """The hair of a man whose body looked like a wall was a key without a doubt; a key on a pillar is one."""
    hair = Thing("key", 0, 24, 10, 7, 5)
    pillar = np.zeros((60, 80), np.bool_)
    pillar[40:] = pillar[15:40, 20:35] = True
    assert not _on_stump(hair, pillar)
    body = pillar.copy()
    body[15:40, [20, 21, 22, 32, 33, 34]] = False
    body[22:40, 21:35] = True
    assert _on_stump(hair, body)
    steps = pillar.copy()
    steps[20:40, 5:50] = True
    assert not _on_stump(hair, steps)
    assert not _on_stump(hair, np.zeros_like(pillar))


@pytest.mark.parametrize(
    ("left", "high", "lower"),
    [(20, 8, True), (22, 8, True), (23, 8, False), (20, 20, False), (20, 2, False)],
    ids=["legs", "two pixels beside", "a step", "a pillar", "a soft edge"],
)
def test_a_low_piece_of_wall_as_broad_as_the_thing_above_it_may_be_its_lower_part(
    left: int, high: int, lower: bool
) -> None:
    """The legs of a man were a wall, in the colour of hatching, and his upper half a figure without a doubt."""
    upper = Thing("figure", 0, 20, 40 - high - 16, 14, 16)
    solid = np.zeros((60, 80), np.bool_)
    solid[40 - high : 40, left : left + 14] = solid[40:] = True
    assert _on_stump(upper, solid) is lower


def test_places_that_were_guessed_apart_are_put_on_their_own_edges() -> None:
    """One was guessed a pixel too high, the other a pixel too low: the edge of one was taken for that of both."""
    picture = np.full((260, 300, 3), 30, np.uint8)
    for y in (20, 140):
        for x in (20, 160):
            picture[y : y + 80, x : x + 100] = 200 if (x, y) != (160, 140) else 30
    rows, columns = Borders(picture, 0.0).settled(Axis((19, 141), 80, True), Axis((20, 160), 100, True), 3)
    assert (rows.starts, rows.length) == ((20, 140), 80)
    assert (columns.starts, columns.length) == ((20, 160), 100)


def test_other_places_for_the_tiles_lie_in_the_picture_and_on_edges() -> None:
    """Places that a lattice of walls suggests are tried only there."""
    picture = np.full((260, 300, 3), 30, np.uint8)
    for x, y in ((20, 20), (160, 20), (20, 140)):
        picture[y : y + 80, x : x + 100] = 200
    rows, columns = Axis((20, 140), 80, True), Axis((20, 160), 100, True)
    assert _on_edges(rows, columns, 3, picture)
    assert not _on_edges(rows._replace(starts=(31, 151)), columns._replace(starts=(31, 171)), 3, picture)
    assert _within((Box(0, 0, 100, 80), Box(200, 180, 100, 80)), picture)
    for beyond in (Box(-1, 0, 100, 80), Box(0, -1, 100, 80)):
        assert not _within((beyond, Box(200, 180, 100, 80)), picture)
    for beyond in (Box(201, 180, 100, 80), Box(200, 181, 100, 80)):
        assert not _within((Box(0, 0, 100, 80), beyond), picture)


def test_a_picture_that_was_only_rounded_has_the_edges_it_had() -> None:
    """A grey level beside a side was the edge, for nothing at all was looked for there."""
    r = np.random.default_rng(2)
    picture = np.full((260, 300, 3), 30, np.uint8)
    picture[:18] = picture[100:104] = 120
    for y in (20, 140):
        picture[y : y + 80, 20:120] = picture[y : y + 80, 160:260] = 200
    picture[140:220, 160:260] = 30
    noisy = (picture + r.integers(0, 2, picture.shape)).astype(np.uint8)
    places = Axis((20, 140), 80, True), Axis((20, 160), 100, True)
    assert Borders(noisy, 0.0).settled(*places, 3) == Borders(picture, 0.0).settled(*places, 3) == places


def test_another_place_for_the_tiles_leaves_no_border_unseen() -> None:
    """By a grey level here and there the tiles came to lie where coarser cells fit, and walls ended in doubt."""
    r = np.random.default_rng(0)
    noisy = (window().astype(np.int16) + r.integers(-1, 2, window().shape)).clip(0, 255).astype(np.uint8)
    found, once = read_tiles(noisy), read_tiles(window())
    assert found.doubts == once.doubts
    assert [each.kind for each in found.things] == [each.kind for each in once.things]
