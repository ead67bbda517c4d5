"""Cross Set in the arcade: its rules of play and its painter, joined for the window loop."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from autoplayer.arcade.cross_set.marks import IN_SLOTS
from autoplayer.arcade.cross_set.play import Cells
from autoplayer.arcade.play import LEFT, LEVELS, RIGHT, ArcadeGame, Painter, Play
from autoplayer.games.cross_set.puzzle import Puzzle, parse

if TYPE_CHECKING:
    from autoplayer.arcade.options import Options
    from autoplayer.arcade.themes import Theme

EXAMPLES = """examples:
  autoplayer arcade cross-set
  autoplayer arcade cross-set --theme dark --look below --cells framed --lights
  autoplayer arcade cross-set --controls keys --look slots --cells grid
  autoplayer arcade cross-set --levels mine.txt --log played.jsonl --animate 300 --drop-every 20
"""


def _new_play(puzzle: Puzzle, drops: Callable[[], bool], options: Options) -> Play:
    return Cells(puzzle, drops, by_slots=options.look in IN_SLOTS, singles=options.extra["singles"] == "locked")


def _new_painter(play: Cells, theme: Theme, options: Options, hint: bool) -> Painter:
    from autoplayer.arcade.cross_set.painter import CellsPainter

    return CellsPainter(play, theme, options)


def _add_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "Cross Set",
        "--controls click: a click rotates a cell, the right button locks it; keys: arrows go, space rotates, enter or "
        "X locks. --look beside: the active number large, the others small beside it; tiny: the others smaller still; "
        "bright: all the same size, the active one brighter; below: the others in two rows below; slots: every number "
        "in a place of its own, the active one brighter; patches: the active one there on a patch.",
    )
    group.add_argument(
        "--cells", choices=("gaps", "grid", "framed"), default="gaps", help="tiles apart, or boxes, or framed colours"
    )
    group.add_argument("--lights", action="store_true", help="a light beside each unfinished row and column")
    group.add_argument(
        "--singles", choices=("locked", "open"), default="locked", help="what cells with one candidate are"
    )
    group.add_argument("--win", choices=("flash", "none"), default="flash", help="whether the window shows a win")


GAME = ArcadeGame(
    name="cross-set",
    title="Cross Set",
    levels=LEVELS / "cross-set.txt",
    parse=parse,
    new_play=_new_play,
    new_painter=_new_painter,
    turns=False,
    add_options=_add_options,
    examples=EXAMPLES,
    controls=("click", "keys"),
    looks=("beside", "tiny", "bright", "below", "slots", "patches"),
    glyphs=("font", "segments", "pixel", "symbols"),
    buttons=(LEFT, RIGHT),
)
