"""Reads a board of Cardinal Chains from a picture of any window: where its cells are, and what stands in them.

A cell is a place of the lattice in which a number or an X stands; everything else is a hole. So the lattice is found
first (``vision.lattice``), then what each place shows (``vision.ink``), then which glyph it is (``vision.glyphs``),
equal glyphs once for all their cells. What is not certain leaves here as a doubt; the rules decide it in ``settle``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell, Floats, Image, Mask
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle
from autoplayer.layout import Layout
from autoplayer.vision import glyphs, ink, lattice

CERTAIN = 0.98
"""A glyph less probable than this is a doubt. The network is calibrated: of a hundred such, two are wrong."""

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""

SAME_GLYPH = 0.985
"""Correlation of two inks above which they are the same glyph; different digits of one font stay below 0.95."""

MOST_CELLS = 40 * 40


@dataclass(frozen=True)
class _Place:
    """A place of the lattice that holds something, with what it may be: ``(token, probability)``, best first."""

    content: ink.Content
    box: Box
    candidates: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class _Board:
    lattice: lattice.Lattice
    places: dict[Cell, _Place]
    score: float


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """What stands in ``image`` (BGR). Raises UnreadableError with the reason where no board is seen."""
    reason = "no lattice of equal cells was found in it"
    best: _Board | None = None
    for found, walled, strength, level in _lattices(image):
        board = _look(image, found, walled, strength, level)
        if board is None or (best is not None and board.score <= best.score):
            continue
        best = board
        if _convincing(board):
            break
    if best is None:
        raise UnreadableError(f"no board of Cardinal Chains is seen: {reason}")
    _refuse_what_is_no_board(best)
    return _reading(image, best)


def _lattices(image: Image) -> Iterator[tuple[lattice.Lattice, bool, Mask, float]]:
    """Lattices worth a look, the likeliest first: ``(lattice, whether its cells have walls, edges, noise)``."""
    if image.ndim != 3 or image.shape[0] < 24 or image.shape[1] < 24:
        return
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    level = lattice.noise(gray)
    strength = lattice.edge_strength(image)
    tried: set[tuple[int, ...]] = set()

    def fresh(found: lattice.Lattice | None) -> bool:
        if found is None or len(found.cells) > MOST_CELLS:
            return False
        key = (round(found.pitch_x), round(found.pitch_y), len(found.cells), round(found.x), round(found.y))
        return key not in tried and not tried.add(key)  # type: ignore[func-returns-value]

    for threshold in (max(12.0, 5 * level), max(5.0, 3 * level), max(30.0, 8 * level)):
        hypotheses = []
        for group in lattice.groups(lattice.regions(strength, threshold)):
            found = lattice.fit(group, 0.12)
            if found is not None and fresh(found):
                hypotheses.append(found)
        for found in sorted(hypotheses, key=lambda one: -len(one.cells) * one.pitch)[:4]:
            yield found, True, strength, level
    for reach in (3, 7, 1):
        hypotheses = []
        for group in lattice.groups(lattice.marks(gray, reach), 0.25, by_width=False):
            found = lattice.fit(group, 0.25)
            if found is not None and fresh(found):
                hypotheses.append(found)
        for found in sorted(hypotheses, key=lambda one: -len(one.cells))[:2]:
            yield found, False, strength, level


def _look(image: Image, found: lattice.Lattice, walled: bool, strength: Mask, level: float) -> _Board | None:
    """Reads every place of a lattice and grows it as long as its neighbours hold something of the same kind."""
    height, width = image.shape[:2]
    share_x = min(found.width / found.pitch_x, 0.98) if walled else 0.96
    share_y = min(found.height / found.pitch_y, 0.98) if walled else 0.96
    contents: dict[Cell, ink.Content] = {}
    boxes: dict[Cell, Box] = {}
    todo = deque(sorted(found.cells))
    seen = set(todo)
    fills: list[Floats] = []
    while todo:
        cell = todo.popleft()
        whole = found.box(cell)
        w, h = round(found.pitch_x * share_x), round(found.pitch_y * share_y)
        inner = Box(whole.centre[0] - w // 2, whole.centre[1] - h // 2, w, h)
        if inner.x < -w * 0.1 or inner.y < -h * 0.1 or inner.x + w > width + w * 0.1 or inner.y + h > height + h * 0.1:
            continue
        here = ink.content(image, inner, level)
        if here.bare and cell not in found.cells:
            continue
        if cell in found.cells:
            fills.append(here.ground)
        elif not _belongs(found, cell, here, walled, strength) and not (walled and _filled(here, fills)):
            continue
        contents[cell], boxes[cell] = here, whole
        row, column = cell
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if near not in seen and len(seen) < 4 * MOST_CELLS:
                seen.add(near)
                todo.append(near)
    full = [cell for cell, here in sorted(contents.items()) if not here.bare]
    if len(full) < 2:
        return None
    candidates = _classify([contents[cell] for cell in full])
    places = {
        cell: _Place(contents[cell], boxes[cell], options) for cell, options in zip(full, candidates, strict=True)
    }
    score = sum(2 * _probability(place.candidates) - 1 for place in places.values())
    return _Board(found, places, score)


def _belongs(found: lattice.Lattice, cell: Cell, here: ink.Content, walled: bool, strength: Mask) -> bool:
    """Whether a place that was not among the lattice's equal boxes is a cell: walls on two sides or more, or, where
    cells have none, a mark of the same height."""
    if not walled:
        return bool(0.7 * found.height <= here.box.height <= 1.4 * found.height)
    box = found.box(cell)
    band = max(1, round(0.14 * found.pitch))
    edges = 0
    for x, y, w, h, axis in (
        (box.x - band, box.y + band, 2 * band, box.height - 2 * band, 1),
        (box.x + box.width - band, box.y + band, 2 * band, box.height - 2 * band, 1),
        (box.x + band, box.y - band, box.width - 2 * band, 2 * band, 0),
        (box.x + band, box.y + box.height - band, box.width - 2 * band, 2 * band, 0),
    ):
        side = Box(x, y, w, h).crop(strength)
        edges += bool(side.size and float((side.max(axis=axis) > 12).mean()) > 0.8)
    return edges >= 2


def _filled(here: ink.Content, fills: Sequence[Floats]) -> bool:
    """Whether a place is filled with the colour of some of the cells, and not of most: a drawn chain swallows the
    walls between its cells, and only its colour, which is its start's, says that they are cells."""
    alike = sum(float(np.abs(here.ground - fill).max()) < 12 for fill in fills)
    return 0 < alike < 0.5 * len(fills)


def _classify(contents: Sequence[ink.Content]) -> list[tuple[tuple[str, float], ...]]:
    """The candidates of each place; equal glyphs are judged together, with the evidence of all of them."""
    single = glyphs.read_numbers([here.ink for here in contents])
    cluster = _clusters([here.ink for here in contents])
    joint: dict[int, dict[str, float]] = {}
    for number, options in zip(cluster, single, strict=True):
        sums = joint.setdefault(number, {})
        for token, probability in options:
            sums[token] = sums.get(token, 0.0) + probability
    result = []
    for number in cluster:
        total = sum(joint[number].values())
        ranked = sorted(((token, p / total) for token, p in joint[number].items()), key=lambda pair: -pair[1])
        result.append(tuple((token, p) for token, p in ranked if p >= NEGLIGIBLE) or (ranked[0],))
    return result


def _clusters(inks: Sequence[Floats]) -> list[int]:
    """A number for each ink, the same for inks that show the same glyph."""
    size = 20
    vectors, shapes = [], []
    for one in inks:
        small = cv2.resize(one, (size, size), interpolation=cv2.INTER_AREA).ravel()
        small = small - small.mean()
        vectors.append(small / max(float(np.linalg.norm(small)), 1e-6))
        shapes.append(one.shape)
    alike = np.stack(vectors) @ np.stack(vectors).T
    h, w = np.array(shapes, float).T
    alike[
        (np.abs(h[:, None] - h) > np.maximum(1.5, 0.08 * h)) | (np.abs(w[:, None] - w) > np.maximum(1.5, 0.08 * w))
    ] = 0
    cluster = [-1] * len(inks)
    for i in range(len(inks)):
        if cluster[i] < 0:
            # Only against the first of a cluster: chains of small changes must not join two glyphs.
            for j in np.flatnonzero(alike[i] > SAME_GLYPH):
                if cluster[j] < 0:
                    cluster[j] = i
            cluster[i] = i
    return cluster


def _probability(candidates: Sequence[tuple[str, float]]) -> float:
    """The probability of the best number or X; 0 where nothing of the kind is likelier than something else."""
    token, probability = candidates[0]
    return probability if token else 0.0


def _convincing(board: _Board) -> bool:
    """Whether looking for a better lattice is a waste of time."""
    sure = sum(_probability(place.candidates) > 0.9 for place in board.places.values())
    return sure >= 3 and sure >= 0.95 * len(board.places) and _has_start(board)


def _has_start(board: _Board) -> bool:
    return any(place.candidates[0][0] == "X" for place in board.places.values())


def _refuse_what_is_no_board(board: _Board) -> None:
    legible = sum(_probability(place.candidates) > 0.5 for place in board.places.values())
    if legible < 2 or legible < 0.7 * len(board.places):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: of {len(board.places)} marks on a lattice only {legible} look like"
            " a number or an X"
        )
    if not any(token == "X" and p > 0.05 for place in board.places.values() for token, p in place.candidates):
        raise UnreadableError(
            f"no board of Cardinal Chains is seen: there are {legible} numbers on a lattice, but no start with an X"
        )


def _reading(image: Image, board: _Board) -> Reading[Puzzle]:
    top, left = min(r for r, _ in board.places), min(c for _, c in board.places)
    places = {(r - top, c - left): place for (r, c), place in sorted(board.places.items())}
    rows, columns = 1 + max(r for r, _ in places), 1 + max(c for _, c in places)
    grid: list[list[int | None]] = [[None] * columns for _ in range(rows)]
    doubts: dict[tuple[tuple[str, float], ...], list[Cell]] = {}
    for (r, c), place in places.items():
        options = tuple((token or ".", p) for token, p in place.candidates)
        token = options[0][0]
        grid[r][c] = START if token == "X" else None if token == "." else int(token)
        if options[0][1] < CERTAIN:
            doubts.setdefault(options, []).append((r, c))
    confidence = 1.0
    for options in {place.candidates for place in places.values()}:
        confidence *= options[0][1]
    puzzle = Puzzle(tuple(map(tuple, grid)))
    return Reading(
        puzzle=puzzle,
        places={cell: place.box for cell, place in places.items()},
        doubts=tuple(Doubt(tuple(cells), options) for options, cells in doubts.items()),
        confidence=confidence,
        image=image,
        extra={"drawn": _drawn(puzzle, {cell: place.content.ground for cell, place in places.items()})},
    )


def _drawn(puzzle: Puzzle, grounds: dict[Cell, Floats]) -> dict[Cell, int]:
    """Which cells are filled with the colour of a start, by the start's index: what is left of a game in progress.

    Only cells that hang together with their start count, and only where that colour is not the plain cells' own.
    """
    drawn: dict[Cell, int] = {}
    for index, start in enumerate(puzzle.starts):
        colour = grounds[start]
        alike = {
            cell
            for cell, ground in grounds.items()
            if cell not in puzzle.starts and float(np.abs(ground - colour).max()) < 16
        }
        if len(alike) > 0.9 * (len(grounds) - len(puzzle.starts)) and len(puzzle.starts) > 1:
            continue  # an uncoloured start
        reached, todo = set(), [start]
        while todo:
            r, c = todo.pop()
            for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if near in alike and near not in reached:
                    reached.add(near)
                    todo.append(near)
        drawn.update(dict.fromkeys(reached, index))
    return drawn
