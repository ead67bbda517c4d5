"""The drawn board: rings, bridges, and what is coloured where."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.games.hashi.picture import BRIDGE, DONE, INK, PAPER, WRONG, draw, pitch_of
from autoplayer.games.hashi.puzzle import Link, Puzzle, parse


def across(image, puzzle, a, b):
    """How many lines of a bridge's colour cross the middle between two neighbouring islands."""
    pitch = pitch_of(puzzle)
    (x, y), (u, v) = (((c + 1) * pitch, (r + 1) * pitch) for r, c in (a, b))
    x, y, reach = (x + u) // 2, (y + v) // 2, pitch // 4
    line = image[y - reach : y + reach, x] if a[0] == b[0] else image[y, x - reach : x + reach]
    on = (np.abs(line.astype(int) - np.array(BRIDGE[::-1])) < 40).all(axis=1)
    return int((np.diff(np.concatenate(([0], on.astype(int)))) == 1).sum())


def ground(image, puzzle, cell):
    """The colour (RGB) of an island above its number."""
    pitch = pitch_of(puzzle)
    return image[round((cell[0] + 0.74) * pitch), (cell[1] + 1) * pitch, ::-1].astype(int)


def are(colours, expected):
    return all(np.abs(one - two).max() <= 6 for one, two in zip(colours, expected, strict=True))


@pytest.mark.parametrize("text", ["2..2", "2\n.\n2", "22", "2\n2"])
@pytest.mark.parametrize("links", [0, 1, 2])
def test_a_bridge_has_as_many_lines_as_links(text, links):
    puzzle = parse(text)
    a, b = puzzle.bridges[0]
    image = draw(puzzle, (Link(a, b, links),) if links else ())
    assert image.dtype == np.uint8
    assert image.shape == ((puzzle.height + 1) * pitch_of(puzzle), (puzzle.width + 1) * pitch_of(puzzle), 3)
    assert across(image, puzzle, a, b) == links


def test_an_island_is_paper_until_it_is_solved_then_it_tells():
    puzzle = parse("1.2.1")
    plain = draw(puzzle)
    assert are([ground(plain, puzzle, cell) for cell in puzzle.islands], [PAPER] * 3)
    half = draw(puzzle, (Link((0, 0), (0, 2), 1),))
    assert are([ground(half, puzzle, cell) for cell in puzzle.islands], [DONE, WRONG, WRONG])


def test_every_number_is_ink_in_its_island():
    puzzle = parse("12345678")
    image, pitch = draw(puzzle), pitch_of(parse("12345678"))
    glyphs = set()
    for column in range(8):
        reach = pitch // 4
        x, y = (column + 1) * pitch, pitch
        glyph = (np.abs(image[y - reach : y + reach, x - reach : x + reach].astype(int) - INK[0]) < 60).all(axis=2)
        assert glyph.sum() > 20
        glyphs.add(glyph.tobytes())
    assert len(glyphs) == 8


@pytest.mark.parametrize(("height", "width"), [(1, 2), (70, 70), (2, 300)])
def test_every_size_has_a_picture(height, width):
    puzzle = Puzzle(tuple(tuple(1 for _ in range(width)) for _ in range(height)))
    assert draw(puzzle).shape == ((height + 1) * pitch_of(puzzle), (width + 1) * pitch_of(puzzle), 3)
    assert pitch_of(puzzle) >= 24


def test_a_wrong_solution_is_drawn_as_well():
    puzzle = parse("1.1\n...\n1.1")
    draw(puzzle, (Link((0, 0), (2, 2), 1), Link((0, 0), (0, 9), 2), Link((1, 0), (1, 2), 1), Link((0, 0), (0, 0), 1)))
