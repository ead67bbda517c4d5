"""The Game interface: everything that a game must provide. Session, commands, recorder and tests use nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from autoplayer.core.frame import Box, Cell, Frame, Image, Json
from autoplayer.core.gestures import Gesture, Pace

if TYPE_CHECKING:
    from autoplayer.layout import Layout

P = TypeVar("P")
"""A puzzle of one game: frozen, hashable, equal by value."""
S = TypeVar("S")
"""A solution of one game: frozen, equal by value."""


@dataclass(frozen=True)
class Outcome(Generic[S]):
    """A solver's result within its time limit.

    ``unique``: True or False where it is proven, None where it is unknown. ``found``: how many different solutions were
    found (never more than asked for). ``exhausted``: whether it is proven that there are no others.
    """

    status: Literal["solved", "no-solution", "timeout"]
    solution: S | None
    unique: bool | None
    seconds: float
    found: int = 0
    exhausted: bool = False


@dataclass(frozen=True)
class Deduction:
    """One step of an explanation: the rule's name, its conclusion in a sentence, and the cells that it is about."""

    rule: str
    text: str
    cells: tuple[Cell, ...] = ()


Spot = tuple[int, ...]
"""What a doubt is about: ``(row, column)``, the whole content of a cell; or ``(row, column, index)``, one of several
glyphs in it, for games that have several in a cell, counted from 0 as in the game's text format."""


@dataclass(frozen=True)
class Doubt:
    """Cells, or glyphs in them, that look alike and are not certain: all have the same one of ``candidates`` (token,
    probability), the most probable first."""

    cells: tuple[Spot, ...]
    candidates: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Reading(Generic[P]):
    """What a game read in a picture: the most probable puzzle, as it was before play began, the box of each of its
    cells in the window, and the doubts. ``confidence``: the probability that the whole puzzle is right."""

    puzzle: P
    places: Mapping[Cell, Box]
    doubts: tuple[Doubt, ...]
    confidence: float
    image: Image
    glyphs: Mapping[Spot, Box] = field(default_factory=dict)
    """For each spot in doubt, and for every other glyph that was read, the glyph's bounding box in ``image``, window
    pixels: for showing it to a person, and for storing it as a template of the window."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Data that only this game's own reader and player use."""


@dataclass(frozen=True)
class Progress:
    """A picture's progress towards a solution, in units that the game chooses (cells, links).

    ``present``: whether the board is visible and the same one. ``state``: data that only the game uses. ``instead``:
    what should have been read at first, where what has happened since proves that this is another level than the one
    being played.
    """

    present: bool
    done: int
    total: int
    wrong: int
    state: Any = None
    instead: Reading[Any] | None = field(default=None, compare=False, repr=False)

    @property
    def complete(self) -> bool:
        return self.present and self.done == self.total and not self.wrong


@dataclass(frozen=True)
class Move:
    """Gestures that belong together; after them the picture is examined again. ``name`` describes their purpose."""

    name: str
    gestures: tuple[Gesture, ...]
    cells: tuple[Cell, ...] = ()
    """The cells that should look different afterwards: one for each unit of progress that the move is to make."""
    controls: str | None = None
    """The value of ``Layout.controls`` that it tries, where the game has several: if it has an effect, that value is
    right."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys that it tries, by their names in ``Layout.keys``: if it has an effect, they are right, as ``controls``
    is."""
    guess: bool = False
    """Whether there may be nothing to do for it: if it has no effect, that says nothing about the window's pace."""


@dataclass(frozen=True)
class TextFormat(Generic[P, S]):
    """Another text format in which one puzzle is given and only its answer is returned, such as a contest's."""

    whole: Callable[[str], bool]
    """Whether a text, from its beginning, contains a complete puzzle: a contest may leave the input open after it."""
    parse: Callable[[str], P]
    """As ``Game.parse``."""
    answer: Callable[[S], str]
    """The text of a solution, without a newline at its end."""


class Steerable(Protocol):
    """What a pilot may do with the window: capture it many times a second, hold keys, make gestures. See the screen's
    methods of the same names."""

    def now(self) -> float: ...

    def glance(self, pause: float = 0.0) -> Frame: ...

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame: ...

    def hold(self, keys: Collection[str]) -> None: ...

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None: ...


@dataclass(frozen=True)
class Piloted:
    """The result of a level that a pilot played. ``reason``: why it was not won, in a sentence. ``begun``: whether
    there was a level to play. ``puzzle``: the level as text, ``solution``: what was done, as far as they are known.
    ``note``: what happened on the way, in words."""

    won: bool
    reason: str
    begun: bool
    puzzle: str | None = None
    solution: Json = None
    gestures: int = 0
    note: str | None = None


class Pilot(Protocol):
    """Plays level after level of one window."""

    layout: Layout
    """What is known of the window, updated during play."""

    def play(self) -> Piloted:
        """Play the level that the window shows to its end. Keys are released when it returns or raises; errors of the
        window and a stop by the person are passed through. Called again after such an error, it continues the level in
        its present state."""

    def ready(self, seconds: float) -> bool:
        """Whether the window shows a level that has not been played, within so many seconds."""

    def stirs(self) -> bool:
        """Whether anything moves under the keys that steer: then a window in which no board is seen may show a part of
        one."""


class Game(Protocol[P, S]):
    """One game. Every method is a function of its arguments: a game holds no state of a board or window."""

    name: str
    """Its name on the command line: ``cardinal-chains``."""
    title: str
    """Its name for people: ``Cardinal Chains``."""
    promises_one_solution: bool
    """Whether the game's levels normally have exactly one solution: then settling prefers such puzzles."""

    def parse(self, text: str) -> P:
        """The puzzle that ``text`` describes. Raises PuzzleError with the place of the first error."""

    def format(self, puzzle: P) -> str:
        """The text of a puzzle; ``parse`` turns it back into an equal puzzle."""

    def show(self, puzzle: P, solution: S) -> str:
        """The solved board as text for a person to read in a terminal."""

    def faults(self, puzzle: P) -> list[str]:
        """Obvious reasons why a well-formed puzzle has no solution, in sentences; empty where there are none."""

    def solve(self, puzzle: P, *, time_limit: float, most: int = 2) -> Outcome[S]:
        """Search for up to ``most`` different solutions within ``time_limit`` seconds; with ``most=1`` it stays unknown
        whether the first one is the only one."""

    def explain(self, puzzle: P, time_limit: float = math.inf) -> list[Deduction]:
        """The named deductions in order, as far as they go within ``time_limit`` seconds (the last one says so where
        the time ran out); no search."""

    def check(self, puzzle: P, solution: S) -> list[str]:
        """Every error of ``solution``, in sentences; empty where it is right. Shares no code with the solver."""

    def solution_to_json(self, solution: S) -> Json: ...

    def solution_from_json(self, data: Json) -> S:
        """Raises PuzzleError where ``data`` has another shape."""

    def read(self, image: Image, layout: Layout) -> Reading[P]:
        """The board in ``image``. Raises UnreadableError with the reason where none is found."""

    def replace(self, puzzle: P, tokens: Mapping[Any, str]) -> P:
        """``puzzle`` with other tokens (as in its text format) in some cells; the keys are spots as in the doubts of
        this game's readings. Raises PuzzleError where the result is not a puzzle."""

    def progress(self, reading: Reading[P], puzzle: P, solution: S, image: Image) -> Progress:
        """The progress of ``image``, a later picture of the window from which ``reading`` was made."""

    def plan(
        self, reading: Reading[P], puzzle: P, solution: S, progress: Progress, layout: Layout, attempt: int = 0
    ) -> Sequence[Move]:
        """The moves from the present state to the solution, the next one first; empty when nothing is left to do.
        ``attempt``: how often the first of them was already tried without effect, so that another way can be chosen."""

    def draw(self, puzzle: P, solution: S | None = None) -> Image:
        """A picture of the puzzle, and of its solution."""

    def generate(self, rows: int, columns: int, seed: int) -> P:
        """A puzzle with exactly one solution; equal arguments give equal puzzles. Raises UsageError for an impossible
        size."""


USUAL_SIZE = (7, 7)
"""Rows and columns of a new puzzle where neither the person nor the game says another size."""


def usual_size(game: Game[P, S]) -> tuple[int, int]:
    """Rows and columns of a new puzzle where no size is asked for. A game that cannot make boards of ``USUAL_SIZE`` has
    an attribute ``usual_size`` of its own."""
    own: tuple[int, int] = getattr(game, "usual_size", USUAL_SIZE)
    return own


def same_level(game: Game[P, S], one: P, other: P) -> bool:
    """Whether two puzzles, read at different times, are the same level: by default, whether they are equal. A game
    whose boards read differently during play has a ``same_level`` of its own, with the two puzzles."""
    own: Callable[[P, P], bool] | None = getattr(game, "same_level", None)
    return one == other if own is None else own(one, other)


def indifferent(game: Game[P, S], doubt: Doubt) -> bool:
    """Whether it does not matter which of a doubt's candidates is right, because the level has the same solution with
    each and is played alike. A game with such doubts has a function ``indifferent`` with the doubt as its argument."""
    own: Callable[[Doubt], bool] | None = getattr(game, "indifferent", None)
    return own is not None and own(doubt)


def trimmed(game: Game[P, S], reading: Reading[P], puzzle: P) -> tuple[Cell, Reading[P]] | None:
    """``reading`` of ``puzzle`` without empty outer rows and columns, and the place at which it begins then; None where
    there are none. A game whose boards have no given size, so that empty outer rows do not count, has a function
    ``trimmed`` with the last two arguments."""
    own: Callable[[Reading[P], P], tuple[Cell, Reading[P]] | None] | None = getattr(game, "trimmed", None)
    return None if own is None else own(reading, puzzle)


def inherit(game: Game[P, S], reading: Reading[P], before: Reading[P]) -> None:
    """Tell ``game`` that ``reading`` shows the next board of the window in which ``before`` was played. A game that
    learns a window's habits while it is played has a function ``inherit`` with the last two arguments."""
    own: Callable[[Reading[P], Reading[P]], None] | None = getattr(game, "inherit", None)
    if own is not None:
        own(reading, before)


def examine(game: Game[P, S], image: Image, layout: Layout) -> Reading[P]:
    """As ``Game.read``, for a person who can be asked: an unknown glyph is a doubt, not a reason to refuse. A game that
    can read unknown symbols has a function ``examine`` with the same arguments: each cluster of equal unknown glyphs is
    one doubt, whose candidates are all tokens that the game allows there."""
    own: Callable[[Image, Layout], Reading[P]] | None = getattr(game, "examine", None)
    return game.read(image, layout) if own is None else own(image, layout)


def reads_windows(game: Game[P, S]) -> bool:
    """Whether a game can read pictures yet. One that cannot, and so cannot play either, has ``reads_windows = False``;
    its functions for pictures raise UnreadableError with a sentence that says so."""
    own: bool = getattr(game, "reads_windows", True)
    return own


def pilot(game: Game[P, S], window: Steerable, layout: Layout, tell: Callable[[str], object]) -> Pilot | None:
    """The player of a real-time game, which cannot be played move by move: the session leaves each level to it, from
    the first look to the win. Such a game has a function ``pilot`` with the last three arguments; None for all others.
    ``tell`` is called with sentences that say what is done."""
    own: Callable[[Steerable, Layout, Callable[[str], object]], Pilot] | None = getattr(game, "pilot", None)
    return None if own is None else own(window, layout, tell)


def formats(game: Game[P, S]) -> Mapping[str, TextFormat[P, S]]:
    """The other text formats that a game knows, by their names. A game that has some has them in ``formats``; most have
    none."""
    found: Mapping[str, TextFormat[P, S]] = getattr(game, "formats", {})
    return found
