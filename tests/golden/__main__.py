"""Writes the transcripts anew, all or those of the named games: ``python -m tests.golden [GAME…]``. Look at the
difference before you commit it."""

import sys

from tests.golden.transcript import FOLDER, transcript

for path in sorted(FOLDER.glob("*.txt")):
    if path.stem in (sys.argv[1:] or [path.stem]):
        path.write_text(transcript(path.stem, path.read_text("utf-8")), "utf-8")
