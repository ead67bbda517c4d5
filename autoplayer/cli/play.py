"""``autoplayer play``: finds the window of a running game, and plays it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from autoplayer import __version__, games, layout
from autoplayer.cli import output
from autoplayer.cli.target import PickOption, RegionOption, WindowOption, named
from autoplayer.core.errors import AutoplayerError, NotFoundError, StoppedError, UnreadableError, UsageError

if TYPE_CHECKING:
    from autoplayer.core.frame import Frame, Image
    from autoplayer.games.base import Game
    from autoplayer.screen.base import Screen
    from autoplayer.screen.desktop import DesktopScreen
    from autoplayer.screen.windows import Region, Window, WindowSystem
    from autoplayer.session import Event, LevelResult, Listener, Session
    from autoplayer.session.evidence import Witness


SETTLED_WITHIN = 1.0
"""Seconds for the window to come to rest before a layout is chosen for it."""

OPENING_LIMIT, BLANK = 5.0, 8
"""Seconds to wait for a window that shows nothing yet, for it was just opened, and how far (of 255) its pixels differ
then at most."""


def play(
    game: Annotated[
        str | None, typer.Argument(help="The game, as in `autoplayer games`; without it, the one that is seen.")
    ] = None,
    window: WindowOption = None,
    pick: PickOption = False,
    region: RegionOption = None,
    profile: Annotated[
        str | None,
        typer.Option(
            "--layout", metavar="NAME", help="The layout of the window; without it the one that fits, or none."
        ),
    ] = None,
    levels: Annotated[
        int | None, typer.Option("--levels", min=1, help="How many levels; without it, until you stop it.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="DIR", help="Keep every frame and decision in a new folder.")
    ] = None,
    record_limit: Annotated[
        str,
        typer.Option("--record-limit", metavar="SIZE", help="Nothing more is kept from there on; none: all is kept."),
    ] = "1GB",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and move nothing.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Pause when you take the mouse, and go on when you ask for it.")
    ] = False,
    stop_key: Annotated[
        str, typer.Option("--stop-key", metavar="KEY", help="Pressed twice, it stops the bot; `none` for no key.")
    ] = "escape",
    stuck_after: Annotated[
        float,
        typer.Option("--stuck-after", metavar="SECONDS", min=1, help="A level that comes no further is given up then."),
    ] = 120.0,
    menus: Annotated[
        bool,
        typer.Option(
            "--menus",
            help="Press what leads to the first level on a title screen or in a list of levels, and anything beside "
            "the board where nothing else leads on from a level.",
        ),
    ] = False,
    evidence: Annotated[
        Path | None,
        typer.Option("--evidence", metavar="DIR", help="Where the folder goes that is left when it was not won."),
    ] = None,
    no_evidence: Annotated[bool, typer.Option("--no-evidence", help="Leave no such folder.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a level, a line each.")] = False,
) -> int:
    """Play a game that is running in a window of this screen.

    Without --window, --pick or --region it looks through the open windows, and plays if exactly one shows the game.
    Without --layout it takes the layout whose title and looks are the window's (--layout none: none at all).
    To stop it: Ctrl-C, move the mouse, push the pointer into a corner of the screen, press Esc twice, or
    `autoplayer stop` in another terminal.
    When it ends otherwise than won, it leaves a folder with the last pictures, what was read, and what was done, to be
    attached to a report; nothing but the inside of the game's window is in it.

    \b
    Examples:
      autoplayer play
      autoplayer play cardinal-chains
      autoplayer play cardinal-chains --window "Chains" --levels 10
      autoplayer play cardinal-chains --region 100,80,800,600 --dry-run
    """
    if sum((window is not None, pick, region is not None)) > 1:
        raise UsageError("--window, --pick and --region each name a window; give one of them")
    if dry_run and record:
        raise UsageError("--record keeps what was played, and --dry-run plays nothing; give one of them")
    if dry_run and resume:
        raise UsageError("--resume goes on with what was played, and --dry-run plays nothing; give one of them")
    wanted = _wanted(game, profile)
    from autoplayer.cli import sessions
    from autoplayer.screen.stopping import sigterm_stops
    from autoplayer.screen.windows import Region, window_system

    if evidence and no_evidence:
        raise UsageError("--evidence says where it goes, and --no-evidence that there is none; give one of them")
    proof = None if no_evidence else evidence or layout.home() / "evidence"
    room = sessions.size(record_limit, "--record-limit")
    keeping = _Keeping(record, room) if record else None
    part = Region.parse(region) if region is not None else None
    key = None if stop_key == "none" else stop_key
    asked = _Asked(levels, keeping, dry_run, json, resume, key, stuck_after, proof, menus)
    with sigterm_stops(), closing(window_system()) as system:  # looking for the window may take a while, too
        if part is not None:
            return _play(wanted, None, part, system, asked)
        title = window or (wanted.known.title if wanted.known else None)
        target, choice = _target(wanted, system, title, pick)
        return _play(wanted, choice, target, system, asked)


@dataclass(frozen=True)
class _Asked:
    """How it is to be played. ``proof``: the folder for evidence; None for none."""

    levels: int | None
    record: _Keeping | None
    dry_run: bool
    json: bool
    resume: bool
    stop_key: str | None
    stuck_after: float
    proof: Path | None
    menus: bool


@dataclass(frozen=True)
class _Keeping:
    """The folder of a recording, and the bytes that its files may have together; None for as many as there are."""

    folder: Path
    limit: int | None


# --- which game, which layout ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Wanted:
    """What the person has said: the games that it may be, and the layout, None where the fitting one is to be taken."""

    games: tuple[Game[Any, Any], ...]
    known: layout.Layout | None
    bare: bool = False
    """Whether no layout is to be taken at all."""

    @property
    def title(self) -> str:
        return self.games[0].title if len(self.games) == 1 else "a game that is known here"


@dataclass(frozen=True)
class _Choice:
    """A game and a layout, and why they were taken, in a sentence."""

    game: Game[Any, Any]
    known: layout.Layout
    why: str


def _wanted(game: str | None, profile: str | None) -> _Wanted:
    bare = profile == layout.NO_LAYOUT
    known = None if bare or profile is None else layout.load(profile, game)
    if known is not None or game is not None:
        return _Wanted((games.load(known.game if known else game or ""),), known, bare)
    from autoplayer import which

    return _Wanted(tuple(each for each, _ in which.candidates()), None, bare)


def _choice(wanted: _Wanted, title: str | None, image: Image) -> _Choice:
    """The game and the layout for a window that shows ``image``. Raises UnreadableError where no game explains it."""
    if wanted.known is not None:
        return _Choice(wanted.games[0], wanted.known, "")
    from autoplayer.session.marks import fitting

    pairs = [(game, None if wanted.bare else fitting(game.name, title, image)) for game in wanted.games]
    none = "without a layout" if wanted.bare else "without a layout, for none fits it"
    said = {game.name: f"with the layout '{known.name}', {_why(known)}" if known else none for game, known in pairs}
    if len(pairs) == 1:
        game, known = pairs[0]
        return _Choice(game, known or layout.Layout(game=game.name), f"the window is played {said[game.name]}")
    from autoplayer import which

    candidates = [(game, known or layout.Layout(game=game.name)) for game, known in pairs]
    choice = which.choose([image], candidates, title=title)
    if choice.game is None or choice.layout is None:
        raise UnreadableError(choice.reason)
    why = f"the window shows {choice.game.title}, for {choice.reason}; it is played {said[choice.game.name]}"
    return _Choice(choice.game, choice.layout, why)


def _why(known: layout.Layout) -> str:
    """Why a layout was taken, as the end of a sentence."""
    return "which fits it" if known.anchors else "for its title"


def _seen(wanted: _Wanted, title: str | None, screen: Screen, menus: bool) -> _Choice:
    """The game and the layout for what ``screen`` shows, or, with leave to press ``menus``, for what they lead to.
    Raises UnreadableError."""
    from autoplayer.session import Session

    try:
        return _choice(wanted, title, screen.still(SETTLED_WITHIN).image)
    except UnreadableError as error:
        if not menus:
            hint = "if no level is open yet, open one, or try again with --menus"
            raise UnreadableError(f"{error}; {hint}") from None
    any_game: Any = _AnyGame(wanted, title)
    try:
        Session(any_game, screen, layout.Layout(game=layout.NO_LAYOUT), menus=True).enter()
    except _ChosenError as chosen:
        return chosen.choice
    raise UnreadableError("what is seen now is no level of a game that is known here")


def _say_other_game(game: Game[Any, Any], title: str | None, image: Image) -> None:
    """Say so where ``image``, in which no level of ``game`` is seen, shows one of another game."""
    try:
        seen = _choice(_wanted(None, layout.NO_LAYOUT), title, image).game
    except AutoplayerError:
        return
    if seen.name != game.name:
        print(f"the window shows {seen.title}: try `autoplayer play {seen.name}`", file=sys.stderr)


class _ChosenError(Exception):
    """A picture has shown which game it is."""

    def __init__(self, choice: _Choice) -> None:
        super().__init__()
        self.choice = choice


class _AnyGame:
    """Stands in for a game while nobody knows which one it is: reading a picture that shows it ends the search."""

    title = "known"

    def __init__(self, wanted: _Wanted, window: str | None) -> None:
        self._wanted, self._window = wanted, window

    def read(self, image: Image, known: layout.Layout) -> NoReturn:
        """Raises _ChosenError where a game explains ``image``, else UnreadableError."""
        raise _ChosenError(_choice(self._wanted, self._window, image))


# --- which window ----------------------------------------------------------------------------------------------------


def _target(wanted: _Wanted, system: WindowSystem, title: str | None, pick: bool) -> tuple[Window, _Choice | None]:
    try:
        window = named(system, title, pick)
    except UsageError:  # several of them, perhaps, of which one may show the game
        alike = [each for each in system.windows() if (title or "").strip() and _titled(each, title or "")]
        if len(alike) < 2:
            raise
        try:
            return _readable(wanted, alike, system)
        except (NotFoundError, UsageError):
            pass
        raise
    return _readable(wanted, system.windows(), system) if window is None else (window, None)


def _titled(window: Window, title: str) -> bool:
    return title.casefold() in window.title.casefold()


def _readable(wanted: _Wanted, windows: Sequence[Window], system: WindowSystem) -> tuple[Window, _Choice]:
    """The only one of ``windows`` that reads as the game. Raises NotFoundError where none does, UsageError where
    several do."""
    found: list[tuple[Window, _Choice]] = []
    seen: list[str] = []
    for window in windows:
        if not window.visible:
            seen.append(f"  {window.title!r}: hidden")
            continue
        try:
            choice = _shown(wanted, system, window)
        except AutoplayerError as error:
            seen.append(f"  {window.title!r}: {error}")
            continue
        seen.append(f"  {window.title!r}: shows {choice.game.title}")
        found.append((window, choice))
    if len(found) == 1:
        window, choice = found[0]
        print(f"{window.title!r} shows {choice.game.title}: playing it", file=sys.stderr)
        return found[0]
    listing = "\n".join(seen) if seen else "  there is no window with a title"
    if found:
        raise UsageError(
            f"{len(found)} windows show {wanted.title}; "
            f"name one with --window TITLE, or show it with --pick:\n{listing}"
        )
    raise NotFoundError(
        f"no open window shows {wanted.title}; bring it to the front, or name it with --window TITLE, and with --menus "
        f"where no level is open yet:\n{listing}"
    )


def _shown(wanted: _Wanted, system: WindowSystem, window: Window) -> _Choice:
    """What ``window`` shows. Raises AutoplayerError with the reason where it is none of the games. Nothing is raised or
    moved for it."""
    from autoplayer import which
    from autoplayer.screen.desktop import DesktopScreen

    screen = DesktopScreen(window, system=system, bring_to_front=False)
    try:
        frame = screen.still(SETTLED_WITHIN)
        end = screen.now() + OPENING_LIMIT
        while int(frame.image.max()) - int(frame.image.min()) <= BLANK and screen.now() < end:
            frame = screen.still(max(end - screen.now(), 0.1), unlike=frame)
    finally:
        screen.close()
    choice = _choice(wanted, window.title, frame.image)
    # Nobody has named this window: letters of any page that read as a heap of doubts are no board to be played.
    seen = which.look(choice.game, frame.image, choice.known, time_limit=which.FIRST_LIMIT)
    if seen.reading is None or seen.settled is None:
        raise UnreadableError(seen.reason)
    if seen.reading.doubts and seen.settled.solution is None and not seen.shown:
        raise UnreadableError(f"this is hardly a level of {choice.game.title}: {seen.reason}")
    # What was grabbed is what lies on top there; the board belongs to the window that a press on it would reach.
    boxes = list(seen.reading.places.values())
    for box in boxes[:: max(len(boxes) // 4, 1)]:
        x, y = box.centre
        over = system.covering(window.id, (frame.origin[0] + x, frame.origin[1] + y))
        if over is not None:
            raise UnreadableError(f"covered by {over}")
    return choice


# --- playing ---------------------------------------------------------------------------------------------------------


def _play(wanted: _Wanted, choice: _Choice | None, target: Window | Region, system: WindowSystem, asked: _Asked) -> int:
    from autoplayer.screen.desktop import DesktopScreen
    from autoplayer.screen.windows import Window
    from autoplayer.session.evidence import Witness

    title = target.title if isinstance(target, Window) else None
    playing = choice.game.name if choice else wanted.games[0].name if len(wanted.games) == 1 else ""
    shown = not asked.dry_run
    desktop = DesktopScreen(target, system=system, bring_to_front=shown, game=playing, stop_key=asked.stop_key)
    witness = Witness(desktop, desktop.hidden, lambda: [window.title for window in system.windows()])
    try:
        code, stop = _session(wanted, choice, title, desktop, witness, asked)
    except UsageError:
        raise
    except AutoplayerError as error:
        if asked.proof is not None:
            error.args = (f"{error}; {_leave(witness, asked.proof, error)}",)
        raise
    except Exception as error:
        if asked.proof is not None:
            print(_leave(witness, asked.proof, error), file=sys.stderr)
        raise
    if code and asked.proof is not None:
        print(_leave(witness, asked.proof, stop), file=sys.stderr)
    return code


def _session(
    wanted: _Wanted,
    choice: _Choice | None,
    title: str | None,
    desktop: DesktopScreen,
    witness: Witness,
    asked: _Asked,
) -> tuple[int, AutoplayerError | None]:
    """Play, and close the screen. The exit code, and what stopped the session where something did."""
    from autoplayer.cli import sessions
    from autoplayer.cli.stop import asked_to_go_on
    from autoplayer.screen.recording import Recorder
    from autoplayer.screen.stopping import ByHandError
    from autoplayer.session import Session

    screen: Screen = witness
    levels, record = asked.levels, asked.record
    try:
        choice = choice or _seen(wanted, title, witness, asked.menus)
        if choice.why:
            print(choice.why, file=sys.stderr)
        game, known, keep = choice.game, choice.known, None
        if title is not None:
            bundled = wanted.known is None and not layout.own_file(known.name).is_file()
            known, keep = _learned(known, title, guessed=bundled)
        witness.game, witness.layout = game, known
        if asked.dry_run:
            return _dry_run(game, Session(game, screen, known), asked.json), None
        listeners: list[Listener] = [witness.listen]
        if sys.stderr.isatty() and not asked.json:
            listeners.append(_teller())
        recorder = None
        if record:
            facts: dict[str, Any] = {"autoplayer": __version__, "game": game.name, "levels": levels}
            facts |= {"layout": known.model_dump(mode="json"), "menus": asked.menus, "stuck_after": asked.stuck_after}
            remembered = sessions.Pictures(known, record.folder, record.limit)
            room = record.limit and record.limit - remembered.size
            screen = recorder = Recorder(witness, record.folder, facts, room)
            remembered.keep()
            listeners.append(sessions.notes(game, recorder))
        session = Session(
            game,
            screen,
            known,
            listeners=listeners,
            remember=keep,
            stuck_after=asked.stuck_after,
            menus=asked.menus,
            fitting=_fitting(wanted, known, desktop.title_now if title else None) if record is None else None,
        )
        played, failed = 0, False  # and not the results: a night's are many
        while True:
            for result in session.play(levels):
                played, failed = played + 1, failed or result.status == "failed"
                sessions.give_back()
                _tell(result, asked.json)
                if failed and played == 1 and result.puzzle is None and result.frame is not None:
                    _say_other_game(game, title, result.frame.image)
            if not (asked.resume and isinstance(session.stop, ByHandError) and asked_to_go_on(desktop.guard)):
                break
            session.stop, levels = None, levels and levels + 1  # the stopped level is played on, and counted anew
        if recorder and record:
            desktop.close()  # what follows takes seconds, and nobody is to wait for the mouse meanwhile
            sessions.note_frames(game, known, recorder)
            if recorder.full and record.limit is not None:
                limit = sessions.said_size(record.limit)
                print(f"{record.folder}: shortened: it reached its limit of {limit} (--record-limit)", file=sys.stderr)
        return _code(session, failed or (levels is not None and played < levels)), session.stop
    finally:
        screen.close()
        sessions.give_back()


def _leave(witness: Witness, parent: Path, fault: Exception | None) -> str:
    """Leave the evidence of a session that was not won in ``parent``. Says in a sentence where it is, or why there is
    none; whatever goes wrong here is not to hide what went wrong before."""
    from autoplayer.cli import doctor, pictures
    from autoplayer.screen.guard import CoveredError
    from autoplayer.session import evidence

    by_person = isinstance(fault, StoppedError) and not isinstance(fault, CoveredError)
    try:
        folder = evidence.keep(
            witness,
            parent,
            draw=pictures.overlay,
            machine=doctor.facts,
            versions=doctor.versions(),
            by_person=by_person,
            fault=fault,
        )
    except OSError as error:
        return f"no evidence could be kept in {parent}: {error.strerror or error}"
    except Exception as error:
        return f"no evidence could be kept: {type(error).__name__}: {str(error)[:200]}"
    return f"the evidence, to be attached to a report, is in {folder}"


def _learned(known: layout.Layout, title: str, *, guessed: bool) -> tuple[layout.Layout, Any]:
    """The profile with what was learned about windows of this title, and the function that keeps what is learned.
    ``guessed``: whether it was taken because it came with the program and seemed to fit."""
    learned = layout.recall(known.game, title, known.name)
    if learned is not None:
        known = known.model_copy(
            update={
                "controls": learned.controls,
                "keys": learned.keys,
                "pace": learned.pace,
                "slowest_lost": learned.slowest_lost,
                "next": learned.next,
                "continuity": learned.continuity,
            }
        )
    pattern = layout.pattern_of(title)

    said, anonymous = known.controls, layout.Layout(game=known.game).name

    def keep(now: layout.Layout) -> None:
        # A window that is played otherwise than a layout says, which was taken for its title alone, is another game's.
        other = guessed and not known.anchors and said not in ("unknown", now.controls)
        layout.remember(now.model_copy(update={"title": pattern} | ({"name": anonymous} if other else {})))

    return known, keep


def _fitting(
    wanted: _Wanted, known: layout.Layout, title: Callable[[], str] | None
) -> Callable[[Frame], layout.Layout | None] | None:
    """Gives the layout that fits a picture of the window, with what was learned about it; None where one was named, or
    fits from the beginning, or none is to be taken. ``title``: says the window's title; None where only a part of the
    screen is known."""
    if wanted.known is not None or wanted.bare or known.name != layout.Layout(game=known.game).name:
        return None

    def fit(frame: Frame) -> layout.Layout | None:
        from autoplayer.session.marks import fitting

        named = title() if title else None
        found = fitting(known.game, named, frame.image)
        if found is not None:
            print(f"the window is played with the layout '{found.name}', which fits it now", file=sys.stderr)
        return found if found is None or named is None else _learned(found, named, guessed=True)[0]

    return fit


def _code(session: Session[Any, Any], lacking: bool) -> int:
    """The exit code; ``lacking``: whether a level failed, or fewer came than were asked for."""
    if session.stop is not None:
        return session.stop.exit_code
    if session.ended:
        print(session.ended, file=sys.stderr)
    return 1 if lacking else 0


def _tell(result: LevelResult, json: bool) -> None:
    """One level's result, on the standard output; what went wrong, as an error."""
    if json:
        output.line(result.to_json())
    else:
        note = f", {result.note}" if result.note else ""
        what = f"{result.gestures} gestures, {result.seconds['total']:.1f} s{note}"
        print(f"level {result.level}: {result.status} ({what})")
        sys.stdout.flush()
    if result.error:
        print(f"level {result.level}: {result.error}", file=sys.stderr)


def _teller() -> Any:
    def tell(event: Event) -> None:
        if event.kind in ("level", "move", "next"):
            print(f"  {event.time:6.1f} s  {event.text}", file=sys.stderr)

    return tell


def _dry_run(game: Game[Any, Any], session: Session[Any, Any], json: bool) -> int:
    """Read and solve once, and say what would be done. The pointer stays where it is."""
    sight = session.look()
    text = game.format(sight.settled.puzzle)
    moves = session.first_moves(sight)
    if json:
        output.line(
            {
                "level": 1,
                "status": "dry-run",
                "puzzle": text,
                "solution": game.solution_to_json(sight.solution),
                "gestures": sum(len(move.gestures) for move in moves),
                "moves": [move.name for move in moves],
                "seconds": {"read": round(sight.read_seconds, 4), "solve": round(sight.solve_seconds, 4)},
                "error": None,
            }
        )
        return 0
    print(text)
    print()
    print(game.show(sight.settled.puzzle, sight.solution))
    for move in moves:
        print(f"would {move.name}: {' '.join(str(cell) for cell in move.cells)}")
    sys.stdout.flush()
    return 0
