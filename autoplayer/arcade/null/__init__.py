"""The null game in the arcade: the smallest window. Copy this folder to start the window of a new game."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from autoplayer.arcade.null.play import Lamps
from autoplayer.arcade.play import LEVELS, ArcadeGame, Painter, Play
from autoplayer.games.null.puzzle import Puzzle, parse

if TYPE_CHECKING:
    from autoplayer.arcade.options import Options
    from autoplayer.arcade.themes import Theme

EXAMPLES = """examples:
  autoplayer arcade null
  autoplayer arcade null --advance button --theme dark
"""


def _new_play(puzzle: Puzzle, drops: Callable[[], bool], options: Options) -> Play:
    return Lamps(puzzle)


def _new_painter(play: Lamps, theme: Theme, options: Options, hint: bool) -> Painter:
    from autoplayer.arcade.null.painter import LampsPainter

    return LampsPainter(play, theme, options)


def _add_options(parser: argparse.ArgumentParser) -> None:
    """It has none of its own."""


GAME = ArcadeGame(
    name="null",
    title="Null",
    levels=LEVELS / "null.txt",
    parse=parse,
    new_play=_new_play,
    new_painter=_new_painter,
    turns=False,
    add_options=_add_options,
    examples=EXAMPLES,
)
