"""Draws one board of Hashi in one look: islands, bridges, and what may stand between and around them."""

from __future__ import annotations

from math import cos, hypot, pi, sin

from autoplayer.core.frame import Cell
from autoplayer.games.hashi.puzzle import Bridge, Puzzle
from bench.reading import palette
from bench.reading.canvas import Canvas
from bench.reading.hashi_boards import Links
from bench.reading.hashi_looks import Look, difference
from bench.reading.palette import legible_on, luma, mix
from bench.reading.strange import Area, Colour, Random, within


class Board:
    """One board being drawn in one look."""

    def __init__(self, canvas: Canvas, look: Look, puzzle: Puzzle, links: Links, rng: Random) -> None:
        self.canvas, self.look, self.puzzle, self.links, self.rng = canvas, look, puzzle, links, rng
        self.tags: set[str] = set()
        self.has = dict.fromkeys(puzzle.islands, 0)
        for (a, b), n in links.items():
            self.has[a] += n
            self.has[b] += n
        self.hues = rng.permutation(9)
        self.special = sorted(puzzle.islands)[int(rng.integers(len(puzzle.islands)))]
        self.tint = look.colours.accents[int(rng.integers(len(look.colours.accents)))]

    def middle(self, cell: Cell) -> tuple[float, float]:
        return self.look.left + cell[1] * self.look.across, self.look.top + cell[0] * self.look.down

    def area(self) -> Area:
        """The board with its margin."""
        look = self.look
        x, y = self.middle((self.puzzle.height - 1, self.puzzle.width - 1))
        return look.left - look.margin, look.top - look.margin, x + look.margin, y + look.margin

    def draw(self) -> None:
        self._grid()
        self._candidates()
        for bridge, n in self.links.items():
            self._bridge(bridge, n)
        if self.look.cursor == "cursor-frame":
            self._frame()
        for cell in self.puzzle.islands:
            self._island(cell)
        if self.look.cursor == "cursor-corners":
            self._corners()
        if self.look.double.startswith("double-label"):
            for bridge, n in self.links.items():
                self._label(bridge, n)
                self.tags.add("bridge-labels")
        self._crosses()

    def _grid(self) -> None:
        look, canvas = self.look, self.canvas
        if look.grid == "grid-none":
            return
        rows, columns = self.puzzle.height, self.puzzle.width
        (x0, y0), (x1, y1) = self.middle((0, 0)), self.middle((rows - 1, columns - 1))
        hx, hy = look.across / 2, look.down / 2
        colour, thick = look.grid_colour, look.grid_thick
        if look.grid == "grid-between":
            for c in range(columns + 1):
                x = x0 - hx + c * look.across
                canvas.bar((x, y0 - hy, x, y1 + hy), colour, thick)
            for r in range(rows + 1):
                y = y0 - hy + r * look.down
                canvas.bar((x0 - hx, y, x1 + hx, y), colour, thick)
        elif look.grid in ("grid-centres", "grid-dashed"):
            over = look.margin * 0.8 if look.frame == "frame" else 0.0
            lines = [(x0 + c * look.across, y0 - over, x0 + c * look.across, y1 + over) for c in range(columns)]
            lines += [(x0 - over, y0 + r * look.down, x1 + over, y0 + r * look.down) for r in range(rows)]
            for line in lines:
                if look.grid == "grid-dashed":
                    self._dashes(line, colour, thick, 0.25 * look.pitch)
                else:
                    canvas.bar(line, colour, thick)
        else:
            size = max(0.04 * look.pitch, 1.0)
            for r in range(rows):
                for c in range(columns):
                    x, y = self.middle((r, c))
                    if look.grid == "grid-dots":
                        canvas.disc(x, y, size, mix(look.colours.background, look.colours.ink, 0.4))
                    else:
                        canvas.bar((x - 2 * size, y, x + 2 * size, y), colour, 1)
                        canvas.bar((x, y - 2 * size, x, y + 2 * size), colour, 1)

    def _dashes(self, line: Area, colour: Colour, thick: float, length: float) -> None:
        x0, y0, x1, y1 = line
        count = max(round(hypot(x1 - x0, y1 - y0) / max(length, 3.0)), 3) | 1
        dx, dy = (x1 - x0) / count, (y1 - y0) / count
        for i in range(0, count, 2):
            self.canvas.bar((x0 + i * dx, y0 + i * dy, x0 + (i + 1) * dx, y0 + (i + 1) * dy), colour, thick)

    def _ends(self, bridge: Bridge, short: float) -> Area:
        """Where a line between two islands runs, from edge to edge, shortened."""
        (x0, y0), (x1, y1) = self.middle(bridge.a), self.middle(bridge.b)
        off = self.look.radius + short
        return (x0 + off, y0, x1 - off, y1) if y0 == y1 else (x0, y0 + off, x1, y1 - off)

    def _candidates(self) -> None:
        """Faint lines where a bridge may come."""
        look, rng = self.look, self.rng
        if not look.candidates:
            return
        taken = {
            other for k, b in enumerate(self.puzzle.bridges) if b in self.links for other in self.puzzle.crossings[k]
        }
        # Where nothing stands, only lines along every way, crossing ones among them, show that they are no bridges.
        share = 1.0 if rng.random() < 0.6 or not self.links else within(rng, 0.2, 0.7)
        # Well below the faintest bridge: that of a finished island where those turn grey.
        strength = within(rng, 0.12, 0.22 if look.done == "done-grey" else 0.3)
        colour = mix(look.colours.background, look.colours.ink, strength)
        thick = max(look.bridge_thick, 1.5) if look.candidates == "pale" else 1.0
        for k, bridge in enumerate(self.puzzle.bridges):
            if bridge in self.links or k in taken or rng.random() > share:
                continue
            self.tags.add(f"candidates-{look.candidates}")
            line = self._ends(bridge, 0.0 if look.paint == "ring" else -0.1 * look.radius)
            if look.candidates == "dashed":
                self._dashes(line, colour, max(thick, 1.0), 0.15 * look.pitch)
            else:
                self.canvas.bar(line, colour, thick)

    def _bridge(self, bridge: Bridge, n: int) -> None:
        look = self.look
        line = self._ends(bridge, look.short)
        colour = look.bridge_colour
        ended = [self.has[cell] == self.puzzle.islands[cell] for cell in bridge]
        if look.done == "done-grey" and any(ended):
            colour = mix(look.colours.background, colour, 0.62)
        elif look.errors and any(self.has[cell] > self.puzzle.islands[cell] for cell in bridge):
            colour = self._red(look.colours.background)
        if look.double == "double-thick":
            self.canvas.bar(
                line, colour, look.bridge_thick if n == 1 else max(2.2 * look.bridge_thick, look.bridge_thick + 2)
            )
            return
        if n == 1 or look.double.startswith("double-label"):
            if look.double == "double-cased":
                self._band(line, look.bridge_thick * 3)
            self.canvas.bar(line, colour, look.bridge_thick)
            return
        off = (look.bridge_gap + look.bridge_thick) / 2
        if look.double == "double-cased":
            self._band(line, look.bridge_gap + 2 * look.bridge_thick)
        x0, y0, x1, y1 = line
        for sign in (-off, off):
            shifted = (x0, y0 + sign, x1, y1 + sign) if y0 == y1 else (x0 + sign, y0, x1 + sign, y1)
            self.canvas.bar(shifted, colour, look.bridge_thick)

    def _band(self, line: Area, thick: float) -> None:
        ground = self.look.colours.background
        self.canvas.bar(line, mix(ground, (255, 255, 255) if luma(ground) > 90 else (0, 0, 0), 0.8), thick)

    def _red(self, ground: Colour) -> Colour:
        red = (215, 25, 30)
        return red if difference(red, ground) > 60 else (255, 150, 140) if luma(ground) < 128 else (120, 0, 10)

    def _shape(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled island."""
        canvas, shape = self.canvas, self.look.shape
        if shape == "circle":
            canvas.disc(x, y, radius, colour)
        elif shape in ("square", "rounded"):
            box = (x - radius, y - radius, x + radius, y + radius)
            canvas.rectangle(box, colour, radius * 0.35 if shape == "rounded" else 0.0)
        else:
            canvas.polygon(self._corners_of(x, y, radius), colour)

    def _outline(self, x: float, y: float, radius: float, colour: Colour, ring: float) -> None:
        canvas, shape = self.canvas, self.look.shape
        if shape == "circle":
            canvas.disc(x, y, radius, colour, ring)
        elif shape in ("square", "rounded"):
            box = (x - radius, y - radius, x + radius, y + radius)
            canvas.outline(box, colour, ring, radius * 0.35 if shape == "rounded" else 0.0)
        else:
            corners = self._corners_of(x, y, radius - ring / 2)
            canvas.line([*corners, corners[0]], colour, ring)

    def _corners_of(self, x: float, y: float, radius: float) -> list[tuple[float, float]]:
        count, turn = {"hexagon": (6, 0.0), "octagon": (8, pi / 8), "diamond": (4, 0.0)}[self.look.shape]
        angles = [turn + 2 * pi * i / count for i in range(count)]
        return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]

    def _island(self, cell: Cell) -> None:
        look, colours = self.look, self.look.colours
        x, y = self.middle(cell)
        number, has = self.puzzle.islands[cell], self.has[cell]
        fill, ring, ink = look.fill, look.ring_colour, colours.ink
        filled = look.paint != "ring"
        if look.value_colours:
            fill = palette.toned(float(self.hues[number]) / 9, 0.6, min(max(luma(fill), 60), 205))
            if difference(fill, colours.background) < 35:
                fill = look.fill
        if look.cursor == "locked" and cell == self.special:
            self.tags.add("locked")
            shade = (255, 255, 255) if luma(fill) < 225 else (190, 190, 190)
            fill, filled = shade if look.paint != "disc" or difference(shade, colours.background) > 40 else fill, True
        finished, wrong = bool(self.links) and has == number, bool(self.links) and has > number
        if finished and look.done != "done-same":
            self.tags.add(look.done)
            if look.done == "done-filled":
                fill, filled = mix(fill, self.tint, 0.5), True
            elif look.done == "done-tick-colour":
                ring = self.tint if difference(self.tint, colours.background) > 60 else ring
        ink = legible_on(fill if filled else colours.background, ink, min(0.8 * colours.contrast, 80))
        if finished and look.done == "done-grey":
            under = fill if filled else colours.background
            ink = mix(under, ink, max(0.5, min(45 / max(difference(under, ink), 1), 1)))
        if finished and look.done == "done-faint-ring":
            ring = mix(colours.background, ring, max(0.5, min(40 / max(difference(colours.background, ring), 1), 1)))
        if wrong and look.errors:
            self.tags.add("errors")
            ink, ring = (self._red(fill if filled else colours.background), self._red(colours.background))
        if filled:
            inset = look.ring / 2 if look.ring else 0.0
            self._shape(x, y, look.radius - inset, fill)
        if look.ring:
            self._outline(x, y, look.radius, ring, look.ring)
            if look.paint == "ring-double":
                self._outline(x, y, look.radius - 2 * look.ring, ring, look.ring)
        self.canvas.glyph(look.face, str(number), x, y, look.ink, ink, look.tight)

    def _frame(self) -> None:
        look = self.look
        x, y = self.middle(self.special)
        half = max(look.radius * 1.12 + 1, 0.5 * look.pitch)
        self.tags.add(look.cursor)
        colour = self.tint if difference(self.tint, look.colours.background) > 50 else look.colours.ink
        self.canvas.outline((x - half, y - half, x + half, y + half), colour, max(1.0, 0.03 * look.pitch))

    def _corners(self) -> None:
        look = self.look
        x, y = self.middle(self.special)
        half = max(look.radius * 1.08 + 1, 0.5 * look.pitch)
        self.tags.add(look.cursor)
        for sx in (-1, 1):
            for sy in (-1, 1):
                cx, cy = x + sx * half, y + sy * half
                across = (min(cx, cx - sx * half * 0.4), cy, max(cx, cx - sx * half * 0.4), cy)
                down = (cx, min(cy, cy - sy * half * 0.4), cx, max(cy, cy - sy * half * 0.4))
                for line in (across, down):
                    self.canvas.bar(line, look.colours.ink, max(1.0, 0.03 * look.pitch))

    def _label(self, bridge: Bridge, n: int) -> None:
        """The number of links in a small disc on the middle of the bridge, which is no island."""
        look = self.look
        (x0, y0), (x1, y1) = self.middle(bridge.a), self.middle(bridge.b)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        fill = mix(look.bridge_colour, look.colours.background, 0.25)
        size = max(look.radius * 0.55, 0.65 * (look.face.least + 2))
        room = (abs(x1 - x0) + abs(y1 - y0)) / 2 - look.radius
        size = min(size, max(room, 4.0))
        if look.double == "double-label":
            self.canvas.disc(x, y, size, fill)
        else:
            self.canvas.rectangle((x - size, y - size, x + size, y + size), fill)
        self.canvas.glyph(look.face, str(n), x, y, size * 1.1, legible_on(fill, look.colours.ink, 70), True)

    def _crosses(self) -> None:
        """Small green crosses between islands: no bridge here."""
        look = self.look
        if not look.crosses:
            return
        standing = {
            other for k, b in enumerate(self.puzzle.bridges) if b in self.links for other in self.puzzle.crossings[k]
        }
        green = (20, 150, 40) if luma(look.colours.background) > 100 else (90, 220, 110)
        for k, bridge in enumerate(self.puzzle.bridges):
            if bridge in self.links or k in standing or self.rng.random() > 0.25:
                continue
            self.tags.add("no-bridge-marks")
            x0, y0, x1, y1 = self._ends(bridge, 0.0)
            x, y, half = (x0 + x1) / 2, (y0 + y1) / 2, 0.1 * look.pitch
            for sign in (-1, 1):
                ends = [(x - half, y - sign * half), (x + half, y + sign * half)]
                self.canvas.line(ends, green, max(0.04 * look.pitch, 1.0))
