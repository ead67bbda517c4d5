"""Windows that hold no board of the game in question: menus, text, photos, calculators, other people's games.

A reader that sees a board in one of these would have the bot click in it.
"""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Image
from bench.reading import damage, grounds, palette, strange
from bench.reading.canvas import Canvas
from bench.reading.face import Face
from bench.reading.faces import Side
from bench.reading.palette import Theme, legible_on, mix
from bench.reading.strange import Random, choose, within

KINDS = {
    "menu": 1.5, "text": 1.5, "photo": 1.0, "gradient": 0.7, "sudoku": 1.2, "chess": 1.0, "calculator": 1.2,
    "calendar": 1.2, "merge-tiles": 0.8, "crossword": 0.8, "level-select": 1.0, "table": 1.0,
    "black": 0.3, "white": 0.3, "one-colour": 0.3,
}  # fmt: skip

WORDS = (
    *(
        "chain",
        "the",
        "of",
        "cardinal",
        "window",
        "open",
        "file",
        "every",
        "number",
        "press",
        "start",
        "again",
        "sound",
    ),
    *("level", "music", "quit", "options", "language", "credits", "about", "a", "in", "and", "score", "time", "moves"),
    *("undo", "left", "right", "until", "it", "is", "not", "yet", "done"),
)


def anything(rng: Random, seed: int, side: Side) -> tuple[str, Image]:
    """The name of what it is, and the picture (BGR)."""
    kind = choose(rng, KINDS)
    width, height = strange.WINDOWS[int(rng.integers(len(strange.WINDOWS)))]
    if kind in ("black", "white", "one-colour"):
        flat = {"black": (0, 0, 0), "white": (255, 255, 255)}.get(kind, tuple(rng.integers(0, 256, 3).tolist()))
        return kind, np.full((height, width, 3), flat, np.uint8)
    if kind == "photo":
        return kind, _photo(rng, width, height)
    wavering = within(rng, 60, 110) if kind == "gradient" else 0.0
    colours = palette.theme(rng, filled=True, wavering=wavering)
    sheet = grounds.ground(rng, "gradient" if kind == "gradient" else "plain", (width, height), colours)
    canvas = Canvas(sheet, crisp=False, hinted=rng.random() < 0.5, snap=rng.random() < 0.6)
    face = strange.face_for(rng, seed, side, False)
    if kind != "gradient":
        draw = {
            "menu": _menu, "text": _text, "sudoku": _sudoku, "chess": _chess, "calculator": _calculator,
            "calendar": _calendar, "merge-tiles": _merge, "crossword": _crossword, "level-select": _select,
            "table": _table,
        }[kind]  # fmt: skip
        draw(canvas, rng, colours, face)
    image = np.ascontiguousarray(canvas.finish()[..., ::-1])
    chosen = damage.degradations(rng, side, ink=20, pitch=40, least=8, size=(width, height))
    return kind, damage.degrade(rng, image, chosen, ink=20, contrast=colours.contrast)[0]


def _photo(rng: Random, width: int, height: int) -> Image:
    """Clouds of colour with some soft and some hard shapes, as far as chance goes towards a photograph."""
    image = np.empty((height, width, 3), np.float32)
    for channel in range(3):
        image[..., channel] = within(rng, 60, 190) + grounds.clouds(rng, width, height, within(rng, 80, 400), 6) * 90
    for _ in range(int(rng.integers(0, 14))):
        centre = (int(rng.integers(width)), int(rng.integers(height)))
        axes = (int(rng.integers(5, 5 + width // 5)), int(rng.integers(5, 5 + height // 5)))
        cv2.ellipse(image, centre, axes, within(rng, 0, 180), 0, 360, rng.integers(0, 256, 3).tolist(), -1)
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), within(rng, 0.5, 3)), np.float32)
    return np.clip(soft + rng.normal(0, within(rng, 1, 12), soft.shape), 0, 255).astype(np.uint8)


def _say(rng: Random, least: int, most: int) -> str:
    return " ".join(str(rng.choice(WORDS)) for _ in range(int(rng.integers(least, most + 1))))


def _fit(canvas: Canvas, rng: Random, rows: int, columns: int) -> tuple[float, float, float]:
    """Pitch, left and top of a lattice somewhere in the window."""
    most = min((canvas.width - 8) / columns, (canvas.height - 8) / rows)
    pitch = most * within(rng, 0.5, 1.0)
    left = 4 + (canvas.width - 8 - pitch * columns) * rng.random()
    return pitch, left, 4 + (canvas.height - 8 - pitch * rows) * rng.random()


def _menu(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    count = int(rng.integers(3, 7))
    tall = canvas.height / (count + 3)
    canvas.words(
        "Cardinal Chains" if rng.random() < 0.5 else _say(rng, 1, 2).title(),
        canvas.width / 2,
        tall,
        tall * 0.5,
        colours.ink,
    )
    wide = min(canvas.width * 0.8, tall * within(rng, 4, 8))
    for i in range(count):
        y = tall * (i + 2.2)
        area = (canvas.width / 2 - wide / 2, y - tall * 0.38, canvas.width / 2 + wide / 2, y + tall * 0.38)
        canvas.rectangle(area, colours.fill, tall * 0.15)
        canvas.outline(area, colours.wall, max(1, tall * 0.03), tall * 0.15)
        canvas.words(_say(rng, 1, 2).title(), canvas.width / 2, y, tall * 0.32, colours.ink)


def _text(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    size = within(rng, 10, 22)
    y = size * 2
    while y < canvas.height - size:
        if rng.random() < 0.9:
            words = _say(rng, 3, 14) + (f" {rng.integers(1, 999)}" if rng.random() < 0.3 else "")
            canvas.words(words[: int(canvas.width / size * 1.8)], size * 1.5, y, size, colours.ink, "lm")
        y += size * 1.6


def _grid(
    canvas: Canvas, rows: int, columns: int, pitch: float, left: float, top: float, colours: Theme, every: int
) -> None:
    for i in range(rows + 1):
        thick = max(pitch * 0.07, 2) if every and i % every == 0 else 1
        canvas.bar((left, top + i * pitch, left + columns * pitch, top + i * pitch), colours.wall, thick)
    for i in range(columns + 1):
        thick = max(pitch * 0.07, 2) if every and i % every == 0 else 1
        canvas.bar((left + i * pitch, top, left + i * pitch, top + rows * pitch), colours.wall, thick)


def _sudoku(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    pitch, left, top = _fit(canvas, rng, 9, 9)
    canvas.rectangle((left, top, left + 9 * pitch, top + 9 * pitch), colours.fill)
    _grid(canvas, 9, 9, pitch, left, top, colours, 3)
    share = within(rng, 0.3, 1.0)
    for r in range(9):
        for c in range(9):
            if rng.random() < share:
                x, y = left + (c + 0.5) * pitch, top + (r + 0.5) * pitch
                canvas.glyph(face, str(rng.integers(1, 10)), x, y, pitch * 0.5, colours.ink, False)


def _chess(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    pitch, left, top = _fit(canvas, rng, 8, 8)
    light, dark = mix(colours.background, (255, 255, 255), 0.7), mix(colours.accents[0], (0, 0, 0), 0.3)
    for r in range(8):
        for c in range(8):
            x, y = left + c * pitch, top + r * pitch
            canvas.rectangle((x, y, x + pitch, y + pitch), dark if (r + c) % 2 else light)
            if rng.random() < 0.4:
                piece = (245, 245, 245) if rng.random() < 0.5 else (20, 20, 20)
                canvas.disc(x + pitch / 2, y + pitch * 0.35, pitch * 0.16, piece)
                canvas.polygon(
                    [
                        (x + pitch * 0.25, y + pitch * 0.85),
                        (x + pitch * 0.75, y + pitch * 0.85),
                        (x + pitch / 2, y + pitch * 0.3),
                    ],
                    piece,
                )


def _calculator(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    times = str(rng.choice(["x", "X", "*"]))
    rows = [["7", "8", "9", "/"], ["4", "5", "6", times], ["1", "2", "3", "-"], ["0", ".", "=", "+"]]
    if rng.random() < 0.5:
        rows = rows[2::-1] + rows[3:]
    pitch, left, top = _fit(canvas, rng, 5, 4)
    canvas.rectangle((left, top, left + 4 * pitch, top + pitch * 0.8), mix(colours.background, colours.ink, 0.12))
    canvas.glyph(
        face,
        str(rng.integers(0, 10**6)),
        left + 2.4 * pitch,
        top + pitch * 0.4,
        max(pitch * 0.35, 6),
        colours.ink,
        True,
    )
    for r, row in enumerate(rows):
        for c, key in enumerate(row):
            x, y = left + c * pitch, top + (r + 1) * pitch
            area = (x + pitch * 0.05, y + pitch * 0.05, x + pitch * 0.95, y + pitch * 0.95)
            fill = colours.fill if key.isdigit() else colours.accents[1]
            canvas.rectangle(area, fill, pitch * 0.1)
            ink = legible_on(fill, colours.ink, 60)
            if key.isdigit():
                canvas.glyph(face, key, x + pitch / 2, y + pitch / 2, pitch * 0.4, ink, False)
            else:
                canvas.words(key, x + pitch / 2, y + pitch / 2, pitch * 0.5, ink)


def _calendar(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    pitch, left, top = _fit(canvas, rng, 7, 7)
    for c, name in enumerate(("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")):
        canvas.words(name, left + (c + 0.5) * pitch, top + pitch / 2, max(pitch * 0.35, 7), colours.ink)
    first, today = int(rng.integers(0, 7)), int(rng.integers(1, 31))
    for day in range(1, 32):
        r, c = divmod(first + day - 1, 7)
        x, y = left + (c + 0.5) * pitch, top + (r + 1.5) * pitch
        if day == today:
            canvas.rectangle((x - pitch / 2, y - pitch / 2, x + pitch / 2, y + pitch / 2), colours.accents[0])
        ink = (
            legible_on(colours.accents[0], colours.ink, 60)
            if day == today
            else legible_on(colours.background, colours.ink, 60)
        )
        canvas.glyph(face, str(day), x, y, max(pitch * 0.3, 6), ink, False)
    if rng.random() < 0.5:
        _grid(canvas, 6, 7, pitch, left, top + pitch, colours, 0)


def _merge(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    """Sliding tiles with powers of two."""
    n = int(rng.integers(4, 6))
    pitch, left, top = _fit(canvas, rng, n, n)
    canvas.rectangle(
        (left, top, left + n * pitch, top + n * pitch), mix(colours.background, (0, 0, 0), 0.3), pitch * 0.05
    )
    for r in range(n):
        for c in range(n):
            power = int(rng.integers(0, 7)) if rng.random() < 0.6 else 0
            x, y = left + c * pitch, top + r * pitch
            fill = colours.accents[power] if power else mix(colours.background, (0, 0, 0), 0.15)
            canvas.rectangle(
                (x + pitch * 0.05, y + pitch * 0.05, x + pitch * 0.95, y + pitch * 0.95), fill, pitch * 0.05
            )
            if power:
                ink = legible_on(fill, colours.ink, 80)
                canvas.glyph(face, str(2**power), x + pitch / 2, y + pitch / 2, max(pitch * 0.28, 6), ink, False)


def _crossword(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    n = int(rng.integers(7, 14))
    pitch, left, top = _fit(canvas, rng, n, n)
    number = 1
    for r in range(n):
        for c in range(n):
            x, y = left + c * pitch, top + r * pitch
            dark = rng.random() < 0.25
            canvas.rectangle((x, y, x + pitch, y + pitch), (15, 15, 15) if dark else (250, 250, 250))
            if not dark and rng.random() < 0.3:
                canvas.words(str(number), x + pitch * 0.06, y + pitch * 0.22, max(pitch * 0.3, 6), (20, 20, 20), "lm")
                number += 1
    _grid(canvas, n, n, pitch, left, top, colours, 0)


def _select(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    """A page of numbered levels, some done."""
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(4, 7))
    pitch, left, top = _fit(canvas, rng, rows, columns)
    done, number = int(rng.integers(0, rows * columns)), int(rng.integers(0, 4)) * rows * columns
    for r in range(rows):
        for c in range(columns):
            i = r * columns + c
            x, y = left + c * pitch, top + r * pitch
            fill = colours.accents[0] if i < done else colours.fill
            canvas.rectangle((x + pitch * 0.1, y + pitch * 0.1, x + pitch * 0.9, y + pitch * 0.9), fill, pitch * 0.12)
            ink = legible_on(fill, colours.ink, 60)
            canvas.glyph(face, str(number + i + 1), x + pitch / 2, y + pitch / 2, max(pitch * 0.25, 6), ink, False)


def _table(canvas: Canvas, rng: Random, colours: Theme, face: Face) -> None:
    """A spreadsheet: wide cells with numbers and words."""
    tall = within(rng, 18, 34)
    wide = tall * within(rng, 2.5, 5)
    rows, columns = int((canvas.height - 10) / tall), int((canvas.width - 10) / wide)
    for r in range(rows + 1):
        canvas.bar((5, 5 + r * tall, 5 + columns * wide, 5 + r * tall), colours.wall, 1)
    for c in range(columns + 1):
        canvas.bar((5 + c * wide, 5, 5 + c * wide, 5 + rows * tall), colours.wall, 1)
    for r in range(rows):
        for c in range(columns):
            text = str(rng.choice(WORDS)) if r == 0 or c == 0 else str(rng.integers(0, 5000))
            canvas.words(text, 5 + (c + 0.5) * wide, 5 + (r + 0.5) * tall, tall * 0.5, colours.ink)
