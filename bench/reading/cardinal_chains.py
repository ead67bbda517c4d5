"""Cardinal Chains in strange windows: one board in a random style, with its truth; boards in the middle of play; and
pictures that hold no board. What stands on the board is made in ``cardinal_chains_boards``, its style in
``cardinal_chains_looks``, its picture in ``cardinal_chains_painter``; colours, typefaces and damage come from
``strange`` and ``faces``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle, format_puzzle, parse
from bench.reading import damage, grounds, palette, strange, surroundings
from bench.reading.canvas import Canvas
from bench.reading.cardinal_chains_boards import Chains, Content, content_for, neighbours, partly, trimmed
from bench.reading.cardinal_chains_looks import HELD_LOOKS, Look, look_for
from bench.reading.cardinal_chains_painter import Board
from bench.reading.faces import Side, pick
from bench.reading.judge import Form
from bench.reading.palette import Theme, mix
from bench.reading.strange import Random, Sample, Series, choose, within

__all__ = ["FORM", "HELD_LOOKS", "SERIES", "dotted", "halfway", "not_a_board", "picture", "plain"]


def _window(
    rng: Random, look: Look, puzzle: Puzzle, chains: Chains, covering: str
) -> tuple[NDArray[np.uint8], Board, set[str]]:
    """The whole window, RGB, before anything lies over it."""
    colours = look.colours
    sheet = grounds.ground(rng, look.ground, look.size, colours)
    lattice = (
        look.left, look.top, look.left + puzzle.width * look.pitch, look.top + puzzle.height * look.pitch,
    )  # fmt: skip
    outer = (
        lattice[0] - look.frame_margin, lattice[1] - look.frame_margin,
        lattice[2] + look.frame_margin, lattice[3] + look.frame_margin,
    )  # fmt: skip
    if look.shadowed:
        grounds.shadow(sheet, outer, max(look.pitch * 0.15, 3), within(rng, 0.2, 0.45))
    canvas = Canvas(sheet, crisp=look.crisp, hinted=look.hinted, snap=look.snap)
    tags: set[str] = set()
    if look.frame:
        tags.add(look.frame)
        radius = look.pitch * 0.2 if look.walls == "walls-rounded" else 0.0
        if look.frame == "panel":
            canvas.rectangle(outer, mix(colours.background, colours.ink, 0.06), radius)
        else:
            canvas.outline(
                outer, mix(colours.background, colours.ink, within(rng, 0.3, 0.9)), max(1.0, look.thick), radius
            )
    board = Board(canvas, look, puzzle, rng)
    board.draw(chains, covering)
    # Loose glyphs have nothing but their distance to tell them from what stands beside the board.
    clear = look.pitch * (1.2 if look.walls == "walls-none" else 0.4)
    size = look.ink * within(rng, 0.7, 1.0)
    tags |= surroundings.surround(canvas, rng, outer, clear, colours, look.face, size, look.share)
    return canvas.finish(), board, tags


def _tags(look: Look, puzzle: Puzzle) -> set[str]:
    tags = {look.walls, look.start, f"ground-{look.ground}", f"theme-{look.colours.name}", f"face-{look.face.kind}"}
    if len(puzzle.cells) < puzzle.height * puzzle.width:
        tags.add(look.hole)
        inside = {
            (r, c)
            for r in range(1, puzzle.height - 1)
            for c in range(1, puzzle.width - 1)
            if puzzle.rows[r][c] is None and all(n in puzzle.cells for n in neighbours((r, c)))
        }
        tags |= {"hole-enclosed"} if inside else set()
    for name, yes in {
        "crisp": look.crisp,
        "enlarged": look.enlarged != 1,
        "value-colours": look.value_colours,
        "shadow": look.shadowed,
        "off-centre-glyphs": look.shift != (0.0, 0.0),
        "two-digit": max(puzzle.cells.values()) > 9,
        "cell-under-30": look.pitch * look.enlarged < 30,
        "cell-over-80": look.pitch * look.enlarged > 80,
        "small-glyphs": look.ink < 0.35 * look.pitch,
        "tiny-board": len(puzzle.cells) <= 4,
        "large-board": max(puzzle.height, puzzle.width) > 9,
        "at-the-edge": min(look.left, look.top) - look.frame_margin < 3,
    }.items():
        if yes:
            tags.add(name)
    return tags


def _finish(
    rng: Random, sheet: NDArray[np.uint8], board: Board, tags: set[str], content: Content, owners: Mapping[Cell, Cell]
) -> Sample:
    """Overlays, enlargement and damage; the truth in the pixels of the result."""
    look = board.look
    overlay = choose(rng, {"": 6.0, "veil": 0.7, "pointer": 0.9})
    if overlay == "veil" and look.colours.contrast > 70 and not look.crisp:
        sheet = damage.veil(rng, sheet, board.lattice(), look.colours)
        tags.add("veil")
    image = np.ascontiguousarray(sheet[..., ::-1])
    if look.enlarged != 1:
        image = damage.enlarge(image, look.enlarged)
    pitch, ink = look.pitch * look.enlarged, look.ink * look.enlarged
    if overlay == "pointer" and (tip := _tip(rng, board)):
        damage.pointer(rng, image, tip)
        tags.add("pointer")
    size = (image.shape[1], image.shape[0])
    chosen = damage.degradations(rng, look.side, ink=ink, pitch=pitch, least=look.face.least + 1, size=size)
    image, grown = damage.degrade(rng, image, chosen, ink=ink, contrast=look.colours.contrast)
    tags |= set(chosen)
    scale = look.enlarged * grown
    places = {}
    for r in range(board.puzzle.height):
        for c in range(board.puzzle.width):
            if (r, c) in board.puzzle.cells:
                x0, y0, x1, y1 = (v * scale for v in board.area((r, c)))
                places[r, c] = Box(round(x0), round(y0), round(x1) - round(x0), round(y1) - round(y0))
    text = format_puzzle(board.puzzle)
    image = np.ascontiguousarray(image)
    return Sample(image, text, frozenset(tags), places, dict(owners), content.origin, look.face.family)


def _tip(rng: Random, board: Board) -> tuple[float, float] | None:
    """Where the pointer's tip may stand, in the enlarged window: in a cell, hiding at most a third of any glyph."""
    look = board.look
    scale = look.enlarged
    cells = sorted(board.puzzle.cells)
    half = 0.5 * look.ink * scale
    for _ in range(20):
        cell = cells[int(rng.integers(len(cells)))]
        x0, y0, x1, y1 = (v * scale for v in board.area(cell))
        tip = (within(rng, x0, x1), within(rng, y0, y1))
        for other in cells:
            x, y = (v * scale for v in board.middle(other))
            across = min(tip[0] + damage.POINTER_SIZE[0], x + 0.7 * half) - max(tip[0], x - 0.7 * half)
            down = min(tip[1] + damage.POINTER_SIZE[1], y + half) - max(tip[1], y - half)
            if across > 0 and down > 0 and across * down > 0.33 * 1.4 * half * 2 * half:
                break
        else:
            return tip
    return None


def _sample(seed: int, side: Side, kind: str, covering: str = "", start: str = "") -> Sample:
    for attempt in range(200):
        # A look that cannot show this board legibly is drawn again; after many tries a simpler board takes its place.
        content = content_for(seed + 1_000_003 * (attempt // 10), side, kind, 2 if attempt < 5 else 1)
        rng = strange.stream(seed, "look", side, str(attempt))
        look = look_for(rng, seed + 7919 * attempt, side, content.puzzle, start)
        if look is None:
            continue
        chains: Chains = ()
        tags = _tags(look, content.puzzle)
        if covering:
            chains = partly(strange.stream(seed, "play", side), content.chains)
            tags |= {"halfway", f"covered-by-{covering}"}
        sheet, board, around = _window(strange.stream(seed, "window", side), look, content.puzzle, chains, covering)
        owners = {cell: chain[0] for chain in chains for cell in chain}
        sample = _finish(strange.stream(seed, "finish", side), sheet, board, tags | around, content, owners)
        return replace(sample, name=f"{side}-{'halfway' if covering else start or 'board'}-{seed}")
    raise RuntimeError(f"no look was found for the board of seed {seed}")


def picture(seed: int, side: Side = "development") -> Sample:
    """A board before play, in a window that follows from ``seed`` alone (and from the typefaces that there are)."""
    kind = choose(strange.stream(seed, "kind", side), {"numbers": 3.0, "chains": 1.0, "generated": 1.0, "level": 1.0})
    return _sample(seed, side, kind)


def plain(rows: int, columns: int, size: tuple[int, int]) -> Sample:
    """A full board of this size, with a solution, in an everyday light window: for timing, not for judging."""
    rng = strange.stream(rows * 100 + columns, "plain")
    # One chain to and fro through the upper half, one through the lower one.
    values: dict[Cell, int] = {}
    for first, last in ((0, rows // 2), (rows // 2, rows)):
        path = [(r, c if (r - first) % 2 == 0 else columns - 1 - c) for r in range(first, last) for c in range(columns)]
        rising = np.sort(rng.integers(1, 10, len(path)))
        values |= {cell: int(value) for cell, value in zip(path, rising, strict=True)} | dict.fromkeys(path[:1], START)
    puzzle = trimmed(values)
    pitch = float(int(0.85 * min(size[0] / columns, size[1] / rows)))
    paper, black = (250, 250, 250), (20, 20, 20)
    accents = tuple(palette.toned(hue, 0.8, 130) for hue in palette.ACCENT_HUES)
    look = Look(
        side="development", size=size, pitch=pitch, left=(size[0] - columns * pitch) / 2,
        top=(size[1] - rows * pitch) / 2, walls="walls-thick", hole="hole-nothing", start="start-cell",
        ground="plain", thick=max(0.06 * pitch, 1.0), gap=0.0, radius=0.0, ink=0.45 * pitch, shift=(0.0, 0.0),
        tight=False, drawn_cross=False, value_colours=False, frame="", frame_margin=0.0, crisp=False, hinted=True,
        snap=True, enlarged=1.0, shadowed=False, share=0.0,
        colours=Theme("light", paper, paper, black, black, accents, 230.0),
        face=pick("development", "installed", "plain"),
    )  # fmt: skip
    sheet, board, _ = _window(rng, look, puzzle, (), "")
    places = {}
    for cell in values:
        x0, y0, x1, y1 = (round(v) for v in board.area(cell))
        places[cell] = Box(x0, y0, x1 - x0, y1 - y0)
    image = np.ascontiguousarray(sheet[..., ::-1])
    return Sample(
        image, format_puzzle(puzzle), frozenset(), places, content="numbers", face=look.face.family, name="plain"
    )


def dotted(seed: int, side: Side = "development") -> Sample:
    """A board whose starts are coloured cells with a dot or ring and no X; not among ``picture``'s, a habit apart."""
    return _sample(seed, side, "generated", start="start-dot")


def halfway(seed: int, side: Side = "development") -> Sample:
    """A board in the middle of play: some chains are drawn; ``owners`` says which cell belongs to which start."""
    covering = choose(strange.stream(seed, "covering", side), {"fill": 3.0, "line": 1.0})
    return _sample(seed, side, "chains", covering)


def not_a_board(seed: int, side: Side = "development") -> Sample:
    """Something else than this game: menus, text, photos, other games, nothing at all."""
    from bench.reading import elsewhere

    rng = strange.stream(seed, "elsewhere", side)
    name, image = elsewhere.anything(rng, seed, side)
    return Sample(image, "", frozenset({f"not-{name}"}), {}, name=f"{side}-elsewhere-{seed}")


def _same(one: str, other: str) -> bool:
    """Whether two texts are one board: rows and columns of holes at its edges are no part of it."""
    cells = [parse(text, starts_needed=False).cells for text in (one, other)]
    return trimmed(cells[0]) == trimmed(cells[1]) if all(cells) else not any(cells)


FORM = Form(same=_same)

SERIES = (
    Series("halfway", "boards in the middle of play (the truth is the puzzle at the start)", halfway, 1 / 4, "covered"),
    Series("dotted", "starts with a dot or ring instead of an X", dotted, 1 / 8),
    Series("no boards", "no board at all ('unreadable' is right; WRONG would be played)", not_a_board, 1 / 2, ""),
)
