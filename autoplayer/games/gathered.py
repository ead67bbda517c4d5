"""A game assembled from the modules ("rooms") of one folder: the model (``puzzle``), which loads quickly, and the
modules that need OpenCV or an engine, which are loaded when first used."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Protocol

from autoplayer.core.frame import Image, Json
from autoplayer.games import enlarging
from autoplayer.games.base import Deduction, Move, Outcome, P, Progress, Reading, S

if TYPE_CHECKING:
    from autoplayer.layout import Layout


class Model(Protocol[P, S]):
    """The module ``puzzle``. Its functions are documented at the methods of :class:`~autoplayer.games.base.Game` with
    the same names (``format_puzzle``: ``format``)."""

    __name__: str

    def parse(self, text: str, /) -> P: ...

    def format_puzzle(self, puzzle: P, /) -> str: ...

    def show(self, puzzle: P, solution: S, /) -> str: ...

    def replace(self, puzzle: P, tokens: Mapping[Any, str], /) -> P: ...

    def check(self, puzzle: P, solution: S, /) -> list[str]: ...

    def solution_to_json(self, solution: S, /) -> Json: ...

    def solution_from_json(self, data: Json, /) -> S: ...


class Gathered(Generic[P, S]):
    """A game each of whose methods is a function of the same name, with the same arguments, in one of the modules
    ``rules``, ``solver``, ``generator``, ``reader``, ``player`` and ``picture``; see
    :class:`autoplayer.games.base.Game`. A game overrides what it does differently."""

    model: Model[P, S]

    enlarges = True
    """Whether a small picture in which no board is found is read again at a larger size."""

    def _room(self, name: str) -> Any:
        """The module ``name`` beside the model."""
        return import_module(f"{self.model.__name__.rpartition('.')[0]}.{name}")

    def parse(self, text: str) -> P:
        return self.model.parse(text)

    def format(self, puzzle: P) -> str:
        return self.model.format_puzzle(puzzle)

    def show(self, puzzle: P, solution: S) -> str:
        return self.model.show(puzzle, solution)

    def faults(self, puzzle: P) -> list[str]:
        return []

    def replace(self, puzzle: P, tokens: Mapping[Any, str]) -> P:
        return self.model.replace(puzzle, tokens)

    def check(self, puzzle: P, solution: S) -> list[str]:
        return self.model.check(puzzle, solution)

    def solution_to_json(self, solution: S) -> Json:
        return self.model.solution_to_json(solution)

    def solution_from_json(self, data: Json) -> S:
        return self.model.solution_from_json(data)

    def solve(self, puzzle: P, *, time_limit: float, most: int = 2) -> Outcome[S]:
        found: Outcome[S] = self._room("solver").solve(puzzle, time_limit=time_limit, most=most)
        return found

    def explain(self, puzzle: P, time_limit: float = math.inf) -> list[Deduction]:
        found: list[Deduction] = self._room("rules").explain(puzzle, time_limit)
        return found

    def generate(self, rows: int, columns: int, seed: int) -> P:
        found: P = self._room("generator").generate(rows, columns, seed)
        return found

    def read(self, image: Image, layout: Layout) -> Reading[P]:
        reader = self._room("reader")
        return self._look(lambda seen: reader.read(seen, layout), image)

    def examine(self, image: Image, layout: Layout) -> Reading[P]:
        reader = self._room("reader")
        examine = getattr(reader, "examine", reader.read)
        return self._look(lambda seen: examine(seen, layout), image)

    def _look(self, look: Callable[[Image], Reading[P]], image: Image) -> Reading[P]:
        return enlarging.read(look, image) if self.enlarges else look(image)

    def progress(self, reading: Reading[P], puzzle: P, solution: S, image: Image) -> Progress:
        seen, own = enlarging.as_looked_at(image, reading), enlarging.as_read(reading)
        found: Progress = self._room("player").progress(own, puzzle, solution, seen)
        if found.instead is not None and own is not reading:
            return replace(found, instead=enlarging.as_small(found.instead, reading.image))
        return found

    def plan(
        self, reading: Reading[P], puzzle: P, solution: S, progress: Progress, layout: Layout, attempt: int = 0
    ) -> Sequence[Move]:
        own = enlarging.as_read(reading)
        found: Sequence[Move] = self._room("player").plan(own, puzzle, solution, progress, layout, attempt)
        return enlarging.in_window(found, reading)

    def draw(self, puzzle: P, solution: S | None = None) -> Image:
        found: Image = self._room("picture").draw(puzzle, solution)
        return found
