"""Clauses for the counting constraints that puzzles share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def at_most_one(literals: Sequence[int]) -> list[list[int]]:
    """At most one of a few literals is true (pairwise encoding: best for up to about six).

    >>> at_most_one([1, 2, 3])
    [[-1, -2], [-1, -3], [-2, -3]]
    """
    return [[-a, -b] for a, b in combinations(literals, 2)]


def exactly(count: int, literals: Sequence[int], top: int) -> tuple[list[list[int]], int]:
    """Clauses for "exactly ``count`` of ``literals`` are true", and the highest variable in use afterwards.

    ``top``: the highest variable in use before. The encoding is Sinz's sequential counter (2005), for which
    unit propagation finds every forced literal; its size is ``count * len(literals)``.

    >>> exactly(3, [1, 2], 2)
    ([[]], 2)
    """
    if not 0 <= count <= len(literals):
        return [[]], top
    if not literals:
        return [], top
    from pysat.card import CardEnc, EncType

    encoded = CardEnc.equals(lits=list(literals), bound=count, top_id=top, encoding=EncType.seqcounter)
    return [list(clause) for clause in encoded.clauses], max(top, encoded.nv)
