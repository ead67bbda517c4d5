"""Boards that were read without a doubt though a cell of theirs was left out: starts beside each other on discs that
touch, a number on the straight part of a chain, a start that its own chain hides."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout
from autoplayer.settle import settle

COLOURS = ((230, 81, 61), (25, 20, 215), (230, 30, 140), (100, 213, 52), (9, 177, 211), (200, 30, 200))


def write(image: Image, text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size, 1)
    at = at[0] - w // 2, at[1] + h // 2
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_DUPLEX, size, colour, 1, cv2.LINE_AA)


def window(
    rows: Sequence[str],
    chains: Sequence[Sequence[Cell]],
    *,
    pitch: int,
    radius: int,
    cross: float,
    hidden: bool = False,
    filled: bool = False,
    thick: int = 0,
) -> Image:
    """Discs, or with ``hidden`` tiles and starts without a disc; chains begin at their starts and are drawn before the
    numbers are, ``hidden`` ones after the starts."""
    height, width = pitch * len(rows) + 140, pitch * len(rows[0]) + 140
    image = np.full((height, width, 3), (200, 112, 214) if filled else (48, 36, 30), np.uint8)
    middle = {
        (r, c): (70 + pitch // 2 + c * pitch, 70 + pitch // 2 + r * pitch)
        for r, row in enumerate(rows)
        for c, token in enumerate(row)
        if token != "."
    }
    starts = [cell for cell in middle if rows[cell[0]][cell[1]] == "X"]
    colour = dict(zip(starts, COLOURS, strict=False))
    for cell, at in middle.items():
        if hidden:
            corners = [(at[0] + by * radius, at[1] + by * radius) for by in (-1, 1)]
            cv2.rectangle(image, corners[0], corners[1], (80, 76, 70), -1)
        else:
            if cell in colour or filled:
                cv2.circle(image, at, radius, colour.get(cell, (112, 37, 144)), -1, cv2.LINE_AA)
            cv2.circle(image, at, radius, (160, 150, 140) if not filled else (100, 25, 120), 1, cv2.LINE_AA)
    for cell in starts if hidden else ():
        write(image, "X", middle[cell], cross, colour[cell])
    for chain in chains:
        way = np.array([middle[cell] for cell in chain], np.int32)
        cv2.polylines(image, [way], False, colour[chain[0]], thick or radius // 3)
    for cell, at in middle.items():
        if cell not in starts:
            write(image, rows[cell[0]][cell[1]], at, radius / 20, (240, 225, 215))
        elif not hidden:
            write(image, "X", at, cross, (255, 255, 255))
    return image


FULL = ("1111223", "X133223", "11.3.12", "X23X112", "X1.3.32", "2223332", "2X22232")
DRAWN = ("X11.22", "11111X", ".11112", "112211", "122112", "X2.2X2")
UNDER = ("X22222", "332232", "33X112", "33X222", "222211", "22.X11")


def read(image: Image) -> tuple[str, bool]:
    settled = settle(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    return format_puzzle(settled.puzzle), settled.certain


@pytest.mark.parametrize("pitch", [60, 97])
def test_starts_beside_each_other_on_discs_that_touch_are_cells(pitch: int) -> None:
    text, certain = read(window(FULL, (), pitch=pitch, radius=pitch // 2, cross=pitch / 140, filled=True))
    assert (text.replace(" ", "").split(), certain) == (list(FULL), True)


@pytest.mark.parametrize(("pitch", "radius"), [(56, 24), (56, 22), (64, 24)])
def test_numbers_on_discs_that_chains_join_are_read(pitch: int, radius: int) -> None:
    """A number that stands on a straight part of a chain, at the board's edge, is one of them."""
    chains = [
        ((5, 0), (4, 0), (3, 0), (3, 1), (2, 1), (2, 2), (2, 3)),
        ((0, 0), (1, 0), (1, 1), (0, 1), (0, 2), (1, 2), (1, 3)),
    ]
    text, certain = read(window(DRAWN, chains, pitch=pitch, radius=radius, cross=pitch / 56, filled=True))
    assert (text.replace(" ", "").split(), certain) == (list(DRAWN), True)


@pytest.mark.parametrize("thick", [6, 8, 12])
def test_a_start_that_its_own_chain_hides_is_no_hole(thick: int) -> None:
    chains = [
        ((3, 2), (3, 3), (4, 3), (4, 2), (4, 1), (4, 0), (5, 0), (5, 1)),
        ((0, 0), (1, 0), (1, 1), (2, 1)),
        ((5, 3), (5, 4), (4, 4)),
    ]
    text, certain = read(window(UNDER, chains, pitch=40, radius=16, cross=0.4, hidden=True, thick=thick))
    assert text.replace(" ", "").split() == list(UNDER) or not certain
