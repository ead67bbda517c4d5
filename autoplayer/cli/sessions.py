"""What the commands that run a session share: what a recording notes, and what a person is told meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image, Json

if TYPE_CHECKING:
    from autoplayer.games.base import Game
    from autoplayer.layout import Layout
    from autoplayer.session import Event, Listener

SEEN = "seen"
"""The note that says what a recorded frame shows, read on its own."""


class Notebook(Protocol):
    """A recorder, or a recording that compares."""

    def note(self, name: str, data: Json) -> None: ...


def notes(game: Game[Any, Any], book: Notebook) -> Listener:
    """A listener that notes every decision of a session: what was read and solved, each move and what it did. What
    differs from machine to machine (times, the last digits of probabilities) is left out."""

    def listen(event: Event) -> None:
        data = event.data
        if event.kind == "read":
            settled = data["settled"]
            book.note(
                "read",
                {
                    "level": event.level,
                    "puzzle": game.format(settled.puzzle),
                    "changed": {str(cell): token for cell, token in settled.changed.items()},
                    "solution": game.solution_to_json(data["solution"]),
                },
            )
        elif event.kind == "moved":
            progress = data["progress"]
            book.note(
                "moved",
                {
                    "move": data["move"].name,
                    "present": progress.present,
                    "done": progress.done,
                    "total": progress.total,
                    "wrong": progress.wrong,
                },
            )
        elif event.kind == "result":
            result = data["result"]
            book.note("result", {"level": event.level, "status": result.status, "error": result.error})

    return listen


def look(game: Game[Any, Any], layout: Layout, image: Image) -> dict[str, Json]:
    """What a frame shows on its own, without the rules: the puzzle's text, or why there is none."""
    try:
        reading = game.read(image, layout)
    except UnreadableError as error:
        return {"puzzle": None, "unreadable": str(error)}
    return {"puzzle": game.format(reading.puzzle), "unreadable": None}


def note_frames(game: Game[Any, Any], layout: Layout, recorder: Notebook, folder: Path) -> None:
    """Note, at the end of a recording, what each of its frames shows on its own, so that a replay can name the frame
    and the cell that differ. Done afterwards, because it would slow the playing down."""
    from autoplayer.screen.recording import load_recording

    recording = load_recording(folder)
    done: set[str] = set()
    for step in recording.steps:
        if step.frame is not None and step.frame not in done:
            done.add(step.frame)
            recorder.note(SEEN, {"frame": step.frame, **look(game, layout, recording.image(step))})
