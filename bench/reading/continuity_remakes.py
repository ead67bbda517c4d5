"""Windows of Continuity as remakes draw it: pixel art from tile sets, silhouettes, bevelled blocks, line art; sprites
of several colours; frames round boards and tiles, panels, bars, buttons and scores; empty places of their own look.

``draw`` makes a picture with its truth from a seed. Everything is painted at the size of its art and made larger at the
end, without smoothing where it is pixel art, else by the fractions that desktops are scaled by.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.generator import generate
from autoplayer.games.continuity.puzzle import DOOR, KEY, SOLID, START, Level
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.cells import Cells
from bench.reading.continuity import Board, Colour, faulty_pixels

SIZES = ((2, 2), (2, 2), (2, 3), (3, 2), (3, 3), (2, 4))
LARGEST = 1500, 1000
"""Pixels of a picture."""
Marks = NDArray[np.str_]
"""The characters of a tile, shape ``(rows, columns)``."""
Painter = Callable[[int, int], Image]
"""A surface of so many columns and rows."""

WALLS = ("flat", "flat", "edged", "edged", "bevelled", "bricks", "bricks", "capped", "stones", "hatched", "shaded")
AIRS = ("flat", "flat", "flat", "shaded", "dim bricks", "dots", "grid", "stars")
GROUNDS = ("flat", "flat", "flat", "shaded", "noisy", "checks", "stripes", "stars", "bricks")
EMPTIES = ("ground", "ground", "ground", "ground", "dark", "striped", "outlined")

FIGURES = (
    (".hh.", ".hh.", "bbbb", "b  b", ".bb.", "f..f"),
    ("..hh..", ".hhhh.", ".hooh.", "..hh..", "bbbbbb", "b.bb.b", "..bb..", ".f..f.", ".f..f."),
    (".bbbb.", "bbbbbb", "bobbob", "bbbbbb", "bbbbbb", "f....f"),
    ("...f...", "..fff..", "..hhh..", "..hoh..", ".bbbbb.", "b.bbb.b", "..bbb..", "..f.f..", ".ff.ff."),
    ("stick",),
    ("stick",),
)
KEYS = (
    (".bb....", "b..bbbb", "b..b.b.", ".bb..b."),
    (".bb.", "b..b", ".bb.", ".b..", ".bb.", ".b..", ".bb."),
    (".b.", "bbb", ".b."),
    ("..b..", ".bob.", "bobob", ".bob.", "..b.."),
    ("..o..", ".ooo.", ".obo.", "..f..", "..f.."),
    ("bb",),
    (".bb.", "bbbb", "bbbb", ".bb."),
)
DOORS = (
    ("bbbbbb", "b....b", "b....b", "b....b", "b....b", "b....b"),
    ("bbbbbb", "boooob", "boooob", "booofb", "boooob", "boooob", "boooob"),
    (".bbbb.", "bboobb", "boooob", "boooob", "booofb", "boooob", "boooob", "boooob"),
    ("bb", "bb", "bb"),
    ("bbbbb", "bbbbb", "bbbfb", "bbbbb", "bbbbb", "bbbbb"),
    ("bbbbbbb", "bfbfbfb", "bfbfbfb", "bfbfbfb", "bfbfbfb", "bfbfbfb", "bfbfbfb"),
)


@dataclass
class _Style:
    """How a window looks. Lengths in pixels of the art."""

    r: random.Random
    pixels: bool
    cell: int
    gap: int
    frame: int
    wall: Colour
    air: Colour
    ground: Colour
    line: Colour
    walls: str
    airs: str
    grounds: str
    empty: str
    seeds: dict[str, int] = field(default_factory=dict)

    def same(self, what: str) -> random.Random:
        """Numbers of chance that are the same for every tile."""
        return random.Random(self.seeds.setdefault(what, self.r.randrange(1 << 30)))


def draw(seed: int) -> Board:
    """A level and a window for it; the same seed gives the same picture."""
    r = random.Random(f"remake {seed}")
    rows, columns = r.choice(SIZES)
    level = generate(rows, columns, r.randrange(4000))
    assert isinstance(level, Level)
    high, wide = level.size
    pixels = r.random() < 0.4
    scale: float = r.choice((2, 2, 3, 3, 4)) if pixels else r.choice((1, 1, 1, 1, 1.25, 1.5))
    cell = r.choice((6, 8, 8, 10)) if pixels else r.randint(11, 30)
    gap = r.choice((0, 0, 0, r.randint(1, 4), r.randint(4, 16)))
    gap = gap if pixels else 2 * gap
    while cell > 6 and (
        (columns * (wide * cell + gap) + 60) * scale > LARGEST[0]
        or (rows * (high * cell + gap) + 60) * scale > LARGEST[1]
    ):
        cell -= 1
    style = _style(r, pixels, cell, gap)
    # Remakes that scale their board to the window have cells of no whole number of pixels.
    width, height = wide * cell + (0 if pixels else r.choice((0, 0, r.randrange(wide)))), high * cell
    margins = [r.randint(6, 60) if not pixels else r.randint(3, 30) for _ in range(4)]
    top = margins[1] + (r.randint(0, 24) if pixels else r.randint(0, 40))
    size = (
        margins[0] + columns * (width + gap) - gap + margins[2],
        top + rows * (height + gap) - gap + margins[3],
    )
    image = _surface(style, "ground", style.grounds, style.ground, *size)
    board = Box(margins[0], top, columns * (width + gap) - gap, rows * (height + gap) - gap)
    conditions = [f"walls {style.walls}", f"air {style.airs}", f"ground {style.grounds}", f"empty {style.empty}"]
    conditions += [f"scale {scale:g}", "pixel art" if pixels else "drawn", "tiles touch" if not gap else "gaps"]
    if r.random() < 0.25:
        conditions.append(_panel(style, image, board))
    if style.frame:
        conditions.append("framed tiles")
    boxes = [
        Box(board.x + c * (width + gap), board.y + w * (height + gap), width, height)
        for w in range(rows) for c in range(columns)
    ]  # fmt: skip
    cells = Cells(high, wide)
    marks = [np.array([list(line) for line in block]) for block in level.blocks]
    solid: Bools = cells.drawn(np.stack([each == SOLID for each in marks]), width, height)
    things: list[tuple[str, int, float, float]] = []
    paint = _sprites(style, marks)
    for place, tile in enumerate(level.board.cells):
        part = boxes[place].crop(image)
        if tile < 0:
            _empty(style, part)
            continue
        part[:] = _room(style, solid[tile], marks[tile], cells)
        for name, mark in (("figure", START), ("key", KEY), ("door", DOOR)):
            for y, x in np.argwhere(marks[tile] == mark).tolist():
                middle = paint(part, solid[tile], name, x, y)
                things.append((name, tile, *middle))
        _framed(style, part)
    conditions += _furniture(style, image, board, marks)
    seen = _enlarged(image, scale, pixels)
    boxes = [Box(*(round(each * scale) for each in (b.x, b.y, b.width, b.height))) for b in boxes]
    marked = np.stack([each == SOLID for each in marks])
    solid = cells.drawn(marked, boxes[0].width, boxes[0].height)
    things = [(kind, tile, x * scale, y * scale) for kind, tile, x, y in things]
    damage = r.choice(("clean", "clean", "clean", "noise", "JPEG"))
    seen = faulty_pixels(seen, damage, seed, r.randint(72, 92))
    frame = round(style.frame * scale)
    return Board(seen, level, tuple(boxes), solid, tuple(sorted(things)), (*conditions, damage), frame)


def _style(r: random.Random, pixels: bool, cell: int, gap: int) -> _Style:
    """Colours far enough apart to be told by a person."""
    dark = r.random() < 0.55
    ground = _colour(r, 5, 60) if dark else _colour(r, 170, 250)
    if r.random() < 0.1:
        ground = (0, 0, 0) if dark else (255, 255, 255)
    air = _apart(r, [(ground, 14)], *((8, 110) if r.random() < 0.6 else (150, 250)))
    if r.random() < 0.12:
        air = ground
    wall = _apart(r, [(air, 60), (ground, 30)], 0, 255)
    line = (15, 15, 15) if sum(wall) + sum(air) > 700 else (240, 240, 240)
    line = _apart(r, [(wall, 40), (air, 40)], 0, 255) if r.random() < 0.3 else line
    walls, airs, grounds = r.choice(WALLS), r.choice(AIRS), r.choice(GROUNDS)
    if air == ground:
        airs = grounds = "flat"
    frame = r.choice((0, 0, 0, 1, 2)) if gap else 0
    return _Style(r, pixels, cell, gap, frame, wall, air, ground, line, walls, airs, grounds, r.choice(EMPTIES))


def _colour(r: random.Random, low: int, high: int) -> Colour:
    level = r.randint(low, high)
    return tuple(min(max(level + r.randint(-30, 30), 0), 255) for _ in range(3))  # type: ignore[return-value]


def _apart(r: random.Random, others: Sequence[tuple[Colour, int]], low: int, high: int) -> Colour:
    """A colour that differs from others by so much in one channel at least, and so in brightness by half of it."""
    for least in (1.0, 0.8, 0.6, 0.4):
        for _ in range(300):
            found = _colour(r, low, high)
            if all(
                max(abs(a - b) for a, b in zip(found, each, strict=True)) >= least * away
                and abs(_bright(found) - _bright(each)) >= 0.5 * least * away
                for each, away in others
            ):
                return found
        low, high = max(low - 40, 0), min(high + 40, 255)
    return (20, 20, 20) if _bright(others[0][0]) > 128 else (235, 235, 235)


def _bright(colour: Colour) -> float:
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def _surface(style: _Style, what: str, kind: str, colour: Colour, width: int, height: int) -> Image:
    """A surface; the same chance for every tile."""
    r = style.same(what)
    found = np.full((height, width, 3), colour, np.float64)
    rows, columns = np.arange(height)[:, None], np.arange(width)[None]
    c = style.cell
    if kind == "shaded":
        found += (
            np.linspace(-1, 1, height)[:, None, None] * r.choice((-1, 1)) * np.array([r.randint(8, 24) for _ in "bgr"])
        )
    elif kind == "noisy":
        found += np.random.default_rng(r.randrange(1 << 30)).normal(0, r.randint(3, 9), (height, width, 1))
    elif kind in ("bricks", "dim bricks"):
        found = _bricks(r, found, rows, columns, c, strong=kind == "bricks" and what == "wall")
    elif kind == "dots":
        found[(rows % c == c // 2) & (columns % c == c // 2)] += r.choice((-1, 1)) * r.randint(14, 26)
    elif kind == "grid":
        found[((rows % c == 0) | (columns % c == 0))] += r.choice((-1, 1)) * r.randint(6, 18)
    elif kind == "checks":
        found[((rows // c + columns // c) % 2) > 0] += r.choice((-1, 1)) * r.randint(4, 12)
    elif kind == "stripes":
        found[((rows + columns) // max(c // 2, 3) % 2) > 0] += r.choice((-1, 1)) * r.randint(4, 14)
    elif kind == "stars":
        many = np.random.default_rng(r.randrange(1 << 30))
        at = many.integers(0, (height, width), (max(height * width // 900, 3), 2))
        found[at[:, 0], at[:, 1]] += many.integers(20, 70, (len(at), 1)) * (1 if _bright(colour) < 140 else -1)
    elif kind == "stones":
        many = np.random.default_rng(r.randrange(1 << 30))
        small = many.normal(0, 12, (max(height // 3, 1), max(width // 3, 1), 1))
        found += cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST)[..., None]
    elif kind == "hatched":
        found[(rows + columns) % max(c // 2, 4) == 0] = style.line
    return np.clip(found, 0, 255).astype(np.uint8)


def _bricks(
    r: random.Random, found: NDArray[np.float64], rows: NDArray[np.int64], columns: NDArray[np.int64], c: int, *,
    strong: bool,
) -> NDArray[np.float64]:  # fmt: skip
    """Courses of bricks with joints, and lit upper edges."""
    high = max(c // 2, 4)
    wide = 2 * high
    course = rows // high
    joint = ((columns + high * (course % 2)) % wide == 0) | (rows % high == 0)
    lit = (rows % high == 1) & ~joint
    tone = 1 + (0.12 if strong else 0.05) * (((columns + high * (course % 2)) // wide * 7 + course * 5) % 3 - 1)
    found *= tone[..., None]
    found[joint] *= 0.55 if strong else r.choice((0.75, 0.85))
    if strong:
        found[lit] = found[lit] * 1.15 + 12
    return found


def _room(style: _Style, solid: Bools, marks: Marks, cells: Cells) -> Image:
    """A tile without its things."""
    height, width = solid.shape
    found = _surface(style, "air", style.airs, style.air, width, height)
    kind = style.walls if style.walls in ("bricks", "stones", "hatched", "shaded") else "flat"
    fill = _surface(style, "wall", kind, style.air if kind == "hatched" else style.wall, width, height)
    found[solid] = fill[solid]
    down, across = cells.edges(height, width)
    thick = max(style.cell // 10, 1)
    if style.walls == "bevelled":
        light, shade = np.clip(np.array(style.wall) + 45, 0, 255), np.clip(np.array(style.wall) * 0.6, 0, 255)
        for y, x in np.argwhere(marks == SOLID).tolist():
            top, bottom, left, right = down[y], down[y + 1], across[x], across[x + 1]
            found[top : top + thick, left:right] = found[top:bottom, left : left + thick] = light
            found[bottom - thick : bottom, left:right] = found[top:bottom, right - thick : right] = shade
    if style.walls == "capped":
        cap = _apart(style.same("cap"), [(style.air, 60), (style.wall, 40)], 0, 255)
        for y, x in np.argwhere(marks == SOLID).tolist():
            if y and marks[y - 1, x] != SOLID:
                found[down[y] : down[y] + max(style.cell // 4, 2), across[x] : across[x + 1]] = cap
    if style.walls in ("edged", "hatched"):
        wide = np.pad(solid, thick, mode="edge").astype(np.uint8)
        inner = cv2.erode(wide, np.ones((2 * thick + 1,) * 2, np.uint8))[thick:-thick, thick:-thick] > 0
        found[solid & ~inner] = style.line
    return found


def _empty(style: _Style, part: Image) -> None:
    """The empty place, where it does not show the ground."""
    if style.empty == "dark":
        part[:] = np.clip(
            np.array(style.ground) * 0.5 if _bright(style.ground) > 40 else np.array(style.ground) + 14, 0, 255
        )
    elif style.empty == "striped":
        rows, columns = np.arange(part.shape[0])[:, None], np.arange(part.shape[1])[None]
        stripes = (rows + columns) // max(style.cell // 2, 3) % 4 == 0
        part[stripes] = np.clip(part[stripes].astype(np.int16) + (25 if _bright(style.ground) < 128 else -25), 0, 255)
    elif style.empty == "outlined":
        tone = np.clip(np.array(style.ground) + (60 if _bright(style.ground) < 128 else -60), 0, 255)
        cv2.rectangle(part, (0, 0), (part.shape[1] - 1, part.shape[0] - 1), tone.tolist(), 1)


def _framed(style: _Style, part: Image) -> None:
    for n in range(style.frame):
        cv2.rectangle(part, (n, n), (part.shape[1] - 1 - n, part.shape[0] - 1 - n), style.line, 1)


def _panel(style: _Style, image: Image, board: Box) -> str:
    """A panel on which the board stands."""
    d = style.same("panel").randint(2, 12)
    x0, y0 = max(board.x - d, 0), max(board.y - d, 0)
    x1, y1 = min(board.x + board.width + d, image.shape[1]), min(board.y + board.height + d, image.shape[0])
    if style.same("panel kind").random() < 0.5:
        cv2.rectangle(image, (x0, y0), (x1 - 1, y1 - 1), style.line, max(style.cell // 8, 1))
        return "framed board"
    behind = _apart(style.same("panel colour"), [(style.ground, 20), (style.wall, 40)], 0, 255)
    image[y0:y1, x0:x1] = behind
    return "panel"


def _sprites(style: _Style, marks: Sequence[Marks]) -> Callable[[Image, Bools, str, int, int], tuple[float, float]]:
    """How things are painted: into a tile's picture, with its walls, the name, the column and row of the cell; what
    comes back is the middle of what was painted, or of the cell that its foot stands in."""
    r, c = style.r, style.cell
    chosen = {"figure": r.choice(FIGURES), "key": r.choice(KEYS), "door": r.choice(DOORS)}
    inks = {}
    taken: list[tuple[Colour, int]] = [(style.air, 80), (style.wall, 50)]
    for name in chosen:
        ink = _apart(r, taken, 0, 255)
        if name != "figure" and r.random() < 0.35:
            ink = _apart(r, [*taken[:2]], 0, 255) if r.random() < 0.5 else (30, 30, 220)  # red, as in the original
        if max(abs(a - b) for a, b in zip(ink, style.air, strict=True)) < 60:
            ink = _apart(r, taken[:2], 0, 255)
        inks[name] = {
            "b": ink,
            "o": _apart(r, [(ink, 50), (style.air, 40)], 0, 255),
            "f": _apart(r, [(ink, 40), (style.air, 60)], 0, 255),
        }
        inks[name]["h"] = _apart(r, [(style.air, 60)], 60, 230)
        taken.append((ink, 50))
    tall = {"figure": r.uniform(0.75, 1.25), "key": r.uniform(0.35, 0.8), "door": r.uniform(0.9, 1.7)}
    floats = r.random() < 0.6

    def paint(part: Image, solid: Bools, name: str, x: int, y: int) -> tuple[float, float]:
        height, width = solid.shape
        rows, columns = len(marks[0]), len(marks[0][0])
        foot, middle = round((y + 1) * height / rows), (x + 0.5) * width / columns
        size = tall[name]
        if name != "key" and y and solid[round((y - 0.5) * height / rows), int(middle)]:
            size = min(size, 0.95)
        shape = chosen[name]
        if shape == ("stick",):
            return _stick(part, inks[name]["b"], middle, foot, size * c, foot - (y + 0.5) * height / rows)
        art = np.array([list(line) for line in shape])
        high = max(round(size * c), 3 if name == "key" else 5)
        wide = max(round(high * art.shape[1] / art.shape[0]), 2)
        while wide > 1.4 * c:
            wide, high = wide - 1, max(round((wide - 1) * art.shape[0] / art.shape[1]), 3)
        if name == "key" and floats:
            foot -= max((c - high) // 2, 0)
        left, top = round(middle - wide / 2), foot - high
        for dy in range(high):
            for dx in range(wide):
                mark = str(art[dy * art.shape[0] // high, dx * art.shape[1] // wide])
                if mark in inks[name] and 0 <= left + dx < width and 0 <= top + dy < height:
                    part[top + dy, left + dx] = inks[name][mark]
        return left + wide / 2, (top + foot) / 2

    return paint


def _stick(part: Image, ink: Colour, middle: float, foot: int, high: float, up: float) -> tuple[float, float]:
    """A figure of lines."""
    top = foot - high
    head = max(high / 5, 1.5)
    thick = max(round(high / 12), 1)

    def dot(x: float, y: float) -> tuple[int, int]:
        return round(x), round(y)

    cv2.circle(part, dot(middle, top + head), max(round(head), 1), ink, -1, cv2.LINE_AA)
    neck, hip = top + 2 * head, foot - 0.4 * high
    for a, b in (
        ((middle, neck), (middle, hip)), ((middle, neck + 1), (middle - 0.22 * high, hip - 1)),
        ((middle, neck + 1), (middle + 0.22 * high, hip - 1)), ((middle, hip), (middle - 0.18 * high, foot - 1)),
        ((middle, hip), (middle + 0.18 * high, foot - 1)),
    ):  # fmt: skip
        cv2.line(part, dot(*a), dot(*b), ink, thick, cv2.LINE_AA)
    return middle, foot - min(up, high / 2)


def _furniture(style: _Style, image: Image, board: Box, marks: Sequence[Marks]) -> list[str]:
    """What stands round a board: lines of text, a bar, buttons."""
    r = style.r
    found: list[str] = []
    height, width = image.shape[:2]
    ink = (20, 20, 20) if _bright(style.ground) > 128 else (235, 235, 235)
    size = 0.3 if style.pixels else r.choice((0.4, 0.5, 0.6))
    above, below = board.y, height - board.y - board.height
    if above > 24 and r.random() < 0.3:
        bar = _apart(r, [(style.ground, 25)], 0, 255)
        image[: r.randint(10, above - 12)] = bar
        ink = (20, 20, 20) if _bright(bar) > 128 else (235, 235, 235)
        found.append("bar")
    text = r.choice(("LEVEL 7", "Keys: 0/2   Moves 13", "Room 4 - The Descent", "3/32", "Level 12   00:41"))
    if above > 14 and r.random() < 0.7:
        place = board.x if r.random() < 0.5 else max(width // 2 - 40, 2)
        cv2.putText(image, text, (place, max(above // 2 + 2, 9)), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)
        found.append("text above")
    if below > 26 and r.random() < 0.5:
        tone = _apart(r, [(style.ground, 25)], 0, 255)
        for n in range(r.randint(1, 3)):
            x, y = board.x + n * 56, board.y + board.height + 8
            cv2.rectangle(image, (x, y), (min(x + 48, width - 2), min(y + 16, height - 2)), tone, -1)
            label = ("Reset", "Undo", "Menu")[n]
            cv2.putText(
                image,
                label,
                (x + 4, y + 11),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.3,
                (20, 20, 20) if _bright(tone) > 128 else (235, 235, 235),
                1,
                cv2.LINE_AA,
            )
        found.append("buttons")
    return found


def _enlarged(image: Image, scale: float, pixels: bool) -> Image:
    if scale == 1:
        return image
    way = cv2.INTER_NEAREST if pixels else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=way), np.uint8)
