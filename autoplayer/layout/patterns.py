"""What a profile's texts may be: patterns that a window's title is searched for, and names."""

from __future__ import annotations

import itertools
import re

MOST_PATTERN, MOST_TITLE, MOST_NAME = 300, 200, 100
"""Characters of a pattern and of a name, and how many of a title are looked at."""
MOST_REPEATS, MOST_CHOICES = 2, 6
"""How many parts of a pattern may stand any number of times, besides runs of digits before something else; and how many
that, together with those that may be left out and with alternatives. What repeats a repetition, or has a dozen choices,
can keep the search in a title busy for years."""

_PART = re.compile(
    r"(?P<digits>\\d\+(?=$|[^\d\\(\[.?*+{|)]|\\[^\w\s]))|(?P<group>\(\?)|(?P<plain>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^*+{?|])"
    r"|(?P<repeat>(?:[*+]|\{[^}]*\}?)\??)|(?P<choice>.)",
    re.DOTALL,
)
"""The parts of a pattern: a run of digits that ends where something else begins, what a special group begins with,
whatever stands once, a repetition, a choice."""


def a_pattern(value: str | None) -> str | None:
    """``value``, where it is a regular expression that is searched for in no time, or None. Raises ValueError."""
    if value is None:
        return None
    if len(value) > MOST_PATTERN:
        raise ValueError(f"expected a regular expression of at most {MOST_PATTERN} characters ({len(value)} came)")
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"expected a regular expression ({error})") from error
    parts = [(match.lastgroup, match[0]) for match in _PART.finditer(value)]
    repeats = [before for (_, before), (kind, _) in itertools.pairwise(parts) if kind == "repeat"]
    choices = sum(kind == "choice" for kind, _ in parts)
    if len(repeats) > MOST_REPEATS or len(repeats) + choices > MOST_CHOICES or ")" in repeats:
        raise ValueError(
            f"expected a regular expression with at most {MOST_REPEATS} of '*', '+' and '{{' (besides '\\d+' before "
            f"something else), none of them after a group, and at most {MOST_CHOICES} of these, '?' and '|' together"
        )
    if re.search(r"\\[1-9]|\(\?P=", value):
        raise ValueError("expected a regular expression without references to its own groups")
    return value


def a_name(value: str) -> str:
    """``value``, where it is short enough for a sentence. Raises ValueError."""
    if len(value) > MOST_NAME:
        raise ValueError(f"expected a name of at most {MOST_NAME} characters ({len(value)} came)")
    return value


def title_fits(pattern: str | None, title: str) -> bool:
    """Whether a window's title matches a pattern that :func:`a_pattern` has let pass; every one matches None."""
    return pattern is None or re.search(pattern, title[:MOST_TITLE]) is not None


def pattern_of(title: str) -> str:
    """The regular expression for windows with this title: what counts levels or moves in it may change."""
    readable = re.sub(r"\\([ #&~-])", r"\1", re.escape(title))  # outside of brackets these mean themselves
    return "^" + re.sub(r"\d+", r"\\d+", readable) + "$"
