"""Explains why a level has no plan: the key or the door that the figure cannot reach, and whether another arrangement
of the tiles would help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.games.continuity import solver
from autoplayer.games.continuity.routes import cheapest, routes
from autoplayer.games.continuity.world import BLANK, Board, World

SECONDS = 10.0
"""How long reasons are looked for."""


def faults(world: World) -> list[str]:
    """What makes a level unsolvable, in sentences; empty if nothing is found. Raises nothing."""
    deadline = Deadline(SECONDS)
    goals = dict(zip(world.key_names, world.keys, strict=True)) | {"the door": world.finish}
    alone = {name: replace(world, keys=(), key_names=(), finish=places) for name, places in goals.items()}
    found = [
        f"{name} cannot be reached, wherever the tiles lie: {_why(level)}"
        for name, level in alone.items()
        if _barred(level, deadline)
    ]
    if found:
        return found
    if _barred(world, deadline):
        return [f"each of {_list(list(goals))} can be reached, but there is no order that takes all: no way leads back"]
    if world.board is None:
        return []
    return list(_slid(world, world.board, alone, deadline))


def barred_keys(world: World) -> tuple[int, ...]:
    """Which of a world's keys the figure cannot reach, wherever the tiles lie; counted from 0."""
    deadline = Deadline(SECONDS)
    alone = [replace(world, keys=(), key_names=(), finish=places) for places in world.keys]
    return tuple(number for number, level in enumerate(alone) if _barred(level, deadline))


def _barred(level: World, deadline: Deadline) -> bool:
    """Whether no way leads to the end in any arrangement of the tiles; False if there is no time to find out."""
    try:
        return cheapest(routes(level, deadline)) is None
    except OutOfTime:
        return False


def _why(level: World) -> str:
    """What bars the way to the end of a level that no way leads to."""
    tiles = sorted({level.places[place][0] for place in level.finish})
    if not tiles:
        return "nothing that the figure can do in its tile touches it"
    names = " or ".join(f"tile {level.tiles[tile]}" for tile in tiles)
    found, stack = {level.start}, [level.start]
    while stack:
        place = stack.pop()
        near = {link.b for link in level.links_from.get(place, ())}
        near |= {crossing.b for crossing in level.crossings_from.get(place, ())}
        stack += near - found
        found |= near
    if any(level.places[place][0] in tiles for place in found):
        return f"the figure comes to {names}, but nothing that it can do there leads to it"
    return "no way of matching sides leads there"


def _slid(world: World, board: Board, alone: dict[str, World], deadline: Deadline) -> Iterator[str]:
    """What the reachable arrangements do not allow."""
    if solver.plan(world, deadline.left).status != "no-solution":
        return
    swapped = _swapped(board)
    other = None if swapped is None else solver.plan(replace(world, board=swapped), deadline.left).status
    help_ = {
        "solved": "it could if two of the tiles were exchanged, which no slides can do (parity)",
        "no-solution": "nor would it help to exchange two tiles first (parity)",
    }.get(other or "", "whether another arrangement would help is not known")
    blocked = [name for name, level in alone.items() if solver.plan(level, deadline.left).status == "no-solution"]
    if blocked:
        yield from (f"{name} cannot be reached: no arrangement that slides lead to opens a way" for name in blocked)
    else:
        yield f"each of {_list(list(alone))} can be reached, but no slides and walks take all of them"
    yield f"as the tiles lie it cannot be done; {help_}"


def _swapped(board: Board) -> Board | None:
    """The board with two tiles exchanged: the other parity class of arrangements; None if there are no two."""
    cells = list(board.cells)
    tiles = [at for at, tile in enumerate(cells) if tile != BLANK]
    if len(tiles) < 2:
        return None
    one, other = tiles[:2]
    cells[one], cells[other] = cells[other], cells[one]
    return replace(board, cells=tuple(cells))


def _list(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
