"""Tiles on a page with a picture, which shows through the holes; starts are tiles shaded from a colour to black, with
nothing on them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout
from autoplayer.settle import settle

ROWS = ["X 1 1 1 1", "3 . 2 . 1", "2 X 2 3 2", "X 3 2 4 5", "1 1 X 4 4"]
COLOURS = (75, 25, 230), (216, 120, 60), (56, 168, 56), (0, 144, 240)
"""BGR, of the starts."""


def window(seed: int) -> Image:
    """Leaves of many greens, and tiles with rounded corners upon them."""
    random = np.random.default_rng(seed)
    image = np.full((450, 450, 3), (69, 107, 63), np.uint8)
    for _ in range(500):
        leaf = image.copy()
        centre, axes = random.integers(0, 450, 2).tolist(), random.integers(6, 60, 2).tolist()
        colour = (random.uniform(0.3, 1, 3) * (110, 220, 170)).tolist()
        cv2.ellipse(leaf, centre, axes, float(random.integers(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
        image = cv2.addWeighted(image, 0.65, leaf, 0.35, 0)
    shade, starts = np.linspace(0, 1, 60)[:, None, None], iter(COLOURS)
    for r, line in enumerate(ROWS):
        for c, token in enumerate(line.split()):
            if token == ".":
                continue
            x, y = 55 + 70 * c, 55 + 70 * r
            mask = np.zeros((60, 60), np.uint8)
            cv2.rectangle(mask, (10, 10), (49, 49), 1, 21)
            mask[10:50, 10:50] = 1
            upper, lower = (next(starts), (34, 34, 34)) if token == "X" else ((255, 255, 255), (221, 214, 207))
            face = ((1 - shade) * upper + shade * lower).round().astype(np.uint8) + np.zeros((60, 60, 3), np.uint8)
            image[y : y + 60, x : x + 60][mask > 0] = face[mask > 0]
            if token != "X":
                cv2.putText(image, token, (x + 19, y + 42), cv2.FONT_HERSHEY_DUPLEX, 1.1, (68, 51, 51), 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("seed", [0, 1])
def test_shaded_tiles_without_a_mark_are_starts_and_what_shows_the_page_is_none(seed: int) -> None:
    """Incident: holes were taken for starts, and starts for holes."""
    result = settle(GAME, GAME.read(window(seed), Layout(game="cardinal-chains")))
    assert result.playable, result.reason
    assert format_puzzle(result.puzzle).splitlines() == ROWS


@pytest.mark.parametrize("seed", [1, 2])
def test_a_picture_around_discs_is_no_part_of_the_board(seed: int) -> None:
    """Incident: the edges and colours of a picture were taken for walls and chains, and no board was seen, or one of a
    text screen, so that letters were typed."""
    rows = ["1 1 1 1", "1 1 1 X", "1 2 2 2", "1 1 1 1"]
    noise = np.random.default_rng(seed).integers(0, 256, (150, 200, 3)).astype(np.float32)
    image = cv2.resize(cv2.GaussianBlur(noise, (0, 0), 10), (800, 600), interpolation=cv2.INTER_CUBIC)
    image = np.clip(150 + 35 * (image - image.mean()) / image.std(), 0, 255).astype(np.uint8)
    for r, line in enumerate(rows):
        for c, token in enumerate(line.split()):
            x, y, ink = 265 + 90 * c, 165 + 90 * r, (75, 25, 230) if token == "X" else (34, 34, 34)
            cv2.circle(image, (x, y), 40, (255, 255, 255), -1, cv2.LINE_AA)
            cv2.putText(image, token, (x - 14, y + 15), cv2.FONT_HERSHEY_DUPLEX, 1.4, ink, 4, cv2.LINE_AA)
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert not reading.doubts
    assert "text" not in reading.extra


def test_discs_on_an_even_page_are_starts_though_holes_are_tiles() -> None:
    """Numbers and holes stand on tiles, starts on the page itself."""
    image, starts = np.full((450, 450, 3), (238, 234, 233), np.uint8), iter(COLOURS)
    for r, line in enumerate(ROWS):
        for c, token in enumerate(line.split()):
            x, y = 85 + 70 * c, 85 + 70 * r
            if token == "X":
                cv2.circle(image, (x, y), 20, next(starts), -1, cv2.LINE_AA)
                continue
            tile = (120, 110, 105) if token == "." else (222, 208, 202)
            cv2.rectangle(image, (x - 30, y - 30), (x + 29, y + 29), tile, -1)
            if token != ".":
                cv2.putText(image, token, (x - 11, y + 12), cv2.FONT_HERSHEY_DUPLEX, 1.1, (68, 51, 51), 2, cv2.LINE_AA)
    result = settle(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    assert result.playable, result.reason
    assert format_puzzle(result.puzzle).splitlines() == ROWS
