"""Solutions of a level: the steps of a plan, their JSON, and an independent checker.

The checker follows the steps with the rules alone: it knows what a level is (``world.py``) and nothing of planning.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Json
from autoplayer.games.continuity.world import BLANK, DIRECTIONS, SIDES, STEP, World

Kind = Literal["slide", "walk", "cross", "finish"]
KINDS: tuple[Kind, ...] = ("slide", "walk", "cross", "finish")

MOST_FAULTS = 20
"""The most faults that are reported: later ones only follow from the first."""


@dataclass(frozen=True)
class Step:
    """One step of a plan.

    slide: ``tile`` moves ``to`` left, right, up or down, into the empty cell. walk: inside ``tile``, from the place
    ``start`` to the place ``to``. cross: from ``start`` in ``tile`` over its side ``side`` to the place ``to`` in the
    tile ``into``. finish: the door is at the place ``to`` of ``tile``; the last step. ``takes``: the keys that the
    figure comes to have by this step. ``leg``: at a step that takes a key, or finishes, the cost since the one before
    it. ``total``: the cost from the start to the end of this step. ``bound``: in the last step; no plan costs less.
    """

    do: Kind
    tile: str
    to: str
    cost: int = 0
    total: int = 0
    start: str = ""
    side: str = ""
    into: str = ""
    takes: tuple[str, ...] = ()
    leg: int | None = None
    bound: int | None = None


Solution = tuple[Step, ...]

NAMES = {"start": "from"}
"""Fields that are called otherwise in JSON."""


def solution_to_json(solution: Solution) -> Json:
    """A list of objects, one a step; what a step has no use for is left out."""
    return [_step_to_json(step) for step in solution]


def _step_to_json(step: Step) -> dict[str, Any]:
    every = {NAMES.get(field.name, field.name): getattr(step, field.name) for field in fields(Step)}
    every["takes"] = list(step.takes)
    return {name: value for name, value in every.items() if value not in ("", [], None)}


def solution_from_json(data: Json) -> Solution:
    """Raises PuzzleError where ``data`` is not a list of steps."""
    if not isinstance(data, list):
        raise PuzzleError("expected a solution as a list of steps, each an object")
    return tuple(_step_from_json(value, number) for number, value in enumerate(data, 1))


def _step_from_json(value: Any, number: int) -> Step:
    if not isinstance(value, dict):
        raise PuzzleError(f"expected step {number} as an object with 'do', 'tile' and 'to'")
    types: dict[str, tuple[type, ...]] = dict.fromkeys(("do", "tile", "to", "from", "side", "into"), (str,))
    types |= dict.fromkeys(("cost", "total", "leg", "bound"), (int,)) | {"takes": (list,)}
    for name, given in value.items():
        if name not in types or type(given) not in types[name]:
            raise PuzzleError(f"step {number} has no such value: {str(name)[:40]!r}")
    if any(name not in value for name in ("do", "tile", "to")) or value["do"] not in KINDS:
        raise PuzzleError(f"expected 'do' (one of {', '.join(KINDS)}), 'tile' and 'to' in step {number}")
    takes = value.get("takes", [])
    if not all(isinstance(key, str) for key in takes):
        raise PuzzleError(f"expected the keys that step {number} takes as a list of names")
    inner = {name: name for name in types} | {json: name for name, json in NAMES.items()}
    return Step(**{inner[name]: given for name, given in value.items() if name != "takes"}, takes=tuple(takes))


def check(world: World, solution: Solution) -> list[str]:
    """Every fault of a plan, in sentences: a slide that cannot be, a way that is not there, sides that do not touch, a
    wrong cost, a key that is not taken, an end that is not the door. Whether a cheaper plan exists is not asked."""
    return _Walk(world).faults(solution)


class _Walk:
    """The level while a plan is followed."""

    def __init__(self, world: World) -> None:
        self.world = world
        board = world.board
        self.cells = [] if board is None else [list(row) for row in _rows(board.cells, board.columns)]
        self.place = world.places[world.start]
        self.held: set[str] = set()
        self.total = self.leg = 0
        self.found: list[str] = []
        self._touch()

    def _touch(self) -> list[str]:
        """The keys that the figure comes to have where it is."""
        here = []
        for name, places in zip(self.world.key_names, self.world.keys, strict=True):
            if name not in self.held and any(self.world.places[place] == self.place for place in places):
                here.append(name)
        self.held.update(here)
        return here

    def faults(self, solution: Solution) -> list[str]:
        for number, step in enumerate(solution, 1):
            problem = self._follow(step, last=number == len(solution))
            if problem:
                self.found.append(f"step {number} ({step.do} in tile {step.tile[:20]}): {problem}")
                return self.found
            if len(self.found) >= MOST_FAULTS:
                return self.found
        if not solution or solution[-1].do != "finish":
            self.found.append("the plan does not end at the door")
        return self.found

    def _follow(self, step: Step, *, last: bool) -> str | None:
        """Perform a step; returns what makes it impossible, in a sentence. Wrong figures are noted, and the plan
        continues."""
        where = f"the figure is at {self.place[1]} of tile {self.world.tiles[self.place[0]]}"
        if step.do == "slide":
            cost, problem = self._slide(step)
        elif step.do == "finish":
            cost, problem = 0, self._finish(step, last)
        else:
            if (step.tile, step.start) != (self.world.tiles[self.place[0]], self.place[1]):
                return f"it begins at {step.start} of tile {step.tile}, but {where}"
            cost, problem = self._walk(step) if step.do == "walk" else self._cross(step)
        if problem:
            return problem
        self.total += cost
        self.leg += cost
        takes = self._touch() if step.do in ("walk", "cross") else []
        wanted = {"cost": cost, "total": self.total, "takes": tuple(takes)}
        wanted["leg"] = self.leg if takes or step.do == "finish" else None
        for name, value in wanted.items():
            if getattr(step, name) != value:
                self.found.append(f"{step.do} to {step.to}: {name} is {getattr(step, name)}, but it should be {value}")
        if takes:
            self.leg = 0
        if step.bound is not None and (step.do != "finish" or step.bound > self.total):
            self.found.append(f"{step.do} to {step.to}: nothing costs less than {step.bound}, but this plan does")
        return None

    def _slide(self, step: Step) -> tuple[int, str | None]:
        if self.world.board is None:
            return 0, "this level has no board on which tiles slide"
        if step.tile not in self.world.tiles or step.to not in DIRECTIONS:
            return 0, f"there is no such tile, or no such direction: {step.to[:20]}"
        tile = self.world.tiles.index(step.tile)
        (r, c) = next((r, c) for r, row in enumerate(self.cells) for c, each in enumerate(row) if each == tile)
        dr, dc = STEP[DIRECTIONS.index(step.to)]
        inside = 0 <= r + dr < len(self.cells) and 0 <= c + dc < len(self.cells[0])
        if not inside or self.cells[r + dr][c + dc] != BLANK:
            return 0, f"there is no empty cell {step.to} of tile {step.tile}"
        self.cells[r][c], self.cells[r + dr][c + dc] = BLANK, tile
        return self.world.board.slide, None

    def _walk(self, step: Step) -> tuple[int, str | None]:
        costs = [
            link.cost
            for link in self.world.links
            if (self.world.places[link.a], self.world.places[link.b]) == (self.place, (self.place[0], step.to))
        ]
        if not costs:
            return 0, f"no way leads from {step.start} to {step.to}"
        self.place = (self.place[0], step.to)
        return min(costs), None

    def _cross(self, step: Step) -> tuple[int, str | None]:
        if step.into not in self.world.tiles or step.side not in SIDES:
            return 0, "there is no such tile, or no such side"
        target, side = (self.world.tiles.index(step.into), step.to), SIDES.index(step.side)
        costs = [
            way.cost
            for way in self.world.crossings
            if (self.world.places[way.a], self.world.places[way.b], way.side) == (self.place, target, side)
        ]
        if not costs:
            return 0, f"the {step.side} side does not lead from {step.start} to {step.to} of tile {step.into}"
        if self.cells:
            r, c = next(
                (r, c) for r, row in enumerate(self.cells) for c, each in enumerate(row) if each == self.place[0]
            )
            dr, dc = STEP[side]
            inside = 0 <= r + dr < len(self.cells) and 0 <= c + dc < len(self.cells[0])
            if not inside or self.cells[r + dr][c + dc] != target[0]:
                return 0, f"tile {step.into} does not lie at the {step.side} side of tile {step.tile}"
        self.place = target
        return min(costs), None

    def _finish(self, step: Step, last: bool) -> str | None:
        here = (step.tile, step.to)
        if not last:
            return "the plan goes on after its end"
        if here != (self.world.tiles[self.place[0]], self.place[1]):
            return f"the figure is at {self.place[1]} of tile {self.world.tiles[self.place[0]]}, not at {step.to}"
        if all(self.world.places[place] != self.place for place in self.world.finish):
            return f"the door is not at {step.to}"
        missing = [name for name in self.world.key_names if name not in self.held]
        return f"the door is closed: {', '.join(missing)} not taken" if missing else None


def _rows(cells: tuple[int, ...], columns: int) -> list[tuple[int, ...]]:
    return [cells[at : at + columns] for at in range(0, len(cells), columns)]
