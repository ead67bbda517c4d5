"""Levels of games that go on by themselves: the game's own pilot plays each, the session goes from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from autoplayer.core.errors import AutoplayerError, StoppedError
from autoplayer.core.frame import Frame
from autoplayer.games import base
from autoplayer.layout import Layout, NextTable
from autoplayer.screen.base import Screen, steered

if TYPE_CHECKING:
    from autoplayer.session.loop import LevelResult, Session, Status

COMES = 6.0
"""Seconds in which the next level comes by itself, if it does."""
FOLLOWS = 4.0
"""The same after a control for it was pressed."""
KEYS = ("n", "enter", "space")
"""What may lead on to the next level, where nothing is known."""


def pilot(
    game: base.Game[Any, Any], screen: Screen, layout: Layout, tell: Callable[[str], object]
) -> base.Pilot | None:
    """Who plays the levels of ``game``; None where the session does. Raises MachineError where the screen cannot be
    steered."""
    if getattr(game, "pilot", None) is None:
        return None
    return base.pilot(game, steered(screen), layout, tell)


def levels(session: Session[Any, Any], flyer: base.Pilot, most: int | None) -> Iterator[LevelResult]:
    """Play up to ``most`` levels with the pilot, as ``Session.play`` does."""
    while most is None or session._number < most:
        session._number += 1
        result, goes_on = _level(session, flyer, most is None or session._number < most)
        said = result.error or f"level {session._number}: {result.status}"
        session._say("result", said, result.frame, result=result)
        yield result
        if result.status != "won":
            return
        if not goes_on:
            if most is None or session._number < most:
                session.ended = f"after level {session._number} no next level came"
            return


def _level(session: Session[Any, Any], flyer: base.Pilot, more: bool) -> tuple[LevelResult, bool]:
    """Play a level; and, with ``more``, whether the next one has come."""
    from autoplayer.session.loop import LevelResult

    screen = session.screen
    began = screen.now()
    done = base.Piloted(False, "", False)
    status: Status = "failed"
    error: str | None = None
    frame: Frame | None = None
    goes_on = False
    try:
        session._say("level", f"level {session._number}: looking for the board")
        first = screen.grab()
        done = flyer.play()
        session.layout = session.layout.model_copy(update={"continuity": flyer.layout.continuity})
        session._learn()
        frame = screen.grab()
        if done.won:
            status = "won"
            text = f"level {session._number}: nothing is left to do"
            session._say("done", text, frame, first=first, before=first, covered=True)
            goes_on = more and _next(session, flyer, frame)
        else:
            error = done.reason
    except AutoplayerError as fault:
        session.stop = fault
        status, error = ("won" if done.won else "stopped"), str(fault)
    except KeyboardInterrupt:
        session.stop = StoppedError("stopped by Ctrl-C")
        status, error = "stopped", str(session.stop)
    total = screen.now() - began
    seconds = {"read": 0.0, "solve": 0.0, "play": total, "total": total}
    shown = None if status == "won" else frame
    return (
        LevelResult(session._number, status, done.puzzle, done.solution, done.gestures, seconds, error, shown),
        goes_on,
    )


def _next(session: Session[Any, Any], flyer: base.Pilot, won: Frame) -> bool:
    """Whether the next level comes: by itself, or by what is known to lead to it, or by what is found out."""
    known = session.layout.next
    session._say("next", "waiting for the next level")
    if known.kind in ("click", "key"):
        session._press_next(known, won)
        return flyer.ready(FOLLOWS)
    if flyer.ready(COMES):
        session._learn(NextTable(kind="auto"))
        return True
    if known.kind == "auto":
        return False
    for key in KEYS:
        way = NextTable(kind="key", key=key)
        session._press_next(way, won)
        if flyer.ready(FOLLOWS):
            session._learn(way)
            return True
    return False
