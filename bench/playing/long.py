"""``python -m bench.playing.long``: one bot plays the bundled windows for a thousand levels, all games in turn, and
nobody helps it. What it did is asked of others: the windows' own logs say what was won and pressed, the X server how
often a button or a key went down on the whole display, the operating system how large the bot's process is.

The bot is one process, in which ``autoplayer play`` is called again and again, as it stands on the command line: first
for some levels of each game, so that all of its code is warm after WARM levels, then for the rest in ROUNDS rounds.
Every call records, with a limit. A display of its own is started, with a window manager.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

from autoplayer import __version__, games
from autoplayer.screen.display import VirtualDisplay, start_xvfb
from autoplayer.screen.windows import list_windows
from autoplayer.screen.x11 import X11

LEVELS = 1000
WARM = 50
"""Levels after which the bot may not grow any more."""
GROWTH = 0.10
"""What it may grow from there to the end, as a part."""
ROUNDS = 4
"""How often each game has its turn again after the first."""
LIMIT = 5_000_000
"""Bytes that the recording of one call may have."""
SILENCE = 300.0
"""Seconds without a level's result after which the bot is said to hang."""
MOST_FAULTS = 5
"""Calls that end before their last level, at most; the rest of each is played by a new one."""

RAW_KEY_PRESS, RAW_BUTTON_PRESS, ALL_MASTER_DEVICES = 13, 15, 1


@dataclass(frozen=True)
class Offer:
    """A bundled window: the boards' sizes, as the game's ``generate`` takes them, in turn; and how many levels it has
    in one turn, at most."""

    sizes: Sequence[tuple[int, int]]
    most: int = LEVELS


OFFERS: Mapping[str, Offer] = {
    "cardinal-chains": Offer(((5, 5), (6, 6), (7, 7), (8, 8))),
    "hashi": Offer(((5, 5), (7, 7), (9, 9), (7, 9))),
    "cross-set": Offer(((3, 3), (4, 4), (5, 5), (6, 6))),
    "continuity": Offer(((2, 2), (2, 3)), most=6),
}
"""The games that are played. A new one joins with a line here; one that takes its time has fewer levels."""

ALL = ("--size", "900x700", "--theme", "alternate", "--animate", "40")
"""Options of every window: another theme each level."""


@dataclass
class Stint:
    """One call of ``autoplayer play``: what was asked for and what came. ``recorded``: bytes of its recording;
    ``files``: that were open when it had ended."""

    game: str
    levels: int
    results: list[dict[str, Any]] = field(default_factory=list)
    code: int | None = None
    recorded: int = 0
    files: int = 0


@dataclass(frozen=True)
class Size:
    """The bot's process after so many levels: its memory in kB, and what of that is its own (the rest are pages of
    files, which the system drops and loads as it likes); its open files; and the bytes that it keeps in its folders
    besides the recordings."""

    level: int
    rss: int
    own: int
    files: int
    kept: int


@dataclass
class Run:
    """All that is known of a run. ``events``: the windows' own logs, by game; ``presses`` and ``keys``: buttons and
    keys that went down on the whole display."""

    levels: int
    stints: list[Stint] = field(default_factory=list)
    sizes: list[Size] = field(default_factory=list)
    events: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    presses: int = 0
    keys: int = 0
    seconds: float = 0.0
    said: str = ""

    def count(self, game: str, event: str, **having: Any) -> int:
        """How many events of this kind a window's log has."""
        return sum(
            each["event"] == event and all(each.get(key) == value for key, value in having.items())
            for each in self.events[game]
        )

    @property
    def won(self) -> int:
        return sum(self.count(game, "won") for game in self.events)

    def keyed(self, game: str) -> int:
        """How many keys a window was given."""
        return self._presses(game, keys=True)

    def clicked(self, game: str) -> int:
        """How many presses of the mouse a window was given."""
        return self._presses(game, keys=False)

    def _presses(self, game: str, *, keys: bool) -> int:
        return sum(each["event"] == "press" and ("key" in each) == keys for each in self.events[game])

    @property
    def elsewhere(self) -> int:
        """Presses and keys that no window was given."""
        return self.presses + self.keys - sum(self.clicked(game) + self.keyed(game) for game in self.events)

    @property
    def outside(self) -> int:
        """Presses that hit neither a cell nor a button of the window, and whatever went to no window at all."""
        return self.elsewhere + sum(self.count(game, "press", on="outside") for game in self.events)

    @property
    def warm(self) -> Size:
        return next(each for each in self.sizes if each.level >= min(WARM, (self.levels + 1) // 2))

    @property
    def growth(self) -> float:
        """How much larger the process was at its largest after the first levels, as a part."""
        return max(each.rss for each in self.sizes if each.level >= self.warm.level) / self.warm.rss - 1

    @property
    def largest(self) -> int:
        """Bytes of the largest recording."""
        return max(stint.recorded for stint in self.stints)


# --- the bot ---------------------------------------------------------------------------------------------------------


def bot() -> int:
    """Calls ``autoplayer`` with the arguments that come in as JSON, a list a line; answers with its exit codes."""
    from autoplayer.cli import main

    for line in sys.stdin:
        print(json.dumps({"code": main(json.loads(line))}), flush=True)
    return 0


class Bot:
    """The bot's process."""

    def __init__(self, folder: Path) -> None:
        self.home, self.temp = folder / "home", folder / "tmp"
        for each in (self.home, self.temp):
            each.mkdir()
        self._errors = (folder / "bot.txt").open("w")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.playing.long", "--bot"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, "AUTOPLAYER_HOME": str(self.home), "TMPDIR": str(self.temp)},
        )
        self._part = b""

    def call(self, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
        """What ``autoplayer`` with these arguments prints, a JSON object a line, and at last its exit code."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(list(arguments)).encode() + b"\n")
        self._process.stdin.flush()
        while True:
            line = self._line()
            yield line
            if "code" in line:
                return

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._part:
            ready, _, _ = select.select([pipe], [], [], SILENCE)
            part = os.read(pipe, 65536) if ready else b""
            if not part:
                raise SystemExit("bench.playing.long: the bot " + ("ended" if ready else f"was silent for {SILENCE} s"))
            self._part += part
        line, _, self._part = self._part.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def size(self, level: int) -> Size:
        process = Path("/proc") / str(self._process.pid)
        status = dict(line.split(":", 1) for line in (process / "status").read_text(encoding="utf-8").splitlines())
        rss, own = (int(status[name].split()[0]) for name in ("VmRSS", "RssAnon"))
        kept = bytes_in(self.home) + bytes_in(self.temp)
        return Size(level, rss, own, len(os.listdir(process / "fd")), kept)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()


def bytes_in(folder: Path) -> int:
    """The bytes of all files below ``folder``; one that goes away meanwhile has none."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return total


# --- what it plays ---------------------------------------------------------------------------------------------------


@contextmanager
def window(game: str, levels: int, folder: Path) -> Iterator[Path]:
    """The bundled window of ``game`` with one level more than are played, all different; yields its log."""
    player, offer = games.load(game), OFFERS[game]
    pack, log = folder / f"{game}.txt", folder / f"{game}.jsonl"
    puzzles = (player.generate(*offer.sizes[seed % len(offer.sizes)], seed) for seed in range(levels + 1))
    pack.write_text("\n\n".join(player.format(puzzle) for puzzle in puzzles) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "autoplayer.arcade", game, "--title", titled(game), "--levels", str(pack)]
    process = subprocess.Popen([*command, "--log", str(log), *ALL])
    try:
        end = time.monotonic() + 60
        while not any(each.title == titled(game) and each.visible for each in list_windows()):
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"bench.playing.long: the window of {game} did not open")
            time.sleep(0.05)
        yield log
    finally:
        process.terminate()
        process.wait()


def titled(game: str) -> str:
    return f"{game} on the long run"


class Presses(Thread):
    """Counts the buttons and keys that go down anywhere on the display, as the X server tells them (XInput 2, raw
    events)."""

    def __init__(self, display: str) -> None:
        super().__init__(daemon=True)
        self._count = {RAW_BUTTON_PRESS: 0, RAW_KEY_PRESS: 0}
        self._over = Event()
        self._x11 = X11(display)
        self._x11.root.xinput_select_events([(ALL_MASTER_DEVICES, sum(1 << kind for kind in self._count))])
        self._x11.display.sync()
        self.start()

    def run(self) -> None:
        while not self._over.wait(0.05):
            self._take()
        self._take()

    def _take(self) -> None:
        while self._x11.display.pending_events():
            kind = getattr(self._x11.display.next_event(), "evtype", None)
            if kind in self._count:
                self._count[kind] += 1

    def close(self) -> tuple[int, int]:
        """How many buttons and keys there were."""
        if not self._over.is_set():
            self._over.set()
            self.join()
            self._x11.close()
        return self._count[RAW_BUTTON_PRESS], self._count[RAW_KEY_PRESS]


def shares(levels: int, parts: int) -> list[int]:
    """``levels`` in so many parts, as alike as can be."""
    return [levels * (n + 1) // parts - levels * n // parts for n in range(parts)]


def turn(levels: int, names: Sequence[str]) -> list[Stint]:
    """A call for each of the games, in this order; together so many levels, and all as many, save that a game which may
    have fewer leaves the rest to the others."""
    left, found = levels, {}
    for n, game in enumerate(sorted(names, key=lambda name: OFFERS[name].most)):
        found[game] = min(left // (len(names) - n), OFFERS[game].most)
        left -= found[game]
    return [Stint(game, found[game]) for game in names if found[game]]


def stints(levels: int, names: Sequence[str]) -> list[Stint]:
    """The calls: each game once until the bot is warm, then all of them in rounds, each of which begins with another
    one."""
    first = min(WARM, (levels + 1) // 2)
    return [
        stint
        for n, each in enumerate([first, *shares(levels - first, ROUNDS)])
        for stint in turn(each, [*names[n % len(names) :], *names[: n % len(names)]])
    ]


def run(levels: int, folder: Path, names: Sequence[str] = tuple(OFFERS), tell: bool = False) -> Run:
    """Play so many levels, keeping everything in ``folder``, which is empty."""
    found = Run(levels)
    asked = stints(levels, names)
    with ExitStack() as stack:
        display: VirtualDisplay = stack.enter_context(start_xvfb((1280, 1024)))
        share = {game: sum(stint.levels for stint in asked if stint.game == game) for game in names}
        logs = {game: stack.enter_context(window(game, share[game], folder)) for game in names if share[game]}
        presses = Presses(display.name)
        stack.callback(presses.close)
        bot = Bot(folder)
        stack.callback(bot.close)
        began = time.monotonic()
        faults = 0
        while asked:
            stint = asked.pop(0)
            _play(stint, bot, folder / f"recording-{len(found.stints) + 1:02}", found, tell)
            left = stint.levels - len([each for each in stint.results if each["status"] == "won"])
            if left and (faults := faults + 1) <= MOST_FAULTS:
                asked.insert(0, Stint(stint.game, left))
        found.seconds = time.monotonic() - began
        found.presses, found.keys = presses.close()
        for game, log in logs.items():
            found.events[game] = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    found.said = (folder / "bot.txt").read_text(encoding="utf-8")
    return found


def _play(stint: Stint, bot: Bot, recording: Path, found: Run, tell: bool) -> None:
    arguments = ["play", stint.game, "--window", titled(stint.game), "--levels", str(stint.levels), "--json"]
    arguments += ["--record", str(recording), "--record-limit", f"{LIMIT / 1e6:g}MB"]
    found.stints.append(stint)
    for line in bot.call(arguments):
        if "code" in line:
            stint.code, stint.files = line["code"], bot.size(0).files
        else:
            stint.results.append(line)
            number = sum(len(each.results) for each in found.stints)
            found.sizes.append(bot.size(number))
            if tell:
                print(f"{number:5} {stint.game:16} {line['status']:8} {found.sizes[-1].rss} kB", flush=True)
    stint.recorded = bytes_in(recording)


# --- what came of it -------------------------------------------------------------------------------------------------


def faults(run: Run) -> list[str]:
    """What is not as it was promised, a sentence each."""
    found = [
        f"a call for {stint.levels} levels of {stint.game} ended with exit code {stint.code} after "
        f"{len(stint.results)}: {next((each['error'] for each in stint.results if each['error']), 'it gave no reason')}"
        for stint in run.stints
        if stint.code
    ]
    if run.won != run.levels:
        found.append(f"{run.won} of {run.levels} levels were won, by the windows' logs")
    if run.outside:
        found.append(f"{run.outside} presses hit neither a cell nor a button of a window that was played")
    if run.levels > WARM and run.growth >= GROWTH:
        found.append(f"the process grew by {run.growth:.1%} after its first {run.warm.level} levels")
    if run.largest > LIMIT:
        found.append(f"a recording has {run.largest} bytes, and its limit was {LIMIT}")
    return found


def page(run: Run) -> str:
    """The run as a page for ``docs/``."""
    kinds = [*run.events]
    rows = []
    for game in kinds:
        results = [each for stint in run.stints if stint.game == game for each in stint.results]
        seconds = [each["seconds"]["total"] for each in results]
        rows.append(
            f"| {games.load(game).title} | {len(results)} | {run.count(game, 'won')} | {run.clicked(game)} | "
            f"{run.keyed(game)} | {run.count(game, 'press', on='outside')} | {statistics.median(seconds):.1f} | "
            f"{max(seconds):.1f} |"
        )
    calls = len(run.stints)
    clicked, keyed = (sum(count(game) for game in kinds) for count in (run.clicked, run.keyed))
    warm, end = run.warm, run.sizes[-1]
    amiss = faults(run)
    peak = max(each.rss for each in run.sizes if each.level >= warm.level)
    return f"""# A long run

Written by `make long-run` (`bench/playing/long.py`): one bot plays the bundled windows, all games in turn, and nobody
helps it. `autoplayer play` was called {calls} times in one process, for {min(each.levels for each in run.stints)} to \
{max(each.levels for each in run.stints)} levels each; every level is another puzzle,
in another theme. What was won and pressed is what the windows' own logs say.

| game | levels | won | presses | keys | outside | seconds a level (median) | slowest |
|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}
| all | {sum(len(each.results) for each in run.stints)} | {run.won} | {clicked} | {keyed} | {run.outside} | | |

Outside: presses that hit neither a cell nor a button. Over the whole display the X server saw {run.presses} presses and
{run.keys} keys, so {f"{run.elsewhere} went elsewhere" if run.elsewhere else "all of them went to the windows"}.

| the bot's process | after {warm.level} levels | after {end.level} |
|---|---|---|
| memory (RSS) | {warm.rss / 1000:.1f} MB | {end.rss / 1000:.1f} MB |
| of that its own | {warm.own / 1000:.1f} MB | {end.own / 1000:.1f} MB |
| open files, between two calls | {run.stints[min(len(kinds), calls) - 1].files} | {run.stints[-1].files} |
| what it keeps besides recordings | {warm.kept / 1000:.1f} kB | {end.kept / 1000:.1f} kB |

Between the two the process was never larger than {peak / 1000:.1f} MB, {run.growth:+.1%}. The largest of {calls} \
recordings has {run.largest / 1e6:.2f} MB, with
`--record-limit {LIMIT / 1e6:g}MB`. The whole took {run.seconds / 60:.0f} minutes, {run.seconds / run.levels:.1f} s \
a level, on {os.cpu_count()} cores that had other work, too
(autoplayer {__version__}, Python {platform.python_version()}, {platform.system()}).

{"Nothing was amiss." if not amiss else "Amiss:" + "".join(f"{chr(10)}- {each}" for each in amiss)}
"""


def main() -> int:
    """0 where everything that was promised held."""
    parser = argparse.ArgumentParser(prog="python -m bench.playing.long", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--levels", type=int, default=LEVELS, help=f"how many, all games together ({LEVELS})")
    parser.add_argument("--games", default=",".join(OFFERS), help="which, with commas between")
    parser.add_argument("--folder", type=Path, help="an empty folder in which everything is kept")
    parser.add_argument("--out", type=Path, help="the page to write, for example docs/long-run.md")
    parser.add_argument("--bot", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.bot:
        return bot()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the windows and the bot are ended on the way out
    with tempfile.TemporaryDirectory(prefix="long-run-") as scratch:
        folder = asked.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        found = run(asked.levels, folder, asked.games.split(","), tell=True)
    text = page(found)
    print(text)
    if asked.out:
        asked.out.write_text(text, encoding="utf-8")
    return 1 if faults(found) else 0


if __name__ == "__main__":
    sys.exit(main())
