"""The named deductions of Hashi, for explanations and hints: small arguments, each true of every solution.

Every bridge has a least and a most number of links. A rule looks at them and names bridges that must carry more, or
can carry less, than was known. Only the last rule assumes something, about one bridge, and follows it a few islands
far. Whether the rules suffice depends on the board. The complete search is in ``solver.py`` and shares nothing with
this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from autoplayer.core.frame import Cell
from autoplayer.games.base import Deduction
from autoplayer.games.deducing import Contradiction, exhaust, told
from autoplayer.games.hashi.puzzle import MOST_LINKS, Puzzle, parse
from autoplayer.games.hashi.state import Finding, State, links, name, names
from autoplayer.games.hashi.trial import Trial

Rule = Callable[[State], Iterator[Finding]]


def fires(rule: Rule, board: str, after: Sequence[Rule] = ()) -> list[str]:
    """What a rule says on a board (rows parted by ``/``) once the rules in ``after`` have said all they can."""
    state = State(parse(board.replace("/", "\n")))
    list(exhaust(state, after))
    return [finding.text for finding in rule(state)]


def finished_island(state: State) -> Iterator[Finding]:
    """An island that has all its links takes no further ones.

    >>> fires(finished_island, "1.2.3/...../....2", after=[small_island, sure_links])[1:]
    ['(0, 4) has its 3 links, so nothing further leads to (0, 2).']
    """
    for island, number in state.puzzle.islands.items():
        free = state.open(island)
        if free and state.missing(island) == 0:
            others = [state.other(k, island) for k in free]
            text = f"{name(island)} has its {links(number)}, so nothing further leads to {names(others)}."
            yield Finding(text, (island, *others), tuple((k, 0, state.least[k]) for k in free))


def crossing(state: State) -> Iterator[Finding]:
    """A bridge that stands leaves no way across it.

    >>> fires(crossing, "2.2./.1.1/2.2.", after=[sure_links])
    ['The bridge between (1, 1) and (1, 3) stands, so nothing crosses it: not (0, 2) to (2, 2).']
    """
    for k, (a, b) in enumerate(state.puzzle.bridges):
        if state.least[k]:
            across = [j for j in state.puzzle.crossings[k] if state.most[j]]
            if across:
                ends = [end for j in across for end in state.puzzle.bridges[j]]
                parted = "; ".join(f"{name(c)} to {name(d)}" for c, d in (state.puzzle.bridges[j] for j in across))
                text = f"The bridge between {name(a)} and {name(b)} stands, so nothing crosses it: not {parted}."
                yield Finding(text, (a, b, *ends), tuple((j, 0, 0) for j in across))


def small_island(state: State) -> Iterator[Finding]:
    """No bridge carries more than the island at either end still needs.

    >>> fires(small_island, "1.3.2")[0]
    '(0, 0) needs 1 link, so the bridge to (0, 2) carries no second one.'
    """
    for island, number in state.puzzle.islands.items():
        if state.missing(island) == 1:
            needs = "1 link" if number == 1 else "1 further link"
            for k in state.open(island):
                if state.most[k] - state.least[k] > 1:
                    other = state.other(k, island)
                    text = f"{name(island)} needs {needs}, so the bridge to {name(other)} carries no second one."
                    yield Finding(text, (island, other), ((k, 0, state.least[k] + 1),))


def sure_links(state: State) -> Iterator[Finding]:
    """What an island needs beyond what its other neighbours can take goes to this one.

    Where N is what the island still needs, S the most that its neighbours can take together and p the most that this
    one can take, N − S + p links towards it are sure (published so).

    >>> fires(sure_links, "3.2/.../1..")[0]
    '(0, 0) needs 3 links and its neighbours can take 3: 2 links to (0, 2) and 1 link to (2, 0) are sure.'
    """
    for island in state.puzzle.islands:
        missing = state.missing(island)
        if not missing:
            continue
        takes = {k: state.takes(k, island) for k in state.open(island)}
        every = sum(takes.values())
        if every < missing:
            reason = f"{name(island)} still needs {links(missing)}, and its neighbours can take {every}"
            raise Contradiction(reason, (island, *(state.other(k, island) for k in takes)))
        sure = {k: missing - every + most for k, most in takes.items() if missing - every + most > 0}
        if sure:
            more = "further " if missing < state.puzzle.islands[island] else ""
            needs = f"{missing} {more}link{'s' * (missing != 1)}"
            parts = [f"{links(count)} to {name(state.other(k, island))}" for k, count in sure.items()]
            said = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
            are = "is" if list(sure.values()) == [1] else "are"
            text = f"{name(island)} needs {needs} and its neighbours can take {every}: {said} {are} sure."
            cells = (island, *(state.other(k, island) for k in sure))
            yield Finding(text, cells, tuple((k, state.least[k] + count, MOST_LINKS) for k, count in sure.items()))


def two_equals(state: State) -> Iterator[Finding]:
    """Two 1s joined, or two 2s joined twice, would be cut off from all other islands.

    >>> for text in fires(two_equals, "1.1/.../2.2"):
    ...     print(text)
    (0, 0) and (0, 2) are both 1: joined by 1 link, nothing could lead to the other islands.
    (2, 0) and (2, 2) are both 2: joined by 2 links, nothing could lead to the other islands.
    """
    if len(state.puzzle.islands) > 2:
        for k, (a, b) in enumerate(state.puzzle.bridges):
            number = state.puzzle.islands[a]
            if number == state.puzzle.islands[b] and number <= MOST_LINKS and state.most[k] >= number:
                text = f"{name(a)} and {name(b)} are both {number}: joined by {links(number)}, nothing could lead to "
                yield Finding(text + "the other islands.", (a, b), ((k, 0, number - 1),))


def closed_group(state: State) -> Iterator[Finding]:
    """A bridge that takes the last links that a group of joined islands has left would cut it off from the rest.

    >>> fires(closed_group, "1.2.1/...../..2.2", after=[small_island, sure_links])[:1]
    ['1 link between (0, 2) and (0, 4) would leave (0, 0), (0, 2) and (0, 4) without a way to the other islands.']
    """
    slack = {number: state.slack(number) for number in state.groups}
    for number, left in slack.items():
        if left == 0 and len(state.groups) > 1:
            reason = f"{names(state.groups[number])} need no further links and are not joined to the other islands"
            raise Contradiction(reason, state.groups[number])
    for k, (a, b) in enumerate(state.puzzle.bridges):
        more = state.most[k] - state.least[k]
        one, two = state.group[a], state.group[b]
        both = {one, two}
        if more and sum(slack[number] for number in both) == 2 * more and len(state.groups) > len(both):
            islands = [island for number in sorted(both) for island in state.groups[number]]
            further = "further " * bool(state.least[k])
            text = (
                f"{more} {further}link{'s' * (more != 1)} between {name(a)} and {name(b)} would leave {names(islands)} "
            )
            yield Finding(text + "without a way to the other islands.", (a, b), ((k, 0, state.most[k] - 1),))


def cut_off(state: State) -> Iterator[Finding]:
    """Of all ways in which an island can spend what it needs, those that cut it off from the rest do not count; what
    the others have in common is sure.

    The island must be the only one of its group that needs something. A way cuts it off where it uses up all that the
    groups which it leads to have left.

    >>> fires(cut_off, "1.2.1/...../..3.2")
    ['(0, 2) can spend 2 links in 4 ways, of which 1 would cut it off: so 1 link at least leads to (2, 2).']
    """
    for island in state.puzzle.islands:
        missing = state.missing(island)
        own = state.group[island]
        if not missing or state.slack(own) != missing:
            continue
        free = state.open(island)
        takes = [range(state.takes(k, island) + 1) for k in free]
        ways = [counts for counts in product(*takes) if sum(counts) == missing]
        through = [way for way in ways if not _closes(state, own, island, dict(zip(free, way, strict=True)))]
        if not ways or len(through) == len(ways):
            continue
        if not through:
            raise Contradiction(f"{name(island)} is cut off however it spends {links(missing)}", [island])
        bounds, said, cells = [], [], [island]
        for at, k in enumerate(free):
            counts = [way[at] for way in through]
            least, most = state.least[k] + min(counts), state.least[k] + max(counts)
            if least > state.least[k] or max(counts) < max(way[at] for way in ways):
                bounds.append((k, least, most))
                other = state.other(k, island)
                cells.append(other)
                lead = f"lead{'s' * (least == 1 if least > state.least[k] else most == 1)} to {name(other)}"
                said.append(
                    f"{links(least)} at least {lead}"
                    if least > state.least[k]
                    else f"nothing leads to {name(other)}"
                    if not most
                    else f"{links(most)} at most {lead}"
                )
        if bounds:
            further = "further " * (missing < state.puzzle.islands[island])
            text = (
                f"{name(island)} can spend {missing} {further}link{'s' * (missing != 1)} in {len(ways)} ways, of which "
            )
            text += f"{len(ways) - len(through)} would cut it off: so {', '.join(said)}."
            yield Finding(text, tuple(cells), tuple(bounds))


def _closes(state: State, own: int, island: Cell, way: dict[int, int]) -> bool:
    """Whether these further links from ``island``, the only one of its group that needs any, leave the group without a
    way on, and do not join the whole board."""
    given: dict[int, int] = {}
    for k, count in way.items():
        if count:
            number = state.group[state.other(k, island)]
            given[number] = given.get(number, 0) + count
    if len(given.keys() | {own}) == len(state.groups):
        return False
    return all(state.slack(number) == count for number, count in given.items())


def only_way(state: State) -> Iterator[Finding]:
    """Where a single bridge is left between a part of the board and the rest, it stands; and whether it carries one
    link or two follows from the part's numbers, whose sum counts each link within it twice.

    >>> for text in fires(only_way, "3.2../...../4.4.2"):
    ...     print(text)
    Only the bridge between (2, 2) and (2, 4) leads to (2, 4), so it stands; the numbers there add up to 2, which is \
even, so it carries 2 links.
    """
    for k, part in _ways(state):
        a, b = state.puzzle.bridges[k]
        total = sum(state.puzzle.islands[island] for island in part)
        count = 2 - total % 2
        if state.least[k] == state.most[k] == count:
            continue
        if count > state.most[k]:
            reason = (
                f"only the bridge between {name(a)} and {name(b)} leads to {names(part)}; the numbers there add up "
            )
            raise Contradiction(
                reason + f"to {total}, which takes {links(count)}, and {state.most[k]} at most fits", part
            )
        text = (
            f"Only the bridge between {name(a)} and {name(b)} leads to {names(part)}, so it stands; the numbers there "
        )
        text += f"add up to {total}, which is {'odd' if total % 2 else 'even'}, so it carries {links(count)}."
        yield Finding(text, (a, b), ((k, count, count),))


def _ways(state: State) -> Iterator[tuple[int, list[Cell]]]:
    """Each bridge that alone holds two parts of the board together, with the islands of the smaller part. Raises
    Contradiction where the board has fallen apart.

    Found as Tarjan finds the bridges of a graph (1974): a depth-first tree in which no other way leads back above the
    island that was reached by it.
    """
    islands = list(state.puzzle.islands)
    order: dict[Cell, int] = {islands[0]: 0}
    low = {islands[0]: 0}
    reached = [islands[0]]
    found: list[tuple[int, list[Cell]]] = []
    path = [(islands[0], -1, iter(state.puzzle.at[islands[0]]))]
    while path:
        island, via, rest = path[-1]
        for k in rest:
            if k == via or not state.most[k]:
                continue
            other = state.other(k, island)
            if other in order:
                low[island] = min(low[island], order[other])
            else:
                order[other] = low[other] = len(reached)
                reached.append(other)
                path.append((other, k, iter(state.puzzle.at[other])))
                break
        else:
            path.pop()
            if path:
                above = path[-1][0]
                low[above] = min(low[above], low[island])
                if low[island] > order[above]:
                    found.append((via, reached[order[island] :]))
    if len(reached) < len(islands):
        part = min(reached, [island for island in islands if island not in order], key=len)
        raise Contradiction(f"no way is left from {names(part)} to the other islands", part)
    for k, part in sorted(found):
        inside = set(part)
        yield k, part if 2 * len(part) <= len(islands) else [island for island in islands if island not in inside]


LOOKS = (3, 6, 12, 24)
"""How many islands a trial looks at, the fewest first: the last is about as far as a person follows one."""


def what_if(state: State) -> Iterator[Finding]:
    """A number of links that soon leaves some island with too many or too few, or cuts some off, is not the bridge's.

    Only what counting shows is followed, over a few islands, and nothing else is assumed on the way. The shortest
    trials come first, and this rule comes last.

    >>> fires(what_if, "2...1/...../4.2.3/...../1.3.4", after=RULES[:-1])[1]
    'If no link joined (2, 0) and (4, 0), then (0, 0), (2, 0) and (2, 2) would have no way to the other islands: so a \
link does.'
    """
    slack = {number: state.slack(number) for number in state.groups}
    for looks in LOOKS:
        found = False
        for k, (least, most) in enumerate(zip(state.least, state.most, strict=True)):
            if least == most:
                continue
            a, b = state.puzzle.bridges[k]
            further = "further " * bool(least)
            none, some = f"no {further}link", f"a {further}link"
            for assumed, bounds, so, low, high in (
                (none, (least + 1, most), some, least, least),
                (some, (least, least), none, least + 1, most),
            ):
                reason = Trial(state, slack).reason(k, low, high, looks)
                if reason:
                    found = True
                    text = f"If {assumed} joined {name(a)} and {name(b)}, then {reason}: so {so} does."
                    yield Finding(text, (a, b), ((k, *bounds),))
                    break
        if found:
            return


RULES: tuple[Rule, ...] = (
    finished_island,
    crossing,
    small_island,
    sure_links,
    two_equals,
    closed_group,
    cut_off,
    only_way,
    what_if,
)
"""In the order in which they are tried: after each that told something new, from the first again."""


def explain(puzzle: Puzzle, time_limit: float = math.inf) -> list[Deduction]:
    """The named deductions in order; the last entry says how far they came.

    That entry's rule is ``read-off`` (the solution is found), ``contradiction`` (there is none), ``stuck`` (the rest
    is for the search) or ``out-of-time``. A board whose solution is found by deductions alone has no other.
    """
    return told(_deductions(puzzle), time_limit)


def _deductions(puzzle: Puzzle) -> Iterator[Deduction]:
    """Raises Contradiction."""
    state = State(puzzle)
    if (total := sum(puzzle.islands.values())) % 2:
        reason = f"the numbers add up to {total}, which is odd, and every link counts twice"
        raise Contradiction(reason, puzzle.islands)
    yield from exhaust(state, RULES)
    yield _last_entry(state)


def _last_entry(state: State) -> Deduction:
    """How far the deductions came. Raises Contradiction."""
    if not state.finished:
        unknown = [k for k in range(len(state.least)) if state.least[k] < state.most[k]]
        cells = tuple(sorted({end for k in unknown for end in state.puzzle.bridges[k]}))
        text = f"The deductions end here: {len(unknown)} of {len(state.least)} bridges are not known yet, and the "
        return Deduction("stuck", text + "search decides.", cells)
    for island, number in state.puzzle.islands.items():
        if state.missing(island):
            raise Contradiction(
                f"{name(island)} gets {links(number - state.missing(island))} and needs {number}", [island]
            )
    if len(state.groups) > 1:
        part = min(state.groups.values(), key=len)
        raise Contradiction(f"{names(part)} are not joined to the other islands", part)
    standing = sum(count > 0 for count in state.least)
    stand = f"{standing} bridge{'s' * (standing != 1)} stand{'s' * (standing == 1)}"
    text = f"The links of every bridge are known, and the solution is read off: {stand}, with "
    return Deduction("read-off", text + f"{links(sum(state.least))} in all.", tuple(state.puzzle.islands))
