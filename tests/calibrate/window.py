"""A simulated window for tests of calibration, drawn with OpenCV: a board of Cardinal Chains with symbols instead of
numbers; and a game whose reader knows where the cells are, but knows glyphs only by the layout's templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cardinal_chains import CardinalChains
from autoplayer.games.cardinal_chains.puzzle import Puzzle, format_puzzle, parse
from autoplayer.layout import Layout, templates_folder
from autoplayer.vision import alike, templates

TOKENS = ("X", "1", "2", "3", "4")


@dataclass(frozen=True)
class Painted:
    """A picture of a window. ``won``: whether its lamp, beside the board, is lit. ``scale``: 1.5 for 150 %."""

    text: str
    number: int = 1
    won: bool = False
    scale: float = 1.0
    strange: bool = False
    """Whether it is another window: other furniture."""

    @property
    def puzzle(self) -> Puzzle:
        return parse(self.text)

    @property
    def places(self) -> dict[Cell, Box]:
        edge = round(60 * self.scale)
        left, top = round(130 * self.scale), round(70 * self.scale)
        return {(r, c): Box(left + c * edge, top + r * edge, edge, edge) for r, c in self.puzzle.cells}

    def image(self) -> Image:
        s = self.scale
        page = np.full((round(420 * s), round(560 * s), 3), (225, 235, 240), np.uint8)

        def at(x: float, y: float) -> tuple[int, int]:
            return round(x * s), round(y * s)

        for (r, c), box in self.places.items():
            cv2.rectangle(page, (box.x, box.y), (box.x + box.width, box.y + box.height), (90, 80, 70), 2)
            value = self.puzzle.cells[r, c]
            symbol(page, "X" if value == 0 else str(value), box.centre, round(17 * s))
        cv2.circle(page, at(500, 90), round(22 * s), (40, 60, 190) if self.won else (205, 205, 205), -1)
        cv2.putText(page, str(self.number), at(40, 220), cv2.FONT_HERSHEY_DUPLEX, s, (50, 40, 40), 2, cv2.LINE_AA)
        if self.strange:
            cv2.putText(page, "mail", at(300, 40), cv2.FONT_HERSHEY_COMPLEX, 0.9 * s, (50, 40, 40), 2, cv2.LINE_AA)
            cv2.line(page, at(470, 330), at(530, 385), (60, 60, 60), round(6 * s), cv2.LINE_AA)
        else:
            cv2.putText(page, "puzzle", at(30, 40), cv2.FONT_HERSHEY_DUPLEX, 0.9 * s, (50, 40, 40), 2, cv2.LINE_AA)
            cv2.ellipse(page, at(500, 350), at(24, 24), 0, 40, 330, (60, 60, 60), round(7 * s), cv2.LINE_AA)
        return page


def symbol(page: Image, token: str, centre: tuple[int, int], half: int) -> None:
    """What stands for a token: a frame, a disc, a triangle, a square, a bow tie."""
    x, y = centre
    ink = (40, 40, 40)
    if token == "X":
        cv2.rectangle(page, (x - half, y - half), (x + half, y + half), ink, -1)
        inner = half * 2 // 3
        cv2.rectangle(page, (x - inner, y - inner), (x + inner, y + inner), (225, 235, 240), -1)
    elif token == "1":
        cv2.circle(page, centre, half, ink, -1, cv2.LINE_AA)
    elif token == "3":
        cv2.rectangle(page, (x - half, y - half), (x + half, y + half), ink, -1)
    else:
        corners = {
            "2": [(0, -1), (1, 1), (-1, 1)],
            "4": [(-1, -1), (0, -0.15), (1, -1), (1, 1), (0, 0.15), (-1, 1)],
        }[token]
        points = np.array([(x + round(dx * half), y + round(dy * half)) for dx, dy in corners], np.int32)
        cv2.fillPoly(page, [points], ink, cv2.LINE_AA)


class SymbolGame(CardinalChains):
    """Cardinal Chains with a reader that knows the places of ``painted`` and is told glyphs by templates alone."""

    def __init__(self, painted: Painted) -> None:
        self.painted = painted

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        reading = self.examine(image, layout)
        if reading.doubts:
            raise UnreadableError("a glyph is not known")
        return reading

    def examine(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        if image.shape != self.painted.image().shape:
            raise UnreadableError("no board is where it was")
        known = templates.load(templates_folder(layout.templates)) if layout.templates else []
        half = round(17 * self.painted.scale)
        glyphs: Mapping[tuple[int, ...], Box] = {
            cell: Box(box.centre[0] - half, box.centre[1] - half, 2 * half + 1, 2 * half + 1)
            for cell, box in self.painted.places.items()
        }
        inks = {cell: templates.around(image, box) for cell, box in glyphs.items()}
        rows: dict[tuple[int, ...], str] = {}
        doubts: dict[int, list[tuple[int, ...]]] = {}
        for (cell, glyph), number in zip(inks.items(), alike.clusters(list(inks.values())), strict=True):
            token = templates.match(glyph, known)
            if token is None:
                doubts.setdefault(number, []).append(cell)
            rows[cell] = token or "1"
        width, height = (1 + max(cell[k] for cell in glyphs) for k in (1, 0))
        text = "\n".join(" ".join(rows.get((r, c), ".") for c in range(width)) for r in range(height))
        share = 1 / len(TOKENS)
        return Reading(
            parse(text, starts_needed=False),
            self.painted.places,
            tuple(Doubt(tuple(cells), tuple((token, share) for token in TOKENS)) for cells in doubts.values()),
            0.9,
            image,
            glyphs,
        )


def same_text(puzzle: Puzzle, text: str) -> bool:
    return format_puzzle(puzzle) == format_puzzle(parse(text))
