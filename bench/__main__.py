"""Runs every benchmark in this folder, one after another, or those that are named: ``python -m bench [NAME…]``."""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """The worst exit code of the benchmarks; each asserts its own answers and figures."""
    there = sorted(path.parent.name for path in Path(__file__).parent.glob("*/__main__.py"))
    for name in sys.argv[1:]:
        if name not in there:
            close = difflib.get_close_matches(name, there, 1)
            print(
                f"bench: there is no '{name}'; "
                + (f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(there)}")
            )
            return 2
    worst = 0
    for name in sys.argv[1:] or there:
        print(f"== {name} ==", flush=True)
        worst = max(worst, subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
