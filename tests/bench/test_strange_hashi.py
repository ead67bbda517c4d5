"""The generated windows of Hashi: the truth is a board with a solution, islands and bridges are where it says, and the
bridges that were read are counted correctly."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games import load
from autoplayer.games.base import Reading
from autoplayer.games.hashi.puzzle import Bridge, Link, check, parse
from bench.reading import circles, damage, faces, grounds, hashi, hashi_boards, strange
from bench.reading.judge import judge, row
from bench.reading.strange import Sample

GAME = load("hashi")
SIDES: list[faces.Side] = ["development", "held"]


@cache
def picture(seed: int, side: faces.Side) -> Sample:
    """A window that several tests look at."""
    return hashi.picture(seed, side)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("draw", [hashi.picture, hashi.cut_off, hashi.not_a_board])
def test_a_seed_gives_the_same_sample_again(draw: Any, side: faces.Side) -> None:
    first, second, other = draw(11, side), draw(11, side), draw(12, side)
    assert np.array_equal(first.image, second.image)
    assert (first.text, first.conditions, first.places, first.links) == (
        second.text, second.conditions, second.places, second.links,
    )  # fmt: skip
    assert not np.array_equal(first.image, other.image)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(10))
def test_the_truth_is_a_board_whose_islands_stand_inside_the_window(seed: int, side: faces.Side) -> None:
    sample = picture(seed, side)
    height, width, depth = sample.image.shape
    assert sample.image.dtype == np.uint8
    assert depth == 3
    assert max(height, width) <= 1920
    puzzle = parse(sample.text)
    assert set(puzzle.islands) == set(sample.places)
    for box in sample.places.values():
        assert box.x >= -1
        assert box.y >= -1
        assert box.x + box.width <= width + 1
        assert box.y + box.height <= height + 1
    # One pitch in x, one in y: the middles stand where row and column say.
    xs = {c: box.x + box.width / 2 for (_, c), box in sample.places.items()}
    columns = sorted(xs)
    steps = {(xs[b] - xs[a]) / (b - a) for a, b in pairwise(columns)}
    assert max(steps) - min(steps) <= 2.1


@pytest.mark.parametrize("make", [hashi_boards.grown, hashi_boards.generated])
@pytest.mark.parametrize("seed", range(15))
def test_a_board_comes_with_a_solution(make: Any, seed: int) -> None:
    content = make(strange.stream(seed, "test"))
    solution = tuple(Link(a, b, n) for (a, b), n in content.links.items())
    assert check(content.puzzle, solution) == []
    padded = hashi_boards.padded(strange.stream(seed, "padding"), content)
    assert check(padded.puzzle, tuple(Link(a, b, n) for (a, b), n in padded.links.items())) == []
    assert hashi.same(GAME.format(content.puzzle), GAME.format(padded.puzzle))


@pytest.mark.parametrize("seed", range(12))
def test_links_stand_where_bridges_may(seed: int) -> None:
    sample = picture(seed, "development")
    puzzle, links = parse(sample.text), sample.links
    assert links is not None
    assert {Bridge(a, b) for a, b in links} <= set(puzzle.bridges)
    assert set(links.values()) <= {1, 2}
    crossed = {k: puzzle.crossings[k] for k, bridge in enumerate(puzzle.bridges) if tuple(bridge) in links}
    assert not any(other in crossed for others in crossed.values() for other in others)
    if "play-none" in sample.conditions:
        assert not links
    if "play-solved" in sample.conditions:
        assert check(puzzle, tuple(Link(a, b, n) for (a, b), n in links.items())) == []


def _contrast(image: Image, box: Box) -> int:
    patch = cv2.cvtColor(np.ascontiguousarray(box.crop(image)), cv2.COLOR_BGR2GRAY)
    return int(patch.max()) - int(patch.min())


@pytest.mark.parametrize("seed", range(10))
def test_every_island_shows_a_number_and_every_link_a_line(seed: int) -> None:
    sample = picture(seed, "development")
    for cell, box in sample.places.items():
        inner = Box(*box.centre, 0, 0)
        half = box.width // 3
        inner = Box(inner.x - half, inner.y - half, 2 * half, 2 * half)
        assert _contrast(sample.image, inner) >= 15, (sample.name, cell)
    # A line is seen across its middle, where nothing else than a label may stand.
    for a, b in sample.links or {}:
        (ax, ay), (bx, by) = sample.places[a].centre, sample.places[b].centre
        reach = max(sample.places[a].width // 2, 4)
        x, y = (ax + bx) // 2, (ay + by) // 2
        across = Box(x, y - reach, 1, 2 * reach) if ay == by or a[0] == b[0] else Box(x - reach, y, 2 * reach, 1)
        shades = np.asarray(across.crop(sample.image), int).reshape(-1, 3)
        assert int((shades.max(0) - shades.min(0)).max()) >= 15, (sample.name, a, b)


def test_what_is_cut_off_or_no_board_has_no_truth() -> None:
    tags: set[str] = set()
    for seed in range(12):
        for sample in (hashi.cut_off(seed), hashi.not_a_board(seed)):
            assert sample.text == ""
            assert not sample.places
            assert sample.links is None
            tags |= sample.conditions
    assert "cut-between-islands" in tags
    assert any(tag.startswith("not-") for tag in tags)


def test_the_development_side_never_shows_what_is_held_apart() -> None:
    kept = {*hashi.HELD_LOOKS, *damage.DEGRADATIONS_HELD, *(f"ground-{name}" for name in grounds.GROUNDS_HELD)}
    kept |= {f"shape-{name}" for name in hashi.HELD_LOOKS} | {f"island-{name}" for name in hashi.HELD_LOOKS}
    shown = set().union(*(picture(seed, "development").conditions for seed in range(12)))
    assert not shown & kept
    held = set().union(*(picture(seed, "held").conditions for seed in range(12)))
    assert held & kept


# The judge ------------------------------------------------------------------------------------------------------------

TRUTH = "2.2\n...\n1.1"
PLACES: dict[Cell, Box] = {cell: Box(50 * cell[1], 50 * cell[0], 20, 20) for cell in ((0, 0), (0, 2), (2, 0), (2, 2))}


class Scripted:
    """Hashi with a reader that says what it is told to."""

    name = "hashi"
    promises_one_solution = True

    def __init__(self, text: str, places: dict[Cell, Box], seen: dict[Bridge, int]) -> None:
        self.text, self.places, self.seen = text, places, seen

    def read(self, image: Any, layout: Any) -> Reading[Any]:
        return Reading(parse(self.text), self.places, (), 1.0, image, extra={"bridges": self.seen})

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME, name)


SMALL: dict[Cell, Box] = {(r // 2, c // 2): box for (r, c), box in PLACES.items()}


@pytest.mark.parametrize(
    ("said", "places", "seen", "kind", "links"),
    [
        (TRUTH, PLACES, {Bridge((0, 0), (0, 2)): 2}, "exact", 4),  # plainly right
        ("22\n11", SMALL, {Bridge((0, 0), (0, 1)): 2}, "exact", 4),  # empty rows carry nothing
        (TRUTH, PLACES, {Bridge((0, 0), (0, 2)): 1}, "exact", 3),  # one link overseen
        (TRUTH, PLACES, {}, "exact", 3),  # the bridge overseen
        (TRUTH, PLACES, {Bridge((0, 0), (0, 2)): 2, Bridge((0, 0), (2, 0)): 1}, "exact", 3),  # one that is none
        ("3.3\n...\n1.1", PLACES, {}, "wrong", 3),  # two numbers misread; it has a solution, so it would be played
        ("3.2\n...\n1.1", PLACES, {}, "doubtful", 3),  # no solution: the bot says so
    ],
)
def test_the_judge_counts_numbers_and_links(
    said: str, places: dict[Cell, Box], seen: dict[Bridge, int], kind: str, links: int
) -> None:
    truth = {((0, 0), (0, 2)): 2}
    sample = Sample(np.zeros((50, 50, 3), np.uint8), TRUTH, frozenset(), PLACES, content="grown", links=truth)
    verdict = judge(Scripted(said, places, seen), sample, hashi.FORM)
    assert verdict.kind == kind
    assert verdict.links_right == links
    assert row("", [verdict]).links == (100.0 if links == 4 else 0.0)
    assert verdict.fine == (kind == "exact" and links == 4)


def test_a_link_to_an_island_that_is_none_counts_against_the_links() -> None:
    ghost = Box(300, 300, 20, 20)
    places = {**PLACES, (4, 2): ghost}
    seen = {Bridge((0, 0), (0, 2)): 2, Bridge((2, 2), (4, 2)): 1}
    sample = Sample(
        np.zeros((50, 50, 3), np.uint8), TRUTH, frozenset(), PLACES, content="grown", links={((0, 0), (0, 2)): 2}
    )
    verdict = judge(Scripted(TRUTH + "\n...\n..1", places, seen), sample, hashi.FORM)
    assert verdict.links_right == 3


def test_the_real_pictures_links_lie_on_one_line() -> None:
    assert len(hashi.REAL_LINKS) > 5
    for name, links in hashi.REAL_LINKS.items():
        for (a, b), n in links.items():
            assert (a[0] == b[0]) != (a[1] == b[1]), name
            assert a < b
            assert n in (1, 2)


def test_the_rival_finds_plain_circles() -> None:
    pytest.importorskip("pytesseract")
    from shutil import which

    if not which("tesseract"):
        pytest.skip("the program tesseract is not installed")
    # OpenCV's own strokes: which typefaces a machine has must not matter here.
    image = np.full((360, 360, 3), 255, np.uint8)
    places, truth = {}, {(r, c): str(2 + (3 * r + c) % 6) for r in range(3) for c in range(3) if r == c}
    for (r, c), number in truth.items():
        x, y = 60 + 120 * c, 60 + 120 * r
        cv2.circle(image, (x, y), 40, (0, 0, 0), 2, cv2.LINE_AA)
        cv2.putText(image, number, (x - 14, y + 16), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (0, 0, 0), 3, cv2.LINE_AA)
        places[r, c] = Box(x - 40, y - 40, 80, 80)
    read = circles.hough(image, places)
    assert sum(read.get(cell) == token for cell, token in truth.items()) > len(truth) / 2


def test_drawing_writes_pictures_with_their_truth(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from bench.reading.__main__ import main

    assert main(["hashi", "--windows", "2", "--draw", str(tmp_path)]) == 0
    assert str(tmp_path) in capsys.readouterr().out
    sample = hashi.picture(0)
    text = (tmp_path / f"{sample.name}.txt").read_text(encoding="utf-8")
    assert GAME.format(parse(text)) == sample.text
    image = cv2.imread(str(tmp_path / f"{sample.name}.png"))
    assert image is not None
    assert np.array_equal(image, sample.image)
    assert (tmp_path / "sheet-0.png").is_file()
