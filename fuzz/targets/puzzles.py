"""The text of a puzzle, in every form of every game. The first byte chooses the form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autoplayer import games
from autoplayer.core.errors import PuzzleError
from autoplayer.games.base import Game, formats
from fuzz import judge
from fuzz.targets.base import Target
from fuzz.targets.texts import PUZZLES

LIMIT = 0.3
"""Seconds that a solver is given."""
DRAWN = 400
"""Characters of a text that is small enough to be drawn and explained as well."""


def run(data: bytes, folder: Path) -> None:
    if not data:
        return
    name, form, _ = PUZZLES[data[0] % len(PUZZLES)]
    game = games.load(name)
    if data[0] & 0x80:
        _asked(name, form, data[1:], folder, explained=bool(data[0] & 0x40))
    else:
        _called(game, form, data[1:].decode("utf-8", "replace"))


def _called(game: Game[Any, Any], form: str | None, text: str) -> None:
    """The game's own abilities, one after another."""
    if form is not None:
        formats(game)[form].whole(text)
    puzzle = judge.refused(lambda: (formats(game)[form] if form else game).parse(text), PuzzleError)
    if puzzle is None:
        return
    if game.parse(game.format(puzzle)) != puzzle:
        raise judge.Broken(f"its text is another puzzle: {game.format(puzzle)[:200]!r}")
    game.faults(puzzle)
    outcome = game.solve(puzzle, time_limit=LIMIT)
    if outcome.solution is None:
        return
    if wrong := game.check(puzzle, outcome.solution):
        raise judge.Broken(f"the checker does not agree with the solver: {wrong[0]}")
    if game.solution_from_json(json.loads(json.dumps(game.solution_to_json(outcome.solution)))) != outcome.solution:
        raise judge.Broken("the solution's JSON is another solution")
    game.show(puzzle, outcome.solution)
    if len(text) < DRAWN:
        game.explain(puzzle)
        game.draw(puzzle, outcome.solution)


def _asked(name: str, form: str | None, data: bytes, folder: Path, *, explained: bool) -> None:
    """The command, with a file."""
    file = folder / "puzzle.txt"
    file.write_bytes(data)
    options = ["--format", form] if form else ["--json", *(["--explain"] if explained and len(data) < DRAWN else [])]
    judge.command("solve", name, str(file), *options, f"--time-limit={LIMIT}", home=folder)


def seeds() -> list[bytes]:
    found = []
    for number, (_, _, texts) in enumerate(PUZZLES):
        # the multiples of the number of forms that keep the choice, and set the highest bit
        asked = next(n for n in range(0x80, 0x100) if n % len(PUZZLES) == number)
        for text in texts:
            found += [bytes((which,)) + text.encode() for which in (number, asked)]
            found.append(bytes((asked,)) + ("\ufeff" + text.replace("\n", "\r\n")).encode())
    return found


WORDS = [
    *(word.encode() for word in ("X", ".", "-1", "0", "12", "999999999", "# ", "\n\n", "\r\n", "\x00", "\ufeff")),
    *(f'"{word}"'.encode() for word in ("squares", "openings", "links", "start", "finish", "keys", "cost", "sides")),
    *(f'"{word}"'.encode() for word in ("vertical", "board", "square", "at", "slide", "both", "about")),
    *(word.encode() for word in ("NaN", "Infinity", "1e999", "\\ud800", "[[[[", "{}", "null", "true")),
    *(word.encode() for word in ("physics ", "walk=", "jump=", "gravity=", "width=", "+---+")),
    *(word.encode() for word in ("|", "#", "^", "_", "٣", "²")),
    b"\xff", b"\xc3", b"\xe2\x80\xa8", b"\x1b[2J",
]  # fmt: skip

TARGET = Target("puzzles", "puzzle texts of every game and form", run, seeds, WORDS)
