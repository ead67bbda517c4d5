"""Layouts that are exported and imported as an archive: what was packed is unpacked, and no archive writes outside its
folder, exceeds its limits, or replaces existing files."""

from __future__ import annotations

import io
import json
import stat
import struct
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from autoplayer import layout
from autoplayer.calibrate import parcel
from autoplayer.cli import main
from autoplayer.core.errors import LayoutError, NotFoundError, UsageError
from autoplayer.layout import AreaTable, Layout

pytestmark = pytest.mark.usefixtures("own_home")


def png(token: str = "7", side: int = 40) -> bytes:
    page = np.full((side, side, 3), 255, np.uint8)
    cv2.putText(page, token, (side // 5, 4 * side // 5), cv2.FONT_HERSHEY_DUPLEX, side / 40, (0, 0, 0), 2, cv2.LINE_AA)
    return bytes(cv2.imencode(".png", page)[1].tobytes())


AREA = AreaTable(place=(0.1, 0.1, 0.1, 0.1), picture="anchor-1.png")
KNOWN = Layout(game="null", name="mine", title="^Lamps", templates="mine", size=(400, 300), anchors=(AREA,), win=AREA)
GOOD = {"layout.toml": layout.dumps(KNOWN).encode(), "templates/7.png": png(), "templates/anchors/anchor-1.png": png()}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def archive(folder: Path, files: dict[str, bytes], name: str = "in.zip") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for each, data in files.items():
            out.writestr(each, data)
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_exported_is_imported_under_another_name(tmp_path: Path, home: Path, capsys) -> None:
    assert main(["layouts", "import", str(archive(tmp_path, GOOD))]) == 0
    out = tmp_path / "out.zip"
    assert main(["layouts", "export", "mine", str(out)]) == 0
    assert main(["layouts", "import", str(out), "--name", "theirs"]) == 0
    capsys.readouterr()
    theirs = layout.load("theirs", "null")
    assert theirs == KNOWN.model_copy(update={"name": "theirs", "templates": "theirs"})
    assert files(home / "templates" / "theirs") == files(home / "templates" / "mine")
    assert parcel.pack(theirs) == parcel.pack(theirs), "equal layouts make equal archives"
    assert main(["layouts", "check", "mine", "theirs"]) == 0
    assert capsys.readouterr().out == "".join(
        f"{name} (yours): in order (1 glyphs, 1 anchors)\n" for name in ("mine", "theirs")
    )


def test_what_is_exported_and_imported_is_said_as_json(tmp_path: Path, home: Path, capsys) -> None:
    """The file's name was printed alone, which is no JSON."""
    out = tmp_path / "out.zip"
    assert main(["layouts", "export", "sgt-bridges", str(out), "--json"]) == 0
    assert main(["layouts", "import", str(out), "--name", "theirs", "--json"]) == 0
    exported, imported = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (exported["name"], exported["file"]) == ("sgt-bridges", str(out))
    assert (imported["name"], imported["file"]) == ("theirs", str(home / "calibration" / "theirs.toml"))


def test_a_copied_layout_is_handed_on_under_the_name_of_its_file(tmp_path: Path, home: Path, capsys) -> None:
    assert main(["layouts", "import", str(archive(tmp_path, GOOD))]) == 0
    layout.own_file("mine").rename(layout.own_file("copied"))
    out = tmp_path / "out.zip"
    assert main(["layouts", "export", "copied", str(out)]) == 0
    assert main(["layouts", "import", str(out), "--force"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(layout.own_file("copied"))
    assert layout.load("copied", "null").name == "copied"


def test_nothing_is_replaced_unless_that_is_wanted(tmp_path: Path, home: Path, capsys) -> None:
    path = archive(tmp_path, GOOD)
    assert main(["layouts", "import", str(path)]) == 0
    before = files(home)
    other = archive(tmp_path, {**GOOD, "templates/8.png": png("8")}, "other.zip")
    assert main(["layouts", "import", str(other)]) == 2
    assert "there is a layout 'mine' already" in capsys.readouterr().err
    assert files(home) == before
    assert main(["layouts", "import", str(other), "--force"]) == 0
    assert set(files(home)) - set(before) == {"templates/mine/8.png"}
    out = tmp_path / "out.zip"
    out.write_bytes(b"mine")
    assert main(["layouts", "export", "mine", str(out)]) == 2
    assert out.read_bytes() == b"mine"


def changed(**more: bytes | None) -> dict[str, bytes]:
    """The good archive with other files, or without some."""
    merged: dict[str, bytes | None] = {**GOOD, **more}
    return {name: data for name, data in merged.items() if data is not None}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param({"../evil.png": png()}, "found '../evil.png'", id="leaves its folder"),
        pytest.param({"/etc/evil.png": png()}, "found '/etc/evil.png'", id="from the root"),
        pytest.param({"templates/../../evil.png": png()}, "found 'templates/../../evil.png'", id="leaves it deeper"),
        pytest.param({"templates\\..\\evil.png": png()}, "found 'templates", id="with the other slash"),
        pytest.param({"templates/a/b.png": png()}, "found 'templates/a/b.png'", id="another folder"),
        pytest.param({"templates/run.sh": b"#!/bin/sh"}, "found 'templates/run.sh'", id="no picture by its name"),
        pytest.param({"templates/8.png": b"#!/bin/sh"}, "'templates/8.png' is none", id="no picture"),
        pytest.param({"templates/8.png": png()[:60]}, "'templates/8.png' is none, but it is damaged", id="half of one"),
        pytest.param({"templates/8.png": png(side=1100)}, "'templates/8.png' is none", id="a huge picture"),
        pytest.param({"layout.toml": None}, "with the file 'layout.toml' in it", id="no profile"),
        pytest.param({"layout.toml": b"game = 3"}, "layout.toml: key 'game': expected", id="a wrong profile"),
        pytest.param({"layout.toml": b"#" * 70_000}, "at most 65536", id="a huge profile"),
        pytest.param({"templates/anchors/anchor-1.png": None}, "not there", id="an area without its picture"),
        pytest.param(
            {"templates/7.png": bytes(cv2.imencode(".png", np.full((9, 9, 3), 5, np.uint8))[1])},
            "nothing stands in it",
            id="an empty glyph",
        ),
        pytest.param({f"templates/{n}.png": b"" for n in range(1001)}, "at most 1000 files", id="many files"),
        pytest.param({"templates/8.png": bytes(33_000_000)}, "at most 32 MB", id="grows when unpacked"),
    ],
)
def test_a_strange_archive_changes_nothing(
    content: dict[str, bytes | None], said: str, tmp_path: Path, home: Path, capsys
) -> None:
    path = archive(tmp_path, changed(**content))
    code = main(["layouts", "import", str(path)])
    err = capsys.readouterr().err
    assert code == 2
    assert said in err
    assert str(path) in err
    assert "\n" not in err.rstrip("\n")
    assert files(home) == {}
    assert not list(tmp_path.rglob("evil.png"))


def test_a_picture_that_says_it_is_huge_is_not_unpacked(tmp_path: Path) -> None:
    """Its head says 60000 x 60000 pixels."""
    bomb = bytearray(png())
    bomb[16:24] = struct.pack(">II", 60_000, 60_000)
    with pytest.raises(LayoutError, match="is none"):
        parcel.unpack(archive(tmp_path, changed(**{"templates/7.png": bytes(bomb)})))


def test_a_link_in_an_archive_is_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "link.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("layout.toml", GOOD["layout.toml"])
        link = zipfile.ZipInfo("templates/7.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        out.writestr(link, "/etc/passwd")
    with pytest.raises(LayoutError, match=r"'templates/7\.png' is none"):
        parcel.unpack(path)


def test_a_file_that_is_in_it_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("layout.toml", GOOD["layout.toml"])
        with pytest.warns(UserWarning, match="Duplicate"):
            out.writestr("layout.toml", GOOD["layout.toml"])
    with pytest.raises(LayoutError, match="is in it twice"):
        parcel.unpack(path)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no more", b"text"], ids=["empty", "cut off", "text"])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "no.zip"
    path.write_bytes(data)
    with pytest.raises(LayoutError, match="expected an exported layout"):
        parcel.unpack(path)


def test_a_locked_or_damaged_archive_is_refused(tmp_path: Path) -> None:
    whole = archive(tmp_path, GOOD).read_bytes()
    listed = whole.index(b"PK\x01\x02")  # here the list of files begins
    for at in [*range(0, listed, 97), *range(listed, len(whole))]:
        broken = bytearray(whole)
        broken[at] ^= 0xFF
        path = tmp_path / "broken.zip"
        path.write_bytes(bytes(broken))
        try:
            found = parcel.unpack(path)
        except LayoutError:
            continue
        assert found.pictures.keys() == {"7.png", "anchors/anchor-1.png"}, "a flipped bit that does no harm"


def test_an_archive_that_is_not_there() -> None:
    with pytest.raises(NotFoundError):
        parcel.unpack(Path("nowhere.zip"))


def test_the_size_of_an_archive_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "large.zip"
    path.write_bytes(bytes(8_000_001))
    with pytest.raises(LayoutError, match="at most 8 MB"):
        parcel.unpack(path)


def test_a_name_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    found = parcel.unpack(archive(tmp_path, GOOD))
    with pytest.raises(UsageError, match="expected a name"):
        parcel.install(found, "../x", force=True)


# --- the command -----------------------------------------------------------------------------------------------------


def test_show_prints_the_profile_and_where_it_is(capsys) -> None:
    assert main(["layouts", "show", "sgt-bridges"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"# {layout.bundled('calibration') / 'sgt-bridges.toml'}")
    text = "\n".join(line for line in out.splitlines() if not line.startswith("#"))
    assert 'title = "^Bridges$"' in text
    assert main(["layouts", "show", "sgt-bridges", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["layout"]["game"] == "hashi"


def test_check_names_what_is_wrong(home: Path, capsys) -> None:
    layout.save(KNOWN, layout.own_file("mine"))
    assert main(["layouts", "check"]) == 2
    said = capsys.readouterr()
    assert "sgt-bridges: in order" in said.out
    assert str(home / "templates") in said.err or "not there" in said.err
    assert main(["layouts", "check", "sgt-bridges", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["error"] is None


def test_check_names_a_game_that_is_none(home: Path, capsys) -> None:
    path = layout.own_file("mine")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('version = 2\ngame = "hashy"\nname = "mine"\n', "utf-8")
    assert main(["layouts", "check", "mine"]) == 2
    assert f"{path}: key 'game': there is no game 'hashy'; did you mean 'hashi'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("shw",), 2, "did you mean 'show'?"),
        (("show",), 2, "expected NAME after it"),
        (("show", "sgt-bridge"), 3, "did you mean 'sgt-bridges'?"),
        (("export", "sgt-bridges"), 2, "expected NAME FILE.zip"),
        (("export", "sgt-bridges", "x.tar"), 2, "ending in .zip"),
        (("import", "nowhere.zip"), 3, "no such file"),
        (("check", "nowhere"), 3, "no layout 'nowhere'"),
        (("list", "x"), 2, "expected nothing after it"),
        (("show", "sgt-bridges", "--name", "x"), 2, "--name is for import"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: tuple[str, ...], code: int, said: str, capsys) -> None:
    assert main(["layouts", *arguments]) == code
    err = capsys.readouterr().err
    assert said in err
    assert "\n" not in err.rstrip("\n")


def test_a_bundled_layout_without_pictures_is_handed_on(tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    assert main(["layouts", "export", "sgt-bridges", str(out)]) == 0
    with zipfile.ZipFile(io.BytesIO(out.read_bytes())) as made:
        assert made.namelist() == ["layout.toml"]
    assert main(["layouts", "import", str(out)]) == 0
    assert layout.load("sgt-bridges", "hashi").title == "^Bridges$"
