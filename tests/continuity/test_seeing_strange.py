"""Windows as remakes draw them, of which a part was misread: each row names what had been wrong."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.board.boards import find_board
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.lattice import find_edges, find_lattice
from bench.reading import continuity, continuity_remakes


@pytest.mark.parametrize(
    "seed",
    [
        17,  # the empty place is striped
        27,  # the empty place is darker than the ground
        39,  # a ground of bricks, whose joints are edges too
        48,  # a panel behind the board
        59,  # a line round the board
        65,  # lines round tiles, a dim brick air
        79,  # the empty place has a line round it
        112,  # all of these at once
        156004,  # a row of openings in all tiles beside each other
        156005,  # a door of the walls' colours, on its own
        156026,  # the same beside a wall
        156029,  # the same, higher than a cell
        156040,  # a bar above a shaded ground
        156049,  # a hand that is apart from its figure
        720017,  # tiles in frames of the page's colour
        730013,  # a frame round the board that touches its tiles, enlarged
        1234010,  # single bright stones at the rim of walls
        1234017,  # a key that lies, larger than the door
        1234052,  # a frame round the board that touches its tiles, soft lines round the walls
        1500054,  # a block of bright stones at the end of a wall, beside the door
    ],
)
def test_remakes_are_read(seed: int) -> None:
    board = continuity_remakes.draw(seed)
    assert continuity.faults(board, read_tiles(board.image)) == []


def test_what_a_figure_of_few_pixels_is_stays_a_doubt() -> None:
    board = continuity_remakes.draw(156033)
    assert continuity.doubtful(read_tiles(board.image))


@pytest.mark.parametrize("seed", [5036, 5056, 5081])
def test_a_shaded_air_is_not_parted_where_nothing_changes(seed: int) -> None:
    """Bright and dark air had been taken for wall and air, because bricks were both."""
    board = continuity.draw(seed)
    assert continuity.faults(board, read_tiles(board.image)) == []


@pytest.mark.parametrize("seed", [5015, 5044, 5051])
def test_a_place_has_the_size_at_which_its_sides_are_edges(seed: int) -> None:
    board = continuity.draw(seed)
    assert find_board(board.image).boxes[0] == board.boxes[0]


def test_a_narrow_strip_of_a_shade_of_a_wall_is_wall() -> None:
    """The upper halves of two pillars were taken for keys."""
    board = continuity.draw(720004)
    assert continuity.faults(board, read_tiles(board.image)) == []


def bricks(walls: Bools, cell: int) -> Image:
    """Two tiles' worth of cells: walls are brick, the air is shaded from dark to bright."""
    rows, columns = (n * cell for n in walls.shape)
    image = np.zeros((rows, columns, 3), np.uint8)
    image[:] = np.linspace(20, 80, rows).astype(np.uint8)[:, None, None]
    tall = walls.repeat(cell, axis=0).repeat(cell, axis=1)
    brick = np.full((rows, columns), 110, np.uint8)
    brick[::6] = 30
    brick[:, ::12] = 30
    image[tall] = np.stack([brick] * 3, axis=2)[tall]
    return image


def test_walls_by_whole_cells_know_bricks_from_a_shade() -> None:
    walls = np.ones((2, 8, 12), np.bool_)
    walls[:, 1:-1, 1:-1] = False
    walls[0, 4, 3:8] = walls[1, 5, 6:10] = True
    walls[0, 5:7, -1] = walls[1, 5:7, 0] = False
    stack = np.stack([bricks(each, 18) for each in walls])
    edges = find_edges(stack, 0.0)
    found = find_lattice(stack, edges)
    assert found is not None
    assert (found.solid(*stack.shape[1:3]) == walls.repeat(18, axis=1).repeat(18, axis=2)).all()
    assert found.support > 0.95


def test_cells_are_as_large_as_walls_and_not_as_the_pixels_of_their_grain() -> None:
    """Grain of broad pixels had made cells of two of them, and a door on the ground a wall of such cells."""
    walls = np.ones((2, 8, 12), np.bool_)
    walls[:, 1:-1, 1:-1] = False
    walls[0, 4, 3:8] = walls[1, 5, 6:10] = True
    walls[0, 5:7, -1] = walls[1, 5:7, 0] = False
    grain = np.random.default_rng(5).choice([60, 84, 106], (2, 64, 96), p=[0.2, 0.7, 0.1])
    large = walls.repeat(8, axis=1).repeat(8, axis=2)
    stack = np.where(large, grain, 190).astype(np.uint8).repeat(4, axis=1).repeat(4, axis=2)
    found = find_lattice(np.stack([stack] * 3, axis=3), find_edges(np.stack([stack] * 3, axis=3), 0.0))
    assert found is not None
    assert (found.cells.rows, found.cells.columns) == (8, 12)
    assert (found.walls == walls).all()


def test_a_picture_without_tiles_has_no_board() -> None:
    """Even parts and edges alone make no board."""
    image = np.full((300, 400, 3), 40, np.uint8)
    image[40:260, 40:360] = 90
    image[60:120, 60:140] = 200
    with pytest.raises(UnreadableError):
        find_board(image)
