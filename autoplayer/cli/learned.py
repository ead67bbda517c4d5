"""What a calibration assumes, asks and has learned, in words and pictures, for the command that talks to the person."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autoplayer import layout as layouts
    from autoplayer.calibrate import Calibration, Look, Question
    from autoplayer.core.frame import Image
    from autoplayer.games.base import Doubt
    from autoplayer.session import LevelResult


def no_level(look: Look[Any, Any]) -> bool:
    """Whether the assumed board was found to have no solution."""
    outcome = look.settled.outcome
    return look.settled.solution is None and (outcome is None or outcome.status == "no-solution")


def _glyphs(count: int) -> str:
    return f"{count} {'glyph is' if count == 1 else 'glyphs are'}"


def right(look: Look[Any, Any]) -> str:
    """The question whether everything is as assumed, with the evidence against it."""
    if not look.known:
        return f"{_glyphs(len(look.questions))} not known yet. Enter: go on without"
    if look.unheard:
        return (
            f"{_glyphs(len(look.unheard))} read otherwise than was answered, and so the window cannot be played. "
            "Enter: go on with it all the same"
        )
    if no_level(look):
        return "Such a level has no solution, so something is misread. Enter: go on with it all the same"
    return "Is this right? Enter: yes"


def correcting(look: Look[Any, Any]) -> str:
    """How the person can correct a cell of this game."""
    spots = [*look.reading.glyphs, *(spot for question in look.questions for spot in question.spots)]
    if any(len(spot) > 2 for spot in spots):
        return "ROW,COLUMN,INDEX=TOKEN corrects what stands in a cell (all counted from 0)"
    return "ROW,COLUMN=TOKEN corrects a cell (counted from 0)"


def sureness(look: Look[Any, Any]) -> list[str]:
    """The certainty of each cell, in lines: those in doubt one by one, all others together."""
    places = look.reading.places
    doubtful = {cell for question in look.questions for cell in question.cells}
    rows = [f"{len(places) - len(doubtful)} of {len(places)} cells are sure."]
    if look.known:
        whole = int(100 * look.settled.confidence)
        solvable = "" if look.settled.solution is not None else "; but such a level has no solution"
        rows = [f"All {len(places)} cells are sure; that all of them together are right: {whole} %{solvable}."]
    for question in look.questions:
        said = ", ".join(f"{token or '.'} {p:.0%}" for token, p in question.candidates[:4])
        believed = f"; by the rules it is {question.believed}" if question.believed else ""
        cells = " ".join(str(spot) for spot in question.spots[:8]) + (" …" if len(question.spots) > 8 else "")
        rows.append(f"  {question.name} {cells}: {said}{believed}")
    return rows


def enlarged(picture: Image, least: int = 96) -> Image:
    """``picture`` enlarged by an integer so that it is at least ``least`` pixels wide and high."""
    import cv2
    import numpy as np

    times = max(-(-least // max(min(picture.shape[:2]), 1)), 1)
    return np.asarray(cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_NEAREST), np.uint8)


def marked(question: Question) -> Doubt:
    """A question as it is drawn over the picture: by its number, or by what the rules suggest."""
    from autoplayer.games.base import Doubt

    said = f"{question.believed}?" if question.believed else question.name.replace("glyph-", "?")
    return Doubt(question.spots, ((said, 1.0),))


def asked(question: Question, token: str | None) -> dict[str, Any]:
    return {
        "name": question.name,
        "spots": [list(spot) for spot in question.spots],
        "candidates": [[each, round(p, 4)] for each, p in question.candidates],
        "answer": token,
    }


def summary(
    learning: Calibration[Any, Any], look: Look[Any, Any], anchors: int, result: LevelResult | None
) -> list[str]:
    """What was learned, in lines, and what was not."""
    known = learning.layout
    how = "as this game usually is" if known.controls == "unknown" else known.controls
    way = {"unknown": "not found out", "auto": "by itself"}.get(known.next.kind, f"by a {known.next.kind}")
    none = "none was found" if learning.pictured > 1 else "not known; it takes two different pictures of the window"
    win = "shows itself" if known.win else "shows no lasting sign that was seen"
    rows = [
        f"controls: {how}{'' if result else ' (not tried)'}",
        f"next level: {way}",
        f"a win: {win if result or known.win else 'not tried'}",
        f"areas that stay the same: {anchors or none}",
    ]
    rows += doubted(look)
    return rows


def doubted(look: Look[Any, Any]) -> list[str]:
    """The parts of the layout that are unreliable, and what to do about them, in sentences."""
    rows = []
    if look.questions:
        rows.append(
            f"{_glyphs(len(look.questions))} not known: calibrate again under this name, without --yes or with "
            "--answers, and say what they are"
        )
    if look.unheard:
        rows.append(f"{_glyphs(len(look.unheard))} read otherwise than was answered")
    return rows


def facts(
    look: Look[Any, Any],
    known: layouts.Layout,
    path: Path | None,
    folder: Path | None,
    status: str,
    asked: Sequence[dict[str, Any]],
    result: LevelResult | None,
) -> dict[str, Any]:
    doubtful = {cell for question in look.questions for cell in question.cells}
    return {
        "name": known.name,
        "game": known.game,
        "status": status,
        "file": str(path) if path is not None else None,
        "templates": str(folder) if folder is not None else None,
        "questions": list(asked),
        "cells": len(look.reading.places),
        "sure": len(look.reading.places) - len(doubtful),
        "confidence": round(look.settled.confidence, 4),
        "controls": known.controls,
        "next": known.next.model_dump(mode="json", exclude_none=True),
        "win": known.win is not None,
        "anchors": len(known.anchors),
        "trial": result.to_json() if result is not None else None,
        "error": result.error if result is not None else "; ".join(doubted(look)) or None,
    }
