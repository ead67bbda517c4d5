"""The truth beside a picture. The first byte chooses the picture; what comes after a zero byte is compared, as a board
that was read, with what comes before it."""

from __future__ import annotations

import functools
from pathlib import Path

from autoplayer.cli import truths
from fuzz import judge
from fuzz.targets import small
from fuzz.targets.base import Target

BOARDS = (("null", "1 0 1"), ("hashi", "2.2\n...\n1.1"), ("cardinal-chains", "X 1 1\n2 2 1"))


def run(data: bytes, folder: Path) -> None:
    if not data:
        return
    before, mark, after = data[1:].partition(b"\x00")
    if mark:
        one, other = (part.decode("utf-8", "replace") for part in (before, after))
        for each in truths.compare(one, other, {}):
            str(each)
        if truths.compare(one, one, {}):
            raise judge.Broken("a text differs from itself")
        return
    place = folder / "stills"
    place.mkdir()
    (place / "board.png").write_bytes(_picture(data[0] % len(BOARDS)))
    (place / "board.txt").write_bytes(before)
    options = ["--json"] if data[0] & 0x80 else ["--report", str(folder / "report.html")]
    judge.command("replay", str(place), *options, home=folder / "home")


@functools.cache
def _picture(number: int) -> bytes:
    return small.png(small.board(*BOARDS[number], width=200))


def seeds() -> list[bytes]:
    found = []
    for number, (name, text) in enumerate(BOARDS):
        for more in (
            f"# game: {name}\n",
            f"# GAME: {name}\n# unchecked\n# layout: none\n",
            "# layout: ../x.toml\n",
            "",
        ):
            found += [bytes((which + number,)) + (more + text).encode() for which in (0, 0x84 - 0x84 % 3)]
        found.append(bytes((number,)) + text.encode() + b"\x00" + text.replace("1", "2").encode() + b"\n3 4 5")
    return found


WORDS = [
    *(word.encode() for word in ("# game: ", "# layout: ", "# unchecked", "null", "hashi", "cross-set", "continuity")),
    *(word.encode() for word in ("../", "/", ".toml", "\n", " ", ".")),
    *(word.encode() for word in ("X", "12", "\r\n", "\ufeff", "\u2028", "\x1b[2J")),
    b"\xff", b"\x00",
]  # fmt: skip

TARGET = Target("truths", "truths beside pictures, for replay", run, seeds, WORDS)
