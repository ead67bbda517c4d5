"""A simulated person at the terminal, who answers the questions of `autoplayer calibrate`."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest


class Person(io.TextIOBase):
    """Somebody at the terminal, who looks at the last prompt and types what ``answer`` says to it; None is the end."""

    def __init__(self, answer: Callable[[str], str | None]) -> None:
        self.answer = answer
        self.prompts: list[str] = []
        self.heard = 0

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        everything = sys.stderr.getvalue()  # type: ignore[attr-defined]
        prompt = everything[self.heard :].splitlines()[-1].strip()
        self.heard = len(everything)
        self.prompts.append(prompt)
        said = self.answer(prompt)
        return "" if said is None else said + "\n"


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], str | None]], Person]:
    def sit_down(answer: Callable[[str], str | None]) -> Person:
        monkeypatch.setattr(sys, "stdin", one := Person(answer))
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        return one

    return sit_down
