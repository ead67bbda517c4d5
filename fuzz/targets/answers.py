"""A file of answers for calibrating, with a picture of a board. The first byte chooses the game."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from fuzz import judge
from fuzz.targets import small
from fuzz.targets.base import Target

BOARDS = (
    ("null", "1 0 1"),
    ("hashi", "2.2\n...\n1.1"),
    ("cardinal-chains", "X 1 1\n2 2 1"),
    ("cross-set", "21 1\n1 12"),
)


def run(data: bytes, folder: Path) -> None:
    if not data:
        return
    name, _ = BOARDS[data[0] % len(BOARDS)]
    picture, file = folder / "board.png", folder / "answers.toml"
    picture.write_bytes(_picture(data[0] % len(BOARDS)))
    file.write_bytes(data[1:])
    arguments = ["--name", "mine", "--image", str(picture), "--answers", str(file), "--yes", "--json"]
    judge.command("calibrate", name, *arguments, home=folder / "home")


@functools.cache
def _picture(number: int) -> bytes:
    return small.png(small.board(*BOARDS[number], width=240))


def seeds() -> list[bytes]:
    found = []
    for number, (name, text) in enumerate(BOARDS):
        spots = "\n".join(f'"{r},{c}" = "{token}"' for r, c, token in _tokens(text))
        for more in (
            "",
            'title = "Board \\\\d+"\npress = false\ncontrols = "drag"\n[next]\nkind = "click"\nplace = [0.5, 0.9]\n',
            f"[[pictures]]\npuzzle = '''\n{text}\n'''\n",
            f"[[pictures]]\n[pictures.glyphs]\n{spots}\n",
            "[board]\nplace = [0.1, 0.1, 0.8, 0.8]\nrows = 3\ncolumns = 3\n[pace]\nstep = 0.1\n",
        ):
            found.append(bytes((number,)) + f'version = 1\ngame = "{name}"\n{more}'.encode())
    return found


def _tokens(text: str) -> list[tuple[int, int, str]]:
    rows = [re.findall(r"\S+" if " " in text else r"\S", line) for line in text.splitlines()]
    return [(r, c, token) for r, row in enumerate(rows) for c, token in enumerate(row)]


WORDS = [
    *(word.encode() for word in ("version", "game", "title", "press")),
    *(word.encode() for word in ("controls", "[pace]", "[next]", "[board]", "rows")),
    *(word.encode() for word in ("[[pictures]]", "[pictures.glyphs]", "puzzle", "place")),
    *(word.encode() for word in ("columns", "'''", '"0,0"', '"9,9"')),
    *(word.encode() for word in ('"0,0,0"', '"999,999,999"', '"."', '""', "true", "nan", "inf", "0.0", "1.0", "200")),
    b"\xff", b"\x00", b"\\u001b",
]  # fmt: skip

TARGET = Target("answers", "files of answers for calibrating", run, seeds, WORDS)
