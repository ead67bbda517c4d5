"""Runs the fuzzer on every target, one after another, or on those that are named: ``python -m fuzz [TARGET…]``."""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

from fuzz.targets import TARGETS

ROOT = Path(__file__).parents[1]
OWN = ROOT / ".fuzz"
"""Where inputs worth keeping, and those that found something, are kept between runs; git ignores it."""


def main() -> int:
    """0 where nothing was found, 1 where something was, 5 where atheris is missing."""
    asked = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    asked.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(TARGETS)}; none for all")
    asked.add_argument("--seconds", type=int, default=60, help="how long each target is tried")
    asked.add_argument("--seed", type=int, default=0, help="where chance begins; 0 for another beginning each time")
    given = asked.parse_args()
    for name in given.targets:
        if name not in TARGETS:
            asked.error(f"there is no target '{name}'; there are: {', '.join(TARGETS)}")
    if importlib.util.find_spec("atheris") is None:
        print(
            "fuzz: atheris is not installed; on Linux (x86-64) and macOS: "
            ".venv/bin/python -m pip install -r fuzz/requirements.txt",
            file=sys.stderr,
        )
        return 5
    worst = 0
    print(f"{'target':<12}{'inputs':>9}{'coverage':>10}{'crashes':>9}{'seconds':>9}", flush=True)
    for name in given.targets or TARGETS:
        worst = max(worst, _try(name, given.seconds, given.seed))
    return worst


def _try(name: str, seconds: int, seed: int) -> int:
    folder = OWN / "found" / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.*"):
        old.unlink()
    command = [sys.executable, "-m", "fuzz.one", name, f"--seconds={seconds}", f"--seed={seed}"]
    command += [f"--corpus={OWN / 'corpus'}", f"--found={OWN / 'found'}"]
    log = folder / "log.txt"
    with open(log, "wb") as out:
        code = subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    counts_file = folder / "counts.json"
    counts = (
        json.loads(counts_file.read_text(encoding="utf-8"))
        if counts_file.exists()
        else {"inputs": 0, "crashes": 0, "seconds": 0}
    )
    covered = re.findall(r"cov: (\d+)", log.read_text(errors="replace", encoding="utf-8"))
    if code:  # the process itself was ended: what it was doing then is kept
        counts["crashes"] += 1
        now = (folder / "now").read_bytes() if (folder / "now").exists() else bytes(8)
        (folder / "ended.case").write_bytes(now[8 : 8 + int.from_bytes(now[:8], "little")])
    print(
        f"{name:<12}{counts['inputs']:>9}{covered[-1] if covered else '-':>10}{counts['crashes']:>9}"
        f"{counts['seconds']:>9.0f}",
        flush=True,
    )
    for case in sorted(folder.glob("*.case")):
        text = case.with_suffix(".txt") if case.with_suffix(".txt").exists() else log
        last = [line for line in text.read_text(errors="replace", encoding="utf-8").splitlines() if line.strip()][-1:]
        print(f"  {case.relative_to(ROOT)}: {last[0][:200] if last else ''}", flush=True)
    return 1 if counts["crashes"] else 0


if __name__ == "__main__":
    sys.exit(main())
