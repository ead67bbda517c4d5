"""A board of Cardinal Chains, drawn in one look."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle
from bench.reading import palette
from bench.reading.canvas import Canvas
from bench.reading.cardinal_chains_boards import Chains
from bench.reading.cardinal_chains_looks import Look
from bench.reading.faces import crosses
from bench.reading.palette import legible_on, luma, mix
from bench.reading.strange import Area, Colour, Random, within


class Board:
    """One board being drawn in one look."""

    def __init__(self, canvas: Canvas, look: Look, puzzle: Puzzle, rng: Random) -> None:
        self.canvas, self.look, self.puzzle = canvas, look, puzzle
        self.fills: dict[Cell, Colour] = {}
        hues = rng.permutation(12)
        base = luma(look.colours.fill)
        for cell, value in puzzle.cells.items():
            self.fills[cell] = look.colours.fill
            if look.value_colours and value:
                hue = float(hues[value % 12]) / 12
                self.fills[cell] = palette.toned(hue, 0.55, min(max(base, 50), 215) + 7 * (value % 3 - 1))
        self.tints = {s: look.colours.accents[i % len(look.colours.accents)] for i, s in enumerate(puzzle.starts)}
        self.strokes = {s: self._stroke(tint) for s, tint in self.tints.items()}
        self.cross_thick = within(rng, 0.1, 0.2)
        self.cross_size = within(rng, 0.8, 1.0)
        self.disc_size = within(rng, 0.38, 0.46)
        self.dot_hollow = rng.random() < 0.5

    def _stroke(self, tint: Colour) -> Colour:
        """``tint`` made so light or dark that the digits, which stand half on it and half on their cell, still show."""
        ink, fill = luma(self.look.colours.ink), luma(self.look.colours.fill)
        return tint if abs(luma(tint) - ink) > 0.55 * abs(fill - ink) else mix(tint, self.look.colours.fill, 0.65)

    def area(self, cell: Cell) -> Area:
        """The cell with half of each wall or gap around it."""
        look = self.look
        x, y = look.left + cell[1] * look.pitch, look.top + cell[0] * look.pitch
        return x, y, x + look.pitch, y + look.pitch

    def tile(self, cell: Cell) -> Area:
        """What the cell paints: its area without the gap."""
        x0, y0, x1, y1 = self.area(cell)
        half = self.look.gap / 2
        return x0 + half, y0 + half, x1 - half, y1 - half

    def lattice(self) -> Area:
        look, puzzle = self.look, self.puzzle
        return look.left, look.top, look.left + puzzle.width * look.pitch, look.top + puzzle.height * look.pitch

    def draw(self, chains: Chains = (), covering: str = "") -> None:
        look, canvas, colours = self.look, self.canvas, self.look.colours
        cells = self.puzzle.cells
        filled = colours.fill != colours.background or look.value_colours
        holes = [(r, c) for r in range(self.puzzle.height) for c in range(self.puzzle.width) if (r, c) not in cells]
        owners = {cell: chain[0] for chain in chains for cell in chain}
        if look.hole == "hole-block":
            shade = mix(colours.wall, colours.background, 0.35)
            for cell in holes:
                canvas.rectangle(self.tile(cell), shade, look.radius)
        boxes = [*cells, *holes] if look.hole == "hole-box" else list(cells)
        for cell in boxes:
            start = self.tints.get(cell)
            fill = self.fills.get(cell, colours.fill)
            if start and look.start in ("start-cell", "start-dot"):
                fill = start
            if cell in owners and covering == "fill":
                fill = self.tints[owners[cell]]
            if filled or fill != colours.fill:
                canvas.rectangle(self.tile(cell), fill, look.radius)
            self.fills[cell] = fill
        self._walls(boxes)
        if look.start == "start-outlined":
            for cell, tint in self.tints.items():
                inset = look.thick
                x0, y0, x1, y1 = self.tile(cell)
                area = (x0 + inset, y0 + inset, x1 - inset, y1 - inset)
                canvas.outline(area, tint, max(look.pitch * 0.06, 2), look.radius)
        if covering == "fill":
            self._join(chains, owners)
        for cell, tint in self.tints.items():
            x, y = self.middle(cell)
            if look.start == "start-disc":
                canvas.disc(x, y, look.pitch * self.disc_size - look.gap / 2, tint)
            elif look.start == "start-ring":
                canvas.disc(x, y, look.pitch * self.disc_size - look.gap / 2, tint, max(look.pitch * 0.05, 1.5))
        if covering == "line":
            self._lines(chains)
        for cell, value in cells.items():
            self._token(cell, value, covering, owners)

    def middle(self, cell: Cell) -> tuple[float, float]:
        x0, y0, x1, y1 = self.area(cell)
        return (x0 + x1) / 2, (y0 + y1) / 2

    def _walls(self, boxes: list[Cell]) -> None:
        look, canvas, wall = self.look, self.canvas, self.look.colours.wall
        if look.walls in ("walls-thick", "walls-thin", "walls-hairline", "walls-dashed"):
            for cell in boxes:
                x0, y0, x1, y1 = self.area(cell)
                for line in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
                    if look.walls == "walls-dashed":
                        count = 6
                        dx, dy = (line[2] - line[0]) / count, (line[3] - line[1]) / count
                        for i in range(0, count, 2):
                            at = (line[0] + i * dx, line[1] + i * dy)
                            canvas.bar((*at, at[0] + dx, at[1] + dy), wall, look.thick)
                    else:
                        canvas.bar(line, wall, look.thick)
        elif look.walls in ("walls-double", "walls-rounded"):
            for cell in boxes:
                canvas.outline(self.tile(cell), wall, look.thick, look.radius)
        elif look.walls == "walls-bevel":
            for cell in boxes:
                x0, y0, x1, y1 = self.tile(cell)
                t, fill = look.thick, self.fills[cell]
                light, dark = mix(fill, (255, 255, 255), 0.55), mix(fill, (0, 0, 0), 0.45)
                for area, shade in (
                    ((x0, y0, x1, y0 + t), light), ((x0, y0, x0 + t, y1), light),
                    ((x0, y1 - t, x1, y1), dark), ((x1 - t, y0, x1, y1), dark),
                ):  # fmt: skip
                    canvas.rectangle(area, shade)

    def _join(self, chains: Chains, owners: Mapping[Cell, Cell]) -> None:
        """The walls inside a chain vanish under its colour."""
        look = self.look
        inset = look.gap / 2 + look.thick
        for chain in chains:
            for a, b in pairwise(chain):
                ax, ay, _, _ = self.area(min(a, b))
                _, _, bx, by = self.area(max(a, b))
                area = (ax + inset, ay + inset, bx - inset, by - inset)
                self.canvas.rectangle(area, self.tints[chain[0]])

    def _lines(self, chains: Chains) -> None:
        """A thick line from the start through every cell."""
        thick = self.look.pitch * 0.28
        for chain in chains:
            self.canvas.line([self.middle(cell) for cell in chain], self.strokes[chain[0]], thick)

    def _token(self, cell: Cell, value: int, covering: str, owners: Mapping[Cell, Cell]) -> None:
        look, canvas, colours = self.look, self.canvas, self.look.colours
        x, y = self.middle(cell)
        x, y = x + look.shift[0], y + look.shift[1]
        under = self.fills[cell]
        covered = cell in owners and covering == "line"
        if covered or (value == START and look.start == "start-disc"):
            under = self.strokes[owners[cell]] if covered else self.tints[cell]
        ink = legible_on(under, colours.ink, min(colours.contrast * (0.5 if covered else 0.8), 80))
        height = look.ink
        if value != START:
            canvas.glyph(look.face, str(value), x, y, height, ink, look.tight)
            return
        if look.start == "start-dot":
            radius = look.pitch * 0.16
            canvas.disc(x, y, radius, ink, max(radius * 0.4, 1.2) if self.dot_hollow else 0)
            return
        if look.start in ("start-disc", "start-ring"):
            x, y = self.middle(cell)
            height = min(height, look.pitch * self.disc_size * 1.05)
        if look.start == "start-tinted" and not covered:
            tint = self.tints[cell]
            ink = tint if abs(luma(tint) - luma(under)) >= 45 else ink
        if look.drawn_cross and (not look.crisp or not crosses(look.face)):
            half = height * self.cross_size / 2
            thick = max(height * self.cross_thick, 1.2)
            canvas.line([(x - half, y - half), (x + half, y + half)], ink, thick)
            canvas.line([(x - half, y + half), (x + half, y - half)], ink, thick)
        else:
            if look.face.kind != "pixel":
                height = max(height, look.face.least)
            canvas.glyph(look.face, "X", x, y, height, ink, look.tight or look.start in ("start-disc", "start-ring"))
