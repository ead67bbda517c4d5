"""Turns a solution into gestures, and measures in a later picture how far the board has come (``drawn`` finds the
chains in the picture)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Literal, cast

from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.core.gestures import Click, Drag, Gesture, Keys
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.cardinal_chains.playing import cursor, letters
from autoplayer.games.cardinal_chains.playing.drawn import Drawn, in_cells, neighbours
from autoplayer.games.cardinal_chains.playing.drawn_text import in_characters
from autoplayer.games.cardinal_chains.playing.presence import other_ground
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution
from autoplayer.layout import CLICK, NUMBER, KeyTable, Layout

FOREIGN = 0.1
"""The share of the cells that may hold something unexplained (a hint, a hand) before the picture counts as another
board."""


Kind = Literal["drag", "click", "keys"]
KINDS: tuple[Kind, ...] = ("drag", "click", "keys")
WORDS: Mapping[Kind, str] = {"drag": "a drag", "click": "clicks", "keys": "keys"}

WAYS = 4
"""How many ways there are in which a chain is drawn by drags, and by clicks; one more by clicks is to choose the chain
by its number key first."""

KEY_WAYS = 2
"""How many there are by keys, beside one for each chain that may be the active one."""

TRIALS: tuple[tuple[Kind, int], ...] = (("drag", 0), ("click", 0), ("drag", 3), ("click", 2), ("drag", 1), ("keys", 0))
"""What is tried while the controls are not known, the kind and the way; after it, keys for one chain after the other.
Dragging is tried again, more slowly each time: some windows lose fast events."""


FEW = 4
"""The largest number of clicks of a trial: whether a window understands them shows in the first cells, and a long chain
takes a quarter of a minute at the slowest pace."""


CURSOR = "cursor"
"""The key under which a reading keeps what was discovered about a cursor that keys move: a :class:`cursor.Board`."""

TRIED = "tried"
"""The key under which a reading keeps, as ``kind``, the controls that were tried last, at which ``attempt`` and with
how many cells ``held`` by chains, how many of them the ``right`` ones, and as ``answers`` the controls after which
there were more right ones, or more that hang together with their starts: the window understands them, though these may
not be the intended cells if it lost some events. A drag over a page may select text instead, which looks as if chains
held some numbers' cells, here and there."""


# --- how far a picture has come --------------------------------------------------------------------------------------


def progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """How many cells are held by the right chain, without a gap from its start, of all cells but the starts; ``wrong``:
    other cells that a chain holds (also its own cells, if the way to them is not drawn yet)."""
    total = len(puzzle.cells) - len(puzzle.starts)
    if image.shape != reading.image.shape:
        return Progress(False, 0, total, 0)
    if image is reading.image and not (reading.extra.get("drawn") or reading.extra.get("lines")):
        # Nothing has changed since itself; the first press is not delayed.
        return Progress(True, 0, total, 0, Drawn({}, picture=image))
    see = in_characters if reading.extra.get("text") else in_cells
    found = replace(see(reading, puzzle, solution, image), picture=image)
    done = sum(_Chain(index, chain, found.owner).length - 1 for index, chain in enumerate(solution))
    present = len(found.foreign) <= FOREIGN * len(puzzle.cells) and not other_ground(reading, image)
    return Progress(present, done, total, len(found.owner) - done, found)


# --- what to do next -------------------------------------------------------------------------------------------------


def plan(
    reading: Reading[Puzzle],
    puzzle: Puzzle,
    solution: Solution,
    progress: Progress,
    layout: Layout,
    attempt: int = 0,
) -> list[Move]:
    """One move per chain, each legal on the board as it is when its turn comes; empty when all chains are drawn, and
    when every way was tried in vain.

    Raises UsageError if the layout names controls that Cardinal Chains does not have.
    """
    if layout.controls not in ("unknown", *KINDS):
        raise UsageError(
            f"Cardinal Chains is played by {', '.join(KINDS)}, not by '{layout.controls}': change the layout"
        )
    owner: Mapping[Cell, int] = progress.state.owner if isinstance(progress.state, Drawn) else {}
    chains = [_Chain(index, chain, owner) for index, chain in enumerate(solution)]
    known = None if layout.controls == "unknown" else cast(Kind, layout.controls)
    typed = bool(reading.extra.get("text")) and layout.keys == KeyTable()
    if typed and known in (None, "keys"):  # nothing else reaches what runs in a terminal, as a rule
        moves, ways = _plan_letters(chains, len(owner), reading, attempt)
        if attempt < ways or not ways:
            return moves if known else [replace(move, controls="keys") for move in moves]
        attempt -= ways
    extra = cast(MutableMapping[str, Any], reading.extra)
    board: cursor.Board = extra.setdefault(CURSOR, cursor.Board())
    _look(board, reading, progress)
    if board.proven or (layout.keys.take and known == "keys"):
        return _plan_cursor(board, chains, reading, progress, layout.keys)
    laid: letters.Laid = extra.setdefault(letters.NOTED_LAID, letters.Laid())
    laid.note(owner, [chain.wanted[0] for chain in chains])
    asked = attempt
    if laid.steps:
        known, attempt = "keys", attempt - (laid.since if attempt >= laid.since else 0)
    noted = extra.setdefault(TRIED, {})
    right = sum(chain.length - 1 for chain in chains)
    more = len(owner) > noted.get("held", 0) and all(chain.hangs_together() for chain in chains)
    if noted.get("kind") in ("drag", "click") and (right > noted["right"] or more):
        noted["answers"] = noted["kind"]
    if known is None:
        known = noted.get("answers")
    # The mouse selects what runs in a terminal, which then looks like a chain.
    terminal = typed and reading.extra["text"].typed
    choosing: letters.Choosing = extra.setdefault(letters.NOTED_CHOOSING, letters.Choosing())
    choosing.note(owner)
    table = layout.keys.model_copy(update={"next_chain": choosing.instead(layout.keys.next_chain)})
    choice = _choose(chains, laid, table, known, attempt, mouse=not terminal)
    if choice is None:
        return [] if terminal else _plan_cursor(board, chains, reading, progress, layout.keys)
    kind, way, tried, keys = choice
    if attempt >= noted.get("attempt", 0) or len(owner) != noted["held"]:
        noted |= {"kind": kind, "attempt": attempt, "held": len(owner), "right": right}
    if kind == "keys":
        if table != layout.keys:
            keys = {"next_chain": table.next_chain, **keys}
        table = table.model_copy(update=keys)
        moves = _plan_keys(chains, owner, table, way, reading.places)
        if keys and moves:
            laid.press(cast(Keys, moves[0].gestures[-1]).keys[-1], owner, asked)
        if moves and owner and not any(chain.held and not chain.complete for chain in chains):
            choosing.press(table.next_chain)
    else:
        moves = _plan_mouse(kind, chains, reading.places, way, by_number="next_chain" in keys)
    if kind == layout.controls and not keys:
        return moves
    if kind == "click" and tried and moves:
        moves[0] = replace(moves[0], gestures=moves[0].gestures[:FEW], cells=moves[0].cells[: FEW - 1])
    if tried and moves:
        moves[0] = replace(moves[0], name=f"{moves[0].name}, by {WORDS[kind]}, try {tried + 1}")
    return [replace(move, controls=kind, keys=keys) for move in moves]


def _choose(
    chains: Sequence[_Chain], laid: letters.Laid, table: KeyTable, known: Kind | None, attempt: int, *, mouse: bool
) -> tuple[Kind, int, int, Mapping[str, str]] | None:
    """What to do at try number ``attempt`` where the controls are ``known``, or None: the kind, the way of that kind,
    which trial of other controls it is, and the keys by their names in the layout; None if all was tried. ``mouse``:
    whether it may be used."""
    own = {None: 0, "keys": len(chains) + KEY_WAYS, "click": WAYS + 1}.get(known, WAYS)
    keys = laid.keys()
    if known is not None and attempt < own:
        kind, way, tried = known, attempt, 0
        if known == "click" and table.next_chain == NUMBER:
            way = (attempt - 1) % own  # the way by number keys first
    else:  # the layout may speak of another window
        trials: list[tuple[Kind, int, Mapping[str, str]]] = [(kind, way, {}) for kind, way in TRIALS if kind != known]
        trials += [("keys", way, {}) for way in range(1, len(chains) + 1) if known != "keys"]
        trials += [("click", WAYS, {})] if known != "click" else []
        of_keys: list[tuple[Kind, int, Mapping[str, str]]] = [
            ("keys", way, other) for way, other in _other_keys(chains, laid, table)
        ]
        trials = of_keys + trials if known == "keys" else trials + of_keys
        if not mouse:
            trials = [trial for trial in trials if trial[0] == "keys" and CLICK not in trial[2].values()]
        tried = attempt - own
        if tried >= len(trials):
            return None
        kind, way, other = trials[tried]
        keys |= other
        if kind == "keys" and way and not other and any(chain.held and not chain.complete for chain in chains):
            way -= 1  # the last try moved another chain: that one is the active one
    if kind == "click" and way == WAYS:
        return kind, 1, tried, {"next_chain": NUMBER}
    return kind, way, tried, keys if kind == "keys" else {}


def _plan_cursor(
    board: cursor.Board, chains: Sequence[_Chain], reading: Reading[Puzzle], progress: Progress, keys: KeyTable
) -> list[Move]:
    """The next press where keys move a cursor, and a word for what is left after it; empty if all ways were tried in
    vain."""
    if board.begin(keys):
        _look(board, reading, progress)
    paths = [chain.rest for chain in chains if len(chain.rest) > 1]
    press = board.next(reading.places, paths)
    if press is None:
        return []
    move = Move(press.name, (Keys(press.keys),), press.draws, "keys", board.found if press.draws else {})
    last = sum(len(path) - 1 for path in paths) == len(press.draws)
    return [move] if last else [move, Move("then go on with the cursor", (), (), "keys")]


def _look(board: cursor.Board, reading: Reading[Puzzle], progress: Progress) -> None:
    state = progress.state
    if isinstance(state, Drawn) and state.picture is not None:
        board.look(reading.places, state, (state.picture, frozenset(state.owner)))


def _other_keys(chains: Sequence[_Chain], laid: letters.Laid, keys: KeyTable) -> list[tuple[int, Mapping[str, str]]]:
    """What else to try by keys, each with the attempt number for :func:`_plan_keys` and the keys by their names in the
    layout: first groups of letters used together for moving, while no key is known to extend a chain; then keys that
    may select another chain, tried between two chains."""
    if any(chain.held and not chain.complete for chain in chains):
        return []
    if any(chain.held for chain in chains):
        used = {keys.up, keys.down, keys.left, keys.right, keys.next_chain, keys.reset, *laid.keys().values()}
        choosing = [key for key in letters.CHOOSING if key not in used]
        others: list[tuple[int, Mapping[str, str]]] = [(1, {"next_chain": CLICK})] if CLICK not in used else []
        if NUMBER not in used and len(chains) < 10:
            others.append((1, {"next_chain": NUMBER}))
        return others + [(1, {"next_chain": key}) for key in choosing for _ in range(max(len(chains) - 1, 1))]
    waiting = next((chain for chain in chains if not chain.complete), None)
    if laid.steps or waiting is None:
        return []
    families = [(0, dict(zip(letters.NAMES, family, strict=True))) for family in letters.apart(*waiting.rest[:2])]
    clicked = [(way, {**keys, "next_chain": CLICK}) for way, keys in [(0, {}), *families]]
    return [clicked[0], *families, *clicked[1:]]


class _Chain:
    """A wanted chain, and what is drawn of it."""

    def __init__(self, index: int, wanted: tuple[Cell, ...], owner: Mapping[Cell, int]) -> None:
        self.index = index
        self.wanted = wanted
        self.held = {cell for cell, who in owner.items() if who == index}
        self.length = 1
        while self.length < len(wanted) and wanted[self.length] in self.held:
            self.length += 1
        self.wrong = len(self.held) >= self.length
        """Whether it holds cells that are not the wanted chain's beginning."""

    @property
    def complete(self) -> bool:
        return self.length == len(self.wanted) and not self.wrong

    def hangs_together(self) -> bool:
        """Whether all the cells that it holds are joined to its start by others that it holds."""
        reached, todo = set(self.wanted[:1]), list(self.wanted[:1])
        while todo:
            near = self.held.intersection(neighbours(todo.pop())) - reached
            reached |= near
            todo += near
        return self.held <= reached

    @property
    def rest(self) -> tuple[Cell, ...]:
        """What is still to be drawn, from the last correctly drawn cell on."""
        return self.wanted[self.length - 1 :]


def _plan_mouse(
    kind: Kind, chains: Sequence[_Chain], places: Mapping[Cell, Box], attempt: int, *, by_number: bool = False
) -> list[Move]:
    """``by_number``: whether the number key of its chain is pressed before each move."""
    moves: list[Move] = []
    held = {chain.index: set(chain.held) for chain in chains}
    waiting = [chain for chain in chains if not chain.complete]
    while waiting:
        # A drag across another chain steals its cells, or is refused. Only a wrong chain can lie in the way; its own
        # drag begins with a press that cuts off what is wrong, so chains with a free way go first.
        free = next((c for c in waiting if not any(set(c.rest) & held[o.index] for o in chains if o is not c)), None)
        if free is None:
            way = set(waiting[0].rest)
            other = next(o for o in chains if o is not waiting[0] and way & held[o.index])
            cut = (*_number(other, by_number), *_cut(other, places, attempt))
            moves.append(Move(f"cut chain {other.index + 1}", cut, tuple(held[other.index])))
            held[other.index] = set(other.wanted[1 : other.length])
        else:
            draw = _draw if kind == "drag" else _point
            gestures, cells = draw(free, places, attempt)
            moves.append(Move(f"draw chain {free.index + 1}", (*_number(free, by_number), *gestures), cells))
            held[free.index] = set(free.wanted[1:])
            waiting.remove(free)
        attempt = int(by_number)  # the other ways are for the move that comes first
    return moves


def _number(chain: _Chain, by_number: bool) -> tuple[Keys, ...]:
    return (Keys((str(chain.index + 1),)),) if by_number and chain.index < 9 else ()


def _draw(chain: _Chain, places: Mapping[Cell, Box], attempt: int) -> tuple[tuple[Gesture, ...], tuple[Cell, ...]]:
    """The gestures that draw the missing cells of a chain, and the cells that they change.

    The attempts, in order: a drag from the last correct cell through all the others (a press there continues the chain,
    or cuts off what is wrong behind it); a shorter drag, because in a window that drops mouse events a long one goes
    wrong where the chain turns back beside itself; a press on the start, which clears the chain, and one step from
    there; pulling the chain back, for windows in which a press does not clear it.
    """
    start = Click(places[chain.wanted[0]].centre)
    if len(chain.rest) == 1:  # nothing is missing, something is too much
        return _cut(chain, places, attempt), ()
    if attempt % 4 == 0:
        return (_along(chain.rest, places),), chain.rest[1:]
    if attempt % 4 == 1:
        half = chain.rest[: len(chain.rest) // 2 + 1]
        return (_along(half, places),), half[1:]
    if attempt % 4 == 2:
        return (start, _along(chain.wanted[:2], places)), chain.wanted[1:2]
    return (*(_pull(chain, places) if chain.held else (start,)), _along(chain.wanted, places)), chain.wanted[1:]


def _point(chain: _Chain, places: Mapping[Cell, Box], attempt: int) -> tuple[tuple[Gesture, ...], tuple[Cell, ...]]:
    """As :func:`_draw`, by clicks on cell after cell. The first click, on the last correct cell, selects the chain. If
    the chain is selected already, this click deselects it: so the next attempt leaves it out. Further attempts begin at
    the start, where a click also selects the chain, and may clear it; then they go step by step."""
    if len(chain.rest) == 1:
        return _cut(chain, places, attempt), ()
    paths = chain.rest, chain.rest[1:], chain.wanted, chain.rest[:2]
    path = paths[attempt % len(paths)]
    return tuple(Click(places[cell].centre) for cell in path), chain.rest[1:]


def _along(path: Sequence[Cell], places: Mapping[Cell, Box]) -> Drag:
    return Drag(tuple(places[cell].centre for cell in path))


def _cut(chain: _Chain, places: Mapping[Cell, Box], attempt: int) -> tuple[Gesture, ...]:
    """Remove wrong cells from a chain: by a press on its last correct cell, by a press on its start, by pulling it
    back, or by the right button on one cell after the other, from the end."""
    if attempt % 4 == 2:
        return _pull(chain, places)
    if attempt % 4 == 3:
        path = _walk(chain.wanted[0], chain.held)
        return tuple(Click(places[cell].centre, "right") for cell in path[:0:-1][: len(path) - chain.length])
    return (Click(places[chain.wanted[0 if attempt % 4 else chain.length - 1]].centre),)


def _pull(chain: _Chain, places: Mapping[Cell, Box]) -> tuple[Gesture, ...]:
    """Drag a chain back from its end to its start."""
    return (_along(_walk(chain.wanted[0], chain.held)[::-1], places),)


def _walk(start: Cell, held: set[Cell]) -> list[Cell]:
    """A path from ``start`` through as many cells of ``held`` as possible without turning back: the course of the
    chain, unless it touches itself."""
    path, left = [start], set(held)
    while True:
        near = [cell for cell in neighbours(path[-1]) if cell in left]
        if not near:
            return path
        # The neighbour with the fewest exits comes first: it would be cut off otherwise.
        step = min(near, key=lambda cell: sum(n in left for n in neighbours(cell)))
        path.append(step)
        left.discard(step)


# --- by keys ---------------------------------------------------------------------------------------------------------


def _plan_keys(
    chains: Sequence[_Chain], owner: Mapping[Cell, int], keys: KeyTable, attempt: int, places: Mapping[Cell, Box]
) -> list[Move]:
    """Which chain the keys move is not read from the picture but inferred: the chain that grows is the active one.

    A chain that is begun and not finished was moved last, so it is taken for the active one; so is one that grew where
    it should not have: it is pulled back by the opposite keys and drawn on. If nothing grows, each further attempt
    continues with the next chain. Once chains are finished, the last of them in the windows' own order (the order of
    the starts) is taken for the active one. A board on which several chains are half drawn does not tell which is
    active, and keys meant for one could spoil another: it is reset.

    Later moves are planned again after the first. They are listed all the same, so that the first move is not taken for
    the last one, and its result (an empty board, after a reset) not for the next level.
    """
    key = partial(_key, keys)
    unfinished = [chain for chain in chains if not chain.complete]
    if not unfinished:
        return []
    begun = [chain for chain in unfinished if chain.held]
    drawn = [k for k, chain in enumerate(chains) if chain.length > 1]
    back: list[str] = []
    if begun:
        chain, tabs = begun[0], 0
        if len(begun) > 1 or attempt >= max(len(chains), 2):
            left = [(one, one.rest) for one in unfinished]
            return [Move("reset the board", (Keys((keys.reset,)),), tuple(owner)), *_afterwards(left, key)]
        path = _walk(chain.wanted[0], chain.held)
        back = [key(b, a) for a, b in pairwise(path)][chain.length - 1 :][::-1]
    elif drawn:
        last = next(k for k in drawn if not chains[(k + 1) % len(chains)].complete or k == drawn[-1])
        tabs = next(k for k in range(1, len(chains) + 1) if not chains[(last + k) % len(chains)].complete)
        chain = chains[(last + tabs) % len(chains)]
    else:
        chain, tabs = unfinished[0], 0
    if attempt:
        tabs = 1
    steps = [key(a, b) for a, b in pairwise(chain.rest)]
    # Until a chain is seen to grow, one step is enough to learn which one is active, and the least to take back.
    sent = steps if begun and not attempt else steps[:1]
    # Each chain may be the active one, so attempts are counted per chain until all have had their turn.
    name = f"draw chain {chain.index + 1}" + (f", try {attempt + 1}" if 0 < attempt < len(chains) else "")
    # Number keys select a chain directly, and selecting it again does no harm.
    choosing = (str(chain.index + 1),) if keys.next_chain == NUMBER else (keys.next_chain,) * tabs
    clicked: tuple[Gesture, ...] = ()
    if keys.next_chain == CLICK:  # what is wrong behind the last right cell is not cut off by it
        choosing = ()
        clicked = (Click(places[chain.rest[0]].centre),) if not back and (tabs or not begun) else ()
    move = Move(name, (*clicked, Keys((*choosing, *back, *sent))), chain.rest[1 : 1 + len(sent)])
    left = [(chain, chain.rest[len(sent) :]), *((one, one.rest) for one in unfinished if one is not chain)]
    return [move, *_afterwards(left, key)]


def _plan_letters(
    chains: Sequence[_Chain], held: int, reading: Reading[Puzzle], attempt: int
) -> tuple[list[Move], int]:
    """As :func:`_plan_keys`, in a window whose letter keys are unknown; and how many alternatives there are for the
    next step. ``held``: how many cells chains hold."""
    unfinished = [chain for chain in chains if not chain.complete]
    if not unfinished:
        return [], 0
    begun = [chain for chain in unfinished if chain.held]
    drawn = [k for k, chain in enumerate(chains) if chain.complete and chain.held]
    if begun:
        chain, turn = begun[0], letters.Turn.OWN
    elif drawn:
        last = next(k for k in drawn if not chains[(k + 1) % len(chains)].complete or k == drawn[-1])
        following = (chains[(last + k) % len(chains)] for k in range(1, len(chains) + 1))
        chain, turn = next(one for one in following if not one.complete), letters.Turn.OTHER
    else:
        chain, turn = unfinished[0], letters.Turn.UNKNOWN
    found = cast(MutableMapping[str, letters.Found], reading.extra).setdefault(letters.NOTED, letters.Found())
    found.note(held)
    waiting = [one for one in unfinished if one is not chain]
    if chain.wrong:
        options, path, name = letters.back(), chain.wanted[:1], f"take back chain {chain.index + 1}"
    else:
        options, path, name = found.options(chain.rest, turn, len(chains)), chain.rest, f"draw chain {chain.index + 1}"
    if attempt >= len(options):
        return [], len(options)
    keys, sent = found.pressed(options[attempt], path, held, attempt)
    first = Move(f"{name}, try {attempt + 1}" if attempt else name, (Keys(keys),), path[1 : 1 + sent])
    left = [(chain, chain.rest if chain.wrong else chain.rest[sent:]), *((one, one.rest) for one in waiting)]
    return [first, *_afterwards(left, found.guess)], len(options)


def _afterwards(paths: Iterable[tuple[_Chain, Sequence[Cell]]], key: Callable[[Cell, Cell], str]) -> list[Move]:
    """The moves by keys that draw these paths, the missing rest of each chain, once it is the active one; ``key`` gives
    the key from a cell to its neighbour."""
    return [
        Move(
            f"then draw chain {chain.index + 1}", (Keys(tuple(key(*step) for step in pairwise(path))),), tuple(path[1:])
        )
        for chain, path in paths
        if len(path) > 1
    ]


def _key(keys: KeyTable, a: Cell, b: Cell) -> str:
    """The key that moves a chain's end from ``a`` to its neighbour ``b``."""
    return {(-1, 0): keys.up, (1, 0): keys.down, (0, -1): keys.left, (0, 1): keys.right}[b[0] - a[0], b[1] - a[1]]
