"""A picture of whatever, shown to every game's reader: the bytes are instructions that draw it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from autoplayer import games
from autoplayer.core.errors import LayoutError, UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games.base import examine
from autoplayer.layout import BoardTable, Layout
from fuzz import judge
from fuzz.targets.base import Target
from fuzz.targets.texts import PUZZLES

GAMES = ("null", "cardinal-chains", "hashi", "cross-set")
"""The lowest bits of the first byte say which."""
ROOMS = 0x20
"""The bit of the first byte that says Continuity."""
LARGEST = 120
"""Pixels a side, at most."""
GLYPHS = "0123456789X.?"


def picture(data: bytes) -> Image:
    """The picture that the bytes draw: its size, its ground, and after that eight bytes for each thing in it."""
    width, height, ground, sort = data[:4].ljust(4, b"\x5a")
    width, height = width % LARGEST, height % LARGEST  # small: a reader takes a second for what is not
    image = np.full((height + 1, width + 1, 3), ground, np.uint8)
    if sort & 1:
        image[:] = (np.arange(width + 1) * (sort >> 4) % 256).astype(np.uint8)[None, :, None]
    if sort & 2:
        noise = np.random.default_rng(sort).integers(0, sort + 1, image.shape)
        image = ((image.astype(np.int64) + noise) % 256).astype(np.uint8)
    for at in range(4, len(data) - 7, 8):
        kind, x, y, w, h, *bgr = data[at : at + 8]
        colour = tuple(map(int, bgr))
        if kind % 4 == 0:
            cv2.rectangle(image, (x, y), (x + w, y + h), colour, -1 if kind & 4 else 1)
        elif kind % 4 == 1:
            cv2.circle(image, (x, y), w % 60, colour, -1 if kind & 4 else 2)
        elif kind % 4 == 2:
            cv2.line(image, (x, y), (w, h), colour, 1 + (kind >> 4) % 3)
        else:
            cv2.putText(image, GLYPHS[w % len(GLYPHS)], (x, y), cv2.FONT_HERSHEY_SIMPLEX, (h % 40 + 8) / 30, colour, 2)
        if kind & 8:  # the same thing again and again: boards are made of that
            step = max(w, h, 12)
            tile = image[y : y + step, x : x + step].copy()
            for top in range(y, height + 1 - tile.shape[0], step):
                for left in range(x, width + 1 - tile.shape[1], step):
                    image[top : top + tile.shape[0], left : left + tile.shape[1]] = tile
    return image


def run(data: bytes, folder: Path) -> None:
    if not data:
        return
    name = "continuity" if data[0] & ROOMS else GAMES[data[0] % len(GAMES)]
    game, image = games.load(name), picture(data[1:])
    known = Layout(game=name)
    if data[0] & 0x40:
        board = BoardTable(place=(0.1, 0.1, 0.8, 0.8), rows=data[0] % 7 + 1, columns=data[0] % 5 + 1)
        known = Layout(game=name, board=board)
    reading = judge.refused(
        lambda: examine(game, image, known) if data[0] & 0x80 else game.read(image, known),
        UnreadableError,
        LayoutError,
    )
    if reading is None:
        return
    if not 0 <= reading.confidence <= 1 or any(not doubt.candidates for doubt in reading.doubts):
        raise judge.Broken(f"confidence {reading.confidence}, doubts {reading.doubts!r:.300}")
    text = game.format(reading.puzzle)
    if not text:
        raise judge.Broken("a reading without a text")
    game.faults(reading.puzzle)


def seeds() -> list[bytes]:
    rng = np.random.default_rng(3)
    found = []
    for number in range(2 * len(GAMES)):
        cells = []
        for r, c in np.ndindex(4, 4):
            x, y = 10 + 27 * c, 10 + 27 * r
            cells += [0, x, y, 24, 24, 60, 60, 60] if number % 2 else []
            cells += [3, x + 7, y + 18, int(rng.integers(0, 13)), 8, 20, 20, 20]
        found.append(bytes((number % len(GAMES) | (0x80 if number >= len(GAMES) else 0), 119, 119, 235, 0, *cells)))
    walls = [4, 4, 4, 110, 80, 90, 90, 90, *(4, 8, 8, 48, 30, 240, 240, 240), *(4, 60, 8, 50, 30, 240, 240, 240)]
    figure = [5, 30, 30, 4, 0, 20, 20, 200, *(4, 80, 26, 4, 10, 200, 20, 20), *(4, 56, 30, 4, 8, 240, 240, 240)]
    found += [bytes((ROOMS | bits, 119, 90, 235, 0, *walls, *figure)) for bits in (0, 0x80)]
    found += [bytes((n, 100, 80, 128, sort)) for n in (*range(len(GAMES)), ROOMS) for sort in (0, 0x71, 0xF2)]
    return found


assert {name for name, _, _ in PUZZLES} >= set(GAMES)

TARGET = Target("readers", "pictures of whatever, for the readers", run, seeds, longest=600)
