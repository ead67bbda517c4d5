"""``autoplayer play``: finds the window of a running game, and plays it."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoplayer import __version__, layout
from autoplayer.cli import choosing, open_windows, output
from autoplayer.cli.target import ONE_WINDOW, PickOption, RegionOption, WindowOption
from autoplayer.core.errors import AutoplayerError, StoppedError, UsageError, cause

if TYPE_CHECKING:
    from autoplayer.cli.choosing import Choice, Wanted
    from autoplayer.games.base import Game
    from autoplayer.screen.base import Screen
    from autoplayer.screen.desktop import DesktopScreen
    from autoplayer.screen.recording import Recorder
    from autoplayer.screen.windows import Region, Window, WindowSystem
    from autoplayer.session import Event, LevelResult, Listener, Session
    from autoplayer.session.witness import Witness


GameArgument = Annotated[
    str | None, typer.Argument(help="The game, as in `autoplayer games`; without it, the one that is seen.")
]
LayoutOption = Annotated[
    str | None,
    typer.Option("--layout", metavar="NAME", help="The layout of the window; without it the one that fits, or none."),
]
LevelsOption = Annotated[
    int | None, typer.Option("--levels", min=1, help="How many levels; without it, all that the window has.")
]
RecordOption = Annotated[
    Path | None, typer.Option("--record", metavar="DIR", help="Keep every frame and decision in a new folder.")
]
LimitOption = Annotated[
    str, typer.Option("--record-limit", metavar="SIZE", help="Nothing more is kept from there on; none: all is kept.")
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and move nothing.")]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Pause when you take the mouse, and go on when you ask for it.")
]
StopKeyOption = Annotated[
    str, typer.Option("--stop-key", metavar="KEY", help="Pressed twice, it stops the bot; `none` for no key.")
]
StuckOption = Annotated[
    float,
    typer.Option("--stuck-after", metavar="SECONDS", min=1, help="A level that comes no further is given up then."),
]
MenusOption = Annotated[
    bool,
    typer.Option(
        "--menus",
        help="Press what leads to the first level on a title screen or in a list of levels, and anything beside "
        "the board where nothing else leads on from a level.",
    ),
]
EvidenceOption = Annotated[
    Path | None,
    typer.Option("--evidence", metavar="DIR", help="Where the folder goes that is left when it was not won."),
]
NoEvidenceOption = Annotated[bool, typer.Option("--no-evidence", help="Leave no such folder.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a level, a line each.")]


def play(
    game: GameArgument = None,
    window: WindowOption = None,
    pick: PickOption = False,
    region: RegionOption = None,
    profile: LayoutOption = None,
    levels: LevelsOption = None,
    record: RecordOption = None,
    record_limit: LimitOption = "1GB",
    dry_run: DryRunOption = False,
    resume: ResumeOption = False,
    stop_key: StopKeyOption = "escape",
    stuck_after: StuckOption = 120.0,
    menus: MenusOption = False,
    evidence: EvidenceOption = None,
    no_evidence: NoEvidenceOption = False,
    json: JsonOption = False,
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
        raise UsageError(ONE_WINDOW)
    if dry_run and record:
        raise UsageError("--record keeps what was played, and --dry-run plays nothing; give one of them")
    if dry_run and resume:
        raise UsageError("--resume goes on with what was played, and --dry-run plays nothing; give one of them")
    wanted = choosing.wanted_by(game, profile)
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
        target, choice = open_windows.find(wanted, system, title, pick)
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
    """The folder of a recording, and its size limit in bytes; None for no limit."""

    folder: Path
    limit: int | None


def _play(wanted: Wanted, choice: Choice | None, target: Window | Region, system: WindowSystem, asked: _Asked) -> int:
    from autoplayer.screen.desktop import DesktopScreen
    from autoplayer.screen.windows import Window
    from autoplayer.session.witness import Witness

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
            error.args = (f"{str(error).removesuffix('.')}; {_leave(witness, asked.proof, error)}",)
        raise
    except Exception as error:
        if asked.proof is not None:
            print(_leave(witness, asked.proof, error), file=sys.stderr)
        raise
    if code and asked.proof is not None:
        print(_leave(witness, asked.proof, stop), file=sys.stderr)
    return code


def _session(
    wanted: Wanted,
    choice: Choice | None,
    title: str | None,
    desktop: DesktopScreen,
    witness: Witness,
    asked: _Asked,
) -> tuple[int, AutoplayerError | None]:
    """Play, and close the screen. Returns the exit code, and what stopped the session, if anything did."""
    from autoplayer.cli import sessions
    from autoplayer.session import Session

    screen: Screen = witness
    try:
        choice = choice or choosing.seen_on(wanted, title, witness, asked.menus)
        if choice.why:
            print(choice.why, file=sys.stderr)
        game, known, keep = choice.game, choice.known, None
        if title is not None:
            bundled = wanted.known is None and not layout.own_file(known.name).is_file()
            known, keep = choosing.with_learned(known, title, guessed=bundled)
        witness.game, witness.layout = game, known
        if asked.dry_run:
            return _dry_run(game, Session(game, screen, known), asked.json), None
        listeners: list[Listener] = [witness.listen]
        if sys.stderr.isatty() and not asked.json:
            listeners.append(_teller())
        recorder = None
        if asked.record:
            remembered = sessions.Pictures(known, asked.record.folder, asked.record.limit)
            screen = recorder = _recorder(witness, game, known, asked, asked.record, remembered.size)
            remembered.keep()
            listeners.append(sessions.notes(game, recorder))
        changing = None if recorder else choosing.fitting_later(wanted, known, desktop.title_now if title else None)
        session = Session(
            game,
            screen,
            known,
            listeners=listeners,
            remember=keep,
            stuck_after=asked.stuck_after,
            menus=asked.menus,
            fitting=changing,
        )
        lacking = _levels(session, title, desktop, asked)
        if recorder and asked.record:
            desktop.close()  # what follows takes seconds, in which the person needs the mouse
            sessions.note_frames(game, known, recorder)
            if recorder.full and asked.record.limit is not None:
                shortened = f"shortened: it reached its limit of {sessions.said_size(asked.record.limit)}"
                print(f"{asked.record.folder}: {shortened} (--record-limit)", file=sys.stderr)
        return _code(session, lacking), session.stop
    finally:
        screen.close()
        sessions.give_back()


def _recorder(
    witness: Witness, game: Game[Any, Any], known: layout.Layout, asked: _Asked, record: _Keeping, taken: int
) -> Recorder:
    """A screen that records what ``witness`` sees and does, with ``taken`` bytes of the limit already used."""
    from autoplayer.screen.recording import Recorder

    facts: dict[str, Any] = {"autoplayer": __version__, "game": game.name, "levels": asked.levels}
    facts |= {"layout": known.model_dump(mode="json"), "menus": asked.menus, "stuck_after": asked.stuck_after}
    return Recorder(witness, record.folder, facts, record.limit and record.limit - taken)


def _levels(session: Session[Any, Any], title: str | None, desktop: DesktopScreen, asked: _Asked) -> bool:
    """Play the requested levels, and print each result. Returns whether one failed, or fewer came."""
    from autoplayer.cli import sessions
    from autoplayer.cli.stop import asked_to_go_on
    from autoplayer.screen.stopping import ByHandError

    levels = asked.levels
    played, failed = 0, False  # the results themselves are not kept: of a whole night they are many
    while True:
        for result in session.play(levels):
            played, failed = played + 1, failed or result.status == "failed"
            sessions.give_back()
            _tell(result, asked.json)
            if failed and played == 1 and result.puzzle is None and result.frame is not None:
                choosing.say_other_game(session.game, title, result.frame.image)
        if not (asked.resume and isinstance(session.stop, ByHandError) and asked_to_go_on(desktop.guard)):
            return failed or (levels is not None and played < levels)
        session.stop, levels = None, levels and levels + 1  # the level that was stopped is continued, and counted again


def _leave(witness: Witness, parent: Path, fault: Exception | None) -> str:
    """Write the evidence of a session that was not won to ``parent``. Returns a sentence with its place, or why there
    is none; errors here must not hide the original one."""
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
        return f"no evidence could be kept in {parent}: {cause(error)}"
    except Exception as error:
        return f"no evidence could be kept: {type(error).__name__}: {str(error)[:200]}"
    return f"the evidence, to be attached to a report, is in {folder}"


def _code(session: Session[Any, Any], lacking: bool) -> int:
    """The exit code; ``lacking``: whether a level failed, or fewer came than were requested."""
    if session.stop is not None:
        return session.stop.exit_code
    if session.ended:
        print(session.ended, file=sys.stderr)
    return 1 if lacking else 0


def _tell(result: LevelResult, json: bool) -> None:
    """Print one level's result on the standard output; failures as an error."""
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
    """A listener that prints what the bot does and waits for, each thing once while it lasts."""
    last = ""

    def tell(event: Event) -> None:
        nonlocal last
        if event.kind in ("level", "move", "next") or (event.kind == "wait" and event.text != last):
            print(f"  {event.time:6.1f} s  {event.text}", file=sys.stderr)
            last = event.text

    return tell


def _dry_run(game: Game[Any, Any], session: Session[Any, Any], json: bool) -> int:
    """Read and solve once, and print what would be done. The pointer does not move."""
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
