"""Reads TOML files that people may have written into tables, and explains in a sentence what is wrong with one."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from autoplayer.core.errors import LayoutError, NotFoundError, cause

T = TypeVar("T", bound=BaseModel)

MAX_BYTES = 65_536
"""A profile is a page of text; anything longer is something else."""


def read_table(path: Path, kind: type[T], what: str, newest: int) -> T:
    """The table of ``kind`` in a TOML file that a person may have written. ``what``: how such a file is called in
    messages; ``newest``: the latest file version that is known. Raises NotFoundError where there is no such file,
    LayoutError with the file, the key, what was expected and what came."""
    try:
        if not path.exists():
            raise NotFoundError(f"{path}: there is no such file")
        if not path.is_file():
            raise LayoutError(f"{path}: expected a file that holds a {what}, but this is not a file")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise LayoutError(f"{path}: expected a file of at most {MAX_BYTES} bytes, but it has {size}")
        data = path.read_bytes()
    except OSError as error:
        raise LayoutError(f"{path}: cannot be read: {cause(error)}") from error
    return parse_table(data, str(path), kind, what, newest)


MOST_DOTS = 50
"""The most dots in a key. Of a key with thousands of parts the TOML parser keeps every prefix, which takes
gigabytes."""

_QUOTED = re.compile(r""""(?:\\.|[^"\\])*"|'[^']*'""")


def parse_table(data: bytes, place: str, kind: type[T], what: str, newest: int) -> T:
    """As :func:`read_table`, from the bytes of the file; ``place`` is its name in messages."""
    try:
        text = data.decode("utf-8")
        for number, line in enumerate(text.split("\n"), 1):
            is_key = "=" in line or line.lstrip().startswith("[")  # and not a row of a puzzle
            if is_key and _QUOTED.sub("", line).count(".") > MOST_DOTS:
                raise LayoutError(f"{place}: line {number}: expected a key of at most {MOST_DOTS} parts")
        table = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise LayoutError(f"{place}: expected a TOML text in UTF-8, but byte {error.start} is not UTF-8") from error
    except (ValueError, RecursionError) as error:  # ValueError also for numbers of thousands of digits
        raise LayoutError(f"{place}: expected TOML, but: {error}") from error
    version = table.get("version")
    if type(version) is int and version > newest:
        raise LayoutError(
            f"{place}: this {what} has version {version}, and this autoplayer knows {newest}; "
            "install a newer autoplayer"
        )
    try:
        return kind.model_validate(table)
    except ValidationError as error:
        details = sorted(error.errors(include_url=False), key=lambda detail: detail["type"] != "extra_forbidden")
        more = f" ({len(details) - 1} more fault{'s' * (len(details) > 2)} in this file)" if len(details) > 1 else ""
        raise LayoutError(f"{place}: {_fault(details[0], kind)}{more}") from error


def _fault(detail: Any, kind: type[BaseModel]) -> str:
    """One validation error of pydantic as a sentence: the path of the key, what was expected, what came."""
    key = ".".join(plainly(str(part)) for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        *tables, last = (str(part) for part in detail["loc"])
        known = list(_table_at(tables, kind).model_fields)
        close = difflib.get_close_matches(last, known, 1)
        hint = f"did you mean '{close[0]}'?" if close else f"known keys here: {', '.join(known)}"
        return f"unknown key '{key}'; {hint}"
    if detail["type"] == "missing" and isinstance(detail["loc"][-1], str):
        return f"expected the key '{key}', but it is missing"
    if detail["type"] == "missing":  # an element of a list of numbers
        return f"key '{key}': expected one more number, but it is missing"
    if detail["type"] == "value_error":
        reason = str(detail["ctx"]["error"])
        return f"key '{key}': {reason}{'' if FOUND in reason else FOUND + _shown(detail['input'])}" if key else reason
    wanted = _WANTED.get(detail["type"]) or detail["msg"].removeprefix("Input should be ").replace("a valid ", "a ")
    return f"key '{key}': expected {wanted.format(**detail.get('ctx', {}))}{FOUND}{_shown(detail['input'])}"


FOUND = ", but found "

_WANTED = {
    "dict_type": "a table",
    "finite_number": "a number that is finite",
    "greater_than": "a number greater than {gt:g}",
    "greater_than_equal": "a number of at least {ge:g}",
    "int_type": "a whole number",
    "less_than_equal": "a number of at most {le:g}",
    "model_attributes_type": "a table",
    "model_type": "a table",
    "string_too_long": "a text of at most {max_length} characters",
    "string_type": "a text in quotes",
    "too_long": "at most {max_length} of them",
    "tuple_type": "a list in square brackets",
}
"""What was expected, by pydantic's name of the fault."""


def plainly(text: str, most: int = 40) -> str:
    """The beginning of ``text``, with control characters escaped that a terminal would execute.

    >>> plainly("a\\nb")
    'a\\\\nb'
    """
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text[:most])


def _table_at(keys: Sequence[str], root: type[BaseModel]) -> type[BaseModel]:
    """The table that a path of keys leads to; numbers in it are indices into a list of tables."""
    table = root
    for key in keys:
        if key in table.model_fields:
            kinds = [table.model_fields[key].annotation]
            while kinds:
                kind = kinds.pop()
                if isinstance(kind, type) and issubclass(kind, BaseModel):
                    table = kind
                kinds += get_args(kind)
    return table


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
