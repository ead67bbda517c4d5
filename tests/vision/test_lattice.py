"""Lattices found in drawn pictures: the pitch, the origin and every cell are compared, never only their number."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoplayer.vision import lattice


def board(pitch: float, rows: int, columns: int, at: tuple[int, int], *, wall: int = 2, dark: bool = False):
    """A picture of ``rows`` x ``columns`` walled cells whose first centre is half a pitch from ``at`` (x, y)."""
    ground, line = ((30, 28, 26), (220, 220, 220)) if dark else ((240, 240, 240), (20, 20, 20))
    image = np.full((at[1] + int(rows * pitch) + 90, at[0] + int(columns * pitch) + 120, 3), ground, np.uint8)
    for r in range(rows + 1):
        y = round(at[1] + r * pitch)
        cv2.line(image, (at[0], y), (round(at[0] + columns * pitch), y), line, wall)
    for c in range(columns + 1):
        x = round(at[0] + c * pitch)
        cv2.line(image, (x, at[1]), (x, round(at[1] + rows * pitch)), line, wall)
    return image


def found_in(image) -> lattice.Lattice | None:
    strength = lattice.edge_strength(image)
    for group in lattice.groups(lattice.regions(lattice.areas(strength, 12))):
        if found := lattice.fit(group, 0.12):
            return found
    return None


@settings(max_examples=40, deadline=None)
@given(
    pitch=st.floats(22, 120),
    rows=st.integers(1, 8),
    columns=st.integers(2, 8),
    x=st.integers(5, 150),
    y=st.integers(5, 150),
    wall=st.integers(1, 4),
    dark=st.booleans(),
)
def test_walled_boards_of_any_pitch_are_found_to_the_pixel(pitch, rows, columns, x, y, wall, dark):
    found = found_in(board(pitch, rows, columns, (x, y), wall=wall, dark=dark))
    assert found is not None
    assert found.cells == frozenset((r, c) for r in range(rows) for c in range(columns))
    assert found.pitch_x == pytest.approx(pitch, abs=0.6)
    assert found.pitch_y == pytest.approx(pitch, abs=0.6)
    assert found.x == pytest.approx(x + pitch / 2, abs=1.6)
    assert found.y == pytest.approx(y + pitch / 2, abs=1.6)


def test_a_missing_cell_does_not_shift_the_others():
    image = board(50, 4, 5, (40, 30))
    image[30 + 51 : 30 + 99, 40 + 51 : 40 + 99] = (90, 200, 40)  # a filled block where a hole is
    cv2.line(image, (40 + 52, 30 + 60), (40 + 98, 30 + 60), (0, 0, 0), 2)
    found = found_in(image)
    assert found is not None
    assert found.cells == frozenset((r, c) for r in range(4) for c in range(5)) - {(1, 1)}


def test_a_button_of_the_same_size_far_away_is_not_in_the_lattice():
    image = np.pad(board(40, 3, 3, (30, 30)), ((0, 0), (0, 400), (0, 0)), mode="edge")
    x = 30 + 11 * 40
    cv2.rectangle(image, (x, 30), (x + 40, 70), (20, 20, 20), 2)
    found = found_in(image)
    assert found is not None
    assert len(found.cells) == 9


@pytest.mark.parametrize("sigma", [0.0, 3.0, 8.0])
def test_noise_is_measured(sigma):
    rng = np.random.default_rng(1)
    gray = np.clip(128 + rng.normal(0, sigma, (300, 300)), 0, 255).astype(np.uint8)
    assert lattice.noise(gray) == pytest.approx(sigma, abs=0.25 * sigma + 0.3)
    assert lattice.noise(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR)) == lattice.noise(gray)


@pytest.mark.parametrize("page", [0, 255])
def test_noise_is_measured_where_black_and_white_do_not_cut_it_off(page):
    """Incident: a grey hole on a white page seemed to be crossed by a chain, and was in doubt."""
    gray = np.full((400, 400), page, np.float32)
    gray[100:200, 100:300] = 150
    gray = np.clip(np.rint(gray + np.random.default_rng(3).normal(0, 6, gray.shape)), 0, 255).astype(np.uint8)
    assert lattice.noise(gray) == pytest.approx(6, abs=1)


def test_nothing_is_found_in_an_even_picture():
    assert found_in(np.zeros((200, 200, 3), np.uint8)) is None


def test_regions_stand_where_they_are_in_a_picture_that_is_empty_around_them():
    image = board(40, 2, 3, (150, 70))
    boxes = lattice.regions(lattice.areas(lattice.edge_strength(image), 12))
    centres = {(round(x + w / 2), round(y + h / 2)) for x, y, w, h in boxes.tolist() if w < 45}
    wanted = {(150 + 20 + 40 * c, 70 + 20 + 40 * r) for r in range(2) for c in range(3)}
    assert len(centres) == len(wanted)
    assert all(min(abs(x - u) + abs(y - v) for u, v in wanted) <= 2 for x, y in centres)


def test_a_picture_without_edges_has_no_regions():
    assert lattice.regions(lattice.areas(np.zeros((50, 60), np.uint8), 12)).shape == (0, 4)


def test_digits_side_by_side_are_one_mark():
    """Incident: of a board without walls whose numbers have two digits each digit was taken for a cell."""
    boxes = np.array([(10, 10, 12, 20), (25, 11, 12, 20), (80, 10, 12, 20), (10, 60, 12, 20)], np.int32)
    whole = {tuple(map(int, box)) for box in lattice.side_by_side(boxes)}
    assert whole == {(10, 10, 27, 21), (80, 10, 12, 20), (10, 60, 12, 20)}


def test_a_lattice_seen_in_twice_the_size_is_halved():
    found = lattice.Lattice(20.0, 31.0, 30.0, 42.0, 25.0, 36.0, frozenset({(0, 0), (1, 2)}))
    assert found.scaled(2).halved() == found


def test_boxes_that_do_not_belong_to_a_lattice_do_not_give_it_a_fraction_of_its_pitch():
    """Incident: buttons far below a row of numbers, half as far from one another, made holes between the numbers."""
    row = [(100 + 90 * k, 100, 20, 26) for k in range(3)]
    buttons = [(300 + 45 * k, 400, 20, 24) for k in range(3)]
    found = lattice.fit(np.array(row + buttons), 0.2)
    assert found is not None
    assert (found.cells, found.pitch_x) == ({(0, 0), (0, 1), (0, 2)}, pytest.approx(90))
