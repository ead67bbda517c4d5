"""Digits and X as displays of seven and fourteen segments draw them, and as coarse pixels and dots: own drawings.

Everything is drawn large, as ink from 0 to 1, shape ``(height, width)``; making it small, blurred or foreign is
``samples.py``'s work.
"""

from __future__ import annotations

import cv2
import numpy as np

Rng = np.random.Generator

# Segment names: a top, b upper right, c lower right, d bottom, e lower left, f upper left, g middle (left half g,
# right half h), the diagonals i j k l (upper left, upper right, lower left, lower right), the middle uprights m n.
SEVEN = {
    "0": ("abcdef",),
    "1": ("bc",),
    "2": ("abged",),
    "3": ("abgcd",),
    "4": ("fgbc",),
    "5": ("afgcd",),
    "6": ("afgecd", "fgecd"),
    "7": ("abc", "fabc"),
    "8": ("abcdefg",),
    "9": ("abcdfg", "abcfg"),
}
FOURTEEN = {
    "0": ("abcdef", "abcdefjk"),
    "1": ("bc", "bcj", "mn"),
    "2": ("abghed", "abhkd"),
    "3": ("abghcd", "abhcd", "ajhcd"),
    "4": ("fghbc",),
    "5": ("afghcd", "afgld"),
    "6": ("afghecd",),
    "7": ("abc", "ajk", "ajn", "fabc"),
    "8": ("abcdefgh",),
    "9": ("abcdfgh", "abcfgh"),
    "X": ("ijkl",),
}


def _bar(canvas: np.ndarray, start: tuple[float, float], end: tuple[float, float], thick: float, ends: str) -> None:
    """One segment from ``start`` to ``end`` (x, y), with ``ends`` pointed, flat, slanted or round."""
    p, q = np.array(start), np.array(end)
    length = float(np.hypot(*(q - p)))
    if length < 1:
        return
    along = (q - p) / length
    side = np.array([-along[1], along[0]]) * thick / 2
    if ends == "round":
        cv2.line(
            canvas,
            *[tuple(np.round(v * 16).astype(int).tolist()) for v in (p, q)],
            1.0,
            max(round(thick), 1),
            cv2.LINE_AA,
            4,
        )
        return
    if ends == "pointed":
        cut = along * min(thick / 2, length / 2.2)
        corners = [p, p + cut + side, q - cut + side, q, q - cut - side, p + cut - side]
    elif ends == "slanted":
        cut = along * min(thick / 2, length / 2.2)
        corners = [p + side, q + side, q - cut - side, p + cut - side]
    else:
        corners = [p + side, q + side, q - side, p - side]
    cv2.fillPoly(canvas, [np.round(np.array(corners) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)


def segment_style(rng: Rng) -> dict[str, float | str | int | bool]:
    """One display's way of drawing, for all of its digits."""
    return {
        "fourteen": bool(rng.random() < 0.25),
        "width": float(rng.uniform(0.38, 0.75)),
        "thick": float(rng.uniform(0.05, 0.2)),
        "gap": float(rng.choice([0.0, rng.uniform(0, 0.03), rng.uniform(0.02, 0.07)])),
        "ends": str(rng.choice(["pointed", "pointed", "flat", "slanted", "round"])),
        "slant": float(rng.choice([0, 0, rng.uniform(0, 0.2)])),
        "one": str(rng.choice(["right", "left", "centre"])),
        "tails": int(rng.integers(0, 2)),
        "seven": int(rng.integers(0, 2)),
        "cross": float(rng.choice([0.0, rng.uniform(0.02, 0.1)])),
        "variant": int(rng.integers(0, 4)),
        "inset": float(rng.uniform(0, 0.5)),
    }


def draw_segments(character: str, style: dict[str, float | str | int | bool], height: int = 96) -> np.ndarray:
    """One of ``0``-``9`` or ``X`` in a display's style; ink, shape about ``(height, width)`` with a margin."""
    width, thick, gap = height * float(style["width"]), height * float(style["thick"]), height * float(style["gap"])
    thick = min(thick, width * 0.35)
    pad = int(thick + 0.25 * height)
    canvas = np.zeros((height + 2 * pad, round(width) + 2 * pad), np.float32)
    x0, x1, y0, y1 = pad, pad + width, pad, pad + height
    xm, ym, g = (x0 + x1) / 2, (y0 + y1) / 2, gap
    fourteen = bool(style["fourteen"])
    table = FOURTEEN if fourteen or character == "X" else SEVEN
    forms = table[character]
    if character in "69" and len(forms) > 1:
        form = forms[int(style["tails"])]
    elif character == "7":
        form = forms[int(style["seven"]) if not fourteen else int(style["variant"]) % len(forms)]
    else:
        form = forms[int(style["variant"]) % len(forms)]
    lines = {
        "a": ((x0 + g, y0), (x1 - g, y0)),
        "b": ((x1, y0 + g), (x1, ym - g)),
        "c": ((x1, ym + g), (x1, y1 - g)),
        "d": ((x0 + g, y1), (x1 - g, y1)),
        "e": ((x0, ym + g), (x0, y1 - g)),
        "f": ((x0, y0 + g), (x0, ym - g)),
        "g": ((x0 + g, ym), (x1 - g, ym)) if not fourteen else ((x0 + g, ym), (xm - g, ym)),
        "h": ((xm + g, ym), (x1 - g, ym)),
        "m": ((xm, y0 + g), (xm, ym - g)),
        "n": ((xm, ym + g), (xm, y1 - g)),
    }
    inner = thick * float(style["inset"]) + (thick * 0.6 if fourteen and character != "X" else 0)
    c = float(style["cross"]) * height / 2
    lines |= {
        "i": ((x0 + inner, y0 + inner), (xm - c, ym - c)),
        "j": ((x1 - inner, y0 + inner), (xm + c, ym - c)),
        "k": ((x0 + inner, y1 - inner), (xm - c, ym + c)),
        "l": ((x1 - inner, y1 - inner), (xm + c, ym + c)),
    }
    if character == "1" and form == "bc":
        x = {"right": x1, "left": x0, "centre": xm}[str(style["one"])]
        lines["b"], lines["c"] = ((x, y0 + g), (x, ym - g)), ((x, ym + g), (x, y1 - g))
    for name in form:
        ends = str(style["ends"])
        if name in "ijkl" and ends == "slanted":
            ends = "flat"
        _bar(canvas, *lines[name], thick, ends)
    if character == "X" and float(style["cross"]) and int(style["variant"]) % 2:
        half = max(round(float(style["cross"]) * height / 3), 1)
        cx, cy = round(xm), round(ym)
        canvas[:, cx - half : cx + half] = 0
        canvas[cy - half : cy + half] = 0
    if float(style["slant"]):
        shift = float(style["slant"])
        matrix = np.array([[1, -shift, shift * ym], [0, 1, 0]], np.float32)
        canvas = cv2.warpAffine(canvas, matrix, (canvas.shape[1], canvas.shape[0]))
    return canvas


# Coarse glyphs as home computers and dot displays have them; drawn for this project, a row is a string of # and dots.
COARSE = {
    "0": (
        ".###. #...# #..## #.#.# ##..# #...# .###.",
        ".###. #...# #...# #...# #...# #...# .###.",
        "#### #..# #..# #..# ####",
    ),
    "1": ("..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.", ".#. ##. .#. .#. .#. .#. ###", ".# ## .# .# .#", "# # # # #"),
    "2": (".###. #...# ....# ..##. .#... #.... #####", "#### ...# #### #... ####", "###. ...# .##. #... ####"),
    "3": (".###. #...# ....# ..##. ....# #...# .###.", "#### ...# .### ...# ####", "###. ...# .##. ...# ###."),
    "4": ("...#. ..##. .#.#. #..#. ##### ...#. ...#.", "#..# #..# #### ...# ...#", "#... #.#. #### ..#. ..#."),
    "5": ("##### #.... ####. ....# ....# #...# .###.", "#### #... #### ...# ####", "#### #... ###. ...# ###."),
    "6": ("..##. .#... #.... ####. #...# #...# .###.", "#### #... #### #..# ####", "#... #... #### #..# ####"),
    "7": ("##### ....# ...#. ..#.. .#... .#... .#...", "#### ...# ...# ...# ...#", "#### ...# ..#. .#.. .#.."),
    "8": (".###. #...# #...# .###. #...# #...# .###.", "#### #..# #### #..# ####", ".##. #..# .##. #..# .##."),
    "9": (".###. #...# #...# .#### ....# ...#. .##..", "#### #..# #### ...# ####", "#### #..# #### ...# ...#"),
    "X": ("#...# #...# .#.#. ..#.. .#.#. #...# #...#", "#..# #..# .##. #..# #..#", "#...# .#.#. ..#.. .#.#. #...#"),
}


def draw_coarse(character: str, rng: Rng) -> np.ndarray:
    """A coarse glyph enlarged without smoothing, or as dots; ink with a margin."""
    forms = COARSE[character]
    rows = forms[int(rng.integers(len(forms)))].split()
    bits = np.array([[c == "#" for c in row] for row in rows], np.float32)
    if rng.random() < 0.3:  # double strokes, as eight-pixel computers draw them
        bits = np.pad(bits, ((0, 0), (0, 1)))
        bits = np.maximum(bits, np.roll(bits, 1, axis=1))
    tall = int(rng.integers(4, 13))
    wide = max(round(tall * float(np.exp(rng.uniform(-0.3, 0.3)))), 3)
    if rng.random() < 0.25:
        pitch = max(tall, 6)
        canvas = np.zeros((bits.shape[0] * pitch, bits.shape[1] * pitch), np.float32)
        radius = max(round(pitch * float(rng.uniform(0.35, 0.55))), 1)
        square = rng.random() < 0.4
        for y, x in np.argwhere(bits > 0):
            centre = (int(x * pitch + pitch // 2), int(y * pitch + pitch // 2))
            if square:
                r = max(int(pitch * 0.42), 1)
                canvas[centre[1] - r : centre[1] + r, centre[0] - r : centre[0] + r] = 1
            else:
                cv2.circle(canvas, centre, radius, 1.0, -1, cv2.LINE_AA)
    else:
        canvas = np.kron(bits, np.ones((tall, wide), np.float32))
    return np.pad(canvas, 12)
