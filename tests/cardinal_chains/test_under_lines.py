"""Boards in the middle of play whose chains are drawn as lines over their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing import judging
from autoplayer.games.cardinal_chains.seeing.covered import under_lines
from autoplayer.games.cardinal_chains.seeing.lattice import ranking
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.layout import Layout
from autoplayer.settle import settle_trimmed
from autoplayer.vision import ink

LAYOUT = Layout(game="cardinal-chains")
COLOURS = ((60, 60, 220), (220, 120, 50), (80, 170, 60))
INK, PITCH = (40, 40, 40), 60


def middle(cell: Cell, pitch: int = PITCH) -> tuple[int, int]:
    return 50 + cell[1] * pitch + pitch // 2, 70 + cell[0] * pitch + pitch // 2


def window(
    rows: Sequence[str],
    chains: Sequence[Sequence[Cell]],
    *,
    font: int = cv2.FONT_HERSHEY_TRIPLEX,
    thick: int = 4,
    pitch: int = PITCH,
    discs: bool = False,
) -> Image:
    """White tiles; ``discs``: starts are discs in their chains' colours, and each an X otherwise."""
    image = np.full((pitch * len(rows) + 120, pitch * len(rows[0].split()) + 100, 3), 245, np.uint8)
    colours = {chain[0]: colour for chain, colour in zip(chains, COLOURS, strict=False)}
    half = pitch // 2
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = middle((r, c), pitch)
            if token != ".":
                cv2.rectangle(image, (x - half + 2, y - half + 2), (x + half - 3, y + half - 3), (255, 255, 255), -1)
            if token == "X" and discs:
                cv2.circle(image, (x, y), pitch // 5, colours[r, c], -1, cv2.LINE_AA)
            elif token != ".":
                (w, h), _ = cv2.getTextSize(token, font, pitch / 60, 2)
                cv2.putText(image, token, (x - w // 2, y + h // 2), font, pitch / 60, INK, 2, cv2.LINE_AA)
    for chain in chains:
        for one, other in pairwise(chain):
            cv2.line(image, middle(one, pitch), middle(other, pitch), colours[chain[0]], thick)
    return image


def read(image: Image) -> list[str]:
    """The board that would be played."""
    _, settled = settle_trimmed(GAME, GAME.read(image, LAYOUT))
    assert settled.playable, settled.reason
    return format_puzzle(settled.puzzle).splitlines()


@pytest.mark.parametrize(
    ("rows", "chains", "look"),
    [
        (
            ["3 3 1 1", "4 3 2 X", "4 3 2 2", "4 2 X 2"],
            [[(1, 3), (0, 3), (0, 2), (1, 2)], [(3, 2), (3, 1), (2, 1), (1, 1), (0, 1)]],
            {},
        ),
        (["1 X .", "2 3 2", "2 2 2"], [[(0, 1), (0, 0), (1, 0)]], {"font": cv2.FONT_HERSHEY_DUPLEX, "discs": True}),
        (
            ["2 2 3 3", "3 2 3 .", "3 2 2 X", ". 1 1 X"],
            [[(2, 3), (2, 2)], [(3, 3), (3, 2), (3, 1), (2, 1)]],
            {"font": cv2.FONT_HERSHEY_COMPLEX, "thick": 2, "pitch": 72},
        ),
    ],
)
def test_what_shows_beside_a_line_says_which_number_it_crosses(
    rows: list[str], chains: list[list[Cell]], look: dict[str, Any]
) -> None:
    """Incidents: the line was read with the glyph, as another number, a start or nothing, and such boards were
    played. The number of the second board that its line hides stands nowhere else."""
    assert read(window(rows, chains, **look)) == rows


def place(token: str, chance: float, cell: Cell = (0, 0), colour: tuple[int, int, int] = INK) -> Place:
    """A place of 20x20 pixels whose ink reaches its border."""
    box = Box(20 * cell[1], 20 * cell[0], 20, 20)
    content = ink.Content(
        np.full(3, 255.0), np.ones((20, 20), np.float32), box, np.array(colour, np.float32), 200.0, box
    )
    return Place(content, box, ((token, chance), ("1" if token == "X" else "X", 1 - chance)), 1, False)


def board(lines: Mapping[tuple[Cell, Cell], tuple[int, int, int]]) -> Any:
    """What knows of chains between two places, each with its colour."""

    def into(cell: Cell) -> dict[Cell, Any]:
        return {
            other: np.array(colour, np.float32)
            for pair, colour in lines.items()
            for one, other in (pair, pair[::-1])
            if one == cell
        }

    return SimpleNamespace(lines_into=into)


RED = COLOURS[0]


def test_chains_do_not_branch() -> None:
    """What comes into a place from three sides joins all places, as the lines of a map do."""
    places = {cell: place("1", 0.6, cell) for cell in ((0, 1), (1, 0), (1, 1), (1, 2))}
    two = {((1, 1), (1, 0)): RED, ((1, 1), (1, 2)): RED}
    assert under_lines._lines(board(two), places).keys() == {(1, 0), (1, 1), (1, 2)}
    assert not under_lines._lines(board({**two, ((1, 1), (0, 1)): RED}), places)


@pytest.mark.parametrize(
    ("box", "is_line"),
    [
        (Box(6, 20, 14, 12), False),
        (Box(6, 20, 8, 20), False),
        (Box(0, 20, 20, 12), True),
        (Box(6, 20, 8, 12), True),
    ],
    ids=["aside", "through", "broad end", "end"],
)
def test_what_runs_on_through_a_place_without_a_glyph_is_no_line_in_the_next_one(box: Box, is_line: bool) -> None:
    """Incident: a pointer's outline led from a hole to a 4, which became the start of a line without a doubt."""
    blank = place("", 0.985, (1, 0))
    blank = replace(blank, content=replace(blank.content, box=box, ink=np.ones((box.height, box.width), np.float32)))
    found = under_lines._lines(board({((0, 0), (1, 0)): RED}), {(0, 0): place("4", 0.6), (1, 0): blank})
    assert ((0, 0) in found) is is_line


@pytest.mark.parametrize(("other", "least", "most"), [(0.999, 0.0, 0.05), (0.01, 0.9, 1.0)])
def test_a_chain_has_a_start_at_one_of_its_ends_only(other: float, least: float, most: float) -> None:
    into = {(0, 1): {(0, 0): np.zeros(3), (0, 2): np.zeros(3)}}
    places = {
        (0, 0): place("X", other),
        (0, 1): place("1", 0.99, (0, 1)),
        (0, 2): place("X", 0.5, (0, 2)),
    }
    found = under_lines._begun_once(into, places, {}, lambda cell: into.get(cell, {}))
    assert least <= dict(found[0, 2].candidates).get("X", 0.0) <= most


def test_a_line_that_goes_on_as_the_ground_of_places_does_not_end_there() -> None:
    """Only of places on another ground than the line's it is asked whether one leads in: the others lie within it."""
    along = {(0, 0): [(0, 1)], (0, 1): [(0, 0), (0, 2)], (0, 2): [(0, 1), (0, 3)], (0, 3): [(0, 2)]}
    into = {(0, 0): {(0, 1): np.array(RED, np.float32)}}
    joined = under_lines._joined(into, lambda cell: dict.fromkeys(along[cell], np.array(RED, np.float32)))
    assert joined == {cell: set(near) for cell, near in along.items()}


MIDDLE = 20, 20


def patch(end: int = 0) -> Any:
    """A place of 40x40 pixels into whose middle a line of four leads from above; ``end``: the radius of what is around
    its end in the same colour."""
    image = np.full((40, 40, 3), 255, np.uint8)
    cv2.line(image, (20, 0), (20, 20), RED, 4)
    if end:
        cv2.circle(image, (20, 20), end, RED, -1)
    return image.astype(np.float32)


def test_a_mark_at_the_end_of_a_line_is_more_than_its_round_end() -> None:
    line = np.array(RED, np.float32)
    assert under_lines._mark(patch(), line, MIDDLE) == 0
    assert under_lines._mark(patch(3), line, MIDDLE) == 0
    assert under_lines._mark(patch(10), line, MIDDLE) > 100
    for turned in (np.rot90(patch(3), k) for k in range(4)):
        assert under_lines._mark(np.ascontiguousarray(turned), line, MIDDLE) == 0


def test_a_line_ends_in_the_middle_of_its_place() -> None:
    """Incident: what is looked at reaches farther to one side than to the other, and a dot at the end of a line in its
    own half was a mark."""
    line = np.array(RED, np.float32)
    for top, bottom in ((8, 40), (0, 32)):
        assert under_lines._mark(patch(4)[top:bottom], line, (20, 20 - top)) == 0
        assert under_lines._mark(patch(10)[top:bottom], line, (20, 20 - top)) > 100


def test_the_dots_of_a_line_in_all_its_places_mark_no_start() -> None:
    """Incidents: a 1 at the end of a line with a dot in each of its places was played as a start; and so was one whose
    line has only two, for the second piece of a turning line hid more of its dot."""
    line, straight, turn = np.array(RED, np.float32), patch(10), patch(10)
    cv2.line(straight, (20, 20), (20, 39), RED, 4)
    cv2.line(turn, (20, 20), (39, 20), RED, 4)
    for through in (straight, turn):
        assert under_lines._mark(patch(10), line, MIDDLE, under_lines._dots([(line, through)])) == 0
        assert under_lines._mark(patch(14), line, MIDDLE, under_lines._dots([(line, through)])) > 100
    cv2.line(straight, (20, 20), (39, 20), RED, 4)
    assert under_lines._dots([(line, straight)]) is None  # three lines meet there


def test_a_line_that_turns_and_goes_on_is_no_mark_at_its_end() -> None:
    """Incident: a 1 upon the last turn of a line before its start, from which none was seen to come, was a start."""
    turned = patch()
    cv2.line(turned, (20, 20), (39, 20), RED, 4)
    assert under_lines._mark(turned, np.array(RED, np.float32), MIDDLE) == 0
    assert under_lines._mark(patch(21), np.array(RED, np.float32), MIDDLE) > 100  # a mark as large as the place


def test_a_line_that_leaves_as_broad_as_it_came_does_not_begin_there() -> None:
    """Incident: a 4 upon the turn of a line was a start without a doubt, for a pointer covered its tip, and noise the
    way on."""
    turned, line = patch(), np.array(RED, np.float32)
    cv2.line(turned, (20, 20), (39, 20), RED, 4)
    assert under_lines._goes_on(turned, line)
    for mark in (0, 10, 21):  # the largest reaches all sides
        assert not under_lines._goes_on(patch(mark), line)


def test_a_number_half_out_of_the_end_of_its_line_is_no_empty_place() -> None:
    """Incident: all others stood within the line, as if it were their cells' ground, and the last one was left out
    without a doubt."""
    rows, grey = ["X", "1", "2", "3", "3"], (150, 150, 150)
    image = np.full((5 * PITCH + 140, 220, 3), 33, np.uint8)
    for r in range(len(rows)):
        x, y = middle((r, 0))
        half = PITCH // 2
        cv2.rectangle(image, (x - half, y - half), (x + half, y + half), grey, 3)
    x, y = middle((0, 0))
    cv2.rectangle(image, (x - 28, y - 28), (x + 28, y + 28), COLOURS[1], -1)
    cv2.line(image, (x, y), middle((4, 0)), COLOURS[1], 22, cv2.LINE_AA)
    for r, token in enumerate(rows):
        x, y = middle((r, 0))
        y += 8 if r == 4 else 0
        (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 2)
        cv2.putText(image, token, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (250, 250, 250), 1)
    reading = GAME.read(cv2.GaussianBlur(image, (0, 0), 0.8), LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines()[:4] == rows[:4]
    assert (4, 0) in {cell for doubt in reading.doubts for cell in doubt.cells} or (4, 0) in reading.puzzle.cells


def test_where_a_line_hides_all_a_start_may_stand_at_its_end_and_none_on_its_way() -> None:
    left, often = {"1": 0.0}, {"1": 5}
    ends = under_lines._compared({"1": 0.99, "": 0.01}, left, often, True, 0.0)
    on_its_way = under_lines._compared({"1": 0.6, "X": 0.4}, left, often, False, 0.0)
    assert ends["X"] > 0.2
    assert on_its_way["X"] < 0.05 * on_its_way["1"]


@pytest.mark.parametrize(("shown", "least", "most"), [(0.2, 0.5, 1.0), (1.0, 0.0, 0.1)])
def test_the_less_shows_at_a_lines_end_the_less_speaks_against_a_start(shown: float, least: float, most: float) -> None:
    """Incident: the tips of an X beside a broad line were a 1, for the board showed no other number."""
    found = under_lines._compared({"": 0.906, "X": 0.094}, {"1": 0.049}, {"1": 4}, True, shown)
    assert least <= found["X"] / found["1"] <= most


def test_a_number_that_has_no_look_yet_may_stand_where_none_explains_what_shows() -> None:
    """The board's numbers are 2 and 3: neither is what is seen, so that it may be a 1."""
    found = under_lines._compared({"2": 0.99}, {"2": 0.3, "3": 0.4}, {"2": 3, "3": 3}, False, 1.0)
    assert max(found, key=lambda token: found[token]) == "1"
    found = under_lines._compared({"2": 0.99}, {"2": 0.04, "3": 0.4}, {"2": 3, "3": 3}, False, 1.0)
    assert found.get("1", 0.0) < 0.01 * found["2"]


def test_closed_cells_into_which_chains_lead_are_more_than_the_glyphs_beside_them() -> None:
    """Incident: two columns of tiles that lines made hard to read were left out, and what was left was played. Without
    a chain that leads there, what else is closed may be anything."""
    cells = [(r, c) for r in range(3) for c in range(3)]
    closed: Any = board({((0, 0), (1, 0)): RED})
    closed.places = {cell: place("1", 0.6, cell) for cell in cells}
    part: Any = SimpleNamespace(walled=False, places={cell: place("1", 0.99, cell) for cell in cells if cell[1] > 0})
    assert ranking.is_crossed_beside(closed, part)
    closed.lines_into = board({}).lines_into
    assert not ranking.is_crossed_beside(closed, part)
    closed.lines_into = board({((0, 0), (1, 0)): RED}).lines_into
    part.places[3, 3] = place("1", 0.99, (3, 3))  # a glyph in none of the closed cells
    assert not ranking.is_crossed_beside(closed, part)


def test_chains_whose_lines_were_there_before_the_reading_are_held_from_the_start() -> None:
    """Incident: a level that had been begun was played to its end, and the cells that were held at first were missed:
    starts in the numbers' ink do not tell which colour their chains have."""
    rows = ["3 3 1 1", "4 3 2 X", "4 3 2 2", "4 2 X 2"]
    begun = [[(1, 3), (0, 3), (0, 2), (1, 2)], [(3, 2), (3, 1), (2, 1), (1, 1), (0, 1)]]
    image = window(rows, begun)
    reading, settled = settle_trimmed(GAME, GAME.read(image, LAYOUT))
    assert settled.solution is not None
    for picture in (image, image.copy()):
        seen = GAME.progress(reading, settled.puzzle, settled.solution, picture)
        assert (seen.present, seen.done, seen.wrong) == (True, 7, 0)
    whole = GAME.progress(reading, settled.puzzle, settled.solution, window(rows, settled.solution))
    assert whole.complete


def test_what_looks_like_nothing_under_a_line_says_nothing_of_which_number_it_is() -> None:
    """Incident: a 1 whose line hid most of it was played as a 4, of which the network saw a trace."""
    seen, left = {"": 0.991, "4": 0.006, "3": 0.002}, {"1": 0.0, "4": 0.077, "3": 0.174}
    found = under_lines._compared(seen, left, {"1": 9, "4": 2, "3": 20}, False, 1.0)
    assert max(found, key=lambda token: found[token]) == "1"


@pytest.mark.parametrize("walled", [False, True])
def test_a_start_alone_beyond_an_empty_row_is_none_of_a_board_without_walls(walled: bool) -> None:
    """Incident: a sign in a heading was a start by itself, and nothing was in doubt."""
    places = {(r, c): place("1", 0.99, (r, c)) for r in range(3) for c in range(3)} | {(-2, 1): place("X", 0.99)}
    seen: Any = SimpleNamespace(places=places, walled=walled)
    assert judging._apart(seen) == ([] if walled else [(-2, 1)])
