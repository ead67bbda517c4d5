"""Inputs in which the fuzzer once found an error (a file each in ``cases/TARGET``), and some of those with which it
starts, are answered without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz import judge
from fuzz.targets import TARGETS

CASES = Path(__file__).parent / "cases"

MOST = 8
"""Beginnings of one kind that are tried here."""


@pytest.mark.parametrize(
    "case", [pytest.param(path, id=path.relative_to(CASES).as_posix()) for path in sorted(CASES.glob("*/*"))]
)
def test_what_was_found_is_answered(case: Path, tmp_path: Path) -> None:
    attempt(case.parent.name, case.read_bytes(), tmp_path)


@pytest.mark.parametrize("name", TARGETS)
def test_what_the_fuzzer_begins_with_is_answered(name: str, tmp_path: Path) -> None:
    seeds = TARGETS[name].seeds()
    for number, seed in enumerate(seeds[:: len(seeds) // MOST + 1]):
        attempt(name, seed, tmp_path / str(number))


def test_every_kind_of_input_has_cases() -> None:
    assert {path.name for path in CASES.iterdir()} <= set(TARGETS)


def attempt(name: str, data: bytes, place: Path) -> None:
    folder = place / "input"
    folder.mkdir(parents=True)
    with judge.watched(place), judge.limited():
        TARGETS[name].run(data, folder)
