"""Chooses the game and the layout: by what the person has named, or by what a picture shows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from autoplayer import games, layout
from autoplayer.core.errors import AutoplayerError, MachineError, UnreadableError

if TYPE_CHECKING:
    from autoplayer.core.frame import Frame, Image
    from autoplayer.games.base import Game
    from autoplayer.screen.base import Screen


SETTLED_WITHIN = 1.0
"""Seconds for the window to become still before a layout is chosen for it."""


@dataclass(frozen=True)
class Wanted:
    """What the person has specified: the possible games, and the layout, None where the fitting one is to be used."""

    games: tuple[Game[Any, Any], ...]
    known: layout.Layout | None
    bare: bool = False
    """Whether no layout is to be used at all."""

    @property
    def title(self) -> str:
        return self.games[0].title if len(self.games) == 1 else "a game that is known here"


@dataclass(frozen=True)
class Choice:
    """A game and a layout, and why they were chosen, in a sentence."""

    game: Game[Any, Any]
    known: layout.Layout
    why: str


def wanted_by(game: str | None, profile: str | None) -> Wanted:
    """What a person has specified by a ``game`` and a layout's ``profile``, each None where they did not name it."""
    bare = profile == layout.NO_LAYOUT
    known = None if bare or profile is None else layout.load(profile, game)
    if known is not None or game is not None:
        return Wanted((games.load(known.game if known else game or ""),), known, bare)
    from autoplayer import which

    return Wanted(tuple(each for each, _ in which.candidates()), None, bare)


def choose(wanted: Wanted, title: str | None, image: Image) -> Choice:
    """The game and the layout for a window that shows ``image``. Raises UnreadableError where no game explains it."""
    if wanted.known is not None:
        return Choice(wanted.games[0], wanted.known, "")
    from autoplayer.session.looking.marks import fitting

    pairs = [(game, None if wanted.bare else fitting(game.name, title, image)) for game in wanted.games]
    none = "without a layout" if wanted.bare else "without a layout, for none fits it"
    said = {game.name: f"with the layout '{known.name}', {_why(known)}" if known else none for game, known in pairs}
    if len(pairs) == 1:
        game, known = pairs[0]
        return Choice(game, known or layout.Layout(game=game.name), f"the window is played {said[game.name]}")
    from autoplayer import which

    candidates = [(game, known or layout.Layout(game=game.name)) for game, known in pairs]
    choice = which.choose([image], candidates, title=title)
    if choice.game is None or choice.layout is None:
        raise UnreadableError(choice.reason)
    why = f"the window shows {choice.game.title}, for {choice.reason}; it is played {said[choice.game.name]}"
    return Choice(choice.game, choice.layout, why)


def _why(known: layout.Layout) -> str:
    """Why a layout was chosen, as the end of a sentence."""
    return "which fits it" if known.anchors else "for its title"


def seen_on(wanted: Wanted, title: str | None, screen: Screen, menus: bool) -> Choice:
    """The game and the layout for what ``screen`` shows, or, with permission to press ``menus``, for what they lead to.
    Raises UnreadableError."""
    from autoplayer.session import Session

    try:
        return choose(wanted, title, screen.still(SETTLED_WITHIN).image)
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


def say_other_game(game: Game[Any, Any], title: str | None, image: Image) -> None:
    """Print a hint where ``image``, in which no level of ``game`` is found, shows one of another game."""
    try:
        seen = choose(wanted_by(None, layout.NO_LAYOUT), title, image).game
    except AutoplayerError:
        return
    if seen.name != game.name:
        print(f"the window shows {seen.title}: try `autoplayer play {seen.name}`", file=sys.stderr)


class _ChosenError(Exception):
    """A picture has shown which game it is."""

    def __init__(self, choice: Choice) -> None:
        super().__init__()
        self.choice = choice


class _AnyGame:
    """Stands in for a game while it is unknown which one it is: reading a picture that shows it ends the search."""

    title = "known"

    def __init__(self, wanted: Wanted, window: str | None) -> None:
        self._wanted, self._window = wanted, window

    def read(self, image: Image, known: layout.Layout) -> NoReturn:
        """Raises _ChosenError where a game explains ``image``, else UnreadableError."""
        raise _ChosenError(choose(self._wanted, self._window, image))


def with_learned(known: layout.Layout, title: str, *, guessed: bool) -> tuple[layout.Layout, Any]:
    """The profile with what was learned about windows of this title, and the function that stores what is learned.
    ``guessed``: whether it is a bundled profile that was chosen because it seemed to fit."""
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
    told = False

    def keep(now: layout.Layout) -> None:
        nonlocal told
        # A window that is not played as a layout says, which was chosen for its title alone, belongs to another game.
        other = guessed and not known.anchors and said not in ("unknown", now.controls)
        try:
            layout.remember(now.model_copy(update={"title": pattern} | ({"name": anonymous} if other else {})))
        except MachineError as fault:  # a full disk, a folder that may not be written: no reason to end a game
            if not told:
                print(f"what is learned about this window is not kept: {fault}", file=sys.stderr)
            told = True

    return known, keep


def fitting_later(
    wanted: Wanted, known: layout.Layout, title: Callable[[], str] | None
) -> Callable[[Frame], layout.Layout | None] | None:
    """A function for the layout that fits a later picture of the window, with what was learned about it; None where a
    layout was named, or fits from the beginning, or none is to be used. ``title``: gives the window's title; None where
    only a part of the screen is known."""
    if wanted.known is not None or wanted.bare or known.name != layout.Layout(game=known.game).name:
        return None

    def fit(frame: Frame) -> layout.Layout | None:
        from autoplayer.session.looking.marks import fitting

        named = title() if title else None
        found = fitting(known.game, named, frame.image)
        if found is not None:
            print(f"the window is played with the layout '{found.name}', which fits it now", file=sys.stderr)
        return found if found is None or named is None else with_learned(found, named, guessed=True)[0]

    return fit
