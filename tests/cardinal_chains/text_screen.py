"""Draws a text screen: a board of single characters among lines of text, as a terminal shows a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Image

WIDTH, HEIGHT = 13, 26
"""Of a character, pixels."""

TEXT = ["Level 12", "--- line 1, column 2 ---", "move: wasd", "press c to change the chain", "press x to quit", ">> "]


def text_screen(
    rows: Sequence[str],
    colours: Mapping[Cell, tuple[int, int, int]],
    *,
    step: int = 2,
    block: Cell | None = None,
    below: bool = False,
    dots: bool = False,
    framed: bool = False,
) -> Image:
    """``rows``: tokens with spaces between, ``.`` a hole; ``colours``: of characters, BGR; ``step``: characters from a
    cell to the next one; ``block``: the cell that stands in a filled block; ``below``: whether the board stands between
    the lines of text and the prompt; ``dots``: whether holes are such; ``framed``: whether all stands in a panel."""
    image = np.zeros((16 * HEIGHT, 60 * WIDTH, 3), np.uint8)

    def put(row: int, column: int, character: str, colour: tuple[int, int, int]) -> None:
        (width, _), _ = cv2.getTextSize(character, cv2.FONT_HERSHEY_SIMPLEX, 0.6, 1)
        at = column * WIDTH + (WIDTH - width) // 2, (row + 1) * HEIGHT - 8
        cv2.putText(image, character, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, 1, cv2.LINE_AA)

    first = len(TEXT) - 1 if below else 0
    for r, row in enumerate(rows, first):
        for c, token in enumerate(row.split()):
            if (r - first, c) == block:
                x, y = c * step * WIDTH, r * HEIGHT
                cv2.rectangle(image, (x, y), (x + WIDTH - 1, y + HEIGHT - 1), (225, 225, 225), -1)
            colour = colours.get((r - first, c), (225, 225, 225))
            if token != ".":
                put(r, c * step, token, colour)
            elif dots:
                x, y = c * step * WIDTH + WIDTH // 2, (r + 1) * HEIGHT - 9
                cv2.rectangle(image, (x, y), (x + 1, y + 1), colour, -1)
    lines = [*range(first), *range(first + len(rows), len(TEXT) + len(rows))]
    for r, line in zip(lines, TEXT, strict=True):
        for c, character in enumerate(line):
            put(r, c, character, (225, 225, 225))
    if framed:
        for x in (image.shape[1] // 2, image.shape[1] - 8):
            for r in range(len(lines) + len(rows)):  # each piece ends short of the next one
                cv2.line(image, (x, r * HEIGHT), (x, (r + 1) * HEIGHT - 2), (225, 225, 225), 1)
    return image
