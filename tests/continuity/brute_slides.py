"""A plain planner to compare with: Dijkstra over whole states. And small levels for it, made by hypothesis."""

from __future__ import annotations

import heapq
from pathlib import Path

from hypothesis import strategies as st

from autoplayer.games.continuity.graph import Graph, GraphLink, Place
from autoplayer.games.continuity.world import STEP, World

LEVEL31 = Path(__file__).resolve().parents[3] / "shared" / "levels" / "continuity" / "level31.json"
"""The published level, which is not part of the project."""


def cheapest_cost(world: World) -> int | None:
    """What a plan costs at least; None where there is none. Shares nothing with the planner."""
    board = world.board
    cells = board.cells if board else ()
    columns = board.columns if board else 0

    def touched(place: int, held: frozenset[int]) -> frozenset[int]:
        return held | {number for number, places in enumerate(world.keys) if place in places}

    first = (cells, world.start, touched(world.start, frozenset()))
    queue: list[tuple[int, int, tuple[tuple[int, ...], int, frozenset[int]]]] = [(0, 0, first)]
    done = set()
    count = 0
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        cells, place, held = state
        if place in world.finish and len(held) == len(world.keys):
            return cost
        following = [(link.cost, cells, link.b) for link in world.links if link.a == place]
        for way in world.crossings:
            if way.a == place and (board is None or _beside(world, cells, columns, way.a, way.b, way.side)):
                following.append((way.cost, cells, way.b))
        if board is not None:
            blank = cells.index(-1)
            for dr, dc in STEP:
                r, c = blank // columns + dr, blank % columns + dc
                if 0 <= r < len(cells) // columns and 0 <= c < columns:
                    moved = list(cells)
                    moved[blank], moved[r * columns + c] = moved[r * columns + c], -1
                    following.append((board.slide, tuple(moved), place))
        for extra, arranged, at in following:
            count += 1
            heapq.heappush(queue, (cost + extra, count, (arranged, at, touched(at, held))))
    return None


def _beside(world: World, cells: tuple[int, ...], columns: int, a: int, b: int, side: int) -> bool:
    one, other = cells.index(world.places[a][0]), cells.index(world.places[b][0])
    dr, dc = STEP[side]
    return (one // columns + dr, one % columns + dc) == (other // columns, other % columns)


@st.composite
def graphs(draw: st.DrawFn, *, board: bool = True) -> Graph:
    """Levels of up to five squares with few letters, so that many sides match; with one opening or two a letter."""
    rows, columns = draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (1, 3)]))
    names = [str(number) for number in range(1, rows * columns)]
    counts = {letter: draw(st.integers(0, 2)) for letter in "ab"}
    squares = {}
    for name in names:
        # Left and right bear letters of one kind, top and bottom of another, so that no side repeats another's.
        across, upright = draw(st.sampled_from(["aA", "Aa"])), draw(st.sampled_from(["bB", "Bb"]))
        squares[name] = across + upright
    inside = {
        name: [f"{letter}{i}" for letter in squares[name] for i in range(1, counts[letter.lower()] + 1)] + ["ledge"]
        for name in names
    }
    places = [Place(name, at) for name in names for at in inside[name]]
    links = []
    for name in names:
        pairs = st.tuples(st.sampled_from(inside[name]), st.sampled_from(inside[name]))
        own = draw(st.lists(pairs, max_size=5))
        links.append((name, tuple(GraphLink(a, b, draw(st.none() | st.integers(0, 4))) for a, b in own)))
    keys = draw(st.lists(st.sampled_from(places), max_size=2))
    cells = draw(st.permutations([*names, "_"])) if board else []
    return Graph(
        tuple(squares.items()),
        tuple(counts.items()),
        tuple(links),
        draw(st.sampled_from(places)),
        draw(st.sampled_from(places)),
        tuple((f"key{number}", at) for number, at in enumerate(keys)),
        draw(st.integers(0, 5)),
        draw(st.integers(0, 5)),
        draw(st.integers(0, 3)),
        draw(st.booleans()),
        tuple(tuple(cells[r * columns : (r + 1) * columns]) for r in range(rows)) if board else (),
    )
