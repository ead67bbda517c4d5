"""Frames round a board, a few pixels from its outermost tiles, are no sides of these tiles."""

from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.borders import Axis, Borders
from bench.reading import continuity, continuity_remakes

GROUND, WALL = 30, 150
ROWS, COLUMNS = Axis((30, 150), 90, True), Axis((30, 190, 350), 130, True)
"""The tiles of the drawn board; the first place is empty."""


def board(frame: int | None = None, *, low_air: bool = False) -> Image:
    """A picture of 2x3 tiles with one opening in each lower side. ``frame``: how far below the tiles a white line of
    two pixels lies; ``low_air``: the lower sides of the upper row are air of the ground's colour."""
    image = np.full((270, 510, 3), GROUND, np.uint8)
    for place in range(1, 6):
        row, column = divmod(place, 3)
        y, x = ROWS.starts[row], COLUMNS.starts[column]
        image[y : y + ROWS.length, x : x + COLUMNS.length] = WALL
        image[y + 20 : y + 70, x + 20 : x + 110] = 60
        image[y + 70 : y + 90, x + 40 : x + 60] = 60
        if low_air and row == 0:
            image[y + 60 : y + 90, x : x + COLUMNS.length] = GROUND
    if frame is not None:
        bottom = ROWS.starts[1] + ROWS.length + frame
        image[bottom : bottom + 2] = 255
    return image


def settled(image: Image) -> Axis:
    """The rows that are found from places two pixels too long."""
    borders = Borders(image, 0.0)
    return borders.settled(ROWS._replace(length=ROWS.length + 2), COLUMNS, 0)[0]


def test_the_frame_below_the_lowest_row_is_no_side_of_all_rows() -> None:
    """The line is stronger than the tiles' own edges, but no line lies below the upper row. Tiles were six pixels too
    long, without a doubt, so that no opening was where it is."""
    assert settled(board(frame=5)) == ROWS


def test_sides_are_found_without_a_frame() -> None:
    assert settled(board()) == ROWS


def test_a_row_without_any_edge_does_not_hide_those_of_the_other() -> None:
    """Rooms open downwards, of the ground's colour there, have no lower side that could be seen."""
    assert settled(board(low_air=True)) == ROWS


def test_a_frame_drawn_over_the_rim_of_each_room_may_be_left_out() -> None:
    """Such boards counted as misread, without a doubt."""
    board = continuity_remakes.draw(16530010)
    tiles = read_tiles(board.image)
    assert (board.frame, board.boxes[0].width - tiles.boxes[0].width) == (8, 16)
    assert continuity.faults(board, tiles) == []
    wider = replace(tiles, boxes=tuple(replace(box, width=box.width + 6) for box in tiles.boxes))
    assert continuity.faults(board, wider) == ["board"]
