"""Shortcuts of the readers: what takes a fraction of the time gives what the plain way gives."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, unlike
from autoplayer.games.continuity.seeing.walls.ground import noise
from autoplayer.games.cross_set.seeing.at_once import FINELY, LEVELS, _above, _ranked
from autoplayer.games.hashi.seeing.places import outline
from autoplayer.vision import grounds, ink, lattice, resampled


@pytest.mark.parametrize("flat", [True, False], ids=["full colour", "every level"])
def test_the_contrast_of_components_is_that_of_sorted_pixels(flat: bool) -> None:
    rng = np.random.default_rng(1)
    label = rng.integers(1, 12, 3000).astype(np.int32)
    steps = rng.integers(0, 4 if flat else 4000, 3000).astype(np.int32) * (FINELY if flat else 1)
    label[label == 7] = 8  # one has no pixel
    found = _ranked(label, steps, 12)
    for number in range(1, 12):
        own = np.sort(steps[label == number])
        assert found[number] == (own[-max(len(own) // 12, 1)] / FINELY if len(own) else 0), number
    assert steps.max() < LEVELS


def test_the_strongest_ink_is_the_pixel_of_a_rank() -> None:
    rng = np.random.default_rng(2)
    away = rng.integers(0, 200, (6, 40, 40)).astype(np.float32)
    away[:3, 10:20, 10:20] = 220  # of the first three so much has the full colour that nothing is sorted
    middle = np.sort(away[:, 5:35, 5:35].reshape(6, -1), axis=1)
    assert ink._peaks(away, (40, 40), (0, 0)).tolist() == middle[:, -9].tolist()


def test_equal_places_are_told_from_those_that_differ_in_one_byte() -> None:
    rows = np.random.default_rng(3).integers(0, 255, (5, 37)).astype(np.uint8)
    rows[3], rows[4] = rows[1], rows[1]
    rows[4, 36] ^= 1  # in the last bytes, which the sums leave out
    assert ink._first_equal(rows).tolist() == [0, 1, 2, 1, 4]


def test_equal_places_show_the_same_at_their_own_positions() -> None:
    picture = np.full((60, 200, 3), 230, np.uint8)
    for x in (10, 110):
        cv2.rectangle(picture, (x + 12, 20), (x + 22, 45), (40, 30, 20), -1)
    one, other = ink.contents(picture, [Box(10, 10, 40, 45), Box(110, 10, 40, 45)])
    assert (one.ink == other.ink).all()
    assert (other.box.x - one.box.x, other.box.y - one.box.y) == (100, 0)


@pytest.mark.parametrize("share", [0.7, 0.3], ids=["mostly of one colour", "of many colours"])
def test_the_ground_of_a_disc_is_the_commonest_colour_inside(share: float) -> None:
    rng = np.random.default_rng(4)
    pixels = rng.integers(0, 255, (3, 4, 900)).astype(np.uint8)
    pixels[:, :, rng.random(900) < share] = np.array([200, 120, 60], np.uint8)[:, None, None]
    inside = rng.random((4, 900)) < 0.8
    pixels[:, ~inside] = 7  # most of all pixels, were they counted
    plain = grounds._of_fullest_bin(pixels.astype(np.int32), inside)
    assert np.allclose(grounds._ground_colours(pixels, inside), plain)


def test_edges_are_stronger_as_numpy_says() -> None:
    strength = np.arange(256, dtype=np.uint8).reshape(16, 16)
    for threshold in (0.0, 11.9, 12.0, 12.5, 254.0, 300.0):
        assert (lattice.stronger(strength, threshold) == (strength > threshold)).all(), threshold


def test_colours_differ_by_their_most_different_channel() -> None:
    assert unlike(np.array([1.0, 200.0, 3.0], np.float32), np.array([4.0, 190.5, 3.0], np.float32)) == 9.5


@pytest.mark.parametrize("rise", [0, 2, 3, 5, 12], ids="{} levels".format)
def test_the_distances_of_many_places_are_those_of_each(rise: int) -> None:
    rng = np.random.default_rng(5)
    places = np.full((8, 30, 24, 3), 180.0)
    places += np.linspace(0, rise, 24)[:, None] * (np.arange(8) % 2)[:, None, None, None]  # every second one
    for k in range(8):  # something on more and more of each
        cv2.rectangle(places[k], (2, 3), (2 + k, 27), (30, 30, 30), -1)
    patches = np.rint(places + rng.integers(0, 2, places.shape)).astype(np.uint8)
    colours, away = grounds.grounds_and_distances(patches)
    for patch, colour, found in zip(patches, colours, away, strict=True):
        assert (found == grounds.distance_from_ground(patch, colour)).all()


@pytest.mark.parametrize("level", [0.0, 13.5, 14.0, 254.9, 255.0, 300.0])
def test_bytes_exceed_a_level_where_floats_do(level: float) -> None:
    values = np.arange(256, dtype=np.uint8).reshape(1, 16, 16)
    levels = np.array([level], np.float32)
    assert (_above(values, levels) == _above(values.astype(np.float32), levels)).all()


@pytest.mark.parametrize("size", [(40, 30), (41, 30), (6, 31), (3, 3)])
def test_edges_are_the_same_strip_by_strip(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    image = np.random.default_rng(6).integers(0, 256, (*size, 3)).astype(np.uint8)
    apart = np.zeros(image.shape, int)
    apart[:, 1:-1] = np.abs(image[:, 2:].astype(int) - image[:, :-2])
    apart[1:-1] = np.maximum(apart[1:-1], np.abs(image[2:].astype(int) - image[:-2]))
    for pixels in (1, 70, 100, 5000):  # strips of a row, of some, of all
        monkeypatch.setattr(lattice, "STRIP", pixels)
        assert (lattice.edge_strength(image) == apart.max(axis=2)).all(), pixels


@pytest.mark.parametrize("size", [(9, 12), (8, 15)], ids=["an odd number of pixels", "an even one"])
def test_the_noise_of_a_picture_is_a_median(size: tuple[int, int]) -> None:
    gray = np.random.default_rng(7).integers(0, 40, size).astype(np.uint8)
    across, down = (np.abs(np.diff(gray.astype(int), axis=axis)) for axis in (1, 0))
    assert noise(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR)) == np.median(across) + np.median(down)


def test_a_guess_of_an_enlargement_is_given_up_early_only_where_it_fails() -> None:
    rng = np.random.default_rng(8)
    matrices = resampled._resampling(90, 1.5, resampled.SMOOTH[0])
    leverage = (matrices[0] * matrices[1]).sum(axis=0)
    counted = leverage < resampled.MOST_LEVERAGE
    drawn = rng.integers(0, 256, (resampled.LINES, len(matrices[0]))) @ matrices[0]
    values = []
    for wrong in range(0, resampled.LINES + 1, 3):  # so many rows show something else, those with most detail first
        lines = np.round(drawn)
        lines[resampled.LINES - wrong :] += rng.normal(0, 9, (wrong, lines.shape[1]))
        off = np.abs(lines - lines @ matrices[1].T @ matrices[0])
        off = (off / np.sqrt(np.maximum(1 - leverage, 1 - resampled.MOST_LEVERAGE)))[:, counted]
        plain = max(np.median(off) / resampled.MIDDLE, np.quantile(off, resampled.MOSTLY) / resampled.NEARLY)
        found = resampled._misfit(lines, np.ones(lines.shape, bool), matrices, leverage)
        assert found == pytest.approx(plain) or (plain > 1 and found == np.inf), wrong
        values.append(found)
    assert values[0] <= 1
    assert values[-1] == np.inf


def test_islands_are_searched_for_only_where_known_ones_explain_not_all(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.full((300, 400, 3), 240, np.uint8)
    places = [(60, 70), (200, 70), (340, 70), (60, 220), (200, 220), (340, 220)]
    for place in places:
        cv2.circle(picture, place, 20, (40, 40, 40), 2, cv2.LINE_AA)
    seen = outline.view(picture)
    shared = outline.shared_outline(seen, places, 12, 34.0, True)
    assert shared is not None
    found = outline.everywhere(seen, shared, np.array(places[:-1], np.float32))
    assert np.abs(found - places[-1:]).max() <= 1
    monkeypatch.setattr(cv2, "matchTemplate", None)
    assert not len(outline.everywhere(seen, shared, np.array(places, np.float32)))
