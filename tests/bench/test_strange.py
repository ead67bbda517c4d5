"""The generated windows of ``bench/reading``: a seed always gives the same picture, cells are where the truth says, the
development side uses nothing of the held-out side, and a wrong board is judged as wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.games import load
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cardinal_chains.puzzle import parse
from bench.reading import cardinal_chains as chains
from bench.reading import damage, faces, grounds
from bench.reading.drawn_faces import DRAWN, PIXEL_FACES
from bench.reading.face import TOKENS, Face
from bench.reading.judge import judge, tokens_of
from bench.reading.strange import Sample

GAME = load("cardinal-chains")
SIDES: list[faces.Side] = ["development", "held"]


@cache
def picture(seed: int, side: faces.Side) -> Sample:
    """A window that several tests look at."""
    return chains.picture(seed, side)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("draw", [chains.picture, chains.halfway, chains.not_a_board, chains.dotted])
def test_a_seed_gives_the_same_sample_again(draw: Callable[..., Sample], side: faces.Side) -> None:
    first, second, other = draw(11, side), draw(11, side), draw(12, side)
    assert np.array_equal(first.image, second.image)
    assert (first.text, first.conditions, first.places, first.owners) == (
        second.text, second.conditions, second.places, second.owners,
    )  # fmt: skip
    assert not np.array_equal(first.image, other.image)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(12))
def test_the_truth_is_a_board_whose_cells_stand_inside_the_window(seed: int, side: faces.Side) -> None:
    sample = picture(seed, side)
    height, width, depth = sample.image.shape
    assert sample.image.dtype == np.uint8
    assert depth == 3
    assert 240 * 0.8 <= height <= 1920
    assert 320 * 0.8 <= width <= 1920
    puzzle = parse(sample.text)
    assert set(puzzle.cells) == set(sample.places)
    assert puzzle.starts
    for (row, column), box in sample.places.items():
        assert 21 <= box.width <= 121
        assert box.x >= -1
        assert box.y >= -1
        assert box.x + box.width <= width + 1
        assert box.y + box.height <= height + 1
        if (row, column + 1) in sample.places:
            assert abs(sample.places[row, column + 1].x - (box.x + box.width)) <= 1
    # No window can show empty rows or columns at the edge of a board.
    rows, columns = {r for r, _ in sample.places}, {c for _, c in sample.places}
    assert {0, puzzle.height - 1} <= rows
    assert {0, puzzle.width - 1} <= columns


@pytest.mark.parametrize("seed", range(12))
def test_every_cell_shows_something(seed: int) -> None:
    sample = picture(seed, "development")
    gray = cv2.cvtColor(sample.image, cv2.COLOR_BGR2GRAY)
    for cell, box in sample.places.items():
        inset = box.width // 5
        middle = gray[box.y + inset : box.y + box.height - inset, box.x + inset : box.x + box.width - inset]
        assert int(middle.max()) - int(middle.min()) >= 15, (sample.name, cell)


def test_a_plain_window_shows_dark_digits_where_its_truth_says_so() -> None:
    sample = chains.plain(4, 5, (640, 480))
    gray = cv2.cvtColor(sample.image, cv2.COLOR_BGR2GRAY)
    shapes: dict[str, list[Any]] = {}
    for cell, token in tokens_of(sample.text).items():
        box = sample.places[cell]
        inset = box.width // 6
        crop = gray[box.y + inset : box.y + box.height - inset, box.x + inset : box.x + box.width - inset]
        shapes.setdefault(token, []).append(cv2.resize(crop, (40, 40)).astype(int))
    numbers = {token: crops for token, crops in shapes.items() if token != "X"}
    assert len(numbers) > 3
    for token, crops in numbers.items():
        within = max(np.abs(a - b).mean() for a in crops for b in crops)
        across = min(np.abs(crops[0] - other[0]).mean() for name, other in numbers.items() if name != token)
        assert within < across, token


@pytest.mark.parametrize("seed", range(12))
def test_halfway_boards_keep_the_rules_and_show_the_colours(seed: int) -> None:
    sample = chains.halfway(seed)
    puzzle = parse(sample.text)
    assert sample.owners
    for cell, start in sample.owners.items():
        assert start in puzzle.starts
        assert cell in puzzle.cells
    for start in set(sample.owners.values()):
        assert sample.owners[start] == start
    assert sum(tag.startswith("covered-by-") for tag in sample.conditions) == 1
    outcome = GAME.solve(puzzle, time_limit=10, most=1)
    assert outcome.status == "solved"


def test_random_numbers_and_real_levels_both_occur() -> None:
    origins = {picture(seed, "development").content for seed in range(15)}
    assert "numbers" in origins
    assert origins & {"chains", "generated", "level"}


def test_what_is_no_board_has_no_truth() -> None:
    kinds = set()
    for seed in range(24):
        sample = chains.not_a_board(seed)
        assert sample.text == ""
        assert not sample.places
        kinds |= sample.conditions
    assert len(kinds) >= 8


# Sides ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["installed", "segment", "pixel", "stroke"])
def test_no_family_is_on_both_sides(kind: str) -> None:
    development, held = (set(faces.families(side, kind)) for side in SIDES)
    assert not development & held
    if kind != "installed":  # of those drawn here, both sides need some on every machine
        assert development
        assert held


def test_held_families_are_ones_that_no_classifier_was_trained_on() -> None:
    apart = faces.training_held()
    if apart is None:
        pytest.skip("training/ keeps no list of families apart here")
    assert set(faces.families("held", "installed")) <= apart
    lists = [faces.LISTS / f"families-{name}.txt" for name in ("train", "second")]
    lines = [line for trained in lists for line in trained.read_text(encoding="utf-8").splitlines()]
    names = {line.split("\t")[0].strip() for line in lines}
    assert not set(faces.families("held", "installed")) & names


def test_the_development_side_never_shows_what_is_held_apart() -> None:
    kept = {*chains.HELD_LOOKS, *damage.DEGRADATIONS_HELD, *(f"ground-{name}" for name in grounds.GROUNDS_HELD)}
    shown = set().union(*(picture(seed, "development").conditions for seed in range(15)))
    assert not shown & kept
    held = set().union(*(picture(seed, "held").conditions for seed in range(15)))
    assert held & kept


def test_installing_a_font_changes_only_the_windows_that_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"family {i}" for i in range(20)]

    def winner(among: list[str], seed: int) -> str:
        monkeypatch.setattr(faces, "families", lambda side, kind: among)
        faces._weights.cache_clear()
        monkeypatch.setattr(faces, "DRAWN", {"pixel": tuple(replace(PIXEL_FACES[0], family=n) for n in among)})
        return faces.pick("development", "pixel", seed).family

    before = [winner(names, seed) for seed in range(60)]
    after = [winner([*names, "newcomer"], seed) for seed in range(60)]
    faces._weights.cache_clear()
    changed = [(b, a) for b, a in zip(before, after, strict=True) if b != a]
    assert changed
    assert {a for _, a in changed} == {"newcomer"}


@pytest.mark.parametrize("face", [f for kind in DRAWN.values() for f in kind], ids=lambda f: f.family)
def test_drawn_faces_have_eleven_different_glyphs_of_the_size_asked_for(face: Face) -> None:
    glyphs = {token: face.glyph(token, 35.0).coverage for token in TOKENS}
    assert abs(glyphs["8"].shape[0] - 35) <= 4
    canvases = []
    for coverage in glyphs.values():
        canvas = np.zeros((64, 96), int)
        y, x = (64 - coverage.shape[0]) // 2, (96 - coverage.shape[1]) // 2
        canvas[y : y + coverage.shape[0], x : x + coverage.shape[1]] = coverage
        canvases.append(canvas)
    assert min(np.abs(a - b).sum() / 255 for i, a in enumerate(canvases) for b in canvases[:i]) > 15
    assert face.glyph("17", 35.0).coverage.shape[1] > glyphs["7"].shape[1]


# The judge ------------------------------------------------------------------------------------------------------------


class Scripted:
    """Cardinal Chains with a reader that says what it is told to."""

    name = "cardinal-chains"
    promises_one_solution = True

    def __init__(self, text: str | None, doubts: tuple[Doubt, ...] = ()) -> None:
        self.text, self.doubts = text, doubts

    def read(self, image: Any, layout: Any) -> Reading[Any]:
        if self.text is None:
            raise UnreadableError("nothing there")
        return Reading(parse(self.text), {}, self.doubts, 1.0, image)

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME, name)


def _sample(text: str, content: str) -> Sample:
    return Sample(np.zeros((50, 50, 3), np.uint8), text, frozenset(), {}, content=content)


@pytest.mark.parametrize(
    ("truth", "content", "said", "doubts", "kind"),
    [
        ("X 1 2", "level", "X 1 2", (), "exact"),  # plainly right
        ("X 1 2", "level", "X 1 3", (), "wrong"),  # has a solution, so it would be played without a word
        ("X 1 2", "level", "X 2 1", (), "doubtful"),  # wrong, but it has no solution: the bot says so
        ("X 5 2", "numbers", "X 5 2", (), "exact"),  # random numbers: the rules are not asked
        ("X 5 2", "numbers", "X 5 3", (), "wrong"),
        ("X 5 2", "numbers", "X 5 2", (Doubt(((0, 2),), (("2", 0.6), ("7", 0.4))),), "doubtful"),
        ("X 1 2", "level", "X 2 2", (Doubt(((0, 1),), (("3", 0.6), ("1", 0.4))),), "exact"),  # the rules settle it
        ("X 1 2", "level", None, (), "unreadable"),
        ("", "", None, (), "unreadable"),  # no board, and none was seen
        ("", "", "X 1 2", (), "wrong"),  # no board, and one would be played
    ],
)
def test_the_judge_calls_a_reading_what_the_bot_would_make_of_it(
    truth: str, content: str, said: str | None, doubts: tuple[Doubt, ...], kind: str
) -> None:
    verdict = judge(Scripted(said, doubts), _sample(truth, content))  # type: ignore[arg-type]
    assert verdict.kind == kind


def test_the_command_refuses_to_show_the_held_side(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    from bench.reading.__main__ import main

    with pytest.raises(SystemExit) as stopped:
        main(["--side", "held", "--save-misses", str(tmp_path / "misses")])
    assert stopped.value.code == 2
    assert "development" in capsys.readouterr().err
    assert not (tmp_path / "misses").exists()
