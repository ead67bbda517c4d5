"""``autoplayer read``: pictures of a game in, what stands in them out."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoplayer import games, layout
from autoplayer.cli import output
from autoplayer.core.errors import NotFoundError, UnreadableError, UsageError

if TYPE_CHECKING:
    from autoplayer.core.frame import Image
    from autoplayer.games.base import Game, Reading
    from autoplayer.settle import Settled

SETTLE_LIMIT = 10.0
"""Seconds that the rules may take to settle the doubts of one picture."""

HOPELESS = 0.5
"""A reading that is less probable than this, and of which no possibility has a solution, shows something else."""

Fields = dict[str, Any]


def read(
    game: Annotated[str, typer.Argument(help="The game, as in `autoplayer games`.")],
    images: Annotated[list[str], typer.Argument(help="Pictures of the game's window.", metavar="IMAGE…")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object a picture, a line each.")] = False,
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", metavar="OUT.png", help="Draw what was read over the picture; more into OUT-2.png …"),
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--layout", metavar="NAME", help="The layout profile of the window.")
    ] = None,
) -> int:
    """Say what is seen in pictures of a game: the puzzle as text, and what is in doubt.

    \b
    Examples:
      autoplayer read cardinal-chains screenshot.png
      autoplayer read cardinal-chains *.png --json
      autoplayer read cardinal-chains screenshot.png --overlay seen.png
    """
    player = games.load(game)
    known = layout.load(profile, game) if profile else layout.Layout(game=player.name)
    if overlay:
        output.check_writable(overlay, [".png"])
    from autoplayer.cli import pictures

    code = 0
    for number, name in enumerate(images, 1):
        seen: tuple[Reading[Any], Settled[Any, Any]] | None = None
        try:
            image = pictures.load(name)
        except (NotFoundError, UsageError) as error:
            fields, worth = _fields(name, "unreadable", error=str(error)), error.exit_code
        else:
            fields, seen = _read(player, name, image, known)
            worth = 0 if fields["status"] == "read" else 1
        if overlay and seen:
            drawn = pictures.overlay(seen[0].image, seen[0].places, fields["puzzle"], seen[1].doubts, seen[1].changed)
            output.picture(output.numbered(overlay, number), drawn)
        code = max(code, worth)
        if json:
            output.line(fields)
        else:
            _print(fields, len(images) > 1)
    return code


def _fields(name: str, status: str, error: str | None = None) -> Fields:
    return {
        "file": name,
        "status": status,
        "puzzle": None,
        "confidence": 0.0,
        "doubts": [],
        "seconds": 0.0,
        "error": error,
    }


def _read(
    game: Game[Any, Any], name: str, image: Image, known: layout.Layout
) -> tuple[Fields, tuple[Reading[Any], Settled[Any, Any]] | None]:
    """The JSON fields for a picture, and what was seen in it, where something was."""
    from autoplayer.settle import settle

    begin = time.perf_counter()
    try:
        reading = game.read(image, known)
    except UnreadableError as error:
        fields = _fields(name, "unreadable", error=f"{name}: {error}")
        fields["seconds"] = round(time.perf_counter() - begin, 6)
        return fields, None
    settled = settle(game, reading, time_limit=SETTLE_LIMIT)
    if settled.solution is None and reading.doubts and reading.confidence < HOPELESS:
        fields = _fields(name, "unreadable", error=f"{name}: this is hardly a level of {game.title}: {settled.reason}")
        fields["seconds"] = round(time.perf_counter() - begin, 6)
        return fields, None
    sure = settled.certain and not settled.reason
    return {
        "file": name,
        "status": "read" if sure else "doubtful",
        "puzzle": game.format(settled.puzzle),
        "confidence": round(settled.confidence, 4),
        "doubts": [
            {
                "cells": [list(cell) for cell in doubt.cells],
                "candidates": [[token, round(p, 4)] for token, p in doubt.candidates],
            }
            for doubt in settled.doubts
        ],
        "seconds": round(time.perf_counter() - begin, 6),
        "error": None if sure else f"{name}: {settled.reason}",
    }, (reading, settled)


def _print(fields: Fields, several: bool) -> None:
    """A picture's puzzle for a person; what is in doubt or unreadable goes to the standard error."""
    if fields["puzzle"] is not None:
        if several:
            print(f"# {fields['file']}")
        print(fields["puzzle"])
        if several:
            print()
        sys.stdout.flush()
    if fields["error"]:
        print(f"{'' if fields['puzzle'] is None else 'in doubt: '}{fields['error']}", file=sys.stderr)
