"""What stands around a board: buttons, the level's number, captions, bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bench.reading.canvas import Canvas
from bench.reading.face import Face
from bench.reading.palette import Theme, legible_on, mix
from bench.reading.strange import Area, Colour, Random, within

Decorator = Callable[[Canvas, Random, Area, Theme, Face, float], None]


def _triangle(canvas: Canvas, x: float, y: float, size: float, colour: Colour, up: bool) -> None:
    s = size if up else -size
    canvas.polygon([(x - size, y + s * 0.8), (x + size, y + s * 0.8), (x, y - s * 0.9)], colour)


def _reload(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    canvas.arc(x, y, size, -150, 130, colour, max(size * 0.3, 1))
    canvas.polygon(
        [(x - size * 1.3, y - size * 0.1), (x - size * 0.3, y - size * 0.35), (x - size * 1.1, y - size)], colour
    )


def _speaker(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    canvas.rectangle((x - size, y - size * 0.35, x - size * 0.4, y + size * 0.35), colour)
    canvas.polygon([(x - size * 0.5, y), (x + size * 0.1, y - size * 0.8), (x + size * 0.1, y + size * 0.8)], colour)
    for radius in (0.5, 0.85):
        canvas.arc(x + size * 0.15, y, size * radius, -45, 45, colour, max(size * 0.16, 1))


def _pause(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    canvas.rectangle((x - size * 0.7, y - size, x - size * 0.2, y + size), colour)
    canvas.rectangle((x + size * 0.2, y - size, x + size * 0.7, y + size), colour)


def buttons(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """A column or row of small signs: next, again, back, sound, pause."""
    left, top, right, bottom = area
    signs: list[Callable[[float, float, float, Colour], None]] = [
        lambda x, y, s, c: _triangle(canvas, x, y, s, c, True),
        lambda x, y, s, c: _reload(canvas, x, y, s, c),
        lambda x, y, s, c: _triangle(canvas, x, y, s, c, False),
        lambda x, y, s, c: _speaker(canvas, x, y, s, c),
        lambda x, y, s, c: _pause(canvas, x, y, s, c),
    ]
    count = int(rng.integers(2, 6))
    tall = bottom - top > right - left
    length, across = (bottom - top, right - left) if tall else (right - left, bottom - top)
    size = min(size, across * 0.3, length / (count * 2.8))
    if size < 2.5:
        return
    boxed = rng.random() < 0.25
    span = min(length / count, size * within(rng, 3.0, 5.0))
    begin = (length - span * count) * rng.random() + span / 2
    for i in range(count):
        along = begin + i * span
        x, y = ((left + right) / 2, top + along) if tall else (left + along, (top + bottom) / 2)
        ink = colours.ink if rng.random() < 0.7 else mix(colours.background, colours.ink, 0.35)
        if boxed:
            canvas.outline((x - size * 1.3, y - size * 1.3, x + size * 1.3, y + size * 1.3), ink, 1, size * 0.4)
        signs[i](x, y, size * (0.75 if boxed else 1), ink)


def level_number(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """The level's number in the board's own face, its digits stacked or side by side."""
    left, top, right, bottom = area
    number = str(rng.integers(1, 400))
    size = min(size, (right - left) * 0.3, (bottom - top) * 0.3)
    if size < face.least:
        return
    tall = bottom - top > right - left
    x, y = (left + right) / 2, (top + bottom) / 2
    if tall and rng.random() < 0.7:
        for i, digit in enumerate(number):
            canvas.glyph(face, digit, x, y + (i - (len(number) - 1) / 2) * size * 1.5, size, colours.ink, True)
    elif len(number) * size < right - left:
        where = x if rng.random() < 0.5 else left + len(number) * size * 0.6 + 2
        canvas.glyph(face, number, where, y, size, colours.ink, False)


TITLES = ("Chains", "LEVEL 12", "Puzzle 4 of 60", "Daily challenge", "Moves: 17   Best: 14", "Score 02480", "Stage 3-7",
          "00:42", "Hint (H)   Undo (U)", "World 2 - Level 31", "How to play", "EASY", "Pack A  9/25")  # fmt: skip


def caption(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """A line of words: title, score, time, help."""
    left, top, right, bottom = area
    size = min(size * within(rng, 0.9, 1.8), (bottom - top) * 0.6, (right - left) * 0.13)
    if size < 8:
        return
    anchor = str(rng.choice(["lm", "mm", "rm"]))
    margin = min(size, (right - left) * 0.05)
    x = {"l": left + margin, "m": (left + right) / 2, "r": right - margin}[anchor[0]]
    text = str(rng.choice(TITLES))
    canvas.words(text, x, (top + bottom) / 2, size, mix(colours.background, colours.ink, within(rng, 0.5, 1)), anchor)


def status_bar(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """A strip of another shade with a few words and numbers."""
    left, top, right, bottom = area
    if bottom - top < 14 or right - left < 120:
        return
    tall = min(max(size * 1.6, 14), bottom - top)
    y0 = top if rng.random() < 0.5 else bottom - tall
    shade = mix(colours.background, colours.ink, within(rng, 0.08, 0.3))
    canvas.rectangle((left, y0, right, y0 + tall), shade)
    ink = legible_on(shade, colours.ink, 60)
    canvas.words(f"Lv {rng.integers(1, 99)}", left + 6, y0 + tall / 2, tall * 0.55, ink, "lm")
    canvas.words(f"{rng.integers(0, 5000)} pts", right - 6, y0 + tall / 2, tall * 0.55, ink, "rm")


def progress_bar(canvas: Canvas, rng: Random, area: Area, colours: Theme, face: Face, size: float) -> None:
    """A long thin box, partly filled."""
    left, top, right, bottom = area
    if right - left < 60:
        return
    tall = max(min(size * 0.6, (bottom - top) * 0.3), 3)
    y = within(rng, top + tall, max(bottom - tall, top + tall + 1))
    inset = (right - left) * within(rng, 0.05, 0.25)
    area = (left + inset, y - tall / 2, right - inset, y + tall / 2)
    canvas.rectangle(area, mix(colours.background, colours.ink, 0.2), tall / 2 if rng.random() < 0.5 else 0)
    done = (*area[:2], area[0] + (area[2] - area[0]) * within(rng, 0.1, 0.9), area[3])
    canvas.rectangle(done, colours.accents[-1], tall / 2 if rng.random() < 0.5 else 0)


SIDES: Mapping[str, tuple[tuple[str, Decorator], ...]] = {
    "left": (("level-number", level_number), ("buttons", buttons)),
    "right": (("buttons", buttons), ("level-number", level_number)),
    "top": (("caption", caption), ("status-bar", status_bar), ("level-number", level_number), ("buttons", buttons)),
    "bottom": (("buttons", buttons), ("status-bar", status_bar), ("progress-bar", progress_bar), ("caption", caption)),
}


def surround(
    canvas: Canvas, rng: Random, board: Area, clear: float, colours: Theme, face: Face, size: float, share: float
) -> set[str]:
    """Things on up to four sides of the board, each with probability ``share``, at least ``clear`` pixels away from
    it; ``size``: half the height of a button, about that of a letter. Returns the tags of what was drawn."""
    left, top, right, bottom = board
    w, h = canvas.width, canvas.height
    strips: dict[str, Area] = {
        "left": (2, max(top, 4), left - clear, min(bottom, h - 4)),
        "right": (right + clear, 4, w - 2, h - 4),
        "top": (4, 2, w - 4, top - clear),
        "bottom": (4, bottom + clear, right, h - 2),
    }
    tags: set[str] = set()
    for side, (x0, y0, x1, y1) in strips.items():
        if rng.random() > share:
            continue
        area = (x0, y0, x1, y1)
        if side in ("left", "right"):
            deep = min(x1 - x0, size * 6)
            area = (x0, y0, x0 + deep, y1) if side == "left" else (x1 - deep, max(y0, top), x1, min(y1, bottom))
        else:
            deep = min(y1 - y0, size * 5)
            area = (x0, y0, x1, y0 + deep) if side == "top" else (x0, y1 - deep, x1, y1)
        if area[2] - area[0] < 12 or area[3] - area[1] < 12:
            continue
        name, draw = SIDES[side][int(rng.integers(len(SIDES[side])))]
        draw(canvas, rng, area, colours, face, size)
        tags.add(name)
    return tags
