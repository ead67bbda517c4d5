"""``python -m bench.solving [--quick] [GAME…]``: for each game one table of its solvers, side by side in one run.

A game is a folder here with a function ``bench(quick)``.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import pkgutil
import sys

import bench.solving as here


def main() -> int:
    """0, or 5 where a rival is not installed."""
    games = sorted(module.name for module in pkgutil.iter_modules(here.__path__) if module.ispkg)
    names = [game.replace("_", "-") for game in games]
    parser = argparse.ArgumentParser(prog="python -m bench.solving", description="Solvers side by side, in one table.")
    parser.add_argument(
        "--quick", action="store_true", help="shorter caps and fewer puzzles: about half a minute a game"
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"only these: {', '.join(names)}")
    arguments = parser.parse_args()
    for name in arguments.games:
        if name not in names:
            parser.error(f"there is no '{name}'; there are: {', '.join(names)}")
    if missing := [name for name in ("clingo", "ortools") if importlib.util.find_spec(name) is None]:
        print(
            f"bench.solving: {', '.join(missing)} not installed; `make bench` does that, or "
            ".venv/bin/python -m pip install -r bench/requirements.txt",
            file=sys.stderr,
        )
        return 5
    for game, name in zip(games, names, strict=True):
        if not arguments.games or name in arguments.games:
            print(f"-- {name} --\n", flush=True)
            importlib.import_module(f"bench.solving.{game}").bench(arguments.quick)
            print(flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
