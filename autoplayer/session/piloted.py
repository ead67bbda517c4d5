"""Levels of real-time games: the game's own pilot plays each, the session goes from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from autoplayer.core.errors import AutoplayerError, InterruptError, UnreadableError
from autoplayer.core.frame import Box, Frame, Point
from autoplayer.games import base
from autoplayer.layout import Layout, NextTable
from autoplayer.screen.base import Screen, lies_over, steered
from autoplayer.screen.guard import CoveredError
from autoplayer.session import limits
from autoplayer.session.events import LevelResult, Status
from autoplayer.session.looking.menus import controls_that_came
from autoplayer.session.looking.words import Words
from autoplayer.session.next_level.presses import NEXT_KEYS
from autoplayer.session.window import INTERRUPTIONS

if TYPE_CHECKING:
    from autoplayer.session.loop import Session

T = TypeVar("T")

COMES = 6.0
"""Seconds within which the next level comes by itself, if it does."""
SHOWS = 1.5
"""Seconds until a button that leads on is looked for: it need not be waited any longer where one has come. The same
until it is pressed again, if it is still there."""
FOLLOWS = 4.0
"""The same after a control was pressed."""
TIMES = 2
"""How often the known way to the next level is tried."""
MOST_BUTTONS = 3
"""How many buttons are tried for the next level, and how many presses of such as lead on by their words."""
PLAYED_ON = 5.0
"""Seconds of play after which another interruption is unrelated to the one before."""
PARTS = 12
"""A window is divided into this many parts, across and down, to ask whether it is covered; a smaller cover at its edge
does not count."""


def pilot(
    game: base.Game[Any, Any], screen: Screen, layout: Layout, tell: Callable[[str], object]
) -> base.Pilot | None:
    """The pilot of ``game``; None where the session plays it. Raises MachineError where the screen cannot hold keys."""
    if getattr(game, "pilot", None) is None:
        return None
    return base.pilot(game, steered(screen), layout, tell)


@dataclass(frozen=True)
class Means:
    """Functions of the session for the pilot: ``say`` reports to its listeners, ``learn`` stores what was found out
    about the window, ``press`` presses what leads to the next level, ``uncovered`` waits until the window is visible
    and nothing covers the boxes, and raises where that takes too long. ``enter`` presses what leads to the first level;
    None without permission."""

    say: Callable[..., None]
    learn: Callable[..., None]
    press: Callable[[NextTable, Frame], None]
    uncovered: Callable[[Iterable[Box]], Frame]
    enter: Callable[[], None] | None = None


def levels(session: Session[Any, Any], means: Means, flyer: base.Pilot, most: int | None) -> Iterator[LevelResult]:
    """Play with the pilot as ``Session.play`` does, up to level ``most``."""
    while most is None or session.number < most:
        session.number += 1
        result, goes_on = _level(session, means, flyer, most is None or session.number < most)
        said = result.error or f"level {session.number}: {result.status}"
        means.say("result", f"{said} ({result.note})" if result.note else said, result.frame, result=result)
        yield result
        if result.status != "won":
            return
        if not goes_on:
            if most is None or session.number < most:
                session.ended = f"after level {session.number} no next level came"
            return


def _level(session: Session[Any, Any], means: Means, flyer: base.Pilot, more: bool) -> tuple[LevelResult, bool]:
    """Play a level; returns its result and, with ``more``, whether the next one has come."""
    screen = session.screen
    began = screen.now()
    done = base.Piloted(False, "", False)
    status: Status = "failed"
    error: str | None = None
    frame: Frame | None = None
    goes_on = False
    try:
        means.say("level", "looking for the board")
        inside = session.number > 1 or means.enter is None or _entered(session, means.enter, flyer)
        first = screen.grab()
        done = _flown(session, means, flyer)
        if not inside and not done.begun and means.enter is not None:
            _enter(means.enter)
            first = screen.grab()
            done = _flown(session, means, flyer)
        session.layout = session.layout.model_copy(update={"continuity": flyer.layout.continuity})
        means.learn()
        frame = screen.grab()
        if done.won:
            status = "won"
            means.say("done", "nothing is left to do", frame, first=first, before=first, covered=True)
            goes_on = more and _next(session, means, flyer, first)
        else:
            error = done.reason
    except AutoplayerError as fault:
        session.stop = fault
        status, error = ("won" if done.won else "stopped"), str(fault)
    except KeyboardInterrupt:
        session.stop = InterruptError("stopped by Ctrl-C")
        status, error = "stopped", str(session.stop)
    total = screen.now() - began
    seconds = {"read": 0.0, "solve": 0.0, "play": total, "total": total}
    shown = None if status == "won" else frame
    return (
        LevelResult(
            session.number, status, done.puzzle, done.solution, done.gestures, seconds, error, shown, done.note
        ),
        goes_on,
    )


def _entered(session: Session[Any, Any], enter: Callable[[], None], flyer: base.Pilot) -> bool:
    """Go to the first level from a screen without a board. False where something moves under the keys that steer: it
    may show a part of a board, on which nothing is to be pressed."""
    try:
        session.game.read(session.screen.grab().image, session.layout)
    except UnreadableError:
        if flyer.stirs():
            return False
        _enter(enter)
    return True


def _enter(enter: Callable[[], None]) -> None:
    """Press what leads to the first level. Where none appears that can be read from a single picture, the pilot takes
    over with what is visible."""
    with suppress(UnreadableError):
        enter()


def _flown(session: Session[Any, Any], means: Means, flyer: base.Pilot) -> base.Piloted:
    """Let the pilot play the level."""

    def fly() -> base.Piloted:
        done = flyer.play()
        over = None if done.won else lies_over(session.screen, [Box(0, 0, *session.screen.grab().size)])
        if over is not None:
            raise CoveredError(f"{over} lies over the game's window. Bring that to the front.")
        return done

    return _undisturbed(session, means, fly)


def _undisturbed(session: Session[Any, Any], means: Means, do: Callable[[], T]) -> T:
    """The result of ``do``. Where the window is covered, hidden or resized meanwhile, that is waited for, and ``do``
    repeated."""
    screen = session.screen
    interrupted: float | None = None
    while True:
        begun = screen.now()
        try:
            return do()
        except INTERRUPTIONS as fault:
            now = screen.now()
            if interrupted is None or now - begun > PLAYED_ON:
                interrupted = begun
            elif now - interrupted > limits.AWAY_LIMIT:
                raise
            means.say("wait", str(fault))
            means.uncovered(())
            means.uncovered(_parts(screen.grab().size))


def _parts(size: tuple[int, int]) -> list[Box]:
    """The parts of a window of ``size``, none of which may be hidden."""
    wide, high = size[0] // PARTS, size[1] // PARTS
    return [Box(x * wide, y * high, wide, high) for x in range(PARTS) for y in range(PARTS)]


def _next(session: Session[Any, Any], means: Means, flyer: base.Pilot, first: Frame) -> bool:
    """Whether the next level comes: by itself, by the known way, or by one that is found out. ``first``: the picture
    with which the level that was won began."""

    def ready(seconds: float) -> bool:
        return _undisturbed(session, means, lambda: flyer.ready(seconds))

    known = session.layout.next
    means.say("next", "waiting for the next level")
    for _ in range(TIMES if known.pressed else 0):  # the control may appear a while after the win
        means.press(known, session.screen.grab())
        if ready(FOLLOWS):
            return True
    if known.pressed:
        return False

    def leads_on(ways: Iterable[NextTable]) -> bool:
        for way in ways:
            means.press(way, session.screen.grab())
            if ready(FOLLOWS):
                means.learn(way)
                return True
        return False

    way, presses = NextTable(kind="auto"), 0
    for seconds in (SHOWS, COMES - SHOWS):
        shown = ready(seconds)
        while not shown and known.kind != "auto" and presses < MOST_BUTTONS:
            onward = _buttons(first, session.screen.grab())[0]
            if not onward:
                break
            way = onward[presses % len(onward)]  # one that is still there was not heard
            means.press(way, session.screen.grab())
            presses += 1
            shown = ready(SHOWS)
        if shown:
            means.learn(way)
            return True
    return known.kind != "auto" and leads_on(_other_ways(first, session.screen.grab()))


def _buttons(first: Frame, now: Frame) -> tuple[list[NextTable], list[NextTable], list[NextTable]]:
    """Clicks on the buttons that have appeared since ``first``, the picture of a level that is won: those whose words
    lead on, other ones, those whose words lead back."""
    came = controls_that_came(first.image, first.image, now.image, ()) if first.size == now.size else []
    words = Words()
    points = words.sorted(now.image, [box.centre for box in came])[:MOST_BUTTONS]
    onward, back = words.onward(now.image, points), words.back(now.image, points)
    others = [at for at in points if at not in onward and at not in back]

    def clicks(some: Iterable[Point]) -> list[NextTable]:
        return [NextTable(kind="click", place=(at[0] / now.size[0], at[1] / now.size[1])) for at in some]

    return clicks(onward), clicks(others), clicks(back)


def _other_ways(first: Frame, now: Frame) -> Iterator[NextTable]:
    """Possible ways on where no words lead on: usual keys, the buttons that have appeared, a click anywhere. As the
    board itself has changed, a part of it may look like a button: buttons come after one key, and after all where their
    words lead back."""
    _, others, back = _buttons(first, now)
    first_key, *keys = (NextTable(kind="key", key=key) for key in NEXT_KEYS)
    yield from (first_key, *others, *keys, *back, NextTable(kind="click", place=(0.5, 0.5)))
