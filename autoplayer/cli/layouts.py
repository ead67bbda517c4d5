"""``autoplayer layouts``: which layout profiles there are, and whether they are in order."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from autoplayer import layout
from autoplayer.cli import output


def layouts(
    json: Annotated[bool, typer.Option("--json", help="One JSON object a layout, a line each.")] = False,
) -> int:
    """List the layout profiles, the bundled ones and your own, and check each.

    \b
    Example: autoplayer layouts
    """
    found = layout.available()
    rows: list[tuple[str, ...]] = []
    for each in found:
        profile, origin = each.layout, "autoplayer" if each.bundled else "you"
        if json:
            data = profile.model_dump(mode="json", exclude_none=True) if profile else None
            output.line(
                {"name": each.name, "file": str(each.path), "from": origin, "layout": data, "error": each.error}
            )
        elif profile:
            rows.append((each.name, profile.game, profile.controls, origin, profile.title or "anything"))
    if not json:
        output.columns(rows, ("name", "game", "controls", "from", "for windows titled"))
        print(f"\nYour own layouts go into {layout.home() / 'calibration'}", flush=True)
        for each in found:
            if each.error:
                print(each.error, file=sys.stderr)
    return 2 if any(each.error for each in found) else 0
