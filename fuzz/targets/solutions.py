"""The JSON of a solution, handed to a game's checker. The first byte chooses the game."""

from __future__ import annotations

import json
from pathlib import Path

from autoplayer import games
from autoplayer.core.errors import PuzzleError
from fuzz import judge
from fuzz.targets.base import Target
from fuzz.targets.texts import BOARD, ROOMS

LEVELS = (
    ("null", "1 0 1"),
    ("cardinal-chains", "X 1 1\n2 2 1"),
    ("hashi", "2.2\n...\n1.1"),
    ("cross-set", "21 1\n1 12"),
    ("continuity", BOARD),
    ("continuity", ROOMS),
)


def run(data: bytes, folder: Path) -> None:
    if not data:
        return
    name, text = LEVELS[data[0] % len(LEVELS)]
    game = games.load(name)
    try:
        value = json.loads(data[1:])
    except (ValueError, RecursionError):
        return
    solution = judge.refused(lambda: game.solution_from_json(value), PuzzleError)
    if solution is None:
        return
    for fault in game.check(game.parse(text), solution):
        if not isinstance(fault, str) or not fault:
            raise judge.Broken(f"a fault is no sentence: {fault!r}")
    written = json.loads(json.dumps(game.solution_to_json(solution)))
    if game.solution_from_json(written) != solution:
        raise judge.Broken("the solution's JSON is another solution")


def seeds() -> list[bytes]:
    found = []
    for number, (name, text) in enumerate(LEVELS):
        game = games.load(name)
        outcome = game.solve(game.parse(text), time_limit=5)
        right = game.solution_to_json(outcome.solution) if outcome.solution is not None else []
        found += [bytes((number,)) + json.dumps(value).encode() for value in (right, [], {}, [[]], [[0, 0, 0, 2, 1]])]
    return found


WORDS = [
    *(word.encode() for word in ("NaN", "Infinity", "-Infinity", "1e999", "1e18")),
    *(word.encode() for word in ("[[", "]]", "{}", "null", "true", "-1")),
    *(f'"{word}"'.encode() for word in ("do", "slide", "walk", "cross", "finish")),
    *(f'"{word}"'.encode() for word in ("tile", "to", "from", "side", "into")),
    *(f'"{word}"'.encode() for word in ("cost", "total", "leg", "bound", "takes", "left", "up", "r2c2", "12")),
    b"99999999999999999999",
]  # fmt: skip

TARGET = Target("solutions", "solutions as JSON, for the checkers", run, seeds, WORDS)
