"""Which chain holds which cell on a text screen, by the colours of the characters and of the blocks behind some of
them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.playing.drawn import Drawn, owners
from autoplayer.games.cardinal_chains.playing.samples import samples_of
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution
from autoplayer.games.cardinal_chains.seeing.text import screens

SAME_COLOUR, RIM, OTHER_CHARACTER, LOST, INVERSE = 14.0, 1, 0.06, 0.02, 0.2
"""The largest distance in CIE Lab between characters of the same colour; the row of samples, from above and below, that
only a filled block reaches; the mean difference in shape from which two characters are different, and how much of that
a bold one may have lost; and the largest distance, relative to that of its block, between the colour of a character and
the screen when the two have been exchanged: thin strokes are not seen in their full colour."""


def in_characters(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Drawn:
    """As :func:`drawn.in_cells`: chains colour their characters, and one of these may stand in a filled block. Such
    colours are exact, and do not depend on what a cell looked like before."""
    cells = [cell for cell in puzzle.cells if cell in reading.places]
    text: screens.Text = reading.extra["text"]
    boxes = [reading.places[cell] for cell in cells]
    if text.typed:
        boxes = [_in_its_line(box, round(text.between)) for box in boxes]
    down = screens.moved(text.foot, text.step, puzzle.height, image)
    moved = [replace(box, y=box.y + down) for box in boxes]
    before, now = (_characters(samples_of(picture, at)) for picture, at in ((reading.image, boxes), (image, moved)))
    comparable = ~(before.blocked | now.blocked)
    gained = now.shapes - before.shapes
    changed = comparable & (np.abs(gained).mean(axis=(1, 2)) > OTHER_CHARACTER)
    bold = np.clip(-gained, 0, None).mean(axis=(1, 2)) < LOST
    numbers = [k for k, cell in enumerate(cells) if cell not in puzzle.starts]
    starts = [cells.index(start) for start in puzzle.starts if start in reading.places]
    own = now.colours[starts]
    in_blocks = bool(starts) and _stand_in_blocks(now, starts)
    plain = _plain_colours(before.colours, [puzzle.rows[r][c] for r, c in cells], starts)
    candidates: dict[Cell, frozenset[int]] = {}
    for k in numbers:
        if in_blocks and now.blocked[k]:
            by_block = np.linalg.norm(now.blocks[starts] - now.blocks[k], axis=1)
            if float(by_block.min()) < SAME_COLOUR:
                candidates[cells[k]], changed[k] = frozenset((int(by_block.argmin()),)), False
                continue
        off = float(np.linalg.norm(plain[k] - now.colours[k]))
        apart = np.linalg.norm(own - now.colours[k], axis=1)
        near = frozenset(np.flatnonzero(apart < max(SAME_COLOUR, float(apart.min()) + 1)).tolist())
        coloured = off > SAME_COLOUR
        changed[k] &= not (coloured and bold[k])
        if changed[k]:
            like = np.abs(now.shapes[starts] - now.shapes[k]).mean(axis=(1, 2)) < OTHER_CHARACTER
            if (like & (apart < SAME_COLOUR)).any():  # where a chain has been, its start's sign stands
                candidates[cells[k]], changed[k] = near, False
            continue
        if now.blocked[k] and off < float(apart.min()):  # thin strokes in a block are paler than all others
            coloured = False
        if coloured:
            candidates[cells[k]] = near
        elif now.blocked[k] and not before.blocked[k]:
            candidates[cells[k]] = frozenset(range(len(own)))  # an end that does not show whose it is
    return Drawn(owners(candidates, puzzle, solution), tuple(cell for k, cell in enumerate(cells) if changed[k]))


def _in_its_line(place: Box, high: int) -> Box:
    """A place without the free lines above and below its character; ``high``: of a line, pixels."""
    return replace(place, y=place.y + (place.height - high) // 2, height=high)


def _stand_in_blocks(now: _Characters, starts: Sequence[int]) -> bool:
    """Whether each start stands in a block in a colour of its own, and so do its chain's numbers."""
    apart = np.linalg.norm(now.blocks[starts][:, None] - now.blocks[starts][None], axis=2)
    return bool(now.blocked[starts].all() and (apart + np.diag(np.full(len(starts), np.inf)) > SAME_COLOUR).all())


def _plain_colours(colours: Floats, tokens: Sequence[int | None], starts: Sequence[int]) -> Floats:
    """The colour that each character has while no chain holds it, shape ``(cells, 3)``: that of most numbers, or a
    colour of its own for each number, if equal numbers have equal colours and several of these belong to no start."""
    numbers = [k for k in range(len(tokens)) if k not in starts]
    plain = np.tile(np.median(colours[numbers or starts], axis=0), (len(tokens), 1))
    by_number = plain.copy()
    for token in {tokens[k] for k in numbers}:
        same = [k for k in numbers if tokens[k] == token]
        by_number[same] = np.median(colours[same], axis=0)
    if not numbers or float(np.linalg.norm(colours - by_number, axis=1)[numbers].max()) > SAME_COLOUR:
        return np.asarray(plain, np.float32)
    others = [k for k in numbers if np.linalg.norm(colours[starts] - colours[k], axis=1).min() > SAME_COLOUR]
    several = bool(others) and float(np.linalg.norm(colours[others] - colours[others[0]], axis=1).max()) > SAME_COLOUR
    return np.asarray(by_number if several else plain, np.float32)


@dataclass(frozen=True)
class _Characters:
    """What the cells of a text screen show. ``shapes``: how much of its character a sample holds, 0 to 1, shape
    ``(cells, SIDE, SIDE)``; ``colours``: the characters' colours, or the blocks' where character and block have
    exchanged theirs, CIE Lab, shape ``(cells, 3)``; ``blocked``: which of them stand in a filled block, shape
    ``(cells,)``; ``blocks``: the blocks' colours, and the screen's, shape ``(cells, 3)``."""

    shapes: Floats
    colours: Floats
    blocked: NDArray[np.bool_]
    blocks: Floats


def _characters(samples: Floats) -> _Characters:
    count = len(samples)
    screen = np.median(samples[:, :, [0, -1]].reshape(-1, 3), axis=0)
    away = np.linalg.norm(samples - screen, axis=3)
    # A block reaches farther up and down than its character.
    filled = (away[:, RIM] > SAME_COLOUR) & (away[:, -1 - RIM] > SAME_COLOUR)
    filled &= np.roll(filled, 1, axis=1) & np.roll(filled, -1, axis=1)  # its outermost columns are half the screen's
    blocked = filled.sum(axis=1) > 1
    blocks = {k: np.median(samples[k][:, filled[k]].reshape(-1, 3), axis=0) for k in np.flatnonzero(blocked).tolist()}
    for k, block in blocks.items():
        away[k] = np.where(filled[k], np.linalg.norm(samples[k] - block, axis=2), 0)
    flat = away.reshape(count, -1)
    colours = samples.reshape(count, -1, 3)[np.arange(count), flat.argmax(axis=1)]
    for k, block in blocks.items():
        if float(np.linalg.norm(colours[k] - screen)) < SAME_COLOUR + INVERSE * float(np.linalg.norm(block - screen)):
            colours[k] = block
    shapes = away / np.maximum(flat.max(axis=1), 1)[:, None, None]
    grounds = np.stack([blocks.get(k, screen) for k in range(count)])
    return _Characters(
        np.asarray(shapes, np.float32), np.asarray(colours, np.float32), np.asarray(blocked, np.bool_), grounds
    )
