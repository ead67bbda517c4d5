"""A cache of what was seen in parts of one picture while a board is searched in it: many blocks of many lattices are
tried, and most of their cells are the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from autoplayer.core.frame import Image

P = ParamSpec("P")
T = TypeVar("T")

_MEMORY: ContextVar[tuple[Image, dict[Hashable, Any]] | None] = ContextVar("cells", default=None)
"""The picture, and the cached results, by function and arguments."""


@contextmanager
def remembering(image: Image) -> Iterator[None]:
    """While this lasts, a :func:`remembered` function does not compute again what it has returned for ``image``, which
    must not change."""
    before = _MEMORY.set((image, {}))
    try:
        yield
    finally:
        _MEMORY.reset(before)


def remembered(look: Callable[Concatenate[Image, P], T]) -> Callable[Concatenate[Image, P], T]:
    """Caches a function of a part of a picture and hashable arguments; its results must not be modified."""

    @wraps(look)
    def ask(image: Image, /, *args: P.args, **options: P.kwargs) -> T:
        memory = _MEMORY.get()
        if memory is None or memory[0] is not image:
            return look(image, *args, **options)
        key = look, args, tuple(options.items())
        if key not in memory[1]:
            memory[1][key] = look(image, *args, **options)
        seen: T = memory[1][key]
        return seen

    return ask
