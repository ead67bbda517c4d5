"""Cross Set in strange windows: one board in a random style, with its truth. What stands on the board is made in
``cross_set_boards``, its style in ``cross_set_looks``, its picture in ``cross_set_painter``; colours, typefaces and
damage come from ``strange`` and ``faces``.

The truth is the order in which clicks bring the candidates up. Where a window keeps each number in a slot of its own,
the order that counts is the active number, those behind it, then those before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.puzzle import LARGEST_WITHOUT_COMMAS, Puzzle, format_puzzle
from bench.reading import damage, grounds, palette, strange, surroundings
from bench.reading.canvas import Canvas
from bench.reading.cross_set_boards import Content, content_for, made
from bench.reading.cross_set_looks import HELD_LOOKS, Look, look_for
from bench.reading.cross_set_painter import Board
from bench.reading.drawn_faces import STROKE_FACES
from bench.reading.faces import Side
from bench.reading.palette import Theme
from bench.reading.strange import Random, Sample, Series, choose, within

__all__ = ["HELD_LOOKS", "SERIES", "everyday", "large", "made", "not_a_board", "ordinary", "picture", "plain", "window"]

ORDINARY_HEIGHT = 8.0
"""Pixels: digits at least this high in ordinary windows."""


def _lines_have_signs(look: Look, puzzle: Puzzle) -> bool:
    return puzzle.size > LARGEST_WITHOUT_COMMAS and look.arrangement in ("two-rows", "below-wrapped")


def _tags(look: Look, puzzle: Puzzle) -> set[str]:
    most = max(len(cell) for row in puzzle.rows for cell in row)
    tags = {
        look.walls, look.arrangement, f"ground-{look.ground}", f"theme-{look.colours.name}", f"face-{look.face.kind}",
        f"size-{puzzle.size}", f"most-{most}",
    }  # fmt: skip
    for name, yes in {
        "crisp": look.crisp,
        "enlarged": look.enlarged != 1,
        "dim-others": look.dim > 0,
        "active-tint": look.active_tint,
        "same-size": look.small > 0.95 * look.ink,
        "tiny-others": look.small < 0.4 * look.ink,
        "oblong": look.across > 1.05 * look.down,
        "dots": look.dots,
        "cursor": look.cursor,
        f"locked-{look.locked}": bool(look.locked),
        f"between-{look.between}": bool(look.between)
        and (look.arrangement in ("row", "row-middle") or _lines_have_signs(look, puzzle))
        and most > 1,
        "overflow": look.overflow,
        "cell-under-45": look.pitch * look.enlarged < 45,
        "cell-over-100": look.pitch * look.enlarged > 100,
    }.items():
        if yes:
            tags.add(name)
    return tags


def _truth(look: Look, puzzle: Puzzle) -> Puzzle:
    """Where every number has its slot, the order behind the active one is that of the slots, around."""
    if look.arrangement != "slots":
        return puzzle
    rows = []
    for row in puzzle.rows:
        turned = []
        for cell in row:
            ordered = sorted(cell)
            at = ordered.index(cell[0])
            turned.append((*ordered[at:], *ordered[:at]))
        rows.append(tuple(turned))
    return Puzzle(tuple(rows))


def _window(rng: Random, look: Look, puzzle: Puzzle) -> tuple[NDArray[np.uint8], Board, set[str]]:
    """The whole window, RGB, before anything lies over it."""
    canvas = Canvas(
        grounds.ground(rng, look.ground, look.size, look.colours), crisp=look.crisp, hinted=look.hinted, snap=look.snap
    )
    board = Board(canvas, look, puzzle, rng)
    board.draw()
    clear = look.pitch * (1.2 if look.walls in ("walls-none", "walls-underlined") else 0.4)
    size = look.ink * within(rng, 0.5, 0.8)
    tags = surroundings.surround(canvas, rng, board.lattice(), clear, look.colours, look.face, size, look.share)
    return canvas.finish(), board, tags


def _ordinary(look: Look) -> bool:
    """Whether a window is drawn as games draw theirs: nothing overflows, nothing is all but invisible or too small."""
    return (
        look.ground == "plain"
        and look.walls not in ("walls-hairline", "walls-none", "walls-underlined")
        and look.colours.name != "low-contrast"
        and not look.overflow
        and look.pitch * look.enlarged >= 40
        and look.small * look.enlarged >= ORDINARY_HEIGHT
    )


def _finish(
    rng: Random, sheet: NDArray[np.uint8], board: Board, tags: set[str], content: Content, damaged: bool = True
) -> Sample:
    """Overlays, enlargement and damage; the truth in the pixels of the result."""
    look = board.look
    overlay = choose(rng, {"": 8.0, "veil": 0.5, "pointer": 0.6}) if damaged else ""
    if overlay == "veil" and look.colours.contrast > 70 and not look.crisp and look.dim < 0.3:
        sheet = damage.veil(rng, sheet, board.lattice(), look.colours)
        tags.add("veil")
    image = np.ascontiguousarray(sheet[..., ::-1])
    if look.enlarged != 1:
        image = damage.enlarge(image, look.enlarged)
    if overlay == "pointer":
        tip = (within(rng, 0, image.shape[1] - 20), within(rng, 0, image.shape[0] - 20))
        damage.pointer(rng, image, tip)
        tags.add("pointer")
    grown = 1.0
    if damaged:
        chosen = damage.degradations(
            rng, look.side, ink=look.small * look.enlarged, pitch=look.pitch * look.enlarged,
            least=look.face.least + 1, size=(image.shape[1], image.shape[0]), pitches=(34.0, 200.0),
        )  # fmt: skip
        contrast = look.colours.contrast * (1 - look.dim)
        image, grown = damage.degrade(rng, image, chosen, ink=look.small * look.enlarged, contrast=contrast)
        tags |= set(chosen)
    scale = look.enlarged * grown
    places = {}
    for r in range(board.puzzle.size):
        for c in range(board.puzzle.size):
            x0, y0, x1, y1 = (v * scale for v in board.area((r, c)))
            places[r, c] = Box(round(x0), round(y0), round(x1) - round(x0), round(y1) - round(y0))
    text = format_puzzle(_truth(look, board.puzzle))
    return Sample(np.ascontiguousarray(image), text, frozenset(tags), places, {}, content.origin, look.face.family)


def window(
    seed: int, side: Side = "development", ordinary: bool = False, large: bool = False
) -> tuple[Sample, frozenset[Cell], Cell | None]:
    """A board in a window that follows from ``seed`` alone (and from the typefaces that there are), the cells that are
    locked in it, and the one with the cursor. ``ordinary``: such a look, and nothing lies over it or
    damages it. ``large``: a board with
    numbers of two digits."""
    for attempt in range(200):
        # A look that cannot show this board legibly is drawn again; after some tries a simpler board takes its place.
        most = 9 if attempt < 12 else 5 if attempt < 40 else 3
        content = content_for(seed + 1_000_003 * (attempt // 12), side, most, large)
        look = look_for(strange.stream(seed, "look", side, str(attempt)), seed + 7919 * attempt, side, content.puzzle)
        if look is None or (ordinary and not _ordinary(look)):
            continue
        sheet, board, around = _window(strange.stream(seed, "window", side), look, content.puzzle)
        tags = _tags(look, content.puzzle) | around
        sample = _finish(strange.stream(seed, "finish", side), sheet, board, tags, content, damaged=not ordinary)
        name = f"{side}-{'large' if large else 'ordinary' if ordinary else 'board'}-{seed}"
        return replace(sample, name=name), frozenset(board.locked), board.cursor
    raise RuntimeError(f"no look was found for the board of seed {seed}")


def picture(seed: int, side: Side = "development") -> Sample:
    """A board in some window; see :func:`window`."""
    return window(seed, side)[0]


def ordinary(seed: int, side: Side = "development") -> Sample:
    """A board in an ordinary window: every arrangement, colour and typeface, without damage."""
    return window(seed, side, ordinary=True)[0]


def large(seed: int, side: Side = "development") -> Sample:
    """A board larger than 9x9 in an ordinary window: its numbers have one and two digits."""
    return window(seed, side, ordinary=True, large=True)[0]


def not_a_board(seed: int, side: Side = "development") -> Sample:
    """Something else than this game: menus, text, photos, other games, nothing at all."""
    from bench.reading import elsewhere

    rng = strange.stream(seed, "elsewhere", side)
    name, image = elsewhere.anything(rng, seed, side)
    return Sample(image, "", frozenset({f"not-{name}"}), {}, name=f"{side}-elsewhere-{seed}")


def everyday(
    puzzle: Puzzle, size: tuple[int, int], changes: Mapping[str, object] | None = None
) -> tuple[Sample, Board]:
    """``puzzle`` in an everyday light window; ``changes``: other values for fields of its ``Look``."""
    rng = strange.stream(puzzle.size, "plain")
    pitch = float(int(0.85 * min(size) / puzzle.size))
    paper, black = (250, 250, 250), (20, 20, 20)
    accents = tuple(palette.toned(hue, 0.8, 130) for hue in palette.ACCENT_HUES)
    look = Look(
        side="development", size=size, across=pitch, down=pitch, left=(size[0] - puzzle.size * pitch) / 2,
        top=(size[1] - puzzle.size * pitch) / 2, walls="walls-thick", ground="plain", thick=max(0.04 * pitch, 1.0),
        gap=0.0, radius=0.0, arrangement="two-rows", between="", ink=0.36 * pitch, small=0.22 * pitch, spread=0.3,
        dim=0.0, active_tint=False, locked="fill", dots=False, cursor=False, crisp=False, hinted=True,
        snap=True, enlarged=1.0, overflow=False, share=0.0,
        colours=Theme("light", paper, paper, black, black, accents, 230.0),
        face=STROKE_FACES[1],  # the same on every machine, whatever fonts it has
    )  # fmt: skip
    look = replace(look, **(changes or {}))  # type: ignore[arg-type]
    sheet, board, tags = _window(rng, look, puzzle)
    sample = _finish(rng, sheet, board, tags, Content(puzzle, "generated"), damaged=False)
    return replace(sample, name="plain"), board


def plain(rows: int, columns: int, size: tuple[int, int]) -> Sample:
    """A board of ``rows`` rows and columns in an everyday light window: for timing, not for judging."""
    return everyday(made(strange.stream(rows, "plain"), rows, 3), size)[0]


SERIES = (
    Series("ordinary windows", "ordinary windows, undamaged", ordinary, 3 / 2, None),
    Series("large boards", "boards of 10x10 and more, ordinary windows", large, 1 / 2, None),
    Series("no boards", "no board at all ('unreadable' is right; WRONG would be played)", not_a_board, 1 / 2, ""),
)
