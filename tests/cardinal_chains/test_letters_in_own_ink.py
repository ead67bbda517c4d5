"""Starts that show a letter in the numbers' own ink on their own ground: an S is taken for a 5, a B for an 8."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout
from autoplayer.settle import settle

PAGE, TILE, INK, DARK = (238, 234, 233), (222, 208, 202), (30, 30, 30), (96, 92, 90)
PITCH, LEFT, TOP = 60, 60, 60


def tiles(rows: list[str], letter: str, hole: tuple[int, ...] | None = None) -> Image:
    """Tiles on a page; starts show ``letter``, and holes are tiles of the colour ``hole``, or nothing."""
    image = np.full((2 * TOP + PITCH * len(rows), 2 * LEFT + PITCH * len(rows[0]), 3), PAGE, np.uint8)
    for r, c in np.ndindex(len(rows), len(rows[0])):
        x, y, token = LEFT + c * PITCH + PITCH // 2, TOP + r * PITCH + PITCH // 2, rows[r][c]
        if token != "." or hole:
            colour = TILE if token != "." else hole
            assert colour is not None
            cv2.rectangle(image, (x - 27, y - 27), (x + 27, y + 27), colour, -1)
        if token != ".":
            text = letter if token == "X" else token
            (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
            cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, 1.0, INK, 2, cv2.LINE_AA)
    return image


def settled(image: Image) -> list[str]:
    result = settle(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    assert result.playable, result.reason
    return format_puzzle(result.puzzle).replace(" ", "").split("\n")


LEVEL = [".X144", "1113X", "32221", "31344", "3X333"]
HIGHER = ["1XX266", ".32255", ".43335", "44X335", "4.43.5", "554445"]


@pytest.mark.parametrize("letter", "SBGZ")
def test_a_letter_that_looks_like_a_digit_is_a_start_where_no_other_is_seen(letter: str) -> None:
    assert settled(tiles(LEVEL, letter)) == LEVEL


@pytest.mark.parametrize("letter", "SG")
def test_a_letter_is_told_from_the_digit_that_stands_on_the_board_as_well(letter: str) -> None:
    assert settled(tiles(HIGHER, letter)) == HIGHER


@pytest.mark.parametrize("letter", "SB")
def test_dark_tiles_beside_letters_are_holes(letter: str) -> None:
    assert settled(tiles(LEVEL, letter, DARK)) == LEVEL


@pytest.mark.parametrize(("pitch", "size"), [(32, 20), (36, 24)])
def test_a_narrow_number_on_its_disc_is_no_letter_on_a_colour_of_its_own(pitch: int, size: int) -> None:
    """Incident: of a broad number's place most showed what is around its disc, of a 1's the disc: all 1s were starts,
    and the S in a colour of its own was a 5."""
    rows = ["S22222", "122432", "122422", "124422", "124446", "114446"]
    picture = Picture.new("RGB", (6 * pitch + 120, 6 * pitch + 120), (20, 40, 60))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size)
    for r, c in np.ndindex(6, 6):
        x, y, half = 60 + c * pitch + pitch // 2, 60 + r * pitch + pitch // 2, pitch / 2 - 3
        colour = (220, 60, 60) if rows[r][c] == "S" else (240, 240, 220)
        pen.ellipse((x - half, y - half, x + half - 1, y + half - 1), fill=(35, 70, 100))
        pen.text((x, y), rows[r][c], font=font, fill=colour, stroke_fill=colour, stroke_width=1, anchor="mm")
    image = np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])
    assert settled(image) == [row.replace("S", "X") for row in rows]
