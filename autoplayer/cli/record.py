"""``autoplayer record``: keeps stills of a window while a person plays in it, as pictures for `autoplayer replay`."""

from __future__ import annotations

import hashlib
import re
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoplayer import games, layout
from autoplayer.cli import input, output, sessions
from autoplayer.cli.target import PickOption, RegionOption, WindowOption, named
from autoplayer.core.errors import AutoplayerError, MachineError, NotFoundError, StoppedError, UsageError

if TYPE_CHECKING:
    from autoplayer.core.frame import Frame, Image
    from autoplayer.games.base import Game
    from autoplayer.screen.desktop import DesktopScreen
    from autoplayer.screen.windows import Region, Window, WindowSystem

QUIET = 0.3
"""Seconds without a change after which the window is still: longer than the pauses of a game's animations."""

LOOK = 0.08
"""Seconds between two looks: several fit into the quiet time, and a look costs a few milliseconds."""

CALM_LOOKS = 3
"""Looks in a row that must find no change: on a busy machine the whole quiet time may pass between two of them."""

SETTLE_LIMIT = 2.0
"""Seconds that the rules may take to settle a picture's doubts; the person plays on meanwhile."""

NAME = re.compile(r"still-(\d{4,})\..*")


def record(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go; made where it is not there.", metavar="DIR")],
    window: WindowOption = None,
    pick: PickOption = False,
    region: RegionOption = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Also write what is read, as a text to be checked.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--layout", metavar="NAME", help="The layout profile of the window; a file, too.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="End after so many pictures.")] = 100,
    record_limit: Annotated[
        str, typer.Option("--record-limit", metavar="SIZE", help="End before the files have more; none: no matter.")
    ] = "1GB",
    every: Annotated[float, typer.Option("--every", metavar="S", help="At most one picture in S seconds.")] = 0.5,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a picture, a line each.")] = False,
) -> int:
    """Keep pictures of a window while you play: one whenever it has become still and shows something new.

    Nothing is pressed, and nothing but the inside of the window is kept; while another window lies over it, nothing is.
    It ends with Ctrl-C, with the window, or with the last of --limit pictures, and before they have more than
    --record-limit together. Then write the truth beside each, still-0001.txt beside still-0001.png, and `autoplayer
    replay DIR` compares. With --game the texts are there already, as the reader's word: check each by eye, and delete
    the line that says so. With --layout its text lies beside them, so that they can be replayed where nobody has that
    layout.

    \b
    Examples:
      autoplayer record --window "Bridges" stills
      autoplayer record --window "Bridges" stills --game hashi --limit 20
    """
    if sum((window is not None, pick, region is not None)) != 1:
        raise UsageError("expected one of --window TITLE, --pick and --region X,Y,W,H: what is to be kept")
    input.seconds(every, "--every")
    room = sessions.size(record_limit, "--record-limit")
    reader = _reader(game, profile)
    from autoplayer.screen.windows import Region, window_system

    part = Region.parse(region) if region is not None else None
    with closing(window_system()) as system:
        target = part or named(system, window, pick)
        assert target is not None  # one of the three was given
        keeper = Keeper(_prepared(folder), reader, json, room)
        why = _until_stopped(system, target, keeper, limit, every)
    what = f"{keeper.kept} picture{'' if keeper.kept == 1 else 's'} kept in {folder}"
    print(f"{why}: {what}" if keeper.kept else f"{why}: no picture was kept", file=sys.stderr)
    return 0 if keeper.kept else 1


def _reader(game: str | None, profile: str | None) -> Reader | None:
    """The reader of a game, or of the game of a layout; None where neither is named."""
    known = layout.load(profile, game) if profile is not None else layout.Layout(game=game) if game else None
    return Reader(games.load(known.game), known, profile is not None) if known else None


def _prepared(folder: Path) -> Path:
    """``folder``, created if necessary. Raises UsageError where pictures cannot be stored there."""
    from autoplayer.screen.recording import LINES

    if (folder / LINES).exists():
        raise UsageError(f"{folder}: expected a folder for pictures, but this one holds a recorded session")
    return output.folder(folder)


# --- which pictures --------------------------------------------------------------------------------------------------


class Watcher:
    """Decides which of one window's successive pictures to keep: those that are still and new."""

    def __init__(self, every: float) -> None:
        """``every``: the least number of seconds between two kept pictures."""
        from autoplayer.screen.stillness import Stillness

        self._every = every
        self._stillness = Stillness()
        self._begun = False
        self._kept: Image | None = None
        self._last = -every
        self._met: set[bytes] = set()

    def wants(self, image: Image, now: float) -> bool:
        """Whether ``image``, seen at ``now`` (seconds on any clock), is still and was not kept before."""
        if not self._begun:
            self._stillness.begin(now)
            self._begun = True
        self._stillness.see(image, now)
        if self._stillness.calm_for() < QUIET or self._stillness.looks < CALM_LOOKS or now < self._last + self._every:
            return False
        if self._kept is not None and not self._stillness.differs(self._kept):
            return False
        return _digest(image) not in self._met  # a move that is taken back shows nothing new

    def keep(self, image: Image, now: float) -> None:
        """``image`` was kept."""
        self._kept, self._last = image, now
        self._met.add(_digest(image))


def _digest(image: Image) -> bytes:
    return hashlib.blake2b(image.tobytes(), digest_size=16, person=repr(image.shape).encode()[:16]).digest()


def _until_stopped(system: WindowSystem, target: Window | Region, keeper: Keeper, limit: int, every: float) -> str:
    """As :func:`_follow`, for a screen of its own, and until the person stops it as well."""
    from autoplayer.screen.desktop import DesktopScreen
    from autoplayer.screen.stopping import sigterm_stops

    screen = DesktopScreen(target, system=system, bring_to_front=False)
    if sys.stderr.isatty():
        print(f"Play in {screen.title!r}; Ctrl-C ends it.", file=sys.stderr)
    try:
        with sigterm_stops():
            return _follow(screen, system, target, keeper, limit, every)
    except (KeyboardInterrupt, StoppedError):
        return "stopped"
    finally:
        screen.close()


def _follow(
    screen: DesktopScreen, system: WindowSystem, target: Window | Region, keeper: Keeper, limit: int, every: float
) -> str:
    """Keep pictures until ``limit`` is reached or the window is gone; returns why it ended."""
    watcher = Watcher(every)
    tell = _teller()
    uncovered = False  # since the picture became still
    while True:
        try:
            frame = screen.grab()
        except MachineError:
            raise
        except NotFoundError as error:
            if _gone(system, target):
                return "the window was closed"
            tell(str(error))
        except AutoplayerError as error:  # it reaches outside the screen: wait until it is moved back
            tell(str(error))
        else:
            if not watcher.wants(frame.image, frame.time):
                uncovered = False
            elif not uncovered:
                # A cover that goes away just before this question changes the picture: then the next look decides.
                over = _covered(screen, target, frame)
                uncovered = over is None
                if over is not None:
                    tell(f"{over} lies over the window; nothing is kept until it is gone")
            else:
                uncovered = False
                watcher.keep(frame.image, frame.time)
                if not keeper.keep(frame.image):
                    return "the next picture would be more than --record-limit allows"
                tell("")
                if keeper.kept == limit:
                    return f"the limit of {limit} is reached"
        time.sleep(LOOK)


def _teller() -> Callable[[str], None]:
    """A function that prints a sentence on the standard error, but not twice in a row."""
    last = ""

    def tell(sentence: str) -> None:
        nonlocal last
        if sentence and sentence != last:
            print(sentence, file=sys.stderr)
        last = sentence

    return tell


def _gone(system: WindowSystem, target: Window | Region) -> bool:
    from autoplayer.screen.windows import Window

    return not isinstance(target, Window) or system.window(target.id) is None


def _covered(screen: DesktopScreen, target: Window | Region, frame: Frame) -> str | None:
    """What covers the window and is therefore in the picture, if anything; a region is kept with everything in it."""
    from autoplayer.core.frame import Box
    from autoplayer.screen.windows import Window

    if not isinstance(target, Window):
        return None
    return screen.lies_over([Box(0, 0, *frame.size)]) or ("another window" if screen.hidden() else None)


# --- what is kept of them --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reader:
    """What reads the pictures: a game with a layout; ``named``: whether the person named that layout."""

    game: Game[Any, Any]
    known: layout.Layout
    named: bool = False


class Keeper:
    """Writes the pictures, and what ``reader`` reads in them, never over existing files. A layout that the person named
    is written beside them, because another machine may not have it. ``room``: the most bytes of all files together;
    None for no limit."""

    def __init__(self, folder: Path, reader: Reader | None, json: bool, room: int | None = None) -> None:
        self.kept = 0
        self._folder, self._reader, self._json, self._room = folder, reader, json, room
        used = [int(match[1]) for path in folder.iterdir() if (match := NAME.fullmatch(path.name))]
        self._number = max(used, default=0)
        self._layout = layout.dumps(reader.known).encode() if reader and reader.named else b""
        """The layout's text, as long as it has not been written."""
        self._beside: str | None = None
        """The name of the layout's file."""

    def keep(self, image: Image) -> bool:
        """Write ``image`` under the next free name; False where it does not fit into the limit."""
        picture = output.png(image)
        if self._room is not None:
            self._room -= len(picture) + len(self._layout)
            if self._room < 0:
                return False
        if self._layout:
            self._beside, self._layout = self._put(self._layout), b""
        text, error = self._text(image)
        truth = None if text is None else text.encode()
        if self._room is not None:
            self._room -= len(truth or b"")
            if self._room < 0:
                return False
        self._number += 1
        path = self._folder / f"still-{self._number:04}.png"
        output.write(path, picture, new=True)
        self.kept += 1
        if truth is not None:
            output.write(path.with_suffix(".txt"), truth, new=True)
        if self._json:
            size = [image.shape[1], image.shape[0]]
            output.line({"file": str(path), "size": size, "text": text is not None, "error": error})
        else:
            print(path, flush=True)
            if error:
                print(f"{path}: {error}", file=sys.stderr)
        return True

    def _put(self, content: bytes) -> str:
        """The name of the layout's file: an existing one with the same content, or a new one."""
        number = 1
        while (path := output.numbered(self._folder / "layout.toml", number)).exists() and path.read_bytes() != content:
            number += 1
        if not path.exists():
            output.write(path, content, new=True)
        return path.name

    def _text(self, image: Image) -> tuple[str | None, str | None]:
        """The text beside the picture, and a message about it."""
        if self._reader is None:
            return None, None
        from autoplayer import which
        from autoplayer.cli import truths

        game = self._reader.game
        seen = which.look(game, image, self._reader.known, time_limit=SETTLE_LIMIT)
        if seen.settled is None:
            return None, seen.reason
        puzzle = game.format(seen.settled.puzzle)
        return truths.unchecked(game, puzzle, seen.reason, self._beside), seen.reason or None
