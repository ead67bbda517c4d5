"""``autoplayer layouts``: lists and checks layout profiles, exports and imports them."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autoplayer import games, layout
from autoplayer.cli import output
from autoplayer.core.errors import LayoutError, MachineError, NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

ACTIONS = ("list", "show", "check", "export", "import")


def layouts(
    action: Annotated[
        str, typer.Argument(help="list, show NAME, check [NAME…], export NAME FILE.zip, or import FILE.zip.")
    ] = "list",
    what: Annotated[list[str] | None, typer.Argument(metavar="[NAME|FILE]…", show_default=False)] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="What an imported layout is to be called here.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a layout or a file that is there already.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a layout, a line each.")] = False,
) -> int:
    """List the layout profiles, the bundled ones and your own, and check each; show one; hand one on as a file.

    \b
    Examples:
      autoplayer layouts
      autoplayer layouts show sgt-bridges
      autoplayer layouts check
      autoplayer layouts export my-window my-window.zip
      autoplayer layouts import my-window.zip --name theirs
    """
    given = what or []
    if action not in ACTIONS:
        close = difflib.get_close_matches(action, ACTIONS, 1)
        raise UsageError(f"expected one of {', '.join(ACTIONS)}, but found {action[:40]!r}" + _meant(close))
    if name is not None and action != "import":
        raise UsageError("--name is for import: what the layout is to be called here")
    if action == "list":
        _count(action, given, 0, 0)
        return _list(json)
    if action == "show":
        _count(action, given, 1, 1)
        return _show(given[0], json)
    if action == "check":
        return _check(given, json)
    if action == "export":
        _count(action, given, 2, 2)
        return _export(given[0], Path(given[1]), force, json)
    _count(action, given, 1, 1)
    return _import(Path(given[0]), name, force, json)


def _meant(close: Sequence[str]) -> str:
    return f"; did you mean '{close[0]}'?" if close else ""


def _count(action: str, given: Sequence[str], least: int, most: int) -> None:
    if not least <= len(given) <= most:
        wanted = {"list": "nothing", "show": "NAME", "export": "NAME FILE.zip", "import": "FILE.zip"}[action]
        raise UsageError(f"layouts {action}: expected {wanted} after it, but found {' '.join(given)[:80] or 'nothing'}")


def _list(json: bool) -> int:
    found = layout.available()
    rows: list[tuple[str, ...]] = []
    for each in found:
        profile = each.layout
        if json:
            output.line(_facts(each))
        elif profile:
            rows.append((each.name, profile.game, profile.controls, _origin(each), profile.title or "anything"))
    if not json:
        output.columns(rows, ("name", "game", "controls", "from", "for windows titled"))
        print(f"\nYour own layouts go into {layout.home() / 'calibration'}", flush=True)
        for each in found:
            if each.error:
                print(output.plain(each.error), file=sys.stderr)
    return 2 if any(each.error for each in found) else 0


def _facts(each: layout.Available) -> dict[str, object]:
    data = each.layout.model_dump(mode="json", exclude_none=True) if each.layout else None
    return {"name": each.name, "file": str(each.path), "from": _origin(each), "layout": data, "error": each.error}


def _origin(each: layout.Available) -> str:
    return "autoplayer" if each.bundled else "you"


def _found(name: str) -> layout.Available:
    """The layout called ``name``, the user's own first. Raises NotFoundError."""
    found = [each for each in layout.available() if each.name == name]
    if not found:
        known = sorted({each.name for each in layout.available()})
        meant = _meant(difflib.get_close_matches(name, known, 1))
        raise NotFoundError(f"there is no layout '{name[:80]}'{meant}; `autoplayer layouts` lists them")
    return found[0]


def _usable(name: str) -> layout.Layout:
    each = _found(name)
    if each.layout is None:
        raise LayoutError(str(each.error))
    return each.layout


def _show(name: str, json: bool) -> int:
    each = _found(name)
    if json:
        output.line(_facts(each))
        return 2 if each.error else 0
    known = _usable(name)
    print(f"# {each.path}")
    if known.templates is not None:
        folder = layout.templates_folder(known.templates)
        glyphs = ", ".join(path.stem for path in sorted(folder.glob("*.png"))) or "none"
        print(f"# pictures: {folder} (glyphs: {glyphs}; areas: {len(known.areas())})")
    print()
    print(layout.dumps(known), end="", flush=True)
    return 0


def _check(names: Sequence[str], json: bool) -> int:
    from autoplayer.calibrate import parcel

    found = [_found(name) for name in names] if names else layout.available()
    code = 0
    for each in found:
        error, glyphs = each.error, 0
        if each.layout is not None:
            try:
                glyphs = parcel.check(each.layout)
                if each.layout.game not in games.names():
                    games.load(each.layout.game)
            except (LayoutError, NotFoundError) as fault:
                error = str(fault)
            except UsageError as fault:
                error = f"{each.path}: key 'game': {fault}"
        code = 2 if error else code
        if json:
            output.line({**_facts(each), "glyphs": glyphs, "error": error})
        elif error:
            print(output.plain(error), file=sys.stderr)
        elif each.layout is not None:
            said = f"{glyphs} glyphs, {len(each.layout.anchors)} anchors" if each.layout.templates else "no pictures"
            print(f"{each.name}{'' if each.bundled else ' (yours)'}: in order ({said})", flush=True)
    return code


def _export(name: str, path: Path, force: bool, json: bool) -> int:
    from autoplayer.calibrate import parcel

    output.check_writable(path, (".zip",))
    if path.exists() and not force:
        raise UsageError(f"{path}: this file is there already; give another name, or --force to replace it")
    # A copied or renamed file contains its old name; it is exported under the requested one.
    output.write(path, parcel.pack(_usable(name).model_copy(update={"name": name})))
    _written(name, path, json)
    return 0


def _import(path: Path, name: str | None, force: bool, json: bool) -> int:
    from autoplayer.calibrate import parcel
    from autoplayer.calibrate.keeping import check_name

    found = parcel.unpack(path)
    name = check_name(name or found.layout.name)
    try:
        _written(name, parcel.install(found, name, force=force), json)
    except MachineError:
        raise
    except (LayoutError, NotFoundError) as error:
        raise LayoutError(f"{path}: this layout is not whole, so nothing was written: {error}") from None
    return 0


def _written(name: str, path: Path, json: bool) -> None:
    """Print where an exported or imported layout has been written; ``_facts`` of it as JSON."""
    if json:
        output.line({**_facts(_found(name)), "file": str(path)})
    else:
        print(path, flush=True)
