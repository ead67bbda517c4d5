"""A rival: Hashi as an answer set program for clingo, whose engine checks by itself that all islands are reached."""

from __future__ import annotations

import time
from typing import Any

from autoplayer.games.base import Outcome
from autoplayer.games.hashi.puzzle import Link, Puzzle, Solution

RULES = """
{ one(K) } :- bridge(K, A, B).
{ two(K) } :- one(K).
end(K, A) :- bridge(K, A, B).
end(K, B) :- bridge(K, A, B).
:- island(I, N), #sum { 1, K, 1 : one(K), end(K, I); 1, K, 2 : two(K), end(K, I) } != N.
:- across(K, L), one(K), one(L).
reached(0).
reached(B) :- reached(A), one(K), bridge(K, A, B).
reached(A) :- reached(B), one(K), bridge(K, A, B).
:- island(I, N), not reached(I).
#defined across/2.
#show one/1.
#show two/1.
"""
"""In order encoding: with ``links(K, 0..2)`` instead, the best preset takes half as long again on 400 islands."""

BEST = "trendy"
"""Of clingo's presets the quickest here: 30 boards of 400 islands take 1.07 s in all; jumpy takes 1.14 s, handy 1.13 s,
crafty 1.6 s, tweety 1.8 s, auto (the default) 2.3 s, frumpy 3.6 s."""


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 2, preset: str = "auto") -> Outcome[Solution]:
    """clingo with one thread and one of its presets."""
    import clingo

    began = time.perf_counter()
    number = {island: i for i, island in enumerate(puzzle.islands)}
    facts = [f"island({i}, {puzzle.islands[island]})." for island, i in number.items()]
    facts += [f"bridge({k}, {number[a]}, {number[b]})." for k, (a, b) in enumerate(puzzle.bridges)]
    facts += [f"across({k}, {other})." for k, each in enumerate(puzzle.crossings) for other in each if other > k]
    control: Any = clingo.Control([str(most), f"--configuration={preset}"])
    control.add("base", [], RULES + "\n".join(facts))
    control.ground([("base", [])])
    found: list[Solution] = []

    def keep(model: Any) -> None:
        links: dict[int, int] = {}
        for symbol in model.symbols(shown=True):
            k = symbol.arguments[0].number
            links[k] = links.get(k, 0) + 1
        found.append(tuple(Link(*puzzle.bridges[k], count) for k, count in sorted(links.items())))

    with control.solve(on_model=keep, async_=True) as handle:
        if not handle.wait(max(0.0, time_limit - (time.perf_counter() - began))):
            handle.cancel()
        exhausted = bool(handle.get().exhausted)
    unique = False if len(found) > 1 else True if found and exhausted else None
    answer = "solved" if found else "no-solution" if exhausted else "timeout"
    seconds = time.perf_counter() - began
    return Outcome(answer, found[0] if found else None, unique, seconds, len(found), exhausted)  # type: ignore[arg-type]
