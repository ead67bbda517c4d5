"""The Tesseract program, which reads text in pictures, where it is installed. Nothing needs it."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess

import cv2
import numpy as np

from autoplayer.core.frame import Mask


@functools.cache
def available() -> bool:
    """Whether the program can be started here."""
    return shutil.which("tesseract") is not None


def read(page: Mask, *options: str, patience: float) -> str | None:
    """What stands on ``page`` (grey levels, shape ``(h, w)``, dark on light), read with the program's ``options``. None
    where nothing does, where the program fails, or where it takes longer than ``patience`` seconds."""
    try:
        done = subprocess.run(
            ["tesseract", "stdin", "stdout", *options],
            input=cv2.imencode(".png", np.ascontiguousarray(page))[1].tobytes(),
            capture_output=True,
            # Its threads wait for one another in a loop: for a single word they cost far more than they bring.
            env={"OMP_THREAD_LIMIT": "1", **os.environ},
            timeout=patience,
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        return None  # too slow, or it cannot be started: a voter that does not come does not count
    return done.stdout.decode("utf-8", "replace").strip() or None
