"""``autoplayer solve``: solves puzzles given as text."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from autoplayer import games
from autoplayer.cli import input as given
from autoplayer.cli import output
from autoplayer.core.errors import AutoplayerError, NotFoundError, PuzzleError, UsageError
from autoplayer.games.base import Game, Outcome, TextFormat, formats

Fields = dict[str, Any]


def solve(
    game: Annotated[str, typer.Argument(help="The game, as in `autoplayer games`.")],
    files: Annotated[list[str] | None, typer.Argument(help="Puzzle files; none or - for standard input.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a puzzle, a line each.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Print the named deductions, in order.")] = False,
    count: Annotated[bool, typer.Option("--count", help="Count the solutions, up to --most.")] = False,
    most: Annotated[int, typer.Option("--most", min=2, help="Where --count stops counting.")] = 1000,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", help="Seconds a puzzle may take; and --explain.")
    ] = 60.0,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", metavar="OUT.png", help="Draw the solution; further ones into OUT-2.png …"),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="One puzzle in another form, and nothing but its answer."),
    ] = None,
) -> int:
    """Solve puzzles given as text: from files, or typed.

    A file holds one or more puzzles with a blank line between them; a line "# name" before one names it.

    \b
    Examples:
      autoplayer solve cardinal-chains levels.txt
      printf 'X 1 1\\n2 2 1\\n' | autoplayer solve cardinal-chains --json
      autoplayer solve cardinal-chains level.txt --explain --picture solved.png
      autoplayer solve hashi --format codingame < case.txt
    """
    if game not in games.names() and Path(game).is_file():
        raise UsageError(f"expected a game before the file '{game}', as in `autoplayer solve hashi {game}`")
    player = games.load(game)
    limit = given.seconds(time_limit, "--time-limit")
    names = files or ["-"]
    if form is not None or not json:  # with JSON a missing file is reported in its turn, as one line
        given.check_files(names)
    if form is not None:
        others = {"--json": json, "--explain": explain, "--count": count, "--picture": picture}
        _check_alone([name for name, asked in others.items() if asked], names)
        return _answer(player, _format(player, form), names[0], limit)
    if picture:
        output.check_writable(picture, [".png"])
    code = 0
    for number, (name, block) in enumerate(_blocks(names), 1):
        if isinstance(block, AutoplayerError):
            fields, shown = _invalid(name, str(block)), None
            code = max(code, block.exit_code)
        else:
            fields, shown = _solve(player, block, limit, most if count else 2, count, explain)
        try:
            if json:
                output.line(fields)
            else:
                _print(player, fields, shown)
        finally:  # last: it may fail, and the result must not be lost; but also where nobody reads that to its end
            if picture and shown is not None:
                output.picture(output.numbered(picture, number), player.draw(*shown))
        code = max(code, {"solved": 0, "invalid": 2}.get(fields["status"], 1))
    return code


def _check_alone(others: Sequence[str], files: Sequence[str]) -> None:
    """Raises UsageError where --format was given with one of the ``others``, or with several files."""
    if others:
        raise UsageError(f"--format prints nothing but the answer; leave out {' and '.join(others)}")
    if len(files) > 1:
        raise UsageError(f"--format takes one puzzle, but there are {len(files)} files; call it once for each")


def _format(game: Game[Any, Any], name: str) -> TextFormat[Any, Any]:
    """The text format of ``game`` with this name. Raises UsageError with the names that exist."""
    known = formats(game)
    if name in known:
        return known[name]
    there = f"it knows: {', '.join(known)}" if known else "it knows none but its own, so leave --format out"
    raise UsageError(f"--format: {game.name} has no form '{name[:40]}'; {there}")


def _answer(game: Game[Any, Any], form: TextFormat[Any, Any], name: str, limit: float) -> int:
    """Read one puzzle in another format and print its answer in that format."""
    text = given.read_text(name, form.whole)
    try:
        puzzle = form.parse(text)
    except PuzzleError as error:
        raise UsageError(given.Block("", given.shown(name), text, 0).sentence(error)) from error
    outcome = game.solve(puzzle, time_limit=limit, most=1)
    if outcome.solution is None:
        print(f"autoplayer: {_trouble(game, puzzle, given.shown(name), outcome, limit)}", file=sys.stderr)
        return 1
    _certain(game, puzzle, given.shown(name), outcome.solution)
    print(form.answer(outcome.solution), flush=True)
    return 0


def _certain(game: Game[Any, Any], puzzle: Any, name: str, solution: Any) -> None:
    """Raises an error where the game's own checker does not confirm the solution."""
    if wrong := game.check(puzzle, solution):
        raise AutoplayerError(f"{name}: the solver's answer is wrong ({wrong[0]}); please report this puzzle")


def _trouble(game: Game[Any, Any], puzzle: Any, name: str, outcome: Outcome[Any], limit: float) -> str | None:
    """Why there is no answer, in a sentence."""
    if outcome.status == "timeout":
        return f"{name}: not settled within {limit:g} seconds; try a longer --time-limit"
    if outcome.status == "no-solution":
        return "; ".join([f"{name}: this puzzle has no solution", *game.faults(puzzle)])
    return None


def _blocks(names: list[str]) -> Iterator[tuple[str, given.Block | AutoplayerError]]:
    """Every puzzle of every file with its name; for a file that has none, or does not exist, the error under the file's
    name."""
    for name in names:
        try:
            given.check_files([name])
            for block in given.blocks(name):
                yield block.name, block
        except (UsageError, NotFoundError) as error:
            yield given.shown(name), error


def _invalid(name: str, error: str) -> Fields:
    return {"name": name, "status": "invalid", "solution": None, "unique": None, "seconds": 0.0, "error": error}


def _solve(
    game: Game[Any, Any], block: given.Block, limit: float, most: int, count: bool, explain: bool
) -> tuple[Fields, tuple[Any, Any] | None]:
    """The JSON fields for a puzzle, and the puzzle with its solution, if it has one."""
    try:
        puzzle = game.parse(block.text)
    except PuzzleError as error:
        return _invalid(block.name, block.sentence(error)), None
    outcome: Outcome[Any] = game.solve(puzzle, time_limit=limit, most=most)
    solution = outcome.solution
    if solution is not None:
        _certain(game, puzzle, block.name, solution)
    trouble = _trouble(game, puzzle, block.name, outcome, limit)
    fields: Fields = {
        "name": block.name,
        "status": outcome.status,
        "solution": None if solution is None else game.solution_to_json(solution),
        "unique": outcome.unique,
        "seconds": round(outcome.seconds, 6),
        "error": trouble,
    }
    if count:
        fields |= {"count": outcome.found, "exhausted": outcome.exhausted}
    if explain:
        fields["deductions"] = [
            {"rule": step.rule, "text": step.text, "cells": [list(cell) for cell in step.cells]}
            for step in game.explain(puzzle, limit)
        ]
    return fields, (puzzle, solution)


def _print(game: Game[Any, Any], fields: Fields, shown: tuple[Any, Any] | None) -> None:
    """Print a result for a person; errors go to the standard error."""
    if shown is None:
        print(output.plain(fields["error"]), file=sys.stderr)
        return
    puzzle, solution = shown
    print(output.plain(f"# {fields['name']}"))
    for number, step in enumerate(fields.get("deductions", ()), 1):
        print(f"  {number}. {step['rule']}: {step['text']}")
    if solution is not None:
        print(game.show(puzzle, solution))
    if fields["error"]:
        sys.stdout.flush()
        print(output.plain(fields["error"]), file=sys.stderr)
    if "count" in fields:
        known = "" if fields["exhausted"] else "at least "
        print(f"{known}{fields['count']} solution{'s' * (fields['count'] != 1)}, {fields['seconds']:.3f} s")
    elif solution is not None:
        only = {True: "the only solution", False: "one of several solutions", None: "perhaps not the only solution"}
        print(f"{only[fields['unique']]}, {fields['seconds']:.3f} s")
    print(flush=True)
