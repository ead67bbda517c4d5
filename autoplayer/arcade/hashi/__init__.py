"""Hashi in the arcade: its rules of play and its painter, joined for the window loop."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from autoplayer.arcade.hashi.play import Islands
from autoplayer.arcade.options import Whole
from autoplayer.arcade.play import LEFT, LEVELS, RIGHT, ArcadeGame, Painter, Play
from autoplayer.games.hashi.puzzle import Puzzle, parse

if TYPE_CHECKING:
    from autoplayer.arcade.options import Options
    from autoplayer.arcade.themes import Theme

EXAMPLES = """examples:
  autoplayer arcade hashi
  autoplayer arcade hashi --theme dark --look discs --controls side
  autoplayer arcade hashi --look squares --controls pair --grid cells --counts
  autoplayer arcade hashi --levels mine.txt --log played.jsonl --win none --drop-every 20
"""


def _new_play(puzzle: Puzzle, drops: Callable[[], bool], options: Options) -> Play:
    return Islands(puzzle, drops, options.controls)


def _new_painter(play: Islands, theme: Theme, options: Options, hint: bool) -> Painter:
    from autoplayer.arcade.hashi.painter import IslandsPainter

    return IslandsPainter(play, theme, options)


def _add_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "Hashi",
        "--controls drag: from island to island; side: click beside an island towards its neighbour, right click takes "
        "away; pair: click one island, then the other; keys: arrows go, space holds an island, an arrow then links it.",
    )
    group.add_argument(
        "--grid", choices=("none", "cells", "lines", "dots"), default="none", help="what is drawn in the water"
    )
    group.add_argument("--counts", action="store_true", help="a small disc on each bridge says how many links it has")
    group.add_argument(
        "--tell",
        choices=("both", "done", "wrong", "none"),
        default="both",
        help="colour islands that have all their links, or too many",
    )
    group.add_argument("--win", choices=("flash", "none"), default="flash", help="whether the window shows a win")
    group.add_argument(
        "--island", type=Whole(40, 96), default=76, metavar="N", help="width, per cent of the pitch (76)"
    )


GAME = ArcadeGame(
    name="hashi",
    title="Hashi",
    levels=LEVELS / "hashi.txt",
    parse=parse,
    new_play=_new_play,
    new_painter=_new_painter,
    turns=False,
    add_options=_add_options,
    examples=EXAMPLES,
    controls=("drag", "side", "pair", "keys"),
    looks=("rings", "discs", "squares"),
    buttons=(LEFT, RIGHT),
)
