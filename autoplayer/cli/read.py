"""``autoplayer read``: reads puzzles from pictures of a game."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoplayer import games, layout
from autoplayer.cli import output
from autoplayer.cli.target import ONE_WINDOW, PickOption, RegionOption, WindowOption, named
from autoplayer.core.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from autoplayer.core.frame import Image
    from autoplayer.games.base import Reading
    from autoplayer.settle import Settled
    from autoplayer.which import Candidate, Seen

Fields = dict[str, Any]


def read(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help="Pictures of a game's window; before them the game, as in `autoplayer games`, or that which explains "
            "each picture best is taken.",
            metavar="[GAME] IMAGE…",
        ),
    ] = None,
    window: WindowOption = None,
    pick: PickOption = False,
    region: RegionOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a picture, a line each.")] = False,
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", metavar="OUT.png", help="Draw what was read over the picture; more into OUT-2.png …"),
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--layout", metavar="NAME", help="The layout profile of the window.")
    ] = None,
) -> int:
    """Say what is seen in pictures of a game, or in its window: the puzzle as text, and what is in doubt. Nothing is
    pressed or moved.

    \b
    Examples:
      autoplayer read cardinal-chains screenshot.png
      autoplayer read screenshot.png
      autoplayer read cardinal-chains *.png --json
      autoplayer read cardinal-chains screenshot.png --overlay seen.png
      autoplayer read hashi --window Bridges
    """
    ways = sum((window is not None, pick, region is not None))
    if ways > 1:
        raise UsageError(ONE_WINDOW)
    shown = _Shown(window, pick, region) if ways else None
    game, files = _taken_apart(what or [], shown)
    candidates = _candidates(game, profile)
    if overlay:
        output.check_writable(overlay, [".png"])
    code = 0
    for number, file in enumerate(files, 1):
        fields, seen, worth = _seen(file, shown, candidates, fit=profile is None)
        if game is None:
            fields["game"] = seen.game.name if seen else None
            if seen:  # the next picture is probably of the same window
                candidates.sort(key=lambda each: each[0].name != seen.game.name)
            if seen and not json:
                print(f"{fields['file']}: this is {seen.game.title}", file=sys.stderr)
        code = max(code, worth)
        try:
            if json:
                output.line(fields)
            else:
                _print(fields, len(files) > 1)
        finally:  # last: it may fail, and the result must not be lost; but also where nobody reads that to its end
            if overlay and seen and seen.reading and seen.settled:
                output.picture(output.numbered(overlay, number), _drawn(seen.reading, seen.settled, fields["puzzle"]))
    return code


# --- which game ------------------------------------------------------------------------------------------------------


def _taken_apart(what: list[str], shown: _Shown | None) -> tuple[str | None, list[str]]:
    """The game's name, or None where none is given, and the pictures, or how the window that is ``shown`` was named.
    Raises UsageError where there is neither."""
    if shown is not None:
        if len(what) > 1 or (what and what[0] not in games.names() and Path(what[0]).exists()):
            raise UsageError("expected pictures, or a window (--window, --pick, --region), not both")
        if what:
            games.load(what[0])
        return (what[0] if what else None), [shown.name]
    if not what:
        raise UsageError("expected a picture, such as screenshot.png, or a window (--window TITLE)")
    first = what[0]
    if first in games.names():
        if what[1:]:
            return first, what[1:]
        if not Path(first).is_file():
            raise UsageError(f"expected a picture after the game '{first}', such as screenshot.png")
    elif not (Path(first).exists() or Path(first).suffix or "/" in first or os.sep in first):
        games.load(first)  # raises an error that names similar games
    return None, what


def _candidates(game: str | None, profile: str | None) -> list[Candidate]:
    """The possible games, each with its layout. A layout belongs to one game, and so determines it."""
    if profile is not None:
        known = layout.load(profile, game)
        return [(games.load(known.game), known)]
    if game is not None:
        return [(games.load(game), layout.Layout(game=game))]
    from autoplayer import which

    return which.candidates()


def _fitting(candidates: Sequence[Candidate], title: str, image: Image) -> list[Candidate]:
    """``candidates`` with the layouts that fit a window."""
    from autoplayer.session.looking.marks import fitting

    return [(game, fitting(game.name, title, image) or known) for game, known in candidates]


@dataclass(frozen=True)
class _Shown:
    """The part of this screen to be read: a window by its title, by a click, or a region of the screen."""

    title: str | None
    pick: bool
    region: str | None

    @property
    def name(self) -> str:
        """Its name before it is found."""
        return self.title or self.region or "the window"

    def grabbed(self) -> tuple[str, Image]:
        """The window's title and its picture. Raises NotFoundError, or UsageError where it is not exactly one window,
        or something covers it."""
        from autoplayer.core.frame import Box
        from autoplayer.screen.base import lies_over
        from autoplayer.screen.desktop import DesktopScreen
        from autoplayer.screen.windows import Region, window_system

        part = Region.parse(self.region) if self.region is not None else None
        system = window_system()
        try:
            target = part or named(system, self.title or "", self.pick)
            assert target is not None  # one of the three was given
            screen = DesktopScreen(target, system=system, bring_to_front=False)
            try:
                image = screen.still().image
                over = lies_over(screen, [Box(0, 0, image.shape[1], image.shape[0])])
            finally:
                screen.close()
        finally:
            system.close()
        if over is not None:
            raise UsageError(f"{screen.title}: {over} lies over it; bring the game's window to the front")
        return screen.title, image


# --- what is seen ----------------------------------------------------------------------------------------------------


def _seen(
    file: str, shown: _Shown | None, candidates: Sequence[Candidate], *, fit: bool
) -> tuple[Fields, Seen[Any, Any] | None, int]:
    """The JSON fields for a picture, or for the window that is ``shown``; what was read in it, if anything was; and the
    resulting exit code. ``fit``: whether a layout that fits the window is taken."""
    from autoplayer.cli import pictures

    try:
        if shown is None:
            name, image = file, pictures.load(file)
        else:
            name, image = shown.grabbed()
            candidates = _fitting(candidates, name, image) if fit else candidates
    except (NotFoundError, UsageError) as error:
        return _fields(file, error=str(error)), None, error.exit_code
    fields, seen = _read(name, image, candidates)
    return fields, seen, 0 if fields["status"] == "read" else 1


def _drawn(reading: Reading[Any], settled: Settled[Any, Any], puzzle: str) -> Image:
    """The picture that was read, with the settled ``puzzle`` over it."""
    from autoplayer.cli import pictures

    return pictures.overlay(reading.image, reading.places, puzzle, settled.doubts, settled.changed)


def _read(name: str, image: Image, candidates: Sequence[Candidate]) -> tuple[Fields, Seen[Any, Any] | None]:
    """The JSON fields for a picture, and what was read in it by the game that it shows, if it shows one."""
    from autoplayer import which

    if len(candidates) == 1:
        [(game, known)] = candidates
        seen = which.look(game, image, known)
    else:
        begin = time.perf_counter()
        choice = which.choose([image], candidates)
        if not choice.seen:
            return _fields(name, error=f"{name}: {choice.reason}", seconds=time.perf_counter() - begin), None
        [seen] = choice.seen
    if seen.settled is None:
        return _fields(name, error=f"{name}: {seen.reason}", seconds=seen.seconds), None
    settled = seen.settled
    return _fields(
        name,
        seen.status,
        puzzle=seen.game.format(settled.puzzle),
        confidence=round(settled.confidence, 4),
        doubts=output.doubts(settled.doubts),
        seconds=seen.seconds,
        error=None if seen.status == "read" else f"{name}: {seen.reason}",
    ), seen


def _fields(name: str, status: str = "unreadable", *, seconds: float = 0.0, **more: Any) -> Fields:
    empty: Fields = {"puzzle": None, "confidence": 0.0, "doubts": []}
    return {"file": name, "status": status, **empty, "seconds": round(seconds, 6), "error": None, **more}


def _print(fields: Fields, several: bool) -> None:
    """Print a picture's puzzle for a person; doubts and reasons go to the standard error."""
    if fields["puzzle"] is not None:
        if several:
            print(output.plain(f"# {fields['file']}"))
        print(fields["puzzle"])
        if several:
            print()
        sys.stdout.flush()
    if fields["error"]:
        print(output.plain(f"{'' if fields['puzzle'] is None else 'in doubt: '}{fields['error']}"), file=sys.stderr)
