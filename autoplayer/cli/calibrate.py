"""``autoplayer calibrate``: learns an unknown window by looking, asking and trying."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoplayer import games
from autoplayer import layout as layouts
from autoplayer.cli import output
from autoplayer.cli.talk import Talk
from autoplayer.cli.target import PickOption, RegionOption, WindowOption, named
from autoplayer.core.errors import AutoplayerError, UnreadableError, UsageError

if TYPE_CHECKING:
    from autoplayer.calibrate import Calibration, Look
    from autoplayer.calibrate.trial import Trial
    from autoplayer.core.frame import Point
    from autoplayer.games.base import Game
    from autoplayer.screen.desktop import DesktopScreen
    from autoplayer.screen.windows import Region, Window, WindowSystem


def calibrate(
    game: Annotated[str, typer.Argument(help="The game, as in `autoplayer games`.")],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the layout is to be called.")],
    window: WindowOption = None,
    pick: PickOption = False,
    region: RegionOption = None,
    image: Annotated[
        list[Path] | None, typer.Option("--image", metavar="FILE", help="A picture of the window; may be repeated.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Answers given in advance (TOML).")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", metavar="FILE", help="Only write the questions, as a file of answers to fill in."),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Ask nothing: what is believed is right, and the mouse may be tried.")
    ] = False,
    menus: Annotated[
        bool,
        typer.Option("--menus", help="Press what leads to the first level on a title screen or in a list of levels."),
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget what the layout of this name knows.")] = False,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", metavar="OUT.png", help="Draw what is believed over the picture.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object with what was learned.")] = False,
) -> int:
    """Learn a window of a game: how its glyphs look, how it is controlled, how it shows a win.

    It shows what it believes, asks about what it doubts, and, with your leave, plays one level to try the controls.
    The layout goes into your own folder (`autoplayer layouts` says where) and is then used by --layout NAME, or by
    itself where the window's title and looks fit.

    \b
    Examples:
      autoplayer calibrate cardinal-chains --window "Chains" --name my-chains
      autoplayer calibrate hashi --image one.png --image two.png --name my-hashi
      autoplayer calibrate hashi --window Bridges --name my-hashi --questions answers.toml
      autoplayer calibrate hashi --window Bridges --name my-hashi --answers answers.toml --yes
    """
    if sum((window is not None, pick, region is not None, bool(image))) != 1:
        raise UsageError("expected one of --window, --pick, --region and --image, to say what is to be learned")
    for path, suffix in ((overlay, ".png"), (questions, ".toml")):
        if path is not None:
            output.check_writable(path, (suffix,))
    player = _readable(game)
    from autoplayer.calibrate import answers as given

    told = given.load(answers) if answers is not None else given.Answers(game=player.name)
    place = str(answers) if answers is not None else ""
    from autoplayer.screen.stopping import sigterm_stops

    with sigterm_stops(), Talk(told, yes, json, overlay, questions) as talk:
        if image:
            told.check(place, player, None)
            return _from_pictures(player, name, image, talk, fresh)
        return _from_window(player, name, window, pick, region, talk, place, fresh, menus)


def _readable(name: str) -> Game[Any, Any]:
    """The game of that name. Raises UsageError where it has no reader."""
    from autoplayer.games.base import reads_windows

    game = games.load(name)
    if not reads_windows(game):
        raise UsageError(f"{game.title}: this game's windows are not read yet, so there is nothing to calibrate")
    return game


# --- pictures --------------------------------------------------------------------------------------------------------


def _from_pictures(game: Game[Any, Any], name: str, files: Sequence[Path], talk: Talk, fresh: bool) -> int:
    from autoplayer.calibrate import Calibration
    from autoplayer.cli import pictures

    images = [pictures.load(str(path)) for path in files]
    with Calibration(game, name, talk.told.title, fresh=fresh) as learning:
        talk.begin(learning)
        looks = []
        for number, (path, image) in enumerate(zip(files, images, strict=True)):
            try:
                looks.append(talk.picture(learning, image, number))
            except UnreadableError as error:
                raise UnreadableError(f"{path}: {error}") from None
            learning.seen(looks[-1])
        if talk.questions_file is not None:
            return talk.write_questions(learning, looks)
        known = zip(files, [_again(learning, look) for look in looks], strict=True)
        return talk.finish(learning, looks[-1], None, [(str(path), look) for path, look in known])


def _again(learning: Calibration[Any, Any], look: Look[Any, Any]) -> Look[Any, Any]:
    """A picture that was examined, with what was answered about later ones; unchanged where these answers hide its
    board."""
    try:
        return learning.look(look.image)
    except UnreadableError:
        return look


# --- a window --------------------------------------------------------------------------------------------------------


def _from_window(
    game: Game[Any, Any],
    name: str,
    title: str | None,
    pick: bool,
    region: str | None,
    talk: Talk,
    place: str,
    fresh: bool,
    menus: bool,
) -> int:
    from autoplayer.calibrate import Calibration
    from autoplayer.calibrate.trial import piloted
    from autoplayer.screen.windows import Region, Window, window_system

    part = Region.parse(region) if region is not None else None
    with ExitStack() as stack:
        system = window_system()
        stack.callback(system.close)
        target = part or named(system, title or "", pick)
        assert target is not None  # a title was given, perhaps an empty one
        called = target.title if isinstance(target, Window) else None
        talk.told.check(place, game, called)
        pattern = talk.told.title or (layouts.pattern_of(called) if called is not None else None)
        learning = stack.enter_context(Calibration(game, name, pattern, fresh=fresh))
        talk.begin(learning)
        view = _View(target, system)
        stack.callback(view.close)
        if menus:
            _enter(learning, view, talk)
        frame = view.anew().still(quiet=STILL)
        talk.point, talk.click = view.point, view.click
        talk.trial_tells = talk.yes and piloted(game) and talk.told.press is not False
        look = talk.picture(learning, frame.image, 0)
        learning.seen(look)
        if talk.questions_file is not None:
            return talk.write_questions(learning, [look])
        made = _tried(learning, view, talk, frame.size)
        while made is not None and made.result and made.result.status == "failed" and talk.shown_how(learning):
            made = _tried(learning, view, talk, frame.size)
        if made is not None:
            taught = talk.taught(learning, look, made)
            before, look = look, _next_level(learning, view, talk, taught or look)
            if not learning.came(before, look, made):
                talk.way_on(learning, frame.size)
        _same_size(frame.size, view.anew().grab().size)
        return talk.finish(learning, look, made)


class _View:
    """The window, opened anew after each question: the person's terminal may cover it by then, and their movement of
    the mouse meanwhile must not count as a stop."""

    def __init__(self, target: Window | Region, system: WindowSystem) -> None:
        self._target, self._system = target, system
        self._screen: DesktopScreen | None = None

    def anew(self) -> DesktopScreen:
        """The window, brought to the front."""
        from autoplayer.screen.desktop import DesktopScreen

        self.close()
        self._screen = DesktopScreen(self._target, system=self._system)
        return self._screen

    def point(self) -> Point:
        """The pointer's position in the window (pixels)."""
        return self._inside(self.anew())

    def click(self) -> Point:
        """The window position (pixels) of the person's next click, which the window does not receive; on systems that
        cannot catch clicks, the pointer has to rest there. Raises UsageError where another window was clicked,
        StoppedError where it was the desktop, or no click came."""
        from autoplayer.screen.windows import Window

        screen = self.anew()
        hit, at = self._system.pick_at(CLICK_LIMIT)
        if isinstance(self._target, Window) and hit.id != self._target.id:
            raise UsageError(f"expected a click in the window {self._target.title!r}, but it was in {hit.title!r}")
        return self._inside(screen, at)

    def _inside(self, screen: DesktopScreen, at: Point | None = None) -> Point:
        """A screen position, by default the pointer's, in window pixels."""
        frame, (x, y), scale = screen.grab(), at or screen.hand.position(), screen.guard.scale
        return round((x - frame.origin[0]) * scale), round((y - frame.origin[1]) * scale)

    def close(self) -> None:
        if self._screen is not None:
            self._screen.close()
            self._screen = None


CLICK_LIMIT = 120.0
"""Seconds to wait for a click that was asked for."""

STILL = 0.25
"""Seconds for which the window must be still before it is examined."""


def _enter(learning: Calibration[Any, Any], view: _View, talk: Talk) -> None:
    """Press what leads to a level. Where none appears, the window is examined as it is: it may show one that cannot be
    read yet."""
    from autoplayer.session import Session

    talk.say("Title screens and lists of levels are pressed until a level is seen.")
    try:
        Session(learning.game, view.anew(), learning.layout, menus=True).enter()
    except UnreadableError as error:
        talk.say(f"That led to no level: {error}")


def _tried(learning: Calibration[Any, Any], view: _View, talk: Talk, size: tuple[int, int]) -> Trial | None:
    """Play one level with the person's permission; None without it, or where nothing can be played."""
    from autoplayer.calibrate.trial import intended

    try:
        what = intended(learning.game, view.anew(), learning.layout)
    except UnreadableError as error:
        talk.say(f"The controls cannot be tried: {error}")
        return None
    if not talk.leave(f"To learn the controls {what}. May it?", talk.told.press):
        return None
    screen = view.anew()
    _same_size(size, screen.grab().size)
    talk.say("It is played now; leave mouse and keys alone until it is said what came of it.")
    made = learning.try_level(screen)
    if made.stop is not None:
        raise made.stop
    if made.result is not None:
        talk.say(f"The level was tried: {made.result.status}{f' ({made.result.error})' if made.result.error else ''}.")
    _same_size(size, screen.grab().size)
    return made


def _next_level(learning: Calibration[Any, Any], view: _View, talk: Talk, before: Look[Any, Any]) -> Look[Any, Any]:
    """The window after the trial, read with what is known now."""
    frame = view.anew().still(quiet=STILL)
    try:
        look = talk.picture(learning, frame.image, 1)
    except UnreadableError as error:
        talk.say(f"What the window shows now cannot be read: {error}")
        return before
    learning.seen(look)
    return look


def _same_size(before: tuple[int, int], now: tuple[int, int]) -> None:
    if before != now:
        raise AutoplayerError(
            f"the window changed its size from {before[0]}x{before[1]} to {now[0]}x{now[1]} while it was learned; "
            "nothing was kept; calibrate again, and leave it as it is meanwhile"
        )
