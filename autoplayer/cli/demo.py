"""``autoplayer demo``: opens the bundled window, plays it, and leaves a picture of what happened."""

from __future__ import annotations

import json as jsonlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoplayer import games, layout
from autoplayer.cli import output
from autoplayer.core.errors import MachineError, UsageError

if TYPE_CHECKING:
    from autoplayer.core.frame import Image
    from autoplayer.core.gestures import Gesture
    from autoplayer.games.base import Game
    from autoplayer.screen.windows import Window, WindowSystem
    from autoplayer.session import Event, LevelResult

OUT = "demo-output"
"""The default folder for the pictures."""

SIZE = "900x700"
"""The size of the bundled window: it fits on the smallest screens that are still sold."""

OPEN_LIMIT = 60.0
"""Seconds that a window may take to open on a busy machine."""

Json = dict[str, Any]


def demo(
    game: Annotated[str, typer.Argument(help="The game, as in `autoplayer games`.")] = "cardinal-chains",
    levels: Annotated[int, typer.Option("--levels", min=1, help="How many levels.")] = 10,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help=f"Where the pictures go.  [default: {OUT}]")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a level, a line each.")] = False,
) -> int:
    """Open the bundled window of a game, play it, and leave a picture of what was read and drawn.

    Uses this screen if there is one; otherwise, on Linux, a virtual one (Xvfb). To stop it: Ctrl-C, or move the mouse.

    \b
    Examples:
      autoplayer demo
      autoplayer demo cardinal-chains --levels 3 --out /tmp/demo
    """
    player = games.load(game)
    if find_spec("pygame") is None:
        raise MachineError("the bundled window needs pygame-ce; install it with: pip install 'autoplayer[arcade]'")
    folder = output.folder(out) if out is not None else usual_folder()
    with ExitStack() as stack:
        _display(stack)
        return _play(stack, player, levels, folder, json)


def usual_folder() -> Path:
    """The folder for pictures where none is named."""
    try:
        return output.folder(Path(OUT))
    except UsageError as error:
        other = Path(tempfile.mkdtemp(prefix="autoplayer-"))
        print(f"{error}; the pictures go to {other}", file=sys.stderr)
        return other


def _display(stack: ExitStack) -> None:
    """A screen to play on: this machine's own, or a virtual one for as long as ``stack`` is open."""
    from autoplayer.screen.display import display_facts, start_xvfb

    facts = display_facts()
    if facts.reachable:
        return
    if not sys.platform.startswith("linux"):
        raise MachineError(f"there is no screen to play on: {facts.problem}")
    print("There is no screen here; a virtual one (Xvfb) is used.", file=sys.stderr, flush=True)
    stack.enter_context(start_xvfb((1280, 1024)))


@contextmanager
def _window(game: Game[Any, Any], log: Path, system: WindowSystem) -> Iterator[Window]:
    """The bundled window, in a process of its own, for as long as the context lasts."""
    from autoplayer.screen.display import end_process

    title = f"{game.title} (demo)"
    command = [sys.executable, "-m", "autoplayer.arcade", game.name, "--title", title]
    command += ["--size", SIZE, "--theme", "alternate", "--log", str(log)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        end = time.monotonic() + OPEN_LIMIT
        while True:
            found = [w for w in system.windows() if w.title == title and w.visible and w.pid in (None, process.pid)]
            if found and any(event["event"] == "level" for event in _events(log)):
                break
            if process.poll() is not None:
                said = (process.stderr.read() if process.stderr else "").strip().splitlines()
                raise MachineError(f"the bundled window did not open: {said[-1] if said else 'it gave no reason'}")
            if time.monotonic() > end:
                raise MachineError(f"the bundled window did not show within {OPEN_LIMIT:g} s")
            time.sleep(0.05)
        yield found[0]
    finally:
        end_process(process)
        if process.stderr:
            process.stderr.close()


def _events(log: Path) -> list[Json]:
    """The complete lines of the window's log."""
    if not log.exists():
        return []
    lines = log.read_text(encoding="utf-8").split("\n")[:-1]
    return [jsonlib.loads(line) for line in lines]


def _deaths(log: Path) -> dict[int, int]:
    """How often the figure died, by level; in a game that has one."""
    found: dict[int, int] = {}
    level = 0
    for event in _events(log):
        if event["event"] == "level":
            level = event["index"]
        elif event["event"] == "died":
            found[level] = found.get(level, 0) + 1
    return found


def _play(stack: ExitStack, game: Game[Any, Any], levels: int, out: Path, json: bool) -> int:
    from autoplayer.screen.desktop import DesktopScreen
    from autoplayer.screen.stopping import sigterm_stops
    from autoplayer.screen.windows import window_system
    from autoplayer.session import Session

    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="autoplayer-"))
    log = Path(folder) / "window.jsonl"
    system = window_system()
    stack.callback(system.close)
    window = stack.enter_context(_window(game, log, system))
    there = next(event["of"] for event in _events(log) if event["event"] == "level")
    screen = DesktopScreen(window, system=system, game=game.name)
    stack.callback(screen.close)
    album = Album(game)
    session = Session(game, screen, layout.Layout(game=game.name), listeners=[album.listen])
    results: list[LevelResult] = []
    with sigterm_stops():
        for result in session.play(min(levels, there)):
            results.append(result)
            if json:
                output.line(result.to_json())
            else:
                note = f", {result.note}" if result.note else ""
                print(f"level {result.level}: {result.status}, {result.seconds['total']:.1f} s{note}", flush=True)
            if result.error:
                print(f"level {result.level}: {result.error}", file=sys.stderr)
    won = sum(event["event"] == "won" for event in _events(log))
    said = sys.stderr if json else sys.stdout
    for number, count in _deaths(log).items():
        print(f"level {number}: {count} death{'s' * (count != 1)}, by the window's own log", file=said)
    few = f" (the window has no more than {there})" if there < levels else ""
    print(f"{won} of {min(levels, there)} levels won, by the window's own log{few}", file=said)
    for path in album.save(out):
        print(path, file=said)
    if session.stop is not None:
        return session.stop.exit_code
    return 0 if won >= min(levels, there) else 1


@dataclass
class _Page:
    """One level: its first picture, what was read in it, the mouse's path, and the last picture."""

    met: Image
    seen: Image
    cells: int
    gestures: list[Gesture] = field(default_factory=list)
    after: list[Image] = field(default_factory=list)


class Album:
    """Collects pictures of a session that show what was read and what was drawn."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._pages: list[_Page] = []
        self._level = 0
        """The level that was last read."""

    def listen(self, event: Event) -> None:
        if event.frame is None:
            return
        if event.kind == "read":
            self._level = event.level
            from autoplayer.cli import pictures

            settled = event.data["settled"]
            reading = event.data["reading"]
            text = self._game.format(settled.puzzle)
            seen = pictures.overlay(event.frame.image, reading.places, text, settled.doubts, settled.changed)
            self._pages.append(_Page(event.frame.image, seen, len(reading.places)))
        elif event.kind == "done" and self._level != event.level:
            # A pilot reports only how the level looked at first and at the end.
            first = event.data["first"].image
            self._pages.append(_Page(first, first, 0, after=[event.frame.image]))
        elif event.kind == "move" and self._pages:
            self._pages[-1].gestures += event.data["move"].gestures
        elif event.kind == "moved" and self._pages:
            page = self._pages[-1]
            if event.data["progress"].present or not page.after:
                # A level with a single chain may show nothing but its win flash.
                page.after.append(event.frame.image)

    def save(self, folder: Path) -> list[Path]:
        """Write ``demo.png`` (the largest level: what was read, what was done, what became of it) and ``demo.gif``
        (every level); returns the paths."""
        from autoplayer.cli import pictures

        whole = [page for page in self._pages if page.after]
        if not whole:
            return []
        best = max(whole, key=lambda page: page.cells)
        still, moving = folder / "demo.png", folder / "demo.gif"
        done = pictures.gestures_over(best.met, best.gestures)
        output.picture(still, pictures.side_by_side([best.seen, done, best.after[-1]]))
        output.write(moving, _gif([image for page in whole for image in (page.met, page.seen, *page.after)]))
        return [still.resolve(), moving.resolve()]


def _gif(images: list[Image], width: int = 480) -> bytes:
    """An animated GIF, all pictures ``width`` pixels wide, each for six tenths of a second."""
    import io

    import cv2
    from PIL import Image as Pillow

    height = round(images[0].shape[0] * width / images[0].shape[1])
    small = [cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)[..., ::-1] for image in images]
    pages = [Pillow.fromarray(picture).quantize(64) for picture in small]
    data = io.BytesIO()
    pages[0].save(data, "GIF", save_all=True, append_images=pages[1:], duration=600, loop=0, optimize=False)
    return data.getvalue()
