"""``python -m bench.playing``: from a still picture to the first press, and what waiting for the next level costs.

Plays generated 7x7 levels in the bundled window at 1280x900, on a virtual display of its own. The window's log must
say that every level was won: a quick bot that plays wrong fails.

The time to the first press is told twice. *In play* it comes after a sleep, when a machine with few cores has let its
caches and clock go cold; that figure tells about the machine too, and nothing is asked of it. *Warm* is the same chain
of work on the same pictures, several times in a row: reading, settling, comparing, planning; plus what the press itself
took in play.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from autoplayer.core.frame import Frame, Image, Point
from autoplayer.core.gestures import Gesture, Pace
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import Layout, NextTable, PaceTable
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import start_xvfb
from autoplayer.screen.windows import Window, list_windows
from autoplayer.session import Event, Session
from autoplayer.settle import settle

LEVELS = 8
PRESS_LIMIT = 0.060
WAIT_LIMIT = 0.05
TITLE = "Chains on the bench"
PROVEN = PaceTable(press=0.02, step=0.01, release=0.01)
"""The pace that a session reaches in this window: the rest before a press is part of the figure."""


class Timed:
    """A screen that notes when its last picture was given out, and when the next press came."""

    def __init__(self, screen: DesktopScreen) -> None:
        self.screen = screen
        self.title = screen.title
        self.looked = 0.0
        self.waits: list[float] = []
        self.orders: list[float] = []
        self._ordered = 0.0
        self._asked = False
        press = screen.hand.press

        def timed(button: str) -> None:
            if self._asked:
                self.waits.append(time.perf_counter() - self.looked)
                self.orders.append(time.perf_counter() - self._ordered)
                self._asked = False
            press(button)  # type: ignore[arg-type]

        screen.hand.press = timed  # type: ignore[method-assign,assignment]

    def now(self) -> float:
        return self.screen.now()

    def grab(self) -> Frame:
        return self._seen(self.screen.grab())

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self._seen(self.screen.still(limit, unlike=unlike, quiet=quiet))

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self._asked = True
        self._ordered = time.perf_counter()
        self.screen.perform(gestures, pace)

    def park(self, at: Point) -> None:
        self.screen.park(at)

    def close(self) -> None:
        self.screen.close()

    def _seen(self, frame: Frame) -> Frame:
        self.looked = time.perf_counter()
        return frame


@contextmanager
def window(pack: Path, log: Path, advance: str) -> Iterator[Window]:
    """The bundled window with the levels of ``pack``."""
    command = [sys.executable, "-m", "autoplayer.arcade", "cardinal-chains", "--title", TITLE, "--size", "1280x900"]
    process = subprocess.Popen([*command, "--levels", str(pack), "--log", str(log), "--advance", advance])
    try:
        end = time.monotonic() + 30
        while not (found := [w for w in list_windows() if w.title == TITLE and w.visible]):
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit("bench.playing: the bundled window did not open")
            time.sleep(0.05)
        yield found[0]
    finally:
        process.terminate()
        process.wait()


def first_press(pack: Path, log: Path) -> tuple[list[float], list[float], list[Image], int]:
    """Seconds from a still picture of a level to the first press on it, and from the order to press to the press, for
    every level but the first (whose code is cold); the levels' pictures; and how many levels were won."""
    firsts: list[float] = []
    orders: list[float] = []
    pictures: list[Image] = []
    with window(pack, log, "auto") as found:
        screen = Timed(DesktopScreen(found))
        begun = 0

        def listen(event: Event) -> None:
            nonlocal begun
            if event.kind == "read":
                begun = len(screen.waits)
                if event.frame is not None:
                    pictures.append(event.frame.image)
            elif event.kind == "moved" and len(screen.waits) > begun >= 0:
                firsts.append(screen.waits[begun])
                orders.append(screen.orders[begun])
                begun = -1

        layout = Layout(game=GAME.name, next=NextTable(kind="auto"), pace=PROVEN)
        try:
            for _ in Session(GAME, screen, layout, listeners=[listen]).play(LEVELS):
                pass
        finally:
            screen.close()
    return firsts[1:], orders[1:], pictures[1:], won(log)


def decision(pictures: Sequence[Image], rounds: int = 6) -> list[float]:
    """Seconds from each picture to its first planned move, of warm code: the median of several rounds."""
    layout = Layout(game=GAME.name)
    times = []
    for picture in pictures:
        each = []
        for _ in range(rounds):
            begin = time.perf_counter()
            reading = GAME.read(picture, layout)
            settled = settle(GAME, reading)
            if settled.solution is None:
                raise SystemExit("bench.playing: a level that was won in play could not be read again")
            progress = GAME.progress(reading, settled.puzzle, settled.solution, picture.copy())
            GAME.plan(reading, settled.puzzle, settled.solution, progress, layout)
            each.append(time.perf_counter() - begin)
        times.append(statistics.median(each))
    return times


def waiting(pack: Path, log: Path) -> tuple[float, float]:
    """CPU seconds and seconds that a session waits for a next level that does not come."""
    marks: dict[str, tuple[float, float]] = {}
    with window(pack, log, "stay") as found:
        screen = DesktopScreen(found)

        def listen(event: Event) -> None:
            if event.kind in ("next", "result"):
                marks[event.kind] = time.process_time(), time.perf_counter()

        layout = Layout(game=GAME.name, next=NextTable(kind="auto"), pace=PROVEN)
        try:
            for _ in Session(GAME, screen, layout, listeners=[listen]).play(1):
                pass
        finally:
            screen.close()
    return marks["result"][0] - marks["next"][0], marks["result"][1] - marks["next"][1]


def won(log: Path) -> int:
    return sum(json.loads(line)["event"] == "won" for line in log.read_text(encoding="utf-8").splitlines())


def main() -> int:
    """0 where both figures hold."""
    with tempfile.TemporaryDirectory() as folder, start_xvfb((1300, 1000)):
        pack = Path(folder) / "levels.txt"
        pack.write_text(
            "\n\n".join(GAME.format(GAME.generate(7, 7, seed)) for seed in range(LEVELS)) + "\n", encoding="utf-8"
        )
        presses, orders, pictures, levels = first_press(pack, Path(folder) / "auto.jsonl")
        cpu, wall = waiting(pack, Path(folder) / "stay.jsonl")
    middle, worst = statistics.median(presses), max(presses)
    deciding, pressing = statistics.median(decision(pictures)), statistics.median(orders)
    warm = deciding + pressing
    rows = [
        ("7x7 in 1280x900", "measured", "wanted"),
        ("levels won, by the window's log", f"{levels} of {LEVELS}", f"{LEVELS}"),
        ("still picture to first press, warm", f"{warm * 1e3:.0f} ms", f"under {PRESS_LIMIT * 1e3:.0f} ms"),
        ("    of that, the decision", f"{deciding * 1e3:.0f} ms", ""),
        ("    and the press, after its rest", f"{pressing * 1e3:.0f} ms", ""),
        ("still picture to first press, in play", f"{middle * 1e3:.0f} ms", ""),
        ("the slowest of those", f"{worst * 1e3:.0f} ms", ""),
        (f"waiting for the next level ({wall:.1f} s)", f"{cpu / wall:.1%} of a core", f"under {WAIT_LIMIT:.0%}"),
    ]
    for what, got, wanted in rows:
        print(f"{what:44} {got:>16} {wanted:>14}")
    return 0 if levels == LEVELS and warm < PRESS_LIMIT and cpu / wall < WAIT_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
