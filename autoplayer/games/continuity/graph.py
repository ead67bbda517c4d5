"""The graph form of a level, as JSON: squares whose sides bear letters, numbered openings, links inside squares, keys.

Two squares match where the touching sides bear the same letter in the other case; opening i then meets opening i.
Whoever leaves by the bottom falls into the top of the square below; left and right can be passed both ways. A link
leads in one direction. Without a board any two squares with matching sides count as neighbours.
"""

from __future__ import annotations

import difflib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from autoplayer.core.errors import PuzzleError
from autoplayer.games.continuity.world import (
    BLANK,
    BOTTOM,
    LEFT,
    OPPOSITE,
    RIGHT,
    SIDES,
    TOP,
    Board,
    Crossing,
    Link,
    World,
)

KNOWN = ("squares", "openings", "links", "start", "finish", "keys", "cost", "sides", "vertical", "board")
NOTES = ("about", "crossing", "printed_route", "name")
"""Keys whose values are for people; they are not kept."""
COSTS = {"link": 1, "crossing": 1, "slide": 1}
"""What each costs where the file does not say."""
MOST_OPENINGS = 99
MOST_SQUARES = 99
MOST_LINKS = 20_000
"""Inside all squares together."""
MOST_CROSSINGS = 200_000
"""From square to square, wherever both lie."""
MOST_KEYS = 8
MOST_COST = 1_000_000
NOWHERE = "_"
"""Stands for the empty cell of a board."""


class Place(NamedTuple):
    """A square by its name, and an opening (``A1``) or another place in it."""

    square: str
    at: str


class GraphLink(NamedTuple):
    a: str
    b: str
    cost: int | None = None
    """None: as much as every link."""


@dataclass(frozen=True)
class Graph:
    """A level in the graph form. ``squares``: names with their four letters, left, right, top, bottom. ``openings``:
    how many each letter has, in lower case. ``rows``: the board, if there is one, with ``_`` for its empty cell."""

    squares: tuple[tuple[str, str], ...]
    openings: tuple[tuple[str, int], ...]
    links: tuple[tuple[str, tuple[GraphLink, ...]], ...]
    start: Place
    finish: Place
    keys: tuple[tuple[str, Place], ...]
    link_cost: int = COSTS["link"]
    crossing_cost: int = COSTS["crossing"]
    slide_cost: int = COSTS["slide"]
    rises: bool = False
    """Whether the figure can leave by the top as well."""
    rows: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def world(self) -> World:
        """The level as the planner sees it."""
        tiles = tuple(name for name, _ in self.squares)
        tile = {name: number for number, name in enumerate(tiles)}
        count = dict(self.openings)
        number: dict[Place, int] = {}

        def place(at: Place) -> int:
            return number.setdefault(at, len(number))

        for name, sides in self.squares:
            for letter in sides:
                for i in range(1, count[letter.lower()] + 1):
                    place(Place(name, f"{letter}{i}"))
        links = tuple(
            Link(place(Place(name, a)), place(Place(name, b)), self.link_cost if cost is None else cost)
            for name, own in self.links
            for a, b, cost in own
        )
        ways = (LEFT, RIGHT, BOTTOM, TOP) if self.rises else (LEFT, RIGHT, BOTTOM)
        crossings = tuple(
            Crossing(
                place(Place(name, f"{sides[side]}{i}")),
                place(Place(other, f"{theirs[OPPOSITE[side]]}{i}")),
                side,
                self.crossing_cost,
            )
            for name, sides in self.squares
            for other, theirs in self.squares
            if other != name
            for side in ways
            if sides[side].swapcase() == theirs[OPPOSITE[side]]
            for i in range(1, count[sides[side].lower()] + 1)
        )
        keys = tuple((place(at),) for _, at in self.keys)
        start, finish = place(self.start), (place(self.finish),)
        board = None
        if self.rows:
            cells = tuple(BLANK if name == NOWHERE else tile[name] for row in self.rows for name in row)
            board = Board(len(self.rows), len(self.rows[0]), cells, self.slide_cost)
        places = tuple((tile[at.square], at.at) for at in number)
        names = tuple(name for name, _ in self.keys)
        return World(tiles, places, links, crossings, start, keys, names, finish, board)

    def where(self, tile: int, place: str) -> tuple[float, float]:
        """Where a place is in its square, for drawing: shares of its width and height, from the top left."""
        letters = self.squares[tile][1]
        match = re.fullmatch(r"([A-Za-z])(\d+)", place)
        if not match or match[1] not in letters:
            return 0.5, 0.5
        side = letters.index(match[1])
        along = int(match[2]) / (dict(self.openings)[match[1].lower()] + 1)
        edge = 0.03 if side in (LEFT, TOP) else 0.97
        return (edge, along) if side in (LEFT, RIGHT) else (along, edge)

    def words(self, square: str, at: str) -> str:
        """A place in words: its square, and for an opening the side and the number."""
        letters = dict(self.squares).get(square, "")
        match = re.fullmatch(r"([A-Za-z])(\d+)", at)
        if match and match[1] in letters:
            return f"square {square} {SIDES[letters.index(match[1])]} opening {match[2]}"
        return f"square {square} at {at}"


class _Reader:
    """Takes values out of the JSON and says, for a wrong one, its key and the row where that stands in the text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def fault(self, path: str, message: str) -> PuzzleError:
        """The error for the value at ``path``, such as ``links.3[1]``; the row is that of its last key."""
        at = 0
        for key in re.findall(r"[^.\[\]]+(?=\.|\[|$)", path):
            found = self.text.find(json.dumps(key), at)
            at = found if found >= 0 else at
        row = self.text.count("\n", 0, at) + 1
        return PuzzleError(f"{path}: {message}" if path else message, row)

    def mapping(self, value: Any, path: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self.fault(path, f"expected an object {{…}}, but found {_shown(value)}")
        return value

    def sequence(self, value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.fault(path, f"expected a list […], but found {_shown(value)}")
        return value

    def string(self, value: Any, path: str) -> str:
        if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > 60:
            raise self.fault(path, f"expected a name, but found {_shown(value)}")
        return value

    def number(self, value: Any, path: str, most: int) -> int:
        if type(value) is not int or not 0 <= value <= most:
            raise self.fault(path, f"expected a whole number from 0 to {most}, but found {_shown(value)}")
        return value


def parse(text: str) -> Graph:
    """The level that a JSON text describes. Raises PuzzleError with the key and the row of the first fault."""
    read = _Reader(text)
    try:
        data = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise PuzzleError(f"this is no JSON: {error.msg.lower()}", error.lineno, error.colno) from None
    except (RecursionError, ValueError) as error:
        raise PuzzleError(f"this is no JSON that can be read: {str(error)[:80]}") from None
    level = read.mapping(data, "")
    for key in level:
        if key not in KNOWN + NOTES:
            close = difflib.get_close_matches(key, KNOWN, 1)
            hint = f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(KNOWN)}"
            raise read.fault(key[:40], f"there is no such key; {hint}")
    for key in ("squares", "openings", "links", "start", "finish"):
        if key not in level:
            raise PuzzleError(f"expected the key '{key}', but it is missing")
    openings = _openings(read, level["openings"])
    squares = _squares(read, level, dict(openings))
    graph = dict(squares)
    links = _links(read, level["links"], graph, dict(openings))

    def place(value: Any, path: str) -> Place:
        body = read.mapping(value, path)
        if set(body) != {"square", "at"}:
            raise read.fault(path, f"expected the keys 'square' and 'at', but found {_shown(list(body))}")
        square = read.string(body["square"], f"{path}.square")
        if square not in graph:
            raise read.fault(f"{path}.square", f"there is no square '{square}'; there are: {', '.join(graph)}")
        at = read.string(body["at"], f"{path}.at")
        _check_opening(read, f"{path}.at", at, square, graph[square], dict(openings))
        return Place(square, at)

    keys = read.mapping(level.get("keys", {}), "keys")
    if len(keys) > MOST_KEYS:
        raise read.fault("keys", f"expected at most {MOST_KEYS} keys, but there are {len(keys)}")
    cost = read.mapping(level.get("cost", {}), "cost")
    for key in cost:
        if key not in COSTS:
            raise read.fault(f"cost.{key}", f"there is no such cost; there are: {', '.join(COSTS)}")
    costs = {key: read.number(cost.get(key, usual), f"cost.{key}", MOST_COST) for key, usual in COSTS.items()}
    vertical = level.get("vertical", "down")
    if vertical not in ("down", "both"):
        raise read.fault("vertical", f'expected "down" or "both", but found {_shown(vertical)}')
    return Graph(
        squares,
        openings,
        links,
        place(level["start"], "start"),
        place(level["finish"], "finish"),
        tuple((read.string(name, "keys"), place(at, f"keys.{name}")) for name, at in keys.items()),
        costs["link"],
        costs["crossing"],
        costs["slide"],
        vertical == "both",
        _board(read, level["board"], graph) if level.get("board") is not None else (),
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys differ."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"the key '{twice[:40]}' stands twice in one object")
    return found


def _openings(read: _Reader, value: Any) -> tuple[tuple[str, int], ...]:
    found = []
    for letter, count in read.mapping(value, "openings").items():
        if not re.fullmatch("[a-z]", letter):
            raise read.fault(f"openings.{letter[:20]}", "expected a letter from a to z")
        found.append((letter, read.number(count, f"openings.{letter}", MOST_OPENINGS)))
    return tuple(found)


def _squares(read: _Reader, level: Mapping[str, Any], openings: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    order = read.sequence(level.get("sides", list(SIDES)), "sides")
    if not all(isinstance(side, str) for side in order) or sorted(order) != sorted(SIDES):
        raise read.fault("sides", f"expected the four sides {', '.join(SIDES)}, but found {_shown(order)}")
    found = []
    for name, letters in read.mapping(level["squares"], "squares").items():
        path = f"squares.{name[:40]}"
        if not re.fullmatch(r"[^\s_.\[\]]{1,20}", name) or not name.isprintable():
            raise read.fault(path, "expected a name of up to 20 characters without spaces, dots, brackets and '_'")
        if not isinstance(letters, str) or not re.fullmatch("[A-Za-z]{4}", letters):
            raise read.fault(path, f"expected four letters, one for each side, but found {_shown(letters)}")
        for letter in letters:
            if letter.lower() not in openings:
                raise read.fault(path, f"the side {letter} has no entry '{letter.lower()}' in openings")
            if letters.count(letter) > 1 and openings[letter.lower()]:
                raise read.fault(path, f"two sides bear {letter}, so that {letter}1 could be an opening of either")
        found.append((name, "".join(letters[order.index(side)] for side in SIDES)))
        if len(found) > MOST_SQUARES:
            raise read.fault(path, f"expected at most {MOST_SQUARES} squares, but here is one more")
    if not found:
        raise read.fault("squares", "expected at least one square, but there is none")
    bearing = Counter((side, letters[side]) for _, letters in found for side in range(len(SIDES)))
    crossings = sum(
        count * bearing[OPPOSITE[side], letter.swapcase()] * openings[letter.lower()]
        for (side, letter), count in bearing.items()
    )
    if crossings > MOST_CROSSINGS:
        raise read.fault(
            "squares",
            f"expected at most {MOST_CROSSINGS} ways from opening to opening, but the sides that match make more",
        )
    return tuple(found)


def _check_opening(read: _Reader, path: str, at: str, square: str, letters: str, openings: Mapping[str, int]) -> None:
    """What looks like an opening (a letter with a number) must be one of its square; other names are free."""
    match = re.fullmatch(r"([A-Za-z])(\d+)", at)
    if match and match[1] not in letters:
        raise read.fault(path, f"'{at}' is no opening of square {square}, whose sides are {', '.join(letters)}")
    if match and not 1 <= int(match[2][:6]) <= openings[match[1].lower()]:
        count = openings[match[1].lower()]
        raise read.fault(path, f"there is no opening '{at}': openings.{match[1].lower()} says {count}")


def _links(
    read: _Reader, value: Any, squares: Mapping[str, str], openings: Mapping[str, int]
) -> tuple[tuple[str, tuple[GraphLink, ...]], ...]:
    found = []
    total = 0
    for name, own in read.mapping(value, "links").items():
        if name not in squares:
            raise read.fault(f"links.{name[:40]}", f"there is no such square; there are: {', '.join(squares)}")
        links = []
        for number, link in enumerate(read.sequence(own, f"links.{name}")):
            path = f"links.{name}[{number}]"
            if not isinstance(link, list) or len(link) not in (2, 3):
                raise read.fault(path, f"expected [from, to] or [from, to, cost], but found {_shown(link)}")
            ends = [read.string(end, path) for end in link[:2]]
            for end in ends:
                _check_opening(read, path, end, name, squares[name], openings)
            cost = read.number(link[2], path, MOST_COST) if len(link) == 3 else None
            if (total := total + 1) > MOST_LINKS:
                raise read.fault(path, f"expected at most {MOST_LINKS} links in all squares, but here is one more")
            links.append(GraphLink(ends[0], ends[1], cost))
        found.append((name, tuple(links)))
    return tuple(found)


def _board(read: _Reader, value: Any, squares: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    rows = tuple(tuple(read.string(row, f"board[{n}]").split()) for n, row in enumerate(read.sequence(value, "board")))
    if not rows or len({len(row) for row in rows}) != 1:
        raise read.fault("board", 'expected rows of equal length, such as "1 2 3", with _ for the empty cell')
    cells = [name for row in rows for name in row]
    for name in cells:
        if name != NOWHERE and name not in squares:
            raise read.fault("board", f"there is no square '{name}'; there are: {', '.join(squares)}, and _")
        if cells.count(name) > 1:
            what = "the board has more than one empty cell" if name == NOWHERE else f"square {name} lies there twice"
            raise read.fault("board", what)
    if NOWHERE not in cells:
        raise read.fault("board", "the board has no empty cell; write _ for it")
    for name in squares:
        if name not in cells:
            raise read.fault("board", f"square {name} does not lie on the board")
    return rows


def _shown(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        text = "too deep a nesting"
    text = "".join(character if character.isprintable() else "?" for character in text[:41])
    return text if len(text) <= 40 else text[:37] + "..."


def format_graph(graph: Graph) -> str:
    """The JSON text of a level; :func:`parse` turns it back."""

    def place(at: Place) -> dict[str, str]:
        return {"square": at.square, "at": at.at}

    data: dict[str, Any] = {
        "sides": list(SIDES),
        "squares": dict(graph.squares),
        "openings": dict(graph.openings),
        "vertical": "both" if graph.rises else "down",
        "cost": {"link": graph.link_cost, "crossing": graph.crossing_cost, "slide": graph.slide_cost},
        "links": {name: [[a, b] if cost is None else [a, b, cost] for a, b, cost in own] for name, own in graph.links},
        "start": place(graph.start),
        "keys": {name: place(at) for name, at in graph.keys},
        "finish": place(graph.finish),
    }
    if graph.rows:
        data["board"] = [" ".join(row) for row in graph.rows]
    rows = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()]
    return "{\n" + ",\n".join(rows) + "\n}"
