"""A board beside which a small board shows the next level: pictures drawn here."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image, Point
from autoplayer.games.cardinal_chains import reader
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing.glyphs.tokens import Glyph
from autoplayer.games.cardinal_chains.seeing.lattice.growth import Growth
from autoplayer.games.cardinal_chains.seeing.starts import find_unmarked_starts
from autoplayer.layout import Layout
from autoplayer.vision.views import stages

LAYOUT = Layout(game="cardinal-chains")
PAGE, TILE, TEXT, RED = (41, 29, 20), (107, 76, 56), (241, 231, 223), (60, 76, 231)
ROWS, NEXT = ("1 1 1", "3 . 1", "7 . X"), ("3 . X", "3 2 1", "3 2 2", "3 2 2")


def draw(image: Image, rows: Sequence[str], at: Point, pitch: int, start: str) -> None:
    """Tiles from the upper left corner ``at``; ``start``: what a start shows, a red dot, a dot, or a sign."""
    size, thick = pitch / 75, max(pitch // 40, 1)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y, gap = at[0] + c * pitch, at[1] + r * pitch, max(pitch // 20, 1)
            if token == ".":
                continue
            left, top, right, foot = x + gap, y + gap, x + pitch - gap - 1, y + pitch - gap - 1
            by = pitch // 5  # the tiles' corners are round
            cv2.rectangle(image, (left + by, top), (right - by, foot), TILE, -1)
            cv2.rectangle(image, (left, top + by), (right, foot - by), TILE, -1)
            for corner in (
                (left + by, top + by),
                (right - by, top + by),
                (left + by, foot - by),
                (right - by, foot - by),
            ):
                cv2.circle(image, corner, by, TILE, -1, cv2.LINE_AA)
            middle = x + pitch // 2, y + pitch // 2
            if token == "X" and start.endswith("dot"):
                cv2.circle(image, middle, max(pitch // 11, 3), RED if start == "red dot" else TEXT, -1, cv2.LINE_AA)
                continue
            shown = start if token == "X" else token
            (w, h), _ = cv2.getTextSize(shown, cv2.FONT_HERSHEY_DUPLEX, size, thick)
            cv2.putText(
                image, shown, (middle[0] - w // 2, middle[1] + h // 2), cv2.FONT_HERSHEY_DUPLEX, size, TEXT, thick, 16
            )


def page(start: str, *, buttons: bool, preview: bool) -> Image:
    """The board of ``ROWS`` below a title; ``buttons``: round ones between them; ``preview``: that of ``NEXT``."""
    image = np.full((700, 960, 3), PAGE, np.uint8)
    image[:78] = 255
    note = "This browser is not up to date. Stability and security will suffer."
    cv2.putText(image, note, (120, 50), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 40, 40), 1, 16)
    cv2.putText(image, "Chains #1", (290, 106), cv2.FONT_HERSHEY_DUPLEX, 0.8, TEXT, 1, 16)
    for k in range(3 if buttons else 0):
        cv2.circle(image, (316 + 54 * k, 135), 23, (87, 62, 44), -1, cv2.LINE_AA)
        cv2.ellipse(image, (316 + 54 * k, 135), (8, 8), 0, 0, 270, (255, 255, 255), 2, cv2.LINE_AA)
    draw(image, ROWS, (235, 180), 90, start)
    if preview:
        draw(image, NEXT, (760, 300), 26, "X")
    return image


@pytest.mark.parametrize("preview", [False, True])
def test_a_dot_in_a_tile_is_a_start_though_a_title_and_buttons_stand_above(preview: bool) -> None:
    found = reader.read(page("red dot", buttons=True, preview=preview), LAYOUT)
    assert format_puzzle(found.puzzle) == "\n".join(ROWS)


def test_a_preview_is_not_taken_for_the_board_where_the_board_cannot_be_read() -> None:
    with pytest.raises(UnreadableError):
        reader.read(page("", buttons=False, preview=True), LAYOUT)


def test_a_start_among_closed_cells_is_seen_though_much_else_stands_above_them() -> None:
    view, (found,) = next(
        (view, some) for view, some in stages(page("red dot", buttons=True, preview=False), 99) if some
    )
    above = [(r, c) for r in (-2, -1) for c in range(-2, 6)]
    contents = Growth(view, found).contents_at([*sorted(found.cells), *above])
    contents = {cell: here for cell, here in contents.items() if cell in found.cells or not here.bare}
    assert len(contents) >= 2 * len(found.cells)
    rows = dict(enumerate(row.split() for row in ROWS))
    seen = {
        (r, c): Glyph(((rows[r][c], 0.99),) if r in rows and rows[r][c] != "X" else (("", 0.95), ("2", 0.02)), k)
        for k, (r, c) in enumerate(contents)
    }
    find_unmarked_starts(view, seen, contents, found)
    assert {cell for cell, glyph in seen.items() if glyph.candidates[0][0] == "X"} == {(2, 2)}
