"""What others would use to read the same cells: Tesseract, a call a cell or a call a board, and OpenCV templates of a
known font. Each is given the true boxes of the cells, so it only has to read what stands in them.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Image
from bench.reading.face import TOKENS
from bench.reading.faces import pick
from bench.reading.strange import Sample

Gray = NDArray[np.uint8]
Reader = Callable[[Image, Mapping[Cell, Box]], dict[Cell, str]]
HEIGHT = 64
"""Pixels that a cell has when Tesseract sees it: its digits are then as high as it likes them, 25 to 45."""

WHITELIST = "-c tessedit_char_whitelist=0123456789X"


@dataclass(frozen=True)
class Score:
    """How a rival did: shares in percent; seconds a board in the middle."""

    name: str
    boards: int
    exact: float
    cells: float
    milliseconds: float


def _cell(image: Image, box: Box) -> Gray:
    """The inside of a cell, dark on light, ``HEIGHT`` pixels high, black and white by Otsu's threshold."""
    inset = max(round(0.12 * box.height), 1)
    inner = Box(box.x + inset, box.y + inset, box.width - 2 * inset, box.height - 2 * inset).crop(image)
    if not inner.size:
        return np.full((HEIGHT, HEIGHT), 255, np.uint8)
    gray = cv2.cvtColor(inner, cv2.COLOR_BGR2GRAY)
    width = max(round(HEIGHT * gray.shape[1] / gray.shape[0]), 8)
    gray = cv2.resize(gray, (width, HEIGHT), interpolation=cv2.INTER_CUBIC)
    _, binary = cv2.threshold(gray, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    border = np.concatenate([binary[0], binary[-1], binary[:, 0], binary[:, -1]])
    if np.median(border) < 128:
        binary = 255 - binary
    return np.pad(binary, 12, constant_values=255).astype(np.uint8)


def tesseract() -> Any:
    """The module that calls Tesseract, which is quicker with one thread on such small pictures: with several that wait
    for one another, a busy machine takes ten times as long."""
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")
    import pytesseract

    return pytesseract


def tesseract_cells(image: Image, places: Mapping[Cell, Box]) -> dict[Cell, str]:
    """One call of Tesseract a cell, a single word each."""
    return {
        cell: tesseract().image_to_string(_cell(image, box), config=f"--psm 8 {WHITELIST}").strip()
        for cell, box in places.items()
    }


def tesseract_montage(image: Image, places: Mapping[Cell, Box]) -> dict[Cell, str]:
    """One call for the board: the cells in rows, well apart, as lines of words."""
    tile = HEIGHT + 40
    rows, columns = max(r for r, _ in places) + 1, max(c for _, c in places) + 1
    sheet = np.full((rows * tile, columns * tile), 255, np.uint8)
    for (r, c), box in places.items():
        glyph = _cell(image, box)[:tile, :tile]
        sheet[r * tile : r * tile + glyph.shape[0], c * tile : c * tile + glyph.shape[1]] = glyph
    program = tesseract()
    data = program.image_to_data(sheet, config=f"--psm 6 {WHITELIST}", output_type=program.Output.DICT)
    read: dict[Cell, str] = {}
    for text, x, y, w, h in zip(data["text"], data["left"], data["top"], data["width"], data["height"], strict=True):
        # A word that runs over several cells is shared out by its characters' places.
        for i, character in enumerate(text.strip()):
            cell = (int((y + h / 2) // tile), int((x + (i + 0.5) * w / len(text.strip())) // tile))
            read[cell] = read.get(cell, "") + character
    return read


@lru_cache(maxsize=1)
def _templates() -> dict[str, NDArray[np.float32]]:
    """The eleven glyphs of one known font, 24x32."""
    face = pick("development", "installed", "template")
    return {token: _patch(face.glyph(token, 48).coverage) for token in TOKENS}


def _patch(coverage: Gray) -> NDArray[np.float32]:
    return cv2.resize(coverage, (24, 32), interpolation=cv2.INTER_AREA).astype(np.float32)


def templates(image: Image, places: Mapping[Cell, Box]) -> dict[Cell, str]:
    """Connected parts of a cell's ink, each compared with the templates of a known font by correlation."""
    read: dict[Cell, str] = {}
    for cell, box in places.items():
        ink = (255 - _cell(image, box)).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(ink)
        parts = sorted((tuple(map(int, s[:4])) for s in stats[1:] if s[3] > 0.2 * HEIGHT), key=lambda s: s[0])
        text = ""
        for x, y, w, h in parts:
            patch = _patch(ink[y : y + h, x : x + w])
            scores = {
                t: float(cv2.matchTemplate(patch, model, cv2.TM_CCOEFF_NORMED)[0, 0])
                for t, model in _templates().items()
            }
            text += max(scores, key=lambda token: scores[token])
        read[cell] = text
    return read


RIVALS: Mapping[str, Reader] = {
    "Tesseract, a call a cell": tesseract_cells,
    "Tesseract, a call a board": tesseract_montage,
    "templates of a known font": templates,
}


def compete(
    samples: list[Sample], truths: list[dict[Cell, str]], readers: Mapping[str, Reader] = RIVALS
) -> list[Score]:
    """How each rival that this machine has reads these boards. What a rival sees where nothing is, it tells as cells
    with negative numbers."""
    scores = []
    for name, reader in readers.items():
        if "Tesseract" in name and not shutil.which("tesseract"):
            continue
        exact = right = cells = 0
        seconds = []
        for sample, truth in zip(samples, truths, strict=True):
            began = time.perf_counter()
            read = reader(sample.image, sample.places)
            seconds.append(time.perf_counter() - began)
            hits = sum(read.get(cell) == token for cell, token in truth.items())
            exact += hits == len(truth) and not any(min(cell) < 0 for cell in read)
            right += hits
            cells += len(truth)
        share = 100 / max(len(samples), 1)
        scores.append(
            Score(name, len(samples), exact * share, 100 * right / max(cells, 1), 1000 * float(np.median(seconds)))
        )
    return scores
