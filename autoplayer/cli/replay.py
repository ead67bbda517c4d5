"""``autoplayer replay``: reads recorded sessions and pictures again, and reports what differs from the record or the
truth."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoplayer import games, layout
from autoplayer.cli import output
from autoplayer.core.errors import AutoplayerError, InterruptError, NotFoundError, UsageError

if TYPE_CHECKING:
    from autoplayer.cli.report import Page
    from autoplayer.cli.truths import Judged
    from autoplayer.core.frame import Image
    from autoplayer.games.base import Game
    from autoplayer.screen.recording import Recording, Step

MOST_SAID = 20
"""The most differences of a recording or picture that are printed; a session that has diverged differs in
everything."""

MOST_NAMED = 5
"""The most pictures without a truth that are named."""

MOST_SHOWN = 12
"""The most frames with different readings that a report shows of a recording."""

Fields = dict[str, Any]


def replay(
    folders: Annotated[
        list[str],
        typer.Argument(
            help="Folders made by `autoplayer play --record`, or of pictures with their truth (NAME.png and NAME.txt).",
            metavar="DIR…",
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="One JSON object a recording or picture, a line each.")] = False,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="The game of all pictures, whatever else says.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--layout", metavar="NAME", help="The layout profile of all pictures' window.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Write a page with the pictures, worst first.")
    ] = None,
) -> int:
    """Read recorded sessions and pictures again, and say what differs from the record or the truth.

    Of a recorded session the frames that were noted are read anew, and the whole session is decided anew from its
    frames: readings, solutions and gestures are compared. Of a game that goes on by itself the frames alone are read.
    A picture NAME.png is compared with the puzzle in NAME.txt beside it, in the text format of its game, which --game
    names, or a line '# game: NAME' in the text, or the folder; else the text and the reader that fit. Nothing is
    pressed, and no screen is needed.

    \b
    Examples:
      autoplayer replay recordings/monday
      autoplayer replay stills --game hashi --report report.html
    """
    known = layout.load(profile, game) if profile is not None else None
    game = known.game if known else game
    if game is not None:
        games.load(game)
    page = _page(report) if report else None
    code, tally = 0, _Tally()
    told = sys.stderr.isatty() and not json
    try:
        each = chain.from_iterable(_replayed(folder, game, known, page, tally) for folder in folders)
        for count, (fields, worth) in enumerate(each, start=1):
            code = max(code, worth)
            if told:
                print(f"\r{count} done", end="", file=sys.stderr, flush=True)
            if json:
                output.line(fields)
            elif "recording" in fields:
                _print(fields)
    finally:  # also after an interruption: hundreds of pictures take minutes
        if told:
            print("\r", end="", file=sys.stderr, flush=True)
        if not json:
            tally.print()
    if page is not None and report is not None:
        output.write(report, page.html().encode())
        print(f"the report is in {report}", file=sys.stderr)
    return code


def _page(file: Path) -> Page:
    """An empty page that is to go into ``file``. Raises UsageError or NotFoundError where it could not be written."""
    output.check_writable(file, [".html", ".htm"])
    from autoplayer.cli.report import Page

    return Page()


def _replayed(
    folder: str, game: str | None, known: layout.Layout | None, page: Page | None, tally: _Tally
) -> Iterator[tuple[Fields, int]]:
    """The results of every recording and picture of ``folder``, and the resulting exit code."""
    from autoplayer.cli import truths
    from autoplayer.screen.recording import LINES

    root = Path(folder)
    if root.is_file() and root.suffix.lower() in truths.PICTURES:
        found, root = [root], root.parent
    else:
        found = list(truths.find(root, LINES)) if folder else []
    pictures = [path for path in found if path.is_file()]
    judged = [path for path in pictures if truths.truth_of(path).is_file()]
    for path in found:
        if path.is_dir():
            yield _recording(str(path), page)
        elif path in judged:
            yield _picture(truths.judge(path, root, game, known), page, tally)
    tally.untold += [path for path in pictures if path not in judged]
    if len(found) == len(pictures) and not judged:
        yield _nothing(folder, len(pictures))


def _nothing(folder: str, pictures: int) -> tuple[Fields, int]:
    """The result for a folder in which there is nothing to replay."""
    error: AutoplayerError
    if not folder or not Path(folder).exists():
        error = NotFoundError("there is no such folder")
    else:
        counted = f"{pictures} picture{'s' if pictures > 1 else ''} without a truth"
        what = counted if pictures else "nothing of that kind"
        error = UsageError(
            "expected a recording, or pictures with their truth beside them (NAME.png and NAME.txt), "
            f"but found {what} here"
        )
    return _fields(folder, "invalid", error=str(error)), error.exit_code


# --- pictures --------------------------------------------------------------------------------------------------------


def _picture(found: tuple[Judged, Image | None], page: Page | None, tally: _Tally) -> tuple[Fields, int]:
    judged, image = found
    tally.add(judged)
    if page is not None:
        page.picture(judged, image)
    return {
        "picture": judged.picture,
        "game": judged.game,
        "named": judged.named,
        "status": judged.kind,
        "checked": judged.checked,
        "truth": judged.truth,
        "puzzle": judged.read,
        "cells": judged.cells,
        "differences": [
            {"cell": list(each.cell), "truth": each.truth, "read": each.read} for each in judged.differences
        ],
        "doubts": output.doubts(judged.doubts),
        "confidence": round(judged.confidence, 4),
        "seconds": round(judged.seconds, 6),
        "error": judged.why or None,
    }, judged.code


@dataclass
class _Tally:
    """Collects the pictures' results for the table. ``untold``: pictures without a truth."""

    judged: list[Judged] = field(default_factory=list)
    untold: list[Path] = field(default_factory=list)

    def add(self, judged: Judged) -> None:
        self.judged.append(replace(judged, places={}))

    def print(self) -> None:
        """Print the table and the problems, the worst first."""
        if not self.judged:
            return
        head = ("pictures of", "in", "pictures", "exact", "doubtful", "wrong", "unreadable", "invalid")
        groups = sorted({(each.game or "?", each.folder) for each in self.judged})
        rows = [
            (*group, *self._counts([each for each in self.judged if (each.game or "?", each.folder) == group]))
            for group in groups
        ]
        if len(groups) > 1:
            rows.append(("all", "", *self._counts(self.judged)))
        output.columns(rows, head)
        for each in sorted(self.judged, key=lambda one: one.badness):
            if each.kind == "exact":
                continue
            # an invalid picture's message names its file itself
            said = each.why if each.kind == "invalid" else f"{each.picture}: {each.kind}: {each.why}"
            print(output.plain(f"\n{said}"))
            for difference in each.differences[:MOST_SAID]:
                print(output.plain(f"  {difference}"))
            if len(each.differences) > MOST_SAID:
                print(f"  and {len(each.differences) - MOST_SAID} more")
        sys.stdout.flush()
        tried = Counter(each.game for each in self.judged if each.named == "tried")
        for game, number in sorted(tried.items()):
            what = "1 picture" if number == 1 else f"{number} pictures"
            print(f"nothing names the game of {what}; text and picture fit {game}", file=sys.stderr)
        unchecked = sum(not each.checked for each in self.judged)
        if unchecked:
            which = f"{unchecked} of the {len(self.judged)} truths"
            print(f"the reader's own word, which nobody has checked yet: {which}", file=sys.stderr)
        if self.untold:
            names = [path.name for path in self.untold]
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            said = f"no truth lies beside these pictures: {', '.join(names[:MOST_NAMED])}{more}"
            print(output.plain(said), file=sys.stderr)

    @staticmethod
    def _counts(judged: list[Judged]) -> tuple[str, ...]:
        kinds = Counter(each.kind for each in judged)
        columns = (kinds["exact"], kinds["doubtful"], kinds["wrong"], kinds["unreadable"], kinds["invalid"])
        return str(len(judged)), *map(str, columns)


# --- recorded sessions -----------------------------------------------------------------------------------------------


def _recording(folder: str, page: Page | None) -> tuple[Fields, int]:
    shown: list[tuple[Judged, Image]] = []
    try:
        with layout.lent(Path(folder)):
            fields, worth = _replay(folder, shown if page is not None else None)
    except AutoplayerError as error:
        fields, worth = _fields(folder, "invalid", error=str(error)), error.exit_code
    if page is not None:
        page.recording(fields, shown)
    return fields, worth


def _fields(folder: str, status: str, **more: Any) -> Fields:
    empty: Fields = {"frames": 0, "levels": 0, "decided": False, "shortened": None, "differences": [], "seconds": 0.0}
    empty["error"] = None
    return {"recording": folder, "status": status, **empty, **more}


def _replay(folder: str, shown: list[tuple[Judged, Image]] | None) -> tuple[Fields, int]:
    from autoplayer.screen.recording import load_recording

    begin = time.perf_counter()
    recording = load_recording(folder)
    game, known, levels = _facts(recording)
    frames, different = _frames(recording, game, known, shown)
    # A pilot's decisions depend on dozens of pictures a second, few of which are kept: they cannot be repeated.
    steered = getattr(game, "pilot", None) is not None
    played, decided = (_results(recording), []) if steered else _decide(recording, game, known, levels)
    differences = [*different, *decided]
    return _fields(
        folder,
        "different" if differences else "same",
        frames=frames,
        levels=played,
        decided=not steered,
        shortened=recording.limit,
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


def _frames(
    recording: Recording, game: Game[Any, Any], known: layout.Layout, shown: list[tuple[Judged, Image]] | None
) -> tuple[int, list[str]]:
    """Read every noted frame again. Returns their number, and the differences from the notes. Each difference is added
    to ``shown`` as a picture whose truth is the note, where that is wanted."""
    from autoplayer.cli import sessions, truths

    steps: dict[str, Step] = {step.frame: step for step in reversed(recording.steps) if step.frame is not None}
    different: list[str] = []
    for note in recording.steps:
        if note.kind != "note" or note.name != sessions.SEEN or not isinstance(note.data, dict):
            continue
        name = note.data.get("frame")
        step = steps.get(name) if isinstance(name, str) else None
        if step is None:
            raise UsageError(
                f"{recording.folder}: line {note.line} speaks of a frame {str(name)[:80]!r} that no line shows"
            )
        image = recording.image(step)
        now = sessions.look(game, known, image)
        texts = _compare(note.data, now)
        different += [f"{name}: {text}" for text in texts]
        if texts and shown is not None and len(shown) < MOST_SHOWN:
            shown.append((truths.noted(f"{recording.folder}/{name}", game, known, image, note.data, texts[0]), image))
    return len(steps), different


def _compare(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    from autoplayer.cli.truths import MOST_NOTED
    from autoplayer.games.text import tokens

    before, after = then.get("puzzle"), now["puzzle"]
    if before == after:
        return []
    if not isinstance(before, str) or not before.strip() or len(before) > MOST_NOTED:
        was = str(then.get("unreadable"))[:300]
        return (
            [f"was unreadable ({was})"] if after is None else [f"was unreadable ({was}), is now read as {_size(after)}"]
        )
    if after is None:
        return [f"was read as {_size(before)}, is now unreadable: {now['unreadable']}"]
    old, new = tokens(before), tokens(after)
    if old.keys() != new.keys():
        return [f"was {_size(before)}, is now {_size(after)}"]
    return [f"cell {cell} was {old[cell]}, is now {new[cell]}" for cell in old if old[cell] != new[cell]]


def _size(text: str) -> str:
    from autoplayer.games.text import tokens

    cells = tokens(text)
    return f"a board of {max(r for r, _ in cells) + 1}x{max(c for _, c in cells) + 1}"


def _results(recording: Recording) -> int:
    """How many levels of a recording have ended, in whatever way."""
    return sum(step.kind == "note" and step.name == "result" for step in recording.steps)


def _decide(
    recording: Recording, game: Game[Any, Any], known: layout.Layout, levels: int | None
) -> tuple[int, list[str]]:
    """Run the session again from the recorded frames. Returns its number of levels (in a recording that was cut short:
    complete ones), and the decisions that differ now."""
    from autoplayer.cli import sessions
    from autoplayer.screen.recording import RecordedScreen
    from autoplayer.session import Session, limits

    own = tuple(step for step in recording.steps if step.name != sessions.SEEN)
    screen = RecordedScreen(replace(recording, steps=own))
    menus, stuck_after = recording.facts.get("menus"), recording.facts.get("stuck_after")
    session = Session(
        game,
        screen,
        known,
        listeners=[sessions.notes(game, screen)],
        menus=menus is True,
        stuck_after=stuck_after if isinstance(stuck_after, int | float) else limits.STUCK_AFTER,
    )
    played = sum(result.status != "stopped" or not screen.cut_off for result in session.play(levels))
    if isinstance(session.stop, InterruptError):  # not from the recording: the person interrupts the replay
        raise KeyboardInterrupt
    return played, screen.finish()


def _print(fields: Fields) -> None:
    if fields["error"]:
        print(output.plain(f"{fields['recording']}: {fields['error']}"), file=sys.stderr)
        return
    from autoplayer.cli import sessions

    what = f"{fields['recording']}: {fields['frames']} frames, {fields['levels']} levels"
    if fields["shortened"]:
        limit = sessions.said_size(fields["shortened"])
        what += f" (shortened: it reached its limit of {limit} there, and what was played afterwards was not kept)"
    if not fields["decided"]:
        what += " (its frames alone were read again: too few of what a pilot sees are kept to decide on)"
    differences = fields["differences"]
    if not differences:
        print(f"{what}: no difference", flush=True)
        return
    print(f"{what}: {len(differences)} differences")
    for text in differences[:MOST_SAID]:
        print(output.plain(f"  {text}"))
    if len(differences) > MOST_SAID:
        print(f"  and {len(differences) - MOST_SAID} more")
    sys.stdout.flush()
