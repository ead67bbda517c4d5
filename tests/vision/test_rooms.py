"""Areas of several cells on a lattice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from autoplayer.vision.lattice import Areas, Lattice
from autoplayer.vision.rooms import with_rooms

NO_BOXES = np.empty((0, 4), np.int32)


@given(
    st.integers(20, 60), st.integers(20, 60), st.floats(6, 30), st.floats(6, 30), st.floats(0.3, 1.6), st.floats(0, 40)
)
def test_a_lattice_that_reaches_beyond_the_picture_is_no_error(
    wide: int, high: int, pitch_x: float, pitch_y: float, filled: float, at: float
) -> None:
    """Incident: an index beyond the picture's edge, for a lattice whose cells were larger than its pitch."""
    labels = np.zeros((high + 2, wide + 2), np.int32)
    labels[1:-1, 1:-1] = 1
    labels[high // 2, wide // 2] = 0
    stats = np.array([[0, 0, wide + 2, high + 2, 1], [1, 1, wide, high, wide * high - 1]], np.int32)
    lattice = Lattice(at, at, pitch_x, pitch_y, filled * pitch_x, filled * pitch_y, frozenset({(0, 0)}))
    found = with_rooms(Areas(labels, stats, 0, 0), NO_BOXES, lattice)
    assert len(found.cells) >= len(lattice.cells)
