"""Consistency of the project's files: what is defined in one place and must be listed in another is listed there."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from autoplayer import games
from autoplayer.cli import COMMANDS
from autoplayer.core.errors import UsageError

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "autoplayer"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

ELSEWHERE = {"AppKit": "pyobjc-framework-cocoa", "Quartz": "pyobjc-framework-quartz"}
"""Modules of other systems, which are not installed here to be asked, and the packages that bring them."""


def folder(game: str) -> str:
    return game.replace("-", "_")


def distribution(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9_.-]+", requirement)
    assert match
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def test_every_import_is_a_declared_dependency() -> None:
    """A wheel in an empty environment brings what the code imports, and the project declares nothing that it does
    not use."""
    declared = {distribution(each) for each in PROJECT["project"]["dependencies"]}
    extras = {distribution(each) for each in PROJECT["project"]["optional-dependencies"]["arcade"]}
    brought = packages_distributions()
    used: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules: list[str] = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                modules = [node.module]
            for module in modules:
                top = module.partition(".")[0]
                if top in sys.stdlib_module_names or top == "autoplayer":
                    continue
                names = {distribution(name) for name in brought.get(top, [ELSEWHERE.get(top, top)])}
                assert names & (declared | extras), f"{path.relative_to(ROOT)} imports {top}, which is not declared"
                used |= names
    assert declared <= used, "declared, and never imported"


def pinned(file: str) -> set[str]:
    lines = (ROOT / file).read_text("utf-8").splitlines()
    return {distribution(line) for line in lines if re.match(r"[a-z]", line)}


@pytest.mark.parametrize(
    ("file", "groups"),
    [
        (
            "requirements.txt",
            [
                PROJECT["project"]["dependencies"],
                PROJECT["project"]["optional-dependencies"]["arcade"],
                PROJECT["dependency-groups"]["dev"],
                PROJECT["build-system"]["requires"],
            ],
        ),
        ("bench/requirements.txt", [PROJECT["dependency-groups"]["bench"]]),
        ("fuzz/requirements.txt", [PROJECT["dependency-groups"]["fuzz"]]),
    ],
)
def test_every_pinned_version_fits_the_declared_one(file: str, groups: list[list[str]]) -> None:
    for requirement in (each for group in groups for each in group):
        assert distribution(requirement) in pinned(file), f"{requirement} is not in {file}; run `make lock`"
    assert "://" not in (ROOT / file).read_text("utf-8"), f"no index belongs into {file}"


def test_every_game_folder_is_registered() -> None:
    folders = {path.parent.name for path in (PACKAGE / "games").glob("*/__init__.py")}
    assert folders == {folder(name) for name in PROJECT["project"]["entry-points"]["autoplayer.games"]}


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_its_rooms(name: str) -> None:
    """Each game has the same modules, tests, a contract of import-linter, and a line in the README."""
    for room in ("puzzle", "rules", "solver", "reader", "player"):
        assert (PACKAGE / "games" / folder(name) / f"{room}.py").is_file(), room
    assert (ROOT / "tests" / folder(name)).is_dir()
    contracts = {each["id"]: each for each in PROJECT["tool"]["importlinter"]["contracts"]}
    module = f"autoplayer.games.{folder(name)}"
    assert module in contracts["games-apart"]["modules"]
    assert module in contracts["layers-of-a-game"]["containers"]
    assert module in contracts["session"]["forbidden_modules"]
    assert module in contracts["registry"]["forbidden_modules"]
    assert f"`{name}`" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", games.names())
def test_rooms_that_a_game_names_are_there(name: str) -> None:
    """``Gathered._room`` imports a module by its name when it is first used, which no type checker sees."""
    place = PACKAGE / "games" / folder(name)
    for room in re.findall(r'_room\("([a-z_.]+)"\)', (place / "__init__.py").read_text("utf-8")):
        assert (place / f"{room.replace('.', '/')}.py").is_file(), room


def test_every_room_is_in_the_contracts() -> None:
    """Each package is a source module of some contract of import-linter, so that a new one is not forgotten."""
    rooms = {
        f"autoplayer.{path.stem}"
        for path in PACKAGE.iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").is_file()) and not path.stem.startswith("__")
    }
    watched: set[str] = {"autoplayer.cli"}  # may know everything
    for contract in PROJECT["tool"]["importlinter"]["contracts"]:
        watched |= set(contract.get("source_modules", []))
    assert rooms <= watched


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"autoplayer {command}" in (ROOT / "README.md").read_text("utf-8")


def test_documents_name_only_what_is_there() -> None:
    """Paths between backticks in the documents exist (``X`` stands for a game's folder, ``NAME`` for any)."""
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for path in re.findall(
            r"`((?:autoplayer|tests|bench|docs|calibration|templates|scripts|screenshots)/[^`\s]*)`",
            document.read_text("utf-8"),
        ):
            place = path.replace("X", "null").replace("GAME", "null").rstrip("/")
            assert (ROOT / place).exists(), f"{document.name} names {path}"


def test_an_unknown_game_gets_a_proposal() -> None:
    with pytest.raises(UsageError, match="did you mean 'cardinal-chains'"):
        games.load("cardinal_chain")
    with pytest.raises(UsageError, match="there are: cardinal-chains"):
        games.load("chess")


def test_no_constant_is_defined_twice_in_a_file() -> None:
    """The second value would silently replace the first, also where the first was meant."""
    for path in PACKAGE.rglob("*.py"):
        named: list[ast.expr] = []
        for node in ast.parse(path.read_text("utf-8")).body:
            for target in node.targets if isinstance(node, ast.Assign) else []:
                named += target.elts if isinstance(target, ast.Tuple) else [target]
        names = sorted(each.id for each in named if isinstance(each, ast.Name))
        assert names == sorted(set(names)), path.relative_to(ROOT)
