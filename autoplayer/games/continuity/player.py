"""A plan as gestures, as a person would note it down: the keys of its slides, walks and jumps. A window is played by
the pilot (``piloting/``), which watches it while holding keys; this module lists in advance what is to be done."""

from __future__ import annotations

from collections.abc import Iterator

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from autoplayer.core.gestures import Gesture, Hold, Keys
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.continuity.puzzle import Puzzle, Solution, stretches
from autoplayer.games.continuity.steps import Step
from autoplayer.games.continuity.world import Crossing, Link, Press, World
from autoplayer.layout import Layout


def progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """How many keys are gone in a later picture that shows all tiles; the door is the last step."""
    from autoplayer.games.continuity.seeing.tiles import read_tiles

    count = len(puzzle.world.keys)
    try:
        tiles = read_tiles(image)
    except UnreadableError:
        return Progress(False, 0, count + 1, 0)
    board = puzzle.world.board
    left = sum(thing.kind == "key" for thing in tiles.things)
    same = board is not None and (board.rows, board.columns) == (tiles.rows, tiles.columns) and left <= count
    return Progress(same, count - left if same else 0, count + 1, 0)


def plan(
    reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, progress: Progress, layout: Layout, attempt: int = 0
) -> list[Move]:
    """The whole plan, a move for each stretch of it; nothing where all is done."""
    if progress.complete:
        return []
    keys = layout.continuity
    names = {name: getattr(keys, name, name) for name in ("left", "right", "up")}
    view = keys.view if keys else "space"
    moves: list[Move] = []
    sliding = False
    for group in stretches(solution):
        gestures: list[Gesture] = []
        slides = group[0].do == "slide"
        if slides != sliding and group[0].do != "finish":
            gestures.append(Keys((view,)))
            sliding = slides
        if slides:
            gestures.append(Keys(tuple(step.to for step in group)))
        else:
            presses = (press for step in group for press in _presses(puzzle.world, step))
            gestures += [Hold(tuple(names[key] for key in keys), seconds) for keys, seconds in presses if keys]
        if gestures:
            moves.append(Move(_told(group), tuple(gestures)))
    return moves


def _presses(world: World, step: Step) -> Iterator[Press]:
    """The keys of a walk or crossing."""
    ways: list[Link | Crossing] = [*world.links, *world.crossings]
    ends = (step.tile, step.start), (step.into or step.tile, step.to)
    for way in ways:
        places = ((world.tiles[tile], name) for tile, name in (world.places[way.a], world.places[way.b]))
        if tuple(places) == ends:
            yield from way.presses
            return


def _told(group: list[Step]) -> str:
    step = group[-1]
    if step.do == "slide":
        return "slide " + ", ".join(f"{each.tile} {each.to}" for each in group)
    return f"go to {step.to} of tile {step.into or step.tile}"
