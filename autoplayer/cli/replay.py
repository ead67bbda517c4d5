"""``autoplayer replay``: recorded sessions are read and decided again, and what differs from the record is said."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoplayer import games, layout
from autoplayer.cli import output
from autoplayer.core.errors import AutoplayerError, UsageError

if TYPE_CHECKING:
    from autoplayer.games.base import Game
    from autoplayer.screen.recording import Recording, Step

MOST_SAID = 20
"""How many differences of a recording a person is told; a session that has left its record differs in everything."""

Fields = dict[str, Any]


def replay(
    folders: Annotated[list[str], typer.Argument(help="Folders made by `autoplayer play --record`.", metavar="DIR…")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object a recording, a line each.")] = False,
) -> int:
    """Read recorded sessions again, and say what differs from the record.

    Every frame is read anew, and the whole session is decided anew from its frames: readings, solutions and gestures
    are compared. Nothing is pressed, and no screen is needed.

    \b
    Example: autoplayer replay recordings/monday
    """
    code = 0
    for folder in folders:
        try:
            fields, worth = _replay(folder)
        except AutoplayerError as error:
            fields, worth = _fields(folder, "invalid", error=str(error)), error.exit_code
        code = max(code, worth)
        if json:
            output.line(fields)
        else:
            _print(fields)
    return code


def _fields(folder: str, status: str, **more: Any) -> Fields:
    empty: Fields = {"frames": 0, "levels": 0, "differences": [], "seconds": 0.0, "error": None}
    return {"recording": folder, "status": status, **empty, **more}


def _replay(folder: str) -> tuple[Fields, int]:
    from autoplayer.screen.recording import load_recording

    begin = time.perf_counter()
    recording = load_recording(folder)
    game, known, levels = _facts(recording)
    frames, different = _frames(recording, game, known)
    played, decided = _decide(recording, game, known, levels)
    differences = [*different, *decided]
    return _fields(
        folder,
        "different" if differences else "same",
        frames=frames,
        levels=played,
        differences=differences,
        seconds=round(time.perf_counter() - begin, 3),
    ), 1 if differences else 0


def _facts(recording: Recording) -> tuple[Game[Any, Any], layout.Layout, int | None]:
    """The game, the layout and the number of levels that the session was asked for. Raises UsageError."""
    from pydantic import ValidationError

    facts = recording.facts
    name, profile, levels = facts.get("game"), facts.get("layout"), facts.get("levels")
    if not isinstance(name, str) or not isinstance(profile, dict) or not isinstance(levels, int | None):
        raise UsageError(f"{recording.folder}: expected a recording made by `autoplayer play --record`")
    try:
        known = layout.Layout.model_validate(profile)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{recording.folder}: the recorded layout is wrong at '{place}': {first['msg']}") from None
    return games.load(name), known, levels


def _frames(recording: Recording, game: Game[Any, Any], known: layout.Layout) -> tuple[int, list[str]]:
    """Read every noted frame again. How many there are, and what is not as it was noted."""
    from autoplayer.cli import sessions

    steps: dict[str, Step] = {step.frame: step for step in reversed(recording.steps) if step.frame is not None}
    different: list[str] = []
    for note in recording.steps:
        if note.kind != "note" or note.name != sessions.SEEN or not isinstance(note.data, dict):
            continue
        name = note.data.get("frame")
        step = steps.get(name) if isinstance(name, str) else None
        if step is None:
            raise UsageError(f"{recording.folder}: line {note.line} speaks of a frame {name!r} that no line shows")
        now = sessions.look(game, known, recording.image(step))
        different += [f"{name}: {text}" for text in _compare(note.data, now)]
    return len(steps), different


def _compare(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    from autoplayer.cli.pictures import tokens

    before, after = then.get("puzzle"), now["puzzle"]
    if before == after:
        return []
    if not isinstance(before, str):
        return [f"was unreadable ({then.get('unreadable')}), is now read as {_size(after)}"]
    if after is None:
        return [f"was read as {_size(before)}, is now unreadable: {now['unreadable']}"]
    old, new = tokens(before), tokens(after)
    if old.keys() != new.keys():
        return [f"was {_size(before)}, is now {_size(after)}"]
    return [f"cell {cell} was {old[cell]}, is now {new[cell]}" for cell in old if old[cell] != new[cell]]


def _size(text: str) -> str:
    from autoplayer.cli.pictures import tokens

    cells = tokens(text)
    return f"a board of {max(r for r, _ in cells) + 1}x{max(c for _, c in cells) + 1}"


def _decide(
    recording: Recording, game: Game[Any, Any], known: layout.Layout, levels: int | None
) -> tuple[int, list[str]]:
    """Run the session again from the recorded frames. How many levels it had, and what it now decides otherwise."""
    from autoplayer.cli import sessions
    from autoplayer.screen.recording import RecordedScreen
    from autoplayer.session import Session

    own = tuple(step for step in recording.steps if step.name != sessions.SEEN)
    screen = RecordedScreen(replace(recording, steps=own))
    session = Session(game, screen, known, listeners=[sessions.notes(game, screen)])
    played = sum(1 for _ in session.play(levels))
    return played, screen.finish()


def _print(fields: Fields) -> None:
    if fields["error"]:
        print(f"{fields['recording']}: {fields['error']}", file=sys.stderr)
        return
    what = f"{fields['recording']}: {fields['frames']} frames, {fields['levels']} levels"
    differences = fields["differences"]
    if not differences:
        print(f"{what}: no difference", flush=True)
        return
    print(f"{what}: {len(differences)} differences")
    for text in differences[:MOST_SAID]:
        print(f"  {text}")
    if len(differences) > MOST_SAID:
        print(f"  and {len(differences) - MOST_SAID} more")
    sys.stdout.flush()
