"""``python -m bench.playing.continuity``: Continuity played in the bundled window from its pixels, all levels in a row.

What was won, who died where and how is asked of the window's own log. Where the row breaks, that is said, and a new
window is opened at the next level, so that every level is tried.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoplayer import games
from autoplayer.layout import Layout
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import start_xvfb
from autoplayer.screen.windows import Window, list_windows
from autoplayer.session import Event, Session

GAME = "continuity"
TITLE = "Continuity on the bench"
GENERATED = (((2, 2), 10), ((3, 2), 10), ((3, 3), 5))
"""Width and height of the levels that are generated, and how many of each."""

Events = list[dict[str, Any]]


@dataclass
class Level:
    """One level by the window's own log: how often and by what the figure was lost, seconds from its first picture to
    the win (None where it was not won), how often it was begun anew; and what the bot said at its end, with the deaths
    that it saw."""

    index: int
    name: str
    deaths: Counter[str] = field(default_factory=Counter)
    seconds: float | None = None
    resets: int = 0
    said: str = ""

    @property
    def row(self) -> str:
        won = "lost" if self.seconds is None else f"won {self.seconds:6.1f} s"
        deaths = ", ".join(f"{count} {reason}" for reason, count in self.deaths.items()) or "no deaths"
        anew = f", begun anew {self.resets}" if self.resets else ""
        return f"{self.index:3} {self.name[:28]:28} {won:12} {deaths}{anew}{'; ' + self.said if self.said else ''}"


def levels_of(events: Events) -> list[Level]:
    """What a window's log tells of its levels, in the order in which they were begun."""
    found: list[Level] = []
    begun = 0.0
    for event in events:
        if event["event"] == "level":
            found.append(Level(event["index"], event.get("name") or ""))
            begun = event["time"]
        elif found and event["event"] == "died":
            found[-1].deaths[event["reason"]] += 1
        elif found and event["event"] == "reset":
            found[-1].resets += 1
        elif found and event["event"] == "won":
            found[-1].seconds = event["time"] - begun
    return found


@contextmanager
def window(log: Path, options: Sequence[str]) -> Iterator[Window]:
    """The bundled window, once its first level shows."""
    command = [sys.executable, "-m", "autoplayer.arcade", GAME, "--title", TITLE, "--log", str(log), *options]
    process = subprocess.Popen(command)
    try:
        end = time.monotonic() + 60
        while True:
            found = [each for each in list_windows() if each.title == TITLE and each.visible]
            if found and any(event["event"] == "level" for event in logged(log)):
                yield found[0]
                return
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit("bench.playing.continuity: the bundled window did not open")
            time.sleep(0.05)
    finally:
        process.terminate()
        process.wait()


def logged(log: Path) -> Events:
    """The whole lines of a window's log."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").split("\n")[:-1]] if log.exists() else []


Wrap = Callable[[DesktopScreen], Any]


def play(
    folder: Path, options: Sequence[str], start: int, count: int | None, hear: Callable[[Event], object], wrap: Wrap
) -> tuple[list[Level], int]:
    """Play ``count`` levels from ``start`` (all, where it is None): each, and how often the row broke."""
    player = games.load(GAME)
    found: list[Level] = []
    layout = Layout(game=GAME)
    breaks, last = 0, None if count is None else start + count - 1
    while last is None or start <= last:
        log = folder / f"window-{start:02}.jsonl"
        with window(log, [*options, "--start", str(start)]) as opened:
            of = next(event["of"] for event in logged(log) if event["event"] == "level")
            last = of if last is None else min(last, of)
            screen = DesktopScreen(opened, game=GAME)
            session = Session(player, wrap(screen), layout, listeners=[hear])
            said = []
            try:
                for result in session.play(last - start + 1):
                    said.append("; ".join(part for part in (result.note, result.error) if part))
                    print(f"    {start + len(said) - 1}: {result.status}, {said[-1]}", flush=True)
            finally:
                screen.close()
            layout = session.layout
            time.sleep(0.2)
            these = levels_of(logged(log))[: last - start + 1]
        for level, sentence in zip(these, said, strict=False):
            level.said = sentence
        these = these[: len(said)]
        found += these
        for level in these:
            print(level.row, flush=True)
        start += max(len(these), 1)
        if session.stop is not None:
            raise SystemExit(f"bench.playing.continuity: {session.stop}")
        if start <= last:
            breaks += 1
    return found, breaks


def pack(folder: Path) -> Path:
    """A file of generated levels."""
    player = games.load(GAME)
    path = folder / "generated.txt"
    texts = [
        f"# {size[0]}x{size[1]}, seed {seed}\n{player.format(player.generate(*size, seed))}"
        for size, count in GENERATED
        for seed in range(1, count + 1)
    ]
    path.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    return path


def main(hear: Callable[[Event], object] = lambda _: None, wrap: Wrap = lambda screen: screen) -> int:
    """0 where all levels were won in a row. What is not known as an option goes to the window."""
    parser = argparse.ArgumentParser(prog="python -m bench.playing.continuity", description=(__doc__ or ""))
    parser.add_argument("--first", type=int, default=1, help="the level to begin with")
    parser.add_argument("--count", type=int, help="how many levels (all)")
    parser.add_argument("--generated", action="store_true", help="levels that are generated, not the bundled ones")
    parser.add_argument("--folder", type=Path, help="where the windows' logs are kept")
    parser.add_argument("--here", action="store_true", help="on this screen, not on a virtual one")
    asked, options = parser.parse_known_args()
    with ExitStack() as stack:
        folder = asked.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        if not asked.here:
            stack.enter_context(start_xvfb((1280, 1024)))
        if asked.generated:
            options += ["--levels", str(pack(folder))]
        found, breaks = play(folder, options, asked.first, asked.count, hear, wrap)
    won = [level for level in found if level.seconds is not None]
    deaths = sum(sum(level.deaths.values()) for level in found)
    for level in found:
        print(level.row)
    row = "in a row" if not breaks else f"the row broke {breaks} times"
    print(f"{len(won)} of {len(found)} levels won, {row}; {deaths} deaths; {' '.join(options) or 'as it is'}")
    return 0 if len(won) == len(found) and not breaks else 1


if __name__ == "__main__":
    sys.exit(main())
