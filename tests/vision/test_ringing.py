"""Artefacts that JPEG compression leaves beside edges."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.vision import ringing as module
from autoplayer.vision.ringing import ringing


def page() -> Image:
    image = np.full((240, 320, 3), 230, np.uint8)
    for row in range(6):
        cv2.putText(
            image, "375 12 48", (20, 36 + 36 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (20, 20, 20), 2, cv2.LINE_AA
        )
    return image


def test_waves_are_there_after_compression_only() -> None:
    image = page()
    packed = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 75])[1], cv2.IMREAD_COLOR)
    assert ringing(image) == 0
    assert ringing(np.asarray(packed, np.uint8)) > 1


def test_of_a_picture_too_small_to_say_there_are_none() -> None:
    assert ringing(np.zeros((12, 300, 3), np.uint8)) == 0


def test_of_a_picture_that_was_never_compressed_a_part_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    beside = module._beside_edges
    monkeypatch.setattr(module, "_beside_edges", lambda image, tops: (looked.append(len(tops)), beside(image, tops))[1])
    image = np.tile(page(), (2, 2, 1))
    assert ringing(image) == 0
    assert sum(looked) * 3 < image.shape[0] // module.STRIP


def test_waves_are_looked_for_where_most_is_drawn() -> None:
    """Incident: of a large window few strips are examined, and none of them met a row of small numbers in large
    cells."""
    image = np.full((1080, 1920, 3), 230, np.uint8)
    image[60:1020:160] = image[:, 480:1441:160] = 60
    for row in range(6):
        for column in range(6):
            spot = 510 + 160 * column, 107 + 160 * row
            cv2.putText(image, "3 4 5 6", spot, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 2, cv2.LINE_AA)
    packed = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 75])[1], cv2.IMREAD_COLOR)
    assert ringing(image) == 0
    assert ringing(np.asarray(packed, np.uint8)) > 1
