"""A board of Cross Set, drawn in one look."""

from __future__ import annotations

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.puzzle import Puzzle
from bench.reading import palette
from bench.reading.canvas import Canvas
from bench.reading.cross_set_looks import SIGN_WIDTHS, Look, Mark, arranged
from bench.reading.palette import legible_on, luma, mix
from bench.reading.strange import Area, Colour, Random, choose


class Board:
    """One board being drawn in one look."""

    def __init__(self, canvas: Canvas, look: Look, puzzle: Puzzle, rng: Random) -> None:
        self.canvas, self.look, self.puzzle = canvas, look, puzzle
        singles = [(r, c) for r, row in enumerate(puzzle.rows) for c, cell in enumerate(row) if len(cell) == 1]
        others = [(r, c) for r, row in enumerate(puzzle.rows) for c, cell in enumerate(row) if len(cell) > 1]
        self.locked: set[Cell] = set()
        if look.locked:
            self.locked |= set(singles) if rng.random() < 0.6 else set()
            share = choose(rng, {0.0: 2.0, 0.1: 2.0, 0.35: 1.0})
            self.locked |= {cell for cell in others if rng.random() < share}
            if len(self.locked) == puzzle.size**2:
                self.locked.clear()
        self.cursor = (int(rng.integers(puzzle.size)), int(rng.integers(puzzle.size))) if look.cursor else None
        self.lock_colour = self._apart(look.colours.accents[0])
        self.accent = look.colours.accents[1]
        self.unfinished = (
            {(kind, i) for kind in ("row", "column") for i in range(puzzle.size) if rng.random() < 0.6}
            if look.dots
            else set()
        )

    def _apart(self, tint: Colour) -> Colour:
        """``tint``, or a shade of it, that is plainly another colour than a cell's."""
        fill = self.look.colours.fill
        if max(abs(a - b) for a, b in zip(tint, fill, strict=True)) > 50:
            return tint
        return palette.toned(0.0, 0.8, luma(fill) + (60 if luma(fill) < 128 else -60))

    def area(self, cell: Cell) -> Area:
        """The cell with half of each wall or gap around it."""
        look = self.look
        x, y = look.left + cell[1] * look.across, look.top + cell[0] * look.down
        return x, y, x + look.across, y + look.down

    def tile(self, cell: Cell) -> Area:
        x0, y0, x1, y1 = self.area(cell)
        half = self.look.gap / 2
        return x0 + half, y0 + half, x1 - half, y1 - half

    def lattice(self) -> Area:
        look, size = self.look, self.puzzle.size
        return look.left, look.top, look.left + size * look.across, look.top + size * look.down

    def fill(self, cell: Cell) -> Colour:
        return self.lock_colour if cell in self.locked and self.look.locked == "fill" else self.look.colours.fill

    def draw(self) -> None:
        look, canvas, colours = self.look, self.canvas, self.look.colours
        size = self.puzzle.size
        cells = [(r, c) for r in range(size) for c in range(size)]
        for cell in cells:
            fill = self.fill(cell)
            if fill != colours.background:
                canvas.rectangle(self.tile(cell), fill, look.radius)
        for cell in cells:
            self._wall(cell)
        if look.locked == "outline":
            for cell in self.locked:
                x0, y0, x1, y1 = self.tile(cell)
                inset = look.thick
                canvas.outline(
                    (x0 + inset, y0 + inset, x1 - inset, y1 - inset),
                    self.lock_colour,
                    max(look.pitch * 0.03, 1.0),
                    look.radius,
                )
        if self.cursor:
            thick = max(look.pitch * 0.04, 1.5)
            x0, y0, x1, y1 = self.tile(self.cursor)
            canvas.outline(
                (x0 - thick / 2, y0 - thick / 2, x1 + thick / 2, y1 + thick / 2), self.accent, thick, look.radius
            )
        for cell in cells:
            self._marks(cell)
        radius = 0.1 * look.down
        for kind, i in sorted(self.unfinished):
            x0, y0, x1, y1 = self.area((i, size - 1) if kind == "row" else (size - 1, i))
            x, y = (x1 + 2 * radius, (y0 + y1) / 2) if kind == "row" else ((x0 + x1) / 2, y1 + 2 * radius)
            canvas.disc(x, y, radius, self.accent)

    def _wall(self, cell: Cell) -> None:
        look, canvas, wall = self.look, self.canvas, self.look.colours.wall
        x0, y0, x1, y1 = self.area(cell)
        if look.walls in ("walls-thick", "walls-thin", "walls-hairline"):
            for line in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
                canvas.bar(line, wall, look.thick)
        elif look.walls == "walls-underlined":
            canvas.bar((x0 + 0.1 * look.across, y1, x1 - 0.1 * look.across, y1), wall, look.thick)
        elif look.walls in ("walls-rounded", "walls-framed-tiles"):
            canvas.outline(self.tile(cell), wall, look.thick, look.radius)
        elif look.walls == "walls-bevel":
            x0, y0, x1, y1 = self.tile(cell)
            t, fill = look.thick, self.fill(cell)
            light, dark = mix(fill, (255, 255, 255), 0.55), mix(fill, (0, 0, 0), 0.45)
            for area, shade in (
                ((x0, y0, x1, y0 + t), light), ((x0, y0, x0 + t, y1), light),
                ((x0, y1 - t, x1, y1), dark), ((x1 - t, y0, x1, y1), dark),
            ):  # fmt: skip
                canvas.rectangle(area, shade)

    def middle(self, cell: Cell) -> tuple[float, float]:
        x0, y0, x1, y1 = self.area(cell)
        return (x0 + x1) / 2, (y0 + y1) / 2

    def _marks(self, cell: Cell) -> None:
        look, colours = self.look, self.look.colours
        under = self.fill(cell)
        ink = legible_on(under, colours.ink, min(colours.contrast * 0.8, 80))
        if cell in self.locked and look.locked == "ink" and abs(luma(self.lock_colour) - luma(under)) > 45:
            ink = self.lock_colour
        x, y = self.middle(cell)
        for mark in arranged(look, self.puzzle.rows[cell[0]][cell[1]], self.puzzle.size):
            colour = ink
            if mark.active and look.active_tint and abs(luma(self.accent) - luma(under)) > 60:
                colour = self.accent
            if not mark.active:
                colour = mix(ink, under, look.dim)
            if mark.text in SIGN_WIDTHS:
                self._sign(mark, x, y, colour)
            else:
                self.canvas.glyph(look.face, mark.text, x + mark.x, y + mark.y, mark.height, colour, look.crisp)

    def _sign(self, mark: Mark, x: float, y: float, colour: Colour) -> None:
        """A comma or full stop, its foot at the line's; a dot in the middle of the line, or a slash as high as it."""
        r = max(mark.height * 0.08, 0.6)
        if mark.text == "/":
            x, y, half, lean = x + mark.x, y + mark.y, mark.height / 2, 0.14 * mark.height
            thick = max(0.6 * r, 0.5)
            corners = ((lean - thick, -half), (lean + thick, -half), (thick - lean, half), (-lean - thick, half))
            self.canvas.polygon([(x + dx, y + dy) for dx, dy in corners], colour)
            return
        if mark.text == "·":
            self.canvas.disc(x + mark.x, y + mark.y, r, colour)
            return
        x, y = x + mark.x, y + mark.y + mark.height / 2 - r
        self.canvas.disc(x, y, r, colour)
        if mark.text == ",":
            self.canvas.polygon([(x + r, y), (x - r * 1.4, y + 3 * r), (x - r * 0.3, y)], colour)
