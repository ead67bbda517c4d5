"""``python -m autoplayer.arcade GAME``: opens the window of one game. Faults end in one sentence and an exit code."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import sys
from collections.abc import Sequence

from autoplayer.arcade.live import LiveGame
from autoplayer.arcade.play import ArcadeGame
from autoplayer.core.errors import AutoplayerError, MachineError, UsageError

GAMES = {
    "cardinal-chains": "autoplayer.arcade.cardinal_chains",
    "continuity": "autoplayer.arcade.continuity",
    "cross-set": "autoplayer.arcade.cross_set",
    "hashi": "autoplayer.arcade.hashi",
    "null": "autoplayer.arcade.null",
}

USAGE = f"""usage: autoplayer arcade GAME [options]

Opens a game in a window of its own, for a person to play.

games: {", ".join(GAMES)}

examples:
  autoplayer arcade cardinal-chains
  autoplayer arcade cardinal-chains --theme dark --look tiles
  autoplayer arcade cardinal-chains --help     all options of this game
"""


def find(name: str) -> ArcadeGame:
    """The game called ``name``. Raises UsageError with the nearest names."""
    if name not in GAMES:
        near = difflib.get_close_matches(name, GAMES, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(GAMES)}"
        raise UsageError(f"the arcade has no game '{name[:40]}'; {hint}")
    game: ArcadeGame = importlib.import_module(GAMES[name]).GAME
    return game


def play(argv: Sequence[str]) -> None:
    """Open the window that ``argv`` asks for and play until it is closed. Raises AutoplayerError."""
    if not argv:
        raise UsageError("expected the name of a game, such as cardinal-chains; see --help")
    if argv[0] in ("-h", "--help"):
        sys.stdout.write(USAGE)
        return
    from autoplayer.arcade import options
    from autoplayer.arcade.levels import load
    from autoplayer.arcade.log import Log

    game = find(argv[0])
    asked = options.read(game, argv[1:])
    levels = load(asked.levels, game.parse)
    if asked.start > len(levels):
        raise UsageError(f"--start {asked.start}: {asked.levels} has {len(levels)} levels")
    if importlib.util.find_spec("pygame") is None:
        raise MachineError("the arcade needs pygame-ce, which is not installed; pip install 'autoplayer[arcade]'")
    log = Log(asked.log)
    try:
        if isinstance(game, LiveGame):
            from autoplayer.arcade.live_window import LiveWindow

            LiveWindow(game, levels, asked, log).run()
        else:
            from autoplayer.arcade.window import Window

            Window(game, levels, asked, log).run()
    finally:
        log.close()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the arcade; returns the exit code of the fault, 0 where there was none."""
    try:
        play(sys.argv[1:] if argv is None else argv)
    except AutoplayerError as error:
        sys.stderr.write(f"autoplayer arcade: {error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
