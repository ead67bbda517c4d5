"""A layout file, as a person writes it or gets it from somebody."""

from __future__ import annotations

from pathlib import Path

from autoplayer import layout
from autoplayer.core.errors import LayoutError, NotFoundError
from fuzz import judge
from fuzz.targets.base import Target

TITLES = ("Hashi 3 of 10, 5 moves", "a" * 60, "", "\n")


def run(data: bytes, folder: Path) -> None:
    file = folder / "given.toml"
    file.write_bytes(data)
    known = judge.refused(lambda: layout.load(str(file), None), LayoutError, NotFoundError)
    if known is None:
        return
    again = layout.parse_table(layout.dumps(known).encode(), "its text", layout.Layout, "layout", layout.LAYOUT_VERSION)
    if again != known:
        raise judge.Broken("its text is another layout")
    for title in TITLES:
        layout.title_fits(known.title, title)
    home = folder / "home"
    (home / "calibration").mkdir(parents=True)
    (home / "calibration" / "given.toml").write_bytes(data)
    for arguments in (("list",), ("show", "given"), ("check", "given", "--json")):
        judge.command("layouts", *arguments, home=home)


def seeds() -> list[bytes]:
    bare = layout.Layout(game="null")
    area = layout.AreaTable(place=(0.1, 0.1, 0.2, 0.2), picture="one.png")
    full = layout.Layout(
        game="hashi", name="a", title=r"^Bridges \d+$", controls="drag", slowest_lost=0.05, templates="a",
        size=(300, 200),
        next=layout.NextTable(kind="click", place=(0.5, 0.5)), win=area, anchors=(area, area),
        board=layout.BoardTable(place=(0.1, 0.1, 0.8, 0.8), rows=7, columns=7),
    )  # fmt: skip
    measured = layout.ContinuityTable(walk=5.5, jump=2.4, gravity=33.3, fall=15.6, lag=0.03)
    live = layout.Layout(game="continuity", continuity=measured)
    return [b'game = "null"\n', *(layout.dumps(each).encode() for each in (bare, full, live))]


WORDS = [
    *(word.encode() for word in ("game", "name", "title", "controls", "keys", "pace", "next", "board", "templates")),
    *(word.encode() for word in ("size", "win", "anchors", "picture", "place")),
    *(word.encode() for word in ("rows", "columns", "version", "[[", "]]")),
    *(word.encode() for word in ("continuity", "view", "walk", "jump", "gravity", "fall", "lag", "1e-9", "-1")),
    *(word.encode() for word in ('"""', "'''", "nan", "inf", "1e999")),
    *(word.encode() for word in ("0x", "1979-05-27", "../", "/etc/passwd", "\\u0000")),
    *(word.encode() for word in ("(a+)+$", "(?P<a>", "{65536}", "\\\\1", "a.a.a.", "{", "}", "\\u001b", "\\UFFFFFFFF")),
    b"\xff", b"\x00", b"\r\n", b"\xef\xbb\xbf",
]  # fmt: skip

TARGET = Target("layouts", "layout files", run, seeds, WORDS)
