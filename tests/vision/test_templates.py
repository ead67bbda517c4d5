"""A layout's own glyph pictures: what they match, what is refused, and that readings rely on them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import LayoutError, NotFoundError
from autoplayer.core.frame import Box
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import Layout
from autoplayer.vision import ink, templates


def glyph(text: str) -> np.ndarray:
    page = np.full((80, 80, 3), 255, np.uint8)
    cv2.putText(page, text, (15, 60), cv2.FONT_HERSHEY_DUPLEX, 1.5, (0, 0, 0), 3, cv2.LINE_AA)
    return page


def test_a_glyph_matches_its_own_template_at_another_size_and_no_other(tmp_path):
    for token in "23578":
        cv2.imwrite(str(tmp_path / f"{token}.png"), glyph(token))
    known = templates.load(tmp_path)
    for token in "23578":
        small = cv2.resize(255 - glyph(token), (52, 52), interpolation=cv2.INTER_AREA)  # smaller, and light on dark
        assert templates.match(ink.content(small, Box(0, 0, 52, 52)).ink, known) == token
    assert templates.match(ink.content(glyph("4"), Box(0, 0, 80, 80)).ink, known) is None


def test_a_small_glyph_is_known_at_any_part_of_a_pixel() -> None:
    """Incident: in a browser's small text the same sign was known in one cell and not in the next."""

    def drawn(text: str, side: int, left: float = 0.0, top: float = 0.0) -> np.ndarray:
        """``text`` in a square of ``side`` pixels, moved by parts of a pixel."""
        fine = 8 * side
        page = np.zeros((fine + 16, fine + 16), np.uint8)
        at = round(fine / 6 + 8 * left), round(0.8 * fine + 8 * top)
        cv2.putText(page, text, at, cv2.FONT_HERSHEY_DUPLEX, fine / 32, 255, max(fine // 11, 1), cv2.LINE_AA)
        small = cv2.resize(page, (side + 2, side + 2), interpolation=cv2.INTER_AREA) / np.float32(255)
        ys, xs = np.nonzero(small > 0.3)
        return small[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]

    known = [templates.of(drawn(token, 40), token) for token in "23457"]
    parts = [(left / 4, top / 4) for left in range(4) for top in range(4)]
    said = [(token, templates.match(drawn(token, 12, *part), known)) for token in "23457" for part in parts]
    assert all(token in (None, truth) for truth, token in said)
    assert sum(token == truth for truth, token in said) >= 0.9 * len(said)
    assert not any(templates.match(drawn("6", 12, *part), known) for part in parts)


def test_a_bar_is_known_where_its_soft_edges_lie_in_its_box() -> None:
    """Two pixels broad, between pixels, it fills three columns, the outer ones by half."""
    bar = templates.of(np.ones((27, 2), np.float32), "1")
    between = np.repeat(np.array([[0.5, 1.0, 0.5]], np.float32), 27, axis=0)
    assert templates.match(between, [bar]) == "1"
    assert templates.match(between.T, [bar]) is None


@pytest.mark.parametrize("strokes", [2, 3, 4])
def test_a_kept_glyph_is_the_one_that_was_kept(tmp_path: Path, strokes: int) -> None:
    """A III whose slim serifs join its strokes was less like its own picture than what counts as alike."""
    bars = np.zeros((17, 8 * strokes), np.float32)
    bars[:, 3::8], bars[:, 4::8] = 1.0, 0.55
    bars[[0, -1]], bars[[1, -2]] = 0.65, 0.1
    bars[4:12, 5::8] = 0.25
    other = np.ascontiguousarray(bars.T)
    templates.save(tmp_path, "3", bars)
    templates.save(tmp_path, "4", other)
    known = {each.token: each for each in templates.load(tmp_path)}
    assert templates.alike(known["3"], templates.of(bars)) > 0.999
    assert templates.alike(known["4"], templates.of(other)) > 0.999


@pytest.mark.parametrize("content", [b"no picture", None], ids=["text", "empty picture"])
def test_what_is_no_glyph_is_refused_with_its_file(tmp_path, content):
    path = tmp_path / "7.png"
    if content is None:
        cv2.imwrite(str(path), np.full((30, 30, 3), 9, np.uint8))
    else:
        path.write_bytes(content)
    with pytest.raises(LayoutError, match=r"7\.png"):
        templates.load(tmp_path)


def test_a_missing_folder_is_said(tmp_path):
    with pytest.raises(NotFoundError, match="no folder"):
        templates.load(tmp_path / "nowhere")


def test_a_reading_believes_the_layouts_templates(tmp_path, monkeypatch):
    """The window's glyph that looks like a 2 means 5 here: the layout says so."""
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path))
    puzzle = GAME.parse("X 1 1\n2 2 1")
    picture = GAME.draw(puzzle)
    plain = GAME.read(picture, Layout(game=GAME.name))
    assert plain.puzzle == puzzle
    box = plain.places[1, 0]
    inner = Box(box.x + box.width // 6, box.y + box.height // 6, 2 * box.width // 3, 2 * box.height // 3)
    folder = tmp_path / "templates" / "mine"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "5.png"), inner.crop(picture))
    told = GAME.read(picture, Layout(game=GAME.name, templates="mine"))
    assert GAME.format(told.puzzle) == "X 1 1\n5 5 1"
