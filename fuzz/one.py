"""One target under the fuzzer, in a process of its own: ``python -m fuzz.one TARGET --seconds N …``.

What is found does not end the run: it is written down, once for each place in the code, and the next input is tried.
Every second the counts go into ``counts.json`` in the folder of what was found.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import mmap
import os
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

import atheris

LONGEST = 1 << 20

WATCHED = ["autoplayer", "tomllib", "json", "zipfile", "PIL"]
"""Modules whose coverage leads the fuzzer."""


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m fuzz.one")
    asked.add_argument("target")
    asked.add_argument("--seconds", type=int, default=60)
    asked.add_argument("--corpus", type=Path, required=True)
    asked.add_argument("--found", type=Path, required=True)
    asked.add_argument("--seed", type=int, default=0)
    given = asked.parse_args()
    with atheris.instrument_imports(include=WATCHED):
        from fuzz import judge
        from fuzz.targets import TARGETS

        _load_everything()
    target = TARGETS[given.target]
    corpus, found = given.corpus / target.name, given.found / target.name
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    for seed in target.seeds():
        (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    words = found / "words.txt"
    words.write_text(
        "".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in target.words), encoding="utf-8"
    )
    work = Path(tempfile.mkdtemp(prefix=f"fuzz-{target.name}-"))
    now = _Now(found / "now")
    counts = {"inputs": 0, "crashes": 0, "seconds": 0.0}
    begin, written = time.monotonic(), [0.0]

    def tell(always: bool = False) -> None:
        counts["seconds"] = round(time.monotonic() - begin, 1)
        if always or time.monotonic() - written[0] > 1:
            (found / "counts.json").write_text(json.dumps(counts), encoding="utf-8")
            written[0] = time.monotonic()

    def one(data: bytes) -> None:
        now.write(data)
        folder = work / "input"
        folder.mkdir()
        counts["inputs"] += 1
        try:
            with judge.watched(work), judge.limited():
                target.run(data, folder)
        except (Exception, judge.TooSlow) as fault:
            counts["crashes"] += _keep(found, data, fault)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        tell()

    one(b"")  # what is loaded only now is not counted as an input's memory
    for seed in target.seeds():
        one(seed)
    judge.limit_memory()
    tell(always=True)
    options = [
        f"-max_total_time={given.seconds}",
        f"-max_len={target.longest}",
        f"-seed={given.seed}",
    ]
    options += [f"-timeout={2 * judge.ASLEEP}", "-rss_limit_mb=0", f"-artifact_prefix={found}/", "-print_final_stats=1"]
    options += [f"-dict={words}"] if target.words else []
    atheris.Setup([sys.argv[0], *options, str(corpus)], one)
    atheris.Fuzz()


def _load_everything() -> None:
    import cv2

    from autoplayer import games
    from autoplayer.core import tesseract

    cv2.setNumThreads(1)  # the stacks of threads count as memory
    tesseract.available = lambda: False  # another program's time is not what is looked at
    for name in games.names():
        games.load(name)


class _Now:
    """The input that is being tried, in a file that outlives this process, whatever becomes of it."""

    def __init__(self, path: Path) -> None:
        with open(path, "wb") as file:
            file.truncate(LONGEST)
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), LONGEST)

    def write(self, data: bytes) -> None:
        self._map[:8] = len(data).to_bytes(8, "little")
        self._map[8 : 8 + len(data)] = data


def _keep(folder: Path, data: bytes, fault: BaseException) -> bool:
    """Write down an input and what came of it. Whether that is new."""
    frames = traceback.extract_tb(fault.__traceback__)
    own = [f for f in frames if f"{os.sep}autoplayer{os.sep}" in f.filename] or frames
    place = f"{type(fault).__name__} {Path(own[-1].filename).name}:{own[-1].lineno}" if own else type(fault).__name__
    if type(fault).__name__ == "Broken":
        place = f"Broken {str(fault)[:20]}"
    name = hashlib.sha256(place.encode()).hexdigest()[:12]
    case = folder / f"{name}.case"
    if case.exists() and case.stat().st_size <= len(data):
        return False
    new = not case.exists()
    case.write_bytes(data)
    (folder / f"{name}.txt").write_text("".join(traceback.format_exception(fault)), "utf-8", errors="replace")
    return new


if __name__ == "__main__":
    main()
