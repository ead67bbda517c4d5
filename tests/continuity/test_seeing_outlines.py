"""What things are by their outlines: figures with legs and necks, flags, torches; doors with bars before walls."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.games.continuity.seeing.sight import Bools, Thing
from autoplayer.games.continuity.seeing.things.kinds import roles_of
from autoplayer.games.continuity.seeing.things.outlines import outlined
from autoplayer.games.continuity.seeing.things.pieces import Piece
from autoplayer.games.continuity.seeing.things.things import _whole
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.cells import Cells, without_footholds, without_scraps
from autoplayer.games.continuity.seeing.walls.strangers import _all_of
from bench.reading import continuity, continuity_remakes

PERSON = (
    "..####..", "..####..", "..####..", "...##...", "########", "########", "########", ".######.",
    ".######.", ".######.", ".##..##.", ".##..##.", ".##..##.", ".##..##.",
)  # fmt: skip
FLAG = (
    "##......", "####....", "######..", "########", "########", "######..", "####....", "##......", "##......",
    "##......", "##......", "##......", "##......", "##......", "##......", "##......",
)  # fmt: skip
TORCH = (
    "...##...", "..####..", ".######.", "########", "########", ".######.", "...##...", "...##...", "...##...",
    "...##...", "...##...", "...##...", "...##...", "...##...",
)  # fmt: skip
TEETH = (
    ".####...........", ".####...........", "##..##..........", "##..##..........", "##..############",
    "##..############", "##..####..##.##.", "##..####..##.##.", ".####.....##.##.", ".####.....##.##.",
)  # fmt: skip
STANDING = (
    "...##...", ".######.", "##....##", "##....##", "##....##", ".######.", "..####..", "...##...", "...##...",
    "..####..", "...##...", "...##...", "..######", "..######",
)  # fmt: skip
VISOR = (
    ".######.", ".######.", ".##..##.", ".##..##.", ".######.", "########", "########", "########", "########",
    ".######.", ".######.", ".##..##.", ".##..##.", ".##..##.",
)  # fmt: skip
AT = (
    "...####...", "..##..##..", ".##....##.", ".#..####.#", "##.##.##.#", "##.#...#.#", "##.#...#.#", "##.##.##.#",
    "##..####..", ".##.......", ".##.......", "..##......", "..##...##.", "...#####..",
)  # fmt: skip
K = (
    "##......", "##......", "##......", "##......", "##..##..", "##.##...", "####....", "####....", "####....",
    "##.##...", "##..##..", "##...##.", "##....##",
)  # fmt: skip
WAY = (
    "##........", "..##......", "....##....", "......##..", "........##", "......##..", "....##....", "..##......",
)  # fmt: skip
GEM = (
    ".......##...", "......####..", ".....######.", "...#########", ".#..########", "#..#########", "..#..######.",
    "......####..", ".......##...", "....##.#....", "....#...#...", "..#......#..", "...#....#...", "....####....",
)  # fmt: skip
COIN = ("..####..", ".######.", "########", "########", "########", "########", ".######.", "..####..")
DOOR = ("##########",) * 16
DOORWAY = *(("##########",) * 3), *(("##......##",) * 13)
ARCH = ("...####...", ".########.", *(("##########",) * 14))
BLOB = *(("..######..",) * 2), *(("##########",) * 10), *(("##......##",) * 2)


def drawn(rows: tuple[str, ...]) -> Bools:
    return np.array([[character == "#" for character in row] for row in rows])


def piece(rows: tuple[str, ...], tile: int, *, grounded: bool) -> Piece:
    return Piece(tile, 40, 40, drawn(rows), np.zeros(3) + 50.0 * tile, grounded)


@pytest.mark.parametrize(
    ("rows", "legs", "flag", "stem", "neck"),
    [
        (PERSON, True, False, False, True),
        (FLAG, False, True, True, False),
        (TORCH, False, False, True, False),
        (COIN, False, False, False, False),
        (TEETH, False, False, False, False),  # on its teeth
        (DOOR, False, False, False, False),
    ],
)
def test_an_outline_says_what_a_thing_stands_on(
    rows: tuple[str, ...], legs: bool, flag: bool, stem: bool, neck: bool
) -> None:
    found = outlined(drawn(rows))
    assert (found.legs, found.flag, found.stem, found.neck) == (legs, flag, stem, neck)
    assert (found.upright == 1.0) == (rows == DOOR)


def test_a_ring_at_one_end_is_the_bow_of_a_key_that_lies() -> None:
    assert outlined(drawn(TEETH)).bow
    assert not any(outlined(drawn(rows)).bow for rows in (PERSON, FLAG, TORCH, COIN, DOOR, AT))
    grey = ("..####..", "..####..", "########", "########", "########", ".######.", ".######.", "..####..")
    things, _ = roles_of([piece(TEETH, 0, grounded=True), piece(grey, 1, grounded=True), piece(DOOR, 2, grounded=True)])
    assert [each.kind for each in things] == ["key", "figure", "door"]


def test_a_key_that_stands_has_its_bow_at_one_end_and_a_narrow_shaft() -> None:
    """It had a head on a neck, like a figure; a figure with a visor through which air is seen is as broad below."""
    assert outlined(drawn(STANDING)).bow
    assert not outlined(drawn(VISOR)).bow


def test_no_door_has_the_bow_of_a_key() -> None:
    """A key larger than the door had been the door, where the door is like the figure in colour and size."""
    key = "###.....", "#.#.....", "#.######", "#.#..#.#", "###..#.#"
    person = ".##.", ".##.", "####", "####", ".##.", ".##.", "#..#"
    large, tall = (tuple("".join(each * 3 for each in row) for row in rows for _ in range(3)) for rows in (key, person))
    things, _ = roles_of([
        piece(tall, 0, grounded=True), piece(("#" * 15,) * 18, 0, grounded=True), piece(large, 2, grounded=True)
    ])  # fmt: skip
    assert [each.kind for each in things] == ["figure", "door", "key"]


def test_the_soft_edge_of_the_ground_does_not_make_a_door_narrower() -> None:
    assert outlined(drawn((*((".########.",) * 16), "##########"))).upright == 1.0


def test_a_flag_is_the_way_out_and_who_has_legs_is_not() -> None:
    """A person had been the door, and a flag the figure, for certain: the one fills more of its box."""
    things, doubts = roles_of([
        piece(PERSON, 0, grounded=True), piece(FLAG, 1, grounded=True), piece(COIN, 2, grounded=False)
    ])  # fmt: skip
    assert [each.kind for each in things] == ["figure", "door", "key"]
    assert min(each.sure for each in things) >= 0.9
    assert doubts == ()


def test_a_gem_in_the_noise_of_a_compressed_picture_is_no_figure_for_certain() -> None:
    """It was one where the figure was an oval, which became a key."""
    ball = (".....####.....", "..##########..", ".############.", *(("##############",) * 9), ".############.")
    door = (f"{'#' * 18}..",) * 9 + ("." + "#" * 19,) * 9
    things, _ = roles_of([piece(GEM, 0, grounded=True), piece(ball, 1, grounded=True), piece(door, 2, grounded=True)])
    assert [each.sure < 0.9 for each in things if each.kind == "figure"] == [True]
    person = [piece(PERSON, 0, grounded=True), piece(COIN, 1, grounded=False), piece(DOOR, 2, grounded=True)]
    assert min(each.sure for each in roles_of(person)[0]) >= 0.9


def test_no_letter_is_a_door_for_certain() -> None:
    """Rooms of letters had a door, for certain: the broadest letter."""
    things, _ = roles_of([piece(AT, 0, grounded=True), piece(K, 1, grounded=True), piece(WAY, 2, grounded=False)])
    assert any(each.sure < 0.9 for each in things if each.kind == "door")


def test_a_doorway_is_open_and_who_has_feet_is_not() -> None:
    """A lintel on two posts had been the figure, for certain, and a body with small feet the door."""
    assert (outlined(drawn(DOORWAY)).doorway, outlined(drawn(BLOB)).doorway) == (True, False)
    things, _ = roles_of(
        [piece(DOORWAY, 0, grounded=True), piece(BLOB, 1, grounded=True), piece(COIN, 2, grounded=False)]
    )
    assert [each.kind for each in things] == ["door", "figure", "key"]
    assert min(each.sure for each in things) >= 0.9


def test_a_round_top_on_straight_sides_is_an_arch_and_a_body_with_feet_is_none() -> None:
    assert [outlined(drawn(rows)).arch for rows in (ARCH, BLOB, DOOR, PERSON)] == [True, False, False, False]


def test_a_torch_on_the_ground_is_no_figure() -> None:
    things, _ = roles_of(
        [piece(TORCH, 0, grounded=True), piece(PERSON, 1, grounded=True), piece(DOOR, 2, grounded=True)]
    )
    assert [each.kind for each in things] == ["key", "figure", "door"]
    assert min(each.sure for each in things) >= 0.9


@pytest.mark.parametrize("seed", [75025, 114019, 157033, 310034, 881026, 881030])
def test_a_door_beside_a_block_is_no_wall_and_hides_none(seed: int) -> None:
    """For certain, bars of the walls' colour, a door's upper half or its post had been a wall, and a block behind a
    door's side a part of the door."""
    board = continuity_remakes.draw(seed)
    assert continuity.faults(board, read_tiles(board.image)) == []


@pytest.mark.parametrize("seed", [157030, 157006, 157041, 157046])
def test_walls_are_hatched_and_lie_on_a_lattice(seed: int) -> None:
    """A corner that was hatched in front of the air's colour had been air, for certain; one side of a door beside a
    wall, and a line of mortar that looked like the panel, had left all walls without a lattice."""
    board = continuity_remakes.draw(seed)
    tiles = read_tiles(board.image)
    assert not continuity.faults(board, tiles)
    assert not tiles.doubts


def test_of_a_thing_in_line_with_walls_all_is_a_thing() -> None:
    solid = np.zeros((1, 80, 120), np.bool_)
    solid[0, 70:] = solid[0, 40:60, 20:60] = solid[0, 50:70, 60:70] = True
    shades = solid.astype(np.uint8)
    shades[0, 50:70, 60:70] = 2
    door = np.zeros((80, 120), np.bool_)
    door[60:70, 60:70] = True
    found = _all_of(door, solid[0], shades[0])
    assert found[50:70, 60:70].all()
    assert found.sum() == 200


def test_a_post_of_a_door_beside_a_wall_is_none_of_it() -> None:
    solid = np.zeros((1, 40, 60), np.bool_)
    solid[0, 30:] = solid[0, 20:30, 10:23] = True
    door = Thing("door", 0, 23, 18, 10, 12)
    found = without_scraps(solid, Cells(4, 6), [door])
    assert not found[0, 20:30, 20:].any()
    assert found[0, 20:30, 10:20].all()
    assert found[0, 30:].all()
    step = np.zeros((1, 40, 60), np.bool_)
    step[0, 30:] = step[0, 25:30, 20:40] = True
    assert (without_scraps(step, Cells(4, 6), [Thing("door", 0, 24, 13, 10, 12)]) == step).all()


def test_a_cell_that_looks_unlike_walls_is_air_where_a_thing_stands_in_it() -> None:
    solid = np.zeros((1, 40, 60), np.bool_)
    solid[0, 30:] = True
    solid[0, 20:30, 20:40] = True
    shades = solid.astype(np.uint8)
    shades[0, 20:30, 30:40] = 2
    door = Thing("door", 0, 29, 16, 12, 14)
    found = without_footholds(solid, Cells(4, 6), [door], shades)
    assert not found[0, 20:30, 30:40].any()
    assert found[0, 20:30, 20:30].all()
    assert found[0, 30:].all()
    assert (without_footholds(solid, Cells(4, 6), [door], solid.astype(np.uint8)) == solid).all()


def test_what_fills_its_cell_beside_a_thing_is_a_wall() -> None:
    solid = np.zeros((1, 40, 60), np.bool_)
    solid[0, 10:20, 20:28] = True
    door = Thing("door", 0, 28, 14, 12, 16)
    assert (without_scraps(solid, Cells(4, 6), [door]) == solid).all()
    solid[0, 10:20, 20:25] = False
    assert not without_scraps(solid, Cells(4, 6), [door]).any()


@pytest.mark.parametrize("colour", [(255, 255, 255), (120, 90, 60)])
def test_a_mat_round_each_room_belongs_to_none(colour: tuple[int, int, int]) -> None:
    """Bars that hang free in rooms with a broad white rim had been walls of rooms that were as large as the rim."""
    rooms = [np.zeros((12, 18), np.bool_) for _ in range(3)]
    rooms[0][10:, :] = rooms[0][6, 4:10] = rooms[0][4, 15:] = True
    rooms[1][11, :] = rooms[1][7, 3:8] = rooms[1][5, 12:16] = rooms[1][2:4, 6:8] = True
    rooms[2][10:, :9] = rooms[2][6, 9:] = rooms[2][3, 2:7] = True
    image = np.full((2 * 145 + 20, 2 * 205 + 20, 3), 238, np.uint8)
    for room, (x, y) in zip(rooms, ((5, 5), (210, 5), (5, 150)), strict=True):
        image[y : y + 130, x : x + 190] = colour
        picture = np.full((120, 180, 3), (216, 216, 204), np.uint8)
        picture[room.repeat(10, axis=0).repeat(10, axis=1)] = 0
        image[y + 5 : y + 125, x + 5 : x + 185] = picture
    image[10 + 80 : 10 + 100, 10 + 40 : 10 + 48] = (20, 20, 200)
    image[10 + 84 : 10 + 110, 215 + 100 : 215 + 115] = (20, 120, 20)
    image[155 + 20 : 155 + 30, 10 + 35 : 10 + 45] = (0, 180, 220)
    tiles = read_tiles(image)
    assert [(box.x, box.y, box.width, box.height) for box in tiles.boxes][::3] == [
        (10, 10, 180, 120),
        (215, 155, 180, 120),
    ]
    for seen, room in zip(tiles.solid, rooms, strict=True):
        assert (seen == room.repeat(10, axis=0).repeat(10, axis=1)).all()


def test_what_is_flat_and_hangs_in_the_air_is_no_thing() -> None:
    """Ridges of hills had been keys."""
    board = continuity_remakes.draw(17)
    image = board.image.copy()
    before = read_tiles(image)
    air = np.median(np.concatenate([part[~mask] for part, mask in zip(before.pictures, before.solid, strict=True)]), 0)
    box = board.boxes[board.level.board.cells.index(0)]
    spot = next(
        (y, x)
        for y in range(10, box.height - 40)
        for x in range(10, box.width - 60)
        if not before.solid[0, y - 8 : y + 12, x - 6 : x + 46].any()
        and not any(t.tile == 0 and abs(t.y - y) < 30 and abs(t.x - x) < 70 for t in before.things)
    )
    y, x = box.y + spot[0], box.x + spot[1]
    image[y : y + 6, x : x + 40] = np.clip(255 - air, 0, 255)
    after = read_tiles(image)
    assert [(t.kind, t.tile) for t in after.things] == [(t.kind, t.tile) for t in before.things]


def test_a_figure_whose_body_is_taken_for_a_wall_has_it_again() -> None:
    """Its arms had been a figure for certain."""
    board = continuity_remakes.draw(310057)
    assert continuity.faults(board, read_tiles(board.image)) == []


@pytest.mark.parametrize("seed", [310015, 310044])
def test_a_line_round_tiles_belongs_to_them(seed: int) -> None:
    board = continuity_remakes.draw(seed)
    tiles = read_tiles(board.image)
    assert not continuity.faults(board, tiles)
    assert not continuity.doubtful(tiles)


def test_a_key_that_is_a_speck_beside_another_one_is_a_doubt() -> None:
    pieces = [piece(PERSON, 0, grounded=True), piece(DOOR, 1, grounded=True), piece(COIN, 2, grounded=False)]
    found, _ = roles_of([*pieces, piece(("####",), 3, grounded=False)])
    assert found[3].kind != "key" or found[3].sure < 0.9


@pytest.mark.parametrize(
    ("colour", "broad", "high", "parts"),
    [(60.0, 1, 13, 1), (160.0, 1, 13, 2), (60.0, 2, 13, 1), (60.0, 4, 13, 2), (60.0, 2, 7, 2)],
    ids=["post of its colour", "key beside it", "broad post", "box beside it", "key on the ground"],
)
def test_what_stands_right_beside_a_door_in_its_colour_is_a_part_of_it(
    colour: float, broad: int, high: int, parts: int
) -> None:
    """A wall's edge covers the corner of a doorway: its other post is no key, though it is more than a scrap."""
    frame, post = drawn(DOORWAY), np.ones((high, broad), np.bool_)
    door = Piece(0, 40, 40, frame[:, : 10 - broad], np.full(3, 60.0), grounded=True)
    beside = Piece(0, 50 - broad, 56 - high, post, np.full(3, colour), grounded=True)
    found = _whole([beside, door])
    assert len(found) == parts
    assert (found[0].mask.shape == frame.shape) == (parts == 1)


def test_a_door_under_the_edge_of_a_wall_is_one_thing() -> None:
    board = continuity_remakes.draw(1410031)
    assert not continuity.faults(board, read_tiles(board.image))
