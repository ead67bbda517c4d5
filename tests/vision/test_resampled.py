"""Enlarged pictures are restored to their original size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Floats, Image
from autoplayer.vision import resampled
from autoplayer.vision.resampled import as_drawn

WAYS = {
    "nearest": cv2.INTER_NEAREST, "linear": cv2.INTER_LINEAR, "area": cv2.INTER_AREA, "cubic": cv2.INTER_CUBIC,
}  # fmt: skip


def drawn(height: int = 360, width: int = 440, seed: int = 3) -> Image:
    """Stones of two to six pixels, with light and dark rims, each of its own shade."""
    r = np.random.default_rng(seed)
    rows, columns = (np.repeat(np.arange(size), r.integers(2, 7, size))[:size] for size in (height, width))
    shades = r.integers(20, 200, (height, width, 3))
    image = shades[rows[:, None], columns]
    image[np.diff(rows, prepend=0) > 0] += 40
    image[:, np.diff(columns, prepend=0) > 0] //= 3
    return image.clip(0, 255).astype(np.uint8)


def enlarged(image: Image, times: float, way: str) -> Image:
    return np.asarray(cv2.resize(image, None, fx=times, fy=times, interpolation=WAYS[way]), np.uint8)


@pytest.mark.parametrize(
    ("times", "way"), [*((times, "linear") for times in (1.25, 1.75, 2, 2.5, 3)), *((1.5, way) for way in WAYS)]
)
def test_an_enlarged_picture_is_brought_back(times: float, way: str) -> None:
    found = as_drawn(enlarged(drawn(), times, way))
    assert found is not None
    assert found.times == pytest.approx((times, times), abs=0.01)
    assert found.corner == (0, 0)
    assert np.quantile(cv2.absdiff(found.image[:360, :440], drawn()), 0.99) <= 2


def test_a_window_that_was_stretched_to_whole_pixels_is_brought_back() -> None:
    """Both directions then are enlarged by a little more or less than was wanted, each by its own."""
    image = drawn(373, 437)
    found = as_drawn(np.asarray(cv2.resize(image, (546, 466), interpolation=cv2.INTER_LINEAR), np.uint8))
    assert found is not None
    assert found.times == pytest.approx((546 / 437, 466 / 373))
    assert found.image.shape == image.shape
    assert np.quantile(cv2.absdiff(found.image, image), 0.99) <= 2


@pytest.mark.parametrize("title", [21, 22, 23])
def test_a_title_that_is_as_large_as_ever_is_looked_past(title: int) -> None:
    image = enlarged(drawn(), 1.5, "linear")
    whole = np.vstack([np.full((title, image.shape[1], 3), 220, np.uint8), image])
    cv2.putText(whole, "A game", (20, title - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    whole[100:112, 200:208] = 255  # a pointer
    found = as_drawn(whole)
    assert found is not None
    assert found.corner == (0, title % 3)
    below = found.image[round((title - title % 3) / 1.5) :][:360, :440]
    assert np.quantile(cv2.absdiff(below, drawn()[: len(below)]), 0.95) <= 2


@pytest.mark.parametrize("smaller", [1, 0.9, 0.8])
def test_a_picture_as_it_was_drawn_or_smaller_is_none(smaller: float) -> None:
    assert as_drawn(enlarged(drawn(480, 640), smaller, "area")) is None


def test_a_picture_with_little_detail_fits_any_guess_and_is_none() -> None:
    """All edges of a flat drawing may lie on even pixels."""
    image = np.full((240, 320, 3), 200, np.uint8)
    image[40:200, 40:280] = 90
    image[80:120, 120:160] = 30
    assert as_drawn(image) is None


def bricks() -> Image:
    """Bricks of 18 x 9 pixels round a hole with bars."""
    ys, xs = np.mgrid[:260, :300]
    image = np.where((ys % 9 == 0) | ((xs + ys // 9 % 2 * 9) % 18 == 0), 200, 40).astype(np.uint8)
    image[60:200, 40:250] = 90
    image[80:90:3, 60:200] = 10
    return image[..., None].repeat(3, axis=2)


def tiles() -> Image:
    """Flat tiles with a line round each, on a shaded ground."""
    image = np.full((260, 300, 3), 40, np.uint8)
    image += np.linspace(0, 40, 260).astype(np.uint8)[:, None, None]
    for n in range(24):
        y, x = 8 + n // 4 * 42, 8 + n % 4 * 72
        cv2.rectangle(image, (x, y), (x + 62, y + 32), (150, 130, 140), -1)
        cv2.rectangle(image, (x, y), (x + 62, y + 32), (230, 230, 240), 1)
        cv2.rectangle(image, (x + 5, y + 6), (x + 56, y + 27), (10, 20, 15), -1)
    return image


@pytest.mark.parametrize(("times", "image"), [(1.25, tiles()), (1.5, bricks())], ids=["tiles", "bricks"])
def test_lines_at_distances_of_their_own_hide_no_usual_scale(times: float, image: Image) -> None:
    """Among those of the lines the period of the new pixels does not stand out."""
    found = as_drawn(enlarged(image, times, "linear"))
    assert found is not None
    assert found.times == pytest.approx((times, times))
    assert (cv2.absdiff(found.image[:260, :300], image) <= 2).all()


def test_a_picture_of_which_something_would_be_lost_is_none() -> None:
    """Every second pixel of it is one of twice the size, but for a tenth of the rows."""
    image = enlarged(drawn(), 2, "nearest")
    assert as_drawn(image) is not None
    r = np.random.default_rng(1)
    image[::10] = r.integers(0, 255, image[::10].shape)
    assert as_drawn(image) is None


def test_a_picture_too_small_to_tell_is_none() -> None:
    assert as_drawn(drawn(8, 8)) is None
    assert as_drawn(enlarged(drawn(31, 200), 1.5, "linear")) is None


def test_guesses_about_a_broad_picture_are_tried_on_a_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for a guess grows with the third power of the pixels."""
    sizes: list[int] = []
    resampling = resampled._resampling

    def noted(size: int, times: float, kernel: resampled.Kernel) -> tuple[Floats, Floats]:
        sizes.append(size)
        return resampling(size, times, kernel)

    monkeypatch.setattr(resampled, "_resampling", noted)
    monkeypatch.setattr(resampled, "_usual_resampling", noted)  # else they may be known from another picture
    assert as_drawn(drawn(100, 600)) is None
    assert sizes
    assert max(sizes) <= 256
