"""What a profile's texts may be: regular expressions for window titles, and names."""

from __future__ import annotations

import itertools
import re

MOST_PATTERN, MOST_TITLE, MOST_NAME = 300, 200, 100
"""The most characters of a pattern and of a name, and how many characters of a title are searched."""
MOST_REPEATS, MOST_CHOICES = 2, 6
"""The most unbounded repetitions in a pattern (runs of digits followed by something else do not count), and the most
choices: repetitions, optional parts and alternatives together. Nested repetitions, or a dozen choices, can make the
search in a title backtrack for years."""

_PART = re.compile(
    r"(?P<digits>\\d\+(?=$|[^\d\\(\[.?*+{|)]|\\[^\w\s]))|(?P<group>\(\?)|(?P<plain>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^*+{?|])"
    r"|(?P<repeat>(?:[*+]|\{[^}]*\}?)\??)|(?P<choice>.)",
    re.DOTALL,
)
"""The parts of a pattern: a run of digits followed by something else, the start of a special group, an element that
stands once, a repetition, a choice."""


def a_pattern(value: str | None) -> str | None:
    """``value`` if it is None, or a regular expression that is certain to be searched for quickly. Raises
    ValueError."""
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
    """``value`` if it is short enough to be put into a sentence. Raises ValueError."""
    if len(value) > MOST_NAME:
        raise ValueError(f"expected a name of at most {MOST_NAME} characters ({len(value)} came)")
    return value


def title_fits(pattern: str | None, title: str) -> bool:
    """Whether a window's title matches a pattern that :func:`a_pattern` has accepted; None matches every title."""
    return pattern is None or re.search(pattern, title[:MOST_TITLE]) is not None


def pattern_of(title: str) -> str:
    """A regular expression for windows with this title, in which numbers (of levels, of moves) may change."""
    readable = re.sub(r"\\([ #&~-])", r"\1", re.escape(title))  # outside of brackets these mean themselves
    return "^" + re.sub(r"\d+", r"\\d+", readable) + "$"
