"""Connected components, of masks small and large, compared with OpenCV's own result."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
import pytest

from autoplayer.vision.components import SMALL, components


@pytest.mark.parametrize("connectivity", [4, 8])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 0.6, 1.0])
@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 9), (9, 1), (23, 40), (64, 31), (1, SMALL + 1), (SMALL + 1, 1), (9, 2000)]
)
def test_components_are_those_of_opencv(shape: tuple[int, int], share: float, connectivity: Literal[4, 8]) -> None:
    mask = np.asarray(np.random.default_rng(7).random(shape) < share, np.uint8)
    labels, stats = components(mask, connectivity)
    count, theirs, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity)
    assert len(stats) == count
    assert np.array_equal(labels, theirs)
    assert np.array_equal(stats[1:], boxes[1:])
    assert not stats[0].any()
