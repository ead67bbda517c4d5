"""The optional reader Tesseract: it raises the probability of what it confirms, and changes nothing where it is missing
or fails."""

from __future__ import annotations

import os

import cv2
import numpy as np
import pytest

from autoplayer.core import tesseract
from autoplayer.vision import ocr


def drawn(text: str) -> np.ndarray:
    page = np.zeros((80, 40 + 40 * len(text)), np.uint8)
    cv2.putText(page, text, (10, 65), cv2.FONT_HERSHEY_DUPLEX, 2.0, 255, 4, cv2.LINE_AA)
    ys, xs = np.nonzero(page)
    return page[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.float32) / 255


@pytest.mark.skipif(not tesseract.available(), reason="the tesseract program is not installed")
@pytest.mark.parametrize(("text", "other"), [("3", "8"), ("7", "1"), ("12", "2")])
def test_what_tesseract_reads_becomes_likelier(text, other, monkeypatch):
    monkeypatch.setattr(ocr, "PATIENCE", 60.0)  # other tests may keep the machine busy
    chances = ocr.vote(drawn(text), {other: 0.5, text: 0.5})
    assert chances[text] == pytest.approx(ocr.WEIGHT / (ocr.WEIGHT + 1))
    assert sum(chances.values()) == pytest.approx(1)


@pytest.mark.parametrize("answer", [None, "5"])
def test_no_answer_and_another_answer_change_nothing(monkeypatch, answer):
    monkeypatch.setattr(tesseract, "available", lambda: True)
    monkeypatch.setattr(ocr, "_read", lambda ink: answer)
    assert ocr.vote(drawn("3"), {"3": 0.6, "8": 0.4}) == {"3": 0.6, "8": 0.4}


def test_without_the_program_nothing_changes(monkeypatch):
    monkeypatch.setattr(tesseract, "available", lambda: False)
    assert ocr.vote(drawn("3"), {"3": 0.6, "8": 0.4}) == {"3": 0.6, "8": 0.4}


@pytest.mark.parametrize(
    ("script", "tokens"),
    [
        ("echo no data files >&2; exit 1", {"3": 0.6, "8": 0.4}),
        ("exec sleep 60", {"3": 0.6, "8": 0.4}),
        ("printf '\\377\\n'", {"3": 0.6, "8": 0.4}),
        ("cat > /dev/null; printf '8\\n\\f'", {"3": 0.6 / 2.2, "8": 1.6 / 2.2}),
    ],
    ids=["it fails", "it never ends", "it says what is no text", "it says a token"],
)
@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_only_a_program_that_answers_counts(monkeypatch, tmp_path, script, tokens):
    program = tmp_path / "tesseract"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(tesseract, "available", lambda: True)
    monkeypatch.setattr(ocr, "PATIENCE", 1.0 if "sleep" in script else 60.0)
    assert ocr.vote(drawn("3"), {"3": 0.6, "8": 0.4}) == pytest.approx(tokens)


def test_a_program_that_went_away_is_no_error(monkeypatch, tmp_path):
    monkeypatch.setattr(tesseract, "available", lambda: True)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ocr.vote(drawn("3"), {"3": 0.6, "8": 0.4}) == {"3": 0.6, "8": 0.4}
