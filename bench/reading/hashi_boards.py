"""What stands on the Hashi boards of ``bench/reading``: islands, a solution, how far play has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Cell
from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Puzzle
from bench.reading.strange import Random, choose, within

Links = Mapping[Bridge, int]
"""How many links stand; bridges without any are left out."""


@dataclass(frozen=True)
class Content:
    """``links``: a solution, the one that the numbers were made from."""

    puzzle: Puzzle
    origin: str
    links: Links


def _size(rng: Random) -> tuple[int, int]:
    """Rows and columns, 4x4 to 25x25, mostly 5 to 12, half of them oblong."""
    low, high = choose(rng, {(4, 7): 3.0, (6, 12): 5.0, (10, 16): 2.0, (15, 26): 1.2})
    rows = int(rng.integers(low, high))
    return rows, rows if rng.random() < 0.5 else int(rng.integers(low, high))


def grown(rng: Random) -> Content:
    """Islands and bridges grow from one island, so that a solution exists; it need not be the only one."""
    rows, columns = _size(rng)
    touching = rng.random() < 0.3
    share = within(rng, 0.15, 0.45 if touching else 0.34)
    best: dict[tuple[Cell, Cell], int] = {}
    covered = 0.0
    for _ in range(6):
        links = _grow(rng, rows, columns, share, 1 if touching else 2)
        ends = [end for pair in links for end in pair]
        height = max(r for r, _ in ends) - min(r for r, _ in ends) + 1
        width = max(c for _, c in ends) - min(c for _, c in ends) + 1
        if height * width > covered:
            best, covered = links, height * width
        if covered >= 0.8 * rows * columns:
            break
    return _content(rng, best)


def _grow(rng: Random, rows: int, columns: int, share: float, least: int) -> dict[tuple[Cell, Cell], int]:
    """Bridges that hang together, with ``share`` of the places islands if all goes well, none nearer than ``least``."""
    wanted = max(round(share * rows * columns), 4)
    first = (int(rng.integers(rows)), int(rng.integers(columns)))
    islands, links, wet = [first], dict[tuple[Cell, Cell], int](), {first}
    for _ in range(40 * wanted):
        if len(islands) >= wanted:
            break
        ways = [_way(rng, islands[int(rng.integers(len(islands)))], share, least) for _ in range(4)]
        free = [
            (start, way)
            for start, way in ways
            if 0 <= way[-1][0] < rows
            and 0 <= way[-1][1] < columns
            and not any(cell in wet for cell in way)
            and (least == 1 or not any(n in islands for n in _beside(way[-1])))
        ]
        if not free:
            continue
        # Where there are fewest islands yet, so that the board fills evenly.
        crowd = [sum(abs(r - way[-1][0]) <= 2 and abs(c - way[-1][1]) <= 2 for r, c in islands) for _, way in free]
        start, way = free[crowd.index(min(crowd))]
        wet.update(way)
        islands.append(way[-1])
        a, b = sorted((start, way[-1]))
        links[a, b] = 1 + (rng.random() < 0.4)
    if not links:  # a board of 4x4 has room for a second island wherever the first one is
        end = (first[0], first[1] + 2 if first[1] + 2 < columns else first[1] - 2)
        a, b = sorted((first, end))
        links[a, b] = 1
    return links


def _way(rng: Random, start: Cell, share: float, least: int) -> tuple[Cell, list[Cell]]:
    """The places from ``start``, without it, to where a new island may stand."""
    dr, dc = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
    far = least + int(rng.geometric(min(1.6 * share + 0.2, 0.9))) - 1
    return start, [(start[0] + i * dr, start[1] + i * dc) for i in range(1, far + 1)]


def _beside(cell: Cell) -> tuple[Cell, ...]:
    r, c = cell
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def _content(rng: Random, links: Mapping[tuple[Cell, Cell], int]) -> Content:
    """The board of these bridges, without empty rows and columns at its edges, and with some further links."""
    ends = {end for pair in links for end in pair}
    top, left = min(r for r, _ in ends), min(c for _, c in ends)
    cells = {(r - top, c - left): 1 for r, c in ends}
    height, width = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
    shape = Puzzle(tuple(tuple(cells.get((r, c), 0) for c in range(width)) for r in range(height)))
    laid = {Bridge((ar - top, ac - left), (br - top, bc - left)): n for ((ar, ac), (br, bc)), n in links.items()}
    # Further links between what is there make loops; which pairs can take one is known only now.
    for k in map(int, rng.permutation(len(shape.bridges))):
        crossed = any(shape.bridges[other] in laid for other in shape.crossings[k])
        if shape.bridges[k] not in laid and not crossed and rng.random() < 0.5:
            laid[shape.bridges[k]] = 1 + (rng.random() < 0.35)
    numbers = dict.fromkeys(cells, 0)
    for (a, b), n in laid.items():
        numbers[a] += n
        numbers[b] += n
    rows = tuple(tuple(numbers.get((r, c), 0) for c in range(width)) for r in range(height))
    return Content(Puzzle(rows), "grown", dict(sorted(laid.items())))


def generated(rng: Random) -> Content:
    """A board of the project's own generator: exactly one solution. A grown one where the wishes cannot be met."""
    from autoplayer.games.hashi import generator, solver

    rows, columns = _size(rng)
    touching = bool(rng.random() < 0.3)
    share = round(within(rng, 0.15, 0.45 if touching else 0.34), 3)
    try:
        puzzle = generator.generate(rows, columns, int(rng.integers(2**31)), islands=share, touching=touching)
    except UsageError:
        return grown(rng)
    solution = solver.solve(puzzle, time_limit=60, most=1).solution
    if solution is None:
        raise RuntimeError("the generator made a board that the solver cannot solve")
    return Content(puzzle, "generated", {Bridge(a, b): n for a, b, n in solution})


def padded(rng: Random, content: Content) -> Content:
    """The same islands with an empty row or column at some edges, as windows with a grid show them."""
    above, left, below, right = (int(rng.random() < 0.4) for _ in range(4))
    width = content.puzzle.width + left + right
    rows = [(0,) * left + row + (0,) * right for row in content.puzzle.rows]
    puzzle = Puzzle((*[(0,) * width] * above, *rows, *[(0,) * width] * below))
    moved = {Bridge((a[0] + above, a[1] + left), (b[0] + above, b[1] + left)): n for (a, b), n in content.links.items()}
    return replace(content, puzzle=puzzle, links=moved)


def played(rng: Random, content: Content, play: str) -> Links:
    """What stands when a person has come so far: ``none``, ``partial`` (mistakes among it), ``solved``."""
    if play == "none":
        return {}
    if play == "solved":
        return dict(content.links)
    puzzle, share = content.puzzle, within(rng, 0.1, 0.9)
    standing = {
        bridge: 1 if n == MOST_LINKS and rng.random() < 0.15 else n
        for bridge, n in content.links.items()
        if rng.random() < share
    }
    if rng.random() < 0.4:
        for k in rng.permutation(len(puzzle.bridges))[: int(rng.integers(1, 4))]:
            bridge = puzzle.bridges[int(k)]
            if not any(puzzle.bridges[other] in standing for other in puzzle.crossings[int(k)]):
                standing[bridge] = 1 if bridge in standing else int(rng.integers(1, 3))
    return dict(sorted(standing.items()))
