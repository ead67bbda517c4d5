"""Cross Set in windows that mark numbers: by a disc below the active one, by pale frames around the others, by slashes
between them; and with counters at the ends of the lines. Each draws its own window."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import Puzzle, format_puzzle, parse
from autoplayer.games.cross_set.seeing.glyphs.marks import off_chips
from autoplayer.games.cross_set.seeing.one_cell.contents import pieces_in
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision import pieces
from autoplayer.vision.pieces import Piece

FIVE = parse("142 32 25 21 4321\n21 135 41 42 2135\n3 342 524 453 351\n2453 431 315 1524 2\n24 51 4312 34 1235")
SORTED = parse("41 41 34 2\n42 14 12 314\n123 3 124 24\n1234 1234 24 1")
BADGES = parse("512 45 352 123 53\n15 235 1345 125 42\n45 53 312 24 412\n1234 134 345 23 24\n453 423 1245 4523 4512")
SIDE, MARGIN = 96, 60

WHITE, INK, PALE = (250, 253, 255), (40, 40, 50), (150, 160, 170)


def written(image: Image, text: str, x: float, y: float, size: float, colour: tuple[int, int, int], bold: int) -> None:
    """Writes ``text`` with its middle at (x, y)."""
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, bold)
    at = round(x - width / 2), round(y + height / 2)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, bold, cv2.LINE_AA)


def board(puzzle: Puzzle, draw: Callable[[Image, int, int, tuple[int, ...]], None], more: int = 0) -> Image:
    """A board of white cells; ``draw`` fills one whose corner is at (x, y). ``more``: room at the right and below."""
    whole = puzzle.size * SIDE + 2 * MARGIN + more
    image = np.full((whole, whole, 3), (205, 220, 230), np.uint8)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            x, y = MARGIN + c * SIDE, MARGIN + r * SIDE
            cv2.rectangle(image, (x, y), (x + SIDE - 4, y + SIDE - 4), WHITE, -1)
            cv2.rectangle(image, (x, y), (x + SIDE - 4, y + SIDE - 4), (150, 140, 130), 1)
            draw(image, x, y, cell)
    return image


def on_discs(image: Image, x: int, y: int, cell: tuple[int, ...]) -> None:
    """The active number on a dark disc close to the cell's upper wall, the others below it."""
    down = y + (24 if len(cell) > 1 else 46)
    cv2.circle(image, (x + 46, down), 20, (170, 90, 40), -1, cv2.LINE_AA)
    written(image, str(cell[0]), x + 46, down, 1.0, WHITE, 2)
    for i, number in enumerate(cell[1:]):
        written(image, str(number), x + 46 + (i - (len(cell) - 2) / 2) * 21, y + 74, 0.65, (90, 90, 95), 2)


def on_badges(image: Image, x: int, y: int, cell: tuple[int, ...]) -> None:
    """The numbers in order, the active one on a disc that throws a soft shadow in its own colour."""
    for i, number in enumerate(sorted(cell)):
        across = round(x + 46 + (i % 3 - (min(len(cell), 3) - 1) / 2) * 28)
        down = y + (46 if len(cell) < 4 else 28 if i < 3 else 68)
        if number == cell[0]:
            share = np.zeros((SIDE - 5, SIDE - 5, 1), np.float32)
            cv2.circle(share, (across - x - 1, down - y + 2), 15, (0.56,), -1, cv2.LINE_AA)
            spot = image[y + 1 : y + SIDE - 4, x + 1 : x + SIDE - 4]
            share = cv2.GaussianBlur(share, (0, 0), 4)[..., None]
            spot[...] = np.rint((1 - share) * spot + share * np.array([255, 108, 91]))
            cv2.circle(image, (across, down), 15, (255, 108, 91), -1, cv2.LINE_AA)
        written(image, str(number), across, down, 0.6, WHITE if number == cell[0] else (184, 147, 138), 2)


def in_pale_frames(image: Image, x: int, y: int, cell: tuple[int, ...]) -> None:
    """A large number above, the others in pale frames without corners."""
    written(image, str(cell[0]), x + 46, y + (32 if len(cell) > 1 else 46), 1.2, INK, 3)
    for i, number in enumerate(cell[1:]):
        left, top = round(x + 46 + (i - (len(cell) - 1) / 2) * 25) + 2, y + 60
        line = (212, 215, 222)
        for side in (left, left + 20):
            cv2.line(image, (side, top + 4), (side, top + 20), line, 1)
        for end in (top, top + 24):
            cv2.line(image, (left + 4, end), (left + 16, end), line, 1)
        written(image, str(number), left + 10, top + 12, 0.45, (120, 120, 130), 1)


def with_slashes(image: Image, x: int, y: int, cell: tuple[int, ...]) -> None:
    """A large number above, the others below it with slashes between them, as high as a digit."""
    written(image, str(cell[0]), x + 46, y + (34 if len(cell) > 1 else 46), 1.1, INK, 3)
    for i, number in enumerate(cell[1:]):
        cx = round(x + 46 + (i - (len(cell) - 2) / 2) * 26)
        written(image, str(number), cx, y + 72, 0.5, (110, 110, 110), 1)
        if i:
            cv2.line(image, (cx - 15, y + 78), (cx - 11, y + 65), (110, 110, 110), 1, cv2.LINE_AA)


def counted() -> Image:
    """Slashes nowhere but in the counters at the right end of each row."""

    def plain(image: Image, x: int, y: int, cell: tuple[int, ...]) -> None:
        for i, number in enumerate(cell):
            cx = round(x + 46 + (i - (len(cell) - 1) / 2) * 21)
            written(image, str(number), cx, y + 46, 0.65, (40, 40, 170) if i == 0 else PALE, 2)

    image = board(FIVE, plain, more=70)
    for r, row in enumerate(FIVE.rows):
        different = len({cell[0] for cell in row})
        x, y = MARGIN + FIVE.size * SIDE + 46, MARGIN + r * SIDE + 46
        written(image, f"{different}/{FIVE.size}", x, y, 0.6, INK, 2)
    return image


@pytest.mark.parametrize(
    ("puzzle", "image"),
    [
        pytest.param(FIVE, board(FIVE, on_discs), id="discs"),
        pytest.param(SORTED, board(SORTED, in_pale_frames), id="frames"),
        pytest.param(FIVE, board(FIVE, with_slashes), id="slashes"),
        pytest.param(FIVE, counted(), id="counters"),
    ],
)
def test_a_board_is_read_whose_numbers_are_marked(puzzle: Puzzle, image: Image) -> None:
    settled = settle(GAME, GAME.read(image, Layout(game="cross-set")))
    assert settled.playable
    assert format_puzzle(settled.puzzle) == format_puzzle(puzzle)


def test_the_soft_shadow_of_a_disc_is_no_number() -> None:
    """Incident: what was left of it below the disc hid which number was the active one, and the smaller numbers beside
    it were read alone."""
    image = board(BADGES, on_badges)
    reading = GAME.read(image, Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(BADGES)
    assert not reading.doubts
    for r, c in np.ndindex(BADGES.size, BADGES.size):
        inside = Box(MARGIN + c * SIDE + 2, MARGIN + r * SIDE + 2, SIDE - 7, SIDE - 7)
        assert min(part.contrast for part in pieces_in(image, inside, 0.0, 0.4).pieces) > 60


ROUGH_NOUGHT = """
...................
......5adfdb71.....
....1bfffffffd3....
...2dffffcefffe5...
...afff81..6effe1..
..3fff7.....3fff8..
..9ffc.......9ffd..
..eff7.......2fff3.
.3fff2........dff7.
.6ffd.........aff9.
.8ffc.........9ffc.
.9ffa.........7ffd.
.aff9.........6ffe.
.bff9.........5ffe.
.bff9.........5fff.
.bff9.........5ffe.
.affa.........5ffe.
.9ffa.........7ffd.
.8ffc.........8ffb.
.5ffe.........aff9.
.2fff2........dff6.
..dff7.......3fff1.
..8ffc.......9ffb..
..2fff6.....3fff4..
...9fff81..6effa...
...1dffffcefffc1...
....1bfffffff9.....
......4acca82......
...................
"""
"""How much of each pixel is ink, 0 to f."""


def test_the_rough_hole_of_a_nought_is_no_number_on_a_chip() -> None:
    """Incident: a slender 0 of a 10 was a chip, with its own hole upon it, because the hole's edge was rough."""
    ink = np.array([[int(pixel.replace(".", "0"), 16) / 15 for pixel in line] for line in ROUGH_NOUGHT.split()])
    image = np.full((70, 70, 3), (32, 43, 97), np.uint8)
    height, width = ink.shape
    image[20 : 20 + height, 25 : 25 + width] = (1 - ink[:, :, None]) * (32, 43, 97) + ink[:, :, None] * (242, 252, 251)
    (nought,) = pieces_in(image, Box(0, 0, 70, 70), 0.0, 0.5).pieces
    assert not nought.ringed
    assert nought.colour.min() > 200


def test_a_bold_nought_is_no_chip_with_a_slender_one_upon_it() -> None:
    """Incident: what is left of its strokes two pixels within its outline was a number on its own hole."""
    large = np.full((160, 160, 3), (250, 155, 122), np.uint8)
    cv2.ellipse(large, (80, 80), (22, 36), 0, 0, 360, (16, 15, 12), 9)
    image = np.asarray(cv2.resize(large, (40, 40), interpolation=cv2.INTER_AREA), np.uint8)
    nought = pieces.find(image, Box(0, 0, 40, 40)).pieces
    assert off_chips(image, nought, 0.0, 0.4) == nought


def test_something_pale_of_which_nothing_is_a_stroke_is_no_chip() -> None:
    shade = Piece(Box(10, 10, 30, 30), np.full((30, 30), 0.3, np.float32), np.full(3, 90.0, np.float32), 20.0)
    assert off_chips(np.full((60, 60, 3), 80, np.uint8), [shade], 0.0, 0.5) == (shade,)


CLOSE_TO_THE_OUTLINE = """
......0000......
....00000000....
...0000000000...
..000000000000..
.000029ded81000.
.00008413ef8000.
000000000bfb0000
000000003ef60000
0000008fffa10000
000000003cfb0000
.000000007ff000.
.0002a312cfb000.
..0005beec8100..
...0000000000...
....00000000....
......0000......
"""
"""How much of each pixel of a chip is ink, 0 to f; a dot is the ground around it."""


@pytest.mark.parametrize("ground", [(160, 190, 206), (74, 58, 52)], ids=["the chip is darker", "the chip is lighter"])
def test_a_number_that_comes_close_to_the_outline_of_a_small_chip_is_read_on_it(ground: tuple[int, int, int]) -> None:
    """Incidents: half of the pixels three within the outline were the number's, and the chip was taken for a nought;
    on dark cells the number, which differs more from them, gave the chip its colour."""
    chip, white = np.array([50, 60, 190]), np.array([255, 255, 255])
    image = np.full((40, 40, 3), ground, np.uint8)
    for y, line in enumerate(CLOSE_TO_THE_OUTLINE.split()):
        for x, pixel in enumerate(line):
            if pixel != ".":
                image[12 + y, 12 + x] = chip + (white - chip) * (int(pixel, 16) / 15)
    whole = pieces.find(image, Box(0, 0, 40, 40), scale=1).pieces
    (three,) = off_chips(image, whole, 0.0, 0.4)
    assert three.ringed
    assert three.colour.min() > 200


def test_what_is_two_pixels_within_a_thin_outline_is_no_colour_of_a_chip() -> None:
    """A box around a bar, as noughts of segments are: nothing three pixels within its outline has its colour."""
    large = np.full((160, 160, 3), (222, 232, 236), np.uint8)
    cv2.rectangle(large, (58, 50), (102, 110), (90, 40, 40), 7)
    cv2.line(large, (88, 64), (72, 96), (90, 40, 40), 8, cv2.LINE_AA)
    image = np.asarray(cv2.resize(large, (40, 40), interpolation=cv2.INTER_AREA), np.uint8)
    assert not any(p.ringed for p in off_chips(image, pieces.find(image, Box(0, 0, 40, 40)).pieces, 0.0, 0.4))
