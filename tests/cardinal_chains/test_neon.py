"""Chains drawn as lines that have their colour only around a white core: pictures drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cardinal_chains.player import progress
from autoplayer.games.cardinal_chains.playing.between import linked, marked
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution, parse
from autoplayer.games.cardinal_chains.reader import read
from autoplayer.games.cardinal_chains.solver import solve
from autoplayer.layout import Layout

SIDE, LEFT, TOP = 60, 60, 50
PUZZLE = parse("3 3 1 X 2\n3 2 1 1 1\n3 2 X 2 2\n3 2 2 2 2\n3 3 3 2 2")
SOLUTION = cast("Solution", solve(PUZZLE, time_limit=5).solution)
NIGHT, WHITE, RIM = (15, 6, 5), (255, 246, 223), (95, 65, 39)
COLOURS = (75, 25, 230), (216, 120, 60)


def _middle(cell: Cell) -> tuple[int, int]:
    return LEFT + SIDE * cell[1] + SIDE // 2, TOP + SIDE * cell[0] + SIDE // 2


def window(chains: Sequence[Sequence[Cell]] = (), over: bool = False, blur: float = 11, broad: int = 12) -> Image:
    """White numbers in thin frames on a dark page. A chain is a white line of 4 pixels within one of its colour,
    ``broad`` pixels wide, with a glow around it; it is drawn below or ``over`` everything else."""
    image = np.full((400, 420, 3), NIGHT, np.uint8)
    image = image if over else _lines(image, chains, blur, broad)
    for cell, value in PUZZLE.cells.items():
        x, y = _middle(cell)
        colour = RIM if value else COLOURS[PUZZLE.starts.index(cell)]
        cv2.rectangle(image, (x - 24, y - 24), (x + 24, y + 24), colour, 2)
        if value:
            cv2.putText(image, str(value), (x - 9, y + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.9, WHITE, 2, cv2.LINE_AA)
        else:
            cv2.line(image, (x - 11, y - 11), (x + 11, y + 11), colour, 6, cv2.LINE_AA)
            cv2.line(image, (x + 11, y - 11), (x - 11, y + 11), colour, 6, cv2.LINE_AA)
    return _lines(image, chains, blur, broad) if over else image


def _lines(image: Image, chains: Sequence[Sequence[Cell]], blur: float, broad: int) -> Image:
    for chain, colour in zip(chains, COLOURS, strict=False):
        glow = np.zeros(image.shape[:2], np.float32)
        steps = [(_middle(one), _middle(other)) for one, other in pairwise(chain)]
        for ends in steps:
            cv2.line(glow, *ends, 1.0, broad)
        glow = np.clip(1.6 * cv2.GaussianBlur(glow, (0, 0), blur), 0, 1)[:, :, None]
        image = np.rint(image + (np.array(colour) - image) * glow).astype(np.uint8)
        for width, ink in ((broad, colour), (4, (255, 255, 255))):
            for ends in steps:
                cv2.line(image, *ends, ink, width, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(("over", "blur", "broad"), [(False, 11, 12), (True, 11, 12), (True, 4, 8), (False, 16, 16)])
def test_a_white_line_in_a_glow_is_its_chains(over: bool, blur: float, broad: int) -> None:
    """Incident: the glow, mixed with all that was there, looked like another chain's; no cell of the right chain was
    seen, and the window was given up after four tries."""
    reading = read(window(), Layout(game="cardinal-chains"))
    assert reading.puzzle == PUZZLE
    for chains in (SOLUTION[:1], SOLUTION, [chain[:3] for chain in SOLUTION]):
        now = progress(reading, PUZZLE, SOLUTION, window(chains, over, blur, broad))
        assert (now.present, now.done, now.wrong) == (True, sum(len(chain) - 1 for chain in chains), 0)


PLACES = {(0, c): Box(60 * c, 60, 60, 60) for c in range(3)}
ROW = parse("X 1 1")


@pytest.mark.parametrize(
    ("parts", "colour", "found"),
    [
        pytest.param([(30, 87, 90, 93)], 255, {(0, 1): 0}, id="a line from middle to middle"),
        pytest.param([(30, 76, 90, 104)], 255, {(0, 1): 0}, id="a line nearly half as broad as a cell"),
        pytest.param([(30, 87, 55, 93), (59, 87, 90, 93)], 255, {(0, 1): 0}, id="a thin wall over it"),
        pytest.param([(30, 87, 67, 93)], 255, {}, id="it ends behind the side"),
        pytest.param([(53, 87, 90, 93)], 255, {}, id="it ends before the number"),
        pytest.param([(0, 60, 120, 120)], 255, {}, id="filled cells"),
        pytest.param([(30, 87, 90, 93)], 0, {}, id="a line that has gone"),
    ],
)
def test_a_new_line_between_numbers(parts: list[tuple[int, int, int, int]], colour: int, found: object) -> None:
    """The two cells are parted at 60 pixels from the left."""
    one = np.full((180, 180, 3), 90, np.uint8)
    other = one.copy()
    for left, top, right, bottom in parts:
        (other if colour else one)[top:bottom, left:right] = 255
    assert marked(PLACES, ROW, one, other, lines=True) == found


def test_chains_do_not_lead_from_start_to_start() -> None:
    """Where links say so, they are none."""
    puzzle = Puzzle(((0, 1, 2, 0),))
    links = [((0, 0), (0, 1)), ((0, 2), (0, 3))]
    assert linked(links, puzzle) == {(0, 1): 0, (0, 2): 1}
    assert linked([*links, ((0, 1), (0, 2))], puzzle) is None
