"""``autoplayer games``: what can be played."""

from __future__ import annotations

from typing import Annotated

import typer

from autoplayer import games as registry
from autoplayer.cli import output
from autoplayer.core.errors import AutoplayerError


def games(
    json: Annotated[bool, typer.Option("--json", help="One JSON object a game, a line each.")] = False,
) -> int:
    """List the games: those of autoplayer and those that other packages add.

    \b
    Example: autoplayer games
    """
    rows: list[tuple[str, str]] = []
    code = 0
    for name in registry.names():
        title, error = None, None
        try:
            title = registry.load(name).title
        except AutoplayerError as fault:  # a broken third-party game is named, and the others are still listed
            error, code = str(fault), 1
        if json:
            output.line({"name": name, "title": title, "error": error})
        rows.append((name, title or error or ""))
    if not json:
        output.columns(rows)
    return code
