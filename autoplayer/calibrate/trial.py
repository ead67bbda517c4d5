"""Plays one level, so that the window itself shows how it is controlled, how fast, how it shows a win, and how its next
level comes. The session finds all that out; this module records it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autoplayer.calibrate.anchors import win_sign
from autoplayer.core.errors import AutoplayerError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.core.gestures import Click, Drag, Keys, Wheel
from autoplayer.games.base import Game, Move, P, S
from autoplayer.layout import Layout, NextTable
from autoplayer.screen.base import Screen
from autoplayer.session import Event, LevelResult, Session


@dataclass
class Trial:
    """The results of one level. ``layout``: with what was learned. ``pictures``: of the window, with the boxes of the
    board's cells in each. ``sign``: where the picture ``won`` shows the win; None where it does not. ``stop``: the
    error that ended the trial. ``pressed``: the keys and controls that were pressed for the next level, each with the
    picture before. ``level``: the level as text, as a pilot that has won it knows it."""

    layout: Layout
    result: LevelResult | None = None
    pictures: list[tuple[Image, Mapping[Cell, Box]]] = field(default_factory=list)
    won: Image | None = None
    sign: Box | None = None
    stop: AutoplayerError | None = None
    pressed: list[tuple[NextTable, Image]] = field(default_factory=list)
    level: str | None = None


def intended(game: Game[P, S], screen: Screen, layout: Layout) -> str:
    """What a trial will do first, in a sentence. Moves nothing. Raises UnreadableError where no level can be played."""
    if piloted(game):
        game.read(screen.grab().image, layout)
        return "one level will be played with the keyboard, and keys will be tried until the figure moves"
    session = Session(game, screen, layout)
    moves = session.first_moves(session.look())
    return (
        f"one level will be played, {len(moves)} move{'s' * (len(moves) > 1)}, of which the first is {_said(moves[0])}"
        if moves
        else "nothing is left to do in this level; begin another one"
    )


def piloted(game: Game[P, S]) -> bool:
    """Whether a game runs in real time, so that it is not played move by move."""
    return getattr(game, "pilot", None) is not None


def play_level(game: Game[P, S], screen: Screen, layout: Layout) -> Trial:
    """Play one level."""
    trial = Trial(layout)
    places: Mapping[Cell, Box] = {}

    def watch(event: Event) -> None:
        nonlocal places
        if event.data.get("way") is not None and event.frame is not None:
            trial.pressed.append((event.data["way"], event.frame.image))
        if event.kind == "read":
            places = event.data["reading"].places
        if event.frame is None or event.kind not in ("read", "done") or not places:
            return
        if not trial.pictures or trial.pictures[-1][0].shape == event.frame.image.shape:
            trial.pictures.append((event.frame.image, places))
        if event.kind == "done":
            trial.won = event.frame.image
            first, before = event.data["first"].image, event.data["before"].image
            trial.sign = win_sign(first, before, trial.won, places, covered=event.data["covered"])

    session = Session(game, screen, layout, listeners=[watch])
    # The way to the next level is only looked for where one is to be played.
    trial.result = next(session.play(2), None)
    trial.layout, trial.stop = session.layout, session.stop
    if piloted(game) and trial.result is not None and trial.result.status == "won":
        trial.level = trial.result.puzzle
    return trial


def _said(move: Move) -> str:
    first = move.gestures[0] if move.gestures else None
    if isinstance(first, Click):
        return f"{move.name}: press at {first.at}"
    if isinstance(first, Drag):
        return f"{move.name}: drag from {first.path[0]} to {first.path[-1]}"
    if isinstance(first, Keys):
        return f"{move.name}: press the keys {' '.join(first.keys[:12])}"
    if isinstance(first, Wheel):
        return f"{move.name}: turn the wheel at {first.at}"
    return move.name
