"""The reader against real pixels: every cell is compared with the truth, and where it stands. Three kinds of windows:
third parties' (where that folder is present), strange ones drawn by the bench, and the game's own picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle, parse
from autoplayer.layout import Layout
from autoplayer.settle import settle
from bench.reading import cardinal_chains as strange

LAYOUT = Layout(game="cardinal-chains")
REAL = Path(__file__).resolve().parents[3] / "shared" / "screens" / "cardinal-chains"
STILLS = sorted(REAL.glob("*.png")) if REAL.is_dir() else []


def tokens(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]


@pytest.mark.skipif(not STILLS, reason="the folder of real screenshots is not beside the project")
@pytest.mark.parametrize("path", STILLS, ids=[path.stem for path in STILLS])
def test_real_windows_are_read_without_a_layout(path):
    image = cv2.imread(str(path))
    reading = GAME.read(image, LAYOUT)
    assert tokens(format_puzzle(reading.puzzle)) == tokens(path.with_suffix(".txt").read_text(encoding="utf-8"))
    assert not reading.doubts or settle(GAME, reading).certain
    assert not reading.extra["drawn"], "nothing is drawn in these windows yet"
    for box in reading.places.values():
        assert 0 <= box.x < image.shape[1] - box.width // 2
        assert 0 <= box.y < image.shape[0] - box.height // 2


def test_strange_windows_are_read_or_doubted_but_not_wrong():
    """40 windows of the bench's development side: at least nine in ten exact after settling, none silently wrong."""
    exact, silent = 0, []
    for seed in range(40):
        sample = strange.picture(seed)
        try:
            reading = GAME.read(sample.image, LAYOUT)
        except UnreadableError:
            continue
        settled = settle(GAME, reading)
        right = tokens(format_puzzle(settled.puzzle)) == tokens(sample.text)
        exact += right
        if right:
            for cell, box in sample.places.items():
                assert box.contains(reading.places[cell].centre), f"seed {seed}: {cell} stands elsewhere"
        elif settled.certain and settled.solution is not None:
            silent.append(seed)
    assert exact >= 36
    assert silent == []


def test_what_is_drawn_already_is_told_from_the_puzzle():
    """Half-played windows in which chains fill their cells: the puzzle is the one at the start, and each drawn cell
    belongs to the right start."""
    right = told = 0
    for seed in range(40):
        sample = strange.halfway(seed)
        if "covered-by-fill" not in sample.conditions or "value-colours" in sample.conditions:
            continue
        try:
            reading = GAME.read(sample.image, LAYOUT)
        except UnreadableError:
            continue
        if tokens(format_puzzle(reading.puzzle)) != tokens(sample.text):
            continue
        right += 1
        starts = parse(sample.text).starts
        truth = {cell: starts.index(owner) for cell, owner in sample.owners.items() if cell not in starts}
        told += reading.extra["drawn"] == truth
    assert right >= 12
    assert told >= 0.8 * right


@pytest.mark.parametrize("seed", range(12))
def test_the_games_own_picture_is_read(seed):
    puzzle = GAME.generate(3 + seed % 6, 3 + seed % 5, seed)
    reading = GAME.read(GAME.draw(puzzle), LAYOUT)
    assert settle(GAME, reading).puzzle == puzzle


def test_cells_that_touch_without_walls_are_not_every_second_one():
    """Incident: only the two coloured starts stood apart from the rest, and the lattice was drawn through them at
    twice its pitch: a third of the board was read, and nothing was doubted."""
    rows = ["X 1 2 2 2 2", ". 1 1 1 2 2", "2 2 2 1 2 1", ". 2 2 1 1 1", "X 1 1 1 1 1"]
    image = np.zeros((420, 560, 3), np.uint8)
    fills = {(0, 0): (0, 0, 215), (4, 0): (215, 0, 0)}
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            if token != ".":
                x, y = 120 + 48 * c, 90 + 48 * r
                ink = (215, 215, 215) if token == "X" else (0, 0, 0)
                cv2.rectangle(image, (x, y), (x + 47, y + 47), fills.get((r, c), (215, 215, 215)), -1)
                cv2.putText(image, token, (x + 14, y + 34), cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 2, cv2.LINE_AA)
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows


@pytest.mark.parametrize(
    ("image", "why"),
    [
        (np.zeros((900, 1280, 3), np.uint8), "all black"),
        (np.full((300, 300, 3), 255, np.uint8), "all white"),
        (np.random.default_rng(0).integers(0, 256, (400, 600, 3), dtype=np.uint8), "noise"),
        (np.zeros((3, 3, 3), np.uint8), "a few pixels"),
    ],
    ids=["black", "white", "noise", "tiny"],
)
def test_a_picture_without_a_board_is_unreadable_with_a_reason(image, why):
    with pytest.raises(UnreadableError, match="no board of Cardinal Chains is seen"):
        GAME.read(image, LAYOUT)


@pytest.mark.parametrize("kind", ["not-sudoku", "not-menu", "not-text", "not-level-select", "not-photo"])
def test_another_program_is_never_played(kind):
    """Menus, texts and other games: unreadable, or so doubtful that nothing would be clicked."""
    seen = 0
    for seed in range(120):
        sample = strange.not_a_board(seed)
        if kind not in sample.conditions:
            continue
        seen += 1
        try:
            settled = settle(GAME, GAME.read(sample.image, LAYOUT))
        except UnreadableError:
            continue
        assert not settled.playable, f"seed {seed} would be played as:\n{format_puzzle(settled.puzzle)}"
        if seen == 4:
            break
    assert seen
