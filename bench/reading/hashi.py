"""Hashi in strange windows: one board in a random style, with its truth: the numbers, the links that stand, and where
every island is. What stands on the board is made in ``hashi_boards``, its style in ``hashi_looks``, its picture in
``hashi_painter``; colours, typefaces and damage come from ``strange`` and ``faces``.

To judge a reader: ``python -m bench.reading hashi --windows 100 --save-misses DIR`` keeps each picture that was not
read exactly, an overlay with the differences, and a text with the truth beside what was read.

To look at the windows: ``python -m bench.reading hashi --windows 24 --draw DIR`` writes each picture, its truth beside
it, and contact sheets.

From a program: ``picture(seed)`` for a board before, in the middle of or after play; ``cut_off(seed)`` for a board of
which some rows or columns lie outside of the window (right is to refuse it); ``not_a_board(seed)``. In a ``Sample``,
``text`` is the puzzle, ``places`` the box of each island, ``links`` the links that stand. The side ``held`` is not to
be looked at while a reader is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import hypot

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.base import Reading
from autoplayer.games.hashi import generator
from autoplayer.games.hashi.puzzle import Bridge, Puzzle, faults, format_puzzle, parse
from bench.reading import circles, damage, grounds, palette, strange, surroundings
from bench.reading.canvas import Canvas
from bench.reading.faces import Side, pick
from bench.reading.hashi_boards import Content, Links, generated, grown, padded, played
from bench.reading.hashi_looks import HELD_LOOKS, LARGEST, SMALLEST, Look, look_for
from bench.reading.hashi_painter import Board
from bench.reading.judge import Form
from bench.reading.palette import Theme, legible_on, mix
from bench.reading.strange import Area, Random, Sample, Series, choose, within

__all__ = ["FORM", "HELD_LOOKS", "REAL_LINKS", "RIVALS", "SERIES", "cut_off", "not_a_board", "picture", "plain"]

# Around the board -----------------------------------------------------------------------------------------------------

MENUS = (("File", "Edit", "Help"), ("Game", "Type", "Help"), ("New", "Restart", "Undo", "Redo", "Solve"), ("Puzzle",))


def _furniture(canvas: Canvas, rng: Random, look: Look, area: Area) -> set[str]:
    """A desktop program's title bar, menus, check boxes and status line, where the board leaves room for them."""
    tags: set[str] = set()
    colours, (_, top, right, bottom) = look.colours, area
    width, height = canvas.width, canvas.height
    tall = min(max(0.035 * height, 16.0), 30.0)
    bar = mix(colours.background, colours.ink, within(rng, 0.06, 0.2))
    ink = legible_on(bar, colours.ink, 60)
    y = 0.0
    if top > tall + 2 and rng.random() < 0.7:
        canvas.rectangle((0, 0, width, tall), bar)
        canvas.words(
            str(rng.choice(["Bridges", "Hashi", "Hashiwokakero 12", "Puzzle 4"])), width / 2, tall / 2, tall * 0.55, ink
        )
        for i, accent in enumerate(colours.accents[:3]):
            canvas.disc(width - tall * (0.6 + 0.8 * i), tall / 2, tall * 0.24, accent)
        y = tall
        tags.add("title-bar")
    if top > y + tall + 2 and rng.random() < 0.7:
        canvas.rectangle((0, y, width, y + tall), mix(bar, colours.background, 0.5))
        x = 8.0
        for word in MENUS[int(rng.integers(len(MENUS)))]:
            canvas.words(word, x, y + tall / 2, tall * 0.5, legible_on(colours.background, colours.ink, 60), "lm")
            x += tall * (1.2 + 0.35 * len(word))
        tags.add("menu-bar")
    if width - right > 110 and rng.random() < 0.7:
        x = within(rng, right + 0.3 * look.pitch, max(width - 100, right + 0.3 * look.pitch + 1))
        for i, word in enumerate(("Show errors", "Timer", "Grid", "Hints")[: int(rng.integers(1, 5))]):
            y = max(top, 40.0) + 10 + i * 24
            if y > height - 20 or x > width - 60:
                break
            box = (x, y, x + 12, y + 12)
            text_colour = legible_on(colours.background, colours.ink, 60)
            canvas.outline(box, text_colour, 1)
            if rng.random() < 0.5:
                canvas.line([(x + 2, y + 6), (x + 5, y + 10), (x + 10, y + 2)], text_colour, 1.5)
            canvas.words(word, x + 18, y + 6, 12, text_colour, "lm")
        tags.add("check-boxes")
    if height - bottom > tall + 2 and rng.random() < 0.6:
        text_colour = legible_on(colours.background, colours.ink, 60)
        text = str(rng.choice(["00:42", "Level 7", "3 islands left", "Moves: 12   Time 1:08", "Solved!", "8x8 easy"]))
        canvas.words(text, width * within(rng, 0.2, 0.8), height - tall * 0.55, tall * 0.55, text_colour)
        tags.add("status-line")
    return tags


def _window(rng: Random, look: Look, puzzle: Puzzle, links: Links) -> tuple[NDArray[np.uint8], Board, set[str]]:
    """The whole window, RGB, before anything lies over it."""
    colours = look.colours
    sheet = grounds.ground(rng, look.ground, look.size, colours)
    canvas = Canvas(sheet, crisp=look.crisp, hinted=look.hinted, snap=look.snap)
    board = Board(canvas, look, puzzle, links, rng)
    area, tags = board.area(), set[str]()
    if look.frame == "panel" and look.ground == "plain":
        # The board's own ground stays what the colours were chosen for; the window around it is the other shade.
        around = mix(colours.background, colours.ink, within(rng, 0.08, 0.25))
        canvas.rectangle((0, 0, canvas.width, canvas.height), around)
        canvas.rectangle(area, colours.background)
        tags.add("panel")
    elif look.frame == "frame":
        inset = max(1.0, 0.04 * look.pitch)
        strength = within(rng, 0.3, 0.9)
        canvas.outline(area, mix(colours.background, colours.ink, strength), inset)
        tags.add("frame")
    board.draw()
    if rng.random() < 0.5:
        tags |= _furniture(canvas, rng, look, area)
    else:
        size = look.ink * within(rng, 0.7, 1.0)
        tags |= surroundings.surround(canvas, rng, area, 0.4 * look.pitch, colours, look.face, size, look.share)
    return canvas.finish(), board, tags | board.tags


def _tags(look: Look, content: Content, links: Links, play: str) -> set[str]:
    puzzle = content.puzzle
    tags = {
        f"shape-{look.shape}", f"island-{look.paint}", look.grid, f"ground-{look.ground}",
        f"theme-{look.colours.name}", f"face-{look.face.kind}", f"play-{play}", f"content-{content.origin}",
    }  # fmt: skip
    if 2 in links.values():
        tags.add(look.double)
    filled = len(puzzle.islands) / (puzzle.height * puzzle.width)
    tags.add("sparse" if filled < 0.2 else "dense" if filled > 0.32 else "middling")
    touching = any(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in puzzle.bridges)
    rows, columns = {r for r, _ in puzzle.islands}, {c for _, c in puzzle.islands}
    pitch = look.pitch * look.enlarged
    for name, yes in {
        "crisp": look.crisp,
        "enlarged": look.enlarged != 1,
        "value-colours": look.value_colours,
        "touching-pairs": touching,
        "radius-over-58": look.radius > 0.575 * look.pitch,
        "radius-under-30": look.radius < 0.3 * look.pitch,
        "ring-thick": look.ring > 0.18 * look.radius,
        "ring-thin": 0 < look.ring <= 0.06 * look.radius,
        "bridge-short": bool(links) and look.short > 0,
        "bridge-as-ring": bool(links) and look.bridge_colour == look.ring_colour,
        "oblong-pitch": abs(look.across / look.down - 1) > 0.06,
        "pitch-under-20": pitch < 20,
        "pitch-20-30": 20 <= pitch < 30,
        "pitch-over-80": pitch > 80,
        "small-board": max(puzzle.height, puzzle.width) < 6,
        "large-board": max(puzzle.height, puzzle.width) > 14,
        "empty-rows": len(rows) < puzzle.height or len(columns) < puzzle.width,
        "at-the-edge": min(look.left, look.top) - look.margin < 3,
    }.items():
        if yes:
            tags.add(name)
    return tags


def _finish(
    rng: Random, sheet: NDArray[np.uint8], board: Board, tags: set[str], content: Content, links: Links
) -> Sample:
    """Overlays, enlargement and damage; the truth in the pixels of the result."""
    look = board.look
    image = np.ascontiguousarray(sheet[..., ::-1])
    if look.enlarged != 1:
        image = damage.enlarge(image, look.enlarged)
    if rng.random() < 0.08 and (tip := _tip(rng, board)):
        damage.pointer(rng, image, tip)
        tags.add("pointer")
    size = (image.shape[1], image.shape[0])
    pitch, ink = look.pitch * look.enlarged, look.ink * look.enlarged
    chosen = damage.degradations(
        rng, look.side, ink=ink, pitch=pitch, least=look.face.least + 1, size=size, pitches=(SMALLEST, LARGEST)
    )
    image, grown_by = damage.degrade(rng, image, chosen, ink=ink, contrast=look.colours.contrast)
    tags |= set(chosen)
    scale = look.enlarged * grown_by
    places = {}
    for cell in board.puzzle.islands:
        x, y = (v * scale for v in board.middle(cell))
        half = look.radius * scale
        places[cell] = Box(round(x - half), round(y - half), max(round(2 * half), 1), max(round(2 * half), 1))
    return Sample(
        np.ascontiguousarray(image), format_puzzle(board.puzzle), frozenset(tags), places, content=content.origin,
        face=look.face.family, links={(a, b): n for (a, b), n in links.items()},
    )  # fmt: skip


def _tip(rng: Random, board: Board) -> tuple[float, float] | None:
    """Where the pointer's tip may stand, in the enlarged window: over an island, hiding at most a third of its number
    and of every other."""
    look = board.look
    scale = look.enlarged
    cells = sorted(board.puzzle.islands)
    half, radius = 0.5 * look.ink * scale, look.radius * scale
    for _ in range(20):
        x, y = (v * scale for v in board.middle(cells[int(rng.integers(len(cells)))]))
        tip = (within(rng, x - radius, x + radius), within(rng, y - radius, y + radius))
        for other in cells:
            x, y = (v * scale for v in board.middle(other))
            across = min(tip[0] + damage.POINTER_SIZE[0], x + 0.7 * half) - max(tip[0], x - 0.7 * half)
            down = min(tip[1] + damage.POINTER_SIZE[1], y + half) - max(tip[1], y - half)
            if across > 0 and down > 0 and across * down > 0.33 * 1.4 * half * 2 * half:
                break
        else:
            return tip
    return None


# Samples --------------------------------------------------------------------------------------------------------------

PLAY = {"none": 4.0, "partial": 4.0, "solved": 2.0}


def _sample(seed: int, side: Side, play: str) -> Sample:
    for attempt in range(300):
        # A look that cannot show this board legibly is drawn again; after many tries another board takes its place.
        rng = strange.stream(seed, "islands", side, str(attempt // 10))
        content = generated(rng) if rng.random() < 0.6 else grown(rng)
        if rng.random() < 0.2:
            content = padded(rng, content)
        if len(content.puzzle.islands) < 5:
            continue
        links = played(strange.stream(seed, "played", side, str(attempt // 10)), content, play)
        look = look_for(strange.stream(seed, "look", side, str(attempt)), seed + 7919 * attempt, side, content, links)
        if look is None:
            continue
        sheet, board, around = _window(strange.stream(seed, "window", side), look, content.puzzle, links)
        tags = _tags(look, content, links, play if links or play == "none" else "none")
        return _finish(strange.stream(seed, "finish", side), sheet, board, tags | around, content, links)
    raise RuntimeError(f"no look was found for the board of seed {seed}")


def picture(seed: int, side: Side = "development") -> Sample:
    """A board before, in the middle of or after play; the window follows from ``seed`` alone (and from the typefaces
    that there are)."""
    play = choose(strange.stream(seed, "play", side), PLAY)
    return replace(_sample(seed, side, play), name=f"{side}-board-{seed}")


# What is no board, or not the whole of one ----------------------------------------------------------------------------


def cut_off(seed: int, side: Side = "development") -> Sample:
    """A board of which some rows or columns, islands among them, lie outside of the window. It is not to be played, so
    its ``text`` is empty."""
    rng = strange.stream(seed, "cut", side)
    for attempt in range(60):
        whole = picture(seed + 611_953 * attempt, side)
        edge = choose(rng, {"right": 3.0, "bottom": 3.0, "left": 1.0, "top": 1.0})
        along = 0 if edge in ("left", "right") else 1
        middles = sorted({box.centre[along] for box in whole.places.values()})
        if len(middles) < 4:
            continue
        gone = int(rng.integers(1, len(middles) // 2 + 1))
        if edge in ("left", "top"):
            at = round(within(rng, middles[gone - 1] + 1, middles[gone]))
            kept = Box(at * (along == 0), at * (along == 1), whole.image.shape[1], whole.image.shape[0])
        else:
            at = round(within(rng, middles[-gone - 1], middles[-gone] - 1))
            kept = Box(0, 0, at if along == 0 else whole.image.shape[1], at if along == 1 else whole.image.shape[0])
        image = np.ascontiguousarray(kept.crop(whole.image))
        if min(image.shape[:2]) < 90:
            continue
        left = {cell: box for cell, box in whole.places.items() if kept.contains(box.centre)}
        spans = [((box.x, box.y)[along], (box.x, box.y)[along] + box.width) for box in whole.places.values()]
        through = any(first + 2 < at < last - 2 for first, last in spans)
        numbers = tokens_of(whole.text)
        # A clean cut through water is seen by what is left alone: it has no solution.
        if len(left) < 4 or (not through and not _hopeless({cell: int(numbers[cell]) for cell in left})):
            continue
        tags = {"cut-through-islands" if through else "cut-between-islands", f"cut-{edge}"}
        tags |= {tag for tag in whole.conditions if tag.startswith("play-")}
        return replace(
            whole, image=image, text="", conditions=frozenset(tags), places={}, links=None, name=f"{side}-cut-{seed}"
        )
    raise RuntimeError(f"no cut was found for the board of seed {seed}")


def _hopeless(numbers: Mapping[Cell, int]) -> bool:
    height, width = max(r for r, _ in numbers) + 1, max(c for _, c in numbers) + 1
    return bool(faults(Puzzle(tuple(tuple(numbers.get((r, c), 0) for c in range(width)) for r in range(height)))))


def not_a_board(seed: int, side: Side = "development") -> Sample:
    """Something else than this game: menus, text, photos, other games, nothing at all; numbers in discs, too."""
    from bench.reading import elsewhere

    rng = strange.stream(seed, "elsewhere", side)
    name, image = _round_numbers(rng, seed, side) if rng.random() < 0.25 else elsewhere.anything(rng, seed, side)
    return Sample(image, "", frozenset({f"not-{name}"}), {}, name=f"{side}-elsewhere-{seed}")


def _round_numbers(rng: Random, seed: int, side: Side) -> tuple[str, Image]:
    """Numbers in discs that are no islands: the keys of a telephone, the pages of a list, the steps of a recipe."""
    kind = choose(rng, {"keypad": 1.0, "pages": 1.0, "steps": 1.0})
    width, height = strange.WINDOWS[int(rng.integers(len(strange.WINDOWS)))]
    colours = palette.theme(rng, filled=True, apart=14.0)
    sheet = grounds.ground(rng, "plain", (width, height), colours)
    canvas = Canvas(sheet, crisp=False, hinted=rng.random() < 0.5, snap=rng.random() < 0.6)
    face = strange.face_for(rng, seed, side, False)
    rows, columns = {"keypad": (4, 3), "pages": (1, int(rng.integers(4, 9))), "steps": (int(rng.integers(3, 8)), 1)}[
        kind
    ]
    pitch = min(0.9 * width / columns, 0.9 * height / rows, within(rng, 30, 110))
    left, top = (width - pitch * (columns - 1)) / 2, (height - pitch * (rows - 1)) / 2
    if kind == "steps":
        left = pitch
    radius = pitch * within(rng, 0.25, 0.45)
    ink = legible_on(colours.fill, colours.ink, 60)
    for i in range(min(rows * columns, 11)):
        x, y = left + (i % columns) * pitch, top + (i // columns) * pitch
        label = (i + 1) if i < 9 else 0
        if kind == "keypad" and i == 9:
            continue  # the star
        canvas.disc(x, y, radius, colours.fill)
        canvas.disc(x, y, radius, colours.wall, max(radius * 0.08, 1.0))
        canvas.glyph(face, str(label), x, y, max(radius * 0.9, face.least), ink, True)
        if kind == "steps":
            words = str(rng.choice(["Open the file", "Press start", "Choose a level", "Connect all islands", "Done"]))
            canvas.words(words, x + radius * 1.6, y, max(radius * 0.7, 9), colours.ink, "lm")
    return kind, np.ascontiguousarray(canvas.finish()[..., ::-1])


FULL = 0.34
"""The part of a board's places that are islands, where they are close together."""


def plain(rows: int, columns: int, size: tuple[int, int]) -> Sample:
    """A board of this size before play in an everyday light window, as full of islands as the generator makes them: for
    timing."""
    rng = strange.stream(rows * 100 + columns, "plain")
    content = Content(generator.generate(rows, columns, rows * 100 + columns, islands=FULL), "generated", {})
    pitch = float(int(0.85 * min(size[0] / columns, size[1] / rows)))
    paper, black = (250, 250, 250), (20, 20, 20)
    accents = tuple(palette.toned(hue, 0.8, 130) for hue in palette.ACCENT_HUES)
    look = Look(
        side="development", size=size, across=pitch, down=pitch, left=(size[0] - (columns - 1) * pitch) / 2,
        top=(size[1] - (rows - 1) * pitch) / 2, margin=0.6 * pitch, shape="circle", paint="ring", grid="grid-none",
        grid_colour=paper, grid_thick=1.0, double="double-lines", done="done-same", errors=False, radius=0.42 * pitch,
        ring=max(0.05 * pitch, 1.0), fill=paper, ring_colour=black, value_colours=False, bridge_colour=black,
        bridge_thick=2.0, bridge_gap=3.0, short=0.0, candidates="", crosses=False, cursor="", ground="plain",
        ink=0.4 * pitch, tight=False, frame="", crisp=False, hinted=True, snap=True, enlarged=1.0, share=0.0,
        colours=Theme("light", paper, paper, black, black, accents, 230.0),
        face=pick("development", "installed", "plain"),
    )  # fmt: skip
    canvas = Canvas(grounds.ground(rng, "plain", size, look.colours), crisp=False, hinted=True, snap=True)
    board = Board(canvas, look, content.puzzle, {}, rng)
    board.draw()
    places = {}
    for cell in content.puzzle.islands:
        x, y = board.middle(cell)
        places[cell] = Box(
            round(x - look.radius), round(y - look.radius), round(2 * look.radius), round(2 * look.radius)
        )
    image = np.ascontiguousarray(canvas.finish()[..., ::-1])
    text = format_puzzle(content.puzzle)
    return Sample(
        image, text, frozenset(), places, content=content.origin, face=look.face.family, name="plain", links={}
    )


def tokens_of(text: str) -> dict[Cell, str]:
    """Each island of a puzzle's text, with its number."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {(r, c): n for r, line in enumerate(lines) for c, n in enumerate(line) if n not in ".0"}


# How boards are compared ----------------------------------------------------------------------------------------------


def _kept(text: str) -> tuple[list[int], list[int], list[str]]:
    """The rows and the columns of a text that hold an island, and the text without the others."""
    lines = [line.strip().replace("0", ".") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rows = [r for r, line in enumerate(lines) if set(line) != {"."}]
    columns = [c for c in range(len(lines[0])) if any(lines[r][c] != "." for r in rows)] if lines else []
    return rows, columns, ["".join(lines[r][c] for c in columns) for r in rows]


def same(a: str, b: str) -> bool:
    """Whether two texts are one board: empty rows and columns carry nothing, for what is neighbour to what does not
    change with them. (That two islands stand directly beside each other changes nothing in play either.)"""
    return _kept(a)[2] == _kept(b)[2]


def pairs(text: str) -> frozenset[tuple[Cell, Cell]]:
    return frozenset((a, b) for a, b in parse(text).bridges)


def standing(reading: Reading[Puzzle], sample: Sample) -> dict[tuple[Cell, Cell], int]:
    """The links of ``reading.extra["bridges"]``, by the truth's cells; an island that is none of the truth's has
    negative numbers."""
    seen: Mapping[Bridge, int] = reading.extra.get("bridges", {})
    names: dict[Cell, Cell] = {}
    if sample.places:
        for cell, box in reading.places.items():
            x, y = box.centre
            found = [c for c, spot in sample.places.items() if spot.contains((x, y))]
            near = min(
                found, key=lambda c: hypot(sample.places[c].centre[0] - x, sample.places[c].centre[1] - y), default=None
            )
            names[cell] = near if near is not None else (-1 - cell[0], -1 - cell[1])
    else:
        # Without places only a board that is right can be compared, by the order of its rows and columns.
        rows, columns, board = _kept(format_puzzle(reading.puzzle))
        true_rows, true_columns, truth = _kept(sample.text)
        if board != truth:
            return {((-1, -1), (-1, -1)): 1}
        for r, c in reading.puzzle.islands:
            names[r, c] = (true_rows[rows.index(r)], true_columns[columns.index(c)])
    lost = (-1, -1)
    ends = ((sorted((names.get(a, lost), names.get(b, lost))), n) for (a, b), n in seen.items() if n)
    return {(a, b): n for (a, b), n in ends}


# Real pictures --------------------------------------------------------------------------------------------------------


def _links(text: str) -> dict[tuple[Cell, Cell], int]:
    numbers = [tuple(map(int, part.split())) for part in text.split(",") if part.strip()]
    return {((r1, c1), (r2, c2)): n for r1, c1, r2, c2, n in numbers}


REAL_LINKS: Mapping[str, Mapping[tuple[Cell, Cell], int]] = {
    name: _links(text)
    for name, text in {
        "ailurust_puzzlebridges13": (
            "0 3 0 5 2, 0 5 0 7 2, 0 5 2 5 2, 1 6 1 9 2, 1 9 4 9 1, 2 5 2 8 2, 3 0 3 3 1, 3 0 6 0 1, 3 3 3 6 "
            "1, 3 3 7 3 1, 4 2 6 2 1, 4 5 4 9 1, 4 5 6 5 1, 4 9 7 9 1, 6 0 6 2 2, 6 0 8 0 1, 6 5 6 8 1, 7 1 7 "
            "3 1, 7 3 9 3 1, 7 9 9 9 2, 8 0 8 2 2, 9 1 9 3 1 "
        ),
        "ailurust_puzzlebridges14": (
            "0 3 0 5 2, 0 5 0 7 2, 0 5 2 5 2, 1 6 1 9 2, 1 9 4 9 1, 2 5 2 8 2, 3 0 3 3 1, 3 0 6 0 1, 3 3 3 6 "
            "1, 3 3 7 3 1, 4 2 6 2 1, 4 5 4 9 1, 4 5 6 5 1, 4 9 7 9 1, 6 0 6 2 2, 6 0 8 0 1, 6 5 6 8 1, 7 1 7 "
            "3 1, 7 3 7 9 1, 7 3 9 3 1, 7 9 9 9 1, 8 0 8 2 2, 9 1 9 3 1 "
        ),
        "ailurust_puzzlebridges5": "6 12 12 12 2, 10 0 14 0 2, 12 9 12 12 2, 12 12 12 14 2, 14 0 14 5 2",
        "arkareem_bridges_solved": (
            "0 5 0 14 1, 0 14 3 14 2, 1 0 1 7 1, 1 0 5 0 1, 1 7 1 10 2, 1 7 4 7 1, 1 10 1 13 2, 2 3 2 5 2, 2 "
            "5 4 5 2, 3 1 4 1 1, 3 8 3 10 1, 3 10 3 14 1, 3 14 10 14 1, 4 1 4 3 1, 4 3 4 5 2, 4 5 4 7 2, 4 7 "
            "4 10 1, 4 10 4 12 1, 4 10 14 10 1, 5 0 5 4 1, 5 4 5 8 1, 5 11 7 11 2, 7 0 7 6 2, 7 6 7 9 2, 7 6 "
            "14 6 1, 7 9 13 9 1, 7 11 10 11 2, 9 1 9 5 1, 9 1 14 1 2, 9 5 13 5 2, 10 2 10 4 1, 10 2 13 2 1, "
            "10 4 14 4 1, 10 11 10 14 1, 10 11 13 11 2, 10 14 14 14 2, 14 1 14 4 2, 14 4 14 6 1, 14 6 14 10 "
            "1, 14 10 14 14 2 "
        ),
        "lukalambrecht_example": "",
        "lukalambrecht_unsolved": "",
        "matejgerek_game2": (
            "0 0 0 3 1, 0 0 3 0 1, 0 3 0 5 1, 0 3 2 3 1, 1 2 3 2 1, 1 4 1 6 2, 1 4 3 4 2, 1 6 3 6 1, 3 0 3 2 "
            "2, 3 0 5 0 1, 3 2 3 4 2, 3 2 5 2 2, 3 4 3 6 1, 3 4 5 4 1, 3 6 6 6 1, 4 3 6 3 1, 5 0 5 2 1, 6 1 6 "
            "3 1, 6 3 6 6 1 "
        ),
        "taleroangel_game": "0 0 0 1 1, 0 0 2 0 1, 0 1 0 3 1, 0 1 2 1 1, 0 3 0 5 1, 0 3 3 3 1, 4 2 4 6 1, 6 4 6 6 1",
        "varaujo_small1": "",
        "varaujo_small2": "0 0 0 3 1, 0 3 0 6 2, 0 3 4 3 1, 0 6 4 6 2, 2 0 2 2 1, 4 0 6 0 1, 4 3 6 3 2, 6 0 6 3 2",
        "varaujo_small3": (
            "0 0 0 3 1, 0 0 2 0 1, 0 3 0 6 2, 0 3 4 3 2, 0 6 4 6 2, 2 0 2 2 1, 4 0 4 3 1, 4 0 6 0 1, 4 3 6 3 "
            "2, 4 6 6 6 2, 6 0 6 3 2, 6 3 6 6 2 "
        ),
    }.items()
}
"""The links that stand in the real pictures, by row, column, row, column and number, seen with the eye; a picture with
too many to count by eye has none here."""

FORM = Form(tokens_of, same, pairs, standing)
RIVALS = circles.RIVALS
SERIES = (
    Series(
        "cut off",
        "boards cut off by the window's edge ('unreadable' is right; WRONG would be played)",
        cut_off,
        1 / 4,
        "",
    ),
    Series("no boards", "no board at all ('unreadable' is right; WRONG would be played)", not_a_board, 1 / 2, ""),
)
