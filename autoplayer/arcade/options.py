"""The command line of a window: argparse in, frozen options out. Game-specific options are added by the game."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from autoplayer.arcade.live import LiveGame
from autoplayer.arcade.play import ArcadeGame
from autoplayer.core.errors import UsageError

SMALLEST, LARGEST = (160, 120), (8192, 8192)


@dataclass(frozen=True)
class Options:
    """Everything that one window was asked to be."""

    levels: Path
    log: Path | None
    size: tuple[int, int]
    title: str
    theme: str
    glyphs: str
    look: str
    advance: str
    controls: str
    start: int
    fps: int
    animate: float
    """Seconds that a cell takes to change."""
    flash: float | None
    """Seconds that a win is celebrated; None for the usual time."""
    sample: bool
    lose_instant_clicks: bool
    drop_every: int
    """Every so many things that the hand does to the board one is lost; 0 for none."""
    late: float
    """Seconds by which what the hand does takes effect later."""
    lose_every: int
    """Every so many presses one has no effect, nor has what follows until its release; 0 for none."""
    bubble: float
    """Seconds that a hint lies over the board; 0 for no hint."""
    levels_limit: int
    close_after_last: bool
    hint: bool
    extra: dict[str, Any]
    """The game's own options."""


class _Parser(argparse.ArgumentParser):
    """Faults end in one sentence, not in a page of usage."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see --help")


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and len(text) <= 11):
        raise argparse.ArgumentTypeError(f"expected a size such as 800x600, but found '{text[:20]}'")
    size = int(width), int(height)
    if not all(low <= n <= high for low, n, high in zip(SMALLEST, size, LARGEST, strict=True)):
        raise argparse.ArgumentTypeError(
            f"expected a size from {SMALLEST[0]}x{SMALLEST[1]} to {LARGEST[0]}x{LARGEST[1]}, but found '{text}'"
        )
    return size


class Whole:
    """A whole number between two bounds; for argparse's ``type``."""

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def __call__(self, text: str) -> int:
        if not (text.isdecimal() and len(text) <= 9 and self.least <= int(text) <= self.most):
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {self.least} to {self.most}, but found '{text[:20]}'"
            )
        return int(text)


def _span(text: str) -> tuple[int, int]:
    """Two whole numbers of milliseconds, such as ``16-80``."""
    low, dash, high = text.partition("-")
    if not (dash and low.isdecimal() and high.isdecimal() and len(text) <= 9 and int(low) <= int(high) <= 2000):
        raise argparse.ArgumentTypeError(f"expected milliseconds such as 16-80, at most 2000, but found '{text[:20]}'")
    return int(low), int(high)


def parser(game: ArcadeGame) -> argparse.ArgumentParser:
    """The parser of one game's window."""
    made = _Parser(
        prog=f"autoplayer arcade {game.name}",
        description=f"{game.title} in a window of its own. R sets the level back, N goes on when it is won, P goes "
        "back a level, F11 fills the screen, Ctrl+Q quits.",
        epilog=game.examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--levels", type=Path, default=game.levels, metavar="FILE", help="a file of puzzles")
    made.add_argument("--start", type=Whole(1, 1_000_000), default=1, metavar="N", help="begin with level N")
    made.add_argument("--levels-limit", type=Whole(1, 1_000_000), default=0, metavar="N", help="quit after N wins")
    made.add_argument("--close-after-last", action="store_true", help="quit when the last level is won")
    live = isinstance(game, LiveGame)
    made.add_argument(
        "--advance",
        choices=("auto", "stay") if live else ("auto", "button", "stay"),
        default="auto",
        help="after a win: the next level comes by itself; or "
        + ("nothing happens" if live else "the next button lights up; or nothing happens"),
    )
    made.add_argument("--log", type=Path, metavar="FILE", help="write what happens as JSON lines")

    looks = made.add_argument_group("looks")
    looks.add_argument("--size", type=_size, default=(800, 600), metavar="WxH", help="of the window (800x600)")
    looks.add_argument("--title", default=game.title, help="of the window")
    looks.add_argument(
        "--theme",
        choices=("light", "dark", "colour-blind", "alternate"),
        default="light",
        help="alternate: another one each level",
    )
    looks.add_argument("--look", choices=game.looks, default=game.looks[0], help="how cells look")
    looks.add_argument("--animate", type=Whole(0, 5000), default=120, metavar="MS", help="time a cell takes to change")
    looks.add_argument("--flash", type=Whole(50, 10_000), metavar="MS", help="time that a win is celebrated (1000)")
    looks.add_argument("--fps", type=Whole(1, 240), default=60, metavar="N", help="frames a second, at most (60)")

    rough = made.add_argument_group("roughness", "habits of real windows, to test a bot against")
    rough.add_argument(
        "--late", type=Whole(0, 5000), default=0, metavar="MS", help="what is pressed takes effect so much later"
    )
    rough.add_argument(
        "--lose-every", type=Whole(1, 1_000_000), default=0, metavar="N", help="every Nth press has no effect at all"
    )
    rough.add_argument(
        "--bubble",
        type=Whole(1, 60_000),
        default=0,
        metavar="MS",
        help="a hint lies over the board for so long when a level comes, and once more with its second gesture",
    )
    (_live if live else _board)(game, made, looks, rough)
    game.add_options(made)
    return made


def _board(
    game: ArcadeGame, made: argparse.ArgumentParser, looks: argparse._ArgumentGroup, rough: argparse._ArgumentGroup
) -> None:
    """Options of boards that wait for a hand."""
    made.add_argument("--controls", choices=game.controls, default=game.controls[0], help="what plays the board")
    looks.add_argument("--glyphs", choices=game.glyphs, default=game.glyphs[0], help="how digits look")
    looks.add_argument("--hint", action="store_true", help="a circle shows how to play on the first level")
    rough.add_argument("--sample", action="store_true", help="look at the pointer once a frame only")
    rough.add_argument("--lose-instant-clicks", action="store_true", help="ignore a press shorter than 0.1 s")
    rough.add_argument(
        "--drop-every",
        type=Whole(1, 1_000_000),
        default=0,
        metavar="N",
        help="lose every Nth step of a drag, link, or rotation",
    )


def _live(
    game: ArcadeGame, made: argparse.ArgumentParser, looks: argparse._ArgumentGroup, rough: argparse._ArgumentGroup
) -> None:
    """Options of games that go on by themselves."""
    rough.add_argument(
        "--slow",
        type=_span,
        metavar="A-B",
        help="each frame takes A to B milliseconds at random; the game's speed stays",
    )
    made.add_argument("--log-frames", action="store_true", help="log where the figure is, each frame")
    made.set_defaults(
        controls=game.controls[0],
        glyphs=game.glyphs[0],
        hint=False,
        sample=False,
        lose_instant_clicks=False,
        drop_every=0,
    )


def read(game: ArcadeGame, argv: Sequence[str]) -> Options:
    """The options that ``argv`` asks for. Raises UsageError; leaves through SystemExit for ``--help``."""
    found = vars(parser(game).parse_args(argv))
    known = {name: found.pop(name) for name in Options.__dataclass_fields__ if name in found}
    for name in ("animate", "flash", "late", "bubble"):
        known[name] = None if known[name] is None else known[name] / 1000
    return Options(**known, extra=found)
