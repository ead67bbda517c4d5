"""Resolves doubts by the rules: the most probable puzzle that has a solution (exactly one, where the game promises it).

Knows no game, no pixels and no window. What the rules cannot resolve stays in doubt, and is reported, never guessed.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic

from autoplayer.core.deadline import Allowance
from autoplayer.core.errors import PuzzleError
from autoplayer.games.base import Doubt, Game, Outcome, P, Reading, S, Spot, indifferent, trimmed

ENOUGH = 0.95
"""The least posterior probability of a puzzle (or a solution), among all that were not excluded, for it to be accepted:
at most one settled level in twenty may be wrong, and a wrong one shows on the board."""

SEVERAL = 0.02
"""The likelihood of a puzzle with several solutions, in a game whose levels have exactly one: rare, not impossible."""

DEVIATION = 0.02
"""The prior probability that one cell of a cluster of equal-looking glyphs differs from the others. Only used when no
solution exists without it."""

MOST_ASSIGNMENTS = 400
"""How many puzzles are solved before settling gives up: unlike a time limit, this is the same in every run."""

MOST_TRIED = 20_000
"""How many assignments are examined in all; those that give no puzzle, or one with a fault, cost next to nothing."""

NAMED_DOUBTS = 4
"""How many clusters in doubt a sentence names before it only counts the rest."""


@dataclass(frozen=True)
class Settled(Generic[P, S]):
    """A reading after the rules were applied.

    ``certain``: whether ``puzzle`` is known. ``outcome``: the solver's result for it; None where nothing was solved.
    ``changed``: the spots in which ``puzzle`` differs from the most probable reading, with their new tokens.
    ``doubts``: the remaining doubts, with posterior probabilities. ``reason``: a sentence, empty where the puzzle is
    certain and has a solution. ``confidence``: the probability of ``puzzle``.
    """

    puzzle: P
    certain: bool
    outcome: Outcome[S] | None
    changed: Mapping[Spot, str] = field(default_factory=dict)
    doubts: tuple[Doubt, ...] = ()
    reason: str = ""
    confidence: float = 0.0
    same_solution: bool = False
    """Whether all puzzles that are still possible have the same solution, so that the remaining doubts do not
    matter."""

    @property
    def solution(self) -> S | None:
        return self.outcome.solution if self.outcome else None

    @property
    def playable(self) -> bool:
        """Whether there is a solution that is right whatever the remaining doubts turn out to be."""
        return self.solution is not None and (self.certain or self.same_solution)


@dataclass(frozen=True)
class _Fit(Generic[P, S]):
    """One assignment of tokens to the cells in doubt, and its result. ``low``, ``high``: bounds of its weight; they
    differ where the solver ran out of time."""

    tokens: Mapping[Spot, str]
    puzzle: P
    outcome: Outcome[S] | None
    low: float
    high: float


def settle(game: Game[P, S], reading: Reading[P], *, time_limit: float = 5.0) -> Settled[P, S]:
    """The puzzle that ``reading`` shows, as far as the game's rules decide it, within ``time_limit`` seconds of this
    thread's processor time (:class:`Allowance`)."""
    left_open = tuple(doubt for doubt in reading.doubts if indifferent(game, doubt))
    if left_open:
        others = tuple(doubt for doubt in reading.doubts if doubt not in left_open)
        return _whichever(settle(game, replace(reading, doubts=others), time_limit=time_limit), left_open)
    if not reading.doubts:
        return _as_read(game, reading, time_limit)
    allowance = Allowance(time_limit)
    whole = _clusters(reading.doubts)
    fits, rest = _explore(game, reading, whole, allowance)
    if not any(fit.low or fit.high for fit in fits) and any(len(doubt.cells) > 1 for doubt in reading.doubts):
        split, rest = _explore(game, reading, _split(reading.doubts), allowance)
        fits = [*fits, *split]
    return _judge(game, reading, fits, rest)


def settle_trimmed(
    game: Game[P, S], reading: Reading[P], *, time_limit: float = 5.0
) -> tuple[Reading[P], Settled[P, S]]:
    """As :func:`settle`, together with the reading to which the settled puzzle belongs: where the rules leave an outer
    row or column empty (something beside the board was taken for a cell), both are without it."""
    settled = settle(game, reading, time_limit=time_limit)
    within = trimmed(game, reading, settled.puzzle) if settled.certain and reading.doubts else None
    if within is None:
        return reading, settled
    (top, left), rest = within
    outcome = settled.outcome and game.solve(rest.puzzle, time_limit=time_limit)
    moved = {(spot[0] - top, spot[1] - left, *spot[2:]): token for spot, token in settled.changed.items()}
    changed = {spot: token for spot, token in moved.items() if spot[:2] in rest.places}
    return rest, replace(settled, puzzle=rest.puzzle, outcome=outcome, changed=changed)


def _whichever(settled: Settled[P, S], left_open: Sequence[Doubt]) -> Settled[P, S]:
    """The settled result for all other doubts, with those that make no difference left open."""
    doubts = (*settled.doubts, *(Doubt(d.cells, tuple(_normal(d.candidates))) for d in left_open))
    reason = settled.reason
    if settled.playable and not reason:
        reason = f"{_name(doubts)}; the solution is the same, whichever it is"
    for doubt in left_open:
        settled = replace(settled, confidence=settled.confidence * _normal(doubt.candidates)[0][1])
    return replace(settled, certain=False, same_solution=settled.playable, doubts=doubts, reason=reason)


def _as_read(game: Game[P, S], reading: Reading[P], time_limit: float) -> Settled[P, S]:
    if faults := game.faults(reading.puzzle):
        reason = f"as it was read, the level has no solution ({faults[0]}), so something was misread"
        return Settled(reading.puzzle, True, None, reason=reason, confidence=reading.confidence)
    # The first solution is enough to play; proving that it is the only one would cost time and change nothing.
    outcome = game.solve(reading.puzzle, time_limit=time_limit, most=1)
    reason = {
        "solved": "",
        "no-solution": "as it was read, the level has no solution, so something was misread",
        "timeout": f"no solution was found within {time_limit:g} s",
    }[outcome.status]
    return Settled(reading.puzzle, True, outcome, reason=reason, confidence=reading.confidence)


# Each variable is a sequence of (tokens for some cells, probability), the most probable first.
_Variable = Sequence[tuple[Mapping[Spot, str], float]]


def _clusters(doubts: Sequence[Doubt]) -> list[_Variable]:
    """One variable for each doubt: all its cells have the same token."""
    return [[(dict.fromkeys(doubt.cells, token), p) for token, p in _normal(doubt.candidates)] for doubt in doubts]


def _split(doubts: Sequence[Doubt]) -> list[_Variable]:
    """The clusters, and for each cell of a larger one a variable for the case that this cell alone differs."""
    variables = _clusters(doubts)
    for doubt in doubts:
        if len(doubt.cells) > 1:
            for cell in doubt.cells:
                own = [({cell: token}, DEVIATION * p) for token, p in _normal(doubt.candidates)]
                variables.append([({}, 1 - DEVIATION), *own])
    return variables


def _normal(candidates: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """The candidates sorted by probability, which is normalised to 1."""
    total = sum(p for _, p in candidates) or 1.0
    return sorted(((token, p / total) for token, p in candidates), key=lambda pair: -pair[1])


def _assignments(variables: Sequence[_Variable]) -> Iterator[tuple[dict[Spot, str], float]]:
    """Every assignment with its probability, the most probable first, generated lazily.

    Best-first search over index vectors: the successors of a vector increase one index, at or after the last increased
    one, so each vector is generated once and never before a more probable one.
    """

    def probability(indices: tuple[int, ...]) -> float:
        product = 1.0
        for variable, index in zip(variables, indices, strict=True):
            product *= variable[index][1]
        return product

    first = (0,) * len(variables)
    heap = [(-probability(first), first, 0)]
    while heap:
        negative, indices, last = heapq.heappop(heap)
        tokens: dict[Spot, str] = {}
        for variable, index in zip(variables, indices, strict=True):
            tokens.update(variable[index][0])
        yield tokens, -negative
        for place in range(last, len(variables)):
            if indices[place] + 1 < len(variables[place]):
                after = (*indices[:place], indices[place] + 1, *indices[place + 1 :])
                heapq.heappush(heap, (-probability(after), after, place))


def _explore(
    game: Game[P, S], reading: Reading[P], variables: Sequence[_Variable], allowance: Allowance
) -> tuple[list[_Fit[P, S]], float]:
    """The puzzles that were tried, and the probability mass that was not examined."""
    fits: list[_Fit[P, S]] = []
    likely: list[_Fit[P, S]] = []
    """Those with any weight: most have none, and hundreds of shares are computed again and again."""
    best: _Fit[P, S] | None = None
    met: set[P] = set()
    rest = 1.0
    for count, (tokens, probability) in enumerate(_assignments(variables)):
        left = allowance.left
        if len(fits) >= MOST_ASSIGNMENTS or count >= MOST_TRIED or left <= 0:
            break
        rest = max(rest - probability, 0.0)
        try:
            puzzle = game.replace(reading.puzzle, tokens)
        except PuzzleError:
            continue
        if puzzle in met:  # a cell deviating towards the token of its own cluster
            continue
        met.add(puzzle)
        if game.faults(puzzle):
            continue
        outcome = game.solve(puzzle, time_limit=left, most=2)
        low, high = _weight(game, outcome)
        fit = _Fit(tokens, puzzle, outcome, probability * low, probability * high)
        fits.append(fit)
        if fit.high:
            likely.append(fit)
        if best is None or fit.low > best.low:
            best = fit
        if _share(likely, rest, best.puzzle) >= ENOUGH:
            break
    return fits, rest


def _weight(game: Game[P, S], outcome: Outcome[S]) -> tuple[float, float]:
    """Bounds of the likelihood of a puzzle with this outcome."""
    if outcome.status == "no-solution":
        return 0.0, 0.0
    if outcome.status == "timeout":
        return 0.0, 1.0
    if not game.promises_one_solution or outcome.unique:
        return 1.0, 1.0
    return SEVERAL, SEVERAL if outcome.unique is False else 1.0


def _share(fits: Sequence[_Fit[P, S]], rest: float, puzzle: P) -> float:
    """The least posterior probability of ``puzzle``: everything unknown is counted against it."""
    own = sum(fit.low for fit in fits if fit.puzzle == puzzle)
    against = sum(fit.high for fit in fits if fit.puzzle != puzzle) + rest
    return own / (own + against) if own else 0.0


def _judge(game: Game[P, S], reading: Reading[P], fits: Sequence[_Fit[P, S]], rest: float) -> Settled[P, S]:
    best = max(fits, key=lambda fit: fit.low, default=None)
    if best is None or not best.low:
        which = "possibilities" if rest < 1 - ENOUGH else "most probable possibilities"
        why = (
            "the time ran out before a level with a solution was found"
            if any(fit.high for fit in fits)
            else f"none of the {which} gives a level with a solution"
        )
        doubts = tuple(Doubt(d.cells, tuple(_normal(d.candidates))) for d in reading.doubts)
        return Settled(reading.puzzle, False, None, {}, doubts, f"{_name(doubts)}; {why}", 0.0)
    share = _share(fits, rest, best.puzzle)
    top = {cell: _normal(doubt.candidates)[0][0] for doubt in reading.doubts for cell in doubt.cells}
    changed = {cell: token for cell, token in best.tokens.items() if top[cell] != token}
    if share >= ENOUGH:
        return Settled(best.puzzle, True, best.outcome, changed, confidence=share)
    solution = best.outcome.solution if best.outcome else None
    alike = sum(f.low for f in fits if f.outcome and f.outcome.solution == solution)
    other = sum(f.high for f in fits if not (f.outcome and f.outcome.solution == solution)) + rest
    doubts = _open(reading.doubts, fits)
    return Settled(
        best.puzzle,
        False,
        best.outcome,
        changed,
        doubts,
        f"{_name(doubts)}; more than one of the possibilities gives a level with a solution",
        share,
        alike / (alike + other) >= ENOUGH,
    )


def _open(doubts: Sequence[Doubt], fits: Sequence[_Fit[P, S]]) -> tuple[Doubt, ...]:
    """The remaining doubts, each candidate with its posterior probability. A cluster that the fits split is returned as
    single cells."""
    left: list[Doubt] = []
    for doubt in doubts:
        together = all(len({fit.tokens[cell] for cell in doubt.cells}) == 1 for fit in fits if fit.low)
        for cells in [doubt.cells] if together else [(cell,) for cell in doubt.cells]:
            mass: dict[str, float] = {}
            for fit in fits:
                mass[fit.tokens[cells[0]]] = mass.get(fit.tokens[cells[0]], 0.0) + fit.low
            total = sum(mass.values())
            ranked = sorted(((t, m / total) for t, m in mass.items() if m > 0), key=lambda pair: -pair[1])
            if len(ranked) > 1:
                left.append(Doubt(cells, tuple(ranked)))
    # Where the fits agree on every cell but too much was not examined, everything that was in doubt stays so.
    return tuple(left) or tuple(Doubt(d.cells, tuple(_normal(d.candidates))) for d in doubts)


def _name(doubts: Sequence[Doubt]) -> str:
    """``cell (2, 3) may be 7 (60 %) or 1 (40 %)``, or ``a number in cell (2, 3) may …``, for the first few."""
    said = []
    for doubt in doubts[:NAMED_DOUBTS]:
        named = list(dict.fromkeys(spot[:2] for spot in doubt.cells))
        cells = ", ".join(map(str, named[:NAMED_DOUBTS]))
        more = f" and {len(named) - NAMED_DOUBTS} more" if len(named) > NAMED_DOUBTS else ""
        where = f"cell{'s' if len(named) > 1 else ''} {cells}{more}"
        if len(doubt.cells[0]) > 2:
            where = f"one and the same number in {where}" if len(doubt.cells) > 1 else f"a number in {where}"
        what = " or ".join(f"{token or 'nothing'} ({p:.0%})" for token, p in doubt.candidates[:NAMED_DOUBTS])
        said.append(f"{where} may be {what}")
    if len(doubts) > NAMED_DOUBTS:
        said.append(f"{len(doubts) - NAMED_DOUBTS} more are in doubt")
    return "; ".join(said)
