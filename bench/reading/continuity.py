"""Boards of Continuity as strange windows would draw them, read and compared with their truth.

Grounds, walls and air are flat, shaded, noisy, striped or brick; tiles stand apart or touch; the figure, the keys and
the door have shapes of their own; some pictures are pressed (JPEG) or noisy.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.generator import generate
from autoplayer.games.continuity.puzzle import DOOR, KEY, SOLID, START, Level
from autoplayer.games.continuity.reader import CERTAIN
from autoplayer.games.continuity.rooms import matches
from autoplayer.games.continuity.seeing.sight import Bools, Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.cells import Cells

SURFACES = ("flat", "flat", "shaded", "noisy", "striped", "bricks")
BESIDE = 0.008
"""The share of a tile's longer side by which its sides may be seen beside where they are; a pixel always."""
SIZES = ((2, 2), (2, 3), (3, 2), (3, 3), (2, 4))
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Board:
    """A drawn board. ``boxes``: its places; ``solid``: its walls, shape ``(tiles, height, width)``; ``things``: for
    each the kind, the tile and the middle of its cell in pixels. ``frame``: the pixels of each tile's rim over which a
    frame is drawn, which may be read as a part of the tile or not."""

    image: Image
    level: Level
    boxes: tuple[Box, ...]
    solid: Bools
    things: tuple[tuple[str, int, float, float], ...]
    conditions: tuple[str, ...]
    frame: int = 0

    def as_framed(self, width: int) -> Board:
        """The board without its frames, if tiles that were read ``width`` pixels wide are nearer to that."""
        rim, whole = self.frame, self.boxes[0].width
        if not rim or abs(width - whole) <= abs(width - (whole - 2 * rim)):
            return self
        return replace(
            self,
            boxes=tuple(Box(b.x + rim, b.y + rim, b.width - 2 * rim, b.height - 2 * rim) for b in self.boxes),
            solid=self.solid[:, rim:-rim, rim:-rim],
            things=tuple((kind, tile, x - rim, y - rim) for kind, tile, x, y in self.things),
        )


def draw(seed: int) -> Board:
    """A level and a window for it; the same seed gives the same picture."""
    r = random.Random(seed)
    rows, columns = r.choice(SIZES)
    made = generate(rows, columns, seed)
    assert isinstance(made, Level)
    high, wide = made.size
    pitch = r.randint(13, 26)
    width, height = wide * pitch, high * pitch
    gap = r.choice((0, 0, r.randint(3, 8), r.randint(12, 40)))
    left, top = r.randint(8, 120), r.randint(8, 90)
    size = 2 * left + columns * (width + gap) - gap, top + r.randint(8, 60) + rows * (height + gap) - gap
    grounds, airs, walls = (r.choice(kinds) for kinds in (("flat", "flat", "shaded", "noisy"), SURFACES[:4], SURFACES))
    dark = r.random() < 0.5
    ground = _colour(r, 10, 70) if dark else _colour(r, 190, 250)
    air = _away(r, ground, 18, *((20, 90) if dark else (180, 255)))
    wall = _away(r, air, 70, 0, 255, ground)
    image = _surface(r, grounds, ground, size[0], size[1])
    if r.random() < 0.6:
        text = r.choice(("LEVEL 7", "Keys: 0/2   Moves 13", "Room 4 - The Descent"))
        cv2.putText(image, text, (left, max(top - 6, 12)), cv2.FONT_HERSHEY_SIMPLEX, 0.5, _ink(ground), 1, cv2.LINE_AA)
    outlined = walls == "flat" and r.random() < 0.3
    boxes, things = [], []
    solid = np.zeros((len(made.blocks), height, width), np.bool_)
    painted = {START: _away(r, air, 110, 0, 255, wall), KEY: _away(r, air, 90, 0, 255, wall)}
    painted[DOOR] = _away(r, air, 60, 0, 255, wall)
    shapes = {mark: r.randrange(3) for mark in painted}
    for place in range(rows * columns):
        row, column = divmod(place, columns)
        boxes.append(Box(left + column * (width + gap), top + row * (height + gap), width, height))
    for place, tile in enumerate(made.board.cells):
        if tile < 0:
            continue
        block = np.array([list(line) for line in made.blocks[tile]])
        solid[tile] = Cells(high, wide).drawn((block == SOLID)[None], width, height)[0]
        picture = _surface(r, airs, air, width, height)
        fill = _surface(r, walls, wall, width, height)
        picture[solid[tile]] = fill[solid[tile]]
        if outlined:
            edge = cv2.morphologyEx(solid[tile].astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
            picture[edge & solid[tile]] = _ink(wall)
        for mark, kind in ((START, "figure"), (KEY, "key"), (DOOR, "door")):
            for y, x in np.argwhere(block == mark).tolist():
                _thing(picture, kind, shapes[mark], painted[mark], x * pitch, y * pitch, pitch)
                things.append((kind, tile, (x + 0.5) * pitch, (y + 0.5) * pitch))
        boxes[place].crop(image)[:] = picture
    damage = r.choice(("clean", "clean", "noise", "JPEG"))
    image = faulty_pixels(image, damage, seed, r.randint(70, 92) if damage == "JPEG" else 0)
    touching = "tiles touch" if gap == 0 else "gaps"
    conditions: tuple[str, ...] = (f"ground {grounds}", f"air {airs}", f"walls {walls}", touching, damage)
    if outlined:
        conditions += ("lines round walls",)
    return Board(image, made, tuple(boxes), solid, tuple(sorted(things)), conditions)


def faulty_pixels(image: Image, damage: str, seed: int, quality: int) -> Image:
    """A picture with noise, or pressed (JPEG) with a quality of 0 to 100; as it is where ``damage`` is ``clean``."""
    if damage == "noise":
        spread = np.random.default_rng(seed).normal(0, 3, image.shape)
        return np.clip(image + spread, 0, 255).astype(np.uint8)
    if damage == "JPEG":
        pressed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(pressed, cv2.IMREAD_COLOR), np.uint8)
    return image


def _colour(r: random.Random, low: int, high: int) -> Colour:
    level = r.randint(low, high)
    return tuple(min(max(level + r.randint(-25, 25), 0), 255) for _ in range(3))  # type: ignore[return-value]


def _away(r: random.Random, other: Colour, least: int, low: int, high: int, third: Colour | None = None) -> Colour:
    """A colour that differs from others."""
    for _ in range(500):
        found = _colour(r, low, high)
        if all(max(abs(a - b) for a, b in zip(found, each, strict=True)) >= least for each in (other, third) if each):
            return found
    return _ink(other)


def _ink(colour: Colour) -> Colour:
    return (20, 20, 20) if sum(colour) > 380 else (235, 235, 235)


def _surface(r: random.Random, kind: str, colour: Colour, width: int, height: int) -> Image:
    found = np.full((height, width, 3), colour, np.float64)
    if kind == "shaded":
        found += np.linspace(-14, 14, height)[:, None, None]
    elif kind == "noisy":
        found += np.random.default_rng(r.randrange(1 << 30)).normal(0, 7, (height, width, 1))
    elif kind == "striped":
        found[(np.arange(height) % 7) < 2] *= 0.8
    elif kind == "bricks":
        course = np.arange(height)[:, None] // 8
        joint = (np.arange(width)[None] + 8 * (course % 2)) % 16 == 0
        found[joint | (np.arange(height)[:, None] % 8 == 0)] *= 0.6
    return np.clip(found, 0, 255).astype(np.uint8)


def _thing(picture: NDArray[Any], kind: str, shape: int, colour: Colour, x: int, y: int, pitch: int) -> None:
    """A figure, a key or a door in the cell whose corner is at ``(x, y)``."""
    p = pitch
    if kind == "figure":
        if shape == 0:
            cv2.rectangle(picture, (x + p * 3 // 10, y + p * 4 // 10), (x + p * 7 // 10, y + p - 1), colour, -1)
            cv2.circle(picture, (x + p // 2, y + p // 4), p // 5, colour, -1, cv2.LINE_AA)
        elif shape == 1:
            corners = np.array([(x + p // 2, y + p // 8), (x + p // 5, y + p - 1), (x + p * 4 // 5, y + p - 1)])
            cv2.fillPoly(picture, [corners.astype(np.int32)], colour, cv2.LINE_AA)
        else:
            cv2.ellipse(picture, (x + p // 2, y + p * 5 // 9), (p * 3 // 10, p * 4 // 9), 0, 0, 360, colour, -1)
    elif kind == "key":
        if shape == 0:
            cv2.circle(picture, (x + p // 2, y + p // 2), max(p // 5, 3), colour, -1, cv2.LINE_AA)
        elif shape == 1:
            cv2.rectangle(picture, (x + p * 4 // 10, y + p * 3 // 10), (x + p * 6 // 10, y + p * 8 // 10), colour, -1)
        else:
            d = p // 4
            middle = [(x + p // 2, y + p // 2 - d), (x + p // 2 + d, y + p // 2), (x + p // 2, y + p // 2 + d)]
            cv2.fillPoly(picture, [np.array([*middle, (x + p // 2 - d, y + p // 2)], np.int32)], colour, cv2.LINE_AA)
    else:
        cv2.rectangle(picture, (x + 1, y), (x + p - 2, y + p - 1), colour, -1)
        if shape:
            inner = tuple(int(c * 0.6) for c in colour)
            cv2.rectangle(
                picture, (x + p // 4, y + p // 4), (x + p * 3 // 4, y + p - 1), inner, -1 if shape == 1 else 1
            )


def faults(board: Board, tiles: Tiles) -> list[str]:
    """What was misread: the board, the walls (more than a pixel beside an edge), the sides that match, the things."""
    if (tiles.rows, tiles.columns) != (board.level.board.rows, board.level.board.columns):
        return ["board"]
    board = board.as_framed(tiles.boxes[0].width)
    beside = max(1.0, BESIDE * max(board.boxes[0].width, board.boxes[0].height))
    if tiles.cells != board.level.board.cells or any(
        max(abs(a.x - b.x), abs(a.y - b.y), abs(a.width - b.width), abs(a.height - b.height)) > beside
        for a, b in zip(tiles.boxes, board.boxes, strict=True)
    ):
        return ["board"]
    height, width = board.solid.shape[1:]
    seen = np.stack([
        cv2.resize(each.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0 for each in tiles.solid
    ])  # fmt: skip
    found = []
    kernel = np.ones((3, 3), np.uint8)
    for mask, truth in zip(seen, board.solid, strict=True):
        thick = cv2.erode((mask != truth).astype(np.uint8), kernel)
        if thick.any():
            found.append("walls")
            break
    if matches(tiles.solid) != matches(board.solid):
        found.append("sides")
    things = sorted((t.kind, t.tile, t.x + t.width / 2, t.y + t.height / 2) for t in tiles.things)
    pitch = height / board.level.size[0]
    if len(things) != len(board.things) or any(
        a[:2] != b[:2] or abs(a[2] - b[2]) > pitch / 2 or abs(a[3] - b[3]) > pitch / 2
        for a, b in zip(things, board.things, strict=True)
    ):
        places = Counter((t[1], round(t[2] / pitch - 0.5), round(t[3] / pitch - 0.5)) for t in things)
        true = Counter((t[1], round(t[2] / pitch - 0.5), round(t[3] / pitch - 0.5)) for t in board.things)
        found.append("kinds" if places == true else "things")
    return found


def doubtful(tiles: Tiles) -> bool:
    """Whether what was read says that it is not certain."""
    return bool(tiles.doubts) or any(thing.sure < CERTAIN for thing in tiles.things)


def tables(number: int, seed: int, misses: Path | None) -> None:
    """Print how well ``number`` strange windows and as many that are drawn as remakes are get read, from ``seed`` on;
    those that were misread go to the folder ``misses``."""
    for title, painter in _painters().items():
        _table(title, [(k, painter(k)) for k in range(seed, seed + number)], misses)


def save(number: int, seed: int, folder: Path) -> None:
    """Write the same windows into ``folder``, as pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for title, painter in _painters().items():
        for k in range(seed, seed + number):
            cv2.imwrite(str(folder / f"{title.replace(' ', '-')}-{k}.png"), painter(k).image)


def _painters() -> dict[str, Callable[[int], Board]]:
    from bench.reading import continuity_remakes  # which knows this file

    return {"strange windows": draw, "windows as remakes draw them": continuity_remakes.draw}


def _table(title: str, boards: Sequence[tuple[int, Board]], misses: Path | None) -> None:
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    seconds, whole, doubted, silent = 0.0, 0, 0, 0
    for seed, board in boards:
        begin = time.perf_counter()
        try:
            tiles = read_tiles(board.image)
            misread, unsure = faults(board, tiles), doubtful(tiles)
        except UnreadableError:
            misread, unsure = ["unreadable"], True
        seconds += time.perf_counter() - begin
        total.update(board.conditions)
        wrong.update(misread)
        doubted += unsure
        silent += bool(misread) and not unsure
        if not misread:
            right.update(board.conditions)
            whole += 1
        elif misses:
            misses.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(misses / f"{seed}-{'-'.join(misread)}.png"), board.image)
    each = seconds / len(boards) * 1000
    print(f"  {title}: {whole} of {len(boards)} right, {each:.0f} ms each; misread: {dict(wrong)}")
    print(f"  in doubt, misread or not: {doubted}; WRONG without a doubt: {silent}")
    for name in sorted(total):
        print(f"    {name:24} {right[name]:4} of {total[name]:4} right")
