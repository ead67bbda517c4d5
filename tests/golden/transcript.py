"""Writes the transcript of a puzzle: what the game deduces, answers and would do in a window that shows its own
picture. A transcript's file holds its puzzles; ``python -m tests.golden`` writes everything else in it anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autoplayer import games
from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Point
from autoplayer.core.gestures import Click, Drag, Gesture, Hold, Keys, Wheel
from autoplayer.games.base import Game, Reading, reads_windows
from autoplayer.layout import Layout

FOLDER = Path(__file__).parent
HEAD = "# Written by `make golden` from the puzzles in it. To add one, add its 'puzzle:' lines and run that.\n"


def puzzles(text: str) -> Iterator[tuple[str, str]]:
    """The name and text of each puzzle in a transcript."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("puzzle: "):
            body: list[str] = []
            for inner in lines[number + 1 :]:
                if not inner.startswith("  "):
                    break
                body.append(inner[2:])
            yield line.removeprefix("puzzle: "), "\n".join(body)


def transcript(name: str, text: str) -> str:
    """The whole transcript of the game called ``name`` for the puzzles in ``text``, an earlier transcript."""
    game = games.load(name)
    return HEAD + "".join("\n" + "\n".join(_section(game, *each)) + "\n" for each in puzzles(text))


def _section(game: Game[Any, Any], title: str, text: str) -> Iterator[str]:
    puzzle = game.parse(text)
    yield f"puzzle: {title}"
    yield from _indented(game.format(puzzle))
    yield "deductions:"
    for number, step in enumerate(game.explain(puzzle), 1):
        yield f"  {number}. {step.rule}: {step.text}"
    outcome = game.solve(puzzle, time_limit=60)
    yield f"solution: {outcome.status}, unique: {outcome.unique}"
    if outcome.solution is None:
        return
    yield f"  {json.dumps(game.solution_to_json(outcome.solution))}"
    yield from _indented(game.show(puzzle, outcome.solution))
    if not reads_windows(game):
        yield "gestures: none, its windows are not read yet"
        return
    image, layout = game.draw(puzzle), Layout(game=game.name)
    try:
        reading = game.read(image, layout)
    except UnreadableError:
        yield "gestures: none, its own picture does not look like a window"
        return
    yield f"gestures, in its own picture of {image.shape[1]}x{image.shape[0]}:"
    seen = game.progress(reading, puzzle, outcome.solution, image)
    for move in game.plan(reading, puzzle, outcome.solution, seen, layout):
        yield f"  {move.name}"
        yield from (f"    {_gesture(gesture, reading)}" for gesture in move.gestures)


def _indented(text: str) -> Iterator[str]:
    return (f"  {line}" for line in text.splitlines())


def _gesture(gesture: Gesture, reading: Reading[Any]) -> str:
    """A gesture by the cells that it passes, which do not change with a pixel here or there."""

    def at(point: Point) -> str:
        inside = [f"r{r + 1}c{c + 1}" for (r, c), box in reading.places.items() if box.contains(point)]
        return inside[0] if inside else f"{point[0]},{point[1]}"

    match gesture:
        case Click(point, button):
            return f"{button} click {at(point)}"
        case Drag(path, button):
            return f"{button} drag {' '.join(map(at, path))}"
        case Keys(keys):
            return f"keys {' '.join(keys)}"
        case Hold(keys, seconds):
            return f"hold {' '.join(keys)} {seconds:g} s"
        case Wheel(point, notches):
            return f"wheel {notches:+d} at {at(point)}"
