"""What a target is: one kind of input, how it is tried, and from what the fuzzer begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """One kind of input.

    ``about``: what it is, for the table. ``run``: hand the bytes to the program, in an empty folder of its own; raises
    whatever is amiss. ``seeds``: inputs from which the fuzzer begins. ``words``: what it may put into them.
    """

    name: str
    about: str
    run: Callable[[bytes, Path], None]
    seeds: Callable[[], Sequence[bytes]]
    words: Sequence[bytes] = ()
    longest: int = 4096
    """Bytes of an input."""
