"""A window's layout profile: how one window is read and controlled. Load, check, save.

Profiles are TOML, validated, versioned, and relative to the client area, so that they survive moving and resizing.
They come with the program (``calibration/``) and from the user's own folder, which wins where both have a name; what
a session learned about a window (its pace, how its next level comes) is remembered there too.

``profile`` says what a profile holds, ``patterns`` which titles and names it may have, ``reading`` and ``writing`` deal
with its text, ``places`` with its file.
"""

from autoplayer.layout.patterns import a_name, a_pattern, pattern_of, title_fits
from autoplayer.layout.places import (
    NEW_NAME,
    NO_LAYOUT,
    Available,
    available,
    bundled,
    forget,
    home,
    lent,
    load,
    own_file,
    recall,
    remember,
    templates_folder,
)
from autoplayer.layout.profile import (
    CLICK,
    CLICKS,
    LAYOUT_VERSION,
    MOST_CELLS,
    NUMBER,
    PICTURES,
    WHEELS,
    AreaTable,
    BoardTable,
    ContinuityTable,
    Controls,
    KeyTable,
    Layout,
    NextTable,
    PaceTable,
    Table,
    clicked,
)
from autoplayer.layout.reading import MAX_BYTES, parse_table, read_table
from autoplayer.layout.writing import dumps, save

__all__ = [
    "CLICK",
    "CLICKS",
    "LAYOUT_VERSION",
    "MAX_BYTES",
    "MOST_CELLS",
    "NEW_NAME",
    "NO_LAYOUT",
    "NUMBER",
    "PICTURES",
    "WHEELS",
    "AreaTable",
    "Available",
    "BoardTable",
    "ContinuityTable",
    "Controls",
    "KeyTable",
    "Layout",
    "NextTable",
    "PaceTable",
    "Table",
    "a_name",
    "a_pattern",
    "available",
    "bundled",
    "clicked",
    "dumps",
    "forget",
    "home",
    "lent",
    "load",
    "own_file",
    "parse_table",
    "pattern_of",
    "read_table",
    "recall",
    "remember",
    "save",
    "templates_folder",
    "title_fits",
]
