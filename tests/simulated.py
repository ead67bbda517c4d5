"""A simulated window without a display: a board of Cardinal Chains that behaves like real windows, drawn with OpenCV,
with a simulated clock. Session and player are tested with it; its ``log`` records what happened to each level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import cv2
import numpy as np

from autoplayer.core.errors import StoppedError, UnreadableError
from autoplayer.core.frame import Box, Cell, Frame, Image, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Hold, Keys, Pace
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains import CardinalChains
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle, parse
from autoplayer.layout import Layout
from autoplayer.session import LevelResult, Session

Colour = tuple[int, int, int]

GAME = "cardinal-chains"
LEVELS = ("X 1 1\n2 2 1\n3 3 3", "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3", "3 3 2\n1 1 2\n2 X X")

PALETTE: tuple[Colour, ...] = ((92, 106, 226), (214, 158, 86), (104, 184, 120), (78, 186, 238))
"""BGR, one a chain."""


def several(levels: Sequence[str], count: int) -> list[str]:
    """``count`` levels: those given, then the same upside down, then with their rows read from the right."""

    def changed(k: int) -> str:
        rows = levels[k % len(levels)].splitlines()
        rows = rows[::-1] if k // len(levels) % 2 else rows
        return "\n".join(" ".join(row.split()[::-1]) if k // len(levels) // 2 % 2 else row for row in rows)

    return [changed(k) for k in range(count)]


DIALOG_LEVELS = (LEVELS[1], "X 3 4 4\n2 3 4 4\n2 3 X 4\n2 3 4 4", several(LEVELS, 6)[4])
"""Boards with room for a dialog."""


def dimmed(picture: Image, share: float) -> Image:
    """``picture`` with all its values times ``share``, rounded; a table is several times as fast as a product."""
    return np.asarray(cv2.LUT(picture, np.rint(np.arange(256) * share).astype(np.uint8)), np.uint8)


def same(one: Image, other: Image) -> bool:
    """Whether two pictures are equal; a third of the time that NumPy takes."""
    return one.shape == other.shape and cv2.norm(one, other, cv2.NORM_INF) == 0


@dataclass(frozen=True)
class Look:
    """How the window draws. ``breath``: by how much all colours swing with time."""

    ground: Colour = (235, 235, 235)
    ink: Colour = (40, 40, 40)
    chains: tuple[Colour, ...] = PALETTE
    coloured_starts: bool = True
    lines: bool = False
    translucent: float = 1.0
    breath: int = 0
    pitch: int = 60
    origin: Point = (120, 40)
    size: tuple[int, int] = (640, 480)


WIDE = Look(origin=(300, 60), size=(700, 480))
"""A window with room beside the board."""

INK = (40, 40, 40)


def text(picture: Image, words: str, at: Point, size: float = 0.5, colour: tuple[int, int, int] = INK) -> None:
    cv2.putText(picture, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)


@dataclass
class Simulated:
    """A screen, in the sense of ``autoplayer.screen.base``, and the window behind it."""

    levels: Sequence[str]
    look: Look = field(default_factory=Look)
    advance: str = "auto"
    flash: float = 1.0
    keys: bool = False
    active: int = 0
    drop_every: int = 0
    least_step: float = 0.0
    """A drag whose steps are quicker than this loses every second one."""
    late: float = 0.0
    """Seconds from the win until the button, or the dialog, shows itself and can be pressed."""
    scene: bool = False
    """Whether the dialog takes the whole window."""
    shade: float = 0.0
    """By how much the dialog darkens all the rest of the window."""
    boxed: bool = True
    """Whether the dialog has a box; else its words and its button stand on the window itself."""
    clicks: bool = False
    """Whether chains are drawn by clicks on cell after cell, and drags are not understood."""
    next_key: str | None = None
    """The key that leads on when a level is won; see ``advance``, which is then ``key``."""
    deaf: bool = False
    """Whether nothing that is done has any effect."""
    stop_after: int | None = None
    """The person takes the mouse before this gesture."""
    title: str = "simulated"

    def __post_init__(self) -> None:
        self.clock = 0.0
        self.level = 0
        self.log: list[tuple[str, object]] = []
        self.gestures: list[Gesture] = []
        self.paces: list[Pace] = []
        self.stray: list[Point] = []
        self.parked: Point | None = None
        self._steps = 0
        self._chosen: int | None = None
        self._drawn: tuple[object, Image] | None = None
        """What the window showed last, and the picture of that."""
        self._begin(0)

    # --- the window

    def _begin(self, level: int) -> None:
        self.level = level
        self.puzzle = parse(self.levels[level])
        self.chains = [[start] for start in self.puzzle.starts]
        self.touched: set[int] = set()
        self.won_at: float | None = None
        self._chosen = None
        self.log.append(("level", level))

    @property
    def places(self) -> dict[Cell, Box]:
        (x, y), pitch = self.look.origin, self.look.pitch
        return {(r, c): Box(x + c * pitch, y + r * pitch, pitch, pitch) for r, c in self.puzzle.cells}

    @property
    def leads_on(self) -> bool:
        """Whether the button is there to be pressed."""
        return self.won_at is not None and self.clock >= self.won_at + self.late

    @property
    def dialog(self) -> Box:
        """Where the dialog covers the board: about the middle two thirds."""
        boxes = self.places.values()
        left, top = min(b.x for b in boxes), min(b.y for b in boxes)
        right, bottom = max(b.x + b.width for b in boxes), max(b.y + b.height for b in boxes)
        pitch = self.look.pitch
        return Box(
            left + pitch // 5, top + 4 * pitch // 5, right - left - 2 * pitch // 5, bottom - top - 8 * pitch // 5
        )

    @property
    def button(self) -> Point:
        width, height = self.look.size
        if self.advance == "dialog":
            x, y = self.dialog.centre
            return x, y + self.dialog.height // 4
        return width - 50, height // 2

    def _at(self, point: Point) -> Cell | None:
        return next((cell for cell, box in self.places.items() if box.contains(point)), None)

    def _owner(self, cell: Cell) -> int | None:
        return next((k for k, chain in enumerate(self.chains) if cell in chain), None)

    def _press(self, point: Point) -> int | None:
        cell = self._at(point) if self.advance != "dialog" or not self.leads_on else None
        if cell is None:
            near = abs(point[0] - self.button[0]) < 20 and abs(point[1] - self.button[1]) < 20
            if near and self.advance in ("button", "dialog") and self.leads_on and self.level + 1 < len(self.levels):
                self._begin(self.level + 1)
            else:
                self.stray.append(point)
            return None
        held = self._owner(cell)
        if self.clicks:
            if held is None and self._chosen is not None:
                self._step(self._chosen, cell, Pace())
                return None
            self._chosen = held
        if held is not None:
            self.touched.add(held)
            del self.chains[held][self.chains[held].index(cell) + 1 :]
        return held

    def _step(self, number: int, cell: Cell | None, pace: Pace) -> None:
        chain = self.chains[number]
        head = chain[-1]
        if cell is None or cell == head or self.won_at is not None:
            return
        if len(chain) > 1 and cell == chain[-2]:
            chain.pop()
            return
        value = self.puzzle.cells.get(cell, START)
        if abs(cell[0] - head[0]) + abs(cell[1] - head[1]) != 1 or cell in chain:
            return
        if value == START or value < self.puzzle.cells[head]:
            self.log.append(("illegal", cell))
            return
        self._steps += 1
        if self.drop_every and self._steps % self.drop_every == 0:
            return
        if pace.step < self.least_step and self._steps % 2 == 0:
            return
        robbed = self._owner(cell)
        if robbed is not None:
            del self.chains[robbed][self.chains[robbed].index(cell) :]
        chain.append(cell)
        self.touched.add(number)
        if sum(map(len, self.chains)) == len(self.puzzle.cells):
            self.won_at = self.clock
            self.log.append(("won", self.level))

    def _tick(self, seconds: float) -> None:
        self.clock += seconds
        flashed = self.won_at is not None and self.clock > self.won_at + self.flash
        if flashed and self.advance == "auto" and self.level + 1 < len(self.levels):
            self._begin(self.level + 1)

    @property
    def flashing(self) -> bool:
        """Whether the win is being shown."""
        return self.won_at is not None and self.clock <= self.won_at + self.flash and self.advance == "auto"

    def image(self) -> Image:
        """What the window shows; drawn anew only after a change, because the session captures it many times."""
        shown = (
            self.look, self.puzzle, tuple(map(tuple, self.chains)), frozenset(self.touched), self.flashing,
            tuple(self.places.values()), self.advance, self.leads_on, self.shade, self.scene, self.boxed,
        )  # fmt: skip
        if self._drawn is None or self._drawn[0] != shown:
            self._drawn = shown, self._draw()
        picture = self._drawn[1]
        if self.look.breath:
            swing = int(self.look.breath * np.sin(self.clock * 7))
            return np.clip(picture.astype(int) + swing, 0, 255).astype(np.uint8)
        return picture.copy()

    def _draw(self) -> Image:
        look = self.look
        width, height = look.size
        picture = np.full((height, width, 3), look.ground, np.uint8)
        owner = {cell: k for k, chain in enumerate(self.chains) for cell in chain}
        for cell, box in self.places.items():
            shown = look.coloured_starts or owner.get(cell) in self.touched
            number = owner.get(cell) if self.puzzle.cells[cell] != START or shown else None
            corner = (box.x + box.width - 1, box.y + box.height - 1)
            if number is not None and not look.lines:
                mixed = np.array(look.chains[number]) * look.translucent + np.array(look.ground) * (
                    1 - look.translucent if self.puzzle.cells[cell] != START else 0
                )
                whole = mixed if self.puzzle.cells[cell] != START else np.array(look.chains[number])
                cv2.rectangle(picture, (box.x, box.y), corner, tuple(float(v) for v in whole), -1)
            cv2.rectangle(picture, (box.x, box.y), corner, look.ink, max(look.pitch // 30, 1))
            value = self.puzzle.cells[cell]
            text = "X" if value == START else str(value)
            scale = look.pitch / 60 * (1.0 if len(text) == 1 else 0.7)
            (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 2)
            x, y = box.centre
            cv2.putText(picture, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, scale, look.ink, 2)
            if number is not None and look.lines and value == START:
                cv2.circle(picture, box.centre, look.pitch // 4, look.chains[number], -1)
        if look.lines:
            for k, chain in enumerate(self.chains):
                for a, b in pairwise(chain):
                    ends = self.places[a].centre, self.places[b].centre
                    cv2.line(picture, *ends, look.chains[k], look.pitch // 4)
        if self.flashing:
            picture[:] = (200, 255, 255)
        if self.advance == "dialog" and self.leads_on:
            box, (x, y) = self.dialog, self.button
            picture = dimmed(picture, 1 - self.shade)
            if self.scene:
                picture[:] = (250, 250, 250)
            corner = (box.x + box.width - 1, box.y + box.height - 1)
            words: tuple[float, ...] = (255,) * 3
            if self.boxed:
                words = (60,) * 3
                cv2.rectangle(picture, (box.x, box.y), corner, (250, 250, 250), -1)
                cv2.rectangle(picture, (box.x, box.y), corner, (250,) * 3 if self.scene else (160, 90, 60), 2)
            cv2.putText(picture, "solved!", (x - 30, y - box.height // 3), cv2.FONT_HERSHEY_SIMPLEX, 0.5, words, 1)
            cv2.rectangle(picture, (x - 40, y - 12), (x + 40, y + 12), (246, 130, 59), -1)
            cv2.putText(picture, "next", (x - 18, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255,) * 3, 1)
        if self.advance == "button":
            lit = self.leads_on
            x, y = self.button
            points = np.array([(x - 20, y + 16), (x + 20, y + 16), (x, y - 18)], np.int32)
            cv2.fillPoly(picture, [points], look.ink if lit else tuple((np.array(look.ground) * 0.8).tolist()))
        return picture

    # --- the screen

    def now(self) -> float:
        return self.clock

    def grab(self) -> Frame:
        return Frame(self.image(), (100, 100), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        end = self.clock + limit
        frame = self.grab()
        while unlike is not None and same(frame.image, unlike.image) and self.clock < end:
            self._tick(min(0.05, end - self.clock))
            frame = self.grab()
        rest = min(quiet, max(end - self.clock, 0))
        while rest > 1e-9:
            self._tick(min(0.05, rest))
            after = self.grab()
            if same(after.image, frame.image) or self.look.breath:
                rest -= min(0.05, rest)
            else:
                rest = min(quiet, max(end - self.clock, 0))
            frame = after
        return frame

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if self.stop_after is not None and len(self.gestures) >= self.stop_after:
                raise StoppedError("the pointer was moved by somebody else")
            self.gestures.append(gesture)
            self.paces.append(pace)
            if self.deaf:
                continue
            if isinstance(gesture, Click):
                self._press(gesture.at)
                self._tick(pace.press)
            elif isinstance(gesture, Drag) and self.clicks:
                self._press(gesture.path[0])
            elif isinstance(gesture, Drag) and not self.keys:
                held = self._press(gesture.path[0])
                for point in gesture.path[1:]:
                    self._tick(pace.step)
                    if held is not None:
                        self._step(held, self._at(point), pace)
            elif isinstance(gesture, Keys) and self.keys:
                self._keys(gesture, pace)
            elif isinstance(gesture, Hold):
                self._tick(gesture.seconds)

    def _keys(self, gesture: Keys, pace: Pace) -> None:
        for key in gesture.keys:
            self._tick(pace.step)
            if self.won_at is not None:
                if key == self.next_key and self.advance == "key" and self.level + 1 < len(self.levels):
                    self._begin(self.level + 1)
            elif key == "tab":
                self.active = (self.active + 1) % len(self.chains)
            elif key == "r":
                self.chains = [chain[:1] for chain in self.chains]
            elif key in ("up", "down", "left", "right"):
                r, c = self.chains[self.active][-1]
                dr, dc = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[key]
                cell = (r + dr, c + dc)
                self._step(self.active, cell if cell in self.puzzle.cells else None, pace)

    def park(self, at: Point) -> None:
        self.parked = at

    def close(self) -> None: ...

    def reading(self) -> Reading[Puzzle]:
        """What the window shows now, as a reading without errors."""
        drawn = {cell: k for k, chain in enumerate(self.chains) for cell in chain[1:]}
        return Reading(self.puzzle, self.places, (), 1.0, self.image(), extra={"drawn": drawn} if drawn else {})


class SeeingGame(CardinalChains):
    """Cardinal Chains with a reader that knows the simulated window instead of looking: it tests everything else."""

    def __init__(self, window: Simulated, doubts: tuple = ()) -> None:
        self.window = window
        self.doubts = doubts
        self.reads = 0

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        self.reads += 1
        if not np.array_equal(image, self.window.image()) and not self.window.look.breath:
            raise UnreadableError("this is not the picture that the window shows")
        if self.window.advance == "dialog" and self.window.leads_on:
            raise UnreadableError("a dialog covers the board")
        if (image == image[0, 0]).all():
            raise UnreadableError("the picture has one colour only")
        return replace(self.window.reading(), image=image, doubts=self.doubts)


def play(
    window: Simulated, layout: Layout | None = None, levels: int | None = None, **more
) -> tuple[list[LevelResult], Session]:
    """The results of a session in ``window``, and the session. ``doubts``: what the reader is not certain of."""
    session = Session(SeeingGame(window, more.pop("doubts", ())), window, layout or Layout(game=GAME), **more)
    return list(session.play(levels)), session


def won(window: Simulated) -> list[object]:
    """The levels that were won, by the window's own log."""
    return [level for kind, level in window.log if kind == "won"]
