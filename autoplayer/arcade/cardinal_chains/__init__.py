"""Cardinal Chains in the arcade: its rules of play and its painter, joined for the window loop."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from autoplayer.arcade.cardinal_chains.play import Chains
from autoplayer.arcade.play import LEVELS, ArcadeGame, Painter, Play
from autoplayer.games.cardinal_chains.puzzle import Puzzle, parse

if TYPE_CHECKING:
    from autoplayer.arcade.options import Options
    from autoplayer.arcade.themes import Theme

EXAMPLES = """examples:
  autoplayer arcade cardinal-chains
  autoplayer arcade cardinal-chains --theme alternate --glyphs pixel --look tiles
  autoplayer arcade cardinal-chains --size 480x800 --advance button --start 12
  autoplayer arcade cardinal-chains --levels mine.txt --log played.jsonl --sample --drop-every 20
"""


def _new_play(puzzle: Puzzle, drops: Callable[[], bool], options: Options) -> Play:
    return Chains(puzzle, drops)


def _new_painter(play: Chains, theme: Theme, options: Options, hint: bool) -> Painter:
    from autoplayer.arcade.cardinal_chains.painter import ChainsPainter

    return ChainsPainter(play, theme, options, hint)


def _add_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Cardinal Chains")
    group.add_argument("--uncoloured", action="store_true", help="starts show their colour only once touched")


GAME = ArcadeGame(
    name="cardinal-chains",
    title="Cardinal Chains",
    levels=LEVELS / "cardinal-chains.txt",
    parse=parse,
    new_play=_new_play,
    new_painter=_new_painter,
    turns=True,
    add_options=_add_options,
    examples=EXAMPLES,
)
