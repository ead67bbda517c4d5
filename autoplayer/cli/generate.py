"""``autoplayer generate``: new puzzles with one solution, as text."""

from __future__ import annotations

from typing import Annotated

import typer

from autoplayer import games
from autoplayer.cli import input as given
from autoplayer.cli import output
from autoplayer.games.base import usual_size


def generate(
    game: Annotated[str, typer.Argument(help="The game, as in `autoplayer games`.")],
    size: Annotated[
        str | None,
        typer.Option("--size", metavar="WxH", help="Columns x rows; if none is given, the game's usual size."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same puzzle.")] = 1,
    count: Annotated[int, typer.Option("--count", min=1, help="How many, from this seed upwards.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a puzzle, a line each.")] = False,
) -> None:
    """Make new puzzles, each with exactly one solution.

    \b
    Examples:
      autoplayer generate cardinal-chains --size 7x7 --seed 3
      autoplayer generate cardinal-chains --size 9x6 --seed 1 --count 20 > levels.txt
    """
    player = games.load(game)
    rows, columns = usual_size(player) if size is None else given.size(size)
    for number in range(count):
        puzzle = player.format(player.generate(rows, columns, seed + number))
        name = f"{game} {columns}x{rows} seed {seed + number}"
        if json:
            output.line({"name": name, "puzzle": puzzle, "rows": rows, "columns": columns, "seed": seed + number})
        else:
            print(("\n" if number else "") + f"# {name}\n{puzzle}", flush=True)
