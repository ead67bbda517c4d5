"""The window's own log: JSON lines, each flushed at once, so that a test can follow a running window."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from autoplayer.core.errors import UsageError, cause


class Log:
    """Writes one JSON object a line: ``event``, ``time`` (seconds of ``time.monotonic``), and the event's own keys.

    Without a path it writes nothing. Raises UsageError where the file cannot be written.
    """

    def __init__(self, path: Path | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._file: TextIO | None = None
        if path is not None:
            try:
                self._file = path.open("w", encoding="utf-8", buffering=1)
            except OSError as error:
                raise UsageError(f"the log cannot be written to {path}: {cause(error)}; give another --log") from error

    def __call__(self, event: str, **data: Any) -> None:
        if self._file is not None:
            self._file.write(json.dumps({"event": event, "time": round(self._clock(), 6), **data}) + "\n")
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
