"""The built wheel, installed into an environment of its own outside the tree, works from another directory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import cv2
import pytest

from autoplayer import games

ROOT = Path(__file__).parent.parent
CARRIED = {"templates": "autoplayer/_data/templates", "calibration": "autoplayer/_data/calibration"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the environment's programs. Only the project comes from the wheel: its dependencies are those of
    this environment, put on the path behind it (a .pth file inside a folder that is named by one is not followed, so
    the source tree is out of reach)."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    bin_folder = folder / ("Scripts" if os.name == "nt" else "bin")
    python = bin_folder / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index"]
    done = subprocess.run([*command, str(wheel)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return bin_folder


def call(environment: Path, where: Path, *arguments: str, stdin: str = "") -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "AUTOPLAYER"))}
    done = subprocess.run(
        [str(environment / arguments[0]), *arguments[1:]],
        cwd=where,
        env=clean | {"AUTOPLAYER_HOME": str(where / "home")},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_carries_every_file(wheel: Path) -> None:
    """What is in the tree's autoplayer/, templates/ and calibration/ is in the wheel, and nothing of the tests."""
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    for folder, place in {"autoplayer": "autoplayer", **CARRIED}.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.name != ".gitkeep":
                assert f"{place}/{path.relative_to(ROOT / folder).as_posix()}" in inside
    assert not [name for name in inside if name.startswith(("tests", "bench", "docs"))]


def test_the_project_comes_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    said = call(environment, tmp_path, "python", "-c", "import autoplayer; print(autoplayer.__file__)")
    assert Path(said.strip()).is_relative_to(environment.parent)


def test_solves(environment: Path, tmp_path: Path) -> None:
    said = call(environment, tmp_path, "autoplayer", "solve", "cardinal-chains", "--json", stdin="X 1 1\n2 2 1\n")
    assert json.loads(said)["solution"] == [[[0, 0], [0, 1], [0, 2], [1, 2], [1, 1], [1, 0]]]


@pytest.mark.parametrize(("name", "text"), [("cardinal-chains", "X 1 1\n2 2 1\n3 3 4"), ("null", "1 0 1")])
def test_reads(environment: Path, tmp_path: Path, name: str, text: str) -> None:
    game = games.load(name)
    cv2.imwrite(str(tmp_path / "board.png"), game.draw(game.parse(text)))
    said = json.loads(call(environment, tmp_path, "autoplayer", "read", name, "board.png", "--json"))
    assert (said["status"], said["puzzle"]) == ("read", text)


def test_has_the_layouts(environment: Path, tmp_path: Path) -> None:
    said = call(environment, tmp_path, "autoplayer", "layouts", "--json")
    names = {json.loads(line)["name"] for line in said.splitlines()}
    assert names == {path.stem for path in (ROOT / "calibration").glob("*.toml")}
