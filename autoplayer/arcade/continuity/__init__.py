"""Continuity in the arcade: its engine and its painter, joined for the loop of games that go on by themselves."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from autoplayer.arcade.live import LiveGame
from autoplayer.arcade.options import Whole
from autoplayer.arcade.play import LEVELS, Painter, Play
from autoplayer.core.errors import PuzzleError
from autoplayer.games.continuity.puzzle import Level, parse

if TYPE_CHECKING:
    from autoplayer.arcade.continuity.play import Rooms
    from autoplayer.arcade.options import Options
    from autoplayer.arcade.themes import Theme

LOOKS = ("plain", "bricks", "outlines", "colours")

EXAMPLES = """keys:
  left, right       walk              up    jump
  space             change between walking and sliding
  arrows            while sliding: move the tile beside the empty place into it

examples:
  autoplayer arcade continuity
  autoplayer arcade continuity --look bricks --camera tile
  autoplayer arcade continuity --look outlines --theme dark --start 12 --size 1200x900
  autoplayer arcade continuity --levels mine.txt --log played.jsonl --log-frames --slow 16-80
"""


def _parse(text: str) -> Level:
    level = parse(text)
    if not isinstance(level, Level):
        raise PuzzleError("the window plays levels that are drawn as rooms, but this one is a graph", 1, 1)
    return level


def _new_play(level: Level, drops: Callable[[], bool], options: Options) -> Play:
    from autoplayer.arcade.continuity.play import Rooms

    return Rooms(level, options.animate)


def _new_painter(play: Rooms, theme: Theme, options: Options, hint: bool) -> Painter:
    from autoplayer.arcade.continuity.painter import RoomsPainter

    return RoomsPainter(play, theme, options)


def _add_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "Continuity", "--animate: time from one view to the other (300); 0: tiles jump into their places as well."
    )
    parser.set_defaults(animate=300)
    group.add_argument(
        "--camera",
        choices=("whole", "tile"),
        default="whole",
        help="what the walking view shows: the whole board, or the figure's tile from near",
    )
    group.add_argument(
        "--gap", type=Whole(0, 20), default=0, metavar="N", help="between tiles in the walking view, per cent (0)"
    )
    group.add_argument(
        "--slide-gap", type=Whole(0, 50), default=14, metavar="N", help="the same in the sliding view (14)"
    )


GAME = LiveGame(
    name="continuity",
    title="Continuity",
    levels=LEVELS / "continuity.txt",
    parse=_parse,
    new_play=_new_play,
    new_painter=_new_painter,
    turns=False,
    add_options=_add_options,
    examples=EXAMPLES,
    controls=("keys",),
    looks=LOOKS,
)
