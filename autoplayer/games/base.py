"""The Game interface: the whole of what a game must provide. Session, commands, recorder and tests use nothing else."""

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
    """What a solver found within its time.

    ``unique``: True or False where it is proven, None where it is not known. ``found``: how many different
    solutions were met (never more than asked for). ``exhausted``: there is none besides them.
    """

    status: Literal["solved", "no-solution", "timeout"]
    solution: S | None
    unique: bool | None
    seconds: float
    found: int = 0
    exhausted: bool = False


@dataclass(frozen=True)
class Deduction:
    """One step of an explanation: the rule's name, what follows in a sentence, and the cells it speaks of."""

    rule: str
    text: str
    cells: tuple[Cell, ...] = ()


Spot = tuple[int, ...]
"""What a doubt speaks of: ``(row, column)``, all that stands in a cell; or ``(row, column, index)``, one of the things
that stand in it, where a game has several in a cell, counted from 0 as its text format does."""


@dataclass(frozen=True)
class Doubt:
    """Cells, or things in them, that look alike and are not certain: they all hold the same one of ``candidates``
    (token, probability), the most probable first."""

    cells: tuple[Spot, ...]
    candidates: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Reading(Generic[P]):
    """What a game saw in a picture: the most probable puzzle, as it was before play began, where each of its cells
    stands in the window, and what is not certain. ``confidence``: the probability that the whole is right."""

    puzzle: P
    places: Mapping[Cell, Box]
    doubts: tuple[Doubt, ...]
    confidence: float
    image: Image
    glyphs: Mapping[Spot, Box] = field(default_factory=dict)
    """Where in ``image`` the glyph stands of which a doubt about that spot speaks, and of every other glyph that was
    read, window pixels, cut close: for showing it to a person, and for keeping it as a template of the window."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What only this game's own reader and player understand."""


@dataclass(frozen=True)
class Progress:
    """How far a picture has come towards a solution, in units that the game chooses (cells, links).

    ``present``: whether the board is there at all and is the same one. ``state``: what only the game understands.
    """

    present: bool
    done: int
    total: int
    wrong: int
    state: Any = None

    @property
    def complete(self) -> bool:
        return self.present and self.done == self.total and not self.wrong


@dataclass(frozen=True)
class Move:
    """Gestures that belong together: after them the picture is looked at again. ``name`` says what for."""

    name: str
    gestures: tuple[Gesture, ...]
    cells: tuple[Cell, ...] = ()
    """The cells that should look different afterwards: one for each unit of progress that the move is to bring."""
    controls: str | None = None
    """The value of ``Layout.controls`` that it tries, where the game has several: its effect shows that it is right."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys that it tries, by their names in ``Layout.keys``: right where its effect shows that ``controls`` are."""


@dataclass(frozen=True)
class TextFormat(Generic[P, S]):
    """Another form in which one puzzle is handed over and only its answer is wanted back, such as a contest's."""

    whole: Callable[[str], bool]
    """Whether a text, from its beginning, holds all of a puzzle: a contest may leave the input open after it."""
    parse: Callable[[str], P]
    """As ``Game.parse``."""
    answer: Callable[[S], str]
    """The text of a solution, without a newline at its end."""


class Steerable(Protocol):
    """What a pilot may do with the window: look at it many times a second, hold keys, press some. See the screen's
    methods of the same names."""

    def now(self) -> float: ...

    def glance(self, pause: float = 0.0) -> Frame: ...

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame: ...

    def hold(self, keys: Collection[str]) -> None: ...

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None: ...


@dataclass(frozen=True)
class Piloted:
    """What became of a level that a pilot played. ``reason``: why it was not won, in a sentence. ``begun``: whether
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
    """What is known of the window; it grows."""

    def play(self) -> Piloted:
        """Play the level that the window shows to its end. Keys are up when it returns or raises; errors of the window
        and the person's wish to stop pass through. Called again after such an error, it takes the level up where it
        stands by then."""

    def ready(self, seconds: float) -> bool:
        """Whether the window comes to show a level that has not been played, within so many seconds."""


class Game(Protocol[P, S]):
    """One game. Every method is a function of its arguments: a game holds no state of a board or window."""

    name: str
    """As on the command line: ``cardinal-chains``."""
    title: str
    """As a person says it: ``Cardinal Chains``."""
    promises_one_solution: bool
    """Whether the game's levels have exactly one solution, as a rule: then settling prefers such puzzles."""

    def parse(self, text: str) -> P:
        """The puzzle that ``text`` describes. Raises PuzzleError with the place of the first fault."""

    def format(self, puzzle: P) -> str:
        """The text of a puzzle; ``parse`` turns it back into an equal puzzle."""

    def show(self, puzzle: P, solution: S) -> str:
        """The solved board as text for a person to read in a terminal."""

    def faults(self, puzzle: P) -> list[str]:
        """What makes a well-formed puzzle hopeless at first sight, in sentences; empty where nothing does."""

    def solve(self, puzzle: P, *, time_limit: float, most: int = 2) -> Outcome[S]:
        """Search for up to ``most`` different solutions within ``time_limit`` seconds; ``most=1`` leaves open
        whether the first is the only one."""

    def explain(self, puzzle: P, time_limit: float = math.inf) -> list[Deduction]:
        """The named deductions in order, as far as they go in ``time_limit`` seconds (the last one says so where that
        was not far enough); no search."""

    def check(self, puzzle: P, solution: S) -> list[str]:
        """Every fault of ``solution``, in sentences; empty where it is right. Shares no code with the solver."""

    def solution_to_json(self, solution: S) -> Json: ...

    def solution_from_json(self, data: Json) -> S:
        """Raises PuzzleError where ``data`` has another shape."""

    def read(self, image: Image, layout: Layout) -> Reading[P]:
        """What stands in ``image``. Raises UnreadableError with the reason where no board is seen."""

    def replace(self, puzzle: P, tokens: Mapping[Any, str]) -> P:
        """``puzzle`` with other tokens (as in its text format) in some cells; a key is a spot of the doubts that this
        game's readings have. Raises PuzzleError where that gives no puzzle."""

    def progress(self, reading: Reading[P], puzzle: P, solution: S, image: Image) -> Progress:
        """How far ``image``, a later picture of the window that ``reading`` was made from, has come."""

    def plan(
        self, reading: Reading[P], puzzle: P, solution: S, progress: Progress, layout: Layout, attempt: int = 0
    ) -> Sequence[Move]:
        """The moves that lead from what is seen now to the solution, the next one first; empty when there is
        nothing left to do. ``attempt`` counts how often the first of them was tried already without effect, so that
        another way can be chosen."""

    def draw(self, puzzle: P, solution: S | None = None) -> Image:
        """A picture of the puzzle, and of its solution."""

    def generate(self, rows: int, columns: int, seed: int) -> P:
        """A puzzle with exactly one solution; the same arguments give the same puzzle. Raises UsageError for a
        size that cannot be made."""


def same_level(game: Game[P, S], one: P, other: P) -> bool:
    """Whether two puzzles are one level, read at different times: where they are equal. A game whose boards read
    otherwise once they have been played on holds a ``same_level`` of its own, with the two puzzles."""
    own: Callable[[P, P], bool] | None = getattr(game, "same_level", None)
    return one == other if own is None else own(one, other)


def indifferent(game: Game[P, S], doubt: Doubt) -> bool:
    """Whether it does not matter which of a doubt's candidates it is: a level has the same solution with each of them,
    and is played alike. A game that has such doubts holds an ``indifferent`` of its own, with the doubt."""
    own: Callable[[Doubt], bool] | None = getattr(game, "indifferent", None)
    return own is not None and own(doubt)


def trimmed(game: Game[P, S], reading: Reading[P], puzzle: P) -> tuple[Cell, Reading[P]] | None:
    """``reading`` of ``puzzle`` without what lies outside of all that stands on it, and the place at which it begins
    then; None where nothing does. A game whose boards have no given size, so that an outer row in which nothing stands
    is none, holds a ``trimmed`` of its own, with the last two arguments."""
    own: Callable[[Reading[P], P], tuple[Cell, Reading[P]] | None] | None = getattr(game, "trimmed", None)
    return None if own is None else own(reading, puzzle)


def examine(game: Game[P, S], image: Image, layout: Layout) -> Reading[P]:
    """As ``Game.read``, for a person who can be asked: a glyph that nobody knows is a doubt, not a reason to refuse.
    A game that can read symbols which it has never met holds an ``examine`` of its own, with the same arguments: every
    cluster of equal glyphs that is not known is one doubt, whose candidates are all tokens that the game has there."""
    own: Callable[[Image, Layout], Reading[P]] | None = getattr(game, "examine", None)
    return game.read(image, layout) if own is None else own(image, layout)


def reads_windows(game: Game[P, S]) -> bool:
    """Whether a game can read pictures yet. One that cannot, and so neither plays nor knows progress, holds
    ``reads_windows = False``; what it does with pictures then is to raise UnreadableError with a sentence that says
    so."""
    own: bool = getattr(game, "reads_windows", True)
    return own


def pilot(game: Game[P, S], window: Steerable, layout: Layout, tell: Callable[[str], object]) -> Pilot | None:
    """Who plays the levels of a game that goes on by itself, and so cannot be played move by move: the session leaves
    each level to it, from the first look to the win. Such a game holds a ``pilot`` with the last three arguments; None
    for all others. ``tell`` hears in sentences what is done."""
    own: Callable[[Steerable, Layout, Callable[[str], object]], Pilot] | None = getattr(game, "pilot", None)
    return None if own is None else own(window, layout, tell)


def formats(game: Game[P, S]) -> Mapping[str, TextFormat[P, S]]:
    """The other text forms that a game knows, by their names. A game that has some holds them in ``formats``; most
    have none."""
    found: Mapping[str, TextFormat[P, S]] = getattr(game, "formats", {})
    return found
